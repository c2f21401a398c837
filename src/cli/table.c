/* table.c - the rows of the .def files.
 * Called by: every file of cli.  Must not know: how anything is printed or done.
 */
#include "cli/table.h"

#include <stdio.h>
#include <string.h>

const command command_table[COMMAND_COUNT] = {
#define COMMAND(id, name, words, takes, least, most, summary, text)                                                    \
    {COMMAND_##id, #name, words, takes, least, most, summary, text},
#include "cli/command.def"
#undef COMMAND
};

const option_row option_table[OPTION_COUNT] = {
#define OPTION(id, short_name, long_name, takes, value, group, commands, help)                                         \
    {OPTION_##id, short_name, long_name, takes, value, group, commands, help},
#include "cli/option.def"
#undef OPTION
};

const example example_table[] = {
#define EXAMPLE(command, about, arguments) {COMMAND_##command, about, arguments},
#include "cli/example.def"
#undef EXAMPLE
};
const size_t example_count = sizeof example_table / sizeof example_table[0];

const char *option_group_title(option_group group) {
    static const char *const title[GROUP_COUNT] = {
        [GROUP_SQL] = "The SQL",       [GROUP_PROJECT] = "The project", [GROUP_CLAIM] = "The claim",    [GROUP_CHECK] = "The checks",
        [GROUP_FILTER] = "The filter", [GROUP_SNAPSHOT] = "The snapshot",
        [GROUP_OUTPUT] = "The report", [GROUP_GATES] = "Gates",       [GROUP_CLOUD] = "Cloud storage",
        [GROUP_INSIDE] = "Inside",     [GROUP_GENERAL] = "General",
    };
    return title[group];
}

const command *command_find(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(command_table[i].name, name) == 0) return &command_table[i];
    }
    return NULL;
}

bool choice_next_word(const char **rest, const char **word, size_t *size) {
    if (!**rest) return false;
    *word = *rest;
    *size = strcspn(*rest, "|");
    *rest += *size + ((*rest)[*size] == '|');
    return true;
}

int choice_find(const char *choice, const char *word) {
    const char *rest = choice, *candidate;
    size_t size;
    for (int i = 0; choice_next_word(&rest, &candidate, &size); i++) {
        if (strlen(word) == size && memcmp(word, candidate, size) == 0) return i;
    }
    return -1;
}

const char *command_choice(const command *c) {
    static char choice[512];
    snprintf(choice, sizeof choice, "%.*s", (int)strcspn(c->words, " "), c->words);
    return choice;
}

const char *command_synopsis(const command *c) {
    static char synopsis[512];
    snprintf(synopsis, sizeof synopsis, c->least_words ? "[OPTIONS] %s" : "[OPTIONS] [%s]", c->words);
    return synopsis;
}

const char *invocation_name(const invocation *call) {
    static char name[64];
    if (call->is_drop_in) return "delta-explain";
    if (!call->command) return "lakeproof";
    snprintf(name, sizeof name, "lakeproof %s", call->command->name);
    return name;
}
