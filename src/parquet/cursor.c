/* cursor.c - the rows of one leaf in one row group, as slices.
 * Called by: delta, tests.  Must not know: encodings, codecs.
 *
 * A leaf that does not repeat has one level entry a row: a slice is a piece of a page, and rows can be passed over
 * without looking at them. A leaf that repeats is read through a small stage of levels: a row ends where the next
 * repetition level is 0, which may be in the next page, so its slices are put together.
 *
 * Invariant between calls, for a leaf that repeats: the next level entry begins a row, or `in_tail` is set.
 */
#include "parquet/decode.h"
#include "parquet/page.h"

enum { STAGE = 1024, LEVELS_PER_LIMIT = 16 };

struct pq_cursor {
    page_reader pages;
    decoder values;
    dictionary dict;
    page_body body;
    arena text;
    block def, rep, value; /* of the slice */
    bool want_values;
    bool is_open;       /* the current page's bytes are loaded */
    bool is_done;       /* the end of the chunk was reached and checked */
    uint64_t rows_left; /* of the row group, neither given out nor passed over */
    uint64_t page_left; /* level entries of the current page, neither given out, passed over nor staged */
    uint64_t pending;   /* rows of the current page to pass over before the next read */

    /* Only for a leaf that repeats. */
    bool in_tail; /* the last row was passed over up to the end of a page: it may go on in the next */
    bool at_page_start;
    uint64_t page_rows;                  /* rows that began in the current page */
    uint8_t least_def[PQ_MAX_DEPTH + 1]; /* by repetition level: the definition level of the list that goes on */
    size_t stage_at, stage_size;
    uint8_t stage_def[STAGE], stage_rep[STAGE];
};

static void cursor_end(void *resource) {
    pq_cursor *c = resource;
    page_reader_end(&c->pages);
    block_end(&c->values.last);
    block_end(&c->dict.entry);
    block_end(&c->def);
    block_end(&c->rep);
    block_end(&c->value);
    arena_end(&c->text);
}

static bool repeats(const pq_cursor *c) {
    return c->pages.leaf->max_rep > 0;
}

/* An entry of repetition level r goes on with the list at the r-th repeated node, so that list is there. */
static void set_least_def(pq_cursor *c, const pq_node *leaf) {
    c->least_def[0] = 0;
    for (const pq_node *n = leaf; n; n = n->parent)
        if (n->repetition == PQ_REPEATED) c->least_def[n->max_rep] = (uint8_t)n->max_def;
}

lp_status pq_cursor_reopen(pq_cursor *c, pq_file *f, size_t group, size_t leaf_index, bool want_values, lp_err *err) {
    const pq_node *leaf = f->leaf[leaf_index];
    TRY(page_reader_init(&c->pages, f, &f->group[group].chunk[leaf_index], leaf, err));
    set_least_def(c, leaf);
    decoder *d = &c->values;
    d->type = leaf->type;
    d->element_bytes = decoder_element_bytes(leaf->type);
    bool is_number = leaf->type != PQ_BOOLEAN && leaf->type != PQ_BYTE_ARRAY && leaf->type != PQ_FIXED_LEN_BYTE_ARRAY;
    d->width = is_number ? (uint32_t)d->element_bytes : leaf->type_length;
    d->place = &c->pages.place;
    d->max_text_bytes = f->max_page_bytes;
    d->text = &c->text;
    d->dictionary = &c->dict;
    d->encoding = PQ_PLAIN;
    c->dict.is_loaded = false;
    c->want_values = want_values;
    c->is_open = c->is_done = c->in_tail = false;
    c->rows_left = f->group[group].row_count;
    c->page_left = c->pending = 0;
    c->stage_at = c->stage_size = 0;
    return LP_OK;
}

lp_status pq_cursor_new(pq_file *f, size_t group, size_t leaf_index, bool want_values, arena *owner, pq_cursor **out,
                        lp_err *err) {
    *out = NULL;
    pq_cursor *c = ARENA_NEW(owner, pq_cursor);
    arena_defer(owner, cursor_end)->resource = c;
    TRY(pq_cursor_reopen(c, f, group, leaf_index, want_values, err));
    *out = c;
    return LP_OK;
}

size_t pq_cursor_peak_bytes(const pq_cursor *c) {
    return page_reader_peak_bytes(&c->pages) + c->values.last.peak_bytes + c->dict.entry.peak_bytes +
           c->def.peak_bytes + c->rep.peak_bytes + c->value.peak_bytes + c->text.peak_bytes;
}

/* ---- pages ---- */

static lp_status fail(const pq_cursor *c, lp_err *err, const char *what) {
    return pq_fail(&c->pages.place, err, LP_ERR_FORMAT, "%s", what);
}

/* The chunk has no more values: every row of the row group must have come by. */
static lp_status finish_chunk(pq_cursor *c, lp_err *err) {
    if (c->rows_left)
        return pq_fail(&c->pages.place, err, LP_ERR_FORMAT, "expected %llu more rows, found the end of the chunk",
                       (unsigned long long)c->rows_left);
    if (!c->is_done && c->pages.has_dictionary && !c->dict.is_loaded) page_skip(&c->pages);
    c->is_done = true;
    return LP_OK;
}

/* Go to the next page by its header. *found is false at the end of the chunk. */
static lp_status next_page(pq_cursor *c, bool *found, lp_err *err) {
    c->is_open = false;
    c->page_left = c->pending = 0;
    TRY(page_next(&c->pages, found, err));
    if (!*found) return LP_OK;
    c->page_left = c->pages.now.value_count;
    c->page_rows = 0;
    c->at_page_start = true;
    return LP_OK;
}

static lp_status load_dictionary(pq_cursor *c, lp_err *err) {
    const uint8_t *bytes;
    size_t size;
    TRY(page_open_dictionary(&c->pages, &bytes, &size, err));
    return dictionary_load(&c->dict, &c->values, bytes, size, c->pages.dictionary.value_count, err);
}

static lp_status open_page(pq_cursor *c, lp_err *err) {
    if (c->is_open) return LP_OK;
    bool uses_dictionary = c->want_values && encoding_is_dictionary(c->pages.now.encoding);
    if (uses_dictionary && c->pages.has_dictionary && !c->dict.is_loaded) TRY(load_dictionary(c, err));
    TRY(page_open(&c->pages, c->want_values, &c->body, err));
    c->is_open = true;
    return c->want_values ? decoder_start(&c->values, c->pages.now.encoding, c->body.values, c->body.values_size, err)
                          : LP_OK;
}

static bool needs_bytes(const pq_cursor *c) {
    return c->want_values || c->pages.leaf->max_def > 0;
}

/* ---- slices ---- */

static void slice_begin(pq_cursor *c, pq_slice *out) {
    *out = (pq_slice){0};
    decoder_reset_text(&c->values);
}

/* Append `count` values to the slice. */
static lp_status append_values(pq_cursor *c, pq_slice *s, size_t count, lp_err *err) {
    size_t bytes = c->values.element_bytes, used = s->value_count * bytes;
    s->value_count += count;
    if (!c->want_values || count == 0) return LP_OK;
    uint8_t *memory =
        used ? block_grow(&c->value, used, used + count * bytes) : block_reserve(&c->value, count * bytes);
    return decoder_read(&c->values, memory + used, count, err);
}

static void slice_end(pq_cursor *c, pq_slice *s) {
    if (c->pages.leaf->max_def) s->def = c->def.ptr;
    if (repeats(c)) s->rep = c->rep.ptr;
    if (!c->want_values) return;
    s->value.int96 = c->value.ptr;
    atomic_fetch_add_explicit(&c->pages.file->values_decoded, s->value_count, memory_order_relaxed);
}

/* ---- a leaf that does not repeat ---- */

static lp_status flat_page(pq_cursor *c, lp_err *err) {
    bool found;
    if (c->page_left > 0) return LP_OK;
    TRY(next_page(c, &found, err));
    return found ? LP_OK : finish_chunk(c, err);
}

static lp_status flat_pass_pending(pq_cursor *c, lp_err *err) {
    uint64_t present = c->pending;
    if (present == 0) return LP_OK;
    if (c->pages.leaf->max_def) {
        const char *fault = levels_pass(&c->body.def, c->pending, &present);
        if (fault) return fail(c, err, fault);
    }
    c->pending = 0;
    return c->want_values ? decoder_pass(&c->values, present, err) : LP_OK;
}

static lp_status flat_read(pq_cursor *c, size_t max_rows, pq_slice *out, lp_err *err) {
    TRY(flat_page(c, err));
    uint64_t rows = c->page_left < PQ_MAX_SLICE_ROWS ? c->page_left : PQ_MAX_SLICE_ROWS;
    size_t count = rows < max_rows ? (size_t)rows : max_rows, present = count;
    if (count == 0) return LP_OK;
    if (needs_bytes(c)) {
        TRY(open_page(c, err));
        TRY(flat_pass_pending(c, err));
    }
    if (c->pages.leaf->max_def) {
        const char *fault = levels_read(&c->body.def, block_reserve(&c->def, count), count, &present);
        if (fault) return fail(c, err, fault);
    }
    TRY(append_values(c, out, present, err));
    out->row_count = out->level_count = count;
    c->page_left -= count;
    c->rows_left -= count;
    if (c->page_left > 0) return LP_OK;
    if (!c->is_open) page_skip(&c->pages);
    return c->is_open && c->want_values ? decoder_finish(&c->values, err) : LP_OK;
}

static lp_status flat_skip(pq_cursor *c, uint64_t rows, lp_err *err) {
    while (rows > 0) {
        TRY(flat_page(c, err));
        uint64_t now = c->page_left < rows ? c->page_left : rows;
        c->pending += now;
        c->page_left -= now;
        c->rows_left -= now;
        rows -= now;
        if (c->page_left == 0 && !c->is_open) page_skip(&c->pages);
    }
    return LP_OK;
}

/* ---- a leaf that repeats ---- */

static lp_status check_page_rows(pq_cursor *c, lp_err *err) {
    if (!c->is_open || !c->pages.now.is_v2 || c->page_rows == c->pages.now.row_count) return LP_OK;
    return pq_fail(&c->pages.place, err, LP_ERR_FORMAT, "expected %u rows as in the page header, found %llu",
                   (unsigned)c->pages.now.row_count, (unsigned long long)c->page_rows);
}

static bool page_is_used_up(const pq_cursor *c) {
    return c->stage_at == c->stage_size && c->page_left == 0;
}

/* The current page is used up: check it and go to the header of the next one. */
static lp_status nested_next_page(pq_cursor *c, bool *found, lp_err *err) {
    TRY(check_page_rows(c, err));
    if (c->is_open && c->want_values) TRY(decoder_finish(&c->values, err));
    return next_page(c, found, err);
}

/* Stage the next levels of the current page, which has some. */
static lp_status stage_levels(pq_cursor *c, lp_err *err) {
    size_t count = c->page_left < STAGE ? (size_t)c->page_left : STAGE, rows = 0, unused;
    TRY(open_page(c, err));
    const char *fault = levels_read(&c->body.rep, c->stage_rep, count, &unused);
    if (!fault) fault = levels_read(&c->body.def, c->stage_def, count, &unused);
    if (fault) return fail(c, err, fault);
    for (size_t i = 0; i < count; i++) rows += c->stage_rep[i] == 0;
    for (size_t i = 0; i < count; i++)
        if (c->stage_def[i] < c->least_def[c->stage_rep[i]])
            return fail(c, err, "expected that an entry that goes on with a list is in it");
    if (c->at_page_start && c->pages.now.is_v2 && c->stage_rep[0] != 0)
        return fail(c, err, "expected that a page of version 2 begins with a row");
    c->at_page_start = false;
    c->page_rows += rows;
    c->page_left -= count;
    c->stage_at = 0;
    c->stage_size = count;
    return LP_OK;
}

/* Strings of the slice that lie in a page that is about to go. Those of a dictionary stay where they are. */
static lp_status detach(pq_cursor *c, const pq_slice *s, size_t from, lp_err *err) {
    bool is_text = c->values.type == PQ_BYTE_ARRAY || c->values.type == PQ_FIXED_LEN_BYTE_ARRAY;
    if (!is_text || !c->want_values || encoding_is_dictionary(c->pages.now.encoding)) return LP_OK;
    str *value = c->value.ptr;
    for (size_t i = from; i < s->value_count; i++) {
        char *copy;
        TRY(decoder_text(&c->values, value[i].len, &copy, err));
        if (value[i].len) memcpy(copy, value[i].ptr, value[i].len);
        value[i].ptr = copy;
    }
    return LP_OK;
}

typedef struct gathering { /* a slice under construction, or rows being passed over when `slice` is NULL */
    pq_slice *slice;
    uint64_t rows, max_rows;
    size_t page_values; /* values of the slice before the current page */
} gathering;

/* Staged levels that belong to the rows wanted: up to the start of the row behind them. */
static size_t rows_end(pq_cursor *c, gathering *g) {
    size_t at = c->stage_at;
    for (; at < c->stage_size; at++) {
        if (c->stage_rep[at] != 0) continue;
        if (g->rows == g->max_rows) break;
        g->rows++;
    }
    return at;
}

static size_t count_present(const pq_cursor *c, size_t from, size_t to) {
    uint8_t max = (uint8_t)c->pages.leaf->max_def;
    size_t found = 0;
    for (size_t i = from; i < to; i++) found += c->stage_def[i] == max;
    return found;
}

static lp_status append_levels(pq_cursor *c, pq_slice *s, size_t count, lp_err *err) {
    uint64_t limit = c->pages.file->max_page_bytes / LEVELS_PER_LIMIT;
    if (count > limit || s->level_count > limit - count)
        return pq_fail(&c->pages.place, err, LP_ERR_LIMIT, "a slice of more than %llu entries is larger than the limit",
                       (unsigned long long)limit);
    size_t total = s->level_count + count;
    uint8_t *def = block_grow(&c->def, s->level_count, total), *rep = block_grow(&c->rep, s->level_count, total);
    memcpy(def + s->level_count, c->stage_def + c->stage_at, count);
    memcpy(rep + s->level_count, c->stage_rep + c->stage_at, count);
    s->level_count = total;
    return LP_OK;
}

/* Move staged levels up to `end`, and their values, into the slice or away. */
static lp_status take_stage(pq_cursor *c, gathering *g, size_t end, lp_err *err) {
    size_t present = count_present(c, c->stage_at, end);
    if (g->slice) {
        TRY(append_levels(c, g->slice, end - c->stage_at, err));
        TRY(append_values(c, g->slice, present, err));
    } else if (c->want_values) {
        TRY(decoder_pass(&c->values, present, err));
    }
    c->stage_at = end;
    return LP_OK;
}

/* Go on to the next page. *more is false when the wanted rows are whole: at the end of the chunk, or, when enough rows
 * have begun, where the next page is of version 2, which begins with a row. */
static lp_status turn_page(pq_cursor *c, gathering *g, bool *more, lp_err *err) {
    if (g->slice) TRY(detach(c, g->slice, g->page_values, err));
    TRY(nested_next_page(c, more, err));
    if (g->slice) g->page_values = g->slice->value_count;
    if (*more && g->rows == g->max_rows && c->pages.now.is_v2) *more = false;
    return LP_OK;
}

static lp_status check_row_start(pq_cursor *c, const gathering *g, lp_err *err) {
    if (g->rows > 0 || c->in_tail || c->stage_rep[c->stage_at] == 0) return LP_OK;
    return fail(c, err, "expected that the column chunk begins with a row");
}

/* Take levels until max_rows rows are whole or the chunk ends. */
static lp_status gather(pq_cursor *c, gathering *g, lp_err *err) {
    for (;;) {
        if (page_is_used_up(c)) {
            bool more;
            if (g->rows == g->max_rows && c->pages.values_left == 0) return LP_OK;
            TRY(turn_page(c, g, &more, err));
            if (!more) return LP_OK;
        }
        if (c->stage_at == c->stage_size) TRY(stage_levels(c, err));
        TRY(check_row_start(c, g, err));
        size_t end = rows_end(c, g);
        TRY(take_stage(c, g, end, err));
        if (end < c->stage_size) return LP_OK;
    }
}

/* The end of the last row that was passed over. */
static lp_status pass_tail(pq_cursor *c, lp_err *err) {
    if (!c->in_tail) return LP_OK;
    gathering g = {NULL, 0, 0, 0};
    TRY(gather(c, &g, err));
    c->in_tail = false;
    return LP_OK;
}

/* All rows have come by, so all pages must be used up. */
static lp_status nested_finish(pq_cursor *c, lp_err *err) {
    if (c->is_done) return LP_OK;
    if (!page_is_used_up(c) || c->pages.values_left > 0)
        return fail(c, err, "expected the end of the column chunk behind its last row, found more");
    TRY(check_page_rows(c, err));
    if (c->is_open && c->want_values) TRY(decoder_finish(&c->values, err));
    return finish_chunk(c, err);
}

static lp_status nested_read(pq_cursor *c, size_t max_rows, pq_slice *out, lp_err *err) {
    TRY(pass_tail(c, err));
    gathering g = {out, 0, c->rows_left < PQ_MAX_SLICE_ROWS ? c->rows_left : PQ_MAX_SLICE_ROWS, 0};
    if (g.max_rows > max_rows) g.max_rows = max_rows;
    if (g.max_rows > 0) TRY(gather(c, &g, err));
    out->row_count = (size_t)g.rows;
    c->rows_left -= g.rows;
    return c->rows_left == 0 || g.rows < g.max_rows ? nested_finish(c, err) : LP_OK;
}

/* Pass over rows that begin in the current page. */
static lp_status pass_in_page(pq_cursor *c, gathering *g, lp_err *err) {
    while (!page_is_used_up(c)) {
        if (c->stage_at == c->stage_size) TRY(stage_levels(c, err));
        TRY(check_row_start(c, g, err));
        size_t end = rows_end(c, g);
        TRY(take_stage(c, g, end, err));
        if (end < c->stage_size) break;
    }
    return LP_OK;
}

/* A page of version 2 holds whole rows and says how many. */
static bool can_skip_page(const pq_cursor *c, uint64_t rows) {
    return c->pages.now.is_v2 && c->pages.now.row_count <= rows;
}

static lp_status nested_skip(pq_cursor *c, uint64_t rows, lp_err *err) {
    while (rows > 0 || !page_is_used_up(c)) {
        gathering g = {NULL, 0, rows, 0};
        if (page_is_used_up(c)) {
            bool found;
            TRY(nested_next_page(c, &found, err));
            if (!found) return finish_chunk(c, err);
            if (c->pages.now.is_v2) c->in_tail = false;
        }
        if (!c->is_open && can_skip_page(c, rows)) {
            g.rows = c->pages.now.row_count;
            c->page_left = 0;
            page_skip(&c->pages);
        } else {
            TRY(pass_in_page(c, &g, err));
        }
        rows -= g.rows;
        c->rows_left -= g.rows;
        c->in_tail = page_is_used_up(c);
        if (!c->in_tail) return LP_OK;
    }
    return LP_OK;
}

/* ---- public ---- */

lp_status pq_cursor_rows_in_page(pq_cursor *c, uint64_t *rows, lp_err *err) {
    *rows = 0;
    if (!repeats(c)) TRY(flat_page(c, err));
    uint64_t left = repeats(c) ? c->rows_left : c->page_left;
    *rows = left < PQ_MAX_SLICE_ROWS ? left : PQ_MAX_SLICE_ROWS;
    return LP_OK;
}

lp_status pq_cursor_read(pq_cursor *c, size_t max_rows, pq_slice *out, lp_err *err) {
    slice_begin(c, out);
    TRY(repeats(c) ? nested_read(c, max_rows, out, err) : flat_read(c, max_rows, out, err));
    slice_end(c, out);
    return LP_OK;
}

lp_status pq_cursor_skip(pq_cursor *c, uint64_t rows, lp_err *err) {
    if (rows > c->rows_left)
        return pq_fail(&c->pages.place, err, LP_ERR_USAGE, "expected at most %llu rows to pass over, found %llu",
                       (unsigned long long)c->rows_left, (unsigned long long)rows);
    decoder_reset_text(&c->values);
    return repeats(c) ? nested_skip(c, rows, err) : flat_skip(c, rows, err);
}
