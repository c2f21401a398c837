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
        bool is_triple = p->traits->triple_quotes && str_starts_with(part.written, STR("'''"));
        mixed = mixed || is_triple || part.has_backslash || p->next->detail > 0 || part.written.ptr[0] != '\'';
        joined->has_doubled = joined->has_doubled || part.has_doubled;
        buf_put(&content, part.text);
        buf_put(&inside, str_slice(part.written, 1, part.written.len - 1));
        if (p->next > first) buf_put_char(&apart, ' ');
        buf_put(&apart, token_text(p, p->next));
    }
    if (mixed) {
        opaque->form = FORM_TEXTS;
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
    char prefix = first->detail == 1 ? (char)(p->text.ptr[first->at.start] | 0x20) : '\0';
    if (first->detail && prefix != 'r' && prefix != 'e') return parse_prefixed(p, out);
    p->next++;
    ast *node = node_new(p, AST_STRING);
    set_literal(p, node, first);
    return node_finish(p, node, first, NULL, out);
}

/* U&'...' UESCAPE '...' */
BESIDE static lp_status parse_escaped_text(parser *p, ast *text, const token *first, ast **out) {
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_TEXTS;
    form f = form_start(p, first);
    form_argument(&f, text);
    form_write(&f, " UESCAPE ", token_text(p, p->next + 1), "");
    p->next += 2;
    return form_finish(&f, node, out);
}

static bool is_literal_type(str word) {
    static const char *const types[] = {"DATE",    "TIMESTAMP", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ",
                                        "TIME",    "DATETIME",  "INTERVAL",      "X",
                                        "DECIMAL", "NUMERIC",   "BIGNUMERIC",    "JSON"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_eq_nocase(word, str_from(types[i]))) return true;
    return false;
}

/* Any other word of a type before a text, in statements: FLOAT8 '1.5'. */
static bool is_other_literal_type(const parser *p) {
    static const char *const types[] = {
        "TIMESTAMPTZ", "TIMESTAMP_TZ", "TIMETZ",  "BOOLEAN",  "BOOL",    "INT",       "INTEGER", "BIGINT", "SMALLINT",
        "TINYINT",     "FLOAT",        "FLOAT4",  "FLOAT8",   "DOUBLE",  "REAL",      "INT2",    "INT4",   "INT8",
        "BIGDECIMAL",  "CHAR",         "VARCHAR", "TEXT",     "BYTEA",   "UUID",      "INET",    "CIDR",   "POINT",
        "JSONB",       "XML",          "BLOB",    "HUGEINT",  "POLYGON", "BOX",       "LINE",    "CIRCLE", "PATH",
        "MACADDR",     "MONEY",        "NAME",    "REGCLASS", "OID",     "IPADDRESS", "STRING",  "BINARY", "VARBINARY"};
    if (!p->statements) return false;
    str word = token_text(p, p->next);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_eq_nocase(word, str_from(types[i]))) return true;
    return false;
}

/* TIMESTAMP (3) '..', with a zone perhaps: the tokens before the text, 0 if it is none. */
static size_t precise_literal_length(const parser *p) {
    if (!p->statements || p->next->kind != TOKEN_NAME || !at_operator(p, 1, OPERATOR_LPAREN) ||
        peek(p, 2)->kind != TOKEN_NUMBER || !at_operator(p, 3, OPERATOR_RPAREN))
        return 0;
    bool zone = at_keyword(p, 4, KW_WITH) || at_keyword(p, 4, KW_WITHOUT);
    size_t words = zone && at_keyword(p, 5, KW_TIME) && at_keyword(p, 6, KW_ZONE) ? 7 : 4;
    return is_plain_string(peek(p, words)) ? words : 0;
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
    size_t precise = precise_literal_length(p);
    if (precise > 0) {
        node->type_name = upper_copy(p, kept_text(p, first, first + precise));
        p->next += precise - 1;
    } else if (at_zoned_literal(p)) {
        node->type_name = str_format(p->query, STR_FMT " " STR_FMT " TIME ZONE", STR_ARG(node->type_name),
                                     STR_ARG(keyword_text((keyword)first[1].word)));
        p->next += 3;
    }
    p->next++;
    set_literal(p, node, p->next++);
    return node_finish(p, node, first, NULL, out);
}

BESIDE static bool at_typed(const parser *p) {
    if (p->next[1].kind == TOKEN_STRING && p->next[1].detail == 0)
        return is_literal_type(token_text(p, p->next)) || is_other_literal_type(p);
    if (at_zoned_literal(p) || precise_literal_length(p) > 0) return true;
    return false;
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

/* (+), the mark of an outer join in WHERE */
static bool at_outer_mark(const parser *p) {
    return p->traits->outer_marks && at_operator(p, 0, OPERATOR_LPAREN) && at_operator(p, 1, OPERATOR_PLUS) &&
           at_operator(p, 2, OPERATOR_RPAREN);
}

BESIDE static lp_status parse_outer_mark(parser *p, const token *first, ast *base, ast **out) {
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_OPERATOR;
    p->next += 3;
    form f = form_start(p, first);
    form_argument(&f, base);
    form_put(&f, STR("(+)"));
    return form_finish(&f, node, out);
}

/* name {. name} [ ( arguments ) ] */
BESIDE static lp_status parse_name(parser *p, ast **out) {
    const token *first = p->next;
    part_list parts = {0};
    part_add(p, &parts, p->next++);
    while (at_operator(p, 0, OPERATOR_DOT)) {
        p->next++;
        if (p->statements && at_operator(p, 0, OPERATOR_STAR)) {
            sql_name name = {parts.item, (uint32_t)parts.count, span_join(first->at, p->next[-2].at)};
            return parse_star(p, &name, NULL, first, out);
        }
        if (p->traits->double_dots && at_operator(p, 0, OPERATOR_DOT)) p->next++; /* db..f() */
        if (!at_name_part(p) && p->next->kind != TOKEN_PARAMETER) return expected(p, "a name after the dot");
        part_add(p, &parts, p->next++);
    }
    if (at_operator(p, 0, OPERATOR_LPAREN) && !at_outer_mark(p)) {
        sql_name name = {parts.item, (uint32_t)parts.count, span_since(p, first)};
        return parse_call(p, dotted(p, &parts), &name, first, out);
    }
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
    node->form = FORM_BARE;
    node->is_bare = true;
    node->text = token_text(p, first);
    node->part = parts.item;
    node->part_count = 1;
    form f = form_start(p, first);
    form_put(&f, node->text);
    return form_finish(&f, node, out);
}

static bool is_other_bare_call(str word) {
    static const char *const words[] = {"CURRENT_DATETIME", "CURRENT_ROLE",      "CURRENT_CATALOG", "CURRENT_SCHEMA",
                                        "SESSION_USER",     "CURRENT_WAREHOUSE", "SYSDATE",         "SYSTIMESTAMP"};
    if (word.len < 7 || (word.ptr[0] | 0x20) > 's' || (word.ptr[0] | 0x20) < 'c') return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq_nocase(word, str_from(words[i]))) return true;
    return false;
}

BESIDE static bool at_bare_call(const parser *p) {
    bool word = at_keyword(p, 0, KW_CURRENT_DATE) || at_keyword(p, 0, KW_CURRENT_TIME) ||
                at_keyword(p, 0, KW_CURRENT_TIMESTAMP) || at_keyword(p, 0, KW_CURRENT_USER) ||
                at_keyword(p, 0, KW_LOCALTIME) || at_keyword(p, 0, KW_LOCALTIMESTAMP);
    if (!word && p->statements && p->next->word == KW_NONE) word = is_other_bare_call(token_text(p, p->next));
    return word && !at_operator(p, 1, OPERATOR_LPAREN) && !at_operator(p, 1, OPERATOR_DOT);
}

/* ---- brackets ---- */

/* {, expression} close, behind the first expression; the brackets and commas go into the form. */
static lp_status parse_rest_of_list(parser *p, form *f, operator_id close, const token *open) {
    while (take_operator(p, OPERATOR_COMMA)) {
        ast *item;
        if (p->statements && at_operator(p, 0, close)) break;
        TRY(parse_expression(p, &item));
        form_put(f, STR(", "));
        form_argument(f, item);
    }
    TRY(expect_close(p, close, open));
    form_put(f, operator_text(close));
    return LP_OK;
}

BESIDE static lp_status parse_empty_row(parser *p, const token *first, ast **out) {
    ast *row = node_new(p, AST_OTHER);
    row->form = FORM_ROW;
    p->next++;
    form f = form_start(p, first);
    form_put(&f, STR("()"));
    return form_finish(&f, row, out);
}

/* ( query ) | ( expression ) | ( expression, expression ... ) */
BESIDE static lp_status parse_bracketed(parser *p, ast **out) {
    const token *first = p->next;
    if (starts_query(p, 1)) return parse_subquery(p, STR(""), first, out);
    p->next++;
    if (p->statements && at_operator(p, 0, OPERATOR_RPAREN)) return parse_empty_row(p, first, out);
    ast *inner;
    TRY(parse_expression(p, &inner));
    if (continues_query(p, inner)) return parse_query_behind(p, inner, first, out);
    if (at_operator(p, 0, OPERATOR_COMMA)) {
        ast *row = node_new(p, AST_OTHER);
        row->form = FORM_ROW;
        form f = form_start(p, first);
        form_put(&f, STR("("));
        form_argument(&f, inner);
        TRY(parse_rest_of_list(p, &f, OPERATOR_RPAREN, first));
        return form_finish(&f, row, out);
    }
    TRY(expect_close(p, OPERATOR_RPAREN, first));
    node_list operands = {0};
    list_add(p, &operands, inner);
    return node_finish(p, node_new(p, AST_PAREN), first, &operands, out);
}

/* ... FOR x IN list [IF condition] ], behind the first expression */
BESIDE static lp_status parse_comprehension(parser *p, form *f, const token *open, ast **out) {
    ast *node = node_new(p, AST_OTHER), *operand;
    ast_part *part = ARENA_NEW(p->query, ast_part);
    p->next++;
    if (!at_name(p, 0)) return expected(p, "a variable");
    *part = name_part(p, p->next);
    form_write(f, " FOR ", token_text(p, p->next++), " IN ");
    TRY(expect_keyword(p, KW_IN));
    TRY(parse_level(p, LEVEL_OR, &operand));
    form_argument(f, operand);
    if (at_word(p, 0, "IF")) {
        p->next++;
        form_put(f, STR(" IF "));
        TRY(parse_expression(p, &operand));
        form_argument(f, operand);
    }
    form_put(f, STR("]"));
    TRY(expect_close(p, OPERATOR_RBRACKET, open));
    node->form = FORM_COMPREHENSION;
    node->part = part;
    node->part_count = 1;
    return form_finish(f, node, out);
}

/* The variable of a comprehension is known before it is declared: [x + 1 FOR x IN list]. Its name, if this is one. */
static const token *comprehension_variable(const parser *p) {
    size_t depth = 0;
    if (!p->statements || !p->traits->json_arrows) return NULL;
    for (const token *t = p->next + 1; t->kind != TOKEN_END && t < p->next + 256; t++) { /* a head is short */
        if (t->kind == TOKEN_OPERATOR) {
            bool opens = t->detail == OPERATOR_LPAREN || t->detail == OPERATOR_LBRACKET || t->detail == OPERATOR_LBRACE;
            bool closes =
                t->detail == OPERATOR_RPAREN || t->detail == OPERATOR_RBRACKET || t->detail == OPERATOR_RBRACE;
            if (closes && depth == 0) return NULL;
            depth = opens ? depth + 1 : closes ? depth - 1 : depth;
            if (depth == 0 && (t->detail == OPERATOR_COMMA || t->detail == OPERATOR_SEMICOLON)) return NULL;
        } else if (depth == 0 && t->kind == TOKEN_NAME && t->word == KW_FOR) {
            return t + 1;
        }
    }
    return NULL;
}

/* [ARRAY [< type >]] [ [expression {, expression}] ] */
BESIDE static lp_status parse_array(parser *p, ast **out) {
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_ARRAY;
    form f = form_start(p, p->next);
    const local *outer = p->locals;
    if (at_keyword(p, 0, KW_ARRAY) && at_operator(p, 1, OPERATOR_LT)) {
        TRY(parse_type_before_bracket(p, &node->type_name));
        form_put(&f, node->type_name);
    } else if (take_keyword(p, KW_ARRAY)) {
        form_put(&f, STR("ARRAY"));
    }
    const token *variable = comprehension_variable(p), *open = p->next;
    TRY(expect_operator(p, OPERATOR_LBRACKET));
    form_put(&f, STR("["));
    if (take_operator(p, OPERATOR_RBRACKET)) {
        form_put(&f, STR("]"));
        return form_finish(&f, node, out);
    }
    if (variable) {
        local *mine = ARENA_NEW(p->query, local);
        *mine = (local){name_part(p, variable).text, p->locals};
        p->locals = mine;
    }
    ast *item;
    TRY(parse_expression(p, &item));
    form_argument(&f, item);
    if (variable && at_keyword(p, 0, KW_FOR))
        TRY(parse_comprehension(p, &f, open, out));
    else {
        TRY(parse_rest_of_list(p, &f, OPERATOR_RBRACKET, open));
        TRY(form_finish(&f, node, out));
    }
    p->locals = outer;
    return LP_OK;
}

/* ---- structs and maps of statements ---- */

/* STRUCT < fields > ( [items] ), ARRAY < type > is parse_array's */
BESIDE static lp_status parse_typed_struct(parser *p, ast **out) {
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_STRUCT;
    form f = form_start(p, p->next);
    TRY(parse_type_before_bracket(p, &node->type_name));
    form_put(&f, node->type_name);
    const token *open = p->next;
    TRY(expect_operator(p, OPERATOR_LPAREN));
    form_put(&f, STR("("));
    if (take_operator(p, OPERATOR_RPAREN)) {
        form_put(&f, STR(")"));
        return form_finish(&f, node, out);
    }
    ast *item;
    TRY(parse_expression(p, &item));
    form_argument(&f, item);
    TRY(parse_rest_of_list(p, &f, OPERATOR_RPAREN, open));
    return form_finish(&f, node, out);
}

/* A key of {...} is a name or a text; a map's key is an expression. */
static lp_status parse_member(parser *p, form *f, bool map, many *parts) {
    ast *value;
    if (map) {
        TRY(parse_level(p, LEVEL_OR, &value));
        form_argument(f, value);
    } else {
        bool text = p->next->kind == TOKEN_STRING || p->next->kind == TOKEN_NUMBER;
        if (!text && !at_name(p, 0)) return expected(p, "a key");
        ast_part part =
            text ? (ast_part){.text = token_text(p, p->next), .written = token_text(p, p->next), .at = p->next->at}
                 : name_part(p, p->next);
        if (p->next->kind == TOKEN_STRING) {
            ast literal = {.kind = AST_STRING};
            set_literal(p, &literal, p->next);
            part.text = literal.text;
            part.quote = '\'';
        }
        *MANY_ADD(p, parts, ast_part) = part;
        form_put(f, token_text(p, p->next++));
    }
    if (!take_operator(p, OPERATOR_COLON) && !take_operator(p, OPERATOR_ASSIGN)) return expected(p, "\":\"");
    form_put(f, STR(": "));
    TRY(parse_expression(p, &value));
    form_argument(f, value);
    return LP_OK;
}

/* { key: value, ... }, MAP { key: value, ... }, {*} */
BESIDE static lp_status parse_braced(parser *p, ast **out) {
    ast *node = node_new(p, AST_OTHER);
    form f = form_start(p, p->next);
    many parts = {0};
    bool map = take_keyword(p, KW_MAP);
    node->form = map ? FORM_MAP : FORM_STRUCT;
    const token *open = p->next++;
    form_put(&f, map ? STR("MAP {") : STR("{"));
    bool qualified = at_name(p, 0) && at_operator(p, 1, OPERATOR_DOT) && !map;
    if (at_operator(p, 0, OPERATOR_STAR) || qualified) {
        ast *star;
        if (at_operator(p, 0, OPERATOR_STAR))
            TRY(parse_star(p, NULL, NULL, p->next, &star));
        else
            TRY(parse_primary(p, &star));
        form_argument(&f, star);
    } else {
        while (!at_operator(p, 0, OPERATOR_RBRACE)) {
            TRY(parse_member(p, &f, map, &parts));
            if (!take_operator(p, OPERATOR_COMMA)) break;
            if (!at_operator(p, 0, OPERATOR_RBRACE)) form_put(&f, STR(", "));
        }
    }
    form_put(&f, STR("}"));
    node->part = parts.item;
    node->part_count = (uint32_t)parts.count;
    TRY(expect_close(p, OPERATOR_RBRACE, open));
    return form_finish(&f, node, out);
}

/* @@name, @@a.b */
BESIDE static lp_status parse_variable(parser *p, ast **out) {
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_PARAMETER;
    form f = form_start(p, p->next);
    form_put(&f, STR("@@"));
    p->next += 2;
    do {
        if (!at_name(p, 0)) return expected(p, "the name of a variable");
        form_put(&f, token_text(p, p->next++));
        if (at_operator(p, 0, OPERATOR_DOT)) form_put(&f, STR("."));
    } while (take_operator(p, OPERATOR_DOT));
    return form_finish(&f, node, out);
}

/* ? | ?1 | :name | :1 | $1 | $name | @name */
BESIDE static lp_status parse_parameter(parser *p, ast **out) {
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_PARAMETER;
    if (p->statements && at_operator(p, 0, OPERATOR_AT_SIGN) && at_operator(p, 1, OPERATOR_AT_SIGN))
        return parse_variable(p, out);
    form f = form_start(p, p->next);
    form_put(&f, token_text(p, p->next));
    if (p->next->kind == TOKEN_PARAMETER) {
        p->next++;
        return form_finish(&f, node, out);
    }
    if (p->statements && peek(p, 1)->kind == TOKEN_NUMBER &&
        (at_operator(p, 0, OPERATOR_COLON) || at_operator(p, 0, OPERATOR_QUESTION))) {
        bool touches = p->next->at.start + 1 == p->next[1].at.start;
        if (touches) {
            form_put(&f, token_text(p, p->next + 1));
            p->next += 2;
            return form_finish(&f, node, out);
        }
    }
    if (!take_operator(p, OPERATOR_QUESTION)) {
        bool numbered = at_operator(p, 0, OPERATOR_DOLLAR) && p->next[1].kind == TOKEN_NUMBER;
        p->next++;
        if (!numbered && p->next->kind != TOKEN_NAME) return expected(p, "the name of a parameter");
        form_put(&f, token_text(p, p->next++));
    }
    return form_finish(&f, node, out);
}

/* ---- atoms ---- */

/* Words that mean an operator or the start of a clause where an operand is wanted, unless they are used like a name:
 * `case = 1`, `in.x`, like(a, b). */
BESIDE static bool is_misplaced(const parser *p) {
    if (p->next->word == KW_NONE) return false;
    if (p->statements && (keyword_traits((keyword)p->next->word) & WORD_STARTS_NOTHING)) return !names_operand(p);
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

/* COLLATION FOR ( expression ) */
static lp_status parse_collation_for(parser *p, ast **out) {
    ast *node = node_new(p, AST_OTHER), *operand;
    node->form = FORM_OPERATOR;
    form f = form_start(p, p->next);
    p->next += 2;
    form_put(&f, STR("COLLATION FOR "));
    TRY(parse_primary(p, &operand));
    form_argument(&f, operand);
    return form_finish(&f, node, out);
}

/* NEXT VALUE FOR sequence */
static lp_status parse_next_value(parser *p, ast **out) {
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_OPERATOR;
    form f = form_start(p, p->next);
    form_put(&f, STR("NEXT VALUE FOR "));
    p->next += 3;
    sql_name name;
    const token *first = p->next;
    TRY(parse_path(p, &name));
    form_put(&f, kept_text(p, first, p->next));
    return form_finish(&f, node, out);
}

/* Forms that only statements have; *taken is false if `next` starts none. */
static lp_status parse_statement_word(parser *p, ast **out, bool *taken) {
    *taken = true;
    switch ((int)p->next->word) {
    case KW_ARRAY:
        if (at_operator(p, 1, OPERATOR_LT)) return parse_array(p, out);
        break;
    case KW_STRUCT:
        if (at_operator(p, 1, OPERATOR_LT)) return parse_typed_struct(p, out);
        break;
    case KW_MAP:
        if (at_operator(p, 1, OPERATOR_LBRACE)) return parse_braced(p, out);
        break;
    case KW_COLLATION:
        if (at_keyword(p, 1, KW_FOR) && at_operator(p, 2, OPERATOR_LPAREN)) return parse_collation_for(p, out);
        break;
    case KW_NEXT:
        if (at_keyword(p, 1, KW_VALUE) && at_keyword(p, 2, KW_FOR)) return parse_next_value(p, out);
        break;
    default: break;
    }
    *taken = false;
    return LP_OK;
}

/* Digits may start a name where a hyphen makes it a part of one: my-project-1a. Behind a minus sign they start nothing.
 */
static bool starts_with_digit(const parser *p) {
    char first = p->text.ptr[p->next->at.start];
    return first >= '0' && first <= '9' && !p->traits->digit_names;
}

static lp_status parse_word(parser *p, ast **out) {
    if (p->traits->hyphen_names && starts_with_digit(p)) return expected(p, "an expression");
    if (p->next->word == KW_NONE && p->next[1].kind != TOKEN_STRING && !at_operator(p, 1, OPERATOR_LPAREN) &&
        !(p->statements && is_other_bare_call(token_text(p, p->next))))
        return parse_name(p, out);
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
    if (p->statements) TRY(parse_statement_word(p, out, &taken));
    if (taken) return LP_OK;
    if (at_typed(p)) return parse_typed(p, out);
    if (is_misplaced(p)) return expected(p, "an expression");
    return parse_name(p, out);
}

static lp_status parse_atom(parser *p, ast **out) {
    switch ((token_kind)p->next->kind) {
    case TOKEN_NUMBER: return parse_number(p, out);
    case TOKEN_STRING: {
        const token *first = p->next;
        TRY(parse_string(p, out));
        bool escape = p->statements && at_keyword(p, 0, KW_UESCAPE) && peek(p, 1)->kind == TOKEN_STRING;
        return escape ? parse_escaped_text(p, *out, first, out) : LP_OK;
    }
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
    case OPERATOR_LBRACE:
        if (p->statements) return parse_braced(p, out);
        return expected(p, "an expression");
    case OPERATOR_DOLLAR:
        if (p->statements) return expected(p, "an expression"); /* $1 and $x are one token there */
        return parse_parameter(p, out);
    case OPERATOR_QUESTION:
    case OPERATOR_COLON:
    case OPERATOR_AT_SIGN: return parse_parameter(p, out);
    default: return expected(p, "an expression");
    }
}

/* ---- what clings to the end ---- */

/* [ expression ] | [ [from] : [to] [: step] ] */
BESIDE static lp_status parse_subscript(parser *p, const token *first, ast *base, ast **out) {
    const token *open = p->next++;
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_SUBSCRIPT;
    form f = form_start(p, first);
    form_argument(&f, base);
    form_put(&f, STR("["));
    ast *index;
    if (!at_operator(p, 0, OPERATOR_COLON)) {
        TRY(parse_expression(p, &index));
        form_argument(&f, index);
    }
    while (at_operator(p, 0, OPERATOR_COLON) && (p->statements || node->form == FORM_SUBSCRIPT)) {
        p->next++;
        node->form = FORM_SLICE;
        form_put(&f, STR(":"));
        if (p->statements && at_operator(p, 0, OPERATOR_MINUS) &&
            (at_operator(p, 1, OPERATOR_COLON) || at_operator(p, 1, OPERATOR_RBRACKET))) { /* to the end */
            p->next++;
            form_put(&f, STR("-"));
        } else if (!at_operator(p, 0, OPERATOR_RBRACKET) && !at_operator(p, 0, OPERATOR_COLON)) {
            TRY(parse_expression(p, &index));
            form_argument(&f, index);
        }
    }
    TRY(expect_close(p, OPERATOR_RBRACKET, open));
    form_put(&f, STR("]"));
    return form_finish(&f, node, out);
}

static void set_part(parser *p, ast *node, const token *name) {
    ast_part *part = ARENA_NEW(p->query, ast_part);
    *part = name_part(p, name);
    node->part = part;
    node->part_count = 1;
}

BESIDE static lp_status parse_field(parser *p, const token *first, ast *base, ast **out) {
    p->next++;
    if (p->statements && at_operator(p, 0, OPERATOR_STAR)) return parse_star(p, NULL, base, first, out);
    if (!at_name_part(p)) return expected(p, "a name after the dot");
    if (p->statements && at_operator(p, 1, OPERATOR_LPAREN)) return parse_method(p, first, base, out);
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_FIELD;
    set_part(p, node, p->next);
    form f = form_start(p, first);
    form_argument(&f, base);
    form_put(&f, STR("."));
    form_put(&f, token_text(p, p->next++));
    return form_finish(&f, node, out);
}

/* :name or : before a subscript, a step into semi-structured data; further steps are fields and subscripts. */
BESIDE static lp_status parse_colon(parser *p, const token *first, ast *base, ast **out) {
    p->next++;
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_PATH;
    form f = form_start(p, first);
    form_argument(&f, base);
    form_put(&f, STR(":"));
    if (at_name(p, 0)) {
        set_part(p, node, p->next);
        form_put(&f, token_text(p, p->next++));
    }
    return form_finish(&f, node, out);
}

static bool at_path(const parser *p) {
    if (p->statements && !p->traits->colon_paths) return false;
    return at_operator(p, 0, OPERATOR_COLON) && (at_name(p, 1) || at_operator(p, 1, OPERATOR_LBRACKET));
}

/* ::type | ?::type */
BESIDE lp_status parse_cast_suffix(parser *p, const token *first, ast *base, ast **out) {
    bool is_try = take_operator(p, OPERATOR_QUESTION);
    p->next++;
    ast *node = node_new(p, AST_CALL);
    node->form = FORM_CAST;
    node->text = is_try ? STR("TRY_CAST") : STR("CAST");
    form f = form_start(p, first);
    form_argument(&f, base);
    TRY(parse_type(p, &node->type_name));
    form_put(&f, is_try ? STR("?::") : STR("::"));
    form_put(&f, node->type_name);
    return form_finish(&f, node, out);
}

/* A blank before the sign: two of them side by side would be another operator. */
BESIDE static lp_status parse_factorial(parser *p, const token *first, ast *base, ast **out) {
    p->next++;
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_OPERATOR;
    node->op_text = STR("!");
    form f = form_start(p, first);
    form_argument(&f, base);
    form_put(&f, STR(" !"));
    return form_finish(&f, node, out);
}

/* A literal has no fields, nor has anything that ends with a number: `1 .x` would print as `1.x`. */
static bool has_fields(const parser *p, const ast *base) {
    if (p->statements && base->kind == AST_STRING) return at_name(p, 1) && at_operator(p, 2, OPERATOR_LPAREN);
    if (p->next[-1].kind == TOKEN_NUMBER) return false;
    return base->kind == AST_NAME || base->kind == AST_LOCAL || base->kind == AST_CALL || base->kind == AST_PAREN ||
           base->kind == AST_SUBQUERY || base->kind == AST_OTHER;
}

lp_status parse_primary(parser *p, ast **out) {
    const token *first = p->next;
    ast *node;
    TRY(parse_atom(p, &node));
    for (;;) {
        if (p->next->kind != TOKEN_OPERATOR) break;
        if (at_operator(p, 0, OPERATOR_LBRACKET))
            TRY(parse_subscript(p, first, node, &node));
        else if (at_operator(p, 0, OPERATOR_CAST))
            TRY(parse_cast_suffix(p, first, node, &node));
        else if (at_operator(p, 0, OPERATOR_QUESTION) && at_operator(p, 1, OPERATOR_CAST))
            TRY(parse_cast_suffix(p, first, node, &node));
        else if (at_operator(p, 0, OPERATOR_DOT) && has_fields(p, node))
            TRY(parse_field(p, first, node, &node));
        else if (p->traits->factorial_sign && p->statements && at_operator(p, 0, OPERATOR_BANG))
            TRY(parse_factorial(p, first, node, &node));
        else if (at_outer_mark(p))
            TRY(parse_outer_mark(p, first, node, &node));
        else if (at_path(p) && has_fields(p, node))
            TRY(parse_colon(p, first, node, &node));
        else
            break;
    }
    *out = node;
    return LP_OK;
}
