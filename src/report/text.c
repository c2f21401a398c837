/* text.c - the text report, line by line, and the lines of failed gates.
 * Called by: api.  Must not know: JSON, how anything was measured.
 *
 * A report is a sequence of blocks with one empty line between two; every line ends with a newline:
 *
 *   head | analysis | total | phase, with its listing | total reduction | warnings | notes (ours) | why
 */
#include <inttypes.h>
#include <math.h>

#include "report/report_int.h"

typedef struct text_page {
    draft draft;
    buf *out; /* where the next text goes */
    const prune_report *report;
    const report_style *style;
    arena *query;
    place_cursor places; /* in the predicate */
} text_page;

static void paint(text_page *p, str color, str text) {
    if (p->style->color) buf_put(p->out, color);
    buf_put(p->out, text);
    if (p->style->color) buf_put(p->out, STR("\x1b[0m"));
}
#define BOLD STR("\x1b[1m")
#define YELLOW STR("\x1b[33m")

static void put_line(text_page *p, str label, str text) {
    buf_put(p->out, label);
    buf_put(p->out, text);
    buf_put_char(p->out, '\n');
}

static void put_head(text_page *p) {
    put_line(p, STR("Delta table: "), p->style->location);
    buf_printf(p->out, "Version:     %" PRId64 "\n", p->report->table->version);
    if (p->report->has_where) put_line(p, STR("Predicate:   "), p->report->where);
    buf_put_char(p->out, '\n');
}

/* --- analysis --- */

static void put_coverage(text_page *p) {
    const prune_report *r = p->report;
    if (!r->coverage_available) {
        buf_put(p->out, STR("  stats coverage: unavailable\n"));
        return;
    }
    if (r->coverage_count > 0) buf_put(p->out, STR("  stats coverage:\n"));
    for (size_t i = 0; i < r->coverage_count; i++) {
        const coverage_row *row = &r->coverage[i];
        buf_printf(p->out, "    " STR_FMT " [" STR_FMT "]: ", STR_ARG(row->column), STR_ARG(row->requirement));
        put_count(p->out, row->covered_files);
        buf_put_char(p->out, '/');
        put_count(p->out, row->candidate_files);
        buf_put(p->out, STR(" candidate files ("));
        put_percent(p->out, prune_percent(row->covered_files, row->candidate_files));
        buf_put(p->out, STR("%)\n"));
    }
}

static void put_bucket(text_page *p, str label, str fragments) {
    put_line(p, label, str_is_none(fragments) ? STR("-") : fragments);
}

static void put_analysis(text_page *p) {
    const prune_report *r = p->report;
    buf_put(p->out, STR("Predicate Analysis:\n"));
    put_bucket(p, STR("  partition-safe: "), r->partition_safe);
    if (!str_is_none(r->partition_exact)) put_line(p, STR("  partition-exact: "), r->partition_exact);
    put_bucket(p, STR("  stats-safe:     "), r->stats_safe);
    put_coverage(p);
    put_bucket(p, STR("  unsplittable:   "), r->unsplittable);
    put_line(p, STR("  confidence:     "), confidence_name(r->confidence));
    buf_put_char(p->out, '\n');
}

/* --- phases --- */

static void put_listing(text_page *p, const prune_phase *phase) {
    buf_put_char(p->out, '\n');
    if (phase->listed > 0) {
        draft_put_spool(&p->draft, phase->listing);
        buf_put_char(p->out, '\n');
    }
    if (phase->not_listed == 0) return;
    buf_put(p->out, STR("  ... and "));
    put_count(p->out, phase->not_listed);
    buf_put(p->out, STR(" more files (raise --limit to see them)\n"));
}

static void put_phase(text_page *p, size_t index) {
    const prune_phase *phase = &p->report->phase[index];
    uint64_t dropped = phase->input_files - phase->output_files;
    buf_printf(p->out, "\nPhase %zu: ", index + 1);
    paint(p, BOLD, phase_name(phase->kind));
    buf_printf(p->out, " [" STR_FMT "]\n", STR_ARG(confidence_name(phase->confidence)));
    put_line(p, STR("  predicate:       "), phase->predicate_scanned);
    buf_put(p->out, STR("  files remaining: "));
    put_count(p->out, phase->output_files);
    buf_put(p->out, STR("  (-"));
    put_count(p->out, dropped);
    buf_put(p->out, STR(", "));
    put_percent(p->out, prune_percent(dropped, phase->input_files));
    buf_put(p->out, STR("% pruned)\n"));
    if (p->style->verbose && phase->listing) put_listing(p, phase);
}

static void put_total_reduction(text_page *p) {
    const prune_report *r = p->report;
    buf_put(p->out, STR("\nTotal reduction: "));
    put_count(p->out, r->total_files);
    buf_put(p->out, STR(" -> "));
    put_count(p->out, r->final_files);
    buf_put(p->out, STR(" files ("));
    put_percent(p->out, prune_percent(r->total_files - r->final_files, r->total_files));
    buf_put(p->out, STR("% pruned)\n"));
}

/* --- notes --- */

/* Longest part of a predicate that is quoted under a note, in code points. */
enum { QUOTE_MAX = 60 };

/* `  at 1:14: UPPER(country) = 'DE'`: line and column in the predicate and what stands there, its first line. */
static void put_place(text_page *p, span at) {
    text_place place = span_place_next(&p->places, p->report->where, at);
    str quoted = span_text(p->report->where, at);
    size_t line_end = quoted.len;
    (void)str_find_char(quoted, '\n', &line_end);
    str shown = str_cut_code_points(str_slice(quoted, 0, line_end), QUOTE_MAX);
    buf_printf(p->out, "  at %" PRIu32 ":%" PRIu32 ": " STR_FMT "%s\n", place.line, place.column, STR_ARG(shown),
               shown.len < quoted.len ? " ..." : "");
}

static void put_note(text_page *p, str color, const note *n) {
    buf_put_char(p->out, '[');
    paint(p, color, note_code_name(n->code));
    buf_put(p->out, STR("]: "));
    buf_put(p->out, n->message);
    buf_put_char(p->out, '\n');
    if (n->has_place && !p->style->drop_in) put_place(p, n->at);
}

/* One block with the notes that are warnings, or with those that are not. Findings about the predicate come first, then
 * the table's features, then how its log was read. */
static void put_notes(text_page *p, str title, str color, bool warnings) {
    const note_place parts[] = {NOTE_OF_PREDICATE, NOTE_OF_FEATURE, NOTE_OF_TABLE};
    bool has_title = false;
    for (size_t part = 0; part < 3; part++) {
        note_choice chosen = notes_choose(p->report, parts[part], p->style->drop_in, p->query);
        for (size_t i = 0; i < chosen.count; i++) {
            if ((note_code_severity(chosen.item[i]->code) != SEVERITY_INFO) != warnings) continue;
            if (!has_title) {
                buf_put_char(p->out, '\n');
                paint(p, color, title);
                buf_put_char(p->out, '\n');
            }
            has_title = true;
            put_note(p, color, chosen.item[i]);
        }
    }
}

static void put_why(text_page *p) {
    const prune_report *r = p->report;
    buf_put_char(p->out, '\n');
    paint(p, BOLD, STR("Why:"));
    buf_put_char(p->out, '\n');
    if (!r->has_where) buf_put(p->out, STR("  No predicate given (pass --where to diagnose pruning).\n"));
    else if (!r->diagnosis) buf_put(p->out, STR("  No pruning issues found.\n"));
    for (const diagnosis *d = r->has_where ? r->diagnosis : NULL; d; d = d->next) {
        buf_printf(p->out, "  [" STR_FMT "] ", STR_ARG(note_code_name(d->code)));
        put_line(p, STR(""), d->message);
        if (!str_is_none(d->suggestion)) put_line(p, STR("    -> "), d->suggestion);
    }
}

void report_text(const prune_report *report, const report_style *style, arena *query, report_document *out) {
    text_page page = {.report = report, .style = style, .query = query};
    draft_init(&page.draft, query, out);
    page.out = &page.draft.tail;
    put_head(&page);
    if (report->has_where) put_analysis(&page);
    buf_put(page.out, STR("Files in snapshot: "));
    put_count(page.out, report->total_files);
    buf_put_char(page.out, '\n');
    for (size_t i = 0; i < report->phase_count; i++) put_phase(&page, i);
    if (report->phase_count == 2) put_total_reduction(&page);
    put_notes(&page, STR("Warnings!"), YELLOW, true);
    put_notes(&page, STR("Notes:"), BOLD, false);
    if (report->has_diagnoses) put_why(&page);
    draft_end(&page.draft);
}

/* --- gates --- */

bool report_passed(const prune_report *report) {
    return !(report->has_min_pruning && !report->min_pruning_passed) &&
           !(report->has_assert_stats && !report->assert_stats_passed);
}

/* A threshold of NaN, which nothing reaches, in the spelling of the original. */
static void put_threshold(buf *out, double threshold) {
    if (isnan(threshold)) buf_put(out, STR("NaN"));
    else buf_printf(out, "%.1f", threshold);
}

void report_gates(const prune_report *report, arena *query, report_document *out) {
    draft d;
    draft_init(&d, query, out);
    if (report->has_min_pruning && !report->min_pruning_passed) {
        double actual = prune_percent(report->total_files - report->final_files, report->total_files);
        buf_printf(&d.tail, "ASSERTION FAILED: total pruning %.1f%% is below threshold ", actual);
        put_threshold(&d.tail, report->min_pruning);
        buf_put(&d.tail, STR("%\n"));
    }
    if (report->has_assert_stats && !report->assert_stats_passed) {
        buf_printf(&d.tail, "ASSERTION FAILED: %" PRIu64 " file(s) missing statistics:\n", report->files_without_stats);
        draft_put_spool(&d, report->paths_without_stats);
    }
    draft_end(&d);
}
