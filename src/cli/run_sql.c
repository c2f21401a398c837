/* run_sql.c - the command `sql`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#include "cli/run_sql.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli/ask.h"
#include "cli/output.h"

/* The library takes less; this only keeps a wrong file from filling the memory. */
enum { MAX_FILE_BYTES = 64 << 20 };

static int read_all(const invocation *call, int fd, const char *name, text *out) {
    char piece[65536];
    for (;;) {
        ssize_t size = read(fd, piece, sizeof piece);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return ask_fail_at(call, "Cannot read", name, errno);
        if (size == 0) return EXIT_DONE;
        text_put(out, piece, (size_t)size);
        if (out->size > MAX_FILE_BYTES) return output_failure(call, "the file of SQL is longer than 64 MiB");
    }
}

static int read_file(const invocation *call, const char *name, text *out) {
    if (strcmp(name, "-") == 0) return read_all(call, STDIN_FILENO, "standard input", out);
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return ask_fail_at(call, "Cannot read", name, errno);
    int code = read_all(call, fd, name, out);
    close(fd);
    return code;
}

static int show(const invocation *call, const arguments *a, const text *sql) {
    lp_err err = {0};
    lp_report *report = NULL;
    lp_sql_options options = LP_SQL_OPTIONS_INIT;
    options.text = text_str(sql);
    options.text_size = sql->size;
    options.dialect = a->option[OPTION_DIALECT].text;
    options.form = choice_find(command_choice(call->command), a->word[0]) == 1 ? LP_SQL_PRINT : LP_SQL_PARSE;
    options.format = a->option[OPTION_SQL_FORMAT].choice == 1 ? LP_FORMAT_JSON : LP_FORMAT_TEXT;
    int code = lp_sql(&options, &report, &err) == LP_OK ? EXIT_DONE : ask_fail(call, &err);
    if (code == EXIT_DONE) code = ask_write_note(call, report, LP_PART_GATES);
    if (code == EXIT_DONE) code = ask_write_report(call, report);
    if (code == EXIT_DONE && !lp_report_passed(report)) code = EXIT_FAILED;
    lp_report_free(report);
    return code;
}

int run_sql(const invocation *call, const arguments *a) {
    text sql = {0};
    int code = read_file(call, a->word[1], &sql);
    if (code == EXIT_DONE) code = show(call, a, &sql);
    text_free(&sql);
    return code;
}
