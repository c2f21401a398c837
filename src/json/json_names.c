/* json_names.c - make a set of member names.
 * Called by: delta through json.h.  Must not know: the grammar around a key.
 */
#include "json/json_names.h"

#include <string.h>

#include "json/json_scan.h"

enum { SLOTS_PER_NAME = 8, LEAST_SLOTS = 32 };

/* The last eight bytes of a key, or all of a shorter one. Eight bytes from `key` on must be readable. */
static uint64_t key_tail(const char *key, size_t len) {
    if (LIKELY(len >= 8)) return load_word(key + len - 8);
    return load_word(key) & (((uint64_t)1 << (8 * len)) - 1);
}

static uint32_t key_hash(uint64_t tail, size_t len) {
    return (uint32_t)((tail ^ len << 56) * 0x9E3779B97F4A7C15u >> 32);
}

/* key_tail may read behind a name, so the bytes are taken from a copy. */
static uint64_t tail_of(str name) {
    char bytes[sizeof(uint64_t)] = {0};
    size_t size = name.len < sizeof bytes ? name.len : sizeof bytes;
    if (size) memcpy(bytes, name.ptr + name.len - size, size);
    return key_tail(bytes, size);
}

static uint64_t bits_of(str name) {
    if (name.len == 0) return UINT64_MAX;
    char end[2] = {name.len > 1 ? name.ptr[name.len - 2] : '"', name.ptr[name.len - 1]};
    return (uint64_t)1 << names_bit(end + 2, name.len);
}

static void put(json_names *n, str name, size_t place) {
    uint64_t tail = tail_of(name);
    uint32_t at = key_hash(tail, name.len) & n->mask;
    while (n->slot[at].which) at = (at + 1) & n->mask;
    n->slot[at] = (names_slot){tail, name, place + 1};
    n->bits |= bits_of(name);
}

json_names *json_names_new(arena *owner, const str *name, size_t count) {
    json_names *n = ARENA_NEW(owner, json_names);
    size_t slots = LEAST_SLOTS;
    while (slots / SLOTS_PER_NAME < count) slots *= 2;
    n->slot = ARENA_ARRAY(owner, names_slot, slots);
    n->mask = (uint32_t)(slots - 1);
    for (size_t i = 0; i < count; i++) put(n, name[i], i);
    return n;
}

bool names_find(const json_names *n, const char *key, size_t len, size_t *which) {
    uint64_t tail = key_tail(key, len);
    for (uint32_t at = key_hash(tail, len) & n->mask; n->slot[at].which; at = (at + 1) & n->mask) {
        const names_slot *s = &n->slot[at];
        if (s->tail != tail || s->name.len != len) continue;
        if (len > 8 && memcmp(s->name.ptr, key, len - 8) != 0) continue;
        *which = s->which - 1;
        return true;
    }
    return false;
}
