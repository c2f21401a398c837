/* help.c - what --help and `lakeproof help` print.
 * Called by: main.c.  Must not know: how arguments are parsed.
 */
#include "cli/help.h"

#include <ctype.h>
#include <lakeproof.h>

#include "cli/output.h"

enum { WIDTH = 100, OPTION_COLUMN = 34, COMMAND_COLUMN = 14 };

static void sentence(text *out, const char *words) {
    text_printf(out, "%c%s.", toupper((unsigned char)words[0]), words + 1);
}

void help_option_name(const option_row *row, text *out) {
    if (row->short_name)
        text_printf(out, "-%c, ", row->short_name);
    else
        text_add(out, "    ");
    text_printf(out, "--%s%s%s", row->long_name, *row->value ? " " : "", row->value);
}

static void render_option(const option_row *row, text *out) {
    size_t start = out->size;
    text_add(out, "  ");
    help_option_name(row, out);
    size_t used = out->size - start;
    if (used + 1 < OPTION_COLUMN)
        text_printf(out, "%*s", (int)(OPTION_COLUMN - used), "");
    else
        text_printf(out, "\n%*s", OPTION_COLUMN, "");
    text_wrap(out, row->help, OPTION_COLUMN, OPTION_COLUMN, WIDTH);
    text_add(out, "\n");
}

static void render_options(const invocation *call, text *out) {
    for (int group = 0; group < GROUP_COUNT; group++) {
        bool has_title = false;
        for (size_t i = 0; i < OPTION_COUNT; i++) {
            const option_row *row = &option_table[i];
            if ((int)row->group != group || !option_is_known(row, call)) continue;
            if (!has_title) text_printf(out, "\n%s:\n", option_group_title(row->group));
            has_title = true;
            render_option(row, out);
        }
    }
}

static void render_examples(const invocation *call, text *out) {
    bool has_title = false;
    for (size_t i = 0; i < example_count; i++) {
        if (example_table[i].command != call->command->id) continue;
        if (!has_title) text_add(out, "\nExamples:\n");
        has_title = true;
        text_printf(out, "  %s\n    %s %s\n", example_table[i].about, invocation_name(call),
                    example_table[i].arguments);
    }
}

static void render_command(const invocation *call, text *out) {
    const command *c = call->command;
    sentence(out, c->summary);
    text_printf(out, "\n\nUsage: %s %s\n\n", invocation_name(call), command_synopsis(c));
    text_wrap(out, c->text, 0, 0, WIDTH);
    text_add(out, "\n");
    render_options(call, out);
    render_examples(call, out);
    if (c->id == COMMAND_SNAPSHOT)
        text_add(out, "\nExit codes: 0 done; 1 an error (then nothing is on standard output); 2 the call is wrong.\n");
    if (c->id == COMMAND_CHECK) {
        text_add(out, "\nExit codes: 0 nothing at or above --fail-on; 1 there is, or an error (then nothing is on standard output);\n"
                      "2 the call is wrong. `lakeproof help G001` tells what a finding means.\n");
    }
    if (c->id == COMMAND_PRUNE) {
        text_add(
            out,
            "\nExit codes: 0 done and every gate passed; 1 a gate failed, or an error (then nothing is on standard\n"
            "output); 2 the call is wrong.\n");
    }
}

static void render_program(text *out) {
    text_printf(
        out,
        "lakeproof %s tells what a query will do to a lakehouse table, from metadata alone, and shows the proof.\n\n"
        "Usage: lakeproof COMMAND [OPTIONS] ...\n\nCommands:\n",
        lp_version());
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        text_printf(out, "  %-*s", COMMAND_COLUMN - 2, command_table[i].name);
        text_wrap(out, command_table[i].summary, COMMAND_COLUMN, COMMAND_COLUMN, WIDTH);
        text_add(out, "\n");
    }
    text_add(
        out,
        "\nOptions:\n  -h, --help      Print this help; `lakeproof COMMAND --help` tells the options of a command.\n"
        "  -V, --version   Print the version.\n\n"
        "Called under the name delta-explain, the program takes the arguments of `prune` and prints the reports of\n"
        "that tool.\n");
}

void help_render(const invocation *call, text *out) {
    if (call->command)
        render_command(call, out);
    else
        render_program(out);
}

static int unknown_topic(const invocation *call, const char *topic) {
    text message = {0};
    text_printf(&message, "there is no command, no check and no note '%s'", topic);
    int code = output_usage(call, text_str(&message));
    text_free(&message);
    return code;
}

int run_help(const invocation *call, const arguments *a) {
    text page = {0};
    const char *topic = a->word_count ? a->word[0] : NULL;
    const command *about = topic ? command_find(topic) : NULL;
    const char *meaning = topic && !about ? lp_code_help(topic) : NULL;
    if (topic && !about && !meaning) return unknown_topic(call, topic);
    if (meaning) {
        text_wrap(&page, meaning, 0, 0, WIDTH);
        text_add(&page, "\n");
    } else {
        help_render(&(invocation){.command = about}, &page);
    }
    int code = output_document(&page, call);
    text_free(&page);
    return code;
}
