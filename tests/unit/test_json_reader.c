/* test_json_reader.c - which texts are JSON, which tokens they give, and where the others are wrong.
 * Called by: ctest.  Must not know: what the documents mean.
 */
#include "in_door.h"

#include <string.h>

#include "base/buf.h"
#include "json/json.h"
#define JSON_SCAN_PORTABLE /* the reader itself uses the vector instructions where there are some */
#include "json/json_scan.h"

/* A copy of exact size, with padding that would be noticed if it counted. */
static str padded(arena *a, str text, char padding) {
    char *copy = arena_alloc(a, text.len + JSON_PADDING);
    if (text.len) memcpy(copy, text.ptr, text.len);
    memset(copy + text.len, padding, JSON_PADDING);
    return (str){copy, text.len};
}

/* The tokens as text: a number as it is, a string in <>, `key=`, t f n; an error as !offset. */
static str tokens_of(arena *a, json_reader *r, str text) {
    buf out;
    lp_err err;
    buf_init(&out, a, 1 << 24);
    if (json_start(r, text, &err) != LP_OK) {
        size_t at;
        str message;
        json_error(r, &at, &message);
        assert_int_equal(json_next(r).kind, JSON_ERROR);
        buf_printf(&out, "!%zu", at);
        return buf_str(&out);
    }
    for (;;) {
        json_token t = json_next(r);
        size_t at;
        str message;
        switch (t.kind) {
        case JSON_ERROR:
            json_error(r, &at, &message);
            buf_printf(&out, "!%zu", at);
            assert_int_equal(json_next(r).kind, JSON_ERROR);
            return buf_str(&out);
        case JSON_END: assert_int_equal(json_next(r).kind, JSON_END); return buf_str(&out);
        case JSON_OBJECT_BEGIN: buf_put_char(&out, '{'); break;
        case JSON_OBJECT_END: buf_put_char(&out, '}'); break;
        case JSON_ARRAY_BEGIN: buf_put_char(&out, '['); break;
        case JSON_ARRAY_END: buf_put_char(&out, ']'); break;
        case JSON_KEY: buf_printf(&out, STR_FMT "=", STR_ARG(json_unescape(a, t))); break;
        case JSON_STRING: buf_printf(&out, "<" STR_FMT ">", STR_ARG(json_unescape(a, t))); break;
        case JSON_NUMBER: buf_printf(&out, STR_FMT ";", STR_ARG(t.text)); break;
        case JSON_TRUE: buf_put_char(&out, 't'); break;
        case JSON_FALSE: buf_put_char(&out, 'f'); break;
        case JSON_NULL: buf_put_char(&out, 'n'); break;
        }
    }
}

typedef struct text_case {
    const char *text;
    size_t len;
    const char *tokens;
} text_case;
#define CASE(text, tokens)                                                                                             \
    { text, sizeof(text) - 1, tokens }

static void check_cases(arena *a, const text_case *c, size_t count) {
    json_reader *r = json_reader_new(a);
    for (size_t i = 0; i < count; i++)
        for (const char *padding = " 0\",]}:\\e"; *padding; padding++)
            assert_str(tokens_of(a, r, padded(a, (str){c[i].text, c[i].len}, *padding)), str_from(c[i].tokens));
}

static const text_case valid[] = {
    CASE("0", "0;"),
    CASE(" 0\n", "0;"),
    CASE("\"\"", "<>"),
    CASE("true", "t"),
    CASE("[]", "[]"),
    CASE("{}", "{}"),
    CASE("\t[ \r\n]\n", "[]"),
    CASE("[null,false , true]", "[nft]"),
    CASE("[1,2.5,-3]", "[1;2.5;-3;]"),
    CASE("{\"a\":1}", "{a=1;}"),
    CASE("{\"a\":1,\"b\":\"x\"}", "{a=1;b=<x>}"),
    CASE("{\"a\":{\"b\":[{}]},\"c\":null}", "{a={b=[{}]}c=n}"),
    CASE("{ \"a\" : 1 , \"b\" : \"x\" , \"c\" : [ ] }", "{a=1;b=<x>c=[]}"),
    CASE("{\"a\":1,\"a\":2,\"\":3}", "{a=1;a=2;=3;}"),
    CASE("[\"a b\",\"{\",\":,]\"]", "[<a b><{><:,]>]"),
    CASE("[\"a\"  ,\"b\"\n]", "[<a><b>]"),
    CASE("[[],[1],[[2]]]", "[[][1;][[2;]]]"),
    CASE("[\"\x7F\xC3\xA9\"]", "[<\x7F\xC3\xA9>]"),
};

static void read_valid(arena *a) {
    check_cases(a, valid, sizeof valid / sizeof *valid);
}

static void test_json_reader__gives_the_tokens_of_valid_texts(void **state) {
    (void)state;
    in_door(read_valid);
}

static const text_case invalid[] = {
    CASE("", "!0"),
    CASE("  ", "!2"),
    CASE("\0", "!0"),
    CASE("x", "!0"),
    CASE("1 2", "1;!2"),
    CASE("1,", "1;!1"),
    CASE("{}}", "{}!2"),
    CASE("[]x", "[]!2"),
    CASE("\"a\"\"b\"", "<a>!3"),
    CASE("\"a\"x", "<a>!3"),
    CASE("1\0", "!1"),
    CASE("[", "[!1"),
    CASE("[1", "[1;!2"),
    CASE("[1,", "[1;!3"),
    CASE("[1,]", "[1;!3"),
    CASE("[,1]", "[!1"),
    CASE("[1 2]", "[1;!3"),
    CASE("[1:2]", "[1;!2"),
    CASE("[1}", "[1;!2"),
    CASE("[\"a\":1]", "[<a>!4"),
    CASE("]", "!0"),
    CASE("}", "!0"),
    CASE(",", "!0"),
    CASE(":", "!0"),
    CASE("{", "{!1"),
    CASE("{\"a\"", "{!4"),
    CASE("{\"a\":", "{a=!5"),
    CASE("{\"a\":1", "{a=1;!6"),
    CASE("{\"a\":1,", "{a=1;!7"),
    CASE("{\"a\":1,}", "{a=1;!7"),
    CASE("{,\"a\":1}", "{!1"),
    CASE("{\"a\":1 \"b\":2}", "{a=1;!7"),
    CASE("{\"a\":1,,\"b\":2}", "{a=1;!7"),
    CASE("{\"a\",1}", "{!4"),
    CASE("{\"a\"::1}", "{a=!5"),
    CASE("{\"a\":1,\"b\":}", "{a=1;b=!11"),
    CASE("{\"a\" 1}", "{!5"),
    CASE("{a:1}", "{!1"),
    CASE("{1:1}", "{!1"),
    CASE("{\"a\":1]", "{a=1;!6"),
    CASE("{'a':1}", "{!1"),
    CASE("[\"abc]", "!1"), /* where the string opens */
    CASE("[\"a\",\"b\\\"]", "!5"),
    CASE("abc\"def\"", "!0"), /* a quote inside of a word */
    CASE("[1\"a\"]", "[!2"),
    CASE("[true\"a\"]", "[!5"),
    CASE("tru", "!0"),
    CASE("truee", "!4"),
    CASE("[nulL]", "[!1"),
    CASE("[True]", "[!1"),
    CASE("[NaN]", "[!1"),
    CASE("[Infinity]", "[!1"),
    CASE("[-Infinity]", "[!2"),
    CASE("[\f1]", "[!1"), /* form feed and 0x1A are no blanks */
    CASE("[1,\x1A"
         "2]",
         "[1;!3"),
    CASE("[1]\x0B", "[1;]!3"),
    CASE("[1\xC2\xA0]", "[!2"),   /* nor is U+00A0 */
    CASE("\xEF\xBB\xBF[]", "!0"), /* nor a byte order mark */
    CASE("[/**/]", "[!1"),
    CASE("[\"a\nb\"]", "!3"), /* control characters in a string */
    CASE("[\"\0\"]", "!2"),
    CASE("[\"\x1F\"]", "!2"),
    CASE("[\"\xFF\"]", "!2"), /* no UTF-8 */
    CASE("[\"\xED\xA0\x80\"]", "!2"),
    CASE("[\"\xC3\"]", "!2"),
    CASE("{\"k\":\"\xC0\x80\"}", "!6"),
};

static void read_invalid(arena *a) {
    check_cases(a, invalid, sizeof invalid / sizeof *invalid);
    json_reader *r = json_reader_new(a); /* which tokens come before is left to the index */
    assert_true(str_ends_with(tokens_of(a, r, padded(a, STR("[\"a\\\nb\"]"), ' ')), STR("!4")));
    assert_true(str_ends_with(tokens_of(a, r, padded(a, STR("[1\f]"), ' ')), STR("!2")));
    assert_true(str_ends_with(tokens_of(a, r, padded(a, STR("[1\x1A]"), ' ')), STR("!2")));
}

static void test_json_reader__refuses_other_texts_at_the_right_place(void **state) {
    (void)state;
    in_door(read_invalid);
}

/* RFC 8259, section 6: each as an item, as the last item before a blank, and alone. */
static void read_numbers(arena *a) {
    static const char *const good[] = {"0",
                                       "-0",
                                       "1",
                                       "10",
                                       "-12",
                                       "1.5",
                                       "0.25",
                                       "-0.0",
                                       "1e5",
                                       "1E5",
                                       "1e+5",
                                       "1e-5",
                                       "0e0",
                                       "1.5e3",
                                       "-1.25E-7",
                                       "1e05",
                                       "100.00",
                                       "1e400",
                                       "123456789012345",
                                       "1234567890123456",
                                       "12345678901234567",
                                       "-1234567890123456",
                                       "12345678901234.5",
                                       "1234567890123.45",
                                       "123456789012345.6",
                                       "1234567890123456.7",
                                       "0.1234567890123",
                                       "0.12345678901234",
                                       "0.123456789012345",
                                       "-0.12345678901234",
                                       "123456789012345678901234567890.123456789012345678901234567890e-12345"};
    static const char *const bad[] = {"01",
                                      "-01",
                                      "00",
                                      "-",
                                      "+1",
                                      ".5",
                                      "5.",
                                      "-.5",
                                      "1.e5",
                                      "1e",
                                      "1e+",
                                      "1e-",
                                      "1ee5",
                                      "1e5.5",
                                      "0x10",
                                      "1_000",
                                      "1.2.3",
                                      "--1",
                                      "1-",
                                      "1a",
                                      "1234567890123456a",
                                      "12345678901234.",
                                      "123456789012345.",
                                      "1234567890123456.",
                                      "012345678901234567",
                                      "0.12345678901234x",
                                      "-a",
                                      "1+1",
                                      "1\"",
                                      "0123456789012345"};
    json_reader *r = json_reader_new(a);
    static const char *const layout[] = {
        "[%s,0]", "[%s ,0]", "[0, %s\n]", "%s", " %s ", "{\"a\":0,\"b\":%s,\"c\":0}", "{\"a\":%s}"};
    for (size_t l = 0; l < sizeof layout / sizeof *layout; l++) {
        for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
            str text = tokens_of(a, r, padded(a, str_format(a, layout[l], good[i]), '9'));
            assert_non_null(strstr(str_copy(a, text).ptr, str_format(a, "%s;", good[i]).ptr));
            assert_null(memchr(text.ptr, '!', text.len));
        }
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            str text = tokens_of(a, r, padded(a, str_format(a, layout[l], bad[i]), '0'));
            if (!memchr(text.ptr, '!', text.len)) fail_msg("accepted: %s", bad[i]);
        }
    }
}

static void test_json_reader__numbers_follow_the_grammar(void **state) {
    (void)state;
    in_door(read_numbers);
}

static void assert_message(arena *a, const char *text, const char *expected) {
    json_reader *r = json_reader_new(a);
    lp_err err;
    str message = STR_NONE;
    size_t at;
    if (json_start(r, padded(a, str_from(text), ' '), &err) == LP_OK)
        while (json_next(r).kind != JSON_ERROR) continue;
    json_error(r, &at, &message);
    assert_str(message, str_from(expected));
}

static void read_messages(arena *a) {
    assert_message(a, "{\"a\":1x}", "expected the number to end, found 'x'");
    assert_message(a, "{\"a\":1 x}", "expected ',' or '}' in an object, found 'x'");
    assert_message(a, "[1 \"x\"]", "expected ',' or ']' in an array, found '\"'");
    assert_message(a, "[1", "expected ',' or ']' in an array, found the end of the text");
    assert_message(a, "{1", "expected a key in double quotes or '}', found '1'");
    assert_message(a, "{\"a\":1,}", "expected a key in double quotes after ',', found '}'");
    assert_message(a, "{\"a\"}", "expected ':' after a key, found '}'");
    assert_message(a, "[\xC3\xA9]", "expected a JSON value, found '\xC3\xA9'");
    assert_message(a, "[\x01]", "expected a JSON value, found byte 0x01");
    assert_message(a, "[] []", "expected nothing after the JSON value, found '['");
    assert_message(a, "[01]", "expected the number to end after a leading 0, found '1'");
    assert_message(a, "[-]", "expected a digit after '-', found ']'");
    assert_message(a, "[1.]", "expected a digit after '.', found ']'");
    assert_message(a, "[1e]", "expected a digit in the exponent, found ']'");
    assert_message(a, "[\"\\x\"]", "expected one of \"\\/bfnrtu after a backslash, found 'x'");
    assert_message(a, "[\"\\u12G4\"]", "expected four hex digits after \\u, found 'G'");
    assert_message(a, "\"abc", "expected the end of a string, found the end of the text");
    assert_message(a, "[\"\xFF\"]", "expected UTF-8, found byte 0xff");
    assert_message(a, "[\"\t\"]", "expected control characters to be escaped in a string, found byte 0x09");
    assert_message(a, "", "expected a JSON value, found the end of the text");
    json_reader *r = json_reader_new(a);
    lp_err err;
    assert_int_equal(json_start(r, padded(a, STR("[\"\xFF\"]"), ' '), &err), LP_ERR_FORMAT);
    assert_string_equal(err.text, "not JSON: expected UTF-8, found byte 0xff (offset 2)");
}

static void test_json_reader__messages_say_what_was_expected_and_found(void **state) {
    (void)state;
    in_door(read_messages);
}

/* ---- strings ---- */

static void assert_unescaped(arena *a, json_reader *r, const char *inside, str expected, bool escaped) {
    str text = padded(a, str_format(a, "[\"%s\"]", inside), '"');
    lp_err err;
    assert_int_equal(json_start(r, text, &err), LP_OK);
    (void)json_next(r);
    json_token t = json_next(r);
    assert_int_equal(t.kind, JSON_STRING);
    assert_int_equal(t.escaped, escaped);
    assert_str(t.text, str_from(inside));
    str got = json_unescape(a, t);
    assert_str(got, expected);
    if (!escaped) assert_ptr_equal(got.ptr, t.text.ptr);
    for (size_t i = 0; escaped && i < JSON_PADDING; i++) assert_int_equal(got.ptr[got.len + i], 0);
    assert_int_equal(json_next(r).kind, JSON_ARRAY_END);
    assert_int_equal(json_next(r).kind, JSON_END);
}

static void unescape(arena *a) {
    json_reader *r = json_reader_new(a);
    assert_unescaped(a, r, "", STR(""), false);
    assert_unescaped(a, r, "plain / text", STR("plain / text"), false);
    assert_unescaped(a, r, "\\\"\\\\\\/\\b\\f\\n\\r\\t", STR("\"\\/\b\f\n\r\t"), true);
    assert_unescaped(a, r, "\\u0041\\u00e9\\u6F22\\uFFFF", STR("A\xC3\xA9\xE6\xBC\xA2\xEF\xBF\xBF"), true);
    assert_unescaped(a, r, "a\\u0000b", STR("a\0b"), true);
    assert_unescaped(a, r, "\\ud83d\\ude00", STR("\xF0\x9F\x98\x80"), true);
    assert_unescaped(a, r, "\\uD800\\uDC00\\uDBFF\\uDFFF", STR("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"), true);
    assert_unescaped(a, r, "\\ud83d", STR("\xEF\xBF\xBD"), true); /* lone, at the end */
    assert_unescaped(a, r, "\\ud83dx", STR("\xEF\xBF\xBDx"), true);
    assert_unescaped(a, r, "\\ude00\\ud83d", STR("\xEF\xBF\xBD\xEF\xBF\xBD"), true); /* the wrong way round */
    assert_unescaped(a, r, "\\ud83d\\ud83d\\ude00", STR("\xEF\xBF\xBD\xF0\x9F\x98\x80"), true);
    assert_unescaped(a, r, "\\ud83d\\n", STR("\xEF\xBF\xBD\n"), true);
    assert_unescaped(a, r, "\\ud83d\\\\ude00", STR("\xEF\xBF\xBD\\ude00"), true);
    assert_unescaped(a, r, "\\u005c\\u0022", STR("\\\""), true);
}

static void test_json_reader__escapes_are_resolved(void **state) {
    (void)state;
    in_door(unescape);
}

/* Move each escape over the borders of the blocks that are looked at together. */
static void slide(arena *a) {
    static const struct {
        const char *written;
        str meant;
    } c[] = {
        {"\\\"", {"\"", 1}},
        {"\\\\", {"\\", 1}},
        {"\\n", {"\n", 1}},
        {"\\\\\\\\\\\\\\n", {"\\\\\\\n", 4}},
        {"\\u00e9", {"\xC3\xA9", 2}},
        {"\\ud83d\\ude00", {"\xF0\x9F\x98\x80", 4}},
        {"\\\"\\t\\\"", {"\"\t\"", 3}},
    };
    static const char *const bad[] = {"\\x", "\\u00g0", "\\\\\\x", "\\ud83d\\u", "\\u", "\\u1", "\\u12", "\\u123"};
    json_reader *r = json_reader_new(a);
    for (int before = 0; before < 140; before++) {
        for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
            str fill = str_format(a, "%0*d", before + 1, 7), tail = str_format(a, "%0*d", 1 + before % 70, 8);
            str inside = str_format(a, "%s%s%s", fill.ptr, c[i].written, tail.ptr);
            str meant = str_format(a, "%s" STR_FMT "%s", fill.ptr, STR_ARG(c[i].meant), tail.ptr);
            assert_unescaped(a, r, inside.ptr, meant, true);
        }
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            str text = str_format(a, "[\"%0*d%s\"]", before + 1, 7, bad[i]);
            str tokens = tokens_of(a, r, padded(a, text, '0'));
            assert_int_equal(tokens.ptr[1], '!');
        }
    }
}

static void test_json_reader__escapes_are_seen_wherever_they_stand(void **state) {
    (void)state;
    in_door(slide);
}

/* ---- skipping ---- */

static void skip_values(arena *a) {
    json_reader *r = json_reader_new(a);
    lp_err err;
    str text = padded(
        a, STR("{\"a\":{\"x\":[1,{\"y\":\"}\"}],\"z\":-1.5},\"b\":[[],{}],\"c\":7,\"d\":\"s\",\"e\":null}"), '}');
    assert_int_equal(json_start(r, text, &err), LP_OK);
    assert_int_equal(json_next(r).kind, JSON_OBJECT_BEGIN);
    for (const char *name = "abcde"; *name; name++) { /* skip the value of each key */
        json_token key = json_next(r);
        assert_int_equal(key.kind, JSON_KEY);
        assert_str(key.text, str_slice(str_from(name), 0, 1));
        assert_true(json_skip(r));
    }
    assert_int_equal(json_next(r).kind, JSON_OBJECT_END);
    assert_int_equal(json_next(r).kind, JSON_END);

    assert_int_equal(json_start(r, text, &err), LP_OK); /* skip the rest of a container */
    (void)json_next(r);
    (void)json_next(r);
    assert_int_equal(json_next(r).kind, JSON_OBJECT_BEGIN);
    assert_true(json_skip(r));
    assert_str(json_next(r).text, STR("b"));
    assert_int_equal(json_next(r).kind, JSON_ARRAY_BEGIN);
    assert_true(json_skip(r));
    assert_str(json_next(r).text, STR("c"));
    assert_int_equal(json_next(r).kind, JSON_NUMBER);
    assert_true(json_skip(r)); /* a scalar has nothing left */
    assert_str(json_next(r).text, STR("d"));

    assert_int_equal(json_start(r, text, &err), LP_OK); /* skip all */
    (void)json_next(r);
    assert_true(json_skip(r));
    assert_int_equal(json_next(r).kind, JSON_END);
}

static void test_json_reader__skip_passes_over_one_value(void **state) {
    (void)state;
    in_door(skip_values);
}

/* What is refused when walked is refused when skipped, at the same place. */
static void skip_invalid(arena *a) {
    json_reader *r = json_reader_new(a);
    lp_err err;
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        buf body;
        buf_init(&body, a, 1000);
        buf_put_char(&body, '[');
        buf_put(&body, (str){invalid[i].text, invalid[i].len});
        buf_put_char(&body, ']');
        str text = padded(a, buf_str(&body), ' ');
        str walked = tokens_of(a, r, text);
        bool accepted =
            !memchr(walked.ptr, '!', walked.len); /* nothing and blanks are wrong alone, in an array they are not */
        size_t walked_at, skipped_at;
        str message;
        json_error(r, &walked_at, &message);
        bool skipped = json_start(r, text, &err) == LP_OK && json_next(r).kind != JSON_ERROR && json_skip(r) &&
                       json_next(r).kind == JSON_END;
        assert_int_equal(skipped, accepted);
        json_error(r, &skipped_at, &message);
        if (!accepted) assert_int_equal(skipped_at, walked_at);
    }
}

static void test_json_reader__what_is_skipped_is_checked_all_the_same(void **state) {
    (void)state;
    in_door(skip_invalid);
}

/* ---- limits ---- */

static str nested(arena *a, const char *open, const char *inside, const char *close, size_t levels) {
    buf out;
    buf_init(&out, a, 1 << 24);
    for (size_t i = 0; i < levels; i++) buf_put(&out, str_from(open));
    buf_put(&out, str_from(inside));
    for (size_t i = 0; i < levels; i++) buf_put(&out, str_from(close));
    return padded(a, buf_str(&out), ' ');
}

static void nest(arena *a) {
    json_reader *r = json_reader_new(a);
    static const struct {
        const char *open, *inside, *close;
        size_t unit;
    } c[] = {{"[", "", "]", 1}, {"{\"a\":", "1", "}", 5}, {"[0,", "1", "]", 3}};
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        str deep = tokens_of(a, r, nested(a, c[i].open, c[i].inside, c[i].close, JSON_MAX_DEPTH));
        assert_null(memchr(deep.ptr, '!', deep.len));
        static const size_t too_many[] = {JSON_MAX_DEPTH + 1, 100000};
        for (size_t k = 0; k < 2; k++) {
            str too_deep = tokens_of(a, r, nested(a, c[i].open, c[i].inside, c[i].close, too_many[k]));
            str end = str_format(a, "!%zu", JSON_MAX_DEPTH * c[i].unit);
            assert_true(str_ends_with(too_deep, end));
        }
    }
    lp_err err;
    assert_int_equal(json_start(r, nested(a, "[", "", "", 100000), &err), LP_OK);
    assert_int_equal(json_next(r).kind, JSON_ARRAY_BEGIN);
    assert_false(json_skip(r));
    size_t at;
    str message;
    json_error(r, &at, &message);
    assert_str(message, STR("expected at most 512 levels of nesting, found '['"));
}

static void test_json_reader__nests_512_levels_and_no_more(void **state) {
    (void)state;
    in_door(nest);
}

/* Lengths around the sizes at which the buffers of the index grow, and back to a short text. */
static void sizes(arena *a) {
    json_reader *r = json_reader_new(a);
    static const size_t items[] = {1, 2040, 2047, 2048, 2049, 3, 4095, 4096, 4097, 100000, 5, 1000000, 1};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        buf out;
        lp_err err;
        buf_init(&out, a, 1 << 24);
        for (size_t k = 0; k < items[i]; k++) buf_put(&out, k ? STR(",7") : STR("[7"));
        buf_put_char(&out, ']');
        assert_int_equal(json_start(r, padded(a, buf_str(&out), '7'), &err), LP_OK);
        size_t numbers = 0;
        for (json_token t = json_next(r); t.kind != JSON_END; t = json_next(r)) {
            assert_int_not_equal(t.kind, JSON_ERROR);
            numbers += t.kind == JSON_NUMBER;
        }
        assert_int_equal(numbers, items[i]);
    }
}

static void test_json_reader__one_reader_takes_texts_of_any_length(void **state) {
    (void)state;
    in_door(sizes);
}

static void too_long(arena *a) {
    json_reader *r = json_reader_new(a);
    lp_err err;
    str text = padded(a, STR("[]"), ' ');
    text.len = (size_t)1 << 32; /* refused before a byte is read */
    assert_int_equal(json_start(r, text, &err), LP_ERR_LIMIT);
    assert_int_equal(json_next(r).kind, JSON_ERROR);
}

static void test_json_reader__four_gigabytes_are_too_many(void **state) {
    (void)state;
    in_door(too_long);
}

static lp_status read_escaped(void *context, lp_err *err) {
    arena *a = context;
    str text = padded(a, STR("{\"a\\n\":[\"\\u0041\"]}"), ' ');
    json_reader *r = json_reader_new(a);
    TRY(json_start(r, text, err));
    for (json_token t = json_next(r); t.kind != JSON_END; t = json_next(r))
        if (t.kind == JSON_KEY || t.kind == JSON_STRING) (void)json_unescape(a, t);
    return LP_OK;
}

static void test_json_reader__any_allocation_may_fail_and_nothing_leaks(void **state) {
    (void)state;
    unsigned long n = 0;
    for (lp_status status = LP_ERR_LIMIT; status != LP_OK;) {
        arena a;
        lp_err err;
        arena_init(&a, 0);
        arena_fail_at(++n);
        status = door_run(read_escaped, &a, &err);
        arena_fail_at(0);
        arena_end(&a);
        assert_true(status == LP_OK || status == LP_ERR_LIMIT);
    }
    assert_int_equal(n, 6); /* the copy, the reader, its end, two strings; then nothing fails */
}

static void before_start(arena *a) {
    json_reader *r = json_reader_new(a);
    assert_int_equal(json_next(r).kind, JSON_ERROR);
    assert_false(json_skip(r));
}

static void test_json_reader__gives_errors_before_it_has_a_text(void **state) {
    (void)state;
    in_door(before_start);
}

static void offsets(arena *a) {
    json_reader *r = json_reader_new(a);
    lp_err err;
    assert_int_equal(json_start(r, padded(a, STR(" {\"a\" : 12,\"b\":[\"x\" , true] } "), ' '), &err), LP_OK);
    static const size_t expected[] = {1, 2, 8, 11, 15, 16, 22, 26, 28, 30};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        (void)json_next(r);
        assert_int_equal(json_offset(r), expected[i]);
    }
}

static void test_json_reader__knows_where_each_token_stands(void **state) {
    (void)state;
    in_door(offsets);
}

static void test_json__whole_numbers(void **state) {
    (void)state;
    int64_t v = 5;
    assert_true(json_number_to_int64(STR("-0"), &v) && v == 0);
    assert_true(json_number_to_int64(STR("42"), &v) && v == 42);
    assert_true(json_number_to_int64(STR("9223372036854775807"), &v) && v == INT64_MAX);
    assert_true(json_number_to_int64(STR("-9223372036854775808"), &v) && v == INT64_MIN);
    assert_false(json_number_to_int64(STR("9223372036854775808"), &v));
    assert_false(json_number_to_int64(STR("-9223372036854775809"), &v));
    assert_false(json_number_to_int64(STR("1.0"), &v));
    assert_false(json_number_to_int64(STR("1e2"), &v));
    assert_false(json_number_to_int64(STR("-"), &v));
    assert_false(json_number_to_int64(STR(""), &v));
    assert_true(v == INT64_MIN); /* untouched */
}

/* The words that stand in for vector instructions, against a look at each byte. */
static void test_json_scan__portable_masks_are_right(void **state) {
    (void)state;
    char text[64];
    for (int c = 0; c < 256; c++) {
        for (int shift = 0; shift < 64; shift++) {
            uint64_t same = 0, digits = 0;
            for (int i = 0; i < 64; i++) {
                text[i] = (char)(c + (i - shift) % 5 * 3 + (i == shift));
                same |= (uint64_t)(text[i] == (char)c) << i;
                if (i < 16) digits |= (uint64_t)(text[i] >= '0' && text[i] <= '9') << i;
            }
            assert_true(scan_char(text, (char)c) == same);
            assert_int_equal(scan_digits(text), digits);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_reader__gives_the_tokens_of_valid_texts),
        cmocka_unit_test(test_json_reader__refuses_other_texts_at_the_right_place),
        cmocka_unit_test(test_json_reader__numbers_follow_the_grammar),
        cmocka_unit_test(test_json_reader__messages_say_what_was_expected_and_found),
        cmocka_unit_test(test_json_reader__escapes_are_resolved),
        cmocka_unit_test(test_json_reader__escapes_are_seen_wherever_they_stand),
        cmocka_unit_test(test_json_reader__skip_passes_over_one_value),
        cmocka_unit_test(test_json_reader__what_is_skipped_is_checked_all_the_same),
        cmocka_unit_test(test_json_reader__nests_512_levels_and_no_more),
        cmocka_unit_test(test_json_reader__one_reader_takes_texts_of_any_length),
        cmocka_unit_test(test_json_reader__four_gigabytes_are_too_many),
        cmocka_unit_test(test_json_reader__any_allocation_may_fail_and_nothing_leaks),
        cmocka_unit_test(test_json_reader__gives_errors_before_it_has_a_text),
        cmocka_unit_test(test_json_reader__knows_where_each_token_stands),
        cmocka_unit_test(test_json__whole_numbers),
        cmocka_unit_test(test_json_scan__portable_masks_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
