/* test_buf.c - text that grows up to its maximum.
 * Called by: ctest.  Must not know: where the text goes.
 */
#include "in_door.h"

#include <string.h>

#include "base/buf.h"

static void grow(arena *a) {
    buf b;
    buf_init(&b, a, 1 << 20);
    assert_str(buf_str(&b), STR(""));
    assert_false(str_is_none(buf_str(&b)));
    for (int i = 0; i < 10000; i++) buf_put(&b, STR("abc"));
    assert_int_equal(b.len, 30000);
    for (size_t i = 0; i < b.len; i += 3) assert_memory_equal(b.ptr + i, "abc", 3);
}

static void test_buf__keeps_its_text_while_it_grows(void **state) {
    (void)state;
    in_door(grow);
}

static void parts(arena *a) {
    buf b;
    buf_init(&b, a, 1000);
    buf_put(&b, STR_NONE);
    buf_put(&b, STR(""));
    buf_put_char(&b, '<');
    buf_put_repeated(&b, '-', 3);
    buf_put_repeated(&b, '-', 0);
    buf_printf(&b, "%d%s", 42, "");
    buf_printf(&b, "%s", "");
    memcpy(buf_reserve(&b, 2), ">>", 2);
    b.len += 2;
    assert_str(buf_str(&b), STR("<---42>>"));
    const char *memory = b.ptr;
    buf_reset(&b);
    assert_str(buf_str(&b), STR(""));
    buf_put_char(&b, 'x');
    assert_ptr_equal(b.ptr, memory);
}

static void test_buf__puts_parts_behind_each_other(void **state) {
    (void)state;
    in_door(parts);
}

static void reach_maximum(arena *a) {
    buf b;
    buf_init(&b, a, 10);
    buf_printf(&b, "%s", "0123456789");
    assert_int_equal(b.len, 10);
    buf_reset(&b);
    buf_put(&b, STR("012345678"));
    buf_put_char(&b, '9');
    assert_str(buf_str(&b), STR("0123456789"));
    (void)buf_reserve(&b, 0);
}

static void test_buf__may_be_as_long_as_its_maximum(void **state) {
    (void)state;
    in_door(reach_maximum);
}

static void exceed_by_put(arena *a) {
    buf b;
    buf_init(&b, a, 10);
    buf_put(&b, STR("0123456789"));
    buf_put_char(&b, 'x');
}

static void exceed_by_printf(arena *a) {
    buf b;
    buf_init(&b, a, 10);
    buf_printf(&b, "%011d", 1);
}

static void exceed_by_repeat(arena *a) {
    buf b;
    buf_init(&b, a, SIZE_MAX);
    buf_put_char(&b, 'x');
    buf_put_repeated(&b, 'x', SIZE_MAX - 1);
}

static void test_buf__leaves_past_its_maximum(void **state) {
    (void)state;
    lp_err err;
    leaves_door(exceed_by_put, 0, &err);
    assert_string_equal(err.text, "a text would exceed its limit of 10 bytes");
    leaves_door(exceed_by_printf, 0, &err);
    leaves_door(exceed_by_repeat, 0, &err);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buf__keeps_its_text_while_it_grows),
        cmocka_unit_test(test_buf__puts_parts_behind_each_other),
        cmocka_unit_test(test_buf__may_be_as_long_as_its_maximum),
        cmocka_unit_test(test_buf__leaves_past_its_maximum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
