/* big.h - whole numbers of a few thousand bits, for exact steps between decimal and binary.
 * Called by: types/ieee.c.  Must not know: what the numbers stand for.
 *
 * The room works with at most 800 decimal digits and powers of five up to 5^1130, so BIG_LIMBS covers every value that
 * can come up; going past it is a defect of ours.
 */
#ifndef TYPES_BIG_H
#define TYPES_BIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 uint128;

enum { BIG_LIMBS = 256 };

typedef struct big {
    uint32_t limb[BIG_LIMBS]; /* least significant first */
    uint32_t count;           /* limbs in use; the last one is not zero; 0 for zero */
} big;

void big_init(big *b, uint64_t value);
void big_multiply_add(big *b, uint32_t factor, uint32_t more);
void big_multiply_pow5(big *b, uint32_t power);
void big_shift_left(big *b, uint32_t bits);
uint32_t big_bit_length(const big *b); /* 0 for zero */

/* b /= divisor, returns the remainder. */
uint32_t big_divide_small(big *b, uint32_t divisor);

/* The bits of b from `lowest` on, as far as 64 go; *below tells whether a bit under them is set. */
uint64_t big_bits_from(const big *b, uint32_t lowest, bool *below);

/* numerator / denominator for a quotient that fits 96 bits, cut down to its highest 64 bits times 2^*dropped_bits;
 * *rest tells whether anything was left over. Both are changed. */
uint64_t big_divide(big *numerator, big *denominator, uint32_t *dropped_bits, bool *rest);

#endif
