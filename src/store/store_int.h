/* store_int.h - what store.c and the backends share.
 * Called by: store.c, store_local.c.  Must not know: what the bytes mean.
 */
#ifndef STORE_STORE_INT_H
#define STORE_STORE_INT_H

#include <stdatomic.h>

#include "store/store.h"

/* A path in a message. Cut where it is very long, so that what is wrong with it still fits behind. */
#define PLACE_ARG(s) STR_ARG(str_slice((s), 0, 600))

/* One place that holds bytes. Paths arrive checked: relative, no `..`, no empty parts, NUL-terminated. */
typedef struct store_backend {
    lp_status (*list)(store *s, str folder, arena *out_arena, store_entries *out, lp_err *err);
    /* Fills everything in `f` that store.c has not filled already (store, path). */
    lp_status (*open)(store *s, arena *owner, store_file *f, lp_err *err);
    /* Exactly `size` bytes, size > 0. */
    lp_status (*read)(store_file *f, uint64_t offset, void *into, size_t size, lp_err *err);
    void (*close)(store_file *f);
    /* `path` is relative or absolute. Never waits. */
    store_presence (*look)(store *s, str path, uint64_t *size_bytes);
} store_backend;

struct store {
    const store_backend *backend;
    str root;
    atomic_uint_fast64_t bytes_read;
    int folder; /* local: a descriptor of the root, closed with the arena of the store */
};

struct store_file {
    store *store;
    str path;
    uint64_t size_bytes;
    int descriptor;    /* local: -1 once closed */
    defer_slot *close; /* NULL resource once closed */
};

/* Open a local folder. `path` is NUL-terminated and not empty. */
MUST_USE lp_status store_local_open(arena *table, str path, store **out, lp_err *err);

#endif
