/* test_list.c - the binary search over an IN list gives what a fold over its items gives.
 * Called by: ctest.  Must not know: predicates beyond the list.
 *
 * `c IN (x, y, ...)` is `c = x OR c = y OR ...`, so the fold is the definition. Facts and lists are random; a failure prints
 * its round.
 */
#include "predicate_lab.h"

#include "prune/list.h"

static lab l;

static int setup(void **state) {
    (void)state;
    lab_new(&l, LAB_FIELD("i", "long") "," LAB_FIELD("d", "double") "," LAB_FIELD("s", "string"));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    lab_end(&l);
    return 0;
}

/* `item` against the values of the fact. An engine may compare texts where the item may differ, and then find no match. */
static outcome_set equals(const column_fact *values, const data_type *type, const literal *item) {
    outcome_set set = fact_compare(values, type, COMPARE_EQ, false, item, &l.memory);
    return item->may_differ && (set & OUTCOME_TRUE) ? (outcome_set)(set | OUTCOME_FALSE) : set;
}

/* The definition, on the rows that hold a value; NULL rows give NULL whatever the list. */
static outcome_set folded(const column_fact *fact, const data_type *type, const literal *item, size_t count) {
    column_fact values = *fact;
    values.can_be_null = false;
    outcome_set set = OUTCOME_NONE;
    if (fact->can_be_value) set = equals(&values, type, &item[0]);
    for (size_t i = 1; fact->can_be_value && i < count; i++) set = outcome_or(set, equals(&values, type, &item[i]));
    return (outcome_set)(set | (fact->can_be_null ? OUTCOME_NULL : OUTCOME_NONE));
}

/* The typed items of a list, by way of SQL. */
static const predicate *typed_list(const char *where) {
    if (lab_analyse(&l, where) != LP_OK) fail_msg("%s", l.err.text);
    assert_int_equal(l.analysis.typed->kind, PREDICATE_IN);
    return l.analysis.typed;
}

static const char *const whole[] = {"1", "2", "3", "4", "5", "2.5", "3e0", "4D", "NULL", "99999999999999999999999999999999999999999"},
                  *const real[] = {"1", "2", "3", "4", "5", "2.5", "'NaN'", "'Infinity'", "NULL", "-0.0"},
                  *const texts[] = {"'a'", "'b'", "'c'", "'d'", "'bb'", "'c\\td'", "'b''b'", "''", "NULL", "'cc'"};

static const predicate *random_list(uint64_t *seed, const char *name, const char *const *item) {
    buf b;
    buf_init(&b, &l.memory, 4096);
    buf_printf(&b, "%s IN (", name);
    for (uint32_t i = 0, count = 1 + lab_random(seed, 6); i < count; i++) buf_printf(&b, "%s%s", i ? ", " : "", item[lab_random(seed, 10)]);
    buf_put(&b, STR(")"));
    return typed_list(str_copy(&l.memory, buf_str(&b)).ptr);
}

static value random_value(uint64_t *seed, type_kind kind) {
    static const char *const text[] = {"", "a", "b", "bb", "c", "cc", "d"};
    if (kind == TYPE_LONG) return (value){.kind = VALUE_INT, .i = lab_random(seed, 7)};
    if (kind == TYPE_DOUBLE) return (value){.kind = VALUE_DOUBLE, .f = lab_random(seed, 13) / 2.0};
    return (value){.kind = VALUE_STRING, .s = str_from(text[lab_random(seed, 7)])};
}

static column_fact random_fact(uint64_t *seed, type_kind kind) {
    column_fact f = {.can_be_null = lab_random(seed, 2), .can_be_value = lab_random(seed, 8) > 0,
                     .has_low = lab_random(seed, 5) > 0, .has_high = lab_random(seed, 5) > 0,
                     .low = random_value(seed, kind), .high = random_value(seed, kind)};
    if (lab_random(seed, 3) == 0) f.high = f.low;
    if (value_compare(&f.low, &f.high) > 0) {
        value v = f.low;
        f.low = f.high;
        f.high = v;
    }
    f.may_be_nan = kind == TYPE_DOUBLE && lab_random(seed, 2);
    return f;
}

static void compare_on(const char *name, size_t index, const char *const *items, unsigned rounds) {
    uint64_t seed = 1;
    const data_type *type = &l.schema.top[index].type;
    for (unsigned round = 0; round < rounds; round++) {
        const predicate *p = random_list(&seed, name, items);
        literal_list *list = literal_list_new(&l.memory, p->in.item, p->in.count);
        for (unsigned k = 0; k < 20; k++) {
            column_fact f = random_fact(&seed, type->kind);
            outcome_set expected = folded(&f, type, p->in.item, p->in.count), found = fact_in_list(&f, type, list, &l.memory);
            if (expected != found) fail_msg("round %u, fact %u: " STR_FMT ": fold %u, search %u", round, k, STR_ARG(l.options.where), expected, found);
        }
    }
}

static void test_list__search_is_the_fold_on_integers(void **state) {
    (void)state;
    compare_on("i", 0, whole, 2000);
}

static void test_list__search_is_the_fold_on_doubles_and_nan(void **state) {
    (void)state;
    compare_on("d", 1, real, 2000);
}

static void test_list__search_is_the_fold_on_texts_of_several_readings(void **state) {
    (void)state;
    compare_on("s", 2, texts, 2000);
}

static void test_list__a_null_item_turns_false_into_null(void **state) {
    (void)state;
    const predicate *p = typed_list("i IN (1, NULL)");
    literal_list *list = literal_list_new(&l.memory, p->in.item, p->in.count);
    value seven = {.kind = VALUE_INT, .i = 7}, one = {.kind = VALUE_INT, .i = 1};
    column_fact f = {.can_be_value = true, .has_low = true, .has_high = true, .low = seven, .high = seven};
    assert_int_equal(fact_in_list(&f, &l.schema.top[0].type, list, &l.memory), OUTCOME_NULL);
    f.low = f.high = one;
    assert_int_equal(fact_in_list(&f, &l.schema.top[0].type, list, &l.memory), OUTCOME_TRUE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list__search_is_the_fold_on_integers),
        cmocka_unit_test(test_list__search_is_the_fold_on_doubles_and_nan),
        cmocka_unit_test(test_list__search_is_the_fold_on_texts_of_several_readings),
        cmocka_unit_test(test_list__a_null_item_turns_false_into_null),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
