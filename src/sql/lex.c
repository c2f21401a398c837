/* lex.c - SQL text to tokens.
 * Called by: sql/parse.c, the stage command `lex` of the tests.  Must not know: the grammar.
 *
 * What differs between dialects is read from dialect_traits. A token keeps its place only: contents of texts and names
 * are cut out later, by whoever makes a node of them.
 */
#include "sql/lex.h"

#include <string.h>

#include "sql/error.h"
#include "sql/parse.h"

typedef struct lexer {
    arena *query;
    str text;
    const dialect_traits *traits;
    size_t at;
    token *out;
    size_t count, capacity;
    lp_err *err;
} lexer;

/* ---- tables ---- */

static const str keyword_texts[KW_COUNT] = {
#define KEYWORD(word) [KW_##word] = {#word, sizeof #word - 1},
#include "sql/keyword.def"
#undef KEYWORD
};

static const str operator_texts[OPERATOR_COUNT] = {
#define OPERATOR(name, text) [OPERATOR_##name] = {text, sizeof text - 1},
#include "sql/operator.def"
#undef OPERATOR
};

str keyword_text(keyword word) {
    return word == KW_NONE ? STR("") : keyword_texts[word];
}

str operator_text(operator_id id) {
    return id == OPERATOR_NONE ? STR("") : operator_texts[id];
}

static unsigned char upper(char c) {
    return c >= 'a' && c <= 'z' ? (unsigned char)(c - 32) : (unsigned char)c;
}

static int compare_upper(str word, str keyword_name) {
    size_t common = word.len < keyword_name.len ? word.len : keyword_name.len;
    for (size_t i = 0; i < common; i++) {
        int order = upper(word.ptr[i]) - (unsigned char)keyword_name.ptr[i];
        if (order != 0) return order;
    }
    return word.len < keyword_name.len ? -1 : word.len > keyword_name.len;
}

keyword keyword_find(str word) {
    size_t low = 1, high = KW_COUNT; /* keyword.def is sorted */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_upper(word, keyword_texts[middle]);
        if (order == 0) return (keyword)middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return KW_NONE;
}

/* ---- characters ---- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_ascii_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char char_at(const lexer *l, size_t at) {
    return at < l->text.len ? l->text.ptr[at] : '\0';
}

/* The code point at `at` of valid UTF-8. */
static uint32_t code_point_at(str s, size_t at, size_t *len) {
    const unsigned char *p = (const unsigned char *)s.ptr + at;
    if (p[0] < 0x80) {
        *len = 1;
        return p[0];
    }
    *len = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    uint32_t value = p[0] & (0xFFu >> (*len + 1));
    for (size_t i = 1; i < *len; i++) value = value << 6 | (p[i] & 0x3Fu);
    return value;
}

/* Blanks of Unicode (White_Space): pasted text is full of them, and no dialect gives them another meaning. */
static bool is_blank(uint32_t c) {
    return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

/* Beyond ASCII: everything that is not a blank, punctuation, a symbol that looks like an ASCII one, or invisible. */
static bool is_name_code_point(uint32_t c) {
    if (c < 0x80) return is_ascii_letter((char)c) || is_digit((char)c) || c == '_';
    if (c <= 0xBF) return c == 0xAA || c == 0xB5 || c == 0xBA;
    if (c == 0xD7 || c == 0xF7 || is_blank(c)) return false;
    if (c >= 0x2000 && c <= 0x20CF) return false; /* dashes, curly quotes, zero-width and direction marks, currencies */
    if (c >= 0x2190 && c <= 0x2BFF) return false; /* arrows, mathematical operators, technical signs, shapes */
    if (c >= 0x1F000 && c <= 0x1FAFF) return false; /* pictographs */
    if (c >= 0x3000 && c <= 0x3004) return false;
    if (c >= 0x3008 && c <= 0x3020) return false;
    if (c >= 0xE000 && c <= 0xF8FF) return false; /* private use */
    if (c >= 0xFE00 && c <= 0xFE0F) return false; /* variation selectors */
    if (c == 0xFEFF || c >= 0xE0000) return false;
    if (c >= 0xFF00 && c <= 0xFFEF) /* full-width forms of ASCII: letters and digits only */
        return (c >= 0xFF10 && c <= 0xFF19) || (c >= 0xFF21 && c <= 0xFF3A) || (c >= 0xFF41 && c <= 0xFF5A) ||
               c >= 0xFF66;
    return c != 0xFFFD;
}

/* Length of the run of name characters at `at`. */
static size_t name_run(const lexer *l, size_t at) {
    size_t start = at;
    while (at < l->text.len) {
        size_t len;
        if (!is_name_code_point(code_point_at(l->text, at, &len))) break;
        at += len;
    }
    return at - start;
}

static bool has_char(const char *set, char c) {
    return c != '\0' && strchr(set, c) != NULL;
}

static span place(size_t start, size_t len) {
    return (span){(uint32_t)start, (uint32_t)len};
}

static void push(lexer *l, token_kind kind, unsigned detail, keyword word, size_t len) {
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? l->capacity * 2 : 32;
        token *grown = arena_alloc_raw(l->query, capacity * sizeof *grown);
        if (l->count) memcpy(grown, l->out, l->count * sizeof *grown);
        l->out = grown;
        l->capacity = capacity;
    }
    l->out[l->count++] = (token){(uint8_t)kind, (uint8_t)detail, (uint16_t)word, place(l->at, len)};
    l->at += len;
}

/* ---- blanks and comments ---- */

static void skip_line_comment(lexer *l) {
    while (l->at < l->text.len && l->text.ptr[l->at] != '\n') {
        bool continued = l->traits->comment_continues && l->text.ptr[l->at] == '\\' && char_at(l, l->at + 1) == '\n';
        l->at += continued ? 2 : 1;
    }
}

/* Block comments nest. */
static lp_status skip_block_comment(lexer *l) {
    size_t start = l->at, open = 0;
    do {
        size_t slash;
        str rest = str_slice(l->text, l->at, l->text.len);
        if (rest.len < 2 || !str_find_char(rest, '/', &slash))
            return sql_syntax_error(l->err, l->text, place(start, 2),
                                    "expected */ to end the comment that starts here, found the end of the text");
        size_t at = l->at + slash; /* every border of a comment holds a slash */
        if (at > l->at && at > start + 2 && l->text.ptr[at - 1] == '*') {
            open--;
            l->at = at + 1;
        } else if (char_at(l, at + 1) == '*') {
            open++;
            l->at = at + 2;
        } else {
            l->at = at + 1;
        }
    } while (open > 0);
    return LP_OK;
}

static lp_status skip_blanks(lexer *l) {
    while (l->at < l->text.len) {
        size_t len;
        char c = l->text.ptr[l->at], next = char_at(l, l->at + 1);
        if (is_blank(code_point_at(l->text, l->at, &len)))
            l->at += len;
        else if (c == '-' && next == '-')
            skip_line_comment(l);
        else if (c == '/' && next == '*')
            TRY(skip_block_comment(l));
        else
            break;
    }
    return LP_OK;
}

/* ---- texts and quoted names ---- */

/* The offset behind the quote that ends what starts at `open` (an offset of the quote), or 0 when nothing does. */
static size_t find_close(const lexer *l, size_t open, bool doubles, bool escapes) {
    char quote = l->text.ptr[open];
    for (size_t at = open + 1; at < l->text.len; at++) {
        char c = l->text.ptr[at];
        if (c == '\\' && escapes) {
            at++;
        } else if (c == quote) {
            if (!doubles || char_at(l, at + 1) != quote) return at + 1;
            at++;
        }
    }
    return 0;
}

static lp_status open_quote_error(lexer *l, const char *what, bool escapes) {
    char quote = l->text.ptr[l->at];
    str rest = str_slice(l->text, l->at, l->text.len);
    bool escaped = false;
    for (size_t i = 0; escapes && i + 1 < rest.len; i++)
        escaped = escaped || (rest.ptr[i] == '\\' && rest.ptr[i + 1] == quote);
    return sql_syntax_error(l->err, l->text, place(l->at, 1),
                            "expected %c to end the %s that starts here, found the end of the text%s", quote, what,
                            escaped ? " (a backslash escapes the quote behind it in this dialect)" : "");
}

static lp_status lex_string(lexer *l, size_t prefix_len) {
    bool raw = prefix_len > 0 && (l->text.ptr[l->at] | 0x20) == 'r';
    bool escapes = l->traits->backslash && !raw;
    size_t end = find_close(l, l->at + prefix_len, !raw, escapes);
    if (end == 0) {
        l->at += prefix_len;
        return open_quote_error(l, "text", escapes);
    }
    push(l, TOKEN_STRING, (unsigned)prefix_len, KW_NONE, end - l->at);
    return LP_OK;
}

static lp_status lex_quoted_name(lexer *l) {
    bool escapes = l->traits->backslash && l->text.ptr[l->at] == '"';
    size_t end = find_close(l, l->at, true, escapes);
    if (end == 0) return open_quote_error(l, "name", escapes);
    if (end == l->at + 2 && l->text.ptr[l->at] == '`')
        return sql_syntax_error(l->err, l->text, place(l->at, 2), "expected a name between the quotes, found nothing");
    push(l, TOKEN_QUOTED_NAME, 0, KW_NONE, end - l->at);
    return LP_OK;
}

/* ---- numbers ---- */

static size_t digit_run(const lexer *l, size_t at) {
    size_t start = at;
    while (is_digit(char_at(l, at))) at++;
    return at - start;
}

/* Length of `e+10` at `at`, 0 if there is no exponent. */
static size_t exponent_run(const lexer *l, size_t at) {
    if ((char_at(l, at) | 0x20) != 'e') return 0;
    size_t sign = char_at(l, at + 1) == '+' || char_at(l, at + 1) == '-' ? 1 : 0;
    size_t digits = digit_run(l, at + 1 + sign);
    return digits ? 1 + sign + digits : 0;
}

/* Length of a Spark type suffix at `at`: L long, S short, Y byte, D double, F float, BD decimal. The whole-number ones
 * fit behind digits only. */
static size_t suffix_run(const lexer *l, size_t at, bool whole) {
    if (!l->traits->suffixes) return 0;
    char c = (char)upper(char_at(l, at));
    if (c == 'B' && upper(char_at(l, at + 1)) == 'D') return 2;
    if (c == 'D' || c == 'F') return 1;
    return whole && (c == 'L' || c == 'S' || c == 'Y') ? 1 : 0;
}

/* number: digits [. digits] [exponent] [suffix] | . digits ... */
static lp_status lex_number(lexer *l) {
    size_t whole = digit_run(l, l->at), at = l->at + whole;
    bool is_whole = true;
    if (char_at(l, at) == '.') {
        is_whole = false;
        at++;
        at += digit_run(l, at);
    }
    size_t exponent = exponent_run(l, at);
    at += exponent;
    at += suffix_run(l, at, is_whole && exponent == 0);
    size_t junk = name_run(l, at);
    if (junk == 0) {
        push(l, TOKEN_NUMBER, 0, KW_NONE, at - l->at);
        return LP_OK;
    }
    size_t run = name_run(l, l->at);
    if (is_whole && l->traits->digit_names && l->at + run == at + junk) { /* 2023_sales, where that is a name */
        push(l, TOKEN_NAME, 0, KW_NONE, run);
        return LP_OK;
    }
    char shown[128];
    sql_quote_for_message(str_slice(l->text, at, at + junk), 30, shown, sizeof shown);
    return sql_syntax_error(l->err, l->text, place(at, junk), "expected an operator after the number, found \"%s\"",
                            shown);
}

/* A dot directly behind a name or a closing bracket belongs to it, even before a digit: t.1_c. */
static bool dot_continues_name(const lexer *l) {
    if (l->count == 0) return false;
    const token *last = &l->out[l->count - 1];
    if ((size_t)last->at.start + last->at.len != l->at) return false;
    return (last->kind == TOKEN_NAME && last->word == KW_NONE) || last->kind == TOKEN_QUOTED_NAME ||
           (last->kind == TOKEN_OPERATOR && (last->detail == OPERATOR_RPAREN || last->detail == OPERATOR_RBRACKET));
}

/* ---- the rest ---- */

static lp_status lex_name(lexer *l) {
    char next = char_at(l, l->at + 1), prefix = (char)(l->text.ptr[l->at] | 0x20);
    bool raw = prefix == 'r' && next == '"' && l->traits->backslash;
    if ((next == '\'' || raw) && has_char(l->traits->prefixes, prefix)) return lex_string(l, 1);
    size_t len = name_run(l, l->at);
    push(l, TOKEN_NAME, 0, keyword_find(str_slice(l->text, l->at, l->at + len)), len);
    return LP_OK;
}

static operator_id operator_at(const lexer *l) {
    str rest = str_slice(l->text, l->at, l->at + 3);
    for (int id = 1; id < OPERATOR_COUNT; id++)
        if (operator_texts[id].ptr[0] == rest.ptr[0] && str_starts_with(rest, operator_texts[id]))
            return (operator_id)id;
    return OPERATOR_NONE;
}

static lp_status jinja_error(lexer *l) {
    return sql_syntax_error(l->err, l->text, place(l->at, 2),
                            "expected SQL, found a Jinja tag; give the compiled text (for example of `dbt compile`)");
}

static lp_status bad_character_error(lexer *l) {
    size_t len;
    uint32_t c = code_point_at(l->text, l->at, &len);
    char shown[16];
    sql_quote_for_message(str_slice(l->text, l->at, l->at + len), 1, shown, sizeof shown);
    const char *hint = "";
    if (c == 0x2018 || c == 0x2019 || c == 0x201C || c == 0x201D)
        hint = "; a text is written between straight quotes: '...'";
    return sql_syntax_error(l->err, l->text, place(l->at, len), "expected SQL, found the character %s (U+%04X)%s",
                            shown, c, hint);
}

static lp_status lex_operator(lexer *l) {
    char c = l->text.ptr[l->at], next = char_at(l, l->at + 1);
    if (c == '{' && (next == '{' || next == '%' || next == '#')) return jinja_error(l);
    operator_id id = operator_at(l);
    if (id == OPERATOR_NONE) return bad_character_error(l);
    push(l, TOKEN_OPERATOR, (unsigned)id, KW_NONE, operator_texts[id].len);
    return LP_OK;
}

static lp_status lex_token(lexer *l) {
    char c = l->text.ptr[l->at];
    size_t len;
    if (c == '\'') return lex_string(l, 0);
    if (has_char(l->traits->quotes, c)) return lex_quoted_name(l);
    if (is_digit(c) || (c == '.' && is_digit(char_at(l, l->at + 1)) && !dot_continues_name(l))) return lex_number(l);
    if (is_name_code_point(code_point_at(l->text, l->at, &len))) return lex_name(l);
    return lex_operator(l);
}

static lp_status check_bytes(lexer *l) {
    if (l->text.len > SQL_MAX_TEXT_BYTES)
        return err_set(l->err, LP_ERR_QUERY, "Parse error: expected a text of at most %zu bytes, found %zu",
                       SQL_MAX_TEXT_BYTES, l->text.len);
    if (str_is_utf8(l->text)) return LP_OK;
    size_t bad = 0, len;
    for (; bad < l->text.len; bad += len) {
        unsigned char lead = (unsigned char)l->text.ptr[bad];
        len = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        str one = str_slice(l->text, bad, bad + len);
        if (one.len < len || !str_is_utf8(one)) break;
    }
    return sql_syntax_error(l->err, l->text, place(bad, 1), "expected UTF-8, found the byte 0x%02X",
                            (unsigned)(unsigned char)l->text.ptr[bad]);
}

lp_status sql_lex(arena *query, str text, sql_dialect dialect, const token **out, size_t *out_count, lp_err *err) {
    lexer l = {.query = query, .text = text, .traits = sql_dialect_traits(dialect), .err = err};
    TRY(check_bytes(&l));
    if (str_starts_with(text, STR("\xEF\xBB\xBF"))) l.at = 3; /* a byte order mark */
    for (;;) {
        TRY(skip_blanks(&l));
        if (l.at >= text.len) break;
        TRY(lex_token(&l));
    }
    l.at = l.count ? (size_t)l.out[l.count - 1].at.start + l.out[l.count - 1].at.len : 0;
    push(&l, TOKEN_END, 0, KW_NONE, 0);
    *out = l.out;
    *out_count = l.count;
    return LP_OK;
}
