/* check_g002.c - a declared grain that the SQL need not keep.
 * Called by: check.c.  Must not know: other checks.
 *
 * The rows of the model have a known key that does not follow from the declared grain: two rows may agree on it. What a dbt test
 * checks is left to it: a grain of meta is what nobody looks at.
 */
#include "grain/check_int.h"

static bool find_result(const checking *c, str name, column_id *id) {
    const plan *p = c->m->plan;
    for (size_t i = 0; i < p->result_count; i++)
        if (str_eq_nocase(p->result[i].name, name)) {
            *id = p->result[i].column;
            return true;
        }
    return false;
}

static bool grain_columns(const checking *c, const declaration *d, colset *out) {
    for (size_t i = 0; i < d->column_count; i++) {
        column_id id;
        if (!find_result(c, d->column[i], &id)) return false;
        colset_add(out, id, c->m->owner);
    }
    return true;
}

static void tell(checking *c, const declaration *d, const fact_key *key) {
    const plan_node *root = c->m->plan->root;
    finding *f = check_new(c, FINDING_G002, root->at);
    f->group = d->column, f->group_count = d->column_count;
    f->native = check_names(c, key->columns, &f->native_count);
    check_reasons(c, f, NULL, key->why);
    str grain = check_joined(c, d->column, d->column_count), native = check_joined(c, f->native, f->native_count);
    f->column = grain;
    f->text = str_format(c->out->owner, "the declared grain (" STR_FMT ") need not hold: the rows are told apart by (" STR_FMT
                         "), and two of them may agree on (" STR_FMT ")",
                         STR_ARG(grain), STR_ARG(native), STR_ARG(grain));
    f->suggestion = str_format(c->out->owner, "group by the declared grain, keep one row for each of its values, or declare (" STR_FMT ")",
                               STR_ARG(native));
    check_fingerprint(c, f, native);
}

void check_g002(checking *c) {
    const facts *rows = grain_facts_of(c->m, c->m->plan->root);
    if (rows->status == FACTS_UNKNOWN || c->m->plan->result_is_open) return;
    const fact_key *key = facts_best_key(rows);
    for (size_t i = 0; key && i < c->own.count; i++) {
        const declaration *d = c->own.item[i];
        colset grain = COLSET_EMPTY;
        bool is_grain = d->kind == DECLARED_KEY && d->is_usable && str_starts_with(d->origin, STR("meta."));
        if (!is_grain || !grain_columns(c, d, &grain)) continue;
        if (facts_is_superkey(rows, grain, (closure_mode){.not_null = grain, .with_presumed = true}, NULL)) continue;
        colset told = facts_closure(rows, grain, (closure_mode){.not_null = grain, .with_presumed = true});
        if (op_is_told_by_open(c->m->plan->root, rows, colset_difference(key->columns, told, c->m->owner), grain)) continue;
        tell(c, d, key);
    }
}
