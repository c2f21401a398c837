/* time_travel.h - when the versions of a table were made, and which one was the latest at a point in time.
 * Called by: delta/snapshot.c, history.c, checksum.c, api.  Must not know: what versions hold.
 * Source: PROTOCOL.md: In-Commit Timestamps, Recommendations for Readers of Tables with In-Commit Timestamps, Metadata
 * Cleanup. What the protocol leaves open is done as Spark does it, and said at time_travel_find.
 */
#ifndef DELTA_TIME_TRAVEL_H
#define DELTA_TIME_TRAVEL_H

#include "delta/commit_info.h"
#include "delta/log_segment.h"
#include "delta/log_state.h"
#include "delta/time_point.h"

/* Which time a commit has: that of its file, or the one inside. */
typedef struct commit_clock {
    bool is_in_commit;          /* of versions from first_in_commit on; else of none (rule M10) */
    int64_t first_in_commit;    /* 0 when all versions have one (rule M12) */
    bool has_enablement;        /* it was turned on in a table that had versions already */
    int64_t enablement_time_ms; /* versions before first_in_commit are of before this time */
} commit_clock;

/* Read it from protocol and metadata of the newest version (rule M16). LP_ERR_FORMAT: only one of the two enablement
 * properties is there, one is no whole number, or the table is managed by a catalog and has no in-commit timestamps
 * (rule L7). */
MUST_USE lp_status commit_clock_init(commit_clock *c, const log_state *newest, lp_err *err);

/* Has this version its time in its commit? */
bool commit_clock_is_in_commit(const commit_clock *c, int64_t version);

/* The times of the commit files, parallel to list->commit, made strictly increasing: one that is not later than the
 * commit before it is a millisecond later (rules M3 to M5; at the end of int64 they stay equal). */
int64_t *commit_file_times(const log_list *list, arena *out_arena);

/* The in-commit timestamp of a commit that has to have one, from what commit_info_find gave: LP_ERR_FORMAT without (rule M14). */
MUST_USE lp_status commit_info_time(bool found, const commit_info *info, str path, int64_t *ms, lp_err *err);

/* The newest version whose commit is not later than `at` (rules M2, M9). LP_ERR_NOT_FOUND, naming times:
 *  - it is before the first commit (rule M7), or the version of that time can no longer be rebuilt (rule M6;
 *    LP_ERR_FORMAT where its commit is there);
 *  - it is after the last commit: what the table holds then is not known yet (rule M8: an error, as in Spark);
 *  - the commit of the next version is missing, so that the version of that time is not known.
 * Times inside of commits need not increase (rule M15): the newest version not later than `at` counts, so they are read from
 * the newest commit on, no more of each than its start. LP_ERR_FORMAT for a commit without one. */
MUST_USE lp_status time_travel_find(const log_plan *plan, const commit_clock *clock, store *files, time_point at,
                                    arena *scratch, int64_t *version, lp_err *err);

#endif
