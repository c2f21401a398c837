/* facts_rows.c - the stated facts of some rows as one list.
 * Called by: report/facts_text.c, facts_json.c.  Must not know: how a fact looks.
 */
#include "report/facts_report.h"

typedef struct row_list {
    fact_row *row;
    size_t count;
} row_list;

static void add(row_list *l, fact_row row) {
    l->row[l->count++] = row;
}

static void add_sets(row_list *l, fact_row_kind kind, const struct stated_set *set, size_t count) {
    for (size_t i = 0; i < count; i++)
        add(l, (fact_row){.kind = kind, .column = set[i].column, .column_count = set[i].count, .why = set[i].why});
}

static void add_dependencies(row_list *l, const stated_facts *f, bool lax) {
    for (size_t i = 0; i < f->dependency_count; i++) {
        const struct stated_dependency *d = &f->dependency[i];
        if (d->is_lax != lax) continue;
        add(l, (fact_row){.kind = lax ? ROW_LAX_DEPENDENCY : ROW_DEPENDENCY,
                          .column = d->from,
                          .column_count = d->from_count,
                          .to = d->to,
                          .to_count = d->to_count,
                          .is_entity = d->is_entity,
                          .why = d->why});
    }
}

/* A constant column is also constant or NULL: said once. */
static bool column_has(const struct stated_column *c, fact_row_kind kind) {
    switch ((int)kind) {
    case ROW_CONSTANT: return c->constant;
    case ROW_CONSTANT_OR_NULL: return c->constant_or_null && !c->constant;
    default: return c->not_null;
    }
}

static void add_columns(row_list *l, const stated_facts *f, fact_row_kind kind, const uint32_t *position) {
    for (size_t i = 0; i < f->column_count; i++) {
        const struct stated_column *c = &f->each[i];
        if (!column_has(c, kind)) continue;
        add(l, (fact_row){.kind = kind,
                          .column = &position[i],
                          .column_count = 1,
                          .why = kind == ROW_NOT_NULL ? c->not_null_why : c->constant_why});
    }
}

static void add_inclusions(row_list *l, const stated_facts *f, fact_row_kind kind) {
    for (size_t i = 0; i < f->inclusion_count; i++) {
        const struct stated_inclusion *n = &f->inclusion[i];
        fact_row_kind is = n->is_covers ? ROW_COVERS : n->is_lax ? ROW_LAX_WITHIN : ROW_WITHIN;
        if (is != kind) continue;
        add(l, (fact_row){.kind = kind,
                          .column = n->here,
                          .column_count = n->count,
                          .relation = n->relation,
                          .there = n->there,
                          .why = n->why});
    }
}

const fact_row *fact_rows(const stated_facts *f, arena *scratch, size_t *count) {
    size_t most = f->key_count + f->lax_key_count + f->equal_count + f->dependency_count + 2 * f->column_count +
                  f->inclusion_count;
    row_list l = {ARENA_ARRAY(scratch, fact_row, most + 1), 0};
    uint32_t *position = ARENA_ARRAY(scratch, uint32_t, f->column_count + 1);
    for (size_t i = 0; i < f->column_count; i++) position[i] = (uint32_t)i;
    add_sets(&l, ROW_KEY, f->key, f->key_count);
    add_sets(&l, ROW_LAX_KEY, f->lax_key, f->lax_key_count);
    add_dependencies(&l, f, false);
    add_dependencies(&l, f, true);
    add_sets(&l, ROW_EQUAL, f->equal, f->equal_count);
    add_columns(&l, f, ROW_CONSTANT, position);
    add_columns(&l, f, ROW_CONSTANT_OR_NULL, position);
    add_columns(&l, f, ROW_NOT_NULL, position);
    for (fact_row_kind kind = ROW_COVERS; kind <= ROW_LAX_WITHIN; kind++) add_inclusions(&l, f, kind);
    *count = l.count;
    return l.row;
}

str fact_row_name(fact_row_kind kind) {
    switch (kind) {
    case ROW_KEY: return STR("key");
    case ROW_LAX_KEY: return STR("lax_key");
    case ROW_DEPENDENCY: return STR("fd");
    case ROW_LAX_DEPENDENCY: return STR("lax_fd");
    case ROW_EQUAL: return STR("equiv");
    case ROW_CONSTANT: return STR("constant");
    case ROW_CONSTANT_OR_NULL: return STR("constant_or_null");
    case ROW_NOT_NULL: return STR("not_null");
    case ROW_COVERS: return STR("covers");
    case ROW_WITHIN: return STR("within");
    case ROW_LAX_WITHIN: return STR("lax_within");
    }
    UNREACHABLE();
}

str fact_status_name(fact_status status) {
    switch (status) {
    case FACTS_KNOWN: return STR("known");
    case FACTS_PARTIAL: return STR("partial");
    case FACTS_UNKNOWN: return STR("unknown");
    }
    UNREACHABLE();
}

static bool said_before(const declaration *const *leans_on, size_t i) {
    for (size_t j = 0; j < i; j++) {
        if (str_eq(leans_on[j]->origin, leans_on[i]->origin)) return true;
    }
    return false;
}

str fact_origin(const declaration *const *leans_on, size_t count, arena *scratch) {
    buf text;
    buf_init(&text, scratch, SIZE_MAX / 2);
    for (size_t i = 0; i < count; i++) {
        if (said_before(leans_on, i)) continue;
        if (text.len) buf_put(&text, STR("; "));
        buf_put(&text, leans_on[i]->origin);
    }
    return text.len ? buf_str(&text) : STR("the SQL itself");
}
