/* op_filter.c - WHERE, HAVING, QUALIFY: fewer rows.
 * Called by: grain.c.  Must not know: joins.
 *
 * Keys and dependencies stay: dropping rows makes no duplicates. What covers a relation is lost, unless each condition is
 * true for every row, or is a rank filter: the first row of every partition is still there.
 */
#include "grain/op.h"

/* ---- rank filters ---- */

static bool is_rank(str name) {
    return str_eq(name, STR("row_number")) || str_eq(name, STR("rank")) || str_eq(name, STR("dense_rank"));
}

static bool keeps_first(const plan_expr *e, column_id *rank) {
    if (e->kind != EXPR_COMPARE || e->arg_count != 2 || e->arg[0]->kind != EXPR_COLUMN) return false;
    const plan_expr *literal = expr_literal(e->arg[1]);
    if (!literal || !literal->from || literal->from->kind != AST_NUMBER) return false;
    int64_t n;
    if (!str_to_int64(literal->from->text, &n)) return false;
    *rank = e->arg[0]->column;
    return (e->op == OP_EQ && n == 1) || (e->op == OP_LE && n >= 1) || (e->op == OP_LT && n > 1);
}

/* The window that numbers the rows, if nothing stands between it and `n` that could drop a row. */
static const plan_node *window_below(const plan_node *n, column_id *rank) {
    while (n->kind == PLAN_PROJECT || n->kind == PLAN_SORT || n->kind == PLAN_CTE || n->kind == PLAN_WINDOW) {
        for (size_t i = 0; n->kind == PLAN_WINDOW && i < n->window.made_count; i++)
            if (n->window.made[i] == *rank) return n;
        if (n->kind == PLAN_CTE)
            for (size_t i = 0; i < n->column_count; i++)
                if (n->column[i] == *rank) {
                    *rank = n->cte.inside[i];
                    break;
                }
        n = n->input[0];
    }
    return NULL;
}

/* The columns of the partition under the ids that the rows of the filter have. */
static bool partition_here(grain_model *m, const plan_node *filter, const plan_node *window, colset *out) {
    colset partition = COLSET_EMPTY;
    for (size_t i = 0; i < window->window.partition_count; i++) {
        if (window->window.partition[i]->kind != EXPR_COLUMN) return false;
        colset_add(&partition, window->window.partition[i]->column, m->owner);
    }
    /* Ids change at CTEs between the two: go down again and follow each. */
    const plan_node *path[64];
    size_t depth = 0;
    for (const plan_node *n = filter->input[0]; n != window; n = n->input[0]) {
        if (depth == sizeof path / sizeof *path) return false;
        path[depth++] = n;
    }
    while (depth--) {
        const plan_node *n = path[depth];
        if (n->kind != PLAN_CTE) continue;
        colset renamed = COLSET_EMPTY;
        column_id id = 0;
        for (; colset_next(partition, id, &id); id++) {
            column_id to = NO_COLUMN;
            for (size_t i = 0; i < n->column_count && to == NO_COLUMN; i++)
                if (n->cte.inside[i] == id) to = n->column[i];
            if (to == NO_COLUMN) return false;
            colset_add(&renamed, to, m->owner);
        }
        partition = renamed;
    }
    *out = partition;
    return true;
}

/* Is the only thing that the filter asks for the first rows of each partition? */
static bool is_rank_filter(grain_model *m, const plan_node *n, colset *partition) {
    column_id rank;
    if (n->filter.condition_count != 1 || !keeps_first(n->filter.condition[0], &rank)) return false;
    const plan_node *window = window_below(n->input[0], &rank);
    if (!window) return false;
    const plan_column *c = &m->plan->column[rank];
    return c->definition && is_rank(c->definition->name) && partition_here(m, n, window, partition);
}

/* Is the column a number that counts from 1, here or in the query of a CTE? */
static bool counts_from_one(const grain_model *m, column_id id) {
    while (id < m->plan->column_count) {
        const plan_column *c = &m->plan->column[id];
        if (c->origin == COLUMN_WINDOW) return c->definition && is_rank(c->definition->name);
        if (c->origin != COLUMN_COPY || !c->source_count) return false;
        id = c->source[0];
    }
    return false;
}

/* rank <= 1, rank < 2: it is 1. */
static void learn_first(grain_model *m, facts *f, const plan_expr *e) {
    column_id rank;
    bool is_upper = e->kind == EXPR_COMPARE && (e->op == OP_LE || e->op == OP_LT);
    if (!is_upper || !keeps_first(e, &rank) || !counts_from_one(m, rank)) return;
    int64_t n;
    if (!str_to_int64(expr_literal(e->arg[1])->from->text, &n) || n != (e->op == OP_LE ? 1 : 2)) return;
    facts_add_constant(f, op_single(m, rank), condition_evidence(m, e));
}

/* ---- what is covered ---- */

static bool is_sample(const plan_node *n) {
    return n->filter.condition_count == 0;
}

static bool drops_rows(grain_model *m, const facts *f, const plan_node *n) {
    if (is_sample(n)) return true;
    for (size_t i = 0; i < n->filter.condition_count; i++)
        if (expr_outcome(&m->expr, f, n->filter.condition[i]) != OUTCOME_TRUE) return true;
    return false;
}

/* The only condition that may drop a row asks for one value of a column: `id` = `value`. */
static bool asks_for_value(grain_model *m, const facts *f, const plan_node *n, column_id *id, const plan_expr **value) {
    const plan_expr *only = NULL;
    for (size_t i = 0; i < n->filter.condition_count; i++) {
        const plan_expr *e = n->filter.condition[i];
        if (expr_outcome(&m->expr, f, e) == OUTCOME_TRUE) continue;
        if (only) return false;
        only = e;
    }
    bool is_equation = only && only->kind == EXPR_COMPARE && only->op == OP_EQ && !only->negated && only->arg_count == 2;
    if (!is_equation || only->arg[0]->kind != EXPR_COLUMN) return false;
    *id = only->arg[0]->column;
    *value = expr_literal(only->arg[1]);
    return *value && !expr_is_null_literal(*value) &&
           expr_types_compare(expr_column_type(&m->expr, *id), expr_type(&m->expr, *value)) != UNCERTAIN;
}

/* Of a relation that is covered, the rows with this value still are. */
static void keep_covers_of_value(facts *f, column_id id, const plan_expr *value) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->inclusion_count; i++) {
        fact_inclusion in = f->inclusion[i];
        bool stays = !in.is_covers;
        for (size_t k = 0; k < in.pair_count && !stays && !in.only_value; k++) {
            if (in.pair[k].here != id) continue;
            in.only_value = value, in.only_there = in.pair[k].there;
            stays = true;
        }
        if (stays) f->inclusion[kept++] = in;
    }
    f->inclusion_count = kept;
}

static void lose_rows(grain_model *m, const plan_node *n, facts *f) {
    colset partition;
    f->rows.min = 0;
    if (is_sample(n)) {
        f->is_repeatable = false;
        facts_keep_covers(f, COLSET_EMPTY);
        op_lose(m, n, n->at, n->filter.clause);
        return;
    }
    if (is_rank_filter(m, n, &partition)) {
        facts_keep_covers(f, facts_closure(f, partition, CLOSURE_STRICT));
        f->rows.min = op_input(m, n, 0)->rows.min ? 1 : 0;
        return;
    }
    column_id id;
    const plan_expr *value;
    if (asks_for_value(m, f, n, &id, &value))
        keep_covers_of_value(f, id, value);
    else
        facts_keep_covers(f, COLSET_EMPTY);
    const plan_expr *first = n->filter.condition[0];
    op_lose(m, n, n->filter.condition_count == 1 ? first->at : n->at, span_text(m->text, first->at));
}

facts op_filter(grain_model *m, const plan_node *n) {
    facts f = facts_copy(op_input(m, n, 0));
    bool drops = drops_rows(m, &f, n);
    if (drops) lose_rows(m, n, &f);
    for (size_t i = 0; i < n->filter.condition_count; i++) {
        learn_condition(m, &f, n->filter.condition[i]);
        learn_first(m, &f, n->filter.condition[i]);
    }
    op_carry(m, n, &f);
    return f;
}
