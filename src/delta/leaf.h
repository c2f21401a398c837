/* leaf.h - one leaf column of a checkpoint under way: a cursor that is used again from row group to row group.
 * Called by: delta/checkpoint_rows.c, stats_parsed.c.  Must not know: what the column is for.
 */
#ifndef DELTA_LEAF_H
#define DELTA_LEAF_H

#include "parquet/parquet.h"

typedef struct leaf {
    const pq_node *node; /* NULL: the file has no such column, every row is null */
    pq_cursor *cursor;
    uint64_t skipped; /* rows passed over that the cursor does not know of yet */
} leaf;

/* Stand before the first row of a row group; `node` may be NULL. Buffers are in `keep`. */
MUST_USE lp_status leaf_open(leaf *l, pq_file *f, size_t group, const pq_node *node, bool want_values, arena *keep,
                             lp_err *err);

/* How many rows one leaf_read can give (pq_cursor_rows_in_page). 0 at the end of the row group. */
MUST_USE lp_status leaf_rows_at_once(leaf *l, uint64_t *rows, lp_err *err);

/* Up to max_rows rows, at least one: a column that ends before its row group does is LP_ERR_FORMAT. */
MUST_USE lp_status leaf_read(leaf *l, size_t max_rows, pq_slice *out, lp_err *err);

/* Pass over rows, at no cost until the next read. */
static inline void leaf_pass(leaf *l, uint64_t rows) {
    l->skipped += rows;
}

/* Is the value of level entry i there? */
static inline bool leaf_has_value(const leaf *l, const pq_slice *s, size_t i) {
    return !s->def || s->def[i] == l->node->max_def;
}

static inline size_t leaf_peak_bytes(const leaf *l) {
    return l->cursor ? pq_cursor_peak_bytes(l->cursor) : 0;
}

#endif
