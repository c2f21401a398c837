/* history_json.c - a history as one JSON document, keys in alphabetical order, or as one object a line.
 * Called by: api, history_rows.c.  Must not know: how the log was read.
 */
#include "report/history_report.h"
#include "report/member.h"
#include "report/report_int.h"
#include "report/snapshot_parts.h"

#define HISTORY_SCHEMA STR("1.0.0")

static void member_int(json_writer *w, str key, int64_t number) {
    json_put_key(w, key);
    json_put_int(w, number);
}

/* An object as it was written, but for carriage returns between its tokens: a row is one line. */
static void member_object(history_rows *r, json_writer *w, str key, str text) {
    json_put_key(w, key);
    if (str_is_none(text)) {
        json_put_null(w);
        return;
    }
    buf_reset(&r->cell);
    for (size_t at; str_find_char(text, '\r', &at); text = str_slice(text, at + 1, text.len)) {
        buf_put(&r->cell, str_slice(text, 0, at));
        buf_put_char(&r->cell, ' ');
    }
    buf_put(&r->cell, text);
    json_put_raw(w, buf_str(&r->cell));
}

static str source_key(time_source source) {
    switch (source) {
    case TIME_UNKNOWN: return STR_NONE;
    case TIME_OF_FILE: return STR("file");
    case TIME_IN_COMMIT: return STR("in_commit");
    }
    UNREACHABLE();
}

static void put_time_members(history_rows *r, json_writer *w, const history_version *v) {
    bool known = v->time_source != TIME_UNKNOWN;
    buf_reset(&r->cell);
    if (known) put_time(&r->cell, v->time_ms);
    member_text(w, STR("time"), known ? buf_str(&r->cell) : STR_NONE);
    member_int_or_null(w, STR("time_ms"), known, v->time_ms);
    member_text(w, STR("time_source"), source_key(v->time_source));
}

static void put_checkpoints(json_writer *w, const history_version *v) {
    json_put_key(w, STR("checkpoints"));
    json_begin_array(w);
    for (size_t i = 0; i < v->checkpoint_count; i++) {
        const history_checkpoint *c = &v->checkpoint[i];
        json_begin_object(w);
        member_bool(w, STR("complete"), c->is_complete);
        member_text(w, STR("file"), c->file);
        member_count(w, STR("files"), c->file_count);
        member_text(w, STR("kind"), checkpoint_kind_key(c->kind, c->is_json));
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_version(history_rows *r, json_writer *w, const history_version *v, bool is_line) {
    const commit_info *c = &v->info;
    json_begin_object(w);
    if (is_line) member_bool(w, STR("can_be_rebuilt"), true);
    put_checkpoints(w, v);
    member_text(w, STR("engine"), c->engine);
    member_object(r, w, STR("metrics"), c->metrics);
    member_text(w, STR("operation"), c->operation);
    member_object(r, w, STR("parameters"), c->parameters);
    member_text(w, STR("problem"), v->problem);
    put_time_members(r, w, v);
    member_text(w, STR("user"), c->user);
    member_int(w, STR("version"), v->version);
    json_end_object(w);
}

static void put_gap(json_writer *w, const history_gap *g, bool is_line) {
    json_begin_object(w);
    if (is_line) member_bool(w, STR("can_be_rebuilt"), false);
    member_int(w, STR("first_version"), g->first);
    member_int(w, STR("last_version"), g->last);
    member_text(w, STR("missing"), g->missing);
    json_end_object(w);
}

/* ---- one object a line; in the document the array of versions has one a line too ---- */

void history_json_version(history_rows *r, const history_version *v) {
    bool is_line = r->style->form == HISTORY_NDJSON;
    json_writer w;
    json_writer_init(&w, &r->row, 0);
    if (!is_line) buf_put(&r->row, spool_size(r->listing) ? STR(",\n    ") : STR("    "));
    put_version(r, &w, v, is_line);
    if (is_line) buf_put_char(&r->row, '\n');
}

/* In the document gaps are an array of their own. */
void history_json_gap(history_rows *r, const history_gap *g) {
    if (r->style->form != HISTORY_NDJSON) return;
    json_writer w;
    json_writer_init(&w, &r->row, 0);
    put_gap(&w, g, true);
    buf_put_char(&r->row, '\n');
}

/* ---- the document ---- */

static void put_gaps(json_writer *w, const history_summary *s) {
    json_put_key(w, STR("gaps"));
    json_begin_array(w);
    for (size_t i = 0; i < s->gap_count; i++) put_gap(w, &s->gap[i], false);
    json_end_array(w);
}

static void put_rows(draft *d, json_writer *w, const history_rows *r) {
    json_put_key(w, STR("versions"));
    if (spool_size(r->listing) == 0) {
        json_begin_array(w);
        json_end_array(w);
        return;
    }
    json_put_raw(w, STR("[\n"));
    draft_put_spool(d, r->listing);
    buf_put(&d->tail, STR("\n  ]"));
}

static void put_document(const history_rows *r, draft *d) {
    json_writer w;
    json_writer_init(&w, &d->tail, 2);
    json_begin_object(&w);
    put_gaps(&w, r->summary);
    member_int_or_null(&w, STR("in_commit_timestamps_from"), r->log->clock.is_in_commit, r->log->clock.first_in_commit);
    member_text(&w, STR("schema_version"), HISTORY_SCHEMA);
    member_text(&w, STR("table"), r->style->location);
    member_text(&w, STR("tool"), STR("lakeproof"));
    member_text(&w, STR("tool_version"), r->style->tool_version);
    member_count(&w, STR("version_count"), r->summary->version_count);
    put_rows(d, &w, r);
    member_bool(&w, STR("versions_truncated"), r->summary->listed_count < r->summary->version_count);
    json_end_object(&w);
    buf_put_char(&d->tail, '\n');
}

void history_json_document(const history_rows *r, arena *query, report_document *out) {
    draft d;
    draft_init(&d, query, out);
    if (r->style->form == HISTORY_NDJSON)
        draft_put_spool(&d, r->listing);
    else
        put_document(r, &d);
    draft_end(&d);
}
