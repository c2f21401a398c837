/* test_regex.c - simple regular expressions, and those that are not read.
 * Called by: ctest.  Must not know: predicates.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <regex.h>

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
    const char *const pattern[] = {"(a",  "a)",  "a{",   "a{2",         "a{,2}",  "a{2,1}", "a{999}", "a**",    "a++",  "a+*",  "*a",   "^*a",
                                   "a|*", "(*a)", "[",   "[]",          "[a",     "[[:alpha:]]", "[\\d]", "\\s", "\\b", "\\1", "\\",
                                   "(?i)a", "(?=a)", "(?<x>a)", "a{2}{3}", "a?+", "]", "}"};
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
    assert_int_equal(regex_find((str){pattern, 200}, text), REGEX_YES);
    char longer[300];
    for (size_t i = 0; i < sizeof longer; i++) longer[i] = 'a';
    assert_int_equal(regex_find((str){longer, 248}, text), REGEX_NO);
    assert_int_equal(regex_find((str){longer, 249}, text), REGEX_UNKNOWN);
}

static void test_regex__groups_and_alternatives(void **state) {
    (void)state;
    expect("a|b", "xb", REGEX_YES);
    expect("^a|b$", "xb", REGEX_YES);
    expect("^(a|b)$", "xb", REGEX_NO);
    expect("^(?:ab)+$", "ababab", REGEX_YES);
    expect("^(?:ab)+$", "ababa", REGEX_NO);
    expect("^(a|bc)*d$", "abcbcad", REGEX_YES);
    expect("^(a|)b$", "b", REGEX_YES);
    expect("^()$", "", REGEX_YES);
    expect("^(a*)*$", "aaa", REGEX_YES);
    expect("^((a|b)(c|d)){2}$", "acbd", REGEX_YES);
    expect("^((a|b)(c|d)){2}$", "acb", REGEX_NO);
    expect("a^b", "a^b", REGEX_NO);
    expect("a$b", "a$b", REGEX_NO);
}

static void test_regex__counts_and_escapes(void **state) {
    (void)state;
    expect("^a{2}$", "aa", REGEX_YES);
    expect("^a{2}$", "aaa", REGEX_NO);
    expect("^a{0}b$", "b", REGEX_YES);
    expect("^a{1,3}$", "aaaa", REGEX_NO);
    expect("^a{2,}$", "aaaa", REGEX_YES);
    expect("^a{2,}$", "a", REGEX_NO);
    expect("^a+?b??$", "aab", REGEX_YES);
    expect("^[0-9]{4}-[0-9]{2}$", "2024-01", REGEX_YES);
    expect("^a\\.b$", "a.b", REGEX_YES);
    expect("^a\\.b$", "axb", REGEX_NO);
    expect("^\\d{2}\\w$", "12_", REGEX_YES);
    expect("^\\d$", "x", REGEX_NO);
    expect("\\w", "\xC3\xBC", REGEX_UNKNOWN);
}

static void test_regex__much_in_little_ends(void **state) {
    (void)state;
    expect("((((((((((a{60}){60}){60}){60}){60}){60}){60}){60}){60}){60})", "a", REGEX_UNKNOWN);
    expect("((((((((((()*)*)*)*)*)*)*)*)*)*)*", "a", REGEX_YES);
    expect("((((((((((a{0}){0}){0}){0}){0}){0}){0}){0}){0}){0})", "", REGEX_YES);
    expect("((((((((((((((((((a))))))))))))))))))", "a", REGEX_UNKNOWN); /* too deep */
}

/* Random patterns, beside the C library, which is wrong about anchors inside of groups. */
static void put_pattern(uint64_t *seed, char *out, size_t *len, unsigned depth);

static unsigned roll(uint64_t *seed, unsigned limit) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((*seed >> 33) % limit);
}

static void put(char *out, size_t *len, const char *s) {
    while (*s) out[(*len)++] = *s++;
    out[*len] = 0;
}

static void put_item(uint64_t *seed, char *out, size_t *len, unsigned depth) {
    static const char *const atom[] = {"a", "b", "c", ".", "[ab]", "[^a]", "a", "b"}, *const quantifier[] = {"*", "+", "?", "{2}", "{1,2}", "{0,1}", "{1,}"};
    if (depth > 0 && roll(seed, 4) == 0) {
        put(out, len, "(");
        put_pattern(seed, out, len, depth - 1);
        put(out, len, ")");
    } else {
        put(out, len, atom[roll(seed, 8)]);
    }
    if (roll(seed, 3) == 0) put(out, len, quantifier[roll(seed, 7)]);
}

static void put_pattern(uint64_t *seed, char *out, size_t *len, unsigned depth) {
    unsigned count = 1 + roll(seed, 3);
    for (unsigned i = 0; i < count; i++) put_item(seed, out, len, depth);
    if (roll(seed, 4) == 0 && depth > 0) {
        put(out, len, "|");
        put_pattern(seed, out, len, depth - 1);
    }
}

static void test_regex__agrees_with_the_c_library(void **state) {
    (void)state;
    uint64_t seed = 1;
    unsigned known = 0;
    for (unsigned i = 0; i < 3000; i++) {
        char pattern[4096] = "", text[16];
        size_t len = 0;
        unsigned anchors = roll(&seed, 4);
        put(pattern, &len, anchors & 1 ? "^(" : "(");
        put_pattern(&seed, pattern, &len, 3);
        put(pattern, &len, anchors & 2 ? ")$" : ")");
        regex_t compiled;
        if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) != 0) continue;
        for (unsigned k = 0; k < 10; k++) {
            size_t length = roll(&seed, 8);
            for (size_t c = 0; c < length; c++) text[c] = "abcd"[roll(&seed, 4)];
            text[length] = 0;
            regex_answer found = regex_find(str_from(pattern), str_from(text));
            if (found == REGEX_UNKNOWN) continue;
            known++;
            bool expected = regexec(&compiled, text, 0, NULL, 0) == 0;
            if ((found == REGEX_YES) != expected) fail_msg("%s in %s: expected %d, found %d", pattern, text, (int)expected, (int)found);
        }
        regfree(&compiled);
    }
    assert_true(known > 20000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regex__match_stands_anywhere_but_for_anchors),
        cmocka_unit_test(test_regex__quantifiers_and_classes),
        cmocka_unit_test(test_regex__characters_are_code_points),
        cmocka_unit_test(test_regex__other_forms_are_not_read),
        cmocka_unit_test(test_regex__ends_of_lines_mean_different_things),
        cmocka_unit_test(test_regex__longest_pattern_that_fits),
        cmocka_unit_test(test_regex__groups_and_alternatives),
        cmocka_unit_test(test_regex__counts_and_escapes),
        cmocka_unit_test(test_regex__much_in_little_ends),
        cmocka_unit_test(test_regex__agrees_with_the_c_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
