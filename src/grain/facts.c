/* facts.c - the record of facts: saying, mapping and restricting them. The two primitives are in closure.c.
 * Called by: grain/op_*.c.  Must not know: operators, declarations.
 */
#include "grain/facts.h"

#include <stdlib.h>
#include <string.h>

static void *grown(arena *owner, void *list, uint32_t count, uint32_t *capacity, size_t size) {
    uint32_t more = *capacity ? *capacity * 2 : 8;
    void *fresh = arena_alloc_array(owner, more, size);
    if (count) memcpy(fresh, list, count * size);
    *capacity = more;
    return fresh;
}
#define PUSH(f, list, n, item)                                                                                         \
    do {                                                                                                               \
        if ((f)->n##_count == (f)->n##_capacity)                                                                       \
            (f)->list = grown((f)->owner, (f)->list, (f)->n##_count, &(f)->n##_capacity, sizeof *(f)->list);           \
        (f)->list[(f)->n##_count++] = (item);                                                                          \
    } while (0)

static void *copied(arena *owner, const void *list, uint32_t count, size_t size) {
    void *fresh = arena_alloc_array(owner, count ? count : 1, size);
    if (count) memcpy(fresh, list, count * size);
    return fresh;
}

void facts_init(facts *f, arena *owner, evidence_list *reasons) {
    *f = (facts){.owner = owner, .evidence = reasons, .rows = {0, ROWS_UNBOUNDED}, .is_repeatable = true};
}

facts facts_copy(const facts *f) {
    facts c = *f;
    c.key = copied(f->owner, f->key, f->key_count, sizeof *f->key);
    c.dependency = copied(f->owner, f->dependency, f->dependency_count, sizeof *f->dependency);
    c.not_null_by = copied(f->owner, f->not_null_by, f->not_null_count, sizeof *f->not_null_by);
    c.constant_by = copied(f->owner, f->constant_by, f->constant_count, sizeof *f->constant_by);
    c.value = copied(f->owner, f->value, f->value_count, sizeof *f->value);
    c.equal = copied(f->owner, f->equal, f->equal_count, sizeof *f->equal);
    c.presence = copied(f->owner, f->presence, f->presence_count, sizeof *f->presence);
    c.inclusion = copied(f->owner, f->inclusion, f->inclusion_count, sizeof *f->inclusion);
    c.key_capacity = f->key_count, c.dependency_capacity = f->dependency_count;
    c.not_null_capacity = f->not_null_count, c.constant_capacity = f->constant_count;
    c.value_capacity = f->value_count, c.equal_capacity = f->equal_count;
    c.presence_capacity = f->presence_count, c.inclusion_capacity = f->inclusion_count;
    c.conditional = copied(f->owner, f->conditional, f->conditional_count, sizeof *f->conditional);
    c.conditional_capacity = f->conditional_count;
    c.grain = NULL, c.measure = NULL;
    return c;
}

static void keep_columns(fact_columns *list, uint32_t count, arena *owner) {
    for (uint32_t i = 0; i < count; i++) list[i].columns = colset_copy(list[i].columns, owner);
}

facts facts_keep(const facts *from, arena *owner) {
    facts f = *from;
    f.owner = owner;
    f.conditional_count = 0;
    f = facts_copy(&f);
    f.domain = NULL;
    f.all = colset_copy(f.all, owner), f.outer = colset_copy(f.outer, owner);
    f.not_null = colset_copy(f.not_null, owner), f.constant = colset_copy(f.constant, owner);
    f.constant_or_null = colset_copy(f.constant_or_null, owner);
    keep_columns(f.not_null_by, f.not_null_count, owner);
    keep_columns(f.constant_by, f.constant_count, owner);
    for (uint32_t i = 0; i < f.key_count; i++) {
        f.key[i].columns = colset_copy(f.key[i].columns, owner);
        f.key[i].needs = colset_copy(f.key[i].needs, owner);
    }
    for (uint32_t i = 0; i < f.dependency_count; i++) {
        fact_dependency *d = &f.dependency[i];
        d->from = colset_copy(d->from, owner), d->needs = colset_copy(d->needs, owner), d->to = colset_copy(d->to, owner);
    }
    for (uint32_t i = 0; i < f.equal_count; i++) f.equal[i] = colset_copy(f.equal[i], owner);
    for (uint32_t i = 0; i < f.presence_count; i++) {
        fact_presence *p = &f.presence[i];
        p->members = colset_copy(p->members, owner), p->implied = colset_copy(p->implied, owner);
        p->telling = colset_copy(p->telling, owner);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f.inclusion_count; i++) /* a literal lives with its model */
        if (!f.inclusion[i].only_value) f.inclusion[kept++] = f.inclusion[i];
    f.inclusion_count = kept;
    for (uint32_t i = 0; i < f.inclusion_count; i++)
        f.inclusion[i].pair = copied(owner, f.inclusion[i].pair, (uint32_t)f.inclusion[i].pair_count, sizeof *f.inclusion[i].pair);
    return f;
}

void facts_weaken(facts *f, fact_status status, fact_gap gap) {
    if (status <= f->status) return;
    f->status = status;
    f->gap = gap;
}

/* ---- keys and dependencies ---- */

static bool key_says_more(const fact_key *a, const fact_key *b) {
    return a->is_presumed <= b->is_presumed && colset_is_subset(a->columns, b->columns) &&
           colset_is_subset(a->needs, b->needs);
}

static void cap(facts *f, const char *what) {
    facts_weaken(f, FACTS_PARTIAL, (fact_gap){.what = str_from(what)});
}

void facts_add_key(facts *f, fact_key key) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->key_count; i++)
        if (key_says_more(&f->key[i], &key)) return;
    for (uint32_t i = 0; i < f->key_count; i++)
        if (!key_says_more(&key, &f->key[i])) f->key[kept++] = f->key[i];
    f->key_count = kept;
    if (f->key_count >= FACTS_MAX_KEYS) {
        cap(f, "more keys than are followed");
        return;
    }
    PUSH(f, key, key, key);
}

static uint64_t hash_of(colset s) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < s.count; i++)
        if (s.word[i]) hash = (hash ^ s.word[i] ^ (uint64_t)(s.first + i) << 32) * 0x9E3779B97F4A7C15u;
    return hash;
}

void fact_dependency_set_from(fact_dependency *d, colset from) {
    d->from = from;
    d->hash = hash_of(from);
}

static bool is_determined_alike(const fact_dependency *a, const fact_dependency *b) {
    return a->hash == b->hash && colset_equal(a->from, b->from);
}

static bool dependency_says_more(const fact_dependency *a, const fact_dependency *b) {
    return a->is_presumed <= b->is_presumed && a->is_local <= b->is_local && a->is_entity >= b->is_entity &&
           colset_is_subset(a->needs, b->needs) && colset_is_subset(b->to, a->to);
}

void facts_add_dependency(facts *f, fact_dependency d) {
    d.to = colset_difference(d.to, d.from, f->owner);
    if (colset_is_empty(d.to)) return;
    fact_dependency_set_from(&d, d.from);
    for (uint32_t i = 0; i < f->dependency_count; i++) {
        fact_dependency *old = &f->dependency[i];
        if (!is_determined_alike(old, &d)) continue;
        if (dependency_says_more(old, &d)) return;
        bool same = old->is_entity == d.is_entity && old->is_presumed == d.is_presumed && old->is_local == d.is_local &&
                    old->why == d.why && colset_equal(old->needs, d.needs);
        if (!same) continue;
        old->to = colset_union(old->to, d.to, f->owner);
        return;
    }
    if (f->dependency_count >= FACTS_MAX_DEPENDENCIES) {
        cap(f, "more dependencies than are followed");
        return;
    }
    PUSH(f, dependency, dependency, d);
}

/* ---- columns ---- */

static void not_null_entry(facts *f, colset columns, evidence_id why) {
    colset fresh = colset_difference(columns, f->not_null, f->owner);
    if (colset_is_empty(fresh)) return;
    f->not_null = colset_union(f->not_null, fresh, f->owner);
    for (uint32_t i = 0; i < f->not_null_count; i++)
        if (f->not_null_by[i].why == why) {
            f->not_null_by[i].columns = colset_union(f->not_null_by[i].columns, fresh, f->owner);
            return;
        }
    PUSH(f, not_null_by, not_null, ((fact_columns){fresh, why}));
}

/* What follows from the columns that are not NULL, by presence and equality. */
static void spread_not_null(facts *f, evidence_id why) {
    if (!colset_is_empty(f->not_null)) not_null_entry(f, facts_spread_not_null(f, COLSET_EMPTY), why);
}

void facts_add_not_null(facts *f, colset columns, evidence_id why) {
    if (colset_is_subset(columns, f->not_null)) return;
    not_null_entry(f, columns, why);
    spread_not_null(f, why);
    colset now = colset_intersection(f->constant_or_null, f->not_null, f->owner);
    facts_add_constant(f, now, why);
}

void facts_add_constant(facts *f, colset columns, evidence_id why) {
    colset fresh = colset_difference(columns, f->constant, f->owner);
    if (colset_is_empty(fresh)) return;
    f->constant = colset_union(f->constant, fresh, f->owner);
    f->constant_or_null = colset_union(f->constant_or_null, fresh, f->owner);
    PUSH(f, constant_by, constant, ((fact_columns){fresh, why}));
}

void facts_add_value(facts *f, column_id column, const plan_expr *value, evidence_id why) {
    for (uint32_t i = 0; i < f->value_count; i++)
        if (f->value[i].column == column) return;
    PUSH(f, value, value, ((fact_value){column, value, why}));
}

void facts_add_equal(facts *f, column_id a, column_id b) {
    if (a == b) return;
    colset both = COLSET_EMPTY;
    colset_add(&both, a, f->owner);
    colset_add(&both, b, f->owner);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->equal_count; i++)
        if (colset_meets(f->equal[i], both))
            both = colset_union(both, f->equal[i], f->owner);
        else
            f->equal[kept++] = f->equal[i];
    f->equal_count = kept;
    PUSH(f, equal, equal, both);
    spread_not_null(f, EVIDENCE_SQL);
}

void facts_add_presence(facts *f, fact_presence p) {
    if (colset_is_empty(p.implied) && colset_is_empty(p.telling)) return;
    PUSH(f, presence, presence, p);
    if (colset_meets(p.members, f->not_null)) spread_not_null(f, EVIDENCE_SQL);
}

void facts_add_inclusion(facts *f, fact_inclusion i) {
    if (!i.pair_count) return;
    for (uint32_t k = 0; k < f->inclusion_count; k++) {
        const fact_inclusion *old = &f->inclusion[k];
        if (old->is_covers == i.is_covers && old->is_lax <= i.is_lax && (!old->is_lax || old->of_parts >= i.of_parts) && old->relation == i.relation &&
            old->only_value == i.only_value && old->pair_count == i.pair_count && !memcmp(old->pair, i.pair, i.pair_count * sizeof *i.pair))
            return;
    }
    if (f->inclusion_count >= FACTS_MAX_INCLUSIONS) return;
    PUSH(f, inclusion, inclusion, i);
}

void facts_add_conditional(facts *f, const fact_conditional *c) {
    if (c->atom_count && f->conditional_count < FACTS_MAX_KEYS) {
        PUSH(f, conditional, conditional, *c);
        return;
    }
    if (!c->atom_count && c->is_key) facts_add_key(f, (fact_key){.columns = c->columns, .needs = c->needs, .why = c->why});
    if (!c->atom_count)
        facts_add_dependency(f, (fact_dependency){.from = c->columns, .needs = c->needs, .to = c->all, .is_entity = true, .why = c->why});
}

colset facts_equal_to(const facts *f, column_id column) {
    for (uint32_t i = 0; i < f->equal_count; i++)
        if (colset_has(f->equal[i], column)) return f->equal[i];
    colset self = COLSET_EMPTY;
    colset_add(&self, column, f->owner);
    return self;
}

evidence_id facts_why_not_null(const facts *f, column_id column) {
    for (uint32_t i = 0; i < f->not_null_count; i++)
        if (colset_has(f->not_null_by[i].columns, column)) return f->not_null_by[i].why;
    return EVIDENCE_SQL;
}

/* ---- how many rows ---- */

void facts_bound_rows(facts *f, row_bounds b, evidence_id why) {
    if (b.min > f->rows.min) f->rows.min = b.min;
    if (b.max < f->rows.max) f->rows.max = b.max;
    if (f->rows.max <= 1) facts_add_key(f, (fact_key){.why = why});
    if (f->rows.min > f->rows.max) f->rows.min = f->rows.max; /* only over a contradiction: there is no such database */
}

void facts_no_rows(facts *f, evidence_id why) {
    f->rows.min = 0;
    facts_bound_rows(f, (row_bounds){0, 0}, why);
}

/* ---- restricting ---- */

static void restrict_inclusions(facts *f, colset keep) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->inclusion_count; i++) {
        fact_inclusion in = f->inclusion[i];
        inclusion_pair *pair = ARENA_ARRAY(f->owner, inclusion_pair, in.pair_count + 1);
        size_t n = 0;
        bool holds = true;
        for (size_t k = 0; k < in.pair_count; k++)
            if (colset_has(keep, in.pair[k].here))
                pair[n++] = in.pair[k];
            else if (in.is_lax && !in.of_parts && !colset_has(f->not_null, in.pair[k].here))
                holds = false; /* it spoke of the rows in which that column is not NULL either */
        in.pair = pair, in.pair_count = n;
        if (n && holds) f->inclusion[kept++] = in;
    }
    f->inclusion_count = kept;
}

void facts_keep_covers(facts *f, colset keep) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->inclusion_count; i++) {
        fact_inclusion in = f->inclusion[i];
        if (in.is_covers) {
            inclusion_pair *pair = ARENA_ARRAY(f->owner, inclusion_pair, in.pair_count + 1);
            size_t count = 0;
            for (size_t k = 0; k < in.pair_count; k++)
                if (colset_has(keep, in.pair[k].here)) pair[count++] = in.pair[k];
            in.pair = pair, in.pair_count = count;
        }
        if (in.pair_count) f->inclusion[kept++] = in;
    }
    f->inclusion_count = kept;
}

static void restrict_conditionals(facts *f, colset keep) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->conditional_count; i++) {
        fact_conditional c = f->conditional[i];
        bool stays = colset_is_subset(c.columns, keep);
        for (uint32_t k = 0; k < c.atom_count; k++) stays = stays && colset_has(keep, c.atom[k].column);
        c.all = colset_intersection(c.all, keep, f->owner);
        if (stays) f->conditional[kept++] = c;
    }
    f->conditional_count = kept;
}

static void restrict_columns(facts *f, colset keep) {
    f->not_null = colset_intersection(f->not_null, keep, f->owner);
    f->constant = colset_intersection(f->constant, keep, f->owner);
    f->constant_or_null = colset_intersection(f->constant_or_null, keep, f->owner);
    for (uint32_t i = 0; i < f->not_null_count; i++)
        f->not_null_by[i].columns = colset_intersection(f->not_null_by[i].columns, keep, f->owner);
    for (uint32_t i = 0; i < f->constant_count; i++)
        f->constant_by[i].columns = colset_intersection(f->constant_by[i].columns, keep, f->owner);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->value_count; i++)
        if (colset_has(keep, f->value[i].column)) f->value[kept++] = f->value[i];
    f->value_count = kept;
    kept = 0;
    for (uint32_t i = 0; i < f->equal_count; i++) {
        colset rest = colset_intersection(f->equal[i], keep, f->owner);
        if (colset_count(rest) > 1) f->equal[kept++] = rest;
    }
    f->equal_count = kept;
    for (uint32_t i = 0; i < f->presence_count; i++) {
        f->presence[i].members = colset_intersection(f->presence[i].members, keep, f->owner);
        f->presence[i].implied = colset_intersection(f->presence[i].implied, keep, f->owner);
        if (f->presence[i].column == NO_COLUMN || !colset_has(keep, f->presence[i].column))
            f->presence[i].column = NO_COLUMN, f->presence[i].telling = COLSET_EMPTY;
        else
            f->presence[i].telling = colset_intersection(f->presence[i].telling, keep, f->owner);
    }
}

void facts_restrict(facts *f, colset keep) {
    uint32_t kept = 0;
    keep = colset_union(keep, f->outer, f->owner);
    f->all = colset_intersection(f->all, keep, f->owner);
    for (uint32_t i = 0; i < f->key_count; i++)
        if (colset_is_subset(f->key[i].columns, keep)) f->key[kept++] = f->key[i];
    f->key_count = kept;
    kept = 0;
    for (uint32_t i = 0; i < f->dependency_count; i++) {
        fact_dependency d = f->dependency[i];
        d.to = colset_intersection(d.to, keep, f->owner);
        if (colset_is_subset(d.from, keep) && !colset_is_empty(d.to)) f->dependency[kept++] = d;
    }
    f->dependency_count = kept;
    restrict_conditionals(f, keep);
    restrict_inclusions(f, keep);
    restrict_columns(f, keep);
}

/* ---- other ids ---- */

column_map column_map_new(colset from, arena *owner) {
    column_map map = {.first = 64 * from.first, .count = 64 * from.count};
    map.to = ARENA_ARRAY(owner, column_id, map.count);
    for (uint32_t i = 0; i < map.count; i++) map.to[i] = NO_COLUMN;
    return map;
}

void column_map_put(column_map *map, column_id id, column_id to) {
    map->to[id - map->first] = to;
}

column_id column_map_get(const column_map *map, column_id id) {
    return id >= map->first && id - map->first < map->count ? map->to[id - map->first] : NO_COLUMN;
}

static column_id map_id(column_id id, const column_map *map) {
    column_id to = column_map_get(map, id);
    return to != NO_COLUMN ? to : id;
}

colset colset_map(colset s, const column_map *map, arena *owner) {
    colset out = COLSET_EMPTY;
    column_id id = 0;
    for (; colset_next(s, id, &id); id++) colset_add(&out, map_id(id, map), owner);
    return out;
}

static int compare_pairs(const void *a, const void *b) {
    const inclusion_pair *x = a, *y = b;
    if (x->here != y->here) return x->here < y->here ? -1 : 1;
    return x->there < y->there ? -1 : x->there > y->there;
}

static void map_inclusion(facts *f, fact_inclusion *in, const column_map *map) {
    inclusion_pair *pair = copied(f->owner, in->pair, (uint32_t)in->pair_count, sizeof *pair);
    for (size_t k = 0; k < in->pair_count; k++) pair[k].here = map_id(pair[k].here, map);
    qsort(pair, in->pair_count, sizeof *pair, compare_pairs);
    in->pair = pair;
}

facts facts_map(const facts *from, const column_map *map) {
    facts f = facts_copy(from);
    arena *a = f.owner;
    f.all = colset_map(f.all, map, a);
    for (uint32_t i = 0; i < f.key_count; i++) {
        f.key[i].columns = colset_map(f.key[i].columns, map, a);
        f.key[i].needs = colset_map(f.key[i].needs, map, a);
    }
    for (uint32_t i = 0; i < f.dependency_count; i++) {
        fact_dependency_set_from(&f.dependency[i], colset_map(f.dependency[i].from, map, a));
        f.dependency[i].needs = colset_map(f.dependency[i].needs, map, a);
        f.dependency[i].to = colset_map(f.dependency[i].to, map, a);
    }
    for (uint32_t i = 0; i < f.not_null_count; i++)
        f.not_null_by[i].columns = colset_map(f.not_null_by[i].columns, map, a);
    for (uint32_t i = 0; i < f.constant_count; i++)
        f.constant_by[i].columns = colset_map(f.constant_by[i].columns, map, a);
    f.not_null = colset_map(f.not_null, map, a);
    f.constant = colset_map(f.constant, map, a);
    f.constant_or_null = colset_map(f.constant_or_null, map, a);
    for (uint32_t i = 0; i < f.value_count; i++) f.value[i].column = map_id(f.value[i].column, map);
    for (uint32_t i = 0; i < f.equal_count; i++) f.equal[i] = colset_map(f.equal[i], map, a);
    for (uint32_t i = 0; i < f.presence_count; i++) {
        fact_presence *p = &f.presence[i];
        *p = (fact_presence){colset_map(p->members, map, a), colset_map(p->implied, map, a),
                             colset_map(p->telling, map, a),
                             p->column == NO_COLUMN ? NO_COLUMN : map_id(p->column, map)};
    }
    for (uint32_t i = 0; i < f.conditional_count; i++) {
        fact_conditional *c = &f.conditional[i];
        c->columns = colset_map(c->columns, map, a), c->needs = colset_map(c->needs, map, a), c->all = colset_map(c->all, map, a);
        for (uint32_t k = 0; k < c->atom_count; k++) c->atom[k].column = map_id(c->atom[k].column, map);
    }
    for (uint32_t i = 0; i < f.inclusion_count; i++) map_inclusion(&f, &f.inclusion[i], map);
    return f;
}
