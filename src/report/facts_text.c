/* facts_text.c - what is known of rows as text, one fact a line with the chain of its reasons.
 * Called by: api.  Must not know: JSON, how a fact was proved.
 *
 *   key            order_id, line_id   because key of shop.order_items from meta.cardinal.grain
 *   determines     order_id -> shipping_fee
 */
#include <inttypes.h>

#include "plan/print.h"
#include "report/facts_report.h"
#include "report/report_int.h"

enum { WORD_COLUMN = 24 };

typedef struct facts_page {
    buf *out;
    const grain_model *m;
    const place_finder *places;
    const stated_facts *f;
    const plan_node *node; /* of a tree, where columns are called name#id; NULL for the result */
    size_t blanks;
    arena *scratch;
} facts_page;

static void put_word(facts_page *p, str word) {
    buf_put_repeated(p->out, ' ', p->blanks);
    buf_put(p->out, word);
    buf_put_repeated(p->out, ' ', word.len < WORD_COLUMN ? WORD_COLUMN - word.len : 1);
}

static void put_names(facts_page *p, const str *name, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i) buf_put(p->out, STR(", "));
        put_log_text(p->out, name[i], false);
    }
}

static void put_column(facts_page *p, uint32_t position) {
    if (!p->node) {
        put_log_text(p->out, p->f->column[position], false);
        return;
    }
    column_id id = p->node->column[position];
    put_log_text(p->out, p->m->plan->column[id].name, false);
    buf_printf(p->out, "#%u", id);
}

static void put_columns(facts_page *p, const uint32_t *position, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i) buf_put(p->out, STR(", "));
        put_column(p, position[i]);
    }
}

/* The reasons, outermost first; the SQL itself needs no words. */
static void put_reason(facts_page *p, evidence_id why) {
    size_t count;
    const str *chain = evidence_chain(&p->m->evidence, why, &p->m->names, p->scratch, &count);
    for (size_t i = 0; i < count; i++) {
        buf_put(p->out, i ? STR("; ") : STR("   because "));
        put_log_text(p->out, chain[i], false);
    }
    buf_put_char(p->out, '\n');
}

static str word_of(fact_row_kind kind) {
    switch (kind) {
    case ROW_KEY: return STR("key");
    case ROW_LAX_KEY: return STR("key, save NULLs");
    case ROW_DEPENDENCY: return STR("determines");
    case ROW_LAX_DEPENDENCY: return STR("determines, save NULLs");
    case ROW_EQUAL: return STR("equal");
    case ROW_CONSTANT: return STR("constant");
    case ROW_CONSTANT_OR_NULL: return STR("constant or NULL");
    case ROW_NOT_NULL: return STR("not null");
    case ROW_COVERS: return STR("covers");
    case ROW_WITHIN: return STR("within");
    case ROW_LAX_WITHIN: return STR("within, save NULLs");
    }
    UNREACHABLE();
}

/* "each (order_id) of shop.orders is here as (order_id)"; "(order_id) is one of (order_id) of shop.orders". */
static void put_inclusion(facts_page *p, const fact_row *row) {
    bool covers = row->kind == ROW_COVERS;
    buf_put(p->out, covers ? STR("each (") : STR("("));
    if (covers)
        put_names(p, row->there, row->column_count);
    else
        put_columns(p, row->column, row->column_count);
    buf_put(p->out, covers ? STR(") of ") : STR(") is one of ("));
    if (!covers) put_names(p, row->there, row->column_count);
    if (!covers) buf_put(p->out, STR(") of "));
    put_log_text(p->out, row->relation, false);
    if (covers) buf_put(p->out, STR(" is here as ("));
    if (covers) put_columns(p, row->column, row->column_count);
    if (covers) buf_put_char(p->out, ')');
    put_reason(p, row->why);
}

static void put_row(facts_page *p, const fact_row *row) {
    put_word(p, word_of(row->kind));
    if (row->there) {
        put_inclusion(p, row);
        return;
    }
    if (row->column_count == 0 && row->kind <= ROW_LAX_DEPENDENCY)
        buf_put(p->out, row->to ? STR("nothing") : STR("no column: there is at most one row"));
    put_columns(p, row->column, row->column_count);
    if (row->to) {
        buf_put(p->out, STR(" -> "));
        put_columns(p, row->to, row->to_count);
    }
    put_reason(p, row->why);
}

static void put_grain(facts_page *p, size_t i) {
    const struct stated_column *c = &p->f->each[i];
    if (!c->grain_known && c->repeated.count == 0) return;
    put_word(p, STR("belongs to"));
    put_columns(p, (const uint32_t[]){(uint32_t)i}, 1);
    buf_put(p->out, STR(": "));
    if (c->grain_known && c->native_count == 0) buf_put(p->out, STR("no entity"));
    if (!c->grain_known) buf_put(p->out, STR("unknown"));
    put_names(p, c->native, c->native_count);
    for (size_t s = 0; s < c->repeated.count; s++) {
        const join_site *site = c->repeated.site[s];
        shown_place at = place_find(p->places, site->model, site->place);
        buf_put(p->out, STR(", repeated by the join at "));
        place_put(p->out, &at);
    }
    buf_put_char(p->out, '\n');
}

static void put_bounds(facts_page *p) {
    row_bounds r = p->f->rows;
    put_word(p, STR("rows"));
    if (r.max == ROWS_UNBOUNDED)
        buf_printf(p->out, "%" PRIu64 " or more\n", r.min);
    else if (r.min == r.max)
        buf_printf(p->out, "%" PRIu64 "\n", r.min);
    else
        buf_printf(p->out, "%" PRIu64 " to %" PRIu64 "\n", r.min, r.max);
}

static void put_multiplicity(facts_page *p) {
    if (!p->f->left_multiplicity.len && !p->f->right_multiplicity.len) return;
    put_word(p, STR("join"));
    buf_printf(p->out, "each row of the left is there " STR_FMT ", of the right " STR_FMT "\n",
               STR_ARG(p->f->left_multiplicity), STR_ARG(p->f->right_multiplicity));
}

static void put_status(facts_page *p) {
    put_word(p, STR("status"));
    buf_put(p->out, fact_status_name(p->f->status));
    if (p->f->status != FACTS_KNOWN) {
        buf_put(p->out, STR(": "));
        put_log_text(p->out, p->f->gap.what, false);
        if (p->f->gap.node) {
            shown_place at = place_find(p->places, p->m->name, place_index_find(p->m->places, p->f->gap.at));
            buf_put(p->out, STR(" at "));
            place_put(p->out, &at);
        }
    }
    buf_put_char(p->out, '\n');
}

static void put_all_rows(facts_page *p) {
    size_t count;
    const fact_row *row = fact_rows(p->f, p->scratch, &count);
    for (size_t i = 0; i < count; i++) put_row(p, &row[i]);
}

static void put_result(facts_page *p, str name) {
    if (name.len) {
        put_word(p, STR("model"));
        put_log_text(p->out, name, false);
        buf_put_char(p->out, '\n');
    }
    put_status(p);
    put_word(p, STR("columns"));
    put_names(p, p->f->column, p->f->column_count);
    buf_put(p->out, p->f->is_open ? p->f->column_count ? STR(", and more\n") : STR("not known\n") : STR("\n"));
    put_bounds(p);
    put_multiplicity(p);
    put_all_rows(p);
    for (size_t i = 0; i < p->f->column_count; i++) put_grain(p, i);
}

/* Behind the line of an operator in a tree. */
static void put_node(void *context, buf *out, const plan_node *n, size_t blanks) {
    facts_page p = *(const facts_page *)context;
    p.out = out;
    p.blanks = blanks;
    p.node = n;
    p.f = grain_state_node(p.m, n, p.scratch);
    if (p.f->status != FACTS_KNOWN) put_status(&p);
    if (p.f->rows.min > 0 || p.f->rows.max != ROWS_UNBOUNDED) put_bounds(&p);
    put_all_rows(&p);
}

void facts_text(buf *out, const grain_model *m, const facts_style *style, arena *scratch) {
    facts_page p = {.out = out, .m = m, .places = style->places, .scratch = scratch};
    p.f = grain_state(m, scratch);
    put_result(&p, m->name);
    if (!style->with_tree) return;
    buf_put_char(out, '\n');
    plan_print_tree(out, m->plan, m->places, &(plan_print_more){put_node, &p});
}

void facts_text_unknown(buf *out, str model, str reason) {
    facts_page p = {.out = out};
    put_word(&p, STR("model"));
    put_log_text(out, model, false);
    buf_put_char(out, '\n');
    put_word(&p, STR("status"));
    buf_put(out, STR("unknown: "));
    put_log_text(out, reason, false);
    buf_put_char(out, '\n');
}
