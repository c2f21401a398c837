/* test_parquet_thrift.c - the compact protocol: forms, limits, faults.
 * Called by: ctest.  Must not know: Parquet.
 */
#include "in_door.h"

#include <string.h>

#include "parquet/thrift.h"

#define READER(t, ...)                                                                                                 \
    static const uint8_t bytes_[] = {__VA_ARGS__};                                                                     \
    thrift t;                                                                                                          \
    thrift_init(&t, bytes_, sizeof bytes_)

/* Field 1 i32 -1, field 3 true, field 20 (long form) binary "ab", field 21 double, field 22 uuid, stop. */
static void test_thrift__walks_fields_in_short_and_long_form(void **state) {
    (void)state;
    READER(t, 0x15, 0x01, 0x21, 0x08, 0x28, 0x02, 'a', 'b', 0x17, 0, 0, 0, 0, 0, 0, 0, 0, 0x1D, 0, 0, 0, 0, 0, 0, 0, 0,
           0, 0, 0, 0, 0, 0, 0, 0, 0x00);
    thrift_field f = thrift_struct(&t);
    assert_true(thrift_next(&t, &f) && f.id == 1);
    assert_int_equal(thrift_i32(&t, f.type), -1);
    assert_true(thrift_next(&t, &f) && f.id == 3);
    assert_true(thrift_bool(&t, f.type));
    assert_true(thrift_next(&t, &f) && f.id == 20);
    assert_str(thrift_binary(&t, f.type), STR("ab"));
    while (thrift_next(&t, &f)) thrift_skip(&t, f.type);
    assert_int_equal(t.fault, THRIFT_OK);
    assert_int_equal(f.id, 22);
    assert_ptr_equal(t.at, t.end);
    assert_int_equal(t.depth, 0);
}

/* A list of booleans, a set of two i16, a map of binary to list of byte, an empty map: all skipped. */
static void test_thrift__skips_containers(void **state) {
    (void)state;
    READER(t, 0x19, 0x31, 1, 2, 1, 0x1A, 0x24, 2, 4, 0x1B, 1, 0x89, 1, 'k', 0x13, 7, 0x1B, 0, 0x00, 0xEE);
    for (thrift_field f = thrift_struct(&t); thrift_next(&t, &f);) thrift_skip(&t, f.type);
    assert_int_equal(t.fault, THRIFT_OK);
    assert_int_equal(t.end - t.at, 1);
}

static void test_thrift__every_cut_is_short_and_stays_inside(void **state) {
    (void)state;
    static const uint8_t bytes[] = {0x15, 0x80, 0x01, 0x19, 0x28, 1, 'x', 2, 'y', 'z', 0x1C, 0x16, 0x02, 0x00, 0x00};
    for (size_t cut = 0; cut < sizeof bytes; cut++) {
        thrift t;
        thrift_init(&t, bytes, cut);
        for (thrift_field f = thrift_struct(&t); thrift_next(&t, &f);) thrift_skip(&t, f.type);
        assert_int_equal(t.fault, THRIFT_SHORT);
        assert_true(t.at <= t.end);
    }
}

static void assert_fault(const uint8_t *bytes, size_t size, thrift_fault fault) {
    thrift t;
    thrift_init(&t, bytes, size);
    for (thrift_field f = thrift_struct(&t); thrift_next(&t, &f);) thrift_skip(&t, f.type);
    assert_int_equal(t.fault, fault);
    assert_non_null(t.expected);
}

#define ASSERT_FAULT(fault, ...)                                                                                       \
    do {                                                                                                               \
        const uint8_t made_[] = {__VA_ARGS__};                                                                         \
        assert_fault(made_, sizeof made_, fault);                                                                      \
    } while (0)

static void test_thrift__refuses_what_cannot_be(void **state) {
    (void)state;
    ASSERT_FAULT(THRIFT_BAD, 0x1E, 0x00);                                                             /* type 14 */
    ASSERT_FAULT(THRIFT_BAD, 0x16, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02, 0x00); /* 65 bits */
    ASSERT_FAULT(THRIFT_SHORT, 0x19, 0xF5, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x00); /* a list of 34 billion */
    ASSERT_FAULT(THRIFT_SHORT, 0x1B, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x55, 0x00); /* a map of as many */
    ASSERT_FAULT(THRIFT_BAD, 0x1B, 0x01, 0xF5, 0x01, 0x01, 0x00);               /* keys of type 15 */
    ASSERT_FAULT(THRIFT_BAD, 0x19, 0x10, 0x00, 0x00);                           /* elements of type 0 */
    ASSERT_FAULT(THRIFT_BAD, 0x05, 0x80, 0x80, 0x08, 0x00);                     /* field number 65536 */
    ASSERT_FAULT(THRIFT_SHORT, 0x18, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01,
                 'a'); /* 2^64 - 1 bytes */
}

static void test_thrift__a_value_of_another_kind_is_a_fault(void **state) {
    (void)state;
    READER(t, 0x18, 0x01, 'a', 0x00);
    thrift_field f = thrift_struct(&t);
    assert_true(thrift_next(&t, &f));
    assert_int_equal(thrift_i32(&t, f.type), 0);
    assert_int_equal(t.fault, THRIFT_BAD);
    assert_false(thrift_next(&t, &f)); /* and it stays */
    assert_true(str_is_none(thrift_binary(&t, THRIFT_BINARY)));
    assert_string_equal(t.expected, "an integer");
}

/* Structs inside each other: a struct that is skipped counts twice. */
static lp_status skip_nested(unsigned depth) {
    uint8_t bytes[256];
    memset(bytes, 0x1C, depth);
    memset(bytes + depth, 0, depth + 1);
    thrift t;
    thrift_init(&t, bytes, 2 * depth + 1);
    for (thrift_field f = thrift_struct(&t); thrift_next(&t, &f);) thrift_skip(&t, f.type);
    return t.fault == THRIFT_OK ? LP_OK : LP_ERR_FORMAT;
}

static void test_thrift__depth_is_limited(void **state) {
    (void)state;
    assert_int_equal(skip_nested((THRIFT_MAX_DEPTH - 1) / 2), LP_OK);
    assert_int_equal(skip_nested((THRIFT_MAX_DEPTH - 1) / 2 + 1), LP_ERR_FORMAT);
}

/* Lists of one list of one list ... */
static lp_status skip_lists(unsigned depth) {
    uint8_t bytes[256];
    memset(bytes, 0x19, depth);
    bytes[depth] = 0x13;
    bytes[depth + 1] = 0;
    bytes[depth + 2] = 0;
    thrift t;
    thrift_init(&t, bytes, depth + 3);
    for (thrift_field f = thrift_struct(&t); thrift_next(&t, &f);) thrift_skip(&t, f.type);
    return t.fault == THRIFT_OK ? LP_OK : LP_ERR_FORMAT;
}

static void test_thrift__lists_of_lists_are_limited(void **state) {
    (void)state;
    assert_int_equal(skip_lists(THRIFT_MAX_DEPTH - 2), LP_OK);
    assert_int_equal(skip_lists(THRIFT_MAX_DEPTH - 1), LP_ERR_FORMAT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thrift__walks_fields_in_short_and_long_form),
        cmocka_unit_test(test_thrift__skips_containers),
        cmocka_unit_test(test_thrift__every_cut_is_short_and_stays_inside),
        cmocka_unit_test(test_thrift__refuses_what_cannot_be),
        cmocka_unit_test(test_thrift__a_value_of_another_kind_is_a_fault),
        cmocka_unit_test(test_thrift__depth_is_limited),
        cmocka_unit_test(test_thrift__lists_of_lists_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
