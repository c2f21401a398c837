/* disk_report.h - the log against the folder as a document for people (text) or programs (JSON).
 * Called by: api, report/snapshot_json.c; delta/disk.c calls the printers of rows through it.  Must not know: how the folder was
 * looked at, where the document goes.
 */
#ifndef REPORT_DISK_REPORT_H
#define REPORT_DISK_REPORT_H

#include "delta/disk.h"
#include "json/json_writer.h"
#include "report/report.h"

typedef struct disk_style {
    bool color;
    str location;
} disk_style;

/* Live files that are missing, outside ones included, or not of the size that the log says. */
uint64_t disk_faulty_files(const disk_report *r);

void disk_text(const disk_report *r, const disk_style *style, arena *query, report_document *out);
/* The listing alone, one object a line. */
void disk_ndjson(const disk_report *r, arena *query, report_document *out);
/* One `ASSERTION FAILED: ...` line if a file is faulty, else nothing. */
void disk_gates(const disk_report *r, arena *query, report_document *out);

/* As disk_options.print, with its separator. The context of text is a `const disk_row_style *`. */
typedef struct disk_row_style {
    bool color;
    int64_t now_ms;
} disk_row_style;
void disk_row_text(void *context, buf *out, const disk_file *f);
void disk_row_json(void *context, buf *out, const disk_file *f);   /* an entry of disk.files, indented for its place */
void disk_row_ndjson(void *context, buf *out, const disk_file *f);
#define DISK_SEPARATOR_TEXT   STR("\n")
#define DISK_SEPARATOR_JSON   STR(",\n")
#define DISK_SEPARATOR_NDJSON STR("\n")

str disk_state_name(disk_state state); /* "removed", "uncommitted", ... */

#endif
