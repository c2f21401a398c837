/* test_fold.c - names without regard to case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/fold.h"

static void test_fold__letters_of_many_scripts(void **state) {
    (void)state;
    assert_true(str_eq_folded(STR("Über"), STR("über")));
    assert_true(str_eq_folded(STR("ΑΒΓ"), STR("αβγ")));
    assert_true(str_eq_folded(STR("ПРИВЕТ"), STR("привет")));
    assert_true(str_eq_folded(STR("Ǆ"), STR("ǆ")));
    assert_true(str_eq_folded(STR("𐐀"), STR("𐐨")));
    assert_true(str_eq_folded(STR("Key_1"), STR("KEY_1")));
}

static void test_fold__different_letters_stay_different(void **state) {
    (void)state;
    assert_false(str_eq_folded(STR("über"), STR("uber")));
    assert_false(str_eq_folded(STR("ā"), STR("ă")));
    assert_false(str_eq_folded(STR("a"), STR("ab")));
    assert_false(str_eq_folded(STR(""), STR("a")));
    assert_true(str_eq_folded(STR(""), STR("")));
    /* Neighbours in an alternating run: only every second one is upper case. */
    assert_false(str_eq_folded(STR("ā"), STR("Ă")));
}

static void test_fold__lower_case_of_several_characters_does_not_fold(void **state) {
    (void)state;
    assert_false(str_eq_folded(STR("İ"), STR("i")));
}

static void test_fold__bytes_that_are_no_text_stand_for_themselves(void **state) {
    (void)state;
    assert_true(str_eq_folded(STR("\xff\xc3"), STR("\xff\xc3")));
    assert_false(str_eq_folded(STR("\xff"), STR("\xfe")));
    assert_false(str_eq_folded(STR("\xc3"), STR("Ã")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fold__letters_of_many_scripts),
        cmocka_unit_test(test_fold__different_letters_stay_different),
        cmocka_unit_test(test_fold__lower_case_of_several_characters_does_not_fold),
        cmocka_unit_test(test_fold__bytes_that_are_no_text_stand_for_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
