/* listing.c - entries in a spool.
 * Called by: delta, api.  Must not know: what the entries say.
 */
#include "store/listing.h"

#include <string.h>

void listing_init(listing *l, arena *owner, size_t memory_bytes, str separator, bool has_limit, uint64_t limit) {
    *l = (listing){.owner = owner, .separator = separator, .has_limit = has_limit, .limit = limit};
    l->text = spool_new(owner, memory_bytes);
}

bool listing_wants(listing *l) {
    if (!l->has_limit || l->count < l->limit) return true;
    l->left_out++;
    return false;
}

/* Entries are as many as the limit at most, so the places stay few where they are kept. */
static void note_end(listing *l) {
    if (!l->has_limit) return;
    if (l->count == l->entry_capacity) {
        size_t capacity = l->entry_capacity ? l->entry_capacity * 2 : 64;
        uint64_t *grown = ARENA_ARRAY(l->owner, uint64_t, capacity);
        if (l->count) memcpy(grown, l->entry_end, (size_t)l->count * sizeof *grown);
        l->entry_end = grown;
        l->entry_capacity = capacity;
    }
    l->entry_end[l->count] = spool_size(l->text);
}

lp_status listing_put(listing *l, str entry, lp_err *err) {
    if (l->count > 0) TRY(spool_put(l->text, l->separator, err));
    TRY(spool_put(l->text, entry, err));
    note_end(l);
    l->count++;
    return LP_OK;
}

/* The bytes [from, to) of another listing as one entry. */
static lp_status copy_entry(listing *l, const listing *other, uint64_t from, uint64_t to, lp_err *err) {
    char block[8192];
    if (l->count > 0) TRY(spool_put(l->text, l->separator, err));
    while (from < to) {
        size_t size = to - from < sizeof block ? (size_t)(to - from) : sizeof block;
        TRY(spool_read(other->text, from, block, size, err));
        TRY(spool_put(l->text, (str){block, size}, err));
        from += size;
    }
    note_end(l);
    l->count++;
    return LP_OK;
}

lp_status listing_append(listing *l, const listing *from, lp_err *err) {
    l->left_out += from->left_out;
    if (from->count == 0) return LP_OK;
    if (!l->has_limit) {
        if (l->count > 0) TRY(spool_put(l->text, l->separator, err));
        l->count += from->count;
        return spool_append(l->text, from->text, err);
    }
    for (uint64_t i = 0; i < from->count; i++) {
        if (!listing_wants(l)) continue;
        uint64_t start = i == 0 ? 0 : from->entry_end[i - 1] + from->separator.len;
        TRY(copy_entry(l, from, start, from->entry_end[i], err));
    }
    return LP_OK;
}
