/* tree.h - a small JSON value as a tree, for the parts of a node that are looked into by name.
 * Called by: dbt.  Must not know: what the names mean.
 */
#ifndef DBT_TREE_H
#define DBT_TREE_H

#include "json/json.h"

typedef enum tree_kind {
    TREE_NULL,
    TREE_FALSE,
    TREE_TRUE,
    TREE_NUMBER,
    TREE_STRING,
    TREE_ARRAY,
    TREE_OBJECT
} tree_kind;

/* Children are a list in the order of the text. */
typedef struct tree {
    tree_kind kind;
    str key;  /* of a member of an object, escapes resolved */
    str text; /* string, escapes resolved; number as written; `true`, `false`, `null` */
    size_t count;
    const struct tree *first, *next;
} tree;

/* The value whose first token is `t`, read to its end. Its texts borrow from the text given to the reader, or are in
 * `owner`. NULL when the reader met an error. It recurses as deep as the reader goes, JSON_MAX_DEPTH. */
const tree *tree_read(json_reader *r, json_token t, arena *owner);

/* A copy that borrows from nothing. */
const tree *tree_copy(const tree *t, arena *owner);

/* The same of an object with these members alone. NULL when `t` is no object. */
const tree *tree_copy_members(const tree *t, const str *key, size_t count, arena *owner);

/* The member of that name, the last one if there are several; NULL when there is none, when it is null, or when `t` is
 * no object (or NULL). */
const tree *tree_get(const tree *t, str key);
/* The member `inner` of the member `key`. */
const tree *tree_get2(const tree *t, str key, str inner);

/* The text of a string; STR_NONE for everything else. */
str tree_string(const tree *t);
/* The text of a string or number, as YAML writers mix them up: version: 2. STR_NONE for others. */
str tree_scalar(const tree *t);
bool tree_is_true(const tree *t);

/* The strings of an array, copied into `owner`; a lone string is an array of one; what is no string is left out. */
const str *tree_strings(const tree *t, arena *owner, size_t *count);

#endif
