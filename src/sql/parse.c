/* parse.c - the cursor over the tokens, the makers of nodes, and the way in.
 * Called by: predicate/import.c, sql/parse_*.c.  Must not know: the grammar of expressions.
 */
#include "sql/parse.h"

#include <stdio.h>
#include <string.h>

#include "sql/error.h"
#include "sql/sql_int.h"

/* ---- the cursor ---- */

bool at_name_part(const parser *p) {
    if (!at_name(p, 0)) return false;
    char start = p->text.ptr[p->next->at.start];
    bool touches = p->next[-1].at.start + p->next[-1].at.len == p->next->at.start;
    return start < '0' || start > '9' || touches;
}

bool at_word(const parser *p, size_t ahead, const char *word) {
    const token *t = peek(p, ahead);
    return t->kind == TOKEN_NAME && str_eq_nocase(token_text(p, t), str_from(word));
}

bool names_operand(const parser *p) {
    static const operator_id after[] = {OPERATOR_DOT, OPERATOR_EQ, OPERATOR_EQ_DOUBLE, OPERATOR_NE, OPERATOR_NE_BANG,
                                        OPERATOR_LT,  OPERATOR_GT, OPERATOR_LE,        OPERATOR_GE, OPERATOR_NULLSAFE};
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        if (at_operator(p, 1, after[i])) return true;
    return false;
}

str token_text(const parser *p, const token *t) {
    return span_text(p->text, t->at);
}

span span_since(const parser *p, const token *first) {
    return p->next > first ? span_join(first->at, p->next[-1].at) : first->at;
}

/* ---- errors ---- */

/* What the next token is, in words: "end of the text", number 60, text 'x', "OR". */
static const char *describe_next(const parser *p, char *out, size_t size) {
    char shown[200];
    sql_quote_for_message(token_text(p, p->next), 40, shown, sizeof shown);
    switch ((token_kind)p->next->kind) {
    case TOKEN_END: snprintf(out, size, "the end of the text"); break;
    case TOKEN_NUMBER: snprintf(out, size, "number %s", shown); break;
    case TOKEN_STRING: snprintf(out, size, "text %s", shown); break;
    case TOKEN_QUOTED_NAME: snprintf(out, size, "name %s", shown); break;
    case TOKEN_PARAMETER: snprintf(out, size, "parameter %s", shown); break;
    case TOKEN_BAD:
    case TOKEN_NAME:
    case TOKEN_OPERATOR: snprintf(out, size, "\"%s\"", shown); break;
    }
    return out;
}

lp_status expected(parser *p, const char *what) {
    char found[256];
    if (p->next->kind == TOKEN_BAD) return err_set(p->err, LP_ERR_QUERY, STR_FMT, STR_ARG(p->bad[p->next->word].text));
    const char *hint = at_operator(p, 0, OPERATOR_NAMED) ? " (\"at least\" is written >=)" : "";
    return sql_syntax_error(p->err, p->text, p->next->at, "expected %s, found %s%s", what,
                            describe_next(p, found, sizeof found), hint);
}

static lp_status expected_text(parser *p, str what) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"" STR_FMT "\"", STR_ARG(what));
    return expected(p, quoted);
}

lp_status expect_operator(parser *p, operator_id id) {
    return take_operator(p, id) ? LP_OK : expected_text(p, operator_text(id));
}

lp_status expect_keyword(parser *p, keyword word) {
    return take_keyword(p, word) ? LP_OK : expected_text(p, keyword_text(word));
}

lp_status expect_close(parser *p, operator_id id, const token *open) {
    if (take_operator(p, id)) return LP_OK;
    text_place at = span_place(p->text, open->at);
    char what[96];
    snprintf(what, sizeof what, "\"" STR_FMT "\" to close the \"" STR_FMT "\" at line %u, column %u",
             STR_ARG(operator_text(id)), STR_ARG(token_text(p, open)), at.line, at.column);
    return expected(p, what);
}

lp_status too_deep(parser *p, span at) {
    return sql_syntax_error(p->err, p->text, at, "expected at most %d levels of nesting (SQL_MAX_DEPTH), found more",
                            SQL_MAX_DEPTH);
}

lp_status parse_enter(parser *p) {
    if (p->depth >= SQL_MAX_DEPTH) return too_deep(p, p->next->at);
    p->depth++;
    return LP_OK;
}

void parse_leave(parser *p) {
    p->depth--;
}

/* ---- nodes ---- */

void list_add(parser *p, node_list *list, ast *node) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 2;
        ast **grown = arena_alloc_raw(p->query, capacity * sizeof *grown);
        if (list->count) memcpy(grown, list->item, list->count * sizeof *grown);
        list->item = grown;
        list->capacity = capacity;
    }
    list->item[list->count++] = node;
}

ast *node_new(parser *p, ast_kind kind) {
    ast *node = ARENA_NEW(p->query, ast);
    node->kind = kind;
    return node;
}

lp_status node_finish(parser *p, ast *node, const token *first, const node_list *args, ast **out) {
    node->at = span_since(p, first);
    node->height = 1;
    if (args) {
        node->arg = args->item;
        node->arg_count = args->count;
        for (size_t i = 0; i < args->count; i++)
            if (args->item[i]->height >= node->height) node->height = args->item[i]->height + 1;
    }
    if (node->height > SQL_MAX_DEPTH) return too_deep(p, first->at);
    if (node->height > p->seen_height) p->seen_height = node->height;
    *out = node;
    return LP_OK;
}

lp_status node_raise(parser *p, ast *node, const token *first, uint32_t height) {
    if (height > node->height) node->height = height;
    if (node->height > SQL_MAX_DEPTH) return too_deep(p, first->at);
    if (node->height > p->seen_height) p->seen_height = node->height;
    return LP_OK;
}

lp_status query_grow(parser *p, const token *first, uint32_t *height, span *at) {
    if (p->seen_height >= *height) *height = p->seen_height + 1;
    *at = span_since(p, first);
    if (*height > SQL_MAX_DEPTH) return too_deep(p, first->at);
    p->seen_height = *height;
    return LP_OK;
}

void query_enter(parser *p, uint32_t *outer_height) {
    *outer_height = p->seen_height;
    p->seen_height = 0;
}

lp_status query_leave(parser *p, const token *first, uint32_t outer_height, uint32_t *height, span *at) {
    *height = p->seen_height + 1;
    *at = span_since(p, first);
    if (*height > SQL_MAX_DEPTH) return too_deep(p, first->at);
    p->seen_height = *height > outer_height ? *height : outer_height;
    return LP_OK;
}

void *many_add(parser *p, many *list, size_t item_size) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 2;
        void *grown = arena_alloc_array(p->query, capacity, item_size);
        if (list->count) memcpy(grown, list->item, list->count * item_size);
        list->item = grown;
        list->capacity = capacity;
    }
    return (char *)list->item + list->count++ * item_size;
}

lp_status clause_of_text(parser *p, str name, const token *from, ast **out) {
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_CLAUSE;
    node->text = name;
    form f = form_start(p, from);
    form_put(&f, kept_text(p, from, p->next));
    return form_finish(&f, node, out);
}

form form_start(parser *p, const token *first) {
    return (form){.p = p, .first = first, .pending = STR("")};
}

/* Not by str_format: a text may hold NUL. */
static str concat(parser *p, str a, str b) {
    char *both = arena_alloc_raw(p->query, a.len + b.len);
    if (a.len) memcpy(both, a.ptr, a.len);
    if (b.len) memcpy(both + a.len, b.ptr, b.len);
    return (str){both, a.len + b.len};
}

void form_put(form *f, str text) {
    f->pending = f->pending.len == 0 ? text : concat(f->p, f->pending, text);
}

static void end_piece(form *f) {
    size_t count = f->args.count;
    if (count == f->piece_capacity) {
        size_t capacity = count ? count * 2 : 4;
        str *grown = arena_alloc_raw(f->p->query, capacity * sizeof *grown);
        if (count) memcpy(grown, f->piece, count * sizeof *grown);
        f->piece = grown;
        f->piece_capacity = capacity;
    }
    f->piece[count] = f->pending;
    f->pending = STR("");
}

void form_argument(form *f, ast *argument) {
    end_piece(f);
    list_add(f->p, &f->args, argument);
}

lp_status form_finish(form *f, ast *node, ast **out) {
    end_piece(f);
    node->piece = f->piece;
    return node_finish(f->p, node, f->first, &f->args, out);
}

str upper_copy(parser *p, str word) {
    char *copy = arena_alloc_raw(p->query, word.len);
    for (size_t i = 0; i < word.len; i++) {
        char c = word.ptr[i];
        copy[i] = c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
    }
    return (str){copy, word.len};
}

/* `content` with each doubled `quote` as one; a backslash keeps the next character as it is where it escapes. */
static str resolve_doubled(parser *p, str content, char quote, bool escapes, bool *doubled) {
    *doubled = false;
    char *copy = NULL;
    size_t used = 0;
    for (size_t i = 0; i < content.len; i++) {
        char c = content.ptr[i];
        bool pair = c == quote && i + 1 < content.len && content.ptr[i + 1] == quote;
        if (pair && !copy) {
            copy = arena_alloc_raw(p->query, content.len);
            memcpy(copy, content.ptr, used);
            *doubled = true;
        }
        if (copy) copy[used] = c;
        used++;
        if (c == '\\' && escapes && i + 1 < content.len) {
            i++;
            if (copy) copy[used] = content.ptr[i];
            used++;
        } else if (pair) {
            i++;
        }
    }
    return copy ? (str){copy, used} : content;
}

static bool has_backslash(str s) {
    size_t at;
    return str_find_char(s, '\\', &at);
}

ast_part name_part(parser *p, const token *t) {
    ast_part part = {.written = token_text(p, t), .at = t->at};
    part.text = part.written;
    if (t->kind != TOKEN_QUOTED_NAME) return part;
    if (t->detail) { /* U&"...", which the lexer has checked */
        part.quote = '"';
        (void)sql_unicode_name(p->query, str_slice(part.written, t->detail + 1u, part.written.len - 1), &part.text);
        return part;
    }
    bool doubled;
    part.quote = part.written.ptr[0];
    bool escapes = p->traits->backslash && part.quote == '"' && !p->statements;
    part.text = resolve_doubled(p, str_slice(part.written, 1, part.written.len - 1), part.quote, escapes, &doubled);
    part.has_backslash = part.quote == '"' && has_backslash(part.text);
    part.has_doubled = part.quote == '"' && doubled;
    return part;
}

/* $tag$...$tag$: all is content. */
static void set_dollar_literal(ast *node, str whole) {
    size_t mark;
    (void)str_find_char(str_slice(whole, 1, whole.len), '$', &mark);
    node->is_raw = true;
    node->written = whole;
    node->text = str_slice(whole, mark + 2, whole.len - mark - 2);
}

/* How many quote characters stand at each end of a text. */
static size_t quote_width(const parser *p, str quoted) {
    char quote = quoted.ptr[0];
    bool triple = p->traits->triple_quotes && quoted.len >= 6 && quoted.ptr[1] == quote && quoted.ptr[2] == quote;
    return triple ? 3 : 1;
}

void set_literal(parser *p, ast *node, const token *t) {
    str whole = token_text(p, t);
    if (whole.ptr[0] == '$') {
        set_dollar_literal(node, whole);
        return;
    }
    char prefix = t->detail ? (char)(whole.ptr[0] | 0x20) : '\0';
    bool raw = prefix == 'r' || (t->detail == 2 && (whole.ptr[1] | 0x20) == 'r');
    size_t width = quote_width(p, str_slice(whole, t->detail, whole.len));
    str content = str_slice(whole, t->detail + width, whole.len - width);
    node->is_raw = raw;
    node->written =
        prefix && prefix != 'e' && !(raw && t->detail == 1) ? str_slice(whole, t->detail, whole.len) : whole;
    node->text = content;
    if (raw) return;
    bool escapes = p->traits->backslash || prefix == 'e';
    if (width == 1) node->text = resolve_doubled(p, content, whole.ptr[t->detail], escapes, &node->has_doubled);
    node->has_backslash = has_backslash(content);
}

/* ---- the way in ---- */

/* condition: expression END */
lp_status sql_parse_expression(arena *query, str text, sql_dialect dialect, const ast **out, lp_err *err) {
    dialect_traits traits = sql_dialect_condition_traits(dialect);
    parser p = {.query = query, .text = text, .traits = &traits, .err = err};
    size_t count;
    TRY(sql_lex(query, text, dialect, &p.next, &count, err));
    ast *tree;
    TRY(parse_expression(&p, &tree));
    if (p.next->kind != TOKEN_END) return expected(&p, "an operator or the end of the text");
    *out = tree;
    return LP_OK;
}
