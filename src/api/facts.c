/* facts.c - lp_facts: what is known of the rows of a query, or of models.
 * Called by: users of the library, the command.  Must not know: command lines.
 */
#include "api/delta_source.h"
#include "api/one_query.h"
#include "api/project_models.h"
#include "report/facts_report.h"

typedef struct facts_call {
    const lp_facts_options *o;
    facts_style style;
    buf page;
    arena *scratch; /* of a model */
} facts_call;

static void show_model(facts_call *c, const grain_model *m) {
    if (c->page.len && c->o->format == LP_FORMAT_TEXT) buf_put_char(&c->page, '\n');
    if (c->o->format == LP_FORMAT_TEXT)
        facts_text(&c->page, m, &c->style, c->scratch);
    else
        facts_json(&c->page, m, &c->style, c->scratch);
}

static lp_status facts_of_query(lp_report *report, facts_call *c, lp_err *err) {
    one_query q;
    TRY(one_query_analyse(report, &c->o->models, &q, err));
    if (!report->passed) return LP_OK;
    c->style.places = &q.places;
    c->style.dialect = q.dialect_name;
    show_model(c, q.model);
    return LP_OK;
}

/* ---- projects ---- */

static lp_status take_model(void *context, const grain_done *done, lp_err *err) {
    facts_call *c = context;
    (void)err;
    if (done->model) grain_declare(done->model, done->own);
    if (done->model)
        show_model(c, done->model);
    else if (c->o->format == LP_FORMAT_TEXT)
        facts_text_unknown(&c->page, done->relation->unique_id, done->reason);
    else
        facts_json_unknown(&c->page, done->relation->unique_id, done->reason, &c->style);
    arena_reset(c->scratch);
    return LP_OK;
}

static lp_status facts_of_project(lp_report *report, facts_call *c, lp_err *err) {
    project_models m;
    TRY(project_models_open(&report->query, &c->o->models, NULL, &m, err));
    if (c->o->model) TRY(project_models_want(&m, str_from(c->o->model), err));
    c->style.places = &m.places;
    c->style.dialect = str_from(sql_dialect_traits(m.dialect)->name);
    c->style.in_list = !c->o->model;
    grain_options how = {.wanted = m.wanted, .trust = m.trust.item, .trust_count = m.trust.count};
    delta_looker looker = {.owner = &report->query, .project = m.project, .dialect = m.dialect};
    delta_look_with(&looker, &how);
    return grain_project(&report->query, m.project, &how, take_model, c, err);
}

/* ---- the question ---- */

static lp_status check_format(const lp_facts_options *o, lp_err *err) {
    bool is_list = !o->models.sql && !o->model;
    if (!o->models.sql && !o->models.project)
        return err_set(err, LP_ERR_USAGE, "facts are asked of a query or of a project");
    if (o->format == LP_FORMAT_TEXT || o->format == (is_list ? LP_FORMAT_NDJSON : LP_FORMAT_JSON)) return LP_OK;
    return err_set(err, LP_ERR_USAGE, is_list ? "facts of all models are shown as text or ndjson"
                                              : "facts are shown as text or json");
}

static lp_status facts_body(lp_report *report, const void *options, lp_err *err) {
    facts_call c = {.o = options};
    TRY(check_format(c.o, err));
    report->total_files = report->final_files = 0;
    c.scratch = arena_child(&report->query);
    c.style = (facts_style){.with_tree = c.o->tree, .tool_version = STR(LAKEPROOF_VERSION)};
    buf_init(&c.page, &report->query, SIZE_MAX / 2);
    if (c.o->models.sql)
        TRY(facts_of_query(report, &c, err));
    else
        TRY(facts_of_project(report, &c, err));
    if (c.page.len) report->document = (report_document){.piece = {{.text = buf_str(&c.page)}}, .count = 1};
    return LP_OK;
}

lp_status lp_facts(const lp_facts_options *options, lp_report **out, lp_err *err) {
    return report_run_on_log(NULL, facts_body, options, out, err); /* there is no table */
}
