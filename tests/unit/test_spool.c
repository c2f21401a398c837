/* test_spool.c - a text that moves from memory to a file without a name.
 * Called by: ctest.  Must not know: what the text says.
 */
#include "in_door.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/spool.h"

/* Byte i of the text that every test writes. */
static char byte_at(uint64_t i) {
    return (char)(i * 31 + i / 251);
}

static void put_bytes(arena *a, spool *s, uint64_t from, size_t size) {
    lp_err err;
    char *piece = arena_alloc(a, size);
    for (size_t i = 0; i < size; i++) piece[i] = byte_at(from + i);
    assert_int_equal(spool_put(s, (str){piece, size}, &err), LP_OK);
}

static void assert_bytes(arena *a, const spool *s, uint64_t from, size_t size, uint64_t shift) {
    lp_err err;
    char *piece = arena_alloc(a, size);
    assert_int_equal(spool_read(s, from, piece, size, &err), LP_OK);
    for (size_t i = 0; i < size; i++)
        if (piece[i] != byte_at(from + i - shift)) fail_msg("byte %llu", (unsigned long long)(from + i));
}

static const size_t limits[] = {0, 1, 10, 1000, 1024, 5000, 100000, 1 << 20};
static const size_t pieces[] = {1, 7, 1000, 0, 3, 5000, 20000, 2, 100000};

/* The same bytes, whatever part of them is in memory. */
static void grow(arena *a) {
    for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
        spool *s = spool_new(a, limits[l]);
        uint64_t total = 0;
        for (int round = 0; round < 3; round++)
            for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
                put_bytes(a, s, total, pieces[p]);
                total += pieces[p];
                assert_int_equal(spool_size(s), total);
            }
        assert_bytes(a, s, 0, (size_t)total, 0);
        for (uint64_t at = 0; at < total; at += 9973)
            assert_bytes(a, s, at, (size_t)(total - at < 12345 ? total - at : 12345), 0);
        assert_bytes(a, s, total, 0, 0);
    }
}

static void test_spool__reads_back_what_was_put(void **state) {
    (void)state;
    in_door(grow);
}

static void append(arena *a) {
    for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
        lp_err err;
        spool *from = spool_new(a, limits[l]), *to = spool_new(a, limits[(l + 3) % 8]);
        assert_int_equal(spool_append(to, from, &err), LP_OK); /* nothing */
        assert_int_equal(spool_size(to), 0);
        put_bytes(a, from, 0, 50000);
        put_bytes(a, to, 0, 77);
        assert_int_equal(spool_append(to, from, &err), LP_OK);
        assert_int_equal(spool_size(to), 50077);
        assert_int_equal(spool_size(from), 50000);
        assert_bytes(a, to, 0, 77, 0);
        assert_bytes(a, to, 77, 50000, 77);
    }
}

static void test_spool__appends_another_spool(void **state) {
    (void)state;
    in_door(append);
}

static void reset(arena *a) {
    spool *s = spool_new(a, 30000);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(spool_size(s), 0);
        put_bytes(a, s, 0, 20000); /* in memory */
        put_bytes(a, s, 20000, round == 1 ? 100 : 100000);
        assert_bytes(a, s, 0, 20100, 0);
        spool_reset(s);
    }
}

static void test_spool__is_empty_again_after_reset(void **state) {
    (void)state;
    in_door(reset);
}

static void outside(arena *a) {
    lp_err err = {0};
    char c[8];
    spool *s = spool_new(a, 4);
    put_bytes(a, s, 0, 6);
    assert_int_equal(spool_read(s, 5, c, 2, &err), LP_ERR_USAGE);
    assert_string_equal(err.text, "cannot read 2 bytes at offset 5 of a text of 6 bytes");
    assert_int_equal(spool_read(s, 7, c, 0, &err), LP_ERR_USAGE);
    assert_int_equal(spool_read(s, UINT64_MAX, c, 2, &err), LP_ERR_USAGE);
}

static void test_spool__refuses_to_read_outside(void **state) {
    (void)state;
    in_door(outside);
}

static size_t count_entries(const char *folder) {
    DIR *d = opendir(folder);
    assert_non_null(d);
    size_t count = 0;
    while (readdir(d)) count++;
    closedir(d);
    return count - 2;
}

static void in_folder(arena *a) {
    char folder[] = "/tmp/lakeproof-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
    spool *s = spool_new(a, 0);
    put_bytes(a, s, 0, 1000);
    assert_int_equal(count_entries(folder), 0);
    assert_int_equal(rmdir(folder), 0);
    assert_bytes(a, s, 0, 1000, 0); /* the file lives on */
    lp_err err = {0};
    spool *other = spool_new(a, 0); /* the folder is gone */
    assert_int_equal(spool_put(other, STR("x"), &err), LP_ERR_IO);
    const char *expected =
        str_format(a, "cannot make a temporary file in %s (TMPDIR): No such file or directory", folder).ptr;
    assert_string_equal(err.text, expected);
    unsetenv("TMPDIR");
}

static void test_spool__its_file_has_no_name(void **state) {
    (void)state;
    in_door(in_folder);
}

static int open_descriptors(void) {
    int count = 0;
    for (int d = 0; d < 1000; d++) count += fcntl(d, F_GETFD) >= 0;
    return count;
}

static void test_spool__its_descriptor_ends_with_the_arena(void **state) {
    (void)state;
    int before = open_descriptors();
    in_door(grow);
    assert_int_equal(open_descriptors(), before);
}

/* A file that may not grow further stands for a full disk. */
static void fill_disk(arena *a) {
    lp_err err = {0};
    spool *s = spool_new(a, 1000);
    struct rlimit before, small = {20000, 20000};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    char piece[900] = {0};
    lp_status status = LP_OK;
    for (int i = 0; i < 100 && status == LP_OK; i++) status = spool_put(s, (str){piece, sizeof piece}, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, LP_ERR_IO);
    assert_non_null(strstr(err.text, "cannot write to a temporary file in "));
    assert_non_null(strstr(err.text, "File too large"));
    spool_reset(s);
    put_bytes(a, s, 0, 5000);
    assert_bytes(a, s, 0, 5000, 0);
}

static void test_spool__a_full_disk_is_a_clean_error(void **state) {
    (void)state;
    in_door(fill_disk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spool__reads_back_what_was_put),
        cmocka_unit_test(test_spool__appends_another_spool),
        cmocka_unit_test(test_spool__is_empty_again_after_reset),
        cmocka_unit_test(test_spool__refuses_to_read_outside),
        cmocka_unit_test(test_spool__its_file_has_no_name),
        cmocka_unit_test(test_spool__its_descriptor_ends_with_the_arena),
        cmocka_unit_test(test_spool__a_full_disk_is_a_clean_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
