/* test_calendar.c - days, texts of dates and times, printing.
 * Called by: ctest.  Must not know: columns.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "types/calendar.h"

static void test_calendar__days_and_civil_dates_are_inverse(void **state) {
    (void)state;
    int64_t previous;
    assert_true(calendar_days(-999999, 1, 1, &previous));
    previous--;
    for (int64_t year = -999999; year <= 999999; year += 20011) {
        for (unsigned month = 1; month <= 12; month++) {
            for (unsigned day = 1; day <= 31; day++) {
                int64_t days, back_year;
                unsigned back_month, back_day;
                if (!calendar_days(year, month, day, &days)) continue;
                calendar_civil(days, &back_year, &back_month, &back_day);
                assert_int_equal(back_year, year);
                assert_int_equal(back_month, month);
                assert_int_equal(back_day, day);
                if (month > 1 || day > 1) assert_int_equal(days, previous + 1);
                previous = days;
            }
        }
    }
}

static void test_calendar__known_days(void **state) {
    (void)state;
    int64_t days;
    assert_true(calendar_days(1970, 1, 1, &days));
    assert_int_equal(days, 0);
    assert_true(calendar_days(1582, 10, 15, &days));
    assert_int_equal(days, -141427);
    assert_true(calendar_days(1, 1, 1, &days));
    assert_int_equal(days, -719162);
    assert_true(calendar_days(9999, 12, 31, &days));
    assert_int_equal(days, 2932896);
}

static void test_calendar__days_that_do_not_exist(void **state) {
    (void)state;
    int64_t days;
    assert_false(calendar_days(2023, 2, 29, &days));
    assert_false(calendar_days(1900, 2, 29, &days));
    assert_true(calendar_days(2000, 2, 29, &days));
    assert_true(calendar_days(0, 2, 29, &days));
    assert_false(calendar_days(2024, 4, 31, &days));
    assert_false(calendar_days(2024, 0, 1, &days));
    assert_false(calendar_days(2024, 13, 1, &days));
    assert_false(calendar_days(2024, 1, 0, &days));
    assert_false(calendar_days(1000000, 1, 1, &days));
}

static time_text parsed(str text) {
    time_text t;
    if (!time_text_parse(text, NULL, false, &t)) fail_msg("cannot read " STR_FMT, STR_ARG(text));
    return t;
}

static int64_t instant(str text) {
    time_text t = parsed(text);
    int64_t earlier, later;
    time_text_instants(&t, zone_utc(), &earlier, &later);
    assert_true(earlier == later);
    return earlier;
}

static void test_time_text__iso_and_loose_forms_agree(void **state) {
    (void)state;
    const int64_t expected = 1704254706000007; /* 2024-01-03T04:05:06.000007Z */
    assert_true(instant(STR("2024-01-03T04:05:06.000007Z")) == expected);
    assert_true(instant(STR(" 2024-1-3 4:5:6.000007\t")) == expected);
    assert_true(instant(STR("2024-01-03   04:05:06.000007")) == expected);
    assert_true(instant(STR("2024-01-03T06:05:06.000007+02:00")) == expected);
    assert_true(instant(STR("2024-01-03T06:05:06.000007+0200")) == expected);
    assert_true(instant(STR("2024-01-03T06:05:06.000007 +2")) == expected);
    assert_true(instant(STR("2024-01-02T23:05:06.000007-05")) == expected);
    assert_true(instant(STR("2024-01-03T04:05:06.0000070000Z")) == expected);
    assert_true(instant(STR("2024-01-03 04:05:36.000007+00:00:30")) == expected);
}

static void test_time_text__says_what_was_written(void **state) {
    (void)state;
    time_text t = parsed(STR("2024-01-03"));
    assert_false(t.has_time);
    assert_false(t.has_offset);
    assert_int_equal(t.days, 19725);
    t = parsed(STR("2024-01-03 04:05"));
    assert_true(t.has_time);
    assert_false(t.has_offset);
    t = parsed(STR("2024-01-03 04:05-03:30"));
    assert_true(t.has_offset);
    assert_int_equal(t.offset_seconds, -12600);
    t = parsed(STR("2024-01-03 04:05:06.1234567"));
    assert_int_equal(t.micros_of_day % 1000000, 123456);
    assert_true(t.has_more_digits);
    t = parsed(STR("2024-01-03 04:05:06.123456000"));
    assert_false(t.has_more_digits);
}

static void test_time_text__second_60_counts_on(void **state) {
    (void)state;
    assert_true(instant(STR("2016-12-31T23:59:60Z")) == instant(STR("2017-01-01T00:00:00Z")));
    assert_true(parsed(STR("2016-12-31T23:59:60Z")).is_second_60);
    assert_false(parsed(STR("2016-12-31T23:59:59Z")).is_second_60);
}

static void test_time_text__years_with_sign(void **state) {
    (void)state;
    time_text t = parsed(STR("+12345-06-07T08:09:10.111Z"));
    assert_int_equal(t.days, 3789548);
    t = parsed(STR("12345-06-07"));
    assert_int_equal(t.days, 3789548);
    t = parsed(STR("-0044-03-15"));
    assert_int_equal(t.days, -735525);
    t = parsed(STR("0001-01-01"));
    assert_int_equal(t.days, -719162);
}

static void test_time_text__loose_dates_only_where_asked(void **state) {
    (void)state;
    time_text t;
    assert_false(time_text_parse(STR("2024"), NULL, false, &t));
    assert_false(time_text_parse(STR("2024-05"), NULL, false, &t));
    assert_true(time_text_parse(STR("2024"), NULL, true, &t));
    assert_int_equal(t.days, 19723);
    assert_true(time_text_parse(STR("2024-05"), NULL, true, &t));
    assert_int_equal(t.days, 19844);
    assert_false(time_text_parse(STR("202405"), NULL, true, &t)); /* a month without its hyphen, or a far year */
}

static void test_time_text__other_texts_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",
        " ",
        "2024",
        "24-01-03",
        "1234567-01-01",
        "+1234567-01-01",
        "2024-01-03x",
        "2024-01-03T",
        "2024-01-03 4",
        "2024-01-03T24:00:00",
        "2024-01-03T04:60",
        "2024-01-03T04:05:61",
        "2024-01-03T04:05:06.",
        "2024-01-03T04:05:06,5",
        "2024-02-30",
        "2024-001-03",
        "2024-01-03T04:05:06+19:00",
        "2024-01-03T04:05:06+1:2:3:4",
        "2024-01-03+02:00",
        "2024-01-03T04:05:06 Europe/Rome",
        "2024-01-03T04:05:06 ZZ",
        "2024-01-03t04:05:06",
        "2024-01-03T04:05:06z",
        "20240103",
        "2024/01/03",
        "2024-01-03T123:00",
        "2024-01-03T04:05:06+",
        "2024-01-03T04:05:06+123",
    };
    time_text t;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (time_text_parse(str_from(bad[i]), NULL, false, &t)) fail_msg("read %s", bad[i]);
    }
}

static void test_time_text__far_years_saturate(void **state) {
    (void)state;
    time_text t = parsed(STR("+999999-12-31T23:59:59Z"));
    assert_true(time_text_wall_micros(&t) == INT64_MAX);
    assert_true(instant(STR("+999999-12-31T23:59:59-18:00")) == INT64_MAX);
    assert_true(instant(STR("-999999-01-01T00:00:00+18:00")) == INT64_MIN);
}

static void assert_micros_printed(int64_t micros, bool utc, str expected) {
    arena a;
    arena_init(&a, 0);
    buf b;
    buf_init(&b, &a, 100);
    calendar_print_micros(&b, micros, utc);
    if (!str_eq(buf_str(&b), expected)) fail_msg("found " STR_FMT, STR_ARG(buf_str(&b)));
    arena_end(&a);
}

static void test_calendar__prints_signs_beyond_four_digits(void **state) {
    (void)state;
    assert_micros_printed(1704254706000007, true, STR("2024-01-03T04:05:06.000007Z"));
    assert_micros_printed(-62135596800000000, false, STR("0001-01-01T00:00:00.000000"));
    assert_micros_printed(INT64_MAX, true, STR("+294247-01-10T04:00:54.775807Z"));
    assert_micros_printed(INT64_MIN, true, STR("-290308-12-21T19:59:05.224192Z"));
    assert_micros_printed(253402300800000000, false, STR("+10000-01-01T00:00:00.000000"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calendar__days_and_civil_dates_are_inverse),
        cmocka_unit_test(test_calendar__known_days),
        cmocka_unit_test(test_calendar__days_that_do_not_exist),
        cmocka_unit_test(test_time_text__iso_and_loose_forms_agree),
        cmocka_unit_test(test_time_text__says_what_was_written),
        cmocka_unit_test(test_time_text__second_60_counts_on),
        cmocka_unit_test(test_time_text__years_with_sign),
        cmocka_unit_test(test_time_text__loose_dates_only_where_asked),
        cmocka_unit_test(test_time_text__other_texts_are_refused),
        cmocka_unit_test(test_time_text__far_years_saturate),
        cmocka_unit_test(test_calendar__prints_signs_beyond_four_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
