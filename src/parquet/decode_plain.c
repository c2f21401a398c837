/* decode_plain.c - PLAIN values of all eight types, and booleans as runs.
 * Called by: decode.c.  Must not know: where the page came from.
 * Source: parquet-format Encodings.md, "Plain" and "RLE".
 */
#include "parquet/decode.h"

/* Little-endian numbers of `width` bytes in a row. */
static void copy_numbers(void *out, const uint8_t *from, size_t count, size_t width) {
    memcpy(out, from, count * width);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint8_t *byte = out;
    for (size_t i = 0; i < count; i++, byte += width)
        for (size_t k = 0; k < width / 2; k++) {
            uint8_t swapped = byte[k];
            byte[k] = byte[width - 1 - k];
            byte[width - 1 - k] = swapped;
        }
#endif
}

static lp_status take(decoder *d, uint64_t size, const uint8_t **from, lp_err *err) {
    *from = d->at;
    if (size > (uint64_t)(d->end - d->at)) return decoder_short(d, err);
    d->at += size;
    return LP_OK;
}

static lp_status read_fixed(decoder *d, void *out, size_t count, lp_err *err) {
    const uint8_t *from;
    TRY(take(d, (uint64_t)count * d->width, &from, err));
    if (d->type == PQ_INT96)
        memcpy(out, from, count * d->width);
    else
        copy_numbers(out, from, count, d->width);
    return LP_OK;
}

static lp_status read_fixed_strings(decoder *d, str *out, size_t count, lp_err *err) {
    const uint8_t *from;
    TRY(take(d, (uint64_t)count * d->width, &from, err));
    for (size_t i = 0; i < count; i++, from += d->width) out[i] = (str){(const char *)from, d->width};
    return LP_OK;
}

/* The hot loop of the room: a length of 4 bytes, the bytes, the next. */
static lp_status read_strings(decoder *d, str *out, size_t count, lp_err *err) {
    const uint8_t *at = d->at, *end = d->end;
    for (size_t i = 0; i < count; i++) {
        if (end - at < 4) return decoder_short(d, err);
        size_t size = load_le32(at);
        at += 4;
        if (size > (size_t)(end - at)) return decoder_short(d, err);
        out[i] = (str){(const char *)at, size};
        at += size;
    }
    d->at = at;
    return LP_OK;
}

/* One bit each, from the least significant one. `bit` is the next bit of *at. */
static lp_status read_bits(decoder *d, uint8_t *out, size_t count, lp_err *err) {
    uint64_t bits = (uint64_t)(d->end - d->at) * 8 - d->bit;
    if (count > bits) return decoder_short(d, err);
    for (size_t i = 0; i < count; i++) {
        out[i] = *d->at >> d->bit & 1;
        d->bit = (d->bit + 1) & 7;
        d->at += d->bit == 0;
    }
    return LP_OK;
}

lp_status plain_read(decoder *d, void *out, size_t count, lp_err *err) {
    switch (d->type) {
    case PQ_BOOLEAN: return read_bits(d, out, count, err);
    case PQ_INT32:
    case PQ_INT64:
    case PQ_INT96:
    case PQ_FLOAT:
    case PQ_DOUBLE: return read_fixed(d, out, count, err);
    case PQ_FIXED_LEN_BYTE_ARRAY: return read_fixed_strings(d, out, count, err);
    case PQ_BYTE_ARRAY: return read_strings(d, out, count, err);
    }
    UNREACHABLE();
}

static lp_status pass_strings(decoder *d, uint64_t count, lp_err *err) {
    for (; count > 0; count--) {
        const uint8_t *from;
        TRY(take(d, 4, &from, err));
        TRY(take(d, load_le32(from), &from, err));
    }
    return LP_OK;
}

static lp_status pass_bits(decoder *d, uint64_t count, lp_err *err) {
    uint64_t bits = (uint64_t)(d->end - d->at) * 8 - d->bit;
    if (count > bits) return decoder_short(d, err);
    uint64_t bit = d->bit + count;
    d->at += bit / 8;
    d->bit = (uint8_t)(bit % 8);
    return LP_OK;
}

lp_status plain_pass(decoder *d, uint64_t count, lp_err *err) {
    const uint8_t *from;
    if (d->type == PQ_BYTE_ARRAY) return pass_strings(d, count, err);
    if (d->type == PQ_BOOLEAN) return pass_bits(d, count, err);
    if (count > (uint64_t)(d->end - d->at)) return decoder_short(d, err); /* so that the product stays small */
    return take(d, count * d->width, &from, err);
}

/* Booleans as runs have their size in 4 bytes in front. */
lp_status rle_boolean_start(decoder *d, lp_err *err) {
    const uint8_t *from;
    if (d->at == d->end) { /* no value is present */
        hybrid_init(&d->runs, d->at, 0, 1);
        return LP_OK;
    }
    TRY(take(d, 4, &from, err));
    uint32_t size = load_le32(from);
    TRY(take(d, size, &from, err));
    hybrid_init(&d->runs, from, size, 1);
    return LP_OK;
}

lp_status rle_boolean_read(decoder *d, uint8_t *out, size_t count, lp_err *err) {
    while (count > 0) {
        if (!hybrid_next_run(&d->runs)) return decoder_short(d, err);
        size_t now = d->runs.left < count ? (size_t)d->runs.left : count;
        if (d->runs.is_packed) {
            hybrid_unpack8(&d->runs, out, now);
        } else {
            if (d->runs.value > 1)
                return pq_fail(d->place, err, LP_ERR_FORMAT, "expected a boolean of 0 or 1, found %u",
                               (unsigned)d->runs.value);
            memset(out, (int)d->runs.value, now);
            hybrid_pass(&d->runs, now);
        }
        out += now;
        count -= now;
    }
    return LP_OK;
}
