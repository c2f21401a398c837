/* test_log_segment.c - which log files make a version, on names alone.
 * Called by: ctest.  Must not know: file contents.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/door.h"
#include "delta/log_segment.h"

static arena memory;

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

/* A plan over names; a name with a leading '0' mark `!` is an empty file. */
static log_plan plan_of(const char *const *name, size_t count) {
    store_entries listing = {ARENA_ARRAY(&memory, store_entry, count), count};
    for (size_t i = 0; i < count; i++) {
        bool is_empty = name[i][0] == '!';
        listing.item[i] = (store_entry){.name = str_from(name[i] + is_empty), .size_bytes = is_empty ? 0 : 100};
    }
    log_list *list = ARENA_NEW(&memory, log_list);
    *list = log_list_new(&memory, &listing);
    return log_plan_new(&memory, list);
}
#define PLAN(...)                                                                                                      \
    plan_of((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

#define V(n)          "0000000000000000000" #n
#define V2(n)         "000000000000000000" #n
#define COMMIT(n)     V(n) ".json"
#define COMMIT2(n)    V2(n) ".json"
#define CLASSIC(n)    V(n) ".checkpoint.parquet"
#define CLASSIC2(n)   V2(n) ".checkpoint.parquet"
#define PART(n, o, p) V(n) ".checkpoint.000000000" #o ".000000000" #p ".parquet"
#define UUID_A        "0a1b2c3d-0000-4000-8000-000000000001"
#define UUID_B        "0a1b2c3d-0000-4000-8000-000000000002"

static void expect_kind(const char *name, log_kind kind) {
    assert_int_equal(log_name_parse(str_from(name)).kind, kind);
}

static void test_log_name__knows_each_kind(void **state) {
    (void)state;
    expect_kind(COMMIT(3), LOG_COMMIT);
    expect_kind(CLASSIC(3), LOG_CHECKPOINT_CLASSIC);
    expect_kind(PART(3, 1, 2), LOG_CHECKPOINT_PART);
    expect_kind(V(3) ".checkpoint." UUID_A ".json", LOG_CHECKPOINT_UUID);
    expect_kind(V(3) ".checkpoint." UUID_A ".parquet", LOG_CHECKPOINT_UUID);
    expect_kind(V(3) "." V(5) ".compacted.json", LOG_COMPACTION);
    expect_kind(V(3) ".crc", LOG_CHECKSUM);
    expect_kind("_last_checkpoint", LOG_HINT);
}

static void test_log_name__ignores_everything_else(void **state) {
    (void)state;
    static const char *const name[] = {"",
                                       "02184.json",
                                       "000000000000000000003.json",
                                       "99999999999999999999.json", /* above 2^63 - 1 */
                                       "." V(3) ".json.crc",
                                       V(3) ".json.tmp",
                                       V(3) ".JSON",
                                       V(3),
                                       V(3) ".",
                                       V(3) ".checkpoint.",
                                       V(3) ".checkpoint.parquet.crc",
                                       V(3) ".checkpoint.0000000001.parquet",
                                       V(3) ".checkpoint.0000000000.0000000002.parquet",
                                       V(3) ".checkpoint.0000000003.0000000002.parquet",
                                       V(3) ".checkpoint.0000000001.0000000002.json",
                                       V(3) ".checkpoint.0a1b2c3d-0000-4000-8000-00000000000g.json",
                                       V(3) ".checkpoint." UUID_A ".avro",
                                       V(5) "." V(5) ".compacted.json",
                                       V(5) "." V(3) ".compacted.json",
                                       V(3) "." UUID_A ".json", /* a staged commit belongs elsewhere */
                                       "_sidecars",
                                       "_commits"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) expect_kind(name[i], LOG_OTHER);
}

static void test_log_name__keeps_the_largest_version(void **state) {
    (void)state;
    assert_true(log_name_parse(STR("09223372036854775807.json")).version == INT64_MAX);
    expect_kind("09223372036854775808.json", LOG_OTHER);
}

static log_segment segment_of(const log_plan *p, int64_t version, const log_checkpoint *c) {
    log_segment s;
    lp_err err;
    assert_int_equal(log_segment_new(p, version, c, &s, &err), LP_OK);
    return s;
}

static void expect_text_of_ranges(const log_plan *p, const char *expected) {
    str found = log_plan_ranges_text(p, &memory);
    if (!str_eq(found, str_from(expected))) fail_msg("expected `%s`, found `" STR_FMT "`", expected, STR_ARG(found));
}

static int64_t latest_of(const log_plan *p) {
    int64_t target = -1;
    lp_err err;
    assert_int_equal(log_plan_target(p, false, 0, &target, &err), LP_OK);
    return target;
}

static void expect_error(const log_plan *p, bool has_version, int64_t version, lp_status code, const char *part) {
    int64_t target;
    lp_err err;
    assert_int_equal(log_plan_target(p, has_version, version, &target, &err), code);
    if (!strstr(err.text, part)) fail_msg("expected `%s` in `%s`", part, err.text);
}

static void test_log_segment__commits_alone(void **state) {
    (void)state;
    log_plan p = PLAN(COMMIT(0), COMMIT(1), COMMIT(2));
    assert_int_equal(latest_of(&p), 2);
    log_segment s = segment_of(&p, 2, NULL);
    assert_int_equal(s.commit_count, 3);
    assert_int_equal(s.commit[0].is.version, 0);
    s = segment_of(&p, 1, NULL);
    assert_int_equal(s.commit_count, 2);
}

static void test_log_segment__checkpoint_and_the_commits_after_it(void **state) {
    (void)state;
    log_plan p = PLAN(CLASSIC(2), COMMIT(1), COMMIT(2), COMMIT(3), COMMIT(4));
    assert_int_equal(latest_of(&p), 4);
    log_segment s = segment_of(&p, 4, &p.checkpoint[0]);
    assert_int_equal(s.commit_count, 2);
    assert_int_equal(s.commit[0].is.version, 3);
    assert_int_equal(segment_of(&p, 2, &p.checkpoint[0]).commit_count, 0);
}

static void test_log_segment__checkpoint_without_its_commit_is_a_version(void **state) {
    (void)state;
    log_plan p = PLAN(CLASSIC(8));
    assert_int_equal(latest_of(&p), 8);
    assert_int_equal(segment_of(&p, 8, &p.checkpoint[0]).commit_count, 0);
}

static void test_log_segment__gap_above_the_checkpoint_is_an_error(void **state) {
    (void)state;
    log_plan p = PLAN(CLASSIC(2), COMMIT(2), COMMIT(3), COMMIT(5));
    expect_error(&p, false, 0, LP_ERR_FORMAT, COMMIT(4));
    expect_error(&p, false, 0, LP_ERR_FORMAT, "2 to 3");
    expect_error(&p, true, 5, LP_ERR_FORMAT, COMMIT(4));
    expect_error(&p, true, 4, LP_ERR_NOT_FOUND, COMMIT(4));
}

static void test_log_segment__gap_below_the_checkpoint_is_harmless(void **state) {
    (void)state;
    log_plan p = PLAN(COMMIT(0), COMMIT(1), COMMIT(3), COMMIT(4), CLASSIC(4), COMMIT(5));
    assert_int_equal(latest_of(&p), 5);
    expect_error(&p, true, 3, LP_ERR_FORMAT, COMMIT(2));
    expect_error(&p, true, 3, LP_ERR_FORMAT, "0 to 1, 4 to 5");
}

static void test_log_segment__log_without_its_beginning_is_an_error(void **state) {
    (void)state;
    log_plan p = PLAN(COMMIT(4), COMMIT(5));
    expect_error(&p, false, 0, LP_ERR_FORMAT, COMMIT(0));
    expect_error(&p, false, 0, LP_ERR_FORMAT, "none");
}

static void test_log_segment__version_beyond_the_latest_names_the_range(void **state) {
    (void)state;
    log_plan p = PLAN(COMMIT(0), COMMIT(1));
    expect_error(&p, true, 2, LP_ERR_NOT_FOUND, "0 to 1");
    expect_error(&p, true, -1, LP_ERR_NOT_FOUND, "0 to 1");
}

static void test_log_segment__nothing_is_no_table(void **state) {
    (void)state;
    log_plan p = PLAN(V(0) ".crc", "_last_checkpoint", ".hidden");
    expect_error(&p, false, 0, LP_ERR_NOT_FOUND, "not a Delta table");
}

static void test_log_segment__lone_checkpoint_far_above_wins(void **state) {
    (void)state;
    log_plan p = PLAN(COMMIT(0), COMMIT(1), CLASSIC(1), CLASSIC2(99), COMMIT2(99));
    assert_int_equal(latest_of(&p), 99);
    assert_int_equal(segment_of(&p, 99, &p.checkpoint[0]).commit_count, 0);
}

static void test_log_segment__multi_part_needs_every_part(void **state) {
    (void)state;
    log_plan p = PLAN(COMMIT(0), COMMIT(1), PART(1, 1, 3), PART(1, 3, 3));
    assert_int_equal(p.checkpoint_count, 0);
    assert_int_equal(p.incomplete_count, 1);
    str missing = log_checkpoint_missing_part(&p.incomplete[0], &memory);
    assert_true(str_eq(missing, STR(V(1) ".checkpoint.0000000002.0000000003.parquet is missing")));
    assert_int_equal(latest_of(&p), 1);
}

static void test_log_segment__parts_of_different_totals_are_different_checkpoints(void **state) {
    (void)state;
    log_plan p = PLAN(PART(1, 1, 2), PART(1, 1, 3), PART(1, 2, 2), PART(1, 3, 3));
    assert_int_equal(p.checkpoint_count, 1);
    assert_int_equal(p.checkpoint[0].file_count, 2);
    assert_int_equal(p.checkpoint[0].file[1].is.part, 2);
    assert_int_equal(p.incomplete_count, 1);
}

static void test_log_segment__incomplete_checkpoint_above_all_commits_is_no_version(void **state) {
    (void)state;
    log_plan p = PLAN(COMMIT(0), PART(1, 1, 2));
    assert_int_equal(latest_of(&p), 0);
    log_plan alone = PLAN(PART(1, 1, 2));
    expect_error(&alone, false, 0, LP_ERR_FORMAT, "incomplete");
}

static void test_log_segment__empty_checkpoint_file_is_none(void **state) {
    (void)state;
    log_plan p = PLAN(COMMIT(0), COMMIT(1), "!" CLASSIC(1), "!" PART(1, 1, 2), PART(1, 2, 2));
    assert_int_equal(p.checkpoint_count, 0);
    assert_int_equal(p.incomplete_count, 2);
}

static void test_log_segment__prefers_uuid_then_classic_then_parts(void **state) {
    (void)state;
    log_plan p = PLAN(PART(1, 1, 1), CLASSIC(1), V(1) ".checkpoint." UUID_A ".json",
                      V(1) ".checkpoint." UUID_B ".parquet", CLASSIC(0));
    assert_int_equal(p.checkpoint_count, 5);
    assert_true(str_eq(p.checkpoint[0].file->name, STR(V(1) ".checkpoint." UUID_B ".parquet")));
    assert_true(p.checkpoint[1].is_json);
    assert_int_equal(p.checkpoint[2].kind, LOG_CHECKPOINT_CLASSIC);
    assert_int_equal(p.checkpoint[3].kind, LOG_CHECKPOINT_PART);
    assert_int_equal(p.checkpoint[4].version, 0);
}

static void test_log_segment__largest_versions_do_not_overflow(void **state) {
    (void)state;
    log_plan p = PLAN("09223372036854775807.checkpoint.parquet", "09223372036854775806.json",
                      "09223372036854775807.json", COMMIT(0));
    assert_true(latest_of(&p) == INT64_MAX);
    assert_int_equal(segment_of(&p, INT64_MAX, &p.checkpoint[0]).commit_count, 0);
    expect_error(&p, true, INT64_MAX - 1, LP_ERR_FORMAT, COMMIT(1));
}

/* ---- compactions ---- */

#define COMPACTION(x, y)   V(x) "." V(y) ".compacted.json"
#define COMPACTION2(x, y)  V(x) "." V2(y) ".compacted.json"
#define COMMITS_0_TO_3     COMMIT(0), COMMIT(1), COMMIT(2), COMMIT(3)
#define COMMITS_0_TO_9     COMMITS_0_TO_3, COMMIT(4), COMMIT(5), COMMIT(6), COMMIT(7), COMMIT(8), COMMIT(9)

/* The names of a segment's files behind the checkpoint. */
static void expect_steps(const log_plan *p, int64_t version, const log_checkpoint *c, const char *const *name,
                         size_t count) {
    log_segment s = segment_of(p, version, c);
    assert_int_equal(s.commit_count, count);
    for (size_t i = 0; i < count; i++)
        if (!str_eq(s.commit[i].name, str_from(name[i])))
            fail_msg("expected `%s`, found `" STR_FMT "`", name[i], STR_ARG(s.commit[i].name));
}
#define EXPECT_STEPS(p, version, c, ...)                                                                               \
    expect_steps(p, version, c, (const char *const[]){__VA_ARGS__},                                                    \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void test_log_segment__compaction_stands_for_its_commits(void **state) {
    (void)state;
    log_plan p = PLAN(COMMITS_0_TO_3, COMPACTION(1, 2));
    EXPECT_STEPS(&p, 3, NULL, COMMIT(0), COMPACTION(1, 2), COMMIT(3));
    EXPECT_STEPS(&p, 2, NULL, COMMIT(0), COMPACTION(1, 2));
}

static void test_log_segment__longest_of_overlapping_compactions_first(void **state) {
    (void)state;
    log_plan p = PLAN(COMMITS_0_TO_9, COMMIT2(10), COMMIT2(11), COMMIT2(12), COMMIT2(13), COMMIT2(14), COMMIT2(15),
                      COMPACTION(0, 5), COMPACTION2(6, 10), COMPACTION2(6, 15));
    EXPECT_STEPS(&p, 15, NULL, COMPACTION(0, 5), COMPACTION2(6, 15));
    EXPECT_STEPS(&p, 12, NULL, COMPACTION(0, 5), COMPACTION2(6, 10), COMMIT2(11), COMMIT2(12));
}

static void test_log_segment__compaction_across_checkpoint_or_target_is_not_used(void **state) {
    (void)state;
    log_plan p = PLAN(COMMITS_0_TO_9, CLASSIC(4), COMPACTION(3, 6), COMPACTION(8, 9));
    EXPECT_STEPS(&p, 8, &p.checkpoint[0], COMMIT(5), COMMIT(6), COMMIT(7), COMMIT(8));
    EXPECT_STEPS(&p, 9, &p.checkpoint[0], COMMIT(5), COMMIT(6), COMMIT(7), COMPACTION(8, 9));
}

static void test_log_segment__compaction_that_leads_nowhere_is_not_used(void **state) {
    (void)state;
    log_plan p = PLAN(COMMIT(0), COMPACTION(0, 1), COMPACTION(1, 2), COMMIT(3));
    EXPECT_STEPS(&p, 3, NULL, COMMIT(0), COMPACTION(1, 2), COMMIT(3));
}

static void test_log_segment__gap_that_a_compaction_bridges_is_none(void **state) {
    (void)state;
    log_plan p = PLAN(COMMIT(0), COMPACTION(1, 3), COMMIT(4), COMMIT(6));
    EXPECT_STEPS(&p, 4, NULL, COMMIT(0), COMPACTION(1, 3), COMMIT(4));
    expect_text_of_ranges(&p, "0, 3 to 4");
    expect_error(&p, true, 2, LP_ERR_NOT_FOUND, COMMIT(1));
    expect_error(&p, false, 0, LP_ERR_FORMAT, COMMIT(5));
}

static void test_log_segment__end_of_a_compaction_is_a_version(void **state) {
    (void)state;
    log_plan p = PLAN(COMMITS_0_TO_3, COMPACTION(2, 5));
    assert_int_equal(latest_of(&p), 5);
    EXPECT_STEPS(&p, 5, NULL, COMMIT(0), COMMIT(1), COMPACTION(2, 5));
    log_plan cut = PLAN(COMMIT(0), COMPACTION(2, 5));
    expect_error(&cut, false, 0, LP_ERR_FORMAT, COMMIT(1));
}

static void test_log_segment__empty_compaction_is_none(void **state) {
    (void)state;
    log_plan p = PLAN(COMMITS_0_TO_3, "!" COMPACTION(1, 2), "!" COMPACTION(2, 9));
    assert_int_equal(latest_of(&p), 3);
    EXPECT_STEPS(&p, 3, NULL, COMMITS_0_TO_3);
}

static void test_log_segment__older_checkpoint_counts_where_only_its_compaction_bridges(void **state) {
    (void)state;
    log_plan p = PLAN(CLASSIC(1), CLASSIC(3), COMPACTION(2, 5));
    assert_int_equal(latest_of(&p), 5);
    EXPECT_STEPS(&p, 5, &p.checkpoint[1], COMPACTION(2, 5));
    expect_text_of_ranges(&p, "1, 3, 5");
}

static void test_log_segment__file_passed_over_is_as_if_it_were_not_there(void **state) {
    (void)state;
    log_plan p = PLAN(COMMITS_0_TO_3, COMPACTION(1, 2), CLASSIC(2));
    log_entry compaction = segment_of(&p, 3, NULL).commit[1];
    log_plan_pass_over(&p, &compaction);
    EXPECT_STEPS(&p, 3, NULL, COMMITS_0_TO_3);
    log_entry commit = segment_of(&p, 3, NULL).commit[1];
    log_plan_pass_over(&p, &commit);
    expect_text_of_ranges(&p, "0, 2 to 3");
    log_plan_pass_over_checkpoint(&p, &p.checkpoint[0]);
    expect_text_of_ranges(&p, "0");
}

static void test_log_segment__compaction_up_to_the_largest_version_does_not_overflow(void **state) {
    (void)state;
    log_plan p = PLAN(COMMIT(0), V(1) ".09223372036854775807.compacted.json");
    assert_true(latest_of(&p) == INT64_MAX);
    EXPECT_STEPS(&p, INT64_MAX, NULL, COMMIT(0), V(1) ".09223372036854775807.compacted.json");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_log_name__knows_each_kind, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_name__ignores_everything_else, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_name__keeps_the_largest_version, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__commits_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__checkpoint_and_the_commits_after_it, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__checkpoint_without_its_commit_is_a_version, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__gap_above_the_checkpoint_is_an_error, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__gap_below_the_checkpoint_is_harmless, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__log_without_its_beginning_is_an_error, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__version_beyond_the_latest_names_the_range, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__nothing_is_no_table, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__lone_checkpoint_far_above_wins, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__multi_part_needs_every_part, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__parts_of_different_totals_are_different_checkpoints, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__incomplete_checkpoint_above_all_commits_is_no_version, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__empty_checkpoint_file_is_none, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__prefers_uuid_then_classic_then_parts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__largest_versions_do_not_overflow, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__compaction_stands_for_its_commits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__longest_of_overlapping_compactions_first, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__compaction_across_checkpoint_or_target_is_not_used, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__compaction_that_leads_nowhere_is_not_used, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__gap_that_a_compaction_bridges_is_none, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__end_of_a_compaction_is_a_version, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__empty_compaction_is_none, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__older_checkpoint_counts_where_only_its_compaction_bridges, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__file_passed_over_is_as_if_it_were_not_there, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_segment__compaction_up_to_the_largest_version_does_not_overflow, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
