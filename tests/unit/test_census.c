/* test_census.c - live files counted: totals, removed keys, coverage, and the listing, whatever the source of a file.
 * Called by: ctest.  Must not know: how reports look.
 */
#include "delta_table.h"

#include "delta/census.h"

static test_table t;
static census *c;

static int setup(void **state) {
    (void)state;
    table_new(&t);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    table_end(&t);
    return 0;
}

static void print_path(void *context, buf *out, const live_file *f) {
    (void)context;
    buf_put(out, f->path);
    if (f->modification_time_known) buf_printf(out, "@%lld", (long long)f->modification_time_ms);
    if (f->base_row_id_known) buf_printf(out, "#%lld", (long long)f->base_row_id);
}

static lp_status take_body(void *context, lp_err *err) {
    return census_take(t.snapshot, context, t.workers, &t.memory, &c, err);
}

static void count_version(int64_t version) {
    expect_open(&t, version);
    census_options o = {.want_coverage = true,
                        .want_removed = true,
                        .print = print_path,
                        .separator = STR(" "),
                        .session_zone = zone_utc()};
    lp_err err;
    if (door_run(take_body, &o, &err) != LP_OK) fail_msg("%s", err.text);
}

static void expect_listing(const char *want) {
    char text[1024] = "";
    lp_err err;
    assert_true(spool_size(c->listing) < sizeof text);
    assert_int_equal(spool_read(c->listing, 0, text, spool_size(c->listing), &err), LP_OK);
    assert_string_equal(text, want);
}

#define A(text) ADD_STATS(text, "x", "{}")
#define ROWS                                                                                                           \
    "{\\\"numRecords\\\":10,\\\"minValues\\\":{\\\"a\\\":1},\\\"maxValues\\\":{\\\"a\\\":2},\\\"nullCount\\\":{"       \
    "\\\"a\\\":0}}"
#define CHECKPOINT(v) "0000000000000000000" #v ".checkpoint." UUID ".json"
#define ADD_MORE(path, more)                                                                                           \
    "{\"add\":{\"path\":\"" path                                                                                       \
    "\",\"partitionValues\":{\"p\":\"x\"},\"size\":1,\"modificationTime\":7,\"dataChange\":true," more "}}\n"

static void test_census__sums_what_is_known_and_counts_who_knows(void **state) {
    (void)state;
    table_commit(&t, 0,
                 PROTOCOL_3 METADATA ADD_STATS("a", "x", ROWS) ADD("b", "y")
                     ADD_STATS("c", "x", "{\\\"numRecords\\\":5}"));
    count_version(0);
    assert_int_equal(c->files, 3);
    assert_int_equal(c->bytes, 3);
    assert_int_equal(c->files_with_size, 3);
    assert_int_equal(c->files_with_stats, 2);
    assert_int_equal(c->files_with_records, 2);
    assert_int_equal(c->records, 15);
    assert_int_equal(c->files_with_live_rows, 2);
    assert_int_equal(c->live_rows, 15);
    expect_listing("a@1 b@1 c@1");
}

#define WITH_VECTOR(path, rows, deleted)                                                                               \
    ADD_MORE(path, "\"stats\":\"{\\\"numRecords\\\":" rows                                                             \
                   "}\",\"deletionVector\":{\"storageType\":\"u\",\"pathOrInlineDv\":\"" path                          \
                   "\",\"offset\":1,\"sizeInBytes\":2,\"cardinality\":" deleted "}")

static void test_census__rows_of_a_vector_are_taken_off_unless_it_has_more_than_the_file(void **state) {
    (void)state;
    table_commit(&t, 0,
                 PROTOCOL_3 METADATA WITH_VECTOR("a", "10", "3") WITH_VECTOR("b", "10", "11")
                     WITH_VECTOR("c", "10", "-1"));
    count_version(0);
    assert_int_equal(c->files_with_dv, 3);
    assert_int_equal(c->deleted_rows, 14);
    assert_int_equal(c->records, 30);
    assert_int_equal(c->files_with_live_rows, 1);
    assert_int_equal(c->live_rows, 7);
}

static void test_census__sums_beyond_64_bits_stop(void **state) {
    (void)state;
#define HUGE_FILE(path)                                                                                                \
    "{\"add\":{\"path\":\"" path "\",\"partitionValues\":{},\"size\":9223372036854775807,\"dataChange\":true}}\n"
    table_commit(&t, 0, PROTOCOL METADATA HUGE_FILE("a") HUGE_FILE("b") HUGE_FILE("c"));
    count_version(0);
    assert_true(c->bytes == UINT64_MAX);
}

static void test_census__coverage_leaves_out_partition_columns(void **state) {
    (void)state;
    table_commit(&t, 0,
                 PROTOCOL METADATA ADD_STATS("a", "x", ROWS) ADD("b", "x") ADD_STATS(
                     "c", "x", "{\\\"minValues\\\":{\\\"a\\\":1},\\\"maxValues\\\":{\\\"a\\\":\\\"no number\\\"}}"));
    count_version(0);
    assert_int_equal(c->coverage_count, 1);
    const column_coverage *a = &c->coverage[0];
    assert_true(str_eq(a->column->name, STR("a")));
    assert_int_equal(a->min, 2);
    assert_int_equal(a->max, 1);
    assert_int_equal(a->min_and_max, 1);
    assert_int_equal(a->null_count, 1);
}

static void test_census__removed_keys_are_those_that_stay_removed(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA A("a") A("b") A("c"));
    table_commit(&t, 1, REMOVE("a") REMOVE("b") REMOVE("never"));
    table_commit(&t, 2, A("b"));
    count_version(2);
    assert_int_equal(c->files, 2);
    assert_int_equal(c->removed_keys, 2);
}

static void test_census__removes_of_a_checkpoint_count_unless_a_commit_names_them(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT(1),
              CHECKPOINT_METADATA PROTOCOL_3 METADATA A("a") REMOVE("b") REMOVE("c") REMOVE_DV("c", "v"));
    table_commit(&t, 2, A("b") REMOVE("c"));
    count_version(2);
    assert_int_equal(c->files, 2);
    assert_int_equal(c->removed_keys, 2); /* c by the commit, c with its vector by the checkpoint */
}

static void test_census__base_row_ids_are_listed(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD_MORE("a", "\"baseRowId\":0") ADD_MORE("b", "\"baseRowId\":\"5\""));
    count_version(0);
    assert_int_equal(c->files_with_base_row_id, 1);
    expect_listing("a@7#0 b@7");
}

static void test_census__a_table_without_schema_is_counted(void **state) {
    (void)state;
    table_commit(&t, 0,
                 PROTOCOL "{\"metaData\":{\"id\":\"x\",\"format\":{\"provider\":\"parquet\"},\"partitionColumns\":[],"
                          "\"configuration\":{}}}\n" A("a"));
    count_version(0);
    assert_int_equal(c->files, 1);
    assert_int_equal(c->coverage_count, 0);
}

/* More cells than one batch may hold: files come in small batches, and none is lost. */
static void test_census__wide_tables_come_in_small_batches(void **state) {
    (void)state;
    enum { COLUMNS = 3000, FILES = 60 };
    arena text;
    arena_init(&text, 0);
    buf b;
    buf_init(&b, &text, SIZE_MAX / 2);
    buf_put(&b, STR(PROTOCOL "{\"metaData\":{\"id\":\"x\",\"format\":{\"provider\":\"parquet\"},\"schemaString\":\"{"
                             "\\\"type\\\":\\\"struct\\\",\\\"fields\\\":["));
    for (int i = 0; i < COLUMNS; i++)
        buf_printf(&b,
                   "%s{\\\"name\\\":\\\"c%d\\\",\\\"type\\\":\\\"long\\\",\\\"nullable\\\":true,\\\"metadata\\\":{}}",
                   i ? "," : "", i);
    buf_put(&b, STR("]}\",\"partitionColumns\":[],\"configuration\":{}}}\n"));
    for (int i = 0; i < FILES; i++)
        buf_printf(&b,
                   "{\"add\":{\"path\":\"%d\",\"partitionValues\":{},\"size\":1,\"dataChange\":true,\"stats\":\"{"
                   "\\\"numRecords\\\":2,"
                   "\\\"minValues\\\":{\\\"c0\\\":1,\\\"c2999\\\":1},\\\"maxValues\\\":{\\\"c2999\\\":1}}\"}}\n",
                   i);
    buf_put_char(&b, '\0');
    table_commit(&t, 0, b.ptr);
    count_version(0);
    assert_int_equal(c->files, FILES);
    assert_int_equal(c->coverage[0].min, FILES);
    assert_int_equal(c->coverage[0].min_and_max, 0);
    assert_int_equal(c->coverage[COLUMNS - 1].min_and_max, FILES);
    assert_true(c->counters.arena_peak_bytes < (size_t)48 << 20);
    arena_end(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_census__sums_what_is_known_and_counts_who_knows),
        TEST(test_census__rows_of_a_vector_are_taken_off_unless_it_has_more_than_the_file),
        TEST(test_census__sums_beyond_64_bits_stop),
        TEST(test_census__coverage_leaves_out_partition_columns),
        TEST(test_census__removed_keys_are_those_that_stay_removed),
        TEST(test_census__removes_of_a_checkpoint_count_unless_a_commit_names_them),
        TEST(test_census__base_row_ids_are_listed),
        TEST(test_census__a_table_without_schema_is_counted),
        TEST(test_census__wide_tables_come_in_small_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
