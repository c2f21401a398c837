/* test_predicate_type.c - the table of column and literal types in docs/semantics.md, cell by cell.
 * Called by: ctest.  Must not know: statistics.
 *
 * Each row says what `column = literal` is compared as: its readings as the lowered program prints them, or `opaque: why`,
 * or `error: text` (the part of the message that the row is about).
 */
#include "predicate_lab.h"

#define CHAR_FIELD(name, type) "{\"name\":\"" name "\",\"type\":\"string\",\"nullable\":true,\"metadata\":{\"__CHAR_VARCHAR_TYPE_STRING\":\"" type "\"}}"

static lab l;

static int setup(void **state) {
    (void)state;
    lab_new(&l, LAB_FIELD("i", "integer") "," LAB_FIELD("l", "long") "," LAB_FIELD("dec", "decimal(10,2)") "," LAB_FIELD("f", "float") ","
                LAB_FIELD("d", "double") "," LAB_FIELD("s", "string") "," CHAR_FIELD("c", "char(5)") "," CHAR_FIELD("vc", "varchar(5)") ","
                LAB_FIELD("b", "boolean") "," LAB_FIELD("day", "date") "," LAB_FIELD("ts", "timestamp") "," LAB_FIELD("ntz", "timestamp_ntz") ","
                LAB_FIELD("bin", "binary") "," LAB_FIELD("v", "void") "," LAB_FIELD("geo", "geometry") ","
                "{\"name\":\"st\",\"type\":{\"type\":\"struct\",\"fields\":[" CHAR_FIELD("n", "char(5)") "]},\"nullable\":true,\"metadata\":{}}");
    return 0;
}

static int teardown(void **state) {
    (void)state;
    lab_end(&l);
    return 0;
}

static str found_for(const char *where) {
    if (lab_analyse(&l, where) != LP_OK) return str_format(&l.memory, "error: %s", l.err.text);
    const fragment *f = &l.analysis.classes.fragment[0];
    if (!str_is_none(f->reason)) return str_format(&l.memory, "opaque: " STR_FMT, STR_ARG(f->reason));
    buf b;
    buf_init(&b, &l.memory, 1 << 16);
    program_print(&b, l.analysis.data, &l.analysis.slots);
    str text = buf_str(&b);
    size_t equals;
    return str_find_char(text, '=', &equals) ? str_slice(text, equals + 2, text.len - 1) : text;
}

typedef struct row {
    const char *where, *expected;
} row;

static void expect_row(const row *r) {
    str found = found_for(r->where);
    if (strncmp(r->expected, "error: ", 7) == 0) {
        if (!str_starts_with(found, STR("error: ")) || !strstr(l.err.text, r->expected + 7)) fail_msg("%s: expected `%s`, found `" STR_FMT "`", r->where, r->expected, STR_ARG(found));
        return;
    }
    if (!str_eq(found, str_from(r->expected))) fail_msg("%s: expected `%s`, found `" STR_FMT "`", r->where, r->expected, STR_ARG(found));
}

#define EXPECT_ROWS(rows) \
    for (size_t k = 0; k < sizeof(rows) / sizeof *(rows); k++) expect_row(&(rows)[k])

/* Spark reads 40.5 as a decimal and 4e1, 5D as doubles, 5F as a float; other engines read all of them exactly. */
static void test_type__number_on_integer_has_every_reading(void **state) {
    (void)state;
    static const row rows[] = {
        {"i = 40", "Int(40)"},
        {"i = 40L", "Int(40)"},
        {"i = -40", "Int(-40)"},
        {"i = 2147483648", "Int(2147483648)"}, /* beyond the column: decided, not refused */
        {"l = 9007199254740993D", "Int(9007199254740993) | as double Double(9007199254740992)"},
        {"l = 1e3", "Int(1000) | as double Double(1000)"},
        {"i = 40.5", "Decimal(40.5) | as double Double(40.5)"},
        {"i = 5F", "Int(5) | as double Double(5) | as double Double(5) | as float Float(5)"},
    };
    EXPECT_ROWS(rows);
}

static void test_type__number_on_decimal_is_exact_beside_double_literals(void **state) {
    (void)state;
    static const row rows[] = {
        {"dec = 100.5", "Decimal(100.5)"},
        {"dec = 100.505", "Decimal(100.505)"},
        {"dec = 100.5BD", "Decimal(100.5)"},
        {"dec = 100.5D", "Decimal(100.5) | as double Double(100.5)"},
        {"dec = 1e2", "Int(100) | as double Double(100)"},
    };
    EXPECT_ROWS(rows);
}

/* A double column turns everything into doubles; a float column is widened by some engines, narrows the literal in others. */
static void test_type__number_on_float_is_compared_in_the_wider_type_and_in_its_own(void **state) {
    (void)state;
    static const row rows[] = {
        {"d = 0.1", "as double Double(0.1)"},
        {"f = 0.5", "as double Double(0.5) | as float Float(0.5)"},
        {"f = 0.1", "as double Double(0.1) | as float Float(0.1)"},
        {"d = 0.1F", "as double Double(0.1) | as double Double(0.10000000149011612)"},
        {"d = -0.0", "as double Double(-0)"},
    };
    EXPECT_ROWS(rows);
}

static void test_type__number_against_text_is_the_number_in_it(void **state) {
    (void)state;
    static const row rows[] = {
        {"i = '40'", "Int(40)"},
        {"i = ' 40 '", "Int(40)"},
        {"i = '40.7'", "Decimal(40.7) | as double Double(40.7) | Int(40) | Int(41)"}, /* cut, rounded, or as it stands */
        {"dec = '1.005'", "Decimal(1.005) | Decimal(1.01)"}, /* as doubles alike: few digits */
        {"d = 'NaN'", "as double Double(NaN)"},
        {"d = '-Infinity'", "as double Double(-Infinity)"},
        {"i = 'NaN'", "error: column i (integer) expects a number, found 'NaN'"},
        {"i = 'forty'", "error: column i (integer) expects a number, found 'forty'"},
        {"i = ''", "error: expects a number"},
    };
    EXPECT_ROWS(rows);
}

static void test_type__number_against_boolean_is_opaque_and_against_the_rest_an_error(void **state) {
    (void)state;
    static const row rows[] = {
        {"i = true", "opaque: a number compared with a boolean"},
        {"d = false", "opaque: a number compared with a boolean"},
        {"i = DATE '2024-01-03'", "error: column i (integer) expects a number, found DATE '2024-01-03'"},
        {"dec = TIMESTAMP '2024-01-03 00:00:00'", "error: column dec (decimal(10,2)) expects a number"},
        {"d = TIMESTAMP_NTZ '2024-01-03 00:00:00'", "error: column d (double) expects a number"},
        {"i = X'CAFE'", "error: column i (integer) expects a number, found X'CAFE'"},
    };
    EXPECT_ROWS(rows);
}

static void test_type__text_is_in_code_point_order_and_everything_else_is_cast(void **state) {
    (void)state;
    static const row rows[] = {
        {"s = 'a'", "String(a)"},
        {"vc = 'a'", "String(a)"},
        {"s = 'a\\tb'", "String(a\\tb) | String(a\tb)"},
        {"s = r'a\\tb'", "String(a\\tb)"},
        {"s = 'a''b'", "String(a'b) | String(ab)"},
        {"s = \"a\"\"b\"", "String(a\"b) | String(ab)"}, /* "..." is text where no column has that name */
        {"c = 'a'", "String(a) | padded String(a    )"},
        {"c = 'a  '", "String(a  ) | padded String(a    )"},
        {"c = 'abcdefg '", "String(abcdefg ) | padded String(abcdefg)"},
        {"st.n = 'a'", "String(a) | padded String(a    ) | padded String(a)"}, /* of a field, Spark pads the values only */
        {"s = 5", "opaque: a text column compared with a value of another type"},
        {"s = true", "opaque: a text column compared with a value of another type"},
        {"s = DATE '2024-01-03'", "opaque: a text column compared with a value of another type"},
        {"s = TIMESTAMP '2024-01-03 00:00:00'", "opaque: a text column compared with a value of another type"},
        {"s = X'CAFE'", "opaque: a text column compared with a value of another type"},
    };
    EXPECT_ROWS(rows);
}

static void test_type__boolean_takes_the_short_forms_of_engines(void **state) {
    (void)state;
    static const char *const yes[] = {"true", "'t'", "'YES'", "'y'", "'1'", "' on '"}, *const no[] = {"false", "'f'", "'no'", "'N'", "'0'", "'off'"};
    for (size_t i = 0; i < 6; i++) {
        row is_true = {str_format(&l.memory, "b = %s", yes[i]).ptr, "Boolean(true)"}, is_false = {str_format(&l.memory, "b = %s", no[i]).ptr, "Boolean(false)"};
        expect_row(&is_true);
        expect_row(&is_false);
    }
    static const row rows[] = {
        {"b = 1", "opaque: a boolean compared with a number"},
        {"b = 'maybe'", "error: column b (boolean) expects a boolean, found 'maybe'"},
        {"b = DATE '2024-01-03'", "error: column b (boolean) expects a boolean"},
        {"b = X'01'", "error: column b (boolean) expects a boolean"},
    };
    EXPECT_ROWS(rows);
}

/* Text with a time of day: cut to the date (a cast), or the point in time (a comparison as timestamps). */
static void test_type__date_is_a_date_or_a_point_in_time(void **state) {
    (void)state;
    static const row rows[] = {
        {"day = '2024-01-03'", "Date(2024-01-03)"},
        {"day = DATE '2024-01-03'", "Date(2024-01-03)"},
        {"day = '2024-01-03 00:00:00'", "Date(2024-01-03)"},
        {"day = '2024-01-03 12:00:00'", "Date(2024-01-03) | as wall clock TimestampNtz(2024-01-03T12:00:00.000000)"},
        {"day = TIMESTAMP '2024-01-03 00:00:00'", "Date(2024-01-03)"},
        {"day = TIMESTAMP '2024-01-03 12:00:00'", "as wall clock TimestampNtz(2024-01-03T12:00:00.000000)"},
        {"day = TIMESTAMP '2024-01-03 00:00:00+02:00'", "as wall clock TimestampNtz(2024-01-02T22:00:00.000000)"},
        {"day = 5", "error: column day (date) expects a date (yyyy-MM-dd), found 5"},
        {"day = true", "error: column day (date) expects a date"},
        {"day = '2024-02-30'", "error: column day (date) expects a date (yyyy-MM-dd), found '2024-02-30'"},
        {"day = X'CAFE'", "error: column day (date) expects a date"},
    };
    EXPECT_ROWS(rows);
}

static void test_type__timestamp_is_read_in_the_session_zone(void **state) {
    (void)state;
    static const row rows[] = {
        {"ts = '2024-01-03 12:00'", "Timestamp(2024-01-03T12:00:00.000000Z)"},
        {"ts = '2024-01-03T12:00:00.5'", "Timestamp(2024-01-03T12:00:00.500000Z)"},
        {"ts = '2024-01-03 12:00:00+02:00'", "Timestamp(2024-01-03T10:00:00.000000Z)"},
        {"ts = '2024-01-03'", "Timestamp(2024-01-03T00:00:00.000000Z)"},
        {"ts = DATE '2024-01-03'", "Timestamp(2024-01-03T00:00:00.000000Z)"},
        {"ts = 5", "error: column ts (timestamp) expects a timestamp"},
        {"ts = true", "error: column ts (timestamp) expects a timestamp"},
        {"ts = 'yesterday'", "error: column ts (timestamp) expects a timestamp"},
        {"ts = X'CAFE'", "error: column ts (timestamp) expects a timestamp"},
    };
    EXPECT_ROWS(rows);
}

static void test_type__timestamp_ntz_takes_no_offset(void **state) {
    (void)state;
    static const row rows[] = {
        {"ntz = '2024-01-03 12:00:00'", "TimestampNtz(2024-01-03T12:00:00.000000)"},
        {"ntz = TIMESTAMP_NTZ '2024-01-03 12:00:00'", "TimestampNtz(2024-01-03T12:00:00.000000)"},
        {"ntz = '2024-01-03 12:00:00Z'", "error: column ntz is TIMESTAMP_NTZ"},
        {"ntz = TIMESTAMP '2024-01-03 12:00:00+01:00'", "error: column ntz is TIMESTAMP_NTZ"},
        {"ntz = 5", "error: column ntz (timestamp_ntz) expects a timestamp"},
        {"ntz = X'CAFE'", "error: column ntz (timestamp_ntz) expects a timestamp"},
    };
    EXPECT_ROWS(rows);
}

static void test_type__binary_is_its_bytes_and_text_also_their_hex(void **state) {
    (void)state;
    static const row rows[] = {
        {"bin = X'CAFE'", "Binary(X'CAFE')"},
        {"bin = X'ABC'", "Binary(X'0ABC')"}, /* Spark puts a zero in front */
        {"bin = 'hello'", "Binary(X'68656C6C6F')"},
        {"bin = 'CAFE'", "Binary(X'43414645') | Binary(X'CAFE')"},
        {"bin = 5", "error: column bin (binary) expects binary or text, found 5"},
        {"bin = true", "error: column bin (binary) expects binary or text"},
        {"bin = DATE '2024-01-03'", "error: column bin (binary) expects binary or text"},
    };
    EXPECT_ROWS(rows);
}

static void test_type__void_and_types_without_order(void **state) {
    (void)state;
    static const row rows[] = {
        {"v = 1", "Null"},
        {"v = 'x'", "Null"},
        {"geo = 'x'", "opaque: a comparison of a type that has no known order"},
        {"i = NULL", "Null"},
        {"geo = NULL", "Null"},
    };
    EXPECT_ROWS(rows);
}

static void test_type__an_error_in_a_list_wins_over_opaque(void **state) {
    (void)state;
    static const row rows[] = {
        {"i IN (1, true)", "opaque: a number compared with a boolean"},
        {"i IN (true, 'forty')", "error: expects a number, found 'forty'"},
        {"day BETWEEN '2024-01-01' AND 5", "error: expects a date (yyyy-MM-dd), found 5"},
    };
    EXPECT_ROWS(rows);
}

/* The two refusals that the name delta-explain keeps, and what it carries as opaque. */
static void test_type__drop_in_refuses_a_finer_decimal_and_carries_other_types(void **state) {
    (void)state;
    l.options.as_delta_explain = true;
    static const row rows[] = {
        {"dec = 100.505", "error: decimal literal 100.505 has more fractional digits than the scale 2 of column dec"},
        {"dec = 100.50", "Decimal(100.5)"},
        {"i = X'CAFE'", "opaque: a literal of another type"},
        {"i = TIMESTAMP_NTZ '2024-01-03 00:00:00'", "opaque: a literal of another type"},
        {"ntz = '2024-01-03 12:00:00Z'", "error: column ntz is TIMESTAMP_NTZ"},
    };
    EXPECT_ROWS(rows);
    l.options.as_delta_explain = false;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_type__number_on_integer_has_every_reading),
        cmocka_unit_test(test_type__number_on_decimal_is_exact_beside_double_literals),
        cmocka_unit_test(test_type__number_on_float_is_compared_in_the_wider_type_and_in_its_own),
        cmocka_unit_test(test_type__number_against_text_is_the_number_in_it),
        cmocka_unit_test(test_type__number_against_boolean_is_opaque_and_against_the_rest_an_error),
        cmocka_unit_test(test_type__text_is_in_code_point_order_and_everything_else_is_cast),
        cmocka_unit_test(test_type__boolean_takes_the_short_forms_of_engines),
        cmocka_unit_test(test_type__date_is_a_date_or_a_point_in_time),
        cmocka_unit_test(test_type__timestamp_is_read_in_the_session_zone),
        cmocka_unit_test(test_type__timestamp_ntz_takes_no_offset),
        cmocka_unit_test(test_type__binary_is_its_bytes_and_text_also_their_hex),
        cmocka_unit_test(test_type__void_and_types_without_order),
        cmocka_unit_test(test_type__an_error_in_a_list_wins_over_opaque),
        cmocka_unit_test(test_type__drop_in_refuses_a_finer_decimal_and_carries_other_types),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
