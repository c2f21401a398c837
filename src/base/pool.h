/* pool.h - independent work items on a few threads, their results handed back in item order.
 * Called by: delta (row groups, parts, sidecars).  Must not know: what the work is.
 *
 * Whatever the number of threads, the sequence of `merge` calls is the same, so what they build is the same.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include "base/arena.h"
#include "base/err.h"

typedef struct pool pool;

/* One slot holds one item under way: its scratch arena and a place for whatever the work wants to keep from item to
 * item (readers, buffers), in `keep`, which ends with the pool. */
typedef struct pool_slot {
    arena scratch; /* reset before each item; the result of `work` lives here until it is merged */
    arena keep;
    void *state;   /* the work's own, allocated in keep; NULL at first */
    void *result;  /* set by work, read by merge */
} pool_slot;

/* A pool of `threads` (1 to 256, others are moved there) in `owner`; threads start with the first pool_run of more than
 * one item. */
pool *pool_new(arena *owner, unsigned threads);
unsigned pool_thread_count(const pool *p);

typedef lp_status (*pool_work)(void *context, size_t item, pool_slot *slot, lp_err *err);
typedef lp_status (*pool_merge)(void *context, size_t item, pool_slot *slot, lp_err *err);

/* Run items 0..item_count-1: `work` on any thread inside a door of its own, `merge` on the calling thread in item
 * order. At most threads + 1 items are under way. The first failure in item order is the one returned; work already
 * started is waited for. Work must not call pool_run. */
MUST_USE lp_status pool_run(pool *p, size_t item_count, pool_work work, pool_merge merge, void *context, lp_err *err);

/* End what the slots keep; their state is NULL again. Not while a run is under way. */
void pool_forget(pool *p);

/* Sum over the slots of the peak bytes of their arenas. */
size_t pool_arena_peak_bytes(const pool *p);

#endif
