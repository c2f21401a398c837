/* calendar.h - the proleptic Gregorian calendar and texts of dates and times.
 * Called by: types/cell.c, types/value.c, predicate (literals), report.  Must not know: columns.
 */
#ifndef TYPES_CALENDAR_H
#define TYPES_CALENDAR_H

#include "types/zone.h"

/* Days since 1970-01-01 of a civil date; false if there is no such day. Years -999999..999999. */
bool calendar_days(int64_t year, unsigned month, unsigned day, int64_t *days);
/* The civil date of a day; days beyond 2^40 from the epoch are taken as that. */
void calendar_civil(int64_t days, int64_t *year, unsigned *month, unsigned *day);

/* A parsed date or date-time text. */
typedef struct time_text {
    bool has_time;         /* a time of day was written */
    bool has_offset;       /* Z, +hh:mm, +hhmm, +hh, +hh:mm:ss or a zone name was written */
    bool offset_is_name;   /* a zone name: zone is set */
    int64_t days;          /* of the date */
    int64_t micros_of_day; /* a fraction beyond microseconds is cut, see has_more_digits; second 60 counts on into the next minute */
    bool is_second_60;     /* a leap second, which some engines refuse */
    bool is_odd;           /* some engines take it for no time: second 60, other than one blank or T before the time of day, a
                              time beyond 64 bits of microseconds */
    bool has_more_digits;  /* digits beyond the sixth of the fraction that are not zero */
    int32_t offset_seconds;
    const zone *zone;
} time_text;

/* ISO forms and those the engines take: [+-]y..-M-d (and y-M, y where `loose`), then optionally `T` or one or more blanks
 * and H:m[:s[.fraction]], and behind a time of day optionally an offset or zone name (blank before it allowed). One- or
 * two-digit month, day, hour, minute, second; years of 4 to 6 digits, with or without a sign. Blanks around are ignored. The
 * whole text must be used. False otherwise, and for a day that does not exist. `zones` may be NULL: then no zone names. */
bool time_text_parse(str text, zone_database *zones, bool loose, time_text *out);

/* Microseconds since the epoch of a wall clock read in a zone. A local time that falls in the hour that occurs twice has
 * two instants (earlier <= later); one that does not occur is moved on by the length of the gap, as Java does. Saturates. */
void time_text_instants(const time_text *t, const zone *session, int64_t *earlier, int64_t *later);
/* Wall-clock microseconds since 1970-01-01T00:00, offset ignored. Saturates. */
int64_t time_text_wall_micros(const time_text *t);

void calendar_print_date(buf *out, int64_t days);              /* 2024-01-03, +10000-01-01, -0001-12-31 */
void calendar_print_millis(buf *out, int64_t millis);           /* 2024-01-03T04:05:06.007Z */
void calendar_print_micros(buf *out, int64_t micros, bool utc); /* 2024-01-03T04:05:06.000007, Z if utc */

#endif
