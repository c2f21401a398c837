/* test_stats.c - statistics texts: what they say, and what they must not be taken to say.
 * Called by: ctest.  Must not know: logs, predicates.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/door.h"
#include "delta/stats.h"

static arena memory;

static const column col_a = {.name = {"a", 1}, .physical = {"a", 1}, .type = {.kind = TYPE_LONG}};
static const column col_s = {.name = {"s", 1}, .physical = {"s", 1}, .type = {.kind = TYPE_STRUCT}};
static const column col_sb = {.name = {"b", 1}, .physical = {"b", 1}, .type = {.kind = TYPE_STRING}, .parent = &col_s};
static const column col_dotted = {.name = {"s.b", 3}, .physical = {"s.b", 3}, .type = {.kind = TYPE_LONG}};
static const stats_column wanted[] = {
    {&col_a, true, true}, {&col_sb, true, true}, {&col_dotted, true, true}, {&col_a, true, true}};
enum { A, SB, DOTTED, A_AGAIN, WANTED_COUNT };

static int setup(void **state) {
    (void)state;
    arena_init(&memory, 0);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_end(&memory);
    return 0;
}

typedef struct read_call {
    const char *text;
    bool has_dv;
    file_stats out;
} read_call;

static lp_status read_body(void *context, lp_err *err) {
    (void)err;
    read_call *c = context;
    size_t len = strlen(c->text);
    char *copy = arena_alloc(&memory, len + JSON_PADDING);
    memcpy(copy, c->text, len);
    stats_plan *plan = stats_plan_new(&memory, wanted, WANTED_COUNT);
    stats_from_json(plan, json_reader_new(&memory), (str){copy, len}, c->has_dv, &memory, &c->out);
    return LP_OK;
}

static file_stats read_dv(const char *text, bool has_dv) {
    read_call c = {.text = text, .has_dv = has_dv};
    lp_err err;
    assert_int_equal(door_run(read_body, &c, &err), LP_OK);
    return c.out;
}

static file_stats read(const char *text) {
    return read_dv(text, false);
}

static void expect_int(const bound *b, int64_t v) {
    assert_int_equal(b->state, CELL_VALUE);
    assert_true(b->v.i == v);
}

static void test_stats__reads_wanted_columns_by_nested_names(void **state) {
    (void)state;
    file_stats f = read("{\"numRecords\":10,\"minValues\":{\"x\":[1,{\"a\":5}],\"a\":-3,\"s\":{\"a\":99,\"b\":\"k\"},"
                        "\"s.b\":7},\"maxValues\":{\"a\":9223372036854775807,\"s\":{\"b\":\"z\"}},\"nullCount\":{\"a\":"
                        "0,\"s\":{\"b\":10}},\"more\":{}}");
    assert_true(f.has_stats && f.record_count_known && f.tight);
    assert_int_equal(f.record_count, 10);
    expect_int(&f.column[A].min, -3);
    expect_int(&f.column[A].max, INT64_MAX);
    expect_int(&f.column[A_AGAIN].min, -3);
    assert_true(str_eq(f.column[SB].min.v.s, STR("k")));
    assert_int_equal(f.column[SB].null_count_state, COUNT_KNOWN);
    assert_int_equal(f.column[SB].null_count, 10);
    expect_int(&f.column[DOTTED].min, 7);
    assert_int_equal(f.column[DOTTED].max.state, CELL_ABSENT);
    assert_int_equal(f.column[DOTTED].null_count_state, COUNT_ABSENT);
}

static void test_stats__text_that_is_no_object_has_no_stats(void **state) {
    (void)state;
    static const char *const bad[] = {"",
                                      " ",
                                      "null",
                                      "5",
                                      "[]",
                                      "\"{}\"",
                                      "{",
                                      "{}x",
                                      "{\"numRecords\":1",
                                      "{\"numRecords\":1}}",
                                      "{\"minValues\":{\"a\":01}}",
                                      "{\"minValues\":{\"zz\":tru}}",
                                      "{\"a\":\"\\x\"}",
                                      "{\"numRecords\":1,}",
                                      "\xff{}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        file_stats f = read(bad[i]);
        if (f.has_stats || f.column || f.record_count_known) fail_msg("`%s` gave statistics", bad[i]);
    }
}

static void test_stats__empty_object_has_stats_and_knows_nothing(void **state) {
    (void)state;
    file_stats f = read("{}");
    assert_true(f.has_stats && f.tight && !f.record_count_known);
    assert_int_equal(f.column[A].min.state, CELL_ABSENT);
}

static void test_stats__record_count_is_a_whole_number_from_0(void **state) {
    (void)state;
    static const char *const bad[] = {
        "-1", "5.0", "1e3", "\"5\"", "null", "true", "[5]", "{\"a\":1}", "9223372036854775808"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[128];
        snprintf(text, sizeof text, "{\"numRecords\":%s,\"nullCount\":{\"a\":0}}", bad[i]);
        file_stats f = read(text);
        assert_true(f.has_stats && !f.record_count_known);
        assert_int_equal(f.column[A].null_count_state, COUNT_KNOWN);
    }
    assert_true(read("{\"numRecords\":0}").record_count_known);
    assert_true(read("{\"numRecords\":-0}").record_count_known);
}

static void expect_null_count(const char *text, bool has_dv, bool known) {
    file_stats f = read_dv(text, has_dv);
    assert_true(f.has_stats);
    if ((f.column[A].null_count_state == COUNT_KNOWN) != known) fail_msg("%s", text);
}

static void test_stats__null_count_is_a_whole_number_up_to_the_record_count(void **state) {
    (void)state;
    static const char *const bad[] = {"-1", "5.0", "\"0\"", "null", "false", "[0]", "{}", "11"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[128];
        snprintf(text, sizeof text, "{\"numRecords\":10,\"nullCount\":{\"a\":%s}}", bad[i]);
        expect_null_count(text, false, false);
    }
    expect_null_count("{\"numRecords\":10,\"nullCount\":{\"a\":10}}", false, true);
    expect_null_count("{\"nullCount\":{\"a\":11},\"numRecords\":10}", false, false);
    expect_null_count("{\"nullCount\":{\"a\":11}}", false, true);
    expect_null_count("{\"numRecords\":10,\"nullCounts\":{\"a\":1}}", false, false);
}

static void test_stats__wide_bounds_leave_only_none_and_all(void **state) {
    (void)state;
    expect_null_count("{\"tightBounds\":false,\"numRecords\":10,\"nullCount\":{\"a\":3}}", false, false);
    expect_null_count("{\"numRecords\":10,\"nullCount\":{\"a\":0},\"tightBounds\":false}", false, true);
    expect_null_count("{\"numRecords\":10,\"nullCount\":{\"a\":10},\"tightBounds\":false}", false, true);
    expect_null_count("{\"nullCount\":{\"a\":10},\"tightBounds\":false}", false, false);
    expect_null_count("{\"tightBounds\":\"true\",\"numRecords\":10,\"nullCount\":{\"a\":3}}", false, false);
    expect_null_count("{\"tightBounds\":true,\"numRecords\":10,\"nullCount\":{\"a\":3}}", false, true);
    assert_false(read("{\"tightBounds\":false}").tight);
    assert_false(read("{\"tightBounds\":null}").tight);
}

static void test_stats__vector_makes_bounds_wide_whatever_the_flag(void **state) {
    (void)state;
    expect_null_count("{\"tightBounds\":true,\"numRecords\":10,\"nullCount\":{\"a\":3}}", true, false);
    assert_false(read_dv("{\"tightBounds\":true}", true).tight);
}

static void test_stats__explicit_null_bound_is_not_a_value(void **state) {
    (void)state;
    file_stats f = read("{\"minValues\":{\"a\":null},\"maxValues\":null}");
    assert_int_equal(f.column[A].min.state, CELL_NULL);
    assert_int_equal(f.column[A].max.state, CELL_ABSENT);
}

static void test_stats__bound_of_another_shape_is_unreadable(void **state) {
    (void)state;
    file_stats f = read("{\"minValues\":{\"a\":{\"b\":1}},\"maxValues\":{\"a\":\"x\",\"s\":5,\"s.b\":[1]}}");
    assert_int_equal(f.column[A].min.state, CELL_UNREADABLE);
    assert_int_equal(f.column[A].max.state, CELL_UNREADABLE);
    assert_int_equal(f.column[SB].max.state, CELL_ABSENT);
    assert_int_equal(f.column[DOTTED].max.state, CELL_UNREADABLE);
}

static void test_stats__last_of_equal_keys_counts(void **state) {
    (void)state;
    file_stats f =
        read("{\"numRecords\":1,\"numRecords\":2,\"minValues\":{\"a\":1,\"a\":2,\"s\":{\"b\":\"old\"},\"s\":{}},"
             "\"maxValues\":{\"a\":9,\"s.b\":9},\"maxValues\":{\"a\":5},\"nullCount\":{\"a\":0},\"nullCount\":7}");
    assert_int_equal(f.record_count, 2);
    expect_int(&f.column[A].min, 2);
    assert_int_equal(f.column[SB].min.state, CELL_ABSENT);
    expect_int(&f.column[A].max, 5);
    assert_int_equal(f.column[DOTTED].max.state, CELL_ABSENT);
    assert_int_equal(f.column[A].null_count_state, COUNT_ABSENT);
    assert_false(read("{\"numRecords\":1,\"numRecords\":null}").record_count_known);
}

static void test_stats__escaped_keys_are_the_names_they_spell(void **state) {
    (void)state;
    file_stats f = read("{\"min\\u0056alues\":{\"\\u0061\":4},\"maxValues\":{\"s\\u002eb\":6}}");
    expect_int(&f.column[A].min, 4);
    expect_int(&f.column[DOTTED].max, 6);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_stats__reads_wanted_columns_by_nested_names),
        TEST(test_stats__text_that_is_no_object_has_no_stats),
        TEST(test_stats__empty_object_has_stats_and_knows_nothing),
        TEST(test_stats__record_count_is_a_whole_number_from_0),
        TEST(test_stats__null_count_is_a_whole_number_up_to_the_record_count),
        TEST(test_stats__wide_bounds_leave_only_none_and_all),
        TEST(test_stats__vector_makes_bounds_wide_whatever_the_flag),
        TEST(test_stats__explicit_null_bound_is_not_a_value),
        TEST(test_stats__bound_of_another_shape_is_unreadable),
        TEST(test_stats__last_of_equal_keys_counts),
        TEST(test_stats__escaped_keys_are_the_names_they_spell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
