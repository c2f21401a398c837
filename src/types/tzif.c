/* tzif.c - the offsets of one time zone over all time, read from the bytes of a TZif file.
 * Called by: types/zone.c.  Must not know: names of zones, where files are.
 */
#include "types/tzif.h"

#include <assert.h>
#include <string.h>

#include "types/calendar.h"

enum {
    HEADER_BYTES = 44,
    TYPE_BYTES = 6,
    MAX_CHANGES = 20000, /* real files have some hundreds */
    MAX_OFFSET = 26 * 3600,
    DAY_SECONDS = 86400
};

/* ---- the rule in the footer */

typedef struct rule_reader {
    str text;
    size_t at;
} rule_reader;

static char peek(const rule_reader *r) {
    return r->at < r->text.len ? r->text.ptr[r->at] : '\0';
}

static bool take(rule_reader *r, char c) {
    if (r->at >= r->text.len || r->text.ptr[r->at] != c) return false;
    r->at++;
    return true;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* name := letter{3,} | '<' (letter | digit | '+' | '-'){3,} '>' */
static bool take_name(rule_reader *r) {
    bool quoted = take(r, '<');
    size_t start = r->at;
    while (is_letter(peek(r)) || (quoted && (is_digit(peek(r)) || peek(r) == '+' || peek(r) == '-'))) r->at++;
    size_t length = r->at - start;
    return length >= 3 && (!quoted || take(r, '>'));
}

static bool take_number(rule_reader *r, int32_t least, int32_t most, int32_t *out) {
    size_t start = r->at;
    *out = 0;
    while (is_digit(peek(r)) && r->at - start < 4) *out = *out * 10 + (r->text.ptr[r->at++] - '0');
    return r->at > start && *out >= least && *out <= most;
}

/* time := [+-] hours [':' minutes [':' seconds]] */
static bool take_time(rule_reader *r, int32_t most_hours, int32_t *seconds) {
    bool negative = take(r, '-');
    if (!negative) take(r, '+');
    int32_t hour, minute = 0, second = 0;
    if (!take_number(r, 0, most_hours, &hour)) return false;
    if (take(r, ':')) {
        if (!take_number(r, 0, 59, &minute)) return false;
        if (take(r, ':') && !take_number(r, 0, 59, &second)) return false;
    }
    *seconds = (hour * 60 + minute) * 60 + second;
    if (negative) *seconds = -*seconds;
    return true;
}

/* POSIX counts west of Greenwich. */
static bool take_offset(rule_reader *r, int32_t *east_seconds) {
    if (!take_time(r, 24, east_seconds)) return false;
    *east_seconds = -*east_seconds;
    return true;
}

/* date := 'J' day | day | 'M' month '.' week '.' day */
static bool take_day(rule_reader *r, rule_day *out) {
    int32_t month = 0, week = 0, day;
    if (take(r, 'M')) {
        out->kind = RULE_DAY_OF_WEEK;
        if (!take_number(r, 1, 12, &month) || !take(r, '.') || !take_number(r, 1, 5, &week)) return false;
        if (!take(r, '.') || !take_number(r, 0, 6, &day)) return false;
    } else {
        out->kind = take(r, 'J') ? RULE_DAY_JULIAN : RULE_DAY_OF_YEAR;
        if (!take_number(r, out->kind == RULE_DAY_JULIAN, 365, &day)) return false;
    }
    out->month = (uint8_t)month;
    out->week = (uint8_t)week;
    out->day = (uint16_t)day;
    return true;
}

/* ',' date ['/' time] */
static bool take_rule_day(rule_reader *r, rule_day *out) {
    if (!take(r, ',') || !take_day(r, out)) return false;
    out->seconds = 2 * 3600;
    return !take(r, '/') || take_time(r, 167, &out->seconds);
}

/* rule := name offset [name [offset] rule_day rule_day] */
bool zone_rule_parse(str text, zone_rule *out) {
    rule_reader r = {text, 0};
    *out = (zone_rule){.is_set = true};
    if (!take_name(&r) || !take_offset(&r, &out->standard_offset)) return false;
    if (r.at == text.len) return true;
    out->has_summer = true;
    if (!take_name(&r)) return false;
    out->summer_offset = out->standard_offset + 3600;
    if (peek(&r) != ',' && !take_offset(&r, &out->summer_offset)) return false;
    return take_rule_day(&r, &out->summer_start) && take_rule_day(&r, &out->summer_end) && r.at == text.len;
}

static int64_t day_of_rule(const rule_day *d, int64_t year) {
    int64_t first, next;
    unsigned month = d->kind == RULE_DAY_OF_WEEK ? d->month : 1;
    bool exists = calendar_days(year, month, 1, &first);
    assert(exists);
    (void)exists;
    if (d->kind == RULE_DAY_OF_YEAR) return first + d->day;
    if (d->kind == RULE_DAY_JULIAN) {
        bool is_leap = calendar_days(year, 2, 29, &next);
        return first + d->day - 1 + (is_leap && d->day >= 60);
    }
    int64_t weekday = (first + 4) % 7; /* 1970-01-01 was a Thursday */
    if (weekday < 0) weekday += 7;
    int64_t day = first + (d->day - weekday + 7) % 7 + 7 * (int64_t)(d->week - 1);
    calendar_days(month == 12 ? year + 1 : year, month == 12 ? 1 : month + 1, 1, &next);
    return day >= next ? day - 7 : day;
}

/* The changes of five years around the instant hold the last one before it and the first one after it: a change is at
 * most eight days away from its year. */
static zone_period period_by_rule(const zone_rule *rule, int64_t instant, int64_t rule_from) {
    zone_period p = {rule_from, INT64_MAX, rule->standard_offset};
    if (!rule->has_summer) return p;
    int64_t year, best = INT64_MIN;
    unsigned month, day;
    calendar_civil(instant / DAY_SECONDS, &year, &month, &day);
    for (int64_t y = year - 2; y <= year + 2; y++) {
        const struct {
            const rule_day *day;
            int32_t before, after;
        } change[2] = {{&rule->summer_end, rule->summer_offset, rule->standard_offset},
                       {&rule->summer_start, rule->standard_offset, rule->summer_offset}};
        for (int i = 0; i < 2; i++) {
            int64_t at = day_of_rule(change[i].day, y) * DAY_SECONDS + change[i].day->seconds - change[i].before;
            if (at > instant) {
                if (at < p.until) p.until = at;
            } else if (at > best || (at == best && i == 1)) { /* an end and a start at once: it is summer all year */
                best = at;
                p.offset = change[i].after;
            }
        }
    }
    if (best > p.from) p.from = best;
    return p;
}

zone_period zone_table_period(const zone_table *t, int64_t instant_seconds) {
    size_t low = 0, high = t->count; /* the number of changes at or before the instant */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->at[middle] <= instant_seconds)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == t->count && t->rule.is_set)
        return period_by_rule(&t->rule, instant_seconds, low > 0 ? t->at[low - 1] : INT64_MIN);
    return (zone_period){.from = low > 0 ? t->at[low - 1] : INT64_MIN,
                         .until = low < t->count ? t->at[low] : INT64_MAX,
                         .offset = low > 0 ? t->offset[low - 1] : t->first_offset};
}

/* ---- the file */

typedef struct tzif_counts {
    uint32_t utc, standard, leap, change, type, name;
} tzif_counts;

static uint64_t read_big_endian(const char *from, size_t bytes) {
    uint64_t bits = 0;
    for (size_t i = 0; i < bytes; i++) bits = bits << 8 | (unsigned char)from[i];
    return bits;
}

static lp_status read_header(str bytes, char *version, tzif_counts *out, lp_err *err) {
    if (bytes.len < HEADER_BYTES || !str_starts_with(bytes, STR("TZif")))
        return err_set(err, LP_ERR_FORMAT, "expected a TZif header, found %zu other bytes", bytes.len);
    *version = bytes.ptr[4];
    uint32_t count[6];
    for (size_t i = 0; i < 6; i++) count[i] = (uint32_t)read_big_endian(bytes.ptr + 20 + 4 * i, 4);
    *out = (tzif_counts){count[0], count[1], count[2], count[3], count[4], count[5]};
    return LP_OK;
}

/* Bytes of the block behind a header; cannot overflow, as each count has 32 bits. */
static uint64_t block_bytes(const tzif_counts *c, uint64_t time_bytes) {
    return c->change * (time_bytes + 1) + (uint64_t)c->type * TYPE_BYTES + c->name + c->leap * (time_bytes + 4) +
           c->standard + c->utc;
}

static lp_status read_offset(const char *types, uint32_t index, const tzif_counts *c, int32_t *out, lp_err *err) {
    if (index >= c->type)
        return err_set(err, LP_ERR_FORMAT, "expected a local time type below %u, found %u", c->type, index);
    int64_t offset = (int32_t)(uint32_t)read_big_endian(types + (size_t)index * TYPE_BYTES, 4);
    if (offset > MAX_OFFSET || offset < -MAX_OFFSET)
        return err_set(err, LP_ERR_FORMAT, "expected an offset of at most 26 hours, found %lld seconds",
                       (long long)offset);
    *out = (int32_t)offset;
    return LP_OK;
}

static lp_status read_changes(const char *block, size_t time_bytes, const tzif_counts *c, arena *out_arena,
                              zone_table *out, lp_err *err) {
    const char *indexes = block + (size_t)c->change * time_bytes, *types = indexes + c->change;
    TRY(read_offset(types, 0, c, &out->first_offset, err));
    out->count = c->change;
    out->at = ARENA_ARRAY(out_arena, int64_t, c->change);
    out->offset = ARENA_ARRAY(out_arena, int32_t, c->change);
    for (size_t i = 0; i < c->change; i++) {
        uint64_t bits = read_big_endian(block + i * time_bytes, time_bytes);
        out->at[i] = time_bytes == 4 ? (int32_t)(uint32_t)bits : (int64_t)bits;
        if (i > 0 && out->at[i] <= out->at[i - 1])
            return err_set(err, LP_ERR_FORMAT, "expected ascending changes, found number %zu out of order", i);
        TRY(read_offset(types, (unsigned char)indexes[i], c, &out->offset[i], err));
    }
    return LP_OK;
}

/* footer := '\n' [rule] '\n' */
static lp_status read_footer(str rest, zone_rule *out, lp_err *err) {
    size_t end;
    *out = (zone_rule){.is_set = false};
    if (rest.len < 2 || rest.ptr[0] != '\n' || !str_find_char(str_slice(rest, 1, rest.len), '\n', &end))
        return err_set(err, LP_ERR_FORMAT, "expected a footer between two newlines");
    str rule = str_slice(rest, 1, 1 + end);
    if (rule.len > 0 && !zone_rule_parse(rule, out))
        return err_set(err, LP_ERR_FORMAT, "expected a POSIX rule in the footer, found \"" STR_FMT "\"", STR_ARG(rule));
    return LP_OK;
}

lp_status tzif_parse(str bytes, arena *out_arena, zone_table *out, lp_err *err) {
    char version;
    tzif_counts counts;
    *out = (zone_table){.count = 0};
    TRY(read_header(bytes, &version, &counts, err));
    size_t time_bytes = 4;
    if (version >= '2') { /* a second header and block with times of 64 bits follow, then the footer */
        uint64_t skipped = HEADER_BYTES + block_bytes(&counts, 4);
        bytes = str_slice(bytes, skipped < bytes.len ? (size_t)skipped : bytes.len, bytes.len);
        TRY(read_header(bytes, &version, &counts, err));
        time_bytes = 8;
    }
    uint64_t size = block_bytes(&counts, time_bytes);
    if (size > bytes.len - HEADER_BYTES)
        return err_set(err, LP_ERR_FORMAT, "expected %llu bytes behind the header, found %zu", (unsigned long long)size,
                       bytes.len - HEADER_BYTES);
    if (counts.change > MAX_CHANGES)
        return err_set(err, LP_ERR_FORMAT, "expected at most %d changes, found %u", MAX_CHANGES, counts.change);
    if (counts.leap > 0) return err_set(err, LP_ERR_UNSUPPORTED, "the file counts leap seconds, which clocks do not");
    TRY(read_changes(bytes.ptr + HEADER_BYTES, time_bytes, &counts, out_arena, out, err));
    if (time_bytes == 4) return LP_OK;
    return read_footer(str_slice(bytes, HEADER_BYTES + (size_t)size, bytes.len), &out->rule, err);
}
