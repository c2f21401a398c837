/* test_table_state.c - what a snapshot says besides files: domains, transactions, row tracking, its commit.
 * Called by: ctest.  Must not know: files, statistics.
 */
#include "delta_table.h"

#include "delta/commit_info.h"

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

#define TXN(app, version) "{\"txn\":{\"appId\":\"" app "\",\"version\":" #version ",\"lastUpdated\":1" #version "}}\n"
#define DOMAIN(name, text, removed)                                                                                    \
    "{\"domainMetadata\":{\"domain\":\"" name "\",\"configuration\":\"" text "\",\"removed\":" removed "}}\n"
#define CHECKPOINT(version) "0000000000000000000" #version ".checkpoint." UUID ".json"

static void expect_transaction(size_t i, const char *app, int64_t version) {
    assert_true(i < t.snapshot->transaction_count);
    const table_transaction *is = &t.snapshot->transaction[i];
    assert_true(str_eq(is->app_id, str_from(app)));
    assert_int_equal(is->version, version);
}

static void test_table_state__the_newest_transaction_of_each_application_counts_also_when_it_goes_back(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA TXN("b", 5) TXN("a", 1));
    table_commit(&t, 1, TXN("b", 3));
    expect_open(&t, 1);
    assert_int_equal(t.snapshot->transaction_count, 2);
    expect_transaction(0, "a", 1);
    expect_transaction(1, "b", 3);
    assert_int_equal(t.snapshot->transaction[1].last_updated_ms, 13);
}

static void test_table_state__transactions_of_a_checkpoint_count_where_no_commit_has_newer_ones(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT(1), CHECKPOINT_METADATA PROTOCOL_3 METADATA TXN("a", 1) TXN("b", 1));
    table_commit(&t, 2, TXN("b", 2));
    expect_open(&t, 2);
    assert_int_equal(t.snapshot->transaction_count, 2);
    expect_transaction(0, "a", 1);
    expect_transaction(1, "b", 2);
}

static void test_table_state__a_transaction_that_makes_no_sense_is_none(void **state) {
    (void)state;
    table_commit(&t, 0,
                 PROTOCOL METADATA
                 "{\"txn\":{\"appId\":\"a\"}}\n{\"txn\":{\"version\":1}}\n{\"txn\":{\"appId\":[],\"version\":{}}}\n");
    expect_open(&t, 0);
    assert_int_equal(t.snapshot->transaction_count, 0);
}

static void test_table_state__domains_are_sorted_and_removed_ones_are_gone(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT(1),
              CHECKPOINT_METADATA PROTOCOL_3 METADATA DOMAIN("z", "old", "false") DOMAIN("y", "kept", "false"));
    table_commit(&t, 2, DOMAIN("z", "", "true") DOMAIN("a", "new", "false"));
    expect_open(&t, 2);
    assert_int_equal(t.snapshot->domain_count, 2);
    assert_true(str_eq(t.snapshot->domain[0].name, STR("a")));
    assert_true(str_eq(t.snapshot->domain[1].name, STR("y")));
    assert_true(str_eq(t.snapshot->domain[1].configuration, STR("kept")));
}

#define TRACKING "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":7,\"writerFeatures\":[\"rowTracking\"]}}\n"

static void test_table_state__row_tracking_needs_feature_and_property(void **state) {
    (void)state;
    table_commit(
        &t, 0, TRACKING METADATA DOMAIN("delta.rowTracking", "{\\\"x\\\":{},\\\"rowIdHighWaterMark\\\":41}", "false"));
    expect_open(&t, 0);
    const row_tracking *r = &t.snapshot->row_tracking;
    assert_true(r->is_supported);
    assert_false(r->is_enabled);
    assert_true(r->has_high_water_mark);
    assert_int_equal(r->high_water_mark, 41);
}

static void test_table_state__a_high_water_mark_that_cannot_be_read_is_none(void **state) {
    (void)state;
    static const char *const text[] = {"", "{", "[]", "{\\\"rowIdHighWaterMark\\\":\\\"1\\\"}",
                                       "{\\\"rowIdHighWaterMark\\\":1.5}"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        char commit[2048];
        snprintf(commit, sizeof commit,
                 "%s%s{\"domainMetadata\":{\"domain\":\"delta.rowTracking\",\"configuration\":\"%s\"}}\n", TRACKING,
                 METADATA, text[i]);
        table_commit(&t, 0, commit);
        expect_open(&t, 0);
        assert_false(t.snapshot->row_tracking.has_high_water_mark);
    }
}

/* ---- the commit ---- */

typedef struct info_call {
    bool found;
    commit_info info;
} info_call;

static lp_status info_body(void *context, lp_err *err) {
    (void)err;
    info_call *c = context;
    c->found = commit_info_read(t.snapshot->files, STR("_delta_log/00000000000000000000.json"), &t.memory, &c->info);
    return LP_OK;
}

static info_call read_info(void) {
    info_call c = {0};
    lp_err err;
    assert_int_equal(door_run(info_body, &c, &err), LP_OK);
    return c;
}

static void test_table_state__commit_info_may_stand_anywhere(void **state) {
    (void)state;
    table_commit(
        &t, 0, PROTOCOL METADATA ADD("a", "x") "{\"commitInfo\":{\"operation\":\"MERGE\",\"inCommitTimestamp\":12}}\n");
    expect_open(&t, 0);
    info_call c = read_info();
    assert_true(c.found);
    assert_true(str_eq(c.info.operation, STR("MERGE")));
    assert_true(c.info.has_in_commit_timestamp && c.info.in_commit_timestamp_ms == 12);
    assert_false(c.info.has_timestamp);
}

static void test_table_state__a_commit_without_or_with_damage_has_no_commit_info(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    expect_open(&t, 0);
    assert_false(read_info().found);
    table_commit(&t, 0, "{\"x\":\n{\"commitInfo\":{\"operation\":\"MERGE\"}}\n");
    assert_false(read_info().found);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_table_state__the_newest_transaction_of_each_application_counts_also_when_it_goes_back),
        TEST(test_table_state__transactions_of_a_checkpoint_count_where_no_commit_has_newer_ones),
        TEST(test_table_state__a_transaction_that_makes_no_sense_is_none),
        TEST(test_table_state__domains_are_sorted_and_removed_ones_are_gone),
        TEST(test_table_state__row_tracking_needs_feature_and_property),
        TEST(test_table_state__a_high_water_mark_that_cannot_be_read_is_none),
        TEST(test_table_state__commit_info_may_stand_anywhere),
        TEST(test_table_state__a_commit_without_or_with_damage_has_no_commit_info),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
