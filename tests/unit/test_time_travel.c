/* test_time_travel.c - from a point in time to a version: file times, times inside of commits, and what is refused.
 * Called by: ctest.  Must not know: command lines.
 */
#include <fcntl.h>

#include "delta/time_travel.h"
#include "delta_table.h"

static test_table t;

static int setup(void **state) {
    (void)state;
    table_new(&t);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    table_end(&t);
    return 0;
}

static void set_time(int version, int64_t ms) {
    char path[256];
    snprintf(path, sizeof path, "%s/_delta_log/%020d.json", t.root, version);
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    const struct timespec both[2] = {time, time};
    assert_int_equal(utimensat(AT_FDCWD, path, both, 0), 0);
}

/* Versions 0 .. count - 1 with these file times. */
static void put_commits(const int64_t *ms, int count) {
    for (int v = 0; v < count; v++) {
        table_commit(&t, v, v == 0 ? PROTOCOL METADATA : ADD("f", "x"));
        set_time(v, ms[v]);
    }
}

#define PROTOCOL_ICT                                                                                                   \
    "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":7,\"writerFeatures\":[\"inCommitTimestamp\"]}}\n"
#define METADATA_WITH(configuration)                                                                                   \
    "{\"metaData\":{\"id\":\"the-id\",\"format\":{\"provider\":\"parquet\",\"options\":{}},\"schemaString\":\"{"       \
    "\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[]}\",\"partitionColumns\":[],\"configuration\":{" configuration       \
    "}}}\n"
#define ICT_ON "\"delta.enableInCommitTimestamps\":\"true\""
#define ICT_FROM(version, time)                                                                                        \
    ICT_ON ",\"delta.inCommitTimestampEnablementVersion\":\"" version                                                  \
           "\",\"delta.inCommitTimestampEnablementTimestamp\":\"" time "\""
#define INFO(ms) "{\"commitInfo\":{\"inCommitTimestamp\":" ms ",\"operation\":\"WRITE\"}}\n"

/* ---- asking ---- */

typedef struct question {
    time_point at;
    int64_t version;
} question;

static lp_status ask_body(void *context, lp_err *err) {
    question *q = context;
    store *files;
    TRY(store_open(&t.memory, str_from(t.root), &files, err));
    return snapshot_find_version(&t.memory, files, q->at, &q->version, err);
}

static lp_status ask(question *q) {
    return t.status = door_run(ask_body, q, &t.err);
}

static void expect_version(int64_t ms, int64_t version) {
    question q = {.at = {ms, false}};
    if (ask(&q) != LP_OK) fail_msg("at %lld: %s", (long long)ms, t.err.text);
    if (q.version != version) fail_msg("at %lld: got %lld", (long long)ms, (long long)q.version);
}

static void expect_none(int64_t ms, lp_status status, const char *part) {
    question q = {.at = {ms, false}};
    assert_int_equal(ask(&q), status);
    expect_text(t.err.text, part);
}

/* ---- file times ---- */

static void test_m2__the_latest_version_that_is_not_later(void **state) {
    (void)state;
    put_commits((int64_t[]){1000, 2000, 3000}, 3);
    expect_version(1500, 0);
    expect_version(1999, 0);
    expect_version(2999, 1);
}

static void test_m9__a_time_equal_to_that_of_a_commit_selects_it(void **state) {
    (void)state;
    put_commits((int64_t[]){1000, 2000, 3000}, 3);
    expect_version(1000, 0);
    expect_version(2000, 1);
    expect_version(3000, 2);
}

static void test_m3__the_timestamp_inside_commit_info_is_not_used(void **state) {
    (void)state;
    table_commit(&t, 0, "{\"commitInfo\":{\"timestamp\":99000,\"inCommitTimestamp\":99000}}\n" PROTOCOL METADATA);
    table_commit(&t, 1, "{\"commitInfo\":{\"timestamp\":98000,\"inCommitTimestamp\":98000}}\n" ADD("f", "x"));
    set_time(0, 1000);
    set_time(1, 2000);
    expect_version(1500, 0);
    expect_version(2000, 1);
}

static void test_m4__times_are_made_strictly_increasing_on_adjusted_values(void **state) {
    (void)state;
    put_commits((int64_t[]){5000, 5000, 4000, 4999, 5002, 9000}, 6); /* 5000 5001 5002 5003 5004 9000 */
    expect_version(5000, 0);
    expect_version(5001, 1);
    expect_version(5002, 2);
    expect_version(5003, 3);
    expect_version(5004, 4);
    expect_version(8999, 4);
    expect_version(9000, 5);
}

static void test_m7__before_the_first_commit_is_an_error_that_names_its_time(void **state) {
    (void)state;
    put_commits((int64_t[]){1000, 2000}, 2);
    expect_none(999, LP_ERR_NOT_FOUND, "1970-01-01T00:00:01.000Z");
    expect_none(-5, LP_ERR_NOT_FOUND, "no version at 1969-12-31T23:59:59.995Z");
}

static void test_m8__after_the_last_commit_is_an_error_that_names_its_time(void **state) {
    (void)state;
    put_commits((int64_t[]){1000, 2000}, 2);
    expect_none(2001, LP_ERR_NOT_FOUND, "version 1 of 1970-01-01T00:00:02.000Z");
    expect_none(INT64_MAX, LP_ERR_NOT_FOUND, "after the last commit");
}

static void test_m8__a_microsecond_after_the_last_commit_is_after_it(void **state) {
    (void)state;
    put_commits((int64_t[]){1000, 2000}, 2);
    question q = {.at = {2000, true}};
    assert_int_equal(ask(&q), LP_ERR_NOT_FOUND);
    q.at = (time_point){1000, true};
    assert_int_equal(ask(&q), LP_OK);
    assert_int_equal(q.version, 0);
}

static void put_checkpoint(int version) {
    char name[96];
    snprintf(name, sizeof name, "%020d.checkpoint." UUID ".json", version);
    table_put(&t, name, CHECKPOINT_METADATA PROTOCOL_3 METADATA);
}

static void test_m6__a_version_that_cannot_be_rebuilt_is_no_answer(void **state) {
    (void)state;
    for (int v = 3; v < 8; v++) {
        table_commit(&t, v, ADD("f", "x"));
        set_time(v, v * 1000);
    }
    put_checkpoint(5);
    expect_none(4000, LP_ERR_FORMAT, "_delta_log/00000000000000000000.json is missing");
    expect_none(4000, LP_ERR_FORMAT,
                "the first version after that time which can be read is 5, of 1970-01-01T00:00:05.000Z");
    expect_none(1000, LP_ERR_NOT_FOUND, "which can be read is 5, of 1970-01-01T00:00:05.000Z");
    expect_version(5000, 5);
    expect_version(7000, 7);
}

static void test_m6__a_missing_commit_leaves_the_version_of_its_time_unknown(void **state) {
    (void)state;
    put_commits((int64_t[]){1000, 2000}, 2);
    table_commit(&t, 3, ADD("f", "x"));
    set_time(3, 4000);
    put_checkpoint(3);
    expect_version(1500, 0);
    expect_version(2000, 1);
    expect_none(3000, LP_ERR_NOT_FOUND, "00000000000000000002.json, is missing");
    expect_version(4000, 3);
}

static void test_c21__a_checkpoint_without_commit_has_no_time(void **state) {
    (void)state;
    put_checkpoint(3);
    expect_none(3000, LP_ERR_NOT_FOUND, "no commit is that old");
    table_commit(&t, 4, ADD("f", "x"));
    set_time(4, 4000);
    expect_none(3000, LP_ERR_NOT_FOUND, "can be read is 4");
    expect_version(4000, 4);
}

static void test_m6__after_a_commit_whose_successor_is_only_a_checkpoint_nothing_is_known(void **state) {
    (void)state;
    put_commits((int64_t[]){1000, 2000}, 2);
    put_checkpoint(2);
    expect_version(2000, 1);
    expect_none(2500, LP_ERR_NOT_FOUND, "00000000000000000002.json, is missing");
}

/* ---- times inside of commits ---- */

static void test_m11__in_commit_timestamps_count_where_they_are_on(void **state) {
    (void)state;
    table_commit(&t, 0, INFO("1000") PROTOCOL_ICT METADATA_WITH(ICT_ON));
    table_commit(&t, 1, INFO("2000"));
    set_time(0, 90000);
    set_time(1, 91000);
    expect_version(1000, 0);
    expect_version(1999, 0);
    expect_version(2000, 1);
    expect_none(2001, LP_ERR_NOT_FOUND, "version 1 of 1970-01-01T00:00:02.000Z");
    expect_none(999, LP_ERR_NOT_FOUND, "1970-01-01T00:00:01.000Z");
}

static void test_m10__feature_and_property_are_both_needed(void **state) {
    (void)state;
    table_commit(&t, 0, INFO("1000") PROTOCOL METADATA_WITH(ICT_ON));
    set_time(0, 5000);
    expect_version(5000, 0);
    table_commit(&t, 0, INFO("1000") PROTOCOL_ICT METADATA_WITH("\"delta.enableInCommitTimestamps\":\"false\""));
    set_time(0, 5000);
    expect_version(5000, 0);
}

static void test_m16__the_newest_version_tells_whether_they_are_on(void **state) {
    (void)state;
    table_commit(&t, 0, INFO("1000") PROTOCOL_ICT METADATA_WITH(ICT_ON));
    table_commit(&t, 1, METADATA_WITH("\"delta.enableInCommitTimestamps\":\"false\""));
    set_time(0, 5000);
    set_time(1, 6000);
    expect_version(5000, 0);
    expect_none(1000, LP_ERR_NOT_FOUND, "no commit is that old");
}

static void test_m12__versions_before_the_enablement_have_file_times(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    table_commit(&t, 1, ADD("f", "x"));
    table_commit(&t, 2, INFO("5000") PROTOCOL_ICT METADATA_WITH(ICT_FROM("2", "5000")));
    table_commit(&t, 3, INFO("7000"));
    int64_t ms[] = {1000, 2000, 99000, 98000};
    for (int v = 0; v < 4; v++) set_time(v, ms[v]);
    expect_version(1000, 0);
    expect_version(2000, 1);
    expect_version(5000, 2);
    expect_version(6999, 2);
    expect_version(7000, 3);
}

static void test_m13__the_enablement_time_parts_the_versions(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    table_commit(&t, 1, ADD("f", "x"));
    table_commit(&t, 2, INFO("5000") PROTOCOL_ICT METADATA_WITH(ICT_FROM("2", "5000")));
    set_time(0, 1000);
    set_time(1, 8000); /* a file copied later: its time is after the enablement */
    set_time(2, 9000);
    expect_version(4999, 0);
    expect_version(5000, 2);
}

static void test_m13__without_commits_before_the_enablement_an_earlier_time_is_before_the_first(void **state) {
    (void)state;
    table_commit(&t, 0, INFO("5000") PROTOCOL_ICT METADATA_WITH(ICT_FROM("0", "5000")));
    set_time(0, 1000);
    expect_none(4999, LP_ERR_NOT_FOUND, "1970-01-01T00:00:05.000Z");
}

static void test_m12__one_enablement_property_alone_is_refused(void **state) {
    (void)state;
    table_commit(&t, 0,
                 INFO("5") PROTOCOL_ICT METADATA_WITH(ICT_ON ",\"delta.inCommitTimestampEnablementVersion\":\"0\""));
    expect_none(5, LP_ERR_FORMAT, "delta.inCommitTimestampEnablementTimestamp");
    table_commit(&t, 0, INFO("5") PROTOCOL_ICT METADATA_WITH(ICT_FROM("x", "5")));
    expect_none(5, LP_ERR_FORMAT, "expected a whole number");
}

static void test_m14__a_commit_without_its_timestamp_is_an_error(void **state) {
    (void)state;
    table_commit(&t, 0, INFO("1000") PROTOCOL_ICT METADATA_WITH(ICT_ON));
    table_commit(&t, 1, ADD("f", "x"));
    expect_none(1000, LP_ERR_FORMAT, "00000000000000000001.json: expected a commitInfo with inCommitTimestamp");
    table_commit(&t, 1, "{\"commitInfo\":{\"timestamp\":1000}}\n");
    expect_none(1000, LP_ERR_FORMAT, "a commitInfo without it");
    table_commit(&t, 1, "{\"commitInfo\":{\"inCommitTimestamp\":\"2000\"}}\n");
    expect_none(1000, LP_ERR_FORMAT, "a commitInfo without it");
}

static void test_m15__timestamps_that_do_not_increase_are_not_bisected(void **state) {
    (void)state;
    table_commit(&t, 0, INFO("9000") PROTOCOL_ICT METADATA_WITH(ICT_ON));
    table_commit(&t, 1, INFO("1000"));
    table_commit(&t, 2, INFO("8000"));
    table_commit(&t, 3, INFO("2000"));
    expect_version(1500, 1);
    expect_version(2000, 3);
    expect_version(8500, 3); /* the newest that is not later, and not after the last known time */
    expect_version(9000, 3);
    expect_none(9001, LP_ERR_NOT_FOUND, "after the last commit");
    expect_none(999, LP_ERR_NOT_FOUND, "no commit is that old");
}

static void test_m11__commit_info_is_found_where_it_is_not_first(void **state) {
    (void)state;
    table_commit(&t, 0, "\n" PROTOCOL_ICT METADATA_WITH(ICT_ON) INFO("1000"));
    expect_version(1000, 0);
}

static void test_l7__a_catalog_managed_table_needs_them(void **state) {
    (void)state;
    table_commit(&t, 0,
                 "{\"protocol\":{\"minReaderVersion\":3,\"minWriterVersion\":7,\"readerFeatures\":[\"catalogManaged\"],"
                 "\"writerFeatures\":[\"catalogManaged\"]}}\n" METADATA);
    expect_none(1000, LP_ERR_FORMAT, "managed by a catalog");
}

static void test_i9__the_newest_protocol_need_not_be_readable(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA);
    table_commit(&t, 1, "{\"protocol\":{\"minReaderVersion\":9,\"minWriterVersion\":9}}\n");
    set_time(0, 1000);
    set_time(1, 2000);
    expect_version(1500, 0);
}

/* ---- commitInfo ---- */

typedef struct reading {
    const char *name;
    bool found;
    commit_info info;
    str operation, engine, metrics; /* copies */
    uint64_t bytes_read;
} reading;

static lp_status read_body(void *context, lp_err *err) {
    reading *r = context;
    store *files;
    TRY(store_open(&t.memory, str_from(t.root), &files, err));
    commit_info_reader *reader = commit_info_reader_new(&t.memory);
    TRY(commit_info_find(reader, files, str_from(r->name), &t.memory, &r->found, &r->info, err));
    r->operation = str_copy(&t.memory, r->info.operation);
    r->engine = str_copy(&t.memory, r->info.engine);
    r->metrics = str_copy(&t.memory, r->info.metrics);
    r->bytes_read = store_bytes_read(files);
    return LP_OK;
}

static void expect_info(reading *r) {
    r->name = "_delta_log/00000000000000000000.json";
    if (door_run(read_body, r, &t.err) != LP_OK) fail_msg("%s", t.err.text);
}

static void test_commit_info__takes_operation_engine_and_metrics_as_written(void **state) {
    (void)state;
    table_commit(&t, 0,
                 "{\"commitInfo\":{\"timestamp\":1,\"operation\":\"A \\\"b\\\"\",\"operationMetrics\":{ \"n\":"
                 "\"1\", \"m\":{\"x\":[1.50]}},\"engineInfo\":\"Spark\",\"x\":null}}\n");
    reading r = {0};
    expect_info(&r);
    assert_true(r.found && !r.info.has_in_commit_timestamp);
    assert_true(str_eq(r.operation, STR("A \"b\"")));
    assert_true(str_eq(r.engine, STR("Spark")));
    assert_true(str_eq(r.metrics, STR("{ \"n\":\"1\", \"m\":{\"x\":[1.50]}}")));
}

static void test_commit_info__of_other_types_is_absent(void **state) {
    (void)state;
    table_commit(&t, 0,
                 "{\"commitInfo\":{\"operation\":[1],\"operationMetrics\":[2],\"engineInfo\":{\"a\":1},"
                 "\"inCommitTimestamp\":1.5}}\n");
    reading r = {0};
    expect_info(&r);
    assert_true(r.found && !r.info.has_in_commit_timestamp);
    assert_true(str_is_none(r.operation) && str_is_none(r.engine) && str_is_none(r.metrics));
}

static void test_commit_info__of_a_big_commit_costs_only_its_start(void **state) {
    (void)state;
    static char text[1 << 20];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", INFO("1"));
    while (used + 200 < sizeof text) used += (size_t)snprintf(text + used, sizeof text - used, "%s", ADD("f", "x"));
    table_commit(&t, 0, text);
    reading r = {0};
    expect_info(&r);
    assert_true(r.info.has_in_commit_timestamp);
    assert_int_equal(r.bytes_read, 4096);
}

static void test_commit_info__longer_than_the_first_block_is_read_whole(void **state) {
    (void)state;
    static char text[300000];
    size_t used = (size_t)snprintf(text, sizeof text, "{\"commitInfo\":{\"operation\":\"");
    memset(text + used, 'o', 200000);
    snprintf(text + used + 200000, sizeof text - used - 200000, "\",\"inCommitTimestamp\":7}}");
    table_commit(&t, 0, text);
    reading r = {0};
    expect_info(&r);
    assert_int_equal(r.info.in_commit_timestamp_ms, 7);
    assert_int_equal(r.operation.len, 200000);
}

static void test_commit_info__of_a_commit_without_one_is_not_there(void **state) {
    (void)state;
    table_commit(&t, 0, PROTOCOL METADATA ADD("f", "x") "{\"commitInfo\":null}\n");
    reading r = {0};
    expect_info(&r);
    assert_false(r.found);
}

/* ---- texts ---- */

typedef struct parsing {
    const char *text, *session;
    time_point out;
} parsing;

static lp_status parse_body(void *context, lp_err *err) {
    parsing *p = context;
    zone_database *zones = zone_database_new(&t.memory);
    const zone *found;
    TRY(zone_find(zones, str_from(p->session), &found, err));
    return time_point_parse(str_from(p->text), found, zones, &p->out, err);
}

static void expect_point(const char *text, const char *session, int64_t ms, bool has_more) {
    parsing p = {text, session, {0, false}};
    if (door_run(parse_body, &p, &t.err) != LP_OK) fail_msg("%s", t.err.text);
    if (p.out.ms != ms || p.out.has_more != has_more) fail_msg("%s: got %lld", text, (long long)p.out.ms);
}

static void expect_no_point(const char *text, const char *session, const char *part) {
    parsing p = {text, session, {0, false}};
    assert_int_equal(door_run(parse_body, &p, &t.err), LP_ERR_USAGE);
    expect_text(t.err.text, part);
}

static void test_m17__a_text_without_offset_is_read_in_the_session_zone(void **state) {
    (void)state;
    expect_point("1970-01-02", "UTC", 86400000, false);
    expect_point("1970-01-02", "+02:00", 79200000, false);
    expect_point("1970-01-01T00:00:01.5", "UTC", 1500, false);
    expect_point("1970-01-01 02:00", "+02:00", 0, false);
    expect_point("1970-01-01T02:00:00+02:00", "-05:00", 0, false);
    expect_point("1970-01-01T00:00:00Z", "-05:00", 0, false);
}

static void test_time_point__keeps_that_there_is_more_than_milliseconds(void **state) {
    (void)state;
    expect_point("1970-01-01T00:00:00.001999", "UTC", 1, true);
    expect_point("1969-12-31T23:59:59.999001", "UTC", -1, true);
    expect_point("1970-01-01T00:00:00.001000000001", "UTC", 1, true);
    expect_point("1969-12-31T23:59:59.999", "UTC", -1, false);
}

static void test_time_point__of_other_forms_is_refused(void **state) {
    (void)state;
    const char *const bad[] = {"",
                               "now",
                               "2024",
                               "2024-01",
                               "2024-02-30",
                               "2024-01-01T25:00",
                               "1700000000000",
                               "2024-01-01T",
                               "2024-01-01T10",
                               "2024-01-01 10:00 Nowhere/City"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) expect_no_point(bad[i], "UTC", "invalid time");
}

static void test_time_point__that_occurs_twice_is_refused(void **state) {
    (void)state;
    parsing probe = {"2024-01-01", "Europe/Rome", {0, false}};
    if (door_run(parse_body, &probe, &t.err) != LP_OK) skip(); /* no zone database here */
    expect_no_point("2023-10-29T02:30", "Europe/Rome", "occurs twice in Europe/Rome");
    expect_point("2023-10-29T02:30+02:00", "Europe/Rome", 1698539400000, false);
    expect_point("2023-10-29T02:30+01:00", "Europe/Rome", 1698543000000, false);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_m2__the_latest_version_that_is_not_later),
        TEST(test_m9__a_time_equal_to_that_of_a_commit_selects_it),
        TEST(test_m3__the_timestamp_inside_commit_info_is_not_used),
        TEST(test_m4__times_are_made_strictly_increasing_on_adjusted_values),
        TEST(test_m7__before_the_first_commit_is_an_error_that_names_its_time),
        TEST(test_m8__after_the_last_commit_is_an_error_that_names_its_time),
        TEST(test_m8__a_microsecond_after_the_last_commit_is_after_it),
        TEST(test_m6__a_version_that_cannot_be_rebuilt_is_no_answer),
        TEST(test_m6__a_missing_commit_leaves_the_version_of_its_time_unknown),
        TEST(test_c21__a_checkpoint_without_commit_has_no_time),
        TEST(test_m6__after_a_commit_whose_successor_is_only_a_checkpoint_nothing_is_known),
        TEST(test_m11__in_commit_timestamps_count_where_they_are_on),
        TEST(test_m10__feature_and_property_are_both_needed),
        TEST(test_m16__the_newest_version_tells_whether_they_are_on),
        TEST(test_m12__versions_before_the_enablement_have_file_times),
        TEST(test_m13__the_enablement_time_parts_the_versions),
        TEST(test_m13__without_commits_before_the_enablement_an_earlier_time_is_before_the_first),
        TEST(test_m12__one_enablement_property_alone_is_refused),
        TEST(test_m14__a_commit_without_its_timestamp_is_an_error),
        TEST(test_m15__timestamps_that_do_not_increase_are_not_bisected),
        TEST(test_m11__commit_info_is_found_where_it_is_not_first),
        TEST(test_l7__a_catalog_managed_table_needs_them),
        TEST(test_i9__the_newest_protocol_need_not_be_readable),
        TEST(test_commit_info__takes_operation_engine_and_metrics_as_written),
        TEST(test_commit_info__of_other_types_is_absent),
        TEST(test_commit_info__of_a_big_commit_costs_only_its_start),
        TEST(test_commit_info__longer_than_the_first_block_is_read_whole),
        TEST(test_commit_info__of_a_commit_without_one_is_not_there),
        TEST(test_m17__a_text_without_offset_is_read_in_the_session_zone),
        TEST(test_time_point__keeps_that_there_is_more_than_milliseconds),
        TEST(test_time_point__of_other_forms_is_refused),
        TEST(test_time_point__that_occurs_twice_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
