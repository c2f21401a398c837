/* sql_report.h - statements of SQL as documents: their trees, or their canonical text.
 * Called by: api.  Must not know: where the text came from.
 */
#ifndef REPORT_SQL_REPORT_H
#define REPORT_SQL_REPORT_H

#include "report/report.h"
#include "sql/parse.h"

typedef struct sql_style {
    bool as_json;
    bool as_text_of_sql; /* the statements printed again; else their trees */
    str text;            /* that was parsed */
    str dialect;
    str tool_version;
} sql_style;

/* Build the document in `query`: everything that the script holds. */
void sql_report(const sql_script *script, const sql_style *style, arena *query, report_document *out);

/* The messages of its errors, one after the other with an empty line between; no piece without errors. */
void sql_errors(const sql_script *script, arena *query, report_document *out);

#endif
