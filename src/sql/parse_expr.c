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

typedef enum infix_shape {
    INFIX_CHAIN,
    INFIX_PAIR,
    INFIX_PREDICATE,
    INFIX_ZONE,
    INFIX_COLLATE,
    INFIX_ARROW,     /* -> with all that follows on its right */
    INFIX_CAST,      /* :: behind a test */
    INFIX_QUALIFIED, /* OPERATOR(s.+) */
    INFIX_POSTFIX    /* ISNULL, NOTNULL */
} infix_shape;

typedef struct infix {
    infix_shape shape;
    level level;
    ast_op op;
    const char *text; /* canonical; NULL: that of the token */
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
    [OPERATOR_POWER] = PAIR(POWER, OTHER, "**"),
};

static bool starts_predicate(const parser *p, size_t ahead) {
    switch ((int)(peek(p, ahead)->kind == TOKEN_NAME ? peek(p, ahead)->word : KW_NONE)) {
    case KW_IN:
    case KW_BETWEEN:
    case KW_LIKE:
    case KW_ILIKE:
    case KW_RLIKE:
    case KW_REGEXP:
    case KW_GLOB: return true;
    case KW_SIMILAR: return at_keyword(p, ahead + 1, KW_TO);
    default: return false;
    }
}

static bool find_zone(const parser *p, infix *out) {
    *out = (infix){INFIX_ZONE, LEVEL_AT, OP_NONE, ""};
    if (at_keyword(p, 1, KW_LOCAL)) return p->statements;
    return at_keyword(p, 1, KW_TIME) && at_keyword(p, 2, KW_ZONE);
}

static bool find_word_infix(const parser *p, infix *out) {
    switch ((int)p->next->word) {
    case KW_OR: *out = (infix)CHAIN(OR, OR, "OR"); return true;
    case KW_AND: *out = (infix)CHAIN(AND, AND, "AND"); return true;
    case KW_DIV: *out = (infix)CHAIN(MULTIPLY, OTHER, "DIV"); return !p->statements || p->traits->word_division;
    case KW_AT: return find_zone(p, out);
    case KW_COLLATE: *out = (infix){INFIX_COLLATE, LEVEL_AT, OP_NONE, ""}; return true;
    case KW_OVERLAPS: *out = (infix)PAIR(COMPARE, OTHER, "OVERLAPS"); return true;
    case KW_ISNULL:
    case KW_NOTNULL: *out = (infix){INFIX_POSTFIX, LEVEL_PREDICATE, OP_NONE, ""}; return true;
    case KW_OPERATOR:
        *out = (infix){INFIX_QUALIFIED, LEVEL_OTHER, OP_OTHER, ""};
        return at_operator(p, 1, OPERATOR_LPAREN);
    case KW_IS: *out = (infix){INFIX_PREDICATE, LEVEL_PREDICATE, OP_NONE, ""}; return true;
    default: break;
    }
    *out = (infix){INFIX_PREDICATE, p->traits->tight_predicates ? LEVEL_TIGHT : LEVEL_PREDICATE, OP_NONE, ""};
    return starts_predicate(p, at_keyword(p, 0, KW_NOT) ? 1 : 0);
}

/* A run of signs that has no row. */
static void find_custom_infix(const parser *p, infix *out) {
    str text = token_text(p, p->next);
    bool match = text.ptr[0] == '~' || (text.len > 1 && text.ptr[0] == '!' && text.ptr[1] == '~');
    *out = (infix){INFIX_PAIR, match && p->traits->loose_matches ? LEVEL_TIGHT : LEVEL_OTHER, OP_OTHER, NULL};
    if (p->traits->integer_division && str_eq(text, STR("//"))) *out = (infix)CHAIN(MULTIPLY, OTHER, "//");
}

/* Operators whose level or meaning is another one in some dialects. */
static bool find_other_infix(const parser *p, infix *out) {
    const dialect_traits *t = p->traits;
    switch ((int)p->next->detail) {
    case OPERATOR_CONCAT:
        if (t->loose_concat) out->level = LEVEL_OTHER;
        return true;
    case OPERATOR_BIT_OR:
    case OPERATOR_BIT_AND:
    case OPERATOR_SHIFT_LEFT:
    case OPERATOR_SHIFT_RIGHT:
    case OPERATOR_SHIFT_RIGHT_UNSIGNED:
        if (t->loose_bits) out->level = LEVEL_OTHER;
        if (t->flat_bits) out->level = LEVEL_BIT_OR;
        return true;
    case OPERATOR_TILDE:
        if (t->loose_matches) out->level = LEVEL_TIGHT;
        return true;
    case OPERATOR_BIT_XOR:
        if (t->caret_is_power) *out = (infix){INFIX_CHAIN, LEVEL_POWER, OP_OTHER, "^"};
        return true;
    case OPERATOR_ARROW_TEXT: return out->text != NULL && !t->flows; /* there it stands between statements */
    case OPERATOR_ARROW:
        if (t->loose_arrows) out->shape = INFIX_ARROW;
        return true;
    case OPERATOR_CAST: /* behind a test: a IS NULL::INT */
        *out = (infix){INFIX_CAST, LEVEL_SIGN, OP_NONE, "::"};
        return t->custom_operators;
    case OPERATOR_BANG: return false;
    case OPERATOR_QUESTION:
        *out = (infix)PAIR(OTHER, OTHER, "?"); /* PostgreSQL: has the key */
        return t->custom_operators && !at_operator(p, 1, OPERATOR_CAST);
    case OPERATOR_AT_SIGN: *out = (infix)PAIR(OTHER, OTHER, "@"); return t->custom_operators;
    case OPERATOR_CUSTOM: find_custom_infix(p, out); return true;
    default: return out->text != NULL;
    }
}

BESIDE static bool find_infix(const parser *p, infix *out) {
    if (p->next->kind == TOKEN_NAME) return p->next->word != KW_NONE && find_word_infix(p, out);
    if (p->next->kind != TOKEN_OPERATOR || p->next->detail == OPERATOR_PIPE) return false;
    if (p->next->detail < OPERATOR_COUNT) *out = infix_operators[p->next->detail];
    return p->statements ? find_other_infix(p, out) : out->text != NULL;
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
    } while (find_infix(p, &in) && in.level == here && in.shape == INFIX_CHAIN);
    ast *node = node_new(p, AST_CHAIN);
    node->op = links.item[0].op;
    node->link = links.item;
    return node_finish(p, node, first, &operands, out);
}

static lp_status finish_pair(parser *p, infix in, const token *sign, const token *first, ast *left, ast *right,
                             ast **out) {
    node_list operands = {0};
    list_add(p, &operands, left);
    list_add(p, &operands, right);
    ast *node = node_new(p, AST_BINARY);
    node->op = in.op;
    node->op_text = in.text ? str_from(in.text) : token_text(p, sign);
    return node_finish(p, node, first, &operands, out);
}

BESIDE static lp_status parse_pair(parser *p, infix in, const token *first, ast *left, ast **out) {
    const token *sign = p->next++;
    ast *right;
    TRY(parse_level(p, in.level + 1, &right));
    return finish_pair(p, in, sign, first, left, right, out);
}

static lp_status parse_climb(parser *p, level loosest, const token *first, ast *left, ast **out);

/* a -> b = c is a -> (b = c), but a -> b -> c is (a -> b) -> c. */
BESIDE static lp_status parse_arrow(parser *p, infix in, const token *first, ast *left, ast **out) {
    const token *sign = p->next++, *start = p->next;
    ast *right;
    TRY(parse_level(p, in.level + 1, &right));
    if (!at_operator(p, 0, OPERATOR_ARROW) && !at_operator(p, 0, OPERATOR_ARROW_TEXT))
        TRY(parse_climb(p, LEVEL_OR, start, right, &right));
    return finish_pair(p, in, sign, first, left, right, out);
}

/* ---- predicates ---- */

/* Other tests behind IS [NOT], `words` of them: kept as text. */
static size_t other_test_length(const parser *p) {
    static const char *const single[] = {"JSON", "NORMALIZED", "DOCUMENT", "NFC", "NFD", "NFKC", "NFKD"};
    static const char *const behind[] = {"VALUE", "OBJECT", "ARRAY", "SCALAR", "NORMALIZED"};
    if (!p->statements) return 0;
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
        if (!at_word(p, 0, single[i])) continue;
        size_t words = 1;
        for (size_t j = 0; j < sizeof behind / sizeof *behind; j++)
            if (at_word(p, 1, behind[j])) words = 2;
        bool unique =
            (at_keyword(p, words, KW_WITH) || at_keyword(p, words, KW_WITHOUT)) && at_word(p, words + 1, "UNIQUE");
        if (unique) words += at_word(p, words + 2, "KEYS") ? 3 : 2;
        return words;
    }
    return 0;
}

static lp_status parse_other_test(parser *p, const token *first, ast *left, bool negated, size_t words, ast **out) {
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_PREDICATE;
    form f = form_start(p, first);
    form_argument(&f, left);
    form_put(&f, negated ? STR(" IS NOT") : STR(" IS"));
    for (; words > 0; words--) form_write(&f, " ", upper_copy(p, token_text(p, p->next++)), "");
    return form_finish(&f, node, out);
}

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
        size_t words = other_test_length(p);
        if (words > 0) return parse_other_test(p, first, left, node->negated, words, out);
        return expected(p, "NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM");
    }
    return node_finish(p, node, first, &operands, out);
}

/* ( query ) | ( [expression {, expression}] ), at the bracket; adds to `operands`. Nothing in the brackets is for
 * statements: generated SQL has it. */
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
    if (p->statements && take_operator(p, OPERATOR_RPAREN)) return LP_OK;
    do {
        TRY(parse_expression(p, &item));
        if (operands->count == 1 && continues_query(p, item)) {
            TRY(parse_query_behind(p, item, open, &item));
            item->text = STR("LIST");
            list_add(p, operands, item);
            return LP_OK;
        }
        list_add(p, operands, item);
    } while (take_operator(p, OPERATOR_COMMA) && !(p->statements && at_operator(p, 0, OPERATOR_RPAREN)));
    return expect_close(p, OPERATOR_RPAREN, open);
}

/* [NOT] IN (list | operand), the latter in statements: IN UNNEST(a), IN :list. */
static lp_status parse_in(parser *p, ast *node, node_list *operands) {
    node->kind = AST_IN;
    p->next++;
    if (!p->statements || at_operator(p, 0, OPERATOR_LPAREN)) return parse_list(p, operands);
    ast *list;
    TRY(parse_level(p, LEVEL_OTHER, &list));
    list_add(p, operands, list);
    node->text = STR("BARE");
    return LP_OK;
}

/* How tightly the operands of BETWEEN and LIKE hang together. */
static level operand_level(const parser *p) {
    return p->traits->tight_predicates ? LEVEL_OTHER : LEVEL_COMPARE;
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
    TRY(parse_level(p, operand_level(p), &low));
    TRY(expect_keyword(p, KW_AND));
    TRY(parse_level(p, operand_level(p), &high));
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
        TRY(parse_level(p, operand_level(p), &pattern));
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
    form f = form_start(p, first);
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_ZONE;
    form_argument(&f, left);
    if (at_keyword(p, 1, KW_LOCAL)) {
        p->next += 2;
        form_put(&f, STR(" AT LOCAL"));
        return form_finish(&f, node, out);
    }
    p->next += 3;
    form_put(&f, STR(" AT TIME ZONE "));
    ast *zone;
    TRY(parse_level(p, LEVEL_AT + 1, &zone));
    form_argument(&f, zone);
    return form_finish(&f, node, out);
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
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_COLLATE;
    return form_finish(&f, node, out);
}

/* ---- operators of statements ---- */

/* left OPERATOR ( [schema.] sign ) right */
BESIDE static lp_status parse_qualified(parser *p, const token *first, ast *left, ast **out) {
    const token *word = p->next++;
    TRY(skip_bracketed(p));
    ast *node = node_new(p, AST_OTHER), *right;
    node->form = FORM_OPERATOR;
    form f = form_start(p, first);
    form_argument(&f, left);
    form_write(&f, " ", kept_text(p, word, p->next), " ");
    TRY(parse_level(p, LEVEL_OTHER + 1, &right));
    form_argument(&f, right);
    return form_finish(&f, node, out);
}

/* a ISNULL, a NOTNULL: the same node as IS NULL */
BESIDE static lp_status parse_postfix(parser *p, const token *first, ast *left, ast **out) {
    ast *node = node_new(p, AST_IS);
    node_list operands = {0};
    list_add(p, &operands, left);
    node->is = IS_NULL;
    node->negated = at_keyword(p, 0, KW_NOTNULL);
    p->next++;
    return node_finish(p, node, first, &operands, out);
}

/* Words and signs before an operand that only some dialects have. */
static bool at_other_prefix(const parser *p) {
    if (p->next->kind == TOKEN_NAME) {
        if (p->next->word == KW_APPROXIMATE) return at_name(p, 1) && at_operator(p, 2, OPERATOR_LPAREN);
        bool word = p->next->word == KW_PRIOR || p->next->word == KW_CONNECT_BY_ROOT;
        return word && (at_name(p, 1) || at_operator(p, 1, OPERATOR_LPAREN)) && !at_keyword(p, 1, KW_FROM) &&
               !at_keyword(p, 1, KW_AS);
    }
    if (p->next->kind != TOKEN_OPERATOR || !p->traits->custom_operators) return false;
    return p->next->detail == OPERATOR_CUSTOM || p->next->detail == OPERATOR_AT_SIGN ||
           (p->next->detail == OPERATOR_HASH && p->traits->colon_aliases); /* DuckDB: #1 */
}

BESIDE static lp_status parse_other_prefix(parser *p, ast **out) {
    ast *node = node_new(p, AST_OTHER), *operand;
    node->form = FORM_OPERATOR;
    bool is_word = p->next->kind == TOKEN_NAME;
    form f = form_start(p, p->next);
    form_write(&f, "", is_word ? upper_copy(p, token_text(p, p->next)) : token_text(p, p->next), " ");
    p->next++;
    TRY(parse_level(p, is_word ? LEVEL_SIGN : LEVEL_OTHER + 1, &operand));
    form_argument(&f, operand);
    return form_finish(&f, node, out);
}

/* ---- the descent ---- */

static lp_status parse_infix(parser *p, infix in, const token *first, ast *left, ast **out) {
    switch (in.shape) {
    case INFIX_CHAIN: return parse_chain(p, in, first, left, out);
    case INFIX_PAIR: return parse_pair(p, in, first, left, out);
    case INFIX_PREDICATE: return parse_predicate(p, first, left, out);
    case INFIX_ZONE: return parse_zone(p, first, left, out);
    case INFIX_COLLATE: return parse_collate(p, first, left, out);
    case INFIX_ARROW: return parse_arrow(p, in, first, left, out);
    case INFIX_CAST: return parse_cast_suffix(p, first, left, out);
    case INFIX_QUALIFIED: return parse_qualified(p, first, left, out);
    case INFIX_POSTFIX: return parse_postfix(p, first, left, out);
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
    const token *first = p->next++, *behind = p->next;
    ast *operand;
    TRY(parse_level(p, in.level, &operand));
    ast *node = node_new(p, AST_UNARY);
    node->op = in.op;
    node->op_text = str_from(in.text);
    bool sign =
        behind->kind == TOKEN_OPERATOR && behind->detail != OPERATOR_LPAREN && behind->detail != OPERATOR_LBRACKET;
    if (sign && p->traits->custom_operators && in.op != OP_NOT) /* two signs side by side would be another operator */
        node->op_text = in.op == OP_MINUS ? STR("- ") : in.op == OP_PLUS ? STR("+ ") : STR("~ ");
    node_list operands = {0};
    list_add(p, &operands, operand);
    return node_finish(p, node, first, &operands, out);
}

/* { infix operand }, of level `loosest` or tighter, behind `left` */
static lp_status parse_climb(parser *p, level loosest, const token *first, ast *left, ast **out) {
    infix in;
    while (find_infix(p, &in) && in.level >= loosest) TRY(parse_infix(p, in, first, left, &left));
    *out = left;
    return LP_OK;
}

lp_status parse_level(parser *p, level loosest, ast **out) {
    const token *first = p->next;
    TRY(parse_enter(p));
    ast *left;
    infix in;
    if (find_prefix(p, &in))
        TRY(parse_unary(p, &left));
    else if (p->statements && at_other_prefix(p))
        TRY(parse_other_prefix(p, &left));
    else
        TRY(parse_primary(p, &left));
    TRY(parse_climb(p, loosest, first, left, out));
    parse_leave(p);
    return LP_OK;
}

lp_status parse_expression(parser *p, ast **out) {
    return parse_level(p, LEVEL_OR, out);
}
