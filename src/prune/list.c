/* list.c - IN lists: the readings of all items, sorted by domain, so that a file costs a binary search.
 * Called by: prune/program.c, prune/eval.c.  Must not know: predicates beyond the list.
 *
 * TRUE is possible if some reading of some item lies within the bounds. FALSE is possible unless every value of the
 * file equals some item under all of that item's readings, which only a file with a single value can show.
 */
#include "prune/list.h"

#include <stdlib.h>

enum { DOMAIN_COUNT = READING_DATE_AS_WALL + 1 };

typedef struct list_entry {
    const reading *reading;
    const literal *item;
} list_entry;

struct literal_list {
    bool has_null, may_have_null;
    list_entry *sorted[DOMAIN_COUNT];
    size_t sorted_count[DOMAIN_COUNT];
    list_entry *rest; /* numbers that fit no value: compared one by one */
    size_t rest_count;
};

static int by_value(const void *a, const void *b) {
    const list_entry *x = a, *y = b;
    return value_compare(&x->reading->v, &y->reading->v);
}

/* A reading that no value of the column equals (40.5 for an integer) stays out of the search, which ends at the first
 * entry in reach that is not equal. always_equals still meets it among the readings of its item. */
static bool is_searched(const reading *r) {
    return !r->never_equal;
}

static void count_readings(const literal *item, size_t count, size_t *per_domain, size_t *rest) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < item[i].reading_count; k++) {
            const reading *r = &item[i].reading[k];
            if (!is_searched(r)) continue;
            if (r->is_number)
                (*rest)++;
            else
                per_domain[r->domain]++;
        }
}

literal_list *literal_list_new(arena *query, const literal *item, size_t count) {
    literal_list *l = ARENA_NEW(query, literal_list);
    size_t per_domain[DOMAIN_COUNT] = {0}, rest = 0;
    count_readings(item, count, per_domain, &rest);
    for (size_t d = 0; d < DOMAIN_COUNT; d++) l->sorted[d] = ARENA_ARRAY(query, list_entry, per_domain[d]);
    l->rest = ARENA_ARRAY(query, list_entry, rest);
    for (size_t i = 0; i < count; i++) {
        l->has_null |= item[i].reading_count == 0;
        l->may_have_null |= item[i].may_be_null;
        for (size_t k = 0; k < item[i].reading_count; k++) {
            const reading *r = &item[i].reading[k];
            if (!is_searched(r)) continue;
            list_entry entry = {r, &item[i]};
            if (r->is_number)
                l->rest[l->rest_count++] = entry;
            else
                l->sorted[r->domain][l->sorted_count[r->domain]++] = entry;
        }
    }
    for (size_t d = 0; d < DOMAIN_COUNT; d++)
        if (l->sorted_count[d]) qsort(l->sorted[d], l->sorted_count[d], sizeof(list_entry), by_value);
    return l;
}

/* The first entry that no value of the fact lies wholly above: entries before it are below the lower bound. */
static size_t first_in_reach(const column_fact *fact, const data_type *type, const list_entry *entry, size_t count,
                             arena *scratch) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        relation rel = fact_relation(fact, type, entry[middle].reading, scratch);
        if (rel.less || rel.equal)
            high = middle; /* the lower bound is at or below this entry */
        else
            low = middle + 1;
    }
    return low;
}

/* Every value of the fact equals the item under each of its readings, and in every engine. */
static bool always_equals(const column_fact *fact, const data_type *type, const literal *item, arena *scratch) {
    if (item->may_differ || item->may_be_null) return false;
    for (size_t k = 0; k < item->reading_count; k++) {
        relation rel = fact_relation(fact, type, &item->reading[k], scratch);
        if (!rel.equal || rel.less || rel.greater || rel.nan) return false;
    }
    return true;
}

typedef struct list_answer {
    bool can_equal, always;
} list_answer;

static void meet_entry(const column_fact *fact, const data_type *type, const list_entry *e, list_answer *answer,
                       arena *scratch) {
    if (!fact_relation(fact, type, e->reading, scratch).equal) return;
    answer->can_equal = true;
    if (!answer->always) answer->always = always_equals(fact, type, e->item, scratch);
}

static bool is_single(const column_fact *fact) {
    return fact->has_low && fact->has_high && value_compare(&fact->low, &fact->high) == 0;
}

/* Entries at the lower bound: all those equal to a single value, or the one that decides for a range. */
static void search_domain(const column_fact *fact, const data_type *type, const list_entry *entry, size_t count,
                          list_answer *answer, arena *scratch) {
    size_t at = first_in_reach(fact, type, entry, count, scratch);
    for (; at < count && !answer->always; at++) {
        bool equal = fact_relation(fact, type, entry[at].reading, scratch).equal;
        if (!equal) break;
        meet_entry(fact, type, &entry[at], answer, scratch);
        if (!is_single(fact)) break;
    }
    /* A NaN beside the bounds equals a NaN in the list, which is sorted last. */
    if (count && fact->may_be_nan) meet_entry(fact, type, &entry[count - 1], answer, scratch);
}

outcome_set fact_in_list(const column_fact *fact, const data_type *type, const literal_list *l, arena *scratch) {
    unsigned set = fact->can_be_null ? OUTCOME_NULL : OUTCOME_NONE;
    if (!fact->can_be_value) return (outcome_set)set;
    list_answer answer = {false, false};
    for (size_t d = 0; d < DOMAIN_COUNT; d++)
        search_domain(fact, type, l->sorted[d], l->sorted_count[d], &answer, scratch);
    for (size_t i = 0; i < l->rest_count; i++) meet_entry(fact, type, &l->rest[i], &answer, scratch);
    if (answer.can_equal) set |= OUTCOME_TRUE;
    if (!answer.always && l->may_have_null) set |= OUTCOME_NULL;
    if (!answer.always) set |= l->has_null || type->kind == TYPE_VOID ? OUTCOME_NULL : OUTCOME_FALSE;
    return (outcome_set)set;
}
