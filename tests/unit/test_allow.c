/* test_allow.c - comments that allow findings.
 * Called by: ctest.  Must not know: how findings are proved.
 */
#include "in_door.h"

#include "base/buf.h"
#include "grain/allow.h"

/* Each comment as "line/next codes reason", or its fault. */
static void expect(arena *work, const char *text, sql_dialect dialect, const char *wanted) {
    allowance_list list;
    lp_err err = {0};
    buf out;
    buf_init(&out, work, 10000);
    assert_int_equal(allow_read(work, str_from(text), dialect, &list, &err), LP_OK);
    for (size_t i = 0; i < list.count; i++) {
        const allowance *a = &list.item[i];
        buf_printf(&out, "%s%u/%u", i ? "; " : "", a->line, a->next_line);
        for (unsigned c = 0; c < FINDING_CODE_COUNT; c++) {
            if (a->of[c] && a->fault == ALLOW_IS_GOOD) buf_printf(&out, " %.*s", STR_ARG(finding_code_name((finding_code)c)));
        }
        if (a->fault == ALLOW_IS_GOOD) buf_printf(&out, " %.*s", STR_ARG(a->reason));
        if (a->fault == ALLOW_HAS_NO_REASON) buf_put(&out, STR(" no reason"));
        if (a->fault == ALLOW_IS_NOT_UNDERSTOOD) buf_put(&out, STR(" not understood"));
    }
    buf_put_char(&out, '\0');
    assert_string_equal(out.ptr, wanted);
}

static void line_and_next_line(arena *work) {
    expect(work, "select a -- lakeproof: allow G001 because it is wanted\n, b from t", DIALECT_postgres,
           "1/2 G001 it is wanted");
    expect(work, "-- lakeproof: allow G003 because of this\n\n  -- and more words\nselect 1", DIALECT_postgres,
           "1/4 G003 of this");
    expect(work, "select 1 -- lakeproof: allow G003 because end  ", DIALECT_postgres, "1/0 G003 end");
}

static void test_allow__speaks_of_its_line_and_the_next_one_with_sql(void **state) {
    (void)state;
    in_door(line_and_next_line);
}

static void codes(arena *work) {
    expect(work, "select 1 /* lakeproof: allow g001,G003 , G004 because a, b */ + 2", DIALECT_postgres,
           "1/1 G001 G003 G004 a, b");
    expect(work, "select 1 # lakeproof: allow G001 because x\n", DIALECT_bigquery, "1/0 G001 x");
    expect(work, "select 1 // lakeproof: allow G001 because x\r\n+ 1", DIALECT_snowflake, "1/2 G001 x");
}

static void test_allow__takes_every_comment_and_several_codes(void **state) {
    (void)state;
    in_door(codes);
}

static void reasons(arena *work) {
    expect(work, "select 1 -- lakeproof: allow G001\n", DIALECT_ansi, "1/0 no reason");
    expect(work, "select 1 -- lakeproof: allow G001 because\n", DIALECT_ansi, "1/0 no reason");
    expect(work, "select 1 /* lakeproof: allow G001 because */", DIALECT_ansi, "1/0 no reason");
}

static void test_allow__without_a_reason_does_not_count(void **state) {
    (void)state;
    in_door(reasons);
}

static void faults(arena *work) {
    expect(work, "select 1 -- lakeproof: alow G001 because x\n", DIALECT_ansi, "1/0 not understood");
    expect(work, "select 1 -- lakeproof: allow G999 because x\n", DIALECT_ansi, "1/0 not understood");
    expect(work, "select 1 -- lakeproof: allow because x\n", DIALECT_ansi, "1/0 not understood");
    expect(work, "select 1 -- lakeproof: allow G001 since x\n", DIALECT_ansi, "1/0 not understood");
    expect(work, "select 1 -- lakeproof:", DIALECT_ansi, "1/0 not understood");
}

static void test_allow__other_words_are_not_understood(void **state) {
    (void)state;
    in_door(faults);
}

static void texts(arena *work) {
    expect(work, "select 'lakeproof: allow G001 because x', \"lakeproof: allow G001 because x\" from t", DIALECT_postgres, "");
    expect(work, "select $$ -- lakeproof: allow G001 because x\n$$", DIALECT_postgres, "");
    expect(work, "", DIALECT_postgres, "");
}

static void test_allow__a_text_of_the_query_is_no_comment(void **state) {
    (void)state;
    in_door(texts);
}

static void found(arena *work) {
    allowance_list list;
    lp_err err = {0};
    str text = STR("select a, -- lakeproof: allow G001 because one\n b,\n c -- lakeproof: allow G003\n");
    assert_int_equal(allow_read(work, text, DIALECT_ansi, &list, &err), LP_OK);
    assert_non_null(allow_find(&list, FINDING_G001, 1));
    assert_non_null(allow_find(&list, FINDING_G001, 2));
    assert_null(allow_find(&list, FINDING_G001, 3));
    assert_null(allow_find(&list, FINDING_G003, 1));
    assert_null(allow_find(&list, FINDING_G003, 3));
}

static void test_allow__is_found_by_code_and_line(void **state) {
    (void)state;
    in_door(found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allow__speaks_of_its_line_and_the_next_one_with_sql),
        cmocka_unit_test(test_allow__takes_every_comment_and_several_codes),
        cmocka_unit_test(test_allow__without_a_reason_does_not_count),
        cmocka_unit_test(test_allow__other_words_are_not_understood),
        cmocka_unit_test(test_allow__a_text_of_the_query_is_no_comment),
        cmocka_unit_test(test_allow__is_found_by_code_and_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
