/* ast.h - what the author wrote, as a tree with spans. Nodes do not change after they are made.
 * Called by: sql/parse_*.c make it; sql/print.c, predicate/import.c (the only file that turns it into predicates) read
 * it. Must not know: tables, column types, meaning.
 */
#ifndef SQL_AST_H
#define SQL_AST_H

#include "base/span.h"

typedef enum ast_kind {
    AST_NAME,    /* a, a.b.c, `odd name`, "x": a column (or a text, for "x"); see ast_part */
    AST_LOCAL,   /* a parameter of an enclosing lambda, perhaps with fields: no column of a table */
    AST_NUMBER,  /* as written, suffix included */
    AST_STRING,  /* '...', r'...' */
    AST_TYPED,   /* DATE '...', TIMESTAMP '...', X'...', INTERVAL '...' ... */
    AST_BOOLEAN, /* TRUE, FALSE */
    AST_NULL,
    AST_UNARY,    /* +a, -a, NOT a, !a, ~a */
    AST_BINARY,   /* a op b, exactly two operands: comparisons and the operators without a chain. `a = b = c` is
                   * ((a = b) = c) */
    AST_CHAIN,    /* a op b op c ..., two operands or more: AND, OR, and || + - * / % & | ^ <<; see `link` */
    AST_IS,       /* a IS [NOT] NULL | TRUE | FALSE | UNKNOWN */
    AST_DISTINCT, /* a IS [NOT] DISTINCT FROM b */
    AST_IN,       /* a [NOT] IN (b, ...) */
    AST_BETWEEN,  /* a [NOT] BETWEEN [SYMMETRIC] b AND c: look at `symmetric` before you read it as a >= b AND a <= c */
    AST_LIKE,     /* a [NOT] LIKE | ILIKE | RLIKE | SIMILAR TO b [ESCAPE c], LIKE ANY (...) */
    AST_CALL,     /* f(...), CAST, a::type, EXTRACT, CASE, CURRENT_DATE, ...: see `text` */
    AST_PAREN,    /* (a): kept so that printing is faithful */
    AST_SUBQUERY, /* (SELECT ...), EXISTS (...), the right side of a IN (SELECT ...), ARRAY(SELECT ...): no arguments,
                   * for the names inside belong to another scope; the query is `query` */
    AST_OTHER     /* something that parses and that no consumer reads deeper: intervals with units, arrays, rows,
                   * subscripts, fields of expressions, lambdas, parameters, windows ... */
} ast_kind;

typedef enum ast_op {
    OP_NONE,
    OP_OR,
    OP_AND,
    OP_NOT,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_NULLSAFE_EQ, /* <=> */
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_CONCAT,
    OP_BIT_AND,
    OP_BIT_OR,
    OP_BIT_XOR,
    OP_BIT_NOT,
    OP_SHIFT,
    OP_PLUS,
    OP_MINUS, /* unary */
    OP_OTHER  /* DIV, ->, ->>, @>, && and so on: see the text */
} ast_op;

/* What a node of AST_CALL, AST_SUBQUERY or AST_OTHER is, closer; FORM_NONE for all other kinds. */
typedef enum ast_form {
    FORM_NONE,
    /* AST_CALL */
    FORM_FUNCTION, /* f(a, b): see `call`; also ANY (...), ALL (...) and SOME (...) right of a comparison */
    FORM_BARE,     /* CURRENT_DATE */
    FORM_CAST,     /* CAST(a AS t), a::t, TRY_CAST, SAFE_CAST: arg[0], type_name; arg[1] for FORMAT */
    FORM_CASE,     /* [subject] (when, then)... [else]; see has_subject, has_else */
    FORM_EXTRACT,  /* EXTRACT(op_text FROM arg[0]) */
    /* AST_OTHER */
    FORM_STAR,          /* *, t.*, (a).* (then arg[0] is a), with EXCEPT, REPLACE, ...: see `star` */
    FORM_ROW,           /* (a, b), (): the fields are arg[] */
    FORM_ARRAY,         /* [a, b], ARRAY[a, b], ARRAY<t>[a, b]: the items are arg[]; type_name of the last */
    FORM_STRUCT,        /* {'a': 1}: the values are arg[], the keys are part[]; STRUCT<a INT>(1): type_name, arg[] */
    FORM_MAP,           /* MAP {k: v, ...}: arg[] holds key, value, key, value ... */
    FORM_LAMBDA,        /* x -> a, (x, y) -> a, lambda x: a: the body is arg[0], the parameters are part[] */
    FORM_COMPREHENSION, /* [a FOR x IN b IF c]: a, b, perhaps c; the variable is part[0] */
    FORM_SUBSCRIPT,     /* arg[0] [ arg[1] ]; also [OFFSET(i)] with a call inside */
    FORM_SLICE,         /* arg[0] [ from : to : step ], any of them absent */
    FORM_FIELD,         /* arg[0].part[0] */
    FORM_PATH,          /* arg[0]:part[0]; without a part a subscript follows */
    FORM_INTERVAL,      /* INTERVAL in any spelling; arg[0], if any, is the quantity */
    FORM_PARAMETER,     /* ?, :x, $1, $x, @x, @@x; Snowflake's $1 is a column by position */
    FORM_ZONE,          /* arg[0] AT TIME ZONE arg[1]; arg[0] AT LOCAL */
    FORM_COLLATE,       /* arg[0] COLLATE name */
    FORM_TEXTS,         /* 'a' E'b': texts side by side that cannot be joined here */
    FORM_PREDICATE,     /* a condition of another kind: IS JSON, IS NORMALIZED, OVERLAPS, IS OF, MATCH ... over arg[] */
    FORM_OPERATOR,      /* a prefix or postfix operator or OPERATOR(s.+) over arg[] */
    FORM_CLAUSE,        /* part of a query that is kept as text around arguments; `text` names it */
    /* AST_SUBQUERY */
    FORM_QUERY /* see `query` */
} ast_form;

typedef enum ast_is { IS_NULL, IS_TRUE, IS_FALSE, IS_UNKNOWN } ast_is;
typedef enum ast_like { LIKE_LIKE, LIKE_ILIKE, LIKE_RLIKE, LIKE_SIMILAR } ast_like;

typedef struct ast_part { /* one part of a name */
    str text;             /* quotes removed, doubled quotes resolved; a backslash in "..." is untouched */
    str written;          /* as in the source, quotes included */
    char quote;           /* 0, '"' or '`' */
    bool has_backslash;   /* inside "...": as a text it has two readings */
    bool has_doubled;     /* inside "...": it held a doubled quote, which makes two readings of a text too (see ast) */
    span at;
} ast_part;

typedef struct ast_link { /* the operator between two operands of a chain */
    ast_op op;
    str text; /* as the printer writes it */
} ast_link;

/* The tree is never higher than SQL_MAX_DEPTH (parse.h), however the text looks, so a consumer may recurse: what can be
 * long in a text (AND, OR, lists, sums) is wide in the tree. */
typedef struct ast ast;
struct ast {
    ast_kind kind;
    ast_form form;
    ast_op op;          /* AST_UNARY, AST_BINARY; AST_CHAIN: of link[0], and of all links for OP_AND and OP_OR */
    ast_is is;          /* AST_IS */
    ast_like like;      /* AST_LIKE */
    span at;            /* the whole node in the source */
    uint32_t height;    /* 1 for a leaf, else one more than its highest argument */
    bool negated;       /* IS, DISTINCT, IN, BETWEEN, LIKE: the NOT form. NOT EXISTS is a NOT over an AST_SUBQUERY */
    bool symmetric;     /* AST_BETWEEN: the bounds may be given in either order */
    bool like_any;      /* AST_LIKE: ANY, ALL or SOME (text tells which) of the patterns arg[1]... */
    bool has_escape;    /* AST_LIKE: the last argument is the escape character */
    bool has_backslash; /* AST_STRING, AST_TYPED: the content holds a backslash, so it has two readings */
    bool has_doubled;   /* the same: it was written with a doubled quote, which Spark before 4.0 reads as the end of one
                         * text and the start of the next: no quote at all */
    bool is_raw;        /* AST_STRING: r'...', every character stands for itself in every dialect */
    bool is_bare;       /* AST_CALL: written without parentheses (CURRENT_DATE); part[0] is the word, for an engine
                         * reads a column of that name first */
    bool has_subject;   /* FORM_CASE: CASE a WHEN ...: arg[0] is compared with each WHEN */
    bool is_kept;       /* AST_SUBQUERY of a condition: piece[0] is the whole, and `query` is NULL. Else piece[0] stands
                         * before the query in its brackets */
    bool has_else;      /* FORM_CASE: the last argument is the ELSE */
    uint32_t part_count;
    const ast_part *part; /* AST_NAME, AST_LOCAL, AST_CALL with is_bare; and where a form says so */
    str op_text;          /* AST_UNARY, AST_BINARY, AST_LIKE: as the printer writes it: "=", "<>", "NOT", "RLIKE" */
    /* AST_NUMBER: as written. AST_STRING, AST_TYPED: the content between the quotes as written, but with a doubled
     * quote resolved; backslashes untouched, for each consumer has two readings of them. AST_CALL: the function's name
     * as written, dots included (CAST for a::type, TRY_CAST for a?::type, CASE). AST_BOOLEAN: "true" or "false".
     * AST_NULL: "NULL". AST_LIKE: ANY, ALL, SOME with like_any. AST_SUBQUERY: EXISTS, LIST for the
     * right side of IN and LIKE ANY, nothing for a query that stands for one value. */
    str text;
    str written;          /* AST_STRING, AST_TYPED: the literal with its quotes (and the r), without the type's name */
    str type_name;        /* AST_TYPED: DATE, TIMESTAMP, TIMESTAMP_NTZ, X, ... upper case; CAST: the type, canonical */
    const ast_link *link; /* AST_CHAIN: arg_count - 1 operators; link[i] stands between arg[i] and arg[i + 1], and the
                           * whole is read from the left: ((a - b) + c) */
    /* Operands: unary 1; binary 2; chain 2 or more; IS 1; DISTINCT 2; IN 1 + items (a subquery is one item); BETWEEN 3;
     * LIKE 1 + patterns + escape; PAREN 1; CALL and OTHER whatever expressions of this scope are inside. So every
     * column that an expression names is an AST_NAME found by following arg[] (see ast_visit_names). */
    ast *const *arg;
    size_t arg_count;
    /* AST_CALL, AST_SUBQUERY, AST_OTHER: the canonical text around the arguments, arg_count + 1 pieces: the node prints
     * as piece[0] arg[0] piece[1] arg[1] ... piece[arg_count]. */
    const str *piece;
    /* Details, in ast_query.h. They point at arguments and into texts that the node has anyway, so that walking arg[]
     * and printing need none of them. */
    union {
        const struct ast_call *call;   /* FORM_FUNCTION, where a statement was parsed; NULL in a predicate */
        const struct ast_star *star;   /* FORM_STAR */
        const struct sql_query *query; /* FORM_QUERY; NULL with is_kept */
    };
};

/* What stands inside of all parentheses around it. */
const ast *ast_without_parens(const ast *a);

/* Equal in everything but the place in the source. */
bool ast_equal(const ast *a, const ast *b);

/* The comparison with its sides exchanged: > for <. Any other operator is given back. */
ast_op ast_op_mirrored(ast_op op);

/* Call `visit` for every AST_NAME in the tree and every AST_CALL with is_bare, in the order of the text. Parameters of
 * lambdas and names inside subqueries are not visited. */
typedef void (*ast_name_visit)(void *context, const ast *name);
void ast_visit_names(const ast *tree, ast_name_visit visit, void *context);

#endif
