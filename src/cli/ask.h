/* ask.h - what the commands that ask about a table share: how it is opened, how failures and reports are written.
 * Called by: run_*.c.  Must not know: what is asked.
 */
#ifndef CLI_ASK_H
#define CLI_ASK_H

#include <lakeproof.h>

#include "cli/parse.h"

/* Options of object stores: what is wrong or not there yet is said, and EXIT_FAILED returned; else EXIT_DONE. */
int ask_check_storage(const invocation *call, const arguments *a);

/* --at-version, --threads, --timezone. */
lp_table_options ask_table_options(const arguments *a);

/* The text of --where, or what is on standard input for `-`; nothing without the option. EXIT_DONE, or another exit code
 * after a message. */
int ask_read_predicate(const invocation *call, const arguments *a, text *out);

/* --color, the terminal, the environment. */
bool ask_wants_color(const arguments *a);

/* Say what failed: a usage error with exit code 2, any other with 1. */
int ask_fail(const invocation *call, const lp_err *err);
/* `what name: text of the errno`, exit code 1. */
int ask_fail_at(const invocation *call, const char *what, const char *name, int error);

/* A whole file, `-` for standard input. EXIT_DONE, or another exit code after a message. */
int ask_read_file(const invocation *call, const char *name, text *out);

/* A part of the report that belongs on standard error. It is short, so it is written at once. */
int ask_write_note(const invocation *call, const lp_report *report, lp_part part);

/* A part of the report into a file, which is made or emptied first. */
int ask_write_file(const invocation *call, const lp_report *report, lp_part part, const char *path);

/* The document, on standard output, which is closed. */
int ask_write_report(const invocation *call, const lp_report *report);

#endif
