/* tzif.h - the offsets of one time zone over all time, read from the bytes of a TZif file.
 * Called by: types/zone.c.  Must not know: names of zones, where files are.
 * Source: RFC 9636 (TZif, versions 1 to 4) and POSIX, environment variable TZ, for the rule in the footer.
 */
#ifndef TYPES_TZIF_H
#define TYPES_TZIF_H

#include "base/arena.h"
#include "base/err.h"

typedef enum rule_day_kind {
    RULE_DAY_JULIAN,  /* Jn: 1..365, 29 February is never counted */
    RULE_DAY_OF_YEAR, /* n: 0..365 */
    RULE_DAY_OF_WEEK  /* Mm.w.d: day d (0 is Sunday) of week w (5 is the last) of month m */
} rule_day_kind;

/* When, in each year, the clocks change: seconds after the midnight of a day, by the clock in use before. */
typedef struct rule_day {
    rule_day_kind kind;
    uint16_t day;
    uint8_t month, week;
    int32_t seconds;
} rule_day;

typedef struct zone_rule {
    bool is_set;
    int32_t standard_offset; /* seconds east of UTC */
    bool has_summer;
    int32_t summer_offset;
    rule_day summer_start, summer_end;
} zone_rule;

typedef struct zone_table {
    int32_t first_offset; /* before the first change */
    size_t count;         /* changes, ascending */
    int64_t *at;          /* seconds since the epoch */
    int32_t *offset;      /* seconds east of UTC from at[i] on */
    zone_rule rule;       /* after the last change; if not set the last offset stays */
} zone_table;

/* A stretch of time with one offset: from <= t < until, INT64_MIN and INT64_MAX for open ends. */
typedef struct zone_period {
    int64_t from, until;
    int32_t offset;
} zone_period;

/* LP_ERR_FORMAT for bytes that are no TZif, LP_ERR_UNSUPPORTED for a file that counts leap seconds. */
MUST_USE lp_status tzif_parse(str bytes, arena *out_arena, zone_table *out, lp_err *err);

/* `EST5EDT,M3.2.0,M11.1.0`, `<-03>3`; false for anything else. */
bool zone_rule_parse(str text, zone_rule *out);

/* The stretch that holds an instant; its seconds stay within a million years of the epoch. */
zone_period zone_table_period(const zone_table *t, int64_t instant_seconds);

#endif
