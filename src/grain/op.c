/* op.c - what the operators share: hidden columns, computed columns, native grains that are passed on.
 * Called by: grain/op_*.c.  Must not know: a single operator's rule.
 */
#include "grain/op.h"

#include <string.h>

const ast_call *op_call(const plan_expr *e) {
    bool is_call = e->from && e->from->kind == AST_CALL && e->from->form == FORM_FUNCTION;
    return is_call ? e->from->call : NULL;
}

bool op_ignores_order(str name) {
    static const char *const list[] = {"count", "sum", "min", "max", "avg", "bool_and", "bool_or", "every", "count_star"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (str_eq(name, str_from(list[i]))) return true;
    return false;
}

const facts *op_input(const grain_model *m, const plan_node *n, size_t input) {
    return m->node[n->input[input]->id];
}

colset op_columns(grain_model *m, const plan_node *n) {
    colset s = COLSET_EMPTY;
    for (size_t i = 0; i < n->column_count; i++) colset_add(&s, n->column[i], m->owner);
    return s;
}

colset op_single(grain_model *m, column_id id) {
    colset s = COLSET_EMPTY;
    colset_add(&s, id, m->owner);
    return s;
}

column_id op_hide(grain_model *m, str name) {
    if (m->hidden_count == m->hidden_capacity) {
        uint32_t more = m->hidden_capacity ? m->hidden_capacity * 2 : 16;
        grain_hidden *fresh = ARENA_ARRAY(m->owner, grain_hidden, more);
        if (m->hidden_count) memcpy(fresh, m->hidden, m->hidden_count * sizeof *fresh);
        m->hidden = fresh, m->hidden_capacity = more;
    }
    m->hidden[m->hidden_count] = (grain_hidden){.name = name};
    return (column_id)m->plan->column_count + m->hidden_count++;
}

void op_note_outer(facts *f, const plan_expr *e) {
    if (!colset_is_empty(e->outer)) f->outer = colset_union(f->outer, e->outer, f->owner);
    if (e->is_volatile) f->is_repeatable = false;
}

void op_lose(grain_model *m, const plan_node *n, span at, str text) {
    if (m->loss_count == m->loss_capacity) {
        uint32_t more = m->loss_capacity ? m->loss_capacity * 2 : 16;
        row_loss *fresh = ARENA_ARRAY(m->owner, row_loss, more);
        if (m->loss_count) memcpy(fresh, m->loss, m->loss_count * sizeof *fresh);
        m->loss = fresh, m->loss_capacity = more;
    }
    m->loss[m->loss_count++] = (row_loss){n, at, text};
}

/* ---- computed columns ---- */

/* An outer join has filled up `id` and what it is made of with NULLs: computed above the join, `e` may have a value there. */
static bool is_padded(const facts *f, column_id id, const plan_expr *e) {
    for (uint32_t i = 0; i < f->presence_count; i++)
        if (colset_has(f->presence[i].members, id) && colset_meets(f->presence[i].members, e->columns)) return true;
    return colset_is_empty(e->columns);
}

static column_id same_column(grain_model *m, const facts *f, const plan_expr *e) {
    column_id id = 0;
    for (; colset_next(f->all, id, &id) && id < m->plan->column_count; id++) {
        const plan_column *c = &m->plan->column[id];
        if (c->origin == COLUMN_EXPRESSION && c->definition && c->definition->hash == e->hash &&
            expr_same(c->definition, e) && !is_padded(f, id, e))
            return id;
    }
    return NO_COLUMN;
}

column_id op_column_of(grain_model *m, facts *f, const plan_expr *e) {
    if (e->kind == EXPR_COLUMN || e->kind == EXPR_OUTER) return e->column;
    column_id id = same_column(m, f, e);
    if (id != NO_COLUMN) return id;
    id = op_hide(m, grain_expression_name(m, e));
    f->all = colset_union(f->all, op_single(m, id), m->owner);
    op_define(m, f, id, e);
    return id;
}

static void define_constant(grain_model *m, facts *f, column_id id, const plan_expr *e) {
    if (!colset_is_empty(e->outer) || !expr_is_constant(&m->expr, f, e)) return;
    facts_add_constant(f, op_single(m, id), EVIDENCE_SQL);
    const plan_expr *literal = expr_known_value(&m->expr, f, e);
    if (literal) domain_learn_value(&m->expr, f, id, literal, EVIDENCE_SQL);
}

/* A bare NULL or '' of a package that was compiled without its tables: cast(null as text), cast('' as text) as source_relation. */
bool op_is_placeholder(const grain_model *m, const plan_expr *e) {
    const plan_expr *literal = m->input->is_rendered ? expr_literal(e) : NULL;
    if (!literal) return false;
    bool is_empty = literal->from && literal->from->kind == AST_STRING && literal->from->text.len == 0;
    return is_empty || expr_is_null_literal(literal);
}

void op_define_merge(const grain_model *m, facts *f, column_id id, column_id a, column_id b) {
    for (uint32_t i = 0; i < m->hidden_count; i++) {
        const grain_hidden *h = &m->hidden[i];
        bool is_of = h->is_merge && ((h->merges[0] == a && h->merges[1] == b) || (h->merges[0] == b && h->merges[1] == a));
        column_id merged = (column_id)m->plan->column_count + i;
        if (is_of && colset_has(f->all, merged)) facts_add_equal(f, id, merged);
    }
}

static bool is_coalesce(const plan_expr *e) {
    return e->kind == EXPR_FUNCTION && e->arg_count >= 2 &&
           (str_eq(e->name, STR("coalesce")) || str_eq(e->name, STR("ifnull")) || str_eq(e->name, STR("nvl")));
}

/* The hidden column that merges two columns, or what is equal to them. */
static column_id find_merge(const grain_model *m, const facts *f, column_id a, column_id b) {
    colset like_a = facts_equal_to(f, a), like_b = facts_equal_to(f, b);
    for (uint32_t i = 0; i < m->hidden_count; i++) {
        const grain_hidden *h = &m->hidden[i];
        column_id merged = (column_id)m->plan->column_count + i;
        if (!h->is_merge || !colset_has(f->all, merged)) continue;
        bool is_so = colset_has(like_a, h->merges[0]) && colset_has(like_b, h->merges[1]);
        if (is_so || (colset_has(like_a, h->merges[1]) && colset_has(like_b, h->merges[0]))) return merged;
    }
    return NO_COLUMN;
}

enum { MERGE_DEPTH = 16 };

/* COALESCE(a, b, c) over full joins one after the other: what merges a and b is merged with c. */
static column_id merge_at(const grain_model *m, const facts *f, const plan_expr *e, int depth) {
    if (e->kind == EXPR_COLUMN) return e->column;
    if (!is_coalesce(e) || depth > MERGE_DEPTH) return NO_COLUMN;
    column_id merged = merge_at(m, f, e->arg[0], depth + 1);
    for (size_t i = 1; i < e->arg_count && merged != NO_COLUMN; i++) {
        column_id next = merge_at(m, f, e->arg[i], depth + 1);
        merged = next == NO_COLUMN ? NO_COLUMN : find_merge(m, f, merged, next);
    }
    return merged;
}

column_id op_merge_of(const grain_model *m, const facts *f, const plan_expr *e) {
    return merge_at(m, f, e, 0);
}

void op_define(grain_model *m, facts *f, column_id id, const plan_expr *e) {
    if (op_is_placeholder(m, e)) {
        if (expr_is_not_null(&m->expr, f, e)) facts_add_not_null(f, op_single(m, id), EVIDENCE_SQL);
        return;
    }
    colset self = op_single(m, id), inputs = colset_union(e->columns, e->outer, m->owner), back = COLSET_EMPTY;
    op_note_outer(f, e);
    define_constant(m, f, id, e);
    column_id merged = is_coalesce(e) ? op_merge_of(m, f, e) : NO_COLUMN;
    if (merged != NO_COLUMN) facts_add_equal(f, id, merged);
    certainty there = expr_is_function_of_columns(&m->expr, e);
    evidence_id why = evidence_add(&m->evidence, (evidence){.kind = EVIDENCE_EXPRESSION, .at = e->at, .columns = inputs});
    if (there != UNCERTAIN)
        facts_add_dependency(f, (fact_dependency){.from = inputs, .to = self, .is_presumed = there == PRESUMED, .why = why});
    bool may_shift = e->kind == EXPR_ARITHMETIC && colset_count(e->columns) > 1; /* x + c of a table with one row */
    colset constant = may_shift ? facts_closure(f, COLSET_EMPTY, CLOSURE_STRICT) : COLSET_EMPTY;
    certainty home = expr_is_one_to_one_among(&m->expr, constant, e, &back);
    if (home != UNCERTAIN && !colset_is_empty(back))
        facts_add_dependency(f, (fact_dependency){.from = self, .needs = home == CERTAIN ? COLSET_EMPTY : self, .to = back, .is_presumed = home == PRESUMED, .why = why});
    column_id passed = expr_passed_column(&m->expr, f, e);
    if (passed != NO_COLUMN) facts_add_equal(f, id, passed);
    if (expr_is_not_null(&m->expr, f, e)) facts_add_not_null(f, self, EVIDENCE_SQL);
    facts_add_presence(f, (fact_presence){.members = self, .implied = expr_strict_columns(&m->expr, e), .column = NO_COLUMN});
}

void op_keys_to_dependencies(facts *f) {
    for (uint32_t i = 0; i < f->key_count; i++) {
        const fact_key *k = &f->key[i];
        facts_add_dependency(f, (fact_dependency){.from = k->columns, .needs = k->needs, .to = f->all, .is_entity = true,
                                                  .is_presumed = k->is_presumed, .is_local = true, .why = k->why});
    }
}

/* ---- native grains ---- */

static void fill_slots(grain_model *m, const plan_node *n) {
    uint32_t most = (uint32_t)m->plan->column_count;
    if (m->slot_count < most) m->slot = ARENA_ARRAY(m->owner, uint32_t, most), m->slot_count = most;
    for (size_t k = 0; k < n->input_count; k++) {
        const plan_node *in = n->input[k];
        for (size_t i = in->column_count; i-- > 0;) m->slot[in->column[i]] = (uint32_t)i + 1;
    }
}

static bool is_of(const plan_node *in, uint32_t slot, column_id id) {
    return slot && slot <= in->column_count && in->column[slot - 1] == id;
}

void op_carry(grain_model *m, const plan_node *n, facts *f) {
    f->grain = ARENA_ARRAY(m->owner, column_grain, n->column_count + 1);
    f->measure = ARENA_ARRAY(m->owner, column_measure, n->column_count + 1);
    for (size_t k = 0; k < n->input_count; k++) {
        const plan_node *in = n->input[k];
        const facts *from = op_input(m, n, k);
        if (!from->grain) continue;
        fill_slots(m, &(plan_node){.input = &n->input[k], .input_count = 1});
        for (size_t i = 0; i < n->column_count; i++) {
            column_id id = n->column[i];
            if (!is_of(in, m->slot[id], id)) continue;
            f->grain[i] = from->grain[m->slot[id] - 1];
            f->measure[i] = from->measure[m->slot[id] - 1];
        }
    }
}

column_measure op_map_measure(column_measure measure, const column_map *ids, arena *owner) {
    colset apart = colset_map(measure.apart, ids, owner);
    measure.has_apart = measure.has_apart && colset_count(apart) == colset_count(measure.apart);
    measure.apart = apart;
    return measure;
}

column_grain *op_grain(const plan_node *n, facts *f, column_id id) {
    for (size_t i = 0; i < n->column_count; i++)
        if (n->column[i] == id) return &f->grain[i];
    return NULL;
}

bool op_is_surely_repeated(const column_grain *g) {
    for (size_t i = 0; i < g->repeated.count; i++)
        if (!g->repeated.site[i]->is_open) return true;
    return false;
}

static const void *open_of(const plan_node *n, const facts *f, column_id id) {
    const column_grain *g = f->grain ? op_grain(n, (facts *)f, id) : NULL;
    return g ? g->open : NULL;
}

bool op_is_told_by_open(const plan_node *n, const facts *f, colset missing, colset given) {
    const void *of = NULL;
    column_id id = 0;
    for (; colset_next(missing, id, &id); id++) {
        const void *open = open_of(n, f, id);
        if (!open || (of && open != of)) return false;
        of = open;
    }
    for (id = 0; of && colset_next(given, id, &id); id++)
        if (open_of(n, f, id) == of) return true;
    return false;
}

site_list op_unite_sites(grain_model *m, site_list a, site_list b) {
    if (!b.count) return a;
    if (!a.count) return b;
    const join_site **site = ARENA_ARRAY(m->owner, const join_site *, a.count + b.count);
    size_t count = 0;
    for (size_t i = 0; i < a.count + b.count; i++) {
        const join_site *s = i < a.count ? a.site[i] : b.site[i - a.count];
        bool again = false;
        for (size_t k = 0; k < count; k++) again |= site[k] == s;
        if (!again) site[count++] = s;
    }
    return (site_list){site, count};
}

column_grain op_grain_of_expr(grain_model *m, const plan_node *n, const plan_expr *e) {
    const plan_node *in = n->input[0];
    const facts *from = op_input(m, n, 0);
    column_grain g = {.is_known = !e->is_volatile && colset_is_empty(e->outer)};
    if (!from->grain) return (column_grain){0};
    fill_slots(m, n);
    bool is_first = true;
    column_id id = 0;
    for (; colset_next(e->columns, id, &id); id++, is_first = false) {
        if (id >= m->slot_count || !is_of(in, m->slot[id], id)) {
            g.is_known = false;
            g.open = NULL;
            continue;
        }
        const column_grain *part = &from->grain[m->slot[id] - 1];
        g.is_known = g.is_known && part->is_known;
        g.is_per_row |= part->is_per_row;
        g.native = colset_union(g.native, part->native, m->owner);
        g.why = evidence_both(&m->evidence, g.why, part->why);
        g.repeated = op_unite_sites(m, g.repeated, part->repeated);
        g.open = is_first || g.open == part->open ? part->open : NULL;
    }
    return g;
}
