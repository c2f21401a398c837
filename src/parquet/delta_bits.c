/* delta_bits.c - DELTA_BINARY_PACKED.
 * Called by: decode_delta.c.  Must not know: what the integers mean.
 */
#include "parquet/delta_bits.h"

#include "parquet/hybrid.h"

enum { STEP = 32, MAX_BLOCK_VALUES = 1 << 24 };

static const char bad_header[] = "expected the header of delta-encoded integers, found other bytes";
static const char ends_early[] = "expected another delta-encoded integer, found the end of the page";
static const char bad_width[] = "expected a bit width of at most 64, found a larger one";

static bool read_varint(const uint8_t **at, const uint8_t *end, uint64_t *out) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (*at == end) return false;
        uint8_t byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        *out = value;
        if (!(byte & 0x80)) return true;
    }
    return false;
}

static bool read_zigzag(const uint8_t **at, const uint8_t *end, uint64_t *out) {
    uint64_t raw;
    if (!read_varint(at, end, &raw)) return false;
    *out = (raw >> 1) ^ (0 - (raw & 1));
    return true;
}

const char *delta_bits_init(delta_bits *d, const uint8_t *bytes, size_t size) {
    uint64_t block_values, mini_count;
    *d = (delta_bits){.at = bytes, .end = bytes + size, .is_first = true, .ready_at = STEP};
    if (!read_varint(&d->at, d->end, &block_values) || !read_varint(&d->at, d->end, &mini_count) ||
        !read_varint(&d->at, d->end, &d->left) || !read_zigzag(&d->at, d->end, &d->last))
        return bad_header;
    if (block_values == 0 || block_values > MAX_BLOCK_VALUES || mini_count == 0 || block_values % mini_count != 0)
        return bad_header;
    if (block_values / mini_count % STEP != 0) return bad_header;
    d->mini_values = (uint32_t)(block_values / mini_count);
    d->mini_count = d->mini = (uint32_t)mini_count;
    return NULL;
}

static size_t mini_bytes(const delta_bits *d, unsigned width) {
    return (size_t)d->mini_values / 8 * width;
}

/* A block: the smallest difference, the widths of all miniblocks, the miniblocks. */
static const char *start_block(delta_bits *d) {
    if (!read_zigzag(&d->at, d->end, &d->min_delta)) return ends_early;
    if ((size_t)(d->end - d->at) < d->mini_count) return ends_early;
    d->widths = d->at;
    d->at += d->mini_count;
    d->mini = 0;
    return NULL;
}

static const char *start_mini(delta_bits *d) {
    if (d->mini == d->mini_count) {
        const char *fault = start_block(d);
        if (fault) return fault;
    }
    d->width = d->widths[d->mini++];
    if (d->width > 64) return bad_width;
    if ((size_t)(d->end - d->at) < mini_bytes(d, d->width)) return ends_early;
    d->bits = d->at;
    d->at += mini_bytes(d, d->width);
    d->mini_left = d->mini_values;
    return NULL;
}

/* The next 32 differences. */
static const char *make_ready(delta_bits *d) {
    if (d->mini_left == 0) {
        const char *fault = start_mini(d);
        if (fault) return fault;
    }
    unpack_bits64(d->bits, d->width, d->ready, STEP);
    d->bits += (size_t)STEP / 8 * d->width;
    d->mini_left -= STEP;
    d->ready_at = 0;
    return NULL;
}

/* Sums wrap around, as the format demands: a difference is modulo 2^64 (or 2^32, which is the low half of it). */
const char *delta_bits_read(delta_bits *d, uint64_t *out, size_t count) {
    if (count > d->left) return ends_early;
    d->left -= count;
    size_t i = 0;
    if (d->is_first && count > 0) {
        out[i++] = d->last;
        d->is_first = false;
    }
    while (i < count) {
        if (d->ready_at == STEP) {
            const char *fault = make_ready(d);
            if (fault) return fault;
        }
        for (; i < count && d->ready_at < STEP; i++) out[i] = d->last += d->min_delta + d->ready[d->ready_at++];
    }
    return NULL;
}

const char *delta_bits_end(const delta_bits *d, const uint8_t **end) {
    delta_bits walk = *d;
    uint64_t left = d->left > 0 ? d->left - 1 : 0;
    while (left > 0) {
        const char *fault = start_mini(&walk);
        if (fault) return fault;
        left -= left < walk.mini_values ? left : walk.mini_values;
    }
    *end = walk.at;
    return NULL;
}
