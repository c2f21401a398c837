/* import.c - from the SQL tree to the owned predicate tree; with import_scalar.c the only file that sees both.
 * Called by: prune, stage commands.  Must not know: statistics, phases.
 *
 * AND, OR and NOT keep their shape. Any other node becomes a leaf of the pruning language when it has that form, and an
 * opaque fragment otherwise: its text, its columns and the reason are kept, so that it stays visible in the report. In
 * level extended an expression of known functions becomes a scalar instead.
 */
#include "predicate/import_int.h"

#include "sql/parse.h"

/* ------------------------------------------------------------------------------------------------ names */

const ast *import_strip_parens(const ast *a) {
    while (a->kind == AST_PAREN) a = a->arg[0];
    return a;
}

static str join_parts(arena *query, const ast *name) {
    buf b;
    buf_init(&b, query, SIZE_MAX / 2);
    for (size_t i = 0; i < name->part_count; i++) {
        if (i > 0) buf_put_char(&b, '.');
        buf_put(&b, name->part[i].text);
    }
    return buf_str(&b);
}

static const str *part_texts(arena *query, const ast *name) {
    str *part = ARENA_ARRAY(query, str, name->part_count);
    for (size_t i = 0; i < name->part_count; i++) part[i] = name->part[i].text;
    return part;
}

/* KEYWORD: CURRENT_DATE and its like, where no column has that name. */
typedef enum name_meaning {
    NAME_COLUMN,
    NAME_ELEMENT,
    NAME_HIDDEN,
    NAME_KEYWORD,
    NAME_TEXT,
    NAME_UNKNOWN,
    NAME_AMBIGUOUS
} name_meaning;

/* A name that goes on below an array, a map or a variant is an element access: known, and nothing to reason with. */
static bool goes_below_a_container(const schema *s, const str *part, size_t count) {
    for (size_t prefix = 1; prefix < count; prefix++) {
        const column *c;
        if (schema_find(s, part, prefix, &c) == COLUMN_FOUND && c->type.kind != TYPE_STRUCT)
            return type_is_nested(c->type.kind) || c->type.kind == TYPE_VARIANT || c->type.kind == TYPE_OTHER;
    }
    return false;
}

static name_meaning resolve_name(importer *im, const ast *name, column_ref *ref) {
    const schema *s = im->options->schema;
    *ref = (column_ref){.part = part_texts(im->query, name),
                        .part_count = name->part_count,
                        .at = name->at,
                        .name = join_parts(im->query, name)};
    switch (schema_find(s, ref->part, ref->part_count, &ref->column)) {
    case COLUMN_FOUND: return NAME_COLUMN;
    case COLUMN_AMBIGUOUS: return NAME_AMBIGUOUS;
    case COLUMN_UNKNOWN: break;
    }
    if (name->kind == AST_CALL) return NAME_KEYWORD;
    if (name->part_count == 1 && name->part[0].quote == '"') return NAME_TEXT;
    if (str_eq_nocase(ref->part[0], STR("_metadata"))) return NAME_HIDDEN;
    if (goes_below_a_container(s, ref->part, ref->part_count)) return NAME_ELEMENT;
    return NAME_UNKNOWN;
}

static lp_status unknown_column(importer *im, const column_ref *ref) {
    return sql_error_at(im->err, im->options->text, ref->at, "unknown column " STR_FMT, STR_ARG(ref->name));
}

static lp_status ambiguous_column(importer *im, const column_ref *ref) {
    return sql_error_at(im->err, im->options->text, ref->at,
                        "ambiguous column " STR_FMT ": the table has several that differ only by case",
                        STR_ARG(ref->name));
}

/* ---------------------------------------------------------------------------------------------- opaque */

typedef struct column_list {
    column_ref *item;
    size_t count, capacity;
} column_list;

static void column_list_add(arena *query, column_list *list, column_ref ref) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 4;
        column_ref *item = ARENA_ARRAY(query, column_ref, capacity);
        for (size_t i = 0; i < list->count; i++) item[i] = list->item[i];
        list->item = item;
        list->capacity = capacity;
    }
    list->item[list->count++] = ref;
}

typedef struct column_collector {
    importer *im;
    column_list list;
    lp_status status; /* of the first name that is wrong */
} column_collector;

static lp_status collect_column(column_collector *c, const ast *name) {
    column_ref ref;
    switch (resolve_name(c->im, name, &ref)) {
    case NAME_COLUMN: column_list_add(c->im->query, &c->list, ref); return LP_OK;
    case NAME_UNKNOWN: return unknown_column(c->im, &ref);
    case NAME_AMBIGUOUS: return ambiguous_column(c->im, &ref);
    case NAME_ELEMENT:
    case NAME_HIDDEN:
    case NAME_KEYWORD:
    case NAME_TEXT: return LP_OK;
    }
    UNREACHABLE();
}

static void visit_name(void *context, const ast *name) {
    column_collector *c = context;
    if (c->status == LP_OK) c->status = collect_column(c, name);
}

static str print_ast(arena *query, const ast *a) {
    buf b;
    buf_init(&b, query, SIZE_MAX / 2);
    sql_print(&b, a);
    return buf_str(&b);
}

static predicate *new_predicate(importer *im, predicate_kind kind, const ast *a) {
    predicate *p = ARENA_NEW(im->query, predicate);
    p->kind = kind;
    p->at = a->at;
    p->negated = a->negated;
    return p;
}

lp_status import_columns(importer *im, const ast *a, const column_ref **out, size_t *count) {
    column_collector c = {.im = im};
    ast_visit_names(a, visit_name, &c);
    TRY(c.status);
    *out = c.list.item;
    *count = c.list.count;
    return LP_OK;
}

/* The same expression over known functions, or NULL where that says nothing. */
static lp_status as_scalar(importer *im, const ast *a, const predicate **out) {
    const scalar *of;
    TRY(import_boolean(im, a, &of));
    *out = NULL;
    if (of->kind == SCALAR_UNKNOWN || of->kind == SCALAR_LITERAL) return LP_OK;
    predicate *p = new_predicate(im, PREDICATE_SCALAR, a);
    p->negated = false; /* the scalar says it */
    p->scalar.of = of;
    p->scalar.text = print_ast(im->query, a);
    p->scalar.reason = scalar_unknown_reason(of);
    *out = p;
    return LP_OK;
}

static lp_status import_opaque(importer *im, const ast *a, str reason, const predicate **out) {
    predicate *p = new_predicate(im, PREDICATE_OPAQUE, a);
    TRY(import_columns(im, a, &p->opaque.column, &p->opaque.column_count));
    if (im->options->extended && !im->options->as_delta_explain) {
        TRY(as_scalar(im, a, out));
        if (*out) return LP_OK;
    }
    p->negated = false; /* the text says it */
    p->opaque.text = print_ast(im->query, import_strip_parens(a));
    p->opaque.reason = reason;
    *out = p;
    return LP_OK;
}

/* The reason why an operand is neither a column nor a literal. */
str import_operand_reason(const ast *a) {
    switch (import_strip_parens(a)->kind) {
    case AST_CALL: return STR("a function call");
    case AST_SUBQUERY: return STR("a subquery");
    case AST_UNARY:
    case AST_BINARY:
    case AST_CHAIN: return STR("an expression instead of a column or a literal");
    case AST_NAME: return STR("a column compared with a column");
    case AST_NUMBER:
    case AST_STRING:
    case AST_TYPED:
    case AST_BOOLEAN:
    case AST_NULL: return STR("a literal compared with a literal");
    case AST_IS:
    case AST_DISTINCT:
    case AST_IN:
    case AST_BETWEEN:
    case AST_LIKE: return STR("a condition used as a value");
    case AST_LOCAL:
    case AST_PAREN:
    case AST_OTHER: break;
    }
    return STR("an expression that metadata cannot decide");
}

/* -------------------------------------------------------------------------------------------- operands */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char upper(char c) {
    return c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
}

/* Take Spark's type suffix off a number: 60L, 1.5BD, 4e1F. An exponent's e is always followed by a digit. */
static literal number_literal(str text, span at) {
    literal l = {.kind = LITERAL_NUMBER, .raw = text, .at = at};
    if (text.len < 2 || !is_letter(text.ptr[text.len - 1])) return l;
    size_t letters = text.len >= 3 && is_letter(text.ptr[text.len - 2]) ? 2 : 1;
    l.suffix = upper(text.ptr[text.len - letters]);
    l.raw = str_slice(text, 0, text.len - letters);
    return l;
}

static bool typed_kind(str type_name, literal_kind *kind) {
    if (str_eq_nocase(type_name, STR("DATE")))
        *kind = LITERAL_DATE;
    else if (str_eq_nocase(type_name, STR("TIMESTAMP")) || str_eq_nocase(type_name, STR("TIMESTAMP_LTZ")))
        *kind = LITERAL_TIMESTAMP;
    else if (str_eq_nocase(type_name, STR("TIMESTAMP_NTZ")))
        *kind = LITERAL_TIMESTAMP_NTZ;
    else if (str_eq_nocase(type_name, STR("X")))
        *kind = LITERAL_BINARY;
    else
        return false;
    return true;
}

static literal string_literal(const ast *a) {
    return (literal){.kind = LITERAL_STRING,
                     .raw = a->text,
                     .has_backslash = a->has_backslash,
                     .doubled = a->has_doubled ? '\'' : 0,
                     .is_raw = a->is_raw,
                     .at = a->at};
}

static bool as_literal(importer *im, const ast *a, literal *out) {
    switch ((int)a->kind) {
    case AST_NUMBER: *out = number_literal(a->text, a->at); return true;
    case AST_STRING: *out = string_literal(a); return true;
    case AST_BOOLEAN:
        *out = (literal){.kind = LITERAL_BOOLEAN,
                         .at = a->at,
                         .raw = str_eq_nocase(a->text, STR("true")) ? STR("true") : STR("false")};
        return true;
    case AST_NULL: *out = (literal){.kind = LITERAL_NULL, .raw = STR("NULL"), .at = a->at}; return true;
    case AST_TYPED: {
        *out = (literal){.raw = a->text, .has_backslash = a->has_backslash, .at = a->at};
        return typed_kind(a->type_name, &out->kind);
    }
    case AST_UNARY: {
        const ast *digits = import_strip_parens(a->arg[0]);
        if (a->op != OP_MINUS || digits->kind != AST_NUMBER) return false;
        *out = number_literal(digits->text, a->at);
        out->raw = str_format(im->query, "-" STR_FMT, STR_ARG(out->raw));
        return true;
    }
    default: return false;
    }
}

lp_status import_operand(importer *im, const ast *written, operand *out) {
    const ast *a = import_strip_parens(written);
    *out = (operand){.kind = OPERAND_OTHER, .from = a};
    if (as_literal(im, a, &out->value)) {
        out->kind = OPERAND_LITERAL;
        return LP_OK;
    }
    if (a->kind != AST_NAME && !(a->kind == AST_CALL && a->is_bare)) return LP_OK;
    switch (resolve_name(im, a, &out->column)) {
    case NAME_COLUMN: out->kind = OPERAND_COLUMN; return LP_OK;
    case NAME_UNKNOWN: return unknown_column(im, &out->column);
    case NAME_AMBIGUOUS: return ambiguous_column(im, &out->column);
    case NAME_TEXT:
        if (im->options->as_delta_explain) return LP_OK;
        out->kind = OPERAND_LITERAL;
        out->value = (literal){.kind = LITERAL_STRING,
                               .raw = a->part[0].text,
                               .has_backslash = a->part[0].has_backslash,
                               .doubled = a->part[0].has_doubled ? '"' : 0,
                               .at = a->at};
        return LP_OK;
    case NAME_ELEMENT:
    case NAME_HIDDEN:
    case NAME_KEYWORD: return LP_OK;
    }
    UNREACHABLE();
}

/* ---------------------------------------------------------------------------------------------- leaves */

/* The operand that stops a leaf from being `column op literal`, for the reason. */
static str pair_reason(const operand *a, const operand *b) {
    if (a->kind == OPERAND_OTHER) return import_operand_reason(a->from);
    if (b->kind == OPERAND_OTHER) return import_operand_reason(b->from);
    return a->kind == OPERAND_COLUMN ? STR("a column compared with a column")
                                     : STR("a literal compared with a literal");
}

/* column op literal in either order; *flipped tells that the literal stood first. */
static bool is_pair(operand *a, operand *b, bool *flipped) {
    *flipped = a->kind == OPERAND_LITERAL && b->kind == OPERAND_COLUMN;
    if (*flipped) {
        operand first = *a;
        *a = *b;
        *b = first;
    }
    return a->kind == OPERAND_COLUMN && b->kind == OPERAND_LITERAL;
}

static bool as_compare_op(ast_op op, compare_op *out) {
    switch ((int)op) {
    case OP_EQ: *out = COMPARE_EQ; return true;
    case OP_NE: *out = COMPARE_NE; return true;
    case OP_LT: *out = COMPARE_LT; return true;
    case OP_LE: *out = COMPARE_LE; return true;
    case OP_GT: *out = COMPARE_GT; return true;
    case OP_GE: *out = COMPARE_GE; return true;
    default: return false;
    }
}

static lp_status import_distinct(importer *im, const ast *a, bool negated, const predicate **out) {
    operand left, right;
    TRY(import_operand(im, a->arg[0], &left));
    TRY(import_operand(im, a->arg[1], &right));
    bool flipped;
    if (!is_pair(&left, &right, &flipped)) return import_opaque(im, a, pair_reason(&left, &right), out);
    predicate *p = new_predicate(im, PREDICATE_DISTINCT, a);
    p->negated = negated;
    p->distinct.column = left.column;
    p->distinct.value = right.value;
    *out = p;
    return LP_OK;
}

static const predicate *opaque_without_columns(importer *im, const ast *a) {
    predicate *p = new_predicate(im, PREDICATE_OPAQUE, a);
    p->opaque.text = print_ast(im->query, a);
    p->opaque.reason = STR("a column compared with a column");
    return p;
}

static bool is_name(const ast *a) {
    return import_strip_parens(a)->kind == AST_NAME;
}

static lp_status import_compare(importer *im, const ast *a, const predicate **out) {
    if (im->options->as_delta_explain && is_name(a->arg[0]) && is_name(a->arg[1])) {
        *out = opaque_without_columns(im, a);
        return LP_OK;
    }
    if (a->op == OP_NULLSAFE_EQ) return import_distinct(im, a, true, out);
    compare_op op;
    if (!as_compare_op(a->op, &op)) return import_opaque(im, a, import_operand_reason(a), out);
    operand left, right;
    TRY(import_operand(im, a->arg[0], &left));
    TRY(import_operand(im, a->arg[1], &right));
    bool flipped;
    if (!is_pair(&left, &right, &flipped)) return import_opaque(im, a, pair_reason(&left, &right), out);
    predicate *p = new_predicate(im, PREDICATE_COMPARE, a);
    p->compare.column = left.column;
    p->compare.op = flipped ? compare_op_mirrored(op) : op;
    p->compare.value = right.value;
    *out = p;
    return LP_OK;
}

static lp_status import_in(importer *im, const ast *a, const predicate **out) {
    operand subject;
    TRY(import_operand(im, a->arg[0], &subject));
    if (subject.kind != OPERAND_COLUMN) return import_opaque(im, a, import_operand_reason(subject.from), out);
    size_t count = a->arg_count - 1;
    literal *item = ARENA_ARRAY(im->query, literal, count);
    for (size_t i = 0; i < count; i++) {
        operand o;
        TRY(import_operand(im, a->arg[i + 1], &o));
        if (o.kind == OPERAND_COLUMN) return import_opaque(im, a, STR("a column compared with a column"), out);
        if (o.kind != OPERAND_LITERAL) return import_opaque(im, a, import_operand_reason(o.from), out);
        item[i] = o.value;
    }
    predicate *p = new_predicate(im, PREDICATE_IN, a);
    p->in.column = subject.column;
    p->in.item = item;
    p->in.count = count;
    *out = p;
    return LP_OK;
}

static lp_status import_between(importer *im, const ast *a, const predicate **out) {
    if (a->symmetric) return import_opaque(im, a, STR("BETWEEN SYMMETRIC"), out);
    operand part[3];
    for (size_t i = 0; i < 3; i++) TRY(import_operand(im, a->arg[i], &part[i]));
    if (part[0].kind != OPERAND_COLUMN) return import_opaque(im, a, import_operand_reason(part[0].from), out);
    for (size_t i = 1; i < 3; i++)
        if (part[i].kind != OPERAND_LITERAL) return import_opaque(im, a, import_operand_reason(part[i].from), out);
    predicate *p = new_predicate(im, PREDICATE_BETWEEN, a);
    p->between.column = part[0].column;
    p->between.low = part[1].value;
    p->between.high = part[2].value;
    *out = p;
    return LP_OK;
}

static lp_status import_like(importer *im, const ast *a, const predicate **out) {
    if (a->like != LIKE_LIKE || a->like_any) return import_opaque(im, a, STR("a pattern match other than LIKE"), out);
    operand part[3];
    size_t count = a->has_escape ? 3 : 2;
    for (size_t i = 0; i < count; i++) TRY(import_operand(im, a->arg[i], &part[i]));
    if (part[0].kind != OPERAND_COLUMN) return import_opaque(im, a, import_operand_reason(part[0].from), out);
    for (size_t i = 1; i < count; i++)
        if (part[i].kind != OPERAND_LITERAL || part[i].value.kind != LITERAL_STRING)
            return import_opaque(im, a, STR("a LIKE pattern that is no text literal"), out);
    predicate *p = new_predicate(im, PREDICATE_LIKE, a);
    p->like.column = part[0].column;
    p->like.pattern = part[1].value;
    p->like.has_escape = a->has_escape;
    if (a->has_escape) p->like.escape = part[2].value;
    *out = p;
    return LP_OK;
}

/* --------------------------------------------------------------------------------------------- the walk */

static lp_status import_truth(importer *im, const ast *a, const predicate **out) {
    predicate *p = new_predicate(im, PREDICATE_TRUTH, a);
    p->truth.text = print_ast(im->query, a);
    p->truth.test = a->is == IS_TRUE ? TRUTH_TRUE : a->is == IS_FALSE ? TRUTH_FALSE : TRUTH_UNKNOWN;
    TRY(import_condition(im, a->arg[0], &p->truth.of));
    *out = p;
    return LP_OK;
}

/* Is the operand of IS TRUE and the like a condition of its own? */
static bool is_condition(const ast *a) {
    switch ((int)a->kind) {
    case AST_IS:
    case AST_DISTINCT:
    case AST_IN:
    case AST_BETWEEN:
    case AST_LIKE:
    case AST_BOOLEAN: return true;
    case AST_UNARY: return a->op == OP_NOT;
    case AST_BINARY:
    case AST_CHAIN: return a->op <= OP_NULLSAFE_EQ;
    default: return false;
    }
}

static lp_status import_is(importer *im, const ast *a, const predicate **out) {
    operand o;
    TRY(import_operand(im, a->arg[0], &o));
    if (a->is == IS_NULL && o.kind == OPERAND_COLUMN) {
        predicate *p = new_predicate(im, PREDICATE_IS_NULL, a);
        p->is_null.column = o.column;
        *out = p;
        return LP_OK;
    }
    bool boolean_column = o.kind == OPERAND_COLUMN && o.column.column->type.kind == TYPE_BOOLEAN;
    if (im->options->extended && (boolean_column || is_condition(o.from))) return import_truth(im, a, out);
    return import_opaque(im, a, a->is == IS_NULL ? import_operand_reason(a->arg[0]) : STR("a truth test"), out);
}

static lp_status import_junction(importer *im, const ast *a, const predicate **out) {
    const predicate **item = ARENA_ARRAY(im->query, const predicate *, a->arg_count);
    for (size_t i = 0; i < a->arg_count; i++) TRY(import_condition(im, a->arg[i], &item[i]));
    predicate *p = new_predicate(im, a->op == OP_AND ? PREDICATE_AND : PREDICATE_OR, a);
    p->junction.item = item;
    p->junction.count = a->arg_count;
    *out = p;
    return LP_OK;
}

static lp_status import_not(importer *im, const ast *a, const predicate **out) {
    predicate *p = new_predicate(im, PREDICATE_NOT, a);
    TRY(import_condition(im, a->arg[0], &p->not .of));
    *out = p;
    return LP_OK;
}

static lp_status import_bare_column(importer *im, const ast *a, const predicate **out) {
    operand o;
    TRY(import_operand(im, a, &o));
    if (o.kind != OPERAND_COLUMN) return import_opaque(im, a, import_operand_reason(a), out);
    type_kind kind = o.column.column->type.kind;
    if (kind != TYPE_BOOLEAN && kind != TYPE_VOID)
        return sql_error_at(im->err, im->options->text, a->at,
                            "expected a condition, found column " STR_FMT " of type " STR_FMT, STR_ARG(o.column.name),
                            STR_ARG(o.column.column->type.name));
    predicate *p = new_predicate(im, PREDICATE_COLUMN, a);
    p->column.column = o.column;
    *out = p;
    return LP_OK;
}

static lp_status import_constant(importer *im, const ast *a, const predicate **out) {
    if (!im->options->extended) return import_opaque(im, a, STR("a constant condition"), out);
    predicate *p = new_predicate(im, PREDICATE_CONSTANT, a);
    p->constant.text = print_ast(im->query, a);
    p->constant.set = a->kind == AST_NULL                   ? OUTCOME_NULL
                      : str_eq_nocase(a->text, STR("true")) ? OUTCOME_TRUE
                                                            : OUTCOME_FALSE;
    *out = p;
    return LP_OK;
}

/* Two operands, or a chain of more. */
static lp_status import_operator(importer *im, const ast *a, const predicate **out) {
    if (a->op == OP_AND || a->op == OP_OR) return import_junction(im, a, out);
    return a->kind == AST_CHAIN ? import_opaque(im, a, import_operand_reason(a), out) : import_compare(im, a, out);
}

lp_status import_condition(importer *im, const ast *written, const predicate **out) {
    const ast *a = import_strip_parens(written);
    switch (a->kind) {
    case AST_NAME: return import_bare_column(im, a, out);
    case AST_BOOLEAN:
    case AST_NULL: return import_constant(im, a, out);
    case AST_UNARY:
        return a->op == OP_NOT ? import_not(im, a, out) : import_opaque(im, a, import_operand_reason(a), out);
    case AST_BINARY:
    case AST_CHAIN: return import_operator(im, a, out);
    case AST_IS: return import_is(im, a, out);
    case AST_DISTINCT: return import_distinct(im, a, a->negated, out);
    case AST_IN: return import_in(im, a, out);
    case AST_BETWEEN: return import_between(im, a, out);
    case AST_LIKE: return import_like(im, a, out);
    case AST_NUMBER:
    case AST_STRING:
    case AST_TYPED: return import_opaque(im, a, STR("a value used as a condition"), out);
    case AST_CALL:
        return a->is_bare ? import_bare_column(im, a, out) : import_opaque(im, a, import_operand_reason(a), out);
    case AST_SUBQUERY:
    case AST_LOCAL:
    case AST_PAREN:
    case AST_OTHER: return import_opaque(im, a, import_operand_reason(a), out);
    }
    UNREACHABLE();
}

lp_status predicate_import(arena *query, const ast *tree, const import_options *options, const predicate **out,
                           lp_err *err) {
    importer im = {query, options, err};
    return import_condition(&im, tree, out);
}

lp_status predicate_import_scalar(arena *query, const ast *tree, const import_options *options, const scalar **out,
                                  lp_err *err) {
    importer im = {query, options, err};
    return import_scalar(&im, tree, out);
}
