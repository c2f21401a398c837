/* run_diff.c - the command `diff`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#include "cli/run_diff.h"

#include <string.h>

#include "cli/ask.h"
#include "cli/output.h"

/* Indexes of the words of choices in option.def. */
enum { FORMAT_JSON = 1, LEVEL_EXTENDED = 1, NAN_STRICT = 1 };

/* A version as it is written: digits, or `latest`. */
static bool read_version(const char *word, lp_table_options *how) {
    how->has_version = strcmp(word, "latest") != 0;
    how->version = 0;
    if (!how->has_version) return true;
    for (const char *c = word; *c; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        if (*c < '0' || *c > '9' || how->version > (UINT64_MAX - digit) / 10) return false;
        how->version = how->version * 10 + digit;
    }
    return *word != '\0';
}

static int refuse_version(const invocation *call, const char *word) {
    text message = {0};
    text_printf(&message, "'%s' is no version: expected a number or latest", word);
    int code = output_usage(call, text_str(&message));
    text_free(&message);
    return code;
}

static lp_diff_options diff_options(const arguments *a, const text *predicate) {
    lp_diff_options options = LP_DIFF_OPTIONS_INIT;
    const option_value *o = a->option;
    options.format = o[OPTION_FORMAT].choice == FORMAT_JSON ? LP_FORMAT_JSON : LP_FORMAT_TEXT;
    options.where = o[OPTION_WHERE].is_given ? text_str(predicate) : NULL;
    options.where_size = predicate->size;
    options.level = o[OPTION_LEVEL].choice == LEVEL_EXTENDED ? LP_LEVEL_EXTENDED : LP_LEVEL_CONTRACT;
    options.nan_strict = o[OPTION_NAN].choice == NAN_STRICT;
    options.verbose = o[OPTION_DIFF_VERBOSE].is_given;
    options.has_limit = o[OPTION_LIMIT].is_given;
    options.limit = o[OPTION_LIMIT].count;
    options.has_max_growth = o[OPTION_MAX_GROWTH].is_given;
    options.max_growth = o[OPTION_MAX_GROWTH].number;
    options.location = a->word[0];
    options.color = ask_wants_color(a);
    return options;
}

static int write_all_parts(const invocation *call, const arguments *a, const lp_report *report) {
    int code = ask_write_note(call, report, LP_PART_GATES);
    if (code == EXIT_DONE) code = ask_write_report(call, report);
    if (code == EXIT_DONE && a->option[OPTION_COUNTERS].is_given) code = ask_write_note(call, report, LP_PART_COUNTERS);
    return code != EXIT_DONE || lp_report_passed(report) ? code : EXIT_FAILED;
}

static int ask(const invocation *call, const arguments *a, const lp_table_options how[2], const text *predicate) {
    lp_err err = {0};
    lp_table *table[2] = {NULL, NULL};
    lp_report *report = NULL;
    lp_diff_options question = diff_options(a, predicate);
    lp_status status = lp_table_open(a->word[0], &how[0], &table[0], &err);
    if (status == LP_OK) status = lp_table_open(a->word[0], &how[1], &table[1], &err);
    if (status == LP_OK) status = lp_diff(table[0], table[1], &question, &report, &err);
    int code = status == LP_OK ? write_all_parts(call, a, report) : ask_fail(call, &err);
    lp_report_free(report);
    lp_table_close(table[1]);
    lp_table_close(table[0]);
    return code;
}

int run_diff(const invocation *call, const arguments *a) {
    lp_table_options how[2];
    text predicate = {0};
    for (int i = 0; i < 2; i++) {
        how[i] = ask_table_options(a);
        if (!read_version(a->word[i + 1], &how[i])) return refuse_version(call, a->word[i + 1]);
    }
    int code = ask_check_storage(call, a);
    if (code == EXIT_DONE) code = ask_read_predicate(call, a, &predicate);
    if (code == EXIT_DONE) code = ask(call, a, how, &predicate);
    text_free(&predicate);
    return code;
}
