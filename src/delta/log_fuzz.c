/* log_fuzz.c - any bytes as the files of a log: clean errors, and the same answer whenever it is asked for.
 * Called by: libFuzzer, tests/fuzz/replay_main.c.  Must not know: predicates, disks.
 *
 * The input is a list of files, each with a head of four bytes: the kind, a number that makes the name (version, part),
 * and the length of the content in two bytes, the low one first. They lie in a store in memory.
 *
 * 1. A snapshot is opened, or there is an error with a text.
 * 2. Who opens and scans it again finds the same files in the same order.
 * 3. Who only counts finds the same number of files and bytes, if he went the same way through the log.
 * 4. No file has an empty path, and one with a vector has its id.
 * 5. A version is no different from itself, and all its files are missing from a folder that holds none.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/door.h"
#include "delta/diff.h"
#include "delta/disk.h"
#include "store/store_int.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "property does not hold: %s\n", #condition);                                               \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

enum { MAX_FILES = 24, MAX_NAME = 96, HEAD_BYTES = 4, MAX_MEMORY = 512 << 20 };

#define UUID "6a6ff8e1-3b1c-4f4e-9a55-0b1ad1cb7a0"

/* ---- the input as a folder ---- */

typedef enum memory_kind {
    FILE_COMMIT,
    FILE_CLASSIC,
    FILE_PART,
    FILE_UUID_JSON,
    FILE_UUID_PARQUET,
    FILE_SIDECAR,
    FILE_COMPACTION,
    FILE_CHECKSUM,
    FILE_HINT,
    FILE_KINDS
} memory_kind;

typedef struct memory_file {
    memory_kind kind;
    char name[MAX_NAME]; /* in _delta_log, or in _sidecars */
    const uint8_t *bytes;
    size_t size;
} memory_file;

typedef struct input {
    memory_file file[MAX_FILES];
    size_t count;
} input;

static void name_file(memory_file *f, unsigned number) {
    unsigned version = number & 7, part = number >> 3 & 3, parts = number >> 5 & 3;
    size_t max = sizeof f->name;
    switch (f->kind) {
    case FILE_COMMIT: snprintf(f->name, max, "%020u.json", version); return;
    case FILE_CLASSIC: snprintf(f->name, max, "%020u.checkpoint.parquet", version); return;
    case FILE_PART:
        snprintf(f->name, max, "%020u.checkpoint.%010u.%010u.parquet", version, part + 1, parts + 1);
        return;
    case FILE_UUID_JSON: snprintf(f->name, max, "%020u.checkpoint." UUID "%u.json", version, part); return;
    case FILE_UUID_PARQUET: snprintf(f->name, max, "%020u.checkpoint." UUID "%u.parquet", version, part); return;
    case FILE_SIDECAR: snprintf(f->name, max, "%s", version & 1 ? "two a.parquet" : "one.parquet"); return;
    case FILE_COMPACTION: snprintf(f->name, max, "%020u.%020u.compacted.json", version, version + part + 1); return;
    case FILE_CHECKSUM: snprintf(f->name, max, "%020u.crc", version); return;
    case FILE_HINT: snprintf(f->name, max, "_last_checkpoint"); return;
    case FILE_KINDS: break;
    }
    UNREACHABLE();
}

static void take_input(input *in, const uint8_t *data, size_t size) {
    in->count = 0;
    while (size >= HEAD_BYTES && in->count < MAX_FILES) {
        memory_file *f = &in->file[in->count++];
        f->kind = (memory_kind)(data[0] % FILE_KINDS);
        name_file(f, data[1]);
        f->size = data[2] | (size_t)data[3] << 8;
        if (f->size > size - HEAD_BYTES) f->size = size - HEAD_BYTES;
        f->bytes = data + HEAD_BYTES;
        data += HEAD_BYTES + f->size;
        size -= HEAD_BYTES + f->size;
    }
}

/* ---- a store over it; of two files of one name the first counts ---- */

typedef struct memory_store {
    store is;
    const input *in;
} memory_store;

static const input *input_of(const store *s) {
    return ((const memory_store *)(const void *)s)->in;
}

static bool is_in(const memory_file *f, str folder) {
    return str_eq(folder, f->kind == FILE_SIDECAR ? STR("_delta_log/_sidecars") : STR("_delta_log"));
}

static int by_name(const void *left, const void *right) {
    return str_compare(((const store_entry *)left)->name, ((const store_entry *)right)->name);
}

static const memory_file *find_file(const input *in, str folder, str name) {
    for (size_t i = 0; i < in->count; i++)
        if (is_in(&in->file[i], folder) && str_eq(str_from(in->file[i].name), name)) return &in->file[i];
    return NULL;
}

static lp_status list_memory(store *s, str folder, arena *out_arena, store_entries *out, lp_err *err) {
    (void)err;
    const input *in = input_of(s);
    *out = (store_entries){ARENA_ARRAY(out_arena, store_entry, in->count + 1), 0};
    for (size_t i = 0; i < in->count; i++) {
        const memory_file *f = &in->file[i];
        str name = str_copy(out_arena, str_from(f->name));
        if (is_in(f, folder) && find_file(in, folder, name) == f)
            out->item[out->count++] = (store_entry){.name = name, .size_bytes = f->size, .is_regular = true};
    }
    qsort(out->item, out->count, sizeof *out->item, by_name);
    return LP_OK;
}

static lp_status open_memory(store *s, arena *owner, store_file *f, lp_err *err) {
    (void)owner;
    const char *slash = f->path.len ? memrchr(f->path.ptr, '/', f->path.len) : NULL;
    size_t at = slash ? (size_t)(slash - f->path.ptr) : 0;
    const memory_file *from =
        find_file(input_of(s), str_slice(f->path, 0, at), str_slice(f->path, slash ? at + 1 : 0, f->path.len));
    if (!from) return err_set(err, LP_ERR_NOT_FOUND, STR_FMT ": no such file", STR_ARG(f->path));
    f->size_bytes = from->size;
    f->descriptor = (int)(from - input_of(s)->file);
    return LP_OK;
}

static lp_status read_memory(store_file *f, uint64_t offset, void *into, size_t size, lp_err *err) {
    (void)err;
    const memory_file *from = &input_of(f->store)->file[f->descriptor];
    MUST(offset <= from->size && size <= from->size - offset);
    memcpy(into, from->bytes + offset, size);
    return LP_OK;
}

static void close_memory(store_file *f) {
    (void)f;
}

static store_presence look_memory(store *s, str path, uint64_t *size_bytes) {
    (void)s;
    (void)path;
    *size_bytes = 0;
    return STORE_ABSENT; /* there is nothing but the log */
}

static store *memory_store_new(arena *owner, const input *in) {
    static const store_backend backend = {list_memory, open_memory, read_memory, close_memory, look_memory};
    memory_store *s = ARENA_NEW(owner, memory_store);
    s->is.backend = &backend;
    s->is.root = STR("memory");
    s->in = in;
    return &s->is;
}

/* ---- what is found ---- */

typedef struct finding {
    lp_status status;
    size_t notes; /* of the snapshot, after the scan */
    int64_t version;
    uint64_t files, sum;
    int64_t bytes;
} finding;

static void *begin(void *context, arena *scratch) {
    (void)scratch;
    return context; /* one thread, so that all work items may add to one sum */
}

static void select_all(void *context, void *state, file_batch *batch) {
    (void)context;
    (void)state;
    for (size_t i = 0; i < batch->count; i++) batch->file[i].want_stats = true;
}

static uint64_t add(uint64_t sum, str text) {
    for (size_t i = 0; i < text.len; i++) sum = (sum ^ (unsigned char)text.ptr[i]) * 0x100000001b3u;
    return (sum ^ text.len) * 0x100000001b3u;
}

static lp_status take(void *context, void *state, const file_batch *batch, lp_err *err) {
    (void)context;
    (void)err;
    finding *f = state;
    for (size_t i = 0; i < batch->count; i++) {
        const live_file *file = &batch->file[i];
        MUST(file->size_bytes >= -1 && file->dv_cardinality >= -1 && file->has_dv >= !str_is_none(file->dv_id));
        f->files++;
        f->bytes = (int64_t)((uint64_t)f->bytes + (uint64_t)file->size_bytes);
        f->sum = add(add(f->sum, file->path), file->dv_id);
        f->sum ^= (uint64_t)file->stats.record_count;
    }
    return LP_OK;
}

/* A full scan must have the parts of the key. */
static lp_status take_whole(void *context, void *state, const file_batch *batch, lp_err *err) {
    for (size_t i = 0; i < batch->count; i++)
        MUST(batch->file[i].path.len > 0 && batch->file[i].has_dv == !str_is_none(batch->file[i].dv_id));
    return take(context, state, batch, err);
}

typedef struct question {
    const input *in;
    bool is_whole;
    arena memory;
    finding found;
} question;

static scan_request request_of(question *q, const snapshot *s) {
    if (!q->is_whole) return (scan_request){.want_size = true};
    size_t count = s->schema.leaf_count < 8 ? s->schema.leaf_count : 8;
    stats_column *stats = ARENA_ARRAY(&q->memory, stats_column, count);
    for (size_t i = 0; i < count; i++) stats[i] = (stats_column){s->schema.leaf[i], true, true};
    return (scan_request){.want_path = true,
                          .want_size = true,
                          .want_record_count = true,
                          .partition = s->schema.partition,
                          .partition_count = s->schema.partition_count,
                          .stats = stats,
                          .stats_count = count,
                          .session_zone = zone_utc()};
}

static lp_status answer(void *context, lp_err *err) {
    question *q = context;
    snapshot *s;
    pool *workers = pool_new(&q->memory, 1);
    TRY(snapshot_open(&q->memory, memory_store_new(&q->memory, q->in), (snapshot_options){0}, workers, &s, err));
    scan_visitor v = {&q->found, begin, select_all, q->is_whole ? take_whole : take, NULL};
    scan_counters unused = {0};
    lp_status status;
    do {
        q->found = (finding){0};
        scan_request request = request_of(q, s);
        status = snapshot_scan(s, &request, workers, &v, &unused, err);
    } while (status == SCAN_AGAIN);
    TRY(status);
    q->found.version = s->version;
    for (const note *n = s->notes.first; n; n = n->next) q->found.notes++;
    return LP_OK;
}

/* A version against itself is no difference, and in a folder without data every live file of the table is missing. */
static lp_status compare(void *context, lp_err *err) {
    question *q = context;
    snapshot *s;
    pool *workers = pool_new(&q->memory, 1);
    TRY(snapshot_open(&q->memory, memory_store_new(&q->memory, q->in), (snapshot_options){0}, workers, &s, err));
    diff_options no_list = {0};
    snapshot_diff *difference;
    lp_status status;
    do status = diff_run(s, workers, s, workers, &no_list, &q->memory, &difference, err);
    while (status == SCAN_AGAIN);
    TRY(status);
    MUST(difference->added.files == 0 && difference->removed.files == 0 && difference->column_count == 0);
    disk_options now = {.now_ms = 0};
    disk_report *disk;
    do status = disk_run(s, workers, &now, &q->memory, &disk, err);
    while (status == SCAN_AGAIN);
    TRY(status);
    MUST(disk->live.files == 0 && disk->state[DISK_UNCOMMITTED].files == 0);
    q->found.files = disk->state[DISK_MISSING].files - disk->vectors[DISK_MISSING].files +
                     disk->state[DISK_OUTSIDE].files - disk->vectors[DISK_OUTSIDE].files;
    return LP_OK;
}

static finding ask(const input *in, door_body body, bool is_whole) {
    question q = {.in = in, .is_whole = is_whole};
    lp_err err = {0};
    arena_init(&q.memory, MAX_MEMORY);
    q.found.status = door_run(body, &q, &err);
    MUST(q.found.status == LP_OK || (err.text[0] != '\0' && err.code == q.found.status));
    arena_end(&q.memory);
    return q.found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static input in;
    take_input(&in, data, size);
    finding whole = ask(&in, answer, true), again = ask(&in, answer, true), counted = ask(&in, answer, false);
    finding compared = ask(&in, compare, true);
    MUST(whole.status == again.status);
    if (whole.status != LP_OK) return 0;
    MUST(whole.version == again.version && whole.files == again.files && whole.sum == again.sum);
    MUST(compared.status != LP_OK || compared.files == whole.files);
    if (counted.status != LP_OK || counted.notes != whole.notes) return 0;
    MUST(whole.version == counted.version && whole.files == counted.files && whole.bytes == counted.bytes);
    return 0;
}
