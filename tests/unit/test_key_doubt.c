/* test_key_doubt.c - paths that are spelled differently, and paths that are live twice.
 * Called by: ctest.  Must not know: how they are found.
 */
#include "delta/key_doubt.h"
#include "delta_table.h"

#include <limits.h>

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

#define CHECKPOINT_1 "00000000000000000001.checkpoint." UUID ".json"
#define STATE        CHECKPOINT_METADATA PROTOCOL_3 METADATA

static const note *find_note(note_code code) {
    for (const note *n = t.snapshot->notes.first; n; n = n->next)
        if (n->code == code) return n;
    return NULL;
}

/* What is live by the text, and the message's two numbers. */
static void expect_ambiguous(const char *files, int written, int decoded) {
    expect_files(&t, files);
    const note *n = find_note(NOTE_PATHS_AMBIGUOUS);
    assert_non_null(n);
    char text[160];
    snprintf(text, sizeof text,
             "live files: %d if paths are compared as they are written (shown here), %d if they are decoded first",
             written, decoded);
    assert_string_equal(n->message.ptr, text);
}

static void expect_clear(const char *files) {
    expect_files(&t, files);
    assert_null(find_note(NOTE_PATHS_AMBIGUOUS));
    assert_null(find_note(NOTE_FILE_LIVE_TWICE));
}

static void test_key_doubt__canonical_form_is_decoded_and_relative(void **state) {
    (void)state;
    static const char *const form[][2] = {{"a/b.parquet", "a/b.parquet"},
                                          {"a%20b", "a b"},
                                          {"a+b", "a+b"},
                                          {"a%2525b", "a%25b"},
                                          {"file:/t/a", "a"},
                                          {"file:///t/a%20b", "a b"},
                                          {"/t/a", "a"},
                                          {"/other/a", "/other/a"},
                                          {"file:///other/a", "/other/a"},
                                          {"FILE:/other/a", "/other/a"},
                                          {"s3://bucket/a", "s3://bucket/a"},
                                          {"./a//b", "a/b"},
                                          {"", ""}};
    for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
        str found = key_canonical_path(&t.memory, str_from(form[i][0]), STR("/t"));
        if (!str_eq(found, str_from(form[i][1])))
            fail_msg("%s: expected `%s`, found `" STR_FMT "`", form[i][0], form[i][1], STR_ARG(found));
    }
}

static void test_key_doubt__remove_of_another_spelling_is_ambiguous(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD("/x/a", "x") ADD("b%20c", "x") ADD("d", "x"));
    table_commit(&t, 1, REMOVE("file:/x/a"));
    table_commit(&t, 2, REMOVE("b c"));
    expect_open(&t, 2);
    expect_ambiguous("/x/a b%20c d ", 3, 1);
}

static void test_key_doubt__add_of_another_spelling_is_ambiguous(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD("a b", "x"));
    table_commit(&t, 1, ADD("a%20b", "x"));
    expect_open(&t, 1);
    expect_ambiguous("a%20b a b ", 2, 1);
}

static void test_key_doubt__two_spellings_in_one_commit_are_ambiguous(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD("a%20b", "x") ADD("a b", "x") ADD("a%20%62", "x"));
    expect_open(&t, 0);
    expect_ambiguous("a%20b a b a%20%62 ", 3, 1);
}

static void test_key_doubt__path_below_the_root_is_its_relative_one(void **state) {
    (void)state;
    char line[PATH_MAX + 64], root[PATH_MAX]; /* as much as realpath may write */
    assert_non_null(realpath(t.root, root));
    snprintf(line, sizeof line, "{\"remove\":{\"path\":\"file://%s/a\",\"dataChange\":true}}\n", root);
    table_commit(&t, 0, PROTOCOL METADATA ADD("a", "x"));
    table_commit(&t, 1, line);
    expect_open(&t, 1);
    expect_ambiguous("a ", 1, 0);
}

static void test_key_doubt__rows_of_a_checkpoint_are_held_against_commits(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT_1, STATE ADD("a%20b", "x") ADD("c d", "x") ADD("e", "x") ADD("f%25", "x"));
    table_commit(&t, 2, REMOVE("a b"));
    table_commit(&t, 3, ADD("c%20d", "x"));
    expect_open(&t, 3);
    expect_ambiguous("c%20d a%20b c d e f%25 ", 5, 3);
}

static void test_key_doubt__one_spelling_throughout_is_clear(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT_1, STATE ADD("a%20b", "x") ADD("/x/c", "x") ADD("d", "x"));
    table_commit(&t, 2, REMOVE("a%20b") ADD("e%25f", "x"));
    table_commit(&t, 3, REMOVE("e%25f") ADD("/x/c", "x"));
    expect_open(&t, 3);
    expect_clear("/x/c d ");
}

static void test_key_doubt__an_escape_that_stands_for_itself_is_clear(void **state) {
    (void)state;
    /* a%2520b decodes to a%20b, which is a name of its own: the file a%20b is a path `a b` */
    table_commit(&t, 0, PROTOCOL METADATA ADD("a%2520b", "x"));
    table_commit(&t, 1, ADD("a%20b", "x"));
    expect_open(&t, 1);
    expect_clear("a%20b a%2520b ");
}

static void test_key_doubt__other_vector_is_another_file(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL_3 METADATA ADD_DV("a%20b", "v"));
    table_commit(&t, 1, REMOVE("a b"));
    expect_open(&t, 1);
    expect_clear("a%20b/uv@1 ");
}

/* ---- vectors ---- */

static void expect_clash(const char *files, const char *part) {
    expect_files(&t, files);
    const note *n = find_note(NOTE_FILE_LIVE_TWICE);
    assert_non_null(n);
    expect_text(n->message.ptr, part);
}

static void test_key_doubt__path_live_under_two_vectors_clashes(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL_3 METADATA ADD_DV("a", "v"));
    table_commit(&t, 1, ADD_DV("a", "w"));
    expect_open(&t, 1);
    expect_clash("a/uw@1 a/uv@1 ", "1 of 2 live files");
}

static void test_key_doubt__path_live_with_and_without_a_vector_clashes(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL_3 METADATA ADD_DV("a", "v") ADD("b", "x"));
    table_commit(&t, 1, ADD("a", "x") ADD_DV("b", "w"));
    expect_open(&t, 1);
    expect_clash("a b/uw@1 a/uv@1 b ", "2 of 4 live files");
}

static void test_key_doubt__row_of_the_checkpoint_clashes_with_a_commit(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT_1, STATE ADD("a", "x") ADD_DV("b", "v") ADD("c", "x"));
    table_commit(&t, 2, ADD_DV("a", "w") ADD("b", "x"));
    expect_open(&t, 2);
    expect_clash("a/uw@1 b a b/uv@1 c ", "2 of 5 live files");
}

static void test_key_doubt__vector_that_replaces_the_one_before_is_clear(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT_1, STATE ADD("a", "x") ADD_DV("b", "v"));
    table_commit(&t, 2, REMOVE("a") ADD_DV("a", "w"));
    table_commit(&t, 3, REMOVE_DV("b", "v") ADD_DV("b", "w") REMOVE_DV("a", "w") ADD_DV("a", "x"));
    expect_open(&t, 3);
    expect_clear("b/uw@1 a/ux@1 ");
}

static void test_key_doubt__is_told_once_however_often_it_is_scanned(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD("a b", "x"));
    table_commit(&t, 1, ADD("a%20b", "x"));
    expect_open(&t, 1);
    expect_files(&t, "a%20b a b ");
    expect_files(&t, "a%20b a b ");
    assert_int_equal(t.snapshot->notes.count, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_key_doubt__canonical_form_is_decoded_and_relative),
        TEST(test_key_doubt__remove_of_another_spelling_is_ambiguous),
        TEST(test_key_doubt__add_of_another_spelling_is_ambiguous),
        TEST(test_key_doubt__two_spellings_in_one_commit_are_ambiguous),
        TEST(test_key_doubt__path_below_the_root_is_its_relative_one),
        TEST(test_key_doubt__rows_of_a_checkpoint_are_held_against_commits),
        TEST(test_key_doubt__one_spelling_throughout_is_clear),
        TEST(test_key_doubt__an_escape_that_stands_for_itself_is_clear),
        TEST(test_key_doubt__other_vector_is_another_file),
        TEST(test_key_doubt__path_live_under_two_vectors_clashes),
        TEST(test_key_doubt__path_live_with_and_without_a_vector_clashes),
        TEST(test_key_doubt__row_of_the_checkpoint_clashes_with_a_commit),
        TEST(test_key_doubt__vector_that_replaces_the_one_before_is_clear),
        TEST(test_key_doubt__is_told_once_however_often_it_is_scanned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
