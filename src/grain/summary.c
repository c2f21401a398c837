/* summary.c - what a finished model tells those that read it: a copy of its facts that outlives it.
 * Called by: grain/project.c.  Must not know: who reads it.
 */
#include <string.h>

#include "grain/op.h"

typedef struct summing {
    grain_model *m;
    arena *owner; /* of the run */
    grain_summary *out;
    facts f;      /* of the result, without what nobody can ask for */
    column_map map;
    str *hidden;
    evidence_id *why; /* by entry of the model */
} summing;

/* ---- columns ---- */

static colset roots_of(summing *s) {
    const plan *p = s->m->plan;
    colset roots = COLSET_EMPTY;
    facts *f = s->m->node[p->root->id];
    for (size_t i = 0; i < p->result_count; i++) {
        colset_add(&roots, p->result[i].column, s->m->owner);
        const column_grain *g = op_grain(p->root, f, p->result[i].column);
        if (g && g->is_known) colset_add_all(&roots, g->native, s->m->owner);
    }
    return roots;
}

/* Result columns by place, hidden ones behind them. */
static void number_columns(summing *s) {
    const plan *p = s->m->plan;
    grain_summary *out = s->out;
    str *name = ARENA_ARRAY(s->owner, str, p->result_count + 1);
    colset all = colset_copy(s->f.all, s->m->owner);
    for (size_t i = 0; i < p->result_count; i++) colset_add(&all, p->result[i].column, s->m->owner);
    s->map = column_map_new(all, s->m->owner);
    for (size_t i = 0; i < p->result_count; i++) {
        column_id from = p->result[i].column;
        name[i] = str_copy(s->owner, p->result[i].name);
        if (column_map_get(&s->map, from) == NO_COLUMN) column_map_put(&s->map, from, (column_id)i);
    }
    out->column = name, out->column_count = p->result_count, out->is_open = p->result_is_open;
    out->id_count = (uint32_t)p->result_count;
    s->hidden = ARENA_ARRAY(s->owner, str, colset_count(s->f.all) + 1);
    column_id id = 0;
    for (; colset_next(s->f.all, id, &id); id++) {
        if (column_map_get(&s->map, id) != NO_COLUMN) continue;
        s->hidden[out->id_count - p->result_count] = str_copy(s->owner, grain_column_name(s->m, id));
        column_map_put(&s->map, id, out->id_count++);
    }
    out->hidden_name = s->hidden;
}

/* ---- reasons ---- */

static evidence_id export_reason(summing *s, evidence_id id) {
    grain_model *m = s->m;
    if (id == EVIDENCE_SQL) return EVIDENCE_SQL;
    if (s->why[id] != EVIDENCE_SQL) return s->why[id];
    upstream_evidence *up = ARENA_NEW(s->owner, upstream_evidence);
    size_t count;
    const str *chain = evidence_chain(&m->evidence, id, &m->names, m->owner, &count);
    str *copy = ARENA_ARRAY(s->owner, str, count + 1);
    for (size_t i = 0; i < count; i++) copy[i] = grain_text(m->run, chain[i]);
    up->model = s->out->model, up->chain = copy, up->chain_count = count;
    up->leans_on = evidence_leans_on(&m->evidence, id, s->owner, &up->leans_on_count);
    s->why[id] = evidence_add(&s->out->evidence, (evidence){.kind = EVIDENCE_UPSTREAM, .upstream = up});
    return s->why[id];
}

static void export_reasons(summing *s, facts *f) {
    for (uint32_t i = 0; i < f->key_count; i++) f->key[i].why = export_reason(s, f->key[i].why);
    for (uint32_t i = 0; i < f->dependency_count; i++) f->dependency[i].why = export_reason(s, f->dependency[i].why);
    for (uint32_t i = 0; i < f->not_null_count; i++) f->not_null_by[i].why = export_reason(s, f->not_null_by[i].why);
    for (uint32_t i = 0; i < f->constant_count; i++) f->constant_by[i].why = export_reason(s, f->constant_by[i].why);
    for (uint32_t i = 0; i < f->inclusion_count; i++) f->inclusion[i].why = export_reason(s, f->inclusion[i].why);
}

/* ---- literals ---- */

static const ast *copy_ast(arena *owner, const ast *from) {
    ast *a = ARENA_NEW(owner, ast);
    *a = *from;
    a->op_text = str_copy(owner, from->op_text), a->text = str_copy(owner, from->text);
    a->written = str_copy(owner, from->written), a->type_name = str_copy(owner, from->type_name);
    a->part = NULL, a->part_count = 0, a->link = NULL, a->piece = NULL, a->call = NULL;
    ast **arg = ARENA_ARRAY(owner, ast *, from->arg_count + 1);
    for (size_t i = 0; i < from->arg_count; i++) arg[i] = (ast *)copy_ast(owner, from->arg[i]);
    a->arg = arg;
    return a;
}

/* A literal has no columns and is at most a few signs and casts deep. */
static const plan_expr *copy_literal(arena *owner, const plan_expr *from) {
    plan_expr *e = ARENA_NEW(owner, plan_expr);
    *e = *from;
    e->name = str_copy(owner, from->name), e->type = str_copy(owner, from->type);
    e->columns = e->outer = COLSET_EMPTY;
    e->from = from->from ? copy_ast(owner, from->from) : NULL;
    const plan_expr **arg = ARENA_ARRAY(owner, const plan_expr *, from->arg_count + 1);
    for (size_t i = 0; i < from->arg_count; i++) arg[i] = copy_literal(owner, from->arg[i]);
    e->arg = arg;
    return e;
}

/* ---- grains ---- */

static site_list copy_sites(arena *owner, site_list sites) {
    const join_site **site = ARENA_ARRAY(owner, const join_site *, sites.count + 1);
    if (sites.count) memcpy(site, sites.site, sites.count * sizeof *site);
    return (site_list){site, sites.count};
}

static void copy_grains(summing *s, facts *f) {
    const plan *p = s->m->plan;
    facts *root = s->m->node[p->root->id];
    f->grain = ARENA_ARRAY(s->owner, column_grain, p->result_count + 1);
    f->measure = ARENA_ARRAY(s->owner, column_measure, p->result_count + 1);
    for (size_t i = 0; i < p->result_count; i++) {
        const column_grain *g = op_grain(p->root, root, p->result[i].column);
        if (!g) continue;
        f->grain[i] = *g;
        f->grain[i].native = colset_map(g->native, &s->map, s->owner);
        f->grain[i].why = export_reason(s, g->why);
        f->grain[i].repeated = copy_sites(s->owner, g->repeated);
        column_measure *measure = &f->measure[i];
        *measure = op_map_measure(root->measure[g - root->grain], &s->map, s->owner);
        measure->model = str_copy(s->owner, measure->model), measure->text = str_copy(s->owner, measure->text);
    }
}

/* Rows of several runs beside each other. */
static void become_batches(facts *f) {
    for (uint32_t i = 0; i < f->key_count; i++) f->key[i].is_presumed = true;
    for (uint32_t i = 0; i < f->dependency_count; i++) f->dependency[i].is_presumed |= f->dependency[i].is_local;
    uint32_t kept = 0;
    facts_keep_covers(f, COLSET_EMPTY);
    for (uint32_t i = 0; i < f->dependency_count; i++) /* a constant of the rendered SQL, perhaps of the day */
        if (!colset_is_empty(f->dependency[i].from)) f->dependency[kept++] = f->dependency[i];
    f->dependency_count = kept;
    f->conditional_count = 0;
    f->constant = f->constant_or_null = COLSET_EMPTY;
    f->constant_count = f->value_count = 0;
    f->rows = (row_bounds){0, ROWS_UNBOUNDED};
}

const grain_summary *grain_summarise(grain_model *m, bool is_batch) {
    const plan *p = m->plan;
    summing s = {.m = m, .owner = m->run->owner};
    s.out = ARENA_NEW(s.owner, grain_summary);
    s.out->model = str_copy(s.owner, m->name);
    s.why = ARENA_ARRAY(m->owner, evidence_id, m->evidence.count + 1);
    evidence_init(&s.out->evidence, s.owner);
    s.f = facts_copy(m->node[p->root->id]);
    facts_prune(&s.f, roots_of(&s));
    number_columns(&s);
    s.f.gap.node = NULL, s.f.gap.what = str_copy(s.owner, s.f.gap.what);
    facts mapped = facts_map(&s.f, &s.map), *f = &mapped;
    for (size_t i = 0; i < p->result_count; i++) { /* a column that stands twice */
        column_id first = column_map_get(&s.map, p->result[i].column);
        colset self = COLSET_EMPTY;
        colset_add(&self, (column_id)i, m->owner);
        f->all = colset_union(f->all, self, m->owner);
        if (first != i && !colset_has(m->torn, p->result[i].column)) facts_add_equal(f, first, (column_id)i);
    }
    for (uint32_t i = 0; i < f->value_count; i++) f->value[i].value = copy_literal(s.owner, f->value[i].value);
    for (uint32_t i = 0; i < f->value_count; i++) f->value[i].why = EVIDENCE_SQL;
    if (is_batch) become_batches(f);
    export_reasons(&s, f);
    s.out->facts = facts_keep(f, s.owner);
    s.out->facts.evidence = &s.out->evidence;
    copy_grains(&s, &s.out->facts);
    s.out->starts_afresh = f->status == FACTS_UNKNOWN;
    return s.out;
}
