/* leaf.c - cursors that are used again.
 * Called by: delta/checkpoint_rows.c, stats_parsed.c.  Must not know: what the column is for.
 */
#include "delta/leaf.h"

lp_status leaf_open(leaf *l, pq_file *f, size_t group, const pq_node *node, bool want_values, arena *keep,
                    lp_err *err) {
    l->node = node;
    l->skipped = 0;
    if (!node) return LP_OK;
    if (l->cursor) return pq_cursor_reopen(l->cursor, f, group, node->leaf_index, want_values, err);
    return pq_cursor_new(f, group, node->leaf_index, want_values, keep, &l->cursor, err);
}

static lp_status ends_early(const leaf *l, lp_err *err) {
    return err_set(err, LP_ERR_FORMAT, "column " STR_FMT " of a checkpoint ends before its row group does",
                   STR_ARG(l->node->name));
}

static lp_status catch_up(leaf *l, lp_err *err) {
    uint64_t rows = l->skipped;
    l->skipped = 0;
    if (rows == 0) return LP_OK;
    lp_status status = pq_cursor_skip(l->cursor, rows, err);
    return status == LP_ERR_USAGE ? ends_early(l, err) : status; /* it has fewer rows */
}

lp_status leaf_rows_at_once(leaf *l, uint64_t *rows, lp_err *err) {
    TRY(catch_up(l, err));
    return pq_cursor_rows_in_page(l->cursor, rows, err);
}

lp_status leaf_read(leaf *l, size_t max_rows, pq_slice *out, lp_err *err) {
    TRY(catch_up(l, err));
    TRY(pq_cursor_read(l->cursor, max_rows, out, err));
    if (out->row_count > 0) return LP_OK;
    return ends_early(l, err);
}
