/* check_undecided.c - sums of which it cannot be told whether they count double, and why: once a model, at the lowest operator.
 * Called by: api.  Must not know: how it is printed.
 */
#include "grain/check_int.h"

/* A join may have repeated the term, but what it belongs to, or a key of the rows or of the side that repeats it, is not known. */
static bool is_undecided(checking *c, const plan_node *n, const summed *sum, column_grain *g) {
    const facts *rows = grain_facts_of(c->m, n->input[0]);
    const plan_expr *term = sum->call->arg[0];
    *g = op_grain_of_expr((grain_model *)c->m, n, term);
    if (g->is_per_row || !g->repeated.count) return false;
    if (rows->status == FACTS_UNKNOWN || !g->is_known || !facts_best_key(rows)) return true;
    return !op_is_surely_repeated(g) && check_group_holds_several(c, n, sum, term, g);
}

/* The lowest operator below `n` of which not everything is known. */
static fact_gap lowest_gap(const grain_model *m, const plan_node *n, const column_grain *g) {
    bool *below = ARENA_ARRAY(m->owner, bool, m->plan->node_count + 1);
    below[n->id] = true;
    for (size_t i = n->id + 1; i-- > 0;)
        for (size_t k = 0; below[i] && k < m->plan->node[i]->input_count; k++) below[m->plan->node[i]->input[k]->id] = true;
    for (size_t i = 0; i < n->id; i++) {
        const facts *f = below[i] ? m->node[i] : NULL;
        if (f && f->status != FACTS_KNOWN && f->gap.what.len) return f->gap;
    }
    if (!g->is_known || op_is_surely_repeated(g)) return (fact_gap){.what = STR("no key of the rows is known"), .at = n->at, .node = n};
    const join_site *site = g->repeated.site[0];
    str what = str_format(m->owner, "no key of a side of a join is known: " STR_FMT "%s" STR_FMT, STR_ARG(site->text),
                          str_eq(site->model, m->name) ? "" : " in ", STR_ARG(str_eq(site->model, m->name) ? STR("") : site->model));
    return (fact_gap){.what = what, .at = n->at, .node = n};
}

bool grain_undecided(const grain_model *m, fact_gap *out) {
    checking c = {.m = m};
    for (size_t i = 0; i < m->plan->node_count; i++) {
        size_t next = 0;
        summed sum;
        column_grain g;
        while (check_next_sum(&c, m->plan->node[i], &next, &sum)) {
            if (!is_undecided(&c, m->plan->node[i], &sum, &g)) continue;
            *out = lowest_gap(m, m->plan->node[i], &g);
            return true;
        }
    }
    return false;
}
