/* scan.c - visit every live file of a snapshot: commits newest first, then the checkpoint on the pool.
 * Called by: prune.  Must not know: predicates, printing.
 * Source: PROTOCOL.md: Action Reconciliation.
 *
 * Commits are folded one after the other on the calling thread, since each decides keys for all that follow. Then the
 * set of decided keys stands still, and row groups of the checkpoint are independent work items.
 */
#include "delta/scan.h"

#include "delta/checkpoint_rows.h"
#include "delta/commit_rows.h"
#include "delta/segment.h"

enum { FILES_OPEN_AT_ONCE = 64, BATCH_CELL_BYTES = 16 << 20 };

/* One row group, or a JSON file as a whole. */
typedef struct work_item {
    const checkpoint_file *file;
    pq_file *parquet; /* NULL for JSON */
    size_t group;
} work_item;

typedef struct scan {
    snapshot *s;
    scan_job job;
    replay *fold;
    arena memory;         /* all of the scan; ends with it */
    arena commit_scratch; /* one commit */
    arena window;         /* files open at the moment, and their items */
    work_item *item;
    size_t item_count;
    scan_counters *counters;
    uint64_t statistics_parsed, files_seen, removed_keys;
    size_t worker_peak_bytes; /* of the largest worker */
    pool *workers;
} scan;

static void note_peak(scan *c, const scan_worker *w) {
    size_t bytes = scan_worker_peak_bytes(w);
    if (bytes > c->worker_peak_bytes) c->worker_peak_bytes = bytes;
}

/* Rule K5. */
bool live_file_rows(const live_file *f, int64_t *rows) {
    int64_t deleted = f->has_dv ? f->dv_cardinality : 0;
    if (!f->stats.record_count_known || deleted < 0 || deleted > f->stats.record_count) return false;
    *rows = f->stats.record_count - deleted;
    return true;
}

/* ---- commits ---- */

static lp_status scan_commits(scan *c, lp_err *err) {
    const log_segment *l = &c->s->segment->log;
    if (l->commit_count == 0) return LP_OK;
    scan_worker *w = scan_worker_new(&c->job, &c->memory);
    log_reader *lines = log_reader_new(&c->memory);
    const scan_visitor *v = c->job.visitor;
    for (size_t i = l->commit_count; i > 0; i--) {
        replay_begin_commit(c->fold);
        scan_worker_begin(w, &c->commit_scratch);
        str path = segment_path(&c->commit_scratch, l->commit[i - 1].name);
        TRY(commit_rows_scan(w, lines, path, &c->commit_scratch, c->fold, err));
        if (v->merge) TRY(v->merge(v->context, w->visitor_state, err));
        arena_reset(&c->commit_scratch);
    }
    c->statistics_parsed += w->statistics_parsed;
    c->files_seen += w->files_seen;
    note_peak(c, w);
    return LP_OK;
}

/* ---- the checkpoint ---- */

/* What a slot of the pool keeps from item to item. */
typedef struct slot_state {
    scan_worker *worker;
    log_reader *lines;
    uint64_t statistics_before, files_before, removed_before;
} slot_state;

static slot_state *state_of(scan *c, pool_slot *slot) {
    if (slot->state) return slot->state;
    slot_state *state = ARENA_NEW(&slot->keep, slot_state);
    state->worker = scan_worker_new(&c->job, &slot->keep);
    return slot->state = state;
}

static lp_status scan_json_file(slot_state *state, pool_slot *slot, str path, lp_err *err) {
    if (!state->lines) state->lines = log_reader_new(&slot->keep);
    return commit_rows_scan(state->worker, state->lines, path, &slot->scratch, NULL, err);
}

static lp_status work_on_item(void *context, size_t index, pool_slot *slot, lp_err *err) {
    scan *c = context;
    const work_item *item = &c->item[index];
    slot_state *state = state_of(c, slot);
    scan_worker *w = state->worker;
    state->statistics_before = w->statistics_parsed;
    state->files_before = w->files_seen;
    state->removed_before = w->removed_keys;
    scan_worker_begin(w, &slot->scratch);
    slot->result = w->visitor_state;
    if (!item->parquet) return scan_json_file(state, slot, item->file->path, err);
    return checkpoint_rows_scan(w, item->parquet, item->group, item->file->path, &slot->keep, err);
}

static lp_status merge_item(void *context, size_t index, pool_slot *slot, lp_err *err) {
    (void)index;
    scan *c = context;
    const slot_state *state = slot->state;
    c->statistics_parsed += state->worker->statistics_parsed - state->statistics_before;
    c->files_seen += state->worker->files_seen - state->files_before;
    c->removed_keys += state->worker->removed_keys - state->removed_before;
    note_peak(c, state->worker);
    const scan_visitor *v = c->job.visitor;
    return v->merge ? v->merge(v->context, slot->result, err) : LP_OK;
}

static size_t group_count(const checkpoint_file *f, const pq_file *parquet) {
    return f->is_json ? 1 : pq_row_group_count(parquet);
}

/* Open files from `first` on and make their row groups items. At least one file, even where it has no row group. */
static lp_status open_window(scan *c, size_t first, size_t *opened, lp_err *err) {
    const checkpoint *p = &c->s->segment->checkpoint;
    pq_file *parquet[FILES_OPEN_AT_ONCE] = {0};
    size_t count = 0, items = 0;
    for (; count < FILES_OPEN_AT_ONCE && first + count < p->file_count; count++) {
        const checkpoint_file *f = &p->file[first + count];
        if (!f->is_json) TRY(checkpoint_file_open(&c->window, c->s->files, f, &parquet[count], err));
        items += group_count(f, parquet[count]);
    }
    c->item = ARENA_ARRAY(&c->window, work_item, items);
    c->item_count = 0;
    for (size_t i = 0; i < count; i++) {
        const checkpoint_file *f = &p->file[first + i];
        for (size_t group = 0; group < group_count(f, parquet[i]); group++)
            c->item[c->item_count++] = (work_item){f, parquet[i], group};
    }
    *opened = count;
    return LP_OK;
}

/* Over the open files, each once, though several items share it. */
static pq_counters sum_counters(const scan *c) {
    pq_counters sum = {0};
    const pq_file *last = NULL;
    for (size_t i = 0; i < c->item_count; i++) {
        if (!c->item[i].parquet || c->item[i].parquet == last) continue;
        last = c->item[i].parquet;
        pq_counters one = pq_read_counters(last);
        sum.pages_decoded += one.pages_decoded;
        sum.values_decoded += one.values_decoded;
    }
    return sum;
}

static lp_status scan_checkpoint(scan *c, lp_err *err) {
    const struct segment *s = c->s->segment;
    if (!s->has_checkpoint) return LP_OK;
    for (size_t first = 0, opened; first < s->checkpoint.file_count; first += opened) {
        TRY(open_window(c, first, &opened, err));
        pq_counters before = sum_counters(c); /* files that stay open count on */
        TRY(pool_run(c->workers, c->item_count, work_on_item, merge_item, c, err));
        pq_counters after = sum_counters(c);
        c->counters->pages_decoded += after.pages_decoded - before.pages_decoded;
        c->counters->values_decoded += after.values_decoded - before.values_decoded;
        arena_reset(&c->window);
    }
    return LP_OK;
}

/* ---- the whole ---- */

static void end_scan(void *resource) {
    scan *c = resource;
    arena_end(&c->window);
    arena_end(&c->commit_scratch);
    arena_end(&c->memory);
}

/* Cells of statistics are the largest part of a batch: 2,000 columns take half a megabyte a file. */
static size_t batch_files(size_t stats_count) {
    size_t fit = stats_count ? BATCH_CELL_BYTES / (stats_count * sizeof(column_stats)) : SCAN_BATCH_FILES;
    return fit < 1 ? 1 : fit < SCAN_BATCH_FILES ? fit : SCAN_BATCH_FILES;
}

static void prepare_job(scan *c, const scan_request *request, const scan_visitor *visitor) {
    str *physical = ARENA_ARRAY(&c->memory, str, request->partition_count);
    for (size_t i = 0; i < request->partition_count; i++)
        physical[i] = request->partition[i]->physical; /* rules J2, T77 */
    c->fold = replay_new(&c->memory);
    c->job = (scan_job){.files = c->s->files,
                        .request = request,
                        .visitor = visitor,
                        .decided = c->fold,
                        .want_stats = request->stats_count > 0 || request->want_record_count,
                        .batch_files = batch_files(request->stats_count),
                        .plan = stats_plan_new(&c->memory, request->stats, request->stats_count),
                        .partition_physical = physical,
                        .action = action_want_new(&c->memory, physical, request->partition_count)};
}

static void sum_up(scan *c) {
    c->counters->statistics_parsed += c->statistics_parsed;
    c->counters->files_seen += c->files_seen;
    if (c->job.request->want_removed) c->counters->removed_keys += c->removed_keys + replay_removed_count(c->fold);
    c->counters->arena_peak_bytes += c->memory.peak_bytes + c->commit_scratch.peak_bytes + c->window.peak_bytes +
                                     pool_arena_peak_bytes(c->workers) +
                                     c->worker_peak_bytes * pool_thread_count(c->workers);
}

lp_status snapshot_scan(snapshot *s, const scan_request *request, pool *workers, const scan_visitor *visitor,
                        scan_counters *counters, lp_err *err) {
    scan *c = ARENA_NEW(s->segment->table, scan);
    *c = (scan){.s = s, .counters = counters, .workers = workers};
    arena_init(&c->memory, 0);
    arena_init(&c->commit_scratch, 0);
    arena_init(&c->window, 0);
    arena_defer(s->segment->table, end_scan)->resource = c;
    prepare_job(c, request, visitor);
    pool_forget(workers); /* a scan that left through the door may have left its cursors there */
    TRY(scan_commits(c, err));
    TRY(scan_checkpoint(c, err));
    sum_up(c);
    pool_forget(workers);
    end_scan(c);
    return LP_OK;
}
