/* fold_int.h - what the sources of the functions share.
 * Called by: prune/fold.c and prune/fold_*.c, nobody else.  Must not know: predicates, statistics.
 *
 * A fold gets one range an argument, and adds to `out` what the call gives. It need not look at NULLs unless its row
 * says OWN: the driver knows that a strict function gives NULL for NULL, and shows it the values only.
 */
#ifndef PRUNE_FOLD_INT_H
#define PRUNE_FOLD_INT_H

#include "prune/compare.h"
#include "prune/fold.h"

typedef struct fold {
    const fold_env *env;
    arena *scratch;
    func_id func;
    const data_type *type; /* CAST */
    size_t count;          /* of arguments */
    ranges *out;
} fold;

typedef void fold_function(fold *f, const value_range *arg);
#define FUNC(id, names, least, most, domain, nulls, shape, zoned, gives, name) fold_function fold_##name;
#include "predicate/func.def"
#undef FUNC

/* One more possible result. */
void fold_yield(fold *f, value_range r);
void fold_yield_value(fold *f, type_kind type, value v);
void fold_yield_int(fold *f, type_kind type, int64_t i);
void fold_yield_text(fold *f, str s);
void fold_yield_outcome(fold *f, outcome_set set);
void fold_yield_unknown(fold *f, type_kind type);

/* x IN (item, ...): every operand with all its ranges, for a list would make too many choices. */
void fold_in_list(fold *f, const ranges *const *arg);

/* Which results a comparison of two ranges can give (fold_logic.c). */
outcome_set fold_compare_ranges(fold *f, const value_range *a, const value_range *b, compare_op op);

/* The digits before and behind the point that a type of exact numbers has (fold_number.c). */
typedef struct digit_count {
    unsigned whole, scale;
    bool is_unknown; /* there may be fewer of either kind */
} digit_count;
digit_count fold_digits(const value_range *r); /* of a whole number or a decimal */
digit_count fold_digits_join(digit_count a, digit_count b);
/* Has the type that engines bring both to more digits than a decimal? Spark then keeps those before the point and rounds,
 * older versions keep those behind it and get NULL. */
bool fold_digits_overflow(digit_count d);
value_range fold_digits_rounded(const value_range *r, digit_count d); /* rounded so; wider if it is not known how */

/* Times (fold_time.c): a date or wall clock from what may stand for one. Instants go to the session zone, a single text
 * is read. False: it is not known. */
bool fold_to_wall(const fold *f, const value_range *r, value_range *out);
/* And back: dates and wall clocks as instants. */
bool fold_to_instant(const fold *f, const value_range *r, value_range *out);
int64_t fold_wall_of_date(int64_t days); /* saturates */
int64_t fold_day_of_wall(int64_t wall);

/* Does any engine read a number in it? What has a digit may be one, in some form (fold_cast.c). */
bool fold_may_be_number(str text);

/* Texts in either case, with a text of ASCII only (fold_text.c). */
bool fold_is_ascii(str s);

#endif
