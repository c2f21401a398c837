/* tree.c - a small JSON value as a tree.
 * Called by: dbt.  Must not know: what the names mean.
 */
#include "dbt/tree.h"

static tree *read_value(json_reader *r, json_token t, arena *owner);

static bool read_children(json_reader *r, tree *parent, json_kind end, arena *owner) {
    const tree **link = &parent->first;
    for (;;) {
        json_token t = json_next(r);
        str key = STR_NONE;
        if (t.kind == end) return true;
        if (t.kind == JSON_KEY) {
            key = json_unescape(owner, t);
            t = json_next(r);
        }
        tree *child = read_value(r, t, owner);
        if (!child) return false;
        child->key = key;
        *link = child;
        link = &child->next;
        parent->count++;
    }
}

static tree *read_value(json_reader *r, json_token t, arena *owner) {
    if (t.kind == JSON_ERROR || t.kind == JSON_END) return NULL;
    tree *made = ARENA_NEW(owner, tree);
    switch ((int)t.kind) {
    case JSON_OBJECT_BEGIN:
        made->kind = TREE_OBJECT;
        return read_children(r, made, JSON_OBJECT_END, owner) ? made : NULL;
    case JSON_ARRAY_BEGIN: made->kind = TREE_ARRAY; return read_children(r, made, JSON_ARRAY_END, owner) ? made : NULL;
    case JSON_STRING: made->kind = TREE_STRING, made->text = json_unescape(owner, t); break;
    case JSON_NUMBER: made->kind = TREE_NUMBER, made->text = t.text; break;
    case JSON_TRUE: made->kind = TREE_TRUE, made->text = STR("true"); break;
    case JSON_FALSE: made->kind = TREE_FALSE, made->text = STR("false"); break;
    default: made->kind = TREE_NULL, made->text = STR("null"); break;
    }
    return made;
}

const tree *tree_read(json_reader *r, json_token t, arena *owner) {
    return read_value(r, t, owner);
}

static tree *copy_value(const tree *t, arena *owner) {
    tree *made = ARENA_NEW(owner, tree);
    *made =
        (tree){.kind = t->kind, .key = str_copy(owner, t->key), .text = str_copy(owner, t->text), .count = t->count};
    const tree **link = &made->first;
    for (const tree *child = t->first; child; child = child->next) {
        tree *copy = copy_value(child, owner);
        *link = copy;
        link = &copy->next;
    }
    return made;
}

const tree *tree_copy(const tree *t, arena *owner) {
    return t ? copy_value(t, owner) : NULL;
}

const tree *tree_copy_members(const tree *t, const str *key, size_t count, arena *owner) {
    if (!t || t->kind != TREE_OBJECT) return NULL;
    tree *made = ARENA_NEW(owner, tree);
    made->kind = TREE_OBJECT;
    const tree **link = &made->first;
    for (size_t i = 0; i < count; i++) {
        const tree *member = tree_get(t, key[i]);
        if (!member) continue;
        tree *copy = copy_value(member, owner);
        *link = copy;
        link = &copy->next;
        made->count++;
    }
    return made;
}

const tree *tree_get(const tree *t, str key) {
    const tree *found = NULL;
    if (!t || t->kind != TREE_OBJECT) return NULL;
    for (const tree *child = t->first; child; child = child->next)
        if (str_eq(child->key, key)) found = child;
    return found && found->kind == TREE_NULL ? NULL : found;
}

const tree *tree_get2(const tree *t, str key, str inner) {
    return tree_get(tree_get(t, key), inner);
}

str tree_string(const tree *t) {
    return t && t->kind == TREE_STRING ? t->text : STR_NONE;
}

str tree_scalar(const tree *t) {
    return t && (t->kind == TREE_STRING || t->kind == TREE_NUMBER) ? t->text : STR_NONE;
}

bool tree_is_true(const tree *t) {
    return t && t->kind == TREE_TRUE;
}

const str *tree_strings(const tree *t, arena *owner, size_t *count) {
    *count = 0;
    if (!t || (t->kind != TREE_ARRAY && t->kind != TREE_STRING)) return NULL;
    str *made = ARENA_ARRAY(owner, str, t->kind == TREE_ARRAY ? t->count : 1);
    if (t->kind == TREE_STRING) {
        made[(*count)++] = str_copy(owner, t->text);
        return made;
    }
    for (const tree *child = t->first; child; child = child->next)
        if (child->kind == TREE_STRING) made[(*count)++] = str_copy(owner, child->text);
    return made;
}
