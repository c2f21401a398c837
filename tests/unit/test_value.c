/* test_value.c - the exact order of values, rounding, printing.
 * Called by: ctest.  Must not know: tables, SQL.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "types/number.h"
#include "types/value.h"

static value of_int(int64_t i) {
    return (value){.kind = VALUE_INT, .i = i};
}

static value of_double(double d) {
    return (value){.kind = VALUE_DOUBLE, .f = d};
}

static value of_float(float f) {
    return (value){.kind = VALUE_FLOAT, .f = (double)f};
}

static value of_decimal(str text) {
    number n;
    value v;
    assert_true(number_parse(text, &n));
    assert_true(number_to_decimal(&n, &v));
    return v;
}

static value of_text(str s) {
    return (value){.kind = VALUE_STRING, .s = s};
}

/* Both ways round. */
static void assert_order(value a, value b, int expected) {
    assert_int_equal(value_compare(&a, &b), expected);
    assert_int_equal(value_compare(&b, &a), -expected);
}

static void test_value__integers_meet_doubles_without_rounding(void **state) {
    (void)state;
    assert_order(of_int(9007199254740993), of_double(9007199254740992.0), 1);
    assert_order(of_int(9007199254740992), of_double(9007199254740992.0), 0);
    assert_order(of_int(INT64_MAX), of_double(0x1p63), -1);
    assert_order(of_int(INT64_MIN), of_double(-0x1p63), 0);
    assert_order(of_int(5), of_double(5.5), -1);
    assert_order(of_int(-5), of_double(-5.5), 1);
    assert_order(of_int(0), of_double(-0.0), 0);
    assert_order(of_int(0), of_double(-5e-324), 1);
    assert_order(of_int(INT64_MAX), of_double(INFINITY), -1);
    assert_order(of_int(INT64_MIN), of_double(-INFINITY), 1);
}

static void test_value__nan_is_above_all_and_equal_to_itself(void **state) {
    (void)state;
    assert_order(of_double(NAN), of_double(NAN), 0);
    assert_order(of_double(NAN), of_float(-NAN), 0);
    assert_order(of_double(NAN), of_double(INFINITY), 1);
    assert_order(of_float(NAN), of_int(INT64_MAX), 1);
    assert_order(of_double(NAN), of_decimal(STR("1e37")), 1);
}

static void test_value__minus_zero_equals_zero(void **state) {
    (void)state;
    assert_order(of_double(-0.0), of_double(0.0), 0);
    assert_order(of_float(-0.0f), of_decimal(STR("0")), 0);
}

static void test_value__floats_meet_doubles_as_what_they_hold(void **state) {
    (void)state;
    assert_order(of_float(1.1f), of_double(1.1), 1);
    assert_order(of_float(1.1f), of_double(1.100000023841858), 0);
    assert_order(of_float(0.5f), of_double(0.5), 0);
}

static void test_value__decimals_meet_everything_without_rounding(void **state) {
    (void)state;
    assert_order(of_decimal(STR("0.1")), of_double(0.1), -1);
    assert_order(of_decimal(STR("0.5")), of_double(0.5), 0);
    assert_order(of_decimal(STR("9007199254740993")), of_double(9007199254740992.0), 1);
    assert_order(of_decimal(STR("12345678901234567890.12")), of_decimal(STR("12345678901234567890.1200001")), -1);
    assert_order(of_decimal(STR("-0.5")), of_int(0), -1);
    assert_order(of_decimal(STR("-2.5")), of_int(-2), -1);
    assert_order(of_decimal(STR("-2.5")), of_int(-3), 1);
    value wide = {.kind = VALUE_DECIMAL, .scale = 38, .d = 0},
          narrow = of_decimal(STR("99999999999999999999999999999999999999"));
    assert_order(narrow, wide, 1);
    value hundred = {.kind = VALUE_DECIMAL, .scale = 2, .d = 10000}; /* 100.00 */
    assert_order(hundred, of_int(100), 0);
    assert_order(of_decimal(STR("1e37")), of_double(INFINITY), -1);
    assert_order(of_decimal(STR("1e37")), of_double(1e37), 1); /* the double is 9999999999999999538762658202121142272 */
}

static void test_value__strings_compare_as_utf8_bytes(void **state) {
    (void)state;
    assert_order(of_text(STR("\xEF\xBD\x9E")), of_text(STR("\xF0\x9F\x98\x80")), -1); /* U+FF5E below U+1F600 */
    assert_order(of_text(STR("")), of_text(STR("a")), -1);
    assert_order(of_text(STR("a")), of_text(STR("a")), 0);
}

static void test_value__limit_above_a_prefix_covers_just_its_texts(void **state) {
    (void)state;
    value limit = {.kind = VALUE_STRING, .above_prefix = true, .s = STR("ab")};
    assert_order(limit, of_text(STR("ab")), 1);
    assert_order(limit, of_text(STR("ab\xF4\x8F\xBF\xBF")), 1);
    assert_order(limit, of_text(STR("ac")), -1);
    assert_order(limit, of_text(STR("a")), 1);
    assert_order(limit, of_text(STR("b")), -1);
    assert_order(limit, of_text(STR("aaz")), 1);
    assert_order(limit, limit, 0);
    value longer = {.kind = VALUE_STRING, .above_prefix = true, .s = STR("abz")};
    assert_order(limit, longer, 1);
    value all = {.kind = VALUE_STRING, .above_prefix = true, .s = STR("")};
    assert_order(all, of_text(STR("\xF4\x8F\xBF\xBF")), 1);
}

static void test_value__rounds_to_double_and_float_once(void **state) {
    (void)state;
    value v = of_int(9007199254740993), r = value_to_double(&v);
    assert_int_equal(r.kind, VALUE_DOUBLE);
    assert_true(r.f == 9007199254740992.0);
    v = of_decimal(STR("-12345678901234567890.123456789")), r = value_to_double(&v);
    assert_true(r.f == -12345678901234567890.123456789);
    v = of_decimal(STR("1e-38")), r = value_to_double(&v);
    assert_true(r.f == 1e-38);
    v = of_int(16777217), r = value_to_float(&v);
    assert_int_equal(r.kind, VALUE_FLOAT);
    assert_true(r.f == 16777216.0);
    v = of_decimal(STR("1.000000178813934326171875000000001")), r = value_to_float(&v);
    assert_true(r.f == (double)0x1.000004p0f);
    v = of_double(1e300), r = value_to_float(&v);
    assert_true(isinf(r.f));
    v = of_double(NAN), r = value_to_float(&v);
    assert_true(isnan(r.f));
}

static void test_value__neighbours_saturate_at_infinity(void **state) {
    (void)state;
    assert_true(double_after(1.0) == 0x1.0000000000001p0);
    assert_true(double_before(1.0) == 0x1.fffffffffffffp-1);
    assert_true(double_after(0.0) == 5e-324);
    assert_true(double_before(-0.0) == -5e-324);
    assert_true(double_after(INFINITY) == INFINITY);
    assert_true(double_before(-INFINITY) == -INFINITY);
    assert_true(isnan(double_after(NAN)));
}

static void assert_printed(value v, str expected) {
    arena a;
    arena_init(&a, 0);
    buf b;
    buf_init(&b, &a, 4096);
    value_print(&b, &v);
    if (!str_eq(buf_str(&b), expected))
        fail_msg("expected " STR_FMT ", found " STR_FMT, STR_ARG(expected), STR_ARG(buf_str(&b)));
    arena_end(&a);
}

static void test_value__prints_floats_in_the_shortest_form_that_reads_back(void **state) {
    (void)state;
    assert_printed(of_double(68), STR("68"));
    assert_printed(of_double(75.3), STR("75.3"));
    assert_printed(of_double(1e16), STR("1e16"));
    assert_printed(of_double(1234567890123456.0), STR("1234567890123456"));
    assert_printed(of_double(1.5e-7), STR("1.5e-7"));
    assert_printed(of_double(0.00001), STR("0.00001"));
    assert_printed(of_double(5e-324), STR("5e-324"));
    assert_printed(of_double(1.7976931348623157e308), STR("1.7976931348623157e308"));
    assert_printed(of_double(0x1p-44), STR("5.684341886080802e-14"));
    assert_printed(of_double(-0.0), STR("-0"));
    assert_printed(of_double(NAN), STR("NaN"));
    assert_printed(of_double(-INFINITY), STR("-Infinity"));
    assert_printed(of_float(1.1f), STR("1.1"));
    assert_printed(of_float(3.4028235e38f), STR("3.4028235e38"));
    assert_printed(of_double(-123.456), STR("-123.456"));
}

static void test_value__prints_the_other_kinds_as_people_read_them(void **state) {
    (void)state;
    assert_printed(of_int(INT64_MIN), STR("-9223372036854775808"));
    assert_printed((value){.kind = VALUE_DECIMAL, .scale = 2, .d = -5}, STR("-0.05"));
    assert_printed((value){.kind = VALUE_DECIMAL, .scale = 2, .d = 1250}, STR("12.50"));
    assert_printed((value){.kind = VALUE_DECIMAL, .scale = 0, .d = 0}, STR("0"));
    assert_printed((value){.kind = VALUE_DECIMAL, .scale = 38, .d = 1},
                   STR("0.00000000000000000000000000000000000001"));
    assert_printed((value){.kind = VALUE_BOOLEAN, .i = 1}, STR("true"));
    assert_printed((value){.kind = VALUE_DATE, .i = 19725}, STR("2024-01-03"));
    assert_printed((value){.kind = VALUE_TIMESTAMP, .i = -1}, STR("1969-12-31T23:59:59.999999Z"));
    assert_printed((value){.kind = VALUE_TIMESTAMP_NTZ, .i = 7}, STR("1970-01-01T00:00:00.000007"));
    assert_printed((value){.kind = VALUE_BINARY, .s = {"\0\xFFz", 3}}, STR("X'00FF7A'"));
    assert_printed(of_text(STR("it's")), STR("it's"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value__integers_meet_doubles_without_rounding),
        cmocka_unit_test(test_value__nan_is_above_all_and_equal_to_itself),
        cmocka_unit_test(test_value__minus_zero_equals_zero),
        cmocka_unit_test(test_value__floats_meet_doubles_as_what_they_hold),
        cmocka_unit_test(test_value__decimals_meet_everything_without_rounding),
        cmocka_unit_test(test_value__strings_compare_as_utf8_bytes),
        cmocka_unit_test(test_value__limit_above_a_prefix_covers_just_its_texts),
        cmocka_unit_test(test_value__rounds_to_double_and_float_once),
        cmocka_unit_test(test_value__neighbours_saturate_at_infinity),
        cmocka_unit_test(test_value__prints_floats_in_the_shortest_form_that_reads_back),
        cmocka_unit_test(test_value__prints_the_other_kinds_as_people_read_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
