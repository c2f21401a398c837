/* regex.h - simple regular expressions, those that all engines read alike.
 * Called by: prune/fold_text.c.  Must not know: predicates.
 *
 *   pattern := [^] {atom [* | + | ?]} [$]        atom := character | . | [ [^] {character | character-character} ]
 *
 * Anything else (groups, alternatives, escapes, counts, lazy quantifiers) is not read.
 */
#ifndef PRUNE_REGEX_H
#define PRUNE_REGEX_H

#include "base/str.h"

typedef enum regex_answer { REGEX_NO, REGEX_YES, REGEX_UNKNOWN } regex_answer;

/* Does the pattern match somewhere in the text? Both are UTF-8. Time is linear in the text. */
regex_answer regex_find(str pattern, str text);

#endif
