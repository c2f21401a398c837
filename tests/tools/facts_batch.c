/* facts_batch.c - the facts and findings of many queries in one process, for the refutation by data.
 * Called by: tests/refute.  Must not know: where the texts come from.
 *
 * usage: facts_batch facts|explain|check < records
 *
 * A record is a line `DIALECT SQL_BYTES DDL_BYTES` and so many bytes. The answer is one line of JSON: `error`, or what
 * stated_facts holds, with columns as places in the result. `explain` adds the chains of evidence. `check` gives the findings
 * instead, and whether the last aggregate of the plan, that of the outermost query, could have one: the grain of what it sums
 * and a key of its rows are known.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "grain/check.h"
#include "grain/declared_ddl.h"
#include "grain/op.h"
#include "json/json_writer.h"
#include "plan/bind.h"
#include "plan/ddl.h"
#include "sql/parse.h"

#include "query_record.h"

typedef struct job {
    arena memory;
    query_record query;
    bool explain, check;
    json_writer out;
    const grain_model *model;
} job;

static void put_places(json_writer *w, const uint32_t *place, size_t count) {
    json_begin_array(w);
    for (size_t i = 0; i < count; i++) json_put_uint(w, place[i]);
    json_end_array(w);
}

static void put_names(json_writer *w, const str *name, size_t count) {
    json_begin_array(w);
    for (size_t i = 0; i < count; i++) json_put_string(w, name[i]);
    json_end_array(w);
}

static void put_chain(job *j, evidence_id why) {
    size_t count;
    const str *chain = evidence_chain(&j->model->evidence, why, &j->model->names, &j->memory, &count);
    put_names(&j->out, chain, count);
}

static void put_sets(job *j, const char *name, const struct stated_set *set, size_t count) {
    json_put_key(&j->out, str_from(name));
    json_begin_array(&j->out);
    for (size_t i = 0; i < count; i++) put_places(&j->out, set[i].column, set[i].count);
    json_end_array(&j->out);
}

static void put_dependencies(job *j, const char *name, const stated_facts *f, bool lax) {
    json_put_key(&j->out, str_from(name));
    json_begin_array(&j->out);
    for (size_t i = 0; i < f->dependency_count; i++) {
        if (f->dependency[i].is_lax != lax) continue;
        json_begin_array(&j->out);
        put_places(&j->out, f->dependency[i].from, f->dependency[i].from_count);
        put_places(&j->out, f->dependency[i].to, f->dependency[i].to_count);
        json_end_array(&j->out);
    }
    json_end_array(&j->out);
}

typedef bool (*column_test)(const struct stated_column *c);
static bool is_not_null(const struct stated_column *c) { return c->not_null; }
static bool is_constant(const struct stated_column *c) { return c->constant; }
static bool is_constant_or_null(const struct stated_column *c) { return c->constant_or_null; }

static void put_columns(job *j, const char *name, const stated_facts *f, column_test test) {
    json_put_key(&j->out, str_from(name));
    json_begin_array(&j->out);
    for (size_t i = 0; i < f->column_count; i++)
        if (test(&f->each[i])) json_put_uint(&j->out, i);
    json_end_array(&j->out);
}

static void put_rows(job *j, row_bounds rows) {
    json_put_key(&j->out, STR("rows"));
    json_begin_array(&j->out);
    json_put_uint(&j->out, rows.min);
    if (rows.max == ROWS_UNBOUNDED)
        json_put_null(&j->out);
    else
        json_put_uint(&j->out, rows.max);
    json_end_array(&j->out);
}

static void put_inclusions(job *j, const stated_facts *f) {
    json_writer *w = &j->out;
    json_put_key(w, STR("inclusions"));
    json_begin_array(w);
    for (size_t i = 0; i < f->inclusion_count; i++) {
        const struct stated_inclusion *n = &f->inclusion[i];
        json_begin_array(w);
        json_put_bool(w, n->is_covers);
        json_put_bool(w, n->is_lax);
        json_put_string(w, n->relation);
        put_places(w, n->here, n->count);
        put_names(w, n->there, n->count);
        json_end_array(w);
    }
    json_end_array(w);
}

/* In the order of the facts above, each with its claim, so that a reader finds the chain of one. */
static void put_reasons(job *j, const stated_facts *f) {
    json_writer *w = &j->out;
    json_put_key(w, STR("why"));
    json_begin_array(w);
    for (size_t i = 0; i < f->key_count; i++) put_chain(j, f->key[i].why);
    for (size_t i = 0; i < f->lax_key_count; i++) put_chain(j, f->lax_key[i].why);
    for (int lax = 0; lax < 2; lax++)
        for (size_t i = 0; i < f->dependency_count; i++)
            if (f->dependency[i].is_lax == lax) put_chain(j, f->dependency[i].why);
    for (size_t i = 0; i < f->column_count; i++)
        if (f->each[i].not_null) put_chain(j, f->each[i].not_null_why);
    for (size_t i = 0; i < f->column_count; i++)
        if (f->each[i].constant) put_chain(j, f->each[i].constant_why);
    for (size_t i = 0; i < f->column_count; i++)
        if (f->each[i].constant_or_null) put_chain(j, f->each[i].constant_why);
    for (size_t i = 0; i < f->equal_count; i++) put_chain(j, f->equal[i].why);
    json_begin_array(w);
    json_end_array(w);
    for (size_t i = 0; i < f->inclusion_count; i++) put_chain(j, f->inclusion[i].why);
    json_end_array(w);
}

static void put_facts(job *j) {
    static const char *const status[] = {"known", "partial", "unknown"};
    const stated_facts *f = grain_state(j->model, &j->memory);
    json_writer *w = &j->out;
    json_put_key(w, STR("status"));
    json_put_string(w, str_from(status[f->status]));
    json_put_key(w, STR("reason"));
    json_put_string(w, f->gap.what);
    json_put_key(w, STR("columns"));
    put_names(w, f->column, f->column_count);
    put_sets(j, "keys", f->key, f->key_count);
    put_sets(j, "lax_keys", f->lax_key, f->lax_key_count);
    put_dependencies(j, "fds", f, false);
    put_dependencies(j, "lax_fds", f, true);
    put_columns(j, "not_null", f, is_not_null);
    put_columns(j, "constant", f, is_constant);
    put_columns(j, "constant_or_null", f, is_constant_or_null);
    put_sets(j, "equiv", f->equal, f->equal_count);
    put_rows(j, f->rows);
    put_inclusions(j, f);
    json_put_key(w, STR("join"));
    put_names(w, (str[]){f->left_multiplicity, f->right_multiplicity}, 2);
    if (j->explain) put_reasons(j, f);
}

/* ---- findings ---- */

static bool is_known(job *j, const plan_node *n, const plan_expr *call) {
    bool sums = str_eq(call->name, STR("sum")) || str_eq(call->name, STR("avg"));
    return !sums || !call->arg_count || op_grain_of_expr((grain_model *)j->model, n, call->arg[0]).is_known;
}

static bool last_sum_is_known(job *j) {
    const plan *p = j->model->plan;
    for (size_t i = p->node_count; i > 0; i--) {
        const plan_node *n = p->node[i - 1];
        if (n->kind != PLAN_AGGREGATE) continue;
        const facts *rows = grain_facts_of(j->model, n->input[0]);
        bool known = rows->status != FACTS_UNKNOWN && facts_best_key(rows);
        for (size_t k = 0; k < n->aggregate.made_count && known; k++)
            known = is_known(j, n, p->column[n->aggregate.made[k]].definition);
        return known;
    }
    return false;
}

static void put_finding(job *j, const finding *f) {
    json_writer *w = &j->out;
    json_begin_object(w);
    json_put_key(w, STR("code"));
    json_put_string(w, finding_code_name(f->code));
    json_put_key(w, STR("at"));
    json_put_uint(w, f->at.start);
    json_put_key(w, STR("text"));
    json_put_string(w, f->text);
    json_end_object(w);
}

static void put_findings(job *j) {
    check_choice choice = CHECK_DEFAULT;
    finding_list found;
    finding_list_init(&found, &j->memory);
    grain_check(j->model, &choice, (declaration_list){0}, &found);
    json_put_key(&j->out, STR("findings"));
    json_begin_array(&j->out);
    for (size_t i = 0; i < found.count; i++) put_finding(j, &found.item[i]);
    json_end_array(&j->out);
    json_put_key(&j->out, STR("sum_known"));
    json_put_bool(&j->out, last_sum_is_known(j));
}

static lp_status answer(job *j, const sql_query *query, const catalog *declared, lp_err *err) {
    const plan *p;
    TRY(plan_bind(&j->memory, j->query.sql, j->query.dialect, query, declared, &p, err));
    grain_run run = {.owner = &j->memory};
    grain_input input = declared_from_ddl(&j->memory, declared, j->query.ddl);
    j->model = grain_analyse(&j->memory, &run, &input, p, STR(""), STR(""), j->query.sql, j->query.dialect);
    buf text;
    buf_init(&text, &j->memory, SIZE_MAX / 2);
    json_writer_init(&j->out, &text, 0);
    json_begin_object(&j->out);
    if (j->check)
        put_findings(j);
    else
        put_facts(j);
    json_end_object(&j->out);
    printf(STR_FMT "\n", STR_ARG(buf_str(&text)));
    return LP_OK;
}

static lp_status run(void *context, lp_err *err) {
    job *j = context;
    catalog declared;
    TRY(catalog_from_ddl(&j->memory, j->query.ddl, j->query.dialect, &declared, err));
    sql_script script;
    TRY(sql_parse_script(&j->memory, j->query.sql, j->query.dialect, &script, err));
    if (script.error_count) return err_set(err, LP_ERR_QUERY, STR_FMT, STR_ARG(script.error[0].text));
    for (size_t i = 0; i < script.statement_count; i++)
        if (script.statement[i]->query) return answer(j, script.statement[i]->query, &declared, err);
    return err_set(err, LP_ERR_QUERY, "no query");
}

static lp_status say(void *context, lp_err *err) {
    const lp_err *what = context;
    arena memory;
    buf text;
    json_writer w;
    (void)err;
    arena_init(&memory, (size_t)1 << 20);
    buf_init(&text, &memory, SIZE_MAX / 2);
    json_writer_init(&w, &text, 0);
    json_begin_object(&w);
    json_put_key(&w, STR("error"));
    json_put_string(&w, str_from(what->text));
    json_end_object(&w);
    printf(STR_FMT "\n", STR_ARG(buf_str(&text)));
    arena_end(&memory);
    return LP_OK;
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    job j = {.explain = strcmp(argv[1], "explain") == 0, .check = strcmp(argv[1], "check") == 0};
    while (query_record_read(&j.query)) {
        lp_err err, none;
        arena_init(&j.memory, (size_t)1 << 30);
        if (door_run(run, &j, &err) != LP_OK && door_run(say, &err, &none) != LP_OK) return 1;
        fflush(stdout); /* what is said of the records before one that crashes must not be lost */
        arena_end(&j.memory);
        free(j.query.bytes);
    }
    return 0;
}
