/* run_check.c - the command `check`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#include "cli/run_check.h"

#include <string.h>

#include "cli/ask.h"
#include "cli/models.h"
#include "cli/output.h"

static lp_check_options check_options(const arguments *a, const char *files) {
    static const lp_format format[] = {LP_FORMAT_TEXT, LP_FORMAT_JSON, LP_FORMAT_SARIF, LP_FORMAT_GITHUB}; /* as in option.def */
    const option_value *o = a->option;
    lp_check_options options = LP_CHECK_OPTIONS_INIT;
    options.format = format[o[OPTION_CHECK_FORMAT].choice];
    options.fail_on = o[OPTION_FAIL_ON].text;
    options.checks = o[OPTION_CHECKS].text;
    options.enable = o[OPTION_ENABLE].text;
    options.baseline = o[OPTION_BASELINE].text;
    options.settings = o[OPTION_CONFIG].text;
    options.select = o[OPTION_SELECT].text;
    options.exclude = o[OPTION_EXCLUDE].text;
    options.files = files;
    options.color = ask_wants_color(a);
    return options;
}

static bool note_bytes(void *context, const char *bytes, size_t size) {
    (void)bytes;
    *(bool *)context |= size > 0;
    return true;
}

/* Wrong SQL gives none. */
static bool has_baseline(const lp_report *report) {
    lp_err err = {0};
    bool has_bytes = false;
    return lp_report_write(report, LP_PART_BASELINE, note_bytes, &has_bytes, &err) == LP_OK && has_bytes;
}

/* A baseline is written for findings to pass from now on: then they alone are no failure, but wrong SQL still is. */
static int answer(const invocation *call, const arguments *a, const lp_report *report) {
    const option_value *file = &a->option[OPTION_WRITE_BASELINE];
    if (!file->is_given || !has_baseline(report)) return models_answer(call, report);
    int code = ask_write_file(call, report, LP_PART_BASELINE, file->text);
    return code == EXIT_DONE ? ask_write_report(call, report) : code;
}

int run_check(const invocation *call, const arguments *a) {
    lp_err err = {0};
    lp_report *report = NULL;
    model_texts texts = {0};
    const char *names = a->option[OPTION_FILES_CHANGED].text;
    text files = {0};
    int code = EXIT_DONE;
    if (names && strcmp(names, "-") == 0) code = ask_read_file(call, "-", &files);
    if (names && strcmp(names, "-") != 0) text_add(&files, names);
    lp_check_options options = check_options(a, names ? text_str(&files) : NULL);
    if (code == EXIT_DONE) code = models_read(call, a, a->word_count ? a->word[0] : NULL, &texts, &options.models);
    if (code == EXIT_DONE && lp_check(&options, &report, &err) != LP_OK) code = ask_fail(call, &err);
    if (code == EXIT_DONE) code = answer(call, a, report);
    lp_report_free(report);
    models_free(&texts);
    text_free(&files);
    return code;
}
