/* verdict.c - what becomes of findings: reported, allowed, or known from a baseline.
 * Called by: api/check.c.  Must not know: how findings are proved or printed.
 */
#include "api/verdict.h"

#include <string.h>

/* ---- growing lists of the report ---- */

/* Room for one item more behind `count` items of `size` bytes. */
static void *grown(arena *owner, const void *list, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return (void *)(uintptr_t)list;
    *capacity = *capacity ? 2 * *capacity : 16;
    char *more = arena_alloc_array(owner, *capacity, size);
    if (count) memcpy(more, list, count * size);
    return more;
}

static void add_finding(verdict *v, shown_finding s) {
    check_report *r = &v->report;
    shown_finding *list = grown(v->owner, r->finding, r->finding_count, &v->finding_capacity, sizeof *list);
    list[r->finding_count++] = s;
    r->finding = list;
}

void verdict_note(verdict *v, note_code code, str text, str model, const shown_place *at) {
    check_report *r = &v->report;
    check_note *list = grown(v->owner, r->note, r->note_count, &v->note_capacity, sizeof *list);
    list[r->note_count++] = (check_note){code, text, model, at ? *at : (shown_place){0}};
    r->note = list;
}

static void add_undecided(verdict *v, undecided u) {
    check_report *r = &v->report;
    undecided *list = grown(v->owner, r->undecided, r->undecided_count, &v->undecided_capacity, sizeof *list);
    list[r->undecided_count++] = u;
    r->undecided = list;
}

/* ---- allowances ---- */

static const struct meta_allow *find_meta(const judged_model *m, finding_code code) {
    for (size_t i = 0; i < m->meta_count; i++) {
        if (m->meta[i].because.len && str_eq_nocase(m->meta[i].code, finding_code_name(code))) return &m->meta[i];
    }
    return NULL;
}

static bool checks_all_of(const check_choice *choice, const allowance *a) {
    for (unsigned c = 0; c < FINDING_CODE_COUNT; c++) {
        if (a->of[c] && !choice->on[c]) return false;
    }
    return true;
}

/* A comment that dbt wrote into the SQL of another model (an ephemeral one) is that model's business: it has no place here. */
static void tell_comments(verdict *v, const judged_model *m, const allowance_list *list, const bool *is_used) {
    for (size_t i = 0; i < list->count; i++) {
        const allowance *a = &list->item[i];
        shown_place at = place_find(v->places, m->model, span_place(m->text, a->at));
        str words = span_text(m->text, a->at);
        if (!at.is_mapped) continue;
        if (a->fault == ALLOW_HAS_NO_REASON)
            verdict_note(v, NOTE_ALLOW_WITHOUT_REASON, str_format(v->owner, "'" STR_FMT "' gives no reason and does not count: write because REASON behind the code", STR_ARG(words)), m->model, &at);
        if (a->fault == ALLOW_IS_NOT_UNDERSTOOD)
            verdict_note(v, NOTE_ALLOW_NOT_UNDERSTOOD, str_format(v->owner, "'" STR_FMT "' is not understood: expected lakeproof: allow CODE because REASON", STR_ARG(words)), m->model, &at);
        if (a->fault == ALLOW_IS_GOOD && !is_used[i] && checks_all_of(v->choice, a))
            verdict_note(v, NOTE_ALLOW_UNUSED, str_format(v->owner, "'" STR_FMT "' allows nothing: there is no such finding on its line or the next", STR_ARG(words)), m->model, &at);
    }
}

static void tell_meta(verdict *v, const judged_model *m, const bool *is_used) {
    for (size_t i = 0; i < m->meta_count; i++) {
        str code = m->meta[i].code;
        finding_code known = finding_code_find(code);
        if (known == FINDING_CODE_COUNT)
            verdict_note(v, NOTE_ALLOW_NOT_UNDERSTOOD, str_format(v->owner, "meta.lakeproof.allow: there is no check '" STR_FMT "'", STR_ARG(code)), m->model, NULL);
        else if (!m->meta[i].because.len)
            verdict_note(v, NOTE_ALLOW_WITHOUT_REASON, str_format(v->owner, "meta.lakeproof.allow of " STR_FMT " gives no reason (because) and does not count", STR_ARG(code)), m->model, NULL);
        else if (!is_used[i] && v->choice->on[known])
            verdict_note(v, NOTE_ALLOW_UNUSED, str_format(v->owner, "meta.lakeproof.allow of " STR_FMT " allows nothing: there is no such finding", STR_ARG(code)), m->model, NULL);
    }
}

/* ---- findings ---- */

typedef struct judging {
    verdict *v;
    const judged_model *m;
    allowance_list comments;
    bool *comment_is_used, *meta_is_used;
} judging;

static shown_finding judge(judging *j, const finding *f) {
    shown_finding s = {.f = f, .at = place_find(j->v->places, j->m->model, f->place)};
    const allowance *comment = allow_find(&j->comments, f->code, f->place.line);
    const struct meta_allow *meta = find_meta(j->m, f->code);
    bool is_known = j->v->known && baseline_meet(j->v->known, f->fingerprint);
    if (comment) j->comment_is_used[comment - j->comments.item] = true;
    if (meta) j->meta_is_used[meta - j->m->meta] = true;
    if (comment || meta) {
        s.fate = FATE_ALLOWED;
        s.because = comment ? comment->reason : meta->because;
    } else if (is_known) {
        s.fate = FATE_BASELINE;
    }
    return s;
}

static void count_status(verdict *v, const judged_model *m) {
    v->report.known += m->status == FACTS_KNOWN;
    v->report.partial += m->status == FACTS_PARTIAL;
    v->report.unknown += m->status == FACTS_UNKNOWN;
    if (!m->gap.len) return;
    undecided u = {.model = m->model, .is_partial = m->status != FACTS_UNKNOWN, .reason = m->gap};
    if (m->gap_place) u.at = place_find(v->places, m->model, *m->gap_place);
    add_undecided(v, u);
}

lp_status verdict_take(verdict *v, const judged_model *m, lp_err *err) {
    judging j = {.v = v, .m = m};
    TRY(allow_read(v->owner, m->text, m->dialect, &j.comments, err));
    j.comment_is_used = ARENA_ARRAY(v->owner, bool, j.comments.count + 1);
    j.meta_is_used = ARENA_ARRAY(v->owner, bool, m->meta_count + 1);
    for (size_t i = 0; i < m->finding_count; i++) add_finding(v, judge(&j, &m->finding[i]));
    tell_comments(v, m, &j.comments, j.comment_is_used);
    tell_meta(v, m, j.meta_is_used);
    count_status(v, m);
    return LP_OK;
}

void verdict_end(verdict *v) {
    v->report.has_baseline = v->known != NULL;
    size_t gone = v->known ? baseline_count_unmet(v->known) : 0;
    if (gone)
        verdict_note(v, NOTE_BASELINE_STALE, str_format(v->owner, "%zu of the findings in the baseline %s gone: write it again", gone, gone == 1 ? "is" : "are"), STR(""), NULL);
}
