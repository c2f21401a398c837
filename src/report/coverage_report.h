/* coverage_report.h - how much of a project is understood, as a document.
 * Called by: api.  Must not know: how it was found out.
 */
#ifndef REPORT_COVERAGE_REPORT_H
#define REPORT_COVERAGE_REPORT_H

#include "grain/coverage.h"
#include "report/place.h"
#include "report/report.h"

typedef struct coverage_style {
    const place_finder *places;
    str subject; /* the project as the user named it */
    str tool_version;
} coverage_style;

void coverage_text(const coverage *c, const coverage_style *style, arena *query, report_document *out);
void coverage_json(const coverage *c, const coverage_style *style, arena *query, report_document *out);

/* The guessed keys as dbt tests, a YAML document; "" without guesses. In `query`. */
str coverage_yaml(const coverage *c, arena *query);

typedef struct coverage_counts {
    size_t status[FACTS_UNKNOWN + 1];
    size_t with_key;
} coverage_counts;
coverage_counts coverage_count(const coverage *c);

/* The place of what stopped the analysis of a model, or none. */
shown_place coverage_place(const coverage_model *m, const place_finder *places);

#endif
