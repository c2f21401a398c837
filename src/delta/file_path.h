/* file_path.h - where a file that the log names lies: from the text in the log to a path in the store.
 * Called by: delta/disk.c, checkpoint.c.  Must not know: whether there is such a file.
 * Source: PROTOCOL.md: Add File and Remove File (path), Deletion Vector Descriptor Schema, Derived Fields.
 */
#ifndef DELTA_FILE_PATH_H
#define DELTA_FILE_PATH_H

#include "base/arena.h"

/* Percent-decoding (RFC 3986), once; a stray `%` stays (rules G8, G9). */
str uri_decode(arena *out, str uri);

typedef enum path_place {
    PATH_INSIDE,  /* below the root: `path` is relative, decoded, without `.` and empty parts */
    PATH_LOCAL,   /* outside of the root, on this machine: `path` is absolute */
    PATH_ELSEWHERE /* in some other store: `path` is the URI as written */
} path_place;

typedef struct file_place {
    path_place place;
    str path;
} file_place;

/* Of the text of add.path or remove.path, which is a URI: relative, or absolute for files of another table (a shallow
 * clone). An absolute one below `root` is inside; so a text with a part `..` is outside. */
file_place file_place_of(arena *out, str uri, str root);

/* The file of a deletion vector; false where there is none (an inline vector) or where it cannot be told. `stem` is the
 * vector's unique id without its offset: storageType and pathOrInlineDv (rules K2, K4, K8). */
bool vector_place_of(arena *out, str stem, str root, file_place *place);

#endif
