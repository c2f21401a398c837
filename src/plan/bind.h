/* bind.h - from what the author wrote to operators over numbered columns.
 * Called by: api, grain, stage commands of the tests.  Must not know: facts, where a catalog comes from.
 */
#ifndef PLAN_BIND_H
#define PLAN_BIND_H

#include "base/err.h"
#include "plan/plan.h"
#include "sql/dialect.h"

/* The query inside of a statement, with the names of a WITH in front of it: of CREATE ... AS and INSERT their query, of
 * MERGE its source. NULL when there is none. What is made for it lives in `owner`. */
const sql_query *plan_query_of(arena *owner, const sql_statement *s);

/* Bind a query. Lives in `owner`; borrows from the tree, its `text` and `declared` (NULL: nothing is, every
 * relation has open columns). LP_ERR_QUERY: a name that does not resolve or is ambiguous, lists of different length in
 * a set operation, a window that is not defined, and so on: what every engine of the dialect refuses; the message has
 * line, column and carets. What is not modelled is no error: see PLAN_UNKNOWN. */
MUST_USE lp_status plan_bind(arena *owner, str text, sql_dialect dialect, const sql_query *query,
                             const catalog *declared, const plan **out, lp_err *err);

/* Bind a condition or expression of a table's definition (CHECK, GENERATED) over columns of that table in a plan: `name[i]` is
 * `column[i]`. Lives in `owner`; borrows from the tree. LP_ERR_QUERY: a name that is none of them, or a query inside. */
MUST_USE lp_status plan_bind_over(arena *owner, str text, sql_dialect dialect, const column_id *column, const str *name,
                                  size_t count, const ast *from, const plan_expr **out, lp_err *err);

#endif
