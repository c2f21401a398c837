/* allow.h - comments in SQL that allow findings: `-- lakeproof: allow G001 because REASON`.
 * Called by: api.  Must not know: how findings are proved or printed.
 *
 * An allowance speaks of findings that start on its own line, and on the next line that holds more than blanks and comments. Any
 * comment of the dialect may hold it, in any case, with the colon or without it. `allow G001, G003 because ...` names several checks. The reason is everything behind
 * `because`, up to the end of the line.
 */
#ifndef GRAIN_ALLOW_H
#define GRAIN_ALLOW_H

#include "base/err.h"
#include "grain/check.h"

typedef enum allow_fault {
    ALLOW_IS_GOOD,
    ALLOW_HAS_NO_REASON,
    ALLOW_IS_NOT_UNDERSTOOD /* another word than allow, no code, or one that is none */
} allow_fault;

typedef struct allowance {
    span at; /* from `lakeproof:` to the end of the comment's line */
    uint32_t line, next_line; /* lines whose findings are allowed, from 1; next_line is 0 at the end of the text */
    bool of[FINDING_CODE_COUNT];
    str reason;
    allow_fault fault;
} allowance;

typedef struct allowance_list {
    allowance *item;
    size_t count;
} allowance_list;

/* All comments of a text that name lakeproof, in its order. Lives in `owner`, borrows the text. A text without the word costs
 * one pass over its bytes. LP_ERR_QUERY: too long, or no UTF-8. */
MUST_USE lp_status allow_read(arena *owner, str text, sql_dialect dialect, allowance_list *out, lp_err *err);

/* Does the text hold such a comment, as far as its words tell? */
bool allow_has_mark(str text);

/* The first good one that allows a finding of this code that starts on this line; NULL for none. */
const allowance *allow_find(const allowance_list *list, finding_code code, uint32_t line);

#endif
