/* run_facts.c - the command `facts`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#include "cli/run_facts.h"

#include "cli/ask.h"
#include "cli/models.h"
#include "cli/output.h"

int run_facts(const invocation *call, const arguments *a) {
    lp_err err = {0};
    lp_report *report = NULL;
    model_texts texts = {0};
    lp_facts_options options = LP_FACTS_OPTIONS_INIT;
    options.tree = a->option[OPTION_TREE].is_given;
    options.format = a->option[OPTION_FACTS_FORMAT].choice == 1 ? LP_FORMAT_JSON : LP_FORMAT_TEXT;
    int code = models_read(call, a, &texts, &options.models);
    if (code == EXIT_DONE && lp_facts(&options, &report, &err) != LP_OK) code = ask_fail(call, &err);
    if (code == EXIT_DONE) code = models_answer(call, report);
    lp_report_free(report);
    models_free(&texts);
    return code;
}
