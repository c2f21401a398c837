/* run_diff.h - the command `diff`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#ifndef CLI_RUN_DIFF_H
#define CLI_RUN_DIFF_H

#include "cli/parse.h"

/* Ask the library and print. Returns the exit code. Order: the gate on standard error, the report on standard output, the
 * counters on standard error. */
int run_diff(const invocation *call, const arguments *a);

#endif
