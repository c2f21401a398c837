/* commit_info.h - who made a commit, when and how: the action commitInfo.
 * Called by: delta/time_travel.c, history.c, checksum.c.  Must not know: other actions, which versions there are.
 * Source: PROTOCOL.md: Commit Provenance Information, In-Commit Timestamps.
 */
#ifndef DELTA_COMMIT_INFO_H
#define DELTA_COMMIT_INFO_H

#include "delta/action.h"
#include "delta/log_reader.h"

/* commitInfo is free-form (rule F11): what is missing, or not of the type that writers give it, is absent here. */
typedef struct commit_info {
    bool is_there; /* the commit has a commitInfo */
    bool has_in_commit_timestamp;
    int64_t in_commit_timestamp_ms; /* since 1970-01-01 UTC */
    str operation, engine;          /* STR_NONE when absent */
    str operation_metrics;          /* a JSON object as written; STR_NONE when absent */
} commit_info;

/* What reading one commit after the other needs. Lives in `keep`. */
typedef struct commit_info_reader {
    log_reader *lines;
    json_reader *json;
    const json_names *action, *member; /* what is looked for in a line, and in commitInfo */
} commit_info_reader;
commit_info_reader commit_info_reader_new(arena *keep);

/* Read a line of a commit. is_there is false where it holds another action. Texts are borrowed from the line, or in
 * `scratch`. LP_ERR_FORMAT: not a JSON object, or a commitInfo that is none. */
MUST_USE lp_status commit_info_parse(const commit_info_reader *r, str line, line_place at, arena *scratch,
                                     commit_info *out, lp_err *err);

/* Look for the commitInfo of the commit at `path` below the table's root. It is the first action where in-commit
 * timestamps are on (rule M11), so the start of the file is read first, and more only as long as nothing was found.
 * Texts last until the reader is used again and `scratch` is reset. */
MUST_USE lp_status commit_info_read(const commit_info_reader *r, store *files, str path, arena *scratch,
                                    commit_info *out, lp_err *err);

#endif
