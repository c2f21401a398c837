/* print.c - predicates as reports show them, and the tree itself for --debug-ir.
 * Called by: classify.c (fragments), prune, stage commands.  Must not know: SQL, statistics.
 */
#include "predicate/predicate.h"

str compare_op_text(compare_op op) {
    switch (op) {
    case COMPARE_EQ: return STR("=");
    case COMPARE_NE: return STR("<>");
    case COMPARE_LT: return STR("<");
    case COMPARE_LE: return STR("<=");
    case COMPARE_GT: return STR(">");
    case COMPARE_GE: return STR(">=");
    }
    UNREACHABLE();
}

/* Parentheses stand around AND and OR inside of AND, OR and NOT, and nowhere else. */
static void print_nested(buf *out, const predicate *p) {
    bool parens = p->kind == PREDICATE_AND || p->kind == PREDICATE_OR;
    if (parens) buf_put_char(out, '(');
    predicate_print(out, p);
    if (parens) buf_put_char(out, ')');
}

static void print_junction(buf *out, const predicate *p) {
    for (size_t i = 0; i < p->junction.count; i++) {
        if (i > 0) buf_put(out, p->kind == PREDICATE_AND ? STR(" AND ") : STR(" OR "));
        print_nested(out, p->junction.item[i]);
    }
}

static void print_list(buf *out, const literal *item, size_t count) {
    buf_put_char(out, '(');
    for (size_t i = 0; i < count; i++) {
        if (i > 0) buf_put(out, STR(", "));
        literal_print(out, &item[i]);
    }
    buf_put_char(out, ')');
}

static void print_column(buf *out, const column_ref *ref, str then) {
    buf_put(out, ref->name);
    buf_put(out, then);
}

static void print_like(buf *out, const predicate *p) {
    print_column(out, &p->like.column, p->negated ? STR(" NOT LIKE ") : STR(" LIKE "));
    literal_print(out, &p->like.pattern);
    if (!p->like.has_escape) return;
    buf_put(out, STR(" ESCAPE "));
    literal_print(out, &p->like.escape);
}

static void print_between(buf *out, const predicate *p) {
    print_column(out, &p->between.column, p->negated ? STR(" NOT BETWEEN ") : STR(" BETWEEN "));
    literal_print(out, &p->between.low);
    buf_put(out, STR(" AND "));
    literal_print(out, &p->between.high);
}

static void print_compare(buf *out, const predicate *p) {
    buf_put(out, p->compare.column.name);
    buf_printf(out, " " STR_FMT " ", STR_ARG(compare_op_text(p->compare.op)));
    literal_print(out, &p->compare.value);
}

static void print_truth(buf *out, const predicate *p) {
    static const char *const name[] = {"TRUE", "FALSE", "UNKNOWN"};
    bool parens = p->truth.of->kind != PREDICATE_COLUMN;
    if (parens) buf_put_char(out, '(');
    predicate_print(out, p->truth.of);
    buf_printf(out, "%s IS %s%s", parens ? ")" : "", p->negated ? "NOT " : "", name[p->truth.test]);
}

void predicate_print(buf *out, const predicate *p) {
    switch (p->kind) {
    case PREDICATE_COMPARE: print_compare(out, p); return;
    case PREDICATE_AND:
    case PREDICATE_OR: print_junction(out, p); return;
    case PREDICATE_NOT:
        buf_put(out, STR("NOT "));
        print_nested(out, p->not .of);
        return;
    case PREDICATE_IS_NULL:
        print_column(out, &p->is_null.column, p->negated ? STR(" IS NOT NULL") : STR(" IS NULL"));
        return;
    case PREDICATE_IN:
        print_column(out, &p->in.column, p->negated ? STR(" NOT IN ") : STR(" IN "));
        print_list(out, p->in.item, p->in.count);
        return;
    case PREDICATE_BETWEEN: print_between(out, p); return;
    case PREDICATE_DISTINCT:
        print_column(out, &p->distinct.column, p->negated ? STR(" IS NOT DISTINCT FROM ") : STR(" IS DISTINCT FROM "));
        literal_print(out, &p->distinct.value);
        return;
    case PREDICATE_LIKE: print_like(out, p); return;
    case PREDICATE_COLUMN: buf_put(out, p->column.column.name); return;
    case PREDICATE_TRUTH: print_truth(out, p); return;
    case PREDICATE_CONSTANT: buf_put(out, p->constant.text); return;
    case PREDICATE_SCALAR: buf_put(out, p->scalar.text); return;
    case PREDICATE_OPAQUE: buf_put(out, p->opaque.text); return;
    }
    UNREACHABLE();
}

/* ----------------------------------------------------------------------------------------------- dump */

static void dump_column(buf *out, const column_ref *ref) {
    buf_put(out, STR("col: ColRef(["));
    for (size_t i = 0; i < ref->part_count; i++) {
        if (i > 0) buf_put(out, STR(", "));
        dump_quoted(out, ref->part[i]);
    }
    buf_put(out, STR("])"));
}

static void dump_lit(buf *out, const char *label, const literal *l) {
    buf_printf(out, ", %s: ", label);
    literal_dump(out, l);
}

static void dump_node(buf *out, const predicate *p, unsigned depth);

static void dump_children(buf *out, const char *name, const predicate *const *item, size_t count, unsigned depth) {
    buf_printf(out, "%s([\n", name);
    for (size_t i = 0; i < count; i++) {
        buf_put_repeated(out, ' ', 2 * (size_t)(depth + 1));
        dump_node(out, item[i], depth + 1);
        buf_put(out, STR(",\n"));
    }
    buf_put_repeated(out, ' ', 2 * (size_t)depth);
    buf_put(out, STR("])"));
}

static const char *op_name(compare_op op) {
    static const char *const name[] = {"Eq", "Ne", "Lt", "Le", "Gt", "Ge"};
    return name[op];
}

static void dump_open(buf *out, const char *name, const column_ref *ref) {
    buf_printf(out, "%s { ", name);
    dump_column(out, ref);
}

static void dump_negated(buf *out, const predicate *p) {
    buf_printf(out, ", negated: %s }", p->negated ? "true" : "false");
}

static void dump_in(buf *out, const predicate *p) {
    dump_open(out, "InList", &p->in.column);
    buf_put(out, STR(", list: ["));
    for (size_t i = 0; i < p->in.count; i++) {
        if (i > 0) buf_put(out, STR(", "));
        literal_dump(out, &p->in.item[i]);
    }
    buf_put_char(out, ']');
    dump_negated(out, p);
}

static void dump_like(buf *out, const predicate *p) {
    dump_open(out, "Like", &p->like.column);
    buf_put(out, STR(", pattern: "));
    dump_quoted(out, p->like.pattern.raw);
    if (p->like.has_escape) {
        buf_put(out, STR(", escape: "));
        dump_quoted(out, p->like.escape.raw);
    }
    dump_negated(out, p);
}

static void dump_node(buf *out, const predicate *p, unsigned depth) {
    switch (p->kind) {
    case PREDICATE_COMPARE:
        dump_open(out, "Cmp", &p->compare.column);
        buf_printf(out, ", op: %s", op_name(p->compare.op));
        dump_lit(out, "lit", &p->compare.value);
        buf_put(out, STR(" }"));
        return;
    case PREDICATE_AND: dump_children(out, "And", p->junction.item, p->junction.count, depth); return;
    case PREDICATE_OR: dump_children(out, "Or", p->junction.item, p->junction.count, depth); return;
    case PREDICATE_NOT:
        buf_put(out, STR("Not("));
        dump_node(out, p->not .of, depth);
        buf_put_char(out, ')');
        return;
    case PREDICATE_IS_NULL:
        dump_open(out, "IsNull", &p->is_null.column);
        dump_negated(out, p);
        return;
    case PREDICATE_IN: dump_in(out, p); return;
    case PREDICATE_BETWEEN:
        dump_open(out, "Between", &p->between.column);
        dump_lit(out, "low", &p->between.low);
        dump_lit(out, "high", &p->between.high);
        dump_negated(out, p);
        return;
    case PREDICATE_DISTINCT:
        dump_open(out, "DistinctFrom", &p->distinct.column);
        dump_lit(out, "lit", &p->distinct.value);
        dump_negated(out, p);
        return;
    case PREDICATE_LIKE: dump_like(out, p); return;
    case PREDICATE_COLUMN:
        dump_open(out, "BoolCol", &p->column.column);
        buf_put(out, STR(" }"));
        return;
    case PREDICATE_TRUTH:
        buf_put(out, STR("Truth { of: "));
        dump_node(out, p->truth.of, depth);
        buf_printf(out, ", test: %s",
                   p->truth.test == TRUTH_TRUE    ? "True"
                   : p->truth.test == TRUTH_FALSE ? "False"
                                                  : "Unknown");
        dump_negated(out, p);
        return;
    case PREDICATE_CONSTANT: buf_printf(out, "Constant(" STR_FMT ")", STR_ARG(p->constant.text)); return;
    case PREDICATE_SCALAR:
        buf_put(out, STR("Scalar { of: "));
        scalar_dump(out, p->scalar.of);
        buf_put(out, STR(" }"));
        return;
    case PREDICATE_OPAQUE:
        buf_put(out, STR("Opaque { text: "));
        dump_quoted(out, p->opaque.text);
        buf_put(out, STR(", reason: "));
        dump_quoted(out, p->opaque.reason);
        buf_put(out, STR(" }"));
        return;
    }
    UNREACHABLE();
}

void predicate_dump(buf *out, const predicate *p) {
    dump_node(out, p, 0);
    buf_put_char(out, '\n');
}
