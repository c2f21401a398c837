/* api_int.h - what the handles of the public API hold.
 * Called by: the sources of this room.  Must not know: command lines.
 */
#ifndef API_API_INT_H
#define API_API_INT_H

#include "base/pool.h"
#include "delta/snapshot.h"
#include "lakeproof.h"
#include "report/report.h"
#include "types/zone.h"

/* Everything lives in `table` and ends with it: files, threads, caches. */
struct lp_table {
    arena table;
    str location; /* as the caller named it */
    store *files;
    pool *workers;
    zone_database *zones;
    const zone *session_zone;
    str timezone;
    snapshot *snapshot;
};

/* Borrows from its table. */
struct lp_report {
    arena query;
    lp_table *table;
    prune_report *measured;
    report_document document, gates, counters;
    buf debug_ir;
};

#endif
