/* op_rows.c - the small operators: VALUES, one row, DISTINCT, LIMIT, table functions, what is unknown.
 * Called by: grain.c.  Must not know: the large ones.
 */
#include "grain/op.h"

static void give_unknown_grains(grain_model *m, const plan_node *n, facts *f) {
    f->grain = ARENA_ARRAY(m->owner, column_grain, n->column_count + 1);
    f->measure = ARENA_ARRAY(m->owner, column_measure, n->column_count + 1);
}

/* Values that belong to no entity. */
static void give_no_grain(grain_model *m, const plan_node *n, facts *f) {
    give_unknown_grains(m, n, f);
    for (size_t i = 0; i < n->column_count; i++) f->grain[i].is_known = true;
}

/* ---- VALUES ---- */

enum { MAX_COMPARED_ROWS = 200 };

static const plan_expr *cell(const plan_node *n, size_t row, size_t column) {
    return n->values.cell[row * n->column_count + column];
}

static bool all_cells(const plan_node *n, size_t column, const expr_context *x, const facts *f,
                      bool (*holds)(const expr_context *, const facts *, const plan_expr *)) {
    for (size_t i = 0; i < n->values.row_count; i++)
        if (!holds(x, f, cell(n, i, column))) return false;
    return true;
}

/* cast(NULL AS real) makes reals of the integers beside it, and two of them may become one. A NULL of the type that the others have
 * anyway does no harm. */
static bool cells_stay_apart(const expr_context *x, const plan_node *n, size_t column) {
    type_family typed = FAMILY_UNKNOWN;
    bool has_typed = false;
    for (size_t i = 0; i < n->values.row_count; i++) {
        const plan_expr *e = cell(n, i, column), *literal = expr_literal(e);
        if (e->kind != EXPR_CAST || !literal || !expr_is_null_literal(literal)) continue;
        type_family f = expr_type(x, e);
        if (f == FAMILY_DECIMAL || f == FAMILY_FLOAT || (has_typed && f != typed)) return false;
        typed = f, has_typed = true;
    }
    for (size_t i = 0; i < n->values.row_count && has_typed; i++) {
        const plan_expr *literal = expr_literal(cell(n, i, column));
        if (!literal || (!expr_is_null_literal(literal) && expr_types_compare(typed, expr_type(x, literal)) != CERTAIN)) return false;
    }
    return true;
}

static bool rows_are_equal(const expr_context *x, const plan_node *n, size_t column) {
    for (size_t i = 1; i < n->values.row_count; i++)
        if (!expr_literals_equal(x, cell(n, 0, column), cell(n, i, column))) return false;
    return true;
}

static bool rows_differ(const expr_context *x, const plan_node *n, size_t column) {
    for (size_t i = 0; i < n->values.row_count; i++)
        for (size_t k = i + 1; k < n->values.row_count; k++)
            if (!expr_literals_differ(x, cell(n, i, column), cell(n, k, column))) return false;
    return true;
}

/* `from` fixes `to` in these rows: wherever `to` may differ, `from` surely does. */
static bool determines(const expr_context *x, const plan_node *n, size_t from, size_t to) {
    for (size_t i = 0; i < n->values.row_count; i++)
        for (size_t k = i + 1; k < n->values.row_count; k++)
            if (!expr_literals_equal(x, cell(n, i, to), cell(n, k, to)) &&
                !expr_literals_differ(x, cell(n, i, from), cell(n, k, from)))
                return false;
    return true;
}

static void compare_cells(grain_model *m, const plan_node *n, facts *f, evidence_id why) {
    for (size_t c = 0; c < n->column_count; c++) {
        colset self = op_single(m, n->column[c]);
        if (rows_are_equal(&m->expr, n, c)) {
            facts_add_constant(f, self, why);
            const plan_expr *literal = expr_literal(cell(n, 0, c));
            if (literal) facts_add_value(f, n->column[c], literal, why);
        }
        if (!cells_stay_apart(&m->expr, n, c)) continue;
        if (rows_differ(&m->expr, n, c)) facts_add_key(f, (fact_key){.columns = self, .why = why});
        for (size_t d = 0; d < n->column_count && n->column_count <= 8; d++)
            if (d != c && determines(&m->expr, n, c, d))
                facts_add_dependency(f, (fact_dependency){.from = self, .to = op_single(m, n->column[d]), .why = why});
    }
}

facts op_values(grain_model *m, const plan_node *n) {
    facts f;
    facts_init(&f, m->owner, &m->evidence);
    f.all = op_columns(m, n);
    evidence_id why = evidence_add(&m->evidence, (evidence){.kind = EVIDENCE_VALUES, .at = n->at});
    for (size_t i = 0; i < n->values.row_count * n->column_count; i++) op_note_outer(&f, n->values.cell[i]);
    facts_bound_rows(&f, (row_bounds){n->values.row_count, n->values.row_count}, why);
    for (size_t c = 0; c < n->column_count; c++)
        if (all_cells(n, c, &m->expr, &f, expr_is_not_null)) facts_add_not_null(&f, op_single(m, n->column[c]), why);
    if (n->values.row_count <= MAX_COMPARED_ROWS) compare_cells(m, n, &f, why);
    give_no_grain(m, n, &f);
    return f;
}

facts op_one_row(grain_model *m, const plan_node *n) {
    facts f;
    facts_init(&f, m->owner, &m->evidence);
    f.all = op_columns(m, n);
    facts_bound_rows(&f, (row_bounds){1, 1}, EVIDENCE_SQL);
    give_no_grain(m, n, &f);
    return f;
}

/* ---- table functions ---- */

/* Numbers or times in steps: every value once. A step of 0 is an error in the engines. */
static bool is_series(str name) {
    return str_eq(name, STR("generate_series")) || str_eq(name, STR("range")) || str_eq(name, STR("sequence"));
}

facts op_function(grain_model *m, const plan_node *n) {
    facts f;
    facts_init(&f, m->owner, &m->evidence);
    f.all = op_columns(m, n);
    for (size_t i = 0; i < n->function.arg_count; i++) op_note_outer(&f, n->function.arg[i]);
    bool series = is_series(n->function.name) && n->column_count >= 1 && n->function.arg_count >= 1;
    evidence_id why = evidence_add(&m->evidence, (evidence){.kind = EVIDENCE_ORDINALITY, .at = n->at});
    if (n->function.has_ordinality && n->column_count) {
        colset last = op_single(m, n->column[n->column_count - 1]);
        facts_add_key(&f, (fact_key){.columns = last, .why = why});
        if (!n->function.is_outer) facts_add_not_null(&f, last, why);
    }
    if (series) {
        colset first = op_single(m, n->column[0]);
        facts_add_key(&f, (fact_key){.columns = first, .needs = n->function.is_outer ? first : COLSET_EMPTY});
        if (!n->function.is_outer) facts_add_not_null(&f, first, EVIDENCE_SQL);
    }
    f.is_repeatable = f.is_repeatable && series;
    if (!series) facts_weaken(&f, FACTS_UNKNOWN, (fact_gap){.what = n->function.name, .at = n->at, .node = n});
    give_unknown_grains(m, n, &f);
    return f;
}

/* ---- DISTINCT ---- */

/* One row of each group, picked: a part of the rows, with all their columns. */
static void distinct_on(grain_model *m, const plan_node *n, facts *f) {
    colset on = COLSET_EMPTY;
    for (size_t i = 0; i < n->distinct.on_count; i++) colset_add(&on, n->distinct.on[i], m->owner);
    f->is_repeatable = false;
    f->rows.min = f->rows.min ? 1 : 0;
    facts_keep_covers(f, n->distinct.has_expressions ? COLSET_EMPTY : facts_closure(f, on, CLOSURE_STRICT));
    if (n->distinct.has_expressions) return;
    evidence_id why = evidence_add(&m->evidence, (evidence){.kind = EVIDENCE_DISTINCT, .at = n->at, .columns = on});
    facts_add_key(f, (fact_key){.columns = on, .why = why});
}

static void distinct_grains(grain_model *m, const plan_node *n, facts *f, colset all, evidence_id why) {
    for (size_t i = 0; i < n->column_count; i++) {
        column_grain *g = &f->grain[i];
        bool keeps = g->is_known && colset_is_subset(g->native, f->all);
        if (!keeps) *g = (column_grain){.is_known = !n->is_open, .native = all, .why = why, .open = g->open};
        g->repeated = (site_list){0};
    }
    (void)m;
}

facts op_distinct(grain_model *m, const plan_node *n) {
    facts f = facts_copy(op_input(m, n, 0));
    op_carry(m, n, &f);
    if (n->distinct.is_on) {
        distinct_on(m, n, &f);
        return f;
    }
    column_grain *grain = f.grain;
    column_measure *measure = f.measure;
    colset all = op_columns(m, n);
    evidence_id why = evidence_add(&m->evidence, (evidence){.kind = EVIDENCE_DISTINCT, .at = n->at});
    op_keys_to_dependencies(&f);
    facts_restrict(&f, colset_union(facts_closure(&f, all, CLOSURE_STRICT), all, m->owner));
    f.grain = grain, f.measure = measure;
    f.rows.min = f.rows.min ? 1 : 0;
    if (!n->is_open) facts_add_key(&f, (fact_key){.columns = all, .why = why});
    distinct_grains(m, n, &f, all, why);
    return f;
}

/* ---- LIMIT ---- */

facts op_limit(grain_model *m, const plan_node *n) {
    facts f = facts_copy(op_input(m, n, 0));
    uint64_t count = n->limit.has_count && !n->limit.with_ties && !n->limit.is_percent ? n->limit.count : ROWS_UNBOUNDED;
    row_bounds in = f.rows;
    bool keeps_all = !n->limit.has_offset && n->limit.has_count && !n->limit.is_percent && n->limit.count >= in.max;
    f.is_repeatable = false;
    op_carry(m, n, &f);
    if (keeps_all) return f;
    facts_keep_covers(&f, COLSET_EMPTY);
    f.rows.min = 0;
    if (!n->limit.has_offset && n->limit.has_count && !n->limit.is_percent)
        f.rows.min = in.min < n->limit.count ? in.min : n->limit.count;
    evidence_id why = evidence_add(&m->evidence, (evidence){.kind = EVIDENCE_ONE_ROW, .at = n->at});
    facts_bound_rows(&f, (row_bounds){f.rows.min, count}, why);
    op_lose(m, n, n->at, STR("LIMIT"));
    return f;
}

/* ---- what is not modelled ---- */

facts op_unknown(grain_model *m, const plan_node *n) {
    facts f;
    facts_init(&f, m->owner, &m->evidence);
    f.all = op_columns(m, n);
    for (size_t i = 0; i < n->input_count; i++) f.outer = colset_union(f.outer, op_input(m, n, i)->outer, m->owner);
    f.is_repeatable = false;
    str what = n->kind == PLAN_UNKNOWN ? n->unknown.what : STR("a recursive CTE");
    facts_weaken(&f, FACTS_UNKNOWN, (fact_gap){.what = what, .at = n->at, .node = n});
    give_unknown_grains(m, n, &f);
    return f;
}
