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
    form f = form_start(p, p->next++);
    form_put(&f, STR("CASE"));
    if (!at_keyword(p, 0, KW_WHEN)) {
        ast *subject;
        form_put(&f, STR(" "));
        TRY(parse_expression(p, &subject));
        form_argument(&f, subject);
    }
    do {
        TRY(parse_arm(&f, KW_WHEN));
        TRY(parse_arm(&f, KW_THEN));
    } while (at_keyword(p, 0, KW_WHEN));
    if (at_keyword(p, 0, KW_ELSE)) TRY(parse_arm(&f, KW_ELSE));
    TRY(expect_keyword(p, KW_END));
    form_put(&f, STR(" END"));
    return form_finish(&f, node, out);
}

BESIDE static lp_status parse_cast(parser *p, ast **out) {
    ast *node = node_new(p, AST_CALL);
    form f = form_start(p, p->next);
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
    TRY(expect_close(p, OPERATOR_RPAREN, open));
    form_put(&f, STR(")"));
    return form_finish(&f, node, out);
}

BESIDE static bool at_extract(const parser *p) {
    return at_keyword(p, 0, KW_EXTRACT) && at_operator(p, 1, OPERATOR_LPAREN) && at_keyword(p, 3, KW_FROM) &&
           (p->next[2].kind == TOKEN_NAME || p->next[2].kind == TOKEN_STRING);
}

BESIDE static lp_status parse_extract(parser *p, ast **out) {
    ast *node = node_new(p, AST_CALL);
    node->text = STR("EXTRACT");
    const token *first = p->next, *open = first + 1, *field = first + 2;
    form f = form_start(p, first);
    form_put(&f, STR("EXTRACT("));
    form_put(&f, field->kind == TOKEN_NAME ? upper_copy(p, token_text(p, field)) : token_text(p, field));
    form_put(&f, STR(" FROM "));
    p->next += 4;
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
    return form_finish(&f, node_new(p, AST_OTHER), out);
}

/* interval(...) is a call, unless a unit follows. */
BESIDE static lp_status parse_interval_call(parser *p, ast **out) {
    const token *first = p->next++;
    ast *call;
    TRY(parse_call(p, token_text(p, first), first, &call));
    *out = call;
    if (!is_unit(p, 0)) return LP_OK;
    form f = form_start(p, first);
    form_argument(&f, call);
    take_unit(&f, " ");
    return form_finish(&f, node_new(p, AST_OTHER), out);
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
        if (bracket && starts_query(p, 2)) return parse_exists(p, out);
        break;
    case KW_INTERVAL:
        if (bracket) return parse_interval_call(p, out);
        if (at_interval(p)) return parse_interval(p, out);
        break;
    default: break;
    }
    *taken = false;
    return LP_OK;
}
