/* outcome.c - the algebra of outcome sets (truth tables in outcome.h).
 * Called by: prune, grain.  Must not know: where the knowledge comes from.
 */
#include "claim/outcome.h"

static bool has(outcome_set s, unsigned member) {
    return (s & member) != 0;
}

/* TRUE needs both; FALSE needs one, whatever the other row result is; NULL needs one NULL beside a NULL or a TRUE. */
outcome_set outcome_and(outcome_set a, outcome_set b) {
    if (a == OUTCOME_NONE || b == OUTCOME_NONE) return OUTCOME_NONE;
    unsigned set = OUTCOME_NONE;
    if (has(a, OUTCOME_TRUE) && has(b, OUTCOME_TRUE)) set |= OUTCOME_TRUE;
    if (has(a, OUTCOME_FALSE) || has(b, OUTCOME_FALSE)) set |= OUTCOME_FALSE;
    if (has(a, OUTCOME_NULL) && has(b, OUTCOME_NULL | OUTCOME_TRUE)) set |= OUTCOME_NULL;
    if (has(b, OUTCOME_NULL) && has(a, OUTCOME_TRUE)) set |= OUTCOME_NULL;
    return (outcome_set)set;
}

/* De Morgan holds member by member in three-valued logic. */
outcome_set outcome_or(outcome_set a, outcome_set b) {
    return outcome_not(outcome_and(outcome_not(a), outcome_not(b)));
}

outcome_set outcome_not(outcome_set a) {
    unsigned set = a & OUTCOME_NULL;
    if (has(a, OUTCOME_TRUE)) set |= OUTCOME_FALSE;
    if (has(a, OUTCOME_FALSE)) set |= OUTCOME_TRUE;
    return (outcome_set)set;
}
