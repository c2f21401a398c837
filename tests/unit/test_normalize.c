/* test_normalize.c - no pass changes what a predicate gives for any row, and no tree grows.
 * Called by: ctest.  Must not know: SQL text, statistics.
 *
 * Random small trees are evaluated before and after, over all assignments of TRUE, FALSE and NULL to their leaves. A
 * failure prints the seed of its tree.
 */
#include "predicate_lab.h"

#include "base/utf8.h"
#include "predicate/normalize.h"
#include "prune/pattern.h"

static lab l;

static int setup(void **state) {
    (void)state;
    lab_new(&l, LAB_FIELD("a", "integer") "," LAB_FIELD("b", "integer") "," LAB_FIELD("c", "integer") "," LAB_FIELD("ok", "boolean") "," LAB_FIELD("s", "string"));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    lab_end(&l);
    return 0;
}

/* ------------------------------------------------------------------------- random trees over five variables */

enum { VARIABLES = 5, ASSIGNMENTS = 3 * 3 * 3 * 3 * 3, TREES = 4000 };

static column_ref column_of(size_t i) {
    return (column_ref){.column = &l.schema.top[i], .name = l.schema.top[i].name};
}

static predicate *new_node(predicate_kind kind) {
    predicate *p = ARENA_NEW(&l.memory, predicate);
    p->kind = kind;
    return p;
}

static const literal five = {.kind = LITERAL_NUMBER, .raw = {"5", 1}};

/* One variable a column, each in another form of leaf; `flip` asks for the negated form. */
static const predicate *leaf(size_t variable, bool flip) {
    predicate *p;
    switch (variable) {
    case 0:
        p = new_node(PREDICATE_COMPARE);
        p->compare.op = flip ? COMPARE_NE : COMPARE_EQ;
        p->compare.column = column_of(0);
        p->compare.value = five;
        return p;
    case 1:
        p = new_node(PREDICATE_COMPARE);
        p->compare.op = flip ? COMPARE_GE : COMPARE_LT;
        p->compare.column = column_of(1);
        p->compare.value = five;
        return p;
    case 2:
        p = new_node(PREDICATE_IN);
        p->negated = flip;
        p->in.column = column_of(2);
        p->in.item = &five;
        p->in.count = 1;
        return p;
    case 3: p = new_node(PREDICATE_COLUMN); p->column.column = column_of(3); return p;
    default: p = new_node(PREDICATE_OPAQUE); p->opaque.text = STR("f(x)"); return p;
    }
}

static const predicate *random_tree(uint64_t *seed, unsigned depth) {
    uint32_t shape = depth == 0 ? 0 : lab_random(seed, 6);
    if (shape <= 1) return leaf(lab_random(seed, VARIABLES), lab_random(seed, 2));
    if (shape == 2) {
        predicate *p = new_node(PREDICATE_NOT);
        p->not.of = random_tree(seed, depth - 1);
        return p;
    }
    predicate *p = new_node(shape == 3 ? PREDICATE_AND : PREDICATE_OR);
    p->junction.count = 2 + lab_random(seed, 2);
    const predicate **item = ARENA_ARRAY(&l.memory, const predicate *, p->junction.count);
    for (size_t i = 0; i < p->junction.count; i++) item[i] = random_tree(seed, depth - 1);
    p->junction.item = item;
    return p;
}

/* ---------------------------------------------------------------------- a second opinion on three-valued logic */

typedef enum truth { T_FALSE, T_NULL, T_TRUE } truth; /* in this order AND is the least and OR the greatest */

static truth flipped(truth t, bool flip) {
    return flip ? (truth)(T_TRUE - t) : t;
}

static truth value_of(const predicate *p, const truth *variable) {
    truth t;
    switch ((int)p->kind) {
    case PREDICATE_COMPARE:
        if (p->compare.column.column == &l.schema.top[0]) return flipped(variable[0], p->compare.op == COMPARE_NE);
        return flipped(variable[1], p->compare.op == COMPARE_GE);
    case PREDICATE_IN: return flipped(variable[2], p->negated);
    case PREDICATE_COLUMN: return variable[3];
    case PREDICATE_OPAQUE: return variable[4];
    case PREDICATE_NOT: return flipped(value_of(p->not.of, variable), true);
    default: break;
    }
    t = value_of(p->junction.item[0], variable);
    for (size_t i = 1; i < p->junction.count; i++) {
        truth next = value_of(p->junction.item[i], variable);
        if (p->kind == PREDICATE_AND ? next < t : next > t) t = next;
    }
    return t;
}

static size_t leaf_count(const predicate *p) {
    if (p->kind == PREDICATE_NOT) return leaf_count(p->not.of);
    if (p->kind != PREDICATE_AND && p->kind != PREDICATE_OR) return 1;
    size_t count = 0;
    for (size_t i = 0; i < p->junction.count; i++) count += leaf_count(p->junction.item[i]);
    return count;
}

/* NOT stands only above what has no negated form, and no junction holds one of its own kind. */
static void expect_normal_form(const predicate *p, predicate_kind above) {
    if (p->kind == PREDICATE_NOT) {
        assert_true(p->not.of->kind == PREDICATE_COLUMN || p->not.of->kind == PREDICATE_OPAQUE);
        return;
    }
    if (p->kind != PREDICATE_AND && p->kind != PREDICATE_OR) return;
    assert_true(p->kind != above && p->junction.count >= 2);
    for (size_t i = 0; i < p->junction.count; i++) expect_normal_form(p->junction.item[i], p->kind);
}

static void test_normalize__keeps_the_value_for_every_assignment_and_never_grows(void **state) {
    (void)state;
    for (uint64_t tree = 0; tree < TREES; tree++) {
        uint64_t seed = tree;
        const predicate *before = random_tree(&seed, 4), *after = predicate_normalize(&l.memory, before, tree % 2 == 1);
        expect_normal_form(after, PREDICATE_NOT);
        if (leaf_count(after) > leaf_count(before)) fail_msg("tree %u grew", (unsigned)tree);
        for (unsigned code = 0; code < ASSIGNMENTS; code++) {
            truth variable[VARIABLES];
            for (unsigned i = 0, rest = code; i < VARIABLES; i++, rest /= 3) variable[i] = (truth)(rest % 3);
            if (value_of(before, variable) != value_of(after, variable)) fail_msg("tree %u, assignment %u", (unsigned)tree, code);
        }
        if (tree % 100 == 99) { /* keep memory small: start over with the same columns */
            (void)teardown(NULL);
            (void)setup(NULL);
        }
    }
}

static void test_normalize__is_idempotent(void **state) {
    (void)state;
    for (uint64_t tree = 0; tree < 500; tree++) {
        uint64_t seed = tree;
        const predicate *once = predicate_normalize(&l.memory, random_tree(&seed, 4), false);
        const predicate *twice = predicate_normalize(&l.memory, once, false);
        buf a, b;
        buf_init(&a, &l.memory, 1 << 16);
        buf_init(&b, &l.memory, 1 << 16);
        predicate_print(&a, once);
        predicate_print(&b, twice);
        if (!str_eq(buf_str(&a), buf_str(&b))) fail_msg("tree %u: " STR_FMT " became " STR_FMT, (unsigned)tree, STR_ARG(buf_str(&a)), STR_ARG(buf_str(&b)));
    }
}

/* --------------------------------------------------------------------------------------- LIKE against a range */

/* Characters around every edge of the successor: the ends of each length, the surrogates, the last one, and quotes. */
static const uint32_t edge[] = {'a', 'b', '&', '\'', '(', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFE, 0x10FFFF};

static str random_text(uint64_t *seed, uint32_t longest) {
    uint32_t length = lab_random(seed, longest + 1);
    char *bytes = arena_alloc(&l.memory, 4 * (size_t)length + 1);
    size_t used = 0;
    for (uint32_t i = 0; i < length; i++) used += utf8_encode(edge[lab_random(seed, sizeof edge / sizeof *edge)], bytes + used);
    return (str){bytes, used};
}

static bool holds_in_range(const predicate *p, str text) {
    if (p->kind == PREDICATE_AND) return holds_in_range(p->junction.item[0], text) && holds_in_range(p->junction.item[1], text);
    assert_int_equal(p->kind, PREDICATE_COMPARE);
    int order = str_compare(text, p->compare.value.raw);
    return p->compare.op == COMPARE_GE ? order >= 0 : p->compare.op == COMPARE_LT ? order < 0 : order == 0;
}

/* The reading of Spark before 4.0 of a range: the doubled quotes are not there. */
static bool holds_in_joined_range(const predicate *p, str text, char quote) {
    if (p->kind == PREDICATE_AND) return holds_in_joined_range(p->junction.item[0], text, quote) && holds_in_joined_range(p->junction.item[1], text, quote);
    int order = str_compare(text, literal_join(&l.memory, p->compare.value.raw, quote));
    return p->compare.op == COMPARE_GE ? order >= 0 : p->compare.op == COMPARE_LT ? order < 0 : order == 0;
}

static const predicate *like_prefix(str prefix, char doubled) {
    predicate *p = new_node(PREDICATE_LIKE);
    p->like.column = column_of(4);
    p->like.pattern = (literal){.kind = LITERAL_STRING, .raw = str_format(&l.memory, STR_FMT "%%", STR_ARG(prefix)), .doubled = doubled};
    return p;
}

static void test_normalize__prefix_like_is_its_range_for_every_text(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (unsigned i = 0; i < 20000; i++) {
        str prefix = random_text(&seed, 3), text = random_text(&seed, 4);
        if (prefix.len == 0) continue;
        if (i % 2) text = str_format(&l.memory, STR_FMT STR_FMT, STR_ARG(prefix), STR_ARG(text));
        const predicate *bounds = predicate_normalize(&l.memory, like_prefix(prefix, 0), false);
        if (holds_in_range(bounds, text) != str_starts_with(text, prefix)) fail_msg("round %u", i);
    }
}

/* A range may stand for a pattern with a doubled quote only if it does so with and without the quote. */
static void test_normalize__prefix_like_with_doubled_quotes_is_its_range_in_both_readings(void **state) {
    (void)state;
    uint64_t seed = 2;
    unsigned rewritten = 0;
    for (unsigned i = 0; i < 20000; i++) {
        str prefix = random_text(&seed, 4), joined = literal_join(&l.memory, prefix, '\'');
        size_t at;
        if (!str_find_char(prefix, '\'', &at)) continue;
        const predicate *bounds = predicate_normalize(&l.memory, like_prefix(prefix, '\''), false);
        if (bounds->kind == PREDICATE_LIKE) continue;
        rewritten++;
        str tail = random_text(&seed, 3); /* STR_ARG names its argument twice */
        str text = str_format(&l.memory, STR_FMT STR_FMT, STR_ARG(i % 2 ? joined : STR("")), STR_ARG(tail));
        if (holds_in_joined_range(bounds, text, '\'') != str_starts_with(text, joined)) fail_msg("round %u", i);
    }
    assert_true(rewritten > 100);
}

static void expect_successor(const char *prefix, const char *expected) {
    str found;
    if (!prefix_successor(&l.memory, str_from(prefix), &found)) fail_msg("no successor of `%s`", prefix);
    if (!str_eq(found, str_from(expected))) fail_msg("successor of `%s` is `" STR_FMT "`", prefix, STR_ARG(found));
}

static void test_normalize__successor_raises_the_last_character_that_can_be_raised(void **state) {
    (void)state;
    expect_successor("D", "E");
    expect_successor("2024-01-0", "2024-01-1");
    expect_successor("a\x7F", "a\xC2\x80");
    expect_successor("\xDF\xBF", "\xE0\xA0\x80");
    expect_successor("\xED\x9F\xBF", "\xEE\x80\x80");         /* U+D7FF jumps over the surrogates */
    expect_successor("\xEF\xBF\xBF", "\xF0\x90\x80\x80");
    expect_successor("a\xF4\x8F\xBF\xBF", "b");               /* U+10FFFF falls off */
    expect_successor("a\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF", "b");
}

static void test_normalize__nothing_is_above_a_prefix_of_last_characters(void **state) {
    (void)state;
    str found;
    assert_false(prefix_successor(&l.memory, STR("\xF4\x8F\xBF\xBF"), &found));
    assert_false(prefix_successor(&l.memory, STR(""), &found));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normalize__keeps_the_value_for_every_assignment_and_never_grows),
        cmocka_unit_test(test_normalize__is_idempotent),
        cmocka_unit_test(test_normalize__prefix_like_is_its_range_for_every_text),
        cmocka_unit_test(test_normalize__prefix_like_with_doubled_quotes_is_its_range_in_both_readings),
        cmocka_unit_test(test_normalize__successor_raises_the_last_character_that_can_be_raised),
        cmocka_unit_test(test_normalize__nothing_is_above_a_prefix_of_last_characters),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
