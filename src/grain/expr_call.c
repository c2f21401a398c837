/* expr_call.c - what is known of functions and operators: the rows of function.def, by dialect.
 * Called by: grain/expr_*.c.  Must not know: facts.
 */
#include "grain/expr_int.h"

#include <stdlib.h>
#include <string.h>

#define FAMILY_FIRST  FAMILY_UNKNOWN
#define FAMILY_MERGED FAMILY_UNKNOWN
enum { EQUALITY_EQUAL = true, EQUALITY_SAME = false };
#define SEMANTICS(function, form, never_null, equality, result)                                                        \
    {.name = function,                                                                                                 \
     .shape = SHAPE_##form,                                                                                            \
     .total = TOTAL_##never_null,                                                                                      \
     .respects_equality = EQUALITY_##equality,                                                                         \
     .family = FAMILY_##result,                                                                                        \
     .is_first = sizeof #result == sizeof "FIRST" && #result[1] == 'I' && #result[0] == 'F',                           \
     .is_merged = sizeof #result == sizeof "MERGED" && #result[0] == 'M'},
static const call_semantics calls[] = {
#include "grain/function.def"
};

typedef struct operator_row {
    const char *text;
    call_total total;
} operator_row;
#define OPERATOR_SEMANTICS(words, never_null) {words, TOTAL_##never_null},
static const operator_row operators[] = {
#include "grain/function.def"
};

static int by_name(const void *key, const void *row) {
    return str_compare(*(const str *)key, str_from(*(const char *const *)row));
}

/* SAFE.f(x), pg_catalog.f(x): still the function that everybody knows. */
static bool is_own_schema(const plan_expr *e) {
    const ast_call *call =
        e->from && e->from->kind == AST_CALL && e->from->form == FORM_FUNCTION ? e->from->call : NULL;
    if (!call || call->name.part_count < 2) return false;
    str schema = call->name.part[0].text;
    return !(str_eq_nocase(schema, STR("safe")) || str_eq_nocase(schema, STR("pg_catalog")));
}

const call_semantics *call_semantics_of(const plan_expr *e) {
    if (e->kind != EXPR_FUNCTION || is_own_schema(e)) return NULL;
    return bsearch(&e->name, calls, sizeof calls / sizeof *calls, sizeof *calls, by_name);
}

/* ---- dialects ---- */

null_treatment concat_nulls(sql_dialect d) {
    if (d == DIALECT_postgres || d == DIALECT_duckdb) return NULLS_SKIPPED;
    return d == DIALECT_ansi ? NULLS_UNKNOWN : NULLS_WIN;
}

null_treatment extreme_nulls(sql_dialect d) {
    if (d == DIALECT_postgres || d == DIALECT_duckdb || d == DIALECT_redshift || dialect_is_spark(d))
        return NULLS_SKIPPED;
    return d == DIALECT_ansi ? NULLS_UNKNOWN : NULLS_WIN;
}

bool dialect_compares_rows_safely(sql_dialect d) {
    return d == DIALECT_duckdb || dialect_is_spark(d);
}

/* ---- never NULL over what is not NULL ---- */

/* A value whose type may hold a NULL of its own: JSON null, VARIANT, SUPER. */
static bool may_hide_null(const expr_context *x, const plan_expr *e) {
    type_family f = expr_type(x, e);
    bool by_guess = x->dialect == DIALECT_snowflake || x->dialect == DIALECT_redshift;
    return f == FAMILY_OTHER || (f == FAMILY_UNKNOWN && by_guess);
}

static bool all_of(const expr_context *x, const plan_expr *e, size_t first, type_family a, type_family b) {
    for (size_t i = first; i < e->arg_count; i++) {
        type_family f = expr_type(x, e->arg[i]);
        if (f != a && f != b) return false;
    }
    return true;
}

bool call_is_total(const expr_context *x, const plan_expr *e, call_total total) {
    sql_dialect d = x->dialect;
    if (total == TOTAL_NEVER) return true;
    bool is_safe = e->from && e->from->kind == AST_CALL && e->from->form == FORM_FUNCTION && e->from->call &&
                   e->from->call->name.part_count > 1;
    for (size_t i = 0; i < e->arg_count && total != TOTAL_PREDICATE; i++) is_safe |= may_hide_null(x, e->arg[i]);
    if (is_safe) return false; /* SAFE.f(x) is NULL instead of an error */
    switch (total) {
    case TOTAL_TEXT: return true;
    case TOTAL_PLACES: return all_of(x, e, 1, FAMILY_INTEGER, FAMILY_INTEGER);
    case TOTAL_NUMBER: return !dialect_is_spark(d) || all_of(x, e, 0, FAMILY_INTEGER, FAMILY_FLOAT);
    case TOTAL_OTHERS: return !dialect_is_spark(d) && d != DIALECT_ansi;
    case TOTAL_CALENDAR:
        return d == DIALECT_snowflake || d == DIALECT_bigquery || d == DIALECT_redshift || dialect_is_trino(d);
    case TOTAL_PREDICATE: return d == DIALECT_postgres;
    case TOTAL_MAYBE:
    case TOTAL_NEVER: break;
    }
    return false;
}

/* ---- operators ---- */

/* Arrays are joined with || though one side is NULL. A text literal that is no array keeps arrays away. */
static bool is_text_operand(const expr_context *x, const plan_expr *e) {
    const plan_expr *literal = expr_literal(e);
    if (literal) {
        str text = literal_of(x->dialect, literal).text;
        return text.len > 0 && text.ptr[0] != '{' && text.ptr[0] != '[';
    }
    type_family f = expr_type(x, e);
    return f != FAMILY_UNKNOWN && f != FAMILY_OTHER && (f != FAMILY_INTEGER || x->dialect == DIALECT_snowflake);
}

/* An integer beside an array is appended to it. Beside a text all is text, and everything to the right of it. */
static bool concat_is_strict(const expr_context *x, const plan_expr *e) {
    for (size_t i = 0; i < e->arg_count; i++) {
        type_family f = expr_type(x, e->arg[i]);
        bool is_text = f == FAMILY_TEXT || f == FAMILY_CHAR || f == FAMILY_TEXT_NOCASE;
        bool in_reach = i < 2; /* a || b || c: the first two decide what is joined */
        if (in_reach && is_text && is_text_operand(x, e->arg[i])) return true;
    }
    return false;
}

typedef struct operator_traits {
    bool is_strict, is_total;
} operator_traits;

static operator_traits of_text(const expr_context *x, const plan_expr *e, str text) {
    const operator_row *row =
        bsearch(&text, operators, sizeof operators / sizeof *operators, sizeof *operators, by_name);
    return row ? (operator_traits){true, call_is_total(x, e, row->total)} : (operator_traits){false, false};
}

static bool is_nonzero_number(const expr_context *x, const plan_expr *e) {
    const plan_expr *literal = expr_literal(e);
    if (!literal) return false;
    literal_kind kind = literal_of(x->dialect, literal).kind;
    value v = literal_of(x->dialect, literal).v;
    return kind == LITERAL_NUMBER && !(v.kind == VALUE_INT && v.i == 0) && !(v.kind == VALUE_DECIMAL && v.d == 0);
}

/* Division by zero: an error, or NULL. */
static bool division_is_total(const expr_context *x, const plan_expr *divisor) {
    sql_dialect d = x->dialect;
    bool fails = d == DIALECT_postgres || d == DIALECT_redshift || d == DIALECT_snowflake || d == DIALECT_bigquery ||
                 dialect_is_trino(d);
    return fails || is_nonzero_number(x, divisor);
}

/* In Spark sums of decimals that do not fit, and texts that are no numbers, are NULL. */
static bool arithmetic_is_total(const expr_context *x, const plan_expr *e) {
    return call_is_total(x, e, TOTAL_NUMBER);
}

/* DuckDB joins lists with +, though one of them is NULL. */
static bool may_join_lists(const expr_context *x, const plan_expr *e) {
    for (size_t i = 0; i < e->arg_count && x->dialect == DIALECT_duckdb; i++) {
        const plan_expr *literal = expr_literal(e->arg[i]);
        type_family f = expr_type(x, e->arg[i]);
        bool may_be_list = f == FAMILY_OTHER || f == FAMILY_UNKNOWN;
        if (!may_be_list && !(literal && expr_is_null_literal(literal))) return false;
    }
    return x->dialect == DIALECT_duckdb;
}

static operator_traits of_operator(const expr_context *x, const plan_expr *e, ast_op op, str text,
                                   const plan_expr *right) {
    switch ((int)op) {
    case OP_ADD: return (operator_traits){!may_join_lists(x, e), arithmetic_is_total(x, e)};
    case OP_SUB:
    case OP_MUL:
    case OP_PLUS:
    case OP_MINUS:
    case OP_BIT_AND:
    case OP_BIT_OR:
    case OP_BIT_XOR:
    case OP_BIT_NOT:
    case OP_SHIFT: return (operator_traits){true, arithmetic_is_total(x, e)};
    case OP_DIV:
    case OP_MOD: return (operator_traits){true, arithmetic_is_total(x, e) && division_is_total(x, right)};
    case OP_CONCAT: return (operator_traits){concat_is_strict(x, e), call_is_total(x, e, TOTAL_TEXT)};
    default: return of_text(x, e, text);
    }
}

bool operator_is_strict(const expr_context *x, const plan_expr *e, bool *never_null) {
    *never_null = false;
    if (!e->from || e->arg_count == 0) return false;
    size_t count = e->from->kind == AST_CHAIN ? e->arg_count - 1 : 1;
    operator_traits all = {true, true};
    for (size_t i = 0; i < count; i++) {
        bool is_chain = e->from->kind == AST_CHAIN;
        const plan_expr *right = is_chain ? e->arg[i + 1] : e->arg[e->arg_count - 1];
        operator_traits one = of_operator(x, e, is_chain ? e->from->link[i].op : e->op,
                                          is_chain ? e->from->link[i].text : e->from->op_text, right);
        all.is_strict &= one.is_strict && !is_quantified(right);
        all.is_total &= one.is_total && !is_quantified(right);
    }
    *never_null = all.is_total;
    return all.is_strict;
}

/* ---- shapes ---- */

bool is_quantified(const plan_expr *e) {
    const call_semantics *s = call_semantics_of(e);
    return s && s->shape == SHAPE_QUANTIFIED;
}

bool is_row(const plan_expr *e) {
    return e->kind == EXPR_OTHER && e->from && e->from->kind == AST_OTHER && e->from->form == FORM_ROW;
}
