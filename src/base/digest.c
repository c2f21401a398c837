/* digest.c - SipHash-2-4 with 128 bits of output.
 * Called by: delta.  Must not know: what the texts are.
 */
#include "base/digest.h"

/* The state of the function: four words. */
typedef struct sip {
    uint64_t v0, v1, v2, v3;
} sip;

static uint64_t rotate(uint64_t x, int by) {
    return x << by | x >> (64 - by);
}

static void sip_round(sip *s) {
    s->v0 += s->v1;
    s->v2 += s->v3;
    s->v1 = rotate(s->v1, 13) ^ s->v0;
    s->v3 = rotate(s->v3, 16) ^ s->v2;
    s->v0 = rotate(s->v0, 32) + s->v3;
    s->v2 += s->v1;
    s->v3 = rotate(s->v3, 21) ^ s->v0;
    s->v1 = rotate(s->v1, 17) ^ s->v2;
    s->v2 = rotate(s->v2, 32);
}

static void take_word(sip *s, uint64_t word) {
    s->v3 ^= word;
    sip_round(s);
    sip_round(s);
    s->v0 ^= word;
}

static uint64_t finish(sip *s) {
    for (int i = 0; i < 4; i++) sip_round(s);
    return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

/* Little endian, whatever the machine. */
static uint64_t read_word(const char *bytes, size_t count) {
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) word |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
    return word;
}

digest digest_text(digest_key key, str text) {
    sip s = {key.first ^ 0x736F6D6570736575u, key.second ^ 0x646F72616E646F6Du ^ 0xEE, key.first ^ 0x6C7967656E657261u,
             key.second ^ 0x7465646279746573u};
    size_t at = 0;
    for (; at + 8 <= text.len; at += 8) take_word(&s, read_word(text.ptr + at, 8));
    uint64_t tail = at < text.len ? read_word(text.ptr + at, text.len - at) : 0;
    take_word(&s, (uint64_t)(text.len & 0xFF) << 56 | tail);
    digest d;
    s.v2 ^= 0xEE;
    d.low = finish(&s);
    s.v1 ^= 0xDD;
    d.high = finish(&s);
    return d;
}

/* The hash of texts is seeded by the place that the loader chose. */
digest_key digest_key_of_run(void) {
    return (digest_key){str_hash(STR("the first half of the key")), str_hash(STR("the second half"))};
}
