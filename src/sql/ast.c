/* ast.c - questions about a tree.
 * Called by: predicate/import.c, plan/bind_*.c, tests.  Must not know: tables, column types, meaning.
 */
#include "sql/ast.h"

ast_op ast_op_mirrored(ast_op op) {
    switch ((int)op) {
    case OP_LT: return OP_GT;
    case OP_LE: return OP_GE;
    case OP_GT: return OP_LT;
    case OP_GE: return OP_LE;
    default: return op;
    }
}

static bool parts_equal(const ast *a, const ast *b) {
    if (a->part_count != b->part_count) return false;
    for (uint32_t i = 0; i < a->part_count; i++)
        if (a->part[i].quote != b->part[i].quote || !str_eq(a->part[i].written, b->part[i].written)) return false;
    return true;
}

static bool has_pieces(const ast *a) {
    return a->kind == AST_CALL || a->kind == AST_SUBQUERY || a->kind == AST_OTHER;
}

static bool node_equal(const ast *a, const ast *b) {
    return a->kind == b->kind && a->op == b->op && a->is == b->is && a->like == b->like && a->negated == b->negated &&
           a->symmetric == b->symmetric && a->like_any == b->like_any && a->has_escape == b->has_escape &&
           a->has_backslash == b->has_backslash && a->has_doubled == b->has_doubled && a->is_raw == b->is_raw &&
           a->is_bare == b->is_bare && str_eq(a->op_text, b->op_text) && str_eq(a->text, b->text) &&
           str_eq(a->written, b->written) && str_eq(a->type_name, b->type_name) && a->arg_count == b->arg_count &&
           parts_equal(a, b);
}

bool ast_equal(const ast *a, const ast *b) {
    if (!node_equal(a, b)) return false;
    for (size_t i = 0; has_pieces(a) && i <= a->arg_count; i++)
        if (!str_eq(a->piece[i], b->piece[i])) return false;
    for (size_t i = 0; i < a->arg_count; i++) {
        if (a->kind == AST_CHAIN && i > 0 && !str_eq(a->link[i - 1].text, b->link[i - 1].text)) return false;
        if (!ast_equal(a->arg[i], b->arg[i])) return false;
    }
    return true;
}

const ast *ast_without_parens(const ast *a) {
    while (a->kind == AST_PAREN) a = a->arg[0];
    return a;
}

void ast_visit_names(const ast *tree, ast_name_visit visit, void *context) {
    if (tree->kind == AST_NAME || (tree->kind == AST_CALL && tree->is_bare)) visit(context, tree);
    for (size_t i = 0; i < tree->arg_count; i++) ast_visit_names(tree->arg[i], visit, context);
}
