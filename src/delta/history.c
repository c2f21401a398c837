/* history.c - one pass over the versions of a log, newest first.
 * Called by: api.  Must not know: what versions hold, how anything is printed.
 */
#include "delta/history.h"

#include <inttypes.h>

#include "delta/segment.h"

/* ---- what there is ---- */

/* A version follows from the one before it and its commit, so what stops a run of versions is always the commit behind
 * it. */
static void add_gap(history_summary *s, history_gap *gap, int64_t first, int64_t last, arena *memory) {
    if (first > last) return;
    gap[s->gap_count++] = (history_gap){first, last, str_format(memory, "_delta_log/%020" PRId64 ".json", first)};
}

static void find_gaps(const log_plan *p, int64_t newest, arena *memory, history_summary *out) {
    size_t count;
    const version_range *range = log_plan_ranges(p, memory, &count);
    history_gap *gap = ARENA_ARRAY(memory, history_gap, count + 1);
    int64_t last = newest; /* of the gap that may lie above the range */
    for (size_t i = count; i > 0; i--) {
        if (range[i - 1].first > newest) continue;
        int64_t top = range[i - 1].last < newest ? range[i - 1].last : newest;
        add_gap(out, gap, top + 1, last, memory);
        out->version_count += (uint64_t)(top - range[i - 1].first) + 1;
        last = range[i - 1].first - 1;
    }
    add_gap(out, gap, 0, last, memory);
    out->gap = gap;
}

lp_status history_summarize(const log_view *log, const history_options *options, arena *memory, history_summary *out,
                            lp_err *err) {
    *out = (history_summary){0};
    int64_t newest = log_plan_latest(log->plan);
    if (newest < 0 || (options->has_last && options->last > newest)) {
        int64_t unused;
        return log_plan_target(log->plan, options->has_last, options->last, &unused, err);
    }
    find_gaps(log->plan, options->has_last ? options->last : newest, memory, out);
    bool is_cut = options->has_limit && options->limit < out->version_count;
    out->listed_count = is_cut ? options->limit : out->version_count;
    return LP_OK;
}

/* ---- one version ---- */

typedef struct walk {
    const log_view *log;
    store *files;
    const history_visitor *visitor;
    const int64_t *file_time;
    commit_info_reader *reader;
    arena *each;                           /* memory of one version */
    size_t commit;                         /* commits from here on are newer than the version under way */
    size_t next_complete, next_incomplete; /* checkpoints before these are newer */
    lp_err *err;
} walk;

static void add_checkpoints(const log_checkpoint *from, size_t count, size_t *at, int64_t version, bool is_complete,
                            history_checkpoint *to, size_t *to_count) {
    for (; *at < count && from[*at].version >= version; ++*at) {
        const log_checkpoint *c = &from[*at];
        if (c->version > version) continue;
        to[(*to_count)++] = (history_checkpoint){c->kind, c->is_json, is_complete, c->file->name, c->file_count};
    }
}

static size_t count_at(const log_checkpoint *c, size_t count, size_t at, int64_t version) {
    size_t found = 0;
    for (; at < count && c[at].version >= version; at++) found += c[at].version == version;
    return found;
}

static void take_checkpoints(walk *w, history_version *v) {
    const log_plan *p = w->log->plan;
    size_t count = count_at(p->checkpoint, p->checkpoint_count, w->next_complete, v->version) +
                   count_at(p->incomplete, p->incomplete_count, w->next_incomplete, v->version);
    history_checkpoint *to = ARENA_ARRAY(w->each, history_checkpoint, count);
    add_checkpoints(p->checkpoint, p->checkpoint_count, &w->next_complete, v->version, true, to, &v->checkpoint_count);
    add_checkpoints(p->incomplete, p->incomplete_count, &w->next_incomplete, v->version, false, to,
                    &v->checkpoint_count);
    v->checkpoint = to;
}

/* The place of the version's commit in the listing + 1; 0 without one. */
static size_t find_commit(walk *w, int64_t version) {
    const log_entry *commit = w->log->list->commit;
    while (w->commit > 0 && commit[w->commit - 1].is.version > version) w->commit--;
    return w->commit > 0 && commit[w->commit - 1].is.version == version ? w->commit : 0;
}

static void read_commit(walk *w, size_t at, history_version *v) {
    const log_entry *commit = &w->log->list->commit[at];
    bool is_in_commit = commit_clock_is_in_commit(&w->log->clock, v->version);
    str path = segment_path(w->each, commit->name);
    lp_err reason;
    lp_status status = commit_info_find(w->reader, w->files, path, w->each, &v->has_commit_info, &v->info, &reason);
    if (status == LP_OK && is_in_commit)
        status = commit_info_time(v->has_commit_info, &v->info, path, &v->time_ms, &reason);
    if (status != LP_OK) v->problem = str_copy(w->each, str_from(reason.text));
    if (is_in_commit) {
        v->time_source = status == LP_OK ? TIME_IN_COMMIT : TIME_UNKNOWN;
    } else if (commit->is_regular) {
        v->time_source = TIME_OF_FILE;
        v->time_ms = w->file_time[at];
    }
}

static lp_status visit_version(walk *w, int64_t version) {
    arena_reset(w->each);
    history_version v = {.version = version};
    take_checkpoints(w, &v);
    size_t at = find_commit(w, version);
    if (at)
        read_commit(w, at - 1, &v);
    else
        v.problem = str_format(
            w->each, "_delta_log/%020" PRId64 ".json is gone; a checkpoint or compaction holds the version", version);
    return w->visitor->version(w->visitor->context, &v, w->err);
}

/* ---- all versions ---- */

static walk begin_walk(const log_view *log, store *files, const history_visitor *visitor, arena *memory, lp_err *err) {
    walk w = {.log = log,
              .files = files,
              .visitor = visitor,
              .file_time = commit_file_times(log->list, memory),
              .reader = commit_info_reader_new(memory),
              .each = arena_child(memory),
              .commit = log->list->commit_count,
              .err = err};
    return w;
}

/* Gaps and runs of versions alternate, so the next gap below tells where a run ends. */
lp_status history_walk(const log_view *log, store *files, const history_options *options,
                       const history_visitor *visitor, arena *memory, lp_err *err) {
    history_summary all;
    TRY(history_summarize(log, options, memory, &all, err));
    walk w = begin_walk(log, files, visitor, memory, err);
    int64_t version = options->has_last ? options->last : log_plan_latest(log->plan);
    uint64_t left = all.listed_count;
    for (size_t gap = 0; version >= 0 && (left > 0 || all.version_count == all.listed_count);) {
        if (gap < all.gap_count && all.gap[gap].last >= version) {
            TRY(visitor->gap(visitor->context, &all.gap[gap], err));
            version = all.gap[gap++].first - 1;
            continue;
        }
        TRY(visit_version(&w, version--));
        left--;
    }
    return LP_OK;
}
