/* stats_parsed.h - statistics from the struct column of a checkpoint.
 * Called by: delta/checkpoint_rows.c.  Must not know: predicates, JSON.
 * Source: PROTOCOL.md: Checkpoints (writeStatsAsStruct), Per-file Statistics.
 */
#ifndef DELTA_STATS_PARSED_H
#define DELTA_STATS_PARSED_H

#include "delta/leaf.h"
#include "delta/stats.h"

typedef struct stats_parsed stats_parsed;

/* Cursors for the wanted columns, in `keep`. */
stats_parsed *stats_parsed_new(arena *keep, const stats_plan *plan, const stats_column *wanted, size_t count);

/* Stand before the first row of a row group; `group_node` is add.stats_parsed, NULL if there is none. */
MUST_USE lp_status stats_parsed_open(stats_parsed *p, pq_file *f, size_t group, const pq_node *group_node, lp_err *err);
bool stats_parsed_is_there(const stats_parsed *p);

/* Pass over rows. */
void stats_parsed_pass(stats_parsed *p, uint64_t rows);

/* Read the next `row_count` rows. `file[i]`, for i < file_count, is filled from row `row[i]` (ascending) if
 * `wanted[i]`: has_stats stays false where the struct is null. Values live in `values` or in the cursors until the next
 * call. */
MUST_USE lp_status stats_parsed_read(stats_parsed *p, size_t row_count, const uint32_t *row, const bool *wanted,
                                     live_file *file, size_t file_count, arena *values, lp_err *err);

size_t stats_parsed_peak_bytes(const stats_parsed *p);

#endif
