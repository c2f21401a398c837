/* op_aggregate.c - GROUP BY: one row a group.
 * Called by: grain.c.  Must not know: where the groups come from.
 *
 * A column that the groups determine has one value in each group: it stays, and so does every dependency among such
 * columns. The groups become a key.
 */
#include "grain/op.h"

typedef struct aggregation {
    grain_model *m;
    const plan_node *node;
    const facts *in;
    facts *f;
    colset group;
    bool is_global;    /* no groups: one row, also over no rows */
    bool one_row_each; /* the groups are a superkey of the rows below */
    evidence_id why;
} aggregation;

static bool is_pick(str name) { /* its value is one of the group's values */
    return str_eq(name, STR("min")) || str_eq(name, STR("max")) || str_eq(name, STR("any_value")) ||
           str_eq(name, STR("arbitrary"));
}

static bool has_filter(const plan_expr *e) {
    const ast_call *call = op_call(e);
    return e->is_filtered || (call && (call->filter || call->having));
}

static bool is_distinct(const plan_expr *e) {
    const ast_call *call = op_call(e);
    return call && call->quantity == SQL_QUANTITY_DISTINCT;
}

/* ---- facts of one aggregate ---- */

static void pick(aggregation *a, column_id made, const plan_expr *e) {
    column_id of = e->arg[0]->column;
    facts *f = a->f;
    bool determined = colset_has(f->all, of) && !a->is_global;
    if (determined) facts_add_equal(f, made, of);
    colset self = op_single(a->m, made), whose = op_single(a->m, of);
    evidence_id why = EVIDENCE_SQL;
    if (facts_is_superkey(a->in, whose, (closure_mode){.not_null = whose}, &why))
        facts_add_key(f, (fact_key){.columns = self, .needs = self, .why = evidence_both(&a->m->evidence, a->why, why)});
    for (uint32_t i = 0, n = a->in->inclusion_count; i < n; i++) {
        const fact_inclusion *in = &a->in->inclusion[i];
        if (in->is_covers || (in->is_lax && !in->of_parts && in->pair_count > 1)) continue;
        for (size_t k = 0; k < in->pair_count; k++) {
            if (in->pair[k].here != of) continue;
            inclusion_pair *pair = ARENA_NEW(a->m->owner, inclusion_pair);
            *pair = (inclusion_pair){made, in->pair[k].there};
            facts_add_inclusion(f, (fact_inclusion){.is_lax = true, .relation = in->relation, .pair = pair, .pair_count = 1, .why = in->why});
        }
    }
}

static void count_one(aggregation *a, column_id made, const plan_expr *e) {
    bool counts_rows = str_eq(e->name, STR("count")) && !has_filter(e) &&
                       (e->arg_count == 0 || (e->arg_count == 1 && expr_is_not_null(&a->m->expr, a->in, e->arg[0])));
    if (counts_rows && a->one_row_each && !a->is_global)
        facts_add_constant(a->f, op_single(a->m, made), a->why);
}

static void define_aggregate(aggregation *a, column_id made) {
    const plan_expr *e = a->m->plan->column[made].definition;
    if (!e) return;
    op_note_outer(a->f, e);
    if (!op_ignores_order(e->name)) a->f->is_repeatable = false;
    if (expr_aggregate_is_not_null(&a->m->expr, a->in, e, a->is_global ? a->in->rows.min > 0 : true))
        facts_add_not_null(a->f, op_single(a->m, made), EVIDENCE_SQL);
    if (is_pick(e->name) && e->arg_count == 1 && e->arg[0]->kind == EXPR_COLUMN && !has_filter(e)) pick(a, made, e);
    count_one(a, made, e);
}

/* ---- measures and grains ---- */

static bool is_sum(str name) {
    return str_eq(name, STR("sum")) || str_eq(name, STR("fsum")) || str_eq(name, STR("sum_no_overflow"));
}

static bool is_non_additive(str name) {
    static const char *const list[] = {"avg", "mean", "favg", "median", "percentile", "percentile_cont", "percentile_disc",
                                       "percentile_approx", "approx_percentile", "approx_quantile", "approx_quantiles",
                                       "quantile", "quantile_cont", "quantile_disc", "stddev", "stddev_pop",
                                       "stddev_samp", "variance", "var_pop", "var_samp", "corr", "mode"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (str_eq(name, str_from(list[i]))) return true;
    return false;
}

/* Of so many columns it is asked which ones the others tell. */
enum { MAX_APART = 32 };

static void count_distinct(aggregation *a, const plan_expr *e, column_measure *measure) {
    closure_mode mode = {.with_presumed = true};
    measure->class = MEASURE_DISTINCT_COUNT;
    measure->has_apart = colset_count(a->group) <= MAX_APART;
    if (!measure->has_apart) return;
    measure->apart = a->group;
    column_id id = 0;
    for (; colset_next(a->group, id, &id); id++) {
        colset fewer = colset_difference(measure->apart, op_single(a->m, id), a->m->owner);
        colset from = colset_union(e->columns, fewer, a->m->owner);
        mode.not_null = from;
        if (colset_is_subset(a->group, facts_closure(a->in, from, mode))) measure->apart = fewer;
    }
}

static column_measure measure_of(aggregation *a, const plan_expr *e) {
    column_measure measure = {.model = a->m->name, .text = span_text(a->m->text, e->at)};
    bool counts = str_eq(e->name, STR("count"));
    if (is_sum(e->name))
        measure.class = MEASURE_SUM;
    else if (is_non_additive(e->name))
        measure.class = MEASURE_NON_ADDITIVE;
    else if (str_starts_with(e->name, STR("approx_count_distinct")) || str_eq(e->name, STR("approx_distinct")) ||
             (counts && is_distinct(e)))
        count_distinct(a, e, &measure);
    else if (counts)
        measure.class = MEASURE_COUNT;
    return measure;
}

static void give_grain(aggregation *a, size_t i, column_id id) {
    column_grain *g = &a->f->grain[i];
    const plan_expr *e = a->m->plan->column[id].origin == COLUMN_AGGREGATE ? a->m->plan->column[id].definition : NULL;
    if (e) {
        a->f->measure[i] = measure_of(a, e);
        *g = (column_grain){0};
        if (is_pick(e->name) && e->arg_count == 1) *g = op_grain_of_expr(a->m, a->node, e->arg[0]);
        g->open = NULL; /* told by the group */
    }
    bool keeps = g->is_known && colset_is_subset(g->native, a->f->all);
    if (!keeps) *g = (column_grain){.is_known = !a->node->is_open, .native = a->group, .why = a->why, .open = g->open};
    g->repeated = (site_list){0};
}

static void give_grains(aggregation *a) {
    const plan_node *n = a->node;
    op_carry(a->m, n, a->f);
    for (size_t i = 0; i < n->column_count; i++) give_grain(a, i, n->column[i]);
}

/* ---- the operator ---- */

/* ROLLUP and its like: a group's columns are NULL in some of the rows, and the sets overlap. */
static facts grouping_sets(grain_model *m, const plan_node *n) {
    facts f;
    facts_init(&f, m->owner, &m->evidence);
    f.all = op_columns(m, n);
    for (size_t i = 0; i < n->aggregate.group_count; i++) colset_add(&m->torn, n->aggregate.group[i], m->owner);
    f.outer = op_input(m, n, 0)->outer;
    f.is_repeatable = op_input(m, n, 0)->is_repeatable;
    facts_weaken(&f, FACTS_UNKNOWN, (fact_gap){.what = STR("GROUPING SETS"), .at = n->at, .node = n});
    f.grain = ARENA_ARRAY(m->owner, column_grain, n->column_count + 1);
    f.measure = ARENA_ARRAY(m->owner, column_measure, n->column_count + 1);
    return f;
}

/* GROUP BY of constants alone has no group over no rows. */
static row_bounds group_bounds(const aggregation *a) {
    if (a->node->aggregate.is_global) return (row_bounds){1, 1};
    row_bounds in = a->in->rows;
    return (row_bounds){in.min ? 1 : 0, a->is_global && in.max > 1 ? 1 : in.max};
}

facts op_aggregate(grain_model *m, const plan_node *n) {
    const plan_aggregate *g = &n->aggregate;
    if (g->has_sets) return grouping_sets(m, n);
    facts f = facts_copy(op_input(m, n, 0));
    aggregation a = {.m = m, .node = n, .in = op_input(m, n, 0), .f = &f,
                     .is_global = !n->is_open && (g->is_global || g->group_count == 0)};
    for (size_t i = 0; i < g->group_count; i++) colset_add(&a.group, g->group[i], m->owner);
    a.why = evidence_add(&m->evidence, (evidence){.kind = EVIDENCE_GROUP_BY, .at = n->at, .columns = a.group});
    colset keep = colset_union(facts_closure(&f, a.group, CLOSURE_STRICT), a.group, m->owner);
    if (n->is_open) facts_weaken(&f, FACTS_PARTIAL, (fact_gap){.what = STR("groups by columns that are not known"), .at = n->at, .node = n, .is_of_keys = true});
    a.one_row_each = facts_is_superkey(&f, a.group, CLOSURE_STRICT, NULL);
    op_keys_to_dependencies(&f);
    facts_restrict(&f, keep);
    if (a.is_global) { /* over no rows there is a row all the same */
        evidence_id why = a.why;
        row_bounds rows = a.in->rows;
        colset outer = f.outer;
        bool repeatable = f.is_repeatable;
        fact_status status = f.status;
        fact_gap gap = f.gap;
        facts_init(&f, m->owner, &m->evidence);
        f.outer = outer, f.is_repeatable = repeatable, f.rows = rows, f.status = status, f.gap = gap;
        a.why = why;
    }
    f.rows = group_bounds(&a);
    f.all = colset_union(f.all, op_columns(m, n), m->owner);
    if (!n->is_open) facts_add_key(&f, (fact_key){.columns = a.group, .why = a.why});
    for (size_t i = 0; i < g->made_count; i++) define_aggregate(&a, g->made[i]);
    give_grains(&a);
    return f;
}
