/* parse_special.c - forms with keywords inside that are no calls: CASE, CAST, EXTRACT, EXISTS, INTERVAL.
 * Called by: sql/parse_primary.c.  Must not know: what they mean.
 *
 *   case     := CASE [expression] (WHEN expression THEN expression)+ [ELSE expression] END
 *   cast     := (CAST | TRY_CAST | SAFE_CAST) ( expression AS type )
 *   extract  := EXTRACT ( (name | text) FROM expression )
 *   exists   := EXISTS ( query )
 *   interval := INTERVAL ([sign] value unit)+ | INTERVAL [sign] value unit TO unit | INTERVAL name unit
 *             | INTERVAL ( expression ) unit
 */
#include "sql/sql_int.h"

/* One keyword, then an expression, with one blank between. */
static lp_status parse_arm(form *f, keyword word) {
    TRY(expect_keyword(f->p, word));
    form_put(f, STR(" "));
    form_put(f, keyword_text(word));
    form_put(f, STR(" "));
    ast *value;
    TRY(parse_expression(f->p, &value));
    form_argument(f, value);
    return LP_OK;
}

BESIDE static lp_status parse_case(parser *p, ast **out) {
    ast *node = node_new(p, AST_CALL);
    node->text = STR("CASE");
    node->form = FORM_CASE;
    form f = form_start(p, p->next++);
    form_put(&f, STR("CASE"));
    node->has_subject = !at_keyword(p, 0, KW_WHEN);
    if (node->has_subject) {
        ast *subject;
        form_put(&f, STR(" "));
        TRY(parse_expression(p, &subject));
        form_argument(&f, subject);
    }
    do {
        TRY(parse_arm(&f, KW_WHEN));
        TRY(parse_arm(&f, KW_THEN));
    } while (at_keyword(p, 0, KW_WHEN));
    node->has_else = at_keyword(p, 0, KW_ELSE);
    if (node->has_else) TRY(parse_arm(&f, KW_ELSE));
    TRY(expect_keyword(p, KW_END));
    form_put(&f, STR(" END"));
    return form_finish(&f, node, out);
}

BESIDE static lp_status parse_cast(parser *p, ast **out) {
    ast *node = node_new(p, AST_CALL);
    form f = form_start(p, p->next);
    node->form = FORM_CAST;
    node->text = keyword_text((keyword)p->next->word);
    const token *open = ++p->next;
    p->next++;
    form_put(&f, node->text);
    form_put(&f, STR("("));
    ast *value;
    TRY(parse_expression(p, &value));
    form_argument(&f, value);
    TRY(expect_keyword(p, KW_AS));
    form_put(&f, STR(" AS "));
    TRY(parse_type(p, &node->type_name));
    form_put(&f, node->type_name);
    if (p->statements && take_keyword(p, KW_FORMAT)) { /* with AT TIME ZONE behind it, perhaps */
        ast *format;
        form_put(&f, STR(" FORMAT "));
        TRY(parse_expression(p, &format));
        form_argument(&f, format);
    }
    TRY(expect_close(p, OPERATOR_RPAREN, open));
    form_put(&f, STR(")"));
    return form_finish(&f, node, out);
}

BESIDE static bool at_extract(const parser *p) {
    if (!at_operator(p, 1, OPERATOR_LPAREN)) return false;
    if (p->statements && at_name(p, 2) && at_operator(p, 3, OPERATOR_LPAREN) && at_operator(p, 5, OPERATOR_RPAREN))
        return at_keyword(p, 6, KW_FROM); /* WEEK(MONDAY) */
    return at_keyword(p, 3, KW_FROM) && (p->next[2].kind == TOKEN_NAME || p->next[2].kind == TOKEN_STRING);
}

BESIDE static lp_status parse_extract(parser *p, ast **out) {
    ast *node = node_new(p, AST_CALL);
    node->text = STR("EXTRACT");
    node->form = FORM_EXTRACT;
    const token *first = p->next, *open = first + 1, *field = first + 2;
    bool of_week = at_operator(p, 3, OPERATOR_LPAREN);
    form f = form_start(p, first);
    node->op_text = field->kind == TOKEN_NAME ? upper_copy(p, token_text(p, field)) : token_text(p, field);
    if (of_week)
        node->op_text = upper_copy(p, kept_text(p, field, field + 4));
    form_write(&f, "EXTRACT(", node->op_text, " FROM ");
    p->next += of_week ? 7 : 4;
    ast *value;
    TRY(parse_expression(p, &value));
    form_argument(&f, value);
    TRY(expect_close(p, OPERATOR_RPAREN, open));
    form_put(&f, STR(")"));
    return form_finish(&f, node, out);
}

BESIDE static lp_status parse_exists(parser *p, ast **out) {
    const token *first = p->next++;
    ast *node;
    TRY(parse_subquery(p, STR("EXISTS "), first, &node));
    node->text = STR("EXISTS");
    *out = node;
    return LP_OK;
}

/* ---- intervals ---- */

bool is_unit_name(str word) {
    static const char *const units[] = {"YEAR",        "QUARTER",    "MONTH",  "WEEK",    "DAY",
                                        "DAYOFYEAR",   "HOUR",       "MINUTE", "SECOND",  "MILLISECOND",
                                        "MICROSECOND", "NANOSECOND", "DECADE", "CENTURY", "MILLENNIUM"};
    str singular = word.len > 0 && (word.ptr[word.len - 1] | 0x20) == 's' ? str_slice(word, 0, word.len - 1) : word;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (str_eq_nocase(singular, str_from(units[i]))) return true;
    return false;
}

static bool is_unit(const parser *p, size_t ahead) {
    const token *t = p->next;
    for (; ahead > 0 && t->kind != TOKEN_END; ahead--) t++;
    return t->kind == TOKEN_NAME && is_unit_name(token_text(p, t));
}

/* How many tokens [sign] (number | text) unit takes at `ahead`, 0 if it is not there. */
static size_t step_length(const parser *p, size_t ahead) {
    size_t sign = at_operator(p, ahead, OPERATOR_MINUS) || at_operator(p, ahead, OPERATOR_PLUS) ? 1 : 0;
    for (size_t i = 0; i < ahead + sign; i++)
        if (p->next[i].kind == TOKEN_END) return 0;
    const token *value = &p->next[ahead + sign];
    bool is_value = value->kind == TOKEN_NUMBER || (value->kind == TOKEN_STRING && value->detail == 0);
    return is_value && is_unit(p, ahead + sign + 1) ? sign + 2 : 0;
}

static void take_unit(form *f, const char *before) {
    form_put(f, str_from(before));
    form_put(f, upper_copy(f->p, token_text(f->p, f->p->next)));
    f->p->next++;
}

static void take_step(form *f) {
    parser *p = f->p;
    form_put(f, STR(" "));
    if (p->next->kind == TOKEN_OPERATOR) form_put(f, token_text(p, p->next++));
    form_put(f, token_text(p, p->next++));
    take_unit(f, " ");
}

BESIDE static lp_status parse_interval(parser *p, ast **out) {
    form f = form_start(p, p->next++);
    form_put(&f, STR("INTERVAL"));
    if (at_name(p, 0)) {
        ast *value;
        form_put(&f, STR(" "));
        TRY(parse_primary(p, &value));
        form_argument(&f, value);
        take_unit(&f, " ");
    }
    while (step_length(p, 0) > 0) take_step(&f);
    if (at_keyword(p, 0, KW_TO) && is_unit(p, 1)) {
        p->next++;
        take_unit(&f, " TO ");
    }
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_INTERVAL;
    return form_finish(&f, node, out);
}

/* ---- intervals of statements ---- */

static void take_precision(form *f) {
    parser *p = f->p;
    if (!at_operator(p, 0, OPERATOR_LPAREN) || peek(p, 1)->kind != TOKEN_NUMBER || !at_operator(p, 2, OPERATOR_RPAREN))
        return;
    form_write(f, "(", token_text(p, p->next + 1), ")");
    p->next += 3;
}

/* [unit [(n)] [TO unit [(n)]]] */
static void take_units(form *f) {
    parser *p = f->p;
    if (!is_unit(p, 0)) return;
    take_unit(f, " ");
    take_precision(f);
    if (!at_keyword(p, 0, KW_TO) || !is_unit(p, 1)) return;
    p->next++;
    take_unit(f, " TO ");
    take_precision(f);
}

/* INTERVAL text units, INTERVAL operand unit; several steps may follow each other. */
BESIDE static lp_status parse_long_interval(parser *p, ast **out) {
    ast *node = node_new(p, AST_OTHER), *value;
    node->form = FORM_INTERVAL;
    form f = form_start(p, p->next++);
    form_put(&f, STR("INTERVAL "));
    TRY(parse_level(p, p->next->kind == TOKEN_STRING ? LEVEL_SIGN : LEVEL_ADD, &value));
    form_argument(&f, value);
    if (p->next[-1].kind != TOKEN_STRING && !is_unit(p, 0)) return expected(p, "a unit of time");
    take_units(&f);
    while (step_length(p, 0) > 0) take_step(&f);
    return form_finish(&f, node, out);
}

/* Is INTERVAL a literal's start here, not a column or a call? */
BESIDE static bool at_long_interval(const parser *p) {
    const token *next = peek(p, 1), *second = peek(p, 2), *third = peek(p, 3);
    if (next->kind == TOKEN_STRING) return is_unit(p, 2);
    if (next->kind == TOKEN_NUMBER || next->kind == TOKEN_PARAMETER) return true;
    if (next->kind == TOKEN_OPERATOR) {
        bool sign = next->detail == OPERATOR_MINUS || next->detail == OPERATOR_PLUS;
        bool mark = next->detail == OPERATOR_QUESTION || next->detail == OPERATOR_AT_SIGN;
        return (sign && (second->kind == TOKEN_NUMBER || is_unit(p, 3))) || (sign && second->kind == TOKEN_STRING) ||
               (mark && second->kind == TOKEN_NAME);
    }
    if (next->kind == TOKEN_QUOTED_NAME) return is_unit(p, 2) || at_operator(p, 2, OPERATOR_DOT);
    if (next->kind != TOKEN_NAME || (keyword_traits((keyword)next->word) & WORD_ENDS_ITEM)) return false;
    if (second->kind == TOKEN_OPERATOR)
        return second->detail == OPERATOR_DOT || second->detail == OPERATOR_LPAREN ||
               (second->detail != OPERATOR_COMMA && second->detail != OPERATOR_RPAREN && third->kind != TOKEN_END &&
                is_unit(p, 4));
    return is_unit(p, 2);
}

/* interval(...) is a call, unless a unit follows. */
BESIDE static lp_status parse_interval_call(parser *p, ast **out) {
    const token *first = p->next++;
    ast *call;
    TRY(parse_call(p, token_text(p, first), NULL, first, &call));
    *out = call;
    if (!is_unit(p, 0)) return LP_OK;
    form f = form_start(p, first);
    form_argument(&f, call);
    take_unit(&f, " ");
    ast *node = node_new(p, AST_OTHER);
    node->form = FORM_INTERVAL;
    return form_finish(&f, node, out);
}

BESIDE static bool at_interval(const parser *p) {
    bool of_name = p->next[1].kind == TOKEN_NAME && p->next[1].word == KW_NONE && is_unit(p, 2);
    return of_name || step_length(p, 1) > 0;
}

lp_status parse_special(parser *p, ast **out, bool *taken) {
    *taken = true;
    bool bracket = at_operator(p, 1, OPERATOR_LPAREN);
    switch ((int)p->next->word) {
    case KW_CASE:
        if (!names_operand(p)) return parse_case(p, out);
        break;
    case KW_CAST:
    case KW_TRY_CAST:
    case KW_SAFE_CAST:
        if (bracket) return parse_cast(p, out);
        break;
    case KW_EXTRACT:
        if (at_extract(p)) return parse_extract(p, out);
        break;
    case KW_EXISTS:
        if (bracket && (starts_query(p, 2) || (p->statements && starts_query_in_brackets(p, 2))))
            return parse_exists(p, out);
        break;
    case KW_INTERVAL:
        if (bracket) return parse_interval_call(p, out);
        if (p->statements && at_long_interval(p)) return parse_long_interval(p, out);
        if (!p->statements && at_interval(p)) return parse_interval(p, out);
        break;
    default: break;
    }
    *taken = false;
    return LP_OK;
}
