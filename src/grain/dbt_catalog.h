/* dbt_catalog.h - a dbt project as a catalog for the binder, and its declarations for the analysis.
 * Called by: grain/project.c, api.  Must not know: how models are analysed.
 */
#ifndef GRAIN_DBT_CATALOG_H
#define GRAIN_DBT_CATALOG_H

#include "dbt/project.h"
#include "grain/grain.h"

typedef struct dbt_catalog dbt_catalog;

/* `summary[i]` is what is known of relation i of the project, NULL when nothing is; entries may come later (the parents of a
 * model before the model is bound). NULL for no summaries. Lives in `owner`. `trust`: kinds of guesses that proofs may use
 * (unique_key, snapshot, entity). A relation's columns are those of its summary, else of catalog.json or its contract; else
 * they are open. */
dbt_catalog *dbt_catalog_new(arena *owner, const dbt_project *p, sql_dialect dialect, const grain_summary *const *summary,
                             const str *trust, size_t trust_count);
catalog dbt_catalog_for_binder(dbt_catalog *c);
/* For the model that is analysed next: whose CTEs stand for ephemeral models. */
grain_input dbt_catalog_input(dbt_catalog *c, const dbt_relation *reader);
declaration_list dbt_catalog_declared(dbt_catalog *c, const dbt_relation *r);

/* The relation that a name in SQL means; NULL when it is none of the project's. */
const dbt_relation *dbt_catalog_relation(dbt_catalog *c, const sql_name *name);
/* How findings call a relation: shop.order_items for a table of a source, order_lines for a model. */
str dbt_display_name(arena *owner, const dbt_relation *r);
/* The dialect of an adapter; false and ANSI for one that is not known. */
bool dbt_dialect_of(const dbt_project *p, sql_dialect *out);

#endif
