/* models.c - what the commands about rows are asked about.
 * Called by: run_facts.c and the other commands about rows.  Must not know: what is asked.
 */
#include "cli/models.h"

#include <string.h>

#include "cli/ask.h"
#include "cli/output.h"

static int check(const invocation *call, const arguments *a) {
    const option_value *sql = &a->option[OPTION_SQL], *ddl = &a->option[OPTION_DECLARED];
    if (!sql->is_given) return output_usage(call, "'--sql' is missing: the file with the query");
    if (a->word_count) return output_usage(call, "a model or a project is named, or '--sql' is given, not both");
    if (ddl->is_given && strcmp(ddl->text, "-") == 0 && strcmp(sql->text, "-") == 0)
        return output_usage(call, "standard input can be read once: '--sql' or '--ddl', not both");
    return EXIT_DONE;
}

int models_read(const invocation *call, const arguments *a, model_texts *texts, lp_models *out) {
    const option_value *sql = &a->option[OPTION_SQL], *ddl = &a->option[OPTION_DECLARED];
    *out = (lp_models)LP_MODELS_INIT;
    int code = check(call, a);
    if (code == EXIT_DONE) code = ask_read_file(call, sql->text, &texts->sql);
    if (code == EXIT_DONE && ddl->is_given) code = ask_read_file(call, ddl->text, &texts->ddl);
    if (code != EXIT_DONE) return code;
    out->sql = text_str(&texts->sql);
    out->sql_size = texts->sql.size;
    out->sql_name = strcmp(sql->text, "-") == 0 ? NULL : sql->text;
    out->dialect = a->option[OPTION_DIALECT].text;
    if (ddl->is_given) out->ddl = text_str(&texts->ddl), out->ddl_size = texts->ddl.size;
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
