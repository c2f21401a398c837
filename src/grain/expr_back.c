/* expr_back.c - what the value of an expression says of its columns.
 * Called by: op_*.c, the checks.  Must not know: operators of the plan.
 */
#include "grain/expr_int.h"

typedef struct walk {
    const expr_context *x;
    colset constant; /* columns with one value on all rows */
    uint32_t steps, depth;
} walk;

/* What an expression gives back: NO_COLUMN and no set for a constant. */
typedef struct way_back {
    certainty how;
    colset columns;
} way_back;

static way_back back_of(walk *w, const plan_expr *e, bool in_hash);

static const way_back no_way = {.how = UNCERTAIN};

static bool is_fixed(const walk *w, const plan_expr *e) {
    return colset_is_subset(e->columns, w->constant) && colset_is_empty(e->outer) && !e->is_volatile;
}

static way_back at_least(way_back b, certainty how) {
    b.how = worse(b.how, how);
    return b;
}

/* Several parts side by side: each that can be told is given back, if the places where they meet can be told. */
static way_back of_parts(walk *w, const plan_expr *e, bool in_hash) {
    way_back all = {CERTAIN, COLSET_EMPTY};
    size_t parts = 0;
    for (size_t i = 0; i < e->arg_count; i++) {
        if (is_fixed(w, e->arg[i])) continue;
        way_back one = back_of(w, e->arg[i], in_hash);
        parts++;
        if (one.how == UNCERTAIN) {
            all.how = PRESUMED;
            continue;
        }
        all.how = worse(all.how, one.how);
        all.columns = colset_union(all.columns, one.columns, w->x->owner);
    }
    if (parts != 1) all.how = worse(all.how, PRESUMED);
    return colset_is_empty(all.columns) ? no_way : all;
}

/* The one argument that is no constant; NULL if there are none or several. */
static const plan_expr *only_part(const walk *w, const plan_expr *e) {
    const plan_expr *only = NULL;
    for (size_t i = 0; i < e->arg_count; i++) {
        if (is_fixed(w, e->arg[i])) continue;
        if (only) return NULL;
        only = e->arg[i];
    }
    return only;
}

static certainty exact_number(type_family f) {
    if (f == FAMILY_INTEGER || f == FAMILY_DECIMAL || f == FAMILY_NUMERIC) return CERTAIN;
    return f == FAMILY_UNKNOWN ? PRESUMED : UNCERTAIN;
}

/* Exact literals, or, presumably, columns of one value that is none that we see. Beside a float (1e0, in BigQuery 0.5 too) all is one:
 * long integers are rounded. */
static certainty others_are_exact(const walk *w, const plan_expr *e, const plan_expr *part) {
    certainty how = CERTAIN;
    for (size_t i = 0; i < e->arg_count; i++) {
        if (e->arg[i] == part) continue;
        const plan_expr *literal = expr_literal(e->arg[i]);
        certainty exact = exact_number(expr_type(w->x, literal ? literal : e->arg[i]));
        bool is_number = literal && literal_of(w->x->dialect, literal).kind == LITERAL_NUMBER && exact == CERTAIN;
        bool is_column = !literal && !colset_is_empty(e->arg[i]->columns) && exact != UNCERTAIN;
        if (!is_number && !is_column) return UNCERTAIN;
        if (is_column) how = PRESUMED;
    }
    return how;
}

/* x + 1, 1 - x, -x of exact numbers. Where sums that do not fit are NULL or wrap, decimals are presumed to fit. */
static way_back of_sum(walk *w, const plan_expr *e) {
    const plan_expr *part = only_part(w, e);
    bool is_chain = e->from && e->from->kind == AST_CHAIN;
    certainty others = part ? others_are_exact(w, e, part) : UNCERTAIN;
    if (others == UNCERTAIN) return no_way;
    for (size_t i = 0; i < e->arg_count; i++) {
        ast_op op = is_chain && i ? e->from->link[i - 1].op : e->op;
        if (op != OP_ADD && op != OP_SUB && op != OP_PLUS && op != OP_MINUS) return no_way;
    }
    type_family f = expr_type(w->x, part);
    certainty how = worse(exact_number(f), others);
    if (how == CERTAIN && dialect_is_spark(w->x->dialect) && f != FAMILY_INTEGER) how = PRESUMED;
    return how == UNCERTAIN ? no_way : at_least(back_of(w, part, false), how);
}

static certainty cast_to_text(const expr_context *x, type_family from, str to, bool is_cut) {
    uint64_t room = type_length(to);
    if (is_cut && room < 40) return PRESUMED;
    switch ((int)from) {
    case FAMILY_INTEGER:
    case FAMILY_DECIMAL:
    case FAMILY_NUMERIC:
    case FAMILY_BOOLEAN:
    case FAMILY_UUID: return is_cut && from != FAMILY_INTEGER && from != FAMILY_UUID ? PRESUMED : CERTAIN;
    case FAMILY_TEXT: return is_cut ? PRESUMED : CERTAIN;
    case FAMILY_DATE:
    case FAMILY_TIMESTAMP: return x->dialect == DIALECT_postgres || x->dialect == DIALECT_duckdb ? CERTAIN : PRESUMED;
    default: return PRESUMED;
    }
}

/* What is no text is printed. PostgreSQL and DuckDB print whatever they have so that it can be read back. */
static certainty printed(const expr_context *x, type_family from) {
    bool in_full = x->dialect == DIALECT_postgres || x->dialect == DIALECT_duckdb;
    return from == FAMILY_UNKNOWN && in_full ? CERTAIN : cast_to_text(x, from, STR(""), false);
}

/* x || 'a': '' and NULL are two things, and arrays may be joined where the type is not known. */
static way_back of_concat(walk *w, const plan_expr *e, bool in_hash) {
    bool total;
    way_back all = of_parts(w, e, in_hash);
    for (size_t i = 0; i < e->arg_count; i++) {
        bool is_chain = e->from && e->from->kind == AST_CHAIN;
        if (is_chain && i && e->from->link[i - 1].op != OP_CONCAT) return no_way;
        const plan_expr *literal = expr_literal(e->arg[i]);
        bool may_be_null = is_fixed(w, e->arg[i]) && (!literal || expr_is_null_literal(literal));
        if (may_be_null) return no_way;
    }
    const plan_expr *part = only_part(w, e);
    if (part) all = at_least(all, printed(w->x, expr_type(w->x, part)));
    return all.how == CERTAIN && !operator_is_strict(w->x, e, &total) ? at_least(all, PRESUMED) : all;
}

/* Does the name of such a type, alone, hold all of its values? decimal is decimal(18, 3) in DuckDB and decimal(38, 0) in Trino,
 * where timestamp is timestamp(3). */
static bool type_is_widest(sql_dialect d, type_family f) {
    switch ((int)f) {
    case FAMILY_NUMERIC:
    case FAMILY_BOOLEAN:
    case FAMILY_DATE:
    case FAMILY_BINARY:
    case FAMILY_UUID: return true;
    case FAMILY_TIMESTAMP:
    case FAMILY_TIMESTAMP_ZONED:
    case FAMILY_TIME: return !dialect_is_trino(d);
    default: return false;
    }
}

/* Texts of numbers: '1' and '01' are one number, so nothing is given back from text. */
static way_back of_cast(walk *w, const plan_expr *e, bool in_hash) {
    if (e->arg_count != 1) return no_way;
    type_family from = expr_type(w->x, e->arg[0]), to = expr_type_of_name(w->x->dialect, e->type);
    bool is_cut = type_cuts(w->x->dialect, e->type), spark = dialect_is_spark(w->x->dialect);
    bool to_text = to == FAMILY_TEXT || to == FAMILY_CHAR;
    certainty how = UNCERTAIN;
    if (to_text)
        how = worse(cast_to_text(w->x, from, e->type, is_cut), to == FAMILY_TEXT ? CERTAIN : PRESUMED);
    else if (from == FAMILY_INTEGER && (to == FAMILY_INTEGER || to == FAMILY_DECIMAL || to == FAMILY_NUMERIC))
        how = spark || e->is_try || (is_cut && to != FAMILY_INTEGER) ? PRESUMED : CERTAIN;
    else if (from == FAMILY_INTEGER && to == FAMILY_FLOAT)
        how = PRESUMED;
    else if (from == FAMILY_DATE && (to == FAMILY_TIMESTAMP || to == FAMILY_DATE))
        how = e->is_try ? PRESUMED : CERTAIN;
    else if (from == to && from != FAMILY_UNKNOWN && !is_cut)
        how = e->is_try || !type_is_widest(w->x->dialect, to) ? PRESUMED : CERTAIN;
    return how == UNCERTAIN ? no_way : at_least(back_of(w, e->arg[0], in_hash), how);
}

typedef enum hash_role { NOT_A_HASH, A_HASH, A_COAT } hash_role;

/* Hashes do not collide, presumably; hex digits and base64 are a coat over what they show. */
static hash_role role_of(str name) {
    static const char *const hashes[] = {"md5",      "md5_hex",     "md5_binary", "sha",      "sha1",
                                         "sha1_hex", "sha1_binary", "sha2",       "sha2_hex", "sha2_binary",
                                         "sha224",   "sha256",      "sha384",     "sha512",   "farm_fingerprint",
                                         "xxhash64", "hash",        "md5_number", "digest"};
    static const char *const coats[] = {"to_hex",     "hex",     "base64",     "to_base64", "encode",
                                        "hex_encode", "reverse", "to_varchar", "string",    "to_utf8"};
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        if (str_eq(name, str_from(hashes[i]))) return A_HASH;
    for (size_t i = 0; i < sizeof coats / sizeof *coats; i++)
        if (str_eq(name, str_from(coats[i]))) return A_COAT;
    return NOT_A_HASH;
}

/* COALESCE(x, '__null__'): a word that no value is. */
static bool has_word_for_null(const plan_expr *e) {
    const plan_expr *literal = e->arg_count == 2 ? expr_literal(e->arg[1]) : NULL;
    if (!literal || !literal->from || literal->from->kind != AST_STRING) return false;
    str text = literal->from->text;
    for (size_t i = 0; i + 4 < text.len; i++) /* more than the word itself */
        if (str_eq_nocase(str_slice(text, i, i + 4), STR("null"))) return true;
    return text.len > 4 && str_ends_with(text, STR("null"));
}

static way_back of_call(walk *w, const plan_expr *e, bool in_hash) {
    const call_semantics *s = call_semantics_of(e);
    hash_role role = role_of(e->name);
    if (role == A_HASH) return at_least(of_parts(w, e, true), PRESUMED);
    if (role == A_COAT) {
        const plan_expr *part = only_part(w, e);
        return part && e->arg_count && part == e->arg[0] ? at_least(back_of(w, part, in_hash), PRESUMED) : no_way;
    }
    if (!s) return no_way;
    if (s->shape == SHAPE_CONCAT || s->shape == SHAPE_CONCAT_WS) return at_least(of_parts(w, e, in_hash), PRESUMED);
    bool has_default = s->shape == SHAPE_COALESCE && only_part(w, e) == e->arg[0] && (in_hash || has_word_for_null(e));
    return has_default ? at_least(back_of(w, e->arg[0], in_hash), PRESUMED) : no_way;
}

static way_back back_by_kind(walk *w, const plan_expr *e, bool in_hash) {
    switch ((int)e->kind) {
    case EXPR_COLUMN: {
        way_back b = {CERTAIN, COLSET_EMPTY};
        colset_add(&b.columns, e->column, w->x->owner);
        return b;
    }
    case EXPR_ARITHMETIC: return e->op == OP_CONCAT ? of_concat(w, e, in_hash) : of_sum(w, e);
    case EXPR_CAST: return of_cast(w, e, in_hash);
    case EXPR_FUNCTION: return of_call(w, e, in_hash);
    case EXPR_NOT:
        return e->arg_count ? at_least(back_of(w, e->arg[0], false),
                                       expr_type(w->x, e->arg[0]) == FAMILY_BOOLEAN ? CERTAIN : PRESUMED)
                            : no_way;
    case EXPR_OTHER: return is_row(e) ? at_least(of_parts(w, e, in_hash), PRESUMED) : no_way;
    default: return no_way;
    }
}

static way_back back_of(walk *w, const plan_expr *e, bool in_hash) {
    if (w->steps == 0 || w->depth >= EVAL_DEPTH || e->is_volatile || !colset_is_empty(e->outer)) return no_way;
    w->steps--;
    w->depth++;
    way_back b = back_by_kind(w, e, in_hash);
    w->depth--;
    return b.how == UNCERTAIN ? no_way : b;
}

certainty expr_is_one_to_one(const expr_context *x, const plan_expr *e, colset *all) {
    return expr_is_one_to_one_among(x, COLSET_EMPTY, e, all);
}

certainty expr_is_one_to_one_among(const expr_context *x, colset constant, const plan_expr *e, colset *all) {
    walk w = {.x = x, .constant = constant, .steps = EVAL_STEPS};
    way_back b = back_of(&w, e, false);
    *all = b.columns;
    return b.how;
}
