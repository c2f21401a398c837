/* census.h - the live files of a snapshot counted: totals, how many files have statistics of each column, and a listing
 * that somebody else prints.
 * Called by: api; report reads the result.  Must not know: predicates, how anything is printed.
 */
#ifndef DELTA_CENSUS_H
#define DELTA_CENSUS_H

#include "delta/scan.h"
#include "store/spool.h"

/* Files whose statistics of one leaf column can be read. */
typedef struct column_coverage {
    const column *column;
    uint64_t min, max, min_and_max, null_count;
} column_coverage;

typedef struct census {
    uint64_t files;
    uint64_t bytes;                              /* sum of the sizes that are known; stops at UINT64_MAX */
    uint64_t files_with_size;                    /* whose size is recorded */
    uint64_t files_with_stats;                   /* a statistics object is there and can be read */
    uint64_t files_with_records, records;        /* numRecords; deleted rows included */
    uint64_t files_with_live_rows, live_rows;    /* numRecords less what the deletion vector marks, where both are known */
    uint64_t files_with_dv, deleted_rows;        /* deletion vectors, and the sum of their cardinalities */
    uint64_t files_with_base_row_id;             /* with a listing */
    uint64_t removed_keys;                       /* with want_removed */
    column_coverage *coverage;                   /* every leaf column that is no partition column, in schema order */
    size_t coverage_count;
    spool *listing;                              /* NULL without one */
    scan_counters counters;
} census;

/* Prints one file, with no separator around it. Called on worker threads: must only read `context`. The file has its path,
 * size, details, partition values in the order of schema.partition, and its record count. */
typedef void (*census_print)(void *context, buf *out, const live_file *f);

typedef struct census_options {
    bool want_coverage; /* else coverage is empty, and no more of the statistics is read than their counts */
    bool want_removed;
    census_print print; /* NULL: no listing */
    void *print_context;
    str separator;      /* between two entries */
    const zone *session_zone;
} census_options;

/* Count in one pass. The result lives in `query` and borrows from the snapshot. What is kept does not grow with the number
 * of files, but for the listing, which goes to disk. */
MUST_USE lp_status census_take(snapshot *s, const census_options *options, pool *workers, arena *query, census **out,
                               lp_err *err);

#endif
