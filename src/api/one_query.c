/* one_query.c - a text that holds one query, read, planned and analysed under declarations in DDL.
 * Called by: the sources of this room that answer about rows.  Must not know: what is asked, dbt.
 */
#include "api/one_query.h"

#include "base/line_map.h"
#include "grain/declared_ddl.h"
#include "plan/bind.h"
#include "plan/ddl.h"
#include "report/sql_report.h"

/* ---- places ---- */

typedef struct query_lines {
    str name; /* of the file */
    const str *line;
    size_t count;
} query_lines;

static shown_place find_place(void *context, str model, text_place at) {
    const query_lines *q = context;
    (void)model;
    shown_place shown = {.exists = true, .is_mapped = true, .at = at, .file = q->name, .compiled = at};
    if (at.line > 0 && at.line <= q->count) shown.line = q->line[at.line - 1];
    return shown;
}

static place_finder places_of(arena *owner, str text, str name) {
    query_lines *q = ARENA_NEW(owner, query_lines);
    q->name = name;
    q->line = line_map_split(owner, text, &q->count);
    return (place_finder){find_place, q};
}

/* ---- the query ---- */

static lp_status find_dialect(const lp_models *models, one_query *q, lp_err *err) {
    const char *name = models->dialect ? models->dialect : "ansi";
    if (!sql_dialect_by_name(str_from(name), &q->dialect))
        return err_set(err, LP_ERR_USAGE, "there is no dialect '%s'", name);
    q->dialect_name = str_from(sql_dialect_traits(q->dialect)->name);
    return LP_OK;
}

/* The messages of wrong SQL; without any the report has passed. */
static void tell_mistakes(lp_report *report, const sql_script *script) {
    report->passed = script->error_count == 0;
    sql_errors(script, &report->query, &report->gates);
}

static lp_status find_query(const sql_script *script, const sql_query **query, lp_err *err) {
    size_t found = 0;
    for (size_t i = 0; i < script->statement_count; i++) {
        if (!script->statement[i]->query) continue;
        *query = script->statement[i]->query;
        found++;
    }
    if (found == 1) return LP_OK;
    return err_set(err, LP_ERR_QUERY, "expected one query in the text, found %zu", found);
}

static lp_status read_declared(lp_report *report, const lp_models *models, sql_dialect dialect, str *ddl,
                               catalog *declared, lp_err *err) {
    *ddl = models->ddl ? str_copy(&report->query, (str){models->ddl, models->ddl_size}) : STR("");
    lp_status status = catalog_from_ddl(&report->query, *ddl, dialect, declared, err);
    return status == LP_OK ? LP_OK : err_set(err, status, "In the declarations: %s", err->text);
}

/* A wrong name is told like wrong syntax. */
static lp_status bind(lp_report *report, const one_query *q, const sql_query *query, const catalog *declared,
                      const plan **out, lp_err *err) {
    lp_status status = plan_bind(&report->query, q->text, q->dialect, query, declared, out, err);
    if (status != LP_ERR_QUERY) return status;
    sql_error wrong = {.text = str_copy(&report->query, str_from(err->text))};
    tell_mistakes(report, &(sql_script){.error = &wrong, .error_count = 1});
    return LP_OK;
}

lp_status one_query_analyse(lp_report *report, const lp_models *models, one_query *out, lp_err *err) {
    arena *owner = &report->query;
    sql_script script;
    str ddl;
    const sql_query *query = NULL;
    const plan *p = NULL;
    catalog *declared = ARENA_NEW(owner, catalog);
    *out = (one_query){.text = str_copy(owner, (str){models->sql ? models->sql : "", models->sql ? models->sql_size : 0})};
    report->total_files = report->final_files = 0;
    TRY(find_dialect(models, out, err));
    TRY(sql_parse_script(owner, out->text, out->dialect, &script, err));
    tell_mistakes(report, &script);
    if (!report->passed) return LP_OK;
    TRY(find_query(&script, &query, err));
    TRY(read_declared(report, models, out->dialect, &ddl, declared, err));
    TRY(bind(report, out, query, models->ddl ? declared : NULL, &p, err));
    if (!report->passed) return LP_OK;
    grain_input *input = ARENA_NEW(owner, grain_input);
    *input = declared_from_ddl(owner, declared, ddl);
    grain_run *run = ARENA_NEW(owner, grain_run);
    *run = (grain_run){.owner = owner};
    str name = models->sql_name ? str_copy(owner, str_from(models->sql_name)) : STR("");
    out->input = input;
    out->places = places_of(owner, out->text, models->sql_name ? name : STR_NONE);
    out->model = grain_analyse(owner, run, input, p, STR(""), name, out->text, out->dialect);
    return LP_OK;
}
