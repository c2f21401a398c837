/* test_report_json.c - the JSON report against documents written by hand in tests/data/report, byte for byte.
 * Called by: ctest.  Must not know: how reports are measured.
 *
 * tests/compare/report_schema.py checks the same documents against the JSON Schemas.
 */
#include "report_sample.h"

#include <math.h>
#include <string.h>

#include "base/door.h"

static arena memory, scratch;

static int begin(void **state) {
    (void)state;
    arena_init(&memory, 0);
    return 0;
}

static int end(void **state) {
    (void)state;
    arena_end(&memory);
    return 0;
}

static void expect_document(const prune_report *r, const report_style *style, const char *name) {
    assert_string_equal(sample_json(&memory, r, style), sample_document(&memory, name));
}

static void expect_both(const prune_report *r, const char *drop_in_name, const char *ours_name) {
    report_style drop_in = sample_style(true), ours = sample_style(false);
    expect_document(r, &drop_in, drop_in_name);
    if (ours_name) expect_document(r, &ours, ours_name);
}

static void test_report_json__without_predicate(void **state) {
    (void)state;
    expect_both(sample_plain(&memory), "drop_in_plain", "ours_plain");
}

static void test_report_json__phases_gates_and_an_empty_explain(void **state) {
    (void)state;
    prune_report *r = sample_two_phases(&memory);
    r->has_min_pruning = r->has_assert_stats = r->assert_stats_passed = r->has_diagnoses = true;
    r->min_pruning = 90;
    expect_both(r, "drop_in_gates_fail", "ours_gates_fail");
}

static void test_report_json__a_gate_that_passes(void **state) {
    (void)state;
    prune_report *r = sample_two_phases(&memory);
    r->has_min_pruning = r->min_pruning_passed = true;
    r->min_pruning = 12.5;
    expect_both(r, "drop_in_gate_passes", NULL);
}

static void test_report_json__a_threshold_that_is_no_number_is_null(void **state) {
    (void)state;
    prune_report *r = sample_two_phases(&memory);
    r->has_min_pruning = true;
    r->min_pruning = (double)NAN;
    expect_both(r, "drop_in_threshold_nan", NULL);
    r->min_pruning = (double)INFINITY;
    expect_both(r, "drop_in_threshold_nan", NULL);
}

static void test_report_json__partial_statistics_and_explain_without_predicate(void **state) {
    (void)state;
    prune_report *r = sample_plain(&memory);
    r->files_with_stats = 2;
    r->has_diagnoses = true;
    expect_both(r, "drop_in_partial_stats", NULL);
}

static void test_report_json__an_empty_table_has_an_empty_array_of_files(void **state) {
    (void)state;
    prune_report *r = sample_plain(&memory);
    r->total_files = r->final_files = r->files_with_stats = 0;
    r->files = spool_new(&memory, 0);
    report_style style = sample_style(true);
    style.verbose = true;
    expect_document(r, &style, "drop_in_empty_table");
}

/* Everything that notes, features and diagnoses can bring. */
static prune_report *sample_notes(void) {
    prune_report *r = sample_where(&memory, STR("UPPER(region) = 'EU'\n  OR quantity > 3"));
    str fragment = STR("UPPER(region) = 'EU' OR quantity > 3");
    r->coverage_available = false;
    r->partition_exact = STR("region LIKE '%U'");
    r->unsplittable = fragment;
    r->confidence = CONFIDENCE_INCOMPLETE;
    prune_phase *p = sample_phase(r, PHASE_SKIPPING, CONFIDENCE_INCOMPLETE, fragment, 6, 6);
    p->predicate_scanned = STR("(1 unsupported fragment, keeps all files)");
    note_add_at(&r->notes, &memory, NOTE_UNSPLITTABLE_OR, STR("mixed"), (span){0, 39});
    note_add(&r->notes, &memory, NOTE_DELETION_VECTORS, STR("1 of 6 files"));
    note_add_at(&r->notes, &memory, NOTE_UNSUPPORTED_EXPRESSION, STR("a call"), (span){26, 12});
    note_add(&r->notes, &memory, NOTE_ZONE_ASSUMED, STR("Europe/Rome"));
    sample_diagnosis(&memory, r, NOTE_NO_PARTITION_FILTER, STR("no filter on region"), STR("add one"));
    sample_diagnosis(&memory, r, NOTE_UNSUPPORTED_FRAGMENT, STR("a call"), STR_NONE);
    snapshot *t = sample_table(r);
    note_add(&t->notes, &memory, NOTE_UNRECOGNIZED_TABLE_FEATURE, STR("newThing"));
    note_add(&t->notes, &memory, NOTE_CHECKPOINT_SKIPPED, STR("cut off"));
    note_add(&t->notes, &memory, NOTE_LIQUID_CLUSTERING, STR("clustered"));
    note_add(&t->notes, &memory, NOTE_COLUMN_MAPPING, STR("mapped"));
    note_add(&t->notes, &memory, NOTE_HINT_IGNORED, STR("hint"));
    static str clustering[] = {{"quantity", 8}, {"profile.zip", 11}}, unknown[] = {{"newThing", 8}, {"other", 5}};
    t->is_clustered = t->clustering_in_commits = t->deletion_vectors_enabled = t->in_commit_timestamps = true;
    t->clustering_column = clustering;
    t->clustering_column_count = 2;
    t->unrecognized_writer_feature = unknown;
    t->unrecognized_writer_feature_count = 2;
    t->schema.mapping = MAPPING_NAME;
    r->files_with_dv = 1;
    return r;
}

static void test_report_json__notes_and_features(void **state) {
    (void)state;
    prune_report *r = sample_notes();
    report_style drop_in = sample_style(true), ours = sample_style(false);
    expect_document(r, &drop_in, "drop_in_notes");
    ours.level = LEVEL_EXTENDED;
    ours.nan_strict = true;
    ours.dialect = STR("duckdb");
    ours.timezone = STR("Europe/Rome");
    expect_document(r, &ours, "ours_notes");
}

static void test_report_json__clustered_with_an_unreadable_payload_is_an_empty_array(void **state) {
    (void)state;
    prune_report *r = sample_plain(&memory);
    sample_table(r)->is_clustered = sample_table(r)->clustering_in_commits = true;
    sample_table(r)->schema.mapping = MAPPING_ID;
    report_style style = sample_style(true);
    const char *text = sample_json(&memory, r, &style);
    assert_non_null(strstr(text, "\"clustering_columns\": [],\n    \"column_mapping_mode\": \"id\","));
}

static void test_report_json__the_files_are_a_piece_between_two_texts(void **state) {
    (void)state;
    prune_report *r = sample_plain(&memory);
    r->files = sample_spool(&memory, STR("    {}"));
    r->listed = 1;
    report_style style = sample_style(true);
    style.verbose = true;
    report_document document;
    report_json(r, &style, &memory, &document);
    assert_int_equal(document.count, 3);
    assert_ptr_equal(document.piece[1].spooled, r->files);
    assert_non_null(strstr(sample_written(&memory, &document), "\n  \"files\": [\n    {}\n  ],\n  \"files_truncated\": false,\n"));
}

static void test_report_json__counters_are_one_line(void **state) {
    (void)state;
    prune_report *r = sample_plain(&memory);
    r->counters = (scan_counters){.pages_decoded = 2, .values_decoded = 3, .statistics_parsed = 4, .files_seen = 5};
    report_document document;
    report_counters(&r->counters, &(report_counts){.bytes_read = 1, .files_listed = 6, .arena_peak_bytes = 18446744073709551615u, .threads = 8},
                    &memory, &document);
    assert_string_equal(sample_written(&memory, &document),
                        "{\"bytes_read\":1,\"pages_decoded\":2,\"values_decoded\":3,\"statistics_parsed\":4,\"files_seen\":5,"
                        "\"files_listed\":6,\"arena_peak_bytes\":18446744073709551615,\"threads\":8}\n");
}

/* Both documents and the gates, as the API builds them. */
static lp_status build_all(void *context, lp_err *err) {
    (void)err;
    const prune_report *r = context;
    report_style style = sample_style(false);
    report_document document;
    report_json(r, &style, &scratch, &document);
    report_text(r, &style, &scratch, &document);
    report_gates(r, &scratch, &document);
    return LP_OK;
}

static void test_report_json__any_allocation_may_fail(void **state) {
    (void)state;
    prune_report *r = sample_notes();
    r->has_min_pruning = r->has_diagnoses = true;
    r->min_pruning = 90;
    lp_status status = LP_ERR_LIMIT;
    for (unsigned long n = 1; status == LP_ERR_LIMIT; n++) {
        arena_init(&scratch, 0);
        arena_fail_at(n);
        status = door_run(build_all, r, NULL);
        arena_fail_at(0);
        arena_end(&scratch);
        assert_true(n < 10000);
    }
    assert_int_equal(status, LP_OK);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(test_report_json__without_predicate),
        CASE(test_report_json__phases_gates_and_an_empty_explain),
        CASE(test_report_json__a_gate_that_passes),
        CASE(test_report_json__a_threshold_that_is_no_number_is_null),
        CASE(test_report_json__partial_statistics_and_explain_without_predicate),
        CASE(test_report_json__an_empty_table_has_an_empty_array_of_files),
        CASE(test_report_json__notes_and_features),
        CASE(test_report_json__clustered_with_an_unreadable_payload_is_an_empty_array),
        CASE(test_report_json__the_files_are_a_piece_between_two_texts),
        CASE(test_report_json__counters_are_one_line),
        CASE(test_report_json__any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
