/* replay.c - the set of keys that commits have decided.
 * Called by: delta/scan.c.  Must not know: SQL, statistics, printing.
 *
 * Open addressing over an array of keys in order of arrival. A key's text is the path followed by the vector's id. A
 * slot holds half of its key's hash beside the index, so that keys, which lie far apart, are touched when they are
 * equal.
 */
#include "delta/replay.h"

#include <string.h>

#include "base/door.h"

typedef struct replay_slot {
    uint32_t hash;  /* its lowest bits say where the slot should be */
    uint32_t place; /* 1 + index into key, 0 = free */
} replay_slot;

typedef struct replay_key {
    const char *text;
    uint32_t path_len, dv_len; /* dv_len is NO_DV without a vector */
    uint32_t commit;           /* ordinal of the commit that decided */
    bool is_add;
} replay_key;

struct replay {
    arena *owner;
    replay_key *key;
    size_t count, capacity;
    replay_slot *slot;
    size_t slot_count; /* a power of two, at least twice the count */
    uint32_t commit;
    bool named_twice; /* in the commit under way */
};

#define NO_DV UINT32_MAX

replay *replay_new(arena *owner) {
    replay *r = ARENA_NEW(owner, replay);
    r->owner = owner;
    return r;
}

void replay_begin_commit(replay *r) {
    r->named_twice = false;
    if (++r->commit == UINT32_MAX) door_leave("the log has more than %u commits", UINT32_MAX - 1);
}

bool replay_named_twice(const replay *r) {
    return r->named_twice;
}

size_t replay_key_count(const replay *r) {
    return r->count;
}

size_t replay_removed_count(const replay *r) {
    size_t removed = 0;
    for (size_t i = 0; i < r->count; i++) removed += !r->key[i].is_add;
    return removed;
}

static uint32_t hash_key(file_key k) {
    uint64_t hash = str_hash(k.path);
    if (!str_is_none(k.dv_id)) hash ^= str_hash(k.dv_id) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(hash ^ hash >> 32);
}

static bool is_same(const replay_key *known, file_key k) {
    uint32_t dv_len = str_is_none(k.dv_id) ? NO_DV : (uint32_t)k.dv_id.len;
    if (known->path_len != k.path.len || known->dv_len != dv_len) return false;
    if (memcmp(known->text, k.path.ptr, k.path.len) != 0) return false;
    return dv_len == NO_DV || memcmp(known->text + known->path_len, k.dv_id.ptr, dv_len) == 0;
}

/* The slot that holds the key, or the free one where it belongs. */
static replay_slot *find_slot(const replay *r, file_key k, uint32_t hash) {
    size_t at = hash & (r->slot_count - 1);
    for (; r->slot[at].place != 0; at = (at + 1) & (r->slot_count - 1))
        if (r->slot[at].hash == hash && is_same(&r->key[r->slot[at].place - 1], k)) break;
    return &r->slot[at];
}

bool replay_holds(const replay *r, file_key key) {
    return r->count > 0 && find_slot(r, key, hash_key(key))->place != 0;
}

bool replay_holds_add(const replay *r, file_key key) {
    if (r->count == 0) return false;
    uint32_t place = find_slot(r, key, hash_key(key))->place;
    return place != 0 && r->key[place - 1].is_add;
}

bool replay_decides(const replay *r, file_key key) {
    if (r->count == 0) return false;
    uint32_t place = find_slot(r, key, hash_key(key))->place;
    return place != 0 && (r->key[place - 1].commit != r->commit || r->key[place - 1].is_add);
}

static void put_slot(replay *r, replay_slot s) {
    size_t at = s.hash & (r->slot_count - 1);
    while (r->slot[at].place != 0) at = (at + 1) & (r->slot_count - 1);
    r->slot[at] = s;
}

static void grow(replay *r) {
    if (r->capacity > UINT32_MAX / 4) door_leave("the log has more than %zu files in its commits", r->capacity);
    size_t capacity = r->capacity ? r->capacity * 2 : 64;
    replay_key *key = ARENA_ARRAY(r->owner, replay_key, capacity);
    if (r->count) memcpy(key, r->key, r->count * sizeof *key);
    r->key = key;
    r->capacity = capacity;
    const replay_slot *before = r->slot;
    size_t count_before = r->slot_count;
    r->slot_count = capacity * 2;
    r->slot = ARENA_ARRAY(r->owner, replay_slot, r->slot_count);
    for (size_t i = 0; i < count_before; i++)
        if (before[i].place != 0) put_slot(r, before[i]);
}

static const char *copy_key(arena *owner, file_key k) {
    if (k.path.len >= NO_DV || k.dv_id.len >= NO_DV) door_leave("a path of %zu bytes is too long", k.path.len);
    char *text = arena_alloc_raw(owner, k.path.len + k.dv_id.len);
    memcpy(text, k.path.ptr, k.path.len);
    if (k.dv_id.len) memcpy(text + k.path.len, k.dv_id.ptr, k.dv_id.len);
    return text;
}

/* The entry of the key; a new one belongs to the commit under way. */
static replay_key *find_or_add(replay *r, file_key k, bool *is_new) {
    if (r->count == r->capacity) grow(r);
    uint32_t hash = hash_key(k);
    replay_slot *slot = find_slot(r, k, hash);
    *is_new = slot->place == 0;
    if (*is_new) {
        r->key[r->count] = (replay_key){.text = copy_key(r->owner, k),
                                        .path_len = (uint32_t)k.path.len,
                                        .dv_len = str_is_none(k.dv_id) ? NO_DV : (uint32_t)k.dv_id.len,
                                        .commit = r->commit};
        *slot = (replay_slot){hash, (uint32_t)++r->count};
    }
    r->named_twice |= !*is_new && r->key[slot->place - 1].commit == r->commit;
    return &r->key[slot->place - 1];
}

bool replay_take_add(replay *r, file_key key) {
    bool is_new;
    replay_key *k = find_or_add(r, key, &is_new);
    bool is_live = is_new || (k->commit == r->commit && !k->is_add); /* invariant 3 */
    if (is_live) k->is_add = true;
    return is_live;
}

void replay_take_remove(replay *r, file_key key) {
    bool is_new;
    (void)find_or_add(r, key, &is_new); /* a known key was decided by a newer commit, or by an add of this one */
}
