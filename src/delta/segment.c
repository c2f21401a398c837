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
    return LP_OK;
}

/* ---- the hint ---- */

static bool has_checkpoint_at(const log_plan *p, int64_t version) {
    for (size_t i = 0; i < p->checkpoint_count; i++)
        if (p->checkpoint[i].version == version) return true;
    return false;
}

static void judge_hint(struct segment *s) {
    story_hint *hint = &s->hint;
    if (hint->state == HINT_GOOD && hint->version > s->version) {
        hint->state = HINT_IGNORED;
        hint->why = str_format(s->table,
                               "_last_checkpoint names version %" PRId64 ", which is newer than version %" PRId64,
                               hint->version, s->version);
    } else if (hint->state == HINT_GOOD && !has_checkpoint_at(&s->plan, hint->version)) {
        hint->state = HINT_IGNORED;
        hint->why = str_format(
            s->table, "_last_checkpoint names a checkpoint of version %" PRId64 " that is not there or not complete",
            hint->version);
    }
}

lp_status segment_aim(struct segment *s, bool has_version, int64_t version, lp_err *err) {
    TRY(log_plan_target(&s->plan, has_version, version, &s->version, err));
    if (!s->list.has_hint) return LP_OK;
    s->hint = hint_read(s->table, s->files);
    judge_hint(s);
    return LP_OK;
}

/* ---- choosing ---- */

/* There in the listing, and still it cannot be read. A page that claims to be too large is damaged, too. */
static bool is_damage(lp_status status) {
    return status == LP_ERR_FORMAT || status == LP_ERR_NOT_FOUND || status == LP_ERR_IO ||
           status == LP_ERR_UNSUPPORTED || status == LP_ERR_LIMIT;
}

static void add_failure(struct segment *s, segment_failure f, const lp_err *reason) {
    segment_failure *added = ARENA_NEW(s->table, segment_failure);
    *added = f;
    added->why = str_copy(s->table, str_from(reason->text));
    if (s->last_failure)
        s->last_failure->next = added;
    else
        s->failure = added;
    s->last_failure = added;
    if (s->first_damage.code == LP_OK) s->first_damage = *reason;
}

bool segment_checkpoint_failed(struct segment *s, const lp_err *reason) {
    if (!is_damage(reason->code) || s->checkpoint.is_broken) return false;
    checkpoint_close(&s->checkpoint);
    log_plan_pass_over_checkpoint(&s->plan, s->log.checkpoint);
    add_failure(s, (segment_failure){.checkpoint = s->log.checkpoint, .reason = SKIP_DAMAGED}, reason);
    return true;
}

bool segment_step_failed(struct segment *s, size_t index, const lp_err *reason) {
    if (!is_damage(reason->code)) return false;
    if (s->has_checkpoint) checkpoint_close(&s->checkpoint);
    log_plan_pass_over(&s->plan, &s->log.commit[index]);
    add_failure(s, (segment_failure){.step = s->log.commit[index], .reason = SKIP_DAMAGED}, reason);
    return true;
}

/* No way is left. `gap` is what the last one that was looked at lacks. */
static lp_status give_up(const struct segment *s, const lp_err *gap, lp_err *err) {
    const lp_err *said = s->first_damage.code != LP_OK ? &s->first_damage : gap;
    err_set(err, said->code, "%s", said->text);
    return log_plan_name_ranges(&s->plan, said->code, err);
}

/* The newest checkpoint behind which the version can be reached, or none of them. */
static lp_status choose_files(struct segment *s, lp_err *gap) {
    gap->code = LP_OK;
    for (size_t i = 0; i <= s->plan.checkpoint_count; i++) {
        const log_checkpoint *c = i < s->plan.checkpoint_count ? &s->plan.checkpoint[i] : NULL;
        if (c && (c->version > s->version || c->is_bad)) continue;
        lp_err reason;
        lp_status status = log_segment_new(&s->plan, s->version, c, &s->log, &reason);
        s->has_checkpoint = c != NULL;
        if (status == LP_OK) return LP_OK;
        if (gap->code == LP_OK) *gap = reason;
    }
    return gap->code;
}

/* A cut JSON file may read well. Its name is unique to its writer, so a hint whose checksum agrees speaks of this very
 * file, and tells how large it was. */
static lp_status check_size(const struct segment *s, const log_checkpoint *c, lp_err *err) {
    const story_hint *hint = &s->hint;
    bool is_told = hint->checksum == CHECKSUM_VERIFIED && hint->file_bytes >= 0 && c->kind == LOG_CHECKPOINT_UUID &&
                   str_eq(hint->file, c->file->name);
    if (!is_told || (uint64_t)hint->file_bytes == c->file->size_bytes) return LP_OK;
    return err_set(err, LP_ERR_FORMAT,
                   "_delta_log/" STR_FMT ": expected %" PRId64 " bytes, as _last_checkpoint says, found %" PRIu64,
                   STR_ARG(c->file->name), hint->file_bytes, c->file->size_bytes);
}

static lp_status open_chosen(struct segment *s, lp_err *err) {
    s->checkpoint = (checkpoint){0};
    TRY(check_size(s, s->log.checkpoint, err));
    return checkpoint_open(s->table, s->files, s->log.checkpoint, &s->checkpoint, err);
}

lp_status segment_choose(struct segment *s, lp_err *err) {
    for (;;) {
        lp_err gap, reason;
        if (choose_files(s, &gap) != LP_OK) return give_up(s, &gap, err);
        if (!s->has_checkpoint) return LP_OK;
        lp_status status = open_chosen(s, &reason);
        if (status == LP_OK) return LP_OK;
        if (!segment_checkpoint_failed(s, &reason)) return err_set(err, status, "%s", reason.text);
    }
}

/* ---- the story ---- */

static int newest_first(const void *left, const void *right) {
    const story_skipped *a = left, *b = right;
    if (a->version != b->version) return a->version > b->version ? -1 : 1;
    return str_compare(a->file, b->file);
}

/* Would it have been used, were it complete, or had it no gap behind it? */
static bool is_missed(const struct segment *s, const log_checkpoint *c) {
    int64_t used_version = s->has_checkpoint ? s->checkpoint.version : -1;
    return c->version <= s->version && c->version > used_version;
}

static void put_skipped(story *out, const log_checkpoint *c, story_skip reason, str why) {
    out->skipped[out->skipped_count++] = (story_skipped){c->version, c->kind, c->is_json, c->file->name, reason, why};
}

static size_t count_failures(const struct segment *s) {
    size_t count = 0;
    for (const segment_failure *f = s->failure; f; f = f->next) count++;
    return count;
}

/* In the order in which the choice met them: damaged ones, those with a gap behind them, incomplete ones. */
static void tell_skipped(const struct segment *s, story *out) {
    const log_plan *p = &s->plan;
    out->skipped =
        ARENA_ARRAY(s->table, story_skipped, count_failures(s) + p->checkpoint_count + p->incomplete_count);
    for (const segment_failure *f = s->failure; f; f = f->next)
        if (f->checkpoint) put_skipped(out, f->checkpoint, f->reason, f->why);
    for (size_t i = 0; i < p->checkpoint_count; i++) {
        const log_checkpoint *c = &p->checkpoint[i];
        if (c->is_bad || !is_missed(s, c)) continue;
        lp_err gap = {0};
        log_segment unused;
        if (log_segment_new(p, s->version, c, &unused, &gap) == LP_OK) continue;
        put_skipped(out, c, SKIP_GAP, str_copy(s->table, str_from(gap.text)));
    }
    for (size_t i = 0; i < p->incomplete_count; i++) {
        const log_checkpoint *c = &p->incomplete[i];
        if (!is_missed(s, c)) continue;
        str why = log_checkpoint_missing_part(c, s->table);
        put_skipped(out, c, str_ends_with(why, STR("is empty")) ? SKIP_EMPTY : SKIP_INCOMPLETE, why);
    }
}

static void note_skipped(const struct segment *s, const story *t, note_list *notes) {
    static const char *const what[] = {
        [SKIP_INCOMPLETE] = "is incomplete", [SKIP_EMPTY] = "is incomplete", [SKIP_DAMAGED] = "cannot be read",
        [SKIP_GAP] = "is not used"};
    for (size_t i = 0; i < t->skipped_count; i++)
        note_add(notes, s->table, NOTE_CHECKPOINT_SKIPPED,
                 str_format(s->table, "the checkpoint of version %" PRId64 " %s: " STR_FMT, t->skipped[i].version,
                            what[t->skipped[i].reason], STR_ARG(t->skipped[i].why)));
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

static void put_compaction(story_compaction *list, size_t *count, const log_entry *e, str why) {
    list[(*count)++] = (story_compaction){e->is.version, e->is.last_version, e->name, why};
}

static void tell_commits(const struct segment *s, story *out) {
    const log_segment *l = &s->log;
    out->first_commit = out->last_commit = -1;
    out->compaction = ARENA_ARRAY(s->table, story_compaction, l->commit_count);
    for (size_t i = 0; i < l->commit_count; i++) {
        const log_entry *e = &l->commit[i];
        if (e->is.kind == LOG_COMPACTION) {
            put_compaction(out->compaction, &out->compaction_count, e, STR_NONE);
            continue;
        }
        if (out->commit_count++ == 0) out->first_commit = e->is.version;
        out->last_commit = e->is.version;
    }
    int64_t base = s->has_checkpoint ? s->checkpoint.version : -1;
    out->versions_behind_checkpoint = base < 0 && s->version == INT64_MAX ? INT64_MAX : s->version - base;
}

/* Empty ones count only where they would have been of use. */
static void tell_skipped_compactions(const struct segment *s, story *out, note_list *notes) {
    const log_list *l = &s->list;
    int64_t base = s->has_checkpoint ? s->checkpoint.version : -1;
    out->skipped_compaction = ARENA_ARRAY(s->table, story_compaction, count_failures(s) + l->compaction_count);
    for (const segment_failure *f = s->failure; f; f = f->next) {
        if (f->checkpoint || f->step.is.kind != LOG_COMPACTION) continue;
        put_compaction(out->skipped_compaction, &out->skipped_compaction_count, &f->step, f->why);
        note_add(notes, s->table, NOTE_COMPACTION_SKIPPED,
                 str_format(s->table, "the compaction of versions %" PRId64 " to %" PRId64 " cannot be read: " STR_FMT,
                            f->step.is.version, f->step.is.last_version, STR_ARG(f->why)));
    }
    for (size_t i = 0; i < l->compaction_count; i++) {
        const log_entry *e = &l->compaction[i];
        if (e->size_bytes > 0 || e->is.version <= base || e->is.last_version > s->version) continue;
        put_compaction(out->skipped_compaction, &out->skipped_compaction_count, e, STR("the file is empty"));
    }
}

const story *segment_tell(const struct segment *s, note_list *notes) {
    story *out = ARENA_NEW(s->table, story);
    out->hint = s->hint;
    out->has_checkpoint = s->has_checkpoint;
    if (s->hint.state == HINT_IGNORED) note_add(notes, s->table, NOTE_HINT_IGNORED, s->hint.why);
    tell_skipped(s, out);
    note_skipped(s, out, notes);
    if (out->skipped_count) qsort(out->skipped, out->skipped_count, sizeof *out->skipped, newest_first);
    if (s->has_checkpoint) tell_checkpoint(s, out);
    tell_commits(s, out);
    tell_skipped_compactions(s, out, notes);
    out->range = log_plan_ranges(&s->plan, s->table, &out->range_count);
    return out;
}
