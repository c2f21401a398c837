/* checkpoint_rows.c - rows of a checkpoint to live files, reading no more leaves than the question needs.
 * Called by: delta/scan.c.  Must not know: commits, predicates.
 * Source: PROTOCOL.md: Checkpoint Schema, Action Reconciliation.
 *
 * A window is a run of rows that one read of every string column can give, so that texts stay borrowed from the pages.
 * In a window, column by column:
 *   1. levels of one cheap leaf of `add` tell which rows are files (a remove or another action is null there);
 *   2. where commits follow the checkpoint, path and deletion vector drop what they have decided;
 *   3. partition values, size, deletion vectors are filled in, and the visitor selects;
 *   4. statistics are read where wanted; a page of which no file is wanted is never decompressed.
 */
#include "delta/checkpoint_rows.h"

#include <inttypes.h>
#include <string.h>

#include "delta/checkpoint_shape.h"
#include "delta/leaf.h"
#include "delta/stats_parsed.h"

typedef struct checkpoint_rows {
    arena *keep;
    scan_worker *w;
    str path;
    lp_err *err;

    const pq_node *add, *dv; /* groups; dv is NULL where the file has none. While removes are counted: of remove */
    leaf presence;           /* of add; it is add.size where sizes are wanted */
    bool presence_is_size;
    leaf file_path;
    leaf dv_cardinality; /* tells also where the vector is null */
    bool dv_has_cardinality;
    leaf dv_storage, dv_text, dv_offset;
    leaf modification_time, base_row_id; /* details */
    leaf map_key, map_value;
    leaf stats;
    stats_parsed *parsed;
    bool want_key; /* path and vector id are read */

    uint64_t window_row;            /* of the file, from 0: where the window begins; with want_source */
    size_t row_count;               /* of the window */
    uint32_t row[SCAN_BATCH_FILES]; /* of each file of the batch, ascending */
    bool wanted[SCAN_BATCH_FILES];
} checkpoint_rows;

static lp_status damaged(checkpoint_rows *r, const char *what) {
    return err_set(r->err, LP_ERR_FORMAT, STR_FMT ": %s", STR_ARG(r->path), what);
}

/* ---- opening ---- */

static lp_status open_leaf(checkpoint_rows *r, leaf *l, pq_file *f, row_range rows, const pq_node *node,
                           bool want_values) {
    TRY(leaf_open(l, f, rows.group, node, want_values, r->keep, r->err));
    if (rows.first) leaf_pass(l, rows.first);
    return LP_OK;
}

/* The cheapest leaf by which a row is known to be an add: small values, required in the action. */
static lp_status open_presence(checkpoint_rows *r, pq_file *f, row_range rows) {
    static const char *const cheap[] = {"dataChange", "modificationTime", "size", "path"};
    const pq_node *size = r->w->job->request->want_size ? shape_integer(r->add, STR("size")) : NULL;
    r->presence_is_size = size != NULL;
    const pq_node *node = size ? size : shape_presence_leaf(r->add, cheap, sizeof cheap / sizeof *cheap);
    if (!node) return damaged(r, "expected a column below \"add\" that does not repeat, found none");
    return open_leaf(r, &r->presence, f, rows, node, size != NULL);
}

static lp_status open_vectors(checkpoint_rows *r, pq_file *f, row_range rows) {
    r->dv = shape_child(r->add, STR("deletionVector"));
    if (r->dv && r->dv->is_leaf) r->dv = NULL;
    const pq_node *cardinality = shape_integer(r->dv, STR("cardinality"));
    const pq_node *storage = shape_text(r->dv, STR("storageType"));
    const pq_node *text = shape_text(r->dv, STR("pathOrInlineDv"));
    if (r->dv && (!storage || !text))
        return damaged(r, "expected storageType and pathOrInlineDv in add.deletionVector, found none");
    r->dv_has_cardinality = cardinality != NULL;
    TRY(open_leaf(r, &r->dv_cardinality, f, rows, cardinality ? cardinality : storage, cardinality != NULL));
    TRY(open_leaf(r, &r->dv_storage, f, rows, r->want_key ? storage : NULL, true));
    TRY(open_leaf(r, &r->dv_text, f, rows, r->want_key ? text : NULL, true));
    return open_leaf(r, &r->dv_offset, f, rows, r->want_key ? shape_integer(r->dv, STR("offset")) : NULL, true);
}

static lp_status open_details(checkpoint_rows *r, pq_file *f, row_range rows) {
    bool want = r->w->job->request->want_details;
    const pq_node *time = want ? shape_integer(r->add, STR("modificationTime")) : NULL;
    TRY(open_leaf(r, &r->modification_time, f, rows, time, true));
    return open_leaf(r, &r->base_row_id, f, rows, want ? shape_integer(r->add, STR("baseRowId")) : NULL, true);
}

static lp_status open_statistics(checkpoint_rows *r, pq_file *f, row_range rows) {
    const scan_job *job = r->w->job;
    if (!job->want_stats) return LP_OK;
    TRY(open_leaf(r, &r->stats, f, rows, shape_text(r->add, STR("stats")), true));
    TRY(stats_parsed_open(r->parsed, f, rows.group, shape_child(r->add, STR("stats_parsed")), r->err));
    if (rows.first) stats_parsed_pass(r->parsed, rows.first);
    return LP_OK;
}

/* What tells the rows, and what tells the files apart: needed where commits may have decided some. */
static lp_status open_key(checkpoint_rows *r, pq_file *f, row_range rows, bool want_path) {
    r->want_key = want_path || replay_key_count(r->w->job->decided) > 0;
    TRY(open_presence(r, f, rows));
    const pq_node *path = shape_text(r->add, STR("path"));
    if (r->want_key && !path) return damaged(r, "expected a text column path in add or remove, found none");
    TRY(open_leaf(r, &r->file_path, f, rows, r->want_key ? path : NULL, true));
    return open_vectors(r, f, rows);
}

static lp_status open_columns(checkpoint_rows *r, pq_file *f, row_range rows) {
    const scan_request *q = r->w->job->request;
    TRY(open_key(r, f, rows, q->want_path));
    TRY(open_details(r, f, rows));
    const pq_node *key = NULL, *text = NULL;
    if (q->partition_count && shape_child(r->add, STR("partitionValues")) &&
        !shape_text_map(r->add, STR("partitionValues"), &key, &text))
        return damaged(r, "expected add.partitionValues to be a map of texts, found another shape");
    TRY(open_leaf(r, &r->map_key, f, rows, key, true));
    TRY(open_leaf(r, &r->map_value, f, rows, text, true));
    return open_statistics(r, f, rows);
}

/* ---- the window ---- */

static lp_status shorten(leaf *l, size_t *rows, lp_err *err) {
    if (!l->node) return LP_OK;
    uint64_t at_once;
    TRY(leaf_rows_at_once(l, &at_once, err));
    if (at_once > 0 && at_once < *rows) *rows = (size_t)at_once;
    return LP_OK;
}

/* As many rows as every string column can give in one read. (A column that has ended shows at its read.) */
static lp_status choose_window(checkpoint_rows *r, uint64_t rows_left) {
    size_t most = r->w->job->batch_files, rows = rows_left < most ? (size_t)rows_left : most;
    TRY(shorten(&r->file_path, &rows, r->err));
    if (r->w->job->want_stats) TRY(shorten(&r->stats, &rows, r->err));
    TRY(shorten(&r->map_key, &rows, r->err));
    TRY(shorten(&r->map_value, &rows, r->err));
    r->row_count = rows;
    return LP_OK;
}

static int64_t integer_at(const leaf *l, const pq_slice *s, size_t nth) {
    return l->node->type == PQ_INT32 ? s->value.int32[nth] : s->value.int64[nth];
}

static bool is_file_row(const checkpoint_rows *r, size_t file, size_t row) {
    return file < r->w->count && r->row[file] == row;
}

/* Step 1. Where the leaf is add.size, its values are taken along. */
static lp_status find_files(checkpoint_rows *r) {
    for (size_t row = 0; row < r->row_count;) {
        pq_slice s;
        TRY(leaf_read(&r->presence, r->row_count - row, &s, r->err));
        size_t nth = 0;
        for (size_t i = 0; i < s.row_count; i++) {
            bool has_value = leaf_has_value(&r->presence, &s, i);
            if (!s.def || s.def[i] >= r->add->max_def) {
                r->row[r->w->count] = (uint32_t)(row + i);
                live_file *f = scan_worker_add(r->w);
                if (r->presence_is_size && has_value) f->size_bytes = integer_at(&r->presence, &s, nth);
                if (f->size_bytes < 0) f->size_bytes = -1;
            }
            nth += has_value;
        }
        row += s.row_count;
    }
    return LP_OK;
}

/* ---- path and deletion vector ---- */

static lp_status read_paths(checkpoint_rows *r) {
    pq_slice s;
    TRY(leaf_read(&r->file_path, r->row_count, &s, r->err));
    if (s.row_count != r->row_count) return damaged(r, "column add.path gave fewer rows than its page holds");
    size_t nth = 0, file = 0;
    for (size_t i = 0; i < s.row_count; i++) {
        bool has_value = leaf_has_value(&r->file_path, &s, i);
        if (is_file_row(r, file, i)) {
            if (!has_value || s.value.bytes[nth].len == 0)
                return damaged(r, "expected a path in each \"add\" and \"remove\", found none");
            if (!str_is_utf8(s.value.bytes[nth])) return damaged(r, "expected paths in UTF-8, found other bytes");
            r->w->file[file++].path = s.value.bytes[nth];
        }
        nth += has_value;
    }
    return LP_OK;
}

static lp_status read_vectors(checkpoint_rows *r) {
    leaf *l = &r->dv_cardinality;
    if (!l->node) return LP_OK;
    size_t file = 0;
    for (size_t row = 0; row < r->row_count;) {
        pq_slice s;
        TRY(leaf_read(l, r->row_count - row, &s, r->err));
        size_t nth = 0;
        for (size_t i = 0; i < s.row_count; i++) {
            bool has_value = leaf_has_value(l, &s, i);
            if (is_file_row(r, file, row + i)) {
                live_file *f = &r->w->file[file++];
                f->has_dv = !s.def || s.def[i] >= r->dv->max_def;
                if (f->has_dv && has_value && r->dv_has_cardinality) f->dv_cardinality = integer_at(l, &s, nth);
                if (f->dv_cardinality < 0) f->dv_cardinality = -1;
            }
            nth += has_value;
        }
        row += s.row_count;
    }
    return LP_OK;
}

/* ---- details ---- */

typedef void (*take_integer)(live_file *f, int64_t number);

static void take_modification_time(live_file *f, int64_t ms) {
    f->modification_time_known = true;
    f->modification_time_ms = ms;
}

static void take_base_row_id(live_file *f, int64_t id) {
    f->base_row_id_known = true;
    f->base_row_id = id;
}

static lp_status read_integers(checkpoint_rows *r, leaf *l, take_integer take) {
    if (!l->node) return LP_OK;
    size_t file = 0;
    for (size_t row = 0; row < r->row_count;) {
        pq_slice s;
        TRY(leaf_read(l, r->row_count - row, &s, r->err));
        size_t nth = 0;
        for (size_t i = 0; i < s.row_count; i++) {
            bool has_value = leaf_has_value(l, &s, i);
            if (is_file_row(r, file, row + i)) {
                if (has_value) take(&r->w->file[file], integer_at(l, &s, nth));
                file++;
            }
            nth += has_value;
        }
        row += s.row_count;
    }
    return LP_OK;
}

/* The texts of a vector's descriptor, per file of the batch; copied, as there are few of them. */
typedef struct vector_texts {
    str storage, text;
    bool has_offset;
    int64_t offset;
} vector_texts;

typedef void (*take_vector_part)(vector_texts *v, const leaf *l, const pq_slice *s, size_t nth, arena *out);

static void take_storage(vector_texts *v, const leaf *l, const pq_slice *s, size_t nth, arena *out) {
    (void)l;
    v->storage = str_copy(out, s->value.bytes[nth]);
}

static void take_text(vector_texts *v, const leaf *l, const pq_slice *s, size_t nth, arena *out) {
    (void)l;
    v->text = str_copy(out, s->value.bytes[nth]);
}

static void take_offset(vector_texts *v, const leaf *l, const pq_slice *s, size_t nth, arena *out) {
    (void)out;
    v->has_offset = true;
    v->offset = integer_at(l, s, nth);
}

static lp_status read_vector_part(checkpoint_rows *r, leaf *l, vector_texts *v, take_vector_part take) {
    if (!l->node) return LP_OK;
    size_t file = 0;
    for (size_t row = 0; row < r->row_count;) {
        pq_slice s;
        TRY(leaf_read(l, r->row_count - row, &s, r->err));
        size_t nth = 0;
        for (size_t i = 0; i < s.row_count; i++) {
            bool has_value = leaf_has_value(l, &s, i);
            if (is_file_row(r, file, row + i)) {
                if (has_value && r->w->file[file].has_dv) take(&v[file], l, &s, nth, &r->w->batch);
                file++;
            }
            nth += has_value;
        }
        row += s.row_count;
    }
    return LP_OK;
}

static bool has_any_vector(const checkpoint_rows *r) {
    for (size_t i = 0; i < r->w->count; i++)
        if (r->w->file[i].has_dv) return true;
    return false;
}

static lp_status read_vector_ids(checkpoint_rows *r) {
    if (!r->dv_storage.node) return LP_OK;
    if (!has_any_vector(r)) {
        leaf_pass(&r->dv_storage, r->row_count);
        leaf_pass(&r->dv_text, r->row_count);
        leaf_pass(&r->dv_offset, r->row_count);
        return LP_OK;
    }
    vector_texts *v = ARENA_ARRAY(&r->w->batch, vector_texts, r->w->count);
    TRY(read_vector_part(r, &r->dv_storage, v, take_storage));
    TRY(read_vector_part(r, &r->dv_text, v, take_text));
    TRY(read_vector_part(r, &r->dv_offset, v, take_offset));
    for (size_t i = 0; i < r->w->count; i++) {
        if (!r->w->file[i].has_dv) continue;
        if (str_is_none(v[i].storage) || str_is_none(v[i].text))
            return damaged(r, "expected storageType and pathOrInlineDv in each deletionVector, found none");
        if (!str_is_utf8(v[i].storage) || !str_is_utf8(v[i].text))
            return damaged(r, "expected the texts of deletionVector in UTF-8, found other bytes");
        r->w->file[i].dv_id = dv_unique_id(&r->w->batch, v[i].storage, v[i].text, v[i].has_offset, v[i].offset);
        r->w->file[i].dv_stem_len = v[i].storage.len + v[i].text.len;
    }
    return LP_OK;
}

/* Step 2. */
static void drop_decided(checkpoint_rows *r, bool is_add) {
    const replay *decided = r->w->job->decided;
    if (replay_key_count(decided) == 0) return;
    size_t kept = 0;
    for (size_t i = 0; i < r->w->count; i++) {
        const live_file *f = &r->w->file[i];
        file_key key = {f->path, f->dv_id};
        if (replay_holds(decided, key)) continue;
        if (is_add) key_doubts_of_row(r->w->job->doubts, key, &r->w->batch, &r->w->done.doubts);
        if (kept < i) r->w->file[kept] = *f, r->row[kept] = r->row[i];
        kept++;
    }
    r->w->count = kept;
}

/* ---- partition values ---- */

static size_t find_wanted(const scan_job *job, str key, size_t guess) {
    size_t count = job->request->partition_count;
    for (size_t i = 0; i < count; i++) {
        size_t at = guess + i < count ? guess + i : guess + i - count;
        if (str_eq(job->partition_physical[at], key)) return at;
    }
    return SIZE_MAX;
}

/* Both leaves of the map, walked together: each level entry is one pair, or a row without any. */
typedef struct map_walk {
    pq_slice key, value;
    size_t at, key_value, value_value;
} map_walk;

static void take_pair(checkpoint_rows *r, map_walk *m, bool has_key, bool has_value, size_t *guess) {
    if (!has_key) return;
    size_t wanted = find_wanted(r->w->job, m->key.value.bytes[m->key_value], *guess);
    if (wanted == SIZE_MAX) return;
    *guess = wanted + 1 < r->w->job->request->partition_count ? wanted + 1 : 0;
    r->w->partition_scratch[wanted] =
        (partition_text){true, has_value ? m->value.value.bytes[m->value_value] : STR_NONE};
}

static bool begins_row(const pq_slice *s, size_t level) {
    return level == s->level_count || !s->rep || s->rep[level] == 0;
}

/* The pairs of one row into the scratch texts, if the row is a file. False if the two leaves do not agree. */
static bool walk_row(checkpoint_rows *r, map_walk *m, bool is_file) {
    size_t guess = 0;
    do {
        if (m->at == m->key.level_count || m->at == m->value.level_count) return false;
        bool has_key = leaf_has_value(&r->map_key, &m->key, m->at);
        bool has_value = leaf_has_value(&r->map_value, &m->value, m->at);
        if (is_file) take_pair(r, m, has_key, has_value, &guess);
        m->key_value += has_key;
        m->value_value += has_value;
        m->at++;
        if (begins_row(&m->key, m->at) != begins_row(&m->value, m->at)) return false;
    } while (!begins_row(&m->key, m->at));
    return true;
}

static lp_status read_partitions(checkpoint_rows *r) {
    size_t count = r->w->job->request->partition_count, bytes = count * sizeof *r->w->partition_scratch;
    if (count == 0) return LP_OK;
    memset(r->w->partition_scratch, 0, bytes);
    if (!r->map_key.node) { /* rule O5: a missing key is unknown */
        for (size_t i = 0; i < r->w->count; i++)
            scan_worker_set_partition(r->w, &r->w->file[i], r->w->partition_scratch);
        return LP_OK;
    }
    map_walk m = {.at = 0};
    TRY(leaf_read(&r->map_key, r->row_count, &m.key, r->err));
    TRY(leaf_read(&r->map_value, r->row_count, &m.value, r->err));
    if (m.key.row_count != r->row_count || m.value.row_count != r->row_count)
        return damaged(r, "column add.partitionValues gave fewer rows than it holds");
    size_t file = 0;
    for (size_t row = 0; row < r->row_count; row++) {
        bool is_file = is_file_row(r, file, row);
        if (is_file) memset(r->w->partition_scratch, 0, bytes);
        if (!walk_row(r, &m, is_file)) return damaged(r, "keys and values of add.partitionValues do not agree");
        if (is_file) scan_worker_set_partition(r->w, &r->w->file[file++], r->w->partition_scratch);
    }
    return LP_OK;
}

/* ---- statistics ---- */

static str padded_copy(arena *out, str text) {
    char *copy = arena_alloc_raw(out, text.len + JSON_PADDING);
    memcpy(copy, text.ptr, text.len);
    memset(copy + text.len, 0, JSON_PADDING);
    return (str){copy, text.len};
}

/* The nth text with JSON_PADDING readable bytes behind it. In a plain page there are the length of the next text, in 4
 * bytes, and that text, so only short ones, the last one and those of other encodings are copied. */
static str padded_text(const pq_slice *s, size_t nth, arena *out) {
    str text = s->value.bytes[nth];
    if (nth + 1 < s->value_count) {
        str next = s->value.bytes[nth + 1];
        if (next.ptr == text.ptr + text.len + 4 && next.len + 4 >= JSON_PADDING) return text;
    }
    return padded_copy(out, text);
}

/* wanted[i] stays true for the files whose text was null or unreadable. */
static lp_status read_json_stats(checkpoint_rows *r) {
    pq_slice s;
    TRY(leaf_read(&r->stats, r->row_count, &s, r->err));
    if (s.row_count != r->row_count) return damaged(r, "column add.stats gave fewer rows than its page holds");
    size_t nth = 0, file = 0;
    for (size_t i = 0; i < s.row_count; i++) {
        bool has_value = leaf_has_value(&r->stats, &s, i);
        if (is_file_row(r, file, i)) {
            live_file *f = &r->w->file[file];
            if (has_value && r->wanted[file]) {
                str text = padded_text(&s, nth, &r->w->batch);
                stats_from_json(r->w->job->plan, r->w->json, text, f->has_dv, &r->w->batch, &f->stats);
                r->w->done.statistics_parsed++;
                r->wanted[file] = !f->stats.has_stats;
            }
            file++;
        }
        nth += has_value;
    }
    return LP_OK;
}

static bool is_any_wanted(const checkpoint_rows *r) {
    for (size_t i = 0; i < r->w->count; i++)
        if (r->wanted[i]) return true;
    return false;
}

/* Step 4; rule P29: the JSON text where it is there and parses, else the struct. */
static lp_status load_stats(void *context, scan_worker *w, lp_err *err) {
    (void)err;
    checkpoint_rows *r = context;
    for (size_t i = 0; i < w->count; i++)
        r->wanted[i] = w->file[i].stats_loaded = scan_wants_stats(w->job, &w->file[i]);
    if (r->stats.node) {
        if (is_any_wanted(r))
            TRY(read_json_stats(r));
        else
            leaf_pass(&r->stats, r->row_count);
    }
    if (!stats_parsed_is_there(r->parsed)) return LP_OK;
    if (is_any_wanted(r))
        return stats_parsed_read(r->parsed, r->row_count, r->row, r->wanted, w->file, w->count, &w->batch, r->err);
    stats_parsed_pass(r->parsed, r->row_count);
    return LP_OK;
}

/* A window without files: its statistics are passed over as the batch is not delivered. */
static void pass_stats(checkpoint_rows *r) {
    if (!r->w->job->want_stats) return;
    if (r->stats.node) leaf_pass(&r->stats, r->row_count);
    if (stats_parsed_is_there(r->parsed)) stats_parsed_pass(r->parsed, r->row_count);
}

static lp_status read_keys(checkpoint_rows *r) {
    if (r->want_key) TRY(read_paths(r));
    TRY(read_vectors(r));
    return r->want_key ? read_vector_ids(r) : LP_OK;
}

static void note_sources(checkpoint_rows *r) {
    for (size_t i = 0; i < r->w->count; i++)
        r->w->file[i].source =
            (file_source){.path = r->path, .number = r->window_row + r->row[i] + 1, .is_row = true};
}

static lp_status scan_window(checkpoint_rows *r) {
    scan_worker *w = r->w;
    TRY(find_files(r));
    if (w->job->request->want_source) note_sources(r);
    w->done.files_seen += w->count;
    TRY(read_keys(r));
    TRY(read_integers(r, &r->modification_time, take_modification_time));
    TRY(read_integers(r, &r->base_row_id, take_base_row_id));
    drop_decided(r, true);
    TRY(read_partitions(r));
    if (w->count == 0) pass_stats(r);
    return scan_worker_deliver(w, load_stats, r, r->err);
}

static checkpoint_rows *rows_of(scan_worker *w, arena *keep) {
    if (w->rows) return w->rows;
    checkpoint_rows *r = ARENA_NEW(keep, checkpoint_rows);
    r->keep = keep;
    r->w = w;
    const scan_request *q = w->job->request;
    if (w->job->want_stats) r->parsed = stats_parsed_new(keep, w->job->plan, q->stats, q->stats_count);
    return w->rows = r;
}

/* Remove rows are read like adds, by their keys alone, and counted. */
static lp_status count_removed(checkpoint_rows *r, pq_file *f, row_range rows) {
    r->add = shape_child(pq_schema(f), STR("remove"));
    if (!r->add || r->add->is_leaf) return LP_OK;
    TRY(open_key(r, f, rows, false));
    leaf *unused[] = {&r->modification_time, &r->base_row_id, &r->map_key, &r->map_value, &r->stats};
    for (size_t i = 0; i < sizeof unused / sizeof *unused; i++) TRY(open_leaf(r, unused[i], f, rows, NULL, false));
    for (uint64_t left = rows.count; left > 0; left -= r->row_count) {
        TRY(choose_window(r, left));
        TRY(find_files(r));
        TRY(read_keys(r));
        drop_decided(r, false);
        r->w->done.removed_keys += r->w->count;
        scan_worker_discard(r->w);
    }
    return LP_OK;
}

static lp_status scan_added(checkpoint_rows *r, pq_file *f, row_range rows) {
    r->add = shape_child(pq_schema(f), STR("add"));
    if (!r->add || r->add->is_leaf) return LP_OK; /* only removes, or only state (rules C3, C11) */
    TRY(open_columns(r, f, rows));
    r->window_row = rows.first;
    for (size_t group = 0; group < rows.group; group++) r->window_row += pq_row_group_rows(f, group);
    for (uint64_t left = rows.count; left > 0; left -= r->row_count) {
        TRY(choose_window(r, left));
        TRY(scan_window(r));
        r->window_row += r->row_count;
    }
    return LP_OK;
}

size_t checkpoint_rows_peak_bytes(const checkpoint_rows *r) {
    const leaf *all[] = {&r->presence,  &r->file_path,         &r->dv_cardinality, &r->dv_storage, &r->dv_text,
                         &r->dv_offset, &r->modification_time, &r->base_row_id,    &r->map_key,    &r->map_value,
                         &r->stats};
    size_t bytes = r->parsed ? stats_parsed_peak_bytes(r->parsed) : 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) bytes += leaf_peak_bytes(all[i]);
    return bytes;
}

lp_status checkpoint_rows_scan(scan_worker *w, pq_file *f, row_range rows, str path, arena *keep, lp_err *err) {
    checkpoint_rows *r = rows_of(w, keep);
    r->path = path;
    r->err = err;
    TRY(scan_added(r, f, rows));
    return w->job->request->want_removed ? count_removed(r, f, rows) : LP_OK;
}
