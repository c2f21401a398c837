/* bind_draft.c - columns and operators while they are made.
 * Called by: plan/bind_*.c.  Must not know: names.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/door.h"
#include "plan/bind_int.h"
#include "sql/parse.h"

void *bind_grow(binder *b, void *list, uint32_t count, uint32_t *capacity, size_t size) {
    uint32_t roomy = *capacity ? *capacity * 2 : 8;
    void *grown = arena_alloc_array(b->owner, roomy, size);
    if (count) memcpy(grown, list, count * size);
    *capacity = roomy;
    return grown;
}

column_id bind_column(binder *b, plan_column c) {
    BIND_PUSH(b, b->column, b->column_count, b->column_capacity, c);
    return b->column_count - 1;
}

draft *bind_node(binder *b, plan_kind kind, span at, draft *const *input, size_t input_count) {
    draft *d = ARENA_NEW(b->owner, draft);
    const plan_node **inputs = ARENA_ARRAY(b->owner, const plan_node *, input_count);
    uint32_t height = 0;
    for (size_t i = 0; i < input_count; i++) {
        inputs[i] = &input[i]->node;
        if (input[i]->node.height > height) height = input[i]->node.height;
    }
    d->node = (plan_node){
        .kind = kind, .id = b->node_count, .height = height + 1, .at = at, .input = inputs, .input_count = input_count};
    BIND_PUSH(b, b->node, b->node_count, b->node_capacity, &d->node);
    return d;
}

/* Each operator lists all its columns, so many joins in a row, or many windows over a wide table, list more than a
 * machine holds. */
enum { MAX_LISTED = 1 << 25 };

void draft_add(binder *b, draft *d, column_id id) {
    if (++b->listed > MAX_LISTED)
        door_leave("the operators of a statement have more than %d columns together", MAX_LISTED);
    column_id *list = (column_id *)d->node.column;
    uint32_t count = (uint32_t)d->node.column_count;
    BIND_PUSH(b, list, count, d->column_capacity, id);
    d->node.column = list;
    d->node.column_count = count;
}

void draft_pass(binder *b, draft *d, const draft *input) {
    for (size_t i = 0; i < input->node.column_count; i++) draft_add(b, d, input->node.column[i]);
    d->node.is_open |= input->node.is_open;
}

/* Up to so many columns are compared one by one. */
enum { SHORT_LIST = 16 };

static bool has_column(binder *b, draft *d, column_id id) {
    const plan_node *n = &d->node;
    if (n->column_count <= SHORT_LIST) {
        for (size_t i = 0; i < n->column_count; i++)
            if (n->column[i] == id) return true;
        return false;
    }
    while (d->member_count < n->column_count) colset_add(&d->member, n->column[d->member_count++], b->owner);
    return colset_has(d->member, id);
}

/* The rows of the right side of a semi or anti join end there. */
static size_t passing_inputs(const plan_node *n) {
    bool keeps_left = n->kind == PLAN_JOIN && (n->join.kind == PLAN_JOIN_SEMI || n->join.kind == PLAN_JOIN_ANTI ||
                                               n->join.kind == PLAN_JOIN_MARK);
    return keeps_left ? 1 : n->input_count;
}

static bool push(binder *b, draft *n, const draft *from, column_id id);

/* Operators are const for their readers; all of them are drafts. */
static draft *input_of(const draft *d, size_t i) {
    return (draft *)d->node.input[i];
}

/* May `from` be `d`, or below it? Inputs are numbered before those that use them; a CTE has columns of its own. */
static bool may_hold(const draft *d, const draft *from) {
    return d->node.id >= from->node.id && d->node.kind != PLAN_CTE;
}

static bool push_aside(binder *b, draft *d, const draft *from, column_id id) {
    for (size_t i = 1; i < passing_inputs(&d->node); i++)
        if (push(b, input_of(d, i), from, id)) return true;
    return false;
}

/* A long chain of joins is as high as it is long, so the way along first inputs is a loop: first down to `from`, or to
 * the operator that has it below another input, then from `n` down to there. */
static bool push(binder *b, draft *n, const draft *from, column_id id) {
    draft *end = n;
    while (end != from && may_hold(end, from) && passing_inputs(&end->node)) end = input_of(end, 0);
    if (end != from)
        for (end = n; !(may_hold(end, from) && push_aside(b, end, from, id)); end = input_of(end, 0))
            if (!may_hold(end, from) || !passing_inputs(&end->node)) return false;
    for (draft *d = n;; d = input_of(d, 0)) {
        if (d != from && !has_column(b, d, id)) draft_add(b, d, id);
        if (d == end) return true;
    }
}

void draft_push(binder *b, draft *top, const draft *from, column_id id) {
    (void)push(b, top, from, id);
}

lp_status bind_refuse(binder *b, span at, const char *format, ...) {
    char message[512];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return sql_error_at(b->err, b->text, at, "%s", message);
}
