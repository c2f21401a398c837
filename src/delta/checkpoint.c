/* checkpoint.c - the rows of a checkpoint that are no files, and the list of its files.
 * Called by: delta/snapshot.c.  Must not know: commits, statistics.
 *
 * A checkpoint has one row per action, and each kind of action is a column (rule C3). Rows of metaData, protocol,
 * domainMetadata and sidecar are few, and stand anywhere, in any part. For each kind the definition levels of one leaf
 * tell which rows they are; then the other leaves are read at just these rows.
 */
#include "delta/checkpoint.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "delta/checkpoint_shape.h"
#include "delta/file_path.h"
#include "delta/log_reader.h"

enum {
    MAX_FILES_KEPT_OPEN = 32,
    LEVELS_AT_ONCE = 8192,
    MAX_STATE_ROWS = 1 << 22 /* rows that are no file actions: domains and sidecars */
};

/* What stays the same while one checkpoint is opened. */
typedef struct opening {
    arena *table, *scratch; /* scratch ends with each file */
    store *files;
    checkpoint *to;
    size_t file_capacity;
    log_reader *lines;
    json_reader *json;
    const action_want *want; /* nothing of files */
    lp_err *err;
} opening;

static void push_file(opening *o, str path, bool is_json) {
    checkpoint *c = o->to;
    if (c->file_count == o->file_capacity) {
        size_t capacity = o->file_capacity ? o->file_capacity * 2 : 4;
        checkpoint_file *grown = ARENA_ARRAY(o->table, checkpoint_file, capacity);
        if (c->file_count) memcpy(grown, c->file, c->file_count * sizeof *grown);
        c->file = grown;
        o->file_capacity = capacity;
    }
    c->file[c->file_count++] = (checkpoint_file){.path = path, .is_json = is_json};
}

/* ---- leaves at single rows ---- */

typedef struct row_leaf {
    const pq_node *leaf; /* NULL: the column is not there, every row is null */
    pq_cursor *cursor;
    uint64_t at;  /* row of the cursor */
    pq_slice row; /* the row read last */
} row_leaf;

static lp_status row_leaf_open(row_leaf *l, pq_file *f, size_t group, const pq_node *leaf, arena *owner, lp_err *err) {
    *l = (row_leaf){.leaf = leaf};
    return leaf ? pq_cursor_new(f, group, leaf->leaf_index, true, owner, &l->cursor, err) : LP_OK;
}

static lp_status row_leaf_read(row_leaf *l, uint64_t row, str file, lp_err *err) {
    if (!l->leaf) return LP_OK;
    if (row > l->at) TRY(pq_cursor_skip(l->cursor, row - l->at, err));
    TRY(pq_cursor_read(l->cursor, 1, &l->row, err));
    l->at = row + 1;
    if (l->row.row_count == 1) return LP_OK;
    return err_set(err, LP_ERR_FORMAT, STR_FMT ": column " STR_FMT " ends before row %" PRIu64 " of its row group",
                   STR_ARG(file), STR_ARG(l->leaf->name), row);
}

static str text_at(const row_leaf *l, size_t value, arena *out) {
    return str_copy(out, l->row.value.bytes[value]);
}

/* The text of a leaf that does not repeat; STR_NONE for null. */
static str row_text(const row_leaf *l, arena *out) {
    return l->leaf && l->row.value_count == 1 ? text_at(l, 0, out) : STR_NONE;
}

static bool row_integer(const row_leaf *l, int64_t *out) {
    if (!l->leaf || l->row.value_count != 1) return false;
    *out = l->leaf->type == PQ_INT32 ? l->row.value.int32[0] : l->row.value.int64[0];
    return true;
}

static bool row_is_true(const row_leaf *l) {
    return l->leaf && l->row.value_count == 1 && l->row.value.boolean[0] != 0;
}

/* All elements of a list in the row; null elements are left out. *present tells a list from null. */
static str *row_list(const row_leaf *l, size_t *count, bool *present, arena *out) {
    *count = 0;
    *present = false;
    if (!l->leaf) return NULL;
    const pq_node *list = l->leaf;
    while (list->parent && list->max_rep > 0) list = list->parent; /* the group around the repeated one */
    *present = !l->row.def || l->row.def[0] >= list->max_def;
    str *item = ARENA_ARRAY(out, str, l->row.value_count);
    for (size_t i = 0; i < l->row.value_count; i++) item[i] = text_at(l, i, out);
    *count = l->row.value_count;
    return item;
}

/* ---- rows of one kind of action ---- */

typedef struct row_numbers {
    uint64_t *row;
    size_t count, capacity;
} row_numbers;

static lp_status push_row(opening *o, row_numbers *l, uint64_t row, str file) {
    if (l->count == MAX_STATE_ROWS)
        return err_set(o->err, LP_ERR_LIMIT, STR_FMT ": more than %d rows that are no file actions", STR_ARG(file),
                       MAX_STATE_ROWS);
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? l->capacity * 2 : 16;
        uint64_t *grown = ARENA_ARRAY(o->scratch, uint64_t, capacity);
        if (l->count) memcpy(grown, l->row, l->count * sizeof *grown);
        l->row = grown;
        l->capacity = capacity;
    }
    l->row[l->count++] = row;
    return LP_OK;
}

/* The rows of a row group in which the group is not null. */
static lp_status find_rows(opening *o, pq_file *f, size_t group, const pq_node *node, str file, row_numbers *out) {
    *out = (row_numbers){0};
    const pq_node *leaf = shape_presence_leaf(node, NULL, 0);
    if (!leaf)
        return err_set(o->err, LP_ERR_FORMAT,
                       STR_FMT ": expected a column below " STR_FMT " that does not repeat, found none", STR_ARG(file),
                       STR_ARG(node->name));
    pq_cursor *cursor;
    TRY(pq_cursor_new(f, group, leaf->leaf_index, false, o->scratch, &cursor, o->err));
    for (uint64_t row = 0;;) {
        pq_slice s;
        TRY(pq_cursor_read(cursor, LEVELS_AT_ONCE, &s, o->err));
        if (s.row_count == 0) return LP_OK;
        for (size_t i = 0; i < s.row_count; i++)
            if (!s.def || s.def[i] >= node->max_def) TRY(push_row(o, out, row + i, file));
        row += s.row_count;
    }
}

/* Where rows are read from. */
typedef struct row_source {
    opening *o;
    pq_file *file;
    size_t group;
    str path;
    row_numbers rows;
} row_source;

static lp_status open_leaf(row_source *s, row_leaf *l, const pq_node *leaf) {
    return row_leaf_open(l, s->file, s->group, leaf, s->o->scratch, s->o->err);
}

static lp_status read_leaves(row_source *s, row_leaf *leaf, size_t count, uint64_t row) {
    for (size_t i = 0; i < count; i++) TRY(row_leaf_read(&leaf[i], row, s->path, s->o->err));
    return LP_OK;
}

static lp_status read_protocol_rows(row_source *s, const pq_node *group) {
    row_leaf leaf[4];
    TRY(open_leaf(s, &leaf[0], shape_integer(group, STR("minReaderVersion"))));
    TRY(open_leaf(s, &leaf[1], shape_integer(group, STR("minWriterVersion"))));
    TRY(open_leaf(s, &leaf[2], shape_text_list(group, STR("readerFeatures"))));
    TRY(open_leaf(s, &leaf[3], shape_text_list(group, STR("writerFeatures"))));
    for (size_t i = 0; i < s->rows.count; i++) {
        TRY(read_leaves(s, leaf, 4, s->rows.row[i]));
        action a = {.kind = ACTION_PROTOCOL};
        protocol_action *p = &a.protocol;
        bool unused;
        if (!row_integer(&leaf[0], &p->min_reader_version) || !row_integer(&leaf[1], &p->min_writer_version))
            return err_set(s->o->err, LP_ERR_FORMAT,
                           STR_FMT ": expected minReaderVersion and minWriterVersion in \"protocol\", found none",
                           STR_ARG(s->path));
        p->reader_feature = row_list(&leaf[2], &p->reader_feature_count, &p->has_reader_features, s->o->scratch);
        p->writer_feature = row_list(&leaf[3], &p->writer_feature_count, &unused, s->o->scratch);
        log_state_take(&s->o->to->state, &a);
    }
    return LP_OK;
}

/* The pairs of a map in the row just read. A key stands at every entry of the map, a value where it is not null. */
static str *row_pairs(const row_leaf *key, const row_leaf *value, size_t *pair_count, arena *out) {
    *pair_count = 0;
    if (!key->leaf || key->row.level_count != value->row.level_count) return NULL;
    str *pair = ARENA_ARRAY(out, str, 2 * key->row.level_count);
    size_t keys = 0, values = 0;
    for (size_t i = 0; i < key->row.level_count; i++) {
        bool has_key = !key->row.def || key->row.def[i] == key->leaf->max_def;
        bool has_value = !value->row.def || value->row.def[i] == value->leaf->max_def;
        if (has_key && has_value) {
            pair[2 * *pair_count] = text_at(key, keys, out);
            pair[2 * *pair_count + 1] = text_at(value, values, out);
            (*pair_count)++;
        }
        keys += has_key;
        values += has_value;
    }
    return pair;
}

static lp_status read_metadata_rows(row_source *s, const pq_node *group) {
    row_leaf leaf[8];
    const pq_node *key = NULL, *value = NULL;
    if (shape_child(group, STR("configuration")) && !shape_text_map(group, STR("configuration"), &key, &value))
        return err_set(s->o->err, LP_ERR_FORMAT,
                       STR_FMT ": expected metaData.configuration to be a map of texts, found another shape",
                       STR_ARG(s->path));
    const pq_node *partition = shape_text_list(group, STR("partitionColumns"));
    if (!partition) /* without it a partitioned table would pass for one that is not */
        return err_set(s->o->err, LP_ERR_FORMAT,
                       STR_FMT ": expected metaData.partitionColumns to be a list of texts, found none",
                       STR_ARG(s->path));
    TRY(open_leaf(s, &leaf[0], shape_text(group, STR("id"))));
    TRY(open_leaf(s, &leaf[1], shape_text(group, STR("name"))));
    TRY(open_leaf(s, &leaf[2], shape_text(group, STR("schemaString"))));
    TRY(open_leaf(s, &leaf[3], partition));
    TRY(open_leaf(s, &leaf[4], key));
    TRY(open_leaf(s, &leaf[5], value));
    TRY(open_leaf(s, &leaf[6], shape_text(group, STR("description"))));
    TRY(open_leaf(s, &leaf[7], shape_integer(group, STR("createdTime"))));
    for (size_t i = 0; i < s->rows.count; i++) {
        TRY(read_leaves(s, leaf, 8, s->rows.row[i]));
        action a = {.kind = ACTION_METADATA};
        metadata_action *m = &a.metadata;
        bool unused;
        m->id = row_text(&leaf[0], s->o->scratch);
        m->name = row_text(&leaf[1], s->o->scratch);
        m->schema_string = row_text(&leaf[2], s->o->scratch);
        m->partition_column = row_list(&leaf[3], &m->partition_column_count, &unused, s->o->scratch);
        m->description = row_text(&leaf[6], s->o->scratch);
        m->has_created_time = row_integer(&leaf[7], &m->created_time_ms);
        m->configuration = row_pairs(&leaf[4], &leaf[5], &m->configuration_count, s->o->scratch);
        log_state_take(&s->o->to->state, &a);
    }
    return LP_OK;
}

static lp_status read_transaction_rows(row_source *s, const pq_node *group) {
    row_leaf leaf[3];
    TRY(open_leaf(s, &leaf[0], shape_text(group, STR("appId"))));
    TRY(open_leaf(s, &leaf[1], shape_integer(group, STR("version"))));
    TRY(open_leaf(s, &leaf[2], shape_integer(group, STR("lastUpdated"))));
    for (size_t i = 0; i < s->rows.count; i++) {
        TRY(read_leaves(s, leaf, 3, s->rows.row[i]));
        action a = {.kind = ACTION_TRANSACTION, .transaction = {.app_id = row_text(&leaf[0], s->o->scratch)}};
        a.transaction.has_version = row_integer(&leaf[1], &a.transaction.version);
        a.transaction.has_last_updated = row_integer(&leaf[2], &a.transaction.last_updated_ms);
        log_state_take(&s->o->to->state, &a);
    }
    return LP_OK;
}

static lp_status read_domain_rows(row_source *s, const pq_node *group) {
    row_leaf leaf[3];
    TRY(open_leaf(s, &leaf[0], shape_text(group, STR("domain"))));
    TRY(open_leaf(s, &leaf[1], shape_text(group, STR("configuration"))));
    TRY(open_leaf(s, &leaf[2], shape_boolean(group, STR("removed"))));
    for (size_t i = 0; i < s->rows.count; i++) {
        TRY(read_leaves(s, leaf, 3, s->rows.row[i]));
        action a = {
            .kind = ACTION_DOMAIN_METADATA,
            .domain = {row_text(&leaf[0], s->o->scratch), row_text(&leaf[1], s->o->scratch), row_is_true(&leaf[2])}};
        if (!str_is_none(a.domain.domain)) log_state_take(&s->o->to->state, &a);
    }
    return LP_OK;
}

/* ---- sidecars ---- */

/* Rule C14: a sidecar lies in the table's own _sidecars folder, so only the last part of its path says something. */
static lp_status push_sidecar(opening *o, str uri, str named_in) {
    str name = uri_decode(o->scratch, uri);
    const char *slash = name.len ? memrchr(name.ptr, '/', name.len) : NULL;
    if (slash) name = str_slice(name, (size_t)(slash - name.ptr) + 1, name.len);
    if (name.len == 0)
        return err_set(o->err, LP_ERR_FORMAT, STR_FMT ": expected the name of a sidecar, found \"" STR_FMT "\"",
                       STR_ARG(named_in), STR_ARG(uri));
    buf path;
    buf_init(&path, o->table, 1 << 16);
    buf_put(&path, STR("_delta_log/_sidecars/"));
    buf_put(&path, name);
    push_file(o, buf_str(&path), false);
    return LP_OK;
}

static lp_status read_sidecar_rows(row_source *s, const pq_node *group) {
    row_leaf leaf;
    TRY(open_leaf(s, &leaf, shape_text(group, STR("path"))));
    for (size_t i = 0; i < s->rows.count; i++) {
        TRY(read_leaves(s, &leaf, 1, s->rows.row[i]));
        TRY(push_sidecar(s->o, row_text(&leaf, s->o->scratch), s->path));
    }
    return LP_OK;
}

/* ---- files ---- */

static const struct {
    const char *name;
    lp_status (*read)(row_source *s, const pq_node *group);
    bool is_single; /* there is one in a checkpoint; should there be more, the last one counts and no other is read */
} kind_of_row[] = {
    {"protocol", read_protocol_rows, true},
    {"metaData", read_metadata_rows, true},
    {"domainMetadata", read_domain_rows, false},
    {"txn", read_transaction_rows, false},
    {"sidecar", read_sidecar_rows, false},
};

static void keep_last_row(row_numbers *rows) {
    rows->row[0] = rows->row[rows->count - 1];
    rows->count = 1;
}

static lp_status read_parquet_state(opening *o, pq_file *f, str path) {
    for (size_t group = 0; group < pq_row_group_count(f); group++) {
        for (size_t i = 0; i < sizeof kind_of_row / sizeof *kind_of_row; i++) {
            const pq_node *node = shape_child(pq_schema(f), str_from(kind_of_row[i].name));
            if (!node || node->is_leaf) continue;
            row_source s = {.o = o, .file = f, .group = group, .path = path};
            TRY(find_rows(o, f, group, node, path, &s.rows));
            if (s.rows.count == 0) continue;
            if (kind_of_row[i].is_single) keep_last_row(&s.rows);
            TRY(kind_of_row[i].read(&s, node));
        }
    }
    return LP_OK;
}

static lp_status read_json_line(opening *o, str line, str path) {
    if (action_is_plainly_of_file(line)) return LP_OK;
    action a;
    line_place at = {path, log_reader_line_number(o->lines)};
    TRY(action_parse(o->json, line, o->want, at, o->scratch, &a, o->err));
    if (a.kind == ACTION_SIDECAR) return push_sidecar(o, a.sidecar_path, path);
    log_state_take(&o->to->state, &a);
    return LP_OK;
}

static lp_status read_json_state(opening *o, str path) {
    TRY(log_reader_open(o->lines, o->files, o->scratch, path, o->err));
    for (;;) {
        bool more;
        TRY(log_reader_fill(o->lines, &more, o->err));
        if (!more) break;
        for (str line; log_reader_next(o->lines, &line);) TRY(read_json_line(o, line, path));
    }
    log_reader_close(o->lines);
    return LP_OK;
}

static lp_status open_parquet(arena *owner, store *files, str path, store_file **f, pq_file **out, lp_err *err) {
    TRY(store_open_file(files, owner, path, f, err));
    return pq_open(owner, *f, (pq_limits){0}, out, err);
}

void checkpoint_close(checkpoint *c) {
    for (size_t i = 0; i < c->file_count; i++) {
        if (c->file[i].opened) store_close(c->file[i].opened);
        c->file[i].opened = NULL;
        c->file[i].parquet = NULL;
    }
}

lp_status checkpoint_file_open(arena *owner, store *files, const checkpoint_file *f, pq_file **out, lp_err *err) {
    store_file *unused;
    *out = f->parquet;
    return f->parquet ? LP_OK : open_parquet(owner, files, f->path, &unused, out, err);
}

/* Open one file, read its state if it is a top-level one, and keep it open if the checkpoint has few files. */
static lp_status read_file(opening *o, size_t index, bool is_top_level, bool keep_open) {
    checkpoint_file *f = &o->to->file[index];
    if (f->is_json) return read_json_state(o, f->path);
    store_file *file = NULL;
    pq_file *parquet;
    lp_status status = open_parquet(keep_open ? o->table : o->scratch, o->files, f->path, &file, &parquet, o->err);
    if (keep_open) f->opened = file;
    TRY(status);
    if (keep_open) f->parquet = parquet;
    return is_top_level ? read_parquet_state(o, parquet, f->path) : LP_OK; /* rules C10, C15 */
}

static lp_status read_all_files(opening *o, size_t top_level_count) {
    checkpoint *c = o->to;
    for (size_t i = 0; i < c->file_count; i++) { /* top-level files append their sidecars */
        bool keep_open = (i < top_level_count ? top_level_count : c->file_count) <= MAX_FILES_KEPT_OPEN;
        TRY(read_file(o, i, i < top_level_count, keep_open));
        arena_reset(o->scratch);
    }
    return LP_OK;
}

static lp_status check_state(checkpoint *c, lp_err *err) {
    if (c->state.has_protocol && c->state.has_metadata) return LP_OK;
    c->is_broken = true;
    return err_set(err, LP_ERR_FORMAT,
                   STR_FMT ": expected a protocol and a metaData action in the checkpoint, found no %s",
                   STR_ARG(c->file[0].path), c->state.has_protocol ? "metaData" : "protocol");
}

lp_status checkpoint_open(arena *table, store *files, const log_checkpoint *from, checkpoint *out, lp_err *err) {
    *out = (checkpoint){.version = from->version};
    log_state_init(&out->state, table);
    log_state_begin(&out->state);
    arena *scratch = arena_child(table);
    opening o = {.table = table, .scratch = scratch, .files = files, .to = out, .err = err};
    if (from->is_json) {
        o.lines = log_reader_new(table);
        o.json = json_reader_new(table);
        o.want = action_want_new(table, NULL, 0);
    }
    for (size_t i = 0; i < from->file_count; i++)
        push_file(&o, str_format(table, "_delta_log/" STR_FMT, STR_ARG(from->file[i].name)), from->is_json);
    lp_status status = read_all_files(&o, from->file_count);
    arena_end(scratch);
    return status == LP_OK ? check_state(out, err) : status;
}
