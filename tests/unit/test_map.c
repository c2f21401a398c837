/* test_map.c - names to pointers, in order of insertion.
 * Called by: ctest.  Must not know: what the values are.
 */
#include "in_door.h"

#include "base/map.h"

static void many(arena *a) {
    enum { COUNT = 20000 };
    static int value[COUNT];
    map m;
    map_init(&m, a);
    assert_null(map_get(&m, STR("absent")));
    for (int i = 0; i < COUNT; i++) assert_null(map_put(&m, str_format(a, "%d", i), &value[i]));
    assert_int_equal(m.count, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_ptr_equal(map_get(&m, str_format(a, "%d", i)), &value[i]);
        assert_ptr_equal(m.entry[i].value, &value[i]); /* order of insertion */
        assert_null(map_get(&m, str_format(a, "%d ", i)));
    }
}

static void test_map__finds_each_name_and_keeps_their_order(void **state) {
    (void)state;
    in_door(many);
}

static void replace(arena *a) {
    int one, two;
    map m;
    map_init(&m, a);
    assert_null(map_put(&m, STR("k"), &one));
    assert_ptr_equal(map_put(&m, STR("k"), &two), &one);
    assert_ptr_equal(map_get(&m, STR("k")), &two);
    assert_int_equal(m.count, 1);
    assert_null(map_put(&m, STR("K"), &one));
    assert_int_equal(m.count, 2);
}

static void test_map__a_second_value_replaces_the_first(void **state) {
    (void)state;
    in_door(replace);
}

static void odd_names(arena *a) {
    int one, two, three;
    map m;
    map_init(&m, a);
    (void)map_put(&m, STR(""), &one);
    (void)map_put(&m, STR("\0"), &two);
    (void)map_put(&m, STR("\0\0"), &three);
    assert_ptr_equal(map_get(&m, STR_NONE), &one);
    assert_ptr_equal(map_get(&m, STR("\0")), &two);
    assert_ptr_equal(map_get(&m, STR("\0\0")), &three);
}

static void test_map__names_may_be_empty_or_hold_nul(void **state) {
    (void)state;
    in_door(odd_names);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map__finds_each_name_and_keeps_their_order),
        cmocka_unit_test(test_map__a_second_value_replaces_the_first),
        cmocka_unit_test(test_map__names_may_be_empty_or_hold_nul),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
