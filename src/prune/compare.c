/* compare.c - a range of values against a literal, under every reading.
 * Called by: prune/eval.c, prune/list.c.  Must not know: predicates beyond the operator.
 *
 * A value v of a fact obeys low <= v <= high. Bringing both sides into a reading's domain (double, float, padded text)
 * is monotone, so the converted bounds still enclose the converted values. Against a literal x:
 *
 *   v < x is possible  unless low >= x        v > x is possible unless high <= x
 *   v = x is possible  if low <= x <= high
 *
 * The union over the readings is a superset of what any one engine gives.
 */
#include "prune/compare.h"

/* A decimal converted to double differs by a rounding step between engines (correctly rounded, or divided by a power of
 * ten): widen by one step. Whole numbers and floats convert alike everywhere. */
static value converted_bound(const reading *r, const value *limit, bool is_low, arena *scratch) {
    value v = reading_convert(r, limit, scratch);
    if (r->domain == READING_DOUBLE && limit->kind == VALUE_DECIMAL)
        v.f = is_low ? double_before(v.f) : double_after(v.f);
    return v;
}

static bool has_control_characters(str s) {
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] < ' ') return true;
    return false;
}

static str without_trailing_blanks(str s) {
    while (s.len && s.ptr[s.len - 1] == ' ') s.len--;
    return s;
}

/* Bounds of char(n) are of texts as stored, which may be padded or not. Padding appends blanks only, so a padded text
 * is at or above its stored form, and at or below the padded bound unless the bound holds characters below a blank. */
static column_fact padded_fact(const column_fact *fact, const reading *r, arena *scratch) {
    column_fact padded = *fact;
    if (fact->has_low) padded.low.s = without_trailing_blanks(fact->low.s);
    if (fact->has_high && has_control_characters(fact->high.s))
        padded.has_high = false;
    else if (fact->has_high && !fact->high.above_prefix)
        padded.high = reading_convert(r, &fact->high, scratch);
    return padded;
}

static bool may_hold_nan(const column_fact *fact, const data_type *type) {
    bool is_float = type->kind == TYPE_FLOAT || type->kind == TYPE_DOUBLE;
    return is_float && (fact->may_be_nan || (fact->has_high && value_is_nan(&fact->high)) || !fact->has_high);
}

relation fact_relation(const column_fact *fact, const data_type *type, const reading *r, arena *scratch) {
    column_fact padded;
    if (r->domain == READING_PADDED) {
        padded = padded_fact(fact, r, scratch);
        fact = &padded;
    }
    int low = -1, high = 1;
    bool convert = r->domain != READING_PADDED && r->domain != READING_EXACT;
    if (fact->has_low) {
        value v = convert ? converted_bound(r, &fact->low, true, scratch) : fact->low;
        low = reading_compare(&v, r);
    }
    if (fact->has_high) {
        value v = convert ? converted_bound(r, &fact->high, false, scratch) : fact->high;
        high = reading_compare(&v, r);
    }
    relation rel = {.less = low<0, .greater = high> 0, .equal = low <= 0 && high >= 0, .nan = may_hold_nan(fact, type)};
    if (r->never_equal) rel.equal = false;
    if (fact->may_be_nan) {
        bool literal_is_nan = !r->is_number && value_is_nan(&r->v);
        if (literal_is_nan)
            rel.equal = true;
        else
            rel.greater = true;
    }
    return rel;
}

static bool holds_for(compare_op op, int order) {
    switch (op) {
    case COMPARE_EQ: return order == 0;
    case COMPARE_NE: return order != 0;
    case COMPARE_LT: return order < 0;
    case COMPARE_LE: return order <= 0;
    case COMPARE_GT: return order > 0;
    case COMPARE_GE: return order >= 0;
    }
    UNREACHABLE();
}

outcome_set relation_outcome(relation rel, compare_op op, bool from_not) {
    unsigned set = OUTCOME_NONE;
    if (rel.less) set |= holds_for(op, -1) ? OUTCOME_TRUE : OUTCOME_FALSE;
    if (rel.equal) set |= holds_for(op, 0) ? OUTCOME_TRUE : OUTCOME_FALSE;
    if (rel.greater) set |= holds_for(op, 1) ? OUTCOME_TRUE : OUTCOME_FALSE;
    /* IEEE: every comparison with NaN is false but <>, so the operator that a pushed NOT replaced was false. */
    if (rel.nan) set |= from_not || op == COMPARE_NE ? OUTCOME_TRUE : OUTCOME_FALSE;
    if (rel.nan && op == COMPARE_NE && from_not) set |= OUTCOME_FALSE;
    return (outcome_set)set;
}

outcome_set null_outcome_beside(int beyond_long, compare_op op) {
    unsigned set = OUTCOME_NULL;
    if (beyond_long == 0 || op == COMPARE_EQ || op == COMPARE_NE) return (outcome_set)set;
    return (outcome_set)(set | (holds_for(op, -beyond_long) ? OUTCOME_TRUE : OUTCOME_FALSE));
}

outcome_set fact_compare(const column_fact *fact, const data_type *type, compare_op op, bool from_not, const literal *l,
                         arena *scratch) {
    unsigned set = fact->can_be_null ? null_outcome_beside(l->beyond_long, op) : OUTCOME_NONE;
    if (!fact->can_be_value) return (outcome_set)set;
    if (l->reading_count == 0) return OUTCOME_NULL;
    if (l->may_be_null) set |= OUTCOME_NULL;
    for (size_t i = 0; i < l->reading_count; i++)
        set |= relation_outcome(fact_relation(fact, type, &l->reading[i], scratch), op, from_not);
    return (outcome_set)set;
}
