/* coverage_int.h - what the files about coverage share.
 * Called by: coverage.c, coverage_guess.c.  Must not know: other files.
 */
#ifndef GRAIN_COVERAGE_INT_H
#define GRAIN_COVERAGE_INT_H

#include "base/map.h"
#include "grain/coverage.h"

typedef struct leaned_on {
    coverage_declaration is;
    size_t last_model; /* 1 + number of the model that was counted last */
} leaned_on;

typedef struct proved_test {
    coverage_test is;
    struct proved_test *next;
} proved_test;

/* Columns of a relation that a join equates, all of one side. */
typedef struct equated {
    const str *column; /* lower case, in order */
    size_t count;
    size_t joins;
    struct equated *next;
} equated;

typedef struct relation_use {
    map column;     /* names in lower case that SQL names; by themselves */
    bool has_columns;
    equated *first; /* in the order in which they were met */
} relation_use;

/* A column of a model that is a column of a source, seed or model below, copied. */
typedef struct column_root {
    size_t relation;
    str column; /* lower case */
} column_root;

struct coverage_draft {
    arena *owner, *scratch; /* of one model */
    const dbt_project *project;
    coverage_model *model;
    size_t model_count;
    map leaned; /* by address */
    proved_test *first_test, *last_test;
    size_t test_count;
    coverage_unused *unused;
    size_t unused_count, unused_capacity;
    map **root;        /* by relation: its columns that are copies, lower case to column_root */
    relation_use *use; /* by relation */
};

/* Note which columns of which relations the joins of a model equate, and where its own columns come from. */
void coverage_take_joins(coverage_draft *c, const dbt_relation *r, const grain_model *m);
const coverage_guess *coverage_guess_keys(coverage_draft *c, size_t *count);

#endif
