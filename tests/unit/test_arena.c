/* test_arena.c - memory that ends together, its budget, and what is deferred to its end.
 * Called by: ctest.  Must not know: what is stored.
 */
#include "in_door.h"

#include <string.h>

#include "base/buf.h"
#include "base/map.h"

/* Let a malloc that is too large fail under AddressSanitizer too, as it does elsewhere. */
const char *__asan_default_options(void) __attribute__((visibility("default")));
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

static bool all_zero(const char *p, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (p[i]) return false;
    return true;
}

static void sizes(arena *a) {
    static const size_t size[] = {0, 1, 15, 16, 17, 4096, 65535, 65536, 70000, 1 << 20, 3 << 20, 5};
    char *got[sizeof size / sizeof *size];
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
            got[i] = arena_alloc(a, size[i]);
            assert_non_null(got[i]);
            assert_int_equal((uintptr_t)got[i] % 16, 0);
            assert_true(all_zero(got[i], size[i]));
            memset(got[i], (int)i + 1, size[i]);
        }
        for (size_t i = 0; i < sizeof size / sizeof *size; i++)
            for (size_t at = 0; at < size[i]; at++) assert_int_equal(got[i][at], i + 1);
        arena_reset(a);
    }
}

static void test_arena__memory_is_zeroed_aligned_and_does_not_overlap(void **state) {
    (void)state;
    in_door(sizes);
}

static void count_use(arena *a) {
    assert_int_equal(a->used_bytes, 0);
    (void)arena_alloc(a, 100);
    assert_true(a->used_bytes >= 100 && a->used_bytes < 200);
    (void)arena_alloc(a, 1000);
    size_t peak = a->peak_bytes;
    assert_int_equal(peak, a->used_bytes);
    arena_reset(a);
    assert_int_equal(a->used_bytes, 0);
    (void)arena_alloc(a, 10);
    assert_int_equal(a->peak_bytes, peak);
}

static void test_arena__counts_what_is_used_and_its_peak(void **state) {
    (void)state;
    in_door(count_use);
}

static void fill(arena *a) {
    for (;;) (void)arena_alloc(a, 100);
}

static void exceed_at_once(arena *a) {
    (void)arena_alloc(a, 5000);
}

static void fill_to_the_end(arena *a) {
    a->max_bytes = 160;
    for (int i = 0; i < 10; i++) (void)arena_alloc(a, 16);
    arena_reset(a);
    for (int i = 0; i < 10; i++) (void)arena_alloc(a, 16);
}

static void test_arena__leaves_when_its_budget_is_spent(void **state) {
    (void)state;
    lp_err err;
    leaves_door(fill, 1000, &err);
    assert_string_equal(err.text, "memory budget of 1000 bytes is spent");
    leaves_door(exceed_at_once, 1000, &err);
    in_door(fill_to_the_end);
}

static void too_many(arena *a) {
    (void)arena_alloc_array(a, SIZE_MAX / 2, 3);
}

static void too_large(arena *a) {
    (void)arena_alloc(a, SIZE_MAX - 3);
}

static void too_large_with_header(arena *a) {
    (void)arena_alloc(a, SIZE_MAX - 40);
}

static void test_arena__leaves_when_a_size_overflows(void **state) {
    (void)state;
    lp_err err;
    leaves_door(too_many, 0, &err);
    leaves_door(too_large, 0, &err);
    leaves_door(too_large_with_header, 0, &err);
}

static void copies(arena *a) {
    char source[] = "abc";
    str copy = str_copy(a, (str){source, 3});
    source[0] = 'x';
    assert_str(copy, STR("abc"));
    assert_int_equal(copy.ptr[3], '\0');
    assert_true(str_is_none(str_copy(a, STR_NONE)));
    assert_true(str_eq(str_copy_lower(a, STR("aZ[@\xc3\x89")), STR("az[@\xc3\x89")));
    assert_true(str_is_none(str_copy_lower(a, STR_NONE)));
    assert_true(str_eq(str_copy_on_one_line(a, STR("\n a\t\r\n b  c ")), STR("a b c ")));
    assert_true(str_eq(str_copy_on_one_line(a, STR_NONE), STR("")));
    str empty = str_copy(a, STR(""));
    assert_false(str_is_none(empty));
    assert_int_equal(empty.ptr[0], '\0');
    assert_str(str_format(a, "%s-%d", "a", 7), STR("a-7"));
    assert_str(str_format(a, "%s", ""), STR(""));
    str wide = str_format(a, "%5000d", 1);
    assert_int_equal(wide.len, 5000);
    assert_int_equal(wide.ptr[4999], '1');
}

static void test_arena__copies_live_on_and_end_with_nul(void **state) {
    (void)state;
    in_door(copies);
}

static char order[8];
static size_t order_count;

static void note_end(void *resource) {
    order[order_count++] = *(char *)resource;
}

static void defer_three(arena *a) {
    static char name[] = "abc";
    for (int i = 0; i < 3; i++) arena_defer(a, note_end)->resource = name + i;
    (void)arena_defer(a, note_end); /* reserved, nothing taken */
}

static void end_by_reset(arena *a) {
    order_count = 0;
    defer_three(a);
    arena_reset(a);
    assert_int_equal(order_count, 3);
    assert_memory_equal(order, "cba", 3);
    arena_reset(a);
    arena_end(a);
    assert_int_equal(order_count, 3);
}

static void test_arena__deferred_ends_run_once_newest_first(void **state) {
    (void)state;
    in_door(end_by_reset);
    order_count = 0;
    in_door(defer_three); /* ended by arena_end */
    assert_int_equal(order_count, 3);
    assert_memory_equal(order, "cba", 3);
}

static void taken_back(arena *a) {
    order_count = 0;
    defer_slot *slot = arena_defer(a, note_end);
    slot->resource = order;
    slot->resource = NULL; /* ended by hand */
    arena_reset(a);
    assert_int_equal(order_count, 0);
}

static void test_arena__a_resource_taken_back_is_not_ended(void **state) {
    (void)state;
    in_door(taken_back);
}

/* ---- every allocation may fail ---- */

static int open_count;

static void close_thing(void *resource) {
    (void)resource;
    open_count--;
}

/* Uses what allocates in base, and takes resources as the rules say: slot first, resource second. */
static lp_status small_work(void *context, lp_err *err) {
    (void)err;
    arena *a = context;
    map m;
    buf b;
    map_init(&m, a);
    buf_init(&b, a, 100000);
    for (int i = 0; i < 20; i++) {
        defer_slot *slot = arena_defer(a, close_thing);
        open_count++;
        slot->resource = slot;
        (void)map_put(&m, str_format(a, "name %d", i), slot);
        buf_printf(&b, "%d and more text to make it grow, ", i);
    }
    assert_int_equal(m.count, 20);
    assert_true(b.len > 600);
    return LP_OK;
}

static void test_arena__any_allocation_may_fail_and_nothing_leaks(void **state) {
    (void)state;
    unsigned long n = 0;
    for (lp_status status = LP_ERR_LIMIT; status != LP_OK;) {
        arena a;
        lp_err err = {0};
        arena_init(&a, 0);
        arena_fail_at(++n);
        status = door_run(small_work, &a, &err);
        arena_fail_at(0);
        arena_end(&a);
        assert_int_equal(open_count, 0);
        assert_true(status == LP_OK || status == LP_ERR_LIMIT);
        if (status != LP_OK) assert_non_null(strstr(err.text, "out of memory"));
    }
    assert_true(n > 40);
}

static void test_arena__an_end_gives_everything_back_and_can_be_used_again(void **state) {
    (void)state;
    arena a;
    arena_init(&a, 12345);
    arena_end(&a); /* never used */
    assert_int_equal(a.max_bytes, 12345);
    lp_err err;
    door_test t = {copies, &a};
    assert_int_equal(door_run(run_door_test, &t, &err), LP_OK);
    arena_end(&a);
    assert_null(a.head);
    assert_int_equal(a.used_bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena__memory_is_zeroed_aligned_and_does_not_overlap),
        cmocka_unit_test(test_arena__counts_what_is_used_and_its_peak),
        cmocka_unit_test(test_arena__leaves_when_its_budget_is_spent),
        cmocka_unit_test(test_arena__leaves_when_a_size_overflows),
        cmocka_unit_test(test_arena__copies_live_on_and_end_with_nul),
        cmocka_unit_test(test_arena__deferred_ends_run_once_newest_first),
        cmocka_unit_test(test_arena__a_resource_taken_back_is_not_ended),
        cmocka_unit_test(test_arena__any_allocation_may_fail_and_nothing_leaks),
        cmocka_unit_test(test_arena__an_end_gives_everything_back_and_can_be_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
