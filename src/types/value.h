/* value.h - one typed value and the exact order of values.
 * Called by: types/cell.c, delta, predicate (literals), prune.  Must not know: tables, SQL.
 *
 * Numbers compare by their mathematical value across kinds, never through a rounding; NaN is equal to itself and above
 * everything (Spark's order), -0.0 equals 0.0. Strings and binary compare by bytes, which for UTF-8 is code point order.
 */
#ifndef TYPES_VALUE_H
#define TYPES_VALUE_H

#include "base/buf.h"
#include "types/type.h"

__extension__ typedef __int128 int128;

typedef enum value_kind {
    VALUE_INT,       /* .i: any integer type */
    VALUE_DECIMAL,   /* .d unscaled, .scale: .d / 10^scale; |d| < 10^38 */
    VALUE_FLOAT,     /* .f holds a float exactly */
    VALUE_DOUBLE,    /* .f */
    VALUE_BOOLEAN,   /* .i: 0 or 1 */
    VALUE_DATE,      /* .i: days since 1970-01-01, proleptic Gregorian */
    VALUE_TIMESTAMP, /* .i: microseconds since 1970-01-01T00:00Z */
    VALUE_TIMESTAMP_NTZ,
    VALUE_STRING,    /* .s */
    VALUE_BINARY     /* .s */
} value_kind;

typedef struct value {
    value_kind kind;
    uint8_t scale;
    bool above_prefix; /* VALUE_STRING as a limit: stands above every text that starts with .s and below all texts beyond
                          those. No text is equal to it */
    union {
        int64_t i;
        int128 d;
        double f;
        str s;
    };
} value;

/* -1, 0, 1. Both must be numbers, or of the same kind (dates, timestamps, ...): anything else is a defect of the caller. */
int value_compare(const value *a, const value *b);
bool value_is_number(const value *v);
bool value_is_nan(const value *v);
/* The nearest double / float (ties to even, infinite on overflow), as a value of that kind. Non-numbers are a defect of
 * the caller. */
value value_to_double(const value *v);
value value_to_float(const value *v);
/* A whole number or decimal at a scale, half away from zero. False where that has more than 38 digits. */
bool value_round_decimal(const value *v, unsigned scale, value *out);
/* The double below / above (saturating at the infinities); for widening by a rounding step. NaN stays. */
double double_before(double d);
double double_after(double d);

/* As people read it, the text of report listings: strings bare, integers plain, decimals with their scale, floats in the
 * shortest form that reads back (68, 75.3, 1e16, 1.5e-7, -0, NaN, Infinity, -Infinity), dates yyyy-MM-dd, timestamps
 * yyyy-MM-ddTHH:mm:ss.SSSSSSZ (no Z for ntz), binary as X'..'. */
void value_print(buf *out, const value *v);

#endif
