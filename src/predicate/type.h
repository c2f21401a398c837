/* type.h - literals meet the schema: every literal gets its readings, or the leaf is an error or opaque.
 * Called by: prune/prune.c, stage commands.  Must not know: statistics, phases.
 */
#ifndef PREDICATE_TYPE_H
#define PREDICATE_TYPE_H

#include "base/err.h"
#include "predicate/predicate.h"
#include "types/calendar.h"

typedef struct type_options {
    str text; /* for messages */
    const zone *session_zone;
    zone_database *zones;
    bool as_delta_explain; /* refuse a decimal literal beyond the column's scale; carry binary and ntz literals against
                              other types as opaque, as that tool does */
    bool extended; /* a text column beside a number becomes a scalar instead of an opaque fragment */
} type_options;

/* A new tree with typed literals. LP_ERR_QUERY for a literal that the column cannot be compared with; a comparison that
 * engines decide by casting the column becomes opaque (docs/semantics.md has the table). */
MUST_USE lp_status predicate_type(arena *query, const predicate *p, const type_options *options, const predicate **out,
                                  lp_err *err);

/* The same for an expression: literals that stand beside no column. Nothing here is an error; what some engines refuse is
 * unknown. */
const scalar *scalar_type(arena *query, const scalar *s, const type_options *options);

#endif
