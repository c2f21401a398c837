/* join_int.h - what the files about joins share.
 * Called by: op_join.c, join_sides.c, join_repeat.c.  Must not know: other operators.
 */
#ifndef GRAIN_JOIN_INT_H
#define GRAIN_JOIN_INT_H

#include "grain/op.h"

typedef struct join_side {
    bool is_left;
    const facts *in;
    const plan_node *rows; /* whose they are */
    facts *filtered; /* those rows that can have a partner */
    colset fixed;    /* columns that one row of the other side fixes */
    colset presumed; /* the same and those that an expression fixes which is presumed to be a function */
    colset plain;    /* those of them by a plain equality: never NULL in a match */
    bool is_unique;  /* at most one row of this side for each row of the other */
    bool is_presumed_unique;
    bool is_open; /* neither: and that cannot be told, for want of a key of a relation below */
    evidence_id why;
} join_side;

typedef struct joining {
    grain_model *m;
    const plan_node *node;
    const plan_join *is; /* never a right join */
    join_side left, right;
    const bool *pair_fits; /* parallel to is->pair: equality of the two types is an equivalence */
    join_match match;
    colset row; /* lateral: what tells apart the rows of the left for which the right side was made anew */
} joining;

/* ---- join_sides.c ---- */

const bool *join_fitting_pairs(grain_model *m, const plan_join *is);
/* The facts of both sides together: what was a key becomes a dependency. */
facts join_merge(grain_model *m, const facts *l, const facts *r);
/* Rows of this side may be NULLs everywhere from here on (facts.h: padding). The presence column. */
column_id join_pad(grain_model *m, facts *f);
/* The right side is made anew for each row of the left: what held among the rows that one row of the left sees. */
void join_make_lateral(joining *j, facts *right);
/* A row of the left is one row, so its keys determine j->row. */
void join_tell_rows(joining *j, facts *f, const facts *left);

/* The first of both sides of each pair that is not NULL: together a key, if both sides are unique on theirs. */
void join_merged_key(joining *j, facts *f);

/* ---- join_repeat.c ---- */

evidence_id join_evidence(joining *j);
/* Columns of a side whose rows may be repeated get this join as a site; no column of rows that are a part of a side. */
void join_repeat(joining *j, facts *f);

#endif
