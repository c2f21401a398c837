/* md5.c - RFC 1321: four rounds of sixteen steps over blocks of 64 bytes.
 * Called by: delta/hint.c.  Must not know: what is digested.
 */
#include "base/md5.h"

#include <string.h>

/* Step i adds the integer part of 2^32 * |sin(i + 1)|. */
static const uint32_t addend[64] = {
    0xd76aa478u, 0xe8c7b756u, 0x242070dbu, 0xc1bdceeeu, 0xf57c0fafu, 0x4787c62au, 0xa8304613u, 0xfd469501u,
    0x698098d8u, 0x8b44f7afu, 0xffff5bb1u, 0x895cd7beu, 0x6b901122u, 0xfd987193u, 0xa679438eu, 0x49b40821u,
    0xf61e2562u, 0xc040b340u, 0x265e5a51u, 0xe9b6c7aau, 0xd62f105du, 0x02441453u, 0xd8a1e681u, 0xe7d3fbc8u,
    0x21e1cde6u, 0xc33707d6u, 0xf4d50d87u, 0x455a14edu, 0xa9e3e905u, 0xfcefa3f8u, 0x676f02d9u, 0x8d2a4c8au,
    0xfffa3942u, 0x8771f681u, 0x6d9d6122u, 0xfde5380cu, 0xa4beea44u, 0x4bdecfa9u, 0xf6bb4b60u, 0xbebfbc70u,
    0x289b7ec6u, 0xeaa127fau, 0xd4ef3085u, 0x04881d05u, 0xd9d4d039u, 0xe6db99e5u, 0x1fa27cf8u, 0xc4ac5665u,
    0xf4292244u, 0x432aff97u, 0xab9423a7u, 0xfc93a039u, 0x655b59c3u, 0x8f0ccc92u, 0xffeff47du, 0x85845dd1u,
    0x6fa87e4fu, 0xfe2ce6e0u, 0xa3014314u, 0x4e0811a1u, 0xf7537e82u, 0xbd3af235u, 0x2ad7d2bbu, 0xeb86d391u,
};

/* By how many bits the sum of a step is rotated: four numbers a round, in turn. */
static const uint8_t rotation[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static uint32_t rotate(uint32_t x, unsigned bits) {
    return x << bits | x >> (32 - bits);
}

static uint32_t mix(unsigned round, uint32_t b, uint32_t c, uint32_t d) {
    switch (round) {
    case 0: return (b & c) | (~b & d);
    case 1: return (d & b) | (~d & c);
    case 2: return b ^ c ^ d;
    default: return c ^ (b | ~d);
    }
}

/* Which word of the block a step takes. */
static unsigned word_of(unsigned round, unsigned step) {
    static const uint8_t factor[4] = {1, 5, 3, 7}, start[4] = {0, 1, 5, 0};
    return (factor[round] * step + start[round]) % 16;
}

static void take_block(md5 *m, const uint8_t *block) {
    uint32_t word[16], s[4];
    for (size_t i = 0; i < 16; i++)
        word[i] = (uint32_t)block[4 * i] | (uint32_t)block[4 * i + 1] << 8 | (uint32_t)block[4 * i + 2] << 16 |
                  (uint32_t)block[4 * i + 3] << 24;
    memcpy(s, m->state, sizeof s);
    for (unsigned step = 0; step < 64; step++) {
        unsigned round = step / 16;
        uint32_t sum = s[0] + mix(round, s[1], s[2], s[3]) + addend[step] + word[word_of(round, step)];
        s[0] = s[3];
        s[3] = s[2];
        s[2] = s[1];
        s[1] += rotate(sum, rotation[round][step % 4]);
    }
    for (size_t i = 0; i < 4; i++) m->state[i] += s[i];
}

void md5_init(md5 *m) {
    *m = (md5){.state = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u}};
}

void md5_put(md5 *m, str bytes) {
    while (bytes.len > 0) {
        size_t used = (size_t)(m->byte_count % sizeof m->block);
        size_t step = bytes.len < sizeof m->block - used ? bytes.len : sizeof m->block - used;
        memcpy(m->block + used, bytes.ptr, step);
        if (used + step == sizeof m->block) take_block(m, m->block);
        m->byte_count += step;
        bytes = str_slice(bytes, step, bytes.len);
    }
}

static void put_little_endian(uint8_t *out, uint64_t number, size_t size) {
    for (size_t i = 0; i < size; i++) out[i] = (uint8_t)(number >> 8 * i);
}

/* A bit 1, bits 0 up to 8 bytes before the end of a block, and the number of bits. */
void md5_finish(md5 *m, char hex[33]) {
    static const char one[64] = {(char)0x80}, digit[] = "0123456789abcdef";
    uint8_t length[8], digest[16];
    put_little_endian(length, m->byte_count * 8, sizeof length);
    size_t used = (size_t)(m->byte_count % sizeof m->block);
    md5_put(m, (str){one, (used < 56 ? 56 : 120) - used});
    md5_put(m, (str){(const char *)length, sizeof length});
    for (size_t i = 0; i < 4; i++) put_little_endian(digest + 4 * i, m->state[i], 4);
    for (size_t i = 0; i < sizeof digest; i++) {
        hex[2 * i] = digit[digest[i] >> 4];
        hex[2 * i + 1] = digit[digest[i] & 15];
    }
    hex[32] = '\0';
}
