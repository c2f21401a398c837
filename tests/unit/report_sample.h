/* report_sample.h - reports of a small invented table, built by hand, for the tests of room report.
 * Called by: test_report_*.c.  Must not know: how a report is printed.
 *
 * The table `orders` is partitioned by `region` and has six files, two of them in region EU.
 */
#ifndef TESTS_REPORT_SAMPLE_H
#define TESTS_REPORT_SAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "report/report.h"

static inline report_style sample_style(bool drop_in) {
    return (report_style){.drop_in = drop_in, .location = STR("./orders"), .tool_version = STR("9.9.9"), .elapsed_ms = 12,
                          .level = LEVEL_CONTRACT, .dialect = STR("spark"), .timezone = STR("UTC")};
}

/* No predicate. */
static inline prune_report *sample_plain(arena *a) {
    snapshot *table = ARENA_NEW(a, snapshot);
    table->version = 5;
    prune_report *r = ARENA_NEW(a, prune_report);
    r->table = table;
    r->total_files = r->final_files = r->files_with_stats = 6;
    r->file_stats_known = true;
    return r;
}

/* The snapshot is const for its readers; here it is still being made. */
static inline snapshot *sample_table(prune_report *r) {
    return (snapshot *)(uintptr_t)r->table;
}

static inline prune_report *sample_where(arena *a, str where) {
    prune_report *r = sample_plain(a);
    r->has_where = true;
    r->where = where;
    r->coverage_available = true;
    return r;
}

static inline prune_phase *sample_phase(prune_report *r, phase_kind kind, confidence how, str predicate, uint64_t input,
                                        uint64_t output) {
    prune_phase *p = &r->phase[r->phase_count++];
    *p = (prune_phase){.kind = kind, .confidence = how, .predicate = predicate, .predicate_scanned = predicate,
                       .input_files = input, .output_files = output};
    r->final_files = output;
    return p;
}

static inline void sample_coverage(arena *a, prune_report *r, str name, str requirement, uint64_t covered,
                                   uint64_t candidates) {
    if (!r->coverage) r->coverage = ARENA_ARRAY(a, coverage_row, 8);
    r->coverage[r->coverage_count++] = (coverage_row){name, requirement, candidates, covered};
}

/* quantity > 40 AND region = 'EU': six files, two, one. */
static inline prune_report *sample_two_phases(arena *a) {
    prune_report *r = sample_where(a, STR("quantity > 40 AND region = 'EU'"));
    r->partition_safe = STR("region = 'EU'");
    r->stats_safe = STR("quantity > 40");
    r->confidence = CONFIDENCE_CONSERVATIVE;
    sample_coverage(a, r, STR("quantity"), STR("min_max"), 2, 2);
    (void)sample_phase(r, PHASE_PARTITION, CONFIDENCE_EXACT, STR("region = 'EU'"), 6, 2);
    (void)sample_phase(r, PHASE_SKIPPING, CONFIDENCE_CONSERVATIVE, STR("quantity > 40"), 2, 1);
    return r;
}

/* region = 'EU': a partition phase alone. */
static inline prune_report *sample_partition_only(arena *a) {
    prune_report *r = sample_where(a, STR("region = 'EU'"));
    r->partition_safe = STR("region = 'EU'");
    (void)sample_phase(r, PHASE_PARTITION, CONFIDENCE_EXACT, STR("region = 'EU'"), 6, 2);
    return r;
}

/* quantity > 40: a data skipping phase alone. */
static inline prune_report *sample_skipping_only(arena *a) {
    prune_report *r = sample_where(a, STR("quantity > 40"));
    r->stats_safe = STR("quantity > 40");
    r->confidence = CONFIDENCE_CONSERVATIVE;
    sample_coverage(a, r, STR("quantity"), STR("min_max"), 6, 6);
    (void)sample_phase(r, PHASE_SKIPPING, CONFIDENCE_CONSERVATIVE, STR("quantity > 40"), 6, 4);
    return r;
}

/* UPPER(region) = 'EU' AND quantity > 40: one fragment is left out. */
static inline prune_report *sample_one_stripped(arena *a) {
    prune_report *r = sample_where(a, STR("UPPER(region) = 'EU' AND quantity > 40"));
    r->stats_safe = STR("quantity > 40");
    r->unsplittable = STR("UPPER(region) = 'EU'");
    r->confidence = CONFIDENCE_INCOMPLETE;
    sample_coverage(a, r, STR("quantity"), STR("min_max"), 6, 6);
    prune_phase *p = sample_phase(r, PHASE_SKIPPING, CONFIDENCE_INCOMPLETE, STR("quantity > 40 AND UPPER(region) = 'EU'"), 6, 3);
    p->predicate_scanned = STR("quantity > 40  (+1 unsupported fragment, keeps all files)");
    note_add_at(&r->notes, a, NOTE_UNSUPPORTED_EXPRESSION, STR("why it was left out"), (span){0, 20});
    return r;
}

static inline diagnosis *sample_diagnosis(arena *a, prune_report *r, note_code code, str message, str suggestion) {
    diagnosis *d = ARENA_NEW(a, diagnosis);
    *d = (diagnosis){.code = code, .message = message, .suggestion = suggestion};
    r->has_diagnoses = true;
    diagnosis **end = &r->diagnosis;
    while (*end) end = &(*end)->next;
    *end = d;
    return d;
}

/* A spool of which almost nothing stays in memory. */
static inline spool *sample_spool(arena *a, str text) {
    spool *s = spool_new(a, 8);
    assert_int_equal(spool_put(s, text, NULL), LP_OK);
    return s;
}

static bool sample_collect(void *context, const char *bytes, size_t size) {
    buf_put(context, (str){bytes, size});
    return true;
}

/* The document as one NUL-terminated text. */
static inline const char *sample_written(arena *a, const report_document *document) {
    buf all;
    buf_init(&all, a, (size_t)1 << 24);
    assert_int_equal(report_document_write(document, sample_collect, &all, NULL), LP_OK);
    buf_put_char(&all, '\0');
    return all.ptr;
}

static inline const char *sample_text(arena *a, const prune_report *r, const report_style *style) {
    report_document document;
    report_text(r, style, a, &document);
    return sample_written(a, &document);
}

static inline const char *sample_json(arena *a, const prune_report *r, const report_style *style) {
    report_document document;
    report_json(r, style, a, &document);
    return sample_written(a, &document);
}

/* tests/data/report/NAME.json, found from where this header lies. */
static inline const char *sample_document(arena *a, const char *name) {
    str path = str_format(a, LAKEPROOF_TEST_DATA "/report/%s.json", name);
    FILE *f = fopen(path.ptr, "rb");
    if (!f) fail_msg("cannot open %s", path.ptr);
    char *text = arena_alloc(a, 65536);
    size_t size = fread(text, 1, 65535, f);
    fclose(f);
    text[size] = '\0';
    return text;
}

#endif
