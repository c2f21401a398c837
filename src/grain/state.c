/* state.c - facts as they are stated: over the columns that a reader sees.
 * Called by: api, grain/summary.c, tools.  Must not know: how facts were found.
 *
 * Hidden columns fold away by closure: a key with hidden columns is stated if its visible ones determine the others. Lax
 * keys and dependencies are those that hold where their columns are not NULL.
 */
#include <stdlib.h>
#include <string.h>

#include "grain/op.h"

typedef struct stating {
    const grain_model *m;
    arena *owner;
    const facts *f;
    const column_id *id; /* of each result column */
    size_t count;
    colset visible;
    colset *reach[2]; /* by result column, when asked for: what it determines, strictly and where it is not NULL */
    stated_facts *out;
} stating;

/* ---- names ---- */

static void name_columns(stating *s, const str *name) {
    str *list = ARENA_ARRAY(s->owner, str, s->count + 1);
    for (size_t i = 0; i < s->count; i++) {
        bool again = false;
        for (size_t k = 0; k < s->count && !again; k++) again = k != i && str_eq(name[k], name[i]);
        list[i] = again ? str_format(s->owner, STR_FMT "#%zu", STR_ARG(name[i]), i + 1) : name[i];
    }
    s->out->column = list;
    s->out->column_count = s->count;
}

/* The positions of a set, each column at its first place. */
static const uint32_t *positions(stating *s, colset set, size_t *count) {
    uint32_t *list = ARENA_ARRAY(s->owner, uint32_t, s->count + 1);
    colset seen = COLSET_EMPTY;
    *count = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (!colset_has(set, s->id[i]) || colset_has(seen, s->id[i])) continue;
        colset_add(&seen, s->id[i], s->owner);
        list[(*count)++] = (uint32_t)i;
    }
    return list;
}

/* ---- keys ---- */

static closure_mode lax_mode(colset columns) {
    return (closure_mode){.not_null = columns};
}

static void find_reach(stating *s, bool lax) {
    if (s->reach[lax]) return;
    s->reach[lax] = ARENA_ARRAY(s->owner, colset, s->count + 1);
    for (size_t i = 0; i < s->count; i++) {
        colset self = COLSET_EMPTY;
        colset_add(&self, s->id[i], s->owner);
        s->reach[lax][i] = facts_closure(s->f, self, lax ? lax_mode(self) : CLOSURE_STRICT);
    }
}

/* A visible column that tells the hidden one: equal to it, or computed from it without loss. */
static bool find_stand_in(stating *s, column_id hidden, bool lax, column_id *out) {
    colset same = colset_intersection(facts_equal_to(s->f, hidden), s->visible, s->owner);
    if (colset_next(same, 0, out)) return true;
    find_reach(s, lax);
    for (size_t i = 0; i < s->count; i++) {
        *out = s->id[i];
        if (colset_has(s->reach[lax][i], hidden)) return true;
    }
    return false;
}

/* Visible columns that determine the whole set: its own, and where they do not, for each hidden one another that tells it. */
static colset seen_of(stating *s, colset set, bool lax) {
    colset out = colset_intersection(set, s->visible, s->owner);
    if (colset_is_subset(set, facts_closure(s->f, out, lax ? lax_mode(out) : CLOSURE_STRICT))) return out;
    column_id id = 0, stand_in;
    for (; colset_next(set, id, &id); id++)
        if (!colset_has(s->visible, id) && find_stand_in(s, id, lax, &stand_in)) colset_add(&out, stand_in, s->owner);
    return out;
}

static colset least(stating *s, colset key, bool lax) {
    column_id id = 0;
    for (; colset_next(key, id, &id); id++) {
        colset without = colset_copy(key, s->owner);
        colset_remove(&without, id);
        if (facts_is_superkey(s->f, without, lax ? lax_mode(without) : CLOSURE_STRICT, NULL)) key = without;
    }
    return key;
}

typedef struct key_list {
    colset *set;
    evidence_id *why;
    size_t count;
} key_list;

static void add_key(key_list *list, colset key, evidence_id why) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (colset_is_subset(list->set[i], key)) return;
    for (size_t i = 0; i < list->count; i++)
        if (!colset_is_subset(key, list->set[i])) list->set[kept] = list->set[i], list->why[kept++] = list->why[i];
    list->set[kept] = key, list->why[kept] = why;
    list->count = kept + 1;
}

static bool holds_key(const key_list *list, colset key) {
    for (size_t i = 0; i < list->count; i++)
        if (colset_is_subset(list->set[i], key)) return true;
    return false;
}

static void collect_keys(stating *s, key_list *strict, key_list *lax) {
    const facts *f = s->f;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < f->key_count; i++) {
            if (f->key[i].is_presumed) continue;
            colset key = seen_of(s, f->key[i].columns, pass == 1);
            evidence_id why = EVIDENCE_SQL;
            if (pass == 0 && facts_is_superkey(f, key, CLOSURE_STRICT, &why))
                add_key(strict, least(s, key, false), why);
            else if (pass == 1 && !holds_key(strict, key) && facts_is_superkey(f, key, lax_mode(key), &why))
                add_key(lax, least(s, key, true), why);
        }
}

static struct stated_set *set_list(stating *s, const key_list *keys, size_t *count) {
    struct stated_set *list = ARENA_ARRAY(s->owner, struct stated_set, keys->count + 1);
    for (size_t i = 0; i < keys->count; i++) {
        list[i].column = positions(s, keys->set[i], &list[i].count);
        list[i].why = keys->why[i];
    }
    *count = keys->count;
    return list;
}

static void state_keys(stating *s) {
    size_t most = s->f->key_count + 1;
    key_list strict = {ARENA_ARRAY(s->owner, colset, most), ARENA_ARRAY(s->owner, evidence_id, most), 0};
    key_list lax = {ARENA_ARRAY(s->owner, colset, most), ARENA_ARRAY(s->owner, evidence_id, most), 0};
    collect_keys(s, &strict, &lax);
    size_t kept = 0;
    for (size_t i = 0; i < lax.count; i++) /* what a strict key says is not said again */
        if (!holds_key(&strict, lax.set[i])) lax.set[kept] = lax.set[i], lax.why[kept++] = lax.why[i];
    lax.count = kept;
    s->out->key = set_list(s, &strict, &s->out->key_count);
    s->out->lax_key = set_list(s, &lax, &s->out->lax_key_count);
}

/* ---- dependencies ---- */

typedef struct dependency_list {
    struct stated_dependency *item;
    colset *from;
    size_t count, capacity;
} dependency_list;

static void state_dependency(stating *s, dependency_list *list, const fact_dependency *d, colset from, bool lax) {
    if (list->count == list->capacity) return;
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i].is_lax == lax && colset_equal(list->from[i], from)) return;
    colset to = facts_closure(s->f, from, lax ? lax_mode(from) : CLOSURE_STRICT);
    to = colset_difference(colset_intersection(to, s->visible, s->owner), from, s->owner);
    to = colset_difference(to, s->f->constant, s->owner);
    if (lax) to = colset_difference(to, facts_closure(s->f, from, CLOSURE_STRICT), s->owner);
    if (colset_is_empty(to)) return;
    struct stated_dependency *out = &list->item[list->count];
    list->from[list->count++] = from;
    *out = (struct stated_dependency){.is_lax = lax, .is_entity = d->is_entity, .why = d->why};
    out->from = positions(s, from, &out->from_count);
    out->to = positions(s, to, &out->to_count);
}

static bool is_whole(stating *s, colset from, bool lax) {
    return facts_is_superkey(s->f, from, lax ? lax_mode(from) : CLOSURE_STRICT, NULL);
}

static void state_dependencies(stating *s) {
    const facts *f = s->f;
    size_t most = 2 * (f->dependency_count + s->count);
    dependency_list list = {ARENA_ARRAY(s->owner, struct stated_dependency, most + 1), ARENA_ARRAY(s->owner, colset, most + 1), 0, most};
    for (int lax = 0; lax < 2; lax++) {
        for (uint32_t i = 0; i < f->dependency_count; i++) {
            const fact_dependency *d = &f->dependency[i];
            colset from = seen_of(s, d->from, lax);
            if (d->is_presumed || colset_is_empty(from) || is_whole(s, from, lax)) continue; /* the keys say it */
            state_dependency(s, &list, d, from, lax);
        }
        for (size_t i = 0; i < s->count; i++) { /* what a single column determines, in whatever way */
            colset self = COLSET_EMPTY;
            colset_add(&self, s->id[i], s->owner);
            if (!is_whole(s, self, lax)) state_dependency(s, &list, &(fact_dependency){0}, self, lax);
        }
    }
    s->out->dependency = list.item;
    s->out->dependency_count = list.count;
}

/* ---- columns ---- */

static void state_equal(stating *s) {
    const facts *f = s->f;
    struct stated_set *list = ARENA_ARRAY(s->owner, struct stated_set, f->equal_count + s->count + 1);
    size_t count = 0;
    for (uint32_t i = 0; i < f->equal_count; i++) {
        uint32_t *column = ARENA_ARRAY(s->owner, uint32_t, s->count + 1);
        size_t n = 0;
        for (size_t k = 0; k < s->count; k++)
            if (colset_has(f->equal[i], s->id[k])) column[n++] = (uint32_t)k;
        if (n > 1) list[count++] = (struct stated_set){column, n, EVIDENCE_SQL};
    }
    for (size_t k = 0; k < s->count; k++) { /* one column that stands twice */
        uint32_t *column = ARENA_ARRAY(s->owner, uint32_t, s->count + 1);
        size_t n = 0;
        bool first = true;
        for (size_t i = 0; i < k; i++) first = first && s->id[i] != s->id[k];
        for (size_t i = k; i < s->count && first; i++)
            if (s->id[i] == s->id[k]) column[n++] = (uint32_t)i;
        bool listed = colset_count(facts_equal_to(f, s->id[k])) > 1;
        if (n > 1 && !listed) list[count++] = (struct stated_set){column, n, EVIDENCE_SQL};
    }
    s->out->equal = list;
    s->out->equal_count = count;
}

static evidence_id why_in(const fact_columns *list, uint32_t count, column_id id) {
    for (uint32_t i = 0; i < count; i++)
        if (colset_has(list[i].columns, id)) return list[i].why;
    return EVIDENCE_SQL;
}

static const str *native_names(stating *s, colset native, size_t *count) {
    str *list = ARENA_ARRAY(s->owner, str, colset_count(native) + 1);
    column_id id = 0;
    *count = 0;
    for (; colset_next(native, id, &id); id++) {
        str name = grain_column_name(s->m, id);
        list[(*count)++] = name.len ? name : STR("?");
    }
    return list;
}

static void state_columns(stating *s, const column_grain *grain) {
    const facts *f = s->f;
    colset constant = f->rows.max <= 1 ? f->constant : facts_closure(f, COLSET_EMPTY, CLOSURE_STRICT);
    s->out->each = ARENA_ARRAY(s->owner, struct stated_column, s->count + 1);
    for (size_t i = 0; i < s->count; i++) {
        struct stated_column *c = &s->out->each[i];
        column_id id = s->id[i];
        c->not_null = colset_has(f->not_null, id);
        c->not_null_why = facts_why_not_null(f, id);
        c->constant = colset_has(constant, id);
        c->constant_why = why_in(f->constant_by, f->constant_count, id);
        colset self = COLSET_EMPTY;
        colset_add(&self, id, s->owner);
        closure_mode lax = lax_mode(self);
        c->constant_or_null = c->constant || colset_has(f->constant_or_null, id) ||
                              colset_has(facts_closure(f, COLSET_EMPTY, lax), id);
        if (!grain || !grain[i].is_known) continue;
        c->grain_known = true;
        c->native = native_names(s, grain[i].native, &c->native_count);
        c->repeated = grain[i].repeated;
    }
}

/* ---- inclusions ---- */

static void state_inclusions(stating *s) {
    const facts *f = s->f;
    struct stated_inclusion *list = ARENA_ARRAY(s->owner, struct stated_inclusion, f->inclusion_count + 1);
    size_t count = 0;
    for (uint32_t i = 0; i < f->inclusion_count; i++) {
        const fact_inclusion *in = &f->inclusion[i];
        uint32_t *here = ARENA_ARRAY(s->owner, uint32_t, in->pair_count + 1);
        str *there = ARENA_ARRAY(s->owner, str, in->pair_count + 1);
        size_t n = 0;
        bool whole = true;
        for (size_t k = 0; k < in->pair_count; k++) {
            size_t at = 0;
            while (at < s->count && s->id[at] != in->pair[k].here) at++;
            if (at == s->count) {
                whole = false;
                continue;
            }
            here[n] = (uint32_t)at, there[n++] = in->relation->column[in->pair[k].there];
        }
        if (!n || in->only_value || (in->is_lax && !in->of_parts && !whole)) continue;
        list[count++] = (struct stated_inclusion){in->is_covers, in->is_lax, in->relation->name, here, there, n, in->why};
    }
    s->out->inclusion = list;
    s->out->inclusion_count = count;
}

/* ---- joins ---- */

static str multiplicity(bool at_most_one, bool matched) {
    if (at_most_one) return matched ? STR("exactly-one") : STR("zero-or-one");
    return matched ? STR("one-or-more") : STR("zero-or-more");
}

/* How often a row of each side stands in the result. */
static void state_multiplicity(stating *s, const plan_node *n) {
    while (n->kind == PLAN_PROJECT || n->kind == PLAN_SORT || n->kind == PLAN_CTE) n = n->input[0];
    if (n->kind != PLAN_JOIN) return;
    const join_match *match = &s->m->match[n->id];
    plan_join_kind kind = n->join.kind;
    bool keeps_left = kind == PLAN_JOIN_LEFT || kind == PLAN_JOIN_FULL, keeps_right = kind == PLAN_JOIN_RIGHT || kind == PLAN_JOIN_FULL;
    bool is_part = kind == PLAN_JOIN_SEMI || kind == PLAN_JOIN_ANTI || kind == PLAN_JOIN_MARK;
    bool is_added = is_part || kind == PLAN_JOIN_SCALAR; /* by a subquery: perhaps in the ON of the join that is meant */
    if (is_added && n->input[0]->kind == PLAN_JOIN) return;
    if (kind == PLAN_JOIN_ANTI) {
        s->out->left_multiplicity = STR("zero-or-one"), s->out->right_multiplicity = STR("zero-or-more");
        return;
    }
    s->out->left_multiplicity = multiplicity(match->left_at_most_one || is_part, match->left_matched || keeps_left || kind == PLAN_JOIN_MARK);
    s->out->right_multiplicity = is_part ? STR("zero-or-more") : multiplicity(match->right_at_most_one, match->right_matched || keeps_right);
}

/* Two places with one id that GROUPING SETS made NULL apart from each other: nothing is said of
 * either, by ids that no fact has. */
static const column_id *without_torn(const grain_model *m, const column_id *id, size_t count, arena *owner) {
    column_id *list = ARENA_ARRAY(owner, column_id, count + 1);
    for (size_t i = 0; i < count; i++) {
        list[i] = id[i];
        for (size_t k = 0; k < count && colset_has(m->torn, id[i]); k++)
            if (k != i && id[k] == id[i]) list[i] = (column_id)(m->plan->column_count + m->hidden_count + i);
    }
    return list;
}

static stated_facts *state(const grain_model *m, const plan_node *n, const column_id *id, const str *name,
                           const column_grain *grain, size_t count, arena *owner) {
    id = without_torn(m, id, count, owner);
    stating s = {.m = m, .owner = owner, .f = grain_facts_of(m, n), .id = id, .count = count};
    s.out = ARENA_NEW(owner, stated_facts);
    for (size_t i = 0; i < count; i++) colset_add(&s.visible, id[i], owner);
    s.out->status = s.f->status, s.out->gap = s.f->gap, s.out->rows = s.f->rows;
    name_columns(&s, name);
    state_keys(&s);
    state_dependencies(&s);
    state_equal(&s);
    state_columns(&s, grain);
    state_inclusions(&s);
    s.out->left_multiplicity = s.out->right_multiplicity = STR("");
    state_multiplicity(&s, n);
    return s.out;
}

stated_facts *grain_state(const grain_model *m, arena *owner) {
    const plan *p = m->plan;
    const facts *f = grain_facts_of(m, p->root);
    column_id *id = ARENA_ARRAY(owner, column_id, p->result_count + 1);
    str *name = ARENA_ARRAY(owner, str, p->result_count + 1);
    column_grain *grain = ARENA_ARRAY(owner, column_grain, p->result_count + 1);
    for (size_t i = 0; i < p->result_count; i++) {
        id[i] = p->result[i].column, name[i] = p->result[i].name;
        const column_grain *g = op_grain(p->root, (facts *)f, id[i]);
        if (g) grain[i] = *g;
    }
    stated_facts *s = state(m, p->root, id, name, grain, p->result_count, owner);
    s->is_open = p->result_is_open;
    return s;
}

stated_facts *grain_state_node(const grain_model *m, const plan_node *node, arena *owner) {
    const facts *f = grain_facts_of(m, node);
    str *name = ARENA_ARRAY(owner, str, node->column_count + 1);
    for (size_t i = 0; i < node->column_count; i++) name[i] = m->plan->column[node->column[i]].name;
    stated_facts *s = state(m, node, node->column, name, f->grain, node->column_count, owner);
    s->is_open = node->is_open;
    return s;
}
