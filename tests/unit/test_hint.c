/* test_hint.c - the canonical form and the checksum of _last_checkpoint.
 * Called by: ctest.  Must not know: checkpoints.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/md5.h"
#include "delta/hint.h"

/* The example of PROTOCOL.md, JSON checksum. */
#define EXAMPLE                                                                                                        \
    "{\"k0\":\"'v 0'\",\"checksum\":\"adsaskfljadfkjadfkj\",\"k1\":{\"k2\":2,\"k3\":[\"v3\",[1,2],{\"k4\":\"v4\","    \
    "\"k5\":[\"v5\",\"v6\",\"v7\"]}]}}"

static arena memory;
static const char *why;

static int setup(void **state) {
    (void)state;
    arena_init(&memory, 0);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_end(&memory);
    return 0;
}

static str padded(const char *text) {
    size_t len = strlen(text);
    char *copy = arena_alloc(&memory, len + JSON_PADDING);
    memcpy(copy, text, len);
    return (str){copy, len};
}

static str canonical(const char *text) {
    return hint_canonical(&memory, json_reader_new(&memory), padded(text), 1 << 20, &why);
}

static void expect_canonical(const char *text, const char *expected) {
    str found = canonical(text);
    if (!str_eq(found, str_from(expected))) fail_msg("expected `%s`, found `" STR_FMT "`", expected, STR_ARG(found));
}

static void expect_refused(const char *text, const char *reason) {
    assert_true(str_is_none(canonical(text)));
    if (!strstr(why, reason)) fail_msg("expected `%s`, found `%s`", reason, why);
}

static story_hint parse(const char *text) {
    return hint_parse(&memory, padded(text));
}

static void expect_ignored(const char *text, const char *reason) {
    story_hint h = parse(text);
    assert_int_equal(h.state, HINT_IGNORED);
    if (!strstr(h.why.ptr, reason)) fail_msg("expected `%s`, found `" STR_FMT "`", reason, STR_ARG(h.why));
}

static void test_hint__canonical_form_of_the_protocol_s_example(void **state) {
    (void)state;
    expect_canonical(EXAMPLE, "\"k0\"=\"%27v%200%27\",\"k1\"+\"k2\"=2,\"k1\"+\"k3\"+0=\"v3\",\"k1\"+\"k3\"+1+0=1,"
                              "\"k1\"+\"k3\"+1+1=2,\"k1\"+\"k3\"+2+\"k4\"=\"v4\",\"k1\"+\"k3\"+2+\"k5\"+0=\"v5\","
                              "\"k1\"+\"k3\"+2+\"k5\"+1=\"v6\",\"k1\"+\"k3\"+2+\"k5\"+2=\"v7\"");
    char hex[33];
    md5 m;
    md5_init(&m);
    md5_put(&m, canonical(EXAMPLE));
    md5_finish(&m, hex);
    assert_string_equal(hex, "6a92d155a59bf2eecbd4b4ec7fd1f875");
}

static void test_hint__pairs_are_sorted_by_the_bytes_of_their_paths(void **state) {
    (void)state;
    expect_canonical("{\"b\":1,\"a\":2,\"B\":3,\"\xc3\xa4\":4}", "\"%C3%A4\"=4,\"B\"=3,\"a\"=2,\"b\"=1");
    expect_canonical("{\"a\":[0,1,2,3,4,5,6,7,8,9,10]}",
                     "\"a\"+0=0,\"a\"+1=1,\"a\"+10=10,\"a\"+2=2,\"a\"+3=3,\"a\"+4=4,\"a\"+5=5,\"a\"+6=6,\"a\"+7=7,"
                     "\"a\"+8=8,\"a\"+9=9");
}

static void test_hint__numbers_and_literals_stay_as_they_are_written(void **state) {
    (void)state;
    expect_canonical("{ \"a\" : 1.50E+2 , \"b\" : [ true , false , null ] }",
                     "\"a\"=1.50E+2,\"b\"+0=true,\"b\"+1=false,\"b\"+2=null");
}

static void test_hint__only_unreserved_characters_stay_bare(void **state) {
    (void)state;
    expect_canonical("{\"a-._~Z9\":\"\\u00e4+/\\\"\\n\"}", "\"a-._~Z9\"=\"%C3%A4%2B%2F%22%0A\"");
}

static void test_hint__empty_containers_contribute_nothing(void **state) {
    (void)state;
    expect_canonical("{\"a\":{},\"b\":[],\"c\":[{},[]],\"d\":1}", "\"d\"=1");
    expect_canonical("{}", "");
}

static void test_hint__only_the_top_level_checksum_is_left_out(void **state) {
    (void)state;
    expect_canonical("{\"checksum\":{\"x\":1},\"a\":{\"checksum\":2}}", "\"a\"+\"checksum\"=2");
}

static void test_hint__a_key_that_stands_twice_makes_it_invalid(void **state) {
    (void)state;
    expect_refused("{\"a\":1,\"\\u0061\":1}", "twice");
    expect_refused("{\"v\":{\"a\":{},\"a\":[]}}", "twice");
    expect_canonical("{\"a\":{\"b\":1},\"b\":{\"b\":1}}", "\"a\"+\"b\"=1,\"b\"+\"b\"=1");
    expect_ignored("{\"version\":1,\"size\":2,\"size\":2}", "twice");
}

static void test_hint__what_is_no_object_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"", "1", "[]", "{", "{\"a\"", "{\"a\":}", "{\"a\":[1}", "{} {}", "{\"a\":1,}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_true(str_is_none(canonical(bad[i])));
}

static void test_hint__a_form_longer_than_the_limit_is_refused(void **state) {
    (void)state;
    const char *text = "{\"aaaaaaaaaa\":[1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0]}";
    assert_true(str_is_none(hint_canonical(&memory, json_reader_new(&memory), padded(text), 100, &why)));
    if (!strstr(why, "too long")) fail_msg("%s", why);
}

static void test_hint__checksum_is_verified(void **state) {
    (void)state;
    /* MD5 of "size"=3,"version"=1 */
    story_hint h = parse("{\"version\":1,\"size\":3,\"checksum\":\"2d1c4a67e48423945dbe5ddb010b2c9e\"}");
    assert_int_equal(h.checksum, CHECKSUM_VERIFIED);
    assert_int_equal(h.state, HINT_GOOD);
    assert_int_equal(h.version, 1);
}

static void test_hint__wrong_checksum_is_ignored_with_both_numbers(void **state) {
    (void)state;
    story_hint h = parse("{\"version\":1,\"size\":4,\"checksum\":\"2d1c4a67e48423945dbe5ddb010b2c9e\"}");
    assert_int_equal(h.checksum, CHECKSUM_WRONG);
    assert_int_equal(h.state, HINT_IGNORED);
    assert_true(h.has_version);
    assert_non_null(strstr(h.why.ptr, "2d1c4a67e48423945dbe5ddb010b2c9e, and it is"));
    assert_int_equal(parse("{\"version\":1,\"checksum\":7}").checksum, CHECKSUM_WRONG);
    assert_int_equal(parse("{\"version\":1,\"checksum\":{}}").checksum, CHECKSUM_WRONG);
}

static void test_hint__without_checksum_it_is_good(void **state) {
    (void)state;
    story_hint h = parse("{\"version\":1,\"size\":3,\"checksum\":null,\"later\":{\"unknown\":[1]}}");
    assert_int_equal(h.state, HINT_GOOD);
    assert_int_equal(h.checksum, CHECKSUM_ABSENT);
}

static void test_hint__without_a_version_it_is_ignored(void **state) {
    (void)state;
    expect_ignored("{\"size\":3}", "no version");
    expect_ignored("{\"version\":\"1\"}", "no version");
    expect_ignored("{\"version\":1.5}", "no version");
    expect_ignored("{\"version\":[1]}", "no version");
}

static void test_hint__tells_the_file_and_its_size(void **state) {
    (void)state;
    story_hint h = parse("{\"version\":1,\"v2Checkpoint\":{\"nonFileActions\":[{\"path\":3}],\"path\":\"f.json\","
                         "\"sizeInBytes\":9007199254740993,\"sidecarFiles\":[]},\"size\":3}");
    assert_int_equal(h.state, HINT_GOOD);
    assert_true(str_eq(h.file, STR("f.json")));
    assert_int_equal(h.file_bytes, 9007199254740993);
    h = parse("{\"version\":1,\"v2Checkpoint\":{\"path\":{},\"sizeInBytes\":[1]}}");
    assert_int_equal(h.state, HINT_GOOD);
    assert_true(str_is_none(h.file));
    assert_int_equal(h.file_bytes, -1);
    assert_int_equal(parse("{\"v2Checkpoint\":null,\"version\":2}").version, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_hint__canonical_form_of_the_protocol_s_example),
        TEST(test_hint__pairs_are_sorted_by_the_bytes_of_their_paths),
        TEST(test_hint__numbers_and_literals_stay_as_they_are_written),
        TEST(test_hint__only_unreserved_characters_stay_bare),
        TEST(test_hint__empty_containers_contribute_nothing),
        TEST(test_hint__only_the_top_level_checksum_is_left_out),
        TEST(test_hint__a_key_that_stands_twice_makes_it_invalid),
        TEST(test_hint__what_is_no_object_is_refused),
        TEST(test_hint__a_form_longer_than_the_limit_is_refused),
        TEST(test_hint__checksum_is_verified),
        TEST(test_hint__wrong_checksum_is_ignored_with_both_numbers),
        TEST(test_hint__without_checksum_it_is_good),
        TEST(test_hint__without_a_version_it_is_ignored),
        TEST(test_hint__tells_the_file_and_its_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
