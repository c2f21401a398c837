/* meet.c - cut a range by conditions until nothing is left of it.
 * Called by: prune/program.c, prune/eval.c.  Must not know: files, phases.
 */
#include "prune/meet.h"

enum { MOST_ARMS = 32, MOST_STEPS = 1000 };

static bool has_one_reading(const literal *l) {
    return l->reading_count == 1 && l->reading[0].domain == READING_EXACT && !l->reading[0].is_number;
}

static bool has_limits(const data_type *type) {
    return type->kind != TYPE_FLOAT && type->kind != TYPE_DOUBLE && type->char_length == 0 && !type->collated;
}

static const column *column_if(const column_ref *ref, bool taken) {
    return taken && has_limits(&ref->column->type) ? ref->column : NULL;
}

static bool is_short_list(const predicate *p) {
    if (p->negated || p->in.count > MOST_ARMS) return false;
    for (size_t i = 0; i < p->in.count; i++)
        if (!has_one_reading(&p->in.item[i]) || p->in.item[i].may_differ) return false;
    return true;
}

static const column *junction_column(const predicate *p) {
    const column *c = meet_column(p->junction.item[0]);
    for (size_t i = 1; c && i < p->junction.count; i++)
        if (meet_column(p->junction.item[i]) != c) return NULL;
    return p->junction.count <= MOST_ARMS ? c : NULL;
}

const column *meet_column(const predicate *p) {
    switch ((int)p->kind) {
    case PREDICATE_COMPARE:
        return column_if(&p->compare.column, p->compare.op != COMPARE_NE && has_one_reading(&p->compare.value));
    case PREDICATE_BETWEEN:
        return column_if(&p->between.column,
                         !p->negated && has_one_reading(&p->between.low) && has_one_reading(&p->between.high));
    case PREDICATE_IN: return column_if(&p->in.column, is_short_list(p));
    case PREDICATE_AND:
    case PREDICATE_OR: return junction_column(p);
    default: return NULL;
    }
}

/* Limits, each of which may be left out itself. */
typedef struct stretch {
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

static void cut_by_compare(stretch *s, const predicate *p) {
    const value *v = &p->compare.value.reading[0].v;
    switch (p->compare.op) {
    case COMPARE_EQ:
        cut_low(s, v, false);
        cut_high(s, v, false);
        return;
    case COMPARE_GT: cut_low(s, v, true); return;
    case COMPARE_GE: cut_low(s, v, false); return;
    case COMPARE_LT: cut_high(s, v, true); return;
    case COMPARE_LE: cut_high(s, v, false); return;
    case COMPARE_NE: return;
    }
    UNREACHABLE();
}

static bool is_empty(const stretch *s) {
    if (!s->has_low || !s->has_high) return false;
    int order = value_compare(&s->low, &s->high);
    return order > 0 || (order == 0 && (s->low_open || s->high_open));
}

/* What is left to be met: a list, and behind it another. */
typedef struct todo {
    const predicate *const *item;
    size_t count;
    const struct todo *next;
} todo;

static bool can_meet(stretch s, const todo *rest, unsigned *steps);

static bool any_arm(const stretch *s, const predicate *p, const todo *rest, unsigned *steps) {
    for (size_t i = 0; i < p->junction.count; i++) {
        todo arm = {&p->junction.item[i], 1, rest};
        if (can_meet(*s, &arm, steps)) return true;
    }
    return false;
}

static bool any_item(const stretch *s, const predicate *p, const todo *rest, unsigned *steps) {
    for (size_t i = 0; i < p->in.count; i++) {
        stretch one = *s;
        cut_low(&one, &p->in.item[i].reading[0].v, false);
        cut_high(&one, &p->in.item[i].reading[0].v, false);
        if (can_meet(one, rest, steps)) return true;
    }
    return false;
}

static bool can_meet(stretch s, const todo *rest, unsigned *steps) {
    if (is_empty(&s)) return false;
    while (rest && rest->count == 0) rest = rest->next;
    if (!rest || (*steps)++ > MOST_STEPS) return true;
    const predicate *p = rest->item[0];
    todo behind = {rest->item + 1, rest->count - 1, rest->next};
    if (p->kind == PREDICATE_OR) return any_arm(&s, p, &behind, steps);
    if (p->kind == PREDICATE_IN) return any_item(&s, p, &behind, steps);
    if (p->kind == PREDICATE_AND) {
        todo inside = {p->junction.item, p->junction.count, &behind};
        return can_meet(s, &inside, steps);
    }
    if (p->kind == PREDICATE_BETWEEN) {
        cut_low(&s, &p->between.low.reading[0].v, false);
        cut_high(&s, &p->between.high.reading[0].v, false);
    } else {
        cut_by_compare(&s, p);
    }
    return can_meet(s, &behind, steps);
}

bool meet_is_possible(const predicate *const *item, size_t count, const column_domain *domain) {
    todo all = {item, count, NULL};
    unsigned steps = 0;
    for (size_t i = 0; i < domain->count; i++) {
        const column_fact *f = &domain->fact[i];
        stretch s = {.has_low = f->has_low, .has_high = f->has_high, .low = f->low, .high = f->high};
        if (f->can_be_value && can_meet(s, &all, &steps)) return true;
    }
    return false;
}

bool meet_narrow(const predicate *p, const column_fact *fact, column_fact *out) {
    *out = *fact;
    if (p->kind == PREDICATE_IS_NULL) {
        if (!p->negated) out->can_be_value = false;
        if (p->negated) out->can_be_null = false;
        return true;
    }
    if ((p->kind != PREDICATE_COMPARE && p->kind != PREDICATE_BETWEEN) || !meet_column(p)) return false;
    stretch s = {.has_low = fact->has_low, .has_high = fact->has_high, .low = fact->low, .high = fact->high};
    if (p->kind == PREDICATE_BETWEEN) {
        cut_low(&s, &p->between.low.reading[0].v, false);
        cut_high(&s, &p->between.high.reading[0].v, false);
    } else {
        cut_by_compare(&s, p);
    }
    out->can_be_null = false;
    out->has_low = s.has_low;
    out->has_high = s.has_high;
    out->low = s.low;
    out->high = s.high;
    return !is_empty(&s);
}
