/* parse_call.c - calls of functions: arguments, lambdas, and what may follow the closing bracket.
 * Called by: sql/parse_primary.c, sql/parse_special.c.  Must not know: what a function does.
 *
 *   call     := name ( query ) | name ( [DISTINCT | ALL] [argument {separator argument}] [ORDER BY sorts] [LIMIT
 * operand]
 *               [(IGNORE | RESPECT) NULLS] ) {suffix}
 *   argument := * | name. ... .* | name (=> | :=) argument | lambda | expression [AS name]
 *   lambda   := (name | ( name {, name} )) -> expression
 *   suffix   := WITHIN GROUP ( ORDER BY sorts ) | FILTER ( WHERE expression ) | (IGNORE | RESPECT) NULLS
 *             | OVER (name | ( window ))
 */
#include "sql/sql_int.h"

/* ---- calls whose arguments are parted by words ---- */

typedef struct spoken_call {
    const char *name;
    keyword separator[3];
    bool takes_unit; /* behind the separator stands a unit, not an expression */
} spoken_call;

static const spoken_call spoken_calls[] = {
    {"SUBSTRING", {KW_FROM, KW_FOR, KW_NONE}, false}, {"SUBSTR", {KW_FROM, KW_FOR, KW_NONE}, false},
    {"TRIM", {KW_FROM, KW_NONE, KW_NONE}, false},     {"OVERLAY", {KW_PLACING, KW_FROM, KW_FOR}, false},
    {"POSITION", {KW_IN, KW_NONE, KW_NONE}, false},   {"CEIL", {KW_TO, KW_NONE, KW_NONE}, true},
    {"FLOOR", {KW_TO, KW_NONE, KW_NONE}, true},
};

static const spoken_call *find_spoken(str name) {
    for (size_t i = 0; i < sizeof spoken_calls / sizeof *spoken_calls; i++)
        if (str_eq_nocase(name, str_from(spoken_calls[i].name))) return &spoken_calls[i];
    return NULL;
}

static bool at_separator(const parser *p, const spoken_call *spoken) {
    if (!spoken || p->next->kind != TOKEN_NAME || p->next->word == KW_NONE) return false;
    for (int i = 0; i < 3; i++)
        if (p->next->word == spoken->separator[i]) return true;
    return false;
}

/* Functions whose first of three arguments is a bare unit: DATEDIFF(DAY, a, b). */
static bool takes_unit_first(str name) {
    static const char *const names[] = {"TIMESTAMPADD", "TIMESTAMPDIFF", "DATEADD", "DATE_ADD",
                                        "DATEDIFF",     "DATE_DIFF",     "TIMEADD", "TIMEDIFF"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq_nocase(name, str_from(names[i]))) return true;
    return false;
}

/* ---- arguments ---- */

static void put_word(form *f, const char *before, str word, const char *after) {
    form_put(f, str_from(before));
    form_put(f, word);
    form_put(f, str_from(after));
}

/* Offset of the arrow if a lambda starts at `next`, else 0. */
BESIDE static size_t lambda_arrow(const parser *p) {
    if (!p->traits->lambdas) return 0;
    if (at_name(p, 0)) return at_operator(p, 1, OPERATOR_ARROW) ? 1 : 0;
    if (!at_operator(p, 0, OPERATOR_LPAREN)) return 0;
    size_t at = 1;
    while (at_name(p, at) && at_operator(p, at + 1, OPERATOR_COMMA) && at < 64) at += 2;
    return at_name(p, at) && at_operator(p, at + 1, OPERATOR_RPAREN) && at_operator(p, at + 2, OPERATOR_ARROW) ? at + 2
                                                                                                               : 0;
}

BESIDE static lp_status parse_lambda(parser *p, size_t arrow, ast **out) {
    const local *outer = p->locals;
    form f = form_start(p, p->next);
    for (size_t i = 0; i < arrow; i++, p->next++) {
        form_put(&f, token_text(p, p->next));
        if (at_operator(p, 0, OPERATOR_COMMA)) form_put(&f, STR(" "));
        if (!at_name(p, 0)) continue;
        local *mine = ARENA_NEW(p->query, local);
        *mine = (local){name_part(p, p->next).text, p->locals};
        p->locals = mine;
    }
    p->next++;
    form_put(&f, STR(" -> "));
    ast *body;
    TRY(parse_expression(p, &body));
    p->locals = outer;
    form_argument(&f, body);
    return form_finish(&f, node_new(p, AST_OTHER), out);
}

/* Offset behind the star if `next` starts `*` or `name.*`, else 0. */
BESIDE static size_t star_end(const parser *p) {
    size_t at = 0;
    while (at_name(p, at) && at_operator(p, at + 1, OPERATOR_DOT) && at < 64) at += 2;
    return at_operator(p, at, OPERATOR_STAR) ? at + 1 : 0;
}

static lp_status parse_argument(form *f, const spoken_call *spoken) {
    parser *p = f->p;
    size_t star = star_end(p), arrow = lambda_arrow(p);
    if (star > 0) {
        for (; star > 0; star--) form_put(f, token_text(p, p->next++));
        return LP_OK;
    }
    if (at_name(p, 0) && (at_operator(p, 1, OPERATOR_NAMED) || at_operator(p, 1, OPERATOR_ASSIGN))) {
        put_word(f, "", token_text(p, p->next), " ");
        put_word(f, "", token_text(p, p->next + 1), " ");
        p->next += 2;
        arrow = lambda_arrow(p);
    }
    ast *argument;
    bool has_in = spoken && spoken->separator[0] == KW_IN; /* POSITION(a IN b) is no membership test */
    if (arrow > 0)
        TRY(parse_lambda(p, arrow, &argument));
    else
        TRY(parse_level(p, has_in ? LEVEL_COMPARE : LEVEL_OR, &argument));
    form_argument(f, argument);
    if (at_keyword(p, 0, KW_AS) && at_name(p, 1)) {
        put_word(f, " AS ", token_text(p, p->next + 1), "");
        p->next += 2;
    }
    return LP_OK;
}

/* [BOTH | LEADING | TRAILING] of TRIM, then the characters or at once FROM. */
BESIDE static void take_trim_side(form *f) {
    parser *p = f->p;
    bool side = at_keyword(p, 0, KW_BOTH) || at_keyword(p, 0, KW_LEADING) || at_keyword(p, 0, KW_TRAILING);
    if (!side || at_operator(p, 1, OPERATOR_RPAREN) || at_operator(p, 1, OPERATOR_COMMA) ||
        at_operator(p, 1, OPERATOR_DOT))
        return;
    put_word(f, "", keyword_text((keyword)p->next++->word), " ");
    if (take_keyword(p, KW_FROM)) form_put(f, STR("FROM "));
}

static lp_status take_unit(form *f) {
    if (f->p->next->kind != TOKEN_NAME) return expected(f->p, "a unit");
    form_put(f, upper_copy(f->p, token_text(f->p, f->p->next)));
    f->p->next++;
    return LP_OK;
}

static lp_status parse_arguments(form *f, str name) {
    parser *p = f->p;
    const spoken_call *spoken = find_spoken(name);
    if (spoken && str_eq(str_from(spoken->name), STR("TRIM"))) take_trim_side(f);
    TRY(parse_argument(f, spoken));
    for (;;) {
        if (take_operator(p, OPERATOR_COMMA)) {
            form_put(f, STR(", "));
            TRY(parse_argument(f, spoken));
        } else if (at_separator(p, spoken)) {
            put_word(f, " ", keyword_text((keyword)p->next++->word), " ");
            if (spoken->takes_unit)
                TRY(take_unit(f));
            else
                TRY(parse_argument(f, spoken));
        } else {
            return LP_OK;
        }
    }
}

/* ---- sorts and windows ---- */

/* (expression [ASC | DESC] [NULLS (FIRST | LAST)]) {, ...} */
static lp_status parse_sorts(form *f) {
    parser *p = f->p;
    do {
        ast *key;
        TRY(parse_expression(p, &key));
        form_argument(f, key);
        if (take_keyword(p, KW_ASC))
            form_put(f, STR(" ASC"));
        else if (take_keyword(p, KW_DESC))
            form_put(f, STR(" DESC"));
        if (take_keyword(p, KW_NULLS)) {
            bool is_first = take_keyword(p, KW_FIRST);
            if (!is_first) TRY(expect_keyword(p, KW_LAST));
            form_put(f, is_first ? STR(" NULLS FIRST") : STR(" NULLS LAST"));
        }
        if (at_operator(p, 0, OPERATOR_COMMA)) form_put(f, STR(", "));
    } while (take_operator(p, OPERATOR_COMMA));
    return LP_OK;
}

/* ORDER BY sorts, if it is there. `before` parts it from what is printed so far. */
BESIDE static lp_status parse_order(form *f, const char *before, bool *found) {
    parser *p = f->p;
    bool is_sort = at_keyword(p, 0, KW_SORT);
    *found = (is_sort || at_keyword(p, 0, KW_ORDER)) && at_keyword(p, 1, KW_BY);
    if (!*found) return LP_OK;
    p->next += 2;
    put_word(f, before, is_sort ? STR("SORT") : STR("ORDER"), " BY ");
    return parse_sorts(f);
}

BESIDE static lp_status parse_nulls_treatment(form *f) {
    bool ignore = at_keyword(f->p, 0, KW_IGNORE);
    if ((!ignore && !at_keyword(f->p, 0, KW_RESPECT)) || !at_keyword(f->p, 1, KW_NULLS)) return LP_OK;
    f->p->next += 2;
    form_put(f, ignore ? STR(" IGNORE NULLS") : STR(" RESPECT NULLS"));
    return LP_OK;
}

/* UNBOUNDED (PRECEDING | FOLLOWING) | CURRENT ROW | operand (PRECEDING | FOLLOWING) */
static lp_status parse_bound(form *f) {
    parser *p = f->p;
    if (at_keyword(p, 0, KW_CURRENT) && at_keyword(p, 1, KW_ROW)) {
        p->next += 2;
        form_put(f, STR("CURRENT ROW"));
        return LP_OK;
    }
    if (take_keyword(p, KW_UNBOUNDED)) {
        form_put(f, STR("UNBOUNDED"));
    } else {
        ast *distance;
        TRY(parse_level(p, LEVEL_BIT_OR, &distance));
        form_argument(f, distance);
    }
    if (take_keyword(p, KW_PRECEDING)) {
        form_put(f, STR(" PRECEDING"));
        return LP_OK;
    }
    form_put(f, STR(" FOLLOWING"));
    return take_keyword(p, KW_FOLLOWING) ? LP_OK : expected(p, "PRECEDING or FOLLOWING");
}

/* EXCLUDE (CURRENT ROW | GROUP | TIES | NO OTHERS) */
static lp_status parse_exclude(form *f) {
    parser *p = f->p;
    if (!take_keyword(p, KW_EXCLUDE)) return LP_OK;
    size_t words = at_word(p, 0, "GROUP") || at_word(p, 0, "TIES") ? 1 : 2;
    if (words == 2 && !(at_word(p, 0, "CURRENT") && at_word(p, 1, "ROW")) &&
        !(at_word(p, 0, "NO") && at_word(p, 1, "OTHERS")))
        return expected(p, "CURRENT ROW, GROUP, TIES or NO OTHERS");
    form_put(f, STR(" EXCLUDE"));
    for (; words > 0; words--) put_word(f, " ", upper_copy(p, token_text(p, p->next++)), "");
    return LP_OK;
}

/* (ROWS | RANGE | GROUPS) (bound | BETWEEN bound AND bound) [exclude] */
static lp_status parse_frame(form *f, const char *before) {
    parser *p = f->p;
    if (!at_keyword(p, 0, KW_ROWS) && !at_keyword(p, 0, KW_RANGE) && !at_keyword(p, 0, KW_GROUPS)) return LP_OK;
    put_word(f, before, keyword_text((keyword)p->next++->word), " ");
    if (!take_keyword(p, KW_BETWEEN)) {
        TRY(parse_bound(f));
        return parse_exclude(f);
    }
    form_put(f, STR("BETWEEN "));
    TRY(parse_bound(f));
    TRY(expect_keyword(p, KW_AND));
    form_put(f, STR(" AND "));
    TRY(parse_bound(f));
    return parse_exclude(f);
}

static bool at_window_clause(const parser *p) {
    return at_keyword(p, 0, KW_PARTITION) || at_keyword(p, 0, KW_DISTRIBUTE) || at_keyword(p, 0, KW_ORDER) ||
           at_keyword(p, 0, KW_SORT) || at_keyword(p, 0, KW_ROWS) || at_keyword(p, 0, KW_RANGE) ||
           at_keyword(p, 0, KW_GROUPS);
}

/* ( [name] [(PARTITION | DISTRIBUTE) BY expressions] [(ORDER | SORT) BY sorts] [frame] ) */
static lp_status parse_window(form *f) {
    parser *p = f->p;
    const token *open = p->next++;
    const char *before = "";
    bool found;
    form_put(f, STR("("));
    if (at_name(p, 0) && !at_window_clause(p)) {
        form_put(f, token_text(p, p->next++));
        before = " ";
    }
    if (at_keyword(p, 0, KW_PARTITION) || at_keyword(p, 0, KW_DISTRIBUTE)) {
        put_word(f, before, keyword_text((keyword)p->next++->word), " BY ");
        TRY(expect_keyword(p, KW_BY));
        TRY(parse_sorts(f));
        before = " ";
    }
    TRY(parse_order(f, before, &found));
    TRY(parse_frame(f, found ? " " : before));
    form_put(f, STR(")"));
    return expect_close(p, OPERATOR_RPAREN, open);
}

/* ---- suffixes ---- */

/* OVER (name | window) */
static lp_status parse_over(form *f) {
    parser *p = f->p;
    p->next++;
    form_put(f, STR(" OVER "));
    if (at_operator(p, 0, OPERATOR_LPAREN)) return parse_window(f);
    form_put(f, token_text(p, p->next++));
    return LP_OK;
}

/* FILTER ( WHERE expression ) */
static lp_status parse_filter(form *f) {
    parser *p = f->p;
    const token *open = ++p->next;
    p->next++;
    TRY(expect_keyword(p, KW_WHERE));
    form_put(f, STR(" FILTER (WHERE "));
    ast *condition;
    TRY(parse_expression(p, &condition));
    form_argument(f, condition);
    form_put(f, STR(")"));
    return expect_close(p, OPERATOR_RPAREN, open);
}

/* WITHIN GROUP ( ORDER BY sorts ) */
static lp_status parse_within(form *f) {
    parser *p = f->p;
    p->next += 2;
    const token *open = p->next;
    TRY(expect_operator(p, OPERATOR_LPAREN));
    bool found;
    form_put(f, STR(" WITHIN GROUP ("));
    TRY(parse_order(f, "", &found));
    if (!found) return expected(p, "ORDER BY");
    form_put(f, STR(")"));
    return expect_close(p, OPERATOR_RPAREN, open);
}

BESIDE static lp_status parse_suffixes(form *f) {
    parser *p = f->p;
    for (;;) {
        const token *before = p->next;
        TRY(parse_nulls_treatment(f));
        if (at_keyword(p, 0, KW_WITHIN) && at_keyword(p, 1, KW_GROUP))
            TRY(parse_within(f));
        else if (at_keyword(p, 0, KW_FILTER) && at_operator(p, 1, OPERATOR_LPAREN))
            TRY(parse_filter(f));
        else if (at_keyword(p, 0, KW_OVER) && (at_name(p, 1) || at_operator(p, 1, OPERATOR_LPAREN)))
            TRY(parse_over(f));
        if (p->next == before) return LP_OK;
    }
}

/* ---- the call ---- */

/* Once it is clear that there are three: the first is a unit and no column, so it becomes text. */
BESIDE static void fold_unit(form *f, str name) {
    if (!takes_unit_first(name) || f->args.count != 3) return;
    const ast *unit = f->args.item[0];
    if (unit->kind != AST_NAME || unit->part_count > 1 || unit->part[0].quote || !is_unit_name(unit->part[0].text))
        return;
    form folded = form_start(f->p, f->first);
    put_word(&folded, "", f->piece[0], "");
    put_word(&folded, "", upper_copy(f->p, unit->part[0].text), "");
    for (size_t i = 1; i < 3; i++) {
        put_word(&folded, "", f->piece[i], "");
        form_argument(&folded, f->args.item[i]);
    }
    put_word(&folded, "", f->pending, "");
    *f = folded;
}

BESIDE static lp_status parse_inside(form *f, str name) {
    parser *p = f->p;
    bool found;
    if (take_keyword(p, KW_DISTINCT))
        form_put(f, STR("DISTINCT "));
    else if (at_keyword(p, 0, KW_ALL) && !at_operator(p, 1, OPERATOR_RPAREN) && take_keyword(p, KW_ALL))
        form_put(f, STR("ALL "));
    TRY(parse_arguments(f, name));
    fold_unit(f, name);
    TRY(parse_order(f, " ", &found));
    if (take_keyword(p, KW_LIMIT)) {
        ast *limit;
        form_put(f, STR(" LIMIT "));
        TRY(parse_level(p, LEVEL_BIT_OR, &limit));
        form_argument(f, limit);
    }
    return parse_nulls_treatment(f);
}

lp_status parse_call(parser *p, str name, const token *first, ast **out) {
    const token *open = p->next;
    ast *node = node_new(p, AST_CALL);
    node->text = name;
    form f = form_start(p, first);
    form_put(&f, name);
    if (starts_query(p, 1)) {
        ast *query;
        TRY(parse_subquery(p, STR(""), open, &query));
        form_argument(&f, query);
    } else {
        p->next++;
        form_put(&f, STR("("));
        if (!at_operator(p, 0, OPERATOR_RPAREN)) TRY(parse_inside(&f, name));
        TRY(expect_close(p, OPERATOR_RPAREN, open));
        form_put(&f, STR(")"));
    }
    TRY(parse_suffixes(&f));
    return form_finish(&f, node, out);
}
