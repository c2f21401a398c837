/* closure.c - the two primitives: attribute closure and the superkey test.
 * Called by: grain/op_*.c, the checks.  Must not know: operators.
 *
 * Armstrong's axioms, run until nothing changes. A dependency counts if the columns that it needs are not NULL in the
 * rows that are compared.
 */
#include <string.h>

#include "grain/facts.h"

colset facts_not_null_closure(const facts *f, colset assumed) {
    if (colset_is_subset(assumed, f->not_null)) return f->not_null; /* closed already: see facts_spread_not_null */
    return facts_spread_not_null(f, assumed);
}

colset facts_spread_not_null(const facts *f, colset assumed) {
    colset known = colset_union(f->not_null, assumed, f->owner);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = f->presence_count; i-- > 0;) { /* of joins in a row each later one tells of an earlier one */
            const fact_presence *p = &f->presence[i];
            if (!colset_meets(p->members, known) || colset_is_subset(p->implied, known)) continue;
            colset_add_all(&known, p->implied, f->owner);
            more = true;
        }
        for (uint32_t i = 0; i < f->equal_count; i++) {
            if (!colset_meets(f->equal[i], known) || colset_is_subset(f->equal[i], known)) continue;
            colset_add_all(&known, f->equal[i], f->owner);
            more = true;
        }
    }
    return known;
}

/* What was used, in order, for the reasons. */
typedef struct trail {
    const fact_dependency **used;
    uint32_t count;
    const fact_key *key; /* the first key that was reached */
} trail;

typedef struct question {
    const facts *f;
    closure_mode mode;
    colset not_null;
    colset found;
    trail *trail;
    bool stop_at_key;
} question;

static bool is_allowed(const question *q, bool is_presumed) {
    return q->mode.with_presumed || !is_presumed;
}

static bool follow_dependencies(question *q) {
    const facts *f = q->f;
    bool more = false;
    for (uint32_t i = 0; i < f->dependency_count; i++) {
        const fact_dependency *d = &f->dependency[i];
        if (!is_allowed(q, d->is_presumed) || colset_is_subset(d->to, q->found)) continue;
        if (!colset_is_subset(d->from, q->found) || !colset_is_subset(d->needs, q->not_null)) continue;
        colset_add_all(&q->found, d->to, f->owner);
        if (q->trail) q->trail->used[q->trail->count++] = d;
        more = true;
    }
    return more;
}

static bool follow_columns(question *q) {
    const facts *f = q->f;
    bool more = false;
    for (uint32_t i = 0; i < f->equal_count; i++)
        if (colset_meets(f->equal[i], q->found) && !colset_is_subset(f->equal[i], q->found)) {
            colset_add_all(&q->found, f->equal[i], f->owner);
            more = true;
        }
    for (uint32_t i = 0; i < f->presence_count; i++) {
        const fact_presence *p = &f->presence[i];
        if (p->column == NO_COLUMN || colset_has(q->found, p->column) || !colset_meets(p->telling, q->found)) continue;
        colset_add(&q->found, p->column, f->owner);
        more = true;
    }
    return more;
}

static bool reach_key(question *q) {
    const facts *f = q->f;
    for (uint32_t i = 0; i < f->key_count; i++) {
        const fact_key *k = &f->key[i];
        if (!is_allowed(q, k->is_presumed)) continue;
        if (!colset_is_subset(k->columns, q->found) || !colset_is_subset(k->needs, q->not_null)) continue;
        if (q->trail && !q->trail->key) q->trail->key = k;
        return true;
    }
    return false;
}

/* ---- long chains: each column is followed once, to all that waits for it ---- */

typedef struct waiter {
    uint32_t what; /* a dependency, behind these a class of equal columns, behind these a presence */
    uint32_t next;
} waiter;

typedef struct chase {
    question *q;
    arena *own;
    column_map first; /* by column: its first waiter */
    waiter *waiter;
    uint32_t waiter_count;
    size_t *missing; /* by dependency: how many of its columns were not followed yet */
    column_id *todo;
    size_t todo_count;
} chase;

static void await(chase *c, colset columns, uint32_t what) {
    column_id id = 0;
    for (; colset_next(columns, id, &id); id++) {
        c->waiter[c->waiter_count] = (waiter){what, column_map_get(&c->first, id)};
        column_map_put(&c->first, id, c->waiter_count++);
    }
}

static size_t add_awaited(chase *c, colset columns, colset *all) {
    colset_add_all(all, columns, c->own);
    return colset_count(columns);
}

static void chase_new(chase *c) {
    const facts *f = c->q->f;
    colset awaited = COLSET_EMPTY;
    size_t count = 0;
    for (uint32_t i = 0; i < f->dependency_count; i++) count += add_awaited(c, f->dependency[i].from, &awaited);
    for (uint32_t i = 0; i < f->equal_count; i++) count += add_awaited(c, f->equal[i], &awaited);
    for (uint32_t i = 0; i < f->presence_count; i++) count += add_awaited(c, f->presence[i].telling, &awaited);
    c->first = column_map_new(awaited, c->own);
    c->waiter = ARENA_ARRAY(c->own, waiter, count);
    c->missing = ARENA_ARRAY(c->own, size_t, f->dependency_count);
    c->todo = ARENA_ARRAY(c->own, column_id, c->first.count);
    for (uint32_t i = 0; i < f->dependency_count; i++) {
        c->missing[i] = colset_count(f->dependency[i].from);
        await(c, f->dependency[i].from, i);
    }
    for (uint32_t i = 0; i < f->equal_count; i++) await(c, f->equal[i], f->dependency_count + i);
    for (uint32_t i = 0; i < f->presence_count; i++) await(c, f->presence[i].telling, f->dependency_count + f->equal_count + i);
}

static void follow_later(chase *c, colset columns) {
    column_id id = 0;
    for (; colset_next(columns, id, &id); id++)
        if (column_map_get(&c->first, id) != NO_COLUMN) c->todo[c->todo_count++] = id;
}

static void find(chase *c, colset columns) {
    colset fresh = colset_difference(columns, c->q->found, c->own);
    colset_add_all(&c->q->found, fresh, c->q->f->owner);
    follow_later(c, fresh);
}

static void use(chase *c, const fact_dependency *d) {
    question *q = c->q;
    if (!is_allowed(q, d->is_presumed) || colset_is_subset(d->to, q->found) || !colset_is_subset(d->needs, q->not_null)) return;
    if (q->trail) q->trail->used[q->trail->count++] = d;
    find(c, d->to);
}

static void meet(chase *c, uint32_t what) {
    const facts *f = c->q->f;
    if (what < f->dependency_count) {
        if (--c->missing[what] == 0) use(c, &f->dependency[what]);
        return;
    }
    what -= f->dependency_count;
    if (what < f->equal_count) {
        find(c, f->equal[what]);
        return;
    }
    column_id presence = f->presence[what - f->equal_count].column;
    if (presence == NO_COLUMN || colset_has(c->q->found, presence)) return;
    colset one = COLSET_EMPTY;
    colset_add(&one, presence, c->own);
    find(c, one);
}

static void chase_all(question *q) {
    chase c = {.q = q, .own = arena_child(q->f->owner)};
    chase_new(&c);
    follow_later(&c, q->found);
    for (uint32_t i = 0; i < q->f->dependency_count; i++)
        if (!c.missing[i]) use(&c, &q->f->dependency[i]);
    while (c.todo_count) {
        uint32_t at = column_map_get(&c.first, c.todo[--c.todo_count]);
        for (; at != NO_COLUMN; at = c.waiter[at].next) meet(&c, c.waiter[at].what);
    }
    arena_end(c.own);
}

enum { SHORT_CHAIN = 4 }; /* passes over everything, which are cheaper where few are enough */

/* True when a key was reached. */
static bool run(question *q, colset start) {
    const facts *f = q->f;
    q->not_null = facts_not_null_closure(f, q->mode.not_null);
    q->found = colset_union(start, f->constant, f->owner);
    colset_add_all(&q->found, f->outer, f->owner);
    colset_add_all(&q->found, colset_intersection(f->constant_or_null, q->not_null, f->owner), f->owner);
    for (int pass = 0; pass < SHORT_CHAIN; pass++) {
        if (reach_key(q)) return true;
        bool more = follow_columns(q);
        if (!follow_dependencies(q) && !more) return false;
    }
    chase_all(q);
    return reach_key(q);
}

colset facts_closure(const facts *f, colset start, closure_mode mode) {
    question q = {.f = f, .mode = mode};
    if (run(&q, start)) colset_add_all(&q.found, f->all, f->owner);
    return q.found;
}

/* Why columns that a key or dependency needs are not NULL, but for those that the question takes to be so. */
static evidence_id why_there(const facts *f, colset needs, const closure_mode *mode, evidence_id why) {
    column_id id = 0;
    for (; colset_next(needs, id, &id); id++)
        if (!colset_has(mode->not_null, id)) why = evidence_both(f->evidence, why, facts_why_not_null(f, id));
    return why;
}

static evidence_id why_constant(const facts *f, colset wanted, evidence_id why) {
    for (uint32_t i = 0; i < f->constant_count; i++)
        if (colset_meets(f->constant_by[i].columns, wanted)) why = evidence_both(f->evidence, why, f->constant_by[i].why);
    return why;
}

/* The reasons of the key, of those dependencies that it needed, walking back, and of what both take for granted. */
static evidence_id reasons(const facts *f, const trail *t, const closure_mode *mode, colset start) {
    evidence_id why = why_there(f, t->key->needs, mode, t->key->why);
    colset wanted = colset_difference(t->key->columns, start, f->owner);
    for (uint32_t i = t->count; i-- > 0;) {
        const fact_dependency *d = t->used[i];
        if (!colset_meets(d->to, wanted)) continue;
        wanted = colset_difference(colset_union(wanted, d->from, f->owner), start, f->owner);
        why = why_there(f, d->needs, mode, evidence_both(f->evidence, why, d->why));
    }
    return why_constant(f, wanted, why);
}

bool facts_is_superkey(const facts *f, colset start, closure_mode mode, evidence_id *why) {
    trail t = {0};
    question q = {.f = f, .mode = mode};
    if (!f->key_count) return false;
    if (why) {
        t.used = ARENA_ARRAY(f->owner, const fact_dependency *, f->dependency_count + 1);
        q.trail = &t;
    }
    if (!run(&q, start)) return false;
    if (why) *why = reasons(f, &t, &mode, start);
    return true;
}

/* Columns that lead somewhere: determinants, keys, and what tells of a presence. */
static colset leading(const facts *f, colset reach, colset roots) {
    colset used = colset_copy(roots, f->owner);
    for (uint32_t i = 0; i < f->dependency_count; i++) {
        const fact_dependency *d = &f->dependency[i];
        if (colset_is_subset(d->from, reach)) colset_add_all(&used, d->from, f->owner);
    }
    for (uint32_t i = 0; i < f->key_count; i++)
        if (colset_is_subset(f->key[i].columns, reach)) colset_add_all(&used, f->key[i].columns, f->owner);
    for (uint32_t i = 0; i < f->presence_count; i++)
        if (f->presence[i].column != NO_COLUMN) colset_add(&used, f->presence[i].column, f->owner);
    return used;
}

enum { MAX_SAID_IN_FULL = 64 };

/* What follows by way of a column that may go is said without it: by equal columns, and by what tells of a presence. Where there are
 * many of these it would cost their square; some chains are lost then. */
static void say_in_full(facts *f) {
    if (f->presence_count + f->equal_count > MAX_SAID_IN_FULL) return;
    question fixed = {.f = f, .found = colset_copy(f->constant, f->owner)};
    while (follow_columns(&fixed)) continue;
    facts_add_constant(f, fixed.found, EVIDENCE_SQL);
    for (uint32_t i = 0; i < f->dependency_count; i++) {
        question q = {.f = f, .found = colset_copy(f->dependency[i].to, f->owner)};
        while (follow_columns(&q)) continue;
        f->dependency[i].to = q.found;
    }
    for (uint32_t i = 0; i < f->presence_count; i++)
        f->presence[i].implied = facts_not_null_closure(f, f->presence[i].implied);
}

void facts_prune(facts *f, colset roots) {
    say_in_full(f);
    for (int pass = 0; pass < 3; pass++) {
        question q = {.f = f, .mode = {.not_null = f->all, .with_presumed = true}};
        q.not_null = f->all;
        q.found = colset_union(roots, f->constant_or_null, f->owner);
        colset_add_all(&q.found, f->outer, f->owner);
        for (bool more = true; more;) {
            more = follow_columns(&q);
            more = follow_dependencies(&q) || more;
        }
        colset keep = colset_intersection(leading(f, q.found, roots), q.found, f->owner);
        if (colset_is_subset(f->all, keep)) return;
        facts_restrict(f, keep);
    }
}

bool facts_key_is_strict(const facts *f, const fact_key *key) {
    return colset_is_subset(key->needs, f->not_null);
}

/* The key without the columns that follow from its others. */
static fact_key *least_key(const facts *f, const fact_key *key) {
    fact_key *least = ARENA_NEW(f->owner, fact_key);
    *least = *key;
    closure_mode mode = {.not_null = facts_key_is_strict(f, key) ? COLSET_EMPTY : key->needs};
    column_id id = 0;
    for (; colset_next(key->columns, id, &id); id++) {
        colset without = colset_copy(least->columns, f->owner);
        colset_remove(&without, id);
        if (facts_is_superkey(f, without, mode, NULL)) least->columns = without;
    }
    least->needs = colset_intersection(key->needs, least->columns, f->owner);
    if (colset_count(least->needs) < colset_count(key->needs)) { /* it still needs what was left out */
        if (facts_is_superkey(f, least->columns, (closure_mode){.not_null = least->needs}, NULL)) return least;
        *least = *key;
    }
    return least;
}

const fact_key *facts_best_key(const facts *f) {
    const fact_key *best = NULL;
    for (uint32_t i = 0; i < f->key_count; i++) {
        const fact_key *k = &f->key[i];
        if (k->is_presumed) continue;
        if (!best) {
            best = k;
            continue;
        }
        bool k_strict = facts_key_is_strict(f, k), best_strict = facts_key_is_strict(f, best);
        size_t k_size = colset_count(k->columns), best_size = colset_count(best->columns);
        if (k_strict != best_strict ? k_strict : k_size < best_size) best = k;
    }
    return best ? least_key(f, best) : NULL;
}
