/* fact.h - facts under construction: what every maker of facts needs.
 * Called by: dbt/test_fact.c, constraint_fact.c, meta_fact.c, guess_fact.c, project.c.  Must not know: where facts come
 * from.
 */
#ifndef DBT_FACT_H
#define DBT_FACT_H

#include "dbt/dbt_int.h"

/* Add a fact that says what `base` says (kind, from, trust, origin, file, condition, weakness, strength) of these
 * columns. Texts are copied into the project where they have to be; `column` must be there already. The fact may be
 * filled further until the next one is added. */
dbt_fact *dbt_add_fact(draft *d, relation_draft *r, dbt_fact base, const dbt_name *column, size_t count);

/* Names of a list of strings, or of one string, as columns of a relation; in the project. A name is quoted when it
 * stands in quotes or the YAML of the relation says so of its column. *bad is true when the tree is neither. */
const dbt_name *dbt_columns_of(draft *d, const dbt_relation *r, const tree *t, size_t *count, bool *bad);
const dbt_name *dbt_column_named(draft *d, const dbt_relation *r, str text);

/* Values of accepted_values: strings, numbers and booleans of an array. */
const dbt_value *dbt_values_of(draft *d, const tree *t, bool are_strings, size_t *count);

/* Facts from each kind of source, for all relations. */
void dbt_meta_facts(draft *d);
void dbt_constraint_facts(draft *d);
void dbt_test_facts(draft *d);
void dbt_guess_facts(draft *d);

/* Hand the facts to the relations: what is usable, what is tested. */
void dbt_finish_facts(draft *d, dbt_relation *all, size_t count);

#endif
