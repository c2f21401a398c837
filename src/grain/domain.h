/* domain.h - which values a column can have: intervals and lists of literals, learned from conditions.
 * Called by: grain/op_*.c, expr.c.  Must not know: operators.
 *
 * A domain speaks of the values that are not NULL. Values are exact: integers and decimals (as scaled integers), dates and
 * timestamps, texts by code point, booleans. A literal that does not fit the type of its column teaches nothing.
 */
#ifndef GRAIN_DOMAIN_H
#define GRAIN_DOMAIN_H

#include "grain/expr.h"

typedef struct domain_list domain_list;

/* Every row meets `condition` (it is TRUE, or with `or_null`, as a CHECK constraint, not FALSE): say what follows for the
 * domains of `f`: comparisons of columns with literals under AND, OR (the hull of the arms, or the list), IN, BETWEEN, LIKE
 * prefixes, and row comparisons. A domain of one value makes its column constant (if it is not NULL, else constant or NULL)
 * and gives its value; an empty one, of a column that is not NULL, means that there are no rows (facts_no_rows). Where all columns
 * of a key have few values, there are at most as many rows as there are combinations. */
void domain_learn(const expr_context *x, facts *f, const plan_expr *condition, bool or_null, evidence_id why);

/* The column, a constant or constant-or-NULL one, has this value where it is not NULL: gives the value (facts_add_value), and makes
 * constants of one value equal columns. */
void domain_learn_value(const expr_context *x, facts *f, column_id column, const plan_expr *literal, evidence_id why);

/* The integer column is at least `least` where it is not NULL: a row number, a count. */
void domain_learn_least(const expr_context *x, facts *f, column_id column, int64_t least, evidence_id why);

/* Both hold: after a join. */
const domain_list *domain_both(const expr_context *x, const domain_list *a, const domain_list *b);
/* One or the other: UNION. `map` turns the columns of each into those of the result. */
const domain_list *domain_either(const expr_context *x, const domain_list *a, const column_map *of_a, const domain_list *b,
                                 const column_map *of_b);
const domain_list *domain_map(const expr_context *x, const domain_list *d, const column_map *map);

/* The outcomes of column `op` literal for a column that is not NULL; OUTCOME_TRUE | OUTCOME_FALSE where nothing is known. */
outcome_set domain_compare(const expr_context *x, const domain_list *d, column_id column, ast_op op, const plan_expr *literal);

/* How many values the column can have, NULL not counted; UINT64_MAX when unbounded. Integers, booleans, dates, and lists. */
uint64_t domain_size(const domain_list *d, column_id column);

#endif
