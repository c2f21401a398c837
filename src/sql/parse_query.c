/* parse_query.c - a query inside an expression: kept as its tokens, canonically spaced.
 * Called by: sql/parse_expr.c, sql/parse_primary.c, sql/parse_call.c, sql/parse_special.c.  Must not know: what a query
 * means.
 *
 * Its names belong to another scope, and nothing that an expression is decided by lies inside, so only the brackets are
 * checked here.
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
    if (at_keyword(p, ahead, KW_VALUES)) return at_operator(p, ahead + 1, OPERATOR_LPAREN);
    return (at_keyword(p, ahead, KW_WITH) || at_keyword(p, ahead, KW_FROM) || at_keyword(p, ahead, KW_TABLE)) &&
           name_next;
}

/* ---- spacing ---- */

/* Keywords that part even from a bracket: IN (, AS (, but LEFT(. */
static bool parts_from_bracket(const token *t) {
    switch ((int)t->word) {
    case KW_AND:
    case KW_OR:
    case KW_NOT:
    case KW_IN:
    case KW_EXISTS:
    case KW_AS:
    case KW_ON:
    case KW_USING:
    case KW_FROM:
    case KW_JOIN:
    case KW_WHERE:
    case KW_HAVING:
    case KW_QUALIFY:
    case KW_SELECT:
    case KW_DISTINCT:
    case KW_ALL:
    case KW_VALUES:
    case KW_BY:
    case KW_OVER:
    case KW_FILTER:
    case KW_LATERAL:
    case KW_UNION:
    case KW_INTERSECT:
    case KW_EXCEPT:
    case KW_BETWEEN:
    case KW_LIKE:
    case KW_WHEN:
    case KW_THEN:
    case KW_ELSE:
    case KW_CASE: return true;
    default: return false;
    }
}

static bool is_operator(const token *t, operator_id id) {
    return t->kind == TOKEN_OPERATOR && t->detail == id;
}

static bool is_sign(const token *t) {
    return is_operator(t, OPERATOR_MINUS) || is_operator(t, OPERATOR_PLUS) || is_operator(t, OPERATOR_TILDE) ||
           is_operator(t, OPERATOR_BANG);
}

static bool ends_operand(const token *t) {
    switch ((token_kind)t->kind) {
    case TOKEN_NAME: return !parts_from_bracket(t);
    case TOKEN_QUOTED_NAME:
    case TOKEN_NUMBER:
    case TOKEN_PARAMETER:
    case TOKEN_STRING: return true;
    case TOKEN_OPERATOR: return is_operator(t, OPERATOR_RPAREN) || is_operator(t, OPERATOR_RBRACKET);
    case TOKEN_BAD:
    case TOKEN_END: break;
    }
    return false;
}

static bool touches(const token *left, const token *right) {
    return left->at.start + left->at.len == right->at.start;
}

/* Whether a blank stands between two tokens in the canonical text. `before` is the token in front of `left`. Tokens
 * that could melt into another one (1 .x, - -1) always get one. */
static bool wants_blank(const parser *p, const token *before, const token *left, const token *right) {
    if (is_operator(left, OPERATOR_LPAREN) || is_operator(left, OPERATOR_LBRACKET)) return false;
    if (is_operator(left, OPERATOR_DOT)) {
        char start = p->text.ptr[right->at.start];
        if (start >= '0' && start <= '9') return !touches(left, right);
        return right->kind == TOKEN_OPERATOR && !is_operator(right, OPERATOR_STAR);
    }
    if (is_operator(right, OPERATOR_DOT))
        return left->kind == TOKEN_NUMBER || (left->kind == TOKEN_OPERATOR && !ends_operand(left));
    if (is_operator(left, OPERATOR_AT_SIGN) || is_operator(left, OPERATOR_DOLLAR) ||
        is_operator(left, OPERATOR_COLON) || is_operator(right, OPERATOR_COLON))
        return !touches(left, right);
    if (is_operator(left, OPERATOR_CAST)) return right->kind == TOKEN_OPERATOR;
    if (is_operator(right, OPERATOR_CAST)) return left->kind == TOKEN_OPERATOR && !ends_operand(left);
    if (is_operator(right, OPERATOR_COMMA) || is_operator(right, OPERATOR_RPAREN) ||
        is_operator(right, OPERATOR_RBRACKET))
        return is_operator(left, OPERATOR_SEMICOLON);
    if (is_operator(right, OPERATOR_LBRACKET)) return !ends_operand(left);
    if (is_operator(right, OPERATOR_LPAREN)) {
        if (left->kind == TOKEN_QUOTED_NAME) return false;
        return left->kind != TOKEN_NAME || parts_from_bracket(left) || (left->word != KW_NONE && !touches(left, right));
    }
    bool sign = is_sign(left) && !ends_operand(before);
    return !sign || right->kind == TOKEN_OPERATOR;
}

static void put_token(parser *p, buf *out, const token *t) {
    bool is_word = t->kind == TOKEN_NAME && t->word != KW_NONE && !is_operator(t - 1, OPERATOR_DOT);
    buf_put(out, is_word ? keyword_text((keyword)t->word) : token_text(p, t));
}

/* ( ... ), brackets matched, at the opening one */
lp_status parse_subquery(parser *p, str before, const token *first, ast **out) {
    const token *open = p->next;
    size_t depth = 0;
    buf text;
    buf_init(&text, p->query, SQL_MAX_TEXT_BYTES * 2);
    buf_put(&text, before);
    do {
        if (p->next->kind == TOKEN_END) return expect_close(p, OPERATOR_RPAREN, open);
        if (at_operator(p, 0, OPERATOR_LPAREN)) depth++;
        if (at_operator(p, 0, OPERATOR_RPAREN)) depth--;
        const token *last = p->next - 1;
        if (p->next > open && wants_blank(p, p->next > open + 1 ? last - 1 : last, last, p->next))
            buf_put_char(&text, ' ');
        put_token(p, &text, p->next++);
    } while (depth > 0);
    ast *node = node_new(p, AST_SUBQUERY);
    node->text = STR("");
    form f = form_start(p, first);
    form_put(&f, buf_str(&text));
    return form_finish(&f, node, out);
}
