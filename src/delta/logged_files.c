/* logged_files.c - files named by commits and checkpoints, one after the other.
 * Called by: delta/disk.c.  Must not know: which actions win, what lies in the table's folder.
 */
#include "delta/logged_files.h"

#include "delta/checkpoint_shape.h"
#include "delta/leaf.h"
#include "delta/log_reader.h"

enum { ROWS_AT_ONCE = 8192 };

typedef enum named_leaf { LEAF_PATH, LEAF_STORAGE, LEAF_TEXT, LEAF_DELETED_AT, LEAF_COUNT } named_leaf;

struct logged_files {
    store *files;
    logged_file_take take;
    void *context;
    log_reader *lines;
    json_reader *json;
    const action_want *want; /* nothing but the keys */
    leaf leaf[LEAF_COUNT];
    arena *keep;
    arena scratch; /* a block of lines, a window of rows */
    arena opened;  /* the files of a checkpoint */
    arena commit;  /* the file of lines under way */
};

static void end_scratch(void *resource) {
    logged_files *l = resource;
    arena_end(&l->commit);
    arena_end(&l->opened);
    arena_end(&l->scratch);
}

logged_files *logged_files_new(arena *keep, store *files, logged_file_take take, void *context) {
    logged_files *l = ARENA_NEW(keep, logged_files);
    *l = (logged_files){.files = files,
                        .take = take,
                        .context = context,
                        .lines = log_reader_new(keep),
                        .json = json_reader_new(keep),
                        .want = action_want_new(keep, NULL, 0),
                        .keep = keep};
    arena_init(&l->scratch, 0);
    arena_init(&l->opened, 0);
    arena_init(&l->commit, 0);
    arena_defer(keep, end_scratch)->resource = l;
    return l;
}

/* ---- lines ---- */

static lp_status take_line(logged_files *l, str path, str line, lp_err *err) {
    action a;
    line_place at = {path, log_reader_line_number(l->lines)};
    TRY(action_parse(l->json, line, l->want, at, &l->scratch, &a, err));
    if (a.kind == ACTION_CDC && a.cdc_path.len > 0)
        l->take(l->context, &(logged_file){.path = a.cdc_path, .is_cdc = true});
    if (a.kind != ACTION_ADD && a.kind != ACTION_REMOVE) return LP_OK;
    logged_file f = {.path = a.file.key.path,
                     .vector = str_slice(a.file.key.dv_id, 0, a.file.dv_stem_len),
                     .is_remove = a.kind == ACTION_REMOVE,
                     .deleted_at_ms = a.file.deleted_at_ms};
    l->take(l->context, &f);
    return LP_OK;
}

/* A file that could not be read to its end is closed by the next one. */
lp_status logged_files_of_commit(logged_files *l, str path, lp_err *err) {
    log_reader_close(l->lines);
    arena_reset(&l->commit);
    TRY(log_reader_open(l->lines, l->files, &l->commit, path, err));
    for (;;) {
        bool more;
        TRY(log_reader_fill(l->lines, &more, err));
        if (!more) break;
        for (str line; log_reader_next(l->lines, &line);) TRY(take_line(l, path, line, err));
        arena_reset(&l->scratch);
    }
    log_reader_close(l->lines);
    return LP_OK;
}

/* ---- rows ---- */

/* Where rows are read from. */
typedef struct row_group {
    logged_files *l;
    pq_file *file;
    size_t group;
    str path;
    bool is_remove;
    pq_slice slice[LEAF_COUNT];
    size_t value[LEAF_COUNT]; /* the next one of each slice */
} row_group;

static lp_status open_leaves(row_group *g, const pq_node *kind, lp_err *err) {
    const pq_node *dv = shape_child(kind, STR("deletionVector"));
    const pq_node *node[LEAF_COUNT] = {
        [LEAF_PATH] = shape_text(kind, STR("path")),
        [LEAF_STORAGE] = shape_text(dv, STR("storageType")),
        [LEAF_TEXT] = shape_text(dv, STR("pathOrInlineDv")),
        [LEAF_DELETED_AT] = g->is_remove ? shape_integer(kind, STR("deletionTimestamp")) : NULL,
    };
    if (!node[LEAF_PATH])
        return err_set(err, LP_ERR_FORMAT, STR_FMT ": expected the text column " STR_FMT ".path, found none",
                       STR_ARG(g->path), STR_ARG(kind->name));
    for (size_t i = 0; i < LEAF_COUNT; i++)
        TRY(leaf_open(&g->l->leaf[i], g->file, g->group, node[i], true, g->l->keep, err));
    return LP_OK;
}

/* As many rows as every leaf can give in one read. */
static lp_status choose_window(row_group *g, uint64_t rows_left, size_t *rows, lp_err *err) {
    *rows = rows_left < ROWS_AT_ONCE ? (size_t)rows_left : ROWS_AT_ONCE;
    for (size_t i = 0; i < LEAF_COUNT; i++) {
        uint64_t at_once;
        if (!g->l->leaf[i].node) continue;
        TRY(leaf_rows_at_once(&g->l->leaf[i], &at_once, err));
        if (at_once > 0 && at_once < *rows) *rows = (size_t)at_once;
    }
    return LP_OK;
}

static lp_status read_window(row_group *g, size_t rows, lp_err *err) {
    for (size_t i = 0; i < LEAF_COUNT; i++) {
        g->value[i] = 0;
        if (!g->l->leaf[i].node) continue;
        TRY(leaf_read(&g->l->leaf[i], rows, &g->slice[i], err));
        if (g->slice[i].row_count != rows)
            return err_set(err, LP_ERR_FORMAT, STR_FMT ": column " STR_FMT " gave fewer rows than its page holds",
                           STR_ARG(g->path), STR_ARG(g->l->leaf[i].node->name));
    }
    return LP_OK;
}

/* Step to the value of a row; false where it is null. */
static bool next_value(row_group *g, named_leaf which, size_t row, size_t *nth) {
    const leaf *l = &g->l->leaf[which];
    if (!l->node || !leaf_has_value(l, &g->slice[which], row)) return false;
    *nth = g->value[which]++;
    return true;
}

static str next_text(row_group *g, named_leaf which, size_t row) {
    size_t nth;
    return next_value(g, which, row, &nth) ? g->slice[which].value.bytes[nth] : STR_NONE;
}

static int64_t next_integer(row_group *g, named_leaf which, size_t row) {
    size_t nth;
    if (!next_value(g, which, row, &nth)) return 0;
    const pq_slice *s = &g->slice[which];
    return g->l->leaf[which].node->type == PQ_INT32 ? s->value.int32[nth] : s->value.int64[nth];
}

static void take_row(row_group *g, size_t row) {
    logged_files *l = g->l;
    logged_file f = {.path = next_text(g, LEAF_PATH, row), .is_remove = g->is_remove};
    str storage = next_text(g, LEAF_STORAGE, row), text = next_text(g, LEAF_TEXT, row);
    f.deleted_at_ms = next_integer(g, LEAF_DELETED_AT, row);
    if (f.path.len == 0) return; /* another kind of action */
    if (!str_is_none(storage) && !str_is_none(text)) f.vector = dv_unique_id(&l->scratch, storage, text, false, 0);
    l->take(l->context, &f);
}

static lp_status read_actions(row_group *g, const pq_node *kind, lp_err *err) {
    TRY(open_leaves(g, kind, err));
    for (uint64_t left = pq_row_group_rows(g->file, g->group); left > 0;) {
        size_t rows;
        TRY(choose_window(g, left, &rows, err));
        TRY(read_window(g, rows, err));
        for (size_t row = 0; row < rows; row++) take_row(g, row);
        arena_reset(&g->l->scratch);
        left -= rows;
    }
    return LP_OK;
}

static lp_status read_parquet(logged_files *l, pq_file *file, str path, lp_err *err) {
    static const char *const name[] = {"add", "remove"};
    for (size_t group = 0; group < pq_row_group_count(file); group++) {
        for (size_t i = 0; i < 2; i++) {
            const pq_node *kind = shape_child(pq_schema(file), str_from(name[i]));
            if (!kind || kind->is_leaf) continue;
            row_group g = {.l = l, .file = file, .group = group, .path = path, .is_remove = i == 1};
            TRY(read_actions(&g, kind, err));
        }
    }
    return LP_OK;
}

lp_status logged_files_of_checkpoint(logged_files *l, const log_checkpoint *from, lp_err *err) {
    checkpoint c;
    arena_reset(&l->opened);
    TRY(checkpoint_open(&l->opened, l->files, from, &c, err));
    for (size_t i = 0; i < c.file_count; i++) {
        pq_file *parquet;
        if (c.file[i].is_json) {
            TRY(logged_files_of_commit(l, c.file[i].path, err));
            continue;
        }
        TRY(checkpoint_file_open(&l->opened, l->files, &c.file[i], &parquet, err));
        TRY(read_parquet(l, parquet, c.file[i].path, err));
    }
    arena_reset(&l->opened);
    return LP_OK;
}
