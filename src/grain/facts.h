/* facts.h - what is known of the rows of one operator, and the two primitives: closure and superkey test.
 * Called by: grain/op_*.c make facts; the checks ask.  Must not know: operators, declarations.
 *
 * Rows. The facts of an operator speak of its rows *with all columns that were ever made below them*: a column that a
 * select list leaves out is still there, hidden. So a projection loses no dependency, and nothing has to be rewritten
 * when a column goes. Hidden columns end where rows end: at GROUP BY those go that a group does not determine.
 *
 * Agreement. Two rows agree on a column when their values are equal or both NULL. A key or dependency may hold only
 * among rows in which some columns are not NULL: those are its `needs`. A key is strict when `needs` is empty, or holds
 * columns that are never NULL anyway; it is lax when it needs what can be NULL.
 *
 * Padding. An outer join gives rows of a padded side NULLs everywhere. Such a side gets a *presence* column of its own,
 * hidden, which is one value where the row has a partner and NULL where it has none. Every dependency X -> Y of the side
 * becomes X and presence -> Y, every constant c becomes presence -> c, every column that was never NULL determines the
 * presence; any column of the side that is not NULL says that the row is present. So what holds above needs no case of
 * its own, and a later condition that rejects NULL brings everything back (MySQL's NULL-friendly dependencies and TiDB's
 * conditional ones are special cases).
 *
 * Presumed. A fact may be presumed: true unless something unusual is so (a hash collides; equal values of a column of
 * unknown type print differently). Presumed facts prove nothing that is stated; they keep checks silent.
 *
 * Sets in facts do not change once they are in: they are shared between the facts of many operators.
 */
#ifndef GRAIN_FACTS_H
#define GRAIN_FACTS_H

#include "grain/evidence.h"
#include "plan/colset.h"

/* No two rows agree on `columns`, of those in which `needs`, a part of them, is not NULL. An empty set: at most one row. */
typedef struct fact_key {
    colset columns, needs;
    bool is_presumed;
    evidence_id why;
} fact_key;

/* Rows that agree on `from`, and in which `needs` (a part of it) is not NULL, agree on `to`. An entity dependency comes
 * from a key, carried up from somewhere; others from expressions and equations. */
typedef struct fact_dependency {
    colset from, needs, to;
    bool is_entity;
    bool is_presumed;
    bool is_local; /* it holds among the rows that one row of an enclosing query sees (aggregates, limits), not between them */
    evidence_id why;
    uint64_t hash; /* of `from`: see fact_dependency_set_from */
} fact_dependency;

/* A set of columns with one reason. */
typedef struct fact_columns {
    colset columns;
    evidence_id why;
} fact_columns;

/* A constant column whose value is known: `value` is an EXPR_CONSTANT. */
typedef struct fact_value {
    column_id column;
    const plan_expr *value;
    evidence_id why;
} fact_value;

/* If any of `members` is not NULL, none of `implied` is. A padded side: members are all its columns, implied are those that
 * were never NULL before, and the presence; each of `telling` is NULL exactly where the presence `column` is, so it
 * determines it. A computed column: members is the column, implied what must be there for it to have a value. */
typedef struct fact_presence {
    colset members, implied;
    colset telling;
    column_id column; /* NO_COLUMN when `telling` is empty */
} fact_presence;

/* How many rows: at least `min`, at most `max`. */
#define ROWS_UNBOUNDED UINT64_MAX
typedef struct row_bounds {
    uint64_t min, max;
} row_bounds;

/* Values of the rows and of a base relation, compared NULL-safely on all the pairs at once; so also on any part of them.
 * COVERS: every row of the relation has a row here that agrees on the pairs. WITHIN: every row here has one there; lax: of
 * those here without a NULL in the pairs, which says nothing of a part of them unless `of_parts`. */
typedef struct inclusion_pair {
    column_id here;
    uint32_t there; /* a column of the relation: see base_relation in grain.h */
} inclusion_pair;

typedef struct base_relation base_relation;
typedef struct fact_inclusion {
    bool is_covers;
    bool is_lax;
    const base_relation *relation;
    const inclusion_pair *pair; /* ascending by `here` */
    size_t pair_count;
    evidence_id why;
    const plan_expr *only_value; /* COVERS of those rows alone whose column `only_there` is this literal; NULL: of all */
    uint32_t only_there;
    bool of_parts; /* lax, of a padded side: so also for rows without a NULL in a part of the pairs, on that part */
} fact_inclusion;

/* The native grain of a column: what its value belongs to. And the joins that repeated it since. */
typedef struct join_site join_site;
typedef struct site_list {
    const join_site *const *site; /* without repeats, the nearest last */
    size_t count;
} site_list;

typedef struct column_grain {
    bool is_known;
    colset native; /* known: empty for a value that belongs to no entity */
    bool is_per_row; /* declared to be applied to every row: meant to be repeated */
    evidence_id why;
    site_list repeated;
    /* The relation of whose row this is a value, if no key of it is declared: it may have one that nobody declares, and then that
     * tells these values. NULL: no such relation, or several. */
    const void *open;
} column_grain;

typedef enum measure_class {
    MEASURE_PLAIN,
    MEASURE_SUM,         /* additive */
    MEASURE_COUNT,
    MEASURE_NON_ADDITIVE, /* average, percentile */
    MEASURE_DISTINCT_COUNT
} measure_class;

typedef struct column_measure {
    measure_class class;
    /* DISTINCT_COUNT: what is counted determines the group together with these columns of it: among groups that agree on them no value
     * is counted twice. Unless has_apart this is not known. */
    bool has_apart;
    colset apart;
    str model;        /* that computes it; "" for a query of its own */
    str text;         /* "avg(amount)" */
} column_measure;

typedef enum fact_status { FACTS_KNOWN, FACTS_PARTIAL, FACTS_UNKNOWN } fact_status;

/* Why facts are not complete: the lowest operator that stopped us. */
typedef struct fact_gap {
    str what; /* "UNNEST", "no key is declared for shop.orders" */
    span at;
    const plan_node *node;
    bool is_of_keys; /* no key was known there: no gap where one is known again */
} fact_gap;

/* A key of those rows that meet a condition: of `column`, all of `atom`. Where a filter asks for the same it becomes a key, or
 * behind a join a dependency of `all`. */
typedef enum atom_kind { ATOM_TRUE, ATOM_FALSE, ATOM_NULL, ATOM_NOT_NULL, ATOM_EQUALS } atom_kind;
typedef struct fact_atom {
    atom_kind kind;
    column_id column;
    const plan_expr *literal; /* ATOM_EQUALS */
} fact_atom;
enum { FACTS_MAX_ATOMS = 8 };
typedef struct fact_conditional {
    colset columns, needs, all;
    bool is_key;
    evidence_id why;
    fact_atom atom[FACTS_MAX_ATOMS]; /* those that are not met yet */
    uint32_t atom_count;
} fact_conditional;

struct domain_list; /* domain.h: which values columns can have */

typedef struct facts {
    arena *owner;
    evidence_list *evidence;
    colset all;      /* every column of the rows, hidden ones too */
    fact_key *key;   /* no key holds the columns and needs of another */
    uint32_t key_count, key_capacity;
    fact_dependency *dependency;
    uint32_t dependency_count, dependency_capacity;
    fact_columns *not_null_by; /* disjoint; their union is `not_null` */
    uint32_t not_null_count, not_null_capacity;
    colset not_null;
    fact_columns *constant_by;
    uint32_t constant_count, constant_capacity;
    colset constant;         /* one value on all rows; NULL counts as a value */
    colset constant_or_null; /* all values but NULLs are one; holds `constant` */
    fact_value *value;       /* of constants, or of constants-or-NULL */
    uint32_t value_count, value_capacity;
    colset *equal; /* classes: on every row the columns of a class are equal or all NULL */
    uint32_t equal_count, equal_capacity;
    fact_presence *presence;
    uint32_t presence_count, presence_capacity;
    fact_inclusion *inclusion;
    uint32_t inclusion_count, inclusion_capacity;
    fact_conditional *conditional;
    uint32_t conditional_count, conditional_capacity;
    const struct domain_list *domain; /* NULL: any value */
    row_bounds rows;
    colset outer; /* columns of enclosing queries that the rows depend on. What is said of the rows is said for one row of
                   * those queries: the closure starts with them */
    bool is_repeatable; /* equal outer columns give the same rows again: no LIMIT, no row numbers, nothing volatile */
    fact_status status;
    fact_gap gap;
    column_grain *grain;     /* parallel to plan_node.column */
    column_measure *measure; /* the same */
} facts;

/* Caps: what does not fit is left out, and the status becomes partial. */
enum { FACTS_MAX_KEYS = 24, FACTS_MAX_DEPENDENCIES = 3000, FACTS_MAX_INCLUSIONS = 48 };

void facts_init(facts *f, arena *owner, evidence_list *reasons);
/* A copy that may grow on its own. `grain` and `measure` are left out. */
facts facts_copy(const facts *f);

/* A copy that lives in another arena, with nothing beside it. `grain`, `measure` and `domain` are left out. */
facts facts_keep(const facts *f, arena *owner);

/* ---- saying facts; what is known already is not said twice ---- */

void facts_add_key(facts *f, fact_key key);
void facts_add_dependency(facts *f, fact_dependency d);
/* Another determinant for a dependency that is in already. */
void fact_dependency_set_from(fact_dependency *d, colset from);
/* Makes what it implies non-NULL too (presence, equal columns), and upgrades nothing by hand: `needs` is tested when asked. */
void facts_add_not_null(facts *f, colset columns, evidence_id why);
void facts_add_constant(facts *f, colset columns, evidence_id why);
void facts_add_value(facts *f, column_id column, const plan_expr *value, evidence_id why);
void facts_add_equal(facts *f, column_id a, column_id b);
void facts_add_presence(facts *f, fact_presence p);
void facts_add_inclusion(facts *f, fact_inclusion i);
void facts_add_conditional(facts *f, const fact_conditional *c);
/* Both bounds hold beside what was known. A maximum of 1 is the empty key. */
void facts_bound_rows(facts *f, row_bounds b, evidence_id why);
/* No row meets this: the maximum is 0. */
void facts_no_rows(facts *f, evidence_id why);
void facts_weaken(facts *f, fact_status status, fact_gap gap); /* keeps the first gap of the worse status */

/* ---- the two primitives ---- */

/* How a question is asked. `not_null`: columns that are not NULL in the rows that are compared, beside those that never are
 * (the columns of a plain equality; the columns of a lax key). */
typedef struct closure_mode {
    colset not_null;
    bool with_presumed;
} closure_mode;
#define CLOSURE_STRICT ((closure_mode){0})

/* Every column that the columns of `start` determine: constants too. If a key is among them, all columns of the rows.
 * Linear in the size of the facts times the length of the longest chain. */
colset facts_closure(const facts *f, colset start, closure_mode mode);

/* Does the closure hold a key? Then no two rows (without NULLs in mode.not_null) agree on `start`. `why` may be NULL. */
bool facts_is_superkey(const facts *f, colset start, closure_mode mode, evidence_id *why);

/* mode.not_null and f->not_null and what follows from them: no new column is found by reading the facts again. */
colset facts_not_null_closure(const facts *f, colset assumed);
/* The same when something was added from which more columns may follow that are not NULL. */
colset facts_spread_not_null(const facts *f, colset assumed);

/* A usable key of the rows: strict before lax, proved ones only, then the smallest, then the first. NULL for none.
 * Columns in it are at the least: nothing in it follows from the rest. */
const fact_key *facts_best_key(const facts *f);
bool facts_key_is_strict(const facts *f, const fact_key *key);
evidence_id facts_why_not_null(const facts *f, column_id column); /* EVIDENCE_SQL if it is not known to be */
/* The class of `column`, itself at the least. */
colset facts_equal_to(const facts *f, column_id column);

/* ---- columns that end or change their id ---- */

/* COVERS facts stay on the pairs of these columns alone, and go where none is left: rows were dropped, but those that agree on
 * `keep` still have one. All go with the empty set. */
void facts_keep_covers(facts *f, colset keep);

/* From here on only these columns have one value a row (a group determines them): everything else goes. */
void facts_restrict(facts *f, colset keep);

/* Let go of hidden columns that no question can reach: questions start from `roots`. */
void facts_prune(facts *f, colset roots);

/* An id for each of some ids, which are close to each other: the ids of one operator, not of a whole statement. */
typedef struct column_map {
    column_id *to; /* of id `first + i`; NO_COLUMN: none */
    column_id first;
    uint32_t count;
} column_map;
column_map column_map_new(colset from, arena *owner);
void column_map_put(column_map *map, column_id id, column_id to); /* `id` is in `from` */
column_id column_map_get(const column_map *map, column_id id);

/* The same facts of a copy of the rows: ids change, those that have another. */
colset colset_map(colset s, const column_map *map, arena *owner);
facts facts_map(const facts *f, const column_map *map);

#endif
