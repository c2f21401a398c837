/* test_report_text.c - the text report, byte for byte, in the layouts that the recorded runs of the original show.
 * Called by: ctest.  Must not know: how reports are measured.
 */
#include "report_sample.h"

#include <math.h>
#include <string.h>

static arena memory;

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

static void expect_text(const prune_report *r, bool drop_in, bool verbose, const char *want) {
    report_style style = sample_style(drop_in);
    style.verbose = verbose;
    assert_string_equal(sample_text(&memory, r, &style), want);
}

static const char head_plain[] =
    "Delta table: ./orders\n"
    "Version:     5\n"
    "\n"
    "Files in snapshot: 6\n";

static const char head_two_phases[] =
    "Delta table: ./orders\n"
    "Version:     5\n"
    "Predicate:   quantity > 40 AND region = 'EU'\n"
    "\n"
    "Predicate Analysis:\n"
    "  partition-safe: region = 'EU'\n"
    "  stats-safe:     quantity > 40\n"
    "  stats coverage:\n"
    "    quantity [min_max]: 2/2 candidate files (100%)\n"
    "  unsplittable:   -\n"
    "  confidence:     conservative\n"
    "\n"
    "Files in snapshot: 6\n"
    "\n"
    "Phase 1: Partition pruning [exact]\n"
    "  predicate:       region = 'EU'\n"
    "  files remaining: 2  (-4, 67% pruned)\n"
    "\n"
    "Phase 2: Data skipping (min/max statistics) [conservative]\n"
    "  predicate:       quantity > 40\n"
    "  files remaining: 1  (-1, 50% pruned)\n"
    "\n"
    "Total reduction: 6 -> 1 files (83% pruned)\n";

static const char *after(const char *first, const char *second) {
    return str_format(&memory, "%s%s", first, second).ptr;
}

static void test_report_text__without_predicate_is_a_head_and_a_total(void **state) {
    (void)state;
    expect_text(sample_plain(&memory), true, false, head_plain);
    expect_text(sample_plain(&memory), false, true, head_plain);
}

static void test_report_text__two_phases_end_with_a_total_reduction(void **state) {
    (void)state;
    expect_text(sample_two_phases(&memory), true, false, head_two_phases);
    expect_text(sample_two_phases(&memory), false, false, head_two_phases);
}

static void test_report_text__one_phase_is_number_one_without_a_total(void **state) {
    (void)state;
    expect_text(sample_partition_only(&memory), true, false,
                "Delta table: ./orders\n"
                "Version:     5\n"
                "Predicate:   region = 'EU'\n"
                "\n"
                "Predicate Analysis:\n"
                "  partition-safe: region = 'EU'\n"
                "  stats-safe:     -\n"
                "  unsplittable:   -\n"
                "  confidence:     exact\n"
                "\n"
                "Files in snapshot: 6\n"
                "\n"
                "Phase 1: Partition pruning [exact]\n"
                "  predicate:       region = 'EU'\n"
                "  files remaining: 2  (-4, 67% pruned)\n");
    expect_text(sample_skipping_only(&memory), true, false,
                "Delta table: ./orders\n"
                "Version:     5\n"
                "Predicate:   quantity > 40\n"
                "\n"
                "Predicate Analysis:\n"
                "  partition-safe: -\n"
                "  stats-safe:     quantity > 40\n"
                "  stats coverage:\n"
                "    quantity [min_max]: 6/6 candidate files (100%)\n"
                "  unsplittable:   -\n"
                "  confidence:     conservative\n"
                "\n"
                "Files in snapshot: 6\n"
                "\n"
                "Phase 1: Data skipping (min/max statistics) [conservative]\n"
                "  predicate:       quantity > 40\n"
                "  files remaining: 4  (-2, 33% pruned)\n");
}

static const char head_one_stripped[] =
    "Delta table: ./orders\n"
    "Version:     5\n"
    "Predicate:   UPPER(region) = 'EU' AND quantity > 40\n"
    "\n"
    "Predicate Analysis:\n"
    "  partition-safe: -\n"
    "  stats-safe:     quantity > 40\n"
    "  stats coverage:\n"
    "    quantity [min_max]: 6/6 candidate files (100%)\n"
    "  unsplittable:   UPPER(region) = 'EU'\n"
    "  confidence:     incomplete\n"
    "\n"
    "Files in snapshot: 6\n"
    "\n"
    "Phase 1: Data skipping (min/max statistics) [incomplete]\n"
    "  predicate:       quantity > 40  (+1 unsupported fragment, keeps all files)\n"
    "  files remaining: 3  (-3, 50% pruned)\n"
    "\n"
    "Warnings!\n"
    "[UNSUPPORTED_EXPRESSION]: why it was left out\n";

static void test_report_text__a_left_out_fragment_warns(void **state) {
    (void)state;
    expect_text(sample_one_stripped(&memory), true, false, head_one_stripped);
}

static void test_report_text__ours_adds_the_place_of_a_note(void **state) {
    (void)state;
    expect_text(sample_one_stripped(&memory), false, false, after(head_one_stripped, "  at 1:1: UPPER(region) = 'EU'\n"));
}

static void test_report_text__a_quoted_place_ends_with_its_line_and_is_cut(void **state) {
    (void)state;
    prune_report *r = sample_where(&memory, STR("a = 1 AND\n f('ééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé')\n OR g(\nb)"));
    note_add_at(&r->notes, &memory, NOTE_UNSUPPORTED_EXPRESSION, STR("first"), (span){11, 127});
    note_add_at(&r->notes, &memory, NOTE_UNSUPPORTED_EXPRESSION, STR("second"), (span){143, 5});
    report_style style = sample_style(false);
    const char *text = sample_text(&memory, r, &style);
    assert_string_equal(strstr(text, "Warnings!"),
                        "Warnings!\n"
                        "[UNSUPPORTED_EXPRESSION]: first\n"
                        "  at 2:2: f('ééééééééééééééééééééééééééééééééééééééééééééééééééééééééé ...\n"
                        "[UNSUPPORTED_EXPRESSION]: second\n"
                        "  at 3:5: g( ...\n");
}

static void test_report_text__several_left_out_fragments(void **state) {
    (void)state;
    prune_report *r = sample_where(&memory, STR("f(a) = 1 AND g(b) = 2"));
    r->unsplittable = STR("f(a) = 1 AND g(b) = 2");
    r->confidence = CONFIDENCE_INCOMPLETE;
    prune_phase *p = sample_phase(r, PHASE_SKIPPING, CONFIDENCE_INCOMPLETE, r->unsplittable, 6, 6);
    p->predicate_scanned = STR("(2 unsupported fragments, keep all files)");
    note_add(&r->notes, &memory, NOTE_UNSUPPORTED_EXPRESSION, STR("about f"));
    note_add(&r->notes, &memory, NOTE_UNSUPPORTED_EXPRESSION, STR("about g"));
    expect_text(r, true, false,
                "Delta table: ./orders\n"
                "Version:     5\n"
                "Predicate:   f(a) = 1 AND g(b) = 2\n"
                "\n"
                "Predicate Analysis:\n"
                "  partition-safe: -\n"
                "  stats-safe:     -\n"
                "  unsplittable:   f(a) = 1 AND g(b) = 2\n"
                "  confidence:     incomplete\n"
                "\n"
                "Files in snapshot: 6\n"
                "\n"
                "Phase 1: Data skipping (min/max statistics) [incomplete]\n"
                "  predicate:       (2 unsupported fragments, keep all files)\n"
                "  files remaining: 6  (-0, 0% pruned)\n"
                "\n"
                "Warnings!\n"
                "[UNSUPPORTED_EXPRESSION]: about f\n"
                "[UNSUPPORTED_EXPRESSION]: about g\n");
}

static void test_report_text__exact_fragments_have_a_line_of_their_own(void **state) {
    (void)state;
    prune_report *r = sample_where(&memory, STR("region LIKE '%U'"));
    r->partition_exact = STR("region LIKE '%U'");
    r->confidence = CONFIDENCE_CONSERVATIVE;
    (void)sample_phase(r, PHASE_PARTITION, CONFIDENCE_EXACT, STR("region LIKE '%U'"), 6, 2);
    note_add(&r->notes, &memory, NOTE_PARTITION_EVAL_GAP, STR("2 of 6 files"));
    r->has_diagnoses = true;
    expect_text(r, true, false,
                "Delta table: ./orders\n"
                "Version:     5\n"
                "Predicate:   region LIKE '%U'\n"
                "\n"
                "Predicate Analysis:\n"
                "  partition-safe: -\n"
                "  partition-exact: region LIKE '%U'\n"
                "  stats-safe:     -\n"
                "  unsplittable:   -\n"
                "  confidence:     conservative\n"
                "\n"
                "Files in snapshot: 6\n"
                "\n"
                "Phase 1: Partition pruning [exact]\n"
                "  predicate:       region LIKE '%U'\n"
                "  files remaining: 2  (-4, 67% pruned)\n"
                "\n"
                "Warnings!\n"
                "[PARTITION_EVAL_GAP]: 2 of 6 files\n"
                "\n"
                "Why:\n"
                "  No pruning issues found.\n");
}

static void test_report_text__coverage_has_a_row_a_column_and_requirement(void **state) {
    (void)state;
    prune_report *r = sample_skipping_only(&memory);
    sample_coverage(&memory, r, STR("profile.zip"), STR("null_count_and_num_records"), 0, 6);
    sample_coverage(&memory, r, STR("total"), STR("null_count"), 1234, 100000);
    report_style style = sample_style(true);
    assert_non_null(strstr(sample_text(&memory, r, &style),
                           "  stats-safe:     quantity > 40\n"
                           "  stats coverage:\n"
                           "    quantity [min_max]: 6/6 candidate files (100%)\n"
                           "    profile.zip [null_count_and_num_records]: 0/6 candidate files (0%)\n"
                           "    total [null_count]: 1,234/100,000 candidate files (1%)\n"
                           "  unsplittable:   -\n"));
}

static void test_report_text__coverage_can_be_unavailable(void **state) {
    (void)state;
    prune_report *r = sample_skipping_only(&memory);
    r->coverage_available = false;
    report_style style = sample_style(true);
    assert_non_null(strstr(sample_text(&memory, r, &style),
                           "  stats-safe:     quantity > 40\n"
                           "  stats coverage: unavailable\n"
                           "  unsplittable:   -\n"));
}

/* Every kind of note, raised in an order that is not the one of the report. */
static prune_report *sample_notes(void) {
    prune_report *r = sample_plain(&memory);
    note_list *of_table = &sample_table(r)->notes;
    note_add(of_table, &memory, NOTE_CHECKPOINT_SKIPPED, STR("checkpoint 4 is cut off"));
    note_add(of_table, &memory, NOTE_LIQUID_CLUSTERING, STR("clustered"));
    note_add(of_table, &memory, NOTE_HINT_IGNORED, STR("hint"));
    note_add(of_table, &memory, NOTE_COLUMN_MAPPING, STR("mapped"));
    note_add(of_table, &memory, NOTE_UNRECOGNIZED_TABLE_FEATURE, STR("newThing"));
    note_add(&r->notes, &memory, NOTE_DELETION_VECTORS, STR("1 of 6 files"));
    note_add(&r->notes, &memory, NOTE_ZONE_ASSUMED, STR("UTC"));
    note_add(&r->notes, &memory, NOTE_UNSPLITTABLE_OR, STR("mixed"));
    return r;
}

static void test_report_text__drop_in_warns_of_what_the_original_knows(void **state) {
    (void)state;
    expect_text(sample_notes(), true, false,
                after(head_plain,
                      "\n"
                      "Warnings!\n"
                      "[UNSPLITTABLE_OR]: mixed\n"
                      "[DELETION_VECTORS]: 1 of 6 files\n"
                      "[COLUMN_MAPPING]: mapped\n"
                      "[LIQUID_CLUSTERING]: clustered\n"
                      "[UNRECOGNIZED_TABLE_FEATURE]: newThing\n"));
}

static void test_report_text__ours_tells_warnings_from_notes(void **state) {
    (void)state;
    expect_text(sample_notes(), false, false,
                after(head_plain,
                      "\n"
                      "Warnings!\n"
                      "[UNSPLITTABLE_OR]: mixed\n"
                      "[DELETION_VECTORS]: 1 of 6 files\n"
                      "[COLUMN_MAPPING]: mapped\n"
                      "[LIQUID_CLUSTERING]: clustered\n"
                      "[UNRECOGNIZED_TABLE_FEATURE]: newThing\n"
                      "[CHECKPOINT_SKIPPED]: checkpoint 4 is cut off\n"
                      "\n"
                      "Notes:\n"
                      "[ZONE_ASSUMED]: UTC\n"
                      "[HINT_IGNORED]: hint\n"));
}

static void test_report_text__drop_in_without_known_notes_has_no_warnings(void **state) {
    (void)state;
    prune_report *r = sample_plain(&memory);
    note_add(&r->notes, &memory, NOTE_FLOAT_MAX_TRUSTED, STR("3 files"));
    note_add(&sample_table(r)->notes, &memory, NOTE_EMPTY_COMMIT, STR("version 3"));
    expect_text(r, true, false, head_plain);
}

static void test_report_text__why_without_predicate(void **state) {
    (void)state;
    prune_report *r = sample_plain(&memory);
    r->has_diagnoses = true;
    expect_text(r, true, false, after(head_plain, "\nWhy:\n  No predicate given (pass --where to diagnose pruning).\n"));
}

static void test_report_text__why_without_findings(void **state) {
    (void)state;
    prune_report *r = sample_two_phases(&memory);
    r->has_diagnoses = true;
    expect_text(r, true, false, after(head_two_phases, "\nWhy:\n  No pruning issues found.\n"));
}

static void test_report_text__why_lists_findings_with_their_suggestions(void **state) {
    (void)state;
    prune_report *r = sample_two_phases(&memory);
    sample_diagnosis(&memory, r, NOTE_NO_PARTITION_FILTER, STR("no filter on region"), STR("add one"));
    expect_text(r, true, false, after(head_two_phases, "\nWhy:\n  [NO_PARTITION_FILTER] no filter on region\n    -> add one\n"));
    sample_diagnosis(&memory, r, NOTE_UNSUPPORTED_FRAGMENT, STR("f(a)"), STR_NONE);
    expect_text(r, false, false,
                after(head_two_phases,
                      "\nWhy:\n  [NO_PARTITION_FILTER] no filter on region\n    -> add one\n  [UNSUPPORTED_FRAGMENT] f(a)\n"));
}

static void test_report_text__verbose_lists_files_inside_phases(void **state) {
    (void)state;
    prune_report *r = sample_two_phases(&memory);
    r->phase[0].listing = sample_spool(&memory, STR("  [DROPPED] one\n  [KEPT   ] two"));
    r->phase[0].listed = 2;
    r->phase[0].not_listed = 1004;
    r->phase[1].listing = sample_spool(&memory, STR("  [KEPT   ] two"));
    r->phase[1].listed = 1;
    const char *want =
        "Phase 1: Partition pruning [exact]\n"
        "  predicate:       region = 'EU'\n"
        "  files remaining: 2  (-4, 67% pruned)\n"
        "\n"
        "  [DROPPED] one\n"
        "  [KEPT   ] two\n"
        "  ... and 1,004 more files (raise --limit to see them)\n"
        "\n"
        "Phase 2: Data skipping (min/max statistics) [conservative]\n"
        "  predicate:       quantity > 40\n"
        "  files remaining: 1  (-1, 50% pruned)\n"
        "\n"
        "  [KEPT   ] two\n"
        "\n"
        "Total reduction: 6 -> 1 files (83% pruned)\n";
    report_style style = sample_style(true);
    style.verbose = true;
    assert_string_equal(strstr(sample_text(&memory, r, &style), "Phase 1"), want);
    expect_text(r, true, false, head_two_phases);
}

static void test_report_text__a_limit_of_zero_lists_none(void **state) {
    (void)state;
    prune_report *r = sample_partition_only(&memory);
    r->phase[0].listing = spool_new(&memory, 0);
    r->phase[0].not_listed = 6;
    report_style style = sample_style(true);
    style.verbose = true;
    assert_string_equal(strstr(sample_text(&memory, r, &style), "  files remaining"),
                        "  files remaining: 2  (-4, 67% pruned)\n"
                        "\n"
                        "  ... and 6 more files (raise --limit to see them)\n");
}

static void test_report_text__a_phase_without_files_still_has_the_empty_line(void **state) {
    (void)state;
    prune_report *r = sample_where(&memory, STR("region = 'EU'"));
    r->partition_safe = STR("region = 'EU'");
    r->total_files = 0;
    prune_phase *p = sample_phase(r, PHASE_PARTITION, CONFIDENCE_EXACT, STR("region = 'EU'"), 0, 0);
    p->listing = spool_new(&memory, 0);
    report_style style = sample_style(true);
    style.verbose = true;
    assert_string_equal(strstr(sample_text(&memory, r, &style), "Files in"),
                        "Files in snapshot: 0\n"
                        "\n"
                        "Phase 1: Partition pruning [exact]\n"
                        "  predicate:       region = 'EU'\n"
                        "  files remaining: 0  (-0, 0% pruned)\n"
                        "\n");
}

static void test_report_text__counts_have_thousands_and_percentages_round_to_even(void **state) {
    (void)state;
    prune_report *r = sample_two_phases(&memory);
    r->total_files = r->phase[0].input_files = 1000000;
    r->phase[0].output_files = r->phase[1].input_files = 995000; /* 0.5 is 0 */
    r->phase[1].output_files = 970125;                          /* 2.5 is 2 */
    r->final_files = 965000;                                    /* 3.5 is 4 */
    report_style style = sample_style(true);
    assert_string_equal(strstr(sample_text(&memory, r, &style), "Files in"),
                        "Files in snapshot: 1,000,000\n"
                        "\n"
                        "Phase 1: Partition pruning [exact]\n"
                        "  predicate:       region = 'EU'\n"
                        "  files remaining: 995,000  (-5,000, 0% pruned)\n"
                        "\n"
                        "Phase 2: Data skipping (min/max statistics) [conservative]\n"
                        "  predicate:       quantity > 40\n"
                        "  files remaining: 970,125  (-24,875, 2% pruned)\n"
                        "\n"
                        "Total reduction: 1,000,000 -> 965,000 files (4% pruned)\n");
}

/* The text without `ESC [ ... m`. */
static const char *without_color(const char *text, size_t *colors) {
    buf plain;
    buf_init(&plain, &memory, (size_t)1 << 20);
    for (; *text; text++) {
        if (*text != '\x1b') {
            buf_put_char(&plain, *text);
            continue;
        }
        while (*text != 'm') text++;
        (*colors)++;
    }
    buf_put_char(&plain, '\0');
    return plain.ptr;
}

static void test_report_text__colours_do_not_change_the_text(void **state) {
    (void)state;
    prune_report *r = sample_one_stripped(&memory);
    note_add(&r->notes, &memory, NOTE_ZONE_ASSUMED, STR("UTC"));
    r->has_diagnoses = true;
    report_style style = sample_style(false);
    const char *plain = sample_text(&memory, r, &style);
    assert_null(strchr(plain, '\x1b'));
    style.color = true;
    size_t colors = 0;
    assert_string_equal(without_color(sample_text(&memory, r, &style), &colors), plain);
    assert_int_equal(colors, 12); /* phase, two titles, two codes, Why: each on and off */
}

static void test_report_text__a_listing_is_a_piece_that_is_not_copied(void **state) {
    (void)state;
    prune_report *r = sample_partition_only(&memory);
    r->phase[0].listing = sample_spool(&memory, STR("  [KEPT   ] one"));
    r->phase[0].listed = 1;
    report_style style = sample_style(true);
    style.verbose = true;
    report_document document;
    report_text(r, &style, &memory, &document);
    assert_int_equal(document.count, 3);
    assert_ptr_equal(document.piece[1].spooled, r->phase[0].listing);
}

static bool stop_at_second(void *context, const char *bytes, size_t size) {
    (void)bytes, (void)size;
    return ++*(int *)context < 2;
}

static void test_report_text__a_sink_that_stops_is_an_error(void **state) {
    (void)state;
    spool *large = spool_new(&memory, 1024);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(spool_put(large, STR("0123456789012345678901234567890123456789012345678901234567890123"), NULL), LP_OK);
    report_document document = {.piece = {{.spooled = large}, {.text = STR("rest")}}, .count = 2};
    int calls = 0;
    lp_err err;
    assert_int_equal(report_document_write(&document, stop_at_second, &calls, &err), LP_ERR_IO);
    assert_int_equal(calls, 2);
    assert_int_equal(strlen(sample_written(&memory, &document)), 64004);
}

/* --- gates --- */

static const char *gates_of(const prune_report *r) {
    report_document document;
    report_gates(r, &memory, &document);
    return sample_written(&memory, &document);
}

static void test_report_gates__nothing_without_a_failure(void **state) {
    (void)state;
    prune_report *r = sample_two_phases(&memory);
    assert_true(report_passed(r));
    r->has_min_pruning = r->min_pruning_passed = true;
    r->has_assert_stats = r->assert_stats_passed = true;
    r->min_pruning = 83;
    assert_string_equal(gates_of(r), "");
    assert_true(report_passed(r));
}

static void test_report_gates__pruning_below_the_threshold(void **state) {
    (void)state;
    prune_report *r = sample_two_phases(&memory);
    r->has_min_pruning = true;
    r->min_pruning = 90;
    assert_string_equal(gates_of(r), "ASSERTION FAILED: total pruning 83.3% is below threshold 90.0%\n");
    r->min_pruning = 12.35; /* just below the tie in binary */
    assert_string_equal(gates_of(r), "ASSERTION FAILED: total pruning 83.3% is below threshold 12.3%\n");
    r->min_pruning = (double)NAN;
    assert_string_equal(gates_of(r), "ASSERTION FAILED: total pruning 83.3% is below threshold NaN%\n");
    r->min_pruning = (double)INFINITY;
    assert_string_equal(gates_of(r), "ASSERTION FAILED: total pruning 83.3% is below threshold inf%\n");
    assert_false(report_passed(r));
}

static void test_report_gates__missing_statistics_name_the_files(void **state) {
    (void)state;
    prune_report *r = sample_plain(&memory);
    r->has_min_pruning = true;
    r->min_pruning = 0.25;
    r->has_assert_stats = true;
    r->files_without_stats = 1002;
    r->paths_without_stats = sample_spool(&memory, STR("  region=EU/a.parquet\n  b.parquet\n"));
    assert_string_equal(gates_of(r), "ASSERTION FAILED: total pruning 0.0% is below threshold 0.2%\n"
                                     "ASSERTION FAILED: 1002 file(s) missing statistics:\n"
                                     "  region=EU/a.parquet\n"
                                     "  b.parquet\n");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(test_report_text__without_predicate_is_a_head_and_a_total),
        CASE(test_report_text__two_phases_end_with_a_total_reduction),
        CASE(test_report_text__one_phase_is_number_one_without_a_total),
        CASE(test_report_text__a_left_out_fragment_warns),
        CASE(test_report_text__ours_adds_the_place_of_a_note),
        CASE(test_report_text__a_quoted_place_ends_with_its_line_and_is_cut),
        CASE(test_report_text__several_left_out_fragments),
        CASE(test_report_text__exact_fragments_have_a_line_of_their_own),
        CASE(test_report_text__coverage_has_a_row_a_column_and_requirement),
        CASE(test_report_text__coverage_can_be_unavailable),
        CASE(test_report_text__drop_in_warns_of_what_the_original_knows),
        CASE(test_report_text__ours_tells_warnings_from_notes),
        CASE(test_report_text__drop_in_without_known_notes_has_no_warnings),
        CASE(test_report_text__why_without_predicate),
        CASE(test_report_text__why_without_findings),
        CASE(test_report_text__why_lists_findings_with_their_suggestions),
        CASE(test_report_text__verbose_lists_files_inside_phases),
        CASE(test_report_text__a_limit_of_zero_lists_none),
        CASE(test_report_text__a_phase_without_files_still_has_the_empty_line),
        CASE(test_report_text__counts_have_thousands_and_percentages_round_to_even),
        CASE(test_report_text__colours_do_not_change_the_text),
        CASE(test_report_text__a_listing_is_a_piece_that_is_not_copied),
        CASE(test_report_text__a_sink_that_stops_is_an_error),
        CASE(test_report_gates__nothing_without_a_failure),
        CASE(test_report_gates__pruning_below_the_threshold),
        CASE(test_report_gates__missing_statistics_name_the_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
