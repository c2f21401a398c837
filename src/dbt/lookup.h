/* lookup.h - indexes over the relations of a project, and its texts.
 * Called by: dbt/project.c.  Must not know: facts.
 */
#ifndef DBT_LOOKUP_H
#define DBT_LOOKUP_H

#include "dbt/dbt_int.h"

void dbt_index_relations(draft *d, const dbt_relation *all, size_t count);

/* Whether a file below compiled/ holds the SQL of a model or snapshot. */
bool dbt_has_compiled_file(const dbt_project *p, const dbt_relation *r, arena *scratch);

#endif
