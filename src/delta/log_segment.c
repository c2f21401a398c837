/* log_segment.c - choose checkpoint and commits of a version.
 * Called by: delta/snapshot.c.  Must not know: the content of any file.
 */
#include "delta/log_segment.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/buf.h"

/* Steps to a target, found backwards: for each version from which it can be reached, the longest one. */
typedef struct log_cover {
    bool is_made;
    int64_t target;
    const log_entry **step; /* descending by version */
    size_t count;
} log_cover;

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

log_plan log_plan_new(arena *owner, log_list *list) {
    size_t count = list->checkpoint_count;
    log_plan p = {.owner = owner,
                  .list = list,
                  .checkpoint = ARENA_ARRAY(owner, log_checkpoint, count),
                  .incomplete = ARENA_ARRAY(owner, log_checkpoint, count),
                  .cover = ARENA_NEW(owner, log_cover)};
    log_entry *file = ARENA_ARRAY(owner, log_entry, count);
    for (size_t i = 0; i < count; i++) file[i] = list->checkpoint[i];
    qsort(file, count, sizeof *file, by_version_and_parts);
    for (size_t at = 0; at < count;) {
        size_t n = group_length(file, count, at);
        log_checkpoint c = {file[at].is.version, file[at].is.kind, file[at].is.is_json, &file[at], n, false};
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
        if (p->checkpoint[i].version <= version && !p->checkpoint[i].is_bad) return &p->checkpoint[i];
    return NULL;
}

/* ---- from a checkpoint to the target ---- */

static int64_t last_version(const log_entry *e) {
    return e->is.kind == LOG_COMPACTION ? e->is.last_version : e->is.version;
}

/* The step that begins with a version, NULL where the target cannot be reached from it. */
static const log_entry *step_from(const log_cover *c, int64_t version) {
    size_t low = 0, high = c->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c->step[middle]->is.version > version)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->count && c->step[low]->is.version == version ? c->step[low] : NULL;
}

/* Take an entry that stands before all that were considered, or begins with them and is shorter. */
static void consider(log_cover *c, const log_entry *e) {
    int64_t last = last_version(e);
    if (e->is_bad || last > c->target) return;
    const log_entry *newest = c->count ? c->step[c->count - 1] : NULL;
    if (newest && newest->is.version == e->is.version) return;
    bool continues = last == c->target || (newest && newest->is.version == last + 1) || step_from(c, last + 1);
    if (continues) c->step[c->count++] = e;
}

static const log_cover *cover_of(const log_plan *p, int64_t target) {
    log_cover *c = p->cover;
    const log_list *l = p->list;
    if (c->is_made && c->target == target) return c;
    if (!c->step) c->step = ARENA_ARRAY(p->owner, const log_entry *, l->commit_count + l->compaction_count);
    c->is_made = true;
    c->target = target;
    c->count = 0;
    size_t commit = l->commit_count, compaction = l->compaction_count;
    while (commit > 0 || compaction > 0) { /* of equal versions the compactions first, as they are longer */
        bool take_commit = compaction == 0 || (commit > 0 && l->commit[commit - 1].is.version >
                                                                 l->compaction[compaction - 1].is.version);
        consider(c, take_commit ? &l->commit[--commit] : &l->compaction[--compaction]);
    }
    return c;
}

/* The first version that no step of longest-first leads over. */
static int64_t first_gap(const log_plan *p, int64_t from, int64_t target) {
    const log_list *l = p->list;
    size_t at = 0;
    for (int64_t version = from;;) {
        int64_t last = log_list_commit(l, version) ? version : -1;
        while (at < l->compaction_count && l->compaction[at].is.version < version) at++;
        for (size_t i = at; i < l->compaction_count && l->compaction[i].is.version == version; i++)
            if (!l->compaction[i].is_bad && l->compaction[i].is.last_version <= target)
                last = l->compaction[i].is.last_version;
        if (last < 0 || last == target) return version;
        version = last + 1;
    }
}

static lp_status name_gap(int64_t target, const log_checkpoint *checkpoint, int64_t missing, lp_err *err) {
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

lp_status log_segment_new(const log_plan *p, int64_t target, const log_checkpoint *checkpoint, log_segment *out,
                          lp_err *err) {
    *out = (log_segment){.version = target, .checkpoint = checkpoint};
    if (checkpoint && checkpoint->version >= target) return LP_OK;
    int64_t from = checkpoint ? checkpoint->version + 1 : 0;
    const log_cover *c = cover_of(p, target);
    const log_entry *step = step_from(c, from);
    if (!step) return name_gap(target, checkpoint, first_gap(p, from, target), err);
    size_t count = 1;
    for (const log_entry *e = step; last_version(e) < target; count++) e = step_from(c, last_version(e) + 1);
    log_entry *commit = ARENA_ARRAY(p->owner, log_entry, count);
    for (size_t i = 0; i < count; i++) {
        commit[i] = *step;
        if (i + 1 < count) step = step_from(c, last_version(step) + 1);
    }
    out->commit = commit;
    out->commit_count = count;
    return LP_OK;
}

void log_plan_pass_over(log_plan *p, const log_entry *commit) {
    bool is_compaction = commit->is.kind == LOG_COMPACTION;
    log_entry *list = is_compaction ? p->list->compaction : p->list->commit;
    size_t count = is_compaction ? p->list->compaction_count : p->list->commit_count;
    for (size_t i = 0; i < count; i++)
        if (str_eq(list[i].name, commit->name)) list[i].is_bad = true;
    p->cover->is_made = false;
}

void log_plan_pass_over_checkpoint(log_plan *p, const log_checkpoint *c) {
    for (size_t i = 0; i < p->checkpoint_count; i++)
        if (p->checkpoint[i].file == c->file) p->checkpoint[i].is_bad = true;
}

/* ---- versions that can be rebuilt ---- */

static bool is_in_ranges(const version_range *range, size_t count, int64_t version) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (range[middle].last < version)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && range[low].first <= version;
}

/* A file that makes a version: a checkpoint by itself, a commit or compaction upon the version before it. */
typedef struct range_event {
    int64_t version, before;
    bool needs_before;
} range_event;

static int by_event_version(const void *left, const void *right) {
    const range_event *a = left, *b = right;
    return (a->version > b->version) - (a->version < b->version);
}

static void push_event(range_event *event, size_t *count, const log_entry *e) {
    if (e->is_bad) return;
    event[(*count)++] = (range_event){last_version(e), e->is.version - 1, e->is.version > 0};
}

static range_event *list_events(const log_plan *p, arena *out_arena, size_t *count) {
    const log_list *l = p->list;
    size_t most = l->commit_count + l->compaction_count + p->checkpoint_count;
    range_event *event = ARENA_ARRAY(out_arena, range_event, most);
    *count = 0;
    for (size_t i = 0; i < l->commit_count; i++) push_event(event, count, &l->commit[i]);
    for (size_t i = 0; i < l->compaction_count; i++) push_event(event, count, &l->compaction[i]);
    for (size_t i = 0; i < p->checkpoint_count; i++)
        if (!p->checkpoint[i].is_bad) event[(*count)++] = (range_event){p->checkpoint[i].version, -1, false};
    if (*count) qsort(event, *count, sizeof *event, by_event_version);
    return event;
}

/* In ascending order all that an event stands upon is decided before it. */
version_range *log_plan_ranges(const log_plan *p, arena *out_arena, size_t *count) {
    size_t event_count, ranges = 0;
    const range_event *event = list_events(p, out_arena, &event_count);
    /* A range begins with a checkpoint, with version 0, or with the end of a compaction. */
    size_t most = p->checkpoint_count + p->list->compaction_count + 1;
    version_range *range = ARENA_ARRAY(out_arena, version_range, most);
    for (size_t i = 0; i < event_count; i++) {
        version_range *open = ranges ? &range[ranges - 1] : NULL;
        if (open && open->last == event[i].version) continue;
        if (event[i].needs_before && !is_in_ranges(range, ranges, event[i].before)) continue;
        if (open && open->last + 1 == event[i].version) /* last < version, so the sum cannot overflow */
            open->last = event[i].version;
        else
            range[ranges++] = (version_range){event[i].version, event[i].version};
    }
    *count = ranges;
    return range;
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

/* ---- the version ---- */

int64_t log_plan_latest(const log_plan *p) {
    int64_t latest = p->checkpoint_count ? p->checkpoint[0].version : -1;
    const log_list *l = p->list;
    if (l->commit_count && l->commit[l->commit_count - 1].is.version > latest)
        latest = l->commit[l->commit_count - 1].is.version;
    for (size_t i = 0; i < l->compaction_count; i++)
        if (!l->compaction[i].is_bad && l->compaction[i].is.last_version > latest)
            latest = l->compaction[i].is.last_version;
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

lp_status log_plan_name_ranges(const log_plan *p, lp_status code, lp_err *err) {
    str said = str_copy(p->owner, str_from(err->text));
    str ranges = log_plan_ranges_text(p, p->owner);
    return err_set(err, code, STR_FMT "; versions that can be read: " STR_FMT, STR_ARG(said), STR_ARG(ranges));
}

lp_status log_plan_target(const log_plan *p, bool has_version, int64_t version, int64_t *target, lp_err *err) {
    int64_t latest = log_plan_latest(p);
    if (latest < 0) return nothing_there(p, err);
    *target = has_version ? version : latest;
    lp_err local;
    if (!err) err = &local;
    if (*target < 0 || *target > latest) {
        err_set(err, LP_ERR_NOT_FOUND, "version %" PRId64 " does not exist (the latest is %" PRId64 ")", version,
                latest);
        return log_plan_name_ranges(p, LP_ERR_NOT_FOUND, err);
    }
    size_t count;
    const version_range *range = log_plan_ranges(p, p->owner, &count);
    if (is_in_ranges(range, count, *target)) return LP_OK;
    lp_status status = log_segment_new(p, *target, newest_checkpoint(p, *target), &(log_segment){0}, err);
    bool exists = !has_version || log_list_commit(p->list, version) != NULL;
    return log_plan_name_ranges(p, exists ? status : LP_ERR_NOT_FOUND, err);
}

str log_checkpoint_missing_part(const log_checkpoint *c, arena *out_arena) {
    if (c->kind != LOG_CHECKPOINT_PART) return str_format(out_arena, STR_FMT " is empty", STR_ARG(c->file->name));
    uint32_t expected = 1;
    for (size_t i = 0; i < c->file_count && c->file[i].is.part == expected; i++, expected++)
        if (c->file[i].size_bytes == 0) return str_format(out_arena, STR_FMT " is empty", STR_ARG(c->file[i].name));
    return str_format(out_arena, "%020" PRId64 ".checkpoint.%010u.%010u.parquet is missing", c->version, expected,
                      c->file->is.parts);
}
