/* test_dbt_catalog.c - names in SQL find relations of a dbt project by the rules of the dialect; what is closed.
 * Called by: ctest.  Must not know: how a manifest is read.
 */
#include "in_door.h"

#include <string.h>

#include "grain/dbt_catalog.h"
#include "sql/parse.h"

#define HEAD                                                                                                           \
    "{\"metadata\": {\"dbt_schema_version\": \"x/manifest/v12.json\", \"adapter_type\": \"%s\", \"invocation_id\": "   \
    "\"i\"}, "
#define NODE(id, name, relation, more)                                                                                 \
    "\"model.s." id "\": {\"resource_type\": \"model\", \"unique_id\": \"model.s." id                                  \
    "\", \"package_name\": \"s\", \"name\": \"" name "\", \"relation_name\": \"" relation                              \
    "\", \"columns\": {\"k\": {\"name\": \"k\"}}" more "}"

static dbt_project *project_of(arena *a, const char *adapter, const char *nodes, str columns) {
    dbt_project *p;
    lp_err err = {0};
    str text = str_format(a, HEAD "%s}", adapter, nodes);
    if (dbt_open_texts(a, (dbt_texts){.manifest = text, .catalog = columns}, &p, &err) != LP_OK)
        fail_msg("%s", err.text);
    return p;
}

static sql_dialect dialect_of(const dbt_project *p) {
    sql_dialect dialect;
    assert_true(dbt_catalog_dialect(p, &dialect));
    return dialect;
}

/* The relation that `SELECT 1 FROM name` reads. */
static const catalog_relation *find(arena *a, const dbt_project *p, const char *name, const dbt_relation *reader) {
    sql_script script;
    lp_err err;
    str sql = str_format(a, "select 1 from %s", name);
    assert_int_equal(sql_parse_script(a, sql, dialect_of(p), &script, &err), LP_OK);
    assert_int_equal(script.error_count, 0);
    const sql_query *query = script.statement[0]->query;
    catalog c = dbt_catalog_for(dbt_catalog_new(a, p, dialect_of(p)), a, reader);
    return c.find(c.context, &query->select->from[0]->name);
}

static str found_id(arena *a, const dbt_project *p, const char *name, const dbt_relation *reader) {
    const catalog_relation *found = find(a, p, name, reader);
    return found ? dbt_catalog_source(found)->unique_id : STR("nothing");
}

static void fold(arena *a) {
    const char *quoted = "\"nodes\": {" NODE("m", "m", "\\\"db\\\".\\\"S\\\".\\\"Orders\\\"", "") "}";
    const char *plain = "\"nodes\": {" NODE("m", "m", "db.s.orders", "") "}";
    dbt_project *postgres = project_of(a, "postgres", quoted, STR_NONE);
    const dbt_relation *reader = &postgres->relation[0];
    assert_str(found_id(a, postgres, "\"db\".\"S\".\"Orders\"", reader), STR("model.s.m"));
    assert_str(found_id(a, postgres, "DB.\"S\".\"Orders\"", reader), STR("model.s.m"));
    assert_str(found_id(a, postgres, "\"db\".\"S\".Orders", reader), STR("nothing"));
    assert_str(found_id(a, postgres, "\"S\".\"Orders\"", reader), STR("nothing"));
    assert_str(found_id(a, postgres, "\"S\".\"Orders\"", NULL), STR("model.s.m"));
    dbt_project *snowflake = project_of(a, "snowflake", plain, STR_NONE);
    assert_str(found_id(a, snowflake, "DB.s.ORDERS", &snowflake->relation[0]), STR("model.s.m"));
    assert_str(found_id(a, snowflake, "db.s.\"ORDERS\"", &snowflake->relation[0]), STR("model.s.m"));
    assert_str(found_id(a, snowflake, "db.s.\"orders\"", &snowflake->relation[0]), STR("nothing"));
}

static void test_find__parts_compare_by_the_folding_of_the_dialect(void **state) {
    (void)state;
    in_door(fold);
}

static void find_in_bigquery(arena *a) {
    dbt_project *p = project_of(a, "bigquery", "\"nodes\": {" NODE("m", "m", "`my-p`.`d`.`Orders`", "") "}", STR_NONE);
    assert_str(found_id(a, p, "`my-p`.`d`.`Orders`", &p->relation[0]), STR("model.s.m"));
    assert_str(found_id(a, p, "`my-p.d.Orders`", &p->relation[0]), STR("model.s.m"));
    assert_str(found_id(a, p, "my-p.d.Orders", &p->relation[0]), STR("model.s.m"));
    assert_str(found_id(a, p, "`my-p`.`d`.`orders`", &p->relation[0]), STR("nothing"));
}

static void test_find__tables_of_bigquery_are_compared_exactly(void **state) {
    (void)state;
    in_door(find_in_bigquery);
}

static void find_among_several(arena *a) {
    const char *nodes = "\"nodes\": {" NODE("a", "a", "db.s.t", "") "," NODE("b", "b", "db.s.t", "") "," NODE(
        "c", "c", "db.s.c", ", \"depends_on\": {\"nodes\": [\"model.s.b\"]}") "," NODE("o", "o", "db.other.t", "") "}";
    dbt_project *p = project_of(a, "duckdb", nodes, STR_NONE);
    assert_str(found_id(a, p, "db.s.t", &p->relation[2]), STR("model.s.b"));
    assert_str(found_id(a, p, "db.s.t", &p->relation[1]), STR("model.s.b"));
    assert_str(found_id(a, p, "db.s.t", &p->relation[3]), STR("model.s.a"));
    assert_str(found_id(a, p, "s.t", NULL), STR("model.s.a"));
    assert_str(found_id(a, p, "t", NULL), STR("nothing"));
}

static void test_find__a_parent_of_the_reader_goes_first(void **state) {
    (void)state;
    in_door(find_among_several);
}

static void find_files(arena *a) {
    dbt_project *p = project_of(a, "duckdb", "\"nodes\": {" NODE("m", "m", "'data/x.csv'", "") "}", STR_NONE);
    catalog c = dbt_catalog_for(dbt_catalog_new(a, p, DIALECT_duckdb), a, NULL);
    const catalog_relation *found = c.find_file(c.context, STR("'data/x.csv'"));
    assert_non_null(found);
    assert_str(dbt_catalog_source(found)->unique_id, STR("model.s.m"));
    assert_null(c.find_file(c.context, STR("'data/y.csv'")));
}

static void test_find__a_file_is_a_source_of_that_name(void **state) {
    (void)state;
    in_door(find_files);
}

static void close_lists(arena *a) {
    const char *nodes = "\"nodes\": {" NODE("m", "m", "db.s.m", "") "," NODE(
        "c", "c", "db.s.c",
        ", \"config\": {\"contract\": {\"enforced\": true}}") "}, \"sources\": {"
                                                              "\"source.s.r.t\": {\"resource_type\": \"source\", "
                                                              "\"unique_id\": \"source.s.r.t\", \"source_name\": "
                                                              "\"r\", \"name\": \"t\", "
                                                              "\"relation_name\": \"db.r.t\", \"columns\": {\"old\": "
                                                              "{\"name\": \"old\"}}}}";
    str old = STR("{\"sources\": {\"source.s.r.t\": {\"columns\": {\"A\": {\"name\": \"A\", \"index\": 1}}}}}");
    str same = STR("{\"metadata\": {\"invocation_id\": \"i\"}, \"sources\": {\"source.s.r.t\": {\"columns\": {\"A\": "
                   "{\"name\": \"A\"}}}}}");
    dbt_project *p = project_of(a, "snowflake", nodes, old);
    assert_true(find(a, p, "db.s.m", NULL)->is_open);
    assert_false(find(a, p, "db.s.c", NULL)->is_open);
    assert_true(find(a, p, "db.r.t", NULL)->is_open);
    assert_int_equal(find(a, p, "db.r.t", NULL)->column_count, 2);
    p = project_of(a, "snowflake", nodes, same);
    const catalog_relation *t = find(a, p, "db.r.t", NULL);
    assert_false(t->is_open);
    assert_int_equal(t->column_count, 1);
    assert_str(t->column[0].name, STR("A"));
    assert_true(t->column[0].is_quoted);
}

static void test_columns__are_closed_by_a_contract_or_a_catalog_that_is_not_old(void **state) {
    (void)state;
    in_door(close_lists);
}

static void learn(arena *a) {
    dbt_project *p = project_of(a, "snowflake", "\"nodes\": {" NODE("m", "m", "db.s.m", "") "}", STR_NONE);
    dbt_catalog *c = dbt_catalog_new(a, p, dialect_of(p));
    str name[] = {STR("K"), STR("V")};
    dbt_catalog_learn(c, 0, name, 2);
    ast_part part[] = {{.text = STR("m")}};
    sql_name m = {.part = part, .part_count = 1};
    catalog closed = dbt_catalog_for(c, a, NULL), open = dbt_catalog_for_open(c, a, NULL);
    assert_false(closed.find(closed.context, &m)->is_open);
    assert_int_equal(closed.find(closed.context, &m)->column_count, 2);
    assert_true(open.find(open.context, &m)->is_open);
    assert_int_equal(open.find(open.context, &m)->column_count, 2);
}

static void test_learn__a_bound_model_is_closed(void **state) {
    (void)state;
    in_door(learn);
}

static void know_dialects(arena *a) {
    sql_dialect dialect;
    assert_false(dbt_catalog_dialect(project_of(a, "clickhouse", "\"nodes\": {}", STR_NONE), &dialect));
    assert_int_equal(dialect, DIALECT_ansi);
    assert_true(dbt_catalog_dialect(project_of(a, "athena", "\"nodes\": {}", STR_NONE), &dialect));
    assert_int_equal(dialect, DIALECT_athena);
}

static void test_dialect__of_an_unknown_adapter_is_ansi(void **state) {
    (void)state;
    in_door(know_dialects);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find__parts_compare_by_the_folding_of_the_dialect),
        cmocka_unit_test(test_find__tables_of_bigquery_are_compared_exactly),
        cmocka_unit_test(test_find__a_parent_of_the_reader_goes_first),
        cmocka_unit_test(test_find__a_file_is_a_source_of_that_name),
        cmocka_unit_test(test_columns__are_closed_by_a_contract_or_a_catalog_that_is_not_old),
        cmocka_unit_test(test_learn__a_bound_model_is_closed),
        cmocka_unit_test(test_dialect__of_an_unknown_adapter_is_ansi),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
