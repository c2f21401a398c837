/* op_cte.c - a reference to a CTE: the rows of its query under new column ids.
 * Called by: grain.c.  Must not know: what the query does.
 *
 * Two references to one CTE are two relations, so hidden columns need new ids too; a CTE that is read once keeps them.
 */
#include "grain/op.h"
#include "grain/scan_int.h"

typedef struct renaming {
    grain_model *m;
    const plan_node *node;
    const facts *from; /* without hidden columns that nobody can ask for */
    column_id *to;
    uint32_t count;
} renaming;

static void map_listed(renaming *r) {
    const plan_node *n = r->node;
    for (size_t i = 0; i < n->column_count; i++) {
        column_id inside = n->cte.inside[i];
        if (inside < r->count && r->to[inside] == NO_COLUMN) r->to[inside] = n->column[i];
    }
}

static void map_hidden(renaming *r) {
    if (r->m->references[r->node->input[0]->id] < 2) return;
    column_id id = 0;
    for (; colset_next(r->from->all, id, &id); id++)
        if (r->to[id] == NO_COLUMN) r->to[id] = op_hide(r->m, grain_column_name(r->m, id));
}

/* A column that stands twice in the query: the second one equals the first. */
static void add_copies(renaming *r, facts *f) {
    const plan_node *n = r->node;
    for (size_t i = 0; i < n->column_count; i++) {
        column_id first = r->to[n->cte.inside[i]];
        f->all = colset_union(f->all, op_single(r->m, n->column[i]), r->m->owner);
        if (first != n->column[i] && !colset_has(r->m->torn, n->cte.inside[i])) facts_add_equal(f, first, n->column[i]);
    }
}

static column_grain renamed_grain(renaming *r, const column_map *ids, column_grain g) {
    g.native = colset_map(g.native, ids, r->m->owner);
    return g;
}

static void carry(renaming *r, const column_map *ids, facts *f) {
    const plan_node *n = r->node, *in = n->input[0];
    f->grain = ARENA_ARRAY(r->m->owner, column_grain, n->column_count + 1);
    f->measure = ARENA_ARRAY(r->m->owner, column_measure, n->column_count + 1);
    if (!r->from->grain) return;
    uint32_t *slot = ARENA_ARRAY(r->m->owner, uint32_t, r->count + 1);
    for (size_t i = in->column_count; i-- > 0;) slot[in->column[i]] = (uint32_t)i + 1;
    for (size_t i = 0; i < n->column_count; i++) {
        uint32_t at = slot[n->cte.inside[i]];
        if (!at) continue;
        f->grain[i] = renamed_grain(r, ids, r->from->grain[at - 1]);
        f->measure[i] = op_map_measure(r->from->measure[at - 1], ids, r->m->owner);
    }
}

static void declare(grain_model *m, const plan_node *n, facts *f) {
    const grain_input *in = m->input;
    if (!in->declared_of_cte) return;
    declaration_list list = in->declared_of_cte(in->context, n->cte.name);
    if (!list.count) return;
    scan s = {.m = m, .node = n, .f = f};
    for (size_t i = 0; i < n->column_count; i++) scan_name(&s, m->plan->column[n->column[i]].name, n->column[i]);
    scan_declare(&s, list);
}

/* Every CTE of a chain would keep the hidden columns of all before it. */
static facts pruned(grain_model *m, const plan_node *n) {
    const facts *in = op_input(m, n, 0);
    facts f = facts_copy(in);
    colset roots = op_columns(m, n->input[0]);
    for (size_t i = 0; in->grain && i < n->input[0]->column_count; i++)
        if (in->grain[i].is_known) colset_add_all(&roots, in->grain[i].native, m->owner);
    facts_prune(&f, roots);
    f.grain = in->grain, f.measure = in->measure;
    return f;
}

facts op_cte(grain_model *m, const plan_node *n) {
    facts from = pruned(m, n);
    renaming r = {.m = m, .node = n, .from = &from};
    r.count = (uint32_t)m->plan->column_count + m->hidden_count;
    r.to = ARENA_ARRAY(m->owner, column_id, r.count + 1);
    for (uint32_t i = 0; i < r.count; i++) r.to[i] = NO_COLUMN;
    map_listed(&r);
    map_hidden(&r);
    column_map ids = {r.to, r.count};
    facts f = facts_map(r.from, &ids);
    f.domain = domain_map(&m->expr, f.domain, &ids);
    add_copies(&r, &f);
    carry(&r, &ids, &f);
    declare(m, n, &f);
    return f;
}
