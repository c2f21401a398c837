/* value.c - one typed value and the exact order of values.
 * Called by: types/cell.c, delta, predicate (literals), prune.  Must not know: tables, SQL.
 */
#include "types/value.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "types/calendar.h"
#include "types/ieee.h"
#include "types/number.h"
#include "types/types_int.h"

static bool is_binary_float(const value *v) {
    return v->kind == VALUE_FLOAT || v->kind == VALUE_DOUBLE;
}

bool value_is_number(const value *v) {
    return v->kind == VALUE_INT || v->kind == VALUE_DECIMAL || is_binary_float(v);
}

bool value_is_nan(const value *v) {
    return is_binary_float(v) && isnan(v->f);
}

static int order(bool less, bool greater) {
    return less ? -1 : greater;
}

/* NaN is equal to itself and above everything else; C compares -0.0 and 0.0 as equal already. */
static int compare_doubles(double a, double b) {
    if (isnan(a) || isnan(b)) return order(!isnan(a), !isnan(b));
    return order(a<b, a> b);
}

/* Exact: the double is split into a whole part, which fits an int64, and a fraction. */
static int compare_int_double(int64_t i, double d) {
    if (isnan(d) || d >= 0x1p63) return -1;
    if (d < -0x1p63) return 1;
    double whole = trunc(d);
    int64_t w = (int64_t)whole;
    if (i != w) return order(i<w, i> w);
    return order(whole<d, whole> d);
}

static int128 power_of_ten(unsigned exponent) {
    static const uint64_t small[] = {1,
                                     10,
                                     100,
                                     1000,
                                     10000,
                                     100000,
                                     1000000,
                                     10000000,
                                     100000000,
                                     1000000000,
                                     10000000000,
                                     100000000000,
                                     1000000000000,
                                     10000000000000,
                                     100000000000000,
                                     1000000000000000,
                                     10000000000000000,
                                     100000000000000000,
                                     1000000000000000000,
                                     10000000000000000000u};
    return exponent < 20 ? (int128)small[exponent] : (int128)small[19] * (int128)small[exponent - 19];
}

bool decimal_fits(int128 d, unsigned digits) {
    int128 limit = power_of_ten(digits);
    return d < limit && d > -limit;
}

bool value_round_decimal(const value *v, unsigned scale, value *out) {
    unsigned have = v->kind == VALUE_DECIMAL ? v->scale : 0;
    int128 d = v->kind == VALUE_DECIMAL ? v->d : v->i;
    if (scale > 38) return false;
    if (have <= scale) {
        if (__builtin_mul_overflow(d, power_of_ten(scale - have), &d)) return false;
    } else {
        int128 step = power_of_ten(have - scale), rest = d % step;
        d /= step;
        if (rest >= step - rest) d++;
        if (-rest >= step + rest) d--;
    }
    *out = (value){.kind = VALUE_DECIMAL, .scale = (uint8_t)scale, .d = d};
    return decimal_fits(d, 38);
}

/* a against b / 10^shift, exactly: the quotient is cut towards zero, so the sign of the rest decides a tie. */
static int compare_scaled(int128 a, int128 b, unsigned shift) {
    int128 power = power_of_ten(shift);
    int128 quotient = b / power, rest = b % power;
    if (a != quotient) return order(a<quotient, a> quotient);
    return order(rest > 0, rest < 0);
}

static int compare_decimals(int128 a, unsigned scale_a, int128 b, unsigned scale_b) {
    if (scale_a <= scale_b) return compare_scaled(a, b, scale_b - scale_a);
    return -compare_scaled(b, a, scale_a - scale_b);
}

/* Rounding keeps the order, so where the rounded decimal differs from the double it has told enough. */
static int compare_decimal_double(const value *decimal, const value *d) {
    double rounded = value_to_double(decimal).f;
    if (isnan(d->f) || rounded != d->f) return compare_doubles(rounded, d->f);
    char digit[NUMBER_DIGIT_ROOM];
    number n;
    number_from_value(decimal, digit, &n);
    return -number_compare(d, &n);
}

/* a is no floating point number. */
static int compare_exact(const value *a, const value *b) {
    if (is_binary_float(b)) {
        if (a->kind == VALUE_INT) return compare_int_double(a->i, b->f);
        return compare_decimal_double(a, b);
    }
    if (a->kind == VALUE_INT && b->kind == VALUE_INT) return order(a->i<b->i, a->i> b->i);
    int128 x = a->kind == VALUE_INT ? a->i : a->d, y = b->kind == VALUE_INT ? b->i : b->d;
    return compare_decimals(x, a->kind == VALUE_INT ? 0 : a->scale, y, b->kind == VALUE_INT ? 0 : b->scale);
}

/* A limit above a prefix behaves like its text followed by a byte above all others. */
static int compare_strings(const value *a, const value *b) {
    if (!a->above_prefix && !b->above_prefix) return str_compare(a->s, b->s);
    size_t common = a->s.len < b->s.len ? a->s.len : b->s.len;
    int by_bytes = str_compare(str_slice(a->s, 0, common), str_slice(b->s, 0, common));
    if (by_bytes != 0) return by_bytes;
    if (a->s.len < b->s.len) return a->above_prefix ? 1 : -1;
    if (a->s.len > b->s.len) return b->above_prefix ? -1 : 1;
    return (int)a->above_prefix - (int)b->above_prefix;
}

int value_compare(const value *a, const value *b) {
    switch (a->kind) {
    case VALUE_INT:
    case VALUE_DECIMAL: assert(value_is_number(b)); return compare_exact(a, b);
    case VALUE_FLOAT:
    case VALUE_DOUBLE:
        assert(value_is_number(b));
        return is_binary_float(b) ? compare_doubles(a->f, b->f) : -compare_exact(b, a);
    case VALUE_BOOLEAN:
    case VALUE_DATE:
    case VALUE_TIMESTAMP:
    case VALUE_TIMESTAMP_NTZ: assert(a->kind == b->kind); return order(a->i<b->i, a->i> b->i);
    case VALUE_STRING:
    case VALUE_BINARY: assert(a->kind == b->kind); return compare_strings(a, b);
    }
    UNREACHABLE();
}

static double round_number(const value *v, const ieee_format *format) {
    if (is_binary_float(v)) return format == &IEEE_FLOAT ? (double)(float)v->f : v->f;
    int128 whole = v->kind == VALUE_INT ? v->i : v->d;
    uint128 magnitude = whole < 0 ? -(uint128)whole : (uint128)whole;
    double rounded = ieee_from_decimal(magnitude, v->kind == VALUE_INT ? 0 : v->scale, format);
    return whole < 0 ? -rounded : rounded;
}

value value_to_double(const value *v) {
    assert(value_is_number(v));
    return (value){.kind = VALUE_DOUBLE, .f = round_number(v, &IEEE_DOUBLE)};
}

value value_to_float(const value *v) {
    assert(value_is_number(v));
    return (value){.kind = VALUE_FLOAT, .f = round_number(v, &IEEE_FLOAT)};
}

double double_before(double d) {
    return isnan(d) ? d : nextafter(d, -(double)INFINITY);
}

double double_after(double d) {
    return isnan(d) ? d : nextafter(d, (double)INFINITY);
}

/* digits * 10^exponent with a point where it belongs, or as d.ddde[-]x outside of 1e-5 to 1e16. */
static void print_digits(buf *out, const ieee_digits *d) {
    int64_t first = (int64_t)d->exponent + d->count; /* the digits before the point */
    if (first > 16 || first < -4) {
        buf_put_char(out, d->digit[0]);
        if (d->count > 1) buf_put_char(out, '.');
        buf_put(out, (str){d->digit + 1, d->count - 1});
        buf_printf(out, "e%lld", (long long)first - 1);
        return;
    }
    if (first <= 0) {
        buf_put(out, STR("0."));
        buf_put_repeated(out, '0', (size_t)-first);
        buf_put(out, (str){d->digit, d->count});
        return;
    }
    size_t whole = (size_t)first < d->count ? (size_t)first : d->count;
    buf_put(out, (str){d->digit, whole});
    buf_put_repeated(out, '0', (size_t)first - whole);
    if (whole == d->count) return;
    buf_put_char(out, '.');
    buf_put(out, (str){d->digit + whole, d->count - whole});
}

static void print_float(buf *out, double v, const ieee_format *format) {
    if (isnan(v)) {
        buf_put(out, STR("NaN"));
        return;
    }
    if (signbit(v)) buf_put_char(out, '-');
    if (isinf(v)) {
        buf_put(out, STR("Infinity"));
    } else if (v == 0) {
        buf_put_char(out, '0');
    } else {
        ieee_digits d;
        ieee_shortest(v, format, &d);
        print_digits(out, &d);
    }
}

static void print_decimal(buf *out, int128 d, unsigned scale) {
    char digit[48];
    size_t at = sizeof digit;
    uint128 left = d < 0 ? -(uint128)d : (uint128)d;
    for (unsigned i = 0; left != 0 || i <= scale; i++, left /= 10) {
        if (i == scale && scale > 0) digit[--at] = '.';
        digit[--at] = (char)('0' + (int)(left % 10));
    }
    if (d < 0) buf_put_char(out, '-');
    buf_put(out, (str){digit + at, sizeof digit - at});
}

static void print_binary(buf *out, str bytes) {
    buf_put(out, STR("X'"));
    for (size_t i = 0; i < bytes.len; i++) buf_printf(out, "%02X", (unsigned)(unsigned char)bytes.ptr[i]);
    buf_put_char(out, '\'');
}

void value_print(buf *out, const value *v) {
    switch (v->kind) {
    case VALUE_INT: buf_printf(out, "%lld", (long long)v->i); return;
    case VALUE_DECIMAL: print_decimal(out, v->d, v->scale); return;
    case VALUE_FLOAT: print_float(out, v->f, &IEEE_FLOAT); return;
    case VALUE_DOUBLE: print_float(out, v->f, &IEEE_DOUBLE); return;
    case VALUE_BOOLEAN: buf_put(out, v->i ? STR("true") : STR("false")); return;
    case VALUE_DATE: calendar_print_date(out, v->i); return;
    case VALUE_TIMESTAMP: calendar_print_micros(out, v->i, true); return;
    case VALUE_TIMESTAMP_NTZ: calendar_print_micros(out, v->i, false); return;
    case VALUE_STRING:
        buf_put(out, v->s);
        if (v->above_prefix) buf_put(out, STR("\xE2\x80\xA6")); /* an ellipsis */
        return;
    case VALUE_BINARY: print_binary(out, v->s); return;
    }
    UNREACHABLE();
}
