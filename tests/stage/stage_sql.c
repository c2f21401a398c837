/* stage_sql.c - the stages of the room sql: lex, parse, print, names for conditions; script, reprint for statements.
 * Called by: tests/stage/stage.c.  Must not know: other rooms' stages.
 *
 * Arguments: dialect=NAME (default spark); parse: `spans` adds the place of each node.
 */
#include "sql/lex.h"
#include "sql/parse.h"
#include "sql/walk.h"
#include "stage.h"

static lp_status find_dialect(const stage_call *call, sql_dialect *out, lp_err *err) {
    str name = stage_arg(call, "dialect", "spark");
    if (sql_dialect_by_name(name, out)) return LP_OK;
    return err_set(err, LP_ERR_USAGE, "no such dialect: " STR_FMT, STR_ARG(name));
}

/* ---- lex ---- */

static const char *kind_name(token_kind kind) {
    switch (kind) {
    case TOKEN_END: return "end";
    case TOKEN_NAME: return "name";
    case TOKEN_QUOTED_NAME: return "quoted";
    case TOKEN_NUMBER: return "number";
    case TOKEN_STRING: return "text";
    case TOKEN_OPERATOR: return "operator";
    case TOKEN_PARAMETER: return "parameter";
    case TOKEN_BAD: return "bad";
    }
    UNREACHABLE();
}

lp_status stage_lex(stage_call *call, lp_err *err) {
    sql_dialect dialect;
    TRY(find_dialect(call, &dialect, err));
    const token *token_at;
    size_t count;
    TRY(sql_lex(call->work, call->input, dialect, &token_at, &count, err));
    for (size_t i = 0; i < count; i++) {
        const token *t = &token_at[i];
        const char *kind = t->kind == TOKEN_NAME && t->word != KW_NONE ? "word" : kind_name((token_kind)t->kind);
        stage_line(call,
                   "@%u+%u %s"
                   "%s" STR_FMT,
                   t->at.start, t->at.len, kind, t->at.len ? " " : "", STR_ARG(span_text(call->input, t->at)));
    }
    return LP_OK;
}

/* ---- parse ---- */

typedef struct dump {
    stage_call *call;
    bool spans;
} dump;

static void put_label(buf *out, const char *label) {
    buf_put(out, str_from(label));
}

static void put_flags(buf *out, const ast *n) {
    if (n->negated) put_label(out, " not");
    if (n->symmetric) put_label(out, " symmetric");
    if (n->has_escape) put_label(out, " escape");
    if (n->has_backslash) put_label(out, " backslash");
    if (n->has_doubled) put_label(out, " doubled");
    if (n->is_raw) put_label(out, " raw");
    if (n->is_bare) put_label(out, " bare");
}

static void put_parts(buf *out, const ast *n) {
    for (uint32_t i = 0; i < n->part_count; i++) {
        const ast_part *part = &n->part[i];
        buf_put_char(out, i ? '.' : ' ');
        buf_put(out, part->text);
        if (part->quote) buf_printf(out, "[%c]", part->quote);
        if (part->has_backslash) put_label(out, "[backslash]");
        if (part->has_doubled) put_label(out, "[doubled]");
    }
}

static void put_pieces(buf *out, const ast *n) {
    buf_put_char(out, ' ');
    for (size_t i = 0; i <= n->arg_count; i++) {
        if (i > 0) put_label(out, "{}");
        buf_put(out, n->piece[i]);
    }
}

static void put_links(buf *out, const ast *n) {
    for (size_t i = 0; i + 1 < n->arg_count; i++) {
        if (i > 0 && (n->op == OP_AND || n->op == OP_OR)) break;
        buf_put_char(out, ' ');
        buf_put(out, n->link[i].text);
    }
}

static const char *is_name(ast_is is) {
    switch (is) {
    case IS_NULL: return "is null";
    case IS_TRUE: return "is true";
    case IS_FALSE: return "is false";
    case IS_UNKNOWN: return "is unknown";
    }
    UNREACHABLE();
}

static void put_node(buf *out, const ast *n) {
    switch (n->kind) {
    case AST_NAME: put_label(out, "name"), put_parts(out, n); break;
    case AST_LOCAL: put_label(out, "local"), put_parts(out, n); break;
    case AST_NUMBER: buf_printf(out, "number " STR_FMT, STR_ARG(n->text)); break;
    case AST_STRING: buf_printf(out, "text [" STR_FMT "]", STR_ARG(n->text)); break;
    case AST_TYPED: buf_printf(out, "typed " STR_FMT " [" STR_FMT "]", STR_ARG(n->type_name), STR_ARG(n->text)); break;
    case AST_BOOLEAN:
    case AST_NULL: buf_put(out, n->text); break;
    case AST_UNARY: buf_printf(out, "unary " STR_FMT, STR_ARG(n->op_text)); break;
    case AST_BINARY: buf_printf(out, "binary " STR_FMT, STR_ARG(n->op_text)); break;
    case AST_CHAIN: put_label(out, "chain"), put_links(out, n); break;
    case AST_IS: put_label(out, is_name(n->is)); break;
    case AST_DISTINCT: put_label(out, "is distinct from"); break;
    case AST_IN: put_label(out, "in"); break;
    case AST_BETWEEN: put_label(out, "between"); break;
    case AST_LIKE:
        buf_printf(out, STR_FMT "%s" STR_FMT, STR_ARG(n->op_text), n->like_any ? " " : "", STR_ARG(n->text));
        break;
    case AST_CALL: buf_printf(out, "call " STR_FMT, STR_ARG(n->text)), put_pieces(out, n); break;
    case AST_PAREN: put_label(out, "paren"); break;
    case AST_SUBQUERY: put_label(out, "query"), put_pieces(out, n); break;
    case AST_OTHER: put_label(out, "other"), put_pieces(out, n); break;
    }
    put_flags(out, n);
}

static void dump_tree(dump *d, const ast *n, size_t indent) {
    buf_put_repeated(d->call->out, ' ', indent);
    put_node(d->call->out, n);
    if (d->spans) buf_printf(d->call->out, "  @%u+%u", n->at.start, n->at.len);
    buf_put_char(d->call->out, '\n');
    for (size_t i = 0; i < n->arg_count; i++) dump_tree(d, n->arg[i], indent + 2);
}

lp_status stage_parse(stage_call *call, lp_err *err) {
    sql_dialect dialect;
    TRY(find_dialect(call, &dialect, err));
    const ast *tree;
    TRY(sql_parse_expression(call->work, call->input, dialect, &tree, err));
    dump_tree(&(dump){call, stage_flag(call, "spans")}, tree, 0);
    return LP_OK;
}

/* ---- print ---- */

/* Also checks that what was printed parses to the same tree. */
lp_status stage_print(stage_call *call, lp_err *err) {
    sql_dialect dialect;
    TRY(find_dialect(call, &dialect, err));
    const ast *tree, *again;
    TRY(sql_parse_expression(call->work, call->input, dialect, &tree, err));
    sql_print(call->out, tree);
    str printed = str_copy(call->work, buf_str(call->out));
    buf_put_char(call->out, '\n');
    if (sql_parse_expression(call->work, printed, dialect, &again, err) != LP_OK)
        stage_line(call, "and does not parse again: %s", err->text);
    else if (!ast_equal(tree, again))
        stage_line(call, "and parses to another tree");
    return LP_OK;
}

/* ---- names ---- */

static void put_name(void *context, const ast *name) {
    stage_call *call = context;
    put_label(call->out, name->kind == AST_CALL ? "function or name" : "name");
    put_parts(call->out, name);
    buf_put_char(call->out, '\n');
}

/* The names that a consumer has to look up. */
lp_status stage_names(stage_call *call, lp_err *err) {
    sql_dialect dialect;
    TRY(find_dialect(call, &dialect, err));
    const ast *tree;
    TRY(sql_parse_expression(call->work, call->input, dialect, &tree, err));
    ast_visit_names(tree, put_name, call);
    return LP_OK;
}

/* ---- statements ---- */

static lp_status parse_script(stage_call *call, str text, sql_script *out, lp_err *err) {
    sql_dialect dialect;
    TRY(find_dialect(call, &dialect, err));
    return sql_parse_script(call->work, text, dialect, out, err);
}

static void put_errors(stage_call *call, const sql_script *script) {
    for (size_t i = 0; i < script->error_count; i++) stage_line(call, STR_FMT, STR_ARG(script->error[i].text));
}

/* The trees of all statements, then the errors. */
lp_status stage_script(stage_call *call, lp_err *err) {
    sql_script script;
    TRY(parse_script(call, call->input, &script, err));
    for (size_t i = 0; i < script.statement_count; i++)
        sql_dump_statement(call->out, script.statement[i], stage_flag(call, "spans"));
    put_errors(call, &script);
    return LP_OK;
}

static str dump_all(stage_call *call, const sql_script *script) {
    buf out;
    buf_init(&out, call->work, SIZE_MAX / 2);
    for (size_t i = 0; i < script->statement_count; i++) sql_dump_statement(&out, script->statement[i], false);
    return buf_str(&out);
}

/* All statements in one spelling, which is parsed again and must give the same trees. */
lp_status stage_reprint(stage_call *call, lp_err *err) {
    sql_script script, again;
    TRY(parse_script(call, call->input, &script, err));
    for (size_t i = 0; i < script.statement_count; i++) {
        sql_print_statement(call->out, script.statement[i]);
        buf_put(call->out, STR(";\n"));
    }
    put_errors(call, &script);
    if (script.error_count > 0) return LP_OK;
    TRY(parse_script(call, str_copy(call->work, buf_str(call->out)), &again, err));
    if (again.error_count > 0)
        stage_line(call, "and does not parse again: " STR_FMT, STR_ARG(again.error[0].text));
    else if (!str_eq(dump_all(call, &script), dump_all(call, &again)))
        stage_line(call, "and parses to another tree");
    return LP_OK;
}
