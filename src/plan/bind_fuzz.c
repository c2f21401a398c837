/* bind_fuzz.c - any text that parses binds or is refused, with and without a catalog, and the plan is whole.
 * Called by: libFuzzer, tests/fuzz/replay_main.c.  Must not know: what a query should mean.
 *
 * The first byte chooses the dialect; a line `--` splits DDL from the query.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/door.h"
#include "plan/bind.h"
#include "plan/ddl.h"
#include "plan/print.h"
#include "sql/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct job {
    arena memory;
    str ddl, sql;
    sql_dialect dialect;
    bool declared;
} job;

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

static bool has(const plan_node *n, column_id id) {
    for (size_t i = 0; i < n->column_count; i++)
        if (n->column[i] == id) return true;
    return false;
}

/* What an expression reads is in the rows that it is computed over, but for columns of nobody. */
static void check_reads(const plan *p, const plan_expr *e, const plan_node *const *input, size_t count) {
    column_id id;
    for (column_id from = 0; colset_next(e->columns, from, &id); from = id + 1) {
        bool found = p->column[id].origin == COLUMN_STRAY;
        for (size_t i = 0; i < count; i++) found |= has(input[i], id);
        MUST(found);
    }
}

static void check_made(const plan *p, const plan_node *n, const column_id *made, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const plan_column *c = &p->column[made[i]];
        MUST(c->made_by == n && has(n, made[i]) && c->definition);
        check_reads(p, c->definition, n->input, n->input_count);
    }
}

static void check_node(const plan *p, const plan_node *n) {
    for (size_t i = 0; i < n->input_count; i++) MUST(n->input[i]->id < n->id && n->input[i]->height < n->height);
    for (size_t i = 0; i < n->column_count; i++) MUST(n->column[i] < p->column_count);
    if (n->kind == PLAN_FILTER)
        for (size_t i = 0; i < n->filter.condition_count; i++)
            check_reads(p, n->filter.condition[i], n->input, n->input_count);
    if (n->kind == PLAN_PROJECT)
        for (size_t i = 0; i < n->project.made_count; i++) {
            const plan_column *c = &p->column[n->project.made[i]];
            MUST(c->made_by == n && has(n, n->project.made[i]));
            if (c->definition) check_reads(p, c->definition, n->input, n->input_count);
        }
    if (n->kind == PLAN_AGGREGATE) check_made(p, n, n->aggregate.made, n->aggregate.made_count);
    if (n->kind == PLAN_WINDOW) check_made(p, n, n->window.made, n->window.made_count);
    if (n->kind == PLAN_JOIN)
        for (size_t i = 0; i < n->join.pair_count; i++)
            MUST(has(n->input[0], n->join.pair[i].left) && has(n->input[1], n->join.pair[i].right));
}

static void check_plan(const plan *p) {
    MUST(p->node_count > 0 && p->root == p->node[p->root->id]);
    for (size_t i = 0; i < p->node_count; i++) {
        MUST(p->node[i]->id == i);
        check_node(p, p->node[i]);
    }
    for (size_t i = 0; i < p->result_count; i++) MUST(has(p->root, p->result[i].column));
}

static lp_status body(void *context, lp_err *err) {
    job *j = context;
    catalog declared;
    sql_script script;
    if (j->declared) TRY(catalog_from_ddl(&j->memory, j->ddl, j->dialect, &declared, err));
    TRY(sql_parse_script(&j->memory, j->sql, j->dialect, &script, err));
    for (size_t i = 0; i < script.statement_count; i++) {
        const plan *p;
        const sql_query *query = plan_query_of(&j->memory, script.statement[i]);
        if (!query) continue;
        TRY(plan_bind(&j->memory, j->sql, j->dialect, query, j->declared ? &declared : NULL, &p,
                      err));
        check_plan(p);
        buf out;
        buf_init(&out, &j->memory, SIZE_MAX / 2);
        place_index places = place_index_new(&j->memory, j->sql);
        plan_print(&out, p, &places);
    }
    return LP_OK;
}

static void run(job *j) {
    lp_err err = {0};
    arena_init(&j->memory, (size_t)1 << 28);
    lp_status status = door_run(body, j, &err);
    if (status != LP_OK) MUST(err.text[0] != '\0' && str_is_utf8(str_from(err.text)));
    arena_end(&j->memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    job j = {
        .dialect = (sql_dialect)(data[0] % DIALECT_COUNT), .sql = {(const char *)data + 1, size - 1}, .ddl = STR("")};
    size_t at = 0;
    str rest = j.sql;
    while (str_find_char(rest, '\n', &at)) {
        if (str_starts_with(str_slice(rest, at + 1, rest.len), STR("--\n"))) {
            size_t end = (size_t)(rest.ptr - j.sql.ptr) + at;
            j.ddl = str_slice(j.sql, 0, end);
            j.sql = str_slice(j.sql, end + 4, j.sql.len);
            j.declared = true;
            break;
        }
        rest = str_slice(rest, at + 1, rest.len);
    }
    run(&j);
    j.declared = false;
    run(&j);
    return 0;
}
