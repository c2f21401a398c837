/* parse_relation.c - what stands in FROM: tables, queries, table functions, joins, and what clings to them.
 * Called by: sql/parse_select.c, sql/parse_pipe.c, sql/parse_statement.c.  Must not know: tables, meaning.
 *
 *   relations := relation {, relation}
 *   relation  := operand {join operand [ON e | USING names]}
 *   operand   := [alias :] source {clause} [alias] {clause} {pivot | MATCH_RECOGNIZE ( ... )}
 *   source    := path | LATERAL source | ( query ) | ( relation ) | VALUES rows | call | TABLE ( call ) | UNNEST ( ...
 * ) | ROWS FROM ( calls ) | 'file' | @stage clause    := WITH ORDINALITY | WITH OFFSET [[AS] name] | time travel |
 * sample | hints
 *
 * ON binds to the nearest join that has none: `a JOIN b JOIN c ON x ON y` is a JOIN (b JOIN c ON x) ON y. A run of
 * joins is one flat node.
 */
#include <string.h>

#include "sql/sql_int.h"

/* ---- names ---- */

static bool has_empty_part(str path) {
    for (size_t at = 0; at < path.len; at++)
        if (path.ptr[at] == '.' && (at == 0 || at + 1 == path.len || path.ptr[at + 1] == '.')) return true;
    return false;
}

/* Not by str_format: a name may hold NUL. */
static str quoted_part(parser *p, str text) {
    char *quoted = arena_alloc_raw(p->query, text.len + 2);
    quoted[0] = quoted[text.len + 1] = '`';
    if (text.len) memcpy(quoted + 1, text.ptr, text.len);
    return (str){quoted, text.len + 2};
}

/* `a.b.c` in one pair of backticks, as its parts. */
static void split_path(parser *p, const token *t, many *parts) {
    str whole = token_text(p, t);
    size_t start = 1, end = whole.len - 1;
    if (has_empty_part(str_slice(whole, 1, end))) {
        *MANY_ADD(p, parts, ast_part) = name_part(p, t);
        return;
    }
    for (size_t at = 1; at <= end; at++) {
        if (at < end && whole.ptr[at] != '.') continue;
        str text = str_slice(whole, start, at);
        *MANY_ADD(p, parts, ast_part) = (ast_part){.text = text,
                                                   .written = quoted_part(p, text),
                                                   .quote = '`',
                                                   .at = {t->at.start + (uint32_t)start, (uint32_t)text.len}};
        start = at + 1;
    }
}

/* my-project, my-project-1: the tokens that touch are one name. */
static lp_status parse_hyphen_name(parser *p, many *parts) {
    const token *first = p->next++;
    while (p->traits->hyphen_names && at_operator(p, 0, OPERATOR_MINUS) &&
           p->next[-1].at.start + p->next[-1].at.len == p->next->at.start &&
           (p->next[1].kind == TOKEN_NAME || p->next[1].kind == TOKEN_NUMBER) &&
           p->next->at.start + 1 == p->next[1].at.start)
        p->next += 2;
    ast_part part = name_part(p, first);
    part.at = span_since(p, first);
    if (p->next > first + 1) part.text = part.written = span_text(p->text, part.at);
    *MANY_ADD(p, parts, ast_part) = part;
    return LP_OK;
}

/* Also a variable or a wildcard as a part: db.$table, :schema.t, a.events_*. */
static lp_status parse_path_part(parser *p, many *parts) {
    if (p->next->kind == TOKEN_QUOTED_NAME && p->traits->path_quotes) {
        split_path(p, p->next++, parts);
        return LP_OK;
    }
    if (p->next->kind == TOKEN_PARAMETER) {
        *MANY_ADD(p, parts, ast_part) = name_part(p, p->next++);
        return LP_OK;
    }
    if (!at_name(p, 0)) return expected(p, "the name of a table");
    return parse_hyphen_name(p, parts);
}

lp_status parse_path(parser *p, sql_name *out) {
    const token *first = p->next;
    many parts = {0};
    TRY(parse_path_part(p, &parts));
    while (at_operator(p, 0, OPERATOR_DOT)) {
        p->next++;
        if (p->traits->double_dots && at_operator(p, 0, OPERATOR_DOT)) { /* db..t: the default schema */
            p->next++;
            *MANY_ADD(p, &parts, ast_part) = (ast_part){.text = STR(""), .written = STR(""), .at = p->next->at};
        }
        TRY(parse_path_part(p, &parts));
    }
    *out = (sql_name){parts.item, (uint32_t)parts.count, span_since(p, first)};
    return LP_OK;
}

/* ---- aliases ---- */

/* Does the next name end a relation, where it would be an alias otherwise? */
static bool ends_relation(const parser *p) {
    if (p->next->kind == TOKEN_QUOTED_NAME || p->next->word == KW_NONE) return false;
    bool bracket = at_operator(p, 1, OPERATOR_LPAREN);
    switch ((int)p->next->word) {
    case KW_MINUS: return at_set_operation(p);
    case KW_SORT:
    case KW_CLUSTER:
    case KW_DISTRIBUTE:
    case KW_CONNECT: return at_keyword(p, 1, KW_BY);
    case KW_START: return at_keyword(p, 1, KW_WITH);
    case KW_ASOF:
        if (at_keyword(p, 1, KW_RIGHT) || at_keyword(p, 1, KW_FULL) || at_keyword(p, 1, KW_SEMI) || at_keyword(p, 1, KW_ANTI)) return true;
        return at_keyword(p, 1, KW_JOIN) || at_keyword(p, 1, KW_LEFT) || at_keyword(p, 1, KW_INNER);
    case KW_POSITIONAL:
    case KW_SEMI:
    case KW_ANTI: return at_keyword(p, 1, KW_JOIN) || at_keyword(p, 1, KW_LEFT) || at_keyword(p, 1, KW_INNER);
    case KW_PIVOT:
    case KW_UNPIVOT: return at_pivot(p);
    case KW_AT:
    case KW_BEFORE:
    case KW_CHANGES:
    case KW_MATCH_RECOGNIZE:
    case KW_MATCH_CONDITION: return bracket;
    case KW_SAMPLE:
    case KW_TABLESAMPLE: return bracket || at_name(p, 1);
    case KW_VERSION:
    case KW_TIMESTAMP: return at_keyword(p, 1, KW_AS);
    case KW_OUTER: return at_word(p, 1, "APPLY");
    default: return keyword_traits((keyword)p->next->word) & WORD_ENDS_RELATION;
    }
}

/* ( name [type] {, ...} ) */
static lp_status parse_alias_columns(parser *p, sql_alias *alias) {
    const token *open = p->next++;
    many names = {0}, types = {0};
    bool typed = false;
    while (!at_operator(p, 0, OPERATOR_RPAREN)) {
        if (!at_name(p, 0)) return expected(p, "the name of a column");
        *MANY_ADD(p, &names, ast_part) = name_part(p, p->next++);
        str type = STR("");
        if (at_name(p, 0)) TRY(parse_type(p, &type));
        typed = typed || type.len > 0;
        *MANY_ADD(p, &types, str) = type;
        if (!take_operator(p, OPERATOR_COMMA)) break;
    }
    alias->column = names.item;
    alias->column_count = names.count;
    alias->column_type = typed ? types.item : NULL;
    return expect_close(p, OPERATOR_RPAREN, open);
}

lp_status parse_alias(parser *p, bool *found, sql_alias *out) {
    const token *first = p->next;
    bool as = take_keyword(p, KW_AS), text = as && p->next->kind == TOKEN_STRING;
    *out = (sql_alias){0};
    *found = false;
    if (text || (at_name(p, 0) && (as || !ends_relation(p)))) {
        out->has_name = true;
        out->name = name_part(p, p->next++);
    } else if (as && !at_operator(p, 0, OPERATOR_LPAREN)) {
        return expected(p, "a name after AS");
    }
    if ((as || out->has_name) && at_operator(p, 0, OPERATOR_LPAREN)) TRY(parse_alias_columns(p, out));
    *found = p->next > first;
    out->at = span_since(p, first);
    return LP_OK;
}

/* ---- clauses ---- */

static lp_status add_clause(parser *p, many *list, const char *name, const token *first) {
    ast *clause;
    TRY(clause_of_text(p, str_from(name), first, &clause));
    *MANY_ADD(p, list, const ast *) = clause;
    return LP_OK;
}

/* Words, then an expression, as a clause with that argument. */
static lp_status add_clause_of(parser *p, many *list, const char *name, size_t words) {
    ast *node = node_new(p, AST_OTHER), *value, *clause;
    const token *first = p->next;
    node->form = FORM_CLAUSE;
    node->text = str_from(name);
    p->next += words;
    form f = form_start(p, first);
    form_write(&f, "", kept_text(p, first, p->next), " ");
    TRY(parse_level(p, LEVEL_OTHER, &value));
    form_argument(&f, value);
    TRY(form_finish(&f, node, &clause));
    *MANY_ADD(p, list, const ast *) = clause;
    return LP_OK;
}

/* FOR (SYSTEM_TIME | SYSTEM TIME | VERSION | TIMESTAMP) (AS OF e | ...), (VERSION | TIMESTAMP | SYSTEM_VERSION) AS OF e
 */
static lp_status parse_travel(parser *p, many *list, bool *taken) {
    *taken = true;
    if (at_operator(p, 0, OPERATOR_AT_SIGN) && !p->traits->stages &&
        (at_name(p, 1) || peek(p, 1)->kind == TOKEN_NUMBER)) {
        const token *first = p->next; /* Delta: t@v3, t@20240101000000000 */
        p->next += 2;
        return add_clause(p, list, "AS OF", first);
    }
    size_t ahead = at_keyword(p, 0, KW_FOR) ? 1 : 0;
    bool system = at_word(p, ahead, "SYSTEM_TIME") || at_word(p, ahead, "SYSTEM_VERSION");
    size_t words = at_word(p, ahead, "SYSTEM") && at_keyword(p, ahead + 1, KW_TIME) ? 2 : 1;
    if (words == 2 || system || at_keyword(p, ahead, KW_VERSION) || at_keyword(p, ahead, KW_TIMESTAMP)) {
        if (at_keyword(p, ahead + words, KW_AS) && at_word(p, ahead + words + 1, "OF"))
            return add_clause_of(p, list, "AS OF", ahead + words + 2);
    }
    *taken = false;
    return LP_OK;
}

/* AT (...), BEFORE (...), CHANGES (...) [AT (...)] [END (...)] */
static lp_status parse_bracket_travel(parser *p, many *list, bool *taken) {
    const token *first = p->next;
    bool changes = at_keyword(p, 0, KW_CHANGES);
    *taken = (changes || at_keyword(p, 0, KW_AT) || at_keyword(p, 0, KW_BEFORE)) && at_operator(p, 1, OPERATOR_LPAREN);
    if (!*taken) return LP_OK;
    p->next++;
    TRY(skip_bracketed(p));
    while (changes && (at_keyword(p, 0, KW_AT) || at_keyword(p, 0, KW_BEFORE) || at_keyword(p, 0, KW_END)) &&
           at_operator(p, 1, OPERATOR_LPAREN)) {
        p->next++;
        TRY(skip_bracketed(p));
    }
    return add_clause(p, list, changes ? "CHANGES" : "AT", first);
}

/* (TABLESAMPLE | SAMPLE) [method] ( ... ) [(REPEATABLE | SEED) ( ... )] */
static lp_status parse_sample(parser *p, many *list, bool *taken) {
    const token *first = p->next;
    bool word = at_keyword(p, 0, KW_TABLESAMPLE) || at_keyword(p, 0, KW_SAMPLE);
    size_t words = at_operator(p, 1, OPERATOR_LPAREN) ? 1 : at_name(p, 1) && at_operator(p, 2, OPERATOR_LPAREN) ? 2 : 0;
    bool bare = word && words == 0 && peek(p, 1)->kind == TOKEN_NUMBER;
    *taken = word && (words > 0 || bare);
    if (!*taken) return LP_OK;
    p->next += bare ? 2 : words;
    if (bare)
        (void)(take_operator(p, OPERATOR_PERCENT) || take_keyword(p, KW_ROWS) || take_keyword(p, KW_PERCENT));
    else
        TRY(skip_bracketed(p));
    if ((at_word(p, 0, "REPEATABLE") || at_word(p, 0, "SEED")) && at_operator(p, 1, OPERATOR_LPAREN)) {
        p->next++;
        TRY(skip_bracketed(p));
    }
    return add_clause(p, list, "TABLESAMPLE", first);
}

/* WITH ( ... ) and PARTITION ( ... ): hints. */
static lp_status parse_hint(parser *p, many *list, bool *taken) {
    const token *first = p->next;
    *taken = (at_keyword(p, 0, KW_WITH) || at_keyword(p, 0, KW_PARTITION)) && at_operator(p, 1, OPERATOR_LPAREN);
    if (!*taken) return LP_OK;
    p->next++;
    TRY(skip_bracketed(p));
    return add_clause(p, list, first->word == KW_WITH ? "WITH" : "PARTITION", first);
}

static lp_status parse_relation_clauses(parser *p, const ast *const **out, size_t *out_count) {
    many list = {0};
    bool taken = true;
    while (taken && (p->next->kind == TOKEN_NAME || at_operator(p, 0, OPERATOR_AT_SIGN))) {
        TRY(parse_travel(p, &list, &taken));
        if (!taken) TRY(parse_bracket_travel(p, &list, &taken));
        if (!taken) TRY(parse_sample(p, &list, &taken));
        if (!taken) TRY(parse_hint(p, &list, &taken));
    }
    *out = list.item;
    *out_count = list.count;
    return LP_OK;
}

/* ---- sources ---- */

static lp_status parse_call_source(parser *p, const sql_name *name, const token *first, ast **out) {
    return parse_call(p, kept_text(p, first, p->next), name, first, out);
}

/* path, or path ( arguments ) */
static lp_status parse_named(parser *p, sql_relation *r) {
    const token *first = p->next;
    if (at_keyword(p, 0, KW_ONLY) && at_name(p, 1) && !ends_relation(p)) {
        r->is_only = true;
        p->next++;
        first = p->next;
    }
    TRY(parse_path(p, &r->name));
    if (at_operator(p, 0, OPERATOR_LPAREN)) {
        ast **call = ARENA_ARRAY(p->query, ast *, 1);
        sql_name name = r->name;
        TRY(parse_call_source(p, &name, first, &call[0]));
        r->kind = SQL_RELATION_FUNCTION;
        r->name = (sql_name){0};
        r->function = (const ast *const *)call;
        r->function_count = 1;
        return LP_OK;
    }
    r->kind = SQL_RELATION_NAME;
    if (at_operator(p, 0, OPERATOR_STAR) && p->traits->custom_operators) p->next++; /* PostgreSQL: t *, the default */
    return LP_OK;
}

/* TABLE ( call | path | ... ) */
static lp_status parse_table_call(parser *p, sql_relation *r) {
    ast **call = ARENA_ARRAY(p->query, ast *, 1);
    const token *first = p->next;
    sql_name name = {0};
    p->next++;
    const token *open = p->next;
    if (at_name(p, 1)) { /* TABLE(f(...)) */
        p->next++;
        r->is_table_call = true;
        TRY(parse_expression(p, &call[0]));
        TRY(expect_close(p, OPERATOR_RPAREN, open));
    } else { /* TABLE('name'), TABLE(?) */
        TRY(parse_call_source(p, &name, first, &call[0]));
    }
    r->kind = SQL_RELATION_FUNCTION;
    r->function = (const ast *const *)call;
    r->function_count = 1;
    return LP_OK;
}

/* One function of ROWS FROM, with AS ( definitions ) in its brackets perhaps. */
static lp_status parse_rows_function(parser *p, many *calls) {
    ast *call;
    TRY(parse_primary(p, &call));
    if (at_keyword(p, 0, KW_AS) && at_operator(p, 1, OPERATOR_LPAREN)) {
        const token *first = p->next++;
        TRY(skip_bracketed(p));
        ast *node = node_new(p, AST_OTHER);
        node->form = FORM_OPERATOR;
        form f = form_start(p, first);
        f.first = first;
        form_argument(&f, call);
        form_write(&f, " ", kept_text(p, first, p->next), "");
        span at = call->at;
        TRY(form_finish(&f, node, &call));
        node->at = span_join(at, node->at);
    }
    *MANY_ADD(p, calls, const ast *) = call;
    return LP_OK;
}

/* ROWS FROM ( f(...), g(...) ) */
static lp_status parse_rows_from(parser *p, sql_relation *r) {
    many calls = {0};
    p->next += 2;
    const token *open = p->next;
    TRY(expect_operator(p, OPERATOR_LPAREN));
    do TRY(parse_rows_function(p, &calls));
    while (take_operator(p, OPERATOR_COMMA));
    r->kind = SQL_RELATION_FUNCTION;
    r->is_rows_from = true;
    r->function = calls.item;
    r->function_count = calls.count;
    return expect_close(p, OPERATOR_RPAREN, open);
}

/* Tokens that touch each other: @db.stage/path/file.csv, with ( options ) perhaps. */
static lp_status parse_stage(parser *p, sql_relation *r) {
    const token *first = p->next++;
    while (p->next->kind != TOKEN_END && p->next[-1].at.start + p->next[-1].at.len == p->next->at.start &&
           !at_operator(p, 0, OPERATOR_RPAREN) && !at_operator(p, 0, OPERATOR_COMMA) &&
           !at_operator(p, 0, OPERATOR_LPAREN) && !at_operator(p, 0, OPERATOR_SEMICOLON))
        p->next++;
    r->kind = SQL_RELATION_FILE;
    r->text = span_text(p->text, span_since(p, first));
    if (!at_operator(p, 0, OPERATOR_LPAREN)) return LP_OK;
    const token *open = p->next;
    buf text;
    buf_init(&text, p->query, SQL_MAX_TEXT_BYTES * 2);
    TRY(skip_bracketed(p));
    buf_put(&text, r->text);
    buf_put_char(&text, ' ');
    buf_put(&text, kept_text(p, open, p->next));
    r->text = buf_str(&text);
    return LP_OK;
}

static lp_status parse_file(parser *p, sql_relation *r) {
    r->kind = SQL_RELATION_FILE;
    r->text = token_text(p, p->next++);
    return LP_OK;
}

static lp_status parse_bare_values(parser *p, sql_relation *r) {
    r->kind = SQL_RELATION_QUERY;
    r->is_bare = true;
    sql_query *values;
    TRY(parse_values(p, &values));
    r->query = values;
    return LP_OK;
}

/* ?, :x, IDENTIFIER's cousin: a table that somebody names later. */
static lp_status parse_parameter_source(parser *p, sql_relation *r) {
    ast **call = ARENA_ARRAY(p->query, ast *, 1);
    TRY(parse_primary(p, &call[0]));
    r->kind = SQL_RELATION_FUNCTION;
    r->function = (const ast *const *)call;
    r->function_count = 1;
    return LP_OK;
}

/* Redshift, UNPIVOT object AS value AT key: a row for each key of the object. */
static lp_status parse_unpivot_source(parser *p, sql_relation *r) {
    ast **call = ARENA_ARRAY(p->query, ast *, 1), *node = node_new(p, AST_OTHER), *object;
    form f = form_start(p, p->next++);
    node->form = FORM_OPERATOR;
    form_put(&f, STR("UNPIVOT "));
    TRY(parse_primary(p, &object));
    form_argument(&f, object);
    TRY(form_finish(&f, node, &call[0]));
    r->kind = SQL_RELATION_FUNCTION;
    r->function = (const ast *const *)call;
    r->function_count = 1;
    return LP_OK;
}

/* ---- brackets ---- */

typedef struct bracketed { /* what stands in brackets: one of the two */
    sql_query *query;      /* of kind PAREN */
    sql_relation *relation;
} bracketed;

static lp_status parse_joins(parser *p, const token *first, sql_relation *left, sql_relation **out);
static lp_status parse_tail(parser *p, const token *first, sql_relation *r, sql_relation **out);

static sql_relation *relation_of_query(parser *p, const sql_query *brackets) {
    sql_relation *r = ARENA_NEW(p->query, sql_relation);
    r->kind = SQL_RELATION_QUERY;
    r->text = STR("");
    r->query = brackets->operand[0]; /* the relation has brackets of its own */
    r->height = r->query->height + 1;
    r->at = brackets->at;
    return r;
}

static lp_status wrap_query(parser *p, const token *open, uint32_t outer, const sql_query *inner, bracketed *out) {
    const sql_query **operand = ARENA_ARRAY(p->query, const sql_query *, 1);
    operand[0] = inner;
    out->query = ARENA_NEW(p->query, sql_query);
    out->query->kind = SQL_QUERY_PAREN;
    out->query->operand = operand;
    out->query->operand_count = 1;
    TRY(expect_close(p, OPERATOR_RPAREN, open));
    parse_leave(p);
    return query_leave(p, open, outer, &out->query->height, &out->query->at);
}

/* `( ( ...`: only what follows the inner bracket tells whether it is a query or a relation, so it is read as what it
 * is, and goes on as what it turns out to be. */
static lp_status parse_from_brackets(parser *p, bracketed *out) {
    const token *open = p->next++, *first = p->next;
    uint32_t outer;
    *out = (bracketed){0};
    TRY(parse_enter(p));
    query_enter(p, &outer);
    if (starts_query(p, 0) || at_keyword(p, 0, KW_WITH)) {
        const sql_query *inner;
        TRY(parse_query(p, &inner));
        return wrap_query(p, open, outer, inner, out);
    }
    bracketed inner = {0};
    sql_relation *r;
    if (at_operator(p, 0, OPERATOR_LPAREN)) {
        TRY(parse_from_brackets(p, &inner));
        if (inner.query && (at_query_end(p) || at_operator(p, 0, OPERATOR_RPAREN))) {
            const sql_query *whole;
            TRY(parse_query_from(p, inner.query, first, &whole));
            return wrap_query(p, open, outer, whole, out);
        }
        r = inner.query ? relation_of_query(p, inner.query) : inner.relation;
        TRY(parse_tail(p, first, r, &r));
    } else {
        const sql_relation *made;
        TRY(parse_relation_operand(p, &made));
        r = ARENA_NEW(p->query, sql_relation);
        *r = *made;
    }
    TRY(parse_joins(p, first, r, &r));
    TRY(expect_close(p, OPERATOR_RPAREN, open));
    const sql_relation **operand = ARENA_ARRAY(p->query, const sql_relation *, 1);
    operand[0] = r;
    out->relation = ARENA_NEW(p->query, sql_relation);
    out->relation->kind = SQL_RELATION_PAREN;
    out->relation->text = STR("");
    out->relation->operand = operand;
    out->relation->operand_count = 1;
    parse_leave(p);
    return query_leave(p, open, outer, &out->relation->height, &out->relation->at);
}

/* ---- operands ---- */

static lp_status parse_source(parser *p, sql_relation **out) {
    sql_relation *r = *out;
    if (at_operator(p, 0, OPERATOR_LPAREN)) {
        bracketed inner;
        bool lateral = r->is_lateral;
        TRY(parse_from_brackets(p, &inner));
        *out = inner.query ? relation_of_query(p, inner.query) : inner.relation;
        (*out)->is_lateral = lateral;
        return LP_OK;
    }
    if (p->next->kind == TOKEN_STRING) return parse_file(p, r);
    if (at_operator(p, 0, OPERATOR_AT_SIGN))
        return p->traits->stages ? parse_stage(p, r) : parse_parameter_source(p, r);
    if (at_operator(p, 0, OPERATOR_QUESTION) || at_operator(p, 0, OPERATOR_COLON)) return parse_parameter_source(p, r);
    if (at_keyword(p, 0, KW_VALUES) && at_operator(p, 1, OPERATOR_LPAREN)) return parse_bare_values(p, r);
    if (at_keyword(p, 0, KW_VALUES) && !at_name(p, 1)) return parse_bare_values(p, r);
    if (at_keyword(p, 0, KW_TABLE) && at_operator(p, 1, OPERATOR_LPAREN)) return parse_table_call(p, r);
    if (at_keyword(p, 0, KW_UNPIVOT) && at_name(p, 1) && !at_keyword(p, 1, KW_AS)) return parse_unpivot_source(p, r);
    if (at_keyword(p, 0, KW_ROWS) && at_keyword(p, 1, KW_FROM) && at_operator(p, 2, OPERATOR_LPAREN))
        return parse_rows_from(p, r);
    if (at_name(p, 0) && p->next->word != KW_NONE && (keyword_traits((keyword)p->next->word) & WORD_STARTS_NOTHING))
        return expected(p, "a table");
    if (!at_name(p, 0) && p->next->kind != TOKEN_PARAMETER) return expected(p, "a table");
    return parse_named(p, r);
}

/* WITH ORDINALITY, WITH OFFSET [[AS] name], AT name */
static lp_status parse_numbering(parser *p, sql_relation *r) {
    if (at_keyword(p, 0, KW_WITH) && at_word(p, 1, "ORDINALITY")) {
        p->next += 2;
        r->has_ordinality = true;
    } else if (at_keyword(p, 0, KW_WITH) && at_keyword(p, 1, KW_OFFSET)) {
        p->next += 2;
        r->has_offset = true;
        bool as = take_keyword(p, KW_AS);
        if (as && !at_name(p, 0)) return expected(p, "a name after AS");
        if (!as && (!at_name(p, 0) || ends_relation(p))) return LP_OK;
        r->has_offset_name = true;
        r->offset_name = name_part(p, p->next++);
    } else if (at_keyword(p, 0, KW_AT) && at_name(p, 1) && r->has_alias) {
        r->has_offset = r->offset_is_at = r->has_offset_name = true;
        r->offset_name = name_part(p, p->next + 1);
        p->next += 2;
    }
    return LP_OK;
}

static lp_status finish_wrapper(parser *p, const token *first, const sql_relation *input, sql_relation *r,
                                sql_relation **out) {
    const sql_relation **operand = ARENA_ARRAY(p->query, const sql_relation *, 1);
    operand[0] = input;
    r->operand = operand;
    r->operand_count = 1;
    if (input->height > p->seen_height) p->seen_height = input->height;
    TRY(query_grow(p, first, &r->height, &r->at));
    *out = r;
    return LP_OK;
}

/* PIVOT (...), UNPIVOT (...), MATCH_RECOGNIZE (...) over `r`; *taken is false if none follows. */
static lp_status parse_wrapper(parser *p, const token *first, sql_relation *r, sql_relation **out, bool *taken) {
    sql_relation *wrapper = ARENA_NEW(p->query, sql_relation);
    const token *word = p->next;
    *taken = true;
    wrapper->text = STR("");
    if (at_pivot(p)) {
        wrapper->kind = SQL_RELATION_PIVOT;
        TRY(parse_pivot(p, &wrapper->pivot));
        return finish_wrapper(p, first, r, wrapper, out);
    }
    *taken = at_keyword(p, 0, KW_MATCH_RECOGNIZE) && at_operator(p, 1, OPERATOR_LPAREN);
    if (!*taken) return LP_OK;
    ast *clause;
    p->next++;
    TRY(skip_bracketed(p));
    wrapper->kind = SQL_RELATION_UNKNOWN;
    wrapper->text = STR("MATCH_RECOGNIZE");
    TRY(clause_of_text(p, wrapper->text, word, &clause));
    wrapper->unknown = clause;
    return finish_wrapper(p, first, r, wrapper, out);
}

/* clauses [alias] clauses behind a source, then what wraps it and has the same tail */
static lp_status parse_tail(parser *p, const token *first, sql_relation *r, sql_relation **out) {
    bool taken = true;
    while (taken) {
        p->seen_height = 0;
        TRY(parse_numbering(p, r));
        TRY(parse_relation_clauses(p, &r->clause, &r->clause_count));
        if (!r->has_alias) TRY(parse_alias(p, &r->has_alias, &r->alias));
        TRY(parse_numbering(p, r));
        TRY(parse_relation_clauses(p, &r->clause_behind, &r->clause_behind_count));
        TRY(query_grow(p, first, &r->height, &r->at));
        TRY(parse_wrapper(p, first, r, &r, &taken));
    }
    *out = r;
    return LP_OK;
}

/* [LATERAL] source tail */
static lp_status parse_operand(parser *p, sql_relation **out) {
    const token *first = p->next;
    uint32_t outer = p->seen_height;
    sql_relation *r = ARENA_NEW(p->query, sql_relation);
    bool lateral = at_keyword(p, 0, KW_LATERAL) && !at_keyword(p, 1, KW_VIEW) && take_keyword(p, KW_LATERAL);
    r->is_lateral = lateral;
    r->text = STR("");
    p->seen_height = 0;
    bool colon = p->traits->colon_aliases && at_name(p, 0) && at_operator(p, 1, OPERATOR_COLON);
    ast_part alias = {0};
    if (colon) {
        alias = name_part(p, p->next);
        p->next += 2;
    }
    TRY(parse_source(p, &r));
    if (r->height == 0) r->height = p->seen_height + 1;
    if (colon) {
        r->has_alias = true;
        r->alias = (sql_alias){.has_name = true, .name = alias, .at = alias.at};
    }
    TRY(parse_tail(p, first, r, &r));
    p->seen_height = outer > r->height ? outer : r->height;
    *out = r;
    return LP_OK;
}

lp_status parse_relation_operand(parser *p, const sql_relation **out) {
    sql_relation *r;
    TRY(parse_operand(p, &r));
    *out = r;
    return LP_OK;
}

/* ---- joins ---- */

static void take_outer(parser *p) {
    (void)take_keyword(p, KW_OUTER);
}

/* LEFT [OUTER | SEMI | ANTI], and so on; behind it stands JOIN. */
static void take_side(parser *p, sql_join *join) {
    bool left = at_keyword(p, 0, KW_LEFT), right = at_keyword(p, 0, KW_RIGHT);
    if (left || right || at_keyword(p, 0, KW_FULL)) p->next++;
    join->kind = left ? SQL_JOIN_LEFT : right ? SQL_JOIN_RIGHT : SQL_JOIN_FULL;
    take_outer(p);
    if (take_keyword(p, KW_SEMI)) join->kind = right ? SQL_JOIN_RIGHT_SEMI : SQL_JOIN_LEFT_SEMI;
    if (take_keyword(p, KW_ANTI)) join->kind = right ? SQL_JOIN_RIGHT_ANTI : SQL_JOIN_LEFT_ANTI;
}

static void take_join_kind(parser *p, sql_join *join) {
    join->kind = SQL_JOIN_INNER;
    join->is_natural = take_keyword(p, KW_NATURAL);
    join->is_asof = take_keyword(p, KW_ASOF);
    if (take_keyword(p, KW_INNER)) return;
    if (at_keyword(p, 0, KW_LEFT) || at_keyword(p, 0, KW_RIGHT) || at_keyword(p, 0, KW_FULL) ||
        at_keyword(p, 0, KW_SEMI) || at_keyword(p, 0, KW_ANTI))
        take_side(p, join);
    else if (take_keyword(p, KW_CROSS))
        join->kind = SQL_JOIN_CROSS;
    else if (take_keyword(p, KW_POSITIONAL))
        join->kind = SQL_JOIN_POSITIONAL;
}

bool take_join_words(parser *p, sql_join *out) {
    const token *first = p->next;
    if (first->kind != TOKEN_NAME || first->word == KW_NONE) return false;
    *out = (sql_join){0};
    if (at_keyword(p, 0, KW_LATERAL) && at_keyword(p, 1, KW_VIEW)) {
        p->next += 2;
        out->kind = take_keyword(p, KW_OUTER) ? SQL_JOIN_LATERAL_VIEW_OUTER : SQL_JOIN_LATERAL_VIEW;
    } else {
        take_join_kind(p, out);
        if (at_word(p, 0, "DIRECTED") && at_keyword(p, 1, KW_JOIN)) p->next++; /* Snowflake: in that order */
        if (!take_keyword(p, KW_JOIN)) {
            p->next = first;
            return false;
        }
    }
    out->written = kept_text(p, first, p->next);
    out->at = span_since(p, first);
    return true;
}

/* USING ( names ) [AS alias] */
static lp_status parse_using(parser *p, sql_join *join) {
    many names = {0};
    p->next++;
    TRY(parse_names(p, &names));
    join->has_using = true;
    join->using_column = names.item;
    join->using_count = names.count;
    if (!at_keyword(p, 0, KW_AS) || !at_name(p, 1)) return LP_OK;
    bool found;
    return parse_alias(p, &found, &join->using_alias);
}

lp_status parse_join_condition(parser *p, sql_join *join) {
    if (at_keyword(p, 0, KW_MATCH_CONDITION) && at_operator(p, 1, OPERATOR_LPAREN)) {
        const token *open = ++p->next;
        ast *match;
        p->next++;
        TRY(parse_expression(p, &match));
        TRY(expect_close(p, OPERATOR_RPAREN, open));
        join->match = match;
    }
    if (take_keyword(p, KW_ON)) {
        ast *on;
        TRY(parse_expression(p, &on));
        join->on = on;
    } else if (at_keyword(p, 0, KW_USING) && at_operator(p, 1, OPERATOR_LPAREN)) {
        TRY(parse_using(p, join));
    }
    return LP_OK;
}

/* LATERAL VIEW [OUTER] call [table alias] [AS names], behind the words */
static lp_status parse_view(parser *p, sql_relation **out) {
    const token *first = p->next;
    uint32_t outer;
    sql_relation *r = ARENA_NEW(p->query, sql_relation);
    ast **call = ARENA_ARRAY(p->query, ast *, 1);
    query_enter(p, &outer);
    TRY(parse_primary(p, &call[0]));
    r->kind = SQL_RELATION_FUNCTION;
    r->text = STR("");
    r->function = (const ast *const *)call;
    r->function_count = 1;
    const token *alias = p->next;
    if (at_name(p, 0) && !at_keyword(p, 0, KW_AS) && !ends_relation(p)) {
        r->alias.has_name = true;
        r->alias.name = name_part(p, p->next++);
    }
    bool bare = r->alias.has_name && at_name(p, 0) && !at_keyword(p, 0, KW_AS) && !ends_relation(p);
    if (bare || take_keyword(p, KW_AS)) {
        many names = {0};
        if (at_operator(p, 0, OPERATOR_LPAREN)) {
            TRY(parse_names(p, &names));
        } else {
            do {
                if (!at_name(p, 0)) return expected(p, "the name of a column");
                *MANY_ADD(p, &names, ast_part) = name_part(p, p->next++);
            } while (take_operator(p, OPERATOR_COMMA));
        }
        r->alias.column = names.item;
        r->alias.column_count = names.count;
    }
    r->has_alias = p->next > alias;
    r->alias.at = span_since(p, alias);
    *out = r;
    return query_leave(p, first, outer, &r->height, &r->at);
}

typedef struct join_run { /* operands and the joins between them */
    many operands, joins;
} join_run;

static bool has_condition(const sql_join *join) {
    return join->on || join->has_using;
}

static sql_join *join_at(join_run *run, size_t i) {
    return (sql_join *)run->joins.item + i;
}

static lp_status make_join(parser *p, const join_run *run, size_t from, sql_relation **out) {
    sql_relation *r = ARENA_NEW(p->query, sql_relation);
    size_t count = run->operands.count - from;
    const sql_relation **operand = ARENA_ARRAY(p->query, const sql_relation *, count);
    sql_join *join = ARENA_ARRAY(p->query, sql_join, count - 1);
    uint32_t height = 0;
    for (size_t i = 0; i < count; i++) {
        operand[i] = ((const sql_relation *const *)run->operands.item)[from + i];
        if (operand[i]->height > height) height = operand[i]->height;
        if (i + 1 == count) continue;
        join[i] = ((const sql_join *)run->joins.item)[from + i];
        if (join[i].on && join[i].on->height > height) height = join[i].on->height;
        if (join[i].match && join[i].match->height > height) height = join[i].match->height;
    }
    *r = (sql_relation){.kind = SQL_RELATION_JOIN,
                        .text = STR(""),
                        .operand = operand,
                        .operand_count = count,
                        .join = join,
                        .height = height + 1};
    r->at = span_join(operand[0]->at, p->next[-1].at);
    *out = r;
    if (r->height > SQL_MAX_DEPTH) return too_deep(p, r->at);
    return LP_OK;
}

/* A condition behind a condition belongs to the nearest join without one, and what stands between is its right side. */
static lp_status bind_earlier(parser *p, join_run *run) {
    size_t j = run->joins.count;
    while (j > 0 && has_condition(join_at(run, j - 1))) j--;
    if (j == 0) return expected(p, "a join that has no condition yet");
    sql_relation *nested;
    TRY(make_join(p, run, j, &nested));
    run->joins.count = j;
    run->operands.count = j;
    *MANY_ADD(p, &run->operands, const sql_relation *) = nested;
    return parse_join_condition(p, join_at(run, j - 1));
}

static bool at_condition(const parser *p) {
    return at_keyword(p, 0, KW_ON) || (at_keyword(p, 0, KW_USING) && at_operator(p, 1, OPERATOR_LPAREN));
}

/* Conditions behind the operand that was read last; only one that follows another one directly looks for an earlier
 * join. */
static lp_status parse_conditions(parser *p, join_run *run) {
    sql_join *last = join_at(run, run->joins.count - 1);
    TRY(parse_join_condition(p, last));
    if (!has_condition(last)) return LP_OK;
    bool open = false;
    for (size_t i = 0; at_condition(p) && i < run->joins.count; i++) open = open || !has_condition(join_at(run, i));
    while (open && at_condition(p)) TRY(bind_earlier(p, run));
    return LP_OK;
}

static lp_status parse_joins(parser *p, const token *first, sql_relation *left, sql_relation **out) {
    join_run run = {0};
    sql_join join;
    uint32_t outer = p->seen_height;
    *MANY_ADD(p, &run.operands, const sql_relation *) = left;
    while (take_join_words(p, &join)) {
        sql_relation *right;
        bool view = join.kind == SQL_JOIN_LATERAL_VIEW || join.kind == SQL_JOIN_LATERAL_VIEW_OUTER;
        TRY(view ? parse_view(p, &right) : parse_operand(p, &right));
        *MANY_ADD(p, &run.joins, sql_join) = join;
        *MANY_ADD(p, &run.operands, const sql_relation *) = right;
        if (!view) TRY(parse_conditions(p, &run));
    }
    *out = left;
    if (run.joins.count == 0) return LP_OK;
    TRY(make_join(p, &run, 0, out));
    (*out)->at = span_since(p, first);
    p->seen_height = outer > (*out)->height ? outer : (*out)->height;
    return LP_OK;
}

lp_status parse_relation(parser *p, const sql_relation **out) {
    const token *first = p->next;
    sql_relation *r;
    TRY(parse_operand(p, &r));
    TRY(parse_joins(p, first, r, &r));
    *out = r;
    return LP_OK;
}

lp_status parse_relations(parser *p, many *list) {
    do {
        const sql_relation *r;
        TRY(parse_relation(p, &r));
        *MANY_ADD(p, list, const sql_relation *) = r;
    } while (take_operator(p, OPERATOR_COMMA) && !ends_list(p));
    return LP_OK;
}
