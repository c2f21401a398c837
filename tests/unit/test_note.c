/* test_note.c - the registry of diagnostics, and lists of raised ones.
 * Called by: ctest.  Must not know: who raises them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "claim/note.h"

static void test_note__every_code_is_found_by_name_and_by_number(void **state) {
    (void)state;
    for (unsigned code = 0; code < NOTE_CODE_COUNT; code++) {
        assert_int_equal(note_code_find(note_code_name(code)), code);
        assert_int_equal(note_code_find(note_code_number(code)), code);
    }
}

static void test_note__find_ignores_case_and_takes_whole_names_only(void **state) {
    (void)state;
    assert_int_equal(note_code_find(STR("unsplittable_or")), NOTE_UNSPLITTABLE_OR);
    assert_int_equal(note_code_find(STR("lp1001")), NOTE_UNSPLITTABLE_OR);
    assert_int_equal(note_code_find(STR("UNSPLITTABLE")), NOTE_CODE_COUNT);
    assert_int_equal(note_code_find(STR("LP10011")), NOTE_CODE_COUNT);
    assert_int_equal(note_code_find(STR("")), NOTE_CODE_COUNT);
}

static void test_note__numbers_are_unique_and_ascend_in_their_block(void **state) {
    (void)state;
    for (unsigned code = 1; code < NOTE_CODE_COUNT; code++)
        assert_true(str_compare(note_code_number(code - 1), note_code_number(code)) < 0);
}

static void test_note__every_row_has_text_and_its_page_begins_with_both_names(void **state) {
    (void)state;
    arena memory;
    arena_init(&memory, 0);
    for (unsigned code = 0; code < NOTE_CODE_COUNT; code++) {
        assert_true(note_code_summary(code).len > 0 && note_code_help(code).len > 0);
        str head = str_format(&memory, STR_FMT " " STR_FMT ": ", STR_ARG(note_code_number(code)), STR_ARG(note_code_name(code)));
        assert_true(str_starts_with(note_code_page(code), head));
        assert_true(str_ends_with(note_code_page(code), note_code_help(code)));
    }
    arena_end(&memory);
}

/* What delta-explain 0.8.0 can print: its own page of codes. Anything else stays away from its schema. */
static void test_note__original_codes_are_those_of_delta_explain(void **state) {
    (void)state;
    static const note_code original[] = {NOTE_UNSPLITTABLE_OR, NOTE_UNSUPPORTED_EXPRESSION, NOTE_PARTITION_EVAL_GAP, NOTE_DELETION_VECTORS,
                                         NOTE_COLUMN_MAPPING, NOTE_LIQUID_CLUSTERING, NOTE_UNRECOGNIZED_TABLE_FEATURE, NOTE_NO_PARTITION_FILTER,
                                         NOTE_STATS_ABSENT, NOTE_WEAK_DATA_SKIPPING, NOTE_UNSUPPORTED_FRAGMENT};
    size_t count = 0;
    for (unsigned code = 0; code < NOTE_CODE_COUNT; code++) count += note_code_is_original(code);
    assert_int_equal(count, sizeof original / sizeof *original);
    for (size_t i = 0; i < count; i++) assert_true(note_code_is_original(original[i]));
}

static void test_note__list_keeps_the_order_and_the_place(void **state) {
    (void)state;
    arena memory;
    arena_init(&memory, 0);
    note_list list = {0};
    assert_false(note_list_has(&list, NOTE_EMPTY_COMMIT));
    note_add(&list, &memory, NOTE_EMPTY_COMMIT, STR("first"));
    note_add_at(&list, &memory, NOTE_TYPE_CAST, STR("second"), (span){3, 4});
    assert_int_equal(list.count, 2);
    assert_true(note_list_has(&list, NOTE_EMPTY_COMMIT) && note_list_has(&list, NOTE_TYPE_CAST));
    assert_false(note_list_has(&list, NOTE_ZONE_ASSUMED));
    assert_false(list.first->has_place);
    assert_true(str_eq(list.first->next->message, STR("second")) && list.first->next->has_place);
    assert_ptr_equal(list.first->next, list.last);
    arena_end(&memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_note__every_code_is_found_by_name_and_by_number),
        cmocka_unit_test(test_note__find_ignores_case_and_takes_whole_names_only),
        cmocka_unit_test(test_note__numbers_are_unique_and_ascend_in_their_block),
        cmocka_unit_test(test_note__every_row_has_text_and_its_page_begins_with_both_names),
        cmocka_unit_test(test_note__original_codes_are_those_of_delta_explain),
        cmocka_unit_test(test_note__list_keeps_the_order_and_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
