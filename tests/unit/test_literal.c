/* test_literal.c - tokens of literals: escapes, the texts that engines may read, and how they are printed.
 * Called by: ctest.  Must not know: columns.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "predicate/predicate.h"

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

static void expect_str(str found, const char *expected, size_t size) {
    if (!str_eq(found, (str){expected, size})) fail_msg("expected `%s`, found `" STR_FMT "`", expected, STR_ARG(found));
}
#define EXPECT_STR(found, expected) expect_str((found), (expected), sizeof(expected) - 1)
#define UNESCAPES(raw, expected) EXPECT_STR(literal_unescape(&memory, STR(raw)), expected)

/* Spark's ParserUtils.unescapeSQLString, one row a rule. */
static void test_literal__unescape_follows_the_table_of_spark(void **state) {
    (void)state;
    UNESCAPES("plain", "plain");
    UNESCAPES("\\0", "\0");
    UNESCAPES("\\b\\t\\n\\r\\Z", "\b\t\n\r\x1a");
    UNESCAPES("\\'\\\"\\\\", "'\"\\");
    UNESCAPES("\\%\\_", "\\%\\_");
    UNESCAPES("\\a\\q\\ ", "aq ");
    UNESCAPES("\\N", "N");
    UNESCAPES("\\\xC3\xA4", "\xC3\xA4");
}

static void test_literal__unescape_of_octal_takes_three_digits_up_to_177(void **state) {
    (void)state;
    UNESCAPES("\\101", "A");
    UNESCAPES("\\000", "\0");
    UNESCAPES("\\177", "\x7f");
    UNESCAPES("\\200", "200");    /* beyond: the 2 stands for itself */
    UNESCAPES("\\07", "\0" "7");  /* two digits: \0 and a 7 */
    UNESCAPES("\\1018", "A8");
    UNESCAPES("\\18", "18");
}

static void test_literal__unescape_of_unicode(void **state) {
    (void)state;
    UNESCAPES("\\u0041", "A");
    UNESCAPES("\\u00e4\\u20AC", "\xC3\xA4\xE2\x82\xAC");
    UNESCAPES("\\U0001F600", "\xF0\x9F\x98\x80");
    UNESCAPES("\\uD83D\\uDE00", "\xF0\x9F\x98\x80"); /* a surrogate pair */
    UNESCAPES("\\uD83D!", "\xEF\xBF\xBD!");          /* half of one is no character */
    UNESCAPES("\\uDE00", "\xEF\xBF\xBD");
    UNESCAPES("\\uD83D\\u0041", "\xEF\xBF\xBD" "A");
    UNESCAPES("\\u004", "u004");
    UNESCAPES("\\u00G1", "u00G1");
    UNESCAPES("\\U00110000", "U00110000");
}

static void test_literal__unescape_keeps_a_lone_backslash_at_the_end(void **state) {
    (void)state;
    UNESCAPES("a\\", "a\\");
    UNESCAPES("\\", "\\");
    UNESCAPES("", "");
}

static literal text_literal(const char *raw, char doubled, bool is_raw) {
    return (literal){.kind = LITERAL_STRING, .raw = str_from(raw), .has_backslash = strchr(raw, '\\') != NULL, .doubled = doubled, .is_raw = is_raw};
}

/* The texts joined by '|'. */
static str texts(literal l) {
    str text[LITERAL_MAX_TEXTS];
    size_t count = literal_texts(&memory, &l, text);
    buf b;
    buf_init(&b, &memory, 1000);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) buf_put_char(&b, '|');
        buf_put(&b, text[i]);
    }
    return buf_str(&b);
}

static void test_literal__texts_are_one_where_all_engines_agree(void **state) {
    (void)state;
    EXPECT_STR(texts(text_literal("plain", 0, false)), "plain");
    EXPECT_STR(texts(text_literal("a\\n", 0, true)), "a\\n"); /* r'a\n' */
    EXPECT_STR(texts(text_literal("a\\%", 0, false)), "a\\%"); /* the escape keeps its backslash: one text */
}

static void test_literal__texts_with_backslash_are_as_written_and_resolved(void **state) {
    (void)state;
    EXPECT_STR(texts(text_literal("a\\tb", 0, false)), "a\\tb|a\tb");
}

static void test_literal__texts_with_doubled_quote_are_with_and_without_it(void **state) {
    (void)state;
    EXPECT_STR(texts(text_literal("O'Neil", '\'', false)), "O'Neil|ONeil");
    EXPECT_STR(texts(text_literal("O'Neil", 0, false)), "O'Neil"); /* "O'Neil": nothing was doubled */
    EXPECT_STR(texts(text_literal("x\"y'z", '"', false)), "x\"y'z|xy'z");
}

/* 'a\'b''c': the first quote is escaped, the second doubled. Spark before 4.0 reads 'a\'b' and 'c'. */
static void test_literal__texts_drop_doubled_quotes_and_keep_escaped_ones(void **state) {
    (void)state;
    EXPECT_STR(texts(text_literal("a\\'b'c", '\'', false)), "a\\'b'c|a'b'c|a\\'bc|a'bc");
    EXPECT_STR(texts(text_literal("a\\\\'b", '\'', false)), "a\\\\'b|a\\'b|a\\\\b|a\\b"); /* 'a\\''b': an escaped backslash */
}

static void test_literal__equal_means_the_same_readings(void **state) {
    (void)state;
    literal plain = text_literal("a'b\\n", 0, false), doubled = text_literal("a'b\\n", '\'', false), raw = text_literal("a'b\\n", 0, true);
    assert_true(literal_equal(&plain, &plain));
    assert_false(literal_equal(&plain, &doubled));
    assert_false(literal_equal(&plain, &raw));
    literal whole = {.kind = LITERAL_NUMBER, .raw = STR("5")}, as_double = {.kind = LITERAL_NUMBER, .raw = STR("5"), .suffix = 'D'};
    literal text = text_literal("5", 0, false);
    assert_false(literal_equal(&whole, &as_double));
    assert_false(literal_equal(&whole, &text));
}

static str printed(literal l) {
    buf b;
    buf_init(&b, &memory, 1000);
    literal_print(&b, &l);
    return buf_str(&b);
}

static void test_literal__prints_as_sql(void **state) {
    (void)state;
    EXPECT_STR(printed(text_literal("O'Neil", '\'', false)), "'O''Neil'");
    EXPECT_STR(printed(text_literal("a\\n", 0, true)), "r'a\\n'");
    EXPECT_STR(printed(text_literal("plain", 0, true)), "'plain'");
    EXPECT_STR(printed((literal){.kind = LITERAL_NUMBER, .raw = STR("60"), .suffix = 'L'}), "60");
    EXPECT_STR(printed((literal){.kind = LITERAL_NUMBER, .raw = STR("-1.5"), .suffix = 'B'}), "-1.5BD");
    EXPECT_STR(printed((literal){.kind = LITERAL_NUMBER, .raw = STR("4e1"), .suffix = 'F'}), "4e1F");
    EXPECT_STR(printed((literal){.kind = LITERAL_BOOLEAN, .raw = STR("true")}), "true");
    EXPECT_STR(printed((literal){.kind = LITERAL_NULL, .raw = STR("NULL")}), "NULL");
    EXPECT_STR(printed((literal){.kind = LITERAL_DATE, .raw = STR("2024-01-03")}), "DATE '2024-01-03'");
    EXPECT_STR(printed((literal){.kind = LITERAL_TIMESTAMP, .raw = STR("2024-01-03 00:00:00")}), "TIMESTAMP '2024-01-03 00:00:00'");
    EXPECT_STR(printed((literal){.kind = LITERAL_TIMESTAMP_NTZ, .raw = STR("2024-01-03")}), "TIMESTAMP_NTZ '2024-01-03'");
    EXPECT_STR(printed((literal){.kind = LITERAL_BINARY, .raw = STR("CAFE")}), "X'CAFE'");
}

static str dumped(literal l) {
    buf b;
    buf_init(&b, &memory, 1000);
    literal_dump(&b, &l);
    return buf_str(&b);
}

static void test_literal__dumps_the_raw_token(void **state) {
    (void)state;
    EXPECT_STR(dumped((literal){.kind = LITERAL_NUMBER, .raw = STR("5")}), "Number(\"5\")");
    EXPECT_STR(dumped(text_literal("say \"\\\"", 0, false)), "Str(\"say \\\"\\\\\\\"\")");
    EXPECT_STR(dumped((literal){.kind = LITERAL_BOOLEAN, .raw = STR("false")}), "Bool(false)");
    EXPECT_STR(dumped((literal){.kind = LITERAL_NULL, .raw = STR("NULL")}), "Null");
}

static void test_literal__pads_by_characters(void **state) {
    (void)state;
    EXPECT_STR(literal_pad(&memory, STR("ab"), 4), "ab  ");
    EXPECT_STR(literal_pad(&memory, STR("\xC3\xA4"), 3), "\xC3\xA4  ");
    EXPECT_STR(literal_pad(&memory, STR("abcde"), 4), "abcde");
}

static void test_literal__date_as_wall_saturates(void **state) {
    (void)state;
    reading r = {.domain = READING_DATE_AS_WALL};
    value day = {.kind = VALUE_DATE, .i = 2};
    assert_int_equal(reading_convert(&r, &day, &memory).i, INT64_C(172800000000));
    day.i = INT64_MAX;
    assert_int_equal(reading_convert(&r, &day, &memory).i, INT64_MAX);
    day.i = INT64_MIN;
    assert_int_equal(reading_convert(&r, &day, &memory).i, INT64_MIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_literal__unescape_follows_the_table_of_spark),
        cmocka_unit_test(test_literal__unescape_of_octal_takes_three_digits_up_to_177),
        cmocka_unit_test(test_literal__unescape_of_unicode),
        cmocka_unit_test(test_literal__unescape_keeps_a_lone_backslash_at_the_end),
        cmocka_unit_test(test_literal__texts_are_one_where_all_engines_agree),
        cmocka_unit_test(test_literal__texts_with_backslash_are_as_written_and_resolved),
        cmocka_unit_test(test_literal__texts_with_doubled_quote_are_with_and_without_it),
        cmocka_unit_test(test_literal__texts_drop_doubled_quotes_and_keep_escaped_ones),
        cmocka_unit_test(test_literal__equal_means_the_same_readings),
        cmocka_unit_test(test_literal__prints_as_sql),
        cmocka_unit_test(test_literal__dumps_the_raw_token),
        cmocka_unit_test(test_literal__pads_by_characters),
        cmocka_unit_test(test_literal__date_as_wall_saturates),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
