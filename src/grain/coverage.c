/* coverage.c - how much of a project is understood, and on what it leans.
 * Called by: api.  Must not know: how this is printed.
 */
#include "grain/coverage_int.h"

#include <stdlib.h>
#include <string.h>

#include "grain/prove.h"

/* ---- declarations ---- */

static void lean_on(coverage_draft *c, const declaration *d) {
    str key = str_format(c->owner, "%p", (const void *)d); /* never printed, never an order */
    leaned_on *l = map_get(&c->leaned, key);
    if (!l) {
        l = ARENA_NEW(c->owner, leaned_on);
        l->is.d = d;
        map_put(&c->leaned, key, l);
    }
    if (l->last_model == c->model_count + 1) return;
    l->last_model = c->model_count + 1;
    l->is.models++;
}

static void lean_on_all(coverage_draft *c, const grain_model *m, evidence_id why, arena *scratch) {
    size_t count;
    const declaration *const *d = evidence_leans_on(&m->evidence, why, scratch, &count);
    for (size_t i = 0; i < count; i++) lean_on(c, d[i]);
}

static void lean_on_facts(coverage_draft *c, const grain_model *m, const stated_facts *f, arena *scratch) {
    for (size_t i = 0; i < f->key_count; i++) lean_on_all(c, m, f->key[i].why, scratch);
    for (size_t i = 0; i < f->lax_key_count; i++) lean_on_all(c, m, f->lax_key[i].why, scratch);
    for (size_t i = 0; i < f->equal_count; i++) lean_on_all(c, m, f->equal[i].why, scratch);
    for (size_t i = 0; i < f->dependency_count; i++) lean_on_all(c, m, f->dependency[i].why, scratch);
    for (size_t i = 0; i < f->inclusion_count; i++) lean_on_all(c, m, f->inclusion[i].why, scratch);
    for (size_t i = 0; i < f->column_count; i++) {
        if (f->each[i].not_null) lean_on_all(c, m, f->each[i].not_null_why, scratch);
        if (f->each[i].constant) lean_on_all(c, m, f->each[i].constant_why, scratch);
    }
}

/* ---- tests that are proved ---- */

static bool names_columns(const dbt_fact *t) {
    for (size_t i = 0; i < t->column_count; i++) {
        if (t->column[i].is_expression) return false;
    }
    return t->column_count > 0;
}

/* What was measured today does not make a test needless. */
static bool leans_on_measurement(const grain_proof *proof) {
    for (size_t i = 0; i < proof->leans_on_count; i++)
        if (proof->leans_on[i]->trust == TRUST_MEASURED) return true;
    return false;
}

static bool prove_test(const grain_model *m, const dbt_fact *t, arena *owner, grain_proof *proof) {
    lp_err unused; /* a column that is not there: nothing is proved */
    str *name = ARENA_ARRAY(owner, str, t->column_count + 1);
    for (size_t i = 0; i < t->column_count; i++) name[i] = t->column[i].text;
    lp_status status = LP_ERR_QUERY;
    if (t->kind == DBT_KEY) status = grain_prove_key(m, name, t->column_count, owner, proof, &unused);
    if (t->kind == DBT_NOT_NULL) status = grain_prove_not_null(m, name[0], owner, proof, &unused);
    return status == LP_OK && proof->is_proved && !leans_on_measurement(proof);
}

static void take_tests(coverage_draft *c, const dbt_relation *r, const grain_model *m) {
    for (size_t i = 0; i < r->fact_count; i++) {
        const dbt_fact *t = &r->fact[i];
        grain_proof proof;
        bool is_plain = t->from == DBT_FROM_TEST && str_is_none(t->condition) && names_columns(t);
        if (!is_plain || !prove_test(m, t, c->owner, &proof)) continue;
        proved_test *p = ARENA_NEW(c->owner, proved_test);
        p->is = (coverage_test){r, t, proof.chain, proof.chain_count};
        if (c->last_test)
            c->last_test->next = p;
        else
            c->first_test = p;
        c->last_test = p;
        c->test_count++;
    }
}

/* ---- declarations that are not used ---- */

static void add_unused(coverage_draft *c, const dbt_relation *r, str origin, str reason) {
    if (c->unused_count == c->unused_capacity) {
        size_t more = c->unused_capacity ? 2 * c->unused_capacity : 16;
        coverage_unused *fresh = ARENA_ARRAY(c->owner, coverage_unused, more);
        if (c->unused_count) memcpy(fresh, c->unused, c->unused_count * sizeof *fresh);
        c->unused = fresh, c->unused_capacity = more;
    }
    c->unused[c->unused_count++] = (coverage_unused){r, str_copy(c->owner, origin), str_copy(c->owner, reason)};
}

static str why_not(const coverage_draft *c, const dbt_fact *f) {
    if (!str_is_none(f->weak_reason)) return f->weak_reason;
    if (!str_is_none(f->condition))
        return str_format(c->owner, "it is about some rows only: " STR_FMT, STR_ARG(f->condition));
    if (f->kind == DBT_REFERENCE && f->reference.to == DBT_NO_RELATION)
        return str_format(c->owner, "there is no relation " STR_FMT " in the project", STR_ARG(f->reference.to_text));
    if (f->kind == DBT_KEY) return STR(""); /* of an expression: the scan may understand it */
    for (size_t i = 0; i < f->column_count; i++)
        if (f->column[i].is_expression && f->kind != DBT_CHECK && f->kind != DBT_RANGES)
            return str_format(c->owner, "it is about an expression: " STR_FMT, STR_ARG(f->column[i].text));
    return STR("");
}

/* A test of several facts, a primary key, is told once; and of meta the project has a note where it has a fault. */
static void take_unused(coverage_draft *c, const dbt_relation *r) {
    for (size_t i = 0; i < r->fact_count; i++) {
        const dbt_fact *f = &r->fact[i];
        if (f->trust == DBT_GUESS || f->from == DBT_FROM_META) continue;
        str reason = why_not(c, f);
        const coverage_unused *last = c->unused_count ? &c->unused[c->unused_count - 1] : NULL;
        bool again = last && last->relation == r && str_eq(last->origin, f->origin) && str_eq(last->reason, reason);
        if (reason.len && !again) add_unused(c, r, f->origin, reason);
    }
}

static void take_missing(coverage_draft *c, const grain_done *done) {
    for (size_t i = 0; i < done->own.count; i++) {
        const declaration *d = done->own.item[i];
        if (d->missing.len) add_unused(c, done->relation, d->origin, d->weakness);
    }
}

static void take_project(coverage_draft *c) {
    const dbt_project *p = c->project;
    for (size_t i = 0; i < p->note_count; i++) {
        const dbt_note *n = &p->note[i];
        add_unused(c, n->relation == DBT_NO_RELATION ? NULL : &p->relation[n->relation], STR(""), n->text);
    }
    for (size_t i = 0; i < p->relation_count; i++) take_unused(c, &p->relation[i]);
}

/* ---- models ---- */

coverage_draft *coverage_begin(arena *owner, const dbt_project *p) {
    coverage_draft *c = ARENA_NEW(owner, coverage_draft);
    c->owner = owner;
    c->project = p;
    c->model = ARENA_ARRAY(owner, coverage_model, p->relation_count + 1);
    c->root = ARENA_ARRAY(owner, map *, p->relation_count + 1);
    c->use = ARENA_ARRAY(owner, relation_use, p->relation_count + 1);
    c->scratch = arena_child(owner);
    map_init(&c->leaned, owner);
    return c;
}

static void take_plan(coverage_draft *c, coverage_model *row, const grain_done *done) {
    grain_model *m = done->model;
    take_tests(c, done->relation, m); /* before its own tests count for it */
    coverage_take_joins(c, done->relation, m);
    grain_declare(m, done->own);
    const stated_facts *f = grain_state(m, c->scratch);
    row->status = f->status;
    row->reason = f->status == FACTS_KNOWN ? STR("") : str_copy(c->owner, f->gap.what);
    row->is_own = f->gap.node != NULL;
    row->has_place = row->is_own;
    if (row->has_place) row->place = place_index_find(m->places, f->gap.at);
    row->has_key = f->key_count + f->lax_key_count > 0;
    lean_on_facts(c, m, f, c->scratch);
}

lp_status coverage_take(void *context, const grain_done *done, lp_err *err) {
    coverage_draft *c = context;
    coverage_model *row = &c->model[c->model_count];
    (void)err;
    *row = (coverage_model){.relation = done->relation, .status = FACTS_UNKNOWN, .is_own = true};
    if (done->model)
        take_plan(c, row, done);
    else
        row->reason = str_copy(c->owner, done->reason);
    take_missing(c, done);
    c->model_count++;
    arena_reset(c->scratch);
    return LP_OK;
}

/* ---- the end ---- */

static int by_use(const void *a, const void *b) {
    const coverage_declaration *x = a, *y = b;
    if (x->models != y->models) return x->models < y->models ? 1 : -1;
    int order = str_compare(x->d->relation, y->d->relation);
    return order ? order : str_compare(x->d->origin, y->d->origin);
}

static const coverage_declaration *declarations(const coverage_draft *c) {
    coverage_declaration *list = ARENA_ARRAY(c->owner, coverage_declaration, c->leaned.count + 1);
    for (size_t i = 0; i < c->leaned.count; i++) list[i] = ((const leaned_on *)c->leaned.entry[i].value)->is;
    qsort(list, c->leaned.count, sizeof *list, by_use);
    return list;
}

static const coverage_test *tests(const coverage_draft *c) {
    coverage_test *list = ARENA_ARRAY(c->owner, coverage_test, c->test_count + 1);
    size_t count = 0;
    for (const proved_test *t = c->first_test; t; t = t->next) list[count++] = t->is;
    return list;
}

coverage coverage_end(coverage_draft *c) {
    take_project(c);
    coverage out = {.model = c->model,
                    .model_count = c->model_count,
                    .declaration = declarations(c),
                    .declaration_count = c->leaned.count,
                    .test = tests(c),
                    .test_count = c->test_count,
                    .unused = c->unused,
                    .unused_count = c->unused_count};
    out.guess = coverage_guess_keys(c, &out.guess_count);
    return out;
}
