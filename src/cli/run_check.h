/* run_check.h - the command `check`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#ifndef CLI_RUN_CHECK_H
#define CLI_RUN_CHECK_H

#include "cli/parse.h"

int run_check(const invocation *call, const arguments *a);

#endif
