/* expr.h - what can be told of an expression from its shape, its columns' facts and their declared types.
 * Called by: grain/op_*.c, domain.c, the checks.  Must not know: operators.
 *
 * "Equal" is SQL's equality. Equal values need not be identical: numeric 1.0 and 1.00, -0.0 and 0.0, texts under a
 * collation that ignores case, char(n) with blanks. Equality of a column makes a dependency of a computed one only if the
 * computation cannot tell equal values apart.
 */
#ifndef GRAIN_EXPR_H
#define GRAIN_EXPR_H

#include "claim/outcome.h"
#include "grain/facts.h"
#include "sql/dialect.h"

typedef struct expr_context {
    const plan *plan;
    sql_dialect dialect;
    arena *owner; /* of the sets that are returned */
    const uint8_t *family; /* type_family by column id, see expr_context_new; NULL: found anew for each question */
} expr_context;

/* With the families of all columns worked out once. Needed where a plan is long: columns are made of columns. */
expr_context expr_context_new(const plan *p, sql_dialect dialect, arena *owner);

typedef enum certainty { CERTAIN, PRESUMED, UNCERTAIN } certainty;

static inline certainty worse(certainty a, certainty b) {
    return a > b ? a : b;
}

/* The family of a column's type, as far as it is declared or follows from its definition (casts, literals, count). */
typedef enum type_family {
    FAMILY_UNKNOWN,
    FAMILY_INTEGER,
    FAMILY_DECIMAL, /* with a declared scale: equal is identical */
    FAMILY_NUMERIC, /* without */
    FAMILY_FLOAT,
    FAMILY_TEXT,
    FAMILY_CHAR,    /* char(n): blanks at the end do not count */
    FAMILY_TEXT_NOCASE,
    FAMILY_BOOLEAN,
    FAMILY_DATE,
    FAMILY_TIMESTAMP,
    FAMILY_TIMESTAMP_ZONED,
    FAMILY_TIME,
    FAMILY_BINARY,
    FAMILY_UUID,
    FAMILY_OTHER    /* json, arrays, intervals: equal need not be identical */
} type_family;
type_family expr_type_of_name(sql_dialect dialect, str declared); /* "varchar(20)", "NUMBER(38,0)" */
type_family expr_type(const expr_context *x, const plan_expr *e);
type_family expr_column_type(const expr_context *x, column_id column);

/* Is equality of these two families an equivalence, so that a = b and b = c give a = c? An integer against a float, or a text
 * against a number, is not; an unknown family is presumed to fit. */
certainty expr_types_compare(type_family a, type_family b);

/* If all columns of `e`, those of enclosing queries too, are equal in two rows, is `e` equal (or NULL in both)? UNCERTAIN if it is
 * volatile. PRESUMED for functions that function.def does not name (they may be volatile), and for computations that could tell
 * equal values of a column apart whose type is not known. */
certainty expr_is_function_of_columns(const expr_context *x, const plan_expr *e);

/* The columns that the value of `e` gives back: two rows in which `e` is equal and not NULL are equal in `all`. CERTAIN for one
 * column in x + 1, -x, cast(x as text), x || 'a'; and then `e` is NULL only where the column is. PRESUMED for hashes, for
 * concatenations of several columns, and where the type is not known. UNCERTAIN, with an empty set: none. */
certainty expr_is_one_to_one(const expr_context *x, const plan_expr *e, colset *all);
/* The same among rows on which the columns of `constant` have one value each: x + c. */
certainty expr_is_one_to_one_among(const expr_context *x, colset constant, const plan_expr *e, colset *all);

/* Columns that are not NULL whenever `e` is not NULL (they are strict inputs: a + b, upper(a), a = b). Like the two below:
 * columns of the rows only, not of enclosing queries. Of an expression over more columns than can be tried, a part. */
colset expr_strict_columns(const expr_context *x, const plan_expr *e);

/* Columns that are not NULL whenever `e` is TRUE. */
colset expr_rejects_null(const expr_context *x, const plan_expr *e);
/* And whenever it is FALSE. */
colset expr_rejects_null_when_false(const expr_context *x, const plan_expr *e);

/* Is `e` never NULL on rows with these facts? Division and casts fail or give NULL by dialect: read as NULL where unsure. */
bool expr_is_not_null(const expr_context *x, const facts *f, const plan_expr *e);

/* The same for a call of an aggregate (EXPR_AGGREGATE) over the rows of a group with these facts. `has_rows`: the group is never
 * empty, as under GROUP BY. */
bool expr_aggregate_is_not_null(const expr_context *x, const facts *f, const plan_expr *call, bool has_rows);
/* And for a window function (EXPR_WINDOW) over rows with these facts. */
bool expr_window_is_not_null(const expr_context *x, const facts *f, const plan_window *w, const plan_expr *call);

/* The outcomes that a condition can have on rows with these facts: constants, columns that are not NULL, domains, `x = x`.
 * OUTCOME_NONE never: a condition over no rows is OUTCOME_ANY. `f` may be NULL: nothing is known. */
outcome_set expr_outcome(const expr_context *x, const facts *f, const plan_expr *e);

/* Of an IN with one item: may that be a list of values instead of one of them? */
bool expr_list_is_open(const expr_context *x, const plan_expr *e);

/* Is the value the same on all rows: constants, constant columns and columns of enclosing queries, nothing volatile; or what has
 * one outcome? */
bool expr_is_constant(const expr_context *x, const facts *f, const plan_expr *e);

/* The literal that the value of `e` always is on rows with these facts, NULL and truth values too; NULL when there is none. */
const plan_expr *expr_known_value(const expr_context *x, const facts *f, const plan_expr *e);
/* The column whose value `e` always is: CASE WHEN true THEN a END, coalesce(a, b) of an `a` that is never NULL. NO_COLUMN: none. */
column_id expr_passed_column(const expr_context *x, const facts *f, const plan_expr *e);

/* The literal that `e` is: a constant, or unary minus or a cast over one that cannot fail; of NULL in a cast the NULL. No
 * parameter. NULL if it is none. */
const plan_expr *expr_literal(const plan_expr *e);
bool expr_is_null_literal(const plan_expr *e);
/* Are both literals certainly different after any coercion to one type ('1' and 1.0 are not certainly)? NULL differs from
 * every value. */
bool expr_literals_differ(const expr_context *x, const plan_expr *a, const plan_expr *b);
/* Certainly the same value of the same type? */
bool expr_literals_equal(const expr_context *x, const plan_expr *a, const plan_expr *b);

/* Equal trees over the same columns, nothing volatile in them. */
bool expr_same(const plan_expr *a, const plan_expr *b);

#endif
