/* compare.h - one column fact against one literal: which results are possible for the rows that hold a value.
 * Called by: prune/eval.c, prune/list.c.  Must not know: predicates beyond the operator.
 */
#ifndef PRUNE_COMPARE_H
#define PRUNE_COMPARE_H

#include "predicate/predicate.h"
#include "prune/fact.h"

/* Where values of a fact can stand against a reading of a literal. */
typedef struct relation {
    bool less, equal, greater;
    bool nan; /* a NaN is among the values */
} relation;

relation fact_relation(const column_fact *fact, const data_type *type, const reading *r, arena *scratch);

/* TRUE and FALSE for the values of a fact; NULL for its NULLs, and for everything if the literal is NULL. `from_not`:
 * the operator came from a pushed NOT, which matters for NaN in engines that compare it as IEEE does. */
outcome_set fact_compare(const column_fact *fact, const data_type *type, compare_op op, bool from_not, const literal *l,
                         arena *scratch);

/* What `op` gives for values that can stand in this relation; see fact_compare for from_not. */
outcome_set relation_outcome(relation rel, compare_op op, bool from_not);

/* What a NULL integer gives beside a number. It is NULL, but where the number is beyond every BIGINT (1 above, -1
 * below, 0 neither) Spark decides <, <=, > and >= from the number alone: c < 9223372036854775808 is TRUE for NULL too.
 */
outcome_set null_outcome_beside(int beyond_long, compare_op op);

#endif
