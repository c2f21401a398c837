/* grain.h - the analysis of one plan: facts at every operator, join sites and row losses, and the summary that other
 * models read.
 * Called by: grain/project.c, api.  Must not know: where declarations come from, how results are printed.
 *
 * One file an operator (op_join.c, ...), each a function from the facts of the inputs to the facts of the rows. They are
 * called in the order of plan.node, inputs first, each operator once.
 */
#ifndef GRAIN_GRAIN_H
#define GRAIN_GRAIN_H

#include "base/map.h"
#include "grain/domain.h"
#include "grain/expr.h"
#include "grain/facts.h"
#include "plan/bind.h"

/* A relation that rows are said to be within, or to cover: a table, a source, a model. One struct each in a run, so that
 * pointers compare. Its columns are numbered as they are first named. */
struct base_relation {
    str name;             /* as findings print it */
    const void *identity; /* the maker's: see grain_input.identity */
    str *column;          /* as first named */
    uint32_t column_count, column_capacity;
    map by_name;          /* folded name: 1 + index */
};

typedef struct grain_run { /* what the models of one run share; lives as long as their summaries */
    arena *owner;
    map relation; /* by identity */
    bool has_relations;
    map text; /* of chains: models repeat them */
    bool has_texts;
} grain_run;
base_relation *grain_relation(grain_run *run, const void *identity, str name);
uint32_t grain_relation_column(grain_run *run, base_relation *r, str name);
/* The text, once in a run. */
str grain_text(grain_run *run, str text);

/* A join that may give rows of a side several times. It outlives its model: texts are copies. */
struct join_site {
    str model;    /* unique id; "" for a query of its own */
    str text;     /* of the condition */
    str file;     /* of the model, "" when unknown */
    span at;      /* in the compiled text of the model */
    text_place place;
    join_cardinality cardinality;
    bool is_open; /* whether rows are repeated cannot be told: the side that would may have a key that nobody declares */
    const str *chain; /* evidence, outermost first */
    size_t chain_count;
    const declaration *const *leans_on;
    size_t leans_on_count;
    const plan_node *node; /* valid while the model is analysed */
};

/* Rows of an input may be missing from here on. */
typedef struct row_loss {
    const plan_node *node;
    span at;
    str text; /* the condition, or the join */
} row_loss;

/* What a finished model tells those that read it. Everything is a copy in the run's arena. */
typedef struct grain_summary {
    str model;
    const base_relation *relation; /* itself */
    const str *column;             /* names, in order */
    size_t column_count;
    bool is_open;                  /* it may have more */
    facts facts;  /* column ids: 0 .. column_count - 1 are the columns, those behind are hidden; `all` holds them all; why:
                   * ids into `evidence`, all of kind EVIDENCE_UPSTREAM */
    uint32_t id_count;
    evidence_list evidence;
    const str *hidden_name; /* of id column_count + i */
    bool starts_afresh;     /* the root is unknown: only its own declarations count */
} grain_summary;

/* Where an analysis gets what it does not know. Every function may be NULL. */
typedef struct grain_input {
    void *context;
    /* What is declared of a relation of the catalog. Lives as long as the run. */
    declaration_list (*declared)(void *context, const catalog_relation *relation);
    /* A model that was analysed before; NULL for tables and sources. */
    const grain_summary *(*summary)(void *context, const catalog_relation *relation);
    /* One pointer for all names of one relation, and what findings call it; NULL: the catalog_relation itself, by its name. */
    const void *(*identity)(void *context, const catalog_relation *relation, str *name);
    /* The same of the relation that a reference is about; NULL when it is not declared. */
    const void *(*target)(void *context, const declaration *reference, str *name);
    /* Is a column of a relation declared to be applied to every row (a unit price)? */
    bool (*per_row)(void *context, const catalog_relation *relation, str column);
    /* The SQL was rendered by dbt, at some time and perhaps without the tables of its packages: a column that is a bare NULL
     * (`cast(NULL as text) as name`) is a placeholder of which nothing is known; how many rows a list of constants has is
     * data; and a table whose query gives no rows is filled by something else. */
    bool is_rendered;
    /* CTE of an ephemeral model (__dbt__cte__x): the declarations of that model, to be added to its rows. */
    declaration_list (*declared_of_cte)(void *context, str cte);
} grain_input;

typedef struct grain_hidden { /* a hidden column that no plan has */
    str name;
    bool is_merge; /* COALESCE of two columns of a full join, in any order: they are equal where both are there */
    column_id merges[2];
} grain_hidden;

typedef struct grain_model {
    arena *owner; /* ends with the model */
    grain_run *run;
    const grain_input *input;
    const plan *plan;
    str name; /* unique id, "" for a query of its own */
    str file;
    str text; /* compiled SQL */
    sql_dialect dialect;
    facts **node; /* by plan_node.id */
    evidence_list evidence;
    evidence_names names;
    grain_hidden *hidden; /* column id - plan.column_count */
    uint32_t hidden_count, hidden_capacity;
    colset torn;          /* grouped by sets: two places with one of these ids may hold different values in a row */
    uint32_t *references; /* by plan_node.id: how many operators read it */
    struct join_match *match; /* by plan_node.id, of joins: see op_join.c */
    uint32_t *slot;           /* by column id: scratch of grain_carry */
    uint32_t slot_count;
    row_loss *loss;
    uint32_t loss_count, loss_capacity;
    const place_index *places;
    expr_context expr;
} grain_model;

/* The facts of every operator. Never fails: what it cannot tell is unknown. LP_ERR_LIMIT leaves through the door. */
grain_model *grain_analyse(arena *owner, grain_run *run, const grain_input *input, const plan *p, str name, str file,
                           str text, sql_dialect dialect);

const facts *grain_facts_of(const grain_model *m, const plan_node *node);
/* What people call a column: its name, or the text of what it is computed from, if that is short. "" for others. Borrows. */
str grain_column_name(const grain_model *m, column_id id);
str grain_expression_name(const grain_model *m, const plan_expr *e);

/* Add what is declared of the model itself to the facts of its result: before grain_state, behind the checks and
 * grain_summarise, which are about the SQL. */
void grain_declare(grain_model *m, declaration_list own);

/* A copy for the models that read this one, in the run's arena. `declared`: what is declared of the model itself is added
 * where a scan reads it, not here. `is_batch`: the table holds the rows of several runs (an incremental model): what holds of
 * each row stays, keys and what else holds between rows is only presumed. */
const grain_summary *grain_summarise(grain_model *m, bool is_batch);

/* The facts of the result as they are stated: over the columns that a reader sees, hidden ones folded away. Keys are
 * minimal, lax ones only where no strict one says the same. */
typedef struct stated_facts {
    fact_status status;
    fact_gap gap;
    const str *column; /* a repeated name as name#position, from 1 */
    size_t column_count;
    bool is_open;
    struct stated_set {
        const uint32_t *column; /* positions in the result */
        size_t count;
        evidence_id why;
    } *key, *lax_key, *equal;
    size_t key_count, lax_key_count, equal_count;
    struct stated_dependency {
        const uint32_t *from, *to;
        size_t from_count, to_count;
        bool is_lax, is_entity;
        evidence_id why;
    } *dependency;
    size_t dependency_count;
    struct stated_column {
        bool not_null, constant, constant_or_null;
        evidence_id not_null_why, constant_why;
        bool grain_known;
        const str *native; /* names, those of hidden columns too */
        size_t native_count;
        site_list repeated;
    } *each; /* parallel to `column` */
    struct stated_inclusion {
        bool is_covers, is_lax;
        str relation;
        const uint32_t *here;
        const str *there;
        size_t count;
        evidence_id why;
    } *inclusion;
    size_t inclusion_count;
    row_bounds rows;
    str left_multiplicity, right_multiplicity; /* of a join at the root: "exactly-one", ...; "" when there is none */
} stated_facts;
stated_facts *grain_state(const grain_model *m, arena *owner);
/* The same of any operator: its columns by plan_node.column. */
stated_facts *grain_state_node(const grain_model *m, const plan_node *node, arena *owner);

#endif
