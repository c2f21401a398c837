/* colset.c - sets of column ids.
 * Called by: plan, grain.  Must not know: what a column is.
 */
#include "plan/colset.h"

#include <string.h>

static uint64_t bit(column_id id) {
    return UINT64_C(1) << (id % 64);
}

static uint64_t word_at(colset s, size_t i) {
    return i < s.count ? s.word[i] : 0;
}

bool colset_has(colset s, column_id id) {
    return (word_at(s, id / 64) & bit(id)) != 0;
}

bool colset_is_empty(colset s) {
    for (size_t i = 0; i < s.count; i++)
        if (s.word[i]) return false;
    return true;
}

size_t colset_count(colset s) {
    size_t count = 0;
    for (size_t i = 0; i < s.count; i++) count += (size_t)__builtin_popcountll(s.word[i]);
    return count;
}

bool colset_equal(colset a, colset b) {
    return colset_is_subset(a, b) && colset_is_subset(b, a);
}

bool colset_is_subset(colset part, colset whole) {
    for (size_t i = 0; i < part.count; i++)
        if (part.word[i] & ~word_at(whole, i)) return false;
    return true;
}

bool colset_meets(colset a, colset b) {
    for (size_t i = 0; i < a.count; i++)
        if (a.word[i] & word_at(b, i)) return true;
    return false;
}

/* Room for `count` words, a bit more than asked for, so that a set that grows member by member is copied seldom. */
static void reserve(colset *s, size_t count, arena *owner) {
    if (count <= s->count) return;
    size_t roomy = count + count / 2;
    uint64_t *word = ARENA_ARRAY(owner, uint64_t, roomy);
    memset(word, 0, roomy * sizeof *word);
    if (s->count) memcpy(word, s->word, s->count * sizeof *word);
    *s = (colset){word, (uint32_t)roomy};
}

void colset_add(colset *s, column_id id, arena *owner) {
    reserve(s, (size_t)id / 64 + 1, owner);
    s->word[id / 64] |= bit(id);
}

void colset_add_all(colset *s, colset more, arena *owner) {
    size_t used = more.count;
    while (used > 0 && more.word[used - 1] == 0) used--;
    reserve(s, used, owner);
    for (size_t i = 0; i < used; i++) s->word[i] |= more.word[i];
}

void colset_remove(colset *s, column_id id) {
    if (colset_has(*s, id)) s->word[id / 64] &= ~bit(id);
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
    for (size_t i = 0; i < out.count; i++) out.word[i] &= word_at(b, i);
    return out;
}

colset colset_difference(colset a, colset b, arena *owner) {
    colset out = colset_copy(a, owner);
    for (size_t i = 0; i < out.count; i++) out.word[i] &= ~word_at(b, i);
    return out;
}

bool colset_next(colset s, column_id from, column_id *id) {
    for (size_t i = from / 64; i < s.count; i++) {
        uint64_t rest = s.word[i];
        if (i == from / 64) rest &= ~UINT64_C(0) << (from % 64);
        if (!rest) continue;
        *id = (column_id)(64 * i + (size_t)__builtin_ctzll(rest));
        return true;
    }
    return false;
}
