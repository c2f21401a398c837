/* decode_split.c - BYTE_STREAM_SPLIT: first the first bytes of all values, then the second bytes, and so on.
 * Called by: decode.c.  Must not know: pages.
 * Source: parquet-format Encodings.md, "Byte Stream Split".
 */
#include "parquet/decode.h"

lp_status split_start(decoder *d, lp_err *err) {
    size_t size = (size_t)(d->end - d->at);
    if (size % d->width != 0)
        return pq_fail(d->place, err, LP_ERR_FORMAT,
                       "expected streams of equal length for %u bytes a value, found %zu bytes", (unsigned)d->width,
                       size);
    d->stride = size / d->width;
    d->index = 0;
    return LP_OK;
}

static void join_streams(const decoder *d, uint8_t *out, size_t count) {
    for (size_t k = 0; k < d->width; k++) {
        const uint8_t *stream = d->at + k * d->stride + d->index;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        uint8_t *to = d->type == PQ_FIXED_LEN_BYTE_ARRAY ? out + k : out + (d->width - 1 - k);
#else
        uint8_t *to = out + k;
#endif
        for (size_t i = 0; i < count; i++) to[i * d->width] = stream[i];
    }
}

static lp_status split_strings(decoder *d, str *out, size_t count, lp_err *err) {
    char *text;
    TRY(decoder_text(d, count * d->width, &text, err));
    join_streams(d, (uint8_t *)text, count);
    for (size_t i = 0; i < count; i++) out[i] = (str){text + i * d->width, d->width};
    return LP_OK;
}

lp_status split_read(decoder *d, void *out, size_t count, lp_err *err) {
    if (count > d->stride - d->index) return decoder_short(d, err);
    if (d->type == PQ_FIXED_LEN_BYTE_ARRAY)
        TRY(split_strings(d, out, count, err));
    else
        join_streams(d, out, count);
    d->index += count;
    return LP_OK;
}
