/* calendar.c - the proleptic Gregorian calendar and texts of dates and times.
 * Called by: types/cell.c, types/value.c, predicate (literals), report.  Must not know: columns.
 * Source: ISO 8601; the looser forms are those of Spark's casts from text.
 */
#include "types/calendar.h"

#include "types/types_int.h"

static const int64_t MICROS_PER_SECOND = 1000000;
static const int64_t MICROS_PER_DAY = 86400 * (int64_t)1000000;
enum { MAX_YEAR = 999999 };

/* Days are counted in eras of 400 years (146097 days), in years that begin in March, so that the leap day comes last.
 */
enum { DAYS_PER_ERA = 146097, DAYS_TO_EPOCH = 719468 };

static int64_t divide_floor(int64_t a, int64_t b) {
    int64_t quotient = a / b;
    return quotient * b > a ? quotient - 1 : quotient;
}

static bool is_leap_year(int64_t year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static unsigned days_in_month(int64_t year, unsigned month) {
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap_year(year) ? 29 : days[month - 1];
}

bool calendar_days(int64_t year, unsigned month, unsigned day, int64_t *days) {
    if (year < -MAX_YEAR || year > MAX_YEAR || month < 1 || month > 12) return false;
    if (day < 1 || day > days_in_month(year, month)) return false;
    int64_t march_year = month > 2 ? year : year - 1;
    int64_t era = divide_floor(march_year, 400), year_of_era = march_year - era * 400;
    int64_t month_from_march = month > 2 ? month - 3 : month + 9;
    int64_t day_of_year = (153 * month_from_march + 2) / 5 + day - 1; /* 153 days in five months from March on */
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    *days = era * DAYS_PER_ERA + day_of_era - DAYS_TO_EPOCH;
    return true;
}

void calendar_civil(int64_t days, int64_t *year, unsigned *month, unsigned *day) {
    const int64_t far = (int64_t)1 << 40; /* beyond all that a column holds; keeps the sums small */
    days = days > far ? far : days < -far ? -far : days;
    days += DAYS_TO_EPOCH;
    int64_t era = divide_floor(days, DAYS_PER_ERA), day_of_era = days - era * DAYS_PER_ERA;
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month_from_march = (5 * day_of_year + 2) / 153;
    *day = (unsigned)(day_of_year - (153 * month_from_march + 2) / 5 + 1);
    *month = (unsigned)(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
    *year = era * 400 + year_of_era + (*month <= 2);
}

/* The Julian calendar has a leap day in each century year; the two agreed in the third century. */
int64_t julian_delay(int64_t days) {
    int64_t year;
    unsigned month, day;
    calendar_civil(days, &year, &month, &day);
    int64_t march_year = month > 2 ? year : year - 1;
    return divide_floor(march_year, 100) - divide_floor(march_year, 400) - 2;
}

static int64_t saturate(int128 v) {
    if (v > INT64_MAX) return INT64_MAX;
    return v < INT64_MIN ? INT64_MIN : (int64_t)v;
}

/* ---- texts: each take_... reads one thing at *at and moves on, or returns false. */

static bool is_digit_at(str text, size_t at) {
    return at < text.len && text.ptr[at] >= '0' && text.ptr[at] <= '9';
}

static bool take_char(str text, size_t *at, char c) {
    if (*at >= text.len || text.ptr[*at] != c) return false;
    ++*at;
    return true;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool take_blanks(str text, size_t *at) {
    size_t start = *at;
    while (*at < text.len && is_blank(text.ptr[*at])) ++*at;
    return *at > start;
}

/* `least` to `most` digits, of which there are 6 at most. */
static bool take_number(str text, size_t *at, size_t least, size_t most, int64_t *out) {
    size_t start = *at;
    int64_t number = 0;
    while (is_digit_at(text, *at) && *at - start <= most) number = number * 10 + (text.ptr[(*at)++] - '0');
    *out = number;
    return *at - start >= least && *at - start <= most;
}

/* year := digit{4,6} | [+-] digit{4,6} ; more than four without a sign are a year only before a month, as 202401 is
 * none */
static bool take_year(str text, size_t *at, int64_t *year) {
    bool negative = take_char(text, at, '-');
    bool has_sign = negative || take_char(text, at, '+');
    size_t start = *at;
    if (!take_number(text, at, 4, 6, year)) return false;
    if (negative) *year = -*year;
    return has_sign || *at - start == 4 || (*at < text.len && text.ptr[*at] == '-');
}

/* date := year '-' month '-' day, and where loose also: year '-' month, year */
static bool take_date(str text, size_t *at, bool loose, time_text *out) {
    int64_t year, month = 1, day = 1;
    if (!take_year(text, at, &year)) return false;
    if (take_char(text, at, '-')) {
        if (!take_number(text, at, 1, 2, &month)) return false;
        if (take_char(text, at, '-')) {
            if (!take_number(text, at, 1, 2, &day)) return false;
        } else if (!loose) {
            return false;
        }
    } else if (!loose) {
        return false;
    }
    return calendar_days(year, (unsigned)month, (unsigned)day, &out->days);
}

/* fraction := '.' digit+ ; what is beyond microseconds is only looked at. */
static bool take_fraction(str text, size_t *at, time_text *out) {
    if (!is_digit_at(text, *at)) return false;
    int64_t micros = 0, unit = MICROS_PER_SECOND;
    for (; is_digit_at(text, *at); ++*at) {
        int digit = text.ptr[*at] - '0';
        if (unit > 1) {
            unit /= 10;
            micros += digit * unit;
        } else if (digit != 0) {
            out->has_more_digits = true;
        }
    }
    out->micros_of_day += micros;
    return true;
}

/* time := hour ':' minute [':' second [fraction]] */
static bool take_time(str text, size_t *at, time_text *out) {
    int64_t hour, minute, second = 0;
    if (!take_number(text, at, 1, 2, &hour) || !take_char(text, at, ':')) return false;
    if (!take_number(text, at, 1, 2, &minute)) return false;
    bool has_second = take_char(text, at, ':');
    if (has_second && !take_number(text, at, 1, 2, &second)) return false;
    if (hour > 23 || minute > 59 || second > 60) return false;
    out->has_time = true;
    out->is_second_60 = second == 60;
    out->micros_of_day = ((hour * 60 + minute) * 60 + second) * MICROS_PER_SECOND;
    return !has_second || !take_char(text, at, '.') || take_fraction(text, at, out);
}

/* zone := 'Z' | offset | name, up to the end of the text */
static bool parse_zone(str text, zone_database *zones, time_text *out) {
    out->has_offset = true;
    if (str_eq(text, STR("Z"))) return true;
    if (text.ptr[0] == '+' || text.ptr[0] == '-') return zone_parse_offset(text, &out->offset_seconds);
    out->offset_is_name = true;
    return zones != NULL && zone_find(zones, text, &out->zone, NULL) == LP_OK;
}

static str trim_blanks(str text) {
    size_t from = 0;
    take_blanks(text, &from);
    while (text.len > from && is_blank(text.ptr[text.len - 1])) text.len--;
    return str_slice(text, from, text.len);
}

static int128 wall_micros(const time_text *t) {
    return (int128)t->days * MICROS_PER_DAY + t->micros_of_day;
}

static bool is_beyond_micros(const time_text *t) {
    int128 instant = wall_micros(t) - (int128)t->offset_seconds * MICROS_PER_SECOND;
    return instant > INT64_MAX || instant < INT64_MIN;
}

bool time_text_parse(str text, zone_database *zones, bool loose, time_text *out) {
    *out = (time_text){.has_time = false};
    text = trim_blanks(text);
    size_t at = 0;
    if (!take_date(text, &at, loose, out)) return false;
    out->is_odd = is_beyond_micros(out);
    if (at == text.len) return true;
    size_t behind_date = at;
    if (!take_char(text, &at, 'T') && !take_blanks(text, &at)) return false;
    bool is_usual = at == behind_date + 1 && (text.ptr[behind_date] == 'T' || text.ptr[behind_date] == ' ');
    if (!take_time(text, &at, out)) return false;
    take_blanks(text, &at);
    if (at < text.len && !parse_zone(str_slice(text, at, text.len), zones, out)) return false;
    out->is_odd = !is_usual || out->is_second_60 || is_beyond_micros(out);
    return true;
}

int64_t time_text_wall_micros(const time_text *t) {
    return saturate(wall_micros(t));
}

void time_text_instants(const time_text *t, const zone *session, int64_t *earlier, int64_t *later) {
    if (t->has_offset && !t->offset_is_name) {
        *earlier = *later = saturate(wall_micros(t) - (int128)t->offset_seconds * MICROS_PER_SECOND);
        return;
    }
    zone_instants(t->has_offset ? t->zone : session, time_text_wall_micros(t), earlier, later);
}

/* ---- printing */

void calendar_print_date(buf *out, int64_t days) {
    int64_t year;
    unsigned month, day;
    calendar_civil(days, &year, &month, &day);
    str sign = year < 0 ? STR("-") : year > 9999 ? STR("+") : STR("");
    buf_put(out, sign);
    buf_printf(out, "%04lld-%02u-%02u", (long long)(year < 0 ? -year : year), month, day);
}

void calendar_print_millis(buf *out, int64_t millis) {
    const int64_t per_day = MICROS_PER_DAY / 1000;
    int64_t days = divide_floor(millis, per_day);
    unsigned of_day = (unsigned)(int64_t)((uint64_t)millis - (uint64_t)days * (uint64_t)per_day);
    unsigned second = of_day / 1000;
    calendar_print_date(out, days);
    buf_printf(out, "T%02u:%02u:%02u.%03uZ", second / 3600, second / 60 % 60, second % 60, of_day % 1000);
}

void calendar_print_micros(buf *out, int64_t micros, bool utc) {
    int64_t days = divide_floor(micros, MICROS_PER_DAY);
    int64_t of_day = (int64_t)((uint64_t)micros - (uint64_t)days * (uint64_t)MICROS_PER_DAY);
    unsigned second = (unsigned)(of_day / MICROS_PER_SECOND);
    calendar_print_date(out, days);
    buf_printf(out, "T%02u:%02u:%02u.%06u%s", second / 3600, second / 60 % 60, second % 60,
               (unsigned)(of_day % MICROS_PER_SECOND), utc ? "Z" : "");
}
