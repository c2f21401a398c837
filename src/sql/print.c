/* print.c - a tree back to text, in one spelling.
 * Called by: predicate (fragments that it cannot own), tests.  Must not know: dialects.
 *
 * The tree keeps the author's parentheses, so nothing is added here: the tokens are those of the source, with keywords
 * and synonyms (!=, ==, !) in one spelling and blanks in the usual places.
 */
#include "sql/parse.h"
#include "sql/print_int.h"

static void put_arguments(buf *out, const ast *tree, size_t from) {
    for (size_t i = from; i < tree->arg_count; i++) {
        if (i > from) buf_put(out, STR(", "));
        sql_print(out, tree->arg[i]);
    }
}

static void print_name(buf *out, const ast *name) {
    for (uint32_t i = 0; i < name->part_count; i++) {
        if (i > 0) buf_put_char(out, '.');
        buf_put(out, name->part[i].written);
    }
}

static void print_typed(buf *out, const ast *tree) {
    buf_put(out, tree->type_name);
    if (tree->type_name.len > 2) buf_put_char(out, ' '); /* DATE '...', but X'...' and U&'...' */
    buf_put(out, tree->written);
}

/* Two minus signs in a row would start a comment. */
static void print_unary(buf *out, const ast *tree) {
    const ast *operand = tree->arg[0];
    buf_put(out, tree->op_text);
    bool blank = str_ends_with(tree->op_text, STR(" ")); /* some dialects want it always */
    if (tree->op == OP_NOT || (operand->kind == AST_UNARY && operand->op == tree->op && !blank)) buf_put_char(out, ' ');
    sql_print(out, operand);
}

static void print_between_operands(buf *out, const ast *left, str op, const ast *right) {
    sql_print(out, left);
    buf_put_char(out, ' ');
    buf_put(out, op);
    buf_put_char(out, ' ');
    sql_print(out, right);
}

static void print_chain(buf *out, const ast *tree) {
    sql_print(out, tree->arg[0]);
    for (size_t i = 1; i < tree->arg_count; i++) {
        buf_put_char(out, ' ');
        buf_put(out, tree->link[i - 1].text);
        buf_put_char(out, ' ');
        sql_print(out, tree->arg[i]);
    }
}

static void print_is(buf *out, const ast *tree) {
    static const char *const what[] = {
        [IS_NULL] = "NULL", [IS_TRUE] = "TRUE", [IS_FALSE] = "FALSE", [IS_UNKNOWN] = "UNKNOWN"};
    sql_print(out, tree->arg[0]);
    buf_put(out, tree->negated ? STR(" IS NOT ") : STR(" IS "));
    buf_put(out, str_from(what[tree->is]));
}

/* The brackets of IN (SELECT ...) belong to the query. */
static bool is_query_list(const ast *item) {
    return item->kind == AST_SUBQUERY && str_eq(item->text, STR("LIST"));
}

static void print_in(buf *out, const ast *tree) {
    sql_print(out, tree->arg[0]);
    buf_put(out, tree->negated ? STR(" NOT IN ") : STR(" IN "));
    bool bare = tree->text.len > 0 || (tree->arg_count > 1 && is_query_list(tree->arg[1]));
    if (!bare) buf_put_char(out, '(');
    put_arguments(out, tree, 1);
    if (!bare) buf_put_char(out, ')');
}

static void print_between(buf *out, const ast *tree) {
    sql_print(out, tree->arg[0]);
    buf_put(out, tree->negated ? STR(" NOT BETWEEN ") : STR(" BETWEEN "));
    if (tree->symmetric) buf_put(out, STR("SYMMETRIC "));
    print_between_operands(out, tree->arg[1], STR("AND"), tree->arg[2]);
}

static void print_like(buf *out, const ast *tree) {
    size_t patterns = tree->arg_count - (tree->has_escape ? 1 : 0);
    sql_print(out, tree->arg[0]);
    buf_put(out, tree->negated ? STR(" NOT ") : STR(" "));
    buf_put(out, tree->op_text);
    buf_put_char(out, ' ');
    if (tree->like_any) {
        bool query = patterns > 1 && is_query_list(tree->arg[1]);
        ast list = *tree;
        list.arg_count = patterns;
        buf_put(out, tree->text);
        buf_put(out, query ? STR(" ") : STR(" ("));
        put_arguments(out, &list, 1);
        if (!query) buf_put_char(out, ')');
    } else {
        sql_print(out, tree->arg[1]);
    }
    if (!tree->has_escape) return;
    buf_put(out, STR(" ESCAPE "));
    sql_print(out, tree->arg[tree->arg_count - 1]);
}

static void print_form(buf *out, const ast *tree) {
    for (size_t i = 0; i < tree->arg_count; i++) {
        buf_put(out, tree->piece[i]);
        sql_print(out, tree->arg[i]);
    }
    buf_put(out, tree->piece[tree->arg_count]);
    if (tree->form == FORM_STAR) print_star_modifiers(out, tree->star);
    if (tree->form != FORM_QUERY || tree->is_kept) return;
    buf_put_char(out, '(');
    sql_print_query(out, tree->query);
    buf_put_char(out, ')');
}

void sql_print(buf *out, const ast *tree) {
    switch (tree->kind) {
    case AST_NAME:
    case AST_LOCAL: print_name(out, tree); return;
    case AST_NUMBER:
    case AST_BOOLEAN:
    case AST_NULL: buf_put(out, tree->text); return;
    case AST_STRING: buf_put(out, tree->written); return;
    case AST_TYPED: print_typed(out, tree); return;
    case AST_UNARY: print_unary(out, tree); return;
    case AST_BINARY: print_between_operands(out, tree->arg[0], tree->op_text, tree->arg[1]); return;
    case AST_CHAIN: print_chain(out, tree); return;
    case AST_IS: print_is(out, tree); return;
    case AST_DISTINCT:
        print_between_operands(out, tree->arg[0], tree->negated ? STR("IS NOT DISTINCT FROM") : STR("IS DISTINCT FROM"),
                               tree->arg[1]);
        return;
    case AST_IN: print_in(out, tree); return;
    case AST_BETWEEN: print_between(out, tree); return;
    case AST_LIKE: print_like(out, tree); return;
    case AST_PAREN:
        buf_put_char(out, '(');
        sql_print(out, tree->arg[0]);
        buf_put_char(out, ')');
        return;
    case AST_CALL:
    case AST_SUBQUERY:
    case AST_OTHER: print_form(out, tree); return;
    }
    UNREACHABLE();
}
