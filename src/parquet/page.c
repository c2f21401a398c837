/* page.c - the pages of one column chunk.
 * Called by: cursor.c.  Must not know: how values are encoded, rows.
 */
#include "parquet/page.h"

#include <libdeflate.h>

#include "parquet/thrift.h"

enum { PAGE_DATA, PAGE_INDEX, PAGE_DICTIONARY, PAGE_DATA_V2 };

/* Writers of old left the dictionary page's header out of the chunk's size, so a chunk may reach a little further. */
enum { SLACK_BYTES = 100 };

/* Bytes of a header that are asked for first; the window reads much more at once. */
enum { FIRST_HEADER_BYTES = 256 };

/* ---- headers ---- */

typedef struct header_text { /* PageHeader and the structs in it, as written */
    int32_t type, raw_bytes, stored_bytes, crc;
    bool has_crc, has_data, has_v2, has_dictionary, is_compressed;
    int32_t value_count, row_count, encoding, def_encoding, rep_encoding, def_bytes, rep_bytes;
} header_text;

static void read_v1(thrift *t, thrift_type type, header_text *h) {
    thrift_expect(t, type, THRIFT_STRUCT);
    h->has_data = true;
    for (thrift_field f = thrift_struct(t); thrift_next(t, &f);) {
        switch (f.id) {
        case 1: h->value_count = thrift_i32(t, f.type); break;
        case 2: h->encoding = thrift_i32(t, f.type); break;
        case 3: h->def_encoding = thrift_i32(t, f.type); break;
        case 4: h->rep_encoding = thrift_i32(t, f.type); break;
        default: thrift_skip(t, f.type);
        }
    }
}

static void read_dictionary(thrift *t, thrift_type type, header_text *h) {
    thrift_expect(t, type, THRIFT_STRUCT);
    h->has_dictionary = true;
    for (thrift_field f = thrift_struct(t); thrift_next(t, &f);) {
        switch (f.id) {
        case 1: h->value_count = thrift_i32(t, f.type); break;
        case 2: h->encoding = thrift_i32(t, f.type); break;
        default: thrift_skip(t, f.type);
        }
    }
}

/* num_nulls is not looked at: nothing depends on it, and writers without statistics put other numbers there. */
static void read_v2(thrift *t, thrift_type type, header_text *h) {
    thrift_expect(t, type, THRIFT_STRUCT);
    h->has_v2 = true;
    for (thrift_field f = thrift_struct(t); thrift_next(t, &f);) {
        switch (f.id) {
        case 1: h->value_count = thrift_i32(t, f.type); break;
        case 3: h->row_count = thrift_i32(t, f.type); break;
        case 4: h->encoding = thrift_i32(t, f.type); break;
        case 5: h->def_bytes = thrift_i32(t, f.type); break;
        case 6: h->rep_bytes = thrift_i32(t, f.type); break;
        case 7: h->is_compressed = thrift_bool(t, f.type); break;
        default: thrift_skip(t, f.type);
        }
    }
}

static void read_header(thrift *t, header_text *h) {
    *h = (header_text){.type = -1,
                       .raw_bytes = -1,
                       .stored_bytes = -1,
                       .value_count = -1,
                       .row_count = -1,
                       .encoding = -1,
                       .def_bytes = -1,
                       .rep_bytes = -1,
                       .is_compressed = true};
    for (thrift_field f = thrift_struct(t); thrift_next(t, &f);) {
        switch (f.id) {
        case 1: h->type = thrift_i32(t, f.type); break;
        case 2: h->raw_bytes = thrift_i32(t, f.type); break;
        case 3: h->stored_bytes = thrift_i32(t, f.type); break;
        case 4: h->crc = thrift_i32(t, f.type), h->has_crc = true; break;
        case 5: read_v1(t, f.type, h); break;
        case 7: read_dictionary(t, f.type, h); break;
        case 8: read_v2(t, f.type, h); break;
        default: thrift_skip(t, f.type);
        }
    }
}

/* A header has no length in front, and statistics may make it long: try with more bytes until it fits. */
static lp_status load_header(page_reader *r, header_text *h, lp_err *err) {
    uint64_t left = r->end - r->at;
    size_t want = left < FIRST_HEADER_BYTES ? (size_t)left : FIRST_HEADER_BYTES;
    for (;;) {
        const uint8_t *bytes;
        TRY(window_get(&r->in, r->at, want, &bytes, err));
        size_t have = window_ready(&r->in, r->at);
        thrift t;
        thrift_init(&t, bytes, have < left ? have : (size_t)left);
        read_header(&t, h);
        if (t.fault == THRIFT_OK) {
            r->now.body = r->at + (uint64_t)(t.at - t.start);
            return LP_OK;
        }
        if (t.fault == THRIFT_BAD || have >= left)
            return pq_fail(&r->place, err, LP_ERR_FORMAT, "page header: expected %s at its byte %zu", t.expected,
                           (size_t)(t.at - t.start));
        if (have > r->file->max_page_bytes)
            return pq_fail(&r->place, err, LP_ERR_LIMIT, "page header is longer than the limit of %llu bytes",
                           (unsigned long long)r->file->max_page_bytes);
        want = left / 2 < have ? (size_t)left : have * 2;
    }
}

static lp_status check_sizes(page_reader *r, const header_text *h, lp_err *err) {
    uint64_t left = r->end - r->now.body, cap = r->file->max_page_bytes;
    if (h->stored_bytes < 0 || (uint64_t)h->stored_bytes > left)
        return pq_fail(&r->place, err, LP_ERR_FORMAT, "expected at most %llu bytes of the chunk, found a page of %d",
                       (unsigned long long)left, (int)h->stored_bytes);
    if (h->raw_bytes < 0)
        return pq_fail(&r->place, err, LP_ERR_FORMAT, "expected a decompressed size, found %d", (int)h->raw_bytes);
    uint64_t larger = (uint64_t)(h->raw_bytes > h->stored_bytes ? h->raw_bytes : h->stored_bytes);
    if (larger > cap)
        return pq_fail(&r->place, err, LP_ERR_LIMIT, "a page of %llu bytes is larger than the limit of %llu",
                       (unsigned long long)larger, (unsigned long long)cap);
    return LP_OK;
}

static page_header common_header(const page_reader *r, const header_text *h) {
    return (page_header){.is_compressed = r->chunk->codec != CODEC_UNCOMPRESSED,
                         .has_crc = h->has_crc,
                         .crc = (uint32_t)h->crc,
                         .stored_bytes = (uint32_t)h->stored_bytes,
                         .raw_bytes = (uint32_t)h->raw_bytes,
                         .value_count = (uint32_t)h->value_count,
                         .encoding = h->encoding,
                         .def_encoding = h->def_encoding,
                         .rep_encoding = h->rep_encoding,
                         .offset = r->at,
                         .body = r->now.body};
}

static lp_status check_stored_size(page_reader *r, const page_header *h, lp_err *err) {
    if (h->is_compressed || h->stored_bytes == h->raw_bytes) return LP_OK;
    return pq_fail(&r->place, err, LP_ERR_FORMAT, "expected %u bytes of an uncompressed page, found %u",
                   (unsigned)h->raw_bytes, (unsigned)h->stored_bytes);
}

static lp_status take_dictionary(page_reader *r, const header_text *h, lp_err *err) {
    if (!h->has_dictionary || h->value_count < 0)
        return pq_fail(&r->place, err, LP_ERR_FORMAT,
                       "expected the header of a dictionary page with its count, found none");
    if (r->has_dictionary || r->seen_data)
        return pq_fail(&r->place, err, LP_ERR_FORMAT,
                       "expected one dictionary page in front of the data pages, found it %s",
                       r->has_dictionary ? "twice" : "behind one");
    if (h->encoding != PQ_PLAIN && h->encoding != PQ_PLAIN_DICTIONARY)
        return pq_fail(&r->place, err, LP_ERR_FORMAT, "expected a plain dictionary, found encoding %d",
                       (int)h->encoding);
    r->has_dictionary = true;
    r->dictionary = common_header(r, h);
    return check_stored_size(r, &r->dictionary, err);
}

static lp_status take_v2(page_reader *r, const header_text *h, lp_err *err) {
    page_header *now = &r->now;
    if (h->row_count < 0 || h->def_bytes < 0 || h->rep_bytes < 0)
        return pq_fail(&r->place, err, LP_ERR_FORMAT, "expected rows and sizes of levels, found %d, %d and %d",
                       (int)h->row_count, (int)h->def_bytes, (int)h->rep_bytes);
    now->is_v2 = true;
    now->is_compressed = now->is_compressed && h->is_compressed;
    now->row_count = (uint32_t)h->row_count;
    now->def_bytes = (uint32_t)h->def_bytes;
    now->rep_bytes = (uint32_t)h->rep_bytes;
    uint64_t level_bytes = (uint64_t)now->def_bytes + now->rep_bytes;
    uint64_t room = now->raw_bytes < now->stored_bytes ? now->raw_bytes : now->stored_bytes;
    if (level_bytes > room)
        return pq_fail(&r->place, err, LP_ERR_FORMAT, "expected at most %llu bytes of levels, found %llu",
                       (unsigned long long)room, (unsigned long long)level_bytes);
    bool is_flat = r->leaf->max_rep == 0; /* then each entry is a row; else a page holds whole rows, so at least one */
    bool fits = now->row_count <= now->value_count && (now->row_count > 0 || now->value_count == 0);
    if (is_flat) fits = now->row_count == now->value_count;
    if (!fits)
        return pq_fail(&r->place, err, LP_ERR_FORMAT, "expected %s%u rows, found %u", is_flat ? "" : "1 to ",
                       (unsigned)now->value_count, (unsigned)now->row_count);
    return LP_OK;
}

static lp_status take_data(page_reader *r, const header_text *h, lp_err *err) {
    bool is_v2 = h->type == PAGE_DATA_V2;
    if (!(is_v2 ? h->has_v2 : h->has_data) || h->value_count < 0)
        return pq_fail(&r->place, err, LP_ERR_FORMAT, "expected the header of a data page with its count, found none");
    if ((uint64_t)h->value_count > r->values_left)
        return pq_fail(&r->place, err, LP_ERR_FORMAT, "expected at most %llu values in the rest of the chunk, found %d",
                       (unsigned long long)r->values_left, (int)h->value_count);
    r->now = common_header(r, h);
    r->seen_data = true;
    if (is_v2) TRY(take_v2(r, h, err));
    TRY(check_stored_size(r, &r->now, err));
    r->values_left -= (uint64_t)h->value_count;
    return LP_OK;
}

static void count_one(_Atomic uint64_t *counter) {
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

lp_status page_next(page_reader *r, bool *found, lp_err *err) {
    *found = false;
    while (r->values_left > 0) {
        r->place.page_offset = r->at;
        if (r->at >= r->end)
            return pq_fail(&r->place, err, LP_ERR_FORMAT, "expected %llu more values, found the end of the chunk",
                           (unsigned long long)r->values_left);
        header_text h = {0};
        TRY(load_header(r, &h, err));
        TRY(check_sizes(r, &h, err));
        uint64_t next = r->now.body + (uint64_t)h.stored_bytes;
        if (h.type == PAGE_DICTIONARY) {
            TRY(take_dictionary(r, &h, err));
        } else if (h.type == PAGE_DATA || h.type == PAGE_DATA_V2) {
            TRY(take_data(r, &h, err));
            *found = h.value_count > 0;
        }
        r->at = next;
        if (*found) return LP_OK;
        if (h.type != PAGE_DICTIONARY) count_one(&r->file->pages_skipped);
    }
    return LP_OK;
}

void page_skip(page_reader *r) {
    count_one(&r->file->pages_skipped);
}

/* ---- bytes ---- */

static lp_status check_crc(page_reader *r, const page_header *h, const uint8_t *stored, lp_err *err) {
    if (!h->has_crc) return LP_OK;
    uint32_t crc = libdeflate_crc32(0, stored, h->stored_bytes);
    if (crc == h->crc) return LP_OK;
    return pq_fail(&r->place, err, LP_ERR_FORMAT, "expected checksum %08x, found %08x", (unsigned)h->crc,
                   (unsigned)crc);
}

/* The first `plain` bytes are stored as they are (the levels of v2 pages), the rest is compressed. No bytes are not
 * compressed at all: writers put nothing there, or the codec's idea of nothing. */
static lp_status decompress(page_reader *r, const page_header *h, size_t plain, const uint8_t *stored, block *into,
                            const uint8_t **out, lp_err *err) {
    uint8_t *raw = block_reserve(into, h->raw_bytes);
    *out = raw;
    if (plain) memcpy(raw, stored, plain);
    if (h->raw_bytes == plain) return LP_OK;
    const char *fault = codec_decompress(&r->codec, r->chunk->codec, stored + plain, h->stored_bytes - plain,
                                         raw + plain, h->raw_bytes - plain);
    if (!fault) return LP_OK;
    return pq_fail(&r->place, err, LP_ERR_FORMAT, "%s: %s (%u bytes to %u)", codec_name(r->chunk->codec), fault,
                   (unsigned)h->stored_bytes, (unsigned)h->raw_bytes);
}

/* An uncompressed page is used where it was read. */
static const uint8_t *as_stored(const page_header *h, const uint8_t *stored, block *into) {
#ifdef LAKEPROOF_DEBUG_ARENA /* a copy of exact size shows the sanitizers every overrun */
    return memcpy(block_reserve(into, h->stored_bytes), stored, h->stored_bytes);
#else
    (void)h, (void)into;
    return stored;
#endif
}

static lp_status load_stored(page_reader *r, const page_header *h, const uint8_t **stored, lp_err *err) {
    TRY(window_get(&r->in, h->body, h->stored_bytes, stored, err));
    TRY(check_crc(r, h, *stored, err));
    count_one(&r->file->pages_decoded);
    return LP_OK;
}

/* v1: each kind of level has its size in 4 bytes in front; the deprecated encoding has as many bytes as it needs. */
static lp_status take_v1_levels(page_reader *r, unsigned max, int32_t encoding, const uint8_t **at, size_t *left,
                                levels *out, lp_err *err) {
    if (max == 0) return LP_OK;
    uint64_t size = ((uint64_t)r->now.value_count * level_bit_width(max) + 7) / 8;
    if (encoding != PQ_RLE && encoding != PQ_BIT_PACKED)
        return pq_fail(&r->place, err, LP_ERR_FORMAT, "expected levels as runs, found encoding %d", (int)encoding);
    if (encoding == PQ_RLE) {
        if (*left < 4)
            return pq_fail(&r->place, err, LP_ERR_FORMAT, "expected the size of the levels, found %zu bytes", *left);
        size = load_le32(*at);
        *at += 4, *left -= 4;
    }
    if (size > *left)
        return pq_fail(&r->place, err, LP_ERR_FORMAT, "expected at most %zu bytes of levels, found %llu", *left,
                       (unsigned long long)size);
    levels_init(out, *at, (size_t)size, max, encoding == PQ_BIT_PACKED);
    *at += size, *left -= (size_t)size;
    return LP_OK;
}

static lp_status open_v1(page_reader *r, page_body *out, lp_err *err) {
    const page_header *h = &r->now;
    const uint8_t *stored, *at;
    TRY(load_stored(r, h, &stored, err));
    if (h->is_compressed)
        TRY(decompress(r, h, 0, stored, &r->raw, &at, err));
    else
        at = as_stored(h, stored, &r->raw);
    size_t left = h->raw_bytes;
    TRY(take_v1_levels(r, r->leaf->max_rep, h->rep_encoding, &at, &left, &out->rep, err));
    TRY(take_v1_levels(r, r->leaf->max_def, h->def_encoding, &at, &left, &out->def, err));
    out->values = at;
    out->values_size = left;
    return LP_OK;
}

/* v2: repetition levels, definition levels, values; only the values are compressed, so levels alone need no codec. */
static lp_status open_v2(page_reader *r, bool want_values, page_body *out, lp_err *err) {
    page_header h = r->now;
    const uint8_t *stored, *at;
    size_t level_bytes = (size_t)h.rep_bytes + h.def_bytes;
    TRY(load_stored(r, &h, &stored, err));
    if (!want_values) {
        h.stored_bytes = h.raw_bytes = (uint32_t)level_bytes;
        h.is_compressed = false;
    }
    if (h.is_compressed)
        TRY(decompress(r, &h, level_bytes, stored, &r->raw, &at, err));
    else
        at = as_stored(&h, stored, &r->raw);
    if (r->leaf->max_rep) levels_init(&out->rep, at, h.rep_bytes, r->leaf->max_rep, false);
    if (r->leaf->max_def) levels_init(&out->def, at + h.rep_bytes, h.def_bytes, r->leaf->max_def, false);
    out->values = at + level_bytes;
    out->values_size = h.raw_bytes - level_bytes;
    return LP_OK;
}

lp_status page_open(page_reader *r, bool want_values, page_body *out, lp_err *err) {
    *out = (page_body){0};
    r->place.page_offset = r->now.offset;
    return r->now.is_v2 ? open_v2(r, want_values, out, err) : open_v1(r, out, err);
}

/* The dictionary outlives the window, so its bytes always have a place of their own. */
lp_status page_open_dictionary(page_reader *r, const uint8_t **bytes, size_t *size, lp_err *err) {
    const page_header *h = &r->dictionary;
    const uint8_t *stored;
    r->place.page_offset = h->offset;
    TRY(load_stored(r, h, &stored, err));
    *size = h->raw_bytes;
    if (h->is_compressed) return decompress(r, h, 0, stored, &r->dictionary_raw, bytes, err);
    *bytes = memcpy(block_reserve(&r->dictionary_raw, h->raw_bytes), stored, h->raw_bytes);
    return LP_OK;
}

/* ---- the reader ---- */

lp_status page_reader_init(page_reader *r, pq_file *file, const pq_chunk *chunk, const pq_node *leaf, lp_err *err) {
    r->file = file;
    r->leaf = leaf;
    r->chunk = chunk;
    r->place = (pq_place){file, leaf, PQ_NO_PAGE};
    r->has_dictionary = r->seen_data = false;
    r->values_left = chunk->value_count;
    r->at = chunk->start;
    uint64_t room = file->data_end - chunk->start;
    r->end =
        chunk->start +
        (chunk->size_bytes < room && room - chunk->size_bytes > SLACK_BYTES ? chunk->size_bytes + SLACK_BYTES : room);
    window_init(&r->in, &file->source, r->end);
    if (codec_is_known(chunk->codec)) return LP_OK;
    return pq_fail(&r->place, err, LP_ERR_UNSUPPORTED, "the codec %s (number %d) cannot be read",
                   codec_name(chunk->codec), (int)chunk->codec);
}

void page_reader_end(page_reader *r) {
    codec_end(&r->codec);
    block_end(&r->in.memory);
    block_end(&r->raw);
    block_end(&r->dictionary_raw);
}

size_t page_reader_peak_bytes(const page_reader *r) {
    return r->in.memory.peak_bytes + r->raw.peak_bytes + r->dictionary_raw.peak_bytes;
}
