/* file_fate.h - what the log tells of a file that is not live in a version: removed, not added yet, or never named.
 * Called by: api/why.c.  Must not know: predicates, printing.
 * Source: PROTOCOL.md: Add File and Remove File.
 */
#ifndef DELTA_FILE_FATE_H
#define DELTA_FILE_FATE_H

#include "delta/snapshot.h"

typedef struct file_fate {
    int64_t removed_in; /* the newest version up to the snapshot's that removes the path; -1: none that is still there */
    int64_t added_in;   /* the oldest version after the snapshot's that adds it; -1: none */
    bool is_still_listed;  /* with removed_in -1: a checkpoint still lists it as removed */
} file_fate;

/* Reads every commit of the log that is still there, and the newest checkpoint where these say nothing: for an error message.
 * `name` is a path, with or without `#` and the id of a vector. Files of the log that cannot be read are passed over. */
MUST_USE lp_status file_fate_find(const snapshot *s, str name, arena *scratch, file_fate *out, lp_err *err);

#endif
