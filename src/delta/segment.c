/* segment.c - choose the files that a version is read from, and tell why these.
 * Called by: delta/snapshot.c, scan.c.  Must not know: what the actions say.
 */
#include "delta/segment.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "delta/hint.h"

str segment_path(arena *out, str name) {
    return str_format(out, "_delta_log/" STR_FMT, STR_ARG(name));
}

lp_status segment_list(arena *table, store *files, struct segment *out, lp_err *err) {
    *out = (struct segment){.table = table, .files = files};
    store_entries listing;
    lp_err reason;
    lp_status status = store_list(files, STR("_delta_log"), table, &listing, &reason);
    if (status == LP_ERR_NOT_FOUND)
        return err_set(err, status, "not a Delta table: no _delta_log in " STR_FMT, STR_ARG(store_root(files)));
    if (status != LP_OK) return err_set(err, status, "%s", reason.text);
    out->list = log_list_new(table, &listing);
    out->plan = log_plan_new(table, &out->list);
    out->failure = ARENA_ARRAY(table, segment_failure, out->plan.checkpoint_count);
    return LP_OK;
}

/* ---- the hint ---- */

static bool has_checkpoint_at(const log_plan *p, int64_t version) {
    for (size_t i = 0; i < p->checkpoint_count; i++)
        if (p->checkpoint[i].version == version) return true;
    return false;
}

void segment_read_hint(struct segment *s, int64_t version, note_list *notes) {
    story_hint *hint = &s->hint;
    *hint = hint_read(s->table, s->files);
    if (hint->state == HINT_GOOD && hint->version > version) {
        hint->state = HINT_IGNORED;
        hint->why = str_format(s->table,
                               "_last_checkpoint names version %" PRId64 ", which is newer than version %" PRId64,
                               hint->version, version);
    } else if (hint->state == HINT_GOOD && !has_checkpoint_at(&s->plan, hint->version)) {
        hint->state = HINT_IGNORED;
        hint->why = str_format(
            s->table, "_last_checkpoint names a checkpoint of version %" PRId64 " that is not there or not complete",
            hint->version);
    }
    if (hint->state == HINT_IGNORED) note_add(notes, s->table, NOTE_HINT_IGNORED, hint->why);
}

/* ---- choosing ---- */

/* Complete in the listing, and still it cannot be read: another way to the version may be tried after these. */
static bool is_damage(lp_status status) {
    return status == LP_ERR_FORMAT || status == LP_ERR_NOT_FOUND || status == LP_ERR_IO || status == LP_ERR_UNSUPPORTED;
}

static void note_incomplete(const struct segment *s, note_list *notes) {
    int64_t used_version = s->has_checkpoint ? s->checkpoint.version : -1;
    for (size_t i = 0; i < s->plan.incomplete_count; i++) {
        const log_checkpoint *c = &s->plan.incomplete[i];
        if (c->version > s->log.version || c->version <= used_version) continue;
        str why = log_checkpoint_missing_part(c, s->table);
        note_add(notes, s->table, NOTE_CHECKPOINT_SKIPPED,
                 str_format(s->table, "the checkpoint of version %" PRId64 " is incomplete: " STR_FMT, c->version,
                            STR_ARG(why)));
    }
}

static void fail(struct segment *s, const log_checkpoint *c, story_skip reason, const char *why, note_list *notes) {
    str text = str_copy(s->table, str_from(why));
    s->failure[s->failure_count++] = (segment_failure){c, reason, text};
    note_add(notes, s->table, NOTE_CHECKPOINT_SKIPPED,
             str_format(s->table, "the checkpoint of version %" PRId64 " cannot be read: %s", c->version, why));
}

static lp_status choose(struct segment *s, int64_t version, note_list *notes, lp_err *err) {
    lp_err first = {0};
    for (size_t i = 0; i < s->plan.checkpoint_count; i++) {
        const log_checkpoint *candidate = &s->plan.checkpoint[i];
        if (candidate->version > version) continue;
        lp_err reason;
        lp_status status = log_segment_new(&s->plan, version, candidate, &s->log, &reason);
        if (status == LP_OK)
            status = checkpoint_open(s->table, s->files, candidate, &s->checkpoint, &reason);
        else if (first.code != LP_OK)
            break; /* nothing older has the missing commit either */
        if (status == LP_OK) {
            s->has_checkpoint = true;
            return LP_OK;
        }
        if (first.code == LP_OK) first = reason;
        if (s->checkpoint.is_broken || !is_damage(status)) return err_set(err, status, "%s", reason.text);
        fail(s, candidate, SKIP_DAMAGED, reason.text, notes);
    }
    lp_err reason;
    lp_status status = log_segment_new(&s->plan, version, NULL, &s->log, &reason);
    if (status == LP_OK) return LP_OK;
    return first.code != LP_OK ? err_set(err, first.code, "%s", first.text) : err_set(err, status, "%s", reason.text);
}

lp_status segment_choose(struct segment *s, int64_t version, note_list *notes, lp_err *err) {
    TRY(choose(s, version, notes, err));
    note_incomplete(s, notes);
    return LP_OK;
}

/* ---- the story ---- */

static int newest_first(const void *left, const void *right) {
    const story_skipped *a = left, *b = right;
    if (a->version != b->version) return a->version > b->version ? -1 : 1;
    return str_compare(a->file, b->file);
}

static void tell_skipped(const struct segment *s, story *out) {
    int64_t used_version = s->has_checkpoint ? s->checkpoint.version : -1;
    out->skipped = ARENA_ARRAY(s->table, story_skipped, s->failure_count + s->plan.incomplete_count);
    for (size_t i = 0; i < s->failure_count; i++) {
        const log_checkpoint *c = s->failure[i].checkpoint;
        out->skipped[out->skipped_count++] = (story_skipped){c->version, c->kind, c->is_json, c->file->name,
                                                             s->failure[i].reason, s->failure[i].why};
    }
    for (size_t i = 0; i < s->plan.incomplete_count; i++) {
        const log_checkpoint *c = &s->plan.incomplete[i];
        if (c->version > s->log.version || c->version <= used_version) continue;
        str why = log_checkpoint_missing_part(c, s->table);
        story_skip reason = str_ends_with(why, STR("is empty")) ? SKIP_EMPTY : SKIP_INCOMPLETE;
        out->skipped[out->skipped_count++] =
            (story_skipped){c->version, c->kind, c->is_json, c->file->name, reason, why};
    }
    qsort(out->skipped, out->skipped_count, sizeof *out->skipped, newest_first);
}

static size_t count_others(const log_plan *p, const log_checkpoint *used) {
    size_t count = 0;
    for (size_t i = 0; i < p->checkpoint_count; i++)
        count += p->checkpoint[i].version == used->version && &p->checkpoint[i] != used;
    return count;
}

static str last_part(str path) {
    const char *slash = path.len ? memrchr(path.ptr, '/', path.len) : NULL;
    return slash ? str_slice(path, (size_t)(slash - path.ptr) + 1, path.len) : path;
}

static void tell_checkpoint(const struct segment *s, story *out) {
    const log_checkpoint *used = s->log.checkpoint;
    story_checkpoint *to = &out->checkpoint;
    *to = (story_checkpoint){.version = used->version,
                             .kind = used->kind,
                             .is_json = used->is_json,
                             .file = ARENA_ARRAY(s->table, str, used->file_count),
                             .file_count = used->file_count,
                             .sidecar = ARENA_ARRAY(s->table, str, s->checkpoint.file_count),
                             .choice = out->skipped_count ? CHOICE_NEWEST_READABLE : CHOICE_NEWEST,
                             .is_named_by_hint = s->hint.state == HINT_GOOD && s->hint.version == used->version,
                             .other_count = count_others(&s->plan, used)};
    for (size_t i = 0; i < used->file_count; i++) to->file[i] = used->file[i].name;
    for (size_t i = used->file_count; i < s->checkpoint.file_count; i++)
        to->sidecar[to->sidecar_count++] = last_part(s->checkpoint.file[i].path);
}

static void tell_commits(const struct segment *s, story *out) {
    const log_segment *l = &s->log;
    out->commit_count = l->commit_count;
    out->first_commit = l->commit_count ? l->commit[0].is.version : -1;
    out->last_commit = l->commit_count ? l->commit[l->commit_count - 1].is.version : -1;
    int64_t base = s->has_checkpoint ? s->checkpoint.version : -1;
    out->versions_behind_checkpoint = base < 0 && l->version == INT64_MAX ? INT64_MAX : l->version - base;
}

const story *segment_tell(const struct segment *s) {
    story *out = ARENA_NEW(s->table, story);
    out->hint = s->hint;
    out->has_checkpoint = s->has_checkpoint;
    tell_skipped(s, out);
    if (s->has_checkpoint) tell_checkpoint(s, out);
    tell_commits(s, out);
    out->range = log_plan_ranges(&s->plan, s->table, &out->range_count);
    return out;
}
