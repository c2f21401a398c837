/* test_pattern.c - LIKE against a matcher that is too slow to be wrong, and what bounds can tell.
 * Called by: ctest.  Must not know: predicates beyond the leaf.
 */
#include "predicate_lab.h"

#include "base/utf8.h"
#include "prune/pattern.h"

static lab l;

static int setup(void **state) {
    (void)state;
    lab_new(&l, LAB_FIELD("s", "string"));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    lab_end(&l);
    return 0;
}

/* The definition, word by word. `escape` is ASCII or 0. */
static bool matches_slowly(str pattern, char escape, str text) {
    if (pattern.len == 0) return text.len == 0;
    size_t step = str_utf8_length(pattern, 0);
    bool escaped = escape && pattern.ptr[0] == escape && pattern.len > 1;
    if (escaped) {
        pattern = str_slice(pattern, 1, pattern.len);
        step = str_utf8_length(pattern, 0);
    }
    str rest = str_slice(pattern, step, pattern.len);
    if (!escaped && pattern.ptr[0] == '%') {
        if (matches_slowly(rest, escape, text)) return true;
        return text.len > 0 && matches_slowly(pattern, escape, str_slice(text, str_utf8_length(text, 0), text.len));
    }
    if (text.len == 0) return false;
    size_t have = str_utf8_length(text, 0);
    bool same = !escaped && pattern.ptr[0] == '_' ? true : str_eq(str_slice(pattern, 0, step), str_slice(text, 0, have));
    return same && matches_slowly(rest, escape, str_slice(text, have, text.len));
}

static str random_text(uint64_t *seed, const char *const *alphabet, uint32_t letters, uint32_t longest) {
    buf b;
    buf_init(&b, &l.memory, 100);
    for (uint32_t left = lab_random(seed, longest + 1); left > 0; left--) buf_put(&b, str_from(alphabet[lab_random(seed, letters)]));
    return buf_str(&b);
}

static void test_pattern__agrees_with_the_definition_on_random_texts(void **state) {
    (void)state;
    static const char *const in_pattern[] = {"%", "_", "a", "b", "\\", "\xC3\xA4", "%"}, *const in_text[] = {"a", "b", "\xC3\xA4", "%", "_", "\\", "\xF0\x9F\x98\x80"};
    static const char escapes[] = {0, '\\', 'a'};
    uint64_t seed = 7;
    for (unsigned i = 0; i < 60000; i++) {
        str pattern = random_text(&seed, in_pattern, 7, 6), text = random_text(&seed, in_text, 7, 7);
        char escape = escapes[i % 3];
        if (pattern_matches(pattern, (uint32_t)(unsigned char)escape, text) != matches_slowly(pattern, escape, text))
            fail_msg("round %u: '" STR_FMT "' LIKE '" STR_FMT "' escape '%c'", i, STR_ARG(text), STR_ARG(pattern), escape ? escape : '-');
    }
}

static void test_pattern__many_wildcards_take_no_exponential_time(void **state) {
    (void)state;
    buf pattern, text;
    buf_init(&pattern, &l.memory, 1 << 16);
    buf_init(&text, &l.memory, 1 << 16);
    for (unsigned i = 0; i < 1000; i++) buf_put(&pattern, STR("%a"));
    buf_put_char(&pattern, 'b');
    buf_put_repeated(&text, 'a', 20000);
    assert_false(pattern_matches(buf_str(&pattern), 0, buf_str(&text)));
}

static const data_type text_type = {.kind = TYPE_STRING};

static outcome_set like(const column_fact *fact, const data_type *type, const char *raw, bool *abstained) {
    literal pattern = {.kind = LITERAL_STRING, .raw = str_from(raw), .has_backslash = strchr(raw, '\\') != NULL};
    *abstained = false;
    return fact_like(fact, type, pattern_set_new(&l.memory, &pattern, NULL), abstained, &l.memory);
}

static void expect_like(const column_fact *fact, const char *pattern, unsigned expected) {
    bool abstained;
    outcome_set found = like(fact, &text_type, pattern, &abstained);
    if (found != expected || abstained) fail_msg("LIKE '%s': %u instead of %u%s", pattern, found, expected, abstained ? ", abstained" : "");
}

static column_fact stored(const char *text) {
    value v = {.kind = VALUE_STRING, .s = str_from(text)};
    return (column_fact){.can_be_value = true, .has_low = true, .has_high = true, .low = v, .high = v, .is_text_known = true, .text = v.s};
}

static void test_pattern__a_partition_value_is_matched(void **state) {
    (void)state;
    column_fact fact = stored("2024-01-03");
    expect_like(&fact, "%01-03%", OUTCOME_TRUE);
    expect_like(&fact, "%01-04%", OUTCOME_FALSE);
    expect_like(&fact, "____-__-__", OUTCOME_TRUE);
}

/* Spark escapes, others take the backslash as it stands: '100\%' is 100% for the one and 100\... for the others. */
static void test_pattern__both_readings_of_a_backslash_count(void **state) {
    (void)state;
    column_fact fact = stored("100%");
    expect_like(&fact, "100\\%", OUTCOME_TRUE | OUTCOME_FALSE);
    fact = stored("100x");
    expect_like(&fact, "100\\%", OUTCOME_FALSE);
}

static column_fact between(const char *low, const char *high) {
    return (column_fact){.can_be_value = true, .has_low = low != NULL, .has_high = high != NULL,
                         .low = {.kind = VALUE_STRING, .s = str_from(low ? low : "")}, .high = {.kind = VALUE_STRING, .s = str_from(high ? high : "")}};
}

static void test_pattern__bounds_rule_out_what_lies_beside_the_prefix(void **state) {
    (void)state;
    column_fact fact = between("Anna", "Carl");
    expect_like(&fact, "D%", OUTCOME_FALSE);
    expect_like(&fact, "B_%", OUTCOME_TRUE | OUTCOME_FALSE);
    expect_like(&fact, "%x", OUTCOME_TRUE | OUTCOME_FALSE);
    fact = between("Anna", NULL);
    expect_like(&fact, "A%", OUTCOME_TRUE | OUTCOME_FALSE);
    expect_like(&fact, "1%", OUTCOME_FALSE);
    fact = between("Anna", "Anton");
    expect_like(&fact, "An%", OUTCOME_TRUE);                  /* both bounds have the prefix, so has all between */
    expect_like(&fact, "An_a", OUTCOME_TRUE | OUTCOME_FALSE); /* more than a prefix is asked */
}

static void test_pattern__abstains_where_the_text_of_a_value_depends_on_the_engine(void **state) {
    (void)state;
    data_type timestamp = {.kind = TYPE_TIMESTAMP}, integer = {.kind = TYPE_INTEGER};
    value v = {.kind = VALUE_TIMESTAMP, .i = 0};
    column_fact fact = {.can_be_value = true, .has_low = true, .has_high = true, .low = v, .high = v, .is_text_known = true, .text = STR("1970-01-01 00:00:00")};
    bool abstained;
    assert_int_equal(like(&fact, &timestamp, "1970%", &abstained), OUTCOME_TRUE | OUTCOME_FALSE);
    assert_true(abstained);
    fact.low.kind = fact.high.kind = VALUE_INT;
    fact.low.i = fact.high.i = 7;
    fact.text = STR("07"); /* the stored text is a reading beside the value's own */
    assert_int_equal(like(&fact, &integer, "7", &abstained), OUTCOME_TRUE | OUTCOME_FALSE);
    assert_int_equal(like(&fact, &integer, "%7", &abstained), OUTCOME_TRUE);
    assert_false(abstained);
}

static void test_pattern__abstains_on_an_escape_that_is_no_single_character(void **state) {
    (void)state;
    column_fact fact = stored("a");
    literal pattern = {.kind = LITERAL_STRING, .raw = STR("a")}, escape = {.kind = LITERAL_STRING, .raw = STR("!!")};
    bool abstained = false;
    assert_int_equal(fact_like(&fact, &text_type, pattern_set_new(&l.memory, &pattern, &escape), &abstained, &l.memory), OUTCOME_TRUE | OUTCOME_FALSE);
    assert_true(abstained);
}

static void test_pattern__null_rows_give_null(void **state) {
    (void)state;
    column_fact fact = {.can_be_null = true};
    expect_like(&fact, "%", OUTCOME_NULL);
    fact = between("Anna", "Carl");
    fact.can_be_null = true;
    expect_like(&fact, "D%", OUTCOME_FALSE | OUTCOME_NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pattern__agrees_with_the_definition_on_random_texts),
        cmocka_unit_test(test_pattern__many_wildcards_take_no_exponential_time),
        cmocka_unit_test(test_pattern__a_partition_value_is_matched),
        cmocka_unit_test(test_pattern__both_readings_of_a_backslash_count),
        cmocka_unit_test(test_pattern__bounds_rule_out_what_lies_beside_the_prefix),
        cmocka_unit_test(test_pattern__abstains_where_the_text_of_a_value_depends_on_the_engine),
        cmocka_unit_test(test_pattern__abstains_on_an_escape_that_is_no_single_character),
        cmocka_unit_test(test_pattern__null_rows_give_null),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
