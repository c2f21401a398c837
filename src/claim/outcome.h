/* outcome.h - what a predicate can give for the rows of a file: a set out of TRUE, FALSE, NULL.
 * Called by: prune (both evaluators), grain.  Must not know: where the knowledge comes from.
 *
 * A file may be dropped only if TRUE is not in the set. Not knowing widens the set: OUTCOME_ANY. The combination of two
 * sets holds every result that some pair of members gives, so it stays a superset of the truth also where the two sides
 * depend on each other; nothing is ever negated after weakening, because NOT of a superset is a superset of the NOT.
 *
 *   a AND b | TRUE  FALSE NULL      a OR b | TRUE  FALSE NULL      NOT a
 *   TRUE    | TRUE  FALSE NULL      TRUE   | TRUE  TRUE  TRUE      TRUE  -> FALSE
 *   FALSE   | FALSE FALSE FALSE     FALSE  | TRUE  FALSE NULL      FALSE -> TRUE
 *   NULL    | NULL  FALSE NULL      NULL   | TRUE  NULL  NULL      NULL  -> NULL
 */
#ifndef CLAIM_OUTCOME_H
#define CLAIM_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

typedef uint8_t outcome_set;
enum {
    OUTCOME_NONE = 0, /* no row at all */
    OUTCOME_TRUE = 1,
    OUTCOME_FALSE = 2,
    OUTCOME_NULL = 4,
    OUTCOME_ANY = 7
};

outcome_set outcome_and(outcome_set a, outcome_set b);
outcome_set outcome_or(outcome_set a, outcome_set b);
outcome_set outcome_not(outcome_set a);
static inline bool outcome_can_be_true(outcome_set s) {
    return (s & OUTCOME_TRUE) != 0;
}

#endif
