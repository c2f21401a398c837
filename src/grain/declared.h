/* declared.h - what is declared of a relation, from wherever: DDL, dbt tests, constraints, meta, a Delta log.
 * Called by: grain; the makers are declared_ddl.c and declared_dbt.c.  Must not know: how a fact is proved.
 *
 * Declarations are the only things that the analysis takes on trust. Those that are `is_usable` are used in proofs; the
 * others are shown by `coverage` and used only when `--trust` names their kind.
 */
#ifndef GRAIN_DECLARED_H
#define GRAIN_DECLARED_H

#include "plan/catalog.h"

typedef enum declaration_kind {
    DECLARED_KEY,       /* columns; is_strict */
    DECLARED_NOT_NULL,  /* columns: each of them */
    DECLARED_REFERENCE, /* values of `columns` without a NULL among them occur in `to_columns` of `to` */
    DECLARED_VALUES,    /* column[0] is one of `value`, or NULL */
    DECLARED_CHECK,     /* `check` is not FALSE for any row */
    DECLARED_GENERATED, /* column[0] is computed from the others by `check`, an expression */
    DECLARED_CONSTANT   /* measured in a Delta log: one value in all files */
} declaration_kind;

typedef enum declaration_trust { /* strongest first */
    TRUST_ENFORCED,
    TRUST_TESTED,      /* a dbt test, severity error */
    TRUST_TESTED_WARN, /* severity warn */
    TRUST_DECLARED,    /* informational constraints, meta */
    TRUST_MEASURED,    /* a Delta log at the version that was read */
    TRUST_GUESS
} declaration_trust;

typedef struct declaration {
    declaration_kind kind;
    const str *column; /* names, as declared */
    const bool *is_quoted; /* parallel: their case counts where the dialect tells case apart. NULL: of none */
    size_t column_count;
    bool is_strict;   /* KEY: NULLs equal each other; else it holds among rows without a NULL in it */
    bool is_usable;   /* in proofs */
    const bool *is_expression; /* KEY, parallel to column: SQL over the columns, to be read by the scan. NULL: of none, as in all that
                                * is usable; one with such is usable where the scan understands it */
    bool is_usable_if; /* KEY: in proofs about rows that meet `condition` */
    declaration_trust trust;
    str relation;     /* full name, as findings print it */
    str origin;       /* "PRIMARY KEY", "meta.cardinal.grain", "dbt test unique_orders_id": as findings print it */
    str place;        /* the file that declares it; "" when unknown */
    str tested_by;    /* the dbt test that checks it; "" for none */
    str weakness;     /* why it is not usable, or holds less than it says: "has a where: ..."; "" */
    str missing;      /* the column of it that the relation does not have, as far as that is known: nobody tests the name. "" */
    str condition;    /* it holds only of rows that meet this SQL condition; "" for all rows */
    str guess;        /* kind of guess for --trust: unique_key, snapshot, entity; "" */
    str to;           /* REFERENCE: the relation's name, to be looked up */
    const void *to_relation; /* REFERENCE: who it is, when the maker knows: see relation_identity in grain.h */
    const str *to_column;
    size_t to_column_count;
    const str *value; /* VALUES */
    size_t value_count;
    const ast *check; /* CHECK, GENERATED: parsed, unbound */
    str check_text;   /* what the spans of `check` point into */
} declaration;

typedef struct declaration_list {
    const declaration *const *item;
    size_t count;
} declaration_list;

#endif
