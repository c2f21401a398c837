/* expr_literal.c - literals: their values, and whether two of them are the same.
 * Called by: grain/expr_*.c, value_set.c, op_*.c.  Must not know: columns.
 */
#include "grain/expr_int.h"

#include <string.h>

#include "types/calendar.h"
#include "types/number.h"

/* ---- which expressions are literals ---- */

/* Two digits: one more may be too long for tinyint. */
static bool is_short_number(str text) {
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] < '0' || text.ptr[i] > '9') return false;
    return text.len <= 2;
}

/* A cast that gives the same value in every dialect, or a date of its text. */
static bool cast_keeps(const plan_expr *cast, const plan_expr *inner) {
    ast_kind kind = inner->from ? inner->from->kind : AST_OTHER;
    type_family to = expr_type_of_name(DIALECT_ansi, cast->type);
    if (inner->kind != EXPR_CONSTANT) return false;
    if (kind == AST_BOOLEAN) return to == FAMILY_BOOLEAN;
    if (kind == AST_NUMBER) return to == FAMILY_INTEGER && is_short_number(inner->from->text);
    if (kind != AST_STRING) return false;
    int64_t days;
    if (to == FAMILY_DATE) return text_is_date(inner->from->text, &days);
    if (to != FAMILY_TEXT || inner->from->has_backslash) return false;
    if (type_has_length(cast->type)) return inner->from->text.len <= type_length(cast->type);
    return !type_cuts(DIALECT_ansi, cast->type);
}

static bool is_minus(const plan_expr *e) {
    return e->kind == EXPR_ARITHMETIC && e->op == OP_MINUS && e->arg_count == 1;
}

const plan_expr *expr_literal(const plan_expr *e) {
    if (e->kind == EXPR_CONSTANT) {
        bool is_value = e->from && !e->is_parameter && e->from->kind != AST_NAME;
        return is_value ? e : NULL;
    }
    if (is_minus(e) && e->arg[0]->kind == EXPR_CONSTANT && e->arg[0]->from && e->arg[0]->from->kind == AST_NUMBER)
        return e;
    if (e->kind != EXPR_CAST || e->arg_count != 1) return NULL;
    const plan_expr *inner = e->arg[0];
    for (int depth = 0; depth < 8 && inner->kind == EXPR_CAST && inner->arg_count == 1; depth++) inner = inner->arg[0];
    if (expr_is_null_literal(inner)) return inner;
    inner = e->arg[0];
    if (!cast_keeps(e, inner)) return NULL;
    return expr_type_of_name(DIALECT_ansi, e->type) == FAMILY_DATE ? e : inner;
}

bool expr_is_null_literal(const plan_expr *e) {
    return e->kind == EXPR_CONSTANT && e->from && e->from->kind == AST_NULL;
}

/* ---- their values ---- */

static literal_value of_number(str text, bool negative) {
    number n;
    literal_value l = {.kind = LITERAL_NONE};
    if (text.len > 60 || !number_parse(text, &n)) return l;
    n.negative = negative && !number_is_zero(&n);
    int64_t whole;
    l.is_plain = true;
    for (size_t i = 0; i < text.len; i++) {
        l.is_plain &= text.ptr[i] >= '0' && text.ptr[i] <= '9';
        l.has_exponent |= text.ptr[i] == 'e' || text.ptr[i] == 'E';
    }
    for (size_t i = 0; i < n.digits.len; i++) l.digits += n.digits.ptr[i] != '.';
    if (n.exponent > 0) l.digits += n.exponent < 100 ? (uint32_t)n.exponent : 100;
    if (number_to_int64(&n, &whole)) {
        l.v = (value){.kind = VALUE_INT, .i = whole};
        l.kind = LITERAL_NUMBER;
    } else if (number_to_decimal(&n, &l.v)) {
        l.kind = LITERAL_NUMBER;
    }
    return l;
}

bool text_is_integer(str text, int64_t *out) {
    bool negative = text.len > 1 && text.ptr[0] == '-';
    str digits = str_slice(text, negative, text.len);
    if (digits.len == 0 || digits.len > 15 || !str_to_int64(digits, out)) return false;
    if (digits.ptr[0] == '0' && digits.len > 1) return false;
    if (negative) *out = -*out;
    return true;
}

bool text_is_date(str text, int64_t *days) {
    time_text t;
    bool has_shape =
        text.len == 10 && text.ptr[4] == '-' && text.ptr[7] == '-' && text.ptr[0] != '-' && text.ptr[0] != '+';
    if (!has_shape || !time_text_parse(text, NULL, false, &t) || t.has_time) return false;
    *days = t.days;
    return true;
}

static const int64_t micros_of_day = INT64_C(86400000000);

static literal_value of_time(str text, bool is_date) {
    time_text t;
    int64_t days;
    literal_value l = {.kind = LITERAL_NONE};
    if (text_is_date(text, &days)) {
        l.kind = is_date ? LITERAL_DATE : LITERAL_TIMESTAMP;
        l.v = (value){.kind = VALUE_TIMESTAMP_NTZ, .i = days * micros_of_day};
        return l;
    }
    bool has_shape =
        text.len >= 16 && text.len <= 26 && text.ptr[4] == '-' && text.ptr[7] == '-' && text.ptr[13] == ':';
    if (is_date || !has_shape || !time_text_parse(text, NULL, false, &t)) return l;
    if (t.has_offset || t.is_second_60 || t.has_more_digits) return l;
    l.kind = LITERAL_TIMESTAMP;
    l.v = (value){.kind = VALUE_TIMESTAMP_NTZ, .i = time_text_wall_micros(&t)};
    return l;
}

static literal_value of_typed(sql_dialect d, const ast *from) {
    if (from->has_backslash || type_has_length(from->type_name)) return (literal_value){.kind = LITERAL_NONE};
    if (str_eq_nocase(from->type_name, STR("DATE"))) return of_time(from->text, true);
    type_family f = expr_type_of_name(d, from->type_name);
    return f == FAMILY_TIMESTAMP ? of_time(from->text, false) : (literal_value){.kind = LITERAL_NONE};
}

static literal_value of_text(sql_dialect d, const ast *from) {
    bool two_readings = (from->has_backslash && !from->is_raw) || (from->has_doubled && dialect_is_spark(d));
    return two_readings ? (literal_value){.kind = LITERAL_NONE}
                        : (literal_value){.kind = LITERAL_TEXT, .text = from->text};
}

literal_value literal_of(sql_dialect d, const plan_expr *e) {
    e = expr_literal(e);
    if (!e) return (literal_value){.kind = LITERAL_NONE};
    if (is_minus(e) && e->arg[0]->from) return of_number(e->arg[0]->from->text, true);
    if (e->kind == EXPR_CAST && e->arg_count == 1 && e->arg[0]->from) return of_time(e->arg[0]->from->text, true);
    const ast *from = e->from;
    if (e->kind != EXPR_CONSTANT || !from) return (literal_value){.kind = LITERAL_NONE};
    switch ((int)from->kind) {
    case AST_NULL: return (literal_value){.kind = LITERAL_NULL};
    case AST_NUMBER: return of_number(from->text, false);
    case AST_STRING: return of_text(d, from);
    case AST_TYPED: return of_typed(d, from);
    case AST_BOOLEAN:
        return (literal_value){.kind = LITERAL_BOOLEAN,
                               .v = {.kind = VALUE_BOOLEAN, .i = str_eq_nocase(from->text, STR("true"))}};
    default: return (literal_value){.kind = LITERAL_NONE};
    }
}

plan_expr *literal_new(arena *owner, ast_kind kind, str text, str type_name) {
    ast *from = ARENA_NEW(owner, ast);
    *from = (ast){.kind = kind, .height = 1, .text = text, .written = text, .type_name = type_name};
    if (kind == AST_STRING || kind == AST_TYPED) from->written = str_format(owner, "'" STR_FMT "'", STR_ARG(text));
    plan_expr *e = ARENA_NEW(owner, plan_expr);
    *e = (plan_expr){.kind = EXPR_CONSTANT, .from = from, .size = 1};
    return e;
}

/* ---- texts that other types could be read from ---- */

static bool has_word(str text, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        str word = str_from(list[i]);
        if (text.len >= word.len && str_eq_nocase(str_slice(text, 0, word.len), word)) return true;
    }
    return false;
}

bool text_is_special(str text) {
    static const char *const words[] = {"infinity", "inf",      "nan",  "now", "today", "tomorrow", "yesterday",
                                        "epoch",    "allballs", "true", "t",   "yes",   "y",        "on",
                                        "false",    "f",        "no",   "n",   "off",   "null"};
    static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct",
                                         "nov", "dec", "mon", "tue", "wed", "thu", "fri", "sat", "sun"};
    if (text.len == 0) return false;
    bool has_digit = false, is_hex = true, plain = true;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool digit = c >= '0' && c <= '9', upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z';
        has_digit |= digit;
        is_hex &= digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == '-';
        plain &=
            digit || upper || lower || c == '_' || c == '-' || c == ' ' || c == '.' || c == '/' || c == '@' || c == ':';
    }
    bool blank = text.ptr[0] == ' ' || text.ptr[text.len - 1] == ' ';
    char c = text.ptr[0];
    bool starts_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!plain || blank || !starts_word) return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq_nocase(text, str_from(words[i]))) return true;
    return has_digit && (is_hex || has_word(text, months, sizeof months / sizeof *months));
}

/* ---- two literals ---- */

static str without_blanks(str text) {
    while (text.len && text.ptr[text.len - 1] == ' ') text.len--;
    return text;
}

static bool texts_differ(str a, str b) {
    int64_t i, k;
    if (text_is_integer(a, &i) && text_is_integer(b, &k)) return i != k;
    if (text_is_date(a, &i) && text_is_date(b, &k)) return i != k;
    if (text_is_special(a) && text_is_special(b)) return false;
    return !str_eq_nocase(without_blanks(a), without_blanks(b));
}

static bool numbers_differ(const literal_value *a, const literal_value *b) {
    return a->digits <= 15 && b->digits <= 15 &&
           (a->is_plain + b->is_plain == 2 || (a->digits <= 6 && b->digits <= 6)) && value_compare(&a->v, &b->v) != 0;
}

static bool differs_from_number(str text, const literal_value *n) {
    int64_t i;
    if (text_is_integer(text, &i)) return n->is_plain && n->v.kind == VALUE_INT && n->v.i != i;
    return !text_is_special(text) && text.len > 0;
}

bool expr_literals_differ(const expr_context *x, const plan_expr *a, const plan_expr *b) {
    literal_value l = literal_of(x->dialect, a), r = literal_of(x->dialect, b);
    if (l.kind == LITERAL_NULL || r.kind == LITERAL_NULL) {
        const plan_expr *other = l.kind == LITERAL_NULL ? b : a;
        return (l.kind != r.kind) && expr_literal(other) != NULL;
    }
    if (l.kind == LITERAL_TEXT && r.kind == LITERAL_TEXT) return texts_differ(l.text, r.text);
    if (l.kind == LITERAL_NUMBER && r.kind == LITERAL_NUMBER) return numbers_differ(&l, &r);
    if (l.kind == LITERAL_TEXT && r.kind == LITERAL_NUMBER) return differs_from_number(l.text, &r);
    if (l.kind == LITERAL_NUMBER && r.kind == LITERAL_TEXT) return differs_from_number(r.text, &l);
    if (l.kind == r.kind && (l.kind == LITERAL_BOOLEAN || l.kind == LITERAL_DATE || l.kind == LITERAL_TIMESTAMP))
        return value_compare(&l.v, &r.v) != 0;
    return false;
}

bool expr_literals_equal(const expr_context *x, const plan_expr *a, const plan_expr *b) {
    literal_value l = literal_of(x->dialect, a), r = literal_of(x->dialect, b);
    if (l.kind != r.kind || l.kind == LITERAL_NONE) return a == b && l.kind != LITERAL_NONE;
    switch (l.kind) {
    case LITERAL_NULL: return true;
    case LITERAL_TEXT: return str_eq(l.text, r.text);
    case LITERAL_NUMBER: return l.is_plain && r.is_plain ? value_compare(&l.v, &r.v) == 0 : expr_equal(a, b);
    case LITERAL_BOOLEAN:
    case LITERAL_DATE: return value_compare(&l.v, &r.v) == 0;
    case LITERAL_TIMESTAMP: return expr_equal(a, b);
    case LITERAL_NONE: break;
    }
    return false;
}

/* Texts have an order that all engines agree on only as far as they are the same. */
bool literal_order(const expr_context *x, const plan_expr *a, const plan_expr *b, int *order) {
    literal_value l = literal_of(x->dialect, a), r = literal_of(x->dialect, b);
    if (l.kind != r.kind || l.kind == LITERAL_NONE || l.kind == LITERAL_NULL) return false;
    if (l.kind == LITERAL_TEXT) {
        *order = 0;
        return str_eq(l.text, r.text);
    }
    if (l.kind == LITERAL_NUMBER && value_compare(&l.v, &r.v) != 0 && !numbers_differ(&l, &r)) return false;
    *order = value_compare(&l.v, &r.v);
    return true;
}

bool expr_same(const plan_expr *a, const plan_expr *b) {
    return expr_equal(a, b);
}
