/* op_join.c - joins of every kind: keys, repeats, lost rows.
 * Called by: grain.c.  Must not know: where the sides come from.
 *
 * Everything follows from two superkey tests and two inclusion tests: can a row of a side have several partners, and must
 * it have one? A right join is a left join with its sides swapped; a scalar subquery is a left join with at most one row;
 * a semi join is an inner join of which one row is kept for each row of the left, so the facts of the inner join hold of it.
 */
#include "grain/join_int.h"

#include <string.h>

/* ---- the sides ---- */

/* Does `e` read only columns of `f` (and of enclosing queries)? */
static bool reads_only(const facts *f, const plan_expr *e) {
    return colset_is_subset(e->columns, f->all);
}

/* cast(a.id as text) = cast(b.id as text): an expression that loses nothing fixes what it is made of. False where it is none. */
static bool fix_expression(const joining *j, join_side *side, const join_side *other, const plan_expr *mine, const plan_expr *theirs,
                           bool is_plain, colset *fixed, colset *presumed) {
    colset back = COLSET_EMPTY;
    if (op_merge_of(j->m, side->filtered, mine) != NO_COLUMN || colset_is_empty(mine->columns)) return false;
    if (!reads_only(side->filtered, mine) || !reads_only(other->in, theirs)) return false;
    certainty home = expr_is_one_to_one(&j->m->expr, mine, &back), there = expr_is_function_of_columns(&j->m->expr, theirs);
    if (home == UNCERTAIN || there == UNCERTAIN || colset_is_empty(back)) return false;
    if (expr_types_compare(expr_type(&j->m->expr, mine), expr_type(&j->m->expr, theirs)) == UNCERTAIN) return false;
    if (!is_plain && home != CERTAIN) return false; /* NULL for one and not for the other */
    colset_add_all(home == CERTAIN && there == CERTAIN ? fixed : presumed, back, j->m->owner);
    if (is_plain) colset_add_all(&side->plain, colset_intersection(back, expr_strict_columns(&j->m->expr, mine), j->m->owner), j->m->owner);
    return true;
}

/* Columns of a side that one row of the other fixes: those that are equated, also with an expression over the other side. */
static void find_fixed(const joining *j, join_side *side, const join_side *other) {
    colset fixed = COLSET_EMPTY, presumed = COLSET_EMPTY, *plain = &side->plain;
    arena *a = j->m->owner;
    for (size_t i = 0; i < j->is->pair_count; i++) {
        if (!j->pair_fits[i]) continue;
        column_id id = side->is_left ? j->is->pair[i].left : j->is->pair[i].right;
        colset_add(&fixed, id, a);
        if (!j->is->pair[i].is_null_safe) colset_add(plain, id, a);
    }
    for (size_t i = 0; i < j->is->rest_count; i++) {
        const plan_expr *e = j->is->rest[i];
        bool equates = e->kind == EXPR_COMPARE && e->arg_count == 2 && !e->negated &&
                       (e->op == OP_EQ || e->op == OP_NULLSAFE_EQ);
        for (size_t k = 0; equates && k < 2; k++) {
            const plan_expr *mine = e->arg[k], *theirs = e->arg[1 - k];
            if (fix_expression(j, side, other, e->arg[k], e->arg[1 - k], e->op == OP_EQ, &fixed, &presumed)) continue;
            bool is_merge = op_merge_of(j->m, other->in, theirs) != NO_COLUMN;
            certainty how = is_merge ? CERTAIN : expr_is_function_of_columns(&j->m->expr, theirs);
            column_id id = op_merge_of(j->m, side->filtered, mine);
            if (id == NO_COLUMN || !colset_has(side->filtered->all, id) || !reads_only(other->in, theirs) || how == UNCERTAIN) continue;
            if (expr_types_compare(expr_type(&j->m->expr, mine), expr_type(&j->m->expr, theirs)) == UNCERTAIN) continue;
            colset_add(how == CERTAIN ? &fixed : &presumed, id, a);
            if (e->op == OP_EQ) colset_add(plain, id, a);
        }
    }
    side->fixed = fixed;
    side->presumed = colset_union(fixed, presumed, a);
}

/* The side as its rows look that can have a partner: they meet the conditions on this side alone, and nothing that the
 * condition needs is NULL. */
static void filter_side(joining *j, join_side *side) {
    facts f = facts_copy(side->in);
    for (size_t i = 0; i < j->is->rest_count; i++) {
        const plan_expr *e = j->is->rest[i];
        if (!colset_is_empty(e->columns) && reads_only(side->in, e)) learn_condition(j->m, &f, e);
        colset rejected = colset_intersection(expr_rejects_null(&j->m->expr, e), side->in->all, j->m->owner);
        facts_add_not_null(&f, rejected, condition_evidence(j->m, e));
    }
    for (size_t i = 0; i < j->is->pair_count; i++)
        if (!j->is->pair[i].is_null_safe)
            facts_add_not_null(&f, op_single(j->m, side->is_left ? j->is->pair[i].left : j->is->pair[i].right), j->match.why);
    side->filtered = ARENA_NEW(j->m->owner, facts);
    *side->filtered = f;
}

/* ---- is a side unique for all that we know? ---- */

/* A key that nobody declares may hold what is equated. Where no key at all is known, it may. */
static bool may_be_unique(joining *j, const join_side *side) {
    closure_mode mode = {.not_null = side->plain, .with_presumed = true};
    if (!facts_best_key(side->in)) return true;
    colset told = facts_closure(side->filtered, side->presumed, mode);
    for (uint32_t i = 0; i < side->filtered->key_count; i++)
        if (op_is_told_by_open(side->rows, side->in, colset_difference(side->filtered->key[i].columns, told, j->m->owner), side->presumed))
            return true;
    return false;
}

/* Has a row of the other side at most one partner on this one? */
static void test_side(joining *j, join_side *side, const join_side *other) {
    find_fixed(j, side, other);
    closure_mode mode = {.not_null = side->plain};
    side->why = EVIDENCE_SQL;
    side->is_unique = side->filtered->rows.max <= 1 || facts_is_superkey(side->filtered, side->fixed, mode, &side->why);
    mode.with_presumed = true;
    side->is_presumed_unique = side->is_unique || facts_is_superkey(side->filtered, side->presumed, mode, NULL);
    side->is_open = !side->is_presumed_unique && may_be_unique(j, side);
}

/* ---- must a row have a partner? ---- */

static const inclusion_pair *find_pair(const facts *f, const fact_inclusion *in, column_id here, uint32_t there, bool any) {
    colset same = facts_equal_to(f, here);
    for (size_t i = 0; i < in->pair_count; i++)
        if (colset_has(same, in->pair[i].here) && (any || in->pair[i].there == there)) return &in->pair[i];
    return NULL;
}

/* All equated columns, through one fact of each side. */
static bool pairs_meet(const joining *j, const join_side *from, const fact_inclusion *within, const join_side *to,
                       const fact_inclusion *covers) {
    for (size_t i = 0; i < j->is->pair_count; i++) {
        column_id l = j->is->pair[i].left, r = j->is->pair[i].right;
        column_id mine = from->is_left ? l : r, theirs = from->is_left ? r : l;
        bool is_there = colset_has(from->in->not_null, mine);
        if (!is_there && (!j->is->pair[i].is_null_safe || within->is_lax)) return false;
        bool met = false;
        colset same = facts_equal_to(from->in, mine);
        for (size_t k = 0; k < within->pair_count && !met; k++)
            met = colset_has(same, within->pair[k].here) && find_pair(to->in, covers, theirs, within->pair[k].there, false);
        if (!met) return false;
    }
    for (size_t k = 0; within->is_lax && !within->of_parts && k < within->pair_count; k++)
        if (!colset_has(from->in->not_null, within->pair[k].here)) return false;
    return true;
}

/* What covers only the rows of one value does for rows that are all of that value. */
static bool value_meets(const joining *j, const join_side *from, const fact_inclusion *within, const fact_inclusion *covers) {
    if (!covers->only_value) return true;
    for (size_t k = 0; k < within->pair_count; k++) {
        if (within->pair[k].there != covers->only_there) continue;
        for (uint32_t i = 0; i < from->in->value_count; i++) {
            const fact_value *v = &from->in->value[i];
            bool is_it = v->column == within->pair[k].here && colset_has(from->in->constant, v->column);
            if (is_it && expr_literals_equal(&j->m->expr, v->value, covers->only_value)) return true;
        }
    }
    return false;
}

/* Nothing to tell where the SQL itself is the reason: a relation joined with itself. */
static evidence_id met_evidence(joining *j, const join_side *from, evidence_id because) {
    colset columns = COLSET_EMPTY;
    if (because == EVIDENCE_SQL) return EVIDENCE_SQL;
    for (size_t i = 0; i < j->is->pair_count; i++)
        colset_add(&columns, from->is_left ? j->is->pair[i].left : j->is->pair[i].right, j->m->owner);
    return evidence_add(&j->m->evidence, (evidence){.kind = EVIDENCE_MATCHED, .at = j->is->on, .node = j->node, .columns = columns, .because = {because}});
}

static bool has_partner(joining *j, const join_side *from, const join_side *to, evidence_id *why) {
    if (!j->is->pair_count && !j->is->rest_count) return to->in->rows.min > 0;
    for (size_t i = 0; i < j->is->rest_count; i++)
        if (expr_outcome(&j->m->expr, to->in, j->is->rest[i]) != OUTCOME_TRUE) return false;
    if (!j->is->pair_count) return to->in->rows.min > 0;
    for (uint32_t w = 0; w < from->in->inclusion_count; w++) {
        const fact_inclusion *within = &from->in->inclusion[w];
        for (uint32_t c = 0; c < to->in->inclusion_count && !within->is_covers; c++) {
            const fact_inclusion *covers = &to->in->inclusion[c];
            if (!covers->is_covers || covers->relation != within->relation) continue;
            if (!pairs_meet(j, from, within, to, covers) || !value_meets(j, from, within, covers)) continue;
            *why = met_evidence(j, from, evidence_both(&j->m->evidence, within->why, covers->why));
            return true;
        }
    }
    return false;
}

/* ---- rows ---- */

static uint64_t times(uint64_t a, uint64_t b) {
    if (!a || !b) return 0;
    return a > UINT64_MAX / b ? UINT64_MAX : a * b;
}
static uint64_t plus(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}
static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}
static uint64_t most(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static row_bounds inner_bounds(const joining *j) {
    row_bounds l = j->left.in->rows, r = j->right.in->rows, out = {0, times(l.max, r.max)};
    if (!j->is->pair_count && !j->is->rest_count) out.min = times(l.min, r.min);
    if (j->match.left_matched) out.min = most(out.min, l.min);
    if (j->match.right_matched) out.min = most(out.min, r.min);
    if (j->match.left_at_most_one) out.max = least(out.max, l.max);
    if (j->match.right_at_most_one) out.max = least(out.max, r.max);
    return out;
}

static row_bounds outer_bounds(const joining *j) {
    row_bounds l = j->left.in->rows, r = j->right.in->rows, inner = inner_bounds(j);
    row_bounds out = {most(inner.min, l.min), j->match.left_at_most_one ? l.max : times(l.max, most(r.max, 1))};
    if (j->match.right_at_most_one) out.max = least(out.max, plus(l.max, r.max));
    if (j->match.left_matched) out.max = least(out.max, inner.max);
    return out;
}

static row_bounds full_bounds(const joining *j) {
    row_bounds l = j->left.in->rows, r = j->right.in->rows, inner = inner_bounds(j);
    row_bounds out = {most(inner.min, most(l.min, r.min)), most(times(l.max, r.max), plus(l.max, r.max))};
    if (j->match.left_at_most_one || j->match.right_at_most_one) out.max = least(out.max, plus(l.max, r.max));
    if (j->match.left_matched) out.max = least(out.max, outer_bounds(&(joining){.is = j->is, .left = j->right, .right = j->left, .match = {
        .left_at_most_one = j->match.right_at_most_one, .right_at_most_one = j->match.left_at_most_one,
        .left_matched = j->match.right_matched, .right_matched = j->match.left_matched}}).max);
    if (j->match.right_matched) out.max = least(out.max, outer_bounds(j).max);
    return out;
}

/* ---- the keys of the result ---- */

enum { MAX_KEYS_JOINED = 4 };

static void keep_keys(joining *j, facts *f, const facts *side, colset presence, evidence_id because) {
    for (uint32_t i = 0; i < side->key_count; i++) {
        const fact_key *k = &side->key[i];
        facts_add_key(f, (fact_key){.columns = colset_union(k->columns, presence, j->m->owner),
                                    .needs = colset_union(k->needs, presence, j->m->owner),
                                    .is_presumed = k->is_presumed,
                                    .why = evidence_both(&j->m->evidence, j->match.why, evidence_both(&j->m->evidence, k->why, because))});
    }
}

static void join_keys(joining *j, facts *f, const facts *l, const facts *r) {
    for (uint32_t i = 0; i < l->key_count && i < MAX_KEYS_JOINED; i++)
        for (uint32_t k = 0; k < r->key_count && k < MAX_KEYS_JOINED; k++) {
            const fact_key *a = &l->key[i], *b = &r->key[k];
            if ((i || k) && f->key_count + MAX_KEYS_JOINED >= FACTS_MAX_KEYS) return; /* the others follow from the first */
            evidence_id both = evidence_both(&j->m->evidence, a->why, b->why);
            facts_add_key(f, (fact_key){.columns = colset_union(a->columns, b->columns, j->m->owner),
                                        .needs = colset_union(a->needs, b->needs, j->m->owner),
                                        .is_presumed = a->is_presumed || b->is_presumed,
                                        .why = evidence_both(&j->m->evidence, j->match.why, both)});
        }
}

/* ---- conditions on joined rows ---- */

static void learn_pairs(joining *j, facts *f) {
    for (size_t i = 0; i < j->is->pair_count; i++) {
        const plan_pair *p = &j->is->pair[i];
        colset both = op_single(j->m, p->left);
        colset_add(&both, p->right, j->m->owner);
        if (!p->is_null_safe) facts_add_not_null(f, both, j->match.why);
        if (j->pair_fits[i]) facts_add_equal(f, p->left, p->right);
    }
    for (size_t i = 0; i < j->is->rest_count; i++) learn_condition(j->m, f, j->is->rest[i]);
}

/* What the condition reads of the left. Does that alone decide which partners a row has? */
static bool decides_partners(const joining *j, colset *read) {
    arena *a = j->m->owner;
    bool is_function = !j->is->is_lateral && j->right.in->is_repeatable;
    for (size_t i = 0; i < j->is->pair_count; i++) {
        colset_add(read, j->is->pair[i].left, a);
        is_function = is_function && j->pair_fits[i];
    }
    for (size_t i = 0; i < j->is->rest_count; i++) {
        const plan_expr *e = j->is->rest[i];
        colset_add_all(read, colset_intersection(e->columns, j->left.in->all, a), a);
        is_function = is_function && expr_is_function_of_columns(&j->m->expr, e) == CERTAIN;
    }
    return is_function;
}

/* Rows of a padded side that are present meet the condition: left and presence determine right, and a right that is not NULL
 * is the left's. */
static void learn_padded(joining *j, facts *f, column_id presence) {
    arena *a = j->m->owner;
    colset here = op_single(j->m, presence), read = COLSET_EMPTY;
    for (size_t i = 0; i < j->is->pair_count; i++) {
        const plan_pair *p = &j->is->pair[i];
        colset l = op_single(j->m, p->left), r = op_single(j->m, p->right);
        if (!j->pair_fits[i]) continue;
        facts_add_dependency(f, (fact_dependency){.from = colset_union(l, here, a), .to = r, .why = j->match.why});
        facts_add_dependency(f, (fact_dependency){.from = colset_union(r, here, a), .needs = here, .to = l, .why = j->match.why});
        fact_presence back = {.members = here, .implied = l, .column = NO_COLUMN};
        if (!p->is_null_safe) facts_add_presence(f, back);
    }
    for (size_t i = 0; i < j->is->rest_count; i++) {
        colset rejected = expr_rejects_null(&j->m->expr, j->is->rest[i]);
        facts_add_presence(f, (fact_presence){.members = here, .implied = rejected, .column = NO_COLUMN});
    }
    if (decides_partners(j, &read))
        facts_add_dependency(f, (fact_dependency){.from = read, .to = here, .is_local = true, .why = j->match.why});
}

/* ---- what is still covered ---- */

/* A side's relations stay covered if each of its rows has a partner: that is then a reason, too. */
static void cover(joining *j, facts *side, bool is_matched, evidence_id met) {
    if (!is_matched) facts_keep_covers(side, COLSET_EMPTY);
    for (uint32_t i = 0; i < side->inclusion_count; i++)
        if (side->inclusion[i].is_covers) side->inclusion[i].why = evidence_both(&j->m->evidence, side->inclusion[i].why, met);
}

static void lose(joining *j) {
    op_lose(j->m, j->node, j->is->on, span_text(j->m->text, j->is->on));
}

/* ---- the sides exchanged ---- */

/* The left join that says the same with its sides exchanged. */
static plan_join swapped(grain_model *m, const plan_join *is) {
    plan_join s = *is;
    plan_pair *pair = ARENA_ARRAY(m->owner, plan_pair, is->pair_count + 1);
    for (size_t i = 0; i < is->pair_count; i++) {
        pair[i] = is->pair[i];
        pair[i].left = is->pair[i].right, pair[i].right = is->pair[i].left;
    }
    s.pair = pair;
    s.kind = PLAN_JOIN_LEFT;
    return s;
}

static join_match turned_match(join_match m) {
    static const join_cardinality other[] = {ONE_TO_ONE, ONE_TO_MANY, MANY_TO_ONE, MANY_TO_MANY};
    return (join_match){.left_at_most_one = m.right_at_most_one, .right_at_most_one = m.left_at_most_one,
                        .left_matched = m.right_matched, .right_matched = m.left_matched,
                        .left_presumed = m.right_presumed, .right_presumed = m.left_presumed,
                        .left_is_open = m.right_is_open, .right_is_open = m.left_is_open,
                        .cardinality = other[m.cardinality], .left_why = m.right_why, .right_why = m.left_why,
                        .left_met = m.right_met, .right_met = m.left_met, .why = m.why};
}

static joining turned(const joining *j) {
    joining out = *j;
    plan_join *is = ARENA_NEW(j->m->owner, plan_join);
    *is = swapped(j->m, j->is);
    out.is = is, out.match = turned_match(j->match);
    out.left = j->right, out.left.is_left = true;
    out.right = j->left, out.right.is_left = false;
    return out;
}

/* ---- each kind ---- */

static void finish_joined(joining *j, facts *f, const facts *l, const facts *r, colset l_there, colset r_there) {
    if (j->match.left_at_most_one) keep_keys(j, f, l, l_there, j->match.left_why);
    if (j->match.right_at_most_one) keep_keys(j, f, r, r_there, j->match.right_why);
    join_keys(j, f, l, r);
}

static facts join_inner(joining *j) {
    facts l = facts_copy(j->left.filtered), r = facts_copy(j->right.filtered);
    cover(j, &l, j->match.left_matched, j->match.left_met);
    cover(j, &r, j->match.right_matched, j->match.right_met);
    if (!j->match.left_matched) lose(j);
    if (j->is->is_lateral) join_make_lateral(j, &r);
    facts f = join_merge(j->m, &l, &r);
    join_tell_rows(j, &f, &l);
    learn_pairs(j, &f);
    finish_joined(j, &f, &l, &r, COLSET_EMPTY, COLSET_EMPTY);
    f.rows = (row_bounds){0, ROWS_UNBOUNDED};
    facts_bound_rows(&f, inner_bounds(j), j->match.why);
    return f;
}

/* No row of a side is padded, because each of the other has a partner: what is said of it leans on that. */
static void lean(joining *j, facts *side, evidence_id met) {
    evidence_list *list = &j->m->evidence;
    for (uint32_t i = 0; i < side->not_null_count; i++) side->not_null_by[i].why = evidence_both(list, side->not_null_by[i].why, met);
    for (uint32_t i = 0; i < side->constant_count; i++) side->constant_by[i].why = evidence_both(list, side->constant_by[i].why, met);
    for (uint32_t i = 0; i < side->value_count; i++) side->value[i].why = evidence_both(list, side->value[i].why, met);
    j->match.why = evidence_both(list, j->match.why, met);
}

static facts join_left(joining *j) {
    if (j->match.left_matched) {
        lean(j, j->right.filtered, j->match.left_met);
        return join_inner(j);
    }
    facts l = facts_copy(j->left.in), r = facts_copy(j->right.filtered);
    cover(j, &r, j->match.right_matched, j->match.right_met);
    if (j->is->is_lateral) join_make_lateral(j, &r);
    column_id presence = join_pad(j->m, &r);
    facts f = join_merge(j->m, &l, &r);
    join_tell_rows(j, &f, &l);
    learn_padded(j, &f, presence);
    finish_joined(j, &f, &l, &r, COLSET_EMPTY, op_single(j->m, presence));
    f.rows = (row_bounds){0, ROWS_UNBOUNDED};
    facts_bound_rows(&f, outer_bounds(j), j->match.why);
    return f;
}

/* Where both sides are there they meet the condition; whether a row has a partner depends on what the condition reads of it. */
static void learn_full(joining *j, facts *f, column_id l_there, column_id r_there) {
    arena *a = j->m->owner;
    colset here[2] = {op_single(j->m, l_there), op_single(j->m, r_there)}, read[2] = {COLSET_EMPTY, COLSET_EMPTY};
    bool is_function = j->left.in->is_repeatable && j->right.in->is_repeatable;
    for (size_t i = 0; i < j->is->pair_count; i++) {
        const plan_pair *p = &j->is->pair[i];
        colset side[2] = {op_single(j->m, p->left), op_single(j->m, p->right)};
        for (size_t k = 0; k < 2; k++) {
            read[k] = colset_union(read[k], side[k], a);
            colset needs = p->is_null_safe ? here[k] : side[k];
            colset from = colset_union(colset_union(side[k], needs, a), here[1 - k], a);
            if (j->pair_fits[i])
                facts_add_dependency(f, (fact_dependency){.from = from, .needs = needs, .to = side[1 - k], .why = j->match.why});
        }
    }
    for (size_t i = 0; i < j->is->rest_count; i++) {
        const plan_expr *e = j->is->rest[i];
        read[0] = colset_union(read[0], colset_intersection(e->columns, j->left.in->all, a), a);
        read[1] = colset_union(read[1], colset_intersection(e->columns, j->right.in->all, a), a);
        is_function = is_function && expr_is_function_of_columns(&j->m->expr, e) == CERTAIN;
    }
    for (size_t k = 0; k < 2 && is_function; k++)
        facts_add_dependency(f, (fact_dependency){.from = colset_union(read[k], here[k], a), .needs = here[k], .to = here[1 - k],
                                                  .is_local = true, .why = j->match.why});
}

static facts join_padded(joining *j) {
    facts l = facts_copy(j->left.in), r = facts_copy(j->right.in);
    column_id l_there = join_pad(j->m, &l), r_there = join_pad(j->m, &r);
    facts f = join_merge(j->m, &l, &r);
    finish_joined(j, &f, &l, &r, op_single(j->m, l_there), op_single(j->m, r_there));
    learn_full(j, &f, l_there, r_there);
    join_merged_key(j, &f);
    f.rows = (row_bounds){0, ROWS_UNBOUNDED};
    facts_bound_rows(&f, full_bounds(j), j->match.why);
    return f;
}

/* Where each row of the right has a partner no row of the left is padded. */
static facts join_full_as_left(joining *j) {
    facts *left = ARENA_NEW(j->m->owner, facts);
    *left = facts_copy(j->left.in);
    lean(j, left, j->match.right_met);
    lean(j, j->left.filtered, j->match.right_met);
    j->left.in = left;
    return join_left(j);
}

static facts join_full(joining *j) {
    if (j->is->is_lateral) return join_padded(j);
    if (j->match.right_matched) return join_full_as_left(j);
    if (!j->match.left_matched) return join_padded(j);
    joining other = turned(j);
    facts f = join_full_as_left(&other);
    j->match = turned_match(other.match);
    return f;
}

/* One row of the inner join for each row of the left that has a partner. */
static facts join_semi(joining *j) {
    facts l = facts_copy(j->left.filtered), r = facts_copy(j->right.filtered);
    cover(j, &l, j->match.left_matched, j->match.left_met);
    if (!j->match.left_matched) lose(j);
    facts_keep_covers(&r, COLSET_EMPTY);
    if (j->is->is_lateral) join_make_lateral(j, &r);
    facts f = join_merge(j->m, &l, &r);
    join_tell_rows(j, &f, &l);
    learn_pairs(j, &f);
    for (uint32_t i = 0; i < l.key_count; i++) facts_add_key(&f, l.key[i]);
    f.status = j->left.in->status, f.gap = j->left.in->gap;
    f.is_repeatable = j->left.in->is_repeatable && j->right.in->is_repeatable;
    f.rows = (row_bounds){0, ROWS_UNBOUNDED};
    row_bounds rows = j->left.in->rows;
    if (!j->match.left_matched) rows.min = 0;
    if (j->right.in->rows.max == 0) rows.max = 0;
    facts_bound_rows(&f, rows, EVIDENCE_SQL);
    return f;
}

static facts join_anti(joining *j) {
    facts f = facts_copy(j->left.in);
    facts_keep_covers(&f, COLSET_EMPTY);
    lose(j);
    f.outer = colset_union(f.outer, colset_difference(j->right.in->outer, f.all, j->m->owner), j->m->owner);
    f.is_repeatable = f.is_repeatable && j->right.in->is_repeatable;
    f.rows.min = 0;
    if (!j->is->pair_count && !j->is->rest_count && j->right.in->rows.min > 0) facts_no_rows(&f, EVIDENCE_SQL);
    if (j->right.in->rows.max == 0) f.rows.min = j->left.in->rows.min;
    return f;
}

static facts join_mark(joining *j) {
    facts f = facts_copy(j->left.in);
    f.outer = colset_union(f.outer, colset_difference(j->right.in->outer, f.all, j->m->owner), j->m->owner);
    f.all = colset_union(f.all, op_single(j->m, j->is->mark), j->m->owner);
    f.is_repeatable = f.is_repeatable && j->right.in->is_repeatable;
    if (!j->is->pair_count && !j->is->rest_count) /* EXISTS is TRUE or FALSE */
        facts_add_not_null(&f, op_single(j->m, j->is->mark), EVIDENCE_SQL);
    colset read = COLSET_EMPTY;
    if (decides_partners(j, &read)) facts_add_dependency(&f, (fact_dependency){.from = read, .to = op_single(j->m, j->is->mark), .is_local = true});
    return f;
}

/* Whether a value is there or not: the engine refuses a second row. */
static facts join_scalar(joining *j) {
    facts_bound_rows(j->right.filtered, (row_bounds){0, 1}, evidence_add(&j->m->evidence, (evidence){.kind = EVIDENCE_ONE_ROW, .at = j->node->at}));
    j->match.left_at_most_one = true;
    j->match.left_matched = j->right.in->rows.min > 0;
    facts f = join_left(j);
    for (size_t i = 0; i < j->node->column_count; i++) {
        column_id id = j->node->column[i];
        const plan_column *c = &j->m->plan->column[id];
        if (c->origin != COLUMN_SUBQUERY || colset_has(f.all, id)) continue;
        f.all = colset_union(f.all, op_single(j->m, id), j->m->owner);
        if (c->source_count) facts_add_equal(&f, id, c->source[0]);
    }
    facts_weaken(&f, j->right.in->status, j->right.in->gap);
    return f;
}

static facts join_asof(joining *j) {
    j->match.left_at_most_one = true;
    j->match.right_at_most_one = false;
    return j->is->is_outer ? join_left(j) : join_inner(j);
}

/* ---- the operator ---- */

static void evaluate(joining *j) {
    filter_side(j, &j->left);
    filter_side(j, &j->right);
    test_side(j, &j->left, &j->right);
    test_side(j, &j->right, &j->left);
    join_match *match = &j->match;
    match->left_at_most_one = j->right.is_unique, match->left_why = j->right.why;
    match->right_at_most_one = j->left.is_unique, match->right_why = j->left.why;
    match->left_presumed = j->right.is_presumed_unique;
    match->right_presumed = j->left.is_presumed_unique;
    match->left_is_open = j->right.is_open, match->right_is_open = j->left.is_open;
    if (j->is->is_lateral) match->right_at_most_one = match->right_presumed = false;
    match->cardinality = match->right_at_most_one ? (match->left_at_most_one ? ONE_TO_ONE : ONE_TO_MANY)
                                                  : (match->left_at_most_one ? MANY_TO_ONE : MANY_TO_MANY);
    match->left_matched = has_partner(j, &j->left, &j->right, &match->left_met);
    match->right_matched = !j->is->is_lateral && has_partner(j, &j->right, &j->left, &match->right_met);
    if (j->is->is_lateral && !j->is->pair_count && !j->is->rest_count) match->left_matched = j->right.in->rows.min > 0;
    match->why = join_evidence(j);
}

static facts join_by_kind(joining *j) {
    switch (j->is->kind) {
    case PLAN_JOIN_INNER:
    case PLAN_JOIN_CROSS: return j->is->is_outer ? join_left(j) : join_inner(j);
    case PLAN_JOIN_LEFT: return join_left(j);
    case PLAN_JOIN_FULL: return join_full(j);
    case PLAN_JOIN_SEMI: return join_semi(j);
    case PLAN_JOIN_ANTI: return join_anti(j);
    case PLAN_JOIN_ASOF: return join_asof(j);
    case PLAN_JOIN_MARK: return join_mark(j);
    case PLAN_JOIN_SCALAR: return join_scalar(j);
    case PLAN_JOIN_RIGHT: break; /* swapped in op_join */
    }
    UNREACHABLE();
}

facts op_join(grain_model *m, const plan_node *n) {
    plan_join is = n->join;
    bool swap = is.kind == PLAN_JOIN_RIGHT;
    if (swap) is = swapped(m, &is);
    joining j = {.m = m, .node = n, .is = &is};
    j.left = (join_side){.is_left = true, .in = op_input(m, n, swap), .rows = n->input[swap]};
    j.right = (join_side){.in = op_input(m, n, !swap), .rows = n->input[!swap]};
    is.is_lateral = is.is_lateral || colset_meets(j.right.in->outer, j.left.in->all);
    j.pair_fits = join_fitting_pairs(m, &is);
    evaluate(&j);
    facts f = join_by_kind(&j);
    for (size_t i = 0; i < is.rest_count; i++) op_note_outer(&f, is.rest[i]);
    m->match[n->id] = swap ? turned_match(j.match) : j.match;
    op_carry(m, n, &f);
    join_repeat(&j, &f);
    return f;
}
