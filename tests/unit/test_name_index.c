/* test_name_index.c - lists found by name.
 * Called by: ctest.  Must not know: queries.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "plan/name_index.h"

enum { LONGEST = 3000 };

typedef struct lab {
    arena memory;
    plain_name name[LONGEST];
    size_t looked_at;
} lab;

static lab l;

static int setup(void **state) {
    (void)state;
    arena_init(&l.memory, 0);
    l.looked_at = 0;
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_end(&l.memory);
    return 0;
}

static plain_name name_at(const void *list, uint32_t at) {
    l.looked_at++;
    return ((const plain_name *)list)[at];
}

static uint32_t lab_random(uint64_t *seed, uint32_t below) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % below;
}

/* Few letters, some beyond ASCII, so that names meet in all cases and in quotes; now and then none. */
static plain_name random_name(uint64_t *seed) {
    static const char *const piece[] = {"a", "A", "b", "B", "\xc3\xa9", "\xc3\x89", "1"};
    if (lab_random(seed, 20) == 0) return (plain_name){STR_NONE, false};
    char text[32] = "";
    for (uint32_t i = lab_random(seed, 4); i > 0; i--) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s", piece[lab_random(seed, 7)]);
    }
    return (plain_name){str_copy(&l.memory, str_from(text)), lab_random(seed, 2) == 0};
}

static bool means(const scope_rules *rules, plain_name a, plain_name b) {
    if (str_is_none(a.text) || str_is_none(b.text)) return str_is_none(a.text) && str_is_none(b.text);
    return name_equal(rules, a, b);
}

/* All places of the name, up and down, beside a walk over the list. */
static void check_name(const named_list *list, plain_name name) {
    uint32_t at = named_first(list, name), last = NO_ENTRY;
    for (uint32_t i = 0; i < list->count; i++) {
        if (!means(list->rules, l.name[i], name)) continue;
        assert_int_equal(at, i);
        at = named_next(list, at, name);
        last = i;
    }
    assert_int_equal(at, NO_ENTRY);
    assert_int_equal(named_last(list, name), last);
    for (uint32_t i = list->count; i > 0; i--) {
        if (!means(list->rules, l.name[i - 1], name)) continue;
        assert_int_equal(last, i - 1);
        last = named_previous(list, last, name);
    }
    assert_int_equal(last, NO_ENTRY);
}

static void test_name_index__finds_what_a_walk_finds_while_the_list_grows_and_shrinks(void **state) {
    (void)state;
    static const sql_dialect dialect[] = {DIALECT_postgres, DIALECT_snowflake, DIALECT_duckdb};
    uint64_t seed = 7;
    for (unsigned round = 0; round < 150; round++) {
        hash_index index = {0};
        named_list list = {l.name, 0, name_at, &index, scope_rules_of(dialect[round % 3]), &l.memory};
        for (unsigned step = 0; step < 12; step++) {
            uint32_t more = lab_random(&seed, 12);
            for (uint32_t i = 0; i < more; i++) l.name[list.count++] = random_name(&seed);
            for (unsigned i = 0; i < 8; i++) check_name(&list, random_name(&seed));
            if (lab_random(&seed, 3)) continue;
            list.count = lab_random(&seed, list.count + 1);
            hash_index_cut(&index, list.count);
        }
    }
}

static void test_name_index__looks_at_a_few_names_however_long_the_list_is(void **state) {
    (void)state;
    hash_index index = {0};
    named_list list = {l.name, LONGEST, name_at, &index, scope_rules_of(DIALECT_ansi), &l.memory};
    for (uint32_t i = 0; i < LONGEST; i++) l.name[i] = (plain_name){str_format(&l.memory, "Column_%u", i), false};
    for (uint32_t i = 0; i < LONGEST; i++)
        assert_int_equal(named_first(&list, (plain_name){str_format(&l.memory, "COLUMN_%u", i), true}), i);
    assert_true(l.looked_at < 3 * LONGEST);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_name_index__finds_what_a_walk_finds_while_the_list_grows_and_shrinks,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(test_name_index__looks_at_a_few_names_however_long_the_list_is, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
