/* prove.h - is this true of the rows of a model? The proof, or what is missing for it.
 * Called by: api.  Must not know: how a proof is printed.
 */
#ifndef GRAIN_PROVE_H
#define GRAIN_PROVE_H

#include "grain/grain.h"

typedef struct grain_proof {
    bool is_proved;
    const str *chain; /* proved: outermost first; empty when the SQL itself is the reason */
    size_t chain_count;
    const declaration *const *leans_on;
    size_t leans_on_count;
    const str *missing; /* not proved: one sentence each */
    size_t missing_count;
} grain_proof;

/* No two rows agree on these result columns, NULLs equal to each other. Names ignore case unless that is ambiguous; an unknown
 * name makes LP_ERR_QUERY. Everything lives in `owner`. */
MUST_USE lp_status grain_prove_key(const grain_model *m, const str *column, size_t count, arena *owner, grain_proof *out, lp_err *err);
/* The column is never NULL. */
MUST_USE lp_status grain_prove_not_null(const grain_model *m, str column, arena *owner, grain_proof *out, lp_err *err);
/* No join of the model gives a row of its first side several times. */
void grain_prove_no_fan_out(const grain_model *m, arena *owner, grain_proof *out);

#endif
