/* listing.h - entries of a long listing, with a separator between two and an optional limit.
 * Called by: delta, api.  Must not know: what the entries say.
 *
 * Work items fill listings of their own, which are appended in order: the whole never lies in memory, and a limit holds
 * for the whole as well as for each part.
 */
#ifndef STORE_LISTING_H
#define STORE_LISTING_H

#include "base/buf.h"
#include "store/spool.h"

typedef struct listing {
    arena *owner;
    spool *text;
    str separator;
    bool has_limit;
    uint64_t limit;
    uint64_t count;    /* entries in the text */
    uint64_t left_out; /* entries that the limit kept out */
    uint64_t *entry_end; /* with a limit: where each entry ends in the text */
    size_t entry_capacity;
} listing;

/* An empty listing; up to `memory_bytes` of it stay in memory. `separator` must live as long. */
void listing_init(listing *l, arena *owner, size_t memory_bytes, str separator, bool has_limit, uint64_t limit);

/* Is there room for another entry? Else count it as left out and do not print it. */
bool listing_wants(listing *l);

/* Append an entry, which listing_wants has let in. */
MUST_USE lp_status listing_put(listing *l, str entry, lp_err *err);

/* Append the entries of `from`, which has the same separator and limit, as far as the limit lets them in. */
MUST_USE lp_status listing_append(listing *l, const listing *from, lp_err *err);

#endif
