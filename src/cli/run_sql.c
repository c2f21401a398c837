/* run_sql.c - the command `sql`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#include "cli/run_sql.h"

#include <string.h>

#include "cli/ask.h"
#include "cli/output.h"

static lp_sql_form form_of(const invocation *call, const arguments *a) {
    static const lp_sql_form form[] = {LP_SQL_PARSE, LP_SQL_PRINT, LP_SQL_PLAN}; /* as the words of the command stand */
    return form[choice_find(command_choice(call->command), a->word[0])];
}

static int show(const invocation *call, const arguments *a, const text *sql, const text *ddl) {
    lp_err err = {0};
    lp_report *report = NULL;
    lp_sql_options options = LP_SQL_OPTIONS_INIT;
    options.text = text_str(sql);
    options.text_size = sql->size;
    options.dialect = a->option[OPTION_DIALECT].text;
    options.form = form_of(call, a);
    if (a->option[OPTION_DDL].is_given) options.ddl = text_str(ddl), options.ddl_size = ddl->size;
    options.format = a->option[OPTION_SQL_FORMAT].choice == 1 ? LP_FORMAT_JSON : LP_FORMAT_TEXT;
    int code = lp_sql(&options, &report, &err) == LP_OK ? EXIT_DONE : ask_fail(call, &err);
    if (code == EXIT_DONE) code = ask_write_note(call, report, LP_PART_GATES);
    if (code == EXIT_DONE) code = ask_write_report(call, report);
    if (code == EXIT_DONE && !lp_report_passed(report)) code = EXIT_FAILED;
    lp_report_free(report);
    return code;
}

static int check(const invocation *call, const arguments *a) {
    const option_value *ddl = &a->option[OPTION_DDL];
    if (ddl->is_given && form_of(call, a) != LP_SQL_PLAN)
        return output_usage(call, "'--ddl' belongs to 'sql plan'");
    if (ddl->is_given && strcmp(ddl->text, "-") == 0 && strcmp(a->word[1], "-") == 0)
        return output_usage(call, "standard input can be read once: FILE or '--ddl', not both");
    return EXIT_DONE;
}

int run_sql(const invocation *call, const arguments *a) {
    text sql = {0}, ddl = {0};
    int code = check(call, a);
    if (code == EXIT_DONE) code = ask_read_file(call, a->word[1], &sql);
    if (code == EXIT_DONE && a->option[OPTION_DDL].is_given) code = ask_read_file(call, a->option[OPTION_DDL].text, &ddl);
    if (code == EXIT_DONE) code = show(call, a, &sql, &ddl);
    text_free(&ddl);
    text_free(&sql);
    return code;
}
