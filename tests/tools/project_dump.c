/* project_dump.c - a dbt project as it was read, in JSON: one object a relation and line, the project itself first.
 * Called by: tests/compare/dbt_projects.py, tests/compare/dbt_golden.py, by hand.  Must not know: what a right answer
 * is.
 *
 * usage: project_dump PLACE [SELECT [EXCLUDE]]
 * With SELECT the lines are the unique ids of the relations that are chosen; with an empty SELECT and an EXCLUDE all
 * but those.
 */
#include <stdio.h>
#include <string.h>

#include "base/door.h"
#include "dbt/project.h"
#include "json/json_writer.h"

typedef struct job {
    arena memory;
    int argument_count;
    char **argument;
} job;

static void put_text(json_writer *w, const char *key, str text) {
    json_put_key(w, str_from(key));
    json_put_string_or_null(w, text);
}

static void put_flag(json_writer *w, const char *key, bool flag) {
    if (!flag) return;
    json_put_key(w, str_from(key));
    json_put_bool(w, true);
}

static void put_id(json_writer *w, const dbt_project *p, size_t relation) {
    json_put_string_or_null(w, relation == DBT_NO_RELATION ? STR_NONE : p->relation[relation].unique_id);
}

static void put_ids(json_writer *w, const dbt_project *p, const char *key, const size_t *list, size_t count) {
    json_put_key(w, str_from(key));
    json_begin_array(w);
    for (size_t i = 0; i < count; i++) put_id(w, p, list[i]);
    json_end_array(w);
}

static void put_texts(json_writer *w, const char *key, const str *list, size_t count) {
    json_put_key(w, str_from(key));
    json_begin_array(w);
    for (size_t i = 0; i < count; i++) json_put_string(w, list[i]);
    json_end_array(w);
}

/* a name as it is, "a name" where it is quoted, (an expression) */
static void put_name(json_writer *w, arena *scratch, dbt_name n) {
    const char *open = n.is_quoted ? "\"" : n.is_expression ? "(" : "";
    const char *close = n.is_quoted ? "\"" : n.is_expression ? ")" : "";
    json_put_string(w, str_format(scratch, "%s" STR_FMT "%s", open, STR_ARG(n.text), close));
}

static void put_names(json_writer *w, arena *scratch, const char *key, const dbt_name *list, size_t count) {
    json_put_key(w, str_from(key));
    json_begin_array(w);
    for (size_t i = 0; i < count; i++) put_name(w, scratch, list[i]);
    json_end_array(w);
}

static void put_detail(json_writer *w, const dbt_project *p, arena *scratch, const dbt_fact *f) {
    switch (f->kind) {
    case DBT_KEY:
    case DBT_NOT_NULL: return;
    case DBT_REFERENCE:
        json_put_key(w, STR("to"));
        put_id(w, p, f->reference.to);
        put_text(w, "to_text", f->reference.to_text);
        put_names(w, scratch, "to_columns", f->reference.to_column, f->reference.to_count);
        put_text(w, "to_condition", f->reference.to_condition);
        return;
    case DBT_ACCEPTED_VALUES:
        json_put_key(w, STR("values"));
        json_begin_array(w);
        for (size_t i = 0; i < f->accepted.value_count; i++)
            json_put_string(w, str_format(scratch, f->accepted.value[i].is_string ? "'" STR_FMT "'" : STR_FMT,
                                          STR_ARG(f->accepted.value[i].text)));
        json_end_array(w);
        return;
    case DBT_RANGES:
        put_names(w, scratch, "bounds", (dbt_name[]){f->ranges.lower, f->ranges.upper}, 2);
        put_flag(w, "may_be_empty", f->ranges.may_be_empty);
        put_flag(w, "may_touch", f->ranges.may_touch);
        return;
    case DBT_CHECK: put_text(w, "expression", f->check.expression); return;
    }
}

static void put_fact(json_writer *w, const dbt_project *p, arena *scratch, const dbt_fact *f) {
    json_begin_object(w);
    put_text(w, "kind", str_from(dbt_fact_kind_name(f->kind)));
    put_names(w, scratch, "columns", f->column, f->column_count);
    put_text(w, "trust", str_from(dbt_trust_name(f->trust)));
    put_text(w, "origin", f->origin);
    put_text(w, "file", f->file);
    put_text(w, "test", f->test_id);
    put_text(w, "tested_by", f->tested_by);
    put_text(w, "condition", f->condition);
    put_text(w, "weak", f->weak_reason);
    put_text(w, "last_status", f->last_status);
    put_flag(w, "lax", f->is_lax);
    put_flag(w, "usable", f->is_usable);
    put_detail(w, p, scratch, f);
    json_end_object(w);
}

static void put_column(json_writer *w, arena *scratch, const dbt_column *c) {
    json_begin_object(w);
    json_put_key(w, STR("name"));
    put_name(w, scratch, c->name);
    put_text(w, "type", c->type);
    put_flag(w, "yaml", c->in_yaml);
    put_flag(w, "yaml_quoted", c->is_yaml_quoted);
    put_flag(w, "catalog", c->in_catalog);
    put_flag(w, "per_row", c->is_per_row);
    json_end_object(w);
}

static void put_identity(json_writer *w, const dbt_relation *r, arena *scratch) {
    put_text(w, "unique_id", r->unique_id);
    put_text(w, "resource", str_from(dbt_resource_name(r->resource)));
    put_text(w, "package", r->package);
    put_text(w, "name", r->name);
    put_text(w, "source_name", r->source_name);
    put_text(w, "alias", r->alias);
    put_text(w, "version", r->version);
    put_flag(w, "latest", r->is_latest_version);
    put_text(w, "relation_name", r->relation_name);
    put_names(w, scratch, "parts", r->part, r->part_count);
    put_text(w, "file", r->original_file_path);
    put_text(w, "patch", r->patch_path);
    put_text(w, "materialized", r->materialized);
    put_flag(w, "python", r->is_python);
    put_flag(w, "contract", r->has_contract);
    put_flag(w, "uses_is_incremental", r->uses_is_incremental);
    put_texts(w, "tags", r->tag, r->tag_count);
    put_texts(w, "fqn", r->fqn, r->fqn_count);
    put_texts(w, "extra_ctes", r->extra_cte, r->extra_cte_count);
}

static lp_status put_code(json_writer *w, const dbt_project *p, const dbt_relation *r, arena *scratch, lp_err *err) {
    str code;
    if (!r->is_compiled) return LP_OK;
    TRY(dbt_read_compiled(p, r, scratch, &code, err));
    put_text(w, "compiled", code);
    return LP_OK;
}

static lp_status put_relation(json_writer *w, const dbt_project *p, const dbt_relation *r, arena *scratch,
                              lp_err *err) {
    json_begin_object(w);
    put_identity(w, r, scratch);
    put_ids(w, p, "parents", r->parent, r->parent_count);
    put_ids(w, p, "children", r->child, r->child_count);
    json_put_key(w, STR("columns"));
    json_begin_array(w);
    for (size_t i = 0; i < r->column_count; i++) put_column(w, scratch, &r->column[i]);
    json_end_array(w);
    json_put_key(w, STR("closed"));
    json_put_uint(w, r->closed_count);
    json_put_key(w, STR("facts"));
    json_begin_array(w);
    for (size_t i = 0; i < r->fact_count; i++) put_fact(w, p, scratch, &r->fact[i]);
    json_end_array(w);
    json_put_key(w, STR("allow"));
    json_begin_object(w);
    for (size_t i = 0; i < r->allow_count; i++) {
        json_put_key(w, r->allow[i].code);
        json_put_string_or_null(w, r->allow[i].because);
    }
    json_end_object(w);
    put_text(w, "delta_path", r->delta_path);
    put_text(w, "delta_from", str_is_none(r->delta_path) ? STR_NONE : r->delta_from);
    put_flag(w, "surely_delta", r->is_surely_delta);
    TRY(put_code(w, p, r, scratch, err));
    json_end_object(w);
    return LP_OK;
}

static void put_project(json_writer *w, const dbt_project *p) {
    json_begin_object(w);
    put_text(w, "name", p->name);
    put_text(w, "adapter", p->adapter);
    json_put_key(w, STR("schema"));
    json_put_uint(w, p->schema_version);
    json_put_key(w, STR("tests"));
    json_put_uint(w, p->test_count);
    json_put_key(w, STR("compiled"));
    json_put_uint(w, p->compiled_count);
    put_flag(w, "catalog", p->has_catalog);
    put_flag(w, "catalog_is_current", p->catalog_is_current);
    put_flag(w, "run_results", p->has_run_results);
    put_ids(w, p, "order", p->order, p->relation_count);
    json_put_key(w, STR("notes"));
    json_begin_array(w);
    for (size_t i = 0; i < p->note_count; i++) {
        json_begin_array(w);
        put_id(w, p, p->note[i].relation);
        json_put_string(w, p->note[i].text);
        json_end_array(w);
    }
    json_end_array(w);
    json_end_object(w);
}

static lp_status dump(const dbt_project *p, arena *memory, lp_err *err) {
    for (size_t i = 0; i <= p->relation_count; i++) {
        arena *scratch = arena_child(memory);
        buf out;
        json_writer w;
        buf_init(&out, scratch, SIZE_MAX / 2);
        json_writer_init(&w, &out, 0);
        if (i == 0)
            put_project(&w, p);
        else
            TRY(put_relation(&w, p, &p->relation[i - 1], scratch, err));
        printf(STR_FMT "\n", STR_ARG(buf_str(&out)));
        arena_end(scratch);
    }
    return LP_OK;
}

static lp_status choose(const dbt_project *p, job *j, lp_err *err) {
    dbt_choice choice;
    str select = str_from(j->argument[2]), exclude = str_from(j->argument_count > 3 ? j->argument[3] : "");
    TRY(dbt_select(p, &select, select.len > 0, &exclude, exclude.len > 0, &j->memory, &choice, err));
    for (size_t i = 0; i < p->relation_count; i++)
        if (choice.chosen[i]) printf(STR_FMT "\n", STR_ARG(p->relation[i].unique_id));
    if (!str_is_none(choice.unmatched)) fprintf(stderr, "nothing fits " STR_FMT "\n", STR_ARG(choice.unmatched));
    return LP_OK;
}

static lp_status run(void *context, lp_err *err) {
    job *j = context;
    dbt_project *p;
    TRY(dbt_open(&j->memory, str_from(j->argument[1]), &p, err));
    return j->argument_count > 2 ? choose(p, j, err) : dump(p, &j->memory, err);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    job j = {.argument_count = argc, .argument = argv};
    lp_err err;
    arena_init(&j.memory, 0);
    bool failed = door_run(run, &j, &err) != LP_OK;
    if (failed) fprintf(stderr, "%s\n", err.text);
    arena_end(&j.memory);
    return failed;
}
