/* grain.c - the analysis of one plan: every operator once, inputs first.
 * Called by: grain/project.c, api, tools.  Must not know: a single operator's rule.
 */
#include "grain/grain.h"

#include "grain/op.h"

base_relation *grain_relation(grain_run *run, const void *identity, str name) {
    if (!run->has_relations) map_init(&run->relation, run->owner), run->has_relations = true;
    base_relation *r = map_get(&run->relation, (str){(const char *)&identity, sizeof identity});
    if (r) return r;
    r = ARENA_NEW(run->owner, base_relation);
    *r = (base_relation){.name = str_copy(run->owner, name), .identity = identity};
    map_init(&r->by_name, run->owner);
    map_put(&run->relation, (str){(const char *)&r->identity, sizeof r->identity}, r);
    return r;
}

str grain_text(grain_run *run, str text) {
    if (!run->has_texts) map_init(&run->text, run->owner), run->has_texts = true;
    const str *known = map_get(&run->text, text);
    if (known) return *known;
    str *copy = ARENA_NEW(run->owner, str);
    *copy = str_copy(run->owner, text);
    map_put(&run->text, *copy, copy);
    return *copy;
}

enum { MAX_FOLDED = 128 };

/* Names of columns ignore the case of ASCII letters here: the binder has told them apart already. */
static str folded(str name, char *room, arena *owner) {
    char *out = name.len <= MAX_FOLDED ? room : arena_alloc_raw(owner, name.len);
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        out[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return (str){out, name.len};
}

uint32_t grain_relation_column(grain_run *run, base_relation *r, str name) {
    char room[MAX_FOLDED];
    str key = folded(name, room, run->owner);
    size_t found = (size_t)(uintptr_t)map_get(&r->by_name, key);
    if (found) return (uint32_t)found - 1;
    if (r->column_count == r->column_capacity) {
        uint32_t more = r->column_capacity ? r->column_capacity * 2 : 16;
        str *fresh = ARENA_ARRAY(run->owner, str, more);
        for (uint32_t i = 0; i < r->column_count; i++) fresh[i] = r->column[i];
        r->column = fresh, r->column_capacity = more;
    }
    r->column[r->column_count++] = str_copy(run->owner, name);
    map_put(&r->by_name, str_copy(run->owner, key), (void *)(uintptr_t)r->column_count);
    return r->column_count - 1;
}

str grain_expression_name(const grain_model *m, const plan_expr *e) {
    enum { MAX_NAME = 60 };
    str text = span_text(m->text, e->at);
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] < ' ') return STR("");
    return text.len <= MAX_NAME ? text : STR("");
}

str grain_column_name(const grain_model *m, column_id id) {
    if (id < m->plan->column_count) {
        const plan_column *c = &m->plan->column[id];
        return c->name.len || !c->definition ? c->name : grain_expression_name(m, c->definition);
    }
    id -= (column_id)m->plan->column_count;
    return id < m->hidden_count ? m->hidden[id].name : STR("");
}

static str name_of(const void *context, column_id id) {
    return grain_column_name(context, id);
}

const facts *grain_facts_of(const grain_model *m, const plan_node *node) {
    return m->node[node->id];
}

static facts pass(grain_model *m, const plan_node *n) {
    facts f = facts_copy(op_input(m, n, 0));
    op_carry(m, n, &f);
    return f;
}

static facts facts_of(grain_model *m, const plan_node *n) {
    switch (n->kind) {
    case PLAN_SCAN: return op_scan(m, n);
    case PLAN_CTE: return op_cte(m, n);
    case PLAN_ONE_ROW: return op_one_row(m, n);
    case PLAN_VALUES: return op_values(m, n);
    case PLAN_FUNCTION: return op_function(m, n);
    case PLAN_FILTER: return op_filter(m, n);
    case PLAN_PROJECT: return op_project(m, n);
    case PLAN_JOIN: return op_join(m, n);
    case PLAN_AGGREGATE: return op_aggregate(m, n);
    case PLAN_WINDOW: return op_window(m, n);
    case PLAN_DISTINCT: return op_distinct(m, n);
    case PLAN_SORT: return pass(m, n);
    case PLAN_LIMIT: return op_limit(m, n);
    case PLAN_SET: return op_set(m, n);
    case PLAN_RECURSION:
    case PLAN_UNKNOWN: return op_unknown(m, n);
    }
    UNREACHABLE();
}

/* A set of columns that no two rows agree on and that is empty: at most one row. And a value that is not repeated in these
 * rows is not repeated, whatever joins are below (DESIGN.md section 7, rule 6). */
static void finish(grain_model *m, const plan_node *n, facts *f) {
    f->all = colset_union(f->all, op_columns(m, n), m->owner);
    evidence_id why = EVIDENCE_SQL;
    if (f->rows.max > 1 && facts_is_superkey(f, COLSET_EMPTY, CLOSURE_STRICT, &why))
        facts_bound_rows(f, (row_bounds){0, 1}, why);
    if (f->status == FACTS_PARTIAL && f->gap.is_of_keys && facts_best_key(f)) f->status = FACTS_KNOWN, f->gap = (fact_gap){0};
    const column_grain *asked = NULL; /* neighbours have one native grain */
    bool is_key = false;
    for (size_t i = 0; i < n->column_count; i++) {
        column_grain *g = &f->grain[i];
        if (!g->repeated.count || !g->is_known) continue;
        if (!asked || !colset_equal(g->native, asked->native))
            is_key = facts_is_superkey(f, g->native, (closure_mode){.not_null = g->native, .with_presumed = true}, NULL);
        asked = g;
        if (is_key) g->repeated = (site_list){0};
    }
}

/* Rows that a subquery in an expression drops are no rows of the result: only what feeds the rows counts. */
static void drop_inner_losses(grain_model *m) {
    const plan *p = m->plan;
    bool *feeds = ARENA_ARRAY(m->owner, bool, p->node_count + 1);
    feeds[p->root->id] = true;
    for (size_t i = p->node_count; i-- > 0;) {
        const plan_node *n = p->node[i];
        bool asks = n->kind == PLAN_JOIN && (n->join.kind == PLAN_JOIN_SEMI || n->join.kind == PLAN_JOIN_ANTI ||
                                             n->join.kind == PLAN_JOIN_MARK || n->join.kind == PLAN_JOIN_SCALAR);
        for (size_t k = 0; feeds[n->id] && k < (asks ? 1 : n->input_count); k++) feeds[n->input[k]->id] = true;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->loss_count; i++)
        if (feeds[m->loss[i].node->id]) m->loss[kept++] = m->loss[i];
    m->loss_count = kept;
}

static void count_references(grain_model *m) {
    const plan *p = m->plan;
    for (size_t i = 0; i < p->node_count; i++)
        for (size_t k = 0; k < p->node[i]->input_count; k++) m->references[p->node[i]->input[k]->id]++;
}

/* grain_input.is_rendered */
static void settle_root(grain_model *m) {
    const plan_node *root = m->plan->root;
    facts *f = m->node[root->id];
    if (f->rows.max == 0) {
        facts_init(f, m->owner, &m->evidence);
        f->all = op_columns(m, root);
        f->grain = ARENA_ARRAY(m->owner, column_grain, root->column_count + 1);
        f->measure = ARENA_ARRAY(m->owner, column_measure, root->column_count + 1);
        str what = STR("a query that gives no rows: something else fills the table");
        facts_weaken(f, FACTS_UNKNOWN, (fact_gap){.what = what, .at = root->at, .node = root});
    }
    if (f->rows.max > 1) f->rows.max = ROWS_UNBOUNDED;
    if (f->rows.min > 1) f->rows.min = 1;
}

grain_model *grain_analyse(arena *owner, grain_run *run, const grain_input *input, const plan *p, str name, str file,
                           str text, sql_dialect dialect) {
    grain_model *m = ARENA_NEW(owner, grain_model);
    place_index *places = ARENA_NEW(owner, place_index);
    *places = place_index_new(owner, text);
    *m = (grain_model){.owner = owner, .run = run, .input = input, .plan = p, .name = name, .file = file, .text = text,
                       .dialect = dialect, .places = places};
    m->node = ARENA_ARRAY(owner, facts *, p->node_count + 1);
    m->references = ARENA_ARRAY(owner, uint32_t, p->node_count + 1);
    m->match = ARENA_ARRAY(owner, join_match, p->node_count + 1);
    m->expr = expr_context_new(p, dialect, owner);
    m->names = (evidence_names){.name = name_of, .context = m, .text = text};
    evidence_init(&m->evidence, owner);
    count_references(m);
    for (size_t i = 0; i < p->node_count; i++) {
        facts *f = ARENA_NEW(owner, facts);
        *f = facts_of(m, p->node[i]);
        finish(m, p->node[i], f);
        m->node[p->node[i]->id] = f;
    }
    if (input->is_rendered) settle_root(m);
    drop_inner_losses(m);
    return m;
}
