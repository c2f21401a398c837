/* op_window.c - window functions: the rows stay, each with more columns.
 * Called by: grain.c.  Must not know: who filters by a rank.
 */
#include "grain/op.h"

typedef struct windowing {
    grain_model *m;
    const plan_node *node;
    facts *f;
    colset partition, order; /* of columns; expressions have hidden ones */
    bool one_row_each;       /* the partition is a superkey */
} windowing;

static bool is_rank(str name) { /* equal for peers */
    return str_eq(name, STR("rank")) || str_eq(name, STR("dense_rank")) || str_eq(name, STR("percent_rank")) ||
           str_eq(name, STR("cume_dist"));
}

typedef enum frame_reach { FRAME_PARTITION, FRAME_PEERS, FRAME_OTHER } frame_reach;

static frame_reach reach(const plan_window *w) {
    const sql_window *frame = w->from;
    if (!frame || frame->frame == SQL_FRAME_NONE) return w->order_count ? FRAME_PEERS : FRAME_PARTITION;
    if (frame->exclude.len) return FRAME_OTHER;
    bool from_start = frame->start.kind == SQL_BOUND_UNBOUNDED_PRECEDING;
    bool to_end = frame->has_end && frame->end.kind == SQL_BOUND_UNBOUNDED_FOLLOWING;
    if (from_start && to_end) return FRAME_PARTITION;
    if (frame->frame != SQL_FRAME_RANGE && frame->frame != SQL_FRAME_GROUPS) return FRAME_OTHER;
    bool is_distance = frame->start.distance || (frame->has_end && frame->end.distance);
    return is_distance ? FRAME_OTHER : FRAME_PEERS;
}

static evidence_id window_evidence(windowing *w, evidence_kind kind, colset columns) {
    return evidence_add(&w->m->evidence, (evidence){.kind = kind, .at = w->node->at, .node = w->node, .columns = columns});
}

static void determined_by(windowing *w, colset from, column_id made) {
    facts_add_dependency(w->f, (fact_dependency){.from = from,
                                                 .to = op_single(w->m, made),
                                                 .is_local = true,
                                                 .why = window_evidence(w, EVIDENCE_WINDOW_VALUE, from)});
}

static void row_number(windowing *w, column_id made) {
    colset key = colset_union(w->partition, op_single(w->m, made), w->m->owner);
    facts_add_key(w->f, (fact_key){.columns = key, .why = window_evidence(w, EVIDENCE_ROW_NUMBER, w->partition)});
    facts_add_dependency(w->f, (fact_dependency){.from = key,
                                                 .to = w->f->all,
                                                 .is_local = true,
                                                 .is_entity = true,
                                                 .why = window_evidence(w, EVIDENCE_ROW_NUMBER, w->partition)});
    w->f->is_repeatable = false; /* ties */
    if (w->one_row_each) facts_add_constant(w->f, op_single(w->m, made), window_evidence(w, EVIDENCE_ROW_NUMBER, w->partition));
}

/* Rows of one partition that share a rank are peers: they agree on what it is ordered by. */
static void rank(windowing *w, column_id made) {
    colset from = colset_union(w->partition, op_single(w->m, made), w->m->owner);
    bool is_presumed = false;
    column_id id = 0;
    for (; colset_next(w->order, id, &id); id++) {
        type_family type = expr_column_type(&w->m->expr, id);
        is_presumed |= type == FAMILY_OTHER; /* whose equality we do not know */
    }
    facts_add_dependency(w->f, (fact_dependency){.from = from,
                                                 .to = w->order,
                                                 .is_local = true,
                                                 .is_presumed = is_presumed,
                                                 .why = window_evidence(w, EVIDENCE_RANK, w->order)});
}

static bool has_filter(const plan_expr *e) {
    const ast_call *call = op_call(e);
    return call && call->filter;
}

/* lag(x), lead(x): a row is the neighbour of one row at most, so what no two rows share stays so. */
static void shifted(windowing *w, column_id made, const plan_expr *e) {
    bool is_plain = e->arg_count >= 1 && e->arg_count <= 2 && e->arg[0]->kind == EXPR_COLUMN && !has_filter(e) &&
                    (e->arg_count == 1 || expr_literal(e->arg[1])) && op_call(e) &&
                    op_call(e)->treatment != SQL_TREATMENT_IGNORE;
    evidence_id why = EVIDENCE_SQL;
    if (!is_plain) return;
    colset whose = op_single(w->m, e->arg[0]->column), self = op_single(w->m, made);
    if (facts_is_superkey(w->f, whose, (closure_mode){.not_null = whose}, &why))
        facts_add_key(w->f, (fact_key){.columns = self, .needs = self, .why = why});
}

static void define_window(windowing *w, column_id made) {
    const plan_expr *e = w->m->plan->column[made].definition;
    if (!e) return;
    op_note_outer(w->f, e);
    if (expr_window_is_not_null(&w->m->expr, w->f, &w->node->window, e)) facts_add_not_null(w->f, op_single(w->m, made), EVIDENCE_SQL);
    frame_reach r = reach(&w->node->window);
    colset peers = colset_union(w->partition, w->order, w->m->owner);
    bool from_one = str_eq(e->name, STR("row_number")) || str_eq(e->name, STR("rank")) || str_eq(e->name, STR("dense_rank"));
    if (from_one) domain_learn_least(&w->m->expr, w->f, made, 1, EVIDENCE_SQL);
    if (str_eq(e->name, STR("row_number"))) {
        row_number(w, made);
    } else if (is_rank(e->name)) {
        determined_by(w, peers, made);
        bool counts = str_eq(e->name, STR("rank")) || str_eq(e->name, STR("dense_rank"));
        if (counts && !colset_is_empty(w->order)) rank(w, made);
        if (w->one_row_each && counts) facts_add_constant(w->f, op_single(w->m, made), EVIDENCE_SQL);
    } else if (op_ignores_order(e->name) && r != FRAME_OTHER && !has_filter(e)) {
        determined_by(w, r == FRAME_PARTITION ? w->partition : peers, made);
    } else if (str_eq(e->name, STR("lag")) || str_eq(e->name, STR("lead"))) {
        shifted(w, made, e);
        w->f->is_repeatable = false;
    } else if (str_eq(e->name, STR("first_value")) && r == FRAME_PARTITION) {
        determined_by(w, w->partition, made);
        w->f->is_repeatable = false;
    } else {
        w->f->is_repeatable = false;
    }
}

facts op_window(grain_model *m, const plan_node *n) {
    facts f = facts_copy(op_input(m, n, 0));
    windowing w = {.m = m, .node = n, .f = &f};
    const plan_window *is = &n->window;
    for (size_t i = 0; i < is->partition_count; i++)
        colset_add(&w.partition, op_column_of(m, &f, is->partition[i]), m->owner);
    for (size_t i = 0; i < is->order_count; i++) colset_add(&w.order, op_column_of(m, &f, is->order[i].key), m->owner);
    w.one_row_each = facts_is_superkey(&f, w.partition, CLOSURE_STRICT, NULL);
    for (size_t i = 0; i < is->made_count; i++) f.all = colset_union(f.all, op_single(m, is->made[i]), m->owner);
    for (size_t i = 0; i < is->made_count; i++) define_window(&w, is->made[i]);
    op_carry(m, n, &f);
    const fact_key *key = facts_best_key(op_input(m, n, 0));
    for (size_t i = 0; i < is->made_count; i++) {
        column_grain *g = op_grain(n, &f, is->made[i]);
        if (g && key) *g = (column_grain){.is_known = true, .native = key->columns, .why = key->why};
    }
    return f;
}
