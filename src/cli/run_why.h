/* run_why.h - the command `why`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#ifndef CLI_RUN_WHY_H
#define CLI_RUN_WHY_H

#include "cli/parse.h"

/* Ask the library and print. Returns the exit code. Order: the report on standard output, the counters on standard error. */
int run_why(const invocation *call, const arguments *a);

#endif
