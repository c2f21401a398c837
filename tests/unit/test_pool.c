/* test_pool.c - work on a few threads, merged in item order.
 * Called by: ctest, also under ThreadSanitizer.  Must not know: what the work is.
 */
#include "in_door.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "base/pool.h"

enum { ITEMS = 200 };

static const unsigned thread_counts[] = {1, 2, 4, 9};

typedef struct run {
    atomic_uint under_way, most_under_way, works;
    size_t merged[ITEMS + 1];
    size_t merge_count;
    size_t fail_at, leave_at, fail_merge_at, leave_merge_at; /* SIZE_MAX: never */
} run;

static run fresh_run(void) {
    return (run){.fail_at = SIZE_MAX, .leave_at = SIZE_MAX, .fail_merge_at = SIZE_MAX, .leave_merge_at = SIZE_MAX};
}

static void enter(run *r) {
    unsigned now = atomic_fetch_add(&r->under_way, 1) + 1, most = atomic_load(&r->most_under_way);
    while (now > most && !atomic_compare_exchange_weak(&r->most_under_way, &most, now)) continue;
    atomic_fetch_add(&r->works, 1);
}

/* Later items of a window are often done first. */
static void dawdle(size_t item) {
    for (size_t i = 0; i < 7 - item % 7; i++) sched_yield();
}

static lp_status square(void *context, size_t item, pool_slot *slot, lp_err *err) {
    run *r = context;
    enter(r);
    dawdle(item);
    size_t *result = ARENA_NEW(&slot->scratch, size_t);
    *result = item * item;
    if (!slot->state) slot->state = ARENA_NEW(&slot->keep, size_t);
    ++*(size_t *)slot->state;
    slot->result = result;
    if (item == r->leave_at) door_leave("item %zu wants too much", item);
    if (item >= r->fail_at) return err_set(err, LP_ERR_FORMAT, "item %zu is bad", item);
    return LP_OK;
}

static lp_status collect(void *context, size_t item, pool_slot *slot, lp_err *err) {
    run *r = context;
    assert_int_equal(item, r->merge_count);
    assert_int_equal(*(size_t *)slot->result, item * item);
    r->merged[r->merge_count++] = item;
    atomic_fetch_sub(&r->under_way, 1);
    if (item == r->leave_merge_at) door_leave("merge %zu wants too much", item);
    if (item == r->fail_merge_at) return err_set(err, LP_ERR_IO, "merge %zu is bad", item);
    return LP_OK;
}

static lp_status run_items(pool *p, run *r, size_t count, lp_err *err) {
    return pool_run(p, count, square, collect, r, err);
}

static void in_order(arena *a) {
    for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; t++) {
        pool *p = pool_new(a, thread_counts[t]);
        assert_int_equal(pool_thread_count(p), thread_counts[t]);
        lp_err err;
        run r = fresh_run();
        assert_int_equal(run_items(p, &r, ITEMS, &err), LP_OK);
        assert_int_equal(r.merge_count, ITEMS);
        assert_int_equal(atomic_load(&r.works), ITEMS);
        assert_true(atomic_load(&r.most_under_way) <= thread_counts[t] + 1);
        assert_true(pool_arena_peak_bytes(p) > 0);
    }
}

static void test_pool__merges_in_item_order_on_any_number_of_threads(void **state) {
    (void)state;
    in_door(in_order);
}

static void few(arena *a) {
    for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; t++) {
        pool *p = pool_new(a, thread_counts[t]);
        lp_err err;
        static const size_t counts[] = {0, 1, 2, 0, 3, 1, 5};
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            run r = fresh_run();
            assert_int_equal(run_items(p, &r, counts[i], &err), LP_OK);
            assert_int_equal(r.merge_count, counts[i]);
        }
    }
}

static void test_pool__may_be_used_again_for_any_count(void **state) {
    (void)state;
    in_door(few);
}

/* All items from 20 on fail, whichever is done first: item 20 is the one reported. */
static void first_failure(arena *a) {
    for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; t++) {
        pool *p = pool_new(a, thread_counts[t]);
        for (int again = 0; again < 20; again++) {
            lp_err err = {0};
            run r = fresh_run();
            r.fail_at = 20;
            assert_int_equal(run_items(p, &r, ITEMS, &err), LP_ERR_FORMAT);
            assert_string_equal(err.text, "item 20 is bad");
            assert_int_equal(r.merge_count, 20);
            assert_true(atomic_load(&r.works) <= 20 + thread_counts[t] + 2);
        }
        lp_err err;
        run r = fresh_run();
        assert_int_equal(run_items(p, &r, ITEMS, &err), LP_OK); /* the pool is as good as new */
        assert_int_equal(r.merge_count, ITEMS);
    }
}

static void test_pool__reports_the_first_failure_in_item_order(void **state) {
    (void)state;
    in_door(first_failure);
}

static void work_leaves(arena *a) {
    for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; t++) {
        pool *p = pool_new(a, thread_counts[t]);
        lp_err err = {0};
        run r = fresh_run();
        r.leave_at = 11;
        assert_int_equal(run_items(p, &r, ITEMS, &err), LP_ERR_LIMIT);
        assert_string_equal(err.text, "item 11 wants too much");
        assert_int_equal(r.merge_count, 11);
    }
}

static void test_pool__work_that_leaves_through_the_door_is_a_failure_of_its_item(void **state) {
    (void)state;
    in_door(work_leaves);
}

static void merge_fails(arena *a) {
    for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; t++) {
        pool *p = pool_new(a, thread_counts[t]);
        lp_err err = {0};
        run r = fresh_run();
        r.fail_merge_at = 5;
        assert_int_equal(run_items(p, &r, ITEMS, &err), LP_ERR_IO);
        assert_string_equal(err.text, "merge 5 is bad");
        assert_int_equal(r.merge_count, 6);
        r = fresh_run();
        assert_int_equal(run_items(p, &r, ITEMS, &err), LP_OK);
    }
}

static void test_pool__a_merge_that_fails_ends_the_run(void **state) {
    (void)state;
    in_door(merge_fails);
}

typedef struct leaving {
    pool *p;
    run *r;
} leaving;

static lp_status run_leaving(void *context, lp_err *err) {
    leaving *l = context;
    return run_items(l->p, l->r, ITEMS, err);
}

/* With one thread the merge leaves through the caller's door, with more it is caught and returned: the caller sees the
 * same, and no thread is left at work. */
static void merge_leaves(arena *a) {
    for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; t++) {
        pool *p = pool_new(a, thread_counts[t]);
        lp_err err = {0};
        run r = fresh_run();
        r.leave_merge_at = 5;
        leaving l = {p, &r};
        assert_int_equal(door_run(run_leaving, &l, &err), LP_ERR_LIMIT);
        assert_string_equal(err.text, "merge 5 wants too much");
        assert_int_equal(r.merge_count, 6);
        r = fresh_run();
        assert_int_equal(run_items(p, &r, ITEMS, &err), LP_OK);
    }
}

static void test_pool__a_merge_that_leaves_through_the_door_ends_the_run(void **state) {
    (void)state;
    in_door(merge_leaves);
}

/* ---- slots ---- */

static atomic_int things;

static void end_thing(void *resource) {
    (void)resource;
    atomic_fetch_sub(&things, 1);
}

static void take_thing(arena *a) {
    defer_slot *slot = arena_defer(a, end_thing);
    atomic_fetch_add(&things, 1);
    slot->resource = slot;
}

static lp_status use_slot(void *context, size_t item, pool_slot *slot, lp_err *err) {
    (void)context;
    (void)err;
    assert_null(slot->result);
    assert_int_equal(slot->scratch.used_bytes, 0);
    take_thing(&slot->scratch);
    if (!slot->state) {
        take_thing(&slot->keep);
        slot->state = slot;
    }
    memset(arena_alloc(&slot->scratch, 1000 + item), 1, 1000 + item);
    slot->result = slot;
    return LP_OK;
}

static lp_status ignore(void *context, size_t item, pool_slot *slot, lp_err *err) {
    (void)context;
    (void)item;
    (void)err;
    assert_ptr_equal(slot->result, slot);
    return LP_OK;
}

static void use_slots(arena *a) {
    for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; t++) {
        pool *p = pool_new(a, thread_counts[t]);
        lp_err err;
        assert_int_equal(pool_run(p, ITEMS, use_slot, ignore, NULL, &err), LP_OK);
        /* at most one thing of the last item and one to keep in each slot */
        assert_true((unsigned)atomic_load(&things) <= 2 * (thread_counts[t] + 1));
        assert_true(pool_arena_peak_bytes(p) <= (thread_counts[t] + 1) * 2000u);
        arena_reset(a);
        assert_int_equal(atomic_load(&things), 0);
    }
}

static void test_pool__scratch_is_fresh_for_each_item_and_keep_ends_with_the_pool(void **state) {
    (void)state;
    in_door(use_slots);
}

static void odd_counts(arena *a) {
    assert_int_equal(pool_thread_count(pool_new(a, 0)), 1);
    assert_int_equal(pool_thread_count(pool_new(a, 1000000)), 256);
    assert_int_equal(pool_thread_count(pool_new(a, (unsigned)-1)), 256);
}

static void test_pool__the_number_of_threads_is_bounded(void **state) {
    (void)state;
    in_door(odd_counts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool__merges_in_item_order_on_any_number_of_threads),
        cmocka_unit_test(test_pool__may_be_used_again_for_any_count),
        cmocka_unit_test(test_pool__reports_the_first_failure_in_item_order),
        cmocka_unit_test(test_pool__work_that_leaves_through_the_door_is_a_failure_of_its_item),
        cmocka_unit_test(test_pool__a_merge_that_fails_ends_the_run),
        cmocka_unit_test(test_pool__a_merge_that_leaves_through_the_door_ends_the_run),
        cmocka_unit_test(test_pool__scratch_is_fresh_for_each_item_and_keep_ends_with_the_pool),
        cmocka_unit_test(test_pool__the_number_of_threads_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
