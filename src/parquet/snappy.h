/* snappy.h - a snappy block to its bytes.
 * Called by: codec.c.  Must not know: pages, where the size of the output comes from.
 * Source: google/snappy, format_description.txt. docs/decisions/0007 says why it is ours.
 */
#ifndef PARQUET_SNAPPY_H
#define PARQUET_SNAPPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of bytes that the block says it decodes to. False if its length is cut off or larger than 32 bits. */
bool snappy_stated_size(const uint8_t *in, size_t in_size, uint32_t *out_size);

/* Decode all of `in` to exactly `out_size` bytes. False if the block is damaged, cut off, or of another size; what is
 * in `out` then is unspecified. Reads nothing outside of `in` and of what it has written, writes nothing outside of
 * `out`. */
bool snappy_decode(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size);

#endif
