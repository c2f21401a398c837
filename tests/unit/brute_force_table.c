/* brute_force_table.c - random columns, rows, and the texts that writers record about them.
 * Called by: tests/unit/test_brute_force.c.  Must not know: predicates, engines.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "brute_force.h"

static const int64_t DAY_MICROS = INT64_C(86400000000);

/* ---- chance */

static uint64_t next(dice *d) {
    uint64_t x = d->state += UINT64_C(0x9E3779B97F4A7C15); /* splitmix64 */
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

dice dice_new(uint64_t seed) {
    dice d = {seed * UINT64_C(0xD1342543DE82EF95)};
    (void)next(&d);
    return d;
}

unsigned dice_below(dice *d, unsigned limit) {
    return (unsigned)(next(d) % limit);
}

bool dice_percent(dice *d, unsigned percent) {
    return dice_below(d, 100) < percent;
}

wide dice_between(dice *d, wide low, wide high) {
    unsigned_wide random = (unsigned_wide)next(d) << 64 | next(d);
    return low + (wide)(random % ((unsigned_wide)(high - low) + 1));
}

/* ---- clocks */

void brute_zone_enter(const char *zone) {
    setenv("TZ", zone, 1);
    tzset();
}

static bool is_utc(void) {
    return strcmp(getenv("TZ"), "UTC") == 0;
}

static int64_t seconds_of(int64_t micros) {
    return micros / 1000000 - (micros % 1000000 < 0);
}

static int64_t offset_at(int64_t instant) {
    time_t seconds = (time_t)seconds_of(instant);
    struct tm out;
    localtime_r(&seconds, &out);
    return (int64_t)out.tm_gmtoff * 1000000;
}

int64_t brute_wall(int64_t instant) {
    return instant + offset_at(instant);
}

int64_t brute_instant(int64_t wall, bool is_second) {
    int64_t before = wall - offset_at(wall - DAY_MICROS - DAY_MICROS / 2), after = wall - offset_at(wall + DAY_MICROS + DAY_MICROS / 2);
    bool first = brute_wall(before) == wall, second = brute_wall(after) == wall;
    return first && (!is_second || !second) ? before : second ? after : before;
}

/* ---- texts */

bool brute_is_whole(brute_type t) {
    return t <= BRUTE_DECIMAL;
}

bool brute_is_real(brute_type t) {
    return t == BRUTE_FLOAT || t == BRUTE_DOUBLE;
}

str brute_whole_text(arena *a, wide whole, unsigned scale) {
    char digit[64];
    size_t at = sizeof digit;
    unsigned_wide left = whole < 0 ? -(unsigned_wide)whole : (unsigned_wide)whole;
    for (unsigned i = 0; left || i <= scale; i++, left /= 10) {
        if (i == scale && scale) digit[--at] = '.';
        digit[--at] = (char)('0' + (int)(left % 10));
    }
    if (whole < 0) digit[--at] = '-';
    return str_copy(a, (str){digit + at, sizeof digit - at});
}

str brute_real_text(arena *a, double real, bool is_float) {
    if (isnan(real)) return STR("NaN");
    if (isinf(real)) return real < 0 ? STR("-Infinity") : STR("Infinity");
    char text[64];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, real);
        if (is_float ? (double)strtof(text, NULL) == real : strtod(text, NULL) == real) break;
    }
    return str_copy(a, str_from(text));
}

static struct tm civil(int64_t days) {
    time_t seconds = (time_t)(days * 86400);
    struct tm out;
    gmtime_r(&seconds, &out);
    return out;
}

str brute_date_text(arena *a, int64_t days) {
    struct tm t = civil(days);
    int year = t.tm_year + 1900;
    return str_format(a, "%s%04d-%02d-%02d", year > 9999 ? "+" : "", year, t.tm_mon + 1, t.tm_mday);
}

str brute_time_text(arena *a, int64_t micros, unsigned digits, char separator) {
    int64_t days = micros / DAY_MICROS - (micros % DAY_MICROS < 0), of_day = micros - days * DAY_MICROS;
    long long second = of_day / 1000000, rest = of_day % 1000000;
    str date = brute_date_text(a, days);
    str text = str_format(a, STR_FMT "%c%02lld:%02lld:%02lld", STR_ARG(date), separator, second / 3600, second / 60 % 60, second % 60);
    if (digits == 0) return text;
    for (unsigned i = digits; i < 6; i++) rest /= 10;
    return str_format(a, STR_FMT ".%0*lld", STR_ARG(text), (int)digits, rest);
}

/* ---- values */

static double as_stored(brute_type t, double real) {
    return t == BRUTE_FLOAT ? (double)(float)real : real;
}

static wide power_of_ten(unsigned exponent) {
    wide p = 1;
    while (exponent-- > 0) p *= 10;
    return p;
}

static void whole_limits(const brute_column *c, wide *low, wide *high) {
    static const unsigned bits[] = {7, 15, 31, 63};
    *high = c->type == BRUTE_DECIMAL ? power_of_ten(c->precision) - 1 : ((wide)1 << bits[c->type]) - 1;
    *low = c->type == BRUTE_DECIMAL ? -*high : -*high - 1;
}

static wide random_whole(dice *d, const brute_column *c) {
    wide low, high;
    whole_limits(c, &low, &high);
    switch (dice_below(d, 8)) {
    case 0: return low + dice_below(d, 2);
    case 1: return high - dice_below(d, 2);
    case 2: {
        wide near = ((wide)1 << 53) + (int)dice_below(d, 5) - 2;
        if (dice_percent(d, 30)) near = -near;
        return near > low && near < high ? near : 0;
    }
    case 3: return dice_between(d, low, high);
    default: return (int)dice_below(d, 15) - 7;
    }
}

static double random_real(dice *d, brute_type t) {
    static const double odd[] = {0.0, -0.0, 1.0, 1.5, -1.5, 0.1, 0.2, 1e10, 1e-7, 16777217.0, 9007199254740992.0, 9007199254740994.0, 3.4028234663852886e38, 1e-45, 5e-324, 1.7976931348623157e308};
    unsigned kind = dice_below(d, 10);
    if (kind == 0) return (double)NAN;
    if (kind == 1) return dice_percent(d, 50) ? (double)INFINITY : -(double)INFINITY;
    if (kind < 5) return (int)dice_below(d, 9) - 4;
    double real = as_stored(t, odd[dice_below(d, sizeof odd / sizeof *odd)]);
    return t == BRUTE_FLOAT && isinf(real) ? 3.0 : real;
}

static str random_text(dice *d, arena *a, bool plain) {
    if (!plain && dice_percent(d, 4)) return str_format(a, "%u", dice_below(d, 13));
    static const char *const piece[] = {"a", "b", "ab", "abc", "A", "z", " ", "%", "_", "\\", "'", "\xC3\xA9", "\xE6\x97\xA5", "\xF0\x9F\x98\x80", "\xEF\xBD\x9E", "\xEF\xBF\xBD", "\x7F", "\n", "\x01", "\xF4\x8F\xBF\xBF", "0", "7", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"};
    buf b;
    buf_init(&b, a, 4096);
    unsigned count = dice_below(d, 4), limit = dice_percent(d, 60) ? 6 : sizeof piece / sizeof *piece;
    for (unsigned i = 0; i < count; i++) buf_put(&b, str_from(piece[dice_below(d, plain ? 6 : limit)]));
    return str_copy(a, b.len ? buf_str(&b) : STR(""));
}

static str cut_characters(str s, size_t count) {
    size_t at = 0;
    for (; at < s.len && count > 0; count--) at += str_utf8_length(s, at);
    return str_slice(s, 0, at);
}

/* char(n) is stored blank-padded by Spark, and as it is by others. */
static str random_char(dice *d, arena *a, unsigned width) {
    str s = cut_characters(random_text(d, a, false), width);
    if (dice_percent(d, 30)) return s;
    buf b;
    buf_init(&b, a, 4096);
    buf_put(&b, s);
    buf_put_repeated(&b, ' ', width - str_count_code_points(s));
    return str_copy(a, buf_str(&b));
}

/* Days on which clocks are set somewhere: Rome, New York, Lord Howe, São Paulo (at midnight), Apia (a day is left out). */
static int64_t random_clock_day(dice *d) {
    static const int64_t odd[] = {19813, 20023, 19792, 20030, 19820, 20002, 17839, 17840, 17579, 17580, 15336, 15337, 15338};
    return odd[dice_below(d, sizeof odd / sizeof *odd)];
}

static int64_t random_days(dice *d) {
    static const int64_t odd[] = {0, -1, 1, -719162, -719161, 2932896, -141428, -141427, -25567, 11016};
    if (is_utc()) return dice_percent(d, 30) ? odd[dice_below(d, sizeof odd / sizeof *odd)] : 19723 + (int64_t)dice_below(d, 6);
    if (dice_percent(d, 60)) return random_clock_day(d);
    int64_t days = dice_percent(d, 50) ? odd[dice_below(d, sizeof odd / sizeof *odd)] : 19723 + (int64_t)dice_below(d, 6);
    return days < -719160 ? -719160 : days > 2932894 ? 2932894 : days; /* a clock shows no year but 1 to 9999 */
}

static int64_t random_micros(dice *d) {
    static const int64_t of_day[] = {0, 1, 500, 999, 1000, 123456, 999999, 43200000000, 86399999999, 86399999000};
    if (is_utc() || dice_percent(d, 40)) return random_days(d) * DAY_MICROS + of_day[dice_below(d, sizeof of_day / sizeof *of_day)];
    static const int64_t half_hours[] = {0, 1, 2, 3, 4, 5, 6, 46, 47};
    return random_days(d) * DAY_MICROS + half_hours[dice_below(d, 9)] * INT64_C(1800000000) + (int64_t)dice_below(d, 2);
}

static int64_t random_instant(dice *d) {
    int64_t micros = random_micros(d);
    return is_utc() ? micros : brute_instant(micros, dice_percent(d, 50));
}

static brute_value random_value(dice *d, arena *a, const brute_column *c) {
    brute_value v = {.is_null = false};
    switch (c->type) {
    case BRUTE_BYTE:
    case BRUTE_SHORT:
    case BRUTE_INTEGER:
    case BRUTE_LONG:
    case BRUTE_DECIMAL: v.whole = random_whole(d, c); break;
    case BRUTE_FLOAT:
    case BRUTE_DOUBLE: v.real = random_real(d, c->type); break;
    case BRUTE_STRING: v.text = random_text(d, a, false); break;
    case BRUTE_CHAR: v.text = random_char(d, a, c->width); break;
    case BRUTE_BINARY: v.text = random_text(d, a, true); break;
    case BRUTE_BOOLEAN: v.whole = dice_below(d, 2); break;
    case BRUTE_DATE: v.whole = random_days(d); break;
    case BRUTE_TIMESTAMP: v.whole = random_instant(d); break;
    case BRUTE_NTZ: v.whole = random_micros(d); break;
    case BRUTE_TYPE_COUNT: break;
    }
    return v;
}

int brute_order(brute_type t, const brute_value *a, const brute_value *b) {
    if (t == BRUTE_STRING || t == BRUTE_CHAR || t == BRUTE_BINARY) {
        size_t shared = a->text.len < b->text.len ? a->text.len : b->text.len;
        int by_bytes = shared ? memcmp(a->text.ptr, b->text.ptr, shared) : 0;
        if (by_bytes) return by_bytes < 0 ? -1 : 1;
        return (a->text.len > b->text.len) - (a->text.len < b->text.len);
    }
    if (!brute_is_real(t)) return (a->whole > b->whole) - (a->whole < b->whole);
    if (isnan(a->real) || isnan(b->real)) return isnan(a->real) - isnan(b->real);
    return (a->real > b->real) - (a->real < b->real);
}

/* ---- statistics */

/* How a writer records; drawn for each file. */
typedef struct recorder {
    bool nan_left_out, cuts_text, old_tie_breaker, decimals_as_doubles, micros, cuts_to_zero, floats_as_doubles;
    int zone_minutes;
    bool zone_missing;
    unsigned missing_percent;
} recorder;

static recorder random_recorder(dice *d) {
    static const int minutes[] = {0, 0, 0, 120, -480, 330};
    return (recorder){
        .nan_left_out = dice_percent(d, 40), .cuts_text = dice_percent(d, 70), .old_tie_breaker = dice_percent(d, 20),
        .decimals_as_doubles = dice_percent(d, 40), .micros = dice_percent(d, 30), .cuts_to_zero = dice_percent(d, 30),
        .floats_as_doubles = dice_percent(d, 30), .zone_minutes = minutes[dice_below(d, 6)], .zone_missing = dice_percent(d, 10),
        .missing_percent = dice_percent(d, 50) ? 0 : 15,
    };
}

static void put_json_text(buf *out, str s) {
    buf_put_char(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c == '"' || c == '\\') buf_printf(out, "\\%c", c);
        else if (c < ' ') buf_printf(out, "\\u%04x", c);
        else buf_put_char(out, (char)c);
    }
    buf_put_char(out, '"');
}

/* Where the first 32 UTF-16 units end; a surrogate pair stays whole. */
static size_t prefix_length(str s) {
    size_t at = 0, units = 0;
    while (at < s.len && units < 32) {
        size_t bytes = str_utf8_length(s, at);
        units += bytes == 4 ? 2 : 1;
        at += bytes;
    }
    return at;
}

static void put_text_bound(buf *out, arena *a, str s, bool is_max, const recorder *r) {
    size_t cut = r->cuts_text ? prefix_length(s) : s.len;
    if (cut == s.len || !is_max) {
        put_json_text(out, str_slice(s, 0, cut));
        return;
    }
    unsigned char after = (unsigned char)s.ptr[cut];
    if (str_starts_with(str_slice(s, cut, s.len), STR("\xF4\x8F\xBF\xBF"))) {
        buf_put(out, STR("null")); /* no tie breaker is above it */
        return;
    }
    const char *tie = r->old_tie_breaker ? "\xEF\xBF\xBD" : after < 0x7F ? "\x7F" : "\xF4\x8F\xBF\xBF";
    put_json_text(out, str_format(a, STR_FMT "%s", STR_ARG(str_slice(s, 0, cut)), tie));
}

static void put_time_bound(buf *out, arena *a, int64_t micros, bool has_zone, const recorder *r) {
    if (!r->micros) micros = micros / 1000 - (micros % 1000 < 0 && !r->cuts_to_zero), micros *= 1000;
    bool modern = micros > 3000 * DAY_MICROS; /* before, offsets had seconds */
    int zone = has_zone && modern ? r->zone_minutes : 0;
    unsigned digits = r->micros ? (micros % 1000000 ? 6 : 0) : 3;
    str text = brute_time_text(a, micros + (int64_t)zone * 60000000, digits, 'T');
    buf_printf(out, "\"" STR_FMT, STR_ARG(text));
    if (has_zone && !r->zone_missing) {
        if (zone == 0) buf_put_char(out, 'Z');
        else buf_printf(out, "%c%02d:%02d", zone < 0 ? '-' : '+', abs(zone) / 60, abs(zone) % 60);
    }
    buf_put_char(out, '"');
}

static void put_real_bound(buf *out, arena *a, double real, bool is_float) {
    bool named = isnan(real) || isinf(real);
    buf_printf(out, named ? "\"" STR_FMT "\"" : STR_FMT, STR_ARG(brute_real_text(a, real, is_float)));
}

static void put_bound(buf *out, arena *a, const brute_column *c, const brute_value *v, bool is_max, const recorder *r) {
    switch (c->type) {
    case BRUTE_BYTE:
    case BRUTE_SHORT:
    case BRUTE_INTEGER:
    case BRUTE_LONG: buf_put(out, brute_whole_text(a, v->whole, 0)); break;
    case BRUTE_DECIMAL: {
        str exact = brute_whole_text(a, v->whole, c->scale);
        buf_put(out, r->decimals_as_doubles ? brute_real_text(a, strtod(exact.ptr, NULL), false) : exact);
        break;
    }
    case BRUTE_FLOAT:
    case BRUTE_DOUBLE: put_real_bound(out, a, v->real, c->type == BRUTE_FLOAT && !r->floats_as_doubles); break;
    case BRUTE_STRING:
    case BRUTE_CHAR: put_text_bound(out, a, v->text, is_max, r); break;
    case BRUTE_BOOLEAN: buf_put(out, v->whole ? STR("true") : STR("false")); break;
    case BRUTE_DATE: buf_printf(out, "\"" STR_FMT "\"", STR_ARG(brute_date_text(a, (int64_t)v->whole))); break;
    case BRUTE_TIMESTAMP:
    case BRUTE_NTZ: put_time_bound(out, a, (int64_t)v->whole, c->type == BRUTE_TIMESTAMP, r); break;
    case BRUTE_BINARY:
    case BRUTE_TYPE_COUNT: break;
    }
}

typedef enum stats_part { PART_MIN, PART_MAX, PART_NULLS } stats_part;

/* The row that holds the bound, or NULL. */
static const brute_value *find_bound(const brute_file *f, size_t column, brute_type t, bool is_max, bool nan_left_out) {
    const brute_value *best = NULL;
    for (size_t i = 0; i < f->stored_count; i++) {
        const brute_value *v = &f->row[i][column];
        if (v->is_null || (nan_left_out && brute_is_real(t) && isnan(v->real))) continue;
        int order = best ? brute_order(t, v, best) : 0;
        if (!best || (is_max ? order > 0 : order < 0)) best = v;
    }
    return best;
}

static bool has_nan(const brute_file *f, size_t column) {
    for (size_t i = 0; i < f->stored_count; i++)
        if (!f->row[i][column].is_null && isnan(f->row[i][column].real)) return true;
    return false;
}

static size_t count_nulls(const brute_file *f, size_t column) {
    size_t count = 0;
    for (size_t i = 0; i < f->stored_count; i++) count += f->row[i][column].is_null;
    return count;
}

/* A stale count of a file with wide bounds: it says nothing unless it is 0 or all. */
static size_t recorded_nulls(dice *d, const brute_file *f, size_t column, bool is_wide) {
    size_t count = count_nulls(f, column), all = f->stored_count;
    if (!is_wide || count == 0 || count == all || all < 3) return count;
    return 1 + dice_below(d, (unsigned)all - 1);
}

static bool put_leaf(dice *d, arena *a, buf *out, const brute_table *t, brute_file *f, size_t column, stats_part part, bool is_wide,
                     const recorder *r) {
    const brute_column *c = &t->column[column];
    buf value;
    buf_init(&value, a, 65536);
    if (dice_percent(d, r->missing_percent)) {
        if (dice_percent(d, 50)) return false;
        buf_put(&value, STR("null"));
    } else if (part == PART_NULLS) {
        buf_printf(&value, "%zu", recorded_nulls(d, f, column, is_wide));
    } else {
        const brute_value *v = find_bound(f, column, c->type, part == PART_MAX, r->nan_left_out);
        if (!v || c->type == BRUTE_BINARY) return false;
        put_bound(&value, a, c, v, part == PART_MAX, r);
        if (part == PART_MAX && brute_is_real(c->type)) f->hides_nan[column] = has_nan(f, column) && !isnan(v->real);
    }
    buf_printf(out, "\"" STR_FMT "\":" STR_FMT ",", STR_ARG(c->field), STR_ARG(buf_str(&value)));
    return true;
}

static void close_object(buf *out) {
    if (out->ptr[out->len - 1] == ',') out->len--;
    buf_put_char(out, '}');
}

static void put_part(dice *d, arena *a, buf *out, const brute_table *t, brute_file *f, stats_part part, bool is_wide, const recorder *r) {
    static const char *const name[] = {"minValues", "maxValues", "nullCount"};
    buf_printf(out, "\"%s\":{", name[part]);
    bool nested = false;
    for (size_t i = 0; i < t->column_count; i++) {
        const brute_column *c = &t->column[i];
        if (c->is_partition || c->is_nested) {
            nested |= c->is_nested;
            continue;
        }
        put_leaf(d, a, out, t, f, i, part, is_wide, r);
    }
    if (nested) {
        buf_put(out, STR("\"s\":{"));
        for (size_t i = 0; i < t->column_count; i++)
            if (t->column[i].is_nested) put_leaf(d, a, out, t, f, i, part, is_wide, r);
        close_object(out);
    }
    close_object(out);
    buf_put_char(out, ',');
}

static str padded(arena *a, buf *b) {
    buf_put_repeated(b, '\0', 64);
    str s = str_copy(a, buf_str(b));
    s.len -= 64;
    return s;
}

static void make_stats(dice *d, arena *a, const brute_table *t, brute_file *f) {
    recorder r = random_recorder(d);
    if (dice_percent(d, 4)) return;
    bool is_wide = f->has_dv || dice_percent(d, 10);
    buf out;
    buf_init(&out, a, 1 << 20);
    buf_put_char(&out, '{');
    if (!dice_percent(d, r.missing_percent)) buf_printf(&out, "\"numRecords\":%zu,", f->stored_count);
    for (stats_part part = PART_MIN; part <= PART_NULLS; part++)
        if (!dice_percent(d, r.missing_percent / 2)) put_part(d, a, &out, t, f, part, is_wide, &r);
    if (is_wide && !(f->has_dv && dice_percent(d, 30))) buf_put(&out, STR("\"tightBounds\":false,"));
    close_object(&out);
    f->stats = padded(a, &out);
}

/* ---- partition values */

static str real_partition_text(dice *d, arena *a, const brute_column *c, double real) {
    bool is_float = c->type == BRUTE_FLOAT;
    str text = brute_real_text(a, real, is_float);
    if (isnan(real) || isinf(real)) return text;
    if (signbit(real) && real == 0) return STR("-0.0");
    if (dice_percent(d, 30) && real > -1e6 && real < 1e6 && real == floor(real)) return str_format(a, STR_FMT ".0", STR_ARG(text));
    return text;
}

static str whole_partition_text(dice *d, arena *a, const brute_column *c, wide whole) {
    str text = brute_whole_text(a, whole, c->scale);
    if (whole >= 0 && dice_percent(d, 20)) return str_format(a, "%s" STR_FMT, dice_percent(d, 50) ? "0" : "+", STR_ARG(text));
    if (c->type == BRUTE_DECIMAL && dice_percent(d, 20))
        return str_format(a, STR_FMT "E-%u", STR_ARG(brute_whole_text(a, whole, 0)), c->scale);
    return text;
}

/* Without an offset the text is a wall clock reading. */
static str time_partition_text(dice *d, arena *a, bool has_zone, int64_t micros, bool *is_local) {
    unsigned form = dice_below(d, has_zone ? 4 : 2), digits = micros % 1000000 ? 6 : 0;
    *is_local = has_zone && form < 2;
    if (*is_local) micros = brute_wall(micros);
    switch (form) {
    case 0: return brute_time_text(a, micros, digits, ' ');
    case 1: return brute_time_text(a, micros, 6, 'T');
    case 2: return str_format(a, STR_FMT "Z", STR_ARG(brute_time_text(a, micros, 6, 'T')));
    default: return str_format(a, STR_FMT "+05:30", STR_ARG(brute_time_text(a, micros + INT64_C(19800000000), digits, 'T')));
    }
}

static str partition_text(dice *d, arena *a, const brute_column *c, brute_value *v) {
    if (v->is_null) return STR_NONE;
    switch (c->type) {
    case BRUTE_BYTE:
    case BRUTE_SHORT:
    case BRUTE_INTEGER:
    case BRUTE_LONG:
    case BRUTE_DECIMAL: return whole_partition_text(d, a, c, v->whole);
    case BRUTE_FLOAT:
    case BRUTE_DOUBLE: return real_partition_text(d, a, c, v->real);
    case BRUTE_STRING:
    case BRUTE_CHAR:
    case BRUTE_BINARY: return v->text;
    case BRUTE_BOOLEAN: return v->whole ? (dice_percent(d, 20) ? STR("TRUE") : STR("true")) : STR("false");
    case BRUTE_DATE: return brute_date_text(a, (int64_t)v->whole);
    case BRUTE_TIMESTAMP:
    case BRUTE_NTZ: return time_partition_text(d, a, c->type == BRUTE_TIMESTAMP, (int64_t)v->whole, &v->is_local);
    case BRUTE_TYPE_COUNT: break;
    }
    return STR_NONE;
}

/* ---- the table */

static const char *type_text(arena *a, const brute_column *c) {
    static const char *const name[] = {"byte", "short", "integer", "long", "", "float", "double", "string", "string", "binary", "boolean", "date", "timestamp", "timestamp_ntz"};
    if (c->type == BRUTE_DECIMAL) return str_format(a, "decimal(%u,%u)", c->precision, c->scale).ptr;
    return name[c->type];
}

static void put_field(arena *a, buf *out, const brute_column *c) {
    buf_printf(out, "{\"name\":\"" STR_FMT "\",\"type\":\"%s\",\"nullable\":true,\"metadata\":{", STR_ARG(c->field), type_text(a, c));
    if (c->type == BRUTE_CHAR) buf_printf(out, "\"__CHAR_VARCHAR_TYPE_STRING\":\"char(%u)\"", c->width);
    buf_put(out, STR("}},"));
}

static void make_schema(arena *a, brute_table *t) {
    buf out, inner;
    buf_init(&out, a, 65536);
    buf_init(&inner, a, 65536);
    buf_put(&out, STR("{\"type\":\"struct\",\"fields\":["));
    for (size_t i = 0; i < t->column_count; i++) put_field(a, t->column[i].is_nested ? &inner : &out, &t->column[i]);
    if (inner.len) {
        inner.len--;
        buf_printf(&out, "{\"name\":\"s\",\"type\":{\"type\":\"struct\",\"fields\":[" STR_FMT "]},\"nullable\":true,\"metadata\":{}},", STR_ARG(buf_str(&inner)));
    }
    out.len--;
    buf_put(&out, STR("]}"));
    t->schema = padded(a, &out);
}

static void make_column(dice *d, arena *a, brute_column *c, unsigned index) {
    static const unsigned precision[] = {5, 10, 18, 20, 38}, scale[] = {0, 2, 10, 1, 19};
    c->type = (brute_type)dice_below(d, BRUTE_TYPE_COUNT);
    if (c->type == BRUTE_DECIMAL) {
        unsigned which = dice_below(d, 5);
        c->precision = precision[which];
        c->scale = dice_percent(d, 20) ? 0 : scale[which];
    }
    c->width = c->type == BRUTE_CHAR ? 1 + dice_below(d, 4) : 0;
    c->is_partition = dice_percent(d, 35);
    c->is_nested = !c->is_partition && dice_percent(d, 20);
    c->field = str_format(a, "c%u", index);
    c->name = c->is_nested ? str_format(a, "s." STR_FMT, STR_ARG(c->field)) : c->field;
}

static void make_file(dice *d, arena *a, const brute_table *t, brute_file *f) {
    f->row_count = 1 + dice_below(d, 3);
    f->has_dv = dice_percent(d, 15);
    f->stored_count = f->row_count + (f->has_dv ? 1 + dice_below(d, 2) : 0);
    for (size_t c = 0; c < t->column_count; c++) {
        unsigned nulls = dice_percent(d, 50) ? 0 : dice_percent(d, 20) ? 100 : 30;
        for (size_t i = 0; i < f->stored_count; i++) {
            if (t->column[c].is_partition && i > 0) {
                f->row[i][c] = f->row[0][c];
                continue;
            }
            f->row[i][c] = random_value(d, a, &t->column[c]);
            if (i > 0 && dice_percent(d, 40)) f->row[i][c] = f->row[0][c];
            if (dice_percent(d, nulls)) f->row[i][c].is_null = true;
        }
        if (!t->column[c].is_partition) continue;
        f->partition[c] = partition_text(d, a, &t->column[c], &f->row[0][c]);
        for (size_t i = 1; i < f->stored_count; i++) f->row[i][c] = f->row[0][c];
    }
    make_stats(d, a, t, f);
}

void brute_table_make(dice *d, arena *a, brute_table *t) {
    static const char *const zone[] = {"Europe/Rome", "America/New_York", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia"};
    *t = (brute_table){.column_count = 1 + dice_below(d, BRUTE_MAX_COLUMNS), .file_count = 1 + dice_below(d, BRUTE_MAX_FILES)};
    t->zone = dice_percent(d, 60) ? "UTC" : zone[dice_below(d, 6)];
    brute_zone_enter(t->zone);
    for (size_t i = 0; i < t->column_count; i++) make_column(d, a, &t->column[i], (unsigned)i);
    if (strcmp(t->zone, "UTC") != 0 && dice_percent(d, 80)) { /* where the zone matters */
        t->column[0] = (brute_column){.type = dice_percent(d, 80) ? BRUTE_TIMESTAMP : BRUTE_DATE, .is_partition = dice_percent(d, 40), .field = STR("c0"), .name = STR("c0")};
    }
    make_schema(a, t);
    for (size_t i = 0; i < t->file_count; i++) make_file(d, a, t, &t->file[i]);
}

static void print_value(buf *out, const brute_column *c, const brute_value *v) {
    if (v->is_null) buf_put(out, STR("NULL"));
    else if (brute_is_whole(c->type)) buf_put(out, brute_whole_text(out->owner, v->whole, c->scale));
    else if (brute_is_real(c->type)) buf_printf(out, "%.17g", v->real);
    else if (c->type == BRUTE_STRING || c->type == BRUTE_CHAR || c->type == BRUTE_BINARY) put_json_text(out, v->text);
    else if (c->type == BRUTE_BOOLEAN) buf_put(out, v->whole ? STR("true") : STR("false"));
    else if (c->type == BRUTE_DATE) buf_put(out, brute_date_text(out->owner, (int64_t)v->whole));
    else buf_put(out, brute_time_text(out->owner, (int64_t)v->whole, 6, 'T'));
}

static void print_column(buf *out, const brute_column *c) {
    buf_printf(out, "column     " STR_FMT " ", STR_ARG(c->name));
    if (c->type == BRUTE_CHAR) buf_printf(out, "char(%u)", c->width);
    else buf_put(out, str_from(type_text(out->owner, c)));
}

void brute_table_print(buf *out, const brute_table *t, const brute_file *f, const bool *shown) {
    for (size_t c = 0; c < t->column_count; c++) {
        if (!shown[c]) continue;
        print_column(out, &t->column[c]);
        if (t->column[c].is_partition) buf_printf(out, ", partition by %s" STR_FMT, f->partition[c].ptr ? "the text " : "null", STR_ARG(f->partition[c]));
        buf_put_char(out, '\n');
    }
    buf_printf(out, "zone       %s\n", t->zone);
    buf_printf(out, "statistics " STR_FMT "%s\n", STR_ARG(f->stats), f->has_dv ? " (deletion vector)" : "");
    for (size_t i = 0; i < f->stored_count; i++) {
        buf_put(out, i < f->row_count ? STR("row       ") : STR("deleted   "));
        for (size_t c = 0; c < t->column_count; c++) {
            if (!shown[c]) continue;
            buf_printf(out, " " STR_FMT "=", STR_ARG(t->column[c].name));
            print_value(out, &t->column[c], &f->row[i][c]);
        }
        buf_put_char(out, '\n');
    }
}
