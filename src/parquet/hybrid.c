/* hybrid.c - the RLE / bit-packed hybrid.
 * Called by: levels.c, decode_dictionary.c, decode_plain.c (booleans).  Must not know: what the integers mean.
 */
#include "parquet/hybrid.h"

#include <string.h>

#include "parquet/parquet_int.h"

void hybrid_init(hybrid *h, const uint8_t *bytes, size_t size, unsigned bit_width) {
    *h = (hybrid){.at = bytes, .end = bytes + size, .bit_width = bit_width};
}

static bool read_run_header(hybrid *h, uint32_t *header) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        if (h->at == h->end) return false;
        uint8_t byte = *h->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte & 0x80) continue;
        *header = (uint32_t)value;
        return value <= UINT32_MAX;
    }
    return false;
}

/* Some writers cut the bytes of the last group short, but no more than that. */
static bool start_packed(hybrid *h, uint32_t groups) {
    size_t have = (size_t)(h->end - h->at);
    uint64_t size = (uint64_t)groups * h->bit_width;
    if (size > have && size - have >= h->bit_width) return false;
    h->is_packed = true;
    h->bits = h->at;
    h->bits_at = 0;
    h->bits_size = size < have ? (size_t)size : have;
    h->left = size > have ? (uint64_t)have * 8 / h->bit_width : (uint64_t)groups * 8;
    h->at += h->bits_size;
    return true;
}

static bool start_repeated(hybrid *h, uint32_t count) {
    size_t size = (h->bit_width + 7) / 8;
    if ((size_t)(h->end - h->at) < size) return false;
    h->value = 0;
    for (size_t i = 0; i < size; i++) h->value |= (uint32_t)h->at[i] << (8 * i);
    h->at += size;
    h->is_packed = false;
    h->left = count;
    return true;
}

bool hybrid_next_run(hybrid *h) {
    while (h->left == 0) {
        uint32_t header;
        if (!read_run_header(h, &header)) return false;
        if (!(header & 1 ? start_packed(h, header >> 1) : start_repeated(h, header >> 1))) return false;
    }
    return true;
}

/* Up to 8 bytes from `at`, as far as there are any. */
static uint64_t load_tail(const uint8_t *bits, size_t size, size_t at) {
    if (size - at >= 8) return load_le64(bits + at);
    uint64_t word = 0;
    for (size_t i = 0; at + i < size; i++) word |= (uint64_t)bits[at + i] << (8 * i);
    return word;
}

static uint32_t unpack_one(const hybrid *h, uint64_t index) {
    if (h->bit_width == 0) return 0;
    uint64_t bit = index * h->bit_width;
    uint64_t word = load_tail(h->bits, h->bits_size, (size_t)(bit / 8)) >> (bit % 8);
    return (uint32_t)(word & (((uint64_t)1 << h->bit_width) - 1));
}

/* Eight values of one bit each, spread to eight bytes: the multiplication puts copies of the low seven bits 7 apart, so
 * that bit k of the input lands on bit 8 * k. */
static uint64_t spread_bits(uint8_t byte) {
    uint64_t low = (uint64_t)(byte & 0x7f) * 0x0002040810204081u & 0x0101010101010101u;
    return low | (uint64_t)(byte >> 7) << 56;
}

static void unpack_eight8(const uint8_t *bits, unsigned width, uint8_t *out) {
    uint64_t word = load_le64(bits), mask = ((uint64_t)1 << width) - 1;
    for (unsigned i = 0; i < 8; i++) out[i] = (uint8_t)(word >> (i * width) & mask);
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Values up to the next group of eight, which starts at a byte. */
static size_t values_to_group(const hybrid *h, size_t count) {
    return smaller((size_t)(-h->bits_at & 7), count);
}

void hybrid_unpack8(hybrid *h, uint8_t *out, size_t count) {
    size_t i = 0, head = values_to_group(h, count);
    for (; i < head; i++) out[i] = (uint8_t)unpack_one(h, h->bits_at + i);
    size_t at = (size_t)((h->bits_at + i) / 8 * h->bit_width);
    if (h->bit_width == 1) {
        for (; count - i >= 8; i += 8, at++) {
            uint64_t eight = spread_bits(h->bits[at]);
            for (unsigned k = 0; k < 8; k++) out[i + k] = (uint8_t)(eight >> (8 * k));
        }
    } else {
        for (; count - i >= 8 && h->bits_size - at >= 8; i += 8, at += h->bit_width)
            unpack_eight8(h->bits + at, h->bit_width, out + i);
    }
    for (; i < count; i++) out[i] = (uint8_t)unpack_one(h, h->bits_at + i);
    hybrid_pass(h, count);
}

void hybrid_unpack32(hybrid *h, uint32_t *out, size_t count) {
    unsigned width = h->bit_width;
    uint64_t mask = ((uint64_t)1 << width) - 1, bit = h->bits_at * width;
    size_t i = 0;
    for (; i < count && h->bits_size - (size_t)(bit / 8) >= 8; i++, bit += width)
        out[i] = (uint32_t)(load_le64(h->bits + bit / 8) >> (bit % 8) & mask);
    for (; i < count; i++) out[i] = unpack_one(h, h->bits_at + i);
    hybrid_pass(h, count);
}

void hybrid_pass(hybrid *h, size_t count) {
    h->bits_at += count;
    h->left -= count;
}

void unpack_bits64(const uint8_t *bits, unsigned bit_width, uint64_t *out, size_t count) {
    size_t size = (count * bit_width + 7) / 8;
    uint64_t mask = bit_width == 64 ? UINT64_MAX : ((uint64_t)1 << bit_width) - 1;
    for (size_t i = 0; i < count; i++) {
        size_t bit = i * bit_width, at = bit / 8;
        uint64_t word = at < size ? load_tail(bits, size, at) >> (bit % 8) : 0;
        if (bit % 8 + bit_width > 64) word |= (uint64_t)bits[at + 8] << (64 - bit % 8);
        out[i] = word & mask;
    }
}
