/* test_cell_bound.c - minima and maxima from JSON tokens and Parquet leaves, and how far they reach.
 * Called by: ctest.  Must not know: files, actions.
 *
 * Values and reaches are given as value_print writes them; a reach that ends in an ellipsis stands above every text
 * that starts so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "parquet/parquet.h"
#include "types/cell.h"

#define ELLIPSIS "\xE2\x80\xA6"
#define TEN_A    "aaaaaaaaaa"
#define P32      TEN_A TEN_A TEN_A "aa"

static str printed(arena *a, const value *v) {
    buf b;
    buf_init(&b, a, 1 << 16);
    value_print(&b, v);
    return buf_str(&b);
}

static void check(bound b, str what, const char *v, const char *reach, bool exact) {
    arena a;
    arena_init(&a, 0);
    if (b.state != CELL_VALUE) fail_msg(STR_FMT ": state %d", STR_ARG(what), (int)b.state);
    str found_v = printed(&a, &b.v), found_reach = printed(&a, &b.reach);
    if (!str_eq(found_v, str_from(v)) || !str_eq(found_reach, str_from(reach)) || b.exact != exact)
        fail_msg(STR_FMT ": expected %s, %s, %d, found " STR_FMT ", " STR_FMT ", %d", STR_ARG(what), v, reach, exact,
                 STR_ARG(found_v), STR_ARG(found_reach), b.exact);
    arena_end(&a);
}

static bound of_text(const char *type, const char *text, bound_side side) {
    return cell_bound_from_json(type_parse(str_from(type)), str_from(text), true, side);
}

static bound of_token(const char *type, const char *text, bound_side side) {
    return cell_bound_from_json(type_parse(str_from(type)), str_from(text), false, side);
}

static void check_token(const char *type, const char *text, bound_side side, const char *v, const char *reach,
                        bool exact) {
    check(of_token(type, text, side), str_from(text), v, reach, exact);
}

static void check_text(const char *type, const char *text, bound_side side, const char *v, const char *reach,
                       bool exact) {
    check(of_text(type, text, side), str_from(text), v, reach, exact);
}

/* ---- integers */

static void test_bound__longs_keep_all_digits(void **state) {
    (void)state;
    check_token("long", "9007199254740993", BOUND_MIN, "9007199254740993", "9007199254740993", true);
    check_token("long", "9223372036854775807", BOUND_MAX, "9223372036854775807", "9223372036854775807", true);
    check_token("long", "-9223372036854775808", BOUND_MIN, "-9223372036854775808", "-9223372036854775808", true);
    check_token("integer", "-0", BOUND_MIN, "0", "0", true);
}

static void test_bound__integer_beyond_its_type_is_unreadable(void **state) {
    (void)state;
    assert_int_equal(of_token("long", "9223372036854775808", BOUND_MAX).state, CELL_UNREADABLE);
    assert_int_equal(of_token("long", "-9223372036854775809", BOUND_MIN).state, CELL_UNREADABLE);
    assert_int_equal(of_token("integer", "2147483648", BOUND_MAX).state, CELL_UNREADABLE);
    assert_int_equal(of_token("short", "-32769", BOUND_MIN).state, CELL_UNREADABLE);
    assert_int_equal(of_token("byte", "128", BOUND_MAX).state, CELL_UNREADABLE);
    check_token("byte", "-128", BOUND_MIN, "-128", "-128", true);
}

static void test_bound__whole_number_in_another_form_counts_while_a_double_is_exact(void **state) {
    (void)state;
    check_token("long", "1e3", BOUND_MAX, "1000", "1000", true);
    check_token("integer", "5.0", BOUND_MIN, "5", "5", true);
    assert_int_equal(of_token("long", "9.007199254740994E15", BOUND_MAX).state, CELL_UNREADABLE);
    assert_int_equal(of_token("integer", "5.5", BOUND_MIN).state, CELL_UNREADABLE);
}

static void test_bound__quoted_numbers_and_other_tokens_are_unreadable(void **state) {
    (void)state;
    assert_int_equal(of_text("long", "5", BOUND_MIN).state, CELL_UNREADABLE);
    assert_int_equal(of_text("double", "5", BOUND_MIN).state, CELL_UNREADABLE);
    assert_int_equal(of_text("decimal(5,2)", "5", BOUND_MIN).state, CELL_UNREADABLE);
    assert_int_equal(of_token("long", "true", BOUND_MIN).state, CELL_UNREADABLE);
    assert_int_equal(of_token("string", "5", BOUND_MIN).state, CELL_UNREADABLE);
    assert_int_equal(of_token("date", "19725", BOUND_MIN).state, CELL_UNREADABLE);
    assert_int_equal(of_token("timestamp", "1704254706000", BOUND_MIN).state, CELL_UNREADABLE);
    assert_int_equal(of_text("boolean", "true", BOUND_MIN).state, CELL_UNREADABLE);
    assert_int_equal(of_token("boolean", "1", BOUND_MIN).state, CELL_UNREADABLE);
}

/* ---- floats */

static void test_bound__float_text_is_the_floats_text(void **state) {
    (void)state;
    bound b = of_token("float", "0.1", BOUND_MIN);
    assert_int_equal(b.v.kind, VALUE_FLOAT);
    assert_true(b.v.f == (double)0.1f);
    assert_true(b.exact);
    b = of_token("float", "0.10000000149011612", BOUND_MIN); /* the same float, written as a double */
    assert_true(b.v.f == (double)0.1f);
    check_token("double", "0.1", BOUND_MAX, "0.1", "0.1", true);
}

static void test_bound__names_of_special_floats(void **state) {
    (void)state;
    check_text("double", "NaN", BOUND_MAX, "NaN", "NaN", true);
    check_text("float", "Infinity", BOUND_MAX, "Infinity", "Infinity", true);
    check_text("double", "-Infinity", BOUND_MIN, "-Infinity", "-Infinity", true);
    assert_int_equal(of_text("double", "nan", BOUND_MAX).state, CELL_UNREADABLE);
    assert_int_equal(of_text("double", "inf", BOUND_MAX).state, CELL_UNREADABLE);
}

static void test_bound__minus_zero_is_zero(void **state) {
    (void)state;
    bound b = of_token("double", "-0.0", BOUND_MIN);
    assert_false(signbit(b.v.f));
    assert_false(signbit(b.reach.f));
}

static void test_bound__number_beyond_the_float_type_is_unreadable(void **state) {
    (void)state;
    assert_int_equal(of_token("float", "1e39", BOUND_MIN).state, CELL_UNREADABLE);
    assert_int_equal(of_token("double", "-1e400", BOUND_MAX).state, CELL_UNREADABLE);
}

/* 1.1 under a double that was a float is 1.1 or 1.100000023841858; 0.3 is 0.3 or 0.30000001192092896, 0.7 0.699999988.
 */
static void test_bound__double_that_was_float_reaches_both_readings(void **state) {
    (void)state;
    data_type t = type_parse(STR("double"));
    t.was_float = true;
    check(cell_bound_from_json(t, STR("1.1"), false, BOUND_MAX), STR("max 1.1"), "1.1", "1.100000023841858", false);
    check(cell_bound_from_json(t, STR("1.1"), false, BOUND_MIN), STR("min 1.1"), "1.1", "1.1", false);
    check(cell_bound_from_json(t, STR("0.7"), false, BOUND_MIN), STR("min 0.7"), "0.7", "0.699999988079071", false);
    check(cell_bound_from_json(t, STR("1.5"), false, BOUND_MAX), STR("max 1.5"), "1.5", "1.5", true);
    check(cell_bound_from_json(t, STR("1e300"), false, BOUND_MAX), STR("max 1e300"), "1e300", "1e300", true);
    check(cell_bound_from_json(t, STR("NaN"), true, BOUND_MAX), STR("max NaN"), "NaN", "NaN", true);
}

static void test_bound__narrower_numbers_read_under_wider_types(void **state) {
    (void)state;
    check_token("double", "5", BOUND_MIN, "5", "5", true);
    check_token("decimal(12,2)", "5", BOUND_MIN, "5", "5", true);
    check_token("long", "127", BOUND_MAX, "127", "127", true);
}

/* ---- decimals */

static void test_bound__decimals_of_up_to_15_digits_are_exact(void **state) {
    (void)state;
    check_token("decimal(10,2)", "123.45", BOUND_MIN, "123.45", "123.45", true);
    check_token("decimal(20,10)", "0E-10", BOUND_MAX, "0", "0", true);
    check_token("decimal(35,18)", "0.000123", BOUND_MAX, "0.000123", "0.000123", true);
    check_token("decimal(9,2)", "-1.5E+3", BOUND_MAX, "-1500", "-1500", true);
}

static void test_bound__longer_decimals_reach_beyond_the_rounding_of_a_double(void **state) {
    (void)state;
    bound b = of_token("decimal(18,0)", "1e18", BOUND_MIN); /* 999999999999999999 by way of a double */
    value truth = {.kind = VALUE_INT, .i = 999999999999999999};
    assert_false(b.exact);
    assert_int_equal(value_compare(&b.reach, &truth), -1);
    b = of_token("decimal(18,0)", "-1e18", BOUND_MAX);
    truth.i = -999999999999999999;
    assert_int_equal(value_compare(&b.reach, &truth), 1);
    /* The step is small: a millionth above it nothing is kept. */
    truth.i = 999999000000000000;
    b = of_token("decimal(18,0)", "1e18", BOUND_MIN);
    assert_int_equal(value_compare(&b.reach, &truth), 1);
    /* Digits behind the scale show that it was rounded. */
    b = of_token("decimal(5,2)", "0.30000000000000004", BOUND_MIN);
    truth = (value){.kind = VALUE_DECIMAL, .scale = 1, .d = 3};
    assert_false(b.exact);
    assert_int_equal(value_compare(&b.reach, &truth), -1);
    /* The step counts in the column's digits, not in those of the text. */
    b = of_token("decimal(38,30)", "1.5", BOUND_MAX);
    truth = (value){.kind = VALUE_DECIMAL, .scale = 10, .d = 15000000001};
    assert_int_equal(value_compare(&b.reach, &truth), -1);
}

static void test_bound__decimal_at_the_edge_has_no_limit_outwards(void **state) {
    (void)state;
    check_token("decimal(38,0)", "99999999999999999999999999999999999999", BOUND_MAX,
                "99999999999999999999999999999999999999", "Infinity", false);
    check_token("decimal(38,0)", "-99999999999999999999999999999999999999", BOUND_MIN,
                "-99999999999999999999999999999999999999", "-Infinity", false);
}

static void test_bound__decimal_text_of_many_digits_is_cut_outwards(void **state) {
    (void)state;
    const char *tenth = "0.1000000000000000055511151231257827021181583404541015625";
    value low = {.kind = VALUE_DECIMAL, .scale = 1, .d = 1},
          high = {.kind = VALUE_DECIMAL, .scale = 15, .d = 100000000000001};
    bound b = of_token("decimal(5,2)", tenth, BOUND_MIN);
    assert_int_equal(value_compare(&b.reach, &low), -1);
    assert_false(b.exact);
    b = of_token("decimal(5,2)", tenth, BOUND_MAX);
    assert_int_equal(value_compare(&b.reach, &low), 1);
    assert_int_equal(value_compare(&b.reach, &high), -1);
    b = of_token("decimal(38,38)", "1e-60", BOUND_MAX);
    assert_int_equal(b.state, CELL_VALUE);
    assert_false(b.exact);
    low.d = 0;
    assert_int_equal(value_compare(&b.reach, &low), 1);
    b = of_token("decimal(38,38)", "-1e-60", BOUND_MIN);
    assert_int_equal(value_compare(&b.reach, &low), -1);
    assert_int_equal(of_token("decimal(38,0)", "1e40", BOUND_MAX).state, CELL_UNREADABLE);
}

/* ---- strings */

static void test_bound__short_strings_are_exact(void **state) {
    (void)state;
    check_text("string", "M", BOUND_MIN, "M", "M", true);
    check_text("string", "M", BOUND_MAX, "M", "M", true);
    check_text("string", "", BOUND_MIN, "", "", true);
    check_text("string", "\xC3\xBC", BOUND_MAX, "\xC3\xBC", "\xC3\xBC", true);
}

static void test_bound__long_minimum_is_a_limit_but_no_value(void **state) {
    (void)state;
    check_text("string", P32, BOUND_MIN, P32, P32, false);
    check_text("string", TEN_A TEN_A TEN_A "a", BOUND_MIN, TEN_A TEN_A TEN_A "a", TEN_A TEN_A TEN_A "a", true);
}

static void test_bound__long_maximum_stands_for_all_texts_that_start_so(void **state) {
    (void)state;
    check_text("string", P32, BOUND_MAX, P32, P32 ELLIPSIS, false);
    check_text("string", P32 "\x7F", BOUND_MAX, P32 "\x7F", P32 "\x7F" ELLIPSIS, false);
    bound b = of_text("string", P32, BOUND_MAX);
    value row = {.kind = VALUE_STRING, .s = STR(P32 "zzz")}, beyond = {.kind = VALUE_STRING, .s = STR("b")};
    assert_int_equal(value_compare(&row, &b.reach), -1);
    assert_int_equal(value_compare(&beyond, &b.reach), 1);
}

/* Writers can be set to keep fewer characters; a tie breaker at the end shows it. */
static void test_bound__short_maximum_with_a_tie_breaker_is_no_value(void **state) {
    (void)state;
    check_text("string", "abcd\x7F", BOUND_MAX, "abcd\x7F", "abcd\x7F", false);
    check_text("string", "abcd\xF4\x8F\xBF\xBF", BOUND_MAX, "abcd\xF4\x8F\xBF\xBF", "abcd\xF4\x8F\xBF\xBF", false);
    check_text("string", "abcd\x7F", BOUND_MIN, "abcd\x7F", "abcd\x7F", true);
}

/* U+FFFD was the tie breaker once, stands for bytes that are no UTF-8, and sorts below U+1F33C. */
static void test_bound__replacement_character_ends_what_is_sure(void **state) {
    (void)state;
    check_text("string", P32 "\xEF\xBF\xBD", BOUND_MAX, P32 "\xEF\xBF\xBD", P32 ELLIPSIS, false);
    check_text("string", "ab\xEF\xBF\xBDz", BOUND_MAX, "ab\xEF\xBF\xBDz", "ab" ELLIPSIS, false);
    check_text("string", "ab\xEF\xBF\xBDz", BOUND_MIN, "ab\xEF\xBF\xBDz", "ab", false);
    check_text("string", "\xEF\xBF\xBD", BOUND_MAX, "\xEF\xBF\xBD", ELLIPSIS, false);
}

static void test_bound__text_cut_inside_a_character_is_sure_up_to_it(void **state) {
    (void)state;
    check_text("string", "ab\xF0\x9F\x8C", BOUND_MAX, "ab\xF0\x9F\x8C", "ab" ELLIPSIS, false);
    check_text("string", "ab\xF0\x9F\x8C", BOUND_MIN, "ab\xF0\x9F\x8C", "ab", false);
    assert_int_equal(of_text("string", "ab\xFFzzzz", BOUND_MAX).state, CELL_UNREADABLE);
}

static void test_bound__collated_strings_are_unreadable(void **state) {
    (void)state;
    data_type t = type_parse(STR("string"));
    t.collated = true;
    assert_int_equal(cell_bound_from_json(t, STR("a"), true, BOUND_MIN).state, CELL_UNREADABLE);
}

/* ---- other types */

static void test_bound__booleans_are_ordered(void **state) {
    (void)state;
    bound no = of_token("boolean", "false", BOUND_MIN), yes = of_token("boolean", "true", BOUND_MAX);
    assert_true(no.exact && yes.exact);
    assert_int_equal(value_compare(&no.v, &yes.v), -1);
}

static void test_bound__types_without_order_are_absent(void **state) {
    (void)state;
    static const char *const types[] = {
        "binary", "struct", "array", "map", "void", "variant", "geometry", "interval day to second", "no_such_type"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        assert_int_equal(of_text(types[i], "a", BOUND_MIN).state, CELL_ABSENT);
}

static void test_bound__keeps_the_recorded_text(void **state) {
    (void)state;
    bound b = of_token("double", "1.50", BOUND_MIN);
    assert_true(str_eq(b.text, STR("1.50")));
    b = of_token("long", "x", BOUND_MIN);
    assert_int_equal(b.state, CELL_UNREADABLE);
    assert_true(str_eq(b.text, STR("x")));
}

/* ---- dates */

static void test_bound__dates_are_exact_since_the_gregorian_calendar(void **state) {
    (void)state;
    check_text("date", "2024-01-03", BOUND_MIN, "2024-01-03", "2024-01-03", true);
    check_text("date", "1582-10-15", BOUND_MIN, "1582-10-15", "1582-10-15", true);
    check_text("date", "+12345-06-07", BOUND_MAX, "+12345-06-07", "+12345-06-07", true);
}

static void test_bound__older_dates_reach_over_both_calendars(void **state) {
    (void)state;
    check_text("date", "1582-10-14", BOUND_MIN, "1582-10-14", "1582-10-04", false);
    check_text("date", "1582-10-14", BOUND_MAX, "1582-10-14", "1582-10-24", false);
    check_text("date", "0001-01-01", BOUND_MIN, "0001-01-01", "0000-12-22", false);
    check_text("date", "-4000-03-01", BOUND_MAX, "-4000-03-01", "-4000-04-02", false); /* 32 days apart by then */
}

static void test_bound__dates_that_do_not_exist_or_have_a_time_are_unreadable(void **state) {
    (void)state;
    assert_int_equal(of_text("date", "1500-02-29", BOUND_MIN).state, CELL_UNREADABLE);
    assert_int_equal(of_text("date", "2024-01-03T00:00:00", BOUND_MIN).state, CELL_UNREADABLE);
    assert_int_equal(of_text("date", "2024", BOUND_MIN).state, CELL_UNREADABLE);
    assert_int_equal(of_text("date", "19725", BOUND_MIN).state, CELL_UNREADABLE);
}

/* ---- timestamps */

static void test_bound__timestamp_maximum_covers_its_millisecond(void **state) {
    (void)state;
    check_text("timestamp", "2024-05-01T10:00:04.000Z", BOUND_MAX, "2024-05-01T10:00:04.000000Z",
               "2024-05-01T10:00:04.000999Z", false);
    check_text("timestamp_ntz", "2024-05-01T10:00:04.123", BOUND_MAX, "2024-05-01T10:00:04.123000",
               "2024-05-01T10:00:04.123999", false);
    check_text("timestamp", "2024-05-01T10:00:04Z", BOUND_MAX, "2024-05-01T10:00:04.000000Z",
               "2024-05-01T10:00:04.000999Z", false);
    check_text("timestamp", "2024-05-01T10:00:04.000Z", BOUND_MIN, "2024-05-01T10:00:04.000000Z",
               "2024-05-01T10:00:04.000000Z", false);
}

static void test_bound__timestamp_with_microseconds_was_not_cut(void **state) {
    (void)state;
    check_text("timestamp", "2024-05-01T10:00:04.123456Z", BOUND_MAX, "2024-05-01T10:00:04.123456Z",
               "2024-05-01T10:00:04.123456Z", false);
    check_text("timestamp", "1969-05-01T10:00:04.123456Z", BOUND_MIN, "1969-05-01T10:00:04.123456Z",
               "1969-05-01T10:00:04.123456Z", false);
    check_text("timestamp", "2024-05-01T10:00:04.1234567Z", BOUND_MAX, "2024-05-01T10:00:04.123456Z",
               "2024-05-01T10:00:04.123457Z", false);
    check_text("timestamp", "2024-05-01T10:00:04.1234567Z", BOUND_MIN, "2024-05-01T10:00:04.123456Z",
               "2024-05-01T10:00:04.123456Z", false);
}

/* Cut towards zero, -0.5 ms is 0: the epoch itself counts as old. */
static void test_bound__minimum_up_to_the_epoch_may_have_been_cut_upwards(void **state) {
    (void)state;
    check_text("timestamp", "1969-12-31T23:59:59.999Z", BOUND_MIN, "1969-12-31T23:59:59.999000Z",
               "1969-12-31T23:59:59.998001Z", false);
    check_text("timestamp", "1970-01-01T00:00:00.000Z", BOUND_MIN, "1970-01-01T00:00:00.000000Z",
               "1969-12-31T23:59:59.999001Z", false);
    check_text("timestamp", "1970-01-01T00:00:00.001Z", BOUND_MIN, "1970-01-01T00:00:00.001000Z",
               "1970-01-01T00:00:00.001000Z", false);
}

static void test_bound__timestamp_offset_is_honoured(void **state) {
    (void)state;
    check_text("timestamp", "2020-02-01T08:09:10.000-08:00", BOUND_MIN, "2020-02-01T16:09:10.000000Z",
               "2020-02-01T16:09:10.000000Z", false);
    check_text("timestamp", "2024-06-15T14:30:00+05:30", BOUND_MIN, "2024-06-15T09:00:00.000000Z",
               "2024-06-15T09:00:00.000000Z", false);
}

static void test_bound__timestamp_without_offset_may_be_a_zone_away(void **state) {
    (void)state;
    check_text("timestamp", "2024-05-01T10:00:04.000", BOUND_MIN, "2024-05-01T10:00:04.000000Z",
               "2024-04-30T20:00:04.000000Z", false);
    check_text("timestamp", "2024-05-01 10:00:04.000", BOUND_MAX, "2024-05-01T10:00:04.000000Z",
               "2024-05-02T00:00:04.000999Z", false);
    check_text("timestamp", "2024-05-01", BOUND_MIN, "2024-05-01T00:00:00.000000Z", "2024-04-30T10:00:00.000000Z",
               false);
    check_text("timestamp", "1850-05-01T10:00:00.000", BOUND_MAX, "1850-05-01T10:00:00.000000Z",
               "1850-05-02T02:00:00.000999Z", false);
}

static void test_bound__old_offsets_may_lack_their_seconds(void **state) {
    (void)state;
    check_text("timestamp", "1890-05-01T10:00:00.000+00:19", BOUND_MAX, "1890-05-01T09:41:00.000000Z",
               "1890-05-01T09:42:00.000999Z", false);
    check_text("timestamp", "1940-05-01T10:00:00.000+03:00", BOUND_MIN, "1940-05-01T07:00:00.000000Z",
               "1940-05-01T06:58:59.999001Z", false);
    check_text("timestamp", "1971-05-01T10:00:00.000-00:44", BOUND_MAX, "1971-05-01T10:44:00.000000Z",
               "1971-05-01T10:45:00.000999Z", false);
    check_text("timestamp", "1971-05-01T10:00:00.000-08:00", BOUND_MAX, "1971-05-01T18:00:00.000000Z",
               "1971-05-01T18:00:00.000999Z", false);
    check_text("timestamp", "1890-05-01T10:00:00.000+00:19:32", BOUND_MAX, "1890-05-01T09:40:28.000000Z",
               "1890-05-01T09:40:28.000999Z", false);
}

static void test_bound__timestamps_before_the_gregorian_calendar_reach_over_both(void **state) {
    (void)state;
    check_text("timestamp_ntz", "1500-06-01T00:00:00.000", BOUND_MAX, "1500-06-01T00:00:00.000000",
               "1500-06-11T00:00:00.000999", false);
    check_text("timestamp_ntz", "1500-06-01T00:00:00.001", BOUND_MIN, "1500-06-01T00:00:00.001000",
               "1500-05-22T00:00:00.000001", false);
}

static void test_bound__date_text_under_timestamp_ntz_is_midnight(void **state) {
    (void)state;
    check_text("timestamp_ntz", "2024-06-19", BOUND_MIN, "2024-06-19T00:00:00.000000", "2024-06-19T00:00:00.000000",
               false);
}

static void test_bound__wall_clock_with_an_offset_reaches_both_readings(void **state) {
    (void)state;
    check_text("timestamp_ntz", "2024-06-19T12:00:00Z", BOUND_MIN, "2024-06-19T12:00:00.000000",
               "2024-06-19T12:00:00.000000", false);
    check_text("timestamp_ntz", "2024-06-19T12:00:00+02:00", BOUND_MIN, "2024-06-19T12:00:00.000000",
               "2024-06-19T10:00:00.000000", false);
    check_text("timestamp_ntz", "2024-06-19T12:00:00+02:00", BOUND_MAX, "2024-06-19T12:00:00.000000",
               "2024-06-19T12:00:00.000999", false);
    check_text("timestamp_ntz", "2024-06-19T12:00:00-02:00", BOUND_MAX, "2024-06-19T12:00:00.000000",
               "2024-06-19T14:00:00.000999", false);
}

static void test_bound__far_timestamps_saturate_outwards_only(void **state) {
    (void)state;
    bound b = of_text("timestamp", "+294247-01-10T04:00:54.775Z", BOUND_MAX);
    assert_int_equal(b.state, CELL_VALUE);
    assert_true(b.v.i == INT64_MAX - 807);
    assert_true(b.reach.i == INT64_MAX);
    b = of_text("timestamp", "+300000-01-01T00:00:00.000Z", BOUND_MAX);
    assert_true(b.v.i == INT64_MAX && b.reach.i == INT64_MAX);
    assert_int_equal(of_text("timestamp", "+300000-01-01T00:00:00.000Z", BOUND_MIN).state, CELL_UNREADABLE);
    b = of_text("timestamp", "-999999-01-01T00:00:00.000Z", BOUND_MIN);
    assert_true(b.reach.i == INT64_MIN);
    assert_int_equal(of_text("timestamp", "-999999-01-01T00:00:00.000Z", BOUND_MAX).state, CELL_UNREADABLE);
    check_text("timestamp", "9999-12-31T23:59:59.999Z", BOUND_MAX, "9999-12-31T23:59:59.999000Z",
               "9999-12-31T23:59:59.999999Z", false);
}

/* ---- Parquet leaves */

static void check_leaf(const char *type, parquet_cell c, bound_side side, const char *v, const char *reach,
                       bool exact) {
    bound b = cell_bound_from_parquet(type_parse(str_from(type)), &c, side);
    assert_true(str_is_none(b.text));
    check(b, str_from(type), v, reach, exact);
}

static cell_state leaf_state(const char *type, parquet_cell c) {
    return cell_bound_from_parquet(type_parse(str_from(type)), &c, BOUND_MIN).state;
}

static void test_leaf__whole_numbers_widen(void **state) {
    (void)state;
    parquet_cell c = {.physical = PQ_INT32, .i = -5};
    check_leaf("byte", c, BOUND_MIN, "-5", "-5", true);
    check_leaf("long", c, BOUND_MIN, "-5", "-5", true);
    check_leaf("double", c, BOUND_MIN, "-5", "-5", true);
    check_leaf("decimal(12,2)", c, BOUND_MIN, "-5", "-5", true);
    c = (parquet_cell){.physical = PQ_INT32, .logical = PQ_LOGICAL_INT, .i = 300};
    check_leaf("short", c, BOUND_MAX, "300", "300", true);
    assert_int_equal(leaf_state("byte", c), CELL_UNREADABLE);
    assert_int_equal(leaf_state("string", c), CELL_UNREADABLE);
    assert_int_equal(leaf_state("timestamp", c), CELL_UNREADABLE);
    c = (parquet_cell){.physical = PQ_INT64, .i = INT64_MIN};
    check_leaf("long", c, BOUND_MIN, "-9223372036854775808", "-9223372036854775808", true);
    c.logical = PQ_LOGICAL_TIMESTAMP_MICROS;
    assert_int_equal(leaf_state("long", c), CELL_UNREADABLE);
}

static void test_leaf__floats_widen(void **state) {
    (void)state;
    parquet_cell c = {.physical = PQ_FLOAT, .f = (double)1.1f};
    check_leaf("float", c, BOUND_MAX, "1.1", "1.1", true);
    check_leaf("double", c, BOUND_MAX, "1.100000023841858", "1.100000023841858", true);
    c = (parquet_cell){.physical = PQ_DOUBLE, .f = 1.1};
    check_leaf("double", c, BOUND_MAX, "1.1", "1.1", true);
    assert_int_equal(leaf_state("float", c), CELL_UNREADABLE);
    data_type t = type_parse(STR("double"));
    t.was_float = true; /* a checkpoint made from float text */
    check(cell_bound_from_parquet(t, &c, BOUND_MAX), STR("was float"), "1.1", "1.100000023841858", false);
    c.f = NAN;
    check_leaf("float", c, BOUND_MAX, "NaN", "NaN", true);
}

static void test_leaf__decimals_in_each_physical_type(void **state) {
    (void)state;
    parquet_cell c = {.physical = PQ_INT32, .logical = PQ_LOGICAL_DECIMAL, .scale = 2, .i = -12345};
    check_leaf("decimal(9,2)", c, BOUND_MIN, "-123.45", "-123.45", true);
    c.physical = PQ_INT64;
    check_leaf("decimal(18,4)", c, BOUND_MIN, "-123.45", "-123.45", true);
    c = (parquet_cell){
        .physical = PQ_FIXED_LEN_BYTE_ARRAY, .logical = PQ_LOGICAL_DECIMAL, .scale = 1, .bytes = {"\xFF\x85", 2}};
    check_leaf("decimal(5,1)", c, BOUND_MAX, "-12.3", "-12.3", true);
    c = (parquet_cell){.physical = PQ_BYTE_ARRAY,
                       .logical = PQ_LOGICAL_DECIMAL,
                       .bytes = {"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x00", 18}};
    check_leaf("decimal(38,0)", c, BOUND_MAX, "256", "256", true);
    c.bytes = (str){"\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x00", 18};
    assert_int_equal(leaf_state("decimal(38,0)", c), CELL_UNREADABLE);
    c.bytes = (str){"\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 16};
    assert_int_equal(leaf_state("decimal(38,0)", c), CELL_UNREADABLE);
    c.bytes = STR("");
    assert_int_equal(leaf_state("decimal(38,0)", c), CELL_UNREADABLE);
    c = (parquet_cell){.physical = PQ_INT32, .logical = PQ_LOGICAL_DECIMAL, .scale = -1, .i = 1};
    assert_int_equal(leaf_state("decimal(9,2)", c), CELL_UNREADABLE);
}

static void test_leaf__dates_and_strings(void **state) {
    (void)state;
    parquet_cell c = {.physical = PQ_INT32, .logical = PQ_LOGICAL_DATE, .i = 19725};
    check_leaf("date", c, BOUND_MIN, "2024-01-03", "2024-01-03", true);
    check_leaf("timestamp_ntz", c, BOUND_MAX, "2024-01-03T00:00:00.000000", "2024-01-03T00:00:00.000999", false);
    assert_int_equal(leaf_state("timestamp", c), CELL_UNREADABLE);
    assert_int_equal(leaf_state("integer", c), CELL_UNREADABLE);
    c = (parquet_cell){.physical = PQ_BYTE_ARRAY, .logical = PQ_LOGICAL_STRING, .bytes = STR(P32)};
    check_leaf("string", c, BOUND_MAX, P32, P32 ELLIPSIS, false);
    assert_int_equal(leaf_state("binary", c), CELL_ABSENT);
    c = (parquet_cell){.physical = PQ_BOOLEAN, .i = 1};
    check_leaf("boolean", c, BOUND_MAX, "true", "true", true);
}

static void test_leaf__timestamps_in_each_unit(void **state) {
    (void)state;
    parquet_cell c = {.physical = PQ_INT64,
                      .logical = PQ_LOGICAL_TIMESTAMP_MICROS,
                      .is_adjusted_to_utc = true,
                      .i = 1704254706000000};
    check_leaf("timestamp", c, BOUND_MAX, "2024-01-03T04:05:06.000000Z", "2024-01-03T04:05:06.000999Z", false);
    c.i = 1704254706000001;
    check_leaf("timestamp", c, BOUND_MAX, "2024-01-03T04:05:06.000001Z", "2024-01-03T04:05:06.000001Z", false);
    c.logical = PQ_LOGICAL_TIMESTAMP_MILLIS;
    c.i = 1704254706001;
    check_leaf("timestamp", c, BOUND_MIN, "2024-01-03T04:05:06.001000Z", "2024-01-03T04:05:06.001000Z", false);
    c.logical = PQ_LOGICAL_TIMESTAMP_NANOS;
    c.i = -1;
    check_leaf("timestamp", c, BOUND_MIN, "1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z", false);
    check_leaf("timestamp", c, BOUND_MAX, "1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00.000000Z", false);
    c.logical = PQ_LOGICAL_TIMESTAMP_MILLIS;
    c.i = INT64_MAX;
    assert_int_equal(leaf_state("timestamp", c), CELL_UNREADABLE);
    c.logical = PQ_LOGICAL_NONE;
    assert_int_equal(leaf_state("timestamp", c), CELL_UNREADABLE);
}

static void test_leaf__int96_counts_nanoseconds_and_julian_days(void **state) {
    (void)state;
    /* 2440589 is 1970-01-02; 1,000,001,000 nanoseconds are a second and a microsecond. */
    parquet_cell c = {.physical = PQ_INT96, .bytes = {"\xE8\xCD\x9A\x3B\x00\x00\x00\x00\x8D\x3D\x25\x00", 12}};
    check_leaf("timestamp", c, BOUND_MAX, "1970-01-02T00:00:01.000001Z", "1970-01-02T00:00:01.000001Z", false);
    c.bytes = (str){"\xE8\xCD\x9A\x3B", 4};
    assert_int_equal(leaf_state("timestamp", c), CELL_UNREADABLE);
}

static void test_leaf__instants_under_wall_clocks_may_be_a_zone_away(void **state) {
    (void)state;
    parquet_cell c = {.physical = PQ_INT64,
                      .logical = PQ_LOGICAL_TIMESTAMP_MICROS,
                      .is_adjusted_to_utc = false,
                      .i = 1704254706000000};
    check_leaf("timestamp_ntz", c, BOUND_MIN, "2024-01-03T04:05:06.000000", "2024-01-03T04:05:06.000000", false);
    check_leaf("timestamp", c, BOUND_MIN, "2024-01-03T04:05:06.000000Z", "2024-01-02T14:05:06.000000Z", false);
    c.is_adjusted_to_utc = true;
    check_leaf("timestamp_ntz", c, BOUND_MAX, "2024-01-03T04:05:06.000000", "2024-01-03T18:05:06.000999", false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bound__longs_keep_all_digits),
        cmocka_unit_test(test_bound__integer_beyond_its_type_is_unreadable),
        cmocka_unit_test(test_bound__whole_number_in_another_form_counts_while_a_double_is_exact),
        cmocka_unit_test(test_bound__quoted_numbers_and_other_tokens_are_unreadable),
        cmocka_unit_test(test_bound__float_text_is_the_floats_text),
        cmocka_unit_test(test_bound__names_of_special_floats),
        cmocka_unit_test(test_bound__minus_zero_is_zero),
        cmocka_unit_test(test_bound__number_beyond_the_float_type_is_unreadable),
        cmocka_unit_test(test_bound__double_that_was_float_reaches_both_readings),
        cmocka_unit_test(test_bound__narrower_numbers_read_under_wider_types),
        cmocka_unit_test(test_bound__decimals_of_up_to_15_digits_are_exact),
        cmocka_unit_test(test_bound__longer_decimals_reach_beyond_the_rounding_of_a_double),
        cmocka_unit_test(test_bound__decimal_at_the_edge_has_no_limit_outwards),
        cmocka_unit_test(test_bound__decimal_text_of_many_digits_is_cut_outwards),
        cmocka_unit_test(test_bound__short_strings_are_exact),
        cmocka_unit_test(test_bound__long_minimum_is_a_limit_but_no_value),
        cmocka_unit_test(test_bound__long_maximum_stands_for_all_texts_that_start_so),
        cmocka_unit_test(test_bound__short_maximum_with_a_tie_breaker_is_no_value),
        cmocka_unit_test(test_bound__replacement_character_ends_what_is_sure),
        cmocka_unit_test(test_bound__text_cut_inside_a_character_is_sure_up_to_it),
        cmocka_unit_test(test_bound__collated_strings_are_unreadable),
        cmocka_unit_test(test_bound__booleans_are_ordered),
        cmocka_unit_test(test_bound__types_without_order_are_absent),
        cmocka_unit_test(test_bound__keeps_the_recorded_text),
        cmocka_unit_test(test_bound__dates_are_exact_since_the_gregorian_calendar),
        cmocka_unit_test(test_bound__older_dates_reach_over_both_calendars),
        cmocka_unit_test(test_bound__dates_that_do_not_exist_or_have_a_time_are_unreadable),
        cmocka_unit_test(test_bound__timestamp_maximum_covers_its_millisecond),
        cmocka_unit_test(test_bound__timestamp_with_microseconds_was_not_cut),
        cmocka_unit_test(test_bound__minimum_up_to_the_epoch_may_have_been_cut_upwards),
        cmocka_unit_test(test_bound__timestamp_offset_is_honoured),
        cmocka_unit_test(test_bound__timestamp_without_offset_may_be_a_zone_away),
        cmocka_unit_test(test_bound__old_offsets_may_lack_their_seconds),
        cmocka_unit_test(test_bound__timestamps_before_the_gregorian_calendar_reach_over_both),
        cmocka_unit_test(test_bound__date_text_under_timestamp_ntz_is_midnight),
        cmocka_unit_test(test_bound__wall_clock_with_an_offset_reaches_both_readings),
        cmocka_unit_test(test_bound__far_timestamps_saturate_outwards_only),
        cmocka_unit_test(test_leaf__whole_numbers_widen),
        cmocka_unit_test(test_leaf__floats_widen),
        cmocka_unit_test(test_leaf__decimals_in_each_physical_type),
        cmocka_unit_test(test_leaf__dates_and_strings),
        cmocka_unit_test(test_leaf__timestamps_in_each_unit),
        cmocka_unit_test(test_leaf__int96_counts_nanoseconds_and_julian_days),
        cmocka_unit_test(test_leaf__instants_under_wall_clocks_may_be_a_zone_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
