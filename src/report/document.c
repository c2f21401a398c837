/* document.c - a document as pieces, and how it is handed out.
 * Called by: report/text.c, report/json.c, api.  Must not know: what the pieces say.
 */
#include <assert.h>

#include "report/report_int.h"

void draft_init(draft *d, arena *query, report_document *document) {
    d->document = document;
    document->count = 0;
    buf_init(&d->tail, query, REPORT_TEXT_MAX);
}

static void add_piece(report_document *document, report_piece piece) {
    assert(document->count < sizeof document->piece / sizeof document->piece[0]);
    document->piece[document->count++] = piece;
}

/* The text so far becomes a piece; a fresh buffer follows, since the piece borrows the old one. */
static void cut_text(draft *d) {
    if (d->tail.len == 0) return;
    add_piece(d->document, (report_piece){.text = buf_str(&d->tail)});
    buf_init(&d->tail, d->tail.owner, REPORT_TEXT_MAX);
}

void draft_put_spool(draft *d, const spool *spooled) {
    if (!spooled || spool_size(spooled) == 0) return;
    cut_text(d);
    add_piece(d->document, (report_piece){.spooled = spooled});
}

void draft_end(draft *d) {
    cut_text(d);
}

static lp_status stopped(lp_err *err) {
    return err_set(err, LP_ERR_IO, "the report could not be written to its end");
}

static lp_status write_spool(const spool *spooled, report_sink sink, void *context, lp_err *err) {
    char block[32768];
    uint64_t size = spool_size(spooled);
    for (uint64_t at = 0; at < size;) {
        size_t step = size - at < sizeof block ? (size_t)(size - at) : sizeof block;
        TRY(spool_read(spooled, at, block, step, err));
        if (!sink(context, block, step)) return stopped(err);
        at += step;
    }
    return LP_OK;
}

lp_status report_document_write(const report_document *document, report_sink sink, void *context, lp_err *err) {
    for (size_t i = 0; i < document->count; i++) {
        const report_piece *piece = &document->piece[i];
        if (piece->spooled) TRY(write_spool(piece->spooled, sink, context, err));
        else if (!sink(context, piece->text.ptr, piece->text.len)) return stopped(err);
    }
    return LP_OK;
}
