/* declared_dbt.c - what a dbt project declares, as declarations of the analysis.
 * Called by: grain/project.c, api.  Must not know: how they are used.
 */
#include "grain/declared_dbt.h"

#include "grain/dbt_catalog.h"

typedef struct relation_declarations {
    bool is_made;
    declaration_list list, more;
    const str *column; /* all of them, when has_columns */
    size_t column_count;
    bool has_columns;
} relation_declarations;

struct dbt_declared {
    arena *owner;
    const dbt_project *project;
    const grain_summary *const *summary;
    const str *trust;
    size_t trust_count;
    relation_declarations *of; /* by relation */
    const dbt_relation *reader;
};

str dbt_display_name(arena *owner, const dbt_relation *r) {
    if (r->resource != DBT_SOURCE) return r->name;
    return str_format(owner, STR_FMT "." STR_FMT, STR_ARG(r->source_name), STR_ARG(r->name));
}

static str or_empty(str s) {
    return str_is_none(s) ? STR("") : s;
}

static declaration_trust trust_of(const dbt_fact *f) {
    switch (f->trust) {
    case DBT_GUESS: return TRUST_GUESS;
    case DBT_DECLARED: return TRUST_DECLARED;
    case DBT_TEST_WARNS: return TRUST_TESTED_WARN;
    case DBT_TEST_FAILS: return TRUST_TESTED;
    case DBT_ENFORCED: return TRUST_ENFORCED;
    }
    return TRUST_GUESS;
}

static str guess_of(const dbt_fact *f) {
    if (f->trust != DBT_GUESS) return STR("");
    switch ((int)f->from) {
    case DBT_FROM_INCREMENTAL: return STR("unique_key");
    case DBT_FROM_SNAPSHOT: return STR("snapshot");
    case DBT_FROM_ENTITY: return STR("entity");
    default: return STR("constraint");
    }
}

static bool is_trusted(const dbt_declared *c, str guess) {
    for (size_t i = 0; i < c->trust_count; i++)
        if (str_eq_nocase(c->trust[i], guess)) return true;
    return false;
}

static const str *plain_names(dbt_declared *c, const dbt_name *name, size_t count, bool *all_are_names) {
    str *list = ARENA_ARRAY(c->owner, str, count + 1);
    for (size_t i = 0; i < count; i++) {
        list[i] = name[i].text;
        *all_are_names = *all_are_names && !name[i].is_expression;
    }
    return list;
}

static const bool *quotes(dbt_declared *c, const dbt_name *name, size_t count) {
    bool *list = NULL;
    for (size_t i = 0; i < count; i++) {
        if (name[i].is_quoted && !list) list = ARENA_ARRAY(c->owner, bool, count);
        if (name[i].is_quoted) list[i] = true;
    }
    return list;
}

static const bool *expressions(dbt_declared *c, const dbt_name *name, size_t count) {
    bool *list = ARENA_ARRAY(c->owner, bool, count + 1);
    for (size_t i = 0; i < count; i++) list[i] = name[i].is_expression;
    return list;
}

static bool take_reference(dbt_declared *c, const dbt_fact *f, declaration *d) {
    bool names = true;
    d->to = or_empty(f->reference.to_text);
    if (f->reference.to == DBT_NO_RELATION || !f->reference.to_count || !str_is_none(f->reference.to_condition)) return false;
    const dbt_relation *to = &c->project->relation[f->reference.to];
    d->to = dbt_display_name(c->owner, to);
    d->to_relation = to;
    d->to_column = plain_names(c, f->reference.to_column, f->reference.to_count, &names);
    d->to_column_count = f->reference.to_count;
    return names && d->to_column_count == d->column_count;
}

static void take_values(dbt_declared *c, const dbt_fact *f, declaration *d) {
    str *value = ARENA_ARRAY(c->owner, str, f->accepted.value_count + 1);
    for (size_t i = 0; i < f->accepted.value_count; i++) value[i] = f->accepted.value[i].text;
    d->value = value, d->value_count = f->accepted.value_count;
}

/* Tests and constraints fail where a column is not there; what stands in meta nobody looks at. */
static str missing_column(const relation_declarations *k, const dbt_fact *f) {
    if (!k->has_columns || f->from != DBT_FROM_META) return STR("");
    for (size_t i = 0; i < f->column_count; i++) {
        bool found = false;
        for (size_t n = 0; n < k->column_count && !found; n++) found = str_eq_nocase(k->column[n], f->column[i].text);
        if (!found) return f->column[i].text;
    }
    return STR("");
}

static bool take_fact(dbt_declared *c, const dbt_relation *r, const dbt_fact *f, declaration *d) {
    static const declaration_kind kind[] = {DECLARED_KEY, DECLARED_NOT_NULL, DECLARED_REFERENCE, DECLARED_VALUES, DECLARED_CHECK,
                                            DECLARED_CHECK};
    bool names = true;
    if (f->kind == DBT_RANGES || f->kind == DBT_CHECK) return false;
    *d = (declaration){.kind = kind[f->kind], .trust = trust_of(f), .is_strict = !f->is_lax, .origin = f->origin,
                       .place = or_empty(f->file), .tested_by = or_empty(f->tested_by), .weakness = or_empty(f->weak_reason),
                       .condition = or_empty(f->condition), .guess = guess_of(f)};
    d->relation = dbt_display_name(c->owner, r);
    d->column = plain_names(c, f->column, f->column_count, &names);
    d->is_quoted = quotes(c, f->column, f->column_count);
    d->column_count = f->column_count;
    d->missing = missing_column(&c->of[r->index], f);
    if (d->missing.len) d->weakness = str_format(c->owner, "there is no column " STR_FMT, STR_ARG(d->missing));
    bool trusted = d->guess.len && is_trusted(c, d->guess) && !d->weakness.len;
    d->is_usable = (f->is_usable || trusted) && names && !d->condition.len && !d->missing.len;
    bool is_of_all = !d->condition.len && !d->missing.len;
    if (f->kind == DBT_KEY && !names && is_of_all && (f->is_usable || trusted)) d->is_expression = expressions(c, f->column, f->column_count);
    d->is_usable_if = f->kind == DBT_KEY && d->condition.len && f->trust > DBT_GUESS && !d->weakness.len && names;
    if (f->kind == DBT_REFERENCE && !take_reference(c, f, d)) d->is_usable = false;
    if (f->kind == DBT_ACCEPTED_VALUES) take_values(c, f, d);
    return true;
}

void dbt_declared_add(dbt_declared *c, const dbt_relation *r, declaration_list more) {
    c->of[r->index].more = more;
}

void dbt_declared_columns(dbt_declared *c, const dbt_relation *r, const str *column, size_t count) {
    relation_declarations *k = &c->of[r->index];
    k->column = column, k->column_count = count, k->has_columns = true;
}

declaration_list dbt_declared_of(dbt_declared *c, const dbt_relation *r) {
    relation_declarations *k = &c->of[r->index];
    if (k->is_made) return k->list;
    const declaration **list = ARENA_ARRAY(c->owner, const declaration *, r->fact_count + k->more.count + 1);
    declaration *item = ARENA_ARRAY(c->owner, declaration, r->fact_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < r->fact_count; i++)
        if (take_fact(c, r, &r->fact[i], &item[count])) list[count] = &item[count], count++;
    for (size_t i = 0; i < k->more.count; i++) list[count++] = k->more.item[i];
    k->is_made = true;
    k->list = (declaration_list){list, count};
    return k->list;
}

/* ---- what the analysis asks ---- */

static declaration_list declared(void *context, const catalog_relation *r) {
    return dbt_declared_of(context, dbt_catalog_source(r));
}

/* A snapshot's table holds versions of the rows of its query; only models are what their query gives. */
static const grain_summary *summary(void *context, const catalog_relation *r) {
    dbt_declared *c = context;
    const dbt_relation *from = dbt_catalog_source(r);
    return c->summary && from->resource == DBT_MODEL ? c->summary[from->index] : NULL;
}

static const void *identity(void *context, const catalog_relation *r, str *name) {
    dbt_declared *c = context;
    const dbt_relation *of = dbt_catalog_source(r);
    *name = dbt_display_name(c->owner, of);
    return of;
}

static const void *target(void *context, const declaration *reference, str *name) {
    (void)context;
    *name = reference->to;
    return reference->to_relation;
}

static bool per_row(void *context, const catalog_relation *r, str column) {
    const dbt_relation *from = dbt_catalog_source(r);
    (void)context;
    for (size_t i = 0; i < from->column_count; i++)
        if (from->column[i].is_per_row && str_eq_nocase(from->column[i].name.text, column)) return true;
    return false;
}

static declaration_list declared_of_cte(void *context, str cte) {
    dbt_declared *c = context;
    size_t of = c->reader ? dbt_ephemeral_of(c->project, c->reader, cte) : DBT_NO_RELATION;
    if (of == DBT_NO_RELATION) return (declaration_list){0};
    return dbt_declared_of(c, &c->project->relation[of]);
}

grain_input dbt_declared_input(dbt_declared *c, const dbt_relation *reader) {
    c->reader = reader;
    return (grain_input){.context = c, .declared = declared, .summary = summary, .identity = identity, .target = target,
                         .per_row = per_row, .declared_of_cte = declared_of_cte,
                         .is_rendered = true};
}

dbt_declared *dbt_declared_new(arena *owner, const dbt_project *p, const grain_summary *const *summary, const str *trust,
                               size_t trust_count) {
    dbt_declared *c = ARENA_NEW(owner, dbt_declared);
    *c = (dbt_declared){.owner = owner, .project = p, .summary = summary, .trust = trust, .trust_count = trust_count};
    c->of = ARENA_ARRAY(owner, relation_declarations, p->relation_count + 1);
    return c;
}
