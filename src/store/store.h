/* store.h - bytes and listings by path below one root: local files now, object stores behind the same table later.
 * Called by: delta, api.  Must not know: what the bytes mean.
 *
 * Paths are relative to the root, `/` between parts, never percent-encoded. A path that is absolute or has a part `..`
 * is LP_ERR_FORMAT everywhere: what a log names may not lead out of the table. Reading is thread-safe; so are listing
 * and opening files, where each thread gives an arena of its own.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/arena.h"
#include "base/err.h"

typedef struct store store;
typedef struct store_file store_file;

typedef struct store_entry {
    str name;          /* last part only */
    uint64_t size_bytes;
    int64_t mtime_ms;  /* since 1970-01-01 UTC */
    bool is_folder;
    bool is_regular;   /* false for a dangling link, a FIFO, a device: it is listed, and opening it is an error */
    bool is_link;      /* a symbolic link; the rest is about what it leads to */
} store_entry;

typedef struct store_entries {
    store_entry *item; /* sorted by name, bytewise */
    size_t count;
} store_entries;

/* Open the folder that `uri` names: a local path, or file:// and a percent-encoded path. Lives in `table`.
 * LP_ERR_NOT_FOUND if there is nothing, LP_ERR_IO if it is no folder or cannot be read, LP_ERR_USAGE for a % without
 * two hex digits, LP_ERR_UNSUPPORTED for file:// with a host other than localhost, for s3://, az://, abfss://, gs://
 * and any other scheme (the message names what will bring them). */
MUST_USE lp_status store_open(arena *table, str uri, store **out, lp_err *err);

/* The root as an absolute path without links, for messages. */
str store_root(const store *s);

/* The entries of a folder below the root ("" is the root). LP_ERR_NOT_FOUND if it is not there. Links are followed. */
MUST_USE lp_status store_list(store *s, str folder, arena *out_arena, store_entries *out, lp_err *err);

/* What a walk has come to. */
typedef struct store_found {
    str path;                 /* below the root; borrowed for the call, like the name in the entry */
    const store_entry *entry;
    bool may_enter;           /* a folder that is no link and not too deep */
} store_found;

/* Sees one entry. Where the entry may be entered, *enter is true and may be cleared. */
typedef lp_status (*store_visit)(void *context, const store_found *found, bool *enter, lp_err *err);

/* Visit everything below the root, folder by folder, in the order of the names, a folder before what is in it. Links are
 * never entered, so the walk stays inside of the root and ends; nor are folders more than `max_depth` (at most 256) below
 * the root. A folder that vanished since it was listed is passed over. Keeps the listings of the folders above in `owner`. */
MUST_USE lp_status store_walk(store *s, arena *owner, size_t max_depth, store_visit visit, void *context, lp_err *err);

/* Whether there is a file, without opening it. Links are followed. */
typedef enum store_presence {
    STORE_ABSENT,  /* nothing, or a link to nothing */
    STORE_FILE,    /* a regular file */
    STORE_NO_FILE, /* a folder, a FIFO, a device */
    STORE_UNKNOWN  /* may not be looked at */
} store_presence;

/* Look for a file below the root. A path that leads out of the root is STORE_UNKNOWN. Copies the path in `scratch`. */
store_presence store_look(store *s, arena *scratch, str path, uint64_t *size_bytes);
/* The same for an absolute path in the same store, inside or outside of the root. It tells whether a file is there and
 * never what is in it. */
store_presence store_look_absolute(store *s, arena *scratch, str path, uint64_t *size_bytes);

/* Open for reading. LP_ERR_NOT_FOUND if it is not there or is a link to nothing; anything else that is not a regular
 * file is LP_ERR_IO, and a FIFO is never waited for. The descriptor is closed with the arena `owner`, or by
 * store_close. */
MUST_USE lp_status store_open_file(store *s, arena *owner, str path, store_file **out, lp_err *err);
void store_close(store_file *f);
uint64_t store_file_size(const store_file *f);
str store_file_path(const store_file *f);

/* Exactly `size` bytes from `offset` into `into`; a file that ends before is LP_ERR_FORMAT. */
MUST_USE lp_status store_read(store_file *f, uint64_t offset, void *into, size_t size, lp_err *err);

/* The whole file, with `padding` zero bytes behind its end, in `out_arena`. More than `max_bytes` is LP_ERR_LIMIT. */
MUST_USE lp_status store_read_all(store *s, arena *out_arena, str path, uint64_t max_bytes, size_t padding, str *out,
                                  lp_err *err);

/* Bytes read so far over all files (a work counter, exact, thread-safe). */
uint64_t store_bytes_read(const store *s);

#endif
