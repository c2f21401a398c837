/* bind_pipe.c - pipe syntax: source |> step |> step.
 * Called by: plan/bind_query.c.  Must not know: how SELECT is written elsewhere.
 *
 * Each step is a small query over the rows of the one before. A relation keeps its name through steps that only filter.
 */
#include "plan/bind_int.h"

typedef struct pipe {
    binder *b;
    scope *outer;
    scope *s;    /* what names mean for the next step */
    relation *r; /* the rows so far; NULL while `s` holds several relations */
} pipe;

static void restart(pipe *p, relation *r) {
    p->s = scope_new(p->b, p->outer, r->top);
    scope_add_relation(p->b, p->s, r);
    p->r = r;
}

/* All columns of the scope as one relation. */
static lp_status gather(pipe *p, relation **out) {
    if (p->r && p->r->top == p->s->top) {
        *out = p->r;
        return LP_OK;
    }
    sql_select everything = {.is_from_first = true}; /* FROM t */
    TRY(bind_list(p->b, p->s, &everything, NULL, out));
    restart(p, *out);
    return LP_OK;
}

static ast *star(pipe *p, span at, const ast_star *with) {
    ast *a = ARENA_NEW(p->b->owner, ast);
    *a = (ast){.kind = AST_OTHER, .form = FORM_STAR, .at = at, .height = 1, .star = with};
    return a;
}

/* SELECT *, items: the star with what is replaced, left out or renamed. */
static lp_status select_with_star(pipe *p, const sql_pipe_step *step, const ast_star *with, const sql_item *more,
                                  size_t count) {
    sql_item *item = ARENA_ARRAY(p->b->owner, sql_item, count + 1);
    item[0] = (sql_item){.value = star(p, step->at, with), .at = step->at};
    for (size_t i = 0; i < count; i++) item[i + 1] = more[i];
    sql_select select = {.has_list = true, .item = item, .item_count = count + 1};
    relation *r;
    TRY(bind_list(p->b, p->s, &select, NULL, &r));
    restart(p, r);
    return LP_OK;
}

static lp_status step_set(pipe *p, const sql_pipe_step *step) {
    ast_star *with = ARENA_NEW(p->b->owner, ast_star);
    *with = (ast_star){.replace = step->item, .replace_count = step->item_count};
    return select_with_star(p, step, with, NULL, 0);
}

static lp_status step_drop(pipe *p, const sql_pipe_step *step) {
    ast_star *with = ARENA_NEW(p->b->owner, ast_star);
    *with = (ast_star){.has_except = true, .except = step->name, .except_count = step->name_count};
    return select_with_star(p, step, with, NULL, 0);
}

static lp_status step_rename(pipe *p, const sql_pipe_step *step) {
    ast_star *with = ARENA_NEW(p->b->owner, ast_star);
    *with = (ast_star){.rename = step->rename, .rename_count = step->rename_count};
    return select_with_star(p, step, with, NULL, 0);
}

static lp_status step_select(pipe *p, const sql_select *select) {
    relation *r;
    TRY(bind_list(p->b, p->s, select, NULL, &r));
    restart(p, r);
    return LP_OK;
}

/* AGGREGATE sum(a) AS b GROUP BY c: the groups come first in the result. */
static lp_status step_aggregate(pipe *p, const sql_pipe_step *step) {
    size_t count = step->group_count + step->item_count;
    sql_item *item = ARENA_ARRAY(p->b->owner, sql_item, count);
    const ast **key = ARENA_ARRAY(p->b->owner, const ast *, step->group_count);
    sql_group_item *group_item = ARENA_ARRAY(p->b->owner, sql_group_item, step->group_count);
    for (size_t i = 0; i < step->group_count; i++) {
        item[i] = step->group_item[i];
        key[i] = step->group_item[i].value;
        group_item[i] = (sql_group_item){.kind = SQL_GROUP_EXPRESSION, .item = &key[i], .count = 1, .at = item[i].at};
    }
    for (size_t i = 0; i < step->item_count; i++) item[step->group_count + i] = step->item[i];
    sql_group group = {.item = group_item, .count = step->group_count, .at = step->at};
    sql_select select = {
        .has_list = true, .item = item, .item_count = count, .group = step->group_count ? &group : NULL};
    return step_select(p, &select);
}

static lp_status step_set_operation(pipe *p, const sql_pipe_step *step) {
    relation **branch = ARENA_ARRAY(p->b->owner, relation *, step->query_count + 1), *r;
    TRY(gather(p, &branch[0]));
    for (size_t i = 0; i < step->query_count; i++) TRY(bind_query(p->b, step->query[i], p->outer, &branch[i + 1]));
    TRY(bind_set(p->b, branch, step->query_count + 1, step->set, step->at, &r));
    restart(p, r);
    return LP_OK;
}

static lp_status step_alias(pipe *p, const sql_pipe_step *step) {
    relation *r;
    TRY(gather(p, &r));
    r->has_name = step->has_alias && step->alias.has_name;
    if (r->has_name) r->name = name_of_part(&step->alias.name);
    scope_forget_names(p->b, p->s);
    return LP_OK;
}

static lp_status step_unknown(pipe *p, const sql_pipe_step *step, str what) {
    bind_unknown(p->b, p->s, what, step->at);
    p->r = p->s->relation[0];
    return LP_OK;
}

static lp_status step_over_rows(pipe *p, const sql_pipe_step *step) {
    relation *r;
    TRY(gather(p, &r));
    if (step->kind == SQL_PIPE_DISTINCT) bind_distinct(p->b, r, step->at);
    if (step->kind == SQL_PIPE_ORDER) TRY(bind_order(p->b, p->s, r, step->order));
    if (step->kind == SQL_PIPE_LIMIT) TRY(bind_limit(p->b, r, step->limit));
    p->s->top = r->top;
    return LP_OK;
}

/* A condition over window results is bound with the windows in it, so it is a SELECT * with QUALIFY. */
static lp_status step_where(pipe *p, const sql_pipe_step *step) {
    TRY(bind_condition(p->b, p->s, PLACE_ROW, step->where, STR("WHERE")));
    if (p->r) p->r->top = p->s->top;
    return LP_OK;
}

static lp_status step_pivot(pipe *p, const sql_pipe_step *step) {
    TRY(bind_pivot(p->b, p->s, step->pivot, step->at));
    p->r = p->s->relation[0];
    return step->has_alias ? step_alias(p, step) : LP_OK;
}

static lp_status bind_step(pipe *p, const sql_pipe_step *step) {
    switch (step->kind) {
    case SQL_PIPE_SELECT: return step_select(p, step->select);
    case SQL_PIPE_EXTEND:
    case SQL_PIPE_WINDOW: return select_with_star(p, step, NULL, step->item, step->item_count);
    case SQL_PIPE_SET: return step_set(p, step);
    case SQL_PIPE_DROP: return step_drop(p, step);
    case SQL_PIPE_RENAME: return step_rename(p, step);
    case SQL_PIPE_AS: return step_alias(p, step);
    case SQL_PIPE_WHERE: return step_where(p, step);
    case SQL_PIPE_AGGREGATE: return step_aggregate(p, step);
    case SQL_PIPE_JOIN: p->r = NULL; return bind_joined(p->b, p->s, step->join, step->relation);
    case SQL_PIPE_DISTINCT:
    case SQL_PIPE_ORDER:
    case SQL_PIPE_LIMIT: return step_over_rows(p, step);
    case SQL_PIPE_SETOP: return step_set_operation(p, step);
    case SQL_PIPE_PIVOT: return step_pivot(p, step);
    case SQL_PIPE_CALL: return step_unknown(p, step, STR("a table function over rows"));
    case SQL_PIPE_SAMPLE: return step_unknown(p, step, STR("a sample"));
    case SQL_PIPE_UNKNOWN: return step_unknown(p, step, step->word);
    }
    UNREACHABLE();
}

lp_status bind_pipe(binder *b, const sql_query *query, scope *outer, relation **out) {
    pipe p = {.b = b, .outer = outer};
    relation *source;
    TRY(bind_query(b, query->operand[0], outer, &source));
    restart(&p, source);
    for (size_t i = 0; i < query->step_count; i++) TRY(bind_step(&p, &query->step[i]));
    return gather(&p, out);
}
