/* import.h - from the SQL tree to the owned predicate tree. import.c is the only file that sees both.
 * Called by: prune/prune.c, stage commands.  Must not know: statistics, phases.
 */
#ifndef PREDICATE_IMPORT_H
#define PREDICATE_IMPORT_H

#include "base/err.h"
#include "predicate/predicate.h"
#include "sql/ast.h"

typedef struct import_options {
    str text; /* the predicate's source, for messages */
    const schema *schema;
    bool extended;         /* truth tests and constants become nodes instead of opaque fragments */
    bool as_delta_explain; /* "x" is always a name (otherwise it is text where no column has that name), and the two
                              names of a column compared with a column are not looked up */
} import_options;

/* LP_ERR_QUERY for a name that is no column, or an ambiguous one, wherever it stands: the message has place and caret.
 */
MUST_USE lp_status predicate_import(arena *query, const ast *tree, const import_options *options, const predicate **out,
                                    lp_err *err);

/* An expression as a value, for generation expressions; what is not modelled in it is unknown. */
MUST_USE lp_status predicate_import_scalar(arena *query, const ast *tree, const import_options *options,
                                           const scalar **out, lp_err *err);

#endif
