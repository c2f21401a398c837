/* ddl.c - a catalog from CREATE TABLE statements.
 * Called by: api, stage commands of the tests.  Must not know: queries.
 */
#include "plan/ddl.h"

#include "sql/parse.h"

typedef struct ddl {
    arena *owner;
    str text;
    catalog_list *list;
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
    return LP_OK;
}

lp_status ddl_read(catalog_list *into, str text, sql_dialect dialect, lp_err *err) {
    sql_script script;
    TRY(sql_parse_script(into->owner, text, dialect, &script, err));
    if (script.error_count) return err_set(err, LP_ERR_QUERY, STR_FMT, STR_ARG(script.error[0].text));
    ddl d = {.owner = into->owner, .text = text, .list = into, .err = err};
    for (size_t i = 0; i < script.statement_count; i++) {
        const sql_statement *s = script.statement[i];
        bool creates = s->kind == SQL_STATEMENT_CREATE_TABLE || s->kind == SQL_STATEMENT_CREATE_VIEW;
        if (creates && s->has_target && s->target.part_count) TRY(take_table(&d, s));
    }
    return LP_OK;
}

lp_status catalog_from_ddl(arena *owner, str text, sql_dialect dialect, catalog *out, lp_err *err) {
    catalog_list *list = catalog_list_new(owner, dialect);
    TRY(ddl_read(list, text, dialect, err));
    *out = catalog_of_list(list);
    return LP_OK;
}
