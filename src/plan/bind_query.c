/* bind_query.c - queries: WITH, set operations, VALUES, and the ends of a query.
 * Called by: plan/bind_*.c; plan_bind is called by api, grain.  Must not know: select lists.
 */
#include <stdlib.h>

#include "plan/bind_int.h"

/* ---- VALUES ---- */

static bool is_row(const ast *a) {
    return a->kind == AST_OTHER && a->form == FORM_ROW;
}

static lp_status bind_values(binder *b, const sql_query *query, scope *outer, relation **out) {
    size_t width = query->row_count && is_row(query->row[0]) ? query->row[0]->arg_count : 1;
    draft *d = bind_node(b, PLAN_VALUES, query->at, NULL, 0);
    scope *nothing = scope_new(b, outer, d);
    const plan_expr **cell = ARENA_ARRAY(b->owner, const plan_expr *, query->row_count *width);
    for (size_t i = 0; i < query->row_count; i++) {
        const ast *row = query->row[i];
        if ((is_row(row) ? row->arg_count : 1) != width)
            return bind_refuse(b, row->at, "expected a row of %zu values as in the first row", width);
        for (size_t k = 0; k < width; k++)
            TRY(bind_expr(b, nothing, PLACE_ROW, is_row(row) ? row->arg[k] : row, &cell[i * width + k]));
    }
    d->node.values.cell = cell;
    d->node.values.row_count = query->row_count;
    *out = relation_new(b, d);
    for (size_t k = 0; k < width; k++) {
        const char *word = b->rules->values_name ? b->rules->values_name : "column";
        str name = str_format(b->owner, "%s%zu", word, b->rules->values_from_zero ? k : k + 1);
        column_id id =
            bind_column(b, (plan_column){.name = name, .at = query->at, .origin = COLUMN_VALUES, .made_by = &d->node});
        draft_add(b, d, id);
        relation_add(b, *out, (plain_name){name, false}, id);
    }
    return LP_OK;
}

/* ---- set operations ---- */

static uint32_t known_columns(const relation *r) {
    return r->is_open ? r->known_count : r->column_count;
}

typedef struct set_column {
    plain_name name;
    span at;
} set_column;

static column_id new_set_column(binder *b, draft *d, str name, span at, const column_id *source, size_t count,
                                bool is_known) {
    plan_column c = {.name = name,
                     .at = at,
                     .origin = is_known ? COLUMN_SET : COLUMN_OF_UNKNOWN,
                     .made_by = &d->node,
                     .source = source,
                     .source_count = count};
    column_id id = bind_column(b, c);
    draft_add(b, d, id);
    return id;
}

static lp_status match_by_place(binder *b, relation *const *branch, size_t count, const sql_set_link *link, draft *d,
                                relation *out) {
    bool any_open = false;
    uint32_t width = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        any_open |= branch[i]->is_open;
        if (known_columns(branch[i]) < width) width = known_columns(branch[i]);
    }
    for (size_t i = 0; i < count && !any_open; i++)
        if (branch[i]->column_count != width || branch[0]->column_count != width)
            return bind_refuse(b, link->at, "the queries have %u and %u columns", branch[0]->column_count,
                               branch[i]->column_count == width && i + 1 < count ? branch[i + 1]->column_count
                                                                                 : branch[i]->column_count);
    const column_id **sources = ARENA_ARRAY(b->owner, const column_id *, count);
    for (size_t i = 0; i < count; i++) {
        column_id *list = ARENA_ARRAY(b->owner, column_id, width);
        for (uint32_t k = 0; k < width; k++) list[k] = branch[i]->column[k].id;
        sources[i] = list;
    }
    for (uint32_t k = 0; k < width; k++) {
        column_id *source = ARENA_ARRAY(b->owner, column_id, count);
        for (size_t i = 0; i < count; i++) source[i] = sources[i][k];
        plain_name name = branch[0]->column[k].name;
        relation_add(b, out, name, new_set_column(b, d, name.text, d->node.at, source, count, true));
    }
    d->node.set.source = sources;
    out->is_open = any_open;
    out->known_count = width;
    d->node.is_open = any_open;
    return LP_OK;
}

static column_id column_named(const binder *b, const relation *r, plain_name name) {
    named_list columns = relation_columns(b, r);
    uint32_t at = named_first(&columns, name);
    return at == NO_ENTRY ? NO_COLUMN : r->column[at].id;
}

static void match_by_name(binder *b, relation *const *branch, size_t count, draft *d, relation *out) {
    for (size_t i = 0; i < count; i++) {
        d->node.is_open |= branch[i]->is_open;
        for (uint32_t k = 0; k < known_columns(branch[i]); k++) {
            plain_name name = branch[i]->column[k].name;
            if (column_named(b, out, name) != NO_COLUMN) continue;
            column_id *source = ARENA_ARRAY(b->owner, column_id, count);
            bool is_known = true;
            for (size_t n = 0; n < count; n++) {
                source[n] = column_named(b, branch[n], name);
                is_known &= source[n] != NO_COLUMN || !branch[n]->is_open;
            }
            relation_add(b, out, name, new_set_column(b, d, name.text, d->node.at, source, count, is_known));
        }
    }
    out->is_open = d->node.is_open;
    out->known_count = out->is_open ? 0 : out->column_count;
    const column_id **sources = ARENA_ARRAY(b->owner, const column_id *, count);
    for (size_t n = 0; n < count; n++) {
        column_id *list = ARENA_ARRAY(b->owner, column_id, out->column_count);
        for (uint32_t k = 0; k < out->column_count; k++) list[k] = column_named(b, branch[n], out->column[k].name);
        sources[n] = list;
    }
    d->node.set.source = sources;
}

lp_status bind_set(binder *b, relation *const *branch, size_t count, const sql_set_link *link, span at,
                   relation **out) {
    draft **input = ARENA_ARRAY(b->owner, draft *, count);
    for (size_t i = 0; i < count; i++) input[i] = branch[i]->top;
    draft *d = bind_node(b, PLAN_SET, at, input, count);
    /* Columns of open branches that are named later are nobody's: which column of the other branch stands beside them
     * is not known. */
    *out = relation_new(b, d);
    d->node.set.kind = link->kind;
    d->node.set.is_all = link->quantity == SQL_QUANTITY_ALL;
    if (!link->by_name) return match_by_place(b, branch, count, link, d, *out);
    match_by_name(b, branch, count, d, *out);
    return LP_OK;
}

static bool same_operation(const sql_set_link *a, const sql_set_link *b) {
    bool is_union = a->kind == SQL_SET_UNION && b->kind == SQL_SET_UNION;
    return is_union && a->quantity == b->quantity && a->by_name == b->by_name;
}

/* a UNION ALL b UNION ALL c is one operator with three inputs; other operations go two by two, from the left. */
static lp_status bind_set_query(binder *b, const sql_query *query, scope *outer, relation **out) {
    relation **branch = ARENA_ARRAY(b->owner, relation *, query->operand_count);
    for (size_t i = 0; i < query->operand_count; i++) TRY(bind_query(b, query->operand[i], outer, &branch[i]));
    relation *left = branch[0];
    for (size_t i = 0; i + 1 < query->operand_count;) {
        size_t end = i + 1;
        while (end + 1 < query->operand_count && same_operation(&query->link[i], &query->link[end])) end++;
        relation **run = ARENA_ARRAY(b->owner, relation *, end - i + 1);
        run[0] = left;
        for (size_t k = i + 1; k <= end; k++) run[k - i] = branch[k];
        span at = span_join(query->operand[0]->at, query->operand[end]->at);
        TRY(bind_set(b, run, end - i + 1, &query->link[i], at, &left));
        i = end;
    }
    *out = left;
    return LP_OK;
}

/* ---- WITH ---- */

static bool names_itself_in_relation(const binder *b, const sql_relation *r, plain_name name);

static bool names_itself(const binder *b, const sql_query *q, plain_name name) {
    for (size_t i = 0; q->with && i < q->with->count; i++)
        if (q->with->cte[i].query && names_itself(b, q->with->cte[i].query, name)) return true;
    if (q->select)
        for (size_t i = 0; i < q->select->from_count; i++)
            if (names_itself_in_relation(b, q->select->from[i], name)) return true;
    for (size_t i = 0; i < q->operand_count; i++)
        if (names_itself(b, q->operand[i], name)) return true;
    return q->relation && names_itself_in_relation(b, q->relation, name);
}

static bool names_itself_in_relation(const binder *b, const sql_relation *r, plain_name name) {
    if (r->kind == SQL_RELATION_NAME && r->name.part_count == 1 &&
        name_equal(b->rules, name_of_part(&r->name.part[0]), name))
        return true;
    for (size_t i = 0; i < r->operand_count; i++)
        if (names_itself_in_relation(b, r->operand[i], name)) return true;
    return r->query && names_itself(b, r->query, name);
}

static void push_cte(binder *b, plain_name name, relation *result) {
    cte_name c = {name, result};
    BIND_PUSH(b, b->cte, b->cte_count, b->cte_capacity, c);
}

/* Those that were named since are out of sight. */
static void pop_ctes(binder *b, uint32_t count) {
    b->cte_count = count;
    hash_index_cut(&b->cte_names, count);
}

/* The first branch of a recursive CTE names the columns; the CTE's own name inside of the others gives rows of which
 * nothing is known. */
static lp_status bind_recursive(binder *b, const sql_cte *cte, scope *outer, relation **out) {
    const sql_query *query = cte->query;
    while (query->kind == SQL_QUERY_PAREN && !query->with) query = query->operand[0];
    bool has_anchor = query->kind == SQL_QUERY_SET && query->operand_count >= 2 && !query->with;
    if (!has_anchor)
        return bind_refuse(b, cte->at, "a recursive query needs UNION and a first branch that does not name itself");
    relation *anchor;
    TRY(bind_query(b, query->operand[0], outer, &anchor));
    if (cte->has_columns) TRY(relation_rename(b, anchor, cte->column, cte->column_count, cte->at));
    draft *d = bind_node(b, PLAN_RECURSION, cte->at, NULL, 0);
    relation *self = relation_new(b, d);
    for (uint32_t i = 0; i < anchor->column_count; i++) {
        plain_name name = anchor->column[i].name;
        plan_column c = {.name = name.text, .at = cte->at, .origin = COLUMN_OF_UNKNOWN, .made_by = &d->node};
        column_id id = bind_column(b, c);
        draft_add(b, d, id);
        relation_add(b, self, name, id);
    }
    self->is_open = anchor->is_open;
    self->known_count = anchor->known_count;
    uint32_t before = b->cte_count;
    push_cte(b, name_of_part(&cte->name), self);
    relation *left = anchor;
    for (size_t i = 1; i < query->operand_count; i++) {
        relation *pair[2] = {left, NULL};
        TRY(bind_query(b, query->operand[i], outer, &pair[1]));
        TRY(bind_set(b, pair, 2, &query->link[i - 1], cte->at, &left));
    }
    pop_ctes(b, before);
    *out = left;
    return LP_OK;
}

static lp_status bind_cte(binder *b, const sql_with *with, const sql_cte *cte, scope *outer) {
    relation *result;
    plain_name name = name_of_part(&cte->name);
    bool may_recurse = with->is_recursive || b->rules->recursive_always;
    if (!cte->query) {
        draft *d = bind_node(b, PLAN_UNKNOWN, cte->at, NULL, 0);
        d->node.unknown.what = STR("a statement that is no query, inside of WITH");
        d->node.is_open = true;
        result = relation_new(b, d);
        result->is_open = true;
    } else if (may_recurse && names_itself(b, cte->query, name)) {
        TRY(bind_recursive(b, cte, outer, &result));
    } else {
        TRY(bind_query(b, cte->query, outer, &result));
    }
    if (cte->has_columns) TRY(relation_rename(b, result, cte->column, cte->column_count, cte->at));
    push_cte(b, name, result);
    return LP_OK;
}

/* ---- the ends ---- */

void bind_distinct(binder *b, relation *r, span at) {
    draft *d = bind_node(b, PLAN_DISTINCT, at, &r->top, 1);
    draft_pass(b, d, r->top);
    r->top = d;
}

static bool constant_count(const ast *a, uint64_t *out) {
    a = ast_without_parens(a);
    int64_t value;
    if (a->kind != AST_NUMBER || !str_to_int64(a->text, &value) || value < 0) return false;
    *out = (uint64_t)value;
    return true;
}

lp_status bind_limit(binder *b, relation *r, const sql_limit *limit) {
    draft *d = bind_node(b, PLAN_LIMIT, limit->at, &r->top, 1);
    d->node.limit.has_offset = limit->offset != NULL;
    d->node.limit.with_ties = limit->with_ties;
    d->node.limit.is_percent = limit->is_percent;
    d->node.limit.has_count = limit->is_one;
    d->node.limit.count = 1;
    if (limit->count && !limit->is_percent)
        d->node.limit.has_count = constant_count(limit->count, &d->node.limit.count);
    draft_pass(b, d, r->top);
    r->top = d;
    return LP_OK;
}

bool key_is_place(const ast *key, int64_t *place) {
    return key->kind == AST_NUMBER && str_to_int64(key->text, place);
}

lp_status refuse_place(binder *b, const ast *key, int64_t place, uint32_t width) {
    return bind_refuse(b, key->at, "no column %lld: the list has %u", (long long)place, width);
}

lp_status bind_order(binder *b, scope *s, relation *r, const sql_order *order) {
    plan_sort_key *key = ARENA_ARRAY(b->owner, plan_sort_key, order->count);
    size_t count = 0;
    for (size_t i = 0; i < order->count; i++) {
        const sql_sort *sort = &order->item[i];
        if (!sort->key) continue; /* ALL: every column, which says nothing of the rows */
        plan_sort_key k = {.is_descending = sort->direction == SQL_DIRECTION_DESC, .nulls = sort->nulls};
        int64_t place;
        bool is_place = key_is_place(sort->key, &place), is_known = is_place && place >= 1 && place <= known_columns(r);
        if (is_place && !is_known && !r->is_open) return refuse_place(b, sort->key, place, known_columns(r));
        if (is_known)
            k.key = expr_column(b, r->column[place - 1].id, sort->key, sort->at);
        else
            TRY(bind_expr(b, s, s->selection ? PLACE_RESULT : PLACE_ROW, sort->key, &k.key));
        key[count++] = k;
    }
    draft *d = bind_node(b, PLAN_SORT, order->at, &r->top, 1);
    d->node.sort.key = key;
    d->node.sort.key_count = count;
    draft_pass(b, d, r->top);
    r->top = d;
    return LP_OK;
}

/* ORDER BY of anything but a SELECT sees the columns of the result and nothing else. */
static lp_status bind_ends(binder *b, const sql_query *query, scope *outer, relation *r) {
    const sql_order *order[] = {query->order, query->sort, query->distribute, query->cluster};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (!order[i]) continue;
        scope *s = scope_new(b, outer, r->top);
        scope_add_relation(b, s, r);
        TRY(bind_order(b, s, r, order[i]));
    }
    return query->limit ? bind_limit(b, r, query->limit) : LP_OK;
}

static lp_status bind_table(binder *b, const sql_query *query, scope *outer, relation **out) {
    scope *s = scope_new(b, outer, NULL);
    TRY(bind_from(b, s, &query->relation, 1, query->at));
    sql_select everything = {.is_from_first = true}; /* FROM t */
    return bind_list(b, s, &everything, NULL, out);
}

static lp_status bind_body(binder *b, const sql_query *query, scope *outer, relation **out) {
    switch (query->kind) {
    case SQL_QUERY_SELECT: return bind_select(b, query, outer, out); /* its ends too */
    case SQL_QUERY_SET: TRY(bind_set_query(b, query, outer, out)); break;
    case SQL_QUERY_VALUES: TRY(bind_values(b, query, outer, out)); break;
    case SQL_QUERY_TABLE: TRY(bind_table(b, query, outer, out)); break;
    case SQL_QUERY_PAREN: TRY(bind_query(b, query->operand[0], outer, out)); break;
    case SQL_QUERY_PIPE: TRY(bind_pipe(b, query, outer, out)); break;
    }
    return bind_ends(b, query, outer, *out);
}

lp_status bind_query(binder *b, const sql_query *query, scope *outer, relation **out) {
    uint32_t before = b->cte_count;
    for (size_t i = 0; query->with && i < query->with->count; i++)
        TRY(bind_cte(b, query->with, &query->with->cte[i], outer));
    TRY(bind_body(b, query, outer, out));
    pop_ctes(b, before);
    return LP_OK;
}

/* ---- statements ---- */

const sql_query *plan_query_of(arena *owner, const sql_statement *s) {
    bool is_merge = s->kind == SQL_STATEMENT_MERGE && s->merge_source;
    if (!is_merge && (!s->query || !s->with)) return s->query;
    sql_query *q = ARENA_NEW(owner, sql_query);
    *q = (sql_query){.height = s->height + 1, .with = s->with};
    if (is_merge) {
        q->kind = SQL_QUERY_TABLE;
        q->relation = s->merge_source;
        q->at = s->merge_source->at;
        return q;
    }
    const sql_query **inside = ARENA_NEW(owner, const sql_query *);
    *inside = s->query;
    q->kind = SQL_QUERY_PAREN;
    q->operand = inside;
    q->operand_count = 1;
    q->at = s->query->at;
    return q;
}

/* ---- the whole ---- */

static void tell_result(binder *b, const relation *r, plan *p) {
    uint32_t known = known_columns(r);
    plan_result *result = ARENA_ARRAY(b->owner, plan_result, known);
    for (uint32_t i = 0; i < known; i++) {
        const relation_column *c = &r->column[i];
        result[i] =
            (plan_result){name_as_seen(b->owner, b->rules, c->name), c->id, c->at.len ? c->at : b->column[c->id].at};
    }
    p->result = result;
    p->result_count = known;
    p->result_is_open = r->is_open;
}

lp_status plan_bind(arena *owner, str text, sql_dialect dialect, const sql_query *query, const catalog *declared,
                    const plan **out, lp_err *err) {
    binder b = {.owner = owner,
                .text = text,
                .rules = scope_rules_of(dialect),
                .dialect = dialect,
                .catalog = declared,
                .err = err};
    relation *result;
    TRY(bind_query(&b, query, NULL, &result));
    plan *p = ARENA_NEW(owner, plan);
    *p = (plan){.column = b.column,
                .column_count = b.column_count,
                .node = b.node,
                .node_count = b.node_count,
                .root = &result->top->node};
    tell_result(&b, result, p);
    *out = p;
    return LP_OK;
}
