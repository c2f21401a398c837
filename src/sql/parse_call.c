/* parse_call.c - calls of functions: arguments, lambdas, and what may follow the closing bracket.
 * Called by: sql/parse_primary.c, sql/parse_special.c, sql/parse_relation.c.  Must not know: what a function does.
 *
 *   call     := name ( query ) | name ( [DISTINCT | ALL] [argument {separator argument}] [HAVING (MAX | MIN) operand]
 *               [ORDER BY sorts] [LIMIT operand] [(IGNORE | RESPECT) NULLS] ) {suffix}
 *   argument := * | name. ... .* | name (=> | :=) argument | lambda | expression [AS name]
 *   lambda   := (name | ( name {, name} )) -> expression
 *   suffix   := WITHIN GROUP ( ORDER BY sorts ) | FILTER ( WHERE expression ) | (IGNORE | RESPECT) NULLS
 *             | OVER (name | ( window ))
 *
 * In a statement a call also has an ast_call that tells which argument is what.
 */
#include "sql/sql_int.h"

/* A call that is being read. */
typedef struct calling {
    form f;
    ast_call *call; /* NULL in a condition */
    str *name;      /* by argument; NULL as long as none has one */
    ast_part *alias;
    size_t capacity;   /* of both */
    bool is_kept_call; /* what follows an argument is kept as text: JSON_VALUE(a, b RETURNING INT NULL ON ERROR) */
} calling;

/* ---- calls whose arguments are parted by words ---- */

typedef struct spoken_call {
    const char *name;
    keyword separator[4]; /* the last two in statements only */
    bool takes_unit;      /* behind the separator stands a unit, not an expression */
} spoken_call;

static const spoken_call spoken_calls[] = {
    {"SUBSTRING", {KW_FROM, KW_FOR, KW_SIMILAR, KW_ESCAPE}, false},
    {"SUBSTR", {KW_FROM, KW_FOR, KW_NONE}, false},
    {"TRIM", {KW_FROM, KW_NONE, KW_NONE}, false},
    {"OVERLAY", {KW_PLACING, KW_FROM, KW_FOR}, false},
    {"POSITION", {KW_IN, KW_NONE, KW_NONE}, false},
    {"CEIL", {KW_TO, KW_NONE, KW_NONE}, true},
    {"FLOOR", {KW_TO, KW_NONE, KW_NONE}, true},
};

static const spoken_call *find_spoken(str name) {
    if (name.len < 4 || name.len > 9) return NULL;
    for (size_t i = 0; i < sizeof spoken_calls / sizeof *spoken_calls; i++)
        if (str_eq_nocase(name, str_from(spoken_calls[i].name))) return &spoken_calls[i];
    return NULL;
}

static bool at_separator(const parser *p, const spoken_call *spoken) {
    if (!spoken || p->next->kind != TOKEN_NAME || p->next->word == KW_NONE) return false;
    int count = p->statements || !spoken->separator[3] ? 4 : 2;
    for (int i = 0; i < count; i++)
        if (p->next->word == spoken->separator[i]) return true;
    return false;
}

static bool is_one_of(str name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (name.len > 0 && (name.ptr[0] & ~0x20) == names[i][0] && str_eq_nocase(name, str_from(names[i])))
            return true;
    return false;
}

/* Functions whose first of three arguments is a bare unit: DATEDIFF(DAY, a, b). */
static bool takes_unit_first(str name) {
    static const char *const names[] = {"TIMESTAMPADD", "TIMESTAMPDIFF", "DATEADD", "DATE_ADD",
                                        "DATEDIFF",     "DATE_DIFF",     "TIMEADD", "TIMEDIFF"};
    return is_one_of(name, names, sizeof names / sizeof *names);
}

/* Functions of the SQL standard and its kin whose arguments are followed by words of their own. */
static bool is_kept_call(str name) {
    static const char *const names[] = {
        "JSON_OBJECT",   "JSON_ARRAY",   "JSON_VALUE",     "JSON_QUERY",    "JSON_EXISTS", "JSON_OBJECTAGG",
        "JSON_ARRAYAGG", "JSON_TABLE",   "LISTAGG",        "XMLTABLE",      "XMLELEMENT",  "XMLFOREST",
        "XMLPARSE",      "XMLSERIALIZE", "GROUP_CONCAT",   "XMLROOT",       "XMLPI",       "XMLEXISTS",
        "JSON",          "JSON_SCALAR",  "JSON_SERIALIZE", "CONVERT",       "NORMALIZE",   "TRANSLATE",
        "MATCH",         "AGAINST",      "TREAT",          "VECTOR_SEARCH", "COLLATION"};
    return is_one_of(name, names, sizeof names / sizeof *names);
}

/* Functions of DuckDB whose argument may be a lambda: elsewhere its arrow reaches into JSON. */
static bool takes_lambda(str name) {
    static const char *const names[] = {"APPLY", "FILTER", "REDUCE"};
    str start = str_slice(name, 0, 5), longer = str_slice(name, 0, 6);
    return str_eq_nocase(start, STR("list_")) || str_eq_nocase(longer, STR("array_")) ||
           str_eq_nocase(name, STR("COLUMNS")) || is_one_of(name, names, sizeof names / sizeof *names);
}

/* ---- lambdas ---- */

/* Offset of the arrow if a lambda starts at `next`, else 0. */
BESIDE static size_t lambda_arrow(const parser *p, str name) {
    if (!p->traits->lambdas || (p->traits->json_arrows && !takes_lambda(name))) return 0;
    if (at_name(p, 0)) {
        if (at_operator(p, 1, OPERATOR_ARROW)) return 1;
        return p->statements && at_name(p, 1) && at_operator(p, 2, OPERATOR_ARROW) ? 2 : 0; /* x INT -> ... */
    }
    if (!at_operator(p, 0, OPERATOR_LPAREN)) return 0;
    size_t at = 1;
    while (at_name(p, at) && at < 64) {
        if (p->statements && at_name(p, at + 1)) at++; /* its type */
        if (!at_operator(p, at + 1, OPERATOR_COMMA)) break;
        at += 2;
    }
    bool none = p->statements && at == 1 && at_operator(p, 1, OPERATOR_RPAREN);
    size_t close = none ? 1 : at + 1;
    return (none || at_name(p, at)) && at_operator(p, close, OPERATOR_RPAREN) &&
                   at_operator(p, close + 1, OPERATOR_ARROW)
               ? close + 1
               : 0;
}

/* The parameters become names that are no columns, until the caller restores p->locals. */
static void take_parameter(parser *p, form *f, many *parts) {
    form_put(f, token_text(p, p->next));
    local *mine = ARENA_NEW(p->query, local);
    ast_part part = name_part(p, p->next);
    *mine = (local){part.text, p->locals};
    p->locals = mine;
    *MANY_ADD(p, parts, ast_part) = part;
}

static lp_status parse_lambda_body(parser *p, form *f, const many *parts, ast **out) {
    ast *body, *node = node_new(p, AST_OTHER);
    TRY(parse_expression(p, &body));
    form_argument(f, body);
    node->form = FORM_LAMBDA;
    node->part = parts->item;
    node->part_count = (uint32_t)parts->count;
    return form_finish(f, node, out);
}

BESIDE static lp_status parse_lambda(parser *p, size_t arrow, ast **out) {
    const local *outer = p->locals;
    form f = form_start(p, p->next);
    many parts = {0};
    for (size_t i = 0; i < arrow; i++, p->next++) {
        if (!at_name(p, 0)) {
            form_put(&f, token_text(p, p->next));
            if (at_operator(p, 0, OPERATOR_COMMA)) form_put(&f, STR(" "));
        } else if (i > 0 && (p->next[-1].kind == TOKEN_NAME || p->next[-1].kind == TOKEN_QUOTED_NAME)) {
            form_write(&f, " ", token_text(p, p->next), "");
        } else {
            take_parameter(p, &f, &parts);
        }
    }
    p->next++;
    form_put(&f, STR(" -> "));
    TRY(parse_lambda_body(p, &f, &parts, out));
    p->locals = outer;
    return LP_OK;
}

/* lambda x, y : expression */
static bool at_spoken_lambda(const parser *p) {
    return p->statements && at_keyword(p, 0, KW_LAMBDA) && at_name(p, 1) &&
           (at_operator(p, 2, OPERATOR_COLON) || at_operator(p, 2, OPERATOR_COMMA));
}

BESIDE static lp_status parse_spoken_lambda(parser *p, ast **out) {
    const local *outer = p->locals;
    form f = form_start(p, p->next++);
    form_put(&f, STR("LAMBDA "));
    many parts = {0};
    for (;;) {
        if (!at_name(p, 0)) return expected(p, "a parameter");
        take_parameter(p, &f, &parts);
        p->next++;
        if (!take_operator(p, OPERATOR_COMMA)) break;
        form_put(&f, STR(", "));
    }
    TRY(expect_operator(p, OPERATOR_COLON));
    form_put(&f, STR(": "));
    TRY(parse_lambda_body(p, &f, &parts, out));
    p->locals = outer;
    return LP_OK;
}

/* ---- arguments ---- */

static void put_word(form *f, const char *before, str word, const char *after) {
    form_write(f, before, word, after);
}

/* Offset behind the star if `next` starts `*` or `name.*`, else 0. */
BESIDE static size_t star_end(const parser *p) {
    size_t at = 0;
    while (at_name(p, at) && at_operator(p, at + 1, OPERATOR_DOT) && at < 64) at += 2;
    return at_operator(p, at, OPERATOR_STAR) ? at + 1 : 0;
}

/* The slot of the argument that was added last. */
static size_t last_slot(calling *c) {
    size_t count = c->f.args.count;
    if (c->name && count <= c->capacity) return count - 1;
    arena *query = c->f.p->query;
    size_t capacity = count < 4 ? 8 : count * 2;
    str *names = ARENA_ARRAY(query, str, capacity);
    ast_part *aliases = ARENA_ARRAY(query, ast_part, capacity);
    for (size_t i = 0; i < capacity; i++) {
        names[i] = i < c->capacity ? c->name[i] : STR("");
        aliases[i] = i < c->capacity ? c->alias[i] : (ast_part){.text = STR(""), .written = STR("")};
    }
    c->name = names;
    c->alias = aliases;
    c->capacity = capacity;
    return count - 1;
}

static void name_argument(calling *c, str name) {
    if (!c->call || name.len == 0) return;
    size_t slot = last_slot(c); /* moves c->name */
    c->name[slot] = name;
}

/* What stands behind an argument of a kept call: up to the next comma or bracket of this level. */
static lp_status keep_rest(calling *c) {
    parser *p = c->f.p;
    const token *first = p->next;
    while (p->next->kind != TOKEN_END && !at_operator(p, 0, OPERATOR_COMMA) && !at_operator(p, 0, OPERATOR_RPAREN)) {
        if (at_operator(p, 0, OPERATOR_LPAREN))
            TRY(skip_bracketed(p));
        else if (p->next->kind == TOKEN_BAD || at_operator(p, 0, OPERATOR_SEMICOLON))
            return expected(p, "\")\"");
        else
            p->next++;
    }
    if (p->next > first) put_word(&c->f, " ", kept_text(p, first, p->next), "");
    return LP_OK;
}

/* json_object('a' : 1), json_object('a' VALUE 1): the value behind a key is an argument of its own. */
static lp_status parse_pair_value(calling *c) {
    parser *p = c->f.p;
    bool colon = at_operator(p, 0, OPERATOR_COLON), word = at_keyword(p, 0, KW_VALUE);
    if (!colon && !word) return LP_OK;
    p->next++;
    form_put(&c->f, colon ? STR(" : ") : STR(" VALUE "));
    ast *value;
    TRY(parse_expression(p, &value));
    form_argument(&c->f, value);
    return LP_OK;
}

static lp_status parse_star_argument(calling *c, size_t star) {
    parser *p = c->f.p;
    if (!p->statements) {
        for (; star > 0; star--) form_put(&c->f, token_text(p, p->next++));
        return LP_OK;
    }
    if (star == 1 && (at_operator(p, 1, OPERATOR_RPAREN) || at_operator(p, 1, OPERATOR_COMMA))) {
        p->next++;
        form_put(&c->f, STR("*"));
        if (c->call) c->call->has_star = true;
        return LP_OK;
    }
    ast *node;
    if (star == 1)
        TRY(parse_star(p, NULL, NULL, p->next, &node));
    else
        TRY(parse_primary(p, &node));
    form_argument(&c->f, node);
    return LP_OK;
}

/* TABLE t, MODEL m, TABLE (query) PARTITION BY ..., VARIADIC a, NAME x: an argument that starts with a word. */
static bool at_worded_argument(const parser *p) {
    if (!p->statements || p->next->kind != TOKEN_NAME) return false;
    bool word = p->next->word == KW_TABLE || p->next->word == KW_MODEL || p->next->word == KW_NAME ||
                at_word(p, 0, "CONNECTION");
    return word && (at_name(p, 1) || (p->next->word == KW_TABLE && at_operator(p, 1, OPERATOR_LPAREN)));
}

static lp_status parse_worded_argument(parser *p, ast **out) {
    const token *first = p->next++;
    while (p->next->kind != TOKEN_END && !at_operator(p, 0, OPERATOR_COMMA) && !at_operator(p, 0, OPERATOR_RPAREN)) {
        if (at_operator(p, 0, OPERATOR_LPAREN))
            TRY(skip_bracketed(p));
        else if (p->next->kind == TOKEN_BAD)
            return expected(p, "\")\"");
        else
            p->next++;
    }
    return clause_of_text(p, upper_copy(p, token_text(p, first)), first, out);
}

/* VARIADIC [name :=] array */
static lp_status parse_variadic(parser *p, ast **out) {
    ast *node = node_new(p, AST_OTHER), *array;
    node->form = FORM_OPERATOR;
    form f = form_start(p, p->next++);
    form_put(&f, STR("VARIADIC "));
    if (at_name(p, 0) && (at_operator(p, 1, OPERATOR_NAMED) || at_operator(p, 1, OPERATOR_ASSIGN))) {
        form_write(&f, "", token_text(p, p->next), " := ");
        p->next += 2;
    }
    TRY(parse_expression(p, &array));
    form_argument(&f, array);
    return form_finish(&f, node, out);
}

static lp_status parse_value(calling *c, const spoken_call *spoken, str function, ast **out) {
    parser *p = c->f.p;
    size_t arrow = lambda_arrow(p, function);
    bool has_in = spoken && spoken->separator[0] == KW_IN; /* POSITION(a IN b) is no membership test */
    if (arrow > 0) return parse_lambda(p, arrow, out);
    if (at_spoken_lambda(p)) return parse_spoken_lambda(p, out);
    if (p->statements && at_word(p, 0, "VARIADIC") && !at_operator(p, 1, OPERATOR_COMMA) &&
        !at_operator(p, 1, OPERATOR_RPAREN) && !at_operator(p, 1, OPERATOR_DOT))
        return parse_variadic(p, out);
    if (at_worded_argument(p)) return parse_worded_argument(p, out);
    if (has_in) return parse_level(p, p->statements ? LEVEL_OTHER : LEVEL_COMPARE, out);
    return parse_expression(p, out);
}

static lp_status parse_argument(calling *c, const spoken_call *spoken, str function) {
    parser *p = c->f.p;
    size_t star = star_end(p);
    if (star > 0) return parse_star_argument(c, star);
    str name = STR("");
    if (at_name(p, 0) && (at_operator(p, 1, OPERATOR_NAMED) || at_operator(p, 1, OPERATOR_ASSIGN))) {
        name = token_text(p, p->next);
        put_word(&c->f, "", name, " ");
        put_word(&c->f, "", token_text(p, p->next + 1), " ");
        p->next += 2;
    }
    ast *argument;
    if (c->is_kept_call && at_word(p, 0, "KEY") && !at_operator(p, 1, OPERATOR_COLON)) {
        p->next++;
        form_put(&c->f, STR("KEY "));
    }
    TRY(parse_value(c, spoken, function, &argument));
    form_argument(&c->f, argument);
    name_argument(c, name);
    if (at_keyword(p, 0, KW_AS) && at_name(p, 1)) {
        put_word(&c->f, " AS ", token_text(p, p->next + 1), "");
        if (c->call) {
            size_t slot = last_slot(c);
            c->alias[slot] = name_part(p, p->next + 1);
        }
        p->next += 2;
    }
    if (p->statements && !spoken) TRY(parse_pair_value(c));
    return LP_OK;
}

/* [BOTH | LEADING | TRAILING] of TRIM, then the characters or at once FROM. */
BESIDE static void take_trim_side(form *f) {
    parser *p = f->p;
    bool side = at_keyword(p, 0, KW_BOTH) || at_keyword(p, 0, KW_LEADING) || at_keyword(p, 0, KW_TRAILING);
    if (!side || at_operator(p, 1, OPERATOR_RPAREN) || at_operator(p, 1, OPERATOR_COMMA) ||
        at_operator(p, 1, OPERATOR_DOT))
        return;
    put_word(f, "", keyword_text((keyword)p->next++->word), " ");
    if (take_keyword(p, KW_FROM)) form_put(f, STR("FROM "));
}

static lp_status take_unit(form *f) {
    if (f->p->next->kind != TOKEN_NAME) return expected(f->p, "a unit");
    form_put(f, upper_copy(f->p, token_text(f->p, f->p->next)));
    f->p->next++;
    return LP_OK;
}

/* Where the list of a kept call ends early: the clauses of an aggregate are read, other words are text. */
static bool at_call_clause(const parser *p) {
    return at_operator(p, 0, OPERATOR_RPAREN) || at_operator(p, 0, OPERATOR_COMMA) || at_keyword(p, 0, KW_ORDER) ||
           at_keyword(p, 0, KW_LIMIT) || at_keyword(p, 0, KW_IGNORE) || at_keyword(p, 0, KW_RESPECT);
}

static lp_status parse_arguments(calling *c, str name) {
    parser *p = c->f.p;
    const spoken_call *spoken = find_spoken(name);
    if (spoken && str_eq(str_from(spoken->name), STR("TRIM"))) take_trim_side(&c->f);
    TRY(parse_argument(c, spoken, name));
    for (;;) {
        if (c->is_kept_call && !at_call_clause(p)) TRY(keep_rest(c));
        if (take_operator(p, OPERATOR_COMMA)) {
            form_put(&c->f, STR(", "));
            TRY(parse_argument(c, spoken, name));
        } else if (at_separator(p, spoken)) {
            put_word(&c->f, " ", keyword_text((keyword)p->next++->word), " ");
            if (spoken->takes_unit)
                TRY(take_unit(&c->f));
            else
                TRY(parse_argument(c, spoken, name));
        } else {
            return LP_OK;
        }
    }
}

/* ---- clauses inside and suffixes ---- */

BESIDE static lp_status parse_nulls_treatment(calling *c) {
    parser *p = c->f.p;
    bool ignore = at_keyword(p, 0, KW_IGNORE);
    if ((!ignore && !at_keyword(p, 0, KW_RESPECT)) || !at_keyword(p, 1, KW_NULLS)) return LP_OK;
    p->next += 2;
    form_put(&c->f, ignore ? STR(" IGNORE NULLS") : STR(" RESPECT NULLS"));
    if (c->call) c->call->treatment = ignore ? SQL_TREATMENT_IGNORE : SQL_TREATMENT_RESPECT;
    return LP_OK;
}

/* FILTER ( [WHERE] expression ) */
static lp_status parse_filter(calling *c) {
    parser *p = c->f.p;
    const token *open = ++p->next;
    p->next++;
    if (!p->statements || at_keyword(p, 0, KW_WHERE)) TRY(expect_keyword(p, KW_WHERE)); /* DuckDB does without */
    form_put(&c->f, STR(" FILTER (WHERE "));
    ast *condition;
    TRY(parse_expression(p, &condition));
    form_argument(&c->f, condition);
    if (c->call) c->call->filter = condition;
    form_put(&c->f, STR(")"));
    return expect_close(p, OPERATOR_RPAREN, open);
}

/* WITHIN GROUP ( ORDER BY sorts ) */
static lp_status parse_within(calling *c) {
    parser *p = c->f.p;
    p->next += 2;
    const token *open = p->next;
    TRY(expect_operator(p, OPERATOR_LPAREN));
    const sql_order *order;
    form_put(&c->f, STR(" WITHIN GROUP ("));
    TRY(parse_order(p, &c->f, "", &order));
    if (!order) return expected(p, "ORDER BY");
    if (c->call) c->call->within = order;
    form_put(&c->f, STR(")"));
    return expect_close(p, OPERATOR_RPAREN, open);
}

BESIDE static lp_status parse_suffixes(calling *c) {
    parser *p = c->f.p;
    while (p->next->kind == TOKEN_NAME && p->next->word != KW_NONE) {
        const token *before = p->next;
        const sql_window *window = NULL;
        TRY(parse_nulls_treatment(c));
        if (at_keyword(p, 0, KW_WITHIN) && at_keyword(p, 1, KW_GROUP))
            TRY(parse_within(c));
        else if (at_keyword(p, 0, KW_FILTER) && at_operator(p, 1, OPERATOR_LPAREN))
            TRY(parse_filter(c));
        else if (at_keyword(p, 0, KW_OVER) && (at_name(p, 1) || at_operator(p, 1, OPERATOR_LPAREN)))
            TRY(parse_over(p, &c->f, &window));
        if (window && c->call) c->call->over = window;
        if (p->next == before) return LP_OK;
    }
    return LP_OK;
}

/* HAVING (MAX | MIN) operand of an aggregate */
static lp_status parse_having_extreme(calling *c) {
    parser *p = c->f.p;
    if (!p->statements || !at_keyword(p, 0, KW_HAVING) || (!at_keyword(p, 1, KW_MAX) && !at_word(p, 1, "MIN")))
        return LP_OK;
    put_word(&c->f, " HAVING ", upper_copy(p, token_text(p, p->next + 1)), " ");
    p->next += 2;
    ast *operand;
    TRY(parse_expression(p, &operand));
    form_argument(&c->f, operand);
    c->call->having = operand;
    return LP_OK;
}

static lp_status parse_call_limit(calling *c) {
    parser *p = c->f.p;
    if (!take_keyword(p, KW_LIMIT)) return LP_OK;
    ast *limit;
    form_put(&c->f, STR(" LIMIT "));
    TRY(parse_level(p, LEVEL_BIT_OR, &limit));
    form_argument(&c->f, limit);
    if (c->call) c->call->limit = limit;
    return LP_OK;
}

/* ---- the call ---- */

/* Once it is clear that there are three: the first is a unit and no column, so it becomes text. */
BESIDE static void fold_unit(form *f, str name) {
    if (f->args.count != 3 || !takes_unit_first(name)) return;
    const ast *unit = f->args.item[0];
    if (unit->kind != AST_NAME || unit->part_count > 1 || unit->part[0].quote || !is_unit_name(unit->part[0].text))
        return;
    form folded = form_start(f->p, f->first);
    put_word(&folded, "", f->piece[0], "");
    put_word(&folded, "", upper_copy(f->p, unit->part[0].text), "");
    for (size_t i = 1; i < 3; i++) {
        put_word(&folded, "", f->piece[i], "");
        form_argument(&folded, f->args.item[i]);
    }
    put_word(&folded, "", f->pending, "");
    *f = folded;
}

static void take_quantity(calling *c) {
    parser *p = c->f.p;
    sql_quantity quantity = SQL_QUANTITY_NONE;
    if (take_keyword(p, KW_DISTINCT)) {
        quantity = SQL_QUANTITY_DISTINCT;
        form_put(&c->f, STR("DISTINCT "));
    } else if (at_keyword(p, 0, KW_ALL) && !at_operator(p, 1, OPERATOR_RPAREN) && take_keyword(p, KW_ALL)) {
        quantity = SQL_QUANTITY_ALL;
        form_put(&c->f, STR("ALL "));
    }
    if (c->call) c->call->quantity = quantity;
}

BESIDE static lp_status parse_inside(calling *c, str name) {
    parser *p = c->f.p;
    const sql_order *order;
    take_quantity(c);
    c->is_kept_call = p->statements && is_kept_call(name);
    if (!c->is_kept_call || !at_call_clause(p)) TRY(parse_arguments(c, name));
    fold_unit(&c->f, name);
    if (c->call) {
        c->call->argument_count = c->f.args.count;
        c->call->argument_name = c->name;
        c->call->argument_alias = c->alias;
    }
    if (p->statements) TRY(parse_nulls_treatment(c));
    TRY(parse_having_extreme(c));
    TRY(parse_order(p, &c->f, " ", &order));
    if (c->call) c->call->order = order;
    TRY(parse_call_limit(c));
    if (c->is_kept_call) TRY(keep_rest(c));
    return parse_nulls_treatment(c);
}

/* Calls whose brackets hold a query when they start with one, whatever follows: ANY ((SELECT 1) UNION SELECT 2). */
static bool takes_query(str name) {
    static const char *const names[] = {"ARRAY", "ANY", "ALL", "SOME"};
    return is_one_of(name, names, sizeof names / sizeof *names);
}

/* ( query ) or ( ... ), then what follows */
static lp_status parse_brackets(calling *c, str name) {
    parser *p = c->f.p;
    const token *open = p->next;
    if (starts_query(p, 1) || (p->statements && takes_query(name) && starts_query_in_brackets(p, 1))) {
        ast *query;
        TRY(parse_subquery(p, STR(""), open, &query));
        form_argument(&c->f, query);
        if (c->call) c->call->argument_count = 1;
    } else {
        p->next++;
        form_put(&c->f, STR("("));
        if (!at_operator(p, 0, OPERATOR_RPAREN)) TRY(parse_inside(c, name));
        TRY(expect_close(p, OPERATOR_RPAREN, open));
        form_put(&c->f, STR(")"));
    }
    return parse_suffixes(c);
}

lp_status parse_call(parser *p, str name, const sql_name *parts, const token *first, ast **out) {
    ast *node = node_new(p, AST_CALL);
    node->form = FORM_FUNCTION;
    node->text = name;
    calling c = {.f = form_start(p, first)};
    if (p->statements) {
        c.call = ARENA_NEW(p->query, ast_call);
        if (parts) c.call->name = *parts;
        node->call = c.call;
    }
    form_put(&c.f, name);
    TRY(parse_brackets(&c, name));
    return form_finish(&c.f, node, out);
}

lp_status parse_method(parser *p, const token *first, ast *base, ast **out) {
    ast *node = node_new(p, AST_CALL);
    ast_part *part = ARENA_NEW(p->query, ast_part);
    *part = name_part(p, p->next);
    node->form = FORM_FUNCTION;
    node->text = part->written;
    calling c = {.f = form_start(p, first), .call = ARENA_NEW(p->query, ast_call)};
    c.call->name = (sql_name){part, 1, part->at};
    node->call = c.call;
    form_argument(&c.f, base);
    put_word(&c.f, ".", token_text(p, p->next++), "");
    TRY(parse_brackets(&c, part->text));
    if (c.call->argument_count == 0) c.call->argument_count = 1; /* the base */
    return form_finish(&c.f, node, out);
}
