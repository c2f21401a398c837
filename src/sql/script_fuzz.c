/* script_fuzz.c - statements that parse survive print and parse, in every dialect.
 * Called by: libFuzzer, tests/fuzz/replay_main.c.  Must not know: what the text means.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/door.h"
#include "sql/parse.h"
#include "sql/walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct job {
    arena query;
    str text;
    sql_dialect dialect;
} job;

static void broken(const char *what, sql_dialect dialect, str text, str printed) {
    fprintf(stderr, "%s in %s\n  source:  " STR_FMT "\n  printed: " STR_FMT "\n", what,
            sql_dialect_traits(dialect)->name, STR_ARG(text), STR_ARG(printed));
    abort();
}

static str print(arena *query, const sql_script *script) {
    buf out;
    buf_init(&out, query, SQL_MAX_TEXT_BYTES * 4);
    for (size_t i = 0; i < script->statement_count; i++) {
        sql_print_statement(&out, script->statement[i]);
        buf_put(&out, STR(";\n"));
    }
    return buf_str(&out);
}

static str dump(arena *query, const sql_script *script) {
    buf out;
    buf_init(&out, query, SIZE_MAX / 2);
    for (size_t i = 0; i < script->statement_count; i++) sql_dump_statement(&out, script->statement[i], false);
    return buf_str(&out);
}

/* ---- places and depth ---- */

typedef struct watch {
    size_t text_len, depth, deepest;
    span open[4 * SQL_MAX_DEPTH]; /* of the nodes around; a statement is one, and helpers like items stand between */
} watch;

/* No node reaches out of the text or out of the one around it. */
static void watch_enter(void *context, const char *role, const char *kind, span at) {
    watch *w = context;
    (void)role, (void)kind;
    size_t end = (size_t)at.start + at.len;
    if (end > w->text_len || w->depth >= sizeof w->open / sizeof *w->open) abort();
    w->open[w->depth++] = at;
}

static void watch_leave(void *context) {
    ((watch *)context)->depth--;
}

static void watch_text(void *context, const char *role, str value) {
    (void)context, (void)role, (void)value;
}

static void watch_name(void *context, const char *role) {
    (void)context, (void)role;
}

static void watch_end(void *context) {
    (void)context;
}

static void check_places(const sql_script *script, size_t text_len) {
    static watch w;
    w = (watch){.text_len = text_len};
    sql_walker walker = {&w, watch_enter, watch_leave, watch_text, watch_name, watch_name, watch_end};
    for (size_t i = 0; i < script->statement_count; i++) {
        if (script->statement[i]->height > SQL_MAX_DEPTH + 1) abort();
        sql_walk_statement(script->statement[i], &walker);
    }
}

static void check_errors(const sql_script *script, size_t text_len) {
    for (size_t i = 0; i < script->error_count; i++) {
        const sql_error *e = &script->error[i];
        if (e->text.len == 0 || !str_is_utf8(e->text) || (size_t)e->at.start + e->at.len > text_len) abort();
    }
}

static lp_status body(void *context, lp_err *err) {
    job *j = context;
    sql_script script, again;
    TRY(sql_parse_script(&j->query, j->text, j->dialect, &script, err));
    check_places(&script, j->text.len);
    check_errors(&script, j->text.len);
    str printed = print(&j->query, &script);
    TRY(sql_parse_script(&j->query, printed, j->dialect, &again, err));
    if (again.error_count > 0) broken(again.error[0].text.ptr, j->dialect, j->text, printed);
    if (!str_eq(dump(&j->query, &script), dump(&j->query, &again)))
        broken("another tree", j->dialect, j->text, printed);
    if (!str_eq(printed, print(&j->query, &again))) broken("another text", j->dialect, j->text, printed);
    return LP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (int d = 0; d < DIALECT_COUNT; d++) {
        job j = {.text = {(const char *)data, size}, .dialect = (sql_dialect)d};
        lp_err err = {0};
        arena_init(&j.query, (size_t)1 << 28);
        (void)door_run(body, &j, &err);
        arena_end(&j.query);
    }
    return 0;
}
