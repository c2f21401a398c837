/* check_g001.c - double counting: can one group hold several rows of what is summed?
 * Called by: check.c.  Must not know: other checks.
 *
 * For a term of SUM or AVG: a key of the rows and the native grain of the term are known, a join repeated it, and the group
 * together with the native grain does not hold a key of the rows; so two rows of one group may carry the same value of the
 * same entity. For AVG the value must differ within the group, or repeating it changes nothing.
 */
#include "grain/check_int.h"

/* ---- terms ---- */

enum { MAX_TERMS = 32 };

typedef struct term_list {
    const plan_expr *item[MAX_TERMS];
    size_t count;
} term_list;

static bool is_sum_of(const plan_expr *e) {
    return e->kind == EXPR_ARITHMETIC && (e->op == OP_ADD || e->op == OP_SUB) && e->arg_count >= 2;
}

/* A sum of sums is as deep as the text; what does not fit is one term. */
static void split(const plan_expr *e, term_list *out, int depth) {
    if (e->from && e->from->kind == AST_PAREN && e->arg_count == 1 && e->kind == EXPR_OTHER) e = e->arg[0];
    if (!is_sum_of(e) || depth > 100 || out->count + e->arg_count > MAX_TERMS) {
        if (out->count < MAX_TERMS) out->item[out->count++] = e;
        return;
    }
    for (size_t i = 0; i < e->arg_count; i++) split(e->arg[i], out, depth + 1);
}

/* CASE WHEN ... THEN 1 ELSE 0 END, IF(..., 1, 0): a count in the words of a sum. */
static bool counts_literals(const plan_expr *e) {
    if (e->kind == EXPR_CAST) return e->arg_count && counts_literals(e->arg[0]);
    if (expr_literal(e)) return true;
    if (e->kind == EXPR_CASE && e->from) {
        size_t i = e->from->has_subject ? 1 : 0, end = e->arg_count - (e->from->has_else ? 1 : 0);
        for (; i + 1 < end + (end - i) % 2; i += 2)
            if (!counts_literals(e->arg[i + 1])) return false;
        return !e->from->has_else || counts_literals(e->arg[e->arg_count - 1]);
    }
    bool is_if = e->kind == EXPR_FUNCTION && (str_eq(e->name, STR("if")) || str_eq(e->name, STR("iff")));
    bool is_coalesce = e->kind == EXPR_FUNCTION && str_eq(e->name, STR("coalesce"));
    if (!is_if && !is_coalesce) return false;
    for (size_t i = is_if ? 1 : 0; i < e->arg_count; i++)
        if (!counts_literals(e->arg[i])) return false;
    return true;
}

/* ---- the test ---- */

/* The rows that are summed: with FILTER, those that meet its condition. False when it cannot be told which they are. */
static bool rows_summed(checking *c, const facts *rows, const plan_expr *call, facts *out) {
    const ast_call *as = call->from && call->from->kind == AST_CALL ? call->from->call : NULL;
    *out = *rows;
    if (!as || (!as->filter && !as->having)) return true;
    *out = facts_copy(rows);
    bool found = false;
    for (size_t i = 1; i < call->arg_count; i++) {
        if (call->arg[i]->from != as->filter) continue;
        learn_condition((grain_model *)c->m, out, call->arg[i]);
        found = true;
    }
    return found && !as->having;
}

/* Of the joins those whose repeating side has a known key, so that it is told there. The nearest first. */
static const join_site **told_sites(checking *c, const column_grain *g, size_t *count) {
    const join_site **join = ARENA_ARRAY(c->out->owner, const join_site *, g->repeated.count + 1);
    *count = 0;
    for (size_t i = g->repeated.count; i-- > 0;)
        if (!g->repeated.site[i]->is_open) join[(*count)++] = g->repeated.site[i];
    return join;
}

bool check_group_holds_several(checking *c, const plan_node *n, const summed *sum, const plan_expr *term, const column_grain *g) {
    const facts *rows = grain_facts_of(c->m, n->input[0]);
    facts summed_rows;
    if (rows->status == FACTS_UNKNOWN || !g->is_known || !facts_best_key(rows)) return false;
    if (!rows_summed(c, rows, sum->call, &summed_rows)) return false;
    rows = &summed_rows;
    colset start = colset_union(sum->group, g->native, c->m->owner);
    if (facts_is_superkey(rows, start, (closure_mode){.not_null = start, .with_presumed = true}, NULL)) return false;
    closure_mode group_mode = {.not_null = sum->group, .with_presumed = true};
    return !sum->is_average || !colset_is_subset(term->columns, facts_closure(rows, sum->group, group_mode));
}

static bool is_repeated(checking *c, const plan_node *n, const summed *sum, const plan_expr *term, const column_grain *g) {
    if (!op_is_surely_repeated(g) || g->is_per_row) return false;
    if (!c->choice->counts_of_literals && counts_literals(term)) return false;
    return check_group_holds_several(c, n, sum, term, g);
}

static void tell(checking *c, const summed *sum, const plan_expr *term, const column_grain *g) {
    arena *owner = c->out->owner;
    finding *f = check_new(c, FINDING_G001, term->at.len ? term->at : sum->call->at);
    f->join = told_sites(c, g, &f->join_count);
    const join_site *site = f->join[0];
    f->expression = check_line(c, span_text(c->m->text, sum->call->at));
    f->column = term->kind == EXPR_COLUMN ? str_copy(owner, check_column_name(c, term->column)) : check_line(c, span_text(c->m->text, term->at));
    f->group = check_names(c, sum->group, &f->group_count);
    f->native = check_names(c, g->native, &f->native_count);
    check_reasons(c, f, site, g->why);
    str native = check_joined(c, f->native, f->native_count), group = check_joined(c, f->group, f->group_count);
    f->text = str_format(owner, STR_FMT " may count " STR_FMT " more than once: it belongs to one " STR_FMT
                         ", and a " STR_FMT " join gives its rows several times within one group",
                         STR_ARG(f->expression), STR_ARG(f->column), STR_ARG(native.len ? native : STR("row")),
                         STR_ARG(cardinality_name(site->cardinality)));
    f->suggestion = str_format(owner, "%s " STR_FMT " before the join, once for each " STR_FMT "%s" STR_FMT,
                               sum->is_average ? "average" : "sum", STR_ARG(f->column), STR_ARG(native.len ? native : STR("row")), group.len ? ", then group by " : "", STR_ARG(group));
    check_fingerprint(c, f, native);
}

void check_g001(checking *c, const plan_node *n) {
    size_t next = 0;
    summed sum;
    while (check_next_sum(c, n, &next, &sum)) {
        term_list terms = {.count = 0};
        split(sum.call->arg[0], &terms, 0);
        for (size_t i = 0; i < terms.count; i++) {
            column_grain g = op_grain_of_expr((grain_model *)c->m, n, terms.item[i]);
            if (is_repeated(c, n, &sum, terms.item[i], &g)) tell(c, &sum, terms.item[i], &g);
        }
    }
}
