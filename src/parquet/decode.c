/* decode.c - which decoder a page's encoding and type need.
 * Called by: cursor.c.  Must not know: how any of them works.
 */
#include "parquet/decode.h"

enum { PASS_VALUES = 256, MAX_ELEMENT_BYTES = 16, MAX_PADDING_BYTES = 8 };

size_t decoder_element_bytes(pq_type type) {
    switch (type) {
    case PQ_BOOLEAN: return 1;
    case PQ_INT32:
    case PQ_FLOAT: return 4;
    case PQ_INT64:
    case PQ_DOUBLE: return 8;
    case PQ_INT96: return 12;
    case PQ_BYTE_ARRAY:
    case PQ_FIXED_LEN_BYTE_ARRAY: return sizeof(str);
    }
    UNREACHABLE();
}

lp_status decoder_short(const decoder *d, lp_err *err) {
    return pq_fail(d->place, err, LP_ERR_FORMAT,
                   "expected as many values as its levels say, found that the page ends early");
}

static bool encoding_fits(int32_t encoding, pq_type type) {
    bool is_number = type == PQ_INT32 || type == PQ_INT64, is_float = type == PQ_FLOAT || type == PQ_DOUBLE;
    bool is_fixed = type == PQ_FIXED_LEN_BYTE_ARRAY, is_bytes = type == PQ_BYTE_ARRAY;
    switch (encoding) {
    case PQ_PLAIN: return true;
    case PQ_PLAIN_DICTIONARY:
    case PQ_RLE_DICTIONARY: return type != PQ_BOOLEAN;
    case PQ_RLE: return type == PQ_BOOLEAN;
    case PQ_DELTA_BINARY_PACKED: return is_number;
    case PQ_DELTA_LENGTH_BYTE_ARRAY: return is_bytes;
    case PQ_DELTA_BYTE_ARRAY: return is_bytes || is_fixed;
    case PQ_BYTE_STREAM_SPLIT: return is_number || is_float || is_fixed;
    default: return false;
    }
}

lp_status decoder_start(decoder *d, int32_t encoding, const uint8_t *bytes, size_t size, lp_err *err) {
    if (encoding < PQ_PLAIN || encoding > PQ_BYTE_STREAM_SPLIT)
        return pq_fail(d->place, err, LP_ERR_UNSUPPORTED, "values in encoding %d cannot be read", (int)encoding);
    if (!encoding_fits(encoding, d->type))
        return pq_fail(d->place, err, LP_ERR_FORMAT, "expected an encoding of physical type %d, found %d", (int)d->type,
                       (int)encoding);
    d->encoding = encoding;
    d->at = bytes;
    d->end = bytes + size;
    d->bit = 0;
    d->page_text_bytes = 0;
    switch (encoding) {
    case PQ_RLE: return rle_boolean_start(d, err);
    case PQ_PLAIN_DICTIONARY:
    case PQ_RLE_DICTIONARY: return dictionary_start(d, err);
    case PQ_DELTA_BINARY_PACKED: return delta_number_start(d, err);
    case PQ_DELTA_LENGTH_BYTE_ARRAY: return delta_length_start(d, err);
    case PQ_DELTA_BYTE_ARRAY: return delta_string_start(d, err);
    case PQ_BYTE_STREAM_SPLIT: return split_start(d, err);
    default: return LP_OK;
    }
}

lp_status decoder_read(decoder *d, void *out, size_t count, lp_err *err) {
    if (count == 0) return LP_OK;
    switch (d->encoding) {
    case PQ_RLE: return rle_boolean_read(d, out, count, err);
    case PQ_PLAIN_DICTIONARY:
    case PQ_RLE_DICTIONARY: return dictionary_read(d, out, count, err);
    case PQ_DELTA_BINARY_PACKED: return delta_number_read(d, out, count, err);
    case PQ_DELTA_LENGTH_BYTE_ARRAY: return delta_length_read(d, out, count, err);
    case PQ_DELTA_BYTE_ARRAY: return delta_string_read(d, out, count, err);
    case PQ_BYTE_STREAM_SPLIT: return split_read(d, out, count, err);
    default: return plain_read(d, out, count, err);
    }
}

/* Values of fixed width are passed over in one step; the others are read and forgotten. */
lp_status decoder_pass(decoder *d, uint64_t count, lp_err *err) {
    if (d->encoding == PQ_PLAIN) return plain_pass(d, count, err);
    _Alignas(16) uint8_t forgotten[PASS_VALUES * MAX_ELEMENT_BYTES];
    while (count > 0) {
        size_t now = count < PASS_VALUES ? (size_t)count : PASS_VALUES;
        TRY(decoder_read(d, forgotten, now, err));
        decoder_reset_text(d);
        count -= now;
    }
    return LP_OK;
}

/* fastparquet puts up to 8 zero bytes behind plain values. */
static bool is_padding(const uint8_t *at, size_t size) {
    uint8_t any = 0;
    for (size_t i = 0; i < size && size <= MAX_PADDING_BYTES; i++) any |= at[i];
    return size <= MAX_PADDING_BYTES && any == 0;
}

static bool is_used_up(const decoder *d) {
    size_t left = (size_t)(d->end - d->at);
    switch (d->encoding) {
    case PQ_PLAIN: return is_padding(d->at + (d->bit > 0), left - (d->bit > 0));
    case PQ_DELTA_BINARY_PACKED: return d->numbers.left == 0;
    case PQ_DELTA_LENGTH_BYTE_ARRAY:
    case PQ_DELTA_BYTE_ARRAY: return left == 0 && d->numbers.left == 0;
    case PQ_BYTE_STREAM_SPLIT: return d->index == d->stride;
    default: return true; /* runs may be longer than their values */
    }
}

lp_status decoder_finish(decoder *d, lp_err *err) {
    if (is_used_up(d)) return LP_OK;
    return pq_fail(d->place, err, LP_ERR_FORMAT, "expected as many values as its levels say, found more");
}

/* The value before may lie in `text`, so it moves to a place of its own. If it lies there already, it is at its start.
 */
void decoder_reset_text(decoder *d) {
    if (d->encoding == PQ_DELTA_BYTE_ARRAY && d->before.len > 0 && d->before.ptr != d->last.ptr) {
        char *copy = block_reserve(&d->last, d->before.len);
        memcpy(copy, d->before.ptr, d->before.len);
        d->before.ptr = copy;
    }
    arena_reset(d->text);
    d->text_bytes = 0;
}

lp_status decoder_text(decoder *d, size_t size, char **out, lp_err *err) {
    if (size > d->max_text_bytes - d->page_text_bytes || size > d->max_text_bytes - d->text_bytes)
        return pq_fail(d->place, err, LP_ERR_LIMIT, "its strings are larger than the limit of %llu bytes",
                       (unsigned long long)d->max_text_bytes);
    d->page_text_bytes += size;
    d->text_bytes += size;
    *out = arena_alloc_raw(d->text, size);
    return LP_OK;
}
