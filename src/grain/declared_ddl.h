/* declared_ddl.h - the declarations of a catalog that was made from DDL.
 * Called by: api, tools.  Must not know: dbt.
 */
#ifndef GRAIN_DECLARED_DDL_H
#define GRAIN_DECLARED_DDL_H

#include "grain/grain.h"

/* Keys, NOT NULL, references, CHECK and GENERATED of the relations of `c`, all enforced. `text`: the DDL. Lives in `owner`,
 * borrows `c`. */
grain_input declared_from_ddl(arena *owner, const catalog *c, str text);

#endif
