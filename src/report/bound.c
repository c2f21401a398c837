/* bound.c - how a recorded minimum or maximum looks in a text listing.
 * Called by: report/listing.c.  Must not know: which column or file it belongs to.
 */
#include <string.h>

#include "report/report_int.h"
#include "types/number.h"

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
