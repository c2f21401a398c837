/* delta_source.h - what the log of a Delta table tells of a relation of a dbt project.
 * Called by: the sources of this room that answer about dbt projects.  Must not know: what is asked, how facts are used.
 */
#ifndef API_DELTA_SOURCE_H
#define API_DELTA_SOURCE_H

#include "base/pool.h"
#include "grain/project.h"

/* For one run; `tell` hears why a table could not be read, NULL: nobody does. Texts live in `owner`. */
typedef struct delta_looker {
    arena *owner;
    const dbt_project *project;
    sql_dialect dialect;
    void (*tell)(void *context, const dbt_relation *r, str text);
    void *context;
    pool *workers; /* NULL at first */
} delta_looker;

/* As grain_options.look, `looker` is a delta_looker: the latest version of the table at r->delta_path. Its NOT NULL columns
 * (enforced); measured in its log: columns whose null count is 0 in every live file, partition columns without a NULL, and
 * those with one value in all live files; and its columns, in order. A table without files has nothing measured, and of one
 * that cannot be read nothing is known, which is no failure. Lives in the looker's owner. */
MUST_USE lp_status delta_look(void *looker, const dbt_relation *r, grain_extra *out, lp_err *err);

/* Let a run look. */
void delta_look_with(delta_looker *looker, grain_options *how);

#endif
