/* op_project.c - a select list: computed columns beside those that are passed on; columns left out stay, hidden.
 * Called by: grain.c.  Must not know: what a query is for.
 */
#include "grain/op.h"

/* Wrappers through which a measure stays what it is. */
static bool keeps_measure(const plan_expr *e) {
    if (e->kind == EXPR_CAST) return true;
    return e->kind == EXPR_FUNCTION && (str_eq(e->name, STR("round")) || str_eq(e->name, STR("coalesce")) ||
                                        str_eq(e->name, STR("ifnull")) || str_eq(e->name, STR("nvl")) ||
                                        str_eq(e->name, STR("zeroifnull")));
}

static column_measure measure_of(grain_model *m, const plan_node *n, const plan_expr *e) {
    const plan_node *in = n->input[0];
    const facts *from = op_input(m, n, 0);
    while (keeps_measure(e) && e->arg_count) e = e->arg[0];
    if (e->kind != EXPR_COLUMN || !from->measure) return (column_measure){0};
    for (size_t i = 0; i < in->column_count; i++)
        if (in->column[i] == e->column) return from->measure[i];
    return (column_measure){0};
}

/* The column of USING in a full join. */
static void define_merged(grain_model *m, facts *f, column_id id, const plan_column *c) {
    colset from = op_single(m, c->source[0]);
    colset_add(&from, c->source[1], m->owner);
    facts_add_dependency(f, (fact_dependency){.from = from, .to = op_single(m, id)});
    op_define_merge(m, f, id, c->source[0], c->source[1]);
}

/* ---- row_number() ... = 1 AS is_latest, for a filter behind it ---- */

enum { MAX_FLAGS = 8 }; /* of one select list, and keys of each */

static bool may_fix_columns(const plan_expr *e) {
    if (e->is_volatile || !colset_is_empty(e->outer)) return false;
    return e->kind == EXPR_COMPARE || e->kind == EXPR_AND || e->kind == EXPR_IN || e->kind == EXPR_IS;
}

/* Among the rows where the flag is TRUE its condition holds: a key is shorter by what that makes constant. */
static void learn_flag(grain_model *m, facts *f, column_id flag, const plan_expr *e) {
    facts met = facts_copy(f);
    uint32_t count = f->key_count < MAX_FLAGS ? f->key_count : MAX_FLAGS;
    learn_condition(m, &met, e);
    colset fixed = facts_closure(&met, COLSET_EMPTY, CLOSURE_STRICT);
    for (uint32_t i = 0; i < count; i++) {
        const fact_key *k = &f->key[i];
        colset left = colset_difference(k->columns, fixed, m->owner);
        if (k->is_presumed || colset_count(left) == colset_count(k->columns)) continue;
        fact_conditional c = {.is_key = true, .columns = left, .needs = colset_intersection(k->needs, left, m->owner), .all = f->all,
                              .atom = {{.kind = ATOM_TRUE, .column = flag}}, .atom_count = 1};
        c.why = evidence_both(&m->evidence, k->why, condition_evidence(m, e));
        facts_add_conditional(f, &c);
    }
}

static void learn_flags(grain_model *m, const plan_node *n, facts *f) {
    size_t flags = 0;
    for (size_t i = 0; i < n->project.made_count && flags < MAX_FLAGS; i++) {
        const plan_expr *e = m->plan->column[n->project.made[i]].definition;
        if (!e || !may_fix_columns(e)) continue;
        learn_flag(m, f, n->project.made[i], e);
        flags++;
    }
}

facts op_project(grain_model *m, const plan_node *n) {
    facts f = facts_copy(op_input(m, n, 0));
    colset made = COLSET_EMPTY;
    for (size_t i = 0; i < n->project.made_count; i++) colset_add(&made, n->project.made[i], m->owner);
    f.all = colset_union(f.all, made, m->owner);
    for (size_t i = 0; i < n->project.made_count; i++) {
        const plan_column *c = &m->plan->column[n->project.made[i]];
        if (c->definition) op_define(m, &f, n->project.made[i], c->definition);
        else if (c->origin == COLUMN_MERGED && c->source_count == 2) define_merged(m, &f, n->project.made[i], c);
    }
    learn_flags(m, n, &f);
    op_carry(m, n, &f);
    for (size_t i = 0; i < n->column_count; i++) {
        const plan_column *c = &m->plan->column[n->column[i]];
        if (!colset_has(made, n->column[i]) || !c->definition) continue;
        f.grain[i] = op_is_placeholder(m, c->definition) ? (column_grain){0} : op_grain_of_expr(m, n, c->definition);
        f.measure[i] = measure_of(m, n, c->definition);
    }
    return f;
}
