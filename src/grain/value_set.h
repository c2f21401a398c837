/* value_set.h - sets of values of one kind, as cuts of an ordered line.
 * Called by: grain/domain.c.  Must not know: columns, conditions.
 *
 * A cut stands just before or just behind a value, or at an end of the line. A set is an ascending list of cuts, two a
 * range: all values between them. So the complement of a set has the same cuts but for the ends. On a line of whole
 * numbers (integers, days, truth values) every cut is moved before a whole number, so that 4 < x < 6 is the one
 * value 5.
 */
#ifndef GRAIN_VALUE_SET_H
#define GRAIN_VALUE_SET_H

#include "base/arena.h"
#include "types/value.h"

typedef enum value_line {
    LINE_ANY, /* the whole of any line: nothing is known */
    LINE_NUMBER,
    LINE_INTEGER,
    LINE_TEXT,   /* by code point */
    LINE_LOOSE,  /* texts as they are compared without case and blanks at the end: a member may stand for several texts
                  */
    LINE_TIME,   /* microseconds */
    LINE_DAY,    /* microseconds, at midnight */
    LINE_BOOLEAN /* 0 and 1 */
} value_line;

typedef struct value_cut {
    int8_t infinite; /* -1, 1: an end of the line; 0: at a value */
    bool is_behind;
    value at;
} value_cut;

typedef struct value_set {
    value_line line;
    const value_cut *cut;
    size_t count;    /* even; 0: no value. LINE_ANY has no cuts and holds all */
    str exact;       /* LINE_LOOSE: the one text as it was written, none for several */
    bool is_blurred; /* LINE_LOOSE: several texts became one member */
} value_set;

/* A set with more ranges than this becomes one range around them. */
enum { VALUE_SET_MAX_RANGES = 500 };

extern const value_set value_set_all; /* LINE_ANY */
value_set value_set_none(value_line line);
/* From `low` to `high`: NULL for an end of the line. Lives in `owner`, texts are borrowed. */
value_set value_set_range(arena *owner, value_line line, const value *low, bool low_is_in, const value *high,
                          bool high_is_in);
value_set value_set_point(arena *owner, value_line line, const value *v);
/* Some values, which are sorted on the way. */
value_set value_set_points(arena *owner, value_line line, value *v, size_t count);

/* Sets of different lines do not meet: an intersection keeps the first, a union holds all. */
value_set value_set_both(arena *owner, value_set a, value_set b);
value_set value_set_either(arena *owner, value_set a, value_set b);
value_set value_set_complement(arena *owner, value_set a);

bool value_set_is_all(value_set s);
bool value_set_is_empty(value_set s);
/* How many values; UINT64_MAX when unbounded or not known. */
uint64_t value_set_size(value_set s);
/* The only value. */
bool value_set_is_single(value_set s, value *out);

#endif
