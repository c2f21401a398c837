/* op_scan.c - the rows of a table, source or model: what is declared of it, and what its own analysis found.
 * Called by: grain.c.  Must not know: where declarations come from.
 */
#include <string.h>

#include "grain/op.h"
#include "grain/scan_int.h"
#include "plan/scope_rules.h"

/* ---- columns by name ---- */

/* People write names in any case; one in quotes means what it says, where the dialect tells case apart. */
static bool may_mean(const scan *s, str name, bool is_quoted, str column) {
    if (!str_eq_nocase(column, name)) return false;
    if (!is_quoted) return true;
    plain_name a = {.text = name, .is_quoted = true}, b = {.text = column, .is_quoted = true};
    return name_equal(scope_rules_of(s->m->dialect), a, b);
}

static column_id listed(const scan *s, str name, bool is_quoted) {
    column_id found = NO_COLUMN;
    for (size_t i = 0; i < s->count; i++) {
        if (str_eq(s->named[i].name, name)) return s->named[i].id;
        if (!may_mean(s, name, is_quoted, s->named[i].name)) continue;
        if (found != NO_COLUMN && found != s->named[i].id) return NO_COLUMN;
        found = s->named[i].id;
    }
    return found;
}

column_id scan_find(const scan *s, const declaration *d, size_t i) {
    return listed(s, d->column[i], d->is_quoted && d->is_quoted[i]);
}

void scan_name(scan *s, str name, column_id id) {
    if (s->count == s->capacity) {
        size_t more = s->capacity ? s->capacity * 2 : 16;
        named_column *fresh = ARENA_ARRAY(s->m->owner, named_column, more);
        if (s->count) memcpy(fresh, s->named, s->count * sizeof *fresh);
        s->named = fresh, s->capacity = more;
    }
    s->named[s->count++] = (named_column){name, id};
}

/* A column that the query does not name is there all the same: hidden. */
static column_id find_or_hide(scan *s, const declaration *d, size_t i) {
    str name = d->column[i];
    column_id id = scan_find(s, d, i);
    if (id != NO_COLUMN) return id;
    id = op_hide(s->m, name);
    s->f->all = colset_union(s->f->all, op_single(s->m, id), s->m->owner);
    scan_name(s, name, id);
    return id;
}

static colset columns_named(scan *s, const declaration *d) {
    colset set = COLSET_EMPTY;
    for (size_t i = 0; i < d->column_count; i++) colset_add(&set, find_or_hide(s, d, i), s->m->owner);
    return set;
}

/* ---- declarations ---- */

static evidence_id declared_evidence(scan *s, const declaration *d) {
    return evidence_add(&s->m->evidence, (evidence){.kind = EVIDENCE_DECLARED, .node = s->node, .declared = d});
}

static void use_key(scan *s, const declaration *d) {
    colset columns = columns_named(s, d);
    facts_add_key(s->f, (fact_key){.columns = columns,
                                   .needs = d->is_strict ? COLSET_EMPTY : columns,
                                   .why = declared_evidence(s, d)});
}

static void add_inclusion(scan *s, bool is_covers, bool is_lax, base_relation *to, const column_id *here,
                          const str *there, size_t count, evidence_id why) {
    inclusion_pair *pair = ARENA_ARRAY(s->m->owner, inclusion_pair, count + 1);
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        inclusion_pair p = {here[i], grain_relation_column(s->m->run, to, there[i])};
        for (; at > 0 && pair[at - 1].here > p.here; at--) pair[at] = pair[at - 1];
        pair[at] = p;
    }
    facts_add_inclusion(s->f, (fact_inclusion){.is_covers = is_covers, .is_lax = is_lax, .relation = to, .pair = pair, .pair_count = count, .why = why});
}

static void use_reference(scan *s, const declaration *d) {
    const grain_input *in = s->m->input;
    str name;
    const void *to = in->target ? in->target(in->context, d, &name) : NULL;
    if (!to || d->column_count != d->to_column_count) return;
    base_relation *parent = grain_relation(s->m->run, to, name);
    column_id *here = ARENA_ARRAY(s->m->owner, column_id, d->column_count + 1);
    for (size_t i = 0; i < d->column_count; i++) here[i] = find_or_hide(s, d, i);
    add_inclusion(s, false, true, parent, here, d->to_column, d->column_count, declared_evidence(s, d));
}

static void use_declaration(scan *s, const declaration *d) {
    if (!d->is_usable || d->condition.len) return;
    switch (d->kind) {
    case DECLARED_KEY: use_key(s, d); break;
    case DECLARED_NOT_NULL:
        facts_add_not_null(s->f, columns_named(s, d), declared_evidence(s, d));
        break;
    case DECLARED_REFERENCE: use_reference(s, d); break;
    case DECLARED_CONSTANT:
        facts_add_constant(s->f, columns_named(s, d), declared_evidence(s, d));
        break;
    case DECLARED_VALUES:
    case DECLARED_CHECK:
    case DECLARED_GENERATED: break; /* scan_checks.c */
    }
}

void scan_declare(scan *s, declaration_list list) {
    for (size_t i = 0; i < list.count; i++) use_declaration(s, list.item[i]);
    scan_checks(s, list);
}

/* Every row of the relation is here, and no other: on all columns at once. */
static void add_itself(scan *s, const catalog_relation *r) {
    const grain_input *in = s->m->input;
    str name = r->name;
    const void *identity = in->identity ? in->identity(in->context, r, &name) : r;
    base_relation *self = grain_relation(s->m->run, identity, name);
    column_id *here = ARENA_ARRAY(s->m->owner, column_id, s->count + 1);
    str *there = ARENA_ARRAY(s->m->owner, str, s->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++)
        if (colset_has(s->f->all, s->named[i].id)) here[count] = s->named[i].id, there[count++] = s->named[i].name;
    add_inclusion(s, true, false, self, here, there, count, EVIDENCE_SQL);
    if (!s->f->inclusion_count) return;
    fact_inclusion within = s->f->inclusion[s->f->inclusion_count - 1];
    within.is_covers = false;
    if (within.relation == self) facts_add_inclusion(s->f, within);
}

/* ---- native grain ---- */

/* What findings call the relation. */
static str display_name(const scan *s) {
    const grain_input *in = s->m->input;
    str name = s->node->scan.name;
    if (s->node->scan.relation && in->identity) (void)in->identity(in->context, s->node->scan.relation, &name);
    return name;
}

static void give_own(scan *s, size_t i, const fact_key *key) {
    s->f->grain[i] = (column_grain){.is_known = true, .native = key->columns, .why = key->why};
}

/* `had_key`: the rows of an analysed model have a key by their SQL. Without one, a column whose grain is unknown starts afresh from
 * what is declared of the model (DESIGN.md section 7, rule 6); grains that are known stay, with their repeats. */
static void give_grain(scan *s, bool had_key, bool has_declared_key) {
    const plan_node *n = s->node;
    const fact_key *key = facts_best_key(s->f);
    for (size_t i = 0; s->f->grain && key && !had_key && i < n->column_count; i++)
        if (!s->f->grain[i].is_known && !s->f->grain[i].repeated.count) give_own(s, i, key);
    if (!s->f->grain) {
        s->f->grain = ARENA_ARRAY(s->m->owner, column_grain, n->column_count + 1);
        s->f->measure = ARENA_ARRAY(s->m->owner, column_measure, n->column_count + 1);
        for (size_t i = 0; key && i < n->column_count; i++) give_own(s, i, key);
    }
    if (has_declared_key) {
        for (size_t i = 0; i < n->column_count; i++) s->f->grain[i].open = NULL;
    }
    if (key) return;
    for (size_t i = 0; i < n->column_count; i++)
        if (!s->f->grain[i].open && !s->f->grain[i].is_known) s->f->grain[i].open = n->scan.relation;
    str what = str_format(s->m->owner, "no key of " STR_FMT " is known", STR_ARG(display_name(s)));
    facts_weaken(s->f, FACTS_PARTIAL, (fact_gap){.what = what, .at = n->at, .node = n, .is_of_keys = true});
}

static void mark_per_row(scan *s, const catalog_relation *r) {
    const grain_input *in = s->m->input;
    for (size_t i = 0; in->per_row && i < s->node->column_count; i++)
        s->f->grain[i].is_per_row |= in->per_row(in->context, r, s->named[i].name);
}

facts op_scan(grain_model *m, const plan_node *n) {
    facts f;
    const catalog_relation *r = n->scan.is_altered ? NULL : n->scan.relation;
    const grain_input *in = m->input;
    scan s = {.m = m, .node = n, .f = &f};
    facts_init(&f, m->owner, &m->evidence);
    f.all = op_columns(m, n);
    for (size_t i = 0; i < n->column_count; i++) scan_name(&s, m->plan->column[n->column[i]].name, n->column[i]);
    const grain_summary *above = r && in->summary ? in->summary(in->context, r) : NULL;
    if (above) scan_take_summary(&s, above);
    bool had_key = facts_best_key(&f) != NULL;
    uint32_t key_count = f.key_count;
    if (r && in->declared) scan_declare(&s, in->declared(in->context, r));
    bool has_declared_key = f.key_count != key_count;
    op_keys_to_dependencies(&f);
    for (uint32_t i = 0; i < f.dependency_count; i++) f.dependency[i].is_local = false; /* they hold of the whole table */
    if (r) add_itself(&s, r);
    give_grain(&s, had_key, has_declared_key);
    if (r) mark_per_row(&s, r);
    return f;
}

void grain_declare(grain_model *m, declaration_list own) {
    const plan *p = m->plan;
    facts *f = m->node[p->root->id];
    scan s = {.m = m, .node = p->root, .f = f};
    for (size_t i = 0; i < p->result_count; i++) scan_name(&s, p->result[i].name, p->result[i].column);
    scan_declare(&s, own);
    if (f->status == FACTS_PARTIAL && f->gap.is_of_keys && facts_best_key(f)) f->status = FACTS_KNOWN, f->gap = (fact_gap){0};
}
