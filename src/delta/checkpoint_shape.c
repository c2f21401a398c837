/* checkpoint_shape.c - columns by shape.
 * Called by: delta/checkpoint.c, checkpoint_rows.c, stats_parsed.c.  Must not know: what the columns are for.
 */
#include "delta/checkpoint_shape.h"

const pq_node *shape_child(const pq_node *group, str name) {
    return group && !group->is_leaf ? pq_child(group, name) : NULL;
}

static const pq_node *flat_leaf(const pq_node *group, str name) {
    const pq_node *n = shape_child(group, name);
    return n && n->is_leaf && n->max_rep == 0 ? n : NULL;
}

const pq_node *shape_text(const pq_node *group, str name) {
    const pq_node *n = flat_leaf(group, name);
    return n && n->type == PQ_BYTE_ARRAY ? n : NULL;
}

const pq_node *shape_integer(const pq_node *group, str name) {
    const pq_node *n = flat_leaf(group, name);
    return n && (n->type == PQ_INT32 || n->type == PQ_INT64) ? n : NULL;
}

const pq_node *shape_boolean(const pq_node *group, str name) {
    const pq_node *n = flat_leaf(group, name);
    return n && n->type == PQ_BOOLEAN ? n : NULL;
}

/* Down the only children of a list to its leaf: `list.element` and whatever stands for these names. */
const pq_node *shape_text_list(const pq_node *group, str name) {
    const pq_node *list = shape_child(group, name), *n = list;
    while (n && !n->is_leaf) n = n->child_count == 1 ? n->child[0] : NULL;
    return n && n->type == PQ_BYTE_ARRAY && n->max_rep == group->max_rep + 1 ? n : NULL;
}

/* A map is a group around one repeated group of two leaves, the key first. */
bool shape_text_map(const pq_node *group, str name, const pq_node **key, const pq_node **value) {
    const pq_node *map = shape_child(group, name);
    if (!map || map->is_leaf || map->child_count != 1) return false;
    const pq_node *pair = map->child[0];
    if (pair->is_leaf || pair->repetition != PQ_REPEATED || pair->child_count != 2) return false;
    *key = pair->child[0];
    *value = pair->child[1];
    if (str_eq((*key)->name, STR("value"))) *key = pair->child[1], *value = pair->child[0];
    return (*key)->is_leaf && (*value)->is_leaf && (*key)->type == PQ_BYTE_ARRAY && (*value)->type == PQ_BYTE_ARRAY &&
           (*key)->max_rep == group->max_rep + 1 && (*value)->max_rep == group->max_rep + 1;
}

static const pq_node *any_flat_leaf(const pq_node *n) {
    if (n->is_leaf) return n->max_rep == 0 ? n : NULL;
    for (size_t i = 0; i < n->child_count; i++) {
        const pq_node *found = any_flat_leaf(n->child[i]);
        if (found) return found;
    }
    return NULL;
}

const pq_node *shape_presence_leaf(const pq_node *group, const char *const *preferred, size_t preferred_count) {
    for (size_t i = 0; i < preferred_count; i++) {
        const pq_node *n = flat_leaf(group, str_from(preferred[i]));
        if (n) return n;
    }
    return any_flat_leaf(group);
}
