/* arena.h - memory by lifetime: everything allocated in an arena ends with it.
 * Called by: every room.  Must not know: what is stored.
 *
 * Allocation never returns NULL. A spent budget, or a malloc that fails, leaves through the door (door.h) as
 * LP_ERR_LIMIT; so code that allocates runs inside a door, and holds no descriptor or malloc of its own across an
 * arena call: such things are put into a `defer_slot` of an arena.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/str.h"

typedef struct arena_chunk arena_chunk;
typedef struct defer_slot {
    void (*end)(void *resource); /* called once at reset or end, newest first, if resource is not NULL */
    void *resource;
    struct defer_slot *next;
} defer_slot;

typedef struct arena {
    arena_chunk *head;     /* chunk in use; older ones follow */
    arena_chunk *spare;    /* empty ones that a reset kept */
    defer_slot *deferred;
    size_t max_bytes;      /* budget: 0 means none */
    size_t used_bytes;     /* sum of what was asked for since init or reset */
    size_t peak_bytes;     /* the largest used_bytes ever */
} arena;

/* Fill caller storage. Allocates nothing, so it may be called outside a door. */
void arena_init(arena *a, size_t max_bytes);

/* Empty for reuse: runs the deferred ends, keeps a few MiB at the most. */
void arena_reset(arena *a);

/* Run the deferred ends and give everything back. The arena is as after arena_init. */
void arena_end(arena *a);

/* `size` zeroed bytes, aligned to 16. A size of 0 gives a valid pointer. */
void *arena_alloc(arena *a, size_t size);
/* The same without zeroing. */
void *arena_alloc_raw(arena *a, size_t size);
/* count * size with an overflow check, zeroed. */
void *arena_alloc_array(arena *a, size_t count, size_t size);

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, count) ((type *)arena_alloc_array((a), (count), sizeof(type)))

/* A copy that lives as long as the arena. str_copy keeps STR_NONE as it is, and puts a NUL behind the copy. */
str str_copy(arena *a, str s);
str str_copy_lower(arena *a, str s); /* ASCII letters in lower case */
/* Each run of blanks, tabs and line ends as one blank, none in front. */
str str_copy_on_one_line(arena *a, str s);
str str_format(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reserve a slot first, take the resource second, store it in slot->resource third: nothing can leak between. */
defer_slot *arena_defer(arena *a, void (*end)(void *resource));

/* An arena of its own, without a limit: it ends with `owner`, or before it by arena_end. */
arena *arena_child(arena *owner);

/* Test hook: the n-th allocation from now on (over all arenas, all threads) fails. 0 turns it off. */
void arena_fail_at(unsigned long n);

#endif
