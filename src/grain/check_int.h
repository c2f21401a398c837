/* check_int.h - what the checks share.
 * Called by: check*.c.  Must not know: a single check.
 */
#ifndef GRAIN_CHECK_INT_H
#define GRAIN_CHECK_INT_H

#include "grain/check.h"
#include "grain/op.h"

typedef struct checking {
    const grain_model *m;
    const check_choice *choice;
    declaration_list own;
    finding_list *out;
} checking;

/* A finding about the SQL at `at`, to be filled in. */
finding *check_new(checking *c, finding_code code, span at);
/* The names of columns, each once, in the order of their ids. */
const str *check_names(checking *c, colset columns, size_t *count);
str check_joined(checking *c, const str *name, size_t count); /* "a, b" */
/* Chains and declarations of a join site, then those of one reason of this model. */
void check_reasons(checking *c, finding *f, const join_site *site, evidence_id why);
/* Of the parts that do not move with lines. */
void check_fingerprint(checking *c, finding *f, str extra);
str check_line(checking *c, str text); /* on one line, cut where it is long */
/* The name under which a column of the model is seen in its result, else its own. */
str check_column_name(const checking *c, column_id id);

void check_g001(checking *c, const plan_node *n);
void check_g002(checking *c);
void check_g003(checking *c, const plan_node *n);
void check_g004(checking *c, const plan_node *n);
void check_g005(checking *c);

/* ---- sums, for G001 and G004 ---- */

typedef struct summed {
    const plan_expr *call; /* SUM or AVG */
    column_id made;
    bool is_average;
    colset group; /* GROUP BY, or the partition */
} summed;
/* The sums and averages that an operator makes over its input: of groups, and of whole partitions. `next` starts at 0. */
bool check_next_sum(checking *c, const plan_node *n, size_t *next, summed *out);

/* Can one group hold several of the rows of one entity of a term, whatever repeated them? False where it cannot be told. */
bool check_group_holds_several(checking *c, const plan_node *n, const summed *sum, const plan_expr *term, const column_grain *g);

#endif
