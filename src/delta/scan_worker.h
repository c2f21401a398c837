/* scan_worker.h - one thread's part of a scan: the batch under construction, and how it reaches the visitor.
 * Called by: delta/scan.c, commit_rows.c, checkpoint_rows.c.  Must not know: where files come from.
 */
#ifndef DELTA_SCAN_WORKER_H
#define DELTA_SCAN_WORKER_H

#include "delta/action.h"
#include "delta/key_doubt.h"
#include "delta/partition_cells.h"
#include "delta/scan.h"
#include "delta/stats.h"

/* The most files of a batch. */
#define SCAN_BATCH_FILES PARTITION_CELLS_MAX_BATCH

/* What all workers of one scan share. Read-only while they run. */
typedef struct scan_job {
    store *files;
    const scan_request *request;
    const scan_visitor *visitor;
    key_doubts *doubts;    /* changed by commits only */
    const replay *decided; /* keys that commits after the checkpoint have decided */
    bool want_stats;       /* statistics are asked for at all */
    size_t batch_files;    /* the most files of a batch: fewer where many columns are wanted, so that their cells fit */
    const stats_plan *plan;
    const str *partition_physical; /* parallel to request.partition */
    const action_want *action;     /* the same, for lines of commits */
} scan_job;

/* What a worker has done: sums that only grow. */
typedef struct scan_work {
    uint64_t statistics_parsed, files_seen, removed_keys;
    uint64_t live_files; /* handed to the visitor */
    doubt_counts doubts; /* among these */
} scan_work;

typedef struct scan_worker {
    const scan_job *job;
    arena batch; /* texts and values of the batch: reset when it was delivered */
    json_reader *json;
    partition_cells *partitions;
    partition_text *partition_scratch; /* one file's texts, parallel to request.partition */
    live_file *file;                   /* SCAN_BATCH_FILES */
    size_t count;
    void *visitor_state;          /* of the work item under way */
    struct checkpoint_rows *rows; /* checkpoint_rows.c: cursors that are used again */
    bool visitor_failed; /* what went wrong last is the visitor's, not the file's */
    scan_work done;
} scan_worker;

/* A worker in `keep`. */
scan_worker *scan_worker_new(const scan_job *job, arena *keep);
size_t scan_worker_peak_bytes(const scan_worker *w);

/* Before the first file of a work item. `scratch` lives until the item is merged. */
void scan_worker_begin(scan_worker *w, arena *scratch);

/* The next file of the batch, blank. The caller delivers a full batch before. */
live_file *scan_worker_add(scan_worker *w);

/* Empty the batch without handing it over. */
void scan_worker_discard(scan_worker *w);

/* Set a file's partition values from texts parallel to request.partition. */
void scan_worker_set_partition(scan_worker *w, live_file *f, const partition_text *text);

/* Whether a file's statistics are to be loaded; right after `select`. */
static inline bool scan_wants_stats(const scan_job *job, const live_file *f) {
    return f->want_stats || job->request->want_record_count;
}

/* Loads the statistics of those files of the batch that want them. */
typedef lp_status (*scan_load_stats)(void *context, scan_worker *w, lp_err *err);

/* Hand the batch to the visitor: select, load, take. It is empty afterwards. */
MUST_USE lp_status scan_worker_deliver(scan_worker *w, scan_load_stats load, void *context, lp_err *err);

#endif
