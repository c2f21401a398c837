/* test_sql_script.c - what holds for statements of every dialect: depth, width, places, errors, memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/door.h"
#include "sql/parse.h"

typedef struct parsed {
    arena query;
    str text;
    sql_dialect dialect;
    sql_script script;
    lp_status status;
    lp_err err;
} parsed;

static lp_status parse_body(void *context, lp_err *err) {
    parsed *p = context;
    return sql_parse_script(&p->query, p->text, p->dialect, &p->script, err);
}

static parsed parse(sql_dialect dialect, str text) {
    parsed p = {.text = text, .dialect = dialect};
    arena_init(&p.query, 0);
    p.status = door_run(parse_body, &p, &p.err);
    return p;
}

/* `start`, `count` times `before`, `middle`, `count` times `after`. The caller frees. */
static str repeat(const char *start, const char *before, size_t count, const char *middle, const char *after) {
    size_t s = strlen(start), b = strlen(before), m = strlen(middle), a = strlen(after), used = s;
    char *text = malloc(s + count * (a + b) + m + 1);
    if (!text) abort();
    memcpy(text, start, s);
    for (size_t i = 0; i < count; i++, used += b) memcpy(text + used, before, b);
    memcpy(text + used, middle, m);
    used += m;
    for (size_t i = 0; i < count; i++, used += a) memcpy(text + used, after, a);
    return (str){text, used};
}

static void end(parsed *p) {
    arena_end(&p->query);
    free((char *)(uintptr_t)p->text.ptr);
}

static parsed parse_repeated(const char *start, const char *before, size_t count, const char *middle,
                             const char *after) {
    return parse(DIALECT_duckdb, repeat(start, before, count, middle, after));
}

/* `deepest` repetitions parse, one more is an error that names the limit, and no number of them is anything else. */
static void check_limit(const char *start, const char *before, size_t deepest, const char *middle, const char *after) {
    parsed p = parse_repeated(start, before, deepest, middle, after);
    if (p.script.error_count) fail_msg("%s: %.*s", before, (int)p.script.error[0].text.len, p.script.error[0].text.ptr);
    assert_int_equal(p.script.statement_count, 1);
    assert_true(p.script.statement[0]->height <= SQL_MAX_DEPTH + 1);
    end(&p);
    for (size_t count = deepest + 1; count < 200000; count = count * 7 + 1) {
        p = parse_repeated(start, before, count, middle, after);
        assert_int_equal(p.status, LP_OK);
        assert_int_equal(p.script.error_count, 1);
        assert_non_null(strstr(p.script.error[0].text.ptr, "SQL_MAX_DEPTH"));
        end(&p);
    }
}

static void test_script__nesting_ends_at_the_limit(void **state) {
    (void)state;
    check_limit("select * from ", "(", SQL_MAX_DEPTH - 2, "t", ")");
    check_limit("", "(", SQL_MAX_DEPTH - 2, "select 1", ")");
    check_limit("", "select * from (", (SQL_MAX_DEPTH - 2) / 2, "select 1", ") t");
    check_limit("select ", "(select ", (SQL_MAX_DEPTH - 2) / 2, "1", ")");
    check_limit("select * from t ", "pivot (sum(a) for b in (1)) ", SQL_MAX_DEPTH - 3, "", "");
}

static void test_script__what_is_long_is_wide(void **state) {
    (void)state;
    static const char *const units[][3] = {{"select 1", ", 2", ""},
                                           {"select 1 from t", " join u using (a)", ""},
                                           {"select 1", " union select 1", ""},
                                           {"select 1", " intersect select 1", ""},
                                           {"values (1)", ", (2)", ""},
                                           {"from t", " |> where a", ""},
                                           {"select 1 from t", ", u", ""},
                                           {"select 1 from t group by a", ", b", ""},
                                           {"select 1 order by a", ", b desc", ""},
                                           {"with a as (select 1)", ", b as (select 2)", " select 3"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        str text = repeat(units[i][0], units[i][1], 20000, units[i][2], "");
        parsed p = parse(DIALECT_bigquery, text);
        if (p.script.error_count)
            fail_msg("%s: %.*s", units[i][1], (int)p.script.error[0].text.len, p.script.error[0].text.ptr);
        assert_true(p.script.statement[0]->height < 12);
        assert_true(p.query.used_bytes / p.text.len < 400);
        end(&p);
    }
}

/* PostgreSQL: `ON x ON y` nests from the right; each pair of words is looked at a bounded number of times. */
static void test_script__joins_nest_by_their_conditions(void **state) {
    (void)state;
    check_limit("select 1 from t", " join u", SQL_MAX_DEPTH - 2, "", " on a");
}

static void test_script__every_error_is_told_with_its_place(void **state) {
    (void)state;
    parsed p = parse(DIALECT_ansi, STR("select ; select 1; select * from; select 'x"));
    assert_int_equal(p.script.statement_count, 1);
    assert_int_equal(p.script.error_count, 3);
    assert_int_equal(p.script.error[0].at.start, 7);
    assert_int_equal(p.script.error[1].at.start, 32);
    assert_int_equal(p.script.error[2].at.start, 41);
    arena_end(&p.query);
}

static void test_script__reading_stops_after_many_errors(void **state) {
    (void)state;
    parsed p = parse_repeated("", "select );", 1000, "", "");
    assert_int_equal(p.script.error_count, SQL_MAX_ERRORS);
    end(&p);
    p = parse_repeated("select ", "{{ a }} ", 1000, "", "");
    assert_true(p.script.error_count > 0 && p.script.error_count <= SQL_MAX_ERRORS);
    end(&p);
}

static void test_script__empty_statements_are_none(void **state) {
    (void)state;
    static const char *const texts[] = {"", ";", " ;; -- a\n;", "/* a */"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        parsed p = parse(DIALECT_postgres, str_from(texts[i]));
        assert_int_equal(p.status, LP_OK);
        assert_int_equal(p.script.statement_count + p.script.error_count, 0);
        arena_end(&p.query);
    }
}

static void test_script__a_statement_has_its_place_without_the_semicolon(void **state) {
    (void)state;
    parsed p = parse(DIALECT_snowflake, STR("  select 1 ; drop table t;"));
    assert_int_equal(p.script.statement[0]->at.start, 2);
    assert_int_equal(p.script.statement[0]->at.len, 8);
    assert_int_equal(p.script.statement[1]->at.start, 13);
    assert_int_equal(p.script.statement[1]->at.len, 12);
    assert_int_equal(p.script.statement[1]->kind, SQL_STATEMENT_UNKNOWN);
    assert_true(str_eq(p.script.statement[1]->word, STR("DROP TABLE")));
    arena_end(&p.query);
}

/* A failing allocation anywhere leaves through the door, and nothing else happens. */
static void test_script__every_allocation_may_fail(void **state) {
    (void)state;
    str text = STR("with a as (select b, sum(c) over (partition by d) from t join u using (k) group by 1, 2) "
                   "select * from a union all values (1, 'x'); insert into t select {'a': [1, 2]}; select )");
    for (unsigned long n = 1;; n++) {
        arena_fail_at(n);
        parsed p = parse(DIALECT_duckdb, text);
        arena_fail_at(0);
        lp_status status = p.status;
        arena_end(&p.query);
        if (status == LP_OK) break;
        assert_int_equal(status, LP_ERR_LIMIT);
        assert_true(n < 100000);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_script__nesting_ends_at_the_limit),
        cmocka_unit_test(test_script__what_is_long_is_wide),
        cmocka_unit_test(test_script__joins_nest_by_their_conditions),
        cmocka_unit_test(test_script__every_error_is_told_with_its_place),
        cmocka_unit_test(test_script__reading_stops_after_many_errors),
        cmocka_unit_test(test_script__empty_statements_are_none),
        cmocka_unit_test(test_script__a_statement_has_its_place_without_the_semicolon),
        cmocka_unit_test(test_script__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
