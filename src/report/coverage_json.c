/* coverage_json.c - how much of a project is understood, as JSON, keys in alphabetical order.
 * Called by: api.  Must not know: text, how it was found out.
 */
#include "report/coverage_report.h"
#include "report/facts_report.h"
#include "report/grain_json.h"
#include "report/member.h"
#include "report/report_int.h"

#define COVERAGE_SCHEMA STR("1.0.0")

static void put_declarations(json_writer *w, const coverage *c) {
    json_put_key(w, STR("declarations"));
    json_begin_array(w);
    for (size_t i = 0; i < c->declaration_count; i++) {
        const declaration *d = c->declaration[i].d;
        json_begin_object(w);
        member_text(w, STR("fact"), declaration_text(d, w->out->owner));
        member_text(w, STR("file"), d->place.len ? d->place : STR_NONE);
        member_count(w, STR("models"), c->declaration[i].models);
        member_text(w, STR("origin"), d->origin);
        member_text(w, STR("tested"), d->tested_by.len ? d->tested_by : STR_NONE);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_guesses(json_writer *w, const coverage *c) {
    json_put_key(w, STR("guesses"));
    json_begin_array(w);
    for (size_t i = 0; i < c->guess_count; i++) {
        const coverage_guess *g = &c->guess[i];
        json_begin_object(w);
        member_texts(w, STR("columns"), g->column, g->column_count);
        member_count(w, STR("joins"), g->joins);
        member_text(w, STR("relation"), g->relation->unique_id);
        member_count(w, STR("unlocks"), g->unlocks);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_models(json_writer *w, const coverage *c, const coverage_style *style) {
    json_put_key(w, STR("models"));
    json_begin_array(w);
    for (size_t i = 0; i < c->model_count; i++) {
        const coverage_model *m = &c->model[i];
        shown_place at = coverage_place(m, style->places);
        json_begin_object(w);
        member_bool(w, STR("has_key"), m->has_key);
        member_text(w, STR("model"), m->relation->unique_id);
        member_bool(w, STR("own"), m->status != FACTS_KNOWN && m->is_own);
        json_put_key(w, STR("place"));
        grain_json_place(w, &at);
        member_text(w, STR("reason"), m->status == FACTS_KNOWN ? STR_NONE : m->reason);
        member_text(w, STR("status"), fact_status_name(m->status));
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_tests(json_writer *w, const coverage *c) {
    json_put_key(w, STR("proved_tests"));
    json_begin_array(w);
    for (size_t i = 0; i < c->test_count; i++) {
        const coverage_test *t = &c->test[i];
        json_begin_object(w);
        member_texts(w, STR("evidence"), t->chain, t->chain_count);
        member_text(w, STR("model"), t->relation->unique_id);
        member_text(w, STR("test"), t->fact->test_id);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_unused(json_writer *w, const coverage *c) {
    json_put_key(w, STR("unused"));
    json_begin_array(w);
    for (size_t i = 0; i < c->unused_count; i++) {
        const coverage_unused *u = &c->unused[i];
        json_begin_object(w);
        member_text(w, STR("origin"), u->origin.len ? u->origin : STR_NONE);
        member_text(w, STR("reason"), u->reason);
        member_text(w, STR("relation"), u->relation ? u->relation->unique_id : STR_NONE);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_summary(json_writer *w, const coverage *c) {
    coverage_counts n = coverage_count(c);
    json_put_key(w, STR("summary"));
    json_begin_object(w);
    member_count(w, STR("known"), n.status[FACTS_KNOWN]);
    member_count(w, STR("models"), c->model_count);
    member_count(w, STR("partial"), n.status[FACTS_PARTIAL]);
    member_count(w, STR("unknown"), n.status[FACTS_UNKNOWN]);
    member_count(w, STR("with_key"), n.with_key);
    json_end_object(w);
}

void coverage_json(const coverage *c, const coverage_style *style, arena *query, report_document *out) {
    draft d;
    json_writer w;
    draft_init(&d, query, out);
    json_writer_init(&w, &d.tail, 2);
    json_begin_object(&w);
    put_declarations(&w, c);
    put_guesses(&w, c);
    put_models(&w, c, style);
    put_tests(&w, c);
    member_text(&w, STR("schema_version"), COVERAGE_SCHEMA);
    member_text(&w, STR("subject"), style->subject);
    put_summary(&w, c);
    member_text(&w, STR("tool"), STR("lakeproof"));
    member_text(&w, STR("tool_version"), style->tool_version);
    put_unused(&w, c);
    member_text(&w, STR("yaml"), coverage_yaml(c, query));
    json_end_object(&w);
    buf_put_char(&d.tail, '\n');
    draft_end(&d);
}
