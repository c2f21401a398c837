/* block.c - a buffer that is used again and again.
 * Called by: window.c, page.c, cursor.c.  Must not know: what is in it.
 */
#include "parquet/block.h"

#include <string.h>

#ifndef LAKEPROOF_DEBUG_ARENA
enum { LEAST_BYTES = 4096 };
#endif

/* A quarter more than asked for, so that pages that grow slowly do not allocate each time. */
static size_t roomy(size_t size) {
#ifdef LAKEPROOF_DEBUG_ARENA
    return size;
#else
    if (size < LEAST_BYTES) return LEAST_BYTES;
    return size <= SIZE_MAX / 2 ? size + size / 4 : size;
#endif
}

static bool is_large_enough(const block *b, size_t size) {
#ifdef LAKEPROOF_DEBUG_ARENA
    return b->ptr && b->capacity == size;
#else
    return b->ptr && b->capacity >= size;
#endif
}

static void note_peak(block *b, size_t bytes) {
    if (bytes > b->peak_bytes) b->peak_bytes = bytes;
}

void *block_reserve(block *b, size_t size) {
    if (is_large_enough(b, size)) return b->ptr;
    size_t capacity = roomy(size);
    arena_end(&b->memory);
    b->ptr = NULL;
    b->capacity = 0;
    b->ptr = arena_alloc_raw(&b->memory, capacity);
    b->capacity = capacity;
    note_peak(b, capacity);
    return b->ptr;
}

void *block_grow(block *b, size_t used, size_t size) {
    if (b->ptr && b->capacity >= size) return b->ptr;
    size_t doubled = used <= SIZE_MAX / 4 ? used * 2 : size;
    arena fresh;
    arena_init(&fresh, 0);
    size_t capacity = roomy(size > doubled ? size : doubled);
    void *ptr = arena_alloc_raw(&fresh, capacity);
    if (used) memcpy(ptr, b->ptr, used);
    note_peak(b, b->capacity + capacity);
    arena_end(&b->memory);
    b->memory = fresh;
    b->ptr = ptr;
    b->capacity = capacity;
    return ptr;
}

void block_end(block *b) {
    arena_end(&b->memory);
    b->ptr = NULL;
    b->capacity = 0;
}
