/* history.c - the view LP_VIEW_HISTORY of lp_snapshot: the versions of a table.
 * Called by: snapshot.c.  Must not know: command lines.
 */
#include "api/api_int.h"
#include "report/history_report.h"

static history_form form_of(lp_format format) {
    return format == LP_FORMAT_JSON ? HISTORY_JSON : format == LP_FORMAT_NDJSON ? HISTORY_NDJSON : HISTORY_TEXT;
}

static lp_status history_body(lp_report *report, const void *options, lp_err *err) {
    const lp_snapshot_options *o = options;
    lp_table *t = report->table;
    arena *query = &report->query;
    history_options how = {t->has_last, t->last, o->has_limit, o->limit};
    history_style style = {.form = form_of(o->format),
                           .color = o->color,
                           .location = o->location ? str_from(o->location) : t->location,
                           .tool_version = STR(LAKEPROOF_VERSION)};
    log_view log;
    history_summary summary;
    TRY(snapshot_open_log(query, t->files, &log, err));
    TRY(history_summarize(&log, &how, query, &summary, err));
    history_rows *rows = history_rows_new(&log, &summary, &style, query);
    history_visitor visitor = {rows, history_put_version, history_put_gap};
    TRY(history_walk(&log, t->files, &how, &visitor, query, err));
    history_document(rows, query, &report->document);
    report_count_work(report, &(scan_counters){0}, 0);
    return LP_OK;
}

lp_status history_report(lp_table *table, const lp_snapshot_options *options, lp_report **out, lp_err *err) {
    *out = NULL;
    if (options->format >= LP_FORMAT_CSV) return err_set(err, LP_ERR_USAGE, "a history is text, json or ndjson");
    return report_run_on_log(table, history_body, options, out, err);
}
