/* baseline.h - the findings that were there when somebody drew a line: only newer ones are reported.
 * Called by: api/check.c.  Must not know: how findings are proved.
 *
 * The file is JSON: {"findings": [{"code", "fingerprint", "message", "model"}], "schema_version", "tool"}, in the order of
 * fingerprints, one finding a line, so that two of them can be compared and merged. Only fingerprints count when it is read.
 */
#ifndef API_BASELINE_H
#define API_BASELINE_H

#include "base/err.h"
#include "base/map.h"
#include "report/check_report.h"

typedef struct baseline {
    map known; /* fingerprint to baseline_entry */
} baseline;

typedef struct baseline_entry {
    bool is_met; /* a finding has it */
} baseline_entry;

/* `text` must have JSON_PADDING readable bytes behind it. LP_ERR_FORMAT: not such a file; the message names it. */
MUST_USE lp_status baseline_read(arena *owner, str text, str name, baseline *out, lp_err *err);

/* Is the finding in it? Then the entry is met. */
bool baseline_meet(baseline *b, str fingerprint);
size_t baseline_count_unmet(const baseline *b);

/* The file for these findings: those that are allowed are left out. */
void baseline_write(const check_report *report, arena *query, report_document *out);

#endif
