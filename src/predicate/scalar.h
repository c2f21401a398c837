/* scalar.h - values that a row gives to a condition: columns, literals, and calls of functions over them.
 * Called by: this room, prune (lowering).  Must not know: SQL text rules, statistics.
 *
 * A scalar is part of the predicate tree and has its properties: import makes it, nodes do not change afterwards, and
 * its depth is bounded by the parser. What is not modelled is SCALAR_UNKNOWN, which may be anything.
 */
#ifndef PREDICATE_SCALAR_H
#define PREDICATE_SCALAR_H

#include "base/buf.h"
#include "base/span.h"
#include "delta/schema.h"
#include "predicate/literal.h"

typedef enum func_id {
#define FUNC(id, names, least, most, domain, nulls, shape, zoned, gives, fold) FUNC_##id,
#include "predicate/func.def"
#undef FUNC
    FUNC_COUNT
} func_id;

/* A column as the author wrote it, resolved. */
typedef struct column_ref {
    const column *column;
    str name;        /* as written, quotes removed, parts joined with dots */
    const str *part; /* as written, quotes removed */
    size_t part_count;
    span at;
} column_ref;

typedef enum scalar_kind {
    SCALAR_COLUMN,
    SCALAR_LITERAL,
    SCALAR_CALL,
    SCALAR_CONDITION, /* a predicate as a boolean value */
    SCALAR_UNKNOWN    /* the columns that it names, and why it is not known */
} scalar_kind;

typedef struct predicate predicate;
typedef struct scalar scalar;
struct scalar {
    scalar_kind kind;
    span at;
    union {
        struct {
            column_ref ref;
        } column;
        struct {
            literal value;
        } literal;
        struct {
            func_id func;
            data_type type; /* FUNC_CAST: the target; TYPE_DECIMAL of precision 0: DECIMAL alone, which engines read differently */
            const scalar *const *arg;
            size_t count;
        } call;
        struct {
            const predicate *of;
        } condition;
        struct {
            str reason;
            const column_ref *column;
            size_t column_count;
        } unknown;
    };
};

/* The function of that name (ASCII case ignored) that takes so many arguments; FUNC_COUNT if there is none. */
func_id func_find(str name, size_t arg_count);
str func_name(func_id f); /* as in func.def: "YEAR" */

/* Calls `visit` for each column reference, unknown parts and conditions included. */
void scalar_each_column(const scalar *s, void (*visit)(void *context, const column_ref *ref), void *context);

/* The reason of the first unknown part or unmodelled function; STR_NONE if all of it is known. */
str scalar_unknown_reason(const scalar *s);

/* The tree on one line, for --debug-ir: Add(ColRef(["a"]), Number("1")). */
void scalar_dump(buf *out, const scalar *s);

#endif
