/* test_door.c - the one way out, and the one description of a failure.
 * Called by: ctest.  Must not know: what runs inside.
 */
#include "in_door.h"

#include <string.h>

static lp_status succeed(void *context, lp_err *err) {
    (void)err;
    *(int *)context += 1;
    return LP_OK;
}

static lp_status refuse(void *context, lp_err *err) {
    (void)context;
    return err_set(err, LP_ERR_FORMAT, "expected %d, found %d", 1, 2);
}

static lp_status leave(void *context, lp_err *err) {
    (void)err;
    door_leave("spent %d of %s", *(int *)context, "it");
}

static void test_door__returns_the_status_of_its_body(void **state) {
    (void)state;
    int calls = 0;
    lp_err err = {0};
    assert_int_equal(door_run(succeed, &calls, &err), LP_OK);
    assert_int_equal(calls, 1);
    assert_int_equal(door_run(refuse, NULL, &err), LP_ERR_FORMAT);
    assert_string_equal(err.text, "expected 1, found 2");
}

static void test_door__leaving_is_a_limit_with_a_text(void **state) {
    (void)state;
    int n = 7;
    lp_err err = {0};
    assert_int_equal(door_run(leave, &n, &err), LP_ERR_LIMIT);
    assert_int_equal(err.code, LP_ERR_LIMIT);
    assert_string_equal(err.text, "spent 7 of it");
    assert_int_equal(door_run(leave, &n, NULL), LP_ERR_LIMIT);
}

/* An inner door catches; afterwards the outer one still does. */
static lp_status nest(void *context, lp_err *err) {
    lp_err inner = {0};
    int n = 1, calls = 0;
    assert_int_equal(door_run(leave, &n, &inner), LP_ERR_LIMIT);
    assert_string_equal(inner.text, "spent 1 of it");
    assert_int_equal(door_run(succeed, &calls, &inner), LP_OK);
    return leave(context, err);
}

static void test_door__the_innermost_one_catches(void **state) {
    (void)state;
    int n = 2;
    lp_err err = {0};
    assert_int_equal(door_run(nest, &n, &err), LP_ERR_LIMIT);
    assert_string_equal(err.text, "spent 2 of it");
}

static lp_status wrap(lp_err *err) {
    lp_status status = err_set(err, LP_ERR_IO, "no such thing");
    return err_set(err, status, "file 7: %s", err->text);
}

static void test_err__words_can_be_put_around_a_message(void **state) {
    (void)state;
    lp_err err;
    assert_int_equal(wrap(&err), LP_ERR_IO);
    assert_string_equal(err.text, "file 7: no such thing");
    assert_int_equal(err_set(NULL, LP_ERR_IO, "nobody listens"), LP_ERR_IO);
}

static void test_err__a_long_message_is_cut_between_characters(void **state) {
    (void)state;
    static char text[3000];
    lp_err err;
    for (size_t shift = 0; shift < 4; shift++) {
        memset(text, 'a', shift);
        for (size_t at = shift; at + 4 < sizeof text; at += 4) memcpy(text + at, "\xF0\x9F\x98\x80", 5);
        (void)err_set(&err, LP_ERR_IO, "%s", text);
        size_t len = strlen(err.text);
        assert_true(len < sizeof err.text && len >= sizeof err.text - 5);
        assert_int_equal((len - shift) % 4, 0);
        assert_memory_equal(err.text, text, len);
    }
}

static void test_err__a_message_is_utf8_and_steers_no_terminal(void **state) {
    (void)state;
    lp_err err;
    (void)err_set(&err, LP_ERR_IO, "%s", "a\xFF\xC3\xA9\x1B[31m\x7F\r\n\t\xE2\x82");
    assert_string_equal(err.text, "a?\xC3\xA9?[31m??\n\t??");
}

static void test_err__an_errno_has_words(void **state) {
    (void)state;
    assert_string_equal(err_os_text(2), "No such file or directory");
    assert_non_null(err_os_text(-1));
    assert_non_null(err_os_text(123456));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_door__returns_the_status_of_its_body),
        cmocka_unit_test(test_door__leaving_is_a_limit_with_a_text),
        cmocka_unit_test(test_door__the_innermost_one_catches),
        cmocka_unit_test(test_err__words_can_be_put_around_a_message),
        cmocka_unit_test(test_err__a_long_message_is_cut_between_characters),
        cmocka_unit_test(test_err__a_message_is_utf8_and_steers_no_terminal),
        cmocka_unit_test(test_err__an_errno_has_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
