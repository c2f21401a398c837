/* declared_ddl.c - keys, NOT NULL, references and conditions of CREATE TABLE as declarations.
 * Called by: api, tools.  Must not know: how they are used.
 */
#include "grain/declared_ddl.h"

typedef struct relation_declarations {
    const catalog_relation *relation;
    declaration_list list;
    struct relation_declarations *next;
} relation_declarations;

typedef struct ddl_declared {
    arena *owner;
    const catalog *catalog;
    str text;
    relation_declarations *first;
} ddl_declared;

typedef struct making {
    ddl_declared *from;
    const catalog_relation *relation;
    declaration **item;
    size_t count;
} making;

static declaration *add(making *k, declaration_kind kind, const char *origin) {
    declaration *d = ARENA_NEW(k->from->owner, declaration);
    *d = (declaration){.kind = kind, .is_usable = true, .trust = TRUST_ENFORCED, .relation = k->relation->name, .origin = str_from(origin)};
    k->item[k->count++] = d;
    return d;
}

static const str *names(making *k, const uint32_t *column, size_t count) {
    str *list = ARENA_ARRAY(k->from->owner, str, count + 1);
    for (size_t i = 0; i < count; i++) list[i] = k->relation->column[column[i]].name;
    return list;
}

static void add_key(making *k, const catalog_key *key) {
    declaration *d = add(k, DECLARED_KEY, key->is_primary ? "PRIMARY KEY" : "UNIQUE");
    d->column = names(k, key->column, key->column_count);
    d->column_count = key->column_count;
    d->is_strict = key->is_primary || key->nulls_not_distinct;
}

static void add_column(making *k, uint32_t index) {
    const catalog_column *c = &k->relation->column[index];
    if (c->is_not_null) {
        declaration *d = add(k, DECLARED_NOT_NULL, "NOT NULL");
        d->column = names(k, &index, 1), d->column_count = 1;
    }
    if (c->generated) {
        declaration *d = add(k, DECLARED_GENERATED, "GENERATED");
        d->column = names(k, &index, 1), d->column_count = 1;
        d->check = c->generated, d->check_text = k->from->text;
    }
}

/* Where no columns are named, the primary key of the other table. */
static bool parent_columns(making *k, const catalog_reference *r, const catalog_relation *to, declaration *d) {
    d->to_column = r->to_column, d->to_column_count = r->to_count;
    for (size_t i = 0; !r->to_count && i < to->key_count; i++) {
        if (!to->key[i].is_primary) continue;
        d->to_column = names(&(making){.from = k->from, .relation = to}, to->key[i].column, to->key[i].column_count);
        d->to_column_count = to->key[i].column_count;
    }
    return d->to_column_count == r->column_count;
}

static bool parse_name(ddl_declared *from, str name, const catalog_relation **out);

static void add_reference(making *k, const catalog_reference *r) {
    const catalog_relation *to;
    if (!parse_name(k->from, r->to, &to)) return;
    declaration *d = add(k, DECLARED_REFERENCE, "FOREIGN KEY");
    d->column = names(k, r->column, r->column_count);
    d->column_count = r->column_count;
    d->to = to->name, d->to_relation = to;
    if (!parent_columns(k, r, to, d)) d->is_usable = false;
}

/* The name of a reference, split at dots: names of the tables were parsed, this one is their text. */
static bool parse_name(ddl_declared *from, str name, const catalog_relation **out) {
    ast_part part[4] = {0};
    sql_name n = {.part = part};
    while (name.len && n.part_count < 4) {
        size_t end = 0;
        bool quoted = name.ptr[0] == '"' || name.ptr[0] == '`';
        char quote = quoted ? name.ptr[0] : '.';
        str rest = quoted ? str_slice(name, 1, name.len) : name;
        bool found = str_find_char(rest, quote, &end);
        if (!found) end = rest.len;
        part[n.part_count++] = (ast_part){.text = str_slice(rest, 0, end), .quote = quoted ? quote : 0};
        name = str_slice(rest, end + (found ? 1 : 0), rest.len);
        if (quoted && name.len && name.ptr[0] == '.') name = str_slice(name, 1, name.len);
    }
    *out = from->catalog->find(from->catalog->context, &n);
    return *out != NULL;
}

static declaration_list make(ddl_declared *from, const catalog_relation *r) {
    making k = {.from = from, .relation = r};
    k.item = ARENA_ARRAY(from->owner, declaration *, r->key_count + 2 * r->column_count + r->reference_count + r->check_count + 1);
    for (size_t i = 0; i < r->key_count; i++) add_key(&k, &r->key[i]);
    for (uint32_t i = 0; i < r->column_count; i++) add_column(&k, i);
    for (size_t i = 0; i < r->reference_count; i++) add_reference(&k, &r->reference[i]);
    for (size_t i = 0; i < r->check_count; i++) {
        declaration *d = add(&k, DECLARED_CHECK, "CHECK");
        d->check = r->check[i], d->check_text = from->text;
    }
    return (declaration_list){(const declaration *const *)k.item, k.count};
}

static declaration_list declared(void *context, const catalog_relation *r) {
    ddl_declared *from = context;
    for (relation_declarations *d = from->first; d; d = d->next)
        if (d->relation == r) return d->list;
    relation_declarations *d = ARENA_NEW(from->owner, relation_declarations);
    *d = (relation_declarations){r, make(from, r), from->first};
    from->first = d;
    return d->list;
}

static const void *target(void *context, const declaration *reference, str *name) {
    (void)context;
    *name = reference->to;
    return reference->to_relation;
}

grain_input declared_from_ddl(arena *owner, const catalog *c, str text) {
    ddl_declared *from = ARENA_NEW(owner, ddl_declared);
    *from = (ddl_declared){.owner = owner, .catalog = c, .text = text};
    return (grain_input){.context = from, .declared = declared, .target = target};
}
