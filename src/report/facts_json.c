/* facts_json.c - what is known of rows as JSON, keys in alphabetical order.
 * Called by: api.  Must not know: text, how a fact was proved.
 */
#include "plan/print.h"
#include "report/facts_report.h"
#include "report/grain_json.h"
#include "report/member.h"
#include "report/report_int.h"

#define FACTS_SCHEMA STR("1.0.0")

typedef struct facts_page {
    json_writer w;
    const grain_model *m;
    const stated_facts *f;
    const fact_row *row;
    size_t row_count;
    const place_finder *places;
    arena *scratch;
} facts_page;

/* ---- lists of names ---- */

static void put_names(facts_page *p, const uint32_t *position, size_t count) {
    json_begin_array(&p->w);
    for (size_t i = 0; i < count; i++) json_put_string(&p->w, p->f->column[position[i]]);
    json_end_array(&p->w);
}

static void put_sets(facts_page *p, str key, fact_row_kind kind) {
    json_put_key(&p->w, key);
    json_begin_array(&p->w);
    for (size_t i = 0; i < p->row_count; i++) {
        if (p->row[i].kind == kind) put_names(p, p->row[i].column, p->row[i].column_count);
    }
    json_end_array(&p->w);
}

static void put_dependencies(facts_page *p, str key, fact_row_kind kind) {
    json_put_key(&p->w, key);
    json_begin_array(&p->w);
    for (size_t i = 0; i < p->row_count; i++) {
        const fact_row *row = &p->row[i];
        if (row->kind != kind) continue;
        json_begin_array(&p->w);
        put_names(p, row->column, row->column_count);
        put_names(p, row->to, row->to_count);
        json_end_array(&p->w);
    }
    json_end_array(&p->w);
}

static void put_columns(facts_page *p, str key, fact_row_kind kind) {
    json_put_key(&p->w, key);
    json_begin_array(&p->w);
    for (size_t i = 0; i < p->row_count; i++) {
        if (p->row[i].kind == kind) json_put_string(&p->w, p->f->column[p->row[i].column[0]]);
    }
    json_end_array(&p->w);
}

/* ---- one object a fact ---- */

static void put_fact(facts_page *p, const fact_row *row) {
    const grain_model *m = p->m;
    size_t chain_count, leans_count;
    const str *chain = evidence_chain(&m->evidence, row->why, &m->names, p->scratch, &chain_count);
    const declaration *const *leans = evidence_leans_on(&m->evidence, row->why, p->scratch, &leans_count);
    json_begin_object(&p->w);
    json_put_key(&p->w, STR("columns"));
    put_names(p, row->column, row->column_count);
    if (row->to) {
        json_put_key(&p->w, STR("determines"));
        put_names(p, row->to, row->to_count);
        member_bool(&p->w, STR("entity"), row->is_entity);
    }
    member_texts(&p->w, STR("evidence"), chain, chain_count);
    member_text(&p->w, STR("kind"), fact_row_name(row->kind));
    grain_json_leans_on(&p->w, leans, leans_count);
    member_text(&p->w, STR("origin"), fact_origin(leans, leans_count, p->scratch));
    if (row->there) {
        member_text(&p->w, STR("relation"), row->relation);
        member_texts(&p->w, STR("relation_columns"), row->there, row->column_count);
    }
    json_end_object(&p->w);
}

static void put_facts(facts_page *p) {
    json_put_key(&p->w, STR("facts"));
    json_begin_array(&p->w);
    for (size_t i = 0; i < p->row_count; i++) put_fact(p, &p->row[i]);
    json_end_array(&p->w);
}

/* Per column what its values belong to, and the joins that repeated them since. */
static void put_grains(facts_page *p) {
    json_put_key(&p->w, STR("grains"));
    json_begin_array(&p->w);
    for (size_t i = 0; i < p->f->column_count; i++) {
        const struct stated_column *c = &p->f->each[i];
        json_begin_object(&p->w);
        member_text(&p->w, STR("column"), p->f->column[i]);
        json_put_key(&p->w, STR("native_grain"));
        if (c->grain_known)
            grain_json_texts(&p->w, c->native, c->native_count);
        else
            json_put_null(&p->w);
        json_put_key(&p->w, STR("repeated_by"));
        grain_json_joins(&p->w, c->repeated.site, c->repeated.count, p->places);
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
}

/* Of a span of the SQL; NULL: there is none. */
static void put_place(facts_page *p, str key, const span *at) {
    shown_place shown = {0};
    if (at) shown = place_find(p->places, p->m->name, place_index_find(p->m->places, *at));
    json_put_key(&p->w, key);
    grain_json_place(&p->w, &shown);
}

static void put_multiplicity(facts_page *p) {
    const stated_facts *f = p->f;
    json_put_key(&p->w, STR("join_multiplicity"));
    if (!f->left_multiplicity.len && !f->right_multiplicity.len) {
        json_put_null(&p->w);
        return;
    }
    json_begin_object(&p->w);
    member_text(&p->w, STR("left"), f->left_multiplicity);
    member_text(&p->w, STR("right"), f->right_multiplicity);
    json_end_object(&p->w);
}

static void put_gap(facts_page *p) {
    const stated_facts *f = p->f;
    bool known = f->status == FACTS_KNOWN;
    put_place(p, STR("place"), known || !f->gap.node ? NULL : &f->gap.at);
    member_text(&p->w, STR("reason"), known ? STR_NONE : f->gap.what);
}

static void put_rows(facts_page *p) {
    json_put_key(&p->w, STR("rows"));
    json_begin_object(&p->w);
    member_count_or_null(&p->w, STR("max"), p->f->rows.max != ROWS_UNBOUNDED, p->f->rows.max);
    member_count(&p->w, STR("min"), p->f->rows.min);
    json_end_object(&p->w);
}

/* ---- the members that a result and an operator have ---- */

/* In pieces, between which their own members stand: keys are in alphabetical order. */
static void put_first_members(facts_page *p) {
    member_texts(&p->w, STR("columns"), p->f->column, p->f->column_count);
    put_columns(p, STR("constant"), ROW_CONSTANT);
    put_columns(p, STR("constant_or_null"), ROW_CONSTANT_OR_NULL);
}

static void put_sets_and_facts(facts_page *p) {
    put_sets(p, STR("equiv"), ROW_EQUAL);
    put_facts(p);
    put_dependencies(p, STR("fds"), ROW_DEPENDENCY);
    put_grains(p);
}

static void put_middle_members(facts_page *p) {
    put_multiplicity(p);
    put_sets(p, STR("keys"), ROW_KEY);
}

static void put_lax_members(facts_page *p) {
    put_dependencies(p, STR("lax_fds"), ROW_LAX_DEPENDENCY);
    put_sets(p, STR("lax_keys"), ROW_LAX_KEY);
}

static void put_last_members(facts_page *p) {
    put_columns(p, STR("not_null"), ROW_NOT_NULL);
    member_bool(&p->w, STR("open"), p->f->is_open);
    put_gap(p);
}

/* ---- operators ---- */

static void put_node(facts_page *p, const plan_node *n) {
    p->f = grain_state_node(p->m, n, p->scratch);
    p->row = fact_rows(p->f, p->scratch, &p->row_count);
    json_begin_object(&p->w);
    put_place(p, STR("at"), &n->at);
    put_first_members(p);
    put_sets_and_facts(p);
    member_count(&p->w, STR("id"), n->id);
    json_put_key(&p->w, STR("inputs"));
    json_begin_array(&p->w);
    for (size_t i = 0; i < n->input_count; i++) json_put_uint(&p->w, n->input[i]->id);
    json_end_array(&p->w);
    put_middle_members(p);
    member_text(&p->w, STR("kind"), n->kind == PLAN_ONE_ROW ? STR("one_row") : plan_kind_name(n->kind));
    put_lax_members(p);
    put_last_members(p);
    put_rows(p);
    member_text(&p->w, STR("status"), fact_status_name(p->f->status));
    json_end_object(&p->w);
}

static void put_nodes(facts_page *p) {
    facts_page of_node = *p;
    json_put_key(&p->w, STR("nodes"));
    of_node.w = p->w;
    json_begin_array(&of_node.w);
    for (size_t i = 0; i < p->m->plan->node_count; i++) put_node(&of_node, p->m->plan->node[i]);
    json_end_array(&of_node.w);
    p->w = of_node.w;
}

/* ---- the document ---- */

static void put_document(facts_page *p, str model, const facts_style *style) {
    const plan_node *root = style->with_tree && p->m ? p->m->plan->root : NULL;
    json_begin_object(&p->w);
    put_first_members(p);
    if (!style->in_list) member_text(&p->w, STR("dialect"), style->dialect);
    put_sets_and_facts(p);
    put_middle_members(p);
    put_lax_members(p);
    member_text(&p->w, STR("model"), model.len ? model : STR_NONE);
    if (root) put_nodes(p);
    put_last_members(p);
    if (root) member_count(&p->w, STR("root"), root->id);
    put_rows(p);
    member_text(&p->w, STR("schema_version"), FACTS_SCHEMA);
    member_text(&p->w, STR("status"), fact_status_name(p->f->status));
    if (!style->in_list) member_text(&p->w, STR("tool_version"), style->tool_version);
    json_end_object(&p->w);
    buf_put_char(p->w.out, '\n');
}

void facts_json(buf *out, const grain_model *m, const facts_style *style, arena *scratch) {
    facts_page p = {.m = m, .f = grain_state(m, scratch), .places = style->places, .scratch = scratch};
    p.row = fact_rows(p.f, scratch, &p.row_count);
    json_writer_init(&p.w, out, style->in_list ? 0 : 2);
    put_document(&p, m->name, style);
}

void facts_json_unknown(buf *out, str model, str reason, const facts_style *style) {
    stated_facts none = {.status = FACTS_UNKNOWN, .gap.what = reason, .is_open = true, .rows.max = ROWS_UNBOUNDED};
    facts_page p = {.f = &none, .places = style->places};
    json_writer_init(&p.w, out, style->in_list ? 0 : 2);
    put_document(&p, model, style);
}
