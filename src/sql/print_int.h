/* print_int.h - what the printer's sources share.
 * Called by: sql/print.c, sql/print_query.c.  Must not know: dialects.
 */
#ifndef SQL_PRINT_INT_H
#define SQL_PRINT_INT_H

#include "base/buf.h"
#include "sql/ast_query.h"

/* What stands behind a star: EXCEPT (...), REPLACE (...) and so on, with a blank before each. */
void print_star_modifiers(buf *out, const ast_star *star);

#endif
