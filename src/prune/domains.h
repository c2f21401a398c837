/* domains.h - what is known about one file, for all columns of a predicate.
 * Called by: prune/measure.c, prune/trace.c.  Must not know: conditions, phases.
 */
#ifndef PRUNE_DOMAINS_H
#define PRUNE_DOMAINS_H

#include "prune/analysis.h"

/* The domains of the partition columns, at their places in `domain`, which is parallel to the slots. True if one that the
 * predicate names is unknown. *zone_assumed is set where the session zone decided what a value means; it is never cleared. */
bool domains_of_partitions(const slot_table *slots, const live_file *f, fact_rules rules, column_domain *domain,
                           bool *zone_assumed);

/* The domains of the data columns, from statistics and nothing else. */
void domains_of_statistics(const slot_table *slots, const live_file *f, fact_rules rules, column_domain *domain);

/* What else is known of them: NOT NULL in the schema (level extended), and partition columns that are generated from them,
 * whose domains are in place. */
void domains_narrow(const analysis *a, const live_file *f, prune_level level, column_domain *domain);

/* A file's statistics of a column; NULL if there are none. */
const column_stats *slot_stats(const program_slot *slot, const live_file *f);

#endif
