/* diff.c - what is different between two versions: the files, by three scans.
 * Called by: api.  Must not know: predicates, text or JSON output.
 *
 * 1. The side before: its keys go into a set.
 * 2. The side after: a key of the set is kept, and marked; any other is added, and marks the keys of its path.
 * 3. The side before again: what has no mark of its own was removed.
 * Marks are only set while a scan runs, never read, so the answer does not depend on the order of the workers.
 */
#include "delta/diff.h"

#include "delta/key_set.h"

enum { MARK_KEPT = KEY_MARK_ONE, MARK_PATH_ADDED = KEY_MARK_TWO };
enum { ITEM_LISTING_BYTES = 1 << 20, LISTING_BYTES = 64 << 20 };

typedef struct differ {
    const diff_options *options;
    arena *query;
    snapshot_diff *out;
    key_set *keys;
    digest_key secret;
} differ;

static scan_request request_files(bool whole) {
    return (scan_request){.want_path = true,
                          .want_size = whole,
                          .want_record_count = whole,
                          .session_zone = zone_utc()}; /* no partition value is read */
}

static key_code code_of(const differ *d, const live_file *f) {
    return key_code_of(d->secret, (file_key){f->path, f->has_dv ? f->dv_id : STR_NONE});
}

/* ---- the first scan ---- */

/* The keys of one batch. */
typedef struct code_block {
    struct code_block *next;
    size_t count;
    key_code code[];
} code_block;

typedef struct code_item {
    arena *scratch;
    code_block *first;
} code_item;

static void *begin_codes(void *context, arena *scratch) {
    (void)context;
    code_item *item = ARENA_NEW(scratch, code_item);
    item->scratch = scratch;
    return item;
}

static lp_status take_codes(void *context, void *state, const file_batch *batch, lp_err *err) {
    (void)err;
    code_item *item = state;
    code_block *block = arena_alloc_raw(item->scratch, sizeof *block + batch->count * sizeof *block->code);
    block->count = batch->count;
    for (size_t i = 0; i < batch->count; i++) block->code[i] = code_of(context, &batch->file[i]);
    block->next = item->first;
    item->first = block;
    return LP_OK;
}

static lp_status merge_codes(void *context, void *state, lp_err *err) {
    (void)err;
    differ *d = context;
    for (const code_block *block = ((code_item *)state)->first; block; block = block->next)
        for (size_t i = 0; i < block->count; i++) (void)key_set_add(d->keys, block->code[i]);
    return LP_OK;
}

/* ---- sums ---- */

static void add_to(uint64_t *sum, uint64_t more) {
    if (__builtin_add_overflow(*sum, more, sum)) *sum = UINT64_MAX;
}

static void tally_file(diff_tally *t, const live_file *f) {
    bool records = f->stats.has_stats && f->stats.record_count_known && f->stats.record_count >= 0;
    t->files++;
    t->without_size += f->size_bytes < 0;
    t->without_records += !records;
    t->with_vector += f->has_dv;
    t->without_cardinality += f->has_dv && f->dv_cardinality < 0;
    if (f->size_bytes >= 0) add_to(&t->bytes, (uint64_t)f->size_bytes);
    if (records) add_to(&t->records, (uint64_t)f->stats.record_count);
    if (f->has_dv && f->dv_cardinality >= 0) add_to(&t->deleted_rows, (uint64_t)f->dv_cardinality);
}

static void tally_merge(diff_tally *to, const diff_tally *from) {
    to->files += from->files;
    add_to(&to->bytes, from->bytes);
    add_to(&to->records, from->records);
    add_to(&to->deleted_rows, from->deleted_rows);
    to->with_vector += from->with_vector;
    to->without_size += from->without_size;
    to->without_records += from->without_records;
    to->without_cardinality += from->without_cardinality;
}

/* ---- the other scans ---- */

/* What one work item found on its side. */
typedef struct side_item {
    diff_tally total, kept, changed, rewritten;
    listing listing;
    buf entry;
} side_item;

static void *begin_side(void *context, arena *scratch) {
    const diff_options *o = ((differ *)context)->options;
    side_item *item = ARENA_NEW(scratch, side_item);
    buf_init(&item->entry, scratch, SIZE_MAX / 2);
    if (o->list) listing_init(&item->listing, scratch, ITEM_LISTING_BYTES, o->separator, o->has_limit, o->limit);
    return item;
}

static lp_status list_file(const differ *d, side_item *item, const diff_file *f, lp_err *err) {
    if (!d->options->list || !listing_wants(&item->listing)) return LP_OK;
    buf_reset(&item->entry);
    d->options->print(d->options->print_context, &item->entry, f);
    return listing_put(&item->listing, buf_str(&item->entry), err);
}

static lp_status take_changed(const differ *d, side_item *item, const diff_file *f, lp_err *err) {
    tally_file(&item->changed, f->file);
    if (f->rewritten) tally_file(&item->rewritten, f->file);
    return list_file(d, item, f, err);
}

static lp_status take_after(void *context, void *state, const file_batch *batch, lp_err *err) {
    differ *d = context;
    side_item *item = state;
    for (size_t i = 0; i < batch->count; i++) {
        const live_file *f = &batch->file[i];
        key_code code = code_of(d, f);
        tally_file(&item->total, f);
        if (key_set_mark(d->keys, code, MARK_KEPT)) {
            tally_file(&item->kept, f);
            continue;
        }
        diff_file added = {f, DIFF_ADDED, key_set_mark_path(d->keys, code, MARK_PATH_ADDED)};
        TRY(take_changed(d, item, &added, err));
    }
    return LP_OK;
}

static lp_status take_before(void *context, void *state, const file_batch *batch, lp_err *err) {
    const differ *d = context;
    side_item *item = state;
    for (size_t i = 0; i < batch->count; i++) {
        const live_file *f = &batch->file[i];
        unsigned marks = key_set_marks(d->keys, code_of(d, f));
        tally_file(&item->total, f);
        if (marks & MARK_KEPT) continue;
        diff_file removed = {f, DIFF_REMOVED, (marks & MARK_PATH_ADDED) != 0};
        TRY(take_changed(d, item, &removed, err));
    }
    return LP_OK;
}

static lp_status merge_after(void *context, void *state, lp_err *err) {
    const differ *d = context;
    const side_item *item = state;
    tally_merge(&d->out->total_after, &item->total);
    tally_merge(&d->out->kept, &item->kept);
    tally_merge(&d->out->added, &item->changed);
    tally_merge(&d->out->rewritten_after, &item->rewritten);
    return d->options->list ? listing_append(&d->out->added_files, &item->listing, err) : LP_OK;
}

static lp_status merge_before(void *context, void *state, lp_err *err) {
    const differ *d = context;
    const side_item *item = state;
    tally_merge(&d->out->total_before, &item->total);
    tally_merge(&d->out->removed, &item->changed);
    tally_merge(&d->out->rewritten_before, &item->rewritten);
    return d->options->list ? listing_append(&d->out->removed_files, &item->listing, err) : LP_OK;
}

/* ---- the whole ---- */

static lp_status scan_side(differ *d, snapshot *side, pool *workers, bool whole, scan_visitor visitor, lp_err *err) {
    scan_request request = request_files(whole);
    scan_counters one = {0}, *all = &d->out->counters;
    visitor.context = d;
    TRY(snapshot_scan(side, &request, workers, &visitor, &one, err));
    all->pages_decoded += one.pages_decoded;
    all->values_decoded += one.values_decoded;
    all->statistics_parsed += one.statistics_parsed;
    all->files_seen += one.files_seen;
    if (one.arena_peak_bytes > all->arena_peak_bytes) all->arena_peak_bytes = one.arena_peak_bytes;
    return LP_OK;
}

static void prepare_listings(differ *d) {
    const diff_options *o = d->options;
    d->out->lists_files = o->list;
    if (!o->list) return;
    listing_init(&d->out->removed_files, d->query, LISTING_BYTES, o->separator, o->has_limit, o->limit);
    listing_init(&d->out->added_files, d->query, LISTING_BYTES, o->separator, o->has_limit, o->limit);
}

lp_status diff_run(snapshot *before, pool *before_workers, snapshot *after, pool *after_workers,
                   const diff_options *options, arena *query, snapshot_diff **out, lp_err *err) {
    *out = NULL;
    arena *memory = arena_child(query);
    differ d = {.options = options,
                .query = query,
                .out = ARENA_NEW(query, snapshot_diff),
                .keys = key_set_new(memory, false),
                .secret = digest_key_of_run()};
    diff_metadata(before, after, query, d.out);
    prepare_listings(&d);
    TRY(scan_side(&d, before, before_workers, false, (scan_visitor){NULL, begin_codes, NULL, take_codes, merge_codes},
                  err));
    TRY(scan_side(&d, after, after_workers, true, (scan_visitor){NULL, begin_side, NULL, take_after, merge_after},
                  err));
    TRY(scan_side(&d, before, before_workers, true, (scan_visitor){NULL, begin_side, NULL, take_before, merge_before},
                  err));
    arena_end(memory);
    *out = d.out;
    return LP_OK;
}
