/* scan_checks.c - CHECK constraints, generated columns and accepted values as facts of a scan.
 * Called by: op_scan.c, op_cte.c.  Must not know: other declarations.
 *
 * A CHECK is not FALSE for any row, so what it says holds where it is not NULL: it bounds the values of columns, and makes
 * two columns equal only where both are known not to be NULL.
 */
#include "base/buf.h"
#include "grain/scan_int.h"
#include "sql/parse.h"

static bool bind_check(scan *s, const declaration *d, const plan_expr **out) {
    lp_err err;
    column_id *id = ARENA_ARRAY(s->m->owner, column_id, s->count + 1);
    str *name = ARENA_ARRAY(s->m->owner, str, s->count + 1);
    for (size_t i = 0; i < s->count; i++) id[i] = s->named[i].id, name[i] = s->named[i].name;
    return plan_bind_over(s->m->owner, d->check_text, s->m->dialect, id, name, s->count, d->check, out, &err) == LP_OK;
}

static void use_check(scan *s, const plan_expr *e, evidence_id why) {
    if (e->kind == EXPR_AND) {
        for (size_t i = 0; i < e->arg_count; i++) use_check(s, e->arg[i], why);
        return;
    }
    if (e->is_volatile) return;
    domain_learn(&s->m->expr, s->f, e, true, why);
    bool is_true = colset_is_subset(e->columns, s->f->not_null) && expr_is_not_null(&s->m->expr, s->f, e);
    if (is_true) learn_condition(s->m, s->f, e);
}

/* Is the column what the expression gives, not rounded or cut to another type? */
static bool keeps_value(const scan *s, column_id made, const plan_expr *e) {
    const catalog_column *declared = made < s->m->plan->column_count ? s->m->plan->column[made].declared : NULL;
    size_t at;
    if (!declared || str_find_char(declared->type, '(', &at)) return false;
    return expr_column_type(&s->m->expr, made) == expr_type(&s->m->expr, e);
}

static void use_generated(scan *s, column_id made, const plan_expr *e, evidence_id why) {
    if (keeps_value(s, made, e)) {
        op_define(s->m, s->f, made, e);
        return;
    }
    certainty how = expr_is_function_of_columns(&s->m->expr, e);
    if (how != UNCERTAIN)
        facts_add_dependency(s->f, (fact_dependency){.from = e->columns, .to = op_single(s->m, made), .is_presumed = how == PRESUMED, .why = why});
}

/* ---- accepted values ---- */

static bool put_values(buf *text, const declaration *d) {
    for (size_t i = 0; i < d->value_count; i++) {
        size_t at;
        bool is_plain = !str_find_char(d->value[i], '\'', &at) && !str_find_char(d->value[i], '\\', &at);
        if (!is_plain) return false;
        buf_printf(text, "%s'" STR_FMT "'", i ? ", " : "", STR_ARG(d->value[i]));
    }
    buf_put_char(text, ')');
    return true;
}

/* As the test compares them: as texts, which are numbers where the column is one. */
static void use_values(scan *s, const declaration *d) {
    arena *owner = s->m->owner;
    column_id id = d->column_count == 1 ? scan_find(s, d, 0) : NO_COLUMN;
    if (id == NO_COLUMN || !d->value_count) return;
    buf text;
    buf_init(&text, owner, SIZE_MAX / 2);
    buf_put(&text, STR("c IN ("));
    if (!put_values(&text, d)) return;
    const ast *tree;
    const plan_expr *e;
    lp_err err;
    str name = STR("c");
    str condition = buf_str(&text);
    if (sql_parse_expression(owner, condition, s->m->dialect, &tree, &err) != LP_OK) return;
    if (plan_bind_over(owner, condition, s->m->dialect, &id, &name, 1, tree, &e, &err) != LP_OK) return;
    domain_learn(&s->m->expr, s->f, e, true,
                 evidence_add(&s->m->evidence, (evidence){.kind = EVIDENCE_DECLARED, .node = s->node, .declared = d}));
}

/* ---- keys under a condition ---- */

/* SQL over the columns of the scan. */
static bool bind_text(scan *s, str text, const plan_expr **out) {
    lp_err err;
    const ast *tree;
    column_id *id = ARENA_ARRAY(s->m->owner, column_id, s->count + 1);
    str *name = ARENA_ARRAY(s->m->owner, str, s->count + 1);
    for (size_t i = 0; i < s->count; i++) id[i] = s->named[i].id, name[i] = s->named[i].name;
    return sql_parse_expression(s->m->owner, text, s->m->dialect, &tree, &err) == LP_OK &&
           plan_bind_over(s->m->owner, text, s->m->dialect, id, name, s->count, tree, out, &err) == LP_OK;
}

/* A test with a `where`: a key of the rows that meet it. Its columns are all columns that the rows have. */
static void use_conditional(scan *s, const declaration *d) {
    const plan_expr *e;
    fact_conditional c = {.is_key = true, .all = s->f->all};
    for (size_t i = 0; i < d->column_count; i++) {
        column_id id = scan_find(s, d, i);
        if (id == NO_COLUMN) return;
        colset_add(&c.columns, id, s->m->owner);
    }
    if (!d->is_strict) c.needs = c.columns;
    c.why = evidence_add(&s->m->evidence, (evidence){.kind = EVIDENCE_DECLARED, .node = s->node, .declared = d});
    if (bind_text(s, d->condition, &e) && condition_atoms(e, &c)) facts_add_conditional(s->f, &c);
}

/* ---- keys over expressions: unique of a || '-' || b ---- */

/* Two rows that agree on the columns of an expression agree on its value, so the columns are a key where the expression is. It must
 * not be NULL where they are not, if the test leaves NULLs out. */
static void use_expressions(scan *s, const declaration *d) {
    fact_key key = {.columns = COLSET_EMPTY};
    facts full = facts_copy(s->f);
    for (size_t i = 0; i < d->column_count; i++) {
        const plan_expr *e = NULL;
        column_id id = d->is_expression[i] ? NO_COLUMN : scan_find(s, d, i);
        if (id != NO_COLUMN) {
            colset_add(&key.columns, id, s->m->owner);
            continue;
        }
        if (!d->is_expression[i] || !bind_text(s, d->column[i], &e) || colset_is_empty(e->columns)) return;
        certainty how = expr_is_function_of_columns(&s->m->expr, e);
        if (how == UNCERTAIN) return;
        key.is_presumed |= how == PRESUMED;
        colset_add_all(&key.columns, e->columns, s->m->owner);
        facts_add_not_null(&full, e->columns, EVIDENCE_SQL);
        if (!d->is_strict && !expr_is_not_null(&s->m->expr, &full, e)) return;
    }
    if (!d->is_strict) key.needs = key.columns;
    key.why = evidence_add(&s->m->evidence, (evidence){.kind = EVIDENCE_DECLARED, .node = s->node, .declared = d});
    facts_add_key(s->f, key);
}

void scan_checks(scan *s, declaration_list list) {
    for (size_t i = 0; i < list.count; i++) {
        const declaration *d = list.item[i];
        const plan_expr *e;
        if (d->is_usable_if) use_conditional(s, d);
        if (d->is_expression) use_expressions(s, d);
        if (d->kind == DECLARED_VALUES && d->is_usable && !d->condition.len) use_values(s, d);
        bool is_check = d->kind == DECLARED_CHECK || d->kind == DECLARED_GENERATED;
        if (!is_check || !d->is_usable || !d->check || !bind_check(s, d, &e)) continue;
        evidence_id why = evidence_add(&s->m->evidence, (evidence){.kind = EVIDENCE_DECLARED, .node = s->node, .declared = d});
        column_id made = d->kind == DECLARED_GENERATED ? scan_find(s, d, 0) : NO_COLUMN;
        if (d->kind == DECLARED_CHECK)
            use_check(s, e, why);
        else if (made != NO_COLUMN)
            use_generated(s, made, e, why);
    }
}
