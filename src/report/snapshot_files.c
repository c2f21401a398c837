/* snapshot_files.c - the listing of a snapshot's files as a document of its own.
 * Called by: api.  Must not know: how a snapshot is resolved or counted.
 */
#include <inttypes.h>

#include "report/report_int.h"
#include "report/snapshot_report.h"

/* Text is for people: it says of which table and version, and how many. The other forms are rows alone. */
static void put_head(const snapshot *s, const census *c, const snapshot_style *style, buf *out) {
    buf_put(out, STR("Delta table: "));
    put_log_text(out, style->location, false);
    buf_printf(out, "\nVersion:     %" PRId64 "\n\nFiles in snapshot: ", s->version);
    put_count(out, c->files);
    buf_put(out, c->files > 0 ? STR("\n\n") : STR("\n"));
}

void snapshot_files(const snapshot *s, const census *c, const file_rows *rows, const snapshot_style *style,
                    arena *query, report_document *out) {
    bool is_text = file_rows_is_text(rows);
    draft d;
    draft_init(&d, query, out);
    if (is_text) put_head(s, c, style, &d.tail);
    if (!is_text || c->files > 0) file_rows_put_header(rows, &d.tail);
    draft_put_spool(&d, c->listing);
    if (c->files > 0) buf_put(&d.tail, file_rows_end(rows));
    draft_end(&d);
}
