/* parse_subquery.c - a query inside an expression.
 * Called by: sql/parse_expr.c, sql/parse_primary.c, sql/parse_call.c, sql/parse_special.c.  Must not know: what a query
 * means.
 *
 * In a statement it is read as a query. In a condition its names belong to another scope, and nothing that the
 * condition is decided by lies inside: its tokens are kept, and only the brackets are checked.
 */
#include "sql/sql_int.h"

/* May follow a column that happens to be named like the start of a query. */
static bool continues_operand(const parser *p, size_t ahead) {
    const operator_id after[] = {OPERATOR_RPAREN, OPERATOR_COMMA,   OPERATOR_DOT,      OPERATOR_EQ,
                                 OPERATOR_NE,     OPERATOR_NE_BANG, OPERATOR_LT,       OPERATOR_GT,
                                 OPERATOR_LE,     OPERATOR_GE,      OPERATOR_NULLSAFE, OPERATOR_CAST};
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        if (at_operator(p, ahead, after[i])) return true;
    return at_keyword(p, ahead, KW_IS) || at_keyword(p, ahead, KW_IN) || at_keyword(p, ahead, KW_LIKE) ||
           at_keyword(p, ahead, KW_BETWEEN) || at_keyword(p, ahead, KW_AND) || at_keyword(p, ahead, KW_OR);
}

bool starts_query(const parser *p, size_t ahead) {
    bool name_next = at_name(p, ahead + 1) && !continues_operand(p, ahead + 1);
    if (at_keyword(p, ahead, KW_SELECT)) return !continues_operand(p, ahead + 1);
    if (at_keyword(p, ahead, KW_PIVOT) || at_keyword(p, ahead, KW_UNPIVOT))
        return p->traits->colon_aliases && name_next &&
               !(peek(p, ahead + 1)->kind == TOKEN_NAME &&
                 (keyword_traits((keyword)peek(p, ahead + 1)->word) & WORD_ENDS_RELATION));
    if (at_keyword(p, ahead, KW_VALUES)) return at_operator(p, ahead + 1, OPERATOR_LPAREN);
    return (at_keyword(p, ahead, KW_WITH) || at_keyword(p, ahead, KW_FROM) || at_keyword(p, ahead, KW_TABLE)) &&
           name_next;
}

bool starts_query_in_brackets(const parser *p, size_t ahead) {
    const token *t = peek(p, ahead);
    while (t->kind == TOKEN_OPERATOR && t->detail == OPERATOR_LPAREN) t++;
    return starts_query(p, (size_t)(t - p->next));
}

/* `before` ( query ), as its tokens */
static lp_status parse_kept_query(parser *p, str before, const token *first, ast **out) {
    const token *open = p->next;
    TRY(skip_bracketed(p));
    ast *node = node_new(p, AST_SUBQUERY);
    node->form = FORM_QUERY;
    node->text = STR("");
    node->is_kept = true;
    form f = form_start(p, first);
    form_put(&f, before);
    form_put(&f, kept_text(p, open, p->next));
    return form_finish(&f, node, out);
}

static lp_status finish_subquery(parser *p, str before, const token *first, const sql_query *query, ast **out) {
    ast *node = node_new(p, AST_SUBQUERY);
    node->form = FORM_QUERY;
    node->text = STR("");
    node->query = query;
    form f = form_start(p, first);
    form_put(&f, before);
    TRY(form_finish(&f, node, out));
    return node_raise(p, node, first, query->height + 1);
}

lp_status parse_subquery(parser *p, str before, const token *first, ast **out) {
    if (!p->statements) return parse_kept_query(p, before, first, out);
    const token *open = p->next++;
    const sql_query *query;
    TRY(parse_query(p, &query));
    TRY(expect_close(p, OPERATOR_RPAREN, open));
    return finish_subquery(p, before, first, query, out);
}

bool continues_query(const parser *p, const ast *left) {
    return p->statements && left->kind == AST_SUBQUERY && left->text.len == 0 && at_query_end(p);
}

lp_status parse_query_behind(parser *p, const ast *left, const token *open, ast **out) {
    const sql_query **operand = ARENA_ARRAY(p->query, const sql_query *, 1), *query;
    sql_query *first = ARENA_NEW(p->query, sql_query);
    operand[0] = left->query;
    *first = (sql_query){.kind = SQL_QUERY_PAREN,
                         .operand = operand,
                         .operand_count = 1,
                         .at = left->at,
                         .height = left->query->height + 1};
    TRY(parse_query_from(p, first, open + 1, &query));
    TRY(expect_close(p, OPERATOR_RPAREN, open));
    return finish_subquery(p, STR(""), open, query, out);
}
