/* check_g004.c - a sum of what does not add: averages, percentiles, distinct counts whose parts can overlap.
 * Called by: check.c.  Must not know: other checks.
 */
#include "grain/check_int.h"

static const column_measure *measure_of(checking *c, const plan_node *n, const plan_expr *e) {
    const plan_node *in = n->input[0];
    const facts *rows = grain_facts_of(c->m, in);
    while ((e->kind == EXPR_CAST || (e->kind == EXPR_FUNCTION && (str_eq(e->name, STR("coalesce")) || str_eq(e->name, STR("round"))))) &&
           e->arg_count)
        e = e->arg[0];
    if (e->kind != EXPR_COLUMN || !rows->measure) return NULL;
    for (size_t i = 0; i < in->column_count; i++)
        if (in->column[i] == e->column) return &rows->measure[i];
    return NULL;
}

/* `fixed`: what one group of the sum fixes. */
static bool does_not_add(const column_measure *m, colset fixed) {
    if (m->class == MEASURE_DISTINCT_COUNT) return !m->has_apart || !colset_is_subset(m->apart, fixed);
    return m->class == MEASURE_NON_ADDITIVE;
}

static void tell(checking *c, const summed *sum, const column_measure *measure) {
    arena *owner = c->out->owner;
    finding *f = check_new(c, FINDING_G004, sum->call->at);
    f->expression = check_line(c, span_text(c->m->text, sum->call->at));
    f->column = check_line(c, span_text(c->m->text, sum->call->arg[0]->at));
    f->group = check_names(c, sum->group, &f->group_count);
    str what = check_line(c, measure->text);
    bool distinct = measure->class == MEASURE_DISTINCT_COUNT;
    f->text = str_format(owner, STR_FMT " adds up " STR_FMT "%s" STR_FMT ": %s", STR_ARG(f->expression), STR_ARG(what),
                         measure->model.len && !str_eq(measure->model, c->m->name) ? " of " : "",
                         STR_ARG(measure->model.len && !str_eq(measure->model, c->m->name) ? measure->model : STR("")),
                         distinct ? "what is counted in one part may be counted in another" : "averages and percentiles do not add");
    f->suggestion = distinct ? STR("count the distinct values over the larger group, from the rows themselves")
                             : STR("compute it over the larger group, or carry its sum and its count");
    check_fingerprint(c, f, what);
}

void check_g004(checking *c, const plan_node *n) {
    size_t next = 0;
    summed sum;
    while (check_next_sum(c, n, &next, &sum)) {
        const facts *rows = grain_facts_of(c->m, n->input[0]);
        const column_measure *measure = measure_of(c, n, sum.call->arg[0]);
        closure_mode mode = {.not_null = sum.group, .with_presumed = true};
        if (sum.is_average || rows->status == FACTS_UNKNOWN || !measure) continue;
        if (!does_not_add(measure, facts_closure(rows, sum.group, mode))) continue;
        if (facts_is_superkey(rows, sum.group, mode, NULL)) continue; /* one value a group */
        tell(c, &sum, measure);
    }
}
