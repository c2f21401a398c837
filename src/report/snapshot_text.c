/* snapshot_text.c - a snapshot as a story for people.
 * Called by: api.  Must not know: JSON, how a snapshot is resolved or counted.
 */
#include <inttypes.h>

#include "report/report_int.h"
#include "report/snapshot_report.h"

typedef struct text_page {
    draft draft;
    buf *out; /* where the next text goes */
    const snapshot *s;
    const census *c;
    const snapshot_style *style;
} text_page;

static void put_head(text_page *p) {
    buf_printf(p->out, "Delta table: " STR_FMT "\n", STR_ARG(p->style->location));
    buf_printf(p->out, "Version:     %" PRId64 "\n", p->s->version);
}

static void put_totals(text_page *p) {
    buf_put(p->out, STR("\nFiles in snapshot: "));
    put_count(p->out, p->c->files);
    buf_put_char(p->out, '\n');
}

void snapshot_text(const snapshot *s, const census *c, const snapshot_style *style, arena *query,
                   report_document *out) {
    text_page page = {.s = s, .c = c, .style = style};
    draft_init(&page.draft, query, out);
    page.out = &page.draft.tail;
    put_head(&page);
    put_totals(&page);
    draft_end(&page.draft);
}
