/* print.c - a plan as an indented tree.
 * Called by: report, stage commands of the tests.  Must not know: how a plan was made.
 */
#include "plan/print.h"

#include <string.h>

#include "sql/parse.h"

str plan_kind_name(plan_kind kind) {
    switch (kind) {
    case PLAN_SCAN: return STR("scan");
    case PLAN_CTE: return STR("cte");
    case PLAN_RECURSION: return STR("recursion");
    case PLAN_ONE_ROW: return STR("one row");
    case PLAN_VALUES: return STR("values");
    case PLAN_FUNCTION: return STR("function");
    case PLAN_FILTER: return STR("filter");
    case PLAN_PROJECT: return STR("project");
    case PLAN_JOIN: return STR("join");
    case PLAN_AGGREGATE: return STR("aggregate");
    case PLAN_WINDOW: return STR("window");
    case PLAN_DISTINCT: return STR("distinct");
    case PLAN_SORT: return STR("sort");
    case PLAN_LIMIT: return STR("limit");
    case PLAN_SET: return STR("set");
    case PLAN_UNKNOWN: return STR("unknown");
    }
    UNREACHABLE();
}

str plan_join_name(plan_join_kind kind) {
    switch (kind) {
    case PLAN_JOIN_INNER: return STR("inner");
    case PLAN_JOIN_LEFT: return STR("left");
    case PLAN_JOIN_RIGHT: return STR("right");
    case PLAN_JOIN_FULL: return STR("full");
    case PLAN_JOIN_CROSS: return STR("cross");
    case PLAN_JOIN_SEMI: return STR("semi");
    case PLAN_JOIN_ANTI: return STR("anti");
    case PLAN_JOIN_ASOF: return STR("asof");
    case PLAN_JOIN_MARK: return STR("mark");
    case PLAN_JOIN_SCALAR: return STR("scalar");
    }
    UNREACHABLE();
}

/* ---- expressions ---- */

static void put_column(buf *out, const plan *p, column_id id) {
    buf_printf(out, STR_FMT "#%u", STR_ARG(p->column[id].name), id);
}

static void put_list(buf *out, const plan *p, const plan_expr *const *e, size_t count, str between) {
    for (size_t i = 0; i < count; i++) {
        if (i) buf_put(out, between);
        plan_print_expr(out, p, e[i]);
    }
}

static void put_infix(buf *out, const plan *p, const plan_expr *e, str between) {
    buf_put_char(out, '(');
    put_list(out, p, e->arg, e->arg_count, between);
    buf_put_char(out, ')');
}

static str compare_text(const plan_expr *e) {
    switch ((int)e->op) {
    case OP_EQ: return STR(" = ");
    case OP_NE: return STR(" <> ");
    case OP_LT: return STR(" < ");
    case OP_LE: return STR(" <= ");
    case OP_GT: return STR(" > ");
    case OP_GE: return STR(" >= ");
    default: return e->negated ? STR(" IS DISTINCT FROM ") : STR(" IS NOT DISTINCT FROM ");
    }
}

static void put_call(buf *out, const plan *p, const plan_expr *e, str name) {
    buf_put(out, name);
    buf_put_char(out, '(');
    put_list(out, p, e->arg, e->arg_count, STR(", "));
    buf_put_char(out, ')');
}

static void put_is(buf *out, const plan *p, const plan_expr *e) {
    static const char *const word[] = {
        [IS_NULL] = "NULL", [IS_TRUE] = "TRUE", [IS_FALSE] = "FALSE", [IS_UNKNOWN] = "UNKNOWN"};
    plan_print_expr(out, p, e->arg[0]);
    buf_printf(out, " IS %s%s", e->negated ? "NOT " : "", word[e->is]);
}

static void put_between(buf *out, const plan *p, const plan_expr *e) {
    plan_print_expr(out, p, e->arg[0]);
    buf_put(out, e->negated ? STR(" NOT BETWEEN ") : STR(" BETWEEN "));
    plan_print_expr(out, p, e->arg[1]);
    buf_put(out, STR(" AND "));
    plan_print_expr(out, p, e->arg[2]);
}

static void put_in(buf *out, const plan *p, const plan_expr *e) {
    plan_print_expr(out, p, e->arg[0]);
    buf_put(out, e->negated ? STR(" NOT IN (") : STR(" IN ("));
    put_list(out, p, e->arg + 1, e->arg_count - 1, STR(", "));
    buf_put_char(out, ')');
}

static void put_constant(buf *out, const plan_expr *e) {
    if (e->from)
        sql_print(out, e->from);
    else
        buf_put_char(out, '?');
}

/* a + b - c, as in the text. */
static void put_chain(buf *out, const plan *p, const plan_expr *e) {
    buf_put_char(out, '(');
    for (size_t i = 0; i < e->arg_count; i++) {
        if (i) buf_printf(out, " " STR_FMT " ", STR_ARG(e->from->link[i - 1].text));
        plan_print_expr(out, p, e->arg[i]);
    }
    buf_put_char(out, ')');
}

/* What is no operator of ours: the words of the text around the arguments say more than a name. */
static void put_other(buf *out, const plan *p, const plan_expr *e) {
    if (e->arg_count == 0) {
        put_constant(out, e);
        return;
    }
    str name = e->name.len ? e->name : e->from && e->from->op_text.len ? e->from->op_text : STR("other");
    put_call(out, p, e, name);
}

void plan_print_expr(buf *out, const plan *p, const plan_expr *e) {
    switch (e->kind) {
    case EXPR_COLUMN: put_column(out, p, e->column); return;
    case EXPR_OUTER:
        buf_put(out, STR("outer "));
        put_column(out, p, e->column);
        return;
    case EXPR_CONSTANT: put_constant(out, e); return;
    case EXPR_AND: put_infix(out, p, e, STR(" AND ")); return;
    case EXPR_OR: put_infix(out, p, e, STR(" OR ")); return;
    case EXPR_NOT:
        buf_put(out, STR("NOT "));
        plan_print_expr(out, p, e->arg[0]);
        return;
    case EXPR_COMPARE: put_list(out, p, e->arg, 2, compare_text(e)); return;
    case EXPR_IS: put_is(out, p, e); return;
    case EXPR_IN: put_in(out, p, e); return;
    case EXPR_BETWEEN: put_between(out, p, e); return;
    case EXPR_LIKE: put_call(out, p, e, e->negated ? STR("not like") : STR("like")); return;
    case EXPR_CAST:
        buf_put(out, e->is_try ? STR("TRY_CAST(") : STR("CAST("));
        put_list(out, p, e->arg, e->arg_count, STR(", "));
        buf_printf(out, " AS " STR_FMT ")", STR_ARG(e->type));
        return;
    case EXPR_CASE: put_call(out, p, e, STR("case")); return;
    case EXPR_FUNCTION:
    case EXPR_AGGREGATE:
    case EXPR_WINDOW: put_call(out, p, e, e->name); return;
    case EXPR_ARITHMETIC:
        if (e->from && e->from->kind == AST_CHAIN)
            put_chain(out, p, e);
        else
            put_other(out, p, e);
        return;
    case EXPR_OTHER: put_other(out, p, e); return;
    }
}

/* ---- operators ---- */

typedef struct pending {
    const plan_node *node;
    size_t depth;
} pending;

typedef struct printer {
    buf *out;
    const plan *p;
    const place_index *places;
    const plan_print_more *more; /* NULL: none */
    colset printed; /* ids of the operators that stand above; only those of a CTE are met again */
    pending *stack;
    size_t count, capacity;
} printer;

static void put_columns(printer *t, const column_id *id, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i) buf_put(t->out, STR(", "));
        put_column(t->out, t->p, id[i]);
    }
}

static void put_pairs(printer *t, const plan_join *j) {
    for (size_t i = 0; i < j->pair_count; i++) {
        buf_put(t->out, i ? STR(" AND ") : STR(" on "));
        put_column(t->out, t->p, j->pair[i].left);
        buf_put(t->out, j->pair[i].is_null_safe ? STR(" IS NOT DISTINCT FROM ") : STR(" = "));
        put_column(t->out, t->p, j->pair[i].right);
    }
    for (size_t i = 0; i < j->rest_count; i++) {
        buf_put(t->out, i || j->pair_count ? STR(" AND ") : STR(" on "));
        plan_print_expr(t->out, t->p, j->rest[i]);
    }
}

static void put_join(printer *t, const plan_join *j) {
    buf_put_char(t->out, ' ');
    buf_put(t->out, plan_join_name(j->kind));
    if (j->is_lateral) buf_put(t->out, STR(" lateral"));
    if (j->is_outer) buf_put(t->out, STR(" outer"));
    if (j->is_null_aware) buf_put(t->out, STR(" null-aware"));
    put_pairs(t, j);
    if (j->kind == PLAN_JOIN_MARK) {
        buf_put(t->out, STR(" as "));
        put_column(t->out, t->p, j->mark);
    }
}

static void put_sort(printer *t, const plan_sort_key *key, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i) buf_put(t->out, STR(", "));
        plan_print_expr(t->out, t->p, key[i].key);
        if (key[i].is_descending) buf_put(t->out, STR(" DESC"));
    }
}

static void put_aggregate(printer *t, const plan_aggregate *a) {
    buf_put(t->out, a->is_global ? STR(" all rows") : a->group_count ? STR(" by ") : STR(" by nothing"));
    put_columns(t, a->group, a->group_count);
    if (a->has_sets) buf_put(t->out, STR(" with sets"));
    if (a->implied_count) {
        buf_put(t->out, STR(" implied "));
        put_columns(t, a->implied, a->implied_count);
    }
}

static void put_window(printer *t, const plan_window *w) {
    if (w->partition_count) buf_put(t->out, STR(" partition by "));
    put_list(t->out, t->p, w->partition, w->partition_count, STR(", "));
    if (w->order_count) buf_put(t->out, STR(" order by "));
    put_sort(t, w->order, w->order_count);
}

static void put_limit(printer *t, const plan_node *n) {
    if (n->limit.has_count) buf_printf(t->out, " %llu", (unsigned long long)n->limit.count);
    if (n->limit.is_percent) buf_put(t->out, STR(" percent"));
    if (n->limit.has_offset) buf_put(t->out, STR(" offset"));
    if (n->limit.with_ties) buf_put(t->out, STR(" with ties"));
}

static void put_set(printer *t, const plan_set *s) {
    static const char *const word[] = {
        [SQL_SET_UNION] = " union", [SQL_SET_INTERSECT] = " intersect", [SQL_SET_EXCEPT] = " except"};
    buf_put(t->out, str_from(word[s->kind]));
    if (s->is_all) buf_put(t->out, STR(" all"));
}

static void put_detail(printer *t, const plan_node *n) {
    switch (n->kind) {
    case PLAN_SCAN:
        buf_printf(t->out, " " STR_FMT "%s", STR_ARG(n->scan.name), n->scan.relation ? "" : " undeclared");
        return;
    case PLAN_CTE: buf_printf(t->out, " " STR_FMT, STR_ARG(n->cte.name)); return;
    case PLAN_VALUES: buf_printf(t->out, " %zu rows", n->values.row_count); return;
    case PLAN_FUNCTION:
        buf_printf(t->out, " " STR_FMT "(", STR_ARG(n->function.name));
        put_list(t->out, t->p, n->function.arg, n->function.arg_count, STR(", "));
        buf_put(t->out, n->function.is_outer ? STR(") outer") : STR(")"));
        return;
    case PLAN_FILTER:
        buf_printf(t->out, " " STR_FMT, STR_ARG(n->filter.clause));
        if (n->filter.condition_count) buf_put_char(t->out, ' ');
        put_list(t->out, t->p, n->filter.condition, n->filter.condition_count, STR(" AND "));
        return;
    case PLAN_JOIN: put_join(t, &n->join); return;
    case PLAN_AGGREGATE: put_aggregate(t, &n->aggregate); return;
    case PLAN_WINDOW: put_window(t, &n->window); return;
    case PLAN_DISTINCT:
        if (n->distinct.is_on) buf_put(t->out, STR(" on "));
        put_columns(t, n->distinct.on, n->distinct.on_count);
        return;
    case PLAN_SORT:
        buf_put(t->out, STR(" by "));
        put_sort(t, n->sort.key, n->sort.key_count);
        return;
    case PLAN_LIMIT: put_limit(t, n); return;
    case PLAN_SET: put_set(t, &n->set); return;
    case PLAN_UNKNOWN: buf_printf(t->out, " " STR_FMT, STR_ARG(n->unknown.what)); return;
    case PLAN_RECURSION:
    case PLAN_ONE_ROW:
    case PLAN_PROJECT: return;
    }
}

static void put_definitions(printer *t, const column_id *made, size_t count, size_t depth) {
    for (size_t i = 0; i < count; i++) {
        const plan_column *c = &t->p->column[made[i]];
        buf_put_repeated(t->out, ' ', 2 * depth + 4);
        put_column(t->out, t->p, made[i]);
        buf_put(t->out, STR(" := "));
        if (c->definition)
            plan_print_expr(t->out, t->p, c->definition);
        else
            buf_put(t->out, STR("merged "));
        if (!c->definition) put_columns(t, c->source, c->source_count);
        buf_put_char(t->out, '\n');
    }
}

static void put_made(printer *t, const plan_node *n, size_t depth) {
    if (n->kind == PLAN_PROJECT) put_definitions(t, n->project.made, n->project.made_count, depth);
    if (n->kind == PLAN_AGGREGATE) put_definitions(t, n->aggregate.made, n->aggregate.made_count, depth);
    if (n->kind == PLAN_WINDOW) put_definitions(t, n->window.made, n->window.made_count, depth);
}

/* A plan may be far deeper than a page is wide: from this level on, a line tells its level in numbers. */
enum { MAX_INDENTED = 60 };

static void put_line(printer *t, const plan_node *n, size_t depth) {
    text_place at = place_index_find(t->places, n->at);
    size_t level = depth < MAX_INDENTED ? depth : MAX_INDENTED;
    buf_put_repeated(t->out, ' ', 2 * level);
    if (depth >= MAX_INDENTED) buf_printf(t->out, "(%zu) ", depth);
    buf_put(t->out, plan_kind_name(n->kind));
    put_detail(t, n);
    buf_put(t->out, STR(" ["));
    put_columns(t, n->column, n->column_count);
    buf_printf(t->out, "%s] %u:%u\n", n->is_open ? n->column_count ? ", ..." : "..." : "", at.line, at.column);
    put_made(t, n, level);
    if (t->more) t->more->after(t->more->context, t->out, n, 2 * level + 4);
}

/* The inputs of `n`, the last one first: what is pushed last is printed first. */
static void push_inputs(printer *t, const plan_node *n, size_t depth) {
    for (size_t i = n->input_count; i > 0; i--) {
        if (t->count == t->capacity) {
            size_t capacity = t->capacity ? 2 * t->capacity : 64;
            pending *more = ARENA_ARRAY(t->out->owner, pending, capacity);
            if (t->count) memcpy(more, t->stack, t->count * sizeof *more);
            t->stack = more, t->capacity = capacity;
        }
        t->stack[t->count++] = (pending){n->input[i - 1], depth + 1};
    }
}

/* No recursion: joins in a row are as deep as the text is long. */
static void put_tree(printer *t, const plan_node *root) {
    put_line(t, root, 0);
    push_inputs(t, root, 0);
    while (t->count) {
        pending next = t->stack[--t->count];
        if (colset_has(t->printed, next.node->id)) {
            buf_put_repeated(t->out, ' ', 2 * (next.depth < MAX_INDENTED ? next.depth : MAX_INDENTED));
            buf_put(t->out, STR("(as above)\n"));
            continue;
        }
        colset_add(&t->printed, next.node->id, t->out->owner);
        put_line(t, next.node, next.depth);
        push_inputs(t, next.node, next.depth);
    }
}

void plan_print_tree(buf *out, const plan *p, const place_index *places, const plan_print_more *more) {
    printer t = {.out = out, .p = p, .places = places, .more = more};
    put_tree(&t, p->root);
}

void plan_print(buf *out, const plan *p, const place_index *places) {
    printer t = {.out = out, .p = p, .places = places};
    for (size_t i = 0; i < p->result_count; i++) {
        buf_put(out, i ? STR(", ") : STR("result "));
        buf_printf(out, STR_FMT "=#%u", STR_ARG(p->result[i].name), p->result[i].column);
    }
    buf_put(out, p->result_is_open ? p->result_count ? STR(", ...\n") : STR("result ...\n") : STR("\n"));
    put_tree(&t, p->root);
}
