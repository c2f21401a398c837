/* page.h - the pages of one column chunk in their order: headers, checks, bytes.
 * Called by: cursor.c.  Must not know: how values are encoded, rows.
 * Source: parquet-format, parquet.thrift (PageHeader), README.md "Data Pages", "Checksumming".
 */
#ifndef PARQUET_PAGE_H
#define PARQUET_PAGE_H

#include "parquet/codec.h"
#include "parquet/levels.h"
#include "parquet/window.h"

typedef struct page_header {
    bool is_v2;
    bool is_compressed;
    bool has_crc;
    uint32_t crc;
    uint32_t stored_bytes; /* behind the header */
    uint32_t raw_bytes;    /* decompressed */
    uint32_t value_count;  /* level entries */
    uint32_t row_count;    /* v2 only */
    int32_t encoding, def_encoding, rep_encoding;
    uint32_t def_bytes, rep_bytes; /* v2 only */
    uint64_t offset;       /* of the header in the file */
    uint64_t body;         /* of the bytes behind it */
} page_header;

typedef struct page_body { /* an open data page */
    levels def, rep;       /* where the leaf has such levels */
    const uint8_t *values;
    size_t values_size;
} page_body;

typedef struct page_reader {
    pq_file *file;
    const pq_node *leaf;
    const pq_chunk *chunk;
    pq_place place;
    window in;
    uint64_t at, end;      /* of the next header; of what may be read */
    uint64_t values_left;  /* of the chunk, behind the current page */
    page_header now;       /* the current data page */
    bool has_dictionary;
    bool seen_data;
    page_header dictionary;
    codec codec;
    block raw;             /* decompressed bytes of the data page, of the dictionary */
    block dictionary_raw;
} page_reader;

/* Before the first page. `r` is zeroed memory, or one that is used again. LP_ERR_UNSUPPORTED for an unknown codec. */
MUST_USE lp_status page_reader_init(page_reader *r, pq_file *file, const pq_chunk *chunk, const pq_node *leaf,
                                    lp_err *err);
void page_reader_end(page_reader *r);

/* Go to the next data page that has values: reads headers only. *found is false when the chunk has no more. */
MUST_USE lp_status page_next(page_reader *r, bool *found, lp_err *err);
/* Count the current data page as passed over. */
void page_skip(page_reader *r);

/* Load the current data page, decompressed where `want_values` or its levels need it. Borrowed until the next call. */
MUST_USE lp_status page_open(page_reader *r, bool want_values, page_body *out, lp_err *err);
/* Load the dictionary page; its bytes stay until the reader is used for another chunk. */
MUST_USE lp_status page_open_dictionary(page_reader *r, const uint8_t **bytes, size_t *size, lp_err *err);

size_t page_reader_peak_bytes(const page_reader *r);

#endif
