/* brute_force_truth.c - what a predicate gives for one row, in three-valued logic, as each engine reads it.
 * Called by: tests/unit/test_brute_force.c.  Must not know: statistics, pruning.
 *
 * What was checked against running engines (Spark 4.2 with and without ANSI, DuckDB 1.3, DataFusion of deltalake 1.6): IN
 * brings column and items to one type; so does BETWEEN in DuckDB and DataFusion; Spark without ANSI compares an IN list that
 * holds a text by text, Spark rounds behind the point what has more than 38 digits in a type for both, compares decimals and texts as doubles, DataFusion takes 1.5 for a DOUBLE.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "brute_force.h"

static const int64_t DAY_MICROS = INT64_C(86400000000);

const brute_engine brute_engines[] = {
    {.name = "Spark", .nan_on_top = true, .lists_share_type = true, .text_decimal_double = true, .pads_char = true, .escapes = true,
     .like_escape = true, .cuts_dates = true, .times_are_instants = true, .rounds_digits = true, .decides_beyond_long = true},
    {.name = "Spark without ANSI", .nan_on_top = true, .lists_share_type = true, .lists_as_text = true, .text_decimal_double = true,
     .text_cuts = true, .narrow_floats = true, .pads_char = true, .escapes = true, .like_escape = true, .drops_doubled = true,
     .empty_is_null = true, .cuts_dates = true, .times_are_instants = true, .wraps = true, .rounds_digits = true,
     .decides_beyond_long = true},
    {.name = "DuckDB", .nan_on_top = true, .divides = true, .lists_share_type = true, .ranges_share_type = true, .text_rounds = true,
     .narrow_floats = true, .empty_is_null = true, .takes_second = true},
    {.name = "DataFusion", .nan_on_top = true, .points_are_doubles = true, .lists_share_type = true, .ranges_share_type = true,
     .like_escape = true, .empty_is_null = true},
    {.name = "Trino", .lists_share_type = true, .ranges_share_type = true, .keeps_nanos = true},
    {.name = "exact", .exponents_exact = true, .keeps_nanos = true},
};
const size_t brute_engine_count = sizeof brute_engines / sizeof *brute_engines;

/* How two values stand: an order, or none (NaN in IEEE), or NULL. */
typedef enum standing { LESS = -1, EQUAL = 0, GREATER = 1, UNORDERED, NOTHING } standing;

static standing from_order(int order) {
    return order < 0 ? LESS : order > 0 ? GREATER : EQUAL;
}

/* ---- numbers */

typedef enum number_type { AS_WHOLE, AS_FLOAT, AS_DOUBLE } number_type;

static wide power_of_ten(unsigned exponent) {
    wide p = 1;
    while (exponent-- > 0) p *= 10;
    return p;
}

static int compare_scaled(wide a, unsigned scale_a, wide b, unsigned scale_b) {
    if (scale_a > scale_b) return -compare_scaled(b, scale_b, a, scale_a);
    wide power = power_of_ten(scale_b - scale_a), quotient = b / power, rest = b % power;
    if (a != quotient) return a < quotient ? -1 : 1;
    return rest > 0 ? -1 : rest < 0;
}

static double whole_as_double(const brute_engine *e, const brute_column *c, wide whole, arena *scratch) {
    if (c->type != BRUTE_DECIMAL) return (double)whole;
    if (e->divides) return (double)whole / (double)power_of_ten(c->scale);
    return strtod(brute_whole_text(scratch, whole, c->scale).ptr, NULL);
}

static standing compare_reals(const brute_engine *e, double a, double b) {
    if (isnan(a) || isnan(b)) return e->nan_on_top ? from_order(isnan(a) - isnan(b)) : UNORDERED;
    return from_order((a > b) - (a < b));
}

static bool is_long(const brute_literal *l) {
    wide size = l->digits < 0 ? -l->digits : l->digits;
    while (size > 0 && size % 10 == 0) size /= 10;
    return size >= power_of_ten(15);
}

/* The type in which a column and one number meet. DataFusion brings its DOUBLE to a decimal column's type, in which only
 * long ones have changed. (That its conversion also misses short ones by some noise is a defect, and no reading.) */
static number_type meeting_type(const brute_engine *e, const brute_column *c, const brute_literal *l) {
    bool is_text = l->kind == BRUTE_TEXT, is_double = l->suffix == 'D' || (l->has_exponent && !e->exponents_exact && !l->suffix);
    bool is_point = (l->has_point || l->has_exponent) && !l->suffix;
    if (c->type == BRUTE_DOUBLE) return AS_DOUBLE;
    if (c->type == BRUTE_FLOAT) {
        if (l->suffix == 'F' || is_text) return e->narrow_floats || l->suffix == 'F' ? AS_FLOAT : AS_DOUBLE;
        return is_double || (is_point && !e->narrow_floats) || (e->points_are_doubles && is_point) ? AS_DOUBLE : AS_FLOAT;
    }
    if (is_text) {
        if (c->type == BRUTE_DECIMAL) return e->text_decimal_double ? AS_DOUBLE : AS_WHOLE;
        return AS_WHOLE;
    }
    if (l->suffix == 'F') return c->type == BRUTE_DECIMAL ? AS_DOUBLE : AS_FLOAT;
    bool is_point_double = e->points_are_doubles && is_point && (c->type != BRUTE_DECIMAL || is_long(l));
    return is_double || is_point_double ? AS_DOUBLE : AS_WHOLE;
}

static unsigned whole_digits(const brute_literal *l) {
    unsigned count = 0;
    for (wide left = l->digits / power_of_ten(l->scale); left != 0; left /= 10) count++;
    return count;
}

static wide rounded(wide d, unsigned *scale, unsigned left) {
    if (*scale <= left) return d;
    wide power = power_of_ten(*scale - left), rest = d % power;
    *scale = left;
    return d / power + (rest >= power - rest) - (-rest >= power + rest);
}

/* Both in one type, which keeps the digits before the point. */
static int compare_in_one_type(const brute_column *c, const brute_value *v, const brute_literal *l) {
    unsigned whole = whole_digits(l), scale = c->scale, literal_scale = l->scale;
    if (c->shared_whole > whole) whole = c->shared_whole;
    unsigned left = whole < 38 ? 38 - whole : 0;
    wide a = rounded(v->whole, &scale, left), b = rounded(l->digits, &literal_scale, left);
    return compare_scaled(a, scale, b, literal_scale);
}

/* A number in text beside a whole column, after the engine's cast. */
static int compare_whole(const brute_engine *e, const brute_column *c, const brute_value *v, const brute_literal *l) {
    if (e->rounds_digits && c->shared_whole && l->kind == BRUTE_NUMBER) return compare_in_one_type(c, v, l);
    bool casts = l->kind == BRUTE_TEXT && l->scale > c->scale;
    if (!casts || !(e->text_cuts || e->text_rounds)) return compare_scaled(v->whole, c->scale, l->digits, l->scale);
    if (e->text_cuts && c->type == BRUTE_DECIMAL) return compare_scaled(v->whole, c->scale, l->digits, l->scale);
    wide power = power_of_ten(l->scale - c->scale), cast = l->digits / power, rest = l->digits % power;
    if (e->text_rounds && rest * 2 >= power) cast++;
    if (e->text_rounds && -rest * 2 >= power) cast--;
    return compare_scaled(v->whole, c->scale, cast, c->scale);
}

static standing compare_number(const brute_engine *e, const brute_column *c, const brute_value *v, const brute_literal *l, number_type type,
                               arena *scratch) {
    if (type == AS_WHOLE) return from_order(compare_whole(e, c, v, l));
    double number = strtod(str_copy(scratch, l->text).ptr, NULL);
    if (l->suffix == 'F' || type == AS_FLOAT) number = (double)strtof(str_copy(scratch, l->text).ptr, NULL);
    if (!brute_is_real(c->type)) {
        double real = type == AS_FLOAT ? (double)(float)(int64_t)v->whole : whole_as_double(e, c, v->whole, scratch);
        return compare_reals(e, real, number);
    }
    return compare_reals(e, v->real, number);
}

/* ---- texts */

static str without_quotes(arena *scratch, str s) {
    buf b;
    buf_init(&b, scratch, 65536);
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] != '\'') buf_put_char(&b, s.ptr[i]);
    return b.len ? buf_str(&b) : STR("");
}

/* Only the escapes that the generator writes: \n, \b, and others that stand for themselves; \% and \_ stay. */
static str resolve_escapes(arena *scratch, str s) {
    buf b;
    buf_init(&b, scratch, 65536);
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] != '\\' || i + 1 == s.len) {
            buf_put_char(&b, s.ptr[i]);
            continue;
        }
        char c = s.ptr[++i];
        if (c == '%' || c == '_') buf_put_char(&b, '\\');
        buf_put_char(&b, c == 'n' ? '\n' : c == 'b' ? '\b' : c == '0' ? '\0' : c);
    }
    return b.len ? buf_str(&b) : STR("");
}

static str content_of(const brute_engine *e, const brute_literal *l, arena *scratch) {
    str s = e->drops_doubled && l->has_doubled ? without_quotes(scratch, l->text) : l->text;
    return e->escapes ? resolve_escapes(scratch, s) : s;
}

static str pad(arena *scratch, str s, size_t width) {
    buf b;
    buf_init(&b, scratch, 65536);
    buf_put(&b, s);
    size_t have = str_count_code_points(s);
    if (have < width) buf_put_repeated(&b, ' ', width - have);
    return b.len ? buf_str(&b) : STR("");
}

/* Spark pads the values that it reads, and a literal only beside the column itself, not beside a field, nor in BETWEEN, nor
 * in a list with a NULL. */
static bool pads_literal(const brute_column *c, const brute_predicate *p) {
    if (c->is_nested || p->kind == BRUTE_P_BETWEEN) return false;
    for (size_t i = 0; p->kind == BRUTE_P_IN && i < p->count; i++)
        if (p->item[i].kind == BRUTE_NULL) return false;
    return true;
}

static standing compare_text(const brute_engine *e, const brute_column *c, str value, str literal, arena *scratch) {
    if (c->type == BRUTE_CHAR && e->pads_char && c->keeps_literal) value = pad(scratch, value, c->width);
    if (c->type == BRUTE_CHAR && e->pads_char && !c->keeps_literal) {
        size_t width = str_count_code_points(literal) > c->width ? str_count_code_points(literal) : c->width;
        value = pad(scratch, value, width);
        literal = pad(scratch, literal, width);
    }
    brute_value a = {.text = value}, b = {.text = literal};
    return from_order(brute_order(BRUTE_STRING, &a, &b));
}

/* ---- dates and times */

static wide instant_of(const brute_engine *e, const brute_literal *l) {
    return l->has_offset ? l->micros : (wide)brute_instant((int64_t)l->micros, e->takes_second);
}

static standing compare_time(const brute_engine *e, const brute_column *c, const brute_value *v, const brute_literal *l) {
    wide micros = l->micros, nanos = e->keeps_nanos ? l->nanos : 0, value = v->whole;
    if (c->type == BRUTE_TIMESTAMP) micros = instant_of(e, l);
    if (c->type == BRUTE_DATE) value *= DAY_MICROS;
    bool is_cut = c->type == BRUTE_DATE && l->kind == BRUTE_TEXT && e->cuts_dates;
    if (is_cut) {
        micros = (wide)l->written_days * DAY_MICROS;
        nanos = 0;
    } else if (c->type == BRUTE_DATE && (l->has_offset || (l->kind == BRUTE_TIME && e->times_are_instants))) {
        value = brute_instant((int64_t)value, e->takes_second);
        micros = instant_of(e, l);
    }
    if (value != micros) return value < micros ? LESS : GREATER;
    return nanos ? LESS : EQUAL;
}

/* ---- one value against one literal */

static standing compare(const brute_engine *e, const brute_column *c, const brute_value *v, const brute_literal *l, number_type least,
                        arena *scratch) {
    if (v->is_null || l->kind == BRUTE_NULL) return NOTHING;
    number_type type = meeting_type(e, c, l);
    switch (c->type) {
    case BRUTE_BYTE:
    case BRUTE_SHORT:
    case BRUTE_INTEGER:
    case BRUTE_LONG:
    case BRUTE_DECIMAL:
    case BRUTE_FLOAT:
    case BRUTE_DOUBLE: return compare_number(e, c, v, l, type > least ? type : least, scratch);
    case BRUTE_STRING:
    case BRUTE_CHAR: return compare_text(e, c, v->text, content_of(e, l, scratch), scratch);
    case BRUTE_BINARY: return compare_text(e, c, v->text, l->kind == BRUTE_HEX ? l->text : content_of(e, l, scratch), scratch);
    case BRUTE_BOOLEAN: return from_order((v->whole > (wide)l->truth) - (v->whole < (wide)l->truth));
    case BRUTE_DATE:
    case BRUTE_TIMESTAMP:
    case BRUTE_NTZ: return compare_time(e, c, v, l);
    case BRUTE_TYPE_COUNT: break;
    }
    return NOTHING;
}

static brute_truth holds(brute_op op, standing s) {
    if (s == NOTHING) return BRUTE_UNKNOWN;
    if (s == UNORDERED) return op == BRUTE_NE ? BRUTE_TRUE : BRUTE_FALSE;
    switch (op) {
    case BRUTE_EQ: return s == EQUAL ? BRUTE_TRUE : BRUTE_FALSE;
    case BRUTE_NE: return s != EQUAL ? BRUTE_TRUE : BRUTE_FALSE;
    case BRUTE_LT: return s == LESS ? BRUTE_TRUE : BRUTE_FALSE;
    case BRUTE_LE: return s != GREATER ? BRUTE_TRUE : BRUTE_FALSE;
    case BRUTE_GT: return s == GREATER ? BRUTE_TRUE : BRUTE_FALSE;
    case BRUTE_GE: return s != LESS ? BRUTE_TRUE : BRUTE_FALSE;
    }
    return BRUTE_UNKNOWN;
}

static brute_truth negate(brute_truth t) {
    return t == BRUTE_UNKNOWN || t == BRUTE_REFUSED ? t : t == BRUTE_TRUE ? BRUTE_FALSE : BRUTE_TRUE;
}

static brute_truth both(brute_truth a, brute_truth b) {
    if (a == BRUTE_FALSE || b == BRUTE_FALSE) return BRUTE_FALSE;
    if (a == BRUTE_REFUSED || b == BRUTE_REFUSED) return BRUTE_REFUSED;
    return a == BRUTE_UNKNOWN || b == BRUTE_UNKNOWN ? BRUTE_UNKNOWN : BRUTE_TRUE;
}

static brute_truth either(brute_truth a, brute_truth b) {
    return negate(both(negate(a), negate(b)));
}

/* ---- leaves */

/* Spark answers from a literal beyond BIGINT alone. False where it does not. */
static bool is_decided(const brute_engine *e, const brute_column *c, const brute_literal *l, brute_op op, brute_truth *out) {
    static const wide limit = (wide)1 << 63;
    bool is_decimal = l->kind == BRUTE_NUMBER && (l->suffix == 'B' || (!l->suffix && !l->has_exponent));
    if (!e->decides_beyond_long || !is_decimal || c->type > BRUTE_LONG || op == BRUTE_EQ || op == BRUTE_NE) return false;
    bool above = compare_scaled(l->digits, l->scale, limit - 1, 0) > 0, below = compare_scaled(l->digits, l->scale, -limit, 0) < 0;
    if (above) *out = op == BRUTE_LT || op == BRUTE_LE ? BRUTE_TRUE : BRUTE_FALSE;
    if (below) *out = op == BRUTE_GT || op == BRUTE_GE ? BRUTE_TRUE : BRUTE_FALSE;
    return above || below;
}

static brute_truth ordered(const brute_engine *e, const brute_column *c, const brute_value *v, const brute_literal *l, brute_op op,
                           number_type least, arena *scratch) {
    brute_truth decided = BRUTE_UNKNOWN;
    if (is_decided(e, c, l, op, &decided)) return decided;
    return holds(op, compare(e, c, v, l, least, scratch));
}

static number_type shared_type(const brute_engine *e, const brute_column *c, const brute_predicate *p) {
    number_type most = AS_WHOLE;
    for (size_t i = 0; i < p->count; i++) {
        if (p->item[i].kind == BRUTE_NULL) continue;
        number_type type = meeting_type(e, c, &p->item[i]);
        if (type > most) most = type;
    }
    return most;
}

static bool has_text(const brute_predicate *p) {
    for (size_t i = 0; i < p->count; i++)
        if (p->item[i].kind == BRUTE_TEXT) return true;
    return false;
}

/* Two texts that stand for one value are still different ones; only what is written as Spark writes it stays equal. */
static standing compare_as_text(const brute_engine *e, const brute_column *c, const brute_value *v, const brute_literal *l, arena *scratch) {
    standing s = compare(e, c, v, l, AS_WHOLE, scratch);
    bool is_number = l->kind == BRUTE_NUMBER && l->suffix != 'D' && l->suffix != 'F';
    bool plain = is_number ? str_eq(l->text, brute_whole_text(scratch, l->digits, c->scale)) && l->scale == c->scale : l->is_canonical;
    if (l->kind == BRUTE_DAY || l->kind == BRUTE_TIME) plain = (l->kind == BRUTE_DAY) == (c->type == BRUTE_DATE);
    if (c->type == BRUTE_TIMESTAMP && s != NOTHING && plain) { /* as the clock shows them */
        int64_t shown = l->kind == BRUTE_TIME ? brute_wall((int64_t)instant_of(e, l)) : (int64_t)l->micros;
        s = brute_wall((int64_t)v->whole) == shown ? EQUAL : LESS;
    }
    if (s == EQUAL && !plain) return LESS;
    return s;
}

static brute_truth in_list(const brute_engine *e, const brute_column *c, const brute_value *v, const brute_predicate *p, arena *scratch) {
    /* Spark without ANSI refuses lists of booleans or binary with a text. */
    bool text_column = c->type == BRUTE_STRING || c->type == BRUTE_CHAR || c->type == BRUTE_BINARY || c->type == BRUTE_BOOLEAN;
    bool as_text = e->lists_as_text && !text_column && !brute_is_real(c->type) && has_text(p);
    number_type type = e->lists_share_type ? shared_type(e, c, p) : AS_WHOLE;
    brute_truth t = BRUTE_FALSE;
    brute_column in_type = *c;
    for (size_t i = 0; c->shared_whole && i < p->count; i++)
        if (p->item[i].kind == BRUTE_NUMBER && whole_digits(&p->item[i]) > in_type.shared_whole) in_type.shared_whole = whole_digits(&p->item[i]);
    c = &in_type;
    for (size_t i = 0; i < p->count; i++) {
        standing s = as_text ? compare_as_text(e, c, v, &p->item[i], scratch) : compare(e, c, v, &p->item[i], type, scratch);
        t = either(t, holds(BRUTE_EQ, s));
    }
    return t;
}

static brute_truth between(const brute_engine *e, const brute_column *c, const brute_value *v, const brute_predicate *p, arena *scratch) {
    number_type type = e->ranges_share_type ? shared_type(e, c, p) : AS_WHOLE;
    return both(ordered(e, c, v, &p->item[0], BRUTE_GE, type, scratch), ordered(e, c, v, &p->item[1], BRUTE_LE, type, scratch));
}

static brute_truth distinct(const brute_engine *e, const brute_column *c, const brute_value *v, const brute_literal *l, arena *scratch) {
    bool null = l->kind == BRUTE_NULL;
    if (v->is_null || null) return v->is_null != null ? BRUTE_TRUE : BRUTE_FALSE;
    return compare(e, c, v, l, AS_WHOLE, scratch) != EQUAL ? BRUTE_TRUE : BRUTE_FALSE;
}

static uint32_t next_character(str s, size_t *at) {
    size_t bytes = str_utf8_length(s, *at);
    uint32_t c = 0;
    for (size_t i = 0; i < bytes; i++) c = c << 8 | (unsigned char)s.ptr[*at + i];
    *at += bytes;
    return c;
}

static bool like(str pattern, char escape, str text) {
    if (pattern.len == 0) return text.len == 0;
    size_t p = 0, t = 0;
    uint32_t c = next_character(pattern, &p);
    str rest = str_slice(pattern, p, pattern.len);
    if (escape && c == (unsigned char)escape && rest.len) {
        p = 0;
        c = next_character(rest, &p);
        rest = str_slice(rest, p, rest.len);
    } else if (c == '%') {
        for (size_t i = 0; i <= text.len;) {
            if (like(rest, escape, str_slice(text, i, text.len))) return true;
            if (i == text.len) return false;
            (void)next_character(text, &i);
        }
        return false;
    } else if (c == '_') {
        if (text.len == 0) return false;
        (void)next_character(text, &t);
        return like(rest, escape, str_slice(text, t, text.len));
    }
    if (text.len == 0 || next_character(text, &t) != c) return false;
    return like(rest, escape, str_slice(text, t, text.len));
}

static brute_truth matches(const brute_engine *e, const brute_column *c, const brute_value *v, const brute_predicate *p, arena *scratch) {
    if (v->is_null) return BRUTE_UNKNOWN;
    str text = v->text;
    if (c->type == BRUTE_CHAR && e->pads_char) text = pad(scratch, text, c->width);
    if (brute_is_whole(c->type)) text = brute_whole_text(scratch, v->whole, 0);
    if (c->type == BRUTE_BOOLEAN) text = v->whole ? STR("true") : STR("false");
    if (c->type == BRUTE_DATE) text = brute_date_text(scratch, (int64_t)v->whole);
    char escape = p->escape ? p->escape : e->like_escape ? '\\' : 0;
    return like(content_of(e, p->item, scratch), escape, text) ? BRUTE_TRUE : BRUTE_FALSE;
}

static brute_truth evaluate_leaf(const brute_engine *e, const brute_column *c, const brute_value *v, const brute_predicate *p, arena *scratch) {
    static const brute_truth constant[] = {BRUTE_TRUE, BRUTE_FALSE, BRUTE_UNKNOWN};
    switch ((int)p->kind) {
    case BRUTE_P_COMPARE: return ordered(e, c, v, p->item, p->op, AS_WHOLE, scratch);
    case BRUTE_P_IN: return in_list(e, c, v, p, scratch);
    case BRUTE_P_BETWEEN: return between(e, c, v, p, scratch);
    case BRUTE_P_IS_NULL: return v->is_null ? BRUTE_TRUE : BRUTE_FALSE;
    case BRUTE_P_DISTINCT: return distinct(e, c, v, p->item, scratch);
    case BRUTE_P_LIKE: return matches(e, c, v, p, scratch);
    case BRUTE_P_COLUMN: return v->is_null ? BRUTE_UNKNOWN : v->whole ? BRUTE_TRUE : BRUTE_FALSE;
    default: return constant[p->truth];
    }
}

static brute_truth evaluate_pair(const brute_engine *e, const brute_table *t, const brute_value *row, const brute_predicate *p) {
    const brute_column *c = &t->column[p->column], *o = &t->column[p->other];
    const brute_value *a = &row[p->column], *b = &row[p->other];
    if (a->is_null || b->is_null) return BRUTE_UNKNOWN;
    standing s = brute_is_real(c->type)       ? compare_reals(e, a->real, b->real)
                 : c->type == BRUTE_DECIMAL ? from_order(compare_scaled(a->whole, c->scale, b->whole, o->scale))
                                            : from_order(brute_order(c->type, a, b));
    return holds(p->op, s);
}

/* ---- the whole */

/* Who compares NaN as IEEE does takes no 'NaN' in a text. */
bool brute_can_read(const brute_engine *e, const brute_predicate *p) {
    if (p->left) return brute_can_read(e, p->left) && (!p->right || brute_can_read(e, p->right));
    for (size_t i = 0; !e->nan_on_top && i < p->count; i++)
        if (p->item[i].is_special && str_eq(p->item[i].text, STR("NaN"))) return false;
    return true;
}

/* The value as the engine sees it. */
static brute_value value_of(const brute_engine *e, const brute_table *t, const brute_value *row, size_t column) {
    const brute_column *c = &t->column[column];
    brute_value v = row[column];
    bool is_text = c->type == BRUTE_STRING || c->type == BRUTE_BINARY || c->type == BRUTE_CHAR;
    if (v.is_local && !v.is_null) v.whole = brute_instant(brute_wall((int64_t)v.whole), e->takes_second);
    if (c->is_partition && is_text && e->empty_is_null && v.text.len == 0) v.is_null = true;
    return v;
}

static brute_truth evaluate_on_row(const brute_engine *e, const brute_table *t, const brute_value *row, const brute_predicate *p, arena *scratch) {
    if (p->kind == BRUTE_P_PAIR) {
        brute_value seen[BRUTE_MAX_COLUMNS];
        for (size_t i = 0; i < t->column_count; i++) seen[i] = value_of(e, t, row, i);
        return evaluate_pair(e, t, seen, p);
    }
    brute_column plain = t->column[p->column], as;
    const brute_column *c = &plain;
    plain.keeps_literal = !pads_literal(c, p);
    static const unsigned whole[] = {3, 5, 10, 20};
    plain.shared_whole = c->type < BRUTE_DECIMAL ? whole[c->type] : c->type == BRUTE_DECIMAL ? c->precision - c->scale : 0;
    brute_value v = value_of(e, t, row, p->column), result;
    if (p->function) {
        if (!brute_function_call(p->function, e, c, p->k, &v, scratch, &as, &result)) return BRUTE_REFUSED;
        as.shared_whole = 0; /* the digits of its type are not followed */
        c = &as;
        v = result;
    }
    brute_truth truth = evaluate_leaf(e, c, &v, p, scratch);
    bool is_not_form = p->negated && p->kind != BRUTE_P_COMPARE;
    return is_not_form ? negate(truth) : truth;
}

brute_truth brute_evaluate(const brute_engine *e, const brute_table *t, const brute_value *row, const brute_predicate *p, arena *scratch) {
    static const brute_truth tested[] = {BRUTE_TRUE, BRUTE_FALSE, BRUTE_UNKNOWN};
    if (!p->left) return evaluate_on_row(e, t, row, p, scratch);
    brute_truth left = brute_evaluate(e, t, row, p->left, scratch);
    switch ((int)p->kind) {
    case BRUTE_P_NOT: return negate(left);
    case BRUTE_P_TEST:
        if (left == BRUTE_REFUSED) return left;
        return (left == tested[p->truth]) != p->negated ? BRUTE_TRUE : BRUTE_FALSE;
    case BRUTE_P_AND: return both(left, brute_evaluate(e, t, row, p->right, scratch));
    default: return either(left, brute_evaluate(e, t, row, p->right, scratch));
    }
}
