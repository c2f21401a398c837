/* fact.c - facts under construction, and what is told of each when all are known.
 * Called by: dbt/test_fact.c, constraint_fact.c, meta_fact.c, guess_fact.c, project.c.  Must not know: where facts come
 * from.
 */
#include "dbt/fact.h"

#include <stdarg.h>
#include <stdio.h>

/* meta stands in two places that mirror each other, and what is wrong in it is told once. */
static bool is_told(const draft *d, size_t relation, str text) {
    enum { LOOKED_AT = 64 };
    for (size_t i = d->note_count; i > 0 && d->note_count - i < LOOKED_AT; i--)
        if (d->note[i - 1].relation == relation && str_eq(d->note[i - 1].text, text)) return true;
    return false;
}

void dbt_note_that(draft *d, size_t relation, const char *format, ...) {
    char text[1024];
    va_list list;
    va_start(list, format);
    int len = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    size_t size = len < 0 ? 0 : (size_t)len < sizeof text ? (size_t)len : sizeof text - 1;
    while (size && (size_t)len > size && ((unsigned char)text[size - 1] & 0x80)) size--; /* cut no character in two */
    if (is_told(d, relation, (str){text, size})) return;
    d->note = dbt_grow(d->keep, d->note, d->note_count, &d->note_capacity, sizeof *d->note);
    d->note[d->note_count++] = (dbt_note){.relation = relation, .text = str_copy(d->keep, (str){text, size})};
}

dbt_fact *dbt_add_fact(draft *d, relation_draft *r, dbt_fact base, const dbt_name *column, size_t count) {
    fact_list *list = &r->facts;
    list->item = dbt_grow(d->working, list->item, list->count, &list->capacity, sizeof *list->item);
    dbt_fact *f = &list->item[list->count++];
    *f = base;
    f->column = column;
    f->column_count = count;
    return f;
}

/* ---- columns and values ---- */

static dbt_name column_of(draft *d, const dbt_relation *r, str text) {
    dbt_name name = dbt_parse_name(str_copy(d->keep, text), d->keep);
    for (size_t i = 0; i < r->column_count && i < DBT_COMPARED_MAX && !name.is_quoted; i++) {
        const dbt_column *c = &r->column[i];
        if (!c->in_yaml || !str_eq(c->name.text, name.text)) continue;
        name.is_quoted = c->is_yaml_quoted;
        name.is_expression = false; /* a column is called like that, however odd */
        break;
    }
    return name;
}

const dbt_name *dbt_column_named(draft *d, const dbt_relation *r, str text) {
    dbt_name *made = ARENA_NEW(d->keep, dbt_name);
    *made = column_of(d, r, text);
    return made;
}

const dbt_name *dbt_columns_of(draft *d, const dbt_relation *r, const tree *t, size_t *count, bool *bad) {
    *count = 0;
    *bad = false;
    if (t && t->kind == TREE_STRING) {
        *count = 1;
        return dbt_column_named(d, r, t->text);
    }
    *bad = !t || t->kind != TREE_ARRAY || t->count == 0;
    if (*bad) return NULL;
    dbt_name *made = ARENA_ARRAY(d->keep, dbt_name, t->count);
    for (const tree *item = t->first; item; item = item->next) {
        *bad |= item->kind != TREE_STRING;
        if (!*bad) made[(*count)++] = column_of(d, r, item->text);
    }
    return made;
}

/* As Python writes it between quotes: True, False, None. */
static str rendered(const tree *value) {
    if (value->kind == TREE_TRUE) return STR("True");
    if (value->kind == TREE_FALSE) return STR("False");
    return value->kind == TREE_NULL ? STR("None") : value->text;
}

const dbt_value *dbt_values_of(draft *d, const tree *t, bool are_strings, size_t *count) {
    *count = 0;
    if (!t || t->kind != TREE_ARRAY) return NULL;
    dbt_value *made = ARENA_ARRAY(d->keep, dbt_value, t->count);
    for (const tree *item = t->first; item; item = item->next) {
        if (item->kind == TREE_ARRAY || item->kind == TREE_OBJECT) return NULL;
        str text = are_strings ? rendered(item) : item->text;
        made[(*count)++] = (dbt_value){.text = str_copy(d->keep, text), .is_string = are_strings};
    }
    return made;
}

/* ---- which declarations a test checks ---- */

static bool same_name(const dbt_name *a, const dbt_name *b) {
    return a->is_expression == b->is_expression && str_eq_nocase(a->text, b->text);
}

static bool has_column(const dbt_fact *f, const dbt_name *column) {
    for (size_t i = 0; i < f->column_count; i++)
        if (same_name(&f->column[i], column)) return true;
    return false;
}

static bool holds_columns(const dbt_fact *whole, const dbt_fact *part) {
    for (size_t i = 0; i < part->column_count; i++)
        if (!has_column(whole, &part->column[i])) return false;
    return true;
}

static bool is_tested_not_null(const fact_list *list, const dbt_name *column) {
    for (size_t i = 0; i < list->count; i++) {
        const dbt_fact *f = &list->item[i];
        if (f->kind == DBT_NOT_NULL && f->from == DBT_FROM_TEST && f->is_usable && same_name(&f->column[0], column))
            return true;
    }
    return false;
}

/* A unique part makes the whole unique. A lax key says it of a strict one where tests keep NULL out of it. */
static bool test_shows_key(const fact_list *list, const dbt_fact *test, const dbt_fact *f) {
    if (!holds_columns(f, test) || test->column_count == 0) return false;
    if (!test->is_lax || f->is_lax) return true;
    for (size_t i = 0; i < test->column_count; i++)
        if (!is_tested_not_null(list, &test->column[i])) return false;
    return true;
}

static bool test_shows_reference(const dbt_fact *test, const dbt_fact *f) {
    if (test->reference.to != f->reference.to || test->reference.to == DBT_NO_RELATION) return false;
    if (test->column_count != f->column_count || test->reference.to_count != f->reference.to_count) return false;
    for (size_t i = 0; i < f->column_count; i++)
        if (!same_name(&test->column[i], &f->column[i])) return false;
    for (size_t i = 0; i < f->reference.to_count; i++)
        if (!same_name(&test->reference.to_column[i], &f->reference.to_column[i])) return false;
    return true;
}

static bool test_shows(const fact_list *list, const dbt_fact *test, const dbt_fact *f) {
    if (test->from != DBT_FROM_TEST || !test->is_usable || test->kind != f->kind) return false;
    switch (f->kind) {
    case DBT_KEY: return test_shows_key(list, test, f);
    case DBT_NOT_NULL: return same_name(&test->column[0], &f->column[0]);
    case DBT_REFERENCE: return test_shows_reference(test, f);
    case DBT_ACCEPTED_VALUES:
    case DBT_RANGES:
    case DBT_CHECK: return false; /* only tests and constraints state them; a constraint keeps itself */
    }
    UNREACHABLE();
}

static void set_usable(dbt_fact *f) {
    bool is_about_nothing = f->kind == DBT_REFERENCE && f->reference.to == DBT_NO_RELATION;
    f->is_usable = f->trust > DBT_GUESS && str_is_none(f->condition) && str_is_none(f->weak_reason) && !is_about_nothing;
}

/* The column of a declaration that a closed list of columns does not have. */
static const dbt_name *missing_column(const dbt_relation *r, const dbt_fact *f) {
    for (size_t i = 0; i < f->column_count; i++) {
        bool found = f->column[i].is_expression;
        for (size_t n = 0; n < r->column_count && !found; n++) found = str_eq_nocase(r->column[n].name.text, f->column[i].text);
        if (!found) return &f->column[i];
    }
    return NULL;
}

/* A test fails where a column is not there; what stands in meta nobody looks at. The columns of a model are those of its SQL,
 * which is not looked into here. */
static void check_columns(draft *d, const dbt_relation *r, dbt_fact *f) {
    bool is_closed = r->columns_from == DBT_COLUMNS_CATALOG && r->closed_count == r->column_count && r->resource != DBT_MODEL;
    const dbt_name *missing = is_closed && f->from == DBT_FROM_META ? missing_column(r, f) : NULL;
    if (!missing) return;
    f->weak_reason = str_format(d->keep, "there is no column " STR_FMT, STR_ARG(missing->text));
    dbt_note_that(d, r->index, STR_FMT ": expected columns that catalog.json lists, found \"" STR_FMT "\"; it is not used",
                  STR_ARG(f->origin), STR_ARG(missing->text));
}

static str test_name(const dbt_fact *test) {
    const str prefix = STR("dbt test ");
    return str_starts_with(test->origin, prefix) ? str_slice(test->origin, prefix.len, test->origin.len) : test->origin;
}

static void set_tested(fact_list *list, dbt_fact *f) {
    if (f->from == DBT_FROM_TEST) {
        if (str_is_none(f->weak_reason)) f->tested_by = test_name(f);
        return;
    }
    for (size_t i = 0; i < list->count && str_is_none(f->tested_by); i++)
        if (test_shows(list, &list->item[i], f)) f->tested_by = test_name(&list->item[i]);
}

void dbt_finish_facts(draft *d, dbt_relation *all, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fact_list *list = &draft_of(d, i)->facts;
        for (size_t j = 0; j < list->count && list->count <= DBT_COMPARED_MAX; j++) check_columns(d, &all[i], &list->item[j]);
        for (size_t j = 0; j < list->count; j++) set_usable(&list->item[j]);
        for (size_t j = 0; j < list->count && list->count <= DBT_COMPARED_MAX; j++) set_tested(list, &list->item[j]);
        dbt_fact *fact = ARENA_ARRAY(d->keep, dbt_fact, list->count);
        for (size_t j = 0; j < list->count; j++) fact[j] = list->item[j];
        all[i].fact = fact;
        all[i].fact_count = list->count;
    }
}
