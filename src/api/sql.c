/* sql.c - lp_sql: a text of SQL parsed and shown.
 * Called by: users of the library, the command.  Must not know: command lines.
 */
#include "api/api_int.h"
#include "api/table_catalog.h"
#include "dbt/project.h"
#include "grain/dbt_catalog.h"
#include "plan/bind.h"
#include "plan/ddl.h"
#include "report/plan_report.h"
#include "report/sql_report.h"

/* What is declared, from both places; NULL and a catalog without `find` where nothing is. */
typedef struct declarations {
    dbt_project *project;
    catalog list, dbt;
} declarations;

static lp_status find_dialect(const lp_sql_options *o, const dbt_project *project, sql_dialect *out, lp_err *err) {
    if (!o->dialect && project) {
        (void)dbt_catalog_dialect(project, out);
        return LP_OK;
    }
    const char *name = o->dialect ? o->dialect : "ansi";
    if (sql_dialect_by_name(str_from(name), out)) return LP_OK;
    return err_set(err, LP_ERR_USAGE, "there is no dialect '%s'", name);
}

static str dialect_name(sql_dialect dialect) {
    return str_from(sql_dialect_traits(dialect)->name);
}

static void show_forms(lp_report *report, const lp_sql_options *o, str text, sql_dialect dialect,
                       const sql_script *script) {
    sql_style style = {.as_json = o->format == LP_FORMAT_JSON,
                       .as_text_of_sql = o->form == LP_SQL_PRINT,
                       .text = text,
                       .dialect = dialect_name(dialect),
                       .tool_version = STR(LAKEPROOF_VERSION)};
    sql_report(script, &style, &report->query, &report->document);
}

/* ---- plans ---- */

static lp_status read_ddl(const lp_sql_options *o, sql_dialect dialect, catalog_list *list, lp_err *err) {
    str ddl = str_copy(list->owner, (str){o->ddl, o->ddl_size});
    lp_status status = ddl_read(list, ddl, dialect, err);
    return status == LP_OK ? LP_OK : err_set(err, status, "In the declarations: %s", err->text);
}

static lp_status read_table(const lp_sql_table *t, sql_dialect dialect, catalog_list *list, lp_err *err) {
    const sql_name *name;
    str written = str_copy(list->owner, (str){t->name ? t->name : "", t->name ? t->name_size : 0});
    TRY(catalog_parse_name(list->owner, written, dialect, &name, err));
    if (!t->table || !t->table->snapshot)
        return err_set(err, LP_ERR_USAGE, "the table for " STR_FMT " has no snapshot", STR_ARG(written));
    *catalog_list_add(list, name) = table_catalog_relation(list->owner, written, &t->table->snapshot->schema);
    return LP_OK;
}

/* What was added last goes first: the tables before the statements. */
static lp_status read_list(lp_report *report, const lp_sql_options *o, sql_dialect dialect, catalog *out, lp_err *err) {
    if (!o->ddl && !o->table_count) return LP_OK;
    catalog_list *list = catalog_list_new(&report->query, dialect);
    if (o->ddl) TRY(read_ddl(o, dialect, list, err));
    for (size_t i = 0; i < o->table_count; i++) TRY(read_table(&o->table[i], dialect, list, err));
    *out = catalog_of_list(list);
    return LP_OK;
}

/* Tables and DDL go first. */
static const catalog_relation *find_declared(void *context, const sql_name *name) {
    const declarations *d = context;
    const catalog_relation *found = d->list.find ? d->list.find(d->list.context, name) : NULL;
    return found || !d->dbt.find ? found : d->dbt.find(d->dbt.context, name);
}

static const catalog_relation *find_declared_file(void *context, str file) {
    const declarations *d = context;
    return d->dbt.find_file ? d->dbt.find_file(d->dbt.context, file) : NULL;
}

static lp_status read_declared(lp_report *report, const lp_sql_options *o, sql_dialect dialect, declarations *d,
                               catalog *out, lp_err *err) {
    *out = (catalog){0};
    TRY(read_list(report, o, dialect, &d->list, err));
    if (d->project) d->dbt = dbt_catalog_for(dbt_catalog_new(&report->query, d->project, dialect), &report->query, NULL);
    if (d->list.find || d->dbt.find) *out = (catalog){.context = d, .find = find_declared, .find_file = find_declared_file};
    return LP_OK;
}

/* Every statement is tried, so that all wrong names of a file are told at once: the messages are the errors of `script`. */
static lp_status bind_all(lp_report *report, str text, sql_dialect dialect, const catalog *declared, sql_script *script,
                          planned_statement *list, lp_err *err) {
    sql_error *wrong = ARENA_ARRAY(&report->query, sql_error, script->statement_count);
    for (size_t i = 0; i < script->statement_count; i++) {
        const sql_statement *s = script->statement[i];
        list[i] = (planned_statement){.statement = s};
        const sql_query *query = plan_query_of(&report->query, s);
        if (!query || script->error_count >= SQL_MAX_ERRORS) continue;
        lp_status status = plan_bind(&report->query, text, dialect, query, declared, &list[i].plan, err);
        if (status == LP_ERR_QUERY)
            wrong[script->error_count++].text = str_copy(&report->query, str_from(err->text));
        else if (status != LP_OK)
            return status;
    }
    script->error = wrong;
    return LP_OK;
}

static lp_status show_plans(lp_report *report, const lp_sql_options *o, str text, sql_dialect dialect,
                            declarations *d, sql_script *script, lp_err *err) {
    catalog declared;
    TRY(read_declared(report, o, dialect, d, &declared, err));
    planned_statement *list = ARENA_ARRAY(&report->query, planned_statement, script->statement_count);
    TRY(bind_all(report, text, dialect, declared.find ? &declared : NULL, script, list, err));
    sql_errors(script, &report->query, &report->gates);
    report->passed = script->error_count == 0;
    plan_style style = {.as_json = o->format == LP_FORMAT_JSON,
                        .text = text,
                        .dialect = dialect_name(dialect),
                        .tool_version = STR(LAKEPROOF_VERSION)};
    if (report->passed) plan_report(list, script->statement_count, &style, &report->query, &report->document);
    return LP_OK;
}

/* ---- the question ---- */

static lp_status sql_body(lp_report *report, const void *options, lp_err *err) {
    const lp_sql_options *o = options;
    sql_dialect dialect;
    sql_script script;
    declarations d = {0};
    if (o->format != LP_FORMAT_TEXT && o->format != LP_FORMAT_JSON)
        return err_set(err, LP_ERR_USAGE, "SQL is shown as text or JSON");
    if (o->manifest && o->form == LP_SQL_PLAN) TRY(dbt_open(&report->query, str_from(o->manifest), &d.project, err));
    TRY(find_dialect(o, d.project, &dialect, err));
    str text = {o->text ? o->text : "", o->text ? o->text_size : 0};
    TRY(sql_parse_script(&report->query, text, dialect, &script, err));
    report->passed = script.error_count == 0;
    report->total_files = report->final_files = 0;
    sql_errors(&script, &report->query, &report->gates);
    if (!report->passed) return LP_OK;
    if (o->form == LP_SQL_PLAN) return show_plans(report, o, text, dialect, &d, &script, err);
    show_forms(report, o, text, dialect, &script);
    return LP_OK;
}

lp_status lp_sql(const lp_sql_options *options, lp_report **out, lp_err *err) {
    return report_run_on_log(NULL, sql_body, options, out, err); /* there is no table */
}
