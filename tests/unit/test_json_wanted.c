/* test_json_wanted.c - going from wanted member to wanted member of an object.
 * Called by: ctest.  Must not know: what the documents mean.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/buf.h"
#include "base/door.h"
#include "json/json.h"

static arena memory;

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

typedef struct walk {
    const char *text;
    buf seen;
} walk;

/* Writes position and value of each wanted member: `0=5 1=x`, then `}` or `!`. */
static lp_status walk_body(void *context, lp_err *err) {
    walk *w = context;
    size_t len = strlen(w->text);
    char *copy = arena_alloc(&memory, len + JSON_PADDING);
    memcpy(copy, w->text, len);
    static const str wanted[] = {{"a", 1}, {"bb", 2}, {"", 0}, {"a longer name", 13}};
    const json_names *names = json_names_new(&memory, wanted, 4);
    json_reader *r = json_reader_new(&memory);
    TRY(json_start(r, (str){copy, len}, err));
    (void)json_next(r);
    buf_init(&w->seen, &memory, 4096);
    size_t which;
    json_kind k;
    while ((k = json_next_wanted(r, names, &memory, &which)) == JSON_KEY) {
        json_token v = json_next(r);
        buf_printf(&w->seen, "%zu=" STR_FMT " ", which, STR_ARG(v.text));
        if (v.kind == JSON_OBJECT_BEGIN || v.kind == JSON_ARRAY_BEGIN) (void)json_skip(r);
    }
    buf_put(&w->seen, k == JSON_OBJECT_END && json_next(r).kind == JSON_END ? STR("}") : STR("!"));
    return LP_OK;
}

static void expect_members(const char *text, const char *seen) {
    walk w = {.text = text};
    lp_err err;
    if (door_run(walk_body, &w, &err) != LP_OK) fail_msg("%s", err.text);
    buf_put_char(&w.seen, '\0');
    assert_string_equal(w.seen.ptr, seen);
}

static void test_json_next_wanted__finds_them_in_any_order(void **state) {
    (void)state;
    expect_members("{}", "}");
    expect_members("{\"a\":1}", "0=1 }");
    expect_members("{\"x\":1,\"bb\":\"v\",\"y\":-2.5,\"a\":2,\"z\":\"s\"}", "1=v 0=2 }");
    expect_members("{\"bb\":1,\"a\":2,\"bb\":3}", "1=1 0=2 1=3 }");
    expect_members("{\"\":7,\"b\":8,\"bbb\":9}", "2=7 }");
    expect_members("{\"a longer namE\":7,\"A longer name\":8,\"a longer name\":9}", "3=9 }");
}

static void test_json_next_wanted__passes_over_values_of_every_kind(void **state) {
    (void)state;
    expect_members("{\"x\":{\"a\":1,\"y\":[{\"bb\":2}]},\"y\":[],\"z\":null,\"t\":true,\"f\":false,\"e\":1e5,\"long\":"
                   "0.12345678901234567890123456789,\"esc\":\"\\n\",\"a\":3}",
                   "0=3 }");
    expect_members("{ \"x\" : 1 , \"a\" : 2 , \"bb\" : [ 1 ] }", "0=2 1= }");
}

static void test_json_next_wanted__reads_escapes_in_keys(void **state) {
    (void)state;
    expect_members("{\"\\u0061\":1,\"\\u0062b\":\"\\n\",\"\\\\a\":2,\"a\":3}", "0=1 1=\\n 0=3 }");
}

/* More names than bits, so that nearly every key is looked up; each is found, and what resembles one is not. */
static lp_status look_for_many(void *context, lp_err *err) {
    enum { COUNT = 1000 };
    (void)context;
    str *name = ARENA_ARRAY(&memory, str, COUNT);
    buf text;
    buf_init(&text, &memory, 1 << 20);
    for (size_t i = 0; i < COUNT; i++) {
        name[i] = str_format(&memory, "%scolumn_%zu", i % 3 ? "a_rather_long_" : "", i);
        buf_printf(&text, "%s\"" STR_FMT "\":%zu,\"" STR_FMT "x\":\"s\"", i ? "," : "{", STR_ARG(name[i]), i,
                   STR_ARG(name[i]));
    }
    buf_put(&text, STR("}"));
    size_t len = text.len, which;
    memset(buf_reserve(&text, JSON_PADDING), '"', JSON_PADDING);
    const json_names *names = json_names_new(&memory, name, COUNT);
    json_reader *r = json_reader_new(&memory);
    TRY(json_start(r, (str){text.ptr, len}, err));
    (void)json_next(r);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(json_next_wanted(r, names, &memory, &which), JSON_KEY);
        assert_int_equal(which, i);
        assert_int_equal(json_next(r).kind, JSON_NUMBER);
    }
    assert_int_equal(json_next_wanted(r, names, &memory, &which), JSON_OBJECT_END);
    assert_int_equal(json_next(r).kind, JSON_END);
    return LP_OK;
}

static void test_json_next_wanted__takes_any_number_of_names(void **state) {
    (void)state;
    lp_err err;
    assert_int_equal(door_run(look_for_many, NULL, &err), LP_OK);
    expect_members("{}", "}");
}

static void test_json_next_wanted__finds_faults_in_what_it_passes_over(void **state) {
    (void)state;
    static const char *const bad[] = {"{\"x\":01}",
                                      "{\"x\":1.}",
                                      "{\"x\":1 2}",
                                      "{\"x\":tru}",
                                      "{\"x\"}",
                                      "{\"x\":}",
                                      "{\"x\":1,}",
                                      "{\"x\":1",
                                      "{\"x\":1]",
                                      "{\"x\":\"\\q\"}",
                                      "{\"x\":-}",
                                      "{x:1}",
                                      "{\"x\":1}}",
                                      "{\"x\":{\"y\":1]}",
                                      "{,\"x\":1}",
                                      "{\"x\":0.1234567890123456789012345678901234567e}",
                                      "{\"x\":12345678901234567x,\"y\":1}",
                                      "{\"x\":0.12345678901234x,\"y\":1}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) expect_members(bad[i], "!");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_json_next_wanted__finds_them_in_any_order),
        TEST(test_json_next_wanted__passes_over_values_of_every_kind),
        TEST(test_json_next_wanted__reads_escapes_in_keys),
        TEST(test_json_next_wanted__takes_any_number_of_names),
        TEST(test_json_next_wanted__finds_faults_in_what_it_passes_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
