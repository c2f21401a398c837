/* sql_int.h - what the parser's sources share: the cursor over the tokens, and makers of nodes.
 * Called by: sql/parse*.c only.  Must not know: tables, column types, meaning.
 *
 * Grammar functions are named parse_<what>, start at p->next, and leave it behind what they took. Every one of them
 * that can come back to itself goes through parse_level or parse_enter, which hold the depth limit.
 */
#ifndef SQL_SQL_INT_H
#define SQL_SQL_INT_H

#include "sql/lex.h"
#include "sql/parse.h"

/* For functions beside the path of a descent: inlined, their locals would lie in every frame of a deep nesting. */
#define BESIDE __attribute__((noinline))

typedef struct local { /* parameters of a lambda whose body is being read */
    str name;
    const struct local *outer;
} local;

typedef struct parser {
    arena *query;
    str text;
    const dialect_traits *traits;
    const token *next;  /* TOKEN_END at last */
    size_t shift_taken; /* how many of the `>` of a `>>` or `>>>` at `next` are taken already (types only) */
    uint32_t depth;
    bool statements; /* the grammar of statements, else that of a condition, whose queries are kept as texts */
    bool in_kept;    /* inside a query whose text is kept already */
    const local *locals;
    const sql_error *bad; /* of the TOKEN_BADs */
    lp_err *err;
} parser;

/* ---- the cursor (parse.c) ---- */

/* The token `ahead` of the next one; TOKEN_END for everything behind the end. */
static inline const token *peek(const parser *p, size_t ahead) {
    const token *t = p->next;
    while (ahead > 0 && t->kind != TOKEN_END) ahead--, t++;
    return t;
}

static inline bool at_operator(const parser *p, size_t ahead, operator_id id) {
    const token *t = peek(p, ahead);
    return t->kind == TOKEN_OPERATOR && t->detail == id;
}

static inline bool at_keyword(const parser *p, size_t ahead, keyword word) {
    const token *t = peek(p, ahead);
    return t->kind == TOKEN_NAME && t->word == word;
}

/* A name, unquoted or quoted. */
static inline bool at_name(const parser *p, size_t ahead) {
    const token *t = peek(p, ahead);
    return t->kind == TOKEN_NAME || t->kind == TOKEN_QUOTED_NAME;
}

/* false, and nothing taken, if it is not there */
static inline bool take_operator(parser *p, operator_id id) {
    if (!at_operator(p, 0, id)) return false;
    p->next++;
    return true;
}

static inline bool take_keyword(parser *p, keyword word) {
    if (!at_keyword(p, 0, word)) return false;
    p->next++;
    return true;
}

bool at_name_part(const parser *p); /* a name behind a dot; one that starts with a digit must touch it, or it would
                                     * print as a number */
bool at_word(const parser *p, size_t ahead, const char *word); /* unquoted, ignoring case */
bool names_operand(const parser *p);                           /* a comparison or a dot follows the next token */
str token_text(const parser *p, const token *t);
span span_since(const parser *p, const token *first); /* from `first` to the last token taken */

/* "expected <what>, found <the next token>" */
lp_status expected(parser *p, const char *what);
MUST_USE lp_status expect_operator(parser *p, operator_id id);
MUST_USE lp_status expect_keyword(parser *p, keyword word);
/* The bracket that closes `open`; the message tells where that one is. */
MUST_USE lp_status expect_close(parser *p, operator_id id, const token *open);

/* One level down; LP_ERR_QUERY past SQL_MAX_DEPTH. parse_leave after success; after a failure nobody counts any more.
 */
MUST_USE lp_status parse_enter(parser *p);
void parse_leave(parser *p);

/* ---- nodes (parse.c) ---- */

typedef struct node_list {
    ast **item;
    size_t count, capacity;
} node_list;

void list_add(parser *p, node_list *list, ast *node);

ast *node_new(parser *p, ast_kind kind);
/* Set arguments, place and height; LP_ERR_QUERY when the tree gets too high. */
MUST_USE lp_status node_finish(parser *p, ast *node, const token *first, const node_list *args, ast **out);

/* A node that is written as text around arguments. Texts must live as long as the query: literals of ours, slices of
 * the source, or in the arena. */
typedef struct form {
    parser *p;
    const token *first;
    node_list args;
    str *piece;
    size_t piece_capacity;
    str pending; /* text since the last argument */
} form;

form form_start(parser *p, const token *first);
void form_put(form *f, str text);
void form_argument(form *f, ast *argument);
MUST_USE lp_status form_finish(form *f, ast *node, ast **out);

/* An upper-case copy of ASCII letters. */
str upper_copy(parser *p, str word);

/* The part that the name token `t` is. */
ast_part name_part(parser *p, const token *t);

/* Fill text, written and the flags about quotes from the string token `t`. */
void set_literal(parser *p, ast *node, const token *t);

/* ---- grammar ---- */

/* How tightly operators bind, loosest first. */
typedef enum level {
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_PREDICATE, /* IS, IN, BETWEEN, LIKE */
    LEVEL_COMPARE,
    LEVEL_OTHER, /* ->, @>, && ... */
    LEVEL_BIT_OR,
    LEVEL_BIT_XOR,
    LEVEL_BIT_AND,
    LEVEL_SHIFT,
    LEVEL_ADD,
    LEVEL_MULTIPLY,
    LEVEL_AT, /* AT TIME ZONE, COLLATE */
    LEVEL_SIGN
} level;

MUST_USE lp_status parse_expression(parser *p, ast **out);                         /* parse_expr.c */
MUST_USE lp_status parse_level(parser *p, level loosest, ast **out);               /* parse_expr.c */
MUST_USE lp_status parse_primary(parser *p, ast **out);                            /* parse_primary.c */
MUST_USE lp_status parse_call(parser *p, str name, const token *first, ast **out); /* parse_call.c: at the `(` */
/* CASE, CAST, EXTRACT and the other forms with keywords inside; *taken is false, and nothing taken, if `next` starts
 * none. */
MUST_USE lp_status parse_special(parser *p, ast **out, bool *taken); /* parse_special.c */
bool is_unit_name(str word);                                         /* parse_special.c: DAY, months, ... */
bool starts_query(const parser *p, size_t ahead);                    /* parse_query.c */
MUST_USE lp_status parse_subquery(parser *p, str before, const token *first, ast **out); /* parse_query.c: at the `(` */
MUST_USE lp_status parse_type(parser *p, str *canonical);                                /* parse_type.c */

#endif
