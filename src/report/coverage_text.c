/* coverage_text.c - how much of a project is understood, as text.
 * Called by: api.  Must not know: JSON, how it was found out.
 */
#include "report/check_report.h"
#include "report/coverage_report.h"
#include "report/facts_report.h"
#include "report/grain_json.h"
#include "report/report_int.h"

typedef struct coverage_page {
    buf *out;
    const coverage *c;
    const coverage_style *style;
    arena *query;
} coverage_page;

static void put_title(coverage_page *p, const char *title) {
    buf_printf(p->out, "\n%s\n", title);
}

static void put_plural(coverage_page *p, size_t count, const char *what) {
    put_count(p->out, count);
    buf_printf(p->out, " %s%s", what, count == 1 ? "" : "s");
}

static void put_share(coverage_page *p, size_t part, const char *what) {
    put_count(p->out, part);
    buf_printf(p->out, " %s", what);
    if (!p->c->model_count) return;
    buf_put(p->out, STR(" ("));
    put_percent(p->out, 100.0 * (double)part / (double)p->c->model_count);
    buf_put(p->out, STR(" %)"));
}

static void put_summary(coverage_page *p) {
    coverage_counts n = coverage_count(p->c);
    put_plural(p, p->c->model_count, "model");
    buf_put(p->out, STR(": "));
    put_share(p, n.status[FACTS_KNOWN], "known");
    buf_put(p->out, STR(", "));
    put_share(p, n.status[FACTS_PARTIAL], "partial");
    buf_put(p->out, STR(", "));
    put_share(p, n.status[FACTS_UNKNOWN], "unknown");
    buf_put(p->out, STR("; "));
    put_share(p, n.with_key, "with a key");
    buf_put_char(p->out, '\n');
}

/* A reason stands where it is met first; models above which it stands are counted, not listed. */
static void put_models(coverage_page *p) {
    size_t inherited = 0;
    bool has_title = false;
    for (size_t i = 0; i < p->c->model_count; i++) {
        const coverage_model *m = &p->c->model[i];
        if (m->status == FACTS_KNOWN) continue;
        inherited += !m->is_own;
        if (!m->is_own) continue;
        if (!has_title) put_title(p, "What is not known, and why");
        has_title = true;
        buf_printf(p->out, "  %-8s" STR_FMT ": ", fact_status_name(m->status).ptr, STR_ARG(m->relation->unique_id));
        put_log_text(p->out, m->reason, false);
        shown_place at = coverage_place(m, p->style->places);
        if (at.exists) {
            buf_put(p->out, STR(" at "));
            place_put(p->out, &at);
        }
        buf_put_char(p->out, '\n');
    }
    if (!inherited) return;
    buf_put(p->out, STR("  and "));
    put_plural(p, inherited, "model");
    buf_put(p->out, STR(" because of these, above them\n"));
}

static void put_declarations(coverage_page *p) {
    if (p->c->declaration_count) put_title(p, "What facts lean on");
    for (size_t i = 0; i < p->c->declaration_count; i++) {
        const declaration *d = p->c->declaration[i].d;
        buf_put(p->out, STR("  "));
        put_log_text(p->out, declaration_text(d, p->query), false);
        buf_put(p->out, STR(", "));
        put_log_text(p->out, d->origin, false);
        buf_put(p->out, STR(": "));
        put_plural(p, p->c->declaration[i].models, "model");
        if (d->trust != TRUST_ENFORCED && !d->tested_by.len) buf_put(p->out, STR("; no test checks it"));
        if (d->tested_by.len && !str_ends_with(d->origin, d->tested_by)) {
            buf_put(p->out, STR("; checked by "));
            put_log_text(p->out, d->tested_by, false);
        }
        buf_put_char(p->out, '\n');
    }
}

static void put_unused(coverage_page *p) {
    if (p->c->unused_count) put_title(p, "What is declared and not used, or not of all rows");
    for (size_t i = 0; i < p->c->unused_count; i++) {
        const coverage_unused *u = &p->c->unused[i];
        str who = u->relation ? u->relation->unique_id : STR("the project");
        buf_put(p->out, STR("  "));
        put_log_text(p->out, who, false);
        if (u->origin.len) buf_put(p->out, STR(", "));
        put_log_text(p->out, u->origin, false);
        buf_put(p->out, STR(": "));
        put_log_text(p->out, u->reason, false);
        buf_put_char(p->out, '\n');
    }
}

static void put_guesses(coverage_page *p) {
    if (!p->c->guess_count) return;
    put_title(p, "Keys that nobody declares. These are guesses; no proof uses them");
    for (size_t i = 0; i < p->c->guess_count; i++) {
        const coverage_guess *g = &p->c->guess[i];
        buf_put(p->out, STR("  "));
        put_log_text(p->out, g->relation->unique_id, false);
        buf_put(p->out, STR(" ("));
        put_log_text(p->out, check_list_text(g->column, g->column_count, p->query), false);
        buf_put(p->out, STR("): "));
        put_plural(p, g->unlocks, "model");
        buf_put(p->out, g->unlocks == 1 ? STR(" that is not known reads it, ") : STR(" that are not known read it, "));
        put_plural(p, g->joins, "join");
        buf_put(p->out, g->joins == 1 ? STR(" equates it\n") : STR(" equate it\n"));
    }
    buf_put(p->out, STR("\nThe same as tests, to be pasted where they hold:\n\n"));
    buf_put(p->out, coverage_yaml(p->c, p->query));
}

static void put_tests(coverage_page *p) {
    if (p->c->test_count) put_title(p, "Tests that cannot fail while what their proof leans on holds");
    for (size_t i = 0; i < p->c->test_count; i++) {
        const coverage_test *t = &p->c->test[i];
        buf_put(p->out, STR("  "));
        put_log_text(p->out, t->fact->origin, false);
        buf_put(p->out, STR(": "));
        for (size_t k = 0; k < t->chain_count && k < 3; k++) {
            if (k) buf_put(p->out, STR("; "));
            put_log_text(p->out, t->chain[k], false);
        }
        buf_put(p->out, t->chain_count > 3 ? STR("; ...\n") : t->chain_count ? STR("\n") : STR("the SQL itself says so\n"));
    }
}

void coverage_text(const coverage *c, const coverage_style *style, arena *query, report_document *out) {
    draft d;
    draft_init(&d, query, out);
    coverage_page p = {&d.tail, c, style, query};
    put_summary(&p);
    put_models(&p);
    put_declarations(&p);
    put_unused(&p);
    put_guesses(&p);
    put_tests(&p);
    draft_end(&d);
}
