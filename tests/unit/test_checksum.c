/* test_checksum.c - version checksums: what is read of them, what is compared, what a difference says.
 * Called by: ctest.  Must not know: how files are counted.
 */
#include "delta/checksum.h"
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

/* ---- reading ---- */

typedef struct parsing {
    const char *text;
    checksum_content out;
} parsing;

static lp_status parse_body(void *context, lp_err *err) {
    parsing *p = context;
    size_t size = strlen(p->text);
    char *padded = arena_alloc(&t.memory, size + JSON_PADDING);
    memcpy(padded, p->text, size);
    return checksum_parse((str){padded, size}, STR("0.crc"), &t.memory, &p->out, err);
}

static checksum_content expect_parse(const char *text) {
    parsing p = {.text = text};
    if (door_run(parse_body, &p, &t.err) != LP_OK) fail_msg("%s", t.err.text);
    return p.out;
}

static void expect_no_parse(const char *text, const char *part) {
    parsing p = {.text = text};
    assert_int_equal(door_run(parse_body, &p, &t.err), LP_ERR_FORMAT);
    expect_text(t.err.text, part);
    expect_text(t.err.text, "0.crc");
}

static void test_e2__sizes_and_counts_are_read(void **state) {
    (void)state;
    checksum_content c =
        expect_parse("{\"tableSizeBytes\":7,\"numFiles\":2,\"numMetadata\":1,\"numProtocol\":1,\"x\":[{}]}");
    assert_true(c.table_size.known && c.table_size.number == 7);
    assert_true(c.file_count.known && c.file_count.number == 2);
    assert_true(c.metadata_count.known && c.protocol_count.known);
    assert_false(c.deleted_records.known || c.deletion_vectors.known || c.has_in_commit_timestamp);
    assert_false(c.has_protocol || c.has_metadata || c.has_transactions || c.has_domains);
}

static void test_e3__optional_members_are_read(void **state) {
    (void)state;
    checksum_content c = expect_parse(
        "{\"numFiles\":0,\"inCommitTimestampOpt\":5,\"numDeletedRecordsOpt\":3,\"numDeletionVectorsOpt\":1,"
        "\"setTransactions\":[{\"appId\":\"a\",\"version\":4}],\"domainMetadata\":[{\"domain\":\"d\","
        "\"configuration\":\"{}\",\"removed\":false}],\"protocol\":{\"minReaderVersion\":3,\"minWriterVersion\":7,"
        "\"readerFeatures\":[\"v2Checkpoint\"],\"writerFeatures\":[]},\"metadata\":{\"id\":\"i\",\"schemaString\":"
        "\"s\",\"partitionColumns\":[\"p\"],\"configuration\":{\"k\":\"v\"}}}");
    assert_true(c.has_in_commit_timestamp && c.in_commit_timestamp_ms == 5);
    assert_int_equal(c.deleted_records.number, 3);
    assert_int_equal(c.deletion_vectors.number, 1);
    assert_true(c.transaction_count == 1 && str_eq(c.transaction[0].app_id, STR("a")));
    assert_int_equal(c.transaction[0].version, 4);
    assert_true(c.domain_count == 1 && str_eq(c.domain[0].domain, STR("d")));
    assert_int_equal(c.protocol.reader_feature_count, 1);
    assert_true(str_eq(c.metadata.schema_string, STR("s")));
    assert_int_equal(c.metadata.configuration_count, 1);
}

static void test_checksum__null_is_absent(void **state) {
    (void)state;
    checksum_content c = expect_parse("{\"numFiles\":1,\"tableSizeBytes\":null,\"protocol\":null,\"metadata\":null,"
                                      "\"setTransactions\":null,\"inCommitTimestampOpt\":null}");
    assert_false(c.table_size.known || c.has_protocol || c.has_metadata || c.has_transactions);
    assert_false(c.has_in_commit_timestamp);
}

static void test_checksum__the_last_of_two_members_counts(void **state) {
    (void)state;
    assert_int_equal(expect_parse("{\"numFiles\":1,\"numFiles\":2}").file_count.number, 2);
}

static void test_e5__damage_is_told(void **state) {
    (void)state;
    expect_no_parse("", "not JSON");
    expect_no_parse("[]", "expected an object");
    expect_no_parse("{\"numFiles\":1", "expected");
    expect_no_parse("{\"numFiles\":1}x", "not JSON");
    expect_no_parse("{}", "found neither");
    expect_no_parse("{\"numFiles\":-1}", "expected a number from 0 on as numFiles");
    expect_no_parse("{\"numFiles\":\"1\"}", "expected a whole number as numFiles");
    expect_no_parse("{\"numFiles\":1.5}", "expected a whole number as numFiles");
    expect_no_parse("{\"numFiles\":99999999999999999999}", "expected a whole number as numFiles");
    expect_no_parse("{\"numFiles\":1,\"protocol\":7}", "expected an object as protocol");
    expect_no_parse("{\"numFiles\":1,\"protocol\":{}}", "minReaderVersion");
    expect_no_parse("{\"numFiles\":1,\"setTransactions\":{}}", "expected an array as setTransactions");
    expect_no_parse("{\"numFiles\":1,\"domainMetadata\":[1]}", "expected an array of objects as domainMetadata");
}

/* ---- comparing ---- */

#define CRC(more)   "{\"tableSizeBytes\":1,\"numFiles\":1,\"numMetadata\":1,\"numProtocol\":1" more "}"
#define SCHEMA_TEXT "{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[" FIELD("p", "string") "," FIELD("a", "integer") "]}"
#define META(id, partition, configuration)                                                                             \
    ",\"metadata\":{\"id\":\"" id "\",\"format\":{},\"schemaString\":\"" SCHEMA_TEXT                                   \
    "\",\"partitionColumns\":[" partition "],\"configuration\":{" configuration "}}"

typedef struct verifying {
    checksum_totals counted;
    note_list notes;
    version_checksum out;
} verifying;

static lp_status verify_body(void *context, lp_err *err) {
    (void)err;
    verifying *v = context;
    checksum_verify(t.snapshot, &v->counted, &t.memory, &v->notes, &v->out);
    return LP_OK;
}

/* The table has one file of one byte at version 0. */
static verifying verify(const char *crc, const char *commit) {
    table_commit(&t, 0, commit);
    if (crc) table_put(&t, "00000000000000000000.crc", crc);
    expect_open(&t, 0);
    verifying v = {
        .counted = {.files = {true, 1}, .bytes = {true, 1}, .files_with_dv = {true, 0}, .deleted_rows = {true, 0}}};
    assert_int_equal(door_run(verify_body, &v, &t.err), LP_OK);
    return v;
}

#define ONE_FILE PROTOCOL METADATA ADD("f", "x")

static void expect_agrees(const char *crc, const char *commit) {
    verifying v = verify(crc, commit);
    if (v.out.verdict != VERDICT_AGREES) fail_msg("%s", v.notes.first ? v.notes.first->message.ptr : "no note");
    assert_int_equal(v.notes.count, 0);
    assert_true(str_eq(v.out.file, STR("_delta_log/00000000000000000000.crc")));
}

/* One difference: "what: in the checksum, in the log". */
static void expect_differs(const char *crc, const char *commit, const char *expected) {
    verifying v = verify(crc, commit);
    assert_int_equal(v.out.verdict, VERDICT_DIFFERS);
    assert_int_equal(v.out.difference_count, 1);
    const checksum_difference *d = &v.out.difference[0];
    char found[512];
    snprintf(found, sizeof found, STR_FMT ": " STR_FMT ", " STR_FMT, STR_ARG(d->what), STR_ARG(d->in_checksum),
             STR_ARG(d->in_log));
    assert_string_equal(found, expected);
    assert_true(note_list_has(&v.notes, NOTE_CHECKSUM_MISMATCH) && v.notes.count == 1);
}

static void test_e1__a_version_without_checksum_is_as_good(void **state) {
    (void)state;
    verifying v = verify(NULL, ONE_FILE);
    assert_int_equal(v.out.verdict, VERDICT_ABSENT);
    assert_true(str_is_none(v.out.file) && v.notes.count == 0);
}

static void test_e4__one_that_agrees_causes_nothing(void **state) {
    (void)state;
    expect_agrees(CRC(""), ONE_FILE);
    expect_agrees(CRC(",\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2},\"setTransactions\":[],"
                      "\"domainMetadata\":[],\"numDeletionVectorsOpt\":0" META("the-id", "\"p\"", "")),
                  ONE_FILE);
}

static void test_e6__numbers_that_differ_are_told_with_both(void **state) {
    (void)state;
    expect_differs("{\"tableSizeBytes\":1,\"numFiles\":10}", ONE_FILE, "numFiles: 10, 1");
    expect_differs("{\"tableSizeBytes\":5259,\"numFiles\":1}", ONE_FILE, "tableSizeBytes: 5259, 1");
    expect_differs(CRC(",\"numMetadata\":2"), ONE_FILE, "numMetadata: 2, 1");
    expect_differs(CRC(",\"numProtocol\":0"), ONE_FILE, "numProtocol: 0, 1");
    expect_differs(CRC(",\"numDeletionVectorsOpt\":3"), ONE_FILE, "numDeletionVectorsOpt: 3, 0");
    expect_differs(CRC(",\"numDeletedRecordsOpt\":9"), ONE_FILE, "numDeletedRecordsOpt: 9, 0");
}

static void test_e4__the_note_names_what_both_values_and_the_file(void **state) {
    (void)state;
    verifying v = verify("{\"tableSizeBytes\":2,\"numFiles\":10}", ONE_FILE);
    assert_int_equal(v.notes.count, 1);
    assert_true(
        str_eq(v.notes.first->message,
               STR("_delta_log/00000000000000000000.crc does not agree with the log: numFiles is 10 there and 1 in "
                   "the log; tableSizeBytes is 2 there and 1 in the log")));
}

static void test_checksum__what_was_not_counted_is_not_compared(void **state) {
    (void)state;
    table_commit(&t, 0, ONE_FILE);
    table_put(&t, "00000000000000000000.crc", "{\"tableSizeBytes\":99,\"numFiles\":1}");
    expect_open(&t, 0);
    verifying v = {.counted = {.files = {true, 1}}};
    assert_int_equal(door_run(verify_body, &v, &t.err), LP_OK);
    assert_int_equal(v.out.verdict, VERDICT_AGREES);
}

static void test_e4__protocol_and_metadata_are_compared(void **state) {
    (void)state;
    expect_differs(CRC(",\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":4}"), ONE_FILE,
                   "protocol.minWriterVersion: 4, 2");
    expect_differs(
        CRC(",\"protocol\":{\"minReaderVersion\":3,\"minWriterVersion\":7,\"readerFeatures\":[\"v2Checkpoint\","
            "\"deletionVectors\",\"columnMapping\"],\"writerFeatures\":[\"v2Checkpoint\",\"deletionVectors\"]}"),
        PROTOCOL_3 METADATA ADD("f", "x"), "protocol.readerFeatures: \"columnMapping\", none");
    expect_differs(CRC(META("other", "\"p\"", "")), ONE_FILE, "metadata.id: \"other\", \"the-id\"");
    expect_differs(CRC(META("the-id", "", "")), ONE_FILE, "metadata.partitionColumns[0]: none, \"p\"");
    expect_differs(CRC(META("the-id", "\"p\"", "\"k\":\"v\"")), ONE_FILE, "metadata.configuration[k]: \"v\", none");
    verifying v = verify(CRC(",\"metadata\":{\"id\":\"the-id\",\"schemaString\":\"{}\",\"partitionColumns\":[\"p\"],"
                             "\"configuration\":{}}"),
                         ONE_FILE);
    assert_int_equal(v.out.difference_count, 1);
    assert_true(str_eq(v.out.difference[0].what, STR("metadata.schemaString")));
    expect_text(v.out.difference[0].in_log.ptr, "bytes)");
}

#define TXN(version) "{\"txn\":{\"appId\":\"app\",\"version\":" version "}}\n"

static void test_e4__transactions_are_compared_by_application(void **state) {
    (void)state;
    expect_agrees(CRC(",\"setTransactions\":[{\"appId\":\"app\",\"version\":5}]"), ONE_FILE TXN("5"));
    expect_differs(CRC(",\"setTransactions\":[{\"appId\":\"app\",\"version\":4}]"), ONE_FILE TXN("5"),
                   "setTransactions[app]: 4, 5");
    expect_differs(CRC(",\"setTransactions\":[]"), ONE_FILE TXN("5"), "setTransactions[app]: none, 5");
    expect_differs(CRC(",\"setTransactions\":[{\"appId\":\"b\",\"version\":4}]"), ONE_FILE,
                   "setTransactions[b]: 4, none");
    expect_agrees(CRC(""), ONE_FILE TXN("5")); /* the list is left out where it is long */
}

static void test_e4__transactions_that_a_retention_dropped_are_no_difference(void **state) {
    (void)state;
    expect_agrees(CRC(",\"setTransactions\":[]"),
                  PROTOCOL "{\"metaData\":{\"id\":\"i\",\"format\":{},\"schemaString\":\"{\\\"type\\\":\\\"struct\\\","
                           "\\\"fields\\\":[]}\",\"partitionColumns\":[],\"configuration\":{"
                           "\"delta.setTransactionRetentionDuration\":\"interval 1 day\"}}}\n" ADD("f", "x") TXN("5"));
}

#define DOMAIN(removed) "{\"domainMetadata\":{\"domain\":\"d\",\"configuration\":\"{}\",\"removed\":" removed "}}\n"

static void test_e4__domains_are_compared_without_tombstones(void **state) {
    (void)state;
    const char *has_it = CRC(",\"domainMetadata\":[{\"domain\":\"d\",\"configuration\":\"{}\",\"removed\":false}]");
    expect_agrees(has_it, ONE_FILE DOMAIN("false"));
    expect_differs(has_it, ONE_FILE DOMAIN("true"), "domainMetadata[d]: \"{}\", none");
    expect_differs(CRC(",\"domainMetadata\":[]"), ONE_FILE DOMAIN("false"), "domainMetadata[d]: none, \"{}\"");
}

#define ICT_TABLE(info)                                                                                                \
    info                                                                                                               \
        "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":7,\"writerFeatures\":[\"inCommitTimestamp\"]}}\n"  \
        "{\"metaData\":{\"id\":\"i\",\"format\":{},\"schemaString\":\"{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[]}" \
        "\",\"partitionColumns\":[],\"configuration\":{\"delta.enableInCommitTimestamps\":\"true\"}}}\n" ADD("f", "x")

static void test_e3__the_in_commit_timestamp_is_that_of_the_commit(void **state) {
    (void)state;
    const char *commit = ICT_TABLE("{\"commitInfo\":{\"inCommitTimestamp\":1000}}\n");
    expect_agrees(CRC(",\"inCommitTimestampOpt\":1000"), commit);
    expect_agrees(CRC(""), commit);
    expect_differs(CRC(",\"inCommitTimestampOpt\":1001"), commit, "inCommitTimestampOpt: 1001, 1000");
    expect_agrees(CRC(",\"inCommitTimestampOpt\":1001"), ICT_TABLE("")); /* that is an error of time travel alone */
}

static void test_e5__one_that_cannot_be_read_is_a_note(void **state) {
    (void)state;
    verifying v = verify("not json", ONE_FILE);
    assert_int_equal(v.out.verdict, VERDICT_UNREADABLE);
    assert_true(note_list_has(&v.notes, NOTE_CHECKSUM_UNREADABLE) && v.notes.count == 1);
    expect_text(v.out.why.ptr, "00000000000000000000.crc");
    v = verify("", ONE_FILE);
    assert_int_equal(v.out.verdict, VERDICT_UNREADABLE);
}

static void test_checksum__of_another_version_is_not_looked_at(void **state) {
    (void)state;
    table_put(&t, "00000000000000000001.crc", "{\"tableSizeBytes\":99,\"numFiles\":99}");
    verifying v = verify(NULL, ONE_FILE);
    assert_int_equal(v.out.verdict, VERDICT_ABSENT);
}

static void test_checksum__differences_are_cut(void **state) {
    (void)state;
    char crc[4096];
    size_t used = (size_t)snprintf(crc, sizeof crc, "{\"tableSizeBytes\":1,\"numFiles\":1,\"setTransactions\":[");
    for (int i = 0; i < 40; i++)
        used += (size_t)snprintf(crc + used, sizeof crc - used, "%s{\"appId\":\"a%d\",\"version\":1}", i ? "," : "", i);
    snprintf(crc + used, sizeof crc - used, "]}");
    verifying v = verify(crc, ONE_FILE);
    assert_int_equal(v.out.difference_count, CHECKSUM_MOST_DIFFERENCES);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_e2__sizes_and_counts_are_read),
        TEST(test_e3__optional_members_are_read),
        TEST(test_checksum__null_is_absent),
        TEST(test_checksum__the_last_of_two_members_counts),
        TEST(test_e5__damage_is_told),
        TEST(test_e1__a_version_without_checksum_is_as_good),
        TEST(test_e4__one_that_agrees_causes_nothing),
        TEST(test_e6__numbers_that_differ_are_told_with_both),
        TEST(test_e4__the_note_names_what_both_values_and_the_file),
        TEST(test_checksum__what_was_not_counted_is_not_compared),
        TEST(test_e4__protocol_and_metadata_are_compared),
        TEST(test_e4__transactions_are_compared_by_application),
        TEST(test_e4__transactions_that_a_retention_dropped_are_no_difference),
        TEST(test_e4__domains_are_compared_without_tombstones),
        TEST(test_e3__the_in_commit_timestamp_is_that_of_the_commit),
        TEST(test_e5__one_that_cannot_be_read_is_a_note),
        TEST(test_checksum__of_another_version_is_not_looked_at),
        TEST(test_checksum__differences_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
