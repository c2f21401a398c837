/* models.h - what the commands about rows are asked about: a dbt project, or a file with a query and its declarations.
 * Called by: run_facts.c and the other commands about rows.  Must not know: what is asked.
 */
#ifndef CLI_MODELS_H
#define CLI_MODELS_H

#include <lakeproof.h>

#include "cli/parse.h"

/* The texts that lp_models borrows. */
typedef struct model_texts {
    text sql, ddl;
} model_texts;

/* --sql, --ddl, --dialect; without --sql the project `project` (NULL: the one around the current folder) and --trust. EXIT_DONE, or another exit code after a message. Free `texts` in either case. */
int models_read(const invocation *call, const arguments *a, const char *project, model_texts *texts, lp_models *out);
void models_free(model_texts *texts);

/* The messages of wrong SQL, then the report, which is empty with them. Returns the exit code: 1 if the report has not passed. */
int models_answer(const invocation *call, const lp_report *report);

#endif
