/* test_measure.c - one pass over a small real table: counts, attribution, coverage, gates, listings, diagnoses.
 * Called by: ctest.  Must not know: text or JSON output.
 */
#include "delta_table.h"
#include "prune/prune.h"

#define ROWS(low, high) "{\\\"numRecords\\\":10,\\\"minValues\\\":{\\\"a\\\":" low "},\\\"maxValues\\\":{\\\"a\\\":" high "},\\\"nullCount\\\":{\\\"a\\\":0}}"
#define COMMIT_INFO "{\"commitInfo\":{\"engineInfo\":\"Apache-Spark/3.5.0 Delta-Lake/3.2.0\"}}\n"

static test_table t;
static arena query;
static prune_report *report;

/* Two commits, so that entries of different work items meet in one listing. Newest first: e f | a b c d. */
static int setup(void **state) {
    (void)state;
    table_new(&t);
    arena_init(&query, 0);
    table_commit(&t, 0, PROTOCOL METADATA ADD_STATS("a", "x", ROWS("0", "9")) ADD_STATS("b", "x", ROWS("10", "19")) ADD_STATS("c", "y", ROWS("0", "9"))
                            ADD("d", "y"));
    table_commit(&t, 1, COMMIT_INFO ADD_STATS("e", "x", ROWS("20", "29")) ADD_STATS("f", "y", ROWS("20", "29")));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_end(&query);
    table_end(&t);
    return 0;
}

typedef struct question {
    prune_options options;
} question;

static void print_path(void *context, buf *out, const file_verdict *v) {
    (void)context;
    buf_printf(out, STR_FMT "%s", STR_ARG(v->file->path), v->kept ? "" : v->dropped_by == PHASE_PARTITION ? "(partition)" : "(data)");
}

static lp_status run_body(void *context, lp_err *err) {
    question *q = context;
    q->options.session_zone = zone_utc();
    q->options.dialect = DIALECT_spark;
    q->options.print = print_path;
    q->options.listing_separator = STR(" ");
    return prune_run(t.snapshot, &q->options, t.workers, &query, &report, err);
}

static prune_options where(const char *text) {
    return (prune_options){.has_where = text != NULL, .where = text ? str_from(text) : STR_NONE};
}

static void measure_it(prune_options options) {
    question q = {options};
    expect_open(&t, t.snapshot ? t.snapshot->version : 1);
    if (door_run(run_body, &q, &t.err) != LP_OK) fail_msg("%s", t.err.text);
}

static void expect_phase(size_t i, phase_kind kind, uint64_t in, uint64_t out) {
    assert_true(i < report->phase_count);
    assert_int_equal(report->phase[i].kind, kind);
    assert_int_equal(report->phase[i].input_files, in);
    assert_int_equal(report->phase[i].output_files, out);
}

typedef struct read_call {
    const spool *from;
    char *to;
    size_t size;
} read_call;

static lp_status read_body(void *context, lp_err *err) {
    read_call *r = context;
    return spool_read(r->from, 0, r->to, r->size, err);
}

static void expect_spool(const spool *s, const char *expected) {
    char text[512] = "";
    assert_non_null(s);
    assert_true(spool_size(s) < sizeof text);
    read_call r = {s, text, (size_t)spool_size(s)};
    assert_int_equal(door_run(read_body, &r, &t.err), LP_OK);
    assert_string_equal(text, expected);
}

/* ------------------------------------------------------------------------------------------------ counting */

static void test_measure__no_predicate_keeps_everything(void **state) {
    (void)state;
    measure_it(where(NULL));
    assert_int_equal(report->total_files, 6);
    assert_int_equal(report->final_files, 6);
    assert_int_equal(report->phase_count, 0);
}

/* p = 'x': a b e. a > 15: of these b (10 to 19) and e. */
static void test_measure__each_file_is_lost_at_one_point(void **state) {
    (void)state;
    measure_it(where("p = 'x' AND a > 15"));
    assert_int_equal(report->phase_count, 2);
    expect_phase(0, PHASE_PARTITION, 6, 3);
    expect_phase(1, PHASE_SKIPPING, 3, 2);
    assert_int_equal(report->final_files, 2);
    assert_int_equal(report->phase[0].confidence, CONFIDENCE_EXACT);
    assert_int_equal(report->phase[1].confidence, CONFIDENCE_CONSERVATIVE);
    assert_int_equal(report->confidence, CONFIDENCE_CONSERVATIVE);
}

static void test_measure__a_partition_predicate_alone_is_exact_and_parses_no_statistics(void **state) {
    (void)state;
    measure_it(where("p = 'x'"));
    assert_int_equal(report->phase_count, 1);
    expect_phase(0, PHASE_PARTITION, 6, 3);
    assert_int_equal(report->confidence, CONFIDENCE_EXACT);
    assert_int_equal(report->counters.statistics_parsed, 0);
}

static void test_measure__statistics_are_parsed_only_for_files_that_survive_the_partition_phase(void **state) {
    (void)state;
    measure_it(where("p = 'x' AND a > 15"));
    assert_int_equal(report->counters.statistics_parsed, 3);
}

/* p = 'x' OR a > 25: a b e by p, f by a, d without statistics stays; c goes. Whole, and credited to no phase alone. */
static void test_measure__a_mixed_or_is_evaluated_whole(void **state) {
    (void)state;
    measure_it(where("p = 'x' OR a > 25"));
    assert_int_equal(report->phase_count, 1);
    expect_phase(0, PHASE_SKIPPING, 6, 5);
    assert_int_equal(report->confidence, CONFIDENCE_INCOMPLETE);
    assert_true(note_list_has(&report->notes, NOTE_UNSPLITTABLE_OR));
}

static void test_measure__an_opaque_fragment_keeps_all_files_and_its_siblings_prune(void **state) {
    (void)state;
    measure_it(where("abs(a) = 3 AND a > 15"));
    expect_phase(0, PHASE_SKIPPING, 6, 4); /* b d e f */
    assert_true(str_eq(report->phase[0].predicate_scanned, STR("a > 15  (+1 unsupported fragment, keeps all files)")));
    assert_int_equal(report->confidence, CONFIDENCE_INCOMPLETE);
}

/* Verdicts are kept for some partition texts at a time. Here 600 texts, 'p0' to 'p599', come in turn, three times. */
static void test_measure__many_partitions_are_judged_each_by_its_own_value(void **state) {
    (void)state;
    enum { TEXTS = 600, FILES = 3 * TEXTS };
    char *lines = malloc((size_t)FILES * 200), *at = lines;
    assert_non_null(lines);
    uint64_t kept = 0;
    for (int i = 0; i < FILES; i++) {
        int p = i % TEXTS;
        char text[16];
        snprintf(text, sizeof text, "p%d", p);
        kept += strcmp(text, "p4") > 0;
        at += snprintf(at, 200, ADD("m%d", "%s"), i, text);
    }
    table_commit(&t, 2, lines);
    free(lines);
    expect_open(&t, 2);
    measure_it(where("p > 'p4'"));
    expect_phase(0, PHASE_PARTITION, 6 + FILES, 6 + kept);
}

/* --------------------------------------------------------------------------------------- coverage and gates */

static void test_measure__coverage_counts_the_files_after_the_partition_phase(void **state) {
    (void)state;
    measure_it(where("p = 'y' AND a > 15 AND a IS NOT NULL"));
    assert_int_equal(report->coverage_count, 2);
    assert_true(str_eq(report->coverage[0].requirement, STR("min_max")));
    assert_true(str_eq(report->coverage[1].requirement, STR("null_count_and_num_records")));
    for (size_t i = 0; i < 2; i++) {
        assert_true(str_eq(report->coverage[i].column, STR("a")));
        assert_int_equal(report->coverage[i].candidate_files, 3); /* c d f */
        assert_int_equal(report->coverage[i].covered_files, 2);   /* not d */
    }
}

static void test_measure__min_pruning_passes_at_the_exact_percentage(void **state) {
    (void)state;
    prune_options o = where("p = 'x'"); /* 3 of 6 dropped */
    o.has_min_pruning = true;
    o.min_pruning = 50;
    measure_it(o);
    assert_true(report->min_pruning_passed);
    o.min_pruning = 50.01;
    measure_it(o);
    assert_false(report->min_pruning_passed);
}

static void test_measure__assert_stats_names_the_files_without(void **state) {
    (void)state;
    prune_options o = where("p = 'x'"); /* also a file that the predicate drops */
    o.assert_stats = true;
    measure_it(o);
    assert_false(report->assert_stats_passed);
    assert_int_equal(report->files_without_stats, 1);
    expect_spool(report->paths_without_stats, "  d\n");
}

/* ------------------------------------------------------------------------------------------------- listings */

static void test_measure__a_listing_of_files_has_verdicts_in_log_order(void **state) {
    (void)state;
    prune_options o = where("p = 'x' AND a > 15");
    o.listing = LISTING_FILES;
    measure_it(o);
    expect_spool(report->files, "e f(partition) a(data) b c(partition) d(partition)");
    assert_int_equal(report->listed, 6);
    assert_false(report->files_truncated);
}

static void test_measure__a_phase_lists_the_files_that_entered_it(void **state) {
    (void)state;
    prune_options o = where("p = 'x' AND a > 15");
    o.listing = LISTING_PHASES;
    measure_it(o);
    expect_spool(report->phase[0].listing, "e f(partition) a b c(partition) d(partition)");
    expect_spool(report->phase[1].listing, "e a(data) b");
}

static void test_measure__a_limit_cuts_across_work_items(void **state) {
    (void)state;
    static const char *const expected[] = {"", "e", "e f(partition)", "e f(partition) a(data)", "e f(partition) a(data) b"};
    for (uint64_t limit = 0; limit <= 4; limit++) {
        prune_options o = where("p = 'x' AND a > 15");
        o.listing = LISTING_FILES;
        o.has_limit = true;
        o.limit = limit;
        measure_it(o);
        expect_spool(report->files, expected[limit]);
        assert_int_equal(report->listed, limit);
        assert_true(report->files_truncated);
        assert_int_equal(report->final_files, 2); /* a limit is about printing only */
    }
}

static void test_measure__a_limit_of_all_files_truncates_nothing(void **state) {
    (void)state;
    prune_options o = where("p = 'x'");
    o.listing = LISTING_FILES;
    o.has_limit = true;
    o.limit = 6;
    measure_it(o);
    assert_false(report->files_truncated);
    assert_int_equal(report->listed, 6);
}

/* -------------------------------------------------------------------------------------------- small decisions */

static void test_measure__an_empty_file_matches_nothing(void **state) {
    (void)state;
    table_commit(&t, 2, ADD_STATS("g", "x", "{\\\"numRecords\\\":0}"));
    expect_open(&t, 2);
    measure_it(where("a > -100"));
    assert_int_equal(report->total_files, 7);
    assert_int_equal(report->final_files, 6);
}

#define FLOATS METADATA_OF("\"p\"", FIELD("p", "string") "," FIELD("a", "double"))

/* The maximum 9.0 may hide a NaN, which is above 15. Only a writer that the log names is trusted to have recorded it. */
static void expect_float_survivors(const char *info, bool strict, uint64_t survivors, bool noted) {
    test_table own = t;
    table_new(&t);
    char commit[4096];
    snprintf(commit, sizeof commit, "%s%s%s%s", PROTOCOL, FLOATS, info, ADD_STATS("a", "x", ROWS("0.0", "9.0")));
    table_commit(&t, 0, commit);
    expect_open(&t, 0);
    prune_options o = where("a > 15");
    o.nan_strict = strict;
    measure_it(o);
    assert_int_equal(report->final_files, survivors);
    assert_int_equal(note_list_has(&report->notes, NOTE_FLOAT_MAX_TRUSTED), noted);
    table_end(&t);
    t = own;
}

static void test_measure__float_maxima_need_a_named_writer_and_no_strict(void **state) {
    (void)state;
    expect_float_survivors(COMMIT_INFO, false, 0, true);
    expect_float_survivors(COMMIT_INFO, true, 1, false);
    expect_float_survivors("", false, 1, false);
}

static void test_measure__percent_of_nothing_is_zero(void **state) {
    (void)state;
    assert_true(prune_percent(0, 0) == 0);
    assert_true(prune_percent(3, 4) == 75);
}

/* ------------------------------------------------------------------------------------------------ diagnoses */

/* The codes in order, joined by blanks. */
static void expect_diagnoses(const char *text, const char *expected) {
    prune_options o = where(text);
    o.explain_why = o.need_file_stats = true;
    measure_it(o);
    char found[256] = "";
    for (const diagnosis *d = report->diagnosis; d; d = d->next) {
        size_t used = strlen(found);
        snprintf(found + used, sizeof found - used, "%s" STR_FMT, used ? " " : "", STR_ARG(note_code_name(d->code)));
        assert_true(d->message.len > 0);
    }
    if (strcmp(found, expected) != 0) fail_msg("%s: expected `%s`, found `%s`", text, expected, found);
}

static void test_diagnose__no_partition_filter_needs_conditions_and_none_on_a_partition_column(void **state) {
    (void)state;
    expect_diagnoses("a > 15", "NO_PARTITION_FILTER");
    expect_diagnoses("a > 15 AND p = 'x'", "");
    expect_diagnoses("a > 15 AND p LIKE '%x'", "");
    expect_diagnoses("a > 15 OR p = 'x'", "UNSUPPORTED_FRAGMENT");        /* a condition on p, if a mixed one */
    expect_diagnoses("abs(a) = 1", "UNSUPPORTED_FRAGMENT");               /* names no column that could be judged */
    expect_diagnoses("upper(p) = 'X' AND a > 15", "NO_PARTITION_FILTER UNSUPPORTED_FRAGMENT");
}

static void remake(const char *metadata, const char *adds) {
    table_end(&t);
    table_new(&t);
    char commit[8192];
    snprintf(commit, sizeof commit, "%s%s%s", PROTOCOL, metadata, adds);
    table_commit(&t, 0, commit);
    expect_open(&t, 0);
}

static void test_diagnose__no_partition_filter_is_silent_on_a_table_without_partitions(void **state) {
    (void)state;
    remake(METADATA_OF("", FIELD("p", "string") "," FIELD("a", "integer")), ADD_STATS("a", "x", ROWS("0", "9")));
    expect_diagnoses("a > 15", "");
}

static void test_diagnose__stats_absent_means_no_file_at_all(void **state) {
    (void)state;
    remake(METADATA, ADD("a", "x") ADD("b", "x"));
    expect_diagnoses("p = 'x' AND a > 15", "STATS_ABSENT");
    expect_diagnoses("p = 'x'", "");                                     /* nothing needs them */
    expect_diagnoses("p = 'x' AND abs(a) = 1", "UNSUPPORTED_FRAGMENT");  /* statistics would not help */
    remake(METADATA, ADD("a", "x") ADD_STATS("b", "x", ROWS("0", "9")));
    expect_diagnoses("p = 'x' AND a > 15", "");                          /* one file has some */
    remake(METADATA, "");
    expect_diagnoses("p = 'x' AND a > 15", "");                          /* no file, nothing absent */
}

static void test_diagnose__weak_data_skipping_means_all_files_have_statistics_and_none_goes(void **state) {
    (void)state;
    remake(METADATA, ADD_STATS("a", "x", ROWS("0", "9")) ADD_STATS("b", "x", ROWS("5", "19")) ADD_STATS("c", "y", ROWS("0", "1")));
    expect_diagnoses("p = 'x' AND a > 7", "WEAK_DATA_SKIPPING");
    expect_diagnoses("p = 'x' AND a > 15", "");                /* one goes */
    expect_diagnoses("p = 'z' AND a > 7", "");                 /* none is left to go */
    remake(METADATA, ADD_STATS("a", "x", ROWS("0", "9")) ADD("b", "x"));
    expect_diagnoses("p = 'x' AND a > 7", "");                 /* a file without statistics may be the reason */
}

static void test_diagnose__each_unsplittable_fragment_is_one_finding(void **state) {
    (void)state;
    expect_diagnoses("p = 'x' AND abs(a) = 1 AND (a > 15 OR p = 'y')", "UNSUPPORTED_FRAGMENT UNSUPPORTED_FRAGMENT");
    expect_diagnoses("p = 'x' AND a > 15", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        CASE(test_measure__no_predicate_keeps_everything),
        CASE(test_measure__each_file_is_lost_at_one_point),
        CASE(test_measure__a_partition_predicate_alone_is_exact_and_parses_no_statistics),
        CASE(test_measure__statistics_are_parsed_only_for_files_that_survive_the_partition_phase),
        CASE(test_measure__a_mixed_or_is_evaluated_whole),
        CASE(test_measure__many_partitions_are_judged_each_by_its_own_value),
        CASE(test_measure__an_opaque_fragment_keeps_all_files_and_its_siblings_prune),
        CASE(test_measure__coverage_counts_the_files_after_the_partition_phase),
        CASE(test_measure__min_pruning_passes_at_the_exact_percentage),
        CASE(test_measure__assert_stats_names_the_files_without),
        CASE(test_measure__a_listing_of_files_has_verdicts_in_log_order),
        CASE(test_measure__a_phase_lists_the_files_that_entered_it),
        CASE(test_measure__a_limit_cuts_across_work_items),
        CASE(test_measure__a_limit_of_all_files_truncates_nothing),
        CASE(test_measure__an_empty_file_matches_nothing),
        CASE(test_measure__float_maxima_need_a_named_writer_and_no_strict),
        CASE(test_measure__percent_of_nothing_is_zero),
        CASE(test_diagnose__no_partition_filter_needs_conditions_and_none_on_a_partition_column),
        CASE(test_diagnose__no_partition_filter_is_silent_on_a_table_without_partitions),
        CASE(test_diagnose__stats_absent_means_no_file_at_all),
        CASE(test_diagnose__weak_data_skipping_means_all_files_have_statistics_and_none_goes),
        CASE(test_diagnose__each_unsplittable_fragment_is_one_finding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
