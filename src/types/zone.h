/* zone.h - time zones from the system's database, without the C library's global state.
 * Called by: types/calendar.c, predicate, api.  Must not know: tables, SQL.
 * Source: RFC 9636 (TZif). Java's short names (PST, EST, ...) are known as aliases.
 */
#ifndef TYPES_ZONE_H
#define TYPES_ZONE_H

#include "base/buf.h"
#include "base/err.h"

typedef struct zone zone;
typedef struct zone_database zone_database; /* caches what it loaded */

zone_database *zone_database_new(arena *owner);

/* [+-]h, hh, hh:mm, hh:mm:ss, hhmm or hhmmss, up to 18 hours; false for anything else. Seconds east of UTC. */
bool zone_parse_offset(str text, int32_t *east_seconds);

/* UTC, GMT, Z, fixed offsets (+02:00, +2, UTC+2, GMT-03:30) or a name (Europe/Rome, PST), case as in the database,
 * ignored for names without a slash. The database is the folder TZDIR or the system's; a name never leads out of it. LP_ERR_USAGE for an unknown name; if the system has no zone database, the message
 * says what to install. Zones live as long as the database. Thread-safe. */
MUST_USE lp_status zone_find(zone_database *db, str name, const zone **out, lp_err *err);
const zone *zone_utc(void);
str zone_name(const zone *z);
bool zone_is_utc(const zone *z); /* offset 0 at all times */

/* Seconds east of UTC at an instant (microseconds since the epoch). Before the first transition: local mean time if the
 * database has it; after the last: its POSIX rule. */
int32_t zone_offset_at(const zone *z, int64_t instant_micros);

/* One offset from one instant to the other, both included? */
bool zone_is_steady(const zone *z, int64_t from_micros, int64_t to_micros);

/* The instants that a wall clock reading can mean: equal when there is one. A reading inside a gap is read with the
 * offset before the gap. Saturates. */
void zone_instants(const zone *z, int64_t wall_micros, int64_t *earlier, int64_t *later);

#endif
