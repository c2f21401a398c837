/* term.h - an expression lowered to slots and functions, and its value for the rows of one file.
 * Called by: prune/program.c (lowering), prune/eval.c (evaluation).  Must not know: files, phases.
 */
#ifndef PRUNE_TERM_H
#define PRUNE_TERM_H

#include "prune/fold.h"
#include "prune/program.h"

typedef struct term term;

/* What lowering needs: where slots and nested conditions go. */
typedef struct term_lowering {
    arena *query;
    const fold_env *env;
    void *context;
    /* The slot of a column, whose bounds and null counts are wanted. */
    size_t (*slot)(void *context, const column_ref *ref);
    /* A condition inside an expression, as a program of its own over the same slots. */
    const program *(*condition)(void *context, const predicate *p);
} term_lowering;

/* Parts without columns are evaluated at once. Depth is that of the scalar. */
const term *term_lower(const term_lowering *lo, const scalar *s);

/* Which of TRUE, FALSE, NULL a boolean expression can give. */
outcome_set term_evaluate(const term *t, const column_domain *domain, program_run *run);

/* The same for values. */
void term_ranges(const term *t, const column_domain *domain, program_run *run, ranges *out);

#endif
