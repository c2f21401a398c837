/* stats_json_fuzz.c - properties of reading a statistics text, on any bytes.
 * Called by: libFuzzer, or the replay driver.  Must not know: predicates.
 *
 * 1. There are statistics exactly when the text is one JSON object.
 * 2. A known null count is from 0 to the record count, and 0 or all of it where the bounds are wide.
 * 3. A column is read the same whether it is asked for alone or with others.
 * 4. The reach of a bound lies on its outer side.
 */
#include <stdlib.h>

#include "base/door.h"
#include "delta/stats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "property does not hold: %s\n", #condition);                                               \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

static const column leaf_l = {.name = {"l", 1}, .physical = {"l", 1}, .type = {.kind = TYPE_LONG}};
static const column leaf_d = {.name = {"d", 1}, .physical = {"d", 1}, .type = {.kind = TYPE_DOUBLE}};
static const column leaf_f = {.name = {"f", 1}, .physical = {"f", 1}, .type = {.kind = TYPE_FLOAT}};
static const column leaf_n = {
    .name = {"n", 1}, .physical = {"n", 1}, .type = {.kind = TYPE_DECIMAL, .precision = 20, .scale = 3}};
static const column leaf_t = {.name = {"t", 1}, .physical = {"t", 1}, .type = {.kind = TYPE_TIMESTAMP}};
static const column leaf_z = {.name = {"z", 1}, .physical = {"z", 1}, .type = {.kind = TYPE_TIMESTAMP_NTZ}};
static const column leaf_y = {.name = {"y", 1}, .physical = {"y", 1}, .type = {.kind = TYPE_DATE}};
static const column leaf_b = {.name = {"b", 1}, .physical = {"b", 1}, .type = {.kind = TYPE_BOOLEAN}};
static const column top = {.name = {"s", 1}, .physical = {"s", 1}, .type = {.kind = TYPE_STRUCT}};
static const column inner = {.name = {"u", 1}, .physical = {"u", 1}, .type = {.kind = TYPE_STRUCT}, .parent = &top};
static const column leaf_s = {.name = {"x", 1}, .physical = {"x", 1}, .type = {.kind = TYPE_STRING}, .parent = &inner};
static const column leaf_dotted = {.name = {"s.u", 3}, .physical = {"s.u", 3}, .type = {.kind = TYPE_STRING}};
static const column *const leaves[] = {&leaf_l, &leaf_d, &leaf_f, &leaf_n, &leaf_t,
                                       &leaf_z, &leaf_y, &leaf_b, &leaf_s, &leaf_dotted};
enum { COLUMNS = sizeof leaves / sizeof *leaves };

typedef struct input {
    const uint8_t *data;
    size_t size;
    arena memory;
} input;

static bool is_object(json_reader *r, str text) {
    lp_err err;
    if (json_start(r, text, &err) != LP_OK) return false;
    return json_next(r).kind == JSON_OBJECT_BEGIN && json_skip(r) && json_next(r).kind == JSON_END;
}

static void check_bound(const bound *b, bound_side side) {
    if (b->state != CELL_VALUE) return;
    int order = value_compare(&b->reach, &b->v);
    MUST(side == BOUND_MIN ? order <= 0 : order >= 0);
}

static void check_column(const file_stats *f, const column_stats *c) {
    check_bound(&c->min, BOUND_MIN);
    check_bound(&c->max, BOUND_MAX);
    if (c->null_count_state != COUNT_KNOWN) return;
    MUST(c->null_count >= 0 && (!f->record_count_known || c->null_count <= f->record_count));
    MUST(f->tight || c->null_count == 0 || (f->record_count_known && c->null_count == f->record_count));
}

static void check_same_bound(const bound *a, const bound *b) {
    MUST(a->state == b->state && a->exact == b->exact);
    if (a->state == CELL_VALUE) MUST(value_compare(&a->v, &b->v) == 0 && value_compare(&a->reach, &b->reach) == 0);
}

static void check_same(const column_stats *a, const column_stats *b) {
    MUST(a->null_count_state == b->null_count_state);
    if (a->null_count_state == COUNT_KNOWN) MUST(a->null_count == b->null_count);
    check_same_bound(&a->min, &b->min);
    check_same_bound(&a->max, &b->max);
}

static lp_status run(void *context, lp_err *err) {
    (void)err;
    input *in = context;
    char *copy = arena_alloc(&in->memory, in->size + JSON_PADDING);
    if (in->size) memcpy(copy, in->data, in->size);
    str text = {copy, in->size};
    json_reader *json = json_reader_new(&in->memory);
    stats_column all[COLUMNS];
    for (size_t i = 0; i < COLUMNS; i++) all[i] = (stats_column){leaves[i], true, true};
    bool has_dv = in->size % 2 == 1;
    file_stats f;
    stats_from_json(stats_plan_new(&in->memory, all, COLUMNS), json, text, has_dv, &in->memory, &f);
    MUST(f.has_stats == is_object(json, text) && f.has_stats == (f.column != NULL));
    if (!f.has_stats) return LP_OK;
    for (size_t i = 0; i < COLUMNS; i++) {
        check_column(&f, &f.column[i]);
        file_stats alone;
        stats_from_json(stats_plan_new(&in->memory, &all[i], 1), json, text, has_dv, &in->memory, &alone);
        MUST(alone.has_stats && alone.tight == f.tight && alone.record_count_known == f.record_count_known &&
             alone.record_count == f.record_count);
        check_same(&alone.column[0], &f.column[i]);
    }
    return LP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {.data = data, .size = size};
    arena_init(&in.memory, (size_t)512 << 20);
    lp_err err;
    (void)door_run(run, &in, &err); /* a spent budget is no defect */
    arena_end(&in.memory);
    return 0;
}
