/* run_snapshot.c - the command `snapshot`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#include "cli/run_snapshot.h"

#include "cli/ask.h"
#include "cli/output.h"

/* By the words of --format in option.def. */
static const lp_format format_of_word[] = {LP_FORMAT_TEXT, LP_FORMAT_JSON, LP_FORMAT_NDJSON, LP_FORMAT_CSV};

static lp_snapshot_options snapshot_options(const arguments *a) {
    lp_snapshot_options options = LP_SNAPSHOT_OPTIONS_INIT;
    options.view = a->option[OPTION_FILES].is_given ? LP_VIEW_FILES : LP_VIEW_STORY;
    options.format = format_of_word[a->option[OPTION_SNAPSHOT_FORMAT].choice];
    options.location = a->word[0];
    options.color = ask_wants_color(a);
    return options;
}

/* Known before a table is opened, so that no time is lost over it. */
static int check_format(const invocation *call, const arguments *a) {
    const option_value *format = &a->option[OPTION_SNAPSHOT_FORMAT];
    bool lists = format_of_word[format->choice] == LP_FORMAT_NDJSON || format_of_word[format->choice] == LP_FORMAT_CSV;
    if (!lists || a->option[OPTION_FILES].is_given) return EXIT_DONE;
    text message = {0};
    text_printf(&message, "'--format %s' needs '--files'", format->text);
    int code = output_usage(call, text_str(&message));
    text_free(&message);
    return code;
}

static int write_all_parts(const invocation *call, const arguments *a, const lp_report *report) {
    int code = ask_write_report(call, report);
    if (code == EXIT_DONE && a->option[OPTION_COUNTERS].is_given) code = ask_write_note(call, report, LP_PART_COUNTERS);
    return code;
}

int run_snapshot(const invocation *call, const arguments *a) {
    int code = check_format(call, a);
    if (code == EXIT_DONE) code = ask_check_storage(call, a);
    if (code != EXIT_DONE) return code;
    lp_err err = {0};
    lp_table *table = NULL;
    lp_report *report = NULL;
    lp_table_options how = ask_table_options(a);
    lp_snapshot_options question = snapshot_options(a);
    lp_status status = lp_table_open(a->word[0], &how, &table, &err);
    if (status == LP_OK) status = lp_snapshot(table, &question, &report, &err);
    code = status == LP_OK ? write_all_parts(call, a, report) : ask_fail(call, &err);
    lp_report_free(report);
    lp_table_close(table);
    return code;
}
