/* fold_number.c - arithmetic over ranges.
 * Called by: prune/fold.c.  Must not know: predicates, statistics.
 *
 * Whole numbers and decimals are exact in 128 bits; a result that leaves its type may wrap, be NULL or be an error, so
 * then only the type is known. Doubles round, and rounding is monotone, so the bounds of a sum are the sums of the
 * bounds. FLOAT arithmetic is done in floats by some and in doubles by others, so it has both results.
 */
#include <math.h>

#include "prune/fold_int.h"

/* -------------------------------------------------------------------------------------- exact numbers */

static int128 power_of_ten(unsigned exponent) {
    int128 p = 1;
    for (; exponent > 0; exponent--) p *= 10;
    return p;
}

static unsigned scale_of(const value *v) {
    return v->kind == VALUE_DECIMAL ? v->scale : 0;
}

/* v * 10^scale as a whole number; false if it does not fit. scale is at least v's own. */
static bool fixed(const value *v, unsigned scale, int128 *out) {
    int128 whole = v->kind == VALUE_DECIMAL ? v->d : v->i;
    unsigned up = scale - scale_of(v);
    return up <= 38 && !__builtin_mul_overflow(whole, power_of_ten(up), out);
}

static bool unfixed(int128 d, unsigned scale, value *out) {
    if (scale == 0 && d >= INT64_MIN && d <= INT64_MAX) {
        *out = (value){.kind = VALUE_INT, .i = (int64_t)d};
        return true;
    }
    int128 limit = power_of_ten(38);
    if (scale > 38 || d >= limit || d <= -limit) return false;
    *out = (value){.kind = VALUE_DECIMAL, .scale = (uint8_t)scale, .d = d};
    return true;
}

static bool is_exact(const value_range *r) {
    return type_is_integer(r->type) || r->type == TYPE_DECIMAL;
}

static bool holds_exact(const value_range *r) {
    bool low = !r->has_low || r->low.kind == VALUE_INT || r->low.kind == VALUE_DECIMAL;
    return low && (!r->has_high || r->high.kind == VALUE_INT || r->high.kind == VALUE_DECIMAL);
}

static int width_of(type_kind k) {
    return k == TYPE_BYTE ? 0 : k == TYPE_SHORT ? 1 : k == TYPE_INTEGER ? 2 : 3;
}

static type_kind wider(type_kind a, type_kind b) {
    return width_of(a) >= width_of(b) ? a : b;
}

static bool fits_type(type_kind k, const value *v) {
    static const int64_t largest[] = {INT8_MAX, INT16_MAX, INT32_MAX, INT64_MAX};
    int64_t most = largest[width_of(k)];
    return v->kind == VALUE_INT && v->i >= -most - 1 && v->i <= most;
}

/* The decimal digits that hold any value of the operand. */
static unsigned precision_of(const value_range *r) {
    static const unsigned digits[] = {3, 5, 10, 20};
    if (type_is_integer(r->type)) return digits[width_of(r->type)];
    return r->precision ? r->precision : 38;
}

static unsigned type_scale(const value_range *r) {
    unsigned scale = r->scale;
    if (r->has_low && scale_of(&r->low) > scale) scale = scale_of(&r->low);
    if (r->has_high && scale_of(&r->high) > scale) scale = scale_of(&r->high);
    return scale;
}

/* A literal has the digits that it is written with, a whole number those of its type. */
digit_count fold_digits(const value_range *r) {
    digit_count d = {.scale = type_scale(r), .is_unknown = r->type == TYPE_DECIMAL && r->precision == 0};
    unsigned precision = r->type == TYPE_DECIMAL ? precision_of(r) : r->type == TYPE_LONG ? 20 : r->type == TYPE_INTEGER ? 10 : 5;
    int64_t i;
    if (r->is_untyped && range_int(r, &i))
        for (precision = 1; i / 10 != 0; i /= 10) precision++;
    d.whole = precision > d.scale ? precision - d.scale : 0;
    return d;
}

digit_count fold_digits_join(digit_count a, digit_count b) {
    a.whole = a.whole > b.whole ? a.whole : b.whole;
    a.scale = a.scale > b.scale ? a.scale : b.scale;
    a.is_unknown |= b.is_unknown;
    return a;
}

bool fold_digits_overflow(digit_count d) {
    return d.whole + d.scale > 38;
}

static bool rounded_limit(value *v, digit_count d, bool is_low) {
    unsigned left = d.whole < 38 ? 38 - d.whole : 0;
    value whole;
    if (!d.is_unknown) return value_round_decimal(v, left, v);
    if (!value_round_decimal(v, 0, &whole)) return false;
    int order = value_compare(&whole, v);
    if (is_low && order > 0) whole.d--;
    if (!is_low && order < 0) whole.d++;
    *v = whole;
    return true;
}

value_range fold_digits_rounded(const value_range *r, digit_count d) {
    value_range rounded = *r;
    rounded.type = TYPE_DECIMAL;
    rounded.precision = rounded.scale = 0;
    rounded.has_low = r->has_low && rounded_limit(&rounded.low, d, true);
    rounded.has_high = r->has_high && rounded_limit(&rounded.high, d, false);
    return rounded;
}

/* A decimal result of more than 38 digits is rounded, to six digits behind the point at the least. */
static void widen_rounded(value_range *r) {
    value low = r->low, high = r->high;
    unsigned scale = 6;
    if (r->has_low && scale_of(&low) > scale) scale = scale_of(&low);
    if (r->has_high && scale_of(&high) > scale) scale = scale_of(&high);
    int128 step = power_of_ten(scale - 6), d;
    r->has_low = r->has_low && fixed(&low, scale, &d) && unfixed(d - step, scale, &r->low);
    r->has_high = r->has_high && fixed(&high, scale, &d) && unfixed(d + step, scale, &r->high);
}

/* The result of an exact operation, with bounds where they are known and belong to the type. */
static void yield_exact(fold *f, const value_range *a, const value_range *b, value_range r, unsigned digits, unsigned scale) {
    if (type_is_integer(a->type) && type_is_integer(b->type)) {
        r.type = wider(a->type, b->type);
        bool leaves = !r.has_low || !r.has_high || !fits_type(r.type, &r.low) || !fits_type(r.type, &r.high);
        if (leaves) {
            fold_yield(f, range_unknown(r.type, true));
            return;
        }
    } else {
        r.type = TYPE_DECIMAL;
        r.can_be_null = digits > 38;
        r.precision = (uint8_t)(digits > 38 ? 0 : digits); /* 0: not known */
        r.scale = (uint8_t)(digits > 38 ? 0 : scale);
        if (digits > 38) widen_rounded(&r);
    }
    fold_yield(f, r);
}

static void add_exact(fold *f, const value_range *a, const value_range *b) {
    value_range r = range_unknown(TYPE_DECIMAL, false);
    unsigned sa = type_scale(a), sb = type_scale(b), scale = sa > sb ? sa : sb;
    unsigned wa = precision_of(a) - (precision_of(a) < sa ? precision_of(a) : sa);
    unsigned wb = precision_of(b) - (precision_of(b) < sb ? precision_of(b) : sb);
    int128 x, y, sum;
    if (a->has_low && b->has_low && fixed(&a->low, scale, &x) && fixed(&b->low, scale, &y))
        r.has_low = !__builtin_add_overflow(x, y, &sum) && unfixed(sum, scale, &r.low);
    if (a->has_high && b->has_high && fixed(&a->high, scale, &x) && fixed(&b->high, scale, &y))
        r.has_high = !__builtin_add_overflow(x, y, &sum) && unfixed(sum, scale, &r.high);
    yield_exact(f, a, b, r, (wa > wb ? wa : wb) + scale + 1, scale);
}

static bool all_bounds(const value_range *a, const value_range *b) {
    return a->has_low && a->has_high && b->has_low && b->has_high;
}

static void multiply_exact(fold *f, const value_range *a, const value_range *b) {
    value_range r = range_unknown(TYPE_DECIMAL, false);
    unsigned sa = type_scale(a), sb = type_scale(b);
    int128 x[2], y[2], product, least = 0, most = 0;
    bool known = all_bounds(a, b) && fixed(&a->low, sa, &x[0]) && fixed(&a->high, sa, &x[1]) &&
                 fixed(&b->low, sb, &y[0]) && fixed(&b->high, sb, &y[1]);
    for (int i = 0; known && i < 4; i++) {
        known = !__builtin_mul_overflow(x[i / 2], y[i % 2], &product);
        if (i == 0 || product < least) least = product;
        if (i == 0 || product > most) most = product;
    }
    r.has_low = known && unfixed(least, sa + sb, &r.low);
    r.has_high = known && unfixed(most, sa + sb, &r.high);
    yield_exact(f, a, b, r, precision_of(a) + precision_of(b) + 1, sa + sb);
}

/* ----------------------------------------------------------------------------------------- floating numbers */

static double low_double(const value *v) {
    double d = value_to_double(v).f;
    return v->kind == VALUE_DECIMAL ? double_before(d) : d;
}

static double high_double(const value *v) {
    double d = value_to_double(v).f;
    return v->kind == VALUE_DECIMAL ? double_after(d) : d;
}

static bool is_finite(const value_range *r) {
    return !r->may_be_nan && r->has_low && r->has_high && isfinite(low_double(&r->low)) &&
           isfinite(high_double(&r->high));
}

static type_kind float_type(const value_range *a, const value_range *b) {
    bool single =
        a->type != TYPE_DOUBLE && b->type != TYPE_DOUBLE && a->type != TYPE_DECIMAL && b->type != TYPE_DECIMAL;
    return single ? TYPE_FLOAT : TYPE_DOUBLE;
}

static bool has_float(const value_range *a, const value_range *b) {
    return a->type == TYPE_FLOAT || b->type == TYPE_FLOAT;
}

/* What is between low and high as doubles and, where a float takes part, as floats. */
static void yield_doubles(fold *f, const value_range *a, const value_range *b, bool has_low, double low, bool has_high,
                          double high, bool may_be_nan) {
    value_range r = range_unknown(float_type(a, b), false);
    r.may_be_nan = may_be_nan;
    r.has_low = has_low && !isnan(low);
    r.has_high = has_high && !isnan(high);
    r.low = (value){.kind = VALUE_DOUBLE, .f = low};
    r.high = (value){.kind = VALUE_DOUBLE, .f = high};
    if (r.has_low && r.has_high && r.low.f > r.high.f) r.has_low = r.has_high = false;
    value_range wide = r;
    wide.type = TYPE_DOUBLE;
    fold_yield(f, wide);
    if (!has_float(a, b)) return;
    if (r.has_low) r.low = value_to_float(&r.low);
    if (r.has_high) r.high = value_to_float(&r.high);
    fold_yield(f, r);
}

static bool is_nan_single(const value_range *r) {
    return range_is_float(r) && range_is_single(r) && value_is_nan(&r->low);
}

static bool yield_nan(fold *f, const value_range *a, const value_range *b) {
    if (!is_nan_single(a) && !is_nan_single(b)) return false;
    fold_yield_value(f, float_type(a, b), (value){.kind = VALUE_DOUBLE, .f = NAN});
    return true;
}

/* Infinities of both signs make NaN, and where a bound is missing they may be there. */
static void add_doubles(fold *f, const value_range *a, const value_range *b) {
    if (yield_nan(f, a, b)) return;
    bool has_low = a->has_low && b->has_low, has_high = a->has_high && b->has_high;
    double low = has_low ? low_double(&a->low) + low_double(&b->low) : 0;
    double high = has_high ? high_double(&a->high) + high_double(&b->high) : 0;
    bool nan = a->may_be_nan || b->may_be_nan || !(is_finite(a) || is_finite(b));
    yield_doubles(f, a, b, has_low, low, has_high, high, nan);
}

static void multiply_doubles(fold *f, const value_range *a, const value_range *b) {
    if (yield_nan(f, a, b)) return;
    if (!is_finite(a) || !is_finite(b)) {
        fold_yield_unknown(f, float_type(a, b));
        return;
    }
    double x[] = {low_double(&a->low), high_double(&a->high)}, y[] = {low_double(&b->low), high_double(&b->high)};
    double low = x[0] * y[0], high = low;
    for (int i = 1; i < 4; i++) {
        low = fmin(low, x[i / 2] * y[i % 2]);
        high = fmax(high, x[i / 2] * y[i % 2]);
    }
    yield_doubles(f, a, b, true, low, true, high, false);
}

/* --------------------------------------------------------------------------------------------------- signs */

static value negated(const value *v) {
    value n = *v;
    if (v->kind == VALUE_DECIMAL)
        n.d = -v->d;
    else if (v->kind != VALUE_INT)
        n.f = -v->f;
    else if (__builtin_sub_overflow((int64_t)0, v->i, &n.i))
        n = (value){.kind = VALUE_DECIMAL, .d = -(int128)v->i};
    return n;
}

/* -r; the least whole number of a type has no counterpart. */
static value_range negate(const value_range *r) {
    if (is_nan_single(r)) return *r;
    value_range n = *r;
    n.has_low = r->has_high;
    n.has_high = r->has_low;
    n.low = negated(&r->high);
    n.high = negated(&r->low);
    bool leaves = type_is_integer(r->type) && (!r->has_low || !fits_type(r->type, &n.high));
    return leaves ? range_unknown(r->type, true) : n;
}

void fold_negate(fold *f, const value_range *arg) {
    if (!range_is_float(&arg[0]) && !holds_exact(&arg[0])) {
        fold_yield_unknown(f, arg[0].type);
        return;
    }
    fold_yield(f, negate(&arg[0]));
}

static bool is_negative(const value *v) {
    value zero = {.kind = VALUE_INT, .i = 0};
    return value_compare(v, &zero) < 0;
}

void fold_abs(fold *f, const value_range *arg) {
    const value_range *r = &arg[0];
    value_range n = negate(r), result = *r;
    if (is_nan_single(r) || (r->has_low && !is_negative(&r->low))) {
        fold_yield(f, *r);
        return;
    }
    if (type_is_integer(r->type) && !r->has_low) {
        fold_yield_unknown(f, r->type);
        return;
    }
    if (r->has_high && is_negative(&r->high)) {
        fold_yield(f, n);
        return;
    }
    result.has_low = true;
    result.low = (value){.kind = range_is_float(r) ? VALUE_DOUBLE : VALUE_INT};
    result.has_high = r->has_high && n.has_high;
    if (result.has_high && value_compare(&n.high, &result.high) > 0) result.high = n.high;
    result.can_be_null = n.can_be_null;
    if (n.can_be_null) result.has_low = result.has_high = false; /* the least whole number, which wraps */
    fold_yield(f, result);
}

void fold_sign(fold *f, const value_range *arg) {
    const value *v = &arg[0].low;
    value zero = {.kind = VALUE_INT, .i = 0};
    if (value_is_nan(v)) {
        fold_yield_unknown(f, TYPE_DOUBLE);
        return;
    }
    fold_yield_value(f, TYPE_DOUBLE, (value){.kind = VALUE_DOUBLE, .f = value_compare(v, &zero)});
}

/* ---------------------------------------------------------------------------------------------- operators */

static bool days_added(fold *f, const value_range *date, const value_range *days, int sign) {
    if (date->type != TYPE_DATE || !type_is_integer(days->type)) return false;
    value_range r = range_unknown(TYPE_DATE, false), by = sign < 0 ? negate(days) : *days;
    r.low = r.high = (value){.kind = VALUE_DATE};
    r.has_low = date->has_low && by.has_low && by.low.kind == VALUE_INT &&
                !__builtin_add_overflow(date->low.i, by.low.i, &r.low.i);
    r.has_high = date->has_high && by.has_high && by.high.kind == VALUE_INT &&
                 !__builtin_add_overflow(date->high.i, by.high.i, &r.high.i);
    /* Engines keep a date in 32 bits. */
    if (!r.has_low || !r.has_high || r.low.i < -INT32_MAX || r.high.i > INT32_MAX) r = range_unknown(TYPE_DATE, true);
    fold_yield(f, r);
    return true;
}

static void add_ranges(fold *f, const value_range *a, const value_range *b) {
    if (!range_is_number(a) || !range_is_number(b))
        fold_yield(f, range_unknown(TYPE_OTHER, true));
    else if (is_exact(a) && is_exact(b))
        holds_exact(a) && holds_exact(b) ? add_exact(f, a, b) : fold_yield(f, range_unknown(TYPE_OTHER, true));
    else
        add_doubles(f, a, b);
}

void fold_add(fold *f, const value_range *arg) {
    if (days_added(f, &arg[0], &arg[1], 1) || days_added(f, &arg[1], &arg[0], 1)) return;
    add_ranges(f, &arg[0], &arg[1]);
}

void fold_subtract(fold *f, const value_range *arg) {
    if (days_added(f, &arg[0], &arg[1], -1)) return;
    if (!range_is_number(&arg[1])) {
        fold_yield(f, range_unknown(TYPE_OTHER, true));
        return;
    }
    value_range minus = arg[1];
    /* In 128 bits the counterpart of the least whole number is there. */
    minus.has_low = arg[1].has_high;
    minus.has_high = arg[1].has_low;
    minus.low = negated(&arg[1].high);
    minus.high = negated(&arg[1].low);
    add_ranges(f, &arg[0], is_nan_single(&arg[1]) ? &arg[1] : &minus);
}

void fold_multiply(fold *f, const value_range *arg) {
    const value_range *a = &arg[0], *b = &arg[1];
    if (!range_is_number(b))
        fold_yield(f, range_unknown(TYPE_OTHER, true));
    else if (is_exact(a) && is_exact(b))
        holds_exact(a) && holds_exact(b) ? multiply_exact(f, a, b) : fold_yield(f, range_unknown(TYPE_OTHER, true));
    else
        multiply_doubles(f, a, b);
}

static bool excludes_zero(const value_range *r) {
    value zero = {.kind = VALUE_INT, .i = 0};
    return (r->has_low && value_compare(&r->low, &zero) > 0) || (r->has_high && value_compare(&r->high, &zero) < 0);
}

/* The digits that a quotient of decimals may have before and behind the point, as Spark counts them. */
static unsigned quotient_digits(const value_range *a, const value_range *b) {
    unsigned sa = type_scale(a), sb = type_scale(b), pa = precision_of(a), scale = sa + precision_of(b) + 1;
    unsigned whole = (pa > sa ? pa - sa : 0) + sb;
    return whole + (scale > 6 ? scale : 6);
}

/* How far a quotient of decimals may be rounded: to six digits or more behind the point, or to those of the operands
 * (Trino). */
static double quotient_slack(const value_range *a, const value_range *b) {
    unsigned sa = type_scale(a), sb = type_scale(b), scale = sa > sb ? sa : sb;
    return fmax(1e-6, pow(10, -(double)scale));
}

static void yield_whole_quotient(fold *f, double low, double high) {
    if (fabs(low) > 9e15 || fabs(high) > 9e15)
        fold_yield_unknown(f, TYPE_LONG);
    else
        fold_yield(f, range_between(TYPE_LONG, (value){.kind = VALUE_INT, .i = (int64_t)trunc(low)},
                                    (value){.kind = VALUE_INT, .i = (int64_t)trunc(high)}));
}

/* 7 / 2 is 3.5, 3.500000 or 3. A quotient of decimals that has more digits than a decimal is NULL to some. */
void fold_divide(fold *f, const value_range *arg) {
    const value_range *a = &arg[0], *b = &arg[1];
    if (!range_is_number(b) || !is_finite(a) || !is_finite(b) || !excludes_zero(b)) {
        fold_yield(f, range_unknown(TYPE_OTHER, true));
        return;
    }
    double x[] = {low_double(&a->low), high_double(&a->high)}, y[] = {low_double(&b->low), high_double(&b->high)};
    double low = x[0] / y[0], high = low;
    for (int i = 1; i < 4; i++) {
        low = fmin(low, x[i / 2] / y[i % 2]);
        high = fmax(high, x[i / 2] / y[i % 2]);
    }
    bool whole = type_is_integer(a->type) && type_is_integer(b->type), exact = is_exact(a) && is_exact(b);
    double slack = exact ? 1e-6 + fmax(fabs(low), fabs(high)) * 1e-12 : 0;
    if (exact && !whole) slack += quotient_slack(a, b);
    yield_doubles(f, a, b, true, low - slack, true, high + slack, false);
    if (exact && !whole && quotient_digits(a, b) > 38) fold_yield(f, range_null(TYPE_DECIMAL));
    if (whole) yield_whole_quotient(f, low, high);
}

/* Towards zero; engines that round down give one less for a negative quotient. */
void fold_div(fold *f, const value_range *arg) {
    const value_range *a = &arg[0], *b = &arg[1];
    int64_t x, y;
    if (!range_int(a, &x) || !range_int(b, &y) || y == 0 || (x == INT64_MIN && y == -1)) {
        fold_yield(f, range_unknown(TYPE_LONG, true));
        return;
    }
    int64_t down = x / y - (x % y != 0 && (x < 0) != (y < 0));
    fold_yield(f,
               range_between(TYPE_LONG, (value){.kind = VALUE_INT, .i = down}, (value){.kind = VALUE_INT, .i = x / y}));
}

/* A decimal, with the digits of its type where that has as many. */
static value_range with_digits(value_range r, digit_count d) {
    if (r.type != TYPE_DECIMAL || d.is_unknown || fold_digits_overflow(d)) return r;
    r.precision = (uint8_t)(d.whole + d.scale);
    r.scale = (uint8_t)d.scale;
    return r;
}

static type_kind rest_type(const value_range *a, const value_range *b) {
    return type_is_integer(a->type) && type_is_integer(b->type) ? wider(a->type, b->type) : TYPE_DECIMAL;
}

static void modulo_single(fold *f, const value_range *a, const value_range *b, bool positive) {
    unsigned sa = type_scale(a), sb = type_scale(b), scale = sa > sb ? sa : sb;
    int128 x, y;
    value v;
    if (!fixed(&a->low, scale, &x) || !fixed(&b->low, scale, &y) || y == 0) {
        fold_yield(f, range_unknown(TYPE_OTHER, true));
        return;
    }
    int128 rest = x % y;
    if (positive && rest < 0) rest += y < 0 ? -y : y;
    if (unfixed(rest, scale, &v))
        fold_yield(f, with_digits(range_single(rest_type(a, b), v), fold_digits_join(fold_digits(a), fold_digits(b))));
    else
        fold_yield_unknown(f, TYPE_DECIMAL);
}

/* The rest has the sign of the dividend and is smaller than the divisor. */
static void fold_rest(fold *f, const value_range *a, const value_range *b, bool positive) {
    int64_t y;
    bool exact = is_exact(a) && is_exact(b) && holds_exact(a) && holds_exact(b);
    if (exact && range_is_single(a) && range_is_single(b)) {
        modulo_single(f, a, b, positive);
        return;
    }
    if (!exact || !type_is_integer(a->type) || !range_int(b, &y) || y == 0 || y == INT64_MIN) {
        fold_yield(f, range_unknown(TYPE_OTHER, true));
        return;
    }
    int64_t most = (y < 0 ? -y : y) - 1;
    bool no_negative = positive || (a->has_low && !is_negative(&a->low));
    bool no_positive = !positive && a->has_high && is_negative(&a->high);
    fold_yield(f, range_between(rest_type(a, b), (value){.kind = VALUE_INT, .i = no_negative ? 0 : -most},
                                (value){.kind = VALUE_INT, .i = no_positive ? 0 : most}));
}

void fold_modulo(fold *f, const value_range *arg) {
    fold_rest(f, &arg[0], &arg[1], false);
}

void fold_pmod(fold *f, const value_range *arg) {
    int64_t y;
    if (range_int(&arg[1], &y) && y > 0)
        fold_rest(f, &arg[0], &arg[1], true);
    else
        fold_yield(f, range_unknown(TYPE_OTHER, true));
}

/* ------------------------------------------------------------------------------------------------- rounding */

typedef enum rounding { ROUND_DOWN, ROUND_UP, ROUND_NEAREST } rounding;

/* v in whole steps of 10^-digits; *tied: it stands between two. digits is below the scale. */
static int128 rounded_fixed(int128 d, unsigned cut, rounding how, bool *tied) {
    int128 step = power_of_ten(cut), down = d / step;
    int128 rest = d - down * step;
    if (rest < 0) {
        down--;
        rest += step;
    }
    *tied = rest * 2 == step;
    if (how == ROUND_DOWN || rest == 0) return down;
    return how == ROUND_UP || rest * 2 >= step ? down + 1 : down;
}

static void round_decimal(fold *f, const value_range *r, unsigned digits, rounding how) {
    const value *v = &r->low;
    digit_count d = fold_digits(r);
    value low, high;
    bool tied;
    d.whole++;
    if (d.scale > digits) d.scale = digits;
    if (v->scale <= digits) {
        fold_yield(f, with_digits(range_single(TYPE_DECIMAL, *v), d));
        return;
    }
    int128 whole = rounded_fixed(v->d, v->scale - digits, how, &tied);
    if (!unfixed(whole, digits, &high) || !unfixed(tied && how == ROUND_NEAREST ? whole - 1 : whole, digits, &low))
        fold_yield_unknown(f, TYPE_DECIMAL);
    else
        fold_yield(f, with_digits(range_between(TYPE_DECIMAL, low, high), d));
}

static void round_double(fold *f, double d, rounding how) {
    if (how == ROUND_NEAREST && (!isfinite(d) || fabs(d) > 9e15)) { /* a whole number, NaN or infinite */
        fold_yield_value(f, TYPE_DOUBLE, (value){.kind = VALUE_DOUBLE, .f = d});
        return;
    }
    if (!isfinite(d) || fabs(d) > 9e15) {
        fold_yield_unknown(f, TYPE_DOUBLE);
        return;
    }
    double down = floor(d), up = ceil(d), into = d - down;
    if (how == ROUND_DOWN || (how == ROUND_NEAREST && into < 0.499999)) up = down;
    if (how == ROUND_UP || (how == ROUND_NEAREST && into > 0.500001)) down = up;
    if (how != ROUND_NEAREST)
        fold_yield_int(f, TYPE_LONG, (int64_t)down); /* floor and ceil are whole numbers in Spark */
    fold_yield_value(f, TYPE_DOUBLE, (value){.kind = VALUE_DOUBLE, .f = down});
    fold_yield_value(f, TYPE_DOUBLE, (value){.kind = VALUE_DOUBLE, .f = up});
}

static void round_value(fold *f, const value_range *r, unsigned digits, rounding how) {
    if (type_is_integer(r->type) || r->low.kind == VALUE_INT)
        fold_yield(f, *r);
    else if (r->low.kind == VALUE_DECIMAL)
        round_decimal(f, r, digits, how);
    else if (digits == 0)
        round_double(f, r->low.f, how);
    else
        fold_yield_unknown(f, TYPE_DOUBLE);
}

void fold_floor(fold *f, const value_range *arg) {
    round_value(f, &arg[0], 0, ROUND_DOWN);
}

void fold_ceil(fold *f, const value_range *arg) {
    round_value(f, &arg[0], 0, ROUND_UP);
}

void fold_round(fold *f, const value_range *arg) {
    int64_t digits = 0;
    if (f->count == 2 && (!range_int(&arg[1], &digits) || digits < 0 || digits > 38)) {
        fold_yield_unknown(f, TYPE_OTHER);
        return;
    }
    round_value(f, &arg[0], (unsigned)digits, ROUND_NEAREST);
}
