/* bind_from.c - FROM: relations and joins.
 * Called by: plan/bind_*.c.  Must not know: select lists.
 *
 * Each relation is bound in a scope of its own, which then becomes part of the scope on its left. What is LATERAL, and
 * every table function, sees that scope as the one around it.
 */
#include "plan/bind_int.h"

static lp_status bind_relation(binder *b, scope *s, scope *left, const sql_relation *r);

/* ---- names ---- */

static lp_status name_relation(binder *b, relation *r, const sql_relation *from, plain_name plain) {
    r->has_name = true;
    r->name = plain;
    if (from->has_alias && from->alias.has_name) {
        r->name = name_of_part(&from->alias.name);
        r->written = NULL;
    }
    if (!from->has_alias) return LP_OK;
    return relation_rename(b, r, from->alias.column, from->alias.column_count, from->alias.at);
}

static plain_name name_of_cte(const void *list, uint32_t at) {
    return ((const cte_name *)list)[at].name;
}

static relation *find_cte(binder *b, const sql_name *name) {
    if (name->part_count != 1) return NULL;
    named_list all = {b->cte, b->cte_count, name_of_cte, &b->cte_names, b->rules, b->owner};
    uint32_t at = named_last(&all, name_of_part(&name->part[0]));
    return at == NO_ENTRY ? NULL : b->cte[at].result;
}

static relation *scan(binder *b, str name, const catalog_relation *declared, span at) {
    draft *d = bind_node(b, PLAN_SCAN, at, NULL, 0);
    d->node.scan.name = name;
    d->node.scan.relation = declared;
    d->node.is_open = !declared || declared->is_open;
    relation *r = relation_new(b, d);
    r->is_open = d->node.is_open;
    for (size_t i = 0; declared && i < declared->column_count; i++) {
        const catalog_column *c = &declared->column[i];
        column_id id = bind_column(
            b, (plan_column){.name = c->name, .at = at, .origin = COLUMN_BASE, .made_by = &d->node, .declared = c});
        draft_add(b, d, id);
        relation_add(b, r, (plain_name){c->name, c->is_quoted}, id);
    }
    r->known_count = declared && !declared->is_open ? r->column_count : 0;
    return r;
}

/* FROM t, t.items: the elements of a column of an item on the left. */
static bool is_array_of_left(const binder *b, const scope *left, const sql_name *name) {
    return b->rules->arrays_in_from && left && name->part_count >= 2 && scope_relation(b, left, name->part, 1);
}

static relation *function_relation(binder *b, draft *d, str name) {
    d->node.function.name = name;
    return relation_new(b, d);
}

static column_id new_function_column(binder *b, draft *d, str name, span at, column_origin origin) {
    column_id id = bind_column(b, (plan_column){.name = name, .at = at, .origin = origin, .made_by = &d->node});
    draft_add(b, d, id);
    return id;
}

static lp_status bind_array(binder *b, scope *s, scope *left, const sql_relation *from) {
    draft *d = bind_node(b, PLAN_FUNCTION, from->at, NULL, 0);
    scope *inside = scope_new(b, left, d);
    ast *name = ARENA_NEW(b->owner, ast);
    *name = (ast){.kind = AST_NAME,
                  .at = from->name.at,
                  .height = 1,
                  .part = from->name.part,
                  .part_count = from->name.part_count};
    const plan_expr **arg = ARENA_NEW(b->owner, const plan_expr *);
    TRY(bind_expr(b, inside, PLACE_ROW, name, arg));
    relation *r = function_relation(b, d, STR("unnest"));
    d->node.function.arg = arg;
    d->node.function.arg_count = 1;
    const ast_part *last = &from->name.part[from->name.part_count - 1];
    plain_name plain = from->has_alias && from->alias.has_name ? name_of_part(&from->alias.name) : name_of_part(last);
    relation_add(b, r, plain, new_function_column(b, d, plain.text, from->at, COLUMN_FUNCTION));
    if (from->has_offset) {
        plain_name offset =
            from->has_offset_name ? name_of_part(&from->offset_name) : (plain_name){STR("offset"), false};
        relation_add(b, r, offset, new_function_column(b, d, offset.text, from->at, COLUMN_ORDINALITY));
    }
    r->is_open = d->node.is_open = true; /* elements may be structs, whose fields are found by their names */
    r->known_count = r->column_count;
    r->has_name = true;
    r->name = plain;
    s->top = d;
    scope_add_relation(b, s, r);
    return LP_OK;
}

static lp_status bind_name(binder *b, scope *s, scope *left, const sql_relation *from) {
    if (is_array_of_left(b, left, &from->name)) return bind_array(b, s, left, from);
    str written = span_text(b->text, from->name.part_count ? from->name.at : from->at);
    relation *cte = find_cte(b, &from->name), *r;
    if (cte) {
        r = relation_refer(b, cte, written, from->at);
    } else {
        const catalog_relation *declared =
            b->catalog && from->name.part_count ? b->catalog->find(b->catalog->context, &from->name) : NULL;
        r = scan(b, written, declared, from->at);
        r->written = &from->name;
    }
    s->top = r->top;
    plain_name plain = {written, false};
    if (from->name.part_count) plain = name_of_part(&from->name.part[from->name.part_count - 1]);
    TRY(name_relation(b, r, from, plain));
    if (cte) relation_number_duplicates(b, r);
    scope_add_relation(b, s, r);
    return LP_OK;
}

static lp_status bind_derived(binder *b, scope *s, scope *left, const sql_relation *from) {
    relation *inner;
    TRY(bind_query(b, from->query, from->is_lateral && left ? left : s->outer, &inner));
    relation *r = relation_new(b, inner->top);
    *r = *inner;
    if (r->is_open) { /* a list of its own: names are added to it */
        r->source = inner;
        r->column = NULL;
        r->column_count = r->column_capacity = 0;
        relation_forget_names(b, r);
        for (uint32_t i = 0; i < inner->known_count; i++)
            relation_add(b, r, inner->column[i].name, inner->column[i].id);
    }
    s->top = r->top;
    TRY(name_relation(b, r, from, (plain_name){STR(""), true}));
    relation_number_duplicates(b, r);
    r->has_name = from->has_alias && from->alias.has_name;
    scope_add_relation(b, s, r);
    return LP_OK;
}

/* ---- table functions ---- */

static const char *const flatten_columns[] = {"seq", "key", "path", "index", "value", "this", NULL};
static const char *const position_columns[] = {"pos", "col", NULL};
static const char *const explode_columns[] = {"col", NULL};
static const char *const no_columns[] = {NULL};

static str function_name(binder *b, const ast *call) {
    if (!call->call || call->call->name.part_count == 0) return str_copy(b->owner, call->text);
    return str_copy_lower(b->owner, call->call->name.part[call->call->name.part_count - 1].text);
}

static const char *const *columns_of(str name) {
    if (str_eq(name, STR("flatten"))) return flatten_columns;
    if (str_eq(name, STR("posexplode")) || str_eq(name, STR("posexplode_outer"))) return position_columns;
    if (str_eq(name, STR("explode")) || str_eq(name, STR("explode_outer"))) return explode_columns;
    return no_columns;
}

/* Functions of one value may stand in FROM too, in PostgreSQL. */
static bool gives_one_column(const binder *b, str name) {
    static const char *const plain[] = {"abs", "concat", "current_date", "length", "lower", "now", "upper"};
    for (size_t i = 0; b->dialect == DIALECT_postgres && i < sizeof plain / sizeof *plain; i++)
        if (str_eq(name, str_from(plain[i]))) return true;
    return str_eq(name, STR("unnest")) || str_eq(name, STR("generate_series")) || str_eq(name, STR("range"));
}

static bool is_outer_function(const ast *call, str name) {
    if (str_ends_with(name, STR("_outer"))) return true;
    for (size_t i = 0; call->call && call->call->argument_name && i < call->call->argument_count; i++)
        if (str_eq_nocase(call->call->argument_name[i], STR("outer")))
            return call->arg[i]->kind == AST_BOOLEAN && str_eq_nocase(call->arg[i]->text, STR("true"));
    return false;
}

/* Columns: those that the alias lists, else those that the function is known to have; else one by the name of the alias
 * for functions of one column; else any. */
static void name_function_columns(binder *b, relation *r, const sql_relation *from, str name, size_t arg_count) {
    draft *d = r->top;
    const char *const *known = columns_of(name);
    if (from->has_alias && from->alias.column_count) {
        for (size_t i = 0; i < from->alias.column_count; i++) {
            plain_name column = name_of_part(&from->alias.column[i]);
            bool counts = from->has_ordinality && i + 1 == from->alias.column_count;
            relation_add(
                b, r, column,
                new_function_column(b, d, column.text, from->at, counts ? COLUMN_ORDINALITY : COLUMN_FUNCTION));
        }
        return;
    }
    for (size_t i = 0; known[i]; i++) {
        str column = str_from(known[i]);
        relation_add(b, r, (plain_name){column, false}, new_function_column(b, d, column, from->at, COLUMN_FUNCTION));
    }
    if (!known[0] && gives_one_column(b, name)) {
        bool by_alias = b->rules->function_names_column && from->has_alias && from->alias.has_name;
        plain_name column = by_alias ? name_of_part(&from->alias.name) : (plain_name){name, false};
        relation_add(b, r, column, new_function_column(b, d, column.text, from->at, COLUMN_FUNCTION));
        r->is_open = b->dialect == DIALECT_bigquery ||
                     (arg_count > 1 && str_eq(name, STR("unnest"))); /* fields of structs; several arrays */
    } else if (!known[0]) {
        r->is_open = true;
    }
    if (from->has_ordinality || from->has_offset) {
        plain_name count = {from->has_offset ? STR("offset") : STR("ordinality"), false};
        if (from->has_offset_name) count = name_of_part(&from->offset_name);
        relation_add(b, r, count, new_function_column(b, d, count.text, from->at, COLUMN_ORDINALITY));
    }
}

static lp_status bind_function_args(binder *b, scope *inside, const ast *call, draft *d) {
    const plan_expr **arg = ARENA_ARRAY(b->owner, const plan_expr *, call->arg_count);
    size_t count = 0;
    for (size_t i = 0; i < call->arg_count; i++) {
        const ast *a = call->arg[i];
        if (a->kind == AST_SUBQUERY || (a->kind == AST_OTHER && a->form == FORM_STAR)) continue; /* f(TABLE ...) */
        TRY(bind_expr(b, inside, PLACE_ROW, a, &arg[count]));
        count++;
    }
    d->node.function.arg = arg;
    d->node.function.arg_count = count;
    return LP_OK;
}

static lp_status bind_table_function(binder *b, scope *s, scope *left, const sql_relation *from) {
    draft *d = bind_node(b, PLAN_FUNCTION, from->at, NULL, 0);
    scope *inside = scope_new(b, left ? left : s->outer, d);
    const ast *call = from->function_count ? from->function[0] : NULL;
    str name = call && from->function_count == 1 ? function_name(b, call) : STR("rows from");
    relation *r = function_relation(b, d, name);
    for (size_t i = 0; i < from->function_count; i++) TRY(bind_function_args(b, inside, from->function[i], d));
    d->node.function.is_outer = call && is_outer_function(call, name);
    d->node.function.has_ordinality = from->has_ordinality || from->has_offset;
    name_function_columns(b, r, from, name, call ? call->arg_count : 0);
    d->node.is_open = r->is_open;
    r->known_count = r->column_count;
    r->has_name = true;
    r->name = from->has_alias && from->alias.has_name ? name_of_part(&from->alias.name) : (plain_name){name, false};
    s->top = d;
    scope_add_relation(b, s, r);
    return LP_OK;
}

/* ---- joins ---- */

static plan_join_kind kind_of_join(const sql_join *join) {
    if (!join) return PLAN_JOIN_CROSS;
    if (join->is_asof && (join->kind == SQL_JOIN_INNER || join->kind == SQL_JOIN_LEFT)) return PLAN_JOIN_ASOF;
    switch (join->kind) {
    case SQL_JOIN_INNER: return PLAN_JOIN_INNER;
    case SQL_JOIN_LEFT: return PLAN_JOIN_LEFT;
    case SQL_JOIN_RIGHT: return PLAN_JOIN_RIGHT;
    case SQL_JOIN_FULL:
    case SQL_JOIN_POSITIONAL: return PLAN_JOIN_FULL;
    case SQL_JOIN_CROSS: return PLAN_JOIN_CROSS;
    case SQL_JOIN_LEFT_SEMI:
    case SQL_JOIN_RIGHT_SEMI: return PLAN_JOIN_SEMI;
    case SQL_JOIN_LEFT_ANTI:
    case SQL_JOIN_RIGHT_ANTI: return PLAN_JOIN_ANTI;
    case SQL_JOIN_LATERAL_VIEW: return PLAN_JOIN_INNER;
    case SQL_JOIN_LATERAL_VIEW_OUTER: return PLAN_JOIN_LEFT;
    }
    UNREACHABLE();
}

static bool is_semi(plan_join_kind kind) {
    return kind == PLAN_JOIN_SEMI || kind == PLAN_JOIN_ANTI;
}

/* Is the condition one of which nothing can be said: does a subquery stand in it? */
static bool has_subquery(const ast *a) {
    if (a->kind == AST_SUBQUERY) return true;
    for (size_t i = 0; i < a->arg_count; i++)
        if (has_subquery(a->arg[i])) return true;
    return false;
}

static colset columns_of_draft(binder *b, const draft *d) {
    colset all = COLSET_EMPTY;
    for (size_t i = 0; i < d->node.column_count; i++) colset_add(&all, d->node.column[i], b->owner);
    return all;
}

typedef struct condition {
    plan_pair *pair;
    uint32_t pair_count, pair_capacity;
    const plan_expr **rest;
    uint32_t rest_count, rest_capacity;
    bool filters; /* an inner join: what holds a subquery filters its rows */
    const ast **above;
    uint32_t above_count, above_capacity;
} condition;

/* A condition of which nothing is known. */
static void add_unknown(binder *b, condition *c, const ast *from, span at) {
    plan_expr *e = expr_new(b, EXPR_OTHER, from, at, NULL, 0);
    e->is_volatile = true;
    BIND_PUSH(b, c->rest, c->rest_count, c->rest_capacity, e);
}

/* A subquery is asked about rows of both sides, so its answer stands above the join. Of an inner join the condition can
 * stand there too. Any other join must know it before: there the answer is not used, and the condition is unknown. */
static lp_status collect_on(binder *b, scope *s, const ast *from, condition *out) {
    const ast *a = ast_without_parens(from);
    if (a->kind == AST_CHAIN && a->op == OP_AND) {
        for (size_t i = 0; i < a->arg_count; i++) TRY(collect_on(b, s, a->arg[i], out));
        return LP_OK;
    }
    bool with_subquery = has_subquery(a);
    if (with_subquery && out->filters) {
        BIND_PUSH(b, out->above, out->above_count, out->above_capacity, a);
        return LP_OK;
    }
    const plan_expr *e;
    TRY(bind_expr(b, s, PLACE_ROW, a, &e));
    if (with_subquery)
        add_unknown(b, out, a, a->at);
    else
        BIND_PUSH(b, out->rest, out->rest_count, out->rest_capacity, e);
    return LP_OK;
}

/* a.x = b.y between the sides becomes a pair; the rest stays as it is. */
static void split_pairs(binder *b, draft *join, const draft *left, const draft *right, condition *c) {
    colset left_columns = columns_of_draft(b, left), right_columns = columns_of_draft(b, right);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->rest_count; i++) {
        const plan_expr *e = c->rest[i];
        bool equates = e->kind == EXPR_COMPARE && (e->op == OP_EQ || e->op == OP_NULLSAFE_EQ) && !e->negated &&
                       e->arg[0]->kind == EXPR_COLUMN && e->arg[1]->kind == EXPR_COLUMN;
        column_id x = equates ? e->arg[0]->column : 0, y = equates ? e->arg[1]->column : 0;
        bool straight = equates && colset_has(left_columns, x) && colset_has(right_columns, y);
        bool crossed = equates && colset_has(left_columns, y) && colset_has(right_columns, x);
        if (straight || crossed) {
            plan_pair pair = {straight ? x : y, straight ? y : x, e->op == OP_NULLSAFE_EQ, e->at};
            BIND_PUSH(b, c->pair, c->pair_count, c->pair_capacity, pair);
        } else {
            c->rest[kept++] = e;
        }
    }
    join->node.join.pair = c->pair;
    join->node.join.pair_count = c->pair_count;
    join->node.join.rest = c->rest;
    join->node.join.rest_count = kept;
}

/* ---- USING and NATURAL ---- */

/* The place of this column under this name, from `first` on. */
static uint32_t find_visible(const binder *b, const scope *s, uint32_t first, plain_name name, column_id id) {
    named_list all = scope_visible(b, s);
    for (uint32_t i = named_first(&all, name); i != NO_ENTRY; i = named_next(&all, i, name))
        if (i >= first && !s->visible[i].is_rest && s->visible[i].id == id) return i;
    return NO_ENTRY;
}

/* One column may stand under several names; only the one of USING is merged. */
static void drop_visible(const binder *b, scope *s, uint32_t first, plain_name name, column_id id) {
    uint32_t at;
    while ((at = find_visible(b, s, first, name, id)) != NO_ENTRY)
        s->visible[at].is_rest = s->visible[at].by_name_only = true;
}

/* Entries that drop_visible marked go. */
static void compact_visible(binder *b, scope *s) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->visible_count; i++)
        if (!(s->visible[i].is_rest && s->visible[i].by_name_only)) s->visible[kept++] = s->visible[i];
    s->visible_count = kept;
    scope_forget_names(b, s);
}

static column_id merged_column(binder *b, draft **top, plan_join_kind kind, plain_name name, column_id left,
                               column_id right, span at) {
    if (kind == PLAN_JOIN_RIGHT) return right;
    if (kind != PLAN_JOIN_FULL) return left;
    if ((*top)->node.kind != PLAN_PROJECT) {
        draft *d = bind_node(b, PLAN_PROJECT, at, top, 1);
        draft_pass(b, d, *top);
        *top = d;
    }
    column_id *source = ARENA_ARRAY(b->owner, column_id, 2);
    source[0] = left;
    source[1] = right;
    column_id id = bind_column(b, (plan_column){.name = name.text,
                                                .at = at,
                                                .origin = COLUMN_MERGED,
                                                .made_by = &(*top)->node,
                                                .source = source,
                                                .source_count = 2});
    draft_add(b, *top, id);
    column_id *made = (column_id *)(*top)->node.project.made;
    uint32_t made_count = (uint32_t)(*top)->node.project.made_count;
    BIND_PUSH(b, made, made_count, (*top)->made_capacity, id);
    (*top)->node.project.made = made;
    (*top)->node.project.made_count = made_count;
    return id;
}

typedef struct shared_column {
    plain_name name;
    column_id left, right;
    span at;
} shared_column;

static lp_status find_shared(binder *b, scope *left, scope *right, const ast_part *part, shared_column *out) {
    name_meaning l = scope_find_bare(b, left, part), r = scope_find_bare(b, right, part);
    name_state bad = l.state != NAME_FOUND ? l.state : r.state;
    if (bad != NAME_FOUND)
        return bind_refuse(b, part->at,
                           bad == NAME_AMBIGUOUS ? "the name " STR_FMT " is ambiguous on one side"
                                                 : "no column " STR_FMT " on both sides",
                           STR_ARG(part->text));
    *out = (shared_column){name_of_part(part), l.id, r.id, part->at};
    return LP_OK;
}

static plain_name name_of_shared(const void *list, uint32_t at) {
    return ((const shared_column *)list)[at].name;
}

static lp_status find_natural(binder *b, const scope *left, const scope *right, shared_column **list, uint32_t *count,
                              span at) {
    uint32_t capacity = 0;
    hash_index names = {0};
    named_list on_right = scope_visible(b, right);
    for (uint32_t i = 0; i < left->visible_count; i++) {
        const visible *v = &left->visible[i];
        if (v->is_rest || v->by_name_only) continue;
        for (uint32_t k = named_first(&on_right, v->name); k != NO_ENTRY; k = named_next(&on_right, k, v->name)) {
            const visible *w = &right->visible[k];
            if (w->is_rest || w->by_name_only) continue;
            named_list before = {*list, *count, name_of_shared, &names, b->rules, b->owner};
            if (b->rules->strict_duplicates && named_first(&before, v->name) != NO_ENTRY)
                return bind_refuse(b, at, "the name " STR_FMT " is ambiguous on one side", STR_ARG(v->name.text));
            shared_column c = {v->name, v->id, w->id, {0, 0}};
            BIND_PUSH(b, *list, *count, capacity, c);
        }
    }
    return LP_OK;
}

static bool has_rest(const scope *s) {
    for (uint32_t i = 0; i < s->visible_count; i++)
        if (s->visible[i].is_rest) return true;
    return false;
}

/* Each merged column stands where the left side had it. */
static void merge_in_place(binder *b, scope *s, plan_join_kind kind, const shared_column *shared, uint32_t count,
                           span at) {
    for (uint32_t i = 0; i < count; i++) {
        column_id id = merged_column(b, &s->top, kind, shared[i].name, shared[i].left, shared[i].right, at);
        uint32_t place = find_visible(b, s, 0, shared[i].name, shared[i].left);
        drop_visible(b, s, 0, shared[i].name, shared[i].left);
        drop_visible(b, s, 0, shared[i].name, shared[i].right);
        if (place != NO_ENTRY) s->visible[place] = (visible){.name = shared[i].name, .id = id};
    }
    compact_visible(b, s);
}

/* The merged columns come first, once; those of the sides are found by their relation's name only. */
static void merge_shared(binder *b, scope *s, plan_join_kind kind, const shared_column *shared, uint32_t count,
                         span at) {
    visible *old = s->visible;
    uint32_t old_count = s->visible_count;
    s->visible = NULL;
    s->visible_count = s->visible_capacity = 0;
    scope_forget_names(b, s);
    for (uint32_t i = 0; i < count; i++) {
        column_id id = merged_column(b, &s->top, kind, shared[i].name, shared[i].left, shared[i].right, at);
        visible v = {.name = shared[i].name, .id = id};
        BIND_PUSH(b, s->visible, s->visible_count, s->visible_capacity, v);
    }
    uint32_t first = s->visible_count;
    for (uint32_t i = 0; i < old_count; i++) BIND_PUSH(b, s->visible, s->visible_count, s->visible_capacity, old[i]);
    for (uint32_t i = 0; i < count; i++) {
        drop_visible(b, s, first, shared[i].name, shared[i].left);
        drop_visible(b, s, first, shared[i].name, shared[i].right);
    }
    compact_visible(b, s);
}

/* ---- putting two sides together ---- */

static void take_over(binder *b, scope *s, const scope *right) {
    for (uint32_t i = 0; i < right->relation_count; i++)
        BIND_PUSH(b, s->relation, s->relation_count, s->relation_capacity, right->relation[i]);
    for (uint32_t i = 0; i < right->visible_count; i++)
        BIND_PUSH(b, s->visible, s->visible_count, s->visible_capacity, right->visible[i]);
}

static bool is_lateral(const sql_relation *r) {
    return r->is_lateral || r->kind == SQL_RELATION_FUNCTION || r->kind == SQL_RELATION_NAME;
}

/* The last column of USING in an ASOF join without a condition of its own: the left is at or behind the right. */
static void add_at_least(binder *b, condition *c, const plan_pair *p) {
    const plan_expr **arg = ARENA_ARRAY(b->owner, const plan_expr *, 2);
    arg[0] = expr_column(b, p->left, NULL, p->at);
    arg[1] = expr_column(b, p->right, NULL, p->at);
    plan_expr *e = expr_new(b, EXPR_COMPARE, NULL, p->at, arg, 2);
    e->op = OP_GE;
    BIND_PUSH(b, c->rest, c->rest_count, c->rest_capacity, e);
}

static lp_status collect_join(binder *b, scope *s, const sql_join *join, const shared_column *shared,
                              uint32_t shared_count, condition *c) {
    bool last_is_order = join && join->is_asof && join->has_using && !join->match; /* DuckDB */
    for (uint32_t i = 0; i < shared_count; i++) {
        plan_pair pair = {shared[i].left, shared[i].right, false, shared[i].at};
        if (last_is_order && i + 1 == shared_count)
            add_at_least(b, c, &pair);
        else
            BIND_PUSH(b, c->pair, c->pair_count, c->pair_capacity, pair);
    }
    if (join && join->on) TRY(collect_on(b, s, join->on, c));
    if (join && join->match) TRY(collect_on(b, s, join->match, c));
    return LP_OK;
}

static lp_status find_all_shared(binder *b, scope *s, scope *right, const sql_join *join, shared_column **shared,
                                 uint32_t *count) {
    if (!join) return LP_OK;
    if (join->has_using) *shared = ARENA_ARRAY(b->owner, shared_column, join->using_count);
    for (size_t i = 0; join->has_using && i < join->using_count; i++)
        TRY(find_shared(b, s, right, &join->using_column[i], &(*shared)[(*count)++]));
    if (join->is_natural) TRY(find_natural(b, s, right, shared, count, join->at));
    if (join->is_natural && *count == 0 && b->rules->natural_needs_columns && !has_rest(s) && !has_rest(right))
        return bind_refuse(b, join->at, "no column stands on both sides of NATURAL JOIN");
    return LP_OK;
}

/* Relations of one name without an alias are told apart by their schemas. */
static bool is_one_table(const binder *b, const relation *x, const relation *y) {
    return !x->written || !y->written || str_eq(span_text(b->text, x->written->at), span_text(b->text, y->written->at));
}

static lp_status check_aliases(binder *b, const scope *left, const scope *right, span at) {
    named_list known = scope_relations(b, left);
    for (uint32_t i = 0; b->rules->unique_aliases && i < right->relation_count; i++) {
        const relation *r = right->relation[i];
        if (!r->has_name) continue;
        for (uint32_t k = named_first(&known, r->name); k != NO_ENTRY; k = named_next(&known, k, r->name))
            if (is_one_table(b, left->relation[k], r))
                return bind_refuse(b, at, "two relations are called " STR_FMT, STR_ARG(r->name.text));
    }
    return LP_OK;
}

/* A semi or anti join whose condition asks a subquery about rows of both sides: over their pairs. */
static draft *unknown_semi(binder *b, scope *s, span at) {
    draft *d = bind_node(b, PLAN_UNKNOWN, at, &s->top, 1);
    d->node.unknown.what = STR("a subquery in the condition of a semi or anti join");
    s->top = d;
    return d;
}

lp_status bind_joined(binder *b, scope *s, const sql_join *join, const sql_relation *right_from) {
    bool lateral = is_lateral(right_from) ||
                   (join && (join->kind == SQL_JOIN_LATERAL_VIEW || join->kind == SQL_JOIN_LATERAL_VIEW_OUTER));
    scope *right = scope_new(b, s->outer, NULL);
    TRY(bind_relation(b, right, lateral ? s : NULL, right_from));
    TRY(check_aliases(b, s, right, right_from->at));
    shared_column *shared = NULL;
    uint32_t shared_count = 0;
    TRY(find_all_shared(b, s, right, join, &shared, &shared_count));
    bool swapped = join && (join->kind == SQL_JOIN_RIGHT_SEMI || join->kind == SQL_JOIN_RIGHT_ANTI);
    draft *left_top = swapped ? right->top : s->top, *right_top = swapped ? s->top : right->top;
    draft *input[2] = {left_top, right_top};
    plan_join_kind kind = kind_of_join(join);
    bool is_unknown = is_semi(kind) && join->on && has_subquery(join->on);
    span at = join ? span_join(join->at, right_from->at) : right_from->at;
    draft *d = bind_node(b, PLAN_JOIN, at, input, 2);
    d->node.join = (plan_join){.kind = is_unknown ? PLAN_JOIN_INNER : kind,
                               .is_lateral = right_top->node.kind == PLAN_FUNCTION || right_from->is_lateral,
                               .is_outer = kind == PLAN_JOIN_ASOF && (join->kind == SQL_JOIN_LEFT || b->dialect == DIALECT_snowflake),
                               .on = join && join->on ? join->on->at
                                     : join           ? join->at
                                                      : right_from->at};
    draft_pass(b, d, left_top);
    draft_pass(b, d, right_top);
    scope left_alone = *s;
    s->top = d;
    take_over(b, s, right);
    condition c = {.filters = kind == PLAN_JOIN_INNER || kind == PLAN_JOIN_CROSS};
    TRY(collect_join(b, s, join, shared, shared_count, &c));
    bool picks_rows = join && (join->kind == SQL_JOIN_POSITIONAL || (join->is_asof && kind != PLAN_JOIN_ASOF && !is_semi(kind)));
    if (picks_rows) add_unknown(b, &c, NULL, join->at);
    if (join && join->is_natural && (has_rest(&left_alone) || has_rest(right))) add_unknown(b, &c, NULL, join->at);
    split_pairs(b, d, left_top, right_top, &c);
    for (uint32_t i = 0; i < c.above_count; i++) TRY(bind_condition(b, s, PLACE_ROW, c.above[i], STR("ON")));
    if (is_semi(kind)) { /* the other side's columns end here */
        if (is_unknown) d = unknown_semi(b, s, at);
        scope *kept = swapped ? right : &left_alone;
        s->relation = kept->relation;
        s->relation_count = kept->relation_count;
        s->relation_capacity = kept->relation_capacity;
        s->visible = kept->visible;
        s->visible_count = kept->visible_count;
        s->visible_capacity = kept->visible_capacity;
        scope_forget_names(b, s);
        d->node.column_count = d->member_count = 0;
        d->member = COLSET_EMPTY;
        draft_pass(b, d, left_top);
        return LP_OK;
    }
    if (shared_count) (b->rules->merged_in_place ? merge_in_place : merge_shared)(b, s, kind, shared, shared_count, at);
    s->has_using |= join && join->has_using;
    return LP_OK;
}

lp_status bind_from(binder *b, scope *s, const sql_relation *const *from, size_t count, span at) {
    if (count == 0) {
        s->top = bind_node(b, PLAN_ONE_ROW, at, NULL, 0);
        return LP_OK;
    }
    TRY(bind_relation(b, s, NULL, from[0]));
    for (size_t i = 1; i < count; i++) TRY(bind_joined(b, s, NULL, from[i]));
    return LP_OK;
}

/* ---- all kinds ---- */

void bind_unknown(binder *b, scope *s, str what, span at) {
    draft *d = bind_node(b, PLAN_UNKNOWN, at, &s->top, s->top ? 1 : 0);
    d->node.unknown.what = what;
    d->node.is_open = true;
    relation *r = relation_new(b, d);
    r->is_open = true;
    scope_become(b, s, r);
}

/* (a JOIN b) AS x: what is inside has one name from here on. */
static lp_status hide_inside(binder *b, scope *s, const sql_relation *from) {
    relation *r = relation_new(b, s->top);
    uint32_t open = 0;
    for (uint32_t i = 0; i < s->visible_count; i++) {
        const visible *v = &s->visible[i];
        if (v->is_rest) {
            open++;
            r->source = (relation *)v->of;
        } else if (!v->by_name_only || !v->of || v->of->is_open) {
            relation_add(b, r, v->name, v->id);
        }
    }
    r->is_open = open > 0;
    r->is_stray = open > 1;
    if (r->is_stray) r->source = NULL;
    r->known_count = r->is_open ? 0 : r->column_count;
    TRY(name_relation(b, r, from, name_of_part(&from->alias.name)));
    scope_become(b, s, r);
    return LP_OK;
}

/* Samples drop rows; which ones is not known. */
static bool is_sample(const ast *clause) {
    return str_starts_with(clause->text, STR("TABLESAMPLE")) || str_starts_with(clause->text, STR("SAMPLE"));
}

/* Hints are gone; what is kept beside samples reads other rows of the table. */
static void mark_altered(scope *s, const sql_relation *r) {
    if (s->top->node.kind != PLAN_SCAN) return;
    bool altered = r->is_only;
    for (size_t i = 0; i < r->clause_count; i++) altered |= !is_sample(r->clause[i]);
    for (size_t i = 0; i < r->clause_behind_count; i++) altered |= !is_sample(r->clause_behind[i]);
    s->top->node.scan.is_altered = altered;
}

static void bind_samples(binder *b, scope *s, const ast *const *clause, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!is_sample(clause[i])) continue;
        draft *d = bind_node(b, PLAN_FILTER, clause[i]->at, &s->top, 1);
        d->node.filter.clause = STR("SAMPLE");
        draft_pass(b, d, s->top);
        s->top = d;
    }
}

static lp_status bind_kind(binder *b, scope *s, scope *left, const sql_relation *r) {
    switch (r->kind) {
    case SQL_RELATION_NAME: return bind_name(b, s, left, r);
    case SQL_RELATION_FILE: {
        bool may_be_declared = b->catalog && b->catalog->find_file;
        relation *file =
            scan(b, r->text, may_be_declared ? b->catalog->find_file(b->catalog->context, r->text) : NULL, r->at);
        s->top = file->top;
        TRY(name_relation(b, file, r, (plain_name){r->text, true}));
        scope_add_relation(b, s, file);
        return LP_OK;
    }
    case SQL_RELATION_QUERY: return bind_derived(b, s, left, r);
    case SQL_RELATION_FUNCTION: return bind_table_function(b, s, left, r);
    case SQL_RELATION_JOIN:
        TRY(bind_relation(b, s, left, r->operand[0]));
        for (size_t i = 1; i < r->operand_count; i++) TRY(bind_joined(b, s, &r->join[i - 1], r->operand[i]));
        return LP_OK;
    case SQL_RELATION_PAREN:
        TRY(bind_relation(b, s, left, r->operand[0]));
        return r->has_alias && r->alias.has_name ? hide_inside(b, s, r) : LP_OK;
    case SQL_RELATION_PIVOT:
        TRY(bind_relation(b, s, left, r->operand[0]));
        TRY(bind_pivot(b, s, r->pivot, r->at));
        return r->has_alias && r->alias.has_name ? hide_inside(b, s, r) : LP_OK;
    case SQL_RELATION_UNKNOWN:
        if (r->operand_count) TRY(bind_relation(b, s, left, r->operand[0]));
        bind_unknown(b, s, r->text, r->at);
        return r->has_alias && r->alias.has_name ? hide_inside(b, s, r) : LP_OK;
    }
    UNREACHABLE();
}

static lp_status bind_relation(binder *b, scope *s, scope *left, const sql_relation *r) {
    TRY(bind_kind(b, s, left, r));
    mark_altered(s, r);
    bind_samples(b, s, r->clause, r->clause_count);
    bind_samples(b, s, r->clause_behind, r->clause_behind_count);
    return LP_OK;
}

/* ---- rows out of a select list ---- */

lp_status bind_rows_of_call(binder *b, scope *s, const ast *call, const ast_part *name, size_t count,
                            column_id *out) {
    draft *d = bind_node(b, PLAN_FUNCTION, call->at, NULL, 0);
    scope *inside = scope_new(b, s, d);
    d->node.function.name = function_name(b, call);
    TRY(bind_function_args(b, inside, call, d));
    /* Side by side with another, the shorter one is filled up with NULLs. */
    bool has_other = s->top->node.kind == PLAN_JOIN && s->top->node.input[1]->kind == PLAN_FUNCTION &&
                     s->top->node.join.is_lateral;
    d->node.function.is_outer = has_other || is_outer_function(call, d->node.function.name);
    if (has_other) ((plan_node *)s->top->node.input[1])->function.is_outer = true;
    for (size_t i = 0; i < count; i++) {
        str column = name ? name[i].text : d->node.function.name;
        out[i] = new_function_column(b, d, column, name ? name[i].at : call->at, COLUMN_FUNCTION);
    }
    d->node.is_open = count == 0;
    draft *input[2] = {s->top, d};
    draft *join = bind_node(b, PLAN_JOIN, call->at, input, 2);
    join->node.join = (plan_join){
        .kind = d->node.function.is_outer ? PLAN_JOIN_LEFT : PLAN_JOIN_CROSS, .is_lateral = true, .on = call->at};
    draft_pass(b, join, s->top);
    draft_pass(b, join, d);
    s->top = join;
    return LP_OK;
}
