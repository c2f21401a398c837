/* model_places.c - the place of something in the compiled SQL of a model, and in the file that its author wrote.
 * Called by: the sources of this room that answer about dbt projects.  Must not know: what stands there.
 */
#include "api/model_places.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/line_map.h"

typedef struct model_texts {
    bool has_raw, has_compiled;
    str file, compiled_file;
    line_map map; /* from the compiled text; without a raw one only its lines are there */
} model_texts;

typedef struct model_places {
    arena *owner;
    const dbt_project *project;
    str prefix;
    model_texts **texts; /* by relation */
} model_places;

/* ---- names of files ---- */

str model_file(arena *owner, const dbt_project *p, str prefix, const dbt_relation *r) {
    if (str_is_none(r->original_file_path)) return STR_NONE;
    if (str_eq(r->package, p->name) || str_is_none(p->name))
        return str_format(owner, STR_FMT STR_FMT, STR_ARG(prefix), STR_ARG(r->original_file_path));
    return str_format(owner, STR_FMT "dbt_packages/" STR_FMT "/" STR_FMT, STR_ARG(prefix), STR_ARG(r->package),
                      STR_ARG(r->original_file_path));
}

/* Compiled paths are below the root as dbt writes them; absolute ones stay. */
static str compiled_file(arena *owner, const model_places *m, const dbt_relation *r) {
    str file = dbt_compiled_file(m->project, r, owner);
    str root = m->project->root;
    if (str_is_none(file)) return file;
    if (!str_is_none(root) && str_starts_with(file, root) && file.len > root.len && file.ptr[root.len] == '/')
        file = str_slice(file, root.len + 1, file.len);
    if (file.len && file.ptr[0] == '/') return file;
    return str_format(owner, STR_FMT STR_FMT, STR_ARG(m->prefix), STR_ARG(file));
}

/* How many names of folders the text adds to the root; SIZE_MAX when it does not lie below. */
static size_t depth_below(str root, str path) {
    size_t depth = 0;
    if (!str_starts_with(path, root)) return SIZE_MAX;
    if (path.len == root.len) return 0;
    if (path.ptr[root.len] != '/') return SIZE_MAX;
    for (size_t i = root.len; i < path.len; i++) depth += path.ptr[i] == '/';
    return depth;
}

str project_prefix(arena *owner, const dbt_project *p, str place) {
    char real[PATH_MAX];
    str name = str_copy(owner, place);
    if (str_is_none(p->root) || !place.len || memchr(place.ptr, '\0', place.len)) return STR("");
    if (!realpath(name.ptr, real)) return STR("");
    size_t depth = depth_below(p->root, str_from(real));
    if (depth == SIZE_MAX) return STR("");
    for (; depth > 0; depth--) {
        while (name.len && name.ptr[name.len - 1] == '/') name.len--;
        while (name.len && name.ptr[name.len - 1] != '/') name.len--;
    }
    while (name.len && name.ptr[name.len - 1] == '/') name.len--;
    while (str_starts_with(name, STR("./"))) name = str_slice(name, 2, name.len);
    if (!name.len || str_eq(name, STR("."))) return place.ptr[0] == '/' ? STR("/") : STR("");
    return str_format(owner, STR_FMT "/", STR_ARG(name));
}

/* ---- texts ---- */

static void read_texts(const model_places *m, const dbt_relation *r, model_texts *t) {
    lp_err unused;
    str raw = STR(""), compiled = STR("");
    t->has_compiled = r->is_compiled && dbt_read_compiled(m->project, r, m->owner, &compiled, &unused) == LP_OK;
    t->has_raw = dbt_read_raw(m->project, r, m->owner, &raw, &unused) == LP_OK;
    t->map = line_map_new(m->owner, compiled, raw);
    t->file = model_file(m->owner, m->project, m->prefix, r);
    t->compiled_file = compiled_file(m->owner, m, r);
}

static const model_texts *texts_of(model_places *m, str model) {
    size_t index = dbt_find_id(m->project, model);
    if (index == DBT_NO_RELATION) return NULL;
    if (!m->texts[index]) {
        m->texts[index] = ARENA_NEW(m->owner, model_texts);
        read_texts(m, &m->project->relation[index], m->texts[index]);
    }
    return m->texts[index];
}

static str line_of(const str *line, size_t count, uint32_t number) {
    return number > 0 && number <= count ? line[number - 1] : STR_NONE;
}

static shown_place find_place(void *context, str model, text_place at) {
    const model_texts *t = texts_of(context, model);
    shown_place shown = {.exists = true, .at = at, .compiled = at};
    if (!t) return shown;
    shown.file = t->file;
    shown.compiled_file = t->compiled_file;
    shown.is_mapped = t->has_raw && t->has_compiled && line_map_find(&t->map, at, &shown.at);
    if (shown.is_mapped)
        shown.line = line_of(t->map.to, t->map.to_count, shown.at.line);
    else if (t->has_compiled)
        shown.line = line_of(t->map.from, t->map.from_count, at.line);
    return shown;
}

place_finder model_places_new(arena *owner, const dbt_project *p, str prefix) {
    model_places *m = ARENA_NEW(owner, model_places);
    *m = (model_places){owner, p, prefix, ARENA_ARRAY(owner, model_texts *, p->relation_count + 1)};
    return (place_finder){find_place, m};
}
