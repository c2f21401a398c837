/* facts.c - lp_facts: what is known of the rows of a query.
 * Called by: users of the library, the command.  Must not know: command lines.
 */
#include "api/one_query.h"
#include "report/facts_report.h"

static lp_status facts_body(lp_report *report, const void *options, lp_err *err) {
    const lp_facts_options *o = options;
    one_query q;
    if (o->format != LP_FORMAT_TEXT && o->format != LP_FORMAT_JSON)
        return err_set(err, LP_ERR_USAGE, "facts are shown as text or JSON");
    TRY(one_query_analyse(report, &o->models, &q, err));
    if (!report->passed) return LP_OK;
    facts_style style = {.with_tree = o->tree,
                         .places = &q.places,
                         .dialect = q.dialect_name,
                         .tool_version = STR(LAKEPROOF_VERSION)};
    buf page;
    buf_init(&page, &report->query, SIZE_MAX / 2);
    if (o->format == LP_FORMAT_JSON)
        facts_json(&page, q.model, &style, &report->query);
    else
        facts_text(&page, q.model, &style, &report->query);
    report->document = (report_document){.piece = {{.text = buf_str(&page)}}, .count = 1};
    return LP_OK;
}

lp_status lp_facts(const lp_facts_options *options, lp_report **out, lp_err *err) {
    return report_run_on_log(NULL, facts_body, options, out, err); /* there is no table */
}
