/* json.c - the JSON report, keys in alphabetical order, and the line of counters.
 * Called by: api.  Must not know: text reports, how anything was measured.
 *
 * Ours has the keys of the original and some more; what is added is written where `ours` is tested.
 */
#include "report/member.h"
#include "report/report_int.h"

/* The document of the original that the drop-in writes, and ours. */
#define SCHEMA_DROP_IN STR("0.6.0")
#define SCHEMA_OURS STR("1.0.0")

typedef struct json_page {
    draft draft;
    json_writer w;
    const prune_report *report;
    const report_style *style;
    arena *query;
    bool ours;
    place_cursor places; /* in the predicate */
} json_page;

/* --- notes --- */

static void put_place(json_page *p, const note *n) {
    json_put_key(&p->w, STR("place"));
    if (!n->has_place || !p->report->has_where) {
        json_put_null(&p->w);
        return;
    }
    text_place place = span_place_next(&p->places, p->report->where, n->at);
    json_begin_object(&p->w);
    member_count(&p->w, STR("column"), place.column);
    member_count(&p->w, STR("length"), place.length);
    member_count(&p->w, STR("line"), place.line);
    json_end_object(&p->w);
}

static void put_notes(json_page *p, str key, note_place part) {
    note_choice chosen = notes_choose(p->report, part, p->style->drop_in, p->query);
    json_put_key(&p->w, key);
    json_begin_array(&p->w);
    for (size_t i = 0; i < chosen.count; i++) {
        const note *n = chosen.item[i];
        json_begin_object(&p->w);
        member_text(&p->w, STR("code"), note_code_name(n->code));
        member_text(&p->w, STR("message"), n->message);
        if (p->ours) member_text(&p->w, STR("number"), note_code_number(n->code));
        if (p->ours && part == NOTE_OF_PREDICATE) put_place(p, n);
        if (p->ours) member_text(&p->w, STR("severity"), severity_name(note_code_severity(n->code)));
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
}

/* --- analysis --- */

static void put_coverage(json_page *p) {
    const prune_report *r = p->report;
    json_put_key(&p->w, STR("stats_coverage"));
    if (!r->coverage_available) {
        json_put_null(&p->w);
        return;
    }
    json_begin_array(&p->w);
    for (size_t i = 0; i < r->coverage_count; i++) {
        const coverage_row *row = &r->coverage[i];
        json_begin_object(&p->w);
        member_count(&p->w, STR("candidate_files"), row->candidate_files);
        member_text(&p->w, STR("column"), row->column);
        member_number(&p->w, STR("coverage_pct"), prune_percent(row->covered_files, row->candidate_files));
        member_count(&p->w, STR("covered_files"), row->covered_files);
        member_text(&p->w, STR("requirement"), row->requirement);
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
}

static void put_analysis(json_page *p) {
    const prune_report *r = p->report;
    json_put_key(&p->w, STR("analysis"));
    if (!r->has_where) {
        json_put_null(&p->w);
        return;
    }
    json_begin_object(&p->w);
    member_text(&p->w, STR("confidence"), confidence_name(r->confidence));
    put_notes(p, STR("notes"), NOTE_OF_PREDICATE);
    member_text(&p->w, STR("partition_exact"), r->partition_exact);
    member_text(&p->w, STR("partition_safe"), r->partition_safe);
    put_coverage(p);
    member_text(&p->w, STR("stats_safe"), r->stats_safe);
    member_text(&p->w, STR("unsplittable"), r->unsplittable);
    json_end_object(&p->w);
}

/* --- gates --- */

static str result_name(bool passed) {
    return passed ? STR("pass") : STR("fail");
}

static void put_assertions(json_page *p) {
    const prune_report *r = p->report;
    json_put_key(&p->w, STR("assertions"));
    json_begin_array(&p->w);
    if (r->has_min_pruning) {
        json_begin_object(&p->w);
        member_number(&p->w, STR("actual"), prune_percent(r->total_files - r->final_files, r->total_files));
        member_text(&p->w, STR("name"), STR("min_pruning"));
        member_text(&p->w, STR("result"), result_name(r->min_pruning_passed));
        member_number(&p->w, STR("threshold"), r->min_pruning);
        json_end_object(&p->w);
    }
    if (r->has_assert_stats) {
        json_begin_object(&p->w);
        member_count(&p->w, STR("missing_count"), r->files_without_stats);
        member_text(&p->w, STR("name"), STR("stats_complete"));
        member_text(&p->w, STR("result"), result_name(r->assert_stats_passed));
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
}

static str overall_result(const prune_report *r) {
    if (!r->has_min_pruning && !r->has_assert_stats) return STR_NONE;
    return result_name(report_passed(r));
}

/* --- diagnoses, files, phases --- */

static void put_explain(json_page *p) {
    json_put_key(&p->w, STR("explain"));
    json_begin_array(&p->w);
    for (const diagnosis *d = p->report->has_where ? p->report->diagnosis : NULL; d; d = d->next) {
        json_begin_object(&p->w);
        member_text(&p->w, STR("code"), note_code_name(d->code));
        member_text(&p->w, STR("message"), d->message);
        if (p->ours) member_text(&p->w, STR("number"), note_code_number(d->code));
        member_text(&p->w, STR("severity"), severity_name(note_code_severity(d->code)));
        member_text(&p->w, STR("suggestion"), d->suggestion);
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
}

/* The array is a spool of printed entries between two pieces of text; the writer takes its opening as a whole value. */
static void put_files(json_page *p) {
    json_put_key(&p->w, STR("files"));
    if (p->report->listed == 0) {
        json_begin_array(&p->w);
        json_end_array(&p->w);
    } else {
        json_put_raw(&p->w, STR("[\n"));
        draft_put_spool(&p->draft, p->report->files);
        buf_put(&p->draft.tail, STR("\n  ]"));
    }
    member_bool(&p->w, STR("files_truncated"), p->report->files_truncated);
}

static void put_phases(json_page *p) {
    json_put_key(&p->w, STR("phases"));
    json_begin_array(&p->w);
    for (size_t i = 0; i < p->report->phase_count; i++) {
        const prune_phase *phase = &p->report->phase[i];
        uint64_t dropped = phase->input_files - phase->output_files;
        json_begin_object(&p->w);
        member_text(&p->w, STR("confidence"), confidence_name(phase->confidence));
        member_count(&p->w, STR("input_files"), phase->input_files);
        member_text(&p->w, STR("name"), phase_name(phase->kind));
        member_count(&p->w, STR("output_files"), phase->output_files);
        member_text(&p->w, STR("predicate"), phase->predicate);
        member_count(&p->w, STR("pruned_files"), dropped);
        member_number(&p->w, STR("pruning_pct"), prune_percent(dropped, phase->input_files));
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
}

/* --- the table --- */

static void put_settings(json_page *p) {
    json_put_key(&p->w, STR("settings"));
    json_begin_object(&p->w);
    member_text(&p->w, STR("dialect"), p->style->dialect);
    member_text(&p->w, STR("level"), p->style->level == LEVEL_EXTENDED ? STR("extended") : STR("contract"));
    member_text(&p->w, STR("nan"), p->style->nan_strict ? STR("strict") : STR("trusted"));
    member_text(&p->w, STR("timezone"), p->style->timezone);
    json_end_object(&p->w);
}

static str stats_mode(const prune_report *r) {
    if (r->files_with_stats == 0) return STR("absent");
    return r->files_with_stats == r->total_files ? STR("exact") : STR("partial");
}

static void put_stats(json_page *p) {
    const prune_report *r = p->report;
    json_put_key(&p->w, STR("stats"));
    json_begin_object(&p->w);
    member_count(&p->w, STR("files_with_stats"), r->files_with_stats);
    member_text(&p->w, STR("mode"), stats_mode(r));
    member_number(&p->w, STR("pct"), prune_percent(r->files_with_stats, r->total_files));
    member_count(&p->w, STR("total_files"), r->total_files);
    json_end_object(&p->w);
}

static void put_features(json_page *p) {
    const snapshot *t = p->report->table;
    json_put_key(&p->w, STR("table_features"));
    json_begin_object(&p->w);
    if (t->is_clustered && (p->ours || t->clustering_in_commits)) {
        member_texts(&p->w, STR("clustering_columns"), t->clustering_column, t->clustering_column_count);
    } else {
        member_text(&p->w, STR("clustering_columns"), STR_NONE);
    }
    member_text(&p->w, STR("column_mapping_mode"), mapping_name(t->schema.mapping));
    json_put_key(&p->w, STR("deletion_vectors"));
    json_begin_object(&p->w);
    member_bool(&p->w, STR("enabled"), t->deletion_vectors_enabled);
    member_count(&p->w, STR("files_with_deletion_vectors"), p->report->files_with_dv);
    json_end_object(&p->w);
    member_bool(&p->w, STR("in_commit_timestamps"), t->in_commit_timestamps);
    put_notes(p, STR("notes"), NOTE_OF_FEATURE);
    member_texts(&p->w, STR("unrecognized_writer_features"), t->unrecognized_writer_feature,
                 t->unrecognized_writer_feature_count);
    json_end_object(&p->w);
}

/* Keys from `phases` on. */
static void put_rest(json_page *p) {
    const prune_report *r = p->report;
    put_phases(p);
    member_text(&p->w, STR("predicate"), r->has_where ? r->where : STR_NONE);
    member_text(&p->w, STR("result"), overall_result(r));
    member_text(&p->w, STR("schema_version"), p->ours ? SCHEMA_OURS : SCHEMA_DROP_IN);
    if (p->ours) put_settings(p);
    put_stats(p);
    member_text(&p->w, STR("table"), p->style->location);
    put_features(p);
    if (p->ours) put_notes(p, STR("table_notes"), NOTE_OF_TABLE);
    if (p->ours) member_text(&p->w, STR("tool"), STR("lakeproof"));
    member_text(&p->w, STR("tool_version"), p->style->tool_version);
    member_count(&p->w, STR("total_files"), r->total_files);
    member_number(&p->w, STR("total_pruning_pct"), prune_percent(r->total_files - r->final_files, r->total_files));
    json_put_key(&p->w, STR("version"));
    json_put_int(&p->w, r->table->version);
}

void report_json(const prune_report *report, const report_style *style, arena *query, report_document *out) {
    json_page page = {.report = report, .style = style, .query = query, .ours = !style->drop_in};
    draft_init(&page.draft, query, out);
    json_writer_init(&page.w, &page.draft.tail, 2);
    json_begin_object(&page.w);
    put_analysis(&page);
    put_assertions(&page);
    member_text(&page.w, STR("catalog"), STR_NONE); /* the original resolves names of a catalog; ours reads locations */
    json_put_key(&page.w, STR("elapsed_ms"));
    json_put_int(&page.w, style->elapsed_ms);
    if (report->has_diagnoses) put_explain(&page);
    if (style->verbose) put_files(&page);
    member_count(&page.w, STR("final_files"), report->final_files);
    put_rest(&page);
    json_end_object(&page.w);
    if (page.ours) buf_put_char(&page.draft.tail, '\n');
    draft_end(&page.draft);
}

void report_counters(const scan_counters *done, const report_counts *counts, arena *query, report_document *out) {
    draft d;
    json_writer w;
    draft_init(&d, query, out);
    json_writer_init(&w, &d.tail, 0);
    json_begin_object(&w);
    member_count(&w, STR("bytes_read"), counts->bytes_read);
    member_count(&w, STR("pages_decoded"), done->pages_decoded);
    member_count(&w, STR("values_decoded"), done->values_decoded);
    member_count(&w, STR("statistics_parsed"), done->statistics_parsed);
    member_count(&w, STR("files_seen"), done->files_seen);
    member_count(&w, STR("files_listed"), counts->files_listed);
    member_count(&w, STR("arena_peak_bytes"), counts->arena_peak_bytes);
    member_count(&w, STR("threads"), counts->threads);
    json_end_object(&w);
    buf_put_char(&d.tail, '\n');
    draft_end(&d);
}
