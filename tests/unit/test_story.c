/* test_story.c - what a snapshot tells about the files it was read from.
 * Called by: ctest.  Must not know: how it is printed.
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

#define CHECKPOINT(n) "0000000000000000000" #n ".checkpoint." UUID ".json"
#define STATE         CHECKPOINT_METADATA PROTOCOL_3 METADATA

static const story *story_of(int64_t version) {
    expect_open(&t, version);
    return t.snapshot->story;
}

static void expect_str(str found, const char *expected) {
    if (!str_eq(found, str_from(expected))) fail_msg("expected `%s`, found `" STR_FMT "`", expected, STR_ARG(found));
}

static void test_story__commits_alone(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    table_commit(&t, 1, ADD("a", "x"));
    const story *s = story_of(1);
    assert_int_equal(s->hint.state, HINT_ABSENT);
    assert_false(s->has_checkpoint);
    assert_int_equal(s->skipped_count, 0);
    assert_int_equal(s->commit_count, 2);
    assert_int_equal(s->first_commit, 0);
    assert_int_equal(s->last_commit, 1);
    assert_int_equal(s->versions_behind_checkpoint, 2);
    assert_int_equal(s->range_count, 1);
    assert_int_equal(s->range[0].first, 0);
    assert_int_equal(s->range[0].last, 1);
}

static void test_story__checkpoint_that_the_hint_names(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT(1), STATE ADD("a", "x"));
    table_commit(&t, 2, ADD("b", "x"));
    table_commit(&t, 3, ADD("c", "x"));
    table_put(&t, "_last_checkpoint", "{\"version\":1,\"size\":3}");
    const story *s = story_of(3);
    assert_int_equal(s->hint.state, HINT_GOOD);
    assert_true(s->hint.has_version);
    assert_int_equal(s->hint.version, 1);
    assert_int_equal(s->hint.checksum, CHECKSUM_ABSENT);
    assert_true(s->has_checkpoint);
    assert_int_equal(s->checkpoint.version, 1);
    assert_int_equal(s->checkpoint.kind, LOG_CHECKPOINT_UUID);
    assert_true(s->checkpoint.is_json);
    assert_int_equal(s->checkpoint.file_count, 1);
    expect_str(s->checkpoint.file[0], CHECKPOINT(1));
    assert_int_equal(s->checkpoint.sidecar_count, 0);
    assert_int_equal(s->checkpoint.choice, CHOICE_NEWEST);
    assert_true(s->checkpoint.is_named_by_hint);
    assert_int_equal(s->first_commit, 2);
    assert_int_equal(s->last_commit, 3);
    assert_int_equal(s->versions_behind_checkpoint, 2);
}

static void test_story__hint_that_names_nothing_is_ignored_with_the_reason(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    table_put(&t, "_last_checkpoint", "{\"version\":0,\"size\":3}");
    const story *s = story_of(0);
    assert_int_equal(s->hint.state, HINT_IGNORED);
    assert_true(s->hint.has_version);
    expect_str(s->hint.why, "_last_checkpoint names a checkpoint of version 0 that is not there or not complete");
    assert_true(table_has_note(&t, NOTE_HINT_IGNORED));
}

static void test_story__checkpoints_passed_over_newest_first_with_reasons(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) table_commit(&t, i, i == 0 ? PROTOCOL METADATA : ADD("a", "x"));
    table_put(&t, CHECKPOINT(1), STATE);
    table_put(&t, "00000000000000000002.checkpoint.parquet", "");
    table_put(&t, "00000000000000000003.checkpoint.0000000001.0000000002.parquet", "PAR1");
    table_put(&t, CHECKPOINT(4), "{\"protocol\":");
    const story *s = story_of(5);
    assert_int_equal(s->skipped_count, 3);
    assert_int_equal(s->skipped[0].version, 4);
    assert_int_equal(s->skipped[0].reason, SKIP_DAMAGED);
    expect_text(s->skipped[0].why.ptr, CHECKPOINT(4));
    assert_int_equal(s->skipped[1].version, 3);
    assert_int_equal(s->skipped[1].reason, SKIP_INCOMPLETE);
    assert_int_equal(s->skipped[1].kind, LOG_CHECKPOINT_PART);
    assert_int_equal(s->skipped[2].version, 2);
    assert_int_equal(s->skipped[2].reason, SKIP_EMPTY);
    assert_int_equal(s->checkpoint.version, 1);
    assert_int_equal(s->checkpoint.choice, CHOICE_NEWEST_READABLE);
    assert_int_equal(s->versions_behind_checkpoint, 4);
}

static void test_story__versions_that_can_be_rebuilt_come_as_ranges(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    table_commit(&t, 1, ADD("a", "x"));
    table_commit(&t, 3, ADD("a", "x"));
    table_put(&t, CHECKPOINT(4), STATE);
    table_commit(&t, 5, ADD("b", "x"));
    const story *s = story_of(5);
    assert_int_equal(s->range_count, 2);
    assert_int_equal(s->range[0].last, 1);
    assert_int_equal(s->range[1].first, 4);
    assert_int_equal(s->range[1].last, 5);
}

#define COMPACTION(x, y) "0000000000000000000" #x ".0000000000000000000" #y ".compacted.json"

static void test_story__compactions_that_stand_for_commits(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    for (int i = 1; i < 6; i++) table_commit(&t, i, "not read\n");
    table_commit(&t, 6, ADD("f", "x"));
    table_put(&t, COMPACTION(1, 2), ADD("a", "x"));
    table_put(&t, COMPACTION(3, 5), ADD("b", "x") REMOVE("a"));
    const story *s = story_of(6);
    assert_int_equal(s->commit_count, 2);
    assert_int_equal(s->first_commit, 0);
    assert_int_equal(s->last_commit, 6);
    assert_int_equal(s->compaction_count, 2);
    assert_int_equal(s->compaction[0].first, 1);
    assert_int_equal(s->compaction[0].last, 2);
    expect_str(s->compaction[1].file, COMPACTION(3, 5));
    assert_int_equal(t.snapshot->notes.count, 0);
    expect_files(&t, "f b ");
}

static void test_story__damaged_compaction_gives_way_to_its_commits(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    table_commit(&t, 1, ADD("a", "x"));
    table_commit(&t, 2, ADD("b", "x"));
    table_put(&t, COMPACTION(1, 2), "{\"metaData\":{\n");
    table_put(&t, COMPACTION(0, 1), "");
    const story *s = story_of(2);
    assert_int_equal(s->compaction_count, 0);
    assert_int_equal(s->commit_count, 3);
    assert_int_equal(s->skipped_compaction_count, 2);
    expect_str(s->skipped_compaction[0].file, COMPACTION(1, 2));
    expect_text(s->skipped_compaction[0].why.ptr, COMPACTION(1, 2) ":1");
    expect_str(s->skipped_compaction[1].why, "the file is empty");
    assert_true(table_has_note(&t, NOTE_COMPACTION_SKIPPED));
    expect_files(&t, "b a ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_story__commits_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(test_story__checkpoint_that_the_hint_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_story__hint_that_names_nothing_is_ignored_with_the_reason, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_story__checkpoints_passed_over_newest_first_with_reasons, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_story__versions_that_can_be_rebuilt_come_as_ranges, setup, teardown),
        cmocka_unit_test_setup_teardown(test_story__compactions_that_stand_for_commits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_story__damaged_compaction_gives_way_to_its_commits, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
