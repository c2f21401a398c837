/* segment.h - the files of the log that a version is read from: choose them, and others when some are damaged.
 * Called by: delta/snapshot.c; scan.c runs over them.  Must not know: what the actions say.
 * Source: PROTOCOL.md: Checkpoints, Delta Log Entries (versions are contiguous).
 */
#ifndef DELTA_SEGMENT_H
#define DELTA_SEGMENT_H

#include "delta/checkpoint.h"
#include "delta/snapshot.h"

/* A checkpoint that was tried in vain. */
typedef struct segment_failure {
    const log_checkpoint *checkpoint;
    story_skip reason;
    str why;
} segment_failure;

/* The files of a version. */
struct segment {
    arena *table;
    store *files;
    log_list list;
    log_plan plan;
    story_hint hint;
    segment_failure *failure; /* in the order in which they were met */
    size_t failure_count;
    log_segment log; /* commits after the checkpoint, ascending */
    bool has_checkpoint;
    checkpoint checkpoint;
};

/* List the log. LP_ERR_NOT_FOUND: there is none. Lives in `table`. */
MUST_USE lp_status segment_list(arena *table, store *files, struct segment *out, lp_err *err);

/* Read the hint and judge it by the listing. The whole log is listed anyway, so a bad one only ever causes a note (rules
 * B1, B10 to B13). */
void segment_read_hint(struct segment *s, int64_t version, note_list *notes);

/* Put `version` together: the newest checkpoint that can be read and the commits after it, or commits alone (rule F3: a
 * way counts only if every commit it needs is there). What was passed over is noted. Where no way is left, the error is
 * the first damage that was found: what it names is what has to be repaired. */
MUST_USE lp_status segment_choose(struct segment *s, int64_t version, note_list *notes, lp_err *err);

/* The story of the files chosen. */
const story *segment_tell(const struct segment *s);

/* The path of a file of the log below the table's root. */
str segment_path(arena *out, str name);

#endif
