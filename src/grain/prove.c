/* prove.c - proofs asked for by name.
 * Called by: api.  Must not know: how a proof is printed.
 */
#include "grain/prove.h"

#include "base/buf.h"
#include "grain/op.h"

static str joined(const grain_model *m, colset columns, arena *owner) {
    buf out;
    buf_init(&out, owner, SIZE_MAX / 2);
    column_id id = 0;
    for (; colset_next(columns, id, &id); id++) {
        str name = grain_column_name(m, id);
        if (out.len) buf_put(&out, STR(", "));
        buf_put(&out, name.len ? name : STR("a hidden column"));
    }
    return buf_str(&out);
}

static lp_status find_column(const grain_model *m, str name, column_id *id, lp_err *err) {
    const plan *p = m->plan;
    size_t found = 0;
    for (size_t i = 0; i < p->result_count; i++) {
        if (str_eq(p->result[i].name, name)) {
            *id = p->result[i].column;
            return LP_OK;
        }
        if (!str_eq_nocase(p->result[i].name, name)) continue;
        *id = p->result[i].column;
        found++;
    }
    if (found == 1) return LP_OK;
    return err_set(err, LP_ERR_QUERY, found ? "the result has several columns '" STR_FMT "'" : "the result has no column '" STR_FMT "'",
                   STR_ARG(name));
}

typedef struct sentences {
    arena *owner;
    str *item;
    size_t count, capacity;
} sentences;

static void say(sentences *s, str text) {
    if (s->count == s->capacity) {
        size_t more = s->capacity ? s->capacity * 2 : 8;
        str *fresh = ARENA_ARRAY(s->owner, str, more);
        for (size_t i = 0; i < s->count; i++) fresh[i] = s->item[i];
        s->item = fresh, s->capacity = more;
    }
    s->item[s->count++] = text;
}

static void give_reasons(const grain_model *m, evidence_id why, arena *owner, grain_proof *out) {
    out->is_proved = true;
    out->chain = evidence_chain(&m->evidence, why, &m->names, owner, &out->chain_count);
    out->leans_on = evidence_leans_on(&m->evidence, why, owner, &out->leans_on_count);
}

static void say_gap(const facts *f, sentences *s) {
    if (f->status != FACTS_KNOWN)
        say(s, str_format(s->owner, "not everything is known of these rows: " STR_FMT, STR_ARG(f->gap.what)));
}

static void say_missing_key(const grain_model *m, const facts *f, colset columns, sentences *s) {
    closure_mode lax = {.not_null = columns};
    colset known = facts_closure(f, columns, CLOSURE_STRICT);
    const fact_key *key = facts_best_key(f);
    if (facts_is_superkey(f, columns, lax, NULL)) {
        colset nullable = colset_difference(columns, f->not_null, s->owner);
        say(s, str_format(s->owner, "it holds among rows without a NULL in " STR_FMT ": show that these are never NULL",
                          STR_ARG(joined(m, nullable, s->owner))));
    }
    if (!key) {
        say(s, STR("no key of the rows is known"));
    } else {
        colset open = colset_difference(key->columns, known, s->owner);
        say(s, str_format(s->owner, "the rows are told apart by (" STR_FMT "), and (" STR_FMT ") does not determine " STR_FMT,
                          STR_ARG(joined(m, key->columns, s->owner)), STR_ARG(joined(m, columns, s->owner)),
                          STR_ARG(joined(m, open, s->owner))));
    }
    say_gap(f, s);
}

lp_status grain_prove_key(const grain_model *m, const str *column, size_t count, arena *owner, grain_proof *out, lp_err *err) {
    const facts *f = grain_facts_of(m, m->plan->root);
    colset columns = COLSET_EMPTY;
    *out = (grain_proof){0};
    for (size_t i = 0; i < count; i++) {
        column_id id;
        TRY(find_column(m, column[i], &id, err));
        colset_add(&columns, id, owner);
    }
    evidence_id why = EVIDENCE_SQL;
    if (facts_is_superkey(f, columns, CLOSURE_STRICT, &why)) {
        give_reasons(m, why, owner, out);
        return LP_OK;
    }
    sentences s = {.owner = owner};
    say_missing_key(m, f, columns, &s);
    out->missing = s.item, out->missing_count = s.count;
    return LP_OK;
}

lp_status grain_prove_not_null(const grain_model *m, str column, arena *owner, grain_proof *out, lp_err *err) {
    const facts *f = grain_facts_of(m, m->plan->root);
    column_id id;
    *out = (grain_proof){0};
    TRY(find_column(m, column, &id, err));
    if (colset_has(f->not_null, id)) {
        give_reasons(m, facts_why_not_null(f, id), owner, out);
        return LP_OK;
    }
    sentences s = {.owner = owner};
    const plan_column *c = id < m->plan->column_count ? &m->plan->column[id] : NULL;
    bool is_computed = c && c->origin != COLUMN_BASE;
    say(&s, str_format(owner, is_computed ? STR_FMT " is computed, and may be NULL where its inputs are, or where a join finds no partner"
                                          : STR_FMT " is not declared NOT NULL, and no condition rejects NULL",
                       STR_ARG(column)));
    say_gap(f, &s);
    out->missing = s.item, out->missing_count = s.count;
    return LP_OK;
}

static bool may_repeat(const grain_model *m, const plan_node *n) {
    const join_match *match = &m->match[n->id];
    switch ((int)n->join.kind) {
    case PLAN_JOIN_SEMI:
    case PLAN_JOIN_ANTI:
    case PLAN_JOIN_MARK:
    case PLAN_JOIN_SCALAR:
    case PLAN_JOIN_ASOF: return false;
    case PLAN_JOIN_RIGHT: return !match->right_at_most_one;
    case PLAN_JOIN_FULL: return !match->left_at_most_one || !match->right_at_most_one;
    default: return !match->left_at_most_one;
    }
}

void grain_prove_no_fan_out(const grain_model *m, arena *owner, grain_proof *out) {
    sentences s = {.owner = owner};
    evidence_id why = EVIDENCE_SQL;
    for (size_t i = 0; i < m->plan->node_count; i++) {
        const plan_node *n = m->plan->node[i];
        if (n->kind == PLAN_UNKNOWN || n->kind == PLAN_FUNCTION) {
            text_place at = place_index_find(m->places, n->at);
            str what = n->kind == PLAN_UNKNOWN ? n->unknown.what : n->function.name;
            say(&s, str_format(owner, "line %u: " STR_FMT " may give several rows for one", at.line, STR_ARG(what)));
        }
        if (n->kind != PLAN_JOIN) continue;
        const join_match *match = &m->match[n->id];
        text_place at = place_index_find(m->places, n->join.on);
        if (may_repeat(m, n))
            say(&s, str_format(owner, "line %u: a row may have several partners by this " STR_FMT " join", at.line,
                               STR_ARG(cardinality_name(match->cardinality))));
        else
            why = evidence_both((evidence_list *)&m->evidence, why, match->why);
    }
    *out = (grain_proof){.missing = s.item, .missing_count = s.count};
    if (!s.count) give_reasons(m, why, owner, out);
}
