/* parse_window.c - sort lists and windows, as structs and, where a form is given, as text around its arguments.
 * Called by: sql/parse_call.c, sql/parse_query.c, sql/parse_select.c.  Must not know: what a function does.
 *
 *   sorts  := (expression | ALL) [ASC | DESC | USING operator] [NULLS (FIRST | LAST)] {, ...}
 *   window := ( [name] [(PARTITION | DISTRIBUTE) BY sorts] [(ORDER | SORT) BY sorts] [frame] )
 *   frame  := (ROWS | RANGE | GROUPS) (bound | BETWEEN bound AND bound) [EXCLUDE ...]
 */
#include "sql/sql_int.h"

void form_write(form *f, const char *before, str word, const char *after) {
    if (!f) return;
    form_put(f, str_from(before));
    form_put(f, word);
    form_put(f, str_from(after));
}

static void form_add(form *f, ast *argument) {
    if (f) form_argument(f, argument);
}

/* ---- sorts ---- */

static bool at_all(const parser *p) {
    if (!p->statements || !at_keyword(p, 0, KW_ALL)) return false;
    const token *next = peek(p, 1);
    if (next->kind == TOKEN_END) return true;
    if (next->kind == TOKEN_OPERATOR) return next->detail == OPERATOR_RPAREN || next->detail == OPERATOR_SEMICOLON;
    return next->kind == TOKEN_NAME && (next->word == KW_ASC || next->word == KW_DESC || next->word == KW_NULLS ||
                                        (keyword_traits((keyword)next->word) & WORD_ENDS_ITEM));
}

static lp_status parse_direction(parser *p, form *f, sql_sort *sort) {
    if (take_keyword(p, KW_ASC)) {
        sort->direction = SQL_DIRECTION_ASC;
        form_write(f, " ", STR("ASC"), "");
    } else if (take_keyword(p, KW_DESC)) {
        sort->direction = SQL_DIRECTION_DESC;
        form_write(f, " ", STR("DESC"), "");
    } else if (p->statements && at_keyword(p, 0, KW_USING) && at_keyword(p, 1, KW_OPERATOR)) {
        const token *first = ++p->next;
        p->next++;
        TRY(skip_bracketed(p));
        sort->using_operator = kept_text(p, first, p->next);
        form_write(f, " USING ", sort->using_operator, "");
    } else if (p->statements && at_keyword(p, 0, KW_USING) && peek(p, 1)->kind == TOKEN_OPERATOR) {
        sort->using_operator = token_text(p, p->next + 1);
        p->next += 2;
        form_write(f, " USING ", sort->using_operator, "");
    }
    if (!take_keyword(p, KW_NULLS)) return LP_OK;
    bool is_first = take_keyword(p, KW_FIRST);
    if (!is_first) TRY(expect_keyword(p, KW_LAST));
    sort->nulls = is_first ? SQL_NULLS_FIRST : SQL_NULLS_LAST;
    form_write(f, " NULLS ", is_first ? STR("FIRST") : STR("LAST"), "");
    return LP_OK;
}

lp_status parse_sorts(parser *p, form *f, many *list) {
    do {
        const token *first = p->next;
        sql_sort sort = {.using_operator = STR("")};
        if (at_all(p)) {
            p->next++;
            form_write(f, "", STR("ALL"), "");
        } else {
            ast *key;
            TRY(parse_expression(p, &key));
            form_add(f, key);
            sort.key = key;
        }
        TRY(parse_direction(p, f, &sort));
        sort.at = span_since(p, first);
        *MANY_ADD(p, list, sql_sort) = sort;
        if (at_operator(p, 0, OPERATOR_COMMA)) form_write(f, "", STR(", "), "");
    } while (take_operator(p, OPERATOR_COMMA));
    return LP_OK;
}

lp_status parse_order(parser *p, form *f, const char *before, const sql_order **out) {
    bool is_sort = at_keyword(p, 0, KW_SORT);
    *out = NULL;
    if ((!is_sort && !at_keyword(p, 0, KW_ORDER)) || !at_keyword(p, 1, KW_BY)) return LP_OK;
    const token *first = p->next;
    p->next += 2;
    form_write(f, before, is_sort ? STR("SORT") : STR("ORDER"), " BY ");
    many list = {0};
    TRY(parse_sorts(p, f, &list));
    sql_order *order = ARENA_NEW(p->query, sql_order);
    *order = (sql_order){list.item, list.count, span_since(p, first)};
    *out = order;
    return LP_OK;
}

/* ---- frames ---- */

/* UNBOUNDED (PRECEDING | FOLLOWING) | CURRENT ROW | operand (PRECEDING | FOLLOWING) */
static lp_status parse_bound(parser *p, form *f, sql_bound *out) {
    if (at_keyword(p, 0, KW_CURRENT) && at_keyword(p, 1, KW_ROW)) {
        p->next += 2;
        out->kind = SQL_BOUND_CURRENT_ROW;
        form_write(f, "", STR("CURRENT ROW"), "");
        return LP_OK;
    }
    bool unbounded = take_keyword(p, KW_UNBOUNDED);
    if (unbounded) {
        form_write(f, "", STR("UNBOUNDED"), "");
    } else {
        ast *distance;
        TRY(parse_level(p, LEVEL_BIT_OR, &distance));
        form_add(f, distance);
        out->distance = distance;
    }
    if (take_keyword(p, KW_PRECEDING)) {
        out->kind = unbounded ? SQL_BOUND_UNBOUNDED_PRECEDING : SQL_BOUND_PRECEDING;
        form_write(f, " ", STR("PRECEDING"), "");
        return LP_OK;
    }
    out->kind = unbounded ? SQL_BOUND_UNBOUNDED_FOLLOWING : SQL_BOUND_FOLLOWING;
    form_write(f, " ", STR("FOLLOWING"), "");
    return take_keyword(p, KW_FOLLOWING) ? LP_OK : expected(p, "PRECEDING or FOLLOWING");
}

/* EXCLUDE (CURRENT ROW | GROUP | TIES | NO OTHERS) */
static lp_status parse_exclude(parser *p, form *f, sql_window *window) {
    if (!take_keyword(p, KW_EXCLUDE)) return LP_OK;
    static const char *const what[4][2] = {{"CURRENT", "ROW"}, {"GROUP", ""}, {"TIES", ""}, {"NO", "OTHERS"}};
    static const char *const canonical[4] = {"CURRENT ROW", "GROUP", "TIES", "NO OTHERS"};
    for (size_t i = 0; i < 4; i++) {
        bool two = what[i][1][0] != '\0';
        if (!at_word(p, 0, what[i][0]) || (two && !at_word(p, 1, what[i][1]))) continue;
        p->next += two ? 2 : 1;
        window->exclude = str_from(canonical[i]);
        form_write(f, " EXCLUDE ", window->exclude, "");
        return LP_OK;
    }
    return expected(p, "CURRENT ROW, GROUP, TIES or NO OTHERS");
}

static lp_status parse_frame(parser *p, form *f, const char *before, sql_window *window) {
    bool rows = at_keyword(p, 0, KW_ROWS), range = at_keyword(p, 0, KW_RANGE);
    if (!rows && !range && !at_keyword(p, 0, KW_GROUPS)) return LP_OK;
    window->frame = rows ? SQL_FRAME_ROWS : range ? SQL_FRAME_RANGE : SQL_FRAME_GROUPS;
    form_write(f, before, keyword_text((keyword)p->next++->word), " ");
    window->has_end = take_keyword(p, KW_BETWEEN);
    if (window->has_end) form_write(f, "", STR("BETWEEN "), "");
    TRY(parse_bound(p, f, &window->start));
    if (window->has_end) {
        TRY(expect_keyword(p, KW_AND));
        form_write(f, " ", STR("AND"), " ");
        TRY(parse_bound(p, f, &window->end));
    }
    return parse_exclude(p, f, window);
}

/* ---- windows ---- */

static bool at_window_clause(const parser *p) {
    return at_keyword(p, 0, KW_PARTITION) || at_keyword(p, 0, KW_DISTRIBUTE) || at_keyword(p, 0, KW_ORDER) ||
           at_keyword(p, 0, KW_SORT) || at_keyword(p, 0, KW_ROWS) || at_keyword(p, 0, KW_RANGE) ||
           at_keyword(p, 0, KW_GROUPS);
}

static lp_status parse_partition(parser *p, form *f, const char *before, sql_window *window) {
    form_write(f, before, keyword_text((keyword)p->next++->word), " BY ");
    TRY(expect_keyword(p, KW_BY));
    many list = {0};
    TRY(parse_sorts(p, f, &list));
    window->partition = list.item;
    window->partition_count = list.count;
    return LP_OK;
}

lp_status parse_window(parser *p, form *f, const sql_window **out) {
    const token *open = p->next;
    sql_window *window = ARENA_NEW(p->query, sql_window);
    window->exclude = STR("");
    const char *before = "";
    const sql_order *order;
    TRY(expect_operator(p, OPERATOR_LPAREN));
    form_write(f, "", STR("("), "");
    if (at_name(p, 0) && !at_window_clause(p)) {
        window->has_base = true;
        window->base = name_part(p, p->next);
        form_write(f, "", token_text(p, p->next++), "");
        before = " ";
    }
    if (at_keyword(p, 0, KW_PARTITION) || at_keyword(p, 0, KW_DISTRIBUTE)) {
        TRY(parse_partition(p, f, before, window));
        before = " ";
    }
    TRY(parse_order(p, f, before, &order));
    window->order = order ? order->item : NULL;
    window->order_count = order ? order->count : 0;
    TRY(parse_frame(p, f, order ? " " : before, window));
    form_write(f, "", STR(")"), "");
    TRY(expect_close(p, OPERATOR_RPAREN, open));
    window->at = span_since(p, open);
    *out = window;
    return LP_OK;
}

/* OVER (name | window), at OVER */
lp_status parse_over(parser *p, form *f, const sql_window **out) {
    p->next++;
    form_write(f, " ", STR("OVER"), " ");
    if (at_operator(p, 0, OPERATOR_LPAREN)) return parse_window(p, f, out);
    sql_window *window = ARENA_NEW(p->query, sql_window);
    window->is_reference = true;
    window->exclude = STR("");
    window->base = name_part(p, p->next);
    window->at = p->next->at;
    form_write(f, "", token_text(p, p->next++), "");
    *out = window;
    return LP_OK;
}
