/* lex.h - SQL text to tokens with spans.
 * Called by: sql/parse.c, the stage command `lex` of the tests.  Must not know: the grammar.
 */
#ifndef SQL_LEX_H
#define SQL_LEX_H

#include "base/arena.h"
#include "base/err.h"
#include "base/span.h"
#include "sql/dialect.h"

typedef enum token_kind {
    TOKEN_END,         /* stands directly behind the last token */
    TOKEN_NAME,        /* unquoted, keywords included */
    TOKEN_QUOTED_NAME, /* `x`, "x" */
    TOKEN_NUMBER,      /* suffix included */
    TOKEN_STRING,      /* '...' with its prefix letter, r"..." */
    TOKEN_OPERATOR
} token_kind;

typedef enum keyword {
    KW_NONE,
#define KEYWORD(word) KW_##word,
#include "sql/keyword.def"
#undef KEYWORD
    KW_COUNT
} keyword;

typedef enum operator_id {
    OPERATOR_NONE,
#define OPERATOR(name, text) OPERATOR_##name,
#include "sql/operator.def"
#undef OPERATOR
    OPERATOR_COUNT
} operator_id;

typedef struct token {
    uint8_t kind;   /* token_kind */
    uint8_t detail; /* TOKEN_OPERATOR: operator_id; TOKEN_STRING: length of the prefix (0 or 1) */
    uint16_t word;  /* TOKEN_NAME: keyword */
    span at;
} token;

/* All tokens of the text, TOKEN_END last; comments and blanks are gone. The text must be UTF-8 of at most
 * SQL_MAX_TEXT_BYTES; anything that is no token (a bad byte, an open quote or comment, left-over Jinja) is LP_ERR_QUERY
 * with its place. */
MUST_USE lp_status sql_lex(arena *query, str text, sql_dialect dialect, const token **out, size_t *out_count,
                           lp_err *err);

/* A keyword in upper case ("" for KW_NONE), an operator as it is written. */
str keyword_text(keyword word);
str operator_text(operator_id id);

/* The keyword that a word is, ignoring case, or KW_NONE. */
keyword keyword_find(str word);

#endif
