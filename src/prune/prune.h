/* prune.h - which files a predicate keeps, measured in one pass, and everything a report says about it.
 * Called by: api; report reads the result.  Must not know: text or JSON output.
 */
#ifndef PRUNE_PRUNE_H
#define PRUNE_PRUNE_H

#include "claim/note.h"
#include "delta/scan.h"
#include "sql/parse.h"
#include "store/spool.h"

typedef enum confidence { CONFIDENCE_EXACT, CONFIDENCE_CONSERVATIVE, CONFIDENCE_INCOMPLETE } confidence;
typedef enum prune_level { LEVEL_CONTRACT, LEVEL_EXTENDED } prune_level;
typedef enum phase_kind { PHASE_PARTITION, PHASE_SKIPPING } phase_kind;

/* One file in one phase, for a listing. */
typedef struct file_verdict {
    const live_file *file;
    bool kept; /* text: by this phase; JSON: by the whole predicate */
    const struct trace_node *why; /* with explain_files and a predicate (trace.h); else NULL */
    str recorded_in;              /* with why: the place of its add, `00000000000000000000.json line 7` */
    bool was_dropped_by_a_phase;
    phase_kind dropped_by; /* if was_dropped_by_a_phase */
} file_verdict;

/* Prints one listing entry, without a separator behind it. Called on worker threads: must only read `context`.
 * For any listing the scan requests path, size, record count and all partition columns in the order of
 * schema.partition. For LISTING_PHASES it also requests bounds and null counts of every leaf, in the order of
 * schema.leaf, and loads the statistics of every file that is printed, dropped or not: `live_file.stats.column[i]` is
 * about `schema.leaf[i]`. */
typedef void (*listing_print)(void *context, buf *out, const file_verdict *v);

typedef enum listing_kind {
    LISTING_NONE,
    LISTING_PHASES, /* one listing a phase: the files that entered it (text report) */
    LISTING_FILES   /* one listing of all files with their final verdict (JSON report) */
} listing_kind;

typedef struct prune_options {
    bool has_where;
    str where;
    sql_dialect dialect;
    prune_level level;
    bool nan_strict;
    bool as_delta_explain; /* refuse and degrade the few literals and names that this tool refuses and degrades
                              (docs/compat.md); never drops a file more or less soundly */
    const zone *session_zone;
    int64_t now_micros; /* what current_date and current_timestamp are */
    zone_database *zones;
    bool has_min_pruning;
    double min_pruning;
    bool assert_stats;
    bool explain_why;
    bool need_file_stats; /* the `stats` block is printed (JSON, verbose) */
    listing_kind listing;
    bool explain_files; /* LISTING_FILES: file_verdict.why, and where the log holds each file */
    str only_file;      /* evaluate and list nothing but this live file, named by the text of its path; `#` and the id of its
                           vector may stand behind it. STR_NONE: all. Counts of files that are kept speak of it alone */
    bool has_limit;
    uint64_t limit;
    listing_print print; /* with its context, when listing is not LISTING_NONE */
    void *print_context;
    str listing_separator; /* between two entries */
    buf *debug_ir;         /* the five forms are appended; NULL for none */
} prune_options;

typedef struct coverage_row {
    str column;      /* logical dotted name */
    str requirement; /* min_max, null_count, null_count_and_num_records */
    uint64_t candidate_files, covered_files;
} coverage_row;

typedef struct prune_phase {
    phase_kind kind;
    confidence confidence;
    str predicate;         /* every fragment of the phase (JSON) */
    str predicate_scanned; /* what was evaluated, with "(+k unsupported fragments, keep all files)" (text) */
    uint64_t input_files, output_files;
    spool *listing;              /* LISTING_PHASES, else NULL */
    uint64_t listed, not_listed; /* entries printed, and left out by the limit */
} prune_phase;

typedef struct diagnosis {
    note_code code;
    str message, suggestion; /* suggestion may be STR_NONE */
    struct diagnosis *next;
} diagnosis;

typedef struct prune_report {
    const snapshot *table;
    bool has_where;
    str where;
    uint64_t total_files, final_files;

    /* The analysis, with has_where. Fragments are STR_NONE when their bucket is empty. */
    str partition_safe, partition_exact, stats_safe, unsplittable;
    confidence confidence;
    bool coverage_available; /* false: a column could not be resolved */
    coverage_row *coverage;  /* sorted by column, then requirement */
    size_t coverage_count;
    note_list notes;

    uint64_t files_with_dv;
    bool file_stats_known; /* the statistics of every file were looked at */
    uint64_t files_with_stats;

    prune_phase phase[2];
    size_t phase_count;

    bool has_min_pruning;
    double min_pruning;
    bool min_pruning_passed;
    bool has_assert_stats;
    bool assert_stats_passed;
    uint64_t files_without_stats;
    spool *paths_without_stats; /* "  path\n" each, with assert_stats */

    bool has_diagnoses;   /* --explain-why */
    diagnosis *diagnosis; /* in the order of the rules */

    spool *files; /* LISTING_FILES: entries with separators between */
    uint64_t listed;
    bool files_truncated;

    scan_counters counters;
} prune_report;

/* Resolve names, measure, gate, diagnose. The report and all it holds live in `query` and borrow from the snapshot. */
MUST_USE lp_status prune_run(snapshot *table, const prune_options *options, pool *workers, arena *query,
                             prune_report **out, lp_err *err);

double prune_percent(uint64_t dropped, uint64_t input); /* 0 when input is 0 */
str phase_name(phase_kind k);                           /* "Partition pruning", "Data skipping (min/max statistics)" */
str confidence_name(confidence c);                      /* "exact", "conservative", "incomplete" */

#endif
