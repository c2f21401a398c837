/* lookup.c - find a relation by its id, by a name that people use, by the name in the warehouse, by ref() and source().
 * Called by: grain, api, dbt.  Must not know: how a dialect folds names.
 */
#include "dbt/lookup.h"

typedef struct found_list {
    dbt_found found; /* first, so that a map can hand it out */
    size_t *item;
    size_t capacity;
} found_list;

static str folded(arena *owner, str text) {
    char *copy = arena_alloc_raw(owner, text.len + 1);
    for (size_t i = 0; i < text.len; i++)
        copy[i] = text.ptr[i] >= 'A' && text.ptr[i] <= 'Z' ? (char)(text.ptr[i] + 32) : text.ptr[i];
    return (str){copy, text.len};
}

/* `key` must live as long as the map. */
static void put(map *m, str key, size_t relation) {
    found_list *list = map_get(m, key);
    if (!list) {
        list = ARENA_NEW(m->owner, found_list);
        (void)map_put(m, key, list);
    }
    if (list->found.count && list->item[list->found.count - 1] == relation) return;
    if (list->found.count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 1;
        size_t *grown = ARENA_ARRAY(m->owner, size_t, capacity);
        for (size_t i = 0; i < list->found.count; i++) grown[i] = list->item[i];
        list->found.relation = list->item = grown;
        list->capacity = capacity;
    }
    list->item[list->found.count++] = relation;
}

static void put_dotted(draft *d, str first, str second, size_t relation) {
    if (str_is_none(first)) return;
    str key = str_format(d->keep, STR_FMT "." STR_FMT, STR_ARG(first), STR_ARG(second));
    put(&d->project->hidden->by_name, folded(d->keep, key), relation);
}

static void index_names(draft *d, const dbt_relation *r) {
    dbt_hidden *h = d->project->hidden;
    put(&h->by_name, folded(d->keep, r->name), r->index);
    if (r->resource == DBT_SOURCE)
        put_dotted(d, r->source_name, r->name, r->index);
    else
        put_dotted(d, r->package, r->name, r->index);
    if (str_is_none(r->version)) return;
    str versioned = str_format(d->keep, STR_FMT ".v" STR_FMT, STR_ARG(r->name), STR_ARG(r->version));
    put(&h->by_name, folded(d->keep, versioned), r->index);
    put_dotted(d, r->package, versioned, r->index);
}

void dbt_index_relations(draft *d, const dbt_relation *all, size_t count) {
    dbt_hidden *h = d->project->hidden;
    map *maps[] = {&h->by_id, &h->by_name, &h->by_identifier, &h->by_relation_name};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_init(maps[i], d->keep);
    for (size_t i = 0; i < count; i++) {
        const dbt_relation *r = &all[i];
        put(&h->by_id, r->unique_id, i);
        index_names(d, r);
        if (str_is_none(r->relation_name)) continue;
        put(&h->by_relation_name, r->relation_name, i);
        if (r->part_count) put(&h->by_identifier, folded(d->keep, r->part[r->part_count - 1].text), i);
    }
}

/* ---- the questions ---- */

size_t dbt_find_id(const dbt_project *p, str unique_id) {
    const dbt_found *found = str_is_none(unique_id) ? NULL : map_get(&p->hidden->by_id, unique_id);
    return found ? found->relation[found->count - 1] : DBT_NO_RELATION; /* as in JSON, the last of a name counts */
}

/* The longest name that is looked up; none that is longer was ever put in by a person. */
#define NAME_MAX_BYTES 1024

static dbt_found find_folded(const map *m, str text) {
    char copy[NAME_MAX_BYTES];
    if (text.len > sizeof copy || str_is_none(text)) return (dbt_found){0};
    for (size_t i = 0; i < text.len; i++)
        copy[i] = text.ptr[i] >= 'A' && text.ptr[i] <= 'Z' ? (char)(text.ptr[i] + 32) : text.ptr[i];
    const dbt_found *found = map_get(m, (str){copy, text.len});
    return found ? *found : (dbt_found){0};
}

dbt_found dbt_find_name(const dbt_project *p, str name) {
    return find_folded(&p->hidden->by_name, name);
}

dbt_found dbt_find_identifier(const dbt_project *p, str identifier) {
    return find_folded(&p->hidden->by_identifier, identifier);
}

dbt_found dbt_find_relation_name(const dbt_project *p, str relation_name) {
    const dbt_found *found = str_is_none(relation_name) ? NULL : map_get(&p->hidden->by_relation_name, relation_name);
    return found ? *found : (dbt_found){0};
}

static bool is_ephemeral_named(const dbt_relation *r, str name) {
    return r->is_ephemeral && r->resource == DBT_MODEL &&
           (str_eq_nocase(r->alias, name) || str_eq_nocase(r->name, name));
}

/* dbt-core: compilation.py names the CTE after the identifier of the model, which for an ephemeral one is its alias. */
size_t dbt_ephemeral_of(const dbt_project *p, const dbt_relation *reader, str cte_name) {
    const str prefix = STR("__dbt__cte__");
    if (!str_eq_nocase(str_slice(cte_name, 0, prefix.len), prefix)) return DBT_NO_RELATION;
    str name = str_slice(cte_name, prefix.len, cte_name.len);
    for (size_t i = 0; reader && i < reader->extra_cte_count; i++) {
        size_t found = dbt_find_id(p, reader->extra_cte[i]);
        if (found != DBT_NO_RELATION && is_ephemeral_named(&p->relation[found], name)) return found;
    }
    for (size_t i = 0; reader && i < reader->parent_count; i++)
        if (is_ephemeral_named(&p->relation[reader->parent[i]], name)) return reader->parent[i];
    size_t only = DBT_NO_RELATION;
    dbt_found found = dbt_find_name(p, name);
    for (size_t i = 0; i < found.count; i++) {
        if (!is_ephemeral_named(&p->relation[found.relation[i]], name)) continue;
        if (only != DBT_NO_RELATION) return DBT_NO_RELATION;
        only = found.relation[i];
    }
    return only;
}

/* ---- ref() and source() ---- */

bool dbt_fits_target(const dbt_relation *r, const dbt_target *t) {
    if (!str_eq(r->name, t->name)) return false;
    if (r->resource == DBT_SOURCE) return (!t->is_call || t->is_source) && str_eq(r->source_name, t->package);
    if (t->is_source) return false;
    if (!str_is_none(t->package) && !str_eq(r->package, t->package)) return false;
    return str_is_none(t->version) ? r->is_latest_version : str_eq(r->version, t->version);
}

/* The only fitting relation of a package (STR_NONE: of all). *several tells that there is more than one. */
static size_t only_of(const dbt_project *p, dbt_found found, const dbt_target *t, str package, bool *several) {
    size_t only = DBT_NO_RELATION;
    *several = false;
    for (size_t i = 0; i < found.count; i++) {
        const dbt_relation *r = &p->relation[found.relation[i]];
        if (!dbt_fits_target(r, t) || (!str_is_none(package) && !str_eq(r->package, package))) continue;
        if (only != DBT_NO_RELATION) *several = true;
        only = found.relation[i];
    }
    return *several ? DBT_NO_RELATION : only;
}

/* dbt looks into the package that asks, then into the root project, then into all. */
size_t dbt_resolve(const dbt_project *p, str text, str from) {
    dbt_target t;
    bool several = false;
    size_t found = dbt_find_id(p, text);
    if (found != DBT_NO_RELATION || !dbt_parse_target(text, &t)) return found;
    dbt_found named = dbt_find_name(p, t.name);
    str packages[] = {from, p->name, STR_NONE};
    for (size_t i = str_is_none(from); i < 3; i++) {
        found = only_of(p, named, &t, packages[i], &several);
        if (found != DBT_NO_RELATION || several) return found;
    }
    return DBT_NO_RELATION;
}
