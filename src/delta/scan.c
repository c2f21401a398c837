/* scan.c - visit every live file of a snapshot: commits newest first, then the checkpoint on the pool.
 * Called by: prune.  Must not know: predicates, printing.
 * Source: PROTOCOL.md: Action Reconciliation.
 *
 * Commits are folded one after the other on the calling thread, since each decides keys for all that follow. Then the
 * set of decided keys stands still, and runs of rows of the checkpoint are independent work items.
 */
#include "delta/scan.h"

#include <inttypes.h>

#include "delta/checkpoint_rows.h"
#include "delta/commit_rows.h"
#include "delta/segment.h"

enum { FILES_OPEN_AT_ONCE = 64, ITEM_ROWS = 1 << 17, MAX_GROUP_PARTS = 1024, BATCH_CELL_BYTES = 16 << 20 };

/* A row group or a part of it, or a JSON file as a whole. */
typedef struct work_item {
    const checkpoint_file *file;
    pq_file *parquet; /* NULL for JSON */
    row_range rows;
    bool is_damaged; /* its reading failed, by no fault of the visitor */
} work_item;

/* What made a scan fail, where it was a file of the log. */
typedef enum blame { BLAME_NO_FILE, BLAME_STEP, BLAME_CHECKPOINT } blame;

typedef struct scan {
    snapshot *s;
    scan_job job;
    replay *fold;
    arena memory;         /* all of the scan; ends with it */
    arena commit_scratch; /* one commit */
    arena window;         /* files open at the moment, and their items */
    work_item *item;
    size_t item_count, merged_count;
    blame blame;
    size_t blamed_step; /* of log.commit */
    scan_counters *counters;
    scan_work done;
    size_t repeating_commits; /* that name a file twice */
    str repeating;            /* the newest of them */
    size_t worker_peak_bytes; /* of the largest worker */
    pool *workers;
} scan;

static void note_peak(scan *c, const scan_worker *w) {
    size_t bytes = scan_worker_peak_bytes(w);
    if (bytes > c->worker_peak_bytes) c->worker_peak_bytes = bytes;
}

static void add_work(scan_work *to, const scan_work *now, const scan_work *before) {
    to->statistics_parsed += now->statistics_parsed - before->statistics_parsed;
    to->files_seen += now->files_seen - before->files_seen;
    to->removed_keys += now->removed_keys - before->removed_keys;
    to->live_files += now->live_files - before->live_files;
    to->doubts.aliases += now->doubts.aliases - before->doubts.aliases;
    to->doubts.clashes += now->doubts.clashes - before->doubts.clashes;
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
        key_doubts_begin_commit(c->job.doubts);
        scan_worker_begin(w, &c->commit_scratch);
        str path = segment_path(&c->commit_scratch, l->commit[i - 1].name);
        bool is_compaction = l->commit[i - 1].is.kind == LOG_COMPACTION;
        lp_status status = commit_rows_scan(w, lines, path, &c->commit_scratch, c->fold, is_compaction, err);
        if (status != LP_OK && !w->visitor_failed) {
            c->blame = BLAME_STEP;
            c->blamed_step = i - 1;
        }
        TRY(status);
        if (replay_named_twice(c->fold) && c->repeating_commits++ == 0)
            c->repeating = str_copy(&c->memory, l->commit[i - 1].name);
        if (v->merge) TRY(v->merge(v->context, w->visitor_state, err));
        arena_reset(&c->commit_scratch);
    }
    add_work(&c->done, &w->done, &(scan_work){0});
    note_peak(c, w);
    return LP_OK;
}

/* ---- the checkpoint ---- */

/* What a slot of the pool keeps from item to item. */
typedef struct slot_state {
    scan_worker *worker;
    log_reader *lines;
    scan_work before; /* the item under way */
} slot_state;

static slot_state *state_of(scan *c, pool_slot *slot) {
    if (slot->state) return slot->state;
    slot_state *state = ARENA_NEW(&slot->keep, slot_state);
    state->worker = scan_worker_new(&c->job, &slot->keep);
    return slot->state = state;
}

static lp_status scan_json_file(slot_state *state, pool_slot *slot, str path, lp_err *err) {
    if (!state->lines) state->lines = log_reader_new(&slot->keep);
    return commit_rows_scan(state->worker, state->lines, path, &slot->scratch, NULL, false, err);
}

static lp_status read_item(scan_worker *w, slot_state *state, const work_item *item, pool_slot *slot, lp_err *err) {
    if (!item->parquet) return scan_json_file(state, slot, item->file->path, err);
    return checkpoint_rows_scan(w, item->parquet, item->rows, item->file->path, &slot->keep, err);
}

static lp_status work_on_item(void *context, size_t index, pool_slot *slot, lp_err *err) {
    scan *c = context;
    work_item *item = &c->item[index];
    slot_state *state = state_of(c, slot);
    scan_worker *w = state->worker;
    state->before = w->done;
    scan_worker_begin(w, &slot->scratch);
    slot->result = w->visitor_state;
    lp_status status = read_item(w, state, item, slot, err);
    item->is_damaged = status != LP_OK && !w->visitor_failed;
    return status;
}

static lp_status merge_item(void *context, size_t index, pool_slot *slot, lp_err *err) {
    scan *c = context;
    c->merged_count = index + 1;
    const slot_state *state = slot->state;
    add_work(&c->done, &state->worker->done, &state->before);
    note_peak(c, state->worker);
    const scan_visitor *v = c->job.visitor;
    return v->merge ? v->merge(v->context, slot->result, err) : LP_OK;
}

/* delta-rs writes a million rows in one group: work for one thread, unless it is split. The borders depend on the file
 * alone, so the counters of the work do not depend on the number of threads. */
static uint64_t part_rows(const pq_file *parquet, size_t group) {
    uint64_t least = pq_row_group_rows(parquet, group) / MAX_GROUP_PARTS + 1; /* what a file claims is not believed */
    return least < ITEM_ROWS ? ITEM_ROWS : least;
}

static size_t part_count(const pq_file *parquet, size_t group) {
    uint64_t rows = pq_row_group_rows(parquet, group), part = part_rows(parquet, group);
    return rows <= part ? 1 : (size_t)((rows - 1) / part) + 1;
}

static size_t item_count(const checkpoint_file *f, const pq_file *parquet) {
    if (f->is_json) return 1;
    size_t count = 0;
    for (size_t group = 0; group < pq_row_group_count(parquet); group++) count += part_count(parquet, group);
    return count;
}

static void push_items(scan *c, const checkpoint_file *f, pq_file *parquet) {
    if (f->is_json) {
        c->item[c->item_count++] = (work_item){.file = f};
        return;
    }
    for (size_t group = 0; group < pq_row_group_count(parquet); group++) {
        uint64_t rows = pq_row_group_rows(parquet, group), part = part_rows(parquet, group), first = 0;
        for (size_t parts = part_count(parquet, group); parts > 0; parts--, first += part) {
            uint64_t count = parts == 1 ? rows - first : part;
            c->item[c->item_count++] = (work_item){.file = f, .parquet = parquet, .rows = {group, first, count}};
        }
    }
}

/* Open files from `first` on and make their row groups items. At least one file, even where it has no row group. */
static lp_status open_window(scan *c, size_t first, size_t *opened, lp_err *err) {
    const checkpoint *p = &c->s->segment->checkpoint;
    pq_file *parquet[FILES_OPEN_AT_ONCE] = {0};
    size_t count = 0, items = 0;
    for (; count < FILES_OPEN_AT_ONCE && first + count < p->file_count; count++) {
        const checkpoint_file *f = &p->file[first + count];
        if (!f->is_json) TRY(checkpoint_file_open(&c->window, c->s->files, f, &parquet[count], err));
        items += item_count(f, parquet[count]);
    }
    c->item = ARENA_ARRAY(&c->window, work_item, items);
    c->item_count = 0;
    for (size_t i = 0; i < count; i++) push_items(c, &p->file[first + i], parquet[i]);
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

/* What fails first in the order of the items is the failure, whatever the threads did. */
static lp_status run_items(scan *c, lp_err *err) {
    c->merged_count = 0;
    lp_status status = pool_run(c->workers, c->item_count, work_on_item, merge_item, c, err);
    if (status != LP_OK && c->merged_count < c->item_count && c->item[c->merged_count].is_damaged)
        c->blame = BLAME_CHECKPOINT;
    return status;
}

static lp_status scan_checkpoint(scan *c, lp_err *err) {
    const struct segment *s = c->s->segment;
    if (!s->has_checkpoint) return LP_OK;
    for (size_t first = 0, opened; first < s->checkpoint.file_count; first += opened) {
        c->blame = BLAME_CHECKPOINT;
        TRY(open_window(c, first, &opened, err));
        c->blame = BLAME_NO_FILE;
        pq_counters before = sum_counters(c); /* files that stay open count on */
        TRY(run_items(c, err));
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
                        .doubts = key_doubts_new(&c->memory, c->fold, c->s->root),
                        .want_stats = request->stats_count > 0 || request->want_record_count,
                        .batch_files = batch_files(request->stats_count),
                        .plan = stats_plan_new(&c->memory, request->stats, request->stats_count),
                        .partition_physical = physical,
                        .action = action_want_new(&c->memory, physical, request->partition_count)};
}

static void sum_up(scan *c) {
    c->counters->statistics_parsed += c->done.statistics_parsed;
    c->counters->files_seen += c->done.files_seen;
    if (c->job.request->want_removed) c->counters->removed_keys += c->done.removed_keys + replay_removed_count(c->fold);
    c->counters->arena_peak_bytes += c->memory.peak_bytes + c->commit_scratch.peak_bytes + c->window.peak_bytes +
                                     pool_arena_peak_bytes(c->workers) +
                                     c->worker_peak_bytes * pool_thread_count(c->workers);
}

/* Once, however often the snapshot is scanned. */
static void note_once(snapshot *s, note_code code, str message) {
    if (!note_list_has(&s->notes, code)) note_add(&s->notes, s->segment->table, code, message);
}

static void note_doubts(scan *c) {
    const scan_work *w = &c->done;
    arena *table = c->s->segment->table;
    if (c->repeating_commits)
        note_once(c->s, NOTE_COMMIT_REPEATS,
                  str_format(table, "%zu commit%s a file twice, the newest is " STR_FMT, c->repeating_commits,
                             c->repeating_commits == 1 ? " names" : "s name", STR_ARG(c->repeating)));
    if (w->doubts.aliases)
        note_once(c->s, NOTE_PATHS_AMBIGUOUS,
                  str_format(table,
                             "live files: %" PRIu64 " if paths are compared as they are written (shown here), %" PRIu64
                             " if they are decoded first",
                             w->live_files, w->live_files - w->doubts.aliases));
    if (w->doubts.clashes)
        note_once(c->s, NOTE_FILE_LIVE_TWICE,
                  str_format(table, "%" PRIu64 " of %" PRIu64 " live files stand beside another entry of the same path",
                             w->doubts.clashes, w->live_files));
}

static lp_status visit(scan *c, lp_err *err) {
    pool_forget(c->workers); /* a scan that left through the door may have left its cursors there */
    TRY(scan_commits(c, err));
    TRY(scan_checkpoint(c, err));
    sum_up(c);
    note_doubts(c);
    return LP_OK;
}

static bool strike_off(scan *c, const lp_err *reason) {
    switch (c->blame) {
    case BLAME_NO_FILE: return false;
    case BLAME_STEP: return segment_step_failed(c->s->segment, c->blamed_step, reason);
    case BLAME_CHECKPOINT: return segment_checkpoint_failed(c->s->segment, reason);
    }
    UNREACHABLE();
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
    lp_err reason;
    lp_status status = visit(c, &reason);
    pool_forget(workers);
    end_scan(c);
    if (status == LP_OK) return LP_OK;
    if (!strike_off(c, &reason)) return err_set(err, status, "%s", reason.text);
    TRY(snapshot_choose_again(s, err));
    return err_set(err, SCAN_AGAIN, "%s", reason.text);
}
