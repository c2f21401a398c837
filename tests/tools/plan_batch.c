/* plan_batch.c - many queries bound in one process, for the comparisons of tests/compare.
 * Called by: tests/compare/plan_*.py.  Must not know: where the texts come from.
 *
 * usage: plan_batch columns|plan|time < records
 *
 * A record is a line `DIALECT SQL_BYTES DDL_BYTES` and so many bytes. The answer is one line for `columns`: `ok` and the names
 * of the result in JSON (with `...` behind them when there are more), `unknown` and what stopped us, or `error` and the first
 * line of the message. `plan` prints the plan instead, and a line `.` behind each answer. `time` parses and binds a few times and
 * prints the shortest time and the memory, one JSON object a line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/door.h"
#include "json/json_writer.h"
#include "plan/bind.h"
#include "plan/ddl.h"
#include "plan/print.h"
#include "sql/parse.h"

#include "query_record.h"

typedef struct job {
    arena memory;
    query_record query;
    bool print, timed;
} job;

static const plan_node *find_unknown(const plan *p) {
    for (size_t i = 0; i < p->node_count; i++)
        if (p->node[i]->kind == PLAN_UNKNOWN) return p->node[i];
    return NULL;
}

static void answer(job *j, const plan *p) {
    buf out;
    buf_init(&out, &j->memory, SIZE_MAX / 2);
    if (j->print) {
        place_index places = place_index_new(&j->memory, j->query.sql);
        plan_print(&out, p, &places);
        printf(STR_FMT ".\n", STR_ARG(buf_str(&out)));
        return;
    }
    json_writer w;
    json_writer_init(&w, &out, 0);
    json_begin_array(&w);
    for (size_t i = 0; i < p->result_count; i++) json_put_string(&w, p->result[i].name);
    if (p->result_is_open) json_put_string(&w, STR("..."));
    json_end_array(&w);
    const plan_node *unknown = find_unknown(p);
    if (unknown)
        printf("unknown " STR_FMT "\n", STR_ARG(unknown->unknown.what));
    else
        printf("ok " STR_FMT "\n", STR_ARG(buf_str(&out)));
}

static lp_status run(void *context, lp_err *err) {
    job *j = context;
    catalog declared;
    TRY(catalog_from_ddl(&j->memory, j->query.ddl, j->query.dialect, &declared, err));
    sql_script script;
    TRY(sql_parse_script(&j->memory, j->query.sql, j->query.dialect, &script, err));
    if (script.error_count) return err_set(err, LP_ERR_QUERY, STR_FMT, STR_ARG(script.error[0].text));
    for (size_t i = 0; i < script.statement_count; i++) {
        const sql_query *query = plan_query_of(&j->memory, script.statement[i]);
        if (!query) continue;
        const plan *p;
        TRY(plan_bind(&j->memory, j->query.sql, j->query.dialect, query, j->query.ddl.len ? &declared : NULL, &p, err));
        if (!j->timed) answer(j, p);
        return LP_OK;
    }
    return err_set(err, LP_ERR_QUERY, "no query");
}

static void put_error(job *j, const lp_err *err) {
    size_t end = strcspn(err->text, "\n");
    printf("error %.*s\n%s", (int)end, err->text, j->print ? ".\n" : "");
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static lp_status run_timed(job *j, lp_err *err) {
    double best = 1e9;
    for (int round = 0; round < 3; round++) {
        double before = seconds();
        arena_reset(&j->memory);
        lp_status status = door_run(run, j, err);
        if (status != LP_OK) return status;
        if (seconds() - before < best) best = seconds() - before;
    }
    printf("{\"bytes\": %zu, \"seconds\": %.6f, \"arena_peak_bytes\": %zu}\n", j->query.sql.len, best, j->memory.peak_bytes);
    return LP_OK;
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    job j = {.print = strcmp(argv[1], "plan") == 0, .timed = strcmp(argv[1], "time") == 0};
    while (query_record_read(&j.query)) {
        lp_err err;
        arena_init(&j.memory, (size_t)1 << 30);
        if ((j.timed ? run_timed(&j, &err) : door_run(run, &j, &err)) != LP_OK) put_error(&j, &err);
        fflush(stdout);
        arena_end(&j.memory);
        free(j.query.bytes);
    }
    return 0;
}
