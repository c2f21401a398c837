/* bind_select.c - one SELECT: its list, GROUP BY, HAVING, windows, QUALIFY, DISTINCT and the ends of its query.
 * Called by: plan/bind_query.c, bind_pipe.c.  Must not know: how FROM is put together.
 *
 * What stands behind GROUP BY (the list, HAVING, QUALIFY, ORDER BY) is bound first, over the rows of FROM, while the
 * aggregates and windows in it are collected; then the operators are made from the bottom up.
 */
#include "plan/bind_int.h"

/* ---- the selection ---- */

/* An expression that is equal to none is not searched for: it stays out of the way of the others. */
static uint32_t search_hash(const plan_expr *e) {
    return e->is_volatile ? e->at.start : e->hash;
}

const plan_expr *selection_aggregate(binder *b, selection *sel, const plan_expr *e) {
    hash_index *index = &sel->aggregate_index;
    for (uint32_t i = hash_index_first(index, e->hash); i != NO_ENTRY; i = index->entry[i].next)
        if (expr_equal(sel->aggregate[i].definition, e)) return expr_column(b, sel->aggregate[i].id, e->from, e->at);
    column_id id =
        bind_column(b, (plan_column){.name = e->name, .at = e->at, .origin = COLUMN_AGGREGATE, .definition = e});
    made_column made = {e, id};
    BIND_PUSH(b, sel->aggregate, sel->aggregate_count, sel->aggregate_capacity, made);
    hash_index_add(index, search_hash(e), b->owner);
    return expr_column(b, id, e->from, e->at);
}

const plan_expr *selection_grouped(binder *b, const selection *sel, const plan_expr *e) {
    if (!sel->is_grouped) return e;
    const hash_index *index = &sel->group_index;
    for (uint32_t i = hash_index_first(index, e->hash); i != NO_ENTRY; i = index->entry[i].next) {
        const made_column *g = &sel->group[i];
        bool is_itself = g->definition->kind == EXPR_COLUMN && g->definition->column == g->id;
        if (!is_itself && expr_equal(g->definition, e)) return expr_column(b, g->id, e->from, e->at);
    }
    return e;
}

/* ---- windows ---- */

static bool keys_equal(const plan_window *a, const plan_window *w) {
    if (a->partition_count != w->partition_count || a->order_count != w->order_count) return false;
    for (size_t i = 0; i < a->partition_count; i++)
        if (!expr_equal(a->partition[i], w->partition[i])) return false;
    for (size_t i = 0; i < a->order_count; i++)
        if (!expr_equal(a->order[i].key, w->order[i].key) || a->order[i].is_descending != w->order[i].is_descending ||
            a->order[i].nulls != w->order[i].nulls)
            return false;
    return a->from == w->from || (!a->from && !w->from);
}

static uint32_t hash_keys(const plan_window *w) {
    uint32_t hash = (uint32_t)((uintptr_t)w->from >> 4);
    for (size_t i = 0; i < w->partition_count; i++) hash = (hash ^ search_hash(w->partition[i])) * 0x9E3779B1u;
    for (size_t i = 0; i < w->order_count; i++) hash = (hash ^ search_hash(w->order[i].key)) * 0x85EBCA6Bu;
    return hash;
}

static plain_name name_of_window(const void *list, uint32_t at) {
    return name_of_part(&((const sql_named_window *)list)[at].name);
}

static const sql_window *named_window(const binder *b, const scope *s, const ast_part *name) {
    named_list all = {s->window, (uint32_t)s->window_count, name_of_window, s->window_names, b->rules, b->owner};
    uint32_t at = named_first(&all, name_of_part(name));
    return at == NO_ENTRY ? NULL : s->window[at].window;
}

/* The definition behind OVER w, and the one that OVER (w ...) starts from. Windows may be built on each other; a
 * definition cannot name itself, since the chain is cut at the number of windows. */
static lp_status find_base(binder *b, const scope *s, const sql_window *w, const sql_window **base) {
    *base = NULL;
    if (!w->is_reference && !w->has_base) return LP_OK;
    *base = named_window(b, s, &w->base);
    if (*base) return LP_OK;
    return bind_refuse(b, w->base.at, "no window " STR_FMT, STR_ARG(w->base.text));
}

static lp_status bind_window_keys(binder *b, scope *s, const sql_window *w, plan_window *out) {
    const plan_expr **partition = ARENA_ARRAY(b->owner, const plan_expr *, w->partition_count);
    for (size_t i = 0; i < w->partition_count; i++)
        TRY(bind_expr(b, s, PLACE_RESULT, w->partition[i].key, &partition[i]));
    plan_sort_key *order = ARENA_ARRAY(b->owner, plan_sort_key, w->order_count);
    for (size_t i = 0; i < w->order_count; i++) {
        order[i] =
            (plan_sort_key){.is_descending = w->order[i].direction == SQL_DIRECTION_DESC, .nulls = w->order[i].nulls};
        TRY(bind_expr(b, s, PLACE_RESULT, w->order[i].key, &order[i].key));
    }
    if (w->partition_count) {
        out->partition = partition;
        out->partition_count = w->partition_count;
    }
    if (w->order_count) {
        out->order = order;
        out->order_count = w->order_count;
    }
    return LP_OK;
}

static lp_status bind_window(binder *b, scope *s, const sql_window *w, plan_window *out) {
    const sql_window *base = w, *chain[16];
    size_t count = 0;
    do {
        if (count == sizeof chain / sizeof *chain)
            return bind_refuse(b, w->at, "windows are built on each other without end");
        chain[count++] = base;
        TRY(find_base(b, s, base, &base));
    } while (base);
    *out = (plan_window){0};
    for (size_t i = count; i > 0; i--) {
        TRY(bind_window_keys(b, s, chain[i - 1], out));
        if (chain[i - 1]->frame != SQL_FRAME_NONE) out->from = chain[i - 1];
    }
    return LP_OK;
}

static lp_status bind_window_args(binder *b, scope *s, const ast *from, const plan_expr *const **out, size_t *count) {
    *count = from->call->has_star ? 0 : from->call->argument_count;
    const plan_expr **arg = ARENA_ARRAY(b->owner, const plan_expr *, *count);
    for (size_t i = 0; i < *count; i++) TRY(bind_expr(b, s, PLACE_RESULT, from->arg[i], &arg[i]));
    *out = arg;
    return LP_OK;
}

static made_window *window_like(binder *b, selection *sel, const plan_window *w) {
    hash_index *index = &sel->window_index;
    uint32_t hash = hash_keys(w);
    for (uint32_t i = hash_index_first(index, hash); i != NO_ENTRY; i = index->entry[i].next)
        if (keys_equal(&sel->window[i].is, w)) return &sel->window[i];
    made_window made = {.is = *w};
    hash_index_add(index, hash, b->owner);
    BIND_PUSH(b, sel->window, sel->window_count, sel->window_capacity, made);
    return &sel->window[sel->window_count - 1];
}

lp_status bind_window_call(binder *b, scope *s, const ast *from, const plan_expr **out) {
    if (!s->selection) return bind_refuse(b, from->at, "a window function cannot stand here");
    plan_window keys = {0};
    const plan_expr *const *arg;
    size_t count;
    TRY(bind_window_args(b, s, from, &arg, &count));
    TRY(bind_window(b, s, from->call->over, &keys));
    plan_expr *e = expr_new(b, EXPR_WINDOW, from, from->at, arg, count);
    const sql_name *name = &from->call->name;
    e->name = name->part_count ? name->part[name->part_count - 1].text : from->text;
    column_id id =
        bind_column(b, (plan_column){.name = e->name, .at = e->at, .origin = COLUMN_WINDOW, .definition = e});
    made_window *w = window_like(b, s->selection, &keys);
    BIND_PUSH(b, w->made, w->made_count, w->made_capacity, id);
    *out = expr_column(b, id, from, from->at);
    return LP_OK;
}

/* ---- the items of the list ---- */

typedef struct result_item {
    plain_name name;
    const plan_expr *value;
    span at;
} result_item;

typedef struct listing {
    binder *b;
    scope *s;
    const sql_select *select;
    result_item *item;
    uint32_t count, capacity;
    hash_index item_names;
    relation *rest;       /* the open relation whose unknown columns a star passes on */
    uint32_t rest_count;  /* how many there are */
    uint32_t known_count; /* items before the first of them */
    const ast_star *rest_star;
    const ast_star *star; /* the one that the next indexes are of */
    hash_index *except, *replace, *rename;
    hash_index exclude; /* of select->exclude */
} listing;

static void push_item(listing *l, plain_name name, const plan_expr *value, span at) {
    result_item item = {name, value, at};
    BIND_PUSH(l->b, l->item, l->count, l->capacity, item);
}

static void push_rest(listing *l, relation *r, const ast_star *star) {
    if (l->rest_count == 0) l->known_count = l->count;
    l->rest = r;
    l->rest_star = star;
    l->rest_count++;
}

/* What a star leaves out, replaces and renames is looked up for each column. */
static void start_star(listing *l, const ast_star *star) {
    if (!star || l->star == star) return;
    l->star = star;
    l->except = ARENA_NEW(l->b->owner, hash_index);
    l->replace = ARENA_NEW(l->b->owner, hash_index);
    l->rename = ARENA_NEW(l->b->owner, hash_index);
}

static bool is_left_out(listing *l, const ast_star *star, plain_name name) {
    named_list exclude = names_of_names(l->b, l->select->exclude, l->select->exclude_count, &l->exclude);
    if (named_first(&exclude, name) != NO_ENTRY) return true;
    if (!star) return false;
    named_list except = names_of_names(l->b, star->except, star->except_count, l->except);
    return named_first(&except, name) != NO_ENTRY;
}

static plain_name name_of_renamed(const void *list, uint32_t at) {
    const sql_name *old = &((const sql_rename *)list)[at].from;
    return name_of_part(&old->part[old->part_count - 1]);
}

static lp_status change_star_column(listing *l, const ast_star *star, plain_name *name, const plan_expr **value) {
    binder *b = l->b;
    named_list replace = names_of_items(b, star->replace, star->replace_count, l->replace);
    for (uint32_t i = named_first(&replace, *name); i != NO_ENTRY; i = named_next(&replace, i, *name))
        TRY(bind_expr(b, l->s, PLACE_RESULT, star->replace[i].value, value));
    named_list rename = {star->rename, (uint32_t)star->rename_count, name_of_renamed, l->rename, b->rules, b->owner};
    uint32_t at = named_first(&rename, *name);
    if (at != NO_ENTRY) *name = name_of_part(&star->rename[at].to);
    return LP_OK;
}

static lp_status push_star_column(listing *l, const ast *from, const ast_star *star, plain_name name, column_id id) {
    binder *b = l->b;
    start_star(l, star);
    if (is_left_out(l, star, name)) return LP_OK;
    const plan_expr *value = expr_column(b, id, from, from->at);
    if (star) TRY(change_star_column(l, star, &name, &value));
    if (b->column[id].origin != COLUMN_STRAY && l->s->selection) value = selection_grouped(b, l->s->selection, value);
    push_item(l, name, value, from->at);
    return LP_OK;
}

static lp_status push_bare_star(listing *l, const ast *from, const ast_star *star) {
    scope *s = l->s;
    if (s->relation_count == 0 && s->visible_count == 0)
        return bind_refuse(l->b, from->at, "there is nothing for * to stand for");
    for (uint32_t i = 0; i < s->visible_count; i++) {
        visible v = s->visible[i];
        if (v.is_rest)
            push_rest(l, (relation *)v.of, star);
        else if (!v.by_name_only)
            TRY(push_star_column(l, from, star, v.name, v.id));
    }
    return LP_OK;
}

static lp_status push_relation_star(listing *l, const ast *from, const ast_star *star) {
    relation *r = NULL;
    for (scope *s = l->s; s && !r; s = s->outer)
        r = scope_relation(l->b, s, star->qualifier.part, star->qualifier.part_count);
    if (!r) { /* the fields of a struct */
        name_meaning m = scope_find(l->b, l->s, star->qualifier.part, star->qualifier.part_count, from->at);
        if (m.state != NAME_FOUND)
            return bind_refuse(l->b, from->at, "no relation " STR_FMT,
                               STR_ARG(span_text(l->b->text, star->qualifier.at)));
        draft *d = bind_node(l->b, PLAN_UNKNOWN, from->at, &l->s->top, 1);
        d->node.unknown.what = STR("the fields of a struct as columns");
        draft_pass(l->b, d, l->s->top);
        d->node.is_open = true;
        l->s->top = d;
        relation *fields = relation_new(l->b, d);
        fields->is_open = true;
        push_rest(l, fields, star);
        return LP_OK;
    }
    uint32_t known = r->is_open ? r->known_count : r->column_count;
    for (uint32_t i = 0; i < known; i++)
        if (!r->column[i].is_hidden) TRY(push_star_column(l, from, star, r->column[i].name, r->column[i].id));
    if (r->is_open) push_rest(l, r, star);
    return LP_OK;
}

/* COLUMNS('pattern'), * LIKE: which columns there are depends on their names. */
static lp_status push_star(listing *l, const ast *from) {
    const ast_star *star = from->star;
    if (from->arg_count && star && star->replace_count == 0) { /* (expression).* */
        const plan_expr *value;
        TRY(bind_expr(l->b, l->s, PLACE_RESULT, from->arg[0], &value));
        relation *fields = relation_new(l->b, l->s->top);
        fields->is_open = fields->is_stray = true;
        push_rest(l, fields, star);
        return LP_OK;
    }
    if (star && star->like) {
        relation *some = relation_new(l->b, l->s->top);
        some->is_open = some->is_stray = true;
        push_rest(l, some, star);
        return LP_OK;
    }
    if (star && star->qualifier.part_count) return push_relation_star(l, from, star);
    return push_bare_star(l, from, star);
}

/* PostgreSQL's own names of types that are spelled in another way. */
static str type_column_name(binder *b, str type) {
    static const char *const known[][2] = {
        {"INT", "int4"},
        {"INTEGER", "int4"},
        {"BIGINT", "int8"},
        {"SMALLINT", "int2"},
        {"BOOLEAN", "bool"},
        {"DOUBLE", "float8"},
        {"FLOAT", "float8"},
        {"REAL", "float4"},
        {"DECIMAL", "numeric"},
        {"DEC", "numeric"},
        {"CHARACTER", "bpchar"},
        {"CHAR", "bpchar"},
        {"TIMESTAMP", "timestamp"},
        {"TIME", "time"},
    };
    size_t end = 0;
    while (end < type.len && type.ptr[end] != '(' && type.ptr[end] != ' ' && type.ptr[end] != '[') end++;
    str word = str_slice(type, 0, end), rest = str_slice(type, end, type.len);
    bool varies = str_starts_with(rest, STR(" VARYING")), has_zone = str_starts_with(rest, STR(" WITH TIME ZONE"));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!str_eq_nocase(word, str_from(known[i][0]))) continue;
        if (varies) return STR("varchar");
        return has_zone ? str_format(b->owner, "%stz", known[i][1]) : str_from(known[i][1]);
    }
    return word;
}

/* How PostgreSQL calls a column without an alias: `is_weak` for the name of a type, which one around it replaces. */
static plain_name postgres_name(binder *b, const ast *value, bool *is_weak) {
    static const plain_name none = {{"?column?", 8}, true};
    *is_weak = false;
    value = ast_without_parens(value);
    if (value->kind == AST_NAME) return name_of_part(&value->part[value->part_count - 1]);
    if (value->kind == AST_CALL && value->form == FORM_CAST) {
        plain_name inner = postgres_name(b, value->arg[0], is_weak);
        if (inner.text.ptr != none.text.ptr && !*is_weak) return inner;
        *is_weak = true;
        return (plain_name){type_column_name(b, value->type_name), false};
    }
    if (value->kind == AST_CALL && value->form == FORM_CASE) {
        plain_name last = value->has_else ? postgres_name(b, value->arg[value->arg_count - 1], is_weak) : none;
        bool named = last.text.ptr != none.text.ptr && !*is_weak;
        *is_weak = !named;
        return named ? last : (plain_name){STR("case"), true};
    }
    if (value->kind == AST_CALL && value->call && value->call->name.part_count)
        return name_of_part(&value->call->name.part[value->call->name.part_count - 1]);
    if (value->kind == AST_CALL) return (plain_name){value->text, false};
    if (value->kind == AST_TYPED) {
        *is_weak = true;
        return (plain_name){type_column_name(b, value->type_name), false};
    }
    if (value->kind == AST_SUBQUERY && value->text.len) return (plain_name){value->text, false};
    if (value->kind == AST_SUBQUERY && value->query && value->query->kind == SQL_QUERY_SELECT &&
        value->query->select->item_count == 1) {
        const sql_item *item = &value->query->select->item[0];
        return item->has_alias ? name_of_part(&item->alias) : postgres_name(b, item->value, is_weak);
    }
    if (value->kind == AST_OTHER && value->form == FORM_FIELD && value->part_count)
        return name_of_part(&value->part[0]);
    if (value->kind == AST_OTHER && value->form == FORM_SUBSCRIPT) return postgres_name(b, value->arg[0], is_weak);
    if (value->kind == AST_OTHER && value->form == FORM_ARRAY) return (plain_name){STR("array"), true};
    if (value->kind == AST_OTHER && value->form == FORM_ROW) return (plain_name){STR("row"), true};
    return none;
}

/* The name that a reader of the result sees, where the author gives none. */
static plain_name implied_name(listing *l, const ast *value) {
    value = ast_without_parens(value);
    if (value->kind == AST_NAME) return name_of_part(&value->part[value->part_count - 1]);
    if (value->kind == AST_CALL && value->is_bare && value->part_count) return name_of_part(&value->part[0]);
    bool unused, is_postgres = l->b->dialect == DIALECT_postgres || l->b->dialect == DIALECT_redshift;
    return is_postgres ? postgres_name(l->b, value, &unused) : (plain_name){span_text(l->b->text, value->at), true};
}

static bool is_star(const ast *a) {
    return a->kind == AST_OTHER && a->form == FORM_STAR;
}

static void start_aliases(binder *b, scope *s, const sql_select *select) {
    size_t count = select->item_count;
    for (size_t i = 0; i < select->item_count; i++) count += select->item[i].alias_count;
    s->alias = ARENA_ARRAY(b->owner, item_alias, count);
    s->alias_count = 0;
    s->alias_names = ARENA_NEW(b->owner, hash_index);
}

/* Later items may name this one, where the dialect has it so. */
static void offer_alias(listing *l, plain_name name, const plan_expr *value) {
    scope *s = l->s;
    s->alias[s->alias_count++] = (item_alias){name, value};
}

/* Spark: explode(a) AS (k, v). Without names there are one, two or more columns, by the type of the argument. */
static lp_status push_rows(listing *l, const sql_item *item) {
    binder *b = l->b;
    column_id *id = ARENA_ARRAY(b->owner, column_id, item->alias_count);
    TRY(bind_rows_of_call(b, l->s, item->value, item->alias_column, item->alias_count, id));
    for (size_t i = 0; i < item->alias_count; i++) {
        plain_name name = name_of_part(&item->alias_column[i]);
        const plan_expr *value = expr_column(b, id[i], item->value, item->alias_column[i].at);
        push_item(l, name, value, item->alias_column[i].at);
        offer_alias(l, name, value);
    }
    if (item->alias_count) return LP_OK;
    relation *columns = relation_new(b, (draft *)l->s->top->node.input[1]); /* the function, beside the rows so far */
    columns->is_open = true;
    push_rest(l, columns, NULL);
    return LP_OK;
}

static lp_status bind_items(listing *l) {
    const sql_select *select = l->select;
    start_aliases(l->b, l->s, select);
    for (size_t i = 0; i < select->item_count; i++) {
        const sql_item *item = &select->item[i];
        if (is_star(item->value)) {
            TRY(push_star(l, item->value));
            continue;
        }
        bool is_wide = item->alias_count || (l->b->rules->wide_rows && !item->has_alias);
        if (is_wide && call_makes_rows(l->b, item->value)) {
            TRY(push_rows(l, item));
            continue;
        }
        const plan_expr *value;
        uint32_t offered = l->s->alias_count;
        if (!l->b->rules->lateral_alias) l->s->alias_count = 0;
        TRY(bind_expr(l->b, l->s, PLACE_RESULT, item->value, &value));
        l->s->alias_count = offered;
        plain_name name = item->has_alias ? name_of_part(&item->alias) : implied_name(l, item->value);
        push_item(l, name, value, item->at);
        if (item->has_alias) offer_alias(l, name, value);
    }
    if (select->has_list || !select->is_from_first) return LP_OK; /* SELECT FROM t is a list of nothing */
    ast *star = ARENA_NEW(l->b->owner, ast);
    *star = (ast){.kind = AST_OTHER, .form = FORM_STAR, .at = l->s->top->node.at};
    return push_bare_star(l, star, NULL);
}

/* ---- GROUP BY ---- */

typedef struct grouping {
    const sql_select *select;
    size_t plain_count; /* items before the first star: their places are known */
    hash_index item_names;
    bool has_sets;
    colset *set;
    uint32_t set_count, set_capacity;
} grouping;

static size_t count_before_star(const sql_select *select) {
    size_t count = 0;
    while (count < select->item_count && !is_star(select->item[count].value)) count++;
    return count;
}

static const sql_item *item_at(const grouping *g, const ast *key) {
    int64_t place;
    bool is_known = key_is_place(key, &place) && place >= 1 && (uint64_t)place <= g->plain_count;
    return is_known ? &g->select->item[place - 1] : NULL;
}

static bool has_star_item(const grouping *g) {
    return g->plain_count < g->select->item_count || !g->select->has_list; /* FROM first */
}

static named_list items_of(const binder *b, grouping *g) {
    return names_of_items(b, g->select->item, g->select->item_count, &g->item_names);
}

static const sql_item *item_named(const binder *b, grouping *g, const ast *key) {
    if (key->kind != AST_NAME || key->part_count != 1) return NULL;
    named_list items = items_of(b, g);
    uint32_t at = named_first(&items, name_of_part(&key->part[0]));
    return at == NO_ENTRY ? NULL : &g->select->item[at];
}

/* A position, an alias (a column of FROM goes first), or an expression. An open relation may have a column of the
 * alias's name; but then the item itself would have to be grouped by something else, and engines refuse that. */
static const ast *meant_key(binder *b, scope *s, grouping *g, const ast *key) {
    key = ast_without_parens(key);
    const sql_item *item = item_at(g, key);
    if (item) return item->value;
    if (key->kind == AST_NAME && key->part_count == 1 && scope_knows(b, s, &key->part[0])) return key;
    item = b->rules->alias_in_group ? item_named(b, g, key) : NULL;
    return item ? item->value : key;
}

/* A column of FROM, and the name of an item that is something else? */
static bool is_alias_and_column(binder *b, scope *s, grouping *g, const ast *key) {
    key = ast_without_parens(key);
    const sql_item *item = b->rules->alias_or_column ? item_named(b, g, key) : NULL;
    if (!item || !scope_knows(b, s, &key->part[0])) return false;
    const ast *value = ast_without_parens(item->value);
    bool is_itself = value->kind == AST_NAME && value->part_count && name_equal(b->rules, name_of_part(&value->part[value->part_count - 1]), name_of_part(&key->part[0]));
    return !is_itself;
}

static bool is_alias_of_two(binder *b, scope *s, grouping *g, const ast *key) {
    const sql_item *first = b->rules->alias_once ? item_named(b, g, key) : NULL;
    if (!first || scope_knows(b, s, &key->part[0])) return false;
    plain_name name = name_of_part(&key->part[0]);
    named_list items = items_of(b, g);
    for (uint32_t i = named_first(&items, name); i != NO_ENTRY; i = named_next(&items, i, name))
        if (!ast_equal(g->select->item[i].value, first->value)) return true;
    return false;
}

static void push_group(binder *b, selection *sel, const plan_expr *definition, column_id id) {
    made_column made = {definition, id};
    BIND_PUSH(b, sel->group, sel->group_count, sel->group_capacity, made);
    hash_index_add(&sel->group_index, search_hash(definition), b->owner);
}

static bool makes_rows(const binder *b, const ast *a) {
    if (call_makes_rows(b, a)) return true;
    for (size_t i = 0; i < a->arg_count; i++)
        if (makes_rows(b, a->arg[i])) return true;
    return false;
}

static lp_status add_group(binder *b, scope *s, grouping *g, const ast *key, colset *set) {
    if (is_alias_of_two(b, s, g, key))
        return bind_refuse(b, key->at, "the name " STR_FMT " is ambiguous", STR_ARG(key->part[0].text));
    const plan_expr *e;
    int64_t place;
    if (key_is_place(key, &place) && !item_at(g, key) && !has_star_item(g))
        return refuse_place(b, key, place, (uint32_t)g->select->item_count);
    s->selection->is_unclear |= is_alias_and_column(b, s, g, key);
    key = meant_key(b, s, g, key);
    if (key->kind == AST_OTHER && key->form == FORM_ROW) {
        for (size_t i = 0; i < key->arg_count; i++) TRY(add_group(b, s, g, key->arg[i], set));
        return LP_OK;
    }
    selection *sel = s->selection;
    s->selection = NULL;
    /* Rows are made below the groups, by a call in GROUP BY as well as by one in the list. */
    lp_status status = bind_expr(b, s, makes_rows(b, key) ? PLACE_RESULT : PLACE_ROW, key, &e);
    s->selection = sel;
    if (status != LP_OK) return status;
    if (e->kind == EXPR_CONSTANT && !g->has_sets) return LP_OK; /* in a set it is NULL where the set leaves it out */
    const hash_index *index = &sel->group_index;
    for (uint32_t i = hash_index_first(index, e->hash); i != NO_ENTRY; i = index->entry[i].next)
        if (expr_equal(sel->group[i].definition, e)) {
            colset_add(set, sel->group[i].id, b->owner);
            return LP_OK;
        }
    column_id id =
        e->kind == EXPR_COLUMN
            ? e->column
            : bind_column(b, (plan_column){.name = STR(""), .at = e->at, .origin = COLUMN_EXPRESSION, .definition = e});
    colset_add(set, id, b->owner);
    push_group(b, sel, e, id);
    return LP_OK;
}

static lp_status add_group_item(binder *b, scope *s, const sql_group_item *item, grouping *g) {
    if (item->kind != SQL_GROUP_EXPRESSION) g->has_sets |= item->kind != SQL_GROUP_EMPTY;
    colset set = COLSET_EMPTY;
    for (size_t i = 0; i < item->count; i++) TRY(add_group(b, s, g, item->item[i], &set));
    for (size_t i = 0; i < item->set_count; i++) TRY(add_group_item(b, s, &item->set[i], g));
    if (item->kind != SQL_GROUP_SETS) BIND_PUSH(b, g->set, g->set_count, g->set_capacity, set);
    return LP_OK;
}

/* GROUP BY ALL: every item without an aggregate. */
static lp_status add_group_all(binder *b, scope *s, grouping *g) {
    for (size_t i = 0; i < g->select->item_count; i++) {
        const ast *value = g->select->item[i].value;
        if (is_star(value)) {
            for (uint32_t k = 0; k < s->visible_count; k++) {
                s->selection->groups_are_open |= s->visible[k].is_rest;
                if (s->visible[k].is_rest || s->visible[k].by_name_only) continue;
                column_id id = s->visible[k].id;
                push_group(b, s->selection, expr_column(b, id, value, value->at), id);
            }
            continue;
        }
        colset unused = COLSET_EMPTY;
        if (!has_aggregate(value) && value->kind != AST_NUMBER) TRY(add_group(b, s, g, value, &unused));
    }
    return LP_OK;
}

static lp_status bind_group(binder *b, scope *s, const sql_select *select, grouping *g) {
    if (!select->group) return LP_OK;
    g->select = select;
    g->plain_count = count_before_star(select);
    s->selection->is_grouped = true;
    g->has_sets = select->group->with.len > 0;
    if (select->group->is_all) TRY(add_group_all(b, s, g));
    for (size_t i = 0; i < select->group->count; i++) TRY(add_group_item(b, s, &select->group->item[i], g));
    return LP_OK;
}

/* Expressions of GROUP BY are computed below the aggregate. */
static void project_groups(binder *b, scope *s) {
    selection *sel = s->selection;
    column_id *made = ARENA_ARRAY(b->owner, column_id, sel->group_count);
    size_t count = 0;
    for (uint32_t i = 0; i < sel->group_count; i++)
        if (sel->group[i].definition->kind != EXPR_COLUMN) made[count++] = sel->group[i].id;
    if (count == 0) return;
    draft *d = bind_node(b, PLAN_PROJECT, s->top->node.at, &s->top, 1);
    draft_pass(b, d, s->top);
    for (size_t i = 0; i < count; i++) {
        b->column[made[i]].made_by = &d->node;
        draft_add(b, d, made[i]);
    }
    d->node.project.made = made;
    d->node.project.made_count = count;
    s->top = d;
}

static colset find_produced(binder *b, const selection *sel) {
    colset all = COLSET_EMPTY;
    for (uint32_t i = 0; i < sel->group_count; i++) colset_add(&all, sel->group[i].id, b->owner);
    for (uint32_t i = 0; i < sel->aggregate_count; i++) colset_add(&all, sel->aggregate[i].id, b->owner);
    for (uint32_t i = 0; i < sel->window_count; i++)
        for (uint32_t k = 0; k < sel->window[i].made_count; k++) colset_add(&all, sel->window[i].made[k], b->owner);
    return all;
}

/* Columns that are neither grouped nor aggregated: engines take them where the groups determine them. */
static colset find_implied(listing *l, const plan_expr *const *more, uint32_t more_count) {
    const selection *sel = l->s->selection;
    arena *owner = l->b->owner;
    colset named = COLSET_EMPTY;
    for (uint32_t i = 0; i < l->count; i++) colset_add_all(&named, l->item[i].value->columns, owner);
    for (uint32_t i = 0; i < more_count; i++) colset_add_all(&named, more[i]->columns, owner);
    for (uint32_t i = 0; i < sel->window_count; i++) {
        const plan_window *w = &sel->window[i].is;
        for (size_t k = 0; k < w->partition_count; k++) colset_add_all(&named, w->partition[k]->columns, owner);
        for (size_t k = 0; k < w->order_count; k++) colset_add_all(&named, w->order[k].key->columns, owner);
        for (uint32_t k = 0; k < sel->window[i].made_count; k++)
            colset_add_all(&named, l->b->column[sel->window[i].made[k]].definition->columns, owner);
    }
    return colset_difference(named, find_produced(l->b, sel), owner);
}

/* No GROUP BY, or GROUP BY (): one row over all, and over none too. */
static bool is_grand_total(const sql_group *group) {
    for (size_t i = 0; group && i < group->count; i++)
        if (group->item[i].kind != SQL_GROUP_EMPTY) return false;
    return !group || (group->count > 0 && !group->with.len);
}

static void make_aggregate(listing *l, const grouping *g, const plan_expr *const *more, uint32_t more_count) {
    binder *b = l->b;
    scope *s = l->s;
    selection *sel = s->selection;
    colset implied = find_implied(l, more, more_count);
    project_groups(b, s);
    draft *d = bind_node(b, PLAN_AGGREGATE, s->top->node.at, &s->top, 1);
    d->node.is_open = sel->groups_are_open;
    column_id *group = ARENA_ARRAY(b->owner, column_id, sel->group_count),
              *made = ARENA_ARRAY(b->owner, column_id, sel->aggregate_count);
    for (uint32_t i = 0; i < sel->group_count; i++) {
        group[i] = sel->group[i].id;
        draft_add(b, d, group[i]);
    }
    for (uint32_t i = 0; i < sel->aggregate_count; i++) {
        made[i] = sel->aggregate[i].id;
        b->column[made[i]].made_by = &d->node;
        draft_add(b, d, made[i]);
    }
    column_id *passed = ARENA_ARRAY(b->owner, column_id, colset_count(implied)), id;
    size_t passed_count = 0;
    for (column_id from = 0; colset_next(implied, from, &id); from = id + 1) {
        passed[passed_count++] = id;
        draft_add(b, d, id);
    }
    d->node.aggregate = (plan_aggregate){.group = group,
                                         .group_count = sel->group_count,
                                         .is_global = is_grand_total(l->select->group),
                                         .has_sets = g->has_sets,
                                         .set = g->set,
                                         .set_count = g->has_sets ? g->set_count : 0,
                                         .made = made,
                                         .made_count = sel->aggregate_count,
                                         .implied = passed,
                                         .implied_count = passed_count};
    s->top = d;
}

/* ---- the operators above ---- */

static void make_unclear(binder *b, scope *s) {
    draft *d = bind_node(b, PLAN_UNKNOWN, s->top->node.at, &s->top, 1);
    d->node.unknown.what = STR("GROUP BY of a name that is a column and an item of the list");
    draft_pass(b, d, s->top);
    s->top = d;
}

static void make_filter(binder *b, scope *s, const plan_expr *condition, str clause) {
    draft *d = bind_node(b, PLAN_FILTER, condition->at, &s->top, 1);
    bool is_and = condition->kind == EXPR_AND;
    const plan_expr **one = ARENA_NEW(b->owner, const plan_expr *);
    *one = condition;
    d->node.filter.condition = is_and ? condition->arg : one;
    d->node.filter.condition_count = is_and ? condition->arg_count : 1;
    d->node.filter.clause = clause;
    draft_pass(b, d, s->top);
    s->top = d;
}

static void make_windows(binder *b, scope *s) {
    selection *sel = s->selection;
    for (uint32_t i = 0; i < sel->window_count; i++) {
        made_window *w = &sel->window[i];
        draft *d = bind_node(b, PLAN_WINDOW, b->column[w->made[0]].at, &s->top, 1);
        draft_pass(b, d, s->top);
        w->is.made = w->made;
        w->is.made_count = w->made_count;
        d->node.window = w->is;
        for (uint32_t k = 0; k < w->made_count; k++) {
            b->column[w->made[k]].made_by = &d->node;
            draft_add(b, d, w->made[k]);
        }
        s->top = d;
    }
}

/* The result: columns of the list in order. An item that is a column keeps its id. */
static relation *make_project(listing *l, span at) {
    binder *b = l->b;
    draft *d = bind_node(b, PLAN_PROJECT, at, &l->s->top, 1);
    relation *r = relation_new(b, d);
    column_id *made = ARENA_ARRAY(b->owner, column_id, l->count);
    size_t made_count = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        const result_item *item = &l->item[i];
        column_id id = item->value->column;
        if (item->value->kind != EXPR_COLUMN) {
            id = bind_column(b, (plan_column){.name = item->name.text,
                                              .at = item->at,
                                              .origin = COLUMN_EXPRESSION,
                                              .made_by = &d->node,
                                              .definition = item->value});
            made[made_count++] = id;
        }
        draft_add(b, d, id);
        relation_add(b, r, item->name, id);
        r->column[r->column_count - 1].at = item->at;
    }
    d->node.project.made = made;
    d->node.project.made_count = made_count;
    r->is_open = d->node.is_open = l->rest_count > 0;
    r->is_stray = l->rest_count > 1;
    r->known_count = l->known_count;
    r->source = l->rest_count == 1 ? l->rest : NULL;
    r->except_names = ARENA_NEW(b->owner, hash_index);
    if (l->rest_count == 1 && l->rest_star) {
        r->except = l->rest_star->except;
        r->except_count = l->rest_star->except_count;
    }
    l->s->top = d;
    return r;
}

static void make_distinct_on(binder *b, scope *s, const plan_expr *const *on, size_t count, span at) {
    column_id *id = ARENA_ARRAY(b->owner, column_id, count);
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (on[i]->kind == EXPR_COLUMN) id[known++] = on[i]->column;
    draft *d = bind_node(b, PLAN_DISTINCT, at, &s->top, 1);
    draft_pass(b, d, s->top);
    d->node.distinct.on = id;
    d->node.distinct.on_count = known;
    d->node.distinct.is_on = true;
    d->node.distinct.has_expressions = known < count;
    s->top = d;
}

/* ---- the list with what is around it ---- */

static bool any_aggregate(const sql_select *select, const sql_query *query) {
    if (select->group || select->having) return true;
    for (size_t i = 0; i < select->item_count; i++)
        if (has_aggregate(select->item[i].value)) return true;
    for (size_t i = 0; query && query->order && i < query->order->count; i++)
        if (query->order->item[i].key && has_aggregate(query->order->item[i].key)) return true;
    return select->qualify && has_aggregate(select->qualify);
}

typedef struct clauses { /* what stands behind GROUP BY, bound */
    const plan_expr *having, *qualify;
    const plan_expr **distinct_on;
    plan_sort_key *key;
    uint32_t *place; /* parallel to key: place in the result + 1, or 0 */
    size_t key_count;
} clauses;

/* The place in the list that a key names, 0 when it is no number. */
static lp_status item_place(const listing *l, const ast *key, uint32_t *place) {
    int64_t number;
    uint32_t width = l->rest_count ? l->known_count : l->count;
    *place = 0;
    if (!key_is_place(key, &number)) return LP_OK;
    if (number >= 1 && number <= width)
        *place = (uint32_t)number;
    else if (!l->rest_count)
        return refuse_place(l->b, key, number, width);
    return LP_OK;
}

static plain_name name_of_result(const void *list, uint32_t at) {
    return ((const result_item *)list)[at].name;
}

/* ORDER BY x where two items are called x and are not the same. */
static lp_status check_alias(listing *l, const ast *key) {
    if (!l->b->rules->strict_aliases || key->kind != AST_NAME || key->part_count != 1) return LP_OK;
    named_list items = {l->item, l->count, name_of_result, &l->item_names, l->b->rules, l->b->owner};
    plain_name name = name_of_part(&key->part[0]);
    uint32_t first = named_first(&items, name);
    if (first == NO_ENTRY) return LP_OK;
    for (uint32_t i = named_next(&items, first, name); i != NO_ENTRY; i = named_next(&items, i, name))
        if (!expr_equal(l->item[first].value, l->item[i].value))
            return bind_refuse(l->b, key->at, "the name " STR_FMT " is ambiguous: two columns of the list have it",
                               STR_ARG(key->part[0].text));
    return LP_OK;
}

/* Inside of an expression the strict dialects know no aliases. */
static lp_status bind_key(listing *l, const ast *key, const plan_expr **out) {
    bool is_name = key->kind == AST_NAME && key->part_count == 1;
    uint32_t offered = l->s->alias_count;
    if (l->b->rules->strict_aliases && !is_name) l->s->alias_count = 0;
    lp_status status = bind_expr(l->b, l->s, PLACE_RESULT, key, out);
    l->s->alias_count = offered;
    return status;
}

static lp_status bind_keys(listing *l, const sql_order *order, clauses *c) {
    binder *b = l->b;
    c->key = ARENA_ARRAY(b->owner, plan_sort_key, order->count);
    c->place = ARENA_ARRAY(b->owner, uint32_t, order->count);
    for (size_t i = 0; i < order->count; i++) {
        uint32_t place;
        const ast *key = order->item[i].key;
        if (!key) continue;
        TRY(item_place(l, key, &place));
        TRY(check_alias(l, key));
        plan_sort_key *k = &c->key[c->key_count];
        *k = (plan_sort_key){.is_descending = order->item[i].direction == SQL_DIRECTION_DESC,
                             .nulls = order->item[i].nulls};
        c->place[c->key_count++] = place;
        if (place)
            k->key = l->item[place - 1].value;
        else
            TRY(bind_key(l, key, &k->key));
    }
    return LP_OK;
}

static lp_status bind_clauses(listing *l, const sql_query *query, clauses *c) {
    binder *b = l->b;
    scope *s = l->s;
    const sql_select *select = l->select;
    uint32_t offered = s->alias_count;
    if (!b->rules->alias_in_having) s->alias_count = 0;
    s->groups_first = s->selection->is_grouped;
    if (select->having) TRY(bind_expr(b, s, PLACE_RESULT, select->having, &c->having));
    if (select->qualify) TRY(bind_expr(b, s, PLACE_RESULT, select->qualify, &c->qualify));
    s->alias_count = offered;
    s->groups_first = false;
    s->aliases_first = true;
    c->distinct_on = ARENA_ARRAY(b->owner, const plan_expr *, select->distinct_on_count);
    for (size_t i = 0; i < select->distinct_on_count; i++)
        TRY(bind_expr(b, s, PLACE_RESULT, select->distinct_on[i], &c->distinct_on[i]));
    const sql_order *placing[] = {query ? query->sort : NULL, query ? query->distribute : NULL,
                                  query ? query->cluster : NULL};
    for (size_t i = 0; i < sizeof placing / sizeof *placing; i++) {
        clauses unused = {0}; /* where rows are put says nothing of them; but the names count */
        if (placing[i]) TRY(bind_keys(l, placing[i], &unused));
    }
    if (query && query->order) TRY(bind_keys(l, query->order, c));
    s->aliases_first = false;
    return LP_OK;
}

static void make_sort(binder *b, relation *r, const clauses *c, span at) {
    draft *d = bind_node(b, PLAN_SORT, at, &r->top, 1);
    d->node.sort.key = c->key;
    d->node.sort.key_count = c->key_count;
    draft_pass(b, d, r->top);
    r->top = d;
}

static lp_status make_top(binder *b, relation *r, const sql_top *top) {
    sql_limit limit = {.count = top->count, .is_percent = top->is_percent, .with_ties = top->with_ties, .at = top->at};
    return bind_limit(b, r, &limit);
}

static uint32_t collect_clauses(binder *b, const clauses *c, size_t on_count, const plan_expr ***out) {
    const plan_expr **list = ARENA_ARRAY(b->owner, const plan_expr *, 2 + on_count + c->key_count);
    uint32_t count = 0;
    if (c->having) list[count++] = c->having;
    if (c->qualify) list[count++] = c->qualify;
    for (size_t i = 0; i < on_count; i++) list[count++] = c->distinct_on[i];
    for (size_t i = 0; i < c->key_count; i++) list[count++] = c->key[i].key;
    *out = list;
    return count;
}

static span list_span(const sql_select *select, const scope *s) {
    if (select->item_count == 0) return s->top->node.at;
    return span_join(select->item[0].at, select->item[select->item_count - 1].at);
}

lp_status bind_list(binder *b, scope *s, const sql_select *select, const sql_query *query, relation **out) {
    selection *sel = ARENA_NEW(b->owner, selection);
    grouping g = {0};
    clauses c = {0};
    listing l = {.b = b, .s = s, .select = select};
    s->window = select->window;
    s->window_count = select->window_count;
    s->window_names = ARENA_NEW(b->owner, hash_index);
    s->selection = sel;
    TRY(bind_group(b, s, select, &g));
    sel->is_grouped |= any_aggregate(select, query);
    TRY(bind_items(&l));
    TRY(bind_clauses(&l, query, &c));
    if (sel->is_grouped || sel->aggregate_count) {
        const plan_expr **more;
        uint32_t more_count = collect_clauses(b, &c, select->distinct_on_count, &more);
        make_aggregate(&l, &g, more, more_count);
        if (sel->is_unclear) make_unclear(b, s);
    }
    if (c.having) make_filter(b, s, c.having, STR("HAVING"));
    make_windows(b, s);
    if (c.qualify) make_filter(b, s, c.qualify, STR("QUALIFY"));
    if (select->distinct == SQL_DISTINCT_ON)
        make_distinct_on(b, s, c.distinct_on, select->distinct_on_count, list_span(select, s));
    relation *r = make_project(&l, list_span(select, s));
    s->selection = NULL;
    if (select->distinct == SQL_DISTINCT_ROWS) bind_distinct(b, r, list_span(select, s));
    if (c.key_count) make_sort(b, r, &c, query->order->at);
    if (select->top) TRY(make_top(b, r, select->top));
    *out = r;
    return LP_OK;
}

/* ---- SELECT ---- */

/* WHERE may name items, in some dialects; those that hold aggregates or windows are no rows yet, and refused there. */
static lp_status offer_to_where(binder *b, scope *s, const sql_select *select) {
    if (!b->rules->alias_in_where) return LP_OK;
    start_aliases(b, s, select);
    for (size_t i = 0; i < select->item_count; i++) {
        const sql_item *item = &select->item[i];
        column_id id;
        if (!item->has_alias || is_star(item->value) || scope_has_column(b, s, &item->alias, &id)) continue;
        plan_expr *later = expr_new(b, EXPR_OTHER, item->value, item->value->at, NULL, 0);
        later->is_volatile = true; /* what it computes is not known here: only that the name means something */
        s->alias[s->alias_count++] = (item_alias){name_of_part(&item->alias), later};
    }
    return LP_OK;
}

static lp_status bind_where(binder *b, scope *s, const sql_select *select) {
    if (!select->where) return LP_OK;
    TRY(offer_to_where(b, s, select));
    TRY(bind_condition(b, s, PLACE_ROW, select->where, STR("WHERE")));
    s->alias_count = 0;
    return LP_OK;
}

static void bind_hierarchy(binder *b, scope *s, const sql_connect *connect) {
    draft *d = bind_node(b, PLAN_UNKNOWN, connect->at, &s->top, 1);
    d->node.unknown.what = STR("CONNECT BY");
    draft_pass(b, d, s->top);
    s->top = d;
}

static void bind_select_sample(binder *b, scope *s, const ast *sample) {
    draft *d = bind_node(b, PLAN_FILTER, sample->at, &s->top, 1);
    d->node.filter.clause = STR("SAMPLE");
    draft_pass(b, d, s->top);
    s->top = d;
}

lp_status bind_select(binder *b, const sql_query *query, scope *outer, relation **out) {
    const sql_select *select = query->select;
    scope *s = scope_new(b, outer, NULL);
    TRY(bind_from(b, s, select->from, select->from_count, query->at));
    if (select->sample) bind_select_sample(b, s, select->sample);
    TRY(bind_where(b, s, select));
    if (select->connect) bind_hierarchy(b, s, select->connect);
    TRY(bind_list(b, s, select, query, out));
    return query->limit ? bind_limit(b, *out, query->limit) : LP_OK;
}
