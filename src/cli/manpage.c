/* manpage.c - the manual pages in roff, printed from the table.
 * Called by: main.c.  Must not know: how arguments are parsed.
 */
#include "cli/manpage.h"

#include <ctype.h>
#include <lakeproof.h>
#include <string.h>

#include "cli/output.h"

/* Text as roff shows it: a hyphen that can be copied, a backslash, and no line that starts like a request. */
static void put_roff(text *out, const char *words, size_t size) {
    for (size_t i = 0; i < size; i++) {
        bool at_start = out->size == 0 || out->ptr[out->size - 1] == '\n';
        if (at_start && (words[i] == '.' || words[i] == '\'')) text_add(out, "\\&");
        if (words[i] == '-')
            text_add(out, "\\-");
        else if (words[i] == '\\')
            text_add(out, "\\e");
        else if (words[i] == '"')
            text_add(out, "\\(dq"); /* also inside of the quoted argument of a request */
        else if (words[i] == '\'')
            text_add(out, "\\(aq");
        else if (words[i] == '`')
            text_add(out, "\\(ga");
        else if (words[i] == '|')
            text_add(out, "|\\:"); /* a long choice may go on in the next line */
        else
            text_put(out, &words[i], 1);
    }
}

static void put_words(text *out, const char *words) {
    put_roff(out, words, strlen(words));
}

static void put_line(text *out, const char *words) {
    put_words(out, words);
    text_add(out, "\n");
}

static void put_sentence(text *out, const char *words) {
    char first = (char)toupper((unsigned char)words[0]);
    put_roff(out, &first, 1);
    put_words(out, words + 1);
    text_add(out, ".\n");
}

static void put_title(text *out, const char *page, const char *summary) {
    text_add(out, ".TH \"");
    for (const char *c = page; *c; c++) {
        char upper = (char)toupper((unsigned char)*c);
        put_roff(out, &upper, 1);
    }
    text_printf(out, "\" 1 \"\" \"lakeproof %s\" \"User Commands\"\n.SH NAME\n", lp_version());
    put_words(out, page);
    text_add(out, " \\- ");
    put_line(out, summary);
}

static void put_synopsis(text *out, const char *name, const char *rest) {
    text_add(out, ".SH SYNOPSIS\n.B \"");
    put_words(out, name);
    text_add(out, "\"\n");
    put_line(out, rest);
}

/* .TP, then "-w, --where PREDICATE" with the names in bold and the value in italics. */
static void put_option(text *out, const option_row *row) {
    text_add(out, ".TP\n");
    if (row->short_name) text_printf(out, "\\fB\\-%c\\fR, ", row->short_name);
    text_add(out, "\\fB\\-\\-");
    put_words(out, row->long_name);
    text_add(out, "\\fR");
    if (*row->value) {
        text_add(out, row->takes == TAKES_CHOICE ? " \\fB" : " \\fI");
        put_words(out, row->value);
        text_add(out, "\\fR");
    }
    text_add(out, "\n");
    put_line(out, row->help);
}

static void put_options(text *out, const invocation *call) {
    text_add(out, ".SH OPTIONS\n");
    put_line(out,
             "An option stands once, unless it says otherwise, and its name is written out. A value that starts with a "
             "hyphen is written --name=VALUE. -- ends the options.");
    for (int group = 0; group < GROUP_COUNT; group++) {
        bool has_title = false;
        for (size_t i = 0; i < OPTION_COUNT; i++) {
            const option_row *row = &option_table[i];
            if ((int)row->group != group || !option_is_known(row, call)) continue;
            if (!has_title) text_printf(out, ".SS \"%s\"\n", option_group_title(row->group));
            has_title = true;
            put_option(out, row);
        }
    }
}

static void put_examples(text *out, const invocation *call) {
    text_add(out, ".SH EXAMPLES\n");
    for (size_t i = 0; i < example_count; i++) {
        if (example_table[i].command != call->command->id) continue;
        text_add(out, ".TP\n");
        put_line(out, example_table[i].about);
        text_add(out, "\\fB");
        put_words(out, invocation_name(call));
        text_add(out, " ");
        put_words(out, example_table[i].arguments);
        text_add(out, "\\fR\n");
    }
}

static void put_exit_status(text *out) {
    static const char *const row[][2] = {
        {"0", "Done, and every gate passed."},
        {"1", "A gate failed: the report is on standard output, a line `ASSERTION FAILED: ...` on standard error. Or "
              "an error: "
              "standard output is empty, standard error tells what was found and where."},
        {"2", "The call is wrong; standard output is empty."},
    };
    text_add(out, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        text_printf(out, ".TP\n.B %s\n", row[i][0]);
        put_line(out, row[i][1]);
    }
    text_add(out, ".PP\n");
    put_line(out, "A reader that closes the pipe early is no error: the rest is not written, and the exit code follows "
                  "the gates.");
}

static void put_environment(text *out) {
    text_add(out, ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\n");
    put_line(out, "Set to anything but the empty text, it turns colours off where --color is auto.");
}

static void put_command(text *out, const invocation *call, const char *page) {
    const command *c = call->command;
    put_title(out, page, c->summary);
    put_synopsis(out, invocation_name(call), command_synopsis(c));
    text_add(out, ".SH DESCRIPTION\n");
    put_line(out, c->text);
    text_add(out, ".PP\n");
    if (call->is_drop_in) {
        put_line(out, "This is lakeproof under another name: it takes the arguments of delta-explain, prints the text "
                      "and the JSON "
                      "document of that tool, and only its notes. Runtime errors start with `Error: `.");
    } else if (c->id == COMMAND_PRUNE) {
        put_line(
            out,
            "--where - reads the condition from standard input; a newline at its end is taken off. Errors start with "
            "`error: `.");
    }
    put_options(out, call);
    put_exit_status(out);
    put_environment(out);
    put_examples(out, call);
    text_add(out, ".SH SEE ALSO\n.BR lakeproof (1)\n");
}

static void put_program(text *out) {
    put_title(out, "lakeproof", "what a query will do to a lakehouse table, from metadata alone");
    put_synopsis(out, "lakeproof", "COMMAND [OPTIONS] ...");
    text_add(out, ".SH DESCRIPTION\n");
    put_line(out, "lakeproof reads the transaction log of a table, never its data, and shows the proof of every "
                  "statement it makes.");
    text_add(out, ".SH COMMANDS\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        text_add(out, ".TP\n\\fB");
        put_words(out, command_table[i].name);
        text_add(out, "\\fR ");
        put_line(out, command_synopsis(&command_table[i]));
        put_sentence(out, command_table[i].summary);
        put_line(out, command_table[i].text);
    }
    text_add(out, ".SH OPTIONS\n");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (option_table[i].group == GROUP_GENERAL) put_option(out, &option_table[i]);
    }
    put_exit_status(out);
    text_add(out, ".SH SEE ALSO\n.BR lakeproof\\-prune (1),\n.BR lakeproof\\-snapshot (1),\n.BR lakeproof\\-diff "
                  "(1),\n.BR lakeproof\\-sql (1),\n.BR lakeproof\\-facts (1),\n.BR lakeproof\\-check (1),\n.BR lakeproof\\-prove (1),\n.BR lakeproof\\-coverage (1),\n.BR delta\\-explain (1)\n");
}

int run_man(const invocation *call, const arguments *a) {
    const char *page = a->word_count ? a->word[0] : "lakeproof";
    /* The words of the command are `lakeproof`, `lakeproof-COMMAND` and the other name of prune. */
    bool is_drop_in = strcmp(page, "delta-explain") == 0;
    const char *hyphen = strchr(page, '-');
    invocation about = {is_drop_in, is_drop_in ? &command_table[COMMAND_PRUNE]
                                    : hyphen   ? command_find(hyphen + 1)
                                               : NULL};
    text roff = {0};
    if (!about.command)
        put_program(&roff);
    else
        put_command(&roff, &about, page);
    int code = output_document(&roff, call);
    text_free(&roff);
    return code;
}
