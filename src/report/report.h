/* report.h - a prune_report as a document for people (text) or programs (JSON), in pieces.
 * Called by: api; prune calls the listing printers through it.  Must not know: how the report was measured, where the
 * document goes.
 *
 * A listing may be gigabytes in a spool on disk, so a document is never assembled: it is a short list of pieces, each a
 * text or a whole spool, which report_document_write copies out in order and in blocks.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "prune/prune.h"

/* How to print. */
typedef struct report_style {
    bool drop_in;       /* exactly the layout, keys and note codes of delta-explain; else ours: the same and more */
    bool verbose;       /* the listings of the report are part of the document */
    bool color;         /* text: ANSI colours. They never change the text between them */
    str location;       /* the table as the user named it */
    str tool_version;   /* JSON */
    int64_t elapsed_ms; /* JSON */
    /* What the answer depends on besides table and predicate: JSON `settings`, ours only. */
    prune_level level;
    bool nan_strict;
    str dialect;        /* "spark" */
    str timezone;       /* "UTC" */
} report_style;

typedef struct report_piece {
    str text;
    const spool *spooled; /* NULL: the piece is `text` */
} report_piece;

typedef struct report_document {
    report_piece piece[12]; /* two listings with text around them, and room */
    size_t count;
} report_document;

/* Build the document in `query`; it borrows from the report and lives as long. It ends with one newline, but for the JSON
 * of the original, which has none. Needs a report made with the listing kind that the format prints: LISTING_PHASES for
 * text, LISTING_FILES for JSON; without its spools a verbose document has no listing. */
void report_text(const prune_report *report, const report_style *style, arena *query, report_document *out);
void report_json(const prune_report *report, const report_style *style, arena *query, report_document *out);

/* One `ASSERTION FAILED: ...` line a failed gate, with the files that lack statistics below the second. No piece when
 * nothing failed. The same under both names. */
void report_gates(const prune_report *report, arena *query, report_document *out);
bool report_passed(const prune_report *report); /* no gate failed, or none was asked for */

/* What was done, for --counters: one line of JSON with a newline behind it. */
typedef struct report_counts {
    uint64_t bytes_read, files_listed, arena_peak_bytes;
    unsigned threads;
} report_counts;
void report_counters(const scan_counters *done, const report_counts *counts, arena *query, report_document *out);

/* Takes the next bytes; false stops. The same shape as lp_write. */
typedef bool (*report_sink)(void *context, const char *bytes, size_t size);

/* Hand out all pieces in order. LP_ERR_IO when the sink stops or a spool cannot be read back. */
MUST_USE lp_status report_document_write(const report_document *document, report_sink sink, void *context, lp_err *err);

/* --- listings: one file a call, from worker threads --- */

/* Read-only after it was made, so any number of threads may print with it. */
typedef struct file_listing file_listing;

/* For a table and a name. Columns are shown by their logical names under both names (the original shows physical ones
 * under column mapping). Lives in `query`. */
file_listing *file_listing_new(const schema *table, bool drop_in, bool color, arena *query);

/* As prune_options.print, with a `file_listing *` as the context: see prune.h for what the scan must have requested.
 *   text: `  [KEPT   ] x.parquet  (1.1 KB  3 records)  partition(country=IT)  stats(age: 41..65)`
 *   JSON: one object of the array `files`, indented for its place in the document. */
void listing_print_text(void *context, buf *out, const file_verdict *v);
void listing_print_json(void *context, buf *out, const file_verdict *v);
/* prune_options.listing_separator that belongs to them. */
#define LISTING_SEPARATOR_TEXT STR("\n")
#define LISTING_SEPARATOR_JSON STR(",\n")

#endif
