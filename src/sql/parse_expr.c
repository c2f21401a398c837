/* parse_expr.c - operators: one descending function that climbs precedence levels.
 * Called by: sql/parse.c, sql/parse_*.c.  Must not know: that tables or column types exist.
 *
 *   expression := level(OR)
 *   level(n)   := prefix { infix of level n or tighter }
 *   prefix     := (NOT | !) level(NOT) | (- | + | ~) level(SIGN) | primary
 *
 * Levels are those of Spark's SqlBaseParser: predicates (IN, LIKE, BETWEEN, IS) are looser than comparisons, so their
 * operands may hold one: `a LIKE b = c` is a LIKE (b = c). PostgreSQL reads (a LIKE b) = c; both mean that nobody can
 * take `b` for a literal pattern. NOT is accepted as an operand of a tighter operator, as PostgreSQL does.
 *
 * A run of operators of one level becomes one flat node, whatever its length; only what nests costs depth.
 */
#include "sql/sql_int.h"

#include <string.h>

typedef enum infix_shape { INFIX_CHAIN, INFIX_PAIR, INFIX_PREDICATE, INFIX_ZONE, INFIX_COLLATE } infix_shape;

typedef struct infix {
    infix_shape shape;
    level level;
    ast_op op;
    const char *text; /* canonical */
} infix;

#define CHAIN(lvl, op, text)                                                                                           \
    { INFIX_CHAIN, LEVEL_##lvl, OP_##op, text }
#define PAIR(lvl, op, text)                                                                                            \
    { INFIX_PAIR, LEVEL_##lvl, OP_##op, text }

/* By operator_id; a row without text is no infix operator. */
static const infix infix_operators[OPERATOR_COUNT] = {
    [OPERATOR_EQ] = PAIR(COMPARE, EQ, "="),
    [OPERATOR_EQ_DOUBLE] = PAIR(COMPARE, EQ, "="),
    [OPERATOR_NE] = PAIR(COMPARE, NE, "<>"),
    [OPERATOR_NE_BANG] = PAIR(COMPARE, NE, "<>"),
    [OPERATOR_LT] = PAIR(COMPARE, LT, "<"),
    [OPERATOR_LE] = PAIR(COMPARE, LE, "<="),
    [OPERATOR_GT] = PAIR(COMPARE, GT, ">"),
    [OPERATOR_GE] = PAIR(COMPARE, GE, ">="),
    [OPERATOR_NOT_LT] = PAIR(COMPARE, GE, ">="),
    [OPERATOR_NOT_GT] = PAIR(COMPARE, LE, "<="),
    [OPERATOR_NULLSAFE] = PAIR(COMPARE, NULLSAFE_EQ, "<=>"),
    [OPERATOR_ARROW] = PAIR(OTHER, OTHER, "->"),
    [OPERATOR_ARROW_TEXT] = PAIR(OTHER, OTHER, "->>"),
    [OPERATOR_PATH] = PAIR(OTHER, OTHER, "#>"),
    [OPERATOR_PATH_TEXT] = PAIR(OTHER, OTHER, "#>>"),
    [OPERATOR_CONTAINS] = PAIR(OTHER, OTHER, "@>"),
    [OPERATOR_CONTAINED] = PAIR(OTHER, OTHER, "<@"),
    [OPERATOR_AND_AND] = PAIR(OTHER, OTHER, "&&"),
    [OPERATOR_TILDE] = PAIR(OTHER, OTHER, "~"),
    [OPERATOR_HASH] = PAIR(OTHER, OTHER, "#"),
    [OPERATOR_BIT_OR] = CHAIN(BIT_OR, BIT_OR, "|"),
    [OPERATOR_BIT_XOR] = CHAIN(BIT_XOR, BIT_XOR, "^"),
    [OPERATOR_BIT_AND] = CHAIN(BIT_AND, BIT_AND, "&"),
    [OPERATOR_SHIFT_LEFT] = CHAIN(SHIFT, SHIFT, "<<"),
    [OPERATOR_SHIFT_RIGHT] = CHAIN(SHIFT, SHIFT, ">>"),
    [OPERATOR_SHIFT_RIGHT_UNSIGNED] = CHAIN(SHIFT, SHIFT, ">>>"),
    [OPERATOR_PLUS] = CHAIN(ADD, ADD, "+"),
    [OPERATOR_MINUS] = CHAIN(ADD, SUB, "-"),
    [OPERATOR_CONCAT] = CHAIN(ADD, CONCAT, "||"),
    [OPERATOR_STAR] = CHAIN(MULTIPLY, MUL, "*"),
    [OPERATOR_SLASH] = CHAIN(MULTIPLY, DIV, "/"),
    [OPERATOR_PERCENT] = CHAIN(MULTIPLY, MOD, "%"),
    [OPERATOR_POWER] = PAIR(AT, OTHER, "**"),
};

static bool starts_predicate(const parser *p, size_t ahead) {
    return at_keyword(p, ahead, KW_IN) || at_keyword(p, ahead, KW_BETWEEN) || at_keyword(p, ahead, KW_LIKE) ||
           at_keyword(p, ahead, KW_ILIKE) || at_keyword(p, ahead, KW_RLIKE) || at_keyword(p, ahead, KW_REGEXP) ||
           (at_keyword(p, ahead, KW_SIMILAR) && at_keyword(p, ahead + 1, KW_TO));
}

static bool find_word_infix(const parser *p, infix *out) {
    switch ((int)p->next->word) {
    case KW_OR: *out = (infix)CHAIN(OR, OR, "OR"); return true;
    case KW_AND: *out = (infix)CHAIN(AND, AND, "AND"); return true;
    case KW_DIV: *out = (infix)CHAIN(MULTIPLY, OTHER, "DIV"); return true;
    case KW_AT:
        *out = (infix){INFIX_ZONE, LEVEL_AT, OP_NONE, ""};
        return at_keyword(p, 1, KW_TIME) && at_keyword(p, 2, KW_ZONE);
    case KW_COLLATE: *out = (infix){INFIX_COLLATE, LEVEL_AT, OP_NONE, ""}; return true;
    default: *out = (infix){INFIX_PREDICATE, LEVEL_PREDICATE, OP_NONE, ""};
    }
    return at_keyword(p, 0, KW_IS) || starts_predicate(p, at_keyword(p, 0, KW_NOT) ? 1 : 0);
}

BESIDE static bool find_infix(const parser *p, infix *out) {
    if (p->next->kind == TOKEN_NAME) return p->next->word != KW_NONE && find_word_infix(p, out);
    if (p->next->kind != TOKEN_OPERATOR) return false;
    *out = infix_operators[p->next->detail];
    return out->text != NULL;
}

/* ---- chains and pairs ---- */

typedef struct link_list {
    ast_link *item;
    size_t count, capacity;
} link_list;

static void link_add(parser *p, link_list *list, const infix *in) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 2;
        ast_link *grown = arena_alloc_raw(p->query, capacity * sizeof *grown);
        if (list->count) memcpy(grown, list->item, list->count * sizeof *grown);
        list->item = grown;
        list->capacity = capacity;
    }
    list->item[list->count++] = (ast_link){in->op, str_from(in->text)};
}

/* left (op operand)+, all of one level */
BESIDE static lp_status parse_chain(parser *p, infix in, const token *first, ast *left, ast **out) {
    level here = in.level;
    node_list operands = {0};
    link_list links = {0};
    list_add(p, &operands, left);
    do {
        link_add(p, &links, &in);
        p->next++;
        ast *operand;
        TRY(parse_level(p, here + 1, &operand));
        list_add(p, &operands, operand);
    } while (find_infix(p, &in) && in.level == here);
    ast *node = node_new(p, AST_CHAIN);
    node->op = links.item[0].op;
    node->link = links.item;
    return node_finish(p, node, first, &operands, out);
}

BESIDE static lp_status parse_pair(parser *p, infix in, const token *first, ast *left, ast **out) {
    node_list operands = {0};
    list_add(p, &operands, left);
    p->next++;
    ast *right;
    TRY(parse_level(p, in.level + 1, &right));
    list_add(p, &operands, right);
    ast *node = node_new(p, AST_BINARY);
    node->op = in.op;
    node->op_text = str_from(in.text);
    return node_finish(p, node, first, &operands, out);
}

/* ---- predicates ---- */

/* IS [NOT] (NULL | TRUE | FALSE | UNKNOWN | DISTINCT FROM operand) */
BESIDE static lp_status parse_is(parser *p, const token *first, ast *left, ast **out) {
    p->next++;
    ast *node = node_new(p, AST_IS);
    node_list operands = {0};
    list_add(p, &operands, left);
    node->negated = take_keyword(p, KW_NOT);
    if (take_keyword(p, KW_NULL))
        node->is = IS_NULL;
    else if (take_keyword(p, KW_TRUE))
        node->is = IS_TRUE;
    else if (take_keyword(p, KW_FALSE))
        node->is = IS_FALSE;
    else if (take_keyword(p, KW_UNKNOWN))
        node->is = IS_UNKNOWN;
    else if (take_keyword(p, KW_DISTINCT)) {
        TRY(expect_keyword(p, KW_FROM));
        node->kind = AST_DISTINCT;
        ast *right;
        TRY(parse_level(p, LEVEL_COMPARE, &right));
        list_add(p, &operands, right);
    } else {
        return expected(p, "NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM");
    }
    return node_finish(p, node, first, &operands, out);
}

/* ( query ) | ( expression {, expression} ), at the bracket; adds to `operands` */
static lp_status parse_list(parser *p, node_list *operands) {
    const token *open = p->next;
    ast *item;
    if (starts_query(p, 1)) {
        TRY(parse_subquery(p, STR(""), open, &item));
        item->text = STR("LIST");
        list_add(p, operands, item);
        return LP_OK;
    }
    TRY(expect_operator(p, OPERATOR_LPAREN));
    do {
        TRY(parse_expression(p, &item));
        list_add(p, operands, item);
    } while (take_operator(p, OPERATOR_COMMA));
    return expect_close(p, OPERATOR_RPAREN, open);
}

/* [NOT] IN list */
static lp_status parse_in(parser *p, ast *node, node_list *operands) {
    node->kind = AST_IN;
    p->next++;
    return parse_list(p, operands);
}

/* [NOT] BETWEEN [SYMMETRIC | ASYMMETRIC] operand AND operand */
static lp_status parse_between(parser *p, ast *node, node_list *operands) {
    node->kind = AST_BETWEEN;
    p->next++;
    if (p->traits->symmetric && !at_keyword(p, 1, KW_AND)) { /* else it is a column of that name */
        node->symmetric = take_keyword(p, KW_SYMMETRIC);
        if (!node->symmetric) (void)take_keyword(p, KW_ASYMMETRIC);
    }
    ast *low, *high;
    TRY(parse_level(p, LEVEL_COMPARE, &low));
    TRY(expect_keyword(p, KW_AND));
    TRY(parse_level(p, LEVEL_COMPARE, &high));
    list_add(p, operands, low);
    list_add(p, operands, high);
    return LP_OK;
}

static void take_like_word(parser *p, ast *node) {
    node->op_text = keyword_text((keyword)p->next->word);
    node->like = at_keyword(p, 0, KW_LIKE) ? LIKE_LIKE : at_keyword(p, 0, KW_ILIKE) ? LIKE_ILIKE : LIKE_RLIKE;
    if (at_keyword(p, 0, KW_SIMILAR)) {
        node->op_text = STR("SIMILAR TO");
        node->like = LIKE_SIMILAR;
        p->next++;
    }
    p->next++;
}

/* [NOT] (LIKE | ILIKE | RLIKE | REGEXP | SIMILAR TO) (operand | (ANY | ALL | SOME) list) [ESCAPE operand] */
static lp_status parse_like(parser *p, ast *node, node_list *operands) {
    node->kind = AST_LIKE;
    take_like_word(p, node);
    bool quantified = at_keyword(p, 0, KW_ANY) || at_keyword(p, 0, KW_ALL) || at_keyword(p, 0, KW_SOME);
    if (quantified && at_operator(p, 1, OPERATOR_LPAREN)) {
        node->like_any = true;
        node->text = keyword_text((keyword)p->next->word);
        p->next++;
        TRY(parse_list(p, operands));
    } else {
        ast *pattern;
        TRY(parse_level(p, LEVEL_COMPARE, &pattern));
        list_add(p, operands, pattern);
    }
    if (!take_keyword(p, KW_ESCAPE)) return LP_OK;
    ast *escape;
    TRY(parse_level(p, LEVEL_COMPARE + 1, &escape));
    list_add(p, operands, escape);
    node->has_escape = true;
    return LP_OK;
}

BESIDE static lp_status parse_predicate(parser *p, const token *first, ast *left, ast **out) {
    if (at_keyword(p, 0, KW_IS)) return parse_is(p, first, left, out);
    ast *node = node_new(p, AST_LIKE);
    node_list operands = {0};
    list_add(p, &operands, left);
    node->negated = take_keyword(p, KW_NOT);
    if (at_keyword(p, 0, KW_IN))
        TRY(parse_in(p, node, &operands));
    else if (at_keyword(p, 0, KW_BETWEEN))
        TRY(parse_between(p, node, &operands));
    else
        TRY(parse_like(p, node, &operands));
    return node_finish(p, node, first, &operands, out);
}

/* ---- AT TIME ZONE, COLLATE ---- */

BESIDE static lp_status parse_zone(parser *p, const token *first, ast *left, ast **out) {
    p->next += 3;
    form f = form_start(p, first);
    form_argument(&f, left);
    form_put(&f, STR(" AT TIME ZONE "));
    ast *zone;
    TRY(parse_level(p, LEVEL_AT + 1, &zone));
    form_argument(&f, zone);
    return form_finish(&f, node_new(p, AST_OTHER), out);
}

BESIDE static lp_status parse_collate(parser *p, const token *first, ast *left, ast **out) {
    p->next++;
    form f = form_start(p, first);
    form_argument(&f, left);
    form_put(&f, STR(" COLLATE "));
    do {
        if (!at_name_part(p)) return expected(p, "the name of a collation");
        form_put(&f, token_text(p, p->next++));
        if (at_operator(p, 0, OPERATOR_DOT)) form_put(&f, STR("."));
    } while (take_operator(p, OPERATOR_DOT));
    return form_finish(&f, node_new(p, AST_OTHER), out);
}

/* ---- the descent ---- */

static lp_status parse_infix(parser *p, infix in, const token *first, ast *left, ast **out) {
    switch (in.shape) {
    case INFIX_CHAIN: return parse_chain(p, in, first, left, out);
    case INFIX_PAIR: return parse_pair(p, in, first, left, out);
    case INFIX_PREDICATE: return parse_predicate(p, first, left, out);
    case INFIX_ZONE: return parse_zone(p, first, left, out);
    case INFIX_COLLATE: return parse_collate(p, first, left, out);
    }
    UNREACHABLE();
}

BESIDE static bool find_prefix(const parser *p, infix *out) {
    if (at_keyword(p, 0, KW_NOT) || at_operator(p, 0, OPERATOR_BANG))
        *out = (infix)PAIR(NOT, NOT, "NOT");
    else if (at_operator(p, 0, OPERATOR_MINUS))
        *out = (infix)PAIR(SIGN, MINUS, "-");
    else if (at_operator(p, 0, OPERATOR_PLUS))
        *out = (infix)PAIR(SIGN, PLUS, "+");
    else if (at_operator(p, 0, OPERATOR_TILDE))
        *out = (infix)PAIR(SIGN, BIT_NOT, "~");
    else
        return false;
    return true;
}

BESIDE static lp_status parse_unary(parser *p, ast **out) {
    infix in;
    (void)find_prefix(p, &in);
    const token *first = p->next++;
    ast *operand;
    TRY(parse_level(p, in.level, &operand));
    ast *node = node_new(p, AST_UNARY);
    node->op = in.op;
    node->op_text = str_from(in.text);
    node_list operands = {0};
    list_add(p, &operands, operand);
    return node_finish(p, node, first, &operands, out);
}

lp_status parse_level(parser *p, level loosest, ast **out) {
    const token *first = p->next;
    TRY(parse_enter(p));
    ast *left;
    infix in;
    if (find_prefix(p, &in))
        TRY(parse_unary(p, &left));
    else
        TRY(parse_primary(p, &left));
    while (find_infix(p, &in) && in.level >= loosest) TRY(parse_infix(p, in, first, left, &left));
    parse_leave(p);
    *out = left;
    return LP_OK;
}

lp_status parse_expression(parser *p, ast **out) {
    return parse_level(p, LEVEL_OR, out);
}
