/* run_prove.c - the command `prove`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#include "cli/run_prove.h"

#include "cli/ask.h"
#include "cli/models.h"
#include "cli/output.h"

static int check(const invocation *call, const arguments *a) {
    const option_value *o = a->option;
    int claims = o[OPTION_KEY].is_given + o[OPTION_NOT_NULL].is_given + o[OPTION_NO_FAN_OUT].is_given;
    if (!o[OPTION_SQL].is_given && !a->word_count) return output_usage(call, "name a model, or give '--sql'");
    if (claims != 1) return output_usage(call, "give one claim: '--key', '--not-null' or '--no-fan-out'");
    return EXIT_DONE;
}

int run_prove(const invocation *call, const arguments *a) {
    lp_err err = {0};
    lp_report *report = NULL;
    model_texts texts = {0};
    lp_prove_options options = LP_PROVE_OPTIONS_INIT;
    options.model = a->word_count ? a->word[0] : NULL;
    options.key = a->option[OPTION_KEY].text;
    options.not_null = a->option[OPTION_NOT_NULL].text;
    options.no_fan_out = a->option[OPTION_NO_FAN_OUT].is_given;
    options.format = a->option[OPTION_PROOF_FORMAT].choice == 1 ? LP_FORMAT_JSON : LP_FORMAT_TEXT;
    int code = check(call, a);
    if (code == EXIT_DONE) code = models_read(call, a, a->option[OPTION_PROJECT].text, &texts, &options.models);
    if (code == EXIT_DONE && lp_prove(&options, &report, &err) != LP_OK) code = ask_fail(call, &err);
    if (code == EXIT_DONE) code = models_answer(call, report);
    lp_report_free(report);
    models_free(&texts);
    return code;
}
