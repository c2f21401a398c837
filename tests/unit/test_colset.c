/* test_colset.c - sets of column ids.
 * Called by: ctest.  Must not know: plans.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "plan/colset.h"

typedef struct lab {
    arena memory;
} lab;

static lab l;

static int setup(void **state) {
    (void)state;
    arena_init(&l.memory, 0);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_end(&l.memory);
    return 0;
}

static uint32_t lab_random(uint64_t *seed, uint32_t below) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % below;
}

static colset random_set(uint64_t *seed) {
    colset s = COLSET_EMPTY;
    uint32_t low = lab_random(seed, 2) ? lab_random(seed, 400) : 0;
    for (uint32_t i = 0, count = lab_random(seed, 12); i < count; i++)
        colset_add(&s, low + lab_random(seed, 200), &l.memory);
    return s;
}

/* Against an array of flags. */
static void test_colset__operations_are_those_of_sets(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (unsigned round = 0; round < 2000; round++) {
        colset a = random_set(&seed), b = random_set(&seed);
        colset both = colset_union(a, b, &l.memory), common = colset_intersection(a, b, &l.memory),
               rest = colset_difference(a, b, &l.memory);
        size_t count = 0;
        bool subset = true, meets = false;
        for (column_id id = 0; id < 640; id++) {
            bool in_a = colset_has(a, id), in_b = colset_has(b, id);
            assert_int_equal(colset_has(both, id), in_a || in_b);
            assert_int_equal(colset_has(common, id), in_a && in_b);
            assert_int_equal(colset_has(rest, id), in_a && !in_b);
            count += in_a;
            subset &= !in_a || in_b;
            meets |= in_a && in_b;
        }
        assert_int_equal(colset_count(a), count);
        assert_int_equal(colset_is_empty(a), count == 0);
        assert_int_equal(colset_is_subset(a, b), subset);
        assert_int_equal(colset_meets(a, b), meets);
        assert_true(colset_equal(colset_union(a, b, &l.memory), colset_union(b, a, &l.memory)));
    }
}

static void test_colset__next_visits_all_members_in_order(void **state) {
    (void)state;
    static const column_id member[] = {0, 1, 63, 64, 130, 191};
    colset s = COLSET_EMPTY;
    for (size_t i = 6; i > 0; i--) colset_add(&s, member[i - 1], &l.memory);
    column_id id;
    size_t seen = 0;
    for (column_id from = 0; colset_next(s, from, &id); from = id + 1) assert_int_equal(id, member[seen++]);
    assert_int_equal(seen, 6);
    colset_remove(&s, 191);
    assert_false(colset_next(s, 131, &id));
    colset_remove(&s, 5000);
    assert_int_equal(colset_count(s), 5);
}

/* A statement may have a million columns; each of its expressions reads a few. */
static void test_colset__costs_what_lies_between_its_members(void **state) {
    (void)state;
    colset s = COLSET_EMPTY;
    column_id id;
    size_t before = l.memory.used_bytes;
    colset_add(&s, UINT32_MAX - 1, &l.memory);
    colset_add(&s, UINT32_MAX - 200, &l.memory);
    colset copy = colset_copy(s, &l.memory);
    assert_true(l.memory.used_bytes - before < 200);
    assert_int_equal(colset_count(copy), 2);
    assert_true(colset_next(copy, 0, &id));
    assert_int_equal(id, UINT32_MAX - 200);
    assert_true(colset_next(copy, id + 1, &id));
    assert_int_equal(id, UINT32_MAX - 1);
    assert_false(colset_next(copy, UINT32_MAX, &id));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_colset__operations_are_those_of_sets, setup, teardown),
        cmocka_unit_test_setup_teardown(test_colset__costs_what_lies_between_its_members, setup, teardown),
        cmocka_unit_test_setup_teardown(test_colset__next_visits_all_members_in_order, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
