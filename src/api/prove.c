/* prove.c - lp_prove: the proof of a claim about rows, or what is missing for it.
 * Called by: users of the library, the command.  Must not know: command lines.
 */
#include "api/delta_source.h"
#include "api/one_query.h"
#include "api/project_models.h"
#include "report/proof_report.h"

typedef struct proving {
    lp_report *report;
    const lp_prove_options *o;
    shown_claim claim;
    grain_proof proof;
    bool was_asked;
} proving;

static lp_status prove(proving *p, const grain_model *m, lp_err *err) {
    arena *owner = &p->report->query;
    p->was_asked = true;
    switch (p->claim.kind) {
    case CLAIM_KEY: return grain_prove_key(m, p->claim.column, p->claim.column_count, owner, &p->proof, err);
    case CLAIM_NOT_NULL: return grain_prove_not_null(m, p->claim.column[0], owner, &p->proof, err);
    case CLAIM_NO_FAN_OUT: grain_prove_no_fan_out(m, owner, &p->proof); return LP_OK;
    }
    UNREACHABLE();
}

/* The chain is text of the run; declarations live with the project. */
static lp_status take_model(void *context, const grain_done *done, lp_err *err) {
    proving *p = context;
    p->claim.model = done->relation->unique_id;
    if (done->model) return prove(p, done->model, err);
    str *why = ARENA_NEW(&p->report->query, str);
    *why = str_format(&p->report->query, "nothing is known of its rows: " STR_FMT, STR_ARG(done->reason));
    p->proof = (grain_proof){.missing = why, .missing_count = 1};
    p->was_asked = true;
    return LP_OK;
}

static lp_status prove_of_project(proving *p, lp_err *err) {
    project_models m;
    arena *owner = &p->report->query;
    if (!p->o->model) return err_set(err, LP_ERR_USAGE, "a proof is asked for one model");
    TRY(project_models_open(owner, &p->o->models, NULL, &m, err));
    TRY(project_models_want(&m, str_from(p->o->model), err));
    grain_options how = {.wanted = m.wanted, .trust = m.trust.item, .trust_count = m.trust.count};
    delta_looker looker = {.owner = owner, .project = m.project, .dialect = m.dialect};
    delta_look_with(&looker, &how);
    TRY(grain_project(owner, m.project, &how, take_model, p, err));
    if (!p->was_asked) return err_set(err, LP_ERR_NOT_FOUND, "the model '%s' has no SQL", p->o->model);
    return LP_OK;
}

static lp_status prove_of_query(proving *p, lp_err *err) {
    one_query q;
    TRY(one_query_analyse(p->report, &p->o->models, &q, err));
    return p->report->passed ? prove(p, q.model, err) : LP_OK;
}

/* ---- the question ---- */

static lp_status read_claim(proving *p, lp_err *err) {
    const lp_prove_options *o = p->o;
    arena *owner = &p->report->query;
    if ((o->key != NULL) + (o->not_null != NULL) + o->no_fan_out != 1)
        return err_set(err, LP_ERR_USAGE, "one claim is proved at a time: a key, a column that is never NULL, or no fan-out");
    p->claim.kind = o->key ? CLAIM_KEY : o->not_null ? CLAIM_NOT_NULL : CLAIM_NO_FAN_OUT;
    if (o->no_fan_out) return LP_OK;
    text_list names = text_list_of_commas(owner, str_copy(owner, str_from(o->key ? o->key : o->not_null)));
    p->claim.column = names.item;
    p->claim.column_count = names.count;
    if (o->not_null && names.count != 1) return err_set(err, LP_ERR_USAGE, "name one column that is never NULL");
    return LP_OK;
}

static void set_gate(proving *p) {
    lp_report *report = p->report;
    report->passed = p->proof.is_proved;
    if (report->passed) return;
    str line = str_format(&report->query, "ASSERTION FAILED: not proved: " STR_FMT "\n",
                          STR_ARG(proof_claim_text(&p->claim, &report->query)));
    report->gates = (report_document){.piece = {{.text = line}}, .count = 1};
}

static lp_status prove_body(lp_report *report, const void *options, lp_err *err) {
    proving p = {.report = report, .o = options, .claim = {.model = STR(""), .tool_version = STR(LAKEPROOF_VERSION)}};
    report->total_files = report->final_files = 0;
    if (p.o->format != LP_FORMAT_TEXT && p.o->format != LP_FORMAT_JSON)
        return err_set(err, LP_ERR_USAGE, "a proof is shown as text or json");
    if (!p.o->models.sql && !p.o->models.project)
        return err_set(err, LP_ERR_USAGE, "a proof is asked of a query or of a project");
    TRY(read_claim(&p, err));
    TRY(p.o->models.sql ? prove_of_query(&p, err) : prove_of_project(&p, err));
    if (!report->passed) return LP_OK;
    p.claim.proof = &p.proof;
    set_gate(&p);
    (p.o->format == LP_FORMAT_JSON ? proof_json : proof_text)(&p.claim, &report->query, &report->document);
    return LP_OK;
}

lp_status lp_prove(const lp_prove_options *options, lp_report **out, lp_err *err) {
    return report_run_on_log(NULL, prove_body, options, out, err); /* there is no table */
}
