/* parse_statement.c - statements parted by semicolons: those that hold a query, and all others by name.
 * Called by: whoever reads a file of SQL.  Must not know: tables, meaning.
 *
 *   script    := [statement] {; [statement]}
 *   statement := query | create | insert | merge | other
 *   create    := CREATE [OR REPLACE] words (TABLE | VIEW) [IF NOT EXISTS] path [( columns or definitions )] options
 *                [AS query] rest
 *   insert    := [WITH ...] INSERT words [INTO | OVERWRITE] [TABLE] path [AS name] [( columns )] options (query | rest)
 *   merge     := [WITH ...] MERGE [INTO] relation USING relation ON e rest
 *
 * options and rest are kept as text. A statement that is wrong ends at its semicolon, and the next one is read as if
 * nothing had happened.
 */
#include "sql/parse.h"

#include "sql/sql_int.h"

/* ---- kept statements ---- */

/* Up to the end of the statement: a semicolon, or the bracket that closes around it. */
static lp_status skip_to_end(parser *p) {
    while (p->next->kind != TOKEN_END && !at_operator(p, 0, OPERATOR_SEMICOLON) &&
           !at_operator(p, 0, OPERATOR_RPAREN)) {
        if (p->next->kind == TOKEN_BAD) return expected(p, "SQL");
        if (at_operator(p, 0, OPERATOR_LPAREN))
            TRY(skip_bracketed(p));
        else
            p->next++;
    }
    return LP_OK;
}

static lp_status keep_to_end(parser *p, str *out) {
    const token *first = p->next;
    TRY(skip_to_end(p));
    *out = p->next > first ? kept_text(p, first, p->next) : STR("");
    return LP_OK;
}

/* Behind a query or a condition a clause starts with a word; an operator would belong to it. */
static lp_status keep_words_to_end(parser *p, str *out) {
    if (p->next->kind == TOKEN_OPERATOR && !at_operator(p, 0, OPERATOR_SEMICOLON))
        return expected(p, "the end of the statement");
    return keep_to_end(p, out);
}

static sql_statement *new_statement(parser *p, sql_statement_kind kind) {
    sql_statement *s = ARENA_NEW(p->query, sql_statement);
    s->kind = kind;
    s->word = s->options = s->rest = STR("");
    return s;
}

/* The words from `first` to `next`, upper case. */
static str words_text(parser *p, const token *first) {
    return upper_copy(p, kept_text(p, first, p->next));
}

static bool is_one_of(str word, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (str_eq_nocase(word, str_from(words[i]))) return true;
    return false;
}

/* Words that start a statement which holds no query that we read. */
static bool starts_other(str word) {
    static const char *const words[] = {
        "ALTER",     "ANALYZE",  "ANALYSE",  "ABORT",    "DEFINE",  "EXCEPTION",  "FOR",      "REPEAT",
        "ELSE",      "ELSEIF",   "LS",       "RM",       "CONVERT", "GENERATE",   "REPLACE",  "APPLY",
        "LEAVE",     "ITERATE",  "BREAK",    "CONTINUE", "CASE",    "OPEN",       "SIGNAL",   "PRINT",
        "ATTACH",    "BACKUP",   "BEGIN",    "CACHE",    "CALL",    "CHECKPOINT", "CLEAR",    "CLOSE",
        "CLUSTER",   "COMMENT",  "COMMIT",   "COPY",     "CREATE",  "DEALLOCATE", "DECLARE",  "DELETE",
        "DESC",      "DESCRIBE", "DETACH",   "DISCARD",  "DO",      "DROP",       "END",      "EXECUTE",
        "EXPLAIN",   "EXPORT",   "FETCH",    "FORCE",    "GET",     "GRANT",      "IMPORT",   "INSERT",
        "INSTALL",   "KILL",     "LIST",     "LISTEN",   "LOAD",    "LOCK",       "MERGE",    "MOVE",
        "MSCK",      "NOTIFY",   "OPTIMIZE", "PRAGMA",   "PREPARE", "PUT",        "REASSIGN", "REFRESH",
        "REINDEX",   "RELEASE",  "REMOVE",   "REPAIR",   "RESET",   "RESTORE",    "REVOKE",   "ROLLBACK",
        "SAVEPOINT", "SECURITY", "SET",      "SHOW",     "START",   "SUMMARIZE",  "TRUNCATE", "UNCACHE",
        "UNDROP",    "UNLISTEN", "UNLOAD",   "UNSET",    "UPDATE",  "USE",        "VACUUM",   "ADD",
        "ASSERT",    "IF",       "LOOP",     "WHILE",    "RAISE",   "RETURN",     "LET"};
    return is_one_of(word, words, sizeof words / sizeof *words);
}

static bool takes_second_word(str word) {
    static const char *const words[] = {"ALTER", "CREATE", "DROP", "SHOW", "TRUNCATE", "ANALYZE", "REFRESH", "CACHE"};
    return is_one_of(word, words, sizeof words / sizeof *words);
}

/* `first` is where the statement starts, whatever was read since. */
static lp_status parse_other(parser *p, const token *first, sql_statement **out) {
    sql_statement *s = new_statement(p, SQL_STATEMENT_UNKNOWN);
    p->next = first + 1;
    p->shift_taken = 0;
    bool takes_more = takes_second_word(token_text(p, first)) && p->next->kind == TOKEN_NAME;
    if (takes_more && !joins_hyphen_name(p, p->next, p->next + 1)) p->next++;
    s->word = words_text(p, first);
    TRY(keep_to_end(p, &s->rest));
    s->at = span_since(p, first);
    s->height = 1;
    *out = s;
    return LP_OK;
}

bool starts_kept_statement(const parser *p) {
    if (p->next->kind != TOKEN_NAME) return false;
    return (p->next->word == KW_INSERT || p->next->word == KW_UPDATE || p->next->word == KW_DELETE ||
            p->next->word == KW_MERGE) &&
           at_name(p, 1);
}

lp_status parse_kept_statement(parser *p, const sql_statement **out) {
    sql_statement *s;
    TRY(parse_other(p, p->next, &s));
    *out = s;
    return LP_OK;
}

/* ---- definitions of tables ---- */

/* ( names ) if it is there */
static lp_status parse_name_list(parser *p, const ast_part **out, size_t *out_count) {
    many names = {0};
    if (!at_operator(p, 0, OPERATOR_LPAREN)) return LP_OK;
    TRY(parse_names(p, &names));
    *out = names.item;
    *out_count = names.count;
    return LP_OK;
}

/* path [( names )] [MATCH ...] [ON (DELETE | UPDATE) action], behind REFERENCES */
static lp_status parse_references(parser *p, sql_constraint *c) {
    TRY(parse_path(p, &c->to));
    return parse_name_list(p, &c->to_column, &c->to_count);
}

/* ( e ), behind CHECK and the like */
static lp_status parse_bracketed_expression(parser *p, const ast **out) {
    const token *open = p->next;
    ast *e;
    TRY(expect_operator(p, OPERATOR_LPAREN));
    TRY(parse_expression(p, &e));
    *out = e;
    return expect_close(p, OPERATOR_RPAREN, open);
}

static bool at_constraint(const parser *p) {
    if (at_word(p, 0, "CONSTRAINT") || at_word(p, 0, "FOREIGN")) return at_name(p, 1);
    return (at_word(p, 0, "PRIMARY") && at_word(p, 1, "KEY")) ||
           ((at_word(p, 0, "UNIQUE") || at_word(p, 0, "CHECK")) &&
            (at_operator(p, 1, OPERATOR_LPAREN) || at_name(p, 1)));
}

/* Up to the comma or bracket that ends a definition: what we do not model. */
static lp_status skip_definition(parser *p) {
    while (p->next->kind != TOKEN_END && !at_operator(p, 0, OPERATOR_COMMA) && !at_operator(p, 0, OPERATOR_RPAREN)) {
        if (p->next->kind == TOKEN_BAD || at_operator(p, 0, OPERATOR_SEMICOLON)) return expected(p, "\")\"");
        if (at_operator(p, 0, OPERATOR_LPAREN))
            TRY(skip_bracketed(p));
        else
            p->next++;
    }
    return LP_OK;
}

/* [CONSTRAINT name] (PRIMARY KEY | UNIQUE | FOREIGN KEY | CHECK) ... */
static lp_status parse_constraint(parser *p, many *list) {
    const token *first = p->next;
    sql_constraint c = {0};
    if (at_word(p, 0, "CONSTRAINT")) p->next += 2;
    bool primary = at_word(p, 0, "PRIMARY"), unique = at_word(p, 0, "UNIQUE"), foreign = at_word(p, 0, "FOREIGN");
    if (!primary && !unique && !foreign && !at_word(p, 0, "CHECK")) return skip_definition(p);
    p->next += primary || foreign ? 2 : 1;
    c.kind = primary   ? SQL_CONSTRAINT_PRIMARY
             : unique  ? SQL_CONSTRAINT_UNIQUE
             : foreign ? SQL_CONSTRAINT_FOREIGN
                       : SQL_CONSTRAINT_CHECK;
    if (at_keyword(p, 0, KW_NULLS)) {
        c.nulls_not_distinct = at_keyword(p, 1, KW_NOT);
        p->next += c.nulls_not_distinct ? 3 : 2;
    }
    while (!at_operator(p, 0, OPERATOR_LPAREN) && at_name(p, 0)) p->next++; /* the name of an index */
    if (c.kind == SQL_CONSTRAINT_CHECK)
        TRY(parse_bracketed_expression(p, &c.check));
    else
        TRY(parse_name_list(p, &c.column, &c.column_count));
    if (foreign) {
        if (!at_word(p, 0, "REFERENCES")) return expected(p, "REFERENCES");
        p->next++;
        TRY(parse_references(p, &c));
    }
    TRY(skip_definition(p));
    c.at = span_since(p, first);
    *MANY_ADD(p, list, sql_constraint) = c;
    return LP_OK;
}

static bool ends_definition(const parser *p) {
    return p->next->kind == TOKEN_END || at_operator(p, 0, OPERATOR_COMMA) || at_operator(p, 0, OPERATOR_RPAREN);
}

/* One property of a column, or a token that we do not model. */
static lp_status parse_column_property(parser *p, sql_column_definition *d, many *checks) {
    if (at_keyword(p, 0, KW_NOT) && at_keyword(p, 1, KW_NULL)) {
        p->next += 2;
        d->is_not_null = true;
    } else if (at_word(p, 0, "PRIMARY") && at_word(p, 1, "KEY")) {
        p->next += 2;
        d->is_primary = true;
    } else if (at_word(p, 0, "UNIQUE")) {
        p->next++;
        d->is_unique = true;
    } else if (at_word(p, 0, "REFERENCES") && at_name(p, 1)) {
        const token *first = p->next++;
        sql_constraint *c = ARENA_NEW(p->query, sql_constraint);
        c->kind = SQL_CONSTRAINT_FOREIGN;
        TRY(parse_references(p, c));
        c->at = span_since(p, first);
        d->references = c;
    } else if (at_word(p, 0, "CHECK") && at_operator(p, 1, OPERATOR_LPAREN)) {
        p->next++;
        TRY(parse_bracketed_expression(p, MANY_ADD(p, checks, const ast *)));
    } else if (at_keyword(p, 0, KW_DEFAULT) && !at_keyword(p, 1, KW_AS) && !at_keyword(p, 1, KW_ON)) {
        ast *value;
        p->next++;
        TRY(parse_level(p, LEVEL_OTHER, &value));
        d->default_value = value;
    } else if (at_keyword(p, 0, KW_AS) && at_operator(p, 1, OPERATOR_LPAREN)) {
        p->next++;
        TRY(parse_bracketed_expression(p, &d->generated));
    } else if (at_keyword(p, 0, KW_COLLATE) && d->type.len) {
        p->next++;
        d->type = str_format(p->query, STR_FMT " COLLATE " STR_FMT, STR_ARG(d->type), STR_ARG(token_text(p, p->next)));
        if (!ends_definition(p)) p->next++;
    } else if (at_operator(p, 0, OPERATOR_LPAREN)) {
        TRY(skip_bracketed(p));
    } else {
        if (p->next->kind == TOKEN_BAD || at_operator(p, 0, OPERATOR_SEMICOLON)) return expected(p, "\")\"");
        p->next++;
    }
    return LP_OK;
}

/* Words that follow a column which has no type. */
static bool starts_property(const parser *p) {
    static const char *const words[] = {"PRIMARY", "NOT",        "UNIQUE",  "REFERENCES", "CHECK", "DEFAULT",
                                        "AS",      "GENERATED",  "OPTIONS", "COMMENT",    "WITH",  "MASKING",
                                        "TAG",     "CONSTRAINT", "NULL",    "COLLATE"};
    return is_one_of(token_text(p, p->next), words, sizeof words / sizeof *words);
}

/* name [type] properties */
static lp_status parse_column_definition(parser *p, many *list) {
    const token *first = p->next;
    sql_column_definition d = {.type = STR("")};
    many checks = {0};
    d.name = name_part(p, p->next++);
    if (!at_name(p, 0) && !ends_definition(p)) return expected(p, "a type");
    if (at_name(p, 0) && !starts_property(p)) TRY(parse_type(p, &d.type));
    while (!ends_definition(p)) TRY(parse_column_property(p, &d, &checks));
    d.check = checks.item;
    d.check_count = checks.count;
    d.at = span_since(p, first);
    *MANY_ADD(p, list, sql_column_definition) = d;
    return LP_OK;
}

/* ( definition {, definition} ): constraints too. Plain names alone are the column list of CREATE ... AS. */
static lp_status parse_definitions(parser *p, sql_statement *s) {
    const token *open = p->next++;
    many definitions = {0}, constraints = {0};
    while (!at_operator(p, 0, OPERATOR_RPAREN)) {
        if (at_constraint(p))
            TRY(parse_constraint(p, &constraints));
        else if (at_keyword(p, 0, KW_LIKE) || !at_name(p, 0))
            TRY(skip_definition(p));
        else
            TRY(parse_column_definition(p, &definitions));
        if (!take_operator(p, OPERATOR_COMMA)) break;
    }
    s->definition = definitions.item;
    s->definition_count = definitions.count;
    s->constraint = constraints.item;
    s->constraint_count = constraints.count;
    return expect_close(p, OPERATOR_RPAREN, open);
}

/* ---- CREATE ---- */

/* Behind CREATE: words up to TABLE or VIEW; false if it creates something else. */
static bool take_create_words(parser *p, bool *view) {
    static const char *const words[] = {"OR",       "GLOBAL",   "LOCAL",    "TEMP",      "TEMPORARY",    "TRANSIENT",
                                        "UNLOGGED", "EXTERNAL", "SECURE",   "RECURSIVE", "MATERIALIZED", "VOLATILE",
                                        "DYNAMIC",  "HYBRID",   "SNAPSHOT", "NON",       "FOREIGN",      "STREAMING",
                                        "REPLACE",  "REFRESH",  "LIVE",     "ICEBERG",   "PRIVATE"};
    p->next++;
    for (size_t i = 0; i < 6 && p->next->kind == TOKEN_NAME; i++, p->next++) {
        *view = at_keyword(p, 0, KW_VIEW);
        if (*view || at_keyword(p, 0, KW_TABLE)) {
            p->next++;
            return !at_word(p, 0, "FUNCTION");
        }
        if (!is_one_of(token_text(p, p->next), words, sizeof words / sizeof *words)) return false;
    }
    return false;
}

/* Options up to AS and a query, if there is one; *found tells. */
static lp_status keep_options(parser *p, sql_statement *s, bool *found) {
    const token *first = p->next;
    *found = false;
    while (p->next->kind != TOKEN_END && !at_operator(p, 0, OPERATOR_SEMICOLON)) {
        *found = at_keyword(p, 0, KW_AS) && starts_query_in_brackets(p, 1);
        if (*found) break;
        if (p->next->kind == TOKEN_BAD) return expected(p, "SQL");
        if (at_operator(p, 0, OPERATOR_LPAREN))
            TRY(skip_bracketed(p));
        else
            p->next++;
    }
    if (p->next > first) s->options = kept_text(p, first, p->next);
    return LP_OK;
}

static lp_status parse_create(parser *p, const token *first, sql_statement **out) {
    bool view, has_query;
    sql_statement *s = new_statement(p, SQL_STATEMENT_CREATE_TABLE);
    if (!take_create_words(p, &view)) return parse_other(p, first, out);
    if (view) s->kind = SQL_STATEMENT_CREATE_VIEW;
    if (at_word(p, 0, "IF") && at_keyword(p, 1, KW_NOT) && at_keyword(p, 2, KW_EXISTS)) p->next += 3;
    s->word = words_text(p, first);
    s->has_target = true;
    TRY(parse_path(p, &s->target));
    if (at_operator(p, 0, OPERATOR_LPAREN) && !starts_query_in_brackets(p, 1)) {
        s->has_columns = true;
        if (parse_definitions(p, s) != LP_OK) return parse_other(p, first, out); /* of a kind that we do not know */
    }
    if (at_operator(p, 0, OPERATOR_LPAREN) && starts_query_in_brackets(p, 1)) {
        has_query = true; /* Redshift: CREATE TABLE t (SELECT ...) */
    } else {
        TRY(keep_options(p, s, &has_query));
        if (has_query) p->next++;
    }
    if (has_query) {
        TRY(parse_query(p, &s->query));
        TRY(keep_words_to_end(p, &s->rest));
    }
    s->at = span_since(p, first);
    *out = s;
    return LP_OK;
}

/* ---- INSERT and MERGE ---- */

static bool at_insert_query(const parser *p) {
    return starts_query_in_brackets(p, 0) || (at_keyword(p, 0, KW_VALUES) && !at_keyword(p, 1, KW_AS));
}

/* Words between the target and the query: PARTITION (...), BY NAME, OVERRIDING ... */
static lp_status keep_insert_options(parser *p, sql_statement *s) {
    const token *first = p->next;
    while (p->next->kind == TOKEN_NAME && !at_insert_query(p) && !at_keyword(p, 0, KW_DEFAULT) &&
           !at_keyword(p, 0, KW_SET)) {
        p->next++;
        if (at_operator(p, 0, OPERATOR_LPAREN) && !starts_query_in_brackets(p, 1)) TRY(skip_bracketed(p));
    }
    if (p->next > first) s->options = kept_text(p, first, p->next);
    return LP_OK;
}

static bool take_insert_words(parser *p) {
    static const char *const words[] = {"OVERWRITE", "OR", "REPLACE", "IGNORE", "INTO", "TABLE", "ABORT"};
    p->next++;
    bool any = false;
    while (p->next->kind == TOKEN_NAME && is_one_of(token_text(p, p->next), words, sizeof words / sizeof *words)) {
        any = true;
        p->next++;
    }
    return any;
}

static lp_status parse_insert(parser *p, const token *first, const sql_with *with, sql_statement **out) {
    sql_statement *s = new_statement(p, SQL_STATEMENT_INSERT);
    const token *word = p->next;
    if (!take_insert_words(p) && !at_name(p, 0)) return parse_other(p, first, out);
    if (!at_name(p, 0) && p->next->kind != TOKEN_PARAMETER) return parse_other(p, first, out);
    s->word = words_text(p, word);
    s->with = with;
    s->has_target = true;
    if (at_word(p, 0, "IDENTIFIER") && at_operator(p, 1, OPERATOR_LPAREN)) return parse_other(p, first, out);
    TRY(parse_path(p, &s->target));
    if (at_operator(p, 0, OPERATOR_LPAREN) && !starts_query_in_brackets(p, 1)) {
        many names = {0};
        s->has_columns = true;
        TRY(parse_names(p, &names));
        s->column = names.item;
        s->column_count = names.count;
    }
    TRY(keep_insert_options(p, s));
    if (at_insert_query(p)) TRY(parse_query(p, &s->query));
    TRY(s->query ? keep_words_to_end(p, &s->rest) : keep_to_end(p, &s->rest));
    s->at = span_since(p, first);
    *out = s;
    return LP_OK;
}

static lp_status parse_merge(parser *p, const token *first, const sql_with *with, sql_statement **out) {
    sql_statement *s = new_statement(p, SQL_STATEMENT_MERGE);
    const token *word = p->next++;
    ast *on;
    (void)take_keyword(p, KW_INTO);
    if (!at_name(p, 0) && p->next->kind != TOKEN_PARAMETER) return expected(p, "a table");
    s->word = words_text(p, word);
    s->with = with;
    TRY(parse_relation_operand(p, &s->merge_target));
    s->has_target = s->merge_target->kind == SQL_RELATION_NAME;
    s->target = s->merge_target->name;
    TRY(expect_keyword(p, KW_USING));
    TRY(parse_relation_operand(p, &s->merge_source));
    TRY(expect_keyword(p, KW_ON));
    TRY(parse_expression(p, &on));
    s->merge_on = on;
    TRY(keep_words_to_end(p, &s->rest));
    s->at = span_since(p, first);
    *out = s;
    return LP_OK;
}

/* ---- statements ---- */

static lp_status parse_query_statement(parser *p, const token *first, const sql_with *with, sql_statement **out) {
    sql_statement *s = new_statement(p, SQL_STATEMENT_QUERY);
    if (with)
        TRY(parse_query_with(p, with, p->seen_height, first, &s->query));
    else
        TRY(parse_query(p, &s->query));
    if (p->traits->flows && at_operator(p, 0, OPERATOR_ARROW_TEXT)) return parse_other(p, first, out);
    s->at = s->query->at;
    *out = s;
    return LP_OK;
}

static lp_status parse_with_statement(parser *p, sql_statement **out) {
    const token *first = p->next;
    const sql_with *with;
    TRY(parse_with(p, &with));
    if (at_keyword(p, 0, KW_INSERT)) return parse_insert(p, first, with, out);
    if (at_keyword(p, 0, KW_MERGE)) return parse_merge(p, first, with, out);
    if (starts_kept_statement(p)) return parse_other(p, first, out);
    return parse_query_statement(p, first, with, out);
}

static bool starts_pivot_statement(const parser *p) {
    return (at_keyword(p, 0, KW_PIVOT) || at_keyword(p, 0, KW_UNPIVOT)) &&
           (at_name(p, 1) || at_operator(p, 1, OPERATOR_LPAREN) || peek(p, 1)->kind == TOKEN_STRING);
}

/* FROM t INSERT INTO a SELECT x INSERT INTO b SELECT y: several queries over one FROM. */
static bool starts_multi_insert(const parser *p) {
    size_t open = 0;
    if (!p->traits->multi_insert || !at_keyword(p, 0, KW_FROM)) return false;
    for (const token *t = p->next; t->kind != TOKEN_END; t++) {
        if (t->kind == TOKEN_NAME && t->word == KW_INSERT && open == 0) return t[1].kind == TOKEN_NAME;
        if (t->kind != TOKEN_OPERATOR) continue;
        if (t->detail == OPERATOR_SEMICOLON) return false;
        open += t->detail == OPERATOR_LPAREN;
        open -= t->detail == OPERATOR_RPAREN && open > 0;
    }
    return false;
}

static lp_status parse_statement(parser *p, sql_statement **out) {
    const token *first = p->next;
    if (at_operator(p, 0, OPERATOR_LPAREN)) return parse_query_statement(p, first, NULL, out);
    switch ((int)(first->kind == TOKEN_NAME ? first->word : KW_NONE)) {
    case KW_FROM:
        if (starts_multi_insert(p)) return parse_other(p, first, out);
        return parse_query_statement(p, first, NULL, out);
    case KW_SELECT:
    case KW_VALUES:
    case KW_TABLE: return parse_query_statement(p, first, NULL, out);
    case KW_WITH: return parse_with_statement(p, out);
    case KW_CREATE: return parse_create(p, first, out);
    case KW_INSERT: return parse_insert(p, first, NULL, out);
    case KW_MERGE: return parse_merge(p, first, NULL, out);
    default: break;
    }
    if (starts_pivot_statement(p)) return parse_query_statement(p, first, NULL, out);
    if (at_operator(p, 0, OPERATOR_PERCENT))
        return sql_syntax_error(p->err, p->text, first->at,
                                "expected SQL, found a magic of a notebook; give the text of the cell without it");
    bool is_word = first->kind == TOKEN_NAME && !joins_hyphen_name(p, first, first + 1);
    if (is_word && starts_other(token_text(p, first))) return parse_other(p, first, out);
    return expected(p, "a statement");
}

/* ---- scripts ---- */

typedef struct script {
    many statements, errors;
} script;

static void add_error(parser *p, script *s, const lp_err *err, const token *first) {
    span at = p->next->kind == TOKEN_BAD ? p->bad[p->next->word].at : p->next->at;
    (void)first;
    *MANY_ADD(p, &s->errors, sql_error) = (sql_error){str_copy(p->query, str_from(err->text)), at};
}

/* Errors of tokens behind the one that was told belong to the same statement: they are told too, for each is a mistake
 * of its own. */
static void recover(parser *p, script *s) {
    const token *told = p->next;
    while (p->next->kind != TOKEN_END && !at_operator(p, 0, OPERATOR_SEMICOLON)) {
        if (p->next->kind == TOKEN_BAD && p->next > told && s->errors.count < SQL_MAX_ERRORS)
            *MANY_ADD(p, &s->errors, sql_error) = p->bad[p->next->word];
        p->next++;
    }
}

/* One statement up to its semicolon. */
static lp_status parse_whole_statement(parser *p, sql_statement **out) {
    p->depth = 0;
    p->seen_height = 0;
    p->shift_taken = 0;
    p->in_values = false;
    p->locals = NULL;
    TRY(parse_statement(p, out));
    (*out)->height = p->seen_height + 1;
    if (p->next->kind != TOKEN_END && !at_operator(p, 0, OPERATOR_SEMICOLON))
        return expected(p, "the end of the statement");
    return LP_OK;
}

static void parse_next(parser *p, script *s) {
    const token *first = p->next;
    sql_statement *statement = NULL;
    if (parse_whole_statement(p, &statement) == LP_OK) {
        *MANY_ADD(p, &s->statements, const sql_statement *) = statement;
        return;
    }
    add_error(p, s, p->err, first);
    recover(p, s);
}

lp_status sql_parse_script(arena *query, str text, sql_dialect dialect, sql_script *out, lp_err *err) {
    lp_err own = {0};
    token_list tokens;
    script s = {0};
    TRY(sql_lex_statements(query, text, dialect, &tokens, err));
    parser p = {.query = query,
                .text = text,
                .traits = sql_dialect_traits(dialect),
                .next = tokens.item,
                .statements = true,
                .bad = tokens.bad,
                .err = &own};
    while (p.next->kind != TOKEN_END && s.errors.count < SQL_MAX_ERRORS) {
        if (take_operator(&p, OPERATOR_SEMICOLON)) continue;
        parse_next(&p, &s);
    }
    *out = (sql_script){s.statements.item, s.statements.count, s.errors.item, s.errors.count};
    return LP_OK;
}
