/* test_line_map.c - where the lines of compiled SQL stand in its template.
 * Called by: ctest.  Must not know: SQL.
 */
#include "in_door.h"

#include "base/line_map.h"

/* "line:column+length" in the template, "none" where it is not found. */
static void expect(arena *work, const char *from, const char *to, uint32_t line, uint32_t column, uint32_t length, const char *wanted) {
    line_map m = line_map_new(work, str_from(from), str_from(to));
    text_place found;
    bool is_there = line_map_find(&m, (text_place){line, column, length}, &found);
    str shown = is_there ? str_format(work, "%u:%u+%u", found.line, found.column, found.length) : STR("none");
    assert_string_equal(shown.ptr, wanted);
}

static const char raw[] = "{{ config(materialized='table') }}\n"
                          "{% set x = 1 %}\n"
                          "select a,\n"
                          "  sum(b) as b\n"
                          "from {{ ref('t') }} as t\n"
                          "join {{ ref('u') }} as u on t.k = u.k\n"
                          "group by a\n";
static const char compiled[] = "\n"
                               "\n"
                               "select a,\n"
                               "  sum(b) as b\n"
                               "from \"db\".\"s\".\"t\" as t\n"
                               "join \"db\".\"s\".\"u\" as u on t.k = u.k\n"
                               "group by a\n";

static void equal_lines_keep_their_columns(arena *work) {
    expect(work, compiled, raw, 4, 3, 6, "4:3+6");
    expect(work, compiled, raw, 7, 1, 8, "7:1+8");
}

static void test_line_map__equal_lines_keep_their_columns(void **state) {
    (void)state;
    in_door(equal_lines_keep_their_columns);
}

static void behind_what_the_template_put_in_columns_move(arena *work) {
    expect(work, compiled, raw, 6, 27, 9, "6:29+9"); /* t.k = u.k */
    expect(work, compiled, raw, 6, 1, 4, "6:1+4");   /* join */
}

static void test_line_map__behind_what_the_template_put_in_columns_move(void **state) {
    (void)state;
    in_door(behind_what_the_template_put_in_columns_move);
}

static void inside_of_what_the_template_put_in_it_is_the_line(arena *work) {
    expect(work, compiled, raw, 5, 6, 10, "5:1+24");
}

static void test_line_map__inside_of_what_the_template_put_in_it_is_the_line(void **state) {
    (void)state;
    in_door(inside_of_what_the_template_put_in_it_is_the_line);
}

static void a_loop_that_became_more_lines_has_no_partner(arena *work) {
    const char *template = "select\n{% for c in cs %}\n{{ c }},\n{% endfor %}\nk\nfrom t\n";
    const char *made = "select\n\na,\n\nb,\n\nc,\n\nk\nfrom t\n";
    expect(work, made, template, 5, 1, 1, "none");
    expect(work, made, template, 9, 1, 1, "5:1+1");
    expect(work, made, template, 1, 1, 6, "1:1+6");
}

static void test_line_map__a_loop_that_became_more_lines_has_no_partner(void **state) {
    (void)state;
    in_door(a_loop_that_became_more_lines_has_no_partner);
}

static void lines_that_stand_twice_go_with_their_neighbours(arena *work) {
    const char *template = "a\n)\n{{ x }}\n{{ y }}\nb\n)\n";
    const char *made = "a\n)\nX\nb\n)\n";
    expect(work, made, template, 2, 1, 1, "2:1+1");
    expect(work, made, template, 5, 1, 1, "6:1+1");
    expect(work, made, template, 3, 1, 1, "none");
}

static void test_line_map__lines_that_stand_twice_go_with_their_neighbours(void **state) {
    (void)state;
    in_door(lines_that_stand_twice_go_with_their_neighbours);
}

static void columns_count_code_points(arena *work) {
    expect(work, "x '\xc3\xa4' \"q\" y = 1\n", "x '\xc3\xa4' {{ q }} y = 1\n", 1, 11, 5, "1:15+5");
    expect(work, "\xc3\xa4\n", "\xc3\xa5\n", 1, 1, 1, "1:1+1");
}

static void test_line_map__columns_count_code_points(void **state) {
    (void)state;
    in_door(columns_count_code_points);
}

static void nothing_maps_to_nothing(arena *work) {
    expect(work, "", "", 1, 1, 0, "1:1+0");
    expect(work, "a", "", 1, 1, 1, "1:1+0");
    expect(work, "a", "a", 2, 1, 1, "none");
    expect(work, "a", "a", 0, 1, 1, "none");
}

static void test_line_map__nothing_maps_to_nothing(void **state) {
    (void)state;
    in_door(nothing_maps_to_nothing);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_map__equal_lines_keep_their_columns),
        cmocka_unit_test(test_line_map__behind_what_the_template_put_in_columns_move),
        cmocka_unit_test(test_line_map__inside_of_what_the_template_put_in_it_is_the_line),
        cmocka_unit_test(test_line_map__a_loop_that_became_more_lines_has_no_partner),
        cmocka_unit_test(test_line_map__lines_that_stand_twice_go_with_their_neighbours),
        cmocka_unit_test(test_line_map__columns_count_code_points),
        cmocka_unit_test(test_line_map__nothing_maps_to_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
