/* table_catalog.h - what the schema of a Delta table declares of a relation.
 * Called by: api.  Must not know: queries.
 */
#ifndef API_TABLE_CATALOG_H
#define API_TABLE_CATALOG_H

#include "delta/schema.h"
#include "plan/catalog.h"

/* Its columns in order, each with type and NOT NULL; fields of structs are parts of the type. The table has no other
 * columns. A schema declares no keys. Lives in `owner`; borrows from the schema. */
catalog_relation table_catalog_relation(arena *owner, str name, const schema *s);

#endif
