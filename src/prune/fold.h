/* fold.h - functions over ranges: what a call gives for arguments of which ranges are known.
 * Called by: prune/term.c.  Must not know: predicates, statistics.
 */
#ifndef PRUNE_FOLD_H
#define PRUNE_FOLD_H

#include "predicate/scalar.h"
#include "prune/range.h"
#include "types/calendar.h"

/* What the values of functions depend on besides their arguments. */
typedef struct fold_env {
    const zone *session_zone;
    zone_database *zones;
    int64_t now_micros;
    bool zone_is_unknown; /* what depends on the session zone is not known: expressions of a writer */
    bool meets_conjuncts; /* level extended: conditions on one column between ANDs are also taken together */
} fold_env;

/* Adds what `func` can give to `out`, for every choice among the ranges of each argument. `type` is the target of CAST.
 * Texts go into `scratch` or are borrowed from the arguments. */
void fold_call(const fold_env *env, arena *scratch, func_id func, const data_type *type, const ranges *const *arg,
               size_t count, ranges *out);

/* May the result depend on the session zone, given instants? */
bool func_is_zoned(func_id func);

#endif
