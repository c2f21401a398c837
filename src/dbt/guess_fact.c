/* guess_fact.c - what is likely and what nobody keeps or tests: snapshots, incremental models, entities of semantic
 * models. Called by: dbt/project.c.  Must not know: tests, constraints, meta. Source: dbt's documentation of snapshots,
 * incremental models and semantic models.
 */
#include "dbt/fact.h"

static dbt_fact guess(dbt_source_kind from, str origin, str file) {
    return (dbt_fact){.from = from, .trust = DBT_GUESS, .origin = origin, .file = file};
}

static void add(draft *d, relation_draft *on, dbt_fact base, dbt_fact_kind kind, bool is_lax, const dbt_name *column,
                size_t count) {
    base.kind = kind;
    base.is_lax = is_lax;
    if (count) (void)dbt_add_fact(d, on, base, column, count);
}

/* ---- snapshots ---- */

/* The name of a column that dbt adds; config.snapshot_meta_column_names may give another. */
static str added_column(const relation_draft *on, str name) {
    str renamed = tree_string(tree_get2(on->config, STR("snapshot_meta_column_names"), name));
    return str_is_none(renamed) ? name : renamed;
}

static void guess_snapshot(draft *d, relation_draft *on) {
    const dbt_relation *r = on->relation;
    size_t count;
    bool bad;
    dbt_fact base = guess(DBT_FROM_SNAPSHOT, STR("snapshot"), r->original_file_path);
    const dbt_name *id = dbt_column_named(d, r, added_column(on, STR("dbt_scd_id")));
    const dbt_name *from = dbt_column_named(d, r, added_column(on, STR("dbt_valid_from")));
    add(d, on, base, DBT_KEY, false, id, 1);
    add(d, on, base, DBT_NOT_NULL, false, id, 1);
    add(d, on, base, DBT_NOT_NULL, false, from, 1);
    const dbt_name *key = dbt_columns_of(d, r, tree_get(on->config, STR("unique_key")), &count, &bad);
    if (bad) return;
    dbt_name *versions = ARENA_ARRAY(d->keep, dbt_name, count + 1);
    for (size_t i = 0; i < count; i++) versions[i] = key[i];
    versions[count] = *from;
    add(d, on, base, DBT_KEY, true, versions, count + 1);
    str to = added_column(on, STR("dbt_valid_to")),
        now = tree_string(tree_get(on->config, STR("dbt_valid_to_current")));
    base.condition = str_is_none(now) ? str_format(d->keep, STR_FMT " is null", STR_ARG(to))
                                      : str_format(d->keep, STR_FMT " is null or " STR_FMT " = " STR_FMT, STR_ARG(to),
                                                   STR_ARG(to), STR_ARG(now));
    add(d, on, base, DBT_KEY, true, key, count);
}

/* ---- incremental models ---- */

/* A key to match new rows with, and no constraint: the first build and a full refresh do not look at it. */
static void guess_incremental(draft *d, relation_draft *on) {
    size_t count;
    bool bad;
    const dbt_name *key = dbt_columns_of(d, on->relation, tree_get(on->config, STR("unique_key")), &count, &bad);
    dbt_fact base = guess(DBT_FROM_INCREMENTAL, STR("config.unique_key"), on->relation->original_file_path);
    if (!bad) add(d, on, base, DBT_KEY, true, key, count);
}

/* ---- semantic models ---- */

static size_t relation_of(const draft *d, const semantic_draft *s) {
    for (size_t i = 0; i < s->depends_count; i++) {
        size_t found = dbt_find_id(d->project, s->depends_on[i]);
        if (found != DBT_NO_RELATION) return found;
    }
    return DBT_NO_RELATION;
}

/* expr is a column or an expression; without it the name of the entity is that of the column. */
static str column_text(const tree *entity) {
    str expr = tree_string(tree_get(entity, STR("expr")));
    return str_is_none(expr) ? tree_string(tree_get(entity, STR("name"))) : expr;
}

static const tree *items(const tree *list) {
    return list && list->kind == TREE_ARRAY ? list->first : NULL;
}

static bool is_key_type(str type) {
    return str_eq(type, STR("primary")) || str_eq(type, STR("unique"));
}

/* The one semantic model over another relation in which an entity of that name is a key. */
static const tree *find_entity(const draft *d, str name, size_t but, size_t *relation) {
    const tree *found = NULL;
    for (size_t i = 0; i < d->semantic_count; i++) {
        size_t at = relation_of(d, &d->semantic[i]);
        for (const tree *e = items(d->semantic[i].entities); e; e = e->next) {
            if (at == but || at == DBT_NO_RELATION || !str_eq(tree_string(tree_get(e, STR("name"))), name)) continue;
            if (!is_key_type(tree_string(tree_get(e, STR("type"))))) continue;
            if (found) return NULL;
            found = e;
            *relation = at;
        }
    }
    return found;
}

static void guess_foreign(draft *d, relation_draft *on, dbt_fact base, const tree *entity, const dbt_name *column) {
    size_t other;
    str name = tree_string(tree_get(entity, STR("name")));
    const tree *key = find_entity(d, name, on->relation->index, &other);
    if (!key) return;
    base.kind = DBT_REFERENCE;
    base.is_lax = true;
    dbt_fact *f = dbt_add_fact(d, on, base, column, 1);
    f->reference.to = other;
    f->reference.to_text = str_copy(d->keep, name);
    f->reference.to_column = dbt_column_named(d, &d->project->relation[other], column_text(key));
    f->reference.to_count = 1;
}

/* The column where validity starts, for a natural key: it names a row only together with it. */
static str validity_start(const semantic_draft *s) {
    for (const tree *t = items(s->dimensions); t; t = t->next)
        if (tree_is_true(tree_get(tree_get2(t, STR("type_params"), STR("validity_params")), STR("is_start"))))
            return column_text(t);
    return STR_NONE;
}

static void guess_natural(draft *d, relation_draft *on, dbt_fact base, const semantic_draft *s,
                          const dbt_name *column) {
    str start = validity_start(s);
    if (str_is_none(start)) return;
    dbt_name *key = ARENA_ARRAY(d->keep, dbt_name, 2);
    key[0] = *column;
    key[1] = *dbt_column_named(d, on->relation, start);
    add(d, on, base, DBT_KEY, true, key, 2);
}

static void guess_entities(draft *d, const semantic_draft *s) {
    size_t at = relation_of(d, s);
    if (at == DBT_NO_RELATION) return;
    relation_draft *on = draft_of(d, at);
    str origin = str_format(d->keep, "semantic model " STR_FMT, STR_ARG(s->name));
    dbt_fact base = guess(DBT_FROM_ENTITY, origin, str_copy(d->keep, s->file));
    for (const tree *e = items(s->entities); e; e = e->next) {
        str type = tree_string(tree_get(e, STR("type"))), text = column_text(e);
        if (str_is_none(text)) continue;
        const dbt_name *column = dbt_column_named(d, on->relation, text);
        bool is_primary = str_eq(type, STR("primary"));
        if (is_key_type(type)) add(d, on, base, DBT_KEY, !is_primary, column, 1);
        if (is_primary) add(d, on, base, DBT_NOT_NULL, false, column, 1);
        if (str_eq(type, STR("natural"))) guess_natural(d, on, base, s, column);
        if (str_eq(type, STR("foreign"))) guess_foreign(d, on, base, e, column);
    }
}

void dbt_guess_facts(draft *d) {
    for (size_t i = 0; i < d->node_count; i++) {
        relation_draft *on = &d->node[i];
        if (on->relation->resource == DBT_SNAPSHOT) guess_snapshot(d, on);
        if (on->relation->resource == DBT_MODEL && on->config) guess_incremental(d, on);
    }
    for (size_t i = 0; i < d->semantic_count; i++) guess_entities(d, &d->semantic[i]);
}
