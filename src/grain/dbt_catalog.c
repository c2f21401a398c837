/* dbt_catalog.c - names of SQL to relations of a dbt project, with their columns.
 * Called by: grain/project.c, api.  Must not know: facts.
 */
#include "grain/dbt_catalog_int.h"

#include "plan/scope_rules.h"

str dbt_display_name(arena *owner, const dbt_relation *r) {
    if (r->resource != DBT_SOURCE) return r->name;
    return str_format(owner, STR_FMT "." STR_FMT, STR_ARG(r->source_name), STR_ARG(r->name));
}

bool dbt_dialect_of(const dbt_project *p, sql_dialect *out) {
    if (!str_is_none(p->adapter) && sql_dialect_by_name(p->adapter, out)) return true;
    (void)sql_dialect_by_name(STR("ansi"), out);
    return false;
}

/* ---- names ---- */

/* The last parts agree: a name with fewer parts leaves the rest open. */
static bool parts_agree(const dbt_catalog *c, const dbt_relation *r, const sql_name *name) {
    size_t count = name->part_count < r->part_count ? name->part_count : r->part_count;
    for (size_t i = 1; i <= count; i++) {
        const dbt_name *theirs = &r->part[r->part_count - i];
        plain_name declared = {theirs->text, theirs->is_quoted};
        if (!name_equal(c->rules, name_of_part(&name->part[name->part_count - i]), declared)) return false;
    }
    return count > 0;
}

const dbt_relation *dbt_catalog_relation(dbt_catalog *c, const sql_name *name) {
    const dbt_project *p = c->project;
    if (!name->part_count) return NULL;
    dbt_found found = dbt_find_identifier(p, name->part[name->part_count - 1].text);
    const dbt_relation *best = NULL;
    for (size_t i = 0; i < found.count; i++) {
        const dbt_relation *r = &p->relation[found.relation[i]];
        if (parts_agree(c, r, name) && (!best || (best->resource == DBT_SOURCE && r->resource != DBT_SOURCE))) best = r;
    }
    if (best || name->part_count != 1) return best;
    found = dbt_find_relation_name(p, name->part[0].text);
    return found.count ? &p->relation[found.relation[0]] : NULL;
}

/* ---- columns ---- */

static str type_of(const dbt_relation *r, str name) {
    for (size_t i = 0; i < r->column_count; i++)
        if (str_eq_nocase(r->column[i].name.text, name)) return str_is_none(r->column[i].type) ? STR("") : r->column[i].type;
    return STR("");
}

static void columns_of_summary(dbt_catalog *c, known_relation *k, const grain_summary *s) {
    catalog_column *column = ARENA_ARRAY(c->owner, catalog_column, s->column_count + 1);
    for (size_t i = 0; i < s->column_count; i++)
        column[i] = (catalog_column){.name = s->column[i], .is_quoted = true, .type = type_of(k->from, s->column[i])};
    k->is.column = column, k->is.column_count = s->column_count, k->is.is_open = false;
}

static void columns_of_project(dbt_catalog *c, known_relation *k) {
    const dbt_relation *r = k->from;
    k->is.is_open = r->columns_from == DBT_COLUMNS_OPEN;
    if (k->is.is_open) return; /* those that the YAML names are known when a query names them */
    catalog_column *column = ARENA_ARRAY(c->owner, catalog_column, r->closed_count + 1);
    for (size_t i = 0; i < r->closed_count; i++) {
        const dbt_column *from = &r->column[i];
        column[i] = (catalog_column){.name = from->name.text, .is_quoted = from->name.is_quoted,
                                     .type = str_is_none(from->type) ? STR("") : from->type};
    }
    k->is.column = column, k->is.column_count = r->closed_count;
}

/* Made when it is asked for, and again when its model was analysed in between. */
known_relation *dbt_catalog_known(dbt_catalog *c, const dbt_relation *r) {
    const grain_summary *s = c->summary && r->resource == DBT_MODEL ? c->summary[r->index] : NULL;
    known_relation *k = c->known[r->index];
    bool by_summary = s && !s->is_open && s->column_count;
    if (k && k->by_summary == by_summary) return k;
    declaration_list declared = k ? k->declared : (declaration_list){0};
    bool has_declared = k && k->has_declared;
    k = ARENA_NEW(c->owner, known_relation);
    *k = (known_relation){.from = r, .by_summary = by_summary, .declared = declared, .has_declared = has_declared};
    k->is.name = dbt_display_name(c->owner, r);
    k->is.source = k;
    if (by_summary)
        columns_of_summary(c, k, s);
    else
        columns_of_project(c, k);
    c->known[r->index] = k;
    return k;
}

static const catalog_relation *find(void *context, const sql_name *name) {
    dbt_catalog *c = context;
    const dbt_relation *r = dbt_catalog_relation(c, name);
    return r ? &dbt_catalog_known(c, r)->is : NULL;
}

dbt_catalog *dbt_catalog_new(arena *owner, const dbt_project *p, sql_dialect dialect, const grain_summary *const *summary,
                             const str *trust, size_t trust_count) {
    dbt_catalog *c = ARENA_NEW(owner, dbt_catalog);
    *c = (dbt_catalog){.owner = owner, .project = p, .dialect = dialect, .rules = scope_rules_of(dialect), .summary = summary,
                       .trust = trust, .trust_count = trust_count};
    c->known = ARENA_ARRAY(owner, known_relation *, p->relation_count + 1);
    return c;
}

catalog dbt_catalog_for_binder(dbt_catalog *c) {
    return (catalog){c, find};
}
