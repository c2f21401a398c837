/* bind_scope.c - relations, and what a name means among them.
 * Called by: plan/bind_*.c.  Must not know: expressions, clauses.
 */
#include "base/buf.h"
#include "plan/bind_int.h"

/* ---- lists with names ---- */

static plain_name name_of_column(const void *list, uint32_t at) {
    return ((const relation_column *)list)[at].name;
}

static plain_name name_of_visible(const void *list, uint32_t at) {
    return ((const visible *)list)[at].name;
}

static plain_name name_of_relation(const void *list, uint32_t at) {
    const relation *r = ((relation *const *)list)[at];
    return r->has_name ? r->name : (plain_name){STR_NONE, false};
}

static plain_name name_of_alias(const void *list, uint32_t at) {
    return ((const item_alias *)list)[at].name;
}

static plain_name name_of_item(const void *list, uint32_t at) {
    const sql_item *item = &((const sql_item *)list)[at];
    return item->has_alias ? name_of_part(&item->alias) : (plain_name){STR_NONE, false};
}

static plain_name name_of_name(const void *list, uint32_t at) {
    const sql_name *name = &((const sql_name *)list)[at];
    return name_of_part(&name->part[name->part_count - 1]);
}

named_list relation_columns(const binder *b, const relation *r) {
    return (named_list){r->column, r->column_count, name_of_column, r->names, b->rules, b->owner};
}

named_list scope_visible(const binder *b, const scope *s) {
    return (named_list){s->visible, s->visible_count, name_of_visible, s->names, b->rules, b->owner};
}

named_list scope_relations(const binder *b, const scope *s) {
    return (named_list){s->relation, s->relation_count, name_of_relation, s->relation_names, b->rules, b->owner};
}

static named_list scope_aliases(const binder *b, const scope *s) {
    return (named_list){s->alias, s->alias_count, name_of_alias, s->alias_names, b->rules, b->owner};
}

named_list names_of_items(const binder *b, const sql_item *item, size_t count, hash_index *index) {
    return (named_list){item, (uint32_t)count, name_of_item, index, b->rules, b->owner};
}

named_list names_of_names(const binder *b, const sql_name *name, size_t count, hash_index *index) {
    return (named_list){name, (uint32_t)count, name_of_name, index, b->rules, b->owner};
}

/* ---- relations ---- */

relation *relation_new(binder *b, draft *top) {
    relation *r = ARENA_NEW(b->owner, relation);
    r->top = top;
    relation_forget_names(b, r);
    return r;
}

void relation_forget_names(binder *b, relation *r) {
    r->names = ARENA_NEW(b->owner, hash_index);
}

void relation_add(binder *b, relation *r, plain_name name, column_id id) {
    relation_column c = {.name = name, .id = id};
    BIND_PUSH(b, r->column, r->column_count, r->column_capacity, c);
}

/* `matches`: 0, 1, or 2 for several. */
static const relation_column *find_column(const binder *b, const relation *r, plain_name name, uint32_t *matches) {
    named_list columns = relation_columns(b, r);
    uint32_t first = named_first(&columns, name);
    *matches = first == NO_ENTRY ? 0 : named_next(&columns, first, name) == NO_ENTRY ? 1 : 2;
    return *matches ? &r->column[first] : NULL;
}

static bool is_left_out(const binder *b, const relation *r, plain_name name) {
    named_list left_out = names_of_names(b, r->except, r->except_count, r->except_names);
    return named_first(&left_out, name) != NO_ENTRY;
}

static column_id new_open_column(binder *b, relation *r, plain_name name, span at) {
    bool is_unknown = r->top->node.kind != PLAN_SCAN;
    column_origin origin = r->is_stray ? COLUMN_STRAY : is_unknown ? COLUMN_OF_UNKNOWN : COLUMN_BASE;
    plan_column c = {.name = name.text, .at = at, .origin = origin, .made_by = r->is_stray ? NULL : &r->top->node};
    column_id id = bind_column(b, c);
    if (!r->is_stray) draft_add(b, r->top, id);
    return id;
}

/* The copy of a column of a CTE in one reference to it. */
static column_id new_copy(binder *b, relation *r, column_id inside, plain_name name, span at) {
    column_id *source = ARENA_NEW(b->owner, column_id);
    *source = inside;
    plan_column c = {.name = name.text,
                     .at = at,
                     .origin = COLUMN_COPY,
                     .made_by = &r->top->node,
                     .source = source,
                     .source_count = 1};
    column_id id = bind_column(b, c);
    draft_add(b, r->top, id);
    BIND_PUSH(b, r->top->inside, r->top->inside_count, r->top->inside_capacity, inside);
    r->top->node.cte.inside = r->top->inside;
    return id;
}

/* The column `inside` of its source becomes one of `r`. */
static column_id take_over(binder *b, relation *r, column_id inside, plain_name name, span at) {
    column_id id = inside;
    if (r->is_reference)
        id = new_copy(b, r, inside, name, at);
    else
        draft_push(b, r->top, r->source->top, inside);
    relation_add(b, r, name, id);
    return id;
}

/* No recursion: each of a thousand CTEs may be a `SELECT *` from the one before. */
column_id relation_demand(binder *b, relation *r, plain_name name, span at) {
    uint32_t matches;
    const relation_column *known;
    relation **above = NULL, *bottom = r;
    uint32_t count = 0, capacity = 0;
    while (!(known = find_column(b, bottom, name, &matches)) && bottom->source) {
        BIND_PUSH(b, above, count, capacity, bottom);
        bottom = bottom->source;
    }
    column_id id = known ? known->id : new_open_column(b, bottom, name, at);
    if (!known) relation_add(b, bottom, name, id);
    while (count > 0) id = take_over(b, above[--count], id, name, at);
    return id;
}

lp_status relation_rename(binder *b, relation *r, const ast_part *name, size_t count, span at) {
    if (count > r->column_count && !r->is_open)
        return bind_refuse(b, at, "%zu names for %u columns", count, r->column_count);
    for (size_t i = 0; i < count && i < r->column_count; i++) r->column[i].name = name_of_part(&name[i]);
    relation_forget_names(b, r);
    return LP_OK;
}

void relation_number_duplicates(binder *b, relation *r) {
    if (!b->rules->renames_duplicates) return;
    map seen;
    map_init(&seen, b->owner);
    for (uint32_t i = 0; i < r->column_count; i++) {
        plain_name *name = &r->column[i].name;
        str key = str_copy_lower(b->owner, name->text);
        uint32_t *count = map_get(&seen, key);
        if (!count) {
            (void)map_put(&seen, key, ARENA_NEW(b->owner, uint32_t));
            continue;
        }
        buf numbered;
        buf_init(&numbered, b->owner, SIZE_MAX / 2);
        buf_printf(&numbered, STR_FMT "_%u", STR_ARG(name->text), ++*count);
        name->text = buf_str(&numbered);
    }
    relation_forget_names(b, r);
}

relation *relation_refer(binder *b, relation *cte, str name, span at) {
    draft *d = bind_node(b, PLAN_CTE, at, &cte->top, 1);
    d->node.cte.name = name;
    d->node.is_open = cte->is_open;
    relation *r = relation_new(b, d);
    r->is_open = cte->is_open;
    r->known_count = cte->known_count;
    r->source = cte;
    r->is_reference = true;
    uint32_t known = cte->is_open ? cte->known_count : cte->column_count;
    for (uint32_t i = 0; i < known; i++) {
        plain_name column = cte->column[i].name;
        relation_add(b, r, column, new_copy(b, r, cte->column[i].id, column, at));
    }
    return r;
}

/* ---- scopes ---- */

scope *scope_new(binder *b, scope *outer, draft *top) {
    scope *s = ARENA_NEW(b->owner, scope);
    *s = (scope){.outer = outer, .top = top};
    scope_forget_names(b, s);
    return s;
}

void scope_forget_names(binder *b, scope *s) {
    s->relation_names = ARENA_NEW(b->owner, hash_index);
    s->names = ARENA_NEW(b->owner, hash_index);
}

void scope_add_relation(binder *b, scope *s, relation *r) {
    BIND_PUSH(b, s->relation, s->relation_count, s->relation_capacity, r);
    uint32_t known = r->is_open ? r->known_count : r->column_count;
    for (uint32_t i = 0; i < known; i++) {
        visible v = {.of = r, .name = r->column[i].name, .id = r->column[i].id};
        BIND_PUSH(b, s->visible, s->visible_count, s->visible_capacity, v);
    }
    if (!r->is_open) return;
    visible rest = {.of = r, .is_rest = true};
    BIND_PUSH(b, s->visible, s->visible_count, s->visible_capacity, rest);
}

void scope_become(binder *b, scope *s, relation *r) {
    s->relation_count = s->visible_count = 0;
    scope_forget_names(b, s);
    s->top = r->top;
    scope_add_relation(b, s, r);
}

/* ---- names ---- */

typedef struct search {
    name_state state;
    column_id id;
    relation *open; /* the relation that may have the column, where none is known to */
    uint32_t open_count;
    const relation *of;   /* of the last match */
    bool is_one_relation; /* all matches are of it */
} search;

/* The open relations that may have the column; two are as good as many. */
static void find_open(const binder *b, const scope *s, plain_name name, search *found) {
    static const plain_name nameless = {{NULL, 0}, false};
    named_list all = scope_visible(b, s);
    for (uint32_t i = named_first(&all, nameless); i != NO_ENTRY; i = named_next(&all, i, nameless)) {
        const visible *v = &s->visible[i];
        if (!v->is_rest || is_left_out(b, v->of, name)) continue;
        found->open = (relation *)v->of;
        if (++found->open_count == 2) return;
    }
}

/* So many columns of one name are ambiguous beyond doubt. */
enum { MANY_OF_ONE_NAME = 16 };

static search find_bare(binder *b, const scope *s, plain_name name) {
    search found = {.state = NAME_ABSENT};
    uint32_t matches = 0;
    find_open(b, s, name, &found);
    named_list all = scope_visible(b, s);
    for (uint32_t i = named_first(&all, name); i != NO_ENTRY; i = named_next(&all, i, name)) {
        const visible *v = &s->visible[i];
        if (found.state == NAME_AMBIGUOUS && (!found.is_one_relation || ++matches > MANY_OF_ONE_NAME)) break;
        /* A relation that is known to have it is the only one that has: else the engine would refuse the name. */
        bool is_stray = b->column[v->id].origin == COLUMN_STRAY;
        if (is_stray && found.state != NAME_ABSENT) continue;
        if (found.state == NAME_FOUND && b->column[found.id].origin == COLUMN_STRAY) found.state = NAME_ABSENT;
        /* A merged column of USING is the same in both of its relations; so is a column that stands twice. */
        bool is_twice =
            b->rules->strict_duplicates && !b->rules->twice_is_once && v->of && found.of == v->of;
        if (found.state == NAME_FOUND && (found.id != v->id || is_twice)) found.state = NAME_AMBIGUOUS;
        found.is_one_relation = found.state == NAME_ABSENT || (found.is_one_relation && found.of == v->of);
        found.of = v->of;
        if (found.state == NAME_ABSENT) found.state = NAME_FOUND;
        found.id = v->id;
    }
    return found;
}

/* A column of an open relation becomes known by its name. */
static column_id demand(binder *b, scope *s, relation *r, plain_name name, span at) {
    uint32_t before = r->column_count;
    column_id id = relation_demand(b, r, name, at);
    if (!r->is_stray) draft_push(b, s->top, r->top, id);
    if (r->column_count > before) {
        r->column[before].is_hidden = !r->is_open;
        visible v = {.of = r, .name = name, .id = id, .by_name_only = true};
        BIND_PUSH(b, s->visible, s->visible_count, s->visible_capacity, v);
    }
    return id;
}

static column_id stray(binder *b, scope *s, plain_name name, span at) {
    plan_column c = {.name = name.text, .at = at, .origin = COLUMN_STRAY};
    visible v = {.name = name, .id = bind_column(b, c), .by_name_only = true};
    BIND_PUSH(b, s->visible, s->visible_count, s->visible_capacity, v);
    return v.id;
}

static const plan_expr *find_alias(const binder *b, const scope *s, plain_name name) {
    named_list aliases = scope_aliases(b, s);
    uint32_t at = named_last(&aliases, name);
    return at == NO_ENTRY ? NULL : s->alias[at].value;
}

static bool outer_knows(binder *b, const scope *s, plain_name name) {
    for (const scope *o = s->outer; o; o = o->outer)
        if (find_bare(b, o, name).state != NAME_ABSENT) return true;
    return false;
}

/* Is the relation called by these parts? Without an alias any tail of its whole name does. */
static bool is_called(const binder *b, const relation *r, const ast_part *part, uint32_t count) {
    if (!r->has_name) return false;
    if (count == 1) return name_equal(b->rules, r->name, name_of_part(&part[0]));
    if (!r->written || r->written->part_count < count) return false;
    const ast_part *tail = r->written->part + (r->written->part_count - count);
    for (uint32_t i = 0; i < count; i++)
        if (!name_equal(b->rules, name_of_part(&tail[i]), name_of_part(&part[i]))) return false;
    return true;
}

relation *scope_relation(const binder *b, const scope *s, const ast_part *part, uint32_t count) {
    named_list all = scope_relations(b, s);
    plain_name last = name_of_part(&part[count - 1]);
    for (uint32_t i = named_last(&all, last); i != NO_ENTRY; i = named_previous(&all, i, last))
        if (is_called(b, s->relation[i], part, count)) return s->relation[i];
    return NULL;
}

/* BigQuery: FROM UNNEST(a) AS e: e is an element, even if a table has a column e. */
static bool find_element(const binder *b, const scope *s, const ast_part *part, column_id *id) {
    const relation *r = b->rules->elements_first ? scope_relation(b, s, part, 1) : NULL;
    if (!r || r->top->node.kind != PLAN_FUNCTION || r->column_count == 0) return false;
    *id = r->column[0].id;
    return name_equal(b->rules, r->column[0].name, name_of_part(part));
}

/* Tables have columns that they do not declare: _PARTITIONTIME, ctid. */
static bool may_hide(const binder *b, const relation *r, plain_name name) {
    return r->top->node.kind == PLAN_SCAN && !r->source && name_is_hidden(b->rules, name);
}

static name_meaning find_hidden(binder *b, scope *s, plain_name name, span at) {
    name_meaning m = {.state = NAME_ABSENT, .field = 1};
    relation *owner = NULL;
    if (!name_is_hidden(b->rules, name)) return m;
    for (uint32_t i = 0; i < s->relation_count; i++) {
        if (!may_hide(b, s->relation[i], name)) continue;
        m.state = owner ? NAME_AMBIGUOUS : NAME_FOUND;
        owner = s->relation[i];
    }
    if (m.state == NAME_FOUND) m.id = demand(b, s, owner, name, at);
    return m;
}

/* Is the name that of a column of FROM that the rows are grouped by? */
static bool is_group(binder *b, const scope *s, plain_name name) {
    search found = find_bare(b, s, name);
    for (uint32_t i = 0; s->selection && found.state == NAME_FOUND && i < s->selection->group_count; i++) {
        const plan_expr *e = s->selection->group[i].definition;
        if (e->kind == EXPR_COLUMN && e->column == found.id) return true;
    }
    return found.state == NAME_AMBIGUOUS;
}

static name_meaning find_first_part(binder *b, scope *s, const ast_part *part, span at) {
    plain_name name = name_of_part(part);
    const plan_expr *alias = find_alias(b, s, name);
    if (alias && (s->aliases_first || (s->groups_first && !is_group(b, s, name)))) return (name_meaning){.state = NAME_FOUND, .alias = alias, .field = 1};
    column_id element;
    if (find_element(b, s, part, &element)) return (name_meaning){.state = NAME_FOUND, .id = element, .field = 1};
    search found = find_bare(b, s, name);
    bool is_excused =
        (found.is_one_relation && !b->rules->strict_duplicates) || (s->has_using && b->rules->using_hides);
    if (found.state == NAME_AMBIGUOUS && is_excused)
        return (name_meaning){.state = NAME_FOUND, .id = stray(b, s, name, at), .field = 1};
    if (found.state != NAME_ABSENT) return (name_meaning){.state = found.state, .id = found.id, .field = 1};
    if (found.open_count == 0 && alias) return (name_meaning){.state = NAME_FOUND, .alias = alias, .field = 1};
    if (found.open_count == 0) return find_hidden(b, s, name, at);
    /* An open relation may have it, and then it goes first: where something else has the name too, nobody knows. */
    bool is_sure = found.open_count == 1 && !alias && !outer_knows(b, s, name);
    column_id id = is_sure ? demand(b, s, found.open, name, at) : stray(b, s, name, at);
    return (name_meaning){.state = NAME_FOUND, .id = id, .field = 1};
}

/* Do all columns of the name have one id? */
static bool is_once(const binder *b, const relation *r, plain_name name) {
    named_list columns = relation_columns(b, r);
    uint32_t first = named_first(&columns, name);
    for (uint32_t i = named_next(&columns, first, name); i != NO_ENTRY; i = named_next(&columns, i, name))
        if (r->column[i].id != r->column[first].id) return false;
    return true;
}

static name_meaning find_in_relation(binder *b, scope *s, relation *r, const ast_part *part, uint32_t field, span at) {
    plain_name name = name_of_part(part);
    uint32_t matches;
    const relation_column *c = find_column(b, r, name, &matches);
    if (matches == 1 || (matches > 1 && b->rules->twice_is_once && is_once(b, r, name)))
        return (name_meaning){.state = NAME_FOUND, .id = c->id, .field = field};
    if (matches > 1 && !b->rules->strict_duplicates)
        return (name_meaning){.state = NAME_FOUND, .id = stray(b, s, name, at), .field = field};
    if (matches > 1) return (name_meaning){.state = NAME_AMBIGUOUS, .field = field};
    bool may_have = r->is_open ? !is_left_out(b, r, name) : may_hide(b, r, name);
    if (!may_have) return (name_meaning){.state = NAME_ABSENT, .field = field};
    return (name_meaning){.state = NAME_FOUND, .id = demand(b, s, r, name, at), .field = field};
}

/* Has another relation of the same name, before `end`, the column too, as far as it is known? */
static bool is_also_in(const binder *b, const scope *s, uint32_t end, const ast_part *part, uint32_t qualifiers) {
    uint32_t matches = 0;
    named_list all = scope_relations(b, s);
    plain_name last = name_of_part(&part[qualifiers - 1]);
    for (uint32_t i = named_previous(&all, end, last); i != NO_ENTRY && matches == 0; i = named_previous(&all, i, last))
        if (is_called(b, s->relation[i], part, qualifiers))
            (void)find_column(b, s->relation[i], name_of_part(&part[qualifiers]), &matches);
    return matches > 0;
}

/* t.c, s.t.c, ...: the relation that the first parts name, and the column of the next. */
static name_meaning find_qualified(binder *b, scope *s, const ast_part *part, uint32_t count, span at,
                                   bool *is_relation) {
    *is_relation = false;
    named_list all = scope_relations(b, s);
    for (uint32_t qualifiers = 1; qualifiers < count; qualifiers++) {
        plain_name last = name_of_part(&part[qualifiers - 1]);
        for (uint32_t i = named_last(&all, last); i != NO_ENTRY; i = named_previous(&all, i, last)) {
            relation *r = s->relation[i];
            if (!is_called(b, r, part, qualifiers)) continue;
            *is_relation = true;
            name_meaning m = find_in_relation(b, s, r, &part[qualifiers], qualifiers + 1, at);
            if (m.state == NAME_FOUND && is_also_in(b, s, i, part, qualifiers)) m.state = NAME_AMBIGUOUS;
            if (m.state != NAME_ABSENT) return m;
        }
    }
    return (name_meaning){.state = NAME_ABSENT};
}

name_meaning scope_find_bare(binder *b, scope *s, const ast_part *part) {
    scope alone = *s;
    alone.outer = NULL;
    alone.alias_count = 0;
    name_meaning m = find_first_part(b, &alone, part, part->at);
    s->visible = alone.visible;
    s->visible_count = alone.visible_count;
    s->visible_capacity = alone.visible_capacity;
    return m;
}

static name_meaning find_here(binder *b, scope *s, const ast_part *part, uint32_t count, span at) {
    bool is_relation;
    name_meaning m = find_qualified(b, s, part, count, at, &is_relation);
    if (m.state != NAME_ABSENT || (count > 1 && (is_relation || !b->rules->fields))) return m;
    if (count > 1 && s->outer) { /* before a field of an open relation: a relation of the enclosing query */
        for (scope *o = s->outer; o; o = o->outer) {
            name_meaning outer = find_qualified(b, o, part, count, at, &is_relation);
            if (is_relation && outer.state != NAME_ABSENT) return (name_meaning){.state = NAME_ABSENT};
        }
    }
    return find_first_part(b, s, &part[0], at);
}

name_meaning scope_find(binder *b, scope *s, const ast_part *part, uint32_t part_count, span at) {
    uint32_t levels = 0;
    for (scope *at_scope = s; at_scope; at_scope = at_scope->outer, levels++) {
        name_meaning m = find_here(b, at_scope, part, part_count, at);
        m.levels_up = levels;
        if (m.state != NAME_ABSENT) return m;
    }
    return (name_meaning){.state = NAME_ABSENT};
}

bool scope_has_column(binder *b, const scope *s, const ast_part *part, column_id *id) {
    search found = find_bare(b, s, name_of_part(part));
    *id = found.id;
    return found.state == NAME_FOUND;
}

bool scope_knows(binder *b, const scope *s, const ast_part *part) {
    return find_bare(b, s, name_of_part(part)).state != NAME_ABSENT;
}
