/* test_utf8.c - one character at a time, for every scalar value.
 * Called by: ctest.  Must not know: who reads texts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"

static void test_utf8__every_scalar_survives_encode_and_decode(void **state) {
    (void)state;
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        char bytes[1 + UTF8_MAX_BYTES] = "x";
        str s = {bytes, 1 + utf8_encode(c, bytes + 1)};
        size_t at = 1, start;
        if (!str_is_utf8(s) || utf8_next(s, &at) != c || at != s.len) fail_msg("U+%X", (unsigned)c);
        if (utf8_last(s, &start) != c || start != 1) fail_msg("U+%X from behind", (unsigned)c);
    }
}

static void test_utf8__bytes_that_are_no_character_stay_inside_of_the_text(void **state) {
    (void)state;
    size_t at = 0, start;
    (void)utf8_next(STR("\xF0\x9F"), &at);
    assert_int_equal(at, 2);
    (void)utf8_last(STR("\x80\x80"), &start);
    assert_int_equal(start, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utf8__every_scalar_survives_encode_and_decode),
        cmocka_unit_test(test_utf8__bytes_that_are_no_character_stay_inside_of_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
