/* program.c - lower predicate trees to postorder programs, and print them.
 * Called by: prune/measure.c, stage commands.  Must not know: files, phases.
 */
#include "prune/program_int.h"

#include <string.h>

#include "prune/meet.h"

/* ------------------------------------------------------------------------------------------------- slots */

size_t program_slot_for(arena *query, slot_table *slots, const column *c) {
    for (size_t i = 0; i < slots->count; i++)
        if (slots->slot[i].column == c) return i;
    if (slots->count == slots->capacity) {
        size_t capacity = slots->capacity ? slots->capacity * 2 : 8;
        program_slot *grown = ARENA_ARRAY(query, program_slot, capacity);
        if (slots->count) memcpy(grown, slots->slot, slots->count * sizeof *grown);
        slots->slot = grown;
        slots->capacity = capacity;
    }
    bool is_partition = c->partition_index >= 0;
    size_t index = is_partition                  ? slots->partition_count++
                   : c->type.kind == TYPE_STRUCT ? SLOT_WITHOUT_STATS
                                                 : slots->stats_count++;
    slots->slot[slots->count] = (program_slot){.column = c, .is_partition = is_partition, .index = index};
    return slots->count++;
}

/* ---------------------------------------------------------------------------------------------- lowering */

typedef struct lowering {
    arena *query;
    slot_table *slots;
    program *p;
    const fold_env *env;
    bool inside_meet; /* its leaves stand alone */
} lowering;

static instruction *emit(lowering *lo, instruction_op op, size_t pops) {
    program *p = lo->p;
    if (p->count == p->capacity) {
        size_t capacity = p->capacity ? p->capacity * 2 : 16;
        instruction *grown = ARENA_ARRAY(lo->query, instruction, capacity);
        if (p->count) memcpy(grown, p->item, p->count * sizeof *grown);
        p->item = grown;
        p->capacity = capacity;
    }
    p->depth = p->depth - pops + 1;
    if (p->depth > p->max_depth) p->max_depth = p->depth;
    instruction *i = &p->item[p->count++];
    *i = (instruction){.op = op, .arg_count = pops};
    return i;
}

static void want(lowering *lo, size_t slot, const column_ref *ref, bool bounds, bool nulls) {
    lo->slots->slot[slot].want_bounds |= bounds;
    lo->slots->slot[slot].want_null_count |= nulls;
    type_kind kind = ref->column->type.kind;
    lo->p->has_float |= bounds && (kind == TYPE_FLOAT || kind == TYPE_DOUBLE);
}

static instruction *emit_leaf(lowering *lo, const predicate *leaf, const column_ref *ref, bool bounds, bool nulls) {
    size_t slot = program_slot_for(lo->query, lo->slots, ref->column);
    want(lo, slot, ref, bounds, nulls);
    instruction *i = emit(lo, INSTRUCTION_LEAF, 0);
    i->leaf = leaf;
    i->slot = slot;
    i->type = &ref->column->type;
    return i;
}

static void lower(lowering *lo, const predicate *p);

static void emit_meets(lowering *lo, const predicate *const *item, size_t count);

static void lower_junction(lowering *lo, const predicate *p) {
    for (size_t i = 0; i < p->junction.count; i++) lower(lo, p->junction.item[i]);
    emit(lo, p->kind == PREDICATE_AND ? INSTRUCTION_AND : INSTRUCTION_OR, p->junction.count);
    if (p->kind == PREDICATE_AND) emit_meets(lo, p->junction.item, p->junction.count);
}

static void lower_in(lowering *lo, const predicate *p) {
    for (size_t i = 0; i < p->in.count; i++) lo->p->assumes_zone |= p->in.item[i].zone_assumed;
    emit_leaf(lo, p, &p->in.column, true, true)->list = literal_list_new(lo->query, p->in.item, p->in.count);
}

static void lower_like(lowering *lo, const predicate *p) {
    emit_leaf(lo, p, &p->like.column, true, true)->patterns =
        pattern_set_new(lo->query, &p->like.pattern, p->like.has_escape ? &p->like.escape : NULL);
}

static size_t term_slot(void *context, const column_ref *ref) {
    lowering *lo = context;
    size_t slot = program_slot_for(lo->query, lo->slots, ref->column);
    want(lo, slot, ref, true, true);
    return slot;
}

static const program *term_condition(void *context, const predicate *p) {
    lowering *lo = context;
    program *inner = program_lower(lo->query, lo->slots, &p, 1, lo->env);
    lo->p->has_float |= inner->has_float;
    lo->p->assumes_zone |= inner->assumes_zone;
    lo->p->reads_clock |= inner->reads_clock;
    return inner;
}

/* id = 4 AND id = 5 is possible for neither alone, and together never. */
static void emit_meets(lowering *lo, const predicate *const *item, size_t count) {
    if (!lo->env->meets_conjuncts || lo->inside_meet) return;
    lo->inside_meet = true;
    meet_lowering how = {lo->query, lo, term_slot, term_condition};
    const meet *m = meet_new(&how, item, count);
    lo->inside_meet = false;
    if (m) emit(lo, INSTRUCTION_MEET, 1)->meet = m;
}

typedef struct zone_use {
    bool has_function, has_instant, has_literal, reads_clock;
} zone_use;

static void note_instant(void *context, const column_ref *ref) {
    ((zone_use *)context)->has_instant |= ref->column->type.kind == TYPE_TIMESTAMP;
}

static void note_zone_use(zone_use *use, const scalar *s) {
    if (s->kind == SCALAR_COLUMN) note_instant(use, &s->column.ref);
    if (s->kind == SCALAR_LITERAL) use->has_literal |= s->literal.value.zone_assumed;
    if (s->kind != SCALAR_CALL) return;
    use->has_function |= func_is_zoned(s->call.func) && s->call.func > FUNC_BETWEEN;
    use->reads_clock |= s->call.func == FUNC_CURRENT_DATE || s->call.func == FUNC_CURRENT_TIME;
    use->has_instant |= s->call.func == FUNC_CURRENT_DATE;
    use->has_instant |= s->call.func == FUNC_CAST && s->call.type.kind == TYPE_TIMESTAMP;
    for (size_t i = 0; i < s->call.count; i++) note_zone_use(use, s->call.arg[i]);
}

static void lower_scalar(lowering *lo, const predicate *p) {
    term_lowering how = {lo->query, lo->env, lo, term_slot, term_condition};
    zone_use use = {.has_function = false};
    note_zone_use(&use, p->scalar.of);
    lo->p->reads_clock |= use.reads_clock;
    lo->p->assumes_zone |= use.has_literal || (use.has_function && use.has_instant);
    const term *t = term_lower(&how, p->scalar.of);
    emit(lo, INSTRUCTION_TERM, 0)->term = t;
    lo->p->item[lo->p->count - 1].leaf = p;
}

static void lower(lowering *lo, const predicate *p) {
    switch (p->kind) {
    case PREDICATE_COMPARE:
        lo->p->assumes_zone |= p->compare.value.zone_assumed;
        emit_leaf(lo, p, &p->compare.column, true, true);
        return;
    case PREDICATE_AND:
    case PREDICATE_OR: lower_junction(lo, p); return;
    case PREDICATE_NOT:
        lower(lo, p->not .of);
        emit(lo, INSTRUCTION_NOT, 1);
        return;
    case PREDICATE_TRUTH:
        lower(lo, p->truth.of);
        emit(lo, INSTRUCTION_TRUTH, 1)->leaf = p;
        return;
    case PREDICATE_IS_NULL: emit_leaf(lo, p, &p->is_null.column, false, true); return;
    case PREDICATE_IN: lower_in(lo, p); return;
    case PREDICATE_BETWEEN:
        lo->p->assumes_zone |= p->between.low.zone_assumed || p->between.high.zone_assumed;
        emit_leaf(lo, p, &p->between.column, true, true);
        return;
    case PREDICATE_DISTINCT:
        lo->p->assumes_zone |= p->distinct.value.zone_assumed;
        emit_leaf(lo, p, &p->distinct.column, true, true);
        return;
    case PREDICATE_LIKE: lower_like(lo, p); return;
    case PREDICATE_COLUMN: emit_leaf(lo, p, &p->column.column, true, true); return;
    case PREDICATE_CONSTANT: emit(lo, INSTRUCTION_CONSTANT, 0)->set = p->constant.set; return;
    case PREDICATE_SCALAR: lower_scalar(lo, p); return;
    case PREDICATE_OPAQUE: emit(lo, INSTRUCTION_CONSTANT, 0)->set = OUTCOME_ANY; return;
    }
    UNREACHABLE();
}

program *program_lower(arena *query, slot_table *slots, const predicate *const *conjunct, size_t count,
                       const fold_env *env) {
    program *p = ARENA_NEW(query, program);
    lowering lo = {query, slots, p, env, false};
    if (count == 0) emit(&lo, INSTRUCTION_CONSTANT, 0)->set = OUTCOME_TRUE;
    for (size_t i = 0; i < count; i++) lower(&lo, conjunct[i]);
    if (count > 1) emit(&lo, INSTRUCTION_AND, count);
    if (count > 1) emit_meets(&lo, conjunct, count);
    return p;
}

size_t program_stack_size(const program *p) {
    return p->max_depth;
}

size_t program_length(const program *p) {
    return p->count;
}

bool program_assumes_zone(const program *p) {
    return p->assumes_zone;
}

bool program_reads_clock(const program *p) {
    return p->reads_clock;
}

bool program_has_float(const program *p) {
    return p->has_float;
}

/* ---------------------------------------------------------------------------------------------- printing */

static void print_reading(buf *out, const reading *r) {
    static const char *const domain[] = {"", "as double ", "as float ", "padded ", "as wall clock "};
    static const char *const kind[] = {"Int",  "Decimal",   "Float",        "Double", "Boolean",
                                       "Date", "Timestamp", "TimestampNtz", "String", "Binary"};
    buf_printf(out, "%s", domain[r->domain]);
    if (r->is_number) {
        buf_printf(out, "Number(%s" STR_FMT "e%lld)", r->number.negative ? "-" : "", STR_ARG(r->number.digits),
                   (long long)r->number.exponent);
        return;
    }
    buf_printf(out, "%s(", kind[r->v.kind]);
    value_print(out, &r->v);
    buf_put_char(out, ')');
}

static void print_readings(buf *out, const literal *l) {
    if (l->reading_count == 0) buf_put(out, STR("Null"));
    for (size_t i = 0; i < l->reading_count; i++) {
        if (i > 0) buf_put(out, STR(" | "));
        print_reading(out, &l->reading[i]);
    }
}

static void print_leaf(buf *out, const instruction *i) {
    const predicate *p = i->leaf;
    switch ((int)p->kind) {
    case PREDICATE_COMPARE:
        buf_printf(out, " " STR_FMT " ", STR_ARG(compare_op_text(p->compare.op)));
        print_readings(out, &p->compare.value);
        return;
    case PREDICATE_IS_NULL: buf_printf(out, " is %snull", p->negated ? "not " : ""); return;
    case PREDICATE_IN: buf_printf(out, " %sin list of %zu", p->negated ? "not " : "", p->in.count); return;
    case PREDICATE_BETWEEN:
        buf_printf(out, " %sbetween ", p->negated ? "not " : "");
        print_readings(out, &p->between.low);
        buf_put(out, STR(" and "));
        print_readings(out, &p->between.high);
        return;
    case PREDICATE_DISTINCT:
        buf_printf(out, " is %sdistinct from ", p->negated ? "not " : "");
        print_readings(out, &p->distinct.value);
        return;
    case PREDICATE_LIKE:
        buf_printf(out, " %slike ", p->negated ? "not " : "");
        literal_print(out, &p->like.pattern);
        return;
    case PREDICATE_COLUMN: buf_put(out, STR(" is the condition")); return;
    default: UNREACHABLE();
    }
}

static void print_set(buf *out, outcome_set set) {
    static const char *const name[] = {"TRUE", "FALSE", "NULL"};
    buf_put_char(out, '{');
    const char *separator = "";
    for (unsigned i = 0; i < 3; i++) {
        if (!(set & 1u << i)) continue;
        buf_printf(out, "%s%s", separator, name[i]);
        separator = ", ";
    }
    buf_put_char(out, '}');
}

void program_print(buf *out, const program *p, const slot_table *slots) {
    static const char *const name[] = {"leaf", "constant", "and", "or", "not", "meet", "term", "truth"};
    for (size_t k = 0; k < p->count; k++) {
        const instruction *i = &p->item[k];
        buf_printf(out, "%3zu  %-8s ", k, name[i->op]);
        switch (i->op) {
        case INSTRUCTION_LEAF: {
            const program_slot *s = &slots->slot[i->slot];
            buf_printf(out, "%s " STR_FMT, s->is_partition ? "partition" : "stats", STR_ARG(s->column->name));
            print_leaf(out, i);
            break;
        }
        case INSTRUCTION_CONSTANT: print_set(out, i->set); break;
        case INSTRUCTION_AND:
        case INSTRUCTION_OR:
        case INSTRUCTION_NOT: buf_printf(out, "%zu", i->arg_count); break;
        case INSTRUCTION_MEET: buf_printf(out, "%zu columns", meet_column_count(i->meet)); break;
        case INSTRUCTION_TERM: buf_put(out, i->leaf->scalar.text); break;
        case INSTRUCTION_TRUTH: buf_put(out, STR("test")); break;
        }
        buf_put_char(out, '\n');
    }
}
