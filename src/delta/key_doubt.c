/* key_doubt.c - two small folds beside the large one.
 * Called by: delta/scan.c, commit_rows.c, checkpoint_rows.c.  Must not know: statistics, printing.
 *
 * A canonical key is decided if some spelling of it is: the canonical one, which is in `decided`, or another one, which
 * is in `moved` under its canonical form.
 */
#include "delta/key_doubt.h"

#include <string.h>

#include "delta/file_path.h"

struct key_doubts {
    const replay *decided;
    replay *moved;
    replay *with_vector; /* paths that commits left live with a vector, as keys without one */
    str root;
};

key_doubts *key_doubts_new(arena *owner, const replay *decided, str root) {
    key_doubts *d = ARENA_NEW(owner, key_doubts);
    *d = (key_doubts){decided, replay_new(owner), replay_new(owner), root};
    return d;
}

void key_doubts_begin_commit(key_doubts *d) {
    replay_begin_commit(d->moved);
}

/* ---- spelling ---- */

/* Told from a few bytes, as nearly all paths are canonical. */
static bool may_differ(str path) {
    if (path.len == 0) return false;
    return path.ptr[0] == '/' || memchr(path.ptr, '%', path.len) ||
           (path.len >= 5 && str_eq_nocase(str_slice(path, 0, 5), STR("file:"))) ||
           str_starts_with(path, STR("./")) || memmem(path.ptr, path.len, "//", 2);
}

str key_canonical_path(arena *scratch, str path, str root) {
    return may_differ(path) ? file_place_of(scratch, path, root).path : path;
}

static bool is_canonical(const key_doubts *d, str path, arena *scratch) {
    return str_eq(key_canonical_path(scratch, path, d->root), path);
}

static bool take_alias(key_doubts *d, file_key key, arena *scratch) {
    file_key canonical = {key_canonical_path(scratch, key.path, d->root), key.dv_id};
    if (str_eq(canonical.path, key.path)) return replay_decides(d->moved, canonical);
    bool is_first = replay_take_add(d->moved, canonical);
    return !is_first || (replay_decides(d->decided, canonical) && is_canonical(d, canonical.path, scratch));
}

static bool row_is_alias(const key_doubts *d, file_key key, arena *scratch) {
    file_key canonical = {key_canonical_path(scratch, key.path, d->root), key.dv_id};
    if (replay_holds(d->moved, canonical)) return true;
    if (str_eq(canonical.path, key.path)) return false;
    return replay_holds(d->decided, canonical) && is_canonical(d, canonical.path, scratch);
}

/* ---- vectors ---- */

/* Live adds stay live, since what comes later is older: it is enough to know the ones before. */
static bool clashes(const key_doubts *d, file_key key) {
    file_key bare = {key.path, STR_NONE};
    if (replay_holds(d->with_vector, bare)) return true;
    return !str_is_none(key.dv_id) && replay_holds_add(d->decided, bare);
}

/* ---- both ---- */

void key_doubts_take_add(key_doubts *d, file_key key, arena *scratch, doubt_counts *counts) {
    counts->aliases += take_alias(d, key, scratch);
    counts->clashes += clashes(d, key);
    if (!str_is_none(key.dv_id)) (void)replay_take_add(d->with_vector, (file_key){key.path, STR_NONE});
}

void key_doubts_take_remove(key_doubts *d, file_key key, arena *scratch) {
    file_key canonical = {key_canonical_path(scratch, key.path, d->root), key.dv_id};
    if (!str_eq(canonical.path, key.path)) replay_take_remove(d->moved, canonical);
}

void key_doubts_of_row(const key_doubts *d, file_key key, arena *scratch, doubt_counts *counts) {
    counts->aliases += row_is_alias(d, key, scratch);
    counts->clashes += clashes(d, key);
}
