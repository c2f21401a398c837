/* digest.h - a text as 128 bits: for sets that are too large to hold the texts themselves.
 * Called by: delta.  Must not know: what the texts are.
 * Source: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF" (2012), with 128 bits of output.
 *
 * Two different texts among n have the same digest with a probability of about n*n / 2^129: for a thousand million texts
 * less than one in 10^20. The key is another one in each run, so an author of names cannot look for such a pair.
 */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include "base/str.h"

typedef struct digest {
    uint64_t low, high;
} digest;

typedef struct digest_key {
    uint64_t first, second;
} digest_key;

/* A key of this run of the program. Nothing that is printed may depend on it. */
digest_key digest_key_of_run(void);

/* STR_NONE gives the digest of "". */
digest digest_text(digest_key key, str text);

static inline bool digest_eq(digest a, digest b) { return a.low == b.low && a.high == b.high; }

#endif
