/* expr_equal.c - what equal columns say of the value of an expression.
 * Called by: op_*.c.  Must not know: operators of the plan.
 */
#include "grain/domain_int.h"
#include "grain/expr_int.h"

/* In two rows with equal columns: is the value equal, is it the very same? The second implies the first. */
typedef struct sameness {
    certainty equal, identical;
} sameness;

typedef struct walk {
    const expr_context *x;
    uint32_t steps, depth;
} walk;

static sameness both(sameness a, sameness b) {
    return (sameness){worse(a.equal, b.equal), worse(a.identical, b.identical)};
}

static certainty family_is_exact(type_family f) {
    switch (f) {
    case FAMILY_INTEGER:
    case FAMILY_DECIMAL:
    case FAMILY_TEXT:
    case FAMILY_BOOLEAN:
    case FAMILY_DATE:
    case FAMILY_TIMESTAMP:
    case FAMILY_TIMESTAMP_ZONED:
    case FAMILY_TIME:
    case FAMILY_BINARY:
    case FAMILY_UUID: return CERTAIN;
    case FAMILY_UNKNOWN:
    case FAMILY_FLOAT: /* all but zero, which has two signs */
    case FAMILY_CHAR: return PRESUMED;
    case FAMILY_NUMERIC:
    case FAMILY_TEXT_NOCASE:
    case FAMILY_OTHER: break;
    }
    return UNCERTAIN;
}

/* One instant in two zones is shown as two clock times, where values keep their zone: TIMESTAMP_TZ in Snowflake, all in Trino. */
static bool keeps_zone(const expr_context *x, type_family f) {
    return f == FAMILY_TIMESTAMP_ZONED && (x->dialect == DIALECT_snowflake || dialect_is_trino(x->dialect));
}

static sameness of_leaf(const expr_context *x, type_family f) {
    return (sameness){CERTAIN, keeps_zone(x, f) ? UNCERTAIN : family_is_exact(f)};
}

static sameness same_of(walk *w, const plan_expr *e);

static sameness of_args(walk *w, const plan_expr *e) {
    sameness all = {CERTAIN, CERTAIN};
    for (size_t i = 0; i < e->arg_count; i++) all = both(all, same_of(w, e->arg[i]));
    return all;
}

/* Computes the same from the very same, whatever it is. */
static sameness of_any(walk *w, const plan_expr *e, certainty known) {
    sameness all = of_args(w, e);
    certainty c = worse(all.identical, known);
    return (sameness){c, c};
}

enum { TEXT_DEPTH = 8 }; /* rows in rows */

typedef struct text_kinds {
    bool has_nocase, has_case;
} text_kinds;

static void add_kinds(walk *w, const plan_expr *e, text_kinds *kinds, uint32_t depth) {
    for (size_t i = 0; i < e->arg_count && depth < TEXT_DEPTH; i++) {
        type_family f = expr_type(w->x, e->arg[i]);
        if (is_row(e->arg[i])) add_kinds(w, e->arg[i], kinds, depth + 1);
        kinds->has_nocase |= f == FAMILY_TEXT_NOCASE;
        kinds->has_case |= (f == FAMILY_TEXT || f == FAMILY_CHAR || f == FAMILY_UNKNOWN) && !expr_literal(e->arg[i]);
    }
}

/* Beside a text whose case counts, that of citext counts too: 'A' and 'a' are equal, and one of them is 'a'. */
static bool tells_case(walk *w, const plan_expr *e) {
    text_kinds kinds = {0};
    if (w->x->dialect == DIALECT_postgres) add_kinds(w, e, &kinds, 0);
    return kinds.has_nocase && kinds.has_case;
}

/* Cannot tell equal arguments apart, and the result is one of them or a number. */
static sameness of_respectful(walk *w, const plan_expr *e) {
    if (tells_case(w, e)) return of_any(w, e, CERTAIN);
    sameness all = of_args(w, e);
    type_family f = expr_type(w->x, e);
    bool may_be_cast = f == FAMILY_UNKNOWN || f == FAMILY_OTHER; /* arguments of two types: an interval beside JSON is printed */
    certainty plain = may_be_cast ? worse(all.equal, PRESUMED) : all.equal;
    if (all.identical == CERTAIN) plain = CERTAIN;
    return (sameness){plain < all.identical ? plain : all.identical, all.identical};
}

/* The outcome is TRUE, FALSE or NULL: equal is identical. */
static sameness of_condition(walk *w, const plan_expr *e) {
    if (tells_case(w, e)) return of_any(w, e, CERTAIN);
    sameness all = of_args(w, e);
    return (sameness){all.equal, all.equal};
}

/* + - * of numbers. Quotients have digits by the scales of their operands. */
static sameness of_arithmetic(walk *w, const plan_expr *e) {
    bool is_chain = e->from && e->from->kind == AST_CHAIN, plain = true, numbers = true;
    for (size_t i = 0; i < e->arg_count; i++) {
        ast_op op = is_chain && i ? e->from->link[i - 1].op : e->op;
        plain &= op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_PLUS || op == OP_MINUS;
        numbers &= family_is_number(expr_type(w->x, e->arg[i]));
    }
    return plain && numbers ? of_respectful(w, e) : of_any(w, e, CERTAIN);
}

/* Between numbers a cast keeps equality, but not where it rounds text; all else may show what equality hides. */
static sameness of_cast(walk *w, const plan_expr *e) {
    type_family from = e->arg_count ? expr_type(w->x, e->arg[0]) : FAMILY_UNKNOWN;
    type_family to = expr_type_of_name(w->x->dialect, e->type);
    bool numbers = family_is_number(from) && family_is_number(to);
    if (!numbers) return of_any(w, e, CERTAIN);
    sameness all = of_args(w, e);
    bool rounds = to == FAMILY_INTEGER || (to == FAMILY_DECIMAL && from != FAMILY_FLOAT);
    return (sameness){all.equal, rounds ? all.equal : all.identical};
}

/* CASE x WHEN 1.0: its conditions do not tell equal values apart, and its value is one of the arms. */
static sameness of_case(walk *w, const plan_expr *e) {
    return of_respectful(w, e);
}

static sameness of_function(walk *w, const plan_expr *e) {
    const call_semantics *s = call_semantics_of(e);
    if (!s) return of_any(w, e, e->arg_count == 0 && e->from && e->from->is_bare ? CERTAIN : PRESUMED);
    return s->respects_equality ? of_respectful(w, e) : of_any(w, e, CERTAIN);
}

/* `$1` is a column by position in Snowflake. */
static bool is_position(const expr_context *x, const plan_expr *e) {
    str text = e->is_parameter && e->from && e->from->piece ? e->from->piece[0] : STR("");
    return x->dialect == DIALECT_snowflake && text.len > 1 && text.ptr[0] == '$' && text.ptr[1] >= '0' &&
           text.ptr[1] <= '9';
}

static sameness by_kind(walk *w, const plan_expr *e) {
    static const sameness never = {UNCERTAIN, UNCERTAIN};
    switch (e->kind) {
    case EXPR_COLUMN:
    case EXPR_OUTER: return of_leaf(w->x, expr_column_type(w->x, e->column));
    case EXPR_CONSTANT: return is_position(w->x, e) ? never : (sameness){CERTAIN, CERTAIN};
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_NOT:
    case EXPR_COMPARE:
    case EXPR_IS:
    case EXPR_IN:
    case EXPR_BETWEEN: return of_condition(w, e);
    case EXPR_ARITHMETIC: return of_arithmetic(w, e);
    case EXPR_CAST: return of_cast(w, e);
    case EXPR_CASE: return of_case(w, e);
    case EXPR_FUNCTION: return of_function(w, e);
    case EXPR_LIKE:
    case EXPR_OTHER: return is_row(e) ? of_args(w, e) : of_any(w, e, CERTAIN);
    case EXPR_AGGREGATE:
    case EXPR_WINDOW: break;
    }
    return never;
}

static sameness same_of(walk *w, const plan_expr *e) {
    static const sameness never = {UNCERTAIN, UNCERTAIN};
    if (w->steps == 0 || w->depth >= EVAL_DEPTH || e->is_volatile) return never;
    w->steps--;
    w->depth++;
    sameness s = by_kind(w, e);
    w->depth--;
    return s;
}

certainty expr_is_function_of_columns(const expr_context *x, const plan_expr *e) {
    if (is_quantified(e)) return UNCERTAIN; /* ANY of an array: no value, but many */
    walk w = {.x = x, .steps = EVAL_STEPS};
    return same_of(&w, e).equal;
}

bool expr_is_constant(const expr_context *x, const facts *f, const plan_expr *e) {
    if (e->is_volatile || e->kind == EXPR_AGGREGATE || e->kind == EXPR_WINDOW) return false;
    bool fixed = colset_is_subset(e->columns, f->constant);
    if (fixed && expr_is_function_of_columns(x, e) == CERTAIN) return true;
    uint32_t steps = EVAL_STEPS;
    expr_value v = expr_evaluate(x, f, NO_COLUMN, e, &steps);
    if (v.outcome == OUTCOME_NULL || (v.literal && !(v.outcome & OUTCOME_NULL))) return true;
    if (expr_type(x, e) != FAMILY_BOOLEAN) return false;
    outcome_set s = v.outcome & domain_outcome(x, f, e);
    return s == OUTCOME_TRUE || s == OUTCOME_FALSE || s == OUTCOME_NULL;
}
