/* prune.c - from a predicate to a finished report: analyse, measure, attribute by subtraction, gate.
 * Called by: api.  Must not know: text or JSON output.
 */
#include "prune/prune.h"

#include "delta/checksum.h"
#include "prune/diagnose.h"
#include "prune/measure.h"

/* ------------------------------------------------------------------------------------------ fragments as text */

static str join_with_and(arena *query, str a, str b) {
    if (str_is_none(a)) return b;
    if (str_is_none(b)) return a;
    return str_format(query, STR_FMT " AND " STR_FMT, STR_ARG(a), STR_ARG(b));
}

static str scanned_unsplittable(const analysis *a, arena *query) {
    buf text;
    buf_init(&text, query, SIZE_MAX / 2);
    for (size_t i = 0; i < a->classes.count; i++) {
        const fragment *f = &a->classes.fragment[i];
        if (f->bucket != BUCKET_UNSPLITTABLE || !f->scanned) continue;
        if (text.len) buf_put(&text, STR(" AND "));
        buf_put(&text, f->text);
    }
    return text.len ? buf_str(&text) : STR_NONE;
}

/* The predicate credited for a count names only what was evaluated, and says how much was left out. */
static str with_stripped_suffix(arena *query, str scanned, size_t stripped) {
    if (stripped == 0) return scanned;
    const char *what =
        stripped == 1 ? "unsupported fragment, keeps all files" : "unsupported fragments, keep all files";
    if (str_is_none(scanned)) return str_format(query, "(%zu %s)", stripped, what);
    return str_format(query, STR_FMT "  (+%zu %s)", STR_ARG(scanned), stripped, what);
}

static void add_phase(prune_report *r, phase_kind kind, confidence c, str all, str scanned, uint64_t in, uint64_t out,
                      const measurement *m) {
    size_t i = r->phase_count++;
    r->phase[i] = (prune_phase){kind, c, all, scanned, in, out, m->listing[i], m->listed[i], m->not_listed[i]};
}

static void attribute(prune_report *r, const analysis *a, const measurement *m, bool lists_phases, arena *query) {
    measurement listing = lists_phases ? *m : (measurement){0};
    if (a->has_partition_safe || a->has_partition_exact) {
        str text = join_with_and(query, r->partition_safe, r->partition_exact);
        add_phase(r, PHASE_PARTITION, CONFIDENCE_EXACT, text, text, m->total, m->after_partition, &listing);
    }
    if (a->has_stats_safe || a->has_unsplittable) {
        str all = join_with_and(query, r->stats_safe, r->unsplittable);
        str scanned = join_with_and(query, r->stats_safe, scanned_unsplittable(a, query));
        confidence c = a->has_unsplittable ? CONFIDENCE_INCOMPLETE : CONFIDENCE_CONSERVATIVE;
        add_phase(r, PHASE_SKIPPING, c, all, with_stripped_suffix(query, scanned, a->stripped_count),
                  m->after_partition, m->after_data, &listing);
    }
}

static confidence overall_confidence(const analysis *a, const measurement *m) {
    if (a->has_unsplittable) return CONFIDENCE_INCOMPLETE;
    return a->has_stats_safe || m->gap_files > 0 ? CONFIDENCE_CONSERVATIVE : CONFIDENCE_EXACT;
}

/* ------------------------------------------------------------------------------------------------------ notes */

static const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

static void note_fragments(prune_report *r, const analysis *a, arena *query) {
    for (size_t i = 0; i < a->classes.count; i++) {
        const fragment *f = &a->classes.fragment[i];
        if (f->bucket != BUCKET_UNSPLITTABLE) continue;
        if (str_is_none(f->reason)) {
            note_add_at(&r->notes, query, NOTE_UNSPLITTABLE_OR,
                        str_format(query,
                                   "'" STR_FMT "' mixes partition and data columns: it is evaluated whole, and its "
                                               "effect cannot be credited to one phase",
                                   STR_ARG(f->text)),
                        f->predicate->at);
            continue;
        }
        note_add_at(&r->notes, query, NOTE_UNSUPPORTED_EXPRESSION,
                    str_format(query, STR_FMT ": '" STR_FMT "' %s", STR_ARG(f->reason), STR_ARG(f->text),
                               f->scanned ? "is unknown where metadata cannot decide it" : "keeps all files"),
                    f->predicate->at);
        if (f->is_cast)
            note_add_at(&r->notes, query, NOTE_TYPE_CAST,
                        str_format(query,
                                   "engines cast the column in '" STR_FMT
                                   "', so its recorded values and bounds say nothing",
                                   STR_ARG(f->text)),
                        f->predicate->at);
    }
}

static void note_measurement(prune_report *r, const analysis *a, const measurement *m, arena *query) {
    if (m->gap_files)
        note_add(&r->notes, query, NOTE_PARTITION_EVAL_GAP,
                 str_format(query, "%llu of %llu file%s kept because a partition value could not be decided",
                            (unsigned long long)m->gap_files, (unsigned long long)m->total, plural(m->total)));
    if (m->nan_trusted_files)
        note_add(&r->notes, query, NOTE_FLOAT_MAX_TRUSTED,
                 str_format(query,
                            "%llu file%s dropped by trusting a float maximum that may hide NaN (see --nan strict)",
                            (unsigned long long)m->nan_trusted_files, plural(m->nan_trusted_files)));
    if (program_reads_clock(a->partition_safe) || program_reads_clock(a->partition_exact) || program_reads_clock(a->data)) {
        buf now;
        buf_init(&now, query, 64);
        calendar_print_micros(&now, a->env.now_micros, true);
        note_add(&r->notes, query, NOTE_CLOCK_READ,
                 str_format(query, "the current date and time were taken to be " STR_FMT " (see --now)", STR_ARG(buf_str(&now))));
    }
    bool literal_zone = program_assumes_zone(a->partition_safe) || program_assumes_zone(a->partition_exact) ||
                        program_assumes_zone(a->data);
    if (literal_zone || m->zone_assumed)
        note_add(&r->notes, query, NOTE_ZONE_ASSUMED,
                 literal_zone
                     ? STR("a time without zone in the predicate was read in the session zone (see --timezone)")
                     : STR("partition values without zone were read in the session zone (see --timezone)"));
}

static void note_features(prune_report *r, bool as_delta_explain, arena *query) {
    const snapshot *t = r->table;
    if (r->files_with_dv)
        note_add(&r->notes, query, NOTE_DELETION_VECTORS,
                 str_format(query, "%llu of %llu file%s carry a deletion vector: record counts include deleted rows",
                            (unsigned long long)r->files_with_dv, (unsigned long long)r->total_files,
                            plural(r->total_files)));
    if (t->schema.mapping != MAPPING_NONE)
        note_add(&r->notes, query, NOTE_COLUMN_MAPPING,
                 str_format(query, "column mapping by %s: the log keeps physical names, this report shows logical ones",
                            t->schema.mapping == MAPPING_NAME ? "name" : "id"));
    if (t->is_clustered && (t->clustering_in_commits || !as_delta_explain))
        note_add(&r->notes, query, NOTE_LIQUID_CLUSTERING,
                 STR("liquid clustering keeps the layout: files follow the clustering columns, not directories"));
    for (size_t i = 0; i < t->unrecognized_writer_feature_count && i == 0; i++)
        note_add(&r->notes, query, NOTE_UNRECOGNIZED_TABLE_FEATURE,
                 str_format(query, "%zu writer feature%s not known here, the first is " STR_FMT,
                            t->unrecognized_writer_feature_count, plural(t->unrecognized_writer_feature_count),
                            STR_ARG(t->unrecognized_writer_feature[0])));
}

/* --------------------------------------------------------------------------------------------------- the report */

static void fill_coverage(prune_report *r, const analysis *a, const measurement *m, arena *query) {
    r->coverage_available = true;
    r->coverage = ARENA_ARRAY(query, coverage_row, a->need_count);
    r->coverage_count = a->need_count;
    for (size_t i = 0; i < a->need_count; i++)
        r->coverage[i] = (coverage_row){a->need[i].name, requirement_name(a->need[i].requirement), m->after_partition,
                                        m->covered[i]};
}

static void fill_analysis(prune_report *r, const analysis *a, const measurement *m, bool lists_phases, arena *query) {
    r->partition_safe = analysis_bucket_text(a, BUCKET_PARTITION_SAFE, query);
    r->partition_exact = analysis_bucket_text(a, BUCKET_PARTITION_EXACT, query);
    r->stats_safe = analysis_bucket_text(a, BUCKET_STATS_SAFE, query);
    r->unsplittable = analysis_bucket_text(a, BUCKET_UNSPLITTABLE, query);
    r->confidence = overall_confidence(a, m);
    attribute(r, a, m, lists_phases, query);
    fill_coverage(r, a, m, query);
    note_fragments(r, a, query);
    note_measurement(r, a, m, query);
}

static void fill_gates(prune_report *r, const prune_options *o, const measurement *m) {
    r->has_min_pruning = o->has_min_pruning;
    r->min_pruning = o->min_pruning;
    r->min_pruning_passed = prune_percent(r->total_files - r->final_files, r->total_files) >= o->min_pruning;
    r->has_assert_stats = o->assert_stats;
    r->files_without_stats = m->without_stats;
    r->assert_stats_passed = m->without_stats == 0;
    r->paths_without_stats = m->paths_without_stats;
}

static void fill_listing(prune_report *r, const prune_options *o, const measurement *m) {
    if (o->listing != LISTING_FILES) return;
    r->files = m->listing[0];
    r->listed = m->listed[0];
    r->files_truncated = m->not_listed[0] > 0;
}

static void print_survivors(buf *out, const measurement *m) {
    buf_printf(out,
               "== survivor sets ==\nbaseline:            %llu files\npartition-only scan: %llu files\nfull scan:      "
               "     %llu files\n",
               (unsigned long long)m->total, (unsigned long long)m->after_partition, (unsigned long long)m->after_data);
}

/* Every file was seen, whatever was asked. */
static void verify_checksum(prune_report *r, const measurement *m, arena *query) {
    checksum_totals counted = {.files = {true, (int64_t)m->total}, .files_with_dv = {true, (int64_t)m->with_dv}};
    version_checksum unused;
    checksum_verify(r->table, &counted, query, &r->notes, &unused);
}

lp_status prune_run(snapshot *table, const prune_options *options, pool *workers, arena *query, prune_report **out,
                    lp_err *err) {
    prune_report *r = ARENA_NEW(query, prune_report);
    analysis a;
    if (options->has_where) {
        TRY(analysis_make(&table->schema, options, query, &a, err));
        analysis_place_columns(&a, options->listing != LISTING_NONE, options->listing == LISTING_PHASES);
    }
    measurement m;
    TRY(measure(table, options->has_where ? &a : NULL, options, workers, query, &m, err));
    r->table = table;
    r->has_where = options->has_where;
    r->where = options->where;
    r->total_files = m.total;
    r->final_files = m.after_data;
    r->files_with_dv = m.with_dv;
    r->file_stats_known = options->need_file_stats;
    r->files_with_stats = m.with_stats;
    r->counters = m.counters;
    if (options->has_where) fill_analysis(r, &a, &m, options->listing == LISTING_PHASES, query);
    note_features(r, options->as_delta_explain, query);
    if (!options->as_delta_explain) verify_checksum(r, &m, query);
    fill_gates(r, options, &m);
    fill_listing(r, options, &m);
    r->has_diagnoses = options->explain_why;
    if (options->explain_why && options->has_where) diagnose(&a, r, query);
    if (options->debug_ir && options->has_where) {
        analysis_print(options->debug_ir, &a, r->confidence, query);
        print_survivors(options->debug_ir, &m);
    }
    *out = r;
    return LP_OK;
}
