/* snapshot.h - one version of a table: its protocol, metadata and how its files are found.
 * Called by: api, prune.  Must not know: predicates, printing.
 * Source: PROTOCOL.md: Delta Log Entries, Checkpoints, Action Reconciliation, Table Features.
 */
#ifndef DELTA_SNAPSHOT_H
#define DELTA_SNAPSHOT_H

#include "base/map.h"
#include "base/pool.h"
#include "claim/note.h"
#include "delta/commit_info.h"
#include "delta/schema.h"
#include "delta/story.h"
#include "delta/time_point.h"
#include "store/store.h"

typedef struct snapshot_options {
    bool has_version;
    int64_t version; /* else the latest that can be rebuilt */
} snapshot_options;

typedef struct property {
    str key, value;
} property;

/* PROTOCOL.md: Domain Metadata. */
typedef struct table_domain {
    str name, configuration;
} table_domain;

/* The latest version that an application has written (PROTOCOL.md: Transaction Identifiers). */
typedef struct table_transaction {
    str app_id;
    int64_t version;
    bool has_last_updated;
    int64_t last_updated_ms;
} table_transaction;

/* PROTOCOL.md: Row Tracking. */
typedef struct row_tracking {
    bool is_supported; /* by the protocol */
    bool is_enabled;   /* delta.enableRowTracking: every row has an id */
    bool has_high_water_mark;
    int64_t high_water_mark; /* the largest row id given out */
} row_tracking;

typedef struct protocol {
    int64_t min_reader_version, min_writer_version;
    str *reader_feature; size_t reader_feature_count;
    str *writer_feature; size_t writer_feature_count;
    bool has_reader_features; /* the list is there; it may be empty (rule I3) */
} protocol;

typedef struct snapshot {
    store *files;
    str root;
    int64_t version;
    protocol protocol;
    str table_id, table_name, description; /* STR_NONE when absent */
    bool has_created_time;
    int64_t created_time_ms;         /* of the table */
    table_domain *domain; size_t domain_count;                /* sorted by name, without those removed */
    table_transaction *transaction; size_t transaction_count; /* sorted by appId */
    row_tracking row_tracking;
    schema schema;
    str schema_string;               /* as in metaData, STR_NONE when absent */
    str *partition_column; size_t partition_column_count; /* logical names, as in metaData */
    property *configuration; size_t configuration_count;  /* sorted by key */
    bool deletion_vectors_enabled;   /* delta.enableDeletionVectors */
    bool in_commit_timestamps;       /* property, or writer feature inCommitTimestamp */
    /* delta.clustering domain: columns as dotted logical names; NULL when not clustered. An unreadable payload: count 0. */
    bool is_clustered; str *clustering_column; size_t clustering_column_count;
    bool clustering_in_commits;      /* the domain stands in a commit after the checkpoint, where delta-explain finds it too */
    bool writer_known;               /* a commit at or before this version says who wrote it (commitInfo) */
    str *unrecognized_writer_feature; size_t unrecognized_writer_feature_count;
    note_list notes;                 /* CHECKPOINT_SKIPPED, EMPTY_COMMIT, ... */
    const story *story;              /* how it was put together; print it after a scan, see SCAN_AGAIN */
    struct segment *segment;         /* which log files make this version; delta's own */
} snapshot;

/* Resolve a version. Lives in `table`. Errors name the file and what is missing; LP_ERR_UNSUPPORTED names the feature.
 * Clustering and other domains are read from commits after the checkpoint and from the checkpoint itself. */
MUST_USE lp_status snapshot_open(arena *table, store *files, snapshot_options options, pool *workers, snapshot **out,
                                 lp_err *err);

/* Put the same version together again from other files, after some were struck off (segment.h): all in the snapshot is
 * new but its address. Called by: delta/scan.c. Errors as of snapshot_open. */
MUST_USE lp_status snapshot_choose_again(snapshot *s, lp_err *err);

/* What the commit of the version says of itself, where it is there and tells (rule H10: no other commit's words count).
 * Reads that commit. Texts are in `out_arena`. */
bool snapshot_commit_info(const snapshot *s, arena *out_arena, commit_info *out);

/* List the log without opening a version: `out` is a log_view (history.h). LP_ERR_NOT_FOUND: there is no log, or nothing in
 * it that can be rebuilt. Lives in `table`. */
struct log_view;
MUST_USE lp_status snapshot_open_log(arena *table, store *files, struct log_view *out, lp_err *err);

/* The version to open for a point in time: see time_travel_find for what it is and which errors there are. Reads protocol
 * and metadata of the newest version that can be rebuilt, which tell by which clock the commits of all versions are read
 * (rule M16); a protocol that we cannot read is no matter here, for only the wanted version is read (rule I9). All memory
 * is of `scratch`. */
MUST_USE lp_status snapshot_find_version(arena *scratch, store *files, time_point at, int64_t *version, lp_err *err);

/* A property of metaData.configuration; STR_NONE when absent. */
str snapshot_property(const snapshot *s, str key);

#endif
