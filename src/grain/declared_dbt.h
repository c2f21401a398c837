/* declared_dbt.h - what a dbt project declares, as declarations of the analysis.
 * Called by: grain/project.c, api.  Must not know: how they are used.
 */
#ifndef GRAIN_DECLARED_DBT_H
#define GRAIN_DECLARED_DBT_H

#include "dbt/project.h"
#include "grain/grain.h"

typedef struct dbt_declared dbt_declared;

/* `summary[i]` is what is known of relation i of the project, NULL when nothing is; entries may come later (the parents of a
 * model before the model is analysed). `trust`: kinds of guesses that proofs may use (unique_key, snapshot, entity). Lives in
 * `owner`. */
dbt_declared *dbt_declared_new(arena *owner, const dbt_project *p, const grain_summary *const *summary, const str *trust,
                               size_t trust_count);
/* For the model that is analysed next: whose CTEs stand for ephemeral models. The relations of its plan are those of a
 * dbt_catalog. */
grain_input dbt_declared_input(dbt_declared *d, const dbt_relation *reader);
/* What is known of a relation beside the project, to stand behind what the project declares. Before anybody asks for the
 * declarations of that relation. Borrows. */
void dbt_declared_add(dbt_declared *d, const dbt_relation *r, declaration_list more);
/* All columns of a relation, by its SQL: what its meta says of others is not used. Before anybody asks, too. Borrows. */
void dbt_declared_columns(dbt_declared *d, const dbt_relation *r, const str *column, size_t count);
declaration_list dbt_declared_of(dbt_declared *d, const dbt_relation *r);

/* How findings call a relation: shop.order_items for a table of a source, order_lines for a model. */
str dbt_display_name(arena *owner, const dbt_relation *r);

#endif
