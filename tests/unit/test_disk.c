/* test_disk.c - small tables whose folders hold more, less and other files than the log says.
 * Called by: ctest.  Must not know: how files are held.
 */
#include "delta/disk.h"

#include <fcntl.h>

#include "delta_table.h"

static test_table t;
static disk_report *found;
static char listed[2048];

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

static void run(const char *command) {
    char line[512];
    snprintf(line, sizeof line, "cd %s && %s", t.root, command);
    assert_int_equal(system(line), 0);
}

/* One byte a file, as ADD says, of an age in days at `NOW`. */
#define NOW (INT64_C(1700000000) * 1000)
#define DAY (INT64_C(86400) * 1000)

static void put_file(const char *name, int age_days) {
    char path[256];
    table_path(&t, name, path, sizeof path);
    int f = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(f >= 0);
    assert_int_equal(write(f, "x", 1), 1);
    struct timespec when[2] = {{NOW / 1000 - age_days * 86400, 0}, {NOW / 1000 - age_days * 86400, 0}};
    assert_int_equal(futimens(f, when), 0);
    close(f);
}

static void print_file(void *context, buf *out, const disk_file *f) {
    (void)context;
    static const char *const word[] = {"removed", "uncommitted", "cdc", "missing", "size", "outside"};
    buf_printf(out, "%s%s:" STR_FMT "%s%s", f->is_vector ? "vector-" : "", word[f->state], STR_ARG(f->path),
               f->is_vacuumed ? "!" : "", f->state == DISK_OUTSIDE && f->is_absent ? "?" : "");
}

static lp_status disk_body(void *context, lp_err *err) {
    disk_options o = {.now_ms = NOW, .list = true, .print = print_file, .separator = STR(" ")};
    (void)context;
    return disk_run(t.snapshot, t.workers, &o, &t.memory, &found, err);
}

static void expect_disk(int64_t version, const char *words) {
    expect_open(&t, version);
    if (door_run(disk_body, NULL, &t.err) != LP_OK) fail_msg("%s", t.err.text);
    lp_err err;
    size_t len = (size_t)spool_size(found->listing.text);
    assert_true(len < sizeof listed);
    if (len) assert_int_equal(spool_read(found->listing.text, 0, listed, len, &err), LP_OK);
    listed[len] = '\0';
    assert_string_equal(listed, words);
}

#define REMOVE_AT(path, days)                                                                                          \
    "{\"remove\":{\"path\":\"" path "\",\"dataChange\":true,\"deletionTimestamp\":" days "}}\n"
#define DAYS_AGO_8  "1699308800000"
#define DAYS_AGO_1  "1699913600000"
#define VECTOR      "ab^-aqEH.-t@S}K{vb[*k^"
#define VECTOR_FILE "ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin"

static void test_disk__every_file_has_its_state(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD("live", "x") ADD("old", "x") ADD("young", "x") ADD("gone", "x"));
    table_commit(&t, 1, REMOVE_AT("old", DAYS_AGO_8) REMOVE_AT("young", DAYS_AGO_1) ADD("missing", "x"));
    table_commit(&t, 2, REMOVE_AT("gone", DAYS_AGO_8));
    put_file("live", 10);
    put_file("old", 10);
    put_file("young", 10);
    put_file("stray", 10);
    put_file("stray2", 1);
    expect_disk(2, "missing:missing removed:old! uncommitted:stray! uncommitted:stray2 removed:young");
    assert_int_equal(found->live.files, 1);
    assert_int_equal(found->state[DISK_REMOVED].files, 2);
    assert_int_equal(found->vacuumed[DISK_REMOVED].files, 1);
    assert_int_equal(found->vacuumed[DISK_UNCOMMITTED].files, 1);
    assert_int_equal(found->state[DISK_MISSING].files, 1);
    assert_int_equal(found->state[DISK_MISSING].bytes, 1);
}

static void test_disk__what_was_removed_lately_stays_even_if_its_first_removal_is_old(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD("a", "x") ADD("b", "x"));
    table_commit(&t, 1, REMOVE_AT("a", DAYS_AGO_8) REMOVE("b"));
    table_commit(&t, 2, ADD("a", "x"));
    table_commit(&t, 3, REMOVE_AT("a", DAYS_AGO_1));
    put_file("a", 10);
    put_file("b", 10); /* removed without a time: long ago, as engines take it */
    expect_disk(3, "removed:a removed:b!");
}

static void test_disk__a_young_file_is_never_deleted(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD("a", "x"));
    table_commit(&t, 1, REMOVE_AT("a", DAYS_AGO_8));
    put_file("a", 3);
    expect_disk(1, "removed:a");
}

static void test_disk__hidden_names_are_no_data_but_change_data_and_partitions_are(void **state) {
    (void)state;
    table_commit(&t, 0,
                 PROTOCOL METADATA_OF("\"_p\"", FIELD("_p", "string") "," FIELD("a", "integer"))
                     ADD("_hidden/live", "x"));
    run("mkdir _hidden .cache _p=1 _change_data metadata");
    put_file("_hidden/x", 9);
    put_file("_hidden/live", 9);
    put_file(".cache/x", 9);
    put_file("_SUCCESS", 9);
    put_file("_p=1/x", 9);
    put_file("_change_data/c", 9);
    put_file("metadata/m", 9);
    expect_disk(0, "cdc:_change_data/c! uncommitted:_p=1/x!");
    assert_int_equal(found->hidden_entries, 4);
    assert_int_equal(found->live_behind_links, 1);
}

static void test_disk__vectors_are_files_too(void **state) {
    (void)state;
    table_commit(&t, 0,
                 PROTOCOL_3 METADATA ADD_DV("a", VECTOR) ADD_DV("b", VECTOR) ADD_DV("c", "^-aqEH.-t@S}K{vb[*k^"));
    run("mkdir ab");
    put_file("a", 9);
    put_file("b", 9);
    put_file("c", 9);
    put_file(VECTOR_FILE, 9);
    put_file("deletion_vector_00000000-0000-0000-0000-000000000000.bin", 9);
    expect_disk(0, "vector-missing:deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin "
                   "vector-uncommitted:deletion_vector_00000000-0000-0000-0000-000000000000.bin!");
    assert_int_equal(found->live.files, 3);
    assert_int_equal(found->live_vectors.files, 1);
    assert_int_equal(found->vectors[DISK_MISSING].files, 1);
}

static void test_disk__a_vector_that_many_files_miss_is_missing_once(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL_3 METADATA ADD_DV("a", VECTOR) ADD_DV("b", VECTOR));
    put_file("a", 9);
    put_file("b", 9);
    expect_disk(0, "vector-missing:" VECTOR_FILE);
}

static void test_disk__paths_are_decoded_once_and_absolute_ones_are_outside(void **state) {
    (void)state;
    char text[1024];
    snprintf(text, sizeof text,
             PROTOCOL METADATA ADD("p=a%%2520b/x", "x") ADD("/nowhere/y", "x") ADD("s3://b/z", "x") ADD("%s/in", "x")
                 ADD("../../etc/passwd", "x"),
             t.root);
    table_commit(&t, 0, text);
    run("mkdir p=a%20b");
    put_file("p=a%20b/x", 9);
    put_file("in", 9);
    expect_open(&t, 0);
    snprintf(text, sizeof text, "outside:/nowhere/y? outside:s3://b/z outside:%s/../../etc/passwd", t.root);
    expect_disk(0, text);
    assert_int_equal(found->live.files, 2);
    assert_int_equal(found->outside_missing, 1);
    assert_int_equal(found->outside_unseen, 1);
}

static void test_disk__links_and_special_files_neither_block_nor_lead_away(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD("link/x", "x") ADD("fifo", "x") ADD("one", "x"));
    run("mkdir _real && ln -s _real link && mkfifo fifo && ln -s / root && ln -s . again && ln -s _real/x one");
    put_file("_real/x", 9);
    expect_disk(0, "missing:fifo");
    assert_int_equal(found->live_behind_links, 1);
    assert_int_equal(found->live.files, 1);
    assert_int_equal(found->links_to_folders, 3);
    assert_int_equal(found->special_entries, 1);
}

static void test_disk__a_file_of_another_size_is_told(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD("a", "x"));
    run("printf 123 > a");
    expect_disk(0, "size:a");
    assert_int_equal(found->live.files, 1);
    assert_int_equal(found->state[DISK_OTHER_SIZE].bytes, 3);
}

static void test_disk__retention_is_a_property_and_may_be_unreadable(void **state) {
    (void)state;
    table_commit(&t, 0,
                 PROTOCOL "{\"metaData\":{\"id\":\"i\",\"schemaString\":\"\",\"partitionColumns\":[],\"configuration\":"
                          "{\"delta.deletedFileRetentionDuration\":\"interval 1 hour\"}}}\n");
    put_file("stray", 1);
    expect_disk(0, "uncommitted:stray!");
    table_commit(&t, 1,
                 "{\"metaData\":{\"id\":\"i\",\"schemaString\":\"\",\"partitionColumns\":[],\"configuration\":"
                 "{\"delta.deletedFileRetentionDuration\":\"for ever\"}}}\n");
    expect_disk(1, "uncommitted:stray");
    assert_false(found->retention_known);
}

#define CHECKPOINT_2 "00000000000000000002.checkpoint." UUID ".json"

static void test_disk__a_log_that_was_cleaned_up_tells_by_its_checkpoint(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT_2,
              CHECKPOINT_METADATA PROTOCOL_3 METADATA ADD("a", "x") ADD("b", "x") REMOVE_AT("c", DAYS_AGO_1));
    table_commit(&t, 3, REMOVE_AT("b", DAYS_AGO_8));
    put_file("a", 9);
    put_file("b", 9);
    put_file("c", 9);
    put_file("d", 9);
    expect_disk(3, "removed:b! removed:c uncommitted:d!");
}

static void test_disk__a_compaction_tells_for_commits_that_are_gone(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD("a", "x") ADD("b", "x"));
    table_put(&t, "00000000000000000001.00000000000000000002.compacted.json",
              REMOVE_AT("a", DAYS_AGO_1) REMOVE_AT("short", DAYS_AGO_8) ADD("c", "x"));
    table_commit(&t, 3, ADD("d", "x"));
    put_file("a", 9);
    put_file("b", 9);
    put_file("c", 9);
    put_file("d", 9);
    put_file("short", 9);
    put_file("stray", 9);
    expect_disk(3, "removed:a removed:short! uncommitted:stray!");
    assert_int_equal(found->live.files, 3);
}

static void test_disk__an_old_log_file_that_cannot_be_read_is_told(void **state) {
    (void)state;
    table_commit(&t, 0, "this is no commit\n");
    table_put(&t, CHECKPOINT_2, CHECKPOINT_METADATA PROTOCOL_3 METADATA ADD("a", "x"));
    table_commit(&t, 3, ADD("b", "x"));
    put_file("a", 9);
    put_file("b", 9);
    expect_disk(3, "");
    assert_int_equal(found->unreadable_log_files, 1);
    assert_int_equal(found->live.files, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_disk__every_file_has_its_state),
        TEST(test_disk__what_was_removed_lately_stays_even_if_its_first_removal_is_old),
        TEST(test_disk__a_young_file_is_never_deleted),
        TEST(test_disk__hidden_names_are_no_data_but_change_data_and_partitions_are),
        TEST(test_disk__vectors_are_files_too),
        TEST(test_disk__a_vector_that_many_files_miss_is_missing_once),
        TEST(test_disk__paths_are_decoded_once_and_absolute_ones_are_outside),
        TEST(test_disk__links_and_special_files_neither_block_nor_lead_away),
        TEST(test_disk__a_file_of_another_size_is_told),
        TEST(test_disk__retention_is_a_property_and_may_be_unreadable),
        TEST(test_disk__a_log_that_was_cleaned_up_tells_by_its_checkpoint),
        TEST(test_disk__a_compaction_tells_for_commits_that_are_gone),
        TEST(test_disk__an_old_log_file_that_cannot_be_read_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
