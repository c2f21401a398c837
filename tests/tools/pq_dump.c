/* pq_dump.c - everything that the parquet room reads from a file, as text, for comparison with other readers.
 * Called by: tests/compare/parquet_vs_pyarrow.py, people.  Must not know: Delta.
 *
 * usage: pq_dump schema FILE          the schema tree, one JSON object
 *        pq_dump values FILE [ROWS]   per leaf and row group a head line, then the lines of pq_text.h;
 *                                     read in slices of ROWS rows (default 1000)
 *        pq_dump digest FILE [ROWS]   the same, each leaf and row group as one FNV-1a sum of those lines
 *        pq_dump time FILE LEAF...    read leaves by their dotted path, print rows, bytes and counters
 */
#include "base/door.h"
#include "pq_text.h"

typedef struct job {
    const char *what, *path;
    size_t rows;
    char **leaf;
    int leaf_count;
} job;

typedef struct sink { /* lines go to stdout, or into a sum */
    bool is_digest;
    uint64_t sum;
} sink;

static void put(void *context, const char *text, size_t size) {
    sink *s = context;
    if (!s->is_digest) {
        fwrite(text, 1, size, stdout);
        return;
    }
    for (size_t i = 0; i < size; i++) s->sum = (s->sum ^ (unsigned char)text[i]) * 0x100000001b3u;
}

static lp_status dump_chunk(pq_file *f, size_t group, size_t leaf, const job *j, arena *scratch, lp_err *err) {
    sink s = {strcmp(j->what, "digest") == 0, 0xcbf29ce484222325u};
    uint64_t rows = 0, levels = 0;
    pq_cursor *c;
    printf("leaf %zu group %zu\n", leaf, group);
    TRY(pq_cursor_new(f, group, leaf, true, scratch, &c, err));
    for (;;) {
        pq_slice slice;
        TRY(pq_cursor_read(c, j->rows, &slice, err));
        if (slice.row_count == 0) break;
        pq_text_slice(pq_leaf(f, leaf), &slice, put, &s);
        rows += slice.row_count;
        levels += slice.level_count;
    }
    if (s.is_digest) printf("%" PRIu64 " rows %" PRIu64 " entries %016" PRIx64 "\n", rows, levels, s.sum);
    return LP_OK;
}

static lp_status dump_values(pq_file *f, const job *j, lp_err *err) {
    arena scratch;
    arena_init(&scratch, 0);
    lp_status status = LP_OK;
    for (size_t group = 0; group < pq_row_group_count(f) && status == LP_OK; group++) {
        for (size_t leaf = 0; leaf < pq_leaf_count(f) && status == LP_OK; leaf++) {
            status = dump_chunk(f, group, leaf, j, &scratch, err);
            arena_reset(&scratch);
        }
    }
    arena_end(&scratch);
    return status;
}

static void print_json_text(str s) {
    putchar('"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c < 0x20 || c == '"' || c == '\\')
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void dump_node(const pq_node *n) {
    printf("{\"name\": ");
    print_json_text(n->name);
    printf(", \"repetition\": %d, \"max_def\": %d, \"max_rep\": %d, \"logical\": %d", (int)n->repetition, n->max_def,
           n->max_rep, (int)n->logical);
    printf(", \"bit_width\": %d, \"is_signed\": %d, \"utc\": %d", n->bit_width, n->is_signed, n->is_adjusted_to_utc);
    printf(", \"scale\": %" PRId32 ", \"precision\": %" PRId32, n->scale, n->precision);
    if (n->is_leaf)
        printf(", \"type\": %d, \"type_length\": %" PRIu32 ", \"leaf\": %" PRIu32 "}", (int)n->type, n->type_length,
               n->leaf_index);
    if (n->is_leaf) return;
    printf(", \"children\": [");
    for (size_t i = 0; i < n->child_count; i++) {
        if (i) printf(", ");
        dump_node(n->child[i]);
    }
    printf("]}");
}

static void dump_schema(const pq_file *f) {
    printf("{\"rows\": %" PRIu64 ", \"groups\": [", pq_row_count(f));
    for (size_t i = 0; i < pq_row_group_count(f); i++) printf("%s%" PRIu64, i ? ", " : "", pq_row_group_rows(f, i));
    printf("], \"created_by\": ");
    print_json_text(pq_created_by(f));
    printf(", \"root\": ");
    dump_node(pq_schema(f));
    printf("}\n");
}

static lp_status time_leaf(pq_file *f, const pq_node *leaf, arena *owner, lp_err *err) {
    pq_cursor *c = NULL;
    uint64_t rows = 0, values = 0, bytes = 0;
    for (size_t group = 0; group < pq_row_group_count(f); group++) {
        if (c)
            TRY(pq_cursor_reopen(c, f, group, leaf->leaf_index, true, err));
        else
            TRY(pq_cursor_new(f, group, leaf->leaf_index, true, owner, &c, err));
        for (;;) {
            pq_slice slice;
            TRY(pq_cursor_read(c, 4096, &slice, err));
            if (slice.row_count == 0) break;
            rows += slice.row_count;
            values += slice.value_count;
            for (size_t i = 0; leaf->type == PQ_BYTE_ARRAY && i < slice.value_count; i++)
                bytes += slice.value.bytes[i].len;
        }
    }
    printf("%" PRIu64 " rows, %" PRIu64 " values, %" PRIu64 " bytes of strings, cursor peak %zu bytes\n", rows, values,
           bytes, c ? pq_cursor_peak_bytes(c) : 0);
    return LP_OK;
}

static lp_status time_leaves(pq_file *f, const job *j, arena *owner, lp_err *err) {
    for (int i = 0; i < j->leaf_count; i++) {
        const pq_node *leaf = pq_find(f, str_from(j->leaf[i]));
        if (!leaf || !leaf->is_leaf) return err_set(err, LP_ERR_USAGE, "no leaf %s", j->leaf[i]);
        TRY(time_leaf(f, leaf, owner, err));
    }
    pq_counters n = pq_read_counters(f);
    printf("%" PRIu64 " pages decoded, %" PRIu64 " skipped, %" PRIu64 " values decoded\n", n.pages_decoded,
           n.pages_skipped, n.values_decoded);
    return LP_OK;
}

static lp_status dump(pq_file *f, const job *j, arena *table, lp_err *err) {
    if (strcmp(j->what, "time") == 0) return time_leaves(f, j, table, err);
    if (strcmp(j->what, "schema") != 0) return dump_values(f, j, err);
    dump_schema(f);
    return LP_OK;
}

static lp_status run(void *context, lp_err *err) {
    const job *j = context;
    arena table;
    arena_init(&table, 0);
    const char *slash = strrchr(j->path, '/');
    str folder = slash ? (str){j->path, (size_t)(slash - j->path) + 1} : STR(".");
    store *s;
    store_file *in;
    pq_file *f;
    lp_status status = store_open(&table, folder, &s, err);
    if (status == LP_OK) status = store_open_file(s, &table, str_from(slash ? slash + 1 : j->path), &in, err);
    if (status == LP_OK) status = pq_open(&table, in, (pq_limits){0}, &f, err);
    if (status == LP_OK) status = dump(f, j, &table, err);
    arena_end(&table);
    return status;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fputs("usage: pq_dump schema|values|digest|time FILE [ROWS | LEAF...]\n", stderr);
        return 2;
    }
    bool is_time = strcmp(argv[1], "time") == 0;
    job j = {argv[1], argv[2], argc > 3 && !is_time ? strtoul(argv[3], NULL, 10) : 1000, argv + 3,
             is_time ? argc - 3 : 0};
    lp_err err;
    lp_status status = door_run(run, &j, &err);
    if (status == LP_OK) return 0;
    fflush(stdout);
    fprintf(stderr, "%s\n", err.text);
    return 1;
}
