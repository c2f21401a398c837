/* test_fold_range.c - what a function gives for a range holds what it gives for each value of the range.
 * Called by: ctest.  Must not know: predicates.
 *
 * Values that one call gives for single arguments must lie in the ranges that the same call gives for a range around
 * them. The brute force harness checks the values; this checks that ranges lose none, in zones whose clocks change too.
 */
#include "in_door.h"

#include "prune/fold.h"

typedef struct subject {
    func_id func;
    const char *target; /* CAST */
    type_kind type;     /* of the argument that is a range */
    size_t at, count;   /* its place, and the number of arguments */
    value other[3];     /* the others, in their places */
} subject;

#define INT(n)                                                                                                         \
    { .kind = VALUE_INT, .i = (n) }
#define TEXT(t)                                                                                                        \
    {                                                                                                                  \
        .kind = VALUE_STRING, .s = { t, sizeof(t) - 1 }                                                                \
    }

static const subject subjects[] = {
    {FUNC_YEAR, NULL, TYPE_DATE, 0, 1, {{0}}},
    {FUNC_YEAR, NULL, TYPE_TIMESTAMP, 0, 1, {{0}}},
    {FUNC_QUARTER, NULL, TYPE_DATE, 0, 1, {{0}}},
    {FUNC_MONTH, NULL, TYPE_TIMESTAMP, 0, 1, {{0}}},
    {FUNC_DAY, NULL, TYPE_TIMESTAMP, 0, 1, {{0}}},
    {FUNC_DAY_OF_YEAR, NULL, TYPE_DATE, 0, 1, {{0}}},
    {FUNC_DAY_OF_WEEK, NULL, TYPE_DATE, 0, 1, {{0}}},
    {FUNC_WEEKDAY, NULL, TYPE_TIMESTAMP, 0, 1, {{0}}},
    {FUNC_WEEK_OF_YEAR, NULL, TYPE_TIMESTAMP, 0, 1, {{0}}},
    {FUNC_HOUR, NULL, TYPE_TIMESTAMP, 0, 1, {{0}}},
    {FUNC_MINUTE, NULL, TYPE_TIMESTAMP, 0, 1, {{0}}},
    {FUNC_SECOND, NULL, TYPE_TIMESTAMP_NTZ, 0, 1, {{0}}},
    {FUNC_TO_DATE, NULL, TYPE_TIMESTAMP, 0, 1, {{0}}},
    {FUNC_LAST_DAY, NULL, TYPE_DATE, 0, 1, {{0}}},
    {FUNC_TRUNC, NULL, TYPE_TIMESTAMP, 0, 2, {{0}, TEXT("MONTH")}},
    {FUNC_DATE_TRUNC, NULL, TYPE_TIMESTAMP, 1, 2, {TEXT("DAY"), {0}}},
    {FUNC_DATE_TRUNC, NULL, TYPE_TIMESTAMP, 1, 2, {TEXT("HOUR"), {0}}},
    {FUNC_DATE_FORMAT, NULL, TYPE_TIMESTAMP, 0, 2, {{0}, TEXT("yyyy-MM-dd")}},
    {FUNC_DATE_ADD, NULL, TYPE_TIMESTAMP, 0, 2, {{0}, INT(40)}},
    {FUNC_ADD_MONTHS, NULL, TYPE_DATE, 0, 2, {{0}, INT(-1)}},
    {FUNC_DATE_DIFF, NULL, TYPE_TIMESTAMP, 0, 2, {{0}, {.kind = VALUE_DATE, .i = 18000}}},
    {FUNC_SHIFT, NULL, TYPE_TIMESTAMP, 0, 4, {{0}, INT(1), INT(2)}},
    {FUNC_UNIX_SECONDS, NULL, TYPE_TIMESTAMP, 0, 1, {{0}}},
    {FUNC_UNIX_TIMESTAMP, NULL, TYPE_TIMESTAMP_NTZ, 0, 1, {{0}}},
    {FUNC_CAST, "date", TYPE_TIMESTAMP, 0, 1, {{0}}},
    {FUNC_CAST, "timestamp", TYPE_TIMESTAMP_NTZ, 0, 1, {{0}}},
    {FUNC_CAST, "timestamp_ntz", TYPE_TIMESTAMP, 0, 1, {{0}}},
    {FUNC_CAST, "double", TYPE_LONG, 0, 1, {{0}}},
    {FUNC_CAST, "float", TYPE_DOUBLE, 0, 1, {{0}}},
    {FUNC_CAST, "integer", TYPE_DOUBLE, 0, 1, {{0}}},
    {FUNC_CAST, "decimal(9,1)", TYPE_DOUBLE, 0, 1, {{0}}},
    {FUNC_CAST, "byte", TYPE_LONG, 0, 1, {{0}}},
    {FUNC_NEGATE, NULL, TYPE_LONG, 0, 1, {{0}}},
    {FUNC_ABS, NULL, TYPE_LONG, 0, 1, {{0}}},
    {FUNC_ABS, NULL, TYPE_DOUBLE, 0, 1, {{0}}},
    {FUNC_ADD, NULL, TYPE_LONG, 0, 2, {{0}, INT(7)}},
    {FUNC_ADD, NULL, TYPE_FLOAT, 0, 2, {{0}, INT(7)}},
    {FUNC_SUBTRACT, NULL, TYPE_DOUBLE, 1, 2, {INT(7), {0}}},
    {FUNC_MULTIPLY, NULL, TYPE_LONG, 0, 2, {{0}, INT(-3)}},
    {FUNC_MULTIPLY, NULL, TYPE_DOUBLE, 0, 2, {{0}, {.kind = VALUE_DECIMAL, .scale = 1, .d = 3}}},
    {FUNC_DIVIDE, NULL, TYPE_LONG, 0, 2, {{0}, INT(-7)}},
    {FUNC_DIVIDE, NULL, TYPE_DOUBLE, 1, 2, {INT(7), {0}}},
    {FUNC_MODULO, NULL, TYPE_LONG, 0, 2, {{0}, INT(7)}},
    {FUNC_PMOD, NULL, TYPE_LONG, 0, 2, {{0}, INT(7)}},
    {FUNC_FLOOR, NULL, TYPE_DOUBLE, 0, 1, {{0}}},
    {FUNC_CEIL, NULL, TYPE_DOUBLE, 0, 1, {{0}}},
    {FUNC_ROUND, NULL, TYPE_DOUBLE, 0, 1, {{0}}},
    {FUNC_SIGN, NULL, TYPE_DOUBLE, 0, 1, {{0}}},
    {FUNC_LENGTH, NULL, TYPE_STRING, 0, 1, {{0}}},
    {FUNC_UPPER, NULL, TYPE_STRING, 0, 1, {{0}}},
    {FUNC_LOWER, NULL, TYPE_STRING, 0, 1, {{0}}},
    {FUNC_SUBSTRING, NULL, TYPE_STRING, 0, 3, {{0}, INT(1), INT(2)}},
    {FUNC_SUBSTRING, NULL, TYPE_STRING, 0, 3, {{0}, INT(0), INT(2)}},
    {FUNC_SUBSTRING, NULL, TYPE_STRING, 0, 2, {{0}, INT(2)}},
    {FUNC_LEFT, NULL, TYPE_STRING, 0, 2, {{0}, INT(1)}},
    {FUNC_JOIN, NULL, TYPE_STRING, 0, 2, {{0}, TEXT("z")}},
    {FUNC_JOIN, NULL, TYPE_STRING, 1, 2, {TEXT("z"), {0}}},
    {FUNC_STARTS_WITH, NULL, TYPE_STRING, 0, 2, {{0}, TEXT("ab")}},
    {FUNC_LIKE, NULL, TYPE_STRING, 0, 2, {{0}, TEXT("ab%")}},
    {FUNC_LIKE, NULL, TYPE_STRING, 0, 2, {{0}, TEXT("a%b")}},
    {FUNC_LT, NULL, TYPE_DOUBLE, 0, 2, {{0}, INT(3)}},
    {FUNC_EQ, NULL, TYPE_TIMESTAMP, 0, 2, {{0}, {.kind = VALUE_DATE, .i = 18000}}},
    {FUNC_GE, NULL, TYPE_DATE, 0, 2, {{0}, TEXT("2019-04-14")}},
    {FUNC_NULL_IF, NULL, TYPE_LONG, 0, 2, {{0}, INT(3)}},
    {FUNC_GREATEST, NULL, TYPE_LONG, 0, 2, {{0}, INT(3)}},
    {FUNC_LEAST, NULL, TYPE_LONG, 0, 2, {{0}, INT(3)}},
};

static uint64_t seed;

static uint64_t roll(uint64_t limit) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % limit;
}

static str random_text(arena *a) {
    static const char *const part[] = {"a", "b", "ab", "A", " ", "z", "\xC3\xBC", "\xF0\x9F\x98\x80"};
    buf b;
    buf_init(&b, a, 100);
    for (uint64_t n = roll(5); n > 0; n--) buf_put(&b, str_from(part[roll(8)]));
    return b.len ? buf_str(&b) : STR("");
}

/* Near the changes of clocks and the ends of months, and far from them. */
static value random_value(arena *a, type_kind type) {
    static const int64_t hour = INT64_C(3600000000);
    value v = {.kind = VALUE_INT};
    switch ((int)type) {
    case TYPE_DATE: v = (value){.kind = VALUE_DATE, .i = 17800 + (int64_t)roll(900)}; break;
    case TYPE_TIMESTAMP:
    case TYPE_TIMESTAMP_NTZ:
        v.kind = type == TYPE_TIMESTAMP ? VALUE_TIMESTAMP : VALUE_TIMESTAMP_NTZ;
        v.i = roll(2) ? (17800 * 24 + (int64_t)roll(900 * 24)) * hour
                      : 1572130000 * INT64_C(1000000) + (int64_t)roll(40) * hour / 4;
        if (roll(3) == 0) v.i += (int64_t)roll(1000000);
        break;
    case TYPE_LONG: v.i = roll(9) ? (int64_t)roll(40) - 20 : INT64_MAX - (int64_t)roll(9); break;
    case TYPE_FLOAT: v = (value){.kind = VALUE_FLOAT, .f = (double)((float)roll(400) / 7 - 20)}; break;
    case TYPE_DOUBLE: v = (value){.kind = VALUE_DOUBLE, .f = (double)roll(4000) / 70 - 20}; break;
    default: v = (value){.kind = VALUE_STRING, .s = random_text(a)}; break;
    }
    return v;
}

static type_kind type_of(const value *v) {
    static const type_kind kind[] = {TYPE_LONG, TYPE_DECIMAL,   TYPE_FLOAT,         TYPE_DOUBLE, TYPE_BOOLEAN,
                                     TYPE_DATE, TYPE_TIMESTAMP, TYPE_TIMESTAMP_NTZ, TYPE_STRING, TYPE_BINARY};
    return kind[v->kind];
}

static void call(const fold_env *env, arena *a, const subject *s, value_range r, ranges *out) {
    ranges *arg = ARENA_ARRAY(a, ranges, s->count);
    const ranges **list = ARENA_ARRAY(a, const ranges *, s->count);
    data_type type = {.kind = TYPE_OTHER};
    if (s->target) type = type_parse(str_from(s->target));
    for (size_t i = 0; i < s->count; i++) {
        const value *v = i < 3 ? &s->other[i] : &(value)INT(12345);
        ranges_add(&arg[i], i == s->at ? r : range_single(type_of(v), *v));
        list[i] = &arg[i];
    }
    fold_call(env, a, s->func, &type, list, s->count, out);
}

static bool holds_value(const value_range *r, const value_range *single) {
    if (r->type == TYPE_OTHER) return true;
    if (r->type != single->type || !r->can_be_value) return false;
    if (!single->has_low || !single->has_high) return !r->has_low && !r->has_high;
    if (value_is_nan(&single->high)) return r->may_be_nan || !r->has_high || value_is_nan(&r->high);
    return (!r->has_low || value_compare(&r->low, &single->low) <= 0) &&
           (!r->has_high || value_compare(&r->high, &single->high) >= 0);
}

/* Each result of the single call in some range of the wide one. */
static bool covers(const ranges *wide, const ranges *single) {
    for (size_t i = 0; i < single->count; i++) {
        const value_range *s = &single->item[i];
        bool null = !s->can_be_null, held = !s->can_be_value;
        for (size_t k = 0; k < wide->count; k++) {
            null |= wide->item[k].can_be_null;
            held |= s->can_be_value && s->type != TYPE_OTHER && holds_value(&wide->item[k], s);
            held |= s->type == TYPE_OTHER && wide->item[k].type == TYPE_OTHER;
        }
        if (!null || !held) return false;
    }
    return true;
}

static void try_subject(const fold_env *env, arena *a, const subject *s, unsigned round) {
    value low = random_value(a, s->type), high = random_value(a, s->type), inside = random_value(a, s->type);
    if (value_compare(&low, &high) > 0) {
        value swap = low;
        low = high;
        high = swap;
    }
    if (value_compare(&inside, &low) < 0) low = inside;
    if (value_compare(&inside, &high) > 0) high = inside;
    value_range r = range_between(s->type, low, high);
    if (s->type == TYPE_STRING && roll(3) == 0) r.high.above_prefix = true;
    if (roll(8) == 0) r.has_low = false;
    if (roll(8) == 0) r.has_high = false;
    ranges wide = {.count = 0}, single = {.count = 0};
    call(env, a, s, r, &wide);
    call(env, a, s, range_single(s->type, inside), &single);
    if (covers(&wide, &single)) return;
    buf b;
    buf_init(&b, a, 4096);
    value_print(&b, &low);
    buf_put(&b, STR(" <= "));
    value_print(&b, &inside);
    buf_put(&b, STR(" <= "));
    value_print(&b, &high);
    fail_msg("%s, %s, round %u: " STR_FMT, func_name(s->func).ptr, s->target ? s->target : "-", round,
             STR_ARG(buf_str(&b)));
}

static void try_all(arena *a, const fold_env *env) {
    arena scratch;
    for (unsigned round = 0; round < 4000; round++)
        for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
            arena_init(&scratch, 0);
            try_subject(env, &scratch, &subjects[i], round);
            arena_end(&scratch);
        }
    (void)a;
}

static void in_utc(arena *a) {
    fold_env env = {.session_zone = zone_utc(), .zones = zone_database_new(a)};
    try_all(a, &env);
}

static void in_rome(arena *a) {
    fold_env env = {.zones = zone_database_new(a)};
    lp_err err = {0};
    if (zone_find(env.zones, STR("Europe/Rome"), &env.session_zone, &err) != LP_OK) return; /* no zone database here */
    try_all(a, &env);
}

static void test_fold_range__holds_what_each_value_gives_in_utc(void **state) {
    (void)state;
    seed = 1;
    in_door(in_utc);
}

static void test_fold_range__holds_what_each_value_gives_where_clocks_change(void **state) {
    (void)state;
    seed = 2;
    in_door(in_rome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fold_range__holds_what_each_value_gives_in_utc),
        cmocka_unit_test(test_fold_range__holds_what_each_value_gives_where_clocks_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
