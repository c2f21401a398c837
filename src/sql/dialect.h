/* dialect.h - which SQL a text is written in, as a row of differences.
 * Called by: sql/lex.c, sql/parse_*.c, whoever offers --dialect.  Must not know: what a token means.
 */
#ifndef SQL_DIALECT_H
#define SQL_DIALECT_H

#include "base/str.h"

typedef enum sql_dialect {
#define DIALECT(name, ...) DIALECT_##name,
#include "sql/dialect.def"
#undef DIALECT
    DIALECT_COUNT
} sql_dialect;

typedef struct dialect_traits { /* the columns of dialect.def */
    const char *name;
    const char *quotes;
    bool backslash;
    const char *prefixes;
    bool suffixes;
    bool digit_names;
    bool comment_continues;
    bool lambdas;
    bool symmetric;
} dialect_traits;

const dialect_traits *sql_dialect_traits(sql_dialect d);

/* The dialect of that name, ignoring case; false when there is none. */
bool sql_dialect_by_name(str name, sql_dialect *out);

#endif
