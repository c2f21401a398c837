/* window.c - a range of a file, read front to back in blocks.
 * Called by: page.c.  Must not know: what the bytes mean.
 */
#include "parquet/window.h"

enum { AHEAD_BYTES = 64 * 1024 };

void window_init(window *w, const pq_source *source, uint64_t limit) {
    w->source = source;
    w->limit = limit;
    w->offset = 0;
    w->size = 0;
}

size_t window_ready(const window *w, uint64_t offset) {
    if (offset < w->offset || offset - w->offset >= w->size) return 0;
    return w->size - (size_t)(offset - w->offset);
}

/* Bring what is already there to the front of a memory of `size` bytes. The window is empty while that happens, so that
 * it says nothing wrong if the memory cannot be had. */
static uint8_t *keep_rest(window *w, uint64_t offset, size_t kept, size_t size) {
    size_t at = kept ? (size_t)(offset - w->offset) : 0;
    w->size = 0;
    uint8_t *memory = w->memory.ptr;
    if (kept && at) memmove(memory, memory + at, kept);
    return kept ? block_grow(&w->memory, kept, size) : block_reserve(&w->memory, size);
}

lp_status window_get(window *w, uint64_t offset, size_t size, const uint8_t **out, lp_err *err) {
    static const uint8_t nothing[1];
    *out = nothing;
    if (size == 0) return LP_OK;
    size_t kept = window_ready(w, offset);
    if (kept < size) {
        uint64_t left = w->limit - offset;
        size_t want = left - size < AHEAD_BYTES ? (size_t)left : size + AHEAD_BYTES;
        uint8_t *memory = keep_rest(w, offset, kept, want);
        TRY(w->source->read(w->source->context, offset + kept, memory + kept, want - kept, err));
        w->offset = offset;
        w->size = want;
    }
    *out = (const uint8_t *)w->memory.ptr + (offset - w->offset);
    return LP_OK;
}
