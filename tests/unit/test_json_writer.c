/* test_json_writer.c - what the writer prints, byte for byte.
 * Called by: ctest.  Must not know: any report.
 */
#include "in_door.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json/json_writer.h"

static json_writer writer(arena *a, buf *out, unsigned indent) {
    json_writer w;
    buf_init(out, a, 1 << 20);
    json_writer_init(&w, out, indent);
    return w;
}

static void put_sample(json_writer *w) {
    json_begin_object(w);
    json_put_key(w, STR("a"));
    json_put_int(w, -1);
    json_put_key(w, STR("b"));
    json_begin_array(w);
    json_put_bool(w, true);
    json_begin_object(w);
    json_end_object(w);
    json_begin_array(w);
    json_end_array(w);
    json_put_null(w);
    json_begin_array(w);
    json_put_uint(w, 2);
    json_end_array(w);
    json_end_array(w);
    json_put_key(w, STR("c"));
    json_put_string(w, STR("x"));
    json_put_key(w, STR("d"));
    json_put_raw(w, STR("[1, 2]"));
    json_put_key(w, STR("e"));
    json_begin_object(w);
    json_end_object(w);
    json_end_object(w);
}

static void one_line(arena *a) {
    buf out;
    json_writer w = writer(a, &out, 0);
    put_sample(&w);
    assert_str(buf_str(&out), STR("{\"a\":-1,\"b\":[true,{},[],null,[2]],\"c\":\"x\",\"d\":[1, 2],\"e\":{}}"));
}

static void test_json_writer__one_line_has_no_blanks(void **state) {
    (void)state;
    in_door(one_line);
}

static void pretty(arena *a) {
    buf out;
    json_writer w = writer(a, &out, 2);
    put_sample(&w);
    assert_str(buf_str(&out), STR("{\n"
                                  "  \"a\": -1,\n"
                                  "  \"b\": [\n"
                                  "    true,\n"
                                  "    {},\n"
                                  "    [],\n"
                                  "    null,\n"
                                  "    [\n"
                                  "      2\n"
                                  "    ]\n"
                                  "  ],\n"
                                  "  \"c\": \"x\",\n"
                                  "  \"d\": [1, 2],\n"
                                  "  \"e\": {}\n"
                                  "}"));
}

static void test_json_writer__pretty_indents_all_but_what_is_empty(void **state) {
    (void)state;
    in_door(pretty);
}

static void top_values(arena *a) {
    buf out;
    json_writer w = writer(a, &out, 2);
    json_put_string(&w, STR("x"));
    assert_str(buf_str(&out), STR("\"x\""));
    w = writer(a, &out, 4);
    json_begin_array(&w);
    json_end_array(&w);
    assert_str(buf_str(&out), STR("[]"));
}

static void test_json_writer__a_value_may_stand_alone(void **state) {
    (void)state;
    in_door(top_values);
}

static void strings(arena *a) {
    static const struct {
        str text;
        const char *written;
    } c[] = {
        {{"", 0}, "\"\""},
        {{"a/b", 3}, "\"a/b\""},
        {{"\"\\", 2}, "\"\\\"\\\\\""},
        {{"\b\t\n\f\r", 5}, "\"\\b\\t\\n\\f\\r\""},
        {{"\0\x01\x1F\x7F", 4}, "\"\\u0000\\u0001\\u001f\x7F\""},
        {{"\xC3\xA9\xE6\xBC\xA2\xF0\x9F\x98\x80", 9}, "\"\xC3\xA9\xE6\xBC\xA2\xF0\x9F\x98\x80\""},
        {{"a\xFF"
          "b",
          3},
         "\"a\xEF\xBF\xBD"
         "b\""},
        {{"\xE6\xBC", 2}, "\"\xEF\xBF\xBD\xEF\xBF\xBD\""}, /* each byte for itself */
        {{"\xED\xA0\x80z", 4}, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz\""},
        {{"\xE2\x80\xA8", 3}, "\"\xE2\x80\xA8\""},
    };
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        buf out;
        json_writer w = writer(a, &out, 0);
        json_put_string(&w, c[i].text);
        assert_str(buf_str(&out), str_from(c[i].written));
    }
    buf out;
    json_writer w = writer(a, &out, 0);
    json_begin_object(&w);
    json_put_key(&w, STR("\"\n"));
    json_put_string_or_null(&w, STR_NONE);
    json_put_key(&w, STR(""));
    json_put_string_or_null(&w, STR(""));
    json_end_object(&w);
    assert_str(buf_str(&out), STR("{\"\\\"\\n\":null,\"\":\"\"}"));
}

static void test_json_writer__strings_are_escaped_where_they_must_be(void **state) {
    (void)state;
    in_door(strings);
}

static void integers(arena *a) {
    buf out;
    json_writer w = writer(a, &out, 0);
    json_begin_array(&w);
    json_put_int(&w, INT64_MIN);
    json_put_int(&w, INT64_MAX);
    json_put_uint(&w, UINT64_MAX);
    json_put_uint(&w, 0);
    json_put_bool(&w, false);
    json_end_array(&w);
    assert_str(buf_str(&out), STR("[-9223372036854775808,9223372036854775807,18446744073709551615,0,false]"));
}

static void test_json_writer__integers_are_whole(void **state) {
    (void)state;
    in_door(integers);
}

/* Digits by Python's repr, layout by the rule of serde_json: plain for 1e-5 <= v < 1e16. */
static const struct {
    double v;
    const char *text;
} doubles[] = {
    {0.0, "0.0"},
    {-0.0, "-0.0"},
    {1, "1.0"},
    {-1.5, "-1.5"},
    {100, "100.0"},
    {0.1, "0.1"},
    {250.0 / 3, "83.33333333333333"},
    {100.0 / 3 * 2.5, "83.33333333333334"},
    {66.66666666666667, "66.66666666666667"},
    {1.0 / 3, "0.3333333333333333"},
    {123456.789, "123456.789"},
    {1e15, "1000000000000000.0"},
    {9999999999999998.0, "9999999999999998.0"},
    {1e16, "1e16"},
    {1.2e16, "1.2e16"},
    {12345678901234567890.0, "1.2345678901234567e19"},
    {1e23, "1e23"},
    {1e-4, "0.0001"},
    {1e-5, "0.00001"},
    {1.5e-5, "0.000015"},
    {1e-6, "1e-6"},
    {1.5e-7, "1.5e-7"},
    {5e-324, "5e-324"},
    {1.7976931348623157e308, "1.7976931348623157e308"},
    {2.2250738585072014e-308, "2.2250738585072014e-308"},
    {9007199254740993.0, "9007199254740992.0"},
    {0x1p-44, "5.684341886080802e-14"},
    {0x1p-1074, "5e-324"},
    {0x1p-24, "5.960464477539063e-8"},
};

static void print_doubles(arena *a) {
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
        buf out;
        json_writer w = writer(a, &out, 0);
        json_put_double(&w, doubles[i].v);
        assert_str(buf_str(&out), str_from(doubles[i].text));
    }
}

static void test_json_writer__doubles_have_the_fewest_digits_that_read_back(void **state) {
    (void)state;
    in_door(print_doubles);
}

static void no_numbers(arena *a) {
    buf out;
    json_writer w = writer(a, &out, 0);
    json_begin_array(&w);
    json_put_double(&w, (double)NAN);
    json_put_double(&w, (double)INFINITY);
    json_put_double(&w, -(double)INFINITY);
    json_end_array(&w);
    assert_str(buf_str(&out), STR("[null,null,null]"));
}

static void test_json_writer__what_is_no_number_is_null(void **state) {
    (void)state;
    in_door(no_numbers);
}

/* Powers of two have neighbours of two distances, subnormal ones few digits. */
static void read_back(arena *a) {
    for (int exponent = -1074; exponent < 1024; exponent++) {
        double v = ldexp(1, exponent);
        for (int step = -1; step <= 1; step++) {
            double near = step ? nextafter(v, step * (double)INFINITY) : v;
            buf out;
            json_writer w = writer(a, &out, 0);
            json_put_double(&w, near);
            assert_true(out.len <= 24);
            buf_put_char(&out, '\0');
            assert_true(strtod(out.ptr, NULL) == near);
        }
        arena_reset(a);
    }
}

static void test_json_writer__doubles_read_back_around_each_power_of_two(void **state) {
    (void)state;
    in_door(read_back);
}

static void test_json_writer__the_locale_changes_nothing(void **state) {
    (void)state;
    locale_t comma = newlocale(LC_ALL_MASK, "de_DE.UTF-8", (locale_t)0);
    if (!comma) {
        print_message("skipped: no locale with a decimal comma here\n");
        skip();
    }
    locale_t before = uselocale(comma);
    in_door(print_doubles);
    (void)uselocale(before);
    freelocale(comma);
}

static void nest(arena *a) {
    buf out;
    json_writer w = writer(a, &out, 0);
    for (int i = 0; i < 63; i++) json_begin_array(&w);
    json_put_null(&w);
    json_put_null(&w);
    for (int i = 0; i < 63; i++) json_end_array(&w);
    assert_int_equal(out.len, 63 + 9 + 63);
}

static void nest_too_deep(arena *a) {
    buf out;
    json_writer w = writer(a, &out, 0);
    for (int i = 0; i < 64; i++) json_begin_array(&w);
}

static void test_json_writer__nests_63_levels_and_no_more(void **state) {
    (void)state;
    lp_err err;
    in_door(nest);
    leaves_door(nest_too_deep, 0, &err);
    assert_string_equal(err.text, "JSON to be written is nested more than 63 levels");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_writer__one_line_has_no_blanks),
        cmocka_unit_test(test_json_writer__pretty_indents_all_but_what_is_empty),
        cmocka_unit_test(test_json_writer__a_value_may_stand_alone),
        cmocka_unit_test(test_json_writer__strings_are_escaped_where_they_must_be),
        cmocka_unit_test(test_json_writer__integers_are_whole),
        cmocka_unit_test(test_json_writer__doubles_have_the_fewest_digits_that_read_back),
        cmocka_unit_test(test_json_writer__what_is_no_number_is_null),
        cmocka_unit_test(test_json_writer__doubles_read_back_around_each_power_of_two),
        cmocka_unit_test(test_json_writer__the_locale_changes_nothing),
        cmocka_unit_test(test_json_writer__nests_63_levels_and_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
