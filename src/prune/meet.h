/* meet.h - conditions on one column, taken together.
 * Called by: prune/program.c, prune/eval.c.  Must not know: files, phases.
 *
 * The algebra of outcome sets looks at each condition for itself: of a file with ids 3 to 5 it finds id = 4 possible and
 * id = 5 possible, and so their AND. But a row has one id. For literals with a single reading the conditions cut the range of
 * the column to what meets all of them, and if nothing is left the AND is never TRUE.
 */
#ifndef PRUNE_MEET_H
#define PRUNE_MEET_H

#include "predicate/predicate.h"
#include "prune/fact.h"

/* The one column that a condition is about, if it can be taken: comparisons (but <>), BETWEEN and IN on a type without NaN
 * and padding with literals of one exact reading, and ANDs and ORs of them. Else NULL. */
const column *meet_column(const predicate *p);

/* Is there a value in the domain of the column that meets all of them? `item` are conditions that meet_column took. True
 * where finding out would take long. */
bool meet_is_possible(const predicate *const *item, size_t count, const column_domain *domain);

/* The fact without values that make the condition FALSE or NULL, as far as a range can say. False if it is not taken. */
bool meet_narrow(const predicate *p, const column_fact *fact, column_fact *out);

#endif
