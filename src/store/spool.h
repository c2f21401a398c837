/* spool.h - a long text under construction: in memory first, in an unlinked temporary file beyond a limit.
 * Called by: prune (listings), report, api.  Must not know: what the text says.
 */
#ifndef STORE_SPOOL_H
#define STORE_SPOOL_H

#include "base/arena.h"
#include "base/err.h"

typedef struct spool spool;

/* An empty spool in `owner`, which also ends it. Up to `memory_bytes` stay in memory (grown as needed, outside of the
 * arena); more goes into a file without a name in TMPDIR, else /tmp. A full disk is LP_ERR_IO. */
spool *spool_new(arena *owner, size_t memory_bytes);
void spool_reset(spool *s); /* empty again; gives back its memory above a small rest */
MUST_USE lp_status spool_put(spool *s, str text, lp_err *err);
/* Append all of `from`, another spool, in pieces. */
MUST_USE lp_status spool_append(spool *s, const spool *from, lp_err *err);
uint64_t spool_size(const spool *s);
/* Read `size` bytes from `offset`; a range that does not lie inside is LP_ERR_USAGE. */
MUST_USE lp_status spool_read(const spool *s, uint64_t offset, void *into, size_t size, lp_err *err);

#endif
