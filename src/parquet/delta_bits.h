/* delta_bits.h - DELTA_BINARY_PACKED: integers as differences, packed in blocks of their own bit widths.
 * Called by: decode_delta.c.  Must not know: what the integers mean.
 * Source: parquet-format Encodings.md, "Delta Encoding".
 */
#ifndef PARQUET_DELTA_BITS_H
#define PARQUET_DELTA_BITS_H

#include "base/str.h"

typedef struct delta_bits {
    const uint8_t *at, *end;
    uint32_t mini_values;  /* values of a miniblock, a multiple of 32 */
    uint32_t mini_count;   /* miniblocks of a block */
    uint64_t left;         /* values not yet given out */
    bool is_first;         /* the first value stands in the header */
    uint64_t last;
    uint64_t min_delta;
    const uint8_t *widths; /* of the block's miniblocks */
    uint32_t mini;         /* the next miniblock of the block */
    uint32_t mini_left;    /* differences not yet used, of the current miniblock */
    unsigned width;
    const uint8_t *bits;   /* of the current miniblock, at a multiple of 32 differences */
    uint32_t ready_at;     /* next of `ready` */
    uint64_t ready[32];    /* differences unpacked ahead */
} delta_bits;

/* Returns NULL, or what is wrong. */
const char *delta_bits_init(delta_bits *d, const uint8_t *bytes, size_t size);
const char *delta_bits_read(delta_bits *d, uint64_t *out, size_t count);
/* Where the last block ends. `d` is fresh from delta_bits_init and is not changed. */
const char *delta_bits_end(const delta_bits *d, const uint8_t **end);

#endif
