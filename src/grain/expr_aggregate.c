/* expr_aggregate.c - can the result of an aggregate or of a window function be NULL?
 * Called by: op_aggregate.c, op_window.c.  Must not know: keys and dependencies.
 */
#include "grain/expr_int.h"

#include <stdlib.h>

typedef enum result_rule {
    RESULT_MAYBE,
    RESULT_NEVER,
    RESULT_VALUES,
    RESULT_SUMS,
    RESULT_ROWS,
    RESULT_NUMBER,
    RESULT_FRAME,
    RESULT_SHIFT
} result_rule;

typedef struct result_row {
    const char *name;
    result_rule rule;
} result_row;

static const result_row aggregates[] = {
#define AGGREGATE(function, way) {function, RESULT_##way},
#include "grain/aggregate.def"
};
static const result_row windows[] = {
#define WINDOW(function, way) {function, RESULT_##way},
#include "grain/aggregate.def"
};

static result_rule rule_of(const result_row *row, size_t count, str name) {
    for (size_t i = 0; i < count; i++)
        if (str_eq_nocase(name, str_from(row[i].name))) return row[i].rule;
    return RESULT_MAYBE;
}

static const ast_call *call_of(const plan_expr *e) {
    return e->from && e->from->kind == AST_CALL && e->from->form == FORM_FUNCTION ? e->from->call : NULL;
}

/* An aggregate of a schema of its own may be anything. */
static bool is_known_call(const plan_expr *e) {
    const ast_call *call = call_of(e);
    return call && (call->name.part_count < 2 || str_eq_nocase(call->name.part[0].text, STR("pg_catalog")));
}

/* FILTER and the like leave rows out, perhaps all of them. */
static bool keeps_rows(const plan_expr *e) {
    const ast_call *call = call_of(e);
    return call && !e->is_filtered && !call->filter && !call->having && !call->limit;
}

static bool args_not_null(const expr_context *x, const facts *f, const plan_expr *e) {
    for (size_t i = 0; i < e->arg_count; i++)
        if (!expr_is_not_null(x, f, e->arg[i])) return false;
    return e->arg_count > 0;
}

/* In Spark a sum that does not fit, and a text that is no number, are NULL. */
static bool sums_fit(const expr_context *x, const plan_expr *e) {
    if (!dialect_is_spark(x->dialect)) return true;
    type_family f = e->arg_count ? expr_type(x, e->arg[0]) : FAMILY_UNKNOWN;
    return f == FAMILY_INTEGER || f == FAMILY_FLOAT;
}

static bool over_rows(const expr_context *x, const facts *f, const plan_expr *e, result_rule rule, bool has_rows) {
    const ast_call *call = call_of(e);
    bool collects =
        rule == RESULT_ROWS && (x->dialect == DIALECT_postgres || x->dialect == DIALECT_duckdb) && e->arg_count > 0;
    if (rule == RESULT_MAYBE || !has_rows || !keeps_rows(e)) return false;
    if (collects && !(call && call->treatment == SQL_TREATMENT_IGNORE)) return true;
    if (rule == RESULT_SUMS && !sums_fit(x, e)) return false;
    return args_not_null(x, f, e);
}

bool expr_aggregate_is_not_null(const expr_context *x, const facts *f, const plan_expr *call, bool has_rows) {
    if (!is_known_call(call)) return false;
    result_rule rule = rule_of(aggregates, sizeof aggregates / sizeof *aggregates, call->name);
    return rule == RESULT_NEVER || over_rows(x, f, call, rule, has_rows);
}

/* Does the frame of every row hold the row itself? */
static bool frame_holds_row(const sql_window *w) {
    if (!w || w->frame == SQL_FRAME_NONE) return true;
    bool starts = w->start.kind == SQL_BOUND_UNBOUNDED_PRECEDING || w->start.kind == SQL_BOUND_PRECEDING ||
                  w->start.kind == SQL_BOUND_CURRENT_ROW;
    bool ends = !w->has_end || w->end.kind == SQL_BOUND_CURRENT_ROW || w->end.kind == SQL_BOUND_FOLLOWING ||
                w->end.kind == SQL_BOUND_UNBOUNDED_FOLLOWING;
    bool stays =
        w->exclude.len == 0 || str_eq_nocase(w->exclude, STR("NO OTHERS")) || str_eq_nocase(w->exclude, STR("TIES"));
    return starts && ends && stays;
}

/* lag(x, 1, 0): the step must be a number that is there. */
static bool shift_is_not_null(const expr_context *x, const facts *f, const plan_expr *e) {
    if (e->arg_count != 3 || !args_not_null(x, f, e)) return false;
    return expr_literal(e->arg[1]) != NULL;
}

bool expr_window_is_not_null(const expr_context *x, const facts *f, const plan_window *w, const plan_expr *call) {
    if (!is_known_call(call)) return false;
    result_rule rule = rule_of(windows, sizeof windows / sizeof *windows, call->name);
    switch (rule) {
    case RESULT_NEVER: return true;
    case RESULT_NUMBER: return args_not_null(x, f, call);
    case RESULT_FRAME: return frame_holds_row(w->from) && keeps_rows(call) && args_not_null(x, f, call);
    case RESULT_SHIFT: return shift_is_not_null(x, f, call);
    case RESULT_MAYBE: return expr_aggregate_is_not_null(x, f, call, frame_holds_row(w->from));
    case RESULT_VALUES:
    case RESULT_SUMS:
    case RESULT_ROWS: break;
    }
    return false;
}
