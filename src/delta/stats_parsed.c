/* stats_parsed.c - statistics column by column.
 * Called by: delta/checkpoint_rows.c.  Must not know: predicates, JSON.
 */
#include "delta/stats_parsed.h"

#include "delta/checkpoint_shape.h"

enum { MIN_VALUES, MAX_VALUES, NULL_COUNT, PART_COUNT };

struct stats_parsed {
    arena *keep;
    const stats_plan *plan;
    const stats_column *wanted;
    size_t count;
    const pq_node *group; /* add.stats_parsed of the file under way */
    leaf presence;        /* tells where the struct is null; numRecords where that is there */
    bool presence_is_record_count;
    leaf tight;
    leaf *part;    /* PART_COUNT for each wanted column */
    bool *is_wide; /* per file of a read */
};

stats_parsed *stats_parsed_new(arena *keep, const stats_plan *plan, const stats_column *wanted, size_t count) {
    stats_parsed *p = ARENA_NEW(keep, stats_parsed);
    *p = (stats_parsed){.keep = keep, .plan = plan, .wanted = wanted, .count = count};
    p->part = ARENA_ARRAY(keep, leaf, PART_COUNT * count);
    return p;
}

/* minValues.<physical names of the column>, walked as nested groups (trap T34). Only leaves that do not repeat. */
static const pq_node *find_leaf(const pq_node *part, const column *c) {
    const pq_node *above = c->parent ? find_leaf(part, c->parent) : part;
    return shape_child(above, c->physical);
}

static const pq_node *find_part(const stats_parsed *p, size_t index, int part) {
    static const char *const name[PART_COUNT] = {"minValues", "maxValues", "nullCount"};
    const stats_column *c = &p->wanted[index];
    if (part == NULL_COUNT ? !c->want_null_count : !c->want_bounds || !type_has_bounds(c->column->type.kind))
        return NULL;
    const pq_node *n = shape_child(p->group, str_from(name[part]));
    n = n ? find_leaf(n, c->column) : NULL;
    if (!n || !n->is_leaf || n->max_rep > 0) return NULL;
    return part != NULL_COUNT || n->type == PQ_INT64 || n->type == PQ_INT32 ? n : NULL;
}

lp_status stats_parsed_open(stats_parsed *p, pq_file *f, size_t group, const pq_node *group_node, lp_err *err) {
    p->group = group_node && !group_node->is_leaf ? group_node : NULL;
    if (!p->group) return LP_OK;
    const pq_node *count = shape_integer(p->group, STR("numRecords"));
    const pq_node *presence = count ? count : shape_presence_leaf(p->group, NULL, 0);
    if (!presence) {
        p->group = NULL;
        return LP_OK;
    }
    p->presence_is_record_count = count != NULL;
    TRY(leaf_open(&p->presence, f, group, presence, count != NULL, p->keep, err));
    TRY(leaf_open(&p->tight, f, group, shape_boolean(p->group, STR("tightBounds")), true, p->keep, err));
    for (size_t i = 0; i < p->count; i++)
        for (int part = 0; part < PART_COUNT; part++)
            TRY(leaf_open(&p->part[PART_COUNT * i + (size_t)part], f, group, find_part(p, i, part), true, p->keep,
                          err));
    return LP_OK;
}

bool stats_parsed_is_there(const stats_parsed *p) {
    return p->group != NULL;
}

void stats_parsed_pass(stats_parsed *p, uint64_t rows) {
    leaf_pass(&p->presence, rows);
    leaf_pass(&p->tight, rows);
    for (size_t i = 0; i < PART_COUNT * p->count; i++) leaf_pass(&p->part[i], rows);
}

size_t stats_parsed_peak_bytes(const stats_parsed *p) {
    size_t bytes = leaf_peak_bytes(&p->presence) + leaf_peak_bytes(&p->tight);
    for (size_t i = 0; i < PART_COUNT * p->count; i++) bytes += leaf_peak_bytes(&p->part[i]);
    return bytes;
}

/* The rows of one read, and who wants them. */
typedef struct rows_read {
    stats_parsed *p;
    size_t row_count;
    const uint32_t *row;
    const bool *wanted;
    live_file *file;
    size_t file_count;
    arena *values;
    lp_err *err;
} rows_read;

/* A piece of a column: the slice, and which rows of the read it holds. */
typedef struct column_piece {
    const leaf *from;
    pq_slice slice;
    size_t first_row;
    bool is_whole; /* its strings stay until the next read */
} column_piece;

typedef void (*take_cell)(rows_read *r, const column_piece *piece, size_t file, size_t level, size_t nth, size_t index);

/* Call `take` for each wanted file with its level entry and, if it is there, the position of its value. */
static lp_status read_column(rows_read *r, leaf *l, take_cell take, size_t index) {
    if (!l->node) return LP_OK;
    size_t at_file = 0;
    for (size_t row = 0; row < r->row_count;) {
        column_piece piece = {.from = l, .first_row = row};
        TRY(leaf_read(l, r->row_count - row, &piece.slice, r->err));
        piece.is_whole = piece.slice.row_count == r->row_count;
        size_t nth = 0;
        for (size_t i = 0; i < piece.slice.row_count; i++) {
            if (at_file < r->file_count && r->row[at_file] == row + i) {
                if (r->wanted[at_file]) take(r, &piece, at_file, i, nth, index);
                at_file++;
            }
            nth += leaf_has_value(l, &piece.slice, i);
        }
        row += piece.slice.row_count;
    }
    return LP_OK;
}

static int64_t integer_at(const leaf *l, const pq_slice *s, size_t nth) {
    return l->node->type == PQ_INT32 ? s->value.int32[nth] : s->value.int64[nth];
}

static void take_presence(rows_read *r, const column_piece *c, size_t file, size_t level, size_t nth, size_t index) {
    (void)index;
    file_stats *f = &r->file[file].stats;
    if (c->slice.def && c->slice.def[level] < r->p->group->max_def) return;
    stats_begin(r->p->plan, r->values, f);
    f->has_bounds = true;
    if (!r->p->presence_is_record_count || !leaf_has_value(c->from, &c->slice, level)) return;
    int64_t n = integer_at(c->from, &c->slice, nth);
    f->record_count_known = n >= 0;
    f->record_count = n >= 0 ? n : 0;
}

static void take_tight(rows_read *r, const column_piece *c, size_t file, size_t level, size_t nth, size_t index) {
    (void)index;
    if (leaf_has_value(c->from, &c->slice, level)) r->p->is_wide[file] = c->slice.value.boolean[nth] == 0;
}

static void take_null_count(rows_read *r, const column_piece *c, size_t file, size_t level, size_t nth, size_t index) {
    file_stats *f = &r->file[file].stats;
    if (!f->has_stats || !leaf_has_value(c->from, &c->slice, level)) return;
    int64_t n = integer_at(c->from, &c->slice, nth);
    if (n < 0) return; /* trap T40 */
    f->column[index].null_count_state = COUNT_KNOWN;
    f->column[index].null_count = n;
}

static parquet_cell cell_at(rows_read *r, const column_piece *c, size_t nth) {
    const pq_node *n = c->from->node;
    const pq_slice *s = &c->slice;
    parquet_cell cell = {.physical = (uint8_t)n->type,
                         .logical = (uint8_t)n->logical,
                         .scale = n->scale,
                         .is_adjusted_to_utc = n->is_adjusted_to_utc};
    switch (n->type) {
    case PQ_BOOLEAN: cell.i = s->value.boolean[nth]; break;
    case PQ_INT32: cell.i = s->value.int32[nth]; break;
    case PQ_INT64: cell.i = s->value.int64[nth]; break;
    case PQ_FLOAT: cell.f = (double)s->value.float32[nth]; break;
    case PQ_DOUBLE: cell.f = s->value.float64[nth]; break;
    case PQ_INT96: cell.bytes = (str){(const char *)s->value.int96 + 12 * nth, 12}; break;
    case PQ_BYTE_ARRAY:
    case PQ_FIXED_LEN_BYTE_ARRAY:
        cell.bytes = c->is_whole ? s->value.bytes[nth] : str_copy(r->values, s->value.bytes[nth]);
        break;
    }
    return cell;
}

static void take_bound(rows_read *r, const column_piece *c, size_t file, size_t level, size_t nth, size_t index,
                       bound_side side) {
    file_stats *f = &r->file[file].stats;
    if (!f->has_stats || !leaf_has_value(c->from, &c->slice, level)) return;
    parquet_cell cell = cell_at(r, c, nth);
    bound b = cell_bound_from_parquet(r->p->wanted[index].column->type, &cell, side);
    if (side == BOUND_MIN)
        f->column[index].min = b;
    else
        f->column[index].max = b;
}

static void take_min(rows_read *r, const column_piece *c, size_t file, size_t level, size_t nth, size_t index) {
    take_bound(r, c, file, level, nth, index, BOUND_MIN);
}

static void take_max(rows_read *r, const column_piece *c, size_t file, size_t level, size_t nth, size_t index) {
    take_bound(r, c, file, level, nth, index, BOUND_MAX);
}

lp_status stats_parsed_read(stats_parsed *p, size_t row_count, const uint32_t *row, const bool *wanted, live_file *file,
                            size_t file_count, arena *values, lp_err *err) {
    static const take_cell take[PART_COUNT] = {take_min, take_max, take_null_count};
    rows_read r = {p, row_count, row, wanted, file, file_count, values, err};
    p->is_wide = ARENA_ARRAY(values, bool, file_count);
    TRY(read_column(&r, &p->presence, take_presence, 0));
    TRY(read_column(&r, &p->tight, take_tight, 0));
    for (size_t i = 0; i < p->count; i++)
        for (size_t part = 0; part < PART_COUNT; part++)
            TRY(read_column(&r, &p->part[PART_COUNT * i + part], take[part], i));
    for (size_t i = 0; i < file_count; i++)
        if (wanted[i] && file[i].stats.has_stats) stats_finish(p->plan, p->is_wide[i], file[i].has_dv, &file[i].stats);
    return LP_OK;
}
