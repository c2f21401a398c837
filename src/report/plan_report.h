/* plan_report.h - the plans of a text of SQL as a document.
 * Called by: api.  Must not know: where the text and the declarations came from.
 */
#ifndef REPORT_PLAN_REPORT_H
#define REPORT_PLAN_REPORT_H

#include "plan/plan.h"
#include "report/report.h"
#include "sql/parse.h"

/* A statement and its plan; NULL when it holds no query. */
typedef struct planned_statement {
    const sql_statement *statement;
    const plan *plan;
} planned_statement;

typedef struct plan_style {
    bool as_json;
    str text; /* that was parsed */
    str dialect;
    str tool_version;
} plan_style;

/* Build the document in `query`, in the order of `list`. */
void plan_report(const planned_statement *list, size_t count, const plan_style *style, arena *query,
                 report_document *out);

#endif
