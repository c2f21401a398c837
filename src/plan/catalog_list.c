/* catalog_list.c - a catalog over a list of relations.
 * Called by: plan/ddl.c, api.  Must not know: where declarations come from.
 */
#include "plan/catalog_list.h"

#include <string.h>

#include "sql/parse.h"

typedef struct catalog_entry {
    const sql_name *name;
    catalog_relation is;
} catalog_entry;

catalog_list *catalog_list_new(arena *owner, sql_dialect dialect) {
    catalog_list *l = ARENA_NEW(owner, catalog_list);
    l->owner = owner;
    l->rules = scope_rules_of(dialect);
    return l;
}

catalog_relation *catalog_list_add(catalog_list *l, const sql_name *name) {
    if (l->count == l->capacity) {
        uint32_t capacity = l->capacity ? 2 * l->capacity : 16;
        catalog_entry **entry = ARENA_ARRAY(l->owner, catalog_entry *, capacity);
        if (l->count) memcpy(entry, l->entry, l->count * sizeof *entry);
        l->entry = entry;
        l->capacity = capacity;
    }
    catalog_entry *added = ARENA_NEW(l->owner, catalog_entry);
    added->name = name;
    l->entry[l->count++] = added;
    return &added->is;
}

/* ---- finding ---- */

static plain_name last_part(const sql_name *name) {
    return name_of_part(&name->part[name->part_count - 1]);
}

static plain_name name_of_entry(const void *list, uint32_t at) {
    return last_part(((catalog_entry *const *)list)[at]->name);
}

static named_list entries_of(catalog_list *l) {
    return (named_list){l->entry, l->count, name_of_entry, &l->last_parts, l->rules, l->owner};
}

/* Do the parts that both have, from the last one on, name the same? */
static bool is_tail(const catalog_list *l, const sql_name *a, const sql_name *b) {
    for (uint32_t i = 1; i <= a->part_count && i <= b->part_count; i++) {
        const ast_part *x = &a->part[a->part_count - i], *y = &b->part[b->part_count - i];
        if (!name_equal(l->rules, name_of_part(x), name_of_part(y))) return false;
        if (l->rules->tables_by_case && !str_eq(x->text, y->text)) return false;
    }
    return true;
}

/* Of two names with the tail of `name`: which fits better? Less than 0: the first. The one that has more of its parts, then the
 * one that has fewer others. */
static int compare_fit(const sql_name *name, const sql_name *a, const sql_name *b) {
    uint32_t most = name->part_count;
    uint32_t in_a = a->part_count < most ? a->part_count : most, in_b = b->part_count < most ? b->part_count : most;
    if (in_a != in_b) return in_a > in_b ? -1 : 1;
    return a->part_count == b->part_count ? 0 : a->part_count < b->part_count ? -1 : 1;
}

/* The relation whose name fits best; of one name the latest. None where two do equally well: t, where s.t and r.t are known. */
static const catalog_relation *find_relation(void *context, const sql_name *name) {
    catalog_list *l = context;
    const catalog_entry *best = NULL;
    bool is_one = true;
    if (name->part_count == 0) return NULL;
    named_list all = entries_of(l);
    plain_name last = last_part(name);
    for (uint32_t i = named_last(&all, last); i != NO_ENTRY; i = named_previous(&all, i, last)) {
        const catalog_entry *e = l->entry[i];
        if (!is_tail(l, e->name, name)) continue;
        int order = best ? compare_fit(name, e->name, best->name) : -1;
        if (order < 0)
            best = e, is_one = true;
        else if (order == 0 && !is_tail(l, e->name, best->name))
            is_one = false;
    }
    return best && is_one ? &best->is : NULL;
}

catalog catalog_of_list(catalog_list *l) {
    named_list all = entries_of(l);
    named_prepare(&all);
    return (catalog){.context = l, .find = find_relation};
}

/* ---- names by themselves ---- */

/* The relation of `TABLE name`, which is nothing but a name. */
static const sql_name *name_of_script(const sql_script *script) {
    const sql_query *q = script->statement_count == 1 ? script->statement[0]->query : NULL;
    if (script->error_count || !q || q->kind != SQL_QUERY_TABLE || q->with || q->order || q->limit) return NULL;
    const sql_relation *r = q->relation;
    bool is_plain = r && r->kind == SQL_RELATION_NAME && !r->has_alias && !r->clause_count && !r->clause_behind_count;
    return is_plain && r->name.part_count ? &r->name : NULL;
}

lp_status catalog_parse_name(arena *owner, str text, sql_dialect dialect, const sql_name **out, lp_err *err) {
    sql_script script;
    *out = NULL;
    str query = str_format(owner, "TABLE " STR_FMT, STR_ARG(text));
    if (sql_parse_script(owner, query, dialect, &script, err) == LP_OK) *out = name_of_script(&script);
    if (*out) return LP_OK;
    return err_set(err, LP_ERR_USAGE, "'" STR_FMT "' is no name of a table", STR_ARG(text));
}
