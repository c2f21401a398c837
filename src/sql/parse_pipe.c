/* parse_pipe.c - pipe syntax: source |> step |> step.
 * Called by: sql/parse_query.c.  Must not know: tables, meaning.
 *
 * BigQuery, Pipe query syntax; Spark, SQL Pipe Syntax. A step that is not known is kept as text.
 */
#include "sql/sql_int.h"

static lp_status add_items(parser *p, sql_pipe_step *step) {
    many list = {0};
    TRY(parse_items(p, &list));
    step->item = list.item;
    step->item_count = list.count;
    return LP_OK;
}

/* name = value {, ...}: an item whose alias is the column. */
static lp_status parse_set(parser *p, sql_pipe_step *step) {
    many list = {0};
    do {
        const token *first = p->next;
        sql_item item = {.has_alias = true};
        ast *value;
        if (!at_name(p, 0)) return expected(p, "the name of a column");
        item.alias = name_part(p, p->next++);
        TRY(expect_operator(p, OPERATOR_EQ));
        TRY(parse_expression(p, &value));
        item.value = value;
        item.at = span_since(p, first);
        *MANY_ADD(p, &list, sql_item) = item;
    } while (take_operator(p, OPERATOR_COMMA) && !ends_list(p));
    step->item = list.item;
    step->item_count = list.count;
    return LP_OK;
}

static lp_status parse_drop(parser *p, sql_pipe_step *step) {
    many list = {0};
    do TRY(parse_path(p, MANY_ADD(p, &list, sql_name)));
    while (take_operator(p, OPERATOR_COMMA) && !ends_list(p));
    step->name = list.item;
    step->name_count = list.count;
    return LP_OK;
}

/* item [ASC | DESC] [NULLS ...] of AGGREGATE and its GROUP BY */
static lp_status parse_group_key(parser *p, many *items, many *sorts, bool *sorted) {
    sql_item item;
    sql_sort sort = {.using_operator = STR("")};
    TRY(parse_item(p, &item));
    sort.key = item.value;
    sort.at = item.at;
    if (take_keyword(p, KW_ASC))
        sort.direction = SQL_DIRECTION_ASC;
    else if (take_keyword(p, KW_DESC))
        sort.direction = SQL_DIRECTION_DESC;
    if (at_keyword(p, 0, KW_NULLS) && (at_keyword(p, 1, KW_FIRST) || at_keyword(p, 1, KW_LAST))) {
        sort.nulls = at_keyword(p, 1, KW_FIRST) ? SQL_NULLS_FIRST : SQL_NULLS_LAST;
        p->next += 2;
    }
    *sorted = *sorted || sort.direction || sort.nulls;
    *MANY_ADD(p, items, sql_item) = item;
    *MANY_ADD(p, sorts, sql_sort) = sort;
    return LP_OK;
}

static lp_status parse_keys(parser *p, many *items, const sql_sort **out) {
    many sorts = {0};
    bool sorted = false;
    do TRY(parse_group_key(p, items, &sorts, &sorted));
    while (take_operator(p, OPERATOR_COMMA) && !ends_list(p));
    *out = sorted ? sorts.item : NULL;
    return LP_OK;
}

/* [items] [GROUP [AND ORDER] BY keys] */
static lp_status parse_aggregate(parser *p, sql_pipe_step *step) {
    many items = {0}, groups = {0};
    if (!at_keyword(p, 0, KW_GROUP)) TRY(parse_keys(p, &items, &step->item_sort));
    step->item = items.item;
    step->item_count = items.count;
    if (!take_keyword(p, KW_GROUP)) return LP_OK;
    step->is_ordered_group = at_keyword(p, 0, KW_AND) && at_keyword(p, 1, KW_ORDER);
    if (step->is_ordered_group) p->next += 2;
    TRY(expect_keyword(p, KW_BY));
    TRY(parse_keys(p, &groups, &step->group_sort));
    step->group_item = groups.item;
    step->group_count = groups.count;
    return LP_OK;
}

static lp_status parse_join_step(parser *p, sql_pipe_step *step) {
    sql_join *join = ARENA_NEW(p->query, sql_join);
    if (!take_join_words(p, join)) return expected(p, "a join");
    TRY(parse_relation_operand(p, &step->relation));
    TRY(parse_join_condition(p, join));
    step->join = join;
    return LP_OK;
}

/* UNION ALL (query), (query) */
static lp_status parse_setop_step(parser *p, sql_pipe_step *step) {
    sql_set_link *link = ARENA_NEW(p->query, sql_set_link);
    many queries = {0};
    TRY(parse_set_link(p, link));
    step->set = link;
    do {
        const token *open = p->next;
        TRY(expect_operator(p, OPERATOR_LPAREN));
        TRY(parse_query(p, MANY_ADD(p, &queries, const sql_query *)));
        TRY(expect_close(p, OPERATOR_RPAREN, open));
    } while (take_operator(p, OPERATOR_COMMA));
    step->query = queries.item;
    step->query_count = queries.count;
    return LP_OK;
}

static lp_status parse_select_step(parser *p, sql_pipe_step *step) {
    sql_query *query;
    TRY(parse_select(p, &query));
    step->select = query->select;
    return LP_OK;
}

/* Text up to the next step of this level, or what ends the query. */
static lp_status parse_kept_step(parser *p, const token *first, sql_pipe_step *step) {
    while (p->next->kind != TOKEN_END && p->next->kind != TOKEN_BAD && !at_operator(p, 0, OPERATOR_PIPE) &&
           !at_operator(p, 0, OPERATOR_RPAREN) && !at_operator(p, 0, OPERATOR_SEMICOLON)) {
        if (at_operator(p, 0, OPERATOR_LPAREN))
            TRY(skip_bracketed(p));
        else
            p->next++;
    }
    if (p->next == first) return expected(p, "a step behind |>");
    ast *clause;
    TRY(clause_of_text(p, step->word, first, &clause));
    step->clause = clause;
    return LP_OK;
}

static lp_status parse_order_step(parser *p, sql_pipe_step *step) {
    TRY(parse_order(p, NULL, "", &step->order));
    return step->order ? LP_OK : expected(p, "ORDER BY");
}

static lp_status parse_call_step(parser *p, sql_pipe_step *step) {
    ast *call;
    p->next++;
    TRY(parse_primary(p, &call));
    step->function = call;
    return parse_alias(p, &step->has_alias, &step->alias);
}

static lp_status parse_pivot_step(parser *p, sql_pipe_step *step) {
    TRY(parse_pivot(p, &step->pivot));
    return parse_alias(p, &step->has_alias, &step->alias);
}

static lp_status parse_where_step(parser *p, sql_pipe_step *step) {
    ast *condition;
    p->next++;
    TRY(parse_expression(p, &condition));
    step->where = condition;
    return LP_OK;
}

static lp_status parse_as_step(parser *p, sql_pipe_step *step) {
    TRY(parse_alias(p, &step->has_alias, &step->alias));
    return LP_OK;
}

static lp_status parse_rename_step(parser *p, sql_pipe_step *step) {
    many list = {0};
    p->next++;
    TRY(parse_renames(p, &list));
    step->rename = list.item;
    step->rename_count = list.count;
    return LP_OK;
}

static sql_pipe_kind step_kind(const parser *p) {
    if (at_set_operation(p)) return SQL_PIPE_SETOP;
    switch ((int)(p->next->kind == TOKEN_NAME ? p->next->word : KW_NONE)) {
    case KW_SELECT: return SQL_PIPE_SELECT;
    case KW_EXTEND: return SQL_PIPE_EXTEND;
    case KW_SET: return SQL_PIPE_SET;
    case KW_DROP: return SQL_PIPE_DROP;
    case KW_RENAME: return SQL_PIPE_RENAME;
    case KW_AS: return SQL_PIPE_AS;
    case KW_WHERE: return SQL_PIPE_WHERE;
    case KW_AGGREGATE: return SQL_PIPE_AGGREGATE;
    case KW_DISTINCT: return SQL_PIPE_DISTINCT;
    case KW_ORDER: return SQL_PIPE_ORDER;
    case KW_LIMIT:
    case KW_OFFSET: return SQL_PIPE_LIMIT;
    case KW_CALL: return SQL_PIPE_CALL;
    case KW_PIVOT:
    case KW_UNPIVOT: return at_pivot(p) ? SQL_PIPE_PIVOT : SQL_PIPE_UNKNOWN;
    case KW_TABLESAMPLE: return SQL_PIPE_SAMPLE;
    case KW_WINDOW: return SQL_PIPE_WINDOW;
    default: break;
    }
    parser ahead = *p;
    sql_join join;
    return take_join_words(&ahead, &join) && join.kind < SQL_JOIN_LATERAL_VIEW ? SQL_PIPE_JOIN : SQL_PIPE_UNKNOWN;
}

static lp_status parse_words_and_items(parser *p, sql_pipe_step *step) {
    p->next++;
    return add_items(p, step);
}

static lp_status parse_step_of(parser *p, const token *first, sql_pipe_step *step) {
    switch (step->kind) {
    case SQL_PIPE_SELECT: return parse_select_step(p, step);
    case SQL_PIPE_EXTEND:
    case SQL_PIPE_WINDOW: return parse_words_and_items(p, step);
    case SQL_PIPE_SET: p->next++; return parse_set(p, step);
    case SQL_PIPE_DROP: p->next++; return parse_drop(p, step);
    case SQL_PIPE_RENAME: return parse_rename_step(p, step);
    case SQL_PIPE_AS: return parse_as_step(p, step);
    case SQL_PIPE_WHERE: return parse_where_step(p, step);
    case SQL_PIPE_AGGREGATE: p->next++; return parse_aggregate(p, step);
    case SQL_PIPE_DISTINCT: p->next++; return LP_OK;
    case SQL_PIPE_JOIN: return parse_join_step(p, step);
    case SQL_PIPE_ORDER: return parse_order_step(p, step);
    case SQL_PIPE_LIMIT: return parse_limit(p, &step->limit);
    case SQL_PIPE_SETOP: return parse_setop_step(p, step);
    case SQL_PIPE_CALL: return parse_call_step(p, step);
    case SQL_PIPE_PIVOT: return parse_pivot_step(p, step);
    case SQL_PIPE_SAMPLE:
    case SQL_PIPE_UNKNOWN: return parse_kept_step(p, first, step);
    }
    UNREACHABLE();
}

static lp_status parse_step(parser *p, sql_pipe_step *step) {
    const token *first = p->next;
    *step = (sql_pipe_step){.kind = step_kind(p)};
    step->word = first->kind == TOKEN_NAME ? upper_copy(p, token_text(p, first)) : STR("");
    TRY(parse_step_of(p, first, step));
    step->at = span_since(p, first);
    return LP_OK;
}

lp_status parse_pipes(parser *p, const sql_query *left, const token *first, sql_query **out) {
    sql_query *query = ARENA_NEW(p->query, sql_query);
    const sql_query **operand = ARENA_ARRAY(p->query, const sql_query *, 1);
    many steps = {0};
    operand[0] = left;
    p->seen_height = left->height;
    while (take_operator(p, OPERATOR_PIPE)) {
        sql_pipe_step step;
        TRY(parse_step(p, &step));
        *MANY_ADD(p, &steps, sql_pipe_step) = step;
    }
    query->kind = SQL_QUERY_PIPE;
    query->operand = operand;
    query->operand_count = 1;
    query->step = steps.item;
    query->step_count = steps.count;
    *out = query;
    return query_grow(p, first, &query->height, &query->at);
}
