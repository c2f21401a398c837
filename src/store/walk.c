/* walk.c - everything below the root of a store.
 * Called by: delta.  Must not know: what the files are, how a backend lists.
 *
 * One listing a level lies in memory, in an arena of the level that is used again for its next folder.
 */
#include "base/buf.h"
#include "store/store.h"

enum { WALK_MAX_DEPTH = 256, WALK_MAX_PATH_BYTES = 1 << 20 };

typedef struct walk_level {
    arena memory;
    store_entries entries;
    size_t next;     /* entry */
    size_t path_len; /* of the folder, with a `/` behind it unless it is the root */
} walk_level;

typedef struct walk {
    store *files;
    walk_level *level[WALK_MAX_DEPTH + 1]; /* by depth, made when first needed */
    arena *owner;
    buf path;
} walk;

static void end_level(void *resource) {
    arena_end(&((walk_level *)resource)->memory);
}

static walk_level *level_at(walk *w, size_t depth) {
    walk_level *l = w->level[depth];
    if (l) {
        arena_reset(&l->memory);
        return l;
    }
    defer_slot *end = arena_defer(w->owner, end_level);
    l = w->level[depth] = ARENA_NEW(w->owner, walk_level);
    arena_init(&l->memory, 0);
    end->resource = l;
    return l;
}

/* List the folder that the path names, up to `path_len`. One that is gone by now, or is no folder any more, is empty.
 */
static lp_status list_folder(walk *w, size_t depth, size_t path_len, lp_err *err) {
    walk_level *l = level_at(w, depth);
    l->next = 0;
    l->path_len = path_len;
    w->path.len = path_len;
    str folder = str_slice(buf_str(&w->path), 0, path_len ? path_len - 1 : 0);
    lp_status status = store_list(w->files, folder, &l->memory, &l->entries, err);
    if (status != LP_ERR_NOT_FOUND || depth == 0) return status;
    l->entries = (store_entries){0};
    return LP_OK;
}

static void end_walk(walk *w) {
    for (size_t i = 0; i <= WALK_MAX_DEPTH && w->level[i]; i++) arena_end(&w->level[i]->memory);
}

lp_status store_walk(store *s, arena *owner, size_t max_depth, store_visit visit, void *context, lp_err *err) {
    walk *w = ARENA_NEW(owner, walk);
    w->files = s;
    w->owner = owner;
    buf_init(&w->path, owner, WALK_MAX_PATH_BYTES);
    if (max_depth > WALK_MAX_DEPTH) max_depth = WALK_MAX_DEPTH;
    size_t depth = 0;
    TRY(list_folder(w, 0, 0, err));
    for (;;) {
        walk_level *l = w->level[depth];
        if (l->next == l->entries.count) {
            if (depth-- == 0) break;
            continue;
        }
        const store_entry *e = &l->entries.item[l->next++];
        w->path.len = l->path_len;
        buf_put(&w->path, e->name);
        store_found found = {buf_str(&w->path), e, e->is_folder && !e->is_link && depth < max_depth};
        bool enter = found.may_enter;
        TRY(visit(context, &found, &enter, err));
        if (!enter || !found.may_enter) continue;
        buf_put_char(&w->path, '/');
        TRY(list_folder(w, ++depth, w->path.len, err));
    }
    end_walk(w);
    return LP_OK;
}
