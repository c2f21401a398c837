/* figures.c - how counts, sizes, percentages and recorded bounds look in a text report.
 * Called by: report/text.c, report/listing.c.  Must not know: which report they are in.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json/json_writer.h"
#include "report/report_int.h"
#include "types/number.h"

void put_count(buf *out, uint64_t count) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) buf_put_char(out, ',');
        buf_put_char(out, digits[i]);
    }
}

/* printf rounds the exact binary value, ties to even, as the original's formatting does. */
void put_percent(buf *out, double percent) {
    buf_printf(out, "%.0f", percent);
}

void put_size(buf *out, int64_t size_bytes) {
    static const char unit[] = "KMG";
    if (size_bytes < 0) {
        buf_put(out, STR("size unknown"));
        return;
    }
    if (size_bytes < 1024) {
        buf_printf(out, "%" PRId64 " B", size_bytes);
        return;
    }
    int step = 0;
    int64_t scale = 1024;
    for (; step < 2 && size_bytes >= scale * 1024; step++) scale *= 1024;
    buf_printf(out, "%.1f %cB", (double)size_bytes / (double)scale, unit[step]);
}

/* --- bounds --- */

/* Digits a number may take without exponent: the smallest double needs 342. A recorded decimal with a wilder exponent
 * stays as it is written. */
enum { PLAIN_MAX = 400 };

/* The number without exponent: [-]digits[.digits]. False, and nothing written, if that would be long. */
static bool put_plain_number(buf *out, const number *n) {
    char digit[PLAIN_MAX];
    int64_t count = 0;
    for (size_t i = 0; i < n->digits.len; i++) {
        if (n->digits.ptr[i] == '.') continue;
        if (count == PLAIN_MAX) return false;
        digit[count++] = n->digits.ptr[i];
    }
    if (n->exponent > PLAIN_MAX || n->exponent < -PLAIN_MAX) return false;
    int64_t whole = count + n->exponent; /* digits before the point; below 1: zeros behind it */
    if (n->negative) buf_put_char(out, '-');
    if (count == 0 || whole <= 0) buf_put_char(out, '0');
    if (count == 0) return true;
    if (whole <= 0) {
        buf_put_char(out, '.');
        buf_put_repeated(out, '0', (size_t)-whole);
        buf_put(out, (str){digit, (size_t)count});
    } else if (whole >= count) {
        buf_put(out, (str){digit, (size_t)count});
        buf_put_repeated(out, '0', (size_t)(whole - count));
    } else {
        buf_put(out, (str){digit, (size_t)whole});
        buf_put_char(out, '.');
        buf_put(out, (str){digit + whole, (size_t)(count - whole)});
    }
    return true;
}

/* Print a value as the types room does, then without exponent and trailing zeros. NaN and infinities stay words. */
static void put_value_plain(buf *out, const value *v) {
    size_t start = out->len;
    value_print(out, v);
    number n;
    char copy[64];
    size_t length = out->len - start;
    if (length > sizeof copy) return;
    memcpy(copy, out->ptr + start, length);
    if (!number_parse((str){copy, length}, &n)) return;
    out->len = start;
    if (!put_plain_number(out, &n)) buf_put(out, (str){copy, length});
}

static bool is_integer_text(str text) {
    size_t digits = text.len > 0 && text.ptr[0] == '-' ? 1 : 0;
    for (size_t i = digits; i < text.len; i++)
        if (text.ptr[i] < '0' || text.ptr[i] > '9') return false;
    return text.len > digits;
}

/* Doubles of up to 15 digits print back as they were written, without exponent: no need to go through binary. */
static bool is_short_number(const number *n) {
    return n->digits.len <= 15 && n->exponent > -300 && n->exponent < 290;
}

/* A recorded number: exact for integers and decimals (the original rounds decimals of more than 17 digits to a double),
 * the shortest text of the double for floats. What is no number is shown as it is. */
static void put_number_text(buf *out, type_kind kind, str text) {
    number n;
    if (is_integer_text(text) || !number_parse(text, &n)) {
        buf_put(out, text);
        return;
    }
    bool is_binary_float = kind == TYPE_FLOAT || kind == TYPE_DOUBLE;
    if (is_binary_float && !is_short_number(&n)) {
        value v = {.kind = VALUE_DOUBLE, .f = number_to_double(&n)};
        put_value_plain(out, &v);
    } else if (!put_plain_number(out, &n)) {
        buf_put(out, text);
    }
}

/* From a Parquet cell. Timestamps have milliseconds, microseconds only where there are some (the original cuts them
 * off, which makes a maximum too low). */
static void put_timestamp(buf *out, const value *v) {
    value_print(out, v);
    bool has_zone = out->len > 0 && out->ptr[out->len - 1] == 'Z';
    size_t end = out->len - (has_zone ? 1 : 0);
    if (end < 7 || out->ptr[end - 7] != '.' || memcmp(out->ptr + end - 3, "000", 3) != 0) return;
    out->len = end - 3;
    if (has_zone) buf_put_char(out, 'Z');
}

static void put_value(buf *out, const value *v, bool as_written) {
    switch (v->kind) {
    case VALUE_DECIMAL:
    case VALUE_FLOAT:
    case VALUE_DOUBLE:
        put_value_plain(out, v);
        return;
    case VALUE_TIMESTAMP:
    case VALUE_TIMESTAMP_NTZ:
        put_timestamp(out, v);
        return;
    case VALUE_STRING:
        put_log_text(out, v->s, as_written);
        return;
    case VALUE_INT:
    case VALUE_BOOLEAN:
    case VALUE_DATE:
    case VALUE_BINARY:
        value_print(out, v);
        return;
    }
    UNREACHABLE();
}

void put_bound(buf *out, type_kind kind, const bound *b, bool as_written) {
    if (b->state == CELL_NULL) buf_put(out, STR("null"));
    else if (str_is_none(b->text)) put_value(out, &b->v, as_written);
    else if (type_is_number(kind)) put_number_text(out, kind, b->text);
    else put_log_text(out, b->text, as_written);
}

/* --- text from the log --- */

/* Bytes of the UTF-8 character at `at` and its code point; 0 if there is none. */
static size_t character_at(str text, size_t at, uint32_t *code) {
    uint8_t lead = (uint8_t)text.ptr[at];
    size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    str c = str_slice(text, at, at + length);
    if (c.len != length || !str_is_utf8(c)) return 0;
    *code = length == 1 ? lead : lead & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) *code = *code << 6 | ((uint8_t)c.ptr[i] & 0x3fu);
    return length;
}

/* Controls can move the cursor, direction marks and line separators can make one file's line look like another's. */
static bool is_hidden(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200e && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

static void put_escaped(buf *out, uint32_t code) {
    if (code == '\n') buf_put(out, STR("\\n"));
    else if (code == '\t') buf_put(out, STR("\\t"));
    else if (code == '\r') buf_put(out, STR("\\r"));
    else buf_printf(out, "\\u{%x}", code);
}

void put_log_text(buf *out, str text, bool as_written) {
    size_t done = 0;
    for (size_t at = 0; !as_written && at < text.len;) {
        uint32_t code = 0;
        size_t length = character_at(text, at, &code);
        bool shown = length > 0 && !is_hidden(code);
        if (!shown) {
            buf_put(out, str_slice(text, done, at));
            if (length > 0) put_escaped(out, code);
            else buf_printf(out, "\\x{%02x}", (unsigned)(uint8_t)text.ptr[at]);
        }
        at += length > 0 ? length : 1;
        if (!shown) done = at;
    }
    buf_put(out, str_slice(text, done, text.len));
}

void put_json_string(buf *out, str text) {
    json_writer w;
    json_writer_init(&w, out, 0);
    json_put_string(&w, text);
}
