/* test_number.c - numbers as text: parsing, rounding to double and float, comparison without rounding.
 * Called by: ctest.  Must not know: columns.
 *
 * Expected bits were computed with Python's float() and exact fractions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "types/number.h"

static number parsed(str text) {
    number n;
    assert_true(number_parse(text, &n));
    return n;
}

static uint64_t double_bits(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static uint32_t float_bits(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static void test_number__zeros_of_both_ends_are_dropped(void **state) {
    (void)state;
    number n = parsed(STR("-0012.3400e2"));
    assert_true(n.negative);
    assert_true(str_eq(n.digits, STR("12.34")));
    assert_int_equal(n.exponent, 0);
    n = parsed(STR("1500"));
    assert_true(str_eq(n.digits, STR("15")));
    assert_int_equal(n.exponent, 2);
    n = parsed(STR("+.0015"));
    assert_true(str_eq(n.digits, STR("15")));
    assert_int_equal(n.exponent, -4);
    n = parsed(STR("100.00"));
    assert_true(str_eq(n.digits, STR("1")));
    assert_int_equal(n.exponent, 2);
    n = parsed(STR("-0.0e9"));
    assert_true(number_is_zero(&n));
    assert_int_equal(n.exponent, 0);
}

static void test_number__other_texts_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"",   "-",   "+",   ".",   "-.",  "e5",    "1e", "1e+",      "1.2.3", " 1",
                                      "1 ", "0x1", "1_0", "NaN", "--1", "1e5.0", "1f", "Infinity", "1,5",   "1e1e1"};
    number n;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) assert_false(number_parse(str_from(bad[i]), &n));
    assert_false(number_parse(STR_NONE, &n));
}

static void test_number__exponent_saturates(void **state) {
    (void)state;
    number n = parsed(STR("1e99999999999999999999999999"));
    assert_int_equal(n.exponent, (int64_t)1 << 40);
    assert_true(isinf(number_to_double(&n)));
    n = parsed(STR("-1e-99999999999999999999999999"));
    assert_int_equal(n.exponent, -((int64_t)1 << 40));
    assert_true(double_bits(number_to_double(&n)) == 0x8000000000000000u);
    assert_int_equal(number_truncate(&n), 0);
    assert_int_equal(number_round(&n), 0);
}

static void test_number__double_is_the_nearest_with_ties_to_even(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t bits;
    } cases[] = {
        {"0.1", 0x3fb999999999999au},
        {"9007199254740993", 0x4340000000000000u},
        {"9007199254740993.0000000000000000000000001", 0x4340000000000001u},
        {"9007199254740995", 0x4340000000000002u},
        {"2.2250738585072011e-308", 0x000fffffffffffffu},
        {"2.2250738585072014e-308", 0x0010000000000000u},
        {"4.9406564584124654e-324", 0x0000000000000001u},
        {"2.4703282292062327e-324", 0x0000000000000000u},
        {"2.4703282292062328e-324", 0x0000000000000001u},
        {"1.7976931348623157e308", 0x7fefffffffffffffu},
        {"1.7976931348623158e308", 0x7fefffffffffffffu},
        {"1.7976931348623159e308", 0x7ff0000000000000u},
        {"-1e400", 0xfff0000000000000u},
        {"6.02214076e23", 0x44dfe185ca57c517u},
        {"1e-30", 0x39b4484bfeebc2a0u},
        {"123456789012345678901234567890", 0x45f8ee90ff6c373eu},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        number n = parsed(str_from(cases[i].text));
        assert_true(double_bits(number_to_double(&n)) == cases[i].bits);
    }
}

static void test_number__float_is_rounded_once(void **state) {
    (void)state;
    /* Halfway between two floats and a little more: by way of a double the little more is lost. */
    number n = parsed(STR("1.00000017881393432617187499999999999"));
    assert_true(float_bits(number_to_float(&n)) == 0x3f800001u);
    n = parsed(STR("1.00000017881393432617187500000000001"));
    assert_true(float_bits(number_to_float(&n)) == 0x3f800002u);
    n = parsed(STR("16777217.0000000001"));
    assert_true(float_bits(number_to_float(&n)) == 0x4b800001u);
    n = parsed(STR("1e39"));
    assert_true(isinf(number_to_float(&n)));
    n = parsed(STR("1e-45"));
    assert_true(float_bits(number_to_float(&n)) == 1);
}

static void test_number__compares_without_rounding(void **state) {
    (void)state;
    value tenth = {.kind = VALUE_DOUBLE, .f = 0.1};
    number n = parsed(STR("0.1")); /* the double lies above it */
    assert_int_equal(number_compare(&tenth, &n), 1);
    n = parsed(STR("0.1000000000000000055511151231257827021181583404541015625"));
    assert_int_equal(number_compare(&tenth, &n), 0);
    n = parsed(STR("0.10000000000000000555111512312578270211815834045410156251"));
    assert_int_equal(number_compare(&tenth, &n), -1);
    value big = {.kind = VALUE_INT, .i = 9007199254740993};
    n = parsed(STR("9.007199254740992E15"));
    assert_int_equal(number_compare(&big, &n), 1);
    value decimal = {.kind = VALUE_DECIMAL, .scale = 38, .d = 1};
    n = parsed(STR("1e-38"));
    assert_int_equal(number_compare(&decimal, &n), 0);
    value nan = {.kind = VALUE_DOUBLE, .f = NAN}, infinite = {.kind = VALUE_FLOAT, .f = -INFINITY};
    n = parsed(STR("-1e999999"));
    assert_int_equal(number_compare(&nan, &n), 1);
    assert_int_equal(number_compare(&infinite, &n), -1);
    value zero = {.kind = VALUE_DOUBLE, .f = -0.0};
    n = parsed(STR("0"));
    assert_int_equal(number_compare(&zero, &n), 0);
}

static void test_number__decimal_and_int64_only_without_rounding(void **state) {
    (void)state;
    value v;
    number n = parsed(STR("99999999999999999999999999999999999999"));
    assert_true(number_to_decimal(&n, &v));
    assert_int_equal(v.scale, 0);
    n = parsed(STR("100000000000000000000000000000000000000"));
    assert_false(number_to_decimal(&n, &v));
    n = parsed(STR("-1.50E-3"));
    assert_true(number_to_decimal(&n, &v));
    assert_int_equal(v.scale, 4);
    assert_true(v.d == -15);
    n = parsed(STR("1e-39"));
    assert_false(number_to_decimal(&n, &v));
    int64_t i;
    n = parsed(STR("-9223372036854775808"));
    assert_true(number_to_int64(&n, &i));
    assert_true(i == INT64_MIN);
    n = parsed(STR("9223372036854775808"));
    assert_false(number_to_int64(&n, &i));
    n = parsed(STR("10e-1"));
    assert_true(number_to_int64(&n, &i));
    assert_int_equal(i, 1);
    n = parsed(STR("1.5"));
    assert_false(number_to_int64(&n, &i));
}

static void test_number__truncates_and_rounds_half_away_from_zero(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t truncated, rounded;
    } cases[] = {
        {"2.5", 2, 3},
        {"-2.5", -2, -3},
        {"2.49999999999999999999999", 2, 2},
        {"0.5", 0, 1},
        {"0.05", 0, 0},
        {"-0.9", 0, -1},
        {"12345e-2", 123, 123},
        {"1e30", INT64_MAX, INT64_MAX},
        {"-1e30", INT64_MIN, INT64_MIN},
        {"9223372036854775807.4", INT64_MAX, INT64_MAX},
        {"9223372036854775807.5", INT64_MAX, INT64_MAX},
        {"-9223372036854775808.9", INT64_MIN, INT64_MIN},
        {"3e2", 300, 300},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        number n = parsed(str_from(cases[i].text));
        assert_true(number_truncate(&n) == cases[i].truncated);
        assert_true(number_round(&n) == cases[i].rounded);
    }
}

static void test_number__counts_fraction_digits(void **state) {
    (void)state;
    number n = parsed(STR("1.2300"));
    assert_int_equal(number_fraction_digits(&n), 2);
    n = parsed(STR("120"));
    assert_int_equal(number_fraction_digits(&n), 0);
    n = parsed(STR("5e-7"));
    assert_int_equal(number_fraction_digits(&n), 7);
}

static void test_number__a_megabyte_of_digits_is_exact(void **state) {
    (void)state;
    enum { SIZE = 1 << 20 };
    char *text = malloc(SIZE);
    assert_non_null(text);
    memset(text, '0', SIZE);
    memcpy(text, "9007199254740993.", 17); /* halfway between two doubles, and the last digit decides */
    text[SIZE - 1] = '1';
    number n = parsed((str){text, SIZE});
    assert_true(double_bits(number_to_double(&n)) == 0x4340000000000001u);
    assert_int_equal(number_fraction_digits(&n), SIZE - 17);
    value v = {.kind = VALUE_INT, .i = 9007199254740993};
    assert_int_equal(number_compare(&v, &n), -1);
    text[SIZE - 1] = '0';
    n = parsed((str){text, SIZE});
    assert_true(double_bits(number_to_double(&n)) == 0x4340000000000000u);
    assert_int_equal(number_compare(&v, &n), 0);
    free(text);
}

/* ---- short numbers */

static void test_number__short_is_what_has_19_digits_and_no_exponent(void **state) {
    (void)state;
    static const char *const others[] = {"",
                                         "-",
                                         ".",
                                         "-.5",
                                         "5.",
                                         "1..2",
                                         "1.2.3",
                                         "+1",
                                         "1e1",
                                         "1 ",
                                         " 1",
                                         "1,5",
                                         "--1",
                                         "NaN",
                                         "0x1",
                                         "12345678901234567890",
                                         "1.-",
                                         "1.2-",
                                         "0.1234567890123456789"};
    double d;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(number_read_short(str_from(others[i]), false, &d));
    assert_true(number_read_short(STR("-0"), false, &d) && double_bits(d) == 0x8000000000000000u);
    assert_true(number_read_short(STR("0.000000000000000001"), false, &d) && double_bits(d) == 0x3c32725dd1d243acu);
    assert_true(number_read_short(STR("-9999999999999999999"), false, &d) && double_bits(d) == 0xc3e158e460913d00u);
}

/* The C library rounds right too; the locale is "C". */
static void expect_as_strtod(const char *text) {
    double d, f;
    assert_true(number_read_short(str_from(text), false, &d) && number_read_short(str_from(text), true, &f));
    if (double_bits(d) != double_bits(strtod(text, NULL))) fail_msg("%s as a double", text);
    if (float_bits((float)f) != float_bits(strtof(text, NULL))) fail_msg("%s as a float", text);
}

static uint64_t next_random(uint64_t *seed) { /* xorshift64* */
    *seed ^= *seed >> 12, *seed ^= *seed << 25, *seed ^= *seed >> 27;
    return *seed * 0x2545F4914F6CDD1Du;
}

static void test_number__short_numbers_round_as_in_the_c_library(void **state) {
    (void)state;
    uint64_t seed = 20240206;
    char text[64], digits[32];
    for (int i = 0; i < 100000; i++) {
        snprintf(digits, sizeof digits, "%019llu", (unsigned long long)(next_random(&seed) % 10000000000000000000u));
        int count = 1 + (int)(next_random(&seed) % 19), whole = 1 + (int)(next_random(&seed) % (unsigned)count);
        const char *first = digits + 19 - count;
        snprintf(text, sizeof text, "%s%.*s%s%.*s", i % 2 ? "-" : "", whole, first, whole < count ? "." : "",
                 count - whole, first + whole);
        expect_as_strtod(text);
    }
    for (int i = 0; i < 20000; i++) { /* halfway between two doubles, and between two floats, and beside it */
        uint64_t odd = (next_random(&seed) >> 11) | 1 | (uint64_t)1 << 53, low = (odd >> 29) | 1;
        for (int beside = -1; beside <= 1; beside++) {
            snprintf(text, sizeof text, "%llu", (unsigned long long)(odd + (uint64_t)(int64_t)beside));
            expect_as_strtod(text);
            snprintf(text, sizeof text, "%llu.%d", (unsigned long long)(odd >> 1), 5 + beside);
            expect_as_strtod(text);
            snprintf(text, sizeof text, "%llu.%d", (unsigned long long)(low >> 1), 5 + beside);
            expect_as_strtod(text);
        }
    }
}

/* ---- random cases, answered by Python: see make_cases.py */

static value value_of_case(const char *text) {
    number n;
    value v = {.kind = VALUE_INT};
    switch (text[0]) {
    case 'd': {
        uint64_t bits = strtoull(text + 1, NULL, 16);
        v.kind = VALUE_DOUBLE;
        memcpy(&v.f, &bits, sizeof bits);
        return v;
    }
    case 'f': {
        uint32_t bits = (uint32_t)strtoul(text + 1, NULL, 16);
        float f;
        memcpy(&f, &bits, sizeof bits);
        return (value){.kind = VALUE_FLOAT, .f = (double)f};
    }
    case 'm': { /* keeps the scale as written */
        const char *point = strchr(text, '.');
        size_t scale = strlen(point + 1);
        n = parsed(str_from(text + 1));
        assert_true(number_to_decimal(&n, &v));
        for (; v.scale < scale; v.scale++) v.d *= 10;
        return v;
    }
    default: v.i = strtoll(text + 1, NULL, 10); return v;
    }
}

static void test_number__random_texts_round_as_in_python(void **state) {
    (void)state;
#define ROUND_CASE(text, as_double, as_float)                                                                          \
    {                                                                                                                  \
        number n = parsed(STR(text));                                                                                  \
        double d, f;                                                                                                   \
        if (double_bits(number_to_double(&n)) != as_double || float_bits(number_to_float(&n)) != as_float)             \
            fail_msg("%s", text);                                                                                      \
        if (number_read_short(STR(text), false, &d) && double_bits(d) != as_double) fail_msg("short %s", text);        \
        if (number_read_short(STR(text), true, &f) && float_bits((float)f) != as_float) fail_msg("short %s", text);    \
    }
#define ORDER_CASE(a, b, order)
#define TEXT_ORDER_CASE(a, text, order)
#include "number_cases.h"
#undef ROUND_CASE
#undef ORDER_CASE
#undef TEXT_ORDER_CASE
}

static void test_number__random_values_compare_as_fractions(void **state) {
    (void)state;
#define ROUND_CASE(text, as_double, as_float)
#define ORDER_CASE(a, b, order)                                                                                        \
    {                                                                                                                  \
        value x = value_of_case(a), y = value_of_case(b);                                                              \
        if (value_compare(&x, &y) != order || value_compare(&y, &x) != -(order)) fail_msg("%s against %s", a, b);      \
    }
#define TEXT_ORDER_CASE(a, text, order)                                                                                \
    {                                                                                                                  \
        value x = value_of_case(a);                                                                                    \
        number n = parsed(STR(text));                                                                                  \
        if (number_compare(&x, &n) != order) fail_msg("%s against %s", a, text);                                       \
    }
#include "number_cases.h"
#undef ROUND_CASE
#undef ORDER_CASE
#undef TEXT_ORDER_CASE
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number__zeros_of_both_ends_are_dropped),
        cmocka_unit_test(test_number__other_texts_are_refused),
        cmocka_unit_test(test_number__exponent_saturates),
        cmocka_unit_test(test_number__double_is_the_nearest_with_ties_to_even),
        cmocka_unit_test(test_number__float_is_rounded_once),
        cmocka_unit_test(test_number__compares_without_rounding),
        cmocka_unit_test(test_number__decimal_and_int64_only_without_rounding),
        cmocka_unit_test(test_number__truncates_and_rounds_half_away_from_zero),
        cmocka_unit_test(test_number__counts_fraction_digits),
        cmocka_unit_test(test_number__a_megabyte_of_digits_is_exact),
        cmocka_unit_test(test_number__short_is_what_has_19_digits_and_no_exponent),
        cmocka_unit_test(test_number__short_numbers_round_as_in_the_c_library),
        cmocka_unit_test(test_number__random_texts_round_as_in_python),
        cmocka_unit_test(test_number__random_values_compare_as_fractions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
