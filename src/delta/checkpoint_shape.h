/* checkpoint_shape.h - find the columns of a checkpoint by the shape of its schema.
 * Called by: delta/checkpoint.c, checkpoint_rows.c, stats_parsed.c.  Must not know: what the columns are for.
 * Source: parquet-format: Nested Types (LIST and MAP, with the backward-compatibility rules); PROTOCOL.md: Checkpoint
 * Schema. Writers spell the inner names of lists and maps differently, so only the shape counts (rule C32).
 */
#ifndef DELTA_CHECKPOINT_SHAPE_H
#define DELTA_CHECKPOINT_SHAPE_H

#include "parquet/parquet.h"

/* The child group or leaf, NULL if the group is NULL, is a leaf or has no such child. */
const pq_node *shape_child(const pq_node *group, str name);

/* A child that is a leaf of one of these physical types and does not repeat; else NULL. */
const pq_node *shape_text(const pq_node *group, str name);    /* BYTE_ARRAY */
const pq_node *shape_integer(const pq_node *group, str name); /* INT32 or INT64 */
const pq_node *shape_boolean(const pq_node *group, str name);

/* The leaf of a list of texts; NULL if it is none. */
const pq_node *shape_text_list(const pq_node *group, str name);

/* The two leaves of a map from text to text; false if it is none. */
bool shape_text_map(const pq_node *group, str name, const pq_node **key, const pq_node **value);

/* A leaf below the group that does not repeat, by which one can tell where the group is null: the first of `preferred`
 * that is there, else any; NULL if all its leaves repeat. */
const pq_node *shape_presence_leaf(const pq_node *group, const char *const *preferred, size_t preferred_count);

#endif
