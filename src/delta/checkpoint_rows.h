/* checkpoint_rows.h - the live files of a run of rows of a checkpoint or sidecar.
 * Called by: delta/scan.c.  Must not know: commits, predicates.
 */
#ifndef DELTA_CHECKPOINT_ROWS_H
#define DELTA_CHECKPOINT_ROWS_H

#include "delta/scan_worker.h"
#include "parquet/parquet.h"

/* Rows first .. first + count - 1 of a row group. */
typedef struct row_range {
    size_t group;
    uint64_t first, count;
} row_range;

/* Deliver the live files of these rows in row order. Cursors are kept in the worker, in `keep`. Errors name the file. */
MUST_USE lp_status checkpoint_rows_scan(scan_worker *w, pq_file *f, row_range rows, str path, arena *keep, lp_err *err);

/* The largest number of bytes that its cursors held. */
size_t checkpoint_rows_peak_bytes(const struct checkpoint_rows *r);

#endif
