/* manpage.h - the manual pages in roff, printed from the table.
 * Called by: main.c.  Must not know: how arguments are parsed.
 */
#ifndef CLI_MANPAGE_H
#define CLI_MANPAGE_H

#include "cli/parse.h"

/* `lakeproof man [PAGE]`. Returns the exit code. */
int run_man(const invocation *call, const arguments *a);

#endif
