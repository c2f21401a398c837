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
    column_map to;
} renaming;

static void map_listed(renaming *r) {
    const plan_node *n = r->node;
    for (size_t i = 0; i < n->column_count; i++) {
        column_id inside = n->cte.inside[i];
        if (column_map_get(&r->to, inside) == NO_COLUMN) column_map_put(&r->to, inside, n->column[i]);
    }
}

static void map_hidden(renaming *r) {
    if (r->m->references[r->node->input[0]->id] < 2) return;
    column_id id = 0;
    for (; colset_next(r->from->all, id, &id); id++)
        if (column_map_get(&r->to, id) == NO_COLUMN) column_map_put(&r->to, id, op_hide(r->m, grain_column_name(r->m, id)));
}

/* A column that stands twice in the query: the second one equals the first. */
static void add_copies(renaming *r, facts *f) {
    const plan_node *n = r->node;
    for (size_t i = 0; i < n->column_count; i++) {
        column_id first = column_map_get(&r->to, n->cte.inside[i]);
        f->all = colset_union(f->all, op_single(r->m, n->column[i]), r->m->owner);
        if (first != n->column[i] && !colset_has(r->m->torn, n->cte.inside[i])) facts_add_equal(f, first, n->column[i]);
    }
}

static column_grain renamed_grain(renaming *r, column_grain g) {
    g.native = colset_map(g.native, &r->to, r->m->owner);
    return g;
}

static void carry(renaming *r, facts *f) {
    const plan_node *n = r->node, *in = n->input[0];
    f->grain = ARENA_ARRAY(r->m->owner, column_grain, n->column_count + 1);
    f->measure = ARENA_ARRAY(r->m->owner, column_measure, n->column_count + 1);
    if (!r->from->grain) return;
    column_map place = column_map_new(op_columns(r->m, in), r->m->owner);
    for (size_t i = in->column_count; i-- > 0;) column_map_put(&place, in->column[i], (column_id)i);
    for (size_t i = 0; i < n->column_count; i++) {
        column_id at = column_map_get(&place, n->cte.inside[i]);
        if (at == NO_COLUMN) continue;
        f->grain[i] = renamed_grain(r, r->from->grain[at]);
        f->measure[i] = op_map_measure(r->from->measure[at], &r->to, r->m->owner);
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
    r.to = column_map_new(colset_union(from.all, op_columns(m, n->input[0]), m->owner), m->owner);
    map_listed(&r);
    map_hidden(&r);
    facts f = facts_map(r.from, &r.to);
    f.domain = domain_map(&m->expr, f.domain, &r.to);
    add_copies(&r, &f);
    carry(&r, &f);
    declare(m, n, &f);
    return f;
}
