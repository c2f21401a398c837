/* derive.c - from partition values back to the column that they were generated from.
 * Called by: prune/analysis.c, prune/measure.c.  Must not know: predicates, phases.
 *
 *   generation                       partition value      the column lies in
 *   column                           v                    [v, v]
 *   CAST(column AS DATE), TRUNC,     start of a unit      [start, start of the next)
 *   DATE_TRUNC, DATE_FORMAT
 *   YEAR, MONTH, DAY, HOUR together  2021, 3, ...         the same of the smallest unit that all larger ones surround
 *   SUBSTRING(column, 1, n)          text                 texts that start with it; itself if it is shorter than n
 *
 * The expressions on times are never NULL for a time, so a NULL means NULL. A NULL text may be an empty text, which
 * writers store as NULL.
 */
#include "prune/derive.h"

#include "predicate/import.h"
#include "prune/meet.h"
#include "prune/program_int.h"
#include "sql/parse.h"

#define DAY  INT64_C(86400000000)
#define HOUR INT64_C(3600000000)

static const int64_t WRITER_SLACK = 18 * HOUR; /* no zone is further from UTC */

typedef enum derive_kind {
    DERIVE_SAME,
    DERIVE_DATE,   /* CAST AS DATE, TRUNC: a date that starts a unit */
    DERIVE_START,  /* DATE_TRUNC: a time that starts a unit */
    DERIVE_FORMAT, /* DATE_FORMAT: the text of a start */
    DERIVE_PREFIX, /* SUBSTRING from the first character */
    DERIVE_YEAR,
    DERIVE_MONTH,
    DERIVE_DAY,
    DERIVE_HOUR
} derive_kind;

typedef enum derive_unit {
    UNIT_YEAR,
    UNIT_QUARTER,
    UNIT_MONTH,
    UNIT_WEEK,
    UNIT_DAY,
    UNIT_HOUR,
    UNIT_MINUTE,
    UNIT_SECOND
} derive_unit;

struct derivation {
    derive_kind kind;
    derive_unit unit;
    size_t from, to; /* slots of the partition column and of the data column */
    type_kind type;  /* of the data column */
    int64_t length;  /* DERIVE_PREFIX, in characters */
    str pattern;     /* DERIVE_FORMAT */
};

/* ------------------------------------------------------------------------------------------------- planning */

static bool is_time(type_kind k) {
    return k == TYPE_DATE || k == TYPE_TIMESTAMP || k == TYPE_TIMESTAMP_NTZ;
}

static bool unit_find(str name, derive_unit *out) {
    static const struct {
        const char *name;
        derive_unit unit;
    } row[] = {{"YEAR", UNIT_YEAR},    {"YYYY", UNIT_YEAR}, {"YY", UNIT_YEAR},   {"QUARTER", UNIT_QUARTER},
               {"MONTH", UNIT_MONTH},  {"MON", UNIT_MONTH}, {"MM", UNIT_MONTH},  {"WEEK", UNIT_WEEK},
               {"DAY", UNIT_DAY},      {"DD", UNIT_DAY},    {"HOUR", UNIT_HOUR}, {"MINUTE", UNIT_MINUTE},
               {"SECOND", UNIT_SECOND}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (str_eq_nocase(name, str_from(row[i].name))) return *out = row[i].unit, true;
    return false;
}

static bool text_of(const scalar *s, str *out) {
    if (s->kind != SCALAR_LITERAL || s->literal.value.kind != LITERAL_STRING || s->literal.value.has_backslash)
        return false;
    *out = s->literal.value.raw;
    return true;
}

static bool int_of(const scalar *s, int64_t *out) {
    return s->kind == SCALAR_LITERAL && s->literal.value.kind == LITERAL_NUMBER &&
           str_to_int64(s->literal.value.raw, out);
}

/* The smallest unit of an ordered pattern. Two-letter fields behind yyyy, in their order. */
static bool pattern_unit(str pattern, derive_unit *out) {
    static const char *const known[] = {"yyyy",   "yyyy-MM",  "yyyy-MM-dd", "yyyy-MM-dd-HH",
                                        "yyyyMM", "yyyyMMdd", "yyyyMMddHH", "yyyy-MM-dd HH"};
    static const derive_unit unit[] = {UNIT_YEAR,  UNIT_MONTH, UNIT_DAY,  UNIT_HOUR,
                                       UNIT_MONTH, UNIT_DAY,   UNIT_HOUR, UNIT_HOUR};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_eq(pattern, str_from(known[i]))) return *out = unit[i], true;
    return false;
}

static bool part_kind(func_id f, derive_kind *out) {
    switch ((int)f) {
    case FUNC_YEAR: *out = DERIVE_YEAR; return true;
    case FUNC_MONTH: *out = DERIVE_MONTH; return true;
    case FUNC_DAY: *out = DERIVE_DAY; return true;
    case FUNC_HOUR: *out = DERIVE_HOUR; return true;
    default: return false;
    }
}

/* The column under casts that keep what a part of it is: CAST(date AS DATE), and CAST(.. AS DATE) below YEAR and so on.
 */
static const column *column_under(const scalar *s, bool may_cut_time) {
    while (s->kind == SCALAR_CALL && s->call.func == FUNC_CAST && s->call.type.kind == TYPE_DATE && may_cut_time)
        s = s->call.arg[0];
    return s->kind == SCALAR_COLUMN ? s->column.ref.column : NULL;
}

/* Recognize the expression; the column it is about, or NULL. */
static const column *recognize(const scalar *s, derivation *d) {
    int64_t from;
    str text;
    if (s->kind == SCALAR_COLUMN) return d->kind = DERIVE_SAME, s->column.ref.column;
    if (s->kind != SCALAR_CALL) return NULL;
    const scalar *const *arg = s->call.arg;
    switch ((int)s->call.func) {
    case FUNC_CAST:
    case FUNC_TO_DATE:
        if (s->call.func == FUNC_CAST && s->call.type.kind != TYPE_DATE) return NULL;
        d->kind = DERIVE_DATE;
        d->unit = UNIT_DAY;
        return column_under(arg[0], false);
    case FUNC_TRUNC:
        d->kind = DERIVE_DATE;
        return text_of(arg[1], &text) && unit_find(text, &d->unit) && d->unit <= UNIT_WEEK ? column_under(arg[0], true)
                                                                                           : NULL;
    case FUNC_DATE_TRUNC:
        d->kind = DERIVE_START;
        return text_of(arg[0], &text) && unit_find(text, &d->unit) ? column_under(arg[1], d->unit <= UNIT_DAY) : NULL;
    case FUNC_DATE_FORMAT:
        d->kind = DERIVE_FORMAT;
        return text_of(arg[1], &d->pattern) && pattern_unit(d->pattern, &d->unit)
                   ? column_under(arg[0], d->unit <= UNIT_DAY)
                   : NULL;
    case FUNC_SUBSTRING:
        d->kind = DERIVE_PREFIX;
        if (s->call.count != 3 || !int_of(arg[1], &from) || from > 1 || !int_of(arg[2], &d->length) || d->length < 1)
            return NULL;
        return column_under(arg[0], false);
    case FUNC_LEFT:
        d->kind = DERIVE_PREFIX;
        return int_of(arg[1], &d->length) && d->length >= 1 ? column_under(arg[0], false) : NULL;
    default: return part_kind(s->call.func, &d->kind) ? column_under(arg[0], d->kind != DERIVE_HOUR) : NULL;
    }
}

static bool types_fit(const derivation *d, const data_type *from, const data_type *to) {
    bool whole = type_is_integer(from->kind),
         text = from->kind == TYPE_STRING && !from->collated && from->char_length == 0;
    bool text_column = to->kind == TYPE_STRING && !to->collated && to->char_length == 0;
    switch (d->kind) {
    case DERIVE_SAME: return from->kind == to->kind && (text || is_time(to->kind) || whole || to->kind == TYPE_BOOLEAN);
    case DERIVE_DATE: return from->kind == TYPE_DATE && is_time(to->kind);
    case DERIVE_START: return (from->kind == TYPE_TIMESTAMP || from->kind == TYPE_TIMESTAMP_NTZ) && is_time(to->kind);
    case DERIVE_FORMAT: return text && is_time(to->kind);
    case DERIVE_PREFIX: return text && text_column;
    case DERIVE_YEAR:
    case DERIVE_MONTH:
    case DERIVE_DAY:
    case DERIVE_HOUR: return whole && is_time(to->kind);
    }
    UNREACHABLE();
}

static bool read_generation(arena *query, const schema *s, const column *partition, const scalar **out) {
    const ast *tree;
    import_options options = {.text = partition->generation, .schema = s, .extended = true};
    if (sql_parse_expression(query, partition->generation, DIALECT_spark, &tree, NULL) != LP_OK) return false;
    return predicate_import_scalar(query, tree, &options, out, NULL) == LP_OK;
}

static size_t find_slot(const slot_table *slots, const column *c, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (slots->slot[i].column == c) return i;
    return SIZE_MAX;
}

struct generation {
    size_t from, to;
    const data_type *type; /* of the partition column */
    const term *value;
    fold_env env;
};

typedef struct only_column {
    const column *column;
    bool is_one;
} only_column;

static void note_only_column(void *context, const column_ref *ref) {
    only_column *o = context;
    o->is_one = !o->column || o->column == ref->column;
    o->column = ref->column;
}

typedef struct generation_lowering {
    size_t to;
} generation_lowering;

static size_t generation_slot(void *context, const column_ref *ref) {
    (void)ref;
    return ((generation_lowering *)context)->to;
}

/* No condition inside is read: it may have any result. */
static const program *generation_condition(void *context, const predicate *p) {
    (void)context;
    (void)p;
    return NULL;
}

static bool has_condition(const scalar *s) {
    bool found = s->kind == SCALAR_CONDITION;
    for (size_t i = 0; s->kind == SCALAR_CALL && i < s->call.count; i++) found |= has_condition(s->call.arg[i]);
    return found;
}

/* Keep an expression of one column that is not read backwards. */
static void plan_forward(derivation_list *list, arena *query, const scalar *expression, const column *partition,
                         slot_table *slots, size_t count, const type_options *types) {
    only_column only = {NULL, true};
    scalar_each_column(expression, note_only_column, &only);
    if (!only.column || !only.is_one || only.column->partition_index >= 0 || has_condition(expression)) return;
    generation_lowering target = {find_slot(slots, only.column, count)};
    if (target.to == SIZE_MAX) return;
    generation *g = &list->forward[list->forward_count++];
    *g = (generation){.to = target.to, .from = program_slot_for(query, slots, partition), .type = &partition->type};
    g->env = (fold_env){.session_zone = types->session_zone, .zones = types->zones, .zone_is_unknown = true};
    slots->slot[g->from].is_derived |= g->from >= count;
    term_lowering how = {query, &g->env, &target, generation_slot, generation_condition};
    g->value = term_lower(&how, scalar_type(query, expression, types));
}

derivation_list derive_plan(arena *query, const schema *s, slot_table *slots, const type_options *types) {
    derivation_list list = {.item = ARENA_ARRAY(query, derivation, s->partition_count),
                            .forward = ARENA_ARRAY(query, generation, s->partition_count)};
    size_t count = slots->count; /* columns of the predicate: a partition column among them is no target */
    for (size_t i = 0; i < s->partition_count && count > 0; i++) {
        const column *partition = s->partition[i];
        const scalar *expression;
        derivation d = {.kind = DERIVE_SAME};
        if (str_is_none(partition->generation) || !read_generation(query, s, partition, &expression)) continue;
        const column *source = recognize(expression, &d);
        if (!source || source->partition_index >= 0 || !types_fit(&d, &partition->type, &source->type)) {
            plan_forward(&list, query, expression, partition, slots, count, types);
            continue;
        }
        d.to = find_slot(slots, source, count);
        if (d.to == SIZE_MAX) continue;
        d.type = source->type.kind;
        d.from = program_slot_for(query, slots, partition);
        slots->slot[d.from].is_derived |= d.from >= count;
        list.item[list.count++] = d;
    }
    return list;
}

/* ------------------------------------------------------------------------------------------------- narrowing */

static int64_t added(int64_t a, int64_t b) {
    int64_t sum;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return b < 0 ? INT64_MIN : INT64_MAX;
}

static int64_t micros(int64_t days) {
    int64_t m;
    if (!__builtin_mul_overflow(days, DAY, &m)) return m;
    return days < 0 ? INT64_MIN : INT64_MAX;
}

/* The days of the unit that starts at a date: the first, and the first of the next. */
static int64_t next_start(int64_t start, derive_unit unit) {
    int64_t year, days = 0;
    unsigned month, day;
    calendar_civil(start, &year, &month, &day);
    switch ((int)unit) {
    case UNIT_YEAR: return calendar_days(year + 1, 1, 1, &days) ? days : INT64_MAX / DAY;
    case UNIT_QUARTER: month += 3; break;
    case UNIT_MONTH: month += 1; break;
    case UNIT_WEEK: return added(start, 7);
    default: return added(start, 1);
    }
    if (month > 12) {
        month -= 12;
        year++;
    }
    return calendar_days(year, month, 1, &days) ? days : INT64_MAX / DAY;
}

static void narrow_low(column_fact *f, value v) {
    if (f->has_low && value_compare(&f->low, &v) >= 0) return;
    f->has_low = true;
    f->low = v;
}

static void narrow_high(column_fact *f, value v) {
    if (f->has_high && value_compare(&f->high, &v) <= 0) return;
    f->has_high = true;
    f->high = v;
}

/* What is left is empty: statistics and the partition value contradict each other, so neither is believed. */
static bool is_contradiction(const column_fact *f) {
    return f->can_be_value && f->has_low && f->has_high && value_compare(&f->low, &f->high) > 0;
}

static value_kind kind_of(type_kind type) {
    return type == TYPE_DATE ? VALUE_DATE : type == TYPE_TIMESTAMP ? VALUE_TIMESTAMP : VALUE_TIMESTAMP_NTZ;
}

/* The column's wall clock lies in [from, until), both in microseconds. */
static void narrow_to_wall(column_fact *f, type_kind type, int64_t from, int64_t until) {
    int64_t low = from, high = added(until, -1);
    if (type == TYPE_TIMESTAMP) {
        low = added(from, -WRITER_SLACK);
        high = added(high, WRITER_SLACK);
    }
    if (type == TYPE_DATE) {
        low = low / DAY - (low % DAY < 0);
        high = high / DAY - (high % DAY < 0);
    }
    narrow_low(f, (value){.kind = kind_of(type), .i = low});
    narrow_high(f, (value){.kind = kind_of(type), .i = high});
}

static bool is_value(const column_fact *p) {
    return p->can_be_value && !p->can_be_null && p->has_low && p->has_high && value_compare(&p->low, &p->high) == 0;
}

static bool is_near(int64_t days) {
    return days > -INT64_C(100000000) && days < INT64_C(100000000);
}

static void narrow_by_date(const derivation *d, const column_fact *p, column_fact *f) {
    int64_t start = p->low.i;
    if (is_near(start)) narrow_to_wall(f, d->type, micros(start), micros(next_start(start, d->unit)));
}

static int64_t longest(derive_unit unit) {
    static const int64_t days[] = {366, 92, 31, 7, 1};
    if (unit <= UNIT_DAY) return micros(days[unit]) + 25 * HOUR; /* clocks may be set back inside */
    return unit == UNIT_HOUR ? 3 * HOUR : unit == UNIT_MINUTE ? 2 * HOUR : HOUR;
}

/* The unit that starts at a wall clock. */
static void narrow_by_wall_start(const derivation *d, int64_t wall, column_fact *f) {
    int64_t days = wall / DAY - (wall % DAY < 0), until = added(wall, longest(d->unit));
    if (d->unit <= UNIT_DAY && is_near(days)) until = micros(next_start(days, d->unit));
    narrow_to_wall(f, d->type, wall, until);
}

/* A start that was written with its offset is an instant. Without one it is the writer's wall clock, and where the
 * value is an instant all the same, it was read in another zone than it was written in. */
static void narrow_by_start(const derivation *d, const column_fact *p, column_fact *f) {
    time_text t;
    bool known = p->is_text_known && time_text_parse(p->text, NULL, true, &t);
    if (!known) return;
    if (!t.has_offset) {
        narrow_by_wall_start(d, time_text_wall_micros(&t), f);
        return;
    }
    int64_t from = p->low.i, high = added(from, longest(d->unit));
    if (d->type != TYPE_TIMESTAMP) {
        from = added(from, -WRITER_SLACK);
        high = added(high, WRITER_SLACK);
    }
    bool is_date = d->type == TYPE_DATE;
    narrow_low(f, (value){.kind = kind_of(d->type), .i = is_date ? from / DAY - (from % DAY < 0) : from});
    narrow_high(f, (value){.kind = kind_of(d->type), .i = is_date ? high / DAY + 1 : high});
}

static bool digits_at(str text, size_t at, size_t count, int64_t *out) {
    return at + count <= text.len && str_to_int64(str_slice(text, at, at + count), out);
}

/* The start that a text of the pattern names. */
static bool parse_start(str text, str pattern, int64_t *year, unsigned *month, unsigned *day, int64_t *hour) {
    int64_t field[4] = {1, 1, 1, 0};
    static const char letter[] = "yMdH";
    size_t at = 0;
    if (text.len != pattern.len) return false;
    while (at < pattern.len) {
        size_t which, width = pattern.ptr[at] == 'y' ? 4 : 2;
        if (!str_find_char(str_from(letter), pattern.ptr[at], &which)) {
            if (text.ptr[at] != pattern.ptr[at]) return false;
            at++;
            continue;
        }
        if (!digits_at(text, at, width, &field[which])) return false;
        at += width;
    }
    *year = field[0];
    *month = (unsigned)field[1];
    *day = (unsigned)field[2];
    *hour = field[3];
    return field[1] <= 12 && field[2] <= 31 && field[3] <= 23;
}

static void narrow_to_civil(column_fact *f, type_kind type, derive_unit unit, int64_t year, unsigned month,
                            unsigned day, int64_t hour) {
    int64_t start;
    if (!calendar_days(year, month, day, &start)) return;
    int64_t from = micros(start), until = micros(next_start(start, unit));
    if (unit == UNIT_HOUR) {
        from = added(from, hour * HOUR);
        until = added(from, HOUR);
    }
    narrow_to_wall(f, type, from, until);
}

static void narrow_by_prefix(const derivation *d, const column_fact *p, column_fact *f) {
    value low = p->low, high = p->low;
    high.above_prefix = (int64_t)str_count_code_points(p->low.s) >= d->length;
    narrow_low(f, low);
    narrow_high(f, high);
}

/* Of years before the common era Spark writes a sign, so a text of the pattern's length has none of them. */
static void narrow_by_format(const derivation *d, const column_fact *p, column_fact *f) {
    int64_t year, hour;
    unsigned month, day;
    if (parse_start(p->low.s, d->pattern, &year, &month, &day, &hour))
        narrow_to_civil(f, d->type, d->unit, year, month, day, hour);
}

/* One fact of the column under one fact of the partition column. */
static column_fact narrowed(const derivation *d, const column_fact *fact, const column_fact *p) {
    column_fact f = *fact;
    bool is_text = d->kind == DERIVE_SAME || d->kind == DERIVE_FORMAT || d->kind == DERIVE_PREFIX;
    if (!p->can_be_value) {
        if (!is_text && f.can_be_null) f.can_be_value = false;
        return f;
    }
    if (!is_value(p)) return f;
    if (f.can_be_value) f.can_be_null = false;
    switch ((int)d->kind) {
    case DERIVE_SAME:
        narrow_low(&f, p->low);
        narrow_high(&f, p->high);
        break;
    case DERIVE_DATE: narrow_by_date(d, p, &f); break;
    case DERIVE_START: narrow_by_start(d, p, &f); break;
    case DERIVE_FORMAT: narrow_by_format(d, p, &f); break;
    case DERIVE_PREFIX: narrow_by_prefix(d, p, &f); break;
    default: break;
    }
    return f;
}

/* Every fact of the column under every fact of the partition column; too many facts are left as they were. */
static void narrow_domain(const derivation *d, column_domain *to, const column_domain *from) {
    column_domain out = {.count = 0};
    for (size_t i = 0; i < to->count; i++)
        for (size_t k = 0; k < from->count; k++) {
            column_fact f = narrowed(d, &to->fact[i], &from->fact[k]);
            if (out.count == DOMAIN_MAX_FACTS) return;
            if (!is_contradiction(&f)) out.fact[out.count++] = f;
        }
    if (out.count > 0) *to = out;
}

/* ------------------------------------------------------------------------------------------- parts together */

typedef struct part_value {
    bool is_there, is_null;
    int64_t v;
} part_value;

static part_value part_of(const derivation_list *list, size_t to, derive_kind kind, const column_domain *domain) {
    for (size_t i = 0; i < list->count; i++) {
        const derivation *d = &list->item[i];
        const column_domain *from = &domain[d->from];
        if (d->kind != kind || d->to != to || from->count != 1) continue;
        const column_fact *p = &from->fact[0];
        if (!p->can_be_value) return (part_value){.is_there = true, .is_null = true};
        if (is_value(p) && p->low.kind == VALUE_INT) return (part_value){.is_there = true, .v = p->low.i};
    }
    return (part_value){.is_there = false};
}

static void narrow_fact_by_parts(column_fact *f, type_kind type, const part_value part[4]) {
    bool any = false, any_null = false;
    for (int i = 0; i < 4; i++) {
        any |= part[i].is_there && !part[i].is_null;
        any_null |= part[i].is_there && part[i].is_null;
    }
    if (any_null && any) return; /* contradicts itself */
    if (any_null && f->can_be_null) f->can_be_value = false;
    if (any && f->can_be_value) f->can_be_null = false;
    if (any_null || !part[0].is_there || part[0].v < -200000 || part[0].v > 200000) return;
    bool month = part[1].is_there && part[1].v >= 1 && part[1].v <= 12;
    bool day = month && part[2].is_there && part[2].v >= 1 && part[2].v <= 31;
    bool hour = day && part[3].is_there && part[3].v >= 0 && part[3].v <= 23;
    derive_unit unit = hour ? UNIT_HOUR : day ? UNIT_DAY : month ? UNIT_MONTH : UNIT_YEAR;
    narrow_to_civil(f, type, unit, part[0].v, month ? (unsigned)part[1].v : 1, day ? (unsigned)part[2].v : 1,
                    hour ? part[3].v : 0);
}

static void narrow_by_parts(const derivation_list *list, const derivation *year, column_domain *domain) {
    static const derive_kind kind[] = {DERIVE_YEAR, DERIVE_MONTH, DERIVE_DAY, DERIVE_HOUR};
    part_value part[4];
    for (int i = 0; i < 4; i++) part[i] = part_of(list, year->to, kind[i], domain);
    column_domain *to = &domain[year->to], out = {.count = 0};
    for (size_t i = 0; i < to->count; i++) {
        column_fact f = to->fact[i];
        narrow_fact_by_parts(&f, year->type, part);
        if (!is_contradiction(&f)) out.fact[out.count++] = f;
    }
    if (out.count > 0) *to = out;
}

static bool is_first_part_of(const derivation_list *list, size_t at) {
    if (list->item[at].kind < DERIVE_YEAR) return false;
    for (size_t i = 0; i < at; i++)
        if (list->item[i].kind >= DERIVE_YEAR && list->item[i].to == list->item[at].to) return false;
    return true;
}

void derive_apply(const derivation_list *list, column_domain *domain) {
    for (size_t i = 0; i < list->count; i++) {
        const derivation *d = &list->item[i];
        if (d->kind < DERIVE_YEAR)
            narrow_domain(d, &domain[d->to], &domain[d->from]);
        else if (is_first_part_of(list, i))
            narrow_by_parts(list, d, domain);
    }
}

/* ------------------------------------------------------------------------------------------------- forwards */

void derive_attach(const derivation_list *list, program *p) {
    for (size_t k = 0; k < p->count; k++) {
        instruction *i = &p->item[k];
        for (size_t g = 0; i->op == INSTRUCTION_LEAF && g < list->forward_count; g++)
            if (list->forward[g].to == i->slot) i->generation = &list->forward[g];
    }
}

/* A NULL text may be an empty one, which writers store as NULL. */
static bool may_be_generated(const generation *g, const ranges *computed, const column_fact *p, program_run *run) {
    if (g->type->kind == TYPE_STRING && p->can_be_null) return true;
    ranges recorded = {.count = 0}, found = {.count = 0};
    const ranges *arg[2] = {computed, &recorded};
    ranges_add(&recorded, range_from_fact(g->type, p));
    fold_call(&g->env, run->scratch, FUNC_SAME, NULL, arg, 2, &found);
    unsigned set = OUTCOME_NONE;
    for (size_t i = 0; i < found.count; i++) set |= range_outcome(&found.item[i]);
    return outcome_can_be_true((outcome_set)set);
}

bool derive_allows(const generation *g, const predicate *condition, const column_domain *domain, size_t slot_count,
                   program_run *run) {
    column_domain *left = ARENA_ARRAY(run->scratch, column_domain, slot_count);
    for (size_t i = 0; i < slot_count; i++) left[i] = domain[i];
    left[g->to].count = 0;
    for (size_t i = 0; i < domain[g->to].count; i++) {
        column_fact f;
        if (!meet_narrow(condition, &domain[g->to].fact[i], &f)) return true;
        left[g->to].fact[left[g->to].count++] = f;
    }
    ranges computed = {.count = 0};
    term_ranges(g->value, left, run, &computed);
    for (size_t i = 0; i < domain[g->from].count; i++)
        if (may_be_generated(g, &computed, &domain[g->from].fact[i], run)) return true;
    return false;
}
