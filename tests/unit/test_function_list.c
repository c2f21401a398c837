/* test_function_list.c - every name of function.def is found: the search needs their order.
 * Called by: ctest.  Must not know: queries.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "plan/function_list.h"

static void test_function_list__every_function_has_its_role_in_any_case(void **state) {
    (void)state;
#define FUNCTION(name, role) assert_int_equal(function_role_of(STR(#name)), FUNCTION_##role);
#define WORD(name)
#include "plan/function.def"
#undef FUNCTION
#undef WORD
    assert_int_equal(function_role_of(STR("SUM")), FUNCTION_AGGREGATE);
    assert_int_equal(function_role_of(STR("summ")), FUNCTION_PLAIN);
    assert_int_equal(function_role_of(STR("")), FUNCTION_PLAIN);
    assert_int_equal(function_role_of(STR("a_name_that_is_longer_than_every_name_that_there_is")), FUNCTION_PLAIN);
}

static void test_function_list__every_unit_word_is_one(void **state) {
    (void)state;
#define FUNCTION(name, role)
#define WORD(name) assert_true(is_unit_word(STR(#name)));
#include "plan/function.def"
#undef FUNCTION
#undef WORD
    assert_true(is_unit_word(STR("MONTH")));
    assert_false(is_unit_word(STR("months_")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_function_list__every_function_has_its_role_in_any_case),
        cmocka_unit_test(test_function_list__every_unit_word_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
