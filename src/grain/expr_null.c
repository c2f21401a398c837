/* expr_null.c - which columns are not NULL where an expression has a value, or a condition an outcome.
 * Called by: expr_value.c (CASE), op_*.c.  Must not know: operators of the plan.
 *
 * A column is tried by taking it to be NULL: if the condition cannot be TRUE then, it rejects NULLs of that column. So
 * whatever the evaluation knows (COALESCE, CASE, three-valued logic) counts here.
 */
#include "grain/expr_int.h"

/* Steps for all columns of one question. */
enum { TRIAL_STEPS = 200000 };

/* The columns without which `e` has none of the outcomes in `wanted`. */
static colset needed(const expr_context *x, const plan_expr *e, outcome_set wanted, uint32_t *steps) {
    colset out = COLSET_EMPTY;
    if (e->kind == EXPR_COLUMN) {
        colset_add(&out, e->column, x->owner);
        return out;
    }
    column_id id = 0;
    for (; *steps && colset_next(e->columns, id, &id); id++)
        if (!(expr_evaluate(x, NULL, id, e, steps).outcome & wanted)) colset_add(&out, id, x->owner);
    return out;
}

/* Conjuncts one by one: what is long is mostly that. */
static colset rejected(const expr_context *x, const plan_expr *e, outcome_set wanted, ast_op junction) {
    uint32_t steps = TRIAL_STEPS;
    bool splits = e->kind == (junction == OP_AND ? EXPR_AND : EXPR_OR);
    if (!splits) return needed(x, e, wanted, &steps);
    colset out = COLSET_EMPTY;
    for (size_t i = 0; i < e->arg_count && steps; i++)
        colset_add_all(&out, needed(x, e->arg[i], wanted, &steps), x->owner);
    return out;
}

colset expr_strict_columns(const expr_context *x, const plan_expr *e) {
    uint32_t steps = TRIAL_STEPS;
    return needed(x, e, OUTCOME_TRUE | OUTCOME_FALSE, &steps);
}

colset expr_rejects_null(const expr_context *x, const plan_expr *e) {
    return rejected(x, e, OUTCOME_TRUE, OP_AND);
}

colset expr_rejects_null_when_false(const expr_context *x, const plan_expr *e) {
    return rejected(x, e, OUTCOME_FALSE, OP_OR);
}
