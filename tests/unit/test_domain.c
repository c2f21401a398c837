/* test_domain.c - values that columns can have, learned from conditions.
 * Called by: ctest.  Must not know: operators.
 */
#include "expr_lab.h"

#include "grain/value_set.h"

static const char ddl[] =
    "CREATE TABLE t (a int, n int NOT NULL, m int NOT NULL, u text NOT NULL, q boolean NOT NULL, dn date NOT NULL, "
    "f double precision NOT NULL, v, w NOT NULL, k char(5) NOT NULL)";

static expr_lab learned(arena *a, sql_dialect dialect, const char *condition, bool or_null) {
    expr_lab lab = lab_of(a, dialect, ddl, condition);
    domain_learn(&lab.x, &lab.f, lab.where, or_null, EVIDENCE_SQL);
    return lab;
}

static column_id column_of(const expr_lab *lab, const char *name) {
    for (size_t i = 0; i < lab->x.plan->column_count; i++)
        if (str_eq(lab->x.plan->column[i].name, str_from(name))) return (column_id)i;
    fail_msg("no column %s", name);
    return NO_COLUMN;
}

static void size_body(arena *a) {
    static const struct {
        const char *condition, *column;
        uint64_t size;
    } rows[] = {
        {"n > 4 AND n < 6", "n", 1},
        {"n >= 5 AND n <= 5", "n", 1},
        {"n IN (1, 2, 3, 2)", "n", 3},
        {"n > 4", "n", UINT64_MAX},
        {"n BETWEEN 1 AND 100", "n", 100},
        {"n > 1.5 AND n < 3.5", "n", 2},
        {"n = 1 OR n = 3 OR n BETWEEN 2 AND 4", "n", 4},
        {"u IN ('a', 'b')", "u", 2},
        {"u LIKE 'a%'", "u", UINT64_MAX},
        {"u LIKE 'abc'", "u", 1},
        {"q", "q", 1},
        {"NOT q", "q", 1},
        {"q IS NOT NULL", "q", UINT64_MAX},
        {"dn >= '2020-02-28' AND dn < '2020-03-02'", "dn", 3},
        {"f > 1 AND f < 2", "f", UINT64_MAX},
        {"f = 1", "f", 1},
        {"w = 'a'", "w", 1},
        {"w IN ('a', 'A')", "w", UINT64_MAX},
        {"w IN ('b', 'a')", "w", 2},
        {"w IN ('1', '01')", "w", UINT64_MAX},
        {"k IN ('a', 'a ')", "k", UINT64_MAX},
        {"n NOT IN (1, 2)", "n", UINT64_MAX},
        {"NOT (n < 3 OR n > 3)", "n", 1},
        {"(n, m) = (1, 2)", "m", 1},
        {"(n, m) IN ((1, 2), (3, 2))", "m", 1},
        {"(n, m) > (1, 2) AND n < 3", "n", 2},
        {"n = 1 OR m = 2", "n", UINT64_MAX},
        {"(n = 1 AND m = 2) OR (n = 3 AND m = 4)", "m", 2},
        {"n > -3 AND n < -1", "n", 1},
        {"n IN (1, NULL)", "n", 1},
        {"5 > n AND n > 3", "n", 1},
        {"n = '5'", "n", 1},
        {"n IN (1, 2) AND n <> 2", "n", 1},
        {"u IN ('a', 'b') AND u <> 'b'", "u", 1},
        {"n < 9223372036854775807 AND n > 9223372036854775805", "n", 1},
        {"n < 1e40", "n", UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expr_lab lab = learned(a, DIALECT_postgres, rows[i].condition, false);
        uint64_t size = domain_size(lab.f.domain, column_of(&lab, rows[i].column));
        if (size != rows[i].size) fail_msg("%s: found %llu", rows[i].condition, (unsigned long long)size);
    }
}

static void test_domain__sizes_of_what_is_learned(void **state) {
    (void)state;
    in_door(size_body);
}

static void constant_body(arena *a) {
    expr_lab lab = learned(a, DIALECT_postgres,
                           "n > 4 AND n < 6 AND a IN (3) AND dn >= '2020-01-01' AND dn <= '2020-01-01'", true);
    column_id n = column_of(&lab, "n"), nullable = column_of(&lab, "a"), day = column_of(&lab, "dn");
    assert_true(colset_has(lab.f.constant, n));
    assert_true(colset_has(lab.f.constant, day));
    assert_false(colset_has(lab.f.constant, nullable));
    assert_true(colset_has(lab.f.constant_or_null, nullable));
    const plan_expr *five = NULL;
    for (uint32_t i = 0; i < lab.f.value_count; i++)
        if (lab.f.value[i].column == n) five = lab.f.value[i].value;
    assert_non_null(five);
    assert_str(five->from->text, STR("5"));
    lab = learned(a, DIALECT_postgres, "n = 1 AND n = 2", false);
    assert_int_equal(lab.f.rows.max, 0);
    lab = learned(a, DIALECT_postgres, "a = 1 AND a = 2", true);
    assert_int_equal(lab.f.rows.max, ROWS_UNBOUNDED);
}

static void test_domain__one_value_is_a_constant_and_none_no_row(void **state) {
    (void)state;
    in_door(constant_body);
}

static void two_body(arena *a) {
    expr_lab l = learned(a, DIALECT_postgres, "n IN (1, 2) AND u = 'a'", false),
             r = learned(a, DIALECT_postgres, "n IN (2, 3)", false);
    column_id n = column_of(&l, "n"), u = column_of(&l, "u");
    const domain_list *both = domain_both(&l.x, l.f.domain, r.f.domain);
    assert_int_equal(domain_size(both, n), 1);
    assert_int_equal(domain_size(both, u), 1);
    column_id to[64];
    for (size_t i = 0; i < 64; i++) to[i] = (column_id)(i + 100);
    column_map map = {.to = to, .count = 64}, same = {0};
    const domain_list *either = domain_either(&l.x, l.f.domain, &map, domain_map(&l.x, r.f.domain, &map), &same);
    assert_int_equal(domain_size(either, n + 100), 3);
    assert_int_equal(domain_size(either, u + 100), UINT64_MAX);
}

static void test_domain__two_lists_are_met_and_joined(void **state) {
    (void)state;
    in_door(two_body);
}

static void rows_body(arena *a) {
    static const struct {
        const char *condition;
        uint64_t most;
    } rows[] = {
        {"n BETWEEN 1 AND 10 AND m IN (1, 2)", 20},
        {"n BETWEEN 1 AND 10", ROWS_UNBOUNDED},
        {"(n, m) IN ((1, 1), (2, 2))", 2},
        {"(n, m) IN ((1, 1), (2, a))", ROWS_UNBOUNDED},
        {"(n, a) IN ((1, 1), (2, 2))", ROWS_UNBOUNDED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expr_lab lab = lab_of(a, DIALECT_postgres, ddl, rows[i].condition);
        colset key = COLSET_EMPTY;
        colset_add(&key, column_of(&lab, "n"), a);
        colset_add(&key, column_of(&lab, "m"), a);
        facts_add_key(&lab.f, (fact_key){.columns = key});
        domain_learn(&lab.x, &lab.f, lab.where, false, EVIDENCE_SQL);
        if (lab.f.rows.max != rows[i].most) fail_msg("%s: %llu", rows[i].condition, (unsigned long long)lab.f.rows.max);
    }
}

static void test_domain__few_values_of_a_key_are_few_rows(void **state) {
    (void)state;
    in_door(rows_body);
}

static void value_body(arena *a) {
    expr_lab lab = lab_of(a, DIALECT_postgres, ddl, "n = 1 AND m = 1 AND u = 'a'");
    column_id n = column_of(&lab, "n"), m = column_of(&lab, "m"), u = column_of(&lab, "u");
    colset all = COLSET_EMPTY;
    colset_add(&all, n, a), colset_add(&all, m, a), colset_add(&all, u, a);
    facts_add_constant(&lab.f, all, EVIDENCE_SQL);
    for (size_t i = 0; i < 3; i++) {
        const plan_expr *one = lab.where->arg[i];
        domain_learn_value(&lab.x, &lab.f, one->arg[0]->column, one->arg[1], EVIDENCE_SQL);
    }
    assert_true(colset_has(facts_equal_to(&lab.f, n), m));
    assert_false(colset_has(facts_equal_to(&lab.f, n), u));
    assert_int_equal(domain_size(lab.f.domain, u), 1);
    domain_learn_least(&lab.x, &lab.f, n, 1, EVIDENCE_SQL);
    assert_int_equal(lab.f.rows.max, ROWS_UNBOUNDED);
    domain_learn_least(&lab.x, &lab.f, n, 2, EVIDENCE_SQL);
    assert_int_equal(lab.f.rows.max, 0);
}

static void test_domain__constants_of_one_value_are_equal(void **state) {
    (void)state;
    in_door(value_body);
}

/* Sets over a line of seven numbers, by hand. */
static bool holds(value_set s, int64_t v) {
    value at = {.kind = VALUE_INT, .i = v};
    for (size_t i = 0; i + 1 < s.count; i += 2) {
        const value_cut *low = &s.cut[i], *high = &s.cut[i + 1];
        int from = low->infinite ? low->infinite : value_compare(&low->at, &at),
            to = high->infinite ? high->infinite : value_compare(&high->at, &at);
        bool above = from < 0 || (from == 0 && !low->is_behind && !low->infinite);
        bool below = to > 0 || (to == 0 && high->is_behind && !high->infinite);
        if (above && below) return true;
    }
    return false;
}

static uint32_t seed = 12345;
static uint32_t roll(uint32_t n) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static value_set random_set(arena *a, value_line line) {
    value_set s = value_set_none(line);
    for (uint32_t i = roll(4); i > 0; i--) {
        value low = {.kind = VALUE_INT, .i = roll(7)}, high = {.kind = VALUE_INT, .i = roll(7)};
        bool no_low = roll(5) == 0, no_high = roll(5) == 0;
        s = value_set_either(a, s,
                             value_set_range(a, line, no_low ? NULL : &low, roll(2), no_high ? NULL : &high, roll(2)));
    }
    return s;
}

static void algebra_body(arena *a) {
    for (int i = 0; i < 3000; i++) {
        value_line line = roll(2) ? LINE_NUMBER : LINE_INTEGER;
        value_set l = random_set(a, line), r = random_set(a, line);
        value_set both = value_set_both(a, l, r), either = value_set_either(a, l, r), rest = value_set_complement(a, l);
        uint64_t size = 0;
        for (int64_t v = -1; v < 8; v++) {
            assert_int_equal(holds(both, v), holds(l, v) && holds(r, v));
            assert_int_equal(holds(either, v), holds(l, v) || holds(r, v));
            assert_int_equal(holds(rest, v), !holds(l, v));
            size += holds(both, v);
        }
        bool bounded = value_set_size(both) != UINT64_MAX;
        if (bounded) assert_int_equal(value_set_size(both), size);
        assert_int_equal(value_set_is_empty(both) && line == LINE_INTEGER, size == 0 && line == LINE_INTEGER);
    }
}

static void test_value_set__algebra_of_cuts(void **state) {
    (void)state;
    in_door(algebra_body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_domain__sizes_of_what_is_learned),
        cmocka_unit_test(test_domain__one_value_is_a_constant_and_none_no_row),
        cmocka_unit_test(test_domain__few_values_of_a_key_are_few_rows),
        cmocka_unit_test(test_domain__constants_of_one_value_are_equal),
        cmocka_unit_test(test_domain__two_lists_are_met_and_joined),
        cmocka_unit_test(test_value_set__algebra_of_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
