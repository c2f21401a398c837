/* verdict.h - what becomes of findings: reported, allowed, or known from a baseline; and notes about the run.
 * Called by: api/check.c.  Must not know: how findings are proved or printed.
 */
#ifndef API_VERDICT_H
#define API_VERDICT_H

#include "api/baseline.h"
#include "grain/allow.h"
#include "report/check_report.h"

/* One model, or a query, with what was found of it. */
typedef struct judged_model {
    str model; /* unique id, "" for a query */
    str text;  /* the SQL that was analysed */
    sql_dialect dialect;
    const finding *finding;
    size_t finding_count;
    fact_status status;
    str gap;             /* why, unless known, or of a sum that is not decided; "" when it was told of another model */
    const text_place *gap_place; /* NULL for none */
    /* Codes that are allowed in meta, with their reasons. */
    const struct meta_allow {
        str code, because;
    } *meta;
    size_t meta_count;
} judged_model;

typedef struct verdict {
    arena *owner;
    const place_finder *places;
    const check_choice *choice;
    baseline *known; /* NULL for none */
    check_report report;
    size_t finding_capacity, note_capacity, undecided_capacity;
} verdict;

/* Append a model to v->report. Models come in the order in which they are to be printed. */
MUST_USE lp_status verdict_take(verdict *v, const judged_model *m, lp_err *err);

/* A note about the run; `at` may be NULL. */
void verdict_note(verdict *v, note_code code, str text, str model, const shown_place *at);

/* Behind the last model. */
void verdict_end(verdict *v);

#endif
