/* coverage.h - how much of a project is understood, on what it leans, and what could be declared to understand more.
 * Called by: api.  Must not know: how this is printed.
 */
#ifndef GRAIN_COVERAGE_H
#define GRAIN_COVERAGE_H

#include "grain/project.h"

typedef struct coverage_model {
    const dbt_relation *relation;
    fact_status status;
    str reason;      /* unless known */
    bool is_own;     /* the reason is in its own SQL; else a model above it has it too */
    bool has_place;
    text_place place; /* in the compiled SQL, of what stopped us */
    bool has_key;     /* a key of its rows is proved or declared, NULLs exempt or not */
} coverage_model;

typedef struct coverage_declaration {
    const declaration *d;
    size_t models; /* whose facts lean on it */
} coverage_declaration;

/* A key that nobody declares: names or joins suggest it. It is used in no proof. */
typedef struct coverage_guess {
    const dbt_relation *relation;
    const str *column;
    size_t column_count;
    size_t joins;   /* that equate just these columns */
    size_t unlocks; /* models that are not known and read the relation, at any distance */
} coverage_guess;

/* A dbt test that cannot fail while what its proof leans on holds. */
typedef struct coverage_test {
    const dbt_relation *relation;
    const dbt_fact *fact;
    const str *chain;
    size_t chain_count;
} coverage_test;

/* A declaration that no proof uses, or not for all rows. */
typedef struct coverage_unused {
    const dbt_relation *relation; /* NULL: it is about the project */
    str origin;                   /* "" when the text says what it is about */
    str reason;
} coverage_unused;

typedef struct coverage {
    const coverage_model *model; /* parents before children */
    size_t model_count;
    const coverage_declaration *declaration; /* most leaned on first */
    size_t declaration_count;
    const coverage_guess *guess; /* most unlocking first */
    size_t guess_count;
    const coverage_test *test;
    size_t test_count;
    const coverage_unused *unused; /* in the order of the project */
    size_t unused_count;
} coverage;

typedef struct coverage_draft coverage_draft;
/* Lives in `owner`, as everything that comes of it. */
coverage_draft *coverage_begin(arena *owner, const dbt_project *p);
/* As grain_done_fn: context is a coverage_draft. */
lp_status coverage_take(void *context, const grain_done *done, lp_err *err);
coverage coverage_end(coverage_draft *c);

#endif
