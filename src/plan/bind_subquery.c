/* bind_subquery.c - conditions, and queries inside of expressions.
 * Called by: plan/bind_*.c.  Must not know: select lists.
 *
 * A subquery that is a conjunct of WHERE or ON (IN, EXISTS, and their NOT forms) is a semi or anti join. Anywhere else
 * its answer is a column: a mark for IN and EXISTS, the value for a scalar subquery.
 */
#include "plan/bind_int.h"

/* ---- joins with subqueries ---- */

static bool reads_outer(const binder *b, uint32_t first_node, uint32_t end_node) {
    for (uint32_t i = first_node; i < end_node; i++) {
        const plan_node *n = b->node[i];
        if (n->kind == PLAN_FILTER)
            for (size_t k = 0; k < n->filter.condition_count; k++)
                if (!colset_is_empty(n->filter.condition[k]->outer)) return true;
        if (n->kind == PLAN_PROJECT)
            for (size_t k = 0; k < n->project.made_count; k++) {
                const plan_expr *e = b->column[n->project.made[k]].definition;
                if (e && !colset_is_empty(e->outer)) return true;
            }
        if (n->kind == PLAN_JOIN)
            for (size_t k = 0; k < n->join.rest_count; k++)
                if (!colset_is_empty(n->join.rest[k]->outer)) return true;
    }
    return false;
}

static draft *join_subquery(binder *b, scope *s, plan_join_kind kind, relation *inner, uint32_t first_node, span at) {
    draft *input[2] = {s->top, inner->top};
    draft *d = bind_node(b, PLAN_JOIN, at, input, 2);
    d->node.join =
        (plan_join){.kind = kind, .is_lateral = reads_outer(b, first_node, inner->top->node.id + 1), .on = at};
    draft_pass(b, d, s->top);
    s->top = d;
    return d;
}

static const plan_expr *equation(binder *b, const plan_expr *value, column_id right, span at) {
    const plan_expr **arg = ARENA_ARRAY(b->owner, const plan_expr *, 2);
    arg[0] = value;
    arg[1] = expr_column(b, right, NULL, at);
    plan_expr *e = expr_new(b, EXPR_COMPARE, NULL, at, arg, 2);
    e->op = OP_EQ;
    return e;
}

/* The conditions value = column, as pairs where the value is a column of the left. */
static void equate(binder *b, draft *join, const plan_expr *const *value, const relation *right, size_t count,
                   span at) {
    plan_pair *pair = ARENA_ARRAY(b->owner, plan_pair, count);
    const plan_expr **rest = ARENA_ARRAY(b->owner, const plan_expr *, count);
    size_t pairs = 0, rests = 0;
    for (size_t i = 0; i < count; i++) {
        column_id id = right->column[i].id;
        if (value[i]->kind == EXPR_COLUMN)
            pair[pairs++] = (plan_pair){value[i]->column, id, false, at};
        else
            rest[rests++] = equation(b, value[i], id, at);
    }
    join->node.join.pair = pair;
    join->node.join.pair_count = pairs;
    join->node.join.rest = rest;
    join->node.join.rest_count = rests;
}

static lp_status bind_inner(binder *b, scope *s, const ast *subquery, relation **inner) {
    if (!subquery->query) return bind_refuse(b, subquery->at, "this query cannot be read");
    return bind_query(b, subquery->query, s, inner);
}

/* (a, b) IN (SELECT x, y ...): the values on the left, one by one. */
static lp_status bind_left_values(binder *b, scope *s, expr_place place, const ast *left,
                                  const plan_expr *const **value, size_t *count) {
    left = ast_without_parens(left);
    bool is_row = left->kind == AST_OTHER && left->form == FORM_ROW;
    *count = is_row ? left->arg_count : 1;
    const plan_expr **list = ARENA_ARRAY(b->owner, const plan_expr *, *count);
    for (size_t i = 0; i < *count; i++) TRY(bind_expr(b, s, place, is_row ? left->arg[i] : left, &list[i]));
    *value = list;
    return LP_OK;
}

static lp_status join_in(binder *b, scope *s, expr_place place, const ast *in, plan_join_kind kind, draft **out) {
    const plan_expr *const *value;
    size_t count;
    relation *inner;
    uint32_t first_node = b->node_count;
    TRY(bind_left_values(b, s, place, in->arg[0], &value, &count));
    TRY(bind_inner(b, s, in->arg[1], &inner));
    uint32_t known = inner->is_open ? inner->known_count : inner->column_count;
    if (!inner->is_open && known != count)
        return bind_refuse(b, in->at, "expected a subquery of %zu columns, found one of %u", count, known);
    *out = join_subquery(b, s, kind, inner, first_node, in->at);
    equate(b, *out, value, inner, count < known ? count : known, in->at);
    return LP_OK;
}

/* ---- inside of expressions ---- */

static column_id new_answer(binder *b, draft *join, column_origin origin, const ast *from, const column_id *source) {
    column_id *copy = source ? ARENA_NEW(b->owner, column_id) : NULL;
    if (copy) *copy = *source;
    plan_column c = {.name = STR(""),
                     .at = from->at,
                     .origin = origin,
                     .made_by = &join->node,
                     .source = copy,
                     .source_count = source ? 1 : 0};
    column_id id = bind_column(b, c);
    draft_add(b, join, id);
    return id;
}

static const plan_expr *mark_of(binder *b, draft *join, const ast *from) {
    join->node.join.mark = new_answer(b, join, COLUMN_MARK, from, NULL);
    return expr_column(b, join->node.join.mark, NULL, from->at);
}

static const plan_expr *negate(binder *b, const plan_expr *e, const ast *from) {
    const plan_expr **arg = ARENA_NEW(b->owner, const plan_expr *);
    *arg = e;
    plan_expr *n = expr_new(b, EXPR_NOT, NULL, from->at, arg, 1);
    n->op = OP_NOT;
    return n;
}

lp_status bind_in_subquery(binder *b, scope *s, expr_place place, const ast *from, const plan_expr **out) {
    draft *join;
    TRY(join_in(b, s, place, from, PLAN_JOIN_MARK, &join));
    *out = mark_of(b, join, from);
    if (from->negated) *out = negate(b, *out, from);
    return LP_OK;
}

lp_status bind_subquery(binder *b, scope *s, expr_place place, const ast *from, const plan_expr **out) {
    (void)place;
    relation *inner;
    uint32_t first_node = b->node_count;
    TRY(bind_inner(b, s, from, &inner));
    bool is_scalar = from->text.len == 0;
    draft *join = join_subquery(b, s, is_scalar ? PLAN_JOIN_SCALAR : PLAN_JOIN_MARK, inner, first_node, from->at);
    if (!is_scalar) {
        *out = mark_of(b, join, from);
        return LP_OK;
    }
    uint32_t known = inner->is_open ? inner->known_count : inner->column_count;
    const column_id *source = known ? &inner->column[0].id : NULL;
    *out = expr_column(b, new_answer(b, join, COLUMN_SUBQUERY, from, source), NULL, from->at);
    return LP_OK;
}

/* value op ANY (query), value op ALL (query): a mark, as the query may have many rows. */
const ast *quantified_query(const ast *compare) {
    if (compare->kind != AST_BINARY || compare->arg_count != 2) return NULL;
    const ast *call = compare->arg[1];
    bool is_call = call->kind == AST_CALL && call->form == FORM_FUNCTION && call->arg_count == 1;
    if (!is_call || call->arg[0]->kind != AST_SUBQUERY) return NULL;
    bool is_quantifier = str_eq_nocase(call->text, STR("ANY")) || str_eq_nocase(call->text, STR("SOME")) ||
                         str_eq_nocase(call->text, STR("ALL"));
    return is_quantifier ? call->arg[0] : NULL;
}

lp_status bind_quantified(binder *b, scope *s, expr_place place, const ast *from, const plan_expr **out) {
    const plan_expr *const *value;
    size_t count;
    relation *inner;
    uint32_t first_node = b->node_count;
    TRY(bind_left_values(b, s, place, from->arg[0], &value, &count));
    TRY(bind_inner(b, s, quantified_query(from), &inner));
    draft *join = join_subquery(b, s, PLAN_JOIN_MARK, inner, first_node, from->at);
    const plan_expr **arg = ARENA_ARRAY(b->owner, const plan_expr *, count);
    for (size_t i = 0; i < count; i++) arg[i] = value[i];
    const plan_expr **rest = ARENA_NEW(b->owner, const plan_expr *);
    *rest = expr_new(b, EXPR_OTHER, from, from->at, arg, count);
    join->node.join.rest = rest, join->node.join.rest_count = 1;
    *out = mark_of(b, join, from);
    return LP_OK;
}

/* ---- conjuncts ---- */

/* EXISTS, IN, and their NOT forms at the top of a condition. */
static lp_status bind_semi(binder *b, scope *s, expr_place place, const ast *conjunct, bool *done) {
    const ast *a = ast_without_parens(conjunct);
    bool negated = a->kind == AST_UNARY && a->op == OP_NOT;
    if (negated) a = ast_without_parens(a->arg[0]);
    *done = true;
    if (a->kind == AST_SUBQUERY && str_eq(a->text, STR("EXISTS"))) {
        relation *inner;
        uint32_t first_node = b->node_count;
        TRY(bind_inner(b, s, a, &inner));
        join_subquery(b, s, negated ? PLAN_JOIN_ANTI : PLAN_JOIN_SEMI, inner, first_node, conjunct->at);
        return LP_OK;
    }
    if (a->kind == AST_IN && a->arg_count == 2 && a->arg[1]->kind == AST_SUBQUERY) {
        draft *join;
        bool is_anti = negated != a->negated;
        TRY(join_in(b, s, place, a, is_anti ? PLAN_JOIN_ANTI : PLAN_JOIN_SEMI, &join));
        join->node.join.is_null_aware = is_anti;
        return LP_OK;
    }
    *done = false;
    return LP_OK;
}

typedef struct conjuncts {
    const plan_expr **item;
    uint32_t count, capacity;
} conjuncts;

static lp_status collect(binder *b, scope *s, expr_place place, const ast *condition, conjuncts *out) {
    const ast *a = ast_without_parens(condition);
    if (a->kind == AST_CHAIN && a->op == OP_AND) {
        for (size_t i = 0; i < a->arg_count; i++) TRY(collect(b, s, place, a->arg[i], out));
        return LP_OK;
    }
    bool done = false;
    if (place == PLACE_ROW) TRY(bind_semi(b, s, place, a, &done));
    if (done) return LP_OK;
    const plan_expr *e;
    TRY(bind_expr(b, s, place, a, &e));
    BIND_PUSH(b, out->item, out->count, out->capacity, e);
    return LP_OK;
}

lp_status bind_condition(binder *b, scope *s, expr_place place, const ast *condition, str clause) {
    conjuncts all = {0};
    TRY(collect(b, s, place, condition, &all));
    if (all.count == 0) return LP_OK;
    draft *d = bind_node(b, PLAN_FILTER, condition->at, &s->top, 1);
    d->node.filter.condition = all.item;
    d->node.filter.condition_count = all.count;
    d->node.filter.clause = clause;
    draft_pass(b, d, s->top);
    s->top = d;
    return LP_OK;
}
