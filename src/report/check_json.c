/* check_json.c - findings as JSON, keys in alphabetical order.
 * Called by: api.  Must not know: text, how a finding was proved.
 */
#include "report/check_report.h"
#include "report/grain_json.h"
#include "report/member.h"
#include "report/report_int.h"

#define CHECK_SCHEMA STR("1.0.0")

static str fate_name(finding_fate fate) {
    switch (fate) {
    case FATE_REPORTED: return STR("reported");
    case FATE_ALLOWED: return STR("allowed");
    case FATE_BASELINE: return STR("baseline");
    }
    UNREACHABLE();
}

static void put_model(json_writer *w, str model) {
    member_text(w, STR("model"), model.len ? model : STR_NONE);
}

static void put_place(json_writer *w, const shown_place *at) {
    json_put_key(w, STR("place"));
    grain_json_place(w, at);
}

static void put_finding(json_writer *w, const shown_finding *shown, const place_finder *places) {
    const finding *f = shown->f;
    json_begin_object(w);
    member_text(w, STR("allowed_because"), shown->fate == FATE_ALLOWED ? shown->because : STR_NONE);
    member_text(w, STR("code"), finding_code_name(f->code));
    member_text(w, STR("column"), f->column.len ? f->column : STR_NONE);
    member_texts(w, STR("evidence"), f->evidence, f->evidence_count);
    member_text(w, STR("expression"), f->expression.len ? f->expression : STR_NONE);
    member_text(w, STR("fingerprint"), f->fingerprint);
    member_texts(w, STR("group"), f->group, f->group_count);
    json_put_key(w, STR("joins"));
    grain_json_joins(w, f->join, f->join_count, places);
    grain_json_leans_on(w, f->leans_on, f->leans_on_count);
    member_text(w, STR("message"), f->text);
    put_model(w, f->model);
    member_texts(w, STR("native_grain"), f->native, f->native_count);
    put_place(w, &shown->at);
    member_text(w, STR("severity"), finding_severity_name(f->severity));
    member_text(w, STR("state"), fate_name(shown->fate));
    member_text(w, STR("suggestion"), f->suggestion.len ? f->suggestion : STR_NONE);
    json_end_object(w);
}

static void put_findings(json_writer *w, const check_report *report, const check_style *style) {
    json_put_key(w, STR("findings"));
    json_begin_array(w);
    for (size_t i = 0; i < report->finding_count; i++) put_finding(w, &report->finding[i], style->places);
    json_end_array(w);
}

static void put_notes(json_writer *w, const check_report *report) {
    json_put_key(w, STR("notes"));
    json_begin_array(w);
    for (size_t i = 0; i < report->note_count; i++) {
        const check_note *n = &report->note[i];
        json_begin_object(w);
        member_text(w, STR("code"), note_code_name(n->code));
        member_text(w, STR("message"), n->text);
        put_model(w, n->model);
        member_text(w, STR("number"), note_code_number(n->code));
        put_place(w, &n->at);
        member_text(w, STR("severity"), finding_severity_name(severity_of_note(n->code)));
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_undecided(json_writer *w, const check_report *report) {
    json_put_key(w, STR("undecided"));
    json_begin_array(w);
    for (size_t i = 0; i < report->undecided_count; i++) {
        const undecided *u = &report->undecided[i];
        json_begin_object(w);
        put_model(w, u->model);
        put_place(w, &u->at);
        member_text(w, STR("reason"), u->reason);
        member_text(w, STR("status"), u->is_partial ? STR("partial") : STR("unknown"));
        json_end_object(w);
    }
    json_end_array(w);
}

static size_t count_of(const check_report *report, finding_fate fate) {
    size_t count = 0;
    for (size_t i = 0; i < report->finding_count; i++) count += report->finding[i].fate == fate;
    return count;
}

static void put_summary(json_writer *w, const check_report *report) {
    json_put_key(w, STR("summary"));
    json_begin_object(w);
    member_count(w, STR("allowed"), count_of(report, FATE_ALLOWED));
    member_count(w, STR("baseline"), count_of(report, FATE_BASELINE));
    member_count(w, STR("errors"), check_report_count(report, FINDING_ERROR));
    member_count(w, STR("known"), report->known);
    member_count(w, STR("notes"), check_report_count(report, FINDING_NOTE));
    member_count(w, STR("partial"), report->partial);
    member_count(w, STR("unknown"), report->unknown);
    member_count(w, STR("warnings"), check_report_count(report, FINDING_WARNING));
    json_end_object(w);
}

void check_json(const check_report *report, const check_style *style, arena *query, report_document *out) {
    draft d;
    json_writer w;
    draft_init(&d, query, out);
    json_writer_init(&w, &d.tail, 2);
    json_begin_object(&w);
    put_findings(&w, report, style);
    put_notes(&w, report);
    member_text(&w, STR("schema_version"), CHECK_SCHEMA);
    member_text(&w, STR("subject"), style->subject);
    put_summary(&w, report);
    member_text(&w, STR("tool"), STR("lakeproof"));
    member_text(&w, STR("tool_version"), style->tool_version);
    put_undecided(&w, report);
    json_end_object(&w);
    buf_put_char(&d.tail, '\n');
    draft_end(&d);
}
