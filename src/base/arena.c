/* arena.c - chunks of memory that end together.
 * Called by: every room.  Must not know: what is stored.
 *
 * With LAKEPROOF_DEBUG_ARENA each allocation is a malloc of its own, so that the sanitizers see every overrun and
 * every use after reset.
 */
#include "base/arena.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"

enum { CHUNK_BYTES = 64 * 1024, ALIGNMENT = 16 };

struct arena_chunk {
    struct arena_chunk *next;
    size_t size; /* bytes behind the header */
    size_t used;
    size_t pad; /* keeps the header a multiple of ALIGNMENT */
};

static atomic_ulong fail_countdown;

void arena_fail_at(unsigned long n) {
    atomic_store(&fail_countdown, n);
}

static bool fails_now(void) {
    unsigned long left = atomic_load_explicit(&fail_countdown, memory_order_relaxed);
    if (left == 0) return false;
    return atomic_fetch_sub(&fail_countdown, 1) == 1;
}

void arena_init(arena *a, size_t max_bytes) {
    *a = (arena){.max_bytes = max_bytes};
}

static void run_deferred(arena *a) {
    while (a->deferred) {
        defer_slot *slot = a->deferred;
        a->deferred = slot->next;
        if (slot->resource) slot->end(slot->resource);
    }
}

static void free_chunks(arena_chunk *chunk) {
    while (chunk) {
        arena_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
}

#ifndef LAKEPROOF_DEBUG_ARENA
enum { FULL_CHUNK_BYTES = 1 << 20, MAX_SPARES = 8 };

/* An arena that is filled and reset again and again should not ask the system for the same memory each time. */
static void keep_spares(arena *a) {
    arena_chunk *chunk = a->head->next;
    size_t count = 0;
    for (arena_chunk *s = a->spare; s; s = s->next) count++;
    while (chunk) {
        arena_chunk *next = chunk->next;
        bool keep = chunk->size == FULL_CHUNK_BYTES && count < MAX_SPARES;
        chunk->used = 0;
        chunk->next = keep ? a->spare : NULL;
        if (keep) a->spare = chunk, count++;
        if (!keep) free(chunk);
        chunk = next;
    }
}
#endif

void arena_reset(arena *a) {
    run_deferred(a);
    a->used_bytes = 0;
#ifdef LAKEPROOF_DEBUG_ARENA
    free_chunks(a->head);
    a->head = NULL;
#else
    if (!a->head) return;
    keep_spares(a);
    a->head->next = NULL;
    a->head->used = 0;
#endif
}

void arena_end(arena *a) {
    run_deferred(a);
    free_chunks(a->head);
    free_chunks(a->spare);
    arena_init(a, a->max_bytes);
}

static arena_chunk *chunk_new(size_t payload) {
    if (payload > SIZE_MAX - sizeof(arena_chunk)) door_leave("out of memory: %zu bytes asked for", payload);
    arena_chunk *chunk = malloc(sizeof(arena_chunk) + payload);
    if (!chunk) door_leave("out of memory: %zu bytes asked for", payload);
    *chunk = (arena_chunk){.size = payload};
    return chunk;
}

static void account(arena *a, size_t size) {
    if (fails_now()) door_leave("out of memory: %zu bytes asked for (test)", size);
    if (a->max_bytes && (size > a->max_bytes || a->used_bytes > a->max_bytes - size))
        door_leave("memory budget of %zu bytes is spent", a->max_bytes);
    a->used_bytes += size;
    if (a->used_bytes > a->peak_bytes) a->peak_bytes = a->used_bytes;
}

#ifdef LAKEPROOF_DEBUG_ARENA
static void *take(arena *a, size_t size, size_t rounded) {
    (void)rounded;
    arena_chunk *own = chunk_new(size ? size : 1);
    own->next = a->head;
    a->head = own;
    return own + 1;
}
#else
/* The size of the chunk that follows: doubled up to 1 MiB, so that a small arena stays small and a large one cheap. */
static size_t next_chunk_bytes(const arena *a) {
    if (!a->head) return CHUNK_BYTES - sizeof(arena_chunk);
    size_t doubled = a->head->size * 2;
    return doubled < FULL_CHUNK_BYTES ? doubled : FULL_CHUNK_BYTES;
}

static arena_chunk *next_chunk(arena *a, size_t payload) {
    arena_chunk *chunk = a->spare;
    if (!chunk || chunk->size != payload) return chunk_new(payload);
    a->spare = chunk->next;
    return chunk;
}

static void *take(arena *a, size_t size, size_t rounded) {
    (void)size;
    arena_chunk *head = a->head;
    if (!head || head->size - head->used < rounded) {
        size_t payload = next_chunk_bytes(a);
        bool large = rounded > payload;
        arena_chunk *fresh = large ? chunk_new(rounded) : next_chunk(a, payload);
        if (large && head) { /* keep filling the current chunk; the large one stands behind it */
            fresh->used = rounded;
            fresh->next = head->next;
            head->next = fresh;
            return fresh + 1;
        }
        fresh->next = head;
        a->head = head = fresh;
    }
    void *memory = (char *)(head + 1) + head->used;
    head->used += rounded;
    return memory;
}
#endif

void *arena_alloc_raw(arena *a, size_t size) {
    if (size > SIZE_MAX - ALIGNMENT) door_leave("out of memory: %zu bytes asked for", size);
    size_t rounded = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (rounded == 0) rounded = ALIGNMENT;
    account(a, rounded);
    return take(a, size, rounded);
}

/* memset of nothing is asked for often enough (arrays of no items) to matter: with a masked store to a page that was
 * never touched, as the C library does it on some processors, it costs as much as a hundred stores. */
void *arena_alloc(arena *a, size_t size) {
    void *memory = arena_alloc_raw(a, size);
    return size ? memset(memory, 0, size) : memory;
}

void *arena_alloc_array(arena *a, size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) door_leave("out of memory: %zu items of %zu bytes", count, size);
    return arena_alloc(a, total);
}

str str_copy(arena *a, str s) {
    if (str_is_none(s)) return s;
    char *copy = arena_alloc_raw(a, s.len + 1);
    memcpy(copy, s.ptr, s.len);
    copy[s.len] = '\0';
    return (str){copy, s.len};
}

str str_copy_lower(arena *a, str s) {
    str copy = str_copy(a, s);
    for (size_t i = 0; i < copy.len; i++)
        if (copy.ptr[i] >= 'A' && copy.ptr[i] <= 'Z') ((char *)copy.ptr)[i] = (char)(copy.ptr[i] - 'A' + 'a');
    return copy;
}

str str_copy_on_one_line(arena *a, str s) {
    char *line = arena_alloc_raw(a, s.len + 1);
    size_t len = 0;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool is_blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
        if (!is_blank)
            line[len++] = c;
        else if (len && line[len - 1] != ' ')
            line[len++] = ' ';
    }
    line[len] = '\0';
    return (str){line, len};
}

str str_format(arena *a, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t size = len < 0 ? 0 : (size_t)len;
    char *text = arena_alloc_raw(a, size + 1);
    text[0] = '\0';
    vsnprintf(text, size + 1, format, again);
    va_end(again);
    return (str){text, size};
}

defer_slot *arena_defer(arena *a, void (*end)(void *resource)) {
    defer_slot *slot = ARENA_NEW(a, defer_slot);
    slot->end = end;
    slot->next = a->deferred;
    a->deferred = slot;
    return slot;
}

static void end_child(void *child) {
    arena_end(child);
}

arena *arena_child(arena *owner) {
    arena *child = ARENA_NEW(owner, arena);
    arena_init(child, 0);
    arena_defer(owner, end_child)->resource = child;
    return child;
}
