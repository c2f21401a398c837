/* why_report.h - the evidence for one file as a document for people (text) or programs (JSON).
 * Called by: api, report/listing.c; prune through prune_options.print.  Must not know: how the evidence was found, where
 * the document goes.
 */
#ifndef REPORT_WHY_REPORT_H
#define REPORT_WHY_REPORT_H

#include "prune/trace.h"
#include "report/report.h"

/* The tree, one node a line, below each what it rests on and, in a kept file, what keeps it. Each line ends with a newline.
 * ANSI colours never change the text between them. */
void why_tree_text(buf *out, const trace_node *root, bool color);

/* The tree as the value of a key: its first line goes on where the text stands, the others have `indent` blanks or more. */
void why_tree_json(buf *out, const trace_node *root, size_t indent);

/* As prune_options.print, for a report about one file; the context is a `const bool *`: colours. For JSON use listing_print_json. */
void why_print_text(void *context, buf *out, const file_verdict *v);

/* The documents, made of a report with LISTING_FILES, explain_files and only_file. They end with one newline. */
void why_text(const prune_report *report, const report_style *style, arena *query, report_document *out);
void why_json(const prune_report *report, const report_style *style, arena *query, report_document *out);

/* Notes that matter to the evidence: on which time and zone it depends. */
bool why_shows_note(const note *n);

/* As prune_options.print: `PATH#ID`, or the path of a file without vector. */
void why_print_name(void *context, buf *out, const file_verdict *v);

#endif
