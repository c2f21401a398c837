/* program.h - a predicate lowered to a flat postorder program over column slots.
 * Called by: prune/measure.c, stage commands.  Must not know: files, phases.
 */
#ifndef PRUNE_PROGRAM_H
#define PRUNE_PROGRAM_H

#include "predicate/predicate.h"
#include "prune/fact.h"
#include "prune/fold.h"

enum { SLOT_WITHOUT_STATS = 0x7fffffff };

/* One distinct column of the predicate, and what must be known about it. */
typedef struct program_slot {
    const column *column;
    bool is_partition;
    size_t index; /* among the partition columns, or among the statistics columns, of the scan; SLOT_WITHOUT_STATS
                     for a struct, which has none of its own (trap T47) */
    bool want_bounds, want_null_count;
    bool is_derived; /* a partition column that the predicate does not name (derive.h) */
} program_slot;

typedef struct slot_table {
    program_slot *slot;
    size_t count, capacity;
    size_t partition_count, stats_count;
} slot_table;

/* The slot of a column, a new one if it has none. */
size_t program_slot_for(arena *query, slot_table *slots, const column *c);

typedef struct program program;

/* Lower the AND of `count` conjuncts. Slots are added to `slots`, which several programs share. With no conjunct the
 * program always gives TRUE. `env` must live as long as the program. */
program *program_lower(arena *query, slot_table *slots, const predicate *const *conjunct, size_t count,
                       const fold_env *env);

/* Texts to match on a row: the program's depth of stack. */
typedef struct program_run {
    outcome_set *stack; /* program_stack_size entries */
    arena *scratch;     /* for padded texts; the caller resets it */
    size_t slot_count;  /* length of the domains */
    outcome_set *record; /* NULL, or for the result of each instruction */
    bool abstained;     /* set when a leaf could not be decided by rule (LIKE over a timestamp text, for example) */
} program_run;
size_t program_stack_size(const program *p);
size_t program_length(const program *p); /* instructions */

/* What the predicate can give for the rows of a file whose columns have these domains (parallel to the slot table). */
outcome_set program_evaluate(const program *p, const column_domain *domain, program_run *run);

/* Does an engine's reading of a time without zone take part? */
bool program_assumes_zone(const program *p);
bool program_has_float(const program *p);
bool program_reads_clock(const program *p); /* current_date, current_timestamp */

/* One instruction a line. */
void program_print(buf *out, const program *p, const slot_table *slots);

#endif
