/* coverage.c - lp_coverage: how much of a dbt project is understood, on what it leans, what could be declared.
 * Called by: users of the library, the command.  Must not know: command lines.
 */
#include "api/api_int.h"
#include "api/delta_source.h"
#include "api/project_models.h"
#include "grain/coverage.h"
#include "report/coverage_report.h"

static lp_status coverage_body(lp_report *report, const void *options, lp_err *err) {
    const lp_coverage_options *o = options;
    project_models m;
    report->total_files = report->final_files = 0;
    if (o->format != LP_FORMAT_TEXT && o->format != LP_FORMAT_JSON)
        return err_set(err, LP_ERR_USAGE, "coverage is shown as text or json");
    if (o->models.sql || !o->models.project) return err_set(err, LP_ERR_USAGE, "coverage is asked of a project");
    TRY(project_models_open(&report->query, &o->models, NULL, &m, err));
    coverage_draft *draft = coverage_begin(&report->query, m.project);
    grain_options how = {.wanted = m.wanted, .trust = m.trust.item, .trust_count = m.trust.count};
    delta_looker looker = {.owner = &report->query, .project = m.project, .dialect = m.dialect};
    delta_look_with(&looker, &how);
    TRY(grain_project(&report->query, m.project, &how, coverage_take, draft, err));
    coverage c = coverage_end(draft);
    coverage_style style = {
        .places = &m.places, .subject = m.place.len ? m.place : STR("."), .tool_version = STR(LAKEPROOF_VERSION)};
    (o->format == LP_FORMAT_JSON ? coverage_json : coverage_text)(&c, &style, &report->query, &report->document);
    return LP_OK;
}

lp_status lp_coverage(const lp_coverage_options *options, lp_report **out, lp_err *err) {
    return report_run_on_log(NULL, coverage_body, options, out, err); /* there is no table */
}
