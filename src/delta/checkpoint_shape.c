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

static bool is_repeated_text(const pq_node *leaf, const pq_node *above) {
    return leaf && leaf->is_leaf && leaf->type == PQ_BYTE_ARRAY && leaf->max_rep == above->max_rep + 1;
}

const pq_node *shape_text_list(const pq_node *group, str name) {
    const pq_node *list = shape_child(group, name);
    const pq_node *leaf = list ? pq_list_element(list) : NULL;
    return is_repeated_text(leaf, group) ? leaf : NULL;
}

bool shape_text_map(const pq_node *group, str name, const pq_node **key, const pq_node **value) {
    const pq_node *map = shape_child(group, name);
    *key = map ? pq_map_key(map) : NULL;
    *value = map ? pq_map_value(map) : NULL;
    return is_repeated_text(*key, group) && is_repeated_text(*value, group);
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
