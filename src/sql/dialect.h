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

/* A row of dialect.def. What is not named there is false or "". The first group holds for predicates and statements,
 * the second for statements only. */
typedef struct dialect_traits {
    const char *name;
    const char *quotes; /* characters that quote a name; inside, the same character doubled stands for itself */
    bool backslash; /* a backslash in '...' (and "...") escapes the next character, so that \' does not end the text */
    const char *prefixes; /* letters, lower case, that may stand directly before '...': r raw, x hex, n national, b bits
                           * or bytes, e escapes, u for U&'...' */
    bool suffixes;        /* numbers may end in L S Y D F BD */
    bool digit_names;     /* an unquoted name may start with a digit: 2023_sales */
    bool comment_continues; /* a backslash at the end of a -- comment continues it on the next line */
    bool lambdas;           /* x -> ... as an argument of a call is a function, not an operator */
    bool symmetric;         /* BETWEEN may be followed by SYMMETRIC or ASYMMETRIC */

    bool quoted_texts;     /* "..." is a text, not a name */
    bool triple_quotes;    /* '''...''' and """...""" */
    bool dollar_texts;     /* $$...$$, $tag$...$tag$ */
    bool hash_comments;    /* # to the end of the line */
    bool brace_hints;      /* @{...} says how to do something, and nothing else */
    bool slash_comments;   /* // to the end of the line */
    bool flat_comments;    /* block comments do not nest */
    bool dollar_names;     /* an unquoted name may hold a dollar sign, but not start with it */
    bool hash_names;       /* an unquoted name may start with #: #temporary */
    bool digit_separators; /* 1_000, and 0x1F 0o17 0b11 */
    bool custom_operators; /* any run of operator characters is one operator */
    bool pipes;            /* |> */
    bool path_quotes;      /* `a.b.c` is a path of three names where a table is wanted */
    bool hyphen_names;     /* my-project.d.t where a table is wanted */
    bool double_dots;      /* db..table */
    bool minus_is_except;  /* MINUS as a set operation */
    bool with_without_as;  /* WITH a (SELECT ...) */
    bool word_division;    /* a DIV b */
    bool integer_division; /* // between numbers */
    bool caret_is_power;   /* ^ binds tighter than * */
    bool loose_concat;     /* ||, like every operator without a level of its own, binds looser than + */
    bool loose_bits;       /* |, &, << and >> do so too */
    bool flat_bits;        /* |, &, << and >> are alike, between || and + */
    bool loose_matches;    /* ~ and its kin bind like LIKE */
    bool tight_predicates; /* IN, LIKE and BETWEEN bind tighter than = and < */
    bool json_arrows;      /* -> and ->> reach into JSON, though lambdas are written so too */
    bool loose_arrows;     /* and what stands right of -> goes on as far as it can, up to the next -> */
    bool colon_paths;      /* a:b.c reaches into semi-structured data */
    bool colon_aliases;    /* SELECT a: 1, FROM t: u */
    bool empty_select;     /* SELECT FROM t */
    bool select_top;       /* SELECT TOP 10 */
    bool from_first;       /* FROM t SELECT a, FROM t */
    bool text_tables;      /* FROM 'file.csv' */
    bool stages;           /* FROM @stage/path */
    bool outer_marks;      /* a.x = b.x(+) */
    bool unicode_names;    /* U&"d\0061ta" is the name data */
    bool factorial_sign;   /* 5 ! */
    bool flows;            /* query ->> query FROM $1: statements over each other's rows */
    bool multi_insert;     /* FROM t INSERT INTO a SELECT x INSERT INTO b SELECT y */
} dialect_traits;

const dialect_traits *sql_dialect_traits(sql_dialect d);

/* The first group alone, the second one as if it were not there: how conditions are read. */
dialect_traits sql_dialect_condition_traits(sql_dialect d);

/* The dialect of that name, ignoring case; false when there is none. */
bool sql_dialect_by_name(str name, sql_dialect *out);

#endif
