/* parse_primary.c - what operators stand between: names, literals, brackets, and what clings to their end.
 * Called by: sql/parse_expr.c.  Must not know: precedence, that tables or column types exist.
 *
 *   primary := atom { [ expression ] | .name | :path | ::type }
 *   atom    := number | text {text} | name {. name} | call | special form | ( expression ) | ( expression, ... )
 *            | ( query ) | [ expression, ... ] | ARRAY [ ... ] | ? | :name | $1 | @name
 */
#include "sql/sql_int.h"

#include <string.h>

/* ---- literals ---- */

BESIDE static lp_status parse_number(parser *p, ast **out) {
    const token *first = p->next++;
    ast *node = node_new(p, AST_NUMBER);
    node->text = token_text(p, first);
    return node_finish(p, node, first, NULL, out);
}

/* X'..', N'..', B'..': the prefix is the type. */
static lp_status parse_prefixed(parser *p, ast **out) {
    const token *first = p->next++;
    ast *node = node_new(p, AST_TYPED);
    node->type_name = upper_copy(p, str_slice(token_text(p, first), 0, first->detail));
    set_literal(p, node, first);
    return node_finish(p, node, first, NULL, out);
}

static bool is_plain_string(const token *t) {
    return t->kind == TOKEN_STRING && t->detail == 0;
}

/* Texts that follow each other are one text. Escapes are resolved in each alone, so with a backslash (or a raw text)
 * the pieces must stay apart: the whole is then AST_OTHER, which nobody reads. */
static lp_status join_strings(parser *p, const token *first, ast **out) {
    ast *joined = node_new(p, AST_STRING), *opaque = node_new(p, AST_OTHER);
    buf content, inside, apart;
    buf_init(&content, p->query, SQL_MAX_TEXT_BYTES * 2);
    buf_init(&inside, p->query, SQL_MAX_TEXT_BYTES * 2);
    buf_init(&apart, p->query, SQL_MAX_TEXT_BYTES * 2);
    buf_put_char(&inside, '\'');
    bool mixed = false;
    for (p->next = first; p->next->kind == TOKEN_STRING; p->next++) {
        ast part = {.kind = AST_STRING};
        set_literal(p, &part, p->next);
        mixed = mixed || part.has_backslash || p->next->detail > 0;
        joined->has_doubled = joined->has_doubled || part.has_doubled;
        buf_put(&content, part.text);
        buf_put(&inside, str_slice(part.written, 1, part.written.len - 1));
        if (p->next > first) buf_put_char(&apart, ' ');
        buf_put(&apart, token_text(p, p->next));
    }
    if (mixed) {
        form f = form_start(p, first);
        form_put(&f, buf_str(&apart));
        return form_finish(&f, opaque, out);
    }
    joined->text = buf_str(&content);
    buf_put_char(&inside, '\'');
    joined->written = buf_str(&inside);
    return node_finish(p, joined, first, NULL, out);
}

BESIDE static lp_status parse_string(parser *p, ast **out) {
    const token *first = p->next;
    if (first[1].kind == TOKEN_STRING) return join_strings(p, first, out);
    bool raw = first->detail && (p->text.ptr[first->at.start] | 0x20) == 'r';
    if (first->detail && !raw) return parse_prefixed(p, out);
    p->next++;
    ast *node = node_new(p, AST_STRING);
    set_literal(p, node, first);
    return node_finish(p, node, first, NULL, out);
}

static bool is_literal_type(str word) {
    static const char *const types[] = {"DATE",    "TIMESTAMP", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ",
                                        "TIME",    "DATETIME",  "INTERVAL",      "X",
                                        "DECIMAL", "NUMERIC",   "BIGNUMERIC",    "JSON"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_eq_nocase(word, str_from(types[i]))) return true;
    return false;
}

/* TIMESTAMP WITH TIME ZONE '..' and the like: four words, then the text. */
static bool at_zoned_literal(const parser *p) {
    return (at_keyword(p, 0, KW_TIMESTAMP) || at_keyword(p, 0, KW_TIME)) &&
           (at_keyword(p, 1, KW_WITH) || at_keyword(p, 1, KW_WITHOUT)) && at_keyword(p, 2, KW_TIME) &&
           at_keyword(p, 3, KW_ZONE) && is_plain_string(&p->next[4]);
}

/* typed := type text */
BESIDE static lp_status parse_typed(parser *p, ast **out) {
    const token *first = p->next;
    ast *node = node_new(p, AST_TYPED);
    node->type_name = upper_copy(p, token_text(p, first));
    if (at_zoned_literal(p)) {
        node->type_name = str_format(p->query, STR_FMT " " STR_FMT " TIME ZONE", STR_ARG(node->type_name),
                                     STR_ARG(keyword_text((keyword)first[1].word)));
        p->next += 3;
    }
    p->next++;
    set_literal(p, node, p->next++);
    return node_finish(p, node, first, NULL, out);
}

BESIDE static bool at_typed(const parser *p) {
    if (at_zoned_literal(p)) return true;
    return p->next->kind == TOKEN_NAME && is_plain_string(&p->next[1]) && is_literal_type(token_text(p, p->next));
}

BESIDE static lp_status parse_constant(parser *p, ast_kind kind, str text, ast **out) {
    const token *first = p->next++;
    ast *node = node_new(p, kind);
    node->text = text;
    return node_finish(p, node, first, NULL, out);
}

/* ---- names and calls ---- */

typedef struct part_list {
    ast_part *item;
    size_t count, capacity;
} part_list;

static void part_add(parser *p, part_list *list, const token *t) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 2;
        ast_part *grown = arena_alloc_raw(p->query, capacity * sizeof *grown);
        if (list->count) memcpy(grown, list->item, list->count * sizeof *grown);
        list->item = grown;
        list->capacity = capacity;
    }
    list->item[list->count++] = name_part(p, t);
}

static bool is_local(const parser *p, const ast_part *part) {
    for (const local *l = p->locals; l; l = l->outer)
        if (str_eq_nocase(l->name, part->text)) return true;
    return false;
}

BESIDE static str dotted(parser *p, const part_list *parts) {
    if (parts->count == 1) return parts->item[0].written;
    buf text;
    buf_init(&text, p->query, SQL_MAX_TEXT_BYTES);
    for (size_t i = 0; i < parts->count; i++) {
        if (i > 0) buf_put_char(&text, '.');
        buf_put(&text, parts->item[i].written);
    }
    return buf_str(&text);
}

/* name {. name} [ ( arguments ) ] */
BESIDE static lp_status parse_name(parser *p, ast **out) {
    const token *first = p->next;
    part_list parts = {0};
    part_add(p, &parts, p->next++);
    while (at_operator(p, 0, OPERATOR_DOT)) {
        p->next++;
        if (!at_name_part(p)) return expected(p, "a name after the dot");
        part_add(p, &parts, p->next++);
    }
    if (at_operator(p, 0, OPERATOR_LPAREN)) return parse_call(p, dotted(p, &parts), first, out);
    ast *node = node_new(p, is_local(p, &parts.item[0]) ? AST_LOCAL : AST_NAME);
    node->part = parts.item;
    node->part_count = (uint32_t)parts.count;
    return node_finish(p, node, first, NULL, out);
}

/* CURRENT_DATE and its kin without parentheses. */
BESIDE static lp_status parse_bare_call(parser *p, ast **out) {
    const token *first = p->next++;
    part_list parts = {0};
    part_add(p, &parts, first);
    ast *node = node_new(p, AST_CALL);
    node->is_bare = true;
    node->text = token_text(p, first);
    node->part = parts.item;
    node->part_count = 1;
    form f = form_start(p, first);
    form_put(&f, node->text);
    return form_finish(&f, node, out);
}

BESIDE static bool at_bare_call(const parser *p) {
    bool word = at_keyword(p, 0, KW_CURRENT_DATE) || at_keyword(p, 0, KW_CURRENT_TIME) ||
                at_keyword(p, 0, KW_CURRENT_TIMESTAMP) || at_keyword(p, 0, KW_CURRENT_USER) ||
                at_keyword(p, 0, KW_LOCALTIME) || at_keyword(p, 0, KW_LOCALTIMESTAMP);
    return word && !at_operator(p, 1, OPERATOR_LPAREN) && !at_operator(p, 1, OPERATOR_DOT);
}

/* ---- brackets ---- */

/* {, expression} close, behind the first expression; the brackets and commas go into the form. */
static lp_status parse_rest_of_list(parser *p, form *f, operator_id close, const token *open) {
    while (take_operator(p, OPERATOR_COMMA)) {
        ast *item;
        TRY(parse_expression(p, &item));
        form_put(f, STR(", "));
        form_argument(f, item);
    }
    TRY(expect_close(p, close, open));
    form_put(f, operator_text(close));
    return LP_OK;
}

/* ( query ) | ( expression ) | ( expression, expression ... ) */
BESIDE static lp_status parse_bracketed(parser *p, ast **out) {
    const token *first = p->next;
    if (starts_query(p, 1)) return parse_subquery(p, STR(""), first, out);
    p->next++;
    ast *inner;
    TRY(parse_expression(p, &inner));
    if (at_operator(p, 0, OPERATOR_COMMA)) {
        form f = form_start(p, first);
        form_put(&f, STR("("));
        form_argument(&f, inner);
        TRY(parse_rest_of_list(p, &f, OPERATOR_RPAREN, first));
        return form_finish(&f, node_new(p, AST_OTHER), out);
    }
    TRY(expect_close(p, OPERATOR_RPAREN, first));
    node_list operands = {0};
    list_add(p, &operands, inner);
    return node_finish(p, node_new(p, AST_PAREN), first, &operands, out);
}

/* [ARRAY] [ [expression {, expression}] ] */
BESIDE static lp_status parse_array(parser *p, ast **out) {
    form f = form_start(p, p->next);
    if (take_keyword(p, KW_ARRAY)) form_put(&f, STR("ARRAY"));
    const token *open = p->next++;
    form_put(&f, STR("["));
    if (take_operator(p, OPERATOR_RBRACKET)) {
        form_put(&f, STR("]"));
    } else {
        ast *item;
        TRY(parse_expression(p, &item));
        form_argument(&f, item);
        TRY(parse_rest_of_list(p, &f, OPERATOR_RBRACKET, open));
    }
    return form_finish(&f, node_new(p, AST_OTHER), out);
}

/* ? | :name | $1 | $name | @name */
BESIDE static lp_status parse_parameter(parser *p, ast **out) {
    form f = form_start(p, p->next);
    form_put(&f, token_text(p, p->next));
    if (!take_operator(p, OPERATOR_QUESTION)) {
        bool numbered = at_operator(p, 0, OPERATOR_DOLLAR) && p->next[1].kind == TOKEN_NUMBER;
        p->next++;
        if (!numbered && p->next->kind != TOKEN_NAME) return expected(p, "the name of a parameter");
        form_put(&f, token_text(p, p->next++));
    }
    return form_finish(&f, node_new(p, AST_OTHER), out);
}

/* ---- atoms ---- */

/* Words that mean an operator or the start of a clause where an operand is wanted, unless they are used like a name:
 * `case = 1`, `in.x`, like(a, b). */
BESIDE static bool is_misplaced(const parser *p) {
    switch ((int)p->next->word) {
    case KW_AND:
    case KW_OR: return true;
    case KW_LIKE: return !at_operator(p, 1, OPERATOR_LPAREN) && !names_operand(p);
    case KW_IN:
    case KW_IS:
    case KW_BETWEEN:
    case KW_CASE:
    case KW_WHEN:
    case KW_THEN:
    case KW_ELSE:
    case KW_SELECT:
    case KW_WHERE: return !names_operand(p);
    default: return false;
    }
}

static lp_status parse_word(parser *p, ast **out) {
    switch ((int)p->next->word) {
    case KW_TRUE: return parse_constant(p, AST_BOOLEAN, STR("true"), out);
    case KW_FALSE: return parse_constant(p, AST_BOOLEAN, STR("false"), out);
    case KW_NULL: return parse_constant(p, AST_NULL, STR("NULL"), out);
    default: break;
    }
    if (at_keyword(p, 0, KW_ARRAY) && at_operator(p, 1, OPERATOR_LBRACKET)) return parse_array(p, out);
    if (at_bare_call(p)) return parse_bare_call(p, out);
    bool taken;
    TRY(parse_special(p, out, &taken));
    if (taken) return LP_OK;
    if (at_typed(p)) return parse_typed(p, out);
    if (is_misplaced(p)) return expected(p, "an expression");
    return parse_name(p, out);
}

static lp_status parse_atom(parser *p, ast **out) {
    switch ((token_kind)p->next->kind) {
    case TOKEN_NUMBER: return parse_number(p, out);
    case TOKEN_STRING: return parse_string(p, out);
    case TOKEN_QUOTED_NAME: return parse_name(p, out);
    case TOKEN_NAME: return parse_word(p, out);
    case TOKEN_PARAMETER: return parse_parameter(p, out);
    case TOKEN_BAD:
    case TOKEN_END: return expected(p, "an expression");
    case TOKEN_OPERATOR: break;
    }
    switch ((int)p->next->detail) {
    case OPERATOR_LPAREN: return parse_bracketed(p, out);
    case OPERATOR_LBRACKET: return parse_array(p, out);
    case OPERATOR_QUESTION:
    case OPERATOR_COLON:
    case OPERATOR_DOLLAR:
    case OPERATOR_AT_SIGN: return parse_parameter(p, out);
    default: return expected(p, "an expression");
    }
}

/* ---- what clings to the end ---- */

/* [ expression ] | [ [from] : [to] ] */
BESIDE static lp_status parse_subscript(parser *p, const token *first, ast *base, ast **out) {
    const token *open = p->next++;
    form f = form_start(p, first);
    form_argument(&f, base);
    form_put(&f, STR("["));
    ast *index;
    if (!at_operator(p, 0, OPERATOR_COLON)) {
        TRY(parse_expression(p, &index));
        form_argument(&f, index);
    }
    if (take_operator(p, OPERATOR_COLON)) {
        form_put(&f, STR(":"));
        if (!at_operator(p, 0, OPERATOR_RBRACKET)) {
            TRY(parse_expression(p, &index));
            form_argument(&f, index);
        }
    }
    TRY(expect_close(p, OPERATOR_RBRACKET, open));
    form_put(&f, STR("]"));
    return form_finish(&f, node_new(p, AST_OTHER), out);
}

BESIDE static lp_status parse_field(parser *p, const token *first, ast *base, ast **out) {
    p->next++;
    if (!at_name_part(p)) return expected(p, "a name after the dot");
    form f = form_start(p, first);
    form_argument(&f, base);
    form_put(&f, STR("."));
    form_put(&f, token_text(p, p->next++));
    return form_finish(&f, node_new(p, AST_OTHER), out);
}

/* :name or : before a subscript, a step into semi-structured data; further steps are fields and subscripts. */
BESIDE static lp_status parse_path(parser *p, const token *first, ast *base, ast **out) {
    p->next++;
    form f = form_start(p, first);
    form_argument(&f, base);
    form_put(&f, STR(":"));
    if (at_name(p, 0)) form_put(&f, token_text(p, p->next++));
    return form_finish(&f, node_new(p, AST_OTHER), out);
}

static bool at_path(const parser *p) {
    return at_operator(p, 0, OPERATOR_COLON) && (at_name(p, 1) || at_operator(p, 1, OPERATOR_LBRACKET));
}

/* ::type | ?::type */
BESIDE static lp_status parse_cast_suffix(parser *p, const token *first, ast *base, ast **out) {
    bool is_try = take_operator(p, OPERATOR_QUESTION);
    p->next++;
    ast *node = node_new(p, AST_CALL);
    node->text = is_try ? STR("TRY_CAST") : STR("CAST");
    form f = form_start(p, first);
    form_argument(&f, base);
    TRY(parse_type(p, &node->type_name));
    form_put(&f, is_try ? STR("?::") : STR("::"));
    form_put(&f, node->type_name);
    return form_finish(&f, node, out);
}

/* A literal has no fields, nor has anything that ends with a number: `1 .x` would print as `1.x`. */
static bool has_fields(const parser *p, const ast *base) {
    if (p->next[-1].kind == TOKEN_NUMBER) return false;
    return base->kind == AST_NAME || base->kind == AST_LOCAL || base->kind == AST_CALL || base->kind == AST_PAREN ||
           base->kind == AST_SUBQUERY || base->kind == AST_OTHER;
}

lp_status parse_primary(parser *p, ast **out) {
    const token *first = p->next;
    ast *node;
    TRY(parse_atom(p, &node));
    for (;;) {
        if (at_operator(p, 0, OPERATOR_LBRACKET))
            TRY(parse_subscript(p, first, node, &node));
        else if (at_operator(p, 0, OPERATOR_CAST))
            TRY(parse_cast_suffix(p, first, node, &node));
        else if (at_operator(p, 0, OPERATOR_QUESTION) && at_operator(p, 1, OPERATOR_CAST))
            TRY(parse_cast_suffix(p, first, node, &node));
        else if (at_operator(p, 0, OPERATOR_DOT) && has_fields(p, node))
            TRY(parse_field(p, first, node, &node));
        else if (at_path(p) && has_fields(p, node))
            TRY(parse_path(p, first, node, &node));
        else
            break;
    }
    *out = node;
    return LP_OK;
}
