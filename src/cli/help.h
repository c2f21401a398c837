/* help.h - what --help and `lakeproof help` print.
 * Called by: main.c, manpage.c.  Must not know: how arguments are parsed.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/parse.h"

/* The help of a command, or of `lakeproof` where call->command is NULL. */
void help_render(const invocation *call, text *out);

/* "-w, --where PREDICATE"; a long name without a short one is indented as far. */
void help_option_name(const option_row *row, text *out);

/* `lakeproof help [CODE|COMMAND]`. Returns the exit code. */
int run_help(const invocation *call, const arguments *a);

#endif
