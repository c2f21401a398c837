/* parse_type.c - the name of a type, as CAST and :: take it.
 * Called by: sql/parse_primary.c, sql/parse_special.c.  Must not know: which types exist.
 *
 *   type   := base { [ [number] ] }
 *   base   := ARRAY < type > | MAP < type , type > | STRUCT < [field {, field}] > | word [second word] [ ( args ) ]
 * [zone] field  := name [:] type [NOT NULL] [COMMENT text] args   := (number | name | text) {, ...} zone   := (WITH |
 * WITHOUT) [LOCAL] TIME ZONE Canonical: words upper case, field names as written, `STRUCT<a: INT>`, `DECIMAL(10,2)`.
 */
#include "sql/sql_int.h"

static lp_status put_type(parser *p, buf *out);

/* A closing `>`, which may be a part of `>>` or `>>>`. */
static lp_status expect_angle(parser *p) {
    size_t width = at_operator(p, 0, OPERATOR_GT)                     ? 1
                   : at_operator(p, 0, OPERATOR_SHIFT_RIGHT)          ? 2
                   : at_operator(p, 0, OPERATOR_SHIFT_RIGHT_UNSIGNED) ? 3
                                                                      : 0;
    if (width == 0) return expected(p, "\">\"");
    p->shift_taken++;
    if (p->shift_taken == width) {
        p->shift_taken = 0;
        p->next++;
    }
    return LP_OK;
}

static void put_word(parser *p, buf *out) {
    buf_put(out, p->next->kind == TOKEN_NAME ? upper_copy(p, token_text(p, p->next)) : token_text(p, p->next));
    p->next++;
}

static lp_status put_field(parser *p, buf *out) {
    if (p->statements && at_name(p, 0) && !at_name(p, 1) && !at_operator(p, 1, OPERATOR_COLON)) /* STRUCT<INT64> */
        return put_type(p, out);
    if (!at_name(p, 0)) return expected(p, "the name of a field");
    buf_put(out, token_text(p, p->next++));
    (void)take_operator(p, OPERATOR_COLON);
    buf_put(out, STR(": "));
    TRY(put_type(p, out));
    if (at_keyword(p, 0, KW_NOT) && at_keyword(p, 1, KW_NULL)) {
        p->next += 2;
        buf_put(out, STR(" NOT NULL"));
    }
    if (p->statements && at_word(p, 0, "OPTIONS") && at_operator(p, 1, OPERATOR_LPAREN)) {
        const token *options = p->next++;
        TRY(skip_bracketed(p));
        buf_put_char(out, ' ');
        buf_put(out, kept_text(p, options, p->next));
    }
    if (at_word(p, 0, "COMMENT") && p->next[1].kind == TOKEN_STRING) {
        buf_put(out, STR(" COMMENT "));
        buf_put(out, token_text(p, p->next + 1));
        p->next += 2;
    }
    return LP_OK;
}

/* < items >, behind the word */
static lp_status put_angled(parser *p, buf *out, bool fields) {
    buf_put_char(out, '<');
    if (fields && take_operator(p, OPERATOR_NE)) { /* STRUCT<> */
        buf_put_char(out, '>');
        return LP_OK;
    }
    TRY(expect_operator(p, OPERATOR_LT));
    if (!fields || !at_operator(p, 0, OPERATOR_GT)) {
        do {
            if (fields)
                TRY(put_field(p, out));
            else
                TRY(put_type(p, out));
            if (p->shift_taken == 0 && at_operator(p, 0, OPERATOR_COMMA)) buf_put(out, STR(", "));
        } while (p->shift_taken == 0 && take_operator(p, OPERATOR_COMMA));
    }
    buf_put_char(out, '>');
    return expect_angle(p);
}

/* [name] type of ROW(a INT), STRUCT(a INT), MAP(INT, TEXT), OBJECT(a INT NOT NULL) */
static lp_status put_type_argument(parser *p, buf *out) {
    bool named = at_name(p, 0) && (at_name(p, 1) || at_operator(p, 1, OPERATOR_COLON)) &&
                 !(at_word(p, 0, "DOUBLE") && at_word(p, 1, "PRECISION")) && !at_keyword(p, 1, KW_WITH) &&
                 !at_keyword(p, 1, KW_WITHOUT) && !at_word(p, 1, "VARYING") && !at_keyword(p, 1, KW_NOT) &&
                 !at_keyword(p, 1, KW_COLLATE) && !at_keyword(p, 0, KW_INTERVAL) && !at_word(p, 1, "UNSIGNED");
    if (named) {
        buf_put(out, token_text(p, p->next++));
        (void)take_operator(p, OPERATOR_COLON);
        buf_put_char(out, ' ');
    }
    TRY(put_type(p, out));
    if (at_keyword(p, 0, KW_NOT) && at_keyword(p, 1, KW_NULL)) {
        p->next += 2;
        buf_put(out, STR(" NOT NULL"));
    }
    return LP_OK;
}

/* ( args ) */
static lp_status put_arguments(parser *p, buf *out) {
    const token *open = p->next++;
    buf_put_char(out, '(');
    if (p->statements && take_operator(p, OPERATOR_RPAREN)) {
        buf_put_char(out, ')');
        return LP_OK;
    }
    do {
        if (p->statements && at_operator(p, 0, OPERATOR_MINUS) && peek(p, 1)->kind == TOKEN_NUMBER) put_word(p, out);
        if (p->statements && at_name(p, 0)) {
            TRY(put_type_argument(p, out));
            if (at_operator(p, 0, OPERATOR_COMMA)) buf_put(out, STR(", "));
            continue;
        }
        if (p->next->kind != TOKEN_NUMBER && p->next->kind != TOKEN_STRING && p->next->kind != TOKEN_NAME)
            return expected(p, "a number");
        put_word(p, out);
        if (at_operator(p, 0, OPERATOR_COMMA)) buf_put_char(out, ',');
    } while (take_operator(p, OPERATOR_COMMA));
    buf_put_char(out, ')');
    return expect_close(p, OPERATOR_RPAREN, open);
}

static void put_zone(parser *p, buf *out) {
    if (!at_keyword(p, 0, KW_WITH) && !at_keyword(p, 0, KW_WITHOUT)) return;
    size_t words = at_word(p, 1, "LOCAL") ? 4 : 3;
    if (!at_keyword(p, words - 2, KW_TIME) || !at_keyword(p, words - 1, KW_ZONE)) return;
    for (; words > 0; words--) {
        buf_put_char(out, ' ');
        put_word(p, out);
    }
}

static void put_next(parser *p, buf *out) {
    buf_put_char(out, ' ');
    put_word(p, out);
}

/* INTERVAL DAY (3) TO SECOND (6) */
static void put_precision(parser *p, buf *out) {
    if (!p->statements || !at_operator(p, 0, OPERATOR_LPAREN) || peek(p, 1)->kind != TOKEN_NUMBER ||
        !at_operator(p, 2, OPERATOR_RPAREN))
        return;
    for (int i = 0; i < 3; i++) buf_put(out, token_text(p, p->next++));
}

/* DOUBLE PRECISION, CHARACTER VARYING, INTERVAL DAY [TO SECOND] */
static void put_second_word(parser *p, buf *out, const token *first) {
    str word = token_text(p, first);
    if (str_eq_nocase(word, STR("DOUBLE")) && at_word(p, 0, "PRECISION")) put_next(p, out);
    bool character = str_eq_nocase(word, STR("CHARACTER")) || str_eq_nocase(word, STR("CHAR"));
    if (p->statements && str_eq_nocase(word, STR("NATIONAL")) &&
        (at_word(p, 0, "CHARACTER") || at_word(p, 0, "CHAR"))) {
        character = true;
        put_next(p, out);
    }
    if (p->statements && str_eq_nocase(word, STR("BINARY"))) character = true;
    if (p->statements && at_word(p, 0, "UNSIGNED")) put_next(p, out);
    if ((character || (p->statements && str_eq_nocase(word, STR("BIT")))) && at_word(p, 0, "VARYING")) put_next(p, out);
    if (first->word != KW_INTERVAL || p->next->kind != TOKEN_NAME || !is_unit_name(token_text(p, p->next))) return;
    put_next(p, out);
    put_precision(p, out);
    if (!at_keyword(p, 0, KW_TO) || p->next[1].kind != TOKEN_NAME) return;
    put_next(p, out);
    put_next(p, out);
    put_precision(p, out);
}

/* STRING COLLATE name; Snowflake and BigQuery: 'name' */
static void put_collation(parser *p, buf *out) {
    if (!at_keyword(p, 0, KW_COLLATE) || (!at_name(p, 1) && peek(p, 1)->kind != TOKEN_STRING)) return;
    put_next(p, out);
    buf_put_char(out, ' ');
    buf_put(out, token_text(p, p->next++));
}

/* schema.type, column%TYPE */
static void put_rest_of_path(parser *p, buf *out) {
    while (p->statements && at_operator(p, 0, OPERATOR_DOT) && at_name(p, 1)) {
        p->next++;
        buf_put_char(out, '.');
        put_word(p, out);
    }
}

static lp_status put_base(parser *p, buf *out) {
    const token *first = p->next;
    if (first->kind == TOKEN_QUOTED_NAME) {
        put_word(p, out);
        put_rest_of_path(p, out);
        return LP_OK;
    }
    if (first->kind != TOKEN_NAME) return expected(p, "the name of a type");
    put_word(p, out);
    put_rest_of_path(p, out);
    bool fields = first->word == KW_STRUCT, angled = at_operator(p, 0, OPERATOR_LT);
    if (fields && (angled || at_operator(p, 0, OPERATOR_NE))) return put_angled(p, out, true);
    if (angled && (first->word == KW_ARRAY || str_eq_nocase(token_text(p, first), STR("MAP")) ||
                   (p->statements && first->word == KW_RANGE)))
        return put_angled(p, out, false);
    put_second_word(p, out, first);
    if (at_operator(p, 0, OPERATOR_LPAREN)) TRY(put_arguments(p, out));
    put_zone(p, out);
    put_collation(p, out);
    if (p->statements && at_keyword(p, 0, KW_ARRAY)) { /* PostgreSQL, Trino: INT ARRAY, INT ARRAY[3] */
        put_next(p, out);
    }
    return LP_OK;
}

static lp_status put_type(parser *p, buf *out) {
    TRY(parse_enter(p));
    TRY(put_base(p, out));
    while (p->shift_taken == 0 && at_operator(p, 0, OPERATOR_LBRACKET) &&
           (at_operator(p, 1, OPERATOR_RBRACKET) ||
            (p->next[1].kind == TOKEN_NUMBER && at_operator(p, 2, OPERATOR_RBRACKET)))) {
        while (!at_operator(p, 0, OPERATOR_RBRACKET)) buf_put(out, token_text(p, p->next++));
        buf_put_char(out, ']');
        p->next++;
    }
    parse_leave(p);
    return LP_OK;
}

static lp_status finish_type(parser *p, const buf *out, str *canonical) {
    if (p->shift_taken > 0) return expected(p, "one \">\" less");
    *canonical = buf_str(out);
    return LP_OK;
}

lp_status parse_type_before_bracket(parser *p, str *canonical) {
    buf out;
    buf_init(&out, p->query, SQL_MAX_TEXT_BYTES * 2);
    TRY(put_base(p, &out));
    return finish_type(p, &out, canonical);
}

lp_status parse_type(parser *p, str *canonical) {
    buf out;
    buf_init(&out, p->query, SQL_MAX_TEXT_BYTES * 2);
    TRY(put_type(p, &out));
    return finish_type(p, &out, canonical);
}
