/* dbt_catalog.h - the relations of a dbt project as a catalog that the binder looks names up in.
 * Called by: grain, api.  Must not know: what is declared beyond columns (dbt_relation.fact).
 *
 * A relation is closed when all its columns are known: from catalog.json, from an enforced contract, or because
 * somebody has learned them (dbt_catalog_learn). Otherwise it is open: what the YAML names is known to be there, and
 * there may be more. A catalog.json that lacks a column of the YAML is older than the project, or the YAML is: then the
 * relation is open too. Keys, references and checks of the catalog are left empty: they are facts of the dbt relation
 * behind `source`.
 */
#ifndef GRAIN_DBT_CATALOG_H
#define GRAIN_DBT_CATALOG_H

#include "base/arena.h"
#include "dbt/project.h"
#include "plan/catalog.h"
#include "sql/dialect.h"

typedef struct dbt_catalog dbt_catalog;

/* The relations of `p`, which must stay, under the rules of a dialect. */
dbt_catalog *dbt_catalog_new(arena *owner, const dbt_project *p, sql_dialect dialect);

/* What SQL that `reader` runs finds: the relation whose relation_name has the same parts. Parts compare by the
 * dialect's folding; tables of BigQuery compare byte by byte, as they do there. Of several relations with one name (a
 * seed and the source that stands for it) a parent of the reader goes first, then the reader itself, then the first
 * one. `reader` is NULL for SQL that belongs to no model: then a name with fewer parts finds the only relation whose
 * name ends so. A file that stands for a table
 * ('data/orders.csv') is the source whose relation_name is that text. Lives in `owner`, reads only. */
catalog dbt_catalog_for(const dbt_catalog *c, arena *owner, const dbt_relation *reader);

/* The same, where every relation is open. A column list that is not up to date makes errors of names that are good: a
 * model that does not bind is to be bound again with this. */
catalog dbt_catalog_for_open(const dbt_catalog *c, arena *owner, const dbt_relation *reader);

/* The dbt relation behind one that was found. */
const dbt_relation *dbt_catalog_source(const catalog_relation *r);

/* From now on the relation is closed and has these columns, in order, with names as they are seen. A column that was
 * known before keeps its type. Copies into the arena of the catalog. Not while another thread binds what reads the
 * relation. */
void dbt_catalog_learn(dbt_catalog *c, size_t relation, const str *column, size_t count);

/* The same where somebody knows types too, and quotes; not of a relation that is closed already. Borrows the columns. */
void dbt_catalog_describe(dbt_catalog *c, size_t relation, const catalog_column *column, size_t count);

/* The dialect of a project's adapter. False when the adapter is not known: then *out is ansi. */
bool dbt_catalog_dialect(const dbt_project *p, sql_dialect *out);

#endif
