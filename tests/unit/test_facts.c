/* test_facts.c - the record of facts: saying, restricting, pruning, renaming.
 * Called by: ctest.  Must not know: operators.
 */
#include "in_door.h"

#include "grain/grain.h"

#include "fact_bits.h"

enum { COLUMNS = 10, TRIALS = 300 };

static uint32_t some(void) {
    return draw(1u << COLUMNS) & draw(1u << COLUMNS);
}

static facts empty_facts(arena *a) {
    return facts_of_columns(a, COLUMNS);
}

static facts random_facts(arena *a) {
    facts f = empty_facts(a);
    for (uint32_t i = draw(8); i > 0; i--) {
        uint32_t from = some(), needs = from & some();
        facts_add_dependency(&f, (fact_dependency){.from = of_bits(a, from), .needs = of_bits(a, needs), .to = of_bits(a, some())});
    }
    for (uint32_t i = draw(3); i > 0; i--) {
        uint32_t key = some() | 1u << draw(COLUMNS), needs = key & some();
        facts_add_key(&f, (fact_key){.columns = of_bits(a, key), .needs = of_bits(a, needs)});
    }
    if (draw(2)) facts_add_equal(&f, draw(COLUMNS), draw(COLUMNS));
    if (draw(2)) facts_add_not_null(&f, of_bits(a, some()), EVIDENCE_SQL);
    if (draw(3) == 0) facts_add_constant(&f, of_bits(a, 1u << draw(COLUMNS)), EVIDENCE_SQL);
    if (draw(3) == 0)
        facts_add_presence(&f, (fact_presence){.members = of_bits(a, 7), .implied = of_bits(a, 5), .telling = of_bits(a, 1), .column = 2});
    return f;
}

static uint32_t closed(const facts *f, uint32_t start, uint32_t there) {
    return bits_of(facts_closure(f, of_bits(f->owner, start), (closure_mode){.not_null = of_bits(f->owner, there)}));
}

static bool is_superkey(const facts *f, uint32_t start, uint32_t there) {
    return facts_is_superkey(f, of_bits(f->owner, start), (closure_mode){.not_null = of_bits(f->owner, there)}, NULL);
}

/* ---- saying ---- */

static void smaller_key_replaces_larger(arena *a) {
    facts f = empty_facts(a);
    facts_add_key(&f, (fact_key){.columns = of_bits(a, 1 | 2)});
    facts_add_key(&f, (fact_key){.columns = of_bits(a, 1)});
    facts_add_key(&f, (fact_key){.columns = of_bits(a, 1 | 4)});
    assert_int_equal(f.key_count, 1);
    assert_int_equal(bits_of(f.key[0].columns), 1);
}

static void presumed_key_does_not_replace_a_proved_one(arena *a) {
    facts f = empty_facts(a);
    facts_add_key(&f, (fact_key){.columns = of_bits(a, 1 | 2)});
    facts_add_key(&f, (fact_key){.columns = of_bits(a, 1), .is_presumed = true});
    assert_int_equal(f.key_count, 2);
    assert_int_equal(bits_of(facts_best_key(&f)->columns), 1 | 2);
}

static void lax_key_does_not_replace_a_strict_one(arena *a) {
    facts f = empty_facts(a);
    facts_add_key(&f, (fact_key){.columns = of_bits(a, 1 | 2)});
    facts_add_key(&f, (fact_key){.columns = of_bits(a, 1), .needs = of_bits(a, 1)});
    assert_int_equal(f.key_count, 2);
}

static void too_many_keys_make_a_partial_status(arena *a) {
    facts f = empty_facts(a);
    for (uint32_t i = 0; i < COLUMNS; i++)
        for (uint32_t k = 0; k < i; k++) facts_add_key(&f, (fact_key){.columns = of_bits(a, 1u << i | 1u << k)});
    assert_int_equal(f.key_count, FACTS_MAX_KEYS);
    assert_int_equal(f.status, FACTS_PARTIAL);
}

static void dependency_on_itself_says_nothing(arena *a) {
    facts f = empty_facts(a);
    facts_add_dependency(&f, (fact_dependency){.from = of_bits(a, 3), .to = of_bits(a, 1)});
    assert_int_equal(f.dependency_count, 0);
    facts_add_dependency(&f, (fact_dependency){.from = of_bits(a, 1), .to = of_bits(a, 2)});
    facts_add_dependency(&f, (fact_dependency){.from = of_bits(a, 1), .to = of_bits(a, 4)});
    assert_int_equal(f.dependency_count, 1);
}

static void one_row_is_the_empty_key(arena *a) {
    facts f = empty_facts(a);
    facts_bound_rows(&f, (row_bounds){1, 5}, EVIDENCE_SQL);
    assert_int_equal(f.key_count, 0);
    facts_bound_rows(&f, (row_bounds){0, 1}, EVIDENCE_SQL);
    assert_true(f.rows.min == 1 && f.rows.max == 1);
    assert_int_equal(bits_of(f.key[0].columns), 0);
    facts_no_rows(&f, EVIDENCE_SQL);
    assert_true(f.rows.min == 0 && f.rows.max == 0);
}

static void constant_or_null_is_constant_where_it_is_there(arena *a) {
    facts f = empty_facts(a);
    f.constant_or_null = of_bits(a, 4);
    facts_add_not_null(&f, of_bits(a, 4), EVIDENCE_SQL);
    assert_int_equal(bits_of(f.constant), 4);
}

/* ---- inclusions ---- */

static facts with_inclusion(arena *a, bool is_lax, bool of_parts) {
    static const base_relation *const parent = NULL;
    facts f = empty_facts(a);
    inclusion_pair *pair = ARENA_ARRAY(a, inclusion_pair, 2);
    pair[0] = (inclusion_pair){0, 0}, pair[1] = (inclusion_pair){1, 1};
    facts_add_inclusion(&f, (fact_inclusion){.is_lax = is_lax, .of_parts = of_parts, .relation = parent, .pair = pair, .pair_count = 2});
    return f;
}

static void strict_inclusion_holds_of_parts(arena *a) {
    facts f = with_inclusion(a, false, false);
    facts_restrict(&f, of_bits(a, 1));
    assert_int_equal(f.inclusion_count, 1);
    assert_int_equal(f.inclusion[0].pair_count, 1);
}

static void lax_inclusion_does_not_hold_of_parts(arena *a) {
    facts f = with_inclusion(a, true, false);
    facts_restrict(&f, of_bits(a, 1));
    assert_int_equal(f.inclusion_count, 0);
    f = with_inclusion(a, true, false);
    facts_add_not_null(&f, of_bits(a, 2), EVIDENCE_SQL);
    facts_restrict(&f, of_bits(a, 1));
    assert_int_equal(f.inclusion_count, 1);
}

static void inclusion_of_a_padded_side_holds_of_parts(arena *a) {
    facts f = with_inclusion(a, true, true);
    facts_restrict(&f, of_bits(a, 2));
    assert_int_equal(f.inclusion_count, 1);
    assert_int_equal(f.inclusion[0].pair[0].here, 1);
}

/* ---- fewer columns, other ids ---- */

static void restricted_facts_say_nothing_new(arena *a) {
    for (uint64_t trial = 1; trial <= TRIALS; trial++) {
        seed = trial;
        facts f = random_facts(a), r = facts_copy(&f);
        uint32_t keep = draw(1u << COLUMNS);
        facts_restrict(&r, of_bits(a, keep));
        for (int i = 0; i < 16; i++) {
            uint32_t start = some() & keep, there = start & some();
            assert_int_equal(closed(&r, start, there) & ~closed(&f, start, there) & keep, 0);
            if (is_superkey(&r, start, there)) assert_true(is_superkey(&f, start, there));
        }
    }
}

static void pruned_facts_answer_all_questions_about_the_roots(arena *a) {
    for (uint64_t trial = 1; trial <= TRIALS; trial++) {
        seed = trial * 31;
        facts f = random_facts(a), p = facts_copy(&f);
        uint32_t roots = draw(1u << COLUMNS);
        facts_prune(&p, of_bits(a, roots));
        for (int i = 0; i < 16; i++) {
            uint32_t start = some() & roots, there = start & some();
            assert_int_equal(closed(&p, start, there) & roots, closed(&f, start, there) & roots);
            assert_int_equal(is_superkey(&p, start, there), is_superkey(&f, start, there));
        }
    }
}

static uint32_t moved(uint32_t bits) { /* id -> 3 * id mod 31, another id for each */
    uint32_t out = 0;
    for (uint32_t i = 0; i < COLUMNS; i++)
        if (bits >> i & 1) out |= 1u << (3 * i % 31);
    return out;
}

static void renamed_facts_give_renamed_answers(arena *a) {
    for (uint64_t trial = 1; trial <= TRIALS; trial++) {
        seed = trial * 101;
        facts f = random_facts(a);
        column_id *to = ARENA_ARRAY(a, column_id, COLUMNS);
        for (uint32_t i = 0; i < COLUMNS; i++) to[i] = 3 * i % 31;
        column_map renaming = {.to = to, .count = COLUMNS};
        facts g = facts_map(&f, &renaming);
        for (int i = 0; i < 16; i++) {
            uint32_t start = some(), there = start & some();
            assert_int_equal(closed(&g, moved(start), moved(there)), moved(closed(&f, start, there)));
            assert_int_equal(is_superkey(&g, moved(start), moved(there)), is_superkey(&f, start, there));
        }
    }
}

static void map_holds_the_ids_it_was_made_for(arena *a) {
    colset from = of_bits(a, 6);
    colset_add(&from, 200, a);
    column_map ids = column_map_new(from, a);
    column_map_put(&ids, 200, 7);
    assert_int_equal(column_map_get(&ids, 200), 7);
    assert_int_equal(column_map_get(&ids, 1), NO_COLUMN);
    assert_int_equal(column_map_get(&ids, 5000), NO_COLUMN); /* any id may be asked for */
    assert_int_equal(bits_of(colset_map(from, &ids, a)), 6 | 1 << 7);
    column_map none = column_map_new(COLSET_EMPTY, a);
    assert_int_equal(column_map_get(&none, 0), NO_COLUMN);
    colset late = COLSET_EMPTY;
    colset_add(&late, 200, a);
    ids = column_map_new(late, a);
    assert_int_equal(column_map_get(&ids, 1), NO_COLUMN);
}

static void copy_grows_on_its_own(arena *a) {
    facts f = empty_facts(a);
    facts_add_key(&f, (fact_key){.columns = of_bits(a, 1)});
    facts c = facts_copy(&f);
    facts_add_key(&c, (fact_key){.columns = of_bits(a, 2)});
    facts_add_equal(&c, 0, 1);
    facts_add_not_null(&c, of_bits(a, 1), EVIDENCE_SQL);
    assert_true(f.key_count == 1 && f.equal_count == 0 && colset_is_empty(f.not_null));
}

#define TEST(body)                                                                                                     \
    static void test_facts__##body(void **state) {                                                                     \
        (void)state;                                                                                                   \
        in_door(body);                                                                                                 \
    }
TEST(smaller_key_replaces_larger)
TEST(presumed_key_does_not_replace_a_proved_one)
TEST(lax_key_does_not_replace_a_strict_one)
TEST(too_many_keys_make_a_partial_status)
TEST(dependency_on_itself_says_nothing)
TEST(one_row_is_the_empty_key)
TEST(constant_or_null_is_constant_where_it_is_there)
TEST(strict_inclusion_holds_of_parts)
TEST(lax_inclusion_does_not_hold_of_parts)
TEST(inclusion_of_a_padded_side_holds_of_parts)
TEST(restricted_facts_say_nothing_new)
TEST(pruned_facts_answer_all_questions_about_the_roots)
TEST(renamed_facts_give_renamed_answers)
TEST(map_holds_the_ids_it_was_made_for)
TEST(copy_grows_on_its_own)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts__smaller_key_replaces_larger),
        cmocka_unit_test(test_facts__presumed_key_does_not_replace_a_proved_one),
        cmocka_unit_test(test_facts__lax_key_does_not_replace_a_strict_one),
        cmocka_unit_test(test_facts__too_many_keys_make_a_partial_status),
        cmocka_unit_test(test_facts__dependency_on_itself_says_nothing),
        cmocka_unit_test(test_facts__one_row_is_the_empty_key),
        cmocka_unit_test(test_facts__constant_or_null_is_constant_where_it_is_there),
        cmocka_unit_test(test_facts__strict_inclusion_holds_of_parts),
        cmocka_unit_test(test_facts__lax_inclusion_does_not_hold_of_parts),
        cmocka_unit_test(test_facts__inclusion_of_a_padded_side_holds_of_parts),
        cmocka_unit_test(test_facts__restricted_facts_say_nothing_new),
        cmocka_unit_test(test_facts__pruned_facts_answer_all_questions_about_the_roots),
        cmocka_unit_test(test_facts__renamed_facts_give_renamed_answers),
        cmocka_unit_test(test_facts__map_holds_the_ids_it_was_made_for),
        cmocka_unit_test(test_facts__copy_grows_on_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
