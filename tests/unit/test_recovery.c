/* test_recovery.c - versions that are put together again when a file of the log turns out to be damaged.
 * Called by: ctest.  Must not know: how a scan works.
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

#define CHECKPOINT(n)    "0000000000000000000" #n ".checkpoint." UUID ".json"
#define COMPACTION(x, y) "0000000000000000000" #x ".0000000000000000000" #y ".compacted.json"
#define STATE            CHECKPOINT_METADATA PROTOCOL_3 METADATA
#define SIDECAR(name)    "{\"sidecar\":{\"path\":\"" name "\",\"sizeInBytes\":1,\"modificationTime\":1}}\n"
#define BAD_ADD          "{\"add\":{\"path\":7}}\n" /* only a scan reads it */

static void expect_note(note_code code, const char *part) {
    for (const note *n = t.snapshot->notes.first; n; n = n->next)
        if (n->code == code && strstr(n->message.ptr, part)) return;
    fail_msg("no note %s with `%s`", note_code_name(code).ptr, part);
}

static void expect_scan_error(lp_status status, const char *part) {
    scan_request paths = {.want_path = true};
    assert_int_equal(table_scan(&t, &paths, NULL), status);
    expect_text(t.err.text, part);
}

static void put_commits(int count) {
    static const char *const add[] = {ADD("a", "x"), ADD("b", "x"), ADD("c", "x"), ADD("d", "x")};
    table_commit(&t, 0, PROTOCOL_3 METADATA);
    for (int i = 1; i < count; i++) table_commit(&t, i, add[(i - 1) % 4]);
}

static void test_recovery__checkpoint_damaged_late_gives_way_to_an_older_one(void **state) {
    (void)state;
    put_commits(4);
    table_put(&t, CHECKPOINT(1), STATE ADD("a", "x"));
    table_put(&t, CHECKPOINT(2), STATE ADD("a", "x") BAD_ADD);
    expect_open(&t, 3);
    assert_int_equal(t.snapshot->story->checkpoint.version, 2);
    assert_int_equal(t.snapshot->notes.count, 0);
    expect_files(&t, "c b a ");
    assert_int_equal(t.snapshot->story->checkpoint.version, 1);
    assert_int_equal(t.snapshot->story->skipped_count, 1);
    assert_int_equal(t.snapshot->story->skipped[0].reason, SKIP_DAMAGED);
    expect_note(NOTE_CHECKPOINT_SKIPPED, CHECKPOINT(2) ":5");
}

static void test_recovery__checkpoints_damaged_late_give_way_to_commits(void **state) {
    (void)state;
    put_commits(3);
    table_put(&t, CHECKPOINT(1), STATE BAD_ADD);
    table_put(&t, CHECKPOINT(2), STATE ADD("z", "x") BAD_ADD);
    expect_open(&t, 2);
    expect_files(&t, "b a ");
    assert_false(t.snapshot->story->has_checkpoint);
    assert_int_equal(t.snapshot->story->skipped_count, 2);
    assert_int_equal(t.snapshot->notes.count, 2);
    expect_files(&t, "b a "); /* and it stays that way */
    assert_int_equal(t.snapshot->notes.count, 2);
}

static void test_recovery__what_the_damaged_checkpoint_said_of_the_table_is_forgotten(void **state) {
    (void)state;
    put_commits(3);
    table_put(&t, CHECKPOINT(1),
              CHECKPOINT_METADATA PROTOCOL_3 METADATA_OF("", FIELD("other", "long")) ADD("z", "x") BAD_ADD);
    expect_open(&t, 2);
    assert_int_equal(t.snapshot->schema.leaf_count, 1);
    expect_files(&t, "b a ");
    assert_int_equal(t.snapshot->schema.leaf_count, 2);
    assert_int_equal(t.snapshot->partition_column_count, 1);
}

static void test_recovery__missing_sidecar_makes_its_checkpoint_unusable(void **state) {
    (void)state;
    put_commits(3);
    table_put(&t, CHECKPOINT(2), STATE SIDECAR("gone.parquet"));
    expect_open(&t, 2);
    assert_false(t.snapshot->story->has_checkpoint);
    expect_note(NOTE_CHECKPOINT_SKIPPED, "_sidecars/gone.parquet");
    expect_files(&t, "b a ");
}

static void test_recovery__cut_sidecar_makes_its_checkpoint_unusable(void **state) {
    (void)state;
    put_commits(3);
    table_put(&t, CHECKPOINT(2), STATE SIDECAR("cut.parquet"));
    table_put(&t, "_sidecars/cut.parquet", "PAR1 and then nothing");
    expect_open(&t, 2);
    expect_note(NOTE_CHECKPOINT_SKIPPED, "_sidecars/cut.parquet");
    expect_files(&t, "b a ");
}

static void test_recovery__nothing_left_names_the_damage_and_what_can_be_read(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT(1), STATE ADD("a", "x"));
    table_commit(&t, 2, ADD("b", "x"));
    table_put(&t, CHECKPOINT(4), STATE ADD("a", "x") BAD_ADD);
    table_commit(&t, 5, ADD("c", "x"));
    expect_open(&t, 5);
    expect_scan_error(LP_ERR_FORMAT, CHECKPOINT(4) ":5");
    expect_text(t.err.text, "versions that can be read: 1 to 2");
}

static void test_recovery__checkpoint_without_protocol_is_broken_for_good(void **state) {
    (void)state;
    put_commits(3);
    table_put(&t, CHECKPOINT(1), STATE ADD("a", "x"));
    table_put(&t, CHECKPOINT(2), CHECKPOINT_METADATA METADATA ADD("a", "x") ADD("b", "x"));
    expect_open_error(&t, LP_ERR_FORMAT, CHECKPOINT(2));
    expect_text(t.err.text, "found no protocol");
}

static void test_recovery__damaged_commit_is_an_error_with_what_can_be_read(void **state) {
    (void)state;
    put_commits(4);
    table_commit(&t, 2, "{\"metaData\":\n");
    expect_open_error(&t, LP_ERR_FORMAT, "00000000000000000002.json:1");
    expect_text(t.err.text, "versions that can be read: 0 to 1");
    assert_int_equal(table_open_at(&t, (snapshot_options){true, 1}), LP_OK);
    expect_files(&t, "a ");
}

static void test_recovery__commit_damaged_late_is_an_error_with_what_can_be_read(void **state) {
    (void)state;
    put_commits(4);
    table_commit(&t, 2, BAD_ADD);
    expect_open(&t, 3);
    expect_scan_error(LP_ERR_FORMAT, "00000000000000000002.json:1");
    expect_text(t.err.text, "versions that can be read: 0 to 1");
}

static void test_recovery__damaged_commit_below_a_checkpoint_is_no_matter(void **state) {
    (void)state;
    put_commits(4);
    table_commit(&t, 2, "no JSON\n");
    table_put(&t, CHECKPOINT(2), STATE ADD("a", "x") ADD("b", "x"));
    expect_open(&t, 3);
    expect_files(&t, "c a b ");
    assert_int_equal(t.snapshot->notes.count, 0);
}

static void test_recovery__damaged_commit_is_bridged_by_a_compaction(void **state) {
    (void)state;
    put_commits(5);
    table_commit(&t, 3, "no JSON\n");
    table_put(&t, COMPACTION(1, 2), ADD("a", "x") BAD_ADD); /* longest first takes it, and then needs 3 */
    table_put(&t, COMPACTION(2, 3), ADD("b", "x") ADD("c", "x"));
    expect_open(&t, 4);
    assert_int_equal(t.snapshot->story->compaction_count, 1);
    assert_int_equal(t.snapshot->story->compaction[0].first, 2);
    expect_files(&t, "d b c a ");
}

static void test_recovery__compaction_damaged_late_gives_way_to_its_commits(void **state) {
    (void)state;
    put_commits(4);
    table_put(&t, COMPACTION(1, 2), ADD("z", "x") BAD_ADD);
    expect_open(&t, 3);
    expect_files(&t, "c b a ");
    expect_note(NOTE_COMPACTION_SKIPPED, COMPACTION(1, 2) ":2");
    assert_int_equal(t.snapshot->story->commit_count, 4);
}

static void test_recovery__compaction_that_names_a_file_twice_is_not_believed(void **state) {
    (void)state;
    put_commits(3);
    table_put(&t, COMPACTION(1, 2), REMOVE("a") ADD("b", "x") ADD("a", "x"));
    expect_open(&t, 2);
    expect_files(&t, "b a ");
    expect_note(NOTE_COMPACTION_SKIPPED, "for the second time");
}

static void test_recovery__compaction_with_two_metadata_is_not_believed(void **state) {
    (void)state;
    put_commits(3);
    table_put(&t, COMPACTION(1, 2), METADATA METADATA_OF("", FIELD("other", "long")) ADD("z", "x"));
    expect_open(&t, 2);
    expect_note(NOTE_COMPACTION_SKIPPED, "one metaData and");
    expect_files(&t, "b a ");
}

static void test_recovery__compaction_that_lost_the_protocol_gives_way_to_its_commits(void **state) {
    (void)state;
    put_commits(3);
    table_put(&t, COMPACTION(0, 1), METADATA ADD("a", "x"));
    expect_open(&t, 2);
    expect_note(NOTE_COMPACTION_SKIPPED, "found no protocol");
    expect_files(&t, "b a ");
}

static void test_recovery__table_without_protocol_has_none_behind_its_compactions_either(void **state) {
    (void)state;
    table_commit(&t, 0, METADATA);
    table_commit(&t, 1, ADD("a", "x"));
    table_put(&t, COMPACTION(0, 1), METADATA ADD("a", "x"));
    expect_open_error(&t, LP_ERR_FORMAT, "found no protocol");
}

static void test_recovery__compaction_keeps_removes_that_cancel_older_adds(void **state) {
    (void)state;
    put_commits(4);
    table_put(&t, COMPACTION(2, 3), REMOVE("a") ADD("c", "x"));
    expect_open(&t, 3);
    expect_files(&t, "c ");
}

static void test_recovery__damaged_compaction_without_its_commits_is_an_error(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD("a", "x"));
    table_put(&t, COMPACTION(1, 3), "{\n");
    table_commit(&t, 4, ADD("b", "x"));
    expect_open_error(&t, LP_ERR_FORMAT, COMPACTION(1, 3) ":1");
    expect_text(t.err.text, "versions that can be read: 0");
}

/* The file reads well, so only its size shows that something was cut off. */
static void test_recovery__checkpoint_of_another_size_than_its_hint_says_is_damaged(void **state) {
    (void)state;
    put_commits(3);
    table_put(&t, CHECKPOINT(2), STATE ADD("a", "x"));
    table_put(&t, "_last_checkpoint",
              "{\"version\":2,\"size\":5,\"v2Checkpoint\":{\"path\":\"" CHECKPOINT(2) "\",\"sizeInBytes\":100000},"
              "\"checksum\":\"cf20d52dbed02595e0747deb3d4c8ec3\"}");
    expect_open(&t, 2);
    expect_note(NOTE_CHECKPOINT_SKIPPED, "expected 100000 bytes");
    assert_int_equal(t.snapshot->story->hint.checksum, CHECKSUM_VERIFIED);
    expect_files(&t, "b a ");
}

/* ---- the visitor's own failures ---- */

static lp_status refuse(void *context, void *state, const file_batch *batch, lp_err *err) {
    (void)context;
    (void)state;
    (void)batch;
    return err_set(err, LP_ERR_IO, "the disk is full");
}

static void test_recovery__failure_of_the_visitor_is_no_damage(void **state) {
    (void)state;
    put_commits(3);
    table_put(&t, CHECKPOINT(2), STATE ADD("a", "x") ADD("b", "x"));
    expect_open(&t, 2);
    scan_request paths = {.want_path = true};
    scan_visitor v = {.take = refuse};
    table_call c = {.t = &t, .request = &paths, .visitor = &v};
    assert_int_equal(door_run(table_scan_body, &c, &t.err), LP_ERR_IO);
    assert_string_equal(t.err.text, "the disk is full");
    assert_int_equal(t.snapshot->story->checkpoint.version, 2);
    expect_files(&t, "a b ");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_recovery__checkpoint_damaged_late_gives_way_to_an_older_one),
        TEST(test_recovery__checkpoints_damaged_late_give_way_to_commits),
        TEST(test_recovery__what_the_damaged_checkpoint_said_of_the_table_is_forgotten),
        TEST(test_recovery__missing_sidecar_makes_its_checkpoint_unusable),
        TEST(test_recovery__cut_sidecar_makes_its_checkpoint_unusable),
        TEST(test_recovery__nothing_left_names_the_damage_and_what_can_be_read),
        TEST(test_recovery__checkpoint_without_protocol_is_broken_for_good),
        TEST(test_recovery__damaged_commit_is_an_error_with_what_can_be_read),
        TEST(test_recovery__commit_damaged_late_is_an_error_with_what_can_be_read),
        TEST(test_recovery__damaged_commit_below_a_checkpoint_is_no_matter),
        TEST(test_recovery__damaged_commit_is_bridged_by_a_compaction),
        TEST(test_recovery__compaction_damaged_late_gives_way_to_its_commits),
        TEST(test_recovery__compaction_that_names_a_file_twice_is_not_believed),
        TEST(test_recovery__compaction_with_two_metadata_is_not_believed),
        TEST(test_recovery__compaction_that_lost_the_protocol_gives_way_to_its_commits),
        TEST(test_recovery__table_without_protocol_has_none_behind_its_compactions_either),
        TEST(test_recovery__compaction_keeps_removes_that_cancel_older_adds),
        TEST(test_recovery__damaged_compaction_without_its_commits_is_an_error),
        TEST(test_recovery__checkpoint_of_another_size_than_its_hint_says_is_damaged),
        TEST(test_recovery__failure_of_the_visitor_is_no_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
