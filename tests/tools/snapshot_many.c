/* snapshot_many.c - what `lakeproof snapshot --files --format json` prints, for many tables in one process.
 * Called by: tests/questions.py.  Must not know: anything but include/lakeproof.h.
 *
 * usage: snapshot_many [THREADS]
 * Each line of standard input is a version (or - for the latest), a tab and a table. The answer is a line with the
 * number of bytes of the document, and the document; or of the text of an error, the number then with a minus in front.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lakeproof.h>

typedef struct text {
    char *bytes;
    size_t size, capacity;
} text;

static bool append(void *context, const char *bytes, size_t size) {
    text *t = context;
    if (size > t->capacity - t->size) {
        t->capacity = 2 * (t->size + size);
        t->bytes = realloc(t->bytes, t->capacity);
        if (!t->bytes) return false;
    }
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    return true;
}

static lp_status answer(const char *location, const lp_table_options *how, text *document, lp_err *err) {
    lp_table *table = NULL;
    lp_report *report = NULL;
    lp_snapshot_options question = LP_SNAPSHOT_OPTIONS_INIT;
    question.view = LP_VIEW_FILES;
    question.format = LP_FORMAT_JSON;
    lp_status status = lp_table_open(location, how, &table, err);
    if (status == LP_OK) status = lp_snapshot(table, &question, &report, err);
    if (status == LP_OK) status = lp_report_write(report, LP_PART_REPORT, append, document, err);
    lp_report_free(report);
    lp_table_close(table);
    return status;
}

int main(int argc, char **argv) {
    char *line = NULL;
    size_t capacity = 0;
    text document = {0};
    for (ssize_t len; (len = getline(&line, &capacity, stdin)) > 0;) {
        if (line[len - 1] == '\n') line[len - 1] = '\0';
        char *tab = strchr(line, '\t');
        if (!tab) break;
        lp_table_options how = LP_TABLE_OPTIONS_INIT;
        how.threads = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
        how.has_version = line[0] != '-';
        if (how.has_version) how.version = strtoull(line, NULL, 10);
        lp_err err = {0};
        document.size = 0;
        if (answer(tab + 1, &how, &document, &err) == LP_OK) {
            printf("%zu\n", document.size);
            fwrite(document.bytes, 1, document.size, stdout);
        } else {
            printf("-%zu\n%s", strlen(err.text), err.text);
        }
        fflush(stdout);
    }
    free(document.bytes);
    free(line);
    return 0;
}
