/* commit_info.h - what a commit says of itself: who made it, when and how.
 * Called by: delta/action.c fills it; snapshot.c, time_travel.c, history.c and checksum.c ask for it, report prints it.
 * Must not know: which files are live, which versions there are.
 * Source: PROTOCOL.md: Commit Provenance Information (free-form, so each part may be absent), In-Commit Timestamps.
 */
#ifndef DELTA_COMMIT_INFO_H
#define DELTA_COMMIT_INFO_H

#include "store/store.h"

typedef struct commit_info {
    bool has_timestamp; /* by the writer's clock; no reader goes by it (rule M3) */
    int64_t timestamp_ms;
    bool has_in_commit_timestamp;
    int64_t in_commit_timestamp_ms; /* since 1970-01-01 UTC */
    str operation, engine, user;    /* operation, engineInfo, userName; STR_NONE when absent or no string */
    str parameters, metrics;        /* operationParameters, operationMetrics: JSON objects as written, else STR_NONE */
} commit_info;

/* Reads one commit after the other; what it needs lives in `keep`. */
typedef struct commit_info_reader commit_info_reader;
commit_info_reader *commit_info_reader_new(arena *keep);

/* Look for the commitInfo of the commit at `path`. Where in-commit timestamps are on it is the first action (rule M11), and
 * mostly elsewhere too: the start of the file is read first, and more only as long as nothing was found. Texts last until
 * the reader is used again and `scratch` is reset. Errors name file and line. */
MUST_USE lp_status commit_info_find(commit_info_reader *r, store *files, str path, arena *scratch, bool *found,
                                    commit_info *out, lp_err *err);

/* The same for one commit. False where it has none, is not there, or is damaged before it: nothing else depends on it.
 * Texts are in `out_arena`. */
bool commit_info_read(store *files, str path, arena *out_arena, commit_info *out);

#endif
