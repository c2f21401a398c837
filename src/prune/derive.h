/* derive.h - what the value of a generated partition column says about the column that it is generated from.
 * Called by: prune/analysis.c (plan), prune/measure.c (apply).  Must not know: predicates, phases.
 * Source: PROTOCOL.md: Generated Columns.
 *
 * A partition column with a generation expression holds that expression's value for every row of the file, so year =
 * 2021 from YEAR(ts) bounds ts. Engines turn a filter on ts into one on year; we turn the value of year into bounds of
 * ts, which serve every condition. A date that was made from an instant was made in the writer's zone, which is
 * unknown: the bounds are as wide as any zone makes them.
 */
#ifndef PRUNE_DERIVE_H
#define PRUNE_DERIVE_H

#include "predicate/type.h"
#include "prune/program.h"

typedef struct derivation derivation;
typedef struct generation generation;
typedef struct derivation_list {
    derivation *item;
    size_t count;
    generation *forward; /* expressions that are not read backwards */
    size_t forward_count;
} derivation_list;

/* The derivations for the data columns among the slots. Slots of partition columns that they need are added. */
derivation_list derive_plan(arena *query, const schema *s, slot_table *slots, const type_options *types);

/* Narrow the domains of data columns by those of partition columns; all are loaded. */
void derive_apply(const derivation_list *list, column_domain *domain);

/* An expression that is not read backwards is computed from what a condition leaves of the column: of value = 'foo' and
 * SUBSTRING(value, 2, 3) follows 'oo'. Attaches such expressions to the conditions of a program. */
void derive_attach(const derivation_list *list, program *p);

/* Can the condition be TRUE for a row whose generated column has the value it has in this file? */
bool derive_allows(const generation *g, const predicate *condition, const column_domain *domain, size_t slot_count,
                   program_run *run);

#endif
