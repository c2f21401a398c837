/* history_text.c - a history for people: a line a version, and below it what else is known.
 * Called by: history_rows.c.  Must not know: JSON documents, how the log was read.
 *
 *     3  2024-01-04T00:00:00.000Z  WRITE
 *        numFiles=1, numOutputRows=10
 *        by Apache-Spark/3.5.3 Delta-Lake/3.2.0
 *        checkpoint: classic, multi-part in 2 files
 */
#include <inttypes.h>

#include "report/history_report.h"
#include "report/report_int.h"
#include "report/snapshot_parts.h"

/* Of the metrics of one commit a report for people shows so many. JSON has all. */
enum { MOST_METRICS = 16 };

/* ---- a version ---- */

static void begin_line(history_rows *r) {
    buf_put(&r->row, STR("\n        "));
}

/* A number, a string without its quotes, anything else as it is written. False on damage. */
static bool put_metric_value(history_rows *r, str metrics) {
    json_token t = json_next(r->json);
    size_t from = json_offset(r->json);
    if (t.kind == JSON_ERROR || !json_skip(r->json)) return false;
    bool is_container = t.kind == JSON_OBJECT_BEGIN || t.kind == JSON_ARRAY_BEGIN;
    str text = t.kind == JSON_STRING   ? json_unescape(r->scratch, t)
               : t.kind == JSON_NUMBER ? t.text
               : t.kind == JSON_TRUE   ? STR("true")
               : t.kind == JSON_FALSE  ? STR("false")
               : is_container          ? str_slice(metrics, from, json_offset(r->json) + 1)
                                       : STR("null");
    put_log_text(&r->row, text, false);
    return true;
}

static void put_metrics(history_rows *r, str metrics) {
    lp_err unused;
    if (str_is_none(metrics) || json_start(r->json, metrics, &unused) != LP_OK) return;
    if (json_next(r->json).kind != JSON_OBJECT_BEGIN) return;
    size_t count = 0;
    for (json_token t; (t = json_next(r->json)).kind == JSON_KEY; count++) {
        if (count >= MOST_METRICS) {
            if (!json_skip(r->json)) return;
            continue;
        }
        if (count == 0)
            begin_line(r);
        else
            buf_put(&r->row, STR(", "));
        put_log_text(&r->row, json_unescape(r->scratch, t), false);
        buf_put_char(&r->row, '=');
        if (!put_metric_value(r, metrics)) return;
    }
    if (count > MOST_METRICS) buf_printf(&r->row, ", and %zu more (JSON has all)", count - MOST_METRICS);
}

static void put_checkpoints(history_rows *r, const history_version *v) {
    if (v->checkpoint_count == 0) return;
    begin_line(r);
    buf_put(&r->row, STR("checkpoint: "));
    for (size_t i = 0; i < v->checkpoint_count; i++) {
        const history_checkpoint *c = &v->checkpoint[i];
        if (i) buf_put(&r->row, STR(", "));
        buf_put(&r->row, checkpoint_kind_name(c->kind, c->is_json));
        if (c->file_count > 1) buf_printf(&r->row, " in %zu files", c->file_count);
        if (!c->is_complete) buf_put(&r->row, STR(" (incomplete)"));
    }
}

static void put_line_of(history_rows *r, str label, str text) {
    if (str_is_none(text)) return;
    begin_line(r);
    buf_put(&r->row, label);
    put_log_text(&r->row, text, false);
}

void history_text_version(history_rows *r, const history_version *v) {
    buf_printf(&r->row, r->style->color ? "\x1b[1m%6" PRId64 "\x1b[0m  " : "%6" PRId64 "  ", v->version);
    if (v->time_source == TIME_UNKNOWN)
        buf_put(&r->row, STR("time unknown            "));
    else
        put_time(&r->row, v->time_ms);
    if (v->time_source == TIME_IN_COMMIT) buf_put(&r->row, STR(" (in commit)"));
    buf_put(&r->row, STR("  "));
    if (str_is_none(v->info.operation))
        buf_put(&r->row, v->has_commit_info ? STR("no operation") : STR("no commitInfo"));
    else
        put_log_text(&r->row, v->info.operation, false);
    put_metrics(r, v->info.metrics);
    put_line_of(r, STR("by "), v->info.engine);
    put_checkpoints(r, v);
    put_line_of(r, STR("problem: "), v->problem);
    buf_put_char(&r->row, '\n');
}

/* ---- around them ---- */

static void put_versions(buf *out, int64_t first, int64_t last) {
    buf_printf(out, first == last ? "version %" PRId64 : "versions %" PRId64, first);
    if (first != last) buf_printf(out, " to %" PRId64, last);
}

void history_text_gap(history_rows *r, const history_gap *g) {
    buf_put(&r->row, STR("        "));
    put_versions(&r->row, g->first, g->last);
    buf_put(&r->row, STR(" cannot be rebuilt: "));
    buf_put(&r->row, g->missing);
    buf_put(&r->row, STR(" is missing\n"));
}

static void put_clock(const history_rows *r, buf *out) {
    const commit_clock *c = &r->log->clock;
    buf_put(out, STR("Times:       "));
    if (!c->is_in_commit)
        buf_put(out, STR("of the commit files"));
    else if (c->has_enablement)
        buf_printf(out, "in the commits from version %" PRId64 " on, of the commit files before", c->first_in_commit);
    else
        buf_put(out, STR("in the commits"));
    buf_put_char(out, '\n');
}

static void put_counts(const history_rows *r, buf *out) {
    const history_summary *s = r->summary;
    buf_put(out, STR("Versions:    "));
    put_count(out, s->version_count);
    buf_put(out, STR(" can be rebuilt"));
    if (s->listed_count < s->version_count) {
        buf_put(out, STR(", the newest "));
        put_count(out, s->listed_count);
        buf_put(out, STR(" are listed"));
    }
    buf_put(out, STR("\n\n"));
}

void history_text_document(const history_rows *r, arena *query, report_document *out) {
    draft d;
    draft_init(&d, query, out);
    buf_put(&d.tail, STR("Delta table: "));
    put_log_text(&d.tail, r->style->location, false);
    buf_put_char(&d.tail, '\n');
    put_clock(r, &d.tail);
    put_counts(r, &d.tail);
    draft_put_spool(&d, r->listing);
    draft_end(&d);
}
