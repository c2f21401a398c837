/* measure.h - one pass over the live files: which phase loses which file.
 * Called by: prune/prune.c.  Must not know: text or JSON output, messages.
 */
#ifndef PRUNE_MEASURE_H
#define PRUNE_MEASURE_H

#include "prune/analysis.h"

typedef struct measurement {
    uint64_t total, after_partition, after_data;
    uint64_t gap_files;         /* kept because a partition value could not be decided */
    uint64_t nan_trusted_files; /* dropped, and kept if float maxima were not trusted */
    bool zone_assumed;          /* a partition value without zone was read in the session zone */
    uint64_t with_dv, with_stats, without_stats;
    uint64_t *covered; /* parallel to analysis.need, over the files that survive the partition phase */
    spool *listing[2]; /* by phase (LISTING_PHASES), or [0] for all files (LISTING_FILES) */
    uint64_t listed[2], not_listed[2];
    spool *paths_without_stats;
    scan_counters counters;
} measurement;

/* `a` is NULL without a predicate: then everything is kept. */
MUST_USE lp_status measure(snapshot *table, const analysis *a, const prune_options *options, pool *workers,
                           arena *query, measurement *out, lp_err *err);

#endif
