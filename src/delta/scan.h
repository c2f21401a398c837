/* scan.h - the live files of a snapshot, in batches, with no more decoded than was asked for.
 * Called by: prune, census.c.  Must not know: predicates, printing.
 * Source: PROTOCOL.md: Action Reconciliation, Per-file Statistics, Partition Value Serialization.
 *
 * Order: commits newest first, inside a commit as written; then the checkpoint in row order, parts and sidecars in the
 * order of their names or references. Batches arrive in that order at `merge`, whatever the number of threads.
 */
#ifndef DELTA_SCAN_H
#define DELTA_SCAN_H

#include "delta/snapshot.h"
#include "types/cell.h"

/* What is wanted of one leaf column's statistics. */
typedef struct stats_column {
    const column *column;
    bool want_bounds;
    bool want_null_count;
} stats_column;

typedef struct scan_request {
    bool want_path;                 /* add.path and the vector's id; also read whenever replay needs them */
    bool want_size;
    bool want_details;              /* modification time and base row id */
    bool want_source;               /* live_file.source */
    bool want_removed;              /* scan_counters.removed_keys: reads the remove rows of a checkpoint too */
    bool want_record_count;         /* numRecords, has_stats: reads the statistics of every file */
    const column *const *partition; size_t partition_count; /* whose values are wanted */
    const stats_column *stats; size_t stats_count;
    const zone *session_zone;       /* for partition values; texts without zone */
    zone_database *zones;
} scan_request;

typedef enum count_state { COUNT_ABSENT, COUNT_KNOWN } count_state;

typedef struct column_stats {
    bound min, max;
    count_state null_count_state; /* COUNT_ABSENT also when it is no JSON integer, negative, above numRecords, or made
                                     worthless by wide bounds (rule P6: then only 0 and numRecords speak) */
    int64_t null_count;
} column_stats;

typedef struct file_stats {
    bool has_stats;            /* a statistics object was there and could be read */
    bool record_count_known;
    int64_t record_count;      /* physical rows, deleted ones included */
    bool has_bounds;           /* a minValues or a maxValues object was there */
    bool tight;                /* tightBounds is true or absent, and no deletion vector (trap T45) */
    column_stats *column;      /* parallel to scan_request.stats; NULL when !has_stats */
} file_stats;

/* Where the log holds the add of a file. */
typedef struct file_source {
    str path;                  /* below the table's root; STR_NONE: not asked for */
    uint64_t number;           /* from 1: of the line, or of the row in a Parquet file */
    bool is_row;
} file_source;

typedef struct live_file {
    str path;                  /* text of add.path */
    str dv_id;                 /* unique id of the deletion vector, STR_NONE without */
    size_t dv_stem_len;        /* of dv_id without its offset: what names the vector's file */
    bool has_dv;
    int64_t dv_cardinality;    /* -1 when unknown */
    int64_t size_bytes;        /* -1 when unknown */
    /* With want_details. */
    bool modification_time_known, base_row_id_known;
    int64_t modification_time_ms; /* since 1970-01-01 UTC, by the writer's clock */
    int64_t base_row_id;
    file_source source;        /* with want_source; its text lives until the work item is merged */
    partition_cell *partition; /* parallel to scan_request.partition; shared by files with equal texts */
    uint64_t partition_id;     /* within one work item equal ids mean equal partition texts, different ids say nothing */
    bool want_stats;           /* set by `select` */
    bool stats_loaded;
    file_stats stats;
} live_file;

/* Rows that no vector marks as deleted. False where that is not known, or where the log contradicts itself. */
bool live_file_rows(const live_file *f, int64_t *rows);

typedef struct file_batch {
    live_file *file;
    size_t count;
} file_batch;

/* The reader's side. `select` and `take` run on any thread, each slot's calls in order; `state` is the visitor's own per
 * slot, made by `begin`. `merge` runs on the calling thread, in log order, once per work item. */
typedef struct scan_visitor {
    void *context;
    /* Called before the first batch of a work item: a fresh state in `scratch` (it lives until the item is merged). */
    void *(*begin)(void *context, arena *scratch);
    /* Partition values are in place: set want_stats of the files whose statistics are needed. */
    void (*select)(void *context, void *state, file_batch *batch);
    /* Statistics are in place where wanted (and everywhere with want_record_count). Borrowed for the call. */
    lp_status (*take)(void *context, void *state, const file_batch *batch, lp_err *err);
    lp_status (*merge)(void *context, void *state, lp_err *err);
} scan_visitor;

typedef struct scan_counters {
    uint64_t pages_decoded, values_decoded, statistics_parsed, files_seen;
    size_t arena_peak_bytes;
    uint64_t removed_keys; /* with want_removed: files that the log still names as removed */
} scan_counters;

/* No failure, and no answer either: the scan has met damage in a file of the log, and the version was put together again
 * without it. The snapshot is as new (its schema, notes and story are others), so all that was made from it is thrown
 * away, and the question is asked again. It ends, because each time one file less is left. Internal: whoever asks the
 * question (report_run in api) asks again, so no user of the library sees it. */
#define SCAN_AGAIN ((lp_status)64)

/* Visit every live file once. A damaged statistics text costs that file its statistics, nothing else. SCAN_AGAIN as told
 * above; where nothing is left to put the version together from, the error names the damage that was found first. */
MUST_USE lp_status snapshot_scan(snapshot *s, const scan_request *request, pool *workers, const scan_visitor *visitor,
                                 scan_counters *counters, lp_err *err);

#endif
