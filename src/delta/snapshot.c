/* snapshot.c - from a folder to one version of a table.
 * Called by: api, prune.  Must not know: predicates, printing, file actions (scan.c).
 * Source: PROTOCOL.md: Delta Log Entries, Checkpoints, Action Reconciliation, Table Features.
 *
 * Steps: list the log, choose the version, find a checkpoint that can be read (or none, where commits alone prove the
 * version), collect protocol, metadata and domains newest first, refuse what cannot be read, parse the schema.
 */
#include "delta/snapshot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "delta/feature.h"
#include "delta/log_reader.h"
#include "delta/segment.h"
#include "delta/history.h"

/* What stays the same while a snapshot is opened. */
typedef struct opening {
    arena *table;
    store *files;
    snapshot *to;
    log_state state;
    json_reader *json;
    const action_want *want; /* nothing of files */
    size_t failed_step;      /* index of the commit that could not be read; NO_STEP */
    lp_err *err;
} opening;

#define NO_STEP SIZE_MAX

static void add_note(opening *o, note_code code, str message) {
    note_add(&o->to->notes, o->table, code, message);
}

/* ---- protocol, metadata, domains ---- */

#define COMMIT_INFO_START STR("{\"commitInfo\":")

static lp_status read_commit(opening *o, log_reader *lines, arena *scratch, const log_entry *commit) {
    str path = segment_path(scratch, commit->name);
    TRY(log_reader_open(lines, o->files, scratch, path, o->err));
    for (;;) {
        bool more;
        TRY(log_reader_fill(lines, &more, o->err));
        if (!more) break;
        for (str line; log_reader_next(lines, &line);) {
            o->to->writer_known |= str_starts_with(line, COMMIT_INFO_START);
            if (action_is_plainly_of_file(line)) continue;
            action a;
            line_place at = {path, log_reader_line_number(lines)};
            TRY(action_parse(o->json, line, o->want, at, scratch, &a, o->err));
            log_state_take(&o->state, &a);
        }
    }
    log_reader_close(lines);
    if (commit->is.kind == LOG_COMPACTION && o->state.has_repeats)
        return err_set(o->err, LP_ERR_FORMAT,
                       STR_FMT ": expected at most one protocol, one metaData and one action a domain and a transaction's "
                               "application in a compaction, found more",
                       STR_ARG(path));
    if (o->state.has_repeats)
        add_note(o, NOTE_COMMIT_REPEATS,
                 str_format(o->table, STR_FMT " holds two actions of a kind that a commit may have once", STR_ARG(path)));
    if (!log_reader_saw_line(lines) && commit->is.kind == LOG_COMMIT)
        add_note(o, NOTE_EMPTY_COMMIT, str_format(o->table, STR_FMT " holds no action", STR_ARG(path)));
    return LP_OK;
}

/* Rule F9. Logs of before table features that never got a metaData exist; they are tables without known columns, as
 * those with an empty schemaString are (rule N20). Later protocols oblige the writer. */
static lp_status check_state(opening *o) {
    const log_state *state = &o->state;
    if (state->has_protocol && !state->has_metadata && state->protocol.min_reader_version < 3) {
        add_note(o, NOTE_METADATA_ABSENT, STR("the log has no metaData action: the table has no known columns"));
        return LP_OK;
    }
    if (state->has_protocol && state->has_metadata) return LP_OK;
    return err_set(o->err, LP_ERR_FORMAT,
                   "expected a protocol and a metaData action up to version %" PRId64 ", found no %s", o->to->version,
                   state->has_protocol ? "metaData" : "protocol");
}

/* A version that is all in its checkpoint or in compactions, which hold no commitInfo, was written by someone too: the start of the newest commit that the listing
 * still has tells, for writers put commitInfo first. A commit that cannot be read is no matter here: it is not needed.
 */
static void look_for_writer(opening *o, arena *scratch) {
    const log_list *list = &o->to->segment->list;
    for (size_t i = list->commit_count; i > 0 && !o->to->writer_known; i--) {
        const log_entry *commit = &list->commit[i - 1];
        if (commit->is.version > o->to->version) continue;
        store_file *file;
        lp_err unused;
        char start[sizeof "{\"commitInfo\":" - 1];
        if (commit->size_bytes < sizeof start) return;
        if (store_open_file(o->files, scratch, segment_path(scratch, commit->name), &file, &unused) != LP_OK) return;
        if (store_read(file, 0, start, sizeof start, &unused) == LP_OK)
            o->to->writer_known = str_eq((str){start, sizeof start}, COMMIT_INFO_START);
        store_close(file);
        return;
    }
}

static lp_status read_commits(opening *o, arena *scratch) {
    const log_segment *log = &o->to->segment->log;
    log_reader *lines = log_reader_new(arena_child(o->table));
    for (size_t i = log->commit_count; i > 0; i--) {
        log_state_begin(&o->state);
        o->failed_step = i - 1;
        TRY(read_commit(o, lines, scratch, &log->commit[i - 1]));
        arena_reset(scratch);
    }
    o->failed_step = NO_STEP;
    return LP_OK;
}

static lp_status read_state(opening *o) {
    const struct segment *s = o->to->segment;
    arena *scratch = arena_child(o->table);
    log_state_init(&o->state, o->table);
    TRY(read_commits(o, scratch));
    o->to->clustering_in_commits = !str_is_none(log_state_domain(&o->state, STR("delta.clustering")));
    bool has_all_commits = !s->has_checkpoint && o->to->story->compaction_count == 0;
    if (!has_all_commits && !o->to->writer_known) look_for_writer(o, scratch);
    arena_end(scratch);
    if (s->has_checkpoint) log_state_merge(&o->state, &s->checkpoint.state);
    return check_state(o);
}

/* A compaction that was cut at the end of a line reads well. Where a protocol or metaData is missing, the oldest one
 * that was used is to blame before the table is: it is one way only to read its commits. */
static size_t blamed_step(const opening *o) {
    const log_segment *log = &o->to->segment->log;
    if (o->failed_step != NO_STEP) return o->failed_step;
    for (size_t i = 0; i < log->commit_count; i++)
        if (log->commit[i].is.kind == LOG_COMPACTION) return i;
    return NO_STEP;
}

/* Choose files and read them, until a choice shows no damage. */
static lp_status read_log(opening *o) {
    snapshot *s = o->to;
    for (;;) {
        TRY(segment_choose(s->segment, o->err));
        s->notes = (note_list){0};
        s->writer_known = false;
        s->story = segment_tell(s->segment, &s->notes);
        o->failed_step = NO_STEP;
        lp_status status = read_state(o);
        if (status == LP_OK) return LP_OK;
        size_t step = blamed_step(o);
        if (step == NO_STEP || !segment_step_failed(s->segment, step, o->err)) return status;
    }
}

static lp_status take_protocol(opening *o) {
    const protocol_action *from = &o->state.protocol;
    protocol *p = &o->to->protocol;
    *p = (protocol){.min_reader_version = from->min_reader_version,
                    .min_writer_version = from->min_writer_version,
                    .reader_feature = from->reader_feature,
                    .reader_feature_count = from->reader_feature_count,
                    .writer_feature = from->writer_feature,
                    .writer_feature_count = from->writer_feature_count,
                    .has_reader_features = from->has_reader_features};
    o->to->unrecognized_writer_feature = ARENA_ARRAY(o->table, str, p->writer_feature_count);
    for (size_t i = 0; i < p->writer_feature_count; i++)
        if (!feature_is_recognized(p->writer_feature[i]))
            o->to->unrecognized_writer_feature[o->to->unrecognized_writer_feature_count++] = p->writer_feature[i];
    return protocol_check(p, o->err);
}

static int by_key(const void *left, const void *right) {
    return str_compare(((const property *)left)->key, ((const property *)right)->key);
}

/* Sorted by key; of a key that stands twice the last value counts. */
static void take_configuration(opening *o) {
    const metadata_action *m = &o->state.metadata;
    snapshot *s = o->to;
    map seen;
    map_init(&seen, o->table);
    s->configuration = ARENA_ARRAY(o->table, property, m->configuration_count);
    for (size_t i = 0; i < m->configuration_count; i++) {
        property p = {m->configuration[2 * i], m->configuration[2 * i + 1]};
        property *known = map_get(&seen, p.key);
        if (known) {
            known->value = p.value;
            continue;
        }
        s->configuration[s->configuration_count] = p;
        (void)map_put(&seen, p.key, &s->configuration[s->configuration_count++]);
    }
    qsort(s->configuration, s->configuration_count, sizeof *s->configuration, by_key);
}

bool snapshot_commit_info(const snapshot *s, arena *out_arena, commit_info *out) {
    const log_entry *commit = log_list_commit(&s->segment->list, s->version);
    return commit && commit_info_read(s->files, segment_path(out_arena, commit->name), out_arena, out);
}

str snapshot_property(const snapshot *s, str key) {
    property wanted = {key, STR_NONE};
    const property *found = s->configuration_count
                                ? bsearch(&wanted, s->configuration, s->configuration_count, sizeof wanted, by_key)
                                : NULL;
    return found ? found->value : STR_NONE;
}

static bool is_on(const snapshot *s, str key) {
    return str_eq_nocase(snapshot_property(s, key), STR("true"));
}

/* Rules J1, I8: the property counts only where the protocol supports the feature. */
static lp_status find_mapping(const snapshot *s, mapping_mode *out, lp_err *err) {
    *out = MAPPING_NONE;
    str mode = snapshot_property(s, STR("delta.columnMapping.mode"));
    if (str_is_none(mode) || str_eq_nocase(mode, STR("none")) ||
        !protocol_supports(&s->protocol, FEATURE_columnMapping))
        return LP_OK;
    *out = str_eq_nocase(mode, STR("id")) ? MAPPING_ID : MAPPING_NAME;
    if (*out == MAPPING_ID || str_eq_nocase(mode, STR("name"))) return LP_OK;
    return err_set(err, LP_ERR_UNSUPPORTED,
                   "expected none, name or id as delta.columnMapping.mode, found \"" STR_FMT "\"", STR_ARG(mode));
}

/* A table that may widen types can hold float texts under any double column, also where the change was not recorded
 * (trap T22, T18): both readings of a bound then count. */
static void distrust_double_texts(snapshot *s) {
    bool widens = protocol_supports(&s->protocol, FEATURE_typeWidening) ||
                  protocol_supports(&s->protocol, FEATURE_typeWidening_preview);
    if (!widens) return;
    for (size_t i = 0; i < s->schema.leaf_count; i++) {
        data_type *type = (data_type *)&s->schema.leaf[i]->type;
        type->was_float |= type->kind == TYPE_DOUBLE;
    }
}

static lp_status take_metadata(opening *o) {
    const metadata_action *m = &o->state.metadata;
    snapshot *s = o->to;
    s->table_id = m->id;
    s->table_name = m->name;
    s->description = m->description;
    s->has_created_time = m->has_created_time;
    s->created_time_ms = m->created_time_ms;
    s->schema_string = m->schema_string;
    s->partition_column = m->partition_column;
    s->partition_column_count = m->partition_column_count;
    take_configuration(o);
    mapping_mode mapping;
    TRY(find_mapping(s, &mapping, o->err));
    TRY(schema_parse(o->table, m->schema_string, m->partition_column, m->partition_column_count, mapping,
                     protocol_supports(&s->protocol, FEATURE_generatedColumns), &s->schema, o->err));
    distrust_double_texts(s);
    s->deletion_vectors_enabled = is_on(s, STR("delta.enableDeletionVectors"));
    s->in_commit_timestamps =
        is_on(s, STR("delta.enableInCommitTimestamps")) || protocol_supports(&s->protocol, FEATURE_inCommitTimestamp);
    return LP_OK;
}

/* ---- clustering ---- */

static const column *find_physical(const column *among, size_t count, str name) {
    for (size_t i = 0; i < count; i++)
        if (str_eq(among[i].physical, name)) return &among[i];
    return NULL;
}

/* The parts of a physical name after its opening bracket, as a dotted logical name. A part that the schema lacks stays
 * as it is. */
static bool read_clustering_column(opening *o, str *out) {
    buf name;
    buf_init(&name, o->table, 1 << 20);
    const column *among = o->to->schema.top;
    size_t count = o->to->schema.top_count;
    for (bool first = true;; first = false) {
        json_token t = json_next(o->json);
        if (t.kind == JSON_ARRAY_END) break;
        if (t.kind != JSON_STRING) return false;
        str part = str_copy(o->table, json_unescape(o->table, t));
        const column *c = find_physical(among, count, part);
        if (!first) buf_put_char(&name, '.');
        buf_put(&name, c ? c->name : part);
        among = c ? c->child : NULL;
        count = c ? c->child_count : 0;
    }
    *out = buf_str(&name);
    return true;
}

/* The value of "clusteringColumns": a list of lists of name parts. */
static bool read_clustering_columns(opening *o, size_t limit) {
    snapshot *s = o->to;
    s->clustering_column = ARENA_ARRAY(o->table, str, limit);
    s->clustering_column_count = 0;
    if (json_next(o->json).kind != JSON_ARRAY_BEGIN) return false;
    for (;;) {
        json_token t = json_next(o->json);
        if (t.kind == JSON_ARRAY_END) return true;
        if (t.kind != JSON_ARRAY_BEGIN || s->clustering_column_count == limit) return false;
        if (!read_clustering_column(o, &s->clustering_column[s->clustering_column_count])) return false;
        s->clustering_column_count++;
    }
}

/* Start on the configuration of a domain: a JSON object in a text. */
static bool start_configuration(opening *o, str configuration) {
    char *copy = arena_alloc(o->table, configuration.len + JSON_PADDING);
    memcpy(copy, configuration.ptr, configuration.len);
    lp_err unused;
    if (json_start(o->json, (str){copy, configuration.len}, &unused) != LP_OK) return false;
    return json_next(o->json).kind == JSON_OBJECT_BEGIN;
}

static bool read_clustering(opening *o, str configuration) {
    size_t limit = configuration.len / 2; /* a column needs at least its brackets */
    if (!start_configuration(o, configuration)) return false;
    for (;;) {
        json_token t = json_next(o->json);
        if (t.kind == JSON_OBJECT_END) return json_next(o->json).kind == JSON_END;
        if (t.kind != JSON_KEY) return false;
        bool good = str_eq(t.text, STR("clusteringColumns")) ? read_clustering_columns(o, limit) : json_skip(o->json);
        if (!good) return false;
    }
}

/* PROTOCOL.md: Clustered Table: domain delta.clustering holds the columns by physical name. */
static void take_clustering(opening *o) {
    str configuration = log_state_domain(&o->state, STR("delta.clustering"));
    o->to->is_clustered = !str_is_none(configuration);
    if (!o->to->is_clustered) return;
    if (!read_clustering(o, configuration)) o->to->clustering_column_count = 0;
}

/* ---- row tracking ---- */

/* PROTOCOL.md: Row Tracking: domain delta.rowTracking holds the largest row id given out. */
static bool read_high_water_mark(opening *o, str configuration, int64_t *mark) {
    bool found = false;
    if (!start_configuration(o, configuration)) return false;
    for (json_token t; (t = json_next(o->json)).kind == JSON_KEY;) {
        bool is_mark = str_eq(t.text, STR("rowIdHighWaterMark"));
        if (!is_mark && !json_skip(o->json)) return false;
        if (!is_mark) continue;
        t = json_next(o->json);
        found = t.kind == JSON_NUMBER && json_number_to_int64(t.text, mark);
        if (!found) return false;
    }
    return found;
}

static void take_row_tracking(opening *o) {
    row_tracking *r = &o->to->row_tracking;
    str configuration = log_state_domain(&o->state, STR("delta.rowTracking"));
    r->is_supported = protocol_supports(&o->to->protocol, FEATURE_rowTracking);
    r->is_enabled = r->is_supported && is_on(o->to, STR("delta.enableRowTracking"));
    r->has_high_water_mark = !str_is_none(configuration) && read_high_water_mark(o, configuration, &r->high_water_mark);
}

/* All of the snapshot but its version, from files that did not fail so far. */
static lp_status resolve(snapshot *s, lp_err *err) {
    struct segment *segment = s->segment;
    lp_err reason;
    opening o = {.table = segment->table,
                 .files = s->files,
                 .to = s,
                 .json = json_reader_new(segment->table),
                 .want = action_want_new(segment->table, NULL, 0),
                 .err = &reason};
    *s = (snapshot){.files = s->files, .root = s->root, .version = s->version, .segment = segment};
    lp_status status = read_log(&o);
    if (status == LP_OK) status = take_protocol(&o);
    if (status == LP_OK) status = take_metadata(&o);
    if (status != LP_OK) return err_set(err, status, "%s", reason.text);
    take_clustering(&o);
    take_row_tracking(&o);
    s->domain = log_state_domains(&o.state, o.table, &s->domain_count);
    s->transaction = log_state_transactions(&o.state, o.table, &s->transaction_count);
    return LP_OK;
}

/* Protocol and metadata of the newest version that can be rebuilt. */
static lp_status read_newest(struct segment *segment, log_state *out, lp_err *err) {
    size_t count;
    const version_range *range = log_plan_ranges(&segment->plan, segment->table, &count);
    TRY(segment_aim(segment, count > 0, count > 0 ? range[count - 1].last : 0, err));
    lp_err reason;
    snapshot unused = {.files = segment->files, .version = segment->version, .segment = segment};
    opening o = {.table = segment->table,
                 .files = segment->files,
                 .to = &unused,
                 .json = json_reader_new(segment->table),
                 .want = action_want_new(segment->table, NULL, 0),
                 .err = &reason};
    lp_status status = read_log(&o);
    if (status != LP_OK) return err_set(err, status, "%s", reason.text);
    *out = o.state;
    return LP_OK;
}

lp_status snapshot_open_log(arena *table, store *files, log_view *out, lp_err *err) {
    struct segment *segment = ARENA_NEW(table, struct segment);
    log_state newest;
    TRY(segment_list(table, files, segment, err));
    TRY(read_newest(segment, &newest, err));
    out->list = &segment->list;
    out->plan = &segment->plan;
    return commit_clock_init(&out->clock, &newest, err);
}

lp_status snapshot_find_version(arena *scratch, store *files, time_point at, int64_t *version, lp_err *err) {
    log_view log;
    TRY(snapshot_open_log(scratch, files, &log, err));
    return time_travel_find(log.plan, &log.clock, files, at, scratch, version, err);
}

lp_status snapshot_open(arena *table, store *files, snapshot_options options, pool *workers, snapshot **out,
                        lp_err *err) {
    (void)workers; /* footers are few and small; rows are read by the scan */
    *out = NULL;
    snapshot *s = ARENA_NEW(table, snapshot);
    struct segment *segment = ARENA_NEW(table, struct segment);
    TRY(segment_list(table, files, segment, err));
    TRY(segment_aim(segment, options.has_version, options.version, err));
    *s = (snapshot){
        .files = files, .root = store_root(files), .version = segment->version, .segment = segment};
    TRY(resolve(s, err));
    *out = s;
    return LP_OK;
}

lp_status snapshot_choose_again(snapshot *s, lp_err *err) {
    return resolve(s, err);
}
