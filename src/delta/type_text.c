/* type_text.c - the type of a column as one line.
 * Called by: delta/diff_schema.c, report.  Must not know: what is done with it.
 *
 * What is inside of arrays and maps is no column, so their JSON is read once more, into nodes: a type's text can stand
 * before the key that says whether it may be NULL, and nothing is copied twice. The schema's parser has checked the
 * JSON.
 */
#include "delta/type_text.h"

#include <string.h>

#include "json/json.h"

enum { TYPE_TEXT_MAX_DEPTH = 128 }; /* above the limit of the schema's parser */

/* A type with its name in a struct. */
typedef struct type_node {
    str field, name;
    bool is_required;                      /* may not be NULL */
    struct type_node *child, *last, *next; /* of array, map, struct */
} type_node;

typedef struct type_reader {
    arena *out;
    json_reader *json;
    size_t depth;
} type_reader;

/* ---- from JSON to nodes ---- */

static bool read_type(type_reader *r, type_node *to);

static type_node *add_child(type_reader *r, type_node *to) {
    type_node *child = ARENA_NEW(r->out, type_node);
    if (to->last)
        to->last->next = child;
    else
        to->child = child;
    return to->last = child;
}

static bool read_flag(type_reader *r, bool *is_required) {
    json_token t = json_next(r->json);
    *is_required = t.kind == JSON_FALSE;
    return t.kind == JSON_FALSE || t.kind == JSON_TRUE;
}

static bool read_name(type_reader *r, str *out) {
    json_token t = json_next(r->json);
    if (t.kind == JSON_STRING) *out = json_unescape(r->out, t);
    return t.kind == JSON_STRING;
}

static bool read_field(type_reader *r, type_node *to) {
    for (;;) {
        json_token t = json_next(r->json);
        if (t.kind == JSON_OBJECT_END) return true;
        if (t.kind != JSON_KEY) return false;
        bool good = str_eq(t.text, STR("name"))       ? read_name(r, &to->field)
                    : str_eq(t.text, STR("type"))     ? read_type(r, to)
                    : str_eq(t.text, STR("nullable")) ? read_flag(r, &to->is_required)
                                                      : json_skip(r->json);
        if (!good) return false;
    }
}

static bool read_fields(type_reader *r, type_node *to) {
    if (json_next(r->json).kind != JSON_ARRAY_BEGIN) return false;
    for (;;) {
        json_token t = json_next(r->json);
        if (t.kind == JSON_ARRAY_END) return true;
        if (t.kind != JSON_OBJECT_BEGIN || !read_field(r, add_child(r, to))) return false;
    }
}

/* The members of a type's object. A map's key may never be NULL, so nothing is said of it. */
static bool read_object(type_reader *r, type_node *to) {
    type_node *key = NULL, *value = NULL;
    bool is_required = false;
    for (;;) {
        json_token t = json_next(r->json);
        if (t.kind == JSON_OBJECT_END) break;
        if (t.kind != JSON_KEY) return false;
        bool good;
        if (str_eq(t.text, STR("type")))
            good = read_name(r, &to->name);
        else if (str_eq(t.text, STR("fields")))
            good = read_fields(r, to);
        else if (str_eq(t.text, STR("keyType")))
            good = read_type(r, key = ARENA_NEW(r->out, type_node));
        else if (str_eq(t.text, STR("elementType")) || str_eq(t.text, STR("valueType")))
            good = read_type(r, value = ARENA_NEW(r->out, type_node));
        else if (str_eq(t.text, STR("containsNull")) || str_eq(t.text, STR("valueContainsNull")))
            good = read_flag(r, &is_required);
        else
            good = json_skip(r->json);
        if (!good) return false;
    }
    if (value) value->is_required = is_required;
    if (!key) key = value, value = NULL;
    if (key) to->child = key, key->next = value;
    return true;
}

static bool read_type(type_reader *r, type_node *to) {
    json_token t = json_next(r->json);
    if (t.kind == JSON_STRING) to->name = json_unescape(r->out, t);
    if (t.kind != JSON_OBJECT_BEGIN) return t.kind == JSON_STRING;
    if (r->depth == TYPE_TEXT_MAX_DEPTH) return false;
    r->depth++;
    bool good = read_object(r, to);
    r->depth--;
    return good;
}

/* ---- to text ---- */

static void put_node(buf *out, const type_node *n) {
    buf_put(out, n->name);
    if (n->child) {
        buf_put_char(out, '<');
        for (const type_node *c = n->child; c; c = c->next) {
            if (c != n->child) buf_put(out, STR(", "));
            if (!str_is_none(c->field)) {
                buf_put(out, c->field);
                buf_put(out, STR(": "));
            }
            put_node(out, c);
        }
        buf_put_char(out, '>');
    }
    if (n->is_required) buf_put(out, STR(" not null"));
}

static void put_collection(buf *out, const column *c) {
    type_reader r = {out->owner, json_reader_new(out->owner), 0};
    type_node root = {0};
    lp_err unused;
    if (json_start(r.json, c->type_json, &unused) == LP_OK && read_type(&r, &root))
        put_node(out, &root);
    else
        buf_put(out, c->type.name);
}

static void put_type(buf *out, const column *c) {
    if (c->type.kind == TYPE_STRUCT) {
        buf_put(out, STR("struct<"));
        for (size_t i = 0; i < c->child_count; i++) {
            if (i > 0) buf_put(out, STR(", "));
            buf_put(out, c->child[i].name);
            buf_put(out, STR(": "));
            put_type(out, &c->child[i]);
            if (!c->child[i].nullable) buf_put(out, STR(" not null"));
        }
        buf_put_char(out, '>');
    } else if (!str_is_none(c->type_json)) {
        put_collection(out, c);
    } else if (c->type.char_length > 0) {
        buf_printf(out, "char(%d)", (int)c->type.char_length);
    } else {
        buf_put(out, c->type.name);
    }
}

str type_text(const column *c, arena *out_arena) {
    buf out;
    buf_init(&out, out_arena, SIZE_MAX / 2);
    put_type(&out, c);
    return buf_str(&out);
}
