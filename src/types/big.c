/* big.c - whole numbers of a few thousand bits.
 * Called by: types/ieee.c.  Must not know: what the numbers stand for.
 * Source: Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D for the division.
 */
#include "types/big.h"

#include <assert.h>
#include <string.h>

static void push(big *b, uint32_t limb) {
    assert(b->count < BIG_LIMBS);
    b->limb[b->count++] = limb;
}

static void trim(big *b) {
    while (b->count > 0 && b->limb[b->count - 1] == 0) b->count--;
}

void big_init(big *b, uint64_t value) {
    b->count = 0;
    for (; value != 0; value >>= 32) push(b, (uint32_t)value);
}

void big_multiply_add(big *b, uint32_t factor, uint32_t more) {
    uint64_t carry = more;
    for (uint32_t i = 0; i < b->count; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) push(b, (uint32_t)carry);
    if (factor == 0) trim(b);
}

void big_multiply_pow5(big *b, uint32_t power) {
    enum { STEP = 13 }; /* 5^13 is the largest power of five in 32 bits */
    static const uint32_t pow5[STEP + 1] = {1,     5,      25,      125,     625,      3125,      15625,
                                            78125, 390625, 1953125, 9765625, 48828125, 244140625, 1220703125};
    for (; power > STEP; power -= STEP) big_multiply_add(b, pow5[STEP], 0);
    big_multiply_add(b, pow5[power], 0);
}

void big_shift_left(big *b, uint32_t bits) {
    if (b->count == 0 || bits == 0) return;
    uint32_t limbs = bits / 32, rest = bits % 32;
    assert(b->count + limbs + 1 <= BIG_LIMBS);
    memmove(b->limb + limbs, b->limb, b->count * sizeof b->limb[0]);
    memset(b->limb, 0, limbs * sizeof b->limb[0]);
    b->count += limbs;
    if (rest == 0) return;
    uint32_t carry = 0;
    for (uint32_t i = limbs; i < b->count; i++) {
        uint32_t limb = b->limb[i];
        b->limb[i] = limb << rest | carry;
        carry = limb >> (32 - rest);
    }
    if (carry != 0) push(b, carry);
}

uint32_t big_bit_length(const big *b) {
    if (b->count == 0) return 0;
    return b->count * 32 - (uint32_t)__builtin_clz(b->limb[b->count - 1]);
}

uint32_t big_divide_small(big *b, uint32_t divisor) {
    uint64_t rest = 0;
    for (uint32_t i = b->count; i-- > 0;) {
        rest = rest << 32 | b->limb[i];
        b->limb[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    trim(b);
    return (uint32_t)rest;
}

static uint32_t limb_at(const big *b, uint32_t index) {
    return index < b->count ? b->limb[index] : 0;
}

uint64_t big_bits_from(const big *b, uint32_t lowest, bool *below) {
    uint32_t limb = lowest / 32, shift = lowest % 32;
    *below = (limb_at(b, limb) & (((uint32_t)1 << shift) - 1)) != 0;
    for (uint32_t i = 0; i < limb && i < b->count && !*below; i++) *below = b->limb[i] != 0;
    uint64_t low = (uint64_t)limb_at(b, limb + 1) << 32 | limb_at(b, limb);
    if (shift == 0) return low;
    return low >> shift | (uint64_t)limb_at(b, limb + 2) << (64 - shift);
}

/* part -= digit * d, where part is a window of n + 1 limbs. False (and wrapped around) if that is negative. */
static bool subtract_product(uint32_t *part, const big *d, uint64_t digit) {
    uint64_t carry = 0;
    int64_t borrow = 0;
    for (uint32_t i = 0; i <= d->count; i++) {
        carry += digit * limb_at(d, i);
        borrow += (int64_t)part[i] - (int64_t)(uint32_t)carry;
        part[i] = (uint32_t)borrow;
        borrow >>= 32;
        carry >>= 32;
    }
    return borrow == 0;
}

/* Undo one subtraction too many; true if that brings the window back from below zero. */
static bool add_back(uint32_t *part, const big *d) {
    uint64_t carry = 0;
    for (uint32_t i = 0; i <= d->count; i++) {
        carry += (uint64_t)part[i] + limb_at(d, i);
        part[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return carry != 0;
}

/* One digit of the quotient (base 2^32) of the window by d, whose highest bit is set; at most two too large at first.
 */
static uint32_t divide_step(uint32_t *part, const big *d) {
    uint32_t n = d->count;
    uint64_t high = (uint64_t)part[n] << 32 | part[n - 1];
    uint64_t digit = part[n] >= d->limb[n - 1] ? UINT32_MAX : high / d->limb[n - 1];
    for (bool fits = subtract_product(part, d, digit); !fits;) {
        digit--;
        fits = add_back(part, d);
    }
    return (uint32_t)digit;
}

uint64_t big_divide(big *numerator, big *denominator, uint32_t *dropped_bits, bool *rest) {
    uint32_t normal = (uint32_t)__builtin_clz(denominator->limb[denominator->count - 1]);
    big_shift_left(denominator, normal);
    big_shift_left(numerator, normal);
    uint32_t n = denominator->count;
    while (numerator->count < n + 3) push(numerator, 0);
    assert(numerator->count == n + 3);
    uint128 quotient = 0;
    for (uint32_t i = 3; i-- > 0;) quotient = quotient << 32 | divide_step(numerator->limb + i, denominator);
    trim(numerator);
    *rest = numerator->count != 0;
    *dropped_bits = 0;
    for (; quotient >> 64 != 0; quotient >>= 1) {
        *rest |= (quotient & 1) != 0;
        ++*dropped_bits;
    }
    return (uint64_t)quotient;
}
