/* key_set.h - a set of files by the digests of their keys, with marks.
 * Called by: delta/diff.c, disk.c.  Must not know: what the marks mean.
 *
 * A key is two words: the first is made of the path alone, so that files of one path under several vectors can be found
 * by it too; both words are of the whole key. So two different keys are taken for one with a probability of 2^-126, and
 * two different paths with 2^-64: the set decides by keys, and by paths only where a report says `rewritten`.
 */
#ifndef DELTA_KEY_SET_H
#define DELTA_KEY_SET_H

#include <stdatomic.h>

#include "base/digest.h"
#include "delta/replay.h"

enum { KEY_MARK_ONE = 1, KEY_MARK_TWO = 2 }; /* the two lowest bits of the second word */

typedef struct key_code {
    uint64_t path; /* never 0 */
    uint64_t rest; /* marks are 0 */
} key_code;

key_code key_code_of(digest_key secret, file_key key);

typedef struct key_set key_set;

/* An empty set; its memory ends with `owner`. With stamps each key has a number beside it. */
key_set *key_set_new(arena *owner, bool with_stamps);
bool key_set_add(key_set *s, key_code code); /* false if it was there: no change */
size_t key_set_count(const key_set *s);

/* Set marks of a key; false if it is not in the set. Thread-safe while nothing is added; so are the others below. */
bool key_set_mark(key_set *s, key_code code, unsigned marks);
/* Set marks of every key of this path; false if there is none. */
bool key_set_mark_path(key_set *s, key_code code, unsigned marks);
/* The number beside a key, 0 at first; NULL if it is not in the set. Stays where it is until the next key is added. */
int64_t *key_set_stamp(const key_set *s, key_code code);
/* The marks of a key; 0 if it is not in the set. */
unsigned key_set_marks(const key_set *s, key_code code);

#endif
