/* parse_select.c - SELECT with its list and clauses, without the ends (ORDER BY, LIMIT), which belong to the query.
 * Called by: sql/parse_query.c, sql/parse_pipe.c.  Must not know: tables, meaning.
 *
 *   select := SELECT [ALL | DISTINCT [ON ( expressions )]] [TOP n] [AS (STRUCT | VALUE)] items [EXCLUDE names] [INTO
 * path] [FROM relations] clauses | FROM relations [SELECT ... items] clauses clauses := [WHERE e] [START WITH e]
 * [CONNECT BY e] [GROUP BY groups] [HAVING e] [WINDOW windows] [QUALIFY e] [USING SAMPLE ...] item   := star |
 * expression [[AS] alias | AS ( names )] | alias : expression star   := (* | path.* | (expression).*) [[NOT] (LIKE |
 * ILIKE) pattern] [(EXCEPT | EXCLUDE) names] [REPLACE ( items )] [RENAME renames]
 */
#include "sql/sql_int.h"

/* ---- lists ---- */

bool ends_list(const parser *p) {
    const token *t = p->next;
    if (t->kind == TOKEN_END) return true;
    if (t->kind == TOKEN_OPERATOR)
        return t->detail == OPERATOR_RPAREN || t->detail == OPERATOR_SEMICOLON || t->detail == OPERATOR_PIPE;
    if (t->kind != TOKEN_NAME || t->word == KW_NONE || names_operand(p)) return false;
    return t->word == KW_LIMIT || (keyword_traits((keyword)t->word) & WORD_STARTS_NOTHING);
}

lp_status parse_names(parser *p, many *names) {
    const token *open = p->next;
    TRY(expect_operator(p, OPERATOR_LPAREN));
    while (!at_operator(p, 0, OPERATOR_RPAREN)) {
        if (!at_name(p, 0) && p->next->kind != TOKEN_STRING) return expected(p, "a name");
        *MANY_ADD(p, names, ast_part) = name_part(p, p->next++);
        if (!take_operator(p, OPERATOR_COMMA)) break;
    }
    return expect_close(p, OPERATOR_RPAREN, open);
}

lp_status parse_expressions(parser *p, many *list) {
    do {
        ast *item;
        TRY(parse_expression(p, &item));
        *MANY_ADD(p, list, ast *) = item;
    } while (take_operator(p, OPERATOR_COMMA) && !ends_list(p));
    return LP_OK;
}

/* ---- stars ---- */

/* A column left out, t.a too. */
static lp_status parse_column_name(parser *p, sql_name *out) {
    many parts = {0};
    const token *first = p->next;
    do {
        if (!at_name(p, 0)) return expected(p, "the name of a column");
        *MANY_ADD(p, &parts, ast_part) = name_part(p, p->next++);
    } while (take_operator(p, OPERATOR_DOT));
    *out = (sql_name){parts.item, (uint32_t)parts.count, span_since(p, first)};
    return LP_OK;
}

/* ( names ) | name */
static lp_status parse_column_names(parser *p, many *list) {
    const token *open = p->next;
    bool bracket = take_operator(p, OPERATOR_LPAREN);
    if (!bracket) return parse_column_name(p, MANY_ADD(p, list, sql_name));
    while (!at_operator(p, 0, OPERATOR_RPAREN)) {
        TRY(parse_column_name(p, MANY_ADD(p, list, sql_name)));
        if (!take_operator(p, OPERATOR_COMMA)) break;
    }
    return expect_close(p, OPERATOR_RPAREN, open);
}

lp_status parse_renames(parser *p, many *list) {
    do {
        const token *first = p->next;
        sql_rename rename = {0};
        TRY(parse_column_name(p, &rename.from));
        (void)take_keyword(p, KW_AS);
        if (!at_name(p, 0)) return expected(p, "the new name");
        rename.to = name_part(p, p->next++);
        rename.at = span_since(p, first);
        *MANY_ADD(p, list, sql_rename) = rename;
    } while (take_operator(p, OPERATOR_COMMA) && !ends_list(p));
    return LP_OK;
}

static lp_status parse_star_except(parser *p, ast_star *star) {
    many list = {0};
    star->is_exclude = at_keyword(p, 0, KW_EXCLUDE);
    p->next++;
    TRY(parse_column_names(p, &list));
    star->has_except = true;
    star->except = list.item;
    star->except_count = list.count;
    return LP_OK;
}

static lp_status parse_star_replace(parser *p, ast_star *star) {
    many list = {0};
    const token *open = ++p->next;
    bool bracket = take_operator(p, OPERATOR_LPAREN);
    TRY(parse_items(p, &list));
    if (bracket) TRY(expect_close(p, OPERATOR_RPAREN, open));
    star->replace = list.item;
    star->replace_count = list.count;
    return LP_OK;
}

static lp_status parse_star_rename(parser *p, ast_star *star) {
    many list = {0};
    const token *open = ++p->next;
    bool bracket = take_operator(p, OPERATOR_LPAREN);
    TRY(parse_renames(p, &list));
    if (bracket) TRY(expect_close(p, OPERATOR_RPAREN, open));
    star->rename = list.item;
    star->rename_count = list.count;
    return LP_OK;
}

static bool at_star_like(const parser *p) {
    size_t ahead = at_keyword(p, 0, KW_NOT) ? 1 : 0;
    return at_keyword(p, ahead, KW_LIKE) || at_keyword(p, ahead, KW_ILIKE) || at_keyword(p, ahead, KW_GLOB) ||
           (at_keyword(p, ahead, KW_SIMILAR) && at_keyword(p, ahead + 1, KW_TO));
}

static lp_status parse_star_like(parser *p, ast_star *star) {
    const token *first = p->next++;
    while (p->next[-1].word != KW_LIKE && p->next[-1].word != KW_ILIKE && p->next[-1].word != KW_GLOB &&
           p->next[-1].word != KW_TO)
        p->next++;
    star->like_word = kept_text(p, first, p->next);
    ast *pattern;
    TRY(parse_level(p, LEVEL_OTHER, &pattern));
    star->like = pattern;
    return LP_OK;
}

/* What may stand behind the star, in any order, each once; at_except tells a column list from a set operation. */
static bool at_star_except(const parser *p) {
    if (at_keyword(p, 0, KW_EXCLUDE)) return at_operator(p, 1, OPERATOR_LPAREN) || at_name(p, 1);
    return at_keyword(p, 0, KW_EXCEPT) && at_operator(p, 1, OPERATOR_LPAREN) && !starts_query_in_brackets(p, 1);
}

static bool at_star_list(const parser *p, keyword word) {
    const token *next = peek(p, 1);
    return at_keyword(p, 0, word) &&
           (at_operator(p, 1, OPERATOR_LPAREN) || next->kind == TOKEN_NUMBER || next->kind == TOKEN_STRING ||
            (at_name(p, 1) && !at_keyword(p, 1, KW_FROM) && !at_keyword(p, 1, KW_AS)));
}

/* At the `*`; `first` is where the whole starts. The modifiers are structs in `star`, which the printer writes. */
lp_status parse_star(parser *p, const sql_name *qualifier, ast *base, const token *first, ast **out) {
    uint32_t outer = p->seen_height;
    ast *node = node_new(p, AST_OTHER);
    ast_star *star = ARENA_NEW(p->query, ast_star);
    form f = form_start(p, first);
    p->next++;
    if (base) form_argument(&f, base);
    form_put(&f, base ? STR(".*") : kept_text(p, first, p->next));
    if (qualifier) star->qualifier = *qualifier;
    star->like_word = STR("");
    p->seen_height = base ? base->height : 0;
    if (at_star_like(p)) TRY(parse_star_like(p, star));
    for (;;) {
        if (at_star_except(p) && !star->has_except)
            TRY(parse_star_except(p, star));
        else if (at_star_list(p, KW_REPLACE) && !star->replace)
            TRY(parse_star_replace(p, star));
        else if (at_star_list(p, KW_RENAME) && !star->rename)
            TRY(parse_star_rename(p, star));
        else
            break;
    }
    node->form = FORM_STAR;
    node->star = star;
    uint32_t inside = p->seen_height;
    TRY(form_finish(&f, node, out));
    p->seen_height = outer > p->seen_height ? outer : p->seen_height;
    return node_raise(p, node, first, inside + 1);
}

/* ---- items ---- */

static bool at_minus_query(const parser *p) {
    return p->traits->minus_is_except && at_keyword(p, 0, KW_MINUS) && starts_query_in_brackets(p, 1);
}

/* Does the next name end an item, where it would be an alias otherwise? */
static bool ends_item(const parser *p) {
    if (p->next->kind == TOKEN_QUOTED_NAME || p->next->word == KW_NONE) return false;
    switch ((int)p->next->word) {
    case KW_MINUS: return at_minus_query(p);
    case KW_NULLS: return at_keyword(p, 1, KW_FIRST) || at_keyword(p, 1, KW_LAST);
    case KW_DIV: return p->traits->word_division;
    case KW_SORT:
    case KW_CLUSTER:
    case KW_DISTRIBUTE: return at_keyword(p, 1, KW_BY);
    case KW_CONNECT: return at_keyword(p, 1, KW_BY);
    case KW_START: return at_keyword(p, 1, KW_WITH);
    case KW_LEFT:
    case KW_FULL:
    case KW_INNER: return at_set_operation(p);
    case KW_LATERAL: return at_keyword(p, 1, KW_VIEW);
    default: return keyword_traits((keyword)p->next->word) & WORD_ENDS_ITEM;
    }
}

/* AS 'x': a text as a name. */
static ast_part text_part(parser *p, const token *t) {
    ast literal = {.kind = AST_STRING};
    set_literal(p, &literal, t);
    return (ast_part){.text = literal.text, .written = token_text(p, t), .quote = '\'', .at = t->at};
}

/* [[AS] alias | AS ( names )] */
static lp_status parse_item_alias(parser *p, sql_item *item) {
    bool as = take_keyword(p, KW_AS);
    if (as && at_operator(p, 0, OPERATOR_LPAREN)) {
        many names = {0};
        TRY(parse_names(p, &names));
        item->alias_column = names.item;
        item->alias_count = names.count;
        return LP_OK;
    }
    bool number = as && p->in_values && p->next->kind == TOKEN_NUMBER, text = as && p->next->kind == TOKEN_STRING;
    if (!text && !number && !at_name(p, 0)) return as ? expected(p, "a name after AS") : LP_OK;
    if (!as && ends_item(p)) return LP_OK;
    item->has_alias = true;
    item->alias = text ? text_part(p, p->next) : name_part(p, p->next);
    p->next++;
    return LP_OK;
}

/* alias : value */
static bool at_colon_alias(const parser *p) {
    return p->traits->colon_aliases && (at_name(p, 0) || p->next->kind == TOKEN_STRING) &&
           at_operator(p, 1, OPERATOR_COLON);
}

lp_status parse_item(parser *p, sql_item *out) {
    const token *first = p->next;
    ast *value;
    *out = (sql_item){0};
    if (at_colon_alias(p)) {
        out->has_alias = out->alias_first = true;
        out->alias = p->next->kind == TOKEN_STRING ? text_part(p, p->next) : name_part(p, p->next);
        p->next += 2;
    }
    if (at_operator(p, 0, OPERATOR_STAR))
        TRY(parse_star(p, NULL, NULL, p->next, &value));
    else
        TRY(parse_expression(p, &value));
    out->value = value;
    if (!out->alias_first) TRY(parse_item_alias(p, out));
    out->at = span_since(p, first);
    return LP_OK;
}

lp_status parse_items(parser *p, many *items) {
    do {
        sql_item item;
        TRY(parse_item(p, &item));
        *MANY_ADD(p, items, sql_item) = item;
    } while (take_operator(p, OPERATOR_COMMA) && !ends_list(p));
    return LP_OK;
}

/* ---- the head ---- */

static lp_status parse_distinct(parser *p, sql_select *select) {
    if (at_keyword(p, 0, KW_ALL) && !names_operand(p) && !at_operator(p, 1, OPERATOR_COMMA)) {
        p->next++;
        select->distinct = SQL_DISTINCT_ALL;
        return LP_OK;
    }
    if (!at_keyword(p, 0, KW_DISTINCT) || names_operand(p)) return LP_OK;
    p->next++;
    select->distinct = SQL_DISTINCT_ROWS;
    if (!at_keyword(p, 0, KW_ON) || !at_operator(p, 1, OPERATOR_LPAREN)) return LP_OK;
    const token *open = ++p->next;
    many list = {0};
    p->next++;
    select->distinct = SQL_DISTINCT_ON;
    TRY(parse_expressions(p, &list));
    select->distinct_on = list.item;
    select->distinct_on_count = list.count;
    return expect_close(p, OPERATOR_RPAREN, open);
}

/* TOP (n | ( n )) [PERCENT] [WITH TIES] */
static lp_status parse_top(parser *p, sql_select *select) {
    const token *first = p->next, *next = peek(p, 1);
    bool number = next->kind == TOKEN_NUMBER || next->kind == TOKEN_PARAMETER || at_operator(p, 1, OPERATOR_LPAREN);
    if (!p->traits->select_top || !at_keyword(p, 0, KW_TOP) || !number) return LP_OK;
    sql_top *top = ARENA_NEW(p->query, sql_top);
    ast *count;
    p->next++;
    TRY(parse_primary(p, &count));
    top->count = count;
    top->is_percent = take_keyword(p, KW_PERCENT);
    top->with_ties = at_keyword(p, 0, KW_WITH) && at_keyword(p, 1, KW_TIES);
    if (top->with_ties) p->next += 2;
    top->at = span_since(p, first);
    select->top = top;
    return LP_OK;
}

/* AS STRUCT, AS VALUE, AS proto.name */
static lp_status parse_as_kind(parser *p, sql_select *select) {
    if (!at_keyword(p, 0, KW_AS) || !at_name(p, 1)) return LP_OK;
    p->next++;
    bool word = at_keyword(p, 0, KW_STRUCT) || at_keyword(p, 0, KW_VALUE);
    sql_name name;
    const token *first = p->next;
    TRY(parse_column_name(p, &name));
    select->as_kind = word ? upper_copy(p, token_text(p, first)) : kept_text(p, first, p->next);
    return LP_OK;
}

/* EXCLUDE names behind the list */
static lp_status parse_list_exclude(parser *p, sql_select *select) {
    many list = {0};
    if (!at_keyword(p, 0, KW_EXCLUDE)) return LP_OK;
    p->next++;
    if (at_operator(p, 0, OPERATOR_LPAREN)) {
        TRY(parse_column_names(p, &list));
    } else {
        do TRY(parse_column_name(p, MANY_ADD(p, &list, sql_name)));
        while (take_operator(p, OPERATOR_COMMA));
    }
    select->exclude = list.item;
    select->exclude_count = list.count;
    return LP_OK;
}

static lp_status parse_into(parser *p, sql_select *select) {
    if (!take_keyword(p, KW_INTO)) return LP_OK;
    select->has_into = true;
    while (at_word(p, 0, "TEMP") || at_word(p, 0, "TEMPORARY") || at_keyword(p, 0, KW_TABLE) ||
           at_word(p, 0, "UNLOGGED"))
        p->next++;
    return parse_path(p, &select->into);
}

/* SELECT ... items, at SELECT */
static lp_status parse_head(parser *p, sql_select *select) {
    many items = {0};
    p->next++;
    TRY(parse_distinct(p, select));
    TRY(parse_top(p, select));
    TRY(parse_as_kind(p, select));
    if (p->traits->empty_select && ends_list(p)) return LP_OK;
    select->has_list = true;
    TRY(parse_items(p, &items));
    select->item = items.item;
    select->item_count = items.count;
    TRY(parse_list_exclude(p, select));
    return parse_into(p, select);
}

/* ---- clauses ---- */

static lp_status parse_condition(parser *p, const ast **out) {
    ast *condition;
    p->next++;
    TRY(parse_expression(p, &condition));
    *out = condition;
    return LP_OK;
}

/* START WITH e and CONNECT BY [NOCYCLE] e, in any order */
static lp_status parse_connect(parser *p, sql_select *select) {
    const token *first = p->next;
    sql_connect connect = {0};
    for (;;) {
        ast *condition;
        bool start = at_keyword(p, 0, KW_START) && at_keyword(p, 1, KW_WITH);
        if ((!start || connect.start) && (!at_keyword(p, 0, KW_CONNECT) || !at_keyword(p, 1, KW_BY) || connect.connect))
            break;
        p->next += 2;
        if (!start && at_word(p, 0, "NOCYCLE")) {
            connect.nocycle = true;
            p->next++;
        }
        TRY(parse_expression(p, &condition));
        connect.starts_first = connect.starts_first || (start && !connect.connect);
        *(start ? &connect.start : &connect.connect) = condition;
    }
    if (p->next == first) return LP_OK;
    sql_connect *kept = ARENA_NEW(p->query, sql_connect);
    connect.at = span_since(p, first);
    *kept = connect;
    select->connect = kept;
    return LP_OK;
}

static lp_status parse_group_item(parser *p, sql_group_item *out);

/* ( item, ... ) of ROLLUP and CUBE, sets of GROUPING SETS */
static lp_status parse_group_list(parser *p, sql_group_item *item) {
    const token *open = p->next;
    many list = {0};
    TRY(expect_operator(p, OPERATOR_LPAREN));
    if (!at_operator(p, 0, OPERATOR_RPAREN)) {
        if (item->kind == SQL_GROUP_SETS) {
            TRY(parse_group_items(p, &list));
            item->set = list.item;
            item->set_count = list.count;
        } else {
            TRY(parse_expressions(p, &list));
            item->item = list.item;
            item->count = list.count;
        }
    }
    return expect_close(p, OPERATOR_RPAREN, open);
}

static lp_status parse_group_item(parser *p, sql_group_item *out) {
    const token *first = p->next;
    bool bracket = at_operator(p, 1, OPERATOR_LPAREN);
    *out = (sql_group_item){0};
    if (at_operator(p, 0, OPERATOR_LPAREN) && at_operator(p, 1, OPERATOR_RPAREN)) {
        out->kind = SQL_GROUP_EMPTY;
        p->next += 2;
    } else if ((at_keyword(p, 0, KW_ROLLUP) || at_keyword(p, 0, KW_CUBE)) && bracket) {
        out->kind = at_keyword(p, 0, KW_ROLLUP) ? SQL_GROUP_ROLLUP : SQL_GROUP_CUBE;
        p->next++;
        TRY(parse_group_list(p, out));
    } else if (at_keyword(p, 0, KW_GROUPING) && at_keyword(p, 1, KW_SETS)) {
        out->kind = SQL_GROUP_SETS;
        p->next += 2;
        TRY(parse_enter(p));
        TRY(parse_group_list(p, out));
        parse_leave(p);
    } else {
        ast **item = ARENA_ARRAY(p->query, ast *, 1);
        TRY(parse_expression(p, &item[0]));
        out->item = (const ast *const *)item;
        out->count = 1;
    }
    out->at = span_since(p, first);
    return LP_OK;
}

lp_status parse_group_items(parser *p, many *list) {
    do {
        sql_group_item item;
        TRY(parse_group_item(p, &item));
        *MANY_ADD(p, list, sql_group_item) = item;
    } while (take_operator(p, OPERATOR_COMMA) && !ends_list(p));
    return LP_OK;
}

/* Is ALL, DISTINCT or AUTO the whole of the list? */
static bool is_whole_list(const parser *p) {
    const token *next = peek(p, 1);
    if (next->kind == TOKEN_END) return true;
    if (next->kind == TOKEN_OPERATOR)
        return next->detail == OPERATOR_RPAREN || next->detail == OPERATOR_SEMICOLON || next->detail == OPERATOR_PIPE;
    return next->kind == TOKEN_NAME && (keyword_traits((keyword)next->word) & WORD_ENDS_ITEM);
}

static lp_status parse_group(parser *p, sql_select *select) {
    const token *first = p->next;
    if (!at_keyword(p, 0, KW_GROUP) || !at_keyword(p, 1, KW_BY)) return LP_OK;
    sql_group *group = ARENA_NEW(p->query, sql_group);
    many list = {0};
    p->next += 2;
    group->quantity = group->with = STR("");
    group->is_all = (at_keyword(p, 0, KW_ALL) || at_keyword(p, 0, KW_AUTO)) && is_whole_list(p);
    if (group->is_all) {
        p->next++;
    } else {
        bool quantified = at_keyword(p, 0, KW_ALL) || (at_keyword(p, 0, KW_DISTINCT) && !is_whole_list(p));
        if (quantified && !names_operand(p) && !at_operator(p, 1, OPERATOR_COMMA))
            group->quantity = keyword_text((keyword)p->next++->word);
        TRY(parse_group_items(p, &list));
        bool with = at_keyword(p, 0, KW_WITH) && (at_keyword(p, 1, KW_ROLLUP) || at_keyword(p, 1, KW_CUBE));
        if (with) {
            group->with = keyword_text((keyword)p->next[1].word);
            p->next += 2;
        }
        if (at_keyword(p, 0, KW_GROUPING) && at_keyword(p, 1, KW_SETS)) { /* Spark: GROUP BY a, b GROUPING SETS (...) */
            TRY(parse_group_item(p, MANY_ADD(p, &list, sql_group_item)));
            group->sets_behind = true;
        }
    }
    group->item = list.item;
    group->count = list.count;
    group->at = span_since(p, first);
    select->group = group;
    return LP_OK;
}

/* name AS window {, ...} */
lp_status parse_windows(parser *p, many *windows) {
    do {
        const token *first = p->next;
        sql_named_window named = {0};
        if (!at_name(p, 0)) return expected(p, "the name of a window");
        named.name = name_part(p, p->next++);
        TRY(expect_keyword(p, KW_AS));
        if (at_operator(p, 0, OPERATOR_LPAREN)) {
            TRY(parse_window(p, NULL, &named.window));
        } else { /* WINDOW a AS b */
            if (!at_name(p, 0)) return expected(p, "a window");
            p->next--;
            TRY(parse_over(p, NULL, &named.window));
        }
        named.at = span_since(p, first);
        *MANY_ADD(p, windows, sql_named_window) = named;
    } while (take_operator(p, OPERATOR_COMMA));
    return LP_OK;
}

/* USING SAMPLE ... up to what ends a select */
lp_status parse_using_sample(parser *p, const ast **out) {
    const token *first = p->next;
    if (!at_keyword(p, 0, KW_USING) || !at_keyword(p, 1, KW_SAMPLE)) return LP_OK;
    p->next += 2;
    for (;;) {
        if (at_operator(p, 0, OPERATOR_LPAREN))
            TRY(skip_bracketed(p));
        else if (p->next->kind == TOKEN_NUMBER || at_operator(p, 0, OPERATOR_PERCENT) ||
                 (p->next->kind == TOKEN_NAME && !ends_item(p)))
            p->next++;
        else
            break;
    }
    ast *clause;
    TRY(clause_of_text(p, STR("USING SAMPLE"), first, &clause));
    *out = clause;
    return LP_OK;
}

static lp_status parse_clauses(parser *p, sql_select *select) {
    many windows = {0};
    if (at_keyword(p, 0, KW_WHERE)) TRY(parse_condition(p, &select->where));
    if (at_keyword(p, 0, KW_START) || at_keyword(p, 0, KW_CONNECT)) TRY(parse_connect(p, select));
    TRY(parse_group(p, select));
    if (at_keyword(p, 0, KW_HAVING)) TRY(parse_condition(p, &select->having));
    for (;;) {
        if (at_keyword(p, 0, KW_QUALIFY) && !select->qualify)
            TRY(parse_condition(p, &select->qualify));
        else if (at_keyword(p, 0, KW_WINDOW) && !windows.item && at_name(p, 1)) {
            p->next++;
            TRY(parse_windows(p, &windows));
        } else
            break;
    }
    select->window = windows.item;
    select->window_count = windows.count;
    return parse_using_sample(p, &select->sample);
}

static lp_status parse_from(parser *p, sql_select *select) {
    many list = {0};
    p->next++;
    TRY(parse_relations(p, &list));
    select->from = list.item;
    select->from_count = list.count;
    return LP_OK;
}

lp_status parse_select(parser *p, sql_query **out) {
    const token *first = p->next;
    uint32_t outer;
    sql_query *query = ARENA_NEW(p->query, sql_query);
    sql_select *select = ARENA_NEW(p->query, sql_select);
    query_enter(p, &outer);
    select->as_kind = STR("");
    select->is_from_first = at_keyword(p, 0, KW_FROM);
    if (select->is_from_first) {
        TRY(parse_from(p, select));
        if (at_keyword(p, 0, KW_SELECT)) TRY(parse_head(p, select));
    } else {
        TRY(parse_head(p, select));
        if (at_keyword(p, 0, KW_FROM)) TRY(parse_from(p, select));
    }
    TRY(parse_clauses(p, select));
    query->kind = SQL_QUERY_SELECT;
    query->select = select;
    *out = query;
    return query_leave(p, first, outer, &query->height, &query->at);
}
