/* test_log_reader.c - the lines of a file, whatever the blocks are.
 * Called by: ctest.  Must not know: what a line means.
 */
#include "delta_table.h"

#include "delta/log_reader.h"
#include "json/json.h"

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

typedef struct read_lines {
    const char *name;
    size_t lines, bytes, longest, last_number;
    bool saw_line, padded;
} read_lines;

static lp_status read_body(void *context, lp_err *err) {
    read_lines *r = context;
    store *files;
    TRY(store_open(&t.memory, str_from(t.root), &files, err));
    log_reader *lines = log_reader_new(&t.memory);
    for (int twice = 0; twice < 2; twice++) { /* a reader is used again */
        *r = (read_lines){.name = r->name, .padded = true};
        TRY(log_reader_open(lines, files, &t.memory, str_from(r->name), err));
        for (;;) {
            bool more;
            TRY(log_reader_fill(lines, &more, err));
            if (!more) break;
            for (str line; log_reader_next(lines, &line);) {
                r->lines++;
                r->bytes += line.len;
                if (line.len > r->longest) r->longest = line.len;
                r->last_number = log_reader_line_number(lines);
                for (size_t i = 0; i < JSON_PADDING; i++) r->padded &= line.ptr[line.len + i] != 1;
            }
        }
        r->saw_line = log_reader_saw_line(lines);
        log_reader_close(lines);
    }
    return LP_OK;
}

static read_lines read_text(const char *text) {
    table_put(&t, "x", text);
    read_lines r = {.name = "_delta_log/x"};
    if (door_run(read_body, &r, &t.err) != LP_OK) fail_msg("%s", t.err.text);
    return r;
}

static void test_log_reader__lines_with_and_without_an_end(void **state) {
    (void)state;
    assert_int_equal(read_text("a\nbb\nccc").lines, 3);
    read_lines r = read_text("a\nbb\nccc\n");
    assert_int_equal(r.lines, 3);
    assert_int_equal(r.bytes, 6);
    assert_int_equal(r.last_number, 3);
}

static void test_log_reader__blank_lines_are_passed_over_and_counted(void **state) {
    (void)state;
    read_lines r = read_text("\n \t\r\na\n\n\nb\n   ");
    assert_int_equal(r.lines, 2);
    assert_int_equal(r.last_number, 6);
    assert_true(r.saw_line);
}

static void test_log_reader__empty_file_has_no_line(void **state) {
    (void)state;
    assert_false(read_text("").saw_line);
    assert_false(read_text("\n\n  \n").saw_line);
}

/* Lines of all lengths around the sizes of the blocks. */
static void test_log_reader__lines_across_blocks(void **state) {
    (void)state;
    static const size_t length[] = {1, 65535, 65536, 65537, 1048575, 1048576, 1048577, 3000000, 2, 100000};
    size_t count = sizeof length / sizeof *length, total = 0;
    for (size_t i = 0; i < count; i++) total += length[i] + 1;
    char *text = malloc(total + 1), *at = text;
    assert_non_null(text);
    for (size_t i = 0; i < count; i++) {
        memset(at, 'x', length[i]);
        at += length[i];
        *at++ = '\n';
    }
    *at = '\0';
    read_lines r = read_text(text);
    assert_int_equal(r.lines, count);
    assert_int_equal(r.bytes, total - count);
    assert_int_equal(r.longest, 3000000);
    text[total - 1] = '\0'; /* no end of the last line */
    r = read_text(text);
    assert_int_equal(r.lines, count);
    assert_true(r.padded);
    free(text);
}

static void test_log_reader__many_short_lines(void **state) {
    (void)state;
    size_t count = 700000;
    char *text = malloc(3 * count + 1);
    assert_non_null(text);
    for (size_t i = 0; i < count; i++) memcpy(text + 3 * i, "ab\n", 3);
    text[3 * count] = '\0';
    read_lines r = read_text(text);
    assert_int_equal(r.lines, count);
    assert_int_equal(r.bytes, 2 * count);
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_log_reader__lines_with_and_without_an_end),
        TEST(test_log_reader__blank_lines_are_passed_over_and_counted),
        TEST(test_log_reader__empty_file_has_no_line),
        TEST(test_log_reader__lines_across_blocks),
        TEST(test_log_reader__many_short_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
