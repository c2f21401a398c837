/* main.c - which name, which command; then its run_ function.
 * Called by: the operating system.  Must not know: what a command does.
 */
#include <lakeproof.h>
#include <string.h>

#include "cli/completion.h"
#include "cli/help.h"
#include "cli/manpage.h"
#include "cli/output.h"
#include "cli/run_check.h"
#include "cli/run_coverage.h"
#include "cli/run_diff.h"
#include "cli/run_facts.h"
#include "cli/run_prove.h"
#include "cli/run_prune.h"
#include "cli/run_snapshot.h"
#include "cli/run_sql.h"
#include "cli/run_why.h"

typedef int (*command_run)(const invocation *call, const arguments *a);
static const command_run run_table[COMMAND_COUNT] = {
#define COMMAND(id, name, words, takes, least, most, summary, text) run_##name,
#include "cli/command.def"
#undef COMMAND
};

static int print_help(const invocation *call) {
    text page = {0};
    help_render(call, &page);
    int code = output_document(&page, call);
    text_free(&page);
    return code;
}

static int print_version(const invocation *call) {
    text line = {0};
    text_printf(&line, "%s %s\n", call->is_drop_in ? "delta-explain" : "lakeproof", lp_version());
    int code = output_document(&line, call);
    text_free(&line);
    return code;
}

static int run_command(const invocation *call, int argc, char **argv) {
    arguments a;
    text mistake = {0};
    int code = EXIT_USAGE;
    switch (parse_arguments(call, argc, argv, &a, &mistake)) {
    case PARSE_DONE: code = run_table[call->command->id](call, &a); break;
    case PARSE_HELP: code = print_help(call); break;
    case PARSE_VERSION: code = print_version(call); break;
    case PARSE_WRONG: code = output_usage(call, text_str(&mistake)); break;
    }
    arguments_free(&a);
    text_free(&mistake);
    return code;
}

static int unknown_command(const invocation *call, const char *name) {
    text message = {0};
    if (name[0] == '-')
        text_printf(&message, "unexpected argument '%s'", name);
    else
        text_printf(&message, "there is no command '%s'", name);
    const char *nearest = parse_nearest_command(name);
    if (nearest) text_printf(&message, "\n  there is '%s'", nearest);
    int code = output_usage(call, text_str(&message));
    text_free(&message);
    return code;
}

static int run_lakeproof(int argc, char **argv) {
    invocation call = {.is_drop_in = false, .command = NULL};
    if (argc < 2) return output_usage(&call, "a command is missing");
    const char *name = argv[1];
    if (!text_is_utf8(name, strlen(name))) return output_usage(&call, "argument 1 is not valid UTF-8");
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return print_help(&call);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) return print_version(&call);
    const command *found = command_find(name);
    if (!found) return unknown_command(&call, name);
    call.command = found;
    return run_command(&call, argc - 1, argv + 1);
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int main(int argc, char **argv) {
    output_prepare();
    if (argc > 0 && strcmp(base_name(argv[0]), "delta-explain") == 0) {
        invocation call = {.is_drop_in = true, .command = &command_table[COMMAND_PRUNE]};
        return run_command(&call, argc, argv);
    }
    return run_lakeproof(argc, argv);
}
