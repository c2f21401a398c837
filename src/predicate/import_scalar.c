/* import_scalar.c - expressions of the SQL tree as scalars of the predicate tree (level extended).
 * Called by: predicate/import.c.  Must not know: statistics, what functions give.
 *
 * A call becomes a row of func.def if it is written as that function is: name, bracket, arguments with commas. Any
 * other form (DISTINCT, units, windows) is unknown, for it may mean something else.
 */
#include "predicate/import_int.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- making nodes */

static scalar *new_scalar(importer *im, scalar_kind kind, const ast *a) {
    scalar *s = ARENA_NEW(im->query, scalar);
    s->kind = kind;
    s->at = a->at;
    return s;
}

static lp_status unknown_scalar(importer *im, const ast *a, str reason, const scalar **out) {
    scalar *s = new_scalar(im, SCALAR_UNKNOWN, a);
    TRY(import_columns(im, a, &s->unknown.column, &s->unknown.column_count));
    s->unknown.reason = reason;
    *out = s;
    return LP_OK;
}

static scalar *new_call(importer *im, const ast *a, func_id f, const scalar *const *arg, size_t count) {
    scalar *s = new_scalar(im, SCALAR_CALL, a);
    s->call.func = f;
    s->call.arg = arg;
    s->call.count = count;
    return s;
}

static lp_status import_arguments(importer *im, ast *const *arg, size_t count, const scalar *const **out) {
    const scalar **list = ARENA_ARRAY(im->query, const scalar *, count);
    for (size_t i = 0; i < count; i++) TRY(import_scalar(im, arg[i], &list[i]));
    *out = list;
    return LP_OK;
}

static lp_status call_of(importer *im, const ast *a, func_id f, ast *const *arg, size_t count, const scalar **out) {
    const scalar *const *list;
    TRY(import_arguments(im, arg, count, &list));
    *out = new_call(im, a, f, list, count);
    return LP_OK;
}

static const scalar *call_1(importer *im, const ast *a, func_id f, const scalar *x) {
    const scalar **arg = ARENA_ARRAY(im->query, const scalar *, 1);
    arg[0] = x;
    return new_call(im, a, f, arg, 1);
}

static const scalar *call_2(importer *im, const ast *a, func_id f, const scalar *x, const scalar *y) {
    const scalar **arg = ARENA_ARRAY(im->query, const scalar *, 2);
    arg[0] = x;
    arg[1] = y;
    return new_call(im, a, f, arg, 2);
}

static const scalar *number_scalar(importer *im, const ast *a, long long n) {
    scalar *s = new_scalar(im, SCALAR_LITERAL, a);
    s->literal.value =
        (literal){.kind = LITERAL_NUMBER, .raw = str_format(im->query, "%lld", n), .suffix = 'L', .at = a->at};
    return s;
}

/* ------------------------------------------------------------------------------------------------- intervals */

typedef struct interval_text {
    int64_t months, days, micros;
} interval_text;

typedef struct unit_row {
    const char *name;
    int64_t months, days, micros;
} unit_row;

static const unit_row unit_rows[] = {
    {"YEAR", 12, 0, 0},         {"QUARTER", 3, 0, 0},      {"MONTH", 1, 0, 0},
    {"WEEK", 0, 7, 0},          {"DAY", 0, 1, 0},          {"HOUR", 0, 0, INT64_C(3600000000)},
    {"MINUTE", 0, 0, 60000000}, {"SECOND", 0, 0, 1000000}, {"MILLISECOND", 0, 0, 1000},
    {"MICROSECOND", 0, 0, 1},
};

static bool unit_find(str word, const unit_row **out) {
    if (word.len > 1 && (word.ptr[word.len - 1] | 0x20) == 's') word.len--;
    for (size_t i = 0; i < sizeof unit_rows / sizeof *unit_rows; i++)
        if (str_eq_nocase(word, str_from(unit_rows[i].name))) return *out = &unit_rows[i], true;
    return false;
}

/* The next word, without the quotes and blanks around it. */
static str next_word(str *rest) {
    size_t from = 0;
    while (from < rest->len && (rest->ptr[from] == ' ' || rest->ptr[from] == '\'')) from++;
    size_t to = from;
    while (to < rest->len && rest->ptr[to] != ' ' && rest->ptr[to] != '\'') to++;
    str word = str_slice(*rest, from, to);
    *rest = str_slice(*rest, to, rest->len);
    return word;
}

static bool signed_int(str word, int64_t *out) {
    bool negative = str_starts_with(word, STR("-"));
    if (negative || str_starts_with(word, STR("+"))) word = str_slice(word, 1, word.len);
    if (!str_to_int64(word, out)) return false;
    if (negative) *out = -*out;
    return true;
}

static bool add_unit(int64_t count, int64_t per, int64_t *sum) {
    int64_t product;
    return !__builtin_mul_overflow(count, per, &product) && !__builtin_add_overflow(*sum, product, sum);
}

/* `1 DAY 2 HOURS`, quotes around numbers or around the whole allowed. */
static bool interval_parse(str text, interval_text *out) {
    *out = (interval_text){0, 0, 0};
    size_t count = 0;
    for (str word = next_word(&text); word.len; word = next_word(&text), count++) {
        int64_t n;
        const unit_row *unit;
        if (!signed_int(word, &n) || !unit_find(next_word(&text), &unit)) return false;
        if (!add_unit(n, unit->months, &out->months) || !add_unit(n, unit->days, &out->days) ||
            !add_unit(n, unit->micros, &out->micros))
            return false;
    }
    bool has_opposite = out->months > INT64_MIN && out->days > INT64_MIN && out->micros > INT64_MIN;
    return count > 0 && has_opposite; /* it may be subtracted */
}

static bool as_interval(const ast *written, interval_text *out) {
    const ast *a = import_strip_parens(written);
    if (a->kind == AST_TYPED) return str_eq(a->type_name, STR("INTERVAL")) && interval_parse(a->text, out);
    if (a->kind != AST_OTHER || a->arg_count != 0) return false;
    str word = STR("INTERVAL ");
    return str_starts_with(a->piece[0], word) && interval_parse(str_slice(a->piece[0], word.len, a->piece[0].len), out);
}

static const scalar *shift(importer *im, const ast *a, const scalar *x, interval_text by, bool minus) {
    const scalar **arg = ARENA_ARRAY(im->query, const scalar *, 4);
    int64_t sign = minus ? -1 : 1;
    arg[0] = x;
    arg[1] = number_scalar(im, a, sign * by.months);
    arg[2] = number_scalar(im, a, sign * by.days);
    arg[3] = number_scalar(im, a, sign * by.micros);
    return new_call(im, a, FUNC_SHIFT, arg, 4);
}

/* ----------------------------------------------------------------------------------------------- arithmetic */

static func_id arithmetic(ast_op op, str text) {
    switch ((int)op) {
    case OP_ADD: return FUNC_ADD;
    case OP_SUB: return FUNC_SUBTRACT;
    case OP_MUL: return FUNC_MULTIPLY;
    case OP_DIV: return FUNC_DIVIDE;
    case OP_MOD: return FUNC_MODULO;
    case OP_CONCAT: return FUNC_JOIN;
    default: return str_eq_nocase(text, STR("DIV")) ? FUNC_DIV : FUNC_COUNT;
    }
}

static lp_status import_step(importer *im, const ast *a, const scalar *left, ast_op op, str text, const ast *right,
                             const scalar **out) {
    interval_text by;
    if ((op == OP_ADD || op == OP_SUB) && as_interval(right, &by)) {
        *out = shift(im, a, left, by, op == OP_SUB);
        return LP_OK;
    }
    func_id f = arithmetic(op, text);
    const scalar *by_value;
    if (f == FUNC_COUNT) return unknown_scalar(im, a, import_operand_reason(a), out);
    TRY(import_scalar(im, right, &by_value));
    *out = call_2(im, a, f, left, by_value);
    return LP_OK;
}

static lp_status import_chain(importer *im, const ast *a, const scalar **out) {
    const scalar *sum;
    interval_text by;
    if (a->op == OP_ADD && a->arg_count == 2 && as_interval(a->arg[0], &by)) {
        TRY(import_scalar(im, a->arg[1], &sum));
        *out = shift(im, a, sum, by, false);
        return LP_OK;
    }
    TRY(import_scalar(im, a->arg[0], &sum));
    for (size_t i = 1; i < a->arg_count; i++) {
        const ast_link *link = &a->link[i - 1];
        TRY(import_step(im, a, sum, link->op, link->text, a->arg[i], &sum));
        if (sum->kind == SCALAR_UNKNOWN) break; /* about the whole chain */
    }
    *out = sum;
    return LP_OK;
}

static bool is_comparison(ast_op op) {
    return op == OP_EQ || op == OP_NE || op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE ||
           op == OP_NULLSAFE_EQ;
}

/* ---------------------------------------------------------------------------------------------------- types */

typedef struct type_word {
    const char *sql, *delta;
} type_word;

/* What a type is called in SQL, in call form too: double('NaN'). */
static const type_word type_words[] = {
    {"TINYINT", "byte"},
    {"BYTE", "byte"},
    {"SMALLINT", "short"},
    {"SHORT", "short"},
    {"INT", "integer"},
    {"INTEGER", "integer"},
    {"BIGINT", "long"},
    {"LONG", "long"},
    {"FLOAT", "float"},
    {"REAL", "float"},
    {"DOUBLE", "double"},
    {"STRING", "string"},
    {"VARCHAR", "string"},
    {"TEXT", "string"},
    {"BINARY", "binary"},
    {"BOOLEAN", "boolean"},
    {"BOOL", "boolean"},
    {"DATE", "date"},
    {"TIMESTAMP", "timestamp"},
    {"TIMESTAMP_LTZ", "timestamp"},
    {"TIMESTAMP_NTZ", "timestamp_ntz"},
    {"DOUBLE PRECISION", "double"},
};

static bool type_find(importer *im, str name, data_type *out) {
    for (size_t i = 0; i < sizeof type_words / sizeof *type_words; i++) {
        if (!str_eq_nocase(name, str_from(type_words[i].sql))) continue;
        *out = type_parse(str_from(type_words[i].delta));
        return true;
    }
    static const char *const decimals[] = {"DECIMAL", "DEC", "NUMERIC"};
    for (size_t i = 0; i < sizeof decimals / sizeof *decimals; i++) {
        str word = str_from(decimals[i]);
        if (str_eq_nocase(name, word)) {
            *out = (data_type){.kind = TYPE_DECIMAL, .name = STR("decimal")}; /* precision 0: see scalar.h */
            return true;
        }
        if (name.len <= word.len || !str_eq_nocase(str_slice(name, 0, word.len), word) || name.ptr[word.len] != '(')
            continue;
        *out = type_parse(str_format(im->query, "decimal" STR_FMT, STR_ARG(str_slice(name, word.len, name.len))));
        return out->kind == TYPE_DECIMAL;
    }
    return false;
}

static lp_status import_cast(importer *im, const ast *a, str type_name, const scalar **out) {
    data_type type;
    if (!type_find(im, type_name, &type))
        return unknown_scalar(im, a, STR("a cast to a type that is not modelled"), out);
    const scalar *const *arg;
    TRY(import_arguments(im, a->arg, 1, &arg));
    scalar *s = new_call(im, a, FUNC_CAST, arg, 1);
    s->call.type = type;
    *out = s;
    return LP_OK;
}

/* ---------------------------------------------------------------------------------------------------- calls */

/* name(argument, argument), and FROM and FOR in SUBSTRING(a FROM 1 FOR 2). */
static bool is_plain_call(importer *im, const ast *a) {
    if (a->is_bare) return true;
    str open = str_format(im->query, STR_FMT "(", STR_ARG(a->text));
    if (a->arg_count == 0) return str_eq(a->piece[0], str_format(im->query, STR_FMT "()", STR_ARG(a->text)));
    if (!str_eq(a->piece[0], open) || !str_eq(a->piece[a->arg_count], STR(")"))) return false;
    for (size_t i = 1; i < a->arg_count; i++) {
        bool is_word = str_eq(a->piece[i], STR(" FROM ")) || str_eq(a->piece[i], STR(" FOR "));
        bool in_substring = str_eq_nocase(a->text, STR("substring")) || str_eq_nocase(a->text, STR("substr"));
        if (!str_eq(a->piece[i], STR(", ")) && !(is_word && in_substring)) return false;
    }
    return true;
}

/* CASE [subject] WHEN .. THEN .. ELSE .. END as condition, value, ..., else. */
static lp_status import_case(importer *im, const ast *a, const scalar **out) {
    bool has_subject = !str_ends_with(a->piece[0], STR("WHEN "));
    size_t first = has_subject ? 1 : 0, count = a->arg_count - first;
    const scalar **arg = ARENA_ARRAY(im->query, const scalar *, count);
    const scalar *subject = NULL;
    if (has_subject) TRY(import_scalar(im, a->arg[0], &subject));
    for (size_t i = 0; i < count; i++) {
        TRY(import_scalar(im, a->arg[first + i], &arg[i]));
        bool is_when = i % 2 == 0 && i + 1 < count;
        if (is_when && has_subject) arg[i] = call_2(im, a->arg[first + i], FUNC_EQ, subject, arg[i]);
    }
    *out = new_call(im, a, FUNC_CASE, arg, count);
    return LP_OK;
}

static lp_status import_extract(importer *im, const ast *a, const scalar **out) {
    str piece = a->piece[0], open = STR("EXTRACT("), from = STR(" FROM ");
    if (!str_starts_with(piece, open) || !str_ends_with(piece, from))
        return unknown_scalar(im, a, STR("a function call"), out);
    str field = str_slice(piece, open.len, piece.len - from.len);
    /* The second of EXTRACT may have a fraction. */
    func_id f = str_eq_nocase(field, STR("SECOND")) ? FUNC_COUNT : str_eq_nocase(field, STR("WEEK")) ? FUNC_WEEK_OF_YEAR : func_find(field, 1);
    bool is_part = f == FUNC_YEAR || f == FUNC_QUARTER || f == FUNC_MONTH || f == FUNC_DAY || f == FUNC_HOUR ||
                   f == FUNC_MINUTE || f == FUNC_DAY_OF_YEAR || f == FUNC_WEEK_OF_YEAR;
    return is_part ? call_of(im, a, f, a->arg, 1, out) : unknown_scalar(im, a, STR("a function call"), out);
}

static lp_status import_element(importer *im, const ast *a, const scalar **out) {
    const ast *list = a->arg_count == 2 ? import_strip_parens(a->arg[0]) : a;
    bool is_array =
        list != a && list->kind == AST_CALL && str_eq_nocase(list->text, STR("array")) && is_plain_call(im, list);
    if (!is_array) return unknown_scalar(im, a, STR("a function call"), out);
    const scalar **arg = ARENA_ARRAY(im->query, const scalar *, list->arg_count + 1);
    TRY(import_scalar(im, a->arg[1], &arg[0]));
    for (size_t i = 0; i < list->arg_count; i++) TRY(import_scalar(im, list->arg[i], &arg[i + 1]));
    if (list->arg_count == 0) return unknown_scalar(im, a, STR("a function call"), out);
    *out = new_call(im, a, FUNC_ELEMENT, arg, list->arg_count + 1);
    return LP_OK;
}

static bool is_call_of(const ast *a, const char *name, size_t arg_count) {
    return a->arg_count == arg_count && str_eq_nocase(a->text, str_from(name));
}

/* Functions that are other names for forms we have. */
static lp_status import_alias(importer *im, const ast *a, const scalar **out) {
    data_type type;
    if (is_call_of(a, "if", 3) || is_call_of(a, "iff", 3)) return call_of(im, a, FUNC_CASE, a->arg, 3, out);
    if (is_call_of(a, "get", 2)) return import_element(im, a, out);
    if (is_call_of(a, "to_timestamp", 1)) return import_cast(im, a, STR("TIMESTAMP"), out);
    if (a->arg_count == 1 && type_find(im, a->text, &type)) return import_cast(im, a, a->text, out);
    return unknown_scalar(im, a, STR("a function call"), out);
}

static lp_status import_call(importer *im, const ast *a, const scalar **out) {
    if (str_eq(a->text, STR("CASE"))) return import_case(im, a, out);
    if (a->type_name.len && a->arg_count == 1) return import_cast(im, a, a->type_name, out);
    if (str_eq(a->text, STR("EXTRACT")) && a->arg_count == 1) return import_extract(im, a, out);
    if (!is_plain_call(im, a)) return unknown_scalar(im, a, STR("a function call"), out);
    func_id f = func_find(a->text, a->arg_count);
    return f == FUNC_COUNT ? import_alias(im, a, out) : call_of(im, a, f, a->arg, a->arg_count, out);
}

/* ----------------------------------------------------------------------------------------------- conditions */

static lp_status negate_if(importer *im, const ast *a, bool negated, const scalar *of, const scalar **out) {
    *out = negated ? call_1(im, a, FUNC_NOT, of) : of;
    return LP_OK;
}

static func_id comparison(ast_op op) {
    switch ((int)op) {
    case OP_EQ: return FUNC_EQ;
    case OP_NE: return FUNC_NE;
    case OP_LT: return FUNC_LT;
    case OP_LE: return FUNC_LE;
    case OP_GT: return FUNC_GT;
    case OP_GE: return FUNC_GE;
    default: return FUNC_SAME;
    }
}

static lp_status import_test(importer *im, const ast *a, const scalar **out) {
    const scalar *of;
    bool is_null = a->is == IS_NULL || a->is == IS_UNKNOWN;
    TRY(call_of(im, a, is_null ? FUNC_IS_NULL : a->is == IS_TRUE ? FUNC_IS_TRUE : FUNC_IS_FALSE, a->arg, 1, &of));
    return negate_if(im, a, a->negated, of, out);
}

static lp_status import_between_scalars(importer *im, const ast *a, const scalar **out) {
    const scalar *of;
    if (a->symmetric) return unknown_scalar(im, a, STR("BETWEEN SYMMETRIC"), out);
    TRY(call_of(im, a, FUNC_BETWEEN, a->arg, 3, &of));
    return negate_if(im, a, a->negated, of, out);
}

static lp_status import_like_scalars(importer *im, const ast *a, const scalar **out) {
    const scalar *of;
    func_id f = a->like == LIKE_LIKE ? FUNC_LIKE : a->like == LIKE_ILIKE ? FUNC_ILIKE : FUNC_RLIKE;
    if (a->like_any || a->like == LIKE_SIMILAR)
        return unknown_scalar(im, a, STR("a pattern match other than LIKE"), out);
    TRY(call_of(im, a, f, a->arg, a->arg_count, &of));
    return negate_if(im, a, a->negated, of, out);
}

lp_status import_boolean(importer *im, const ast *a, const scalar **out) {
    const scalar *of;
    switch ((int)a->kind) {
    case AST_BINARY:
        if (!is_comparison(a->op)) return import_scalar(im, a, out);
        return call_of(im, a, comparison(a->op), a->arg, 2, out);
    case AST_IS: return import_test(im, a, out);
    case AST_DISTINCT: TRY(call_of(im, a, FUNC_SAME, a->arg, 2, &of)); return negate_if(im, a, !a->negated, of, out);
    case AST_IN: TRY(call_of(im, a, FUNC_IN, a->arg, a->arg_count, &of)); return negate_if(im, a, a->negated, of, out);
    case AST_BETWEEN: return import_between_scalars(im, a, out);
    case AST_LIKE: return import_like_scalars(im, a, out);
    case AST_CALL: return import_call(im, a, out);
    default: return unknown_scalar(im, a, import_operand_reason(a), out);
    }
}

/* ------------------------------------------------------------------------------------------------- the walk */

static lp_status import_nested_condition(importer *im, const ast *a, const scalar **out) {
    const predicate *p;
    TRY(import_condition(im, a, &p));
    if (p->kind == PREDICATE_SCALAR) {
        *out = p->scalar.of;
        return LP_OK;
    }
    scalar *s = new_scalar(im, SCALAR_CONDITION, a);
    s->condition.of = p;
    *out = s;
    return LP_OK;
}

static lp_status import_name(importer *im, const ast *a, const scalar **out) {
    operand o;
    TRY(import_operand(im, a, &o));
    if (o.kind == OPERAND_OTHER)
        return a->kind == AST_CALL ? import_call(im, a, out)
                                   : unknown_scalar(im, a, STR("an element of a container"), out);
    scalar *s = new_scalar(im, o.kind == OPERAND_COLUMN ? SCALAR_COLUMN : SCALAR_LITERAL, a);
    if (o.kind == OPERAND_COLUMN)
        s->column.ref = o.column;
    else
        s->literal.value = o.value;
    *out = s;
    return LP_OK;
}

static lp_status import_unary(importer *im, const ast *a, const scalar **out) {
    operand o;
    TRY(import_operand(im, a, &o));
    if (o.kind == OPERAND_LITERAL) return import_name(im, a, out);
    switch ((int)a->op) {
    case OP_NOT: return import_nested_condition(im, a, out);
    case OP_PLUS: return import_scalar(im, a->arg[0], out);
    case OP_MINUS: return call_of(im, a, FUNC_NEGATE, a->arg, 1, out);
    default: return unknown_scalar(im, a, import_operand_reason(a), out);
    }
}

/* column:path.to[0] gives NULL where the column is NULL. */
static lp_status import_path(importer *im, const ast *a, const scalar **out) {
    bool is_path = a->arg_count == 1 && a->piece[0].len == 0 && str_starts_with(a->piece[1], STR(":"));
    return is_path ? call_of(im, a, FUNC_PATH, a->arg, 1, out) : unknown_scalar(im, a, import_operand_reason(a), out);
}

lp_status import_scalar(importer *im, const ast *written, const scalar **out) {
    const ast *a = import_strip_parens(written);
    switch (a->kind) {
    case AST_NAME:
    case AST_NUMBER:
    case AST_STRING:
    case AST_NULL:
    case AST_BOOLEAN: return import_name(im, a, out);
    case AST_TYPED: {
        operand o;
        TRY(import_operand(im, a, &o));
        return o.kind == OPERAND_LITERAL ? import_name(im, a, out)
                                         : unknown_scalar(im, a, STR("a literal of another type"), out);
    }
    case AST_UNARY: return import_unary(im, a, out);
    case AST_BINARY:
        if (is_comparison(a->op)) return import_nested_condition(im, a, out);
        {
            const scalar *left;
            TRY(import_scalar(im, a->arg[0], &left));
            return import_step(im, a, left, a->op, a->op_text, a->arg[1], out);
        }
    case AST_CHAIN:
        return a->op == OP_AND || a->op == OP_OR ? import_nested_condition(im, a, out) : import_chain(im, a, out);
    case AST_IS:
    case AST_DISTINCT:
    case AST_IN:
    case AST_BETWEEN:
    case AST_LIKE: return import_nested_condition(im, a, out);
    case AST_CALL: return a->is_bare ? import_name(im, a, out) : import_call(im, a, out);
    case AST_OTHER: return import_path(im, a, out);
    case AST_PAREN:
    case AST_SUBQUERY:
    case AST_LOCAL: return unknown_scalar(im, a, import_operand_reason(a), out);
    }
    UNREACHABLE();
}
