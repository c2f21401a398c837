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
    snapshot *snapshot; /* NULL: only the log was opened */
    bool has_last;      /* a version was asked for: histories begin with it */
    int64_t last;
};

/* Borrows from its table. */
struct lp_report {
    arena query;
    lp_table *table;
    lp_table *other_table; /* of a question about two; NULL else */
    bool passed; /* no gate failed, or there is none */
    uint64_t total_files, final_files;
    report_document document, gates, counters, baseline;
    buf debug_ir;
};

/* Answers one question: fills the report, whose arena is `query`. Runs inside the door. */
typedef lp_status (*report_body)(lp_report *report, const void *options, lp_err *err);

/* A report that `body` has filled; NULL in *out when it failed. LP_ERR_USAGE if the table has no snapshot. */
MUST_USE lp_status report_run(lp_table *table, report_body body, const void *options, lp_report **out, lp_err *err);

/* The same for a body that needs no snapshot. */
MUST_USE lp_status report_run_on_log(lp_table *table, report_body body, const void *options, lp_report **out,
                                     lp_err *err);

/* The view LP_VIEW_HISTORY of lp_snapshot. */
MUST_USE lp_status history_report(lp_table *table, const lp_snapshot_options *options, lp_report **out, lp_err *err);

int64_t report_clock_ms(void); /* of a clock that only goes forward */

/* The time that `text` names, as for at_timestamp, or that of the clock if it is NULL. */
MUST_USE lp_status report_find_now(lp_table *t, const char *text, int64_t *now_ms, lp_err *err);

/* Fill report->counters, last of all. */
void report_count_work(lp_report *report, const scan_counters *done, uint64_t files_listed);

#endif
