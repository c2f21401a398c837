/* parse_kept.c - parts of a text that are kept as their tokens, canonically spaced.
 * Called by: sql/parse_*.c.  Must not know: what they mean.
 *
 * Queries inside conditions are kept, and whatever a statement holds that no consumer reads. What is spaced so keeps
 * its tokens, and so its spacing, when it is read again.
 */
#include "sql/sql_int.h"

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

/* my-project-4t: digits that start a name do so only where all of it touches. */
bool joins_hyphen_name(const parser *p, const token *left, const token *right) {
    if (!p->traits->hyphen_names || !touches(left, right)) return false;
    const token *part = is_operator(left, OPERATOR_MINUS) ? right : right + 1;
    bool minus = part == right || (is_operator(right, OPERATOR_MINUS) && touches(right, part));
    if (!minus || part->kind != TOKEN_NAME) return false; /* the end has no character */
    char first = p->text.ptr[part->at.start];
    return first >= '0' && first <= '9';
}

/* Whether a blank stands between two tokens in the canonical text. `before` is the token in front of `left`. Tokens
 * that could melt into another one (1 .x, - -1) always get one. */
static bool wants_blank(const parser *p, const token *before, const token *left, const token *right) {
    if (is_operator(left, OPERATOR_LPAREN) || is_operator(left, OPERATOR_LBRACKET)) return false;
    if (joins_hyphen_name(p, left, right)) return false;
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

static void put_token(parser *p, buf *out, const token *from, const token *t) {
    bool is_word = t->kind == TOKEN_NAME && t->word != KW_NONE && !(t > from && is_operator(t - 1, OPERATOR_DOT));
    buf_put(out, is_word ? keyword_text((keyword)t->word) : token_text(p, t));
}

str kept_text(parser *p, const token *from, const token *to) {
    buf text;
    buf_init(&text, p->query, SQL_MAX_TEXT_BYTES * 2);
    for (const token *t = from; t < to; t++) {
        const token *last = t - 1;
        if (t > from && wants_blank(p, t > from + 1 ? last - 1 : last, last, t)) buf_put_char(&text, ' ');
        put_token(p, &text, from, t);
    }
    return buf_str(&text);
}

lp_status skip_bracketed(parser *p) {
    const token *open = p->next;
    size_t depth = 0;
    do {
        if (p->next->kind == TOKEN_END || p->next->kind == TOKEN_BAD) return expect_close(p, OPERATOR_RPAREN, open);
        if (at_operator(p, 0, OPERATOR_LPAREN)) depth++;
        if (at_operator(p, 0, OPERATOR_RPAREN)) depth--;
        p->next++;
    } while (depth > 0);
    return LP_OK;
}
