/* map.h - a hash map from text to a pointer, in an arena. Iteration order is insertion order.
 * Called by: any room that looks things up by name.  Must not know: what the values are.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/arena.h"

typedef struct map_entry {
    str key;      /* borrowed: must live as long as the map */
    void *value;
    uint64_t hash;
} map_entry;

typedef struct map {
    arena *owner;
    map_entry *entry;      /* in order of insertion */
    size_t count;
    size_t entry_capacity;
    uint32_t *slot;        /* 1 + index into entry, 0 = free */
    size_t slot_capacity;  /* a power of two */
} map;

void map_init(map *m, arena *owner);
void *map_get(const map *m, str key);              /* NULL when absent */
/* Store `value` under `key`; returns the former value or NULL. */
void *map_put(map *m, str key, void *value);

#endif
