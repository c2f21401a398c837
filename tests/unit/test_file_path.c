/* test_file_path.c - from the text in the log to a place in a store. The vector's name is the example of PROTOCOL.md.
 * Called by: ctest.  Must not know: stores.
 */
#include "in_door.h"

#include "delta/file_path.h"

static arena *memory;

static void expect(const char *uri, path_place place, const char *path) {
    file_place found = file_place_of(memory, str_from(uri), STR("/data/table"));
    assert_int_equal(found.place, place);
    assert_str(found.path, str_from(path));
}

static void decode_paths(arena *a) {
    memory = a;
    expect("part-0.parquet", PATH_INSIDE, "part-0.parquet");
    expect("p=a%20b/x", PATH_INSIDE, "p=a b/x");
    expect("p=a%2525b/x", PATH_INSIDE, "p=a%25b/x"); /* once */
    expect("p=a+b/100%/x", PATH_INSIDE, "p=a+b/100%/x");
    expect("p=\xC3\xA9/x", PATH_INSIDE, "p=\xC3\xA9/x");
    expect("./a//b/./x", PATH_INSIDE, "a/b/x");
    expect("t=10:30/x", PATH_INSIDE, "t=10:30/x");
    expect("t:x/y", PATH_INSIDE, "t:x/y");
}

static void test_file_place__is_decoded_once(void **state) {
    (void)state;
    in_door(decode_paths);
}

static void absolute_paths(arena *a) {
    memory = a;
    expect("/data/table/p=1/x", PATH_INSIDE, "p=1/x");
    expect("file:/data/table/x%20y", PATH_INSIDE, "x y");
    expect("file:///data/table/x", PATH_INSIDE, "x");
    expect("file://localhost/data/table/x", PATH_INSIDE, "x");
    expect("/data/table2/x", PATH_LOCAL, "/data/table2/x");
    expect("file:///data/other/a%20b", PATH_LOCAL, "/data/other/a b");
    expect("/data/table", PATH_LOCAL, "/data/table");
    expect("../other/x", PATH_LOCAL, "/data/table/../other/x");
    expect("a/%2E%2E/../x", PATH_LOCAL, "/data/table/a/../../x");
    expect("/data/table/../x", PATH_LOCAL, "/data/table/../x");
    expect("s3://bucket/a%20b", PATH_ELSEWHERE, "s3://bucket/a%20b");
    expect("file://host/x", PATH_ELSEWHERE, "file://host/x");
    expect("file://host", PATH_ELSEWHERE, "file://host");
}

static void test_file_place__tells_inside_from_outside(void **state) {
    (void)state;
    in_door(absolute_paths);
}

static void expect_vector(const char *stem, path_place place, const char *path) {
    file_place found;
    assert_true(vector_place_of(memory, str_from(stem), STR("/data/table"), &found));
    assert_int_equal(found.place, place);
    assert_str(found.path, str_from(path));
}

static void vectors(arena *a) {
    memory = a;
    file_place unused;
    expect_vector("uab^-aqEH.-t@S}K{vb[*k^", PATH_INSIDE,
                  "ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin");
    expect_vector("u^-aqEH.-t@S}K{vb[*k^", PATH_INSIDE, "deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin");
    expect_vector("p/data/table/a%20b.bin", PATH_INSIDE, "a b.bin");
    expect_vector("ps3://b/v.bin", PATH_ELSEWHERE, "s3://b/v.bin");
    expect_vector("u../^-aqEH.-t@S}K{vb[*k^", PATH_LOCAL,
                  "/data/table/..//deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin");
    assert_false(vector_place_of(a, STR("iwi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L"), STR("/t"), &unused));
    assert_false(vector_place_of(a, STR("u^-aqEH.-t@S}K{vb[*k"), STR("/t"), &unused));  /* 19 digits */
    assert_false(vector_place_of(a, STR("u^-aqEH.-t@S}K{vb[*k~"), STR("/t"), &unused)); /* no digit */
    assert_false(vector_place_of(a, STR("u####################"), STR("/t"), &unused)); /* above 32 bits */
    assert_false(vector_place_of(a, STR("u"), STR("/t"), &unused));
    assert_false(vector_place_of(a, STR(""), STR("/t"), &unused));
    assert_false(vector_place_of(a, STR_NONE, STR("/t"), &unused));
}

static void test_vector_place__is_the_name_made_of_the_uuid(void **state) {
    (void)state;
    in_door(vectors);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_place__is_decoded_once),
        cmocka_unit_test(test_file_place__tells_inside_from_outside),
        cmocka_unit_test(test_vector_place__is_the_name_made_of_the_uuid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
