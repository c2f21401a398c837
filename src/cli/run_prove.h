/* run_prove.h - the command `prove`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#ifndef CLI_RUN_PROVE_H
#define CLI_RUN_PROVE_H

#include "cli/parse.h"

int run_prove(const invocation *call, const arguments *a);

#endif
