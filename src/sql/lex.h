/* lex.h - SQL text to tokens with spans.
 * Called by: sql/parse.c, the stage command `lex` of the tests.  Must not know: the grammar.
 */
#ifndef SQL_LEX_H
#define SQL_LEX_H

#include "base/arena.h"
#include "base/err.h"
#include "base/span.h"
#include "sql/dialect.h"
#include "sql/error.h"

typedef enum token_kind {
    TOKEN_END,         /* stands directly behind the last token */
    TOKEN_NAME,        /* unquoted, keywords included */
    TOKEN_QUOTED_NAME, /* `x`, "x" */
    TOKEN_NUMBER,      /* suffix included */
    TOKEN_STRING,      /* '...' with its prefix letter, r"..."; in a statement all texts of the dialect */
    TOKEN_OPERATOR,
    TOKEN_PARAMETER, /* statements: $1, $name */
    TOKEN_BAD        /* statements: something that is no token; `word` is the number of its error */
} token_kind;

typedef enum keyword {
    KW_NONE,
/* KW_FIRST_X is the number of the first word with that letter, or of the next word that there is. */
#define LETTER(letter)        KW_FIRST_##letter, KW_BEFORE_##letter = KW_FIRST_##letter - 1,
#define KEYWORD(word, traits) KW_##word,
#include "sql/keyword.def"
#undef KEYWORD
#undef LETTER
    KW_COUNT
} keyword;

enum { WORD_OF_PREDICATE = 1, WORD_ENDS_ITEM = 2, WORD_ENDS_RELATION = 4, WORD_STARTS_NOTHING = 8 };

typedef enum operator_id {
    OPERATOR_NONE,
#define OPERATOR(name, text) OPERATOR_##name,
#include "sql/operator.def"
#undef OPERATOR
    OPERATOR_COUNT,
    OPERATOR_CUSTOM = OPERATOR_COUNT, /* statements: an operator that has no row, its text is that of the token */
    OPERATOR_PIPE                     /* statements: |> */
} operator_id;

typedef struct token {
    uint8_t kind;   /* token_kind */
    uint8_t detail; /* TOKEN_OPERATOR: operator_id; TOKEN_STRING and TOKEN_QUOTED_NAME: length of the prefix (0, 1, or 2
                     * for U& and rb) */
    uint16_t word;  /* TOKEN_NAME: keyword; TOKEN_BAD: number of the error */
    span at;
} token;

/* All tokens of the text, TOKEN_END last; comments and blanks are gone. The text must be UTF-8 of at most
 * SQL_MAX_TEXT_BYTES; anything that is no token (a bad byte, an open quote or comment, left-over Jinja) is LP_ERR_QUERY
 * with its place. */
MUST_USE lp_status sql_lex(arena *query, str text, sql_dialect dialect, const token **out, size_t *out_count,
                           lp_err *err);

typedef struct token_list {
    const token *item; /* TOKEN_END last */
    size_t count;
    const sql_error *bad; /* of the TOKEN_BADs */
    size_t bad_count;
} token_list;

/* The same for a text of statements, where the whole lexicon of the dialect is known. What is no token becomes a
 * TOKEN_BAD and reading goes on behind it; after SQL_MAX_ERRORS of them the text ends. LP_ERR_QUERY only for a text
 * that is too long or no UTF-8. */
MUST_USE lp_status sql_lex_statements(arena *query, str text, sql_dialect dialect, token_list *out, lp_err *err);

/* The name between the quotes of U&"...": escapes and doubled quotes resolved. False for an escape that is none. */
bool sql_unicode_name(arena *owner, str content, str *out);

/* A keyword in upper case ("" for KW_NONE), an operator as it is written. */
str keyword_text(keyword word);
str operator_text(operator_id id);

/* The keyword that a word is, ignoring case, or KW_NONE. */
keyword keyword_find(str word);

/* The WORD_... traits of a keyword, 0 for KW_NONE. */
unsigned keyword_traits(keyword word);

#endif
