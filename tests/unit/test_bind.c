/* test_bind.c - what binding costs.
 * Called by: ctest.  Must not know: what plans look like (tests/golden/plan).
 */
#include "in_door.h"

#include "plan/bind.h"
#include "plan/print.h"
#include "sql/parse.h"

static const char model[] = "with c as (select id, name, amount, day from orders where day > 3) "
                            "select c.name, sum(c.amount) as s, count(*) as n from c join customers k on k.id = c.id "
                            "left join regions r on r.id = k.region "
                            "where exists (select 1 from vip where vip.id = c.id) group by c.name order by s;\n";

/* Bytes of the arena after `count` models were parsed, bound and printed. */
static size_t cost(size_t count) {
    arena memory;
    arena_init(&memory, 0);
    buf text, out;
    buf_init(&text, &memory, SIZE_MAX / 2);
    buf_init(&out, &memory, SIZE_MAX / 2);
    for (size_t i = 0; i < count; i++) buf_put(&text, str_from(model));
    sql_script script;
    lp_err err;
    assert_int_equal(sql_parse_script(&memory, buf_str(&text), DIALECT_snowflake, &script, &err), LP_OK);
    assert_int_equal(script.statement_count, count);
    place_index places = place_index_new(&memory, buf_str(&text));
    for (size_t i = 0; i < count; i++) {
        const plan *p;
        assert_int_equal(
            plan_bind(&memory, buf_str(&text), DIALECT_snowflake, script.statement[i]->query, NULL, &p, &err), LP_OK);
        plan_print(&out, p, &places);
    }
    size_t bytes = memory.peak_bytes;
    arena_end(&memory);
    return bytes;
}

static void body(arena *a) {
    (void)a;
    size_t some = cost(500), more = cost(2000);
    assert_true(more < 5 * some);
}

static void test_bind__many_models_cost_by_their_number(void **state) {
    (void)state;
    in_door(body);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bind__many_models_cost_by_their_number)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
