/* commit_rows.h - the live files of a commit, and of a checkpoint's JSON file.
 * Called by: delta/scan.c.  Must not know: Parquet, predicates.
 */
#ifndef DELTA_COMMIT_ROWS_H
#define DELTA_COMMIT_ROWS_H

#include "delta/log_reader.h"
#include "delta/scan_worker.h"

/* Read a file of actions and deliver its live files in the order of the text. `decide` is the fold that takes every key
 * (a commit or a compaction: newest first, replay_begin_commit was called), or NULL for a checkpoint's file, whose adds
 * are live unless job.decided holds them. With `is_reconciled` (a compaction) a key that stands twice is damage: which
 * of the two is newer cannot be told. */
MUST_USE lp_status commit_rows_scan(scan_worker *w, log_reader *lines, str path, arena *owner, replay *decide,
                                    bool is_reconciled, lp_err *err);

#endif
