/* hybrid.h - the RLE / bit-packed hybrid: small unsigned integers as runs.
 * Called by: levels.c, decode_dictionary.c, decode_plain.c (booleans).  Must not know: what the integers mean.
 * Source: parquet-format Encodings.md, "Run Length Encoding / Bit-Packing Hybrid".
 */
#ifndef PARQUET_HYBRID_H
#define PARQUET_HYBRID_H

#include "base/str.h"

typedef struct hybrid {
    const uint8_t *at, *end;
    unsigned bit_width; /* 0 to 32 */
    /* The run under way. */
    uint64_t left;       /* values not yet given out */
    bool is_packed;
    uint32_t value;      /* of a repeated run */
    const uint8_t *bits; /* of a packed run: its bytes, */
    size_t bits_size;
    uint64_t bits_at;    /* and how many of its values were given out */
} hybrid;

void hybrid_init(hybrid *h, const uint8_t *bytes, size_t size, unsigned bit_width);

/* Make sure that `left` is not 0. False at the end of the bytes, or where a run makes no sense. */
bool hybrid_next_run(hybrid *h);

/* Unpack the next `count` (at most `left`) values of a packed run. The 8-bit form is for widths up to 8. */
void hybrid_unpack8(hybrid *h, uint8_t *out, size_t count);
void hybrid_unpack32(hybrid *h, uint32_t *out, size_t count);
/* Pass over `count` (at most `left`) values of a run of either kind. */
void hybrid_pass(hybrid *h, size_t count);

/* Unpack `count` values of up to 64 bits, packed from the least significant bit, first value first. All of the bytes
 * that hold them must be there: (count * bit_width + 7) / 8 of them. */
void unpack_bits64(const uint8_t *bits, unsigned bit_width, uint64_t *out, size_t count);

#endif
