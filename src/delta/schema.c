/* schema.c - schemaString to columns.
 * Called by: delta/snapshot.c; lookups by predicate.  Must not know: statistics, SQL.
 * Source: PROTOCOL.md: Schema Serialization Format, Column Mapping, Type Widening.
 *
 * The JSON is read in one pass. Keys may stand in any order, so an object's parts are gathered first and judged at its
 * end. Children are built before their parent has its final place; one walk afterwards (`link_columns`) sets what
 * depends on places: parents, leaves, partition indexes.
 */
#include "delta/schema.h"

#include <string.h>

#include "base/buf.h"
#include "base/fold.h"
#include "delta/schema_int.h"

enum { SCHEMA_MAX_DEPTH = 100, MAX_NAME_BYTES = 1 << 20, MAX_TYPE_BYTES = 1 << 16, SHOWN_TYPE_BYTES = 8192 };

typedef struct column_array {
    column *item;
    size_t count, capacity;
} column_array;

/* A type as its JSON gives it. */
typedef struct parsed_type {
    data_type type;
    str text;            /* of all of it: array<struct<a: int>>; of a struct that is no part of a collection: struct */
    str json;            /* TYPE_ARRAY, TYPE_MAP: its object as written */
    column_array fields; /* TYPE_STRUCT */
} parsed_type;

static str describe_token(json_token t) {
    switch (t.kind) {
    case JSON_ERROR: return STR("text that is not JSON");
    case JSON_END: return STR("the end of the text");
    case JSON_OBJECT_BEGIN: return STR("an object");
    case JSON_ARRAY_BEGIN: return STR("an array");
    case JSON_OBJECT_END:
    case JSON_ARRAY_END: return STR("a closing bracket");
    case JSON_KEY: return STR("a key");
    case JSON_STRING: return STR("a string");
    case JSON_NUMBER: return STR("a number");
    case JSON_TRUE:
    case JSON_FALSE: return STR("a boolean");
    case JSON_NULL: return STR("null");
    }
    UNREACHABLE();
}

lp_status schema_expected(schema_parser *p, const char *what, json_token found) {
    if (found.kind == JSON_ERROR) {
        size_t offset;
        str message;
        json_error(p->json, &offset, &message);
        return err_set(p->err, LP_ERR_FORMAT, "schemaString is not JSON: " STR_FMT " (byte %zu)", STR_ARG(message),
                       offset);
    }
    str is = describe_token(found);
    if (str_is_none(p->field))
        return err_set(p->err, LP_ERR_FORMAT, "schemaString: expected %s, found " STR_FMT " (byte %zu)", what,
                       STR_ARG(is), json_offset(p->json));
    return err_set(p->err, LP_ERR_FORMAT,
                   "schemaString, field \"" STR_FMT "\": expected %s, found " STR_FMT " (byte %zu)", STR_ARG(p->field),
                   what, STR_ARG(is), json_offset(p->json));
}

lp_status schema_skip_value(schema_parser *p) {
    if (json_skip(p->json)) return LP_OK;
    return schema_expected(p, "a value", (json_token){.kind = JSON_ERROR});
}

lp_status schema_take_string(schema_parser *p, str *out) {
    json_token t = json_next(p->json);
    *out = STR_NONE;
    if (t.kind == JSON_ERROR) return schema_expected(p, "a value", t);
    if (t.kind == JSON_STRING) *out = str_copy(p->table, json_unescape(p->table, t));
    if (t.kind == JSON_OBJECT_BEGIN || t.kind == JSON_ARRAY_BEGIN) return schema_skip_value(p);
    return LP_OK;
}

static lp_status parse_type(schema_parser *p, json_token first, parsed_type *out);

/* n of `char(n)` (rule N16), 0 for anything else. */
static int32_t char_length(str declared) {
    if (declared.len < 7 || !str_eq_nocase(str_slice(declared, 0, 5), STR("char("))) return 0;
    int64_t n;
    if (declared.ptr[declared.len - 1] != ')' || !str_to_int64(str_slice(declared, 5, declared.len - 1), &n)) return 0;
    return n > 0 && n <= INT32_MAX ? (int32_t)n : 0;
}

static void apply_metadata(column *c, const field_metadata *m, const schema_parser *p) {
    c->physical = p->mapping == MAPPING_NONE ? c->name : m->physical;
    c->generation = p->generated_columns ? m->details.generation : STR_NONE;
    if (m->has_details && !p->in_collection) {
        column_details *details = ARENA_NEW(p->table, column_details);
        *details = m->details;
        c->details = details;
    }
    c->type.was_float = c->type.kind == TYPE_DOUBLE && m->was_float;
    if (c->type.kind != TYPE_STRING) return;
    c->type.char_length = char_length(m->details.char_type);
    if (m->collated) c->type.collated = true;
}

/* The members of one field object, gathered in whatever order they stand. */
typedef struct field_parts {
    bool has_name, has_type;
    parsed_type type;
    field_metadata metadata;
} field_parts;

static lp_status parse_field_member(schema_parser *p, str key, column *c, field_parts *parts) {
    if (str_eq(key, STR("name"))) {
        json_token t = json_next(p->json);
        if (t.kind != JSON_STRING) return schema_expected(p, "a string as name of a field", t);
        c->name = p->field = str_copy(p->table, json_unescape(p->table, t));
        parts->has_name = true;
        return LP_OK;
    }
    if (str_eq(key, STR("type"))) {
        parts->has_type = true;
        str field = p->field; /* nested fields put their own name there */
        lp_status status = parse_type(p, json_next(p->json), &parts->type);
        if (status == LP_OK) p->field = field;
        return status;
    }
    if (str_eq(key, STR("metadata"))) return schema_parse_metadata(p, &parts->metadata);
    if (!str_eq(key, STR("nullable"))) return schema_skip_value(p);
    json_token t = json_next(p->json);
    if (t.kind != JSON_TRUE && t.kind != JSON_FALSE) return schema_expected(p, "a boolean as nullable", t);
    c->nullable = t.kind == JSON_TRUE;
    return LP_OK;
}

static lp_status parse_field(schema_parser *p, column *c) {
    *c = (column){.nullable = true, .partition_index = -1, .leaf_index = UINT32_MAX};
    field_parts parts = {0};
    p->field = STR_NONE;
    for (;;) {
        json_token t = json_next(p->json);
        if (t.kind == JSON_OBJECT_END) break;
        if (t.kind != JSON_KEY) return schema_expected(p, "a key of a field", t);
        TRY(parse_field_member(p, t.text, c, &parts));
    }
    if (!parts.has_name)
        return err_set(p->err, LP_ERR_FORMAT, "schemaString: expected a name in each field, found a field without");
    if (!parts.has_type)
        return err_set(p->err, LP_ERR_FORMAT, "schemaString, field \"" STR_FMT "\": expected a type, found none",
                       STR_ARG(c->name));
    c->type = parts.type.type;
    c->type_text = parts.type.text;
    c->type_json = parts.type.json;
    c->child = parts.type.fields.item;
    c->child_count = parts.type.fields.count;
    apply_metadata(c, &parts.metadata, p);
    if (str_is_none(c->physical) && !p->in_collection) /* rule J4: the logical name must not stand in for it */
        return err_set(p->err, LP_ERR_FORMAT,
                       "schemaString, field \"" STR_FMT
                       "\": expected delta.columnMapping.physicalName, as the table maps "
                       "column names, found none",
                       STR_ARG(c->name));
    return LP_OK;
}

static column *column_array_push(arena *table, column_array *a) {
    if (a->count == a->capacity) {
        size_t capacity = a->capacity ? a->capacity * 2 : 4;
        column *grown = ARENA_ARRAY(table, column, capacity);
        if (a->count) memcpy(grown, a->item, a->count * sizeof *grown);
        a->item = grown;
        a->capacity = capacity;
    }
    return &a->item[a->count++];
}

static lp_status parse_fields(schema_parser *p, column_array *out) {
    json_token t = json_next(p->json);
    if (t.kind != JSON_ARRAY_BEGIN) return schema_expected(p, "an array as fields", t);
    *out = (column_array){0};
    for (;;) {
        t = json_next(p->json);
        if (t.kind == JSON_ARRAY_END) return LP_OK;
        if (t.kind != JSON_OBJECT_BEGIN) return schema_expected(p, "an object as field", t);
        column c;
        TRY(parse_field(p, &c));
        *column_array_push(p->table, out) = c;
    }
}

/* elementType, keyType, valueType: checked and shown, but nothing below a collection can be asked for. */
static lp_status parse_inner_type(schema_parser *p, str *text) {
    bool outer = p->in_collection;
    p->in_collection = true;
    parsed_type inner;
    lp_status status = parse_type(p, json_next(p->json), &inner);
    p->in_collection = outer;
    *text = inner.text;
    return status;
}

/* Cut where it gets long: each level around it holds a copy. */
static str struct_text(schema_parser *p, const column_array *fields) {
    buf text;
    buf_init(&text, p->table, MAX_TYPE_BYTES);
    buf_put(&text, STR("struct<"));
    for (size_t i = 0; i < fields->count; i++) {
        if (text.len + fields->item[i].name.len + fields->item[i].type_text.len > SHOWN_TYPE_BYTES) {
            buf_put(&text, i > 0 ? STR(", ...") : STR("..."));
            break;
        }
        if (i > 0) buf_put(&text, STR(", "));
        buf_put(&text, fields->item[i].name);
        buf_put(&text, STR(": "));
        buf_put(&text, fields->item[i].type_text);
    }
    buf_put_char(&text, '>');
    return buf_str(&text);
}

/* The texts of the parts of a collection; STR_NONE where they were not given. */
typedef struct inner_texts {
    str element, key, value;
} inner_texts;

static str type_object_text(schema_parser *p, const parsed_type *t, const inner_texts *inner) {
    if (t->type.kind == TYPE_STRUCT && p->in_collection) return struct_text(p, &t->fields);
    if (t->type.kind == TYPE_ARRAY) return str_format(p->table, "array<" STR_FMT ">", STR_ARG(inner->element));
    if (t->type.kind == TYPE_MAP)
        return str_format(p->table, "map<" STR_FMT ", " STR_FMT ">", STR_ARG(inner->key), STR_ARG(inner->value));
    return t->type.name;
}

static type_kind kind_of_object(str type_name, data_type *type) {
    if (str_eq(type_name, STR("struct"))) return TYPE_STRUCT;
    if (str_eq(type_name, STR("array"))) return TYPE_ARRAY;
    if (str_eq(type_name, STR("map"))) return TYPE_MAP;
    *type = type_parse(type_name); /* {"type":"variant"} (rule N6), or a kind of object that we do not know */
    return type->kind;
}

static lp_status parse_type_object(schema_parser *p, parsed_type *out) {
    str name = STR_NONE;
    inner_texts inner = {0};
    bool has_fields = false;
    size_t start = json_offset(p->json);
    for (;;) {
        json_token t = json_next(p->json);
        if (t.kind == JSON_OBJECT_END) break;
        if (t.kind != JSON_KEY) return schema_expected(p, "a key of a type", t);
        if (str_eq(t.text, STR("type"))) {
            TRY(schema_take_string(p, &name));
        } else if (str_eq(t.text, STR("fields"))) {
            TRY(parse_fields(p, &out->fields));
            has_fields = true;
        } else if (str_eq(t.text, STR("elementType"))) {
            TRY(parse_inner_type(p, &inner.element));
        } else if (str_eq(t.text, STR("keyType"))) {
            TRY(parse_inner_type(p, &inner.key));
        } else if (str_eq(t.text, STR("valueType"))) {
            TRY(parse_inner_type(p, &inner.value));
        } else {
            TRY(schema_skip_value(p));
        }
    }
    size_t end = json_offset(p->json) + 1;
    if (str_is_none(name)) return schema_expected(p, "a type name in a type", (json_token){.kind = JSON_OBJECT_END});
    out->type.name = name;
    out->type.kind = kind_of_object(name, &out->type);
    if (out->type.kind == TYPE_ARRAY || out->type.kind == TYPE_MAP) out->json = str_slice(p->schema_string, start, end);
    if (out->type.kind != TYPE_STRUCT)
        out->fields = (column_array){0};
    else if (!has_fields)
        return schema_expected(p, "fields in a struct", (json_token){.kind = JSON_OBJECT_END});
    out->text = type_object_text(p, out, &inner);
    return LP_OK;
}

/* `first` is the first token of the type. The one descending function of the parser. */
static lp_status parse_type(schema_parser *p, json_token first, parsed_type *out) {
    *out = (parsed_type){0};
    if (first.kind == JSON_STRING) {
        out->type = type_parse(str_copy(p->table, json_unescape(p->table, first)));
        out->text = out->type.name;
        return LP_OK;
    }
    if (first.kind != JSON_OBJECT_BEGIN) return schema_expected(p, "a string or an object as type", first);
    if (p->depth == SCHEMA_MAX_DEPTH)
        return err_set(p->err, LP_ERR_LIMIT, "schemaString: types are nested deeper than %d levels", SCHEMA_MAX_DEPTH);
    p->depth++;
    lp_status status = parse_type_object(p, out);
    p->depth--;
    return status;
}

static void count_leaves(const column *c, size_t count, size_t *leaves) {
    for (size_t i = 0; i < count; i++) {
        if (c[i].type.kind == TYPE_STRUCT)
            count_leaves(c[i].child, c[i].child_count, leaves);
        else
            (*leaves)++;
    }
}

static void link_columns(schema *s, column *c, size_t count, const column *parent) {
    for (size_t i = 0; i < count; i++) {
        c[i].parent = parent;
        if (c[i].type.kind == TYPE_STRUCT) {
            link_columns(s, c[i].child, c[i].child_count, &c[i]);
        } else {
            c[i].leaf_index = (uint32_t)s->leaf_count;
            s->leaf[s->leaf_count++] = &c[i];
        }
    }
}

static column *find_top(const schema *s, str name) {
    for (size_t i = 0; i < s->top_count; i++)
        if (str_eq(s->top[i].name, name)) return &s->top[i];
    for (size_t i = 0; i < s->top_count; i++) /* written with another case by some writers */
        if (str_eq_folded(s->top[i].name, name)) return &s->top[i];
    return NULL;
}

static lp_status link_partitions(arena *table, const str *name, size_t count, schema *s, lp_err *err) {
    s->partition = ARENA_ARRAY(table, const column *, count);
    for (size_t i = 0; i < count; i++) {
        column *c = find_top(s, name[i]);
        if (!c)
            return err_set(err, LP_ERR_FORMAT, "partition column \"" STR_FMT "\" is not in the schema",
                           STR_ARG(name[i]));
        if (c->partition_index < 0) c->partition_index = (int32_t)i;
        s->partition[s->partition_count++] = c;
    }
    return LP_OK;
}

/* The JSON reader wants readable bytes behind the text. */
static str padded_copy(arena *table, str text) {
    char *copy = arena_alloc(table, text.len + JSON_PADDING);
    memcpy(copy, text.ptr, text.len);
    return (str){copy, text.len};
}

lp_status schema_parse(arena *table, str schema_string, const str *partition_columns, size_t partition_count,
                       mapping_mode mapping, bool generated_columns_enabled, schema *out, lp_err *err) {
    *out = (schema){.mapping = mapping};
    if (schema_string.len == 0) return LP_OK; /* rule N20 */
    schema_parser p = {.table = table,
                       .json = json_reader_new(table),
                       .mapping = mapping,
                       .generated_columns = generated_columns_enabled,
                       .err = err};
    p.schema_string = padded_copy(table, schema_string);
    lp_err reason;
    if (json_start(p.json, p.schema_string, &reason) != LP_OK)
        return err_set(err, LP_ERR_FORMAT, "schemaString is not JSON: %s", reason.text);
    parsed_type root;
    TRY(parse_type(&p, json_next(p.json), &root));
    p.field = STR_NONE;
    json_token end = json_next(p.json);
    if (end.kind != JSON_END) return schema_expected(&p, "the end of the schema", end);
    if (root.type.kind != TYPE_STRUCT)
        return err_set(err, LP_ERR_FORMAT, "schemaString: expected a struct, found type \"" STR_FMT "\"",
                       STR_ARG(root.type.name));
    out->top = root.fields.item;
    out->top_count = root.fields.count;
    if (out->top_count == 0) return LP_OK;
    size_t leaves = 0;
    count_leaves(out->top, out->top_count, &leaves);
    if (leaves >= UINT32_MAX) return err_set(err, LP_ERR_LIMIT, "schemaString: %zu columns are too many", leaves);
    out->leaf = ARENA_ARRAY(table, const column *, leaves);
    link_columns(out, out->top, out->top_count, NULL);
    return link_partitions(table, partition_columns, partition_count, out, err);
}

static column_lookup find_among(const column *c, size_t count, str name, const column **out) {
    size_t matches = 0;
    for (size_t i = 0; i < count; i++) {
        if (!str_eq(c[i].name, name)) continue;
        *out = &c[i];
        matches++;
    }
    if (matches > 0) return matches == 1 ? COLUMN_FOUND : COLUMN_AMBIGUOUS;
    for (size_t i = 0; i < count; i++) {
        if (!str_eq_folded(c[i].name, name)) continue;
        *out = &c[i];
        matches++;
    }
    return matches == 0 ? COLUMN_UNKNOWN : matches == 1 ? COLUMN_FOUND : COLUMN_AMBIGUOUS;
}

column_lookup schema_find(const schema *s, const str *part, size_t part_count, const column **out) {
    *out = NULL;
    const column *among = s->top;
    size_t count = s->top_count;
    for (size_t i = 0; i < part_count; i++) {
        const column *found = NULL;
        column_lookup is = find_among(among, count, part[i], &found);
        if (is != COLUMN_FOUND) return is;
        *out = found;
        among = found->child;
        count = found->child_count;
    }
    return *out ? COLUMN_FOUND : COLUMN_UNKNOWN;
}

bool column_is_identity(const column_details *d) {
    return d && (d->has_identity_start || d->has_identity_step || d->has_identity_mark);
}

str column_dotted_name(const column *c, arena *out_arena) {
    const column *chain[SCHEMA_MAX_DEPTH + 1];
    size_t depth = 0;
    for (const column *at = c; at && depth <= SCHEMA_MAX_DEPTH; at = at->parent) chain[depth++] = at;
    buf text;
    buf_init(&text, out_arena, MAX_NAME_BYTES);
    while (depth > 0) {
        buf_put(&text, chain[--depth]->name);
        if (depth > 0) buf_put_char(&text, '.');
    }
    return buf_str(&text);
}
