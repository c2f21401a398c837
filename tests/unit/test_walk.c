/* test_walk.c - everything below a folder, and what a walk must not go into.
 * Called by: ctest.  Must not know: how folders are listed.
 */
#include "in_door.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "store/store.h"

static char root[64];

static void run(const char *command) {
    char line[512];
    snprintf(line, sizeof line, "cd %s && %s", root, command);
    assert_int_equal(system(line), 0);
}

static int setup(void **state) {
    (void)state;
    snprintf(root, sizeof root, "/tmp/lakeproof-test-XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", root);
    return system(line);
}

typedef struct seen {
    buf words;
    const char *shun; /* a folder that is not entered */
} seen;

static lp_status see(void *context, const store_found *found, bool *enter, lp_err *err) {
    (void)err;
    seen *s = context;
    const store_entry *e = found->entry;
    buf_put(&s->words, found->path);
    if (e->is_folder) buf_put(&s->words, found->may_enter ? STR("/") : STR("|"));
    if (e->is_link) buf_put(&s->words, STR("@"));
    if (!e->is_folder && !e->is_regular) buf_put(&s->words, STR("?"));
    buf_put_char(&s->words, ' ');
    if (s->shun && str_eq(e->name, str_from(s->shun))) *enter = false;
    return LP_OK;
}

static void expect_walk(arena *a, size_t depth, const char *shun, str words) {
    store *files;
    lp_err err = {0};
    seen s = {.shun = shun};
    buf_init(&s.words, a, SIZE_MAX / 2);
    assert_int_equal(store_open(a, str_from(root), &files, &err), LP_OK);
    if (store_walk(files, a, depth, see, &s, &err) != LP_OK) fail_msg("%s", err.text);
    assert_str(buf_str(&s.words), words);
}

static void walk_tree(arena *a) {
    run("mkdir -p b/d/e c && touch a b/x b/d/y b/d/e/z f");
    expect_walk(a, 100, NULL, STR("a b/ b/d/ b/d/e/ b/d/e/z b/d/y b/x c/ f "));
    expect_walk(a, 100, "d", STR("a b/ b/d/ b/x c/ f "));
    expect_walk(a, 1, NULL, STR("a b/ b/d| b/x c/ f "));
    expect_walk(a, 0, NULL, STR("a b| c| f "));
}

static void test_walk__visits_in_the_order_of_names_and_keeps_to_the_depth(void **state) {
    (void)state;
    in_door(walk_tree);
}

static void walk_links(arena *a) {
    run("mkdir in && touch in/x && ln -s in near && ln -s / far && ln -s .. up && ln -s gone dangling && mkfifo fifo");
    run("ln -s in/x file && ln -s loop loop");
    expect_walk(a, 100, NULL, STR("dangling@? far|@ fifo? file@ in/ in/x loop@? near|@ up|@ "));
}

static void test_walk__enters_no_link_and_waits_for_nothing(void **state) {
    (void)state;
    in_door(walk_links);
}

static void walk_deep(arena *a) {
    run("mkdir -p $(printf 'd/%.0s' $(seq 300))");
    seen s = {0};
    store *files;
    lp_err err = {0};
    buf_init(&s.words, a, SIZE_MAX / 2);
    assert_int_equal(store_open(a, str_from(root), &files, &err), LP_OK);
    assert_int_equal(store_walk(files, a, SIZE_MAX, see, &s, &err), LP_OK);
    str words = buf_str(&s.words);
    assert_str(str_slice(words, words.len - 4, words.len), STR("/d| "));
}

static void test_walk__ends_at_the_greatest_depth(void **state) {
    (void)state;
    in_door(walk_deep);
}

static void look(arena *a) {
    store *files;
    lp_err err;
    uint64_t size;
    run("mkdir d && printf 12345 > d/f && ln -s d/f l && ln -s nothing n && mkfifo p");
    assert_int_equal(store_open(a, str_from(root), &files, &err), LP_OK);
    assert_int_equal(store_look(files, a, STR("d/f"), &size), STORE_FILE);
    assert_int_equal(size, 5);
    assert_int_equal(store_look(files, a, STR("l"), &size), STORE_FILE);
    assert_int_equal(store_look(files, a, STR("d"), &size), STORE_NO_FILE);
    assert_int_equal(store_look(files, a, STR("p"), &size), STORE_NO_FILE);
    assert_int_equal(store_look(files, a, STR("n"), &size), STORE_ABSENT);
    assert_int_equal(store_look(files, a, STR("d/f/x"), &size), STORE_ABSENT);
    assert_int_equal(store_look(files, a, STR("../x"), &size), STORE_UNKNOWN);
    assert_int_equal(store_look(files, a, STR("/etc"), &size), STORE_UNKNOWN);
    assert_int_equal(store_look(files, a, STR("d\0f"), &size), STORE_UNKNOWN);
    assert_int_equal(store_look_absolute(files, a, str_format(a, "%s/d/f", root), &size), STORE_FILE);
    assert_int_equal(size, 5);
    assert_int_equal(store_look_absolute(files, a, STR("d/f"), &size), STORE_UNKNOWN);
}

static void test_look__tells_files_from_everything_else(void **state) {
    (void)state;
    in_door(look);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_walk__visits_in_the_order_of_names_and_keeps_to_the_depth),
        TEST(test_walk__enters_no_link_and_waits_for_nothing),
        TEST(test_walk__ends_at_the_greatest_depth),
        TEST(test_look__tells_files_from_everything_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
