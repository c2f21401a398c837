/* completion.h - completion scripts for bash, zsh and fish, printed from the table.
 * Called by: main.c.  Must not know: how arguments are parsed.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli/parse.h"

/* `lakeproof completion SHELL`: one script that completes both names. Returns the exit code. */
int run_completion(const invocation *call, const arguments *a);

#endif
