/* json_writer.c - JSON text out.
 * Called by: report.  Must not know: what is written.
 */
#include "json/json_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"

enum { MAX_DEPTH = 63 };

void json_writer_init(json_writer *w, buf *out, unsigned indent) {
    *w = (json_writer){.out = out, .indent = indent};
}

static void new_line(json_writer *w) {
    if (w->indent == 0) return;
    buf_put_char(w->out, '\n');
    buf_put_repeated(w->out, ' ', (size_t)w->indent * w->depth);
}

/* What stands before a value or a key: a comma, a new line; nothing between a key and its value. */
static void begin_item(json_writer *w) {
    if (w->after_key) {
        w->after_key = false;
        return;
    }
    if (w->has_item >> w->depth & 1) buf_put_char(w->out, ',');
    w->has_item |= (uint64_t)1 << w->depth;
    if (w->depth > 0) new_line(w);
}

static void begin_container(json_writer *w, char c) {
    if (w->depth == MAX_DEPTH) door_leave("JSON to be written is nested more than %d levels", MAX_DEPTH);
    begin_item(w);
    buf_put_char(w->out, c);
    w->depth++;
    w->has_item &= ~((uint64_t)1 << w->depth);
}

static void end_container(json_writer *w, char c) {
    bool has_item = w->has_item >> w->depth & 1;
    w->depth--;
    if (has_item) new_line(w);
    buf_put_char(w->out, c);
}

void json_begin_object(json_writer *w) {
    begin_container(w, '{');
}

void json_end_object(json_writer *w) {
    end_container(w, '}');
}

void json_begin_array(json_writer *w) {
    begin_container(w, '[');
}

void json_end_array(json_writer *w) {
    end_container(w, ']');
}

/* ---- strings ---- */

static const char hex[] = "0123456789abcdef";

static void put_escape(buf *out, unsigned char c) {
    switch (c) {
    case '"': buf_put(out, STR("\\\"")); break;
    case '\\': buf_put(out, STR("\\\\")); break;
    case '\b': buf_put(out, STR("\\b")); break;
    case '\f': buf_put(out, STR("\\f")); break;
    case '\n': buf_put(out, STR("\\n")); break;
    case '\r': buf_put(out, STR("\\r")); break;
    case '\t': buf_put(out, STR("\\t")); break;
    default: buf_put(out, (str){(const char[]){'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]}, 6}); break;
    }
}

/* Runs of plain characters go out in one piece. */
static void put_quoted(buf *out, str s) {
    size_t plain = 0; /* start of the run */
    buf_put_char(out, '"');
    for (size_t at = 0; at < s.len;) {
        unsigned char c = (unsigned char)s.ptr[at];
        size_t length = c < 0x80 ? 1 : str_utf8_length(s, at);
        if (length > 0 && c >= 0x20 && c != '"' && c != '\\') {
            at += length;
            continue;
        }
        buf_put(out, str_slice(s, plain, at));
        if (length == 0)
            buf_put(out, STR("\xEF\xBF\xBD"));
        else
            put_escape(out, c);
        plain = ++at;
    }
    buf_put(out, str_slice(s, plain, s.len));
    buf_put_char(out, '"');
}

void json_put_key(json_writer *w, str key) {
    begin_item(w);
    put_quoted(w->out, key);
    buf_put_char(w->out, ':');
    if (w->indent) buf_put_char(w->out, ' ');
    w->after_key = true;
}

void json_put_string(json_writer *w, str s) {
    begin_item(w);
    put_quoted(w->out, s);
}

void json_put_string_or_null(json_writer *w, str s) {
    if (str_is_none(s))
        json_put_null(w);
    else
        json_put_string(w, s);
}

/* ---- numbers ---- */

void json_put_int(json_writer *w, int64_t v) {
    begin_item(w);
    buf_printf(w->out, "%lld", (long long)v);
}

void json_put_uint(json_writer *w, uint64_t v) {
    begin_item(w);
    buf_printf(w->out, "%llu", (unsigned long long)v);
}

enum { DIGITS_MAX = 17 };

/* v = 0.d1d2...dn * 10^point, d1 and dn not 0. */
typedef struct decimal_digits {
    char digit[DIGITS_MAX];
    int count;
    int point;
} decimal_digits;

/* `%.*e` and strtod are the C library's, exact in both directions. Both follow the locale's decimal point, so the
 * digits are picked out and the point is never looked at. */
static bool digits_read_back(const decimal_digits *d, double v) {
    char text[DIGITS_MAX + 16];
    snprintf(text, sizeof text, "%.*se%d", d->count, d->digit, d->point - d->count);
    return strtod(text, NULL) == v;
}

static decimal_digits round_to(double v, int precision) {
    char text[DIGITS_MAX + 16];
    decimal_digits d = {0};
    snprintf(text, sizeof text, "%.*e", precision - 1, v);
    const char *p = text;
    for (; *p && *p != 'e'; p++)
        if (*p >= '0' && *p <= '9' && d.count < DIGITS_MAX) d.digit[d.count++] = *p;
    d.point = (*p ? (int)strtol(p + 1, NULL, 10) : 0) + 1;
    while (d.count > 1 && d.digit[d.count - 1] == '0') d.count--;
    return d;
}

/* The next larger number of as many digits. */
static decimal_digits next_up(decimal_digits d, int precision) {
    while (d.count < precision) d.digit[d.count++] = '0';
    int at = d.count - 1;
    while (at > 0 && d.digit[at] == '9') d.digit[at--] = '0';
    if (d.digit[at] == '9') {
        d.digit[at] = '1';
        d.point++;
    } else {
        d.digit[at]++;
    }
    while (d.count > 1 && d.digit[d.count - 1] == '0') d.count--;
    return d;
}

/* The fewest digits that read back as v > 0. What rounds best to a precision is tried first; below a power of two
 * doubles lie twice as dense as above, so there the next number up may read back when the nearest, which is below, does
 * not. 15 digits always survive a normal double, so fewer are only tried for a subnormal one. */
static decimal_digits shortest_digits(double v) {
    int exponent;
    bool power_of_two = frexp(v, &exponent) == 0.5;
    for (int precision = v < 2.2250738585072014e-308 ? 1 : 15; precision < DIGITS_MAX; precision++) {
        decimal_digits d = round_to(v, precision);
        if (digits_read_back(&d, v)) return d;
        if (!power_of_two) continue;
        d = next_up(d, precision);
        if (digits_read_back(&d, v)) return d;
    }
    return round_to(v, DIGITS_MAX);
}

/* Plain for 1e-5 <= v < 1e16, with a point always; d.ddde-7 otherwise. */
static void put_digits(buf *out, const decimal_digits *d) {
    str digits = {d->digit, (size_t)d->count};
    if (d->point > 16 || d->point <= -5) {
        buf_put_char(out, d->digit[0]);
        if (d->count > 1) buf_put_char(out, '.');
        buf_put(out, str_slice(digits, 1, digits.len));
        buf_printf(out, "e%d", d->point - 1);
    } else if (d->point <= 0) {
        buf_put(out, STR("0."));
        buf_put_repeated(out, '0', (size_t)-d->point);
        buf_put(out, digits);
    } else if (d->point < d->count) {
        buf_put(out, str_slice(digits, 0, (size_t)d->point));
        buf_put_char(out, '.');
        buf_put(out, str_slice(digits, (size_t)d->point, digits.len));
    } else {
        buf_put(out, digits);
        buf_put_repeated(out, '0', (size_t)(d->point - d->count));
        buf_put(out, STR(".0"));
    }
}

void json_put_double(json_writer *w, double v) {
    if (!isfinite(v)) {
        json_put_null(w);
        return;
    }
    begin_item(w);
    if (signbit(v)) buf_put_char(w->out, '-');
    if (v == 0) {
        buf_put(w->out, STR("0.0"));
        return;
    }
    decimal_digits d = shortest_digits(fabs(v));
    put_digits(w->out, &d);
}

/* ---- the rest ---- */

void json_put_bool(json_writer *w, bool v) {
    begin_item(w);
    buf_put(w->out, v ? STR("true") : STR("false"));
}

void json_put_null(json_writer *w) {
    begin_item(w);
    buf_put(w->out, STR("null"));
}

void json_put_raw(json_writer *w, str json) {
    begin_item(w);
    buf_put(w->out, json);
}
