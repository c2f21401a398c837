/* test_sql_lex.c - the tables of the lexer and what its spans promise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/door.h"
#include "sql/lex.h"
#include "sql/parse.h"

typedef struct lexed {
    arena query;
    str text;
    sql_dialect dialect;
    const token *token;
    size_t count;
    lp_status status;
    lp_err err;
} lexed;

static lp_status lex_body(void *context, lp_err *err) {
    lexed *l = context;
    return sql_lex(&l->query, l->text, l->dialect, &l->token, &l->count, err);
}

static lexed lex(sql_dialect dialect, str text) {
    lexed l = {.text = text, .dialect = dialect};
    arena_init(&l.query, 0);
    l.status = door_run(lex_body, &l, &l.err);
    return l;
}

static void test_lex__keywords_are_sorted_and_found_in_any_case(void **state) {
    (void)state;
    for (int k = 1; k < KW_COUNT; k++) {
        str word = keyword_text((keyword)k);
        if (k > 1) assert_true(str_compare(keyword_text((keyword)(k - 1)), word) < 0);
        char lower[32];
        for (size_t i = 0; i < word.len; i++) lower[i] = word.ptr[i] == '_' ? '_' : (char)(word.ptr[i] | 0x20);
        assert_int_equal(keyword_find((str){lower, word.len}), k);
        assert_int_equal(keyword_find(word), k);
        assert_int_equal(keyword_find(str_slice(word, 0, word.len - 1)) == (keyword)k, false);
    }
    assert_int_equal(keyword_find(STR("")), KW_NONE);
    assert_int_equal(keyword_find(STR("ZZZ")), KW_NONE);
}

static void test_lex__no_operator_hides_a_longer_one(void **state) {
    (void)state;
    for (int i = 1; i < OPERATOR_COUNT; i++)
        for (int j = i + 1; j < OPERATOR_COUNT; j++)
            assert_false(str_starts_with(operator_text((operator_id)j), operator_text((operator_id)i)));
}

static void test_lex__each_operator_alone_is_one_token(void **state) {
    (void)state;
    for (int i = 1; i < OPERATOR_COUNT; i++) {
        lexed l = lex(DIALECT_spark, operator_text((operator_id)i));
        assert_int_equal(l.status, LP_OK);
        assert_int_equal(l.count, 2);
        assert_int_equal(l.token[0].detail, i);
        arena_end(&l.query);
    }
}

static void test_lex__end_stands_behind_the_last_token(void **state) {
    (void)state;
    lexed l = lex(DIALECT_spark, STR("a >  -- nothing follows\n\n"));
    assert_int_equal(l.count, 3);
    assert_int_equal(l.token[2].kind, TOKEN_END);
    assert_int_equal(l.token[2].at.start, 3);
    arena_end(&l.query);
    l = lex(DIALECT_spark, STR("  "));
    assert_int_equal(l.count, 1);
    assert_int_equal(l.token[0].at.start, 0);
    arena_end(&l.query);
}

static void test_lex__spans_are_in_order_and_do_not_overlap(void **state) {
    (void)state;
    lexed l = lex(DIALECT_spark, STR("`a``b`.c >= r'\\'||x'0A'/* */+1.5e3BD -- x"));
    assert_int_equal(l.status, LP_OK);
    for (size_t i = 1; i < l.count; i++)
        assert_true(l.token[i - 1].at.start + l.token[i - 1].at.len <= l.token[i].at.start);
    arena_end(&l.query);
}

static void test_lex__text_of_the_longest_size_is_taken_and_one_more_is_not(void **state) {
    (void)state;
    char *blanks = malloc(SQL_MAX_TEXT_BYTES + 1);
    assert_non_null(blanks);
    memset(blanks, ' ', SQL_MAX_TEXT_BYTES + 1);
    lexed l = lex(DIALECT_spark, (str){blanks, SQL_MAX_TEXT_BYTES});
    assert_int_equal(l.status, LP_OK);
    arena_end(&l.query);
    l = lex(DIALECT_spark, (str){blanks, SQL_MAX_TEXT_BYTES + 1});
    assert_int_equal(l.status, LP_ERR_QUERY);
    assert_non_null(strstr(l.err.text, "16777216"));
    arena_end(&l.query);
    free(blanks);
}

static void test_lex__deeply_nested_comments_cost_no_stack(void **state) {
    (void)state;
    enum { DEPTH = 500000 };
    char *text = malloc(4 * DEPTH);
    assert_non_null(text);
    for (size_t i = 0; i < DEPTH; i++) {
        memcpy(text + 2 * i, "/*", 2);
        memcpy(text + 2 * DEPTH + 2 * i, "*/", 2);
    }
    lexed l = lex(DIALECT_spark, (str){text, 4 * DEPTH});
    assert_int_equal(l.status, LP_OK);
    assert_int_equal(l.count, 1);
    arena_end(&l.query);
    l = lex(DIALECT_spark, (str){text, 4 * DEPTH - 2});
    assert_int_equal(l.status, LP_ERR_QUERY);
    arena_end(&l.query);
    free(text);
}

static void test_dialect__names_are_found_in_any_case(void **state) {
    (void)state;
    sql_dialect d;
    for (int i = 0; i < DIALECT_COUNT; i++) {
        assert_true(sql_dialect_by_name(str_from(sql_dialect_traits((sql_dialect)i)->name), &d));
        assert_int_equal(d, i);
    }
    assert_true(sql_dialect_by_name(STR("SPARK"), &d));
    assert_int_equal(d, DIALECT_spark);
    assert_false(sql_dialect_by_name(STR("cobol"), &d));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lex__keywords_are_sorted_and_found_in_any_case),
        cmocka_unit_test(test_lex__no_operator_hides_a_longer_one),
        cmocka_unit_test(test_lex__each_operator_alone_is_one_token),
        cmocka_unit_test(test_lex__end_stands_behind_the_last_token),
        cmocka_unit_test(test_lex__spans_are_in_order_and_do_not_overlap),
        cmocka_unit_test(test_lex__text_of_the_longest_size_is_taken_and_one_more_is_not),
        cmocka_unit_test(test_lex__deeply_nested_comments_cost_no_stack),
        cmocka_unit_test(test_dialect__names_are_found_in_any_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
