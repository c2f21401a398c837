/* expr_lab.h - expressions bound from SQL, for tests of what is told of them.
 * Called by: tests/unit/test_expr*.c, test_domain.c.  Must not know: what is right.
 */
#ifndef TESTS_UNIT_EXPR_LAB_H
#define TESTS_UNIT_EXPR_LAB_H

#include "in_door.h"

#include "grain/domain.h"
#include "plan/bind.h"
#include "plan/ddl.h"
#include "sql/parse.h"

typedef struct expr_lab {
    arena *owner;
    expr_context x;
    evidence_list evidence;
    facts f;                /* of the rows of the table: NOT NULL columns */
    const plan_node *scan;  /* the first one */
    const plan_expr *where; /* the condition, all conjuncts */
} expr_lab;

/* `SELECT ... FROM t WHERE condition` over one table. */
static inline expr_lab lab_bind(arena *a, sql_dialect dialect, const char *ddl, const char *sql) {
    lp_err err;
    catalog c;
    sql_script script;
    const plan *p;
    str text = str_from(sql);
    if (catalog_from_ddl(a, str_from(ddl), dialect, &c, &err) != LP_OK) fail_msg("%s", err.text);
    if (sql_parse_script(a, text, dialect, &script, &err) != LP_OK || script.statement_count != 1)
        fail_msg("no parse: %s", sql);
    if (plan_bind(a, text, dialect, script.statement[0]->query, &c, &p, &err) != LP_OK) fail_msg("%s", err.text);
    expr_lab lab = {.owner = a, .x = expr_context_new(p, dialect, a)};
    evidence_init(&lab.evidence, a);
    for (size_t i = 0; i < p->node_count; i++) {
        const plan_node *n = p->node[i];
        if (n->kind == PLAN_SCAN && !lab.scan) lab.scan = n;
        if (n->kind != PLAN_FILTER || lab.where) continue;
        plan_expr *both = ARENA_NEW(a, plan_expr);
        *both = (plan_expr){
            .kind = EXPR_AND, .arg = n->filter.condition, .arg_count = n->filter.condition_count, .size = 1};
        for (size_t k = 0; k < both->arg_count; k++) {
            colset_add_all(&both->columns, both->arg[k]->columns, a);
            both->is_volatile |= both->arg[k]->is_volatile;
        }
        lab.where = both->arg_count == 1 ? both->arg[0] : both;
    }
    facts_init(&lab.f, a, &lab.evidence);
    colset fixed = COLSET_EMPTY;
    for (size_t i = 0; lab.scan && i < lab.scan->column_count; i++) {
        column_id id = lab.scan->column[i];
        colset_add(&lab.f.all, id, a);
        if (p->column[id].declared && p->column[id].declared->is_not_null) colset_add(&fixed, id, a);
    }
    facts_add_not_null(&lab.f, fixed, EVIDENCE_SQL);
    return lab;
}

/* An expression over t, by its condition: the lab's `where` is it. */
static inline expr_lab lab_of(arena *a, sql_dialect dialect, const char *ddl, const char *expression) {
    return lab_bind(a, dialect, ddl, str_format(a, "SELECT 1 FROM t WHERE %s", expression).ptr);
}

/* An expression that is no condition: the first column of a select list. */
static inline const plan_expr *lab_item(expr_lab *lab, arena *a, sql_dialect dialect, const char *ddl,
                                        const char *expression) {
    *lab = lab_bind(a, dialect, ddl, str_format(a, "SELECT %s AS item FROM t", expression).ptr);
    column_id id = lab->x.plan->result[0].column;
    const plan_expr *e = lab->x.plan->column[id].definition;
    if (e) return e;
    plan_expr *column = ARENA_NEW(a, plan_expr);
    *column = (plan_expr){.kind = EXPR_COLUMN, .column = id, .size = 1};
    colset_add(&column->columns, id, a);
    return column;
}

/* The names of a set: "a b". */
static inline str lab_names(const expr_lab *lab, colset s) {
    str out = STR("");
    column_id id = 0;
    for (; colset_next(s, id, &id); id++)
        out = str_format(lab->owner, STR_FMT "%s" STR_FMT, STR_ARG(out), out.len ? " " : "",
                         STR_ARG(lab->x.plan->column[id].name));
    return out;
}

#endif
