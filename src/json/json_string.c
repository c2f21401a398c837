/* json_string.c - the inside of strings and numbers: escapes checked and resolved, whole numbers read.
 * Called by: json_reader.c; delta, dbt through json.h.  Must not know: the grammar around a token.
 * Source: RFC 8259, sections 6 and 7.
 */
#include <string.h>

#include "json/json.h"
#include "json/json_scan.h"

/* What an escape stands for, by the byte after the backslash: 0 for none, 'u' for \u. */
static const char meaning[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b', ['f'] = '\f',
    ['n'] = '\n', ['r'] = '\r',  ['t'] = '\t', ['u'] = 'u',
};

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* ---- checking ---- */

/* Bytes of the escape whose backslash is at `at`, 0 if it is none. */
static size_t escape_length(const char *text, size_t at, size_t to, scan_fault *fault) {
    if (at + 1 >= to || meaning[(unsigned char)text[at + 1]] == 0) {
        *fault = (scan_fault){at + 1, "one of \"\\/bfnrtu after a backslash"};
        return 0;
    }
    if (text[at + 1] != 'u') return 2;
    for (size_t i = at + 2; i < at + 6; i++) {
        if (i < to && hex_digit(text[i]) >= 0) continue;
        *fault = (scan_fault){i, "four hex digits after \\u"};
        return 0;
    }
    return 6;
}

/* The lowest bits: those of the bytes in [at, to). */
static uint64_t bits_before(size_t at, size_t to) {
    return to - at < 64 ? ((uint64_t)1 << (to - at)) - 1 : ~(uint64_t)0;
}

/* Blocks whose escapes are all `\"`, as in JSON inside of JSON, are seen to be right without a look at each. */
bool scan_escapes(const char *text, size_t from, size_t to, scan_fault *fault) {
    bool carry = false;
    for (size_t at = from; at < to; at += 64) {
        uint64_t inside = bits_before(at, to), first = carry; /* first: the escape began one byte before the block */
        uint64_t starts = escape_starts(scan_char(text + at, '\\') & inside, &carry);
        uint64_t escaped = starts << 1 | first;
        if (LIKELY(escaped == (scan_char(text + at, '"') & inside))) continue;
        if (first && escape_length(text, at - 1, to, fault) == 0) return false;
        for (uint64_t left = starts; left; left &= left - 1)
            if (escape_length(text, at + (size_t)__builtin_ctzll(left), to, fault) == 0) return false;
    }
    return true;
}

/* ---- resolving ---- */

static uint32_t hex4(const char *p) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) value = value << 4 | (uint32_t)hex_digit(p[i]);
    return value;
}

static bool is_low_surrogate(uint32_t unit) {
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

static size_t put_utf8(char *to, uint32_t c) {
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    size_t more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
    to[0] = (char)(lead[more] | c >> (6 * more));
    for (size_t i = 1; i <= more; i++) to[i] = (char)(0x80 | (c >> (6 * (more - i)) & 0x3F));
    return more + 1;
}

/* Resolve the \u escape at `at`, which was checked before; never writes more than it reads. Returns how many bytes were
 * read: 12 for a pair of surrogates. */
static size_t resolve_unicode(str s, size_t at, char **to) {
    uint32_t unit = hex4(s.ptr + at + 2);
    size_t used = 6;
    if (unit >= 0xD800 && unit <= 0xDBFF && s.len - at >= 12 && s.ptr[at + 6] == '\\' && s.ptr[at + 7] == 'u' &&
        is_low_surrogate(hex4(s.ptr + at + 8))) {
        unit = 0x10000 + ((unit - 0xD800) << 10) + (hex4(s.ptr + at + 8) - 0xDC00);
        used = 12;
    } else if (unit >= 0xD800 && unit <= 0xDFFF) {
        unit = 0xFFFD;
    }
    *to += put_utf8(*to, unit);
    return used;
}

/* Copy a run between escapes. Most are short: 16 bytes go over without a look, the excess is overwritten or padding. */
static char *put_run(char *to, const char *from, size_t size) {
    memcpy(to, from, 16);
    if (UNLIKELY(size > 16)) memcpy(to + 16, from + 16, size - 16);
    return to + size;
}

/* Resolve the escape at `at`; *to is where it goes. Returns what was read of it: of `\"` only the backslash, for the
 * quote opens the next run. */
static size_t resolve(str s, size_t at, char **to) {
    unsigned char c = (unsigned char)s.ptr[at + 1];
    if ((unsigned char)meaning[c] == c && c != 'u') return 1;
    if (c == 'u') return resolve_unicode(s, at, to);
    *(*to)++ = meaning[c];
    return 2;
}

str json_unescape(arena *out, json_token t) {
    if (!t.escaped) return t.text;
    str s = t.text;
    char *start = arena_alloc_raw(out, s.len + JSON_PADDING), *to = start;
    size_t done = 0; /* bytes of the token that are resolved */
    bool carry = false;
    for (size_t at = 0; at < s.len; at += 64) {
        uint64_t backslashes = scan_char(s.ptr + at, '\\') & bits_before(at, s.len);
        for (uint64_t left = escape_starts(backslashes, &carry); left; left &= left - 1) {
            size_t escape = at + (size_t)__builtin_ctzll(left);
            if (UNLIKELY(escape < done)) continue; /* the second half of a pair */
            to = put_run(to, s.ptr + done, escape - done);
            done = escape + resolve(s, escape, &to);
        }
    }
    to = put_run(to, s.ptr + done, s.len - done);
    memset(to, 0, JSON_PADDING); /* at most s.len bytes were written */
    return (str){start, (size_t)(to - start)};
}

bool json_number_to_int64(str number, int64_t *out) {
    bool negative = number.len > 0 && number.ptr[0] == '-';
    if (number.len == negative) return false;
    int64_t value = 0; /* held as the negative, which has the wider range */
    for (size_t i = negative; i < number.len; i++) {
        if (!is_digit(number.ptr[i])) return false;
        if (__builtin_mul_overflow(value, 10, &value)) return false;
        if (__builtin_sub_overflow(value, number.ptr[i] - '0', &value)) return false;
    }
    if (!negative && value == INT64_MIN) return false;
    *out = negative ? value : -value;
    return true;
}
