/* find_project.c - where the manifest of a project stands, from what the user named.
 * Called by: dbt/project.c.  Must not know: what is in the files.
 */
#include "dbt/find_project.h"

#define PROJECT_FILE  STR("dbt_project.yml")
#define MANIFEST_FILE STR("manifest.json")

typedef struct search {
    arena *owner;
    str place; /* as named */
    located *out;
} search;

static bool has_file(const search *s, store *folder, str path) {
    uint64_t size;
    return store_look(folder, s->owner, path, &size) == STORE_FILE;
}

static str parent_of(str path) {
    size_t at = path.len;
    while (at > 0 && path.ptr[at - 1] != '/') at--;
    return at > 1 ? str_slice(path, 0, at - 1) : at == 1 && path.len > 1 ? str_slice(path, 0, 1) : STR_NONE;
}

/* The folder above, opened; NULL when there is none or it cannot be read. */
static store *open_parent(const search *s, store *folder) {
    lp_err unused;
    store *above;
    str path = parent_of(store_root(folder));
    return !str_is_none(path) && store_open(s->owner, path, &above, &unused) == LP_OK ? above : NULL;
}

static str joined(const search *s, str folder, str name) {
    bool bare = folder.len == 0, slash = folder.len && folder.ptr[folder.len - 1] == '/';
    return str_format(s->owner, STR_FMT "%s" STR_FMT, STR_ARG(folder), bare || slash ? "" : "/", STR_ARG(name));
}

/* The manifest is `file` of `target`. The project is there, or in the folder above. */
static void take(const search *s, store *target, str file, str name) {
    *s->out = (located){.target = target, .file = file, .name = name};
    store *above = has_file(s, target, PROJECT_FILE) ? target : open_parent(s, target);
    if (above && has_file(s, above, PROJECT_FILE)) s->out->root = above;
}

/* A project folder or a target folder. *found is false when it is neither. */
static lp_status look_in(const search *s, store *folder, str name, bool *found, lp_err *err) {
    store *target;
    lp_err unused;
    bool is_project = has_file(s, folder, PROJECT_FILE);
    *found = true;
    if (has_file(s, folder, STR("target/manifest.json")) &&
        store_open(s->owner, joined(s, store_root(folder), STR("target")), &target, &unused) == LP_OK) {
        take(s, target, MANIFEST_FILE, joined(s, name, STR("target/manifest.json")));
        if (!s->out->root) s->out->root = folder;
        return LP_OK;
    }
    if (has_file(s, folder, MANIFEST_FILE)) {
        take(s, folder, MANIFEST_FILE, joined(s, name, MANIFEST_FILE));
        return LP_OK;
    }
    *found = false;
    if (!is_project) return LP_OK;
    return err_set(err, LP_ERR_NOT_FOUND,
                   "expected target/manifest.json in the dbt project " STR_FMT
                   ", found none; run `dbt compile` there, or name the manifest",
                   STR_ARG(store_root(folder)));
}

static lp_status search_upwards(const search *s, lp_err *err) {
    store *folder;
    TRY(store_open(s->owner, STR("."), &folder, err));
    str start = store_root(folder);
    for (unsigned levels = 0; folder && levels < 100; levels++) {
        bool found;
        TRY(look_in(s, folder, levels ? store_root(folder) : STR(""), &found, err));
        if (found) return LP_OK;
        folder = open_parent(s, folder);
    }
    return err_set(err, LP_ERR_NOT_FOUND,
                   "expected a dbt project (dbt_project.yml or target/manifest.json) in " STR_FMT
                   " or a folder above it, found none",
                   STR_ARG(start));
}

/* A manifest named by its path. *found is false when it is no file. */
static void take_file(const search *s, bool *found) {
    store *folder;
    lp_err unused;
    str above = parent_of(s->place), name = s->place;
    if (!str_is_none(above))
        name = str_slice(s->place, above.len + (above.len > 1 || above.ptr[0] != '/'), s->place.len);
    *found = name.len > 0 && store_open(s->owner, str_is_none(above) ? STR(".") : above, &folder, &unused) == LP_OK &&
             has_file(s, folder, name);
    if (*found) take(s, folder, name, s->place);
}

lp_status dbt_locate(arena *owner, str place, located *out, lp_err *err) {
    search s = {.owner = owner, .place = str_copy(owner, place), .out = out};
    bool found;
    store *folder;
    *out = (located){0};
    if (place.len == 0) return search_upwards(&s, err);
    take_file(&s, &found);
    if (found) return LP_OK;
    TRY(store_open(owner, s.place, &folder, err));
    TRY(look_in(&s, folder, s.place, &found, err));
    if (found) return LP_OK;
    return err_set(err, LP_ERR_NOT_FOUND,
                   "expected a dbt project, its target folder or a manifest, found no dbt_project.yml and no "
                   "manifest.json in " STR_FMT,
                   STR_ARG(s.place));
}
