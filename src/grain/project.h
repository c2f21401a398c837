/* project.h - all models of a dbt project, each analysed once, parents before children.
 * Called by: api, tools.  Must not know: how results are printed or chosen.
 */
#ifndef GRAIN_PROJECT_H
#define GRAIN_PROJECT_H

#include "grain/check.h"
#include "grain/declared_dbt.h"

/* What is known of a relation beside the project: from the log of a Delta table. It lives as long as the run. */
typedef struct grain_extra {
    declaration_list declared;
    const catalog_column *column; /* all its columns, in order; none: not known */
    size_t column_count;
} grain_extra;

typedef struct grain_options {
    check_choice choice;
    const bool *wanted; /* by relation: whose results are asked for; they and all above them are analysed. NULL: all */
    const str *trust;   /* kinds of guesses that proofs may use */
    size_t trust_count;
    /* Called once for each relation with a delta_path that is wanted or read, before any model is analysed. It may fail, which
     * ends the run. NULL: nothing is known beside the project. */
    lp_status (*look)(void *look_context, const dbt_relation *r, grain_extra *out, lp_err *err);
    void *look_context;
} grain_options;

/* One model, done. `model` and `text` are valid during the call only; `findings` live in the arena of the run. */
typedef struct grain_done {
    const dbt_relation *relation;
    grain_model *model;       /* NULL when there is no plan: `reason` says why */
    str text;                 /* compiled SQL; "" when there is none */
    str reason;               /* "a Python model", "line 3, column 7: no column x", ... */
    declaration_list own;     /* what is declared of it */
    const finding *findings;  /* of this model, by place */
    size_t finding_count;
} grain_done;

/* `done` is called for every wanted model and snapshot with SQL or Python, parents before children. It may fail, which ends
 * the run. Summaries and findings live in `owner`. */
typedef lp_status (*grain_done_fn)(void *context, const grain_done *done, lp_err *err);
MUST_USE lp_status grain_project(arena *owner, const dbt_project *p, const grain_options *options, grain_done_fn done,
                                 void *context, lp_err *err);

#endif
