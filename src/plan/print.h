/* print.h - a plan as an indented tree.
 * Called by: report, stage commands of the tests.  Must not know: how a plan was made.
 */
#ifndef PLAN_PRINT_H
#define PLAN_PRINT_H

#include "base/buf.h"
#include "plan/plan.h"

/* One line an operator, users before inputs, two blanks deeper a level: its name, what it does, its columns as name#id,
 * and where it stands in the text. New columns follow with their definition. A CTE that is referred to again is printed
 * once. `places` is the index of the text that was bound. */
void plan_print(buf *out, const plan *p, const place_index *places);

/* The same without the line of the result. Behind the lines of each operator, and a reference to one that stands above has
 * none, `after` may say more of it, indented by `blanks`. */
typedef struct plan_print_more {
    void (*after)(void *context, buf *out, const plan_node *n, size_t blanks);
    void *context;
} plan_print_more;
void plan_print_tree(buf *out, const plan *p, const place_index *places, const plan_print_more *more);

/* "scan", "filter", ... */
str plan_kind_name(plan_kind kind);
/* "inner", "left", ... */
str plan_join_name(plan_join_kind kind);
/* What an expression computes, over name#id. */
void plan_print_expr(buf *out, const plan *p, const plan_expr *e);

#endif
