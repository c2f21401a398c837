/* number.h - numbers written as text, exactly.
 * Called by: types/cell.c, types/value.c, predicate (literals).  Must not know: columns, SQL.
 */
#ifndef TYPES_NUMBER_H
#define TYPES_NUMBER_H

#include "types/value.h"

/* A decimal number of any length: (-1)^negative * digits * 10^exponent. digits has no leading and no trailing zero;
 * zero is an empty digits (and may still be negative: -0.0). Exact for texts of a megabyte; digits are borrowed from
 * the text. */
typedef struct number {
    bool negative;
    str digits;       /* may hold one '.', which counts for nothing: pass over it */
    int64_t exponent; /* of the last digit; saturates at +-2^40 */
} number;

/* [+-] digits [. digits] [e|E [+-] digits], also `.5` and `5.`; no blanks. False for anything else. */
bool number_parse(str text, number *out);

/* Nearest double / float, ties to even, infinite on overflow: what every engine's parser gives. */
double number_to_double(const number *n);
float number_to_float(const number *n);

/* Most numbers are short: [-] digits [. digits] with at most 19 digits. The nearest double, or the nearest float where
 * `to_float`, at once and the same as by number_parse. False for every other text, which may be a number all the same.
 */
bool number_read_short(str text, bool to_float, double *out);

bool number_is_zero(const number *n);

/* Order by value: -1, 0, 1. */
int number_order(const number *a, const number *b);

/* A finite number value with all its digits, which go into the caller's `digit`. */
enum { NUMBER_DIGIT_ROOM = 800 };
void number_from_value(const value *v, char digit[NUMBER_DIGIT_ROOM], number *out);

/* Where a column's exact value stands against the number: compares v (any number kind; NaN is above all) with n: -1,
 * 0, 1. */
int number_compare(const value *v, const number *n);

/* As a decimal of scale <= 38 if it has at most 38 digits and no rounding is needed. */
bool number_to_decimal(const number *n, value *out);
/* Exactly an int64? */
bool number_to_int64(const number *n, int64_t *out);
/* Towards zero / half away from zero, saturated to int64. */
int64_t number_truncate(const number *n);
int64_t number_round(const number *n);
/* Digits after the point that are needed to write it without rounding (0 for whole numbers). */
int64_t number_fraction_digits(const number *n);

#endif
