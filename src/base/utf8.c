/* utf8.c - decode and encode one character.
 * Called by: base/fold.c, predicate, prune.  Must not know: what the texts mean.
 */
#include "base/utf8.h"

uint32_t utf8_next(str s, size_t *at) {
    unsigned char lead = (unsigned char)s.ptr[(*at)++];
    if (lead < 0x80) return lead;
    size_t more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    uint32_t scalar = lead & (0x3Fu >> more);
    while (more-- > 0 && *at < s.len) scalar = scalar << 6 | ((unsigned char)s.ptr[(*at)++] & 0x3Fu);
    return scalar;
}

uint32_t utf8_last(str s, size_t *start) {
    size_t at = s.len - 1;
    while (at > 0 && ((unsigned char)s.ptr[at] & 0xC0) == 0x80) at--;
    *start = at;
    return utf8_next(s, &at);
}

/* `more` bytes of six bits each follow the lead. */
size_t utf8_encode(uint32_t scalar, char to[UTF8_MAX_BYTES]) {
    static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
    size_t more = scalar < 0x80 ? 0 : scalar < 0x800 ? 1 : scalar < 0x10000 ? 2 : 3;
    to[0] = (char)(lead[more] | scalar >> (6 * more));
    for (size_t i = 1; i <= more; i++) to[i] = (char)(0x80 | (scalar >> (6 * (more - i)) & 0x3F));
    return more + 1;
}
