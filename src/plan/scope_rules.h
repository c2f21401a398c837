/* scope_rules.h - how names are found in each dialect.
 * Called by: plan/bind_*.c, ddl.c.  Must not know: how a text is read.
 */
#ifndef PLAN_SCOPE_RULES_H
#define PLAN_SCOPE_RULES_H

#include "base/arena.h"
#include "sql/ast.h"
#include "sql/dialect.h"

typedef enum name_fold {
    FOLD_NEITHER, /* names are equal whatever their case, quoted or not */
    FOLD_LOWER,   /* a name without quotes stands for its lower case; then case counts */
    FOLD_UPPER
} name_fold;

/* A row of scope.def. What is not named there is false. */
typedef struct scope_rules {
    name_fold fold;
    bool lateral_alias;     /* an item of a select list may name an earlier one; a column of FROM goes first */
    bool alias_in_where;    /* and WHERE may name them */
    bool alias_in_group;    /* GROUP BY may name an item; a column of FROM goes first */
    bool alias_once;        /* and refuses an alias that two different items have */
    bool alias_or_column;   /* GROUP BY x, where x is a column of FROM and another thing in the list: which is not said */
    bool alias_in_having;   /* HAVING and QUALIFY too; there a column goes first only if it is grouped by */
    bool fields;            /* a.b may be the field b of the column a */
    const char *makes_rows; /* functions of a select list that make rows, parted by blanks; NULL: none */
    bool wide_rows;         /* such a call without an alias may have several columns */
    bool arrays_in_from;    /* FROM t, t.a: the elements of a column of another item */
    bool strict_duplicates; /* a name that stands twice in one relation is an error; else it is neither of the two */
    bool twice_is_once;     /* but not if one column stands twice under it */
    bool using_hides;       /* beside USING a name that both sides have is no error */
    bool function_names_column; /* FROM generate_series(1, 2) AS i: the column is called i, not generate_series */
    bool elements_first;        /* the name of an UNNEST item means its elements, before any column of that name */
    bool recursive_always;      /* a CTE may name itself without RECURSIVE */
    bool unique_aliases;        /* two relations of one FROM may not have one name, whether it is used or not */
    bool strict_aliases;        /* ORDER BY may name an item alone, not in an expression, and not two different ones */
    bool renames_duplicates;    /* a name that stands twice in a query is x and x_1 to the query around it */
    bool merged_in_place;       /* `*` has a merged column of USING where the left side has it; else first */
    bool natural_needs_columns; /* NATURAL without a common column is an error; else a cross join */
    bool tables_by_case;    /* tables that differ by case alone are two */
    bool dollar_places;     /* $1 is the first column of the rows of FROM, else a parameter */
    bool values_from_zero;  /* columns of VALUES are numbered from 0, else from 1 */
    const char *values_name; /* how they are called before their number; NULL: "column" */
    const char *hidden; /* columns that a table may have beside those that are declared, in lower case, parted by blanks */
} scope_rules;

const scope_rules *scope_rules_of(sql_dialect d);

/* A name as it is written or declared. */
typedef struct plain_name {
    str text;       /* quotes removed */
    bool is_quoted; /* case counts, where the dialect says so */
} plain_name;

plain_name name_of_part(const ast_part *part);

/* What the name is called: folded as the dialect folds it, unless it is quoted. In `out`, or the text itself. */
str name_as_seen(arena *out, const scope_rules *rules, plain_name name);

/* Has the dialect a hidden column of that name? Its case does not count. */
bool name_is_hidden(const scope_rules *rules, plain_name name);

/* Does a call of this function in a select list make rows? */
bool function_makes_rows(const scope_rules *rules, str name);

/* Do both name the same thing? */
bool name_equal(const scope_rules *rules, plain_name a, plain_name b);

#endif
