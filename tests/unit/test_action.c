/* test_action.c - one line of a commit to one action.
 * Called by: ctest.  Must not know: files, which actions win.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/door.h"
#include "delta/action.h"

static arena memory;
static action a;
static lp_err err;

static int setup(void **state) {
    (void)state;
    arena_init(&memory, 0);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_end(&memory);
    return 0;
}

static lp_status parse_body(void *context, lp_err *e) {
    const char *line = context;
    size_t len = strlen(line);
    char *copy = arena_alloc(&memory, len + JSON_PADDING);
    memcpy(copy, line, len);
    static const str partition[] = {{"p", 1}, {"q", 1}};
    const action_want *want = action_want_new(&memory, partition, 2);
    line_place at = {STR("x.json"), 7};
    return action_parse(json_reader_new(&memory), (str){copy, len}, want, at, &memory, &a, e);
}

static void expect_action(const char *line, action_kind kind) {
    if (door_run(parse_body, (void *)(uintptr_t)line, &err) != LP_OK) fail_msg("%s", err.text);
    assert_int_equal(a.kind, kind);
}

static void expect_error(const char *line, const char *part) {
    assert_int_equal(door_run(parse_body, (void *)(uintptr_t)line, &err), LP_ERR_FORMAT);
    if (strncmp(err.text, "x.json:7: ", 10) != 0 || !strstr(err.text, part))
        fail_msg("expected `%s` in `%s`", part, err.text);
}

static void test_action__add(void **state) {
    (void)state;
    expect_action("{\"add\":{\"path\":\"a%20b\\u002f\",\"partitionValues\":{\"q\":\"2\",\"r\":\"3\",\"p\":null},"
                  "\"size\":12,\"stats\":\"{\\\"a\\\":1}\",\"tags\":{\"x\":\"y\"},\"dataChange\":true}}",
                  ACTION_ADD);
    const file_action *f = &a.file;
    assert_true(str_eq(f->key.path, STR("a%20b/")));
    assert_true(str_is_none(f->key.dv_id));
    assert_false(f->has_dv);
    assert_int_equal(f->size_bytes, 12);
    assert_true(f->partition[0].present && str_is_none(f->partition[0].text));
    assert_true(f->partition[1].present && str_eq(f->partition[1].text, STR("2")));
    assert_true(f->has_stats && f->stats.escaped);
    assert_true(str_eq(f->stats.text, STR("{\\\"a\\\":1}")));
}

static void test_action__add_with_odd_sizes_and_statistics(void **state) {
    (void)state;
    expect_action("{\"add\":{\"path\":\"a\",\"size\":-5,\"stats\":null}}", ACTION_ADD);
    assert_int_equal(a.file.size_bytes, -1);
    assert_false(a.file.has_stats);
    expect_action("{\"add\":{\"path\":\"a\",\"size\":\"5\",\"stats\":{\"numRecords\":1},\"partitionValues\":null}}",
                  ACTION_ADD);
    assert_int_equal(a.file.size_bytes, -1);
    assert_false(a.file.has_stats);
    assert_false(a.file.partition[0].present);
    expect_action("{\"add\":{\"path\":\"a\",\"size\":9223372036854775807}}", ACTION_ADD);
    assert_true(a.file.size_bytes == INT64_MAX);
}

static void test_action__vector_ids(void **state) {
    (void)state;
    expect_action("{\"remove\":{\"path\":\"a\",\"deletionVector\":{\"storageType\":\"u\",\"pathOrInlineDv\":\"xy\","
                  "\"offset\":0,\"cardinality\":4,\"sizeInBytes\":9}}}",
                  ACTION_REMOVE);
    assert_true(a.file.has_dv);
    assert_true(str_eq(a.file.key.dv_id, STR("uxy@0")));
    assert_int_equal(a.file.dv_cardinality, 4);
    expect_action("{\"remove\":{\"path\":\"a\",\"deletionVector\":{\"storageType\":\"i\",\"pathOrInlineDv\":"
                  "\"x\\u0000y\",\"offset\":null,\"cardinality\":-4}}}",
                  ACTION_REMOVE);
    assert_int_equal(a.file.key.dv_id.len, 4);
    assert_int_equal(a.file.dv_cardinality, -1);
    expect_action("{\"remove\":{\"path\":\"a\",\"deletionVector\":{\"storageType\":\"u\",\"pathOrInlineDv\":\"xy\"},"
                  "\"deletionVector\":null}}",
                  ACTION_REMOVE);
    assert_false(a.file.has_dv);
    assert_true(str_is_none(a.file.key.dv_id));
}

static void test_action__metadata(void **state) {
    (void)state;
    expect_action("{\"metaData\":{\"id\":\"i\",\"name\":null,\"schemaString\":\"{}\",\"partitionColumns\":[\"p\",\"q\"]"
                  ",\"configuration\":{\"a\":\"1\",\"b\":null,\"c\":true,\"d\":5,\"e\":{\"x\":1}},\"format\":{"
                  "\"provider\":\"parquet\",\"options\":{}}}}",
                  ACTION_METADATA);
    assert_true(str_is_none(a.metadata.name));
    assert_int_equal(a.metadata.partition_column_count, 2);
    assert_int_equal(a.metadata.configuration_count, 3);
    assert_true(str_eq(a.metadata.configuration[3], STR("true")));
    assert_true(str_eq(a.metadata.configuration[5], STR("5")));
}

static void test_action__protocol(void **state) {
    (void)state;
    expect_action("{\"protocol\":{\"minReaderVersion\":3,\"minWriterVersion\":7,\"readerFeatures\":[],"
                  "\"writerFeatures\":[\"a\"]}}",
                  ACTION_PROTOCOL);
    assert_true(a.protocol.has_reader_features);
    assert_int_equal(a.protocol.writer_feature_count, 1);
    expect_action("{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2,\"readerFeatures\":null}}",
                  ACTION_PROTOCOL);
    assert_false(a.protocol.has_reader_features);
    expect_error("{\"protocol\":{\"minReaderVersion\":1}}", "\"minWriterVersion\" in \"protocol\"");
    expect_error("{\"protocol\":{\"minReaderVersion\":\"1\",\"minWriterVersion\":2}}", "\"minReaderVersion\"");
    expect_error("{\"protocol\":{\"minReaderVersion\":3,\"minWriterVersion\":7,\"readerFeatures\":[5]}}",
                 "readerFeatures");
    expect_error("{\"protocol\":{\"minReaderVersion\":3,\"minWriterVersion\":7,\"readerFeatures\":\"x\"}}",
                 "readerFeatures");
}

static void test_action__others(void **state) {
    (void)state;
    expect_action("{\"domainMetadata\":{\"domain\":\"d\",\"configuration\":\"{}\",\"removed\":true}}",
                  ACTION_DOMAIN_METADATA);
    assert_true(a.domain.removed);
    expect_action("{\"commitInfo\":{\"inCommitTimestamp\":1700000000000,\"operationParameters\":{\"x\":[{}]}}}",
                  ACTION_COMMIT_INFO);
    assert_true(a.commit_info.has_in_commit_timestamp);
    assert_true(a.commit_info.in_commit_timestamp_ms == 1700000000000);
    expect_action("{\"sidecar\":{\"path\":\"s.parquet\",\"sizeInBytes\":1}}", ACTION_SIDECAR);
    assert_true(str_eq(a.sidecar_path, STR("s.parquet")));
    expect_action("{\"checkpointMetadata\":{\"version\":1}}", ACTION_CHECKPOINT_METADATA);
    expect_action("{\"txn\":{\"appId\":\"a\",\"version\":1},\"new\":5}", ACTION_TRANSACTION);
    expect_action("{}", ACTION_NONE);
    expect_action("{\"add\":null}", ACTION_NONE);
}

static void test_action__commit_info_keeps_objects_as_written(void **state) {
    (void)state;
    expect_action("{\"commitInfo\":{\"timestamp\":5,\"operation\":\"WRITE\",\"engineInfo\":\"e\\u0031\","
                  "\"operationParameters\":{ \"mode\" : \"[\\\"x\\\"]\", \"n\":[1,{}] },\"operationMetrics\":\"none\"}}",
                  ACTION_COMMIT_INFO);
    assert_true(a.commit_info.has_timestamp && a.commit_info.timestamp_ms == 5);
    assert_true(str_eq(a.commit_info.operation, STR("WRITE")));
    assert_true(str_eq(a.commit_info.engine, STR("e1")));
    assert_true(str_eq(a.commit_info.parameters, STR("{ \"mode\" : \"[\\\"x\\\"]\", \"n\":[1,{}] }")));
    assert_true(str_is_none(a.commit_info.metrics));
    assert_true(str_is_none(a.commit_info.user));
}

static void test_action__transactions(void **state) {
    (void)state;
    expect_action("{\"txn\":{\"appId\":\"a\",\"version\":7,\"lastUpdated\":9,\"x\":[]}}", ACTION_TRANSACTION);
    assert_true(str_eq(a.transaction.app_id, STR("a")));
    assert_true(a.transaction.has_version && a.transaction.version == 7);
    assert_true(a.transaction.has_last_updated && a.transaction.last_updated_ms == 9);
    expect_action("{\"txn\":{\"appId\":5,\"version\":\"7\"}}", ACTION_TRANSACTION); /* it decides no file: no error */
    assert_true(str_is_none(a.transaction.app_id));
    assert_false(a.transaction.has_version);
    assert_false(action_is_plainly_of_file(STR("{\"txn\":{")));
}

static void test_action__damage_is_named_with_its_place(void **state) {
    (void)state;
    expect_error("[]", "expected an object");
    expect_error("{\"add\":5}", "expected an object for \"add\", found a number");
    expect_error("{\"add\":{}}", "\"path\" in \"add\"");
    expect_error("{\"add\":{\"path\":\"\"}}", "\"path\" in \"add\"");
    expect_error("{\"add\":{\"path\":5}}", "a string as path");
    expect_error("{\"add\":{\"path\":\"a\",\"partitionValues\":[]}}", "partitionValues");
    expect_error("{\"add\":{\"path\":\"a\",\"deletionVector\":5}}", "deletionVector");
    expect_error("{\"add\":{\"path\":\"a\",\"deletionVector\":{\"pathOrInlineDv\":\"x\"}}}", "storageType");
    expect_error("{\"add\":{\"path\":\"a\"}", "not JSON");
    expect_error("{\"add\":{\"path\":\"a\"}}}", "not JSON");
    expect_error("{\"new\":tru}", "not JSON");
    expect_error("{\"domainMetadata\":{}}", "\"domain\"");
    expect_error("{\"sidecar\":{}}", "\"path\" in \"sidecar\"");
    expect_error("{\"add\":{\"path\":\"a\"},\"metaData\":{}}", "found \"add\" and \"metaData\"");
    expect_error("\xff", "not JSON");
}

static void test_action__plain_file_lines_are_told_by_their_first_key(void **state) {
    (void)state;
    assert_true(action_is_plainly_of_file(STR("{\"add\":{\"path\"")));
    assert_true(action_is_plainly_of_file(STR("{\"commitInfo\":{")));
    assert_false(action_is_plainly_of_file(STR("{\"add\":null,\"metaData\":{}}")));
    assert_false(action_is_plainly_of_file(STR("{ \"add\":{}}")));
    assert_false(action_is_plainly_of_file(STR("{\"metaData\":{")));
    assert_false(action_is_plainly_of_file(STR("{\"domainMetadata\":{")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_action__add),
        TEST(test_action__add_with_odd_sizes_and_statistics),
        TEST(test_action__vector_ids),
        TEST(test_action__metadata),
        TEST(test_action__protocol),
        TEST(test_action__others),
        TEST(test_action__commit_info_keeps_objects_as_written),
        TEST(test_action__transactions),
        TEST(test_action__damage_is_named_with_its_place),
        TEST(test_action__plain_file_lines_are_told_by_their_first_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
