/* json_scan.h - look at many bytes of a JSON text at once.
 * Called by: json_reader.c, json_string.c.  Must not know: the grammar around a token.
 *
 * A load starts inside the text and is at most 64 bytes wide, so it ends inside JSON_PADDING. What it finds past the
 * end must not count: callers cut the masks.
 */
#ifndef JSON_JSON_SCAN_H
#define JSON_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* JSON_SCAN_PORTABLE: leave the vector instructions out, for the test that compares both. */
#if defined(__SSE2__) && !defined(JSON_SCAN_PORTABLE)
#define JSON_SCAN_SSE2
#include <emmintrin.h>
#endif

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

static inline bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* How many of the lowest bits are 1. */
static inline size_t count_ones(uint32_t mask) {
    return (size_t)__builtin_ctzll(~(uint64_t)mask);
}

/* 8 bytes, the first one lowest. */
static inline uint64_t load_word(const char *p) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

#ifndef JSON_SCAN_SSE2
#define EACH_BYTE(c) ((uint64_t)(c)*0x0101010101010101u)

/* The highest bits of 8 bytes as bits 0 to 7. The others must be 0. */
static inline uint64_t gather_high_bits(uint64_t word) {
    return (word >> 7) * 0x0102040810204080u >> 56;
}
#endif

/* Bit i: byte i of the 16 at `p` is a digit. */
static inline uint32_t scan_digits(const char *p) {
#ifdef JSON_SCAN_SSE2
    __m128i value = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), _mm_set1_epi8('0'));
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value));
#else
    uint32_t mask = 0;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t word = load_word(p + 8 * i), low = word & EACH_BYTE(0x7F);
        uint64_t from_0 = low + EACH_BYTE(0x80 - '0'), above_9 = low + EACH_BYTE(0x80 - ('9' + 1)); /* no carries */
        mask |= (uint32_t)gather_high_bits(from_0 & ~above_9 & ~word & EACH_BYTE(0x80)) << (8 * i);
    }
    return mask;
#endif
}

/* Bit i: byte i of the 64 at `p` is `c`. */
static inline uint64_t scan_char(const char *p, char c) {
    uint64_t mask = 0;
#ifdef JSON_SCAN_SSE2
    for (unsigned i = 0; i < 4; i++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(c))) << (16 * i);
    }
#else
    for (unsigned i = 0; i < 8; i++) {
        uint64_t other = load_word(p + 8 * i) ^ EACH_BYTE((unsigned char)c);
        uint64_t not_zero = ((other & EACH_BYTE(0x7F)) + EACH_BYTE(0x7F)) | other; /* in the highest bit of each byte */
        mask |= gather_high_bits(~not_zero & EACH_BYTE(0x80)) << (8 * i);
    }
#endif
    return mask;
}

/* The first backslash in [from, to), or `to`. */
static inline size_t scan_backslash(const char *text, size_t from, size_t to) {
    const char *found = from < to ? memchr(text + from, '\\', to - from) : NULL;
    return found ? (size_t)(found - text) : to;
}

/* Which backslashes of a block start an escape: those that are not escaped themselves. *carry: the first byte of the
 * block is escaped; set for the next block. */
static inline uint64_t escape_starts(uint64_t backslashes, bool *carry) {
    uint64_t starts = backslashes & ~(uint64_t)*carry;
    if (starts & starts << 1) { /* runs: every second one counts, from the first on */
        uint64_t left = starts;
        for (starts = 0; left;) {
            uint64_t first = left & -left;
            starts |= first;
            left &= ~(first | first << 1);
        }
    }
    *carry = starts >> 63;
    return starts;
}

/* Why a string is wrong: what was expected at an offset. */
typedef struct scan_fault {
    size_t at;
    const char *expected;
} scan_fault;

/* Whether every backslash in [from, to) starts an escape of RFC 8259, section 7. `from` is not inside an escape; at
 * `to` stands the quote that ends the string, and every quote before it is escaped. */
bool scan_escapes(const char *text, size_t from, size_t to, scan_fault *fault);

#endif
