/* why_text.c - the evidence for one file as text.
 * Called by: api; prune through prune_options.print.  Must not know: JSON, how the evidence was found.
 *
 *   {FALSE}  trip_distance > 8
 *     because  max(trip_distance) = 3.75, 00000000000000000000.json line 7
 */
#include <inttypes.h>

#include "report/report_int.h"
#include "report/why_report.h"

#define GREEN "\x1b[32m"
#define YELLOW "\x1b[33m"
#define DIM "\x1b[2m"
#define PLAIN "\x1b[0m"

/* What is printed, and whether in colours: these stand where `prune` has them, green for what is kept and dim for what is not. */
typedef struct why_page {
    buf *out;
    bool color;
} why_page;

static void paint(const why_page *p, const char *escape) {
    if (p->color) buf_put(p->out, str_from(escape));
}

static void put_outcome(const why_page *p, outcome_set set) {
    buf *out = p->out;
    static const char *const name[] = {"TRUE", "FALSE", "NULL"};
    const char *before = "{";
    paint(p, outcome_can_be_true(set) ? GREEN : DIM);
    if (set == OUTCOME_NONE) buf_put(out, STR("{no row"));
    for (unsigned i = 0; i < 3; i++) {
        if (!(set & 1u << i)) continue;
        buf_printf(out, "%s%s", before, name[i]);
        before = ", ";
    }
    buf_put_char(out, '}');
    paint(p, PLAIN);
}

static void put_reasons(const why_page *p, const trace_node *node, size_t indent) {
    buf *out = p->out;
    for (const trace_fact *f = node->fact; f; f = f->next) {
        buf_put_repeated(out, ' ', indent + 4);
        buf_put(out, STR("because "));
        put_log_text(out, f->text, false);
        buf_put(out, STR(", "));
        put_log_text(out, f->source, false);
        buf_put_char(out, '\n');
    }
    for (const trace_obstacle *o = node->obstacle; o; o = o->next) {
        buf_put_repeated(out, ' ', indent + 4);
        paint(p, YELLOW);
        buf_put(out, STR("kept by "));
        buf_put(out, obstacle_name(o->reason));
        paint(p, PLAIN);
        buf_put(out, STR(": "));
        put_log_text(out, o->text, false);
        buf_put_char(out, '\n');
    }
}

static void put_node(const why_page *p, const trace_node *node, size_t indent) {
    buf *out = p->out;
    buf_put_repeated(out, ' ', indent);
    put_outcome(p, node->outcome);
    buf_put(out, STR("  "));
    put_log_text(out, node->text, false);
    buf_put_char(out, '\n');
    put_reasons(p, node, indent);
    for (const trace_node *c = node->child; c; c = c->next) put_node(p, c, indent + 2);
}

void why_tree_text(buf *out, const trace_node *root, bool color) {
    put_node(&(why_page){out, color}, root, 0);
}

static void put_verdict(const why_page *p, const file_verdict *v) {
    buf *out = p->out;
    buf_put(out, STR("Verdict:     "));
    paint(p, v->was_dropped_by_a_phase ? DIM : GREEN);
    if (!v->was_dropped_by_a_phase)
        buf_put(out, STR("kept"));
    else
        buf_put(out, v->dropped_by == PHASE_PARTITION ? STR("dropped by partition pruning") : STR("dropped by data skipping"));
    paint(p, PLAIN);
    buf_put_char(out, '\n');
}

static void put_rows(buf *out, const live_file *f) {
    buf_put(out, STR("Size:        "));
    put_size(out, f->size_bytes);
    if (f->stats.record_count_known) {
        buf_put(out, STR(", "));
        put_count(out, (uint64_t)f->stats.record_count);
        buf_put(out, f->stats.record_count == 1 ? STR(" record") : STR(" records"));
    }
    if (f->has_dv && f->dv_cardinality >= 0) buf_printf(out, ", %" PRId64 " of them deleted", f->dv_cardinality);
    else if (f->has_dv) buf_put(out, STR(", some of them deleted"));
    buf_put_char(out, '\n');
}

void why_print_name(void *context, buf *out, const file_verdict *v) {
    (void)context;
    put_log_text(out, v->file->path, false);
    if (str_is_none(v->file->dv_id)) return;
    buf_put_char(out, '#');
    put_log_text(out, v->file->dv_id, false);
}

void why_print_text(void *context, buf *out, const file_verdict *v) {
    const bool *color = context;
    buf_put(out, STR("File:        "));
    why_print_name(context, out, v);
    buf_put(out, STR("\nRecorded in: "));
    put_log_text(out, v->recorded_in, false);
    buf_put_char(out, '\n');
    put_rows(out, v->file);
    put_verdict(&(why_page){out, *color}, v);
    buf_put_char(out, '\n');
    why_tree_text(out, v->why, *color);
}

bool why_shows_note(const note *n) {
    return n->code == NOTE_CLOCK_READ || n->code == NOTE_ZONE_ASSUMED;
}

static void put_notes(buf *out, const prune_report *report, arena *query) {
    note_choice chosen = notes_choose(report, NOTE_OF_PREDICATE, false, query);
    bool has_title = false;
    for (size_t i = 0; i < chosen.count; i++) {
        if (!why_shows_note(chosen.item[i])) continue;
        if (!has_title) buf_put(out, STR("\nNotes:\n"));
        has_title = true;
        buf_printf(out, "[" STR_FMT "]: " STR_FMT "\n", STR_ARG(note_code_name(chosen.item[i]->code)), STR_ARG(chosen.item[i]->message));
    }
}

void why_text(const prune_report *report, const report_style *style, arena *query, report_document *out) {
    draft d;
    draft_init(&d, query, out);
    buf_printf(&d.tail, "Delta table: " STR_FMT "\nVersion:     %" PRId64 "\nPredicate:   ", STR_ARG(style->location),
               report->table->version);
    buf_put(&d.tail, report->where);
    buf_put_char(&d.tail, '\n');
    draft_put_spool(&d, report->files);
    put_notes(&d.tail, report, query);
    draft_end(&d);
}
