/* test_scan.c - which files a scan gives, in which order, with which values.
 * Called by: ctest.  Must not know: how they are found.
 */
#include "delta_table.h"

static test_table t;

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

#define CLUSTERING                                                                                                     \
    "{\"domainMetadata\":{\"domain\":\"delta.clustering\",\"configuration\":\"{\\\"clusteringColumns\\\":[[\\\"a\\\"]" \
    "]}\",\"removed\":false}}\n"
#define CHECKPOINT_1 "00000000000000000001.checkpoint." UUID ".json"

static void test_scan__newest_commit_first_as_written_then_the_checkpoint(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT_1, CHECKPOINT_METADATA PROTOCOL_3 METADATA ADD("a", "x") ADD("b", "x"));
    table_commit(&t, 2, ADD("d", "x") ADD("c", "x"));
    table_commit(&t, 3, ADD("e", "x"));
    expect_open(&t, 3);
    expect_files(&t, "e d c a b ");
}

static void test_scan__commits_decide_what_the_checkpoint_holds(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT_1,
              CHECKPOINT_METADATA PROTOCOL_3 METADATA ADD("a", "x") ADD("b", "x") ADD("c", "x") ADD_DV("d", "v"));
    table_commit(&t, 2, REMOVE("a") ADD("b", "new") REMOVE_DV("d", "v"));
    expect_open(&t, 2);
    expect_files(&t, "b c ");
}

static void test_scan__remove_without_the_vector_keeps_the_file_with_it(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL_3 METADATA ADD("a", "x"));
    table_commit(&t, 1, ADD_DV("a", "v") REMOVE("a"));
    expect_open(&t, 1);
    expect_files(&t, "a/uv@1 ");
}

static void test_scan__remove_before_the_add_in_one_commit_keeps_the_vector(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL_3 METADATA ADD_DV("a", "v"));
    table_commit(&t, 1, REMOVE_DV("a", "v") ADD_DV("a", "w"));
    expect_open(&t, 1);
    expect_files(&t, "a/uw@1 ");
}

static void test_scan__file_removed_and_added_again_is_live_once(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD("a", "x"));
    table_commit(&t, 1, REMOVE("a"));
    table_commit(&t, 2, ADD("a", "x"));
    expect_open(&t, 2);
    expect_files(&t, "a ");
    assert_int_equal(table_open_at(&t, (snapshot_options){true, 1}), LP_OK);
    expect_files(&t, "");
}

static void test_scan__unknown_actions_and_members_are_ignored(void **state) {
    (void)state;
    table_commit(
        &t, 0,
        PROTOCOL METADATA
        "{\"someNewAction\":{\"add\":{\"path\":\"no\"}}}\n"
        "{\"add\":{\"newThing\":[1,{\"path\":\"no\"}],\"path\":\"a\",\"partitionValues\":{},\"dataChange\":true}}\n"
        "{\"cdc\":{\"path\":\"no\",\"partitionValues\":{}}}\n"
        "{\"txn\":{\"appId\":\"x\",\"version\":1}}\n"
        "{\"remove\":null,\"add\":{\"path\":\"b\"}}\n"
        "{\"commitInfo\":{\"operationParameters\":{\"a\":[1,2]}}}\n");
    expect_open(&t, 0);
    expect_files(&t, "a b ");
}

static void expect_scan_error(const char *part) {
    scan_request nothing = {0};
    assert_int_equal(table_scan(&t, &nothing, NULL), LP_ERR_FORMAT);
    expect_text(t.err.text, part);
}

static void test_scan__line_that_is_not_json_is_an_error(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA "{\"add\":{\"path\":\"a\"\n");
    expect_open(&t, 0);
    expect_scan_error("00000000000000000000.json:3");
}

static void test_scan__add_without_path_is_an_error(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA "{\"add\":{\"size\":1}}\n");
    expect_open(&t, 0);
    expect_scan_error("expected \"path\" in \"add\"");
}

static void test_scan__two_actions_in_a_line_are_an_error(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA "{\"add\":{\"path\":\"a\"},\"remove\":{\"path\":\"a\"}}\n");
    expect_open(&t, 0);
    expect_scan_error("one action");
}

static void test_scan__vector_without_its_text_is_an_error(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA "{\"add\":{\"path\":\"a\",\"deletionVector\":{\"storageType\":\"u\"}}}\n");
    expect_open(&t, 0);
    expect_scan_error("pathOrInlineDv");
}

/* ---- values ---- */

static scan_request request_all(stats_column *stats, bool want_record_count) {
    const schema *s = &t.snapshot->schema;
    *stats = (stats_column){.column = &s->top[1], .want_bounds = true, .want_null_count = true};
    return (scan_request){.want_path = true,
                          .want_record_count = want_record_count,
                          .partition = s->partition,
                          .partition_count = s->partition_count,
                          .stats = stats,
                          .stats_count = 1,
                          .session_zone = zone_utc()};
}

static void expect_values(const char *words) {
    stats_column stats;
    scan_request all = request_all(&stats, false);
    if (table_scan(&t, &all, NULL) != LP_OK) fail_msg("%s", t.err.text);
    assert_string_equal(t.seen, words);
}

#define STATS(n, min, max, nulls)                                                                                      \
    "{\\\"numRecords\\\":" n ",\\\"minValues\\\":{\\\"a\\\":" min "},\\\"maxValues\\\":{\\\"a\\\":" max                \
    "},\\\"nullCount\\\":{\\\"a\\\":" nulls "}}"

static void test_scan__partition_values_and_statistics_of_commits(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD_STATS("f", "x", STATS("3", "1", "7", "2")) ADD("g", "y\\u00e4"));
    expect_open(&t, 0);
    expect_values("f=x[1,7,2]*3 g=yä ");
}

static void test_scan__partition_values_and_statistics_of_a_json_checkpoint(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT_1,
              CHECKPOINT_METADATA PROTOCOL_3 METADATA ADD_STATS("f", "x", STATS("3", "1", "7", "2"))
                  ADD_STATS("g", "y", "{}"));
    expect_open(&t, 1);
    expect_values("f=x[1,7,2]*3 g=y[,] ");
}

static void test_scan__malformed_statistics_cost_the_file_its_statistics(void **state) {
    (void)state;
    table_commit(&t, 0,
                 PROTOCOL METADATA ADD_STATS("f", "x", "{\\\"numRecords\\\":3,") ADD_STATS("g", "x", "[]")
                     ADD_STATS("h", "x", "") ADD_STATS("i", "x", STATS("1", "2", "3", "0")));
    expect_open(&t, 0);
    expect_values("f=x g=x h=x i=x[2,3,0]*1 ");
}

static void test_scan__partition_texts_that_are_missing_null_or_bare(void **state) {
    (void)state;
    table_commit(&t, 0,
                 PROTOCOL METADATA
                 "{\"add\":{\"path\":\"a\",\"partitionValues\":{}}}\n"
                 "{\"add\":{\"path\":\"b\",\"partitionValues\":{\"p\":null}}}\n"
                 "{\"add\":{\"path\":\"c\",\"partitionValues\":{\"q\":\"1\",\"p\":\"old\",\"p\":\"new\"}}}\n"
                 "{\"add\":{\"path\":\"d\",\"partitionValues\":{\"p\":7}}}\n"
                 "{\"add\":{\"path\":\"e\"}}\n");
    expect_open(&t, 0);
    expect_values("a= b= c=new d=7 e= ");
}

static void test_scan__column_mapping_reads_physical_names_only(void **state) {
    (void)state;
    table_commit(&t, 0,
                 "{\"protocol\":{\"minReaderVersion\":2,\"minWriterVersion\":5}}\n"
                 "{\"metaData\":{\"id\":\"i\",\"schemaString\":\"{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[{"
                 "\\\"name\\\":\\\"p\\\",\\\"type\\\":\\\"string\\\",\\\"nullable\\\":true,\\\"metadata\\\":{\\\"delta."
                 "columnMapping.physicalName\\\":\\\"col-p\\\"}},{\\\"name\\\":\\\"a\\\",\\\"type\\\":\\\"integer\\\","
                 "\\\"nullable\\\":true,\\\"metadata\\\":{\\\"delta.columnMapping.physicalName\\\":\\\"b\\\"}}]}\","
                 "\"partitionColumns\":[\"p\"],\"configuration\":{\"delta.columnMapping.mode\":\"name\"}}}\n"
                 "{\"add\":{\"path\":\"f\",\"partitionValues\":{\"col-p\":\"right\",\"p\":\"wrong\"},\"stats\":\"{"
                 "\\\"minValues\\\":{\\\"a\\\":1,\\\"b\\\":2},\\\"maxValues\\\":{\\\"a\\\":9},\\\"nullCount\\\":{"
                 "\\\"a\\\":5}}\"}}\n");
    expect_open(&t, 0);
    expect_values("f=right[2,] ");
}

/* ---- many ---- */

static void put_many(int version, int from, int to) {
    buf text;
    buf_init(&text, &t.memory, 1 << 20);
    if (version == 0) buf_put(&text, STR(PROTOCOL METADATA));
    for (int i = from; i < to; i++)
        buf_printf(
            &text,
            "{\"add\":{\"path\":\"f%d\",\"partitionValues\":{\"p\":\"%d\"},\"stats\":\"{\\\"numRecords\\\":%d}\"}}\n",
            i, i % 7, i);
    buf_put_char(&text, '\0');
    table_commit(&t, version, text.ptr);
}

typedef struct tally {
    uint64_t files, records;
    size_t largest_batch, items;
} tally;

static void *tally_begin(void *context, arena *scratch) {
    (void)context;
    return ARENA_NEW(scratch, tally);
}

static lp_status tally_take(void *context, void *state, const file_batch *batch, lp_err *err) {
    (void)context;
    (void)err;
    tally *s = state;
    s->files += batch->count;
    if (batch->count > s->largest_batch) s->largest_batch = batch->count;
    for (size_t i = 0; i < batch->count; i++) s->records += (uint64_t)batch->file[i].stats.record_count;
    return LP_OK;
}

static lp_status tally_merge(void *context, void *state, lp_err *err) {
    (void)err;
    tally *sum = context, *s = state;
    sum->files += s->files;
    sum->records += s->records;
    sum->items++;
    if (s->largest_batch > sum->largest_batch) sum->largest_batch = s->largest_batch;
    return LP_OK;
}

static void test_scan__many_files_come_in_bounded_batches(void **state) {
    (void)state;
    put_many(0, 0, 3000);
    put_many(1, 2000, 4000);
    expect_open(&t, 1);
    tally sum = {0};
    scan_request request = {.want_record_count = true};
    scan_visitor v = {&sum, tally_begin, NULL, tally_take, tally_merge};
    scan_counters counters = {0};
    table_call c = {.t = &t, .request = &request, .visitor = &v, .counters = &counters};
    assert_int_equal(door_run(table_scan_body, &c, &t.err), LP_OK);
    assert_int_equal(sum.files, 4000);
    assert_int_equal(sum.records, 4000 * 3999 / 2);
    assert_int_equal(sum.items, 2);
    assert_in_range(sum.largest_batch, 1, 1024);
    assert_int_equal(counters.files_seen, 5000);
    assert_int_equal(counters.statistics_parsed, 4000);
}

static lp_status failing_take(void *context, void *state, const file_batch *batch, lp_err *err) {
    (void)context;
    (void)state;
    (void)batch;
    return err_set(err, LP_ERR_IO, "the visitor has enough");
}

static void test_scan__failure_of_the_visitor_is_passed_on_and_a_new_scan_works(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT_1, CHECKPOINT_METADATA PROTOCOL_3 METADATA ADD("a", "x"));
    expect_open(&t, 1);
    scan_request request = {0};
    scan_visitor v = {.take = failing_take};
    table_call c = {.t = &t, .request = &request, .visitor = &v};
    assert_int_equal(door_run(table_scan_body, &c, &t.err), LP_ERR_IO);
    assert_string_equal(t.err.text, "the visitor has enough");
    expect_files(&t, "a ");
}

/* ---- memory ---- */

typedef struct whole_call {
    const char *root;
    scan_visitor *visitor;
} whole_call;

/* Open and scan with statistics and partition values, all memory new. */
static lp_status open_and_scan(void *context, lp_err *err) {
    const whole_call *c = context;
    store *files;
    snapshot *s;
    pool *workers = pool_new(&t.memory, 2);
    TRY(store_open(&t.memory, str_from(c->root), &files, err));
    TRY(snapshot_open(&t.memory, files, (snapshot_options){0}, workers, &s, err));
    stats_column stats = {.column = s->schema.leaf[1], .want_bounds = true, .want_null_count = true};
    scan_request all = {.want_path = true,
                        .want_size = true,
                        .want_record_count = true,
                        .partition = s->schema.partition,
                        .partition_count = s->schema.partition_count,
                        .stats = &stats,
                        .stats_count = 1,
                        .session_zone = zone_utc()};
    scan_counters counters = {0};
    return snapshot_scan(s, &all, workers, c->visitor, &counters, err);
}

/* Every allocation fails once; each time the call ends with LP_ERR_LIMIT, and everything is given back (the sanitizers
 * look). Where a worker runs out of memory it may be another thread's allocation that was counted, so the number of
 * rounds is bounded and not exact. */
static void fail_each_allocation(const char *root) {
    tally sum = {0};
    scan_visitor v = {&sum, tally_begin, NULL, tally_take, tally_merge};
    whole_call c = {root, &v};
    for (unsigned long n = 1; n < 100000; n++) {
        arena_end(&t.memory);
        arena_fail_at(n);
        lp_err err = {0};
        lp_status status = door_run(open_and_scan, &c, &err);
        arena_fail_at(0);
        if (status == LP_OK) return;
        if (status != LP_ERR_LIMIT) fail_msg("allocation %lu: %s", n, err.text);
    }
    fail_msg("it never succeeds");
}

static void test_scan__every_allocation_may_fail_over_commits_and_a_json_checkpoint(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT_1,
              CHECKPOINT_METADATA PROTOCOL_3 METADATA ADD_STATS("f", "x", STATS("3", "1", "7", "2")) ADD_DV("g", "v"));
    table_commit(&t, 2, ADD_STATS("h", "y", STATS("3", "1", "7", "2")) REMOVE_DV("g", "v") CLUSTERING);
    table_put(&t, "_last_checkpoint", "{\"version\":1,\"size\":5}");
    fail_each_allocation(t.root);
}

/* The folder of tables that make_tables.py wrote, beside the folder of this file. */
static void test_scan__every_allocation_may_fail_over_parquet_checkpoints(void **state) {
    (void)state;
    static const char *const table[] = {"classic", "struct_only", "text_and_struct", "sidecars_parquet"};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char path[1024];
        snprintf(path, sizeof path, LAKEPROOF_TEST_DATA "/delta/%s", table[i]);
        fail_each_allocation(path);
    }
}

/* Copy a checkpoint of make_tables.py, in which the byte in front of the path `f0` is changed. */
static void put_with_changed_path(const char *from, const char *name, char first) {
    static const char wanted[] = "\x02\0\0\0f0"; /* a plain page has the length in front of each text */
    char path[1024], text[1 << 16];
    snprintf(path, sizeof path, LAKEPROOF_TEST_DATA "/delta/%s/_delta_log/%s", from, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t size = fread(text, 1, sizeof text, f);
    assert_int_equal(fclose(f), 0);
    char *at = memmem(text, size, wanted, sizeof wanted - 1);
    assert_non_null(at);
    at[4] = first;
    snprintf(path, sizeof path, "%s/_delta_log/%s", t.root, name);
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static void test_scan__path_in_a_checkpoint_that_is_not_utf8_is_an_error(void **state) {
    (void)state;
    put_with_changed_path("struct_only", "00000000000000000002.checkpoint.parquet", 'g');
    expect_open(&t, 2);
    expect_files(&t, "g0 f1 f2 f3 f4 f5/uv@1 f6 f7 ");
    put_with_changed_path("struct_only", "00000000000000000002.checkpoint.parquet", '\xF0');
    expect_open(&t, 2);
    scan_request paths = {.want_path = true};
    assert_int_equal(table_scan(&t, &paths, NULL), LP_ERR_FORMAT);
    expect_text(t.err.text, "expected paths in UTF-8");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_scan__newest_commit_first_as_written_then_the_checkpoint),
        TEST(test_scan__commits_decide_what_the_checkpoint_holds),
        TEST(test_scan__remove_without_the_vector_keeps_the_file_with_it),
        TEST(test_scan__remove_before_the_add_in_one_commit_keeps_the_vector),
        TEST(test_scan__file_removed_and_added_again_is_live_once),
        TEST(test_scan__unknown_actions_and_members_are_ignored),
        TEST(test_scan__line_that_is_not_json_is_an_error),
        TEST(test_scan__add_without_path_is_an_error),
        TEST(test_scan__two_actions_in_a_line_are_an_error),
        TEST(test_scan__vector_without_its_text_is_an_error),
        TEST(test_scan__path_in_a_checkpoint_that_is_not_utf8_is_an_error),
        TEST(test_scan__partition_values_and_statistics_of_commits),
        TEST(test_scan__partition_values_and_statistics_of_a_json_checkpoint),
        TEST(test_scan__malformed_statistics_cost_the_file_its_statistics),
        TEST(test_scan__partition_texts_that_are_missing_null_or_bare),
        TEST(test_scan__column_mapping_reads_physical_names_only),
        TEST(test_scan__many_files_come_in_bounded_batches),
        TEST(test_scan__failure_of_the_visitor_is_passed_on_and_a_new_scan_works),
        TEST(test_scan__every_allocation_may_fail_over_commits_and_a_json_checkpoint),
        TEST(test_scan__every_allocation_may_fail_over_parquet_checkpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
