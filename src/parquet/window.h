/* window.h - a range of a file, read front to back in blocks: the next page and a little more.
 * Called by: page.c.  Must not know: what the bytes mean.
 *
 * One read brings a page and the header of the next one, so a page costs one read, however small its header is.
 */
#ifndef PARQUET_WINDOW_H
#define PARQUET_WINDOW_H

#include "parquet/block.h"
#include "parquet/parquet_int.h"

typedef struct window {
    const pq_source *source;
    uint64_t limit;  /* nothing at or behind this offset is read */
    uint64_t offset; /* of the first byte in memory */
    size_t size;
    block memory;
} window;

void window_init(window *w, const pq_source *source, uint64_t limit);

/* `size` bytes from `offset`, all in front of the limit. Borrowed until the next call. */
MUST_USE lp_status window_get(window *w, uint64_t offset, size_t size, const uint8_t **out, lp_err *err);
/* How many bytes from `offset` on are in memory. */
size_t window_ready(const window *w, uint64_t offset);

#endif
