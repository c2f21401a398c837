/* parquet.h - projected leaf columns of a Parquet file, streamed a page at a time.
 * Called by: delta (checkpoints, sidecars).  Must not know: the Delta protocol.
 * Source: parquet-format (Thrift definitions, Encodings.md, Compression.md, nested encoding by Dremel levels).
 *
 * A pq_file is immutable after pq_open, so row groups and columns may be read from several threads at once, each with
 * its own cursor. Every size, count and level that comes from the file is checked before it is used.
 */
#ifndef PARQUET_PARQUET_H
#define PARQUET_PARQUET_H

#include "base/arena.h"
#include "base/err.h"
#include "store/store.h"

typedef enum pq_type { /* physical types, numbered as in the format */
    PQ_BOOLEAN, PQ_INT32, PQ_INT64, PQ_INT96, PQ_FLOAT, PQ_DOUBLE, PQ_BYTE_ARRAY, PQ_FIXED_LEN_BYTE_ARRAY
} pq_type;

typedef enum pq_repetition { PQ_REQUIRED, PQ_OPTIONAL, PQ_REPEATED } pq_repetition;

typedef enum pq_logical { /* what a leaf's bits mean, from LogicalType or ConvertedType */
    PQ_LOGICAL_NONE, PQ_LOGICAL_STRING, PQ_LOGICAL_DECIMAL, PQ_LOGICAL_DATE,
    PQ_LOGICAL_TIMESTAMP_MILLIS, PQ_LOGICAL_TIMESTAMP_MICROS, PQ_LOGICAL_TIMESTAMP_NANOS,
    PQ_LOGICAL_INT, /* 8, 16, 32 or 64 bits, see bit_width and is_signed */
    PQ_LOGICAL_LIST, PQ_LOGICAL_MAP, PQ_LOGICAL_OTHER
} pq_logical;

/* One node of the schema tree. Groups have children, leaves have a column index. */
typedef struct pq_node {
    str name;
    pq_repetition repetition;
    bool is_leaf;
    pq_type type;            /* leaves */
    uint32_t type_length;    /* PQ_FIXED_LEN_BYTE_ARRAY */
    pq_logical logical;
    uint8_t bit_width;       /* PQ_LOGICAL_INT */
    bool is_signed;
    bool is_adjusted_to_utc; /* timestamps */
    int32_t scale, precision;
    uint16_t max_def, max_rep; /* levels of this node: how many optional or repeated, and how many repeated, up to it */
    uint32_t leaf_index;     /* leaves: position among the leaves, in schema order */
    const struct pq_node *parent;
    const struct pq_node *const *child;
    size_t child_count;
} pq_node;

typedef struct pq_limits {
    uint64_t max_page_bytes;      /* of a page, a dictionary, the strings of a slice; 0 means 1 GiB */
    uint64_t max_footer_bytes;    /* 0 means 256 MiB */
} pq_limits;

typedef struct pq_counters { /* exact over all cursors of a file; read when no cursor runs */
    uint64_t pages_decoded;   /* data and dictionary pages whose bytes were loaded */
    uint64_t values_decoded;  /* given out in slices */
    uint64_t pages_skipped;   /* passed over by header alone */
} pq_counters;

typedef struct pq_file pq_file;

/* Read and check the footer. Lives in `table`; `f` must stay open as long. LP_ERR_FORMAT for what is not Parquet,
 * LP_ERR_UNSUPPORTED for encryption. Messages name the file and what was expected and found. */
MUST_USE lp_status pq_open(arena *table, store_file *f, pq_limits limits, pq_file **out, lp_err *err);

const pq_node *pq_schema(const pq_file *f);                 /* the root; its children are the columns */
const pq_node *pq_child(const pq_node *group, str name);    /* exact name; NULL if absent */
/* A dotted path from the root, for tests and simple lookups: names that hold dots need pq_child. */
const pq_node *pq_find(const pq_file *f, str dotted_path);
/* The parts of a map or a list, found by the shape of the schema, since writers name them as they like: `map` holds one
 * repeated group of a key and a value; a list holds one repeated node that either is the element (two levels) or holds
 * it (three levels); a repeated node outside of a list is a list of itself. NULL for another shape; a map may be a set
 * without values. Source: LogicalTypes.md, Lists and Maps, with the rules for old files. */
const pq_node *pq_map_key(const pq_node *map);
const pq_node *pq_map_value(const pq_node *map);
const pq_node *pq_list_element(const pq_node *list);
size_t pq_leaf_count(const pq_file *f);
const pq_node *pq_leaf(const pq_file *f, size_t leaf_index);
size_t pq_row_group_count(const pq_file *f);
uint64_t pq_row_group_rows(const pq_file *f, size_t group);
uint64_t pq_row_count(const pq_file *f);
/* Key-value metadata of the footer (STR_NONE if absent), and who wrote it. */
str pq_metadata(const pq_file *f, str key);
str pq_created_by(const pq_file *f);
pq_counters pq_read_counters(const pq_file *f);

/* A run of whole rows of one leaf, borrowed from the cursor until its next call (the bytes of strings too). */
typedef struct pq_slice {
    size_t row_count;
    size_t level_count;       /* entries of def and rep; equals row_count for a leaf with max_rep = 0 */
    const uint8_t *def;       /* NULL when the leaf's max_def is 0 (every value present) */
    const uint8_t *rep;       /* NULL when the leaf's max_rep is 0 */
    size_t value_count;       /* values with def = max_def, dense, in the arrays below */
    union {
        const uint8_t *boolean;     /* 0 or 1 */
        const int32_t *int32;
        const int64_t *int64;
        const uint8_t *int96;       /* 12 bytes each */
        const float *float32;
        const double *float64;
        const str *bytes;           /* BYTE_ARRAY and FIXED_LEN_BYTE_ARRAY; equal dictionary entries have equal ptr */
    } value;
} pq_slice;

typedef struct pq_cursor pq_cursor;

/* A cursor before the first row of a leaf in a row group. Its buffers live in `owner` and are reused from page to page;
 * it holds one compressed and one decompressed page and a dictionary at most. `want_values` false decodes levels only
 * (the slice has value_count set and no values). */
MUST_USE lp_status pq_cursor_new(pq_file *f, size_t group, size_t leaf_index, bool want_values, arena *owner,
                                 pq_cursor **out, lp_err *err);

/* The same cursor before the first row of another leaf, row group or file: its buffers are used again, which spares
 * the cost of fresh memory. The file must live as long as the cursor is used. After an error a cursor may only be
 * reopened. */
MUST_USE lp_status pq_cursor_reopen(pq_cursor *c, pq_file *f, size_t group, size_t leaf_index, bool want_values,
                                    lp_err *err);

/* How many rows a read can give at once, so that callers can align several leaves: a read of at most that many rows
 * gives exactly as many. For a leaf that does not repeat: the rest of the current page (at most 2^20 rows, so a larger
 * page counts as several); reads a page header when the page before is used up, decompresses nothing. For a leaf that
 * repeats: the rest of the row group (at most 2^20 rows), since its slices are put together over page borders. At the
 * end of the row group: 0. */
MUST_USE lp_status pq_cursor_rows_in_page(pq_cursor *c, uint64_t *rows, lp_err *err);

/* Up to max_rows (at least 1) whole rows: as many as asked for, but no more than pq_cursor_rows_in_page tells. Where a
 * leaf does not repeat, a slice never spans two pages and no string is copied out of its page; where it repeats,
 * strings of a page that ends inside of the slice are copied. At the end of the row group row_count is 0. LP_ERR_FORMAT for
 * damage (the message names file, column and page), LP_ERR_LIMIT where a page, a dictionary or a slice exceeds
 * max_page_bytes. */
MUST_USE lp_status pq_cursor_read(pq_cursor *c, size_t max_rows, pq_slice *out, lp_err *err);

/* Pass over `rows` rows; LP_ERR_USAGE if there are fewer. A page that is passed over whole, in however many steps, is
 * not decompressed (where max_rep is 0, and v2 pages). */
MUST_USE lp_status pq_cursor_skip(pq_cursor *c, uint64_t rows, lp_err *err);

/* The largest number of bytes that the cursor's buffers held. */
size_t pq_cursor_peak_bytes(const pq_cursor *c);

#endif
