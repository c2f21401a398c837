/* coverage_yaml.c - guessed keys as dbt tests, and counts that both forms of the report share.
 * Called by: report/coverage_text.c, coverage_json.c.  Must not know: how a key was guessed.
 * Source: dbt's documentation of data tests; dbt_utils: unique_combination_of_columns.
 */
#include "report/coverage_report.h"
#include "report/report_int.h"

/* A name that YAML reads as text as it is; others stand as JSON strings, which are YAML too. */
static void put_name(buf *out, str name) {
    bool plain = name.len > 0 && !(name.ptr[0] >= '0' && name.ptr[0] <= '9');
    static const char *const word[] = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        plain = plain && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_');
    }
    for (size_t i = 0; i < sizeof word / sizeof *word; i++) plain = plain && !str_eq_nocase(name, str_from(word[i]));
    if (plain)
        buf_put(out, name);
    else
        put_json_string(out, name);
}

static void put_line(buf *out, size_t indent, const char *words) {
    buf_put_repeated(out, ' ', indent);
    buf_printf(out, "%s\n", words);
}

static void put_item(buf *out, size_t indent, str name) {
    buf_put_repeated(out, ' ', indent);
    buf_put(out, STR("- name: "));
    put_name(out, name);
    buf_put_char(out, '\n');
}

static void put_tests(buf *out, size_t indent, const coverage_guess *g) {
    if (g->column_count == 1) {
        put_line(out, indent, "columns:");
        put_item(out, indent + 2, g->column[0]);
        put_line(out, indent + 4, "data_tests: [unique, not_null]");
        return;
    }
    put_line(out, indent, "data_tests:");
    put_line(out, indent + 2, "- dbt_utils.unique_combination_of_columns:");
    buf_put_repeated(out, ' ', indent + 6);
    buf_put(out, STR("combination_of_columns: ["));
    for (size_t i = 0; i < g->column_count; i++) {
        if (i) buf_put(out, STR(", "));
        put_name(out, g->column[i]);
    }
    buf_put(out, STR("]\n"));
}

/* Of one kind, the best first. */
static void put_kind(buf *out, const coverage *c, dbt_resource resource, const char *title) {
    bool has_title = false;
    for (size_t i = 0; i < c->guess_count; i++) {
        const coverage_guess *g = &c->guess[i];
        if (g->relation->resource != resource) continue;
        if (!has_title) put_line(out, 0, title);
        has_title = true;
        put_item(out, 2, g->relation->name);
        put_tests(out, 4, g);
    }
}

static bool group_was_put(const coverage *c, size_t i) {
    for (size_t j = 0; j < i; j++) {
        const dbt_relation *r = c->guess[j].relation;
        if (r->resource == DBT_SOURCE && str_eq(r->source_name, c->guess[i].relation->source_name)) return true;
    }
    return false;
}

/* Tables stand below the source that they belong to. */
static void put_sources(buf *out, const coverage *c) {
    bool has_title = false;
    for (size_t i = 0; i < c->guess_count; i++) {
        str group = c->guess[i].relation->source_name;
        if (c->guess[i].relation->resource != DBT_SOURCE || group_was_put(c, i)) continue;
        if (!has_title) put_line(out, 0, "sources:");
        has_title = true;
        put_item(out, 2, group);
        put_line(out, 4, "tables:");
        for (size_t j = i; j < c->guess_count; j++) {
            const dbt_relation *r = c->guess[j].relation;
            if (r->resource != DBT_SOURCE || !str_eq(r->source_name, group)) continue;
            put_item(out, 6, r->name);
            put_tests(out, 8, &c->guess[j]);
        }
    }
}

str coverage_yaml(const coverage *c, arena *query) {
    buf out;
    if (!c->guess_count) return STR("");
    buf_init(&out, query, SIZE_MAX / 2);
    put_line(&out, 0, "version: 2");
    put_sources(&out, c);
    put_kind(&out, c, DBT_SEED, "seeds:");
    put_kind(&out, c, DBT_MODEL, "models:");
    put_kind(&out, c, DBT_SNAPSHOT, "snapshots:");
    return buf_str(&out);
}

coverage_counts coverage_count(const coverage *c) {
    coverage_counts n = {0};
    for (size_t i = 0; i < c->model_count; i++) {
        n.status[c->model[i].status]++;
        n.with_key += c->model[i].has_key;
    }
    return n;
}

shown_place coverage_place(const coverage_model *m, const place_finder *places) {
    if (!m->has_place) return (shown_place){0};
    return place_find(places, m->relation->unique_id, m->place);
}
