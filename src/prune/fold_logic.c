/* fold_logic.c - comparisons, conditions, and functions that choose among their arguments.
 * Called by: prune/fold.c.  Must not know: predicates, statistics.
 *
 * Two ranges of one type compare by their bounds: a < b is possible unless every a is at or above every b, and so on.
 * Numbers of different types compare as each engine may bring them together: exactly, as doubles, as floats (the
 * readings of docs/semantics.md); times as points in the session zone.
 */
#include <math.h>

#include "prune/fold_int.h"

/* --------------------------------------------------------------------------------------------- comparisons */

static bool is_nan_possible(const value_range *r) {
    return range_is_float(r) && (r->may_be_nan || !r->has_high || value_is_nan(&r->high));
}

static relation relate(const value_range *a, const value_range *b) {
    bool a_reaches_b = !a->has_high || !b->has_low || value_compare(&a->high, &b->low) >= 0;
    bool b_reaches_a = !b->has_high || !a->has_low || value_compare(&b->high, &a->low) >= 0;
    relation rel = {
        .less = !a->has_low || !b->has_high || value_compare(&a->low, &b->high) < 0,
        .greater = !a->has_high || !b->has_low || value_compare(&a->high, &b->low) > 0,
        .equal = a_reaches_b && b_reaches_a,
        .nan = is_nan_possible(a) || is_nan_possible(b),
    };
    if (a->may_be_nan) rel.greater = true;
    if (b->may_be_nan) rel.less = true;
    if (a->may_be_nan && is_nan_possible(b)) rel.equal = true;
    if (b->may_be_nan && is_nan_possible(a)) rel.equal = true;
    return rel;
}

/* A decimal as a double differs by a rounding step between engines (compare.c), but not if it has few digits: it is a
 * quotient of two exact doubles then, which all round alike. */
static value as_float(const value *v, reading_domain domain, bool is_low) {
    const int64_t most = INT64_C(1) << 53;
    value d = domain == READING_FLOAT ? value_to_float(v) : value_to_double(v);
    bool is_short = v->kind == VALUE_DECIMAL && v->scale <= 22 && v->d <= most && v->d >= -most;
    if (v->kind == VALUE_DECIMAL && domain == READING_DOUBLE && !is_short)
        d.f = is_low ? double_before(d.f) : double_after(d.f);
    return d;
}

static value_range as_floats(const value_range *r, reading_domain domain) {
    value_range f = *r;
    if (r->has_low) f.low = as_float(&r->low, domain, true);
    if (r->has_high) f.high = as_float(&r->high, domain, false);
    return f;
}

static outcome_set compare_as(const value_range *a, const value_range *b, compare_op op, reading_domain domain) {
    value_range x = as_floats(a, domain), y = as_floats(b, domain);
    return relation_outcome(relate(&x, &y), op, false);
}

/* Is `single` a number that the other side's type does not hold: a fraction beside whole numbers, or a double beside
 * floats that is no float? Nothing on that side equals it, also when both are doubles. */
static bool never_equals(const value_range *single, const value_range *other) {
    if (!range_is_single(single) || value_is_nan(&single->low)) return false;
    value v = single->low;
    if (type_is_integer(other->type)) {
        if (v.kind == VALUE_DECIMAL) {
            for (; v.scale > 0; v.scale--, v.d /= 10)
                if (v.d % 10 != 0) return true;
            return false;
        }
        return v.kind != VALUE_INT && fabs(v.f) < 9e15 && v.f != trunc(v.f);
    }
    if (other->type != TYPE_FLOAT || single->type != TYPE_DOUBLE) return false;
    value rounded = value_to_float(&v);
    return value_compare(&rounded, &v) != 0;
}

static relation without_equal(relation rel) {
    rel.equal = false;
    return rel;
}

static bool takes_float(const value_range *a, const value_range *b) {
    return a->type == TYPE_FLOAT && (b->is_untyped || b->type != TYPE_DOUBLE);
}

static bool is_exact(const value_range *r) {
    bool low = !r->has_low || r->low.kind == VALUE_INT || r->low.kind == VALUE_DECIMAL;
    bool high = !r->has_high || r->high.kind == VALUE_INT || r->high.kind == VALUE_DECIMAL;
    return (type_is_integer(r->type) || r->type == TYPE_DECIMAL) && low && high;
}

/* In a decimal type that has not room for all digits. */
static outcome_set compare_rounded(const value_range *a, const value_range *b, compare_op op, digit_count digits) {
    if (!fold_digits_overflow(digits)) return OUTCOME_NONE;
    value_range x = fold_digits_rounded(a, digits), y = fold_digits_rounded(b, digits);
    return (outcome_set)(OUTCOME_NULL | relation_outcome(relate(&x, &y), op, false));
}

static outcome_set compare_numbers(const value_range *a, const value_range *b, compare_op op) {
    bool has_float = range_is_float(a) || range_is_float(b), as_float = takes_float(a, b) || takes_float(b, a);
    unsigned set = OUTCOME_NONE;
    if (is_exact(a) && is_exact(b)) set = compare_rounded(a, b, op, fold_digits_join(fold_digits(a), fold_digits(b)));
    if (!as_float && (never_equals(a, b) || never_equals(b, a)))
        return (outcome_set)(set | relation_outcome(without_equal(relate(a, b)), op, false));
    set |= relation_outcome(relate(a, b), op, false);
    if (has_float) set |= compare_as(a, b, op, READING_DOUBLE);
    if (as_float) set |= compare_as(a, b, op, READING_FLOAT);
    return (outcome_set)set;
}

static bool is_time(type_kind k) {
    return k == TYPE_DATE || k == TYPE_TIMESTAMP || k == TYPE_TIMESTAMP_NTZ;
}

static outcome_set compare_instants(fold *f, const value_range *a, const value_range *b, compare_op op) {
    value_range x, y;
    if (!fold_to_instant(f, a, &x) || !fold_to_instant(f, b, &y)) return OUTCOME_ANY;
    return relation_outcome(relate(&x, &y), op, false);
}

static value_range date_as_wall(const value_range *r) {
    value_range w = *r;
    if (r->type == TYPE_TIMESTAMP_NTZ) return w;
    w.type = TYPE_TIMESTAMP_NTZ;
    w.low = (value){.kind = VALUE_TIMESTAMP_NTZ, .i = r->has_low ? fold_wall_of_date(r->low.i) : 0};
    w.high = (value){.kind = VALUE_TIMESTAMP_NTZ, .i = r->has_high ? fold_wall_of_date(r->high.i) : 0};
    return w;
}

/* Dates and wall clocks compare as wall clocks; engines that make instants of both may see a gap or a repeated hour. */
static outcome_set compare_times(fold *f, const value_range *a, const value_range *b, compare_op op) {
    if (a->type == TYPE_TIMESTAMP || b->type == TYPE_TIMESTAMP) return compare_instants(f, a, b, op);
    value_range x = date_as_wall(a), y = date_as_wall(b);
    unsigned set = relation_outcome(relate(&x, &y), op, false);
    if (!zone_is_utc(f->env->session_zone)) set |= compare_instants(f, a, b, op);
    return (outcome_set)set;
}

/* A text beside a date or a time is read as one; beside a date, its time of day counts or is cut. */
static outcome_set compare_time_text(fold *f, const value_range *time, str text, compare_op op) {
    time_text t;
    if (!time_text_parse(text, f->env->zones, true, &t) || t.has_more_digits || t.is_odd) return OUTCOME_ANY;
    if (f->env->zone_is_unknown && (t.has_offset || time->type == TYPE_TIMESTAMP)) return OUTCOME_ANY;
    unsigned set = OUTCOME_NONE;
    if (time->type == TYPE_DATE) {
        value_range day = range_single(TYPE_DATE, (value){.kind = VALUE_DATE, .i = t.days});
        set |= relation_outcome(relate(time, &day), op, false);
        if (!t.has_time) return (outcome_set)set;
    }
    int64_t earlier, later;
    time_text_instants(&t, f->env->session_zone, &earlier, &later);
    value_range instant = range_between(TYPE_TIMESTAMP, (value){.kind = VALUE_TIMESTAMP, .i = earlier},
                                        (value){.kind = VALUE_TIMESTAMP, .i = later});
    value_range wall =
        range_single(TYPE_TIMESTAMP_NTZ, (value){.kind = VALUE_TIMESTAMP_NTZ, .i = time_text_wall_micros(&t)});
    if (time->type != TYPE_TIMESTAMP && !t.has_offset) set |= compare_times(f, time, &wall, op);
    if (time->type == TYPE_TIMESTAMP || t.has_offset) set |= compare_times(f, time, &instant, op);
    return (outcome_set)set;
}

/* Is it a whole number of the type, perhaps with a fraction? Spark without ANSI makes NULL of any other text. */
static bool is_castable(type_kind k, str text, const number *n) {
    size_t at;
    int64_t i;
    if (str_find_char(text, 'e', &at) || str_find_char(text, 'E', &at)) return false;
    return number_fraction_digits(n) > 0 || (number_to_int64(n, &i) && type_holds_integer(k, i));
}

/* A text beside a number is read as one: as it stands, as a double, or cut or rounded to a whole number. */
static outcome_set compare_number_text(const value_range *n, str text, compare_op op) {
    number parsed;
    value exact;
    if (!number_parse(text, &parsed) || !number_to_decimal(&parsed, &exact)) return OUTCOME_ANY;
    value_range as_double = range_single(TYPE_DOUBLE, (value){.kind = VALUE_DOUBLE, .f = number_to_double(&parsed)});
    value_range as_is = range_single(TYPE_DECIMAL, exact);
    unsigned set = compare_numbers(n, &as_double, op) | compare_numbers(n, &as_is, op);
    if (type_is_integer(n->type) && !is_castable(n->type, text, &parsed)) set |= OUTCOME_NULL;
    int64_t cut = number_truncate(&parsed), rounded = number_round(&parsed);
    if (number_fraction_digits(&parsed) == 0) return (outcome_set)set;
    if (n->type == TYPE_DECIMAL) return OUTCOME_ANY;
    value_range whole = range_between(TYPE_LONG, (value){.kind = VALUE_INT, .i = cut < rounded ? cut : rounded},
                                      (value){.kind = VALUE_INT, .i = cut < rounded ? rounded : cut});
    return (outcome_set)(set | compare_numbers(n, &whole, op));
}

/* A text column beside a number literal: some engines make a number of the text, which may fail and give NULL, others a text
 * of the number. A literal that is no whole number has no text that is known. */
static outcome_set compare_literal_text(fold *f, const value_range *n, str text, compare_op op) {
    int64_t i;
    number parsed;
    if (!range_int(n, &i)) return OUTCOME_ANY;
    buf digits;
    buf_init(&digits, f->scratch, 64);
    buf_printf(&digits, "%lld", (long long)i);
    value_range a = range_single(TYPE_STRING, (value){.kind = VALUE_STRING, .s = buf_str(&digits)});
    value_range b = range_single(TYPE_STRING, (value){.kind = VALUE_STRING, .s = text});
    unsigned set = OUTCOME_NULL | relation_outcome(relate(&a, &b), op, false);
    if (!fold_may_be_number(text)) return (outcome_set)set;
    return (outcome_set)(set | (number_parse(text, &parsed) ? compare_number_text(n, text, op) : OUTCOME_ANY));
}

static outcome_set compare_boolean_text(const value_range *b, str text, compare_op op) {
    bool yes = str_eq_nocase(text, STR("true"));
    if (!yes && !str_eq_nocase(text, STR("false"))) return OUTCOME_ANY;
    value_range word = range_single(TYPE_BOOLEAN, (value){.kind = VALUE_BOOLEAN, .i = yes});
    return relation_outcome(relate(b, &word), op, false);
}

static outcome_set compare_with_text(fold *f, const value_range *a, str text, compare_op op) {
    if (is_time(a->type)) return compare_time_text(f, a, text, op);
    if (range_is_number(a) && a->is_untyped) return compare_literal_text(f, a, text, op);
    if (range_is_number(a)) return compare_number_text(a, text, op);
    if (a->type == TYPE_BOOLEAN) return compare_boolean_text(a, text, op);
    return OUTCOME_ANY;
}

static outcome_set compare_values(fold *f, const value_range *a, const value_range *b, compare_op op) {
    if (a->type == TYPE_OTHER || b->type == TYPE_OTHER) return OUTCOME_ANY;
    if (range_is_number(a) && range_is_number(b)) return compare_numbers(a, b, op);
    if (a->type == b->type) return relation_outcome(relate(a, b), op, false);
    if (is_time(a->type) && is_time(b->type)) return compare_times(f, a, b, op);
    if (range_is_text(b)) return compare_with_text(f, a, b->low.s, op);
    if (range_is_text(a)) return compare_with_text(f, b, a->low.s, compare_op_mirrored(op));
    return OUTCOME_ANY;
}

/* Where a number that may be a literal stands beside what may be an integer (NULL has no type): see
 * null_outcome_beside. */
static int beyond_long(const value_range *other, const value_range *n) {
    bool may_be_whole = type_is_integer(other->type) || other->type == TYPE_VOID || other->type == TYPE_OTHER;
    if (!may_be_whole || n->type != TYPE_DECIMAL || !range_is_single(n)) return 0;
    value least = {.kind = VALUE_INT, .i = INT64_MIN}, most = {.kind = VALUE_INT, .i = INT64_MAX};
    return value_compare(&n->low, &most) > 0 ? 1 : value_compare(&n->low, &least) < 0 ? -1 : 0;
}

outcome_set fold_compare_ranges(fold *f, const value_range *a, const value_range *b, compare_op op) {
    unsigned set = OUTCOME_NONE;
    if (a->can_be_null) set |= null_outcome_beside(beyond_long(a, b), op);
    if (b->can_be_null) set |= null_outcome_beside(beyond_long(b, a), compare_op_mirrored(op));
    if (!a->can_be_value || !b->can_be_value) return (outcome_set)set;
    return (outcome_set)(set | compare_values(f, a, b, op));
}

static compare_op op_of(func_id func) {
    return (compare_op)(func - FUNC_EQ); /* the rows stand in the order of compare_op */
}

void fold_compare(fold *f, const value_range *arg) {
    fold_yield_outcome(f, fold_compare_ranges(f, &arg[0], &arg[1], op_of(f->func)));
}

/* a <=> b: NULL is the same as NULL and as nothing else. */
void fold_same(fold *f, const value_range *arg) {
    unsigned set = OUTCOME_NONE;
    const value_range *a = &arg[0], *b = &arg[1];
    bool is_cast = (a->type == TYPE_STRING) != (b->type == TYPE_STRING); /* which may give NULL */
    if ((a->can_be_null || b->can_be_null) && is_cast) set |= OUTCOME_TRUE;
    if (a->can_be_null && b->can_be_null) set |= OUTCOME_TRUE;
    if ((a->can_be_null && b->can_be_value) || (a->can_be_value && b->can_be_null)) set |= OUTCOME_FALSE;
    if (a->can_be_value && b->can_be_value) {
        outcome_set equal = compare_values(f, a, b, COMPARE_EQ);
        set |= equal & (OUTCOME_TRUE | OUTCOME_FALSE);
        if (equal & OUTCOME_NULL) set |= OUTCOME_TRUE | OUTCOME_FALSE; /* a cast that fails */
    }
    fold_yield_outcome(f, (outcome_set)set);
}

/* What engines bring the operands of IN and BETWEEN to: a DOUBLE among them makes all of them doubles. */
typedef struct shared_type {
    bool as_double, as_float, as_text;
    digit_count digits; /* of the exact numbers among them */
} shared_type;

static void share_with(shared_type *shared, const value_range *r) {
    shared->as_double |= range_is_float(r);
    shared->as_float |= r->type == TYPE_FLOAT;
    shared->as_text |= r->type == TYPE_STRING;
    if (is_exact(r)) shared->digits = fold_digits_join(shared->digits, fold_digits(r));
}

/* A number, or a text that is one. */
static bool as_number(const value_range *r, value_range *out) {
    number n;
    value v;
    *out = *r;
    if (range_is_number(r)) return true;
    if (!range_is_text(r) || !number_parse(r->low.s, &n)) return false;
    if (number_to_decimal(&n, &v))
        *out = range_single(TYPE_DECIMAL, v);
    else
        *out = range_single(TYPE_DOUBLE, (value){.kind = VALUE_DOUBLE, .f = number_to_double(&n)});
    return true;
}

/* Beside it nothing becomes a float. */
static bool is_typed_double(const value_range *r) {
    return r->type == TYPE_DOUBLE && !r->is_untyped;
}

static outcome_set compare_shared(fold *f, const value_range *a, const value_range *b, compare_op op,
                                  shared_type shared) {
    unsigned set = fold_compare_ranges(f, a, b, op);
    value_range x, y;
    if (!a->can_be_value || !b->can_be_value || !range_is_number(a) || !as_number(a, &x) || !as_number(b, &y))
        return (outcome_set)set;
    if (shared.as_double) set |= compare_as(&x, &y, op, READING_DOUBLE);
    if (is_exact(&x) && is_exact(&y)) set |= compare_rounded(&x, &y, op, shared.digits);
    if (shared.as_float && !is_typed_double(a) && !is_typed_double(b)) set |= compare_as(&x, &y, op, READING_FLOAT);
    return (outcome_set)set;
}

static outcome_set equals_item(fold *f, const value_range *x, const ranges *item, shared_type shared) {
    unsigned set = OUTCOME_NONE;
    for (size_t i = 0; i < item->count; i++) set |= compare_shared(f, x, &item->item[i], COMPARE_EQ, shared);
    /* Spark without ANSI compares all as texts if an item is one and the value is none: then 7 is not in ('07'), and
     * what is equal in every other sense may differ. */
    bool is_refused = x->type == TYPE_BOOLEAN; /* by Spark without ANSI */
    if (shared.as_text && !is_refused && x->type != TYPE_STRING && (set & OUTCOME_TRUE)) set |= OUTCOME_FALSE;
    return (outcome_set)set;
}

void fold_in_list(fold *f, const ranges *const *arg) {
    for (size_t i = 0; i < arg[0]->count; i++) {
        shared_type shared = {.as_double = false};
        outcome_set set = OUTCOME_FALSE;
        share_with(&shared, &arg[0]->item[i]);
        shared.as_text = false;
        for (size_t k = 1; k < f->count; k++)
            for (size_t n = 0; n < arg[k]->count; n++) share_with(&shared, &arg[k]->item[n]);
        shared.as_double |= shared.as_text; /* Spark brings decimals and texts together as doubles */
        for (size_t k = 1; k < f->count; k++) set = outcome_or(set, equals_item(f, &arg[0]->item[i], arg[k], shared));
        fold_yield_outcome(f, set);
    }
}

/* One range each: fold_call gives lists to fold_in_list. */
void fold_in(fold *f, const value_range *arg) {
    ranges *list = ARENA_ARRAY(f->scratch, ranges, f->count);
    const ranges **each = ARENA_ARRAY(f->scratch, const ranges *, f->count);
    for (size_t i = 0; i < f->count; i++) {
        ranges_add(&list[i], arg[i]);
        each[i] = &list[i];
    }
    fold_in_list(f, each);
}

void fold_between(fold *f, const value_range *arg) {
    shared_type shared = {.as_double = false};
    for (int i = 0; i < 3; i++) share_with(&shared, &arg[i]);
    shared.as_double |= shared.as_text;
    outcome_set above = compare_shared(f, &arg[0], &arg[1], COMPARE_GE, shared);
    outcome_set below = compare_shared(f, &arg[0], &arg[2], COMPARE_LE, shared);
    fold_yield_outcome(f, outcome_and(above, below));
}

/* ----------------------------------------------------------------------------------------------- conditions */

void fold_not(fold *f, const value_range *arg) {
    fold_yield_outcome(f, outcome_not(range_outcome(&arg[0])));
}

static outcome_set null_outcome(const value_range *r) {
    unsigned set = OUTCOME_NONE;
    if (r->can_be_null) set |= OUTCOME_TRUE;
    if (r->can_be_value) set |= OUTCOME_FALSE;
    return (outcome_set)set;
}

void fold_is_null(fold *f, const value_range *arg) {
    fold_yield_outcome(f, null_outcome(&arg[0]));
}

void fold_is_not_null(fold *f, const value_range *arg) {
    fold_yield_outcome(f, outcome_not(null_outcome(&arg[0])));
}

static void yield_test(fold *f, const value_range *r, outcome_set wanted) {
    outcome_set of = range_outcome(r);
    unsigned set = OUTCOME_NONE;
    if (of & wanted) set |= OUTCOME_TRUE;
    if (of & (OUTCOME_ANY & ~wanted)) set |= OUTCOME_FALSE;
    fold_yield_outcome(f, (outcome_set)set);
}

void fold_is_true(fold *f, const value_range *arg) {
    yield_test(f, &arg[0], OUTCOME_TRUE);
}

void fold_is_false(fold *f, const value_range *arg) {
    yield_test(f, &arg[0], OUTCOME_FALSE);
}

/* Of NULL it is false in Spark and NULL elsewhere. */
void fold_is_nan(fold *f, const value_range *arg) {
    const value_range *r = &arg[0];
    unsigned set = r->can_be_null ? OUTCOME_FALSE | OUTCOME_NULL : OUTCOME_NONE;
    if (r->type == TYPE_OTHER || r->type == TYPE_STRING) set = OUTCOME_ANY; /* a text may be read as a number */
    bool is_nan = range_is_float(r) && range_is_single(r) && value_is_nan(&r->low);
    if (r->can_be_value && !is_nan) set |= OUTCOME_FALSE;
    if (r->can_be_value && is_nan_possible(r)) set |= OUTCOME_TRUE;
    fold_yield_outcome(f, (outcome_set)set);
}

/* ---------------------------------------------------------------------------------------------------- choices */

static value_range only_values(const value_range *r) {
    value_range v = *r;
    v.can_be_null = false;
    return v;
}

/* The results of a choice have one type, which those take part in that are NULL or not chosen. Beside a float, numbers may be
 * doubles or floats too, beside a decimal whole numbers are decimals, beside an instant dates and wall clocks are instants;
 * beside texts, what is none is made one, and who compares with it sees another order. */
typedef struct choice {
    shared_type shared;
    uint32_t types; /* a bit for each type_kind */
} choice;

static uint32_t type_bit(type_kind k) {
    return UINT32_C(1) << (unsigned)k;
}

static bool holds_type(const choice *c, type_kind k) {
    return c->types & type_bit(k);
}

static void choice_add(choice *c, const value_range *r) {
    if (r->type == TYPE_VOID) return;
    share_with(&c->shared, r);
    c->types |= type_bit(r->type);
}

/* Is there no telling what a value of one type is in the type of all? */
static bool is_lost(const choice *c) {
    bool is_mixed = c->types & (c->types - 1);
    return is_mixed && (c->shared.as_text || holds_type(c, TYPE_OTHER));
}

static void yield_as(fold *f, value_range r, type_kind type) {
    value_range d = as_floats(&r, type == TYPE_FLOAT ? READING_FLOAT : READING_DOUBLE);
    d.type = type;
    fold_yield(f, d);
}

/* In the type that has the digits of all. */
static void yield_as_decimal(fold *f, const choice *c, value_range r) {
    digit_count digits = c->shared.digits;
    if (fold_digits_overflow(digits)) {
        r = fold_digits_rounded(&r, digits);
        r.can_be_null = true;
    } else if (!digits.is_unknown) {
        r.precision = (uint8_t)(digits.whole + digits.scale);
        r.scale = (uint8_t)digits.scale;
    }
    r.type = TYPE_DECIMAL;
    fold_yield(f, r);
}

static void yield_number_as(fold *f, const choice *c, value_range r) {
    if (c->shared.as_double && r.type != TYPE_DOUBLE) yield_as(f, r, TYPE_DOUBLE);
    if (c->shared.as_float && r.type != TYPE_FLOAT) yield_as(f, r, TYPE_FLOAT);
    if (is_exact(&r) && holds_type(c, TYPE_DECIMAL)) yield_as_decimal(f, c, r);
}

static void yield_time_as(fold *f, const choice *c, const value_range *r) {
    value_range instant;
    if (r->type != TYPE_TIMESTAMP && holds_type(c, TYPE_TIMESTAMP))
        fold_yield(f, fold_to_instant(f, r, &instant) ? instant : range_unknown(TYPE_TIMESTAMP, true));
    if (r->type == TYPE_DATE && holds_type(c, TYPE_TIMESTAMP_NTZ)) fold_yield(f, date_as_wall(r));
}

/* NULL of every type that the results may have. */
static void choice_yield_null(fold *f, const choice *c) {
    if (c->types == 0) fold_yield(f, range_null(TYPE_VOID));
    for (unsigned k = 0; k < 32; k++)
        if (holds_type(c, (type_kind)k)) fold_yield(f, range_null((type_kind)k));
}

static void choice_yield(fold *f, const choice *c, value_range r) {
    if (!r.can_be_value) {
        choice_yield_null(f, c);
        return;
    }
    if (is_lost(c)) r = range_unknown(TYPE_OTHER, true);
    fold_yield(f, r);
    if (range_is_number(&r)) yield_number_as(f, c, r);
    if (is_time(r.type)) yield_time_as(f, c, &r);
}

/* condition, value, condition, value, ... and perhaps a value for the rest. */
void fold_case(fold *f, const value_range *arg) {
    choice c = {.types = 0};
    size_t i = 0;
    for (size_t k = 0; k < f->count; k++)
        if (k % 2 == 1 || k + 1 == f->count) choice_add(&c, &arg[k]);
    for (; i + 1 < f->count; i += 2) {
        outcome_set set = range_outcome(&arg[i]);
        if (set & OUTCOME_TRUE) choice_yield(f, &c, arg[i + 1]);
        if ((set & (OUTCOME_FALSE | OUTCOME_NULL)) == 0) return;
    }
    choice_yield(f, &c, i < f->count ? arg[i] : range_null(TYPE_VOID));
}

void fold_coalesce(fold *f, const value_range *arg) {
    choice c = {.types = 0};
    for (size_t i = 0; i < f->count; i++) choice_add(&c, &arg[i]);
    for (size_t i = 0; i < f->count; i++) {
        if (arg[i].can_be_value) choice_yield(f, &c, only_values(&arg[i]));
        if (!arg[i].can_be_null) return;
    }
    choice_yield_null(f, &c);
}

void fold_null_if(fold *f, const value_range *arg) {
    choice c = {.types = 0};
    choice_add(&c, &arg[0]);
    choice_add(&c, &arg[1]);
    outcome_set equal = fold_compare_ranges(f, &arg[0], &arg[1], COMPARE_EQ);
    if (equal & OUTCOME_TRUE) choice_yield_null(f, &c);
    if (equal & (OUTCOME_FALSE | OUTCOME_NULL)) choice_yield(f, &c, arg[0]);
}

void fold_nvl2(fold *f, const value_range *arg) {
    choice c = {.types = 0};
    choice_add(&c, &arg[1]);
    choice_add(&c, &arg[2]);
    if (arg[0].can_be_value) choice_yield(f, &c, arg[1]);
    if (arg[0].can_be_null) choice_yield(f, &c, arg[2]);
}

static bool is_beyond(const value *a, const value *b, bool above) {
    int order = value_compare(a, b);
    return above ? order > 0 : order < 0;
}

/* The bound of all arguments on one side: the outermost if each of them can be the result, else the innermost, for
 * which one that is known is enough. */
static bool join_limits(const value_range *arg, size_t count, bool low, bool outermost, value *out) {
    bool found = false, all = true;
    for (size_t i = 0; i < count; i++) {
        if (!arg[i].can_be_value) continue;
        bool has = low ? arg[i].has_low : arg[i].has_high;
        const value *v = low ? &arg[i].low : &arg[i].high;
        all &= has;
        if (has && (!found || is_beyond(v, out, low != outermost))) *out = *v;
        found |= has;
    }
    return found && (all || !outermost);
}

/* Spark passes over NULLs, others give NULL. So the result is one of the arguments, and beyond all that are never NULL.
 */
static void yield_extreme(fold *f, const value_range *arg, bool greatest) {
    bool any_null = false, same_type = true, any_value = false;
    choice c = {.types = 0};
    for (size_t i = 0; i < f->count; i++) {
        choice_add(&c, &arg[i]);
        any_null |= arg[i].can_be_null;
        any_value |= arg[i].can_be_value;
        same_type &= arg[i].type == arg[0].type && arg[i].type != TYPE_OTHER && !range_is_float(&arg[i]);
    }
    value_range r = range_unknown(same_type ? arg[0].type : TYPE_OTHER, any_null);
    r.can_be_value = any_value;
    if (same_type) {
        r.has_low = join_limits(arg, f->count, true, any_null || !greatest, &r.low);
        r.has_high = join_limits(arg, f->count, false, any_null || greatest, &r.high);
    }
    if (r.type == TYPE_DECIMAL)
        choice_yield(f, &c, r);
    else
        fold_yield(f, r);
}

void fold_greatest(fold *f, const value_range *arg) {
    yield_extreme(f, arg, true);
}

void fold_least(fold *f, const value_range *arg) {
    yield_extreme(f, arg, false);
}

/* index, item, item, ...: counted from 0, as GET does. Out of range is NULL. */
void fold_element(fold *f, const value_range *arg) {
    int64_t index;
    choice c = {.types = 0};
    for (size_t i = 1; i < f->count; i++) choice_add(&c, &arg[i]);
    if (arg[0].can_be_null) choice_yield_null(f, &c);
    if (!arg[0].can_be_value) return;
    if (!range_int(&arg[0], &index)) {
        for (size_t i = 1; i < f->count; i++) choice_yield(f, &c, arg[i]);
        choice_yield_null(f, &c);
        return;
    }
    bool inside = index >= 0 && (uint64_t)index < f->count - 1;
    choice_yield(f, &c, inside ? arg[1 + index] : range_null(TYPE_VOID));
}
