/* check_g003.c - many-to-many joins.
 * Called by: check.c.  Must not know: other checks.
 *
 * Both sides have a known key, and neither side's equated columns hold one: a row of each side may meet several of the
 * other. Joins without equality columns are left alone, and so are two children of one parent: where a side's equated
 * columns contain a whole key of their own entity, what may be counted twice is G001's business.
 */
#include "grain/check_int.h"

static bool has_whole_entity(checking *c, const plan_node *side, colset equated) {
    facts *f = (facts *)grain_facts_of(c->m, side);
    /* An entity has one native grain and may have several keys: a surrogate one, and the columns that its SQL groups by. */
    colset told = facts_closure(f, equated, (closure_mode){.not_null = equated, .with_presumed = true});
    column_id id = 0;
    for (; colset_next(equated, id, &id); id++) {
        const column_grain *g = f->grain ? op_grain(side, f, id) : NULL;
        if (g && g->is_known && !colset_is_empty(g->native) && colset_is_subset(g->native, told)) return true;
    }
    return false;
}

static bool kind_repeats(plan_join_kind k) {
    return k == PLAN_JOIN_INNER || k == PLAN_JOIN_LEFT || k == PLAN_JOIN_RIGHT || k == PLAN_JOIN_FULL;
}

static bool is_many_to_many(checking *c, const plan_node *n, const join_match *match) {
    const facts *l = grain_facts_of(c->m, n->input[0]), *r = grain_facts_of(c->m, n->input[1]);
    if (!kind_repeats(n->join.kind) || !n->join.pair_count || n->join.is_lateral) return false;
    if (l->status == FACTS_UNKNOWN || r->status == FACTS_UNKNOWN) return false;
    if (match->left_at_most_one || match->right_at_most_one || match->left_presumed || match->right_presumed) return false;
    if (match->left_is_open || match->right_is_open) return false;
    for (size_t i = 0; i < n->join.pair_count; i++)
        if (expr_types_compare(expr_column_type(&c->m->expr, n->join.pair[i].left),
                               expr_column_type(&c->m->expr, n->join.pair[i].right)) == UNCERTAIN)
            return false;
    return facts_best_key(l) && facts_best_key(r);
}

/* ---- conditions behind the join ---- */

/* Who alone reads the rows of `n`; NULL when nobody or several do. */
static const plan_node *only_reader(const checking *c, const plan_node *n) {
    const plan *p = c->m->plan;
    if (c->m->references[n->id] != 1) return NULL;
    for (size_t i = n->id + 1; i < p->node_count; i++)
        for (size_t k = 0; k < p->node[i]->input_count; k++)
            if (p->node[i]->input[k] == n) return p->node[i];
    return NULL;
}

static bool passes_rows(const plan_node *reader, const plan_node *n) {
    if (reader->kind == PLAN_FILTER || reader->kind == PLAN_PROJECT || reader->kind == PLAN_SORT) return true;
    if (reader->kind != PLAN_JOIN) return false;
    plan_join_kind kind = reader->join.kind;
    return kind == PLAN_JOIN_INNER || kind == PLAN_JOIN_CROSS || (kind == PLAN_JOIN_LEFT && reader->input[0] == n);
}

static void learn_of_side(checking *c, facts *side, const plan_expr *const *condition, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const plan_expr *e = condition[i];
        bool is_of_side = !colset_is_empty(e->columns) && colset_is_subset(e->columns, side->all);
        if (is_of_side && !e->is_volatile) learn_condition((grain_model *)c->m, side, e);
    }
}

/* The rows of a side that can meet one of the other, by the conditions of the join that are about this side alone. */
static facts side_that_meets(checking *c, const plan_node *n, size_t input) {
    facts side = facts_copy(grain_facts_of(c->m, n->input[input]));
    bool meets_rest = n->join.kind == PLAN_JOIN_INNER || (n->join.kind == PLAN_JOIN_LEFT && input == 1) ||
                      (n->join.kind == PLAN_JOIN_RIGHT && input == 0);
    if (meets_rest) learn_of_side(c, &side, n->join.rest, n->join.rest_count);
    return side;
}

/* Is a side unique on what is equated, among its rows that WHERE lets through? An author may write there what others write in ON. */
static bool is_unique_above(checking *c, const plan_node *n, size_t input, colset equated) {
    facts side = side_that_meets(c, n, input);
    for (const plan_node *reader; (reader = only_reader(c, n)) != NULL && passes_rows(reader, n); n = reader)
        if (reader->kind == PLAN_FILTER) learn_of_side(c, &side, reader->filter.condition, reader->filter.condition_count);
    return facts_is_superkey(&side, equated, (closure_mode){.not_null = equated, .with_presumed = true}, NULL);
}

/* ---- telling ---- */

/* Columns of the nearest key of a side that the join does not fix. */
static const str *missing(checking *c, const plan_node *n, size_t input, colset equated, size_t *count) {
    facts side = side_that_meets(c, n, input);
    colset told = facts_closure(&side, equated, (closure_mode){.not_null = equated, .with_presumed = true});
    colset open = colset_difference(facts_best_key(grain_facts_of(c->m, n->input[input]))->columns, told, c->m->owner);
    return check_names(c, open, count);
}

static bool has_column(checking *c, const plan_node *side, str name) {
    for (size_t i = 0; i < side->column_count; i++)
        if (str_eq_nocase(check_column_name(c, side->column[i]), name)) return true;
    return false;
}

/* Columns of a key of a side that the join does not equate, though it does others of that key and both sides have one of that name. */
static str forgotten(checking *c, const plan_node *n, size_t input, colset equated) {
    size_t count;
    const str *name = missing(c, n, input, equated, &count);
    if (count >= colset_count(facts_best_key(grain_facts_of(c->m, n->input[input]))->columns)) return STR("");
    for (size_t i = 0; i < count; i++)
        if (!has_column(c, n->input[!input], name[i])) return STR("");
    return check_joined(c, name, count);
}

static str advice(checking *c, const plan_node *n, colset l, colset r) {
    str names = forgotten(c, n, 1, r);
    if (!names.len) names = forgotten(c, n, 0, l);
    str keep = STR("keep one row of a side for each value that is joined on");
    return names.len ? str_format(c->out->owner, "join on " STR_FMT " too, or " STR_FMT, STR_ARG(names), STR_ARG(keep)) : keep;
}

static const join_site *site_of(checking *c, const plan_node *n, const join_match *match, finding *f) {
    join_site *s = ARENA_NEW(c->out->owner, join_site);
    *s = (join_site){.model = f->model, .file = c->m->file, .text = check_line(c, span_text(c->m->text, n->join.on)), .at = n->join.on,
                     .place = f->place, .cardinality = match->cardinality};
    s->chain = f->evidence, s->chain_count = f->evidence_count;
    return s;
}

static void tell(checking *c, const plan_node *n, const join_match *match, colset l, colset r) {
    arena *owner = c->out->owner;
    finding *f = check_new(c, FINDING_G003, n->join.on);
    check_reasons(c, f, NULL, match->why);
    const join_site **join = ARENA_NEW(owner, const join_site *);
    *join = site_of(c, n, match, f);
    f->join = join, f->join_count = 1;
    f->group = check_names(c, l, &f->group_count);
    f->native = check_names(c, facts_best_key(grain_facts_of(c->m, n->input[0]))->columns, &f->native_count);
    size_t left_count, right_count;
    const str *left_name = missing(c, n, 0, l, &left_count), *right_name = missing(c, n, 1, r, &right_count);
    str left = check_joined(c, left_name, left_count), right = check_joined(c, right_name, right_count);
    f->expression = (*join)->text;
    f->text = str_format(owner, "a row of each side may meet several of the other: the join does not fix " STR_FMT
                         " of the left side, nor " STR_FMT " of the right",
                         STR_ARG(left.len ? left : STR("the key")), STR_ARG(right.len ? right : STR("the key")));
    f->suggestion = advice(c, n, l, r);
    check_fingerprint(c, f, check_line(c, span_text(c->m->text, n->join.on)));
}

void check_g003(checking *c, const plan_node *n) {
    if (n->kind != PLAN_JOIN) return;
    const join_match *match = &c->m->match[n->id];
    if (!is_many_to_many(c, n, match)) return;
    colset l = COLSET_EMPTY, r = COLSET_EMPTY;
    for (size_t i = 0; i < n->join.pair_count; i++) {
        colset_add(&l, n->join.pair[i].left, c->m->owner);
        colset_add(&r, n->join.pair[i].right, c->m->owner);
    }
    if (has_whole_entity(c, n->input[0], l) || has_whole_entity(c, n->input[1], r)) return;
    if (is_unique_above(c, n, 0, l) || is_unique_above(c, n, 1, r)) return;
    tell(c, n, match, l, r);
}
