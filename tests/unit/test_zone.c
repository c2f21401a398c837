/* test_zone.c - zones by name, offsets over time, wall clocks that are ambiguous or do not exist; TZif bytes and rules.
 * Called by: ctest.  Must not know: tables, SQL.
 *
 * Offsets of named zones were computed with Python's zoneinfo. Tests that need the system's database skip without it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/door.h"
#include "types/tzif.h"
#include "types/zone.h"

static arena memory;
static zone_database *zones;

static int start(void **state) {
    (void)state;
    arena_init(&memory, 0);
    zones = zone_database_new(&memory);
    return 0;
}

static int finish(void **state) {
    (void)state;
    arena_end(&memory);
    return 0;
}

static const zone *found(str name) {
    const zone *z;
    lp_err err;
    if (zone_find(zones, name, &z, &err) != LP_OK) fail_msg("%s", err.text);
    return z;
}

static void need_database(void) {
    if (access("/usr/share/zoneinfo/Europe/Rome", R_OK) != 0) skip();
}

static const int64_t SECOND = 1000000;

static void test_zone__utc_under_its_names(void **state) {
    (void)state;
    assert_true(zone_is_utc(zone_utc()));
    static const char *const names[] = {"UTC", "utc", "GMT", "UT", "Z", "z", "+00:00", "-0", "UTC+0", "GMT-00:00"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) assert_true(zone_is_utc(found(str_from(names[i]))));
    assert_true(str_eq(zone_name(found(STR("GMT"))), STR("GMT")));
    assert_true(str_eq(zone_name(zone_utc()), STR("UTC")));
}

static void test_zone__fixed_offsets(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int32_t offset;
    } cases[] = {{"+02:00", 7200},  {"+2", 7200},          {"-02", -7200},  {"+0530", 19800},
                 {"UTC+2", 7200},   {"GMT-03:30", -12600}, {"UT+1", 3600},  {"+05:30:15", 19815},
                 {"+18:00", 64800}, {"EST", -18000},       {"mst", -25200}, {"HST", -36000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const zone *z = found(str_from(cases[i].name));
        assert_int_equal(zone_offset_at(z, 0), cases[i].offset);
        assert_int_equal(zone_offset_at(z, INT64_MAX), cases[i].offset);
        int64_t earlier, later;
        zone_instants(z, 0, &earlier, &later);
        assert_int_equal(earlier, -cases[i].offset * SECOND);
        assert_int_equal(later, earlier);
    }
}

static void test_zone__offsets_that_are_none(void **state) {
    (void)state;
    static const char *const bad[] = {"+",      "-",         "+18:01", "+19",     "+1:2", "+1:", "+123", "+12345",
                                      "+02:60", "+02:00:60", "02:00",  "+02:00 ", "++2",  "+2x", "UTC2", "UTC+"};
    int32_t offset;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) assert_false(zone_parse_offset(str_from(bad[i]), &offset));
}

static void assert_unknown(str name) {
    const zone *z;
    lp_err err;
    assert_int_equal(zone_find(zones, name, &z, &err), LP_ERR_USAGE);
    assert_non_null(strstr(err.text, "zone"));
}

static void test_zone__names_never_lead_out_of_the_database(void **state) {
    (void)state;
    static const char *const bad[] = {"",
                                      " ",
                                      "../zoneinfo/Europe/Rome",
                                      "Europe/../Europe/Rome",
                                      "/usr/share/zoneinfo/Europe/Rome",
                                      "Europe//Rome",
                                      "Europe/",
                                      "Europe",
                                      "./UTC",
                                      "Europe/Rome\n",
                                      "zone.tab",
                                      "tzdata.zi",
                                      "No/Where",
                                      "Europe/Rome Europe/Rome"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) assert_unknown(str_from(bad[i]));
    assert_unknown((str){"Europe/Rome\0x", 13});
    char name[100000];
    memset(name, 'a', sizeof name);
    assert_unknown((str){name, sizeof name});
}

static void test_zone__short_names_of_java(void **state) {
    (void)state;
    need_database();
    const int64_t july = 1720000000 * SECOND; /* 2024-07-03 */
    assert_int_equal(zone_offset_at(found(STR("PST")), july), -25200);
    assert_int_equal(zone_offset_at(found(STR("pst")), july), -25200);
    assert_int_equal(zone_offset_at(found(STR("CST")), july), -18000);
    assert_int_equal(zone_offset_at(found(STR("IST")), july), 19800);
    assert_int_equal(zone_offset_at(found(STR("BST")), july), 21600);
    assert_int_equal(zone_offset_at(found(STR("AET")), july), 36000);
    assert_int_equal(zone_offset_at(found(STR("CNT")), july), -9000);
    assert_int_equal(zone_offset_at(found(STR("cet")), july), 7200); /* a name of the database itself */
}

static void test_zone__offsets_over_time(void **state) {
    (void)state;
    need_database();
    const zone *rome = found(STR("Europe/Rome"));
    assert_true(str_eq(zone_name(rome), STR("Europe/Rome")));
    assert_false(zone_is_utc(rome));
    assert_true(found(STR("Europe/Rome")) == rome);                     /* loaded once */
    assert_int_equal(zone_offset_at(rome, -5000000000 * SECOND), 2996); /* local mean time */
    assert_int_equal(zone_offset_at(rome, 1711846799 * SECOND), 3600);  /* 2024-03-31T00:59:59Z */
    assert_int_equal(zone_offset_at(rome, 1711846799 * SECOND + 999999), 3600);
    assert_int_equal(zone_offset_at(rome, 1711846800 * SECOND), 7200);
    assert_int_equal(zone_offset_at(rome, INT64_C(16725394800) * SECOND), 3600); /* 2500-01-01: by the rule */
    assert_int_equal(zone_offset_at(rome, INT64_C(16741029600) * SECOND), 7200); /* 2500-07-01 */
    assert_int_equal(zone_offset_at(rome, INT64_MIN), 2996);
}

static void test_zone__hour_that_comes_twice_has_two_instants(void **state) {
    (void)state;
    need_database();
    const zone *z = found(STR("America/New_York"));
    int64_t earlier, later;
    const int64_t half_past_one = 1636248600 * SECOND; /* the wall shows 2021-11-07T01:30 */
    zone_instants(z, half_past_one, &earlier, &later);
    assert_true(earlier == half_past_one + 4 * 3600 * SECOND);
    assert_true(later == half_past_one + 5 * 3600 * SECOND);
    zone_instants(z, half_past_one + 1800 * SECOND, &earlier, &later); /* 02:00 comes once */
    assert_true(earlier == later);
    zone_instants(z, half_past_one + 1800 * SECOND - 1, &earlier, &later);
    assert_true(earlier < later);
}

static void test_zone__time_in_a_gap_is_moved_on_by_its_length(void **state) {
    (void)state;
    need_database();
    const zone *z = found(STR("America/New_York"));
    int64_t earlier, later;
    const int64_t half_past_two = 1615689000 * SECOND; /* 2021-03-14T02:30 does not exist */
    zone_instants(z, half_past_two, &earlier, &later);
    assert_true(earlier == half_past_two + 5 * 3600 * SECOND); /* 03:30 in summer time */
    assert_true(later == earlier);
    z = found(STR("Pacific/Apia")); /* 2011-12-30 was left out */
    zone_instants(z, 1325246400 * SECOND, &earlier, &later);
    assert_true(earlier == (1325246400 + 36000) * SECOND && later == earlier);
}

static void test_zone__far_instants_saturate(void **state) {
    (void)state;
    int64_t earlier, later;
    zone_instants(found(STR("+02:00")), INT64_MIN, &earlier, &later);
    assert_true(earlier == INT64_MIN && later == INT64_MIN);
    zone_instants(found(STR("-02:00")), INT64_MAX, &earlier, &later);
    assert_true(earlier == INT64_MAX && later == INT64_MAX);
}

static void test_zone__without_a_database_the_message_says_what_to_install(void **state) {
    (void)state;
    assert_int_equal(setenv("TZDIR", "/no/such/folder", 1), 0);
    const zone *z;
    lp_err err;
    lp_status status = zone_find(zones, STR("America/Caracas"), &z, &err);
    lp_status offset_status = zone_find(zones, STR("+03:15"), &z, NULL);
    unsetenv("TZDIR");
    assert_int_equal(status, LP_ERR_USAGE);
    assert_non_null(strstr(err.text, "tzdata"));
    assert_int_equal(offset_status, LP_OK);
}

typedef struct failing_find {
    zone_database *zones;
    const zone *found;
} failing_find;

static lp_status find_rome(void *context, lp_err *err) {
    failing_find *f = context;
    return zone_find(f->zones, STR("Europe/Rome"), &f->found, err);
}

static void test_zone__allocation_that_fails_leaves_no_lock_behind(void **state) {
    (void)state;
    need_database();
    arena own;
    arena_init(&own, 0);
    failing_find f = {zone_database_new(&own), NULL};
    lp_err err;
    lp_status status = LP_ERR_LIMIT;
    for (unsigned long n = 1; status == LP_ERR_LIMIT; n++) {
        arena_fail_at(n);
        status = door_run(find_rome, &f, &err);
        arena_fail_at(0);
    }
    assert_int_equal(status, LP_OK);
    assert_int_equal(zone_offset_at(f.found, 0), 3600);
    arena_end(&own);
}

/* Random wall clocks, answered by Python's zoneinfo: see make_cases.py */
static void test_zone__random_wall_clocks_as_in_python(void **state) {
    (void)state;
    need_database();
    static const struct {
        str name;
        int64_t wall;
        int32_t offset;
        int64_t earlier, later;
    } cases[] = {
#define ZONE_CASE(name, wall, offset, earlier, later) {{name, sizeof name - 1}, wall, offset, earlier, later},
#include "zone_cases.h"
#undef ZONE_CASE
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const zone *z = found(cases[i].name);
        int64_t earlier, later;
        zone_instants(z, cases[i].wall, &earlier, &later);
        if (zone_offset_at(z, cases[i].wall) != cases[i].offset || earlier != cases[i].earlier ||
            later != cases[i].later)
            fail_msg(STR_FMT " at %lld", STR_ARG(cases[i].name), (long long)cases[i].wall);
    }
}

/* ---- TZif bytes */

typedef struct tzif_text {
    char bytes[512];
    size_t size;
} tzif_text;

static void put(tzif_text *t, const char *bytes, size_t size) {
    assert_true(t->size + size <= sizeof t->bytes);
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
}

static void put_number(tzif_text *t, uint64_t number, size_t bytes) {
    for (size_t i = bytes; i-- > 0;) put(t, &(char){(char)(number >> 8 * i)}, 1);
}

static void put_header(tzif_text *t, char version, uint32_t leap, uint32_t change, uint32_t type) {
    put(t, "TZif", 4);
    put(t, &version, 1);
    put_number(t, 0, 8), put_number(t, 0, 7);
    const uint32_t count[] = {0, 0, leap, change, type, 4};
    for (size_t i = 0; i < 6; i++) put_number(t, count[i], 4);
}

/* One change, at 1000, from -1:00 to +2:00. */
static void put_block(tzif_text *t, size_t time_bytes) {
    put_number(t, 1000, time_bytes);
    put(t, "\1", 1);
    put_number(t, (uint32_t)-3600, 4), put(t, "\0\0", 2);
    put_number(t, 7200, 4), put(t, "\1\0", 2);
    put(t, "ABC\0", 4);
}

static tzif_text version_1(void) {
    tzif_text t = {.size = 0};
    put_header(&t, '\0', 0, 1, 2);
    put_block(&t, 4);
    return t;
}

static tzif_text version_2(const char *footer) {
    tzif_text t = {.size = 0};
    put_header(&t, '2', 0, 1, 2);
    put_block(&t, 4);
    put_header(&t, '2', 0, 1, 2);
    put_block(&t, 8);
    put(&t, footer, strlen(footer));
    return t;
}

static lp_status parse(const tzif_text *t, zone_table *out) {
    char *exact = malloc(t->size ? t->size : 1); /* so that a sanitizer sees the first byte read behind the end */
    assert_non_null(exact);
    memcpy(exact, t->bytes, t->size);
    lp_err err;
    lp_status status = tzif_parse((str){exact, t->size}, &memory, out, &err);
    free(exact);
    return status;
}

static void test_tzif__version_1_ends_with_its_last_offset(void **state) {
    (void)state;
    tzif_text t = version_1();
    zone_table table;
    assert_int_equal(parse(&t, &table), LP_OK);
    assert_int_equal(zone_table_period(&table, 999).offset, -3600);
    assert_int_equal(zone_table_period(&table, 1000).offset, 7200);
    assert_int_equal(zone_table_period(&table, 4000000000).offset, 7200);
    assert_false(table.rule.is_set);
}

static void test_tzif__version_2_goes_on_by_the_rule(void **state) {
    (void)state;
    tzif_text t = version_2("\nCET-1CEST,M3.5.0,M10.5.0/3\n");
    zone_table table;
    assert_int_equal(parse(&t, &table), LP_OK);
    assert_int_equal(zone_table_period(&table, 999).offset, -3600);
    assert_int_equal(zone_table_period(&table, 1711846799).offset, 3600);
    zone_period p = zone_table_period(&table, 1711846800);
    assert_int_equal(p.offset, 7200);
    assert_int_equal(p.from, 1711846800);
    assert_int_equal(p.until, 1729990800);
    t = version_2("\n\n");
    assert_int_equal(parse(&t, &table), LP_OK);
    assert_int_equal(zone_table_period(&table, 1711846800).offset, 7200);
}

static void test_tzif__every_cut_is_refused(void **state) {
    (void)state;
    zone_table table;
    tzif_text t = version_1();
    while (t.size-- > 0) assert_int_equal(parse(&t, &table), LP_ERR_FORMAT);
    t = version_2("\nCET-1\n");
    while (t.size-- > 0) assert_int_equal(parse(&t, &table), LP_ERR_FORMAT);
}

static void test_tzif__counts_indexes_and_order_are_checked(void **state) {
    (void)state;
    zone_table table;
    tzif_text t = version_1();
    for (size_t at = 20; at < 44; at++) { /* each byte of the counts */
        tzif_text bad = t;
        bad.bytes[at] = '\xFF';
        assert_int_not_equal(parse(&bad, &table), LP_OK);
    }
    tzif_text bad = t;
    bad.bytes[48] = 2; /* a type beyond the last */
    assert_int_equal(parse(&bad, &table), LP_ERR_FORMAT);
    bad = t;
    bad.bytes[49] = 0x7F; /* an offset of years */
    assert_int_equal(parse(&bad, &table), LP_ERR_FORMAT);
    bad = (tzif_text){.size = 0};
    put_header(&bad, '\0', 0, 2, 1); /* two changes at the same time */
    put_number(&bad, 5, 4), put_number(&bad, 5, 4), put(&bad, "\0\0", 2);
    put_number(&bad, 0, 4), put(&bad, "\0\0", 2), put(&bad, "ABC\0", 4);
    assert_int_equal(parse(&bad, &table), LP_ERR_FORMAT);
    bad = (tzif_text){.size = 0};
    put_header(&bad, '\0', 0, 0, 0); /* no type at all */
    put(&bad, "ABC\0", 4);
    assert_int_equal(parse(&bad, &table), LP_ERR_FORMAT);
}

static void test_tzif__leap_seconds_are_refused_by_name(void **state) {
    (void)state;
    zone_table table;
    tzif_text t = {.size = 0};
    put_header(&t, '\0', 1, 0, 1);
    put_number(&t, 0, 4), put(&t, "\0\0", 2), put(&t, "ABC\0", 4), put_number(&t, 1, 8);
    assert_int_equal(parse(&t, &table), LP_ERR_UNSUPPORTED);
}

/* ---- rules */

static void test_rule__forms(void **state) {
    (void)state;
    static const char *const good[] = {"UTC0",
                                       "<-03>3",
                                       "EST5EDT,M3.2.0,M11.1.0",
                                       "<+0330>-3:30",
                                       "IST-1GMT0,M10.5.0,M3.5.0/1",
                                       "XXX3EDT4,0/0,J365/23",
                                       "AAA0BBB-1:30:15,J1/-167,J365/167:59:59"};
    static const char *const bad[] = {"",
                                      "U0",
                                      "UTC",
                                      "EST5EDT",
                                      "EST5EDT,M3.2.0",
                                      "EST25",
                                      "EST5EDT,M13.1.0,M11.1.0",
                                      "EST5EDT,M3.6.0,M11.1.0",
                                      "EST5EDT,M3.1.7,M11.1.0",
                                      "EST5EDT,J0,J5",
                                      "EST5EDT,J366,J5",
                                      "EST5EDT,366,J5",
                                      "EST5EDT,M3.2.0/168,M11.1.0",
                                      "<-03>3x",
                                      "<-03 3",
                                      "EST5EDT,M3.2.0,M11.1.0x",
                                      "EST99999999999999999999"};
    zone_rule rule;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) assert_true(zone_rule_parse(str_from(good[i]), &rule));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) assert_false(zone_rule_parse(str_from(bad[i]), &rule));
}

static void test_rule__each_kind_of_day(void **state) {
    (void)state;
    zone_table t = {.count = 0};
    assert_true(zone_rule_parse(STR("AAA0BBB,J60/0,J61/0"), &t.rule)); /* summer on the first of March, leap or not */
    assert_int_equal(zone_table_period(&t, 1709164800 - 1).offset, 0); /* 2024-02-28T23:59:59 */
    assert_int_equal(zone_table_period(&t, 1709251200).offset, 3600);  /* 2024-03-01 */
    assert_int_equal(zone_table_period(&t, 1677628800).offset, 3600);  /* 2023-03-01 */
    assert_true(zone_rule_parse(STR("AAA0BBB,59/0,60/0"), &t.rule));   /* 29 February in leap years */
    assert_int_equal(zone_table_period(&t, 1709164800).offset, 3600);  /* 2024-02-29 */
    assert_int_equal(zone_table_period(&t, 1677628800).offset, 3600);  /* 2023-03-01 */
    assert_int_equal(zone_table_period(&t, 1709251200).offset, 0);     /* 2024-03-01 */
}

/* RFC 9636 3.3.1: a start and an end that meet make it summer all year. */
static void test_rule__summer_all_year(void **state) {
    (void)state;
    zone_table t = {.count = 0};
    assert_true(zone_rule_parse(STR("EST5EDT,0/0,J365/25"), &t.rule));
    for (int64_t at = 1700000000; at < 1800000000; at += 40009)
        assert_int_equal(zone_table_period(&t, at).offset, -14400);
    assert_int_equal(zone_table_period(&t, 1735707600).offset, -14400); /* 2025-01-01T05:00Z: where they meet */
    assert_int_equal(zone_table_period(&t, 1735707599).offset, -14400);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zone__utc_under_its_names),
        cmocka_unit_test(test_zone__fixed_offsets),
        cmocka_unit_test(test_zone__offsets_that_are_none),
        cmocka_unit_test(test_zone__names_never_lead_out_of_the_database),
        cmocka_unit_test(test_zone__short_names_of_java),
        cmocka_unit_test(test_zone__offsets_over_time),
        cmocka_unit_test(test_zone__hour_that_comes_twice_has_two_instants),
        cmocka_unit_test(test_zone__time_in_a_gap_is_moved_on_by_its_length),
        cmocka_unit_test(test_zone__far_instants_saturate),
        cmocka_unit_test(test_zone__without_a_database_the_message_says_what_to_install),
        cmocka_unit_test(test_zone__allocation_that_fails_leaves_no_lock_behind),
        cmocka_unit_test(test_zone__random_wall_clocks_as_in_python),
        cmocka_unit_test(test_tzif__version_1_ends_with_its_last_offset),
        cmocka_unit_test(test_tzif__version_2_goes_on_by_the_rule),
        cmocka_unit_test(test_tzif__every_cut_is_refused),
        cmocka_unit_test(test_tzif__counts_indexes_and_order_are_checked),
        cmocka_unit_test(test_tzif__leap_seconds_are_refused_by_name),
        cmocka_unit_test(test_rule__forms),
        cmocka_unit_test(test_rule__each_kind_of_day),
        cmocka_unit_test(test_rule__summer_all_year),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
