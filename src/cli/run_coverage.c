/* run_coverage.c - the command `coverage`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#include "cli/run_coverage.h"

#include "cli/ask.h"
#include "cli/models.h"
#include "cli/output.h"

int run_coverage(const invocation *call, const arguments *a) {
    lp_err err = {0};
    lp_report *report = NULL;
    model_texts texts = {0};
    lp_coverage_options options = LP_COVERAGE_OPTIONS_INIT;
    options.format = a->option[OPTION_PROOF_FORMAT].choice == 1 ? LP_FORMAT_JSON : LP_FORMAT_TEXT;
    int code = models_read(call, a, a->word_count ? a->word[0] : NULL, &texts, &options.models);
    if (code == EXIT_DONE && lp_coverage(&options, &report, &err) != LP_OK) code = ask_fail(call, &err);
    if (code == EXIT_DONE) code = models_answer(call, report);
    lp_report_free(report);
    models_free(&texts);
    return code;
}
