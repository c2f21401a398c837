/* test_closure.c - the two primitives, attribute closure and superkey test: Armstrong's axioms, needs, presence, and rows.
 * Called by: ctest.  Must not know: operators.
 */
#include "in_door.h"

#include "fact_bits.h"

enum { COLUMNS = 8, TRIALS = 400 };

static facts empty_facts(arena *a) {
    return facts_of_columns(a, COLUMNS);
}

static void add(facts *f, uint32_t from, uint32_t needs, uint32_t to) {
    arena *a = f->owner;
    facts_add_dependency(f, (fact_dependency){.from = of_bits(a, from), .needs = of_bits(a, needs), .to = of_bits(a, to)});
}

static uint32_t closed(const facts *f, uint32_t start) {
    return bits_of(facts_closure(f, of_bits(f->owner, start), CLOSURE_STRICT));
}

static bool is_superkey(const facts *f, uint32_t start, uint32_t not_null) {
    return facts_is_superkey(f, of_bits(f->owner, start), (closure_mode){.not_null = of_bits(f->owner, not_null)}, NULL);
}

/* ---- axioms ---- */

static void closure_is_reflexive_and_monotone(arena *a) {
    for (seed = 1; seed < TRIALS;) {
        facts f = empty_facts(a);
        uint64_t next = seed + 1;
        for (uint32_t i = draw(8); i > 0; i--) add(&f, draw(256), 0, draw(256));
        uint32_t x = draw(256), y = x | draw(256);
        assert_int_equal(closed(&f, x) & x, x);
        assert_int_equal(closed(&f, x) & ~closed(&f, y), 0);
        assert_int_equal(closed(&f, closed(&f, x)), closed(&f, x));
        seed = next;
    }
}

static void closure_follows_chains_and_unions(arena *a) {
    facts f = empty_facts(a);
    add(&f, 1, 0, 2);
    add(&f, 2, 0, 4);
    add(&f, 4 | 8, 0, 16);
    assert_int_equal(closed(&f, 1), 1 | 2 | 4);
    assert_int_equal(closed(&f, 1 | 8), 1 | 2 | 4 | 8 | 16);
    assert_int_equal(closed(&f, 8), 8);
}

static void closure_equals_the_naive_one(arena *a) {
    for (uint64_t trial = 1; trial <= TRIALS; trial++) {
        uint32_t from[10], to[10], count;
        facts f = empty_facts(a);
        seed = trial;
        count = draw(10);
        for (uint32_t i = 0; i < count; i++) {
            from[i] = draw(256) & draw(256), to[i] = draw(256) & draw(256);
            add(&f, from[i], 0, to[i]);
        }
        uint32_t start = draw(256) & draw(256), found = start;
        for (bool more = true; more;) {
            uint32_t before = found;
            for (uint32_t i = 0; i < count; i++)
                if ((from[i] & ~found) == 0) found |= to[i];
            more = found != before;
        }
        assert_int_equal(closed(&f, start), found);
    }
}

/* ---- keys and needs ---- */

enum { CHAIN = 24, TELLS = 25, PRESENCE = 26 };

/* Each step stands before the one that it waits for: passes over all of them would find one a pass. */
static void long_chains_are_followed_to_their_end(arena *a) {
    for (uint64_t trial = 1; trial <= TRIALS; trial++) {
        uint32_t from[40], to[40], count = 0;
        facts f = facts_of_columns(a, 28);
        seed = trial;
        for (uint32_t i = CHAIN; i-- > 0;) from[count] = 1u << i | (draw(4) ? 0 : 1u << draw(CHAIN)), to[count++] = 2u << i;
        for (uint32_t i = 0; i < 10; i++) from[count] = 1u << draw(28) | 1u << draw(28), to[count++] = 1u << draw(28);
        for (uint32_t i = 0; i < count; i++) add(&f, from[i], 0, to[i]);
        add(&f, 1, 1u << 27, 1u << 27); /* needs what may be NULL */
        column_id l = draw(CHAIN), r = draw(CHAIN);
        facts_add_equal(&f, l, r);
        facts_add_presence(&f, (fact_presence){.members = of_bits(a, 1u << PRESENCE), .telling = of_bits(a, 1u << TELLS), .column = PRESENCE});
        uint32_t start = draw(3) ? 1 : 1u << draw(28), naive = start;
        for (uint32_t before = 0; before != naive;) {
            before = naive;
            for (uint32_t i = 0; i < count; i++)
                if ((from[i] & ~naive) == 0) naive |= to[i];
            if (naive >> l & 1 || naive >> r & 1) naive |= 1u << l | 1u << r;
            if (naive >> TELLS & 1) naive |= 1u << PRESENCE;
        }
        assert_int_equal(closed(&f, start), naive);
    }
}

static void key_gives_all_columns(arena *a) {
    facts f = empty_facts(a);
    add(&f, 1, 0, 2);
    facts_add_key(&f, (fact_key){.columns = of_bits(a, 2 | 4)});
    assert_true(is_superkey(&f, 1 | 4, 0));
    assert_false(is_superkey(&f, 1, 0));
    assert_int_equal(closed(&f, 1 | 4), 255);
    assert_int_equal(closed(&f, 1 | 8), 1 | 2 | 8);
}

static void empty_key_holds_for_the_empty_set(arena *a) {
    facts f = empty_facts(a);
    facts_bound_rows(&f, (row_bounds){0, 1}, EVIDENCE_SQL);
    assert_true(is_superkey(&f, 0, 0));
    assert_int_equal(closed(&f, 0), 255);
}

static void needs_must_be_there(arena *a) {
    facts f = empty_facts(a);
    facts_add_key(&f, (fact_key){.columns = of_bits(a, 1 | 2), .needs = of_bits(a, 1)});
    assert_false(is_superkey(&f, 1 | 2, 0));
    assert_false(is_superkey(&f, 1 | 2, 2));
    assert_true(is_superkey(&f, 1 | 2, 1));
    facts_add_not_null(&f, of_bits(a, 1), EVIDENCE_SQL);
    assert_true(is_superkey(&f, 1 | 2, 0));
    assert_true(facts_key_is_strict(&f, &f.key[0]));
}

static void equal_columns_share_values_and_absence(arena *a) {
    facts f = empty_facts(a);
    facts_add_equal(&f, 0, 1);
    facts_add_equal(&f, 2, 1);
    assert_int_equal(closed(&f, 1), 1 | 2 | 4);
    assert_int_equal(bits_of(facts_equal_to(&f, 2)), 1 | 2 | 4);
    assert_int_equal(bits_of(facts_equal_to(&f, 5)), 32);
    facts_add_not_null(&f, of_bits(a, 4), EVIDENCE_SQL);
    assert_int_equal(bits_of(f.not_null), 1 | 2 | 4);
}

static void constants_are_in_every_closure(arena *a) {
    facts f = empty_facts(a);
    facts_add_constant(&f, of_bits(a, 8), EVIDENCE_SQL);
    f.constant_or_null = of_bits(a, 8 | 16);
    assert_int_equal(closed(&f, 1), 1 | 8);
    closure_mode there = {.not_null = of_bits(a, 16)};
    assert_int_equal(bits_of(facts_closure(&f, of_bits(a, 1), there)), 1 | 8 | 16);
    facts_add_not_null(&f, of_bits(a, 16), EVIDENCE_SQL);
    assert_int_equal(closed(&f, 1), 1 | 8 | 16);
}

/* Columns 0..2 are a padded side, 0 and the presence 3 never NULL in a present row; 0 tells of it. */
static facts padded(arena *a) {
    facts f = empty_facts(a);
    facts_add_presence(&f, (fact_presence){.members = of_bits(a, 15), .implied = of_bits(a, 1 | 8), .telling = of_bits(a, 1), .column = 3});
    f.constant_or_null = of_bits(a, 8);
    return f;
}

static void presence_follows_from_what_tells_of_it(arena *a) {
    facts f = padded(a);
    assert_int_equal(closed(&f, 1), 1 | 8);
    assert_int_equal(closed(&f, 2), 2);
    add(&f, 2 | 8, 0, 4);
    assert_int_equal(closed(&f, 1 | 2), 1 | 2 | 4 | 8);
    assert_int_equal(closed(&f, 2), 2);
}

static void any_member_that_is_there_brings_presence_back(arena *a) {
    facts f = padded(a);
    add(&f, 2 | 8, 0, 4);
    facts_add_not_null(&f, of_bits(a, 2), EVIDENCE_SQL);
    assert_int_equal(bits_of(f.not_null), 1 | 2 | 8);
    assert_int_equal(closed(&f, 2), 2 | 4 | 8);
}

static void outer_columns_start_every_closure(arena *a) {
    facts f = empty_facts(a);
    f.outer = of_bits(a, 1 << 9);
    facts_add_dependency(&f, (fact_dependency){.from = of_bits(a, 1 << 9), .to = of_bits(a, 2)});
    assert_int_equal(closed(&f, 1), 1 | 2 | 1 << 9);
}

static void presumed_facts_prove_nothing(arena *a) {
    facts f = empty_facts(a);
    facts_add_key(&f, (fact_key){.columns = of_bits(a, 1), .is_presumed = true});
    closure_mode presumed = {.with_presumed = true};
    assert_false(facts_is_superkey(&f, of_bits(a, 1), CLOSURE_STRICT, NULL));
    assert_true(facts_is_superkey(&f, of_bits(a, 1), presumed, NULL));
    assert_null(facts_best_key(&f));
}

static void best_key_is_strict_then_small_then_first(arena *a) {
    facts f = empty_facts(a);
    facts_add_key(&f, (fact_key){.columns = of_bits(a, 1), .needs = of_bits(a, 1)});
    assert_int_equal(bits_of(facts_best_key(&f)->columns), 1);
    facts_add_key(&f, (fact_key){.columns = of_bits(a, 2 | 4 | 8)});
    assert_int_equal(bits_of(facts_best_key(&f)->columns), 2 | 4 | 8);
    facts_add_key(&f, (fact_key){.columns = of_bits(a, 16 | 32)});
    facts_add_key(&f, (fact_key){.columns = of_bits(a, 64 | 128)});
    assert_int_equal(bits_of(facts_best_key(&f)->columns), 16 | 32);
    add(&f, 16, 0, 32);
    assert_int_equal(bits_of(facts_best_key(&f)->columns), 16);
}

/* ---- rows: what is asked of true facts is true ---- */

enum { ROWS = 6, WIDTH = 5, VALUES = 3 };

typedef struct table {
    int cell[ROWS][WIDTH]; /* 0 is NULL */
    uint32_t rows;
} table;

static bool agree(const table *t, uint32_t i, uint32_t k, uint32_t columns) {
    for (uint32_t c = 0; c < WIDTH; c++)
        if (columns >> c & 1 && t->cell[i][c] != t->cell[k][c]) return false;
    return true;
}

static bool is_there(const table *t, uint32_t i, uint32_t columns) {
    for (uint32_t c = 0; c < WIDTH; c++)
        if (columns >> c & 1 && t->cell[i][c] == 0) return false;
    return true;
}

static bool determines(const table *t, uint32_t from, uint32_t needs, uint32_t to) {
    for (uint32_t i = 0; i < t->rows; i++)
        for (uint32_t k = i + 1; k < t->rows; k++)
            if (is_there(t, i, needs) && is_there(t, k, needs) && agree(t, i, k, from) && !agree(t, i, k, to)) return false;
    return true;
}

static bool tells_apart(const table *t, uint32_t columns, uint32_t needs) {
    for (uint32_t i = 0; i < t->rows; i++)
        for (uint32_t k = i + 1; k < t->rows; k++)
            if (is_there(t, i, needs) && is_there(t, k, needs) && agree(t, i, k, columns)) return false;
    return true;
}

static table random_table(void) {
    table t = {.rows = 1 + draw(ROWS)};
    for (uint32_t i = 0; i < t.rows; i++)
        for (uint32_t c = 0; c < WIDTH; c++) t.cell[i][c] = (int)draw(VALUES);
    return t;
}

static facts true_facts(arena *a, const table *t) {
    facts f = empty_facts(a);
    f.all = of_bits(a, (1u << WIDTH) - 1);
    for (uint32_t i = 0; i < 12; i++) {
        uint32_t from = draw(1u << WIDTH), needs = from & draw(1u << WIDTH), to = draw(1u << WIDTH);
        if (determines(t, from, needs, to)) add(&f, from, needs, to);
        if (tells_apart(t, from, needs)) facts_add_key(&f, (fact_key){.columns = of_bits(a, from), .needs = of_bits(a, needs)});
    }
    for (uint32_t c = 0; c < WIDTH; c++) {
        bool there = true, same = true;
        for (uint32_t i = 0; i < t->rows; i++) there = there && t->cell[i][c], same = same && t->cell[i][c] == t->cell[0][c];
        if (there && draw(2)) facts_add_not_null(&f, of_bits(a, 1u << c), EVIDENCE_SQL);
        if (same && draw(2)) facts_add_constant(&f, of_bits(a, 1u << c), EVIDENCE_SQL);
    }
    return f;
}

static void answers_about_true_facts_are_true(arena *a) {
    for (uint64_t trial = 1; trial <= TRIALS; trial++) {
        seed = trial * 7919;
        table t = random_table();
        facts f = true_facts(a, &t);
        for (uint32_t start = 0; start < 1u << WIDTH; start++) {
            uint32_t there = start & draw(1u << WIDTH);
            closure_mode mode = {.not_null = of_bits(a, there)};
            uint32_t found = bits_of(facts_closure(&f, of_bits(a, start), mode));
            assert_true(determines(&t, start, there, found));
            if (is_superkey(&f, start, there)) assert_true(tells_apart(&t, start, there));
        }
        const fact_key *best = facts_best_key(&f);
        if (best) assert_true(tells_apart(&t, bits_of(best->columns), bits_of(best->needs)));
    }
}

#define TEST(body)                                                                                                     \
    static void test_closure__##body(void **state) {                                                                   \
        (void)state;                                                                                                   \
        in_door(body);                                                                                                 \
    }
TEST(closure_is_reflexive_and_monotone)
TEST(closure_follows_chains_and_unions)
TEST(closure_equals_the_naive_one)
TEST(long_chains_are_followed_to_their_end)
TEST(key_gives_all_columns)
TEST(empty_key_holds_for_the_empty_set)
TEST(needs_must_be_there)
TEST(equal_columns_share_values_and_absence)
TEST(constants_are_in_every_closure)
TEST(presence_follows_from_what_tells_of_it)
TEST(any_member_that_is_there_brings_presence_back)
TEST(outer_columns_start_every_closure)
TEST(presumed_facts_prove_nothing)
TEST(best_key_is_strict_then_small_then_first)
TEST(answers_about_true_facts_are_true)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closure__closure_is_reflexive_and_monotone),
        cmocka_unit_test(test_closure__closure_follows_chains_and_unions),
        cmocka_unit_test(test_closure__closure_equals_the_naive_one),
        cmocka_unit_test(test_closure__long_chains_are_followed_to_their_end),
        cmocka_unit_test(test_closure__key_gives_all_columns),
        cmocka_unit_test(test_closure__empty_key_holds_for_the_empty_set),
        cmocka_unit_test(test_closure__needs_must_be_there),
        cmocka_unit_test(test_closure__equal_columns_share_values_and_absence),
        cmocka_unit_test(test_closure__constants_are_in_every_closure),
        cmocka_unit_test(test_closure__presence_follows_from_what_tells_of_it),
        cmocka_unit_test(test_closure__any_member_that_is_there_brings_presence_back),
        cmocka_unit_test(test_closure__outer_columns_start_every_closure),
        cmocka_unit_test(test_closure__presumed_facts_prove_nothing),
        cmocka_unit_test(test_closure__best_key_is_strict_then_small_then_first),
        cmocka_unit_test(test_closure__answers_about_true_facts_are_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
