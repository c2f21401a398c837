/* ieee.h - between decimal digits and binary floating point, rounded once and right.
 * Called by: types/number.c, types/value.c.  Must not know: texts of numbers, value kinds.
 *
 * All of it is whole-number arithmetic: neither the locale nor the rounding mode of the process has a say.
 */
#ifndef TYPES_IEEE_H
#define TYPES_IEEE_H

#include "base/str.h"
#include "types/big.h"

typedef struct ieee_format {
    int32_t mantissa_bits;  /* with the hidden one */
    int32_t least_exponent; /* of the last bit of the subnormal numbers */
    double largest;
} ieee_format;
extern const ieee_format IEEE_FLOAT, IEEE_DOUBLE;

/* The nearest number of the format to digits * 10^exponent, ties to even, infinite beyond the largest. `digits` are
 * decimal digits without a leading zero, among them at most one '.', which is passed over; empty for zero. */
double ieee_from_digits(str digits, int64_t exponent, const ieee_format *format);
/* The same of whole / 10^scale for a scale up to 27. */
double ieee_from_short(uint64_t whole, uint32_t scale, const ieee_format *format);
/* And for any scale. */
double ieee_from_decimal(uint128 whole, uint32_t scale, const ieee_format *format);

/* Decimal digits without leading or trailing zeros: digit * 10^exponent. 767 are the most that a double needs. */
enum { IEEE_MAX_DIGITS = 800 };
typedef struct ieee_digits {
    char digit[IEEE_MAX_DIGITS];
    uint32_t count;
    int32_t exponent;
} ieee_digits;

/* |v| exactly, for a finite v. */
void ieee_expand(double v, ieee_digits *out);
/* |v| with as few digits as tell it from its neighbours in the format; among those the nearest. For a finite v. */
void ieee_shortest(double v, const ieee_format *format, ieee_digits *out);

#endif
