/* in_door.h - run a test's body with an arena inside of a door, as all code that allocates runs.
 * Called by: unit tests.  Must not know: what is tested.
 */
#ifndef TESTS_UNIT_IN_DOOR_H
#define TESTS_UNIT_IN_DOOR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/door.h"

typedef struct door_test {
    void (*body)(arena *a);
    arena *a;
} door_test;

static lp_status run_door_test(void *context, lp_err *err) {
    (void)err;
    door_test *t = context;
    t->body(t->a);
    return LP_OK;
}

/* The body must come to its end. */
static inline void in_door(void (*body)(arena *a)) {
    arena a;
    arena_init(&a, 0);
    lp_err err = {0};
    door_test t = {body, &a};
    lp_status status = door_run(run_door_test, &t, &err);
    arena_end(&a);
    if (status != LP_OK) fail_msg("left through the door: %s", err.text);
}

/* The body must leave through the door; the arena has a budget. Its message is in *err. */
static inline void leaves_door(void (*body)(arena *a), size_t max_bytes, lp_err *err) {
    arena a;
    arena_init(&a, max_bytes);
    door_test t = {body, &a};
    lp_status status = door_run(run_door_test, &t, err);
    arena_end(&a);
    assert_int_equal(status, LP_ERR_LIMIT);
    assert_int_equal(err->code, LP_ERR_LIMIT);
}

#define assert_str(actual, expected)                                                                                   \
    do {                                                                                                               \
        str actual_ = (actual), expected_ = (expected);                                                                \
        if (!str_eq(actual_, expected_))                                                                               \
            fail_msg("found \"" STR_FMT "\", expected \"" STR_FMT "\"", STR_ARG(actual_), STR_ARG(expected_));         \
    } while (0)

#endif
