/* run_why.c - the command `why`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#include "cli/run_why.h"

#include "cli/ask.h"
#include "cli/output.h"

/* Indexes of the words of choices in option.def. */
enum { FORMAT_JSON = 1, LEVEL_EXTENDED = 1, NAN_STRICT = 1 };

static lp_why_options why_options(const arguments *a, const text *predicate) {
    lp_why_options options = LP_WHY_OPTIONS_INIT;
    const option_value *o = a->option;
    options.file = a->word[1];
    options.where = text_str(predicate);
    options.where_size = predicate->size;
    options.format = o[OPTION_FORMAT].choice == FORMAT_JSON ? LP_FORMAT_JSON : LP_FORMAT_TEXT;
    options.level = o[OPTION_LEVEL].choice == LEVEL_EXTENDED ? LP_LEVEL_EXTENDED : LP_LEVEL_CONTRACT;
    options.nan_strict = o[OPTION_NAN].choice == NAN_STRICT;
    options.location = a->word[0];
    options.color = ask_wants_color(a);
    options.now = o[OPTION_NOW].text;
    return options;
}

static int ask(const invocation *call, const arguments *a, const text *predicate) {
    lp_err err = {0};
    lp_table *table = NULL;
    lp_report *report = NULL;
    lp_table_options how = ask_table_options(a);
    lp_why_options question = why_options(a, predicate);
    lp_status status = lp_table_open(a->word[0], &how, &table, &err);
    if (status == LP_OK) status = lp_why(table, &question, &report, &err);
    int code = status == LP_OK ? ask_write_report(call, report) : ask_fail(call, &err);
    if (code == EXIT_DONE && a->option[OPTION_COUNTERS].is_given) code = ask_write_note(call, report, LP_PART_COUNTERS);
    lp_report_free(report);
    lp_table_close(table);
    return code;
}

int run_why(const invocation *call, const arguments *a) {
    text predicate = {0};
    if (!a->option[OPTION_WHERE].is_given) return output_usage(call, "--where is missing: why is asked about a condition");
    int code = ask_check_storage(call, a);
    if (code == EXIT_DONE) code = ask_read_predicate(call, a, &predicate);
    if (code == EXIT_DONE) code = ask(call, a, &predicate);
    text_free(&predicate);
    return code;
}
