/* domain_int.h - what the evaluation of expressions asks of domains.
 * Called by: expr_value.c.  Must not know: operators.
 */
#ifndef GRAIN_DOMAIN_INT_H
#define GRAIN_DOMAIN_INT_H

#include "grain/domain.h"

/* TRUE and FALSE, as the column can be as a condition, where it is not NULL. */
outcome_set domain_of_truth(const domain_list *d, column_id column);

/* The outcomes of a condition that the domains of single columns leave: x > 5 AND x < 3. Never OUTCOME_NONE. `f` may be
 * NULL. */
outcome_set domain_outcome(const expr_context *x, const facts *f, const plan_expr *e);

#endif
