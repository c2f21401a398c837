/* artifact.h - the files beside the manifest: catalog.json and run_results.json.
 * Called by: dbt/project.c.  Must not know: the manifest.
 */
#ifndef DBT_ARTIFACT_H
#define DBT_ARTIFACT_H

#include "dbt/dbt_int.h"

/* The columns of relations, in the order of the warehouse, put before those of the YAML. */
MUST_USE lp_status dbt_read_catalog(draft *d, dbt_relation *all, const dbt_bytes *bytes, lp_err *err);

/* The status of each test, into d->last_status. */
MUST_USE lp_status dbt_read_run_results(draft *d, const dbt_bytes *bytes, lp_err *err);

#endif
