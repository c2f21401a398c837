/* op_set.c - UNION, INTERSECT, EXCEPT.
 * Called by: grain.c.  Must not know: what the branches do.
 *
 * A fact holds of a union only if it holds on every branch; a key also needs a column that tells the branches apart, or
 * DISTINCT. An intersection has the facts of both sides, a difference those of the left.
 */
#include <string.h>

#include "grain/op.h"

typedef struct branch {
    facts f;             /* under the ids of the result */
    const column_grain *grain; /* parallel to the result's columns, of the input's ids */
    column_map map;
} branch;

typedef struct setting {
    grain_model *m;
    const plan_node *node;
    branch *part;
    facts *f;
    colset all;
} setting;

/* A number that is computed, of a type that is not known: a quotient, a function. Of a column of a relation nothing better can be
 * said than that it is of the type of those beside it. */
static bool is_of_own_type(const setting *s, const plan_column *c) {
    while ((c->origin == COLUMN_COPY || c->origin == COLUMN_SUBQUERY) && c->source_count == 1) c = &s->m->plan->column[c->source[0]];
    return c->origin == COLUMN_EXPRESSION || c->origin == COLUMN_AGGREGATE || c->origin == COLUMN_WINDOW;
}

/* A text literal takes the type of what stands beside it; NULL has none. */
static bool is_untyped(const plan_column *c, type_family family) {
    const plan_expr *literal = c->origin == COLUMN_EXPRESSION && c->definition ? expr_literal(c->definition) : NULL;
    return literal && (family == FAMILY_TEXT || family == FAMILY_CHAR || (family == FAMILY_UNKNOWN && expr_is_null_literal(literal)));
}

/* Values of two types are turned into one type, decimals of two scales too: that may round; and texts without blanks at the end, or
 * instants of one clock time, may become one. Days become their midnights. */
static bool keeps_values(const setting *s, const plan_column *c) {
    const plan_column *first = NULL;
    type_family is = FAMILY_UNKNOWN;
    bool has_own = false;
    for (size_t k = 0; k < c->source_count; k++) {
        if (c->source[k] == NO_COLUMN) continue;
        const plan_column *of = &s->m->plan->column[c->source[k]];
        type_family family = expr_column_type(&s->m->expr, c->source[k]);
        if (is_untyped(of, family)) continue;
        has_own |= family == FAMILY_UNKNOWN && is_of_own_type(s, of);
        if (family == FAMILY_UNKNOWN) continue;
        bool is_scaled = family == FAMILY_DECIMAL || family == FAMILY_NUMERIC;
        bool are_times = (is == FAMILY_DATE || is == FAMILY_TIMESTAMP) && (family == FAMILY_DATE || family == FAMILY_TIMESTAMP);
        if (first && family != is && !are_times) return false;
        if (first && is_scaled && !(first->declared && of->declared && str_eq(first->declared->type, of->declared->type))) return false;
        first = of, is = family;
    }
    return !has_own || is < FAMILY_INTEGER || is > FAMILY_FLOAT;
}

/* The column of branch `k` behind result column `i`: NO_COLUMN where a branch BY NAME has none. False where that is not known: a
 * column that was named behind an open set, one that an open branch may have, or one whose values may change. */
static bool find_source(const setting *s, size_t k, size_t i, column_id *source) {
    const plan_node *n = s->node;
    const plan_column *c = &s->m->plan->column[n->column[i]];
    *source = NO_COLUMN;
    if (c->made_by != n || c->source_count != n->input_count) return false;
    *source = c->source[k];
    return (*source != NO_COLUMN || c->origin == COLUMN_SET) && keeps_values(s, c);
}

/* The facts of an input under the ids of the result. A column that feeds two: they are equal. */
static void take_branch(setting *s, size_t k) {
    grain_model *m = s->m;
    const plan_node *n = s->node, *in = n->input[k];
    const facts *from = op_input(m, n, k);
    branch *b = &s->part[k];
    b->map = column_map_new(op_columns(m, in), m->owner);
    for (size_t i = 0; i < n->column_count; i++) {
        column_id source;
        if (!find_source(s, k, i, &source) || source == NO_COLUMN || column_map_get(&b->map, source) != NO_COLUMN) continue;
        column_map_put(&b->map, source, n->column[i]);
    }
    b->f = facts_map(from, &b->map);
    b->f.domain = domain_map(&m->expr, from->domain, &b->map);
    column_grain *grain = ARENA_ARRAY(m->owner, column_grain, n->column_count + 1);
    for (size_t i = 0; i < n->column_count; i++) {
        column_id source;
        bool is_known = find_source(s, k, i, &source);
        b->f.all = colset_union(b->f.all, op_single(m, n->column[i]), m->owner);
        if (!is_known) continue;
        if (source == NO_COLUMN) { /* BY NAME: NULL on every row */
            facts_add_constant(&b->f, op_single(m, n->column[i]), EVIDENCE_SQL);
            grain[i].is_known = true;
            continue;
        }
        column_id first = column_map_get(&b->map, source);
        if (first != n->column[i] && !colset_has(m->torn, source)) facts_add_equal(&b->f, first, n->column[i]);
        for (size_t j = 0; j < in->column_count && from->grain; j++)
            if (in->column[j] == source) {
                grain[i] = from->grain[j];
                break;
            }
    }
    b->grain = grain;
}

/* ---- UNION ---- */

/* The value of a constant: one that may be NULL instead, on all rows, has none. */
static const fact_value *value_of(const facts *f, column_id id) {
    for (uint32_t i = 0; i < f->value_count; i++) {
        if (f->value[i].column != id || !colset_has(f->constant, id)) continue;
        return colset_has(f->not_null, id) || expr_is_null_literal(f->value[i].value) ? &f->value[i] : NULL;
    }
    return NULL;
}

static bool values_all(const setting *s, column_id id, bool differ) {
    for (size_t i = 0; i < s->node->input_count; i++)
        for (size_t k = i + 1; k < s->node->input_count; k++) {
            const fact_value *a = value_of(&s->part[i].f, id), *b = value_of(&s->part[k].f, id);
            if (!a || !b) return false;
            if (differ ? !expr_literals_differ(&s->m->expr, a->value, b->value)
                       : !expr_literals_equal(&s->m->expr, a->value, b->value))
                return false;
        }
    return true;
}

static bool in_every(const setting *s, column_id id, bool (*holds)(const facts *, column_id)) {
    for (size_t k = 0; k < s->node->input_count; k++)
        if (!holds(&s->part[k].f, id)) return false;
    return true;
}

static bool is_never_null(const facts *f, column_id id) {
    return colset_has(f->not_null, id) || f->rows.max == 0;
}

static void unite_columns(setting *s) {
    const plan_node *n = s->node;
    for (size_t i = 0; i < n->column_count; i++) {
        column_id id = n->column[i];
        if (in_every(s, id, is_never_null))
            facts_add_not_null(s->f, op_single(s->m, id), facts_why_not_null(&s->part[0].f, id));
        if (!values_all(s, id, false)) continue;
        facts_add_constant(s->f, op_single(s->m, id), EVIDENCE_SQL);
        facts_add_value(s->f, id, value_of(&s->part[0].f, id)->value, EVIDENCE_SQL);
    }
}

static bool equal_in(const facts *f, column_id a, column_id b) {
    return colset_has(facts_equal_to(f, a), b);
}

static void unite_equal(setting *s) {
    const facts *first = &s->part[0].f;
    for (uint32_t c = 0; c < first->equal_count; c++) {
        column_id a = 0;
        for (; colset_next(first->equal[c], a, &a); a++) {
            column_id b = a + 1;
            for (; colset_has(s->all, a) && colset_next(first->equal[c], b, &b); b++) {
                bool all = colset_has(s->all, b);
                for (size_t k = 1; k < s->node->input_count && all; k++) all = equal_in(&s->part[k].f, a, b);
                if (all) facts_add_equal(s->f, a, b);
            }
        }
    }
}

/* The same pairs of the same relation. */
static const fact_inclusion *same_inclusion(const facts *f, const fact_inclusion *in) {
    for (uint32_t i = 0; i < f->inclusion_count; i++) {
        const fact_inclusion *other = &f->inclusion[i];
        if (other->is_covers != in->is_covers || other->relation != in->relation) continue;
        size_t found = 0;
        for (size_t k = 0; k < in->pair_count; k++)
            for (size_t j = 0; j < other->pair_count; j++)
                found += other->pair[j].here == in->pair[k].here && other->pair[j].there == in->pair[k].there;
        if (found == in->pair_count && (!other->is_lax || other->pair_count == in->pair_count)) return other;
    }
    return NULL;
}

static bool pairs_are_visible(const setting *s, const fact_inclusion *in) {
    for (size_t k = 0; k < in->pair_count; k++)
        if (!colset_has(s->all, in->pair[k].here)) return false;
    return true;
}

/* The pairs that a reader of the result sees; a lax fact only whole. */
static fact_inclusion visible_part(setting *s, fact_inclusion in) {
    if (pairs_are_visible(s, &in)) return in;
    inclusion_pair *pair = ARENA_ARRAY(s->m->owner, inclusion_pair, in.pair_count + 1);
    size_t count = 0;
    for (size_t k = 0; k < in.pair_count && !in.is_lax; k++)
        if (colset_has(s->all, in.pair[k].here)) pair[count++] = in.pair[k];
    in.pair = pair, in.pair_count = count;
    return in;
}

static void unite_inclusions(setting *s) {
    for (size_t k = 0; k < s->node->input_count; k++) {
        const facts *f = &s->part[k].f;
        for (uint32_t i = 0; i < f->inclusion_count; i++) {
            fact_inclusion in = visible_part(s, f->inclusion[i]);
            if (!in.pair_count) continue;
            bool all = true;
            for (size_t j = 0; j < s->node->input_count && !in.is_covers && all; j++) {
                const fact_inclusion *same = same_inclusion(&s->part[j].f, &in);
                all = same != NULL;
                if (same) in.of_parts &= !same->is_lax || same->of_parts, in.is_lax |= same->is_lax;
            }
            if (all) facts_add_inclusion(s->f, in);
        }
    }
}

static bool is_key_of_every(const setting *s, colset columns, closure_mode mode) {
    for (size_t k = 0; k < s->node->input_count; k++)
        if (!facts_is_superkey(&s->part[k].f, columns, mode, NULL)) return false;
    return true;
}

/* Constant columns, one value a branch, all different. */
static bool find_discriminator(const setting *s, column_id *id) {
    for (size_t i = 0; i < s->node->column_count; i++) {
        *id = s->node->column[i];
        if (s->node->input_count > 1 && values_all(s, *id, true)) return true;
    }
    return false;
}

static void add_part_key(setting *s, colset columns, column_id part, evidence_id why) {
    colset key = colset_union(columns, op_single(s->m, part), s->m->owner);
    closure_mode lax = {.not_null = columns}, presumed = {.not_null = columns, .with_presumed = true};
    if (is_key_of_every(s, columns, CLOSURE_STRICT))
        facts_add_key(s->f, (fact_key){.columns = key, .why = why});
    else if (is_key_of_every(s, columns, lax))
        facts_add_key(s->f, (fact_key){.columns = key, .needs = columns, .why = why});
    else if (is_key_of_every(s, columns, presumed))
        facts_add_key(s->f, (fact_key){.columns = key, .needs = columns, .is_presumed = true, .why = why});
}

static void add_part_keys(setting *s, column_id part) {
    colset whole = COLSET_EMPTY, own = op_single(s->m, part);
    evidence_id why = evidence_add(&s->m->evidence, (evidence){.kind = EVIDENCE_UNION_PARTS, .at = s->node->at, .columns = own});
    for (size_t k = 0; k < s->node->input_count; k++) {
        const facts *f = &s->part[k].f;
        for (uint32_t i = 0; i < f->key_count; i++) {
            colset columns = colset_intersection(f->key[i].columns, s->all, s->m->owner);
            if (f->key[i].is_presumed || colset_count(columns) < colset_count(f->key[i].columns)) continue;
            evidence_id both = evidence_both(&s->m->evidence, why, f->key[i].why);
            add_part_key(s, columns, part, both);
            if (i == 0) whole = colset_union(whole, columns, s->m->owner);
        }
    }
    add_part_key(s, whole, part, why);
}

/* What `from` tells on every branch, of the columns of the union. */
static colset told_on_every(const setting *s, colset from, closure_mode mode) {
    colset to = s->all;
    for (size_t k = 0; k < s->node->input_count && !colset_is_empty(to); k++)
        to = colset_intersection(to, facts_closure(&s->part[k].f, from, mode), s->m->owner);
    return colset_difference(to, from, s->m->owner);
}

/* What holds on every branch holds of rows of one branch: with the discriminator. */
static void add_part_dependencies(setting *s, column_id part) {
    const facts *first = &s->part[0].f;
    colset own = op_single(s->m, part);
    for (uint32_t i = 0; i < first->dependency_count; i++) {
        const fact_dependency *d = &first->dependency[i];
        if (!colset_is_subset(d->from, s->all)) continue;
        fact_dependency made = {.from = colset_union(d->from, own, s->m->owner), .needs = d->needs, .is_entity = d->is_entity,
                                .is_local = true, .why = d->why};
        colset sure = d->is_presumed ? COLSET_EMPTY : told_on_every(s, d->from, (closure_mode){.not_null = d->needs});
        made.to = sure;
        if (!colset_is_empty(sure)) facts_add_dependency(s->f, made);
        made.to = colset_difference(told_on_every(s, d->from, (closure_mode){.not_null = d->needs, .with_presumed = true}), sure, s->m->owner);
        made.is_presumed = true;
        if (!colset_is_empty(made.to)) facts_add_dependency(s->f, made);
    }
}

static bool is_constant(const facts *f, column_id id) {
    return colset_has(f->constant, id) || f->rows.max == 0;
}

/* The discriminator tells the branch, so it tells what is one value in each; and what else differs from branch to branch tells it. */
static void add_part_constants(setting *s, column_id part) {
    colset own = op_single(s->m, part);
    for (size_t i = 0; i < s->node->column_count; i++) {
        column_id id = s->node->column[i];
        if (id == part || !in_every(s, id, is_constant)) continue;
        fact_dependency d = {.from = own, .to = op_single(s->m, id), .is_local = true};
        d.why = evidence_add(&s->m->evidence, (evidence){.kind = EVIDENCE_UNION_PARTS, .at = s->node->at, .columns = own});
        facts_add_dependency(s->f, d);
        if (!values_all(s, id, true)) continue;
        d.from = d.to, d.to = own;
        d.why = evidence_add(&s->m->evidence, (evidence){.kind = EVIDENCE_UNION_PARTS, .at = s->node->at, .columns = d.from});
        facts_add_dependency(s->f, d);
    }
}

static void unite_grains(setting *s, bool has_part, column_id part) {
    const plan_node *n = s->node;
    for (size_t i = 0; i < n->column_count; i++) {
        column_grain g = {.is_known = has_part};
        colset native = COLSET_EMPTY;
        for (size_t k = 0; k < n->input_count; k++) {
            const column_grain *of = &s->part[k].grain[i];
            colset here = colset_map(of->native, &s->part[k].map, s->m->owner);
            g.is_known = g.is_known && of->is_known && colset_is_subset(here, s->all) && (k == 0 || colset_equal(here, native));
            native = here;
            g.why = evidence_both(&s->m->evidence, g.why, of->why);
            g.repeated = op_unite_sites(s->m, g.repeated, of->repeated);
            g.open = k == 0 || g.open == of->open ? of->open : NULL;
        }
        bool belongs = !colset_is_empty(native);
        if (g.is_known) g.native = belongs ? colset_union(native, op_single(s->m, part), s->m->owner) : native;
        s->f->grain[i] = g;
    }
}

static uint64_t plus(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void unite(setting *s) {
    column_id part = 0;
    bool has_part = find_discriminator(s, &part);
    row_bounds rows = {0, 0};
    for (size_t k = 0; k < s->node->input_count; k++) {
        rows.min = plus(rows.min, s->part[k].f.rows.min);
        rows.max = plus(rows.max, s->part[k].f.rows.max);
    }
    s->f->rows = rows;
    unite_columns(s);
    unite_equal(s);
    unite_inclusions(s);
    if (has_part) add_part_keys(s, part), add_part_dependencies(s, part), add_part_constants(s, part);
    unite_grains(s, has_part, part);
    const domain_list *d = s->part[0].f.domain;
    column_map same = {0};
    for (size_t k = 1; k < s->node->input_count; k++) d = domain_either(&s->m->expr, d, &same, s->part[k].f.domain, &same);
    s->f->domain = d;
    if (rows.max <= 1) facts_bound_rows(s->f, rows, EVIDENCE_SQL);
}

/* ---- INTERSECT, EXCEPT ---- */

/* The left's rows, fewer of them; an intersection has the right's facts too. */
static void add_right(setting *s, facts *right) {
    facts *f = s->f;
    arena *a = s->m->owner;
    facts_restrict(right, colset_union(s->all, facts_closure(right, COLSET_EMPTY, CLOSURE_STRICT), a));
    for (uint32_t i = 0; i < right->key_count; i++) facts_add_key(f, right->key[i]);
    for (uint32_t i = 0; i < right->dependency_count; i++) facts_add_dependency(f, right->dependency[i]);
    for (uint32_t i = 0; i < right->equal_count; i++) {
        column_id first = 0, id;
        if (!colset_next(right->equal[i], 0, &first)) continue;
        for (id = first + 1; colset_next(right->equal[i], id, &id); id++) facts_add_equal(f, first, id);
    }
    for (uint32_t i = 0; i < right->not_null_count; i++) facts_add_not_null(f, right->not_null_by[i].columns, right->not_null_by[i].why);
    for (uint32_t i = 0; i < right->constant_count; i++) facts_add_constant(f, right->constant_by[i].columns, right->constant_by[i].why);
    for (uint32_t i = 0; i < right->value_count; i++) facts_add_value(f, right->value[i].column, right->value[i].value, right->value[i].why);
    for (uint32_t i = 0; i < right->inclusion_count; i++)
        if (!right->inclusion[i].is_covers) facts_add_inclusion(f, right->inclusion[i]);
    f->domain = domain_both(&s->m->expr, f->domain, right->domain);
}

static void reduce(setting *s) {
    const plan_set *is = &s->node->set;
    row_bounds left = s->part[0].f.rows, right = s->part[1].f.rows;
    *s->f = facts_copy(&s->part[0].f);
    s->f->grain = ARENA_ARRAY(s->m->owner, column_grain, s->node->column_count + 1);
    s->f->measure = ARENA_ARRAY(s->m->owner, column_measure, s->node->column_count + 1);
    for (size_t i = 0; i < s->node->column_count; i++) {
        s->f->grain[i] = s->part[0].grain[i];
        s->f->grain[i].native = colset_map(s->f->grain[i].native, &s->part[0].map, s->m->owner);
    }
    facts_keep_covers(s->f, COLSET_EMPTY);
    s->f->rows.min = 0;
    bool minus = is->kind == SQL_SET_EXCEPT;
    if (minus && right.max != ROWS_UNBOUNDED && left.min > right.max) s->f->rows.min = is->is_all ? left.min - right.max : 0;
    if (minus) return;
    add_right(s, &s->part[1].f);
    facts_bound_rows(s->f, (row_bounds){0, right.max}, EVIDENCE_SQL);
}

/* ---- every row once ---- */

static void make_distinct(setting *s) {
    facts *f = s->f;
    const plan_node *n = s->node;
    column_grain *grain = f->grain;
    column_measure *measure = f->measure;
    evidence_id why = evidence_add(&s->m->evidence, (evidence){.kind = EVIDENCE_SET, .at = n->at});
    op_keys_to_dependencies(f);
    facts_restrict(f, colset_union(facts_closure(f, s->all, CLOSURE_STRICT), s->all, s->m->owner));
    f->rows.min = f->rows.min ? 1 : 0;
    if (!n->is_open) facts_add_key(f, (fact_key){.columns = s->all, .why = why});
    for (size_t i = 0; i < n->column_count; i++) {
        bool keeps = grain[i].is_known && colset_is_subset(grain[i].native, f->all);
        if (!keeps) grain[i] = (column_grain){.is_known = !n->is_open, .native = s->all, .why = why, .open = grain[i].open};
        grain[i].repeated = (site_list){0};
    }
    f->grain = grain, f->measure = measure;
}

facts op_set(grain_model *m, const plan_node *n) {
    facts f;
    facts_init(&f, m->owner, &m->evidence);
    setting s = {.m = m, .node = n, .f = &f, .all = op_columns(m, n)};
    s.part = ARENA_ARRAY(m->owner, branch, n->input_count);
    f.all = s.all;
    f.grain = ARENA_ARRAY(m->owner, column_grain, n->column_count + 1);
    f.measure = ARENA_ARRAY(m->owner, column_measure, n->column_count + 1);
    for (size_t k = 0; k < n->input_count; k++) {
        take_branch(&s, k);
        f.outer = colset_union(f.outer, s.part[k].f.outer, m->owner);
        f.is_repeatable = f.is_repeatable && s.part[k].f.is_repeatable;
    }
    if (n->set.kind == SQL_SET_UNION)
        unite(&s);
    else
        reduce(&s);
    for (size_t k = 0; k < n->input_count; k++) facts_weaken(&f, s.part[k].f.status, s.part[k].f.gap);
    if (!n->set.is_all) make_distinct(&s);
    return f;
}
