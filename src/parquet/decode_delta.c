/* decode_delta.c - the three DELTA encodings: integers, strings with their lengths, strings that share prefixes.
 * Called by: decode.c.  Must not know: pages.
 * Source: parquet-format Encodings.md, "Delta Encoding", "Delta-length byte array", "Delta Strings".
 */
#include "parquet/decode.h"

enum { PIECE = 128 };

static lp_status check(const decoder *d, const char *fault, lp_err *err) {
    return fault ? pq_fail(d->place, err, LP_ERR_FORMAT, "%s", fault) : LP_OK;
}

/* A page without values may have no bytes at all, not even a header. */
static lp_status start_numbers(decoder *d, delta_bits *numbers, lp_err *err) {
    if (d->at == d->end) {
        *numbers = (delta_bits){0};
        return LP_OK;
    }
    return check(d, delta_bits_init(numbers, d->at, (size_t)(d->end - d->at)), err);
}

lp_status delta_number_start(decoder *d, lp_err *err) {
    return start_numbers(d, &d->numbers, err);
}

lp_status delta_number_read(decoder *d, void *out, size_t count, lp_err *err) {
    if (d->type == PQ_INT64) return check(d, delta_bits_read(&d->numbers, out, count), err);
    int32_t *to = out;
    while (count > 0) {
        uint64_t piece[PIECE];
        size_t now = count < PIECE ? count : PIECE;
        TRY(check(d, delta_bits_read(&d->numbers, piece, now), err));
        for (size_t i = 0; i < now; i++) to[i] = (int32_t)(uint32_t)piece[i];
        to += now;
        count -= now;
    }
    return LP_OK;
}

/* The integers come first; what they describe begins where their last block ends. */
static lp_status start_behind(decoder *d, delta_bits *numbers, lp_err *err) {
    TRY(start_numbers(d, numbers, err));
    if (d->at == d->end) return LP_OK;
    return check(d, delta_bits_end(numbers, &d->at), err);
}

lp_status delta_length_start(decoder *d, lp_err *err) {
    return start_behind(d, &d->numbers, err);
}

static lp_status fail_length(const decoder *d, uint64_t length, lp_err *err) {
    return pq_fail(d->place, err, LP_ERR_FORMAT, "expected a string of at most %zu bytes, found a length of %lld",
                   (size_t)(d->end - d->at), (long long)length);
}

/* The next `count` (at most PIECE) strings that stand in the page. */
static lp_status read_piece(decoder *d, str *out, size_t count, lp_err *err) {
    uint64_t length[PIECE];
    TRY(check(d, delta_bits_read(&d->numbers, length, count), err));
    for (size_t i = 0; i < count; i++) {
        if (length[i] > (uint64_t)(d->end - d->at)) return fail_length(d, length[i], err);
        out[i] = (str){(const char *)d->at, (size_t)length[i]};
        d->at += length[i];
    }
    return LP_OK;
}

lp_status delta_length_read(decoder *d, str *out, size_t count, lp_err *err) {
    while (count > 0) {
        size_t now = count < PIECE ? count : PIECE;
        TRY(read_piece(d, out, now, err));
        out += now;
        count -= now;
    }
    return LP_OK;
}

lp_status delta_string_start(decoder *d, lp_err *err) {
    d->before = STR("");
    TRY(start_behind(d, &d->prefixes, err));
    return start_behind(d, &d->numbers, err);
}

/* A value is a prefix of the value before and a suffix of its own. Only a value that has both is put together. */
static lp_status join(decoder *d, uint64_t prefix, str suffix, str *out, lp_err *err) {
    if (prefix > d->before.len)
        return pq_fail(d->place, err, LP_ERR_FORMAT, "expected a prefix of at most %zu bytes, found %lld",
                       d->before.len, (long long)prefix);
    if (prefix == 0) {
        *out = suffix;
    } else if (suffix.len == 0) {
        *out = (str){d->before.ptr, (size_t)prefix};
    } else {
        char *text;
        TRY(decoder_text(d, (size_t)prefix + suffix.len, &text, err));
        memcpy(text, d->before.ptr, (size_t)prefix);
        memcpy(text + prefix, suffix.ptr, suffix.len);
        *out = (str){text, (size_t)prefix + suffix.len};
    }
    if (d->width && out->len != d->width)
        return pq_fail(d->place, err, LP_ERR_FORMAT, "expected values of %u bytes, found one of %zu",
                       (unsigned)d->width, out->len);
    d->before = *out;
    return LP_OK;
}

lp_status delta_string_read(decoder *d, str *out, size_t count, lp_err *err) {
    while (count > 0) {
        uint64_t prefix[PIECE];
        size_t now = count < PIECE ? count : PIECE;
        TRY(check(d, delta_bits_read(&d->prefixes, prefix, now), err));
        TRY(read_piece(d, out, now, err));
        for (size_t i = 0; i < now; i++) TRY(join(d, prefix[i], out[i], &out[i], err));
        out += now;
        count -= now;
    }
    return LP_OK;
}
