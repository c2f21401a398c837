/* brute_force_function.c - functions of columns that random predicates may hold, and what they give for one value.
 * Called by: tests/unit/brute_force_*.c.  Must not know: statistics, pruning.
 *
 * To add a function, add a row to `brute_functions` below: how it is written (%c is the column, %k a small number), the
 * column types that it takes, and a function that gives its value for one value of the column. That function says what
 * type comes out by changing `as`, which starts as the column itself; it may ask which engine reads the predicate, and
 * returns false where that engine fails or knows no such function, so that no row is expected of it. A function that is
 * not called for NULL gives NULL for it. Nothing else is needed: comparisons, lists, ranges, patterns and NULL tests of
 * the result follow.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "brute_force.h"

static const int64_t DAY_MICROS = INT64_C(86400000000);

#define BIT(type) (1u << BRUTE_##type)
enum {
    INTEGERS = BIT(BYTE) | BIT(SHORT) | BIT(INTEGER) | BIT(LONG),
    TEXTS = BIT(STRING) | BIT(CHAR),
    INSTANTS = BIT(TIMESTAMP) | BIT(NTZ),
    TIMES = BIT(DATE) | BIT(TIMESTAMP) | BIT(NTZ),
};

/* One call: the engine (never NULL), the column, the number that stands for %k. */
typedef struct call {
    const brute_engine *engine;
    const brute_column *column;
    int k;
    arena *scratch;
} call;

struct brute_function {
    const char *sql;
    unsigned takes;
    bool (*apply)(const call *c, const brute_value *in, brute_column *as, brute_value *out);
    bool takes_null;
};

/* ---- dates and times */

/* What the clock of the session shows. */
static int64_t clock_of(const call *c, const brute_value *in) {
    return c->column->type == BRUTE_TIMESTAMP ? brute_wall((int64_t)in->whole) : (int64_t)in->whole;
}

static int64_t days_of(const call *c, const brute_value *in) {
    int64_t whole = clock_of(c, in);
    if (c->column->type == BRUTE_DATE) return whole;
    return whole / DAY_MICROS - (whole % DAY_MICROS < 0);
}

static wide day_micros(const call *c, const brute_value *in) {
    return (wide)clock_of(c, in) - (wide)days_of(c, in) * DAY_MICROS;
}

/* The fields are read from the text, which the calendar of the C library makes. */
static bool date_part(const call *c, const brute_value *in, brute_column *as, brute_value *out, int which) {
    int part[3];
    as->type = BRUTE_INTEGER;
    if (sscanf(brute_date_text(c->scratch, days_of(c, in)).ptr, "%d-%d-%d", &part[0], &part[1], &part[2]) != 3) return false;
    out->whole = which == 3 ? (part[1] + 2) / 3 : part[which];
    return true;
}

static bool year_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    return date_part(c, in, as, out, 0);
}

static bool month_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    return date_part(c, in, as, out, 1);
}

static bool day_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    return date_part(c, in, as, out, 2);
}

static bool quarter_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    return date_part(c, in, as, out, 3);
}

static bool hour_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    as->type = BRUTE_INTEGER;
    out->whole = day_micros(c, in) / INT64_C(3600000000);
    return true;
}

static bool date_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    as->type = BRUTE_DATE;
    out->whole = days_of(c, in);
    return true;
}

static bool month_start(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    brute_value day;
    int64_t days = days_of(c, in);
    brute_column unused = *as;
    if (!day_of(c, in, &unused, &day)) return false;
    int64_t start = days - (int64_t)day.whole + 1;
    out->whole = c->column->type == BRUTE_DATE ? start : brute_instant(start * DAY_MICROS, c->engine->takes_second);
    return true;
}

static bool add_days(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)as;
    out->whole = in->whole + c->k;
    return out->whole >= -719162 && out->whole <= 2932896; /* engines disagree beyond the years 1 to 9999 */
}

static bool seconds_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)c;
    as->type = BRUTE_LONG;
    out->whole = in->whole / 1000000 - (in->whole % 1000000 < 0);
    return true;
}

static bool month_text(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    as->type = BRUTE_STRING;
    str date = brute_date_text(c->scratch, days_of(c, in));
    out->text = str_slice(date, 0, date.len - 3);
    return true;
}

static bool minute_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    as->type = BRUTE_INTEGER;
    out->whole = day_micros(c, in) / 60000000 % 60;
    return true;
}

static bool second_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    as->type = BRUTE_INTEGER;
    out->whole = day_micros(c, in) / 1000000 % 60;
    return true;
}

static bool millis_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)c;
    as->type = BRUTE_LONG;
    out->whole = in->whole / 1000 - (in->whole % 1000 < 0);
    return true;
}

static bool hour_start(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)as;
    int64_t wall = (int64_t)(clock_of(c, in) - day_micros(c, in) % INT64_C(3600000000)), first = brute_instant(wall, false), second = brute_instant(wall, true);
    bool stays = brute_wall(second) == wall && second - (wide)wall == in->whole - clock_of(c, in); /* the offset is kept where it can be */
    out->whole = stays ? second : first;
    return true;
}

/* Day by day, by the fields of the texts. */
static bool day_in_year(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    brute_value year, other;
    brute_column unused = *as, days = *c->column;
    days.type = BRUTE_DATE;
    call day_call = {c->engine, &days, c->k, c->scratch};
    brute_value day = {.whole = days_of(c, in)};
    as->type = BRUTE_INTEGER;
    if (!year_of(&day_call, &day, &unused, &year)) return false;
    for (out->whole = 1; day.whole-- > -719162; out->whole++)
        if (!year_of(&day_call, &day, &unused, &other) || other.whole != year.whole) return true;
    return true;
}

/* By the calendar of the C library. Sunday is 1 in Spark and 0 in others; weekday: Monday is 0 in Spark, Sunday elsewhere. */
static bool c_calendar(const call *c, const brute_value *in, const char *format, int *out) {
    time_t seconds = (time_t)(days_of(c, in) * 86400);
    struct tm day;
    char text[16];
    gmtime_r(&seconds, &day);
    return strftime(text, sizeof text, format, &day) > 0 && sscanf(text, "%d", out) == 1;
}

static bool day_of_week(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    int day;
    as->type = BRUTE_INTEGER;
    if (!c_calendar(c, in, "%w", &day)) return false;
    out->whole = day + c->engine->escapes;
    return true;
}

static bool weekday(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    int day;
    as->type = BRUTE_INTEGER;
    if (!c_calendar(c, in, "%w", &day)) return false;
    out->whole = c->engine->escapes ? (day + 6) % 7 : day;
    return true;
}

static bool week_of_year(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    int week;
    as->type = BRUTE_INTEGER;
    if (!c_calendar(c, in, "%V", &week)) return false;
    out->whole = week;
    return true;
}

static bool month_end(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    brute_value month, other, day = *in;
    brute_column unused = *as;
    if (in->whole < -719162 || in->whole > 2932800 || !month_of(c, in, &unused, &month)) return false;
    while (day.whole++, month_of(c, &day, &unused, &other) && other.whole == month.whole) {}
    out->whole = day.whole - 1;
    return true;
}

static bool days_since(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)c;
    as->type = BRUTE_INTEGER;
    out->whole = in->whole - 19723; /* 2024-01-01 */
    return true;
}

/* ---- numbers */

/* A whole result within the type's range. Beyond, Spark without ANSI wraps around, and the others fail. */
static bool fit(const call *c, brute_column *as, brute_value *out) {
    static const unsigned bits[] = {7, 15, 31, 63};
    if (as->type == BRUTE_DECIMAL) return as->precision <= 30;
    wide limit = (wide)1 << bits[as->type];
    if (out->whole >= -limit && out->whole < limit) return true;
    if (!c->engine->wraps) return false;
    out->whole = ((out->whole + limit) % (2 * limit) + 2 * limit) % (2 * limit) - limit;
    return true;
}

/* A number literal is an INT: narrower columns become one. */
static void widen(brute_column *as) {
    if (as->type < BRUTE_INTEGER) as->type = BRUTE_INTEGER;
}

static wide power_of_ten(unsigned exponent) {
    wide p = 1;
    while (exponent-- > 0) p *= 10;
    return p;
}

static bool plus(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    widen(as);
    out->whole = in->whole + c->k * power_of_ten(as->type == BRUTE_DECIMAL ? as->scale : 0);
    return fit(c, as, out);
}

static bool minus_from(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    widen(as);
    out->whole = c->k * power_of_ten(as->type == BRUTE_DECIMAL ? as->scale : 0) - in->whole;
    return fit(c, as, out);
}

static bool times(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    widen(as);
    out->whole = in->whole * c->k;
    return fit(c, as, out);
}

static bool opposite(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    out->whole = -in->whole;
    out->real = -in->real;
    return brute_is_real(as->type) || as->type == BRUTE_DECIMAL || fit(c, as, out);
}

static bool absolute(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    out->whole = in->whole < 0 ? -in->whole : in->whole;
    out->real = fabs(in->real);
    return brute_is_real(as->type) || as->type == BRUTE_DECIMAL || fit(c, as, out);
}

/* Spark gives a BIGINT for a DOUBLE: NaN becomes 0, and what is too large the nearest number. Others stay with DOUBLE. */
static bool whole_of_real(const call *c, double real, brute_column *as, brute_value *out) {
    as->type = c->engine->escapes ? BRUTE_LONG : BRUTE_DOUBLE;
    out->real = real;
    wide limit = (wide)1 << 63;
    out->whole = isnan(real) ? 0 : real >= 9223372036854775808.0 ? limit - 1 : real <= -9223372036854775808.0 ? -limit : (wide)real;
    return true;
}

static bool floor_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    if (brute_is_real(as->type)) return whole_of_real(c, floor(in->real), as, out);
    wide unit = power_of_ten(as->scale);
    out->whole = in->whole / unit - (in->whole % unit < 0);
    as->scale = 0;
    return true;
}

static bool ceiling_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    if (brute_is_real(as->type)) return whole_of_real(c, ceil(in->real), as, out);
    wide unit = power_of_ten(as->scale);
    out->whole = in->whole / unit + (in->whole % unit > 0);
    as->scale = 0;
    return true;
}

/* Half away from zero. */
static bool round_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)c;
    wide unit = power_of_ten(as->scale), rest = in->whole % unit;
    out->whole = in->whole / unit + (rest > 0 && rest >= unit - rest) - (rest < 0 && -rest >= unit + rest);
    as->scale = 0;
    return true;
}

static bool remainder_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    widen(as);
    if (c->k == 0) return false;
    out->whole = in->whole % c->k;
    return true;
}

static bool sign_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)c;
    as->type = BRUTE_DOUBLE;
    out->real = in->whole > 0 ? 1 : in->whole < 0 ? -1 : 0;
    return true;
}

/* Of NULL it is false in Spark, and NULL elsewhere. */
static bool is_not_a_number(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    as->type = BRUTE_BOOLEAN;
    out->whole = !in->is_null && isnan(in->real);
    out->is_null = in->is_null && !c->engine->escapes;
    return true;
}

static bool is_there(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)c;
    as->type = BRUTE_INTEGER;
    out->whole = !in->is_null;
    return true;
}

/* Spark passes over a NULL, others give NULL. */
static bool larger_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    widen(as);
    out->whole = in->is_null || in->whole < c->k ? c->k : in->whole;
    out->is_null = in->is_null && !c->engine->escapes;
    return true;
}

static bool smaller_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    widen(as);
    out->whole = in->is_null || in->whole > c->k ? c->k : in->whole;
    out->is_null = in->is_null && !c->engine->escapes;
    return true;
}

static bool as_long(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)c;
    as->type = BRUTE_LONG;
    out->whole = in->whole;
    return true;
}

static bool as_double(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    out->real = brute_is_real(c->column->type) ? in->real : (double)(int64_t)in->whole;
    as->type = BRUTE_DOUBLE;
    return true;
}

static bool or_else(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    widen(as);
    out->whole = in->is_null ? c->k : in->whole;
    return true;
}

static bool is_above(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    as->type = BRUTE_INTEGER;
    out->whole = !in->is_null && in->whole > c->k;
    return true;
}

static bool null_if(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)as;
    out->whole = in->whole;
    out->is_null = in->whole == c->k;
    return true;
}

/* ---- texts */

static str map_letters(arena *scratch, str s, const char *from, const char *to) {
    char *copy = arena_alloc(scratch, s.len + 1);
    for (size_t i = 0; i < s.len; i++) {
        const char *at = s.ptr[i] ? strchr(from, s.ptr[i]) : NULL;
        bool is_accent = i > 0 && s.ptr[i - 1] == '\xC3'; /* \u00e9 and \u00c9 are C3 A9 and C3 89 */
        copy[i] = is_accent ? (*to == 'A' && s.ptr[i] == '\xA9' ? '\x89' : *to == 'a' && s.ptr[i] == '\x89' ? '\xA9' : s.ptr[i]) : s.ptr[i];
        if (at) copy[i] = to[at - from];
    }
    return (str){copy, s.len};
}

static const char lower_letters[] = "abcdefghijklmnopqrstuvwxyz", upper_letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

static bool upper_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    as->type = BRUTE_STRING;
    out->text = map_letters(c->scratch, in->text, lower_letters, upper_letters);
    return true;
}

static bool lower_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    as->type = BRUTE_STRING;
    out->text = map_letters(c->scratch, in->text, upper_letters, lower_letters);
    return true;
}

static bool left_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    size_t at = 0;
    as->type = BRUTE_STRING;
    for (int i = 0; i < c->k && at < in->text.len; i++) at += str_utf8_length(in->text, at);
    out->text = str_slice(in->text, 0, at);
    return true;
}

static bool length_of(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)c;
    as->type = BRUTE_INTEGER;
    out->whole = (wide)str_count_code_points(in->text);
    return true;
}

static bool with_x(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    as->type = BRUTE_STRING;
    out->text = str_format(c->scratch, STR_FMT "x", STR_ARG(in->text));
    return true;
}

static bool after_x(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    as->type = BRUTE_STRING;
    out->text = str_format(c->scratch, "x" STR_FMT, STR_ARG(in->text));
    return true;
}

static bool starts_with_a(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)c;
    as->type = BRUTE_BOOLEAN;
    out->whole = str_starts_with(in->text, STR("a"));
    return true;
}

static bool ends_with_a(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)c;
    as->type = BRUTE_BOOLEAN;
    out->whole = str_ends_with(in->text, STR("a"));
    return true;
}

static bool holds_a(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)c;
    size_t at;
    as->type = BRUTE_BOOLEAN;
    out->whole = str_find_char(in->text, 'a', &at);
    return true;
}

static bool starts_with_b_to_z(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)c;
    as->type = BRUTE_BOOLEAN;
    out->whole = in->text.len > 0 && in->text.ptr[0] >= 'b' && in->text.ptr[0] <= 'z';
    return true;
}

static bool of_a_or_b(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)c;
    as->type = BRUTE_BOOLEAN;
    out->whole = true;
    for (size_t i = 0; i < in->text.len; i++) out->whole &= in->text.ptr[i] == 'a' || in->text.ptr[i] == 'b';
    return !str_find_char(in->text, '\n', &(size_t){0}); /* $ stands before the last one in some engines */
}

/* Spark makes a number of the text (without ANSI a wrong one is NULL), and so does DataFusion, but for older ones, which made a
 * text of the number and are asked here. Others refuse. */
static bool text_order(const call *c, const brute_value *in, brute_column *as, brute_value *out, int *order) {
    as->type = BRUTE_BOOLEAN;
    str s = in->text, number = str_format(c->scratch, "%d", c->k);
    brute_value a = {.text = s}, b = {.text = number};
    *order = brute_order(BRUTE_STRING, &a, &b);
    if (!c->engine->escapes) return c->engine->like_escape;
    while (s.len && s.ptr[0] == ' ') s = str_slice(s, 1, s.len);
    while (s.len && s.ptr[s.len - 1] == ' ') s.len--;
    bool is_number = s.len > 0 && s.len < 10;
    for (size_t i = 0; i < s.len; i++) is_number &= s.ptr[i] >= '0' && s.ptr[i] <= '9';
    if (!is_number) return out->is_null = c->engine->wraps;
    long value = strtol(str_copy(c->scratch, s).ptr, NULL, 10);
    *order = (value > c->k) - (value < c->k);
    return true;
}

static bool equals_number(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    int order;
    if (!text_order(c, in, as, out, &order)) return false;
    out->whole = order == 0;
    return true;
}

static bool is_below_number(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    int order;
    if (!text_order(c, in, as, out, &order)) return false;
    out->whole = order < 0;
    return true;
}

static bool as_bare_decimal(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    bool is_spark = c->engine->escapes, has_point = c->engine->divides || (c->engine->like_escape && !is_spark);
    unsigned scale = c->engine->divides ? 3 : has_point ? 10 : 0;
    wide whole = in->whole * power_of_ten(scale);
    as->type = BRUTE_DECIMAL;
    as->precision = is_spark ? 10 : c->engine->divides ? 18 : 38;
    as->scale = scale;
    out->whole = whole;
    bool fits = (whole < 0 ? -whole : whole) < power_of_ten(as->precision);
    out->is_null = !fits && c->engine->wraps;
    return fits || c->engine->wraps;
}

static bool b_for_a(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    as->type = BRUTE_STRING;
    out->text = map_letters(c->scratch, in->text, "a", "b");
    return true;
}

static bool without_blanks(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)c;
    str s = in->text;
    as->type = BRUTE_STRING;
    while (s.len && s.ptr[0] == ' ') s = str_slice(s, 1, s.len);
    while (s.len && s.ptr[s.len - 1] == ' ') s.len--;
    out->text = s;
    return true;
}

static bool from_second(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    size_t at = 0, end;
    as->type = BRUTE_STRING;
    if (in->text.len) at = str_utf8_length(in->text, 0);
    end = at;
    for (int i = 0; i < c->k && end < in->text.len; i++) end += str_utf8_length(in->text, end);
    out->text = str_slice(in->text, at, end);
    return true;
}

static bool text_or_b(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    (void)c;
    as->type = BRUTE_STRING;
    out->text = in->is_null ? STR("b") : in->text;
    return true;
}

static bool as_text(const call *c, const brute_value *in, brute_column *as, brute_value *out) {
    out->text = as->type == BRUTE_DATE      ? brute_date_text(c->scratch, (int64_t)in->whole)
                : as->type == BRUTE_BOOLEAN ? (in->whole ? STR("true") : STR("false"))
                                            : brute_whole_text(c->scratch, in->whole, 0);
    as->type = BRUTE_STRING;
    return true;
}

static const brute_function brute_functions[] = {
    {"year(%c)", TIMES, year_of, false},
    {"month(%c)", TIMES, month_of, false},
    {"day(%c)", TIMES, day_of, false},
    {"quarter(%c)", TIMES, quarter_of, false},
    {"hour(%c)", INSTANTS, hour_of, false},
    {"minute(%c)", INSTANTS, minute_of, false},
    {"second(%c)", INSTANTS, second_of, false},
    {"dayofyear(%c)", TIMES, day_in_year, false},
    {"dayofweek(%c)", TIMES, day_of_week, false},
    {"weekday(%c)", TIMES, weekday, false},
    {"weekofyear(%c)", TIMES, week_of_year, false},
    {"EXTRACT(WEEK FROM %c)", TIMES, week_of_year, false},
    {"last_day(%c)", BIT(DATE), month_end, false},
    {"datediff(%c, DATE '2024-01-01')", BIT(DATE), days_since, false},
    {"unix_millis(%c)", BIT(TIMESTAMP), millis_of, false},
    {"date_trunc('HOUR', %c)", BIT(TIMESTAMP), hour_start, false},
    {"CAST(%c AS DATE)", INSTANTS, date_of, false},
    {"to_date(%c)", BIT(TIMESTAMP), date_of, false},
    {"date_trunc('MONTH', %c)", BIT(TIMESTAMP), month_start, false},
    {"trunc(%c, 'MM')", BIT(DATE), month_start, false},
    {"date_add(%c, %k)", BIT(DATE), add_days, false},
    {"%c + INTERVAL %k DAY", BIT(DATE), add_days, false},
    {"unix_seconds(%c)", BIT(TIMESTAMP), seconds_of, false},
    {"date_format(%c, 'yyyy-MM')", BIT(DATE), month_text, false},
    {"%c + %k", INTEGERS | BIT(DECIMAL), plus, false},
    {"%k - %c", INTEGERS | BIT(DECIMAL), minus_from, false},
    {"%c * %k", INTEGERS, times, false},
    {"-%c", INTEGERS | BIT(DECIMAL) | BIT(FLOAT) | BIT(DOUBLE), opposite, false},
    {"abs(%c)", INTEGERS | BIT(DECIMAL) | BIT(FLOAT) | BIT(DOUBLE), absolute, false},
    {"floor(%c)", BIT(DECIMAL) | BIT(DOUBLE), floor_of, false},
    {"ceil(%c)", BIT(DECIMAL) | BIT(DOUBLE), ceiling_of, false},
    {"round(%c)", BIT(DECIMAL), round_of, false},
    {"mod(%c, %k)", INTEGERS, remainder_of, false},
    {"sign(%c)", INTEGERS | BIT(DECIMAL), sign_of, false},
    {"isnan(%c)", BIT(FLOAT) | BIT(DOUBLE), is_not_a_number, true},
    {"nvl2(%c, 1, 0)", INTEGERS, is_there, true},
    {"greatest(%c, %k)", INTEGERS, larger_of, true},
    {"least(%c, %k)", INTEGERS, smaller_of, true},
    {"CAST(%c AS BIGINT)", INTEGERS, as_long, false},
    {"CAST(%c AS DOUBLE)", INTEGERS | BIT(FLOAT), as_double, false},
    {"coalesce(%c, %k)", INTEGERS, or_else, true},
    {"CASE WHEN %c > %k THEN 1 ELSE 0 END", INTEGERS, is_above, true},
    {"if(%c > %k, 1, 0)", INTEGERS, is_above, true},
    {"nullif(%c, %k)", INTEGERS, null_if, false},
    {"upper(%c)", TEXTS, upper_of, false},
    {"lower(%c)", TEXTS, lower_of, false},
    {"left(%c, %k)", TEXTS, left_of, false},
    {"substring(%c, 1, %k)", TEXTS, left_of, false},
    {"length(%c)", TEXTS, length_of, false},
    {"%c || 'x'", TEXTS, with_x, false},
    {"concat('x', %c)", TEXTS, after_x, false},
    {"startswith(%c, 'a')", TEXTS, starts_with_a, false},
    {"endswith(%c, 'a')", TEXTS, ends_with_a, false},
    {"contains(%c, 'a')", TEXTS, holds_a, false},
    {"(%c RLIKE '^[b-z]')", TEXTS, starts_with_b_to_z, false},
    {"(%c RLIKE '^(a|b)*$')", TEXTS, of_a_or_b, false},
    {"(%c = %k)", BIT(STRING), equals_number, false},
    {"(%c < %k)", BIT(STRING), is_below_number, false},
    {"CAST(%c AS DECIMAL)", INTEGERS, as_bare_decimal, false},
    {"replace(%c, 'a', 'b')", TEXTS, b_for_a, false},
    {"trim(%c)", TEXTS, without_blanks, false},
    {"substring(%c, 2, %k)", TEXTS, from_second, false},
    {"coalesce(%c, 'b')", TEXTS, text_or_b, true},
    {"CAST(%c AS STRING)", INTEGERS | BIT(DATE) | BIT(BOOLEAN), as_text, false},
};

/* ---- choosing and calling */

const brute_function *brute_function_choose(dice *d, brute_type t) {
    size_t count = sizeof brute_functions / sizeof *brute_functions;
    for (unsigned tries = 0; tries < 50; tries++) {
        const brute_function *f = &brute_functions[dice_below(d, (unsigned)count)];
        if (f->takes & 1u << t) return f;
    }
    return NULL;
}

static str as_read(const call *c, str text) {
    if (c->column->type != BRUTE_CHAR || !c->engine->pads_char) return text;
    buf b;
    buf_init(&b, c->scratch, 65536);
    buf_put(&b, text);
    size_t have = str_count_code_points(text);
    if (have < c->column->width) buf_put_repeated(&b, ' ', c->column->width - have);
    return b.len ? buf_str(&b) : STR("");
}

bool brute_function_call(const brute_function *f, const brute_engine *e, const brute_column *column, int k, const brute_value *in,
                         arena *scratch, brute_column *as, brute_value *out) {
    call c = {e, column, k, scratch};
    brute_value read = *in;
    if (!in->is_null) read.text = as_read(&c, in->text);
    *as = *column;
    *out = (brute_value){.is_null = false};
    if (!in->is_null || f->takes_null) return f->apply(&c, &read, as, out);
    brute_value any = {.text = STR("")};
    (void)f->apply(&c, &any, as, out); /* for the type */
    *out = (brute_value){.is_null = true};
    return true;
}

str brute_function_text(arena *a, const brute_function *f, str column, int k) {
    buf b;
    buf_init(&b, a, 65536);
    for (const char *at = f->sql; *at; at++) {
        if (at[0] != '%') buf_put_char(&b, *at);
        else if (*++at == 'c') buf_put(&b, column);
        else buf_printf(&b, "%d", k);
    }
    return str_copy(a, buf_str(&b));
}
