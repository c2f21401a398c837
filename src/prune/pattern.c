/* pattern.c - match LIKE patterns.
 * Called by: prune/program.c, prune/eval.c.  Must not know: predicates beyond the leaf.
 *
 * In Spark a backslash in a string literal is resolved first, and the LIKE operator then takes a backslash as its
 * escape character; other engines take the literal as it stands, with a backslash as escape or as a plain character.
 * All combinations are tried, and their results are joined.
 */
#include "prune/pattern.h"

#include "base/utf8.h"

enum { MAX_PATTERNS = 4 * LITERAL_MAX_TEXTS };

typedef struct one_pattern {
    str text;
    uint32_t escape; /* 0: none */
} one_pattern;

struct pattern_set {
    one_pattern item[MAX_PATTERNS];
    size_t count; /* 0: the escape is no single character, nothing can be said */
};

static void add(pattern_set *s, str text, uint32_t escape) {
    s->item[s->count++] = (one_pattern){text, escape};
}

static bool single_scalar(str s, uint32_t *out) {
    if (s.len == 0) return false;
    size_t at = 0;
    *out = utf8_next(s, &at);
    return at == s.len;
}

static void add_with_escape(pattern_set *s, arena *query, const literal *pattern, str escape_text) {
    uint32_t escape;
    if (!single_scalar(escape_text, &escape)) return;
    str text[LITERAL_MAX_TEXTS];
    size_t count = literal_texts(query, pattern, text);
    for (size_t i = 0; i < count; i++) add(s, text[i], escape);
}

pattern_set *pattern_set_new(arena *query, const literal *pattern, const literal *escape) {
    pattern_set *s = ARENA_NEW(query, pattern_set);
    if (escape) {
        add_with_escape(s, query, pattern, escape->raw);
        if (escape->has_backslash) add_with_escape(s, query, pattern, literal_unescape(query, escape->raw));
        return s;
    }
    str text[LITERAL_MAX_TEXTS];
    size_t count = literal_texts(query, pattern, text);
    for (size_t i = 0; i < count; i++) {
        add(s, text[i], 0);
        if (pattern->has_backslash) add(s, text[i], '\\');
    }
    return s;
}

/* ---------------------------------------------------------------------------------------------- matching */

typedef enum pattern_step { STEP_PLAIN, STEP_ONE, STEP_ANY } pattern_step;

static pattern_step next_step(str pattern, uint32_t escape, size_t *at, uint32_t *plain) {
    *plain = utf8_next(pattern, at);
    if (escape && *plain == escape && *at < pattern.len) {
        *plain = utf8_next(pattern, at);
        return STEP_PLAIN;
    }
    return *plain == '%' ? STEP_ANY : *plain == '_' ? STEP_ONE : STEP_PLAIN;
}

/* Greedy with one point to return to: the last `%` takes one more character when the rest fails. */
bool pattern_matches(str pattern, uint32_t escape, str text) {
    size_t p = 0, t = 0, retry_pattern = SIZE_MAX, retry_text = 0;
    for (;;) {
        if (p == pattern.len && t == text.len) return true;
        size_t next_p = p, next_t = t;
        uint32_t plain = 0;
        pattern_step step = p < pattern.len ? next_step(pattern, escape, &next_p, &plain) : STEP_PLAIN;
        if (p < pattern.len && step == STEP_ANY) {
            retry_pattern = p = next_p;
            retry_text = t;
            continue;
        }
        bool fits = p < pattern.len && t < text.len;
        if (fits) {
            uint32_t c = utf8_next(text, &next_t);
            fits = step == STEP_ONE || c == plain;
        }
        if (fits) {
            p = next_p;
            t = next_t;
            continue;
        }
        if (retry_pattern == SIZE_MAX || retry_text >= text.len) return false;
        (void)utf8_next(text, &retry_text);
        p = retry_pattern;
        t = retry_text;
    }
}

static outcome_set match_text(const pattern_set *patterns, str text) {
    unsigned set = OUTCOME_NONE;
    for (size_t i = 0; i < patterns->count; i++)
        set |= pattern_matches(patterns->item[i].text, patterns->item[i].escape, text) ? OUTCOME_TRUE : OUTCOME_FALSE;
    return (outcome_set)set;
}

/* ------------------------------------------------------------------------------------- by partition value */

static bool has_fixed_text(type_kind kind) {
    return kind == TYPE_STRING || type_is_integer(kind) || kind == TYPE_DATE || kind == TYPE_BOOLEAN;
}

/* The value's own text and, where it may differ (07, TRUE), the text that is stored. */
static outcome_set like_by_value(const column_fact *fact, const data_type *type, const pattern_set *patterns,
                                 arena *scratch) {
    if (type->kind == TYPE_STRING) {
        unsigned set = match_text(patterns, fact->low.s);
        if (type->char_length > 0) set |= match_text(patterns, literal_pad(scratch, fact->low.s, type->char_length));
        return (outcome_set)set;
    }
    buf b;
    buf_init(&b, scratch, 4096);
    value_print(&b, &fact->low);
    return match_text(patterns, buf_str(&b)) | match_text(patterns, fact->text);
}

/* ------------------------------------------------------------------------------------------- by bounds */

/* The plain text before the first wildcard; *only_prefix: nothing but `%` follows. */
static str plain_prefix(const one_pattern *p, arena *scratch, bool *only_prefix) {
    buf b;
    buf_init(&b, scratch, SIZE_MAX / 2);
    size_t at = 0, wild = 0;
    uint32_t plain;
    while (at < p->text.len) {
        wild = at;
        if (next_step(p->text, p->escape, &at, &plain) != STEP_PLAIN) break;
        buf_put(&b,
                str_slice(p->text,
                          p->escape && at - wild > 1 && (unsigned char)p->text.ptr[wild] == p->escape ? wild + 1 : wild,
                          at));
        wild = at;
    }
    *only_prefix = wild < p->text.len;
    for (size_t i = wild; i < p->text.len; i++) *only_prefix &= p->text.ptr[i] == '%';
    return buf_str(&b);
}

static bool is_single(const column_fact *fact) {
    return fact->has_low && fact->has_high && !fact->high.above_prefix && str_eq(fact->low.s, fact->high.s);
}

static outcome_set like_by_bounds(const column_fact *fact, const one_pattern *p, arena *scratch) {
    bool only_prefix;
    if (is_single(fact)) return pattern_matches(p->text, p->escape, fact->low.s) ? OUTCOME_TRUE : OUTCOME_FALSE;
    str prefix = plain_prefix(p, scratch, &only_prefix);
    if (p->escape >= 0x80) return OUTCOME_TRUE | OUTCOME_FALSE;
    value from = {.kind = VALUE_STRING, .s = prefix}, to = {.kind = VALUE_STRING, .s = prefix, .above_prefix = true};
    bool high_reaches = !fact->has_high || value_compare(&fact->high, &from) >= 0;
    bool low_reaches = !fact->has_low || value_compare(&fact->low, &to) <= 0;
    unsigned set = OUTCOME_FALSE;
    if (high_reaches && low_reaches) set |= OUTCOME_TRUE;
    bool all_match = only_prefix && fact->has_low && fact->has_high && str_starts_with(fact->low.s, prefix) &&
                     str_starts_with(fact->high.s, prefix);
    if (all_match) set = OUTCOME_TRUE;
    return (outcome_set)set;
}

outcome_set pattern_within(const column_fact *fact, str pattern, uint32_t escape, arena *scratch) {
    one_pattern p = {pattern, escape};
    return like_by_bounds(fact, &p, scratch);
}

outcome_set fact_like(const column_fact *fact, const data_type *type, const pattern_set *patterns, bool *abstained,
                      arena *scratch) {
    unsigned set = fact->can_be_null ? OUTCOME_NULL : OUTCOME_NONE;
    if (!fact->can_be_value) return (outcome_set)set;
    bool by_value = fact->is_text_known && has_fixed_text(type->kind);
    bool by_bounds = !fact->is_text_known && type->kind == TYPE_STRING && type->char_length == 0;
    if (patterns->count == 0 || !(by_value || by_bounds)) {
        *abstained = true;
        return (outcome_set)(set | OUTCOME_TRUE | OUTCOME_FALSE);
    }
    if (by_value) return (outcome_set)(set | like_by_value(fact, type, patterns, scratch));
    for (size_t i = 0; i < patterns->count; i++) set |= like_by_bounds(fact, &patterns->item[i], scratch);
    return (outcome_set)set;
}
