/* brute_force_predicate.c - random predicates with literals near the values of the rows, and their SQL.
 * Called by: tests/unit/test_brute_force.c.  Must not know: how predicates are evaluated or pruned.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brute_force.h"

static const int64_t DAY_MICROS = INT64_C(86400000000);
enum { FUNCTION_PERCENT = 15 };

/* ---- literals */

static const brute_value *any_value(dice *d, const brute_table *t, size_t column) {
    const brute_file *f = &t->file[dice_below(d, (unsigned)t->file_count)];
    return &f->row[dice_below(d, (unsigned)f->stored_count)][column];
}

/* Backslashes in front of a quote, or at the end, come in pairs: a lone one would take the quote with it. */
static str pair_backslashes(arena *a, str s) {
    buf b;
    buf_init(&b, a, 65536);
    size_t run = 0;
    for (size_t i = 0; i <= s.len; i++) {
        if (run % 2 && (i == s.len || s.ptr[i] == '\'')) buf_put_char(&b, '\\');
        if (i == s.len) break;
        run = s.ptr[i] == '\\' ? run + 1 : 0;
        buf_put_char(&b, s.ptr[i]);
    }
    return b.len ? str_copy(a, buf_str(&b)) : STR("");
}

/* A text literal; a quote inside is doubled. */
static void quote(arena *a, brute_literal *l, str raw) {
    l->text = pair_backslashes(a, raw);
    buf b;
    buf_init(&b, a, 65536);
    buf_put_char(&b, '\'');
    for (size_t i = 0; i < l->text.len; i++) {
        if (l->text.ptr[i] == '\'') buf_put_char(&b, '\''), l->has_doubled = true;
        buf_put_char(&b, l->text.ptr[i]);
    }
    buf_put_char(&b, '\'');
    l->sql = str_copy(a, buf_str(&b));
}

static void count_point(brute_literal *l, str text) {
    size_t at;
    l->has_point = str_find_char(text, '.', &at);
    l->has_exponent = str_find_char(text, 'e', &at) || str_find_char(text, 'E', &at);
}

/* digits / 10^scale as a number, in one of its spellings. */
static void spell_number(dice *d, arena *a, brute_literal *l) {
    str text = brute_whole_text(a, l->digits, l->scale);
    unsigned form = dice_below(d, 10);
    if (form == 0 && l->scale == 0) text = str_format(a, STR_FMT ".0", STR_ARG(text));
    if (form == 1) text = str_format(a, STR_FMT "e-%u", STR_ARG(brute_whole_text(a, l->digits, 0)), l->scale);
    if (form == 2 && l->scale > 0) text = str_format(a, STR_FMT "0", STR_ARG(text));
    l->text = text;
    l->kind = BRUTE_NUMBER;
    count_point(l, text);
    wide size = l->digits < 0 ? -l->digits : l->digits;
    if (form == 3) l->suffix = "DF"[dice_below(d, 2)];
    if (form == 4 && l->scale == 0 && size < ((wide)1 << 62)) l->suffix = 'L';
    if (form == 5 && !l->has_exponent && size < (wide)1 << 100) l->suffix = 'B';
    bool overflows = l->suffix == 'F' && isinf(strtof(text.ptr, NULL));
    if (overflows) l->suffix = 0;
    l->sql = str_format(a, STR_FMT "%s%s", STR_ARG(text), l->suffix == 'B' ? "B" : "", l->suffix == 0 ? "" : l->suffix == 'B' ? "D" : (char[]){l->suffix, 0});
    if (form == 6) {
        l->kind = BRUTE_TEXT;
        l->is_canonical = true; /* the column decides, see whole_literal */
        quote(a, l, text);
    }
}

static const wide SAFE_DIGITS = (wide)1 << 120;

static void whole_literal(dice *d, arena *a, const brute_column *c, const brute_value *v, brute_literal *l) {
    l->digits = v->whole;
    l->scale = c->scale;
    unsigned how = dice_below(d, 6);
    if (how == 1) l->digits += 1;
    if (how == 2) l->digits -= 1;
    if (how == 3 && l->digits < SAFE_DIGITS && l->digits > -SAFE_DIGITS) { /* a digit finer than the column */
        l->digits = l->digits * 10 + (int)dice_below(d, 19) - 9;
        l->scale++;
    }
    if (how == 5 && dice_percent(d, 30)) /* digits far behind the point */
        for (; l->scale < 36 && l->digits < SAFE_DIGITS && l->digits > -SAFE_DIGITS; l->scale++) l->digits = l->digits * 10 + (l->scale % 7 == 6);
    if (how == 4 && dice_percent(d, 30)) l->digits = ((wide)1 << 63) * (dice_percent(d, 50) ? 1 : -1), l->scale = 0;
    spell_number(d, a, l);
    l->is_canonical = l->kind == BRUTE_TEXT && l->scale == c->scale && str_eq(l->text, brute_whole_text(a, l->digits, c->scale));
}

static double real_near(dice *d, bool is_float, double real) {
    switch (dice_below(d, 6)) {
    case 0: return is_float ? (double)nextafterf((float)real, INFINITY) : nextafter(real, INFINITY);
    case 1: return is_float ? (double)nextafterf((float)real, -INFINITY) : nextafter(real, -INFINITY);
    case 2: return real + 1;
    case 3: return real - 1;
    default: return real;
    }
}

static void real_literal(dice *d, arena *a, const brute_column *c, const brute_value *v, brute_literal *l) {
    bool is_float = c->type == BRUTE_FLOAT;
    double real = real_near(d, is_float, v->real);
    l->kind = BRUTE_NUMBER;
    if (isnan(real) || isinf(real)) {
        l->kind = BRUTE_TEXT;
        l->is_special = true;
        quote(a, l, brute_real_text(a, real, is_float));
        return;
    }
    str text = brute_real_text(a, real, is_float && dice_percent(d, 70));
    if (fabs(real) < 1e15 && fabs(real) > 1e-5 && dice_percent(d, 30)) text = str_format(a, "%.17f", real);
    count_point(l, text);
    l->text = l->sql = text;
    if (dice_percent(d, 15)) {
        l->kind = BRUTE_TEXT;
        quote(a, l, text);
    } else if (dice_percent(d, 15)) {
        l->suffix = "DF"[dice_below(d, 2)];
        if (l->suffix == 'F' && isinf(strtof(text.ptr, NULL))) l->suffix = 'D';
        l->sql = str_format(a, STR_FMT "%c", STR_ARG(text), l->suffix);
    }
}

/* The content with some characters written as escapes; backslashes mostly doubled. */
static str with_escapes(dice *d, arena *a, str s) {
    buf b;
    buf_init(&b, a, 65536);
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '\\' ? dice_percent(d, 70) : s.ptr[i] == 'b' && dice_percent(d, 3)) buf_put_char(&b, '\\');
        if (s.ptr[i] == '\n' && dice_percent(d, 50)) buf_put(&b, STR("\\n"));
        else buf_put_char(&b, s.ptr[i]);
    }
    return b.len ? str_copy(a, buf_str(&b)) : STR("");
}

static str text_near(dice *d, arena *a, str s) {
    switch (dice_below(d, 7)) {
    case 0: return str_format(a, STR_FMT "a", STR_ARG(s));
    case 1: return str_format(a, STR_FMT " ", STR_ARG(s));
    case 2: { /* without its last character */
        size_t at = 0, last = 0;
        while (at < s.len) last = at, at += str_utf8_length(s, at);
        return str_copy(a, str_slice(s, 0, last));
    }
    case 3: {
        while (s.len && s.ptr[s.len - 1] == ' ') s.len--;
        return str_copy(a, s.len ? s : STR(""));
    }
    case 4: return STR("abc");
    default: return s;
    }
}

static void put_time_literal(dice *d, arena *a, const brute_column *c, const brute_value *v, brute_literal *l) {
    bool is_date = c->type == BRUTE_DATE;
    l->micros = is_date ? v->whole * DAY_MICROS : c->type == BRUTE_TIMESTAMP ? (wide)brute_wall((int64_t)v->whole) : v->whole;
    static const int64_t step[] = {0, 0, 0, 1, -1, 1000, -1000, 86400000000, -86400000000};
    l->micros += step[dice_below(d, 9)];
    if (l->micros < -(wide)719162 * DAY_MICROS || l->micros >= (wide)2932897 * DAY_MICROS) l->micros = 0;
    int64_t micros = (int64_t)l->micros, days = micros / DAY_MICROS - (micros % DAY_MICROS < 0);
    l->has_time = is_date ? dice_percent(d, 30) : dice_percent(d, 80);
    if (!l->has_time) l->micros = micros = days * DAY_MICROS;
    unsigned digits = l->has_time ? micros % 1000000 || dice_percent(d, 20) ? 6 : 0 : 0;
    str text = l->has_time ? brute_time_text(a, micros, digits, dice_percent(d, 50) ? ' ' : 'T') : brute_date_text(a, days);
    l->is_canonical = l->has_time == !is_date;
    if (l->has_time) { /* as Spark writes a time: a blank, and a fraction without zeros behind it */
        str spark = brute_time_text(a, micros, micros % 1000000 ? 6 : 0, ' ');
        l->is_canonical &= str_eq(text, spark) && (micros % 1000000 == 0 || micros % 10 != 0);
    }
    l->written_days = days;
    if (digits == 6 && dice_percent(d, 20)) {
        l->nanos = 100 * (1 + dice_below(d, 9));
        text = str_format(a, STR_FMT "%u", STR_ARG(text), l->nanos / 100);
        l->is_canonical = false;
    } else if (l->has_time && c->type != BRUTE_NTZ && dice_percent(d, 20)) {
        l->has_offset = true;
        l->micros = micros = brute_instant(micros, dice_percent(d, 50));
        text = brute_time_text(a, micros, digits, ' ');
        l->written_days = micros / DAY_MICROS - (micros % DAY_MICROS < 0);
        int64_t shifted = micros + INT64_C(7200000000);
        bool east = dice_percent(d, 50) && shifted < INT64_C(2932897) * DAY_MICROS;
        text = east ? str_format(a, STR_FMT "+02:00", STR_ARG(brute_time_text(a, shifted, digits, ' ')))
                    : str_format(a, STR_FMT "Z", STR_ARG(text));
        if (east) l->written_days = shifted / DAY_MICROS - (shifted % DAY_MICROS < 0);
        l->is_canonical = false;
    }
    if (!l->has_time && dice_percent(d, 15)) { /* 2024-1-3 */
        long year;
        int month, day;
        if (sscanf(text.ptr, "%ld-%d-%d", &year, &month, &day) == 3 && (month < 10 || day < 10)) {
            text = str_format(a, "%04ld-%d-%d", year, month, day);
            l->is_canonical = false;
        }
    }
    unsigned form = dice_below(d, 4);
    quote(a, l, text);
    l->kind = form == 0 && !l->has_time ? BRUTE_DAY : form == 1 ? BRUTE_TIME : BRUTE_TEXT;
    if (l->kind != BRUTE_TEXT) l->is_canonical = false;
    if (l->kind == BRUTE_DAY) l->sql = str_format(a, "DATE " STR_FMT, STR_ARG(l->sql));
    if (l->kind == BRUTE_TIME) l->sql = str_format(a, "TIMESTAMP%s " STR_FMT, c->type == BRUTE_NTZ ? "_NTZ" : "", STR_ARG(l->sql));
}

static void binary_literal(dice *d, arena *a, const brute_value *v, brute_literal *l) {
    str s = text_near(d, a, v->text.ptr ? v->text : STR("a"));
    if (dice_percent(d, 50)) {
        l->kind = BRUTE_TEXT;
        quote(a, l, s);
        return;
    }
    l->kind = BRUTE_HEX;
    l->text = s;
    buf b;
    buf_init(&b, a, 65536);
    buf_put(&b, STR("X'"));
    for (size_t i = 0; i < s.len; i++) buf_printf(&b, "%02x", (unsigned)(unsigned char)s.ptr[i]);
    buf_put_char(&b, '\'');
    l->sql = str_copy(a, buf_str(&b));
}

static void boolean_literal(dice *d, arena *a, brute_literal *l) {
    static const char *const yes[] = {"true", "t", "YES", "1"}, *const no[] = {"false", "f", "no", "0"};
    l->truth = dice_percent(d, 50);
    l->kind = BRUTE_TRUTH;
    l->sql = l->truth ? STR("TRUE") : STR("false");
    if (dice_percent(d, 70)) return;
    l->kind = BRUTE_TEXT;
    unsigned which = dice_below(d, 4);
    quote(a, l, str_from(l->truth ? yes[which] : no[which]));
    l->is_canonical = which == 0;
}

/* What a leaf asks about: a column, or a function of it. */
typedef struct operand {
    const brute_column *column; /* of the result */
    const brute_value *value;   /* of some row */
} operand;

static operand any_operand(dice *d, arena *a, const brute_table *t, const brute_predicate *p) {
    operand o = {&t->column[p->column], any_value(d, t, p->column)};
    if (!p->function) return o;
    brute_column *as = ARENA_NEW(a, brute_column);
    brute_value *v = ARENA_NEW(a, brute_value);
    if (!brute_function_call(p->function, &brute_engines[0], o.column, p->k, o.value, a, as, v)) *v = (brute_value){.is_null = true};
    return (operand){as, v};
}

static brute_literal random_literal(dice *d, arena *a, const brute_table *t, const brute_predicate *p) {
    operand o = any_operand(d, a, t, p);
    const brute_column *c = o.column;
    const brute_value *v = o.value;
    brute_literal l = {.kind = BRUTE_NULL, .sql = STR("NULL")};
    if (dice_percent(d, 3)) return l;
    switch (c->type) {
    case BRUTE_BYTE:
    case BRUTE_SHORT:
    case BRUTE_INTEGER:
    case BRUTE_LONG:
    case BRUTE_DECIMAL: whole_literal(d, a, c, v, &l); break;
    case BRUTE_FLOAT:
    case BRUTE_DOUBLE: real_literal(d, a, c, v, &l); break;
    case BRUTE_STRING:
    case BRUTE_CHAR:
        l.kind = BRUTE_TEXT;
        quote(a, &l, with_escapes(d, a, text_near(d, a, v->text.ptr ? v->text : STR("a"))));
        break;
    case BRUTE_BINARY: binary_literal(d, a, v, &l); break;
    case BRUTE_BOOLEAN: boolean_literal(d, a, &l); break;
    case BRUTE_DATE:
    case BRUTE_TIMESTAMP:
    case BRUTE_NTZ: put_time_literal(d, a, c, v, &l); break;
    case BRUTE_TYPE_COUNT: break;
    }
    return l;
}

/* ---- patterns */

static str text_of(arena *a, const brute_column *c, const brute_value *v) {
    if (c->type == BRUTE_STRING || c->type == BRUTE_CHAR) return v->text.ptr ? v->text : STR("a");
    if (c->type == BRUTE_DATE) return brute_date_text(a, (int64_t)v->whole);
    if (c->type == BRUTE_BOOLEAN) return v->whole ? STR("true") : STR("false");
    return brute_whole_text(a, v->whole, 0);
}

static void make_pattern(dice *d, arena *a, const brute_column *c, const brute_value *v, brute_predicate *p) {
    str s = text_of(a, c, v);
    if (dice_percent(d, 20)) p->escape = "!a\\"[dice_below(d, 3)];
    buf b;
    buf_init(&b, a, 65536);
    if (dice_percent(d, 15)) buf_put_char(&b, '%');
    size_t stop = dice_percent(d, 50) ? s.len : dice_below(d, (unsigned)s.len + 1);
    for (size_t i = 0; i < stop;) {
        size_t bytes = str_utf8_length(s, i);
        char ch = s.ptr[i];
        if (dice_percent(d, 10)) buf_put_char(&b, '_');
        else if (dice_percent(d, 6)) buf_put_char(&b, '%');
        else {
            if ((ch == '%' || ch == '_' || (p->escape && ch == p->escape)) && dice_percent(d, 70))
                buf_put(&b, p->escape == '\\' || !p->escape ? STR("\\\\") : (str){&p->escape, 1});
            if (ch == '\\') buf_put(&b, STR("\\\\\\"));
            buf_put(&b, str_slice(s, i, i + bytes));
        }
        i += bytes;
    }
    if (dice_percent(d, 60)) buf_put_char(&b, '%');
    p->item = ARENA_NEW(a, brute_literal);
    p->item->kind = BRUTE_TEXT;
    quote(a, p->item, str_copy(a, b.len ? buf_str(&b) : STR("%")));
}

/* ---- predicates */

static brute_predicate *new_leaf(arena *a, brute_kind kind, size_t column) {
    brute_predicate *p = ARENA_NEW(a, brute_predicate);
    p->kind = kind;
    p->column = column;
    return p;
}

static const brute_predicate *list_leaf(dice *d, arena *a, const brute_table *t, brute_predicate *p, size_t count) {
    p->item = ARENA_ARRAY(a, brute_literal, count);
    p->count = count;
    for (size_t i = 0; i < count; i++) p->item[i] = random_literal(d, a, t, p);
    p->negated = dice_percent(d, 40);
    return p;
}

static brute_predicate *leaf_like(arena *a, const brute_predicate *base, brute_kind kind) {
    brute_predicate *p = ARENA_NEW(a, brute_predicate);
    *p = *base;
    p->kind = kind;
    return p;
}

static void draw_function(dice *d, const brute_table *t, brute_predicate *p) {
    brute_type type = t->column[p->column].type;
    p->function = brute_function_choose(d, type);
    p->k = (int)dice_below(d, 5);
    if (type != BRUTE_STRING && type != BRUTE_CHAR && dice_percent(d, 30)) p->k = -p->k;
}

/* Two columns of one type; NULL if there is no other one. */
static const brute_predicate *pair_leaf(dice *d, arena *a, const brute_table *t, size_t column) {
    size_t other = dice_below(d, (unsigned)t->column_count);
    if (t->column[other].type != t->column[column].type || t->column[other].type == BRUTE_CHAR) return NULL;
    brute_predicate *p = new_leaf(a, BRUTE_P_PAIR, column);
    p->other = other;
    p->op = (brute_op)dice_below(d, 6);
    return p;
}

static bool can_like(brute_type t) {
    return t == BRUTE_STRING || t == BRUTE_CHAR || t == BRUTE_DATE || t == BRUTE_BOOLEAN || t < BRUTE_DECIMAL;
}

static const brute_predicate *random_leaf(dice *d, arena *a, const brute_table *t) {
    size_t column = dice_below(d, (unsigned)t->column_count);
    unsigned kind = dice_below(d, 100);
    if (dice_percent(d, 3)) {
        const brute_predicate *pair = pair_leaf(d, a, t, column);
        if (pair) return pair;
    }
    brute_predicate *base = new_leaf(a, BRUTE_P_COMPARE, column);
    if (dice_percent(d, FUNCTION_PERCENT)) draw_function(d, t, base);
    const brute_column *c = any_operand(d, a, t, base).column;
    bool is_text = c->type == BRUTE_STRING || c->type == BRUTE_CHAR;
    if (kind < 3) {
        brute_predicate *p = leaf_like(a, base, kind < 1 ? BRUTE_P_CONSTANT : BRUTE_P_OPAQUE);
        p->truth = dice_below(d, kind < 1 ? 3 : 2);
        return p;
    }
    if (kind < 15) {
        brute_predicate *p = leaf_like(a, base, BRUTE_P_IS_NULL);
        p->negated = dice_percent(d, 50);
        return p;
    }
    if (c->type == BRUTE_BOOLEAN && kind < 40) return leaf_like(a, base, BRUTE_P_COLUMN);
    if (can_like(c->type) && kind < (is_text ? 40u : 20u)) {
        brute_predicate *p = leaf_like(a, base, BRUTE_P_LIKE);
        make_pattern(d, a, c, any_operand(d, a, t, base).value, p);
        p->negated = dice_percent(d, 40);
        return p;
    }
    if (c->type == BRUTE_BINARY && !c->is_partition) kind = 0;
    if (kind < 55) return list_leaf(d, a, t, leaf_like(a, base, BRUTE_P_IN), 1 + (dice_percent(d, 5) ? dice_below(d, BRUTE_MAX_ITEMS) : dice_below(d, 4)));
    if (kind < 65) return list_leaf(d, a, t, leaf_like(a, base, BRUTE_P_BETWEEN), 2);
    brute_predicate *p = leaf_like(a, base, kind < 73 ? BRUTE_P_DISTINCT : BRUTE_P_COMPARE);
    (void)list_leaf(d, a, t, p, 1);
    p->flipped = dice_percent(d, 25);
    p->op = (brute_op)dice_below(d, 6);
    if (p->kind == BRUTE_P_COMPARE) p->negated = false;
    p->arrow = p->negated && dice_percent(d, 50);
    return p;
}

const brute_predicate *brute_join(arena *a, brute_kind kind, const brute_predicate *left, const brute_predicate *right) {
    brute_predicate *p = new_leaf(a, kind, 0);
    p->left = left;
    p->right = right;
    return p;
}

const brute_predicate *brute_predicate_make(dice *d, arena *a, const brute_table *t, unsigned depth) {
    unsigned kind = dice_below(d, 100);
    if (depth == 0 || kind < 40) return random_leaf(d, a, t);
    const brute_predicate *left = brute_predicate_make(d, a, t, depth - 1);
    if (kind < 52) return brute_join(a, BRUTE_P_NOT, left, NULL);
    if (kind < 57) {
        brute_predicate *p = new_leaf(a, BRUTE_P_TEST, 0);
        p->left = left;
        p->truth = dice_below(d, 3);
        p->negated = dice_percent(d, 50);
        return p;
    }
    return brute_join(a, kind < 78 ? BRUTE_P_AND : BRUTE_P_OR, left, brute_predicate_make(d, a, t, depth - 1));
}

bool brute_mentions(const brute_predicate *p, size_t column) {
    if (p->left) return brute_mentions(p->left, column) || (p->right && brute_mentions(p->right, column));
    if (p->kind == BRUTE_P_PAIR && p->other == column) return true;
    return p->kind != BRUTE_P_CONSTANT && p->kind != BRUTE_P_OPAQUE && p->column == column;
}

/* ---- smaller ones */

static brute_predicate *copy_of(arena *a, const brute_predicate *p) {
    brute_predicate *q = ARENA_NEW(a, brute_predicate);
    *q = *p;
    return q;
}

static const brute_predicate *smaller_leaf(arena *a, const brute_predicate *p, unsigned n) {
    brute_predicate *q = copy_of(a, p);
    if (p->negated && n-- == 0) return q->negated = q->arrow = false, q;
    if (p->flipped && n-- == 0) return q->flipped = false, q;
    if (p->kind != BRUTE_P_IN || p->count < 2 || n >= p->count) return NULL;
    q->item = ARENA_ARRAY(a, brute_literal, p->count);
    q->count = 0;
    for (size_t i = 0; i < p->count; i++)
        if (i != n) q->item[q->count++] = p->item[i];
    return q;
}

const brute_predicate *brute_smaller(arena *a, const brute_predicate *p, unsigned n) {
    if (!p->left) return smaller_leaf(a, p, n);
    if (n-- == 0) return p->left;
    if (p->right && n-- == 0) return p->right;
    brute_predicate *q = copy_of(a, p);
    for (unsigned k = 0;; k++, n--) {
        q->left = brute_smaller(a, p->left, k);
        if (!q->left) break;
        if (n == 0) return q;
    }
    q->left = p->left;
    q->right = p->right ? brute_smaller(a, p->right, n) : NULL;
    return q->right ? q : NULL;
}

/* ---- SQL */

static void print_list(buf *out, const brute_predicate *p) {
    buf_put(out, p->negated ? STR(" NOT IN (") : STR(" IN ("));
    for (size_t i = 0; i < p->count; i++) {
        if (i > 0) buf_put(out, STR(", "));
        buf_put(out, p->item[i].sql);
    }
    buf_put_char(out, ')');
}

static void print_pair(buf *out, str name, const brute_predicate *p, const char *op, const char *mirrored) {
    str left = p->flipped ? p->item->sql : name, right = p->flipped ? name : p->item->sql;
    buf_printf(out, STR_FMT " %s " STR_FMT, STR_ARG(left), p->flipped ? mirrored : op, STR_ARG(right));
}

static void print_like(buf *out, str name, const brute_predicate *p) {
    buf_printf(out, STR_FMT " %sLIKE " STR_FMT, STR_ARG(name), p->negated ? "NOT " : "", STR_ARG(p->item->sql));
    if (p->escape == '\\') buf_put(out, STR(" ESCAPE '\\\\'"));
    else if (p->escape) buf_printf(out, " ESCAPE '%c'", p->escape);
}

static void print_leaf(buf *out, const brute_table *t, const brute_predicate *p) {
    static const char *const op[] = {"=", "<>", "<", "<=", ">", ">="}, *const mirrored[] = {"=", "<>", ">", ">=", "<", "<="};
    static const char *const constant[] = {"TRUE", "FALSE", "NULL"}, *const opaque[] = {"1 = 1", "1 = 2"};
    str name = t->column[p->column].name;
    if (p->function) name = brute_function_text(out->owner, p->function, name, p->k);
    switch ((int)p->kind) {
    case BRUTE_P_PAIR: buf_printf(out, STR_FMT " %s " STR_FMT, STR_ARG(name), op[p->op], STR_ARG(t->column[p->other].name)); return;
    case BRUTE_P_COMPARE: print_pair(out, name, p, op[p->op], mirrored[p->op]); return;
    case BRUTE_P_IN: buf_put(out, name); print_list(out, p); return;
    case BRUTE_P_BETWEEN:
        buf_printf(out, STR_FMT " %sBETWEEN " STR_FMT " AND " STR_FMT, STR_ARG(name), p->negated ? "NOT " : "", STR_ARG(p->item[0].sql), STR_ARG(p->item[1].sql));
        return;
    case BRUTE_P_IS_NULL: buf_printf(out, STR_FMT " IS %sNULL", STR_ARG(name), p->negated ? "NOT " : ""); return;
    case BRUTE_P_DISTINCT: {
        const char *words = p->arrow ? "<=>" : p->negated ? "IS NOT DISTINCT FROM" : "IS DISTINCT FROM";
        print_pair(out, name, p, words, words);
        return;
    }
    case BRUTE_P_LIKE: print_like(out, name, p); return;
    case BRUTE_P_COLUMN: buf_put(out, name); return;
    case BRUTE_P_CONSTANT: buf_put(out, str_from(constant[p->truth])); return;
    default: buf_put(out, str_from(opaque[p->truth])); return;
    }
}

void brute_predicate_print(buf *out, const brute_table *t, const brute_predicate *p) {
    static const char *const test[] = {"TRUE", "FALSE", "UNKNOWN"};
    if (!p->left) {
        print_leaf(out, t, p);
        return;
    }
    if (p->kind == BRUTE_P_NOT) buf_put(out, STR("NOT "));
    buf_put_char(out, '(');
    brute_predicate_print(out, t, p->left);
    buf_put_char(out, ')');
    if (p->kind == BRUTE_P_TEST) buf_printf(out, " IS %s%s", p->negated ? "NOT " : "", test[p->truth]);
    if (!p->right) return;
    buf_put(out, p->kind == BRUTE_P_AND ? STR(" AND (") : STR(" OR ("));
    brute_predicate_print(out, t, p->right);
    buf_put_char(out, ')');
}
