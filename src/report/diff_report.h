/* diff_report.h - the difference of two versions as a document for people (text) or programs (JSON).
 * Called by: api; delta/diff.c calls the printer of rows through it.  Must not know: how the difference was found, where the
 * document goes.
 */
#ifndef REPORT_DIFF_REPORT_H
#define REPORT_DIFF_REPORT_H

#include "delta/diff.h"
#include "report/report.h"

typedef struct diff_style {
    bool color;       /* text: ANSI colours. They never change the text between them */
    str location;     /* the table as the user named it */
    str tool_version; /* JSON */
    /* JSON `settings`: what the answer depends on besides table and predicate. */
    prune_level level;
    bool nan_strict;
    str timezone;
} diff_style;

/* What the predicate reads on one side. */
typedef struct diff_reading {
    const prune_report *measured; /* NULL: it cannot be asked there */
    str why;                      /* then the message; else STR_NONE */
} diff_reading;

typedef struct diff_answer {
    const snapshot_diff *diff;
    bool has_where;
    str where;
    diff_reading before, after; /* with has_where; at least one of them was measured */
    bool has_max_growth;
    double max_growth; /* percent */
} diff_answer;

/* Files read on each side: those that the predicate keeps, all without one. False where it cannot be asked. */
bool diff_files_read(const diff_answer *a, bool after, uint64_t *files);

/* How many more files are read after than before, in percent; negative for less. Infinite where nothing was read before.
 * False where one side has no answer. */
bool diff_growth(const diff_answer *a, double *percent);

bool diff_passed(const diff_answer *a); /* no gate failed, or none was asked for. A growth that is not known fails */

/* The documents; they live in `query` and borrow from the answer. Gates: one `ASSERTION FAILED: ...` line, or nothing. */
void diff_text(const diff_answer *a, const diff_style *style, arena *query, report_document *out);
void diff_json(const diff_answer *a, const diff_style *style, arena *query, report_document *out);
void diff_gates(const diff_answer *a, arena *query, report_document *out);

/* As diff_options.print and its separator. The context of text is a `const bool *`: colours. */
void diff_row_text(void *context, buf *out, const diff_file *f);
void diff_row_json(void *context, buf *out, const diff_file *f);
#define DIFF_SEPARATOR_TEXT STR("\n")
#define DIFF_SEPARATOR_JSON STR(",\n")

#endif
