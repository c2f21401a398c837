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
    bool statements; /* the lexicon of statements, else that of conditions */
    bool dollar_names;
    sql_error *bad; /* SQL_MAX_ERRORS */
    size_t bad_count;
    span bad_at; /* of the error being told, and where to go on behind it */
    size_t resume;
    lp_err *err;
} lexer;

/* ---- tables ---- */

static const str keyword_texts[KW_COUNT] = {
#define LETTER(letter)
#define KEYWORD(word, traits) [KW_##word] = {#word, sizeof #word - 1},
#include "sql/keyword.def"
#undef KEYWORD
};

static const uint8_t keyword_trait_sets[KW_COUNT] = {
#define KEYWORD(word, traits) [KW_##word] = traits,
#include "sql/keyword.def"
#undef KEYWORD
#undef LETTER
};

/* Where the words of a letter start; those of the last letter end at KW_COUNT. */
static const uint16_t first_of_letter[27] = {
    KW_FIRST_A, KW_FIRST_B, KW_FIRST_C, KW_FIRST_D, KW_FIRST_E, KW_FIRST_F, KW_FIRST_G, KW_FIRST_H, KW_FIRST_I,
    KW_FIRST_J, KW_FIRST_K, KW_FIRST_L, KW_FIRST_M, KW_FIRST_N, KW_FIRST_O, KW_FIRST_P, KW_FIRST_Q, KW_FIRST_R,
    KW_FIRST_S, KW_FIRST_T, KW_FIRST_U, KW_FIRST_V, KW_FIRST_W, KW_FIRST_X, KW_FIRST_Y, KW_FIRST_Z, KW_COUNT};

static const str operator_texts[OPERATOR_COUNT] = {
#define OPERATOR(name, text) [OPERATOR_##name] = {text, sizeof text - 1},
#include "sql/operator.def"
#undef OPERATOR
};

str keyword_text(keyword word) {
    return word == KW_NONE ? STR("") : keyword_texts[word];
}

str operator_text(operator_id id) {
    return id == OPERATOR_NONE || id >= OPERATOR_COUNT ? STR("") : operator_texts[id];
}

static unsigned char upper(char c) {
    return c >= 'a' && c <= 'z' ? (unsigned char)(c - 32) : (unsigned char)c;
}

/* Which lengths the words of a letter have, a bit each: most names of a text are no keyword, and end here. The first
 * row belongs to no letter. */
static const uint32_t lengths_of_letter[27] = {0
#define LETTER(letter)        , 0
#define KEYWORD(word, traits) | (uint32_t)1 << (sizeof #word - 1)
#include "sql/keyword.def"
#undef KEYWORD
#undef LETTER
};

/* Compare with a word in upper case. */
static int compare_upper(const char *word, size_t len, str name) {
    int order = memcmp(word, name.ptr, len < name.len ? len : name.len);
    return order ? order : len < name.len ? -1 : len > name.len;
}

enum { LONGEST_KEYWORD = 24 };

keyword keyword_find(str word) {
    char folded[LONGEST_KEYWORD];
    if (word.len == 0 || word.len > LONGEST_KEYWORD) return KW_NONE;
    folded[0] = (char)upper(word.ptr[0]);
    if (folded[0] < 'A' || folded[0] > 'Z') return KW_NONE;
    if (!(lengths_of_letter[folded[0] - 'A' + 1] >> word.len & 1)) return KW_NONE;
    for (size_t i = 1; i < word.len; i++) folded[i] = (char)upper(word.ptr[i]);
    size_t low = first_of_letter[folded[0] - 'A'], high = first_of_letter[folded[0] - 'A' + 1]; /* words are sorted */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_upper(folded, word.len, keyword_texts[middle]);
        if (order == 0) return (keyword)middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return KW_NONE;
}

unsigned keyword_traits(keyword word) {
    return keyword_trait_sets[word];
}

/* ---- characters ---- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

enum { CHAR_NAME = 1, CHAR_BLANK = 2 };

/* What an ASCII character may be; all others are asked for below. */
static const uint8_t char_class[128] = {[' '] = CHAR_BLANK,
                                        ['\t'] = CHAR_BLANK,
                                        ['\n'] = CHAR_BLANK,
                                        ['\v'] = CHAR_BLANK,
                                        ['\f'] = CHAR_BLANK,
                                        ['\r'] = CHAR_BLANK,
                                        ['_'] = CHAR_NAME,
#define NAMES(a, b, c, d, e) [a] = CHAR_NAME, [b] = CHAR_NAME, [c] = CHAR_NAME, [d] = CHAR_NAME, [e] = CHAR_NAME
                                        NAMES('0', '1', '2', '3', '4'),
                                        NAMES('5', '6', '7', '8', '9'),
                                        NAMES('a', 'b', 'c', 'd', 'e'),
                                        NAMES('f', 'g', 'h', 'i', 'j'),
                                        NAMES('k', 'l', 'm', 'n', 'o'),
                                        NAMES('p', 'q', 'r', 's', 't'),
                                        NAMES('u', 'v', 'w', 'x', 'y'),
                                        NAMES('z', 'A', 'B', 'C', 'D'),
                                        NAMES('E', 'F', 'G', 'H', 'I'),
                                        NAMES('J', 'K', 'L', 'M', 'N'),
                                        NAMES('O', 'P', 'Q', 'R', 'S'),
                                        NAMES('T', 'U', 'V', 'W', 'X'),
                                        ['Y'] = CHAR_NAME,
                                        ['Z'] = CHAR_NAME
#undef NAMES
};

static bool is_class(char c, uint8_t class) {
    return (unsigned char)c < 128 && (char_class[(unsigned char)c] & class);
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
    if (c < 0x80) return char_class[c] & CHAR_NAME;
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
        if (is_class(l->text.ptr[at], CHAR_NAME)) {
            at++;
            continue;
        }
        if (!is_name_code_point(code_point_at(l->text, at, &len)) && !(l->dollar_names && l->text.ptr[at] == '$'))
            break;
        at += len;
    }
    return at - start;
}

static size_t digit_run(const lexer *l, size_t at) {
    size_t start = at;
    bool parted = l->statements && l->traits->digit_separators;
    while (is_digit(char_at(l, at)) || (parted && at > start && char_at(l, at) == '_' && is_digit(char_at(l, at + 1))))
        at++;
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

/* Where an error is, and where the next token may start. */
static span bad_place(lexer *l, size_t start, size_t len, size_t resume) {
    l->bad_at = place(start, len);
    l->resume = resume;
    return l->bad_at;
}

/* ---- blanks and comments ---- */

static void skip_line_comment(lexer *l) {
    while (l->at < l->text.len && l->text.ptr[l->at] != '\n') {
        bool continued = l->traits->comment_continues && l->text.ptr[l->at] == '\\' && char_at(l, l->at + 1) == '\n';
        l->at += continued ? 2 : 1;
    }
}

/* A block comment of a dialect where it ends at the first end. */
static lp_status skip_flat_comment(lexer *l) {
    for (size_t at = l->at + 2; at + 1 < l->text.len; at++) {
        if (l->text.ptr[at] != '*' || l->text.ptr[at + 1] != '/') continue;
        l->at = at + 2;
        return LP_OK;
    }
    return sql_syntax_error(l->err, l->text, bad_place(l, l->at, 2, l->text.len),
                            "expected */ to end the comment that starts here, found the end of the text");
}

/* Block comments nest. */
static lp_status skip_block_comment(lexer *l) {
    size_t start = l->at, open = 0;
    do {
        size_t slash;
        str rest = str_slice(l->text, l->at, l->text.len);
        if (rest.len < 2 || !str_find_char(rest, '/', &slash))
            return sql_syntax_error(l->err, l->text, bad_place(l, start, 2, l->text.len),
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

/* A hint of BigQuery: like the comments of other engines that hold hints. */
static lp_status skip_hint(lexer *l) {
    size_t len;
    if (str_find_char(str_slice(l->text, l->at, l->text.len), '}', &len)) {
        l->at += len + 1;
        return LP_OK;
    }
    return sql_syntax_error(l->err, l->text, bad_place(l, l->at, 2, l->text.len),
                            "expected } to end the hint that starts here, found the end of the text");
}

static bool starts_other_comment(const lexer *l, char c, char next) {
    if (!l->statements) return false;
    return (c == '#' && l->traits->hash_comments) || (c == '/' && next == '/' && l->traits->slash_comments);
}

static lp_status skip_blanks(lexer *l) {
    while (l->at < l->text.len) {
        size_t len;
        if (is_class(l->text.ptr[l->at], CHAR_BLANK)) {
            l->at++;
            continue;
        }
        if (is_class(l->text.ptr[l->at], CHAR_NAME)) break;
        char c = l->text.ptr[l->at], next = char_at(l, l->at + 1);
        if (is_blank(code_point_at(l->text, l->at, &len)))
            l->at += len;
        else if ((c == '-' && next == '-') || starts_other_comment(l, c, next))
            skip_line_comment(l);
        else if (c == '@' && next == '{' && l->statements && l->traits->brace_hints)
            TRY(skip_hint(l));
        else if (c == '/' && next == '*')
            TRY(l->statements && l->traits->flat_comments ? skip_flat_comment(l) : skip_block_comment(l));
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
    return sql_syntax_error(l->err, l->text, bad_place(l, l->at, 1, l->text.len),
                            "expected %c to end the %s that starts here, found the end of the text%s", quote, what,
                            escaped ? " (a backslash escapes the quote behind it in this dialect)" : "");
}

/* Length of the quote of three that stands at `at`, or 1. */
static size_t quote_width(const lexer *l, size_t at) {
    char quote = l->text.ptr[at];
    bool triple =
        l->statements && l->traits->triple_quotes && char_at(l, at + 1) == quote && char_at(l, at + 2) == quote;
    return triple ? 3 : 1;
}

/* The offset behind the three quotes that end what starts with three at `open`, or 0. */
static size_t find_triple_close(const lexer *l, size_t open, bool escapes) {
    char quote = l->text.ptr[open];
    for (size_t at = open + 3; at + 2 < l->text.len; at++) {
        if (l->text.ptr[at] == '\\' && escapes)
            at++;
        else if (l->text.ptr[at] == quote && l->text.ptr[at + 1] == quote && l->text.ptr[at + 2] == quote)
            return at + 3;
    }
    return 0;
}

static lp_status lex_string(lexer *l, size_t prefix_len) {
    char prefix = prefix_len > 0 ? (char)(l->text.ptr[l->at] | 0x20) : '\0';
    bool raw = prefix == 'r' || (prefix_len == 2 && (l->text.ptr[l->at + 1] | 0x20) == 'r');
    bool escapes = (l->traits->backslash && !raw) || prefix == 'e';
    bool is_triple = quote_width(l, l->at + prefix_len) == 3;
    bool raw_escapes = is_triple || (raw && l->statements && l->traits->triple_quotes); /* r'\'' is one text there */
    size_t open = l->at + prefix_len;
    size_t end = is_triple ? find_triple_close(l, open, escapes || raw_escapes)
                           : find_close(l, open, !raw, escapes || raw_escapes);
    if (end == 0) {
        l->at += prefix_len;
        return open_quote_error(l, "text", escapes);
    }
    push(l, TOKEN_STRING, (unsigned)prefix_len, KW_NONE, end - l->at);
    return LP_OK;
}

/* $$...$$ or $tag$...$tag$; *taken is false, and nothing taken, if `at` starts none. */
static lp_status lex_dollar_text(lexer *l, bool *taken) {
    size_t tag = l->at + 1;
    l->dollar_names = false;
    size_t tag_len = is_digit(char_at(l, tag)) ? 0 : name_run(l, tag);
    l->dollar_names = l->traits->dollar_names;
    *taken = char_at(l, tag + tag_len) == '$';
    if (!*taken) return LP_OK;
    str mark = str_slice(l->text, l->at, tag + tag_len + 1);
    for (size_t at = l->at + mark.len; at + mark.len <= l->text.len; at++) {
        if (l->text.ptr[at] != '$' || memcmp(l->text.ptr + at, mark.ptr, mark.len) != 0) continue;
        push(l, TOKEN_STRING, 0, KW_NONE, at + mark.len - l->at);
        return LP_OK;
    }
    return sql_syntax_error(l->err, l->text, bad_place(l, l->at, mark.len, l->text.len),
                            "expected " STR_FMT " to end the text that starts here, found the end of the text",
                            STR_ARG(mark));
}

/* $1, $name; a lone dollar sign is an operator, which no grammar wants. */
static lp_status lex_dollar(lexer *l) {
    bool taken = false;
    if (l->traits->dollar_texts) TRY(lex_dollar_text(l, &taken));
    if (taken) return LP_OK;
    size_t digits = digit_run(l, l->at + 1), len = digits ? digits : name_run(l, l->at + 1);
    if (len > 0)
        push(l, TOKEN_PARAMETER, 0, KW_NONE, len + 1);
    else
        push(l, TOKEN_OPERATOR, OPERATOR_DOLLAR, KW_NONE, 1);
    return LP_OK;
}

/* ---- U&"..." ---- */

static bool hex_value(str s, size_t at, size_t digits, uint32_t *out) {
    *out = 0;
    for (size_t i = at; i < at + digits; i++) {
        char c = i < s.len ? s.ptr[i] : '\0', lower = (char)(c | 0x20);
        if (!is_digit(c) && !(lower >= 'a' && lower <= 'f')) return false;
        *out = *out << 4 | (uint32_t)(is_digit(c) ? c - '0' : lower - 'a' + 10);
    }
    return true;
}

/* The number of the escape at *at, which moves behind it: \0061 or \+000061. */
static bool take_number(str s, size_t *at, uint32_t *out) {
    if (*at >= s.len || s.ptr[*at] != '\\') return false;
    bool is_long = *at + 1 < s.len && s.ptr[*at + 1] == '+';
    size_t digits = is_long ? 6 : 4, start = *at + (is_long ? 2 : 1);
    *at = start + digits;
    return hex_value(s, start, digits, out);
}

/* The code point of one escape, or of two as UTF-16 writes what is beyond 16 bits. */
static bool take_escape(str s, size_t *at, uint32_t *out) {
    uint32_t low;
    if (!take_number(s, at, out)) return false;
    if (*out < 0xD800 || *out > 0xDFFF) return *out > 0 && *out <= 0x10FFFF;
    if (*out > 0xDBFF || !take_number(s, at, &low) || low < 0xDC00 || low > 0xDFFF) return false;
    *out = 0x10000 + ((*out - 0xD800) << 10) + (low - 0xDC00);
    return true;
}

static size_t put_code_point(char *out, uint32_t c) {
    size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = len; i > 1; i--, c >>= 6) out[i - 1] = (char)(0x80 | (c & 0x3F));
    out[0] = (char)(len == 1 ? c : lead[len] | c);
    return len;
}

bool sql_unicode_name(arena *owner, str content, str *out) {
    char *name = arena_alloc_raw(owner, content.len); /* an escape is longer than what it stands for */
    size_t used = 0;
    for (size_t at = 0; at < content.len;) {
        char c = content.ptr[at], next = at + 1 < content.len ? content.ptr[at + 1] : '\0';
        uint32_t code = 0;
        if (c != '\\' || next == '\\') {
            name[used++] = c;
            at += c == '\\' || (c == '"' && next == '"') ? 2 : 1;
        } else if (take_escape(content, &at, &code)) {
            used += put_code_point(name + used, code);
        } else {
            return false;
        }
    }
    *out = (str){name, used};
    return true;
}

static bool starts_unicode_name(const lexer *l) {
    return l->statements && l->traits->unicode_names && (l->text.ptr[l->at] | 0x20) == 'u' &&
           char_at(l, l->at + 1) == '&' && char_at(l, l->at + 2) == '"';
}

static lp_status lex_unicode_name(lexer *l) {
    size_t open = l->at + 2, end = find_close(l, open, true, false);
    str name;
    if (end == 0) {
        l->at = open;
        return open_quote_error(l, "name", false);
    }
    if (!sql_unicode_name(l->query, str_slice(l->text, open + 1, end - 1), &name))
        return sql_syntax_error(l->err, l->text, bad_place(l, l->at, end - l->at, end),
                                "expected four hexadecimal digits behind each \\, or + and six of them");
    push(l, TOKEN_QUOTED_NAME, 2, KW_NONE, end - l->at);
    return LP_OK;
}

/* ---- names ---- */

/* A condition may hold "..." that is a text to Spark; in a statement it is a name, where a backslash is nothing else. */
static lp_status lex_quoted_name(lexer *l) {
    bool escapes = l->traits->backslash && l->text.ptr[l->at] == '"' && !l->statements;
    size_t end = find_close(l, l->at, true, escapes);
    if (end == 0) return open_quote_error(l, "name", escapes);
    if (end == l->at + 2 && l->text.ptr[l->at] == '`')
        return sql_syntax_error(l->err, l->text, bad_place(l, l->at, 2, l->at + 2),
                                "expected a name between the quotes, found nothing");
    push(l, TOKEN_QUOTED_NAME, 0, KW_NONE, end - l->at);
    return LP_OK;
}

/* ---- numbers ---- */

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

/* Hexadecimal, octal and binary numbers: 0x1F; 0 if there is none. */
static size_t radix_run(const lexer *l) {
    char kind = (char)(char_at(l, l->at + 1) | 0x20);
    if (!l->statements || !l->traits->digit_separators || l->text.ptr[l->at] != '0') return 0;
    if (kind != 'x' && kind != 'o' && kind != 'b') return 0;
    size_t run = name_run(l, l->at + 2);
    return run ? run + 2 : 0;
}

/* my-project-123.d, @stage/1.csv: digits that a dot and a name follow are a part of something longer; 1.e5, 1.D and 1.
 * are numbers. */
static bool dot_starts_name(const lexer *l, size_t dot) {
    if (!l->statements || is_digit(char_at(l, dot + 1))) return false;
    size_t run = name_run(l, dot + 1), end = dot + 1 + exponent_run(l, dot + 1);
    end += suffix_run(l, end, false);
    return run > 0 && end < dot + 1 + run;
}

/* my-project-1a: behind a hyphen that touches a name digits may start one. */
static bool continues_hyphen_name(const lexer *l) {
    if (!l->statements || !l->traits->hyphen_names || l->count < 2) return false;
    const token *minus = &l->out[l->count - 1], *name = minus - 1;
    return minus->kind == TOKEN_OPERATOR && minus->detail == OPERATOR_MINUS && minus->at.start + 1 == l->at &&
           (name->kind == TOKEN_NAME || name->kind == TOKEN_NUMBER) && name->at.start + name->at.len == minus->at.start;
}

/* number: digits [. digits] [exponent] [suffix] | . digits ... */
static lp_status lex_number(lexer *l) {
    size_t whole = digit_run(l, l->at), at = l->at + whole, radix = radix_run(l);
    bool is_whole = true;
    if (radix > 0) {
        push(l, TOKEN_NUMBER, 0, KW_NONE, radix);
        return LP_OK;
    }
    if (char_at(l, at) == '.' && !dot_starts_name(l, at)) {
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
    if (is_whole && (l->traits->digit_names || continues_hyphen_name(l)) &&
        l->at + run == at + junk) { /* 2023_sales, where that is a name */
        push(l, TOKEN_NAME, 0, KW_NONE, run);
        return LP_OK;
    }
    char shown[128];
    sql_quote_for_message(str_slice(l->text, at, at + junk), 30, shown, sizeof shown);
    return sql_syntax_error(l->err, l->text, bad_place(l, at, junk, at + junk),
                            "expected an operator after the number, found \"%s\"", shown);
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

/* Length of the letters before a quote that make it a text of a kind: 0 for none. */
static size_t prefix_length(const lexer *l) {
    char prefix = (char)(l->text.ptr[l->at] | 0x20), next = char_at(l, l->at + 1);
    bool text_quote = next == '"' && l->statements && l->traits->quoted_texts;
    bool raw = prefix == 'r' && next == '"' && l->traits->backslash;
    if ((next == '\'' || raw || text_quote) && prefix != 'u' && has_char(l->traits->prefixes, prefix)) return 1;
    if (!l->statements) return 0;
    char third = char_at(l, l->at + 2);
    if (prefix == 'u' && next == '&' && third == '\'' && has_char(l->traits->prefixes, 'u')) return 2;
    bool both = (prefix == 'r' && (next | 0x20) == 'b') || (prefix == 'b' && (next | 0x20) == 'r');
    return both && l->traits->triple_quotes && (third == '\'' || third == '"') ? 2 : 0;
}

static lp_status lex_name(lexer *l) {
    if (starts_unicode_name(l)) return lex_unicode_name(l);
    size_t prefix = prefix_length(l);
    if (prefix > 0) return lex_string(l, prefix);
    size_t len = name_run(l, l->at);
    keyword word = keyword_find(str_slice(l->text, l->at, l->at + len));
    if (!l->statements && !(keyword_traits(word) & WORD_OF_PREDICATE)) word = KW_NONE;
    push(l, TOKEN_NAME, 0, word, len);
    return LP_OK;
}

/* The first row of operator.def with that character; the others follow it (a test checks it). */
static const uint8_t first_operator[128] = {['<'] = OPERATOR_NULLSAFE,   ['>'] = OPERATOR_SHIFT_RIGHT_UNSIGNED,
                                            ['='] = OPERATOR_NAMED,      ['!'] = OPERATOR_NE_BANG,
                                            ['|'] = OPERATOR_CONCAT,     ['&'] = OPERATOR_AND_AND,
                                            ['^'] = OPERATOR_BIT_XOR,    ['~'] = OPERATOR_TILDE,
                                            ['-'] = OPERATOR_ARROW_TEXT, ['+'] = OPERATOR_PLUS,
                                            ['*'] = OPERATOR_POWER,      ['/'] = OPERATOR_SLASH,
                                            ['%'] = OPERATOR_PERCENT,    ['#'] = OPERATOR_PATH_TEXT,
                                            ['@'] = OPERATOR_CONTAINS,   [':'] = OPERATOR_CAST,
                                            ['?'] = OPERATOR_QUESTION,   ['$'] = OPERATOR_DOLLAR,
                                            ['('] = OPERATOR_LPAREN,     [')'] = OPERATOR_RPAREN,
                                            ['['] = OPERATOR_LBRACKET,   [']'] = OPERATOR_RBRACKET,
                                            ['{'] = OPERATOR_LBRACE,     ['}'] = OPERATOR_RBRACE,
                                            [','] = OPERATOR_COMMA,      ['.'] = OPERATOR_DOT,
                                            [';'] = OPERATOR_SEMICOLON};

static operator_id operator_at(const lexer *l) {
    char c = l->text.ptr[l->at], next = char_at(l, l->at + 1), third = char_at(l, l->at + 2);
    int id = (unsigned char)c < 128 ? first_operator[(unsigned char)c] : OPERATOR_NONE;
    for (; id != OPERATOR_NONE && id < OPERATOR_COUNT && operator_texts[id].ptr[0] == c; id++) {
        str text = operator_texts[id];
        if ((text.len < 2 || text.ptr[1] == next) && (text.len < 3 || text.ptr[2] == third)) return (operator_id)id;
    }
    return OPERATOR_NONE;
}

/* ---- operators of statements ---- */

static bool is_operator_char(char c) {
    return has_char("+-*/<>=~!@#%^&|`?", c);
}

/* PostgreSQL, Lexical Structure, Operators: the longest run, which ends before a comment, and which ends with + or -
 * only if it holds one of ~ ! @ # % ^ & | ` ?. */
static size_t custom_run(const lexer *l) {
    size_t len = 0;
    bool special = false;
    for (char c; is_operator_char(c = char_at(l, l->at + len)); len++) {
        char next = char_at(l, l->at + len + 1);
        if ((c == '-' && next == '-') || (c == '/' && next == '*')) break;
        special = special || has_char("~!@#%^&|`?", c);
    }
    while (len > 1 && !special && has_char("+-", l->text.ptr[l->at + len - 1])) len--;
    return len;
}

/* Operators that only statements have; those of them that only a grammar of operators can part are read by custom_run.
 */
static size_t statement_operator(const lexer *l) {
    static const char *const texts[] = {"|>", "~*", "!~*", "!~", "//", NULL};
    for (int i = 0; texts[i]; i++) {
        str text = str_from(texts[i]);
        if (!str_starts_with(str_slice(l->text, l->at, l->text.len), text)) continue;
        if (text.ptr[0] == '|' && !l->traits->pipes) continue;
        if (text.ptr[0] == '/' && !l->traits->integer_division) continue;
        return text.len;
    }
    return 0;
}

static lp_status lex_statement_operator(lexer *l, operator_id known) {
    size_t len = l->traits->custom_operators ? custom_run(l) : statement_operator(l);
    size_t known_len = known == OPERATOR_NONE ? 0 : operator_texts[known].len;
    bool signs = len == known_len + 1 && has_char("+-", l->text.ptr[l->at + len - 1]); /* a!=-1, where people mean it */
    if (signs || (known == OPERATOR_QUESTION && !has_char("|&", char_at(l, l->at + 1)))) len = known_len;
    bool pipe = len == 2 && l->text.ptr[l->at] == '|' && l->text.ptr[l->at + 1] == '>' && l->traits->pipes;
    if (pipe)
        push(l, TOKEN_OPERATOR, OPERATOR_PIPE, KW_NONE, 2);
    else if (len > known_len)
        push(l, TOKEN_OPERATOR, OPERATOR_CUSTOM, KW_NONE, len);
    else
        push(l, TOKEN_OPERATOR, (unsigned)known, KW_NONE, known_len);
    return LP_OK;
}

static lp_status jinja_error(lexer *l) {
    static const char *const close[] = {"}}", "%}", "#}"};
    char kind = l->text.ptr[l->at + 1];
    const char *end = close[kind == '{' ? 0 : kind == '%' ? 1 : 2];
    size_t at = l->at + 2;
    while (at < l->text.len && !str_starts_with(str_slice(l->text, at, at + 2), str_from(end))) at++;
    return sql_syntax_error(l->err, l->text, bad_place(l, l->at, 2, at < l->text.len ? at + 2 : l->at + 2),
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
    return sql_syntax_error(l->err, l->text, bad_place(l, l->at, len, l->at + len),
                            "expected SQL, found the character %s (U+%04X)%s", shown, c, hint);
}

static lp_status lex_operator(lexer *l) {
    char c = l->text.ptr[l->at], next = char_at(l, l->at + 1);
    if (c == '{' && (next == '{' || next == '%' || next == '#')) return jinja_error(l);
    operator_id id = operator_at(l);
    if (l->statements && (is_operator_char(c) && (id != OPERATOR_NONE || l->traits->custom_operators)))
        return lex_statement_operator(l, id);
    if (id == OPERATOR_NONE) return bad_character_error(l);
    push(l, TOKEN_OPERATOR, (unsigned)id, KW_NONE, operator_texts[id].len);
    return LP_OK;
}

static lp_status lex_token(lexer *l) {
    char c = l->text.ptr[l->at];
    size_t len;
    if (is_class(c, CHAR_NAME) && !is_digit(c)) return lex_name(l);
    if (c == '\'' || (c == '"' && l->statements && l->traits->quoted_texts)) return lex_string(l, 0);
    if ((c == '"' || c == '`') && has_char(l->traits->quotes, c)) return lex_quoted_name(l);
    if (c == '$' && l->statements) return lex_dollar(l);
    if (c == '#' && l->statements && l->traits->hash_names && name_run(l, l->at + 1) > 0) {
        push(l, TOKEN_NAME, 0, KW_NONE, 1 + name_run(l, l->at + 1));
        return LP_OK;
    }
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

static void skip_byte_order_mark(lexer *l) {
    if (str_starts_with(l->text, STR("\xEF\xBB\xBF"))) l->at = 3;
}

static void push_end(lexer *l) {
    l->at = l->count ? (size_t)l->out[l->count - 1].at.start + l->out[l->count - 1].at.len : 0;
    push(l, TOKEN_END, 0, KW_NONE, 0);
}

lp_status sql_lex(arena *query, str text, sql_dialect dialect, const token **out, size_t *out_count, lp_err *err) {
    lexer l = {.query = query, .text = text, .traits = sql_dialect_traits(dialect), .err = err};
    TRY(check_bytes(&l));
    skip_byte_order_mark(&l);
    for (;;) {
        TRY(skip_blanks(&l));
        if (l.at >= text.len) break;
        TRY(lex_token(&l));
    }
    push_end(&l);
    *out = l.out;
    *out_count = l.count;
    return LP_OK;
}

static lp_status lex_next(lexer *l) {
    TRY(skip_blanks(l));
    return l->at < l->text.len ? lex_token(l) : LP_OK;
}

static void keep_error(lexer *l) {
    if (!l->bad) l->bad = ARENA_ARRAY(l->query, sql_error, SQL_MAX_ERRORS);
    l->bad[l->bad_count] = (sql_error){str_copy(l->query, str_from(l->err->text)), l->bad_at};
    l->at = l->bad_at.start;
    push(l, TOKEN_BAD, 0, (keyword)l->bad_count++, l->bad_at.len);
    l->at = l->resume;
}

lp_status sql_lex_statements(arena *query, str text, sql_dialect dialect, token_list *out, lp_err *err) {
    lp_err own = {0};
    lexer l = {.query = query, .text = text, .traits = sql_dialect_traits(dialect), .err = err, .statements = true};
    TRY(check_bytes(&l));
    l.err = &own;
    l.dollar_names = l.traits->dollar_names;
    skip_byte_order_mark(&l);
    while (l.at < text.len && l.bad_count < SQL_MAX_ERRORS)
        if (lex_next(&l) != LP_OK) keep_error(&l);
    push_end(&l);
    *out = (token_list){l.out, l.count, l.bad, l.bad_count};
    return LP_OK;
}
