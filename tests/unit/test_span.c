/* test_span.c - places in a source text.
 * Called by: ctest.  Must not know: the language of the text.
 */
#include "in_door.h"

#include "base/span.h"

static void assert_place(str source, span at, uint32_t line, uint32_t column, uint32_t length) {
    text_place p = span_place(source, at);
    assert_int_equal(p.line, line);
    assert_int_equal(p.column, column);
    assert_int_equal(p.length, length);
}

static void test_span__join_holds_both(void **state) {
    (void)state;
    static const span pair[][2] = {{{2, 3}, {4, 5}}, {{4, 5}, {2, 3}}, {{2, 7}, {4, 1}}, {{2, 0}, {9, 0}}};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        span joined = span_join(pair[i][0], pair[i][1]);
        assert_int_equal(joined.start, 2);
        assert_int_equal(joined.len, 7);
    }
}

static void test_span__text_is_cut_to_the_source(void **state) {
    (void)state;
    assert_str(span_text(STR("abcdef"), (span){2, 3}), STR("cde"));
    assert_str(span_text(STR("abcdef"), (span){4, 100}), STR("ef"));
    assert_str(span_text(STR("abcdef"), (span){100, 1}), STR(""));
    assert_str(span_text(STR("abcdef"), (span){UINT32_MAX, UINT32_MAX}), STR(""));
}

static void test_span__place_counts_lines_and_code_points(void **state) {
    (void)state;
    str source = STR("ab\n\xC3\xA9\xF0\x9F\x98\x80z = 1\n\nlast");
    assert_place(source, (span){0, 2}, 1, 1, 2);
    assert_place(source, (span){2, 1}, 1, 3, 0); /* on the line end itself */
    assert_place(source, (span){3, 2}, 2, 1, 1); /* two bytes, one letter */
    assert_place(source, (span){9, 5}, 2, 3, 5);
    assert_place(source, (span){9, 99}, 2, 3, 5); /* cut at the end of its line */
    assert_place(source, (span){15, 0}, 3, 1, 0);
    assert_place(source, (span){16, 4}, 4, 1, 4);
    assert_place(source, (span){20, 0}, 4, 5, 0); /* behind the text */
    assert_place(source, (span){500, 3}, 4, 5, 0);
    assert_place(STR(""), (span){0, 0}, 1, 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_span__join_holds_both),
        cmocka_unit_test(test_span__text_is_cut_to_the_source),
        cmocka_unit_test(test_span__place_counts_lines_and_code_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
