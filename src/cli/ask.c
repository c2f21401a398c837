/* ask.c - what the commands that ask about a table share.
 * Called by: run_*.c.  Must not know: what is asked.
 */
#include "cli/ask.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output.h"

/* More than any predicate that a person or a generator writes; the library has its own limits below it. */
enum { MAX_PREDICATE_BYTES = 64 << 20 };

/* Indexes of the words of --color. */
enum { COLOR_AUTO = 0, COLOR_ALWAYS = 1 };

int ask_fail(const invocation *call, const lp_err *err) {
    if (err->code == LP_ERR_USAGE) return output_usage(call, err->text);
    return output_failure(call, err->text);
}

int ask_fail_at(const invocation *call, const char *what, const char *name, int error) {
    text message = {0};
    text_printf(&message, "%s%s%s: %s", what, *name ? " " : "", name, strerror(error));
    int code = output_failure(call, text_str(&message));
    text_free(&message);
    return code;
}

int ask_check_storage(const invocation *call, const arguments *a) {
    const option_value *pair = &a->option[OPTION_OPTION];
    text message = {0};
    if (pair->bad_pair) {
        text_printf(&message, "--option expects KEY=VALUE, found '%s'", pair->bad_pair);
    } else if (a->option[OPTION_CATALOG].is_given) {
        text_printf(
            &message,
            "--catalog %s is not supported yet: it comes with object store support; until then give the path of a "
            "local copy of the table",
            a->option[OPTION_CATALOG].text);
    }
    int code = message.size ? output_failure(call, text_str(&message)) : EXIT_DONE;
    text_free(&message);
    return code;
}

/* Everything on standard input, without the newline at its end. */
static int read_input(const invocation *call, text *out) {
    char piece[65536];
    for (;;) {
        ssize_t size = read(STDIN_FILENO, piece, sizeof piece);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return ask_fail_at(call, "Cannot read the predicate from standard input", "", errno);
        if (size == 0) break;
        text_put(out, piece, (size_t)size);
        if (out->size > MAX_PREDICATE_BYTES)
            return output_failure(call, "the predicate on standard input is longer than 64 MiB");
    }
    if (!text_is_utf8(text_str(out), out->size))
        return output_usage(call, "the predicate on standard input is not valid UTF-8");
    if (out->size && out->ptr[out->size - 1] == '\n') out->ptr[--out->size] = '\0';
    if (out->size && out->ptr[out->size - 1] == '\r') out->ptr[--out->size] = '\0';
    return EXIT_DONE;
}

/* The drop-in takes "-" as the text it is, like the original: no script that passes it may start to wait for input. */
int ask_read_predicate(const invocation *call, const arguments *a, text *out) {
    const char *where = a->option[OPTION_WHERE].text;
    if (!where) return EXIT_DONE;
    if (strcmp(where, "-") == 0 && !call->is_drop_in) return read_input(call, out);
    text_add(out, where);
    return EXIT_DONE;
}

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

int ask_read_file(const invocation *call, const char *name, text *out) {
    if (strcmp(name, "-") == 0) return read_all(call, STDIN_FILENO, "standard input", out);
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return ask_fail_at(call, "Cannot read", name, errno);
    int code = read_all(call, fd, name, out);
    close(fd);
    return code;
}

bool ask_wants_color(const arguments *a) {
    const option_value *color = &a->option[OPTION_COLOR];
    if (color->is_given && color->choice != COLOR_AUTO) return color->choice == COLOR_ALWAYS;
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (no_color && *no_color) return false; /* https://no-color.org */
    return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

lp_table_options ask_table_options(const arguments *a) {
    lp_table_options options = LP_TABLE_OPTIONS_INIT;
    const option_value *threads = &a->option[OPTION_THREADS];
    options.has_version = a->option[OPTION_AT_VERSION].is_given;
    options.version = a->option[OPTION_AT_VERSION].count;
    options.threads = threads->count < UINT_MAX ? (unsigned)threads->count : UINT_MAX;
    options.timezone = a->option[OPTION_TIMEZONE].text;
    options.at_timestamp = a->option[OPTION_AT_TIMESTAMP].text;
    return options;
}

static bool write_text(void *context, const char *bytes, size_t size) {
    text_put(context, bytes, size);
    return true;
}

/* A part that belongs on standard error. It is short, so it is written at once. */
int ask_write_note(const invocation *call, const lp_report *report, lp_part part) {
    lp_err err = {0};
    text lines = {0};
    lp_status status = lp_report_write(report, part, write_text, &lines, &err);
    if (lines.size && lines.ptr[lines.size - 1] != '\n') text_add(&lines, "\n");
    if (status == LP_OK) output_note(&lines);
    text_free(&lines);
    return status == LP_OK ? EXIT_DONE : ask_fail(call, &err);
}

typedef struct file_sink {
    int fd;
    int error;
} file_sink;

static bool write_file(void *context, const char *bytes, size_t size) {
    file_sink *sink = context;
    while (size > 0) {
        ssize_t done = write(sink->fd, bytes, size);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) {
            sink->error = errno;
            return false;
        }
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

int ask_write_file(const invocation *call, const lp_report *report, lp_part part, const char *path) {
    lp_err err = {0};
    file_sink sink = {.fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (sink.fd < 0) return ask_fail_at(call, "Cannot write", path, errno);
    lp_status status = lp_report_write(report, part, write_file, &sink, &err);
    if (close(sink.fd) != 0 && !sink.error) sink.error = errno;
    if (sink.error) return ask_fail_at(call, "Cannot write", path, sink.error);
    return status == LP_OK ? EXIT_DONE : ask_fail(call, &err);
}

int ask_write_report(const invocation *call, const lp_report *report) {
    static output out;
    lp_err err = {0};
    output_init(&out);
    lp_status status = lp_report_write(report, LP_PART_REPORT, output_write, &out, &err);
    if (status != LP_OK && !output_has_stopped(&out)) return ask_fail(call, &err);
    return output_end(&out, call);
}
