/* test_feature.c - protocols that are read, and those that are refused by name.
 * Called by: ctest.  Must not know: logs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "delta/feature.h"

static lp_status check(int64_t reader, const char *const *name, size_t count, lp_err *err) {
    str feature[64];
    for (size_t i = 0; i < count; i++) feature[i] = str_from(name[i]);
    protocol p = {.min_reader_version = reader,
                  .min_writer_version = 7,
                  .reader_feature = feature,
                  .reader_feature_count = count,
                  .has_reader_features = reader >= 3};
    return protocol_check(&p, err);
}

static void test_feature__every_reader_feature_that_we_know_is_read_or_refused_by_name(void **state) {
    (void)state;
    static const char *const refused[] = {"catalogManaged",
                                          "catalogOwned",
                                          "catalogOwned-preview",
                                          "adaptiveMetadata",
                                          "adaptiveMetadata-preview",
                                          "redirectReaderWriter-preview",
                                          "unheardOf",
                                          ""};
    static const char *const read[] = {"columnMapping",
                                       "deletionVectors",
                                       "timestampNtz",
                                       "v2Checkpoint",
                                       "vacuumProtocolCheck",
                                       "typeWidening",
                                       "typeWidening-preview",
                                       "variantType",
                                       "variantType-preview",
                                       "variantShredding",
                                       "variantShredding-preview",
                                       "geospatial",
                                       "timestampNanos"};
    lp_err err;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(check(3, &refused[i], 1, &err), LP_ERR_UNSUPPORTED);
        assert_non_null(strstr(err.text, refused[i]));
    }
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) assert_int_equal(check(3, &read[i], 1, &err), LP_OK);
}

static void test_feature__all_that_are_not_read_are_named(void **state) {
    (void)state;
    static const char *const name[] = {"one", "deletionVectors", "two"};
    lp_err err;
    assert_int_equal(check(3, name, 3, &err), LP_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "`one`, `two`"));
}

static void test_feature__reader_versions(void **state) {
    (void)state;
    lp_err err;
    assert_int_equal(check(1, NULL, 0, &err), LP_OK);
    assert_int_equal(check(2, NULL, 0, &err), LP_OK);
    assert_int_equal(check(3, NULL, 0, &err), LP_OK);
    assert_int_equal(check(4, NULL, 0, &err), LP_ERR_UNSUPPORTED);
    assert_int_equal(check(0, NULL, 0, &err), LP_ERR_FORMAT);
    protocol p = {.min_reader_version = 3, .min_writer_version = 7};
    assert_int_equal(protocol_check(&p, &err), LP_ERR_FORMAT);
}

static void test_feature__legacy_versions_imply_features(void **state) {
    (void)state;
    protocol old = {.min_reader_version = 2, .min_writer_version = 5};
    assert_true(protocol_supports(&old, FEATURE_columnMapping));
    assert_true(protocol_supports(&old, FEATURE_generatedColumns));
    assert_false(protocol_supports(&old, FEATURE_deletionVectors));
    protocol older = {.min_reader_version = 1, .min_writer_version = 3};
    assert_false(protocol_supports(&older, FEATURE_columnMapping));
    assert_false(protocol_supports(&older, FEATURE_generatedColumns));
    str listed[] = {STR("generatedColumns")};
    protocol now = {
        .min_reader_version = 3, .min_writer_version = 7, .writer_feature = listed, .writer_feature_count = 1};
    assert_false(protocol_supports(&now, FEATURE_columnMapping));
    assert_true(protocol_supports(&now, FEATURE_generatedColumns));
}

/* The list of the original tool, from its documentation; the warnings of the drop-in depend on it. */
static void test_feature__recognized_writer_features_are_those_of_the_original(void **state) {
    (void)state;
    static const char *const known[] = {
        "appendOnly",         "invariants",          "checkConstraints", "changeDataFeed",       "generatedColumns",
        "identityColumns",    "columnMapping",       "deletionVectors",  "timestampNtz",         "domainMetadata",
        "v2Checkpoint",       "rowTracking",         "icebergCompatV1",  "icebergCompatV2",      "clustering",
        "inCommitTimestamp",  "vacuumProtocolCheck", "typeWidening",     "typeWidening-preview", "variantType",
        "variantType-preview"};
    size_t count = 0;
    for (feature_id f = 0; f < FEATURE_COUNT; f++) count += feature_is_recognized(feature_name(f));
    assert_int_equal(count, sizeof known / sizeof *known);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) assert_true(feature_is_recognized(str_from(known[i])));
    assert_false(feature_is_recognized(STR("icebergCompatV3")));
    assert_false(feature_is_recognized(STR("unheardOf")));
}

static void test_feature__each_row_says_what_is_done_about_it(void **state) {
    (void)state;
    for (size_t f = 0; f < FEATURE_COUNT; f++) {
        assert_true(feature_text((feature_id)f).len > 10);
        assert_false(str_ends_with(feature_text((feature_id)f), STR(".")));
    }
    assert_true(feature_binds_readers(FEATURE_columnMapping));
    assert_false(feature_binds_readers(FEATURE_appendOnly));
    assert_true(str_is_none(feature_property(FEATURE_timestampNtz)));
}

static void test_feature__legacy_versions_imply_what_is_not_listed(void **state) {
    (void)state;
    protocol p = {.min_reader_version = 1, .min_writer_version = 4};
    assert_true(feature_is_implied(&p, FEATURE_appendOnly));
    assert_true(feature_is_implied(&p, FEATURE_changeDataFeed));
    assert_false(feature_is_implied(&p, FEATURE_identityColumns));
    assert_false(feature_is_implied(&p, FEATURE_deletionVectors));
    assert_false(feature_is_implied(&p, FEATURE_columnMapping));
    p.min_reader_version = 2;
    assert_true(feature_is_implied(&p, FEATURE_columnMapping));
    p = (protocol){.min_reader_version = 3, .min_writer_version = 7};
    assert_false(feature_is_implied(&p, FEATURE_appendOnly));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_feature__every_reader_feature_that_we_know_is_read_or_refused_by_name),
        cmocka_unit_test(test_feature__all_that_are_not_read_are_named),
        cmocka_unit_test(test_feature__reader_versions),
        cmocka_unit_test(test_feature__legacy_versions_imply_features),
        cmocka_unit_test(test_feature__recognized_writer_features_are_those_of_the_original),
        cmocka_unit_test(test_feature__each_row_says_what_is_done_about_it),
        cmocka_unit_test(test_feature__legacy_versions_imply_what_is_not_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
