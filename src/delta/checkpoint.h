/* checkpoint.h - one checkpoint: its files, and what it says besides live files.
 * Called by: delta/snapshot.c; scan.c runs over its files.  Must not know: commits, statistics.
 * Source: PROTOCOL.md: Checkpoints, V2 Spec, Sidecar Files, Checkpoint Schema.
 */
#ifndef DELTA_CHECKPOINT_H
#define DELTA_CHECKPOINT_H

#include "delta/log_segment.h"
#include "delta/log_state.h"
#include "parquet/parquet.h"

typedef struct checkpoint_file {
    str path;         /* below the table's root */
    bool is_json;     /* newline-delimited actions (rule C13) */
    pq_file *parquet; /* open, where few files make the checkpoint; else NULL, see checkpoint_file_open */
    store_file *opened; /* below `parquet` */
} checkpoint_file;

typedef struct checkpoint {
    int64_t version;
    checkpoint_file *file; /* the top-level file or parts in order, then sidecars in the order of their references */
    size_t file_count;
    log_state state; /* protocol, metadata, domains */
    bool is_broken;  /* it reads well and lacks protocol or metadata (rule C20): no other way may be tried */
} checkpoint;

/* Read a checkpoint but for its file actions. Every file's footer is read, so that a missing or cut file (rule C16) is
 * found now. Lives in `table`. Errors name the file; *out is set, and is_broken told, also with LP_ERR_FORMAT. */
MUST_USE lp_status checkpoint_open(arena *table, store *files, const log_checkpoint *from, checkpoint *out,
                                   lp_err *err);

/* Close its files; for one that is not used after all. */
void checkpoint_close(checkpoint *c);

/* The Parquet file, opened in `owner` unless it is open already. Not thread-safe. */
MUST_USE lp_status checkpoint_file_open(arena *owner, store *files, const checkpoint_file *f, pq_file **out,
                                        lp_err *err);

#endif
