/* proof_report.h - the proof of a claim about rows, or what is missing for it, as a document.
 * Called by: api.  Must not know: how it was proved.
 */
#ifndef REPORT_PROOF_REPORT_H
#define REPORT_PROOF_REPORT_H

#include "grain/prove.h"
#include "report/place.h"
#include "report/report.h"

typedef enum claim_kind { CLAIM_KEY, CLAIM_NOT_NULL, CLAIM_NO_FAN_OUT } claim_kind;

typedef struct shown_claim {
    claim_kind kind;
    const str *column;
    size_t column_count;
    str model; /* "" for a query */
    const grain_proof *proof;
    str tool_version;
} shown_claim;

void proof_text(const shown_claim *claim, arena *query, report_document *out);
void proof_json(const shown_claim *claim, arena *query, report_document *out);

/* "(a, b) is a key of the rows". */
str proof_claim_text(const shown_claim *claim, arena *query);

#endif
