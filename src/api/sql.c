/* sql.c - lp_sql: a text of SQL parsed and shown.
 * Called by: users of the library, the command.  Must not know: command lines.
 */
#include "api/api_int.h"
#include "report/sql_report.h"

static lp_status find_dialect(const lp_sql_options *o, sql_dialect *out, lp_err *err) {
    const char *name = o->dialect ? o->dialect : "ansi";
    if (sql_dialect_by_name(str_from(name), out)) return LP_OK;
    return err_set(err, LP_ERR_USAGE, "there is no dialect '%s'", name);
}

static lp_status sql_body(lp_report *report, const void *options, lp_err *err) {
    const lp_sql_options *o = options;
    sql_dialect dialect;
    sql_script script;
    if (o->format != LP_FORMAT_TEXT && o->format != LP_FORMAT_JSON)
        return err_set(err, LP_ERR_USAGE, "SQL is shown as text or JSON");
    TRY(find_dialect(o, &dialect, err));
    str text = {o->text ? o->text : "", o->text ? o->text_size : 0};
    TRY(sql_parse_script(&report->query, text, dialect, &script, err));
    sql_style style = {.as_json = o->format == LP_FORMAT_JSON,
                       .as_text_of_sql = o->form == LP_SQL_PRINT,
                       .text = text,
                       .dialect = str_from(sql_dialect_traits(dialect)->name),
                       .tool_version = STR(LAKEPROOF_VERSION)};
    report->passed = script.error_count == 0;
    report->total_files = report->final_files = 0;
    sql_errors(&script, &report->query, &report->gates);
    if (report->passed) sql_report(&script, &style, &report->query, &report->document);
    return LP_OK;
}

lp_status lp_sql(const lp_sql_options *options, lp_report **out, lp_err *err) {
    return report_run(NULL, sql_body, options, out, err);
}
