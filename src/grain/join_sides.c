/* join_sides.c - the two sides of a join as facts: merged, padded, made anew for each row.
 * Called by: op_join.c.  Must not know: kinds of joins.
 */
#include <string.h>

#include "grain/join_int.h"

const bool *join_fitting_pairs(grain_model *m, const plan_join *is) {
    bool *fits = ARENA_ARRAY(m->owner, bool, is->pair_count + 1);
    for (size_t i = 0; i < is->pair_count; i++)
        fits[i] = expr_types_compare(expr_column_type(&m->expr, is->pair[i].left),
                                     expr_column_type(&m->expr, is->pair[i].right)) != UNCERTAIN;
    return fits;
}

facts join_merge(grain_model *m, const facts *l, const facts *right) {
    facts f = facts_copy(l), other = facts_copy(right);
    const facts *r = &other;
    op_keys_to_dependencies(&f);
    op_keys_to_dependencies(&other);
    f.key_count = 0;
    f.all = colset_union(l->all, r->all, m->owner);
    f.outer = colset_union(l->outer, colset_difference(r->outer, l->all, m->owner), m->owner);
    f.is_repeatable = l->is_repeatable && r->is_repeatable;
    for (uint32_t i = 0; i < r->dependency_count; i++) facts_add_dependency(&f, r->dependency[i]);
    for (uint32_t i = 0; i < r->presence_count; i++) facts_add_presence(&f, r->presence[i]);
    for (uint32_t i = 0; i < r->equal_count; i++) {
        column_id first = 0;
        if (!colset_next(r->equal[i], 0, &first)) continue;
        for (column_id id = first + 1; colset_next(r->equal[i], id, &id); id++) facts_add_equal(&f, first, id);
    }
    for (uint32_t i = 0; i < r->not_null_count; i++)
        facts_add_not_null(&f, r->not_null_by[i].columns, r->not_null_by[i].why);
    for (uint32_t i = 0; i < r->constant_count; i++)
        facts_add_constant(&f, r->constant_by[i].columns, r->constant_by[i].why);
    f.constant_or_null = colset_union(f.constant_or_null, r->constant_or_null, m->owner);
    for (uint32_t i = 0; i < r->value_count; i++) facts_add_value(&f, r->value[i].column, r->value[i].value, r->value[i].why);
    for (uint32_t i = 0; i < r->inclusion_count; i++) facts_add_inclusion(&f, r->inclusion[i]);
    for (uint32_t i = 0; i < r->conditional_count; i++) facts_add_conditional(&f, &r->conditional[i]);
    for (uint32_t i = 0; i < f.conditional_count; i++) f.conditional[i].is_key = false;
    f.domain = domain_both(&m->expr, l->domain, r->domain);
    facts_weaken(&f, r->status, r->gap);
    return f;
}

/* What a dependency says of columns of enclosing queries holds among present rows alone. */
static void part_outer(grain_model *m, facts *f, colset there) {
    for (uint32_t i = 0, n = f->dependency_count; i < n; i++) {
        fact_dependency d = f->dependency[i];
        colset outer = colset_difference(d.to, f->all, m->owner);
        if (colset_is_empty(outer)) continue;
        f->dependency[i].to = colset_intersection(d.to, f->all, m->owner);
        d.to = outer, d.needs = colset_union(d.needs, there, m->owner);
        d.from = colset_union(d.from, there, m->owner);
        facts_add_dependency(f, d);
    }
}

static void pad_keys(grain_model *m, facts *f, colset there) {
    part_outer(m, f, there);
    for (uint32_t i = 0; i < f->key_count; i++) {
        f->key[i].columns = colset_union(f->key[i].columns, there, m->owner);
        f->key[i].needs = colset_difference(f->key[i].needs, f->not_null, m->owner);
    }
    for (uint32_t i = 0; i < f->dependency_count; i++) {
        fact_dependency_set_from(&f->dependency[i], colset_union(f->dependency[i].from, there, m->owner));
        f->dependency[i].needs = colset_difference(f->dependency[i].needs, f->not_null, m->owner);
    }
}

/* What a padded side said of columns of enclosing queries is so for its present rows only: they are not padded with it. */
static void pad_outer(grain_model *m, facts *f, colset there) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->equal_count; i++) {
        colset inner = colset_intersection(f->equal[i], f->all, m->owner);
        colset outer = colset_difference(f->equal[i], f->all, m->owner);
        column_id id = 0;
        for (; colset_next(outer, id, &id); id++)
            facts_add_dependency(f, (fact_dependency){.from = colset_union(op_single(m, id), there, m->owner), .to = inner});
        if (colset_count(inner) > 1) f->equal[kept++] = inner;
    }
    f->equal_count = kept;
    f->constant_or_null = colset_intersection(f->constant_or_null, f->all, m->owner);
    kept = 0;
    for (uint32_t i = 0; i < f->value_count; i++)
        if (colset_has(f->all, f->value[i].column)) f->value[kept++] = f->value[i];
    f->value_count = kept;
    if (colset_is_empty(f->outer)) return;
    column_map ids = column_map_new(f->outer, m->owner);
    column_id id = 0;
    for (; colset_next(f->outer, id, &id); id++) column_map_put(&ids, id, op_hide(m, STR("")));
    f->domain = domain_map(&m->expr, f->domain, &ids);
}

column_id join_pad(grain_model *m, facts *f) {
    column_id presence = op_hide(m, STR(""));
    colset there = op_single(m, presence);
    pad_keys(m, f, there);
    facts_add_dependency(f, (fact_dependency){.from = there, .to = colset_intersection(f->constant, f->all, m->owner)});
    fact_presence p = {.members = colset_union(f->all, there, m->owner),
                       .implied = colset_union(f->not_null, there, m->owner),
                       .telling = colset_intersection(f->not_null, f->all, m->owner),
                       .column = presence};
    f->all = colset_union(f->all, there, m->owner);
    f->conditional_count = 0; /* a condition may hold of the padded rows */
    pad_outer(m, f, there);
    f->constant = COLSET_EMPTY, f->constant_count = 0;
    f->constant_or_null = colset_union(f->constant_or_null, there, m->owner);
    f->not_null = COLSET_EMPTY, f->not_null_count = 0;
    for (uint32_t i = 0; i < f->inclusion_count; i++)
        if (!f->inclusion[i].is_covers && !f->inclusion[i].is_lax) f->inclusion[i].is_lax = f->inclusion[i].of_parts = true;
    facts_add_presence(f, p);
    return presence;
}

void join_make_lateral(joining *j, facts *right) {
    grain_model *m = j->m;
    colset outer = colset_intersection(right->outer, j->left.in->all, m->owner), row = outer;
    if (!right->is_repeatable) { /* each row of the left may see other rows: told apart by all of it */
        row = COLSET_EMPTY;
        colset_add(&row, op_hide(m, STR("")), m->owner);
        right->all = colset_union(right->all, row, m->owner);
    }
    right->conditional_count = 0;
    op_keys_to_dependencies(right);
    for (uint32_t i = 0; i < right->dependency_count; i++)
        if (right->dependency[i].is_local)
            fact_dependency_set_from(&right->dependency[i], colset_union(right->dependency[i].from, row, m->owner));
    for (uint32_t i = 0; i < right->key_count; i++)
        right->key[i].columns = colset_union(right->key[i].columns, row, m->owner);
    j->row = row;
    facts_keep_covers(right, COLSET_EMPTY);
}

void join_tell_rows(joining *j, facts *f, const facts *left) {
    for (uint32_t i = 0; i < left->key_count; i++)
        facts_add_dependency(f, (fact_dependency){.from = left->key[i].columns, .needs = left->key[i].needs, .to = j->row,
                                                  .is_entity = true, .is_presumed = left->key[i].is_presumed, .is_local = true});
}

/* What COALESCE makes of the two columns of a pair: a hidden column, found again by op_merge_of. */
static column_id merged_column(grain_model *m, facts *f, column_id left, column_id right) {
    column_id id = op_hide(m, STR(""));
    grain_hidden *h = &m->hidden[id - m->plan->column_count];
    f->all = colset_union(f->all, op_single(m, id), m->owner);
    h->is_merge = true, h->merges[0] = left, h->merges[1] = right;
    return id;
}

/* COALESCE(a.k, b.k) = c.k behind a full join of a and b: an equation of what merges them. */
static bool take_equation(joining *j, const plan_expr *e, column_id *left, column_id *right) {
    bool is_plain = e->kind == EXPR_COMPARE && e->op == OP_EQ && !e->negated && e->arg_count == 2;
    for (size_t k = 0; is_plain && k < 2; k++) {
        *left = op_merge_of(j->m, j->left.in, e->arg[k]), *right = op_merge_of(j->m, j->right.in, e->arg[1 - k]);
        if (*left == NO_COLUMN || *right == NO_COLUMN) continue;
        if (!colset_has(j->left.in->all, *left) || !colset_has(j->right.in->all, *right)) continue;
        type_family l = expr_type(&j->m->expr, e->arg[k]), r = expr_type(&j->m->expr, e->arg[1 - k]);
        return expr_types_compare(l, r) != UNCERTAIN;
    }
    return false;
}

static void merge(joining *j, facts *f, column_id left, column_id right, colset *key) {
    grain_model *m = j->m;
    column_id id = merged_column(m, f, left, right);
    bool is_there = colset_has(j->left.in->not_null, left) && colset_has(j->right.in->not_null, right);
    if (is_there) facts_add_not_null(f, op_single(m, id), j->match.why);
    colset_add(key, id, m->owner);
}

/* A row of the left alone and one of the right alone never have the same values: they would be partners. */
void join_merged_key(joining *j, facts *f) {
    const plan_join *is = j->is;
    colset key = COLSET_EMPTY;
    column_id left, right;
    bool both = j->match.left_at_most_one && j->match.right_at_most_one && is->pair_count + is->rest_count;
    for (size_t i = 0; i < is->pair_count; i++) both = both && j->pair_fits[i] && !is->pair[i].is_null_safe;
    for (size_t i = 0; i < is->rest_count; i++) both = both && take_equation(j, is->rest[i], &left, &right);
    if (!both) return;
    for (size_t i = 0; i < is->pair_count; i++) merge(j, f, is->pair[i].left, is->pair[i].right, &key);
    for (size_t i = 0; i < is->rest_count; i++)
        if (take_equation(j, is->rest[i], &left, &right)) merge(j, f, left, right, &key);
    facts_add_key(f, (fact_key){.columns = key, .needs = key, .why = j->match.why});
}
