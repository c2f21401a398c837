/* replay.h - decide which file actions are live, reading the log newest first.
 * Called by: delta/scan.c.  Must not know: SQL, statistics, printing, where actions come from.
 * Source: PROTOCOL.md: Action Reconciliation, Add File and Remove File.
 *
 * Invariants:
 * 1. A file is its key: the text of `path` and the unique id of its deletion vector (rule H2). Paths are compared as
 *    raw text (rule H7).
 * 2. Among commits, the newest one that names a key decides.
 * 3. Inside one commit order carries no meaning (rules F6, F7): a commit that holds add and remove of the very same key
 *    keeps the file, because a kept file is never wrong, and a second add of a key changes nothing.
 */
#ifndef DELTA_REPLAY_H
#define DELTA_REPLAY_H

#include "base/arena.h"

typedef struct file_key {
    str path;
    str dv_id; /* storageType + pathOrInlineDv, and @offset when an offset is present (rule H4); STR_NONE without */
} file_key;

typedef struct replay replay;

/* An empty fold. All it keeps is allocated in `owner`: what is in commits, nothing of what a checkpoint holds. */
replay *replay_new(arena *owner);

/* Start on the next older commit. */
void replay_begin_commit(replay *r);

/* An add of the commit under way; true if it is live. The key is copied. */
bool replay_take_add(replay *r, file_key key);
void replay_take_remove(replay *r, file_key key);

/* Was a key named before in the commit under way? In a commit that may be (invariant 3); a compaction names each once. */
bool replay_named_twice(const replay *r);

/* Is the key decided so that an add of the commit under way would change nothing? */
bool replay_decides(const replay *r, file_key key);

/* Did some commit decide this key? Then a row of the checkpoint says nothing. Thread-safe while nothing is taken. */
bool replay_holds(const replay *r, file_key key);
bool replay_holds_add(const replay *r, file_key key); /* ... as a live file? */

/* Number of keys decided so far: what memory grows with. */
size_t replay_key_count(const replay *r);
/* Those among them that a remove has decided. */
size_t replay_removed_count(const replay *r);

#endif
