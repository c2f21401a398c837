/* regex.h - simple regular expressions, those that all engines read alike.
 * Called by: prune/fold_text.c.  Must not know: predicates.
 *
 *   pattern := sequence {| sequence}      sequence := {^ | $ | atom [quantifier]}
 *   atom := character | . | [ [^] {character | character-character} ] | ( [?:] pattern ) | \ sign | \d | \w
 *   quantifier := * | + | ? | {n} | {n,} | {n,m}, also lazy: behind it a ?
 *
 * Anything else (other escapes, references, looking around, flags, possessive quantifiers) is not read.
 */
#ifndef PRUNE_REGEX_H
#define PRUNE_REGEX_H

#include "base/str.h"

typedef enum regex_answer { REGEX_NO, REGEX_YES, REGEX_UNKNOWN } regex_answer;

/* Does the pattern match somewhere in the text? Both are UTF-8. Time is linear in the text. UNKNOWN for a
 * pattern that is not read, and where engines differ: about `.`, `$` and [^..] in texts with ends of lines, about \d and
 * \w in texts beyond ASCII. */
regex_answer regex_find(str pattern, str text);

#endif
