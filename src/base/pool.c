/* pool.c - a few threads, a window of slots, results merged in item order.
 * Called by: delta.  Must not know: what the work is.
 *
 * Item i uses slot i % slot_count. An item may start when its slot has been merged, so at most slot_count items are
 * under way, and memory is bounded by the slots.
 */
#include "base/pool.h"

#include <pthread.h>
#include <string.h>

#include "base/door.h"

enum { THREADS_MAX = 256 };

typedef enum { SLOT_FREE, SLOT_DONE } slot_state;

typedef struct worker_slot {
    pool_slot shared;
    slot_state state;
    lp_status status;
    lp_err err;
} worker_slot;

struct pool {
    unsigned threads;
    size_t slot_count;
    worker_slot *slot;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t *thread;
    unsigned started;
    bool stop;

    /* The run under way. next_item is the first item nobody took; merged counts items whose slot is free again. */
    pool_work work;
    void *context;
    size_t item_count, next_item, merged;
    bool abandoned;
    unsigned busy;
};

typedef struct call {
    pool_work work;
    void *context;
    size_t item;
    pool_slot *slot;
} call;

static lp_status run_call(void *context, lp_err *err) {
    call *c = context;
    return c->work(c->context, c->item, c->slot, err);
}

static void run_item(pool *p, size_t item, worker_slot *s) {
    arena_reset(&s->shared.scratch);
    s->shared.result = NULL;
    call c = {p->work, p->context, item, &s->shared};
    s->status = door_run(run_call, &c, &s->err);
}

static bool can_take(const pool *p) {
    return !p->abandoned && p->next_item < p->item_count && p->next_item < p->merged + p->slot_count;
}

static void *worker_main(void *context) {
    pool *p = context;
    pthread_mutex_lock(&p->lock);
    while (!p->stop) {
        if (!can_take(p)) {
            pthread_cond_wait(&p->changed, &p->lock);
            continue;
        }
        size_t item = p->next_item++;
        worker_slot *s = &p->slot[item % p->slot_count];
        p->busy++;
        pthread_mutex_unlock(&p->lock);
        run_item(p, item, s);
        pthread_mutex_lock(&p->lock);
        p->busy--;
        s->state = SLOT_DONE;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void pool_end(void *resource) {
    pool *p = resource;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->started; i++) pthread_join(p->thread[i], NULL);
    for (size_t i = 0; i < p->slot_count; i++) {
        arena_end(&p->slot[i].shared.scratch);
        arena_end(&p->slot[i].shared.keep);
    }
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->changed);
}

pool *pool_new(arena *owner, unsigned threads) {
    pool *p = ARENA_NEW(owner, pool);
    p->threads = threads < 1 ? 1 : threads > THREADS_MAX ? THREADS_MAX : threads;
    p->slot_count = p->threads == 1 ? 1 : p->threads + 1;
    p->slot = ARENA_ARRAY(owner, worker_slot, p->slot_count);
    p->thread = ARENA_ARRAY(owner, pthread_t, p->threads);
    defer_slot *end = arena_defer(owner, pool_end);
    for (size_t i = 0; i < p->slot_count; i++) {
        arena_init(&p->slot[i].shared.scratch, 0);
        arena_init(&p->slot[i].shared.keep, 0);
    }
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    end->resource = p;
    return p;
}

unsigned pool_thread_count(const pool *p) {
    return p->threads;
}

static lp_status finish_item(worker_slot *s, pool_merge merge, void *context, size_t item, lp_err *err) {
    if (s->status != LP_OK) return err_set(err, s->status, "%s", s->err.text);
    return merge(context, item, &s->shared, err);
}

static lp_status run_inline(pool *p, pool_merge merge, lp_err *err) {
    for (size_t item = 0; item < p->item_count; item++) {
        worker_slot *s = &p->slot[0];
        run_item(p, item, s);
        TRY(finish_item(s, merge, p->context, item, err));
    }
    return LP_OK;
}

static bool start_threads(pool *p) {
    while (p->started < p->threads) {
        if (pthread_create(&p->thread[p->started], NULL, worker_main, p) != 0) break;
        p->started++;
    }
    return p->started > 0;
}

/* `merge` may leave through the door; the threads must not be left running on a context that is gone, so the merges
 * run inside a door of their own. */
typedef struct merge_call {
    pool *p;
    pool_merge merge;
} merge_call;

static lp_status merge_all(void *context, lp_err *err) {
    merge_call *m = context;
    pool *p = m->p;
    for (size_t item = 0; item < p->item_count; item++) {
        worker_slot *s = &p->slot[item % p->slot_count];
        pthread_mutex_lock(&p->lock);
        while (s->state != SLOT_DONE) pthread_cond_wait(&p->changed, &p->lock);
        pthread_mutex_unlock(&p->lock);
        TRY(finish_item(s, m->merge, p->context, item, err));
        pthread_mutex_lock(&p->lock);
        s->state = SLOT_FREE;
        p->merged++;
        pthread_cond_broadcast(&p->changed);
        pthread_mutex_unlock(&p->lock);
    }
    return LP_OK;
}

static void wait_until_idle(pool *p) {
    pthread_mutex_lock(&p->lock);
    p->abandoned = true;
    while (p->busy) pthread_cond_wait(&p->changed, &p->lock);
    for (size_t i = 0; i < p->slot_count; i++) p->slot[i].state = SLOT_FREE;
    pthread_mutex_unlock(&p->lock);
}

lp_status pool_run(pool *p, size_t item_count, pool_work work, pool_merge merge, void *context, lp_err *err) {
    pthread_mutex_lock(&p->lock);
    p->work = work;
    p->context = context;
    p->next_item = p->merged = 0;
    p->abandoned = false;
    p->item_count = item_count;
    bool inline_run = p->threads == 1 || item_count < 2;
    if (inline_run) p->next_item = item_count; /* nothing for threads of an earlier run to take */
    pthread_mutex_unlock(&p->lock);
    if (inline_run || !start_threads(p)) {
        pthread_mutex_lock(&p->lock);
        p->next_item = item_count;
        pthread_mutex_unlock(&p->lock);
        return run_inline(p, merge, err);
    }
    pthread_mutex_lock(&p->lock);
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    merge_call m = {p, merge};
    lp_status status = door_run(merge_all, &m, err);
    wait_until_idle(p);
    return status;
}

void pool_forget(pool *p) {
    for (size_t i = 0; i < p->slot_count; i++) {
        arena_reset(&p->slot[i].shared.scratch);
        arena_reset(&p->slot[i].shared.keep);
        p->slot[i].shared.state = NULL;
    }
}

size_t pool_arena_peak_bytes(const pool *p) {
    size_t sum = 0;
    for (size_t i = 0; i < p->slot_count; i++)
        sum += p->slot[i].shared.scratch.peak_bytes + p->slot[i].shared.keep.peak_bytes;
    return sum;
}
