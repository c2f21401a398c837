/* snapshot_files.c - the listing of a snapshot's files as a document of its own.
 * Called by: api.  Must not know: how a snapshot is resolved or counted.
 */
#include "report/report_int.h"
#include "report/snapshot_report.h"

void snapshot_files(const snapshot *s, const census *c, const file_rows *rows, const snapshot_style *style,
                    arena *query, report_document *out) {
    (void)s;
    (void)style;
    draft d;
    draft_init(&d, query, out);
    file_rows_put_header(rows, &d.tail);
    draft_put_spool(&d, c->listing);
    if (c->files > 0) buf_put(&d.tail, file_rows_end(rows));
    draft_end(&d);
}
