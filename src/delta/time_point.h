/* time_point.h - a point in time, as people write it and as commits record it.
 * Called by: delta/time_travel.c, api.  Must not know: commits, versions.
 */
#ifndef DELTA_TIME_POINT_H
#define DELTA_TIME_POINT_H

#include "types/calendar.h"

/* A point in time. Commits have whole milliseconds, people write more digits. */
typedef struct time_point {
    int64_t ms;    /* since 1970-01-01 UTC, rounded down */
    bool has_more; /* it lies between this millisecond and the next */
} time_point;

/* Read `2024-01-31` (its first moment), `2024-01-31T12:30:00`, a fraction and an offset or a zone name behind it; without
 * one the text is read in `session` (rule M17). LP_ERR_USAGE: another form, or a local time that occurs twice in its
 * zone. One that does not occur is moved on by the length of the gap, as Java does. */
MUST_USE lp_status time_point_parse(str text, const zone *session, zone_database *zones, time_point *out, lp_err *err);

/* "2024-01-31T12:30:00.000Z" */
str time_point_text(arena *out_arena, time_point t);

/* The same of milliseconds since 1970-01-01 UTC. */
str time_text_of(arena *out_arena, int64_t ms);

/* Is `t` after this millisecond's start? */
bool time_point_is_after(time_point t, int64_t ms);

#endif
