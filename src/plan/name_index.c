/* name_index.c - entries of a growing list found by their hash, and by their name.
 * Called by: plan/bind_*.c, ddl.c.  Must not know: what the entries are.
 */
#include "plan/name_index.h"

#include <string.h>

#include "base/fold.h"

/* Up to so many entries are compared one by one. */
enum { SHORT_LIST = 8 };

struct hash_chain {
    uint32_t hash;
    uint32_t first, last;
};

/* ---- by hash ---- */

static uint32_t find_slot(const hash_index *x, uint32_t hash) {
    uint32_t at = (hash * 0x9E3779B1u >> 7) & (x->slots - 1);
    while (x->slot[at] && x->chain[x->slot[at] - 1].hash != hash) at = (at + 1) & (x->slots - 1);
    return at;
}

static const hash_chain *find_chain(const hash_index *x, uint32_t hash) {
    if (x->slots == 0) return NULL;
    uint32_t at = find_slot(x, hash);
    return x->slot[at] ? &x->chain[x->slot[at] - 1] : NULL;
}

static void grow_chains(hash_index *x, arena *owner) {
    uint32_t capacity = x->chain_capacity ? 2 * x->chain_capacity : 2 * SHORT_LIST;
    hash_chain *chain = ARENA_ARRAY(owner, hash_chain, capacity);
    uint32_t *slot = ARENA_ARRAY(owner, uint32_t, (size_t)capacity * 2);
    if (x->chain_count) memcpy(chain, x->chain, x->chain_count * sizeof *chain);
    x->chain = chain;
    x->chain_capacity = capacity;
    x->slot = slot;
    x->slots = capacity * 2;
    for (uint32_t i = 0; i < x->chain_count; i++) slot[find_slot(x, chain[i].hash)] = i + 1;
}

static hash_chain *take_chain(hash_index *x, uint32_t hash, arena *owner) {
    if (x->chain_count == x->chain_capacity) grow_chains(x, owner);
    uint32_t at = find_slot(x, hash);
    if (!x->slot[at]) {
        x->chain[x->chain_count++] = (hash_chain){hash, NO_ENTRY, NO_ENTRY};
        x->slot[at] = x->chain_count;
    }
    return &x->chain[x->slot[at] - 1];
}

void hash_index_add(hash_index *x, uint32_t hash, arena *owner) {
    if (x->count == x->capacity) {
        uint32_t capacity = x->capacity ? 2 * x->capacity : 2 * SHORT_LIST;
        hash_entry *entry = ARENA_ARRAY(owner, hash_entry, capacity);
        if (x->count) memcpy(entry, x->entry, x->count * sizeof *entry);
        x->entry = entry;
        x->capacity = capacity;
    }
    hash_chain *c = take_chain(x, hash, owner);
    x->entry[x->count] = (hash_entry){hash, NO_ENTRY, c->last};
    if (c->last == NO_ENTRY)
        c->first = x->count;
    else
        x->entry[c->last].next = x->count;
    c->last = x->count++;
}

void hash_index_cut(hash_index *x, uint32_t count) {
    while (x->count > count) {
        hash_entry *gone = &x->entry[--x->count];
        hash_chain *c = &x->chain[x->slot[find_slot(x, gone->hash)] - 1];
        c->last = gone->previous;
        if (c->last == NO_ENTRY)
            c->first = NO_ENTRY;
        else
            x->entry[c->last].next = NO_ENTRY;
    }
}

uint32_t hash_index_first(const hash_index *x, uint32_t hash) {
    const hash_chain *c = find_chain(x, hash);
    return c ? c->first : NO_ENTRY;
}

uint32_t hash_index_last(const hash_index *x, uint32_t hash) {
    const hash_chain *c = find_chain(x, hash);
    return c ? c->last : NO_ENTRY;
}

/* ---- by name ---- */

static uint32_t hash_of(plain_name name) {
    return str_is_none(name.text) ? 0 : (uint32_t)str_hash_folded(name.text);
}

static bool is_called(const named_list *l, uint32_t at, plain_name name) {
    plain_name own = l->name(l->list, at);
    if (str_is_none(own.text) || str_is_none(name.text)) return str_is_none(own.text) && str_is_none(name.text);
    return name_equal(l->rules, own, name);
}

/* Names that are equal have one hash: they are equal when their case is left out. */
static bool is_indexed(const named_list *l) {
    if (l->count <= SHORT_LIST) return false;
    hash_index *x = l->index;
    while (x->count < l->count) hash_index_add(x, hash_of(l->name(l->list, x->count)), l->owner);
    return true;
}

static uint32_t seek_forward(const named_list *l, uint32_t at, plain_name name, bool by_index) {
    while (at < l->count && !is_called(l, at, name)) at = by_index ? l->index->entry[at].next : at + 1;
    return at < l->count ? at : NO_ENTRY;
}

static uint32_t seek_back(const named_list *l, uint32_t at, plain_name name, bool by_index) {
    while (at < l->count && !is_called(l, at, name)) at = by_index ? l->index->entry[at].previous : at - 1;
    return at < l->count ? at : NO_ENTRY;
}

uint32_t named_first(const named_list *l, plain_name name) {
    bool by_index = is_indexed(l);
    return seek_forward(l, by_index ? hash_index_first(l->index, hash_of(name)) : 0, name, by_index);
}

uint32_t named_next(const named_list *l, uint32_t at, plain_name name) {
    bool by_index = is_indexed(l);
    return seek_forward(l, by_index ? l->index->entry[at].next : at + 1, name, by_index);
}

uint32_t named_last(const named_list *l, plain_name name) {
    bool by_index = is_indexed(l);
    return seek_back(l, by_index ? hash_index_last(l->index, hash_of(name)) : l->count - 1, name, by_index);
}

uint32_t named_previous(const named_list *l, uint32_t at, plain_name name) {
    bool by_index = is_indexed(l);
    return seek_back(l, by_index ? l->index->entry[at].previous : at - 1, name, by_index);
}

void named_prepare(const named_list *l) {
    (void)is_indexed(l);
}
