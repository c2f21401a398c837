/* bind_pivot.c - PIVOT and UNPIVOT over all that a scope has.
 * Called by: plan/bind_from.c, bind_pipe.c.  Must not know: select lists.
 *
 * PIVOT groups by every column that it does not name, so it needs to know all columns. UNPIVOT puts each row beside a
 * short list of names and values.
 */
#include "plan/bind_int.h"

static bool is_closed(const scope *s) {
    for (uint32_t i = 0; i < s->visible_count; i++)
        if (s->visible[i].is_rest) return false;
    return true;
}

static bool depends_on_data(const sql_pivot_for *on) {
    return on->is_any || !on->has_in || on->query || on->enumeration;
}

/* ---- PIVOT ---- */

typedef struct pivoting {
    binder *b;
    scope *s;
    const sql_pivot *pivot;
    colset used; /* columns in the aggregates and FOR */
    const plan_expr *const **of; /* per FOR: its columns */
    const plan_expr **aggregate;
    column_id *made;
    plain_name *name;
    size_t made_count;
} pivoting;

static lp_status bind_aggregates(pivoting *p) {
    p->aggregate = ARENA_ARRAY(p->b->owner, const plan_expr *, p->pivot->aggregate_count);
    for (size_t i = 0; i < p->pivot->aggregate_count; i++) {
        const ast *call = p->pivot->aggregate[i].value;
        const plan_expr **arg = ARENA_ARRAY(p->b->owner, const plan_expr *, call->arg_count);
        size_t count = 0;
        for (size_t k = 0; k < call->arg_count; k++) {
            if (call->arg[k]->kind == AST_OTHER && call->arg[k]->form == FORM_STAR) continue;
            TRY(bind_expr(p->b, p->s, PLACE_ROW, call->arg[k], &arg[count]));
            count++;
        }
        plan_expr *e = expr_new(p->b, EXPR_AGGREGATE, call, call->at, arg, count);
        e->name = call->text;
        colset_add_all(&p->used, e->columns, p->b->owner);
        p->aggregate[i] = e;
    }
    return LP_OK;
}

static lp_status use_columns(pivoting *p) {
    p->of = ARENA_ARRAY(p->b->owner, const plan_expr *const *, p->pivot->on_count);
    for (size_t i = 0; i < p->pivot->on_count; i++) {
        const sql_pivot_for *on = &p->pivot->on[i];
        const plan_expr **list = ARENA_ARRAY(p->b->owner, const plan_expr *, on->column_count);
        for (size_t k = 0; k < on->column_count; k++) {
            TRY(bind_expr(p->b, p->s, PLACE_ROW, on->column[k], &list[k]));
            colset_add_all(&p->used, list[k]->columns, p->b->owner);
        }
        p->of[i] = list;
    }
    return LP_OK;
}

/* FOR c IN (1, ...): the rows that a made column is about have c = 1. */
static lp_status bind_value(pivoting *p, size_t at, const sql_item *value, const plan_expr **out) {
    size_t count = p->pivot->on[at].column_count;
    const plan_expr **arg = ARENA_ARRAY(p->b->owner, const plan_expr *, count + 1);
    for (size_t i = 0; i < count; i++) arg[i] = p->of[at][i];
    if (ast_without_parens(value->value)->kind == AST_NAME) /* a word instead of a text */
        arg[count] = expr_new(p->b, EXPR_CONSTANT, value->value, value->value->at, NULL, 0);
    else
        TRY(bind_expr(p->b, p->s, PLACE_ROW, value->value, &arg[count]));
    plan_expr *e =
        expr_new(p->b, count == 1 ? EXPR_COMPARE : EXPR_OTHER, NULL, value->value->at, arg, count + 1);
    e->op = OP_EQ;
    *out = e;
    return LP_OK;
}

/* An aggregate over these rows: the conditions stand behind its arguments, as FILTER does. */
static const plan_expr *filtered(pivoting *p, const plan_expr *aggregate, const plan_expr *const *condition) {
    size_t own = aggregate->arg_count, count = own + p->pivot->on_count;
    const plan_expr **arg = ARENA_ARRAY(p->b->owner, const plan_expr *, count);
    for (size_t i = 0; i < count; i++) arg[i] = i < own ? aggregate->arg[i] : condition[i - own];
    plan_expr *e = expr_new(p->b, EXPR_AGGREGATE, aggregate->from, aggregate->at, arg, count);
    e->name = aggregate->name;
    e->is_filtered = true;
    return e;
}

static str value_name(binder *b, const sql_item *value) {
    if (value->has_alias) return value->alias.text;
    const ast *a = ast_without_parens(value->value);
    str written = span_text(b->text, a->at);
    if (a->kind == AST_NUMBER && b->dialect == DIALECT_bigquery) return str_format(b->owner, "_" STR_FMT, STR_ARG(written));
    if (a->kind != AST_STRING) return written;
    return b->dialect == DIALECT_snowflake ? span_text(b->text, a->at) : a->text; /* Snowflake keeps the quotes */
}

static str made_name(pivoting *p, str value, const sql_item *aggregate) {
    bool alone = p->pivot->aggregate_count == 1;
    bool is_spark = p->b->dialect == DIALECT_spark || p->b->dialect == DIALECT_databricks;
    if (alone && (is_spark || !aggregate->has_alias)) return value;
    str of = aggregate->has_alias ? aggregate->alias.text : aggregate->value->text;
    bool aggregate_first = p->b->dialect == DIALECT_bigquery;
    return str_format(p->b->owner, STR_FMT "_" STR_FMT, STR_ARG(aggregate_first ? of : value),
                      STR_ARG(aggregate_first ? value : of));
}

/* One column for each combination of values of the FOR parts, and each aggregate. */
static lp_status make_columns(pivoting *p, draft *d) {
    size_t combinations = 1;
    for (size_t i = 0; i < p->pivot->on_count; i++) {
        combinations *= p->pivot->on[i].value_count;
        if (combinations * p->pivot->aggregate_count > 100000)
            return bind_refuse(p->b, p->pivot->at, "PIVOT makes more than 100000 columns");
    }
    p->made = ARENA_ARRAY(p->b->owner, column_id, combinations * p->pivot->aggregate_count);
    p->name = ARENA_ARRAY(p->b->owner, plain_name, combinations * p->pivot->aggregate_count);
    for (size_t c = 0; c < combinations; c++) {
        str name = STR("");
        const plan_expr **condition = ARENA_ARRAY(p->b->owner, const plan_expr *, p->pivot->on_count);
        size_t rest = c;
        bool is_folded = false; /* the name is an alias without quotes */
        for (size_t i = p->pivot->on_count; i > 0; i--) {
            const sql_pivot_for *on = &p->pivot->on[i - 1];
            str part = value_name(p->b, &on->value[rest % on->value_count]);
            is_folded = p->pivot->on_count == 1 && on->value[c].has_alias && !on->value[c].alias.quote;
            TRY(bind_value(p, i - 1, &on->value[rest % on->value_count], &condition[i - 1]));
            rest /= on->value_count;
            name = name.len ? str_format(p->b->owner, STR_FMT "_" STR_FMT, STR_ARG(part), STR_ARG(name)) : part;
        }
        for (size_t k = 0; k < p->pivot->aggregate_count; k++) {
            str full = made_name(p, name, &p->pivot->aggregate[k]);
            bool is_alias = is_folded && full.ptr == name.ptr;
            p->name[p->made_count] = (plain_name){full, !is_alias};
            p->made[p->made_count++] = bind_column(p->b, (plan_column){.name = full,
                                                                       .at = p->pivot->aggregate[k].at,
                                                                       .origin = COLUMN_AGGREGATE,
                                                                       .made_by = &d->node,
                                                                       .definition =
                                                                           filtered(p, p->aggregate[k], condition)});
        }
    }
    return LP_OK;
}

static void add_group(pivoting *p, draft *d, relation *r, plain_name name, column_id id) {
    draft_add(p->b, d, id);
    relation_add(p->b, r, name, id);
}

/* GROUP BY n, k: these, in that order, also where an aggregate reads them. */
static lp_status add_named_groups(pivoting *p, draft *d, relation *r) {
    for (size_t i = 0; i < p->pivot->group_count; i++) {
        const ast *key = ast_without_parens(p->pivot->group[i]);
        const plan_expr *e;
        TRY(bind_expr(p->b, p->s, PLACE_ROW, key, &e));
        if (e->kind != EXPR_COLUMN || key->kind != AST_NAME)
            return bind_refuse(p->b, key->at, "PIVOT is grouped by columns only");
        add_group(p, d, r, name_of_part(&key->part[key->part_count - 1]), e->column);
    }
    return LP_OK;
}

static lp_status add_groups(pivoting *p, draft *d, relation *r) {
    if (p->pivot->group_count) return add_named_groups(p, d, r);
    for (uint32_t i = 0; i < p->s->visible_count; i++) {
        const visible *v = &p->s->visible[i];
        if (!v->by_name_only && !colset_has(p->used, v->id)) add_group(p, d, r, v->name, v->id);
    }
    return LP_OK;
}

static lp_status pivot_rows(binder *b, scope *s, const sql_pivot *pivot, span at) {
    pivoting p = {.b = b, .s = s, .pivot = pivot};
    TRY(bind_aggregates(&p));
    TRY(use_columns(&p));
    draft *d = bind_node(b, PLAN_AGGREGATE, at, &s->top, 1);
    TRY(make_columns(&p, d));
    relation *r = relation_new(b, d);
    TRY(add_groups(&p, d, r));
    size_t group_count = r->column_count;
    column_id *group = ARENA_ARRAY(b->owner, column_id, group_count);
    for (size_t i = 0; i < group_count; i++) group[i] = r->column[i].id;
    for (size_t i = 0; i < p.made_count; i++) {
        draft_add(b, d, p.made[i]);
        relation_add(b, r, p.name[i], p.made[i]);
    }
    /* Without a column to group by there is one row, or none over no rows, as the engine has it. */
    d->node.aggregate = (plan_aggregate){
        .group = group, .group_count = group_count, .is_global = false, .made = p.made, .made_count = p.made_count};
    scope_become(b, s, r);
    return LP_OK;
}

/* ---- UNPIVOT ---- */

static lp_status take_values(binder *b, scope *s, const sql_pivot *pivot, colset *gone) {
    for (size_t i = 0; i < pivot->on_count; i++)
        for (size_t k = 0; k < pivot->on[i].value_count; k++) {
            const ast *value = pivot->on[i].value[k].value;
            if (value->kind == AST_OTHER && value->form == FORM_STAR) continue;
            const plan_expr *e;
            TRY(bind_expr(b, s, PLACE_ROW, value, &e));
            colset_add_all(gone, e->columns, b->owner);
        }
    return LP_OK;
}

static void add_made(binder *b, draft *list, draft *join, relation *r, plain_name name, span at) {
    column_id id =
        bind_column(b, (plan_column){.name = name.text, .at = at, .origin = COLUMN_FUNCTION, .made_by = &list->node});
    draft_add(b, list, id);
    draft_add(b, join, id);
    relation_add(b, r, name, id);
}

static lp_status unpivot_rows(binder *b, scope *s, const sql_pivot *pivot, span at) {
    colset gone = COLSET_EMPTY;
    TRY(take_values(b, s, pivot, &gone));
    draft *list = bind_node(b, PLAN_FUNCTION, pivot->at, NULL, 0), *input[2] = {s->top, list};
    list->node.function.name = STR("unpivot");
    draft *join = bind_node(b, PLAN_JOIN, at, input, 2);
    join->node.join = (plan_join){.kind = PLAN_JOIN_INNER, .is_lateral = true, .on = pivot->at};
    if (!str_eq(pivot->nulls, STR("INCLUDE NULLS"))) { /* rows whose value is NULL are dropped */
        plan_expr *e = expr_new(b, EXPR_OTHER, NULL, pivot->at, NULL, 0);
        e->is_volatile = true;
        const plan_expr **rest = ARENA_NEW(b->owner, const plan_expr *);
        *rest = e;
        join->node.join.rest = rest;
        join->node.join.rest_count = 1;
    }
    draft_pass(b, join, s->top);
    relation *r = relation_new(b, join);
    uint32_t rests = 0;
    for (uint32_t i = 0; i < s->visible_count; i++) {
        const visible *v = &s->visible[i];
        rests += v->is_rest;
        if (v->is_rest) r->source = (relation *)v->of;
        if (!v->is_rest && !v->by_name_only && !colset_has(gone, v->id)) relation_add(b, r, v->name, v->id);
    }
    r->is_open = rests > 0;
    r->is_stray = rests > 1;
    if (r->is_stray) r->source = NULL;
    for (size_t i = 0; i < pivot->on_count; i++)
        for (size_t k = 0; k < pivot->on[i].column_count; k++) {
            const ast *column = pivot->on[i].column[k];
            if (column->kind == AST_NAME)
                add_made(b, list, join, r, name_of_part(&column->part[column->part_count - 1]), column->at);
        }
    for (size_t i = 0; i < pivot->value_count; i++)
        add_made(b, list, join, r, name_of_part(&pivot->value_column[i]), pivot->value_column[i].at);
    r->known_count = r->is_open ? 0 : r->column_count;
    scope_become(b, s, r);
    return LP_OK;
}

lp_status bind_pivot(binder *b, scope *s, const sql_pivot *pivot, span at) {
    if (pivot->is_unpivot) return unpivot_rows(b, s, pivot, at);
    bool data = !is_closed(s);
    for (size_t i = 0; i < pivot->on_count; i++) data |= depends_on_data(&pivot->on[i]);
    if (!data) return pivot_rows(b, s, pivot, at);
    bind_unknown(b, s,
                 is_closed(s) ? STR("PIVOT whose columns depend on data") : STR("PIVOT of columns that are not known"),
                 at);
    return LP_OK;
}
