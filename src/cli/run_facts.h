/* run_facts.h - the command `facts`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#ifndef CLI_RUN_FACTS_H
#define CLI_RUN_FACTS_H

#include "cli/parse.h"

int run_facts(const invocation *call, const arguments *a);

#endif
