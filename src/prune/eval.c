/* eval.c - run a lowered predicate over what is known about one file.
 * Called by: prune/measure.c.  Must not know: where the knowledge comes from.
 *
 * One evaluator serves partition values and statistics: the domain of a column is a single value in the one case and a
 * range in the other, and the algebra of outcome sets is the same. Exact or conservative is a property of the domain.
 */
#include "prune/derive.h"
#include "prune/meet.h"
#include "prune/program_int.h"

/* IS [NOT] DISTINCT FROM never gives NULL: a NULL row differs from every literal but NULL. */
static outcome_set distinct_outcome(const column_fact *fact, const data_type *type, const literal *l, bool negated,
                                    arena *scratch) {
    unsigned set = OUTCOME_NONE;
    bool literal_is_null = l->kind == LITERAL_NULL;
    if (fact->can_be_null) set |= literal_is_null ? OUTCOME_FALSE : OUTCOME_TRUE;
    if (fact->can_be_null && l->may_be_null) set |= OUTCOME_FALSE;
    if (fact->can_be_value && (literal_is_null || l->may_be_null)) set |= OUTCOME_TRUE;
    if (fact->can_be_value && !literal_is_null) {
        outcome_set equal = fact_compare(fact, type, COMPARE_EQ, false, l, scratch);
        set |= outcome_not(equal & (OUTCOME_TRUE | OUTCOME_FALSE));
    }
    return negated ? outcome_not((outcome_set)set) : (outcome_set)set;
}

/* Is there a reading in which low <= high, so that the range is not empty? */
static bool range_can_hold(const literal *low, const literal *high) {
    for (size_t i = 0; i < low->reading_count; i++)
        for (size_t k = 0; k < high->reading_count; k++) {
            const reading *a = &low->reading[i], *b = &high->reading[k];
            if (a->is_number || b->is_number) return true;
            bool comparable = a->domain == b->domain &&
                              (a->v.kind == b->v.kind || (value_is_number(&a->v) && value_is_number(&b->v)));
            if (!comparable || value_compare(&a->v, &b->v) <= 0) return true;
        }
    return false;
}

static outcome_set between_outcome(const column_fact *fact, const data_type *type, const predicate *p, arena *scratch) {
    outcome_set above = fact_compare(fact, type, COMPARE_GE, false, &p->between.low, scratch);
    outcome_set below = fact_compare(fact, type, COMPARE_LE, false, &p->between.high, scratch);
    outcome_set set = outcome_and(above, below);
    bool is_null = p->between.low.reading_count == 0 || p->between.high.reading_count == 0;
    if (!is_null && !range_can_hold(&p->between.low, &p->between.high)) set &= (outcome_set)~OUTCOME_TRUE;
    return p->negated ? outcome_not(set) : set;
}

static const reading true_reading = {.domain = READING_EXACT, .v = {.kind = VALUE_BOOLEAN, .i = 1}};
static const literal true_literal = {.kind = LITERAL_BOOLEAN, .reading = &true_reading, .reading_count = 1};

static outcome_set null_test(const column_fact *fact, bool negated) {
    unsigned set = OUTCOME_NONE;
    if (fact->can_be_null) set |= OUTCOME_TRUE;
    if (fact->can_be_value) set |= OUTCOME_FALSE;
    return negated ? outcome_not((outcome_set)set) : (outcome_set)set;
}

static outcome_set leaf_on_fact(const instruction *i, const column_fact *fact, program_run *run) {
    const predicate *p = i->leaf;
    const data_type *type = i->type;
    outcome_set set;
    switch ((int)p->kind) {
    case PREDICATE_COMPARE:
        return fact_compare(fact, type, p->compare.op, p->from_not, &p->compare.value, run->scratch);
    case PREDICATE_IS_NULL: return null_test(fact, p->negated);
    case PREDICATE_IN:
        set = fact_in_list(fact, type, i->list, run->scratch);
        return p->negated ? outcome_not(set) : set;
    case PREDICATE_BETWEEN: return between_outcome(fact, type, p, run->scratch);
    case PREDICATE_DISTINCT: return distinct_outcome(fact, type, &p->distinct.value, p->negated, run->scratch);
    case PREDICATE_LIKE:
        set = fact_like(fact, type, i->patterns, &run->abstained, run->scratch);
        return p->negated ? outcome_not(set) : set;
    case PREDICATE_COLUMN: return fact_compare(fact, type, COMPARE_EQ, false, &true_literal, run->scratch);
    default: UNREACHABLE();
    }
}

static outcome_set evaluate_leaf(const instruction *i, const column_domain *domain, program_run *run) {
    unsigned set = OUTCOME_NONE;
    for (size_t k = 0; k < domain[i->slot].count; k++) set |= leaf_on_fact(i, &domain[i->slot].fact[k], run);
    if (i->generation && (set & OUTCOME_TRUE) && !derive_allows(i->generation, i->leaf, domain, run->slot_count, run))
        set &= ~(unsigned)OUTCOME_TRUE;
    return (outcome_set)set;
}

static outcome_set truth_outcome(const predicate *p, outcome_set of) {
    static const outcome_set tested[] = {OUTCOME_TRUE, OUTCOME_FALSE, OUTCOME_NULL};
    unsigned set = OUTCOME_NONE;
    if (of & tested[p->truth.test]) set |= OUTCOME_TRUE;
    if (of & (OUTCOME_ANY & ~tested[p->truth.test])) set |= OUTCOME_FALSE;
    return p->negated ? outcome_not((outcome_set)set) : (outcome_set)set;
}

outcome_set program_evaluate(const program *p, const column_domain *domain, program_run *run) {
    outcome_set *top = run->stack; /* one behind the last entry */
    for (size_t k = 0; k < p->count; k++) {
        const instruction *i = &p->item[k];
        outcome_set set = i->set;
        switch (i->op) {
        case INSTRUCTION_CONSTANT: break;
        case INSTRUCTION_LEAF: set = evaluate_leaf(i, domain, run); break;
        case INSTRUCTION_MEET:
            set = *--top;
            if (!meet_is_possible(i->meet, domain, run)) set &= (outcome_set)~OUTCOME_TRUE;
            break;
        case INSTRUCTION_TERM: set = term_evaluate(i->term, domain, run); break;
        case INSTRUCTION_NOT: set = outcome_not(*--top); break;
        case INSTRUCTION_TRUTH: set = truth_outcome(i->leaf, *--top); break;
        case INSTRUCTION_AND:
            set = *--top;
            for (size_t a = 1; a < i->arg_count; a++) set = outcome_and(set, *--top);
            break;
        case INSTRUCTION_OR:
            set = *--top;
            for (size_t a = 1; a < i->arg_count; a++) set = outcome_or(set, *--top);
            break;
        }
        *top++ = set;
        if (run->record) run->record[k] = set;
    }
    return run->stack[0];
}
