/* import_int.h - what the two sources that turn the SQL tree into the predicate tree share.
 * Called by: predicate/import.c, predicate/import_scalar.c, nobody else.  Must not know: statistics, phases.
 */
#ifndef PREDICATE_IMPORT_INT_H
#define PREDICATE_IMPORT_INT_H

#include "predicate/import.h"

typedef struct importer {
    arena *query;
    const import_options *options;
    lp_err *err;
} importer;

typedef enum operand_kind { OPERAND_COLUMN, OPERAND_LITERAL, OPERAND_OTHER } operand_kind;

typedef struct operand {
    operand_kind kind;
    column_ref column;
    literal value;
    const ast *from;
} operand;

const ast *import_strip_parens(const ast *a);
str import_operand_reason(const ast *a); /* why an operand is neither a column nor a literal */
MUST_USE lp_status import_operand(importer *im, const ast *written, operand *out);
MUST_USE lp_status import_condition(importer *im, const ast *written, const predicate **out);
/* Every column below `a`, for what is not read deeper; a wrong name is an error. */
MUST_USE lp_status import_columns(importer *im, const ast *a, const column_ref **out, size_t *count);

/* The value of an expression; what is not modelled is SCALAR_UNKNOWN. Errors are names that are no columns. */
MUST_USE lp_status import_scalar(importer *im, const ast *written, const scalar **out);
/* A condition as a boolean value: comparisons, IN, LIKE and so on over any expressions; not AND, OR, NOT. */
MUST_USE lp_status import_boolean(importer *im, const ast *a, const scalar **out);

#endif
