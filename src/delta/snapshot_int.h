/* snapshot_int.h - what snapshot.c found and scan.c runs over.
 * Called by: delta/snapshot.c, scan.c.  Must not know: other rooms.
 */
#ifndef DELTA_SNAPSHOT_INT_H
#define DELTA_SNAPSHOT_INT_H

#include "delta/checkpoint.h"
#include "delta/snapshot.h"

/* The files of a version. */
struct segment {
    arena *table;
    log_segment log; /* commits after the checkpoint, ascending */
    bool has_checkpoint;
    checkpoint checkpoint;
};

/* The path of a commit below the table's root. */
str commit_path(arena *out, const log_entry *commit);

#endif
