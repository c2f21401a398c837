/* test_parquet_cursor.c - how much a cursor does: pages, counters, memory, limits, failures, threads.
 * Called by: ctest.  Must not know: what the files hold (test_parquet_read.c looks at that).
 */
#include "parquet_files.h"

#include <string.h>

#include "base/pool.h"

/* A leaf without nulls in one row group of 50 rows and many small plain pages, uncompressed. */
#define MANY_PAGES "types-v1-none-plain-tiny.parquet"
/* The same rows in small pages of version 2, zstd, dictionaries. */
#define MANY_V2_PAGES "types-v2-zstd-tiny.parquet"
#define LISTS         "nested-v1-none-plain-tiny.parquet"
#define V2_LISTS      "nested-v2-zstd-tiny.parquet"

static uint64_t rows_of_all(pq_cursor *c, size_t rows) {
    uint64_t sum = 0;
    for (;;) {
        pq_slice s = read_rows(c, rows);
        if (s.row_count == 0) return sum;
        sum += s.row_count;
    }
}

/* ---- laziness ---- */

static void skip_body(arena *a) {
    pq_file *f = open_parquet(a, MANY_PAGES);
    assert_int_equal(rows_of_all(open_cursor(a, f, 0, "path", true), 100), 50);
    pq_counters all = pq_read_counters(f);
    assert_true(all.pages_decoded > 5);
    assert_int_equal(all.pages_skipped, 0);
    assert_int_equal(all.values_decoded, 50);

    pq_file *again = open_parquet(a, MANY_PAGES);
    pq_cursor *c = open_cursor(a, again, 0, "path", true);
    for (unsigned i = 0; i < 49; i++) skip_rows(c, 1); /* in small steps, too, no page is loaded */
    assert_int_equal(pq_read_counters(again).pages_decoded, 0);
    pq_slice s = read_rows(c, 100);
    assert_int_equal(s.row_count, 1);
    assert_str(s.value.bytes[0], STR("date=2024-05/part-00049.parquet"));
    assert_int_equal(read_rows(c, 1).row_count, 0);
    pq_counters few = pq_read_counters(again);
    assert_int_equal(few.pages_decoded, 1);
    assert_int_equal(few.pages_skipped, all.pages_decoded - 1);
    assert_int_equal(few.values_decoded, 1);
}

static void test_cursor__pages_passed_over_are_not_loaded(void **state) {
    (void)state;
    in_door(skip_body);
}

static void header_body(arena *a) {
    pq_file *f = open_parquet(a, MANY_PAGES);
    pq_cursor *c = open_cursor(a, f, 0, "path", true);
    uint64_t rows = 0;
    unsigned pages = 0;
    for (uint64_t ready; (ready = rows_ready(c)) > 0; pages++) {
        assert_int_equal(rows_ready(c), ready);
        skip_rows(c, ready);
        rows += ready;
    }
    assert_int_equal(rows, 50);
    assert_int_equal(pq_read_counters(f).pages_decoded, 0);
    assert_int_equal(pq_read_counters(f).pages_skipped, pages);
}

static void test_cursor__rows_in_page_reads_headers_only(void **state) {
    (void)state;
    in_door(header_body);
}

static void count_body(arena *a) {
    pq_file *f = open_parquet(a, MANY_PAGES);
    pq_cursor *c = open_cursor(a, f, 0, "path", false); /* a column without nulls has no levels */
    pq_slice s = read_rows(c, 3);
    assert_true(s.row_count > 0 && s.value_count == s.row_count && !s.def && !s.rep && !s.value.bytes);
    assert_int_equal(rows_of_all(c, 100), 50 - s.row_count);
    assert_int_equal(pq_read_counters(f).pages_decoded, 0);
    assert_true(pq_read_counters(f).pages_skipped > 5);
    assert_int_equal(pq_read_counters(f).values_decoded, 0);
}

static void test_cursor__counting_a_column_without_nulls_loads_nothing(void **state) {
    (void)state;
    in_door(count_body);
}

/* Levels of version 2 are not compressed, so a damaged value does not hurt those who want levels. */
static void levels_body(arena *a) {
    pq_file *f = open_parquet(a, "bad-checksum-v2.parquet");
    pq_cursor *c = open_cursor(a, f, 0, "n", false);
    assert_int_equal(rows_of_all(c, 100), 2);
    f = open_parquet(a, MANY_V2_PAGES);
    size_t present = 0, with_values = 0;
    for (unsigned want = 0; want < 2; want++) {
        c = open_cursor(a, f, 0, "text", want == 1);
        for (pq_slice s; (s = read_rows(c, 7)).row_count > 0;) *(want ? &with_values : &present) += s.value_count;
    }
    assert_true(present > 20 && present < 50);
    assert_int_equal(present, with_values);
    assert_int_equal(pq_read_counters(f).values_decoded, with_values);
}

static void test_cursor__levels_can_be_had_without_values(void **state) {
    (void)state;
    in_door(levels_body);
}

static void dictionary_body(arena *a) {
    pq_file *f = open_parquet(a, MANY_V2_PAGES);
    pq_cursor *c = open_cursor(a, f, 0, "few", true);
    skip_rows(c, 50);
    assert_int_equal(read_rows(c, 1).row_count, 0);
    assert_int_equal(pq_read_counters(f).pages_decoded, 0); /* not even the dictionary */
    uint64_t skipped = pq_read_counters(f).pages_skipped;
    c = open_cursor(a, f, 0, "few", true);
    assert_int_equal(rows_of_all(c, 100), 50);
    assert_int_equal(pq_read_counters(f).pages_decoded, skipped);
}

static void test_cursor__a_dictionary_is_loaded_when_it_is_needed(void **state) {
    (void)state;
    in_door(dictionary_body);
}

static void v2_lists_body(arena *a) {
    pq_file *f = open_parquet(a, V2_LISTS);
    pq_cursor *c = open_cursor(a, f, 0, "ints.list.element", true);
    skip_rows(c, 40);
    assert_int_equal(read_rows(c, 1).row_count, 0);
    assert_int_equal(pq_read_counters(f).pages_decoded, 0);
}

static void test_cursor__lists_in_pages_of_version_2_are_passed_over_by_header(void **state) {
    (void)state;
    in_door(v2_lists_body);
}

/* ---- slices ---- */

static void flat_slices_body(arena *a) {
    pq_file *f = open_parquet(a, MANY_PAGES);
    pq_cursor *c = open_cursor(a, f, 0, "path", true);
    unsigned slices = 0;
    for (uint64_t ready; (ready = rows_ready(c)) > 0; slices++) assert_int_equal(read_rows(c, 1000).row_count, ready);
    assert_true(slices > 5);
}

static void test_cursor__a_slice_is_what_is_left_of_a_page(void **state) {
    (void)state;
    in_door(flat_slices_body);
}

static void nested_slices_body(arena *a) {
    pq_file *f = open_parquet(a, LISTS);
    pq_cursor *c = open_cursor(a, f, 0, "ints.list.element", true);
    assert_int_equal(rows_ready(c), 40);
    assert_int_equal(read_rows(c, 17).row_count, 17); /* over many page borders */
    assert_int_equal(rows_ready(c), 23);
    assert_int_equal(read_rows(c, 1000).row_count, 23);
    assert_int_equal(rows_ready(c), 0);
    assert_int_equal(read_rows(c, 1).row_count, 0);
    assert_int_equal(read_rows(c, 1).row_count, 0);
}

static void test_cursor__rows_of_lists_come_as_many_as_asked_for(void **state) {
    (void)state;
    in_door(nested_slices_body);
}

static void equal_pointers_body(arena *a) {
    pq_file *f = open_parquet(a, "odd-dictionary.parquet");
    pq_cursor *c = open_cursor(a, f, 0, "s", true);
    pq_slice s = read_rows(c, 100); /* red, none, blue, blue */
    assert_int_equal(s.value_count, 3);
    assert_ptr_equal(s.value.bytes[1].ptr, s.value.bytes[2].ptr);
    assert_ptr_not_equal(s.value.bytes[0].ptr, s.value.bytes[1].ptr);
}

static void test_cursor__equal_dictionary_entries_have_equal_pointers(void **state) {
    (void)state;
    in_door(equal_pointers_body);
}

static void too_far_body(arena *a) {
    pq_file *f = open_parquet(a, MANY_PAGES);
    pq_cursor *c = open_cursor(a, f, 0, "path", true);
    lp_err err;
    assert_int_equal(pq_cursor_skip(c, 51, &err), LP_ERR_USAGE);
    skip_rows(c, 50);
    assert_int_equal(pq_cursor_skip(c, 1, &err), LP_ERR_USAGE);
}

static void test_cursor__cannot_pass_over_more_rows_than_there_are(void **state) {
    (void)state;
    in_door(too_far_body);
}

/* ---- cursors used again ---- */

static void reopen_body(arena *a) {
    pq_file *bad = open_parquet(a, "bad-few-string-bytes.parquet"), *f = open_parquet(a, LISTS);
    pq_cursor *c = open_cursor(a, bad, 0, "s", true);
    pq_slice s;
    lp_err err;
    assert_int_equal(pq_cursor_read(c, 9, &s, &err), LP_ERR_FORMAT);
    for (size_t leaf = 0; leaf < pq_leaf_count(f); leaf++) {
        assert_int_equal(pq_cursor_reopen(c, f, 0, leaf, true, &err), LP_OK);
        assert_int_equal(read_rows(c, 5).row_count, 5);
    }
    for (size_t leaf = pq_leaf_count(f); leaf-- > 0;) {
        assert_int_equal(pq_cursor_reopen(c, f, 0, leaf, true, &err), LP_OK);
        assert_int_equal(rows_of_all(c, 3), 40);
    }
}

static void test_cursor__can_be_opened_again_on_another_leaf_and_after_an_error(void **state) {
    (void)state;
    in_door(reopen_body);
}

/* ---- large claims ---- */

static void large_nulls_body(arena *a) {
    pq_file *f = open_parquet(a, "large-nulls.parquet");
    pq_cursor *c = open_cursor(a, f, 0, "s", true);
    uint64_t rows = pq_row_count(f);
    assert_int_equal(rows, 0x7fffffff);
    pq_slice s = read_rows(c, SIZE_MAX);
    assert_int_equal(s.row_count, 1 << 20);
    assert_int_equal(s.value_count, 0);
    skip_rows(c, rows - (1 << 20) - 5);
    assert_int_equal(rows_ready(c), 5);
    assert_int_equal(read_rows(c, 9).row_count, 5);
    assert_int_equal(read_rows(c, 9).row_count, 0);
    assert_true(pq_cursor_peak_bytes(c) < 4 << 20);
}

static void test_cursor__a_run_of_two_billion_nulls_takes_little_memory(void **state) {
    (void)state;
    in_door(large_nulls_body);
}

static void large_words_body(arena *a) {
    pq_file *f = open_parquet(a, "large-words.parquet");
    pq_cursor *c = open_cursor(a, f, 0, "s", true);
    skip_rows(c, 1000);
    pq_slice s = read_rows(c, 3000);
    assert_int_equal(s.value_count, 3000);
    assert_str(s.value.bytes[2999], STR("again"));
    assert_true(pq_cursor_peak_bytes(c) < 1 << 20);
}

static void test_cursor__a_run_of_two_billion_words_takes_little_memory(void **state) {
    (void)state;
    in_door(large_words_body);
}

static void assert_limit(arena *a, const char *name, const char *leaf, uint64_t max_page_bytes) {
    pq_file *f;
    lp_err err = {0};
    assert_int_equal(try_open_parquet(a, str_from(name), (pq_limits){.max_page_bytes = max_page_bytes}, &f, &err),
                     LP_OK);
    pq_cursor *c = open_cursor(a, f, 0, leaf, true);
    pq_slice s;
    lp_status status;
    while ((status = pq_cursor_read(c, 1000, &s, &err)) == LP_OK && s.row_count > 0) {
    }
    if (status != LP_ERR_LIMIT) fail_msg("%s: expected a limit, found status %d %s", name, (int)status, err.text);
    assert_non_null(strstr(err.text, name));
    assert_true(pq_cursor_peak_bytes(c) < 4 * max_page_bytes + (1 << 20));
}

static void limits_body(arena *a) {
    assert_limit(a, "large-row.parquet", "l.list.element", 16 << 20);
    assert_limit(a, "large-strings.parquet", "s", 4 << 20);
    assert_limit(a, "large-strings.parquet", "s", 1 << 10);
    assert_limit(a, "large-dictionary.parquet", "s", 16 << 10);
    assert_limit(a, "odd-long-header.parquet", "n", 32 << 10);
    assert_limit(a, MANY_PAGES, "path", 32);
}

static void test_cursor__pages_headers_dictionaries_rows_and_strings_are_limited(void **state) {
    (void)state;
    in_door(limits_body);
}

static void large_strings_body(arena *a) {
    pq_file *f = open_parquet(a, "large-strings.parquet");
    pq_cursor *c = open_cursor(a, f, 0, "s", true);
    size_t bytes = 0;
    for (pq_slice s; (s = read_rows(c, 100)).row_count > 0;)
        for (size_t i = 0; i < s.value_count; i++) bytes += s.value.bytes[i].len;
    assert_int_equal(bytes, 3000 + 7999 * 3001);
    assert_true(pq_cursor_peak_bytes(c) < 1 << 20); /* of 24 MB of strings, a slice at a time */
}

static void test_cursor__expanded_strings_are_held_a_slice_at_a_time(void **state) {
    (void)state;
    in_door(large_strings_body);
}

/* ---- failing allocations ---- */

typedef struct failing {
    arena *a;
    const char *name;
} failing;

static lp_status read_everything(void *context, lp_err *err) {
    failing *t = context;
    pq_file *f;
    TRY(try_open_parquet(t->a, str_from(t->name), (pq_limits){0}, &f, err));
    for (size_t group = 0; group < pq_row_group_count(f); group++)
        for (size_t leaf = 0; leaf < pq_leaf_count(f); leaf++) {
            pq_cursor *c;
            pq_slice s;
            TRY(pq_cursor_new(f, group, leaf, true, t->a, &c, err));
            do TRY(pq_cursor_read(c, 9, &s, err));
            while (s.row_count > 0);
        }
    return LP_OK;
}

static void fail_each_allocation(const char *name) {
    lp_status status = LP_ERR_LIMIT;
    unsigned long n = 1;
    for (; status != LP_OK; n++) {
        arena a;
        arena_init(&a, 0);
        failing t = {&a, name};
        lp_err err = {0};
        arena_fail_at(n);
        status = door_run(read_everything, &t, &err);
        arena_fail_at(0);
        arena_end(&a);
        if (status != LP_OK && status != LP_ERR_LIMIT) fail_msg("%s, allocation %lu: %s", name, n, err.text);
        assert_true(n < 100000);
    }
    assert_true(n > 20);
}

static void test_cursor__any_allocation_may_fail(void **state) {
    (void)state;
    fail_each_allocation("nested-v1-brotli-delta-tiny.parquet");
    fail_each_allocation("groups-v1-snappy.parquet");
    fail_each_allocation("odd-delta-strings.parquet");
}

/* ---- threads ---- */

typedef struct sums {
    pq_file *f;
    uint64_t total;
} sums;

static lp_status sum_leaf(void *context, size_t item, pool_slot *slot, lp_err *err) {
    sums *all = context;
    size_t leaves = pq_leaf_count(all->f);
    pq_cursor *c;
    pq_slice s;
    uint64_t *sum = ARENA_NEW(&slot->scratch, uint64_t);
    TRY(pq_cursor_new(all->f, item / leaves, item % leaves, true, &slot->scratch, &c, err));
    do {
        TRY(pq_cursor_read(c, 2, &s, err));
        for (size_t i = 0; i < s.level_count; i++) *sum = *sum * 31 + (s.def ? s.def[i] : 0u) + 7;
    } while (s.row_count > 0);
    slot->result = sum;
    return LP_OK;
}

static lp_status add_sum(void *context, size_t item, pool_slot *slot, lp_err *err) {
    sums *all = context;
    (void)err;
    all->total = all->total * 1000003 + *(uint64_t *)slot->result + item;
    return LP_OK;
}

static void threads_body(arena *a) {
    uint64_t total[2];
    pq_counters counters[2];
    for (unsigned i = 0; i < 2; i++) {
        sums all = {open_parquet(a, "groups-v2-zstd-tiny.parquet"), 0};
        lp_err err;
        size_t items = pq_row_group_count(all.f) * pq_leaf_count(all.f);
        assert_int_equal(pool_run(pool_new(a, i ? 4 : 1), items, sum_leaf, add_sum, &all, &err), LP_OK);
        total[i] = all.total;
        counters[i] = pq_read_counters(all.f);
    }
    assert_int_equal(total[0], total[1]);
    assert_memory_equal(&counters[0], &counters[1], sizeof counters[0]);
    assert_true(counters[0].values_decoded > 100);
}

static void test_cursor__four_threads_read_and_count_what_one_does(void **state) {
    (void)state;
    in_door(threads_body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cursor__pages_passed_over_are_not_loaded),
        cmocka_unit_test(test_cursor__rows_in_page_reads_headers_only),
        cmocka_unit_test(test_cursor__counting_a_column_without_nulls_loads_nothing),
        cmocka_unit_test(test_cursor__levels_can_be_had_without_values),
        cmocka_unit_test(test_cursor__a_dictionary_is_loaded_when_it_is_needed),
        cmocka_unit_test(test_cursor__lists_in_pages_of_version_2_are_passed_over_by_header),
        cmocka_unit_test(test_cursor__a_slice_is_what_is_left_of_a_page),
        cmocka_unit_test(test_cursor__rows_of_lists_come_as_many_as_asked_for),
        cmocka_unit_test(test_cursor__equal_dictionary_entries_have_equal_pointers),
        cmocka_unit_test(test_cursor__cannot_pass_over_more_rows_than_there_are),
        cmocka_unit_test(test_cursor__can_be_opened_again_on_another_leaf_and_after_an_error),
        cmocka_unit_test(test_cursor__a_run_of_two_billion_nulls_takes_little_memory),
        cmocka_unit_test(test_cursor__a_run_of_two_billion_words_takes_little_memory),
        cmocka_unit_test(test_cursor__pages_headers_dictionaries_rows_and_strings_are_limited),
        cmocka_unit_test(test_cursor__expanded_strings_are_held_a_slice_at_a_time),
        cmocka_unit_test(test_cursor__any_allocation_may_fail),
        cmocka_unit_test(test_cursor__four_threads_read_and_count_what_one_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
