/* test_replay.c - which file actions are live.
 * Called by: ctest.  Must not know: where actions come from.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "delta/replay.h"

static arena memory;

static int setup(void **state) {
    arena_init(&memory, 0);
    *state = replay_new(&memory);
    replay_begin_commit(*state);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_end(&memory);
    return 0;
}

static file_key key(const char *path, const char *dv) {
    return (file_key){str_from(path), str_from(dv)};
}

static void test_replay__newest_add_is_live_once(void **state) {
    replay *r = *state;
    assert_true(replay_take_add(r, key("a", NULL)));
    replay_begin_commit(r);
    assert_false(replay_take_add(r, key("a", NULL)));
    assert_int_equal(replay_key_count(r), 1);
}

static void test_replay__newer_remove_hides_older_add(void **state) {
    replay *r = *state;
    replay_take_remove(r, key("a", NULL));
    replay_begin_commit(r);
    assert_false(replay_take_add(r, key("a", NULL)));
    assert_true(replay_holds(r, key("a", NULL)));
}

static void test_replay__older_remove_does_not_hide_newer_add(void **state) {
    replay *r = *state;
    assert_true(replay_take_add(r, key("a", NULL)));
    replay_begin_commit(r);
    replay_take_remove(r, key("a", NULL));
    assert_true(replay_holds(r, key("a", NULL)));
}

static void test_replay__remove_with_other_dv_keeps_add(void **state) {
    replay *r = *state;
    replay_take_remove(r, key("a", "u1"));
    assert_true(replay_take_add(r, key("a", "u2")));
    replay_begin_commit(r);
    assert_false(replay_take_add(r, key("a", "u1")));
    assert_true(replay_take_add(r, key("a", NULL)));
}

static void test_replay__dv_at_offset_0_is_not_dv_without_offset(void **state) {
    replay *r = *state;
    replay_take_remove(r, key("a", "u1@0"));
    assert_false(replay_holds(r, key("a", "u1")));
}

static void test_replay__path_and_dv_do_not_run_together(void **state) {
    replay *r = *state;
    replay_take_remove(r, key("ab", NULL));
    replay_take_remove(r, key("c", "d"));
    assert_false(replay_holds(r, key("a", "b")));
    assert_false(replay_holds(r, key("cd", NULL)));
    assert_false(replay_holds(r, key("cd", "")));
}

static void test_replay__commit_with_remove_then_add_of_one_key_keeps_it(void **state) {
    replay *r = *state;
    replay_take_remove(r, key("a", NULL));
    assert_true(replay_take_add(r, key("a", NULL)));
    assert_false(replay_take_add(r, key("a", NULL)));
}

static void test_replay__commit_with_add_then_remove_of_one_key_keeps_it(void **state) {
    replay *r = *state;
    assert_true(replay_take_add(r, key("a", NULL)));
    replay_take_remove(r, key("a", NULL));
    replay_begin_commit(r);
    assert_false(replay_take_add(r, key("a", NULL)));
}

static void test_replay__paths_compare_as_raw_text(void **state) {
    replay *r = *state;
    replay_take_remove(r, key("a%20b", NULL));
    assert_false(replay_holds(r, key("a b", NULL)));
    assert_false(replay_holds(r, key("A%20b", NULL)));
}

static void test_replay__holds_many_keys(void **state) {
    replay *r = *state;
    char path[32];
    for (int i = 0; i < 5000; i++) {
        snprintf(path, sizeof path, "part-%d", i);
        assert_true(replay_take_add(r, key(path, i % 3 ? NULL : "u")));
    }
    for (int i = 0; i < 5000; i++) {
        snprintf(path, sizeof path, "part-%d", i);
        assert_true(replay_holds(r, key(path, i % 3 ? NULL : "u")));
        assert_false(replay_holds(r, key(path, i % 3 ? "u" : NULL)));
    }
    assert_int_equal(replay_key_count(r), 5000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_replay__newest_add_is_live_once),
        TEST(test_replay__newer_remove_hides_older_add),
        TEST(test_replay__older_remove_does_not_hide_newer_add),
        TEST(test_replay__remove_with_other_dv_keeps_add),
        TEST(test_replay__dv_at_offset_0_is_not_dv_without_offset),
        TEST(test_replay__path_and_dv_do_not_run_together),
        TEST(test_replay__commit_with_remove_then_add_of_one_key_keeps_it),
        TEST(test_replay__commit_with_add_then_remove_of_one_key_keeps_it),
        TEST(test_replay__paths_compare_as_raw_text),
        TEST(test_replay__holds_many_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
