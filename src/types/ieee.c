/* ieee.c - between decimal digits and binary floating point.
 * Called by: types/number.c, types/value.c.  Must not know: texts of numbers, value kinds.
 *
 * Decimal to binary: the value is brought into the form mantissa * 2^exponent with a mantissa of exactly 64 bits and
 * one bit for "something is left over"; that is all that rounding needs. Up to 19 digits and small exponents take one
 * 128-bit operation, everything else goes through `big`.
 */
#include "types/ieee.h"

#include <float.h>
#include <math.h>
#include <string.h>

const ieee_format IEEE_FLOAT = {24, -149, FLT_MAX};
const ieee_format IEEE_DOUBLE = {53, -1074, DBL_MAX};

/* (mantissa + r) * 2^exponent with 0 <= r < 1, r = 0 exactly if !rest; the highest bit of mantissa is set. */
typedef struct scaled {
    uint64_t mantissa;
    int64_t exponent;
    bool rest;
} scaled;

/* kept * 2^power, which is a double or beyond the largest one, so that nothing is rounded. */
static double times_power_of_two(uint64_t kept, int power) {
    if (power < -1022 || power > 900) return ldexp((double)kept, power);
    uint64_t bits = (uint64_t)(power + 1023) << 52;
    double factor;
    memcpy(&factor, &bits, sizeof factor);
    return (double)kept * factor;
}

static double round_scaled(scaled s, const ieee_format *format) {
    int64_t lowest = s.exponent + 64 - format->mantissa_bits; /* exponent of the last bit that stays */
    if (lowest < format->least_exponent) lowest = format->least_exponent;
    int64_t shift = lowest - s.exponent;
    if (shift > 64) return 0; /* below half of the least subnormal */
    uint64_t kept = shift == 64 ? 0 : s.mantissa >> shift;
    uint64_t cut = shift == 64 ? s.mantissa : s.mantissa & (((uint64_t)1 << shift) - 1);
    uint64_t half = (uint64_t)1 << (shift - 1);
    if (cut > half || (cut == half && (s.rest || (kept & 1) != 0))) kept++;
    if (lowest > 2000) return INFINITY;
    double rounded = times_power_of_two(kept, (int)lowest);
    return rounded > format->largest ? (double)INFINITY : rounded;
}

static scaled scale_uint128(uint128 whole, int64_t exponent, bool rest) {
    while (whole >> 64 != 0) {
        uint32_t bits = 64 - (uint32_t)__builtin_clzll((uint64_t)(whole >> 64));
        rest |= (whole & (((uint128)1 << bits) - 1)) != 0;
        whole >>= bits;
        exponent += bits;
    }
    int free_bits = __builtin_clzll((uint64_t)whole);
    return (scaled){(uint64_t)whole << free_bits, exponent - free_bits, rest};
}

enum { SMALL_POWER = 27 }; /* 5^27 is the largest power of five in 64 bits */

static const uint64_t pow5[SMALL_POWER + 1] = {
    1u,
    5u,
    25u,
    125u,
    625u,
    3125u,
    15625u,
    78125u,
    390625u,
    1953125u,
    9765625u,
    48828125u,
    244140625u,
    1220703125u,
    6103515625u,
    30517578125u,
    152587890625u,
    762939453125u,
    3814697265625u,
    19073486328125u,
    95367431640625u,
    476837158203125u,
    2384185791015625u,
    11920928955078125u,
    59604644775390625u,
    298023223876953125u,
    1490116119384765625u,
    7450580596923828125u,
};

/* whole / five * 2^exponent. Both are shifted to 64 bits; then the quotient of 64 bits, the highest one set, is a
 * single division, and what its remainder says is all that is left over. */
static scaled divide(uint64_t whole, uint64_t five, int64_t exponent) {
    int free_bits = __builtin_clzll(whole), free_below = __builtin_clzll(five);
    uint64_t above = whole << free_bits, below = five << free_below;
    int shift = above < below ? 64 : 63;
    uint128 numerator = (uint128)above << shift;
    uint64_t quotient = (uint64_t)(numerator / below);
    bool rest = (uint64_t)numerator != quotient * below; /* the remainder fits the low 64 bits */
    return (scaled){quotient, exponent + free_below - free_bits - shift, rest};
}

/* whole * 10^exponent for |exponent| <= SMALL_POWER and whole > 0. */
static scaled scale_small(uint64_t whole, int32_t exponent) {
    if (exponent >= 0) return scale_uint128((uint128)whole * pow5[exponent], exponent, false);
    return divide(whole, pow5[-exponent], exponent);
}

static scaled scale_big_up(big *whole, int32_t exponent, bool rest) {
    big_multiply_pow5(whole, (uint32_t)exponent);
    uint32_t length = big_bit_length(whole);
    if (length < 64) {
        big_shift_left(whole, 64 - length);
        exponent -= (int32_t)(64 - length);
        length = 64;
    }
    bool below;
    uint64_t mantissa = big_bits_from(whole, length - 64, &below);
    return (scaled){mantissa, (int64_t)exponent + length - 64, rest || below};
}

static scaled scale_big_down(big *whole, int32_t exponent, bool rest) {
    big five;
    big_init(&five, 1);
    big_multiply_pow5(&five, (uint32_t)-exponent);
    /* A quotient of 65 or 66 bits. */
    int64_t shift = (int64_t)big_bit_length(&five) + 65 - big_bit_length(whole);
    if (shift >= 0)
        big_shift_left(whole, (uint32_t)shift);
    else
        big_shift_left(&five, (uint32_t)-shift);
    uint32_t dropped;
    bool remains;
    uint64_t mantissa = big_divide(whole, &five, &dropped, &remains);
    return (scaled){mantissa, (int64_t)exponent - shift + dropped, rest || remains};
}

static double round_big(big *whole, int32_t exponent, bool rest, const ieee_format *format) {
    scaled s = exponent >= 0 ? scale_big_up(whole, exponent, rest) : scale_big_down(whole, exponent, rest);
    return round_scaled(s, format);
}

/* No halfway point between two doubles has more digits than this, so what follows them only matters as "more". */
enum { DECISIVE_DIGITS = 780 };

static size_t count_digits(str digits) {
    size_t dot;
    return str_find_char(digits, '.', &dot) ? digits.len - 1 : digits.len;
}

/* The first DECISIVE_DIGITS digits. */
static void read_digits(str digits, big *out) {
    big_init(out, 0);
    uint32_t chunk = 0, factor = 1;
    size_t taken = 0;
    for (size_t i = 0; i < digits.len && taken < DECISIVE_DIGITS; i++) {
        if (digits.ptr[i] == '.') continue;
        chunk = chunk * 10 + (uint32_t)(digits.ptr[i] - '0');
        factor *= 10;
        taken++;
        if (factor == 1000000000) {
            big_multiply_add(out, factor, chunk);
            chunk = 0, factor = 1;
        }
    }
    big_multiply_add(out, factor, chunk);
}

static uint64_t read_short_digits(str digits) {
    uint64_t whole = 0;
    for (size_t i = 0; i < digits.len; i++)
        if (digits.ptr[i] != '.') whole = whole * 10 + (uint64_t)(digits.ptr[i] - '0');
    return whole;
}

double ieee_from_digits(str digits, int64_t exponent, const ieee_format *format) {
    if (digits.len == 0) return 0;
    size_t count = count_digits(digits);
    /* The first digit stands for 10^(magnitude - 1): far out on both sides the answer is known. */
    int64_t magnitude = exponent + (int64_t)count;
    if (magnitude > 310) return INFINITY;
    if (magnitude < -324) return 0;
    if (count <= 19 && exponent >= -SMALL_POWER && exponent <= SMALL_POWER)
        return round_scaled(scale_small(read_short_digits(digits), (int32_t)exponent), format);
    big whole;
    read_digits(digits, &whole);
    bool cut = count > DECISIVE_DIGITS;
    if (cut) exponent += (int64_t)(count - DECISIVE_DIGITS);
    return round_big(&whole, (int32_t)exponent, cut, format);
}

double ieee_from_short(uint64_t whole, uint32_t scale, const ieee_format *format) {
    return whole == 0 ? 0 : round_scaled(scale_small(whole, -(int32_t)scale), format);
}

double ieee_from_decimal(uint128 whole, uint32_t scale, const ieee_format *format) {
    if (whole == 0) return 0;
    if (whole >> 64 == 0 && scale <= SMALL_POWER)
        return round_scaled(scale_small((uint64_t)whole, -(int32_t)scale), format);
    if (scale == 0) return round_scaled(scale_uint128(whole, 0, false), format);
    big b, low;
    big_init(&b, (uint64_t)(whole >> 64));
    big_shift_left(&b, 64);
    big_init(&low, (uint64_t)whole);
    for (uint32_t i = 0; i < low.count; i++) b.limb[i] = low.limb[i];
    if (b.count < low.count) b.count = low.count;
    return round_big(&b, -(int32_t)scale, false, format);
}

/* v = *mantissa * 2^*exponent for a finite v > 0, the mantissa odd. */
static void take_apart(double v, uint64_t *mantissa, int32_t *exponent) {
    int power;
    *mantissa = (uint64_t)ldexp(frexp(v, &power), 53);
    *exponent = power - 53;
    int zeros = __builtin_ctzll(*mantissa);
    *mantissa >>= zeros;
    *exponent += zeros;
}

/* The digits of b, which is used up; trailing zeros move into the exponent. */
static void write_digits(big *b, ieee_digits *out) {
    uint32_t at = IEEE_MAX_DIGITS;
    while (b->count > 0) {
        uint32_t chunk = big_divide_small(b, 1000000000);
        for (int i = 0; i < 9; i++, chunk /= 10) out->digit[--at] = (char)('0' + chunk % 10);
    }
    while (at < IEEE_MAX_DIGITS && out->digit[at] == '0') at++;
    out->count = IEEE_MAX_DIGITS - at;
    memmove(out->digit, out->digit + at, out->count);
    while (out->count > 0 && out->digit[out->count - 1] == '0') {
        out->count--;
        out->exponent++;
    }
}

void ieee_expand(double v, ieee_digits *out) {
    *out = (ieee_digits){.count = 0};
    v = fabs(v);
    if (v == 0) return;
    uint64_t mantissa;
    int32_t exponent;
    take_apart(v, &mantissa, &exponent);
    big b;
    big_init(&b, mantissa);
    if (exponent >= 0) {
        big_shift_left(&b, (uint32_t)exponent);
    } else { /* m / 2^k = m * 5^k / 10^k */
        big_multiply_pow5(&b, (uint32_t)-exponent);
        out->exponent = exponent;
    }
    write_digits(&b, out);
}

/* Add one to the last digit. */
static void count_up(ieee_digits *d) {
    while (d->count > 0 && d->digit[d->count - 1] == '9') {
        d->count--;
        d->exponent++;
    }
    if (d->count > 0) {
        d->digit[d->count - 1]++;
    } else {
        d->digit[0] = '1';
        d->count = 1;
    }
}

/* The first `count` digits of `all`, rounded down or up. */
static ieee_digits cut_digits(const ieee_digits *all, uint32_t count, bool up) {
    ieee_digits d = *all;
    d.exponent += (int32_t)(all->count - count);
    d.count = count;
    if (up) count_up(&d);
    while (d.count > 0 && d.digit[d.count - 1] == '0') {
        d.count--;
        d.exponent++;
    }
    return d;
}

/* Is what follows the first `count` digits more than half of the last one, or just half after an odd one? */
static bool is_nearer_above(const ieee_digits *all, uint32_t count) {
    char next = all->digit[count];
    if (next != '5') return next > '5';
    if (all->count > count + 1) return true;
    return count > 0 && (all->digit[count - 1] - '0') % 2 == 1;
}

static bool reads_back(const ieee_digits *d, double v, const ieee_format *format) {
    return ieee_from_digits((str){d->digit, d->count}, d->exponent, format) == v;
}

void ieee_shortest(double v, const ieee_format *format, ieee_digits *out) {
    ieee_digits all;
    v = fabs(v);
    ieee_expand(v, &all);
    for (uint32_t count = 1; count < all.count; count++) {
        bool up = is_nearer_above(&all, count);
        *out = cut_digits(&all, count, up);
        if (reads_back(out, v, format)) return;
        *out = cut_digits(&all, count, !up);
        if (reads_back(out, v, format)) return;
    }
    *out = all;
}
