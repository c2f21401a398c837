/* block.h - a buffer that is used again and again and grows when it must.
 * Called by: window.c, page.c, cursor.c.  Must not know: what is in it.
 *
 * Each block is an arena of its own, so growing gives the old bytes back; whoever owns a block ends it with block_end.
 * In a debug-arena build a block is exactly as large as asked for, so that the sanitizers see every overrun and every
 * use of a page that has gone.
 */
#ifndef PARQUET_BLOCK_H
#define PARQUET_BLOCK_H

#include "base/arena.h"

typedef struct block {
    arena memory;
    void *ptr;
    size_t capacity;
    size_t peak_bytes;
} block;

/* At least `size` bytes; what was there before is lost. */
void *block_reserve(block *b, size_t size);
/* The same, and the first `used` bytes stay. */
void *block_grow(block *b, size_t used, size_t size);
void block_end(block *b);

#endif
