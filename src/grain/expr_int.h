/* expr_int.h - what the files about expressions share.
 * Called by: grain/expr_*.c, domain.c, value_set.c.  Must not know: operators.
 */
#ifndef GRAIN_EXPR_INT_H
#define GRAIN_EXPR_INT_H

#include "grain/expr.h"
#include "types/value.h"

/* ---- dialects ---- */

/* A failed implicit cast, an overflow or a division by zero may give NULL instead of an error. */
static inline bool dialect_is_spark(sql_dialect d) {
    return d == DIALECT_spark || d == DIALECT_databricks;
}

static inline bool dialect_is_trino(sql_dialect d) {
    return d == DIALECT_trino || d == DIALECT_athena;
}

/* NaN = NaN, and NaN is above all numbers: so < and >= are each other's opposite. */
static inline bool dialect_orders_nan(sql_dialect d) {
    return dialect_is_spark(d) || d == DIALECT_postgres || d == DIALECT_redshift || d == DIALECT_snowflake ||
           d == DIALECT_duckdb;
}

/* ---- calls: rows of function.def ---- */

typedef enum call_shape {
    SHAPE_STRICT,
    SHAPE_FIRST,
    SHAPE_LOOSE,
    SHAPE_COALESCE,
    SHAPE_NULLIF,
    SHAPE_IF,
    SHAPE_NVL2,
    SHAPE_EXTREME,
    SHAPE_CONCAT,
    SHAPE_CONCAT_WS,
    SHAPE_QUANTIFIED
} call_shape;

typedef enum call_total {
    TOTAL_MAYBE,
    TOTAL_NEVER,
    TOTAL_TEXT,
    TOTAL_NUMBER,
    TOTAL_OTHERS,
    TOTAL_CALENDAR,
    TOTAL_PLACES,
    TOTAL_PREDICATE
} call_total;

typedef struct call_semantics {
    const char *name;
    call_shape shape;
    call_total total;
    bool respects_equality;
    type_family family;
    bool is_first, is_merged; /* the family is that of the first argument, or of all */
} call_semantics;

/* Of EXPR_FUNCTION; NULL for a function that is not in the table, and for one of a schema of its own. */
const call_semantics *call_semantics_of(const plan_expr *e);

/* Is every operator of this EXPR_ARITHMETIC strict? `*never_null`: and never NULL over values that are not. */
bool operator_is_strict(const expr_context *x, const plan_expr *e, bool *never_null);

/* Is a function or operator with this `total` never NULL, if none of its arguments is? */
bool call_is_total(const expr_context *x, const plan_expr *e, call_total total);

/* `any`, `all` or `some`, right of a comparison. */
bool is_quantified(const plan_expr *e);
/* A row of values: (a, b). */
bool is_row(const plan_expr *e);
/* Are rows compared by NULL-safe comparison of their parts? */
bool dialect_compares_rows_safely(sql_dialect d);
/* CONCAT and GREATEST: do they pass over NULLs, or are they NULL with one? Neither where it is not known. */
typedef enum null_treatment { NULLS_UNKNOWN, NULLS_SKIPPED, NULLS_WIN } null_treatment;
null_treatment concat_nulls(sql_dialect d);
null_treatment extreme_nulls(sql_dialect d);

/* ---- families ---- */

bool family_is_number(type_family f);
bool type_has_length(str type);
/* Can a cast to this type cut its value? varchar(3); name and "char" in PostgreSQL, char where that is varchar(1). */
bool type_cuts(sql_dialect d, str type);
uint64_t type_length(str type); /* 0 for none */

/* ---- literals ---- */

typedef enum literal_kind {
    LITERAL_NONE, /* no literal, or one whose value we do not know: with a backslash, a duration */
    LITERAL_NULL,
    LITERAL_NUMBER,
    LITERAL_TEXT,
    LITERAL_BOOLEAN,
    LITERAL_DATE,     /* a date, or */
    LITERAL_TIMESTAMP /* a wall clock, as microseconds */
} literal_kind;

typedef struct literal_value {
    literal_kind kind;
    value v;       /* not for LITERAL_TEXT and LITERAL_NULL; whole numbers are VALUE_INT, others VALUE_DECIMAL */
    str text;      /* LITERAL_TEXT */
    bool is_plain; /* LITERAL_NUMBER: digits only, without point and exponent */
    bool has_exponent;
    uint32_t digits; /* LITERAL_NUMBER: that count */
} literal_value;

literal_value literal_of(sql_dialect d, const plan_expr *e);
/* A constant that nobody wrote: of AST_NULL, AST_BOOLEAN, AST_NUMBER, AST_STRING, AST_TYPED. */
plan_expr *literal_new(arena *owner, ast_kind kind, str text, str type_name);
/* A text that is a whole number, a date: the same as a number or date. False for any other. */
bool text_is_integer(str text, int64_t *out);
bool text_is_date(str text, int64_t *days);
/* Could this text be read as a number, a date, a truth value, or something else that is written in several ways? */
bool text_is_special(str text);

/* ---- evaluation ---- */

/* What an expression can be: `outcome` has NULL if it may be NULL; TRUE and FALSE as they may be, both for a value that
 * is no truth value. `literal` is its value, where it is not NULL and the value is known. */
typedef struct expr_value {
    outcome_set outcome;
    const plan_expr *literal;
} expr_value;

enum { EVAL_STEPS = 200000, EVAL_DEPTH = 1000 };
/* On rows with these facts (NULL: any), where `absent` is NULL (NO_COLUMN: none). *steps counts down; at 0 anything may
 * be. */
expr_value expr_evaluate(const expr_context *x, const facts *f, column_id absent, const plan_expr *e, uint32_t *steps);

/* Of a composite type, where a row of NULLs IS NULL too? */
bool expr_may_be_composite(const expr_context *x, const plan_expr *e);

/* -1, 0, 1 if both are values of one kind whose order is known; false otherwise. */
bool literal_order(const expr_context *x, const plan_expr *a, const plan_expr *b, int *order);

#endif
