/* models.c - what the commands about rows are asked about.
 * Called by: run_facts.c and the other commands about rows.  Must not know: what is asked.
 */
#include "cli/models.h"

#include <string.h>

#include "cli/ask.h"
#include "cli/output.h"

/* Options that belong to a query, and those that belong to a project. */
static int check(const invocation *call, const arguments *a) {
    static const option_id of_query[] = {OPTION_DECLARED, OPTION_DIALECT};
    static const option_id of_project[] = {OPTION_PROJECT, OPTION_ALL, OPTION_TRUST, OPTION_SELECT, OPTION_EXCLUDE, OPTION_FILES_CHANGED};
    const option_value *o = a->option;
    bool is_query = o[OPTION_SQL].is_given;
    const option_id *wrong = is_query ? of_project : of_query;
    size_t count = is_query ? sizeof of_project / sizeof *of_project : sizeof of_query / sizeof *of_query;
    text message = {0};
    if (is_query && a->word_count) text_add(&message, "a model or a project is named, or '--sql' is given, not both");
    for (size_t i = 0; i < count && !message.size; i++) {
        if (o[wrong[i]].is_given)
            text_printf(&message, "'--%s' belongs to a %s", option_table[wrong[i]].long_name, is_query ? "project, not to '--sql'" : "query: '--sql'");
    }
    if (o[OPTION_DECLARED].is_given && is_query && strcmp(o[OPTION_DECLARED].text, "-") == 0 && strcmp(o[OPTION_SQL].text, "-") == 0)
        text_add(&message, "standard input can be read once: '--sql' or '--ddl', not both");
    int code = message.size ? output_usage(call, text_str(&message)) : EXIT_DONE;
    text_free(&message);
    return code;
}

static int read_query(const invocation *call, const arguments *a, model_texts *texts, lp_models *out) {
    const option_value *sql = &a->option[OPTION_SQL], *ddl = &a->option[OPTION_DECLARED];
    int code = ask_read_file(call, sql->text, &texts->sql);
    if (code == EXIT_DONE && ddl->is_given) code = ask_read_file(call, ddl->text, &texts->ddl);
    if (code != EXIT_DONE) return code;
    out->sql = text_str(&texts->sql);
    out->sql_size = texts->sql.size;
    out->sql_name = strcmp(sql->text, "-") == 0 ? NULL : sql->text;
    out->dialect = a->option[OPTION_DIALECT].text;
    if (ddl->is_given) out->ddl = text_str(&texts->ddl), out->ddl_size = texts->ddl.size;
    return EXIT_DONE;
}

int models_read(const invocation *call, const arguments *a, const char *project, model_texts *texts, lp_models *out) {
    *out = (lp_models)LP_MODELS_INIT;
    int code = check(call, a);
    if (code != EXIT_DONE) return code;
    if (a->option[OPTION_SQL].is_given) return read_query(call, a, texts, out);
    out->project = project ? project : "";
    out->trust = a->option[OPTION_TRUST].text;
    return EXIT_DONE;
}

void models_free(model_texts *texts) {
    text_free(&texts->sql);
    text_free(&texts->ddl);
}

int models_answer(const invocation *call, const lp_report *report) {
    int code = ask_write_note(call, report, LP_PART_GATES);
    if (code == EXIT_DONE) code = ask_write_report(call, report);
    return code == EXIT_DONE && !lp_report_passed(report) ? EXIT_FAILED : code;
}
