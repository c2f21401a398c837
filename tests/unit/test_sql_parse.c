/* test_sql_parse.c - what holds for every tree: depth, width, places, names, memory. */
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
    const ast *tree;
    lp_status status;
    lp_err err;
} parsed;

static lp_status parse_body(void *context, lp_err *err) {
    parsed *p = context;
    return sql_parse_expression(&p->query, p->text, p->dialect, &p->tree, err);
}

static parsed parse(str text) {
    parsed p = {.text = text, .dialect = DIALECT_spark};
    arena_init(&p.query, 0);
    p.status = door_run(parse_body, &p, &p.err);
    return p;
}

/* `first`, `count` times `before`, `middle`, `count` times `after`. The caller frees. */
static str repeat(const char *before, size_t count, const char *middle, const char *after) {
    size_t b = strlen(before), m = strlen(middle), a = strlen(after), used = 0;
    char *text = malloc(count * (a + b) + m + 1);
    if (!text) abort();
    for (size_t i = 0; i < count; i++, used += b) memcpy(text + used, before, b);
    memcpy(text + used, middle, m);
    used += m;
    for (size_t i = 0; i < count; i++, used += a) memcpy(text + used, after, a);
    return (str){text, used};
}

static parsed parse_repeated(const char *before, size_t count, const char *middle, const char *after) {
    str text = repeat(before, count, middle, after);
    parsed p = parse(text);
    p.text = text;
    return p;
}

static void end(parsed *p) {
    arena_end(&p->query);
    free((char *)(uintptr_t)p->text.ptr);
}

/* ---- depth ---- */

/* `deepest` repetitions parse, one more is an error that names the limit. */
static void check_limit(const char *before, size_t deepest, const char *middle, const char *after) {
    parsed p = parse_repeated(before, deepest, middle, after);
    if (p.status != LP_OK) fail_msg("%s: %s", before, p.err.text);
    assert_true(p.tree->height <= SQL_MAX_DEPTH);
    end(&p);
    p = parse_repeated(before, deepest + 1, middle, after);
    assert_int_equal(p.status, LP_ERR_QUERY);
    assert_non_null(strstr(p.err.text, "SQL_MAX_DEPTH"));
    assert_non_null(strstr(p.err.text, "1000"));
    end(&p);
    p = parse_repeated(before, 100000, middle, after);
    assert_int_equal(p.status, LP_ERR_QUERY);
    end(&p);
}

static void test_parse__depth_one_below_the_limit_works_and_the_limit_is_named(void **state) {
    (void)state;
    check_limit("(", SQL_MAX_DEPTH - 1, "a", ")");
    check_limit("NOT ", SQL_MAX_DEPTH - 1, "a", "");
    check_limit("!", SQL_MAX_DEPTH - 1, "a", "");
    check_limit("- ", SQL_MAX_DEPTH - 1, "a", "");
    check_limit("~", SQL_MAX_DEPTH - 1, "a", "");
    check_limit("f(", SQL_MAX_DEPTH - 1, "a", ")");
    check_limit("[", SQL_MAX_DEPTH - 1, "a", "]");
    check_limit("CAST(", SQL_MAX_DEPTH - 1, "a", " AS INT)");
    check_limit("CASE WHEN ", SQL_MAX_DEPTH - 1, "a", " THEN 1 END");
    check_limit("f(x -> ", (SQL_MAX_DEPTH - 1) / 2, "a", ")");
}

static void test_parse__what_clings_to_the_end_counts_too(void **state) {
    (void)state;
    check_limit("", SQL_MAX_DEPTH - 1, "a", "[0]");
    check_limit("", SQL_MAX_DEPTH - 1, "a", "::int");
    check_limit("", SQL_MAX_DEPTH - 1, "a", " IS NULL");
    check_limit("", SQL_MAX_DEPTH - 1, "a", " = a");
    check_limit("", SQL_MAX_DEPTH - 1, "a", " COLLATE c");
    check_limit("", SQL_MAX_DEPTH - 1, "a", " -> 'k'");
    check_limit("", SQL_MAX_DEPTH - 1, "a", " NOT LIKE 'x'");
}

static void test_parse__types_nest_to_the_limit(void **state) {
    (void)state;
    for (size_t depth = SQL_MAX_DEPTH - 2; depth < SQL_MAX_DEPTH; depth++) {
        str type = repeat("ARRAY<", depth, "INT", ">");
        char *cast = malloc(type.len + 3);
        assert_non_null(cast);
        memcpy(cast, "a::", 3);
        memcpy(cast + 3, type.ptr, type.len);
        parsed p = parse((str){cast, type.len + 3});
        assert_int_equal(p.status, depth == SQL_MAX_DEPTH - 2 ? LP_OK : LP_ERR_QUERY);
        arena_end(&p.query);
        free(cast);
        free((char *)(uintptr_t)type.ptr);
    }
}

static void test_parse__every_level_inside_every_other_stays_below_the_limit(void **state) {
    (void)state;
    const char *level = "a OR b AND NOT c LIKE d = e @> f | g ^ h & i << j + k * l ** -(";
    parsed p = parse_repeated(level, 60, "a", ")");
    assert_int_equal(p.status, LP_OK);
    end(&p);
    p = parse_repeated(level, 5000, "a", ")");
    assert_int_equal(p.status, LP_ERR_QUERY);
    end(&p);
}

/* ---- width ---- */

static void check_wide(const char *unit, size_t count, ast_kind kind, uint32_t height) {
    parsed p = parse_repeated(unit, count, "a", "");
    if (p.status != LP_OK) fail_msg("%s", p.err.text);
    assert_int_equal(p.tree->kind, kind);
    assert_int_equal(p.tree->arg_count, count + 1);
    assert_int_equal(p.tree->height, height);
    assert_true(p.query.used_bytes / p.text.len < 300);
    end(&p);
}

static void test_parse__long_chains_are_wide_not_deep(void **state) {
    (void)state;
    check_wide("a = 1 OR ", 11000, AST_CHAIN, 3);
    check_wide("a = 1 AND ", 110000, AST_CHAIN, 3);
    check_wide("a || ", 60000, AST_CHAIN, 2);
    check_wide("a + ", 60000, AST_CHAIN, 2);
    check_wide("a - a * a * ", 60000, AST_CHAIN, 3);
    check_wide("a * ", 60000, AST_CHAIN, 2);
    check_wide("a | ", 60000, AST_CHAIN, 2);
}

static void test_parse__a_hundred_and_fifty_thousand_items_are_one_list(void **state) {
    (void)state;
    str items = repeat("12345, ", 150000, "1", "");
    char *text = malloc(items.len + 32);
    assert_non_null(text);
    size_t len = (size_t)snprintf(text, items.len + 32, "a IN (" STR_FMT ")", STR_ARG(items));
    parsed p = parse((str){text, len});
    assert_int_equal(p.status, LP_OK);
    assert_int_equal(p.tree->kind, AST_IN);
    assert_int_equal(p.tree->arg_count, 150002);
    arena_end(&p.query);
    free(text);
    free((char *)(uintptr_t)items.ptr);
}

static void test_parse__alternating_levels_stay_flat(void **state) {
    (void)state;
    parsed p = parse_repeated("a = 1 AND b = 2 OR ", 50000, "c", "");
    assert_int_equal(p.status, LP_OK);
    assert_int_equal(p.tree->op, OP_OR);
    assert_int_equal(p.tree->height, 4);
    end(&p);
}

/* ---- places and equality ---- */

static void test_parse__places_cover_what_was_written(void **state) {
    (void)state;
    parsed p = parse(STR("  x AND (upper( a ) = 'b')  "));
    const ast *paren = p.tree->arg[1], *call = paren->arg[0]->arg[0];
    assert_true(str_eq(span_text(p.text, p.tree->at), STR("x AND (upper( a ) = 'b')")));
    assert_true(str_eq(span_text(p.text, paren->at), STR("(upper( a ) = 'b')")));
    assert_true(str_eq(span_text(p.text, call->at), STR("upper( a )")));
    arena_end(&p.query);
}

static bool equal(const char *left, const char *right) {
    parsed a = parse(str_from(left)), b = parse(str_from(right));
    assert_int_equal(a.status, LP_OK);
    assert_int_equal(b.status, LP_OK);
    bool same = ast_equal(a.tree, b.tree);
    arena_end(&a.query);
    arena_end(&b.query);
    return same;
}

static void test_ast__equal_ignores_place_and_spelling_of_operators(void **state) {
    (void)state;
    assert_true(equal("a!=1", "a  <>  1"));
    assert_true(equal("not a", "! a"));
    assert_true(equal("a == TRUE", "a = true"));
    assert_true(equal("'a' 'b'", "'ab'"));
    assert_true(equal("f( a,b )", "f(a, b)"));
}

static void test_ast__equal_sees_every_difference(void **state) {
    (void)state;
    const char *const different[][2] = {{"a", "b"},
                                        {"a", "`a`"},
                                        {"a", "a.a"},
                                        {"a", "1"},
                                        {"1", "1L"},
                                        {"'a'", "r'a'"},
                                        {"'a''b'", "'a\\'b'"},
                                        {"a + b", "a - b"},
                                        {"a + b - c", "a + b + c"},
                                        {"a - b", "a - (b)"},
                                        {"a = b = c", "a = (b = c)"},
                                        {"a IS NULL", "a IS NOT NULL"},
                                        {"a IS TRUE", "a IS FALSE"},
                                        {"a IS DISTINCT FROM b", "a IS NOT DISTINCT FROM b"},
                                        {"a IN (1)", "a NOT IN (1)"},
                                        {"a IN (1)", "a IN (1, 1)"},
                                        {"a BETWEEN 1 AND 2", "a NOT BETWEEN 1 AND 2"},
                                        {"a LIKE 'x'", "a ILIKE 'x'"},
                                        {"a LIKE ANY ('x')", "a LIKE ALL ('x')"},
                                        {"a LIKE ANY ('x')", "a LIKE 'x'"},
                                        {"a RLIKE 'x'", "a REGEXP 'x'"},
                                        {"a LIKE ANY ('x', 'y')", "a LIKE ANY ('x') ESCAPE 'y'"},
                                        {"a LIKE 'x' ESCAPE '!'", "a LIKE 'x' ESCAPE '?'"},
                                        {"f(a)", "g(a)"},
                                        {"f(a)", "f(DISTINCT a)"},
                                        {"f(a)", "f(a, a)"},
                                        {"CAST(a AS INT)", "CAST(a AS LONG)"},
                                        {"CAST(a AS INT)", "TRY_CAST(a AS INT)"},
                                        {"CAST(a AS INT)", "a::INT"},
                                        {"current_date", "current_date()"},
                                        {"a[0]", "a[1]"},
                                        {"(a).b", "(a).c"},
                                        {"DATE '1'", "TIMESTAMP '1'"},
                                        {"X'01'", "'01'"},
                                        {"f(x -> x)", "f(x -> y)"},
                                        {"a IN (SELECT 1)", "a IN ((SELECT 1))"},
                                        {"EXISTS (SELECT 1)", "(SELECT 1)"},
                                        {"a IN (SELECT 1)", "a IN (SELECT 2)"},
                                        {"-a", "+a"},
                                        {"a -> b", "a ->> b"},
                                        {"true", "false"},
                                        {"a", "(a)"},
                                        {"a << b", "a >> b"}};
    for (size_t i = 0; i < sizeof different / sizeof *different; i++)
        if (equal(different[i][0], different[i][1])) fail_msg("%s is not %s", different[i][0], different[i][1]);
}

/* ---- names ---- */

typedef struct collected {
    char text[512];
} collected;

static void collect(void *context, const ast *name) {
    collected *c = context;
    size_t used = strlen(c->text);
    snprintf(c->text + used, sizeof c->text - used, "%s" STR_FMT, used ? " " : "",
             STR_ARG(name->part[name->part_count - 1].text));
}

static void check_names(const char *text, const char *names) {
    parsed p = parse(str_from(text));
    assert_int_equal(p.status, LP_OK);
    collected c = {""};
    ast_visit_names(p.tree, collect, &c);
    assert_string_equal(c.text, names);
    arena_end(&p.query);
}

static void test_ast__names_of_every_form_are_visited(void **state) {
    (void)state;
    check_names("a = 1 AND b IN (c, 2) OR d BETWEEN e AND f", "a b c d e f");
    check_names("a LIKE b ESCAPE c OR d IS NULL OR e IS DISTINCT FROM f", "a b c d e f");
    check_names("CASE a WHEN b THEN c ELSE d END", "a b c d");
    check_names("CAST(a AS INT) + b::STRUCT<x: INT> + try_cast(c AS DATE)", "a b c");
    check_names("extract(year FROM a) + substring(b FROM c FOR d) + position(e IN f)", "a b c d e f");
    check_names("trim(BOTH a FROM b) || overlay(c PLACING d FROM e)", "a b c d e");
    check_names("datediff(DAY, a, b) + ceil(c TO DAY)", "a b c");
    check_names("a[b].x + (c).y + f(d).z", "a b c d");
    check_names("sum(a) FILTER (WHERE b) OVER (PARTITION BY c ORDER BY d ROWS e PRECEDING)", "a b c d e");
    check_names("f(DISTINCT a, x => b, c ORDER BY d) WITHIN GROUP (ORDER BY e)", "a b c d e");
    check_names("(a, b) = [c, d]", "a b c d");
    check_names("INTERVAL a DAY + (b AT TIME ZONE c) COLLATE x", "a b c");
    check_names("current_date > a", "current_date a");
    check_names("`odd name`.x = \"y\"", "x y");
}

static void test_ast__parameters_of_lambdas_are_no_names(void **state) {
    (void)state;
    check_names("exists(a, x -> x > b)", "a b");
    check_names("f((x, y) -> x.p + Y + z) + x", "z x");
    check_names("f(x -> g(y -> x + y + z), y)", "z y");
    check_names("f(x -> x, x)", "x");
}

static void test_ast__names_in_queries_are_no_names(void **state) {
    (void)state;
    check_names("a IN (SELECT b FROM t WHERE c = d)", "a");
    check_names("EXISTS (SELECT 1 FROM t WHERE x) AND y > (SELECT z)", "y");
}

/* ---- errors and memory ---- */

static void test_error__is_utf8_and_short_for_any_text(void **state) {
    (void)state;
    str wide = repeat("\xE4\xB8\xAD\xF0\x9F\x98\x80", 5000, " ]", "");
    parsed p = parse(wide);
    assert_int_equal(p.status, LP_ERR_QUERY);
    assert_true(str_is_utf8(str_from(p.err.text)));
    assert_true(strlen(p.err.text) < 1024);
    arena_end(&p.query);
    free((char *)(uintptr_t)wide.ptr);
}

static void test_error__of_a_later_stage_has_the_same_frame(void **state) {
    (void)state;
    lp_err err = {0};
    assert_int_equal(sql_error_at(&err, STR("a = 1\nAND nope = 2"), (span){10, 4}, "unknown column %s", "nope"),
                     LP_ERR_QUERY);
    assert_string_equal(err.text, "line 2, column 5: unknown column nope\n  AND nope = 2\n      ^^^^");
}

static void test_error__a_place_outside_of_the_text_is_its_end(void **state) {
    (void)state;
    lp_err err = {0};
    sql_error_at(&err, STR("ab"), (span){100, 4}, "x");
    assert_string_equal(err.text, "line 1, column 3: x\n  ab\n    ^");
    sql_error_at(&err, STR(""), (span){0, 0}, "x");
    assert_string_equal(err.text, "line 1, column 1: x");
}

static void test_error__a_long_message_is_cut_at_a_character(void **state) {
    (void)state;
    lp_err err = {0};
    str wide = repeat("\xE4\xB8\xAD", 2000, "", "");
    sql_error_at(&err, STR("ab"), (span){0, 1}, STR_FMT, STR_ARG(wide));
    assert_true(str_is_utf8(str_from(err.text)));
    free((char *)(uintptr_t)wide.ptr);
}

static void test_parse__every_failing_allocation_is_a_clean_error(void **state) {
    (void)state;
    str text =
        STR("upper(a) = 'it''s' AND b IN (1, 'x' 'y', (SELECT c FROM t)) OR f(x -> x + 1)[0].z::ARRAY<INT> IS NULL");
    for (unsigned long n = 1;; n++) {
        arena_fail_at(n);
        parsed p = parse(text);
        arena_fail_at(0);
        arena_end(&p.query);
        if (p.status == LP_OK) {
            assert_true(n > 20);
            return;
        }
        assert_int_equal(p.status, LP_ERR_LIMIT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse__depth_one_below_the_limit_works_and_the_limit_is_named),
        cmocka_unit_test(test_parse__what_clings_to_the_end_counts_too),
        cmocka_unit_test(test_parse__types_nest_to_the_limit),
        cmocka_unit_test(test_parse__every_level_inside_every_other_stays_below_the_limit),
        cmocka_unit_test(test_parse__long_chains_are_wide_not_deep),
        cmocka_unit_test(test_parse__a_hundred_and_fifty_thousand_items_are_one_list),
        cmocka_unit_test(test_parse__alternating_levels_stay_flat),
        cmocka_unit_test(test_parse__places_cover_what_was_written),
        cmocka_unit_test(test_ast__equal_ignores_place_and_spelling_of_operators),
        cmocka_unit_test(test_ast__equal_sees_every_difference),
        cmocka_unit_test(test_ast__names_of_every_form_are_visited),
        cmocka_unit_test(test_ast__parameters_of_lambdas_are_no_names),
        cmocka_unit_test(test_ast__names_in_queries_are_no_names),
        cmocka_unit_test(test_error__is_utf8_and_short_for_any_text),
        cmocka_unit_test(test_error__of_a_later_stage_has_the_same_frame),
        cmocka_unit_test(test_error__a_place_outside_of_the_text_is_its_end),
        cmocka_unit_test(test_error__a_long_message_is_cut_at_a_character),
        cmocka_unit_test(test_parse__every_failing_allocation_is_a_clean_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
