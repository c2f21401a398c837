/* trace.c - walk the tree of a predicate beside the results that its programs left.
 * Called by: prune/measure.c; report (names).  Must not know: text or JSON output.
 */
#include "prune/trace.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "prune/domains.h"
#include "prune/meet.h"
#include "prune/program_int.h"
#include "prune/trace_text.h"

enum { NODE_TEXT_CHARACTERS = 200, PROGRAMS = 3 };

struct tracer {
    const analysis *a;
    const snapshot *table; /* NULL in tests of rooms */
    fact_rules rules;
    prune_level level;
    str *text; /* of each node, in the order of the walk */
    str whole;
};

typedef struct tracing {
    const tracer *t;
    const live_file *file;
    bool kept;
    arena *out;
    column_domain *domain;   /* as the programs see them, parallel to the slots */
    column_domain *recorded; /* the same from partition values and statistics alone */
    str source;
    size_t next_text;
    /* The program under way. */
    const program *program;
    const outcome_set *record;
    size_t at;
} tracing;

/* ------------------------------------------------------------------------------------------------ node texts */

typedef struct text_list {
    arena *query;
    str *item;
    size_t count, capacity;
} text_list;

static void add_text(text_list *l, const predicate *p) {
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? l->capacity * 2 : 16;
        str *grown = ARENA_ARRAY(l->query, str, capacity);
        if (l->count) memcpy(grown, l->item, l->count * sizeof *grown);
        l->item = grown;
        l->capacity = capacity;
    }
    buf b;
    buf_init(&b, l->query, SIZE_MAX / 2);
    predicate_print(&b, p);
    l->item[l->count++] = trace_cut(buf_str(&b), NODE_TEXT_CHARACTERS, l->query);
}

/* In the order in which trace_predicate asks for them. */
static void collect_texts(text_list *l, const predicate *p) {
    add_text(l, p);
    switch ((int)p->kind) {
    case PREDICATE_AND:
    case PREDICATE_OR:
        for (size_t i = 0; i < p->junction.count; i++) collect_texts(l, p->junction.item[i]);
        return;
    case PREDICATE_NOT: collect_texts(l, p->not .of); return;
    case PREDICATE_TRUTH: collect_texts(l, p->truth.of); return;
    default: return;
    }
}

const tracer *tracer_new(const analysis *a, const snapshot *table, fact_rules rules, prune_level level, arena *query) {
    tracer *t = ARENA_NEW(query, tracer);
    text_list texts = {.query = query};
    for (size_t i = 0; i < a->classes.count; i++) collect_texts(&texts, a->classes.fragment[i].predicate);
    size_t count = texts.count;
    add_text(&texts, a->typed);
    *t = (tracer){a, table, rules, level, texts.item, texts.item[count]};
    return t;
}

/* ----------------------------------------------------------------------------------------------------- nodes */

static void add_fact(const tracing *g, trace_node *node, str text, str source) {
    trace_fact **end = &node->fact;
    while (*end) end = &(*end)->next;
    *end = ARENA_NEW(g->out, trace_fact);
    **end = (trace_fact){.text = text, .source = source};
}

static void add_obstacle(const tracing *g, trace_node *node, obstacle_reason reason, str text) {
    trace_obstacle **end = &node->obstacle;
    while (*end) end = &(*end)->next;
    *end = ARENA_NEW(g->out, trace_obstacle);
    **end = (trace_obstacle){.reason = reason, .text = text};
}

static trace_node *new_node(tracing *g) {
    trace_node *node = ARENA_NEW(g->out, trace_node);
    node->text = g->t->text[g->next_text++];
    return node;
}

/* ------------------------------------------------------------------------------------- what a leaf rests on */

/* The slots of the columns of a leaf, each once. */
typedef struct slot_list {
    const slot_table *slots;
    size_t *item, count;
} slot_list;

static void note_slot(void *context, const column_ref *ref) {
    slot_list *l = context;
    for (size_t i = 0; i < l->slots->count; i++) {
        if (l->slots->slot[i].column != ref->column) continue;
        for (size_t k = 0; k < l->count; k++)
            if (l->item[k] == i) return;
        l->item[l->count++] = i;
        return;
    }
}

static slot_list slots_of(const tracing *g, const predicate *leaf) {
    slot_list l = {.slots = &g->t->a->slots, .item = ARENA_ARRAY(g->out, size_t, g->t->a->slots.count)};
    predicate_each_column(leaf, note_slot, &l);
    return l;
}

/* One instruction again, over the domains as they are now. */
static outcome_set evaluate_again(const tracing *g, const instruction *i) {
    outcome_set stack[1];
    instruction copy = *i;
    program one = {.item = &copy, .count = 1, .capacity = 1, .depth = 1, .max_depth = 1};
    program_run run = {.stack = stack, .scratch = g->out, .slot_count = g->t->a->slots.count};
    return program_evaluate(&one, g->domain, &run);
}

/* A thing that is known of a column, and that can be forgotten. */
typedef enum piece { PIECE_VALUE, PIECE_LOW, PIECE_HIGH, PIECE_NO_NAN, PIECE_NO_NULL, PIECE_NO_VALUE, PIECE_COUNT } piece;

static bool is_float(const program_slot *slot) {
    return slot->column->type.kind == TYPE_FLOAT || slot->column->type.kind == TYPE_DOUBLE;
}

static bool fact_has(const column_fact *f, piece p, const program_slot *slot) {
    switch (p) {
    case PIECE_VALUE: return slot->is_partition;
    case PIECE_LOW: return f->has_low;
    case PIECE_HIGH: return f->has_high;
    case PIECE_NO_NAN: return is_float(slot) && f->has_high && !f->may_be_nan;
    case PIECE_NO_NULL: return !f->can_be_null;
    case PIECE_NO_VALUE: return !f->can_be_value;
    case PIECE_COUNT: break;
    }
    UNREACHABLE();
}

static bool is_known(const tracing *g, size_t slot, piece p) {
    const column_domain *d = &g->domain[slot];
    const program_slot *s = &g->t->a->slots.slot[slot];
    if (s->is_partition != (p == PIECE_VALUE)) return false;
    for (size_t i = 0; i < d->count; i++)
        if (fact_has(&d->fact[i], p, s)) return true;
    return false;
}

static void forget(const tracing *g, size_t slot, piece p) {
    column_domain *d = &g->domain[slot];
    const program_slot *s = &g->t->a->slots.slot[slot];
    if (p == PIECE_VALUE) {
        domain_from_stats(&s->column->type, &(file_stats){.has_stats = false}, NULL, g->t->rules, d);
        return;
    }
    for (size_t i = 0; i < d->count; i++) {
        column_fact *f = &d->fact[i];
        f->is_text_known = false;
        if (p == PIECE_LOW) f->has_low = false;
        if (p == PIECE_HIGH) f->has_high = false;
        if (p == PIECE_HIGH || p == PIECE_NO_NAN) f->may_be_nan |= is_float(s);
        if (p == PIECE_NO_NULL) f->can_be_null = true;
        if (p == PIECE_NO_VALUE) f->can_be_value = true;
    }
}

/* ------------------------------------------------------------------------------------------- facts in words */

static bool same_fact(const tracing *g, size_t slot, piece p) {
    const column_domain *now = &g->domain[slot], *then = &g->recorded[slot];
    if (now->count != 1 || then->count != 1 || !fact_has(&then->fact[0], p, &g->t->a->slots.slot[slot])) return false;
    if (p == PIECE_LOW) return value_compare(&now->fact[0].low, &then->fact[0].low) == 0;
    if (p == PIECE_HIGH) return value_compare(&now->fact[0].high, &then->fact[0].high) == 0;
    return true;
}

/* What statistics do not say and the program knows all the same: NOT NULL, or a generated partition column. */
static void tell_other(const tracing *g, trace_node *node, const program_slot *slot, const column_fact *f, piece p, str name) {
    if (p == PIECE_NO_NULL && g->t->level == LEVEL_EXTENDED && !slot->column->nullable) {
        add_fact(g, node, str_format(g->out, STR_FMT " is NOT NULL", STR_ARG(name)), STR("the schema"));
        return;
    }
    const char *order = p == PIECE_LOW ? ">=" : "<=";
    str text = p == PIECE_LOW || p == PIECE_HIGH
                   ? str_format(g->out, STR_FMT " %s " STR_FMT ", by a partition column generated from it", STR_ARG(name), order,
                                STR_ARG(trace_value(slot->column->type.kind, p == PIECE_LOW ? &f->low : &f->high, g->out)))
                   : str_format(g->out, "a partition column is generated from " STR_FMT, STR_ARG(name));
    add_fact(g, node, text, g->source);
}

static void tell_no_nan(const tracing *g, trace_node *node, str name) {
    if (g->t->rules.trust_float_max)
        add_fact(g, node, str_format(g->out, "max(" STR_FMT ") is trusted to show NaN", STR_ARG(name)), STR("--nan trust"));
    else
        add_fact(g, node, str_format(g->out, "min(" STR_FMT ") and max(" STR_FMT ") are all its values", STR_ARG(name), STR_ARG(name)),
                 g->source);
}

static void tell_piece(const tracing *g, trace_node *node, size_t at, piece p) {
    const program_slot *slot = &g->t->a->slots.slot[at];
    str name = column_dotted_name(slot->column, g->out);
    const column_stats *stats = slot_stats(slot, g->file);
    if (p == PIECE_VALUE) {
        add_fact(g, node, trace_partition_value(name, &g->file->partition[slot->index], g->out), g->source);
        return;
    }
    if (!stats || !same_fact(g, at, p)) {
        tell_other(g, node, slot, &g->domain[at].fact[0], p, name);
        return;
    }
    type_kind kind = slot->column->type.kind;
    switch ((int)p) {
    case PIECE_LOW: add_fact(g, node, trace_bound("min", name, kind, &stats->min, g->out), g->source); return;
    case PIECE_HIGH: add_fact(g, node, trace_bound("max", name, kind, &stats->max, g->out), g->source); return;
    case PIECE_NO_NAN: tell_no_nan(g, node, name); return;
    case PIECE_NO_NULL: add_fact(g, node, str_format(g->out, "null_count(" STR_FMT ") = 0", STR_ARG(name)), g->source); return;
    case PIECE_NO_VALUE:
        add_fact(g, node, str_format(g->out, "null_count(" STR_FMT ") = num_records = %" PRId64, STR_ARG(name), stats->null_count), g->source);
        return;
    default: UNREACHABLE();
    }
}

/* Forget one thing after the other; what the instruction cannot do without is told. */
static void tell_needed(const tracing *g, trace_node *node, const instruction *i, const slot_list *slots) {
    column_domain *kept = ARENA_ARRAY(g->out, column_domain, g->t->a->slots.count);
    bool *needed = ARENA_ARRAY(g->out, bool, slots->count * PIECE_COUNT);
    memcpy(kept, g->domain, g->t->a->slots.count * sizeof *kept);
    outcome_set with_all = evaluate_again(g, i);
    for (size_t k = 0; k < slots->count; k++)
        for (piece p = 0; p < PIECE_COUNT; p++) {
            if (!is_known(g, slots->item[k], p)) continue;
            column_domain before = g->domain[slots->item[k]];
            forget(g, slots->item[k], p);
            needed[k * PIECE_COUNT + p] = evaluate_again(g, i) != with_all;
            if (needed[k * PIECE_COUNT + p]) g->domain[slots->item[k]] = before;
        }
    memcpy(g->domain, kept, g->t->a->slots.count * sizeof *kept);
    for (size_t k = 0; k < slots->count; k++)
        for (piece p = 0; p < PIECE_COUNT; p++)
            if (needed[k * PIECE_COUNT + p]) tell_piece(g, node, slots->item[k], p);
}

static bool has_data_column(const tracing *g, const slot_list *slots) {
    for (size_t k = 0; k < slots->count; k++)
        if (!g->t->a->slots.slot[slots->item[k]].is_partition) return true;
    return false;
}

/* A generated partition column that is computed from what the condition leaves of its column. */
static void tell_generation(const tracing *g, trace_node *node, const instruction *i) {
    if (!i->generation || outcome_can_be_true(node->outcome)) return;
    instruction plain = *i;
    plain.generation = NULL;
    if (outcome_can_be_true(evaluate_again(g, &plain)))
        add_fact(g, node, STR("no such value gives the partition value that is generated from it"), g->source);
}

static str reason_of(const predicate *p) {
    if (p->kind == PREDICATE_OPAQUE) return p->opaque.reason;
    return p->kind == PREDICATE_SCALAR ? p->scalar.reason : STR_NONE;
}

static str not_followed(const tracing *g, str reason) {
    if (str_is_none(reason)) return STR("metadata does not decide it");
    return str_format(g->out, "metadata does not decide it: " STR_FMT, STR_ARG(reason));
}

/* ----------------------------------------------------------------------------------------------- obstacles */

/* The place of a column among those that the first N get statistics; from 1. Partition columns have none. */
static size_t indexed_place(const schema *s, const column *c) {
    size_t place = 0;
    for (size_t i = 0; i < s->leaf_count; i++) {
        place += s->leaf[i]->partition_index < 0;
        if (s->leaf[i] == c) break;
    }
    return place;
}

enum { INDEXED_BY_DEFAULT = 32 };

/* The table's own choice of columns, where that explains why there is nothing. */
static bool tell_not_indexed(const tracing *g, trace_node *node, const column *c, str name) {
    const snapshot *table = g->t->table;
    if (!table || c->leaf_index == UINT32_MAX) return false;
    str chosen = snapshot_property(table, STR("delta.dataSkippingStatsColumns"));
    if (!str_is_none(chosen)) {
        if (trace_lists_column(chosen, name)) return false;
        add_obstacle(g, node, OBSTACLE_NOT_INDEXED,
                     str_format(g->out, STR_FMT " is not among delta.dataSkippingStatsColumns", STR_ARG(name)));
        return true;
    }
    int64_t most = INDEXED_BY_DEFAULT;
    str budget = snapshot_property(table, STR("delta.dataSkippingNumIndexedCols"));
    if (!str_is_none(budget) && !str_to_int64(budget, &most)) return false;
    size_t place = indexed_place(&table->schema, c);
    if (most < 0 || place <= (uint64_t)most) return false;
    add_obstacle(g, node, OBSTACLE_NOT_INDEXED,
                 str_format(g->out, STR_FMT " is column %zu, and only the first %" PRId64 " get statistics (delta.dataSkippingNumIndexedCols)",
                            STR_ARG(name), place, most));
    return true;
}

/* Would the leaf have dropped the file if the domain were this one? */
static bool drops_with(const tracing *g, const instruction *i, size_t slot, const column_fact *fact, outcome_set wanted) {
    column_domain before = g->domain[slot];
    g->domain[slot] = (column_domain){.fact = {*fact}, .count = 1};
    bool drops = (evaluate_again(g, i) & wanted) == 0;
    g->domain[slot] = before;
    return drops;
}

static bool is_cut(const bound *b) {
    return b->state == CELL_VALUE && (b->reach.above_prefix || value_compare(&b->v, &b->reach) != 0);
}

static void tell_overlap(const tracing *g, trace_node *node, const instruction *i, size_t slot, outcome_set wanted) {
    const program_slot *s = &g->t->a->slots.slot[slot];
    const column_stats *stats = slot_stats(s, g->file);
    str name = column_dotted_name(s->column, g->out);
    type_kind kind = s->column->type.kind;
    column_fact exact = g->domain[slot].fact[0];
    str both = str_format(g->out, STR_FMT ", " STR_FMT, STR_ARG(trace_bound("min", name, kind, &stats->min, g->out)),
                           STR_ARG(trace_bound("max", name, kind, &stats->max, g->out)));
    exact.low = stats->min.v;
    exact.high = stats->max.v;
    if ((is_cut(&stats->min) || is_cut(&stats->max)) && value_compare(&exact.low, &exact.high) <= 0 &&
        drops_with(g, i, slot, &exact, wanted)) {
        add_obstacle(g, node, OBSTACLE_CUT_BOUND, str_format(g->out, STR_FMT ": as recorded they rule it out", STR_ARG(both)));
        return;
    }
    exact.may_be_nan = false;
    if (g->domain[slot].fact[0].may_be_nan && drops_with(g, i, slot, &exact, wanted)) {
        add_obstacle(g, node, OBSTACLE_FLOAT_MAX, str_format(g->out, "max(" STR_FMT ") may hide NaN, which is above all", STR_ARG(name)));
        return;
    }
    if (value_is_nan(&stats->max.v)) {
        add_obstacle(g, node, OBSTACLE_OVERLAP, str_format(g->out, STR_FMT ", and engines compare NaN in different ways", STR_ARG(both)));
        return;
    }
    const char *wide = g->file->has_dv || !g->file->stats.tight ? ", and may be wider than the rows that are left" : "";
    add_obstacle(g, node, OBSTACLE_OVERLAP, str_format(g->out, STR_FMT "%s", STR_ARG(both), wide));
}

/* A bound that is not there, or no bound to the program: unreadable, or in contradiction to the other one. */
static bool tell_missing_bound(const tracing *g, trace_node *node, const column_stats *stats, const column *c, str name) {
    bool low = stats->min.state == CELL_VALUE, high = stats->max.state == CELL_VALUE;
    if (low && high && value_compare(&stats->min.reach, &stats->max.reach) <= 0) return false;
    if (low && high) {
        add_obstacle(g, node, OBSTACLE_NO_BOUND, str_format(g->out, "min(" STR_FMT ") is above max(" STR_FMT ")", STR_ARG(name), STR_ARG(name)));
        return true;
    }
    bool unreadable = (!low && stats->min.state == CELL_UNREADABLE) || (!high && stats->max.state == CELL_UNREADABLE);
    if (!low && !high && !unreadable && stats->null_count_state == COUNT_ABSENT && tell_not_indexed(g, node, c, name)) return true;
    const char *which = low ? "max" : high ? "min" : "min and max";
    add_obstacle(g, node, OBSTACLE_NO_BOUND,
                 str_format(g->out, "%s of " STR_FMT " %s", which, STR_ARG(name), unreadable ? "cannot be read" : "not recorded"));
    return true;
}

/* IS NULL asks for a null count, IS NOT NULL for the number of rows too. */
static void tell_null_count(const tracing *g, trace_node *node, const column_stats *stats, bool negated, str name) {
    const file_stats *f = &g->file->stats;
    if (stats->null_count_state == COUNT_ABSENT)
        add_obstacle(g, node, OBSTACLE_NO_NULL_COUNT, str_format(g->out, "no null count of " STR_FMT, STR_ARG(name)));
    else if (negated && !f->record_count_known)
        add_obstacle(g, node, OBSTACLE_NO_NULL_COUNT, STR("the number of rows is not recorded"));
    else
        add_obstacle(g, node, OBSTACLE_OVERLAP, str_format(g->out, "null_count(" STR_FMT ") = %" PRId64, STR_ARG(name), stats->null_count));
}

static void tell_partition_obstacle(const tracing *g, trace_node *node, const program_slot *slot, str name) {
    const partition_cell *cell = &g->file->partition[slot->index];
    if (cell->state == CELL_ABSENT)
        add_obstacle(g, node, OBSTACLE_PARTITION_VALUE, str_format(g->out, "no partition value of " STR_FMT, STR_ARG(name)));
    else if (cell->state == CELL_UNREADABLE)
        add_obstacle(g, node, OBSTACLE_PARTITION_VALUE,
                     str_format(g->out, STR_FMT " cannot be read", STR_ARG(trace_partition_value(name, cell, g->out))));
    else if (cell->state == CELL_VALUE && (cell->value_count > 1 || cell->may_be_null))
        add_obstacle(g, node, OBSTACLE_PARTITION_VALUE,
                     str_format(g->out, "engines read " STR_FMT " in different ways", STR_ARG(trace_partition_value(name, cell, g->out))));
}

static void tell_slot_obstacle(const tracing *g, trace_node *node, const instruction *i, size_t at, outcome_set wanted) {
    const program_slot *slot = &g->t->a->slots.slot[at];
    str name = column_dotted_name(slot->column, g->out);
    const column_stats *stats = slot_stats(slot, g->file);
    if (slot->is_partition) {
        tell_partition_obstacle(g, node, slot, name);
        return;
    }
    if (slot->index == SLOT_WITHOUT_STATS) {
        add_obstacle(g, node, OBSTACLE_NO_BOUND, str_format(g->out, "no statistics are kept of the struct " STR_FMT, STR_ARG(name)));
        return;
    }
    if (!stats) {
        add_obstacle(g, node, OBSTACLE_NO_STATISTICS, str_format(g->out, STR_FMT " may be anything", STR_ARG(name)));
        return;
    }
    if (i->op == INSTRUCTION_LEAF && i->leaf->kind == PREDICATE_IS_NULL) {
        tell_null_count(g, node, stats, i->leaf->negated, name);
        return;
    }
    bool no_rows_left = !g->domain[at].fact[0].can_be_value;
    if (no_rows_left || tell_missing_bound(g, node, stats, slot->column, name)) return;
    tell_overlap(g, node, i, at, wanted);
}

/* Why a leaf of a kept file leaves room for what keeps it. */
static void tell_obstacles(const tracing *g, trace_node *node, const instruction *i, const predicate *p, const slot_list *slots,
                           outcome_set wanted) {
    if (!g->kept || !(node->outcome & wanted)) return;
    if ((node->outcome & ~wanted) == 0) {
        add_obstacle(g, node, OBSTACLE_CERTAIN, wanted == OUTCOME_TRUE ? STR("every row meets it") : STR("it is so for every row"));
        return;
    }
    if (node->outcome == (OUTCOME_TRUE | OUTCOME_NULL) && wanted == OUTCOME_TRUE) {
        add_obstacle(g, node, OBSTACLE_CERTAIN, STR("every row meets it, but for NULL"));
        return;
    }
    if (!str_is_none(reason_of(p))) add_obstacle(g, node, OBSTACLE_NOT_FOLLOWED, not_followed(g, reason_of(p)));
    if (p->kind == PREDICATE_OPAQUE) return;
    for (size_t k = 0; k < slots->count; k++) tell_slot_obstacle(g, node, i, slots->item[k], wanted);
    if (!node->obstacle) add_obstacle(g, node, OBSTACLE_NOT_FOLLOWED, not_followed(g, STR_NONE));
}

/* --------------------------------------------------------------------------------------------------- the walk */

static trace_node *trace_leaf(tracing *g, const predicate *p, outcome_set wanted) {
    const instruction *i = &g->program->item[g->at];
    trace_node *node = new_node(g);
    node->outcome = g->record[g->at++];
    slot_list slots = slots_of(g, p);
    if (p->kind == PREDICATE_OPAQUE) add_fact(g, node, not_followed(g, p->opaque.reason), STR("the predicate"));
    if (i->op == INSTRUCTION_LEAF || i->op == INSTRUCTION_TERM) {
        tell_needed(g, node, i, &slots);
        tell_generation(g, node, i);
        if (g->file->stats_loaded && !g->file->stats.has_stats && has_data_column(g, &slots)) add_fact(g, node, STR("no statistics"), g->source);
    }
    if (!node->fact && !(node->outcome & OUTCOME_TRUE)) add_fact(g, node, STR("no row of any file meets it"), STR("the predicate"));
    tell_obstacles(g, node, i, p, &slots, wanted);
    return node;
}

static bool meets(const tracing *g, const meet *m) {
    program_run run = {.scratch = g->out, .slot_count = g->t->a->slots.count};
    return meet_is_possible(m, g->domain, &run);
}

static str columns_of(const tracing *g, const meet *m) {
    buf b;
    buf_init(&b, g->out, SIZE_MAX / 2);
    for (size_t i = 0, limits; i < meet_column_count(m); i++) {
        size_t slot = meet_slot(m, i, &limits);
        if (limits < 2) continue;
        if (b.len) buf_put(&b, STR(", "));
        buf_put(&b, column_dotted_name(g->t->a->slots.slot[slot].column, g->out));
    }
    return buf_str(&b);
}

/* Conditions, each of which is possible, that no row meets together: what is known of the columns for that, and that. */
static void tell_meet(tracing *g, trace_node *node, const instruction *i) {
    if (!outcome_can_be_true(g->record[g->at - 1]) || outcome_can_be_true(g->record[g->at])) return;
    size_t count = meet_column_count(i->meet), all_slots = g->t->a->slots.count;
    column_domain *before = ARENA_ARRAY(g->out, column_domain, all_slots);
    bool *needed = ARENA_ARRAY(g->out, bool, count * PIECE_COUNT);
    memcpy(before, g->domain, all_slots * sizeof *before);
    for (size_t k = 0, limits; k < count; k++)
        for (piece p = 0; p < PIECE_COUNT; p++) {
            size_t slot = meet_slot(i->meet, k, &limits);
            if (!is_known(g, slot, p)) continue;
            column_domain so_far = g->domain[slot];
            forget(g, slot, p);
            needed[k * PIECE_COUNT + p] = meets(g, i->meet);
            if (needed[k * PIECE_COUNT + p]) g->domain[slot] = so_far;
        }
    memcpy(g->domain, before, all_slots * sizeof *before);
    for (size_t k = 0, limits; k < count; k++)
        for (piece p = 0; p < PIECE_COUNT; p++)
            if (needed[k * PIECE_COUNT + p]) tell_piece(g, node, meet_slot(i->meet, k, &limits), p);
    add_fact(g, node, str_format(g->out, "no value of " STR_FMT " meets these conditions together", STR_ARG(columns_of(g, i->meet))),
             STR("the predicate"));
}

/* Behind the AND of `count` conditions. */
static void take_and(tracing *g, trace_node *node) {
    assert(g->program->item[g->at].op == INSTRUCTION_AND);
    node->outcome = g->record[g->at++];
    for (; g->at < g->program->count && g->program->item[g->at].op == INSTRUCTION_MEET; g->at++) {
        tell_meet(g, node, &g->program->item[g->at]);
        node->outcome = g->record[g->at];
    }
}

static trace_node *trace_predicate(tracing *g, const predicate *p, outcome_set wanted);

static trace_node *trace_junction(tracing *g, const predicate *p, outcome_set wanted) {
    trace_node *node = new_node(g), **end = &node->child;
    for (size_t i = 0; i < p->junction.count; i++) {
        *end = trace_predicate(g, p->junction.item[i], wanted);
        end = &(*end)->next;
    }
    if (p->kind == PREDICATE_AND)
        take_and(g, node);
    else
        node->outcome = g->record[g->at++];
    return node;
}

/* What the tested condition must be able to give for the test to keep the file. */
static outcome_set wanted_below(const predicate *p, outcome_set wanted) {
    static const outcome_set tested[] = {OUTCOME_TRUE, OUTCOME_FALSE, OUTCOME_NULL};
    if (p->kind == PREDICATE_NOT) return outcome_not(wanted);
    unsigned set = OUTCOME_NONE, hit = tested[p->truth.test], miss = OUTCOME_ANY & ~hit;
    if (wanted & OUTCOME_TRUE) set |= p->negated ? miss : hit;
    if (wanted & OUTCOME_FALSE) set |= p->negated ? hit : miss;
    return (outcome_set)set;
}

static trace_node *trace_predicate(tracing *g, const predicate *p, outcome_set wanted) {
    trace_node *node;
    switch ((int)p->kind) {
    case PREDICATE_AND:
    case PREDICATE_OR: return trace_junction(g, p, wanted);
    case PREDICATE_NOT:
    case PREDICATE_TRUTH:
        node = new_node(g);
        node->child = trace_predicate(g, p->kind == PREDICATE_NOT ? p->not .of : p->truth.of, wanted_below(p, wanted));
        node->outcome = g->record[g->at++];
        return node;
    default: return trace_leaf(g, p, wanted);
    }
}

/* ------------------------------------------------------------------------------------------------ the fragments */

/* Which program holds a fragment; PROGRAMS for one that was left out. */
static size_t program_of(const fragment *f) {
    switch (f->bucket) {
    case BUCKET_PARTITION_SAFE: return 0;
    case BUCKET_PARTITION_EXACT: return 1;
    case BUCKET_STATS_SAFE: return 2;
    case BUCKET_UNSPLITTABLE: return f->scanned ? 2 : PROGRAMS;
    }
    UNREACHABLE();
}

static bool is_in(const analysis *a, const fragment *f, size_t which) {
    bool again = (which == 1 && analysis_exact_holds(a, f)) || (which == 2 && analysis_data_holds(a, f));
    return program_of(f) == which || again;
}

/* The nodes of the fragments of one program go to their places; the result is that of the program, and what its conditions
 * give together is a fact of `root`. */
static outcome_set trace_program(tracing *g, size_t which, const size_t *first_text, trace_node **place, trace_node *root) {
    const analysis *a = g->t->a;
    const program *all[PROGRAMS] = {a->partition_safe, a->partition_exact, a->data};
    const program *p = all[which];
    outcome_set *record = ARENA_ARRAY(g->out, outcome_set, program_length(p));
    program_run run = {.stack = ARENA_ARRAY(g->out, outcome_set, program_stack_size(p)),
                       .scratch = g->out,
                       .slot_count = a->slots.count,
                       .record = record};
    outcome_set result = program_evaluate(p, g->domain, &run);
    size_t count = 0;
    g->program = p;
    g->record = record;
    g->at = 0;
    for (size_t i = 0; i < a->classes.count; i++) {
        if (!is_in(a, &a->classes.fragment[i], which)) continue;
        g->next_text = first_text[i];
        trace_node *node = trace_predicate(g, a->classes.fragment[i].predicate, OUTCOME_TRUE);
        if (program_of(&a->classes.fragment[i]) == which) place[i] = node;
        count++;
    }
    if (count > 1) take_and(g, root);
    assert(count == 0 || g->at == p->count);
    return result;
}

static size_t count_nodes(const predicate *p) {
    size_t count = 1;
    if (p->kind == PREDICATE_NOT) return count + count_nodes(p->not .of);
    if (p->kind == PREDICATE_TRUTH) return count + count_nodes(p->truth.of);
    if (p->kind != PREDICATE_AND && p->kind != PREDICATE_OR) return count;
    for (size_t i = 0; i < p->junction.count; i++) count += count_nodes(p->junction.item[i]);
    return count;
}

static trace_node *trace_left_out(tracing *g, const fragment *f, size_t first_text) {
    g->next_text = first_text;
    trace_node *node = new_node(g);
    str text = not_followed(g, f->reason);
    node->outcome = OUTCOME_ANY;
    add_fact(g, node, text, STR("the predicate"));
    if (g->kept) add_obstacle(g, node, OBSTACLE_NOT_FOLLOWED, text);
    return node;
}

static void load_domains(tracing *g) {
    const analysis *a = g->t->a;
    bool unused = false;
    g->domain = ARENA_ARRAY(g->out, column_domain, a->slots.count);
    g->recorded = ARENA_ARRAY(g->out, column_domain, a->slots.count);
    (void)domains_of_partitions(&a->slots, g->file, g->t->rules, g->domain, &unused);
    domains_of_statistics(&a->slots, g->file, g->t->rules, g->domain);
    if (a->slots.count) memcpy(g->recorded, g->domain, a->slots.count * sizeof *g->domain);
    domains_narrow(a, g->file, g->t->level, g->domain);
}

/* The fragments as one AND, or the only one. */
static trace_node *join(tracing *g, trace_node *root, trace_node **part, size_t count) {
    if (count == 1) {
        root = part[0];
        return root;
    }
    for (size_t i = 0; i < count; i++) part[i]->next = i + 1 < count ? part[i + 1] : NULL;
    root->text = g->t->whole;
    root->child = part[0];
    return root;
}

const trace_node *trace_file(const tracer *t, const live_file *f, bool kept, arena *out) {
    tracing g = {.t = t, .file = f, .kept = kept, .out = out, .source = trace_source(f, out)};
    const classification *c = &t->a->classes;
    trace_node *root = ARENA_NEW(out, trace_node), **part = ARENA_ARRAY(out, trace_node *, c->count);
    size_t *first_text = ARENA_ARRAY(out, size_t, c->count);
    for (size_t i = 1; i < c->count; i++) first_text[i] = first_text[i - 1] + count_nodes(c->fragment[i - 1].predicate);
    load_domains(&g);
    outcome_set set = OUTCOME_TRUE;
    for (size_t i = 0; i < PROGRAMS; i++) set = outcome_and(set, trace_program(&g, i, first_text, part, root));
    for (size_t i = 0; i < c->count; i++) {
        if (program_of(&c->fragment[i]) != PROGRAMS) continue;
        part[i] = trace_left_out(&g, &c->fragment[i], first_text[i]);
        set = outcome_and(set, OUTCOME_ANY);
    }
    root = join(&g, root, part, c->count);
    root->outcome = set;
    if (!kept && outcome_can_be_true(set)) { /* no condition dropped it: it has no row */
        *root = (trace_node){.outcome = OUTCOME_NONE, .text = t->whole};
        add_fact(&g, root, STR("num_records = 0"), g.source);
    }
    return root;
}
