/* scan_worker.c - fill a batch, hand it over.
 * Called by: delta/scan.c, commit_rows.c, checkpoint_rows.c.  Must not know: where files come from.
 */
#include "delta/scan_worker.h"

#include "delta/checkpoint_rows.h"

static void end_worker(void *resource) {
    scan_worker *w = resource;
    arena_end(&w->batch);
}

scan_worker *scan_worker_new(const scan_job *job, arena *keep) {
    scan_worker *w = ARENA_NEW(keep, scan_worker);
    const scan_request *r = job->request;
    w->job = job;
    w->json = json_reader_new(keep);
    w->file = ARENA_ARRAY(keep, live_file, SCAN_BATCH_FILES);
    if (r->partition_count) {
        w->partitions = partition_cells_new(keep, r->partition, r->partition_count, r->session_zone);
        w->partition_scratch = ARENA_ARRAY(keep, partition_text, r->partition_count);
    }
    arena_init(&w->batch, 0);
    arena_defer(keep, end_worker)->resource = w;
    return w;
}

size_t scan_worker_peak_bytes(const scan_worker *w) {
    size_t bytes = w->batch.peak_bytes;
    if (w->partitions) bytes += partition_cells_peak_bytes(w->partitions);
    return w->rows ? bytes + checkpoint_rows_peak_bytes(w->rows) : bytes;
}

void scan_worker_discard(scan_worker *w) {
    w->count = 0;
    if (w->batch.used_bytes) arena_reset(&w->batch);
    if (w->partitions) partition_cells_trim(w->partitions);
}

void scan_worker_begin(scan_worker *w, arena *scratch) {
    scan_worker_discard(w); /* of an item that failed, something may be left */
    const scan_visitor *v = w->job->visitor;
    w->visitor_failed = false;
    w->visitor_state = v->begin ? v->begin(v->context, scratch) : NULL;
}

live_file *scan_worker_add(scan_worker *w) {
    live_file *f = &w->file[w->count++];
    *f = (live_file){.dv_cardinality = -1, .size_bytes = -1};
    return f;
}

void scan_worker_set_partition(scan_worker *w, live_file *f, const partition_text *text) {
    f->partition = partition_cells_find(w->partitions, text, &f->partition_id);
}

lp_status scan_worker_deliver(scan_worker *w, scan_load_stats load, void *context, lp_err *err) {
    if (w->count > 0) {
        const scan_visitor *v = w->job->visitor;
        file_batch b = {w->file, w->count};
        w->done.live_files += w->count;
        if (v->select) v->select(v->context, w->visitor_state, &b);
        if (w->job->want_stats) TRY(load(context, w, err));
        lp_status status = v->take(v->context, w->visitor_state, &b, err);
        w->visitor_failed = status != LP_OK;
        TRY(status);
    }
    scan_worker_discard(w);
    return LP_OK;
}
