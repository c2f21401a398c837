/* facts_fuzz.c - any query that binds has facts, and what is stated follows from them.
 * Called by: libFuzzer, tests/fuzz/replay_main.c.  Must not know: what a query should mean.
 *
 * The first byte chooses the dialect; a line `--` splits DDL from the query: as in bind_fuzz.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/door.h"
#include "grain/check.h"
#include "grain/declared_ddl.h"
#include "plan/ddl.h"
#include "sql/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct job {
    arena memory;
    str ddl, sql;
    sql_dialect dialect;
} job;

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

static void check_facts(const facts *f) {
    MUST(f->rows.min <= f->rows.max);
    MUST(colset_is_subset(f->constant, f->constant_or_null));
    for (uint32_t i = 0; i < f->key_count; i++) {
        closure_mode mode = {.not_null = f->key[i].needs, .with_presumed = true};
        MUST(colset_is_subset(f->key[i].needs, f->key[i].columns));
        MUST(facts_is_superkey(f, f->key[i].columns, mode, NULL));
    }
    for (uint32_t i = 0; i < f->dependency_count; i++) {
        const fact_dependency *d = &f->dependency[i];
        closure_mode mode = {.not_null = d->needs, .with_presumed = true};
        MUST(colset_is_subset(d->to, facts_closure(f, d->from, mode)));
    }
}

static void check_stated(const stated_facts *s) {
    for (size_t i = 0; i < s->key_count; i++)
        for (size_t k = 0; k < s->key[i].count; k++) MUST(s->key[i].column[k] < s->column_count);
    for (size_t i = 0; i < s->column_count; i++) MUST(!s->each[i].constant || s->each[i].constant_or_null);
}

static void analyse(job *j, const catalog *declared, const plan *p) {
    grain_run run = {.owner = &j->memory};
    grain_input input = declared_from_ddl(&j->memory, declared, j->ddl);
    grain_model *m = grain_analyse(&j->memory, &run, &input, p, STR("m"), STR(""), j->sql, j->dialect);
    for (size_t i = 0; i < p->node_count; i++) check_facts(grain_facts_of(m, p->node[i]));
    check_stated(grain_state(m, &j->memory));
    finding_list findings;
    finding_list_init(&findings, &j->memory);
    check_choice choice = {.on = {true, true, true, true, true}, .counts_of_literals = true};
    grain_check(m, &choice, (declaration_list){0}, &findings);
    for (size_t i = 0; i < findings.count; i++) MUST(findings.item[i].text.len && findings.item[i].fingerprint.len == 32);
    MUST(grain_summarise(m, true) && grain_summarise(m, false));
}

static lp_status body(void *context, lp_err *err) {
    job *j = context;
    catalog declared;
    sql_script script;
    TRY(catalog_from_ddl(&j->memory, j->ddl, j->dialect, &declared, err));
    TRY(sql_parse_script(&j->memory, j->sql, j->dialect, &script, err));
    for (size_t i = 0; i < script.statement_count && i < 4; i++) {
        const plan *p;
        const sql_query *query = plan_query_of(&j->memory, script.statement[i]);
        if (!query) continue;
        TRY(plan_bind(&j->memory, j->sql, j->dialect, query, &declared, &p, err));
        if (p->node_count < 400) analyse(j, &declared, p);
    }
    return LP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    job j = {.dialect = (sql_dialect)(data[0] % DIALECT_COUNT), .sql = {(const char *)data + 1, size - 1}, .ddl = STR("")};
    size_t at = 0;
    for (str rest = j.sql; str_find_char(rest, '\n', &at); rest = str_slice(rest, at + 1, rest.len)) {
        if (!str_starts_with(str_slice(rest, at + 1, rest.len), STR("--\n"))) continue;
        size_t end = (size_t)(rest.ptr - j.sql.ptr) + at;
        j.ddl = str_slice(j.sql, 0, end);
        j.sql = str_slice(j.sql, end + 4, j.sql.len);
        break;
    }
    lp_err err = {0};
    arena_init(&j.memory, (size_t)1 << 29);
    if (door_run(body, &j, &err) != LP_OK) MUST(err.text[0] != '\0' && str_is_utf8(str_from(err.text)));
    arena_end(&j.memory);
    return 0;
}
