/* table.h - the commands and options as data: one table for parsing, help, completions and man pages.
 * Called by: every file of cli.  Must not know: how anything is printed or done.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum command_id {
#define COMMAND(id, name, words, takes, least, most, summary, text) COMMAND_##id,
#include "cli/command.def"
#undef COMMAND
    COMMAND_COUNT
} command_id;

/* What the words behind a command are. */
typedef enum command_takes {
    WORDS_FOLDER, /* the folder of a table */
    WORDS_TOPIC,  /* a command or a note code */
    WORDS_CHOICE, /* one of a few words */
    WORDS_FORM,   /* one of a few words, then a file: "parse|print FILE" */
    WORDS_MODEL,  /* the name of a model */
    WORDS_PROJECT /* a folder or a file */
} command_takes;

/* What stands behind an option. */
typedef enum option_takes {
    TAKES_NOTHING,
    TAKES_TEXT,
    TAKES_FILE,   /* text that names a file */
    TAKES_CHOICE, /* one of a few words */
    TAKES_COUNT,  /* decimal, unsigned, 64 bits */
    TAKES_NUMBER, /* decimal, with fraction, exponent, inf or nan */
    TAKES_PAIR    /* KEY=VALUE, may be given several times */
} option_takes;

/* The headings of help, in its order. */
typedef enum option_group {
    GROUP_SQL,
    GROUP_PROJECT,
    GROUP_CLAIM,
    GROUP_CHECK,
    GROUP_FILTER,
    GROUP_SNAPSHOT,
    GROUP_OUTPUT,
    GROUP_GATES,
    GROUP_CLOUD,
    GROUP_INSIDE,
    GROUP_GENERAL,
    GROUP_COUNT
} option_group;

/* Sets of commands, for option.def. */
enum {
    FOR_PRUNE = 1u << COMMAND_PRUNE,
    FOR_SNAPSHOT = 1u << COMMAND_SNAPSHOT,
    FOR_DIFF = 1u << COMMAND_DIFF,
    FOR_WHY = 1u << COMMAND_WHY,
    FOR_TABLE = FOR_PRUNE | FOR_SNAPSHOT | FOR_DIFF | FOR_WHY, /* commands that open a table */
    FOR_SQL = 1u << COMMAND_SQL,
    FOR_FACTS = 1u << COMMAND_FACTS,
    FOR_CHECK = 1u << COMMAND_CHECK,
    FOR_PROVE = 1u << COMMAND_PROVE,
    FOR_COVERAGE = 1u << COMMAND_COVERAGE,
    FOR_ALL = (1u << COMMAND_COUNT) - 1,
    NOT_DROP_IN = 1u << COMMAND_COUNT /* added to a set: unknown under the name delta-explain */
};

typedef enum option_id {
#define OPTION(id, short_name, long_name, takes, value, group, commands, help) OPTION_##id,
#include "cli/option.def"
#undef OPTION
    OPTION_COUNT
} option_id;

typedef struct command {
    command_id id;
    const char *name;
    const char *words; /* "TABLE", "bash|zsh|fish" */
    command_takes takes;
    int least_words;
    int most_words;
    const char *summary; /* no capital, no full stop */
    const char *text;
} command;

typedef struct option_row {
    option_id id;
    char short_name; /* 0 for none */
    const char *long_name;
    option_takes takes;
    const char *value; /* "PREDICATE", "text|json", "" for none */
    option_group group;
    unsigned commands; /* FOR_... */
    const char *help;  /* sentences */
} option_row;

typedef struct example {
    command_id command;
    const char *about;
    const char *arguments;
} example;

extern const command command_table[COMMAND_COUNT];
extern const option_row option_table[OPTION_COUNT];
extern const example example_table[];
extern const size_t example_count;

const char *option_group_title(option_group group);

/* By name; NULL if there is none. */
const command *command_find(const char *name);

static inline bool option_is_for(const option_row *row, const command *c) {
    return (row->commands >> c->id & 1u) != 0;
}

/* The next word of a choice "text|json": its start and size, and where to go on. False at the end. */
bool choice_next_word(const char **rest, const char **word, size_t *size);
/* The choice "parse|print" of words like "parse|print FILE". Valid until the next call. */
const char *command_choice(const command *c);
/* Which word of the choice `word` is, -1 for none. */
int choice_find(const char *choice, const char *word);

/* How the program was called: under which name, for which command. */
typedef struct invocation {
    bool is_drop_in;        /* the name is delta-explain: one command, the layout of that tool */
    const command *command; /* NULL: `lakeproof` alone */
} invocation;

/* Is the option known to this command under this name? */
static inline bool option_is_known(const option_row *row, const invocation *call) {
    return option_is_for(row, call->command) && !(call->is_drop_in && row->commands & NOT_DROP_IN);
}

/* "[OPTIONS] TABLE", with brackets around what may be left out. Valid until the next call. */
const char *command_synopsis(const command *c);

/* "delta-explain", "lakeproof prune" or "lakeproof". Valid until the next call. */
const char *invocation_name(const invocation *call);

#endif
