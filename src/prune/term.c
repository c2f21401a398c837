/* term.c - lower expressions and evaluate them over what is known about one file.
 * Called by: prune/program.c, prune/eval.c.  Must not know: files, phases.
 */
#include "prune/term.h"

typedef enum term_kind { TERM_SLOT, TERM_FIXED, TERM_CALL, TERM_CONDITION } term_kind;

struct term {
    term_kind kind;
    union {
        struct {
            size_t index;
            const data_type *type;
        } slot;
        const ranges *fixed;
        struct {
            const fold_env *env;
            func_id func;
            data_type type;
            const term *const *arg;
            size_t count;
        } call;
        const program *condition;
    };
};

/* ---------------------------------------------------------------------------------------------- lowering */

static const term *fixed_term(const term_lowering *lo, const ranges *of) {
    ranges *kept = ARENA_NEW(lo->query, ranges);
    *kept = *of;
    term *t = ARENA_NEW(lo->query, term);
    t->kind = TERM_FIXED;
    t->fixed = kept;
    return t;
}

static type_kind literal_type(const literal *l, const value *v) {
    switch (v->kind) {
    case VALUE_INT:
        if (l->suffix == 'Y') return TYPE_BYTE;
        if (l->suffix == 'S') return TYPE_SHORT;
        return l->suffix == 'L' || v->i > INT32_MAX || v->i < INT32_MIN ? TYPE_LONG : TYPE_INTEGER;
    case VALUE_DECIMAL: return TYPE_DECIMAL;
    case VALUE_FLOAT: return TYPE_FLOAT;
    case VALUE_DOUBLE: return TYPE_DOUBLE;
    case VALUE_BOOLEAN: return TYPE_BOOLEAN;
    case VALUE_DATE: return TYPE_DATE;
    case VALUE_TIMESTAMP: return TYPE_TIMESTAMP;
    case VALUE_TIMESTAMP_NTZ: return TYPE_TIMESTAMP_NTZ;
    case VALUE_STRING: return TYPE_STRING;
    case VALUE_BINARY: return TYPE_BINARY;
    }
    UNREACHABLE();
}

/* The digits of a decimal literal as its type has them. */
static uint8_t digits_of(const value *v) {
    uint8_t count = 0;
    for (int128 d = v->d; d != 0; d /= 10) count++;
    return count > v->scale ? count : (uint8_t)(v->scale + 1);
}

static const term *lower_literal(const term_lowering *lo, const literal *l) {
    ranges set = {.count = 0};
    for (size_t i = 0; i < l->reading_count; i++) {
        const value *v = &l->reading[i].v;
        value_range r = range_single(literal_type(l, v), *v);
        if (r.type == TYPE_DECIMAL && v->kind == VALUE_DECIMAL) {
            r.precision = digits_of(v);
            r.scale = v->scale;
        }
        r.is_untyped = l->kind == LITERAL_NUMBER && l->suffix == 0;
        ranges_add(&set, r);
    }
    if (l->reading_count == 0) ranges_add(&set, range_null(TYPE_VOID));
    return fixed_term(lo, &set);
}

static const term *unknown_term(const term_lowering *lo) {
    ranges any = {.count = 0};
    ranges_add(&any, range_unknown(TYPE_OTHER, true));
    return fixed_term(lo, &any);
}

static const term *lower_call(const term_lowering *lo, const scalar *s) {
    const term **arg = ARENA_ARRAY(lo->query, const term *, s->call.count);
    bool is_fixed = true;
    for (size_t i = 0; i < s->call.count; i++) {
        arg[i] = term_lower(lo, s->call.arg[i]);
        is_fixed &= arg[i]->kind == TERM_FIXED;
    }
    term *t = ARENA_NEW(lo->query, term);
    t->kind = TERM_CALL;
    t->call.env = lo->env;
    t->call.func = s->call.func;
    t->call.type = s->call.type;
    t->call.arg = arg;
    t->call.count = s->call.count;
    if (!is_fixed) return t;
    ranges out = {.count = 0};
    program_run run = {.scratch = lo->query};
    term_ranges(t, NULL, &run, &out);
    return fixed_term(lo, &out);
}

const term *term_lower(const term_lowering *lo, const scalar *s) {
    term *t;
    switch (s->kind) {
    case SCALAR_COLUMN:
        t = ARENA_NEW(lo->query, term);
        t->kind = TERM_SLOT;
        t->slot.index = lo->slot(lo->context, &s->column.ref);
        t->slot.type = &s->column.ref.column->type;
        return t;
    case SCALAR_LITERAL: return lower_literal(lo, &s->literal.value);
    case SCALAR_CALL: return lower_call(lo, s);
    case SCALAR_CONDITION:
        t = ARENA_NEW(lo->query, term);
        t->kind = TERM_CONDITION;
        t->condition = lo->condition(lo->context, s->condition.of);
        return t;
    case SCALAR_UNKNOWN: return unknown_term(lo);
    }
    UNREACHABLE();
}

/* -------------------------------------------------------------------------------------------- evaluation */

static void condition_ranges(const program *p, const column_domain *domain, program_run *run, ranges *out) {
    program_run inner = {.stack = ARENA_ARRAY(run->scratch, outcome_set, program_stack_size(p)),
                         .scratch = run->scratch,
                         .slot_count = run->slot_count};
    ranges_add(out, range_from_outcome(program_evaluate(p, domain, &inner)));
}

/* What is fixed is not copied: lists are long. */
static const ranges *argument(const term *t, const column_domain *domain, program_run *run) {
    if (t->kind == TERM_FIXED) return t->fixed;
    ranges *found = ARENA_NEW(run->scratch, ranges);
    term_ranges(t, domain, run, found);
    return found;
}

static void call_ranges(const term *t, const column_domain *domain, program_run *run, ranges *out) {
    const ranges **arg = ARENA_ARRAY(run->scratch, const ranges *, t->call.count);
    for (size_t i = 0; i < t->call.count; i++) arg[i] = argument(t->call.arg[i], domain, run);
    fold_call(t->call.env, run->scratch, t->call.func, &t->call.type, arg, t->call.count, out);
}

void term_ranges(const term *t, const column_domain *domain, program_run *run, ranges *out) {
    switch (t->kind) {
    case TERM_SLOT:
        for (size_t i = 0; i < domain[t->slot.index].count; i++)
            ranges_add(out, range_from_fact(t->slot.type, &domain[t->slot.index].fact[i]));
        return;
    case TERM_FIXED: *out = *t->fixed; return;
    case TERM_CALL: call_ranges(t, domain, run, out); return;
    case TERM_CONDITION: condition_ranges(t->condition, domain, run, out); return;
    }
    UNREACHABLE();
}

outcome_set term_evaluate(const term *t, const column_domain *domain, program_run *run) {
    ranges found = {.count = 0};
    term_ranges(t, domain, run, &found);
    unsigned set = OUTCOME_NONE;
    for (size_t i = 0; i < found.count; i++) set |= range_outcome(&found.item[i]);
    /* More than one answer for one value: an engine's own text of it, or a function that is not followed. */
    if ((set & OUTCOME_TRUE) && set != OUTCOME_TRUE) run->abstained = true;
    return (outcome_set)set;
}
