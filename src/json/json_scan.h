/* json_scan.h - look at many bytes of a JSON text at once.
 * Called by: json_reader.c, json_string.c.  Must not know: the grammar around a token.
 *
 * The wide loads read up to 16 bytes from a place inside the text, so past its end at most as far as JSON_PADDING.
 */
#ifndef JSON_JSON_SCAN_H
#define JSON_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static inline bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* How many of the lowest bits are 1. */
static inline uint32_t count_ones(uint32_t mask) {
    return (uint32_t)__builtin_ctzll(~(uint64_t)mask);
}

/* Bit i: byte i of the 16 at `p` is a digit. */
static inline uint32_t scan_digits(const char *p) {
#ifdef __SSE2__
    __m128i value = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), _mm_set1_epi8('0'));
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value));
#else
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 16; i++) mask |= (uint32_t)is_digit(p[i]) << i;
    return mask;
#endif
}

/* The first backslash in [from, to), or `to`. */
static inline size_t scan_backslash(const char *text, size_t from, size_t to) {
    const char *found = from < to ? memchr(text + from, '\\', to - from) : NULL;
    return found ? (size_t)(found - text) : to;
}

/* Why a string is wrong: what was expected at an offset. */
typedef struct scan_fault {
    size_t at;
    const char *expected;
} scan_fault;

/* Whether every backslash in [from, to) starts an escape of RFC 8259, section 7. `from` is not inside an escape. */
bool scan_escapes(const char *text, size_t from, size_t to, scan_fault *fault);

#endif
