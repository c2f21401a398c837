/* story.h - how a version was put together: which files of the log were used, which were passed over, and why.
 * Called by: delta/snapshot.c fills it; report prints it.  Must not know: how it is printed.
 * Source: PROTOCOL.md: Checkpoints, Last Checkpoint File, Log Compaction Files, Action Reconciliation.
 *
 * Plain data in the table's arena. A scan that meets damage in a checkpoint or a compaction puts the version together
 * from other files and tells a new story, so a story is printed after the scan (scan.h, SCAN_AGAIN).
 * Names of files are those in _delta_log, of sidecars those in _delta_log/_sidecars.
 */
#ifndef DELTA_STORY_H
#define DELTA_STORY_H

#include "delta/log_list.h"

typedef enum story_hint_state {
    HINT_ABSENT, /* there is no _last_checkpoint */
    HINT_GOOD,   /* it names a complete checkpoint that is not newer than the version */
    HINT_IGNORED /* it is damaged, or says what is no use; `why` tells */
} story_hint_state;

typedef enum story_checksum { CHECKSUM_ABSENT, CHECKSUM_VERIFIED, CHECKSUM_WRONG } story_checksum;

typedef struct story_hint {
    story_hint_state state;
    str why; /* HINT_IGNORED: one line; else STR_NONE */
    bool has_version;
    int64_t version;
    story_checksum checksum; /* of the hint itself (PROTOCOL.md: JSON checksum) */
    str file;                /* the top-level file that it names, which has a UUID in its name; STR_NONE */
    int64_t file_bytes;      /* and how large it is; -1 when it does not say */
} story_hint;

typedef enum story_choice {
    CHOICE_NEWEST,         /* the newest complete checkpoint that is not newer than the version */
    CHOICE_NEWEST_READABLE /* newer ones, or others of its version, could not be used: see `skipped` */
} story_choice;

typedef struct story_checkpoint {
    int64_t version;
    log_kind kind; /* LOG_CHECKPOINT_CLASSIC, LOG_CHECKPOINT_PART, LOG_CHECKPOINT_UUID */
    bool is_json;  /* LOG_CHECKPOINT_UUID: its top-level file is JSON */
    str *file;     /* the top-level file, or all parts in order */
    size_t file_count;
    str *sidecar; /* in the order of their references */
    size_t sidecar_count;
    story_choice choice;
    bool is_named_by_hint; /* a good hint names its version */
    size_t other_count;    /* of further complete checkpoints of the same version, which say the same */
} story_checkpoint;

typedef enum story_skip {
    SKIP_INCOMPLETE, /* a part is missing */
    SKIP_EMPTY,      /* a file of it is empty */
    SKIP_DAMAGED,    /* it is complete in the listing and cannot be read */
    SKIP_GAP         /* a commit behind it is missing; only from an older one on a compaction bridges the gap */
} story_skip;

/* A checkpoint that would have been used. */
typedef struct story_skipped {
    int64_t version;
    log_kind kind;
    bool is_json;
    str file; /* its first file */
    story_skip reason;
    str why; /* one line, with the file that is at fault */
} story_skipped;

/* A log compaction file: it stands for the commits first..last. */
typedef struct story_compaction {
    int64_t first, last;
    str file;
    str why; /* of one that was passed over: one line; else STR_NONE */
} story_compaction;

/* All versions of first..last. */
typedef struct version_range {
    int64_t first, last;
} version_range;

typedef struct story {
    story_hint hint;
    bool has_checkpoint; /* else the version was put together from commits alone */
    story_checkpoint checkpoint;
    story_skipped *skipped; /* newest first */
    size_t skipped_count;
    /* Commit files that were replayed, those that a compaction stands for left out. */
    size_t commit_count;
    int64_t first_commit, last_commit; /* versions; -1 when commit_count is 0 */
    story_compaction *compaction;      /* used, ascending */
    size_t compaction_count;
    story_compaction *skipped_compaction; /* damaged or empty ones */
    size_t skipped_compaction_count;
    int64_t versions_behind_checkpoint; /* how many versions were made after the checkpoint; version + 1 without one */
    version_range *range;               /* versions that the listing says can be rebuilt, ascending */
    size_t range_count;
} story;

#endif
