/* expr_value.c - what an expression can be on rows with given facts: NULL, TRUE, FALSE, a known value.
 * Called by: expr_null.c, expr_equal.c, op_*.c.  Must not know: operators of the plan.
 *
 * Everything is a superset of the truth. "NULL only" and "not NULL" are both claims, so each rule that takes an outcome
 * away must hold in the dialect of the plan.
 */
#include "grain/domain_int.h"
#include "grain/expr_int.h"

typedef struct eval {
    const expr_context *x;
    const facts *f;   /* may be NULL */
    column_id absent; /* is NULL */
    colset present;   /* are not NULL here, beside those of the facts */
    uint32_t *steps;
    uint32_t depth;
} eval;

static expr_value value_of(eval *v, const plan_expr *e);

static const expr_value anything = {OUTCOME_ANY, NULL};
static const expr_value certainly_null = {OUTCOME_NULL, NULL};
enum { OUTCOME_VALUE = OUTCOME_TRUE | OUTCOME_FALSE };

static bool may_be_null(expr_value e) {
    return (e.outcome & OUTCOME_NULL) != 0;
}

static bool may_be_value(expr_value e) {
    return (e.outcome & OUTCOME_VALUE) != 0;
}

static expr_value of_outcome(outcome_set s) {
    return (expr_value){s ? s : OUTCOME_ANY, NULL};
}

/* One or the other. */
static expr_value either(const expr_context *x, expr_value a, expr_value b) {
    if (a.outcome == OUTCOME_NONE) return b;
    if (b.outcome == OUTCOME_NONE) return a;
    expr_value out = {a.outcome | b.outcome, NULL};
    if (!may_be_value(a))
        out.literal = b.literal;
    else if (!may_be_value(b))
        out.literal = a.literal;
    else if (a.literal && b.literal && expr_literals_equal(x, a.literal, b.literal))
        out.literal = a.literal;
    return out;
}

/* ---- leaves ---- */

static expr_value of_literal(const plan_expr *e) {
    if (expr_is_null_literal(e)) return certainly_null;
    expr_value out = {OUTCOME_VALUE, e};
    if (e->kind == EXPR_CONSTANT && e->from && e->from->kind == AST_BOOLEAN)
        out.outcome = str_eq_nocase(e->from->text, STR("true")) ? OUTCOME_TRUE : OUTCOME_FALSE;
    return out;
}

/* Durations and texts side by side have a value; a unit is a word; of a parameter nothing is known. */
static expr_value of_constant(const plan_expr *e) {
    const plan_expr *literal = expr_literal(e);
    if (literal) return of_literal(literal);
    bool has_value =
        e->from && (e->from->kind == AST_NAME || e->from->form == FORM_INTERVAL || e->from->form == FORM_TEXTS);
    return of_outcome(has_value ? OUTCOME_VALUE : OUTCOME_ANY);
}

static const plan_expr *known_value(const facts *f, column_id id) {
    if (!f || !colset_has(f->constant_or_null, id)) return NULL;
    for (uint32_t i = 0; i < f->value_count; i++)
        if (f->value[i].column == id) return f->value[i].value;
    return NULL;
}

static expr_value of_column(eval *v, column_id id) {
    if (id == v->absent) return certainly_null;
    bool present = colset_has(v->present, id) || (v->f && colset_has(v->f->not_null, id));
    const plan_expr *known = known_value(v->f, id);
    if (known && expr_is_null_literal(known)) return certainly_null;
    expr_value out = {OUTCOME_VALUE, known};
    if (v->f) out.outcome = domain_of_truth(v->f->domain, id);
    if (known) out.outcome &= of_literal(known).outcome;
    if (out.outcome == OUTCOME_NONE) out.outcome = OUTCOME_VALUE;
    if (!present) out.outcome |= OUTCOME_NULL;
    return out;
}

/* ---- comparisons ---- */

typedef enum type_group { GROUP_NUMBER, GROUP_TEXT, GROUP_TIME, GROUP_REST, GROUP_UNKNOWN } type_group;

static type_group group_of(type_family f) {
    if (family_is_number(f)) return GROUP_NUMBER;
    if (f == FAMILY_TEXT || f == FAMILY_CHAR || f == FAMILY_TEXT_NOCASE) return GROUP_TEXT;
    if (f == FAMILY_DATE || f == FAMILY_TIMESTAMP || f == FAMILY_TIMESTAMP_ZONED) return GROUP_TIME;
    return f == FAMILY_UNKNOWN || f == FAMILY_OTHER ? GROUP_UNKNOWN : GROUP_REST;
}

/* Can a comparison of values that are not NULL be NULL? Of structs and arrays with NULLs inside, and in Spark where a
 * value is cast to the type of the other and that fails. */
static bool comparison_may_be_null(eval *v, const plan_expr *a, const plan_expr *b) {
    sql_dialect d = v->x->dialect;
    if (d == DIALECT_postgres || d == DIALECT_duckdb) return false;
    type_family l = expr_type(v->x, a), r = expr_type(v->x, b);
    bool unknown = group_of(l) == GROUP_UNKNOWN || group_of(r) == GROUP_UNKNOWN;
    if (!dialect_is_spark(d)) return unknown;
    return unknown || group_of(l) != group_of(r) || (group_of(l) == GROUP_REST && l != r);
}

static outcome_set by_order(ast_op op, int order) {
    bool is = false;
    switch ((int)op) {
    case OP_EQ: is = order == 0; break;
    case OP_NE: is = order != 0; break;
    case OP_LT: is = order < 0; break;
    case OP_LE: is = order <= 0; break;
    case OP_GT: is = order > 0; break;
    case OP_GE: is = order >= 0; break;
    default: return OUTCOME_VALUE;
    }
    return is ? OUTCOME_TRUE : OUTCOME_FALSE;
}

/* x = x: not for NaN where IEEE rules. */
static bool is_reflexive(eval *v, const plan_expr *e) {
    type_family f = expr_type(v->x, e);
    if (f == FAMILY_FLOAT || f == FAMILY_UNKNOWN || f == FAMILY_OTHER) return dialect_orders_nan(v->x->dialect);
    return true;
}

static bool are_same(eval *v, const plan_expr *a, const plan_expr *b) {
    if (expr_same(a, b)) return true;
    if (!v->f || a->kind != EXPR_COLUMN || b->kind != EXPR_COLUMN) return false;
    return colset_has(facts_equal_to(v->f, a->column), b->column);
}

static bool certainly_differ(eval *v, const plan_expr *a, const plan_expr *b) {
    return expr_literals_differ(v->x, a, b) && !expr_is_null_literal(a) && !expr_is_null_literal(b);
}

/* Of two values that are not NULL. */
static outcome_set compare_values(eval *v, ast_op op, const plan_expr *ea, const plan_expr *eb, expr_value a,
                                  expr_value b) {
    outcome_set s = OUTCOME_VALUE;
    int order;
    if (a.literal && b.literal) {
        if (literal_order(v->x, a.literal, b.literal, &order))
            s &= by_order(op, order);
        else if (certainly_differ(v, a.literal, b.literal) && (op == OP_EQ || op == OP_NE))
            s &= by_order(op, 1);
    }
    if (v->f && ea->kind == EXPR_COLUMN && b.literal)
        s &= domain_compare(v->x, v->f->domain, ea->column, op, b.literal);
    if (v->f && eb->kind == EXPR_COLUMN && a.literal)
        s &= domain_compare(v->x, v->f->domain, eb->column, ast_op_mirrored(op), a.literal);
    if (are_same(v, ea, eb) && is_reflexive(v, ea)) s &= by_order(op, 0);
    return s ? s : OUTCOME_VALUE;
}

static outcome_set compare_safely(eval *v, const plan_expr *ea, const plan_expr *eb, expr_value a, expr_value b) {
    outcome_set s = OUTCOME_NONE;
    if (may_be_value(a) && may_be_value(b)) s |= compare_values(v, OP_EQ, ea, eb, a, b);
    if (are_same(v, ea, eb)) return s | (may_be_null(a) ? OUTCOME_TRUE : 0);
    if (may_be_null(a) && may_be_null(b)) s |= OUTCOME_TRUE;
    if ((may_be_null(a) && may_be_value(b)) || (may_be_value(a) && may_be_null(b))) s |= OUTCOME_FALSE;
    return s;
}

static outcome_set compare_plain(eval *v, ast_op op, const plan_expr *ea, const plan_expr *eb, expr_value a,
                                 expr_value b) {
    outcome_set s = OUTCOME_NONE;
    if (may_be_value(a) && may_be_value(b)) {
        s |= compare_values(v, op, ea, eb, a, b);
        if (comparison_may_be_null(v, ea, eb)) s |= OUTCOME_NULL;
    }
    if (may_be_null(a) || may_be_null(b)) s |= OUTCOME_NULL;
    return s;
}

static outcome_set compare(eval *v, ast_op op, const plan_expr *ea, const plan_expr *eb);

/* (a, b) = (c, d), and the lexical order of rows. */
static outcome_set compare_rows(eval *v, ast_op op, const plan_expr *a, const plan_expr *b) {
    if (a->arg_count != b->arg_count || a->arg_count == 0) return OUTCOME_ANY;
    bool safe = dialect_compares_rows_safely(v->x->dialect);
    ast_op each = op == OP_NULLSAFE_EQ || safe ? OP_NULLSAFE_EQ : OP_EQ;
    if (op == OP_EQ || op == OP_NE || op == OP_NULLSAFE_EQ) {
        outcome_set all = OUTCOME_TRUE;
        for (size_t i = 0; i < a->arg_count; i++) all = outcome_and(all, compare(v, each, a->arg[i], b->arg[i]));
        return op == OP_NE ? outcome_not(all) : all;
    }
    if (safe) return OUTCOME_ANY;
    ast_op strict = op == OP_LE ? OP_LT : op == OP_GE ? OP_GT : op;
    outcome_set s = compare(v, op, a->arg[a->arg_count - 1], b->arg[a->arg_count - 1]);
    for (size_t i = a->arg_count - 1; i-- > 0;) {
        outcome_set same = compare(v, OP_EQ, a->arg[i], b->arg[i]), first = compare(v, strict, a->arg[i], b->arg[i]);
        if (first == OUTCOME_NULL || same == OUTCOME_NULL)
            s = OUTCOME_NULL; /* NULL = b decides: the rest is not looked at */
        else
            s = outcome_or(first, outcome_and(same, s));
    }
    return s;
}

/* a = ANY (ARRAY[b, c]): the elements, if they are there to be seen. */
static const plan_expr *elements_of(const plan_expr *e) {
    const plan_expr *list = e->arg_count == 1 ? e->arg[0] : NULL;
    bool is_array =
        list && list->kind == EXPR_OTHER && list->from && list->from->form == FORM_ARRAY && list->arg_count > 0;
    return is_array ? list : NULL;
}

static outcome_set compare_quantified(eval *v, ast_op op, const plan_expr *left, const plan_expr *right) {
    const plan_expr *list = elements_of(right);
    bool is_all = str_eq(right->name, STR("all"));
    if (list) {
        outcome_set s = is_all ? OUTCOME_TRUE : OUTCOME_FALSE;
        for (size_t i = 0; i < list->arg_count; i++) {
            outcome_set one = compare(v, op, left, list->arg[i]);
            s = is_all ? outcome_and(s, one) : outcome_or(s, one);
        }
        return s;
    }
    expr_value a = value_of(v, left);
    bool is_null = right->arg_count == 1 && !may_be_value(value_of(v, right->arg[0]));
    if (is_null && v->x->dialect == DIALECT_postgres) return OUTCOME_NULL;
    if (may_be_value(a)) return OUTCOME_ANY;
    return is_all ? OUTCOME_NULL | OUTCOME_TRUE : OUTCOME_NULL | OUTCOME_FALSE; /* the array may be empty */
}

static outcome_set compare(eval *v, ast_op op, const plan_expr *ea, const plan_expr *eb) {
    if (is_quantified(eb)) return compare_quantified(v, op, ea, eb);
    if (is_quantified(ea)) return OUTCOME_ANY;
    if (is_row(ea) && is_row(eb)) return compare_rows(v, op, ea, eb);
    if (is_row(ea) || is_row(eb)) return OUTCOME_ANY;
    expr_value a = value_of(v, ea), b = value_of(v, eb);
    return op == OP_NULLSAFE_EQ ? compare_safely(v, ea, eb, a, b) : compare_plain(v, op, ea, eb, a, b);
}

static expr_value of_compare(eval *v, const plan_expr *e) {
    if (e->arg_count != 2) return anything;
    outcome_set s = compare(v, e->op, e->arg[0], e->arg[1]);
    return of_outcome(e->negated ? outcome_not(s) : s);
}

/* ---- other conditions ---- */

/* A NULL of a composite type and a row of NULLs are both IS NULL in PostgreSQL. */
bool expr_may_be_composite(const expr_context *x, const plan_expr *e) {
    if (x->dialect != DIALECT_postgres && x->dialect != DIALECT_redshift) return false;
    if (is_row(e) || (e->kind == EXPR_OTHER && str_eq(e->name, STR("row")))) return true;
    if (e->kind == EXPR_FUNCTION && str_eq(e->name, STR("row"))) return true;
    if (e->kind != EXPR_COLUMN || e->column >= x->plan->column_count) return false;
    const catalog_column *declared = x->plan->column[e->column].declared;
    return declared && declared->type.len > 0 && expr_column_type(x, e->column) == FAMILY_UNKNOWN;
}

/* (a, b) IS NULL: all are; IS NOT NULL: none is. They are not each other's opposite. */
static outcome_set row_is_null(eval *v, const plan_expr *row, bool negated) {
    outcome_set all = OUTCOME_TRUE;
    for (size_t i = 0; i < row->arg_count; i++) {
        expr_value one = value_of(v, row->arg[i]);
        bool can = negated ? may_be_value(one) : may_be_null(one),
             cannot = negated ? may_be_null(one) : may_be_value(one);
        all = outcome_and(all, (can ? OUTCOME_TRUE : 0) | (cannot ? OUTCOME_FALSE : 0));
    }
    return all;
}

static expr_value of_is(eval *v, const plan_expr *e) {
    if (e->arg_count != 1) return anything;
    const plan_expr *arg = e->arg[0];
    bool composites = v->x->dialect == DIALECT_postgres || v->x->dialect == DIALECT_redshift;
    if (e->is == IS_NULL && is_row(arg) && composites) return of_outcome(row_is_null(v, arg, e->negated));
    if (is_row(arg) && v->x->dialect == DIALECT_ansi) return of_outcome(OUTCOME_VALUE);
    expr_value a = value_of(v, arg);
    outcome_set holds = e->is == IS_TRUE ? OUTCOME_TRUE : e->is == IS_FALSE ? OUTCOME_FALSE : OUTCOME_NULL;
    outcome_set s = (a.outcome & holds ? OUTCOME_TRUE : 0) | (a.outcome & ~holds ? OUTCOME_FALSE : 0);
    if (e->is == IS_NULL && expr_may_be_composite(v->x, arg) && may_be_value(a)) s = OUTCOME_VALUE;
    return of_outcome(e->negated ? outcome_not(s) : s);
}

/* x IN UNNEST(list), x IN list: nothing is known of how long it is. */
bool expr_list_is_open(const expr_context *x, const plan_expr *e) {
    if (e->arg_count != 2) return false;
    const plan_expr *item = e->arg[1];
    if (item->kind == EXPR_FUNCTION && !expr_literal(item)) {
        bool is_list =
            str_eq(item->name, STR("unnest")) || str_eq(item->name, STR("flatten")) || str_eq(item->name, STR("table"));
        if (is_list) return true;
    }
    if (x->dialect != DIALECT_duckdb) return false;
    type_family f = expr_type(x, item);
    return !expr_literal(item) && (f == FAMILY_UNKNOWN || f == FAMILY_OTHER) && !is_row(item);
}

static expr_value of_in(eval *v, const plan_expr *e) {
    if (e->arg_count < 2) return anything;
    outcome_set any = OUTCOME_FALSE;
    if (expr_list_is_open(v->x, e)) {
        any = may_be_value(value_of(v, e->arg[0])) ? OUTCOME_ANY : OUTCOME_NULL | OUTCOME_FALSE;
        if (v->x->dialect == DIALECT_duckdb) any = OUTCOME_ANY;
    } else {
        for (size_t i = 1; i < e->arg_count; i++) any = outcome_or(any, compare(v, OP_EQ, e->arg[0], e->arg[i]));
    }
    return of_outcome(e->negated ? outcome_not(any) : any);
}

static expr_value of_between(eval *v, const plan_expr *e) {
    if (e->arg_count != 3) return anything;
    const plan_expr *x = e->arg[0], *a = e->arg[1], *b = e->arg[2];
    outcome_set s = outcome_and(compare(v, OP_GE, x, a), compare(v, OP_LE, x, b));
    if (e->from && e->from->symmetric) s = outcome_or(s, outcome_and(compare(v, OP_GE, x, b), compare(v, OP_LE, x, a)));
    return of_outcome(e->negated ? outcome_not(s) : s);
}

static expr_value of_like(eval *v, const plan_expr *e) {
    if (e->arg_count < 2 || !e->from) return anything;
    outcome_set s = OUTCOME_VALUE;
    size_t compared = e->from->like_any ? 1 : 2;
    for (size_t i = 0; i < e->arg_count; i++) {
        expr_value a = value_of(v, e->arg[i]);
        if (may_be_null(a)) s |= OUTCOME_NULL;
        if (!may_be_value(a) && i < compared && !e->from->like_any) return certainly_null;
    }
    if (!e->from->like_any) return of_outcome(s);
    /* The patterns may be an array, and that may be empty. */
    expr_value a = value_of(v, e->arg[0]);
    bool is_all = str_eq_nocase(e->from->text, STR("ALL")), texts = expr_type(v->x, e->arg[1]) == FAMILY_TEXT;
    if (may_be_value(a)) return of_outcome(OUTCOME_ANY);
    s = texts ? OUTCOME_NULL : OUTCOME_NULL | (is_all ? OUTCOME_TRUE : OUTCOME_FALSE);
    return of_outcome(e->negated ? outcome_not(s) : s);
}

/* ---- computations ---- */

static expr_value of_arithmetic(eval *v, const plan_expr *e) {
    bool total, strict = operator_is_strict(v->x, e, &total);
    const plan_expr *literal = expr_literal(e);
    if (literal) return of_literal(literal);
    outcome_set s = total ? OUTCOME_VALUE : OUTCOME_ANY;
    for (size_t i = 0; i < e->arg_count; i++) {
        expr_value a = value_of(v, e->arg[i]);
        if (strict && !may_be_value(a)) return certainly_null;
        if (may_be_null(a)) s |= OUTCOME_NULL;
    }
    return of_outcome(s);
}

/* Does a cast of what is not NULL give what is not NULL? See the header: where unsure, no. */
static bool cast_is_total(eval *v, const plan_expr *e) {
    sql_dialect d = v->x->dialect;
    type_family from = expr_type(v->x, e->arg[0]), to = expr_type_of_name(d, e->type);
    bool to_text = group_of(to) == GROUP_TEXT, hides = from == FAMILY_OTHER || from == FAMILY_UNKNOWN;
    bool is_json = str_eq_nocase(e->type, STR("json")) || str_eq_nocase(e->type, STR("jsonb"));
    if (e->arg_count > 1) return false;
    if (is_json && from == FAMILY_OTHER && d == DIALECT_postgres)
        return true; /* from jsonb or json; nothing else can be cast */
    if (hides)
        return to_text &&
               (d == DIALECT_postgres || d == DIALECT_duckdb || d == DIALECT_bigquery || dialect_is_spark(d));
    if (to_text) return true;
    bool is_time_of_day = group_of(from) == GROUP_TIME && group_of(to) != GROUP_TIME; /* infinity has none */
    if (e->is_try || (is_time_of_day && (d == DIALECT_postgres || d == DIALECT_duckdb))) return false;
    if (!dialect_is_spark(d)) return d != DIALECT_ansi || from == to;
    bool plain = (from == FAMILY_INTEGER && (to == FAMILY_INTEGER || to == FAMILY_FLOAT)) ||
                 (group_of(from) == GROUP_TIME && group_of(to) == GROUP_TIME);
    return plain || from == to;
}

static expr_value of_cast(eval *v, const plan_expr *e) {
    const plan_expr *literal = expr_literal(e);
    if (literal) return of_literal(literal);
    if (e->arg_count == 0) return anything;
    expr_value a = value_of(v, e->arg[0]);
    if (!may_be_value(a)) return certainly_null;
    bool keeps_truth =
        expr_type_of_name(v->x->dialect, e->type) == FAMILY_BOOLEAN && expr_type(v->x, e->arg[0]) == FAMILY_BOOLEAN;
    if (keeps_truth) return (expr_value){a.outcome, a.literal};
    outcome_set s = OUTCOME_VALUE | (may_be_null(a) || !cast_is_total(v, e) ? OUTCOME_NULL : 0);
    return of_outcome(s);
}

/* ---- CASE and its kin ---- */

/* The value of an arm that is reached only if `when` has this outcome. */
static expr_value arm_value(eval *v, const plan_expr *when, bool is_true, const plan_expr *then) {
    if (!v->f || !when) return value_of(v, then);
    colset before = v->present;
    colset more = is_true ? expr_rejects_null(v->x, when) : expr_rejects_null_when_false(v->x, when);
    v->present = colset_union(before, more, v->x->owner);
    expr_value out = value_of(v, then);
    v->present = before;
    return out;
}

static outcome_set when_outcome(eval *v, const plan_expr *subject, const plan_expr *when) {
    return subject ? compare(v, OP_EQ, subject, when) : value_of(v, when).outcome;
}

/* What all earlier conditions that were FALSE, not NULL, say of columns stays in v->present. */
static expr_value of_case(eval *v, const plan_expr *e) {
    bool has_subject = e->from && e->from->has_subject, has_else = e->from && e->from->has_else;
    const plan_expr *subject = has_subject && e->arg_count ? e->arg[0] : NULL;
    size_t end = e->arg_count - (has_else && e->arg_count ? 1 : 0);
    expr_value all = {OUTCOME_NONE, NULL};
    colset before = v->present;
    bool reached = true;
    for (size_t i = has_subject; i + 1 < end && reached; i += 2) {
        outcome_set s = when_outcome(v, subject, e->arg[i]);
        if (s & OUTCOME_TRUE) all = either(v->x, all, arm_value(v, subject ? NULL : e->arg[i], true, e->arg[i + 1]));
        reached = s != OUTCOME_TRUE;
        if (v->f && !subject && !(s & OUTCOME_NULL))
            v->present = colset_union(v->present, expr_rejects_null_when_false(v->x, e->arg[i]), v->x->owner);
    }
    if (reached) all = either(v->x, all, has_else ? value_of(v, e->arg[e->arg_count - 1]) : certainly_null);
    v->present = before;
    return all.outcome ? all : anything;
}

static expr_value of_if(eval *v, const plan_expr *e) {
    if (e->arg_count < 2) return anything;
    outcome_set s = value_of(v, e->arg[0]).outcome;
    expr_value all = {OUTCOME_NONE, NULL};
    if (s & OUTCOME_TRUE) all = either(v->x, all, arm_value(v, e->arg[0], true, e->arg[1]));
    if (s == OUTCOME_TRUE) return all;
    if (e->arg_count < 3) return either(v->x, all, certainly_null);
    return either(v->x, all, arm_value(v, s & OUTCOME_NULL ? NULL : e->arg[0], false, e->arg[2]));
}

static expr_value of_nvl2(eval *v, const plan_expr *e) {
    if (e->arg_count != 3) return anything;
    expr_value a = value_of(v, e->arg[0]), all = {OUTCOME_NONE, NULL};
    if (may_be_value(a)) all = either(v->x, all, value_of(v, e->arg[1]));
    if (may_be_null(a)) all = either(v->x, all, value_of(v, e->arg[2]));
    return all;
}

static expr_value without_null(expr_value a) {
    a.outcome &= OUTCOME_VALUE;
    return a;
}

static expr_value of_coalesce(eval *v, const plan_expr *e) {
    expr_value all = {OUTCOME_NONE, NULL};
    for (size_t i = 0; i < e->arg_count; i++) {
        expr_value a = value_of(v, e->arg[i]);
        if (may_be_value(a)) all = either(v->x, all, without_null(a));
        if (!may_be_null(a)) return all;
    }
    return either(v->x, all, certainly_null);
}

static expr_value of_nullif(eval *v, const plan_expr *e) {
    if (e->arg_count != 2) return anything;
    expr_value a = value_of(v, e->arg[0]);
    if (!may_be_value(a)) return certainly_null;
    outcome_set same = compare(v, OP_EQ, e->arg[0], e->arg[1]);
    if (same == OUTCOME_TRUE) return certainly_null;
    if (outcome_can_be_true(same)) a.outcome |= OUTCOME_NULL;
    return a;
}

/* GREATEST, CONCAT: NULL with one NULL, or only if all are. */
static expr_value of_many(eval *v, const plan_expr *e, null_treatment nulls, bool empty_is_value) {
    bool all_may = true, one_may = false, all_are = true, one_is = false;
    for (size_t i = 0; i < e->arg_count; i++) {
        expr_value a = value_of(v, e->arg[i]);
        all_may &= may_be_null(a), one_may |= may_be_null(a);
        all_are &= !may_be_value(a), one_is |= !may_be_value(a);
    }
    if (nulls == NULLS_SKIPPED && empty_is_value) return of_outcome(OUTCOME_VALUE);
    if (nulls == NULLS_SKIPPED)
        return all_are ? certainly_null : of_outcome(OUTCOME_VALUE | (all_may ? OUTCOME_NULL : 0));
    if (nulls == NULLS_WIN) return one_is ? certainly_null : of_outcome(OUTCOME_VALUE | (one_may ? OUTCOME_NULL : 0));
    return of_outcome(OUTCOME_VALUE | (one_may ? OUTCOME_NULL : 0));
}

/* NULL if one of the first arguments is; a value if none is NULL and the function is total. */
static expr_value of_strict(eval *v, const plan_expr *e, size_t strict, call_total total) {
    outcome_set s = OUTCOME_VALUE | (call_is_total(v->x, e, total) ? 0 : OUTCOME_NULL);
    if (total == TOTAL_NEVER) return of_outcome(s);
    for (size_t i = 0; i < e->arg_count; i++) {
        expr_value a = value_of(v, e->arg[i]);
        if (i < strict && !may_be_value(a)) return certainly_null;
        if (may_be_null(a)) s |= OUTCOME_NULL;
    }
    return of_outcome(s);
}

/* isnull(x) */
static expr_value of_is_null_call(eval *v, const plan_expr *e) {
    if (e->arg_count == 2 && str_eq(e->name, STR("equal_null")))
        return of_outcome(compare(v, OP_NULLSAFE_EQ, e->arg[0], e->arg[1]));
    if (e->arg_count != 1) return anything;
    expr_value a = value_of(v, e->arg[0]);
    outcome_set s = (may_be_null(a) ? OUTCOME_TRUE : 0) | (may_be_value(a) ? OUTCOME_FALSE : 0);
    return of_outcome(str_eq(e->name, STR("isnull")) ? s : outcome_not(s));
}

static expr_value of_function(eval *v, const plan_expr *e) {
    const call_semantics *s = call_semantics_of(e);
    if (!s) return anything;
    switch (s->shape) {
    case SHAPE_STRICT: return of_strict(v, e, SIZE_MAX, s->total);
    case SHAPE_FIRST: return of_strict(v, e, 1, s->total);
    case SHAPE_LOOSE:
        if (s->family == FAMILY_BOOLEAN && s->respects_equality) return of_is_null_call(v, e);
        return of_strict(v, e, 0, s->total);
    case SHAPE_COALESCE: return of_coalesce(v, e);
    case SHAPE_NULLIF: return of_nullif(v, e);
    case SHAPE_IF: return of_if(v, e);
    case SHAPE_NVL2: return of_nvl2(v, e);
    case SHAPE_EXTREME: return of_many(v, e, extreme_nulls(v->x->dialect), false);
    case SHAPE_CONCAT: return of_many(v, e, concat_nulls(v->x->dialect), true);
    case SHAPE_CONCAT_WS: return of_strict(v, e, 1, TOTAL_TEXT);
    case SHAPE_QUANTIFIED: break;
    }
    return anything;
}

/* A row of nothing but NULLs IS NULL in PostgreSQL. */
static expr_value of_row(eval *v, const plan_expr *e) {
    bool all_may = expr_may_be_composite(v->x, e);
    for (size_t i = 0; i < e->arg_count; i++) all_may &= may_be_null(value_of(v, e->arg[i]));
    return of_outcome(all_may ? OUTCOME_ANY : OUTCOME_VALUE);
}

/* Rows, arrays and structs are values though what is in them may be NULL; fields and elements of NULL are NULL. */
static expr_value of_other(eval *v, const plan_expr *e) {
    ast_form form = e->from && e->from->kind == AST_OTHER ? e->from->form : FORM_NONE;
    switch ((int)form) {
    case FORM_ROW: return of_row(v, e);
    case FORM_ARRAY:
    case FORM_STRUCT:
    case FORM_MAP: return of_outcome(OUTCOME_VALUE);
    case FORM_COLLATE: return e->arg_count == 1 ? value_of(v, e->arg[0]) : anything;
    case FORM_ZONE: return of_strict(v, e, SIZE_MAX, TOTAL_OTHERS);
    case FORM_INTERVAL: return of_strict(v, e, SIZE_MAX, TOTAL_OTHERS);
    case FORM_SUBSCRIPT:
    case FORM_SLICE:
    case FORM_FIELD:
    case FORM_PATH: return of_strict(v, e, 1, TOTAL_MAYBE);
    default: break;
    }
    if (str_eq(e->name, STR("field"))) return of_strict(v, e, 1, TOTAL_MAYBE);
    return anything;
}

/* ---- all ---- */

/* The arms that are not reached have their say in the type: coalesce(cast(NULL AS real), 16777217) is another number, and a text of
 * type char has no blanks at its end. */
static expr_value of_arms(eval *v, const plan_expr *e, expr_value out) {
    if (!out.literal || expr_is_null_literal(out.literal)) return out;
    type_family to = expr_type(v->x, e), from = expr_type(v->x, out.literal);
    bool is_rounded = to == FAMILY_FLOAT && literal_of(v->x->dialect, out.literal).digits > 6;
    if (from != to && (is_rounded || to == FAMILY_CHAR || to == FAMILY_TEXT_NOCASE)) out.literal = NULL;
    return out;
}

static expr_value of_junction(eval *v, const plan_expr *e) {
    outcome_set s = e->kind == EXPR_AND ? OUTCOME_TRUE : OUTCOME_FALSE;
    for (size_t i = 0; i < e->arg_count; i++) {
        outcome_set one = value_of(v, e->arg[i]).outcome;
        s = e->kind == EXPR_AND ? outcome_and(s, one) : outcome_or(s, one);
    }
    return of_outcome(s);
}

static expr_value by_kind(eval *v, const plan_expr *e) {
    switch (e->kind) {
    case EXPR_COLUMN: return of_column(v, e->column);
    case EXPR_CONSTANT: return of_constant(e);
    case EXPR_AND:
    case EXPR_OR: return of_junction(v, e);
    case EXPR_NOT: return e->arg_count ? of_outcome(outcome_not(value_of(v, e->arg[0]).outcome)) : anything;
    case EXPR_COMPARE: return of_compare(v, e);
    case EXPR_IS: return of_is(v, e);
    case EXPR_IN: return of_in(v, e);
    case EXPR_BETWEEN: return of_between(v, e);
    case EXPR_LIKE: return of_like(v, e);
    case EXPR_ARITHMETIC: return of_arithmetic(v, e);
    case EXPR_CAST: return of_cast(v, e);
    case EXPR_CASE: return of_arms(v, e, of_case(v, e));
    case EXPR_FUNCTION: return of_arms(v, e, of_function(v, e));
    case EXPR_OTHER: return of_other(v, e);
    case EXPR_OUTER:
    case EXPR_AGGREGATE:
    case EXPR_WINDOW: break;
    }
    return anything;
}

static expr_value value_of(eval *v, const plan_expr *e) {
    if (*v->steps == 0 || v->depth >= EVAL_DEPTH) return anything;
    --*v->steps;
    v->depth++;
    expr_value out = by_kind(v, e);
    v->depth--;
    return out;
}

expr_value expr_evaluate(const expr_context *x, const facts *f, column_id absent, const plan_expr *e, uint32_t *steps) {
    eval v = {.x = x, .f = f, .absent = absent, .steps = steps};
    return value_of(&v, e);
}

/* ---- questions ---- */

outcome_set expr_outcome(const expr_context *x, const facts *f, const plan_expr *e) {
    uint32_t steps = EVAL_STEPS;
    outcome_set s = expr_evaluate(x, f, NO_COLUMN, e, &steps).outcome;
    s &= domain_outcome(x, f, e);
    return s ? s : OUTCOME_ANY;
}

const plan_expr *expr_known_value(const expr_context *x, const facts *f, const plan_expr *e) {
    uint32_t steps = EVAL_STEPS;
    expr_value v = expr_evaluate(x, f, NO_COLUMN, e, &steps);
    if (e->is_volatile || v.outcome == OUTCOME_NONE) return NULL;
    if (!may_be_value(v)) return literal_new(x->owner, AST_NULL, STR("NULL"), STR(""));
    if (v.literal && !may_be_null(v)) return v.literal;
    if (expr_type(x, e) != FAMILY_BOOLEAN) return NULL;
    outcome_set s = v.outcome & domain_outcome(x, f, e);
    if (s != OUTCOME_TRUE && s != OUTCOME_FALSE) return NULL;
    return literal_new(x->owner, AST_BOOLEAN, s == OUTCOME_TRUE ? STR("true") : STR("false"), STR(""));
}

static column_id passed(eval *v, const plan_expr *e);

static column_id passed_by_coalesce(eval *v, const plan_expr *e) {
    for (size_t i = 0; i < e->arg_count; i++) {
        expr_value a = value_of(v, e->arg[i]);
        if (may_be_value(a)) return may_be_null(a) && i + 1 < e->arg_count ? NO_COLUMN : passed(v, e->arg[i]);
    }
    return NO_COLUMN;
}

static column_id passed_by_case(eval *v, const plan_expr *e) {
    bool has_subject = e->from && e->from->has_subject, has_else = e->from && e->from->has_else;
    size_t end = e->arg_count - (has_else && e->arg_count ? 1 : 0);
    for (size_t i = has_subject; i + 1 < end; i += 2) {
        outcome_set s = when_outcome(v, has_subject ? e->arg[0] : NULL, e->arg[i]);
        if (s == OUTCOME_TRUE) return passed(v, e->arg[i + 1]);
        if (outcome_can_be_true(s)) return NO_COLUMN;
    }
    return has_else ? passed(v, e->arg[e->arg_count - 1]) : NO_COLUMN;
}

static column_id passed(eval *v, const plan_expr *e) {
    if (*v->steps == 0 || v->depth >= EVAL_DEPTH) return NO_COLUMN;
    --*v->steps;
    v->depth++;
    column_id id = NO_COLUMN;
    const call_semantics *s = call_semantics_of(e);
    if (e->kind == EXPR_COLUMN)
        id = e->column;
    else if (e->kind == EXPR_CASE)
        id = passed_by_case(v, e);
    else if (s && s->shape == SHAPE_COALESCE)
        id = passed_by_coalesce(v, e);
    v->depth--;
    return id;
}

/* The arms that are never reached have their say in the type: coalesce(1, 0.5e0) is a float. */
static bool keeps_type(const expr_context *x, column_id id, const plan_expr *e) {
    type_family from = expr_column_type(x, id), to = expr_type(x, e);
    if (from == to || from == FAMILY_UNKNOWN) return from != FAMILY_OTHER; /* of many types */
    return family_is_number(from) && family_is_number(to) && from != FAMILY_FLOAT && to != FAMILY_FLOAT;
}

column_id expr_passed_column(const expr_context *x, const facts *f, const plan_expr *e) {
    uint32_t steps = EVAL_STEPS;
    eval v = {.x = x, .f = f, .absent = NO_COLUMN, .steps = &steps};
    column_id id = e->is_volatile ? NO_COLUMN : passed(&v, e);
    return id == NO_COLUMN || e->kind == EXPR_COLUMN || keeps_type(x, id, e) ? id : NO_COLUMN;
}

bool expr_is_not_null(const expr_context *x, const facts *f, const plan_expr *e) {
    uint32_t steps = EVAL_STEPS;
    return !may_be_null(expr_evaluate(x, f, NO_COLUMN, e, &steps));
}
