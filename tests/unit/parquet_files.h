/* parquet_files.h - the Parquet files of tests/data, opened.
 * Called by: unit tests of the room parquet.  Must not know: what is tested.
 */
#ifndef TESTS_UNIT_PARQUET_FILES_H
#define TESTS_UNIT_PARQUET_FILES_H

#include "in_door.h"

#include "base/buf.h"
#include "parquet/parquet.h"

#define PARQUET_FOLDER LAKEPROOF_TEST_DATA "/parquet"

static inline lp_status try_open_parquet(arena *a, str name, pq_limits limits, pq_file **out, lp_err *err) {
    store *s;
    store_file *in;
    TRY(store_open(a, STR(PARQUET_FOLDER), &s, err));
    TRY(store_open_file(s, a, name, &in, err));
    return pq_open(a, in, limits, out, err);
}

static inline pq_file *open_parquet(arena *a, const char *name) {
    pq_file *f;
    lp_err err;
    if (try_open_parquet(a, str_from(name), (pq_limits){0}, &f, &err) != LP_OK) fail_msg("%s: %s", name, err.text);
    return f;
}

static inline const pq_node *find_leaf(const pq_file *f, const char *path) {
    const pq_node *leaf = pq_find(f, str_from(path));
    if (!leaf || !leaf->is_leaf) fail_msg("no leaf %s", path);
    return leaf;
}

static inline pq_cursor *open_cursor(arena *a, pq_file *f, size_t group, const char *path, bool want_values) {
    pq_cursor *c;
    lp_err err;
    if (pq_cursor_new(f, group, find_leaf(f, path)->leaf_index, want_values, a, &c, &err) != LP_OK)
        fail_msg("%s: %s", path, err.text);
    return c;
}

static inline pq_slice read_rows(pq_cursor *c, size_t max_rows) {
    pq_slice s;
    lp_err err;
    if (pq_cursor_read(c, max_rows, &s, &err) != LP_OK) fail_msg("%s", err.text);
    return s;
}

static inline void skip_rows(pq_cursor *c, uint64_t rows) {
    lp_err err;
    if (pq_cursor_skip(c, rows, &err) != LP_OK) fail_msg("%s", err.text);
}

static inline uint64_t rows_ready(pq_cursor *c) {
    uint64_t rows;
    lp_err err;
    if (pq_cursor_rows_in_page(c, &rows, &err) != LP_OK) fail_msg("%s", err.text);
    return rows;
}

/* A file below tests/data as text. */
static inline str read_text(arena *a, str name) {
    store *s;
    lp_err err;
    str text = STR_NONE;
    lp_status status = store_open(a, STR(PARQUET_FOLDER), &s, &err);
    if (status == LP_OK) status = store_read_all(s, a, name, 1 << 24, 0, &text, &err);
    if (status != LP_OK) fail_msg("%s", err.text);
    return text;
}

/* The next line without its end; false at the end of the text. */
static inline bool next_line(str *text, str *line) {
    size_t end;
    if (text->len == 0) return false;
    if (!str_find_char(*text, '\n', &end)) end = text->len;
    *line = str_slice(*text, 0, end);
    *text = str_slice(*text, end + 1, text->len);
    return true;
}

#endif
