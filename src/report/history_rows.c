/* history_rows.c - rows of a history into their spool, whatever their form.
 * Called by: api.  Must not know: how a row looks.
 */
#include "report/history_report.h"
#include "report/report_int.h"

enum { SPOOL_BYTES = 16 << 20 };

history_rows *history_rows_new(const log_view *log, const history_summary *summary, const history_style *style,
                               arena *query) {
    history_rows *r = ARENA_NEW(query, history_rows);
    *r = (history_rows){.style = style,
                        .log = log,
                        .summary = summary,
                        .listing = spool_new(query, SPOOL_BYTES),
                        .json = json_reader_new(query),
                        .scratch = arena_child(query)};
    buf_init(&r->row, query, REPORT_TEXT_MAX);
    buf_init(&r->cell, query, REPORT_TEXT_MAX);
    return r;
}

lp_status history_put_version(void *context, const history_version *v, lp_err *err) {
    history_rows *r = context;
    buf_reset(&r->row);
    arena_reset(r->scratch);
    if (r->style->form == HISTORY_TEXT)
        history_text_version(r, v);
    else
        history_json_version(r, v);
    return spool_put(r->listing, buf_str(&r->row), err);
}

lp_status history_put_gap(void *context, const history_gap *g, lp_err *err) {
    history_rows *r = context;
    buf_reset(&r->row);
    arena_reset(r->scratch);
    if (r->style->form == HISTORY_TEXT)
        history_text_gap(r, g);
    else
        history_json_gap(r, g);
    return spool_put(r->listing, buf_str(&r->row), err);
}

void history_document(const history_rows *r, arena *query, report_document *out) {
    if (r->style->form == HISTORY_TEXT)
        history_text_document(r, query, out);
    else
        history_json_document(r, query, out);
}
