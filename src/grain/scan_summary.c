/* scan_summary.c - a scan of a model that was analysed before: its facts under the ids of the scan.
 * Called by: op_scan.c.  Must not know: declarations.
 */
#include <string.h>

#include "grain/scan_int.h"

typedef struct taking {
    scan *s;
    const grain_summary *from;
    column_map map;
    evidence_id *why; /* by entry of the summary */
} taking;

static column_id column_of(const scan *s, str name) {
    for (size_t i = 0; i < s->node->column_count; i++)
        if (str_eq(s->named[i].name, name)) return s->named[i].id;
    column_id found = NO_COLUMN;
    for (size_t i = 0; i < s->node->column_count; i++) {
        if (!str_eq_nocase(s->named[i].name, name)) continue;
        if (found != NO_COLUMN) return NO_COLUMN;
        found = s->named[i].id;
    }
    return found;
}

/* Columns by name; those that the query does not name, and hidden ones, get ids of their own. */
static void map_columns(taking *t) {
    const grain_summary *from = t->from;
    grain_model *m = t->s->m;
    column_id *to = ARENA_ARRAY(m->owner, column_id, from->id_count + 1);
    for (uint32_t i = 0; i < from->id_count; i++) {
        bool is_column = i < from->column_count;
        str name = is_column ? from->column[i] : from->hidden_name[i - from->column_count];
        to[i] = is_column ? column_of(t->s, name) : NO_COLUMN;
        if (to[i] != NO_COLUMN) continue;
        to[i] = op_hide(m, name);
        if (is_column) scan_name(t->s, name, to[i]);
    }
    t->map = (column_map){.to = to, .count = from->id_count};
}

static evidence_id import(taking *t, evidence_id why) {
    const evidence_list *list = &t->from->evidence;
    if (why == EVIDENCE_SQL || why >= list->count) return EVIDENCE_SQL;
    if (t->why[why] == EVIDENCE_SQL) {
        evidence e = list->entry[why];
        e.node = t->s->node;
        t->why[why] = evidence_add(&t->s->m->evidence, e);
    }
    return t->why[why];
}

static void import_reasons(taking *t, facts *f) {
    for (uint32_t i = 0; i < f->key_count; i++) f->key[i].why = import(t, f->key[i].why);
    for (uint32_t i = 0; i < f->dependency_count; i++) f->dependency[i].why = import(t, f->dependency[i].why);
    for (uint32_t i = 0; i < f->not_null_count; i++) f->not_null_by[i].why = import(t, f->not_null_by[i].why);
    for (uint32_t i = 0; i < f->constant_count; i++) f->constant_by[i].why = import(t, f->constant_by[i].why);
    for (uint32_t i = 0; i < f->value_count; i++) f->value[i].why = import(t, f->value[i].why);
    for (uint32_t i = 0; i < f->inclusion_count; i++) f->inclusion[i].why = import(t, f->inclusion[i].why);
}

static void take_grains(taking *t, facts *f) {
    const grain_summary *from = t->from;
    const plan_node *n = t->s->node;
    arena *owner = t->s->m->owner;
    f->grain = ARENA_ARRAY(owner, column_grain, n->column_count + 1);
    f->measure = ARENA_ARRAY(owner, column_measure, n->column_count + 1);
    for (size_t i = 0; i < n->column_count; i++)
        for (size_t k = 0; k < from->column_count; k++) {
            if (t->map.to[k] != n->column[i]) continue;
            f->grain[i] = from->facts.grain[k];
            f->grain[i].native = colset_map(f->grain[i].native, &t->map, owner);
            f->grain[i].why = import(t, f->grain[i].why);
            f->measure[i] = op_map_measure(from->facts.measure[k], &t->map, owner);
            break;
        }
}

/* Of a long line of models the nearest relations: there must be room for the model itself and what it references. */
static void keep_nearest(facts *f) {
    uint32_t most = FACTS_MAX_INCLUSIONS / 2;
    if (f->inclusion_count <= most) return;
    memmove(f->inclusion, f->inclusion + (f->inclusion_count - most), most * sizeof *f->inclusion);
    f->inclusion_count = most;
}

void scan_take_summary(scan *s, const grain_summary *from) {
    if (from->starts_afresh) return;
    taking t = {.s = s, .from = from};
    grain_model *m = s->m;
    t.why = ARENA_ARRAY(m->owner, evidence_id, from->evidence.count + 1);
    map_columns(&t);
    facts source = from->facts;
    source.owner = m->owner;
    source.evidence = &m->evidence;
    colset listed = s->f->all;
    *s->f = facts_map(&source, &t.map);
    s->f->all = colset_union(s->f->all, listed, m->owner);
    s->f->domain = domain_map(&m->expr, s->f->domain, &t.map);
    keep_nearest(s->f);
    import_reasons(&t, s->f);
    take_grains(&t, s->f);
}
