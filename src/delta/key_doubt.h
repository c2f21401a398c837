/* key_doubt.h - where the keys of files leave a doubt about what is live: paths that are spelled differently and name one
 * file, and paths that are live twice.
 * Called by: delta/scan.c, commit_rows.c, checkpoint_rows.c.  Must not know: statistics, printing.
 * Source: PROTOCOL.md: Add File and Remove File.
 *
 * Spelling (rules H7, H8): the protocol does not say how paths are compared. Here they are compared as raw text, as most
 * readers do. Spark decodes and qualifies them first: `a%20b` is `a b`, and file:/x, file:///x and /x are one. That
 * merges keys, so its live files are among those of the raw comparison: an add that is live by its text is an *alias* if
 * another spelling was decided before it.
 *
 * Vectors (rule H6): a path is live under one deletion vector at most. An add *clashes* if its path is live under another
 * one, or without.
 *
 * Both are looked for among the commits, and between commits and checkpoint. The rows of a checkpoint are not compared
 * with each other: its writer has done that, and the paths would have to be kept. What is kept here grows with the
 * commits' paths that are escaped or absolute, and with their files that have a vector.
 */
#ifndef DELTA_KEY_DOUBT_H
#define DELTA_KEY_DOUBT_H

#include "delta/replay.h"

typedef struct key_doubts key_doubts;

typedef struct doubt_counts {
    uint64_t aliases, clashes;
} doubt_counts;

/* Beside the fold `decided`, which takes each key first. Paths below `root`, the table's absolute path, count as
 * relative ones. Lives in `owner`. */
key_doubts *key_doubts_new(arena *owner, const replay *decided, str root);

/* Start on the next older commit. */
void key_doubts_begin_commit(key_doubts *d);

/* An add that `decided` took and found live, and a remove. */
void key_doubts_take_add(key_doubts *d, file_key key, arena *scratch, doubt_counts *counts);
void key_doubts_take_remove(key_doubts *d, file_key key, arena *scratch);

/* A row of the checkpoint that `decided` does not hold. Thread-safe while nothing is taken. */
void key_doubts_of_row(const key_doubts *d, file_key key, arena *scratch, doubt_counts *counts);

/* The canonical form of a path: as it is, unless it is escaped, absolute or has empty parts. */
str key_canonical_path(arena *scratch, str path, str root);

#endif
