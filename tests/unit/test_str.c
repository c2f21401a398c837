/* test_str.c - slices of text, UTF-8, whole numbers.
 * Called by: ctest.  Must not know: where the bytes live.
 */
#include "in_door.h"

#include <string.h>

static void test_str__equality_is_by_bytes(void **state) {
    (void)state;
    assert_true(str_eq(STR("abc"), STR("abc")));
    assert_false(str_eq(STR("abc"), STR("abd")));
    assert_false(str_eq(STR("abc"), STR("abcd")));
    assert_true(str_eq(STR_NONE, STR("")));
    assert_false(str_eq(STR("a\0b"), STR("a\0c")));
    assert_true(str_is_none(str_from(NULL)));
    assert_true(str_eq(str_from("abc"), STR("abc")));
}

static void test_str__only_ascii_letters_fold(void **state) {
    (void)state;
    assert_true(str_eq_nocase(STR("AbZ_9"), STR("aBz_9")));
    assert_false(str_eq_nocase(STR("[@"), STR("{`")));             /* 0x20 apart, no letters */
    assert_false(str_eq_nocase(STR("\xC3\x89"), STR("\xC3\xA9"))); /* E and e with acute */
    assert_false(str_eq_nocase(STR("a"), STR("ab")));
}

static void test_str__order_is_by_bytes(void **state) {
    (void)state;
    static const str sorted[] = {{"", 0},
                                 {"\0", 1},
                                 {"A", 1},
                                 {"AB", 2},
                                 {"a", 1},
                                 {"\x7F", 1},
                                 {"\xC3\xA9", 2},
                                 {"\xEF\xBF\xBF", 3},
                                 {"\xF0\x90\x80\x80", 4}};
    for (size_t i = 0; i < sizeof sorted / sizeof *sorted; i++)
        for (size_t j = 0; j < sizeof sorted / sizeof *sorted; j++)
            assert_int_equal(str_compare(sorted[i], sorted[j]), i < j ? -1 : i > j);
    assert_int_equal(str_compare(STR_NONE, STR("")), 0);
}

static void test_str__prefix_and_suffix(void **state) {
    (void)state;
    assert_true(str_starts_with(STR("abc"), STR("")));
    assert_true(str_starts_with(STR("abc"), STR("abc")));
    assert_false(str_starts_with(STR("ab"), STR("abc")));
    assert_true(str_ends_with(STR("abc"), STR("bc")));
    assert_false(str_ends_with(STR("abc"), STR("ab")));
    assert_false(str_ends_with(STR("c"), STR("bc")));
    assert_true(str_ends_with(STR_NONE, STR("")));
}

static void test_str__a_slice_is_cut_to_the_text(void **state) {
    (void)state;
    assert_str(str_slice(STR("abc"), 1, 2), STR("b"));
    assert_str(str_slice(STR("abc"), 1, 99), STR("bc"));
    assert_str(str_slice(STR("abc"), 5, 99), STR(""));
    assert_str(str_slice(STR("abc"), 2, 1), STR(""));
    assert_str(str_slice(STR("abc"), SIZE_MAX, SIZE_MAX), STR(""));
    assert_true(str_is_none(str_slice(STR_NONE, 0, 5)));
}

static void test_str__finds_the_first_char(void **state) {
    (void)state;
    size_t at = 77;
    assert_true(str_find_char(STR("abcb"), 'b', &at));
    assert_int_equal(at, 1);
    assert_false(str_find_char(STR("abc"), 'x', &at));
    assert_false(str_find_char(STR_NONE, 'x', &at));
    assert_int_equal(at, 1);
}

static void test_str__hash_sees_every_byte_and_the_length(void **state) {
    (void)state;
    char text[64];
    for (size_t len = 1; len < sizeof text; len++) {
        memset(text, 0, sizeof text);
        uint64_t hash = str_hash((str){text, len});
        assert_true(hash == str_hash((str){text, len}));
        assert_true(hash != str_hash((str){text, len - 1}));
        for (size_t at = 0; at < len; at++) {
            text[at] = 1;
            assert_true(hash != str_hash((str){text, len}));
            text[at] = 0;
        }
    }
    assert_true(str_hash(STR_NONE) == str_hash(STR("")));
}

/* Unicode, table 3-7, at each border and one past it. */
static void test_str__utf8_is_checked_as_unicode_defines_it(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t len;
        bool is_utf8;
    } c[] = {
        {"", 0, true},
        {"\0", 1, true},
        {"abc\x7F", 4, true},
        {"\x80", 1, false}, /* continuation alone */
        {"\xBF", 1, false},
        {"\xC0\x80", 2, false}, /* overlong NUL */
        {"\xC1\xBF", 2, false},
        {"\xC2\x80", 2, true},
        {"\xC2", 1, false}, /* cut */
        {"\xC2\x7F", 2, false},
        {"\xC2\xC0", 2, false},
        {"\xDF\xBF", 2, true},
        {"\xE0\x9F\xBF", 3, false}, /* overlong */
        {"\xE0\xA0\x80", 3, true},
        {"\xE0\xA0", 2, false},
        {"\xED\x9F\xBF", 3, true},
        {"\xED\xA0\x80", 3, false}, /* surrogates */
        {"\xED\xBF\xBF", 3, false},
        {"\xEE\x80\x80", 3, true},
        {"\xEF\xBF\xBF", 3, true},
        {"\xF0\x8F\xBF\xBF", 4, false}, /* overlong */
        {"\xF0\x90\x80\x80", 4, true},
        {"\xF0\x90\x80", 3, false},
        {"\xF4\x8F\xBF\xBF", 4, true},
        {"\xF4\x90\x80\x80", 4, false}, /* above U+10FFFF */
        {"\xF5\x80\x80\x80", 4, false},
        {"\xFF", 1, false},
        {"a\xC3\xA9z", 4, true},
        {"a\xC3\xA9\xA9", 4, false},
        {"twelve bytes", 12, true},
        {"eight by\xC3\xA9, eight", 17, true},
        {"eight by\xC3, eight", 16, false},
        {"sixteen bytes ok\x80", 17, false},
    };
    for (size_t i = 0; i < sizeof c / sizeof *c; i++)
        if (str_is_utf8((str){c[i].text, c[i].len}) != c[i].is_utf8) fail_msg("case %zu", i);
    str mixed = STR("a\xC3\xA9\xE6\xBC\xA2\xF0\x9F\x98\x80\xFF");
    assert_int_equal(str_utf8_length(mixed, 0), 1);
    assert_int_equal(str_utf8_length(mixed, 1), 2);
    assert_int_equal(str_utf8_length(mixed, 3), 3);
    assert_int_equal(str_utf8_length(mixed, 6), 4);
    assert_int_equal(str_utf8_length(mixed, 7), 0);
    assert_int_equal(str_utf8_length(mixed, 10), 0);
    assert_int_equal(str_count_code_points(str_slice(mixed, 0, 10)), 4);
    assert_str(str_cut_code_points(mixed, 2), str_slice(mixed, 0, 3));
    assert_str(str_cut_code_points(mixed, 4), str_slice(mixed, 0, 10));
    assert_str(str_cut_code_points(mixed, 0), STR(""));
    assert_str(str_cut_code_points(STR("ab"), 3), STR("ab"));
}

static void test_str__whole_numbers(void **state) {
    (void)state;
    int64_t v = 5;
    assert_true(str_to_int64(STR("0"), &v));
    assert_int_equal(v, 0);
    assert_true(str_to_int64(STR("00000000000000000000000007"), &v));
    assert_int_equal(v, 7);
    assert_true(str_to_int64(STR("9223372036854775807"), &v));
    assert_true(v == INT64_MAX);
    assert_false(str_to_int64(STR("9223372036854775808"), &v));
    assert_false(str_to_int64(STR("99999999999999999999"), &v));
    assert_false(str_to_int64(STR(""), &v));
    assert_false(str_to_int64(STR("-1"), &v));
    assert_false(str_to_int64(STR("+1"), &v));
    assert_false(str_to_int64(STR(" 1"), &v));
    assert_false(str_to_int64(STR("1\0"), &v));
    assert_true(v == INT64_MAX); /* untouched */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_str__equality_is_by_bytes),
        cmocka_unit_test(test_str__only_ascii_letters_fold),
        cmocka_unit_test(test_str__order_is_by_bytes),
        cmocka_unit_test(test_str__prefix_and_suffix),
        cmocka_unit_test(test_str__a_slice_is_cut_to_the_text),
        cmocka_unit_test(test_str__finds_the_first_char),
        cmocka_unit_test(test_str__hash_sees_every_byte_and_the_length),
        cmocka_unit_test(test_str__utf8_is_checked_as_unicode_defines_it),
        cmocka_unit_test(test_str__whole_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
