/* commit_rows.c - lines to live files.
 * Called by: delta/scan.c.  Must not know: Parquet, predicates.
 *
 * Texts of a batch are borrowed from the block of lines under way, so a batch is delivered before the next block is
 * read. Statistics stay as they stand in the line until a file is known to want them.
 */
#include "delta/commit_rows.h"

typedef struct commit_scan {
    scan_worker *w;
    log_reader *lines;
    str path;
    replay *decide;
    bool is_reconciled;
    json_token stats[SCAN_BATCH_FILES]; /* parallel to the batch; kind JSON_NULL for a file without */
} commit_scan;

static lp_status load_stats(void *context, scan_worker *w, lp_err *err) {
    (void)err;
    commit_scan *c = context;
    for (size_t i = 0; i < w->count; i++) {
        live_file *f = &w->file[i];
        if (!scan_wants_stats(w->job, f)) continue;
        f->stats_loaded = true;
        if (c->stats[i].kind != JSON_STRING) continue;
        str text = json_unescape(&w->batch, c->stats[i]);
        stats_from_json(w->job->plan, w->json, text, f->has_dv, &w->batch, &f->stats);
        w->done.statistics_parsed++;
    }
    return LP_OK;
}

static bool take_add(commit_scan *c, const file_action *a) {
    if (!replay_take_add(c->decide, a->key)) return false;
    key_doubts_take_add(c->w->job->doubts, a->key, &c->w->batch, &c->w->done.doubts);
    return true;
}

static bool is_live_row(commit_scan *c, const file_action *a) {
    const scan_job *job = c->w->job;
    if (replay_holds(job->decided, a->key)) return false;
    if (replay_key_count(job->decided) > 0)
        key_doubts_of_row(job->doubts, a->key, &c->w->batch, &c->w->done.doubts);
    return true;
}

static bool is_live(commit_scan *c, const file_action *a) {
    c->w->done.files_seen++;
    return c->decide ? take_add(c, a) : is_live_row(c, a);
}

static void take_remove(commit_scan *c, file_key key) {
    const scan_job *job = c->w->job;
    if (!c->decide) {
        c->w->done.removed_keys += !replay_holds(job->decided, key);
        return;
    }
    replay_take_remove(c->decide, key);
    key_doubts_take_remove(job->doubts, key, &c->w->batch);
}

static void add_file(commit_scan *c, const file_action *a, line_place at) {
    scan_worker *w = c->w;
    c->stats[w->count] = a->has_stats ? a->stats : (json_token){.kind = JSON_NULL};
    live_file *f = scan_worker_add(w);
    f->path = a->key.path;
    f->dv_id = a->key.dv_id;
    f->dv_stem_len = a->dv_stem_len;
    f->has_dv = a->has_dv;
    f->dv_cardinality = a->dv_cardinality;
    f->size_bytes = a->size_bytes;
    f->modification_time_known = a->modification_time_known;
    f->modification_time_ms = a->modification_time_ms;
    f->base_row_id_known = a->base_row_id_known;
    f->base_row_id = a->base_row_id;
    if (w->job->request->want_source) f->source = (file_source){.path = at.path, .number = at.line};
    if (w->partitions) scan_worker_set_partition(w, f, a->partition);
}

static lp_status take_line(commit_scan *c, str line, lp_err *err) {
    line_place at = {c->path, log_reader_line_number(c->lines)};
    action a;
    TRY(action_parse(c->w->json, line, c->w->job->action, at, &c->w->batch, &a, err));
    if (a.kind == ACTION_REMOVE) take_remove(c, a.file.key);
    if (a.kind == ACTION_ADD && is_live(c, &a.file)) add_file(c, &a.file, at);
    if (!c->is_reconciled || !replay_named_twice(c->decide)) return LP_OK;
    return err_set(err, LP_ERR_FORMAT,
                   STR_FMT ":%zu: expected each file once in a compaction, found " STR_FMT " for the second time",
                   STR_ARG(at.path), at.line, STR_ARG(a.file.key.path));
}

lp_status commit_rows_scan(scan_worker *w, log_reader *lines, str path, arena *owner, replay *decide,
                           bool is_reconciled, lp_err *err) {
    commit_scan *c = arena_alloc_raw(owner, sizeof *c); /* of `stats` only what is set is read */
    c->w = w;
    c->lines = lines;
    c->path = path;
    c->decide = decide;
    c->is_reconciled = is_reconciled;
    TRY(log_reader_open(lines, w->job->files, owner, path, err));
    for (;;) {
        bool more;
        TRY(log_reader_fill(lines, &more, err));
        if (!more) break;
        for (str line; log_reader_next(lines, &line);) {
            TRY(take_line(c, line, err));
            if (w->count == w->job->batch_files) TRY(scan_worker_deliver(w, load_stats, c, err));
        }
        TRY(scan_worker_deliver(w, load_stats, c, err));
    }
    log_reader_close(lines);
    return LP_OK;
}
