/* number.c - numbers written as text, exactly.
 * Called by: types/cell.c, types/value.c, predicate (literals).  Must not know: columns, SQL.
 */
#include "types/number.h"

#include <assert.h>
#include <math.h>

#include "types/ieee.h"

static const int64_t MAX_EXPONENT = (int64_t)1 << 40;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static size_t skip_digits(str text, size_t at) {
    while (at < text.len && is_digit(text.ptr[at])) at++;
    return at;
}

/* exponent := (e|E) [+-] digits, up to the end of the text */
static bool parse_exponent(str text, size_t at, int64_t *exponent) {
    *exponent = 0;
    if (at == text.len) return true;
    if (text.ptr[at] != 'e' && text.ptr[at] != 'E') return false;
    at++;
    bool negative = at < text.len && text.ptr[at] == '-';
    if (at < text.len && (text.ptr[at] == '-' || text.ptr[at] == '+')) at++;
    if (at == text.len || skip_digits(text, at) != text.len) return false;
    for (; at < text.len; at++)
        if (*exponent < MAX_EXPONENT) *exponent = *exponent * 10 + (text.ptr[at] - '0');
    if (*exponent > MAX_EXPONENT) *exponent = MAX_EXPONENT;
    if (negative) *exponent = -*exponent;
    return true;
}

/* Drop the zeros of both ends; what the last digit left stands for goes into the exponent. `point` is the position of
 * the
 * '.' in `written`, its length if there is none. */
static void trim_zeros(str written, size_t point, number *out) {
    size_t from = 0, to = written.len;
    while (from < to && (written.ptr[from] == '0' || written.ptr[from] == '.')) from++;
    while (to > from && (written.ptr[to - 1] == '0' || written.ptr[to - 1] == '.')) to--;
    if (from == to) {
        out->digits = STR("");
        out->exponent = 0;
        return;
    }
    out->digits = str_slice(written, from, to);
    out->exponent += to <= point ? (int64_t)(point - to) : -(int64_t)(to - point - 1);
    if (out->exponent > MAX_EXPONENT) out->exponent = MAX_EXPONENT;
    if (out->exponent < -MAX_EXPONENT) out->exponent = -MAX_EXPONENT;
}

bool number_parse(str text, number *out) {
    size_t at = 0;
    out->negative = text.len > 0 && text.ptr[0] == '-';
    if (text.len > 0 && (text.ptr[0] == '-' || text.ptr[0] == '+')) at++;
    size_t start = at;
    at = skip_digits(text, at);
    size_t point = at;
    size_t digit_count = at - start;
    if (at < text.len && text.ptr[at] == '.') {
        at = skip_digits(text, at + 1);
        digit_count += at - point - 1;
    }
    if (digit_count == 0 || !parse_exponent(text, at, &out->exponent)) return false;
    trim_zeros(str_slice(text, start, at), point - start, out);
    return true;
}

bool number_is_zero(const number *n) {
    return n->digits.len == 0;
}

static size_t count_digits(const number *n) {
    size_t dot;
    return str_find_char(n->digits, '.', &dot) ? n->digits.len - 1 : n->digits.len;
}

static double with_sign(double magnitude, bool negative) {
    return negative ? -magnitude : magnitude;
}

double number_to_double(const number *n) {
    return with_sign(ieee_from_digits(n->digits, n->exponent, &IEEE_DOUBLE), n->negative);
}

float number_to_float(const number *n) {
    return (float)with_sign(ieee_from_digits(n->digits, n->exponent, &IEEE_FLOAT), n->negative);
}

enum { SHORT_DIGITS = 19 }; /* 10^19 < 2^64 */

bool number_read_short(str text, bool to_float, double *out) {
    bool negative = text.len > 0 && text.ptr[0] == '-';
    size_t start = negative, point = text.len;
    if (text.len - start > SHORT_DIGITS + 1) return false;
    uint64_t whole = 0;
    for (size_t at = start; at < text.len; at++) {
        if (is_digit(text.ptr[at]))
            whole = whole * 10 + (uint64_t)(text.ptr[at] - '0');
        else if (text.ptr[at] == '.' && point == text.len && at > start && at + 1 < text.len)
            point = at;
        else
            return false;
    }
    bool has_point = point < text.len;
    size_t digits = text.len - start - has_point;
    if (digits == 0 || digits > SHORT_DIGITS) return false;
    uint32_t scale = has_point ? (uint32_t)(text.len - point - 1) : 0;
    *out = with_sign(ieee_from_short(whole, scale, to_float ? &IEEE_FLOAT : &IEEE_DOUBLE), negative);
    return true;
}

/* The digits as a whole number if it stays below 10^38. */
static bool read_whole(const number *n, int64_t extra_zeros, int128 *out) {
    if (n->digits.len > 39 || extra_zeros > 38 || (int64_t)count_digits(n) + extra_zeros > 38) return false;
    int128 whole = 0;
    for (size_t i = 0; i < n->digits.len; i++)
        if (n->digits.ptr[i] != '.') whole = whole * 10 + (n->digits.ptr[i] - '0');
    for (; extra_zeros > 0; extra_zeros--) whole *= 10;
    *out = n->negative ? -whole : whole;
    return true;
}

bool number_to_decimal(const number *n, value *out) {
    int64_t scale = number_fraction_digits(n);
    int128 whole = 0;
    if (scale > 38 || !read_whole(n, n->exponent > 0 ? n->exponent : 0, &whole)) return false;
    *out = (value){.kind = VALUE_DECIMAL, .scale = (uint8_t)scale, .d = whole};
    return true;
}

bool number_to_int64(const number *n, int64_t *out) {
    int128 whole;
    if (n->exponent < 0 || !read_whole(n, n->exponent, &whole)) return false;
    if (whole < INT64_MIN || whole > INT64_MAX) return false;
    *out = (int64_t)whole;
    return true;
}

int64_t number_fraction_digits(const number *n) {
    return n->exponent < 0 ? -n->exponent : 0;
}

/* |n| without its fraction, saturated to 2^63; *next is the first digit of the fraction. */
static uint64_t whole_part(const number *n, char *next) {
    const uint64_t limit = (uint64_t)1 << 63;
    int64_t left = (int64_t)count_digits(n) + n->exponent; /* digits before the point */
    *next = '0';
    if (n->digits.len == 0 || left < 0) return 0;
    if (left > 19) return limit;
    uint64_t whole = 0;
    size_t i = 0;
    for (; left > 0; left--, i++) {
        if (i < n->digits.len && n->digits.ptr[i] == '.') i++;
        whole = whole * 10 + (i < n->digits.len ? (uint64_t)(n->digits.ptr[i] - '0') : 0);
    }
    if (i < n->digits.len && n->digits.ptr[i] == '.') i++;
    if (i < n->digits.len) *next = n->digits.ptr[i];
    return whole < limit ? whole : limit;
}

static int64_t saturate(uint64_t magnitude, bool negative) {
    if (negative) return magnitude > (uint64_t)INT64_MAX ? INT64_MIN : -(int64_t)magnitude;
    return magnitude > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)magnitude;
}

int64_t number_truncate(const number *n) {
    char next;
    return saturate(whole_part(n, &next), n->negative);
}

int64_t number_round(const number *n) {
    char next;
    uint64_t whole = whole_part(n, &next);
    return saturate(whole + (next >= '5'), n->negative);
}

void number_from_value(const value *v, char digit[NUMBER_DIGIT_ROOM], number *out) {
    *out = (number){.digits = STR("")};
    if (v->kind == VALUE_FLOAT || v->kind == VALUE_DOUBLE) {
        ieee_digits all;
        ieee_expand(v->f, &all);
        for (uint32_t i = 0; i < all.count; i++) digit[i] = all.digit[i];
        out->digits = (str){digit, all.count};
        out->exponent = all.exponent;
        out->negative = signbit(v->f) != 0;
        return;
    }
    int128 whole = v->kind == VALUE_DECIMAL ? v->d : v->i;
    out->negative = whole < 0;
    uint128 left = whole < 0 ? -(uint128)whole : (uint128)whole;
    size_t at = NUMBER_DIGIT_ROOM;
    for (; left != 0; left /= 10) digit[--at] = (char)('0' + (int)(left % 10));
    out->exponent = v->kind == VALUE_DECIMAL ? -(int64_t)v->scale : 0;
    trim_zeros((str){digit + at, NUMBER_DIGIT_ROOM - at}, NUMBER_DIGIT_ROOM - at, out);
}

static char next_digit(str digits, size_t *at) {
    if (*at < digits.len && digits.ptr[*at] == '.') ++*at;
    return *at < digits.len ? digits.ptr[(*at)++] : '0';
}

/* Both not zero. No trailing zeros: a digit more is more. */
static int compare_magnitude(const number *a, const number *b) {
    int64_t first_a = a->exponent + (int64_t)count_digits(a), first_b = b->exponent + (int64_t)count_digits(b);
    if (first_a != first_b) return first_a < first_b ? -1 : 1;
    for (size_t i = 0, j = 0; i < a->digits.len || j < b->digits.len;) {
        char x = next_digit(a->digits, &i), y = next_digit(b->digits, &j);
        if (x != y) return x < y ? -1 : 1;
    }
    return 0;
}

static int sign_of(const number *n) {
    return number_is_zero(n) ? 0 : n->negative ? -1 : 1;
}

int number_order(const number *a, const number *b) {
    int sign_a = sign_of(a), sign_b = sign_of(b);
    if (sign_a != sign_b) return sign_a < sign_b ? -1 : 1;
    return sign_a == 0 ? 0 : sign_a * compare_magnitude(a, b);
}

int number_compare(const value *v, const number *n) {
    assert(value_is_number(v));
    if (value_is_nan(v)) return 1;
    if ((v->kind == VALUE_FLOAT || v->kind == VALUE_DOUBLE) && isinf(v->f)) return v->f < 0 ? -1 : 1;
    char digit[NUMBER_DIGIT_ROOM];
    number own;
    number_from_value(v, digit, &own);
    return number_order(&own, n);
}
