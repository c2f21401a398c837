/* fold.c - the rules that all functions share: choices, NULL, domains, monotony.
 * Called by: prune/term.c.  Must not know: what single functions give.
 *
 * A function that does not fall in its first argument takes low <= v <= high to f(low) <= f(v) <= f(high). Where f is
 * known to an engine only within limits, the lower limit of f(low) and the upper limit of f(high) serve.
 */
#include "prune/fold_int.h"

enum { MAX_CHOICES = 64 };

typedef enum domain { DOMAIN_ANY, DOMAIN_NUMBER, DOMAIN_TEXT, DOMAIN_TIME } domain;
typedef enum nulls { NULLS_STRICT, NULLS_MAYBE, NULLS_OWN } nulls;
typedef enum shape { SHAPE_POINT, SHAPE_RISING, SHAPE_WHOLE, SHAPE_DARK } shape;

typedef struct func_row {
    domain domain;
    nulls nulls;
    shape shape;
    bool zoned;
    type_kind gives; /* TYPE_OTHER: it depends on the arguments */
    fold_function *fold;
} func_row;

static const func_row func_rows[FUNC_COUNT] = {
#define FUNC(id, names, least, most, domain, nulls, shape, zoned, gives, name)                                         \
    {DOMAIN_##domain, NULLS_##nulls, SHAPE_##shape, zoned, TYPE_##gives, fold_##name},
#include "predicate/func.def"
#undef FUNC
};

bool func_is_zoned(func_id func) {
    return func_rows[func].zoned;
}

/* ------------------------------------------------------------------------------------------------- results */

void fold_yield(fold *f, value_range r) {
    ranges_add(f->out, r);
}

void fold_yield_value(fold *f, type_kind type, value v) {
    fold_yield(f, range_single(type, v));
}

void fold_yield_int(fold *f, type_kind type, int64_t i) {
    fold_yield_value(f, type, (value){.kind = VALUE_INT, .i = i});
}

void fold_yield_text(fold *f, str s) {
    fold_yield_value(f, TYPE_STRING, (value){.kind = VALUE_STRING, .s = s});
}

void fold_yield_outcome(fold *f, outcome_set set) {
    fold_yield(f, range_from_outcome(set));
}

void fold_yield_unknown(fold *f, type_kind type) {
    fold_yield(f, range_unknown(type, false));
}

void fold_dark(fold *f, const value_range *arg) {
    (void)arg;
    fold_yield_unknown(f, TYPE_OTHER);
}

/* --------------------------------------------------------------------------------------------- monotony */

/* What the function gives at one end of its first argument; nothing where there is no such end. */
static ranges results_at(fold *f, const value_range *arg, bool is_low) {
    ranges found = {.count = 0};
    const value *v = is_low ? &arg[0].low : &arg[0].high;
    if (!(is_low ? arg[0].has_low : arg[0].has_high) || v->above_prefix || arg[0].may_be_nan) return found;
    value_range *at = ARENA_ARRAY(f->scratch, value_range, f->count);
    for (size_t i = 0; i < f->count; i++) at[i] = arg[i];
    at[0].has_low = at[0].has_high = true;
    at[0].low = at[0].high = *v;
    fold end = *f;
    end.out = &found;
    func_rows[f->func].fold(&end, at);
    return found;
}

/* The lower or the upper limit of the results of one type. False where one of them has none. */
static bool limit_of(const ranges *found, type_kind type, bool is_low, value *out) {
    size_t count = 0;
    for (size_t i = 0; i < found->count; i++) {
        const value_range *r = &found->item[i];
        if (r->type != type || !r->can_be_value) continue;
        if (!(is_low ? r->has_low : r->has_high) || r->may_be_nan) return false;
        const value *v = is_low ? &r->low : &r->high;
        if (count++ == 0 || (is_low ? value_compare(v, out) < 0 : value_compare(v, out) > 0)) *out = *v;
    }
    return count > 0;
}

static bool gives_null(const ranges *found) {
    bool null = found->count == 0;
    for (size_t i = 0; i < found->count; i++) null |= found->item[i].can_be_null;
    return null;
}

/* Of decimals of one type; 0 where it is not known. */
static void take_digits(const ranges *found, value_range *r) {
    for (size_t i = 0; i < found->count && r->type == TYPE_DECIMAL; i++) {
        if (found->item[i].type != TYPE_DECIMAL) continue;
        r->precision = found->item[i].precision;
        r->scale = found->item[i].scale;
    }
}

/* Between two ends where it has values, it has values. */
static void yield_between(fold *f, const ranges *low, const ranges *high, type_kind type) {
    value_range r = range_unknown(type, false);
    r.has_low = limit_of(low, type, true, &r.low);
    r.has_high = limit_of(high, type, false, &r.high);
    r.can_be_null = func_rows[f->func].nulls != NULLS_STRICT && (gives_null(low) || gives_null(high));
    r.may_be_nan = range_is_float(&r) && !(r.has_low && r.has_high);
    take_digits(low->count ? low : high, &r);
    if (r.has_low && r.has_high && value_compare(&r.low, &r.high) > 0) r.has_low = r.has_high = false;
    fold_yield(f, r);
}

/* Engines whose results have different types are kept apart: each is monotone for itself. */
static void fold_rising(fold *f, const value_range *arg) {
    ranges low = results_at(f, arg, true), high = results_at(f, arg, false);
    const ranges *some = low.count ? &low : &high;
    if (some->count == 0) fold_yield(f, range_unknown(func_rows[f->func].gives, true));
    for (size_t i = 0; i < some->count; i++) {
        bool is_new = true;
        for (size_t k = 0; k < i; k++) is_new &= some->item[k].type != some->item[i].type;
        if (is_new) yield_between(f, &low, &high, some->item[i].type);
    }
}

/* ------------------------------------------------------------------------------------------------- one choice */

static bool bring_to_domain(const fold *f, domain d, value_range *arg) {
    switch (d) {
    case DOMAIN_ANY: return true;
    case DOMAIN_NUMBER: return range_is_number(arg);
    case DOMAIN_TEXT: return arg->type == TYPE_STRING;
    case DOMAIN_TIME: return fold_to_wall(f, arg, arg);
    }
    UNREACHABLE();
}

static bool all_single(const value_range *arg, size_t from, size_t count) {
    for (size_t i = from; i < count; i++)
        if (!range_is_single(&arg[i])) return false;
    return true;
}

static void fold_values(fold *f, const func_row *row, value_range *arg) {
    if (f->count > 0 && !bring_to_domain(f, row->domain, &arg[0])) {
        /* Engines cast the argument, which may fail and give NULL. */
        fold_yield(f, range_unknown(TYPE_OTHER, row->shape != SHAPE_DARK || row->nulls != NULLS_STRICT));
        return;
    }
    bool is_point = all_single(arg, 0, f->count);
    switch (row->shape) {
    case SHAPE_DARK: fold_yield(f, range_unknown(row->gives, row->nulls == NULLS_MAYBE)); return;
    case SHAPE_WHOLE: row->fold(f, arg); return;
    case SHAPE_POINT:
        if (is_point)
            row->fold(f, arg);
        else
            fold_yield(f, range_unknown(row->gives, row->nulls == NULLS_MAYBE));
        return;
    case SHAPE_RISING:
        if (is_point)
            row->fold(f, arg);
        else if (all_single(arg, 1, f->count))
            fold_rising(f, arg);
        else
            fold_yield(f, range_unknown(row->gives, row->nulls == NULLS_MAYBE));
        return;
    }
    UNREACHABLE();
}

/* What the function gives for values that are not known. */
static ranges results_of_any(fold *f, const func_row *row, const value_range *arg) {
    ranges found = {.count = 0}, *out = f->out;
    value_range *any = ARENA_ARRAY(f->scratch, value_range, f->count);
    for (size_t i = 0; i < f->count; i++) {
        any[i] = range_unknown(arg[i].type == TYPE_VOID ? TYPE_OTHER : arg[i].type, false);
        any[i].precision = arg[i].precision;
        any[i].scale = arg[i].scale;
    }
    f->out = &found;
    fold_values(f, row, any);
    f->out = out;
    return found;
}

/* NULL, of the type that the function has beside arguments of these types: a choice among its results takes that on. */
static void yield_null(fold *f, const func_row *row, const value_range *arg) {
    if (row->gives != TYPE_OTHER) {
        fold_yield(f, range_null(row->gives));
        return;
    }
    ranges found = results_of_any(f, row, arg);
    if (found.count == 0) fold_yield(f, range_null(TYPE_OTHER));
    for (size_t i = 0; i < found.count; i++) fold_yield(f, range_null(found.item[i].type));
}

/* One range an argument. NULL comes from NULL; the fold sees the values. */
static void fold_choice(fold *f, const value_range *arg) {
    const func_row *row = &func_rows[f->func];
    if (row->nulls == NULLS_OWN) {
        row->fold(f, arg);
        return;
    }
    bool can_be_null = false;
    value_range *values = ARENA_ARRAY(f->scratch, value_range, f->count);
    for (size_t i = 0; i < f->count; i++) {
        if (!arg[i].can_be_value) {
            yield_null(f, row, arg);
            return;
        }
        can_be_null |= arg[i].can_be_null;
        values[i] = arg[i];
        values[i].can_be_null = false;
    }
    ranges found = {.count = 0}, *out = f->out;
    f->out = &found;
    fold_values(f, row, values);
    f->out = out;
    if (found.count == 0) ranges_add(&found, range_unknown(TYPE_OTHER, true));
    for (size_t i = 0; i < found.count; i++) {
        found.item[i].can_be_null |= can_be_null;
        fold_yield(f, found.item[i]);
    }
}

void fold_call(const fold_env *env, arena *scratch, func_id func, const data_type *type, const ranges *const *arg,
               size_t count, ranges *out) {
    fold f = {.env = env, .scratch = scratch, .func = func, .type = type, .count = count, .out = out};
    if (func == FUNC_IN) {
        fold_in_list(&f, arg);
        return;
    }
    size_t choices = 1;
    for (size_t i = 0; i < count && choices <= MAX_CHOICES; i++) choices *= arg[i]->count;
    if (choices > MAX_CHOICES) {
        ranges_add(out, range_unknown(TYPE_OTHER, true));
        return;
    }
    value_range *chosen = ARENA_ARRAY(scratch, value_range, count);
    for (size_t choice = 0; choice < choices; choice++) {
        size_t rest = choice;
        for (size_t i = 0; i < count; i++) {
            chosen[i] = arg[i]->item[rest % arg[i]->count];
            rest /= arg[i]->count;
        }
        fold_choice(&f, chosen);
    }
}
