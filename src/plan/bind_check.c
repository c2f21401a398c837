/* bind_check.c - a condition of a table's definition, over the columns of a scan.
 * Called by: grain.  Must not know: queries.
 */
#include "plan/bind_int.h"

lp_status plan_bind_over(arena *owner, str text, sql_dialect dialect, const column_id *column, const str *name,
                         size_t count, const ast *from, const plan_expr **out, lp_err *err) {
    binder b = {.owner = owner, .text = text, .rules = scope_rules_of(dialect), .dialect = dialect, .err = err};
    column_id last = 0;
    for (size_t i = 0; i < count; i++)
        if (column[i] > last) last = column[i];
    for (column_id id = 0; id <= last; id++) (void)bind_column(&b, (plan_column){.origin = COLUMN_BASE});
    draft *top = bind_node(&b, PLAN_SCAN, from->at, NULL, 0);
    relation *r = relation_new(&b, top);
    for (size_t i = 0; i < count; i++) {
        draft_add(&b, top, column[i]);
        relation_add(&b, r, (plain_name){name[i], false}, column[i]);
    }
    scope *s = scope_new(&b, NULL, top);
    scope_add_relation(&b, s, r);
    TRY(bind_expr(&b, s, PLACE_ROW, from, out));
    if (s->top == top && b.node_count == 1) return LP_OK;
    return err_set(err, LP_ERR_QUERY, "a condition of a table with a query in it");
}
