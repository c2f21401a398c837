/* parse_pivot.c - PIVOT and UNPIVOT, behind a relation and as DuckDB's statements.
 * Called by: sql/parse_relation.c, sql/parse_query.c, sql/parse_pipe.c.  Must not know: tables, meaning.
 *
 *   pivot   := PIVOT ( items {FOR column IN ( values )} [GROUP BY expressions] ) with DEFAULT ON NULL ( e ) in the
 * brackets unpivot := UNPIVOT [(INCLUDE | EXCLUDE) NULLS] ( value FOR name IN ( columns ) ) values  := items | ANY
 * [ORDER BY sorts] | query statement := PIVOT relation ON keys [USING items] [GROUP BY expressions] | UNPIVOT relation
 * ON items [INTO NAME name VALUE names]
 */
#include "sql/sql_int.h"

bool at_pivot(const parser *p) {
    if (at_keyword(p, 0, KW_PIVOT)) return at_operator(p, 1, OPERATOR_LPAREN);
    if (!at_keyword(p, 0, KW_UNPIVOT)) return false;
    bool nulls = (at_keyword(p, 1, KW_INCLUDE) || at_keyword(p, 1, KW_EXCLUDE)) && at_keyword(p, 2, KW_NULLS);
    return nulls || at_operator(p, 1, OPERATOR_LPAREN);
}

/* ( values ), behind IN */
static lp_status parse_pivot_values(parser *p, sql_pivot_for *on) {
    const token *open = p->next;
    many list = {0};
    on->has_in = true;
    if (!at_operator(p, 0, OPERATOR_LPAREN)) { /* DuckDB: IN enumeration */
        ast *name;
        TRY(parse_primary(p, &name));
        on->enumeration = name;
        return LP_OK;
    }
    p->next++;
    on->is_any = at_keyword(p, 0, KW_ANY) && (at_operator(p, 1, OPERATOR_RPAREN) || at_keyword(p, 1, KW_ORDER));
    if (on->is_any) {
        p->next++;
        TRY(parse_order(p, NULL, "", &on->any_order));
    } else if (starts_query(p, 0)) {
        TRY(parse_query(p, &on->query));
    } else if (!at_operator(p, 0, OPERATOR_RPAREN)) {
        p->in_values = true;
        TRY(parse_items(p, &list));
        p->in_values = false;
    }
    on->value = list.item;
    on->value_count = list.count;
    return expect_close(p, OPERATOR_RPAREN, open);
}

/* column IN ( values ), behind FOR */
static lp_status parse_pivot_for(parser *p, many *list) {
    const token *first = p->next;
    sql_pivot_for on = {0};
    ast **column = ARENA_ARRAY(p->query, ast *, 1);
    TRY(parse_level(p, LEVEL_OTHER, &column[0]));
    on.column = (const ast *const *)column;
    on.column_count = 1;
    TRY(expect_keyword(p, KW_IN));
    TRY(parse_pivot_values(p, &on));
    on.at = span_since(p, first);
    *MANY_ADD(p, list, sql_pivot_for) = on;
    return LP_OK;
}

static lp_status parse_pivot_group(parser *p, sql_pivot *pivot) {
    if (!at_keyword(p, 0, KW_GROUP) || !at_keyword(p, 1, KW_BY)) return LP_OK;
    many list = {0};
    p->next += 2;
    TRY(parse_expressions(p, &list));
    pivot->group = list.item;
    pivot->group_count = list.count;
    return LP_OK;
}

/* DEFAULT ON NULL ( e ) */
static lp_status parse_pivot_default(parser *p, sql_pivot *pivot) {
    if (!at_keyword(p, 0, KW_DEFAULT) || !at_keyword(p, 1, KW_ON) || !at_keyword(p, 2, KW_NULL)) return LP_OK;
    ast *value;
    p->next += 3;
    const token *open = p->next;
    TRY(expect_operator(p, OPERATOR_LPAREN));
    TRY(parse_expression(p, &value));
    pivot->default_value = value;
    return expect_close(p, OPERATOR_RPAREN, open);
}

/* What stands in the brackets of PIVOT. */
static lp_status parse_pivot_inside(parser *p, sql_pivot *pivot) {
    many aggregates = {0}, on = {0};
    do {
        if (at_keyword(p, 0, KW_FOR)) break; /* a comma too much */
        sql_item item;
        TRY(parse_item(p, &item));
        *MANY_ADD(p, &aggregates, sql_item) = item;
    } while (take_operator(p, OPERATOR_COMMA));
    TRY(expect_keyword(p, KW_FOR));
    do {
        TRY(parse_pivot_for(p, &on));
        (void)take_keyword(p, KW_FOR);
    } while (!at_operator(p, 0, OPERATOR_RPAREN) && !at_keyword(p, 0, KW_GROUP) && !at_keyword(p, 0, KW_DEFAULT) &&
             p->next->kind != TOKEN_END);
    pivot->aggregate = aggregates.item;
    pivot->aggregate_count = aggregates.count;
    pivot->on = on.item;
    pivot->on_count = on.count;
    TRY(parse_pivot_default(p, pivot));
    return parse_pivot_group(p, pivot);
}

static lp_status parse_value_columns(parser *p, sql_pivot *pivot) {
    many names = {0};
    if (at_operator(p, 0, OPERATOR_LPAREN)) {
        TRY(parse_names(p, &names));
    } else {
        if (!at_name(p, 0)) return expected(p, "the name of the column of values");
        *MANY_ADD(p, &names, ast_part) = name_part(p, p->next++);
    }
    pivot->value_column = names.item;
    pivot->value_count = names.count;
    return LP_OK;
}

static lp_status parse_unpivot_inside(parser *p, sql_pivot *pivot) {
    many on = {0};
    TRY(parse_value_columns(p, pivot));
    TRY(expect_keyword(p, KW_FOR));
    TRY(parse_pivot_for(p, &on));
    pivot->on = on.item;
    pivot->on_count = on.count;
    return LP_OK;
}

static void take_null_choice(parser *p, sql_pivot *pivot) {
    if (!at_keyword(p, 1, KW_NULLS) || (!at_keyword(p, 0, KW_INCLUDE) && !at_keyword(p, 0, KW_EXCLUDE))) return;
    pivot->nulls = at_keyword(p, 0, KW_INCLUDE) ? STR("INCLUDE NULLS") : STR("EXCLUDE NULLS");
    p->next += 2;
}

lp_status parse_pivot(parser *p, const sql_pivot **out) {
    const token *first = p->next++;
    sql_pivot *pivot = ARENA_NEW(p->query, sql_pivot);
    pivot->is_unpivot = first->word == KW_UNPIVOT;
    pivot->nulls = STR("");
    if (pivot->is_unpivot) take_null_choice(p, pivot);
    const token *open = p->next;
    TRY(expect_operator(p, OPERATOR_LPAREN));
    TRY(pivot->is_unpivot ? parse_unpivot_inside(p, pivot) : parse_pivot_inside(p, pivot));
    TRY(expect_close(p, OPERATOR_RPAREN, open));
    pivot->at = span_since(p, first);
    *out = pivot;
    return LP_OK;
}

/* ---- statements ---- */

/* ON key [IN ( values )] {, ...} */
static lp_status parse_keys(parser *p, sql_pivot *pivot) {
    many on = {0};
    do {
        const token *first = p->next;
        sql_pivot_for key = {0};
        ast **column = ARENA_ARRAY(p->query, ast *, 1);
        TRY(parse_level(p, LEVEL_OTHER, &column[0]));
        key.column = (const ast *const *)column;
        key.column_count = 1;
        if (take_keyword(p, KW_IN)) TRY(parse_pivot_values(p, &key));
        key.at = span_since(p, first);
        *MANY_ADD(p, &on, sql_pivot_for) = key;
    } while (take_operator(p, OPERATOR_COMMA));
    pivot->on = on.item;
    pivot->on_count = on.count;
    return LP_OK;
}

static lp_status parse_pivot_rest(parser *p, sql_pivot *pivot) {
    many aggregates = {0};
    if (take_keyword(p, KW_ON)) TRY(parse_keys(p, pivot));
    if (take_keyword(p, KW_USING)) TRY(parse_items(p, &aggregates));
    pivot->aggregate = aggregates.item;
    pivot->aggregate_count = aggregates.count;
    return parse_pivot_group(p, pivot);
}

/* ON items [INTO NAME name VALUE names] */
static lp_status parse_unpivot_rest(parser *p, sql_pivot *pivot) {
    sql_pivot_for *on = ARENA_NEW(p->query, sql_pivot_for);
    many items = {0};
    const token *first = p->next;
    TRY(expect_keyword(p, KW_ON));
    TRY(parse_items(p, &items));
    on->value = items.item;
    on->value_count = items.count;
    pivot->on = on;
    pivot->on_count = 1;
    if (take_keyword(p, KW_INTO)) {
        ast **name = ARENA_ARRAY(p->query, ast *, 1);
        many values = {0};
        TRY(expect_keyword(p, KW_NAME));
        TRY(parse_primary(p, &name[0]));
        on->column = (const ast *const *)name;
        on->column_count = 1;
        TRY(expect_keyword(p, KW_VALUE));
        do {
            if (!at_name(p, 0)) return expected(p, "the name of the column of values");
            *MANY_ADD(p, &values, ast_part) = name_part(p, p->next++);
        } while (take_operator(p, OPERATOR_COMMA) && !ends_list(p));
        pivot->value_column = values.item;
        pivot->value_count = values.count;
    }
    on->at = span_since(p, first);
    return LP_OK;
}

lp_status parse_pivot_statement(parser *p, sql_query **out) {
    const token *first = p->next++;
    uint32_t outer;
    sql_query *query = ARENA_NEW(p->query, sql_query);
    sql_relation *relation = ARENA_NEW(p->query, sql_relation);
    sql_pivot *pivot = ARENA_NEW(p->query, sql_pivot);
    const sql_relation **operand = ARENA_ARRAY(p->query, const sql_relation *, 1);
    query_enter(p, &outer);
    TRY(parse_relation(p, &operand[0]));
    pivot->is_statement = true;
    pivot->is_unpivot = first->word == KW_UNPIVOT;
    pivot->nulls = STR("");
    if (pivot->is_unpivot) take_null_choice(p, pivot);
    TRY(pivot->is_unpivot ? parse_unpivot_rest(p, pivot) : parse_pivot_rest(p, pivot));
    pivot->at = span_since(p, first);
    relation->kind = SQL_RELATION_PIVOT;
    relation->text = STR("");
    relation->pivot = pivot;
    relation->operand = operand;
    relation->operand_count = 1;
    TRY(query_grow(p, first, &relation->height, &relation->at));
    query->kind = SQL_QUERY_TABLE;
    query->relation = relation;
    *out = query;
    return query_leave(p, first, outer, &query->height, &query->at);
}
