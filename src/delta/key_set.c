/* key_set.c - digests in an open table.
 * Called by: delta/diff.c, disk.c.  Must not know: what the marks mean.
 *
 * The table is a malloc behind a defer slot, since an arena gives nothing back when a table is replaced by one of twice
 * its size.
 */
#include "delta/key_set.h"

#include <stdlib.h>

#include "base/door.h"

#define MARKS UINT64_C(3)

typedef struct slot {
    uint64_t path; /* 0: free */
    atomic_uint_fast64_t rest;
} slot;

struct key_set {
    defer_slot *memory; /* holds the table */
    bool has_stamps;
    slot *table;
    int64_t *stamp;  /* parallel to the table and in its memory, behind it; NULL without stamps */
    size_t capacity; /* a power of two, or 0 */
    size_t count;
};

key_code key_code_of(digest_key secret, file_key key) {
    digest path = digest_text(secret, key.path);
    if (!str_is_none(key.dv_id)) path.high ^= digest_text(secret, key.dv_id).low | (MARKS + 1);
    return (key_code){path.low ? path.low : 1, path.high & ~MARKS};
}

key_set *key_set_new(arena *owner, bool with_stamps) {
    key_set *s = ARENA_NEW(owner, key_set);
    s->has_stamps = with_stamps;
    s->memory = arena_defer(owner, free);
    return s;
}

size_t key_set_count(const key_set *s) {
    return s->count;
}

static uint64_t rest_of(const slot *at) {
    return atomic_load_explicit(&at->rest, memory_order_relaxed);
}

/* The slot of the key, or the free one where it belongs. */
static slot *find(slot *table, size_t capacity, key_code code) {
    size_t at = (size_t)code.path & (capacity - 1);
    while (table[at].path != 0 && (table[at].path != code.path || (rest_of(&table[at]) & ~MARKS) != code.rest))
        at = (at + 1) & (capacity - 1);
    return &table[at];
}

static void grow(key_set *s) {
    size_t capacity = s->capacity ? s->capacity * 2 : 1024;
    size_t slot_size = sizeof(slot) + (s->has_stamps ? sizeof(int64_t) : 0);
    slot *table = capacity <= SIZE_MAX / 2 / slot_size ? calloc(capacity, slot_size) : NULL;
    if (!table) door_leave("no memory for the keys of %zu files", s->count);
    int64_t *stamp = s->has_stamps ? (int64_t *)(table + capacity) : NULL;
    for (size_t i = 0; i < s->capacity; i++) {
        if (s->table[i].path == 0) continue;
        key_code code = {s->table[i].path, rest_of(&s->table[i]) & ~MARKS};
        slot *to = find(table, capacity, code);
        to->path = code.path;
        atomic_init(&to->rest, rest_of(&s->table[i]));
        if (stamp) stamp[to - table] = s->stamp[i];
    }
    s->memory->resource = table;
    free(s->table);
    s->table = table;
    s->stamp = stamp;
    s->capacity = capacity;
}

bool key_set_add(key_set *s, key_code code) {
    if (s->count >= s->capacity / 4 * 3) grow(s);
    slot *to = find(s->table, s->capacity, code);
    if (to->path != 0) return false;
    to->path = code.path;
    atomic_init(&to->rest, code.rest);
    s->count++;
    return true;
}

bool key_set_mark(key_set *s, key_code code, unsigned marks) {
    slot *found = s->count ? find(s->table, s->capacity, code) : NULL;
    if (!found || found->path == 0) return false;
    atomic_fetch_or_explicit(&found->rest, marks, memory_order_relaxed);
    return true;
}

bool key_set_mark_path(key_set *s, key_code code, unsigned marks) {
    bool found = false;
    if (s->count == 0) return false;
    for (size_t at = (size_t)code.path & (s->capacity - 1); s->table[at].path != 0; at = (at + 1) & (s->capacity - 1)) {
        if (s->table[at].path != code.path) continue;
        atomic_fetch_or_explicit(&s->table[at].rest, marks, memory_order_relaxed);
        found = true;
    }
    return found;
}

unsigned key_set_marks(const key_set *s, key_code code) {
    const slot *found = s->count ? find(s->table, s->capacity, code) : NULL;
    return found && found->path != 0 ? (unsigned)(rest_of(found) & MARKS) : 0;
}

int64_t *key_set_stamp(const key_set *s, key_code code) {
    const slot *found = s->count ? find(s->table, s->capacity, code) : NULL;
    return found && found->path != 0 ? &s->stamp[found - s->table] : NULL;
}
