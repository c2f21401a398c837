/* normalize.h - reshape a predicate without changing what it gives for any row, in three-valued logic.
 * Called by: prune/prune.c, stage commands.  Must not know: statistics, phases.
 */
#ifndef PREDICATE_NORMALIZE_H
#define PREDICATE_NORMALIZE_H

#include "predicate/predicate.h"

/* The passes, in this order:
 *  1. negations go to the leaves (De Morgan), so that later passes meet each LIKE in its final polarity;
 *  2. a prefix LIKE on a string column becomes a half-open range, so that both kinds of statistics can decide it;
 *  3. conjuncts common to all branches of an OR are taken out, which may free a partition condition; last, because the
 *     ranges of pass 2 are conjuncts too.
 * No CNF and no DNF: a tree never grows beyond the size of the text. `extended` also rewrites LIKE with ESCAPE. */
const predicate *predicate_normalize(arena *query, const predicate *p, bool extended);

/* The least text above every text that starts with `prefix`, by code point: the last character raised by one, jumping
 * over the surrogates; characters that cannot be raised (U+10FFFF) fall off. False if there is none. */
bool prefix_successor(arena *query, str prefix, str *out);

#endif
