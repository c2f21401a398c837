/* log_segment.c - choose checkpoint and commits of a version.
 * Called by: delta/snapshot.c.  Must not know: the content of any file.
 */
#include "delta/log_segment.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/buf.h"

#define COMMIT_NAME "%020" PRId64 ".json"

/* PROTOCOL.md: Checkpoints allows any of several complete ones. A UUID name is unique to its writer; a multi-part one
 * may mix the parts of two writers unnoticed (rule C36), so it comes last. */
static int kind_rank(log_kind k) {
    return k == LOG_CHECKPOINT_UUID ? 0 : k == LOG_CHECKPOINT_CLASSIC ? 1 : 2;
}

static int best_first(const void *left, const void *right) {
    const log_checkpoint *a = left, *b = right;
    if (a->version != b->version) return a->version > b->version ? -1 : 1;
    if (a->kind != b->kind) return kind_rank(a->kind) - kind_rank(b->kind);
    return str_compare(b->file->name, a->file->name);
}

/* The files from `at` on that belong to one checkpoint: all parts of one version and one number of parts, else one.
 * Names sort parts of different totals into each other (0001.0002, 0001.0003, 0002.0002), so parts are gathered before.
 */
static size_t group_length(const log_entry *file, size_t count, size_t at) {
    size_t n = 1;
    while (file[at].is.kind == LOG_CHECKPOINT_PART && at + n < count && file[at + n].is.kind == LOG_CHECKPOINT_PART &&
           file[at + n].is.version == file[at].is.version && file[at + n].is.parts == file[at].is.parts)
        n++;
    return n;
}

/* Rule C6: exactly the parts 1..p; rule A14: an empty checkpoint file is none. */
static bool is_complete(const log_checkpoint *c) {
    if (c->kind == LOG_CHECKPOINT_PART && c->file_count != c->file->is.parts) return false;
    for (size_t i = 0; i < c->file_count; i++) {
        if (c->file[i].size_bytes == 0) return false;
        if (c->kind == LOG_CHECKPOINT_PART && c->file[i].is.part != i + 1) return false;
    }
    return true;
}

static int by_version_and_parts(const void *left, const void *right) {
    const log_name *a = &((const log_entry *)left)->is, *b = &((const log_entry *)right)->is;
    if (a->version != b->version) return a->version < b->version ? -1 : 1;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->parts != b->parts) return a->parts < b->parts ? -1 : 1;
    if (a->part != b->part) return a->part < b->part ? -1 : 1;
    return str_compare(((const log_entry *)left)->name, ((const log_entry *)right)->name);
}

log_plan log_plan_new(arena *owner, const log_list *list) {
    size_t count = list->checkpoint_count;
    log_plan p = {.owner = owner,
                  .list = list,
                  .checkpoint = ARENA_ARRAY(owner, log_checkpoint, count),
                  .incomplete = ARENA_ARRAY(owner, log_checkpoint, count)};
    log_entry *file = ARENA_ARRAY(owner, log_entry, count);
    for (size_t i = 0; i < count; i++) file[i] = list->checkpoint[i];
    qsort(file, count, sizeof *file, by_version_and_parts);
    for (size_t at = 0; at < count;) {
        size_t n = group_length(file, count, at);
        log_checkpoint c = {file[at].is.version, file[at].is.kind, file[at].is.is_json, &file[at], n};
        if (is_complete(&c))
            p.checkpoint[p.checkpoint_count++] = c;
        else
            p.incomplete[p.incomplete_count++] = c;
        at += n;
    }
    qsort(p.checkpoint, p.checkpoint_count, sizeof *p.checkpoint, best_first);
    qsort(p.incomplete, p.incomplete_count, sizeof *p.incomplete, best_first);
    return p;
}

/* The newest complete checkpoint not newer than `version` (rule C4). */
static const log_checkpoint *newest_checkpoint(const log_plan *p, int64_t version) {
    for (size_t i = 0; i < p->checkpoint_count; i++)
        if (p->checkpoint[i].version <= version) return &p->checkpoint[i];
    return NULL;
}

/* Is every commit of from..to there? Else *missing is the first that is not. The listing has one entry a version in
 * ascending order, so the run is complete if it starts at `from` and goes up by one. */
static bool has_commits(const log_list *l, int64_t from, int64_t to, const log_entry **first, int64_t *missing) {
    *first = log_list_commit(l, from);
    const log_entry *end = l->commit + l->commit_count, *at = *first;
    int64_t version = from;
    for (; at && at < end && at->is.version == version; at++, version++)
        if (version == to) return true;
    *missing = version;
    return false;
}

lp_status log_segment_new(const log_plan *p, int64_t target, const log_checkpoint *checkpoint, log_segment *out,
                          lp_err *err) {
    *out = (log_segment){.version = target, .checkpoint = checkpoint};
    if (checkpoint && checkpoint->version >= target) return LP_OK;
    int64_t from = checkpoint ? checkpoint->version + 1 : 0, missing;
    if (has_commits(p->list, from, target, &out->commit, &missing)) {
        out->commit_count = (size_t)(target - from) + 1;
        return LP_OK;
    }
    if (checkpoint)
        return err_set(err, LP_ERR_FORMAT,
                       "version %" PRId64 " cannot be rebuilt: after the checkpoint of version %" PRId64
                       ", expected _delta_log/" COMMIT_NAME ", found no such file",
                       target, checkpoint->version, missing);
    return err_set(err, LP_ERR_FORMAT,
                   "version %" PRId64
                   " cannot be rebuilt: there is no complete checkpoint for it, and _delta_log/" COMMIT_NAME
                   " is missing",
                   target, missing);
}

static int64_t latest_version(const log_plan *p) {
    int64_t latest = p->checkpoint_count ? p->checkpoint[0].version : -1;
    const log_list *l = p->list;
    if (l->commit_count && l->commit[l->commit_count - 1].is.version > latest)
        latest = l->commit[l->commit_count - 1].is.version;
    return latest;
}

static lp_status nothing_there(const log_plan *p, lp_err *err) {
    if (p->incomplete_count == 0)
        return err_set(err, LP_ERR_NOT_FOUND,
                       "not a Delta table: _delta_log holds neither a commit nor a complete checkpoint");
    return err_set(err, LP_ERR_FORMAT,
                   "_delta_log holds no commit, and its newest checkpoint (version %" PRId64 ") is incomplete",
                   p->incomplete[0].version);
}

/* Says which versions can be read, behind what is said already. */
static lp_status name_ranges(const log_plan *p, lp_status code, lp_err *err) {
    str said = str_copy(p->owner, str_from(err->text));
    str ranges = log_plan_ranges_text(p, p->owner);
    return err_set(err, code, STR_FMT "; versions that can be read: " STR_FMT, STR_ARG(said), STR_ARG(ranges));
}

lp_status log_plan_target(const log_plan *p, bool has_version, int64_t version, int64_t *target, lp_err *err) {
    int64_t latest = latest_version(p);
    if (latest < 0) return nothing_there(p, err);
    *target = has_version ? version : latest;
    lp_err local;
    if (!err) err = &local;
    if (*target < 0 || *target > latest) {
        err_set(err, LP_ERR_NOT_FOUND, "version %" PRId64 " does not exist (the latest is %" PRId64 ")", version,
                latest);
        return name_ranges(p, LP_ERR_NOT_FOUND, err);
    }
    log_segment unused;
    lp_status status = log_segment_new(p, *target, newest_checkpoint(p, *target), &unused, err);
    if (status == LP_OK) return LP_OK;
    bool exists = !has_version || log_list_commit(p->list, version) != NULL;
    return name_ranges(p, exists ? status : LP_ERR_NOT_FOUND, err);
}

/* Versions that can be rebuilt, as runs: v can be if a complete checkpoint has it, or if its commit is there and v - 1
 * can be (v = 0 needs only its commit). */
typedef struct range_walk {
    version_range *range;
    size_t count;
} range_walk;

static void walk_version(range_walk *w, int64_t version, bool is_checkpoint) {
    version_range *open = w->count ? &w->range[w->count - 1] : NULL;
    if (open && open->last >= version) return; /* a second checkpoint, or the commit of a checkpoint */
    if (open && open->last + 1 == version)     /* last < version, so the sum cannot overflow */
        open->last = version;
    else if (is_checkpoint || version == 0)
        w->range[w->count++] = (version_range){version, version};
}

version_range *log_plan_ranges(const log_plan *p, arena *out_arena, size_t *count) {
    const log_list *l = p->list;
    range_walk w = {ARENA_ARRAY(out_arena, version_range, p->checkpoint_count + 1), 0};
    size_t commit = 0, checkpoint = p->checkpoint_count; /* checkpoints stand newest first: walk them from the end */
    while (commit < l->commit_count || checkpoint > 0) {
        bool take_checkpoint = checkpoint > 0 && (commit == l->commit_count || p->checkpoint[checkpoint - 1].version <=
                                                                                   l->commit[commit].is.version);
        int64_t version = take_checkpoint ? p->checkpoint[--checkpoint].version : l->commit[commit++].is.version;
        walk_version(&w, version, take_checkpoint);
    }
    *count = w.count;
    return w.range;
}

enum { MAX_RANGES_NAMED = 4 };

str log_plan_ranges_text(const log_plan *p, arena *out_arena) {
    size_t count;
    const version_range *range = log_plan_ranges(p, out_arena, &count);
    if (count == 0) return STR("none");
    buf text;
    buf_init(&text, out_arena, 4096);
    for (size_t i = 0; i < count && i < MAX_RANGES_NAMED; i++) {
        buf_printf(&text, "%s%" PRId64, i ? ", " : "", range[i].first);
        if (range[i].last > range[i].first) buf_printf(&text, " to %" PRId64, range[i].last);
    }
    if (count > MAX_RANGES_NAMED) buf_printf(&text, ", and %zu more ranges", count - MAX_RANGES_NAMED);
    return buf_str(&text);
}

str log_checkpoint_missing_part(const log_checkpoint *c, arena *out_arena) {
    if (c->kind != LOG_CHECKPOINT_PART) return str_format(out_arena, STR_FMT " is empty", STR_ARG(c->file->name));
    uint32_t expected = 1;
    for (size_t i = 0; i < c->file_count && c->file[i].is.part == expected; i++, expected++)
        if (c->file[i].size_bytes == 0) return str_format(out_arena, STR_FMT " is empty", STR_ARG(c->file[i].name));
    return str_format(out_arena, "%020" PRId64 ".checkpoint.%010u.%010u.parquet is missing", c->version, expected,
                      c->file->is.parts);
}
