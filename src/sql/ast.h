/* ast.h - what the author wrote, as a tree with spans. Nodes do not change after they are made.
 * Called by: sql/parse_*.c make it; sql/print.c, predicate/import.c (the only file that turns it into predicates) read it.
 * Must not know: tables, column types, meaning.
 */
#ifndef SQL_AST_H
#define SQL_AST_H

#include "base/span.h"

typedef enum ast_kind {
    AST_NAME,        /* a, a.b.c, `odd name`, "x" */
    AST_NUMBER,      /* as written, suffix included */
    AST_STRING,      /* '...' */
    AST_TYPED,       /* DATE '...', TIMESTAMP '...', X'...', INTERVAL '...' ... */
    AST_BOOLEAN,     /* TRUE, FALSE */
    AST_NULL,
    AST_UNARY,       /* +a, -a, NOT a, !a, ~a */
    AST_BINARY,      /* comparison, arithmetic, AND, OR, ||, ... */
    AST_IS,          /* a IS [NOT] NULL | TRUE | FALSE | UNKNOWN */
    AST_DISTINCT,    /* a IS [NOT] DISTINCT FROM b */
    AST_IN,          /* a [NOT] IN (b, ...) */
    AST_BETWEEN,     /* a [NOT] BETWEEN b AND c */
    AST_LIKE,        /* a [NOT] LIKE | ILIKE | RLIKE | SIMILAR TO b [ESCAPE c], LIKE ANY (...) */
    AST_CALL,        /* f(...), CAST, EXTRACT, CASE, ...: see `text` */
    AST_PAREN,       /* (a): kept so that printing is faithful */
    AST_SUBQUERY,    /* (SELECT ...), EXISTS (...), a IN (SELECT ...) right sides */
    AST_OTHER        /* something that parses and that no consumer reads deeper: intervals, arrays, lambdas ... */
} ast_kind;

typedef enum ast_op {
    OP_OR, OP_AND, OP_NOT,
    OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE, OP_NULLSAFE_EQ, /* <=> */
    OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD, OP_CONCAT, OP_BIT_AND, OP_BIT_OR, OP_BIT_XOR, OP_BIT_NOT, OP_SHIFT,
    OP_PLUS, OP_MINUS,   /* unary */
    OP_OTHER             /* ->, ->>, @>, :: and so on: see op_text */
} ast_op;

typedef enum ast_is { IS_NULL, IS_TRUE, IS_FALSE, IS_UNKNOWN } ast_is;
typedef enum ast_like { LIKE_LIKE, LIKE_ILIKE, LIKE_RLIKE, LIKE_SIMILAR } ast_like;

typedef struct ast_part { /* one part of a name */
    str text;         /* quotes removed, doubled quotes resolved */
    char quote;       /* 0, '"', '`' or '[' */
    span at;
} ast_part;

typedef struct ast ast;
struct ast {
    ast_kind kind;
    span at;                 /* the whole node in the source */
    bool negated;            /* IS, DISTINCT, IN, BETWEEN, LIKE, EXISTS: the NOT form */
    ast_op op;               /* AST_UNARY, AST_BINARY */
    str op_text;             /* as the printer writes it: "=", "<>", "AND", "+" */
    ast_is is;               /* AST_IS */
    ast_like like;           /* AST_LIKE */
    bool like_any;           /* LIKE ANY / ALL / SOME (...) */
    const ast_part *part;    /* AST_NAME */
    size_t part_count;
    /* AST_NUMBER: as written. AST_STRING, AST_TYPED: the content between the quotes as written, but with a doubled quote
     * resolved; backslashes untouched, for each consumer has two readings of them. AST_CALL: the function's name as
     * written. AST_BOOLEAN, AST_NULL: as written. */
    str text;
    bool has_backslash;      /* AST_STRING, AST_TYPED: the content holds a backslash */
    str type_name;           /* AST_TYPED: DATE, TIMESTAMP, TIMESTAMP_NTZ, X, ... upper case */
    /* Operands: unary 1; binary 2; IS 1; DISTINCT 2; IN 1 + items (items none for a subquery: then arg[1] is it);
     * BETWEEN 3; LIKE 2 or 3 (escape); CALL its arguments, as far as they are expressions; PAREN 1; SUBQUERY and OTHER
     * whatever expressions inside are names of the enclosing scope's candidates. */
    ast *const *arg;
    size_t arg_count;
    /* AST_CALL, AST_SUBQUERY, AST_OTHER: the canonical text to print, made by the parser where the form is not simply
     * name(arg, ...); STR_NONE where print.c composes it. */
    str canonical;
};

#endif
