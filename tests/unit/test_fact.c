/* test_fact.c - how far partition values and statistics are believed, rule by rule.
 * Called by: ctest.  Must not know: predicates.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "prune/fact.h"

static const data_type whole = {.kind = TYPE_INTEGER}, floating = {.kind = TYPE_DOUBLE}, nothing = {.kind = TYPE_VOID},
                       decimal = {.kind = TYPE_DECIMAL, .precision = 10, .scale = 2}, text = {.kind = TYPE_STRING};
static const fact_rules own = {.trust_float_max = true}, strict = {.trust_float_max = false}, drop_in = {.trust_float_max = true, .as_delta_explain = true};

/* ------------------------------------------------------------------------------------------ partition values */

static column_domain partition_domain(const data_type *type, const partition_cell *cell, fact_rules rules) {
    column_domain d;
    domain_from_partition(type, cell, rules, &d);
    return d;
}

static void test_fact__a_partition_value_is_one_value_and_never_null(void **state) {
    (void)state;
    partition_cell cell = {.state = CELL_VALUE, .value_count = 1, .v = {{.kind = VALUE_INT, .i = 7}}, .text = STR("07")};
    column_domain d = partition_domain(&whole, &cell, own);
    assert_int_equal(d.count, 1);
    assert_true(d.fact[0].can_be_value && !d.fact[0].can_be_null && d.fact[0].has_low && d.fact[0].has_high && !d.fact[0].may_be_nan);
    assert_int_equal(d.fact[0].low.i, 7);
    assert_int_equal(d.fact[0].high.i, 7);
    assert_true(d.fact[0].is_text_known && str_eq(d.fact[0].text, STR("07")));
}

static void test_fact__two_readings_and_null_are_three_facts(void **state) {
    (void)state;
    partition_cell cell = {.state = CELL_VALUE, .may_be_null = true, .value_count = 2, .v = {{.kind = VALUE_INT, .i = 1}, {.kind = VALUE_INT, .i = 2}}};
    column_domain d = partition_domain(&whole, &cell, own);
    assert_int_equal(d.count, DOMAIN_MAX_FACTS);
    assert_int_equal(d.fact[0].low.i, 1);
    assert_int_equal(d.fact[1].low.i, 2);
    assert_true(d.fact[2].can_be_null && !d.fact[2].can_be_value);
}

static void test_fact__a_null_partition_value_is_null_only(void **state) {
    (void)state;
    partition_cell cell = {.state = CELL_NULL};
    column_domain d = partition_domain(&whole, &cell, own);
    assert_int_equal(d.count, 1);
    assert_true(d.fact[0].can_be_null && !d.fact[0].can_be_value);
}

static void expect_unknown(const column_domain *d, bool may_be_nan) {
    assert_int_equal(d->count, 1);
    assert_true(d->fact[0].can_be_null && d->fact[0].can_be_value && !d->fact[0].has_low && !d->fact[0].has_high);
    assert_int_equal(d->fact[0].may_be_nan, may_be_nan);
}

static void test_fact__an_unreadable_partition_value_is_unknown(void **state) {
    (void)state;
    partition_cell cell = {.state = CELL_UNREADABLE};
    column_domain d = partition_domain(&whole, &cell, own);
    expect_unknown(&d, false);
    d = partition_domain(&floating, &cell, drop_in);
    expect_unknown(&d, true);
}

static void test_fact__a_missing_partition_value_is_unknown_and_null_for_the_drop_in(void **state) {
    (void)state;
    partition_cell cell = {.state = CELL_ABSENT};
    column_domain d = partition_domain(&whole, &cell, own);
    expect_unknown(&d, false);
    d = partition_domain(&whole, &cell, drop_in);
    assert_true(d.count == 1 && d.fact[0].can_be_null && !d.fact[0].can_be_value);
}

/* ------------------------------------------------------------------------------------------------ statistics */

static bound limit(value v, const char *recorded) {
    return (bound){.state = CELL_VALUE, .v = v, .reach = v, .text = str_from(recorded)};
}

static value int_value(int64_t i) {
    return (value){.kind = VALUE_INT, .i = i};
}

static value double_value(double d) {
    return (value){.kind = VALUE_DOUBLE, .f = d};
}

static const file_stats ten_rows = {.has_stats = true, .record_count_known = true, .record_count = 10, .has_bounds = true};

static column_fact stats_fact(const data_type *type, const file_stats *file, const column_stats *stats, fact_rules rules) {
    column_domain d;
    domain_from_stats(type, file, stats, rules, &d);
    assert_int_equal(d.count, 1);
    return d.fact[0];
}

static void test_fact__no_statistics_is_unknown(void **state) {
    (void)state;
    column_domain d;
    domain_from_stats(&floating, &ten_rows, NULL, own, &d);
    expect_unknown(&d, true);
    column_fact f = stats_fact(&nothing, &ten_rows, NULL, own);
    assert_true(f.can_be_null && !f.can_be_value);
}

static void test_fact__bounds_are_taken_from_their_reach(void **state) {
    (void)state;
    column_stats s = {.min = limit(int_value(20), "20"), .max = limit(int_value(35), "35")};
    s.max.reach = int_value(36);
    column_fact f = stats_fact(&whole, &ten_rows, &s, own);
    assert_true(f.has_low && f.has_high && f.can_be_null && f.can_be_value && !f.is_text_known);
    assert_int_equal(f.low.i, 20);
    assert_int_equal(f.high.i, 36);
}

static void test_fact__an_absent_bound_is_open_on_its_side(void **state) {
    (void)state;
    column_stats s = {.min = limit(int_value(20), "20"), .max = {.state = CELL_UNREADABLE}};
    column_fact f = stats_fact(&whole, &ten_rows, &s, own);
    assert_true(f.has_low && !f.has_high);
}

static void test_fact__bounds_that_contradict_each_other_say_nothing(void **state) {
    (void)state;
    column_stats s = {.min = limit(int_value(35), "35"), .max = limit(int_value(20), "20")};
    column_fact f = stats_fact(&whole, &ten_rows, &s, own);
    assert_true(!f.has_low && !f.has_high);
}

static column_fact counted(int64_t nulls, bool rows_known) {
    file_stats file = ten_rows;
    file.record_count_known = rows_known;
    column_stats s = {.null_count_state = COUNT_KNOWN, .null_count = nulls};
    return stats_fact(&whole, &file, &s, own);
}

static void test_fact__null_counts_speak_of_none_and_of_all(void **state) {
    (void)state;
    assert_true(counted(0, true).can_be_value && !counted(0, true).can_be_null);
    assert_true(counted(3, true).can_be_value && counted(3, true).can_be_null);
    assert_true(!counted(10, true).can_be_value && counted(10, true).can_be_null);
    assert_true(counted(10, false).can_be_value && counted(10, false).can_be_null);
}

static void test_fact__an_empty_file_is_not_all_null(void **state) {
    (void)state;
    file_stats file = ten_rows;
    file.record_count = 0;
    column_stats s = {.null_count_state = COUNT_KNOWN, .null_count = 0};
    assert_true(stats_fact(&whole, &file, &s, own).can_be_value);
}

static column_fact float_fact(double max, fact_rules rules) {
    column_stats s = {.min = limit(double_value(1), "1.0"), .max = limit(double_value(max), "x")};
    return stats_fact(&floating, &ten_rows, &s, rules);
}

static void test_fact__a_float_maximum_speaks_for_nan_only_when_trusted(void **state) {
    (void)state;
    assert_false(float_fact(2, own).may_be_nan);
    assert_true(float_fact(2, strict).may_be_nan);
    assert_true(float_fact((double)NAN, own).may_be_nan); /* the writer recorded that there is one */
    column_stats only_min = {.min = limit(double_value(1), "1.0")};
    assert_true(stats_fact(&floating, &ten_rows, &only_min, own).may_be_nan); /* no maximum to trust */
    column_stats of_integers = {.max = limit(int_value(2), "2")};
    assert_false(stats_fact(&whole, &ten_rows, &of_integers, strict).may_be_nan);
}

/* ---------------------------------------------------------------------------------- what the drop-in forgets */

static void test_fact__drop_in_takes_a_file_for_all_null_only_beside_bounds(void **state) {
    (void)state;
    file_stats file = ten_rows;
    column_stats s = {.null_count_state = COUNT_KNOWN, .null_count = 10};
    assert_false(stats_fact(&whole, &file, &s, drop_in).can_be_value);
    file.has_bounds = false;
    assert_false(stats_fact(&whole, &file, &s, own).can_be_value);
    assert_true(stats_fact(&whole, &file, &s, drop_in).can_be_value);
    assert_false(stats_fact(&nothing, &file, &s, drop_in).can_be_value);
}

static void test_fact__drop_in_reads_no_decimal_with_an_exponent(void **state) {
    (void)state;
    value v = {.kind = VALUE_DECIMAL, .scale = 2, .d = 100};
    column_stats s = {.min = limit(v, "1E0"), .max = limit(v, "1.00")};
    column_fact f = stats_fact(&decimal, &ten_rows, &s, drop_in);
    assert_true(!f.has_low && f.has_high);
    f = stats_fact(&decimal, &ten_rows, &s, own);
    assert_true(f.has_low && f.has_high);
    column_stats of_text = {.min = limit((value){.kind = VALUE_STRING, .s = STR("1e0")}, "1e0")};
    assert_true(stats_fact(&text, &ten_rows, &of_text, drop_in).has_low);
}

/* It orders -0.0 below 0.0, so its files with a minimum of -0.0 stay where ours go; widening the bound keeps them. */
static void test_fact__drop_in_lowers_a_minimum_of_negative_zero(void **state) {
    (void)state;
    column_stats s = {.min = limit(double_value(-0.0), "-0.0"), .max = limit(double_value(5), "5.0")};
    assert_true(stats_fact(&floating, &ten_rows, &s, drop_in).low.f < 0);
    assert_true(stats_fact(&floating, &ten_rows, &s, own).low.f >= 0);
    s.min = limit(double_value(0), "0.0");
    assert_true(stats_fact(&floating, &ten_rows, &s, drop_in).low.f >= 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fact__a_partition_value_is_one_value_and_never_null),
        cmocka_unit_test(test_fact__two_readings_and_null_are_three_facts),
        cmocka_unit_test(test_fact__a_null_partition_value_is_null_only),
        cmocka_unit_test(test_fact__an_unreadable_partition_value_is_unknown),
        cmocka_unit_test(test_fact__a_missing_partition_value_is_unknown_and_null_for_the_drop_in),
        cmocka_unit_test(test_fact__no_statistics_is_unknown),
        cmocka_unit_test(test_fact__bounds_are_taken_from_their_reach),
        cmocka_unit_test(test_fact__an_absent_bound_is_open_on_its_side),
        cmocka_unit_test(test_fact__bounds_that_contradict_each_other_say_nothing),
        cmocka_unit_test(test_fact__null_counts_speak_of_none_and_of_all),
        cmocka_unit_test(test_fact__an_empty_file_is_not_all_null),
        cmocka_unit_test(test_fact__a_float_maximum_speaks_for_nan_only_when_trusted),
        cmocka_unit_test(test_fact__drop_in_takes_a_file_for_all_null_only_beside_bounds),
        cmocka_unit_test(test_fact__drop_in_reads_no_decimal_with_an_exponent),
        cmocka_unit_test(test_fact__drop_in_lowers_a_minimum_of_negative_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
