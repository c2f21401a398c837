/* ddl.c - a catalog from CREATE TABLE statements.
 * Called by: api, stage commands of the tests.  Must not know: queries.
 */
#include "plan/ddl.h"

#include "sql/parse.h"

typedef struct ddl_table {
    const sql_name *name;
    catalog_relation is;
} ddl_table;

typedef struct ddl {
    arena *owner;
    str text;
    const scope_rules *rules;
    ddl_table *table;
    size_t count;
    lp_err *err;
} ddl;

static bool find_column(const ddl *d, const sql_statement *s, const ast_part *part, uint32_t *index) {
    for (size_t i = 0; i < s->definition_count; i++) {
        if (!name_equal(d->rules, name_of_part(&s->definition[i].name), name_of_part(part))) continue;
        *index = (uint32_t)i;
        return true;
    }
    return false;
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
    ddl_table *t = &d->table[d->count++];
    t->name = &s->target;
    t->is = (catalog_relation){
        .name = span_text(d->text, s->target.at),
        .column = ARENA_ARRAY(d->owner, catalog_column, s->definition_count),
        .column_count = s->definition_count,
        .is_open = s->query != NULL || s->definition_count == 0,
        .key = ARENA_ARRAY(d->owner, catalog_key, s->definition_count + s->constraint_count),
        .reference = ARENA_ARRAY(d->owner, catalog_reference, s->definition_count + s->constraint_count),
        .check = ARENA_ARRAY(d->owner, const ast *, checks),
    };
    for (size_t i = 0; i < s->definition_count; i++) take_column(d, &t->is, &s->definition[i], (uint32_t)i);
    for (size_t i = 0; i < s->constraint_count; i++) TRY(take_constraint(d, &t->is, s, &s->constraint[i]));
    return LP_OK;
}

static bool is_tail(const ddl *d, const sql_name *whole, const sql_name *tail) {
    if (tail->part_count > whole->part_count) return false;
    for (uint32_t i = 1; i <= tail->part_count; i++) {
        const ast_part *a = &whole->part[whole->part_count - i], *b = &tail->part[tail->part_count - i];
        if (!name_equal(d->rules, name_of_part(a), name_of_part(b))) return false;
    }
    return true;
}

/* Later tables first, so that one that is created again counts. A name with more parts than the declared one has means
 * the same table in a schema that the script did not name. */
static const catalog_relation *find_table(void *context, const sql_name *name) {
    const ddl *d = context;
    for (size_t i = d->count; i > 0; i--)
        if (is_tail(d, d->table[i - 1].name, name) || is_tail(d, name, d->table[i - 1].name))
            return &d->table[i - 1].is;
    return NULL;
}

lp_status catalog_from_ddl(arena *owner, str text, sql_dialect dialect, catalog *out, lp_err *err) {
    sql_script script;
    TRY(sql_parse_script(owner, text, dialect, &script, err));
    if (script.error_count) return err_set(err, LP_ERR_QUERY, STR_FMT, STR_ARG(script.error[0].text));
    ddl *d = ARENA_NEW(owner, ddl);
    *d = (ddl){.owner = owner,
               .text = text,
               .rules = scope_rules_of(dialect),
               .err = err,
               .table = ARENA_ARRAY(owner, ddl_table, script.statement_count)};
    for (size_t i = 0; i < script.statement_count; i++) {
        const sql_statement *s = script.statement[i];
        bool creates = s->kind == SQL_STATEMENT_CREATE_TABLE || s->kind == SQL_STATEMENT_CREATE_VIEW;
        if (creates && s->has_target) TRY(take_table(d, s));
    }
    *out = (catalog){.context = d, .find = find_table};
    return LP_OK;
}
