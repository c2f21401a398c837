/* run_sql.h - the command `sql`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#ifndef CLI_RUN_SQL_H
#define CLI_RUN_SQL_H

#include "cli/parse.h"

int run_sql(const invocation *call, const arguments *a);

#endif
