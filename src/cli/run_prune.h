/* run_prune.h - the command `prune`, which is also all of `delta-explain`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#ifndef CLI_RUN_PRUNE_H
#define CLI_RUN_PRUNE_H

#include "cli/parse.h"

/* Ask the library and print. Returns the exit code. Order: the gates on standard error, the report on standard output,
 * the counters on standard error. */
int run_prune(const invocation *call, const arguments *a);

#endif
