/* colset.h - sets of column ids.
 * Called by: plan, grain.  Must not know: what a column is.
 *
 * A set lives in an arena and holds a bit for each id between its least and its greatest member: the ids of one
 * operator or expression are close to each other, however many a statement has. Read the members through the functions.
 * The functions that return a set leave their arguments as they are, unless the name says otherwise.
 */
#ifndef PLAN_COLSET_H
#define PLAN_COLSET_H

#include "base/arena.h"

typedef uint32_t column_id;

typedef struct colset {
    uint64_t *word; /* bit i of word[w]: the id 64 * (first + w) + i. All other words are zero */
    uint32_t first, count;
} colset;

#define COLSET_EMPTY ((colset){NULL, 0, 0})

bool colset_has(colset s, column_id id);
bool colset_is_empty(colset s);
size_t colset_count(colset s);
bool colset_equal(colset a, colset b);
bool colset_is_subset(colset part, colset whole);
bool colset_meets(colset a, colset b); /* is there a common member? */

void colset_add(colset *s, column_id id, arena *owner);
void colset_add_all(colset *s, colset more, arena *owner);
void colset_remove(colset *s, column_id id);

colset colset_copy(colset s, arena *owner);
colset colset_union(colset a, colset b, arena *owner);
colset colset_intersection(colset a, colset b, arena *owner);
colset colset_difference(colset a, colset b, arena *owner);

/* The least member not below `from`; false when there is none. */
bool colset_next(colset s, column_id from, column_id *id);

#endif
