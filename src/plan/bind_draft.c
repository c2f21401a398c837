/* bind_draft.c - columns and operators while they are made.
 * Called by: plan/bind_*.c.  Must not know: names.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

void draft_add(binder *b, draft *d, column_id id) {
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

static bool has_column(const plan_node *n, column_id id) {
    for (size_t i = n->column_count; i > 0; i--)
        if (n->column[i - 1] == id) return true;
    return false;
}

/* The rows of the right side of a semi or anti join end there. */
static size_t passing_inputs(const plan_node *n) {
    bool keeps_left = n->kind == PLAN_JOIN && (n->join.kind == PLAN_JOIN_SEMI || n->join.kind == PLAN_JOIN_ANTI ||
                                               n->join.kind == PLAN_JOIN_MARK);
    return keeps_left ? 1 : n->input_count;
}

/* A long chain of joins is as high as it is long, so the way along first inputs is a loop. Operators are const for
 * their readers; all of them are drafts. */
static bool push(binder *b, const plan_node *n, const plan_node *from, column_id id) {
    if (n == from) return true;
    if (n->id < from->id || n->kind == PLAN_CTE) return false;
    for (size_t i = 0; i < passing_inputs(n); i++) {
        if (!push(b, n->input[i], from, id)) continue;
        if (!has_column(n, id)) draft_add(b, (draft *)n, id);
        return true;
    }
    return false;
}

void draft_push(binder *b, draft *top, const draft *from, column_id id) {
    (void)push(b, &top->node, &from->node, id);
}

lp_status bind_refuse(binder *b, span at, const char *format, ...) {
    char message[512];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return sql_error_at(b->err, b->text, at, "%s", message);
}
