/* commit_info.h - what a commit says of itself.
 * Called by: delta/action.c fills it; api asks for that of a version, report prints it.  Must not know: which files are live.
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

/* Read the commit file at `path` up to its commitInfo, normally its first line. False where it has none, is not there, or
 * is damaged before it: nothing else depends on it. Texts are in `out_arena`. */
bool commit_info_read(store *files, str path, arena *out_arena, commit_info *out);

#endif
