/* check.c - all checks over one model, in the order of the text.
 * Called by: grain/project.c, api.  Must not know: what a check looks for.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/md5.h"
#include "grain/check_int.h"

str finding_code_name(finding_code c) {
    static const char *const name[] = {"G001", "G002", "G003", "G004", "G005"};
    return str_from(name[c]);
}

str finding_code_title(finding_code c) {
    static const char *const title[] = {"double counting", "grain not kept", "many-to-many join", "sum of what does not add",
                                        "possible row loss"};
    return str_from(title[c]);
}

finding_severity finding_code_severity(finding_code c) {
    static const finding_severity severity[] = {FINDING_ERROR, FINDING_WARNING, FINDING_WARNING, FINDING_WARNING, FINDING_NOTE};
    return severity[c];
}

void finding_list_init(finding_list *list, arena *owner) {
    *list = (finding_list){.owner = owner};
}

finding *check_new(checking *c, finding_code code, span at) {
    finding_list *l = c->out;
    if (l->count == l->capacity) {
        size_t more = l->capacity ? l->capacity * 2 : 8;
        finding *fresh = ARENA_ARRAY(l->owner, finding, more);
        if (l->count) memcpy(fresh, l->item, l->count * sizeof *fresh);
        l->item = fresh, l->capacity = more;
    }
    finding *f = &l->item[l->count++];
    *f = (finding){.code = code, .severity = finding_code_severity(code), .model = str_copy(l->owner, c->m->name), .at = at,
                   .place = place_index_find(c->m->places, at), .column = STR(""), .expression = STR(""), .suggestion = STR("")};
    return f;
}

/* ---- names ---- */

str check_column_name(const checking *c, column_id id) {
    const plan *p = c->m->plan;
    bool is_named = id >= p->column_count || p->column[id].name.len;
    for (size_t i = 0; i < p->result_count && !is_named; i++)
        if (p->result[i].column == id) return p->result[i].name;
    str own = grain_column_name(c->m, id);
    if (own.len || id >= p->column_count || !p->column[id].definition) return own;
    return check_line((checking *)c, span_text(c->m->text, p->column[id].definition->at));
}

const str *check_names(checking *c, colset columns, size_t *count) {
    str *list = ARENA_ARRAY(c->out->owner, str, colset_count(columns) + 1);
    *count = 0;
    column_id id = 0;
    for (; colset_next(columns, id, &id); id++) {
        str name = check_column_name(c, id);
        bool again = !name.len;
        for (size_t i = 0; i < *count && !again; i++) again = str_eq_nocase(list[i], name);
        if (!again) list[(*count)++] = str_copy(c->out->owner, name);
    }
    return list;
}

str check_joined(checking *c, const str *name, size_t count) {
    buf out;
    buf_init(&out, c->out->owner, SIZE_MAX / 2);
    for (size_t i = 0; i < count; i++) {
        if (i) buf_put(&out, STR(", "));
        buf_put(&out, name[i]);
    }
    return buf_str(&out);
}

enum { MAX_LINE = 120 }; /* code points */

str check_line(checking *c, str text) {
    str line = str_copy_on_one_line(c->out->owner, text), cut = str_cut_code_points(line, MAX_LINE);
    if (cut.len == line.len) return line;
    char *out = arena_alloc_raw(c->out->owner, cut.len + 4);
    memcpy(out, cut.ptr, cut.len);
    memcpy(out + cut.len, " ...", 4);
    return (str){out, cut.len + 4};
}

/* ---- reasons ---- */

static void add_chain(checking *c, finding *f, const str *chain, size_t count) {
    str *all = ARENA_ARRAY(c->out->owner, str, f->evidence_count + count + 1);
    size_t kept = f->evidence_count;
    if (kept) memcpy(all, f->evidence, kept * sizeof *all);
    for (size_t i = 0; i < count; i++) {
        bool again = false;
        for (size_t k = 0; k < kept && !again; k++) again = str_eq(all[k], chain[i]);
        if (!again) all[kept++] = str_copy(c->out->owner, chain[i]);
    }
    f->evidence = all, f->evidence_count = kept;
}

static void add_leaning(checking *c, finding *f, const declaration *const *list, size_t count) {
    const declaration **all = ARENA_ARRAY(c->out->owner, const declaration *, f->leans_on_count + count + 1);
    size_t kept = f->leans_on_count;
    if (kept) memcpy(all, f->leans_on, kept * sizeof *all);
    for (size_t i = 0; i < count; i++) {
        bool again = false;
        for (size_t k = 0; k < kept && !again; k++) again = all[k] == list[i];
        if (!again) all[kept++] = list[i];
    }
    f->leans_on = all, f->leans_on_count = kept;
}

void check_reasons(checking *c, finding *f, const join_site *site, evidence_id why) {
    const grain_model *m = c->m;
    size_t count;
    if (site) {
        add_chain(c, f, site->chain, site->chain_count);
        add_leaning(c, f, site->leans_on, site->leans_on_count);
    }
    const str *chain = evidence_chain(&m->evidence, why, &m->names, m->owner, &count);
    add_chain(c, f, chain, count);
    const declaration *const *leans = evidence_leans_on(&m->evidence, why, m->owner, &count);
    add_leaning(c, f, leans, count);
}

void check_fingerprint(checking *c, finding *f, str extra) {
    buf text;
    buf_init(&text, c->m->owner, SIZE_MAX / 2);
    buf_printf(&text, STR_FMT "\n" STR_FMT "\n" STR_FMT "\n" STR_FMT "\n", STR_ARG(finding_code_name(f->code)), STR_ARG(f->model),
               STR_ARG(f->column), STR_ARG(f->expression));
    for (size_t i = 0; i < f->group_count; i++) buf_printf(&text, STR_FMT ",", STR_ARG(f->group[i]));
    for (size_t i = 0; i < f->join_count; i++)
        buf_printf(&text, "\n" STR_FMT ":" STR_FMT, STR_ARG(f->join[i]->model), STR_ARG(f->join[i]->text));
    buf_printf(&text, "\n" STR_FMT, STR_ARG(extra));
    md5 digest;
    char hex[33];
    md5_init(&digest);
    md5_put(&digest, buf_str(&text));
    md5_finish(&digest, hex);
    f->fingerprint = str_copy(c->out->owner, str_from(hex));
}

/* ---- sums ---- */

static bool is_sum(const plan_expr *e, bool *is_average) {
    static const char *const sums[] = {"sum", "fsum", "sum_no_overflow", "total"};
    *is_average = str_eq(e->name, STR("avg")) || str_eq(e->name, STR("mean")) || str_eq(e->name, STR("favg"));
    bool is = *is_average;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) is = is || str_eq(e->name, str_from(sums[i]));
    const ast_call *call = op_call(e);
    bool distinct = call && call->quantity == SQL_QUANTITY_DISTINCT;
    return is && e->arg_count >= 1 && !distinct;
}

static bool over_whole_partition(const plan_node *n) {
    const sql_window *w = n->window.from;
    if (n->window.order_count) return false;
    return !w || w->frame == SQL_FRAME_NONE;
}

/* Columns that an expression of a partition tells: itself, or those that it is made of without loss. */
static colset told_by(checking *c, const plan_expr *e) {
    colset back = COLSET_EMPTY;
    if (e->kind == EXPR_COLUMN) return e->columns;
    return expr_is_one_to_one(&c->m->expr, e, &back) == UNCERTAIN ? COLSET_EMPTY : back;
}

bool check_next_sum(checking *c, const plan_node *n, size_t *next, summed *out) {
    bool groups = n->kind == PLAN_AGGREGATE && !n->aggregate.has_sets;
    bool windows = n->kind == PLAN_WINDOW && over_whole_partition(n);
    size_t count = groups ? n->aggregate.made_count : windows ? n->window.made_count : 0;
    for (; *next < count; ++*next) {
        column_id made = groups ? n->aggregate.made[*next] : n->window.made[*next];
        const plan_expr *e = c->m->plan->column[made].definition;
        if (!e || !is_sum(e, &out->is_average)) continue;
        out->call = e, out->made = made, out->group = COLSET_EMPTY;
        for (size_t i = 0; groups && i < n->aggregate.group_count; i++) colset_add(&out->group, n->aggregate.group[i], c->m->owner);
        for (size_t i = 0; windows && i < n->window.partition_count; i++)
            colset_add_all(&out->group, told_by(c, n->window.partition[i]), c->m->owner);
        ++*next;
        return true;
    }
    return false;
}

/* ---- all of them ---- */

static int compare_findings(const void *a, const void *b) {
    const finding *x = a, *y = b;
    if (x->at.start != y->at.start) return x->at.start < y->at.start ? -1 : 1;
    if (x->code != y->code) return x->code < y->code ? -1 : 1;
    return str_compare(x->fingerprint, y->fingerprint);
}

/* The same finding at the same place is told once: a CTE that is read twice, or two terms of one sum. */
static void drop_repeats(finding_list *l, size_t from) {
    size_t kept = from;
    for (size_t i = from; i < l->count; i++)
        if (i == from || compare_findings(&l->item[kept - 1], &l->item[i]) != 0) l->item[kept++] = l->item[i];
    l->count = kept;
}

void grain_check(const grain_model *m, const check_choice *choice, declaration_list own, finding_list *out) {
    checking c = {m, choice, own, out};
    size_t from = out->count;
    for (size_t i = 0; i < m->plan->node_count; i++) {
        const plan_node *n = m->plan->node[i];
        if (choice->on[FINDING_G001]) check_g001(&c, n);
        if (choice->on[FINDING_G003]) check_g003(&c, n);
        if (choice->on[FINDING_G004]) check_g004(&c, n);
    }
    if (choice->on[FINDING_G002]) check_g002(&c);
    if (choice->on[FINDING_G005]) check_g005(&c);
    if (out->count > from) qsort(out->item + from, out->count - from, sizeof *out->item, compare_findings);
    drop_repeats(out, from);
}
