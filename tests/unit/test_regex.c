/* test_regex.c - simple regular expressions, and those that are not read.
 * Called by: ctest.  Must not know: predicates.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "prune/regex.h"

static void expect(const char *pattern, const char *text, regex_answer expected) {
    regex_answer found = regex_find(str_from(pattern), str_from(text));
    if (found != expected) fail_msg("%s in %s: expected %d, found %d", pattern, text, (int)expected, (int)found);
}

static void test_regex__match_stands_anywhere_but_for_anchors(void **state) {
    (void)state;
    expect("b", "abc", REGEX_YES);
    expect("^b", "abc", REGEX_NO);
    expect("^a", "abc", REGEX_YES);
    expect("c$", "abc", REGEX_YES);
    expect("b$", "abc", REGEX_NO);
    expect("^abc$", "abc", REGEX_YES);
    expect("^abc$", "abcd", REGEX_NO);
    expect("", "", REGEX_YES);
    expect("^$", "", REGEX_YES);
    expect("^$", "a", REGEX_NO);
}

static void test_regex__quantifiers_and_classes(void **state) {
    (void)state;
    expect("^a*$", "", REGEX_YES);
    expect("^a+$", "", REGEX_NO);
    expect("^a+b?$", "aaab", REGEX_YES);
    expect("^a+b?$", "aabb", REGEX_NO);
    expect("^a.c$", "axc", REGEX_YES);
    expect("^.*b.*$", "xxbxx", REGEX_YES);
    expect("^[a-c]+$", "abcabc", REGEX_YES);
    expect("^[a-c]+$", "abd", REGEX_NO);
    expect("^[^a-c]$", "d", REGEX_YES);
    expect("^[^a-c]$", "b", REGEX_NO);
    expect("^[a-]$", "-", REGEX_YES);
    expect("aab", "aaab", REGEX_YES);
    expect("a*ab", "aaab", REGEX_YES);
}

static void test_regex__characters_are_code_points(void **state) {
    (void)state;
    expect("^.$", "\xC3\xBC", REGEX_YES);
    expect("^[\xC3\xA0-\xC3\xBF]$", "\xC3\xBC", REGEX_YES);
    expect("^[\xC3\xA0-\xC3\xBF]$", "z", REGEX_NO);
    expect("^\xF0\x9F\x98\x80+$", "\xF0\x9F\x98\x80\xF0\x9F\x98\x80", REGEX_YES);
}

static void test_regex__other_forms_are_not_read(void **state) {
    (void)state;
    const char *const pattern[] = {"a|b", "(a)", "a{2}", "\\d",         "a+?",   "a**", "a++", "*a",
                                   "[",   "[]",  "[a",   "[[:alpha:]]", "[\\d]", "a^b", "a$b"};
    for (size_t i = 0; i < sizeof pattern / sizeof *pattern; i++) expect(pattern[i], "aaa", REGEX_UNKNOWN);
}

static void test_regex__ends_of_lines_mean_different_things(void **state) {
    (void)state;
    expect("a$", "a\n", REGEX_UNKNOWN);
    expect("a.b", "a\nb", REGEX_UNKNOWN);
    expect("[^x]", "\n", REGEX_UNKNOWN);
    expect("^a", "b\na", REGEX_NO);
}

static void test_regex__longest_pattern_that_fits(void **state) {
    (void)state;
    char pattern[200];
    for (size_t i = 0; i < sizeof pattern; i++) pattern[i] = 'a';
    str text = {pattern, sizeof pattern};
    assert_int_equal(regex_find((str){pattern, 61}, text), REGEX_YES);
    assert_int_equal(regex_find((str){pattern, 62}, text), REGEX_UNKNOWN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regex__match_stands_anywhere_but_for_anchors),
        cmocka_unit_test(test_regex__quantifiers_and_classes),
        cmocka_unit_test(test_regex__characters_are_code_points),
        cmocka_unit_test(test_regex__other_forms_are_not_read),
        cmocka_unit_test(test_regex__ends_of_lines_mean_different_things),
        cmocka_unit_test(test_regex__longest_pattern_that_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
