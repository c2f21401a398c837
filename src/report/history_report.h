/* history_report.h - the versions of a table as a document: text, JSON, or one JSON object a line.
 * Called by: api.  Must not know: how the log was read.
 *
 * Versions may be many: rows are printed one by one into a spool, and the document is put around it.
 */
#ifndef REPORT_HISTORY_REPORT_H
#define REPORT_HISTORY_REPORT_H

#include "delta/history.h"
#include "json/json.h"
#include "report/report.h"

typedef enum history_form { HISTORY_TEXT, HISTORY_JSON, HISTORY_NDJSON } history_form;

typedef struct history_style {
    history_form form;
    bool color;       /* text: ANSI colours. They never change the text between them */
    str location;     /* the table as the user named it */
    str tool_version; /* JSON */
} history_style;

/* What the rows are printed into. */
typedef struct history_rows {
    const history_style *style;
    const log_view *log;
    const history_summary *summary;
    spool *listing;
    buf row;           /* the one under way */
    buf cell;          /* a text that a row needs for a moment */
    json_reader *json; /* text: takes metrics apart */
    arena *scratch;    /* of one row */
} history_rows;

/* In `query`. */
history_rows *history_rows_new(const log_view *log, const history_summary *summary, const history_style *style,
                               arena *query);

/* As history_visitor, with a `history_rows *` as the context. */
lp_status history_put_version(void *context, const history_version *v, lp_err *err);
lp_status history_put_gap(void *context, const history_gap *g, lp_err *err);

/* The document around the rows. It borrows from them and lives in `query`. */
void history_document(const history_rows *rows, arena *query, report_document *out);

/* The parts of the two kinds of forms. */
void history_text_version(history_rows *r, const history_version *v);
void history_text_gap(history_rows *r, const history_gap *g);
void history_text_document(const history_rows *r, arena *query, report_document *out);
void history_json_version(history_rows *r, const history_version *v);
void history_json_gap(history_rows *r, const history_gap *g);
void history_json_document(const history_rows *r, arena *query, report_document *out);

#endif
