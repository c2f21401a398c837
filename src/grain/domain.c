/* domain.c - which values a column can have: learned from conditions, one column at a time.
 * Called by: grain/op_*.c, expr_value.c.  Must not know: operators.
 *
 * For a column that is not NULL, a condition parts the line of its values in three sets that may overlap: where the
 * condition can be TRUE, where FALSE, where NULL. All three are too large rather than too small. So a row whose
 * condition is TRUE has its value in the first set, and a condition whose first set misses the domain of the column is
 * never TRUE.
 */
#include "grain/domain_int.h"

#include <string.h>

#include "grain/expr_int.h"
#include "grain/value_set.h"
#include "types/calendar.h"

typedef struct domain_entry {
    column_id column;
    value_set set;
    evidence_id why;
} domain_entry;

struct domain_list { /* ascending by column; does not change once it is made */
    const domain_entry *entry;
    size_t count;
};

/* ---- literals on the line of a column ---- */

typedef struct placed {
    value_line line; /* LINE_ANY: the literal does not fit */
    value v;
    str exact;
    bool has_order;    /* < and > go by the line */
    bool is_two_sided; /* what is not in the set of TRUE is FALSE, and nothing else */
} placed;

static const placed misfit = {.line = LINE_ANY};

static placed place_number(const expr_context *x, type_family f, const literal_value *l) {
    placed p = {
        .line = f == FAMILY_INTEGER ? LINE_INTEGER : LINE_NUMBER, .v = l->v, .has_order = true, .is_two_sided = true};
    bool exact = f == FAMILY_INTEGER || f == FAMILY_DECIMAL || f == FAMILY_NUMERIC;
    if (l->kind == LITERAL_TEXT) {
        int64_t whole;
        if (!exact || !text_is_integer(l->text, &whole)) return misfit;
        p.v = (value){.kind = VALUE_INT, .i = whole};
        return p;
    }
    uint32_t digits = exact && l->is_plain ? 38 : f == FAMILY_FLOAT ? 6 : 15;
    if (l->kind != LITERAL_NUMBER || l->digits > digits || (exact && l->has_exponent)) return misfit;
    if (!exact) p.is_two_sided = dialect_orders_nan(x->dialect); /* else NaN is neither above nor below */
    return p;
}

static bool orders_by_code_point(sql_dialect d) {
    return d != DIALECT_postgres && d != DIALECT_redshift && d != DIALECT_ansi;
}

static placed place_text(const expr_context *x, const literal_value *l) {
    if (l->kind != LITERAL_TEXT) return misfit;
    return (placed){.line = LINE_TEXT,
                    .v = {.kind = VALUE_STRING, .s = l->text},
                    .exact = l->text,
                    .has_order = orders_by_code_point(x->dialect),
                    .is_two_sided = true};
}

/* As it is compared without case and blanks at the end. Accents and the like are left alone: such a text is a misfit.
 */
static bool loosen(arena *owner, str text, bool fold, str *out) {
    while (text.len && text.ptr[text.len - 1] == ' ') text.len--;
    char *copy = arena_alloc_raw(owner, text.len);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (fold && ((unsigned char)c >= 0x80 || (unsigned char)c < 0x20)) return false;
        copy[i] = fold && c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    *out = (str){copy, text.len};
    return true;
}

static placed place_loose(const expr_context *x, type_family f, const literal_value *l, bool is_prefix) {
    placed p = {.line = LINE_LOOSE, .v = {.kind = VALUE_STRING}, .exact = l->text};
    if (l->kind != LITERAL_TEXT || (f == FAMILY_UNKNOWN && !is_prefix && text_is_special(l->text))) return misfit;
    return loosen(x->owner, l->text, f != FAMILY_CHAR, &p.v.s) ? p : misfit;
}

static placed place_time(type_family f, const literal_value *l) {
    placed p = {.line = f == FAMILY_DATE ? LINE_DAY : LINE_TIME, .v = l->v, .has_order = true, .is_two_sided = true};
    int64_t days;
    if (l->kind == LITERAL_TEXT && text_is_date(l->text, &days)) {
        p.v = (value){.kind = VALUE_TIMESTAMP_NTZ, .i = days * INT64_C(86400000000)};
        return p;
    }
    return l->kind == LITERAL_DATE || l->kind == LITERAL_TIMESTAMP ? p : misfit;
}

/* A column of an unknown type goes by the literal; a wall clock may be an instant there. */
static placed place_unknown(const expr_context *x, const literal_value *l) {
    if (l->kind == LITERAL_NUMBER) return place_number(x, FAMILY_UNKNOWN, l);
    if (l->kind == LITERAL_TEXT) return place_loose(x, FAMILY_UNKNOWN, l, false);
    if (l->kind == LITERAL_DATE) return place_time(FAMILY_TIMESTAMP, l);
    return misfit;
}

static placed place(const expr_context *x, type_family f, const plan_expr *e) {
    literal_value l = literal_of(x->dialect, e);
    switch (f) {
    case FAMILY_INTEGER:
    case FAMILY_DECIMAL:
    case FAMILY_NUMERIC:
    case FAMILY_FLOAT: return place_number(x, f, &l);
    case FAMILY_TEXT: return place_text(x, &l);
    case FAMILY_CHAR:
    case FAMILY_TEXT_NOCASE: return place_loose(x, f, &l, false);
    case FAMILY_BOOLEAN:
        if (l.kind != LITERAL_BOOLEAN) return misfit;
        return (placed){.line = LINE_BOOLEAN, .v = l.v, .has_order = true, .is_two_sided = true};
    case FAMILY_DATE:
    case FAMILY_TIMESTAMP: return place_time(f, &l);
    case FAMILY_UNKNOWN: return place_unknown(x, &l);
    case FAMILY_TIMESTAMP_ZONED:
    case FAMILY_TIME:
    case FAMILY_BINARY:
    case FAMILY_UUID:
    case FAMILY_OTHER: break;
    }
    return misfit;
}

/* ---- the three sets ---- */

typedef struct three {
    value_set yes, no, null;
} three;

typedef struct search {
    const expr_context *x;
    const facts *f; /* may be NULL */
    column_id column;
    type_family family;
    uint32_t *steps;
    uint32_t depth;
} search;

static three three_of(search *s, const plan_expr *e);

static three all_three(void) {
    return (three){value_set_all, value_set_all, value_set_all};
}

static three never_null(three t) {
    t.null = value_set_none(LINE_NUMBER);
    return t;
}

static three swapped(three t) {
    return (three){t.no, t.yes, t.null};
}

static value_set when(bool possible) {
    return possible ? value_set_all : value_set_none(LINE_NUMBER);
}

static three of_outcome(outcome_set o) {
    return (three){when(o & OUTCOME_TRUE), when(o & OUTCOME_FALSE), when(o & OUTCOME_NULL)};
}

static value_set both(search *s, value_set a, value_set b) {
    return value_set_both(s->x->owner, a, b);
}

static value_set either(search *s, value_set a, value_set b) {
    return value_set_either(s->x->owner, a, b);
}

/* NULL: neither is FALSE, and one is NULL. */
static three and_of(search *s, three a, three b) {
    three out = {both(s, a.yes, b.yes), either(s, a.no, b.no), value_set_all};
    value_set one = either(s, a.null, b.null);
    out.null = both(s, one, both(s, either(s, a.yes, a.null), either(s, b.yes, b.null)));
    return out;
}

static three or_of(search *s, three a, three b) {
    return swapped(and_of(s, swapped(a), swapped(b)));
}

/* By halves, so that a long list costs little more than its length. */
static three of_list(search *s, const plan_expr *const *arg, size_t count, bool is_and) {
    if (count == 1) return three_of(s, arg[0]);
    three a = of_list(s, arg, count / 2, is_and), b = of_list(s, arg + count / 2, count - count / 2, is_and);
    return is_and ? and_of(s, a, b) : or_of(s, a, b);
}

/* ---- atoms ---- */

static value_set point_of(search *s, const placed *p) {
    value_set set = value_set_point(s->x->owner, p->line, &p->v);
    if (p->line == LINE_LOOSE) set.exact = p->exact;
    return set;
}

/* Without an order that is known, x < 'b' says that x is not 'b'. */
static three of_order(search *s, ast_op op, const placed *p) {
    arena *owner = s->x->owner;
    bool has_equal = op == OP_LE || op == OP_GE, is_low = op == OP_LT || op == OP_LE;
    three t = never_null(all_three());
    if (!p->has_order) {
        if (!p->is_two_sided) return t;
        value_set rest = value_set_complement(owner, point_of(s, p));
        if (has_equal)
            t.no = rest;
        else
            t.yes = rest;
        return t;
    }
    t.yes = is_low ? value_set_range(owner, p->line, NULL, false, &p->v, has_equal)
                   : value_set_range(owner, p->line, &p->v, has_equal, NULL, false);
    if (p->is_two_sided) t.no = value_set_complement(owner, t.yes);
    return t;
}

static three of_placed(search *s, ast_op op, const placed *p) {
    three t = never_null(all_three());
    if (p->line == LINE_ANY) return t;
    if (op != OP_EQ && op != OP_NE && op != OP_NULLSAFE_EQ) return of_order(s, op, p);
    t.yes = point_of(s, p);
    if (p->is_two_sided) t.no = value_set_complement(s->x->owner, t.yes);
    return op == OP_NE ? swapped(t) : t;
}

/* Does the comparison itself never give NULL for values? In Spark a text that is no number does. */
static bool literal_is_plain(search *s, const plan_expr *e) {
    literal_kind k = literal_of(s->x->dialect, e).kind;
    if (!dialect_is_spark(s->x->dialect)) return true;
    return (k == LITERAL_NUMBER && family_is_number(s->family)) || (k == LITERAL_TEXT && s->family == FAMILY_TEXT);
}

static three of_literal(search *s, ast_op op, const plan_expr *literal) {
    if (expr_is_null_literal(literal)) return of_outcome(op == OP_NULLSAFE_EQ ? OUTCOME_FALSE : OUTCOME_NULL);
    placed p = place(s->x, s->family, literal);
    three t = of_placed(s, op, &p);
    if (!literal_is_plain(s, literal)) t.null = value_set_all;
    return t;
}

static bool is_mine(search *s, const plan_expr *e) {
    return e->kind == EXPR_COLUMN && e->column == s->column;
}

static three of_pair(search *s, ast_op op, const plan_expr *a, const plan_expr *b) {
    const plan_expr *literal = expr_literal(b);
    if (is_mine(s, a) && literal) return of_literal(s, op, literal);
    literal = expr_literal(a);
    if (is_mine(s, b) && literal) return of_literal(s, ast_op_mirrored(op), literal);
    return all_three();
}

static ast_op weak(ast_op op) {
    return op == OP_LT ? OP_LE : op == OP_GT ? OP_GE : op;
}

/* (x, y) = (1, 2) says something of each, (x, y) > (1, 2) of the first. */
static three of_rows(search *s, ast_op op, const plan_expr *a, const plan_expr *b) {
    three t = all_three();
    if (a->arg_count != b->arg_count || op == OP_NE) return t;
    bool is_equal = op == OP_EQ || op == OP_NULLSAFE_EQ;
    for (size_t i = 0; i < (is_equal ? a->arg_count : 1); i++) {
        bool has_null = expr_is_null_literal(a->arg[i]) || expr_is_null_literal(b->arg[i]);
        if (!has_null) t.yes = both(s, t.yes, of_pair(s, weak(op), a->arg[i], b->arg[i]).yes);
    }
    return t;
}

static three of_compare(search *s, const plan_expr *e) {
    if (e->arg_count != 2 || is_quantified(e->arg[0]) || is_quantified(e->arg[1])) return all_three();
    bool rows = is_row(e->arg[0]) && is_row(e->arg[1]);
    three t = rows ? of_rows(s, e->op, e->arg[0], e->arg[1]) : of_pair(s, e->op, e->arg[0], e->arg[1]);
    return e->negated ? swapped(t) : t;
}

static three of_is(search *s, const plan_expr *e) {
    if (e->arg_count != 1 || expr_may_be_composite(s->x, e->arg[0])) return never_null(all_three());
    three a = three_of(s, e->arg[0]), t;
    if (e->is == IS_TRUE)
        t = (three){a.yes, either(s, a.no, a.null), a.null};
    else if (e->is == IS_FALSE)
        t = (three){a.no, either(s, a.yes, a.null), a.null};
    else
        t = (three){a.null, either(s, a.yes, a.no), a.null};
    t = never_null(t);
    return e->negated ? swapped(t) : t;
}

/* The values of a list of literals on one line; false when one does not fit. */
static bool list_points(search *s, const plan_expr *e, value_set *out, bool *has_null) {
    value *v = ARENA_ARRAY(s->x->owner, value, e->arg_count);
    value_line line = LINE_ANY;
    size_t count = 0;
    str exact = STR_NONE;
    *has_null = false;
    for (size_t i = 1; i < e->arg_count; i++) {
        const plan_expr *literal = expr_literal(e->arg[i]);
        if (!literal || !literal_is_plain(s, literal)) return false;
        if (expr_is_null_literal(literal)) {
            *has_null = true;
            continue;
        }
        placed p = place(s->x, s->family, literal);
        if (p.line == LINE_ANY || (count && p.line != line)) return false;
        line = p.line, exact = p.exact;
        v[count++] = p.v;
    }
    *out = value_set_points(s->x->owner, line == LINE_ANY ? LINE_NUMBER : line, v, count);
    if (count == 1 && line == LINE_LOOSE) out->exact = exact;
    return true;
}

/* (x, y) IN ((1, 2), (3, 4)) */
static value_set rows_in(search *s, const plan_expr *e) {
    value_set any = value_set_none(LINE_NUMBER);
    for (size_t i = 1; i < e->arg_count && !value_set_is_all(any); i++)
        any = is_row(e->arg[i]) ? either(s, any, of_rows(s, OP_EQ, e->arg[0], e->arg[i]).yes) : value_set_all;
    return any;
}

static bool is_two_sided(search *s, value_line line) {
    bool number = line == LINE_NUMBER && (s->family == FAMILY_FLOAT || s->family == FAMILY_UNKNOWN);
    return line != LINE_LOOSE && !(number && !dialect_orders_nan(s->x->dialect));
}

static three of_in(search *s, const plan_expr *e) {
    three t = all_three();
    bool has_null;
    value_set points;
    if (e->arg_count < 2) return t;
    if (is_row(e->arg[0])) {
        t.yes = rows_in(s, e);
    } else if (is_mine(s, e->arg[0]) && list_points(s, e, &points, &has_null)) {
        value_set rest = is_two_sided(s, points.line) ? value_set_complement(s->x->owner, points) : value_set_all;
        value_set none = value_set_none(LINE_NUMBER);
        t = (three){points, has_null ? none : rest, has_null ? rest : none};
    }
    return e->negated ? swapped(t) : t;
}

static three of_between(search *s, const plan_expr *e) {
    if (e->arg_count != 3) return all_three();
    const plan_expr *x = e->arg[0], *a = e->arg[1], *b = e->arg[2];
    three t = and_of(s, of_pair(s, OP_GE, x, a), of_pair(s, OP_LE, x, b));
    if (e->from && e->from->symmetric) t = or_of(s, t, and_of(s, of_pair(s, OP_GE, x, b), of_pair(s, OP_LE, x, a)));
    return e->negated ? swapped(t) : t;
}

/* The texts that start alike: up to the next text of that length. */
static value_set texts_from(search *s, value_line line, str prefix) {
    char *next = arena_alloc_raw(s->x->owner, prefix.len);
    memcpy(next, prefix.ptr, prefix.len);
    next[prefix.len - 1] = (char)((unsigned char)next[prefix.len - 1] + 1);
    value low = {.kind = VALUE_STRING, .s = prefix}, high = {.kind = VALUE_STRING, .s = {next, prefix.len}};
    bool fits = (unsigned char)prefix.ptr[prefix.len - 1] < 0xff;
    return fits ? value_set_range(s->x->owner, line, &low, true, &high, false) : value_set_all;
}

/* LIKE 'abc%' */
static three of_like(search *s, const plan_expr *e) {
    three t = all_three();
    bool is_plain =
        e->from && e->from->like == LIKE_LIKE && !e->from->like_any && !e->from->has_escape && e->arg_count == 2;
    const plan_expr *pattern = is_plain && is_mine(s, e->arg[0]) ? expr_literal(e->arg[1]) : NULL;
    literal_value l = pattern ? literal_of(s->x->dialect, pattern) : (literal_value){.kind = LITERAL_NONE};
    size_t backslash;
    if (l.kind != LITERAL_TEXT || str_find_char(l.text, '\\', &backslash)) return t;
    t = never_null(t);
    while (l.text.len && l.text.ptr[0] == '\0') return t;
    size_t len = 0;
    while (len < l.text.len && l.text.ptr[len] != '%' && l.text.ptr[len] != '_') len++;
    bool is_whole = len == l.text.len, is_text = s->family == FAMILY_TEXT;
    if (len == 0) return t;
    literal_value prefix = {.kind = LITERAL_TEXT, .text = str_slice(l.text, 0, len)};
    placed p = is_text ? place_text(s->x, &prefix) : place_loose(s->x, s->family, &prefix, true);
    bool fits = is_text || s->family == FAMILY_CHAR || s->family == FAMILY_TEXT_NOCASE || s->family == FAMILY_UNKNOWN;
    if (fits && p.line != LINE_ANY && p.v.s.len)
        t.yes = is_whole && is_text ? point_of(s, &p) : texts_from(s, p.line, p.v.s);
    return e->negated ? swapped(t) : t;
}

/* As a condition. Where numbers are conditions too, the type must be known. */
static three of_column(search *s, const plan_expr *e) {
    three t = never_null(all_three());
    if (!is_mine(s, e)) return all_three();
    sql_dialect d = s->x->dialect;
    bool typed = d == DIALECT_postgres || d == DIALECT_bigquery || dialect_is_trino(d);
    if (s->family != FAMILY_BOOLEAN && !(typed && s->family == FAMILY_UNKNOWN)) return t;
    value yes = {.kind = VALUE_BOOLEAN, .i = 1}, no = {.kind = VALUE_BOOLEAN, .i = 0};
    t.yes = value_set_point(s->x->owner, LINE_BOOLEAN, &yes);
    t.no = value_set_point(s->x->owner, LINE_BOOLEAN, &no);
    return t;
}

/* ---- all kinds ---- */

static three by_kind(search *s, const plan_expr *e) {
    switch ((int)e->kind) {
    case EXPR_COLUMN: return of_column(s, e);
    case EXPR_AND:
    case EXPR_OR: return e->arg_count ? of_list(s, e->arg, e->arg_count, e->kind == EXPR_AND) : all_three();
    case EXPR_NOT: return e->arg_count ? swapped(three_of(s, e->arg[0])) : all_three();
    case EXPR_COMPARE: return of_compare(s, e);
    case EXPR_IS: return of_is(s, e);
    case EXPR_IN: return of_in(s, e);
    case EXPR_BETWEEN: return of_between(s, e);
    case EXPR_LIKE: return of_like(s, e);
    default: return all_three();
    }
}

static three three_of(search *s, const plan_expr *e) {
    if (*s->steps == 0 || s->depth >= EVAL_DEPTH) return all_three();
    --*s->steps;
    if (!colset_has(e->columns, s->column))
        return of_outcome(expr_evaluate(s->x, s->f, NO_COLUMN, e, s->steps).outcome);
    s->depth++;
    three t = by_kind(s, e);
    s->depth--;
    return t;
}

static three sets_of(const expr_context *x, const facts *f, column_id id, const plan_expr *e, uint32_t *steps) {
    search s = {.x = x, .f = f, .column = id, .family = expr_column_type(x, id), .steps = steps};
    return three_of(&s, e);
}

/* ---- lists ---- */

static const domain_entry *entry_of(const domain_list *d, column_id id) {
    size_t low = 0, high = d ? d->count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->entry[middle].column == id) return &d->entry[middle];
        if (d->entry[middle].column < id)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static value_set set_of(const domain_list *d, column_id id) {
    const domain_entry *e = entry_of(d, id);
    return e ? e->set : value_set_all;
}

/* In order; entries that say nothing are left out. */
static const domain_list *list_of(arena *owner, domain_entry *entry, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (entry[i].set.line != LINE_ANY && !value_set_is_all(entry[i].set)) entry[kept++] = entry[i];
    if (kept == 0) return NULL;
    domain_list *d = ARENA_NEW(owner, domain_list);
    *d = (domain_list){entry, kept};
    return d;
}

static const domain_list *with_entry(arena *owner, const domain_list *d, domain_entry fresh) {
    size_t old = d ? d->count : 0, count = 0;
    domain_entry *entry = ARENA_ARRAY(owner, domain_entry, old + 1);
    bool placed_in = false;
    for (size_t i = 0; i < old; i++) {
        if (!placed_in && d->entry[i].column >= fresh.column) entry[count++] = fresh, placed_in = true;
        if (d->entry[i].column != fresh.column) entry[count++] = d->entry[i];
    }
    if (!placed_in) entry[count++] = fresh;
    return list_of(owner, entry, count);
}

/* ---- learning ---- */

static const plan_expr *negated(arena *owner, const plan_expr *e) {
    const plan_expr **arg = ARENA_NEW(owner, const plan_expr *);
    ast *from = ARENA_NEW(owner, ast), **inner = ARENA_NEW(owner, ast *);
    *inner = (ast *)e->from;
    *from = (ast){.kind = AST_UNARY, .op = OP_MINUS, .op_text = STR("-"), .arg = inner, .arg_count = 1, .height = 2};
    *arg = e;
    plan_expr *out = ARENA_NEW(owner, plan_expr);
    *out = (plan_expr){.kind = EXPR_ARITHMETIC, .op = OP_MINUS, .arg = arg, .arg_count = 1, .from = from, .size = 2};
    return out;
}

/* The literal of the only value; NULL for none. */
static const plan_expr *literal_for(arena *owner, const value_set *s) {
    value v;
    buf text;
    if (!value_set_is_single(*s, &v)) return NULL;
    buf_init(&text, owner, 4096);
    if (s->line == LINE_BOOLEAN) return literal_new(owner, AST_BOOLEAN, v.i ? STR("true") : STR("false"), STR(""));
    if (s->line == LINE_TEXT) return literal_new(owner, AST_STRING, v.s, STR(""));
    if (s->line == LINE_LOOSE) return str_is_none(s->exact) ? NULL : literal_new(owner, AST_STRING, s->exact, STR(""));
    if (s->line == LINE_DAY) {
        calendar_print_date(&text, v.i / INT64_C(86400000000) - (v.i % INT64_C(86400000000) < 0));
        return literal_new(owner, AST_TYPED, buf_str(&text), STR("DATE"));
    }
    if (s->line == LINE_TIME) return NULL;
    bool minus = v.kind == VALUE_DECIMAL ? v.d < 0 : v.i < 0;
    value_print(&text, &v);
    str digits = str_slice(buf_str(&text), minus, buf_str(&text).len);
    const plan_expr *e = literal_new(owner, AST_NUMBER, digits, STR(""));
    return minus ? negated(owner, e) : e;
}

static void conclude(facts *f, const domain_entry *e) {
    colset self = COLSET_EMPTY;
    colset_add(&self, e->column, f->owner);
    bool present = colset_has(f->not_null, e->column);
    if (value_set_is_empty(e->set)) { /* then it is NULL on every row */
        if (present)
            facts_no_rows(f, e->why);
        else
            facts_add_constant(f, self, e->why);
        return;
    }
    if (value_set_size(e->set) != 1) return;
    if (present)
        facts_add_constant(f, self, e->why);
    else
        f->constant_or_null = colset_union(f->constant_or_null, self, f->owner);
    const plan_expr *literal = literal_for(f->owner, &e->set);
    if (literal) facts_add_value(f, e->column, literal, e->why);
}

static void learn_set(const expr_context *x, facts *f, column_id id, value_set fresh, evidence_id why) {
    if (fresh.line == LINE_ANY || value_set_is_all(fresh)) return;
    const domain_entry *old = entry_of(f->domain, id);
    domain_entry e = {.column = id, .set = old ? value_set_both(x->owner, old->set, fresh) : fresh};
    e.why = old ? evidence_both(f->evidence, why, old->why) : why;
    f->domain = with_entry(f->owner, f->domain, e);
    conclude(f, &e);
}

static void learn_column(const expr_context *x, facts *f, column_id id, const plan_expr *condition, bool or_null,
                         evidence_id why, uint32_t *steps) {
    three t = sets_of(x, f, id, condition, steps);
    learn_set(x, f, id, or_null ? value_set_either(x->owner, t.yes, t.null) : t.yes, why);
}

/* ---- how many rows ---- */

/* The combinations of values that a key can have; `why`: the reasons of the domains. */
static uint64_t combinations(facts *f, const fact_key *key, evidence_id *why) {
    uint64_t product = 1;
    column_id id = 0;
    for (; product < UINT64_MAX && colset_next(key->columns, id, &id); id++) {
        if (colset_has(f->constant, id)) continue;
        const domain_entry *e = entry_of(f->domain, id);
        uint64_t size = e ? value_set_size(e->set) : UINT64_MAX;
        if (size < UINT64_MAX && !colset_has(f->not_null, id)) size++;
        product = size && product > UINT64_MAX / size ? UINT64_MAX : product * size;
        if (e) *why = evidence_both(f->evidence, *why, e->why);
    }
    return product;
}

static void bound_by_keys(facts *f) {
    for (uint32_t i = 0; f->domain && i < f->key_count; i++) {
        evidence_id why = f->key[i].why;
        if (f->key[i].is_presumed || !facts_key_is_strict(f, &f->key[i])) continue;
        uint64_t most = combinations(f, &f->key[i], &why);
        if (most > 1 && most < f->rows.max) facts_bound_rows(f, (row_bounds){0, most}, why);
    }
}

/* (a, b) IN ((1, 2), (3, 4)): at most one row each, if a and b are a key of the rows. */
static void bound_by_list(const expr_context *x, facts *f, const plan_expr *e, evidence_id why) {
    if (e->kind != EXPR_IN || e->negated || e->arg_count < 2 || !is_row(e->arg[0])) return;
    colset left = COLSET_EMPTY;
    for (size_t i = 0; i < e->arg[0]->arg_count; i++) {
        if (e->arg[0]->arg[i]->kind != EXPR_COLUMN) return;
        colset_add(&left, e->arg[0]->arg[i]->column, x->owner);
    }
    for (size_t i = 1; i < e->arg_count; i++)
        if (!is_row(e->arg[i]) || !colset_is_empty(e->arg[i]->columns) || !colset_is_empty(e->arg[i]->outer) ||
            e->arg[i]->is_volatile)
            return;
    evidence_id key = EVIDENCE_SQL;
    if (!facts_is_superkey(f, left, CLOSURE_STRICT, &key)) return;
    facts_bound_rows(f, (row_bounds){0, e->arg_count - 1}, evidence_both(f->evidence, why, key));
}

static void learn(const expr_context *x, facts *f, const plan_expr *condition, bool or_null, evidence_id why,
                  uint32_t *steps) {
    if (condition->kind == EXPR_AND) { /* no conjunct is FALSE, or none is anything but TRUE */
        for (size_t i = 0; i < condition->arg_count; i++) learn(x, f, condition->arg[i], or_null, why, steps);
        return;
    }
    column_id id = 0;
    for (; *steps && colset_next(condition->columns, id, &id); id++)
        learn_column(x, f, id, condition, or_null, why, steps);
    if (!or_null) bound_by_list(x, f, condition, why);
}

void domain_learn(const expr_context *x, facts *f, const plan_expr *condition, bool or_null, evidence_id why) {
    uint32_t steps = EVAL_STEPS;
    learn(x, f, condition, or_null, why, &steps);
    bound_by_keys(f);
}

/* Constants of one value: in PostgreSQL the text '1' may be a number beside another column, so the families must be
 * one. */
static bool are_equal(const expr_context *x, const facts *f, column_id column, const plan_expr *a,
                      const fact_value *b) {
    if (b->column == column || !colset_has(f->constant, b->column) || !expr_literals_equal(x, a, b->value))
        return false;
    if (expr_is_null_literal(a)) return true;
    if (!colset_has(f->not_null, b->column)) return false; /* a constant that may be NULL instead, on all rows */
    type_family l = expr_column_type(x, column), r = expr_column_type(x, b->column);
    return l == r && l != FAMILY_UNKNOWN && l != FAMILY_OTHER && l != FAMILY_FLOAT;
}

void domain_learn_value(const expr_context *x, facts *f, column_id column, const plan_expr *literal, evidence_id why) {
    placed p = place(x, expr_column_type(x, column), literal);
    for (uint32_t i = 0; colset_has(f->constant, column) && i < f->value_count; i++)
        if (are_equal(x, f, column, literal, &f->value[i])) {
            facts_add_equal(f, column, f->value[i].column);
            break;
        }
    facts_add_value(f, column, literal, why);
    if (p.line == LINE_ANY) return;
    search s = {.x = x};
    learn_set(x, f, column, point_of(&s, &p), why);
}

void domain_learn_least(const expr_context *x, facts *f, column_id column, int64_t least, evidence_id why) {
    value low = {.kind = VALUE_INT, .i = least};
    learn_set(x, f, column, value_set_range(x->owner, LINE_INTEGER, &low, true, NULL, false), why);
}

/* ---- two lists ---- */

const domain_list *domain_both(const expr_context *x, const domain_list *a, const domain_list *b) {
    if (!a || !b) return a ? a : b;
    domain_entry *entry = ARENA_ARRAY(x->owner, domain_entry, a->count + b->count);
    size_t count = 0, i = 0, k = 0;
    while (i < a->count || k < b->count) {
        bool from_a = k == b->count || (i < a->count && a->entry[i].column <= b->entry[k].column);
        bool from_b = i == a->count || (k < b->count && b->entry[k].column <= a->entry[i].column);
        domain_entry e = from_a ? a->entry[i] : b->entry[k];
        if (from_a && from_b) {
            e.set = value_set_both(x->owner, e.set, b->entry[k].set);
            if (e.why == EVIDENCE_SQL) e.why = b->entry[k].why;
        }
        i += from_a, k += from_b;
        entry[count++] = e;
    }
    return list_of(x->owner, entry, count);
}

static int by_column(const void *a, const void *b) {
    const domain_entry *l = a, *r = b;
    return l->column < r->column ? -1 : l->column > r->column;
}

const domain_list *domain_map(const expr_context *x, const domain_list *d, const column_map *map) {
    if (!d || !map) return d;
    domain_entry *entry = ARENA_ARRAY(x->owner, domain_entry, d->count);
    size_t count = 0;
    for (size_t i = 0; i < d->count; i++) {
        domain_entry e = d->entry[i];
        column_id to = column_map_get(map, e.column);
        if (to != NO_COLUMN) e.column = to;
        entry[count++] = e;
    }
    qsort(entry, count, sizeof *entry, by_column);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) { /* two columns that became one have the values of both */
        if (kept && entry[kept - 1].column == entry[i].column)
            entry[kept - 1].set = value_set_both(x->owner, entry[kept - 1].set, entry[i].set);
        else
            entry[kept++] = entry[i];
    }
    return list_of(x->owner, entry, kept);
}

const domain_list *domain_either(const expr_context *x, const domain_list *a, const column_map *of_a,
                                 const domain_list *b, const column_map *of_b) {
    const domain_list *l = domain_map(x, a, of_a), *r = domain_map(x, b, of_b);
    if (!l || !r) return NULL;
    domain_entry *entry = ARENA_ARRAY(x->owner, domain_entry, l->count);
    size_t count = 0;
    for (size_t i = 0; i < l->count; i++) {
        const domain_entry *other = entry_of(r, l->entry[i].column);
        if (!other) continue;
        domain_entry e = l->entry[i];
        e.set = value_set_either(x->owner, e.set, other->set);
        if (e.why == EVIDENCE_SQL) e.why = other->why;
        entry[count++] = e;
    }
    return list_of(x->owner, entry, count);
}

/* ---- questions ---- */

static bool meets(arena *owner, value_set domain, value_set s) {
    return !value_set_is_empty(value_set_both(owner, domain, s));
}

outcome_set domain_compare(const expr_context *x, const domain_list *d, column_id column, ast_op op,
                           const plan_expr *literal) {
    if (expr_is_null_literal(literal)) return op == OP_NULLSAFE_EQ ? OUTCOME_FALSE : OUTCOME_NULL;
    uint32_t steps = 1;
    search s = {.x = x, .column = column, .family = expr_column_type(x, column), .steps = &steps};
    three t = of_literal(&s, op, literal);
    value_set domain = set_of(d, column);
    outcome_set o =
        (meets(x->owner, domain, t.yes) ? OUTCOME_TRUE : 0) | (meets(x->owner, domain, t.no) ? OUTCOME_FALSE : 0);
    return o ? o : OUTCOME_TRUE | OUTCOME_FALSE;
}

outcome_set domain_of_truth(const domain_list *d, column_id column) {
    value v;
    value_set s = set_of(d, column);
    if (s.line != LINE_BOOLEAN || !value_set_is_single(s, &v)) return OUTCOME_TRUE | OUTCOME_FALSE;
    return v.i ? OUTCOME_TRUE : OUTCOME_FALSE;
}

uint64_t domain_size(const domain_list *d, column_id column) {
    return value_set_size(set_of(d, column));
}

/* What the column leaves of the outcomes where it is not NULL, and where it is. */
static outcome_set left_by(const expr_context *x, const facts *f, column_id id, const plan_expr *e, uint32_t *steps) {
    three t = sets_of(x, f, id, e, steps);
    value_set domain = f ? set_of(f->domain, id) : value_set_all;
    outcome_set o = (meets(x->owner, domain, t.yes) ? OUTCOME_TRUE : 0) |
                    (meets(x->owner, domain, t.no) ? OUTCOME_FALSE : 0) |
                    (meets(x->owner, domain, t.null) ? OUTCOME_NULL : 0);
    bool present = f && colset_has(f->not_null, id);
    if (o == OUTCOME_ANY || present) return o;
    return o | expr_evaluate(x, f, id, e, steps).outcome;
}

outcome_set domain_outcome(const expr_context *x, const facts *f, const plan_expr *e) {
    uint32_t steps = EVAL_STEPS;
    outcome_set all = OUTCOME_ANY;
    column_id id = 0;
    for (; steps && colset_next(e->columns, id, &id); id++) {
        outcome_set one = all & left_by(x, f, id, e, &steps);
        if (one) all = one;
    }
    return all;
}
