/* graph.h - who reads whom.
 * Called by: dbt/project.c.  Must not know: facts.
 */
#ifndef DBT_GRAPH_H
#define DBT_GRAPH_H

#include "dbt/dbt_int.h"

/* Set parents and children of all relations, and the order of the project. LP_ERR_FORMAT for a circle. */
MUST_USE lp_status dbt_link(draft *d, dbt_relation *all, size_t count, lp_err *err);

#endif
