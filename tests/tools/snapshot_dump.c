/* snapshot_dump.c - what the delta room finds in a table, as JSON, down to partition texts and single statistics.
 * Called by: tests/compare/tables_vs_expected.py, people.  Must not know: predicates.
 *
 * usage: snapshot_dump [OPTION]... TABLE
 *   --at-version N     that version instead of the latest
 *   --threads N        worker threads (1)
 *   --count            totals need no statistics: leave out records
 *   --no-scan          the snapshot alone: no file is visited
 *   --partition        per file: the texts of all partition columns
 *   --stats COLUMN     per file: min, max and null count of a column (may stand several times; dots go into structs)
 *   --select TEXT      statistics only of files whose first partition text is TEXT
 *   --files            after the object, one live file a line
 *   --counters         after all, the work that was done
 * Exit 1 with one line on standard error for a table that cannot be read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "delta/scan.h"
#include "json/json_writer.h"

enum { MAX_STATS = 64, MAX_PARTS = 16 };

typedef struct dump_options {
    const char *table;
    snapshot_options open;
    unsigned threads;
    bool count_only, no_scan, partition, files, counters;
    const char *select;
    const char *stats[MAX_STATS];
    size_t stats_count;
} dump_options;

typedef struct totals {
    uint64_t files, files_with_dv, files_with_stats, files_with_count;
    int64_t bytes, records, live_rows;
    bool unknown_cardinality;
} totals;

typedef struct dump {
    const dump_options *o;
    arena *table;
    snapshot *s;
    scan_request request;
    totals sum;
    buf lines; /* of all files */
} dump;

/* ---- the files ---- */

typedef struct item {
    dump *d;
    totals sum;
    buf lines;
} item;

static void *begin(void *context, arena *scratch) {
    item *i = ARENA_NEW(scratch, item);
    i->d = context;
    buf_init(&i->lines, scratch, SIZE_MAX / 2);
    return i;
}

static void select_files(void *context, void *state, file_batch *batch) {
    const dump *d = context;
    (void)state;
    for (size_t i = 0; i < batch->count; i++) {
        live_file *f = &batch->file[i];
        f->want_stats = d->request.stats_count > 0;
        if (d->o->select && d->o->partition) f->want_stats &= str_eq(f->partition[0].text, str_from(d->o->select));
    }
}

static void put_bound(json_writer *w, const char *key, const bound *b, arena *scratch) {
    static const char *const state[] = {"absent", "null", NULL, "unreadable"};
    json_put_key(w, str_from(key));
    if (b->state != CELL_VALUE) {
        json_put_string(w, str_from(state[b->state]));
        return;
    }
    buf text;
    buf_init(&text, scratch, SIZE_MAX / 2);
    value_print(&text, &b->v);
    json_put_string(w, buf_str(&text));
}

static void put_stats(json_writer *w, const dump *d, const live_file *f, arena *scratch) {
    json_put_key(w, STR("stats"));
    if (!f->stats.has_stats) {
        json_put_null(w);
        return;
    }
    json_begin_array(w);
    for (size_t i = 0; i < d->request.stats_count; i++) {
        const column_stats *c = &f->stats.column[i];
        json_begin_object(w);
        put_bound(w, "min", &c->min, scratch);
        put_bound(w, "max", &c->max, scratch);
        json_put_key(w, STR("null_count"));
        if (c->null_count_state == COUNT_KNOWN)
            json_put_int(w, c->null_count);
        else
            json_put_null(w);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_partition(json_writer *w, const dump *d, const live_file *f) {
    json_put_key(w, STR("partition"));
    json_begin_array(w);
    for (size_t i = 0; i < d->request.partition_count; i++) {
        const partition_cell *c = &f->partition[i];
        if (c->state == CELL_ABSENT)
            json_put_bool(w, false); /* no entry */
        else
            json_put_string_or_null(w, c->text);
    }
    json_end_array(w);
}

static void put_file(item *at, const live_file *f, arena *scratch) {
    json_writer w;
    json_writer_init(&w, &at->lines, 0);
    json_begin_object(&w);
    json_put_key(&w, STR("path"));
    json_put_string(&w, f->path);
    json_put_key(&w, STR("dv_id"));
    json_put_string_or_null(&w, f->dv_id);
    json_put_key(&w, STR("size"));
    json_put_int(&w, f->size_bytes);
    json_put_key(&w, STR("records"));
    if (f->stats.record_count_known)
        json_put_int(&w, f->stats.record_count);
    else
        json_put_null(&w);
    if (at->d->o->partition) put_partition(&w, at->d, f);
    if (at->d->request.stats_count) put_stats(&w, at->d, f, scratch);
    json_end_object(&w);
    buf_put_char(&at->lines, '\n');
}

static lp_status take(void *context, void *state, const file_batch *batch, lp_err *err) {
    (void)err;
    const dump *d = context;
    item *at = state;
    for (size_t i = 0; i < batch->count; i++) {
        const live_file *f = &batch->file[i];
        at->sum.files++;
        at->sum.files_with_dv += f->has_dv;
        at->sum.files_with_stats += f->stats.has_stats;
        at->sum.files_with_count += f->stats.record_count_known;
        at->sum.records += f->stats.record_count;
        at->sum.live_rows += f->stats.record_count - (f->has_dv ? f->dv_cardinality : 0);
        at->sum.unknown_cardinality |= f->has_dv && f->dv_cardinality < 0;
        at->sum.bytes += f->size_bytes < 0 ? 0 : f->size_bytes;
        if (d->o->files) put_file(at, f, at->lines.owner);
    }
    return LP_OK;
}

static lp_status merge(void *context, void *state, lp_err *err) {
    (void)err;
    dump *d = context;
    const item *i = state;
    d->sum.files += i->sum.files;
    d->sum.files_with_dv += i->sum.files_with_dv;
    d->sum.files_with_stats += i->sum.files_with_stats;
    d->sum.files_with_count += i->sum.files_with_count;
    d->sum.bytes += i->sum.bytes;
    d->sum.records += i->sum.records;
    d->sum.live_rows += i->sum.live_rows;
    d->sum.unknown_cardinality |= i->sum.unknown_cardinality;
    buf_put(&d->lines, buf_str(&i->lines));
    return LP_OK;
}

/* ---- the request ---- */

static lp_status find_stats_column(dump *d, const char *name, const column **out, lp_err *err) {
    str part[MAX_PARTS], rest = str_from(name);
    size_t count = 0, dot;
    while (count < MAX_PARTS - 1 && str_find_char(rest, '.', &dot)) {
        part[count++] = str_slice(rest, 0, dot);
        rest = str_slice(rest, dot + 1, rest.len);
    }
    part[count++] = rest;
    if (schema_find(&d->s->schema, part, count, out) == COLUMN_FOUND) return LP_OK;
    return err_set(err, LP_ERR_USAGE, "no column %s", name);
}

static lp_status make_request(dump *d, lp_err *err) {
    stats_column *stats = ARENA_ARRAY(d->table, stats_column, d->o->stats_count);
    for (size_t i = 0; i < d->o->stats_count; i++) {
        stats[i] = (stats_column){.want_bounds = true, .want_null_count = true};
        TRY(find_stats_column(d, d->o->stats[i], &stats[i].column, err));
    }
    d->request = (scan_request){.want_path = d->o->files,
                                .want_size = true,
                                .want_record_count = !d->o->count_only,
                                .stats = stats,
                                .stats_count = d->o->stats_count,
                                .session_zone = zone_utc()};
    if (d->o->partition) {
        d->request.partition = d->s->schema.partition;
        d->request.partition_count = d->s->schema.partition_count;
    }
    return LP_OK;
}

/* ---- the object ---- */

static void put_texts(json_writer *w, const char *key, const str *text, size_t count) {
    json_put_key(w, str_from(key));
    json_begin_array(w);
    for (size_t i = 0; i < count; i++) json_put_string(w, text[i]);
    json_end_array(w);
}

static void put_integer(json_writer *w, const char *key, int64_t v) {
    json_put_key(w, str_from(key));
    json_put_int(w, v);
}

static void put_totals(json_writer *w, const dump *d) {
    const totals *t = &d->sum;
    json_put_key(w, STR("totals"));
    json_begin_object(w);
    put_integer(w, "files", (int64_t)t->files);
    put_integer(w, "bytes", t->bytes);
    bool all_counted = !d->o->count_only && t->files_with_count == t->files;
    json_put_key(w, STR("records"));
    if (all_counted)
        json_put_int(w, t->records);
    else
        json_put_null(w);
    put_integer(w, "files_with_deletion_vector", (int64_t)t->files_with_dv);
    put_integer(w, "files_with_stats", (int64_t)t->files_with_stats);
    json_put_key(w, STR("live_rows"));
    if (all_counted && !t->unknown_cardinality)
        json_put_int(w, t->live_rows);
    else
        json_put_null(w);
    json_end_object(w);
}

static void put_notes(json_writer *w, const snapshot *s) {
    json_put_key(w, STR("notes"));
    json_begin_array(w);
    for (const note *n = s->notes.first; n; n = n->next) {
        json_begin_object(w);
        json_put_key(w, STR("code"));
        json_put_string(w, note_code_name(n->code));
        json_put_key(w, STR("message"));
        json_put_string(w, n->message);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_text(json_writer *w, const char *key, str text) {
    json_put_key(w, str_from(key));
    json_put_string_or_null(w, text);
}

static void put_compactions(json_writer *w, const char *key, const story_compaction *c, size_t count) {
    json_put_key(w, str_from(key));
    json_begin_array(w);
    for (size_t i = 0; i < count; i++) json_put_string(w, c[i].file);
    json_end_array(w);
}

static void put_story_checkpoint(json_writer *w, const story *t) {
    json_put_key(w, STR("checkpoint"));
    if (!t->has_checkpoint) {
        json_put_null(w);
        return;
    }
    json_begin_object(w);
    put_integer(w, "version", t->checkpoint.version);
    put_texts(w, "files", t->checkpoint.file, t->checkpoint.file_count);
    put_texts(w, "sidecars", t->checkpoint.sidecar, t->checkpoint.sidecar_count);
    json_end_object(w);
}

static void put_story(json_writer *w, const story *t) {
    static const char *const state[] = {"absent", "good", "ignored"}, *const checksum[] = {"absent", "ok", "wrong"};
    json_put_key(w, STR("story"));
    json_begin_object(w);
    put_text(w, "hint", str_from(state[t->hint.state]));
    put_text(w, "hint_checksum", str_from(checksum[t->hint.checksum]));
    put_story_checkpoint(w, t);
    json_put_key(w, STR("skipped_checkpoints"));
    json_begin_array(w);
    for (size_t i = 0; i < t->skipped_count; i++) json_put_string(w, t->skipped[i].file);
    json_end_array(w);
    put_integer(w, "commits", (int64_t)t->commit_count);
    put_integer(w, "first_commit", t->first_commit);
    put_integer(w, "last_commit", t->last_commit);
    put_compactions(w, "compactions", t->compaction, t->compaction_count);
    put_compactions(w, "skipped_compactions", t->skipped_compaction, t->skipped_compaction_count);
    put_integer(w, "versions_behind_checkpoint", t->versions_behind_checkpoint);
    json_put_key(w, STR("ranges"));
    json_begin_array(w);
    for (size_t i = 0; i < 2 * t->range_count; i++)
        json_put_int(w, i % 2 ? t->range[i / 2].last : t->range[i / 2].first);
    json_end_array(w);
    json_end_object(w);
}

static void put_snapshot(json_writer *w, const dump *d) {
    const snapshot *s = d->s;
    json_begin_object(w);
    put_integer(w, "version", s->version);
    json_put_key(w, STR("table_id"));
    json_put_string_or_null(w, s->table_id);
    put_texts(w, "partition_columns", s->partition_column, s->partition_column_count);
    json_put_key(w, STR("protocol"));
    json_begin_object(w);
    put_integer(w, "min_reader_version", s->protocol.min_reader_version);
    put_integer(w, "min_writer_version", s->protocol.min_writer_version);
    put_texts(w, "reader_features", s->protocol.reader_feature, s->protocol.reader_feature_count);
    put_texts(w, "writer_features", s->protocol.writer_feature, s->protocol.writer_feature_count);
    json_end_object(w);
    json_put_key(w, STR("clustering_columns"));
    if (!s->is_clustered)
        json_put_null(w);
    else {
        json_begin_array(w);
        for (size_t i = 0; i < s->clustering_column_count; i++) json_put_string(w, s->clustering_column[i]);
        json_end_array(w);
    }
    put_integer(w, "columns", (int64_t)s->schema.leaf_count);
    if (!d->o->no_scan) put_totals(w, d);
    put_notes(w, s);
    put_story(w, s->story);
    json_end_object(w);
}

static void put_counters(json_writer *w, const dump *d, const scan_counters *c) {
    json_begin_object(w);
    put_integer(w, "bytes_read", (int64_t)store_bytes_read(d->s->files));
    put_integer(w, "pages_decoded", (int64_t)c->pages_decoded);
    put_integer(w, "values_decoded", (int64_t)c->values_decoded);
    put_integer(w, "statistics_parsed", (int64_t)c->statistics_parsed);
    put_integer(w, "files_seen", (int64_t)c->files_seen);
    put_integer(w, "arena_peak_bytes", (int64_t)c->arena_peak_bytes);
    json_end_object(w);
}

static lp_status visit(dump *d, pool *workers, scan_counters *counters, lp_err *err) {
    d->sum = (totals){0};
    *counters = (scan_counters){0};
    buf_init(&d->lines, d->table, SIZE_MAX / 2);
    TRY(make_request(d, err));
    scan_visitor v = {d, begin, select_files, take, merge};
    return d->o->no_scan ? LP_OK : snapshot_scan(d->s, &d->request, workers, &v, counters, err);
}

static lp_status run(void *context, lp_err *err) {
    dump *d = context;
    store *files;
    pool *workers = pool_new(d->table, d->o->threads);
    TRY(store_open(d->table, str_from(d->o->table), &files, err));
    TRY(snapshot_open(d->table, files, d->o->open, workers, &d->s, err));
    scan_counters counters;
    lp_status status;
    do { status = visit(d, workers, &counters, err); } while (status == SCAN_AGAIN);
    TRY(status);
    buf out;
    buf_init(&out, d->table, SIZE_MAX / 2);
    json_writer w;
    json_writer_init(&w, &out, 0);
    put_snapshot(&w, d);
    buf_put_char(&out, '\n');
    buf_put(&out, buf_str(&d->lines));
    if (d->o->counters) {
        json_writer_init(&w, &out, 0);
        put_counters(&w, d, &counters);
        buf_put_char(&out, '\n');
    }
    fwrite(out.ptr, 1, out.len, stdout);
    return LP_OK;
}

/* ---- the command line ---- */

static bool take_option(dump_options *o, char **argv, int *at, int argc) {
    const char *name = argv[*at];
    bool has_value = *at + 1 < argc;
    if (strcmp(name, "--count") == 0) return o->count_only = true;
    if (strcmp(name, "--no-scan") == 0) return o->no_scan = true;
    if (strcmp(name, "--partition") == 0) return o->partition = true;
    if (strcmp(name, "--files") == 0) return o->files = true;
    if (strcmp(name, "--counters") == 0) return o->counters = true;
    if (strcmp(name, "--at-version") == 0 && has_value) {
        o->open = (snapshot_options){true, strtoll(argv[++*at], NULL, 10)};
        return true;
    }
    if (strcmp(name, "--select") == 0 && has_value) {
        o->select = argv[++*at];
        return o->partition = true;
    }
    if (strcmp(name, "--threads") == 0 && has_value) {
        o->threads = (unsigned)strtoul(argv[++*at], NULL, 10);
        return true;
    }
    if (strcmp(name, "--stats") == 0 && has_value && o->stats_count < MAX_STATS) {
        o->stats[o->stats_count++] = argv[++*at];
        return true;
    }
    if (name[0] == '-' || o->table) return false;
    o->table = name;
    return true;
}

int main(int argc, char **argv) {
    dump_options o = {.threads = 1};
    bool good = true;
    for (int at = 1; at < argc && good; at++) good = take_option(&o, argv, &at, argc);
    if (!good || !o.table) {
        fputs("usage: snapshot_dump [OPTION]... TABLE\n", stderr);
        return 2;
    }
    arena table;
    arena_init(&table, 0);
    dump d = {.o = &o, .table = &table};
    lp_err err;
    lp_status status = door_run(run, &d, &err);
    if (status != LP_OK) fprintf(stderr, "error: %s\n", err.text);
    arena_end(&table);
    return status == LP_OK ? 0 : 1;
}
