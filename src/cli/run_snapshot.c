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
    if (a->option[OPTION_DISK].is_given) options.view = LP_VIEW_DISK;
    options.list_files = a->option[OPTION_FILES].is_given;
    options.assert_files = a->option[OPTION_ASSERT_FILES].is_given;
    options.now = a->option[OPTION_NOW].text;
    if (a->option[OPTION_HISTORY].is_given) options.view = LP_VIEW_HISTORY;
    options.format = format_of_word[a->option[OPTION_SNAPSHOT_FORMAT].choice];
    options.location = a->word[0];
    options.color = ask_wants_color(a);
    options.has_limit = a->option[OPTION_HISTORY_LIMIT].is_given;
    options.limit = a->option[OPTION_HISTORY_LIMIT].count;
    return options;
}

/* What is wrong with the options together, NULL if nothing is. Known before a table is opened, so that no time is lost
 * over it. */
static const char *find_mistake(const arguments *a, text *message) {
    const option_value *format = &a->option[OPTION_SNAPSHOT_FORMAT];
    lp_format is = format_of_word[format->choice];
    bool files = a->option[OPTION_FILES].is_given, history = a->option[OPTION_HISTORY].is_given;
    if (files && history)
        text_add(message, "'--files' and '--history' exclude each other");
    else if (a->option[OPTION_HISTORY_LIMIT].is_given && !history)
        text_add(message, "'--limit' needs '--history'");
    else if (is == LP_FORMAT_CSV && !files)
        text_printf(message, "'--format %s' needs '--files'", format->text);
    else if (is == LP_FORMAT_NDJSON && !files && !history)
        text_printf(message, "'--format %s' needs '--files' or '--history'", format->text);
    return message->size ? text_str(message) : NULL;
}

static int check_options(const invocation *call, const arguments *a) {
    text message = {0};
    const char *mistake = find_mistake(a, &message);
    int code = mistake ? output_usage(call, mistake) : EXIT_DONE;
    text_free(&message);
    return code;
}

/* The folder is as it is now, which says nothing of older versions. */
static int check_disk(const invocation *call, const arguments *a) {
    bool disk = a->option[OPTION_DISK].is_given;
    if (!disk && a->option[OPTION_NOW].is_given) return output_usage(call, "'--now' needs '--disk'");
    if (!disk && a->option[OPTION_ASSERT_FILES].is_given) return output_usage(call, "'--assert-files' needs '--disk'");
    if (disk && a->option[OPTION_AT_VERSION].is_given)
        return output_usage(call, "'--disk' looks at the folder as it is now, so it has no '--at-version'");
    if (disk && a->option[OPTION_AT_TIMESTAMP].is_given)
        return output_usage(call, "'--disk' looks at the folder as it is now, so it has no '--at-timestamp'");
    if (disk && a->option[OPTION_HISTORY].is_given)
        return output_usage(call, "'--disk' and '--history' exclude each other");
    if (disk && format_of_word[a->option[OPTION_SNAPSHOT_FORMAT].choice] == LP_FORMAT_CSV)
        return output_usage(call, "'--disk' has no '--format csv'");
    return EXIT_DONE;
}

static int write_all_parts(const invocation *call, const arguments *a, const lp_report *report) {
    int code = ask_write_note(call, report, LP_PART_GATES);
    if (code == EXIT_DONE) code = ask_write_report(call, report);
    if (code == EXIT_DONE && a->option[OPTION_COUNTERS].is_given) code = ask_write_note(call, report, LP_PART_COUNTERS);
    return code != EXIT_DONE || lp_report_passed(report) ? code : EXIT_FAILED;
}

int run_snapshot(const invocation *call, const arguments *a) {
    int code = check_options(call, a);
    if (code == EXIT_DONE) code = check_disk(call, a);
    if (code == EXIT_DONE) code = ask_check_storage(call, a);
    if (code != EXIT_DONE) return code;
    lp_err err = {0};
    lp_table *table = NULL;
    lp_report *report = NULL;
    lp_table_options how = ask_table_options(a);
    how.log_only = a->option[OPTION_HISTORY].is_given; /* a table that cannot be read has a history all the same */
    lp_snapshot_options question = snapshot_options(a);
    lp_status status = lp_table_open(a->word[0], &how, &table, &err);
    if (status == LP_OK) status = lp_snapshot(table, &question, &report, &err);
    code = status == LP_OK ? write_all_parts(call, a, report) : ask_fail(call, &err);
    lp_report_free(report);
    lp_table_close(table);
    return code;
}
