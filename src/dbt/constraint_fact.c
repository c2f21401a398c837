/* constraint_fact.c - the constraints of models as facts, by what the platform makes of them.
 * Called by: dbt/project.c.  Must not know: tests, meta.
 * Source: dbt's documentation of contracts and constraints.
 */
#include "dbt/fact.h"

typedef enum support { IGNORED, INFORMATIONAL, ENFORCED } support;
typedef enum constraint { NOT_NULL, PRIMARY_KEY, UNIQUE, FOREIGN_KEY, CHECK, CONSTRAINT_COUNT } constraint;

static const str constraint_name[CONSTRAINT_COUNT] = {
    {"not_null", 8}, {"primary_key", 11}, {"unique", 6}, {"foreign_key", 11}, {"check", 5}};

static const struct {
    const char *adapter;
    support what[CONSTRAINT_COUNT];
} platform[] = {
#define PLATFORM(adapter, ...) {adapter, {__VA_ARGS__}},
#include "dbt/constraint.def"
#undef PLATFORM
};

typedef struct constraining {
    draft *draft;
    relation_draft *on;
    const tree *constraint;
    const dbt_name *column;
    size_t count;
    dbt_fact base;
} constraining;

static support support_of(str adapter, constraint kind) {
    size_t last = sizeof platform / sizeof *platform - 1;
    for (size_t i = 0; i < last; i++)
        if (str_eq(str_from(platform[i].adapter), adapter)) return platform[i].what[kind];
    return platform[last].what[kind];
}

/* dbt writes constraints only into tables that it creates itself, and only under a contract. */
static bool are_applied(const dbt_relation *r) {
    return r->has_contract && (r->is_incremental || str_eq(r->materialized, STR("table")));
}

static dbt_trust trust_of(const draft *d, const dbt_relation *r, constraint kind) {
    support what = are_applied(r) ? support_of(d->project->adapter, kind) : IGNORED;
    return what == ENFORCED ? DBT_ENFORCED : what == INFORMATIONAL ? DBT_DECLARED : DBT_GUESS;
}

static dbt_fact *add(constraining *c, dbt_fact_kind kind, bool is_lax, const dbt_name *column, size_t count) {
    c->base.kind = kind;
    c->base.is_lax = is_lax;
    return dbt_add_fact(c->draft, c->on, c->base, column, count);
}

/* `to` is a relation as rendered, or ref('m'). Old manifests have `table (a, b)` in the expression: it is not taken
 * apart. */
static void add_reference(constraining *c) {
    draft *d = c->draft;
    const tree *columns = tree_get(c->constraint, STR("to_columns"));
    str to = tree_string(tree_get(c->constraint, STR("to")));
    if (str_is_none(to) && !str_is_none(tree_string(tree_get(c->constraint, STR("expression"))))) return;
    if (str_is_none(to)) {
        dbt_note_that(d, c->on->relation->index,
                      "constraint foreign_key: expected `to` with a relation, found none; nothing is taken from it");
        return;
    }
    dbt_found rendered = dbt_find_relation_name(d->project, to);
    size_t other = rendered.count ? rendered.relation[0] : dbt_resolve(d->project, to, c->on->relation->package),
           to_count = 0;
    bool bad = false;
    const dbt_relation *target = other == DBT_NO_RELATION ? c->on->relation : &d->project->relation[other];
    const dbt_name *to_column = columns && columns->count ? dbt_columns_of(d, target, columns, &to_count, &bad) : NULL;
    if (bad || (to_count && to_count != c->count)) return;
    dbt_fact *f = add(c, DBT_REFERENCE, true, c->column, c->count);
    f->reference.to = other;
    f->reference.to_text = str_copy(d->keep, to);
    f->reference.to_column = to_column;
    f->reference.to_count = to_count;
}

static void add_primary_key(constraining *c) {
    (void)add(c, DBT_KEY, false, c->column, c->count);
    for (size_t i = 0; i < c->count; i++) (void)add(c, DBT_NOT_NULL, false, &c->column[i], 1);
}

static void add_check(constraining *c) {
    str expression = tree_string(tree_get(c->constraint, STR("expression")));
    if (!str_is_none(expression))
        add(c, DBT_CHECK, false, c->column, c->count)->check.expression = str_copy(c->draft->keep, expression);
}

static void take(constraining *c, constraint kind) {
    const dbt_relation *r = c->on->relation;
    c->base = (dbt_fact){
        .from = DBT_FROM_CONSTRAINT,
        .trust = trust_of(c->draft, r, kind),
        .origin = str_format(c->draft->keep, "constraint " STR_FMT, STR_ARG(constraint_name[kind])),
        .file = r->patch_path,
    };
    if (kind != CHECK && c->count == 0) return;
    switch (kind) {
    case NOT_NULL:
        for (size_t i = 0; i < c->count; i++) (void)add(c, DBT_NOT_NULL, false, &c->column[i], 1);
        return;
    case PRIMARY_KEY: add_primary_key(c); return;
    case UNIQUE: (void)add(c, DBT_KEY, true, c->column, c->count); return;
    case FOREIGN_KEY: add_reference(c); return;
    case CHECK: add_check(c); return;
    case CONSTRAINT_COUNT: break;
    }
    UNREACHABLE();
}

static void take_named(constraining *c) {
    str type = tree_string(tree_get(c->constraint, STR("type")));
    for (constraint kind = 0; kind < CONSTRAINT_COUNT; kind++)
        if (str_eq(type, constraint_name[kind])) take(c, kind);
}

static void take_relation(draft *d, relation_draft *on) {
    constraining c = {.draft = d, .on = on};
    bool bad;
    for (const tree *t = on->constraints ? on->constraints->first : NULL; t; t = t->next) {
        c.constraint = t;
        c.column = dbt_columns_of(d, on->relation, tree_get(t, STR("columns")), &c.count, &bad);
        if (bad) c.count = 0;
        take_named(&c);
    }
    for (const tree *column = on->column_constraints ? on->column_constraints->first : NULL; column;
         column = column->next) {
        c.column = dbt_column_named(d, on->relation, column->key);
        c.count = 1;
        for (c.constraint = column->first; c.constraint; c.constraint = c.constraint->next) take_named(&c);
    }
}

void dbt_constraint_facts(draft *d) {
    for (size_t i = 0; i < d->node_count; i++) take_relation(d, &d->node[i]);
}
