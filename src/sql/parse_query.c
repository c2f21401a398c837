/* parse_query.c - queries: WITH, set operations, VALUES, and what stands at the end.
 * Called by: sql/parse_statement.c, sql/parse_subquery.c, sql/parse_relation.c.  Must not know: tables, meaning.
 *
 *   query   := [WITH [RECURSIVE] cte {, cte} [,]] set {end} {|> step}
 *   cte     := name [( names )] [USING KEY ( ... )] AS [[NOT] MATERIALIZED] ( query | statement ) {SEARCH ... | CYCLE
 * ...} set     := term {(UNION | EXCEPT | MINUS) [ALL | DISTINCT] [BY NAME | CORRESPONDING ...] term} term    :=
 * operand {INTERSECT [ALL | DISTINCT] operand} operand := select | VALUES rows | TABLE path | ( query ) | pivot
 * statement end     := ORDER BY sorts | SORT BY sorts | CLUSTER BY sorts | DISTRIBUTE BY sorts | limit | FOR ...
 * (locks)
 *
 * A run of set operations of one level becomes one flat node.
 */
#include "sql/sql_int.h"

/* ---- set operations ---- */

static bool at_union_mode(const parser *p) {
    size_t words = at_keyword(p, 1, KW_OUTER) ? 2 : 1;
    bool mode = at_keyword(p, 0, KW_LEFT) || at_keyword(p, 0, KW_FULL) || at_keyword(p, 0, KW_INNER);
    return mode &&
           (at_keyword(p, words, KW_UNION) || at_keyword(p, words, KW_INTERSECT) || at_keyword(p, words, KW_EXCEPT));
}

static bool at_minus(const parser *p) {
    return p->traits->minus_is_except && at_keyword(p, 0, KW_MINUS) &&
           (starts_query_in_brackets(p, 1) || at_keyword(p, 1, KW_ALL) || at_keyword(p, 1, KW_DISTINCT));
}

static bool at_union(const parser *p) {
    return at_keyword(p, 0, KW_UNION) || at_keyword(p, 0, KW_EXCEPT) || at_minus(p) ||
           (at_union_mode(p) && !at_keyword(p, at_keyword(p, 1, KW_OUTER) ? 2 : 1, KW_INTERSECT));
}

static bool at_intersect(const parser *p) {
    return at_keyword(p, 0, KW_INTERSECT) || (at_union_mode(p) && !at_union(p));
}

bool at_set_operation(const parser *p) {
    return p->next->kind == TOKEN_NAME && p->next->word != KW_NONE && (at_union(p) || at_intersect(p));
}

static lp_status parse_by_list(parser *p, sql_set_link *link) {
    many names = {0};
    link->by_is_on = at_keyword(p, 0, KW_ON);
    p->next++;
    link->has_by = true;
    TRY(parse_names(p, &names));
    link->by = names.item;
    link->by_count = names.count;
    return LP_OK;
}

lp_status parse_set_link(parser *p, sql_set_link *out) {
    const token *first = p->next;
    *out = (sql_set_link){0};
    while (at_keyword(p, 0, KW_LEFT) || at_keyword(p, 0, KW_FULL) || at_keyword(p, 0, KW_INNER) ||
           at_keyword(p, 0, KW_OUTER))
        p->next++;
    out->kind = at_keyword(p, 0, KW_UNION)       ? SQL_SET_UNION
                : at_keyword(p, 0, KW_INTERSECT) ? SQL_SET_INTERSECT
                                                 : SQL_SET_EXCEPT;
    p->next++;
    if (take_keyword(p, KW_ALL))
        out->quantity = SQL_QUANTITY_ALL;
    else if (take_keyword(p, KW_DISTINCT))
        out->quantity = SQL_QUANTITY_DISTINCT;
    if (at_word(p, 0, "STRICT") && at_keyword(p, 1, KW_CORRESPONDING)) p->next++;
    out->by_name = at_keyword(p, 0, KW_CORRESPONDING) || (at_keyword(p, 0, KW_BY) && at_keyword(p, 1, KW_NAME));
    if (out->by_name) p->next += at_keyword(p, 0, KW_BY) ? 2 : 1;
    out->written = kept_text(p, first, p->next);
    out->at = span_since(p, first);
    bool list =
        out->by_name && (at_keyword(p, 0, KW_BY) || at_keyword(p, 0, KW_ON)) && at_operator(p, 1, OPERATOR_LPAREN);
    return list ? parse_by_list(p, out) : LP_OK;
}

/* ---- operands ---- */

/* VALUES row {, row} */
lp_status parse_values(parser *p, sql_query **out) {
    const token *first = p->next;
    uint32_t outer;
    sql_query *query = ARENA_NEW(p->query, sql_query);
    many rows = {0};
    query_enter(p, &outer);
    p->next++;
    do {
        ast *row;
        TRY(parse_expression(p, &row));
        *MANY_ADD(p, &rows, ast *) = row;
        if (at_operator(p, 0, OPERATOR_COMMA) && at_keyword(p, 1, KW_VALUES)) break; /* FROM VALUES 1, VALUES 2 */
    } while (take_operator(p, OPERATOR_COMMA) && !ends_list(p));
    query->kind = SQL_QUERY_VALUES;
    query->row = rows.item;
    query->row_count = rows.count;
    *out = query;
    return query_leave(p, first, outer, &query->height, &query->at);
}

/* TABLE path */
static lp_status parse_table(parser *p, sql_query **out) {
    const token *first = p->next++;
    uint32_t outer;
    sql_query *query = ARENA_NEW(p->query, sql_query);
    query_enter(p, &outer);
    query->kind = SQL_QUERY_TABLE;
    TRY(parse_relation_operand(p, &query->relation));
    *out = query;
    return query_leave(p, first, outer, &query->height, &query->at);
}

/* ( query ) */
static lp_status parse_query_in_brackets(parser *p, sql_query **out) {
    const token *open = p->next++;
    uint32_t outer;
    sql_query *query = ARENA_NEW(p->query, sql_query);
    const sql_query **operand = ARENA_ARRAY(p->query, const sql_query *, 1);
    query_enter(p, &outer);
    TRY(parse_query(p, &operand[0]));
    TRY(expect_close(p, OPERATOR_RPAREN, open));
    query->kind = SQL_QUERY_PAREN;
    query->operand = operand;
    query->operand_count = 1;
    *out = query;
    return query_leave(p, open, outer, &query->height, &query->at);
}

static lp_status parse_operand(parser *p, sql_query **out) {
    if (at_operator(p, 0, OPERATOR_LPAREN)) return parse_query_in_brackets(p, out);
    switch ((int)(p->next->kind == TOKEN_NAME ? p->next->word : KW_NONE)) {
    case KW_SELECT:
    case KW_FROM: return parse_select(p, out);
    case KW_VALUES: return parse_values(p, out);
    case KW_TABLE: return parse_table(p, out);
    case KW_PIVOT:
    case KW_UNPIVOT: return parse_pivot_statement(p, out);
    default: return expected(p, "a query");
    }
}

typedef lp_status (*operand_parser)(parser *p, sql_query **out);
typedef bool (*link_test)(const parser *p);

/* left (link operand)+ as one node */
static lp_status parse_chain(parser *p, const token *first, sql_query *left, link_test at_link, operand_parser operand,
                             sql_query **out) {
    if (!at_link(p)) {
        *out = left;
        return LP_OK;
    }
    uint32_t outer;
    many operands = {0}, links = {0};
    sql_query *query = ARENA_NEW(p->query, sql_query);
    query_enter(p, &outer);
    p->seen_height = left->height;
    *MANY_ADD(p, &operands, const sql_query *) = left;
    while (at_link(p)) {
        sql_query *right;
        TRY(parse_set_link(p, MANY_ADD(p, &links, sql_set_link)));
        TRY(operand(p, &right));
        *MANY_ADD(p, &operands, const sql_query *) = right;
    }
    query->kind = SQL_QUERY_SET;
    query->operand = operands.item;
    query->operand_count = operands.count;
    query->link = links.item;
    *out = query;
    return query_leave(p, first, outer, &query->height, &query->at);
}

static lp_status parse_term(parser *p, sql_query **out) {
    const token *first = p->next;
    sql_query *left;
    TRY(parse_operand(p, &left));
    return parse_chain(p, first, left, at_intersect, parse_operand, out);
}

/* ---- limits ---- */

/* 10% of the rows: the sign ends the number here, and is no operator. */
static bool at_percent_sign(const parser *p) {
    if (p->next->kind != TOKEN_NUMBER || !at_operator(p, 1, OPERATOR_PERCENT)) return false;
    const token *behind = peek(p, 2);
    return behind->kind == TOKEN_END || behind->kind == TOKEN_OPERATOR ||
           (behind->kind == TOKEN_NAME && (keyword_traits((keyword)behind->word) & WORD_ENDS_ITEM));
}

static lp_status parse_count(parser *p, bool *percent, const ast **out) {
    ast *count;
    if (at_percent_sign(p)) {
        TRY(parse_primary(p, &count));
        p->next++;
        *percent = true;
    } else {
        TRY(parse_level(p, LEVEL_BIT_OR, &count));
        *percent = take_keyword(p, KW_PERCENT);
    }
    *out = count;
    return LP_OK;
}

static void take_rows(parser *p) {
    if (!take_keyword(p, KW_ROW)) (void)take_keyword(p, KW_ROWS);
}

/* LIMIT (ALL | count [, count]) */
static lp_status parse_limit_count(parser *p, sql_limit *limit) {
    p->next++;
    limit->is_all = take_keyword(p, KW_ALL);
    if (limit->is_all) return LP_OK;
    TRY(parse_count(p, &limit->is_percent, &limit->count));
    if (!take_operator(p, OPERATOR_COMMA)) return LP_OK;
    ast *count;
    limit->offset_comma = true;
    limit->offset = limit->count;
    TRY(parse_level(p, LEVEL_BIT_OR, &count));
    limit->count = count;
    return LP_OK;
}

/* FETCH (FIRST | NEXT) [count] [PERCENT] (ROW | ROWS) (ONLY | WITH TIES) */
static lp_status parse_fetch(parser *p, sql_limit *limit) {
    p->next++;
    limit->is_fetch = true;
    bool word = take_keyword(p, KW_FIRST) || take_keyword(p, KW_NEXT);
    if (!word && p->next->kind != TOKEN_NUMBER) return expected(p, "FIRST or NEXT");
    limit->is_one = at_keyword(p, 0, KW_ROW) || at_keyword(p, 0, KW_ROWS);
    if (!limit->is_one) TRY(parse_count(p, &limit->is_percent, &limit->count));
    take_rows(p);
    if (take_keyword(p, KW_ONLY) || !word) return LP_OK; /* Snowflake: FETCH 3 */
    if (!at_keyword(p, 0, KW_WITH) || !at_keyword(p, 1, KW_TIES)) return expected(p, "ONLY or WITH TIES");
    p->next += 2;
    limit->with_ties = true;
    return LP_OK;
}

static lp_status parse_offset(parser *p, sql_limit *limit) {
    ast *offset;
    p->next++;
    TRY(parse_level(p, LEVEL_BIT_OR, &offset));
    limit->offset = offset;
    take_rows(p);
    return LP_OK;
}

lp_status parse_limit(parser *p, const sql_limit **out) {
    const token *first = p->next;
    sql_limit limit = {0};
    for (;;) {
        bool counted = limit.count || limit.is_all || limit.is_one;
        if (at_keyword(p, 0, KW_LIMIT) && !counted)
            TRY(parse_limit_count(p, &limit));
        else if (at_keyword(p, 0, KW_FETCH) && !counted)
            TRY(parse_fetch(p, &limit));
        else if (at_keyword(p, 0, KW_OFFSET) && !limit.offset) {
            limit.offset_first = !counted;
            TRY(parse_offset(p, &limit));
        } else
            break;
    }
    *out = NULL;
    if (p->next == first) return LP_OK;
    if (limit.offset_first && !limit.count && !limit.is_all && !limit.is_one) limit.offset_first = false;
    limit.at = span_since(p, first);
    sql_limit *kept = ARENA_NEW(p->query, sql_limit);
    *kept = limit;
    *out = kept;
    return LP_OK;
}

/* ---- ends ---- */

static bool at_sort_list(const parser *p, keyword word) {
    return at_keyword(p, 0, word) && at_keyword(p, 1, KW_BY);
}

static bool at_lock(const parser *p) {
    return at_keyword(p, 0, KW_FOR) && (at_keyword(p, 1, KW_UPDATE) || at_keyword(p, 1, KW_NO) ||
                                        at_word(p, 1, "SHARE") || at_word(p, 1, "KEY") || at_word(p, 1, "READ"));
}

bool at_query_end(const parser *p) {
    if (at_operator(p, 0, OPERATOR_PIPE)) return true;
    if (p->next->kind != TOKEN_NAME || p->next->word == KW_NONE) return false;
    return at_sort_list(p, KW_ORDER) || at_sort_list(p, KW_SORT) || at_sort_list(p, KW_CLUSTER) ||
           at_sort_list(p, KW_DISTRIBUTE) || at_keyword(p, 0, KW_LIMIT) || at_keyword(p, 0, KW_OFFSET) ||
           at_keyword(p, 0, KW_FETCH) || at_lock(p) || at_set_operation(p) ||
           (at_keyword(p, 0, KW_USING) && at_keyword(p, 1, KW_SAMPLE));
}

static lp_status parse_sort_list(parser *p, const sql_order **out) {
    const token *first = p->next;
    many list = {0};
    sql_order *order = ARENA_NEW(p->query, sql_order);
    p->next += 2;
    TRY(parse_sorts(p, NULL, &list));
    *order = (sql_order){list.item, list.count, span_since(p, first)};
    *out = order;
    return LP_OK;
}

/* FOR UPDATE OF t NOWAIT: kept, rows do not depend on it. */
static lp_status parse_lock(parser *p, many *clauses) {
    const token *first = p->next;
    p->next += 2;
    while (p->next->kind == TOKEN_NAME || p->next->kind == TOKEN_QUOTED_NAME || at_operator(p, 0, OPERATOR_DOT) ||
           at_operator(p, 0, OPERATOR_COMMA)) {
        if (at_lock(p) || at_keyword(p, 0, KW_LIMIT) || at_keyword(p, 0, KW_OFFSET) || at_keyword(p, 0, KW_FETCH) ||
            at_keyword(p, 0, KW_ON) || at_keyword(p, 0, KW_RETURNING)) /* of an INSERT */
            break;
        p->next++;
    }
    ast *clause;
    TRY(clause_of_text(p, STR("FOR"), first, &clause));
    *MANY_ADD(p, clauses, const ast *) = clause;
    return LP_OK;
}

/* USING SAMPLE behind ORDER BY: rows of the result are dropped. */
static lp_status parse_sample_clause(parser *p, many *clauses) {
    const ast *sample = NULL;
    TRY(parse_using_sample(p, &sample));
    if (sample) *MANY_ADD(p, clauses, const ast *) = sample;
    return LP_OK;
}

static lp_status parse_ends(parser *p, sql_query *query) {
    many clauses = {0};
    for (;;) {
        const token *before = p->next;
        if (p->next->kind != TOKEN_NAME || p->next->word == KW_NONE) break;
        if (at_sort_list(p, KW_ORDER) && !query->order)
            TRY(parse_sort_list(p, &query->order));
        else if (at_sort_list(p, KW_SORT) && !query->sort)
            TRY(parse_sort_list(p, &query->sort));
        else if (at_sort_list(p, KW_CLUSTER) && !query->cluster)
            TRY(parse_sort_list(p, &query->cluster));
        else if (at_sort_list(p, KW_DISTRIBUTE) && !query->distribute)
            TRY(parse_sort_list(p, &query->distribute));
        else if (!query->limit)
            TRY(parse_limit(p, &query->limit));
        if (p->next == before && at_lock(p)) TRY(parse_lock(p, &clauses));
        if (p->next == before && at_keyword(p, 0, KW_USING)) TRY(parse_sample_clause(p, &clauses));
        if (p->next == before) break;
    }
    query->clause = clauses.item;
    query->clause_count = clauses.count;
    return LP_OK;
}

/* set operations, ends and pipes behind `left`; what `with` holds is `with_height` high */
static lp_status parse_rest(parser *p, const sql_with *with, uint32_t with_height, sql_query *left, const token *first,
                            const sql_query **out) {
    sql_query *query;
    const token *before = p->next;
    TRY(parse_chain(p, first, left, at_intersect, parse_operand, &query));
    TRY(parse_chain(p, first, query, at_union, parse_term, &query));
    *out = query;
    if (!with && p->next == before && !at_query_end(p)) return LP_OK;
    uint32_t outer = p->seen_height;
    p->seen_height = with_height;
    query->with = with;
    TRY(parse_ends(p, query));
    TRY(query_grow(p, first, &query->height, &query->at));
    if (at_operator(p, 0, OPERATOR_PIPE)) TRY(parse_pipes(p, query, first, &query));
    *out = query;
    p->seen_height = query->height > outer ? query->height : outer;
    return LP_OK;
}

lp_status parse_query_from(parser *p, sql_query *left, const token *first, const sql_query **out) {
    TRY(parse_enter(p));
    TRY(parse_rest(p, NULL, 0, left, first, out));
    parse_leave(p);
    return LP_OK;
}

lp_status parse_query_with(parser *p, const sql_with *with, uint32_t with_height, const token *first,
                           const sql_query **out) {
    sql_query *left;
    TRY(parse_enter(p));
    TRY(parse_operand(p, &left));
    TRY(parse_rest(p, with, with_height, left, first, out));
    parse_leave(p);
    return LP_OK;
}

lp_status parse_query(parser *p, const sql_query **out) {
    const token *first = p->next;
    if (!at_keyword(p, 0, KW_WITH)) return parse_query_with(p, NULL, 0, first, out);
    uint32_t outer = p->seen_height;
    const sql_with *with;
    p->seen_height = 0;
    TRY(parse_enter(p));
    TRY(parse_with(p, &with));
    parse_leave(p);
    TRY(parse_query_with(p, with, p->seen_height, first, out));
    if (outer > p->seen_height) p->seen_height = outer;
    return LP_OK;
}

/* ---- WITH ---- */

static lp_status add_clause(parser *p, many *clauses, const char *name, const token *first) {
    ast *clause;
    TRY(clause_of_text(p, str_from(name), first, &clause));
    *MANY_ADD(p, clauses, const ast *) = clause;
    return LP_OK;
}

/* USING KEY (...) and MAX RECURSION LEVEL n before AS */
static lp_status parse_cte_options(parser *p, many *clauses) {
    const token *first = p->next;
    if (at_keyword(p, 0, KW_USING) && at_word(p, 1, "KEY")) {
        p->next += 2;
        TRY(skip_bracketed(p));
        return add_clause(p, clauses, "USING KEY", first);
    }
    if (!at_keyword(p, 0, KW_MAX) || !at_word(p, 1, "RECURSION")) return LP_OK;
    p->next += peek(p, 3)->kind == TOKEN_END ? 3 : 4;
    return add_clause(p, clauses, "MAX RECURSION LEVEL", first);
}

/* SEARCH ... SET name, CYCLE ... USING name behind the brackets */
static lp_status parse_cte_tail(parser *p, many *clauses) {
    while (at_keyword(p, 0, KW_SEARCH) || at_keyword(p, 0, KW_CYCLE)) {
        const token *first = p->next++;
        bool search = first->word == KW_SEARCH;
        while (p->next->kind == TOKEN_NAME || p->next->kind == TOKEN_QUOTED_NAME || p->next->kind == TOKEN_STRING ||
               p->next->kind == TOKEN_NUMBER || at_operator(p, 0, OPERATOR_COMMA)) {
            bool last = at_keyword(p, 0, search ? KW_SET : KW_USING);
            p->next++;
            if (!last) continue;
            if (at_name(p, 0)) p->next++;
            break;
        }
        TRY(add_clause(p, clauses, search ? "SEARCH" : "CYCLE", first));
    }
    return LP_OK;
}

static void take_materialized(parser *p, sql_cte *cte) {
    cte->materialized = STR("");
    if (take_keyword(p, KW_MATERIALIZED)) {
        cte->materialized = STR("MATERIALIZED");
    } else if (at_keyword(p, 0, KW_NOT) && at_keyword(p, 1, KW_MATERIALIZED)) {
        p->next += 2;
        cte->materialized = STR("NOT MATERIALIZED");
    }
}

static lp_status parse_cte(parser *p, sql_cte *cte) {
    const token *first = p->next;
    many clauses = {0};
    if (!at_name(p, 0)) return expected(p, "the name of a WITH item");
    cte->name = name_part(p, p->next++);
    if (at_operator(p, 0, OPERATOR_LPAREN) && !starts_query_in_brackets(p, 1)) {
        many names = {0};
        TRY(parse_names(p, &names));
        cte->has_columns = true;
        cte->column = names.item;
        cte->column_count = names.count;
    }
    TRY(parse_cte_options(p, &clauses));
    bool bare = p->traits->with_without_as && at_operator(p, 0, OPERATOR_LPAREN);
    if (!bare) TRY(expect_keyword(p, KW_AS));
    take_materialized(p, cte);
    const token *open = p->next;
    TRY(expect_operator(p, OPERATOR_LPAREN));
    if (starts_kept_statement(p))
        TRY(parse_kept_statement(p, &cte->statement));
    else
        TRY(parse_query(p, &cte->query));
    TRY(expect_close(p, OPERATOR_RPAREN, open));
    TRY(parse_cte_tail(p, &clauses));
    cte->clause = clauses.item;
    cte->clause_count = clauses.count;
    cte->at = span_since(p, first);
    return LP_OK;
}

lp_status parse_with(parser *p, const sql_with **out) {
    const token *first = p->next++;
    many ctes = {0};
    sql_with *with = ARENA_NEW(p->query, sql_with);
    with->is_recursive =
        at_keyword(p, 0, KW_RECURSIVE) && at_name(p, 1) && !at_keyword(p, 1, KW_AS) && take_keyword(p, KW_RECURSIVE);
    do {
        sql_cte cte = {0};
        TRY(parse_cte(p, &cte));
        *MANY_ADD(p, &ctes, sql_cte) = cte;
    } while (take_operator(p, OPERATOR_COMMA) && !at_keyword(p, 0, KW_SELECT));
    with->cte = ctes.item;
    with->count = ctes.count;
    with->at = span_since(p, first);
    *out = with;
    return LP_OK;
}
