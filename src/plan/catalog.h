/* catalog.h - what is declared of the relations that a query reads: one small interface over all sources.
 * Called by: plan/bind_*.c, grain.  Must not know: where declarations come from (ddl.c, the dbt room, delta's schema).
 *
 * Names of columns and relations are as declared; comparing them is the binder's business, by the rules of the dialect.
 */
#ifndef PLAN_CATALOG_H
#define PLAN_CATALOG_H

#include "base/span.h"
#include "sql/ast_query.h"

typedef struct catalog_column {
    str name;
    bool is_quoted; /* declared in quotes: its case counts where the dialect says so */
    str type;       /* as declared, "" when unknown */
    bool is_not_null;
    const ast *generated; /* GENERATED ALWAYS AS (expression), unbound; NULL for other columns */
    span at; /* in the text that declares it; length 0 when there is none */
} catalog_column;

/* PRIMARY KEY, UNIQUE. Columns are indexes into catalog_relation.column. A key holds among rows without a NULL in it,
 * unless it is primary or nulls_not_distinct says otherwise. */
typedef struct catalog_key {
    const uint32_t *column;
    size_t column_count;
    bool is_primary;
    bool nulls_not_distinct;
    span at;
} catalog_key;

/* FOREIGN KEY: rows without a NULL in `column` have a partner in `to`. */
typedef struct catalog_reference {
    const uint32_t *column;
    size_t column_count;
    str to;               /* catalog_relation.name */
    const str *to_column; /* names; none: the primary key of `to` */
    size_t to_count;
    span at;
} catalog_reference;

typedef struct catalog_relation {
    str name; /* full, as declared: what messages and plans print */
    const catalog_column *column;
    size_t column_count;
    bool is_open; /* it may have more columns than are listed */
    const catalog_key *key;
    size_t key_count;
    const catalog_reference *reference;
    size_t reference_count;
    const ast *const *check; /* conditions that hold for every row, unbound */
    size_t check_count;
    void *source; /* the maker's own */
} catalog_relation;

/* Where relations are looked up. */
typedef struct catalog {
    void *context;
    /* The relation that `name` means, NULL when it is not declared. Called for names that are no CTE. The result lives
     * as long as the catalog. */
    const catalog_relation *(*find)(void *context, const sql_name *name);
    /* The same for a file that stands for a relation, as written: 'data/orders.csv'. NULL when no file is declared. */
    const catalog_relation *(*find_file)(void *context, str file);
} catalog;

#endif
