/* parse.h - the command line to values, by the table of options.
 * Called by: main.c.  Must not know: what a command does with them.
 *
 * Rules, for every command: an option stands once, save TAKES_PAIR. Long names are written out, never abbreviated. A
 * value that starts with `-` needs the form --name=VALUE (or -nVALUE); a single `-` is a value. `--` ends the options.
 * Every argument is UTF-8. --help and --version win over what stands behind them, mistakes before them win.
 */
#ifndef CLI_PARSE_H
#define CLI_PARSE_H

#include <stdint.h>

#include "cli/table.h"
#include "cli/text.h"

typedef struct option_value {
    bool is_given;
    const char *text;     /* as written, NULL without a value */
    uint64_t count;       /* TAKES_COUNT */
    double number;        /* TAKES_NUMBER */
    size_t choice;        /* TAKES_CHOICE: index of the word */
    const char *bad_pair; /* TAKES_PAIR: the first one without `=`, NULL if all have it */
    text pairs;           /* TAKES_PAIR: see option_pair */
} option_value;

enum { MOST_WORDS = 3 };

typedef struct arguments {
    const char *word[MOST_WORDS];
    int word_count;
    option_value option[OPTION_COUNT];
} arguments;

typedef enum parse_result { PARSE_DONE, PARSE_HELP, PARSE_VERSION, PARSE_WRONG } parse_result;

/* The n-th value of an option that may be given several times, as written; NULL behind the last one. */
const char *option_pair(const option_value *value, size_t n);

/* Give back what parse_arguments took, whatever its result. */
void arguments_free(arguments *a);

/* argv[0] is skipped. `out` borrows from argv. On PARSE_WRONG `mistake` tells what is wrong, in one or two lines. */
parse_result parse_arguments(const invocation *call, int argc, char **argv, arguments *out, text *mistake);

/* The name that an unknown one is probably meant to be, NULL if none is near. */
const char *parse_nearest_command(const char *name);

#endif
