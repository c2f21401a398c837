/* facts_report.h - what is known of the rows of a query or a model, as a document for people (text) or programs (JSON).
 * Called by: api.  Must not know: how a fact was proved, where declarations come from.
 */
#ifndef REPORT_FACTS_REPORT_H
#define REPORT_FACTS_REPORT_H

#include "grain/grain.h"
#include "report/place.h"
#include "report/report.h"

typedef struct facts_style {
    bool with_tree; /* every operator with its facts, too */
    bool in_list;   /* JSON: one line, without what is the same for all models (schema_version, ...) */
    const place_finder *places;
    str dialect;
    str tool_version;
} facts_style;

/* The facts of the result of a finished analysis, appended to `out`. `scratch` is for temporaries of the call. The text and the
 * JSON end with a newline. */
void facts_text(buf *out, const grain_model *m, const facts_style *style, arena *scratch);
void facts_json(buf *out, const grain_model *m, const facts_style *style, arena *scratch);

/* The same of a model without a plan: all is unknown, for this reason. */
void facts_text_unknown(buf *out, str model, str reason);
void facts_json_unknown(buf *out, str model, str reason, const facts_style *style);

/* ---- one fact a row: what both forms print ---- */

typedef enum fact_row_kind {
    ROW_KEY,
    ROW_LAX_KEY,
    ROW_DEPENDENCY,
    ROW_LAX_DEPENDENCY,
    ROW_EQUAL,
    ROW_CONSTANT,
    ROW_CONSTANT_OR_NULL,
    ROW_NOT_NULL,
    ROW_COVERS,
    ROW_WITHIN,
    ROW_LAX_WITHIN
} fact_row_kind;

typedef struct fact_row {
    fact_row_kind kind;
    const uint32_t *column; /* positions in stated_facts.column */
    size_t column_count;
    const uint32_t *to; /* dependencies */
    size_t to_count;
    bool is_entity;
    str relation; /* inclusions */
    const str *there;
    evidence_id why;
} fact_row;

/* In the order of the kinds. In `scratch`. */
const fact_row *fact_rows(const stated_facts *f, arena *scratch, size_t *count);
str fact_row_name(fact_row_kind kind); /* "key", "lax_key": of JSON */

/* "known", "partial", "unknown". */
str fact_status_name(fact_status status);

/* Where a declaration was made, each once, as one text: "meta.cardinal.grain; dbt test unique_orders_id"; "the SQL itself" when
 * there is none. */
str fact_origin(const declaration *const *leans_on, size_t count, arena *scratch);

#endif
