/* error.h - a message about a place in a text, with the line and carets below.
 * Called by: sql/lex.h, sql/parse_*.c.  Must not know: what is wrong.
 */
#ifndef SQL_ERROR_H
#define SQL_ERROR_H

#include "base/err.h"
#include "base/span.h"

/* How many errors of one text are told. */
#define SQL_MAX_ERRORS 100

typedef struct sql_error {
    str text; /* `Parse error at line 1, column 14: ...` with the frame */
    span at;
} sql_error;

/* `Parse error at line 1, column 14: <message>` and the frame; LP_ERR_QUERY. `text` need not be UTF-8: what cannot be
 * shown is shown as '?'. */
lp_status sql_syntax_error(lp_err *err, str text, span at, const char *format, ...) PRINTF_LIKE(4, 5);

/* Copy a piece of the text for a message: at most `max_code_points` of it, without control characters. Returns
 * `out`, NUL-terminated. */
const char *sql_quote_for_message(str piece, size_t max_code_points, char *out, size_t out_size);

#endif
