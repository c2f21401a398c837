/* pattern.h - LIKE patterns with every reading of their backslashes and escape characters.
 * Called by: prune/program.c (build), prune/eval.c (evaluate).  Must not know: predicates beyond the leaf.
 */
#ifndef PRUNE_PATTERN_H
#define PRUNE_PATTERN_H

#include "predicate/predicate.h"
#include "prune/fact.h"

typedef struct pattern_set pattern_set;

pattern_set *pattern_set_new(arena *query, const literal *pattern, const literal *escape /* NULL for none */);

/* What `column LIKE pattern` can give. For a partition value its text is matched; for other facts only the bounds of a
 * string column help. *abstained is set where the text of a value depends on the engine. */
outcome_set fact_like(const column_fact *fact, const data_type *type, const pattern_set *patterns, bool *abstained,
                      arena *scratch);

/* One reading against one text: `%` any run, `_` one code point, `escape` (0 for none) makes the next character plain.
 */
bool pattern_matches(str pattern, uint32_t escape, str text);

/* The same against all texts between the bounds of a fact. */
outcome_set pattern_within(const column_fact *fact, str pattern, uint32_t escape, arena *scratch);

#endif
