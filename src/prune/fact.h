/* fact.h - what is known about one column's values in one file.
 * Called by: prune/eval.c, prune/measure.c.  Must not know: predicates.
 *
 * A domain is a choice of facts: each row's value obeys at least one of them. A partition value whose text engines read
 * in different ways gives one fact a reading; statistics give a single fact. Not knowing widens: the fact without
 * bounds.
 */
#ifndef PRUNE_FACT_H
#define PRUNE_FACT_H

#include "delta/scan.h"

enum { DOMAIN_MAX_FACTS = 3 };

typedef struct column_fact {
    bool can_be_null;
    bool can_be_value;
    bool has_low, has_high;
    value low, high;    /* low <= v <= high for every value v of the file, in the type's order */
    bool may_be_nan;    /* floats: NaN is possible beside what the bounds say */
    bool is_text_known; /* one partition value: `text` is how it is stored */
    str text;
} column_fact;

typedef struct column_domain {
    column_fact fact[DOMAIN_MAX_FACTS];
    size_t count;
} column_domain;

/* How far what the log records is believed. */
typedef struct fact_rules {
    bool trust_float_max;  /* a float maximum that is a number speaks for NaN rows too (trap T15) */
    bool as_delta_explain; /* know no more than that tool does; docs/compat.md has the list. Each rule but one widens: a
                              missing partition value is NULL there, as in Spark, and unknown here */
} fact_rules;

/* From a partition value. */
void domain_from_partition(const data_type *type, const partition_cell *cell, fact_rules rules, column_domain *out);

/* From a file's statistics of one column; `stats` NULL means that there are none. */
void domain_from_stats(const data_type *type, const file_stats *file, const column_stats *stats, fact_rules rules,
                       column_domain *out);

#endif
