/* plan.h - what a query does, as a tree of operators over numbered columns. The tree is the author's: nothing is moved,
 * merged or left out.
 * Called by: plan/bind_*.c make it; report prints it; grain reads it.  Must not know: facts, findings.
 *
 * Columns. Every value that some operator makes has a column of its own; its id is its index in plan.column, unique in
 * the plan. A column that is only passed on, renamed or copied keeps its id: `SELECT a AS b, a` has one column twice in
 * its result. So a fact about an id, once true of the rows of an operator, needs no translation above it. What makes
 * new ids: scans, expressions, aggregates, windows, set operations, values, table functions, merged columns of USING in
 * a full join, and each reference to a CTE (two references are two relations).
 *
 * Order. Operators are numbered from the leaves up: plan.node[i] comes behind its inputs, so one pass over the array
 * visits each once, inputs first.
 *
 * Open columns. A relation that the catalog does not know has the columns that the query names. A name that no other
 * relation in scope can have becomes a column of it; where two open relations could have it, the column belongs to
 * neither (COLUMN_STRAY).
 *
 * Unknown. Where something is not modelled an operator PLAN_UNKNOWN says what, and where in the text. Its columns are
 * new; nothing is known of its rows.
 *
 * Everything lives in the arena that was given to plan_bind, and borrows from the syntax tree and the catalog.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "plan/catalog.h"
#include "plan/colset.h"

typedef struct plan_node plan_node;
typedef struct plan_expr plan_expr;

/* ---- columns ---- */

typedef enum column_origin {
    COLUMN_BASE,       /* of a scan; `declared` when the catalog lists it */
    COLUMN_EXPRESSION, /* `definition` over other columns */
    COLUMN_AGGREGATE,  /* definition: the aggregate call */
    COLUMN_WINDOW,     /* definition: the window call */
    COLUMN_MERGED,     /* USING or NATURAL in a full join: the first of both sides that is not NULL */
    COLUMN_SET,        /* of a set operation: `source` per branch */
    COLUMN_COPY,       /* of a CTE reference: source[0] is the column inside */
    COLUMN_VALUES,
    COLUMN_FUNCTION,   /* of a table function or UNNEST */
    COLUMN_ORDINALITY, /* WITH ORDINALITY, WITH OFFSET */
    COLUMN_SUBQUERY,   /* the value of a scalar subquery: source[0], or NULL without a row */
    COLUMN_MARK,       /* TRUE, FALSE or NULL: does a subquery in an expression (IN, EXISTS under OR) hold the row? */
    COLUMN_OF_UNKNOWN,    /* made by an unknown operator */
    COLUMN_STRAY       /* named, and two open relations could have it */
} column_origin;

typedef struct plan_column {
    str name; /* as the author would call it; "" when it has none */
    span at;  /* where it is made: the item, the alias, or the first use of an open column */
    column_origin origin;
    const plan_node *made_by; /* NULL for COLUMN_STRAY */
    const plan_expr *definition;
    const column_id *source;
    size_t source_count;
    const catalog_column *declared;
} plan_column;

/* ---- expressions ---- */

typedef enum plan_expr_kind {
    EXPR_COLUMN,   /* `column` of the input rows */
    EXPR_OUTER,    /* `column` of an enclosing query's row: a correlation */
    EXPR_CONSTANT, /* the same for all rows: literals; parameters too (is_parameter) */
    EXPR_AND,      /* args: 2 or more */
    EXPR_OR,
    EXPR_NOT,
    EXPR_COMPARE, /* op: OP_EQ .. OP_GE, OP_NULLSAFE_EQ (also IS NOT DISTINCT FROM), with `negated` IS DISTINCT FROM */
    EXPR_IS,      /* `is`, negated */
    EXPR_IN,      /* arg[0] in arg[1..] */
    EXPR_BETWEEN, /* arg[0] between arg[1] and arg[2]; `symmetric` in `from` */
    EXPR_LIKE,    /* see `from` */
    EXPR_ARITHMETIC, /* unary and binary operators of numbers, text and bits: op, else from->op_text */
    EXPR_CAST,       /* arg[0] to `type`; is_try gives NULL instead of an error */
    EXPR_CASE,       /* [subject,] when, then, ... [, else]: see from->has_subject, has_else */
    EXPR_FUNCTION,   /* `name` lower case, without a schema, of its args */
    EXPR_AGGREGATE,  /* only as the definition of COLUMN_AGGREGATE */
    EXPR_WINDOW, /* only as the definition of COLUMN_WINDOW: args of the function; the rest in `from` and the node */
    EXPR_OTHER   /* any other expression over its args: a value that depends on nothing else, unless is_volatile */
} plan_expr_kind;

struct plan_expr {
    plan_expr_kind kind;
    ast_op op;
    ast_is is;
    bool negated;
    bool is_parameter;
    bool is_try;
    bool is_filtered; /* EXPR_AGGREGATE of a PIVOT: over some rows of its group; the conditions stand behind its args */
    bool is_volatile; /* it may give different values for equal arguments: random(), uuid(), nextval(), ... */
    column_id column;
    str name; /* EXPR_FUNCTION, EXPR_AGGREGATE, EXPR_WINDOW */
    str type; /* EXPR_CAST */
    const plan_expr *const *arg;
    size_t arg_count;
    uint32_t size; /* nodes, written out: what stands for an alias is shared, and counts each time */
    uint32_t hash; /* of its columns, words and shape: equal expressions have equal ones, in one run of the program */
    colset columns;  /* that it reads, without outer ones */
    colset outer;    /* that it reads of enclosing queries */
    const ast *from; /* what the author wrote; NULL for what the binder made (the conditions of USING) */
    span at;
};

/* Equal trees over the same columns, with nothing volatile in them. */
bool expr_equal(const plan_expr *a, const plan_expr *b);

/* ---- operators ---- */

typedef enum plan_kind {
    PLAN_SCAN,      /* a table, view, model or source */
    PLAN_CTE,       /* a reference to a CTE: input[0] is its plan, which other references share */
    PLAN_RECURSION, /* inside a recursive CTE: the reference to itself. Nothing is known of its rows */
    PLAN_ONE_ROW,   /* no FROM: one row without columns */
    PLAN_VALUES,
    PLAN_FUNCTION, /* a table function or UNNEST; lateral when it reads columns of its left */
    PLAN_FILTER,
    PLAN_PROJECT, /* a select list: adds the columns of `made`, and its column list is the result in order */
    PLAN_JOIN,
    PLAN_AGGREGATE,
    PLAN_WINDOW,
    PLAN_DISTINCT,
    PLAN_SORT,
    PLAN_LIMIT,
    PLAN_SET,
    PLAN_UNKNOWN
} plan_kind;

typedef enum plan_join_kind {
    PLAN_JOIN_INNER,
    PLAN_JOIN_LEFT,
    PLAN_JOIN_RIGHT,
    PLAN_JOIN_FULL,
    PLAN_JOIN_CROSS,
    PLAN_JOIN_SEMI,  /* rows of the left that have a partner; the result has the left's columns */
    PLAN_JOIN_ANTI,  /* rows of the left that have none */
    PLAN_JOIN_ASOF,  /* each row of the left with at most one row of the right; is_outer keeps those without */
    PLAN_JOIN_MARK,  /* each row of the left once, with `mark` */
    PLAN_JOIN_SCALAR /* each row of the left once, beside the one row of the right or NULLs: a scalar subquery */
} plan_join_kind;

/* left = right, or the NULL-safe form: a pair of columns, one of each side. */
typedef struct plan_pair {
    column_id left, right;
    bool is_null_safe;
    span at;
} plan_pair;

typedef struct plan_join {
    plan_join_kind kind;
    bool is_lateral;    /* the right side reads columns of the left (EXPR_OUTER inside it) */
    bool is_outer;      /* PLAN_JOIN_ASOF, and lateral functions: rows without a partner stay */
    bool is_null_aware; /* PLAN_JOIN_ANTI of NOT IN: a NULL on either side is no match and no miss */
    const plan_pair *pair;
    size_t pair_count;
    const plan_expr *const *rest; /* the other conditions, each over both sides or one of them */
    size_t rest_count;
    column_id mark; /* PLAN_JOIN_MARK */
    span on;        /* the condition in the text, or the words of the join */
} plan_join;

typedef struct plan_aggregate {
    const column_id *group; /* empty with `is_global`: one row, also over no rows. With plan_node.is_open there are more that
                             * are not listed: GROUP BY ALL over an open relation */
    size_t group_count;
    bool is_global;
    bool has_sets; /* ROLLUP, CUBE, GROUPING SETS: `group` are all columns, and any of them may be NULL where it is not
                      in the set of a row; the groups of a set are not told apart from those of another */
    const colset *set;
    size_t set_count;
    const column_id *made; /* COLUMN_AGGREGATE */
    size_t made_count;
    const column_id *implied; /* neither grouped nor aggregated: an engine takes the query only if the groups determine
                                 them, or picks any row's value */
    size_t implied_count;
} plan_aggregate;

typedef struct plan_sort_key {
    const plan_expr *key;
    bool is_descending;
    sql_nulls nulls;
} plan_sort_key;

/* All window functions over one definition. */
typedef struct plan_window {
    const plan_expr *const *partition;
    size_t partition_count;
    const plan_sort_key *order;
    size_t order_count;
    const sql_window *from; /* frame, NULL for `OVER ()` */
    const column_id *made;
    size_t made_count;
} plan_window;

typedef struct plan_set {
    sql_set_kind kind;
    bool is_all;
    /* Per branch (input) the column behind each result column (those that are named later behind an open set are not among
     * them: plan_column.source has one a branch for all others); by_name may leave a branch without one: NO_COLUMN. */
    const column_id *const *source;
} plan_set;
#define NO_COLUMN UINT32_MAX

typedef struct plan_unknown {
    str what; /* "MATCH_RECOGNIZE", "PIVOT with columns that depend on data", ... one line */
} plan_unknown;

struct plan_node {
    plan_kind kind;
    uint32_t id; /* index in plan.node */
    uint32_t height;
    span at;                 /* the text that it stands for */
    const column_id *column; /* of its rows, in order; one id may stand twice */
    size_t column_count;
    bool is_open; /* it may have more columns than are listed */
    const plan_node *const *input;
    size_t input_count;
    union {
        struct {
            str name;                         /* as written */
            const catalog_relation *relation; /* NULL when the catalog has none */
            bool is_altered; /* ONLY t, time travel, CHANGES: other rows than those of the relation of that name */
        } scan;
        struct {
            str name;
            const column_id *inside; /* parallel to `column` */
        } cte;
        struct {
            const plan_expr *const *cell; /* row by row, column_count each */
            size_t row_count;
        } values;
        struct {
            str name; /* lower case: unnest, flatten, generate_series, ... */
            const plan_expr *const *arg;
            size_t arg_count;
            bool is_outer;       /* a row with NULLs where there is no element */
            bool has_ordinality; /* the last column counts */
        } function;
        struct {
            const plan_expr *const *condition; /* conjuncts: the row stays if all are TRUE */
            size_t condition_count;
            str clause; /* WHERE, HAVING, QUALIFY, or what the binder split off */
        } filter;
        struct {
            const column_id *made;
            size_t made_count;
        } project;
        plan_join join;
        plan_aggregate aggregate;
        plan_window window;
        struct {
            const column_id *on; /* DISTINCT ON; else all columns */
            size_t on_count;
            bool is_on;
            bool has_expressions; /* DISTINCT ON something that is no column: rows that agree on `on` may remain */
        } distinct;
        struct {
            const plan_sort_key *key;
            size_t key_count;
        } sort;
        struct {
            bool has_count; /* a constant number of rows at most */
            uint64_t count;
            bool has_offset, with_ties, is_percent;
        } limit;
        plan_set set;
        plan_unknown unknown;
    };
};

/* A column of the result, with the name that a reader of the result sees. */
typedef struct plan_result {
    str name; /* folded as the dialect folds it */
    column_id column;
    span at;
} plan_result;

typedef struct plan {
    const plan_column *column;
    size_t column_count;
    const plan_node *const *node; /* inputs before users; subqueries and CTEs too */
    size_t node_count;
    const plan_node *root;
    const plan_result *result;
    size_t result_count;
    bool result_is_open; /* `*` over an open relation: more columns follow than are listed */
} plan;

#endif
