/* bind_expr.c - expressions over numbered columns.
 * Called by: plan/bind_*.c.  Must not know: clauses.
 */
#include "base/fold.h"
#include "plan/bind_int.h"
#include "plan/function_list.h"

/* Of what expr_equal compares beside the arguments. */
static uint32_t hash_words(const ast *from) {
    if (!from) return 0;
    return (uint32_t)str_hash_folded(from->text) + 31 * (uint32_t)from->kind + (uint32_t)from->form;
}

plan_expr *expr_new(binder *b, plan_expr_kind kind, const ast *from, span at, const plan_expr *const *arg,
                    size_t count) {
    plan_expr *e = ARENA_NEW(b->owner, plan_expr);
    *e = (plan_expr){.kind = kind, .from = from, .at = at, .arg = arg, .arg_count = count, .size = 1};
    e->hash = hash_words(from);
    for (size_t i = 0; i < count; i++) {
        e->size = arg[i]->size < UINT32_MAX - e->size ? e->size + arg[i]->size : UINT32_MAX;
        e->hash = (e->hash + arg[i]->hash + 1) * 0x9E3779B1u;
        colset_add_all(&e->columns, arg[i]->columns, b->owner);
        colset_add_all(&e->outer, arg[i]->outer, b->owner);
        e->is_volatile |= arg[i]->is_volatile;
    }
    return e;
}

const plan_expr *expr_column(binder *b, column_id id, const ast *from, span at) {
    plan_expr *e = expr_new(b, EXPR_COLUMN, from, at, NULL, 0);
    e->column = id;
    e->hash = (id + 1) * 0x85EBCA6Bu;
    colset_add(&e->columns, id, b->owner);
    return e;
}

/* ---- equality ---- */

/* Nodes that bind to the same kind over the same arguments: is the rest of the text the same? */
static bool same_words(const ast *a, const ast *b) {
    if (a == b) return true;
    if (!a || !b || a->kind != b->kind || a->form != b->form || a->arg_count != b->arg_count) return false;
    if (!str_eq(a->op_text, b->op_text) || !str_eq_nocase(a->text, b->text) || !str_eq(a->type_name, b->type_name))
        return false;
    if (a->has_subject != b->has_subject || a->has_else != b->has_else || a->symmetric != b->symmetric) return false;
    for (size_t i = 0; a->piece && b->piece && i <= a->arg_count; i++)
        if (!str_eq_nocase(a->piece[i], b->piece[i])) return false;
    return true;
}

/* Two `?` are two values. */
static bool is_nameless_parameter(const plan_expr *e) {
    return e->is_parameter && e->from && e->from->form == FORM_PARAMETER && str_eq(e->from->piece[0], STR("?"));
}

bool expr_equal(const plan_expr *a, const plan_expr *b) {
    if (a == b) return !a->is_volatile;
    if (a->hash != b->hash || a->kind != b->kind || a->is_volatile || b->is_volatile || a->arg_count != b->arg_count) return false;
    if (a->kind == EXPR_COLUMN || a->kind == EXPR_OUTER) return a->column == b->column;
    if (a->kind == EXPR_CONSTANT) return a->from && b->from && !is_nameless_parameter(a) && ast_equal(a->from, b->from);
    if (a->op != b->op || a->is != b->is || a->negated != b->negated || !str_eq_nocase(a->name, b->name)) return false;
    if (!same_words(a->from, b->from)) return false;
    for (size_t i = 0; i < a->arg_count; i++)
        if (!expr_equal(a->arg[i], b->arg[i])) return false;
    return true;
}

/* ---- what a call is ---- */

static str last_part(const sql_name *name) {
    return name->part_count ? name->part[name->part_count - 1].text : STR("");
}

bool call_is_aggregate(const ast *a) {
    if (a->kind != AST_CALL || a->form != FORM_FUNCTION || !a->call || a->call->over) return false;
    return function_role_of(last_part(&a->call->name)) == FUNCTION_AGGREGATE || a->call->within || a->call->filter;
}

bool has_aggregate(const ast *a) {
    if (call_is_aggregate(a)) return true;
    for (size_t i = 0; i < a->arg_count; i++)
        if (has_aggregate(a->arg[i])) return true;
    return false;
}

bool call_makes_rows(const binder *b, const ast *a) {
    if (a->kind != AST_CALL || a->form != FORM_FUNCTION || !a->call || a->call->over) return false;
    return function_makes_rows(b->rules, last_part(&a->call->name));
}

/* ---- names ---- */

static const plan_expr *bind_leaf(binder *b, const ast *from) {
    plan_expr *e = expr_new(b, EXPR_CONSTANT, from, from->at, NULL, 0);
    e->is_parameter = from->kind == AST_OTHER;
    return e;
}

static const plan_expr *field_of(binder *b, const plan_expr *value, const ast *from) {
    const plan_expr **arg = ARENA_NEW(b->owner, const plan_expr *);
    *arg = value;
    plan_expr *e = expr_new(b, EXPR_OTHER, from, from->at, arg, 1);
    e->name = STR("field");
    return e;
}

static lp_status refuse_name(binder *b, const ast *from, name_state state) {
    str written = span_text(b->text, from->at);
    return bind_refuse(b, from->at,
                       state == NAME_AMBIGUOUS ? "the name " STR_FMT " is ambiguous" : "no column " STR_FMT,
                       STR_ARG(written));
}

static const plan_expr *meant(binder *b, const name_meaning *m, const ast *from) {
    if (m->alias) return m->alias;
    if (m->levels_up == 0) return expr_column(b, m->id, from, from->at);
    plan_expr *e = expr_new(b, EXPR_OUTER, from, from->at, NULL, 0);
    e->column = m->id;
    e->hash = (m->id + 1) * 0xC2B2AE35u;
    colset_add(&e->outer, m->id, b->owner);
    return e;
}

/* A relation's name as a value: its row. */
static const plan_expr *row_of(binder *b, const scope *s, const ast *from) {
    const relation *r = NULL;
    for (; s && !r; s = s->outer) r = from->part_count == 1 ? scope_relation(b, s, from->part, 1) : NULL;
    if (!r) return NULL;
    plan_expr *e = expr_new(b, EXPR_OTHER, from, from->at, NULL, 0);
    e->name = STR("row");
    e->is_volatile = true; /* of all columns, some of which may not be known */
    return e;
}

/* The next number of a sequence: s.NEXTVAL. */
static const plan_expr *sequence_of(binder *b, const ast *from) {
    const ast_part *last = &from->part[from->part_count - 1];
    bool is_next = str_eq_nocase(last->text, STR("nextval")) || str_eq_nocase(last->text, STR("currval"));
    if (from->part_count < 2 || last->quote || !is_next) return NULL;
    plan_expr *e = expr_new(b, EXPR_FUNCTION, from, from->at, NULL, 0);
    e->name = STR("nextval");
    e->is_volatile = true;
    return e;
}

/* Snowflake: $1, t.$1: a column of FROM by its place. Where that is not known the value may be any. */
static bool dollar_place(const binder *b, str text, uint32_t *place) {
    int64_t number;
    if (!b->rules->dollar_places || text.len < 2 || text.ptr[0] != '$') return false;
    if (!str_to_int64(str_slice(text, 1, text.len), &number) || number < 1 || number > UINT32_MAX) return false;
    *place = (uint32_t)number;
    return true;
}

static const plan_expr *column_at(binder *b, const scope *s, const relation *r, uint32_t place, const ast *from) {
    if (!r && s->relation_count == 1) r = s->relation[0];
    uint32_t known = !r ? 0 : r->is_open ? r->known_count : r->column_count;
    if (place <= known && !r->column[place - 1].is_hidden)
        return expr_column(b, r->column[place - 1].id, from, from->at);
    plan_expr *e = expr_new(b, EXPR_OTHER, from, from->at, NULL, 0);
    e->name = STR("place");
    e->is_volatile = true;
    return e;
}

/* `a + a AS b, b + b AS c, ...` is short, and long when it is printed or compared. */
enum { MAX_ALIAS_SIZE = 1 << 22 };

static lp_status bind_name(binder *b, scope *s, const ast *from, const plan_expr **out) {
    uint32_t number;
    const ast_part *last = &from->part[from->part_count - 1];
    if (from->part_count > 1 && !last->quote && dollar_place(b, last->text, &number)) {
        const relation *r = scope_relation(b, s, from->part, from->part_count - 1);
        if (r) {
            *out = column_at(b, s, r, number, from);
            return LP_OK;
        }
    }
    name_meaning m = scope_find(b, s, from->part, from->part_count, from->at);
    if (m.state == NAME_ABSENT && (*out = row_of(b, s, from)) != NULL) return LP_OK;
    if (m.state == NAME_ABSENT && (*out = sequence_of(b, from)) != NULL) return LP_OK;
    if (m.state != NAME_FOUND) return refuse_name(b, from, m.state);
    if (m.alias) b->alias_size += m.alias->size;
    if (b->alias_size > MAX_ALIAS_SIZE)
        return bind_refuse(b, from->at, "aliases of aliases, written out, are more than %d expressions", MAX_ALIAS_SIZE);
    *out = meant(b, &m, from);
    if (m.field < from->part_count) *out = field_of(b, *out, from);
    return LP_OK;
}

/* CURRENT_DATE and the like: a column of that name goes first. */
static const plan_expr *bind_bare_call(binder *b, scope *s, const ast *from) {
    column_id id;
    if (from->part_count == 1 && scope_has_column(b, s, &from->part[0], &id)) return expr_column(b, id, from, from->at);
    plan_expr *e = expr_new(b, EXPR_FUNCTION, from, from->at, NULL, 0);
    e->name = str_copy_lower(b->owner, from->text);
    return e;
}

/* ---- calls ---- */

static bool is_unit_name(const ast *arg) {
    return arg->kind == AST_NAME && arg->part_count == 1 && !arg->part[0].quote && is_unit_word(arg->part[0].text);
}

/* LAST_DAY(d, MONTH), NORMALIZE(x, NFD): the word is never the first argument. */
static bool unit_is_last(str name) {
    static const char *const list[] = {"last_day", "next_day", "previous_day", "normalize", "normalize_and_casefold", "trunc",
                                       "generate_date_array", "week", "isoweek", "time_slice"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (str_eq_nocase(name, str_from(list[i]))) return true;
    return false;
}

/* DATE_TRUNC(month, x), DATE_PART(day, x): two arguments; other calls whose word comes first have three. */
static bool takes_two(str name) {
    static const char *const list[] = {"date_trunc", "datetime_trunc", "timestamp_trunc", "time_trunc", "date_part", "datepart", "datename"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (str_eq_nocase(name, str_from(list[i]))) return true;
    return false;
}

/* Is argument `i` the word of a call that takes one: DATE_TRUNC(x, MONTH), DATE_PART(month, x)? A call has one at most, and none
 * where a text says it: in date_trunc('month', day) `day` is a column. */
static bool is_unit(binder *b, const scope *s, const ast *call, size_t i) {
    size_t last = call->arg_count - 1;
    const ast *first = call->arg[0], *arg = call->arg[i];
    if (call->kind != AST_CALL || !is_unit_name(arg)) return false;
    str name = call->form == FORM_FUNCTION && call->call ? last_part(&call->call->name) : call->text;
    if (function_role_of(name) != FUNCTION_UNITS) return false;
    if (last == 0) return b->dialect == DIALECT_bigquery && str_eq_nocase(name, STR("week")); /* WEEK(MONDAY), itself a unit */
    if (first->kind == AST_STRING && is_unit_word(first->text)) return false;
    if (b->dialect == DIALECT_bigquery || unit_is_last(name)) return i == last;
    if (i == 0) return last > 1 || takes_two(name);
    column_id id;
    return first->kind != AST_STRING && !is_unit_name(first) && i == last && !scope_has_column(b, s, &arg->part[0], &id);
}

static lp_status bind_args(binder *b, scope *s, expr_place place, const ast *from, const plan_expr *const **out) {
    const plan_expr **arg = ARENA_ARRAY(b->owner, const plan_expr *, from->arg_count);
    for (size_t i = 0; i < from->arg_count; i++) {
        bool is_star = from->arg[i]->kind == AST_OTHER && from->arg[i]->form == FORM_STAR;
        if (is_star) { /* struct(*), COLUMNS(*): over all that is there; nothing is known of it */
            plan_expr *all = expr_new(b, EXPR_OTHER, from->arg[i], from->arg[i]->at, NULL, 0);
            all->is_volatile = true;
            arg[i] = all;
            continue;
        }
        if (is_unit(b, s, from, i))
            arg[i] = bind_leaf(b, from->arg[i]);
        else
            TRY(bind_expr(b, s, place, from->arg[i], &arg[i]));
    }
    *out = arg;
    return LP_OK;
}

static bool holds_any(const scope *s, colset columns) {
    for (uint32_t i = 0; i < s->visible_count; i++)
        if (!s->visible[i].is_rest && colset_has(columns, s->visible[i].id)) return true;
    return false;
}

/* An aggregate over columns of an enclosing query alone aggregates the rows of that query (SQL:2016, 10.9): how many it has
 * from there on we do not tell. */
static void give_to_outer(binder *b, scope *s, const plan_expr *e) {
    if (!colset_is_empty(e->columns) || colset_is_empty(e->outer)) return;
    scope *o = s->outer;
    while (o && !holds_any(o, e->outer)) o = o->outer;
    if (!o || !o->top) return;
    draft *d = bind_node(b, PLAN_UNKNOWN, e->at, &o->top, 1);
    d->node.unknown.what = STR("an aggregate of the enclosing query inside a subquery");
    draft_pass(b, d, o->top);
    o->top = d;
}

static lp_status bind_aggregate(binder *b, scope *s, expr_place place, const ast *from, const plan_expr **out) {
    str name = last_part(&from->call->name);
    if (place != PLACE_RESULT || !s->selection)
        return bind_refuse(b, from->at, "the aggregate " STR_FMT " cannot stand here", STR_ARG(name));
    plan_expr *e = expr_new(b, EXPR_AGGREGATE, from, from->at, NULL, 0);
    const plan_expr *const *arg = NULL;
    bool groups_first = s->groups_first;
    s->groups_first = false; /* what is aggregated are rows of FROM */
    if (!from->call->has_star || from->arg_count > from->call->argument_count)
        TRY(bind_args(b, s, PLACE_ROW, from, &arg));
    s->groups_first = groups_first;
    if (arg) e = expr_new(b, EXPR_AGGREGATE, from, from->at, arg, from->arg_count);
    e->name = str_copy_lower(b->owner, name);
    give_to_outer(b, s, e);
    *out = selection_aggregate(b, s->selection, e);
    return LP_OK;
}

static lp_status bind_function(binder *b, scope *s, expr_place place, const ast *from, const plan_expr **out) {
    if (from->call && from->call->over) return bind_window_call(b, s, from, out);
    if (call_is_aggregate(from)) return bind_aggregate(b, s, place, from, out);
    if (place == PLACE_RESULT && call_makes_rows(b, from)) {
        column_id id;
        TRY(bind_rows_of_call(b, s, from, NULL, 1, &id));
        *out = expr_column(b, id, from, from->at);
        return LP_OK;
    }
    const plan_expr *const *arg;
    TRY(bind_args(b, s, place, from, &arg));
    plan_expr *e = expr_new(b, EXPR_FUNCTION, from, from->at, arg, from->arg_count);
    str name = from->call ? last_part(&from->call->name) : from->text;
    e->name = str_copy_lower(b->owner, name);
    e->is_volatile |= function_role_of(name) == FUNCTION_VOLATILE;
    *out = e;
    return LP_OK;
}

static lp_status bind_call(binder *b, scope *s, expr_place place, const ast *from, const plan_expr **out) {
    if (from->form == FORM_FUNCTION) return bind_function(b, s, place, from, out);
    if (from->form == FORM_BARE || from->is_bare) {
        *out = bind_bare_call(b, s, from);
        return LP_OK;
    }
    const plan_expr *const *arg;
    TRY(bind_args(b, s, place, from, &arg));
    plan_expr_kind kind = from->form == FORM_CAST ? EXPR_CAST : from->form == FORM_CASE ? EXPR_CASE : EXPR_FUNCTION;
    plan_expr *e = expr_new(b, kind, from, from->at, arg, from->arg_count);
    e->name = str_copy_lower(b->owner, from->text);
    e->type = from->form == FORM_CAST ? from->type_name : STR("");
    e->is_try = from->form == FORM_CAST && !str_eq_nocase(from->text, STR("CAST"));
    *out = e;
    return LP_OK;
}

/* ---- all kinds ---- */

static plan_expr_kind kind_of(const ast *a) {
    bool compares = (a->op >= OP_EQ && a->op <= OP_GE) || a->op == OP_NULLSAFE_EQ;
    switch ((int)a->kind) {
    case AST_UNARY: return a->op == OP_NOT ? EXPR_NOT : EXPR_ARITHMETIC;
    case AST_BINARY: return compares ? EXPR_COMPARE : EXPR_ARITHMETIC;
    case AST_CHAIN: return a->op == OP_AND ? EXPR_AND : a->op == OP_OR ? EXPR_OR : EXPR_ARITHMETIC;
    case AST_IS: return EXPR_IS;
    case AST_DISTINCT: return EXPR_COMPARE;
    case AST_IN: return EXPR_IN;
    case AST_BETWEEN: return EXPR_BETWEEN;
    case AST_LIKE: return EXPR_LIKE;
    default: return EXPR_OTHER;
    }
}

static lp_status bind_operator(binder *b, scope *s, expr_place place, const ast *from, const plan_expr **out) {
    const plan_expr *const *arg;
    TRY(bind_args(b, s, place, from, &arg));
    plan_expr *e = expr_new(b, kind_of(from), from, from->at, arg, from->arg_count);
    e->op = from->kind == AST_DISTINCT ? OP_NULLSAFE_EQ : from->op;
    e->is = from->is;
    e->negated = from->kind == AST_DISTINCT ? !from->negated : from->negated;
    *out = e;
    return LP_OK;
}

static lp_status bind_other(binder *b, scope *s, expr_place place, const ast *from, const plan_expr **out) {
    uint32_t number;
    if (from->form == FORM_PARAMETER && dollar_place(b, from->piece[0], &number)) {
        *out = column_at(b, s, NULL, number, from);
        return LP_OK;
    }
    bool is_constant = from->form == FORM_PARAMETER || (from->form == FORM_INTERVAL && from->arg_count == 0) ||
                       from->form == FORM_TEXTS;
    if (is_constant) {
        *out = bind_leaf(b, from);
        return LP_OK;
    }
    TRY(bind_operator(b, s, place, from, out));
    ((plan_expr *)*out)->kind = EXPR_OTHER;
    return LP_OK;
}

static lp_status bind_by_kind(binder *b, scope *s, expr_place place, const ast *from, const plan_expr **out) {
    switch (from->kind) {
    case AST_NAME: return bind_name(b, s, from, out);
    case AST_LOCAL: /* its value comes from the call around it */
        *out = expr_new(b, EXPR_OTHER, from, from->at, NULL, 0);
        return LP_OK;
    case AST_NUMBER:
    case AST_STRING:
    case AST_TYPED:
    case AST_BOOLEAN:
    case AST_NULL: *out = bind_leaf(b, from); return LP_OK;
    case AST_PAREN: return bind_expr(b, s, place, from->arg[0], out);
    case AST_CALL: return bind_call(b, s, place, from, out);
    case AST_SUBQUERY: return bind_subquery(b, s, place, from, out);
    case AST_IN:
        if (from->arg_count == 2 && from->arg[1]->kind == AST_SUBQUERY) return bind_in_subquery(b, s, place, from, out);
        return bind_operator(b, s, place, from, out);
    case AST_OTHER: return bind_other(b, s, place, from, out);
    case AST_BINARY:
        if (quantified_query(from)) return bind_quantified(b, s, place, from, out);
        return bind_operator(b, s, place, from, out);
    case AST_UNARY:
    case AST_CHAIN:
    case AST_IS:
    case AST_DISTINCT:
    case AST_BETWEEN:
    case AST_LIKE: return bind_operator(b, s, place, from, out);
    }
    UNREACHABLE();
}

lp_status bind_expr(binder *b, scope *s, expr_place place, const ast *from, const plan_expr **out) {
    TRY(bind_by_kind(b, s, place, from, out));
    if (place == PLACE_RESULT && s->selection) *out = selection_grouped(b, s->selection, *out);
    return LP_OK;
}
