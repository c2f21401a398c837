/* test_dbt_project.c - where a project is found, what it reads from files, and when.
 * Called by: ctest.  Must not know: facts (tests/golden/dbt).
 */
#include "in_door.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dbt/project.h"

static char root[64];

static const char *path_of(arena *a, const char *name) {
    return str_format(a, "%s/%s", root, name).ptr;
}

static void write_file(arena *a, const char *name, const char *text) {
    int d = open(path_of(a, name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(d >= 0);
    assert_int_equal(write(d, text, strlen(text)), strlen(text));
    close(d);
}

static void make_folder(arena *a, const char *name) {
    (void)mkdir(path_of(a, name), 0700);
}

static int make_root(void **state) {
    (void)state;
    snprintf(root, sizeof root, "/tmp/lakeproof-test-XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

static int remove_root(void **state) {
    (void)state;
    return nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

#define HEAD                                                                                                           \
    "{\"metadata\": {\"dbt_schema_version\": \"x/manifest/v12.json\", \"project_name\": \"shop\"}, \"nodes\": {"
#define MODEL(name, more)                                                                                              \
    "\"model.shop." name "\": {\"resource_type\": \"model\", \"unique_id\": \"model.shop." name                        \
    "\", \"package_name\": \"shop\", \"name\": \"" name "\", \"original_file_path\": \"models/" name ".sql\"" more "}"

static dbt_project *open_at(arena *a, const char *place) {
    dbt_project *p;
    lp_err err = {0};
    if (dbt_open(a, str_from(place), &p, &err) != LP_OK) fail_msg("%s: %s", place, err.text);
    return p;
}

static const dbt_relation *named(const dbt_project *p, const char *name) {
    dbt_found found = dbt_find_name(p, str_from(name));
    assert_int_equal(found.count, 1);
    return &p->relation[found.relation[0]];
}

/* ---- finding ---- */

static void make_project(arena *a) {
    make_folder(a, "shop");
    make_folder(a, "shop/target");
    make_folder(a, "shop/models");
    write_file(a, "shop/dbt_project.yml", "name: shop\n");
    write_file(a, "shop/target/manifest.json", HEAD MODEL("m", "") "}}");
}

static void find_in_all_ways(arena *a) {
    make_project(a);
    const char *place[] = {"shop", "shop/", "shop/target", "shop/target/manifest.json"};
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        dbt_project *p = open_at(a, path_of(a, place[i]));
        assert_int_equal(p->relation_count, 1);
        assert_true(str_ends_with(p->root, STR("/shop")));
        assert_true(str_ends_with(p->target, STR("/shop/target")));
    }
    char before[1024];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(path_of(a, "shop/models")), 0);
    dbt_project *p = open_at(a, "");
    assert_true(str_ends_with(p->root, STR("/shop")));
    assert_int_equal(chdir(path_of(a, "shop/target")), 0);
    assert_int_equal(open_at(a, "manifest.json")->relation_count, 1);
    assert_int_equal(chdir(before), 0);
}

static void test_open__folder_target_file_and_folder_above(void **state) {
    (void)state;
    in_door(find_in_all_ways);
}

static void assert_refused(arena *a, const char *place, lp_status status, const char *part) {
    dbt_project *p;
    lp_err err = {0};
    assert_int_equal(dbt_open(a, str_from(place), &p, &err), status);
    assert_null(p);
    if (!strstr(err.text, part)) fail_msg("expected \"%s\" in \"%s\"", part, err.text);
}

static void refuse_places(arena *a) {
    make_folder(a, "empty");
    make_folder(a, "parsed");
    write_file(a, "parsed/dbt_project.yml", "name: parsed\n");
    write_file(a, "m.json.gz", "\x1f\x8b");
    write_file(a, "broken.json", "{\"metadata\": ");
    assert_refused(a, path_of(a, "empty"), LP_ERR_NOT_FOUND, "found no dbt_project.yml and no manifest.json");
    assert_refused(a, path_of(a, "parsed"), LP_ERR_NOT_FOUND, "run `dbt compile`");
    assert_refused(a, path_of(a, "nowhere"), LP_ERR_NOT_FOUND, "nowhere");
    assert_refused(a, path_of(a, "m.json.gz"), LP_ERR_FORMAT, "expected a gzip file with one text, found other bytes");
    assert_refused(a, path_of(a, "broken.json"), LP_ERR_FORMAT, "broken.json, byte 13");
}

static void test_open__what_is_missing_is_told(void **state) {
    (void)state;
    in_door(refuse_places);
}

/* `printf '{"metadata": {"dbt_schema_version": "x/manifest/v12.json"}, "nodes": {}}' | gzip -n` */
static void read_packed(arena *a) {
    static const unsigned char bytes[] = {
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xab, 0x56, 0xca, 0x4d, 0x2d, 0x49, 0x4c, 0x49,
        0x2c, 0x49, 0x54, 0xb2, 0x52, 0xa8, 0x56, 0x4a, 0x49, 0x2a, 0x89, 0x2f, 0x4e, 0xce, 0x48, 0xcd, 0x4d, 0x8c,
        0x2f, 0x4b, 0x2d, 0x2a, 0xce, 0xcc, 0xcf, 0x03, 0x0a, 0x2b, 0x55, 0xe8, 0xe7, 0x26, 0xe6, 0x65, 0xa6, 0xa5,
        0x16, 0x97, 0xe8, 0x97, 0x19, 0x1a, 0xe9, 0x65, 0x15, 0x03, 0x85, 0x6b, 0x75, 0x14, 0x94, 0xf2, 0xf2, 0x53,
        0x52, 0x8b, 0x41, 0xfa, 0x6a, 0x6b, 0x01, 0xc3, 0xd4, 0xd3, 0x2a, 0x48, 0x00, 0x00, 0x00};
    int d = open(path_of(a, "packed.json.gz"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_int_equal(write(d, bytes, sizeof bytes), sizeof bytes);
    assert_int_equal(open_at(a, path_of(a, "packed.json.gz"))->schema_version, 12);
    assert_int_equal(pwrite(d, "\x01", 1, sizeof bytes - 2), 1);
    assert_refused(a, path_of(a, "packed.json.gz"), LP_ERR_FORMAT, "expected a gzip file");
    assert_int_equal(pwrite(d, "\xff\xff\xff\xff", 4, sizeof bytes - 4), 4);
    assert_refused(a, path_of(a, "packed.json.gz"), LP_ERR_LIMIT, "expected at most 1073741824 bytes");
    close(d);
}

static void test_open__a_packed_manifest_is_unpacked(void **state) {
    (void)state;
    in_door(read_packed);
}

/* ---- texts ---- */

static void read_texts(arena *a) {
    make_folder(a, "t");
    make_folder(a, "t/target");
    make_folder(a, "t/models");
    make_folder(a, "t/target/compiled");
    make_folder(a, "t/target/compiled/shop");
    make_folder(a, "t/target/compiled/shop/models");
    write_file(a, "t/dbt_project.yml", "");
    write_file(a, "t/models/c.sql", "select {{ 3 }}");
    write_file(a, "t/target/compiled/shop/models/b.sql", "select 2");
    write_file(a, "t/target/compiled/shop/models/c.sql", "select 3");
    write_file(
        a, "t/target/manifest.json",
        HEAD MODEL("a", ", \"compiled_code\": \"select \\\"\\u00e9\\\"\\n\", \"raw_code\": \"{{ raw }}\"") "," MODEL(
            "b", ", \"compiled_path\": \"target/compiled/shop/models/b.sql\"") "," MODEL("c", "") "," MODEL("d",
                                                                                                            "") "}}");
    dbt_project *p = open_at(a, path_of(a, "t"));
    lp_err err = {0};
    str code;
    assert_int_equal(p->sql_model_count, 4);
    assert_int_equal(p->compiled_count, 3);
    assert_int_equal(dbt_read_compiled(p, named(p, "a"), a, &code, &err), LP_OK);
    assert_str(code, STR("select \"\xc3\xa9\"\n"));
    assert_int_equal(dbt_read_raw(p, named(p, "a"), a, &code, &err), LP_OK);
    assert_str(code, STR("{{ raw }}"));
    assert_int_equal(dbt_read_compiled(p, named(p, "b"), a, &code, &err), LP_OK);
    assert_str(code, STR("select 2"));
    assert_int_equal(dbt_read_compiled(p, named(p, "c"), a, &code, &err), LP_OK);
    assert_str(code, STR("select 3"));
    assert_int_equal(dbt_read_raw(p, named(p, "c"), a, &code, &err), LP_OK);
    assert_str(code, STR("select {{ 3 }}"));
    assert_str(dbt_compiled_file(p, named(p, "c"), a), STR("target/compiled/shop/models/c.sql"));
    assert_false(named(p, "d")->is_compiled);
    assert_int_equal(dbt_read_compiled(p, named(p, "d"), a, &code, &err), LP_ERR_NOT_FOUND);
    assert_int_equal(dbt_read_raw(p, named(p, "d"), a, &code, &err), LP_ERR_NOT_FOUND);
}

static void test_texts__manifest_first_then_files(void **state) {
    (void)state;
    in_door(read_texts);
}

static void change_manifest(arena *a) {
    write_file(a, "manifest.json", HEAD MODEL("a", ", \"compiled_code\": \"select 1\"") "}}");
    dbt_project *p = open_at(a, root);
    write_file(a, "manifest.json", HEAD MODEL("a", ", \"compiled_code\": \"select \\x\"") "}}");
    lp_err err = {0};
    str code;
    assert_int_equal(dbt_read_compiled(p, named(p, "a"), a, &code, &err), LP_ERR_FORMAT);
    assert_non_null(strstr(err.text, "the file has changed"));
    write_file(a, "manifest.json", "{}");
    assert_int_not_equal(dbt_read_compiled(p, named(p, "a"), a, &code, &err), LP_OK);
}

static void test_texts__a_manifest_that_changed_is_no_text(void **state) {
    (void)state;
    in_door(change_manifest);
}

/* ---- memory ---- */

static lp_status open_small(void *context, lp_err *err) {
    dbt_texts texts = {
        .manifest = STR(HEAD MODEL("a", ", \"config\": {\"meta\": {\"cardinal\": {\"grain\": [\"x\"]}}}") "," MODEL(
            "b", ", \"depends_on\": {\"nodes\": [\"model.shop.a\"]}") "}}"),
        .catalog = STR("{\"nodes\": {\"model.shop.a\": {\"columns\": {\"x\": {\"index\": 1}}}}}"),
        .run_results = STR("{\"results\": [{\"unique_id\": \"t\", \"status\": \"pass\"}]}"),
        .piece_bytes = 5};
    dbt_project *p;
    return dbt_open_texts(context, texts, &p, err);
}

/* Whatever allocation fails, it is told, and nothing is left behind (the sanitizers look). */
static void test_open__any_allocation_may_fail(void **state) {
    (void)state;
    lp_status status = LP_ERR_LIMIT;
    for (unsigned long n = 1; status != LP_OK && n < 10000; n++) {
        arena a;
        lp_err err = {0};
        arena_init(&a, 0);
        arena_fail_at(n);
        status = door_run(open_small, &a, &err);
        arena_fail_at(0);
        assert_true(status == LP_OK || status == LP_ERR_LIMIT);
        arena_end(&a);
    }
    assert_int_equal(status, LP_OK);
}

/* ---- looking up ---- */

static void look_up(arena *a) {
    dbt_texts texts = {.manifest = STR(HEAD MODEL("Orders", ", \"relation_name\": \"db.s.ORDERS\"") "}}")};
    dbt_project *p;
    lp_err err = {0};
    assert_int_equal(dbt_open_texts(a, texts, &p, &err), LP_OK);
    assert_int_equal(dbt_find_id(p, STR("model.shop.Orders")), 0);
    assert_int_equal(dbt_find_id(p, STR("model.shop.orders")), DBT_NO_RELATION);
    assert_int_equal(dbt_find_id(p, STR_NONE), DBT_NO_RELATION);
    assert_int_equal(dbt_find_name(p, STR("orders")).count, 1);
    assert_int_equal(dbt_find_name(p, STR("shop.ORDERS")).count, 1);
    assert_int_equal(dbt_find_name(p, STR("other.orders")).count, 0);
    assert_int_equal(dbt_find_identifier(p, STR("orders")).count, 1);
    assert_int_equal(dbt_find_relation_name(p, STR("db.s.ORDERS")).count, 1);
    assert_int_equal(dbt_find_relation_name(p, STR("db.s.orders")).count, 0);
}

static void test_find__by_id_name_and_identifier(void **state) {
    (void)state;
    in_door(look_up);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open__folder_target_file_and_folder_above),
        cmocka_unit_test(test_open__what_is_missing_is_told),
        cmocka_unit_test(test_open__a_packed_manifest_is_unpacked),
        cmocka_unit_test(test_texts__manifest_first_then_files),
        cmocka_unit_test(test_texts__a_manifest_that_changed_is_no_text),
        cmocka_unit_test(test_open__any_allocation_may_fail),
        cmocka_unit_test(test_find__by_id_name_and_identifier),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
