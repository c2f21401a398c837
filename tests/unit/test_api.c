/* test_api.c - the public functions: handles, errors, parts of reports, failing memory, two threads.
 * Called by: ctest.  Must not know: how an answer is found.
 */
#include "delta_table.h"

#include <pthread.h>

#include "lakeproof.h"

#define ROWS(low, high) "{\\\"numRecords\\\":10,\\\"minValues\\\":{\\\"a\\\":" low "},\\\"maxValues\\\":{\\\"a\\\":" high "},\\\"nullCount\\\":{\\\"a\\\":0}}"

static test_table t;

static int setup(void **state) {
    (void)state;
    table_new(&t);
    table_commit(&t, 0, PROTOCOL METADATA ADD_STATS("a", "x", ROWS("0", "9")) ADD_STATS("b", "y", ROWS("0", "9")));
    table_commit(&t, 1, ADD_STATS("c", "x", ROWS("10", "19")));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    table_end(&t);
    return 0;
}

static lp_table *open_it(void) {
    lp_table *table;
    lp_err err;
    if (lp_table_open(t.root, NULL, &table, &err) != LP_OK) fail_msg("%s", err.text);
    return table;
}

static lp_prune_options where(const char *text) {
    lp_prune_options o = LP_PRUNE_OPTIONS_INIT;
    o.where = text;
    o.where_size = text ? strlen(text) : 0;
    return o;
}

typedef struct sink {
    char text[16384];
    size_t used, stop_at; /* stop_at: refuse the piece that reaches it; 0 takes all */
} sink;

static bool take(void *context, const char *bytes, size_t size) {
    sink *s = context;
    if (s->stop_at && s->used + size >= s->stop_at) return false;
    if (s->used + size >= sizeof s->text) return false;
    memcpy(s->text + s->used, bytes, size);
    s->used += size;
    s->text[s->used] = '\0';
    return true;
}

/* ------------------------------------------------------------------------------------------------- handles */

static void test_api__options_may_be_null_and_mean_the_latest_version(void **state) {
    (void)state;
    lp_table *table = open_it();
    assert_int_equal(lp_table_version(table), 1);
    lp_table_close(table);
}

static void test_api__a_version_can_be_asked_for(void **state) {
    (void)state;
    lp_table_options o = LP_TABLE_OPTIONS_INIT;
    o.has_version = true;
    lp_table *table;
    lp_err err;
    assert_int_equal(lp_table_open(t.root, &o, &table, &err), LP_OK);
    assert_int_equal(lp_table_version(table), 0);
    lp_table_close(table);
}

static void test_api__closing_nothing_is_allowed(void **state) {
    (void)state;
    lp_table_close(NULL);
    lp_report_free(NULL);
}

static void expect_no_table(const char *location, const lp_table_options *o, lp_status status, const char *part) {
    lp_table *table = (lp_table *)&t; /* anything but NULL */
    lp_err err = {0};
    assert_int_equal(lp_table_open(location, o, &table, &err), status);
    assert_int_equal(err.code, status);
    assert_null(table);
    expect_text(err.text, part);
}

static void test_api__a_failed_open_leaves_null_and_says_why(void **state) {
    (void)state;
    lp_table_options version = {.has_version = true, .version = 9}, huge = {.has_version = true, .version = UINT64_MAX}, mars = {.timezone = "Mars/Olympus"};
    expect_no_table("/nowhere/at/all", NULL, LP_ERR_NOT_FOUND, "/nowhere/at/all");
    expect_no_table(t.root, &version, LP_ERR_NOT_FOUND, "9");
    expect_no_table(t.root, &huge, LP_ERR_NOT_FOUND, "18446744073709551615");
    expect_no_table(t.root, &mars, LP_ERR_USAGE, "Mars/Olympus");
    expect_no_table("s3://bucket/table", NULL, LP_ERR_UNSUPPORTED, "s3");
}

static void expect_no_report(lp_prune_options o, lp_status status, const char *part) {
    lp_table *table = open_it();
    lp_report *report = (lp_report *)&t;
    lp_err err = {0};
    assert_int_equal(lp_prune(table, &o, &report, &err), status);
    assert_int_equal(err.code, status);
    assert_null(report);
    expect_text(err.text, part);
    lp_table_close(table);
}

static void test_api__a_failed_question_leaves_null_and_the_table_usable(void **state) {
    (void)state;
    expect_no_report(where("a >"), LP_ERR_QUERY, "line 1");
    expect_no_report(where("nope = 1"), LP_ERR_QUERY, "nope");
    expect_no_report(where("a = 'x'"), LP_ERR_QUERY, "expects a number");
    lp_prune_options gate = where(NULL);
    gate.has_min_pruning = true;
    expect_no_report(gate, LP_ERR_USAGE, "predicate");
    lp_table *table = open_it();
    lp_report *report;
    lp_err err;
    lp_prune_options wrong = where("nope = 1"), right = where("a > 9");
    assert_int_equal(lp_prune(table, &wrong, &report, &err), LP_ERR_QUERY);
    assert_int_equal(lp_prune(table, &right, &report, &err), LP_OK);
    assert_int_equal(lp_report_final_files(report), 1);
    lp_report_free(report);
    lp_table_close(table);
}

/* ------------------------------------------------------------------------------------------------- reports */

static void test_api__defaults_are_text_for_everything(void **state) {
    (void)state;
    lp_table *table = open_it();
    lp_prune_options o = LP_PRUNE_OPTIONS_INIT;
    lp_report *report;
    lp_err err;
    assert_int_equal(lp_prune(table, &o, &report, &err), LP_OK);
    assert_int_equal(lp_report_total_files(report), 3);
    assert_int_equal(lp_report_final_files(report), 3);
    assert_true(lp_report_passed(report));
    sink s = {0};
    assert_int_equal(lp_report_write(report, LP_PART_REPORT, take, &s, &err), LP_OK);
    assert_true(s.used > 0 && s.text[0] != '{' && s.text[s.used - 1] == '\n');
    expect_text(s.text, t.root);
    lp_report_free(report);
    lp_table_close(table);
}

static void test_api__parts_are_the_report_the_gates_the_forms_and_the_counters(void **state) {
    (void)state;
    lp_table *table = open_it();
    lp_prune_options o = where("p = 'x' AND a > 9");
    o.format = LP_FORMAT_JSON;
    o.has_min_pruning = true;
    o.min_pruning = 99;
    o.debug_ir = true;
    o.location = "elsewhere";
    lp_report *report;
    lp_err err;
    assert_int_equal(lp_prune(table, &o, &report, &err), LP_OK);
    assert_false(lp_report_passed(report));
    static const struct { lp_part part; const char *begins, *holds; } expected[] = {
        {LP_PART_REPORT, "{", "\"elsewhere\""},
        {LP_PART_GATES, "ASSERTION FAILED: ", "99"},
        {LP_PART_DEBUG_IR, "== ", "rendered: p = 'x' AND a > 9"},
        {LP_PART_COUNTERS, "{", "\"files_seen\""},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        sink s = {0};
        assert_int_equal(lp_report_write(report, expected[i].part, take, &s, &err), LP_OK);
        assert_int_equal(strncmp(s.text, expected[i].begins, strlen(expected[i].begins)), 0);
        expect_text(s.text, expected[i].holds);
    }
    sink s = {0};
    assert_int_equal(lp_report_write(report, (lp_part)99, take, &s, &err), LP_ERR_USAGE);
    lp_report_free(report);
    lp_table_close(table);
}

static void test_api__parts_that_were_not_asked_for_are_empty(void **state) {
    (void)state;
    lp_table *table = open_it();
    lp_prune_options o = where("a > 9");
    lp_report *report;
    lp_err err;
    assert_int_equal(lp_prune(table, &o, &report, &err), LP_OK);
    sink s = {0};
    assert_int_equal(lp_report_write(report, LP_PART_GATES, take, &s, &err), LP_OK);
    assert_int_equal(lp_report_write(report, LP_PART_DEBUG_IR, take, &s, &err), LP_OK);
    assert_int_equal(s.used, 0);
    lp_report_free(report);
    lp_table_close(table);
}

static void test_api__a_reader_that_stops_is_an_io_error(void **state) {
    (void)state;
    lp_table *table = open_it();
    lp_prune_options o = where("a > 9");
    lp_report *report;
    lp_err err;
    assert_int_equal(lp_prune(table, &o, &report, &err), LP_OK);
    sink s = {.stop_at = 1};
    assert_int_equal(lp_report_write(report, LP_PART_REPORT, take, &s, &err), LP_ERR_IO);
    lp_report_free(report);
    lp_table_close(table);
}

static void test_api__the_predicate_is_copied_and_needs_no_terminator(void **state) {
    (void)state;
    lp_table *table = open_it();
    char text[] = "a > 9 and this is not part of it";
    lp_prune_options o = where(NULL);
    o.where = text;
    o.where_size = 5;
    lp_report *report;
    lp_err err;
    assert_int_equal(lp_prune(table, &o, &report, &err), LP_OK);
    memset(text, '!', sizeof text);
    sink s = {0};
    assert_int_equal(lp_report_write(report, LP_PART_REPORT, take, &s, &err), LP_OK);
    expect_text(s.text, "a > 9");
    lp_report_free(report);
    lp_table_close(table);
}

static void test_api__help_is_found_by_name_and_number(void **state) {
    (void)state;
    assert_non_null(lp_code_help("LP1001"));
    assert_ptr_equal(lp_code_help("LP1001"), lp_code_help("unsplittable_or"));
    assert_null(lp_code_help("LP9999"));
    assert_non_null(lp_version());
}

/* ------------------------------------------------------------------------------------------- memory, threads */

/* Everything a user does once. */
static lp_status whole_use(lp_err *err) {
    lp_table_options one = {.threads = 1};
    lp_table *table = NULL;
    lp_report *report = NULL;
    lp_prune_options o = where("p = 'x' AND (a > 9 OR a IN (1, 2, NULL)) AND abs(a) = 1");
    o.format = LP_FORMAT_JSON;
    o.verbose = o.explain_why = o.assert_stats = o.debug_ir = true;
    lp_status status = lp_table_open(t.root, &one, &table, err);
    if (status == LP_OK) status = lp_prune(table, &o, &report, err);
    for (int part = LP_PART_REPORT; status == LP_OK && part <= LP_PART_COUNTERS; part++) {
        sink s = {0};
        status = lp_report_write(report, (lp_part)part, take, &s, err);
    }
    if (status != LP_OK) assert_null(report);
    lp_report_free(report);
    lp_table_close(table);
    return status;
}

/* The two sides of a difference, and then the folder. */
static lp_status compare_use(lp_err *err) {
    lp_table_options before = {.threads = 1, .has_version = true}, after = {.threads = 1};
    lp_table *table[2] = {NULL, NULL};
    lp_report *report[2] = {NULL, NULL};
    lp_diff_options o = LP_DIFF_OPTIONS_INIT;
    o.where = "a > 9";
    o.where_size = strlen(o.where);
    o.verbose = true;
    lp_snapshot_options folder = LP_SNAPSHOT_OPTIONS_INIT;
    folder.view = LP_VIEW_DISK;
    folder.format = LP_FORMAT_JSON;
    folder.list_files = folder.assert_files = true;
    folder.now = "2024-01-31";
    lp_status status = lp_table_open(t.root, &before, &table[0], err);
    if (status == LP_OK) status = lp_table_open(t.root, &after, &table[1], err);
    if (status == LP_OK) status = lp_diff(table[0], table[1], &o, &report[0], err);
    if (status == LP_OK) status = lp_snapshot(table[1], &folder, &report[1], err);
    if (status == LP_OK) {
        assert_int_equal(lp_report_total_files(report[0]), 3);
        assert_int_equal(lp_report_final_files(report[0]), 1);
        assert_true(lp_report_passed(report[0]));
        assert_false(lp_report_passed(report[1])); /* there are no data files */
    }
    for (int i = 0; i < 2; i++) lp_report_free(report[i]);
    for (int i = 0; i < 2; i++) lp_table_close(table[i]);
    return status;
}

static void test_api__a_difference_is_text_or_json_and_a_folder_no_csv(void **state) {
    (void)state;
    lp_err err = {0};
    lp_table *table = open_it();
    lp_report *report = (lp_report *)&t;
    lp_diff_options o = LP_DIFF_OPTIONS_INIT;
    o.format = LP_FORMAT_CSV;
    assert_int_equal(lp_diff(table, table, &o, &report, &err), LP_ERR_USAGE);
    assert_null(report);
    lp_snapshot_options folder = LP_SNAPSHOT_OPTIONS_INIT;
    folder.view = LP_VIEW_DISK;
    folder.list_files = true;
    folder.format = LP_FORMAT_CSV;
    assert_int_equal(lp_snapshot(table, &folder, &report, &err), LP_ERR_USAGE);
    folder.format = LP_FORMAT_TEXT;
    folder.now = "some day";
    assert_int_equal(lp_snapshot(table, &folder, &report, &err), LP_ERR_USAGE);
    assert_null(report);
    lp_table_close(table);
}

static lp_status describe(lp_table *table, lp_view view, lp_format format, lp_err *err) {
    lp_snapshot_options o = LP_SNAPSHOT_OPTIONS_INIT;
    o.view = view;
    o.format = format;
    lp_report *report = NULL;
    sink s = {0};
    lp_status status = lp_snapshot(table, &o, &report, err);
    if (status == LP_OK) status = lp_report_write(report, LP_PART_REPORT, take, &s, err);
    if (status != LP_OK) assert_null(report);
    lp_report_free(report);
    return status;
}

static lp_status whole_description(lp_err *err) {
    lp_table_options one = {.threads = 1};
    lp_table *table = NULL;
    lp_status status = lp_table_open(t.root, &one, &table, err);
    if (status == LP_OK) status = describe(table, LP_VIEW_STORY, LP_FORMAT_TEXT, err);
    if (status == LP_OK) status = describe(table, LP_VIEW_FILES, LP_FORMAT_TEXT, err);
    if (status == LP_OK) status = describe(table, LP_VIEW_FILES, LP_FORMAT_JSON, err);
    if (status == LP_OK) status = describe(table, LP_VIEW_FILES, LP_FORMAT_CSV, err);
    lp_table_close(table);
    return status;
}

static void test_api__every_failing_allocation_of_a_description_is_a_limit_error(void **state) {
    (void)state;
    lp_err err = {0};
    for (unsigned long n = 1;; n++) {
        arena_fail_at(n);
        lp_status status = whole_description(&err);
        arena_fail_at(0);
        if (status == LP_OK) break;
        if (status != LP_ERR_LIMIT) fail_msg("allocation %lu: status %d, `%s`", n, (int)status, err.text);
        assert_true(n < 100000);
    }
}

static void test_api__a_snapshot_tells_its_files_and_passes(void **state) {
    (void)state;
    lp_table *table = open_it();
    lp_snapshot_options o = LP_SNAPSHOT_OPTIONS_INIT;
    lp_report *report;
    lp_err err;
    assert_int_equal(lp_snapshot(table, &o, &report, &err), LP_OK);
    assert_true(lp_report_passed(report));
    assert_int_equal(lp_report_total_files(report), 3);
    assert_int_equal(lp_report_final_files(report), 3);
    lp_report_free(report);
    lp_table_close(table);
}

static void test_api__formats_that_a_report_has_not_are_a_usage_error(void **state) {
    (void)state;
    lp_table *table = open_it();
    lp_err err;
    assert_int_equal(describe(table, LP_VIEW_STORY, LP_FORMAT_CSV, &err), LP_ERR_USAGE);
    assert_int_equal(describe(table, LP_VIEW_STORY, LP_FORMAT_NDJSON, &err), LP_ERR_USAGE);
    assert_int_equal(describe(table, LP_VIEW_FILES, LP_FORMAT_NDJSON, &err), LP_OK);
    lp_prune_options p = where(NULL);
    lp_report *report;
    p.format = LP_FORMAT_CSV;
    assert_int_equal(lp_prune(table, &p, &report, &err), LP_ERR_USAGE);
    assert_null(report);
    lp_table_close(table);
}

static void test_api__a_difference_needs_the_snapshots_of_both_sides(void **state) {
    (void)state;
    lp_err err = {0};
    lp_table_options log_only = {.log_only = true};
    lp_table *table = open_it(), *log;
    lp_report *report;
    lp_diff_options o = LP_DIFF_OPTIONS_INIT;
    assert_int_equal(lp_table_open(t.root, &log_only, &log, &err), LP_OK);
    assert_int_equal(lp_diff(log, table, &o, &report, &err), LP_ERR_USAGE);
    assert_int_equal(lp_diff(table, log, &o, &report, &err), LP_ERR_USAGE);
    assert_null(report);
    lp_table_close(log);
    lp_table_close(table);
}

/* One table may be both sides. */
static void test_api__a_table_has_no_difference_from_itself(void **state) {
    (void)state;
    lp_err err = {0};
    lp_table *table = open_it();
    lp_report *report;
    lp_diff_options o = LP_DIFF_OPTIONS_INIT;
    o.has_max_growth = true;
    assert_int_equal(lp_diff(table, table, &o, &report, &err), LP_OK);
    assert_true(lp_report_passed(report));
    sink s = {0};
    assert_int_equal(lp_report_write(report, LP_PART_REPORT, take, &s, &err), LP_OK);
    expect_text(s.text, "Metadata:    the same");
    expect_text(s.text, "kept      3 files");
    lp_report_free(report);
    lp_table_close(table);
}

/* The n-th allocation fails, for every n until none is left to fail. Leaks and use after free are the sanitizers' part. */
static void fail_every_allocation(lp_status (*use)(lp_err *err)) {
    lp_err err = {0};
    unsigned long n = 1;
    for (;; n++) {
        arena_fail_at(n);
        lp_status status = use(&err);
        arena_fail_at(0);
        if (status == LP_OK) break;
        if (status != LP_ERR_LIMIT || err.code != LP_ERR_LIMIT || err.text[0] == '\0') fail_msg("allocation %lu: status %d, `%s`", n, (int)status, err.text);
        assert_true(n < 100000);
    }
    assert_true(n > 10);
}

/* ------------------------------------------------------------------------------------------------- recovery */

#define CHECKPOINT_1 "00000000000000000001.checkpoint." UUID ".json"

#define DAMAGED_LINE "{\"add\":{\"path\":7}}\n"

/* A checkpoint that says another schema and whose last line only a scan reads. */
static void put_damaged_checkpoint(void) {
    table_put(&t, CHECKPOINT_1, CHECKPOINT_METADATA PROTOCOL METADATA_OF("", FIELD("other", "long")) ADD("z", "x") DAMAGED_LINE);
}

static void test_api__damage_that_a_scan_meets_is_told_and_answered_around(void **state) {
    (void)state;
    put_damaged_checkpoint();
    lp_table *table = open_it();
    lp_prune_options o = where(NULL);
    lp_report *report;
    lp_err err;
    if (lp_prune(table, &o, &report, &err) != LP_OK) fail_msg("%s", err.text);
    assert_int_equal(lp_report_total_files(report), 3);
    sink s = {0};
    assert_int_equal(lp_report_write(report, LP_PART_REPORT, take, &s, &err), LP_OK);
    expect_text(s.text, "CHECKPOINT_SKIPPED");
    expect_text(s.text, CHECKPOINT_1 ":5");
    lp_report_free(report);
    lp_table_close(table);
}

/* The first question finds the damage, so the second knows the table's own schema. */
static void test_api__a_question_is_judged_by_the_schema_of_undamaged_files(void **state) {
    (void)state;
    put_damaged_checkpoint();
    lp_table *table = open_it();
    lp_prune_options o = where("other > 1"), p = where("a > 9");
    lp_report *report;
    lp_err err;
    assert_int_equal(lp_prune(table, &o, &report, &err), LP_ERR_QUERY);
    expect_text(err.text, "other");
    assert_int_equal(lp_prune(table, &p, &report, &err), LP_OK);
    assert_int_equal(lp_report_final_files(report), 1);
    lp_report_free(report);
    lp_table_close(table);
}

static void test_api__every_failing_allocation_is_a_limit_error_also_beside_damage(void **state) {
    (void)state;
    table_put(&t, CHECKPOINT_1, CHECKPOINT_METADATA PROTOCOL METADATA ADD("z", "x") DAMAGED_LINE);
    fail_every_allocation(whole_use);
    fail_every_allocation(compare_use);
}

static void test_api__every_failing_allocation_is_a_limit_error(void **state) {
    (void)state;
    fail_every_allocation(whole_use);
    fail_every_allocation(compare_use);
}

static void *use_in_thread(void *unused) {
    (void)unused;
    for (int i = 0; i < 10; i++) {
        lp_err err;
        if (whole_use(&err) != LP_OK) return &t;
    }
    return NULL;
}

static void test_api__two_handles_in_two_threads(void **state) {
    (void)state;
    pthread_t thread[2];
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&thread[i], NULL, use_in_thread, NULL), 0);
    for (int i = 0; i < 2; i++) {
        void *failed;
        assert_int_equal(pthread_join(thread[i], &failed), 0);
        assert_null(failed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        CASE(test_api__options_may_be_null_and_mean_the_latest_version),
        CASE(test_api__a_version_can_be_asked_for),
        CASE(test_api__closing_nothing_is_allowed),
        CASE(test_api__a_failed_open_leaves_null_and_says_why),
        CASE(test_api__a_failed_question_leaves_null_and_the_table_usable),
        CASE(test_api__defaults_are_text_for_everything),
        CASE(test_api__parts_are_the_report_the_gates_the_forms_and_the_counters),
        CASE(test_api__parts_that_were_not_asked_for_are_empty),
        CASE(test_api__a_reader_that_stops_is_an_io_error),
        CASE(test_api__the_predicate_is_copied_and_needs_no_terminator),
        CASE(test_api__help_is_found_by_name_and_number),
        CASE(test_api__a_difference_is_text_or_json_and_a_folder_no_csv),
        CASE(test_api__a_difference_needs_the_snapshots_of_both_sides),
        CASE(test_api__a_table_has_no_difference_from_itself),
        CASE(test_api__every_failing_allocation_is_a_limit_error),
        CASE(test_api__damage_that_a_scan_meets_is_told_and_answered_around),
        CASE(test_api__a_question_is_judged_by_the_schema_of_undamaged_files),
        CASE(test_api__every_failing_allocation_is_a_limit_error_also_beside_damage),
        CASE(test_api__every_failing_allocation_of_a_description_is_a_limit_error),
        CASE(test_api__a_snapshot_tells_its_files_and_passes),
        CASE(test_api__formats_that_a_report_has_not_are_a_usage_error),
        CASE(test_api__two_handles_in_two_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
