/* artifact.c - read catalog.json and run_results.json.
 * Called by: dbt/project.c.  Must not know: the manifest.
 * Source: dbt's JSON schemas of catalog.json (v1) and run_results.json (v5, v6).
 */
#include "dbt/artifact.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct reader {
    draft *draft;
    dbt_relation *all;
    document *document;
    json_reader *json;
    arena *scratch;
    uint64_t offset;
} reader;

static lp_status json_fault(const reader *r, lp_err *err) {
    size_t at;
    str message;
    char text[256];
    json_error(r->json, &at, &message);
    snprintf(text, sizeof text, STR_FMT, STR_ARG(message));
    return document_fault(r->document, r->offset + at, text, err);
}

static lp_status start_value(reader *r, lp_err *err) {
    str value;
    arena_reset(r->scratch);
    TRY(document_take(r->document, &value, &r->offset, err));
    return json_start(r->json, value, NULL) == LP_OK ? LP_OK : json_fault(r, err);
}

static reader reader_new(draft *d, dbt_relation *all, arena *memory, const dbt_bytes *bytes) {
    return (reader){.draft = d,
                    .all = all,
                    .document = document_new(memory, bytes),
                    .json = json_reader_new(memory),
                    .scratch = arena_child(memory)};
}

/* ---- catalog.json ---- */

typedef struct listed_column {
    const tree *column;
    int64_t index;
    size_t place;
} listed_column;

static int by_index(const void *a, const void *b) {
    const listed_column *x = a, *y = b;
    if (x->index != y->index) return x->index < y->index ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* The columns of the warehouse in order. */
static listed_column *sort_columns(reader *r, const tree *columns) {
    listed_column *list = ARENA_ARRAY(r->scratch, listed_column, columns->count);
    size_t count = 0;
    for (const tree *t = columns->first; t; t = t->next, count++) {
        list[count] = (listed_column){.column = t, .index = INT64_MAX, .place = count};
        const tree *index = tree_get(t, STR("index"));
        if (index && index->kind == TREE_NUMBER) (void)json_number_to_int64(index->text, &list[count].index);
    }
    qsort(list, count, sizeof *list, by_index);
    return list;
}

/* Which column of the YAML this one is: the same text, else the same but for case where no quotes stand in the way. */
static const dbt_column *declared_as(const dbt_relation *from, str name) {
    const dbt_column *found = NULL;
    for (size_t i = 0; i < from->column_count && i < DBT_COMPARED_MAX; i++) {
        const dbt_column *c = &from->column[i];
        if (str_eq(c->name.text, name)) return c;
        if (!c->name.is_quoted && str_eq_nocase(c->name.text, name)) found = found ? found : c;
    }
    return found;
}

static void merge_columns(reader *r, dbt_relation *to, const tree *columns) {
    listed_column *list = sort_columns(r, columns);
    dbt_column *merged = ARENA_ARRAY(r->draft->keep, dbt_column, columns->count + to->column_count);
    bool *used = ARENA_ARRAY(r->scratch, bool, to->column_count);
    size_t count = 0;
    for (size_t i = 0; i < columns->count; i++) {
        str name = tree_string(tree_get(list[i].column, STR("name")));
        if (str_is_none(name)) name = list[i].column->key;
        const dbt_column *yaml = declared_as(to, name);
        dbt_column *c = &merged[count++];
        if (yaml) *c = *yaml, used[yaml - to->column] = true;
        c->name = (dbt_name){.text = str_copy(r->draft->keep, name), .is_quoted = true};
        str type = tree_string(tree_get(list[i].column, STR("type")));
        if (!str_is_none(type)) c->type = str_copy(r->draft->keep, type);
        c->in_catalog = true;
    }
    to->closed_count = count;
    to->columns_from = DBT_COLUMNS_CATALOG;
    for (size_t i = 0; i < to->column_count; i++)
        if (!used[i]) merged[count++] = to->column[i];
    to->column = merged;
    to->column_count = count;
}

static lp_status read_table(reader *r, str key, lp_err *err) {
    size_t at = dbt_find_id(r->draft->project, key);
    if (at == DBT_NO_RELATION) return document_skip(r->document, err);
    TRY(start_value(r, err));
    const tree *table = tree_read(r->json, json_next(r->json), r->scratch);
    if (!table || json_next(r->json).kind != JSON_END) return json_fault(r, err);
    const tree *columns = tree_get(table, STR("columns"));
    bool again = r->all[at].columns_from == DBT_COLUMNS_CATALOG; /* a key that stands twice: the first is kept */
    if (columns && columns->kind == TREE_OBJECT && columns->count && !again) merge_columns(r, &r->all[at], columns);
    return LP_OK;
}

static lp_status read_metadata(reader *r, lp_err *err) {
    TRY(start_value(r, err));
    const tree *t = tree_read(r->json, json_next(r->json), r->scratch);
    if (!t || json_next(r->json).kind != JSON_END) return json_fault(r, err);
    str id = tree_string(tree_get(t, STR("invocation_id")));
    r->draft->project->catalog_is_current = !str_is_none(id) && str_eq(id, r->draft->invocation_id);
    return LP_OK;
}

static lp_status read_tables(reader *r, const char *what, lp_err *err) {
    bool more;
    str key;
    TRY(document_enter(r->document, what, &more, err));
    while (more) {
        TRY(document_next(r->document, &key, &more, err));
        if (more) TRY(read_table(r, str_copy(r->scratch, key), err));
    }
    return LP_OK;
}

static lp_status read_catalog(reader *r, lp_err *err) {
    bool more;
    str key;
    TRY(document_begin(r->document, err));
    for (;;) {
        TRY(document_next(r->document, &key, &more, err));
        if (!more) return LP_OK;
        if (str_eq(key, STR("metadata")))
            TRY(read_metadata(r, err));
        else if (str_eq(key, STR("nodes")))
            TRY(read_tables(r, "\"nodes\"", err));
        else if (str_eq(key, STR("sources")))
            TRY(read_tables(r, "\"sources\"", err));
        else
            TRY(document_skip(r->document, err));
    }
}

lp_status dbt_read_catalog(draft *d, dbt_relation *all, const dbt_bytes *bytes, lp_err *err) {
    arena *memory = arena_child(d->working);
    reader r = reader_new(d, all, memory, bytes);
    lp_status status = read_catalog(&r, err);
    d->project->has_catalog = true;
    arena_end(memory);
    return status;
}

/* ---- run_results.json ---- */

static bool take_string(reader *r, str *out) {
    json_token t = json_next(r->json);
    if (t.kind == JSON_STRING) *out = json_unescape(r->scratch, t);
    return t.kind == JSON_STRING || t.kind == JSON_NULL;
}

static bool read_result(reader *r, const json_names *names) {
    str field[2] = {STR_NONE, STR_NONE};
    for (;;) {
        size_t which;
        json_kind kind = json_next_wanted(r->json, names, r->scratch, &which);
        if (kind == JSON_OBJECT_END) break;
        if (kind != JSON_KEY || !take_string(r, &field[which])) return false;
    }
    if (str_is_none(field[0]) || str_is_none(field[1])) return true;
    str *status = ARENA_NEW(r->draft->keep, str);
    *status = str_copy(r->draft->keep, field[1]);
    (void)map_put(&r->draft->last_status, str_copy(r->draft->keep, field[0]), status);
    return true;
}

static lp_status read_item(reader *r, const json_names *names, lp_err *err) {
    TRY(start_value(r, err));
    json_token t = json_next(r->json);
    bool good = t.kind == JSON_OBJECT_BEGIN && read_result(r, names);
    size_t at = json_offset(r->json);
    t = json_next(r->json);
    if (t.kind == JSON_ERROR) return json_fault(r, err);
    if (good && t.kind == JSON_END) return LP_OK;
    return document_fault(r->document, r->offset + at, "expected a result with a \"unique_id\" and a \"status\"", err);
}

static lp_status read_results(reader *r, lp_err *err) {
    static const str names[] = {{"unique_id", 9}, {"status", 6}};
    json_names *wanted = json_names_new(r->draft->working, names, 2);
    bool more;
    TRY(document_enter_array(r->document, "\"results\"", &more, err));
    while (more) {
        TRY(document_next_item(r->document, &more, err));
        if (more) TRY(read_item(r, wanted, err));
    }
    return LP_OK;
}

static lp_status read_run_results(reader *r, lp_err *err) {
    bool more;
    str key;
    TRY(document_begin(r->document, err));
    for (;;) {
        TRY(document_next(r->document, &key, &more, err));
        if (!more) return LP_OK;
        if (str_eq(key, STR("results")))
            TRY(read_results(r, err));
        else
            TRY(document_skip(r->document, err));
    }
}

lp_status dbt_read_run_results(draft *d, const dbt_bytes *bytes, lp_err *err) {
    arena *memory = arena_child(d->working);
    reader r = reader_new(d, NULL, memory, bytes);
    lp_status status = read_run_results(&r, err);
    d->project->has_run_results = true;
    arena_end(memory);
    return status;
}
