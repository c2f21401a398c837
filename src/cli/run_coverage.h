/* run_coverage.h - the command `coverage`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#ifndef CLI_RUN_COVERAGE_H
#define CLI_RUN_COVERAGE_H

#include "cli/parse.h"

int run_coverage(const invocation *call, const arguments *a);

#endif
