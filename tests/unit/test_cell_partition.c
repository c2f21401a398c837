/* test_cell_partition.c - the readings of partition value texts.
 * Called by: ctest.  Must not know: files, actions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/door.h"
#include "types/cell.h"

/* A cell as one line: its state, what it may be beside, its readings as value_print writes them. */
static str described(arena *a, const partition_cell *c) {
    static const char *const names[] = {"absent", "null", "value", "unreadable"};
    buf b;
    buf_init(&b, a, 4096);
    buf_put(&b, str_from(names[c->state]));
    if (c->may_be_null) buf_put(&b, STR(" or null"));
    if (c->zone_assumed) buf_put(&b, STR(" zone"));
    for (uint8_t i = 0; i < c->value_count; i++) {
        buf_put_char(&b, ' ');
        value_print(&b, &c->v[i]);
    }
    return buf_str(&b);
}

typedef struct reading {
    data_type type;
    str text;
    str session;
    const char *expected;
} reading;

static lp_status read_cell(void *context, lp_err *err) {
    const reading *r = context;
    arena a;
    arena_init(&a, 0);
    zone_database *zones = zone_database_new(&a);
    const zone *z;
    lp_status status = zone_find(zones, r->session, &z, err);
    if (status == LP_OK) {
        partition_cell c = cell_from_partition_text(r->type, true, r->text, z, zones, &a);
        str found = described(&a, &c);
        if (!str_eq(found, str_from(r->expected)) || !str_eq(c.text, r->text))
            status = err_set(err, LP_ERR_FORMAT, "expected %s, found " STR_FMT, r->expected, STR_ARG(found));
    }
    arena_end(&a);
    return status;
}

static void check_in(data_type type, str text, str session, const char *expected) {
    reading r = {type, text, session, expected};
    lp_err err;
    if (door_run(read_cell, &r, &err) != LP_OK)
        fail_msg(STR_FMT " '" STR_FMT "': %s", STR_ARG(type.name), STR_ARG(text), err.text);
}

static void check(const char *type, const char *text, const char *expected) {
    check_in(type_parse(str_from(type)), str_from(text), STR("UTC"), expected);
}

static void test_partition__json_null_is_null_and_a_missing_key_unknown(void **state) {
    (void)state;
    check_in(type_parse(STR("long")), STR_NONE, STR("UTC"), "null");
    check_in(type_parse(STR("string")), STR_NONE, STR("UTC"), "null");
    partition_cell c = cell_from_partition_text(type_parse(STR("long")), false, STR_NONE, zone_utc(), NULL, NULL);
    assert_int_equal(c.state, CELL_ABSENT);
    assert_int_equal(c.value_count, 0);
}

static void test_partition__empty_text_is_null_or_for_texts_also_itself(void **state) {
    (void)state;
    check("string", "", "value or null ");
    check("binary", "", "value or null X''");
    check("long", "", "null");
    check("date", "", "null");
}

static void test_partition__name_of_null_in_folders_is_null_or_for_texts_also_itself(void **state) {
    (void)state;
    check("string", "__HIVE_DEFAULT_PARTITION__", "value or null __HIVE_DEFAULT_PARTITION__");
    check("integer", "__HIVE_DEFAULT_PARTITION__", "null");
}

static void test_partition__strings_are_taken_as_they_are(void **state) {
    (void)state;
    check("string", " a/b ", "value  a/b ");
    data_type t = type_parse(STR("string"));
    t.collated = true;
    check_in(t, STR("a"), STR("UTC"), "unreadable");
    check_in(t, STR_NONE, STR("UTC"), "null");
}

static void test_partition__integers_with_sign_and_leading_zeros(void **state) {
    (void)state;
    check("integer", "07", "value 7");
    check("integer", "+7", "value 7");
    check("long", "-9223372036854775808", "value -9223372036854775808");
    check("byte", "-0", "value 0");
    check("byte", "128", "unreadable");
    check("integer", "7.0", "unreadable");
    check("integer", "1e3", "unreadable");
    check("integer", " 7", "unreadable");
    check("integer", "x", "unreadable");
    check("integer", "-", "unreadable");
}

static void test_partition__floats_and_their_names(void **state) {
    (void)state;
    check("double", "1.0E10", "value 10000000000");
    check("double", "-0.0", "value 0");
    check("double", "-0", "value 0");
    check("float", "3.4028235E38", "value 3.4028235e38");
    check("float", "1.1", "value 1.1");
    check("double", "NaN", "value NaN");
    check("double", "inf", "value Infinity");
    check("double", "-Infinity", "value -Infinity");
    check("float", "1e39", "unreadable");
    check("double", "1.0d", "unreadable");
}

static void test_partition__double_that_was_float_has_both_readings(void **state) {
    (void)state;
    data_type t = type_parse(STR("double"));
    t.was_float = true;
    check_in(t, STR("1.1"), STR("UTC"), "value 1.1 1.100000023841858");
    check_in(t, STR("0.7"), STR("UTC"), "value 0.699999988079071 0.7");
    check_in(t, STR("1.5"), STR("UTC"), "value 1.5");
}

static void test_partition__decimals_without_rounding(void **state) {
    (void)state;
    check("decimal(12,5)", "0.00004", "value 0.00004");
    check("decimal(12,5)", "4E-5", "value 0.00004");
    check("decimal(5,2)", "234.00000", "value 234");
    check("decimal(38,0)", "99999999999999999999999999999999999999", "value 99999999999999999999999999999999999999");
    check("decimal(5,2)", "1000", "unreadable");
    check("decimal(5,2)", "999.99", "value 999.99");
    check("decimal(5,2)", "1.005", "unreadable");
}

static void test_partition__booleans_in_any_case(void **state) {
    (void)state;
    check("boolean", "true", "value true");
    check("boolean", "TRUE", "value true");
    check("boolean", "False", "value false");
    check("boolean", "1", "unreadable");
}

static void test_partition__dates_padded_or_not(void **state) {
    (void)state;
    check("date", "2020-01-05", "value 2020-01-05");
    check("date", "2020-1-5", "value 2020-01-05");
    check("date", "9999-12-31", "value 9999-12-31");
    check("date", "2020-01-05 00:00:00", "unreadable");
    check("date", "2020", "unreadable");
    check("date", "2023-02-29", "unreadable");
}

/* The Julian day of the same name: 10 days later in 1500, two days earlier in year 1. */
static void test_partition__old_dates_have_a_reading_in_each_calendar(void **state) {
    (void)state;
    check("date", "1500-06-01", "value 1500-06-01 1500-06-11");
    check("date", "0001-01-01", "value 0000-12-30 0001-01-01");
    check("date", "0250-06-01", "value 0250-06-01");
    check("timestamp_ntz", "1500-06-01 12:00:00", "value 1500-06-01T12:00:00.000000 1500-06-11T12:00:00.000000");
}

static void test_partition__timestamp_with_offset_is_an_instant_in_every_session(void **state) {
    (void)state;
    data_type t = type_parse(STR("timestamp"));
    check_in(t, STR("2022-12-05T23:30:00.123456Z"), STR("Asia/Tokyo"), "value 2022-12-05T23:30:00.123456Z");
    check_in(t, STR("2024-06-15T14:30:00+05:00"), STR("Asia/Tokyo"), "value 2024-06-15T09:30:00.000000Z");
    check_in(t, STR("2022-12-05 18:30:00 America/New_York"), STR("UTC"), "value 2022-12-05T23:30:00.000000Z");
    check_in(t, STR("2022-12-05 18:30:00 Nowhere/Else"), STR("UTC"), "unreadable");
    check_in(t, STR("2016-12-31T23:59:60Z"), STR("UTC"), "unreadable"); /* NULL to some engines */
}

static void test_partition__timestamp_without_offset_is_read_in_the_session_zone(void **state) {
    (void)state;
    data_type t = type_parse(STR("timestamp"));
    check_in(t, STR("2022-12-05 18:30:00"), STR("America/New_York"), "value zone 2022-12-05T23:30:00.000000Z");
    check_in(t, STR("2022-12-05 18:30:00"), STR("UTC"), "value zone 2022-12-05T18:30:00.000000Z");
    check_in(t, STR("2022-12-05"), STR("+02:00"), "value zone 2022-12-04T22:00:00.000000Z");
    check_in(t, STR("soon"), STR("UTC"), "unreadable");
}

static void test_partition__timestamp_in_the_hour_that_comes_twice_has_two_instants(void **state) {
    (void)state;
    data_type t = type_parse(STR("timestamp"));
    check_in(t, STR("2021-11-07 01:30:00"), STR("America/New_York"),
             "value zone 2021-11-07T05:30:00.000000Z 2021-11-07T06:30:00.000000Z");
    check_in(t, STR("2021-03-14 02:30:00"), STR("America/New_York"), "value zone 2021-03-14T07:30:00.000000Z");
}

static void test_partition__wall_clocks_have_no_zone(void **state) {
    (void)state;
    data_type t = type_parse(STR("timestamp_ntz"));
    check_in(t, STR("2021-11-18 02:30:00.123456"), STR("Asia/Tokyo"), "value 2021-11-18T02:30:00.123456");
    check_in(t, STR("2021-11-18T02:30:00"), STR("Asia/Tokyo"), "value 2021-11-18T02:30:00.000000");
    check_in(t, STR("2024-06-19"), STR("Asia/Tokyo"), "value 2024-06-19T00:00:00.000000");
    check_in(t, STR("2021-11-18T02:30:00Z"), STR("Asia/Tokyo"), "value 2021-11-18T02:30:00.000000");
    check_in(t, STR("2021-11-18T02:30:00+02:00"), STR("UTC"),
             "value 2021-11-18T00:30:00.000000 2021-11-18T02:30:00.000000");
}

static void test_partition__binary_text_has_the_readings_of_its_writers(void **state) {
    (void)state;
    check("binary", "hello", "value X'68656C6C6F'");
    check("binary", "\xC3\xBC", "value X'C3BC' X'FC'");
    check("binary", "\xE2\x82\xAC", "value X'E282AC'");
    check("binary", "\\u0041", "value X'41' X'5C7530303431'");
    check("binary", "\\u0000\\u00FF", "value X'00FF' X'5C75303030305C7530304646'");
    check("binary", "\\u0141", "value X'5C7530313431'");
    check("binary", "a\xEF\xBF\xBD", "unreadable");
    check("binary", "\xC3\xBC\\u0041", "unreadable");
}

static void test_partition__types_that_must_not_prune_are_unreadable(void **state) {
    (void)state;
    check("interval day to second", "INTERVAL '1 00:00:00' DAY TO SECOND", "unreadable");
    check("variant", "1", "unreadable");
    check("void", "1", "unreadable");
    check("no_such_type", "1", "unreadable");
    check("no_such_type", "", "null");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partition__json_null_is_null_and_a_missing_key_unknown),
        cmocka_unit_test(test_partition__empty_text_is_null_or_for_texts_also_itself),
        cmocka_unit_test(test_partition__name_of_null_in_folders_is_null_or_for_texts_also_itself),
        cmocka_unit_test(test_partition__strings_are_taken_as_they_are),
        cmocka_unit_test(test_partition__integers_with_sign_and_leading_zeros),
        cmocka_unit_test(test_partition__floats_and_their_names),
        cmocka_unit_test(test_partition__double_that_was_float_has_both_readings),
        cmocka_unit_test(test_partition__decimals_without_rounding),
        cmocka_unit_test(test_partition__booleans_in_any_case),
        cmocka_unit_test(test_partition__dates_padded_or_not),
        cmocka_unit_test(test_partition__old_dates_have_a_reading_in_each_calendar),
        cmocka_unit_test(test_partition__timestamp_with_offset_is_an_instant_in_every_session),
        cmocka_unit_test(test_partition__timestamp_without_offset_is_read_in_the_session_zone),
        cmocka_unit_test(test_partition__timestamp_in_the_hour_that_comes_twice_has_two_instants),
        cmocka_unit_test(test_partition__wall_clocks_have_no_zone),
        cmocka_unit_test(test_partition__binary_text_has_the_readings_of_its_writers),
        cmocka_unit_test(test_partition__types_that_must_not_prune_are_unreadable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
