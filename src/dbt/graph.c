/* graph.c - who reads whom: parents, children, and an order in which parents come first.
 * Called by: dbt/project.c.  Must not know: facts.
 */
#include "dbt/graph.h"

#include "base/buf.h"

/* Parents: relations among depends_on, each once. last_reader[i] is 1 + the relation that was seen to read i last. */
static void set_parents(draft *d, dbt_relation *all, const relation_draft *from, dbt_relation *r, size_t *last_reader) {
    size_t *parent = ARENA_ARRAY(d->keep, size_t, from->depends_count);
    for (size_t i = 0; i < from->depends_count; i++) {
        size_t found = dbt_find_id(d->project, from->depends_on[i]);
        if (found == DBT_NO_RELATION || last_reader[found] == r->index + 1) continue;
        last_reader[found] = r->index + 1;
        parent[r->parent_count++] = found;
        all[found].child_count++;
    }
    r->parent = parent;
}

static void set_children(draft *d, dbt_relation *all, size_t count) {
    size_t **child = ARENA_ARRAY(d->working, size_t *, count);
    for (size_t i = 0; i < count; i++) {
        all[i].child = child[i] = ARENA_ARRAY(d->keep, size_t, all[i].child_count);
        all[i].child_count = 0;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < all[i].parent_count; j++) {
            size_t parent = all[i].parent[j];
            child[parent][all[parent].child_count++] = i;
        }
}

/* ---- order ---- */

typedef enum mark { UNSEEN, OPEN, DONE } mark;

typedef struct walk {
    const dbt_relation *all;
    unsigned char *mark;
    size_t *stack, *next; /* next[i]: how many parents of stack[i] were looked at */
    size_t depth;
    size_t *order, ordered;
} walk;

static lp_status tell_circle(draft *d, const walk *w, size_t again, lp_err *err) {
    buf text;
    buf_init(&text, d->working, 1500);
    size_t from = 0;
    while (w->stack[from] != again) from++;
    size_t shown = w->depth - from > 8 ? 8 : w->depth - from;
    for (size_t i = 0; i < shown; i++)
        buf_printf(&text, STR_FMT " reads ", STR_ARG(str_slice(w->all[w->stack[from + i]].unique_id, 0, 120)));
    buf_printf(&text, "%s" STR_FMT, from + shown < w->depth ? "... reads " : "",
               STR_ARG(str_slice(w->all[again].unique_id, 0, 120)));
    return err_set(err, LP_ERR_FORMAT,
                   STR_FMT ": expected models that do not read each other in a circle, found: " STR_FMT,
                   STR_ARG(d->project->manifest_name), STR_ARG(buf_str(&text)));
}

/* Go down to a parent that was not seen, or finish the relation on top. */
static lp_status step(draft *d, walk *w, lp_err *err) {
    const dbt_relation *r = &w->all[w->stack[w->depth - 1]];
    while (w->next[w->depth - 1] < r->parent_count) {
        size_t parent = r->parent[w->next[w->depth - 1]++];
        if (w->mark[parent] == OPEN) return tell_circle(d, w, parent, err);
        if (w->mark[parent] == DONE) continue;
        w->mark[parent] = OPEN;
        w->stack[w->depth] = parent;
        w->next[w->depth++] = 0;
        return LP_OK;
    }
    w->mark[r->index] = DONE;
    w->order[w->ordered++] = r->index;
    w->depth--;
    return LP_OK;
}

static lp_status set_order(draft *d, const dbt_relation *all, size_t count, lp_err *err) {
    walk w = {.all = all,
              .mark = ARENA_ARRAY(d->working, unsigned char, count),
              .stack = ARENA_ARRAY(d->working, size_t, count),
              .next = ARENA_ARRAY(d->working, size_t, count),
              .order = ARENA_ARRAY(d->keep, size_t, count)};
    for (size_t i = 0; i < count; i++) {
        if (w.mark[i] != UNSEEN) continue;
        w.mark[i] = OPEN;
        w.stack[0] = i;
        w.next[0] = 0;
        for (w.depth = 1; w.depth > 0;) TRY(step(d, &w, err));
    }
    d->project->order = w.order;
    return LP_OK;
}

lp_status dbt_link(draft *d, dbt_relation *all, size_t count, lp_err *err) {
    size_t *last_reader = ARENA_ARRAY(d->working, size_t, count);
    for (size_t i = 0; i < count; i++) set_parents(d, all, draft_of(d, i), &all[i], last_reader);
    set_children(d, all, count);
    return set_order(d, all, count, err);
}

/* Children come behind parents in the order, so one pass from the end finds all ancestors. */
void dbt_add_ancestors(const dbt_project *p, bool *chosen) {
    for (size_t i = p->relation_count; i-- > 0;) {
        const dbt_relation *r = &p->relation[p->order[i]];
        for (size_t k = 0; chosen[r->index] && k < r->parent_count; k++) chosen[r->parent[k]] = true;
    }
}
