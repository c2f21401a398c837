/* decode_dictionary.c - values as indices into the chunk's dictionary.
 * Called by: decode.c, cursor.c.  Must not know: pages.
 * Source: parquet-format Encodings.md, "Dictionary Encoding".
 */
#include "parquet/decode.h"

enum { PIECE = 512 };

/* Least bytes that a value takes in a plain page, so that a count can be held against a size. */
static uint64_t least_bytes(const decoder *like) {
    return like->type == PQ_BYTE_ARRAY ? 4 : like->width;
}

lp_status dictionary_load(dictionary *dict, const decoder *like, const uint8_t *bytes, size_t size, uint32_t count,
                          lp_err *err) {
    if (like->type == PQ_BOOLEAN)
        return pq_fail(like->place, err, LP_ERR_FORMAT, "expected no dictionary of booleans, found one");
    if ((uint64_t)count * least_bytes(like) > size)
        return pq_fail(like->place, err, LP_ERR_FORMAT, "expected %u dictionary entries, found only %zu bytes",
                       (unsigned)count, size);
    if ((uint64_t)count * like->element_bytes > like->max_text_bytes)
        return pq_fail(like->place, err, LP_ERR_LIMIT,
                       "a dictionary of %u entries is larger than the limit of %llu bytes", (unsigned)count,
                       (unsigned long long)like->max_text_bytes);
    decoder plain = *like;
    plain.encoding = PQ_PLAIN;
    plain.at = bytes;
    plain.end = bytes + size;
    void *entry = block_reserve(&dict->entry, (size_t)count * like->element_bytes);
    TRY(plain_read(&plain, entry, count, err));
    dict->count = count;
    dict->is_loaded = true;
    return LP_OK;
}

/* One byte tells the bit width of the indices, and the runs follow. A page without values may have no bytes at all. */
lp_status dictionary_start(decoder *d, lp_err *err) {
    if (!d->dictionary->is_loaded)
        return pq_fail(d->place, err, LP_ERR_FORMAT, "expected a dictionary page for dictionary indices, found none");
    unsigned width = d->at < d->end ? *d->at++ : 0;
    if (width > 32)
        return pq_fail(d->place, err, LP_ERR_FORMAT, "expected indices of at most 32 bits, found %u", width);
    hybrid_init(&d->runs, d->at, (size_t)(d->end - d->at), width);
    return LP_OK;
}

static lp_status fail_index(const decoder *d, uint32_t index, lp_err *err) {
    return pq_fail(d->place, err, LP_ERR_FORMAT, "expected an index below the %u dictionary entries, found %u",
                   (unsigned)d->dictionary->count, (unsigned)index);
}

/* Copies of constant size are one load and one store, and keep no type of their own. */
#define COPY_EACH(size, from)                                                                                          \
    for (size_t i = 0; i < count; i++) memcpy(out + i * (size), entry + (from) * (size), (size))

/* `count` copies of one entry. */
static void fill(uint8_t *restrict out, const uint8_t *restrict entry, size_t bytes, size_t count) {
    switch (bytes) {
    case 4: COPY_EACH(4, 0); break;
    case 8: COPY_EACH(8, 0); break;
    case 16: COPY_EACH(16, 0); break;
    default: COPY_EACH(bytes, 0);
    }
}

/* The entries of `index`. */
static void gather(uint8_t *restrict out, const uint8_t *entry, size_t bytes, const uint32_t *index, size_t count) {
    switch (bytes) {
    case 4: COPY_EACH(4, (size_t)index[i]); break;
    case 8: COPY_EACH(8, (size_t)index[i]); break;
    case 16: COPY_EACH(16, (size_t)index[i]); break;
    default: COPY_EACH(bytes, (size_t)index[i]);
    }
}

static uint32_t largest(const uint32_t *index, size_t count) {
    uint32_t max = 0;
    for (size_t i = 0; i < count; i++) max = index[i] > max ? index[i] : max;
    return max;
}

static lp_status read_packed(decoder *d, uint8_t *out, size_t count, lp_err *err) {
    uint32_t index[PIECE];
    hybrid_unpack32(&d->runs, index, count);
    uint32_t max = largest(index, count);
    if (max >= d->dictionary->count) return fail_index(d, max, err);
    gather(out, d->dictionary->entry.ptr, d->element_bytes, index, count);
    return LP_OK;
}

lp_status dictionary_read(decoder *d, void *out, size_t count, lp_err *err) {
    uint8_t *to = out;
    while (count > 0) {
        if (!hybrid_next_run(&d->runs)) return decoder_short(d, err);
        size_t now = d->runs.left < count ? (size_t)d->runs.left : count;
        if (d->runs.is_packed) {
            if (now > PIECE) now = PIECE;
            TRY(read_packed(d, to, now, err));
        } else {
            if (d->runs.value >= d->dictionary->count) return fail_index(d, d->runs.value, err);
            const uint8_t *entry = d->dictionary->entry.ptr;
            fill(to, entry + d->runs.value * d->element_bytes, d->element_bytes, now);
            hybrid_pass(&d->runs, now);
        }
        to += now * d->element_bytes;
        count -= now;
    }
    return LP_OK;
}
