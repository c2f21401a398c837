/* levels.h - definition or repetition levels of one page.
 * Called by: page.c, cursor.c.  Must not know: values, rows.
 * Source: parquet-format README.md "Nested Encoding", Encodings.md "RLE" and "BIT_PACKED" (the latter deprecated).
 */
#ifndef PARQUET_LEVELS_H
#define PARQUET_LEVELS_H

#include "parquet/hybrid.h"

typedef struct levels {
    hybrid runs;
    uint8_t max;        /* largest level that the schema allows, 1 or more */
    bool checks_packed; /* a packed level can be larger than max: its bits leave room */
    bool is_legacy;     /* BIT_PACKED: no runs, most significant bit first */
    size_t legacy_at;
} levels;

/* Bits of a level. */
unsigned level_bit_width(unsigned max);

/* `bytes` hold the levels without a length in front. */
void levels_init(levels *l, const uint8_t *bytes, size_t size, unsigned max, bool is_legacy);

/* Read `count` levels and count those that are `max`. Returns NULL, or what is wrong. A run costs one memset. */
const char *levels_read(levels *l, uint8_t *out, size_t count, size_t *at_max);
/* The same without giving them out. */
const char *levels_pass(levels *l, uint64_t count, uint64_t *at_max);

#endif
