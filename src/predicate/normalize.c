/* normalize.c - three passes that keep what a predicate gives for every row (reasons for the order: normalize.h).
 * Called by: prune, stage commands.  Must not know: statistics, phases.
 */
#include "predicate/normalize.h"

#include <string.h>

#include "base/utf8.h"

/* --------------------------------------------------------------------------- pass 1: negations to the leaves */

static const predicate *push_not(arena *query, const predicate *p, bool negate);

static const predicate *push_into_junction(arena *query, const predicate *p, bool negate) {
    bool is_and = (p->kind == PREDICATE_AND) != negate; /* De Morgan: the kinds swap under a NOT */
    const predicate **item = ARENA_ARRAY(query, const predicate *, p->junction.count);
    for (size_t i = 0; i < p->junction.count; i++) item[i] = push_not(query, p->junction.item[i], negate);
    return predicate_junction(query, is_and ? PREDICATE_AND : PREDICATE_OR, item, p->junction.count);
}

static const predicate *complement_leaf(arena *query, const predicate *p) {
    predicate *q = ARENA_NEW(query, predicate);
    *q = *p;
    q->from_not = !p->from_not;
    if (p->kind == PREDICATE_COMPARE)
        q->compare.op = compare_op_complement(p->compare.op);
    else
        q->negated = !p->negated;
    return q;
}

static const predicate *wrap_not(arena *query, const predicate *p) {
    predicate *q = ARENA_NEW(query, predicate);
    q->kind = PREDICATE_NOT;
    q->at = p->at;
    q->not .of = p;
    return q;
}

static const predicate *push_into_constant(arena *query, const predicate *p) {
    predicate *q = ARENA_NEW(query, predicate);
    *q = *p;
    q->constant.set = outcome_not(p->constant.set);
    q->constant.text = q->constant.set == OUTCOME_TRUE    ? STR("true")
                       : q->constant.set == OUTCOME_FALSE ? STR("false")
                                                          : STR("NULL");
    return q;
}

static const predicate *push_not(arena *query, const predicate *p, bool negate) {
    switch (p->kind) {
    case PREDICATE_AND:
    case PREDICATE_OR: return push_into_junction(query, p, negate);
    case PREDICATE_NOT: return push_not(query, p->not .of, !negate);
    case PREDICATE_COMPARE:
    case PREDICATE_IS_NULL:
    case PREDICATE_IN:
    case PREDICATE_BETWEEN:
    case PREDICATE_DISTINCT:
    case PREDICATE_LIKE: return negate ? complement_leaf(query, p) : p;
    case PREDICATE_TRUTH: { /* two-valued, so its NOT is its other form; what it holds is a condition of its own */
        predicate *q = ARENA_NEW(query, predicate);
        *q = *p;
        q->truth.of = push_not(query, p->truth.of, false);
        q->negated = p->negated != negate;
        return q;
    }
    case PREDICATE_CONSTANT: return negate ? push_into_constant(query, p) : p;
    case PREDICATE_COLUMN:
    case PREDICATE_SCALAR:
    case PREDICATE_OPAQUE: return negate ? wrap_not(query, p) : p;
    }
    UNREACHABLE();
}

/* ----------------------------------------------------------------------------- pass 2: prefix LIKE to a range */

bool prefix_successor(arena *query, str prefix, str *out) {
    while (prefix.len > 0) {
        size_t start;
        uint32_t last = utf8_last(prefix, &start); /* the parser checked the text */
        prefix.len = start;
        if (last == 0x10FFFF) continue;
        uint32_t next = last == 0xD7FF ? 0xE000 : last + 1;
        char *raised = arena_alloc_raw(query, start + UTF8_MAX_BYTES);
        memcpy(raised, prefix.ptr, start);
        *out = (str){raised, start + utf8_encode(next, raised + start)};
        return true;
    }
    return false;
}

/* What a pattern is when every character that is no wildcard stands for itself. */
typedef enum pattern_shape { PATTERN_TEXT, PATTERN_PREFIX, PATTERN_OTHER } pattern_shape;

/* `rest` starts with the first wildcard; `plain` is the text before it. */
static pattern_shape shape_of(str plain, str rest) {
    if (rest.len == 0) return PATTERN_TEXT;
    for (size_t i = 0; i < rest.len; i++)
        if (rest.ptr[i] != '%') return PATTERN_OTHER;
    return plain.len > 0 ? PATTERN_PREFIX : PATTERN_OTHER;
}

/* Split a pattern at its first wildcard; an escape character (0 for none) makes the next one plain. False if the
 * pattern ends in a lone escape character. */
static bool split_pattern(arena *query, str pattern, char escape, str *plain, str *rest) {
    buf b;
    buf_init(&b, query, SIZE_MAX / 2);
    size_t at = 0;
    for (; at < pattern.len && pattern.ptr[at] != '%' && pattern.ptr[at] != '_'; at++) {
        if (escape && pattern.ptr[at] == escape && ++at == pattern.len) return false;
        buf_put_char(&b, pattern.ptr[at]);
    }
    *plain = buf_str(&b);
    *rest = str_slice(pattern, at, pattern.len);
    return true;
}

static const predicate *compare_with_text(arena *query, const predicate *like, compare_op op, str text) {
    predicate *q = ARENA_NEW(query, predicate);
    q->kind = PREDICATE_COMPARE;
    q->at = like->at;
    q->compare.column = like->like.column;
    q->compare.op = op;
    q->compare.value = (literal){.kind = LITERAL_STRING,
                                 .raw = text,
                                 .doubled = like->like.pattern.doubled,
                                 .is_raw = like->like.pattern.is_raw,
                                 .at = like->like.pattern.at};
    return q;
}

/* Sound only where texts compare by code point: on string columns without collation and padding. */
static bool has_code_point_order(const column *c) {
    return c->type.kind == TYPE_STRING && !c->type.collated && c->type.char_length == 0;
}

/* One reading of a text drops its doubled quotes, in the bounds as in the pattern: the bound above must then still be
 * the successor of what is left. It is not for a prefix that ends in a quote, or where raising a character made one. */
static bool joins_alike(arena *query, str prefix, str above, char quote) {
    str joined = literal_join(query, prefix, quote), joined_above;
    if (joined.len == 0 || !prefix_successor(query, joined, &joined_above)) return false;
    return !str_is_none(above) && str_eq(literal_join(query, above, quote), joined_above);
}

static const predicate *rewrite_like(arena *query, const predicate *p, bool extended) {
    if (p->negated || p->like.pattern.has_backslash || !has_code_point_order(p->like.column.column)) return p;
    str escape = p->like.has_escape ? p->like.escape.raw : STR("");
    if (p->like.has_escape && (!extended || escape.len != 1 || escape.ptr[0] == '\\')) return p;
    /* Two texts make two ranges, of which a pair of bounds allows what lies between; matching them one by one is sharper. */
    if (p->like.has_escape && p->like.pattern.doubled) return p;
    str text, rest;
    if (!split_pattern(query, p->like.pattern.raw, escape.len ? escape.ptr[0] : 0, &text, &rest)) return p;
    pattern_shape shape = shape_of(text, rest);
    if (shape == PATTERN_OTHER) return p;
    if (shape == PATTERN_TEXT) return compare_with_text(query, p, COMPARE_EQ, text);
    const predicate *range[2] = {compare_with_text(query, p, COMPARE_GE, text)};
    str above;
    bool has_above = prefix_successor(query, text, &above);
    if (p->like.pattern.doubled && !joins_alike(query, text, has_above ? above : STR_NONE, p->like.pattern.doubled))
        return p;
    if (!has_above) return range[0];
    range[1] = compare_with_text(query, p, COMPARE_LT, above);
    return predicate_junction(query, PREDICATE_AND, range, 2);
}

static const predicate *map_junction(arena *query, const predicate *p,
                                     const predicate *(*pass)(arena *, const predicate *, bool), bool extended) {
    const predicate **item = ARENA_ARRAY(query, const predicate *, p->junction.count);
    for (size_t i = 0; i < p->junction.count; i++) item[i] = pass(query, p->junction.item[i], extended);
    return predicate_junction(query, p->kind, item, p->junction.count);
}

static const predicate *rewrite_truth(arena *query, const predicate *p,
                                      const predicate *(*pass)(arena *, const predicate *, bool), bool extended) {
    predicate *q = ARENA_NEW(query, predicate);
    *q = *p;
    q->truth.of = pass(query, p->truth.of, extended);
    return q;
}

static const predicate *rewrite_likes(arena *query, const predicate *p, bool extended) {
    switch ((int)p->kind) {
    case PREDICATE_AND:
    case PREDICATE_OR: return map_junction(query, p, rewrite_likes, extended);
    case PREDICATE_LIKE: return rewrite_like(query, p, extended);
    case PREDICATE_TRUTH: return rewrite_truth(query, p, rewrite_likes, extended);
    default: return p;
    }
}

/* ------------------------------------------------------------------------ pass 3: common conjuncts out of an OR */

typedef struct conjuncts {
    const predicate *const *item;
    size_t count;
} conjuncts;

static conjuncts conjuncts_of(const predicate *const *slot) {
    const predicate *p = *slot;
    if (p->kind == PREDICATE_AND) return (conjuncts){p->junction.item, p->junction.count};
    return (conjuncts){slot, 1};
}

/* A set of conjuncts, so that long branches cost no more than they are long. */
typedef struct conjunct_set {
    const predicate **slot; /* open addressing; NULL is free */
    size_t capacity;        /* a power of two, at least twice the number of members */
} conjunct_set;

static conjunct_set set_new(arena *query, size_t most) {
    size_t capacity = 4;
    while (capacity < 2 * most) capacity *= 2;
    return (conjunct_set){ARENA_ARRAY(query, const predicate *, capacity), capacity};
}

/* The slot of an equal member, or the free one where it belongs. */
static const predicate **set_find(const conjunct_set *s, const predicate *p) {
    size_t at = (size_t)predicate_hash(p) & (s->capacity - 1);
    while (s->slot[at] && !predicate_equal(s->slot[at], p)) at = (at + 1) & (s->capacity - 1);
    return &s->slot[at];
}

static conjunct_set set_of(arena *query, conjuncts c) {
    conjunct_set s = set_new(query, c.count);
    for (size_t i = 0; i < c.count; i++) *set_find(&s, c.item[i]) = c.item[i];
    return s;
}

/* Keep those of `common` that the branch holds too, in their order; returns how many. */
static size_t keep_shared(arena *query, const predicate **common, size_t count, conjuncts branch) {
    conjunct_set held = set_of(query, branch);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (*set_find(&held, common[i])) common[kept++] = common[i];
    return kept;
}

/* The distinct conjuncts of a branch, in order. */
static size_t take_distinct(arena *query, conjuncts branch, const predicate **out) {
    conjunct_set seen = set_new(query, branch.count);
    size_t count = 0;
    for (size_t i = 0; i < branch.count; i++) {
        const predicate **slot = set_find(&seen, branch.item[i]);
        if (!*slot) out[count++] = *slot = branch.item[i];
    }
    return count;
}

/* The branch without the common conjuncts; NULL if nothing is left (absorption: the OR is then the common part). */
static const predicate *rest_of_branch(arena *query, conjuncts branch, const conjunct_set *common) {
    const predicate **rest = ARENA_ARRAY(query, const predicate *, branch.count);
    size_t count = 0;
    for (size_t i = 0; i < branch.count; i++)
        if (!*set_find(common, branch.item[i])) rest[count++] = branch.item[i];
    return count ? predicate_junction(query, PREDICATE_AND, rest, count) : NULL;
}

static const predicate *factor_or(arena *query, const predicate * or) {
    size_t branches = or->junction.count;
    conjuncts first = conjuncts_of(& or->junction.item[0]);
    const predicate **common = ARENA_ARRAY(query, const predicate *, first.count + 1);
    size_t count = take_distinct(query, first, common);
    for (size_t i = 1; i < branches && count > 0; i++)
        count = keep_shared(query, common, count, conjuncts_of(& or->junction.item[i]));
    if (count == 0) return or ;
    conjunct_set taken = set_of(query, (conjuncts){common, count});
    const predicate **rest = ARENA_ARRAY(query, const predicate *, branches);
    for (size_t i = 0; i < branches; i++) {
        rest[i] = rest_of_branch(query, conjuncts_of(& or->junction.item[i]), &taken);
        if (!rest[i]) return predicate_junction(query, PREDICATE_AND, common, count);
    }
    common[count++] = predicate_junction(query, PREDICATE_OR, rest, branches);
    return predicate_junction(query, PREDICATE_AND, common, count);
}

static const predicate *factor(arena *query, const predicate *p, bool extended) {
    switch ((int)p->kind) {
    case PREDICATE_AND: return map_junction(query, p, factor, extended);
    case PREDICATE_OR: {
        const predicate *q = map_junction(query, p, factor, extended);
        return q->kind == PREDICATE_OR ? factor_or(query, q) : q;
    }
    case PREDICATE_TRUTH: return rewrite_truth(query, p, factor, extended);
    default: return p;
    }
}

const predicate *predicate_normalize(arena *query, const predicate *p, bool extended) {
    p = push_not(query, p, false);
    p = rewrite_likes(query, p, extended);
    return factor(query, p, extended);
}
