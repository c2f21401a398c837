/* name_index.h - entries of a growing list found by their hash, and by their name.
 * Called by: plan/bind_*.c, ddl.c.  Must not know: what the entries are.
 *
 * A text may have a million columns, and each of its names must be found at once. Short lists are searched from end to
 * end, so what is small costs nothing.
 */
#ifndef PLAN_NAME_INDEX_H
#define PLAN_NAME_INDEX_H

#include "plan/scope_rules.h"

#define NO_ENTRY UINT32_MAX

typedef struct hash_entry {
    uint32_t hash;
    uint32_t next, previous; /* of the same hash, NO_ENTRY at the ends */
} hash_entry;

typedef struct hash_chain hash_chain;

/* The places 0, 1, 2, ... of a list, by hash. Start with zeros; lives in the arena that it is given. */
typedef struct hash_index {
    hash_entry *entry; /* parallel to the list */
    uint32_t count, capacity;
    hash_chain *chain; /* one for each hash */
    uint32_t chain_count, chain_capacity;
    uint32_t *slot; /* 1 + a chain, 0 = free; as many as `slots`, a power of two */
    uint32_t slots;
} hash_index;

void hash_index_add(hash_index *x, uint32_t hash, arena *owner);
/* The entries from `count` on are gone. */
void hash_index_cut(hash_index *x, uint32_t count);
/* The first and the last place with this hash, NO_ENTRY for none. Others follow by entry[].next and .previous. */
uint32_t hash_index_first(const hash_index *x, uint32_t hash);
uint32_t hash_index_last(const hash_index *x, uint32_t hash);

/* A list whose entries have names: how to find them. `index` is of this list alone; it may be behind the list, never
 * before it: who takes entries out or renames them starts a new index. An entry without a name (STR_NONE) is found by
 * the name STR_NONE and no other. */
typedef struct named_list {
    const void *list;
    uint32_t count;
    plain_name (*name)(const void *list, uint32_t at);
    hash_index *index;
    const scope_rules *rules;
    arena *owner;
} named_list;

/* Places of the entries that `name` may mean (name_equal), from the first to the last or back; NO_ENTRY at the end. */
uint32_t named_first(const named_list *l, plain_name name);
uint32_t named_next(const named_list *l, uint32_t at, plain_name name);
uint32_t named_last(const named_list *l, plain_name name);
uint32_t named_previous(const named_list *l, uint32_t at, plain_name name);
/* What the first search would do anyway, for a list that several threads are to search. */
void named_prepare(const named_list *l);

#endif
