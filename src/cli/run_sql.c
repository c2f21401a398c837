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

static lp_sql_form form_of(const invocation *call, const arguments *a) {
    static const lp_sql_form form[] = {LP_SQL_PARSE, LP_SQL_PRINT, LP_SQL_PLAN}; /* as the words of the command stand */
    return form[choice_find(command_choice(call->command), a->word[0])];
}

static int show(const invocation *call, const arguments *a, const text *sql, const text *ddl) {
    lp_err err = {0};
    lp_report *report = NULL;
    lp_sql_options options = LP_SQL_OPTIONS_INIT;
    options.text = text_str(sql);
    options.text_size = sql->size;
    options.dialect = a->option[OPTION_DIALECT].text;
    options.form = form_of(call, a);
    if (a->option[OPTION_DDL].is_given) options.ddl = text_str(ddl), options.ddl_size = ddl->size;
    options.manifest = a->option[OPTION_MANIFEST].text;
    options.format = a->option[OPTION_SQL_FORMAT].choice == 1 ? LP_FORMAT_JSON : LP_FORMAT_TEXT;
    int code = lp_sql(&options, &report, &err) == LP_OK ? EXIT_DONE : ask_fail(call, &err);
    if (code == EXIT_DONE) code = ask_write_note(call, report, LP_PART_GATES);
    if (code == EXIT_DONE) code = ask_write_report(call, report);
    if (code == EXIT_DONE && !lp_report_passed(report)) code = EXIT_FAILED;
    lp_report_free(report);
    return code;
}

static int check(const invocation *call, const arguments *a) {
    const option_value *ddl = &a->option[OPTION_DDL];
    if (ddl->is_given && form_of(call, a) != LP_SQL_PLAN)
        return output_usage(call, "'--ddl' belongs to 'sql plan'");
    if (a->option[OPTION_MANIFEST].is_given && form_of(call, a) != LP_SQL_PLAN)
        return output_usage(call, "'--manifest' belongs to 'sql plan'");
    if (ddl->is_given && strcmp(ddl->text, "-") == 0 && strcmp(a->word[1], "-") == 0)
        return output_usage(call, "standard input can be read once: FILE or '--ddl', not both");
    return EXIT_DONE;
}

int run_sql(const invocation *call, const arguments *a) {
    text sql = {0}, ddl = {0};
    int code = check(call, a);
    if (code == EXIT_DONE) code = read_file(call, a->word[1], &sql);
    if (code == EXIT_DONE && a->option[OPTION_DDL].is_given) code = read_file(call, a->option[OPTION_DDL].text, &ddl);
    if (code == EXIT_DONE) code = show(call, a, &sql, &ddl);
    text_free(&ddl);
    text_free(&sql);
    return code;
}
