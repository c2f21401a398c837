/* parse_fuzz.c - what parses survives print and parse.
 * Called by: libFuzzer, tests/fuzz/replay_main.c.  Must not know: what the text means.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/door.h"
#include "sql/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct job {
    arena query;
    str text;
    sql_dialect dialect;
} job;

static void broken(const char *what, str text, str printed) {
    fprintf(stderr, "%s\n  source:  " STR_FMT "\n  printed: " STR_FMT "\n", what, STR_ARG(text), STR_ARG(printed));
    abort();
}

static str print(arena *query, const ast *tree) {
    buf out;
    buf_init(&out, query, SQL_MAX_TEXT_BYTES * 4);
    sql_print(&out, tree);
    return buf_str(&out);
}

/* No node reaches out of the text or out of its parent, and heights are what they say. */
static void check_tree(const ast *tree, size_t text_len) {
    uint32_t height = 0;
    size_t end = (size_t)tree->at.start + tree->at.len;
    if (end > text_len || tree->height > SQL_MAX_DEPTH) abort();
    for (size_t i = 0; i < tree->arg_count; i++) {
        const ast *arg = tree->arg[i];
        if (arg->at.start < tree->at.start || (size_t)arg->at.start + arg->at.len > end) abort();
        if (arg->height > height) height = arg->height;
        check_tree(arg, text_len);
    }
    if (tree->height != height + 1) abort();
}

static lp_status body(void *context, lp_err *err) {
    job *j = context;
    const ast *tree, *again;
    TRY(sql_parse_expression(&j->query, j->text, j->dialect, &tree, err));
    check_tree(tree, j->text.len);
    str printed = print(&j->query, tree);
    if (sql_parse_expression(&j->query, printed, j->dialect, &again, err) != LP_OK) broken(err->text, j->text, printed);
    if (!ast_equal(tree, again)) broken("another tree", j->text, printed);
    if (!str_eq(printed, print(&j->query, again))) broken("another text", j->text, printed);
    return LP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (int d = 0; d < DIALECT_COUNT; d++) {
        job j = {.text = {(const char *)data, size}, .dialect = (sql_dialect)d};
        lp_err err = {0};
        arena_init(&j.query, (size_t)1 << 28);
        lp_status status = door_run(body, &j, &err);
        if (status != LP_OK && (err.text[0] == '\0' || !str_is_utf8(str_from(err.text)))) abort();
        arena_end(&j.query);
    }
    return 0;
}
