/* dbt_catalog_int.h - what the two files about dbt projects share.
 * Called by: dbt_catalog.c, declared_dbt.c.  Must not know: operators.
 */
#ifndef GRAIN_DBT_CATALOG_INT_H
#define GRAIN_DBT_CATALOG_INT_H

#include "grain/dbt_catalog.h"
#include "plan/scope_rules.h"

typedef struct known_relation {
    catalog_relation is; /* its source is this */
    const dbt_relation *from;
    bool by_summary;     /* its columns are those of the analysed model */
    bool has_declared;
    declaration_list declared;
} known_relation;

struct dbt_catalog {
    arena *owner;
    const dbt_project *project;
    sql_dialect dialect;
    const scope_rules *rules;
    const grain_summary *const *summary;
    const str *trust;
    size_t trust_count;
    known_relation **known; /* by relation */
    const dbt_relation *reader;
};

known_relation *dbt_catalog_known(dbt_catalog *c, const dbt_relation *r);

#endif
