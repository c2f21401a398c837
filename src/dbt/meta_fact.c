/* meta_fact.c - what people declare under meta.cardinal and meta.lakeproof.
 * Called by: dbt/project.c.  Must not know: tests, constraints.
 */
#include "dbt/fact.h"

static bool same_columns(const dbt_fact *f, const dbt_name *column, size_t count) {
    if (f->column_count != count) return false;
    for (size_t i = 0; i < count; i++)
        if (!str_eq(f->column[i].text, column[i].text)) return false;
    return true;
}

/* config.meta and meta mirror each other: the same declaration counts once. */
static bool is_known(const relation_draft *on, dbt_fact_kind kind, str to, const dbt_name *column, size_t count) {
    for (size_t i = 0; i < on->facts.count && i < DBT_COMPARED_MAX; i++) {
        const dbt_fact *f = &on->facts.item[i];
        if (f->kind != kind || f->from != DBT_FROM_META || !same_columns(f, column, count)) continue;
        if (kind != DBT_REFERENCE || str_eq(f->reference.to_text, to)) return true;
    }
    return false;
}

static dbt_fact declared(const draft *d, const relation_draft *on, const char *space, const char *what) {
    return (dbt_fact){
        .from = DBT_FROM_META,
        .trust = DBT_DECLARED,
        .origin = str_format(d->keep, "meta.%s.%s", space, what),
        .file = str_is_none(on->relation->patch_path) ? on->relation->original_file_path : on->relation->patch_path,
    };
}

static void add_grain(draft *d, relation_draft *on, const char *space, const tree *list) {
    size_t count;
    bool bad;
    const dbt_name *column = dbt_columns_of(d, on->relation, list, &count, &bad);
    if (bad) {
        dbt_note_that(d, on->relation->index,
                      "meta.%s.grain: expected a list of columns or a list of such lists, found something else", space);
        return;
    }
    dbt_fact base = declared(d, on, space, "grain");
    base.kind = DBT_KEY;
    if (!is_known(on, DBT_KEY, STR_NONE, column, count)) (void)dbt_add_fact(d, on, base, column, count);
}

static void take_grain(draft *d, relation_draft *on, const char *space, const tree *grain) {
    bool nested = grain->kind == TREE_ARRAY && grain->first && grain->first->kind == TREE_ARRAY;
    if (!nested) {
        add_grain(d, on, space, grain);
        return;
    }
    for (const tree *t = grain->first; t; t = t->next) add_grain(d, on, space, t);
}

static void add_reference(draft *d, relation_draft *on, const char *space, const tree *t) {
    size_t index = on->relation->index, count, to_count = 0;
    bool bad, to_bad = false;
    str to = tree_string(tree_get(t, STR("to")));
    const dbt_name *column = dbt_columns_of(d, on->relation, tree_get(t, STR("columns")), &count, &bad);
    size_t other = str_is_none(to) ? DBT_NO_RELATION : dbt_resolve(d->project, to, on->relation->package);
    const tree *to_columns = tree_get(t, STR("to_columns"));
    const dbt_relation *target = other == DBT_NO_RELATION ? on->relation : &d->project->relation[other];
    const dbt_name *to_column = to_columns ? dbt_columns_of(d, target, to_columns, &to_count, &to_bad) : NULL;
    if (bad || to_bad || str_is_none(to) || (to_count && to_count != count)) {
        dbt_note_that(
            d, index,
            "meta.%s.references: expected {columns, to, to_columns} with as many columns on both sides, found "
            "something else",
            space);
        return;
    }
    if (other == DBT_NO_RELATION)
        dbt_note_that(d, index, "meta.%s.references: expected a relation of the project in `to`, found \"" STR_FMT "\"",
                      space, STR_ARG(to));
    if (is_known(on, DBT_REFERENCE, to, column, count)) return;
    dbt_fact base = declared(d, on, space, "references");
    base.kind = DBT_REFERENCE;
    base.is_lax = true;
    dbt_fact *f = dbt_add_fact(d, on, base, column, count);
    f->reference.to = other;
    f->reference.to_text = str_copy(d->keep, to);
    f->reference.to_column = to_column;
    f->reference.to_count = to_count;
}

static void take_references(draft *d, relation_draft *on, const char *space, const tree *list) {
    if (list->kind != TREE_ARRAY) {
        add_reference(d, on, space, list);
        return;
    }
    for (const tree *t = list->first; t; t = t->next) add_reference(d, on, space, t);
}

/* ---- allow ---- */

/* A list of {code, because}, or an object of codes and reasons. */
static void take_allow(draft *d, relation_draft *on, const tree *allow) {
    dbt_relation *r = on->relation;
    if (r->allow_count) return; /* the mirror */
    if (allow->kind != TREE_ARRAY && allow->kind != TREE_OBJECT) {
        dbt_note_that(d, r->index, "meta.lakeproof.allow: expected a list of {code, because}, found something else");
        return;
    }
    dbt_allow *list = ARENA_ARRAY(d->keep, dbt_allow, allow->count);
    for (const tree *t = allow->first; t; t = t->next) {
        bool listed = allow->kind == TREE_ARRAY;
        str code = listed ? tree_string(t->kind == TREE_OBJECT ? tree_get(t, STR("code")) : t) : t->key;
        str because = listed ? tree_string(tree_get(t, STR("because"))) : tree_string(t);
        if (str_is_none(code)) {
            dbt_note_that(d, r->index, "meta.lakeproof.allow: expected {code, because}, found an entry without a code");
            continue;
        }
        list[r->allow_count++] = (dbt_allow){.code = str_copy(d->keep, code), .because = str_copy(d->keep, because)};
    }
    r->allow = list;
}

/* ---- members that mean nothing, a slip of the pen perhaps ---- */

static bool is_listed(str name, const str *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (str_eq(list[i], name)) return true;
    return false;
}

/* meta.cardinal may hold what another tool reads; meta.lakeproof is ours. */
static void tell_unknown(draft *d, const relation_draft *on, const tree *ours) {
    static const str known[] = {{"grain", 5}, {"references", 10}, {"allow", 5}, {"delta_path", 10}};
    if (ours && ours->kind != TREE_OBJECT)
        dbt_note_that(d, on->relation->index,
                      "meta.lakeproof: expected an object with grain, references, allow or delta_path, found something else");
    for (const tree *t = ours && ours->kind == TREE_OBJECT ? ours->first : NULL; t; t = t->next) {
        if (is_listed(t->key, known, sizeof known / sizeof *known)) continue;
        dbt_note_that(d, on->relation->index,
                      "meta.lakeproof: expected grain, references, allow or delta_path, found \"" STR_FMT "\"%s",
                      STR_ARG(t->key), str_eq(t->key, STR("per_row")) ? ", which belongs to a column" : "");
    }
}

static void tell_of_columns(draft *d, const relation_draft *on) {
    for (const tree *c = on->column_meta ? on->column_meta->first : NULL; c; c = c->next) {
        const tree *per_row = tree_get(c, STR("per_row"));
        bool is_said = per_row && (per_row->kind == TREE_TRUE || per_row->kind == TREE_FALSE);
        if (c->kind != TREE_OBJECT || !per_row || c->count != 1)
            dbt_note_that(d, on->relation->index,
                          "meta.lakeproof of the column " STR_FMT ": expected per_row and nothing else, found something else",
                          STR_ARG(c->key));
        else if (!is_said)
            dbt_note_that(d, on->relation->index,
                          "meta.lakeproof.per_row of the column " STR_FMT ": expected true or false, found something else",
                          STR_ARG(c->key));
    }
}

static void take_meta(draft *d, relation_draft *on, const tree *meta) {
    static const char *const space[] = {"cardinal", "lakeproof"};
    for (size_t i = 0; i < 2; i++) {
        const tree *ours = tree_get(meta, str_from(space[i]));
        const tree *grain = tree_get(ours, STR("grain")), *references = tree_get(ours, STR("references"));
        if (grain) take_grain(d, on, space[i], grain);
        if (references) take_references(d, on, space[i], references);
    }
    const tree *allow = tree_get2(meta, STR("lakeproof"), STR("allow"));
    if (allow) take_allow(d, on, allow);
    tell_unknown(d, on, tree_get(meta, STR("lakeproof")));
}

void dbt_meta_facts(draft *d) {
    for (size_t i = 0; i < d->node_count + d->source_count; i++) {
        relation_draft *on = draft_of(d, i);
        for (size_t j = 0; j < 2; j++)
            if (on->meta[j]) take_meta(d, on, on->meta[j]);
        tell_of_columns(d, on);
    }
}
