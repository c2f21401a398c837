/* map.c - open addressing over an array of entries kept in order of insertion.
 * Called by: any room that looks things up by name.  Must not know: what the values are.
 */
#include "base/map.h"

#include <string.h>

#include "base/door.h"

void map_init(map *m, arena *owner) {
    *m = (map){.owner = owner};
}

/* The slot that holds the key, or the free one where it belongs. */
static size_t find_slot(const map *m, str key, uint64_t hash) {
    size_t at = (size_t)hash & (m->slot_capacity - 1);
    while (m->slot[at] != 0) {
        const map_entry *e = &m->entry[m->slot[at] - 1];
        if (e->hash == hash && str_eq(e->key, key)) break;
        at = (at + 1) & (m->slot_capacity - 1);
    }
    return at;
}

void *map_get(const map *m, str key) {
    if (m->count == 0) return NULL;
    size_t at = find_slot(m, key, str_hash(key));
    return m->slot[at] ? m->entry[m->slot[at] - 1].value : NULL;
}

/* Both arrays come before any change: a map whose growth left through the door is as it was. */
static void grow(map *m) {
    if (m->count > UINT32_MAX / 4) door_leave("a map of %zu names cannot grow", m->count);
    size_t entries = m->entry_capacity ? m->entry_capacity * 2 : 8;
    map_entry *entry = ARENA_ARRAY(m->owner, map_entry, entries);
    uint32_t *slot = ARENA_ARRAY(m->owner, uint32_t, entries * 2);
    if (m->count) memcpy(entry, m->entry, m->count * sizeof *entry);
    m->entry = entry;
    m->entry_capacity = entries;
    m->slot = slot;
    m->slot_capacity = entries * 2;
    for (size_t i = 0; i < m->count; i++) m->slot[find_slot(m, entry[i].key, entry[i].hash)] = (uint32_t)(i + 1);
}

void *map_put(map *m, str key, void *value) {
    if (m->count == m->entry_capacity) grow(m);
    uint64_t hash = str_hash(key);
    size_t at = find_slot(m, key, hash);
    if (m->slot[at]) {
        map_entry *known = &m->entry[m->slot[at] - 1];
        void *former = known->value;
        known->value = value;
        return former;
    }
    m->entry[m->count] = (map_entry){key, value, hash};
    m->slot[at] = (uint32_t)(++m->count);
    return NULL;
}
