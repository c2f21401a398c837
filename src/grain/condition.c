/* condition.c - what a condition that every row meets says of the rows.
 * Called by: op_filter.c, op_join.c, op_scan.c (CHECK).  Must not know: where the condition stands.
 */
#include "grain/op.h"

evidence_id condition_evidence(grain_model *m, const plan_expr *e) {
    return evidence_add(&m->evidence, (evidence){.kind = EVIDENCE_CONDITION, .at = e->at});
}

static bool is_column(const plan_expr *e) {
    return e->kind == EXPR_COLUMN || e->kind == EXPR_OUTER;
}

static bool types_fit(grain_model *m, const plan_expr *a, const plan_expr *b) {
    return expr_types_compare(expr_type(&m->expr, a), expr_type(&m->expr, b)) != UNCERTAIN;
}

/* column = expression: the expression's columns determine it, and it them if nothing is lost. */
static void learn_definition(grain_model *m, facts *f, column_id id, const plan_expr *e, evidence_id why) {
    colset self = op_single(m, id), inputs = colset_union(e->columns, e->outer, m->owner), back = COLSET_EMPTY;
    certainty there = expr_is_function_of_columns(&m->expr, e);
    if (there != UNCERTAIN)
        facts_add_dependency(f, (fact_dependency){.from = inputs, .to = self, .is_presumed = there == PRESUMED, .why = why});
    certainty home = expr_is_one_to_one(&m->expr, e, &back);
    if (home != UNCERTAIN && !colset_is_empty(back))
        facts_add_dependency(f, (fact_dependency){.from = self, .needs = self, .to = back, .is_presumed = home == PRESUMED, .why = why});
}

/* A constant expression over constant columns only, or the columns of enclosing queries. */
static void learn_column(grain_model *m, facts *f, column_id id, const plan_expr *e, evidence_id why) {
    if (!colset_is_empty(e->outer) || !expr_is_constant(&m->expr, f, e)) {
        learn_definition(m, f, id, e, why);
        return;
    }
    facts_add_constant(f, op_single(m, id), why);
    const plan_expr *literal = expr_literal(e);
    if (literal) domain_learn_value(&m->expr, f, id, literal, why);
}

/* `whole` is the condition that says so. */
static void learn_equation(grain_model *m, facts *f, const plan_expr *a, const plan_expr *b, const plan_expr *whole) {
    if (!types_fit(m, a, b)) return;
    if (is_column(a) && is_column(b)) {
        facts_add_equal(f, a->column, b->column);
        return;
    }
    if (!is_column(a)) {
        const plan_expr *swap = a;
        a = b, b = swap;
    }
    if (is_column(a)) learn_column(m, f, a->column, b, condition_evidence(m, whole));
}

/* (a, b) = (c, d) */
static bool is_row(const plan_expr *e) {
    return e->kind == EXPR_OTHER && e->from && e->from->form == FORM_ROW;
}

static void learn_compare(grain_model *m, facts *f, const plan_expr *e) {
    bool is_equal = (e->op == OP_EQ || e->op == OP_NULLSAFE_EQ) && !e->negated;
    if (!is_equal || e->arg_count != 2) return;
    const plan_expr *a = e->arg[0], *b = e->arg[1];
    if (is_row(a) && is_row(b) && a->arg_count == b->arg_count)
        for (size_t i = 0; i < a->arg_count; i++) learn_equation(m, f, a->arg[i], b->arg[i], e);
    else
        learn_equation(m, f, a, b, e);
}

/* A column is NULL on every row: so is all that has no value without it. */
static void learn_null(grain_model *m, facts *f, column_id id, evidence_id why) {
    colset null = op_single(m, id);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < f->presence_count; i++) {
            const fact_presence *p = &f->presence[i];
            if (!colset_meets(p->implied, null) || colset_is_subset(p->members, null)) continue;
            colset_add_all(&null, p->members, m->owner);
            more = true;
        }
    }
    facts_add_constant(f, null, why);
}

/* x IS NULL, x IS TRUE, x, NOT x: of a truth value; elsewhere any number but 0 may be true. */
static void learn_one_value(grain_model *m, facts *f, const plan_expr *column, const plan_expr *e) {
    bool is_null = e->kind == EXPR_IS && e->is == IS_NULL;
    if (!is_column(column) || (!is_null && expr_type(&m->expr, column) != FAMILY_BOOLEAN)) return;
    if (is_null) learn_null(m, f, column->column, condition_evidence(m, e));
    facts_add_constant(f, op_single(m, column->column), condition_evidence(m, e));
}

/* (a = b) IS TRUE, (a = b) IS NOT FALSE where that is not NULL: the condition itself. */
static bool is_its_argument(grain_model *m, const facts *f, const plan_expr *e) {
    if (is_column(e->arg[0]) || expr_type(&m->expr, e->arg[0]) != FAMILY_BOOLEAN) return false;
    if (e->is == IS_TRUE) return !e->negated;
    return e->is == IS_FALSE && e->negated && expr_is_not_null(&m->expr, f, e->arg[0]);
}

static void learn_shape(grain_model *m, facts *f, const plan_expr *e) {
    switch ((int)e->kind) {
    case EXPR_COMPARE: learn_compare(m, f, e); break;
    case EXPR_IN:
        if (!e->negated && e->arg_count == 2 && !expr_list_is_open(&m->expr, e)) learn_equation(m, f, e->arg[0], e->arg[1], e);
        break;
    case EXPR_IS:
        if (is_its_argument(m, f, e)) learn_condition(m, f, e->arg[0]);
        else if (!e->negated) learn_one_value(m, f, e->arg[0], e);
        break;
    case EXPR_COLUMN: learn_one_value(m, f, e, e); break;
    case EXPR_NOT: learn_one_value(m, f, e->arg[0], e); break;
    default: break;
    }
}

/* ---- keys of the rows that meet a condition ---- */

/* ... = TRUE */
static bool equals_true(const plan_expr *e) {
    const plan_expr *literal = e->arg_count == 2 && e->op == OP_EQ && !e->negated ? expr_literal(e->arg[1]) : NULL;
    return literal && literal->from && literal->from->kind == AST_BOOLEAN && str_eq_nocase(literal->from->text, STR("true"));
}

static bool meets_atom(grain_model *m, const facts *f, const plan_expr *e, const fact_atom *a) {
    const plan_expr *of = e->arg_count ? e->arg[0] : NULL;
    bool is_about = of && of->kind == EXPR_COLUMN && of->column == a->column;
    switch (a->kind) {
    case ATOM_NOT_NULL: return colset_has(f->not_null, a->column);
    case ATOM_NULL: return e->kind == EXPR_IS && e->is == IS_NULL && !e->negated && is_about;
    case ATOM_TRUE:
        if (e->kind == EXPR_COLUMN) return e->column == a->column;
        if (e->kind == EXPR_COMPARE) return is_about && equals_true(e);
        return e->kind == EXPR_IS && e->is == IS_TRUE && !e->negated && is_about;
    case ATOM_FALSE:
        if (e->kind == EXPR_NOT) return is_about;
        return e->kind == EXPR_IS && e->is == IS_FALSE && !e->negated && is_about;
    case ATOM_EQUALS: {
        bool is_equation = e->kind == EXPR_COMPARE && e->op == OP_EQ && !e->negated && e->arg_count == 2 && is_about;
        const plan_expr *literal = is_equation ? expr_literal(e->arg[1]) : NULL;
        return literal && expr_literals_equal(&m->expr, literal, a->literal);
    }
    }
    return false;
}

/* Every row meets `e`: that may be all that a conditional key asks for. */
static void meet_conditions(grain_model *m, facts *f, const plan_expr *e) {
    for (uint32_t i = 0; i < f->conditional_count; i++) {
        fact_conditional *c = &f->conditional[i];
        uint32_t left = 0;
        for (uint32_t k = 0; k < c->atom_count; k++)
            if (!meets_atom(m, f, e, &c->atom[k])) c->atom[left++] = c->atom[k];
        c->atom_count = left;
        if (left) continue;
        fact_conditional met = *c;
        f->conditional[i--] = f->conditional[--f->conditional_count];
        met.why = evidence_both(&m->evidence, met.why, condition_evidence(m, e));
        facts_add_conditional(f, &met);
    }
}

static bool take_atom(const plan_expr *e, fact_atom *out) {
    const plan_expr *of = e->arg_count ? e->arg[0] : e;
    if (e->kind != EXPR_COLUMN && of->kind != EXPR_COLUMN) return false;
    out->column = of->column;
    switch ((int)e->kind) {
    case EXPR_COLUMN: out->kind = ATOM_TRUE; return true;
    case EXPR_NOT: out->kind = ATOM_FALSE; return true;
    case EXPR_IS:
        if (e->is == IS_NULL) out->kind = e->negated ? ATOM_NOT_NULL : ATOM_NULL;
        else if (!e->negated && (e->is == IS_TRUE || e->is == IS_FALSE)) out->kind = e->is == IS_TRUE ? ATOM_TRUE : ATOM_FALSE;
        else return false;
        return true;
    case EXPR_COMPARE:
        out->kind = ATOM_EQUALS;
        out->literal = e->arg_count == 2 ? expr_literal(e->arg[1]) : NULL;
        return e->op == OP_EQ && !e->negated && out->literal && !expr_is_null_literal(out->literal);
    default: return false;
    }
}

bool condition_atoms(const plan_expr *e, fact_conditional *out) {
    if (e->kind == EXPR_AND) {
        for (size_t i = 0; i < e->arg_count; i++)
            if (!condition_atoms(e->arg[i], out)) return false;
        return true;
    }
    return out->atom_count < FACTS_MAX_ATOMS && take_atom(e, &out->atom[out->atom_count++]);
}

void learn_condition(grain_model *m, facts *f, const plan_expr *e) {
    if (e->kind == EXPR_AND) {
        for (size_t i = 0; i < e->arg_count; i++) learn_condition(m, f, e->arg[i]);
        return;
    }
    op_note_outer(f, e);
    if (!outcome_can_be_true(expr_outcome(&m->expr, f, e))) {
        facts_no_rows(f, condition_evidence(m, e));
        return;
    }
    evidence_id why = condition_evidence(m, e);
    facts_add_not_null(f, expr_rejects_null(&m->expr, e), why);
    if (!e->is_volatile) learn_shape(m, f, e);
    domain_learn(&m->expr, f, e, false, why);
    if (f->conditional_count && colset_is_empty(e->outer)) meet_conditions(m, f, e);
}
