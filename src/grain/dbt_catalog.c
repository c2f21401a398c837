/* dbt_catalog.c - the relations of a dbt project as a catalog for the binder.
 * Called by: grain, api.  Must not know: what is declared beyond columns.
 */
#include "grain/dbt_catalog.h"

#include "plan/scope_rules.h"

struct dbt_catalog {
    arena *owner;
    const dbt_project *project;
    sql_dialect dialect;
    catalog_relation *relation; /* as in the project */
    catalog_relation *open;     /* the same, all of them open */
};

/* The context of one reader. */
typedef struct reading {
    const dbt_catalog *catalog;
    const catalog_relation *relation; /* catalog->relation or catalog->open */
    const dbt_relation *reader;
} reading;

/* ---- columns ---- */

/* The columns of a catalog are complete, if the YAML knows none beside them. Of what dbt does not build they are so too
 * when the catalog is as new as the project: then it is the YAML that is old. */
static bool is_closed(const dbt_project *p, const dbt_relation *r) {
    if (r->columns_from == DBT_COLUMNS_OPEN) return false;
    if (r->columns_from == DBT_COLUMNS_CONTRACT || r->closed_count == r->column_count) return true;
    return p->catalog_is_current && r->resource == DBT_SOURCE;
}

static void set_columns(const dbt_catalog *c, const dbt_relation *from, catalog_relation *to) {
    bool closed = is_closed(c->project, from);
    size_t count = closed ? from->closed_count : from->column_count;
    catalog_column *column = ARENA_ARRAY(c->owner, catalog_column, count);
    for (size_t i = 0; i < count; i++) {
        const dbt_column *of = &from->column[i];
        column[i] = (catalog_column){
            .name = of->name.text, .is_quoted = of->name.is_quoted, .type = str_is_none(of->type) ? STR("") : of->type};
    }
    to->column = column;
    to->column_count = count;
    to->is_open = !closed;
}

static void open_up(dbt_catalog *c, size_t relation) {
    c->open[relation] = c->relation[relation];
    c->open[relation].is_open = true;
}

dbt_catalog *dbt_catalog_new(arena *owner, const dbt_project *p, sql_dialect dialect) {
    dbt_catalog *c = ARENA_NEW(owner, dbt_catalog);
    *c = (dbt_catalog){.owner = owner, .project = p, .dialect = dialect};
    c->relation = ARENA_ARRAY(owner, catalog_relation, p->relation_count);
    c->open = ARENA_ARRAY(owner, catalog_relation, p->relation_count);
    for (size_t i = 0; i < p->relation_count; i++) {
        const dbt_relation *r = &p->relation[i];
        c->relation[i].name = str_is_none(r->relation_name) ? r->unique_id : r->relation_name;
        c->relation[i].source = (void *)(uintptr_t)r;
        set_columns(c, r, &c->relation[i]);
        open_up(c, i);
    }
    return c;
}

const dbt_relation *dbt_catalog_source(const catalog_relation *r) {
    return r->source;
}

static str known_type(const dbt_catalog *c, const catalog_relation *r, str name) {
    plain_name seen = {.text = name, .is_quoted = true};
    for (size_t i = 0; i < r->column_count; i++) {
        plain_name known = {.text = r->column[i].name, .is_quoted = r->column[i].is_quoted};
        if (name_equal(scope_rules_of(c->dialect), known, seen)) return r->column[i].type;
    }
    return STR("");
}

void dbt_catalog_learn(dbt_catalog *c, size_t relation, const str *column, size_t count) {
    catalog_relation *r = &c->relation[relation];
    catalog_column *made = ARENA_ARRAY(c->owner, catalog_column, count);
    for (size_t i = 0; i < count; i++)
        made[i] = (catalog_column){
            .name = str_copy(c->owner, column[i]), .is_quoted = true, .type = known_type(c, r, column[i])};
    r->column = made;
    r->column_count = count;
    r->is_open = false;
    open_up(c, relation);
}

void dbt_catalog_describe(dbt_catalog *c, size_t relation, const catalog_column *column, size_t count) {
    catalog_relation *r = &c->relation[relation];
    if (!r->is_open) return;
    r->column = column;
    r->column_count = count;
    r->is_open = false;
    open_up(c, relation);
}

bool dbt_catalog_dialect(const dbt_project *p, sql_dialect *out) {
    if (!str_is_none(p->adapter) && sql_dialect_by_name(p->adapter, out)) return true;
    *out = DIALECT_ansi;
    return false;
}

/* ---- finding ---- */

static bool same_part(const dbt_catalog *c, const ast_part *written, const dbt_name *rendered) {
    if (c->dialect == DIALECT_bigquery) return str_eq(written->text, rendered->text);
    plain_name name = {.text = rendered->text, .is_quoted = rendered->is_quoted};
    return name_equal(scope_rules_of(c->dialect), name_of_part(written), name);
}

/* Whether the name is that of the relation, or, when it may be short, the end of it. */
static bool names(const dbt_catalog *c, const sql_name *name, const dbt_relation *r, bool may_be_short) {
    if (name->part_count > r->part_count || (name->part_count < r->part_count && !may_be_short)) return false;
    const dbt_name *part = r->part + (r->part_count - name->part_count);
    for (size_t i = 0; i < name->part_count; i++)
        if (!same_part(c, &name->part[i], &part[i])) return false;
    return true;
}

static bool is_parent(const dbt_relation *reader, size_t relation) {
    for (size_t i = 0; reader && i < reader->parent_count; i++)
        if (reader->parent[i] == relation) return true;
    return false;
}

/* How near a relation of that name is to the reader. */
static unsigned nearness(const dbt_relation *reader, size_t relation) {
    return is_parent(reader, relation) ? 3 : reader && reader->index == relation ? 2 : 1;
}

/* Of the relations that were found and have that name (NULL: whatever their name) the nearest one. */
static const dbt_relation *nearest(const reading *r, dbt_found found, const sql_name *name, bool may_be_short) {
    const dbt_relation *best = NULL;
    unsigned best_nearness = 0;
    for (size_t i = 0; i < found.count; i++) {
        const dbt_relation *one = &r->catalog->project->relation[found.relation[i]];
        if (name && !names(r->catalog, name, one, may_be_short)) continue;
        if (may_be_short && best && !str_eq(best->relation_name, one->relation_name)) return NULL;
        unsigned near = nearness(r->reader, one->index);
        if (near > best_nearness) best = one, best_nearness = near;
    }
    return best;
}

static const catalog_relation *find(void *context, const sql_name *name) {
    const reading *r = context;
    if (name->part_count == 0) return NULL;
    str last = name->part[name->part_count - 1].text;
    const dbt_relation *found = nearest(r, dbt_find_identifier(r->catalog->project, last), name, r->reader == NULL);
    return found ? &r->relation[found->index] : NULL;
}

/* The relation_name of such a source is the text with its quotes. */
static const catalog_relation *find_file(void *context, str file) {
    const reading *r = context;
    const dbt_relation *found = nearest(r, dbt_find_relation_name(r->catalog->project, file), NULL, false);
    return found ? &r->relation[found->index] : NULL;
}

static catalog catalog_for(const dbt_catalog *c, arena *owner, const dbt_relation *reader,
                           const catalog_relation *list) {
    reading *r = ARENA_NEW(owner, reading);
    *r = (reading){.catalog = c, .relation = list, .reader = reader};
    return (catalog){.context = r, .find = find, .find_file = find_file};
}

catalog dbt_catalog_for(const dbt_catalog *c, arena *owner, const dbt_relation *reader) {
    return catalog_for(c, owner, reader, c->relation);
}

catalog dbt_catalog_for_open(const dbt_catalog *c, arena *owner, const dbt_relation *reader) {
    return catalog_for(c, owner, reader, c->open);
}
