/* test_parquet_read.c - what is read from files of pyarrow, from odd files, and from files that lie.
 * Called by: ctest.  Must not know: how pages are decoded.
 *
 * tests/data/make_parquet.py made the files and, by other means, the texts that are expected.
 */
#include "parquet_files.h"

#include "tools/pq_text.h"

static void put(void *context, const char *text, size_t size) {
    buf_put(context, (str){text, size});
}

/* ---- whole files as text ---- */

static void dump_chunk(arena *a, pq_file *f, size_t group, const pq_node *leaf, size_t rows, buf *out) {
    pq_cursor *c;
    lp_err err;
    buf_printf(out, "leaf %u group %zu\n", leaf->leaf_index, group);
    if (pq_cursor_new(f, group, leaf->leaf_index, true, a, &c, &err) != LP_OK) fail_msg("%s", err.text);
    for (;;) {
        pq_slice s = read_rows(c, rows);
        if (s.row_count == 0) return;
        pq_text_slice(leaf, &s, put, out);
    }
}

static str dump_file(arena *a, str name, size_t rows) {
    pq_file *f = open_parquet(a, name.ptr);
    buf out;
    buf_init(&out, a, 1 << 24);
    for (size_t group = 0; group < pq_row_group_count(f); group++)
        for (size_t leaf = 0; leaf < pq_leaf_count(f); leaf++) dump_chunk(a, f, group, pq_leaf(f, leaf), rows, &out);
    return buf_str(&out);
}

static void compare_texts(str name, size_t rows, str found, str expected) {
    str ours, theirs;
    for (unsigned line = 1;; line++) {
        bool more = next_line(&found, &ours), wanted = next_line(&expected, &theirs);
        if (!more && !wanted) return;
        if (more && wanted && str_eq(ours, theirs)) continue;
        fail_msg(STR_FMT ", %zu rows a slice, line %u: found " STR_FMT ", expected " STR_FMT, STR_ARG(name), rows, line,
                 STR_ARG(more ? ours : STR("the end")), STR_ARG(wanted ? theirs : STR("the end")));
    }
}

static void check_file(arena *a, str name, str text) {
    static const size_t rows[] = {1, 2, 7, 100000};
    str expected = read_text(a, text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        arena scratch;
        arena_init(&scratch, 0);
        compare_texts(name, rows[i], dump_file(&scratch, name, rows[i]), expected);
        arena_end(&scratch);
    }
}

typedef void (*file_check)(arena *a, str name, str text);

/* Every file whose name begins with `prefix`; the text has the name of its content: what stands before "-v1" or "-v2",
 * or all of it. Returns how many. */
static unsigned each_file(arena *a, str prefix, file_check check) {
    store *s;
    store_entries all;
    lp_err err;
    unsigned count = 0;
    assert_int_equal(store_open(a, STR(PARQUET_FOLDER), &s, &err), LP_OK);
    assert_int_equal(store_list(s, STR(""), a, &all, &err), LP_OK);
    for (size_t i = 0; i < all.count; i++) {
        str name = all.item[i].name;
        if (!str_starts_with(name, prefix) || !str_ends_with(name, STR(".parquet"))) continue;
        str content = str_slice(name, 0, name.len - strlen(".parquet"));
        const char *version = strstr(name.ptr, "-v");
        if (version && !str_starts_with(name, STR("odd-"))) content.len = (size_t)(version - name.ptr);
        check(a, name, str_format(a, STR_FMT ".txt", STR_ARG(content)));
        count++;
    }
    return count;
}

static void types_body(arena *a) {
    assert_int_equal(each_file(a, STR("types-"), check_file), 8);
    assert_int_equal(each_file(a, STR("int96-"), check_file), 1);
}

static void nested_body(arena *a) {
    assert_int_equal(each_file(a, STR("nested-"), check_file), 8);
}

static void groups_body(arena *a) {
    assert_int_equal(each_file(a, STR("groups-"), check_file), 2);
    assert_int_equal(each_file(a, STR("empty-"), check_file), 1);
}

static void odd_body(arena *a) {
    assert_true(each_file(a, STR("odd-"), check_file) > 30);
}

static void test_parquet__reads_all_types_in_all_encodings_and_codecs(void **state) {
    (void)state;
    in_door(types_body);
}

static void test_parquet__reads_lists_maps_and_structs_over_page_borders(void **state) {
    (void)state;
    in_door(nested_body);
}

static void test_parquet__reads_many_row_groups_and_none(void **state) {
    (void)state;
    in_door(groups_body);
}

static void test_parquet__reads_what_is_allowed_and_rare(void **state) {
    (void)state;
    in_door(odd_body);
}

/* ---- passing over rows ---- */

/* Rows [first, first + count) as text, after passing over the ones before in steps of `step`. */
static void check_rows(arena *a, pq_cursor *c, const pq_node *leaf, str *row, size_t rows, size_t first, size_t step) {
    for (size_t at = 0; at < first; at += step) skip_rows(c, first - at < step ? first - at : step);
    while (first < rows) {
        buf found, expected;
        pq_slice s = read_rows(c, 3);
        buf_init(&found, a, 1 << 24);
        buf_init(&expected, a, 1 << 24);
        pq_text_slice(leaf, &s, put, &found);
        assert_true(s.row_count > 0 && s.row_count <= 3 && s.row_count <= rows - first);
        for (size_t i = 0; i < s.row_count; i++) buf_put(&expected, row[first + i]);
        assert_str(buf_str(&found), buf_str(&expected));
        size_t skip = (first + s.row_count) % 5;
        first += s.row_count;
        if (skip > rows - first) skip = rows - first;
        skip_rows(c, skip);
        first += skip;
    }
    assert_int_equal(read_rows(c, 1).row_count, 0);
}

static void check_skips_of_leaf(arena *a, pq_file *f, size_t group, const pq_node *leaf) {
    size_t rows = (size_t)pq_row_group_rows(f, group);
    str *row = ARENA_ARRAY(a, str, rows);
    pq_cursor *c;
    lp_err err;
    assert_int_equal(pq_cursor_new(f, group, leaf->leaf_index, true, a, &c, &err), LP_OK);
    for (size_t i = 0; i < rows; i++) {
        buf text;
        buf_init(&text, a, 1 << 20);
        pq_slice s = read_rows(c, 1);
        pq_text_slice(leaf, &s, put, &text);
        row[i] = buf_str(&text);
    }
    for (size_t first = 0; first <= rows; first += 1 + first / 7)
        for (size_t step = 1; step <= 64; step *= 8) {
            assert_int_equal(pq_cursor_reopen(c, f, group, leaf->leaf_index, true, &err), LP_OK);
            check_rows(a, c, leaf, row, rows, first, step);
        }
}

static void check_skips(arena *a, str name, str text) {
    (void)text;
    pq_file *f = open_parquet(a, name.ptr);
    for (size_t group = 0; group < pq_row_group_count(f); group++)
        for (size_t leaf = 0; leaf < pq_leaf_count(f); leaf++) {
            arena scratch;
            arena_init(&scratch, 0);
            check_skips_of_leaf(&scratch, f, group, pq_leaf(f, leaf));
            arena_end(&scratch);
        }
}

static void skips_body(arena *a) {
    each_file(a, STR("types-"), check_skips);
    each_file(a, STR("nested-"), check_skips);
    each_file(a, STR("groups-"), check_skips);
    each_file(a, STR("odd-"), check_skips);
}

static void test_parquet__passing_over_rows_leaves_the_others_as_they_are(void **state) {
    (void)state;
    in_door(skips_body);
}

/* ---- files that lie ---- */

static lp_status read_all(arena *a, str name, lp_err *err) {
    pq_file *f;
    TRY(try_open_parquet(a, name, (pq_limits){.max_page_bytes = 1 << 20}, &f, err));
    for (size_t group = 0; group < pq_row_group_count(f); group++)
        for (size_t leaf = 0; leaf < pq_leaf_count(f); leaf++) {
            pq_cursor *c;
            pq_slice s;
            TRY(pq_cursor_new(f, group, leaf, true, a, &c, err));
            do TRY(pq_cursor_read(c, 100, &s, err));
            while (s.row_count > 0);
        }
    return LP_OK;
}

static str status_name(lp_status status) {
    switch (status) {
    case LP_OK: return STR("OK");
    case LP_ERR_USAGE: return STR("USAGE");
    case LP_ERR_IO: return STR("IO");
    case LP_ERR_NOT_FOUND: return STR("NOT_FOUND");
    case LP_ERR_FORMAT: return STR("FORMAT");
    case LP_ERR_UNSUPPORTED: return STR("UNSUPPORTED");
    case LP_ERR_QUERY: return STR("QUERY");
    case LP_ERR_LIMIT: return STR("LIMIT");
    }
    UNREACHABLE();
}

/* "bad-NAME STATUS words of the message" */
static void check_lie(str line) {
    arena a;
    arena_init(&a, 0);
    size_t name_end = 0, status_end = 0;
    assert_true(str_find_char(line, ' ', &name_end));
    str rest = str_slice(line, name_end + 1, line.len);
    assert_true(str_find_char(rest, ' ', &status_end));
    str name = str_format(&a, STR_FMT ".parquet", (int)name_end, line.ptr),
        words = str_copy(&a, str_slice(rest, status_end + 1, rest.len));
    lp_err err = {0};
    lp_status status = read_all(&a, name, &err);
    if (!str_eq(status_name(status), str_slice(rest, 0, status_end)) || !strstr(err.text, words.ptr) ||
        !strstr(err.text, name.ptr))
        fail_msg("expected " STR_FMT ", found " STR_FMT ": %s", STR_ARG(line), STR_ARG(status_name(status)), err.text);
    arena_end(&a);
}

static void lies_body(arena *a) {
    str text = read_text(a, STR("bad.txt")), line;
    unsigned count = 0;
    for (; next_line(&text, &line); count++) check_lie(line);
    assert_true(count > 100);
}

static void test_parquet__finds_each_lie_and_names_the_file(void **state) {
    (void)state;
    in_door(lies_body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parquet__reads_all_types_in_all_encodings_and_codecs),
        cmocka_unit_test(test_parquet__reads_lists_maps_and_structs_over_page_borders),
        cmocka_unit_test(test_parquet__reads_many_row_groups_and_none),
        cmocka_unit_test(test_parquet__reads_what_is_allowed_and_rare),
        cmocka_unit_test(test_parquet__passing_over_rows_leaves_the_others_as_they_are),
        cmocka_unit_test(test_parquet__finds_each_lie_and_names_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
