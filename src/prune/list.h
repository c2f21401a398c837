/* list.h - a column fact against the items of an IN list, fast for long lists.
 * Called by: prune/program.c (build), prune/eval.c (evaluate).  Must not know: predicates beyond the list.
 */
#ifndef PRUNE_LIST_H
#define PRUNE_LIST_H

#include "prune/compare.h"

typedef struct literal_list literal_list;

literal_list *literal_list_new(arena *query, const literal *item, size_t count);

/* What `column IN (list)` can give: TRUE, FALSE, and NULL where a NULL is in the list or in the column. */
outcome_set fact_in_list(const column_fact *fact, const data_type *type, const literal_list *list, arena *scratch);

#endif
