/* function_list.h - functions that change how a query is read.
 * Called by: plan/bind_*.c.  Must not know: what a function computes.
 */
#ifndef PLAN_FUNCTION_LIST_H
#define PLAN_FUNCTION_LIST_H

#include "base/str.h"

typedef enum function_role {
    FUNCTION_PLAIN,
    FUNCTION_AGGREGATE,
    FUNCTION_VOLATILE,
    FUNCTION_UNITS
} function_role;

/* By name without a schema, in any case. */
function_role function_role_of(str name);

/* A word that stands bare among the arguments of a function that takes units: day, month, nfd, monday. */
bool is_unit_word(str text);

#endif
