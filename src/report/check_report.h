/* check_report.h - findings about models as a document: for people (text), programs (JSON), code scanning (SARIF) and the
 * log of a GitHub workflow.
 * Called by: api.  Must not know: how a finding was proved, where allowances and baselines come from.
 */
#ifndef REPORT_CHECK_REPORT_H
#define REPORT_CHECK_REPORT_H

#include "claim/note.h"
#include "grain/check.h"
#include "report/place.h"
#include "report/report.h"

typedef enum finding_fate {
    FATE_REPORTED,
    FATE_ALLOWED, /* by a comment in the SQL or by meta, with a reason */
    FATE_BASELINE /* it stands in the baseline */
} finding_fate;

typedef struct shown_finding {
    const finding *f;
    shown_place at;
    finding_fate fate;
    str because; /* FATE_ALLOWED */
} shown_finding;

/* Something about the run: an allowance without a reason, a selection that fits nothing. */
typedef struct check_note {
    note_code code;
    str text;
    str model;       /* "" for none */
    shown_place at;  /* exists is false when there is none */
} check_note;

/* A model, or a query, of which not everything could be told: where and why, at the lowest operator. */
typedef struct undecided {
    str model;
    bool is_partial;
    str reason;
    shown_place at;
} undecided;

typedef struct check_report {
    const shown_finding *finding; /* in the order in which they are printed */
    size_t finding_count;
    const check_note *note;
    size_t note_count;
    const undecided *undecided;
    size_t undecided_count;
    size_t known, partial, unknown; /* models, by what could be told */
    bool is_project;                /* else one query */
    bool has_baseline;              /* findings were held against one */
} check_report;

typedef struct check_style {
    bool color; /* text */
    const place_finder *places; /* of the joins that findings name */
    str subject;                /* the project or the file as the user named it */
    str tool_version;
} check_style;

/* In `query`; each ends with one newline, but for the workflow commands of a report without findings and notes: these have no
 * piece. */
void check_text(const check_report *report, const check_style *style, arena *query, report_document *out);
void check_json(const check_report *report, const check_style *style, arena *query, report_document *out);
/* OASIS, Static Analysis Results Interchange Format 2.1.0. */
void check_sarif(const check_report *report, const check_style *style, arena *query, report_document *out);
/* GitHub: Workflow commands for GitHub Actions. What is allowed or in the baseline has no command. */
void check_github(const check_report *report, const check_style *style, arena *query, report_document *out);

/* Findings of this severity that are reported, and notes too: a warning about the run is a warning. */
size_t check_report_count(const check_report *report, finding_severity severity);

str finding_severity_name(finding_severity severity); /* "error", "warning", "note" */
finding_severity severity_of_note(note_code code);

/* What a check finds, for `lakeproof help G001`: name, title and sentences. NUL-terminated. */
const char *finding_code_page(finding_code code);
const char *finding_code_help(finding_code code); /* the sentences */
/* By name, ignoring case; FINDING_CODE_COUNT when there is none. */
finding_code finding_code_find(str name);

/* "order_date, region", for messages. In `owner`. */
str check_list_text(const str *text, size_t count, arena *owner);

#endif
