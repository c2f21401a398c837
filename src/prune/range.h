/* range.h - what is known about the values that an expression gives for the rows of one file.
 * Called by: prune/term.c, prune/fold*.c.  Must not know: predicates, statistics.
 *
 * A range is a set of values: every value v that is not NULL obeys low <= v <= high in the order of its type, or is NaN
 * where may_be_nan says so. Engines give different values for one expression (a literal 1.5 is a decimal or a double, a
 * text has two readings), so an expression has several ranges: each engine's values are all in one of them. Not knowing
 * widens: a range without bounds, and at last one without a type.
 */
#ifndef PRUNE_RANGE_H
#define PRUNE_RANGE_H

#include "claim/outcome.h"
#include "prune/fact.h"

typedef struct value_range {
    type_kind type;           /* TYPE_OTHER: not known, so a comparison may be anything */
    uint8_t precision, scale; /* TYPE_DECIMAL, where they are known; else 0 */
    bool can_be_null, can_be_value;
    bool has_low, has_high;
    bool may_be_nan;
    bool is_untyped; /* a number literal without suffix: beside a FLOAT some engines make it one */
    value low, high;
} value_range;

enum { RANGES_MAX = 8 };
typedef struct ranges {
    value_range item[RANGES_MAX];
    size_t count;
} ranges;

/* One range more. A set that would grow past RANGES_MAX becomes the one range that may be anything. */
void ranges_add(ranges *set, value_range r);

value_range range_null(type_kind type); /* TYPE_VOID: the literal NULL, which takes on any type */
value_range range_unknown(type_kind type, bool can_be_null); /* any value of the type */
value_range range_single(type_kind type, value v);
value_range range_between(type_kind type, value low, value high); /* bounds in the wrong order: any value */
value_range range_from_outcome(outcome_set set);                  /* a boolean */
value_range range_from_fact(const data_type *type, const column_fact *fact);

/* Every value is low, which equals high. */
bool range_is_single(const value_range *r);
/* A single text, number, ... of that type? */
bool range_is_text(const value_range *r);
bool range_int(const value_range *r, int64_t *out); /* a single whole number */
bool range_is_number(const value_range *r);
bool range_is_float(const value_range *r);

/* As a condition: which of TRUE, FALSE, NULL a boolean can be; anything for another type. */
outcome_set range_outcome(const value_range *r);

#endif
