/* test_report_listing.c - one file as a line of text and as an object of JSON.
 * Called by: ctest.  Must not know: how files are found or judged.
 *
 * The forms of values are those that the original prints for statistics in JSON and in Parquet, found by running it.
 */
#include "report_sample.h"

#include <string.h>

static arena memory;

static int begin(void **state) {
    (void)state;
    arena_init(&memory, 0);
    return 0;
}

static int end(void **state) {
    (void)state;
    arena_end(&memory);
    return 0;
}

/* A table with one data column of each wanted type, all named by the caller, and partition columns. */
typedef struct sample_file {
    schema table;
    live_file file;
    bool drop_in, kept;
} sample_file;

static column *new_column(str name, type_kind kind, const column *parent) {
    column *c = ARENA_NEW(&memory, column);
    c->name = c->physical = name;
    c->type.kind = kind;
    c->parent = parent;
    return c;
}

static void add_leaf(sample_file *s, const column *c) {
    s->table.leaf[s->table.leaf_count++] = c;
}

static sample_file *sample_new(void) {
    sample_file *s = ARENA_NEW(&memory, sample_file);
    s->table.leaf = ARENA_ARRAY(&memory, const column *, 8);
    s->table.partition = ARENA_ARRAY(&memory, const column *, 8);
    s->file = (live_file){.path = STR("x.parquet"), .size_bytes = 100, .stats_loaded = true, .stats = {.has_stats = true}};
    s->file.partition = ARENA_ARRAY(&memory, partition_cell, 8);
    s->file.stats.column = ARENA_ARRAY(&memory, column_stats, 8);
    s->drop_in = s->kept = true;
    return s;
}

static void add_partition(sample_file *s, str name, str text) {
    size_t at = s->table.partition_count++;
    s->table.partition[at] = new_column(name, TYPE_STRING, NULL);
    s->file.partition[at] = (partition_cell){.state = str_is_none(text) ? CELL_NULL : CELL_VALUE, .text = text};
}

static const char *line_of(const sample_file *s) {
    buf out;
    buf_init(&out, &memory, (size_t)1 << 20);
    file_listing *l = file_listing_new(&s->table, s->drop_in, false, &memory);
    listing_print_text(l, &out, &(file_verdict){.file = &s->file, .kept = s->kept});
    buf_put_char(&out, '\0');
    return out.ptr;
}

static bound recorded(str text) {
    return (bound){.state = CELL_VALUE, .text = text};
}

static bound cell_of(value v) {
    return (bound){.state = CELL_VALUE, .v = v, .reach = v};
}

/* `min..max` of one column, as text. */
static const char *range_of(type_kind kind, bound min, bound max) {
    sample_file *s = sample_new();
    add_leaf(s, new_column(STR("c"), kind, NULL));
    s->file.stats.column[0] = (column_stats){.min = min, .max = max};
    const char *line = line_of(s), *start = strstr(line, "  stats(c: ");
    if (!start) return line;
    str range = {start + 11, strlen(start) - 12};
    assert_int_equal(range.ptr[range.len], ')');
    return str_copy(&memory, range).ptr;
}

static const char *text_range(type_kind kind, str min, str max) {
    return range_of(kind, recorded(min), recorded(max));
}

/* --- the line --- */

static void test_listing_text__a_full_line(void **state) {
    (void)state;
    sample_file *s = sample_new();
    add_partition(s, STR("region"), STR("EU"));
    add_leaf(s, new_column(STR("score"), TYPE_DOUBLE, NULL));
    add_leaf(s, new_column(STR("age"), TYPE_INTEGER, NULL));
    s->file.path = STR("region=EU/part-0.parquet");
    s->file.size_bytes = 1112;
    s->file.stats.record_count_known = true;
    s->file.stats.record_count = 1234567;
    s->file.stats.column[0] = (column_stats){.min = recorded(STR("68.0")), .max = recorded(STR("80.1"))};
    s->file.stats.column[1] = (column_stats){.min = recorded(STR("41")), .max = recorded(STR("65"))};
    const char *want = "  [KEPT   ] part-0.parquet  (1.1 KB  1234567 records)  partition(region=EU)  stats(age: 41..65, score: 68..80.1)";
    assert_string_equal(line_of(s), want);
    s->drop_in = false;
    assert_string_equal(line_of(s), want);
}

static void test_listing_text__a_dropped_file_without_anything(void **state) {
    (void)state;
    sample_file *s = sample_new();
    s->kept = false;
    s->file.path = STR("a/b/");
    s->file.size_bytes = 0;
    s->file.stats.has_stats = false;
    assert_string_equal(line_of(s), "  [DROPPED]   (0 B)  [no stats]");
}

static void test_listing_text__colours_surround_the_verdict(void **state) {
    (void)state;
    sample_file *s = sample_new();
    s->file.stats.record_count_known = true;
    file_listing *l = file_listing_new(&s->table, false, true, &memory);
    buf out;
    buf_init(&out, &memory, 1000);
    listing_print_text(l, &out, &(file_verdict){.file = &s->file, .kept = false});
    buf_put_char(&out, '\0');
    assert_string_equal(out.ptr, "  \x1b[2m[DROPPED]\x1b[0m x.parquet  (100 B  0 records)");
}

static const char *size_of(int64_t bytes) {
    sample_file *s = sample_new();
    s->file.size_bytes = bytes;
    const char *start = strchr(line_of(s), '(') + 1;
    return str_copy(&memory, (str){start, strcspn(start, ")")}).ptr;
}

static void test_listing_text__sizes_have_one_decimal_and_end_with_gigabytes(void **state) {
    (void)state;
    assert_string_equal(size_of(1023), "1023 B");
    assert_string_equal(size_of(1024), "1.0 KB");
    assert_string_equal(size_of(1152), "1.1 KB"); /* 1.125 */
    assert_string_equal(size_of(1280), "1.2 KB"); /* 1.25 to even */
    assert_string_equal(size_of(1048575), "1024.0 KB");
    assert_string_equal(size_of(1048576), "1.0 MB");
    assert_string_equal(size_of(1073741824), "1.0 GB");
    assert_string_equal(size_of(5368709120000), "5000.0 GB");
    assert_string_equal(size_of(INT64_MAX), "8589934592.0 GB");
    assert_string_equal(size_of(-1), "size unknown");
}

/* --- statistics --- */

static void test_listing_text__one_side_is_named_and_columns_without_bounds_are_left_out(void **state) {
    (void)state;
    sample_file *s = sample_new();
    add_leaf(s, new_column(STR("b"), TYPE_INTEGER, NULL));
    add_leaf(s, new_column(STR("a"), TYPE_INTEGER, NULL));
    add_leaf(s, new_column(STR("c"), TYPE_INTEGER, NULL));
    s->file.stats.column[0].max = recorded(STR("50"));
    s->file.stats.column[1].min = recorded(STR("7"));
    assert_string_equal(line_of(s), "  [KEPT   ] x.parquet  (100 B)  stats(a: min=7, b: max=50)");
}

static void test_listing_text__nested_leaves_are_dotted_and_sorted_by_bytes(void **state) {
    (void)state;
    sample_file *s = sample_new();
    column *profile = new_column(STR("profile"), TYPE_STRUCT, NULL);
    column *geo = new_column(STR("geo"), TYPE_STRUCT, profile);
    add_leaf(s, new_column(STR("é"), TYPE_STRING, NULL));
    add_leaf(s, new_column(STR("zip"), TYPE_LONG, geo));
    add_leaf(s, new_column(STR("a"), TYPE_STRING, NULL));
    add_leaf(s, new_column(STR("Z"), TYPE_STRING, NULL));
    for (size_t i = 0; i < 4; i++) s->file.stats.column[i].min = recorded(STR("1"));
    s->file.stats.column[1].max = recorded(STR("9"));
    assert_string_equal(line_of(s), "  [KEPT   ] x.parquet  (100 B)  stats(Z: min=1, a: min=1, profile.geo.zip: 1..9, é: min=1)");
}

static void test_listing_text__statistics_that_say_nothing_are_none(void **state) {
    (void)state;
    sample_file *s = sample_new();
    add_leaf(s, new_column(STR("a"), TYPE_INTEGER, NULL));
    assert_string_equal(line_of(s), "  [KEPT   ] x.parquet  (100 B)  [no stats]");
    s->file.stats.column[0].null_count_state = COUNT_KNOWN;
    assert_string_equal(line_of(s), "  [KEPT   ] x.parquet  (100 B)");
    s->file.stats.column[0].null_count_state = COUNT_ABSENT;
    s->file.stats.record_count_known = true;
    assert_string_equal(line_of(s), "  [KEPT   ] x.parquet  (100 B  0 records)");
    s->file.stats_loaded = false;
    assert_string_equal(line_of(s), "  [KEPT   ] x.parquet  (100 B)  [no stats]");
}

static void test_listing_text__an_explicit_null_and_what_does_not_parse_are_shown(void **state) {
    (void)state;
    bound null = {.state = CELL_NULL}, odd = {.state = CELL_UNREADABLE, .text = STR("soon")}, lost = {.state = CELL_UNREADABLE};
    assert_string_equal(range_of(TYPE_INTEGER, null, null), "null..null");
    assert_string_equal(range_of(TYPE_DATE, odd, lost), "min=soon");
    assert_string_equal(range_of(TYPE_INTEGER, odd, recorded(STR("3"))), "soon..3");
}

/* --- bounds from JSON --- */

static void test_listing_bound__integers_are_as_written(void **state) {
    (void)state;
    assert_string_equal(text_range(TYPE_LONG, STR("-9223372036854775808"), STR("9223372036854775807")),
                        "-9223372036854775808..9223372036854775807");
    assert_string_equal(text_range(TYPE_INTEGER, STR("1.0"), STR("1e3")), "1..1000");
    assert_string_equal(text_range(TYPE_DOUBLE, STR("-0"), STR("123456789012345678")), "-0..123456789012345678");
}

static void test_listing_bound__floats_have_no_exponent_and_no_final_zeros(void **state) {
    (void)state;
    assert_string_equal(text_range(TYPE_DOUBLE, STR("68.0"), STR("75.30")), "68..75.3");
    assert_string_equal(text_range(TYPE_DOUBLE, STR("1e-7"), STR("1e20")), "0.0000001..100000000000000000000");
    assert_string_equal(text_range(TYPE_DOUBLE, STR("-0.0"), STR("1.5E+3")), "-0..1500");
    assert_string_equal(text_range(TYPE_FLOAT, STR("0.10000000149011612"), STR("3.4028235e38")),
                        "0.10000000149011612..340282350000000000000000000000000000000");
}

static void test_listing_bound__a_double_of_many_digits_is_its_shortest_text(void **state) {
    (void)state;
    assert_string_equal(text_range(TYPE_DOUBLE, STR("0.1000000000000000055511151231257827"), STR("9007199254740993.0")),
                        "0.1..9007199254740992");
}

static void test_listing_bound__the_ends_of_the_doubles(void **state) {
    (void)state;
    const char *text = text_range(TYPE_DOUBLE, STR("5e-324"), STR("1e300"));
    const char *dots = strstr(text, "..");
    assert_int_equal(dots - text, 326); /* 0. and 324 digits, the last of which is 5 */
    assert_int_equal(text[325], '5');
    assert_int_equal(strlen(dots + 2), 301);
    assert_int_equal(strspn(dots + 3, "0"), 300);
}

static void test_listing_bound__decimals_are_exact(void **state) {
    (void)state;
    assert_string_equal(text_range(TYPE_DECIMAL, STR("1.20"), STR("-1234567890123456789012345678.0123456789")),
                        "1.2..-1234567890123456789012345678.0123456789");
    assert_string_equal(text_range(TYPE_DECIMAL, STR("0.00"), STR("1e1")), "0..10");
}

static void test_listing_bound__a_wild_exponent_stays_as_written(void **state) {
    (void)state;
    assert_string_equal(text_range(TYPE_DECIMAL, STR("1e-999999999"), STR("1e999999999")), "1e-999999999..1e999999999");
    assert_string_equal(text_range(TYPE_DOUBLE, STR("1e-99999"), STR("1")), "0..1");
}

static void test_listing_bound__words_for_what_is_no_number(void **state) {
    (void)state;
    assert_string_equal(text_range(TYPE_DOUBLE, STR("-Infinity"), STR("NaN")), "-Infinity..NaN");
    assert_string_equal(text_range(TYPE_BOOLEAN, STR("false"), STR("true")), "false..true");
}

static void test_listing_bound__texts_and_times_are_as_written(void **state) {
    (void)state;
    assert_string_equal(text_range(TYPE_STRING, STR("1.50"), STR("")), "1.50..");
    assert_string_equal(text_range(TYPE_DATE, STR("2024-01-03"), STR("2024-12-31")), "2024-01-03..2024-12-31");
    assert_string_equal(text_range(TYPE_TIMESTAMP, STR("2000-01-01T00:00:00.000-08:00"), STR("2024-01-03T04:05:06Z")),
                        "2000-01-01T00:00:00.000-08:00..2024-01-03T04:05:06Z");
}

/* --- bounds from Parquet --- */

static value whole(value_kind kind, int64_t i) {
    return (value){.kind = kind, .i = i};
}

static void test_listing_bound__cells_of_parquet(void **state) {
    (void)state;
    assert_string_equal(range_of(TYPE_LONG, cell_of(whole(VALUE_INT, -5)), cell_of(whole(VALUE_INT, 7))), "-5..7");
    assert_string_equal(range_of(TYPE_BOOLEAN, cell_of(whole(VALUE_BOOLEAN, 0)), cell_of(whole(VALUE_BOOLEAN, 1))), "false..true");
    assert_string_equal(range_of(TYPE_DATE, cell_of(whole(VALUE_DATE, -719162)), cell_of(whole(VALUE_DATE, 19725))),
                        "0001-01-01..2024-01-03");
    value text = {.kind = VALUE_STRING, .s = STR("a b")};
    assert_string_equal(range_of(TYPE_STRING, cell_of(text), cell_of(text)), "a b..a b");
}

static void test_listing_bound__floats_and_decimals_of_parquet(void **state) {
    (void)state;
    value tenth = {.kind = VALUE_FLOAT, .f = (double)0.1f}, large = {.kind = VALUE_FLOAT, .f = (double)3.4028235e38f};
    assert_string_equal(range_of(TYPE_FLOAT, cell_of(tenth), cell_of(large)), "0.1..340282350000000000000000000000000000000");
    value small = {.kind = VALUE_DOUBLE, .f = 1e-7}, zero = {.kind = VALUE_DOUBLE, .f = -0.0};
    assert_string_equal(range_of(TYPE_DOUBLE, cell_of(small), cell_of(zero)), "0.0000001..-0");
    value price = {.kind = VALUE_DECIMAL, .scale = 2, .d = 120}, debt = {.kind = VALUE_DECIMAL, .scale = 0, .d = -3};
    assert_string_equal(range_of(TYPE_DECIMAL, cell_of(price), cell_of(debt)), "1.2..-3");
}

static void test_listing_bound__times_of_parquet_have_milliseconds_or_all_they_need(void **state) {
    (void)state;
    assert_string_equal(range_of(TYPE_TIMESTAMP, cell_of(whole(VALUE_TIMESTAMP, 1000000)), cell_of(whole(VALUE_TIMESTAMP, 1000001))),
                        "1970-01-01T00:00:01.000Z..1970-01-01T00:00:01.000001Z");
    assert_string_equal(range_of(TYPE_TIMESTAMP_NTZ, cell_of(whole(VALUE_TIMESTAMP_NTZ, 789000)), cell_of(whole(VALUE_TIMESTAMP_NTZ, -1))),
                        "1970-01-01T00:00:00.789..1969-12-31T23:59:59.999999");
}

/* --- partition values --- */

static void test_listing_text__partition_values_are_sorted_and_nulls_left_out(void **state) {
    (void)state;
    sample_file *s = sample_new();
    s->file.stats.record_count_known = true;
    add_partition(s, STR("b"), STR(""));
    add_partition(s, STR("a"), STR("x, y=1"));
    add_partition(s, STR("a b"), STR("1"));
    add_partition(s, STR("c"), STR_NONE);
    add_partition(s, STR("Z"), STR("__HIVE_DEFAULT_PARTITION__"));
    assert_string_equal(line_of(s),
                        "  [KEPT   ] x.parquet  (100 B  0 records)  partition(Z=__HIVE_DEFAULT_PARTITION__, a b=1, a=x, y=1, b=)");
}

static void test_listing_text__only_null_partition_values_leave_no_part(void **state) {
    (void)state;
    sample_file *s = sample_new();
    s->file.stats.record_count_known = true;
    add_partition(s, STR("c"), STR_NONE);
    assert_string_equal(line_of(s), "  [KEPT   ] x.parquet  (100 B  0 records)");
}

/* --- hostile texts --- */

static sample_file *hostile(bool drop_in) {
    sample_file *s = sample_new();
    s->drop_in = drop_in;
    s->file.path = STR("d/a\n  [KEPT   ] b\x1b[2J\xff");
    add_partition(s, STR("p"), STR("x\ty"));
    add_leaf(s, new_column(STR("c\r"), TYPE_STRING, NULL));
    s->file.stats.column[0].min = recorded(STR("\xe2\x80\xae" "abc\\" "\xc2\x85" "é"));
    return s;
}

static void test_listing_text__ours_keeps_a_file_on_its_line(void **state) {
    (void)state;
    assert_string_equal(line_of(hostile(false)),
                        "  [KEPT   ] a\\n  [KEPT   ] b\\u{1b}[2J\\x{ff}  (100 B)  partition(p=x\\ty)  stats(c\\r: min=\\u{202e}abc\\\\u{85}é)");
}

static void test_listing_text__drop_in_prints_texts_untouched(void **state) {
    (void)state;
    assert_string_equal(line_of(hostile(true)),
                        "  [KEPT   ] a\n  [KEPT   ] b\x1b[2J\xff  (100 B)  partition(p=x\ty)  stats(c\r: min=\xe2\x80\xae" "abc\\\xc2\x85é)");
}

/* --- JSON --- */

static const char *object_of(const sample_file *s, file_verdict v) {
    buf out;
    buf_init(&out, &memory, (size_t)1 << 20);
    v.file = &s->file;
    listing_print_json(file_listing_new(&s->table, s->drop_in, false, &memory), &out, &v);
    buf_put_char(&out, '\0');
    return out.ptr;
}

static void test_listing_json__a_kept_file(void **state) {
    (void)state;
    sample_file *s = sample_new();
    add_partition(s, STR("region"), STR("E\"U"));
    add_partition(s, STR("none"), STR_NONE);
    add_partition(s, STR("a b"), STR(""));
    add_partition(s, STR("a"), STR("1"));
    s->file.path = STR("region=EU/part%200.parquet");
    s->file.stats.record_count_known = true;
    s->file.stats.record_count = 5;
    assert_string_equal(object_of(s, (file_verdict){.kept = true}),
                        "    {\n"
                        "      \"has_stats\": true,\n"
                        "      \"kept\": true,\n"
                        "      \"num_records\": 5,\n"
                        "      \"partition_values\": {\n"
                        "        \"a\": \"1\",\n"
                        "        \"a b\": \"\",\n"
                        "        \"region\": \"E\\\"U\"\n"
                        "      },\n"
                        "      \"path\": \"region=EU/part%200.parquet\",\n"
                        "      \"pruned_by\": null,\n"
                        "      \"size_bytes\": 100\n"
                        "    }");
}

static void test_listing_json__a_dropped_file_with_a_vector_in_ours(void **state) {
    (void)state;
    sample_file *s = sample_new();
    s->drop_in = false;
    s->file.has_dv = true;
    s->file.dv_id = STR("u{x}@1");
    s->file.dv_cardinality = 3;
    s->file.stats.has_stats = false;
    s->file.size_bytes = -1;
    file_verdict v = {.was_dropped_by_a_phase = true, .dropped_by = PHASE_SKIPPING};
    assert_string_equal(object_of(s, v),
                        "    {\n"
                        "      \"deletion_vector\": {\n"
                        "        \"cardinality\": 3,\n"
                        "        \"id\": \"u{x}@1\"\n"
                        "      },\n"
                        "      \"has_stats\": false,\n"
                        "      \"kept\": false,\n"
                        "      \"num_records\": null,\n"
                        "      \"partition_values\": {},\n"
                        "      \"path\": \"x.parquet\",\n"
                        "      \"pruned_by\": \"Data skipping (min/max statistics)\",\n"
                        "      \"size_bytes\": null\n"
                        "    }");
    s->file.dv_cardinality = -1;
    s->file.dv_id = STR_NONE;
    assert_non_null(strstr(object_of(s, v), "\"cardinality\": null,\n        \"id\": null\n"));
    s->file.has_dv = false;
    assert_non_null(strstr(object_of(s, v), "    {\n      \"deletion_vector\": null,\n      \"has_stats\""));
}

/* --- inside a document --- */

/* Three files of a verbose report: kept, dropped by statistics, dropped by partition values and with little known. */
static prune_report *verbose_report(bool drop_in) {
    sample_file *s[3] = {sample_new(), sample_new(), sample_new()};
    const str region[3] = {STR("EU"), STR("EU"), STR_NONE}, day[3] = {STR(""), STR_NONE, STR_NONE};
    for (int i = 0; i < 3; i++) {
        s[i]->drop_in = drop_in;
        add_partition(s[i], STR("region"), region[i]);
        add_partition(s[i], STR("day"), day[i]);
    }
    s[0]->file.path = STR("region=EU/a%20\"b\".parquet");
    s[0]->file.size_bytes = 1133;
    s[0]->file.stats.record_count_known = true;
    s[0]->file.stats.record_count = 5;
    s[1]->file.path = STR("region=EU/c.parquet");
    s[1]->file.size_bytes = 0;
    s[1]->file.has_dv = s[2]->file.has_dv = true;
    s[1]->file.dv_id = STR("uab^-aqEH.-t@S}K{vb[*k^");
    s[1]->file.dv_cardinality = 3;
    s[2]->file.path = STR("d\té.parquet");
    s[2]->file.size_bytes = drop_in ? 1099511627776 : -1;
    s[2]->file.stats.has_stats = false;
    s[2]->file.dv_cardinality = -1;
    const file_verdict verdict[3] = {{.kept = true},
                                     {.was_dropped_by_a_phase = true, .dropped_by = PHASE_SKIPPING},
                                     {.was_dropped_by_a_phase = true, .dropped_by = PHASE_PARTITION}};
    prune_report *r = sample_two_phases(&memory);
    r->files = spool_new(&memory, 16);
    r->files_truncated = true;
    for (int i = 0; i < 3; i++, r->listed++) {
        if (i > 0) assert_int_equal(spool_put(r->files, LISTING_SEPARATOR_JSON, NULL), LP_OK);
        assert_int_equal(spool_put(r->files, str_from(object_of(s[i], verdict[i])), NULL), LP_OK);
    }
    return r;
}

static void test_listing_json__entries_fit_their_document(void **state) {
    (void)state;
    report_style drop_in = sample_style(true), ours = sample_style(false);
    drop_in.verbose = ours.verbose = true;
    assert_string_equal(sample_json(&memory, verbose_report(true), &drop_in), sample_document(&memory, "drop_in_verbose"));
    assert_string_equal(sample_json(&memory, verbose_report(false), &ours), sample_document(&memory, "ours_verbose"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(test_listing_text__a_full_line),
        CASE(test_listing_text__a_dropped_file_without_anything),
        CASE(test_listing_text__colours_surround_the_verdict),
        CASE(test_listing_text__sizes_have_one_decimal_and_end_with_gigabytes),
        CASE(test_listing_text__one_side_is_named_and_columns_without_bounds_are_left_out),
        CASE(test_listing_text__nested_leaves_are_dotted_and_sorted_by_bytes),
        CASE(test_listing_text__statistics_that_say_nothing_are_none),
        CASE(test_listing_text__an_explicit_null_and_what_does_not_parse_are_shown),
        CASE(test_listing_bound__integers_are_as_written),
        CASE(test_listing_bound__floats_have_no_exponent_and_no_final_zeros),
        CASE(test_listing_bound__a_double_of_many_digits_is_its_shortest_text),
        CASE(test_listing_bound__the_ends_of_the_doubles),
        CASE(test_listing_bound__decimals_are_exact),
        CASE(test_listing_bound__a_wild_exponent_stays_as_written),
        CASE(test_listing_bound__words_for_what_is_no_number),
        CASE(test_listing_bound__texts_and_times_are_as_written),
        CASE(test_listing_bound__cells_of_parquet),
        CASE(test_listing_bound__floats_and_decimals_of_parquet),
        CASE(test_listing_bound__times_of_parquet_have_milliseconds_or_all_they_need),
        CASE(test_listing_text__partition_values_are_sorted_and_nulls_left_out),
        CASE(test_listing_text__only_null_partition_values_leave_no_part),
        CASE(test_listing_text__ours_keeps_a_file_on_its_line),
        CASE(test_listing_text__drop_in_prints_texts_untouched),
        CASE(test_listing_json__a_kept_file),
        CASE(test_listing_json__a_dropped_file_with_a_vector_in_ours),
        CASE(test_listing_json__entries_fit_their_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
