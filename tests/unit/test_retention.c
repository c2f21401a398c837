/* test_retention.c - intervals as milliseconds.
 * Called by: ctest.  Must not know: tables.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "delta/retention.h"

static void expect(const char *text, int64_t ms) {
    int64_t found = -1;
    if (!retention_parse(str_from(text), &found)) fail_msg("%s is no interval", text);
    if (found != ms) fail_msg("%s: expected %lld, found %lld", text, (long long)ms, (long long)found);
}

static void test_retention__reads_sums_of_units(void **state) {
    (void)state;
    expect("interval 1 week", RETENTION_DEFAULT_MS);
    expect("interval 7 days", RETENTION_DEFAULT_MS);
    expect("INTERVAL 168 Hours", RETENTION_DEFAULT_MS);
    expect("  2  weeks  12 hours ", 14 * 86400000LL + 12 * 3600000LL);
    expect("interval '30' minutes", 1800000);
    expect("interval 1 day -1 hour", 23 * 3600000LL);
    expect("interval 0 seconds", 0);
    expect("1500 microseconds", 1);
    expect("interval 20 milliseconds 1 second", 1020);
}

static void test_retention__refuses_what_is_no_length(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "",       "interval",          "interval 1",           "interval 1 month",
        "1 year", "interval day 1",    "interval 1.5 days",    "interval -1 day",
        "1 d",    "interval 1 days x", "99999999999999 weeks", "9223372036854775807 week"};
    int64_t unused;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (retention_parse(str_from(wrong[i]), &unused)) fail_msg("%s was taken", wrong[i]);
    assert_false(retention_parse(STR_NONE, &unused));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_retention__reads_sums_of_units),
        cmocka_unit_test(test_retention__refuses_what_is_no_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
