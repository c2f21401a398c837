/* catalog_list.h - a catalog over a list of relations that are found by the last parts of their names.
 * Called by: plan/ddl.c, api.  Must not know: where declarations come from.
 *
 * t and s.t find s.t; a.t does not. A name with more parts than the declared one finds it too: the same relation in a
 * schema that the declaration did not name. Of several that fit the one that was added last counts.
 */
#ifndef PLAN_CATALOG_LIST_H
#define PLAN_CATALOG_LIST_H

#include "base/err.h"
#include "plan/catalog.h"
#include "plan/name_index.h"

typedef struct catalog_list {
    arena *owner;
    const scope_rules *rules;
    struct catalog_entry **entry;
    uint32_t count, capacity;
    hash_index last_parts;
} catalog_list;

/* Lists live in `owner`. Names are compared by the rules of the dialect. */
catalog_list *catalog_list_new(arena *owner, sql_dialect dialect);

/* One more, to be filled by the caller. `name`, borrowed, has at least one part. */
catalog_relation *catalog_list_add(catalog_list *l, const sql_name *name);

/* The list as a catalog. Nothing is added any more; several threads may search. */
catalog catalog_of_list(catalog_list *l);

/* A relation's name by itself, `shop.orders`, read as the dialect reads it. LP_ERR_USAGE for anything else. Lives in
 * `owner`. */
MUST_USE lp_status catalog_parse_name(arena *owner, str text, sql_dialect dialect, const sql_name **out, lp_err *err);

#endif
