/* check_undecided.c - sums of which it cannot be told whether they count double, and why: once a model, at the lowest operator.
 * Called by: api.  Must not know: how it is printed.
 */
#include "grain/check_int.h"

/* A join may have repeated the term, but what it belongs to, or a key of the rows, is not known. */
static bool is_undecided(checking *c, const plan_node *n, const summed *sum) {
    const facts *rows = grain_facts_of(c->m, n->input[0]);
    column_grain g = op_grain_of_expr((grain_model *)c->m, n, sum->call->arg[0]);
    if (g.is_per_row || !g.repeated.count) return false;
    return rows->status == FACTS_UNKNOWN || !g.is_known || !facts_best_key(rows);
}

/* The lowest operator below `n` of which not everything is known. */
static fact_gap lowest_gap(const grain_model *m, const plan_node *n) {
    bool *below = ARENA_ARRAY(m->owner, bool, m->plan->node_count + 1);
    below[n->id] = true;
    for (size_t i = n->id + 1; i-- > 0;)
        for (size_t k = 0; below[i] && k < m->plan->node[i]->input_count; k++) below[m->plan->node[i]->input[k]->id] = true;
    for (size_t i = 0; i < n->id; i++) {
        const facts *f = below[i] ? m->node[i] : NULL;
        if (f && f->status != FACTS_KNOWN && f->gap.what.len) return f->gap;
    }
    return (fact_gap){.what = STR("no key of the rows is known"), .at = n->at, .node = n};
}

bool grain_undecided(const grain_model *m, fact_gap *out) {
    checking c = {.m = m};
    for (size_t i = 0; i < m->plan->node_count; i++) {
        size_t next = 0;
        summed sum;
        while (check_next_sum(&c, m->plan->node[i], &next, &sum)) {
            if (!is_undecided(&c, m->plan->node[i], &sum)) continue;
            *out = lowest_gap(m, m->plan->node[i]);
            return true;
        }
    }
    return false;
}
