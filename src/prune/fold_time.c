/* fold_time.c - functions over dates and times.
 * Called by: prune/fold.c.  Must not know: predicates, statistics.
 *
 * Parts of a time are those of its wall clock: for an instant the clock of the session zone. Where clocks are set back
 * the wall clock of a later instant may be the earlier one, by at most about a day in the history of all zones. So a
 * bound of instants becomes a bound of wall clocks with that much slack, unless the clocks stay as they are for as long
 * beside it.
 */
#include "prune/fold_int.h"

#define SECOND INT64_C(1000000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

static const int64_t ZONE_SLACK = 25 * HOUR;

static int64_t added(int64_t a, int64_t b) {
    int64_t sum;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return b < 0 ? INT64_MIN : INT64_MAX;
}

static int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t fold_day_of_wall(int64_t wall) {
    return floor_div(wall, DAY);
}

int64_t fold_wall_of_date(int64_t days) {
    int64_t wall;
    if (!__builtin_mul_overflow(days, DAY, &wall)) return wall;
    return days < 0 ? INT64_MIN : INT64_MAX;
}

static value time_value(value_kind kind, int64_t i) {
    return (value){.kind = kind, .i = i};
}

/* ------------------------------------------------------------------------------------------------------ zones */

static int64_t wall_at(const fold *f, int64_t instant) {
    return added(instant, (int64_t)zone_offset_at(f->env->session_zone, instant) * SECOND);
}

static int64_t slack_above(const fold *f, int64_t instant) {
    return zone_is_steady(f->env->session_zone, instant, added(instant, ZONE_SLACK)) ? 0 : ZONE_SLACK;
}

static int64_t slack_below(const fold *f, int64_t instant) {
    return zone_is_steady(f->env->session_zone, added(instant, -ZONE_SLACK), instant) ? 0 : ZONE_SLACK;
}

/* Instants above the low bound can have a wall clock below its own, and so on. */
static value_range instants_to_wall(const fold *f, const value_range *r) {
    value_range w = *r;
    bool single = range_is_single(r);
    w.type = TYPE_TIMESTAMP_NTZ;
    w.low = w.high = time_value(VALUE_TIMESTAMP_NTZ, 0);
    if (r->has_low) w.low.i = added(wall_at(f, r->low.i), single ? 0 : -slack_above(f, r->low.i));
    if (r->has_high) w.high.i = added(wall_at(f, r->high.i), single ? 0 : slack_below(f, r->high.i));
    return w;
}

static bool text_to_wall(const fold *f, str text, value_range *out) {
    time_text t;
    if (!time_text_parse(text, f->env->zones, true, &t) || t.has_more_digits || t.is_odd) return false;
    int64_t wall = time_text_wall_micros(&t), earlier, later;
    if (!t.has_time) {
        *out = range_single(TYPE_DATE, time_value(VALUE_DATE, t.days));
        return true;
    }
    if (t.has_offset && f->env->zone_is_unknown) return false;
    if (t.has_offset) { /* some cut the offset, others move the time to the session zone */
        time_text_instants(&t, f->env->session_zone, &earlier, &later);
        int64_t moved = wall_at(f, earlier), moved_later = wall_at(f, later);
        int64_t low = moved < moved_later ? moved : moved_later, high = moved < moved_later ? moved_later : moved;
        *out = range_between(TYPE_TIMESTAMP_NTZ, time_value(VALUE_TIMESTAMP_NTZ, wall < low ? wall : low),
                             time_value(VALUE_TIMESTAMP_NTZ, wall > high ? wall : high));
        return true;
    }
    /* A clock that is skipped shows another time behind the gap, to who makes an instant of it first. */
    time_text_instants(&t, f->env->session_zone, &earlier, &later);
    int64_t shown = f->env->zone_is_unknown ? wall : wall_at(f, earlier);
    *out = range_between(TYPE_TIMESTAMP_NTZ, time_value(VALUE_TIMESTAMP_NTZ, wall < shown ? wall : shown),
                         time_value(VALUE_TIMESTAMP_NTZ, wall < shown ? shown : wall));
    return true;
}

bool fold_to_wall(const fold *f, const value_range *r, value_range *out) {
    if (r->type == TYPE_DATE || r->type == TYPE_TIMESTAMP_NTZ) {
        *out = *r;
        return true;
    }
    if (r->type == TYPE_TIMESTAMP) {
        *out = instants_to_wall(f, r);
        return !f->env->zone_is_unknown;
    }
    value_range text = *r; /* out may be r */
    return range_is_text(&text) && text_to_wall(f, text.low.s, out);
}

bool fold_to_instant(const fold *f, const value_range *r, value_range *out) {
    *out = *r;
    if (r->type == TYPE_TIMESTAMP) return true;
    if ((r->type != TYPE_DATE && r->type != TYPE_TIMESTAMP_NTZ) || f->env->zone_is_unknown) return false;
    bool is_date = r->type == TYPE_DATE, single = range_is_single(r);
    int64_t low = r->has_low ? (is_date ? fold_wall_of_date(r->low.i) : r->low.i) : 0;
    int64_t high = r->has_high ? (is_date ? fold_wall_of_date(r->high.i) : r->high.i) : 0;
    int64_t earlier, later, ignored;
    zone_instants(f->env->session_zone, low, &earlier, &ignored);
    zone_instants(f->env->session_zone, high, &ignored, &later);
    out->type = TYPE_TIMESTAMP;
    /* A wall clock that a gap leaves out stands for an instant behind those that follow it. */
    out->low = time_value(VALUE_TIMESTAMP, single ? earlier : added(earlier, -slack_below(f, earlier)));
    out->high = time_value(VALUE_TIMESTAMP, single ? later : added(later, slack_above(f, later)));
    return true;
}

/* ------------------------------------------------------------------------------------------------------ parts */

typedef struct civil {
    int64_t year, day_number; /* days since the epoch */
    unsigned month, day;
    int64_t micros_of_day;
} civil;

static civil civil_of(const value *v) {
    civil c = {.day_number = v->i};
    if (v->kind == VALUE_TIMESTAMP_NTZ) {
        c.day_number = fold_day_of_wall(v->i);
        c.micros_of_day = v->i - fold_wall_of_date(c.day_number);
        if (c.micros_of_day < 0 || c.micros_of_day >= DAY) c.micros_of_day = 0;
    }
    calendar_civil(c.day_number, &c.year, &c.month, &c.day);
    return c;
}

static int64_t first_of(int64_t year, unsigned month) {
    int64_t days = 0;
    (void)calendar_days(year, month, 1, &days);
    return days;
}

static int64_t part_of(func_id func, const civil *c) {
    switch ((int)func) {
    case FUNC_QUARTER: return (c->month + 2) / 3;
    case FUNC_MONTH: return c->month;
    case FUNC_DAY: return c->day;
    case FUNC_DAY_OF_YEAR: return c->day_number - first_of(c->year, 1) + 1;
    case FUNC_HOUR: return c->micros_of_day / HOUR;
    case FUNC_MINUTE: return c->micros_of_day / MINUTE % 60;
    case FUNC_SECOND: return c->micros_of_day / SECOND % 60;
    default: UNREACHABLE();
    }
}

/* Within the next larger unit a part does not fall. */
static bool same_unit(func_id func, const civil *a, const civil *b) {
    bool year = a->year == b->year, month = year && a->month == b->month, day = a->day_number == b->day_number;
    switch ((int)func) {
    case FUNC_QUARTER:
    case FUNC_MONTH:
    case FUNC_DAY_OF_YEAR: return year;
    case FUNC_DAY: return month;
    case FUNC_HOUR: return day;
    case FUNC_MINUTE: return day && a->micros_of_day / HOUR == b->micros_of_day / HOUR;
    case FUNC_SECOND: return day && a->micros_of_day / MINUTE == b->micros_of_day / MINUTE;
    default: UNREACHABLE();
    }
}

static bool is_far(const value *v) {
    const int64_t most = INT64_C(300000) * 366;
    int64_t days = v->kind == VALUE_DATE ? v->i : fold_day_of_wall(v->i);
    return days > most || days < -most;
}

static void yield_part(fold *f, const value_range *r) {
    static const int64_t least[] = {1, 1, 1, 1, 0, 0, 0}, most[] = {4, 12, 31, 366, 23, 59, 59};
    unsigned row = f->func - FUNC_QUARTER; /* QUARTER to SECOND stand side by side in func.def */
    int64_t low = least[row], high = most[row];
    if (r->has_low && r->has_high && !is_far(&r->low) && !is_far(&r->high)) {
        civil a = civil_of(&r->low), b = civil_of(&r->high);
        if (same_unit(f->func, &a, &b)) {
            low = part_of(f->func, &a);
            high = part_of(f->func, &b);
        }
    }
    fold_yield(
        f, range_between(TYPE_INTEGER, (value){.kind = VALUE_INT, .i = low}, (value){.kind = VALUE_INT, .i = high}));
}

/* The midnight of a date may be skipped: its instant is later in the day then. */
static void yield_part_of_midnight(fold *f, const value_range *date) {
    value_range instant, wall;
    if (!fold_to_instant(f, date, &instant)) {
        fold_yield_unknown(f, TYPE_INTEGER);
        return;
    }
    wall = instants_to_wall(f, &instant);
    yield_part(f, &wall);
}

void fold_part(fold *f, const value_range *arg) {
    bool is_clock = f->func == FUNC_HOUR || f->func == FUNC_MINUTE || f->func == FUNC_SECOND;
    yield_part(f, &arg[0]);
    if (is_clock && arg[0].type == TYPE_DATE && !zone_is_utc(f->env->session_zone)) yield_part_of_midnight(f, &arg[0]);
}

static bool days_known(const value_range *r, int64_t *first, int64_t *last) {
    if (!r->has_low || !r->has_high || is_far(&r->low) || is_far(&r->high)) return false;
    *first = civil_of(&r->low).day_number;
    *last = civil_of(&r->high).day_number;
    return true;
}

/* Numbers of the days of a week that starts so many days before a Thursday, the first of them being `base`. */
static void yield_days_of_week(fold *f, const value_range *r, int64_t start, int64_t base) {
    int64_t first, last, low = base, high = base + 6;
    if (days_known(r, &first, &last) && floor_div(first + start, 7) == floor_div(last + start, 7)) {
        low = first + start - 7 * floor_div(first + start, 7) + base;
        high = low + last - first;
    }
    fold_yield(f, range_between(TYPE_INTEGER, (value){.kind = VALUE_INT, .i = low}, (value){.kind = VALUE_INT, .i = high}));
}

/* The epoch was a Thursday. `dayofweek`: Sunday is 1 in Spark and 0 in DuckDB. `weekday`: Monday is 0 in Spark, Sunday in
 * DuckDB. */
void fold_day_of_week(fold *f, const value_range *arg) {
    enum { FROM_SUNDAY = 4, FROM_MONDAY = 3 };
    bool is_weekday = f->func == FUNC_WEEKDAY;
    yield_days_of_week(f, &arg[0], is_weekday ? FROM_MONDAY : FROM_SUNDAY, is_weekday ? 0 : 1);
    yield_days_of_week(f, &arg[0], FROM_SUNDAY, 0);
}

/* The year of an ISO week is that of its Thursday, and its number counts the Thursdays of that year. */
static int64_t thursday_of(int64_t day) {
    return 7 * floor_div(day + 3, 7);
}

static int64_t year_of_day(int64_t day) {
    value v = time_value(VALUE_DATE, day);
    return civil_of(&v).year;
}

void fold_week_of_year(fold *f, const value_range *arg) {
    int64_t first, last, low = 1, high = 53;
    if (days_known(&arg[0], &first, &last)) {
        first = thursday_of(first);
        last = thursday_of(last);
        int64_t year = year_of_day(first), start = first_of(year, 1);
        if (year == year_of_day(last)) {
            low = (first - start) / 7 + 1;
            high = (last - start) / 7 + 1;
        }
    }
    fold_yield(f, range_between(TYPE_INTEGER, (value){.kind = VALUE_INT, .i = low}, (value){.kind = VALUE_INT, .i = high}));
}

void fold_year(fold *f, const value_range *arg) {
    if (is_far(&arg[0].low))
        fold_yield_unknown(f, TYPE_INTEGER);
    else
        fold_yield_int(f, TYPE_INTEGER, civil_of(&arg[0].low).year);
}

/* ----------------------------------------------------------------------------------------------------- cutting */

typedef enum unit {
    UNIT_YEAR,
    UNIT_QUARTER,
    UNIT_MONTH,
    UNIT_WEEK,
    UNIT_DAY,
    UNIT_HOUR,
    UNIT_MINUTE,
    UNIT_SECOND,
    UNIT_NONE
} unit;

static unit unit_of(str name) {
    static const struct {
        const char *name;
        unit unit;
    } row[] = {{"YEAR", UNIT_YEAR},    {"YYYY", UNIT_YEAR}, {"YY", UNIT_YEAR},   {"QUARTER", UNIT_QUARTER},
               {"MONTH", UNIT_MONTH},  {"MON", UNIT_MONTH}, {"MM", UNIT_MONTH},  {"WEEK", UNIT_WEEK},
               {"DAY", UNIT_DAY},      {"DD", UNIT_DAY},    {"HOUR", UNIT_HOUR}, {"MINUTE", UNIT_MINUTE},
               {"SECOND", UNIT_SECOND}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (str_eq_nocase(name, str_from(row[i].name))) return row[i].unit;
    return UNIT_NONE;
}

static int64_t cut_days(const civil *c, unit u) {
    switch ((int)u) {
    case UNIT_YEAR: return first_of(c->year, 1);
    case UNIT_QUARTER: return first_of(c->year, (c->month - 1) / 3 * 3 + 1);
    case UNIT_MONTH: return first_of(c->year, c->month);
    case UNIT_WEEK: return c->day_number - (c->day_number + 3 - 7 * floor_div(c->day_number + 3, 7)); /* Monday */
    default: return c->day_number;
    }
}

void fold_trunc(fold *f, const value_range *arg) {
    unit u = arg[1].type == TYPE_STRING ? unit_of(arg[1].low.s) : UNIT_NONE;
    if (u == UNIT_NONE || u >= UNIT_DAY || is_far(&arg[0].low)) {
        fold_yield(f, range_unknown(TYPE_DATE, true));
        return;
    }
    civil c = civil_of(&arg[0].low);
    fold_yield_value(f, TYPE_DATE, time_value(VALUE_DATE, cut_days(&c, u)));
}

static int64_t cut_wall(const value *v, unit u) {
    civil c = civil_of(v);
    int64_t size = u == UNIT_HOUR ? HOUR : u == UNIT_MINUTE ? MINUTE : SECOND;
    if (u < UNIT_HOUR) return fold_wall_of_date(cut_days(&c, u));
    return added(fold_wall_of_date(c.day_number), c.micros_of_day / size * size);
}

/* The start of the unit, as a wall clock. Of an instant it is an instant: the clock is that of the session zone. */
void fold_date_trunc(fold *f, const value_range *arg) {
    value_range wall, cut;
    unit u = range_is_text(&arg[0]) ? unit_of(arg[0].low.s) : UNIT_NONE;
    bool known = u != UNIT_NONE && fold_to_wall(f, &arg[1], &wall) && !(wall.has_low && is_far(&wall.low)) &&
                 !(wall.has_high && is_far(&wall.high));
    if (!known) {
        fold_yield(f, range_unknown(TYPE_OTHER, true));
        return;
    }
    cut = wall;
    cut.type = TYPE_TIMESTAMP_NTZ;
    if (wall.has_low) cut.low = time_value(VALUE_TIMESTAMP_NTZ, cut_wall(&wall.low, u));
    if (wall.has_high) cut.high = time_value(VALUE_TIMESTAMP_NTZ, cut_wall(&wall.high, u));
    if (arg[1].type != TYPE_TIMESTAMP) {
        fold_yield(f, cut);
        return;
    }
    value_range instant;
    if (fold_to_instant(f, &cut, &instant))
        fold_yield(f, instant);
    else
        fold_yield(f, range_unknown(TYPE_TIMESTAMP, true));
}

void fold_to_date(fold *f, const value_range *arg) {
    const value *v = &arg[0].low;
    fold_yield_value(f, TYPE_DATE, time_value(VALUE_DATE, v->kind == VALUE_DATE ? v->i : fold_day_of_wall(v->i)));
}

void fold_unix_date(fold *f, const value_range *arg) {
    const value *v = &arg[0].low;
    fold_yield_int(f, TYPE_INTEGER, v->kind == VALUE_DATE ? v->i : fold_day_of_wall(v->i));
}

/* ----------------------------------------------------------------------------------------------------- patterns */

enum { PATTERN_FIELDS = 6 };

/* The next field of a date pattern: yyyy MM dd HH mm ss as 0 to 5, -1 for a separator, -2 for anything else. */
static int next_field(str *rest) {
    static const char *const field[PATTERN_FIELDS] = {"yyyy", "MM", "dd", "HH", "mm", "ss"};
    for (int i = 0; i < PATTERN_FIELDS; i++) {
        str name = str_from(field[i]);
        bool more = rest->len > name.len && rest->ptr[name.len] == name.ptr[0];
        if (!str_starts_with(*rest, name) || more) continue;
        *rest = str_slice(*rest, name.len, rest->len);
        return i;
    }
    size_t at;
    if (!str_find_char(STR("-/: ._"), rest->ptr[0], &at)) return -2;
    *rest = str_slice(*rest, 1, rest->len);
    return -1;
}

typedef struct pattern_shape {
    bool is_known, is_ordered; /* ordered: the texts stand in the order of the times */
} pattern_shape;

static pattern_shape shape_of(str pattern) {
    pattern_shape s = {.is_known = pattern.len > 0, .is_ordered = true};
    int expected = 0;
    while (pattern.len && s.is_known) {
        int field = next_field(&pattern);
        s.is_known = field != -2;
        if (field < 0) continue;
        s.is_ordered &= field == expected;
        expected = field + 1;
    }
    s.is_ordered &= expected > 0;
    return s;
}

static bool format_time(fold *f, const value *v, str pattern, str *out) {
    if (is_far(v)) return false;
    civil c = civil_of(v);
    if (c.year < 1 || c.year > 9999) return false;
    int64_t field[PATTERN_FIELDS] = {
        c.year, c.month, c.day, c.micros_of_day / HOUR, c.micros_of_day / MINUTE % 60, c.micros_of_day / SECOND % 60};
    buf b;
    buf_init(&b, f->scratch, SIZE_MAX / 2);
    while (pattern.len) {
        char c0 = pattern.ptr[0];
        int i = next_field(&pattern);
        if (i < 0)
            buf_put_char(&b, c0);
        else
            buf_printf(&b, i == 0 ? "%04lld" : "%02lld", (long long)field[i]);
    }
    *out = buf_str(&b);
    return true;
}

void fold_date_format(fold *f, const value_range *arg) {
    const value_range *r = &arg[0];
    str low, high;
    pattern_shape shape = {.is_known = false};
    if (range_is_text(&arg[1])) shape = shape_of(arg[1].low.s);
    if (!shape.is_known || !r->has_low || !r->has_high || !(range_is_single(r) || shape.is_ordered) ||
        !format_time(f, &r->low, arg[1].low.s, &low) || !format_time(f, &r->high, arg[1].low.s, &high)) {
        fold_yield(f, range_unknown(TYPE_STRING, true));
        return;
    }
    fold_yield(f, range_between(TYPE_STRING, (value){.kind = VALUE_STRING, .s = low},
                                (value){.kind = VALUE_STRING, .s = high}));
}

static bool two_digits(str *text, size_t digits, int64_t *out) {
    if (text->len < digits || !str_to_int64(str_slice(*text, 0, digits), out)) return false;
    *text = str_slice(*text, digits, text->len);
    return true;
}

/* A text in exactly the form of the pattern, as a wall clock. */
static bool parse_by_pattern(str text, str pattern, int64_t *wall) {
    int64_t field[PATTERN_FIELDS] = {1970, 1, 1, 0, 0, 0}, days;
    while (pattern.len) {
        char separator = pattern.ptr[0];
        int i = next_field(&pattern);
        if (i == -2) return false;
        if (i == -1) {
            if (text.len == 0 || text.ptr[0] != separator) return false;
            text = str_slice(text, 1, text.len);
        } else if (!two_digits(&text, i == 0 ? 4 : 2, &field[i])) {
            return false;
        }
    }
    if (text.len || field[3] > 23 || field[4] > 59 || field[5] > 59) return false;
    if (field[1] > 12 || field[2] > 31 || !calendar_days(field[0], (unsigned)field[1], (unsigned)field[2], &days))
        return false;
    *wall = fold_wall_of_date(days) + field[3] * HOUR + field[4] * MINUTE + field[5] * SECOND;
    return true;
}

/* ------------------------------------------------------------------------------------------------------- shifting */

static void shift_days(fold *f, const value_range *date, const value_range *by, int sign) {
    value_range d = *date, n = *by, arg[2];
    if (!type_is_integer(by->type)) {
        fold_yield(f, range_unknown(TYPE_OTHER, true));
        return;
    }
    d.type = TYPE_DATE;
    d.low = time_value(VALUE_DATE, date->low.kind == VALUE_DATE ? date->low.i : fold_day_of_wall(date->low.i));
    d.high = time_value(VALUE_DATE, date->high.kind == VALUE_DATE ? date->high.i : fold_day_of_wall(date->high.i));
    arg[0] = d;
    arg[1] = n;
    sign < 0 ? fold_subtract(f, arg) : fold_add(f, arg);
}

void fold_date_add(fold *f, const value_range *arg) {
    shift_days(f, &arg[0], &arg[1], 1);
}

void fold_date_sub(fold *f, const value_range *arg) {
    shift_days(f, &arg[0], &arg[1], -1);
}

void fold_date_diff(fold *f, const value_range *arg) {
    value_range end, start, days[2];
    if (!fold_to_wall(f, &arg[0], &end) || !fold_to_wall(f, &arg[1], &start)) {
        fold_yield(f, range_unknown(TYPE_OTHER, true));
        return;
    }
    days[0] = end;
    days[1] = start;
    for (int i = 0; i < 2; i++) {
        value_range *r = &days[i];
        bool is_date = r->type == TYPE_DATE;
        r->low = (value){.kind = VALUE_INT, .i = is_date ? r->low.i : fold_day_of_wall(r->low.i)};
        r->high = (value){.kind = VALUE_INT, .i = is_date ? r->high.i : fold_day_of_wall(r->high.i)};
        r->type = TYPE_INTEGER;
    }
    fold_subtract(f, days);
}

static int64_t months_later(int64_t day_number, int64_t months) {
    int64_t year, days;
    unsigned month, day;
    calendar_civil(day_number, &year, &month, &day);
    int64_t index = year * 12 + (int64_t)month - 1 + months;
    year = floor_div(index, 12);
    month = (unsigned)(index - year * 12) + 1;
    while (!calendar_days(year, month, day, &days)) day--; /* the last day of a shorter month */
    return days;
}

static bool is_small(int64_t n) {
    return n > -1200000 && n < 1200000;
}

void fold_add_months(fold *f, const value_range *arg) {
    int64_t months;
    if (!range_int(&arg[1], &months) || !is_small(months) || is_far(&arg[0].low)) {
        fold_yield(f, range_unknown(TYPE_DATE, true));
        return;
    }
    fold_yield_value(f, TYPE_DATE, time_value(VALUE_DATE, months_later(civil_of(&arg[0].low).day_number, months)));
}

void fold_last_day(fold *f, const value_range *arg) {
    if (is_far(&arg[0].low)) {
        fold_yield_unknown(f, TYPE_DATE);
        return;
    }
    civil c = civil_of(&arg[0].low);
    fold_yield_value(f, TYPE_DATE, time_value(VALUE_DATE, months_later(first_of(c.year, c.month), 1) - 1));
}

typedef struct interval {
    int64_t months, days, micros;
} interval;

/* A wall clock moved by months, then days, then time. */
static bool shifted_wall(const value *v, const interval *by, int64_t *out) {
    if (is_far(v)) return false;
    civil c = civil_of(v);
    int64_t days = months_later(c.day_number, by->months) + by->days;
    *out = added(added(fold_wall_of_date(days), c.micros_of_day), by->micros);
    return true;
}

static bool shifted(const value_range *r, const interval *by, value_range *out) {
    int64_t low = 0, high = 0;
    if ((r->has_low && !shifted_wall(&r->low, by, &low)) || (r->has_high && !shifted_wall(&r->high, by, &high)))
        return false;
    *out = *r;
    bool stays_date = r->type == TYPE_DATE && by->micros == 0;
    out->type = stays_date ? TYPE_DATE : TYPE_TIMESTAMP_NTZ;
    value_kind kind = stays_date ? VALUE_DATE : VALUE_TIMESTAMP_NTZ;
    out->low = time_value(kind, stays_date ? fold_day_of_wall(low) : low);
    out->high = time_value(kind, stays_date ? fold_day_of_wall(high) : high);
    return true;
}

static void add_micros(value_range *r, int64_t micros) {
    if (r->has_low) r->low.i = added(r->low.i, micros);
    if (r->has_high) r->high.i = added(r->high.i, micros);
}

/* Wall clocks of the session: months and days are counted by its calendar, and the rest is time that goes by. */
static bool shifted_in_zone(const fold *f, const value_range *wall, interval by, value_range *out) {
    value_range moved;
    interval dates = {by.months, by.days, 0};
    if (!shifted(wall, &dates, &moved) || !fold_to_instant(f, &moved, out)) return false;
    add_micros(out, by.micros);
    return true;
}

static bool is_same_interval(const interval *a, const interval *b) {
    return a->months == b->months && a->days == b->days && a->micros == b->micros;
}

/* What Spark makes of days and time together: as many whole days as there are in it. */
static interval in_whole_days(const interval *by) {
    int128 total = (int128)by->days * DAY + by->micros;
    return (interval){by->months, (int64_t)(total / DAY), (int64_t)(total % DAY)};
}

static void yield_in_zone(fold *f, const value_range *wall, const interval *by) {
    interval whole = in_whole_days(by);
    const interval *each[] = {by, &whole};
    for (int i = 0; i < (is_same_interval(by, &whole) ? 1 : 2); i++) {
        value_range moved;
        fold_yield(f, shifted_in_zone(f, wall, *each[i], &moved) ? moved : range_unknown(TYPE_TIMESTAMP, true));
    }
}

/* An instant is moved by its clock in the session zone, or as if that were UTC. */
static void shift_instants(fold *f, const value_range *r, const interval *by) {
    value_range wall = *r, utc;
    wall.type = TYPE_TIMESTAMP_NTZ;
    wall.low.kind = wall.high.kind = VALUE_TIMESTAMP_NTZ;
    if (!shifted(&wall, by, &utc)) {
        fold_yield(f, range_unknown(TYPE_TIMESTAMP, true));
        return;
    }
    utc.type = TYPE_TIMESTAMP;
    utc.low.kind = utc.high.kind = VALUE_TIMESTAMP;
    fold_yield(f, utc);
    if (f->env->zone_is_unknown) fold_yield(f, range_unknown(TYPE_TIMESTAMP, true));
    bool keeps_clock = by->months == 0 && by->days == 0 && by->micros > -DAY && by->micros < DAY;
    if (keeps_clock || zone_is_utc(f->env->session_zone)) return;
    wall = instants_to_wall(f, r);
    yield_in_zone(f, &wall, by);
}

/* A date or a wall clock stays one. A date moved by a time of day is an instant in Spark: the time goes by from its
 * midnight on. */
static void shift_wall(fold *f, const value_range *r, const interval *by) {
    value_range out;
    if (!shifted(r, by, &out)) {
        fold_yield(f, range_unknown(TYPE_OTHER, true));
        return;
    }
    fold_yield(f, out);
    if (r->type != TYPE_DATE || by->micros == 0) return;
    if (f->env->zone_is_unknown)
        fold_yield(f, range_unknown(TYPE_TIMESTAMP, true));
    else if (!zone_is_utc(f->env->session_zone))
        yield_in_zone(f, r, by);
}

/* x, months, days, micros: x + INTERVAL. */
void fold_shift(fold *f, const value_range *arg) {
    interval by;
    bool known = range_int(&arg[1], &by.months) && range_int(&arg[2], &by.days) && range_int(&arg[3], &by.micros) &&
                 is_small(by.months) && by.days > -INT32_MAX && by.days < INT32_MAX;
    if (known && arg[0].type == TYPE_TIMESTAMP)
        shift_instants(f, &arg[0], &by);
    else if (known && (arg[0].type == TYPE_DATE || arg[0].type == TYPE_TIMESTAMP_NTZ))
        shift_wall(f, &arg[0], &by);
    else
        fold_yield(f, range_unknown(TYPE_OTHER, true));
}

/* ------------------------------------------------------------------------------------------------------ unix time */

static int64_t micros_per(func_id func) {
    return func == FUNC_UNIX_SECONDS || func == FUNC_FROM_SECONDS ? SECOND
           : func == FUNC_UNIX_MILLIS || func == FUNC_FROM_MILLIS ? 1000
                                                                  : 1;
}

void fold_unix_time(fold *f, const value_range *arg) {
    if (arg[0].type == TYPE_TIMESTAMP)
        fold_yield_int(f, TYPE_LONG, floor_div(arg[0].low.i, micros_per(f->func)));
    else
        fold_yield_unknown(f, TYPE_OTHER);
}

/* Before the epoch a part of a second is cut towards it, by Spark's unix_timestamp, or away from it. */
static void yield_seconds_of(fold *f, const value_range *micros) {
    value_range n = range_unknown(TYPE_LONG, false);
    n.has_low = micros->has_low;
    n.has_high = micros->has_high;
    n.low = (value){.kind = VALUE_INT, .i = micros->has_low ? floor_div(micros->low.i, SECOND) : 0};
    n.high = (value){.kind = VALUE_INT, .i = micros->has_high ? micros->high.i / SECOND : 0};
    fold_yield(f, n);
}

static void yield_seconds(fold *f, const value_range *r) {
    value_range instant;
    if (fold_to_instant(f, r, &instant))
        yield_seconds_of(f, &instant);
    else
        fold_yield(f, range_unknown(TYPE_LONG, true));
}

void fold_unix_timestamp(fold *f, const value_range *arg) {
    if (arg[0].type != TYPE_STRING) {
        yield_seconds(f, &arg[0]);
        if (arg[0].type == TYPE_TIMESTAMP_NTZ) yield_seconds_of(f, &arg[0]); /* as if in UTC, by Spark */
        return;
    }
    int64_t wall;
    bool has_pattern = f->count == 2 && range_is_text(&arg[1]);
    str pattern = has_pattern ? arg[1].low.s : STR("yyyy-MM-dd HH:mm:ss");
    if ((f->count == 2 && !has_pattern) || !range_is_text(&arg[0]) || !parse_by_pattern(arg[0].low.s, pattern, &wall)) {
        fold_yield(f, range_unknown(TYPE_LONG, true));
        return;
    }
    value_range r = range_single(TYPE_TIMESTAMP_NTZ, time_value(VALUE_TIMESTAMP_NTZ, wall));
    yield_seconds(f, &r);
}

void fold_from_unix_date(fold *f, const value_range *arg) {
    if (arg[0].low.kind == VALUE_INT && arg[0].low.i > -INT32_MAX && arg[0].low.i < INT32_MAX)
        fold_yield_value(f, TYPE_DATE, time_value(VALUE_DATE, arg[0].low.i));
    else
        fold_yield_unknown(f, TYPE_DATE);
}

void fold_from_unix(fold *f, const value_range *arg) {
    int64_t micros;
    if (arg[0].low.kind == VALUE_INT && !__builtin_mul_overflow(arg[0].low.i, micros_per(f->func), &micros))
        fold_yield_value(f, TYPE_TIMESTAMP, time_value(VALUE_TIMESTAMP, micros));
    else
        fold_yield_unknown(f, TYPE_TIMESTAMP);
}

void fold_from_unixtime(fold *f, const value_range *arg) {
    int64_t instant;
    str text, pattern = f->count == 2 && range_is_text(&arg[1]) ? arg[1].low.s : STR("yyyy-MM-dd HH:mm:ss");
    bool known = arg[0].low.kind == VALUE_INT && !__builtin_mul_overflow(arg[0].low.i, SECOND, &instant) &&
                 !f->env->zone_is_unknown && shape_of(pattern).is_known && (f->count == 1 || range_is_text(&arg[1]));
    value wall = time_value(VALUE_TIMESTAMP_NTZ, known ? wall_at(f, instant) : 0);
    if (known && format_time(f, &wall, pattern, &text))
        fold_yield_text(f, text);
    else
        fold_yield(f, range_unknown(TYPE_STRING, true));
}

void fold_current_date(fold *f, const value_range *arg) {
    (void)arg;
    int64_t wall = wall_at(f, f->env->now_micros);
    fold_yield_value(f, TYPE_DATE, time_value(VALUE_DATE, fold_day_of_wall(wall)));
}

void fold_current_timestamp(fold *f, const value_range *arg) {
    (void)arg;
    fold_yield_value(f, TYPE_TIMESTAMP, time_value(VALUE_TIMESTAMP, f->env->now_micros));
}
