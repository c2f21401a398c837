/* census.c - the visitor that counts: per work item, merged in log order.
 * Called by: api.  Must not know: predicates, how anything is printed.
 */
#include "delta/census.h"

enum { ITEM_SPOOL_BYTES = 1 << 20, LISTING_SPOOL_BYTES = 64 << 20 };

/* What all work items share; only `merge` changes the total. */
typedef struct taking {
    const census_options *options;
    census *total;
} taking;

typedef struct item_count {
    census count;
    buf entry;
} item_count;

/* Sums over a hostile log stop at their end. */
static void add(uint64_t *sum, uint64_t more) {
    if (__builtin_add_overflow(*sum, more, sum)) *sum = UINT64_MAX;
}

static void *begin_item(void *context, arena *scratch) {
    const taking *t = context;
    item_count *i = ARENA_NEW(scratch, item_count);
    i->count.coverage = ARENA_ARRAY(scratch, column_coverage, t->total->coverage_count);
    if (!t->options->print) return i;
    i->count.listing = spool_new(scratch, ITEM_SPOOL_BYTES);
    buf_init(&i->entry, scratch, SIZE_MAX / 2);
    return i;
}

static void select_files(void *context, void *state, file_batch *batch) {
    const taking *t = context;
    (void)state;
    for (size_t i = 0; i < batch->count; i++) batch->file[i].want_stats = t->options->want_coverage;
}

/* ---- counting ---- */

static void count_rows(census *c, const live_file *f) {
    const file_stats *s = &f->stats;
    c->files_with_dv += f->has_dv;
    if (f->has_dv && f->dv_cardinality > 0) add(&c->deleted_rows, (uint64_t)f->dv_cardinality);
    if (!s->record_count_known) return;
    c->files_with_records++;
    add(&c->records, (uint64_t)s->record_count);
    int64_t live;
    if (!live_file_rows(f, &live)) return;
    c->files_with_live_rows++;
    add(&c->live_rows, (uint64_t)live);
}

static void count_columns(census *c, const taking *t, const file_stats *s) {
    if (!s->has_stats || !s->column) return;
    for (size_t i = 0; i < t->total->coverage_count; i++) {
        const column_stats *is = &s->column[i];
        bool has_min = is->min.state == CELL_VALUE, has_max = is->max.state == CELL_VALUE;
        column_coverage *to = &c->coverage[i];
        to->min += has_min;
        to->max += has_max;
        to->min_and_max += has_min && has_max;
        to->null_count += is->null_count_state == COUNT_KNOWN;
    }
}

static void count_file(census *c, const taking *t, const live_file *f) {
    c->files++;
    c->files_with_stats += f->stats.has_stats;
    c->files_with_base_row_id += f->base_row_id_known;
    if (f->size_bytes >= 0) {
        c->files_with_size++;
        add(&c->bytes, (uint64_t)f->size_bytes);
    }
    count_rows(c, f);
    count_columns(c, t, &f->stats);
}

static lp_status list_file(item_count *i, const taking *t, const live_file *f, lp_err *err) {
    buf_reset(&i->entry);
    if (spool_size(i->count.listing) > 0) buf_put(&i->entry, t->options->separator);
    t->options->print(t->options->print_context, &i->entry, f);
    return spool_put(i->count.listing, buf_str(&i->entry), err);
}

static lp_status take_batch(void *context, void *state, const file_batch *batch, lp_err *err) {
    const taking *t = context;
    item_count *i = state;
    for (size_t at = 0; at < batch->count; at++) {
        count_file(&i->count, t, &batch->file[at]);
        if (t->options->print) TRY(list_file(i, t, &batch->file[at], err));
    }
    return LP_OK;
}

/* ---- merging ---- */

static void merge_counts(census *to, const census *from) {
    to->files += from->files;
    add(&to->bytes, from->bytes);
    to->files_with_size += from->files_with_size;
    to->files_with_stats += from->files_with_stats;
    to->files_with_records += from->files_with_records;
    add(&to->records, from->records);
    to->files_with_live_rows += from->files_with_live_rows;
    add(&to->live_rows, from->live_rows);
    to->files_with_dv += from->files_with_dv;
    add(&to->deleted_rows, from->deleted_rows);
    to->files_with_base_row_id += from->files_with_base_row_id;
    for (size_t i = 0; i < to->coverage_count; i++) {
        to->coverage[i].min += from->coverage[i].min;
        to->coverage[i].max += from->coverage[i].max;
        to->coverage[i].min_and_max += from->coverage[i].min_and_max;
        to->coverage[i].null_count += from->coverage[i].null_count;
    }
}

static lp_status merge_item(void *context, void *state, lp_err *err) {
    taking *t = context;
    const item_count *i = state;
    merge_counts(t->total, &i->count);
    if (!t->options->print || spool_size(i->count.listing) == 0) return LP_OK;
    if (spool_size(t->total->listing) > 0) TRY(spool_put(t->total->listing, t->options->separator, err));
    return spool_append(t->total->listing, i->count.listing, err);
}

/* ---- the request ---- */

/* Partition columns have no statistics: their values stand in the log. */
static const stats_column *choose_columns(census *c, const schema *s, arena *query) {
    stats_column *wanted = ARENA_ARRAY(query, stats_column, s->leaf_count);
    c->coverage = ARENA_ARRAY(query, column_coverage, s->leaf_count);
    for (size_t i = 0; i < s->leaf_count; i++) {
        if (s->leaf[i]->partition_index >= 0) continue;
        wanted[c->coverage_count] = (stats_column){.column = s->leaf[i], .want_bounds = true, .want_null_count = true};
        c->coverage[c->coverage_count++].column = s->leaf[i];
    }
    return wanted;
}

lp_status census_take(snapshot *s, const census_options *options, pool *workers, arena *query, census **out,
                      lp_err *err) {
    census *c = ARENA_NEW(query, census);
    scan_request request = {.want_size = true,
                            .want_record_count = true,
                            .want_removed = options->want_removed,
                            .session_zone = options->session_zone};
    if (options->want_coverage) {
        request.stats = choose_columns(c, &s->schema, query);
        request.stats_count = c->coverage_count;
    }
    if (options->print) {
        c->listing = spool_new(query, LISTING_SPOOL_BYTES);
        request.want_path = request.want_details = true;
        request.partition = s->schema.partition;
        request.partition_count = s->schema.partition_count;
    }
    taking t = {options, c};
    scan_visitor visitor = {&t, begin_item, select_files, take_batch, merge_item};
    TRY(snapshot_scan(s, &request, workers, &visitor, &c->counters, err));
    c->removed_keys = c->counters.removed_keys;
    *out = c;
    return LP_OK;
}
