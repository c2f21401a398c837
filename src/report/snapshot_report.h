/* snapshot_report.h - a snapshot and its census as a document: the story for people (text) or programs (JSON), or the
 * listing of its files.
 * Called by: api.  Must not know: how a snapshot is resolved or counted.
 */
#ifndef REPORT_SNAPSHOT_REPORT_H
#define REPORT_SNAPSHOT_REPORT_H

#include "delta/checksum.h"
#include "delta/disk.h"
#include "report/file_rows.h"
#include "report/report.h"

typedef struct snapshot_style {
    bool color;       /* text: ANSI colours. They never change the text between them */
    str location;     /* the table as the user named it */
    str tool_version; /* JSON */
    const version_checksum *checksum; /* of the version, compared with what was counted */
    const commit_info *commit; /* of the version; NULL where its commit does not tell or is gone */
    const disk_report *disk;   /* JSON: adds the object `disk`; NULL for none */
} snapshot_style;

/* The JSON document, keys in alphabetical order. A census with a listing of form FILE_ROWS_JSON adds the array `files`. It
 * borrows from snapshot and census, and lives in `query`. */
void snapshot_json(const snapshot *s, const census *c, const snapshot_style *style, arena *query, report_document *out);

/* The story as text, with nothing in it that is empty. Likewise. */
void snapshot_text(const snapshot *s, const census *c, const snapshot_style *style, arena *query, report_document *out);

/* The listing alone, in any form but JSON: header, rows, and in text a line with the sums. */
void snapshot_files(const snapshot *s, const census *c, const file_rows *rows, const snapshot_style *style, arena *query,
                    report_document *out);

#endif
