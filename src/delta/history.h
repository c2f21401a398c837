/* history.h - the versions of a table, newest first: which can be rebuilt, when and how each was made, and what is missing
 * for the others.
 * Called by: api; report prints them through it.  Must not know: what versions hold, how anything is printed.
 * Source: PROTOCOL.md: Commit Provenance Information, In-Commit Timestamps, Metadata Cleanup, Checkpoints.
 */
#ifndef DELTA_HISTORY_H
#define DELTA_HISTORY_H

#include "delta/time_travel.h"

/* The log alone: which files there are, and by which clock commits are read. Lives in the arena of snapshot_open_log. */
typedef struct log_view {
    const log_list *list;
    const log_plan *plan;
    commit_clock clock;
} log_view;

typedef enum time_source {
    TIME_UNKNOWN,  /* the commit is gone, or damaged, or lacks the timestamp that it should have */
    TIME_OF_FILE,  /* modification time of the commit file, made strictly increasing */
    TIME_IN_COMMIT /* in-commit timestamp */
} time_source;

typedef struct history_checkpoint {
    log_kind kind;
    bool is_json;
    bool is_complete; /* in the listing: all parts are there, no file of it is empty */
    str file;         /* the first one */
    size_t file_count;
} history_checkpoint;

/* A version that can be rebuilt, by what the listing says. Texts last for the call. */
typedef struct history_version {
    int64_t version;
    time_source time_source;
    int64_t time_ms;
    bool has_commit_info; /* else `info` is empty */
    commit_info info;
    str problem;          /* why the commit does not tell its time or does not tell anything: one line; STR_NONE */
    const history_checkpoint *checkpoint; /* of this version, best first */
    size_t checkpoint_count;
} history_version;

/* Versions first..last cannot be rebuilt, since this file is missing. */
typedef struct history_gap {
    int64_t first, last;
    str missing; /* below the table's root */
} history_gap;

/* Everything known before the first version is read. */
typedef struct history_summary {
    uint64_t version_count; /* that can be rebuilt, up to `last` */
    uint64_t listed_count;  /* of which so many are handed out */
    const history_gap *gap; /* newest first */
    size_t gap_count;
} history_summary;

typedef struct history_options {
    bool has_last;
    int64_t last; /* the newest version of interest */
    bool has_limit;
    uint64_t limit; /* at most so many versions are handed out */
} history_options;

/* Called newest first; gaps come where they lie between versions, as long as versions follow or the limit was not met. */
typedef struct history_visitor {
    void *context;
    lp_status (*version)(void *context, const history_version *v, lp_err *err);
    lp_status (*gap)(void *context, const history_gap *g, lp_err *err);
} history_visitor;

/* LP_ERR_NOT_FOUND when `last` is newer than any version. In `memory`. */
MUST_USE lp_status history_summarize(const log_view *log, const history_options *options, arena *memory,
                                     history_summary *out, lp_err *err);

/* Hand out versions and gaps. Reads of each commit only its start, up to its commitInfo. A commit that cannot be read is
 * told as such, and is no error. What is kept does not grow with the versions, beyond their names in the listing. */
MUST_USE lp_status history_walk(const log_view *log, store *files, const history_options *options,
                                const history_visitor *visitor, arena *memory, lp_err *err);

#endif
