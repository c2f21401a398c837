/* ddl.h - a catalog from CREATE TABLE statements.
 * Called by: api, stage commands of the tests.  Must not know: queries.
 */
#ifndef PLAN_DDL_H
#define PLAN_DDL_H

#include "base/arena.h"
#include "base/err.h"
#include "plan/catalog_list.h"

/* The tables of a script, with their columns, keys, references and checks, are added to the list. Statements of other
 * kinds are left out; of a table that is created twice the later statement counts; one that is created by a query has
 * open columns. Borrows from `text`. LP_ERR_QUERY: a statement that does not parse, a key over a column that the table
 * has not. */
MUST_USE lp_status ddl_read(catalog_list *into, str text, sql_dialect dialect, lp_err *err);

/* The same as a catalog of its own. Lives in `owner`. */
MUST_USE lp_status catalog_from_ddl(arena *owner, str text, sql_dialect dialect, catalog *out, lp_err *err);

#endif
