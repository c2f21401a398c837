/* test_schema.c - schemaString to columns, and names to columns.
 * Called by: ctest.  Must not know: logs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/door.h"
#include "delta/schema.h"

static arena memory;
static schema found;
static lp_err err;

static int setup(void **state) {
    (void)state;
    arena_init(&memory, 0);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_end(&memory);
    return 0;
}

typedef struct parse_call {
    const char *text;
    const char *const *partition;
    size_t partition_count;
    mapping_mode mapping;
    bool generated;
} parse_call;

static lp_status parse_body(void *context, lp_err *e) {
    const parse_call *c = context;
    str partition[4];
    for (size_t i = 0; i < c->partition_count; i++) partition[i] = str_from(c->partition[i]);
    return schema_parse(&memory, str_from(c->text), partition, c->partition_count, c->mapping, c->generated, &found, e);
}

static lp_status parse(const char *text, mapping_mode mapping) {
    parse_call c = {.text = text, .mapping = mapping, .generated = true};
    return door_run(parse_body, &c, &err);
}

static void expect_schema(const char *text) {
    if (parse(text, MAPPING_NONE) != LP_OK) fail_msg("%s", err.text);
}

static void expect_error(const char *text, lp_status status, const char *part) {
    assert_int_equal(parse(text, MAPPING_NONE), status);
    if (!strstr(err.text, part)) fail_msg("expected `%s` in `%s`", part, err.text);
}

#define STRUCT(fields) "{\"type\":\"struct\",\"fields\":[" fields "]}"
#define FIELD(name, type, metadata)                                                                                    \
    "{\"name\":\"" name "\",\"type\":" type ",\"nullable\":true,\"metadata\":{" metadata "}}"

static void test_schema__reads_fields_in_order(void **state) {
    (void)state;
    expect_schema(STRUCT(FIELD("a", "\"long\"", "") "," FIELD("b", "\"decimal(10, 2)\"", "")));
    assert_int_equal(found.top_count, 2);
    assert_int_equal(found.leaf_count, 2);
    assert_int_equal(found.top[0].type.kind, TYPE_LONG);
    assert_int_equal(found.top[1].type.scale, 2);
    assert_int_equal(found.top[1].leaf_index, 1);
    assert_true(str_eq(found.top[0].physical, STR("a")));
    assert_int_equal(found.top[0].partition_index, -1);
}

static void test_schema__members_may_stand_in_any_order(void **state) {
    (void)state;
    expect_schema("{\"fields\":[{\"metadata\":{\"__CHAR_VARCHAR_TYPE_STRING\":\"char(5)\"},\"nullable\":false,\"type\":"
                  "\"string\",\"name\":\"a\",\"more\":[1,{}]}],\"type\":\"struct\",\"x\":null}");
    assert_int_equal(found.top[0].type.char_length, 5);
    assert_false(found.top[0].nullable);
}

static void test_schema__structs_nest_and_leaves_stand_depth_first(void **state) {
    (void)state;
    expect_schema(
        STRUCT(FIELD("s", STRUCT(FIELD("x", "\"long\"", "") "," FIELD("t", STRUCT(FIELD("y", "\"string\"", "")), "")),
                     "") "," FIELD("z", "\"date\"", "")));
    assert_int_equal(found.leaf_count, 3);
    assert_true(str_eq(found.leaf[1]->name, STR("y")));
    assert_int_equal(found.top[0].leaf_index, UINT32_MAX);
    assert_ptr_equal(found.leaf[1]->parent->parent, &found.top[0]);
    assert_true(str_eq(column_dotted_name(found.leaf[1], &memory), STR("s.t.y")));
}

static void test_schema__collections_are_leaves_without_children(void **state) {
    (void)state;
    expect_schema(STRUCT(
        FIELD("a", "{\"type\":\"array\",\"elementType\":" STRUCT(FIELD("x", "\"long\"", "")) ",\"containsNull\":true}",
              "") "," FIELD("m",
                            "{\"type\":\"map\",\"keyType\":\"string\",\"valueType\":{\"type\":\"array\","
                            "\"elementType\":\"long\",\"containsNull\":true},\"valueContainsNull\":true}",
                            "")));
    assert_int_equal(found.leaf_count, 2);
    assert_int_equal(found.top[0].type.kind, TYPE_ARRAY);
    assert_int_equal(found.top[0].child_count, 0);
    assert_int_equal(found.top[1].type.kind, TYPE_MAP);
}

static void test_schema__variant_and_unknown_types_are_carried(void **state) {
    (void)state;
    expect_schema(STRUCT(FIELD("v", "\"variant\"", "") "," FIELD("w", "{\"type\":\"variant\"}", "") "," FIELD(
        "u", "\"quaternion\"", "") "," FIELD("o", "{\"type\":\"udt\",\"class\":\"c\",\"sqlType\":\"long\"}", "")));
    assert_int_equal(found.top[0].type.kind, TYPE_VARIANT);
    assert_int_equal(found.top[1].type.kind, TYPE_VARIANT);
    assert_int_equal(found.top[2].type.kind, TYPE_OTHER);
    assert_int_equal(found.top[3].type.kind, TYPE_OTHER);
}

static void test_schema__empty_text_has_no_columns(void **state) {
    (void)state;
    expect_schema("");
    assert_int_equal(found.top_count, 0);
    expect_schema(STRUCT(""));
    assert_int_equal(found.leaf_count, 0);
}

static void test_schema__partition_columns_in_the_order_of_the_metadata(void **state) {
    (void)state;
    static const char *const name[] = {"B", "a"};
    parse_call c = {
        .text = STRUCT(FIELD("a", "\"long\"", "") "," FIELD("c", "\"long\"", "") "," FIELD("b", "\"date\"", "")),
        .partition = name,
        .partition_count = 2};
    assert_int_equal(door_run(parse_body, &c, &err), LP_OK);
    assert_int_equal(found.partition_count, 2);
    assert_ptr_equal(found.partition[0], &found.top[2]);
    assert_int_equal(found.top[2].partition_index, 0);
    assert_int_equal(found.top[0].partition_index, 1);
    assert_int_equal(found.top[1].partition_index, -1);
}

static void test_schema__partition_column_that_is_missing_is_an_error(void **state) {
    (void)state;
    static const char *const name[] = {"p"};
    parse_call c = {.text = STRUCT(FIELD("a", "\"long\"", "")), .partition = name, .partition_count = 1};
    assert_int_equal(door_run(parse_body, &c, &err), LP_ERR_FORMAT);
    c.text = "";
    assert_int_equal(door_run(parse_body, &c, &err), LP_OK);
    assert_int_equal(found.partition_count, 0);
}

static void test_schema__mapping_takes_physical_names_and_never_the_logical_one(void **state) {
    (void)state;
    const char *mapped =
        STRUCT(FIELD("a", "\"long\"", "\"delta.columnMapping.physicalName\":\"b\",\"delta.columnMapping.id\":1"));
    assert_int_equal(parse(mapped, MAPPING_ID), LP_OK);
    assert_true(str_eq(found.top[0].physical, STR("b")));
    expect_schema(mapped);
    assert_true(str_eq(found.top[0].physical, STR("a")));
    assert_int_equal(parse(STRUCT(FIELD("a", "\"long\"", "")), MAPPING_NAME), LP_ERR_FORMAT);
    /* below a collection no statistics can be asked for */
    assert_int_equal(
        parse(STRUCT(FIELD("a", "{\"type\":\"array\",\"elementType\":" STRUCT(FIELD("x", "\"long\"", "")) "}",
                           "\"delta.columnMapping.physicalName\":\"b\"")),
              MAPPING_NAME),
        LP_OK);
}

static void test_schema__generation_counts_only_where_enabled(void **state) {
    (void)state;
    parse_call c = {.text = STRUCT(FIELD("a", "\"long\"", "\"delta.generationExpression\":\"b + 1\"")),
                    .generated = true};
    assert_int_equal(door_run(parse_body, &c, &err), LP_OK);
    assert_true(str_eq(found.top[0].generation, STR("b + 1")));
    c.generated = false;
    assert_int_equal(door_run(parse_body, &c, &err), LP_OK);
    assert_true(str_is_none(found.top[0].generation));
}

static void test_schema__char_varchar_and_collations(void **state) {
    (void)state;
    expect_schema(STRUCT(FIELD("a", "\"string\"", "\"__CHAR_VARCHAR_TYPE_STRING\":\"varchar(5)\"") "," FIELD(
        "b", "\"string\"",
        "\"__CHAR_VARCHAR_TYPE_STRING\":\"char(x)\"") "," FIELD("c", "\"string\"",
                                                                "\"__COLLATIONS\":{\"c\":\"spark.UTF8_"
                                                                "LCASE\"}") "," FIELD("d", "\"string\"",
                                                                                      "\"__COLLATIONS\":{"
                                                                                      "\"d\":\"spark."
                                                                                      "UTF8_BINARY\"}")));
    assert_int_equal(found.top[0].type.char_length, 0);
    assert_int_equal(found.top[1].type.char_length, 0);
    assert_true(found.top[2].type.collated);
    assert_false(found.top[3].type.collated);
}

static void expect_change(const char *from, const char *to, bool supported) {
    char text[512];
    snprintf(text, sizeof text,
             STRUCT("{\"name\":\"a\",\"type\":\"%s\",\"nullable\":true,\"metadata\":{\"delta.typeChanges\":[{"
                    "\"toType\":\"%s\",\"fromType\":\"%s\"}]}}"),
             to, to, from);
    lp_status status = parse(text, MAPPING_NONE);
    if ((status == LP_OK) != supported) fail_msg("%s to %s: %d %s", from, to, status, err.text);
    if (!supported) assert_int_equal(status, LP_ERR_UNSUPPORTED);
}

static void test_schema__type_changes_that_lose_nothing_are_supported(void **state) {
    (void)state;
    static const char *const good[][2] = {{"byte", "short"},
                                          {"byte", "long"},
                                          {"integer", "long"},
                                          {"float", "double"},
                                          {"byte", "double"},
                                          {"integer", "double"},
                                          {"date", "timestamp_ntz"},
                                          {"decimal(10,2)", "decimal(12,2)"},
                                          {"decimal(10,2)", "decimal(12,4)"},
                                          {"integer", "decimal(10,0)"},
                                          {"short", "decimal(12,2)"},
                                          {"long", "decimal(20,0)"},
                                          {"byte", "decimal(4,1)"}};
    static const char *const bad[][2] = {{"long", "integer"},
                                         {"long", "double"},
                                         {"double", "float"},
                                         {"integer", "float"},
                                         {"date", "timestamp"},
                                         {"string", "long"},
                                         {"long", "string"},
                                         {"decimal(10,2)", "decimal(12,5)"},
                                         {"decimal(10,2)", "decimal(9,2)"},
                                         {"decimal(10,2)", "decimal(11,1)"},
                                         {"integer", "decimal(9,0)"},
                                         {"long", "decimal(19,0)"},
                                         {"float", "decimal(38,0)"},
                                         {"timestamp_ntz", "timestamp"}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) expect_change(good[i][0], good[i][1], true);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) expect_change(bad[i][0], bad[i][1], false);
}

static void test_schema__float_that_became_double_is_marked(void **state) {
    (void)state;
    expect_schema(STRUCT(
        FIELD("a", "\"double\"", "\"delta.typeChanges\":[{\"toType\":\"double\",\"fromType\":\"float\"}]") "," FIELD(
            "b", "\"double\"",
            "\"delta.typeChanges\":[{\"toType\":\"double\",\"fromType\":\"integer\"}]") "," FIELD("c",
                                                                                                  "{\"type\":\"array\","
                                                                                                  "\"elementType\":"
                                                                                                  "\"double\"}",
                                                                                                  "\"delta."
                                                                                                  "typeChanges\":[{"
                                                                                                  "\"toType\":"
                                                                                                  "\"double\","
                                                                                                  "\"fromType\":"
                                                                                                  "\"float\","
                                                                                                  "\"fieldPath\":"
                                                                                                  "\"element\"}]")));
    assert_true(found.top[0].type.was_float);
    assert_false(found.top[1].type.was_float);
    assert_false(found.top[2].type.was_float);
}

static void test_schema__unsupported_change_below_a_collection_is_found(void **state) {
    (void)state;
    expect_error(
        STRUCT(FIELD("a",
                     "{\"type\":\"array\",\"elementType\":" STRUCT(FIELD(
                         "x", "\"long\"", "\"delta.typeChanges\":[{\"toType\":\"long\",\"fromType\":\"string\"}]")) "}",
                     "")),
        LP_ERR_UNSUPPORTED, "\"x\"");
}

static void test_schema__details_are_kept_as_written(void **state) {
    (void)state;
    expect_schema(STRUCT(FIELD("a", "\"long\"", "\"delta.columnMapping.id\":7,\"CURRENT_DEFAULT\":\"1 + 1\",\"comment\":\"c\"") "," FIELD(
        "b", "\"long\"",
        "\"delta.identity.start\":\"-5\",\"delta.identity.step\":2,"
        "\"delta.identity.highWaterMark\":[],\"delta.identity.allowExplicitInsert\":true") "," FIELD("c", "\"string\"",
                                                                                                     "\"__CHAR_VARCHAR_"
                                                                                                     "TYPE_STRING\":"
                                                                                                     "\"varchar(5)\","
                                                                                                     "\"__COLLATIONS\":"
                                                                                                     "{\"c\":\"ICU."
                                                                                                     "de\"}") "," FIELD("d",
                                                                                                                        "\"long\"",
                                                                                                                        "\"delta.typeChanges\":[{\"fromType\":\"short\",\"toType\":\"integer\"},"
                                                                                                                        "{\"fromType\":\"integer\",\"toType\":\"long\"}]") "," FIELD("e",
                                                                                                                                                                                     "\"long\"",
                                                                                                                                                                                     "\"unknown\":{\"x\":[]}")));
    const column_details *d = found.top[0].details;
    assert_true(d->has_id && d->id == 7);
    assert_true(str_eq(d->default_value, STR("1 + 1")) && str_eq(d->comment, STR("c")));
    d = found.top[1].details;
    assert_true(d->has_identity_start && d->identity_start == -5);
    assert_true(d->has_identity_step && d->identity_step == 2);
    assert_false(d->has_identity_mark);
    assert_true(d->identity_allows_values);
    d = found.top[2].details;
    assert_true(str_eq(d->char_type, STR("varchar(5)")) && str_eq(d->collation, STR("ICU.de")));
    d = found.top[3].details;
    assert_int_equal(d->change_count, 2);
    assert_true(str_eq(d->change[0].from, STR("short")) && str_eq(d->change[1].to, STR("long")));
    assert_null(found.top[4].details);
}

static void test_schema__invariants_are_unwrapped_where_they_have_the_known_shape(void **state) {
    (void)state;
    expect_schema(STRUCT(FIELD(
        "a", "\"long\"",
        "\"delta.invariants\":\"{\\\"expression\\\":{\\\"expression\\\":\\\"a > 3\\\"}}\"") "," FIELD("b", "\"long\"",
                                                                                                      "\"delta."
                                                                                                      "invariants\":"
                                                                                                      "\"b > 4\"")));
    assert_true(str_eq(found.top[0].details->invariant, STR("a > 3")));
    assert_true(str_eq(found.top[1].details->invariant, STR("b > 4")));
}

static void expect_type_text(size_t at, const char *want) {
    if (!str_eq(found.top[at].type_text, str_from(want)))
        fail_msg("expected `%s`, found `" STR_FMT "`", want, STR_ARG(found.top[at].type_text));
}

static void test_schema__type_texts_tell_what_is_inside(void **state) {
    (void)state;
#define ARRAY(of) "{\"type\":\"array\",\"elementType\":" of ",\"containsNull\":true}"
    expect_schema(STRUCT(FIELD("a", "\"decimal(10, 2)\"", "") "," FIELD("b", ARRAY(ARRAY("\"long\"")), "") "," FIELD(
        "c",
        "{\"type\":\"map\",\"keyType\":\"string\",\"valueType\":" STRUCT(
            FIELD("x", "\"date\"", "") "," FIELD("y", ARRAY("\"byte\""), "")) "}",
        "") "," FIELD("d", STRUCT(FIELD("x", "\"date\"", "")), "")));
    expect_type_text(0, "decimal(10, 2)");
    expect_type_text(1, "array<array<long>>");
    expect_type_text(2, "map<string, struct<x: date, y: array<byte>>>");
    expect_type_text(3, "struct");
}

static void test_schema__damage_is_named(void **state) {
    (void)state;
    expect_error("nonsense", LP_ERR_FORMAT, "not JSON");
    expect_error("{\"type\":\"struct\",\"fields\":[", LP_ERR_FORMAT, "not JSON");
    expect_error("[]", LP_ERR_FORMAT, "as type");
    expect_error("\"long\"", LP_ERR_FORMAT, "expected a struct");
    expect_error("{\"type\":\"struct\"}", LP_ERR_FORMAT, "fields in a struct");
    expect_error(STRUCT("5"), LP_ERR_FORMAT, "found a number");
    expect_error(STRUCT("{\"type\":\"long\"}"), LP_ERR_FORMAT, "expected a name");
    expect_error(STRUCT("{\"name\":\"a\"}"), LP_ERR_FORMAT, "expected a type");
    expect_error(STRUCT("{\"name\":5}"), LP_ERR_FORMAT, "a string as name");
    expect_error(STRUCT(FIELD("a", "5", "")), LP_ERR_FORMAT, "field \"a\"");
    expect_error(STRUCT("") " {}", LP_ERR_FORMAT, "");
}

static void expect_depth(size_t levels, lp_status status) {
    buf text;
    buf_init(&text, &memory, 1 << 20);
    for (size_t i = 0; i < levels; i++)
        buf_put(&text, STR("{\"type\":\"struct\",\"fields\":[{\"name\":\"a\",\"type\":"));
    buf_put(&text, STR("\"long\""));
    for (size_t i = 0; i < levels; i++) buf_put(&text, STR("}]}"));
    buf_put_char(&text, '\0');
    assert_int_equal(parse(text.ptr, MAPPING_NONE), status);
}

static void test_schema__depth_is_limited(void **state) {
    (void)state;
    expect_depth(100, LP_OK);
    assert_int_equal(column_dotted_name(found.leaf[0], &memory).len, 199);
    expect_depth(101, LP_ERR_LIMIT);
    expect_depth(400, LP_ERR_LIMIT);
}

/* ---- lookups ---- */

static void expect_lookup(const char *first, const char *second, column_lookup is, const column *column_found) {
    str part[] = {str_from(first), str_from(second)};
    const column *c;
    assert_int_equal(schema_find(&found, part, second ? 2 : 1, &c), is);
    if (is == COLUMN_FOUND) assert_ptr_equal(c, column_found);
}

static void test_schema_find__exact_before_ignoring_case(void **state) {
    (void)state;
    expect_schema(STRUCT(FIELD("Ab", "\"long\"", "") "," FIELD("aB", "\"long\"", "") "," FIELD(
        "S", STRUCT(FIELD("x.y", "\"long\"", "")), "") "," FIELD("d", "\"long\"", "") "," FIELD("d", "\"long\"", "")));
    expect_lookup("Ab", NULL, COLUMN_FOUND, &found.top[0]);
    expect_lookup("aB", NULL, COLUMN_FOUND, &found.top[1]);
    expect_lookup("ab", NULL, COLUMN_AMBIGUOUS, NULL);
    expect_lookup("d", NULL, COLUMN_AMBIGUOUS, NULL);
    expect_lookup("s", NULL, COLUMN_FOUND, &found.top[2]);
    expect_lookup("s", "X.Y", COLUMN_FOUND, &found.top[2].child[0]);
    expect_lookup("s", "x", COLUMN_UNKNOWN, NULL);
    expect_lookup("d", "x", COLUMN_AMBIGUOUS, NULL);
    expect_lookup("Ab", "x", COLUMN_UNKNOWN, NULL);
    expect_lookup("q", NULL, COLUMN_UNKNOWN, NULL);
    const column *c;
    assert_int_equal(schema_find(&found, NULL, 0, &c), COLUMN_UNKNOWN);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_schema__reads_fields_in_order),
        TEST(test_schema__members_may_stand_in_any_order),
        TEST(test_schema__structs_nest_and_leaves_stand_depth_first),
        TEST(test_schema__collections_are_leaves_without_children),
        TEST(test_schema__variant_and_unknown_types_are_carried),
        TEST(test_schema__empty_text_has_no_columns),
        TEST(test_schema__partition_columns_in_the_order_of_the_metadata),
        TEST(test_schema__partition_column_that_is_missing_is_an_error),
        TEST(test_schema__mapping_takes_physical_names_and_never_the_logical_one),
        TEST(test_schema__generation_counts_only_where_enabled),
        TEST(test_schema__char_varchar_and_collations),
        TEST(test_schema__type_changes_that_lose_nothing_are_supported),
        TEST(test_schema__float_that_became_double_is_marked),
        TEST(test_schema__unsupported_change_below_a_collection_is_found),
        TEST(test_schema__details_are_kept_as_written),
        TEST(test_schema__invariants_are_unwrapped_where_they_have_the_known_shape),
        TEST(test_schema__type_texts_tell_what_is_inside),
        TEST(test_schema__damage_is_named),
        TEST(test_schema__depth_is_limited),
        TEST(test_schema_find__exact_before_ignoring_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
