/* project.c - all models of a dbt project, each analysed once, parents before children.
 * Called by: api, tools.  Must not know: how results are printed or chosen.
 *
 * A model lives in an arena of its own, which ends with it; what stays is its summary and its findings. So memory follows
 * the largest model and the summaries.
 */
#include "grain/project.h"

#include "grain/dbt_catalog.h"
#include "sql/parse.h"

typedef struct project_run {
    arena *owner;
    const dbt_project *project;
    const grain_options *options;
    sql_dialect dialect;
    const grain_summary **summary; /* by relation */
    bool *needed;                  /* by relation: wanted, or above one that is */
    grain_run run;
    dbt_catalog *catalog;
    dbt_declared *declared;
    grain_done_fn done;
    void *context;
} project_run;

/* ---- which models ---- */

static bool is_wanted(const project_run *r, size_t index) {
    return !r->options->wanted || r->options->wanted[index];
}

static void find_needed(project_run *r) {
    for (size_t i = 0; i < r->project->relation_count; i++) r->needed[i] = is_wanted(r, i);
    dbt_add_ancestors(r->project, r->needed);
}

/* ---- what is known beside the project ---- */

/* The columns of what has SQL are those of its SQL: its table may be older. */
static lp_status look_at(project_run *r, const dbt_relation *relation, lp_err *err) {
    grain_extra extra = {0};
    TRY(r->options->look(r->options->look_context, relation, &extra, err));
    dbt_declared_add(r->declared, relation, extra.declared);
    bool has_sql = relation->resource == DBT_MODEL && !relation->is_python;
    if (extra.column_count && !has_sql)
        dbt_catalog_describe(r->catalog, relation->index, extra.column, extra.column_count);
    return LP_OK;
}

static lp_status look_around(project_run *r, lp_err *err) {
    for (size_t i = 0; r->options->look && i < r->project->relation_count; i++) {
        const dbt_relation *relation = &r->project->relation[i];
        if (r->needed[i] && !str_is_none(relation->delta_path)) TRY(look_at(r, relation, err));
    }
    return LP_OK;
}

/* ---- one model ---- */

typedef struct model_job {
    project_run *r;
    const dbt_relation *relation;
    arena *memory;
    str text;
    const plan *plan;
    str reason;
} model_job;

static str first_line(str text) {
    size_t end;
    return str_find_char(text, '\n', &end) ? str_slice(text, 0, end) : text;
}

static void give_up(model_job *j, const lp_err *err) {
    j->reason = str_copy(j->memory, first_line(str_from(err->text)));
}

static const sql_query *only_query(model_job *j, const sql_script *script) {
    const sql_query *found = NULL;
    for (size_t i = 0; i < script->statement_count; i++) {
        if (!script->statement[i]->query) continue;
        if (found) return NULL;
        found = script->statement[i]->query;
    }
    if (!found) j->reason = STR("no query in the compiled SQL");
    return found;
}

static lp_status make_plan(model_job *j, lp_err *err) {
    sql_script script;
    TRY(sql_parse_script(j->memory, j->text, j->r->dialect, &script, err));
    if (script.error_count) return err_set(err, LP_ERR_QUERY, STR_FMT, STR_ARG(script.error[0].text));
    const sql_query *query = only_query(j, &script);
    if (!query) return err_set(err, LP_ERR_QUERY, "not one query");
    catalog declared = dbt_catalog_for(j->r->catalog, j->memory, j->relation);
    lp_status status = plan_bind(j->memory, j->text, j->r->dialect, query, &declared, &j->plan, err);
    if (status != LP_ERR_QUERY) return status;
    lp_err again; /* with open columns, in case a column list is not up to date; the first message counts */
    declared = dbt_catalog_for_open(j->r->catalog, j->memory, j->relation);
    return plan_bind(j->memory, j->text, j->r->dialect, query, &declared, &j->plan, &again) == LP_OK ? LP_OK : status;
}

/* What cannot be planned is unknown, with the reason; only a lack of memory or a file that changed ends the run. */
static lp_status plan_model(model_job *j, lp_err *err) {
    j->text = STR("");
    if (j->relation->is_python) {
        j->reason = STR("a Python model");
        return LP_OK;
    }
    if (!j->relation->is_compiled) {
        j->reason = STR("no compiled SQL");
        return LP_OK;
    }
    TRY(dbt_read_compiled(j->r->project, j->relation, j->memory, &j->text, err));
    lp_status status = make_plan(j, err);
    if (status == LP_ERR_QUERY) {
        give_up(j, err);
        j->plan = NULL;
        return LP_OK;
    }
    return status;
}

static const grain_summary *afresh(project_run *r, const dbt_relation *relation) {
    grain_summary *s = ARENA_NEW(r->owner, grain_summary);
    s->model = relation->unique_id;
    s->starts_afresh = s->is_open = true;
    return s;
}

static lp_status finish_model(model_job *j, grain_model *m, lp_err *err) {
    project_run *r = j->r;
    finding_list findings;
    finding_list_init(&findings, r->owner);
    bool wanted = is_wanted(r, j->relation->index);
    declaration_list own = dbt_declared_of(r->declared, j->relation);
    if (m && wanted) grain_check(m, &r->options->choice, own, &findings);
    if (!wanted || !r->done) return LP_OK;
    grain_done done = {.relation = j->relation, .model = m, .text = j->text, .reason = j->reason,
                       .own = own, .findings = findings.item, .finding_count = findings.count};
    return r->done(r->context, &done, err);
}

static lp_status run_model(project_run *r, const dbt_relation *relation, arena *memory, lp_err *err) {
    model_job j = {.r = r, .relation = relation, .memory = memory, .reason = STR("")};
    TRY(plan_model(&j, err));
    if (!j.plan) {
        r->summary[relation->index] = afresh(r, relation);
        return finish_model(&j, NULL, err);
    }
    grain_input input = dbt_declared_input(r->declared, relation);
    str file = str_copy(r->owner, relation->original_file_path);
    grain_model *m = grain_analyse(memory, &r->run, &input, j.plan, relation->unique_id, file, j.text, r->dialect);
    const grain_summary *s = grain_summarise(m, relation->has_batches);
    r->summary[relation->index] = relation->is_written_by_hook ? afresh(r, relation) : s;
    if (relation->resource == DBT_MODEL && !s->is_open) {
        dbt_catalog_learn(r->catalog, relation->index, s->column, s->column_count);
        dbt_declared_columns(r->declared, relation, s->column, s->column_count);
    }
    return finish_model(&j, m, err);
}

lp_status grain_project(arena *owner, const dbt_project *p, const grain_options *options, grain_done_fn done, void *context,
                        lp_err *err) {
    project_run r = {.owner = owner, .project = p, .options = options, .done = done, .context = context};
    (void)dbt_catalog_dialect(p, &r.dialect);
    r.summary = ARENA_ARRAY(owner, const grain_summary *, p->relation_count + 1);
    r.needed = ARENA_ARRAY(owner, bool, p->relation_count + 1);
    r.run.owner = owner;
    r.catalog = dbt_catalog_new(owner, p, r.dialect);
    r.declared = dbt_declared_new(owner, p, r.summary, options->trust, options->trust_count);
    find_needed(&r);
    TRY(look_around(&r, err));
    arena *memory = arena_child(owner);
    for (size_t i = 0; i < p->relation_count; i++) {
        const dbt_relation *relation = &p->relation[p->order[i]];
        bool has_sql = relation->resource == DBT_MODEL || relation->resource == DBT_SNAPSHOT;
        if (!has_sql || !r.needed[relation->index]) continue;
        TRY(run_model(&r, relation, memory, err));
        arena_reset(memory);
    }
    return LP_OK;
}
