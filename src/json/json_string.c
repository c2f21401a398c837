/* json_string.c - the inside of strings and numbers: escapes checked and resolved, whole numbers read.
 * Called by: json_reader.c; delta, dbt through json.h.  Must not know: the grammar around a token.
 * Source: RFC 8259, sections 6 and 7.
 */
#include <string.h>

#include "json/json.h"
#include "json/json_scan.h"

/* What an escape stands for, by the byte after the backslash: 0 for none, 'u' for \u. */
static const char meaning[256] = {
    ['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t', ['u'] = 'u',
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

bool scan_escapes(const char *text, size_t from, size_t to, scan_fault *fault) {
    for (size_t at = scan_backslash(text, from, to); at < to; at = scan_backslash(text, at, to)) {
        size_t length = escape_length(text, at, to, fault);
        if (length == 0) return false;
        at += length;
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

/* Resolve the \u escape at `at` (checked before); *len_out grows by what was written, at most what was read. Returns how
 * many bytes were read: 12 for a pair of surrogates. */
static size_t resolve_unicode(str s, size_t at, char *to, size_t *len_out) {
    uint32_t unit = hex4(s.ptr + at + 2);
    size_t used = 6;
    if (unit >= 0xD800 && unit <= 0xDBFF && s.len - at >= 12 && s.ptr[at + 6] == '\\' && s.ptr[at + 7] == 'u' &&
        is_low_surrogate(hex4(s.ptr + at + 8))) {
        unit = 0x10000 + ((unit - 0xD800) << 10) + (hex4(s.ptr + at + 8) - 0xDC00);
        used = 12;
    } else if (unit >= 0xD800 && unit <= 0xDFFF) {
        unit = 0xFFFD;
    }
    *len_out += put_utf8(to + *len_out, unit);
    return used;
}

str json_unescape(arena *out, json_token t) {
    if (!t.escaped) return t.text;
    char *to = arena_alloc_raw(out, t.text.len + JSON_PADDING);
    size_t len = 0;
    for (size_t at = 0; at < t.text.len;) {
        size_t next = scan_backslash(t.text.ptr, at, t.text.len);
        memcpy(to + len, t.text.ptr + at, next - at);
        len += next - at;
        at = next;
        if (at == t.text.len) break;
        char c = t.text.ptr[at + 1];
        if (c == 'u') {
            at += resolve_unicode(t.text, at, to, &len);
        } else {
            to[len++] = meaning[(unsigned char)c];
            at += 2;
        }
    }
    memset(to + len, 0, JSON_PADDING);
    return (str){to, len};
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
