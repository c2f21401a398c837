/* cell_bound.c - minima and maxima of statistics, and what they prove.
 * Called by: delta (stats.c).  Must not know: which file or action the cell came from.
 *
 * Each kind of value has one function that takes a recorded value and gives the bound; the two sources, JSON tokens and
 * Parquet leaves, meet there. Whatever is doubtful moves the reach outwards, away from the values in between.
 */
#include "types/cell.h"

#include <math.h>

#include "parquet/parquet.h"
#include "types/number.h"
#include "types/types_int.h"

static const int64_t MICROS_PER_SECOND = 1000000;
static const int64_t MICROS_PER_HOUR = 3600 * (int64_t)1000000;
static const int64_t MICROS_PER_DAY = 86400 * (int64_t)1000000;

static bound unreadable(void) {
    return (bound){.state = CELL_UNREADABLE};
}

static bound exactly(value v) {
    return (bound){.state = CELL_VALUE, .v = v, .reach = v, .exact = true};
}

/* ---- integers */

static bound bound_from_integer(data_type type, int64_t i) {
    if (!type_holds_integer(type.kind, i)) return unreadable();
    return exactly((value){.kind = VALUE_INT, .i = i});
}

/* [-] digits; the form that all but every integer has. */
static bool read_plain_integer(str text, int64_t *out) {
    size_t at = text.len > 0 && text.ptr[0] == '-';
    int64_t negative = 0; /* the negative side reaches one further */
    if (at == text.len) return false;
    for (size_t i = at; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9') return false;
        if (__builtin_mul_overflow(negative, 10, &negative)) return false;
        if (__builtin_sub_overflow(negative, text.ptr[i] - '0', &negative)) return false;
    }
    if (at == 0 && negative == INT64_MIN) return false;
    *out = at == 1 ? negative : -negative;
    return true;
}

/* 1.0 and 1e3 are whole too; but who writes so holds a double, which is not exact beyond 2^53. */
static bound integer_from_text(data_type type, str text) {
    int64_t i;
    number n;
    if (read_plain_integer(text, &i)) return bound_from_integer(type, i);
    if (!number_parse(text, &n) || !number_to_int64(&n, &i)) return unreadable();
    if (i > ((int64_t)1 << 53) || i < -((int64_t)1 << 53)) return unreadable();
    return bound_from_integer(type, i);
}

/* ---- float and double */

/* -0.0 and 0.0 are equal (trap T17); one of them is enough. */
static value float_value(value_kind kind, double f) {
    return (value){.kind = kind, .f = f == 0 ? 0 : f};
}

/* Both readings of a bound that may have been written when the column was a float: as it stands, and as the float that
 * it was text of (trap T22). */
static bound bound_from_both(double as_double, double as_float, bound_side side) {
    bound b = exactly(float_value(VALUE_DOUBLE, as_double));
    if (isnan(as_double) || isinf(as_float) || as_float == as_double) return b;
    b.exact = false;
    if (side == BOUND_MIN ? as_float < as_double : as_float > as_double) b.reach = float_value(VALUE_DOUBLE, as_float);
    return b;
}

static bool read_named_float(str text, double *out) {
    if (str_eq(text, STR("NaN")))
        *out = NAN;
    else if (str_eq(text, STR("Infinity")))
        *out = INFINITY;
    else if (str_eq(text, STR("-Infinity")))
        *out = -INFINITY;
    else
        return false;
    return true;
}

/* A FLOAT column's text is the float's text: 0.1 is 0.100000001490116 (trap T18). A number beyond the type is no value
 * of it; only the name stands for infinity. */
static bound float_from_text(data_type type, str text, bool is_string, bound_side side) {
    value_kind kind = type.kind == TYPE_FLOAT ? VALUE_FLOAT : VALUE_DOUBLE;
    double named, plain;
    number n;
    if (!is_string && !type.was_float && number_read_short(text, kind == VALUE_FLOAT, &plain))
        return exactly(float_value(kind, plain));
    if (is_string) return read_named_float(text, &named) ? exactly(float_value(kind, named)) : unreadable();
    if (!number_parse(text, &n)) return unreadable();
    double f = kind == VALUE_FLOAT ? (double)number_to_float(&n) : number_to_double(&n);
    if (isinf(f)) return unreadable();
    return type.was_float ? bound_from_both(f, (double)number_to_float(&n), side) : exactly(float_value(kind, f));
}

/* ---- decimal */

enum { DOUBLE_DIGITS = 15 }; /* decimals of so many digits survive a double */

/* Some writers bring decimals to a double (trap T20): 999999999999999999 becomes 1e18, also as a minimum. That shows in
 * more digits than a double keeps, or more than the column has behind the point. */
static bool may_be_rounded(data_type type, const value *v) {
    if (v->scale > type.scale) return true;
    unsigned missing = (unsigned)(type.scale - v->scale);
    return missing >= DOUBLE_DIGITS ? v->d != 0 : !decimal_fits(v->d, DOUBLE_DIGITS - missing);
}

/* Outwards by more than such a writer can lose: rounding the digits, an inexact power of ten, a division and the
 * shortest text are each within a few of the 2^-53 that make a rounding step; 2^-49 is beyond their sum. */
static value move_by_double_rounding(data_type type, value v, bound_side side) {
    while (v.scale < type.scale && decimal_fits(v.d, 37)) {
        v.d *= 10;
        v.scale++;
    }
    int128 slack = (v.d < 0 ? -v.d : v.d) / ((int128)1 << 49) + 1;
    int128 moved = side == BOUND_MIN ? v.d - slack : v.d + slack;
    if (decimal_fits(moved, 38))
        v.d = moved;
    else
        v = float_value(VALUE_DOUBLE, side == BOUND_MIN ? -INFINITY : INFINITY); /* beyond every decimal */
    return v;
}

static bound bound_from_decimal(data_type type, value v, bound_side side) {
    bound b = exactly(v);
    if (!may_be_rounded(type, &v)) return b;
    b.exact = false;
    b.reach = move_by_double_rounding(type, v, side);
    return b;
}

/* A text of more than 38 digits is cut to 37, outwards. */
static bool cut_to_decimal(const number *n, bound_side side, value *out) {
    int64_t whole_digits = n->exponent; /* digits before the point */
    for (size_t i = 0; i < n->digits.len; i++) whole_digits += n->digits.ptr[i] != '.';
    if (whole_digits > 37) return false;
    int64_t scale = 37 - (whole_digits > 0 ? whole_digits : 0);
    int64_t left = whole_digits + scale; /* digits to take */
    int128 d = 0;
    for (size_t i = 0; left > 0 && i < n->digits.len; i++) {
        if (n->digits.ptr[i] == '.') continue;
        d = d * 10 + (n->digits.ptr[i] - '0');
        left--;
    }
    for (; left > 0; left--) d *= 10;
    if (n->negative) d = -d;
    if (n->negative == (side == BOUND_MIN)) d += n->negative ? -1 : 1; /* cutting went towards zero, which is inwards */
    *out = (value){.kind = VALUE_DECIMAL, .scale = (uint8_t)scale, .d = d};
    return true;
}

static bound decimal_from_text(data_type type, str text, bound_side side) {
    number n;
    value v;
    if (!number_parse(text, &n)) return unreadable();
    if (number_to_decimal(&n, &v)) return bound_from_decimal(type, v, side);
    if (!cut_to_decimal(&n, side, &v)) return unreadable();
    bound b = bound_from_decimal(type, v, side);
    b.exact = false;
    return b;
}

/* Big-endian two's complement of any length; false if it does not fit 38 digits. */
static bool read_decimal_bytes(str bytes, int128 *out) {
    if (bytes.len == 0) return false;
    size_t extra = bytes.len > 16 ? bytes.len - 16 : 0;
    unsigned char sign = (unsigned char)((signed char)bytes.ptr[extra] < 0 ? 0xFF : 0);
    for (size_t i = 0; i < extra; i++)
        if ((unsigned char)bytes.ptr[i] != sign) return false;
    int128 d = sign == 0 ? 0 : -1;
    for (size_t i = extra; i < bytes.len; i++) d = d * 256 + (unsigned char)bytes.ptr[i];
    *out = d;
    return decimal_fits(d, 38);
}

/* ---- strings */

enum { SAFE_BYTES = 32 }; /* writers keep 32 UTF-16 units or more, which are as many bytes at least */

static bool is_ascii(str text) {
    unsigned char all = 0;
    for (size_t i = 0; i < text.len; i++) all |= (unsigned char)text.ptr[i];
    return all < 0x80;
}

/* The position of the first U+FFFD, or the length. */
static size_t find_replacement_character(str text) {
    size_t at = 0, step;
    while (str_find_char(str_slice(text, at, text.len), '\xEF', &step)) {
        at += step;
        if (str_starts_with(str_slice(text, at, text.len), STR("\xEF\xBF\xBD"))) return at;
        at++;
    }
    return text.len;
}

/* How far a text is sure to be what the row holds: up to a replacement character, which stands for bytes that no JSON
 * text can carry, closes the maxima of older writers (trap T25) and sorts below many characters. A text that ends
 * inside a character is sure up to there; one that is broken elsewhere not at all. */
static bool find_sure_text(str text, size_t *length) {
    *length = text.len;
    if (is_ascii(text)) return true;
    for (size_t cut = 0; !str_is_utf8(str_slice(text, 0, *length)); cut++) {
        if (cut == 3 || *length == 0) return false;
        --*length;
    }
    *length = find_replacement_character(str_slice(text, 0, *length));
    return true;
}

/* What closes a cut maximum: above each character that may have stood there. */
static bool ends_in_tie_breaker(str text) {
    return str_ends_with(text, STR("\x7F")) || str_ends_with(text, STR("\xF4\x8F\xBF\xBF"));
}

/* A minimum that was cut is a prefix, so still a limit. A maximum that may have been cut says no more than that no row
 * is above the texts that start with it; if it was closed with a tie breaker that is a little wide, for the texts that
 * go on behind the tie breaker. (rules P17, P18, traps T24, T25, T27) */
static bound bound_from_text(str text, bound_side side) {
    size_t sure;
    if (!find_sure_text(text, &sure)) return unreadable();
    bound b = exactly((value){.kind = VALUE_STRING, .s = text});
    bool may_be_cut = sure < text.len || text.len >= SAFE_BYTES;
    b.reach.s = str_slice(text, 0, sure);
    b.reach.above_prefix = side == BOUND_MAX && may_be_cut;
    b.exact = !may_be_cut && !(side == BOUND_MAX && ends_in_tie_breaker(text));
    return b;
}

/* ---- dates */

/* Days by which the Julian and the Gregorian calendar differ at most, as far back as a date lies: 10 down to year 1,
 * and before that three more every four centuries. */
static int64_t calendar_slack(int64_t days) {
    if (days >= FIRST_GREGORIAN_DAY) return 0;
    int64_t delay = julian_delay(days);
    return delay < -10 ? -delay : 10;
}

static bound bound_from_days(int64_t days, bound_side side) {
    bound b = exactly((value){.kind = VALUE_DATE, .i = days});
    int64_t slack = calendar_slack(days);
    b.exact = slack == 0;
    b.reach.i = side == BOUND_MIN ? days - slack : days + slack;
    return b;
}

static bound date_from_text(str text, bound_side side) {
    time_text t;
    if (!time_text_parse(text, NULL, false, &t) || t.has_time) return unreadable();
    return bound_from_days(t.days, side);
}

/* ---- timestamps */

static int64_t saturate(int128 micros) {
    return micros > INT64_MAX ? INT64_MAX : micros < INT64_MIN ? INT64_MIN : (int64_t)micros;
}

/* What a timestamp bound is made from. `low` and `high` are the ends of what the record can mean. */
typedef struct recorded_time {
    int128 v, low, high;  /* microseconds */
    bool has_more_digits; /* v was cut from something finer */
} recorded_time;

static recorded_time at_micros(int128 micros) {
    return (recorded_time){micros, micros, micros, false};
}

static void widen(recorded_time *t, int128 slack) {
    t->low -= slack;
    t->high += slack;
}

static int64_t floor_days(int128 micros) {
    int64_t days = (int64_t)(micros / MICROS_PER_DAY);
    return micros % MICROS_PER_DAY < 0 ? days - 1 : days;
}

/* Writers cut timestamps to milliseconds (rule P8). So a value without microseconds may stand for up to 999 more, and
 * up to the epoch, where some cut towards zero, for up to 999 less (trap T4). A value that has microseconds was not
 * cut. What lies outside of the type saturates outwards only. Texts of times are never a row's value for sure (trap
 * T3). */
static bound bound_from_time(data_type type, recorded_time t, bound_side side) {
    widen(&t, (int128)calendar_slack(floor_days(t.v)) * MICROS_PER_DAY);
    bool may_be_cut = t.v % 1000 == 0;
    int128 reach = side == BOUND_MIN ? t.low : t.high;
    if (side == BOUND_MAX) reach += may_be_cut ? 999 : t.has_more_digits;
    if (side == BOUND_MIN && may_be_cut && t.low <= 0) reach -= 999;
    if (side == BOUND_MIN ? reach > INT64_MAX : reach < INT64_MIN) return unreadable();
    value_kind kind = type.kind == TYPE_TIMESTAMP ? VALUE_TIMESTAMP : VALUE_TIMESTAMP_NTZ;
    return (bound){
        .state = CELL_VALUE, .v = {.kind = kind, .i = saturate(t.v)}, .reach = {.kind = kind, .i = saturate(reach)}};
}

/* No zone is further from UTC than 14 hours; local mean times before 1900 went up to 16 (Manila, Alaska). */
static int128 unknown_zone_slack(int128 micros) {
    const int64_t year_1900 = -25567 * MICROS_PER_DAY;
    return (micros < year_1900 ? 16 : 14) * MICROS_PER_HOUR;
}

/* Local mean times have seconds in their offset, which writers leave out (trap T7). By the zone database the last zones
 * whose offset was cut to what is written here went over to standard time in 1915 (Accra, for Z), in 1949 (Aden, for
 * whole hours) and in 1972 (Monrovia, for all others). */
static bool may_lack_seconds(int32_t offset_seconds, int128 micros) {
    const int64_t year_1919 = -18628, year_1951 = -6940, year_1973 = 1096;
    int64_t until = offset_seconds == 0 ? year_1919 : offset_seconds % 3600 == 0 ? year_1951 : year_1973;
    return offset_seconds % 60 == 0 && micros < until * MICROS_PER_DAY;
}

/* An instant with its offset; without one it is read as UTC, and may lie a whole zone away (trap T6). */
static recorded_time instant_from_text(const time_text *text, int128 wall) {
    recorded_time t = at_micros(wall - (int128)text->offset_seconds * MICROS_PER_SECOND);
    if (!text->has_offset)
        widen(&t, unknown_zone_slack(wall));
    else if (may_lack_seconds(text->offset_seconds, wall))
        widen(&t, 60 * MICROS_PER_SECOND);
    return t;
}

/* A wall clock; with an offset behind it, either what stands there or the same instant in UTC. */
static recorded_time wall_from_text(const time_text *text, int128 wall) {
    recorded_time t = at_micros(wall);
    int128 offset = (int128)text->offset_seconds * MICROS_PER_SECOND;
    if (offset > 0)
        t.low -= offset;
    else
        t.high -= offset;
    return t;
}

static bound time_from_text(data_type type, str text, bound_side side) {
    time_text t;
    if (!time_text_parse(text, NULL, false, &t)) return unreadable();
    int128 wall = (int128)t.days * MICROS_PER_DAY + t.micros_of_day;
    recorded_time recorded = type.kind == TYPE_TIMESTAMP ? instant_from_text(&t, wall) : wall_from_text(&t, wall);
    recorded.has_more_digits = t.has_more_digits;
    return bound_from_time(type, recorded, side);
}

/* ---- JSON tokens */

static bound bound_from_token(data_type type, str text, bool is_string, bound_side side) {
    switch (type.kind) {
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INTEGER:
    case TYPE_LONG: return is_string ? unreadable() : integer_from_text(type, text);
    case TYPE_FLOAT:
    case TYPE_DOUBLE: return float_from_text(type, text, is_string, side);
    case TYPE_DECIMAL: return is_string ? unreadable() : decimal_from_text(type, text, side);
    case TYPE_STRING: return is_string && !type.collated ? bound_from_text(text, side) : unreadable();
    case TYPE_BOOLEAN:
        if (is_string || !(str_eq(text, STR("true")) || str_eq(text, STR("false")))) return unreadable();
        return exactly((value){.kind = VALUE_BOOLEAN, .i = text.ptr[0] == 't'});
    case TYPE_DATE: return is_string ? date_from_text(text, side) : unreadable();
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ: return is_string ? time_from_text(type, text, side) : unreadable();
    case TYPE_BINARY:
    case TYPE_VOID:
    case TYPE_INTERVAL:
    case TYPE_VARIANT:
    case TYPE_GEO:
    case TYPE_STRUCT:
    case TYPE_ARRAY:
    case TYPE_MAP:
    case TYPE_OTHER: return (bound){.state = CELL_ABSENT};
    }
    UNREACHABLE();
}

bound cell_bound_from_json(data_type type, str text, bool is_string, bound_side side) {
    bound b = bound_from_token(type, text, is_string, side);
    b.text = text;
    return b;
}

/* ---- Parquet leaves */

static bool is_whole(const parquet_cell *c) {
    return (c->physical == PQ_INT32 || c->physical == PQ_INT64) &&
           (c->logical == PQ_LOGICAL_NONE || c->logical == PQ_LOGICAL_INT);
}

static bound float_from_parquet(data_type type, const parquet_cell *c, bound_side side) {
    if (type.kind == TYPE_FLOAT) {
        bool is_float =
            c->physical == PQ_FLOAT || (c->physical == PQ_DOUBLE && (isnan(c->f) || (double)(float)c->f == c->f));
        return is_float ? exactly(float_value(VALUE_FLOAT, c->f)) : unreadable();
    }
    if (c->physical == PQ_FLOAT) return exactly(float_value(VALUE_DOUBLE, c->f));
    if (c->physical == PQ_DOUBLE && type.was_float) return bound_from_both(c->f, (double)(float)c->f, side);
    if (c->physical == PQ_DOUBLE) return exactly(float_value(VALUE_DOUBLE, c->f));
    if (c->physical == PQ_INT32 && is_whole(c)) return exactly(float_value(VALUE_DOUBLE, (double)c->i));
    return unreadable();
}

static bound decimal_from_parquet(data_type type, const parquet_cell *c, bound_side side) {
    value v = {.kind = VALUE_DECIMAL, .scale = 0};
    if (is_whole(c)) { /* of before the column was widened to a decimal */
        v.d = c->i;
        return bound_from_decimal(type, v, side);
    }
    if (c->logical != PQ_LOGICAL_DECIMAL || c->scale < 0 || c->scale > 38) return unreadable();
    v.scale = (uint8_t)c->scale;
    if (c->physical == PQ_INT32 || c->physical == PQ_INT64)
        v.d = c->i;
    else if (c->physical != PQ_BYTE_ARRAY && c->physical != PQ_FIXED_LEN_BYTE_ARRAY)
        return unreadable();
    else if (!read_decimal_bytes(c->bytes, &v.d))
        return unreadable();
    return bound_from_decimal(type, v, side);
}

static uint64_t read_little_endian(const char *from, size_t bytes) {
    uint64_t bits = 0;
    for (size_t i = bytes; i-- > 0;) bits = bits << 8 | (unsigned char)from[i];
    return bits;
}

static recorded_time at_nanos(int128 nanos) {
    int128 micros = nanos / 1000, rest = nanos % 1000;
    recorded_time t = at_micros(rest < 0 ? micros - 1 : micros);
    t.has_more_digits = rest != 0;
    return t;
}

/* INT96: nanoseconds of the day, then the Julian day number, of which 2440588 is 1970-01-01. */
static recorded_time read_int96(str bytes) {
    uint64_t nanos = read_little_endian(bytes.ptr, 8);
    int64_t day = (int32_t)(uint32_t)read_little_endian(bytes.ptr + 8, 4);
    return at_nanos((int128)(day - 2440588) * MICROS_PER_DAY * 1000 + (int64_t)nanos);
}

static bool read_parquet_time(data_type type, const parquet_cell *c, recorded_time *out) {
    if (c->physical == PQ_INT96 && c->bytes.len == 12)
        *out = read_int96(c->bytes);
    else if (c->physical == PQ_INT32 && c->logical == PQ_LOGICAL_DATE && type.kind == TYPE_TIMESTAMP_NTZ)
        *out = at_micros((int128)c->i * MICROS_PER_DAY); /* of before the column was widened from date */
    else if (c->physical != PQ_INT64)
        return false;
    else if (c->logical == PQ_LOGICAL_TIMESTAMP_MILLIS)
        *out = at_micros((int128)c->i * 1000);
    else if (c->logical == PQ_LOGICAL_TIMESTAMP_MICROS)
        *out = at_micros(c->i);
    else if (c->logical == PQ_LOGICAL_TIMESTAMP_NANOS)
        *out = at_nanos(c->i);
    else
        return false;
    return true;
}

static bound time_from_parquet(data_type type, const parquet_cell *c, bound_side side) {
    recorded_time t;
    if (!read_parquet_time(type, c, &t)) return unreadable();
    /* An instant under a column of wall clocks, or the other way round: the zone between them is unknown. */
    bool is_instant = c->physical == PQ_INT96 || (c->physical == PQ_INT64 && c->is_adjusted_to_utc);
    if (is_instant != (type.kind == TYPE_TIMESTAMP)) widen(&t, unknown_zone_slack(t.v));
    return bound_from_time(type, t, side);
}

bound cell_bound_from_parquet(data_type type, const parquet_cell *cell, bound_side side) {
    switch (type.kind) {
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INTEGER:
    case TYPE_LONG: return is_whole(cell) ? bound_from_integer(type, cell->i) : unreadable();
    case TYPE_FLOAT:
    case TYPE_DOUBLE: return float_from_parquet(type, cell, side);
    case TYPE_DECIMAL: return decimal_from_parquet(type, cell, side);
    case TYPE_STRING:
        if (cell->physical != PQ_BYTE_ARRAY || cell->logical == PQ_LOGICAL_DECIMAL || type.collated)
            return unreadable();
        return bound_from_text(cell->bytes, side);
    case TYPE_BOOLEAN:
        if (cell->physical != PQ_BOOLEAN) return unreadable();
        return exactly((value){.kind = VALUE_BOOLEAN, .i = cell->i != 0});
    case TYPE_DATE:
        if (cell->physical != PQ_INT32 || cell->logical != PQ_LOGICAL_DATE) return unreadable();
        return bound_from_days(cell->i, side);
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ: return time_from_parquet(type, cell, side);
    case TYPE_BINARY:
    case TYPE_VOID:
    case TYPE_INTERVAL:
    case TYPE_VARIANT:
    case TYPE_GEO:
    case TYPE_STRUCT:
    case TYPE_ARRAY:
    case TYPE_MAP:
    case TYPE_OTHER: return (bound){.state = CELL_ABSENT};
    }
    UNREACHABLE();
}
