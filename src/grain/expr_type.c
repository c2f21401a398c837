/* expr_type.c - the family of a type's name, and of an expression.
 * Called by: grain/expr_*.c, domain.c, op_*.c.  Must not know: facts.
 */
#include "grain/expr_int.h"

#include <string.h>

/* ---- names of types ---- */

typedef struct type_row {
    const char *name;
    type_family family;
} type_row;

static const type_row type_rows[] = {
    {"int", FAMILY_INTEGER},
    {"integer", FAMILY_INTEGER},
    {"bigint", FAMILY_INTEGER},
    {"smallint", FAMILY_INTEGER},
    {"tinyint", FAMILY_INTEGER},
    {"int2", FAMILY_INTEGER},
    {"int4", FAMILY_INTEGER},
    {"int8", FAMILY_INTEGER},
    {"int16", FAMILY_INTEGER},
    {"int32", FAMILY_INTEGER},
    {"int64", FAMILY_INTEGER},
    {"int128", FAMILY_INTEGER},
    {"byteint", FAMILY_INTEGER},
    {"serial", FAMILY_INTEGER},
    {"bigserial", FAMILY_INTEGER},
    {"smallserial", FAMILY_INTEGER},
    {"serial2", FAMILY_INTEGER},
    {"serial4", FAMILY_INTEGER},
    {"serial8", FAMILY_INTEGER},
    {"byte", FAMILY_INTEGER},
    {"short", FAMILY_INTEGER},
    {"long", FAMILY_INTEGER},
    {"hugeint", FAMILY_INTEGER},
    {"ubigint", FAMILY_INTEGER},
    {"uinteger", FAMILY_INTEGER},
    {"usmallint", FAMILY_INTEGER},
    {"utinyint", FAMILY_INTEGER},
    {"mediumint", FAMILY_INTEGER},
    {"oid", FAMILY_INTEGER},
    {"numeric", FAMILY_NUMERIC},
    {"decimal", FAMILY_NUMERIC},
    {"dec", FAMILY_NUMERIC},
    {"number", FAMILY_NUMERIC},
    {"bignumeric", FAMILY_NUMERIC},
    {"bigdecimal", FAMILY_NUMERIC},
    {"float", FAMILY_FLOAT},
    {"float4", FAMILY_FLOAT},
    {"float8", FAMILY_FLOAT},
    {"float64", FAMILY_FLOAT},
    {"real", FAMILY_FLOAT},
    {"double", FAMILY_FLOAT},
    {"double precision", FAMILY_FLOAT},
    {"text", FAMILY_TEXT},
    {"varchar", FAMILY_TEXT},
    {"string", FAMILY_TEXT},
    {"character varying", FAMILY_TEXT},
    {"char varying", FAMILY_TEXT},
    {"nvarchar", FAMILY_TEXT},
    {"nvarchar2", FAMILY_TEXT},
    {"varchar2", FAMILY_TEXT},
    {"\"char\"", FAMILY_TEXT},
    {"name", FAMILY_TEXT},
    {"char", FAMILY_CHAR},
    {"character", FAMILY_CHAR},
    {"nchar", FAMILY_CHAR},
    {"bpchar", FAMILY_CHAR},
    {"citext", FAMILY_TEXT_NOCASE},
    {"bool", FAMILY_BOOLEAN},
    {"boolean", FAMILY_BOOLEAN},
    {"date", FAMILY_DATE},
    {"timestamp without time zone", FAMILY_TIMESTAMP},
    {"timestamp_ntz", FAMILY_TIMESTAMP},
    {"timestampntz", FAMILY_TIMESTAMP},
    {"datetime", FAMILY_TIMESTAMP},
    {"timestamptz", FAMILY_TIMESTAMP_ZONED},
    {"timestamp_tz", FAMILY_TIMESTAMP_ZONED},
    {"timestamp_ltz", FAMILY_TIMESTAMP_ZONED},
    {"timestamp with time zone", FAMILY_TIMESTAMP_ZONED},
    {"timestamp with local time zone", FAMILY_TIMESTAMP_ZONED},
    {"timestamp", FAMILY_TIMESTAMP},
    {"time", FAMILY_TIME},
    {"time without time zone", FAMILY_TIME},
    {"bytea", FAMILY_BINARY},
    {"binary", FAMILY_BINARY},
    {"varbinary", FAMILY_BINARY},
    {"bytes", FAMILY_BINARY},
    {"blob", FAMILY_BINARY},
    {"binary varying", FAMILY_BINARY},
    {"uuid", FAMILY_UUID},
    {"json", FAMILY_OTHER},
    {"jsonb", FAMILY_OTHER},
    {"variant", FAMILY_OTHER},
    {"object", FAMILY_OTHER},
    {"array", FAMILY_OTHER},
    {"super", FAMILY_OTHER},
    {"interval", FAMILY_OTHER},
    {"struct", FAMILY_OTHER},
    {"map", FAMILY_OTHER},
    {"row", FAMILY_OTHER},
    {"list", FAMILY_OTHER},
    {"geometry", FAMILY_OTHER},
    {"geography", FAMILY_OTHER},
    {"xml", FAMILY_OTHER},
    {"point", FAMILY_OTHER},
    {"tsvector", FAMILY_OTHER},
    {"hstore", FAMILY_OTHER},
    {"timetz", FAMILY_OTHER},
    {"time with time zone", FAMILY_OTHER},
    {"inet", FAMILY_OTHER},
    {"bit", FAMILY_OTHER},
    {"varbit", FAMILY_OTHER},
    {"money", FAMILY_OTHER},
    {"uhugeint", FAMILY_OTHER}, /* a float beside signed integers */
};

enum { LONGEST_TYPE = 48 };

/* Lower case, without what stands in brackets, single blanks between the words. */
static str base_name(str declared, char into[LONGEST_TYPE]) {
    size_t len = 0, depth = 0;
    bool gap = false;
    for (size_t i = 0; i < declared.len && len + 2 < LONGEST_TYPE; i++) {
        char c = declared.ptr[i];
        if (c == '(' || c == '<')
            depth++;
        else if ((c == ')' || c == '>') && depth)
            depth--;
        else if (c == ' ' || c == '\t' || c == '\n')
            gap = true;
        else if (!depth) {
            if (gap && len) into[len++] = ' ';
            gap = false;
            into[len++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        }
        if (depth) gap = true;
    }
    return (str){into, len};
}

static type_family family_of_word(str word) {
    for (size_t i = 0; i < sizeof type_rows / sizeof *type_rows; i++)
        if (str_eq(word, str_from(type_rows[i].name))) return type_rows[i].family;
    return FAMILY_UNKNOWN;
}

bool type_has_length(str type) {
    size_t at;
    return str_find_char(type, '(', &at);
}

bool type_cuts(sql_dialect d, str type) {
    static const char *const shorts[] = {"\"char\"", "name", "char", "character", "nchar"};
    char room[LONGEST_TYPE];
    str word = base_name(type, room);
    if (type_has_length(type)) return true;
    for (size_t i = 0; i < sizeof shorts / sizeof *shorts && d != DIALECT_duckdb; i++)
        if (str_eq(word, str_from(shorts[i]))) return true;
    return false;
}

uint64_t type_length(str type) {
    size_t at;
    if (!str_find_char(type, '(', &at)) return 0;
    uint64_t n = 0;
    for (size_t i = at + 1; i < type.len && type.ptr[i] >= '0' && type.ptr[i] <= '9' && n < 100000000; i++)
        n = n * 10 + (uint64_t)(type.ptr[i] - '0');
    return n;
}

/* Only PostgreSQL has decimals without a scale of their own. */
static type_family decimal_of(sql_dialect d, str declared) {
    bool fixed = (d != DIALECT_postgres && d != DIALECT_ansi) || type_has_length(declared);
    return fixed ? FAMILY_DECIMAL : FAMILY_NUMERIC;
}

/* CHAR is another name of VARCHAR in some dialects; in Redshift blanks at the end do not count in VARCHAR either. */
static type_family text_of(sql_dialect d, type_family f) {
    if (d == DIALECT_redshift) return FAMILY_CHAR;
    bool same = d == DIALECT_snowflake || d == DIALECT_duckdb || d == DIALECT_bigquery;
    return same ? FAMILY_TEXT : f;
}

static type_family timestamp_of(sql_dialect d) {
    return d == DIALECT_bigquery || dialect_is_spark(d) ? FAMILY_TIMESTAMP_ZONED : FAMILY_TIMESTAMP;
}

/* varchar(20) COLLATE nocase: where that begins; SIZE_MAX when there is none. */
static size_t find_collation(str declared) {
    str word = STR(" collate ");
    for (size_t i = 0; i + word.len <= declared.len; i++)
        if (str_eq_nocase(str_slice(declared, i, i + word.len), word)) return i;
    return SIZE_MAX;
}

/* Under these, equal texts are identical. */
static bool collation_is_plain(str name) {
    static const char *const plain[] = {"c", "posix", "ucs_basic", "default", "binary", "utf8_binary", "utf8"};
    bool is_quoted = name.len > 1 && strchr("\"'`", name.ptr[0]);
    if (is_quoted) name = str_slice(name, 1, name.len - 1);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (str_eq_nocase(name, str_from(plain[i]))) return true;
    return false;
}

static type_family type_of_collated(sql_dialect dialect, str declared, size_t at) {
    type_family f = expr_type_of_name(dialect, str_slice(declared, 0, at));
    if (f != FAMILY_TEXT && f != FAMILY_CHAR) return f;
    return collation_is_plain(str_slice(declared, at + sizeof " collate " - 1, declared.len)) ? f : FAMILY_TEXT_NOCASE;
}

type_family expr_type_of_name(sql_dialect dialect, str declared) {
    size_t collated = find_collation(declared);
    if (collated != SIZE_MAX) return type_of_collated(dialect, declared, collated);
    char room[LONGEST_TYPE];
    str word = base_name(declared, room);
    size_t at;
    if (str_find_char(declared, '[', &at) || str_find_char(declared, '<', &at)) return FAMILY_OTHER;
    if (str_eq(word, STR("timestamp"))) return timestamp_of(dialect);
    type_family f = family_of_word(word);
    if (f == FAMILY_NUMERIC) return decimal_of(dialect, declared);
    if (f == FAMILY_TEXT || f == FAMILY_CHAR) return text_of(dialect, f);
    return f;
}

bool family_is_number(type_family f) {
    return f == FAMILY_INTEGER || f == FAMILY_DECIMAL || f == FAMILY_NUMERIC || f == FAMILY_FLOAT;
}

static bool is_text(type_family f) {
    return f == FAMILY_TEXT || f == FAMILY_CHAR || f == FAMILY_TEXT_NOCASE;
}

certainty expr_types_compare(type_family a, type_family b) {
    if (a == FAMILY_OTHER || b == FAMILY_OTHER) return a == b ? PRESUMED : UNCERTAIN;
    if (a == FAMILY_UNKNOWN || b == FAMILY_UNKNOWN) return PRESUMED;
    if (a == b) return CERTAIN;
    bool exact = family_is_number(a) && family_is_number(b) && a != FAMILY_FLOAT && b != FAMILY_FLOAT;
    return exact ? CERTAIN : UNCERTAIN;
}

/* ---- expressions ---- */

/* One question looks at so many columns and nodes. */
typedef struct typing {
    const expr_context *x;
    uint32_t steps;
    uint32_t depth;
} typing;
enum { TYPE_STEPS = 4000, TYPE_DEPTH = 200, NOT_YET = 255 };

static type_family type_of(typing *t, const plan_expr *e);
static type_family type_of_column(typing *t, column_id id);

/* The family of a value that comes from either. PostgreSQL keeps the scale of each. */
static type_family merged(sql_dialect d, type_family a, type_family b) {
    bool loose = d == DIALECT_postgres || d == DIALECT_ansi;
    if (a == b) return a == FAMILY_DECIMAL && loose ? FAMILY_NUMERIC : a;
    bool exact = family_is_number(a) && family_is_number(b) && a != FAMILY_FLOAT && b != FAMILY_FLOAT;
    if (exact) return loose ? FAMILY_NUMERIC : FAMILY_DECIMAL;
    if (family_is_number(a) && family_is_number(b)) return FAMILY_FLOAT;
    if (a == FAMILY_TEXT_NOCASE && is_text(b)) return a;
    if (is_text(a) && is_text(b)) return b == FAMILY_TEXT_NOCASE ? b : FAMILY_CHAR; /* one is CHAR, the result may be */
    return FAMILY_UNKNOWN;
}

/* A text literal takes the type of what it stands beside; NULL has none, but in a cast. */
static type_family merged_args(typing *t, const plan_expr *e, size_t first, size_t step, size_t end) {
    type_family all = FAMILY_UNKNOWN;
    bool started = false, has_text = false;
    for (size_t i = first; i < end; i += step) {
        const plan_expr *literal = expr_literal(e->arg[i]);
        bool is_typed = e->arg[i]->kind == EXPR_CAST;
        if (literal && !is_typed && expr_is_null_literal(literal)) continue;
        if (literal && !is_typed && literal->kind == EXPR_CONSTANT && literal->from && literal->from->kind == AST_STRING) {
            has_text = true;
            continue;
        }
        type_family f = type_of(t, e->arg[i]);
        all = started ? merged(t->x->dialect, all, f) : f;
        started = true;
    }
    if (!started) return has_text ? FAMILY_TEXT : FAMILY_UNKNOWN;
    if (has_text && all == FAMILY_NUMERIC) return FAMILY_NUMERIC;
    if (has_text && !is_text(all) && all != FAMILY_INTEGER && all != FAMILY_DATE && all != FAMILY_UUID)
        return FAMILY_UNKNOWN;
    return all;
}

static type_family type_of_case(typing *t, const plan_expr *e) {
    size_t first = e->from && e->from->has_subject ? 2 : 1;
    bool has_else = e->from && e->from->has_else;
    type_family thens = merged_args(t, e, first, 2, e->arg_count - (has_else ? 1 : 0));
    if (!has_else || e->arg_count <= first + 1) return thens;
    const plan_expr *last = e->arg[e->arg_count - 1];
    if (expr_is_null_literal(last)) return thens;
    const plan_expr *both[] = {e->arg[first], last};
    plan_expr pair = {.kind = EXPR_OTHER, .arg = both, .arg_count = 2};
    type_family edge = merged_args(t, &pair, 0, 1, 2);
    return edge == thens ? edge : merged(t->x->dialect, thens, edge);
}

static type_family type_of_function(typing *t, const plan_expr *e) {
    const call_semantics *s = call_semantics_of(e);
    if (!s) return FAMILY_UNKNOWN;
    if (s->is_first) return e->arg_count ? type_of(t, e->arg[0]) : FAMILY_UNKNOWN;
    if (!s->is_merged) return s->family == FAMILY_TEXT ? text_of(t->x->dialect, FAMILY_TEXT) : s->family;
    bool passes_first = s->shape == SHAPE_IF || s->shape == SHAPE_NVL2;
    return merged_args(t, e, passes_first ? 1 : 0, 1, e->arg_count);
}

/* With more digits a literal is no decimal: a float, where decimals have an end. */
enum { MAX_DECIMAL_DIGITS = 38 };

static type_family type_of_number(sql_dialect d, str written) {
    bool whole = true, exponent = false;
    size_t digits = 0;
    for (size_t i = 0; i < written.len; i++) {
        char c = written.ptr[i];
        bool digit = c >= '0' && c <= '9';
        digits += digit;
        exponent |= c == 'e' || c == 'E';
        whole &= digit;
        if (!digit && c != '.' && c != 'e' && c != 'E' && c != '+' && c != '-') return FAMILY_UNKNOWN;
    }
    bool is_long = digits > MAX_DECIMAL_DIGITS;
    if (whole && !is_long) return FAMILY_INTEGER;
    if (d == DIALECT_postgres || d == DIALECT_ansi) return FAMILY_NUMERIC;
    return exponent || is_long || d == DIALECT_bigquery ? FAMILY_FLOAT : FAMILY_DECIMAL;
}

static type_family type_of_constant(typing *t, const plan_expr *e) {
    if (!e->from) return FAMILY_UNKNOWN;
    switch ((int)e->from->kind) {
    case AST_NUMBER: return type_of_number(t->x->dialect, e->from->text);
    case AST_STRING: return FAMILY_TEXT;
    case AST_BOOLEAN: return FAMILY_BOOLEAN;
    case AST_TYPED: return expr_type_of_name(t->x->dialect, e->from->type_name);
    case AST_OTHER: return e->from->form == FORM_INTERVAL ? FAMILY_OTHER : FAMILY_UNKNOWN;
    default: return FAMILY_UNKNOWN;
    }
}

/* + - * of exact numbers; a quotient has a scale of its own where scales are free, and a type of its own elsewhere. */
static type_family type_of_arithmetic(typing *t, const plan_expr *e) {
    bool is_chain = e->from && e->from->kind == AST_CHAIN;
    if (e->op == OP_CONCAT && e->arg_count) {
        type_family a = type_of(t, e->arg[0]), b = type_of(t, e->arg[e->arg_count > 1 ? 1 : 0]);
        return is_text(a) || is_text(b) ? text_of(t->x->dialect, FAMILY_TEXT) : FAMILY_UNKNOWN;
    }
    type_family all = FAMILY_UNKNOWN;
    for (size_t i = 0; i < e->arg_count; i++) {
        ast_op op = is_chain && i ? e->from->link[i - 1].op : e->op;
        bool plain = op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_PLUS || op == OP_MINUS;
        type_family f = type_of(t, e->arg[i]);
        if (!plain || !family_is_number(f)) return FAMILY_UNKNOWN;
        bool keeps = all == FAMILY_DECIMAL && (f == FAMILY_DECIMAL || f == FAMILY_INTEGER);
        all = i == 0                                                    ? f
              : keeps || (all == FAMILY_INTEGER && f == FAMILY_DECIMAL) ? FAMILY_DECIMAL
                                                                        : merged(t->x->dialect, all, f);
    }
    return all;
}

static type_family type_of(typing *t, const plan_expr *e) {
    if (t->steps == 0 || t->depth >= TYPE_DEPTH) return FAMILY_UNKNOWN;
    t->steps--;
    t->depth++;
    type_family f = FAMILY_UNKNOWN;
    switch (e->kind) {
    case EXPR_COLUMN:
    case EXPR_OUTER: f = type_of_column(t, e->column); break;
    case EXPR_CONSTANT: f = type_of_constant(t, e); break;
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_NOT:
    case EXPR_COMPARE:
    case EXPR_IS:
    case EXPR_IN:
    case EXPR_BETWEEN:
    case EXPR_LIKE: f = FAMILY_BOOLEAN; break;
    case EXPR_ARITHMETIC: f = type_of_arithmetic(t, e); break;
    case EXPR_CAST: f = expr_type_of_name(t->x->dialect, e->type); break;
    case EXPR_CASE: f = type_of_case(t, e); break;
    case EXPR_FUNCTION: f = type_of_function(t, e); break;
    case EXPR_AGGREGATE:
    case EXPR_WINDOW: break;
    case EXPR_OTHER:
        if (is_row(e) ||
            (e->from && (e->from->form == FORM_ARRAY || e->from->form == FORM_STRUCT || e->from->form == FORM_MAP)))
            f = FAMILY_OTHER;
        break;
    }
    t->depth--;
    return f;
}

/* ---- aggregates and windows ---- */

static bool is_one_of(str name, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (str_eq_nocase(name, str_from(list[i]))) return true;
    return false;
}
#define IS_ONE_OF(name, list) is_one_of((name), (list), sizeof(list) / sizeof *(list))

static type_family type_of_call(typing *t, const plan_expr *e) {
    static const char *const counts[] = {"count",      "row_number", "rank",    "dense_rank",
                                         "ntile",      "count_if",   "countif", "approx_count_distinct",
                                         "regr_count", "grouping"};
    static const char *const passed[] = {"min",    "max",    "any_value", "first_value", "last_value", "nth_value",
                                         "lag",    "lead",   "first",     "last",        "arbitrary",  "mode",
                                         "max_by", "min_by", "arg_max",   "arg_min"};
    static const char *const flags[] = {"bool_and",   "bool_or",     "every",     "logical_and",
                                        "logical_or", "booland_agg", "boolor_agg"};
    if (IS_ONE_OF(e->name, counts)) return FAMILY_INTEGER;
    if (IS_ONE_OF(e->name, flags)) return FAMILY_BOOLEAN;
    if (IS_ONE_OF(e->name, passed) && e->arg_count) {
        bool has_default = e->arg_count > 2;
        return has_default ? FAMILY_UNKNOWN : type_of(t, e->arg[0]);
    }
    if (str_eq_nocase(e->name, STR("sum")) && e->arg_count) {
        type_family f = type_of(t, e->arg[0]);
        return f == FAMILY_DECIMAL || f == FAMILY_NUMERIC || f == FAMILY_FLOAT ? f : FAMILY_UNKNOWN;
    }
    return FAMILY_UNKNOWN;
}

/* ---- columns ---- */

static type_family of_sources(typing *t, const plan_column *c) {
    type_family all = FAMILY_UNKNOWN;
    bool started = false;
    for (size_t i = 0; i < c->source_count; i++) {
        if (c->source[i] == NO_COLUMN) continue;
        type_family f = type_of_column(t, c->source[i]);
        all = started ? merged(t->x->dialect, all, f) : f;
        started = true;
        if (all == FAMILY_UNKNOWN) return all;
    }
    return all;
}

static type_family of_cells(typing *t, const plan_column *c, column_id id) {
    const plan_node *n = c->made_by;
    if (!n || n->kind != PLAN_VALUES || n->values.row_count == 0) return FAMILY_UNKNOWN;
    for (size_t i = 0; i < n->column_count; i++)
        if (n->column[i] == id) {
            plan_expr cells = {
                .kind = EXPR_OTHER, .arg = n->values.cell, .arg_count = n->values.row_count * n->column_count};
            return merged_args(t, &cells, i, n->column_count, cells.arg_count);
        }
    return FAMILY_UNKNOWN;
}

static type_family of_definition(typing *t, const plan_column *c, column_id id) {
    switch (c->origin) {
    case COLUMN_MERGED:
    case COLUMN_SET:
    case COLUMN_COPY:
    case COLUMN_SUBQUERY: return of_sources(t, c);
    case COLUMN_EXPRESSION: return c->definition ? type_of(t, c->definition) : FAMILY_UNKNOWN;
    case COLUMN_AGGREGATE:
    case COLUMN_WINDOW: return c->definition ? type_of_call(t, c->definition) : FAMILY_UNKNOWN;
    case COLUMN_ORDINALITY: return FAMILY_INTEGER;
    case COLUMN_MARK: return FAMILY_BOOLEAN;
    case COLUMN_VALUES: return of_cells(t, c, id);
    case COLUMN_BASE: return c->declared ? expr_type_of_name(t->x->dialect, c->declared->type) : FAMILY_UNKNOWN;
    case COLUMN_FUNCTION:
    case COLUMN_OF_UNKNOWN:
    case COLUMN_STRAY: break;
    }
    return FAMILY_UNKNOWN;
}

static type_family type_of_column(typing *t, column_id id) {
    if (id >= t->x->plan->column_count) return FAMILY_UNKNOWN; /* hidden */
    if (t->x->family && t->x->family[id] != NOT_YET) return (type_family)t->x->family[id];
    if (t->steps == 0 || t->depth >= TYPE_DEPTH) return FAMILY_UNKNOWN;
    t->steps--;
    t->depth++;
    type_family f = of_definition(t, &t->x->plan->column[id], id);
    t->depth--;
    return f;
}

type_family expr_type(const expr_context *x, const plan_expr *e) {
    typing t = {.x = x, .steps = TYPE_STEPS};
    return type_of(&t, e);
}

type_family expr_column_type(const expr_context *x, column_id column) {
    typing t = {.x = x, .steps = TYPE_STEPS};
    return type_of_column(&t, column);
}

/* Columns are made of earlier ones, but for few, so each is worked out from what is known. */
expr_context expr_context_new(const plan *p, sql_dialect dialect, arena *owner) {
    uint8_t *family = arena_alloc_raw(owner, p->column_count);
    memset(family, NOT_YET, p->column_count);
    expr_context x = {p, dialect, owner, family};
    for (size_t i = 0; i < p->column_count; i++) family[i] = (uint8_t)expr_column_type(&x, (column_id)i);
    return x;
}
