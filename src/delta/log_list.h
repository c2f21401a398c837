/* log_list.h - what the names in _delta_log say: typed entries, sorted by version.
 * Called by: delta/snapshot.c, log_segment.c.  Must not know: the content of any file.
 * Source: PROTOCOL.md: File Types (Delta Log Entries, Checkpoints, Log Compaction Files, Last Checkpoint File).
 */
#ifndef DELTA_LOG_LIST_H
#define DELTA_LOG_LIST_H

#include "store/store.h"

typedef enum log_kind {
    LOG_COMMIT,             /* <v>.json */
    LOG_CHECKPOINT_CLASSIC, /* <v>.checkpoint.parquet */
    LOG_CHECKPOINT_PART,    /* <v>.checkpoint.<o>.<p>.parquet */
    LOG_CHECKPOINT_UUID,    /* <v>.checkpoint.<uuid>.json or .parquet */
    LOG_COMPACTION,         /* <x>.<y>.compacted.json; version is x, last_version is y */
    LOG_CHECKSUM,           /* <v>.crc */
    LOG_HINT,               /* _last_checkpoint */
    LOG_OTHER               /* ignored (rule A11) */
} log_kind;

typedef struct log_name {
    log_kind kind;
    int64_t version;
    int64_t last_version; /* LOG_COMPACTION */
    uint32_t part, parts; /* LOG_CHECKPOINT_PART: part is 1..parts */
    bool is_json;         /* LOG_CHECKPOINT_UUID */
} log_name;

/* Read one name. What is no name of the log gives LOG_OTHER (rules A2..A12: exactly 20 digits, at most 2^63-1). */
log_name log_name_parse(str name);

typedef struct log_entry {
    log_name is;
    str name; /* borrowed from the listing */
    uint64_t size_bytes;
    int64_t mtime_ms; /* of the file, since 1970-01-01 UTC */
    bool is_regular;  /* false for a dangling link, a FIFO, ...: its time says nothing */
    bool is_bad; /* found to be damaged: from then on as if it were not there */
} log_entry;

typedef struct log_list {
    log_entry *commit; /* ascending by version; one a version */
    size_t commit_count;
    log_entry *checkpoint; /* files of all kinds of checkpoint, ascending by version, then by name */
    size_t checkpoint_count;
    log_entry *compaction; /* ascending by version, the longest last; an empty one is bad (rule A14) */
    size_t compaction_count;
    log_entry *checksum; /* ascending by version */
    size_t checksum_count;
    bool has_hint;
} log_list;

/* Sort a folder listing into kinds. The type of an entry is not looked at: a dangling link that is named like a commit
 * is a commit, so that it fails when it is read instead of vanishing (an older version must never pass for the latest).
 * Lives in `owner`, names stay borrowed from `listing`. */
log_list log_list_new(arena *owner, const store_entries *listing);

/* The commit of a version, NULL when the listing has none, or a bad one. */
const log_entry *log_list_commit(const log_list *l, int64_t version);

#endif
