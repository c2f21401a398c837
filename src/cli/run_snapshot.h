/* run_snapshot.h - the command `snapshot`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#ifndef CLI_RUN_SNAPSHOT_H
#define CLI_RUN_SNAPSHOT_H

#include "cli/parse.h"

/* Ask the library and print: the report on standard output, the counters on standard error. Returns the exit code. */
int run_snapshot(const invocation *call, const arguments *a);

#endif
