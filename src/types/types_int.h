/* types_int.h - what sources of this room share: digits of decimals, the other calendar.
 * Called by: types/cell_bound.c, types/cell_partition.c.  Must not know: statistics, partitions.
 */
#ifndef TYPES_TYPES_INT_H
#define TYPES_TYPES_INT_H

#include "types/value.h"

/* The first day of the Gregorian calendar in the hybrid one of older Java classes: 1582-10-15. Before it the same text
 * means another day to them (trap T14). */
enum { FIRST_GREGORIAN_DAY = -141427 };

/* |d| < 10^digits, for digits up to 38. */
bool decimal_fits(int128 d, unsigned digits);

/* How many days later the Julian calendar puts the year, month and day that the proleptic Gregorian one calls `days`. */
int64_t julian_delay(int64_t days);

#endif
