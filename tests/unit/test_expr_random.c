/* test_expr_random.c - random conditions over all rows of small values: nothing that is told of them may be false.
 * Called by: ctest.  Must not know: how it is told.
 *
 * The evaluator below is written from the SQL standard and the manuals of the dialects, not from grain.
 */
#include "expr_lab.h"

#include "base/buf.h"

static const char ddl[] =
    "CREATE TABLE t (a int, b int, n int NOT NULL, p boolean, q boolean NOT NULL, s text, u text NOT NULL)";
enum { A, B, N, P, Q, S, U, COLUMNS };
static const char *const column_name[] = {"a", "b", "n", "p", "q", "s", "u"};

static uint32_t seed;
static uint32_t roll(uint32_t n) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

/* ---- values ---- */

typedef enum kind { IS_ABSENT, NUMBER, TRUTH, TEXT } kind;
typedef struct datum {
    kind kind;
    double number; /* small and exact; TRUTH: 0 or 1 */
    char text[24];
} datum;

static const datum absent = {IS_ABSENT, 0, ""};
static datum truth(bool b) {
    return (datum){TRUTH, b, ""};
}
static datum number(double d) {
    return (datum){NUMBER, d, ""};
}
static datum text_of(const char *s, size_t len) {
    datum d = {TEXT, 0, ""};
    memcpy(d.text, s, len < 23 ? len : 23);
    return d;
}

typedef struct table_row {
    datum value[COLUMNS];
} table_row;

static table_row row[4096];
static size_t row_count;

/* Every third text stands before the others whatever its letters: no order of the code points. */
static int rank_of(const char *s) {
    int sum = 0;
    for (; *s; s++) sum = sum * 7 + *s % 13;
    return sum;
}

static sql_dialect dialect;
static int order_of(const datum *l, const datum *r) {
    if (l->kind != TEXT) return l->number < r->number ? -1 : l->number > r->number;
    int same = strcmp(l->text, r->text);
    if (same == 0 || dialect != DIALECT_postgres) return same < 0 ? -1 : same > 0;
    int x = rank_of(l->text), y = rank_of(r->text);
    return x != y ? (x < y ? -1 : 1) : same < 0 ? -1 : 1;
}

static bool holds(ast_op op, int order) {
    switch ((int)op) {
    case OP_EQ: return order == 0;
    case OP_NE: return order != 0;
    case OP_LT: return order < 0;
    case OP_LE: return order <= 0;
    case OP_GT: return order > 0;
    default: return order >= 0;
    }
}

static datum compared(ast_op op, datum l, datum r) {
    if (op == OP_NULLSAFE_EQ) {
        if (l.kind == IS_ABSENT || r.kind == IS_ABSENT) return truth(l.kind == r.kind);
        return truth(order_of(&l, &r) == 0);
    }
    if (l.kind == IS_ABSENT || r.kind == IS_ABSENT) return absent;
    return truth(holds(op, order_of(&l, &r)));
}

static datum and_of(datum l, datum r) {
    if ((l.kind == TRUTH && l.number == 0) || (r.kind == TRUTH && r.number == 0)) return truth(false);
    return l.kind == IS_ABSENT || r.kind == IS_ABSENT ? absent : truth(true);
}
static datum not_of(datum d) {
    return d.kind == IS_ABSENT ? d : truth(d.number == 0);
}
static datum or_of(datum l, datum r) {
    return not_of(and_of(not_of(l), not_of(r)));
}

/* ---- expressions ---- */

typedef struct run {
    const plan *plan;
    const table_row *at;
} run;

static datum eval(const run *t, const plan_expr *e);

static datum of_constant(const plan_expr *e) {
    str text = e->from->text;
    char copy[32] = "";
    memcpy(copy, text.ptr, text.len < 31 ? text.len : 31);
    if (e->from->kind == AST_NULL) return absent;
    if (e->from->kind == AST_BOOLEAN) return truth(str_eq_nocase(text, STR("true")));
    if (e->from->kind == AST_STRING) return text_of(text.ptr, text.len);
    return number(strtod(copy, NULL));
}

static bool is_list(const plan_expr *e) {
    return e->kind == EXPR_OTHER && e->from && e->from->form == FORM_ROW;
}

/* Of structs in DuckDB: field by field, NULLs equal and last. */
static datum structs(const run *t, ast_op op, const plan_expr *l, const plan_expr *r) {
    for (size_t i = 0; i < l->arg_count; i++) {
        datum x = eval(t, l->arg[i]), y = eval(t, r->arg[i]);
        int order = x.kind == IS_ABSENT || y.kind == IS_ABSENT ? (x.kind == IS_ABSENT) - (y.kind == IS_ABSENT)
                                                               : order_of(&x, &y);
        if (order) return truth(holds(op, order));
    }
    return truth(holds(op, 0));
}

static datum rows_compared(const run *t, ast_op op, const plan_expr *l, const plan_expr *r) {
    if (dialect == DIALECT_duckdb) return structs(t, op, l, r);
    datum all = truth(true);
    if (op == OP_EQ || op == OP_NE) {
        for (size_t i = 0; i < l->arg_count; i++)
            all = and_of(all, compared(OP_EQ, eval(t, l->arg[i]), eval(t, r->arg[i])));
        return op == OP_NE ? not_of(all) : all;
    }
    for (size_t i = 0; i < l->arg_count; i++) {
        datum x = eval(t, l->arg[i]), y = eval(t, r->arg[i]);
        if (x.kind == IS_ABSENT || y.kind == IS_ABSENT) return absent;
        int order = order_of(&x, &y);
        if (order) return truth(holds(op, order));
    }
    return truth(holds(op, 0));
}

static datum pair(const run *t, ast_op op, const plan_expr *l, const plan_expr *r) {
    return is_list(l) ? rows_compared(t, op, l, r) : compared(op, eval(t, l), eval(t, r));
}

static datum quantified(const run *t, const plan_expr *e) {
    const plan_expr *list = e->arg[1]->arg[0];
    bool all = str_eq(e->arg[1]->name, STR("all"));
    datum d = truth(all);
    for (size_t i = 0; i < list->arg_count; i++) {
        datum one = compared(e->op, eval(t, e->arg[0]), eval(t, list->arg[i]));
        d = all ? and_of(d, one) : or_of(d, one);
    }
    return d;
}

static datum of_case(const run *t, const plan_expr *e) {
    size_t end = e->arg_count - e->from->has_else, first = e->from->has_subject;
    for (size_t i = first; i + 1 < end; i += 2) {
        datum when = first ? compared(OP_EQ, eval(t, e->arg[0]), eval(t, e->arg[i])) : eval(t, e->arg[i]);
        if (when.kind == TRUTH && when.number != 0) return eval(t, e->arg[i + 1]);
    }
    return e->from->has_else ? eval(t, e->arg[e->arg_count - 1]) : absent;
}

static datum of_function(const run *t, const plan_expr *e) {
    bool greatest = str_eq(e->name, STR("greatest"));
    if (str_eq(e->name, STR("coalesce"))) {
        datum d = absent;
        for (size_t i = 0; i < e->arg_count && d.kind == IS_ABSENT; i++) d = eval(t, e->arg[i]);
        return d;
    }
    if (str_eq(e->name, STR("nullif"))) {
        datum l = eval(t, e->arg[0]), same = compared(OP_EQ, l, eval(t, e->arg[1]));
        return same.kind == TRUTH && same.number != 0 ? absent : l;
    }
    if (str_eq(e->name, STR("abs"))) {
        datum d = eval(t, e->arg[0]);
        if (d.number < 0) d.number = -d.number;
        return d;
    }
    datum best = absent;
    bool missing = false;
    for (size_t i = 0; i < e->arg_count; i++) {
        datum d = eval(t, e->arg[i]);
        missing |= d.kind == IS_ABSENT;
        bool better = best.kind == IS_ABSENT || (greatest ? d.number > best.number : d.number < best.number);
        if (d.kind != IS_ABSENT && better) best = d;
    }
    return missing && dialect == DIALECT_bigquery ? absent : best;
}

static datum of_arithmetic(const run *t, const plan_expr *e) {
    datum d = eval(t, e->arg[0]);
    if (e->arg_count == 1) {
        d.number = -d.number;
        return d;
    }
    for (size_t i = 1; i < e->arg_count; i++) {
        datum r = eval(t, e->arg[i]);
        if (d.kind == IS_ABSENT || r.kind == IS_ABSENT) return absent;
        ast_op op = e->from->link[i - 1].op;
        if (op == OP_CONCAT) {
            size_t have = strlen(d.text);
            for (size_t k = 0; r.text[k] && have + 1 < sizeof d.text; k++) d.text[have++] = r.text[k];
        } else {
            d.number = op == OP_ADD ? d.number + r.number : op == OP_SUB ? d.number - r.number : d.number * r.number;
        }
    }
    return d;
}

/* LIKE 'x%' and LIKE 'x' only. */
static datum of_like(const run *t, const plan_expr *e) {
    datum l = eval(t, e->arg[0]), r = eval(t, e->arg[1]);
    if (l.kind == IS_ABSENT || r.kind == IS_ABSENT) return absent;
    size_t len = strlen(r.text);
    bool open = len && r.text[len - 1] == '%';
    bool found = open ? strncmp(l.text, r.text, len - 1) == 0 : strcmp(l.text, r.text) == 0;
    return truth(found != e->negated);
}

static datum of_is(const run *t, const plan_expr *e) {
    bool found = true;
    if (is_list(e->arg[0])) {
        if (dialect != DIALECT_postgres) return truth(e->negated); /* a row is a value */
        for (size_t i = 0; i < e->arg[0]->arg_count; i++)
            found &= (eval(t, e->arg[0]->arg[i]).kind == IS_ABSENT) != e->negated;
        return truth(found);
    }
    datum d = eval(t, e->arg[0]);
    if (e->is == IS_TRUE || e->is == IS_FALSE)
        found = d.kind == TRUTH && (d.number != 0) == (e->is == IS_TRUE);
    else
        found = d.kind == IS_ABSENT;
    return truth(found != e->negated);
}

static datum eval_plain(const run *t, const plan_expr *e) {
    datum d;
    switch ((int)e->kind) {
    case EXPR_COLUMN: {
        str name = t->plan->column[e->column].name;
        for (int i = 0; i < COLUMNS; i++)
            if (str_eq(name, str_from(column_name[i]))) return t->at->value[i];
        fail_msg("no column");
        return absent;
    }
    case EXPR_CONSTANT: return of_constant(e);
    case EXPR_AND:
    case EXPR_OR:
        d = truth(e->kind == EXPR_AND);
        for (size_t i = 0; i < e->arg_count; i++)
            d = e->kind == EXPR_AND ? and_of(d, eval(t, e->arg[i])) : or_of(d, eval(t, e->arg[i]));
        return d;
    case EXPR_NOT: return not_of(eval(t, e->arg[0]));
    case EXPR_COMPARE:
        if (e->arg[1]->kind == EXPR_FUNCTION &&
            (str_eq(e->arg[1]->name, STR("any")) || str_eq(e->arg[1]->name, STR("all"))))
            return quantified(t, e);
        d = pair(t, e->op, e->arg[0], e->arg[1]);
        return e->negated ? not_of(d) : d;
    case EXPR_IS: return of_is(t, e);
    case EXPR_IN:
        d = truth(false);
        for (size_t i = 1; i < e->arg_count; i++) d = or_of(d, pair(t, OP_EQ, e->arg[0], e->arg[i]));
        return e->negated ? not_of(d) : d;
    case EXPR_BETWEEN: {
        datum x = eval(t, e->arg[0]), l = eval(t, e->arg[1]), h = eval(t, e->arg[2]);
        d = and_of(compared(OP_GE, x, l), compared(OP_LE, x, h));
        if (e->from->symmetric) d = or_of(d, and_of(compared(OP_GE, x, h), compared(OP_LE, x, l)));
        return e->negated ? not_of(d) : d;
    }
    case EXPR_LIKE: return of_like(t, e);
    case EXPR_ARITHMETIC: return of_arithmetic(t, e);
    case EXPR_CASE: return of_case(t, e);
    case EXPR_FUNCTION: return of_function(t, e);
    default: fail_msg("an expression that this test does not know"); return absent;
    }
}

static datum eval(const run *t, const plan_expr *e) {
    return eval_plain(t, e);
}

/* ---- random texts ---- */

static void put(buf *out, const char *s) {
    buf_put(out, str_from(s));
}
static const char *pick(const char *const *list, uint32_t count) {
    return list[roll(count)];
}
#define PICK(list) pick((list), (uint32_t)(sizeof(list) / sizeof *(list)))

static void put_condition(buf *out, int depth);

static void put_number(buf *out, int depth) {
    static const char *const leaf[] = {"a", "b", "n", "a", "n", "0", "1", "2", "3", "1.5", "-1", "NULL"};
    switch (depth <= 0 ? 0 : roll(9)) {
    case 1:
        put(out, "("), put_number(out, depth - 1), put(out, roll(2) ? " + " : " - "), put_number(out, depth - 1),
            put(out, ")");
        break;
    case 2:
        put(out, roll(2) ? "coalesce(" : "nullif("), put_number(out, depth - 1), put(out, ", "),
            put_number(out, depth - 1), put(out, ")");
        break;
    case 3:
        put(out, roll(2) ? "greatest(" : "least("), put_number(out, depth - 1), put(out, ", "),
            put_number(out, depth - 1), put(out, ")");
        break;
    case 4:
        put(out, "CASE WHEN "), put_condition(out, depth - 1), put(out, " THEN "), put_number(out, depth - 1);
        if (roll(2)) put(out, " ELSE "), put_number(out, depth - 1);
        put(out, " END");
        break;
    case 5:
        put(out, "CASE "), put_number(out, 0), put(out, " WHEN "), put_number(out, 0), put(out, " THEN "),
            put_number(out, depth - 1);
        put(out, " ELSE "), put_number(out, depth - 1), put(out, " END");
        break;
    case 6: put(out, "abs("), put_number(out, depth - 1), put(out, ")"); break;
    default: put(out, PICK(leaf)); break;
    }
}

static void put_text(buf *out, int depth) {
    static const char *const leaf[] = {"s", "u", "s", "u", "'a'", "'b'", "'ab'", "'A'", "NULL"};
    if (depth > 0 && roll(6) == 0)
        put(out, "coalesce("), put_text(out, 0), put(out, ", "), put_text(out, 0), put(out, ")");
    else
        put(out, PICK(leaf));
}

static void put_list(buf *out, void (*item)(buf *, int)) {
    put(out, "(");
    for (uint32_t i = 0, n = 1 + roll(3); i < n; i++) put(out, i ? ", " : ""), item(out, 0);
    put(out, ")");
}

static void put_row(buf *out) {
    put(out, "("), put_number(out, 0), put(out, ", "), put_number(out, 0), put(out, ")");
}

static void put_condition(buf *out, int depth) {
    static const char *const op[] = {
        " = ", " <> ", " < ", " <= ", " > ", " >= ", " = ", " IS DISTINCT FROM ", " IS NOT DISTINCT FROM "};
    static const char *const plain[] = {" = ", " <> ", " < ", " <= ", " > ", " >= "};
    static const char *const leaf[] = {"p", "q", "true", "false", "p", "q"};
    static const char *const is[] = {" IS NULL",  " IS NOT NULL",  " IS TRUE",   " IS NOT TRUE",
                                     " IS FALSE", " IS NOT FALSE", " IS UNKNOWN"};
    static const char *const pattern[] = {"'a%'", "'ab'", "'b%'", "'A%'", "'%'"};
    uint32_t way = roll(depth <= 0 ? 11 : 18);
    switch (way) {
    case 0: put(out, PICK(leaf)); break;
    case 1:
    case 2:
    case 3: put_number(out, depth - 1), put(out, PICK(op)), put_number(out, depth - 1); break;
    case 4: put_text(out, 1), put(out, PICK(op)), put_text(out, 1); break;
    case 5: put_number(out, 0), put(out, roll(2) ? " IN " : " NOT IN "), put_list(out, put_number); break;
    case 6: put_text(out, 0), put(out, roll(2) ? " IN " : " NOT IN "), put_list(out, put_text); break;
    case 7:
        put_number(out, 0), put(out, roll(2) ? " BETWEEN " : " NOT BETWEEN "),
            put(out, dialect == DIALECT_postgres && roll(3) == 0 ? "SYMMETRIC " : "");
        put_number(out, 0), put(out, " AND "), put_number(out, 0);
        break;
    case 8: put_text(out, 0), put(out, roll(2) ? " LIKE " : " NOT LIKE "), put(out, PICK(pattern)); break;
    case 9: put_row(out), put(out, PICK(plain)), put_row(out); break;
    case 10:
        if (roll(2))
            put(out, "a = ANY (ARRAY["), put_number(out, 0), put(out, ", "), put_number(out, 0), put(out, "])");
        else if (roll(2))
            put(out, "n > ALL (ARRAY["), put_number(out, 0), put(out, "])");
        else if (roll(2))
            put_row(out), put(out, roll(2) ? " IS NULL" : " IS NOT NULL");
        else
            put_row(out), put(out, roll(2) ? " IN (" : " NOT IN ("), put_row(out), put(out, ", "), put_row(out),
                put(out, ")");
        break;
    case 11: put(out, "NOT ("), put_condition(out, depth - 1), put(out, ")"); break;
    case 12: put(out, "("), put_condition(out, depth - 1), put(out, ")"), put(out, PICK(is)); break;
    case 13:
        put(out, "coalesce("), put_condition(out, depth - 1), put(out, ", "), put_condition(out, depth - 1),
            put(out, ")");
        break;
    default:
        put(out, "("), put_condition(out, depth - 1), put(out, way % 2 ? " AND " : " OR "),
            put_condition(out, depth - 1);
        if (roll(3) == 0) put(out, way % 2 ? " AND " : " OR "), put_condition(out, depth - 1);
        put(out, ")");
    }
}

/* ---- the checks ---- */

static char written[4000];
#define CLAIM(truth_of_it, what)                                                                                       \
    if (!(truth_of_it)) fail_msg("%s is false of %s", what, written)

static outcome_set outcome_of(datum d) {
    return d.kind == IS_ABSENT ? OUTCOME_NULL : d.kind == TRUTH && d.number == 0 ? OUTCOME_FALSE : OUTCOME_TRUE;
}

static bool any_absent(const plan *p, const table_row *r, colset s) {
    column_id id = 0;
    for (; colset_next(s, id, &id); id++)
        for (int i = 0; i < COLUMNS; i++)
            if (str_eq(p->column[id].name, str_from(column_name[i])) && r->value[i].kind == IS_ABSENT) return true;
    return false;
}

static bool same(const datum *l, const datum *r) {
    return l->kind == r->kind && (l->kind == IS_ABSENT || order_of(l, r) == 0);
}

static void check_nulls(const expr_lab *lab, const plan_expr *e) {
    colset yes = expr_rejects_null(&lab->x, e), no = expr_rejects_null_when_false(&lab->x, e),
           value = expr_strict_columns(&lab->x, e);
    for (size_t i = 0; i < row_count; i++) {
        outcome_set o = outcome_of(eval(&(run){lab->x.plan, &row[i]}, e));
        if (o == OUTCOME_TRUE) CLAIM(!any_absent(lab->x.plan, &row[i], yes), "rejected when TRUE");
        if (o == OUTCOME_FALSE) CLAIM(!any_absent(lab->x.plan, &row[i], no), "rejected when FALSE");
        if (o != OUTCOME_NULL) CLAIM(!any_absent(lab->x.plan, &row[i], value), "strict");
    }
}

/* Can the column have the value? */
static bool is_possible(const expr_lab *lab, column_id id, double v) {
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5"};
    if (v < 0 || v > 5) return true;
    ast from = {.kind = AST_NUMBER, .text = str_from(digits[(int)v])};
    plan_expr literal = {.kind = EXPR_CONSTANT, .from = &from, .size = 1};
    return domain_compare(&lab->x, lab->f.domain, id, OP_EQ, &literal) & OUTCOME_TRUE;
}

/* Of the rows where `given` is TRUE (or not FALSE). */
static void check_learned(expr_lab *lab, const plan_expr *given, const plan_expr *e, bool or_null) {
    const plan *p = lab->x.plan;
    if (!or_null) facts_add_not_null(&lab->f, expr_rejects_null(&lab->x, given), EVIDENCE_SQL);
    domain_learn(&lab->x, &lab->f, given, or_null, EVIDENCE_SQL);
    outcome_set claimed = expr_outcome(&lab->x, &lab->f, e);
    bool not_null = expr_is_not_null(&lab->x, &lab->f, e), constant = expr_is_constant(&lab->x, &lab->f, e);
    datum first = absent, seen[COLUMNS] = {{0}};
    double list[COLUMNS][8];
    uint64_t distinct[COLUMNS] = {0};
    bool started = false;
    for (size_t i = 0; i < row_count; i++) {
        run at = {p, &row[i]};
        outcome_set g = outcome_of(eval(&at, given));
        if (g == OUTCOME_FALSE || (g == OUTCOME_NULL && !or_null)) continue;
        datum d = eval(&at, e);
        CLAIM(lab->f.rows.max > 0, "no rows");
        CLAIM(outcome_of(d) & claimed, "an outcome");
        CLAIM(!not_null || d.kind != IS_ABSENT, "never NULL");
        CLAIM(!constant || !started || same(&first, &d), "constant");
        first = d;
        for (size_t k = 0; lab->scan && k < lab->scan->column_count; k++) {
            column_id id = lab->scan->column[k];
            const datum *v = &row[i].value[k];
            if (started) CLAIM(!colset_has(lab->f.constant, id) || same(&seen[k], v), "a constant column");
            seen[k] = *v;
            if (v->kind == IS_ABSENT) {
                CLAIM(!colset_has(lab->f.not_null, id), "a column that is not NULL");
                continue;
            }
            for (uint32_t m = 0; m < lab->f.value_count; m++)
                if (lab->f.value[m].column == id) {
                    datum known = eval(&at, lab->f.value[m].value);
                    CLAIM(same(&known, v), "a known value");
                }
            if (v->kind == TEXT) continue;
            bool old = false;
            for (uint64_t m = 0; m < distinct[k]; m++) old |= list[k][m] == v->number;
            if (!old && distinct[k] < 8) list[k][distinct[k]++] = v->number;
        }
        started = true;
    }
    for (size_t k = 0; lab->scan && k < lab->scan->column_count; k++) {
        CLAIM(domain_size(lab->f.domain, lab->scan->column[k]) >= distinct[k], "the size of a domain");
        for (uint64_t m = 0; m < distinct[k] && k <= N; m++)
            CLAIM(is_possible(lab, lab->scan->column[k], list[k][m]), "that a value is not there");
    }
}

static void fill_rows(void) {
    static const char *const texts[] = {"a", "b", "ab", "A", "abc"};
    row_count = 0;
    for (int i = 0; i < 500; i++) {
        table_row *r = &row[row_count++];
        for (int k = A; k <= N; k++) r->value[k] = k != N && roll(4) == 0 ? absent : number((double)roll(6) - 1);
        for (int k = P; k <= Q; k++) r->value[k] = k != Q && roll(3) == 0 ? absent : truth(roll(2));
        for (int k = S; k <= U; k++) {
            const char *t = PICK(texts);
            r->value[k] = k != U && roll(4) == 0 ? absent : text_of(t, strlen(t));
        }
    }
}

static void one(arena *a) {
    buf text;
    buf_init(&text, a, 1 << 16);
    put_condition(&text, (int)roll(4));
    str given = str_copy(a, buf_str(&text));
    buf_init(&text, a, 1 << 16);
    put_condition(&text, (int)roll(4));
    str asked = str_copy(a, buf_str(&text));
    str sql = str_format(a, "SELECT a, b, n, p, q, s, u, (" STR_FMT ") AS asked FROM t WHERE " STR_FMT, STR_ARG(asked),
                         STR_ARG(given));
    snprintf(written, sizeof written, "%s", sql.ptr);
    expr_lab lab = lab_bind(a, dialect, ddl, sql.ptr);
    const plan *p = lab.x.plan;
    const plan_expr *e = p->column[p->result[7].column].definition;
    plan_expr column = {.kind = EXPR_COLUMN, .column = p->result[7].column, .size = 1};
    if (!e) colset_add(&column.columns, column.column, a), e = &column;
    check_nulls(&lab, lab.where);
    check_learned(&lab, lab.where, e, roll(2));
}

static void all(sql_dialect d, uint32_t from) {
    dialect = d;
    for (uint32_t i = 0; i < 1000; i++) {
        arena a;
        arena_init(&a, 0);
        seed = from + i * 7919;
        roll(2);
        one(&a);
        arena_end(&a);
    }
}

static void body(arena *a) {
    (void)a;
    seed = 7;
    fill_rows();
    all(DIALECT_postgres, 1);
    all(DIALECT_duckdb, 2);
    all(DIALECT_bigquery, 3);
}

static void test_expr__random_conditions_are_told_of_truly(void **state) {
    (void)state;
    in_door(body);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_expr__random_conditions_are_told_of_truly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
