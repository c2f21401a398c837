/* disk.h - the guest list against the venue: the files of the log, and the files in the table's folder.
 * Called by: api; report reads the result.  Must not know: predicates, text or JSON output.
 * Source: PROTOCOL.md: Data Files, Deletion Vector Files, Change Data Files, Action Reconciliation; which files VACUUM deletes
 * is as Delta's documentation of that command tells.
 *
 * Every file in the folder is *live* (the snapshot needs it), *removed* (the log names it, the snapshot does not need it),
 * *change data* (below _change_data, or named by a cdc action), or *uncommitted* (no action of the log that can be read names it). Names that start
 * with `_` or `.` are hidden and are no data, unless they are the folder of a partition column (rule A15); so is the folder
 * `metadata`, where UniForm keeps the metadata of Apache Iceberg.
 *
 * Paths are compared as 128-bit digits of a digest in a set of the files in the folder: 24 bytes each and 1.33 to 2.67 places
 * a file, so 32 to 64 bytes a file. The folder is walked twice: to fill the set, and to say what became of each.
 */
#ifndef DELTA_DISK_H
#define DELTA_DISK_H

#include "delta/scan.h"
#include "store/listing.h"

typedef enum disk_state {
    DISK_REMOVED,     /* in the folder; named by the log, not needed */
    DISK_UNCOMMITTED, /* in the folder; never named */
    DISK_CHANGE_DATA, /* in the folder; below _change_data, or named by a cdc action */
    DISK_MISSING,     /* live, and not there */
    DISK_OTHER_SIZE,  /* live, and not of the size that its add says */
    DISK_OUTSIDE,     /* live, and named by an absolute path that leads out of the folder */
    DISK_STATE_COUNT
} disk_state;

/* A file that is not simply live and there, for a listing. */
typedef struct disk_file {
    disk_state state;
    bool is_vector;  /* the file of deletion vectors; of those in the folder told by the name */
    str path;        /* decoded, below the root; absolute, or a URI, for DISK_OUTSIDE */
    bool is_absent;  /* DISK_MISSING, and DISK_OUTSIDE of a place on this machine where it is not */
    int64_t size_bytes;    /* in the folder, for DISK_MISSING and DISK_OUTSIDE by the log; -1 when unknown */
    int64_t logged_bytes;  /* DISK_OTHER_SIZE: what the log says */
    bool has_mtime;
    int64_t mtime_ms;
    bool has_removed_at;
    int64_t removed_at_ms; /* DISK_REMOVED: when the log says that it was removed last */
    bool is_vacuumed;      /* VACUUM would delete it now */
} disk_file;

/* Prints one entry, without a separator behind it. */
typedef void (*disk_print)(void *context, buf *out, const disk_file *f);

typedef struct disk_options {
    int64_t now_ms; /* since 1970-01-01 UTC: what ages are counted to */
    bool list;
    bool has_limit;
    uint64_t limit; /* of the listing */
    disk_print print;
    void *print_context;
    str separator;
} disk_options;

typedef struct disk_tally {
    uint64_t files, bytes;
} disk_tally;

typedef struct disk_report {
    const snapshot *table;
    int64_t now_ms;
    str retention_text;   /* of delta.deletedFileRetentionDuration; STR_NONE when absent */
    bool retention_known; /* false: the text is no interval; then nothing is said of VACUUM */
    int64_t retention_ms;

    uint64_t live_data_files;      /* of the snapshot, wherever they are */
    disk_tally live, live_vectors; /* in the folder, found by the walk */
    uint64_t live_behind_links;    /* live files and vectors that a link to a folder, or a hidden folder, leads to */
    disk_tally state[DISK_STATE_COUNT];      /* data files and vectors */
    disk_tally vectors[DISK_STATE_COUNT];    /* the vectors among them */
    disk_tally vacuumed[DISK_STATE_COUNT];   /* the files among them that VACUUM would delete now */
    uint64_t outside_missing, outside_unseen; /* of DISK_OUTSIDE: not there; in stores that are not looked into */
    uint64_t unknown_vectors;                 /* live vectors whose file cannot be told from their id */

    uint64_t hidden_entries, special_entries, links_to_folders, folders_too_deep; /* not gone into, or no files */
    uint64_t unreadable_log_files; /* older than what the snapshot needs: what only they name counts as uncommitted */
    str first_unreadable;          /* why; STR_NONE without */

    bool lists_files;
    listing listing; /* live files that are missing, of another size or outside in log order; then the folder's by path */
    scan_counters counters;
} disk_report;

/* Compare. The snapshot should be of the latest version, since the folder is as it is now. SCAN_AGAIN as of snapshot_scan. */
MUST_USE lp_status disk_run(snapshot *table, pool *workers, const disk_options *options, arena *query,
                            disk_report **out, lp_err *err);

#endif
