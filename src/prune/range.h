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

typedef struct range {
    type_kind type;           /* TYPE_OTHER: not known, so a comparison may be anything */
    uint8_t precision, scale; /* TYPE_DECIMAL, where they are known; else 0 */
    bool can_be_null, can_be_value;
    bool has_low, has_high;
    bool may_be_nan;
    value low, high;
} range;

enum { RANGES_MAX = 8 };
typedef struct ranges {
    range item[RANGES_MAX];
    size_t count;
} ranges;

/* One range more. A set that would grow past RANGES_MAX becomes the one range that may be anything. */
void ranges_add(ranges *set, range r);

range range_null(void);
range range_unknown(type_kind type, bool can_be_null); /* any value of the type */
range range_single(type_kind type, value v);
range range_between(type_kind type, value low, value high); /* bounds in the wrong order: any value */
range range_from_outcome(outcome_set set);                  /* a boolean */
range range_from_fact(const data_type *type, const column_fact *fact);

/* Every value is low, which equals high. */
bool range_is_single(const range *r);
/* A single text, number, ... of that type? */
bool range_is_text(const range *r);
bool range_int(const range *r, int64_t *out); /* a single whole number */
bool range_is_number(const range *r);
bool range_is_float(const range *r);

/* As a condition: which of TRUE, FALSE, NULL a boolean can be; anything for another type. */
outcome_set range_outcome(const range *r);

#endif
