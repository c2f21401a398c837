/* str.c - text slices.
 * Called by: every room.  Must not know: where the bytes live.
 */
#include "base/str.h"

#include <string.h>

str str_from(const char *nul_terminated) {
    return nul_terminated ? (str){nul_terminated, strlen(nul_terminated)} : STR_NONE;
}

bool str_eq(str a, str b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static unsigned char fold(char c) {
    unsigned char u = (unsigned char)c;
    return u >= 'A' && u <= 'Z' ? (unsigned char)(u + 32) : u;
}

bool str_eq_nocase(str a, str b) {
    if (a.len != b.len) return false;
    for (size_t i = 0; i < a.len; i++)
        if (fold(a.ptr[i]) != fold(b.ptr[i])) return false;
    return true;
}

int str_compare(str a, str b) {
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common ? memcmp(a.ptr, b.ptr, common) : 0;
    if (order == 0) return a.len < b.len ? -1 : a.len > b.len;
    return order < 0 ? -1 : 1;
}

bool str_starts_with(str s, str prefix) {
    return s.len >= prefix.len && str_eq(str_slice(s, 0, prefix.len), prefix);
}

bool str_ends_with(str s, str suffix) {
    return s.len >= suffix.len && str_eq(str_slice(s, s.len - suffix.len, s.len), suffix);
}

str str_slice(str s, size_t from, size_t to) {
    if (to > s.len) to = s.len;
    if (from > to) from = to;
    return s.ptr ? (str){s.ptr + from, to - from} : s;
}

bool str_find_char(str s, char c, size_t *at) {
    const char *found = s.len ? memchr(s.ptr, c, s.len) : NULL;
    if (!found) return false;
    *at = (size_t)(found - s.ptr);
    return true;
}

/* Multiply-and-fold over 8-byte words (the mixing step of wyhash). */
static uint64_t mix(uint64_t a, uint64_t b) {
    __uint128_t product = (__uint128_t)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Where the loader put us: another number in each run. A log is not trusted, and its author must not be able to choose
 * names that all meet in one place of a map. No output may depend on a hash. */
static uint64_t seed(void) {
    static const char anchor;
    return mix((uint64_t)(uintptr_t)&anchor, 0xE7037ED1A0B428DBu);
}

uint64_t str_hash(str s) {
    uint64_t hash = seed() ^ 0x9E3779B97F4A7C15u ^ s.len;
    size_t at = 0;
    for (; at + 8 <= s.len; at += 8) {
        uint64_t word;
        memcpy(&word, s.ptr + at, 8);
        hash = mix(hash ^ word, 0xD6E8FEB86659FD93u);
    }
    uint64_t tail = 0;
    if (at < s.len) memcpy(&tail, s.ptr + at, s.len - at);
    return mix(hash ^ tail, 0xA0761D6478BD642Fu ^ s.len);
}

size_t str_count_code_points(str s) {
    size_t count = 0;
    for (size_t i = 0; i < s.len; i++) count += ((unsigned char)s.ptr[i] & 0xC0) != 0x80;
    return count;
}

str str_cut_code_points(str s, size_t most) {
    size_t at = 0;
    for (size_t count = 0; at < s.len; at++)
        if (((unsigned char)s.ptr[at] & 0xC0) != 0x80 && count++ == most) break;
    return str_slice(s, 0, at);
}

/* Unicode, table 3-7. */
size_t str_utf8_length(str s, size_t at) {
    const unsigned char *p = (const unsigned char *)s.ptr + at;
    size_t left = s.len - at;
    if (p[0] < 0x80) return 1;
    if (p[0] < 0xC2 || p[0] > 0xF4) return 0;
    size_t need = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    if (left < need) return 0;
    for (size_t i = 1; i < need; i++)
        if ((p[i] & 0xC0) != 0x80) return 0;
    if (p[0] == 0xE0 && p[1] < 0xA0) return 0;
    if (p[0] == 0xED && p[1] > 0x9F) return 0;
    if (p[0] == 0xF0 && p[1] < 0x90) return 0;
    if (p[0] == 0xF4 && p[1] > 0x8F) return 0;
    return need;
}

/* Where the ASCII characters from `at` on end, give or take seven of them. */
static size_t pass_ascii(str s, size_t at) {
    for (uint64_t eight; s.len - at >= sizeof eight; at += sizeof eight) {
        memcpy(&eight, s.ptr + at, sizeof eight);
        if (eight & 0x8080808080808080u) break;
    }
    return at;
}

bool str_is_utf8(str s) {
    for (size_t at = 0; (at = pass_ascii(s, at)) < s.len;) {
        size_t step = str_utf8_length(s, at);
        if (step == 0) return false;
        at += step;
    }
    return true;
}

bool str_to_int64(str s, int64_t *out) {
    if (s.len == 0) return false;
    int64_t value = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '9') return false;
        if (__builtin_mul_overflow(value, 10, &value)) return false;
        if (__builtin_add_overflow(value, s.ptr[i] - '0', &value)) return false;
    }
    *out = value;
    return true;
}
