/* delta_table.h - a table in a temporary folder, written line by line, and what a scan of it gives.
 * Called by: test_snapshot.c, test_scan.c.  Must not know: what is tested.
 */
#ifndef TEST_DELTA_TABLE_H
#define TEST_DELTA_TABLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/door.h"
#include "delta/scan.h"

#define PROTOCOL "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}\n"
#define PROTOCOL_3                                                                                                     \
    "{\"protocol\":{\"minReaderVersion\":3,\"minWriterVersion\":7,\"readerFeatures\":[\"deletionVectors\","            \
    "\"v2Checkpoint\"],\"writerFeatures\":[\"deletionVectors\",\"v2Checkpoint\"]}}\n"
#define FIELD(name, type)                                                                                              \
    "{\\\"name\\\":\\\"" name "\\\",\\\"type\\\":\\\"" type "\\\",\\\"nullable\\\":true,\\\"metadata\\\":{}}"
#define METADATA_OF(partition, fields)                                                                                 \
    "{\"metaData\":{\"id\":\"the-id\",\"format\":{\"provider\":\"parquet\",\"options\":{}},\"schemaString\":\"{"       \
    "\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[" fields "]}\",\"partitionColumns\":[" partition                      \
    "],\"configuration\":{}}}\n"
#define METADATA METADATA_OF("\"p\"", FIELD("p", "string") "," FIELD("a", "integer"))
#define ADD(path, p)                                                                                                   \
    "{\"add\":{\"path\":\"" path "\",\"partitionValues\":{\"p\":\"" p                                                  \
    "\"},\"size\":1,\"modificationTime\":1,\"dataChange\":true}}\n"
#define ADD_STATS(path, p, stats)                                                                                      \
    "{\"add\":{\"path\":\"" path "\",\"partitionValues\":{\"p\":\"" p                                                  \
    "\"},\"size\":1,\"modificationTime\":1,\"dataChange\":true,\"stats\":\"" stats "\"}}\n"
#define ADD_DV(path, dv)                                                                                               \
    "{\"add\":{\"path\":\"" path                                                                                       \
    "\",\"partitionValues\":{\"p\":\"x\"},\"size\":1,\"modificationTime\":1,\"dataChange\":true,\"deletionVector\":{"  \
    "\"storageType\":\"u\",\"pathOrInlineDv\":\"" dv "\",\"offset\":1,\"sizeInBytes\":2,\"cardinality\":3}}}\n"
#define REMOVE(path) "{\"remove\":{\"path\":\"" path "\",\"dataChange\":true}}\n"
#define REMOVE_DV(path, dv)                                                                                            \
    "{\"remove\":{\"path\":\"" path                                                                                    \
    "\",\"dataChange\":true,\"deletionVector\":{\"storageType\":\"u\",\"pathOrInlineDv\":\"" dv                        \
    "\",\"offset\":1,\"sizeInBytes\":2,\"cardinality\":3}}}\n"
#define CHECKPOINT_METADATA "{\"checkpointMetadata\":{\"version\":1}}\n"
#define UUID                "80a083e8-7026-4e79-81be-64bd76c43a11"

typedef struct test_table {
    char root[64];
    arena memory;
    snapshot *snapshot;
    pool *workers;
    lp_status status;
    lp_err err;
    char seen[4096]; /* what the scan gave, one word a file */
} test_table;

static inline void table_path(const test_table *t, const char *name, char *path, size_t size) {
    snprintf(path, size, "%s/%s", t->root, name);
}

static inline void table_new(test_table *t) {
    memset(t, 0, sizeof *t);
    snprintf(t->root, sizeof t->root, "/tmp/lakeproof-test-XXXXXX");
    assert_non_null(mkdtemp(t->root));
    char path[256];
    table_path(t, "_delta_log", path, sizeof path);
    assert_int_equal(mkdir(path, 0700), 0);
    table_path(t, "_delta_log/_sidecars", path, sizeof path);
    assert_int_equal(mkdir(path, 0700), 0);
    arena_init(&t->memory, 0);
}

/* Write a file of the log. */
static inline void table_put(const test_table *t, const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/_delta_log/%s", t->root, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

static inline void table_commit(const test_table *t, int version, const char *text) {
    char name[64];
    snprintf(name, sizeof name, "%020d.json", version);
    table_put(t, name, text);
}

static inline void table_end(test_table *t) {
    arena_end(&t->memory);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", t->root);
    assert_int_equal(system(command), 0);
}

typedef struct table_call {
    test_table *t;
    snapshot_options options;
    const scan_request *request;
    const scan_visitor *visitor;
    scan_counters *counters;
} table_call;

static inline lp_status table_open_body(void *context, lp_err *err) {
    table_call *c = context;
    store *files;
    c->t->workers = pool_new(&c->t->memory, 2);
    TRY(store_open(&c->t->memory, str_from(c->t->root), &files, err));
    return snapshot_open(&c->t->memory, files, c->options, c->t->workers, &c->t->snapshot, err);
}

static inline lp_status table_open_at(test_table *t, snapshot_options options) {
    table_call c = {.t = t, .options = options};
    return t->status = door_run(table_open_body, &c, &t->err);
}

static inline lp_status table_open(test_table *t) {
    return table_open_at(t, (snapshot_options){0});
}

static inline void expect_text(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("expected `%s` in `%s`", part, text);
}

static inline void expect_open_error(test_table *t, lp_status status, const char *part) {
    assert_int_equal(table_open(t), status);
    expect_text(t->err.text, part);
}

static inline void expect_open(test_table *t, int64_t version) {
    if (table_open(t) != LP_OK) fail_msg("%s", t->err.text);
    assert_int_equal(t->snapshot->version, version);
}

static inline bool table_has_note(const test_table *t, note_code code) {
    return note_list_has(&t->snapshot->notes, code);
}

/* ---- a scan that collects words ---- */

typedef struct word_list {
    test_table *t;
    buf words;
    const scan_request *request;
} word_list;

static inline void *words_begin(void *context, arena *scratch) {
    word_list *w = ARENA_NEW(scratch, word_list);
    *w = *(word_list *)context;
    buf_init(&w->words, scratch, SIZE_MAX / 2);
    return w;
}

static inline void words_select(void *context, void *state, file_batch *batch) {
    (void)context;
    (void)state;
    for (size_t i = 0; i < batch->count; i++) batch->file[i].want_stats = true;
}

static inline lp_status words_take(void *context, void *state, const file_batch *batch, lp_err *err) {
    (void)context;
    (void)err;
    word_list *w = state;
    for (size_t i = 0; i < batch->count; i++) {
        const live_file *f = &batch->file[i];
        buf_put(&w->words, f->path);
        if (f->has_dv) buf_printf(&w->words, "/" STR_FMT, STR_ARG(f->dv_id));
        for (size_t p = 0; p < w->request->partition_count; p++)
            buf_printf(&w->words, "=" STR_FMT, STR_ARG(f->partition[p].text));
        for (size_t s = 0; f->stats.has_stats && s < w->request->stats_count; s++) {
            buf_put(&w->words, STR("["));
            const column_stats *c = &f->stats.column[s];
            if (c->min.state == CELL_VALUE) value_print(&w->words, &c->min.v);
            buf_put(&w->words, STR(","));
            if (c->max.state == CELL_VALUE) value_print(&w->words, &c->max.v);
            if (c->null_count_state == COUNT_KNOWN) buf_printf(&w->words, ",%lld", (long long)c->null_count);
            buf_put(&w->words, STR("]"));
        }
        if (f->stats.record_count_known) buf_printf(&w->words, "*%lld", (long long)f->stats.record_count);
        buf_put(&w->words, STR(" "));
    }
    return LP_OK;
}

static inline lp_status words_merge(void *context, void *state, lp_err *err) {
    (void)err;
    test_table *t = ((word_list *)context)->t;
    const word_list *w = state;
    size_t used = strlen(t->seen);
    snprintf(t->seen + used, sizeof t->seen - used, STR_FMT, STR_ARG(buf_str(&w->words)));
    return LP_OK;
}

static inline lp_status table_scan_body(void *context, lp_err *err) {
    table_call *c = context;
    scan_counters unused = {0};
    return snapshot_scan(c->t->snapshot, c->request, c->t->workers, c->visitor, c->counters ? c->counters : &unused,
                         err);
}

static inline lp_status table_scan(test_table *t, const scan_request *request, scan_counters *counters) {
    word_list list = {.t = t, .request = request};
    scan_visitor v = {&list, words_begin, words_select, words_take, words_merge};
    table_call c = {.t = t, .request = request, .visitor = &v, .counters = counters};
    do {
        t->seen[0] = '\0';
        t->status = door_run(table_scan_body, &c, &t->err);
    } while (t->status == SCAN_AGAIN);
    return t->status;
}

/* Paths and vectors in the order of the scan, separated and ended by a blank. */
static inline void expect_files(test_table *t, const char *words) {
    scan_request paths = {.want_path = true};
    if (table_scan(t, &paths, NULL) != LP_OK) fail_msg("%s", t->err.text);
    assert_string_equal(t->seen, words);
}

#endif
