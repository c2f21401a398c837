/* log_segment.h - which files of the log make a version: a checkpoint, and the commits or compactions after it.
 * Called by: delta/snapshot.c.  Must not know: the content of any file. A pure function of the listing.
 * Source: PROTOCOL.md: Checkpoints, Multi-part checkpoint, Log Compaction Files, Delta Log Entries (versions are
 * contiguous).
 *
 * A compaction stands for all commits of its range, so it is taken instead of them, also where some of them are gone
 * (docs/semantics.md, Snapshot): it holds what they did to the table, and nothing else is asked of them.
 */
#ifndef DELTA_LOG_SEGMENT_H
#define DELTA_LOG_SEGMENT_H

#include "delta/story.h"

/* A complete checkpoint: one file, or all parts of one multi-part checkpoint in order. */
typedef struct log_checkpoint {
    int64_t version;
    log_kind kind;
    bool is_json;          /* the file is a UUID-named JSON */
    const log_entry *file; /* the first; the others follow in the listing */
    size_t file_count;
    bool is_bad; /* found to be damaged: from then on as if it were not there */
} log_checkpoint;

/* What a listing holds. Lives in `owner`. */
typedef struct log_plan {
    arena *owner;
    log_list *list;
    log_checkpoint *checkpoint; /* complete ones, best first: newest version, then UUID, classic, multi-part */
    size_t checkpoint_count;
    log_checkpoint *incomplete; /* some part is missing or empty, newest first: never used (rules A14, C5, C6) */
    size_t incomplete_count;
    struct log_cover *cover; /* from which versions on the target can be reached; made when it is needed */
} log_plan;

log_plan log_plan_new(arena *owner, log_list *list);

/* The largest version for which there is a commit, a compaction or a complete checkpoint, whether it can be rebuilt or
 * not; -1 if there is none. */
int64_t log_plan_latest(const log_plan *p);

/* The version to read. Without `has_version` the largest for which there is a commit, a compaction or a complete
 * checkpoint (rule F2). LP_ERR_NOT_FOUND: no commit and no complete checkpoint, or no such version (the message names those that can be
 * read). LP_ERR_FORMAT: the version is there but a file below it is missing; the message names the first one. */
MUST_USE lp_status log_plan_target(const log_plan *p, bool has_version, int64_t version, int64_t *target, lp_err *err);

/* How one version is put together. */
typedef struct log_segment {
    int64_t version;
    const log_checkpoint *checkpoint; /* NULL: from commit 0 on */
    const log_entry *commit; /* commits and compactions, ascending: together checkpoint + 1 .. version, or 0 .. version */
    size_t commit_count;
} log_segment;

/* Put `target` together from `checkpoint` (one of the plan, not newer than target; NULL for commits alone), in as few
 * files as longest-first finds: from each version on the longest compaction behind which the target can still be
 * reached, else the commit (rules D3, D4). LP_ERR_FORMAT when a commit is missing, by name (rule F3). */
MUST_USE lp_status log_segment_new(const log_plan *p, int64_t target, const log_checkpoint *checkpoint,
                                   log_segment *out, lp_err *err);

/* As if the file were not there: for what was found to be damaged. The entry may be a copy. */
void log_plan_pass_over(log_plan *p, const log_entry *commit);
void log_plan_pass_over_checkpoint(log_plan *p, const log_checkpoint *c);

/* The versions that can be rebuilt (rules F4, F5), ascending. */
version_range *log_plan_ranges(const log_plan *p, arena *out_arena, size_t *count);

/* The same for people: "0 to 6, 10 to 13", or "none". */
str log_plan_ranges_text(const log_plan *p, arena *out_arena);

/* Add them to what `err` says, under the status `code`, which is returned. */
lp_status log_plan_name_ranges(const log_plan *p, lp_status code, lp_err *err);

/* The number of the first part that is missing or empty, with its file name. */
str log_checkpoint_missing_part(const log_checkpoint *c, arena *out_arena);

#endif
