/* stats.c - walk a statistics object beside the tree of wanted names.
 * Called by: delta/scan.c, checkpoint_rows.c.  Must not know: predicates, which files are live.
 */
#include "delta/stats.h"

#include <string.h>

/* A name on the way to a wanted column, or the column itself. */
typedef struct stats_node {
    str name; /* physical (rules J2, J4) */
    struct stats_node *child;
    size_t child_count;
    const json_names *child_names; /* parallel to child */
    size_t column;                 /* index of the first wanted column that is this node, or NO_COLUMN */
} stats_node;

#define NO_COLUMN SIZE_MAX

struct stats_plan {
    const stats_column *wanted;
    size_t count;
    size_t *first; /* per wanted column: the first one that is the same column */
    bool *bounds;  /* per first column: somebody wants its bounds */
    stats_node root;
    const json_names *members; /* of the statistics object, as far as wanted; by stats_member */
};

/* Members of the statistics object. Without wanted columns the first two will do. */
typedef enum stats_member { MEMBER_RECORD_COUNT, MEMBER_TIGHT, MEMBER_MIN, MEMBER_MAX, MEMBER_NULL_COUNT } stats_member;
enum { COUNT_MEMBERS = 2, ALL_MEMBERS = 5 };

/* ---- the plan ---- */

/* Children are grown when there are a power of two of them (or none), to twice as many. */
static void grow_children(arena *owner, stats_node *n) {
    size_t room = n->child_count ? 2 * n->child_count : 1;
    stats_node *child = ARENA_ARRAY(owner, stats_node, room);
    if (n->child_count) memcpy(child, n->child, n->child_count * sizeof *child);
    n->child = child;
}

static stats_node *find_or_add_child(arena *owner, stats_node *n, str name) {
    for (size_t i = 0; i < n->child_count; i++)
        if (str_eq(n->child[i].name, name)) return &n->child[i];
    if ((n->child_count & (n->child_count - 1)) == 0) grow_children(owner, n);
    n->child[n->child_count] = (stats_node){.name = name, .column = NO_COLUMN};
    return &n->child[n->child_count++];
}

static stats_node *add_path(arena *owner, stats_node *root, const column *c) {
    stats_node *above = c->parent ? add_path(owner, root, c->parent) : root; /* schema_parse limits the depth */
    return find_or_add_child(owner, above, c->physical);
}

static void name_children(arena *owner, stats_node *n) {
    str *name = ARENA_ARRAY(owner, str, n->child_count);
    for (size_t i = 0; i < n->child_count; i++) {
        name[i] = n->child[i].name;
        name_children(owner, &n->child[i]);
    }
    n->child_names = json_names_new(owner, name, n->child_count);
}

static const json_names *name_members(arena *owner, size_t column_count) {
    static const char *const text[] = {"numRecords", "tightBounds", "minValues", "maxValues", "nullCount"};
    str name[ALL_MEMBERS];
    for (size_t i = 0; i < ALL_MEMBERS; i++) name[i] = str_from(text[i]);
    return json_names_new(owner, name, column_count ? ALL_MEMBERS : COUNT_MEMBERS);
}

stats_plan *stats_plan_new(arena *owner, const stats_column *wanted, size_t count) {
    stats_plan *p = ARENA_NEW(owner, stats_plan);
    *p = (stats_plan){.wanted = wanted,
                      .count = count,
                      .first = ARENA_ARRAY(owner, size_t, count),
                      .bounds = ARENA_ARRAY(owner, bool, count)};
    p->root.column = NO_COLUMN;
    for (size_t i = 0; i < count; i++) {
        stats_node *n = add_path(owner, &p->root, wanted[i].column);
        if (n->column == NO_COLUMN) n->column = i;
        p->first[i] = n->column;
        if (wanted[i].want_bounds) p->bounds[n->column] = true;
    }
    name_children(owner, &p->root);
    p->members = name_members(owner, count);
    return p;
}

size_t stats_plan_count(const stats_plan *p) {
    return p->count;
}

/* ---- what both sources share ---- */

void stats_begin(const stats_plan *p, arena *values, file_stats *out) {
    *out = (file_stats){.has_stats = true, .column = ARENA_ARRAY(values, column_stats, p->count)};
}

static void judge_null_count(column_stats *c, const file_stats *f) {
    if (c->null_count_state != COUNT_KNOWN) return;
    bool above = f->record_count_known && c->null_count > f->record_count; /* T40: a contradiction */
    bool is_all = f->record_count_known && c->null_count == f->record_count;
    bool says_nothing = !f->tight && c->null_count != 0 && !is_all; /* P6, T44 */
    if (above || says_nothing) c->null_count_state = COUNT_ABSENT;
}

void stats_finish(const stats_plan *p, bool is_wide, bool has_dv, file_stats *out) {
    out->tight = !is_wide && !has_dv;
    for (size_t i = 0; i < p->count; i++) {
        if (p->first[i] != i)
            out->column[i] = out->column[p->first[i]];
        else
            judge_null_count(&out->column[i], out);
    }
}

/* ---- JSON ---- */

typedef enum stats_part { PART_MIN, PART_MAX, PART_NULL_COUNT } stats_part;

typedef struct stats_walk {
    const stats_plan *plan;
    json_reader *json;
    arena *values;
    file_stats *out;
    bool is_wide;
    bool seen[PART_NULL_COUNT + 1]; /* parts that stand twice: the second one starts from nothing */
} stats_walk;

static bool is_container(json_kind k) {
    return k == JSON_OBJECT_BEGIN || k == JSON_ARRAY_BEGIN;
}

/* Pass over the rest of a value whose first token was read. */
static bool finish_value(stats_walk *w, json_kind first) {
    if (is_container(first)) return json_skip(w->json);
    return first != JSON_ERROR;
}

static str token_text(stats_walk *w, const json_token *t) {
    return t->escaped ? json_unescape(w->values, *t) : t->text;
}

static bound read_bound(stats_walk *w, data_type type, const json_token *t, bound_side side) {
    bound none = {0};
    switch (t->kind) {
    case JSON_STRING: return cell_bound_from_json(type, token_text(w, t), true, side);
    case JSON_NUMBER: return cell_bound_from_json(type, t->text, false, side);
    case JSON_TRUE: return cell_bound_from_json(type, STR("true"), false, side);
    case JSON_FALSE: return cell_bound_from_json(type, STR("false"), false, side);
    case JSON_NULL: none.state = CELL_NULL; return none; /* rule P22: unknown, and the caller may tell */
    case JSON_ERROR:
    case JSON_END:
    case JSON_KEY:
    case JSON_OBJECT_BEGIN:
    case JSON_OBJECT_END:
    case JSON_ARRAY_BEGIN:
    case JSON_ARRAY_END: none.state = CELL_UNREADABLE; return none;
    }
    UNREACHABLE();
}

static bool walk_object(stats_walk *w, const stats_node *n, stats_part part);

static void set_leaf(stats_walk *w, size_t index, stats_part part, const json_token *t) {
    const stats_column *wanted = &w->plan->wanted[index];
    column_stats *c = &w->out->column[index];
    if (part == PART_NULL_COUNT) {
        int64_t n;
        bool good = t->kind == JSON_NUMBER && json_number_to_int64(t->text, &n) && n >= 0; /* trap T38 */
        c->null_count_state = good ? COUNT_KNOWN : COUNT_ABSENT;
        c->null_count = good ? n : 0;
    } else if (w->plan->bounds[index]) {
        bound *b = part == PART_MIN ? &c->min : &c->max;
        *b = read_bound(w, wanted->column->type, t, part == PART_MIN ? BOUND_MIN : BOUND_MAX);
    }
}

/* Forget what an earlier duplicate of this key has set. */
static void clear(stats_walk *w, const stats_node *n, stats_part part) {
    if (n->column != NO_COLUMN) {
        column_stats *c = &w->out->column[n->column];
        if (part == PART_MIN)
            c->min = (bound){0};
        else if (part == PART_MAX)
            c->max = (bound){0};
        else
            c->null_count_state = COUNT_ABSENT;
    }
    for (size_t i = 0; i < n->child_count; i++) clear(w, &n->child[i], part);
}

/* The value of a wanted key. */
static bool walk_child(stats_walk *w, const stats_node *child, stats_part part) {
    json_token t = json_next(w->json);
    if (child->child_count == 0) {
        set_leaf(w, child->column, part, &t);
        return finish_value(w, t.kind);
    }
    clear(w, child, part);
    return t.kind == JSON_OBJECT_BEGIN ? walk_object(w, child, part) : finish_value(w, t.kind);
}

/* Walk an object whose BEGIN was read, beside the node. The depth is that of the schema. */
static bool walk_object(stats_walk *w, const stats_node *n, stats_part part) {
    size_t child;
    json_kind k;
    while ((k = json_next_wanted(w->json, n->child_names, w->values, &child)) == JSON_KEY)
        if (!walk_child(w, &n->child[child], part)) return false;
    return k == JSON_OBJECT_END;
}

static bool read_part(stats_walk *w, stats_part part) {
    if (w->seen[part]) clear(w, &w->plan->root, part);
    w->seen[part] = true;
    json_token t = json_next(w->json);
    if (t.kind == JSON_OBJECT_BEGIN) return walk_object(w, &w->plan->root, part);
    return finish_value(w, t.kind);
}

static bool read_record_count(stats_walk *w) {
    json_token t = json_next(w->json);
    int64_t n;
    w->out->record_count_known = t.kind == JSON_NUMBER && json_number_to_int64(t.text, &n) && n >= 0;
    w->out->record_count = w->out->record_count_known ? n : 0;
    return finish_value(w, t.kind);
}

static bool read_tight(stats_walk *w) {
    json_token t = json_next(w->json);
    w->is_wide = t.kind != JSON_TRUE; /* wide is the reading that claims less */
    return finish_value(w, t.kind);
}

static bool read_member(stats_walk *w, stats_member m) {
    switch (m) {
    case MEMBER_RECORD_COUNT: return read_record_count(w);
    case MEMBER_TIGHT: return read_tight(w);
    case MEMBER_MIN: return w->out->has_bounds = true, read_part(w, PART_MIN);
    case MEMBER_MAX: return w->out->has_bounds = true, read_part(w, PART_MAX);
    case MEMBER_NULL_COUNT: return read_part(w, PART_NULL_COUNT);
    }
    UNREACHABLE();
}

static bool read_document(stats_walk *w) {
    if (json_next(w->json).kind != JSON_OBJECT_BEGIN) return false;
    size_t member;
    json_kind k;
    while ((k = json_next_wanted(w->json, w->plan->members, w->values, &member)) == JSON_KEY)
        if (!read_member(w, (stats_member)member)) return false;
    return k == JSON_OBJECT_END && json_next(w->json).kind == JSON_END;
}

void stats_from_json(const stats_plan *p, json_reader *json, str text, bool has_dv, arena *values, file_stats *out) {
    stats_walk w = {.plan = p, .json = json, .values = values, .out = out};
    lp_err unused;
    stats_begin(p, values, out);
    if (json_start(json, text, &unused) == LP_OK && read_document(&w))
        stats_finish(p, w.is_wide, has_dv, out);
    else
        *out = (file_stats){0};
}
