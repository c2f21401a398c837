/* bind_check.c - a condition of a table's definition, over the columns of a scan.
 * Called by: grain.  Must not know: queries.
 */
#include "plan/bind_int.h"

/* It is bound over columns that are numbered from 0, however many the plan has, and then gets the ids of the scan. The tree
 * is new, and nobody has seen it. */
static void renumber(plan_expr *e, const column_id *column, arena *owner) {
    colset columns = COLSET_EMPTY;
    column_id id = 0;
    for (; colset_next(e->columns, id, &id); id++) colset_add(&columns, column[id], owner);
    e->columns = columns;
    if (e->kind == EXPR_COLUMN) e->column = column[e->column];
    for (size_t i = 0; i < e->arg_count; i++) renumber((plan_expr *)(uintptr_t)e->arg[i], column, owner);
}

lp_status plan_bind_over(arena *owner, str text, sql_dialect dialect, const column_id *column, const str *name,
                         size_t count, const ast *from, const plan_expr **out, lp_err *err) {
    binder b = {.owner = owner, .text = text, .rules = scope_rules_of(dialect), .dialect = dialect, .err = err};
    draft *top = bind_node(&b, PLAN_SCAN, from->at, NULL, 0);
    relation *r = relation_new(&b, top);
    for (size_t i = 0; i < count; i++) {
        column_id id = bind_column(&b, (plan_column){.origin = COLUMN_BASE});
        draft_add(&b, top, id);
        relation_add(&b, r, (plain_name){name[i], false}, id);
    }
    scope *s = scope_new(&b, NULL, top);
    scope_add_relation(&b, s, r);
    TRY(bind_expr(&b, s, PLACE_ROW, from, out));
    if (s->top != top || b.node_count != 1)
        return err_set(err, LP_ERR_QUERY, "a condition of a table with a query in it");
    renumber((plan_expr *)(uintptr_t)*out, column, owner);
    return LP_OK;
}
