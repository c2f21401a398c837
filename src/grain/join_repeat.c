/* join_repeat.c - which columns a join repeats, and how it is told.
 * Called by: op_join.c.  Must not know: facts of the result but for native grains.
 */
#include <string.h>

#include "grain/join_int.h"

/* The key of a side that the equated columns do not hold. */
static evidence_id many_side(const join_side *side) {
    if (side->is_unique) return side->why;
    const fact_key *key = facts_best_key(side->in);
    return key ? key->why : EVIDENCE_SQL;
}

evidence_id join_evidence(joining *j) {
    colset columns = COLSET_EMPTY;
    for (size_t i = 0; i < j->is->pair_count; i++) {
        colset_add(&columns, j->is->pair[i].left, j->m->owner);
        colset_add(&columns, j->is->pair[i].right, j->m->owner);
    }
    evidence_id l = many_side(&j->left), r = many_side(&j->right);
    bool left_first = j->match.cardinality == MANY_TO_ONE; /* the many side first */
    return evidence_add(&j->m->evidence, (evidence){.kind = EVIDENCE_JOIN,
                                                    .cardinality = j->match.cardinality,
                                                    .at = j->is->on,
                                                    .node = j->node,
                                                    .columns = columns,
                                                    .because = {left_first ? l : r, left_first ? r : l}});
}

/* `by`: the side whose rows may repeat those of the other. */
static const join_site *make_site(joining *j, const join_side *by) {
    arena *run = j->m->run->owner;
    join_site *s = ARENA_NEW(run, join_site);
    size_t count;
    const str *chain = evidence_chain(&j->m->evidence, j->match.why, &j->m->names, j->m->owner, &count);
    str *copy = ARENA_ARRAY(run, str, count + 1);
    for (size_t i = 0; i < count; i++) copy[i] = grain_text(j->m->run, chain[i]);
    s->model = j->m->name, s->file = j->m->file;
    s->text = str_copy_on_one_line(run, span_text(j->m->text, j->is->on));
    s->at = j->is->on;
    s->place = place_index_find(j->m->places, j->is->on);
    s->cardinality = j->match.cardinality;
    s->is_open = by->is_open;
    s->chain = copy, s->chain_count = count;
    s->leans_on = evidence_leans_on(&j->m->evidence, j->match.why, run, &s->leans_on_count);
    s->node = j->node;
    return s;
}

static void mark(joining *j, facts *f, const facts *side, const join_site *site) {
    const join_site **one = ARENA_NEW(j->m->owner, const join_site *);
    *one = site;
    for (size_t i = 0; i < j->node->column_count; i++)
        if (colset_has(side->all, j->node->column[i]))
            f->grain[i].repeated = op_unite_sites(j->m, f->grain[i].repeated, (site_list){one, 1});
}

/* Each row of the left stands once in the result of the other kinds. */
static bool repeats(const plan_join *is) {
    return is->kind != PLAN_JOIN_SEMI && is->kind != PLAN_JOIN_ANTI && is->kind != PLAN_JOIN_MARK &&
           is->kind != PLAN_JOIN_SCALAR;
}

/* The one row of a subquery beside each row: its value is no value of an entity of these rows. */
static void scalar_grains(joining *j, facts *f) {
    for (size_t i = 0; i < j->node->column_count; i++)
        if (j->m->plan->column[j->node->column[i]].origin == COLUMN_SUBQUERY) {
            const fact_key *key = facts_best_key(j->left.in);
            f->grain[i] = (column_grain){.is_known = key != NULL, .native = key ? key->columns : COLSET_EMPTY};
        }
}

void join_repeat(joining *j, facts *f) {
    const join_match *match = &j->match;
    if (j->is->kind == PLAN_JOIN_SCALAR) scalar_grains(j, f);
    if (!repeats(j->is)) return;
    bool left = !match->left_presumed && j->right.in->rows.max > 1 && !match->left_at_most_one;
    bool right = !match->right_presumed && j->left.in->rows.max > 1 && !match->right_at_most_one;
    if (!left && !right) return;
    const join_site *of_left = left ? make_site(j, &j->right) : NULL;
    const join_site *of_right = right ? make_site(j, &j->left) : NULL;
    if (left && right && of_left->is_open == of_right->is_open) of_right = of_left; /* one join, told once */
    if (left) mark(j, f, j->left.in, of_left);
    if (right) mark(j, f, j->right.in, of_right);
}
