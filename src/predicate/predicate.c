/* predicate.c - construct, compare and walk predicate trees.
 * Called by: this room, prune.  Must not know: SQL, statistics.
 */
#include "predicate/predicate.h"

compare_op compare_op_mirrored(compare_op op) {
    switch (op) {
    case COMPARE_LT: return COMPARE_GT;
    case COMPARE_LE: return COMPARE_GE;
    case COMPARE_GT: return COMPARE_LT;
    case COMPARE_GE: return COMPARE_LE;
    case COMPARE_EQ:
    case COMPARE_NE: break;
    }
    return op;
}

compare_op compare_op_complement(compare_op op) {
    switch (op) {
    case COMPARE_EQ: return COMPARE_NE;
    case COMPARE_NE: return COMPARE_EQ;
    case COMPARE_LT: return COMPARE_GE;
    case COMPARE_LE: return COMPARE_GT;
    case COMPARE_GT: return COMPARE_LE;
    case COMPARE_GE: return COMPARE_LT;
    }
    UNREACHABLE();
}

static bool is_junction(const predicate *p, predicate_kind kind) {
    return p->kind == kind;
}

static size_t spliced_count(predicate_kind kind, const predicate *const *item, size_t count) {
    size_t total = 0;
    for (size_t i = 0; i < count; i++) total += is_junction(item[i], kind) ? item[i]->junction.count : 1;
    return total;
}

const predicate *predicate_junction(arena *query, predicate_kind kind, const predicate *const *item, size_t count) {
    if (count == 1) return item[0];
    size_t total = spliced_count(kind, item, count), at = 0;
    const predicate **flat = ARENA_ARRAY(query, const predicate *, total);
    for (size_t i = 0; i < count; i++) {
        if (!is_junction(item[i], kind))
            flat[at++] = item[i];
        else
            for (size_t k = 0; k < item[i]->junction.count; k++) flat[at++] = item[i]->junction.item[k];
    }
    predicate *p = ARENA_NEW(query, predicate);
    p->kind = kind;
    p->at = span_join(flat[0]->at, flat[total - 1]->at);
    p->junction.item = flat;
    p->junction.count = total;
    return p;
}

static bool same_column(const column_ref *a, const column_ref *b) {
    return a->column == b->column;
}

static bool equal_junctions(const predicate *a, const predicate *b) {
    if (a->junction.count != b->junction.count) return false;
    for (size_t i = 0; i < a->junction.count; i++)
        if (!predicate_equal(a->junction.item[i], b->junction.item[i])) return false;
    return true;
}

static bool equal_lists(const predicate *a, const predicate *b) {
    if (!same_column(&a->in.column, &b->in.column) || a->in.count != b->in.count) return false;
    for (size_t i = 0; i < a->in.count; i++)
        if (!literal_equal(&a->in.item[i], &b->in.item[i])) return false;
    return true;
}

static bool equal_likes(const predicate *a, const predicate *b) {
    return same_column(&a->like.column, &b->like.column) && literal_equal(&a->like.pattern, &b->like.pattern) &&
           a->like.has_escape == b->like.has_escape &&
           (!a->like.has_escape || literal_equal(&a->like.escape, &b->like.escape));
}

bool predicate_equal(const predicate *a, const predicate *b) {
    if (a->kind != b->kind || a->negated != b->negated || a->from_not != b->from_not) return false;
    switch (a->kind) {
    case PREDICATE_COMPARE:
        return a->compare.op == b->compare.op && same_column(&a->compare.column, &b->compare.column) &&
               literal_equal(&a->compare.value, &b->compare.value);
    case PREDICATE_AND:
    case PREDICATE_OR: return equal_junctions(a, b);
    case PREDICATE_NOT: return predicate_equal(a->not .of, b->not .of);
    case PREDICATE_IS_NULL: return same_column(&a->is_null.column, &b->is_null.column);
    case PREDICATE_IN: return equal_lists(a, b);
    case PREDICATE_BETWEEN:
        return same_column(&a->between.column, &b->between.column) && literal_equal(&a->between.low, &b->between.low) &&
               literal_equal(&a->between.high, &b->between.high);
    case PREDICATE_DISTINCT:
        return same_column(&a->distinct.column, &b->distinct.column) &&
               literal_equal(&a->distinct.value, &b->distinct.value);
    case PREDICATE_LIKE: return equal_likes(a, b);
    case PREDICATE_COLUMN: return same_column(&a->column.column, &b->column.column);
    case PREDICATE_TRUTH: return a->truth.test == b->truth.test && predicate_equal(a->truth.of, b->truth.of);
    case PREDICATE_CONSTANT: return a->constant.set == b->constant.set;
    case PREDICATE_SCALAR: return str_eq(a->scalar.text, b->scalar.text);
    case PREDICATE_OPAQUE: return str_eq(a->opaque.text, b->opaque.text);
    }
    UNREACHABLE();
}

static uint64_t mix(uint64_t hash, uint64_t part) {
    hash ^= part + 0x9E3779B97F4A7C15u + (hash << 6) + (hash >> 2);
    return hash * 0xD6E8FEB86659FD93u;
}

static uint64_t mix_literal(uint64_t hash, const literal *l) {
    return mix(mix(hash, (uint64_t)l->kind), str_hash(l->raw));
}

static uint64_t mix_column(uint64_t hash, const column_ref *ref) {
    return mix(hash, (uint64_t)(uintptr_t)ref->column);
}

uint64_t predicate_hash(const predicate *p) {
    uint64_t hash = mix((uint64_t)p->kind, p->negated);
    switch (p->kind) {
    case PREDICATE_COMPARE:
        return mix_literal(mix_column(mix(hash, (uint64_t)p->compare.op), &p->compare.column), &p->compare.value);
    case PREDICATE_AND:
    case PREDICATE_OR:
        for (size_t i = 0; i < p->junction.count; i++) hash = mix(hash, predicate_hash(p->junction.item[i]));
        return hash;
    case PREDICATE_NOT: return mix(hash, predicate_hash(p->not .of));
    case PREDICATE_IS_NULL: return mix_column(hash, &p->is_null.column);
    case PREDICATE_IN:
        hash = mix_column(hash, &p->in.column);
        for (size_t i = 0; i < p->in.count; i++) hash = mix_literal(hash, &p->in.item[i]);
        return hash;
    case PREDICATE_BETWEEN:
        return mix_literal(mix_literal(mix_column(hash, &p->between.column), &p->between.low), &p->between.high);
    case PREDICATE_DISTINCT: return mix_literal(mix_column(hash, &p->distinct.column), &p->distinct.value);
    case PREDICATE_LIKE: return mix_literal(mix_column(hash, &p->like.column), &p->like.pattern);
    case PREDICATE_COLUMN: return mix_column(hash, &p->column.column);
    case PREDICATE_TRUTH: return mix(mix(hash, (uint64_t)p->truth.test), predicate_hash(p->truth.of));
    case PREDICATE_CONSTANT: return mix(hash, p->constant.set);
    case PREDICATE_SCALAR: return mix(hash, str_hash(p->scalar.text));
    case PREDICATE_OPAQUE: return mix(hash, str_hash(p->opaque.text));
    }
    UNREACHABLE();
}

void predicate_each_column(const predicate *p, void (*visit)(void *context, const column_ref *ref), void *context) {
    switch (p->kind) {
    case PREDICATE_COMPARE: visit(context, &p->compare.column); return;
    case PREDICATE_AND:
    case PREDICATE_OR:
        for (size_t i = 0; i < p->junction.count; i++) predicate_each_column(p->junction.item[i], visit, context);
        return;
    case PREDICATE_NOT: predicate_each_column(p->not .of, visit, context); return;
    case PREDICATE_IS_NULL: visit(context, &p->is_null.column); return;
    case PREDICATE_IN: visit(context, &p->in.column); return;
    case PREDICATE_BETWEEN: visit(context, &p->between.column); return;
    case PREDICATE_DISTINCT: visit(context, &p->distinct.column); return;
    case PREDICATE_LIKE: visit(context, &p->like.column); return;
    case PREDICATE_COLUMN: visit(context, &p->column.column); return;
    case PREDICATE_TRUTH: predicate_each_column(p->truth.of, visit, context); return;
    case PREDICATE_CONSTANT: return;
    case PREDICATE_SCALAR: scalar_each_column(p->scalar.of, visit, context); return;
    case PREDICATE_OPAQUE:
        for (size_t i = 0; i < p->opaque.column_count; i++) visit(context, &p->opaque.column[i]);
        return;
    }
    UNREACHABLE();
}
