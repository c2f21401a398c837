/* parquet_int.h - what the sources of this room share: the open file, its chunks, where its bytes come from.
 * Called by: the sources, tests and fuzz target of parquet/.  Must not know: what the columns mean.
 */
#ifndef PARQUET_PARQUET_INT_H
#define PARQUET_PARQUET_INT_H

#include <stdatomic.h>
#include <string.h>

#include "parquet/parquet.h"

/* Encodings and codecs, numbered as in the format. */
enum pq_encoding {
    PQ_PLAIN = 0, PQ_PLAIN_DICTIONARY = 2, PQ_RLE = 3, PQ_BIT_PACKED = 4, PQ_DELTA_BINARY_PACKED = 5,
    PQ_DELTA_LENGTH_BYTE_ARRAY = 6, PQ_DELTA_BYTE_ARRAY = 7, PQ_RLE_DICTIONARY = 8, PQ_BYTE_STREAM_SPLIT = 9
};

/* Deepest nesting of a schema. Each node adds at most one to a level, so levels fit in 7 bits. */
enum { PQ_MAX_DEPTH = 127 };

/* Rows that one slice of a leaf that does not repeat holds at most: a page may claim 2^31 rows in ten bytes. */
enum { PQ_MAX_SLICE_ROWS = 1 << 20 };

/* Where the bytes come from: a store file, or memory in tests. `read` is thread-safe. */
typedef struct pq_source {
    lp_status (*read)(void *context, uint64_t offset, void *into, size_t size, lp_err *err);
    void *context;
    uint64_t size_bytes;
    str name; /* for messages */
} pq_source;

typedef struct pq_chunk { /* one leaf in one row group */
    uint64_t start;       /* file offset of its first page */
    uint64_t size_bytes;  /* all pages with their headers, as stored */
    uint64_t value_count; /* level entries: values, nulls and empty lists */
    int32_t codec;
} pq_chunk;

typedef struct pq_group {
    uint64_t row_count;
    pq_chunk *chunk; /* one a leaf */
} pq_group;

typedef struct pq_pair {
    str key, value;
} pq_pair;

struct pq_file {
    pq_source source;
    uint64_t max_page_bytes;
    uint64_t data_end; /* where the footer begins */
    const pq_node *root;
    const pq_node **leaf;
    size_t leaf_count;
    pq_group *group;
    size_t group_count;
    uint64_t row_count;
    pq_pair *metadata;
    size_t metadata_count;
    str created_by;
    _Atomic uint64_t pages_decoded, values_decoded, pages_skipped;
};

/* pq_open over any source. */
MUST_USE lp_status pq_open_source(arena *table, pq_source source, pq_limits limits, pq_file **out, lp_err *err);

/* Fill schema, row groups and metadata of `f` from the footer. Temporaries live in `scratch`. */
MUST_USE lp_status footer_read(pq_file *f, arena *table, arena *scratch, uint64_t max_footer_bytes, lp_err *err);

/* What a message is about: a column, and a page of it where page_offset is not PQ_NO_PAGE. */
#define PQ_NO_PAGE UINT64_MAX
typedef struct pq_place {
    const pq_file *file;
    const pq_node *leaf;
    uint64_t page_offset;
} pq_place;

/* "FILE: column a.b, page at byte N: ..." */
lp_status pq_fail(const pq_place *at, lp_err *err, lp_status code, const char *format, ...) PRINTF_LIKE(4, 5);

/* Fixed-width little-endian loads of unaligned bytes. */
static inline uint32_t load_le32(const uint8_t *p) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap32(v);
#endif
    return v;
}

static inline uint64_t load_le64(const uint8_t *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

static inline void store_le64(uint8_t *p, uint64_t v) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(p, &v, sizeof v);
}

#endif
