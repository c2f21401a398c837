/* test_expr.c - what is told of expressions: NULLs, outcomes, types, equality, literals.
 * Called by: ctest.  Must not know: operators.
 */
#include "expr_lab.h"

static const char ddl[] =
    "CREATE TABLE t (a int, b int, c int, n int NOT NULL, m int NOT NULL, s text, u text NOT NULL, p boolean, "
    "q boolean NOT NULL, j jsonb, jn jsonb NOT NULL, arr int[], f double precision, fn double precision NOT NULL, "
    "d date, dn date NOT NULL, x numeric, y numeric(10,2), z varchar(10), k char(5), id uuid, v)";

typedef struct row {
    sql_dialect dialect;
    const char *expression;
    const char *expected;
} row;

static void rejects(arena *a, const row *r, size_t count) {
    for (size_t i = 0; i < count; i++) {
        expr_lab lab = lab_of(a, r[i].dialect, ddl, r[i].expression);
        str found = lab_names(&lab, expr_rejects_null(&lab.x, lab.where));
        if (!str_eq(found, str_from(r[i].expected)))
            fail_msg("%s: found \"" STR_FMT "\", expected \"%s\"", r[i].expression, STR_ARG(found), r[i].expected);
    }
}
#define PG DIALECT_postgres

static void rejected_body(arena *a) {
    static const row rows[] = {
        {PG, "a = 1", "a"},
        {PG, "a = b", "a b"},
        {PG, "a + b > 3", "a b"},
        {PG, "a = 1 OR b = 2", ""},
        {PG, "(a = 1 AND b = 2) OR (c = 3 AND a = 4)", "a"},
        {PG, "NOT (a = 1 OR b = 2)", "a b"},
        {PG, "NOT (a = 1 AND b = 2)", ""},
        {PG, "a IS NOT NULL", "a"},
        {PG, "a IS NULL", ""},
        {PG, "NOT (a IS NULL)", "a"},
        {PG, "p", "p"},
        {PG, "NOT p", "p"},
        {PG, "p IS TRUE", "p"},
        {PG, "p IS NOT TRUE", ""},
        {PG, "(a = 1) IS NOT NULL", "a"},
        {PG, "p IS NOT DISTINCT FROM true", "p"},
        {PG, "a IS DISTINCT FROM NULL", "a"},
        {PG, "a IS DISTINCT FROM 1", ""},
        {PG, "a IN (1, 2, b)", "a"},
        {PG, "a NOT IN (1, 2)", "a"},
        {PG, "a NOT IN (1, b)", "a b"},
        {PG, "a BETWEEN 1 AND b", "a b"},
        {PG, "a NOT BETWEEN 1 AND b", "a"},
        {PG, "s LIKE 'x%'", "s"},
        {PG, "s NOT LIKE u", "s u"},
        {PG, "s ~ 'x'", "s"},
        {PG, "(a, b) = (1, 2)", "a b"},
        {PG, "(a, b) >= (1, 2)", "a"},
        {PG, "(a, b) IN ((1, 2), (3, 4))", "a b"},
        {PG, "j @> '{}'", "j"},
        {PG, "j -> 'x' = '1'", "j"},
        {PG, "j ->> 'x' = 'y'", "j"},
        {PG, "a = ANY (arr)", "a arr"},
        {PG, "a = ANY (ARRAY[1, 2])", "a"},
        {PG, "a = ALL (arr)", "arr"},
        {PG, "a > ALL (ARRAY[1, b])", "a b"},
        {PG, "coalesce(a, 0) > 0", "a"},
        {PG, "coalesce(a, 5) > 0", ""},
        {PG, "coalesce(a, b) = 1", ""},
        {PG, "nullif(a, b) = 1", "a"},
        {PG, "CASE WHEN a > 1 THEN true ELSE false END", "a"},
        {PG, "CASE WHEN a > 1 THEN b = 1 END", "a b"},
        {PG, "CASE a WHEN 1 THEN true WHEN 2 THEN false END", "a"},
        {PG, "upper(s) = 'X'", "s"},
        {PG, "my_function(a) = 1", ""},
        {PG, "my.upper(s) = 'X'", ""},
        {PG, "greatest(a, b) = 1", ""},
        {DIALECT_snowflake, "greatest(a, b) = 1", "a b"},
        {PG, "concat(s, u) = 'x'", ""},
        {DIALECT_bigquery, "concat(s, u) = 'x'", "s u"},
        {PG, "s || u = 'x'", "s u"},
        {PG, "arr || a = ARRAY[1]", ""},
        {DIALECT_duckdb, "(a, b) = (c, n)", ""},
        {DIALECT_duckdb, "(a, b) = (1, 2)", "a b"},
        {DIALECT_duckdb, "(a, b) < (1, 2)", ""},
        {PG, "a::text = '1'", "a"},
        {PG, "a = 1 AND (b = 1 OR b = 2)", "a b"},
        {PG, "false OR a = 1", "a"},
        {PG, "a = 1 OR NULL", "a"},
        {PG, "(a = 1 OR b = 2) IS NOT FALSE", ""},
        {PG, "(a, b) IS NOT NULL", "a b"},
        {DIALECT_bigquery, "a IN UNNEST(arr)", "a"},
        {DIALECT_bigquery, "a NOT IN UNNEST(arr)", ""},
    };
    rejects(a, rows, sizeof rows / sizeof *rows);
}

static void test_expr__null_is_rejected_where_no_truth_is_left(void **state) {
    (void)state;
    in_door(rejected_body);
}

static void not_null_body(arena *a) {
    static const struct {
        sql_dialect dialect;
        const char *expression;
        bool is_not_null;
    } rows[] = {
        {PG, "n", true},
        {PG, "a", false},
        {PG, "n + m", true},
        {PG, "n / m", true},
        {DIALECT_duckdb, "n / m", false},
        {DIALECT_duckdb, "n / 2", true},
        {DIALECT_databricks, "n + m", true},
        {DIALECT_databricks, "n % m", false},
        {PG, "1", true},
        {PG, "NULL", false},
        {PG, "coalesce(a, 0)", true},
        {PG, "coalesce(a, b)", false},
        {PG, "coalesce(a, n)", true},
        {PG, "a IS NULL", true},
        {PG, "n = m", true},
        {PG, "n = a", false},
        {PG, "concat(s)", true},
        {DIALECT_snowflake, "concat(s, 'a')", false},
        {PG, "s || 'a'", false},
        {PG, "u || 'a'", true},
        {PG, "upper(u)", true},
        {PG, "substring(u, 1, 2)", true},
        {PG, "substring(u, 'x')", false},
        {PG, "nullif(n, m)", false},
        {PG, "nullif(n, NULL)", true},
        {PG, "CASE WHEN a = 1 THEN n ELSE m END", true},
        {PG, "CASE WHEN a = 1 THEN n END", false},
        {PG, "CASE WHEN a IS NULL THEN 0 ELSE a END", true},
        {PG, "CASE WHEN a IS NOT NULL THEN a ELSE 0 END", true},
        {PG, "CASE WHEN a > 1 THEN a ELSE 0 END", true},
        {PG, "CASE WHEN a > 1 THEN 0 ELSE a END", false},
        {PG, "n::text", true},
        {DIALECT_snowflake, "try_cast(u AS int)", false},
        {DIALECT_databricks, "cast(u AS int)", false},
        {DIALECT_databricks, "cast(n AS string)", true},
        {PG, "jn -> 'a'", false},
        {PG, "jn @> '{}'", true},
        {PG, "n IN (1, 2)", true},
        {PG, "n IN (1, NULL)", false},
        {PG, "n BETWEEN 1 AND 2", true},
        {PG, "u LIKE 'a%'", true},
        {PG, "q AND a = 1", false},
        {PG, "false AND a = 1", true},
        {PG, "a = 1 OR true", true},
        {PG, "greatest(a, n)", true},
        {DIALECT_bigquery, "greatest(a, n)", false},
        {PG, "extract(year FROM dn)", false},
        {DIALECT_snowflake, "extract(year FROM dn)", true},
        {PG, "now()", true},
        {PG, "current_date", true},
        {PG, "unknown_function(n)", false},
        {PG, "ARRAY[a]", true},
        {PG, "(a, b) IS NULL", true},
        {PG, "a IS DISTINCT FROM b", true},
        {PG, "n::smallint", true},
        {PG, "md5(u)", true},
        {DIALECT_bigquery, "IF(a IS NULL, 0, a)", true},
        {DIALECT_snowflake, "nvl2(a, a, 0)", false},
        {PG, "-n", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expr_lab lab;
        const plan_expr *e = lab_item(&lab, a, rows[i].dialect, ddl, rows[i].expression);
        if (expr_is_not_null(&lab.x, &lab.f, e) != rows[i].is_not_null)
            fail_msg("%s: expected %s", rows[i].expression, rows[i].is_not_null ? "never NULL" : "perhaps NULL");
    }
}

static void test_expr__never_null_by_dialect(void **state) {
    (void)state;
    in_door(not_null_body);
}

static void outcome_body(arena *a) {
    enum { T = OUTCOME_TRUE, F = OUTCOME_FALSE, N = OUTCOME_NULL };
    static const struct {
        sql_dialect dialect;
        const char *expression;
        outcome_set expected;
    } rows[] = {
        {PG, "true", T},
        {PG, "NULL", N},
        {PG, "1 = 1", T},
        {PG, "1 = 2", F},
        {PG, "1 < 2 AND a = 1", T | F | N},
        {PG, "false AND a = 1", F},
        {PG, "a = a", T | N},
        {PG, "n = n", T},
        {PG, "n <> n", F},
        {PG, "a = 1 AND a = 2", F | N},
        {PG, "n = 1 AND n = 2", F},
        {PG, "n > 5 AND n < 3", F},
        {PG, "n > 5 AND n < 6", F},
        {PG, "fn > 5 AND fn < 6", T | F},
        {PG, "n > 5 OR n < 6", T},
        {PG, "n IS NULL", F},
        {PG, "n = NULL", N},
        {PG, "a IN (1, 2) AND a > 3", F | N},
        {PG, "u = 'x' AND u = 'y'", F},
        {PG, "u > 'x' AND u < 'B'", T | F},
        {PG, "u LIKE 'a%' AND u = 'b'", F},
        {DIALECT_duckdb, "u > 'x' AND u < 'b'", F},
        {PG, "u LIKE 'a%' AND u LIKE 'b%'", F},
        {PG, "q AND NOT q", F},
        {PG, "q IS NOT NULL", T},
        {PG, "dn > '2020-01-02' AND dn < '2020-01-01'", F},
        {PG, "dn > '2020-01-01' AND dn < '2020-01-02'", F},
        {PG, "n = 1.5", F},
        {PG, "n IN (1, 2) OR n NOT IN (1, 2)", T},
        {PG, "n IN (1, NULL)", T | N},
        {PG, "n NOT IN (1, NULL)", F | N},
        {PG, "n BETWEEN 5 AND 3", F},
        {PG, "n BETWEEN SYMMETRIC 5 AND 3", T | F},
        {PG, "v = 'x' AND v = 'X'", T | F | N},
        {PG, "v = 'x' AND v = 'z'", F | N},
        {PG, "v = '1' AND v = '01'", T | F | N},
        {DIALECT_trino, "fn = fn", T | F},
        {PG, "fn = fn", T},
        {PG, "k = 'a' AND k = 'a '", T | F | N},
        {PG, "(n, m) >= (5, 1) AND n < 4", F},
        {PG, "n = 1 AND (n = 2 OR n = 3)", F},
        {PG, "n IS DISTINCT FROM NULL", T},
        {PG, "(n, m) IN ((1, 2), (3, 4)) AND n = 2", F},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expr_lab lab = lab_of(a, rows[i].dialect, ddl, rows[i].expression);
        outcome_set found = expr_outcome(&lab.x, &lab.f, lab.where);
        if (found != rows[i].expected)
            fail_msg("%s: found %d, expected %d", rows[i].expression, found, rows[i].expected);
    }
}

static void test_expr__outcomes_of_conditions(void **state) {
    (void)state;
    in_door(outcome_body);
}

static void function_body(arena *a) {
    static const struct {
        sql_dialect dialect;
        const char *expression;
        certainty expected;
    } rows[] = {
        {PG, "a + b", CERTAIN},
        {PG, "random()", UNCERTAIN},
        {PG, "a::text", CERTAIN},
        {PG, "x::text", UNCERTAIN},
        {PG, "x + 1", CERTAIN},
        {PG, "x / 3", UNCERTAIN},
        {PG, "y::text", CERTAIN},
        {PG, "f::text", PRESUMED},
        {PG, "f + 1", CERTAIN},
        {PG, "v::text", PRESUMED},
        {PG, "upper(s)", CERTAIN},
        {PG, "k || 'x'", PRESUMED},
        {PG, "x > 1", CERTAIN},
        {PG, "coalesce(x, 0)", CERTAIN},
        {PG, "x IS NULL", CERTAIN},
        {PG, "j ->> 'a'", UNCERTAIN},
        {PG, "my_function(a)", PRESUMED},
        {PG, "CASE WHEN x = 1 THEN a END", CERTAIN},
        {PG, "md5(s)", CERTAIN},
        {PG, "now()", CERTAIN},
        {PG, "date_trunc('month', d)", CERTAIN},
        {PG, "to_char(x, '9')", UNCERTAIN},
        {PG, "a || s", CERTAIN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expr_lab lab;
        const plan_expr *e = lab_item(&lab, a, rows[i].dialect, ddl, rows[i].expression);
        certainty found = expr_is_function_of_columns(&lab.x, e);
        if (found != rows[i].expected)
            fail_msg("%s: found %d, expected %d", rows[i].expression, (int)found, (int)rows[i].expected);
    }
}

static void test_expr__equal_columns_make_equal_values(void **state) {
    (void)state;
    in_door(function_body);
}

static void back_body(arena *a) {
    static const struct {
        const char *expression;
        certainty expected;
        const char *columns;
    } rows[] = {
        {"a + 1", CERTAIN, "a"},
        {"1 - a", CERTAIN, "a"},
        {"-a", CERTAIN, "a"},
        {"a * 2", UNCERTAIN, ""},
        {"a + b", UNCERTAIN, ""},
        {"f + 1", UNCERTAIN, ""},
        {"v + 1", PRESUMED, "v"},
        {"a::text", CERTAIN, "a"},
        {"a::varchar(2)", PRESUMED, "a"},
        {"s::int", UNCERTAIN, ""},
        {"s || 'x'", CERTAIN, "s"},
        {"s || NULL", UNCERTAIN, ""},
        {"s || u", PRESUMED, "s u"},
        {"md5(s || '-' || a::text)", PRESUMED, "a s"},
        {"md5(coalesce(s, '_') || '-' || coalesce(a::text, '_'))", PRESUMED, "a s"},
        {"upper(s)", UNCERTAIN, ""},
        {"coalesce(s, 'x')", UNCERTAIN, ""},
        {"md5(upper(s))", UNCERTAIN, ""},
        {"a + NULL", UNCERTAIN, ""},
        {"d::text", CERTAIN, "d"},
        {"d + 1", UNCERTAIN, ""},
        {"a % 2", UNCERTAIN, ""},
        {"1", UNCERTAIN, ""},
        {"x::text", CERTAIN, "x"},
        {"id::text", CERTAIN, "id"},
        {"a::double precision", PRESUMED, "a"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expr_lab lab;
        colset all;
        const plan_expr *e = lab_item(&lab, a, PG, ddl, rows[i].expression);
        certainty found = expr_is_one_to_one(&lab.x, e, &all);
        str names = lab_names(&lab, all);
        if (found != rows[i].expected || !str_eq(names, str_from(rows[i].columns)))
            fail_msg("%s: found %d \"" STR_FMT "\"", rows[i].expression, (int)found, STR_ARG(names));
    }
}

static void test_expr__values_give_their_columns_back(void **state) {
    (void)state;
    in_door(back_body);
}

static void type_body(arena *a) {
    (void)a;
    static const struct {
        sql_dialect dialect;
        const char *name;
        type_family expected;
    } rows[] = {
        {PG, "varchar(20)", FAMILY_TEXT},
        {PG, "character varying (20)", FAMILY_TEXT},
        {DIALECT_redshift, "varchar(20)", FAMILY_CHAR},
        {PG, "numeric", FAMILY_NUMERIC},
        {PG, "NUMERIC(10, 2)", FAMILY_DECIMAL},
        {DIALECT_snowflake, "NUMBER(38,0)", FAMILY_DECIMAL},
        {DIALECT_snowflake, "CHAR(3)", FAMILY_TEXT},
        {PG, "char(3)", FAMILY_CHAR},
        {PG, "double precision", FAMILY_FLOAT},
        {PG, "timestamp(3) with time zone", FAMILY_TIMESTAMP_ZONED},
        {PG, "timestamp", FAMILY_TIMESTAMP},
        {DIALECT_bigquery, "TIMESTAMP", FAMILY_TIMESTAMP_ZONED},
        {DIALECT_databricks, "timestamp_ntz", FAMILY_TIMESTAMP},
        {PG, "int[]", FAMILY_OTHER},
        {DIALECT_bigquery, "ARRAY<INT64>", FAMILY_OTHER},
        {PG, "mood", FAMILY_UNKNOWN},
        {PG, "", FAMILY_UNKNOWN},
        {PG, "citext", FAMILY_TEXT_NOCASE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (expr_type_of_name(rows[i].dialect, str_from(rows[i].name)) != rows[i].expected)
            fail_msg("%s", rows[i].name);
}

static void test_expr__families_of_type_names(void **state) {
    (void)state;
    in_door(type_body);
}

static const plan_expr *literal_in(expr_lab *lab, arena *a, const char *text) {
    const plan_expr *e = lab_item(lab, a, PG, ddl, text);
    const plan_expr *found = expr_literal(e);
    if (!found) fail_msg("%s is no literal", text);
    return found;
}

static void literal_body(arena *a) {
    static const struct {
        const char *a, *b;
        bool differ, equal;
    } rows[] = {
        {"1", "2", true, false},
        {"1", "1", false, true},
        {"1", "1.0", false, false},
        {"'1'", "1", false, false},
        {"'1'", "2", true, false},
        {"'a'", "'b'", true, false},
        {"'a'", "'A'", false, false},
        {"'a'", "'a'", false, true},
        {"'1'", "'01'", false, false},
        {"'true'", "'yes'", false, false},
        {"'a'", "1", true, false},
        {"true", "false", true, false},
        {"NULL", "1", true, false},
        {"NULL", "NULL", false, true},
        {"-1", "1", true, false},
        {"-1", "-1", false, true},
        {"'a'::text", "'b'", true, false},
        {"DATE '2020-01-01'", "DATE '2020-01-02'", true, false},
        {"'2020-01-01'", "'2020-01-02'", true, false},
        {"'2020-01-01'", "'20200101'", false, false},
        {"NULL::int", "1", true, false},
        {"0.1", "0.2", true, false},
        {"'{}'", "'{ }'", false, false},
        {"'x '", "'x'", false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expr_lab lab;
        const plan_expr *l = literal_in(&lab, a, rows[i].a), *r = literal_in(&lab, a, rows[i].b);
        bool differ = expr_literals_differ(&lab.x, l, r), equal = expr_literals_equal(&lab.x, l, r);
        if (differ != rows[i].differ || equal != rows[i].equal)
            fail_msg("%s and %s: %d %d", rows[i].a, rows[i].b, differ, equal);
        assert_int_equal(expr_literals_differ(&lab.x, r, l), differ);
    }
}

static void test_expr__literals_that_differ_whatever_they_become(void **state) {
    (void)state;
    in_door(literal_body);
}

static void call_body(arena *a) {
    static const struct {
        sql_dialect dialect;
        const char *expression;
        bool is_not_null;
    } rows[] = {
        {PG, "count(a)", true},
        {PG, "sum(a)", false},
        {PG, "sum(n)", true},
        {PG, "sum(n) FILTER (WHERE a = 1)", false},
        {PG, "array_agg(a)", true},
        {DIALECT_bigquery, "array_agg(a)", false},
        {PG, "stddev(n)", false},
        {PG, "my.sum(n)", false},
        {PG, "max(u)", true},
        {PG, "string_agg(u, ',')", true},
        {PG, "percentile_cont(0.5) WITHIN GROUP (ORDER BY n)", true},
        {PG, "percentile_cont(0.5) WITHIN GROUP (ORDER BY a)", false},
        {DIALECT_databricks, "sum(n)", true},
        {PG, "row_number() OVER (ORDER BY a)", true},
        {PG, "lag(n) OVER (ORDER BY n)", false},
        {PG, "lag(n, 1, 0) OVER (ORDER BY n)", true},
        {PG, "lag(a, 1, 0) OVER (ORDER BY n)", false},
        {PG, "first_value(n) OVER (ORDER BY n)", true},
        {PG, "sum(n) OVER (ORDER BY n)", true},
        {PG, "sum(n) OVER (ORDER BY n ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING)", false},
        {PG, "sum(n) OVER (ORDER BY n ROWS BETWEEN 3 PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW)", false},
        {PG, "sum(n) OVER (ORDER BY n ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING)", true},
        {PG, "ntile(4) OVER (ORDER BY a)", true},
        {PG, "ntile(a) OVER (ORDER BY a)", false},
        {PG, "nth_value(n, 2) OVER (ORDER BY n)", false},
        {PG, "rank() OVER ()", true},
        {PG, "count(*) OVER (ORDER BY n ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING)", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expr_lab lab;
        const plan_expr *e = lab_item(&lab, a, rows[i].dialect, ddl, rows[i].expression);
        const plan_window *w = NULL;
        for (size_t k = 0; k < lab.x.plan->node_count; k++)
            if (lab.x.plan->node[k]->kind == PLAN_WINDOW) w = &lab.x.plan->node[k]->window;
        bool found = e->kind == EXPR_WINDOW ? expr_window_is_not_null(&lab.x, &lab.f, w, e)
                                            : expr_aggregate_is_not_null(&lab.x, &lab.f, e, true);
        if (found != rows[i].is_not_null) fail_msg("%s: found %d", rows[i].expression, found);
    }
}

static void test_expr__aggregates_and_windows_over_rows(void **state) {
    (void)state;
    in_door(call_body);
}

static void constant_body(arena *a) {
    static const struct {
        const char *expression;
        bool is_constant;
    } rows[] = {
        {"1", true},
        {"1 + 2", true},
        {"now()", true},
        {"random()", false},
        {"a", false},
        {"false AND a = 1", true},
        {"n IS NULL", true},
        {"coalesce(1, a)", true},
        {"a = 1 AND a = 2", false},
        {"n = 1 AND n = 2", true},
        {"NULL + a", true},
        {"my_function(1)", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expr_lab lab;
        const plan_expr *e = lab_item(&lab, a, PG, ddl, rows[i].expression);
        if (expr_is_constant(&lab.x, &lab.f, e) != rows[i].is_constant) fail_msg("%s", rows[i].expression);
    }
}

static void test_expr__constants(void **state) {
    (void)state;
    in_door(constant_body);
}

/* Longer than what is tried for several columns at once. */
static void many_body(arena *a) {
    char *text = arena_alloc(a, 400000);
    size_t len = 0;
    for (int i = 0; i < 20000; i++) len += (size_t)snprintf(text + len, 400000 - len, "%sa = %d", i ? " OR " : "", i);
    expr_lab lab = lab_of(a, PG, ddl, text);
    assert_str(lab_names(&lab, expr_rejects_null(&lab.x, lab.where)), STR("a"));
    domain_learn(&lab.x, &lab.f, lab.where, false, EVIDENCE_SQL);
}

static void test_expr__long_disjunction_is_read(void **state) {
    (void)state;
    in_door(many_body);
}

static void known_body(arena *a) {
    static const struct {
        const char *expression, *value, *column; /* of the literal's text, "" for none */
    } rows[] = {
        {"1", "1", ""},
        {"coalesce(1, a)", "1", ""},
        {"CASE WHEN true THEN a ELSE 0 END", "", "a"},
        {"NULL + a", "NULL", ""},
        {"coalesce(n, a)", "", "n"},
        {"coalesce(a, n)", "", ""},
        {"coalesce(NULL, a)", "", "a"},
        {"CASE WHEN a = 1 THEN 2 ELSE 2 END", "2", ""},
        {"n IS NULL", "false", ""},
        {"CASE WHEN a = 1 THEN 2 END", "", ""},
        {"CASE n WHEN NULL THEN a ELSE b END", "", "b"},
        {"random()", "", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expr_lab lab;
        const plan_expr *e = lab_item(&lab, a, PG, ddl, rows[i].expression),
                        *value = expr_known_value(&lab.x, &lab.f, e);
        column_id id = expr_passed_column(&lab.x, &lab.f, e);
        assert_str(value ? value->from->text : STR(""), str_from(rows[i].value));
        assert_str(id == NO_COLUMN ? STR("") : lab.x.plan->column[id].name, str_from(rows[i].column));
    }
}

static void test_expr__values_and_columns_that_pass_through(void **state) {
    (void)state;
    in_door(known_body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expr__null_is_rejected_where_no_truth_is_left),
        cmocka_unit_test(test_expr__never_null_by_dialect),
        cmocka_unit_test(test_expr__outcomes_of_conditions),
        cmocka_unit_test(test_expr__equal_columns_make_equal_values),
        cmocka_unit_test(test_expr__values_give_their_columns_back),
        cmocka_unit_test(test_expr__families_of_type_names),
        cmocka_unit_test(test_expr__literals_that_differ_whatever_they_become),
        cmocka_unit_test(test_expr__aggregates_and_windows_over_rows),
        cmocka_unit_test(test_expr__constants),
        cmocka_unit_test(test_expr__values_and_columns_that_pass_through),
        cmocka_unit_test(test_expr__long_disjunction_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
