/* type_scalar.c - literals that stand beside no column: each gets the values that engines read it as.
 * Called by: predicate/type.c.  Must not know: statistics, phases.
 *
 * What such a literal becomes in a comparison is for the evaluator to say, which knows the other side. Here a number is
 * a whole number, a decimal, a double or a float, and what Spark and others take for different ones has both readings.
 */
#include "predicate/type.h"

typedef struct value_list {
    value item[LITERAL_MAX_TEXTS];
    size_t count;
} value_list;

static void add(value_list *l, value v) {
    l->item[l->count++] = v;
}

static void add_exact(value_list *l, const number *n, bool as_decimal) {
    value v = {.kind = VALUE_INT};
    if ((!as_decimal && number_to_int64(n, &v.i)) || number_to_decimal(n, &v)) add(l, v);
}

static bool holds(str s, char a, char b) {
    size_t at;
    return str_find_char(s, a, &at) || str_find_char(s, b, &at);
}

static void add_double(value_list *l, const number *n) {
    add(l, (value){.kind = VALUE_DOUBLE, .f = number_to_double(n)});
}

static bool number_values(const literal *l, value_list *out) {
    number n;
    if (!number_parse(l->raw, &n)) return false;
    bool has_exponent = holds(l->raw, 'e', 'E'), has_point = holds(l->raw, '.', '.');
    switch (l->suffix) {
    case 'D': add_double(out, &n); return true;
    case 'F': add(out, (value){.kind = VALUE_FLOAT, .f = (double)number_to_float(&n)}); return true;
    case 'B': add_exact(out, &n, true); return out->count > 0;
    case 0: break;
    default: add_exact(out, &n, false); return out->count > 0;
    }
    add_exact(out, &n, has_point || has_exponent);
    if (has_point || has_exponent || out->count == 0) add_double(out, &n);
    return true;
}

static bool text_values(arena *query, const literal *l, value_list *out) {
    str text[LITERAL_MAX_TEXTS];
    size_t count = literal_texts(query, l, text);
    for (size_t i = 0; i < count; i++) add(out, (value){.kind = VALUE_STRING, .s = text[i]});
    return true;
}

static bool time_values(const literal *l, const type_options *options, value_list *out, bool *zone_assumed) {
    time_text time;
    if (l->has_backslash || !time_text_parse(l->raw, options->zones, true, &time) || time.has_more_digits) return false;
    if (l->kind == LITERAL_DATE) {
        add(out, (value){.kind = VALUE_DATE, .i = time.days});
        return true;
    }
    if (l->kind == LITERAL_TIMESTAMP_NTZ) {
        if (time.has_offset) return false;
        add(out, (value){.kind = VALUE_TIMESTAMP_NTZ, .i = time_text_wall_micros(&time)});
        return true;
    }
    int64_t earlier, later;
    time_text_instants(&time, options->session_zone, &earlier, &later);
    add(out, (value){.kind = VALUE_TIMESTAMP, .i = earlier});
    if (later != earlier) add(out, (value){.kind = VALUE_TIMESTAMP, .i = later});
    /* A wall clock to some, which a date beside it is too: where clocks are set that is another order. */
    bool is_wall = !time.has_offset && !zone_is_utc(options->session_zone);
    if (is_wall) add(out, (value){.kind = VALUE_TIMESTAMP_NTZ, .i = time_text_wall_micros(&time)});
    *zone_assumed = !time.has_offset;
    return true;
}

static bool hex_digit(char c, unsigned *out) {
    if (c >= '0' && c <= '9') return *out = (unsigned)(c - '0'), true;
    if (c >= 'a' && c <= 'f') return *out = (unsigned)(c - 'a' + 10), true;
    if (c >= 'A' && c <= 'F') return *out = (unsigned)(c - 'A' + 10), true;
    return false;
}

static bool binary_values(arena *query, const literal *l, value_list *out) {
    if (l->raw.len % 2) return false;
    char *bytes = arena_alloc(query, l->raw.len / 2 + 1);
    for (size_t i = 0; i < l->raw.len; i++) {
        unsigned digit;
        if (!hex_digit(l->raw.ptr[i], &digit)) return false;
        bytes[i / 2] = (char)((unsigned)(unsigned char)bytes[i / 2] << 4 | digit);
    }
    add(out, (value){.kind = VALUE_BINARY, .s = {bytes, l->raw.len / 2}});
    return true;
}

/* False where the literal has no value that we know. A NULL literal has none, and is known. */
static bool literal_values(arena *query, const literal *l, const type_options *options, value_list *out,
                           bool *zone_assumed) {
    switch (l->kind) {
    case LITERAL_NUMBER: return number_values(l, out);
    case LITERAL_STRING: return text_values(query, l, out);
    case LITERAL_BOOLEAN: add(out, (value){.kind = VALUE_BOOLEAN, .i = str_eq(l->raw, STR("true"))}); return true;
    case LITERAL_NULL: return true;
    case LITERAL_DATE:
    case LITERAL_TIMESTAMP:
    case LITERAL_TIMESTAMP_NTZ: return time_values(l, options, out, zone_assumed);
    case LITERAL_BINARY: return binary_values(query, l, out);
    }
    UNREACHABLE();
}

static void make_unknown(scalar *s, str reason) {
    s->kind = SCALAR_UNKNOWN;
    s->unknown.reason = reason;
    s->unknown.column = NULL;
    s->unknown.column_count = 0;
}

static void type_literal(arena *query, const type_options *options, scalar *s) {
    value_list list = {.count = 0};
    literal *l = &s->literal.value;
    if (!literal_values(query, l, options, &list, &l->zone_assumed)) {
        make_unknown(s, STR("a literal that is no value of its type"));
        return;
    }
    reading *kept = ARENA_ARRAY(query, reading, list.count);
    for (size_t i = 0; i < list.count; i++) kept[i] = (reading){.domain = READING_EXACT, .v = list.item[i]};
    l->reading = kept;
    l->reading_count = list.count;
}

typedef struct column_list {
    column_ref *item;
    size_t count;
} column_list;

static void count_column(void *context, const column_ref *ref) {
    (void)ref;
    ((column_list *)context)->count++;
}

static void keep_column(void *context, const column_ref *ref) {
    column_list *l = context;
    l->item[l->count++] = *ref;
}

/* A comparison that some engines refuse is unknown inside an expression: others give NULL. */
static void type_condition(arena *query, const type_options *options, scalar *s) {
    const predicate *of = s->condition.of, *typed;
    if (predicate_type(query, of, options, &typed, NULL) == LP_OK) {
        s->condition.of = typed;
        return;
    }
    column_list list = {.count = 0};
    predicate_each_column(of, count_column, &list);
    list.item = ARENA_ARRAY(query, column_ref, list.count);
    list.count = 0;
    predicate_each_column(of, keep_column, &list);
    make_unknown(s, STR("a comparison that engines may refuse"));
    s->unknown.column = list.item;
    s->unknown.column_count = list.count;
}

const scalar *scalar_type(arena *query, const scalar *s, const type_options *options) {
    scalar *typed = ARENA_NEW(query, scalar);
    *typed = *s;
    switch (s->kind) {
    case SCALAR_COLUMN:
    case SCALAR_UNKNOWN: break;
    case SCALAR_LITERAL: type_literal(query, options, typed); break;
    case SCALAR_CONDITION: type_condition(query, options, typed); break;
    case SCALAR_CALL: {
        const scalar **arg = ARENA_ARRAY(query, const scalar *, s->call.count);
        for (size_t i = 0; i < s->call.count; i++) arg[i] = scalar_type(query, s->call.arg[i], options);
        typed->call.arg = arg;
        break;
    }
    }
    return typed;
}
