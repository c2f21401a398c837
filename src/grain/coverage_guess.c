/* coverage_guess.c - keys that nobody declares, guessed from names and from what joins equate. No proof uses them.
 * Called by: grain/coverage.c.  Must not know: how they are printed.
 *
 * A column of a model that is a copy of one of a source counts as that of the source, so joins far from it count too. A guess
 * is the column that is called like the relation (order_id of orders), or id; without such a name it is what joins equate most
 * often. Relations that have a key, declared or proved, need no guess.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grain/coverage_int.h"
#include "grain/dbt_catalog.h"

static str lower(arena *owner, str s) {
    str copy = str_copy(owner, s);
    for (size_t i = 0; i < copy.len; i++) ((char *)(uintptr_t)copy.ptr)[i] = (char)tolower((unsigned char)copy.ptr[i]);
    return copy;
}

/* ---- where columns come from ---- */

static const dbt_relation *relation_of(const plan_node *scan) {
    if (scan->kind != PLAN_SCAN || !scan->scan.relation || !scan->scan.relation->source) return NULL;
    return dbt_catalog_source(scan->scan.relation);
}

/* The column of a scan behind copies; NO_COLUMN for one that is made. */
static column_id base_of(const plan *p, column_id id) {
    for (size_t steps = 0; steps <= p->column_count; steps++) {
        const plan_column *c = &p->column[id];
        if (c->origin == COLUMN_BASE) return id;
        bool is_copy = c->origin == COLUMN_COPY || (c->definition && c->definition->kind == EXPR_COLUMN);
        if (!is_copy) return NO_COLUMN;
        id = c->origin == COLUMN_COPY ? c->source[0] : c->definition->column;
    }
    return NO_COLUMN;
}

static bool find_root(const coverage_draft *c, const plan *p, column_id id, column_root *out) {
    id = base_of(p, id);
    if (id == NO_COLUMN || !p->column[id].made_by) return false;
    const dbt_relation *r = relation_of(p->column[id].made_by);
    if (!r) return false;
    str name = lower(c->owner, p->column[id].name);
    const column_root *below = c->root[r->index] ? map_get(c->root[r->index], name) : NULL;
    *out = below ? *below : (column_root){r->index, name};
    return true;
}

static void note_column(coverage_draft *c, size_t relation, str name) {
    relation_use *use = &c->use[relation];
    if (!use->has_columns) map_init(&use->column, c->owner);
    use->has_columns = true;
    if (!map_get(&use->column, name)) map_put(&use->column, name, use);
}

static void note_columns(coverage_draft *c, const plan *p) {
    for (size_t i = 0; i < p->column_count; i++) {
        const plan_column *column = &p->column[i];
        const dbt_relation *r = column->origin == COLUMN_BASE && column->made_by ? relation_of(column->made_by) : NULL;
        if (r) note_column(c, r->index, lower(c->owner, column->name));
    }
}

static void note_result(coverage_draft *c, const dbt_relation *r, const plan *p) {
    map *root = ARENA_NEW(c->owner, map);
    map_init(root, c->owner);
    for (size_t i = 0; i < p->result_count; i++) {
        column_root found;
        if (!find_root(c, p, p->result[i].column, &found)) continue;
        column_root *copy = ARENA_NEW(c->owner, column_root);
        *copy = found;
        map_put(root, lower(c->owner, p->result[i].name), copy);
    }
    c->root[r->index] = root;
}

/* ---- joins ---- */

static int by_name(const void *a, const void *b) {
    return str_compare(*(const str *)a, *(const str *)b);
}

static bool same_columns(const equated *e, const str *column, size_t count) {
    if (e->count != count) return false;
    for (size_t i = 0; i < count; i++) {
        if (!str_eq(e->column[i], column[i])) return false;
    }
    return true;
}

static void add_equated(coverage_draft *c, size_t relation, str *column, size_t count) {
    qsort(column, count, sizeof *column, by_name);
    equated **at = &c->use[relation].first;
    for (; *at; at = &(*at)->next) {
        if (!same_columns(*at, column, count)) continue;
        (*at)->joins++;
        return;
    }
    *at = ARENA_NEW(c->owner, equated);
    **at = (equated){.column = column, .count = count, .joins = 1};
}

/* One side of a join, if all its columns are of one relation. */
static void take_side(coverage_draft *c, const plan *p, const plan_join *j, bool left) {
    str *column = ARENA_ARRAY(c->owner, str, j->pair_count + 1);
    size_t relation = DBT_NO_RELATION;
    for (size_t i = 0; i < j->pair_count; i++) {
        column_root root;
        if (!find_root(c, p, left ? j->pair[i].left : j->pair[i].right, &root)) return;
        if (i > 0 && root.relation != relation) return;
        relation = root.relation;
        column[i] = root.column;
    }
    if (relation != DBT_NO_RELATION) add_equated(c, relation, column, j->pair_count);
}

void coverage_take_joins(coverage_draft *c, const dbt_relation *r, const grain_model *m) {
    const plan *p = m->plan;
    note_columns(c, p);
    for (size_t i = 0; i < p->node_count; i++) {
        if (p->node[i]->kind != PLAN_JOIN) continue;
        take_side(c, p, &p->node[i]->join, true);
        take_side(c, p, &p->node[i]->join, false);
    }
    note_result(c, r, p);
}

/* ---- names ---- */

static str without_prefix(str name) {
    static const char *const prefix[] = {"stg_", "src_", "raw_", "base_", "dim_", "fct_", "fact_", "int_", "tbl_"};
    size_t at = 0;
    for (size_t i = 0; i + 2 < name.len; i++) {
        if (name.ptr[i] == '_' && name.ptr[i + 1] == '_') at = i + 2; /* stg_shop__orders */
    }
    if (at) return str_slice(name, at, name.len);
    for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++) {
        if (str_starts_with(name, str_from(prefix[i]))) return str_slice(name, strlen(prefix[i]), name.len);
    }
    return name;
}

static str singular(arena *owner, str name) {
    if (str_ends_with(name, STR("ies"))) return str_format(owner, STR_FMT "y", STR_ARG(str_slice(name, 0, name.len - 3)));
    if (str_ends_with(name, STR("sses")) || str_ends_with(name, STR("xes"))) return str_slice(name, 0, name.len - 2);
    if (str_ends_with(name, STR("s")) && !str_ends_with(name, STR("ss"))) return str_slice(name, 0, name.len - 1);
    return name;
}

static bool has_column(const coverage_draft *c, const dbt_relation *r, str name) {
    if (c->use[r->index].has_columns && map_get(&c->use[r->index].column, name)) return true;
    for (size_t i = 0; i < r->column_count; i++) {
        if (str_eq_nocase(r->column[i].name.text, name)) return true;
    }
    return false;
}

/* The column that is called like the relation; STR_NONE without one. */
static str named_key(const coverage_draft *c, const dbt_relation *r) {
    static const char *const end[] = {"_id", "_key", "_pk", "_sk", "_uuid", "_guid"};
    str plain = without_prefix(lower(c->owner, r->name)), one = singular(c->owner, plain);
    for (size_t i = 0; i < sizeof end / sizeof *end; i++) {
        str name = str_format(c->owner, STR_FMT "%s", STR_ARG(one), end[i]);
        if (has_column(c, r, name)) return name;
        name = str_format(c->owner, STR_FMT "%s", STR_ARG(plain), end[i]);
        if (has_column(c, r, name)) return name;
    }
    if (has_column(c, r, STR("id"))) return STR("id");
    return STR_NONE;
}

/* ---- guesses ---- */

static bool declares_key(const dbt_relation *r) {
    for (size_t i = 0; i < r->fact_count; i++) {
        if (r->fact[i].kind == DBT_KEY && r->fact[i].is_usable) return true;
    }
    return false;
}

/* Models whose rows are unknown start afresh from what is declared of them, like sources. */
static bool needs_key(const dbt_relation *r, const coverage_model *row) {
    if (declares_key(r)) return false;
    if (r->resource == DBT_SOURCE || r->resource == DBT_SEED) return true;
    return row && row->status == FACTS_UNKNOWN && !row->has_key;
}

static size_t joins_on(const relation_use *use, const str *column, size_t count) {
    for (const equated *e = use->first; e; e = e->next) {
        if (same_columns(e, column, count)) return e->joins;
    }
    return 0;
}

static bool guess_of(const coverage_draft *c, const dbt_relation *r, coverage_guess *out) {
    const relation_use *use = &c->use[r->index];
    str name = named_key(c, r);
    *out = (coverage_guess){.relation = r};
    if (!str_is_none(name)) {
        str *column = ARENA_NEW(c->owner, str);
        *column = name;
        out->column = column;
        out->column_count = 1;
        out->joins = joins_on(use, column, 1);
        return true;
    }
    for (const equated *e = use->first; e; e = e->next) {
        if (e->joins <= out->joins) continue;
        out->column = e->column;
        out->column_count = e->count;
        out->joins = e->joins;
    }
    return out->joins > 0;
}

/* Rows of models that are not known, by relation. */
static const coverage_model **open_rows(const coverage_draft *c, const coverage_model ***all) {
    const coverage_model **open = ARENA_ARRAY(c->owner, const coverage_model *, c->project->relation_count + 1);
    *all = ARENA_ARRAY(c->owner, const coverage_model *, c->project->relation_count + 1);
    for (size_t i = 0; i < c->model_count; i++) {
        (*all)[c->model[i].relation->index] = &c->model[i];
        if (c->model[i].status != FACTS_KNOWN) open[c->model[i].relation->index] = &c->model[i];
    }
    return open;
}

/* Not known models among the descendants; `seen` holds the number of the asking relation where it was met. */
static size_t count_below(const coverage_draft *c, size_t from, const coverage_model *const *open, size_t *seen, size_t *stack) {
    size_t depth = 1, count = 0;
    stack[0] = from;
    seen[from] = from + 1;
    while (depth > 0) {
        const dbt_relation *r = &c->project->relation[stack[--depth]];
        if (r->index != from && open[r->index]) count++;
        for (size_t i = 0; i < r->child_count; i++) {
            if (seen[r->child[i]] == from + 1) continue;
            seen[r->child[i]] = from + 1;
            stack[depth++] = r->child[i];
        }
    }
    return count;
}

static int by_unlocks(const void *a, const void *b) {
    const coverage_guess *x = a, *y = b;
    if (x->unlocks != y->unlocks) return x->unlocks < y->unlocks ? 1 : -1;
    if (x->joins != y->joins) return x->joins < y->joins ? 1 : -1;
    return str_compare(x->relation->unique_id, y->relation->unique_id);
}

const coverage_guess *coverage_guess_keys(coverage_draft *c, size_t *count) {
    const dbt_project *p = c->project;
    const coverage_model **all, **open = open_rows(c, &all);
    coverage_guess *list = ARENA_ARRAY(c->owner, coverage_guess, p->relation_count + 1);
    size_t *seen = ARENA_ARRAY(c->owner, size_t, p->relation_count + 1);
    size_t *stack = ARENA_ARRAY(c->owner, size_t, p->relation_count + 1);
    *count = 0;
    for (size_t i = 0; i < p->relation_count; i++) {
        const dbt_relation *r = &p->relation[i];
        if (!needs_key(r, all[i]) || !guess_of(c, r, &list[*count])) continue;
        list[*count].unlocks = count_below(c, i, open, seen, stack);
        if (list[*count].unlocks) (*count)++;
    }
    qsort(list, *count, sizeof *list, by_unlocks);
    return list;
}
