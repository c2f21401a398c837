/* sql_batch.c - many SQL texts in one process, for the comparisons of tests/compare and for the benchmark.
 * Called by: tests/compare/sql_*.py, bench/.  Must not know: where the texts come from.
 *
 * usage: sql_batch parse|check|group|print|time < records
 *
 * A record is a line `DIALECT BYTES` and so many bytes. The answer to each is a line, or several: `ok STATEMENTS`, or
 * `error` and the first line of the first message. `check` also prints what it parsed, parses that again, and compares
 * trees and texts
 * (`differs`, then both texts). `group` answers `ok BYTES` and the first item of the first SELECT with brackets around
 * every operator. `print` answers `ok BYTES` and the printed text. `time` reads all records, parses them again and
 * again for a second, and answers with one line of JSON.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/door.h"
#include "sql/parse.h"
#include "sql/walk.h"

typedef struct record {
    char *bytes;
    size_t size;
    sql_dialect dialect;
} record;

typedef struct job {
    arena query;
    str text;
    sql_dialect dialect;
    const char *mode;
    sql_script script;
} job;

static str put_all(arena *query, const sql_script *script, bool dump) {
    buf out;
    buf_init(&out, query, SIZE_MAX / 2);
    for (size_t i = 0; i < script->statement_count; i++) {
        if (dump) {
            sql_dump_statement(&out, script->statement[i], false);
        } else {
            sql_print_statement(&out, script->statement[i]);
            buf_put(&out, STR(";\n"));
        }
    }
    return buf_str(&out);
}

/* ---- brackets around every operator ---- */

static void group(buf *out, const ast *n);

static void group_chain(buf *out, const ast *n) {
    buf_put_repeated(out, '(', n->arg_count - 1);
    group(out, n->arg[0]);
    for (size_t i = 1; i < n->arg_count; i++) {
        buf_printf(out, " " STR_FMT " ", STR_ARG(n->link[i - 1].text));
        group(out, n->arg[i]);
        buf_put_char(out, ')');
    }
}

/* Other operators keep their words: what stands around an operand is found by printing the node with a mark in it. */
static void group_words(buf *out, const ast *n) {
    ast copy = *n, *hole = arena_alloc(out->owner, sizeof *hole), **holes;
    *hole = (ast){.kind = AST_NULL, .text = STR("\x01"), .height = 1};
    holes = arena_alloc_array(out->owner, n->arg_count, sizeof *holes);
    for (size_t i = 0; i < n->arg_count; i++) holes[i] = hole;
    copy.arg = holes;
    buf words;
    buf_init(&words, out->owner, SIZE_MAX / 2);
    sql_print(&words, &copy);
    size_t next = 0;
    buf_put_char(out, '(');
    for (size_t i = 0; i < words.len; i++) {
        if (words.ptr[i] == '\x01')
            group(out, n->arg[next++]);
        else
            buf_put_char(out, words.ptr[i]);
    }
    buf_put_char(out, ')');
}

static void group(buf *out, const ast *n) {
    if (n->kind == AST_PAREN)
        group(out, n->arg[0]);
    else if (n->form == FORM_SUBSCRIPT) /* a[1][1] is one step of two dimensions, (a[1])[1] is none */
        sql_print(out, n);
    else if (n->kind == AST_CHAIN)
        group_chain(out, n);
    else if (n->arg_count > 0)
        group_words(out, n);
    else
        sql_print(out, n);
}

static void put_group(job *j) {
    const sql_statement *s = j->script.statement_count ? j->script.statement[0] : NULL;
    buf out;
    buf_init(&out, &j->query, SIZE_MAX / 2);
    if (s && s->query && s->query->select && s->query->select->item_count) group(&out, s->query->select->item[0].value);
    printf("ok %zu\n" STR_FMT "\n", out.len, STR_ARG(buf_str(&out)));
}

static void put_error(str message) {
    size_t end = message.len;
    (void)str_find_char(message, '\n', &end);
    printf("error " STR_FMT "\n", (int)end, message.ptr);
}

/* What was printed must parse to the same tree, and print alike. */
static lp_status check_printed(job *j, lp_err *err) {
    str printed = put_all(&j->query, &j->script, false), tree = put_all(&j->query, &j->script, true);
    sql_script again;
    TRY(sql_parse_script(&j->query, printed, j->dialect, &again, err));
    if (again.error_count > 0) {
        printf("differs: does not parse again: " STR_FMT "\n", STR_ARG(again.error[0].text));
        return LP_OK;
    }
    str second = put_all(&j->query, &again, false), second_tree = put_all(&j->query, &again, true);
    if (!str_eq(tree, second_tree))
        printf("differs: another tree\n" STR_FMT "\n---\n" STR_FMT "\n", STR_ARG(printed), STR_ARG(second));
    else if (!str_eq(printed, second))
        printf("differs: another text\n" STR_FMT "\n---\n" STR_FMT "\n", STR_ARG(printed), STR_ARG(second));
    else
        printf("ok %zu\n", j->script.statement_count);
    return LP_OK;
}

static lp_status answer(void *context, lp_err *err) {
    job *j = context;
    TRY(sql_parse_script(&j->query, j->text, j->dialect, &j->script, err));
    if (strcmp(j->mode, "time") == 0) return LP_OK;
    if (j->script.error_count > 0) {
        put_error(j->script.error[0].text);
        return LP_OK;
    }
    if (strcmp(j->mode, "check") == 0) return check_printed(j, err);
    if (strcmp(j->mode, "group") == 0) {
        put_group(j);
        return LP_OK;
    }
    if (strcmp(j->mode, "print") == 0) {
        str printed = put_all(&j->query, &j->script, false);
        printf("ok %zu\n" STR_FMT, printed.len, STR_ARG(printed));
        return LP_OK;
    }
    printf("ok %zu\n", j->script.statement_count);
    return LP_OK;
}

static void run(const record *r, const char *mode, arena *query) {
    job j = {.query = *query, .text = {r->bytes, r->size}, .dialect = r->dialect, .mode = mode};
    lp_err err = {0};
    if (door_run(answer, &j, &err) != LP_OK) put_error(str_from(err.text));
    *query = j.query;
    arena_reset(query);
}

static bool read_record(record *r) {
    char name[32];
    if (scanf("%31s %zu", name, &r->size) != 2 || getchar() != '\n') return false;
    if (!sql_dialect_by_name(str_from(name), &r->dialect) || r->size > ((size_t)1 << 26)) exit(2);
    r->bytes = malloc(r->size + 1);
    if (!r->bytes || fread(r->bytes, 1, r->size, stdin) != r->size) exit(2);
    return true;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The fastest of the rounds that fit into a second, at least three. */
static void time_all(const record *list, size_t count, arena *query) {
    size_t bytes = 0;
    double best = 1e9, start = seconds();
    for (size_t i = 0; i < count; i++) bytes += list[i].size;
    for (int round = 0; round < 3 || seconds() - start < 1; round++) {
        double before = seconds();
        for (size_t i = 0; i < count; i++) run(&list[i], "time", query);
        double spent = seconds() - before;
        if (spent < best) best = spent;
    }
    printf("{\"texts\": %zu, \"bytes\": %zu, \"seconds\": %.6f, \"mb_per_second\": %.2f, \"arena_peak_bytes\": %zu}\n",
           count, bytes, best, (double)bytes / best / 1e6, query->peak_bytes);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    arena query;
    arena_init(&query, (size_t)1 << 32);
    record *list = NULL, r;
    size_t count = 0;
    bool timed = strcmp(argv[1], "time") == 0;
    while (read_record(&r)) {
        if (!timed) {
            run(&r, argv[1], &query);
            fflush(stdout);
            free(r.bytes);
            continue;
        }
        record *grown = realloc(list, (count + 1) * sizeof *list);
        if (!grown) return 2;
        list = grown;
        list[count++] = r;
    }
    if (timed) time_all(list, count, &query);
    for (size_t i = 0; i < count; i++) free(list[i].bytes);
    free(list);
    arena_end(&query);
    return 0;
}
