/* check_text.c - findings as text.
 * Called by: api.  Must not know: other forms, how a finding was proved.
 *
 *   error G001 models/daily_revenue.sql:3:22
 *     sum(shipping_fee) may count a value several times: ...
 *       3 |     sum(line_amount) + sum(shipping_fee) as revenue
 *         |                        ^^^^^^^^^^^^^^^^^
 *     because     one-to-many join on order_id; key of shop.order_items from meta.cardinal.grain
 */
#include "report/check_report.h"
#include "report/grain_json.h"
#include "report/report_int.h"

#define BOLD   STR("\x1b[1m")
#define RED    STR("\x1b[31m")
#define YELLOW STR("\x1b[33m")
#define BLUE   STR("\x1b[34m")
#define PLAIN  STR("\x1b[0m")

enum { WORD_COLUMN = 14, MOST_LINE = 160, MOST_REASONS = 6, MOST_UNDECIDED = 12 };

typedef struct check_page {
    buf *out;
    const check_style *style;
    arena *query;
} check_page;

static void paint(check_page *p, str color, str text) {
    if (p->style->color) buf_put(p->out, color);
    put_log_text(p->out, text, false);
    if (p->style->color) buf_put(p->out, PLAIN);
}

static str color_of(finding_severity severity) {
    switch (severity) {
    case FINDING_ERROR: return RED;
    case FINDING_WARNING: return YELLOW;
    case FINDING_NOTE: return BLUE;
    }
    UNREACHABLE();
}

/* "error G001 models/daily.sql:3:22 (model.shop.daily)" */
static void put_head(check_page *p, finding_severity severity, str code, const shown_place *at, str model) {
    paint(p, color_of(severity), finding_severity_name(severity));
    buf_put_char(p->out, ' ');
    paint(p, BOLD, code);
    if (at->exists) {
        buf_put_char(p->out, ' ');
        place_put(p->out, at);
    }
    if (model.len) {
        buf_put(p->out, STR("  "));
        put_log_text(p->out, model, false);
    }
    buf_put_char(p->out, '\n');
}

/* The line of the text with carets below; nothing where the text is not at hand, or the line too long for a page. */
static void put_excerpt(check_page *p, const shown_place *at) {
    if (!at->exists || str_is_none(at->line) || at->line.len > MOST_LINE || at->at.length == 0) return;
    str number = str_format(p->query, "%u", at->at.line);
    buf_printf(p->out, "    " STR_FMT " | ", STR_ARG(number));
    put_log_text(p->out, at->line, false);
    buf_put_char(p->out, '\n');
    buf_put_repeated(p->out, ' ', 4 + number.len);
    buf_put(p->out, STR(" | "));
    for (size_t i = 0; i + 1 < at->at.column && i < at->line.len; i++) {
        if (at->line.ptr[i] == '\t') buf_put_char(p->out, ' '); /* it is shown as \t, two characters wide */
        buf_put_char(p->out, ' ');
    }
    buf_put_repeated(p->out, '^', at->at.length);
    buf_put_char(p->out, '\n');
}

static void put_word(check_page *p, str word) {
    buf_put(p->out, STR("    "));
    buf_put(p->out, word);
    buf_put_repeated(p->out, ' ', word.len < WORD_COLUMN ? WORD_COLUMN - word.len : 1);
}

static void put_line(check_page *p, str word, str text) {
    if (!text.len) return;
    put_word(p, word);
    put_log_text(p->out, text, false);
    buf_put_char(p->out, '\n');
}

static void put_joins(check_page *p, const finding *f) {
    for (size_t i = 0; i < f->join_count; i++) {
        const join_site *s = f->join[i];
        shown_place at = place_find(p->style->places, s->model, s->place);
        put_word(p, f->code == FINDING_G003 ? STR("join") : STR("repeated by"));
        buf_printf(p->out, "the " STR_FMT " join at ", STR_ARG(cardinality_name(s->cardinality)));
        place_put(p->out, &at);
        buf_put(p->out, STR(": "));
        put_log_text(p->out, s->text, false);
        buf_put_char(p->out, '\n');
    }
}

static void put_evidence(check_page *p, const finding *f) {
    if (!f->evidence_count) return;
    put_word(p, STR("because"));
    for (size_t i = 0; i < f->evidence_count && i < MOST_REASONS; i++) {
        if (i) buf_put(p->out, STR("; "));
        put_log_text(p->out, f->evidence[i], false);
    }
    if (f->evidence_count > MOST_REASONS) buf_put(p->out, STR("; ..."));
    buf_put_char(p->out, '\n');
}

static void put_leans_on(check_page *p, const finding *f) {
    for (size_t i = 0; i < f->leans_on_count && i < MOST_REASONS; i++) {
        const declaration *d = f->leans_on[i];
        put_word(p, i ? STR("") : STR("leans on"));
        put_log_text(p->out, declaration_text(d, p->query), false);
        buf_put(p->out, STR(", "));
        put_log_text(p->out, d->origin, false);
        if (d->trust != TRUST_ENFORCED && !d->tested_by.len) buf_put(p->out, STR(" (no test checks it)"));
        if (d->tested_by.len && !str_ends_with(d->origin, d->tested_by)) {
            buf_put(p->out, STR(", checked by "));
            put_log_text(p->out, d->tested_by, false);
        }
        buf_put_char(p->out, '\n');
    }
    if (f->leans_on_count <= MOST_REASONS) return;
    put_word(p, STR(""));
    buf_printf(p->out, "and %zu more (--format json has all)\n", f->leans_on_count - MOST_REASONS);
}

/* What the lists of a finding are, by its code. */
static str group_word(finding_code code) {
    return code == FINDING_G003 ? STR("joined on") : code == FINDING_G002 ? STR("declared") : STR("group");
}

static str native_word(finding_code code) {
    return code == FINDING_G003 ? STR("left key") : code == FINDING_G002 ? STR("key of rows") : STR("belongs to");
}

static void put_finding(check_page *p, const shown_finding *s) {
    const finding *f = s->f;
    put_head(p, f->severity, finding_code_name(f->code), &s->at, f->model);
    buf_put(p->out, STR("  "));
    put_log_text(p->out, f->text, false);
    buf_put_char(p->out, '\n');
    put_excerpt(p, &s->at);
    put_line(p, group_word(f->code), check_list_text(f->group, f->group_count, p->query));
    put_line(p, native_word(f->code), check_list_text(f->native, f->native_count, p->query));
    put_joins(p, f);
    put_evidence(p, f);
    put_leans_on(p, f);
    put_line(p, STR("remedy"), f->suggestion);
    buf_put_char(p->out, '\n');
}

static void put_note(check_page *p, const check_note *n) {
    put_head(p, severity_of_note(n->code), note_code_name(n->code), &n->at, n->model);
    buf_put(p->out, STR("  "));
    put_log_text(p->out, n->text, false);
    buf_put(p->out, STR("\n\n"));
}

static void put_undecided(check_page *p, const check_report *report) {
    if (!report->undecided_count) return;
    buf_put(p->out, STR("Not everything could be told of:\n"));
    for (size_t i = 0; i < report->undecided_count && i < MOST_UNDECIDED; i++) {
        const undecided *u = &report->undecided[i];
        buf_put(p->out, STR("  "));
        put_log_text(p->out, u->model.len ? u->model : STR("the query"), false);
        buf_put(p->out, u->is_partial ? STR(" (partial): ") : STR(" (unknown): "));
        put_log_text(p->out, u->reason, false);
        if (u->at.exists) {
            buf_put(p->out, STR(" at "));
            place_put(p->out, &u->at);
        }
        buf_put_char(p->out, '\n');
    }
    if (report->undecided_count > MOST_UNDECIDED)
        buf_printf(p->out, "  and %zu more (`lakeproof coverage` lists them)\n", report->undecided_count - MOST_UNDECIDED);
    buf_put_char(p->out, '\n');
}

static void put_number(check_page *p, size_t count, const char *what) {
    put_count(p->out, count);
    buf_printf(p->out, " %s%s", what, count == 1 ? "" : "s");
}

static void put_hidden(check_page *p, const check_report *report) {
    size_t allowed = 0, in_baseline = 0;
    for (size_t i = 0; i < report->finding_count; i++) {
        allowed += report->finding[i].fate == FATE_ALLOWED;
        in_baseline += report->finding[i].fate == FATE_BASELINE;
    }
    if (allowed) buf_printf(p->out, ", %zu allowed", allowed);
    if (in_baseline) buf_printf(p->out, ", %zu in the baseline", in_baseline);
}

static void put_summary(check_page *p, const check_report *report) {
    put_number(p, check_report_count(report, FINDING_ERROR), "error");
    buf_put(p->out, STR(", "));
    put_number(p, check_report_count(report, FINDING_WARNING), "warning");
    buf_put(p->out, STR(", "));
    put_number(p, check_report_count(report, FINDING_NOTE), "note");
    put_hidden(p, report);
    if (report->is_project) {
        buf_put(p->out, STR("; "));
        put_number(p, report->known + report->partial + report->unknown, "model");
        buf_printf(p->out, ": %zu known, %zu partial, %zu unknown", report->known, report->partial, report->unknown);
    }
    buf_put_char(p->out, '\n');
}

void check_text(const check_report *report, const check_style *style, arena *query, report_document *out) {
    draft d;
    draft_init(&d, query, out);
    check_page p = {&d.tail, style, query};
    for (size_t i = 0; i < report->finding_count; i++) {
        if (report->finding[i].fate == FATE_REPORTED) put_finding(&p, &report->finding[i]);
    }
    for (size_t i = 0; i < report->note_count; i++) put_note(&p, &report->note[i]);
    put_undecided(&p, report);
    put_summary(&p, report);
    draft_end(&d);
}
