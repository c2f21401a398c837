/* analysis.h - a predicate from text to programs: parse, import, normalize, type, classify, lower.
 * Called by: prune/prune.c, stage commands.  Must not know: files, reports.
 */
#ifndef PRUNE_ANALYSIS_H
#define PRUNE_ANALYSIS_H

#include "predicate/classify.h"
#include "prune/derive.h"
#include "prune/program.h"
#include "prune/prune.h"

/* What a stats-safe condition needs of a column's statistics to be decided. */
typedef enum requirement { REQUIRE_MIN_MAX, REQUIRE_NULL_COUNT, REQUIRE_NULL_COUNT_AND_NUM_RECORDS } requirement;
typedef struct coverage_need {
    const column *column;
    str name; /* logical, dotted */
    requirement requirement;
    size_t stats_index; /* among the statistics columns of the scan */
} coverage_need;

typedef struct analysis {
    const predicate *imported, *normalized, *typed; /* three of the five forms */
    classification classes;
    fold_env env;
    derivation_list derived; /* level extended */
    slot_table slots;
    program *partition_safe, *partition_exact, *data; /* always there; without a fragment they give TRUE */
    bool has_partition_safe, has_partition_exact, has_stats_safe, has_unsplittable;
    size_t stripped_count; /* unsplittable fragments that are left out */
    coverage_need *need;   /* of the stats-safe fragments, sorted by name, then requirement */
    size_t need_count;
} analysis;

MUST_USE lp_status analysis_make(const schema *s, const prune_options *options, arena *query, analysis *out,
                                 lp_err *err);

/* Where the scan delivers each column: by default only what the programs ask for, in the order of the slots; for
 * listings all partition columns in schema order, and for listings by phase all leaves in schema order. */
void analysis_place_columns(analysis *a, bool every_partition, bool every_leaf);

/* Is the fragment a condition of the program `data`, of `partition_exact`? Some are conditions of another program too. */
bool analysis_data_holds(const analysis *a, const fragment *f);
bool analysis_exact_holds(const analysis *a, const fragment *f);

str requirement_name(requirement r); /* "min_max", ... */

/* The texts of the fragments of a bucket joined with AND; STR_NONE when there is none. */
str analysis_bucket_text(const analysis *a, bucket b, arena *query);

/* The first four of the five forms as text; `c` is what measuring found, which also adds the last form, the survivors.
 */
void analysis_print(buf *out, const analysis *a, confidence c, arena *query);

#endif
