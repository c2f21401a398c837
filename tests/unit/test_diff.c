/* test_diff.c - what is different between two versions of small tables, worked out by hand.
 * Called by: ctest.  Must not know: how keys are held.
 */
#include "delta/diff.h"

#include "delta/key_set.h"
#include "delta/type_text.h"
#include "delta_table.h"

static test_table t;
static snapshot_diff *found;
static diff_options options;
static char listed[2][512];

static int setup(void **state) {
    (void)state;
    table_new(&t);
    options = (diff_options){0};
    return 0;
}

static int teardown(void **state) {
    (void)state;
    table_end(&t);
    return 0;
}

static void print_file(void *context, buf *out, const diff_file *f) {
    (void)context;
    buf_put(out, f->file->path);
    if (f->rewritten) buf_put(out, STR("*"));
}

static void read_listing(const listing *l, char *out, size_t size) {
    lp_err err;
    size_t len = (size_t)spool_size(l->text);
    assert_true(len < size);
    if (len) assert_int_equal(spool_read(l->text, 0, out, len, &err), LP_OK);
    out[len] = '\0';
}

typedef struct diff_call {
    snapshot *before, *after;
} diff_call;

static lp_status diff_body(void *context, lp_err *err) {
    diff_call *c = context;
    return diff_run(c->before, t.workers, c->after, t.workers, &options, &t.memory, &found, err);
}

static void diff_versions(int64_t before, int64_t after) {
    diff_call c;
    assert_int_equal(table_open_at(&t, (snapshot_options){.has_version = true, .version = before}), LP_OK);
    c.before = t.snapshot;
    assert_int_equal(table_open_at(&t, (snapshot_options){.has_version = true, .version = after}), LP_OK);
    c.after = t.snapshot;
    if (door_run(diff_body, &c, &t.err) != LP_OK) fail_msg("%s", t.err.text);
    if (!options.list) return;
    read_listing(&found->removed_files, listed[0], sizeof listed[0]);
    read_listing(&found->added_files, listed[1], sizeof listed[1]);
}

static void list_files(void) {
    options = (diff_options){.list = true, .print = print_file, .separator = STR(" ")};
}

static void expect_counts(uint64_t removed, uint64_t kept, uint64_t added, uint64_t rewritten) {
    assert_int_equal(found->removed.files, removed);
    assert_int_equal(found->kept.files, kept);
    assert_int_equal(found->added.files, added);
    assert_int_equal(found->rewritten_before.files, rewritten);
    assert_int_equal(found->rewritten_after.files, rewritten);
    assert_int_equal(found->total_before.files, removed + kept);
    assert_int_equal(found->total_after.files, added + kept);
}

/* ---- files ---- */

static void test_diff__counts_and_lists_what_came_and_went(void **state) {
    (void)state;
    list_files();
    table_commit(&t, 0, PROTOCOL METADATA ADD("a", "x") ADD_STATS("b", "x", "{\\\"numRecords\\\":3}") ADD("c", "x"));
    table_commit(&t, 1, REMOVE("b") ADD_STATS("d", "x", "{\\\"numRecords\\\":5}") ADD("e", "x"));
    diff_versions(0, 1);
    expect_counts(1, 2, 2, 0);
    assert_string_equal(listed[0], "b");
    assert_string_equal(listed[1], "d e");
    assert_int_equal(found->removed.records, 3);
    assert_int_equal(found->added.records, 5);
    assert_int_equal(found->added.without_records, 1);
    assert_int_equal(found->added.bytes, 2);
}

static void test_diff__goes_the_other_way_too(void **state) {
    (void)state;
    list_files();
    table_commit(&t, 0, PROTOCOL METADATA ADD("a", "x") ADD("b", "x"));
    table_commit(&t, 1, REMOVE("b") ADD("c", "x") ADD("d", "x"));
    diff_versions(1, 0);
    expect_counts(2, 1, 1, 0);
    assert_string_equal(listed[0], "c d");
    assert_string_equal(listed[1], "b");
}

static void test_diff__of_a_version_with_itself_is_empty(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD("a", "x") ADD("b", "x"));
    diff_versions(0, 0);
    expect_counts(0, 2, 0, 0);
    assert_int_equal(found->column_count, 0);
    assert_int_equal(found->property_count, 0);
}

static void test_diff__of_an_empty_side(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    table_commit(&t, 1, ADD("a", "x"));
    diff_versions(0, 1);
    expect_counts(0, 0, 1, 0);
    diff_versions(1, 0);
    expect_counts(1, 0, 0, 0);
}

static void test_diff__another_vector_is_a_file_rewritten(void **state) {
    (void)state;
    list_files();
    table_commit(&t, 0, PROTOCOL_3 METADATA ADD("a", "x") ADD_DV("b", "v") ADD("c", "x"));
    table_commit(&t, 1, REMOVE("a") ADD_DV("a", "w") REMOVE_DV("b", "v") ADD_DV("b", "w") REMOVE("c"));
    diff_versions(0, 1);
    expect_counts(3, 0, 2, 2);
    assert_string_equal(listed[0], "a* b* c");
    assert_string_equal(listed[1], "a* b*");
    assert_int_equal(found->rewritten_before.deleted_rows, 3);
    assert_int_equal(found->rewritten_after.deleted_rows, 6);
    assert_int_equal(found->rewritten_before.with_vector, 1);
}

static void test_diff__the_same_vector_added_again_is_kept(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL_3 METADATA ADD_DV("a", "v"));
    table_commit(&t, 1, ADD_DV("a", "v"));
    diff_versions(0, 1);
    expect_counts(0, 1, 0, 0);
}

static void test_diff__a_limit_holds_for_each_listing(void **state) {
    (void)state;
    list_files();
    options.has_limit = true;
    options.limit = 2;
    table_commit(&t, 0, PROTOCOL METADATA ADD("a", "x") ADD("b", "x") ADD("c", "x"));
    table_commit(&t, 1, REMOVE("a") REMOVE("b") REMOVE("c") ADD("d", "x") ADD("e", "x"));
    table_commit(&t, 2, ADD("f", "x"));
    diff_versions(0, 2);
    expect_counts(3, 0, 3, 0);
    assert_string_equal(listed[0], "a b");
    assert_int_equal(found->removed_files.left_out, 1);
    assert_string_equal(listed[1], "f d");
    assert_int_equal(found->added_files.left_out, 1);
}

/* ---- the set ---- */

static lp_status fill_set(void *context, lp_err *err) {
    (void)err;
    key_set **s = context;
    digest_key secret = {1, 2};
    *s = key_set_new(&t.memory, true);
    for (int i = 0; i < 5000; i++) {
        str path = str_format(&t.memory, "part-%d", i);
        key_code plain = key_code_of(secret, (file_key){path, STR_NONE});
        assert_true(key_set_add(*s, plain));
        assert_false(key_set_add(*s, plain));
        *key_set_stamp(*s, plain) = i;
        if (i % 2) assert_true(key_set_add(*s, key_code_of(secret, (file_key){path, STR("uv@1")})));
    }
    return LP_OK;
}

static void test_key_set__finds_keys_and_paths_after_it_grew(void **state) {
    (void)state;
    key_set *s = NULL;
    digest_key secret = {1, 2};
    assert_int_equal(door_run(fill_set, &s, &t.err), LP_OK);
    assert_int_equal(key_set_count(s), 7500);
    key_code plain = key_code_of(secret, (file_key){STR("part-7"), STR_NONE});
    key_code vector = key_code_of(secret, (file_key){STR("part-7"), STR("uv@1")});
    key_code other = key_code_of(secret, (file_key){STR("part-7"), STR("uw@1")});
    key_code absent = key_code_of(secret, (file_key){STR("part-5000"), STR_NONE});
    assert_true(key_set_mark(s, plain, KEY_MARK_ONE));
    assert_false(key_set_mark(s, other, KEY_MARK_ONE));
    assert_true(key_set_mark_path(s, other, KEY_MARK_TWO));
    assert_false(key_set_mark_path(s, absent, KEY_MARK_TWO));
    assert_int_equal(key_set_marks(s, plain), KEY_MARK_ONE | KEY_MARK_TWO);
    assert_int_equal(key_set_marks(s, vector), KEY_MARK_TWO);
    assert_int_equal(key_set_marks(s, other), 0);
    assert_int_equal(key_set_marks(s, absent), 0);
    assert_int_equal(*key_set_stamp(s, plain), 7);
    assert_null(key_set_stamp(s, absent));
}

/* ---- the schema ---- */

#define MAPPED "{\"protocol\":{\"minReaderVersion\":2,\"minWriterVersion\":5}}\n"
#define NAMED(name, physical, type)                                                                                    \
    "{\\\"name\\\":\\\"" name "\\\",\\\"type\\\":" type                                                                \
    ",\\\"nullable\\\":true,\\\"metadata\\\":{\\\"delta.columnMapping.id\\\":1,"                                       \
    "\\\"delta.columnMapping.physicalName\\\":\\\"" physical "\\\"}}"
#define PLAIN(name, type, nullable)                                                                                    \
    "{\\\"name\\\":\\\"" name "\\\",\\\"type\\\":" type ",\\\"nullable\\\":" nullable ",\\\"metadata\\\":{}}"
#define INTEGER        "\\\"integer\\\""
#define LONG           "\\\"long\\\""
#define STRUCT(fields) "{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[" fields "]}"
#define ARRAY(element) "{\\\"type\\\":\\\"array\\\",\\\"elementType\\\":" element ",\\\"containsNull\\\":false}"
#define METADATA_WITH(partition, fields, configuration)                                                                \
    "{\"metaData\":{\"id\":\"the-id\",\"format\":{\"provider\":\"parquet\",\"options\":{}},\"schemaString\":\"{"       \
    "\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[" fields "]}\",\"partitionColumns\":[" partition                      \
    "],\"configuration\":{" configuration "}}}\n"
#define BY_NAME "\"delta.columnMapping.mode\":\"name\""

static void expect_column(size_t i, const char *before, const char *after) {
    assert_true(i < found->column_count);
    const column *b = found->column[i].before, *a = found->column[i].after;
    char text[128];
    if (b) assert_true(snprintf(text, sizeof text, STR_FMT, STR_ARG(b->name)) >= 0 && strcmp(text, before) == 0);
    if (a) assert_true(snprintf(text, sizeof text, STR_FMT, STR_ARG(a->name)) >= 0 && strcmp(text, after) == 0);
    assert_int_equal(b != NULL, before != NULL);
    assert_int_equal(a != NULL, after != NULL);
}

static void test_diff_schema__a_rename_is_told_by_the_physical_name(void **state) {
    (void)state;
    table_commit(&t, 0, MAPPED METADATA_WITH("", NAMED("a", "c1", INTEGER) "," NAMED("b", "c2", INTEGER), BY_NAME));
    table_commit(&t, 1, METADATA_WITH("", NAMED("b", "c1", INTEGER) "," NAMED("a", "c3", INTEGER), BY_NAME));
    diff_versions(0, 1);
    assert_int_equal(found->column_count, 3);
    expect_column(0, "a", "b");
    assert_true(found->column[0].renamed && !found->column[0].retyped);
    expect_column(1, NULL, "a");
    expect_column(2, "b", NULL);
}

static void test_diff_schema__without_mapping_a_rename_is_a_drop_and_an_add(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA_WITH("", PLAIN("a", INTEGER, "true"), ""));
    table_commit(&t, 1, METADATA_WITH("", PLAIN("b", INTEGER, "true"), ""));
    diff_versions(0, 1);
    assert_int_equal(found->column_count, 2);
    expect_column(0, NULL, "b");
    expect_column(1, "a", NULL);
}

static void test_diff_schema__types_and_nullability(void **state) {
    (void)state;
    table_commit(&t, 0,
                 PROTOCOL METADATA_WITH("",
                                        PLAIN("a", INTEGER, "true") "," PLAIN("b", LONG, "true") "," PLAIN(
                                            "c", INTEGER, "false") "," PLAIN("d", "\\\"decimal(5,2)\\\"", "true"),
                                        ""));
    table_commit(&t, 1,
                 METADATA_WITH("",
                               PLAIN("a", LONG, "true") "," PLAIN("b", INTEGER, "true") "," PLAIN(
                                   "c", INTEGER, "true") "," PLAIN("d", "\\\"decimal(7,3)\\\"", "true"),
                               ""));
    diff_versions(0, 1);
    assert_int_equal(found->column_count, 4);
    expect_column(0, "a", "a");
    assert_true(found->column[0].retyped && found->column[0].widened);
    assert_true(str_eq(found->column[0].type_before, STR("integer")));
    assert_true(str_eq(found->column[0].type_after, STR("long")));
    assert_true(found->column[1].retyped && !found->column[1].widened);
    assert_true(found->column[2].nullability && !found->column[2].retyped);
    assert_true(found->column[3].retyped && found->column[3].widened);
}

static void test_diff_schema__goes_into_structs_and_reads_types_inside_of_arrays(void **state) {
    (void)state;
    table_commit(&t, 0,
                 PROTOCOL METADATA_WITH("",
                                        PLAIN("s", STRUCT(PLAIN("x", INTEGER, "true")), "true") "," PLAIN(
                                            "l", ARRAY(STRUCT(PLAIN("y", INTEGER, "false"))), "true"),
                                        ""));
    table_commit(&t, 1,
                 METADATA_WITH("",
                               PLAIN("s", STRUCT(PLAIN("x", INTEGER, "true") "," PLAIN("z", ARRAY(LONG), "true")),
                                     "true") "," PLAIN("l", ARRAY(STRUCT(PLAIN("y", LONG, "false"))), "true"),
                               ""));
    diff_versions(0, 1);
    assert_int_equal(found->column_count, 2);
    expect_column(0, NULL, "z");
    assert_true(str_eq(found->column[0].type_after, STR("array<long not null>")));
    expect_column(1, "l", "l");
    assert_true(str_eq(found->column[1].type_before, STR("array<struct<y: integer not null> not null>")));
    assert_true(str_eq(found->column[1].type_after, STR("array<struct<y: long not null> not null>")));
    assert_false(found->column[1].widened);
}

static void test_diff_schema__keys_of_a_type_in_another_order_are_no_change(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA_WITH("", PLAIN("l", ARRAY(LONG), "true"), ""));
    table_commit(&t, 1,
                 METADATA_WITH("",
                               PLAIN("l",
                                     "{ \\\"containsNull\\\":false, \\\"elementType\\\":\\\"long\\\", "
                                     "\\\"type\\\":\\\"array\\\"}",
                                     "true"),
                               ""));
    diff_versions(0, 1);
    assert_int_equal(found->column_count, 0);
}

static void test_diff_schema__a_map_says_what_its_values_are(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    table_commit(&t, 1,
                 METADATA_WITH("\"p\"",
                               PLAIN("p", "\\\"string\\\"", "true") "," PLAIN("a", INTEGER, "true") "," PLAIN(
                                   "m",
                                   "{\\\"type\\\":\\\"map\\\",\\\"keyType\\\":\\\"string\\\",\\\"valueType\\\":"
                                   "\\\"long\\\",\\\"valueContainsNull\\\":true}",
                                   "true"),
                               ""));
    diff_versions(0, 1);
    assert_int_equal(found->column_count, 1);
    assert_true(str_eq(found->column[0].type_after, STR("map<string, long>")));
    assert_false(found->partitioning_changed);
}

/* ---- the rest of the metadata ---- */

static void test_diff_metadata__protocol_features_properties_and_partitioning(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA_WITH("\"p\"", FIELD("p", "string"), "\"a\":\"1\",\"b\":\"2\",\"c\":\"\""));
    table_commit(&t, 1, PROTOCOL_3 METADATA_WITH("", FIELD("p", "string"), "\"b\":\"3\",\"c\":\"\",\"d\":\"\""));
    diff_versions(0, 1);
    assert_true(found->reader_version_changed && found->writer_version_changed);
    assert_true(found->partitioning_changed);
    assert_false(found->table_id_changed || found->clustering_changed);
    assert_int_equal(found->reader_feature_count, 2);
    assert_true(str_eq(found->reader_feature[0].after, STR("deletionVectors")));
    assert_true(str_is_none(found->reader_feature[0].before));
    assert_int_equal(found->writer_feature_count, 2);
    assert_int_equal(found->property_count, 3);
    assert_true(str_eq(found->property[0].name, STR("a")) && str_is_none(found->property[0].after));
    assert_true(str_eq(found->property[1].before, STR("2")) && str_eq(found->property[1].after, STR("3")));
    assert_true(str_eq(found->property[2].name, STR("d")) && str_is_none(found->property[2].before));
    assert_true(found->property[2].after.ptr && found->property[2].after.len == 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_diff__counts_and_lists_what_came_and_went),
        TEST(test_diff__goes_the_other_way_too),
        TEST(test_diff__of_a_version_with_itself_is_empty),
        TEST(test_diff__of_an_empty_side),
        TEST(test_diff__another_vector_is_a_file_rewritten),
        TEST(test_diff__the_same_vector_added_again_is_kept),
        TEST(test_diff__a_limit_holds_for_each_listing),
        TEST(test_key_set__finds_keys_and_paths_after_it_grew),
        TEST(test_diff_schema__a_rename_is_told_by_the_physical_name),
        TEST(test_diff_schema__without_mapping_a_rename_is_a_drop_and_an_add),
        TEST(test_diff_schema__types_and_nullability),
        TEST(test_diff_schema__goes_into_structs_and_reads_types_inside_of_arrays),
        TEST(test_diff_schema__keys_of_a_type_in_another_order_are_no_change),
        TEST(test_diff_schema__a_map_says_what_its_values_are),
        TEST(test_diff_metadata__protocol_features_properties_and_partitioning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
