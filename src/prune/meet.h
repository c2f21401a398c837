/* meet.h - conditions on one column, taken together.
 * Called by: prune/program.c, prune/eval.c, prune/derive.c.  Must not know: files, phases.
 *
 * The algebra of outcome sets looks at each condition for itself: of a file with ids 3 to 5 it finds id = 4 possible
 * and id = 5 possible, and so their AND. But a row has one id. Conditions whose literals have a single reading cut the
 * range of their column, and an AND of which nothing is left is never TRUE. An OR below it is possible if one of its
 * arms is, together with the rest; so x AND (y OR z) finds what (x AND y) OR (x AND z) finds.
 */
#ifndef PRUNE_MEET_H
#define PRUNE_MEET_H

#include "prune/program.h"

typedef struct meet meet;

typedef struct meet_lowering {
    arena *query;
    void *context;
    size_t (*slot)(void *context, const column_ref *ref);
    const program *(*condition)(void *context, const predicate *p);
} meet_lowering;

/* For the AND of `count` conditions; NULL where no column is limited twice. */
const meet *meet_new(const meet_lowering *lo, const predicate *const *item, size_t count);

/* Can all of them be TRUE for one row? True where finding out would take long. */
bool meet_is_possible(const meet *m, const column_domain *domain, program_run *run);

size_t meet_column_count(const meet *m);
/* The slot of a limited column, and how many conditions limit it. */
size_t meet_slot(const meet *m, size_t i, size_t *limits);

/* The fact without values that make the condition FALSE or NULL, as far as a range can say. False if it is not taken.
 */
bool meet_narrow(const predicate *p, const column_fact *fact, column_fact *out);

#endif
