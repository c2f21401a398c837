/* decode.h - the values of one page, given out in pieces.
 * Called by: cursor.c.  Must not know: levels, rows, pages.
 * Source: parquet-format Encodings.md.
 *
 * Values are the dense ones: those whose definition level is the maximum. Nothing is allocated from a count that the
 * page states; every value is found in the page's bytes before it is given out.
 */
#ifndef PARQUET_DECODE_H
#define PARQUET_DECODE_H

#include "parquet/block.h"
#include "parquet/delta_bits.h"
#include "parquet/hybrid.h"
#include "parquet/parquet_int.h"

typedef struct dictionary {
    bool is_loaded;
    uint32_t count;
    block entry; /* `count` values, as in a slice */
} dictionary;

typedef struct decoder {
    /* Set once a chunk. */
    pq_type type;
    uint32_t width;       /* bytes of a value in the page; 0 for byte arrays and booleans */
    size_t element_bytes; /* of a value in a slice */
    const pq_place *place;
    uint64_t max_text_bytes; /* limit of both: strings in memory, strings that one page expands to */
    uint64_t text_bytes;  /* in `text` now */
    arena *text;          /* strings that are not in the page as they are; reset by decoder_reset_text */
    block last;           /* DELTA_BYTE_ARRAY: the value before, where it was in `text` */
    const dictionary *dictionary;

    /* Set once a page. */
    int32_t encoding;
    const uint8_t *at, *end;
    hybrid runs;           /* dictionary indices, booleans */
    uint8_t bit;           /* plain booleans: next bit of *at */
    size_t stride, index;  /* BYTE_STREAM_SPLIT: values in the page, and given out */
    delta_bits numbers;    /* DELTA_BINARY_PACKED, or lengths of (suffixes of) byte arrays */
    delta_bits prefixes;   /* DELTA_BYTE_ARRAY */
    str before;            /* DELTA_BYTE_ARRAY: the value before */
    uint64_t page_text_bytes; /* put into `text` for this page: what its strings expand to */
} decoder;

/* Bytes of a value of this type in a slice. */
size_t decoder_element_bytes(pq_type type);

/* LP_ERR_FORMAT for an encoding that this type cannot have, LP_ERR_UNSUPPORTED for one that the format has not. */
MUST_USE lp_status decoder_start(decoder *d, int32_t encoding, const uint8_t *bytes, size_t size, lp_err *err);
/* `out` has room for `count` values. */
MUST_USE lp_status decoder_read(decoder *d, void *out, size_t count, lp_err *err);
/* Pass over values. Resets `text`. */
MUST_USE lp_status decoder_pass(decoder *d, uint64_t count, lp_err *err);
/* All values were given out: nothing may be left, so levels that lie are found. */
MUST_USE lp_status decoder_finish(decoder *d, lp_err *err);

/* Strings given out so far end here. */
void decoder_reset_text(decoder *d);

/* Fill `dict` from the bytes of a dictionary page. */
MUST_USE lp_status dictionary_load(dictionary *dict, const decoder *like, const uint8_t *bytes, size_t size,
                                   uint32_t count, lp_err *err);

static inline bool encoding_is_dictionary(int32_t encoding) {
    return encoding == PQ_PLAIN_DICTIONARY || encoding == PQ_RLE_DICTIONARY;
}

/* One encoding family each; all that decode.c dispatches to. */
lp_status plain_read(decoder *d, void *out, size_t count, lp_err *err);
lp_status plain_pass(decoder *d, uint64_t count, lp_err *err);
lp_status rle_boolean_start(decoder *d, lp_err *err);
lp_status rle_boolean_read(decoder *d, uint8_t *out, size_t count, lp_err *err);
lp_status dictionary_start(decoder *d, lp_err *err);
lp_status dictionary_read(decoder *d, void *out, size_t count, lp_err *err);
lp_status delta_number_start(decoder *d, lp_err *err);
lp_status delta_number_read(decoder *d, void *out, size_t count, lp_err *err);
lp_status delta_length_start(decoder *d, lp_err *err);
lp_status delta_length_read(decoder *d, str *out, size_t count, lp_err *err);
lp_status delta_string_start(decoder *d, lp_err *err);
lp_status delta_string_read(decoder *d, str *out, size_t count, lp_err *err);
lp_status split_start(decoder *d, lp_err *err);
lp_status split_read(decoder *d, void *out, size_t count, lp_err *err);

/* Room for a string in `text`, within the limit. */
lp_status decoder_text(decoder *d, size_t size, char **out, lp_err *err);
lp_status decoder_short(const decoder *d, lp_err *err); /* "the page has fewer values than its levels say" */

#endif
