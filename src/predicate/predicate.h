/* predicate.h - the owned predicate tree: one tree, read by everything that explains, classifies or evaluates a filter.
 * Called by: this room, prune (lowering), stage commands of the tests.  Must not know: SQL text rules, statistics.
 *
 * import.c makes it from the SQL tree, normalize.c reshapes it, type.c gives its literals their meaning for the column.
 * Nodes do not change afterwards; a pass returns new ones. Depth is bounded by the parser (SQL_MAX_DEPTH).
 */
#ifndef PREDICATE_PREDICATE_H
#define PREDICATE_PREDICATE_H

#include "base/buf.h"
#include "base/span.h"
#include "claim/outcome.h"
#include "predicate/scalar.h"

typedef enum compare_op { COMPARE_EQ, COMPARE_NE, COMPARE_LT, COMPARE_LE, COMPARE_GT, COMPARE_GE } compare_op;

typedef enum predicate_kind {
    PREDICATE_COMPARE,  /* column op literal */
    PREDICATE_AND,      /* two or more */
    PREDICATE_OR,       /* two or more */
    PREDICATE_NOT,      /* after normalization only above a bare column, a truth test or an opaque fragment */
    PREDICATE_IS_NULL,  /* column IS [NOT] NULL */
    PREDICATE_IN,       /* column [NOT] IN (literal, ...) */
    PREDICATE_BETWEEN,  /* column [NOT] BETWEEN literal AND literal */
    PREDICATE_DISTINCT, /* column IS [NOT] DISTINCT FROM literal */
    PREDICATE_LIKE,     /* column [NOT] LIKE 'pattern' [ESCAPE 'c'] */
    PREDICATE_COLUMN,   /* a bare boolean column */
    PREDICATE_TRUTH,    /* condition IS [NOT] TRUE | FALSE | UNKNOWN (level extended) */
    PREDICATE_CONSTANT, /* TRUE, FALSE, NULL as a condition (level extended) */
    PREDICATE_SCALAR,   /* a boolean value: functions, arithmetic, column against column (level extended) */
    PREDICATE_OPAQUE    /* what the pruning language does not hold: text, columns, reason */
} predicate_kind;

typedef enum truth_test { TRUTH_TRUE, TRUTH_FALSE, TRUTH_UNKNOWN } truth_test;

struct predicate {
    predicate_kind kind;
    span at;       /* in the predicate's text; rewritten nodes keep the place of their origin */
    bool negated;  /* IS_NULL, IN, BETWEEN, DISTINCT, LIKE, TRUTH: the NOT form */
    bool from_not; /* a NOT was pushed into this leaf: engines that compare NaN as IEEE differ there */
    union {
        struct {
            column_ref column;
            compare_op op;
            literal value;
        } compare;
        struct {
            const predicate *const *item;
            size_t count;
        } junction; /* AND, OR */
        struct {
            const predicate *of;
        } not ;
        struct {
            column_ref column;
        } is_null;
        struct {
            column_ref column;
            const literal *item;
            size_t count;
        } in;
        struct {
            column_ref column;
            literal low, high;
        } between;
        struct {
            column_ref column;
            literal value;
        } distinct;
        struct {
            column_ref column;
            literal pattern;
            bool has_escape;
            literal escape;
        } like;
        struct {
            column_ref column;
        } column;
        struct {
            const predicate *of;
            truth_test test;
            str text;
        } truth; /* text as the SQL printer writes it */
        struct {
            outcome_set set;
            str text;
        } constant;
        struct {
            const scalar *of;
            str text;
            str reason; /* why a part of it is not known; STR_NONE if all of it is */
        } scalar;       /* text as the SQL printer writes it */
        struct {
            str text;
            str reason;
            const column_ref *column;
            size_t column_count;
            bool is_cast;
        } opaque;
    };
};

/* AND or OR of items: nested ones of the same kind are spliced in, a single item stands for itself. count >= 1. */
const predicate *predicate_junction(arena *query, predicate_kind kind, const predicate *const *item, size_t count);

/* Equal predicates have equal hashes; opaque ones and scalars hash by their text. */
uint64_t predicate_hash(const predicate *p);

/* Structural equality: same kinds, columns, operators and literal tokens; places do not count. */
bool predicate_equal(const predicate *a, const predicate *b);

/* Calls `visit` for each column reference in the tree, opaque fragments included. */
void predicate_each_column(const predicate *p, void (*visit)(void *context, const column_ref *ref), void *context);

/* The fragment as reports show it. */
void predicate_print(buf *out, const predicate *p);
/* The tree itself, one node a line, for --debug-ir and the golden tests. */
void predicate_dump(buf *out, const predicate *p);
str compare_op_text(compare_op op);              /* "=", "<>", "<", "<=", ">", ">=" */
compare_op compare_op_mirrored(compare_op op);   /* a op b  ->  b op' a */
compare_op compare_op_complement(compare_op op); /* NOT (a op b)  ->  a op' b, for non-NULL operands */

#endif
