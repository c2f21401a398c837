/* plan_report.c - the plans of a text of SQL as text and as JSON.
 * Called by: api.  Must not know: where the text and the declarations came from.
 *
 * The JSON is flat: operators and columns stand in arrays and name each other by number, so a deep plan is no deep
 * document.
 */
#include "plan/print.h"
#include "report/plan_report.h"
#include "report/report_int.h"
#include "json/json_writer.h"

#define PLAN_SCHEMA STR("1.0.0")

typedef struct plan_page {
    json_writer w;
    place_index places;
    arena *query;
    const plan *p;
} plan_page;

/* ---- pieces ---- */

static void put_text(plan_page *o, const char *key, str shown) {
    json_put_key(&o->w, str_from(key));
    json_put_string(&o->w, shown);
}

static void put_bool(plan_page *o, const char *key, bool truth) {
    json_put_key(&o->w, str_from(key));
    json_put_bool(&o->w, truth);
}

static void put_number(plan_page *o, const char *key, uint64_t number) {
    json_put_key(&o->w, str_from(key));
    json_put_uint(&o->w, number);
}

static void put_place(plan_page *o, span at) {
    text_place place = place_index_find(&o->places, at);
    json_put_key(&o->w, STR("place"));
    json_begin_object(&o->w);
    put_number(o, "line", place.line);
    put_number(o, "column", place.column);
    put_number(o, "length", place.length);
    json_end_object(&o->w);
}

static void put_id(plan_page *o, column_id id) {
    if (id == NO_COLUMN)
        json_put_null(&o->w);
    else
        json_put_uint(&o->w, id);
}

static void put_ids(plan_page *o, const char *key, const column_id *id, size_t count) {
    if (key) json_put_key(&o->w, str_from(key));
    json_begin_array(&o->w);
    for (size_t i = 0; i < count; i++) put_id(o, id[i]);
    json_end_array(&o->w);
}

static void put_expr(plan_page *o, const plan_expr *e) {
    buf text;
    buf_init(&text, o->query, SIZE_MAX / 2);
    plan_print_expr(&text, o->p, e);
    json_put_string(&o->w, buf_str(&text));
}

static void put_exprs(plan_page *o, const char *key, const plan_expr *const *e, size_t count) {
    json_put_key(&o->w, str_from(key));
    json_begin_array(&o->w);
    for (size_t i = 0; i < count; i++) put_expr(o, e[i]);
    json_end_array(&o->w);
}

static void put_conditions(plan_page *o, const plan_expr *const *e, size_t count) {
    json_put_key(&o->w, STR("conditions"));
    json_begin_array(&o->w);
    for (size_t i = 0; i < count; i++) {
        json_begin_object(&o->w);
        put_place(o, e[i]->at);
        json_put_key(&o->w, STR("text"));
        put_expr(o, e[i]);
        json_end_object(&o->w);
    }
    json_end_array(&o->w);
}

static void put_keys(plan_page *o, const plan_sort_key *key, size_t count) {
    static const char *const nulls[] = {
        [SQL_NULLS_NONE] = NULL, [SQL_NULLS_FIRST] = "first", [SQL_NULLS_LAST] = "last"};
    json_put_key(&o->w, STR("order"));
    json_begin_array(&o->w);
    for (size_t i = 0; i < count; i++) {
        const char *word = nulls[key[i].nulls];
        json_begin_object(&o->w);
        put_bool(o, "descending", key[i].is_descending);
        json_put_key(&o->w, STR("nulls"));
        json_put_string_or_null(&o->w, word ? str_from(word) : STR_NONE);
        json_put_key(&o->w, STR("text"));
        put_expr(o, key[i].key);
        json_end_object(&o->w);
    }
    json_end_array(&o->w);
}

/* ---- columns ---- */

static str origin_name(column_origin origin) {
    switch (origin) {
    case COLUMN_BASE: return STR("base");
    case COLUMN_EXPRESSION: return STR("expression");
    case COLUMN_AGGREGATE: return STR("aggregate");
    case COLUMN_WINDOW: return STR("window");
    case COLUMN_MERGED: return STR("merged");
    case COLUMN_SET: return STR("set");
    case COLUMN_COPY: return STR("copy");
    case COLUMN_VALUES: return STR("values");
    case COLUMN_FUNCTION: return STR("function");
    case COLUMN_ORDINALITY: return STR("ordinality");
    case COLUMN_SUBQUERY: return STR("subquery");
    case COLUMN_MARK: return STR("mark");
    case COLUMN_OF_UNKNOWN: return STR("unknown");
    case COLUMN_STRAY: return STR("stray");
    }
    UNREACHABLE();
}

static void put_column(plan_page *o, column_id id) {
    const plan_column *c = &o->p->column[id];
    const catalog_column *declared = c->declared;
    json_begin_object(&o->w);
    put_bool(o, "declared_not_null", declared && declared->is_not_null);
    json_put_key(&o->w, STR("declared_type"));
    json_put_string_or_null(&o->w, declared && declared->type.len ? declared->type : STR_NONE);
    json_put_key(&o->w, STR("definition"));
    if (c->definition)
        put_expr(o, c->definition);
    else
        json_put_null(&o->w);
    put_number(o, "id", id);
    json_put_key(&o->w, STR("made_by"));
    put_id(o, c->made_by ? c->made_by->id : NO_COLUMN);
    put_text(o, "name", c->name);
    put_text(o, "origin", origin_name(c->origin));
    put_place(o, c->at);
    put_ids(o, "sources", c->source, c->source_count);
    json_end_object(&o->w);
}

/* ---- operators ---- */

static void put_pairs(plan_page *o, const plan_join *j) {
    json_put_key(&o->w, STR("pairs"));
    json_begin_array(&o->w);
    for (size_t i = 0; i < j->pair_count; i++) {
        json_begin_object(&o->w);
        put_number(o, "left", j->pair[i].left);
        put_bool(o, "null_safe", j->pair[i].is_null_safe);
        put_place(o, j->pair[i].at);
        put_number(o, "right", j->pair[i].right);
        json_end_object(&o->w);
    }
    json_end_array(&o->w);
}

static void put_join(plan_page *o, const plan_join *j) {
    put_conditions(o, j->rest, j->rest_count);
    put_text(o, "join", plan_join_name(j->kind));
    put_bool(o, "lateral", j->is_lateral);
    json_put_key(&o->w, STR("mark"));
    put_id(o, j->kind == PLAN_JOIN_MARK ? j->mark : NO_COLUMN);
    put_bool(o, "null_aware", j->is_null_aware);
    put_bool(o, "outer", j->is_outer);
    put_pairs(o, j);
}

static void put_grouping_sets(plan_page *o, const plan_aggregate *a) {
    json_put_key(&o->w, STR("grouping_sets"));
    if (!a->has_sets) {
        json_put_null(&o->w);
        return;
    }
    json_begin_array(&o->w);
    for (size_t i = 0; i < a->set_count; i++) {
        json_begin_array(&o->w);
        for (column_id id = 0; colset_next(a->set[i], id, &id); id++) json_put_uint(&o->w, id);
        json_end_array(&o->w);
    }
    json_end_array(&o->w);
}

static void put_aggregate(plan_page *o, const plan_aggregate *a) {
    put_bool(o, "global", a->is_global);
    put_ids(o, "group", a->group, a->group_count);
    put_grouping_sets(o, a);
    put_ids(o, "implied", a->implied, a->implied_count);
    put_ids(o, "made", a->made, a->made_count);
}

/* A column that was named behind an open set has no source. */
static void put_branch(plan_page *o, const plan_node *n, size_t branch) {
    json_begin_array(&o->w);
    for (size_t i = 0; i < n->column_count; i++) {
        const plan_column *c = &o->p->column[n->column[i]];
        put_id(o, c->source_count == n->input_count ? c->source[branch] : NO_COLUMN);
    }
    json_end_array(&o->w);
}

static void put_set(plan_page *o, const plan_node *n) {
    static const char *const word[] = {
        [SQL_SET_UNION] = "union", [SQL_SET_INTERSECT] = "intersect", [SQL_SET_EXCEPT] = "except"};
    put_bool(o, "all", n->set.is_all);
    put_text(o, "operation", str_from(word[n->set.kind]));
    json_put_key(&o->w, STR("sources"));
    json_begin_array(&o->w);
    for (size_t i = 0; i < n->input_count; i++) put_branch(o, n, i);
    json_end_array(&o->w);
}

static void put_limit(plan_page *o, const plan_node *n) {
    json_put_key(&o->w, STR("count"));
    if (n->limit.has_count)
        json_put_uint(&o->w, n->limit.count);
    else
        json_put_null(&o->w);
    put_bool(o, "offset", n->limit.has_offset);
    put_bool(o, "percent", n->limit.is_percent);
    put_bool(o, "ties", n->limit.with_ties);
}

static void put_detail(plan_page *o, const plan_node *n) {
    switch (n->kind) {
    case PLAN_SCAN:
        put_text(o, "name", n->scan.name);
        json_put_key(&o->w, STR("relation"));
        json_put_string_or_null(&o->w, n->scan.relation ? n->scan.relation->name : STR_NONE);
        return;
    case PLAN_CTE:
        put_ids(o, "inside", n->cte.inside, n->column_count);
        put_text(o, "name", n->cte.name);
        return;
    case PLAN_VALUES: put_number(o, "row_count", n->values.row_count); return;
    case PLAN_FUNCTION:
        put_exprs(o, "arguments", n->function.arg, n->function.arg_count);
        put_text(o, "name", n->function.name);
        put_bool(o, "ordinality", n->function.has_ordinality);
        put_bool(o, "outer", n->function.is_outer);
        return;
    case PLAN_FILTER:
        put_text(o, "clause", n->filter.clause);
        put_conditions(o, n->filter.condition, n->filter.condition_count);
        return;
    case PLAN_PROJECT: put_ids(o, "made", n->project.made, n->project.made_count); return;
    case PLAN_JOIN: put_join(o, &n->join); return;
    case PLAN_AGGREGATE: put_aggregate(o, &n->aggregate); return;
    case PLAN_WINDOW:
        put_ids(o, "made", n->window.made, n->window.made_count);
        put_keys(o, n->window.order, n->window.order_count);
        put_exprs(o, "partition", n->window.partition, n->window.partition_count);
        return;
    case PLAN_DISTINCT:
        put_ids(o, "on", n->distinct.on, n->distinct.on_count);
        put_bool(o, "on_some", n->distinct.is_on);
        return;
    case PLAN_SORT: put_keys(o, n->sort.key, n->sort.key_count); return;
    case PLAN_LIMIT: put_limit(o, n); return;
    case PLAN_SET: put_set(o, n); return;
    case PLAN_UNKNOWN: put_text(o, "what", n->unknown.what); return;
    case PLAN_RECURSION:
    case PLAN_ONE_ROW: return;
    }
}

static void put_node(plan_page *o, const plan_node *n) {
    str kind = n->kind == PLAN_ONE_ROW ? STR("one_row") : plan_kind_name(n->kind);
    json_begin_object(&o->w);
    put_ids(o, "columns", n->column, n->column_count);
    json_put_key(&o->w, STR("detail"));
    json_begin_object(&o->w);
    put_detail(o, n);
    json_end_object(&o->w);
    put_number(o, "id", n->id);
    json_put_key(&o->w, STR("inputs"));
    json_begin_array(&o->w);
    for (size_t i = 0; i < n->input_count; i++) json_put_uint(&o->w, n->input[i]->id);
    json_end_array(&o->w);
    put_text(o, "kind", kind);
    put_bool(o, "open", n->is_open);
    put_place(o, n->at);
    json_end_object(&o->w);
}

/* ---- documents ---- */

static void put_result(plan_page *o) {
    json_put_key(&o->w, STR("result"));
    json_begin_array(&o->w);
    for (size_t i = 0; i < o->p->result_count; i++) {
        json_begin_object(&o->w);
        put_number(o, "column", o->p->result[i].column);
        put_text(o, "name", o->p->result[i].name);
        put_place(o, o->p->result[i].at);
        json_end_object(&o->w);
    }
    json_end_array(&o->w);
    put_bool(o, "result_open", o->p->result_is_open);
}

static void put_plan(plan_page *o) {
    json_begin_object(&o->w);
    json_put_key(&o->w, STR("columns"));
    json_begin_array(&o->w);
    for (size_t i = 0; i < o->p->column_count; i++) put_column(o, (column_id)i);
    json_end_array(&o->w);
    json_put_key(&o->w, STR("nodes"));
    json_begin_array(&o->w);
    for (size_t i = 0; i < o->p->node_count; i++) put_node(o, o->p->node[i]);
    json_end_array(&o->w);
    put_result(o);
    put_number(o, "root", o->p->root->id);
    json_end_object(&o->w);
}

static void put_statement(plan_page *o, const planned_statement *s) {
    o->p = s->plan;
    json_begin_object(&o->w);
    put_place(o, s->statement->at);
    json_put_key(&o->w, STR("plan"));
    if (s->plan)
        put_plan(o);
    else
        json_put_null(&o->w);
    put_text(o, "statement", s->statement->word.len ? s->statement->word : STR("query"));
    json_end_object(&o->w);
}

static void put_json(buf *page, const planned_statement *list, size_t count, const plan_style *style,
                     const place_index *places, arena *query) {
    plan_page o = {.places = *places, .query = query};
    json_writer_init(&o.w, page, 0);
    json_begin_object(&o.w);
    put_text(&o, "dialect", style->dialect);
    put_text(&o, "schema_version", PLAN_SCHEMA);
    json_put_key(&o.w, STR("statements"));
    json_begin_array(&o.w);
    for (size_t i = 0; i < count; i++) put_statement(&o, &list[i]);
    json_end_array(&o.w);
    put_text(&o, "tool_version", style->tool_version);
    json_end_object(&o.w);
    buf_put_char(page, '\n');
}

static void put_all_text(buf *page, const planned_statement *list, size_t count, const place_index *places) {
    for (size_t i = 0; i < count; i++) {
        const sql_statement *s = list[i].statement;
        if (i > 0) buf_put_char(page, '\n');
        if (list[i].plan) {
            plan_print(page, list[i].plan, places);
            continue;
        }
        text_place at = place_index_find(places, s->at);
        buf_printf(page, "no query in " STR_FMT " %u:%u\n", STR_ARG(s->word), at.line, at.column);
    }
}

void plan_report(const planned_statement *list, size_t count, const plan_style *style, arena *query,
                 report_document *out) {
    buf page;
    buf_init(&page, query, SIZE_MAX / 2);
    place_index places = place_index_new(query, style->text);
    if (style->as_json)
        put_json(&page, list, count, style, &places, query);
    else
        put_all_text(&page, list, count, &places);
    *out = (report_document){.piece = {{.text = buf_str(&page)}}, .count = 1};
}
