/* range.c - sets of values as ranges.
 * Called by: prune/term.c, prune/fold*.c.  Must not know: predicates, statistics.
 */
#include "prune/range.h"

bool range_is_float(const value_range *r) {
    return r->type == TYPE_FLOAT || r->type == TYPE_DOUBLE;
}

bool range_is_number(const value_range *r) {
    return type_is_number(r->type);
}

value_range range_null(type_kind type) {
    return (value_range){.type = type, .can_be_null = true};
}

value_range range_unknown(type_kind type, bool can_be_null) {
    value_range r = {.type = type, .can_be_null = can_be_null, .can_be_value = true};
    r.may_be_nan = range_is_float(&r);
    return r;
}

value_range range_single(type_kind type, value v) {
    return (value_range){.type = type, .can_be_value = true, .has_low = true, .has_high = true, .low = v, .high = v};
}

value_range range_between(type_kind type, value low, value high) {
    value_range r = {.type = type, .can_be_value = true, .has_low = true, .has_high = true, .low = low, .high = high};
    return value_compare(&low, &high) <= 0 ? r : range_unknown(type, false);
}

value_range range_from_outcome(outcome_set set) {
    bool can_be_true = set & OUTCOME_TRUE, can_be_false = set & OUTCOME_FALSE;
    value_range r = {.type = TYPE_BOOLEAN,
                     .can_be_null = set & OUTCOME_NULL,
                     .can_be_value = can_be_true || can_be_false,
                     .has_low = true,
                     .has_high = true,
                     .low = {.kind = VALUE_BOOLEAN, .i = !can_be_false},
                     .high = {.kind = VALUE_BOOLEAN, .i = can_be_true}};
    return r;
}

/* A maximum that is NaN says no more than that NaN is there, unless the minimum is NaN too. */
static void move_nan(value_range *r) {
    if (!r->has_high || !value_is_nan(&r->high) || (r->has_low && value_is_nan(&r->low))) return;
    r->has_high = false;
    r->may_be_nan = true;
}

value_range range_from_fact(const data_type *type, const column_fact *fact) {
    bool has_order = type_has_bounds(type->kind) || type->kind == TYPE_BINARY;
    bool padded = type->kind == TYPE_STRING && (type->char_length > 0 || type->collated);
    value_range r = {.type = has_order && !padded ? type->kind : TYPE_OTHER,
                     .precision = type->precision,
                     .scale = type->scale,
                     .can_be_null = fact->can_be_null,
                     .can_be_value = fact->can_be_value,
                     .has_low = fact->has_low,
                     .has_high = fact->has_high,
                     .low = fact->low,
                     .high = fact->high,
                     .may_be_nan = fact->may_be_nan};
    if (type->kind == TYPE_VOID) r.type = TYPE_VOID;
    if (r.type == TYPE_OTHER) r.has_low = r.has_high = false;
    if (range_is_float(&r)) move_nan(&r);
    return r;
}

static bool same_value(const value *a, const value *b) {
    bool comparable = a->kind == b->kind || (value_is_number(a) && value_is_number(b));
    return comparable && a->kind == b->kind && a->above_prefix == b->above_prefix && value_compare(a, b) == 0;
}

static bool same_range(const value_range *a, const value_range *b) {
    return a->type == b->type && a->precision == b->precision && a->scale == b->scale &&
           a->can_be_null == b->can_be_null && a->can_be_value == b->can_be_value && a->has_low == b->has_low &&
           a->has_high == b->has_high && a->may_be_nan == b->may_be_nan && a->is_untyped == b->is_untyped &&
           (!a->has_low || same_value(&a->low, &b->low)) && (!a->has_high || same_value(&a->high, &b->high));
}

void ranges_add(ranges *set, value_range r) {
    for (size_t i = 0; i < set->count; i++)
        if (same_range(&set->item[i], &r)) return;
    if (set->count == RANGES_MAX) {
        set->item[0] = range_unknown(TYPE_OTHER, true);
        set->count = 1;
        return;
    }
    set->item[set->count++] = r;
}

bool range_is_single(const value_range *r) {
    return r->can_be_value && r->has_low && r->has_high && !r->may_be_nan && !r->low.above_prefix &&
           !r->high.above_prefix && value_compare(&r->low, &r->high) == 0;
}

bool range_is_text(const value_range *r) {
    return r->type == TYPE_STRING && range_is_single(r);
}

bool range_int(const value_range *r, int64_t *out) {
    if (!range_is_single(r) || r->low.kind != VALUE_INT) return false;
    *out = r->low.i;
    return true;
}

outcome_set range_outcome(const value_range *r) {
    unsigned set = r->can_be_null ? OUTCOME_NULL : OUTCOME_NONE;
    if (r->type == TYPE_VOID) return OUTCOME_NULL;
    if (!r->can_be_value) return (outcome_set)set;
    if (r->type != TYPE_BOOLEAN) return OUTCOME_ANY;
    if (!r->has_low || r->low.i == 0) set |= OUTCOME_FALSE;
    if (!r->has_high || r->high.i == 1) set |= OUTCOME_TRUE;
    return (outcome_set)set;
}
