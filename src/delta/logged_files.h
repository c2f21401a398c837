/* logged_files.h - every file that an action of a log file names, live or not.
 * Called by: delta/disk.c.  Must not know: which actions win, what lies in the table's folder.
 * Source: PROTOCOL.md: Add File and Remove File, Checkpoint Schema, V2 Spec.
 */
#ifndef DELTA_LOGGED_FILES_H
#define DELTA_LOGGED_FILES_H

#include "delta/checkpoint.h"

typedef struct logged_file {
    str path;              /* as written */
    str vector;            /* storageType and pathOrInlineDv of its deletion vector; STR_NONE without */
    bool is_remove, is_cdc; /* neither: an add */
    int64_t deleted_at_ms; /* of a remove; 0 when unknown */
} logged_file;

/* Takes one file; its texts are borrowed for the call. */
typedef void (*logged_file_take)(void *context, const logged_file *f);

typedef struct logged_files logged_files;

/* A reader whose buffers live in `keep` and are used again from file to file. */
logged_files *logged_files_new(arena *keep, store *files, logged_file_take take, void *context);

/* All files of a commit, in its order. */
MUST_USE lp_status logged_files_of_commit(logged_files *l, str path, lp_err *err);

/* All files of a checkpoint, sidecars included; removes behind the adds of each row group. */
MUST_USE lp_status logged_files_of_checkpoint(logged_files *l, const log_checkpoint *from, lp_err *err);

#endif
