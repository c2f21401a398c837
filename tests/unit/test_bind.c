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

/* ---- one long query ---- */

/* `piece` with the numbers from `first` to `end` - 1 in place of each $, and of each ^ the one before. */
static void put_numbered(buf *out, const char *piece, unsigned first, unsigned end) {
    for (unsigned i = first; i < end; i++)
        for (const char *c = piece; *c; c++) {
            if (*c == '$' || *c == '^')
                buf_printf(out, "%u", *c == '^' ? i - 1 : i);
            else
                buf_put_char(out, *c);
        }
}

static lp_status bind_text(arena *memory, str text, sql_dialect dialect, const plan **p, lp_err *err) {
    sql_script script;
    TRY(sql_parse_script(memory, text, dialect, &script, err));
    assert_int_equal(script.error_count, 0);
    return plan_bind(memory, text, dialect, script.statement[0]->query, NULL, p, err);
}

typedef struct wide_case {
    const char *start, *piece, *end;
    sql_dialect dialect;
} wide_case;

static const wide_case wide[] = {
    {"select 1", ", c$", " from t", DIALECT_ansi},
    {"select 1", ", x.c$ + y.d$", " from t x join u y on x.id = y.id", DIALECT_postgres},
    {"select 1", ", sum(case when a = $ then c$ end) as s$", " from t group by b", DIALECT_postgres},
    {"select 1 as x0", ", c$ + 1 as x$, x^ + 1 as y$", " from (select * from (select * from t) a) b",
     DIALECT_snowflake},
    {"select b from t group by 1", ", c$ + $", "", DIALECT_spark},
    {"with q0 as (select 1 as a)", ", q$ as (select a + $ as a from q^ where a > 0)", " select a from q0",
     DIALECT_duckdb},
    {"select 1 as a", " union all select c$ from t$", "", DIALECT_bigquery},
    {"select 1 from t where true", " and c in (select d from u$)", "", DIALECT_trino},
};

static size_t cost_of_width(const wide_case *c, unsigned width) {
    arena memory;
    arena_init(&memory, 0);
    buf text;
    buf_init(&text, &memory, SIZE_MAX / 2);
    buf_put(&text, str_from(c->start));
    put_numbered(&text, c->piece, 1, width);
    buf_put(&text, str_from(c->end));
    const plan *p;
    lp_err err;
    assert_int_equal(bind_text(&memory, buf_str(&text), c->dialect, &p, &err), LP_OK);
    size_t bytes = memory.peak_bytes;
    arena_end(&memory);
    return bytes;
}

static void wide_body(arena *a) {
    (void)a;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        size_t some = cost_of_width(&wide[i], 500), more = cost_of_width(&wide[i], 2000);
        if (more >= 5 * some) fail_msg("%s: %zu bytes, and %zu for four times the width", wide[i].piece, some, more);
    }
}

static void test_bind__one_query_costs_by_its_width(void **state) {
    (void)state;
    in_door(wide_body);
}

/* Neither a CTE of a CTE of a CTE ..., nor joins in a row, may be as deep on the stack as they are long in the text. */
static void long_body(arena *a) {
    buf text;
    const plan *p;
    lp_err err;
    buf_init(&text, a, SIZE_MAX / 2);
    buf_put(&text, STR("with q0 as (select * from t)"));
    put_numbered(&text, ", q$ as (select * from q^)", 1, 100000);
    buf_put(&text, STR(" select a from q99999"));
    assert_int_equal(bind_text(a, buf_str(&text), DIALECT_spark, &p, &err), LP_OK);
    assert_int_equal(p->result_count, 1);
    buf_reset(&text);
    buf_put(&text, STR("select t0.a, t50000.b from t0"));
    put_numbered(&text, " cross join t$", 1, 100000);
    assert_int_equal(bind_text(a, buf_str(&text), DIALECT_spark, &p, &err), LP_OK);
    assert_int_equal(p->result_count, 2);
}

static void test_bind__long_chains_need_no_stack(void **state) {
    (void)state;
    in_door(long_body);
}

static lp_status bind_many_columns(void *context, lp_err *err) {
    buf text;
    const plan *p;
    buf_init(&text, context, SIZE_MAX / 2);
    buf_put(&text, STR("select 1 from (select 1 as c0) t0"));
    put_numbered(&text, " cross join (select $ as c$) t$", 1, 10000);
    return bind_text(context, buf_str(&text), DIALECT_ansi, &p, err);
}

static void test_bind__more_columns_than_a_machine_holds_are_a_limit(void **state) {
    (void)state;
    arena memory;
    lp_err err;
    arena_init(&memory, 0);
    assert_int_equal(door_run(bind_many_columns, &memory, &err), LP_ERR_LIMIT);
    assert_non_null(strstr(err.text, "columns"));
    arena_end(&memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bind__many_models_cost_by_their_number),
        cmocka_unit_test(test_bind__one_query_costs_by_its_width),
        cmocka_unit_test(test_bind__long_chains_need_no_stack),
        cmocka_unit_test(test_bind__more_columns_than_a_machine_holds_are_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
