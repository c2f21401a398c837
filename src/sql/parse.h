/* parse.h - SQL text to a tree.
 * Called by: predicate/import.c, stage commands of the tests.  Must not know: that tables or column types exist.
 */
#ifndef SQL_PARSE_H
#define SQL_PARSE_H

#include "base/buf.h"
#include "base/err.h"
#include "sql/ast_query.h"
#include "sql/dialect.h"
#include "sql/error.h"

/* Highest tree and deepest descent: each parenthesis, call, CASE, NOT, sign, and each operator inside the operand of
 * another one counts. One more is LP_ERR_QUERY that names the limit. */
#define SQL_MAX_DEPTH 1000

/* Longest text, in bytes. */
#define SQL_MAX_TEXT_BYTES ((size_t)16 << 20)

/* One expression that reaches to the end of the text (blanks, comments and nothing else may follow). The text is
 * borrowed and must outlive the tree. LP_ERR_QUERY: the message starts with `Parse error`, gives line and column (from
 * 1, in code points), what was expected and found, and the line with a caret below (long lines are cut around the
 * place). A text that is not UTF-8 is an error too. Text and depth are bounded, time is linear in the text. */
MUST_USE lp_status sql_parse_expression(arena *query, str text, sql_dialect dialect, const ast **out, lp_err *err);

typedef struct sql_script {
    const sql_statement *const *statement; /* those that parsed, in the order of the text; empty ones are not there */
    size_t statement_count;
    const sql_error *error; /* one for each statement that did not, in the order of the text */
    size_t error_count;
} sql_script;

/* All statements of a text, parted by semicolons. A statement that does not parse is an error in `out`, and reading
 * goes on behind its semicolon; a text that cannot be cut into tokens has one error more, and ends there. After
 * SQL_MAX_ERRORS errors reading stops. Returns LP_OK even so: LP_ERR_QUERY only for a text that is too long or no
 * UTF-8. The text is borrowed and must outlive the trees; time is linear in the text. */
MUST_USE lp_status sql_parse_script(arena *query, str text, sql_dialect dialect, sql_script *out, lp_err *err);

/* The canonical text of a tree: keywords upper case, one blank around operators, the form that `predicate` prints for
 * fragments that it cannot own. What parses survives print and parse. */
void sql_print(buf *out, const ast *tree);

/* The same for a query and a statement, on one line and without a semicolon. */
void sql_print_query(buf *out, const sql_query *query);
void sql_print_statement(buf *out, const sql_statement *statement);

/* LP_ERR_QUERY for later stages, with the frame of a parse error but without that word:
 * `line 1, column 14: <message>`, then the line of `text` with carets under `at`. */
lp_status sql_error_at(lp_err *err, str text, span at, const char *format, ...) PRINTF_LIKE(4, 5);

#endif
