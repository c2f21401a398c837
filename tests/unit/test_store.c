/* test_store.c - folders, files and the things in a file system that are neither.
 * Called by: ctest.  Must not know: what the bytes mean.
 */
#include "in_door.h"

#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "store/store.h"

static char root[64]; /* one folder for all tests */

static const char *path_of(arena *a, const char *name) {
    return str_format(a, "%s/%s", root, name).ptr;
}

static void write_file(arena *a, const char *name, str bytes) {
    int d = open(path_of(a, name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(d >= 0);
    assert_int_equal(write(d, bytes.ptr, bytes.len), bytes.len);
    close(d);
}

static store *open_root(arena *a) {
    store *s;
    lp_err err;
    assert_int_equal(store_open(a, str_from(root), &s, &err), LP_OK);
    return s;
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

/* ---- locations ---- */

static void assert_opens(arena *a, str uri) {
    store *s;
    lp_err err = {0};
    if (store_open(a, uri, &s, &err) != LP_OK) fail_msg(STR_FMT ": %s", STR_ARG(uri), err.text);
    assert_str(store_root(s), str_from(root));
}

static void assert_refused(arena *a, str uri, lp_status status, const char *text) {
    store *s;
    lp_err err = {0};
    assert_int_equal(store_open(a, uri, &s, &err), status);
    assert_int_equal(err.code, status);
    assert_null(s);
    if (!strstr(err.text, text)) fail_msg("found \"%s\", expected in it \"%s\"", err.text, text);
}

static void open_locations(arena *a) {
    assert_opens(a, str_from(root));
    assert_opens(a, str_format(a, "%s/", root));
    assert_opens(a, str_format(a, "%s//.", root));
    assert_opens(a, str_format(a, "file://%s", root));
    assert_opens(a, str_format(a, "FILE://%s/", root));
    assert_opens(a, str_format(a, "file://localhost%s", root));
    assert_opens(a, str_format(a, "file:%s", root));
    assert_opens(a, str_format(a, "file://%s%%2F%%2e", root));
    assert_opens(a, str_format(a, "file:///%%74%%6d%%70%s", root + 4));
    assert_int_equal(symlink(root, path_of(a, "self")), 0);
    assert_opens(a, str_format(a, "%s/self", root)); /* the root has no links in it */
    unlink(path_of(a, "self"));
    assert_int_equal(chdir(root), 0);
    assert_opens(a, STR("."));
    store *s = open_root(a);
    assert_int_equal(chdir("/"), 0);
    write_file(a, "x", STR("1"));
    str bytes;
    lp_err err;
    assert_int_equal(store_read_all(s, a, STR("x"), 10, 0, &bytes, &err), LP_OK);
    assert_int_equal(mkdir(path_of(a, "with %20 and \xC3\xA9"), 0700), 0);
    assert_int_equal(store_open(a, str_format(a, "%s/with %%20 and \xC3\xA9", root), &s, &err),
                     LP_OK); /* no decoding in a path */
    assert_int_equal(store_open(a, str_format(a, "file://%s/with%%20%%2520%%20and%%20%%c3%%A9", root), &s, &err),
                     LP_OK);
    rmdir(path_of(a, "with %20 and \xC3\xA9"));
    unlink(path_of(a, "x"));
}

static void test_store__opens_paths_and_file_urls(void **state) {
    (void)state;
    in_door(open_locations);
}

static void refuse_locations(arena *a) {
    write_file(a, "plain", STR("x"));
    assert_int_equal(mkfifo(path_of(a, "pipe"), 0600), 0);
    assert_refused(a, STR(""), LP_ERR_NOT_FOUND, "found an empty text");
    assert_refused(a, STR_NONE, LP_ERR_NOT_FOUND, "found an empty text");
    assert_refused(a, str_format(a, "%s/absent", root), LP_ERR_NOT_FOUND, "/absent: No such file or directory");
    assert_refused(a, str_format(a, "%s/plain", root), LP_ERR_IO, "/plain: expected a folder, found a file");
    assert_refused(a, str_format(a, "%s/plain/x", root), LP_ERR_NOT_FOUND, "Not a directory");
    assert_refused(a, str_format(a, "%s/pipe", root), LP_ERR_IO, "expected a folder, found a FIFO");
    assert_refused(a, STR("/dev/null"), LP_ERR_IO, "expected a folder, found a device");
    assert_refused(a, STR("/tmp\0/x"), LP_ERR_NOT_FOUND, "the path holds a NUL byte");
    assert_refused(a, STR("file:///tmp%00"), LP_ERR_NOT_FOUND, "the path holds a NUL byte");
    assert_refused(a, STR("file:///tmp%2"), LP_ERR_USAGE, "expected two hex digits after %, found \"2\"");
    assert_refused(a, STR("file:///tmp%zz"), LP_ERR_USAGE, "found \"zz\"");
    assert_refused(a, STR("file:///tmp%"), LP_ERR_USAGE, "found \"\"");
    assert_refused(a, STR("file://"), LP_ERR_NOT_FOUND, "found an empty text");
    assert_refused(a, STR("file://server/share"), LP_ERR_UNSUPPORTED, "found the host \"server\"");
    assert_refused(a, STR("s3://bucket/table"), LP_ERR_UNSUPPORTED, "found the scheme s3 (Amazon S3)");
    assert_refused(a, STR("abfss://c@a.dfs.core.windows.net/t"), LP_ERR_UNSUPPORTED,
                   "the scheme abfss (Azure Storage)");
    assert_refused(a, STR("GS://bucket"), LP_ERR_UNSUPPORTED, "the scheme GS (Google Cloud Storage)");
    assert_refused(a, STR("az://c/t"), LP_ERR_UNSUPPORTED, "Azure Storage");
    assert_refused(a, STR("foo+bar://x"), LP_ERR_UNSUPPORTED, "the scheme foo+bar (no kind of store");
    assert_refused(a, STR("s3:/bucket"), LP_ERR_NOT_FOUND, "No such file"); /* a path like any other */
    assert_refused(a, str_format(a, "/%05000d", 1), LP_ERR_IO, "File name too long");
    unlink(path_of(a, "plain"));
    unlink(path_of(a, "pipe"));
}

static void test_store__refuses_other_locations_by_name(void **state) {
    (void)state;
    in_door(refuse_locations);
}

/* ---- listings ---- */

static void list(arena *a) {
    static const char *const names[] = {
        "b", "B", "a", "a.json", "a-", "\xC3\xA9", "\xFF\xFE", "00000000000000000010.json", "9"};
    static const char *const sorted[] = {"00000000000000000010.json",
                                         "9",
                                         "B",
                                         "a",
                                         "a-",
                                         "a.json",
                                         "b",
                                         "folder",
                                         "gone",
                                         "link",
                                         "link_to_folder",
                                         "loop",
                                         "pipe",
                                         "\xC3\xA9",
                                         "\xFF\xFE"};
    assert_int_equal(mkdir(path_of(a, "list"), 0700), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        write_file(a, str_format(a, "list/%s", names[i]).ptr, str_from(names[i]));
    assert_int_equal(mkdir(path_of(a, "list/folder"), 0700), 0);
    assert_int_equal(symlink("a.json", path_of(a, "list/link")), 0);
    assert_int_equal(symlink("folder", path_of(a, "list/link_to_folder")), 0);
    assert_int_equal(symlink("nothing", path_of(a, "list/gone")), 0);
    assert_int_equal(symlink("loop", path_of(a, "list/loop")), 0);
    assert_int_equal(mkfifo(path_of(a, "list/pipe"), 0600), 0);
    struct timespec times[2] = {{0, 0}, {1700000000, 123456789}};
    assert_int_equal(utimensat(AT_FDCWD, path_of(a, "list/a"), times, 0), 0);
    times[1] = (struct timespec){-2, 500000000};
    assert_int_equal(utimensat(AT_FDCWD, path_of(a, "list/b"), times, 0), 0);

    store_entries e;
    lp_err err;
    assert_int_equal(store_list(open_root(a), STR("list"), a, &e, &err), LP_OK);
    assert_int_equal(e.count, sizeof sorted / sizeof *sorted);
    for (size_t i = 0; i < e.count; i++) {
        const store_entry *x = &e.item[i];
        assert_str(x->name, str_from(sorted[i]));
        bool folder = str_ends_with(x->name, STR("folder"));
        bool other = str_eq(x->name, STR("gone")) || str_eq(x->name, STR("loop")) || str_eq(x->name, STR("pipe"));
        assert_int_equal(x->is_folder, folder);
        assert_int_equal(x->is_regular, !folder && !other);
        if (x->is_regular) assert_int_equal(x->size_bytes, str_eq(x->name, STR("link")) ? 6 : x->name.len);
        if (str_eq(x->name, STR("a"))) assert_int_equal(x->mtime_ms, 1700000000123);
        if (str_eq(x->name, STR("b"))) assert_int_equal(x->mtime_ms, -1500);
    }
}

static void test_store__lists_in_byte_order_and_follows_links(void **state) {
    (void)state;
    in_door(list);
}

static void list_others(arena *a) {
    store *s = open_root(a);
    store_entries e;
    lp_err err;
    write_file(a, "plain", STR("x"));
    assert_int_equal(mkdir(path_of(a, "empty"), 0700), 0);
    assert_int_equal(store_list(s, STR("empty"), a, &e, &err), LP_OK);
    assert_int_equal(e.count, 0);
    assert_int_equal(store_list(s, STR("empty/"), a, &e, &err), LP_OK);
    assert_int_equal(store_list(s, STR(""), a, &e, &err), LP_OK);
    assert_true(e.count >= 2);
    assert_int_equal(store_list(s, STR("absent"), a, &e, &err), LP_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "/absent: No such file or directory"));
    assert_int_equal(store_list(s, STR("plain"), a, &e, &err), LP_ERR_IO);
    assert_non_null(strstr(err.text, "/plain: expected a folder, found a file"));
    assert_int_equal(store_list(s, STR("plain/x"), a, &e, &err), LP_ERR_NOT_FOUND);
    assert_int_equal(e.count, 0);
}

static void test_store__says_why_it_cannot_list(void **state) {
    (void)state;
    in_door(list_others);
}

/* ---- files ---- */

static void read_parts(arena *a) {
    write_file(a, "file", STR("0123456789"));
    store *s = open_root(a);
    store_file *f;
    lp_err err = {0};
    char bytes[32] = {0};
    assert_int_equal(store_open_file(s, a, STR("file"), &f, &err), LP_OK);
    assert_int_equal(store_file_size(f), 10);
    assert_str(store_file_path(f), STR("file"));
    assert_int_equal(store_read(f, 3, bytes, 4, &err), LP_OK);
    assert_memory_equal(bytes, "3456", 5);
    assert_int_equal(store_read(f, 0, bytes, 10, &err), LP_OK);
    assert_int_equal(store_read(f, 10, bytes, 0, &err), LP_OK);
    assert_int_equal(store_bytes_read(s), 14);
    assert_int_equal(store_read(f, 8, bytes, 5, &err), LP_ERR_FORMAT);
    assert_non_null(strstr(err.text, "/file: expected 5 bytes at offset 8, found the end of the file after 2"));
    assert_int_equal(store_read(f, UINT64_MAX, bytes, 5, &err), LP_ERR_FORMAT);
    assert_int_equal(store_read(f, INT64_MAX, bytes, 5, &err), LP_ERR_FORMAT);
    assert_int_equal(store_read(f, 0, bytes, SIZE_MAX, &err), LP_ERR_FORMAT);
    assert_int_equal(store_bytes_read(s), 14);
    store_close(f);
    store_close(f);
}

static void test_store__reads_exactly_what_is_asked_for(void **state) {
    (void)state;
    in_door(read_parts);
}

static void read_whole(arena *a) {
    store *s = open_root(a);
    lp_err err = {0};
    str bytes;
    write_file(a, "file", STR("0123456789"));
    assert_int_equal(store_read_all(s, a, STR("file"), 10, 64, &bytes, &err), LP_OK);
    assert_str(bytes, STR("0123456789"));
    for (size_t i = 0; i < 64; i++) assert_int_equal(bytes.ptr[10 + i], 0);
    assert_int_equal(store_read_all(s, a, STR("file"), 9, 64, &bytes, &err), LP_ERR_LIMIT);
    assert_non_null(strstr(err.text, "/file: expected at most 9 bytes, found 10"));
    assert_true(str_is_none(bytes));
    assert_int_equal(store_read_all(s, a, STR("file"), 10, SIZE_MAX, &bytes, &err), LP_ERR_LIMIT);
    write_file(a, "file", STR(""));
    assert_int_equal(store_read_all(s, a, STR("file"), 10, 0, &bytes, &err), LP_OK);
    assert_false(str_is_none(bytes));
    assert_int_equal(bytes.len, 0);
    assert_int_equal(store_bytes_read(s), 10);
}

static void test_store__reads_whole_files_with_padding(void **state) {
    (void)state;
    in_door(read_whole);
}

static void assert_no_file(arena *a, store *s, str path, lp_status status, const char *text) {
    store_file *f;
    lp_err err = {0};
    assert_int_equal(store_open_file(s, a, path, &f, &err), status);
    assert_null(f);
    if (!strstr(err.text, text)) fail_msg("found \"%s\", expected in it \"%s\"", err.text, text);
}

static void open_odd_things(arena *a) {
    store *s = open_root(a);
    write_file(a, "plain", STR("x"));
    assert_int_equal(mkfifo(path_of(a, "pipe"), 0600), 0);
    assert_int_equal(symlink("nothing", path_of(a, "gone")), 0);
    assert_int_equal(symlink("loop", path_of(a, "loop")), 0);
    assert_int_equal(symlink("/dev/null", path_of(a, "device")), 0);
    assert_int_equal(mkdir(path_of(a, "folder"), 0700), 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", root);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_no_file(a, s, STR("absent"), LP_ERR_NOT_FOUND, "/absent: No such file or directory");
    assert_no_file(a, s, STR("plain/x"), LP_ERR_NOT_FOUND, "Not a directory");
    assert_no_file(a, s, STR("pipe"), LP_ERR_IO, "/pipe: expected a file, found a FIFO");
    assert_no_file(a, s, STR("gone"), LP_ERR_NOT_FOUND, "/gone: it is a link to \"nothing\", which is not there");
    assert_no_file(a, s, STR("loop"), LP_ERR_IO, "Too many levels of symbolic links");
    assert_no_file(a, s, STR("device"), LP_ERR_IO, "/device: expected a file, found a device");
    assert_no_file(a, s, STR("folder"), LP_ERR_IO, "/folder: expected a file, found a folder");
    assert_no_file(a, s, STR(""), LP_ERR_IO, "expected a file, found a folder");
    assert_no_file(a, s, STR("socket"), LP_ERR_IO, "expected a file, found a socket");
    close(listener);
}

static void test_store__opens_nothing_but_files_and_never_waits(void **state) {
    (void)state;
    in_door(open_odd_things);
}

static void leave_root(arena *a) {
    store *s = open_root(a);
    store_entries e;
    lp_err err;
    write_file(a, "..x", STR("1"));
    str bytes;
    assert_int_equal(store_read_all(s, a, STR("./..x"), 1, 0, &bytes, &err), LP_OK); /* a name, not a way up */
    assert_no_file(a, s, STR("../x"), LP_ERR_FORMAT, "found a part \"..\" in \"../x\"");
    assert_no_file(a, s, STR("a/../../x"), LP_ERR_FORMAT, "found a part \"..\"");
    assert_no_file(a, s, STR("a/.."), LP_ERR_FORMAT, "found a part \"..\"");
    assert_no_file(a, s, STR("/etc/hostname"), LP_ERR_FORMAT, "found an absolute path in \"/etc/hostname\"");
    assert_no_file(a, s, STR("x\0y"), LP_ERR_FORMAT, "found a NUL byte");
    assert_int_equal(store_list(s, STR(".."), a, &e, &err), LP_ERR_FORMAT);
}

static void test_store__a_path_does_not_leave_the_root(void **state) {
    (void)state;
    in_door(leave_root);
}

/* ---- ownership and threads ---- */

static int open_descriptors(void) {
    int count = 0;
    for (int d = 0; d < 1000; d++) count += fcntl(d, F_GETFD) >= 0;
    return count;
}

static lp_status use_everything(void *context, lp_err *err) {
    arena *a = context;
    store *s;
    store_file *f;
    store_entries e;
    str bytes;
    char c[4];
    TRY(store_open(a, str_from(root), &s, err));
    TRY(store_list(s, STR("."), a, &e, err));
    TRY(store_open_file(s, a, STR("owned"), &f, err));
    TRY(store_read(f, 0, c, sizeof c, err));
    return store_read_all(s, a, STR("owned"), 100, 64, &bytes, err);
}

static void write_owned(arena *a) {
    write_file(a, "owned", STR("abcd"));
}

/* Each allocation fails once, and every descriptor ends with the arena. */
static void test_store__descriptors_end_with_their_arena_whatever_fails(void **state) {
    (void)state;
    in_door(write_owned);
    int before = open_descriptors();
    unsigned long n = 0;
    for (lp_status status = LP_ERR_LIMIT; status != LP_OK;) {
        arena a;
        lp_err err = {0};
        arena_init(&a, 0);
        arena_fail_at(++n);
        status = door_run(use_everything, &a, &err);
        arena_fail_at(0);
        arena_end(&a);
        assert_int_equal(open_descriptors(), before);
        if (status != LP_OK) assert_int_equal(status, LP_ERR_LIMIT);
    }
    assert_true(n > 8);
}

enum { THREADS = 4, READS = 1000 };

static void *read_often(void *context) {
    store_file *f = context;
    lp_err err;
    size_t wrong = 0;
    for (uint64_t i = 0; i < READS; i++) {
        char c[2] = {0};
        if (store_read(f, i % 3, c, 2, &err) != LP_OK || c[0] != (char)('a' + i % 3)) wrong++;
    }
    return wrong ? f : NULL;
}

static void share(arena *a) {
    write_owned(a);
    store *s = open_root(a);
    store_file *f;
    lp_err err;
    pthread_t thread[THREADS];
    assert_int_equal(store_open_file(s, a, STR("owned"), &f, &err), LP_OK);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&thread[i], NULL, read_often, f), 0);
    for (int i = 0; i < THREADS; i++) {
        void *result;
        assert_int_equal(pthread_join(thread[i], &result), 0);
        assert_null(result);
    }
    assert_int_equal(store_bytes_read(s), THREADS * READS * 2);
}

static void test_store__threads_share_a_file(void **state) {
    (void)state;
    in_door(share);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store__opens_paths_and_file_urls),
        cmocka_unit_test(test_store__refuses_other_locations_by_name),
        cmocka_unit_test(test_store__lists_in_byte_order_and_follows_links),
        cmocka_unit_test(test_store__says_why_it_cannot_list),
        cmocka_unit_test(test_store__reads_exactly_what_is_asked_for),
        cmocka_unit_test(test_store__reads_whole_files_with_padding),
        cmocka_unit_test(test_store__opens_nothing_but_files_and_never_waits),
        cmocka_unit_test(test_store__a_path_does_not_leave_the_root),
        cmocka_unit_test(test_store__descriptors_end_with_their_arena_whatever_fails),
        cmocka_unit_test(test_store__threads_share_a_file),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
