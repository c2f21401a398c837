/* test_snapshot.c - from a folder to one version: what is read, what is refused, what is passed over.
 * Called by: ctest.  Must not know: statistics.
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

static void test_snapshot__reads_protocol_and_metadata(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD("f", "x"));
    expect_open(&t, 0);
    const snapshot *s = t.snapshot;
    assert_int_equal(s->protocol.min_reader_version, 1);
    assert_true(str_eq(s->table_id, STR("the-id")));
    assert_true(str_is_none(s->table_name));
    assert_int_equal(s->schema.leaf_count, 2);
    assert_int_equal(s->partition_column_count, 1);
    assert_ptr_equal(s->schema.partition[0], &s->schema.top[0]);
    assert_int_equal(s->notes.count, 0);
}

static void test_snapshot__newest_metadata_and_protocol_win(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    table_commit(&t, 1, METADATA_OF("", FIELD("a", "long")));
    table_commit(&t, 2, "{\"protocol\":{\"minReaderVersion\":2,\"minWriterVersion\":5}}\n");
    expect_open(&t, 2);
    assert_int_equal(t.snapshot->protocol.min_reader_version, 2);
    assert_int_equal(t.snapshot->schema.leaf_count, 1);
    assert_int_equal(t.snapshot->schema.partition_count, 0);
    assert_int_equal(table_open_at(&t, (snapshot_options){true, 1}), LP_OK);
    assert_int_equal(t.snapshot->protocol.min_reader_version, 1);
    assert_int_equal(table_open_at(&t, (snapshot_options){true, 0}), LP_OK);
    assert_int_equal(t.snapshot->schema.leaf_count, 2);
}

static void test_snapshot__no_log_is_no_table(void **state) {
    (void)state;
    char path[256], away[256];
    table_path(&t, "_delta_log", path, sizeof path);
    table_path(&t, "away", away, sizeof away);
    assert_int_equal(rename(path, away), 0);
    expect_open_error(&t, LP_ERR_NOT_FOUND, "not a Delta table");
}

static void test_snapshot__log_without_commits_is_no_table(void **state) {
    (void)state;
    expect_open_error(&t, LP_ERR_NOT_FOUND, "not a Delta table");
}

static void test_snapshot__version_that_does_not_exist_names_the_range(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    table_commit(&t, 1, ADD("f", "x"));
    assert_int_equal(table_open_at(&t, (snapshot_options){true, 7}), LP_ERR_NOT_FOUND);
    expect_text(t.err.text, "0 to 1");
}

static void test_snapshot__damaged_line_names_file_and_line(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA "{\"metaData\":\n");
    expect_open_error(&t, LP_ERR_FORMAT, "00000000000000000000.json:3");
}

static void test_snapshot__lacks_protocol(void **state) {
    (void)state;
    table_commit(&t, 0, METADATA);
    expect_open_error(&t, LP_ERR_FORMAT, "found no protocol");
}

static void test_snapshot__lacks_metadata_with_table_features(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL_3);
    expect_open_error(&t, LP_ERR_FORMAT, "found no metaData");
}

static void test_snapshot__old_log_without_metadata_has_no_columns(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL ADD("f", "x"));
    expect_open(&t, 0);
    assert_true(table_has_note(&t, NOTE_METADATA_ABSENT));
    assert_int_equal(t.snapshot->schema.leaf_count, 0);
}

static void test_snapshot__empty_last_commit_is_a_version_and_noted(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    table_commit(&t, 1, "");
    expect_open(&t, 1);
    assert_true(table_has_note(&t, NOTE_EMPTY_COMMIT));
    table_commit(&t, 1, "\n  \r\n\t\n");
    expect_open(&t, 1);
    assert_true(table_has_note(&t, NOTE_EMPTY_COMMIT));
}

static void test_snapshot__dangling_link_as_last_commit_is_an_error(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    char path[256];
    table_path(&t, "_delta_log/00000000000000000001.json", path, sizeof path);
    assert_int_equal(symlink("nowhere", path), 0);
    assert_int_not_equal(table_open(&t), LP_OK);
    expect_text(t.err.text, "00000000000000000001.json");
}

static void test_snapshot__fifo_as_last_commit_is_an_error(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    char path[256];
    table_path(&t, "_delta_log/00000000000000000001.json", path, sizeof path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_not_equal(table_open(&t), LP_OK);
    expect_text(t.err.text, "00000000000000000001.json");
}

static void test_snapshot__folder_as_last_commit_is_an_error(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    char path[256];
    table_path(&t, "_delta_log/00000000000000000001.json", path, sizeof path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_not_equal(table_open(&t), LP_OK);
    expect_text(t.err.text, "00000000000000000001.json");
}

/* ---- protocol ---- */

static void test_snapshot__refuses_unknown_reader_feature_by_name(void **state) {
    (void)state;
    table_commit(&t, 0,
                 "{\"protocol\":{\"minReaderVersion\":3,\"minWriterVersion\":7,\"readerFeatures\":[\"deletionVectors\","
                 "\"fooBar\"],\"writerFeatures\":[\"deletionVectors\",\"fooBar\"]}}\n" METADATA);
    expect_open_error(&t, LP_ERR_UNSUPPORTED, "fooBar");
}

static void test_snapshot__refuses_catalog_managed(void **state) {
    (void)state;
    table_commit(&t, 0,
                 "{\"protocol\":{\"minReaderVersion\":3,\"minWriterVersion\":7,\"readerFeatures\":[\"catalogManaged\"],"
                 "\"writerFeatures\":[\"catalogManaged\"]}}\n" METADATA);
    expect_open_error(&t, LP_ERR_UNSUPPORTED, "live in the catalog");
}

static void test_snapshot__refuses_reader_version_4(void **state) {
    (void)state;
    table_commit(&t, 0,
                 "{\"protocol\":{\"minReaderVersion\":4,\"minWriterVersion\":7,\"readerFeatures\":[],"
                 "\"writerFeatures\":[]}}\n" METADATA);
    expect_open_error(&t, LP_ERR_UNSUPPORTED, "reader version 4");
}

static void test_snapshot__refuses_reader_version_3_without_features(void **state) {
    (void)state;
    table_commit(&t, 0, "{\"protocol\":{\"minReaderVersion\":3,\"minWriterVersion\":7}}\n" METADATA);
    expect_open_error(&t, LP_ERR_FORMAT, "readerFeatures");
}

static void test_snapshot__lists_writer_features_that_are_not_recognized(void **state) {
    (void)state;
    table_commit(&t, 0,
                 "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":7,\"writerFeatures\":[\"appendOnly\","
                 "\"fooBar\",\"icebergCompatV3\"]}}\n" METADATA);
    expect_open(&t, 0);
    assert_int_equal(t.snapshot->unrecognized_writer_feature_count, 2);
    assert_true(str_eq(t.snapshot->unrecognized_writer_feature[0], STR("fooBar")));
}

static void test_snapshot__negotiates_with_the_protocol_of_the_version(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    table_commit(&t, 1, "{\"protocol\":{\"minReaderVersion\":9,\"minWriterVersion\":9}}\n");
    expect_open_error(&t, LP_ERR_UNSUPPORTED, "reader version 9");
    assert_int_equal(table_open_at(&t, (snapshot_options){true, 0}), LP_OK);
}

static void test_snapshot__mapping_mode_counts_only_with_the_feature(void **state) {
    (void)state;
    static const char metadata[] =
        "{\"metaData\":{\"id\":\"i\",\"schemaString\":\"{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[{\\\"name\\\":"
        "\\\"a\\\",\\\"type\\\":\\\"long\\\",\\\"nullable\\\":true,\\\"metadata\\\":{\\\"delta.columnMapping."
        "physicalName\\\":\\\"col-1\\\"}}]}\",\"partitionColumns\":[],\"configuration\":{\"delta.columnMapping.mode\":"
        "\"name\"}}}\n";
    char text[1024];
    snprintf(text, sizeof text, "%s%s", PROTOCOL, metadata);
    table_commit(&t, 0, text);
    expect_open(&t, 0);
    assert_int_equal(t.snapshot->schema.mapping, MAPPING_NONE);
    assert_true(str_eq(t.snapshot->schema.top[0].physical, STR("a")));
    snprintf(text, sizeof text, "{\"protocol\":{\"minReaderVersion\":2,\"minWriterVersion\":5}}\n%s", metadata);
    table_commit(&t, 0, text);
    expect_open(&t, 0);
    assert_int_equal(t.snapshot->schema.mapping, MAPPING_NAME);
    assert_true(str_eq(t.snapshot->schema.top[0].physical, STR("col-1")));
}

static void test_snapshot__properties_are_sorted_and_found(void **state) {
    (void)state;
    table_commit(
        &t, 0,
        PROTOCOL
        "{\"metaData\":{\"id\":\"i\",\"name\":\"n\",\"schemaString\":\"\",\"partitionColumns\":[],\"configuration\":{"
        "\"z\":\"1\",\"delta.enableDeletionVectors\":\"true\",\"a\":\"2\",\"z\":\"3\"}}}\n");
    expect_open(&t, 0);
    assert_int_equal(t.snapshot->configuration_count, 3);
    assert_true(str_eq(t.snapshot->configuration[0].key, STR("a")));
    assert_true(str_eq(snapshot_property(t.snapshot, STR("z")), STR("3")));
    assert_true(str_is_none(snapshot_property(t.snapshot, STR("y"))));
    assert_true(t.snapshot->deletion_vectors_enabled);
    assert_true(str_eq(t.snapshot->table_name, STR("n")));
}

/* ---- clustering ---- */

#define CLUSTER(text)                                                                                                  \
    "{\"domainMetadata\":{\"domain\":\"delta.clustering\",\"configuration\":\"" text "\",\"removed\":false}}\n"

static void test_snapshot__clustering_columns_are_logical_and_dotted(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA CLUSTER("{\\\"clusteringColumns\\\":[[\\\"a\\\"],[\\\"s\\\",\\\"b\\\"]]}"));
    expect_open(&t, 0);
    assert_true(t.snapshot->is_clustered);
    assert_int_equal(t.snapshot->clustering_column_count, 2);
    assert_true(str_eq(t.snapshot->clustering_column[1], STR("s.b")));
}

static void test_snapshot__removed_clustering_is_none(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA CLUSTER("{\\\"clusteringColumns\\\":[[\\\"a\\\"]]}"));
    table_commit(&t, 1,
                 "{\"domainMetadata\":{\"domain\":\"delta.clustering\",\"configuration\":\"\",\"removed\":true}}\n");
    expect_open(&t, 1);
    assert_false(t.snapshot->is_clustered);
}

static void test_snapshot__unreadable_clustering_has_no_columns(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA CLUSTER("{\\\"clusteringColumns\\\":[[\\\"a\\\"],5]}"));
    expect_open(&t, 0);
    assert_true(t.snapshot->is_clustered);
    assert_int_equal(t.snapshot->clustering_column_count, 0);
}

/* ---- checkpoints ---- */

#define CHECKPOINT_1 "00000000000000000001.checkpoint." UUID ".json"

static void test_snapshot__reads_a_json_checkpoint(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT_1, CHECKPOINT_METADATA PROTOCOL_3 METADATA ADD("f", "x"));
    expect_open(&t, 1);
    assert_int_equal(t.snapshot->notes.count, 0);
    expect_files(&t, "f ");
}

static void test_snapshot__damaged_checkpoint_gives_way_to_commits(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL_3 METADATA ADD("f", "x"));
    table_commit(&t, 1, ADD("g", "x"));
    table_put(&t, CHECKPOINT_1, CHECKPOINT_METADATA "garbage\n");
    expect_open(&t, 1);
    assert_true(table_has_note(&t, NOTE_CHECKPOINT_SKIPPED));
    expect_files(&t, "g f ");
}

static void test_snapshot__damaged_checkpoint_gives_way_to_an_older_one(void **state) {
    (void)state;
    table_put(&t, "00000000000000000000.checkpoint." UUID ".json",
              CHECKPOINT_METADATA PROTOCOL_3 METADATA ADD("f", "x"));
    table_commit(&t, 1, ADD("g", "x"));
    table_put(&t, "00000000000000000001.checkpoint.parquet", "PAR1 this is no Parquet PAR1");
    expect_open(&t, 1);
    assert_true(table_has_note(&t, NOTE_CHECKPOINT_SKIPPED));
    expect_files(&t, "g f ");
}

static void test_snapshot__damaged_checkpoint_without_another_way_is_named(void **state) {
    (void)state;
    table_commit(&t, 1, ADD("g", "x"));
    table_commit(&t, 2, ADD("h", "x"));
    table_put(&t, "00000000000000000001.checkpoint.parquet", "PAR1 this is no Parquet PAR1");
    expect_open_error(&t, LP_ERR_FORMAT, "00000000000000000001.checkpoint.parquet");
}

static void test_snapshot__checkpoint_without_metadata_is_broken_though_commits_have_it(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL_3 METADATA);
    table_commit(&t, 1, ADD("g", "x"));
    table_put(&t, CHECKPOINT_1, CHECKPOINT_METADATA PROTOCOL_3);
    expect_open_error(&t, LP_ERR_FORMAT, "found no metaData");
}

static void test_snapshot__missing_sidecar_makes_the_checkpoint_unusable(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT_1,
              CHECKPOINT_METADATA PROTOCOL_3 METADATA
              "{\"sidecar\":{\"path\":\"gone.parquet\",\"sizeInBytes\":1,\"modificationTime\":1}}\n");
    expect_open_error(&t, LP_ERR_NOT_FOUND, "gone.parquet");
    table_commit(&t, 0, PROTOCOL_3 METADATA);
    table_commit(&t, 1, ADD("g", "x"));
    expect_open(&t, 1);
    assert_true(table_has_note(&t, NOTE_CHECKPOINT_SKIPPED));
}

static void test_snapshot__sidecar_cannot_lead_out_of_its_folder(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT_1,
              CHECKPOINT_METADATA PROTOCOL_3 METADATA
              "{\"sidecar\":{\"path\":\"..%2F..%2F..%2Fetc%2Fpasswd\",\"sizeInBytes\":1,\"modificationTime\":1}}\n");
    expect_open_error(&t, LP_ERR_NOT_FOUND, "_sidecars/passwd");
}

static void test_snapshot__incomplete_checkpoint_is_noted(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    table_commit(&t, 1, ADD("g", "x"));
    table_put(&t, "00000000000000000001.checkpoint.0000000001.0000000002.parquet", "x");
    expect_open(&t, 1);
    assert_true(table_has_note(&t, NOTE_CHECKPOINT_SKIPPED));
    expect_text(t.snapshot->notes.first->message.ptr, "0000000002.0000000002.parquet is missing");
}

static void test_snapshot__hint_is_only_a_hint(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    static const char *const bad[] = {"",
                                      "no JSON",
                                      "[1]",
                                      "{}",
                                      "{\"version\":\"0\"}",
                                      "{\"version\":5,\"size\":1}",
                                      "{\"version\":0,\"size\":1}",
                                      "{\"version\":-1}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        table_put(&t, "_last_checkpoint", bad[i]);
        expect_open(&t, 0);
        assert_true(table_has_note(&t, NOTE_HINT_IGNORED));
    }
}

static void test_snapshot__stale_hint_is_beaten_by_a_newer_checkpoint(void **state) {
    (void)state;
    table_put(&t, "00000000000000000000.checkpoint." UUID ".json",
              CHECKPOINT_METADATA PROTOCOL_3 METADATA ADD("f", "x"));
    table_put(&t, CHECKPOINT_1, CHECKPOINT_METADATA PROTOCOL_3 METADATA ADD("g", "x"));
    table_put(&t, "_last_checkpoint", "{\"version\":0,\"size\":3}");
    expect_open(&t, 1);
    assert_int_equal(t.snapshot->notes.count, 0);
    expect_files(&t, "g ");
}

static void test_snapshot__commit_with_two_metadata_is_noted_and_the_last_counts(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA METADATA_OF("", FIELD("other", "long")));
    table_commit(&t, 1, PROTOCOL METADATA);
    assert_int_equal(table_open_at(&t, (snapshot_options){true, 0}), LP_OK);
    assert_true(table_has_note(&t, NOTE_COMMIT_REPEATS));
    expect_text(t.snapshot->notes.first->message.ptr, "00000000000000000000.json");
    assert_int_equal(t.snapshot->schema.leaf_count, 1);
    expect_open(&t, 1); /* where a newer commit decides, it is no matter */
    assert_int_equal(t.snapshot->notes.count, 0);
    assert_int_equal(t.snapshot->schema.leaf_count, 2);
}

static void test_snapshot__metadata_in_two_commits_is_no_repeat(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    table_commit(&t, 1, PROTOCOL METADATA ADD("a", "x") REMOVE("b"));
    expect_open(&t, 1);
    expect_files(&t, "a ");
    assert_int_equal(t.snapshot->notes.count, 0);
}

static void test_snapshot__commit_that_names_a_file_twice_is_noted_and_keeps_it(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD("a", "x") ADD("b", "x") REMOVE("b"));
    table_commit(&t, 1, ADD("a", "x"));
    expect_open(&t, 1);
    assert_int_equal(t.snapshot->notes.count, 0);
    expect_files(&t, "a b ");
    assert_true(table_has_note(&t, NOTE_COMMIT_REPEATS));
    expect_text(t.snapshot->notes.first->message.ptr, "1 commit names a file twice");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_snapshot__reads_protocol_and_metadata),
        TEST(test_snapshot__newest_metadata_and_protocol_win),
        TEST(test_snapshot__no_log_is_no_table),
        TEST(test_snapshot__log_without_commits_is_no_table),
        TEST(test_snapshot__version_that_does_not_exist_names_the_range),
        TEST(test_snapshot__damaged_line_names_file_and_line),
        TEST(test_snapshot__lacks_protocol),
        TEST(test_snapshot__lacks_metadata_with_table_features),
        TEST(test_snapshot__old_log_without_metadata_has_no_columns),
        TEST(test_snapshot__empty_last_commit_is_a_version_and_noted),
        TEST(test_snapshot__dangling_link_as_last_commit_is_an_error),
        TEST(test_snapshot__fifo_as_last_commit_is_an_error),
        TEST(test_snapshot__folder_as_last_commit_is_an_error),
        TEST(test_snapshot__refuses_unknown_reader_feature_by_name),
        TEST(test_snapshot__refuses_catalog_managed),
        TEST(test_snapshot__refuses_reader_version_4),
        TEST(test_snapshot__refuses_reader_version_3_without_features),
        TEST(test_snapshot__lists_writer_features_that_are_not_recognized),
        TEST(test_snapshot__negotiates_with_the_protocol_of_the_version),
        TEST(test_snapshot__mapping_mode_counts_only_with_the_feature),
        TEST(test_snapshot__properties_are_sorted_and_found),
        TEST(test_snapshot__clustering_columns_are_logical_and_dotted),
        TEST(test_snapshot__removed_clustering_is_none),
        TEST(test_snapshot__unreadable_clustering_has_no_columns),
        TEST(test_snapshot__reads_a_json_checkpoint),
        TEST(test_snapshot__damaged_checkpoint_gives_way_to_commits),
        TEST(test_snapshot__damaged_checkpoint_gives_way_to_an_older_one),
        TEST(test_snapshot__damaged_checkpoint_without_another_way_is_named),
        TEST(test_snapshot__checkpoint_without_metadata_is_broken_though_commits_have_it),
        TEST(test_snapshot__missing_sidecar_makes_the_checkpoint_unusable),
        TEST(test_snapshot__sidecar_cannot_lead_out_of_its_folder),
        TEST(test_snapshot__incomplete_checkpoint_is_noted),
        TEST(test_snapshot__hint_is_only_a_hint),
        TEST(test_snapshot__commit_with_two_metadata_is_noted_and_the_last_counts),
        TEST(test_snapshot__metadata_in_two_commits_is_no_repeat),
        TEST(test_snapshot__commit_that_names_a_file_twice_is_noted_and_keeps_it),
        TEST(test_snapshot__stale_hint_is_beaten_by_a_newer_checkpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
