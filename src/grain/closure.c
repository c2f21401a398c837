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
        for (uint32_t i = 0; i < f->presence_count; i++) {
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

/* True when a key was reached. */
static bool run(question *q, colset start) {
    const facts *f = q->f;
    q->not_null = facts_not_null_closure(f, q->mode.not_null);
    q->found = colset_union(start, f->constant, f->owner);
    colset_add_all(&q->found, f->outer, f->owner);
    colset_add_all(&q->found, colset_intersection(f->constant_or_null, q->not_null, f->owner), f->owner);
    for (;;) {
        if (reach_key(q)) return true;
        bool more = follow_columns(q);
        if (!follow_dependencies(q) && !more) return false;
    }
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
