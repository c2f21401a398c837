/* run_prune.c - the command `prune`, which is also all of `delta-explain`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#include "cli/run_prune.h"

#include <lakeproof.h>

#include "cli/ask.h"
#include "cli/output.h"

/* Indexes of the words of choices in option.def. */
enum { FORMAT_JSON = 1, LEVEL_EXTENDED = 1, NAN_STRICT = 1 };

/* ---- before the question ---- */

static lp_prune_options prune_options(const invocation *call, const arguments *a, const text *predicate) {
    lp_prune_options options = LP_PRUNE_OPTIONS_INIT;
    const option_value *o = a->option;
    options.where = o[OPTION_WHERE].is_given ? text_str(predicate) : NULL;
    options.where_size = predicate->size;
    options.format = o[OPTION_FORMAT].choice == FORMAT_JSON ? LP_FORMAT_JSON : LP_FORMAT_TEXT;
    options.level = o[OPTION_LEVEL].choice == LEVEL_EXTENDED ? LP_LEVEL_EXTENDED : LP_LEVEL_CONTRACT;
    options.voice = call->is_drop_in ? LP_VOICE_DELTA_EXPLAIN : LP_VOICE_LAKEPROOF;
    options.nan_strict = o[OPTION_NAN].choice == NAN_STRICT;
    options.verbose = o[OPTION_VERBOSE].is_given;
    options.has_limit = o[OPTION_LIMIT].is_given;
    options.limit = o[OPTION_LIMIT].count;
    options.explain_why = o[OPTION_EXPLAIN_WHY].is_given;
    options.has_min_pruning = o[OPTION_MIN_PRUNING].is_given;
    options.min_pruning = o[OPTION_MIN_PRUNING].number;
    options.assert_stats = o[OPTION_ASSERT_STATS].is_given;
    options.location = a->word[0];
    options.color = ask_wants_color(a);
    options.debug_ir = o[OPTION_DEBUG_IR].is_given;
    options.now = o[OPTION_NOW].text;
    return options;
}

/* ---- after the answer ---- */

static int write_all_parts(const invocation *call, const arguments *a, const lp_report *report) {
    int code = EXIT_DONE;
    if (a->option[OPTION_DEBUG_IR].is_given) code = ask_write_file(call, report, LP_PART_DEBUG_IR, a->option[OPTION_DEBUG_IR].text);
    if (code == EXIT_DONE) code = ask_write_note(call, report, LP_PART_GATES);
    if (code == EXIT_DONE) code = ask_write_report(call, report);
    if (code == EXIT_DONE && a->option[OPTION_COUNTERS].is_given) code = ask_write_note(call, report, LP_PART_COUNTERS);
    return code != EXIT_DONE || lp_report_passed(report) ? code : EXIT_FAILED;
}

static int ask(const invocation *call, const arguments *a, const text *predicate) {
    lp_err err = {0};
    lp_table *table = NULL;
    lp_report *report = NULL;
    lp_table_options how = ask_table_options(a);
    lp_prune_options question = prune_options(call, a, predicate);
    lp_status status = lp_table_open(a->word[0], &how, &table, &err);
    if (status == LP_OK) status = lp_prune(table, &question, &report, &err);
    int code = status == LP_OK ? write_all_parts(call, a, report) : ask_fail(call, &err);
    lp_report_free(report);
    lp_table_close(table);
    return code;
}

int run_prune(const invocation *call, const arguments *a) {
    text predicate = {0};
    int code = ask_check_storage(call, a);
    if (code == EXIT_DONE) code = ask_read_predicate(call, a, &predicate);
    if (code == EXIT_DONE) code = ask(call, a, &predicate);
    text_free(&predicate);
    return code;
}
