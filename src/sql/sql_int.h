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
    bool in_values;  /* of PIVOT, where AS takes a number too */
    const local *locals;
    const sql_error *bad; /* of the TOKEN_BADs */
    uint32_t seen_height; /* of the highest node since somebody set it to 0, see query_enter */
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

MUST_USE lp_status too_deep(parser *p, span at); /* names the limit */

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

/* At least this high: for what a node holds beside its arguments. */
MUST_USE lp_status node_raise(parser *p, ast *node, const token *first, uint32_t height);

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

/* ---- lists ---- */

/* A growing array in the arena of the parse. */
typedef struct many {
    void *item;
    size_t count, capacity;
} many;

/* A zeroed slot more at the end. */
void *many_add(parser *p, many *list, size_t item_size);
#define MANY_ADD(p, list, type) ((type *)many_add((p), (list), sizeof(type)))

/* ---- kept texts (parse_kept.c) ---- */

/* Are two tokens side by side, the second one of a hyphen, parts of one name: my-project-4t? */
bool joins_hyphen_name(const parser *p, const token *left, const token *right);

/* The tokens from `from` up to `to`, which is left out, canonically spaced. */
str kept_text(parser *p, const token *from, const token *to);
/* Move behind the bracket that closes the one at `next`. */
MUST_USE lp_status skip_bracketed(parser *p);

/* ---- grammar ---- */

/* How tightly operators bind, loosest first. */
typedef enum level {
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_PREDICATE, /* IS, IN, BETWEEN, LIKE */
    LEVEL_COMPARE,
    LEVEL_TIGHT, /* IN, BETWEEN, LIKE where a dialect has them so */
    LEVEL_OTHER, /* ->, @>, && ... */
    LEVEL_BIT_OR,
    LEVEL_BIT_XOR,
    LEVEL_BIT_AND,
    LEVEL_SHIFT,
    LEVEL_ADD,
    LEVEL_MULTIPLY,
    LEVEL_POWER, /* **, and ^ where it is that */
    LEVEL_AT,    /* AT TIME ZONE, COLLATE */
    LEVEL_SIGN
} level;

MUST_USE lp_status parse_expression(parser *p, ast **out);                                 /* parse_expr.c */
MUST_USE lp_status parse_level(parser *p, level loosest, ast **out);                       /* parse_expr.c */
MUST_USE lp_status parse_cast_suffix(parser *p, const token *first, ast *base, ast **out); /* parse_primary.c: at :: */
MUST_USE lp_status parse_primary(parser *p, ast **out);                                    /* parse_primary.c */
MUST_USE lp_status parse_type(parser *p, str *canonical);                                  /* parse_type.c */
/* ARRAY<type> and STRUCT<fields> of a literal, up to its bracket. */
MUST_USE lp_status parse_type_before_bracket(parser *p, str *canonical); /* parse_type.c */

/* parse_call.c: at the `(`. `parts` are those of the name, NULL for a form that is no plain name. */
MUST_USE lp_status parse_call(parser *p, str name, const sql_name *parts, const token *first, ast **out);
/* .name(arguments) behind `base`. */
MUST_USE lp_status parse_method(parser *p, const token *first, ast *base, ast **out);

/* CASE, CAST, EXTRACT and the other forms with keywords inside; *taken is false, and nothing taken, if `next` starts
 * none. */
MUST_USE lp_status parse_special(parser *p, ast **out, bool *taken); /* parse_special.c */
bool is_unit_name(str word);                                         /* parse_special.c: DAY, months, ... */

/* parse_window.c. `f` may be NULL: then nothing is written into a form. */
MUST_USE lp_status parse_sorts(parser *p, form *f, many *list);
/* ORDER BY sorts, if it is there. `before` parts it from what is printed so far. *out is NULL without one. */
MUST_USE lp_status parse_order(parser *p, form *f, const char *before, const sql_order **out);
/* At the `(`. */
MUST_USE lp_status parse_window(parser *p, form *f, const sql_window **out);
MUST_USE lp_status parse_over(parser *p, form *f, const sql_window **out);
void form_write(form *f, const char *before, str word, const char *after); /* nothing for NULL */

/* parse_subquery.c */
bool starts_query(const parser *p, size_t ahead);
bool starts_query_in_brackets(const parser *p, size_t ahead);                            /* at any depth of brackets */
MUST_USE lp_status parse_subquery(parser *p, str before, const token *first, ast **out); /* at the `(` */
/* `(query) UNION ...` inside of brackets: the rest of a query whose first operand was read as the expression `left`. */
bool continues_query(const parser *p, const ast *left);
MUST_USE lp_status parse_query_behind(parser *p, const ast *left, const token *open, ast **out);

/* parse_query.c */
MUST_USE lp_status parse_query(parser *p, const sql_query **out);
MUST_USE lp_status parse_with(parser *p, const sql_with **out);
/* The rest of a query whose WITH, of that height, is read already. */
MUST_USE lp_status parse_query_with(parser *p, const sql_with *with, uint32_t with_height, const token *first,
                                    const sql_query **out);
/* The rest of a query whose first operand is read already; `left` itself if nothing follows. */
MUST_USE lp_status parse_query_from(parser *p, sql_query *left, const token *first, const sql_query **out);
MUST_USE lp_status parse_values(parser *p, sql_query **out);
bool at_query_end(const parser *p);                               /* a set operation, ORDER BY, LIMIT ..., |> */
MUST_USE lp_status parse_limit(parser *p, const sql_limit **out); /* NULL if there is none */
MUST_USE lp_status parse_set_link(parser *p, sql_set_link *out);
bool at_set_operation(const parser *p);

/* A node of a query: the heights of what it holds are gathered between enter and leave. The descent is not counted
 * here: whatever comes back goes through parse_query_with, parse_with, parse_from_brackets or parse_level. */
void query_enter(parser *p, uint32_t *outer_height);
MUST_USE lp_status query_leave(parser *p, const token *first, uint32_t outer_height, uint32_t *height, span *at);
/* A node that exists holds what was seen since the caller set seen_height, too, and ends here. */
MUST_USE lp_status query_grow(parser *p, const token *first, uint32_t *height, span *at);

/* parse_select.c */
MUST_USE lp_status parse_select(parser *p, sql_query **out); /* at SELECT or FROM; without ends */
MUST_USE lp_status parse_items(parser *p, many *items);
MUST_USE lp_status parse_item(parser *p, sql_item *out);
MUST_USE lp_status parse_star(parser *p, const sql_name *qualifier, ast *base, const token *first, ast **out);
MUST_USE lp_status parse_windows(parser *p, many *windows);
MUST_USE lp_status parse_names(parser *p, many *names);  /* ( a, b ): ast_part */
MUST_USE lp_status parse_renames(parser *p, many *list); /* a AS b, ... */
MUST_USE lp_status parse_group_items(parser *p, many *list);
MUST_USE lp_status parse_expressions(parser *p, many *list); /* a, b: ast * */
/* USING SAMPLE ..., if it is there */
MUST_USE lp_status parse_using_sample(parser *p, const ast **out);
bool ends_list(const parser *p); /* what follows a trailing comma */

/* parse_relation.c */
MUST_USE lp_status parse_relation(parser *p, const sql_relation **out);
MUST_USE lp_status parse_relations(parser *p, many *list); /* parted by commas */
MUST_USE lp_status parse_path(parser *p, sql_name *out);   /* the name of a table */
MUST_USE lp_status parse_alias(parser *p, bool *found, sql_alias *out);
MUST_USE lp_status parse_relation_operand(parser *p, const sql_relation **out);
bool take_join_words(parser *p, sql_join *out); /* LEFT OUTER JOIN ...: false, and nothing taken */
MUST_USE lp_status parse_join_condition(parser *p, sql_join *join);

/* parse_pivot.c: at PIVOT or UNPIVOT */
bool at_pivot(const parser *p);
MUST_USE lp_status parse_pivot(parser *p, const sql_pivot **out);
MUST_USE lp_status parse_pivot_statement(parser *p, sql_query **out);

/* parse_pipe.c: behind `left`, at |> */
MUST_USE lp_status parse_pipes(parser *p, const sql_query *left, const token *first, sql_query **out);

/* parse_statement.c: a statement that is kept as text, up to a semicolon, a closing bracket, or the end. */
MUST_USE lp_status parse_kept_statement(parser *p, const sql_statement **out);
bool starts_kept_statement(const parser *p); /* INSERT, UPDATE, DELETE, MERGE */

/* A clause: `from` up to `next` as a text without arguments. */
MUST_USE lp_status clause_of_text(parser *p, str name, const token *from, ast **out);

#endif
