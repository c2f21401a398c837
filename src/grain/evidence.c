/* evidence.c - entries of the evidence graph, and chains as texts.
 * Called by: grain.  Must not know: rules.
 */
#include "grain/evidence.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"

void evidence_init(evidence_list *list, arena *owner) {
    *list = (evidence_list){.owner = owner, .capacity = 32};
    list->entry = ARENA_ARRAY(owner, evidence, list->capacity);
    list->entry[0] = (evidence){.kind = EVIDENCE_THE_SQL};
    list->count = 1;
}

static bool says_the_same(const evidence *a, const evidence *b) {
    return a->kind == b->kind && a->node == b->node && a->cardinality == b->cardinality && a->declared == b->declared &&
           a->upstream == b->upstream && a->because[0] == b->because[0] && a->because[1] == b->because[1] &&
           a->at.start == b->at.start && a->at.len == b->at.len && colset_equal(a->columns, b->columns);
}

enum { LOOK_BACK = 16 };

evidence_id evidence_add(evidence_list *list, evidence e) {
    for (uint32_t i = list->count, n = 0; i-- > 1 && n < LOOK_BACK; n++)
        if (says_the_same(&list->entry[i], &e)) return i;
    if (list->count == list->capacity) {
        evidence *more = ARENA_ARRAY(list->owner, evidence, (size_t)list->capacity * 2);
        memcpy(more, list->entry, list->count * sizeof *more);
        list->entry = more;
        list->capacity *= 2;
    }
    list->entry[list->count] = e;
    return list->count++;
}

evidence_id evidence_both(evidence_list *list, evidence_id a, evidence_id b) {
    if (a == b || b == EVIDENCE_SQL) return a;
    if (a == EVIDENCE_SQL) return b;
    return evidence_add(list, (evidence){.kind = EVIDENCE_BOTH, .because = {a, b}});
}

str cardinality_name(join_cardinality c) {
    static const char *const name[] = {"one-to-one", "many-to-one", "one-to-many", "many-to-many"};
    return str_from(name[c]);
}

/* ---- texts ---- */

/* Names of the columns in the order of their ids, each name once. */
static str name_list(const evidence *e, const evidence_names *names, arena *owner) {
    buf out;
    buf_init(&out, owner, SIZE_MAX / 2);
    str seen[16];
    size_t count = 0;
    column_id id = 0;
    for (; colset_next(e->columns, id, &id); id++) {
        str name = names->name(names->context, id);
        bool again = name.len == 0;
        for (size_t i = 0; i < count && !again; i++) again = str_eq_nocase(seen[i], name);
        if (again) continue;
        if (count == sizeof seen / sizeof *seen) {
            buf_put(&out, STR(", ..."));
            break;
        }
        if (count) buf_put(&out, STR(", "));
        buf_put(&out, name);
        seen[count++] = name;
    }
    return buf_str(&out);
}

static str columns_of(const declaration *d, arena *owner) {
    buf out;
    buf_init(&out, owner, SIZE_MAX / 2);
    for (size_t i = 0; i < d->column_count; i++) {
        if (i) buf_put(&out, STR(", "));
        buf_put(&out, d->column[i]);
    }
    return buf_str(&out);
}

static str declared_text(const declaration *d, arena *owner) {
    str columns = columns_of(d, owner);
    switch (d->kind) {
    case DECLARED_KEY:
        return str_format(owner, "key of " STR_FMT " from " STR_FMT, STR_ARG(d->relation), STR_ARG(d->origin));
    case DECLARED_NOT_NULL:
        return str_format(owner, "no NULL in " STR_FMT " of " STR_FMT " from " STR_FMT, STR_ARG(columns),
                          STR_ARG(d->relation), STR_ARG(d->origin));
    case DECLARED_REFERENCE:
        return str_format(owner, STR_FMT " of " STR_FMT " references " STR_FMT " from " STR_FMT, STR_ARG(columns),
                          STR_ARG(d->relation), STR_ARG(d->to), STR_ARG(d->origin));
    case DECLARED_VALUES:
        return str_format(owner, "values of " STR_FMT " in " STR_FMT " from " STR_FMT, STR_ARG(columns),
                          STR_ARG(d->relation), STR_ARG(d->origin));
    case DECLARED_CHECK:
    case DECLARED_GENERATED:
    case DECLARED_CONSTANT: break;
    }
    return str_format(owner, STR_FMT " of " STR_FMT, STR_ARG(d->origin), STR_ARG(d->relation));
}

static str with_list(const char *before, str list, arena *owner) {
    if (!list.len) return str_from(before);
    return str_format(owner, "%s " STR_FMT, before, STR_ARG(list));
}

/* At most so much of a condition. */
enum { MAX_QUOTED = 80 };

static str quoted(const char *before, const evidence *e, const evidence_names *names, arena *owner) {
    str text = span_text(names->text, e->at);
    const char *more = "";
    if (text.len > MAX_QUOTED) {
        size_t end = MAX_QUOTED;
        while (end && ((unsigned char)text.ptr[end] & 0xc0) == 0x80) end--;
        text.len = end, more = " ...";
    }
    str line = str_format(owner, "%s " STR_FMT "%s", before, STR_ARG(text), more);
    char *at = (char *)line.ptr; /* ours, just made */
    for (size_t i = 0; i < line.len; i++)
        if (at[i] == '\n' || at[i] == '\r' || at[i] == '\t') at[i] = ' ';
    return line;
}

static str entry_text(const evidence *e, const evidence_names *names, arena *owner) {
    str list = name_list(e, names, owner);
    switch (e->kind) {
    case EVIDENCE_THE_SQL:
    case EVIDENCE_BOTH:
    case EVIDENCE_UPSTREAM:
    case EVIDENCE_EXPRESSION: return STR("");
    case EVIDENCE_DECLARED: return declared_text(e->declared, owner);
    case EVIDENCE_GROUP_BY: return with_list(list.len ? "GROUP BY" : "an aggregate of all rows", list, owner);
    case EVIDENCE_DISTINCT: return list.len ? with_list("DISTINCT ON", list, owner) : STR("DISTINCT");
    case EVIDENCE_SET: return quoted("every row once by", e, names, owner);
    case EVIDENCE_JOIN: {
        str what = str_format(owner, STR_FMT " join%s", STR_ARG(cardinality_name(e->cardinality)), list.len ? " on" : "");
        return list.len ? str_format(owner, STR_FMT " " STR_FMT, STR_ARG(what), STR_ARG(list)) : what;
    }
    case EVIDENCE_ROW_NUMBER: return with_list(list.len ? "row_number() over" : "row_number()", list, owner);
    case EVIDENCE_RANK: return with_list("a rank by", list, owner);
    case EVIDENCE_CONDITION: return quoted("condition", e, names, owner);
    case EVIDENCE_ONE_ROW: return STR("at most one row");
    case EVIDENCE_UNION_PARTS: return with_list("UNION ALL told apart by", list, owner);
    case EVIDENCE_VALUES: return STR("VALUES");
    case EVIDENCE_ORDINALITY: return STR("WITH ORDINALITY");
    case EVIDENCE_MATCHED: return with_list("every row has a partner on", list, owner);
    case EVIDENCE_WINDOW_VALUE: return with_list("one value for each", list, owner);
    }
    UNREACHABLE();
}

/* ---- walking ---- */

typedef struct walk {
    const evidence_list *list;
    const evidence_names *names;
    arena *owner;
    bool *seen;
    str text[EVIDENCE_MAX_CHAIN];
    size_t count;
    const declaration **leans_on;
    size_t leans_count, leans_capacity;
} walk;

static void add_text(walk *w, str text) {
    if (!text.len || w->count == EVIDENCE_MAX_CHAIN) return;
    for (size_t i = 0; i < w->count; i++)
        if (str_eq(w->text[i], text)) return;
    w->text[w->count++] = text;
}

static void add_leaning(walk *w, const declaration *d) {
    for (size_t i = 0; i < w->leans_count; i++)
        if (w->leans_on[i] == d) return;
    if (w->leans_count == w->leans_capacity) {
        size_t more = w->leans_capacity ? w->leans_capacity * 2 : 8;
        const declaration **fresh = ARENA_ARRAY(w->owner, const declaration *, more);
        if (w->leans_count) memcpy(fresh, w->leans_on, w->leans_count * sizeof *fresh);
        w->leans_on = fresh, w->leans_capacity = more;
    }
    w->leans_on[w->leans_count++] = d;
}

static void visit(walk *w, const evidence *e) {
    if (w->names) add_text(w, entry_text(e, w->names, w->owner));
    if (e->declared) add_leaning(w, e->declared);
    if (!e->upstream) return;
    for (size_t i = 0; i < e->upstream->chain_count; i++) add_text(w, e->upstream->chain[i]);
    for (size_t i = 0; i < e->upstream->leans_on_count; i++) add_leaning(w, e->upstream->leans_on[i]);
}

/* Depth first, without recursion: chains can be as long as a model has operators. What is kept is in w->owner alone, which may
 * outlive the list. */
static void walk_from(walk *w, evidence_id id) {
    evidence_id *stack = ARENA_ARRAY(w->list->owner, evidence_id, (size_t)w->list->count * 2 + 2);
    size_t top = 0;
    w->seen = ARENA_ARRAY(w->list->owner, bool, w->list->count);
    stack[top++] = id;
    while (top) {
        evidence_id at = stack[--top];
        if (w->seen[at]) continue;
        w->seen[at] = true;
        const evidence *e = &w->list->entry[at];
        visit(w, e);
        if (e->because[1] != EVIDENCE_SQL) stack[top++] = e->because[1];
        if (e->because[0] != EVIDENCE_SQL) stack[top++] = e->because[0];
    }
}

const str *evidence_chain(const evidence_list *list, evidence_id id, const evidence_names *names, arena *owner,
                          size_t *count) {
    walk w = {.list = list, .names = names, .owner = owner};
    walk_from(&w, id);
    str *chain = ARENA_ARRAY(owner, str, w.count + 1);
    memcpy(chain, w.text, w.count * sizeof *chain);
    *count = w.count;
    return chain;
}

const declaration *const *evidence_leans_on(const evidence_list *list, evidence_id id, arena *owner, size_t *count) {
    walk w = {.list = list, .owner = owner};
    walk_from(&w, id);
    *count = w.leans_count;
    return w.leans_on;
}
