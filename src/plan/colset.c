/* colset.c - sets of column ids.
 * Called by: plan, grain.  Must not know: what a column is.
 */
#include "plan/colset.h"

#include <string.h>

static uint64_t bit(column_id id) {
    return UINT64_C(1) << (id % 64);
}

/* Of the words of all ids. */
static uint64_t word_at(colset s, uint32_t at) {
    return at >= s.first && at - s.first < s.count ? s.word[at - s.first] : 0;
}

bool colset_has(colset s, column_id id) {
    return (word_at(s, id / 64) & bit(id)) != 0;
}

bool colset_is_empty(colset s) {
    for (uint32_t i = 0; i < s.count; i++)
        if (s.word[i]) return false;
    return true;
}

size_t colset_count(colset s) {
    size_t count = 0;
    for (uint32_t i = 0; i < s.count; i++) count += (size_t)__builtin_popcountll(s.word[i]);
    return count;
}

bool colset_equal(colset a, colset b) {
    return colset_is_subset(a, b) && colset_is_subset(b, a);
}

bool colset_is_subset(colset part, colset whole) {
    for (uint32_t i = 0; i < part.count; i++)
        if (part.word[i] & ~word_at(whole, part.first + i)) return false;
    return true;
}

bool colset_meets(colset a, colset b) {
    uint32_t from = a.first > b.first ? a.first : b.first;
    uint32_t end_a = a.first + a.count, end_b = b.first + b.count, end = end_a < end_b ? end_a : end_b;
    for (uint32_t i = from; i < end; i++)
        if (a.word[i - a.first] & b.word[i - b.first]) return true;
    return false;
}

/* Words `first` to `last` get room, and at the side where the set grows half as many again, so that a set that grows
 * member by member is copied seldom. */
static void reserve(colset *s, uint32_t first, uint32_t last, arena *owner) {
    uint32_t old_last = s->first + s->count - 1;
    if (s->count && first >= s->first && last <= old_last) return;
    if (s->count) {
        uint32_t spare = s->count / 2;
        if (first >= s->first) first = s->first;
        else first -= spare < first ? spare : first;
        if (last <= old_last) last = old_last;
        else last += spare;
    }
    uint64_t *word = ARENA_ARRAY(owner, uint64_t, (size_t)last - first + 1);
    if (s->count) memcpy(word + (s->first - first), s->word, s->count * sizeof *word);
    *s = (colset){word, first, last - first + 1};
}

void colset_add(colset *s, column_id id, arena *owner) {
    reserve(s, id / 64, id / 64, owner);
    s->word[id / 64 - s->first] |= bit(id);
}

void colset_add_all(colset *s, colset more, arena *owner) {
    uint32_t begin = 0, end = more.count;
    while (end > 0 && more.word[end - 1] == 0) end--;
    while (begin < end && more.word[begin] == 0) begin++;
    if (begin == end) return;
    reserve(s, more.first + begin, more.first + end - 1, owner);
    for (uint32_t i = begin; i < end; i++) s->word[more.first + i - s->first] |= more.word[i];
}

void colset_remove(colset *s, column_id id) {
    if (colset_has(*s, id)) s->word[id / 64 - s->first] &= ~bit(id);
}

colset colset_copy(colset s, arena *owner) {
    colset out = COLSET_EMPTY;
    colset_add_all(&out, s, owner);
    return out;
}

colset colset_union(colset a, colset b, arena *owner) {
    colset out = colset_copy(a, owner);
    colset_add_all(&out, b, owner);
    return out;
}

colset colset_intersection(colset a, colset b, arena *owner) {
    colset out = colset_copy(a, owner);
    for (uint32_t i = 0; i < out.count; i++) out.word[i] &= word_at(b, out.first + i);
    return out;
}

colset colset_difference(colset a, colset b, arena *owner) {
    colset out = colset_copy(a, owner);
    for (uint32_t i = 0; i < out.count; i++) out.word[i] &= ~word_at(b, out.first + i);
    return out;
}

bool colset_next(colset s, column_id from, column_id *id) {
    uint32_t start = from / 64 > s.first ? from / 64 - s.first : 0;
    for (uint32_t i = start; i < s.count; i++) {
        uint64_t rest = s.word[i];
        if (s.first + i == from / 64) rest &= ~UINT64_C(0) << (from % 64);
        if (!rest) continue;
        *id = 64 * (s.first + i) + (column_id)__builtin_ctzll(rest);
        return true;
    }
    return false;
}
