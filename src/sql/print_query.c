/* print_query.c - queries, relations and statements back to text, in one spelling and on one line.
 * Called by: sql/print.c (queries inside expressions), commands, tests.  Must not know: dialects.
 *
 * Nothing is added and nothing is left out: what is printed parses to the same tree in the same dialect.
 */
#include "sql/parse.h"
#include "sql/print_int.h"

static void put(buf *out, const char *text) {
    buf_put(out, str_from(text));
}

static void put_part(buf *out, const ast_part *part) {
    buf_put(out, part->written);
}

static void put_parts(buf *out, const ast_part *part, size_t count) {
    put(out, "(");
    for (size_t i = 0; i < count; i++) {
        if (i > 0) put(out, ", ");
        put_part(out, &part[i]);
    }
    put(out, ")");
}

static void put_name(buf *out, const sql_name *name) {
    for (uint32_t i = 0; i < name->part_count; i++) {
        if (i > 0) put(out, ".");
        put_part(out, &name->part[i]);
    }
}

static void put_names(buf *out, const sql_name *name, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) put(out, ", ");
        put_name(out, &name[i]);
    }
}

static void put_expressions(buf *out, const ast *const *item, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) put(out, ", ");
        sql_print(out, item[i]);
    }
}

static void put_clauses(buf *out, const ast *const *clause, size_t count) {
    for (size_t i = 0; i < count; i++) {
        put(out, " ");
        sql_print(out, clause[i]);
    }
}

static void put_item(buf *out, const sql_item *item) {
    if (item->alias_first) {
        put_part(out, &item->alias);
        put(out, ": ");
    }
    sql_print(out, item->value);
    if (item->has_alias && !item->alias_first) {
        put(out, " AS ");
        put_part(out, &item->alias);
    }
    if (item->alias_count > 0) {
        put(out, " AS ");
        put_parts(out, item->alias_column, item->alias_count);
    }
}

static void put_items(buf *out, const sql_item *item, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) put(out, ", ");
        put_item(out, &item[i]);
    }
}

/* ---- sorts and windows ---- */

static void put_direction(buf *out, const sql_sort *sort) {
    if (sort->direction == SQL_DIRECTION_ASC) put(out, " ASC");
    if (sort->direction == SQL_DIRECTION_DESC) put(out, " DESC");
    if (sort->using_operator.len > 0) {
        put(out, " USING ");
        buf_put(out, sort->using_operator);
    }
    if (sort->nulls != SQL_NULLS_NONE) put(out, sort->nulls == SQL_NULLS_FIRST ? " NULLS FIRST" : " NULLS LAST");
}

static void put_sorts(buf *out, const sql_sort *sort, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) put(out, ", ");
        if (sort[i].key)
            sql_print(out, sort[i].key);
        else
            put(out, "ALL");
        put_direction(out, &sort[i]);
    }
}

static void put_order(buf *out, const char *words, const sql_order *order) {
    if (!order) return;
    put(out, words);
    put_sorts(out, order->item, order->count);
}

static void put_bound(buf *out, const sql_bound *bound) {
    switch (bound->kind) {
    case SQL_BOUND_UNBOUNDED_PRECEDING: put(out, "UNBOUNDED PRECEDING"); return;
    case SQL_BOUND_PRECEDING:
        sql_print(out, bound->distance);
        put(out, " PRECEDING");
        return;
    case SQL_BOUND_CURRENT_ROW: put(out, "CURRENT ROW"); return;
    case SQL_BOUND_FOLLOWING:
        sql_print(out, bound->distance);
        put(out, " FOLLOWING");
        return;
    case SQL_BOUND_UNBOUNDED_FOLLOWING: put(out, "UNBOUNDED FOLLOWING"); return;
    }
    UNREACHABLE();
}

static void put_frame(buf *out, const char *before, const sql_window *window) {
    if (window->frame == SQL_FRAME_NONE) return;
    put(out, before);
    put(out, window->frame == SQL_FRAME_ROWS ? "ROWS " : window->frame == SQL_FRAME_RANGE ? "RANGE " : "GROUPS ");
    if (window->has_end) put(out, "BETWEEN ");
    put_bound(out, &window->start);
    if (window->has_end) {
        put(out, " AND ");
        put_bound(out, &window->end);
    }
    if (window->exclude.len > 0) {
        put(out, " EXCLUDE ");
        buf_put(out, window->exclude);
    }
}

static void put_window(buf *out, const sql_window *window) {
    if (window->is_reference) {
        put_part(out, &window->base);
        return;
    }
    const char *before = "";
    put(out, "(");
    if (window->has_base) {
        put_part(out, &window->base);
        before = " ";
    }
    if (window->partition_count > 0) {
        put(out, before);
        put(out, "PARTITION BY ");
        put_sorts(out, window->partition, window->partition_count);
        before = " ";
    }
    if (window->order_count > 0) {
        put(out, before);
        put(out, "ORDER BY ");
        put_sorts(out, window->order, window->order_count);
        before = " ";
    }
    put_frame(out, before, window);
    put(out, ")");
}

static void put_windows(buf *out, const sql_named_window *window, size_t count) {
    for (size_t i = 0; i < count; i++) {
        put(out, i == 0 ? " WINDOW " : ", ");
        put_part(out, &window[i].name);
        put(out, " AS ");
        put_window(out, window[i].window);
    }
}

/* ---- stars ---- */

static void put_rename(buf *out, const sql_rename *rename, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) put(out, ", ");
        put_name(out, &rename[i].from);
        put(out, " AS ");
        put_part(out, &rename[i].to);
    }
}

void print_star_modifiers(buf *out, const ast_star *star) {
    if (star->like) {
        put(out, " ");
        buf_put(out, star->like_word);
        put(out, " ");
        sql_print(out, star->like);
    }
    if (star->has_except) {
        put(out, star->is_exclude ? " EXCLUDE (" : " EXCEPT (");
        put_names(out, star->except, star->except_count);
        put(out, ")");
    }
    if (star->replace_count > 0) {
        put(out, " REPLACE (");
        put_items(out, star->replace, star->replace_count);
        put(out, ")");
    }
    if (star->rename_count > 0) {
        put(out, " RENAME (");
        put_rename(out, star->rename, star->rename_count);
        put(out, ")");
    }
}

/* ---- relations ---- */

static void put_alias(buf *out, const sql_alias *alias) {
    put(out, " AS");
    if (alias->has_name) {
        put(out, " ");
        put_part(out, &alias->name);
    }
    if (alias->column_count == 0) return;
    put(out, alias->has_name ? "(" : " (");
    for (size_t i = 0; i < alias->column_count; i++) {
        if (i > 0) put(out, ", ");
        put_part(out, &alias->column[i]);
        if (!alias->column_type || alias->column_type[i].len == 0) continue;
        put(out, " ");
        buf_put(out, alias->column_type[i]);
    }
    put(out, ")");
}

static void put_relation(buf *out, const sql_relation *r);

static void put_pivot_values(buf *out, const sql_pivot_for *on) {
    put(out, " IN ");
    if (on->enumeration) {
        sql_print(out, on->enumeration);
        return;
    }
    put(out, "(");
    if (on->is_any) put(out, "ANY");
    put_order(out, " ORDER BY ", on->any_order);
    if (on->query) sql_print_query(out, on->query);
    put_items(out, on->value, on->value_count);
    put(out, ")");
}

static void put_pivot_on(buf *out, const sql_pivot *pivot, const char *first, const char *between) {
    for (size_t i = 0; i < pivot->on_count; i++) {
        put(out, i == 0 ? first : between);
        put_expressions(out, pivot->on[i].column, pivot->on[i].column_count);
        if (pivot->on[i].has_in) put_pivot_values(out, &pivot->on[i]);
    }
}

static void put_value_columns(buf *out, const sql_pivot *pivot) {
    if (pivot->value_count == 1)
        put_part(out, &pivot->value_column[0]);
    else
        put_parts(out, pivot->value_column, pivot->value_count);
}

static void put_pivot_group(buf *out, const sql_pivot *pivot) {
    if (pivot->group_count == 0) return;
    put(out, " GROUP BY ");
    put_expressions(out, pivot->group, pivot->group_count);
}

static void put_pivot(buf *out, const sql_pivot *pivot) {
    put(out, pivot->is_unpivot ? "UNPIVOT " : "PIVOT ");
    if (pivot->nulls.len > 0) {
        buf_put(out, pivot->nulls);
        put(out, " ");
    }
    put(out, "(");
    if (pivot->is_unpivot)
        put_value_columns(out, pivot);
    else
        put_items(out, pivot->aggregate, pivot->aggregate_count);
    put_pivot_on(out, pivot, " FOR ", " ");
    if (pivot->default_value) {
        put(out, " DEFAULT ON NULL (");
        sql_print(out, pivot->default_value);
        put(out, ")");
    }
    put_pivot_group(out, pivot);
    put(out, ")");
}

static void put_unpivot_statement(buf *out, const sql_pivot *pivot) {
    put(out, " ON ");
    put_items(out, pivot->on[0].value, pivot->on[0].value_count);
    if (pivot->on[0].column_count == 0) return;
    put(out, " INTO NAME ");
    sql_print(out, pivot->on[0].column[0]);
    put(out, " VALUE ");
    for (size_t i = 0; i < pivot->value_count; i++) {
        if (i > 0) put(out, ", ");
        put_part(out, &pivot->value_column[i]);
    }
}

static void put_pivot_statement(buf *out, const sql_relation *r) {
    const sql_pivot *pivot = r->pivot;
    put(out, pivot->is_unpivot ? "UNPIVOT " : "PIVOT ");
    put_relation(out, r->operand[0]);
    if (pivot->nulls.len > 0) {
        put(out, " ");
        buf_put(out, pivot->nulls);
    }
    if (pivot->is_unpivot) {
        put_unpivot_statement(out, pivot);
        return;
    }
    put_pivot_on(out, pivot, " ON ", ", ");
    if (pivot->aggregate_count > 0) put(out, " USING ");
    put_items(out, pivot->aggregate, pivot->aggregate_count);
    put_pivot_group(out, pivot);
}

static void put_condition(buf *out, const sql_join *join) {
    if (join->match) {
        put(out, " MATCH_CONDITION (");
        sql_print(out, join->match);
        put(out, ")");
    }
    if (join->on) {
        put(out, " ON ");
        sql_print(out, join->on);
    }
    if (!join->has_using) return;
    put(out, " USING ");
    put_parts(out, join->using_column, join->using_count);
    if (join->using_alias.has_name) put_alias(out, &join->using_alias);
}

/* f(...) alias AS a, b: the alias of a lateral view has a form of its own. */
static void put_view(buf *out, const sql_relation *view) {
    sql_print(out, view->function[0]);
    if (view->alias.has_name) {
        put(out, " ");
        put_part(out, &view->alias.name);
    }
    for (size_t i = 0; i < view->alias.column_count; i++) {
        put(out, i == 0 ? " AS " : ", ");
        put_part(out, &view->alias.column[i]);
    }
}

static void put_joins(buf *out, const sql_relation *r) {
    put_relation(out, r->operand[0]);
    for (size_t i = 1; i < r->operand_count; i++) {
        const sql_join *join = &r->join[i - 1];
        put(out, " ");
        buf_put(out, join->written);
        put(out, " ");
        if (join->kind == SQL_JOIN_LATERAL_VIEW || join->kind == SQL_JOIN_LATERAL_VIEW_OUTER)
            put_view(out, r->operand[i]);
        else
            put_relation(out, r->operand[i]);
        put_condition(out, join);
    }
}

static void put_function(buf *out, const sql_relation *r) {
    if (r->is_rows_from) put(out, "ROWS FROM (");
    if (r->is_table_call) put(out, "TABLE(");
    put_expressions(out, r->function, r->function_count);
    if (r->is_rows_from || r->is_table_call) put(out, ")");
}

static void put_source(buf *out, const sql_relation *r) {
    switch (r->kind) {
    case SQL_RELATION_NAME:
        if (r->is_only) put(out, "ONLY ");
        put_name(out, &r->name);
        return;
    case SQL_RELATION_FILE: buf_put(out, r->text); return;
    case SQL_RELATION_QUERY:
        if (!r->is_bare) put(out, "(");
        sql_print_query(out, r->query);
        if (!r->is_bare) put(out, ")");
        return;
    case SQL_RELATION_FUNCTION: put_function(out, r); return;
    case SQL_RELATION_JOIN: put_joins(out, r); return;
    case SQL_RELATION_PAREN:
        put(out, "(");
        put_relation(out, r->operand[0]);
        put(out, ")");
        return;
    case SQL_RELATION_PIVOT:
        if (r->pivot->is_statement) {
            put_pivot_statement(out, r);
            return;
        }
        put_relation(out, r->operand[0]);
        put(out, " ");
        put_pivot(out, r->pivot);
        return;
    case SQL_RELATION_UNKNOWN:
        put_relation(out, r->operand[0]);
        put(out, " ");
        sql_print(out, r->unknown);
        return;
    }
    UNREACHABLE();
}

static void put_numbering(buf *out, const sql_relation *r) {
    if (r->has_ordinality) put(out, " WITH ORDINALITY");
}

static void put_offset(buf *out, const sql_relation *r) {
    if (!r->has_offset) return;
    put(out, r->offset_is_at ? " AT" : " WITH OFFSET");
    if (!r->has_offset_name) return;
    put(out, r->offset_is_at ? " " : " AS ");
    put_part(out, &r->offset_name);
}

static void put_relation(buf *out, const sql_relation *r) {
    if (r->is_lateral) put(out, "LATERAL ");
    put_source(out, r);
    put_numbering(out, r);
    put_clauses(out, r->clause, r->clause_count);
    if (r->has_alias) put_alias(out, &r->alias);
    put_offset(out, r);
    put_clauses(out, r->clause_behind, r->clause_behind_count);
}

static void put_relations(buf *out, const sql_relation *const *r, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) put(out, ", ");
        put_relation(out, r[i]);
    }
}

/* ---- select ---- */

static void put_distinct(buf *out, const sql_select *s) {
    if (s->distinct == SQL_DISTINCT_ALL) put(out, " ALL");
    if (s->distinct == SQL_DISTINCT_ROWS) put(out, " DISTINCT");
    if (s->distinct != SQL_DISTINCT_ON) return;
    put(out, " DISTINCT ON (");
    put_expressions(out, s->distinct_on, s->distinct_on_count);
    put(out, ")");
}

static void put_top(buf *out, const sql_top *top) {
    if (!top) return;
    put(out, " TOP ");
    sql_print(out, top->count);
    if (top->is_percent) put(out, " PERCENT");
    if (top->with_ties) put(out, " WITH TIES");
}

static void put_head(buf *out, const sql_select *s) {
    put(out, "SELECT");
    put_distinct(out, s);
    put_top(out, s->top);
    if (s->as_kind.len > 0) {
        put(out, " AS ");
        buf_put(out, s->as_kind);
    }
    if (s->item_count > 0) put(out, " ");
    put_items(out, s->item, s->item_count);
    if (s->exclude_count > 0) {
        put(out, " EXCLUDE ");
        put_names(out, s->exclude, s->exclude_count);
    }
    if (!s->has_into) return;
    put(out, " INTO ");
    put_name(out, &s->into);
}

static void put_connect(buf *out, const sql_connect *connect) {
    if (!connect) return;
    for (int step = 0; step < 2; step++) {
        bool start = (step == 0) == connect->starts_first;
        const ast *condition = start ? connect->start : connect->connect;
        if (!condition) continue;
        put(out, start ? " START WITH " : connect->nocycle ? " CONNECT BY NOCYCLE " : " CONNECT BY ");
        sql_print(out, condition);
    }
}

static void put_group_items(buf *out, const sql_group_item *item, size_t count);

static void put_group_item(buf *out, const sql_group_item *item) {
    switch (item->kind) {
    case SQL_GROUP_EXPRESSION: sql_print(out, item->item[0]); return;
    case SQL_GROUP_EMPTY: put(out, "()"); return;
    case SQL_GROUP_ROLLUP:
    case SQL_GROUP_CUBE:
        put(out, item->kind == SQL_GROUP_CUBE ? "CUBE (" : "ROLLUP (");
        put_expressions(out, item->item, item->count);
        put(out, ")");
        return;
    case SQL_GROUP_SETS:
        put(out, "GROUPING SETS (");
        put_group_items(out, item->set, item->set_count);
        put(out, ")");
        return;
    }
    UNREACHABLE();
}

static void put_group_items(buf *out, const sql_group_item *item, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) put(out, ", ");
        put_group_item(out, &item[i]);
    }
}

static void put_group(buf *out, const sql_group *group) {
    if (!group) return;
    put(out, " GROUP BY ");
    if (group->is_all) put(out, "ALL");
    if (group->quantity.len > 0) {
        buf_put(out, group->quantity);
        put(out, " ");
    }
    size_t count = group->count - (group->sets_behind ? 1 : 0);
    put_group_items(out, group->item, count);
    if (group->with.len > 0) {
        put(out, " WITH ");
        buf_put(out, group->with);
    }
    if (!group->sets_behind) return;
    put(out, " ");
    put_group_item(out, &group->item[count]);
}

static void put_condition_of(buf *out, const char *word, const ast *condition) {
    if (!condition) return;
    put(out, word);
    sql_print(out, condition);
}

static void put_select(buf *out, const sql_select *s) {
    if (s->is_from_first) {
        put(out, "FROM ");
        put_relations(out, s->from, s->from_count);
        if (s->has_list) put(out, " ");
    }
    if (s->has_list || !s->is_from_first) put_head(out, s);
    if (!s->is_from_first && s->from_count > 0) {
        put(out, " FROM ");
        put_relations(out, s->from, s->from_count);
    }
    put_condition_of(out, " WHERE ", s->where);
    put_connect(out, s->connect);
    put_group(out, s->group);
    put_condition_of(out, " HAVING ", s->having);
    put_condition_of(out, " QUALIFY ", s->qualify);
    put_windows(out, s->window, s->window_count);
    if (s->sample) put_clauses(out, &s->sample, 1);
}

/* ---- ends ---- */

static void put_offset_of(buf *out, const sql_limit *limit) {
    if (!limit->offset || limit->offset_comma) return;
    put(out, " OFFSET ");
    sql_print(out, limit->offset);
}

static void put_fetch(buf *out, const sql_limit *limit) {
    put(out, " FETCH FIRST");
    if (limit->count) {
        put(out, " ");
        sql_print(out, limit->count);
    }
    put(out, limit->is_percent ? " PERCENT ROWS" : " ROWS");
    put(out, limit->with_ties ? " WITH TIES" : " ONLY");
}

static void put_count(buf *out, const sql_limit *limit) {
    if (limit->is_fetch) {
        put_fetch(out, limit);
    } else if (limit->is_all) {
        put(out, " LIMIT ALL");
    } else if (limit->count) {
        put(out, " LIMIT ");
        if (limit->offset_comma) {
            sql_print(out, limit->offset);
            put(out, ", ");
        }
        sql_print(out, limit->count);
        if (limit->is_percent) put(out, " PERCENT");
    }
}

static void put_limit(buf *out, const sql_limit *limit) {
    if (!limit) return;
    if (limit->offset_first) put_offset_of(out, limit);
    put_count(out, limit);
    if (!limit->offset_first) put_offset_of(out, limit);
}

static void put_ends(buf *out, const sql_query *q) {
    put_order(out, " ORDER BY ", q->order);
    put_order(out, " SORT BY ", q->sort);
    put_order(out, " DISTRIBUTE BY ", q->distribute);
    put_order(out, " CLUSTER BY ", q->cluster);
    put_limit(out, q->limit);
    put_clauses(out, q->clause, q->clause_count);
}

/* ---- queries ---- */

static void put_cte(buf *out, const sql_cte *cte) {
    put_part(out, &cte->name);
    if (cte->has_columns) {
        put(out, " ");
        put_parts(out, cte->column, cte->column_count);
    }
    size_t before = 0; /* clauses that stand before AS */
    while (before < cte->clause_count && !str_eq(cte->clause[before]->text, STR("SEARCH")) &&
           !str_eq(cte->clause[before]->text, STR("CYCLE")))
        before++;
    put_clauses(out, cte->clause, before);
    put(out, " AS ");
    if (cte->materialized.len > 0) {
        buf_put(out, cte->materialized);
        put(out, " ");
    }
    put(out, "(");
    if (cte->query)
        sql_print_query(out, cte->query);
    else
        sql_print_statement(out, cte->statement);
    put(out, ")");
    put_clauses(out, cte->clause + before, cte->clause_count - before);
}

static void put_with(buf *out, const sql_with *with) {
    if (!with) return;
    put(out, with->is_recursive ? "WITH RECURSIVE " : "WITH ");
    for (size_t i = 0; i < with->count; i++) {
        if (i > 0) put(out, ", ");
        put_cte(out, &with->cte[i]);
    }
    put(out, " ");
}

static void put_link(buf *out, const sql_set_link *link) {
    buf_put(out, link->written);
    if (!link->has_by) return;
    put(out, link->by_is_on ? " ON " : " BY ");
    put_parts(out, link->by, link->by_count);
}

static void put_set(buf *out, const sql_query *q) {
    for (size_t i = 0; i < q->operand_count; i++) {
        if (i > 0) {
            put(out, " ");
            put_link(out, &q->link[i - 1]);
            put(out, " ");
        }
        sql_print_query(out, q->operand[i]);
    }
}

static void put_table(buf *out, const sql_relation *r) {
    bool statement = r->kind == SQL_RELATION_PIVOT && r->pivot->is_statement;
    if (!statement) put(out, "TABLE ");
    put_relation(out, r);
}

static void put_keys(buf *out, const sql_item *item, const sql_sort *sort, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) put(out, ", ");
        put_item(out, &item[i]);
        if (sort) put_direction(out, &sort[i]);
    }
}

static void put_aggregate(buf *out, const sql_pipe_step *step) {
    put(out, "AGGREGATE");
    if (step->item_count > 0) put(out, " ");
    put_keys(out, step->item, step->item_sort, step->item_count);
    if (step->group_count == 0) return;
    put(out, step->is_ordered_group ? " GROUP AND ORDER BY " : " GROUP BY ");
    put_keys(out, step->group_item, step->group_sort, step->group_count);
}

static void put_set_items(buf *out, const sql_item *item, size_t count) {
    for (size_t i = 0; i < count; i++) {
        put(out, i == 0 ? "SET " : ", ");
        put_part(out, &item[i].alias);
        put(out, " = ");
        sql_print(out, item[i].value);
    }
}

static void put_word_and_items(buf *out, const sql_pipe_step *step) {
    buf_put(out, step->word);
    if (step->item_count > 0) put(out, " ");
    put_items(out, step->item, step->item_count);
}

static void put_setop_step(buf *out, const sql_pipe_step *step) {
    put_link(out, step->set);
    for (size_t i = 0; i < step->query_count; i++) {
        put(out, i == 0 ? " (" : ", (");
        sql_print_query(out, step->query[i]);
        put(out, ")");
    }
}

static void put_join_step(buf *out, const sql_pipe_step *step) {
    buf_put(out, step->join->written);
    put(out, " ");
    put_relation(out, step->relation);
    put_condition(out, step->join);
}

static void put_limit_step(buf *out, const sql_limit *limit) {
    size_t start = out->len;
    put_limit(out, limit);
    for (size_t i = start; i + 1 < out->len; i++) out->ptr[i] = out->ptr[i + 1]; /* without the blank before it */
    out->len--;
}

static void put_step(buf *out, const sql_pipe_step *step) {
    switch (step->kind) {
    case SQL_PIPE_SELECT: put_select(out, step->select); break;
    case SQL_PIPE_EXTEND:
    case SQL_PIPE_WINDOW: put_word_and_items(out, step); break;
    case SQL_PIPE_SET: put_set_items(out, step->item, step->item_count); break;
    case SQL_PIPE_DROP:
        put(out, "DROP ");
        put_names(out, step->name, step->name_count);
        break;
    case SQL_PIPE_RENAME:
        put(out, "RENAME ");
        put_rename(out, step->rename, step->rename_count);
        break;
    case SQL_PIPE_AS: put(out, "AS "), put_part(out, &step->alias.name); break;
    case SQL_PIPE_WHERE: put(out, "WHERE "), sql_print(out, step->where); break;
    case SQL_PIPE_AGGREGATE: put_aggregate(out, step); break;
    case SQL_PIPE_DISTINCT: put(out, "DISTINCT"); break;
    case SQL_PIPE_JOIN: put_join_step(out, step); break;
    case SQL_PIPE_ORDER: put_order(out, "ORDER BY ", step->order); break;
    case SQL_PIPE_LIMIT: put_limit_step(out, step->limit); break;
    case SQL_PIPE_SETOP: put_setop_step(out, step); break;
    case SQL_PIPE_CALL:
        put(out, "CALL ");
        sql_print(out, step->function);
        if (step->has_alias) put_alias(out, &step->alias);
        break;
    case SQL_PIPE_PIVOT:
        put_pivot(out, step->pivot);
        if (step->has_alias) put_alias(out, &step->alias);
        break;
    case SQL_PIPE_SAMPLE:
    case SQL_PIPE_UNKNOWN: sql_print(out, step->clause); break;
    }
}

static void put_pipe(buf *out, const sql_query *q) {
    sql_print_query(out, q->operand[0]);
    for (size_t i = 0; i < q->step_count; i++) {
        put(out, " |> ");
        put_step(out, &q->step[i]);
    }
}

static void put_body(buf *out, const sql_query *q) {
    switch (q->kind) {
    case SQL_QUERY_SELECT: put_select(out, q->select); return;
    case SQL_QUERY_SET: put_set(out, q); return;
    case SQL_QUERY_VALUES:
        put(out, "VALUES ");
        put_expressions(out, q->row, q->row_count);
        return;
    case SQL_QUERY_TABLE: put_table(out, q->relation); return;
    case SQL_QUERY_PAREN:
        put(out, "(");
        sql_print_query(out, q->operand[0]);
        put(out, ")");
        return;
    case SQL_QUERY_PIPE: put_pipe(out, q); return;
    }
    UNREACHABLE();
}

void sql_print_query(buf *out, const sql_query *query) {
    put_with(out, query->with);
    put_body(out, query);
    put_ends(out, query);
}

/* ---- statements ---- */

static void put_text(buf *out, str text) {
    if (text.len == 0) return;
    put(out, " ");
    buf_put(out, text);
}

static void put_references(buf *out, const sql_constraint *c) {
    put(out, " REFERENCES ");
    put_name(out, &c->to);
    if (c->to_count == 0) return;
    put(out, " ");
    put_parts(out, c->to_column, c->to_count);
}

static void put_definition(buf *out, const sql_column_definition *d) {
    put_part(out, &d->name);
    put_text(out, d->type);
    if (d->is_not_null) put(out, " NOT NULL");
    if (d->default_value) put(out, " DEFAULT "), sql_print(out, d->default_value);
    if (d->generated) put(out, " AS ("), sql_print(out, d->generated), put(out, ")");
    if (d->is_primary) put(out, " PRIMARY KEY");
    if (d->is_unique) put(out, " UNIQUE");
    if (d->references) put_references(out, d->references);
    for (size_t i = 0; i < d->check_count; i++) {
        put(out, " CHECK (");
        sql_print(out, d->check[i]);
        put(out, ")");
    }
}

static void put_constraint(buf *out, const sql_constraint *c) {
    switch (c->kind) {
    case SQL_CONSTRAINT_PRIMARY: put(out, "PRIMARY KEY "); break;
    case SQL_CONSTRAINT_UNIQUE: put(out, c->nulls_not_distinct ? "UNIQUE NULLS NOT DISTINCT " : "UNIQUE "); break;
    case SQL_CONSTRAINT_FOREIGN: put(out, "FOREIGN KEY "); break;
    case SQL_CONSTRAINT_CHECK:
        put(out, "CHECK (");
        sql_print(out, c->check);
        put(out, ")");
        return;
    }
    put_parts(out, c->column, c->column_count);
    if (c->kind == SQL_CONSTRAINT_FOREIGN) put_references(out, c);
}

static void put_definitions(buf *out, const sql_statement *s) {
    put(out, " (");
    for (size_t i = 0; i < s->definition_count; i++) {
        if (i > 0) put(out, ", ");
        put_definition(out, &s->definition[i]);
    }
    for (size_t i = 0; i < s->constraint_count; i++) {
        if (i + s->definition_count > 0) put(out, ", ");
        put_constraint(out, &s->constraint[i]);
    }
    put(out, ")");
}

static void put_create(buf *out, const sql_statement *s) {
    buf_put(out, s->word);
    put(out, " ");
    put_name(out, &s->target);
    if (s->has_columns) put_definitions(out, s);
    put_text(out, s->options);
    if (s->query) {
        put(out, " AS ");
        sql_print_query(out, s->query);
    }
    put_text(out, s->rest);
}

static void put_insert(buf *out, const sql_statement *s) {
    put_with(out, s->with);
    buf_put(out, s->word);
    put(out, " ");
    put_name(out, &s->target);
    if (s->has_columns) {
        put(out, " ");
        put_parts(out, s->column, s->column_count);
    }
    put_text(out, s->options);
    if (s->query) {
        put(out, " ");
        sql_print_query(out, s->query);
    }
    put_text(out, s->rest);
}

static void put_merge(buf *out, const sql_statement *s) {
    put_with(out, s->with);
    buf_put(out, s->word);
    put(out, " ");
    put_relation(out, s->merge_target);
    put(out, " USING ");
    put_relation(out, s->merge_source);
    put(out, " ON ");
    sql_print(out, s->merge_on);
    put_text(out, s->rest);
}

void sql_print_statement(buf *out, const sql_statement *statement) {
    switch (statement->kind) {
    case SQL_STATEMENT_QUERY: sql_print_query(out, statement->query); return;
    case SQL_STATEMENT_CREATE_TABLE:
    case SQL_STATEMENT_CREATE_VIEW: put_create(out, statement); return;
    case SQL_STATEMENT_INSERT: put_insert(out, statement); return;
    case SQL_STATEMENT_MERGE: put_merge(out, statement); return;
    case SQL_STATEMENT_UNKNOWN:
        buf_put(out, statement->word);
        put_text(out, statement->rest);
        return;
    }
    UNREACHABLE();
}
