/* diff.h - what is different between two versions of a table: files, schema, protocol, properties.
 * Called by: api; report reads the result.  Must not know: predicates, text or JSON output.
 * Source: PROTOCOL.md: Action Reconciliation (a file is its path and its vector's id), Column Mapping, Type Widening.
 *
 * The older side is called *before*, the newer one *after*; which version is which is the caller's choice.
 *
 * Files are compared by their keys. The keys of the side before are kept as 128-bit digests in a set (base/digest.h), 16
 * bytes each and 1.33 to 2.67 places a key: so memory is 21 to 43 bytes a file of that side, 64 at most while it grows.
 * Each scan streams: the side before is read twice (its keys; then what became of each file), the side after once.
 */
#ifndef DELTA_DIFF_H
#define DELTA_DIFF_H

#include "delta/scan.h"
#include "store/listing.h"

typedef enum diff_change { DIFF_ADDED, DIFF_REMOVED } diff_change;

/* A file that is on one side only, for a listing. */
typedef struct diff_file {
    const live_file *file;
    diff_change change;
    bool rewritten; /* its path is live on the other side too, under another deletion vector */
} diff_file;

/* Prints one entry, without a separator behind it. Called on worker threads: must only read `context`. The file has
 * path, vector, size and record count. */
typedef void (*diff_print)(void *context, buf *out, const diff_file *f);

typedef struct diff_options {
    bool list; /* the files that were removed and added */
    bool has_limit;
    uint64_t limit; /* of each of the two listings */
    diff_print print;
    void *print_context;
    str separator;
} diff_options;

/* Sums over files. What a file does not say is not in the sums, and counted beside them. */
typedef struct diff_tally {
    uint64_t files, bytes, records, deleted_rows; /* records are physical rows; deleted_rows are those of vectors */
    uint64_t with_vector;
    uint64_t without_size, without_records, without_cardinality;
} diff_tally;

typedef struct text_difference {
    str name;
    str before, after; /* STR_NONE: absent on that side */
} text_difference;

/* The sides of a column that is not the same on both. Columns are the same column if their physical names are, inside of
 * the same struct (rules J2, J5): a rename keeps it, a drop and an add under the old name do not. */
typedef struct column_difference {
    const column *before, *after; /* NULL: added, dropped. Of an added or dropped struct only the struct itself */
    bool renamed;
    bool retyped, widened;        /* widened: retyped so that every value has its equal (type widening) */
    bool nullability;             /* nullable on one side only */
    str type_before, type_after;  /* with retyped, and of an added or dropped column its own: see type_text.h */
    text_difference *attribute;   /* of a column on both sides: collation, comment, default, generation, identity, ... */
    size_t attribute_count;
} column_difference;

typedef struct snapshot_diff {
    const snapshot *before, *after;

    diff_tally total_before, total_after;
    diff_tally added, removed, kept; /* kept as the side after has it */
    diff_tally rewritten_before, rewritten_after; /* parts of removed and added: same path, other vector */
    bool lists_files;
    listing removed_files, added_files; /* with diff_options.list, in the order of their logs */

    column_difference *column; /* depth first: those of the side after in its order, then dropped ones in theirs */
    size_t column_count;
    bool partitioning_changed; /* of the partition columns, by their physical names */
    bool clustering_changed;   /* of the clustering columns' logical names, or of being clustered */
    bool table_id_changed, table_name_changed;
    bool reader_version_changed, writer_version_changed;
    text_difference *property; /* of the configuration, sorted by name */
    size_t property_count;
    text_difference *reader_feature, *writer_feature; /* name on one side only (before or after equals it), sorted */
    size_t reader_feature_count, writer_feature_count;

    scan_counters counters; /* of all three scans */
} snapshot_diff;

/* The differences but for files. Lives in `query`, borrows from both snapshots. */
void diff_metadata(const snapshot *before, const snapshot *after, arena *query, snapshot_diff *out);

/* All differences. Each side is scanned on the pool of its table. `out` lives in `query`. SCAN_AGAIN as of snapshot_scan. */
MUST_USE lp_status diff_run(snapshot *before, pool *before_workers, snapshot *after, pool *after_workers,
                            const diff_options *options, arena *query, snapshot_diff **out, lp_err *err);

#endif
