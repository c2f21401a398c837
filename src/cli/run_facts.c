/* run_facts.c - the command `facts`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#include "cli/run_facts.h"

#include "cli/ask.h"
#include "cli/models.h"
#include "cli/output.h"

static int check(const invocation *call, const arguments *a) {
    bool all = a->option[OPTION_ALL].is_given;
    if (a->option[OPTION_SQL].is_given || all != (a->word_count > 0)) return EXIT_DONE;
    return output_usage(call, all ? "a model is named, or '--all' is given, not both"
                                  : "name a model, or give '--all' or '--sql'");
}

int run_facts(const invocation *call, const arguments *a) {
    static const lp_format format[] = {LP_FORMAT_TEXT, LP_FORMAT_JSON, LP_FORMAT_NDJSON}; /* as in option.def */
    lp_err err = {0};
    lp_report *report = NULL;
    model_texts texts = {0};
    lp_facts_options options = LP_FACTS_OPTIONS_INIT;
    options.tree = a->option[OPTION_TREE].is_given;
    options.format = format[a->option[OPTION_FACTS_FORMAT].choice];
    options.model = a->word_count ? a->word[0] : NULL;
    int code = check(call, a);
    if (code == EXIT_DONE) code = models_read(call, a, a->option[OPTION_PROJECT].text, &texts, &options.models);
    if (code == EXIT_DONE && lp_facts(&options, &report, &err) != LP_OK) code = ask_fail(call, &err);
    if (code == EXIT_DONE) code = models_answer(call, report);
    lp_report_free(report);
    models_free(&texts);
    return code;
}
