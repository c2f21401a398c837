/* walk.c - one walk over everything that a tree holds.
 * Called by: sql/walk.h's callers.  Must not know: what the events become.
 */
#include "sql/walk.h"

#include "base/err.h"

static void enter(const sql_walker *w, const char *role, const char *kind, span at) {
    w->enter(w->context, role, kind, at);
}

static void leave(const sql_walker *w) {
    w->leave(w->context);
}

static void text(const sql_walker *w, const char *role, str value) {
    if (value.len > 0) w->text(w->context, role, value);
}

static void flag(const sql_walker *w, const char *role, bool set) {
    if (set) w->flag(w->context, role);
}

static void list(const sql_walker *w, const char *role) {
    w->list(w->context, role);
}

static void list_end(const sql_walker *w) {
    w->list_end(w->context);
}

/* An item of a list of texts; these may be empty. */
static void text_item(const sql_walker *w, str value) {
    w->text(w->context, NULL, value);
}

/* ---- names ---- */

static void walk_part(const sql_walker *w, const char *role, const ast_part *part) {
    enter(w, role, part->quote ? "quoted" : "name", part->at);
    text(w, "text", part->text);
    leave(w);
}

static void walk_parts(const sql_walker *w, const char *role, const ast_part *part, size_t count) {
    if (count == 0) return;
    list(w, role);
    for (size_t i = 0; i < count; i++) walk_part(w, NULL, &part[i]);
    list_end(w);
}

static void walk_name(const sql_walker *w, const char *role, const sql_name *name) {
    if (name->part_count == 0) return;
    enter(w, role, "path", name->at);
    walk_parts(w, "parts", name->part, name->part_count);
    leave(w);
}

static void walk_names(const sql_walker *w, const char *role, const sql_name *name, size_t count) {
    if (count == 0) return;
    list(w, role);
    for (size_t i = 0; i < count; i++) walk_name(w, NULL, &name[i]);
    list_end(w);
}

static void walk_alias(const sql_walker *w, const sql_alias *alias) {
    enter(w, "alias", "alias", alias->at);
    if (alias->has_name) walk_part(w, "name", &alias->name);
    walk_parts(w, "columns", alias->column, alias->column_count);
    if (alias->column_type) list(w, "types");
    for (size_t i = 0; alias->column_type && i < alias->column_count; i++) text_item(w, alias->column_type[i]);
    if (alias->column_type) list_end(w);
    leave(w);
}

/* ---- expressions ---- */

static void walk_expression(const sql_walker *w, const char *role, const ast *tree);
static void walk_query(const sql_walker *w, const char *role, const sql_query *q);

static void walk_optional(const sql_walker *w, const char *role, const ast *tree) {
    if (tree) walk_expression(w, role, tree);
}

static void walk_expressions(const sql_walker *w, const char *role, const ast *const *item, size_t count) {
    if (count == 0) return;
    list(w, role);
    for (size_t i = 0; i < count; i++) walk_expression(w, NULL, item[i]);
    list_end(w);
}

static void walk_item(const sql_walker *w, const sql_item *item) {
    enter(w, NULL, "item", item->at);
    flag(w, "alias_first", item->alias_first);
    if (item->has_alias) walk_part(w, "alias", &item->alias);
    walk_parts(w, "alias_columns", item->alias_column, item->alias_count);
    walk_expression(w, "value", item->value);
    leave(w);
}

static void walk_items(const sql_walker *w, const char *role, const sql_item *item, size_t count) {
    if (count == 0) return;
    list(w, role);
    for (size_t i = 0; i < count; i++) walk_item(w, &item[i]);
    list_end(w);
}

static void walk_sorts(const sql_walker *w, const char *role, const sql_sort *sort, size_t count) {
    if (count == 0) return;
    list(w, role);
    for (size_t i = 0; i < count; i++) {
        enter(w, NULL, sort[i].key ? "sort" : "sort_all", sort[i].at);
        flag(w, "asc", sort[i].direction == SQL_DIRECTION_ASC);
        flag(w, "desc", sort[i].direction == SQL_DIRECTION_DESC);
        flag(w, "nulls_first", sort[i].nulls == SQL_NULLS_FIRST);
        flag(w, "nulls_last", sort[i].nulls == SQL_NULLS_LAST);
        text(w, "using", sort[i].using_operator);
        walk_optional(w, "key", sort[i].key);
        leave(w);
    }
    list_end(w);
}

static void walk_order(const sql_walker *w, const char *role, const sql_order *order) {
    if (order) walk_sorts(w, role, order->item, order->count);
}

static void walk_bound(const sql_walker *w, const char *role, const sql_bound *bound) {
    static const char *const names[] = {[SQL_BOUND_UNBOUNDED_PRECEDING] = "unbounded_preceding",
                                        [SQL_BOUND_PRECEDING] = "preceding",
                                        [SQL_BOUND_CURRENT_ROW] = "current_row",
                                        [SQL_BOUND_FOLLOWING] = "following",
                                        [SQL_BOUND_UNBOUNDED_FOLLOWING] = "unbounded_following"};
    text(w, role, str_from(names[bound->kind]));
}

static void walk_window(const sql_walker *w, const char *role, const sql_window *window) {
    static const char *const units[] = {
        [SQL_FRAME_NONE] = "", [SQL_FRAME_ROWS] = "rows", [SQL_FRAME_RANGE] = "range", [SQL_FRAME_GROUPS] = "groups"};
    enter(w, role, window->is_reference ? "window_reference" : "window", window->at);
    text(w, "frame", str_from(units[window->frame]));
    if (window->frame != SQL_FRAME_NONE) walk_bound(w, "start", &window->start);
    if (window->has_end) walk_bound(w, "end", &window->end);
    text(w, "exclude", window->exclude);
    if (window->is_reference || window->has_base) walk_part(w, "base", &window->base);
    walk_sorts(w, "partition", window->partition, window->partition_count);
    walk_sorts(w, "order", window->order, window->order_count);
    walk_optional(w, "start_distance", window->start.distance);
    walk_optional(w, "end_distance", window->end.distance);
    leave(w);
}

static void walk_call_flags(const sql_walker *w, const ast_call *call) {
    flag(w, "distinct", call->quantity == SQL_QUANTITY_DISTINCT);
    flag(w, "all", call->quantity == SQL_QUANTITY_ALL);
    flag(w, "star", call->has_star);
    flag(w, "ignore_nulls", call->treatment == SQL_TREATMENT_IGNORE);
    flag(w, "respect_nulls", call->treatment == SQL_TREATMENT_RESPECT);
}

static void walk_call(const sql_walker *w, const ast *tree) {
    const ast_call *call = tree->call;
    if (call->argument_name) {
        list(w, "argument_names");
        for (size_t i = 0; i < call->argument_count; i++) text_item(w, call->argument_name[i]);
        list_end(w);
        list(w, "argument_aliases");
        for (size_t i = 0; i < call->argument_count; i++) text_item(w, call->argument_alias[i].text);
        list_end(w);
    }
    walk_expressions(w, "arguments", (const ast *const *)tree->arg, call->argument_count);
    walk_order(w, "order", call->order);
    walk_optional(w, "having", call->having);
    walk_optional(w, "limit", call->limit);
    walk_order(w, "within", call->within);
    walk_optional(w, "filter", call->filter);
    if (call->over) walk_window(w, "over", call->over);
}

static void walk_renames(const sql_walker *w, const sql_rename *rename, size_t count) {
    if (count == 0) return;
    list(w, "rename");
    for (size_t i = 0; i < count; i++) {
        enter(w, NULL, "rename", rename[i].at);
        walk_name(w, "from", &rename[i].from);
        walk_part(w, "to", &rename[i].to);
        leave(w);
    }
    list_end(w);
}

static void walk_star(const sql_walker *w, const ast_star *star) {
    walk_name(w, "qualifier", &star->qualifier);
    walk_names(w, "except", star->except, star->except_count);
    walk_items(w, "replace", star->replace, star->replace_count);
    walk_renames(w, star->rename, star->rename_count);
    walk_optional(w, "like", star->like);
}

static const char *kind_name(const ast *n) {
    static const char *const forms[] = {[FORM_NONE] = "expression",
                                        [FORM_FUNCTION] = "call",
                                        [FORM_BARE] = "call",
                                        [FORM_CAST] = "cast",
                                        [FORM_CASE] = "case",
                                        [FORM_EXTRACT] = "extract",
                                        [FORM_STAR] = "star",
                                        [FORM_ROW] = "row",
                                        [FORM_ARRAY] = "array",
                                        [FORM_STRUCT] = "struct",
                                        [FORM_MAP] = "map",
                                        [FORM_LAMBDA] = "lambda",
                                        [FORM_COMPREHENSION] = "comprehension",
                                        [FORM_SUBSCRIPT] = "subscript",
                                        [FORM_SLICE] = "slice",
                                        [FORM_FIELD] = "field",
                                        [FORM_PATH] = "step",
                                        [FORM_INTERVAL] = "interval",
                                        [FORM_PARAMETER] = "parameter",
                                        [FORM_ZONE] = "at_time_zone",
                                        [FORM_COLLATE] = "collate",
                                        [FORM_TEXTS] = "texts",
                                        [FORM_PREDICATE] = "test",
                                        [FORM_OPERATOR] = "operator",
                                        [FORM_CLAUSE] = "clause",
                                        [FORM_QUERY] = "subquery"};
    switch (n->kind) {
    case AST_NAME: return "column";
    case AST_LOCAL: return "local";
    case AST_NUMBER: return "number";
    case AST_STRING: return "text";
    case AST_TYPED: return "typed";
    case AST_BOOLEAN: return "boolean";
    case AST_NULL: return "null";
    case AST_UNARY: return "unary";
    case AST_BINARY: return "binary";
    case AST_CHAIN: return "chain";
    case AST_IS: return "is";
    case AST_DISTINCT: return "is_distinct";
    case AST_IN: return "in";
    case AST_BETWEEN: return "between";
    case AST_LIKE: return "like";
    case AST_PAREN: return "brackets";
    case AST_CALL:
    case AST_SUBQUERY:
    case AST_OTHER: return forms[n->form];
    }
    UNREACHABLE();
}

static void walk_flags(const sql_walker *w, const ast *n) {
    static const char *const tests[] = {
        [IS_NULL] = "null", [IS_TRUE] = "true", [IS_FALSE] = "false", [IS_UNKNOWN] = "unknown"};
    if (n->kind == AST_IS) text(w, "test", str_from(tests[n->is]));
    flag(w, "not", n->negated);
    flag(w, "symmetric", n->symmetric);
    flag(w, "quantified", n->like_any);
    flag(w, "escape", n->has_escape);
    flag(w, "raw", n->is_raw);
    flag(w, "bare", n->is_bare);
    flag(w, "subject", n->has_subject);
    flag(w, "else", n->has_else);
    text(w, "operator", n->op_text);
    text(w, "type", n->type_name);
    text(w, "text", n->text);
    if (n->form == FORM_STAR) flag(w, "exclude", n->star->is_exclude), text(w, "like_word", n->star->like_word);
    if (n->form == FORM_FUNCTION && n->call) walk_call_flags(w, n->call);
}

/* The words of a form whose meaning lies in them. */
static void walk_pieces(const sql_walker *w, const ast *n) {
    bool wordy = n->form == FORM_INTERVAL || n->form == FORM_PARAMETER || n->form == FORM_COLLATE ||
                 n->form == FORM_TEXTS || n->form == FORM_PREDICATE || n->form == FORM_OPERATOR ||
                 n->form == FORM_CLAUSE || n->form == FORM_SLICE || n->form == FORM_ZONE;
    if (!wordy) return;
    list(w, "words");
    for (size_t i = 0; i <= n->arg_count; i++) text_item(w, n->piece[i]);
    list_end(w);
}

static void walk_links(const sql_walker *w, const ast *n) {
    bool same = n->op == OP_AND || n->op == OP_OR;
    if (n->kind != AST_CHAIN) return;
    list(w, "operators");
    for (size_t i = 0; i + 1 < n->arg_count && (i == 0 || !same); i++) text_item(w, n->link[i].text);
    list_end(w);
}

static void walk_expression(const sql_walker *w, const char *role, const ast *n) {
    enter(w, role, kind_name(n), n->at);
    walk_flags(w, n);
    walk_links(w, n);
    walk_pieces(w, n);
    walk_parts(w, "parts", n->part, n->part_count);
    if (n->form == FORM_FUNCTION && n->call) {
        walk_call(w, n);
    } else {
        walk_expressions(w, "arguments", (const ast *const *)n->arg, n->arg_count);
        if (n->form == FORM_STAR) walk_star(w, n->star);
        if (n->form == FORM_QUERY && n->query) walk_query(w, "query", n->query);
    }
    leave(w);
}

/* ---- relations ---- */

static void walk_relation(const sql_walker *w, const char *role, const sql_relation *r);

static void walk_relations(const sql_walker *w, const char *role, const sql_relation *const *r, size_t count) {
    if (count == 0) return;
    list(w, role);
    for (size_t i = 0; i < count; i++) walk_relation(w, NULL, r[i]);
    list_end(w);
}

static void walk_pivot(const sql_walker *w, const sql_pivot *pivot) {
    enter(w, "pivot", pivot->is_unpivot ? "unpivot" : "pivot", pivot->at);
    flag(w, "statement", pivot->is_statement);
    text(w, "nulls", pivot->nulls);
    walk_items(w, "aggregates", pivot->aggregate, pivot->aggregate_count);
    walk_parts(w, "value_columns", pivot->value_column, pivot->value_count);
    for (size_t i = 0; i < pivot->on_count; i++) {
        const sql_pivot_for *on = &pivot->on[i];
        if (i == 0) list(w, "on");
        enter(w, NULL, "pivot_on", on->at);
        flag(w, "any", on->is_any);
        walk_expressions(w, "columns", on->column, on->column_count);
        walk_items(w, "values", on->value, on->value_count);
        walk_order(w, "any_order", on->any_order);
        if (on->query) walk_query(w, "query", on->query);
        walk_optional(w, "enumeration", on->enumeration);
        leave(w);
        if (i + 1 == pivot->on_count) list_end(w);
    }
    walk_expressions(w, "group", pivot->group, pivot->group_count);
    walk_optional(w, "default", pivot->default_value);
    leave(w);
}

static void walk_join(const sql_walker *w, const char *role, const sql_join *join) {
    static const char *const kinds[] = {[SQL_JOIN_INNER] = "inner",
                                        [SQL_JOIN_LEFT] = "left",
                                        [SQL_JOIN_RIGHT] = "right",
                                        [SQL_JOIN_FULL] = "full",
                                        [SQL_JOIN_CROSS] = "cross",
                                        [SQL_JOIN_LEFT_SEMI] = "left_semi",
                                        [SQL_JOIN_LEFT_ANTI] = "left_anti",
                                        [SQL_JOIN_RIGHT_SEMI] = "right_semi",
                                        [SQL_JOIN_RIGHT_ANTI] = "right_anti",
                                        [SQL_JOIN_POSITIONAL] = "positional",
                                        [SQL_JOIN_LATERAL_VIEW] = "lateral_view",
                                        [SQL_JOIN_LATERAL_VIEW_OUTER] = "lateral_view_outer"};
    enter(w, role, kinds[join->kind], join->at);
    flag(w, "natural", join->is_natural);
    flag(w, "asof", join->is_asof);
    walk_optional(w, "match", join->match);
    walk_optional(w, "on", join->on);
    walk_parts(w, "using", join->using_column, join->using_count);
    if (join->using_alias.has_name) walk_alias(w, &join->using_alias);
    leave(w);
}

static void walk_joins(const sql_walker *w, const sql_relation *r) {
    if (r->kind != SQL_RELATION_JOIN) return;
    list(w, "joins");
    for (size_t i = 0; i + 1 < r->operand_count; i++) walk_join(w, NULL, &r->join[i]);
    list_end(w);
}

static void walk_relation(const sql_walker *w, const char *role, const sql_relation *r) {
    static const char *const kinds[] = {[SQL_RELATION_NAME] = "table",    [SQL_RELATION_FILE] = "file",
                                        [SQL_RELATION_QUERY] = "query",   [SQL_RELATION_FUNCTION] = "table_function",
                                        [SQL_RELATION_JOIN] = "join",     [SQL_RELATION_PAREN] = "brackets",
                                        [SQL_RELATION_PIVOT] = "pivoted", [SQL_RELATION_UNKNOWN] = "unknown"};
    enter(w, role, kinds[r->kind], r->at);
    flag(w, "lateral", r->is_lateral);
    flag(w, "only", r->is_only);
    flag(w, "bare", r->is_bare);
    flag(w, "table_call", r->is_table_call);
    flag(w, "rows_from", r->is_rows_from);
    flag(w, "ordinality", r->has_ordinality);
    flag(w, "offset", r->has_offset);
    text(w, "text", r->text);
    walk_name(w, "name", &r->name);
    if (r->query) walk_query(w, "query", r->query);
    walk_expressions(w, "function", r->function, r->function_count);
    walk_relations(w, "operands", r->operand, r->operand_count);
    walk_joins(w, r);
    if (r->pivot) walk_pivot(w, r->pivot);
    walk_optional(w, "operator", r->unknown);
    walk_expressions(w, "clauses", r->clause, r->clause_count);
    if (r->has_alias) walk_alias(w, &r->alias);
    if (r->has_offset_name) walk_part(w, "offset_name", &r->offset_name);
    walk_expressions(w, "clauses_behind", r->clause_behind, r->clause_behind_count);
    leave(w);
}

/* ---- select ---- */

static void walk_group_items(const sql_walker *w, const char *role, const sql_group_item *item, size_t count) {
    static const char *const kinds[] = {[SQL_GROUP_EXPRESSION] = "expression",
                                        [SQL_GROUP_EMPTY] = "empty",
                                        [SQL_GROUP_ROLLUP] = "rollup",
                                        [SQL_GROUP_CUBE] = "cube",
                                        [SQL_GROUP_SETS] = "sets"};
    if (count == 0) return;
    list(w, role);
    for (size_t i = 0; i < count; i++) {
        enter(w, NULL, kinds[item[i].kind], item[i].at);
        walk_expressions(w, "items", item[i].item, item[i].count);
        walk_group_items(w, "sets", item[i].set, item[i].set_count);
        leave(w);
    }
    list_end(w);
}

static void walk_group(const sql_walker *w, const sql_group *group) {
    if (!group) return;
    enter(w, "group", "group", group->at);
    flag(w, "all", group->is_all);
    flag(w, "sets_behind", group->sets_behind);
    text(w, "quantity", group->quantity);
    text(w, "with", group->with);
    walk_group_items(w, "items", group->item, group->count);
    leave(w);
}

static void walk_top(const sql_walker *w, const sql_top *top) {
    if (!top) return;
    enter(w, "top", "top", top->at);
    flag(w, "percent", top->is_percent);
    flag(w, "with_ties", top->with_ties);
    walk_expression(w, "count", top->count);
    leave(w);
}

static void walk_connect(const sql_walker *w, const sql_connect *connect) {
    if (!connect) return;
    enter(w, "connect", "connect_by", connect->at);
    flag(w, "nocycle", connect->nocycle);
    walk_optional(w, "start", connect->start);
    walk_optional(w, "by", connect->connect);
    leave(w);
}

static void walk_named_windows(const sql_walker *w, const sql_named_window *window, size_t count) {
    if (count == 0) return;
    list(w, "windows");
    for (size_t i = 0; i < count; i++) {
        enter(w, NULL, "named_window", window[i].at);
        walk_part(w, "name", &window[i].name);
        walk_window(w, "window", window[i].window);
        leave(w);
    }
    list_end(w);
}

static void walk_select(const sql_walker *w, const sql_select *s) {
    static const char *const distinct[] = {
        [SQL_DISTINCT_NONE] = "", [SQL_DISTINCT_ALL] = "all", [SQL_DISTINCT_ROWS] = "rows", [SQL_DISTINCT_ON] = "on"};
    flag(w, "from_first", s->is_from_first);
    flag(w, "without_list", !s->has_list);
    text(w, "distinct", str_from(distinct[s->distinct]));
    text(w, "as", s->as_kind);
    walk_expressions(w, "distinct_on", s->distinct_on, s->distinct_on_count);
    walk_top(w, s->top);
    walk_items(w, "items", s->item, s->item_count);
    walk_names(w, "exclude", s->exclude, s->exclude_count);
    if (s->has_into) walk_name(w, "into", &s->into);
    walk_relations(w, "from", s->from, s->from_count);
    walk_optional(w, "where", s->where);
    walk_connect(w, s->connect);
    walk_group(w, s->group);
    walk_optional(w, "having", s->having);
    walk_optional(w, "qualify", s->qualify);
    walk_named_windows(w, s->window, s->window_count);
    walk_optional(w, "sample", s->sample);
}

/* ---- queries ---- */

static void walk_statement(const sql_walker *w, const char *role, const sql_statement *s);

static void walk_with(const sql_walker *w, const sql_with *with) {
    if (!with) return;
    enter(w, "with", with->is_recursive ? "with_recursive" : "with", with->at);
    list(w, "items");
    for (size_t i = 0; i < with->count; i++) {
        const sql_cte *cte = &with->cte[i];
        enter(w, NULL, "cte", cte->at);
        text(w, "materialized", cte->materialized);
        walk_part(w, "name", &cte->name);
        walk_parts(w, "columns", cte->column, cte->column_count);
        if (cte->query) walk_query(w, "query", cte->query);
        if (cte->statement) walk_statement(w, "statement", cte->statement);
        walk_expressions(w, "clauses", cte->clause, cte->clause_count);
        leave(w);
    }
    list_end(w);
    leave(w);
}

static void walk_limit(const sql_walker *w, const sql_limit *limit) {
    if (!limit) return;
    enter(w, "limit", limit->is_fetch ? "fetch" : "limit", limit->at);
    flag(w, "all", limit->is_all);
    flag(w, "percent", limit->is_percent);
    flag(w, "with_ties", limit->with_ties);
    flag(w, "one", limit->is_one);
    flag(w, "offset_first", limit->offset_first);
    flag(w, "offset_comma", limit->offset_comma);
    walk_optional(w, "count", limit->count);
    walk_optional(w, "offset", limit->offset);
    leave(w);
}

static void walk_link(const sql_walker *w, const char *role, const sql_set_link *link) {
    static const char *const kinds[] = {
        [SQL_SET_UNION] = "union", [SQL_SET_INTERSECT] = "intersect", [SQL_SET_EXCEPT] = "except"};
    enter(w, role, kinds[link->kind], link->at);
    flag(w, "all", link->quantity == SQL_QUANTITY_ALL);
    flag(w, "distinct", link->quantity == SQL_QUANTITY_DISTINCT);
    flag(w, "by_name", link->by_name);
    walk_parts(w, "by", link->by, link->by_count);
    leave(w);
}

static void walk_queries(const sql_walker *w, const char *role, const sql_query *const *q, size_t count) {
    if (count == 0) return;
    list(w, role);
    for (size_t i = 0; i < count; i++) walk_query(w, NULL, q[i]);
    list_end(w);
}

static void walk_step(const sql_walker *w, const sql_pipe_step *step) {
    static const char *const kinds[] = {
        [SQL_PIPE_SELECT] = "select",       [SQL_PIPE_EXTEND] = "extend",       [SQL_PIPE_SET] = "set",
        [SQL_PIPE_DROP] = "drop",           [SQL_PIPE_RENAME] = "rename",       [SQL_PIPE_AS] = "as",
        [SQL_PIPE_WHERE] = "where",         [SQL_PIPE_AGGREGATE] = "aggregate", [SQL_PIPE_DISTINCT] = "distinct",
        [SQL_PIPE_JOIN] = "join",           [SQL_PIPE_ORDER] = "order",         [SQL_PIPE_LIMIT] = "limit",
        [SQL_PIPE_SETOP] = "set_operation", [SQL_PIPE_CALL] = "call",           [SQL_PIPE_PIVOT] = "pivot",
        [SQL_PIPE_SAMPLE] = "sample",       [SQL_PIPE_WINDOW] = "window",       [SQL_PIPE_UNKNOWN] = "unknown"};
    enter(w, NULL, kinds[step->kind], step->at);
    flag(w, "and_order", step->is_ordered_group);
    if (step->select) walk_select(w, step->select);
    walk_items(w, "items", step->item, step->item_count);
    if (step->item_sort) walk_sorts(w, "item_order", step->item_sort, step->item_count);
    walk_items(w, "group", step->group_item, step->group_count);
    if (step->group_sort) walk_sorts(w, "group_order", step->group_sort, step->group_count);
    walk_names(w, "names", step->name, step->name_count);
    walk_renames(w, step->rename, step->rename_count);
    walk_optional(w, "where", step->where);
    if (step->join) walk_join(w, "join", step->join);
    if (step->relation) walk_relation(w, "relation", step->relation);
    walk_order(w, "order", step->order);
    walk_limit(w, step->limit);
    if (step->set) walk_link(w, "operation", step->set);
    walk_queries(w, "queries", step->query, step->query_count);
    walk_optional(w, "function", step->function);
    if (step->pivot) walk_pivot(w, step->pivot);
    walk_optional(w, "clause", step->clause);
    if (step->has_alias) walk_alias(w, &step->alias);
    leave(w);
}

static void walk_query_parts(const sql_walker *w, const sql_query *q) {
    if (q->select) walk_select(w, q->select);
    walk_queries(w, "operands", q->operand, q->operand_count);
    for (size_t i = 0; q->kind == SQL_QUERY_SET && i + 1 < q->operand_count; i++) {
        if (i == 0) list(w, "operations");
        walk_link(w, NULL, &q->link[i]);
        if (i + 2 == q->operand_count) list_end(w);
    }
    walk_expressions(w, "rows", q->row, q->row_count);
    if (q->relation) walk_relation(w, "relation", q->relation);
    for (size_t i = 0; i < q->step_count; i++) {
        if (i == 0) list(w, "steps");
        walk_step(w, &q->step[i]);
        if (i + 1 == q->step_count) list_end(w);
    }
}

static void walk_query(const sql_walker *w, const char *role, const sql_query *q) {
    static const char *const kinds[] = {
        [SQL_QUERY_SELECT] = "select",     [SQL_QUERY_SET] = "set",        [SQL_QUERY_VALUES] = "values",
        [SQL_QUERY_TABLE] = "table_query", [SQL_QUERY_PAREN] = "brackets", [SQL_QUERY_PIPE] = "pipe"};
    enter(w, role, kinds[q->kind], q->at);
    walk_with(w, q->with);
    walk_query_parts(w, q);
    walk_order(w, "order", q->order);
    walk_order(w, "sort", q->sort);
    walk_order(w, "distribute", q->distribute);
    walk_order(w, "cluster", q->cluster);
    walk_limit(w, q->limit);
    walk_expressions(w, "clauses", q->clause, q->clause_count);
    leave(w);
}

/* ---- statements ---- */

static void walk_constraint(const sql_walker *w, const char *role, const sql_constraint *c) {
    static const char *const kinds[] = {[SQL_CONSTRAINT_PRIMARY] = "primary_key",
                                        [SQL_CONSTRAINT_UNIQUE] = "unique",
                                        [SQL_CONSTRAINT_FOREIGN] = "foreign_key",
                                        [SQL_CONSTRAINT_CHECK] = "check"};
    enter(w, role, kinds[c->kind], c->at);
    flag(w, "nulls_not_distinct", c->nulls_not_distinct);
    walk_parts(w, "columns", c->column, c->column_count);
    walk_name(w, "to", &c->to);
    walk_parts(w, "to_columns", c->to_column, c->to_count);
    walk_optional(w, "check", c->check);
    leave(w);
}

static void walk_definitions(const sql_walker *w, const sql_statement *s) {
    for (size_t i = 0; i < s->definition_count; i++) {
        const sql_column_definition *d = &s->definition[i];
        if (i == 0) list(w, "definitions");
        enter(w, NULL, "column_definition", d->at);
        text(w, "type", d->type);
        flag(w, "not_null", d->is_not_null);
        flag(w, "primary_key", d->is_primary);
        flag(w, "unique", d->is_unique);
        walk_part(w, "name", &d->name);
        if (d->references) walk_constraint(w, "references", d->references);
        walk_optional(w, "generated", d->generated);
        walk_optional(w, "default", d->default_value);
        walk_expressions(w, "checks", d->check, d->check_count);
        leave(w);
        if (i + 1 == s->definition_count) list_end(w);
    }
    for (size_t i = 0; i < s->constraint_count; i++) {
        if (i == 0) list(w, "constraints");
        walk_constraint(w, NULL, &s->constraint[i]);
        if (i + 1 == s->constraint_count) list_end(w);
    }
}

static void walk_statement(const sql_walker *w, const char *role, const sql_statement *s) {
    static const char *const kinds[] = {[SQL_STATEMENT_QUERY] = "query_statement",
                                        [SQL_STATEMENT_CREATE_TABLE] = "create_table",
                                        [SQL_STATEMENT_CREATE_VIEW] = "create_view",
                                        [SQL_STATEMENT_INSERT] = "insert",
                                        [SQL_STATEMENT_MERGE] = "merge",
                                        [SQL_STATEMENT_UNKNOWN] = "unknown_statement"};
    enter(w, role, kinds[s->kind], s->at);
    text(w, "word", s->word);
    text(w, "options", s->options);
    text(w, "rest", s->rest);
    if (s->has_target) walk_name(w, "target", &s->target);
    walk_parts(w, "columns", s->column, s->column_count);
    walk_definitions(w, s);
    walk_with(w, s->with);
    if (s->query) walk_query(w, "query", s->query);
    if (s->merge_target) walk_relation(w, "merge_target", s->merge_target);
    if (s->merge_source) walk_relation(w, "merge_source", s->merge_source);
    walk_optional(w, "on", s->merge_on);
    leave(w);
}

void sql_walk_statement(const sql_statement *statement, const sql_walker *w) {
    walk_statement(w, NULL, statement);
}

void sql_walk_expression(const ast *tree, const sql_walker *w) {
    walk_expression(w, NULL, tree);
}
