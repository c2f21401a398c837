/* fold_cast.c - CAST between the types of columns.
 * Called by: prune/fold.c.  Must not know: predicates, statistics.
 *
 * A cast that cannot be done is an error in one engine and NULL in another, so it gives NULL here. Casts between
 * numbers and between times do not change the order, so bounds give bounds. Of texts only single ones are read, and
 * only in the forms that all engines read alike: what holds digits and is no plain number may still be one to some
 * engine.
 */
#include <math.h>

#include "prune/fold_int.h"

static value_range cast_unknown(fold *f) {
    value_range r = range_unknown(f->type->kind, true);
    r.precision = f->type->precision;
    r.scale = f->type->scale;
    return r;
}

static bool has_digit(str s) {
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] >= '0' && s.ptr[i] <= '9') return true;
    return false;
}

/* A point alone, which Spark without ANSI cuts to the whole number 0. */
static bool is_lone_point(str text) {
    if (str_starts_with(text, STR("-")) || str_starts_with(text, STR("+"))) text = str_slice(text, 1, text.len);
    return str_eq(text, STR("."));
}

static str trimmed(str s) {
    while (s.len && (unsigned char)s.ptr[0] <= ' ') s = str_slice(s, 1, s.len);
    while (s.len && (unsigned char)s.ptr[s.len - 1] <= ' ') s = str_slice(s, 0, s.len - 1);
    return s;
}

static bool special_float(str text, double *out) {
    bool negative = str_starts_with(text, STR("-"));
    if (negative || str_starts_with(text, STR("+"))) text = str_slice(text, 1, text.len);
    if (str_eq_nocase(text, STR("nan"))) return *out = NAN, true;
    if (!str_eq_nocase(text, STR("infinity")) && !str_eq_nocase(text, STR("inf"))) return false;
    *out = negative ? -INFINITY : INFINITY;
    return true;
}

bool fold_may_be_number(str text) {
    double special;
    return has_digit(text) || is_lone_point(trimmed(text)) || special_float(trimmed(text), &special);
}

/* ------------------------------------------------------------------------------------------------- to numbers */

static bool in_type(type_kind k, int64_t i) {
    static const int64_t most[] = {INT8_MAX, INT16_MAX, INT32_MAX, INT64_MAX};
    int64_t m = most[k == TYPE_BYTE ? 0 : k == TYPE_SHORT ? 1 : k == TYPE_INTEGER ? 2 : 3];
    return i >= -m - 1 && i <= m;
}

/* The whole numbers next to v; engines cut or round. */
static bool whole_below(const value *v, int64_t *out) {
    if (v->kind == VALUE_INT) return *out = v->i, true;
    if (v->kind != VALUE_DECIMAL) {
        if (!(fabs(v->f) < 9e18)) return false;
        *out = (int64_t)floor(v->f);
        return true;
    }
    int128 step = 1;
    for (unsigned i = 0; i < v->scale; i++) step *= 10;
    int128 d = v->d / step - (v->d % step < 0);
    *out = (int64_t)d;
    return d >= INT64_MIN && d <= INT64_MAX;
}

static bool whole_above(const value *v, int64_t *out) {
    value w = {.kind = VALUE_INT};
    if (!whole_below(v, &w.i)) return false;
    if (value_compare(&w, v) < 0 && __builtin_add_overflow(w.i, 1, &w.i)) return false;
    *out = w.i;
    return true;
}

static bool is_number_value(const value *v) {
    return value_is_number(v) && !value_is_nan(v);
}

static void number_to_whole(fold *f, const value_range *r) {
    int64_t low, high;
    bool known = r->has_low && r->has_high && !r->may_be_nan && is_number_value(&r->low) && is_number_value(&r->high) &&
                 whole_below(&r->low, &low) && whole_above(&r->high, &high) && in_type(f->type->kind, low) &&
                 in_type(f->type->kind, high);
    bool keeps = type_is_integer(r->type) && !known; /* a wider type holds what the narrower held */
    if (keeps && (r->type == f->type->kind || f->type->kind == TYPE_LONG)) {
        value_range same = *r;
        same.type = f->type->kind;
        fold_yield(f, same);
    } else if (known) {
        fold_yield(f, range_between(f->type->kind, (value){.kind = VALUE_INT, .i = low},
                                    (value){.kind = VALUE_INT, .i = high}));
    } else {
        fold_yield(f, cast_unknown(f));
    }
}

static value to_float(const value *v, type_kind kind, bool low) {
    value d = kind == TYPE_FLOAT ? value_to_float(v) : value_to_double(v);
    if (v->kind == VALUE_DECIMAL && kind == TYPE_DOUBLE) d.f = low ? double_before(d.f) : double_after(d.f);
    return d;
}

/* FLOAT has 64 bits in some engines: the value may be rounded to 32 bits or not. */
static void number_to_float_range(fold *f, const value_range *r) {
    value_range d = *r;
    d.type = f->type->kind;
    d.low = r->has_low ? to_float(&r->low, d.type, true) : r->low;
    d.high = r->has_high ? to_float(&r->high, d.type, false) : r->high;
    d.may_be_nan = r->may_be_nan;
    fold_yield(f, d);
    if (d.type != TYPE_FLOAT || r->type == TYPE_FLOAT) return;
    d.type = TYPE_DOUBLE;
    d.low = r->has_low ? to_float(&r->low, d.type, true) : r->low;
    d.high = r->has_high ? to_float(&r->high, d.type, false) : r->high;
    fold_yield(f, d);
}

/* The decimals of the target's scale next to v: engines round, some cut. */
static bool decimal_beside(const fold *f, const value *v, bool below, value *out) {
    unsigned scale = f->type->scale, have = v->kind == VALUE_DECIMAL ? v->scale : 0;
    int128 d = v->kind == VALUE_DECIMAL ? v->d : v->i, limit = 1;
    for (; have < scale; have++)
        if (__builtin_mul_overflow(d, (int128)10, &d)) return false;
    int128 step = 1;
    for (; have > scale; have--) step *= 10;
    int128 cut = d / step;
    if (below && d % step < 0) cut--;
    if (!below && d % step > 0) cut++;
    for (unsigned i = 0; i < f->type->precision; i++) limit *= 10;
    *out = (value){.kind = VALUE_DECIMAL, .scale = (uint8_t)scale, .d = cut};
    return cut < limit && cut > -limit;
}

/* A double through its exact digits, to the decimals beside it, and one more for engines that go by its short text. */
static bool double_beside(const fold *f, const value *v, bool below, value *out) {
    if (!(fabs(v->f) < 1e15) || f->type->scale > 15) return false;
    double scaled = v->f * pow(10, f->type->scale);
    if (!(fabs(scaled) < 9e15)) return false;
    int64_t near = (int64_t)floor(scaled) + (below ? -1 : 2);
    value fine = {.kind = VALUE_DECIMAL, .scale = f->type->scale, .d = near};
    return decimal_beside(f, &fine, below, out);
}

static bool beside(const fold *f, const value *v, bool below, value *out) {
    if (v->kind == VALUE_INT || v->kind == VALUE_DECIMAL) return decimal_beside(f, v, below, out);
    return !value_is_nan(v) && double_beside(f, v, below, out);
}

static void number_to_decimal_range(fold *f, const value_range *r) {
    value_range d = cast_unknown(f);
    bool low = r->has_low && beside(f, &r->low, true, &d.low),
         high = r->has_high && beside(f, &r->high, false, &d.high);
    d.has_low = low && !r->may_be_nan;
    d.has_high = high && !r->may_be_nan;
    d.can_be_null = !d.has_low || !d.has_high;
    fold_yield(f, d);
}

static void number_to_number(fold *f, const value_range *r) {
    switch ((int)f->type->kind) {
    case TYPE_FLOAT:
    case TYPE_DOUBLE: number_to_float_range(f, r); return;
    case TYPE_DECIMAL: number_to_decimal_range(f, r); return;
    default: number_to_whole(f, r); return;
    }
}

static void text_to_number(fold *f, str raw) {
    str text = trimmed(raw);
    number n;
    double special;
    bool to_float_type = f->type->kind == TYPE_FLOAT || f->type->kind == TYPE_DOUBLE;
    if (to_float_type && special_float(text, &special)) {
        fold_yield_value(f, f->type->kind, (value){.kind = VALUE_DOUBLE, .f = special});
        if (isnan(special) && text.len > 3) fold_yield(f, range_null(f->type->kind)); /* -nan */
        return;
    }
    value exact;
    size_t at;
    bool has_exponent = str_find_char(text, 'e', &at) || str_find_char(text, 'E', &at);
    if (!number_parse(text, &n)) {
        bool is_other_script = f->type->kind == TYPE_DECIMAL && !fold_is_ascii(text); /* Java's decimals have all digits */
        bool is_any = has_digit(text) || is_lone_point(text) || is_other_script;
        fold_yield(f, is_any ? cast_unknown(f) : range_null(f->type->kind));
        return;
    }
    if (to_float_type) {
        value d = {.kind = VALUE_DOUBLE, .f = number_to_double(&n)};
        if (f->type->kind == TYPE_FLOAT) {
            fold_yield_value(f, TYPE_FLOAT, (value){.kind = VALUE_FLOAT, .f = (double)number_to_float(&n)});
            fold_yield_value(f, TYPE_DOUBLE, d);
        } else {
            fold_yield_value(f, TYPE_DOUBLE, d);
        }
        return;
    }
    if (has_exponent || !number_to_decimal(&n, &exact)) {
        fold_yield(f, cast_unknown(f));
        return;
    }
    bool whole = type_is_integer(f->type->kind);
    if (whole && number_fraction_digits(&n) > 0) fold_yield(f, range_null(f->type->kind));
    value_range r = range_single(TYPE_DECIMAL, exact);
    number_to_number(f, &r);
}

/* ---------------------------------------------------------------------------------------------------- to texts */

static value text_value(str s) {
    return (value){.kind = VALUE_STRING, .s = s};
}

static str printed(fold *f, const value *v) {
    buf b;
    buf_init(&b, f->scratch, 256);
    value_print(&b, v);
    return buf_str(&b);
}

/* A time as text starts with its date and, behind a blank or a T, its time of day; how a fraction and a zone are
 * written differs. So the text lies between the two forms. */
static void time_to_text(fold *f, int64_t wall) {
    int64_t days = fold_day_of_wall(wall), second = (wall - fold_wall_of_date(days)) / 1000000;
    buf low, high;
    buf_init(&low, f->scratch, 128);
    buf_init(&high, f->scratch, 128);
    calendar_print_date(&low, days);
    calendar_print_date(&high, days);
    buf_put_char(&low, ' ');
    buf_put_char(&high, 'T');
    buf *both[] = {&low, &high};
    for (int i = 0; i < 2; i++)
        buf_printf(both[i], "%02d:%02d:%02d", (int)(second / 3600), (int)(second / 60 % 60), (int)(second % 60));
    value_range r = range_between(TYPE_STRING, text_value(buf_str(&low)), text_value(buf_str(&high)));
    r.high.above_prefix = true;
    fold_yield(f, r);
}

static bool is_common_year(int64_t days) {
    int64_t year;
    unsigned month, day;
    calendar_civil(days, &year, &month, &day);
    return year >= 1 && year <= 9999;
}

static void single_to_text(fold *f, const value_range *r) {
    const value *v = &r->low;
    value_range wall;
    if (type_is_integer(r->type) || (r->type == TYPE_DATE && is_common_year(v->i))) {
        fold_yield_text(f, printed(f, v));
        return;
    }
    if (r->type == TYPE_BOOLEAN) {
        fold_yield_text(f, v->i ? STR("true") : STR("false"));
        fold_yield_text(f, v->i ? STR("t") : STR("f"));
        fold_yield_text(f, v->i ? STR("1") : STR("0"));
        return;
    }
    bool is_time = r->type == TYPE_TIMESTAMP || r->type == TYPE_TIMESTAMP_NTZ;
    if (!is_time || !fold_to_wall(f, r, &wall) || !is_common_year(fold_day_of_wall(wall.low.i))) {
        fold_yield(f, cast_unknown(f));
        return;
    }
    time_to_text(f, wall.low.i);
    if (r->type == TYPE_TIMESTAMP && wall.low.i != v->i) time_to_text(f, v->i); /* printed in UTC */
}

static void cast_to_text(fold *f, const value_range *r) {
    if (r->type == TYPE_STRING)
        fold_yield(f, *r);
    else if (range_is_single(r))
        single_to_text(f, r);
    else
        fold_yield(f, range_unknown(TYPE_STRING, r->type == TYPE_OTHER || r->type == TYPE_BINARY));
}

/* ---------------------------------------------------------------------------------------------------- to times */

static void cast_to_date(fold *f, const value_range *r) {
    value_range wall, d;
    if (range_is_number(r) || r->type == TYPE_BOOLEAN || !fold_to_wall(f, r, &wall)) {
        fold_yield(f, cast_unknown(f));
        return;
    }
    d = wall;
    d.type = TYPE_DATE;
    d.low = (value){.kind = VALUE_DATE, .i = wall.low.kind == VALUE_DATE ? wall.low.i : fold_day_of_wall(wall.low.i)};
    d.high =
        (value){.kind = VALUE_DATE, .i = wall.high.kind == VALUE_DATE ? wall.high.i : fold_day_of_wall(wall.high.i)};
    fold_yield(f, d);
}

static void whole_to_instant(fold *f, const value_range *r, int64_t factor, int64_t divisor) {
    value_range t = range_unknown(TYPE_TIMESTAMP, false);
    t.low = t.high = (value){.kind = VALUE_TIMESTAMP};
    t.has_low = r->has_low && r->low.kind == VALUE_INT && !__builtin_mul_overflow(r->low.i, factor, &t.low.i);
    t.has_high = r->has_high && r->high.kind == VALUE_INT && !__builtin_mul_overflow(r->high.i, factor, &t.high.i);
    t.low.i = t.low.i / divisor - (t.low.i % divisor < 0);
    t.high.i = t.high.i / divisor + (t.high.i % divisor > 0);
    t.can_be_null = !t.has_low || !t.has_high;
    fold_yield(f, t);
}

static void text_to_instant(fold *f, str text) {
    time_text t;
    bool known = time_text_parse(text, f->env->zones, true, &t) && !t.has_more_digits && !t.is_odd;
    if (!known || (f->env->zone_is_unknown && !t.has_offset)) {
        fold_yield(f, cast_unknown(f));
        return;
    }
    int64_t earlier, later;
    time_text_instants(&t, f->env->session_zone, &earlier, &later);
    fold_yield_value(f, TYPE_TIMESTAMP, (value){.kind = VALUE_TIMESTAMP, .i = earlier});
    if (later != earlier) fold_yield_value(f, TYPE_TIMESTAMP, (value){.kind = VALUE_TIMESTAMP, .i = later});
}

/* A whole number is seconds to Spark, and may be micros or nanos to others. */
static void cast_to_timestamp(fold *f, const value_range *r) {
    value_range t;
    if (type_is_integer(r->type)) {
        whole_to_instant(f, r, 1000000, 1);
        whole_to_instant(f, r, 1, 1);
        whole_to_instant(f, r, 1, 1000);
    } else if (range_is_text(r)) {
        text_to_instant(f, r->low.s);
    } else if (fold_to_instant(f, r, &t)) {
        fold_yield(f, t);
    } else {
        fold_yield(f, cast_unknown(f));
    }
}

static void cast_to_ntz(fold *f, const value_range *r) {
    value_range wall;
    time_text t;
    if (range_is_text(r) && time_text_parse(r->low.s, f->env->zones, true, &t) && t.has_offset && !t.is_odd) {
        int64_t earlier, later; /* the offset is cut, or the time is moved to UTC */
        time_text_instants(&t, f->env->session_zone, &earlier, &later);
        fold_yield_value(f, TYPE_TIMESTAMP_NTZ, (value){.kind = VALUE_TIMESTAMP_NTZ, .i = time_text_wall_micros(&t)});
        fold_yield_value(f, TYPE_TIMESTAMP_NTZ, (value){.kind = VALUE_TIMESTAMP_NTZ, .i = earlier});
        fold_yield_value(f, TYPE_TIMESTAMP_NTZ, (value){.kind = VALUE_TIMESTAMP_NTZ, .i = later});
        return;
    }
    if (range_is_number(r) || r->type == TYPE_BOOLEAN || !fold_to_wall(f, r, &wall)) {
        fold_yield(f, cast_unknown(f));
        return;
    }
    bool is_date = wall.type == TYPE_DATE;
    int64_t low = is_date ? fold_wall_of_date(wall.low.i) : wall.low.i;
    int64_t high = is_date ? fold_wall_of_date(wall.high.i) : wall.high.i;
    wall.type = TYPE_TIMESTAMP_NTZ;
    wall.low = (value){.kind = VALUE_TIMESTAMP_NTZ, .i = low};
    wall.high = (value){.kind = VALUE_TIMESTAMP_NTZ, .i = high};
    fold_yield(f, wall);
}

/* ---------------------------------------------------------------------------------------------------- the rest */

static void cast_to_boolean(fold *f, const value_range *r) {
    static const char *const yes[] = {"true", "t", "yes", "y", "1"}, *const no[] = {"false", "f", "no", "n", "0"};
    if (r->type == TYPE_BOOLEAN) {
        fold_yield(f, *r);
        return;
    }
    int64_t i;
    if (range_int(r, &i)) {
        fold_yield_outcome(f, i ? OUTCOME_TRUE : OUTCOME_FALSE);
        return;
    }
    for (size_t k = 0; range_is_text(r) && k < sizeof yes / sizeof *yes; k++) {
        bool is_yes = str_eq_nocase(trimmed(r->low.s), str_from(yes[k]));
        if (!is_yes && !str_eq_nocase(trimmed(r->low.s), str_from(no[k]))) continue;
        fold_yield_outcome(f, is_yes ? OUTCOME_TRUE : OUTCOME_FALSE);
        return;
    }
    fold_yield(f, cast_unknown(f));
}

static void cast_to_number(fold *f, const value_range *r) {
    if (range_is_number(r)) {
        number_to_number(f, r);
    } else if (range_is_text(r)) {
        text_to_number(f, r->low.s);
    } else if (r->type == TYPE_BOOLEAN && range_is_single(r)) {
        value_range bit = range_single(TYPE_INTEGER, (value){.kind = VALUE_INT, .i = r->low.i});
        number_to_number(f, &bit);
    } else {
        fold_yield(f, cast_unknown(f));
    }
}

/* DECIMAL alone: of 10 digits in Spark, 18 of which 3 are a fraction in DuckDB, 38 in Trino, 38 with 10 in DataFusion. */
static void cast_to_bare_decimal(fold *f, const value_range *r) {
    static const data_type type[] = {{.kind = TYPE_DECIMAL, .precision = 10},
                                     {.kind = TYPE_DECIMAL, .precision = 18, .scale = 3},
                                     {.kind = TYPE_DECIMAL, .precision = 38},
                                     {.kind = TYPE_DECIMAL, .precision = 38, .scale = 10}};
    fold each = *f;
    for (size_t i = 0; i < sizeof type / sizeof *type; i++) {
        each.type = &type[i];
        cast_to_number(&each, r);
    }
}

void fold_cast(fold *f, const value_range *arg) {
    const value_range *r = &arg[0];
    if (f->type->kind == TYPE_DECIMAL && f->type->precision == 0) {
        cast_to_bare_decimal(f, r);
        return;
    }
    switch (f->type->kind) {
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INTEGER:
    case TYPE_LONG:
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
    case TYPE_DECIMAL: cast_to_number(f, r); return;
    case TYPE_STRING: cast_to_text(f, r); return;
    case TYPE_BOOLEAN: cast_to_boolean(f, r); return;
    case TYPE_DATE: cast_to_date(f, r); return;
    case TYPE_TIMESTAMP: cast_to_timestamp(f, r); return;
    case TYPE_TIMESTAMP_NTZ: cast_to_ntz(f, r); return;
    case TYPE_BINARY:
    case TYPE_VOID:
    case TYPE_INTERVAL:
    case TYPE_VARIANT:
    case TYPE_GEO:
    case TYPE_STRUCT:
    case TYPE_ARRAY:
    case TYPE_MAP:
    case TYPE_OTHER: fold_yield(f, cast_unknown(f)); return;
    }
    UNREACHABLE();
}
