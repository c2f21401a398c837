/* bind_int.h - what the files of the binder share.
 * Called by: plan/bind_*.c.  Must not know: facts.
 *
 * A *relation* here is a list of named columns over an operator: an item of FROM, the result of a query, a CTE. A
 * *scope* is what names of one SELECT can mean. Operators are made inputs first, and their column lists only grow: a
 * name that turns out to be a column of an open relation is added to its scan and to every operator between there and
 * where it is used.
 */
#ifndef PLAN_BIND_INT_H
#define PLAN_BIND_INT_H

#include "base/map.h"
#include "plan/bind.h"
#include "plan/name_index.h"

/* An operator under way: its lists of columns may still grow. */
typedef struct draft {
    plan_node node;
    uint32_t column_capacity;
    column_id *inside; /* PLAN_CTE: parallel to node.column */
    uint32_t inside_capacity, inside_count;
    uint32_t made_capacity; /* PLAN_PROJECT of merged columns */
    colset member;          /* of node.column: the first `member_count` of them */
    size_t member_count;
} draft;

typedef struct relation_column {
    plain_name name;
    column_id id;
    span at; /* of the item of a select list; length 0: where the column is made */
    bool is_hidden; /* of a table beside those that it declares: no star has it */
} relation_column;

typedef struct relation relation;
struct relation {
    bool has_name;
    plain_name name;         /* the alias, else the last part of the name */
    const sql_name *written; /* the whole name, where there is no alias: s.t.c is a column of s.t */
    relation_column *column;
    uint32_t column_count, column_capacity;
    hash_index *names;      /* of `column` */
    draft *top;             /* the operator whose rows have the columns */
    bool is_open;           /* it may have more columns than are listed */
    uint32_t known_count;   /* open: so many columns are known by their place; those behind are known by name only */
    relation *source;       /* open: whose columns the others are. NULL: of `top` itself, or of nobody when is_stray */
    bool is_stray;          /* open: of two relations, or of a set operation: a column that is named is nobody's */
    bool is_reference;      /* of a CTE: its columns are copies of those of `source` */
    const sql_name *except; /* open by `* EXCEPT (...)`: names that it does not have */
    size_t except_count;
    hash_index *except_names;
};

/* What the expressions behind GROUP BY ask for, collected while they are bound. */
typedef struct made_column {
    const plan_expr *definition;
    column_id id;
} made_column;

typedef struct made_window {
    plan_window is;
    uint32_t made_count, made_capacity;
    column_id *made;
} made_window;

/* The indexes are by the hash of the definition, or of all keys of a window. */

typedef struct selection {
    bool is_grouped;
    bool is_unclear;      /* a name in GROUP BY may be a column or an item */
    bool groups_are_open; /* GROUP BY ALL over the rest of an open relation */
    made_column *group; /* expressions over the rows of FROM, and the columns that hold them behind GROUP BY */
    uint32_t group_count, group_capacity;
    hash_index group_index;
    made_column *aggregate;
    uint32_t aggregate_count, aggregate_capacity;
    hash_index aggregate_index;
    made_window *window;
    uint32_t window_count, window_capacity;
    hash_index window_index;
} selection;

/* A column as `*` and bare names find it. A merged column of USING stands once. */
typedef struct visible {
    const relation *of; /* NULL for a merged column */
    plain_name name;    /* none with is_rest */
    column_id id;
    bool is_rest;      /* no column: the rest of an open relation, whatever it is */
    bool by_name_only; /* of an open relation, named somewhere: `*` has it in the rest; or hidden */
} visible;

/* An item of a select list that later names may mean. */
typedef struct item_alias {
    plain_name name;
    const plan_expr *value;
} item_alias;

typedef struct scope scope;
struct scope {
    scope *outer; /* of the enclosing query; NULL for none */
    draft *top;   /* the operator that holds the columns so far */
    relation **relation;
    uint32_t relation_count, relation_capacity;
    hash_index *relation_names;
    visible *visible;
    uint32_t visible_count, visible_capacity;
    hash_index *names; /* of `visible` */
    item_alias *alias; /* those that bare names may mean where no column has the name */
    uint32_t alias_count;
    hash_index *alias_names;
    bool has_using;       /* a join of this scope merged columns */
    bool aliases_first;   /* ORDER BY: they go before columns */
    bool groups_first;    /* HAVING, QUALIFY: they go before columns that are no groups */
    selection *selection; /* of a SELECT whose aggregates and windows are being collected; else NULL */
    const sql_named_window *window;
    size_t window_count;
    hash_index *window_names;
};

typedef struct cte_name {
    plain_name name;
    relation *result;
} cte_name;

typedef struct binder {
    arena *owner;
    str text;
    const scope_rules *rules;
    sql_dialect dialect;
    const catalog *catalog;
    lp_err *err;
    plan_column *column;
    uint32_t column_count, column_capacity;
    const plan_node **node;
    uint32_t node_count, node_capacity;
    cte_name *cte; /* innermost last */
    uint32_t cte_count, cte_capacity;
    hash_index cte_names;
    uint64_t listed; /* columns of all operators together */
    uint64_t alias_size; /* of all expressions that stand for an alias, written out */
} binder;

/* ---- bind_draft.c: columns and operators ---- */

/* Room for one more in a list of the binder's arena. */
#define BIND_PUSH(b, list, count, capacity, item)                                                                      \
    do {                                                                                                               \
        if ((count) == (capacity)) (list) = bind_grow((b), (list), (count), &(capacity), sizeof *(list));              \
        (list)[(count)++] = (item);                                                                                    \
    } while (0)
void *bind_grow(binder *b, void *list, uint32_t count, uint32_t *capacity, size_t size);

column_id bind_column(binder *b, plan_column c);
draft *bind_node(binder *b, plan_kind kind, span at, draft *const *input, size_t input_count);
void draft_add(binder *b, draft *d, column_id id);
/* The columns of the first input, in their order. */
void draft_pass(binder *b, draft *d, const draft *input);
/* `id` is new in the rows of `from`: every operator between there and `top` has it too. */
void draft_push(binder *b, draft *top, const draft *from, column_id id);
lp_status bind_refuse(binder *b, span at, const char *format, ...) PRINTF_LIKE(3, 4);

/* ---- bind_scope.c: relations and names ---- */

relation *relation_new(binder *b, draft *top);
void relation_add(binder *b, relation *r, plain_name name, column_id id);
/* A column of an open relation that is named for the first time, or again. */
column_id relation_demand(binder *b, relation *r, plain_name name, span at);

/* Other names for the first columns: t(a, b). */
MUST_USE lp_status relation_rename(binder *b, relation *r, const ast_part *name, size_t count, span at);
/* x, x, x become x, x_1, x_2, where the dialect has it so. */
void relation_number_duplicates(binder *b, relation *r);
/* A reference to a CTE: an operator of its own over the one of the CTE. */
relation *relation_refer(binder *b, relation *cte, str name, span at);

scope *scope_new(binder *b, scope *outer, draft *top);
/* Columns of `r` become visible. */
void scope_add_relation(binder *b, scope *s, relation *r);
/* To be called when entries were taken out of the lists, or their names changed. */
void scope_forget_names(binder *b, scope *s);
void relation_forget_names(binder *b, relation *r);
/* The lists with their names, for name_index.h. */
named_list relation_columns(const binder *b, const relation *r);
named_list scope_visible(const binder *b, const scope *s);
named_list scope_relations(const binder *b, const scope *s);
named_list names_of_items(const binder *b, const sql_item *item, size_t count, hash_index *index);
named_list names_of_names(const binder *b, const sql_name *name, size_t count, hash_index *index);

/* What a name means. `field` is the index of the first part that is a field of the column, part_count when none is. An
 * alias has `alias` set. NAME_ABSENT: nothing has the name. */
typedef enum name_state { NAME_FOUND, NAME_ABSENT, NAME_AMBIGUOUS } name_state;
typedef struct name_meaning {
    name_state state;
    column_id id;
    const plan_expr *alias;
    uint32_t field;
    uint32_t levels_up; /* 0: this scope */
} name_meaning;
name_meaning scope_find(binder *b, scope *s, const ast_part *part, uint32_t part_count, span at);
/* The relation of this scope that is called by these parts; NULL when none is. */
relation *scope_relation(const binder *b, const scope *s, const ast_part *part, uint32_t count);
/* The column that a bare name means in this scope alone, demanded of an open relation if need be. */
name_meaning scope_find_bare(binder *b, scope *s, const ast_part *part);
/* Only among columns of this scope that are known; not in enclosing ones. */
bool scope_has_column(binder *b, const scope *s, const ast_part *part, column_id *id);
/* True also when several have the name. */
bool scope_knows(binder *b, const scope *s, const ast_part *part);

/* ---- bind_expr.c ---- */

typedef enum expr_place {
    PLACE_ROW,   /* over the rows of FROM: no aggregates, no windows */
    PLACE_RESULT /* over the rows behind GROUP BY: aggregates and windows are collected in scope.selection */
} expr_place;
MUST_USE lp_status bind_expr(binder *b, scope *s, expr_place place, const ast *from, const plan_expr **out);
plan_expr *expr_new(binder *b, plan_expr_kind kind, const ast *from, span at, const plan_expr *const *arg,
                    size_t count);
const plan_expr *expr_column(binder *b, column_id id, const ast *from, span at);
/* The column of the selection that holds `e`, made if need be. */
const plan_expr *selection_aggregate(binder *b, selection *sel, const plan_expr *e);
MUST_USE lp_status bind_window_call(binder *b, scope *s, const ast *from, const plan_expr **out);
/* `e` itself, or the column that holds it behind GROUP BY. */
const plan_expr *selection_grouped(binder *b, const selection *sel, const plan_expr *e);
/* Is it a call of an aggregate function, without OVER? */
bool call_is_aggregate(const ast *a);
/* Is an aggregate somewhere inside, outside of subqueries? */
bool has_aggregate(const ast *a);

/* ---- bind_subquery.c ---- */
/* The query of value op ANY (query) and its like; NULL for other expressions. */
const ast *quantified_query(const ast *compare);
MUST_USE lp_status bind_quantified(binder *b, scope *s, expr_place place, const ast *from, const plan_expr **out);

/* A condition of WHERE, HAVING, QUALIFY or ON over the rows of s->top: conjuncts, with semi and anti joins for IN and
 * EXISTS at the top. Puts the operators on s->top. */
MUST_USE lp_status bind_condition(binder *b, scope *s, expr_place place, const ast *condition, str clause);
/* A subquery inside of an expression: joined to s->top, and a column stands for it. */
MUST_USE lp_status bind_subquery(binder *b, scope *s, expr_place place, const ast *from, const plan_expr **out);
/* a IN (SELECT ...), negated or not, where it is not a conjunct. */
MUST_USE lp_status bind_in_subquery(binder *b, scope *s, expr_place place, const ast *from, const plan_expr **out);

/* ---- bind_from.c ---- */

MUST_USE lp_status bind_from(binder *b, scope *s, const sql_relation *const *from, size_t count, span at);
/* One more relation to the right of what the scope has. `join` may be NULL: a comma. */
MUST_USE lp_status bind_joined(binder *b, scope *s, const sql_join *join, const sql_relation *right);
/* ---- bind_pivot.c: PIVOT and UNPIVOT of all that the scope has ---- */
MUST_USE lp_status bind_pivot(binder *b, scope *s, const sql_pivot *pivot, span at);
/* A call in a select list that makes rows: explode(a). */
bool call_makes_rows(const binder *b, const ast *a);
/* Its `count` columns; `name` may be NULL: as the function is called. */
MUST_USE lp_status bind_rows_of_call(binder *b, scope *s, const ast *call, const ast_part *name, size_t count,
                                     column_id *out);
/* The scope holds nothing but this relation from here on. */
void scope_become(binder *b, scope *s, relation *r);

/* ---- bind_select.c, bind_query.c, bind_pipe.c ---- */

MUST_USE lp_status bind_query(binder *b, const sql_query *query, scope *outer, relation **out);
MUST_USE lp_status bind_select(binder *b, const sql_query *query, scope *outer, relation **out);
MUST_USE lp_status bind_pipe(binder *b, const sql_query *query, scope *outer, relation **out);
/* The items of a select list with the clauses around it, over what the scope holds; result in *out. ORDER BY and LIMIT
 * of `query` too, when it is not NULL. */
MUST_USE lp_status bind_list(binder *b, scope *s, const sql_select *select, const sql_query *query, relation **out);
MUST_USE lp_status bind_limit(binder *b, relation *r, const sql_limit *limit);
MUST_USE lp_status bind_order(binder *b, scope *s, relation *r, const sql_order *order);
/* An unknown operator over all that the scope has. */
void bind_unknown(binder *b, scope *s, str what, span at);
void bind_distinct(binder *b, relation *r, span at);
/* A number as a key of ORDER BY or GROUP BY: false for any other expression. */
bool key_is_place(const ast *key, int64_t *place);
lp_status refuse_place(binder *b, const ast *key, int64_t place, uint32_t width);
MUST_USE lp_status bind_set(binder *b, relation *const *branch, size_t count, const sql_set_link *link, span at,
                            relation **out);

#endif
