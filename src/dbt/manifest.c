/* manifest.c - walk manifest.json: its version, then node after node.
 * Called by: dbt/project.c.  Must not know: what a fact is.
 * Source: dbt's JSON schema of manifest.json, v10 to v12 and v20.
 */
#include <stdio.h>
#include <string.h>

#include "dbt/dbt_int.h"

static const str field_name[NODE_FIELD_COUNT] = {
#define NODE_FIELD(name) [NODE_##name] = {#name, sizeof #name - 1},
#include "dbt/node_field.def"
#undef NODE_FIELD
};

typedef struct reader {
    draft *draft;
    document *document;
    json_reader *json;
    json_names *fields;
    arena *scratch; /* of one node */
    str value;      /* the node, and where it stands in the file */
    uint64_t offset;
    bool has_metadata;
} reader;

void *dbt_grow(arena *owner, void *items, size_t count, size_t *capacity, size_t item_size) {
    if (count < *capacity) return items;
    *capacity = *capacity ? 2 * *capacity : 8;
    void *grown = arena_alloc_array(owner, *capacity, item_size);
    if (count) memcpy(grown, items, count * item_size);
    return grown;
}

static lp_status json_fault(const reader *r, lp_err *err) {
    size_t at;
    str message;
    json_error(r->json, &at, &message);
    char text[256];
    snprintf(text, sizeof text, STR_FMT, STR_ARG(message));
    return document_fault(r->document, r->offset + at, text, err);
}

/* ---- one value ---- */

static lp_status start_value(reader *r, lp_err *err) {
    TRY(document_take(r->document, &r->value, &r->offset, err));
    return json_start(r->json, r->value, NULL) == LP_OK ? LP_OK : json_fault(r, err);
}

/* The whole value as a tree in `scratch`. */
static lp_status take_tree(reader *r, const tree **out, lp_err *err) {
    TRY(start_value(r, err));
    *out = tree_read(r->json, json_next(r->json), r->scratch);
    return *out && json_next(r->json).kind == JSON_END ? LP_OK : json_fault(r, err);
}

/* Where a string stands in the file. */
static dbt_place place_of(const reader *r, json_token t) {
    return (dbt_place){.offset = r->offset + (size_t)(t.text.ptr - r->value.ptr),
                       .size_bytes = t.text.len,
                       .hash = str_hash(t.text),
                       .exists = true,
                       .is_escaped = t.escaped};
}

static bool names_is_incremental(str code) {
    const str word = STR("is_incremental");
    for (size_t at = 0, step; at + word.len <= code.len; at += step + 1) {
        str rest = str_slice(code, at, code.len);
        if (!str_find_char(rest, word.ptr[0], &step)) return false;
        if (str_starts_with(str_slice(rest, step, rest.len), word)) return true;
    }
    return false;
}

static bool take_field(reader *r, size_t which, node *out) {
    json_token t = json_next(r->json);
    if (t.kind == JSON_STRING && which == NODE_raw_code) {
        out->raw_code = place_of(r, t);
        out->uses_is_incremental = names_is_incremental(t.text);
        return true;
    }
    if (t.kind == JSON_STRING && which == NODE_compiled_code) {
        out->compiled_code = place_of(r, t);
        return true;
    }
    const tree *value = tree_read(r->json, t, r->scratch);
    if (value) out->field[which] = value->kind == TREE_NULL ? NULL : value;
    return value != NULL;
}

static lp_status take_node(reader *r, node *out, lp_err *err) {
    *out = (node){0};
    arena_reset(r->scratch);
    TRY(start_value(r, err));
    json_token t = json_next(r->json);
    if (t.kind == JSON_ERROR) return json_fault(r, err);
    if (t.kind != JSON_OBJECT_BEGIN)
        return document_fault(r->document, r->offset, "expected an object for a node", err);
    for (;;) {
        size_t which;
        json_kind kind = json_next_wanted(r->json, r->fields, r->scratch, &which);
        if (kind == JSON_OBJECT_END) break;
        if (kind != JSON_KEY || !take_field(r, which, out)) return json_fault(r, err);
    }
    return json_next(r->json).kind == JSON_END ? LP_OK : json_fault(r, err);
}

/* ---- drafts ---- */

static str keep(const reader *r, const node *n, node_field which) {
    return str_copy(r->draft->working, tree_string(n->field[which]));
}

static bool is_enabled(const node *n) {
    const tree *enabled = tree_get(n->field[NODE_config], STR("enabled"));
    return !enabled || enabled->kind != TREE_FALSE;
}

static void draft_test(reader *r, const node *n) {
    draft *d = r->draft;
    d->project->test_count++;
    static const str weighed[] = {{"severity", 8},  {"warn_if", 7}, {"error_if", 8},
                                  {"fail_calc", 9}, {"limit", 5},   {"where", 5}};
    if (!dbt_is_known_test(n->field[NODE_test_metadata])) return;
    d->test = dbt_grow(d->working, d->test, d->test_count, &d->test_capacity, sizeof *d->test);
    test_draft *t = &d->test[d->test_count++];
    *t = (test_draft){
        .unique_id = keep(r, n, NODE_unique_id),
        .name = keep(r, n, NODE_name),
        .package = keep(r, n, NODE_package_name),
        .file = keep(r, n, NODE_original_file_path),
        .column_name = keep(r, n, NODE_column_name),
        .attached_node = keep(r, n, NODE_attached_node),
        .config = tree_copy_members(n->field[NODE_config], weighed, sizeof weighed / sizeof *weighed, d->working),
        .metadata = tree_copy(n->field[NODE_test_metadata], d->working),
    };
    t->depends_on = tree_strings(tree_get(n->field[NODE_depends_on], STR("nodes")), d->working, &t->depends_count);
    t->macro = tree_strings(tree_get(n->field[NODE_depends_on], STR("macros")), d->working, &t->macro_count);
}

static void draft_semantic_model(reader *r, const node *n) {
    draft *d = r->draft;
    if (!n->field[NODE_entities]) return;
    d->semantic = dbt_grow(d->working, d->semantic, d->semantic_count, &d->semantic_capacity, sizeof *d->semantic);
    semantic_draft *s = &d->semantic[d->semantic_count++];
    *s = (semantic_draft){
        .name = keep(r, n, NODE_name),
        .file = keep(r, n, NODE_original_file_path),
        .entities = tree_copy(n->field[NODE_entities], d->working),
        .dimensions = tree_copy(n->field[NODE_dimensions], d->working),
    };
    s->depends_on = tree_strings(tree_get(n->field[NODE_depends_on], STR("nodes")), d->working, &s->depends_count);
}

static void draft_node(reader *r, const node *n) {
    str type = tree_string(n->field[NODE_resource_type]);
    if (!is_enabled(n)) return;
    if (str_eq(type, STR("model")))
        dbt_draft_relation(r->draft, n, DBT_MODEL);
    else if (str_eq(type, STR("seed")))
        dbt_draft_relation(r->draft, n, DBT_SEED);
    else if (str_eq(type, STR("snapshot")))
        dbt_draft_relation(r->draft, n, DBT_SNAPSHOT);
    else if (str_eq(type, STR("test")))
        draft_test(r, n);
}

/* ---- the document ---- */

typedef void (*node_taker)(reader *r, const node *n);

static void draft_source(reader *r, const node *n) {
    if (is_enabled(n)) dbt_draft_relation(r->draft, n, DBT_SOURCE);
}

static lp_status read_nodes(reader *r, const char *what, node_taker take, lp_err *err) {
    bool more;
    TRY(document_enter(r->document, what, &more, err));
    if (!more) return LP_OK;
    for (;;) {
        str key;
        node n;
        TRY(document_next(r->document, &key, &more, err));
        if (!more) return LP_OK;
        TRY(take_node(r, &n, err));
        if (str_is_none(tree_string(n.field[NODE_unique_id])))
            return document_fault(r->document, r->offset, "expected a node with a \"unique_id\", found none", err);
        take(r, &n);
    }
}

/* The number in ".../dbt/manifest/v12.json"; false for another text. */
static bool schema_number(str text, uint32_t *number) {
    const str before = STR("/manifest/v"), after = STR(".json");
    int64_t n;
    if (!str_ends_with(text, after)) return false;
    str rest = str_slice(text, 0, text.len - after.len);
    size_t digits = 0;
    while (digits < rest.len && rest.ptr[rest.len - digits - 1] >= '0' && rest.ptr[rest.len - digits - 1] <= '9')
        digits++;
    if (!str_ends_with(str_slice(rest, 0, rest.len - digits), before)) return false;
    if (!str_to_int64(str_slice(rest, rest.len - digits, rest.len), &n) || n > UINT32_MAX) return false;
    *number = (uint32_t)n;
    return true;
}

static lp_status check_version(reader *r, str text, lp_err *err) {
    uint32_t *version = &r->draft->project->schema_version;
    const char *wanted = "the metadata.dbt_schema_version of a dbt manifest, v10 to v12 or v20";
    str name = r->draft->project->manifest_name;
    if (!schema_number(text, version))
        return err_set(err, LP_ERR_FORMAT, STR_FMT ": expected %s, found %s" STR_FMT "%s", STR_ARG(name), wanted,
                       str_is_none(text) ? "none" : "\"", STR_ARG(str_slice(text, 0, 200)),
                       str_is_none(text) ? "" : "\"");
    if ((*version < 10 || *version > 12) && *version != 20)
        return err_set(err, LP_ERR_UNSUPPORTED, STR_FMT ": expected %s, found v%u%s", STR_ARG(name), wanted, *version,
                       *version < 10 ? "; dbt 1.6 or newer writes one that can be read" : "");
    return LP_OK;
}

static dbt_quote quote_of(const tree *quoting, str part) {
    const tree *t = tree_get(quoting, part);
    return !t ? DBT_QUOTE_UNSAID : tree_is_true(t) ? DBT_QUOTE_YES : DBT_QUOTE_NO;
}

static lp_status read_metadata(reader *r, lp_err *err) {
    const tree *t;
    arena_reset(r->scratch);
    TRY(take_tree(r, &t, err));
    dbt_project *p = r->draft->project;
    arena *owner = r->draft->keep;
    r->has_metadata = true;
    TRY(check_version(r, tree_string(tree_get(t, STR("dbt_schema_version"))), err));
    p->name = str_copy(owner, tree_string(tree_get(t, STR("project_name"))));
    p->adapter = str_copy(owner, tree_string(tree_get(t, STR("adapter_type"))));
    p->generated_at = str_copy(owner, tree_string(tree_get(t, STR("generated_at"))));
    r->draft->invocation_id = str_copy(r->draft->working, tree_string(tree_get(t, STR("invocation_id"))));
    const tree *quoting = tree_get(t, STR("quoting"));
    p->quote_database = quote_of(quoting, STR("database"));
    p->quote_schema = quote_of(quoting, STR("schema"));
    p->quote_identifier = quote_of(quoting, STR("identifier"));
    return LP_OK;
}

static lp_status read_member(reader *r, str key, lp_err *err) {
    if (str_eq(key, STR("metadata"))) return read_metadata(r, err);
    if (str_eq(key, STR("nodes"))) return read_nodes(r, "\"nodes\"", draft_node, err);
    if (str_eq(key, STR("sources"))) return read_nodes(r, "\"sources\"", draft_source, err);
    if (str_eq(key, STR("semantic_models"))) return read_nodes(r, "\"semantic_models\"", draft_semantic_model, err);
    return document_skip(r->document, err);
}

static lp_status read_document(reader *r, lp_err *err) {
    TRY(document_begin(r->document, err));
    for (;;) {
        str key;
        bool more;
        TRY(document_next(r->document, &key, &more, err));
        if (!more) return r->has_metadata ? LP_OK : check_version(r, STR_NONE, err);
        TRY(read_member(r, key, err));
    }
}

lp_status dbt_read_manifest(draft *d, const dbt_bytes *bytes, lp_err *err) {
    arena *memory = arena_child(d->working);
    reader r = {
        .draft = d,
        .document = document_new(memory, bytes),
        .json = json_reader_new(memory),
        .fields = json_names_new(memory, field_name, NODE_FIELD_COUNT),
        .scratch = arena_child(memory),
    };
    lp_status status = read_document(&r, err);
    arena_end(memory);
    return status;
}
