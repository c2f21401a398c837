/* pq_fuzz.c - any bytes as a Parquet file: clean errors, bounded memory, the same rows however they are asked for.
 * Called by: libFuzzer, tests/fuzz/replay_main.c.  Must not know: the Delta protocol.
 *
 * Property: each row of a leaf is read in large slices first and noted as a sum; then the leaf is read again in small
 * slices with rows passed over between them, and every row must give the same sum. What reads without an error once
 * reads without one always, and has as many rows as the footer says.
 */
#include <stdio.h>

#include "base/door.h"
#include "parquet/parquet_int.h"

enum {
    MAX_PAGE_BYTES = 16 << 20,
    MAX_FOOTER_BYTES = 1 << 20,
    MAX_ROWS = 4096,       /* rows of a chunk that are noted */
    MAX_ENTRIES = 1 << 20, /* of a chunk that is read at all */
    MAX_TOTAL = 1 << 22,   /* entries of all chunks of an input */
    MAX_PEAK_BYTES = 256 << 20
};

typedef struct input {
    const uint8_t *bytes;
    size_t size;
    arena table, owner; /* of the file, of one cursor */
} input;

typedef struct noted { /* rows of one chunk */
    uint64_t sum[MAX_ROWS];
    uint64_t rows;
    bool is_whole; /* read to its end without an error */
} noted;

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

static lp_status read_input(void *context, uint64_t offset, void *into, size_t size, lp_err *err) {
    const input *in = context;
    REQUIRE(offset <= in->size && size <= in->size - offset);
    memcpy(into, in->bytes + offset, size);
    (void)err;
    return LP_OK;
}

static uint64_t add(uint64_t sum, const void *bytes, size_t size) {
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < size; i++) sum = (sum ^ byte[i]) * 0x100000001b3u;
    return sum;
}

static uint64_t add_value(uint64_t sum, const pq_node *leaf, const pq_slice *s, size_t i) {
    switch (leaf->type) {
    case PQ_BOOLEAN: REQUIRE(s->value.boolean[i] <= 1); return add(sum, &s->value.boolean[i], 1);
    case PQ_INT32:
    case PQ_FLOAT: return add(sum, &s->value.int32[i], 4);
    case PQ_INT64:
    case PQ_DOUBLE: return add(sum, &s->value.int64[i], 8);
    case PQ_INT96: return add(sum, s->value.int96 + 12 * i, 12);
    case PQ_FIXED_LEN_BYTE_ARRAY: REQUIRE(s->value.bytes[i].len == leaf->type_length); /* fall through */
    case PQ_BYTE_ARRAY:
        sum = add(sum, &s->value.bytes[i].len, sizeof(size_t));
        return add(sum, s->value.bytes[i].ptr, s->value.bytes[i].len);
    }
    UNREACHABLE();
}

/* One sum a row into `sum`, checking what the header promises of a slice. */
static void sum_rows(const pq_node *leaf, const pq_slice *s, uint64_t *sum) {
    size_t value = 0, row = 0;
    REQUIRE((s->def != NULL) == (leaf->max_def > 0) && (s->rep != NULL) == (leaf->max_rep > 0));
    REQUIRE(leaf->max_rep > 0 || s->level_count == s->row_count);
    for (size_t i = 0; i < s->level_count; i++) {
        uint8_t rep = s->rep ? s->rep[i] : 0, def = s->def ? s->def[i] : 0;
        REQUIRE(rep <= leaf->max_rep && def <= leaf->max_def && (i > 0 || rep == 0));
        if (rep == 0) sum[row++] = 0xcbf29ce484222325u;
        REQUIRE(row <= s->row_count);
        sum[row - 1] = add(add(sum[row - 1], &rep, 1), &def, 1);
        if (def == leaf->max_def) sum[row - 1] = add_value(sum[row - 1], leaf, s, value++);
    }
    REQUIRE(row == s->row_count && value == s->value_count);
}

static void note_rows(pq_cursor *c, const pq_node *leaf, uint64_t group_rows, noted *n) {
    lp_err err;
    n->rows = 0;
    n->is_whole = false;
    while (n->rows < MAX_ROWS) {
        pq_slice s;
        if (pq_cursor_read(c, (size_t)(MAX_ROWS - n->rows), &s, &err) != LP_OK) return;
        if (s.row_count == 0) break;
        sum_rows(leaf, &s, n->sum + n->rows);
        n->rows += s.row_count;
    }
    REQUIRE(n->rows == group_rows || n->rows == MAX_ROWS);
    n->is_whole = n->rows == group_rows;
}

/* Read and skip in turns, with sizes from `state`. */
static void check_walk(pq_cursor *c, const pq_node *leaf, const noted *n, uint64_t state) {
    uint64_t at = 0, sum[64];
    lp_err err;
    while (at < n->rows) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint64_t steps = state >> 40, skip = steps % 3 ? 0 : steps / 3 % 100, ready;
        if (skip > n->rows - at) skip = n->rows - at;
        if (pq_cursor_skip(c, skip, &err) != LP_OK || pq_cursor_rows_in_page(c, &ready, &err) != LP_OK) break;
        at += skip;
        if (at == n->rows) return;
        size_t want = 1 + (size_t)(steps % (steps % 2 ? 3 : 64));
        pq_slice s;
        if (pq_cursor_read(c, want, &s, &err) != LP_OK) break;
        REQUIRE(s.row_count == (want < ready ? want : ready));
        sum_rows(leaf, &s, sum);
        for (size_t i = 0; i < s.row_count && at + i < n->rows; i++) REQUIRE(sum[i] == n->sum[at + i]);
        at += s.row_count;
    }
    REQUIRE(at >= n->rows || !n->is_whole);
}

/* Levels alone must be there wherever levels and values are. */
static void check_levels(pq_cursor *c, const noted *n) {
    uint64_t at = 0;
    lp_err err;
    while (at < n->rows) {
        pq_slice s;
        if (pq_cursor_read(c, 37, &s, &err) != LP_OK || s.row_count == 0) break;
        REQUIRE(s.value.bytes == NULL);
        at += s.row_count;
    }
    REQUIRE(at >= n->rows || !n->is_whole);
}

static void check_chunk(pq_file *f, size_t group, const pq_node *leaf, arena *owner, noted *n) {
    pq_cursor *c;
    lp_err err;
    if (pq_cursor_new(f, group, leaf->leaf_index, true, owner, &c, &err) != LP_OK) return;
    note_rows(c, leaf, pq_row_group_rows(f, group), n);
    for (uint64_t seed = 0; seed < 2; seed++) {
        REQUIRE(pq_cursor_reopen(c, f, group, leaf->leaf_index, true, &err) == LP_OK);
        check_walk(c, leaf, n, seed + n->rows);
    }
    REQUIRE(pq_cursor_reopen(c, f, group, leaf->leaf_index, false, &err) == LP_OK);
    check_levels(c, n);
    REQUIRE(pq_cursor_peak_bytes(c) < MAX_PEAK_BYTES);
}

static lp_status run(void *context, lp_err *err) {
    input *in = context;
    pq_source source = {read_input, in, in->size, STR("input")};
    pq_limits limits = {MAX_PAGE_BYTES, MAX_FOOTER_BYTES};
    pq_file *f;
    uint64_t total = 0;
    lp_status status = pq_open_source(&in->table, source, limits, &f, err);
    noted *n = status == LP_OK ? arena_alloc_raw(&in->table, sizeof *n) : NULL;
    for (size_t group = 0; status == LP_OK && group < pq_row_group_count(f); group++) {
        for (size_t i = 0; i < pq_leaf_count(f); i++) {
            uint64_t entries = f->group[group].chunk[i].value_count;
            total += entries < MAX_ENTRIES ? entries + 100 : 100;
            if (entries > MAX_ENTRIES || total > MAX_TOTAL) continue;
            check_chunk(f, group, pq_leaf(f, i), &in->owner, n);
            arena_reset(&in->owner);
        }
    }
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {.bytes = data, .size = size};
    lp_err err = {0};
    lp_status status = door_run(run, &in, &err);
    arena_end(&in.owner);
    arena_end(&in.table);
    REQUIRE(status == LP_OK || err.text[0] != '\0');
    REQUIRE(status != LP_ERR_USAGE && status != LP_ERR_IO && status != LP_ERR_QUERY);
    return 0;
}
