/* segment.h - the files of the log that a version is read from: choose them, and others when some are damaged.
 * Called by: delta/snapshot.c; scan.c runs over them.  Must not know: what the actions say.
 * Source: PROTOCOL.md: Checkpoints, Log Compaction Files, Delta Log Entries (versions are contiguous).
 *
 * Damage shows when a file is opened, when its state is read, or late in a scan. Each time the file is struck off and
 * the choice is made again, so it ends: there are not more choices than files.
 */
#ifndef DELTA_SEGMENT_H
#define DELTA_SEGMENT_H

#include "delta/checkpoint.h"
#include "delta/snapshot.h"

/* A file that was tried in vain: a checkpoint, or a commit or compaction. */
typedef struct segment_failure {
    const log_checkpoint *checkpoint; /* else `step` */
    log_entry step;
    story_skip reason;
    str why;
    struct segment_failure *next; /* in the order in which they were met */
} segment_failure;

/* The files of a version. */
struct segment {
    arena *table;
    store *files;
    int64_t version;
    log_list list;
    log_plan plan;
    story_hint hint;
    segment_failure *failure, *last_failure;
    lp_err first_damage; /* code LP_OK: none was met */
    log_segment log;     /* commits and compactions after the checkpoint, ascending */
    bool has_checkpoint;
    checkpoint checkpoint;
};

/* List the log. LP_ERR_NOT_FOUND: there is none. Lives in `table`. */
MUST_USE lp_status segment_list(arena *table, store *files, struct segment *out, lp_err *err);

/* Choose the version to read, and read the hint and judge it by the listing. The whole log is listed anyway, so a bad
 * hint only ever causes a note (rules B1, B10 to B13). Errors as of log_plan_target. */
MUST_USE lp_status segment_aim(struct segment *s, bool has_version, int64_t version, lp_err *err);

/* Put the version together from files that did not fail so far: the newest checkpoint that can be read and what follows
 * it, or commits alone (rule F3: a way counts only if every commit it needs is there). Where no way is left, the error is
 * the first damage that was found, since that is what has to be repaired, with the versions that can still be read. */
MUST_USE lp_status segment_choose(struct segment *s, lp_err *err);

/* A file of the chosen ones cannot be read, as `reason` tells: it takes no part in later choices. False if that is no
 * damage of the file, so that no other choice may be tried. */
bool segment_checkpoint_failed(struct segment *s, const lp_err *reason);
bool segment_step_failed(struct segment *s, size_t index, const lp_err *reason); /* of log.commit */

/* The story of the files chosen, and its notes. */
const story *segment_tell(const struct segment *s, note_list *notes);

/* The path of a file of the log below the table's root. */
str segment_path(arena *out, str name);

#endif
