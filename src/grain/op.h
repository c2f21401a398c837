/* op.h - what the operators' files share.
 * Called by: the files of this room.  Must not know: how facts are printed.
 */
#ifndef GRAIN_OP_H
#define GRAIN_OP_H

#include "grain/grain.h"

/* ---- calls of aggregates and windows ---- */
/* What the author wrote around the arguments: FILTER, DISTINCT, OVER; NULL for what is no call. */
const ast_call *op_call(const plan_expr *e);
/* Aggregates whose value depends on which rows there are, not on their order: sum, count, min and so on. */
bool op_ignores_order(str name);

/* ---- one function an operator: the facts of its rows from those of its inputs ---- */
facts op_scan(grain_model *m, const plan_node *n);
facts op_cte(grain_model *m, const plan_node *n);
facts op_values(grain_model *m, const plan_node *n);
facts op_one_row(grain_model *m, const plan_node *n);
facts op_function(grain_model *m, const plan_node *n);
facts op_filter(grain_model *m, const plan_node *n);
facts op_project(grain_model *m, const plan_node *n);
facts op_join(grain_model *m, const plan_node *n);
facts op_aggregate(grain_model *m, const plan_node *n);
facts op_window(grain_model *m, const plan_node *n);
facts op_distinct(grain_model *m, const plan_node *n);
facts op_limit(grain_model *m, const plan_node *n);
facts op_set(grain_model *m, const plan_node *n);
facts op_unknown(grain_model *m, const plan_node *n); /* PLAN_UNKNOWN, PLAN_RECURSION */

/* ---- helpers: op.c ---- */

const facts *op_input(const grain_model *m, const plan_node *n, size_t input);
/* The columns of the rows as the plan lists them. */
colset op_columns(grain_model *m, const plan_node *n);
colset op_single(grain_model *m, column_id id);
/* A hidden column. */
column_id op_hide(grain_model *m, str name);
/* `f` depends on what `e` reads of enclosing queries, and cannot be repeated if `e` is volatile. */
void op_note_outer(facts *f, const plan_expr *e);
/* The column of the rows of `f` that holds `e`: itself, one that is computed alike, or else a hidden one that is made, with what
 * its definition says. */
column_id op_column_of(grain_model *m, facts *f, const plan_expr *e);
/* Say of column `id`, whose value is `e`, what follows from `e`. */
void op_define(grain_model *m, facts *f, column_id id, const plan_expr *e);
/* Column `id` is the first of `a` and `b` that is not NULL: perhaps what a full join below merges (join_merged_key). */
/* A bare NULL or empty text of a package that was compiled without its tables: nothing is known of the column. */
bool op_is_placeholder(const grain_model *m, const plan_expr *e);
/* The column that an expression is: itself, or the hidden one that a full join made of the columns in a COALESCE. NO_COLUMN. */
column_id op_merge_of(const grain_model *m, const facts *f, const plan_expr *e);
void op_define_merge(const grain_model *m, facts *f, column_id id, column_id a, column_id b);
/* Facts whose keys become dependencies: the rows may be repeated from here on. */
void op_keys_to_dependencies(facts *f);
void op_lose(grain_model *m, const plan_node *n, span at, str text);

/* Native grains and measures: those of the inputs for the columns that are passed on; unknown for the others. */
void op_carry(grain_model *m, const plan_node *n, facts *f);
/* The measure under other ids. A column that has none there is no help any more. */
column_measure op_map_measure(column_measure measure, const column_map *ids, arena *owner);
column_grain *op_grain(const plan_node *n, facts *f, column_id id); /* of the first column with that id; NULL */
/* The grain of an expression over the columns of the rows of input 0: united (DESIGN.md section 7, rule 2). */
column_grain op_grain_of_expr(grain_model *m, const plan_node *n, const plan_expr *e);
/* Did a join repeat it, by a side of which a key is known? */
bool op_is_surely_repeated(const column_grain *g);
/* May `given` tell `missing` for all that we know? All that is missing are values of one relation of which no key is declared, and so
 * is something that is given: a key of it among these would tell the others. */
bool op_is_told_by_open(const plan_node *n, const facts *f, colset missing, colset given);
site_list op_unite_sites(grain_model *m, site_list a, site_list b);

/* ---- condition.c ---- */

/* Every row of `f` meets `e`. */
void learn_condition(grain_model *m, facts *f, const plan_expr *e);
/* The condition as atoms of a conditional key: equations of columns with literals, truth values, IS NULL, all of which must hold.
 * False for any other. */
bool condition_atoms(const plan_expr *e, fact_conditional *out);
evidence_id condition_evidence(grain_model *m, const plan_expr *e);

/* ---- op_join.c ---- */

typedef struct join_match {
    bool left_at_most_one, right_at_most_one; /* a row of the left has at most one partner; a row of the right */
    bool left_matched, right_matched;         /* at least one */
    bool left_presumed, right_presumed;       /* at most one, if what is presumed holds */
    bool left_is_open, right_is_open;         /* that cannot be told, for want of a key of a relation below */
    join_cardinality cardinality;
    evidence_id left_why, right_why; /* why at most one */
    evidence_id left_met, right_met; /* why at least one */
    evidence_id why;                 /* of the join */
} join_match;

#endif
