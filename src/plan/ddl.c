/* ddl.c - a catalog from CREATE TABLE statements.
 * Called by: api, stage commands of the tests.  Must not know: queries.
 */
#include "plan/ddl.h"

#include "sql/parse.h"

typedef struct ddl {
    arena *owner;
    str text;
    catalog_list *list;
    sql_dialect dialect;
    hash_index *columns; /* of the statement that is read */
    lp_err *err;
} ddl;

static plain_name name_of_definition(const void *list, uint32_t at) {
    return name_of_part(&((const sql_column_definition *)list)[at].name);
}

static bool find_column(const ddl *d, const sql_statement *s, const ast_part *part, uint32_t *index) {
    named_list columns = {s->definition, (uint32_t)s->definition_count, name_of_definition, d->columns,
                          d->list->rules, d->owner};
    *index = named_first(&columns, name_of_part(part));
    return *index != NO_ENTRY;
}

static lp_status find_columns(ddl *d, const sql_statement *s, const sql_constraint *c, const uint32_t **out) {
    uint32_t *list = ARENA_ARRAY(d->owner, uint32_t, c->column_count);
    for (size_t i = 0; i < c->column_count; i++) {
        if (find_column(d, s, &c->column[i], &list[i])) continue;
        return sql_error_at(d->err, d->text, c->column[i].at, "no column " STR_FMT " in this table",
                            STR_ARG(c->column[i].text));
    }
    *out = list;
    return LP_OK;
}

static void add_key(catalog_relation *r, catalog_key key) {
    ((catalog_key *)r->key)[r->key_count++] = key;
}

static void add_reference(ddl *d, catalog_relation *r, const sql_constraint *c, const uint32_t *column, size_t count) {
    str *to = ARENA_ARRAY(d->owner, str, c->to_count);
    for (size_t i = 0; i < c->to_count; i++) to[i] = c->to_column[i].text;
    catalog_reference reference = {.column = column,
                                   .column_count = count,
                                   .to = span_text(d->text, c->to.at),
                                   .to_column = to,
                                   .to_count = c->to_count,
                                   .at = c->at};
    ((catalog_reference *)r->reference)[r->reference_count++] = reference;
}

/* A primary key makes its columns NOT NULL. */
static void mark_not_null(catalog_relation *r, const catalog_key *key) {
    for (size_t i = 0; key->is_primary && i < key->column_count; i++)
        ((catalog_column *)r->column)[key->column[i]].is_not_null = true;
}

static void take_column(ddl *d, catalog_relation *r, const sql_column_definition *from, uint32_t index) {
    ((catalog_column *)r->column)[index] = (catalog_column){.name = from->name.text,
                                                            .is_quoted = from->name.quote != 0,
                                                            .type = from->type,
                                                            .is_not_null = from->is_not_null,
                                                            .generated = from->generated,
                                                            .at = from->at};
    uint32_t *own = ARENA_NEW(d->owner, uint32_t);
    *own = index;
    if (from->is_primary || from->is_unique) {
        catalog_key key = {.column = own, .column_count = 1, .is_primary = from->is_primary, .at = from->at};
        add_key(r, key);
        mark_not_null(r, &key);
    }
    if (from->references) add_reference(d, r, from->references, own, 1);
    for (size_t i = 0; i < from->check_count; i++) ((const ast **)r->check)[r->check_count++] = from->check[i];
}

static lp_status take_constraint(ddl *d, catalog_relation *r, const sql_statement *s, const sql_constraint *c) {
    const uint32_t *column = NULL;
    if (c->kind == SQL_CONSTRAINT_CHECK) {
        if (c->check) ((const ast **)r->check)[r->check_count++] = c->check;
        return LP_OK;
    }
    TRY(find_columns(d, s, c, &column));
    if (c->kind == SQL_CONSTRAINT_FOREIGN) {
        add_reference(d, r, c, column, c->column_count);
        return LP_OK;
    }
    catalog_key key = {.column = column,
                       .column_count = c->column_count,
                       .is_primary = c->kind == SQL_CONSTRAINT_PRIMARY,
                       .nulls_not_distinct = c->nulls_not_distinct,
                       .at = c->at};
    add_key(r, key);
    mark_not_null(r, &key);
    return LP_OK;
}

/* ---- what other statements, and the ends of CREATE TABLE, change ---- */

static bool find_word(str text, str word, size_t *at) {
    for (size_t i = 0; i + word.len <= text.len; i++) {
        *at = i;
        if (str_eq_nocase(str_slice(text, i, i + word.len), word)) return true;
    }
    return false;
}

static bool has_word(str text, str word) {
    size_t at;
    return find_word(text, word, &at);
}

/* The relation is something else by now: nothing is known of its rows and columns. */
static void forget(catalog_relation *r) {
    r->key_count = r->reference_count = r->check_count = 0;
    for (size_t i = 0; i < r->column_count; i++) ((catalog_column *)r->column)[i].is_not_null = false;
    r->is_open = true;
}

static void forget_named(ddl *d, str name) {
    const sql_name *parsed;
    lp_err ignored;
    if (catalog_parse_name(d->owner, name, d->dialect, &parsed, &ignored) != LP_OK) return;
    catalog all = catalog_of_list(d->list);
    catalog_relation *r = (catalog_relation *)all.find(all.context, parsed);
    if (r) forget(r);
}

/* The name at the start of a text: up to the first blank outside of quotes. */
static str first_name(str text) {
    size_t end = 0;
    char quote = 0;
    for (; end < text.len && (quote || text.ptr[end] != ' '); end++) {
        char c = text.ptr[end];
        if (quote ? c == quote : c == '"' || c == '`') quote = quote ? 0 : c;
    }
    return str_slice(text, 0, end);
}

/* ALTER TABLE t DROP ...: what is added only adds to what is known. */
static void take_alter(ddl *d, const sql_statement *s) {
    static const char *const skipped[] = {"IF EXISTS ", "ONLY "};
    str rest = s->rest;
    bool adds = !has_word(rest, STR(" DROP ")) && !has_word(rest, STR(" RENAME ")) && !has_word(rest, STR(" ALTER ")) &&
                !has_word(rest, STR(" INHERIT ")) && !has_word(rest, STR(" ADD COLUMN")) && !has_word(rest, STR(" CHANGE ")) &&
                !has_word(rest, STR(" REPLACE ")) && !has_word(rest, STR(" SWAP "));
    if (adds) return;
    for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++) {
        str word = str_from(skipped[i]);
        if (rest.len > word.len && str_eq_nocase(str_slice(rest, 0, word.len), word)) rest = str_slice(rest, word.len, rest.len);
    }
    forget_named(d, first_name(rest));
}

/* PostgreSQL: the rows of a table that inherits are rows of its parents too, where their keys do not tell them apart; and it has
 * their columns. */
static void take_parents(ddl *d, const sql_statement *s, catalog_relation *child) {
    size_t at, end;
    if (!find_word(s->options, STR("INHERITS"), &at)) return;
    child->is_open = true;
    str list = str_slice(s->options, at, s->options.len);
    if (str_find_char(list, '(', &end)) list = str_slice(list, end + 1, list.len);
    if (str_find_char(list, ')', &end)) list = str_slice(list, 0, end);
    for (bool more = list.len > 0; more;) {
        more = str_find_char(list, ',', &end);
        forget_named(d, str_slice(list, 0, more ? end : list.len));
        list = more ? str_slice(list, end + 1, list.len) : STR("");
    }
}

/* DEFAULT COLLATE 'und:ci': of all columns of texts. */
static void take_collation(ddl *d, const sql_statement *s, catalog_relation *r) {
    if (!has_word(s->options, STR("COLLAT"))) return;
    for (size_t i = 0; i < r->column_count; i++) {
        catalog_column *c = (catalog_column *)&r->column[i];
        if (c->type.len && !has_word(c->type, STR(" COLLATE "))) c->type = str_format(d->owner, STR_FMT " COLLATE unknown", STR_ARG(c->type));
    }
}

static lp_status take_table(ddl *d, const sql_statement *s) {
    size_t checks = s->constraint_count;
    for (size_t i = 0; i < s->definition_count; i++) checks += s->definition[i].check_count;
    catalog_relation *r = catalog_list_add(d->list, &s->target);
    d->columns = ARENA_NEW(d->owner, hash_index);
    *r = (catalog_relation){
        .name = span_text(d->text, s->target.at),
        .column = ARENA_ARRAY(d->owner, catalog_column, s->definition_count),
        .column_count = s->definition_count,
        .is_open = s->query != NULL || s->definition_count == 0,
        .key = ARENA_ARRAY(d->owner, catalog_key, s->definition_count + s->constraint_count),
        .reference = ARENA_ARRAY(d->owner, catalog_reference, s->definition_count + s->constraint_count),
        .check = ARENA_ARRAY(d->owner, const ast *, checks),
    };
    for (size_t i = 0; i < s->definition_count; i++) take_column(d, r, &s->definition[i], (uint32_t)i);
    for (size_t i = 0; i < s->constraint_count; i++) TRY(take_constraint(d, r, s, &s->constraint[i]));
    take_collation(d, s, r);
    take_parents(d, s, r);
    return LP_OK;
}

lp_status ddl_read(catalog_list *into, str text, sql_dialect dialect, lp_err *err) {
    sql_script script;
    TRY(sql_parse_script(into->owner, text, dialect, &script, err));
    if (script.error_count) return err_set(err, LP_ERR_QUERY, STR_FMT, STR_ARG(script.error[0].text));
    ddl d = {.owner = into->owner, .text = text, .list = into, .dialect = dialect, .err = err};
    for (size_t i = 0; i < script.statement_count; i++) {
        const sql_statement *s = script.statement[i];
        bool creates = s->kind == SQL_STATEMENT_CREATE_TABLE || s->kind == SQL_STATEMENT_CREATE_VIEW;
        if (creates && s->has_target && s->target.part_count) TRY(take_table(&d, s));
        if (s->kind == SQL_STATEMENT_UNKNOWN && str_eq_nocase(s->word, STR("ALTER TABLE"))) take_alter(&d, s);
    }
    return LP_OK;
}

lp_status catalog_from_ddl(arena *owner, str text, sql_dialect dialect, catalog *out, lp_err *err) {
    catalog_list *list = catalog_list_new(owner, dialect);
    TRY(ddl_read(list, text, dialect, err));
    *out = catalog_of_list(list);
    return LP_OK;
}
