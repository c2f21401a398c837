/* meet.c - cut ranges by conditions until nothing is left of one.
 * Called by: prune/program.c, prune/eval.c, prune/derive.c.  Must not know: files, phases.
 */
#include "prune/meet.h"

enum { MOST_COLUMNS = 8, MOST_ITEMS = 32, MOST_NODES = 200, MOST_STEPS = 500 };

/* ------------------------------------------------------------------------------------------- which are taken */

static bool has_one_reading(const literal *l) {
    return l->reading_count == 1 && l->beyond_long == 0 && l->reading[0].domain == READING_EXACT &&
           !l->reading[0].is_number;
}

static bool is_short_list(const predicate *p) {
    if (p->negated || p->in.count > MOST_ITEMS) return false;
    for (size_t i = 0; i < p->in.count; i++)
        if (!has_one_reading(&p->in.item[i]) || p->in.item[i].may_differ) return false;
    return true;
}

/* Types without NaN and padding. */
static bool has_limits(const data_type *type) {
    return type_has_bounds(type->kind) && type->kind != TYPE_FLOAT && type->kind != TYPE_DOUBLE &&
           type->char_length == 0 && !type->collated;
}

/* The column of a comparison, BETWEEN, IN or NULL test that is taken as limits; NULL if it is not. */
static const column_ref *limited_column(const predicate *p) {
    const column_ref *ref = NULL;
    switch ((int)p->kind) {
    case PREDICATE_COMPARE:
        if (p->compare.op != COMPARE_NE && has_one_reading(&p->compare.value)) ref = &p->compare.column;
        break;
    case PREDICATE_BETWEEN:
        if (!p->negated && has_one_reading(&p->between.low) && has_one_reading(&p->between.high))
            ref = &p->between.column;
        break;
    case PREDICATE_IN:
        if (is_short_list(p)) ref = &p->in.column;
        break;
    case PREDICATE_IS_NULL: ref = &p->is_null.column; break;
    default: break;
    }
    return ref && has_limits(&ref->column->type) ? ref : NULL;
}

/* --------------------------------------------------------------------------------------------------- building */

typedef struct meet_node meet_node;
struct meet_node {
    predicate_kind kind;   /* AND, OR; anything else is a leaf */
    const predicate *leaf; /* limits; NULL for a leaf that sets none */
    size_t column;         /* of the limits, among meet.slot */
    const program *alone;  /* leaf: can it be TRUE for itself? */
    const meet_node *const *item;
    size_t count;
};

struct meet {
    const meet_node *const *item;
    size_t count;
    size_t slot[MOST_COLUMNS], limits[MOST_COLUMNS]; /* limits: how many leaves limit the column */
    size_t column_count;
    size_t node_count;
};

static bool add_limit(const meet_lowering *lo, meet *m, const column_ref *ref, size_t *out) {
    size_t slot = lo->slot(lo->context, ref);
    for (size_t i = 0; i < m->column_count; i++)
        if (m->slot[i] == slot) return m->limits[*out = i]++, true;
    if (m->column_count == MOST_COLUMNS) return false;
    *out = m->column_count;
    m->slot[m->column_count] = slot;
    m->limits[m->column_count++] = 1;
    return true;
}

static const meet_node *const *build_items(const meet_lowering *lo, meet *m, const predicate *const *item,
                                           size_t count);

static const meet_node *build(const meet_lowering *lo, meet *m, const predicate *p) {
    meet_node *n = ARENA_NEW(lo->query, meet_node);
    n->kind = p->kind;
    m->node_count++;
    if (p->kind == PREDICATE_AND || p->kind == PREDICATE_OR) {
        n->count = p->junction.count;
        n->item = build_items(lo, m, p->junction.item, n->count);
        return n;
    }
    const column_ref *ref = limited_column(p);
    if (ref && add_limit(lo, m, ref, &n->column)) n->leaf = p;
    n->alone = lo->condition(lo->context, p);
    return n;
}

static const meet_node *const *build_items(const meet_lowering *lo, meet *m, const predicate *const *item,
                                           size_t count) {
    const meet_node **list = ARENA_ARRAY(lo->query, const meet_node *, count);
    for (size_t i = 0; i < count; i++) list[i] = build(lo, m, item[i]);
    return list;
}

static size_t count_nodes(const predicate *const *item, size_t count) {
    size_t total = 0;
    for (size_t i = 0; i < count && total <= MOST_NODES; i++) {
        bool inner = item[i]->kind == PREDICATE_AND || item[i]->kind == PREDICATE_OR;
        total += 1 + (inner ? count_nodes(item[i]->junction.item, item[i]->junction.count) : 0);
    }
    return total;
}

/* How many leaves limit each column, up to two; before anything is built. */
typedef struct limit_count {
    const column *column[MOST_COLUMNS];
    size_t count;
    bool twice;
} limit_count;

static void count_limits(limit_count *c, const predicate *const *item, size_t count) {
    for (size_t i = 0; i < count && !c->twice; i++) {
        const predicate *p = item[i];
        if (p->kind == PREDICATE_AND || p->kind == PREDICATE_OR) {
            count_limits(c, p->junction.item, p->junction.count);
            continue;
        }
        const column_ref *ref = limited_column(p);
        for (size_t k = 0; ref && k < c->count; k++) c->twice |= c->column[k] == ref->column;
        if (ref && c->count < MOST_COLUMNS) c->column[c->count++] = ref->column;
    }
}

const meet *meet_new(const meet_lowering *lo, const predicate *const *item, size_t count) {
    limit_count limits = {.count = 0};
    count_limits(&limits, item, count);
    if (!limits.twice || count_nodes(item, count) > MOST_NODES) return NULL;
    meet *m = ARENA_NEW(lo->query, meet);
    m->count = count;
    m->item = build_items(lo, m, item, count);
    return m;
}

size_t meet_column_count(const meet *m) {
    return m->column_count;
}

size_t meet_slot(const meet *m, size_t i, size_t *limits) {
    *limits = m->limits[i];
    return m->slot[i];
}

/* --------------------------------------------------------------------------------------------------- cutting */

/* Limits, each of which may be left out itself. */
typedef struct stretch {
    bool can_be_null, can_be_value;
    bool has_low, has_high, low_open, high_open;
    value low, high;
} stretch;

static void cut_low(stretch *s, const value *v, bool open) {
    int order = s->has_low ? value_compare(v, &s->low) : 1;
    if (order < 0) return;
    s->low_open = open || (order == 0 && s->low_open);
    s->low = *v;
    s->has_low = true;
}

static void cut_high(stretch *s, const value *v, bool open) {
    int order = s->has_high ? value_compare(v, &s->high) : -1;
    if (order > 0) return;
    s->high_open = open || (order == 0 && s->high_open);
    s->high = *v;
    s->has_high = true;
}

static void cut_to(stretch *s, const value *v) {
    cut_low(s, v, false);
    cut_high(s, v, false);
}

static void cut_by_compare(stretch *s, const predicate *p) {
    const value *v = &p->compare.value.reading[0].v;
    switch (p->compare.op) {
    case COMPARE_EQ: cut_to(s, v); return;
    case COMPARE_GT: cut_low(s, v, true); return;
    case COMPARE_GE: cut_low(s, v, false); return;
    case COMPARE_LT: cut_high(s, v, true); return;
    case COMPARE_LE: cut_high(s, v, false); return;
    case COMPARE_NE: return;
    }
    UNREACHABLE();
}

/* A limit other than IN, which is a choice. */
static void cut(stretch *s, const predicate *p) {
    if (p->kind == PREDICATE_IS_NULL && !p->negated) {
        s->can_be_value = false;
        return;
    }
    s->can_be_null = false;
    if (p->kind == PREDICATE_COMPARE) cut_by_compare(s, p);
    if (p->kind != PREDICATE_BETWEEN) return;
    cut_low(s, &p->between.low.reading[0].v, false);
    cut_high(s, &p->between.high.reading[0].v, false);
}

static bool has_values(const stretch *s) {
    if (!s->can_be_value) return false;
    if (!s->has_low || !s->has_high) return true;
    int order = value_compare(&s->low, &s->high);
    return order < 0 || (order == 0 && !s->low_open && !s->high_open);
}

/* What is left of each column, for each of its facts. */
typedef struct left_over {
    stretch of[MOST_COLUMNS][DOMAIN_MAX_FACTS];
    size_t facts[MOST_COLUMNS];
} left_over;

static stretch stretch_of(const column_fact *f) {
    return (stretch){.can_be_null = f->can_be_null,
                     .can_be_value = f->can_be_value,
                     .has_low = f->has_low,
                     .has_high = f->has_high,
                     .low = f->low,
                     .high = f->high};
}

static bool is_left(const left_over *l, size_t c) {
    for (size_t i = 0; i < l->facts[c]; i++)
        if (l->of[c][i].can_be_null || has_values(&l->of[c][i])) return true;
    return false;
}

/* --------------------------------------------------------------------------------------------------- meeting */

/* What is left to be met: a list, and behind it another. */
typedef struct todo {
    const meet_node *const *item;
    size_t count;
    const struct todo *next;
} todo;

typedef struct meeting {
    const column_domain *domain;
    program_run *run;
    unsigned steps;
} meeting;

static bool can_meet(meeting *m, const left_over *before, const todo *rest);

static bool any_arm(meeting *m, const left_over *l, const meet_node *n, const todo *rest) {
    for (size_t i = 0; i < n->count; i++) {
        todo arm = {&n->item[i], 1, rest};
        if (can_meet(m, l, &arm)) return true;
    }
    return false;
}

static bool any_item(meeting *m, const left_over *before, const meet_node *n, const todo *rest) {
    left_over *l = ARENA_NEW(m->run->scratch, left_over);
    const predicate *p = n->leaf;
    for (size_t i = 0; i < p->in.count; i++) {
        *l = *before;
        for (size_t k = 0; k < l->facts[n->column]; k++) {
            l->of[n->column][k].can_be_null = false;
            cut_to(&l->of[n->column][k], &p->in.item[i].reading[0].v);
        }
        if (is_left(l, n->column) && can_meet(m, l, rest)) return true;
    }
    return false;
}

static bool can_be_true(meeting *m, const meet_node *n) {
    program_run inner = {.stack = ARENA_ARRAY(m->run->scratch, outcome_set, program_stack_size(n->alone)),
                         .scratch = m->run->scratch,
                         .slot_count = m->run->slot_count};
    return outcome_can_be_true(program_evaluate(n->alone, m->domain, &inner));
}

static bool meet_leaf(meeting *m, const left_over *before, const meet_node *n, const todo *rest) {
    if (!can_be_true(m, n)) return false;
    if (!n->leaf) return can_meet(m, before, rest);
    if (n->leaf->kind == PREDICATE_IN) return any_item(m, before, n, rest);
    left_over *l = ARENA_NEW(m->run->scratch, left_over);
    *l = *before;
    for (size_t k = 0; k < l->facts[n->column]; k++) cut(&l->of[n->column][k], n->leaf);
    return is_left(l, n->column) && can_meet(m, l, rest);
}

static bool can_meet(meeting *m, const left_over *before, const todo *rest) {
    while (rest && rest->count == 0) rest = rest->next;
    if (!rest || m->steps++ > MOST_STEPS) return true;
    const meet_node *n = rest->item[0];
    todo behind = {rest->item + 1, rest->count - 1, rest->next};
    if (n->kind == PREDICATE_OR) return any_arm(m, before, n, &behind);
    if (n->kind != PREDICATE_AND) return meet_leaf(m, before, n, &behind);
    todo inside = {n->item, n->count, &behind};
    return can_meet(m, before, &inside);
}

bool meet_is_possible(const meet *m, const column_domain *domain, program_run *run) {
    left_over *l = ARENA_NEW(run->scratch, left_over);
    for (size_t c = 0; c < m->column_count; c++) {
        const column_domain *d = &domain[m->slot[c]];
        l->facts[c] = d->count;
        for (size_t i = 0; i < d->count; i++) l->of[c][i] = stretch_of(&d->fact[i]);
    }
    meeting how = {domain, run, 0};
    todo all = {m->item, m->count, NULL};
    return can_meet(&how, l, &all);
}

bool meet_narrow(const predicate *p, const column_fact *fact, column_fact *out) {
    *out = *fact;
    if (!limited_column(p) || p->kind == PREDICATE_IN) return false;
    stretch s = stretch_of(fact);
    cut(&s, p);
    out->can_be_null = s.can_be_null;
    out->can_be_value = s.can_be_value;
    out->has_low = s.has_low;
    out->has_high = s.has_high;
    out->low = s.low;
    out->high = s.high;
    return s.can_be_null || has_values(&s);
}
