/* test_type.c - names of data types.
 * Called by: ctest.  Must not know: anything but types/type.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "types/type.h"

static void test_type__primitive_names_are_known(void **state) {
    (void)state;
    assert_int_equal(type_parse(STR("long")).kind, TYPE_LONG);
    assert_int_equal(type_parse(STR("integer")).kind, TYPE_INTEGER);
    assert_int_equal(type_parse(STR("timestamp_ntz")).kind, TYPE_TIMESTAMP_NTZ);
    assert_int_equal(type_parse(STR("void")).kind, TYPE_VOID);
    assert_int_equal(type_parse(STR("variant")).kind, TYPE_VARIANT);
}

static void test_type__decimal_takes_precision_and_scale(void **state) {
    (void)state;
    data_type t = type_parse(STR("decimal(38, 18)"));
    assert_int_equal(t.kind, TYPE_DECIMAL);
    assert_int_equal(t.precision, 38);
    assert_int_equal(t.scale, 18);
    t = type_parse(STR("decimal(10,2)"));
    assert_int_equal(t.precision, 10);
    assert_int_equal(t.scale, 2);
    assert_true(str_eq(t.name, STR("decimal(10,2)")));
}

static void test_type__bare_decimal_is_10_0(void **state) {
    (void)state;
    data_type t = type_parse(STR("decimal"));
    assert_int_equal(t.kind, TYPE_DECIMAL);
    assert_int_equal(t.precision, 10);
    assert_int_equal(t.scale, 0);
}

static void test_type__impossible_decimals_are_other(void **state) {
    (void)state;
    static const char *const bad[] = {"decimal(39,0)",
                                      "decimal(0,0)",
                                      "decimal(5,6)",
                                      "decimal(5)",
                                      "decimal(5,2",
                                      "decimal(5,2) x",
                                      "decimal(-5,2)",
                                      "decimal(5,2,1)",
                                      "decimal()",
                                      "decimal(,)",
                                      "decimal(99999999999999999999,2)"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(type_parse(str_from(bad[i])).kind, TYPE_OTHER);
}

static void test_type__intervals_and_places_are_recognised(void **state) {
    (void)state;
    assert_int_equal(type_parse(STR("interval day to second")).kind, TYPE_INTERVAL);
    assert_int_equal(type_parse(STR("interval month")).kind, TYPE_INTERVAL);
    assert_int_equal(type_parse(STR("geometry(OGC:CRS84)")).kind, TYPE_GEO);
    assert_int_equal(type_parse(STR("geography(OGC:CRS84, spherical)")).kind, TYPE_GEO);
    assert_int_equal(type_parse(STR("intervals")).kind, TYPE_OTHER);
}

static void test_type__names_are_case_sensitive_and_unknown_ones_carried(void **state) {
    (void)state;
    data_type t = type_parse(STR("Long"));
    assert_int_equal(t.kind, TYPE_OTHER);
    assert_true(str_eq(t.name, STR("Long")));
    assert_int_equal(type_parse(STR("")).kind, TYPE_OTHER);
    assert_int_equal(type_parse(STR_NONE).kind, TYPE_OTHER);
}

static void test_type__bounds_exist_for_ordered_types_only(void **state) {
    (void)state;
    assert_true(type_has_bounds(TYPE_BOOLEAN));
    assert_true(type_has_bounds(TYPE_DECIMAL));
    assert_true(type_has_bounds(TYPE_TIMESTAMP_NTZ));
    assert_false(type_has_bounds(TYPE_BINARY));
    assert_false(type_has_bounds(TYPE_VARIANT));
    assert_false(type_has_bounds(TYPE_INTERVAL));
    assert_false(type_has_bounds(TYPE_STRUCT));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_type__primitive_names_are_known),
        cmocka_unit_test(test_type__decimal_takes_precision_and_scale),
        cmocka_unit_test(test_type__bare_decimal_is_10_0),
        cmocka_unit_test(test_type__impossible_decimals_are_other),
        cmocka_unit_test(test_type__intervals_and_places_are_recognised),
        cmocka_unit_test(test_type__names_are_case_sensitive_and_unknown_ones_carried),
        cmocka_unit_test(test_type__bounds_exist_for_ordered_types_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
