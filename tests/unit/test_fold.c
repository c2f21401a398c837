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

static void test_fold__equal_texts_have_one_hash(void **state) {
    (void)state;
    static const char *const text[] = {"", "a", "A", "straSSe", "STRASSE", "\xc3\xa9t\xc3\xa9", "\xc3\x89T\xc3\x89",
                                       "\xff", "\xfe", "ab", "ba"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
            str a = str_from(text[i]), b = str_from(text[k]);
            assert_int_equal(str_hash_folded(a) == str_hash_folded(b), str_eq_folded(a, b));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fold__letters_of_many_scripts),
        cmocka_unit_test(test_fold__different_letters_stay_different),
        cmocka_unit_test(test_fold__lower_case_of_several_characters_does_not_fold),
        cmocka_unit_test(test_fold__bytes_that_are_no_text_stand_for_themselves),
        cmocka_unit_test(test_fold__equal_texts_have_one_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
