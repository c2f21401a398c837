/* test_parquet_schema.c - what the footer says: the tree, levels, meanings, shapes, metadata, counts.
 * Called by: ctest.  Must not know: pages.
 */
#include "parquet_files.h"

/* ---- the tree ---- */

static void assert_levels(const pq_file *f, const char *path, unsigned def, unsigned rep) {
    const pq_node *leaf = find_leaf(f, path);
    assert_int_equal(leaf->max_def, def);
    assert_int_equal(leaf->max_rep, rep);
    assert_ptr_equal(pq_leaf(f, leaf->leaf_index), leaf);
}

static void tree_body(arena *a) {
    pq_file *f = open_parquet(a, "nested-v1-snappy.parquet");
    assert_int_equal(pq_schema(f)->child_count, 5);
    assert_null(pq_schema(f)->parent);
    assert_levels(f, "ints.list.element", 3, 1);
    assert_levels(f, "values.key_value.key", 2, 1);
    assert_levels(f, "values.key_value.value", 3, 1);
    assert_levels(f, "deep.list.element.list.element", 5, 2);
    assert_levels(f, "add.path", 1, 0); /* a required column of an optional struct */
    assert_levels(f, "add.tags.key_value.key", 3, 1);
    assert_levels(f, "add.dv.id", 3, 0);
    assert_levels(f, "add.dv.sizes.list.element", 5, 1);
    assert_levels(f, "rows.list.element.on", 4, 1);
    const pq_node *add = pq_child(pq_schema(f), STR("add"));
    assert_non_null(add);
    assert_false(add->is_leaf);
    assert_int_equal(add->max_def, 1);
    assert_ptr_equal(pq_child(add, STR("dv"))->parent, add);
    assert_int_equal(pq_child(add, STR("path"))->repetition, PQ_REQUIRED);
    assert_null(pq_child(add, STR("Path")));
    assert_null(pq_find(f, STR("add.dv.")));
    assert_null(pq_find(f, STR("add..dv")));
    assert_null(pq_find(f, STR("")));
    assert_null(pq_find(f, STR("add.path.more")));
}

static void test_schema__levels_count_optional_and_repeated_nodes(void **state) {
    (void)state;
    in_door(tree_body);
}

static void types_body(arena *a) {
    pq_file *f = open_parquet(a, "types-v1-snappy.parquet");
    assert_int_equal(find_leaf(f, "flag")->type, PQ_BOOLEAN);
    assert_int_equal(find_leaf(f, "d9")->type, PQ_INT32);
    assert_int_equal(find_leaf(f, "d18")->type, PQ_INT64);
    const pq_node *wide = find_leaf(f, "d38"), *fixed = find_leaf(f, "fixed"), *u32 = find_leaf(f, "u32");
    assert_int_equal(wide->type, PQ_FIXED_LEN_BYTE_ARRAY);
    assert_int_equal(wide->type_length, 16);
    assert_int_equal(wide->logical, PQ_LOGICAL_DECIMAL);
    assert_int_equal(wide->precision, 38);
    assert_int_equal(wide->scale, 2);
    assert_int_equal(fixed->type_length, 5);
    assert_int_equal(u32->logical, PQ_LOGICAL_INT);
    assert_int_equal(u32->bit_width, 32);
    assert_false(u32->is_signed);
    assert_int_equal(find_leaf(f, "ts_ms")->logical, PQ_LOGICAL_TIMESTAMP_MILLIS);
    assert_false(find_leaf(f, "ts_ms")->is_adjusted_to_utc);
    assert_int_equal(find_leaf(f, "ts_us")->logical, PQ_LOGICAL_TIMESTAMP_MICROS);
    assert_true(find_leaf(f, "ts_us")->is_adjusted_to_utc);
    assert_int_equal(find_leaf(f, "ts_ns")->logical, PQ_LOGICAL_TIMESTAMP_NANOS);
    assert_int_equal(find_leaf(f, "date")->logical, PQ_LOGICAL_DATE);
    assert_int_equal(find_leaf(f, "text")->logical, PQ_LOGICAL_STRING);
    assert_int_equal(find_leaf(f, "i64")->logical, PQ_LOGICAL_NONE);
}

static void test_schema__types_have_their_meanings(void **state) {
    (void)state;
    in_door(types_body);
}

typedef struct meaning {
    const char *name;
    pq_logical logical;
    uint8_t bit_width;
    bool is_signed, utc;
} meaning;

static void annotations_body(arena *a) {
    static const meaning expected[] = {
        {"utf8", PQ_LOGICAL_STRING, 0, false, false},
        {"enum", PQ_LOGICAL_STRING, 0, false, false},
        {"json", PQ_LOGICAL_STRING, 0, false, false},
        {"date", PQ_LOGICAL_DATE, 0, false, false},
        {"millis", PQ_LOGICAL_TIMESTAMP_MILLIS, 0, false, true},
        {"micros", PQ_LOGICAL_TIMESTAMP_MICROS, 0, false, true},
        {"u8", PQ_LOGICAL_INT, 8, false, false},
        {"u64", PQ_LOGICAL_INT, 64, false, false},
        {"i16", PQ_LOGICAL_INT, 16, true, false},
        {"i64", PQ_LOGICAL_INT, 64, true, false},
        {"decimal", PQ_LOGICAL_DECIMAL, 0, false, false},
        {"nanos", PQ_LOGICAL_TIMESTAMP_NANOS, 0, false, false},
        {"local", PQ_LOGICAL_TIMESTAMP_MICROS, 0, false, false}, /* the new annotation wins over the old one */
        {"i32", PQ_LOGICAL_INT, 32, true, false},
        {"number", PQ_LOGICAL_DECIMAL, 0, false, false},
        {"text", PQ_LOGICAL_STRING, 0, false, false},
        {"day", PQ_LOGICAL_DATE, 0, false, false},
        {"uuid", PQ_LOGICAL_OTHER, 0, false, false},
        {"plain", PQ_LOGICAL_NONE, 0, false, false},
        {"no_date", PQ_LOGICAL_OTHER, 0, false, false},
        {"no_text", PQ_LOGICAL_OTHER, 0, false, false},
        {"no_scale", PQ_LOGICAL_OTHER, 0, false, false},
        {"no_width", PQ_LOGICAL_OTHER, 64, true, false},
        {"no_stamp", PQ_LOGICAL_OTHER, 0, false, true},
        {"new", PQ_LOGICAL_OTHER, 0, false, false},
    };
    pq_file *f = open_parquet(a, "odd-annotations.parquet");
    assert_int_equal(pq_leaf_count(f), sizeof expected / sizeof *expected);
    for (size_t i = 0; i < pq_leaf_count(f); i++) {
        const pq_node *leaf = find_leaf(f, expected[i].name);
        if (leaf->logical != expected[i].logical || leaf->bit_width != expected[i].bit_width ||
            leaf->is_signed != expected[i].is_signed || leaf->is_adjusted_to_utc != expected[i].utc)
            fail_msg("%s: logical %d width %d signed %d utc %d", expected[i].name, (int)leaf->logical, leaf->bit_width,
                     leaf->is_signed, leaf->is_adjusted_to_utc);
    }
    assert_int_equal(find_leaf(f, "decimal")->scale, 3);
    assert_int_equal(find_leaf(f, "decimal")->precision, 20);
    assert_int_equal(find_leaf(f, "number")->scale, 2);
    assert_int_equal(find_leaf(f, "number")->precision, 18);
}

static void test_schema__old_and_new_annotations_are_read_and_misfits_are_other(void **state) {
    (void)state;
    in_door(annotations_body);
}

/* ---- shapes ---- */

static void assert_element(const pq_file *f, const char *list, const char *element) {
    assert_ptr_equal(pq_list_element(pq_find(f, str_from(list))), pq_find(f, str_from(element)));
}

static void shapes_body(arena *a) {
    pq_file *f = open_parquet(a, "odd-schema.parquet"), *new = open_parquet(a, "nested-v1-snappy.parquet");
    assert_element(f, "a", "a.array");
    assert_element(f, "b", "b.array");
    assert_element(f, "c", "c.c_tuple");
    assert_element(f, "d", "d.entry");
    assert_element(f, "e", "e");
    assert_element(new, "ints", "ints.list.element");
    assert_element(new, "deep", "deep.list.element");
    assert_null(pq_list_element(pq_find(new, STR("add"))));
    assert_null(pq_list_element(pq_find(new, STR("add.path"))));
    assert_ptr_equal(pq_map_key(pq_find(f, STR("f"))), pq_find(f, STR("f.entries.keys")));
    assert_ptr_equal(pq_map_value(pq_find(f, STR("f"))), pq_find(f, STR("f.entries.values")));
    assert_ptr_equal(pq_map_value(pq_find(new, STR("values"))), pq_find(new, STR("values.key_value.value")));
    assert_null(pq_map_key(pq_find(new, STR("add"))));
    assert_null(pq_map_key(pq_find(f, STR("a"))));
    assert_null(pq_map_value(pq_find(new, STR("ints"))));
}

static void test_schema__lists_and_maps_are_found_by_shape(void **state) {
    (void)state;
    in_door(shapes_body);
}

/* ---- the file ---- */

static void file_body(arena *a) {
    pq_file *f = open_parquet(a, "groups-v1-snappy.parquet");
    assert_int_equal(pq_row_group_count(f), 5);
    assert_int_equal(pq_row_group_rows(f, 0), 5);
    assert_int_equal(pq_row_group_rows(f, 4), 3);
    assert_int_equal(pq_row_count(f), 23);
    assert_true(str_starts_with(pq_created_by(f), STR("parquet-cpp-arrow")));
    assert_true(str_is_none(pq_metadata(f, STR("who"))));
    f = open_parquet(a, "odd-schema.parquet");
    assert_str(pq_metadata(f, STR("who")), STR("craft"));
    assert_false(str_is_none(pq_metadata(f, STR("empty"))));
    assert_true(str_is_none(pq_metadata(f, STR("whom"))));
    assert_str(pq_created_by(f), STR("craft"));
    assert_true(str_is_none(pq_created_by(open_parquet(a, "odd-annotations.parquet"))));
    assert_int_equal(pq_row_count(open_parquet(a, "empty-v1-snappy.parquet")), 0);
    f = open_parquet(a, "odd-long-footer.parquet"); /* longer than what is read first */
    assert_int_equal(pq_metadata(f, STR("long")).len, 66000);
    assert_str(pq_metadata(f, STR("next")), STR("here"));
}

static void test_schema__counts_and_metadata_of_the_file(void **state) {
    (void)state;
    in_door(file_body);
}

static void footer_limit_body(arena *a) {
    pq_file *f;
    lp_err err = {0};
    assert_int_equal(
        try_open_parquet(a, STR("types-v1-snappy.parquet"), (pq_limits){.max_footer_bytes = 100}, &f, &err),
        LP_ERR_LIMIT);
    assert_null(f);
    assert_non_null(strstr(err.text, "limit of 100"));
}

static void test_schema__a_footer_is_limited(void **state) {
    (void)state;
    in_door(footer_limit_body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schema__levels_count_optional_and_repeated_nodes),
        cmocka_unit_test(test_schema__types_have_their_meanings),
        cmocka_unit_test(test_schema__old_and_new_annotations_are_read_and_misfits_are_other),
        cmocka_unit_test(test_schema__lists_and_maps_are_found_by_shape),
        cmocka_unit_test(test_schema__counts_and_metadata_of_the_file),
        cmocka_unit_test(test_schema__a_footer_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
