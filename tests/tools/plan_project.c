/* plan_project.c - the models of a dbt project bound in its order, each with the columns of those before it.
 * Called by: tests/compare/plan_projects.py, by hand.  Must not know: what is right.
 *
 * usage: plan_project PLACE
 * One line a model or snapshot: its unique id, then `ok N` with the number of columns of the result (`ok N...` when
 * there may be more), `unknown` and what stopped us, `error` and the first line of the message, or `none` without
 * compiled SQL.
 */
#include <stdio.h>
#include <string.h>

#include "base/door.h"
#include "dbt/project.h"
#include "grain/dbt_catalog.h"
#include "plan/bind.h"
#include "sql/parse.h"
#include "json/json_writer.h"

typedef struct job {
    arena memory;
    const char *place;
    sql_dialect dialect;
    dbt_project *project;
    dbt_catalog *catalog;
} job;

static const plan_node *find_unknown(const plan *p) {
    for (size_t i = 0; i < p->node_count; i++)
        if (p->node[i]->kind == PLAN_UNKNOWN) return p->node[i];
    return NULL;
}

static void learn(job *j, const dbt_relation *r, const plan *p, arena *scratch) {
    if (p->result_is_open || r->resource != DBT_MODEL) return;
    str *name = ARENA_ARRAY(scratch, str, p->result_count);
    for (size_t i = 0; i < p->result_count; i++) name[i] = p->result[i].name;
    dbt_catalog_learn(j->catalog, r->index, name, p->result_count);
}

static void put_result(const plan *p, arena *scratch) {
    buf out;
    json_writer w;
    buf_init(&out, scratch, SIZE_MAX / 2);
    json_writer_init(&w, &out, 0);
    json_begin_array(&w);
    for (size_t i = 0; i < p->result_count; i++) json_put_string(&w, p->result[i].name);
    if (p->result_is_open) json_put_string(&w, STR("..."));
    json_end_array(&w);
    printf("ok " STR_FMT "\n", STR_ARG(buf_str(&out)));
}

static lp_status bind_query(job *j, const dbt_relation *r, str code, const sql_query *query, arena *scratch,
                            const plan **out, bool *again, lp_err *err) {
    catalog declared = dbt_catalog_for(j->catalog, scratch, r);
    lp_status status = plan_bind(scratch, code, j->dialect, query, &declared, out, err);
    *again = status == LP_ERR_QUERY;
    if (!*again) return status;
    printf("again (%.*s) ", (int)strcspn(err->text, "\n"), err->text);
    declared = dbt_catalog_for_open(j->catalog, scratch, r);
    return plan_bind(scratch, code, j->dialect, query, &declared, out, err);
}

static lp_status bind_code(job *j, const dbt_relation *r, arena *scratch, lp_err *err) {
    str code;
    sql_script script;
    bool again;
    const plan *p;
    TRY(dbt_read_compiled(j->project, r, scratch, &code, err));
    TRY(sql_parse_script(scratch, code, j->dialect, &script, err));
    if (script.error_count) return err_set(err, LP_ERR_QUERY, STR_FMT, STR_ARG(script.error[0].text));
    if (script.statement_count != 1 || !script.statement[0]->query)
        return err_set(err, LP_ERR_QUERY, "expected one query");
    TRY(bind_query(j, r, code, script.statement[0]->query, scratch, &p, &again, err));
    learn(j, r, p, scratch);
    const plan_node *unknown = find_unknown(p);
    if (unknown)
        printf("unknown " STR_FMT "\n", STR_ARG(unknown->unknown.what));
    else
        put_result(p, scratch);
    return LP_OK;
}

static void bind_relation(job *j, const dbt_relation *r) {
    if ((r->resource != DBT_MODEL && r->resource != DBT_SNAPSHOT) || r->is_python) return;
    printf(STR_FMT " ", STR_ARG(r->unique_id));
    arena *scratch = arena_child(&j->memory);
    lp_err err;
    if (!r->is_compiled)
        printf("none\n");
    else if (bind_code(j, r, scratch, &err) != LP_OK)
        printf("error %.*s\n", (int)strcspn(err.text, "\n"), err.text);
    arena_end(scratch);
}

static lp_status run(void *context, lp_err *err) {
    job *j = context;
    TRY(dbt_open(&j->memory, str_from(j->place), &j->project, err));
    (void)dbt_catalog_dialect(j->project, &j->dialect);
    j->catalog = dbt_catalog_new(&j->memory, j->project, j->dialect);
    for (size_t i = 0; i < j->project->relation_count; i++)
        bind_relation(j, &j->project->relation[j->project->order[i]]);
    return LP_OK;
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    job j = {.place = argv[1]};
    lp_err err;
    arena_init(&j.memory, 0);
    bool failed = door_run(run, &j, &err) != LP_OK;
    if (failed) fprintf(stderr, "%s\n", err.text);
    arena_end(&j.memory);
    return failed;
}
