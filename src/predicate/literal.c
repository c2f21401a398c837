/* literal.c - tokens of literals, and the readings that typing gives them.
 * Called by: this room, prune.  Must not know: which column a literal is compared with, beyond its type.
 */
#include "predicate/literal.h"

#include <string.h>

int reading_compare(const value *column_value, const reading *r) {
    return r->is_number ? number_compare(column_value, &r->number) : value_compare(column_value, &r->v);
}

str literal_pad(arena *out, str s, int32_t width) {
    size_t have = str_count_code_points(s), want = (size_t)width;
    if (have >= want) return s;
    char *padded = arena_alloc_raw(out, s.len + want - have);
    memcpy(padded, s.ptr, s.len);
    memset(padded + s.len, ' ', want - have);
    return (str){padded, s.len + want - have};
}

value reading_convert(const reading *r, const value *column_value, arena *scratch) {
    value v = *column_value;
    switch (r->domain) {
    case READING_EXACT: return v;
    case READING_DOUBLE: return value_to_double(&v);
    case READING_FLOAT: return value_to_float(&v);
    case READING_PADDED: v.s = literal_pad(scratch, v.s, r->width); return v;
    case READING_DATE_AS_WALL:
        v.kind = VALUE_TIMESTAMP_NTZ;
        if (__builtin_mul_overflow(v.i, INT64_C(86400000000), &v.i)) v.i = column_value->i < 0 ? INT64_MIN : INT64_MAX;
        return v;
    }
    UNREACHABLE();
}

bool literal_equal(const literal *a, const literal *b) {
    bool same_reading = a->suffix == b->suffix && a->is_raw == b->is_raw && a->has_doubled == b->has_doubled;
    return a->kind == b->kind && same_reading && str_eq(a->raw, b->raw);
}

static void print_quoted(buf *out, const char *type_name, str text) {
    buf_printf(out, "%s'", type_name);
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\'') buf_put_char(out, '\'');
        buf_put_char(out, text.ptr[i]);
    }
    buf_put_char(out, '\'');
}

/* The suffix L says only what a whole number is anyway. */
static void print_number(buf *out, const literal *l) {
    buf_put(out, l->raw);
    if (l->suffix == 0 || l->suffix == 'L') return;
    buf_put(out, l->suffix == 'B' ? STR("BD") : (str){&l->suffix, 1});
}

void literal_print(buf *out, const literal *l) {
    switch (l->kind) {
    case LITERAL_NUMBER: print_number(out, l); return;
    case LITERAL_STRING: print_quoted(out, l->is_raw && l->has_backslash ? "r" : "", l->raw); return;
    case LITERAL_BOOLEAN:
    case LITERAL_NULL: buf_put(out, l->raw); return;
    case LITERAL_DATE: print_quoted(out, "DATE ", l->raw); return;
    case LITERAL_TIMESTAMP: print_quoted(out, "TIMESTAMP ", l->raw); return;
    case LITERAL_TIMESTAMP_NTZ: print_quoted(out, "TIMESTAMP_NTZ ", l->raw); return;
    case LITERAL_BINARY: print_quoted(out, "X", l->raw); return;
    }
    UNREACHABLE();
}

void literal_dump(buf *out, const literal *l) {
    static const char *const name[] = {"Number", "Str", "Bool", "Null", "Date", "Timestamp", "TimestampNtz", "Binary"};
    if (l->kind == LITERAL_NULL) {
        buf_put(out, STR("Null"));
        return;
    }
    buf_printf(out, "%s(", name[l->kind]);
    if (l->kind == LITERAL_BOOLEAN) {
        buf_printf(out, STR_FMT ")", STR_ARG(l->raw));
        return;
    }
    buf_put_char(out, '"');
    for (size_t i = 0; i < l->raw.len; i++) {
        if (l->raw.ptr[i] == '"' || l->raw.ptr[i] == '\\') buf_put_char(out, '\\');
        buf_put_char(out, l->raw.ptr[i]);
    }
    buf_put(out, STR("\")"));
}

/* ------------------------------------------------------------------------------------------------ readings */

static str without_quotes(arena *query, str raw) {
    buf b;
    buf_init(&b, query, SIZE_MAX / 2);
    for (size_t i = 0; i < raw.len; i++)
        if (raw.ptr[i] != '\'') buf_put_char(&b, raw.ptr[i]);
    return buf_str(&b);
}

static void add_distinct(str text[LITERAL_MAX_TEXTS], size_t *count, str candidate) {
    for (size_t i = 0; i < *count; i++)
        if (str_eq(text[i], candidate)) return;
    text[(*count)++] = candidate;
}

size_t literal_texts(arena *query, const literal *l, str text[LITERAL_MAX_TEXTS]) {
    size_t count = 0;
    bool escapes = l->has_backslash && !l->is_raw;
    add_distinct(text, &count, l->raw);
    if (escapes) add_distinct(text, &count, literal_unescape(query, l->raw));
    if (!l->has_doubled) return count;
    str joined = without_quotes(query, l->raw);
    add_distinct(text, &count, joined);
    if (escapes) add_distinct(text, &count, literal_unescape(query, joined));
    return count;
}

/* ------------------------------------------------------------------------------------------------ escapes */

static bool hex_digits(str s, size_t count, uint32_t *scalar) {
    if (s.len < count) return false;
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        char c = s.ptr[i];
        uint32_t digit = c >= '0' && c <= '9' ? (uint32_t)(c - '0') : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10) : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10) : 16;
        if (digit == 16) return false;
        sum = sum << 4 | digit;
    }
    *scalar = sum;
    return true;
}

static bool octal_digits(str s, uint32_t *byte) {
    if (s.len < 3 || s.ptr[0] < '0' || s.ptr[0] > '1') return false;
    uint32_t sum = 0;
    for (size_t i = 0; i < 3; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '7') return false;
        sum = sum << 3 | (uint32_t)(s.ptr[i] - '0');
    }
    *byte = sum;
    return true;
}

static void put_scalar(buf *b, uint32_t c) {
    if (c < 0x80) {
        buf_put_char(b, (char)c);
    } else if (c < 0x800) {
        buf_put_char(b, (char)(0xC0 | c >> 6));
        buf_put_char(b, (char)(0x80 | (c & 0x3F)));
    } else if (c < 0x10000) {
        buf_put_char(b, (char)(0xE0 | c >> 12));
        buf_put_char(b, (char)(0x80 | (c >> 6 & 0x3F)));
        buf_put_char(b, (char)(0x80 | (c & 0x3F)));
    } else {
        buf_put_char(b, (char)(0xF0 | c >> 18));
        buf_put_char(b, (char)(0x80 | (c >> 12 & 0x3F)));
        buf_put_char(b, (char)(0x80 | (c >> 6 & 0x3F)));
        buf_put_char(b, (char)(0x80 | (c & 0x3F)));
    }
}

/* A \u escape may be the first half of a surrogate pair. Returns the bytes used after the `u`, 0 if it is no escape. */
static size_t put_u16(buf *b, str s) {
    uint32_t high, low;
    if (!hex_digits(s, 4, &high)) return 0;
    if (high < 0xD800 || high > 0xDFFF) return put_scalar(b, high), 4;
    str rest = str_slice(s, 4, s.len);
    bool pair = high < 0xDC00 && str_starts_with(rest, STR("\\u")) && hex_digits(str_slice(rest, 2, rest.len), 4, &low) &&
                low >= 0xDC00 && low <= 0xDFFF;
    if (!pair) return put_scalar(b, 0xFFFD), 4;
    put_scalar(b, 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
    return 10;
}

static size_t put_u32(buf *b, str s) {
    uint32_t scalar;
    if (!hex_digits(s, 8, &scalar) || scalar > 0x10FFFF || (scalar >= 0xD800 && scalar <= 0xDFFF)) return 0;
    return put_scalar(b, scalar), 8;
}

/* `s` starts behind the backslash and is not empty. Returns the bytes used. */
static size_t put_escape(buf *b, str s) {
    str rest = str_slice(s, 1, s.len);
    uint32_t byte;
    size_t used;
    if (s.ptr[0] == 'u' && (used = put_u16(b, rest)) > 0) return 1 + used;
    if (s.ptr[0] == 'U' && (used = put_u32(b, rest)) > 0) return 1 + used;
    if (octal_digits(s, &byte)) return put_scalar(b, byte), 3;
    static const char from[] = "0btnrZ", to[] = {0, '\b', '\t', '\n', '\r', 26};
    const char *known = memchr(from, s.ptr[0], sizeof from - 1);
    if (known) return buf_put_char(b, to[known - from]), 1;
    if (s.ptr[0] == '%' || s.ptr[0] == '_') buf_put_char(b, '\\');
    buf_put_char(b, s.ptr[0]);
    return 1;
}

str literal_unescape(arena *query, str raw) {
    buf b;
    buf_init(&b, query, SIZE_MAX / 2);
    for (size_t at = 0; at < raw.len;) {
        if (raw.ptr[at] == '\\' && at + 1 < raw.len) at += 1 + put_escape(&b, str_slice(raw, at + 1, raw.len));
        else buf_put_char(&b, raw.ptr[at++]);
    }
    return buf_str(&b);
}
