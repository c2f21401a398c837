/* relation.c - a model, seed, snapshot or source of the manifest as a relation.
 * Called by: dbt/manifest.c.  Must not know: tests, the other nodes.
 */
#include "dbt/dbt_int.h"

static str keep(const draft *d, const tree *t) {
    return str_copy(d->keep, tree_string(t));
}

/* A member of config that old manifests also mirror one level up: config first. */
static const tree *of_config(const node *n, str key) {
    return tree_get(n->field[NODE_config], key);
}

static void set_names(draft *d, const node *n, dbt_relation *r) {
    bool is_source = r->resource == DBT_SOURCE;
    r->unique_id = keep(d, n->field[NODE_unique_id]);
    r->package = keep(d, n->field[NODE_package_name]);
    r->name = keep(d, n->field[NODE_name]);
    r->source_name = is_source ? keep(d, n->field[NODE_source_name]) : STR_NONE;
    r->alias = keep(d, n->field[is_source ? NODE_identifier : NODE_alias]);
    if (str_is_none(r->alias)) r->alias = r->name;
    r->database = keep(d, n->field[NODE_database]);
    r->schema = keep(d, n->field[NODE_schema]);
    r->relation_name = keep(d, n->field[NODE_relation_name]);
    str version = tree_scalar(n->field[NODE_version]), latest = tree_scalar(n->field[NODE_latest_version]);
    r->version = str_copy(d->keep, version);
    r->is_latest_version = str_is_none(version) || str_eq(version, latest);
    dbt_name part[8];
    r->part_count = dbt_parse_path(r->relation_name, d->keep, part);
    dbt_name *parts = ARENA_ARRAY(d->keep, dbt_name, r->part_count);
    for (size_t i = 0; i < r->part_count; i++) parts[i] = part[i];
    r->part = parts;
}

/* shop://models/schema.yml without its package. */
static str without_package(str path) {
    for (size_t at = 0; at + 3 <= path.len; at++)
        if (str_starts_with(str_slice(path, at, path.len), STR("://"))) return str_slice(path, at + 3, path.len);
    return path;
}

static void set_files(draft *d, const node *n, dbt_relation *r) {
    r->original_file_path = keep(d, n->field[NODE_original_file_path]);
    r->patch_path = without_package(keep(d, n->field[NODE_patch_path]));
    if (r->resource == DBT_SOURCE) r->patch_path = r->original_file_path; /* a source is declared where it is defined */
    r->compiled_path = keep(d, n->field[NODE_compiled_path]);
    r->path = keep(d, n->field[NODE_path]);
    r->raw_code = n->raw_code;
    r->compiled_code = n->compiled_code;
    r->uses_is_incremental = n->uses_is_incremental;
}

/* ---- what the table holds beside the rows of the query ---- */

/* Materializations of dbt and its adapters that hold the rows of the query and no others. */
static bool holds_query(str materialized) {
    static const str known[] = {{"table", 5},     {"view", 4},           {"ephemeral", 9},
                                {"external", 8},  {"dynamic_table", 13}, {"materialized_view", 17},
                                {"snapshot", 8},  {"seed", 4},           {"materializedview", 16}};
    if (str_is_none(materialized)) return true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_eq(known[i], materialized)) return true;
    return false;
}

static size_t skip_blanks(str text, size_t at) {
    while (at < text.len && (unsigned char)text.ptr[at] <= ' ') at++;
    return at;
}

/* Behind the word at `at`, in any case; `at` itself where there is another one. */
static size_t skip_word(str text, size_t at, str word) {
    size_t end = at + word.len;
    if (end > text.len || !str_eq_nocase(str_slice(text, at, end), word)) return at;
    bool goes_on = end < text.len && ((text.ptr[end] | 32) >= 'a' && (text.ptr[end] | 32) <= 'z');
    return goes_on ? at : skip_blanks(text, end);
}

/* insert into {{ this }}, merge into {{ this }}, update {{ this }} */
static bool writes_into_this(str sql) {
    static const str verb[] = {{"insert", 6}, {"merge", 5}, {"update", 6}};
    static const str filler[] = {{"into", 4}, {"overwrite", 9}, {"table", 5}};
    for (size_t start = 0; start < sql.len; start++) {
        for (size_t v = 0; v < sizeof verb / sizeof *verb; v++) {
            size_t at = skip_word(sql, start, verb[v]);
            if (at == start) continue;
            for (size_t i = 0; i < sizeof filler / sizeof *filler; i++) at = skip_word(sql, at, filler[i]);
            if (!str_starts_with(str_slice(sql, at, sql.len), STR("{{"))) continue;
            at = skip_blanks(sql, at + 2);
            if (skip_word(sql, at, STR("this")) != at) return true;
        }
    }
    return false;
}

/* A hook is a text, or an object with one. */
static bool has_writing_hook(const tree *hooks) {
    for (const tree *t = hooks && hooks->kind == TREE_ARRAY ? hooks->first : NULL; t; t = t->next) {
        str sql = t->kind == TREE_OBJECT ? tree_string(tree_get(t, STR("sql"))) : tree_string(t);
        if (!str_is_none(sql) && writes_into_this(sql)) return true;
    }
    return false;
}

static void set_config(draft *d, const node *n, dbt_relation *r) {
    r->materialized = keep(d, of_config(n, STR("materialized")));
    r->language = keep(d, n->field[NODE_language]);
    r->is_python = str_eq(r->language, STR("python"));
    r->is_ephemeral = str_eq(r->materialized, STR("ephemeral"));
    r->is_incremental = str_eq(r->materialized, STR("incremental"));
    r->has_batches = !holds_query(r->materialized);
    r->is_written_by_hook =
        has_writing_hook(of_config(n, STR("post-hook"))) || has_writing_hook(of_config(n, STR("post_hook")));
    r->has_contract = tree_is_true(tree_get(of_config(n, STR("contract")), STR("enforced")));
    const tree *tags = n->field[NODE_tags] ? n->field[NODE_tags] : of_config(n, STR("tags"));
    r->tag = tree_strings(tags, d->keep, &r->tag_count);
    r->fqn = tree_strings(n->field[NODE_fqn], d->keep, &r->fqn_count);
}

static void set_extra_ctes(draft *d, const node *n, dbt_relation *r) {
    const tree *list = n->field[NODE_extra_ctes];
    if (!list || list->kind != TREE_ARRAY) return;
    str *id = ARENA_ARRAY(d->keep, str, list->count);
    for (const tree *t = list->first; t; t = t->next) {
        str text = keep(d, tree_get(t, STR("id")));
        if (!str_is_none(text)) id[r->extra_cte_count++] = text;
    }
    r->extra_cte = id;
}

/* meta is found in config.meta, and mirrored beside config in older manifests. */
static bool is_per_row(const tree *column) {
    const tree *places[] = {tree_get2(column, STR("config"), STR("meta")), tree_get(column, STR("meta"))};
    for (size_t i = 0; i < 2; i++)
        if (tree_is_true(tree_get2(places[i], STR("lakeproof"), STR("per_row")))) return true;
    return false;
}

static void set_columns(draft *d, const node *n, dbt_relation *r) {
    const tree *list = n->field[NODE_columns];
    if (!list || list->kind != TREE_OBJECT) return;
    dbt_column *column = ARENA_ARRAY(d->keep, dbt_column, list->count);
    for (const tree *t = list->first; t; t = t->next) {
        str name = tree_string(tree_get(t, STR("name")));
        dbt_column *c = &column[r->column_count++];
        c->name = dbt_parse_name(str_copy(d->keep, str_is_none(name) ? t->key : name), d->keep);
        c->name.is_expression = false; /* whatever it looks like, it is the name of a column */
        if (tree_is_true(tree_get(t, STR("quote")))) c->name.is_quoted = true;
        c->type = keep(d, tree_get(t, STR("data_type")));
        c->in_yaml = true;
        c->is_yaml_quoted = c->name.is_quoted;
        c->is_per_row = is_per_row(t);
    }
    r->column = column;
    if (r->has_contract && r->resource == DBT_MODEL) {
        r->columns_from = DBT_COLUMNS_CONTRACT;
        r->closed_count = r->column_count;
    }
}

/* The subtrees of meta that are ours, copied; NULL when there are none. */
static const tree *our_meta(draft *d, const tree *meta) {
    bool ours = tree_get(meta, STR("cardinal")) || tree_get(meta, STR("lakeproof"));
    return ours ? tree_copy(meta, d->working) : NULL;
}

/* ---- a Delta table ---- */

static bool take_delta(draft *d, dbt_relation *r, const tree *path, const char *from) {
    str text = tree_string(path);
    if (str_is_none(text) || !text.len || !str_is_none(r->delta_path)) return false;
    r->delta_path = str_copy(d->keep, text);
    r->delta_from = str_from(from);
    r->is_surely_delta = true;
    return true;
}

static void take_delta_of_meta(draft *d, dbt_relation *r, const tree *meta) {
    const str key = STR("delta_path");
    (void)take_delta(d, r, tree_get2(meta, STR("lakeproof"), key), "meta.lakeproof.delta_path");
    (void)take_delta(d, r, tree_get2(meta, STR("cardinal"), key), "meta.cardinal.delta_path");
}

static bool names_delta(str text) {
    for (size_t at = 0; at + 5 <= text.len; at++)
        if (str_eq_nocase(str_slice(text, at, at + 5), STR("delta"))) return true;
    return false;
}

/* The members of `external` are whatever the loader of the project reads; these name a format in one or the other. */
static void take_delta_of_external(draft *d, dbt_relation *r, const tree *external) {
    static const str format[] = {{"using", 5}, {"table_format", 12}, {"file_format", 11}, {"format", 6}};
    bool is_said = false, is_delta = false;
    for (size_t i = 0; i < sizeof format / sizeof *format; i++) {
        str text = tree_string(tree_get(external, format[i]));
        is_said = is_said || !str_is_none(text);
        is_delta = is_delta || (!str_is_none(text) && names_delta(text));
    }
    if (is_said && !is_delta) return;
    if (take_delta(d, r, tree_get(external, STR("location")), "external.location")) r->is_surely_delta = is_delta;
}

static void set_delta(draft *d, const node *n, dbt_relation *r) {
    r->delta_path = r->delta_from = STR_NONE;
    take_delta_of_meta(d, r, tree_get(n->field[NODE_config], STR("meta")));
    take_delta_of_meta(d, r, n->field[NODE_meta]);
    take_delta_of_external(d, r, n->field[NODE_external]);
    take_delta_of_external(d, r, tree_get(n->field[NODE_config], STR("external")));
}

typedef const tree *column_part(const tree *column);

static const tree *constraints_of(const tree *column) {
    const tree *found = tree_get(column, STR("constraints"));
    return found && found->kind == TREE_ARRAY && found->count ? found : NULL;
}

static const tree *our_meta_of(const tree *column) {
    const tree *found = tree_get2(tree_get(column, STR("config")), STR("meta"), STR("lakeproof"));
    return found ? found : tree_get2(column, STR("meta"), STR("lakeproof"));
}

/* An object of the columns that have such a part. */
static const tree *column_parts(draft *d, const node *n, column_part *part) {
    const tree *columns = n->field[NODE_columns];
    tree *list = ARENA_NEW(d->working, tree);
    list->kind = TREE_OBJECT;
    const tree **link = &list->first;
    for (const tree *t = columns && columns->kind == TREE_OBJECT ? columns->first : NULL; t; t = t->next) {
        const tree *found = part(t);
        if (!found) continue;
        tree *copy = ARENA_NEW(d->working, tree);
        *copy = *tree_copy(found, d->working);
        str name = tree_string(tree_get(t, STR("name")));
        copy->key = str_copy(d->working, str_is_none(name) ? t->key : name);
        copy->next = NULL;
        *link = copy;
        link = &copy->next;
        list->count++;
    }
    return list->count ? list : NULL;
}

static void keep_trees(draft *d, const node *n, relation_draft *made) {
    const tree *config = n->field[NODE_config], *constraints = n->field[NODE_constraints];
    const dbt_relation *r = made->relation;
    made->meta[0] = our_meta(d, tree_get(config, STR("meta")));
    made->meta[1] = our_meta(d, n->field[NODE_meta]);
    if (constraints && constraints->kind == TREE_ARRAY && constraints->count)
        made->constraints = tree_copy(constraints, d->working);
    made->column_constraints = column_parts(d, n, constraints_of);
    made->column_meta = column_parts(d, n, our_meta_of);
    if (r->resource == DBT_SNAPSHOT || (r->is_incremental && tree_get(config, STR("unique_key"))))
        made->config = tree_copy(config, d->working);
}

void dbt_draft_relation(draft *d, const node *n, dbt_resource resource) {
    bool is_source = resource == DBT_SOURCE;
    relation_draft **list = is_source ? &d->source : &d->node;
    size_t *count = is_source ? &d->source_count : &d->node_count;
    *list = dbt_grow(d->working, *list, *count, is_source ? &d->source_capacity : &d->node_capacity, sizeof **list);
    relation_draft *made = &(*list)[(*count)++];
    dbt_relation *r = ARENA_NEW(d->working, dbt_relation);
    *made = (relation_draft){.relation = r};
    r->resource = resource;
    set_names(d, n, r);
    set_files(d, n, r);
    set_config(d, n, r);
    set_extra_ctes(d, n, r);
    set_columns(d, n, r);
    set_delta(d, n, r);
    made->depends_on =
        tree_strings(tree_get(n->field[NODE_depends_on], STR("nodes")), d->working, &made->depends_count);
    keep_trees(d, n, made);
}
