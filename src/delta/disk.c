/* disk.c - the files of the log against the files in the folder.
 * Called by: api.  Must not know: predicates, text or JSON output.
 *
 * 1. Walk the folder: each file into the set, its size beside it.
 * 2. Scan the live files: mark those of the set; look for the others, which may lie behind a link; list what is
 * missing.
 * 3. Read the log: mark what it names. From here on the number beside a file that is not live is when it was removed.
 * 4. Walk again and judge each file by its marks. A file that came since the first walk has none: uncommitted.
 */
#include "delta/disk.h"

#include "delta/file_path.h"
#include "delta/key_set.h"
#include "delta/logged_files.h"
#include "delta/retention.h"

enum { MARK_LIVE = KEY_MARK_ONE, MARK_NAMED = KEY_MARK_TWO };
#define NAMED_BY_CDC INT64_MIN /* as the time of a removal */
enum { WALK_DEPTH = 100, LISTING_BYTES = 64 << 20 };

typedef struct disk {
    snapshot *table;
    const disk_options *options;
    disk_report *out;
    key_set *files;         /* in the folder; stamps: size in bytes, then time of removal */
    key_set *other_vectors; /* live ones that are not in the folder: each is told once */
    digest_key secret;
    arena *memory;  /* ends with the run */
    arena *scratch; /* reset file by file */
    buf entry;
    bool second_walk;
} disk;

static key_code code_of(const disk *d, str path) {
    return key_code_of(d->secret, (file_key){path, STR_NONE});
}

static void add_to(disk_tally *t, int64_t size_bytes) {
    t->files++;
    if (size_bytes > 0 && __builtin_add_overflow(t->bytes, (uint64_t)size_bytes, &t->bytes)) t->bytes = UINT64_MAX;
}

/* Count and list a file that is not simply live and there. */
static lp_status tell(disk *d, const disk_file *f, lp_err *err) {
    add_to(&d->out->state[f->state], f->size_bytes);
    if (f->is_vector) add_to(&d->out->vectors[f->state], f->size_bytes);
    if (f->is_vacuumed) add_to(&d->out->vacuumed[f->state], f->size_bytes);
    if (!d->options->list || !listing_wants(&d->out->listing)) return LP_OK;
    buf_reset(&d->entry);
    d->options->print(d->options->print_context, &d->entry, f);
    return listing_put(&d->out->listing, buf_str(&d->entry), err);
}

/* ---- 2: the live files ---- */

/* A live file that is told about, kept until its work item is merged. */
typedef struct guest {
    struct guest *next;
    disk_file file;
    bool is_unseen; /* outside, where we do not look */
} guest;

typedef struct live_item {
    arena *scratch;
    arena temporary; /* reset file by file */
    guest *first, **end;
    uint64_t files, behind_links, unknown_vectors;
} live_item;

static void end_arena(void *resource) {
    arena_end(resource);
}

static void *begin_live(void *context, arena *scratch) {
    (void)context;
    defer_slot *end = arena_defer(scratch, end_arena);
    live_item *item = ARENA_NEW(scratch, live_item);
    arena_init(&item->temporary, 0);
    end->resource = &item->temporary;
    item->scratch = scratch;
    item->end = &item->first;
    return item;
}

static guest *add_guest(live_item *item, disk_state state, str path, bool is_vector, int64_t logged_bytes) {
    guest *g = ARENA_NEW(item->scratch, guest);
    g->file = (disk_file){.state = state,
                          .is_vector = is_vector,
                          .path = str_copy(item->scratch, path),
                          .is_absent = state == DISK_MISSING,
                          .size_bytes = logged_bytes};
    *item->end = g;
    item->end = &g->next;
    return g;
}

static void check_size(live_item *item, str path, bool is_vector, int64_t in_folder, int64_t logged_bytes) {
    if (logged_bytes < 0 || in_folder == logged_bytes) return;
    guest *g = add_guest(item, DISK_OTHER_SIZE, path, is_vector, in_folder);
    g->file.logged_bytes = logged_bytes;
}

static void take_inside(disk *d, live_item *item, str path, bool is_vector, int64_t logged_bytes) {
    key_code code = code_of(d, path);
    if (key_set_mark(d->files, code, MARK_LIVE)) {
        check_size(item, path, is_vector, *key_set_stamp(d->files, code), logged_bytes);
        return;
    }
    uint64_t size;
    if (store_look(d->table->files, &item->temporary, path, &size) != STORE_FILE) {
        add_guest(item, DISK_MISSING, path, is_vector, logged_bytes);
        return;
    }
    item->behind_links++;
    check_size(item, path, is_vector, size > INT64_MAX ? INT64_MAX : (int64_t)size, logged_bytes);
}

static void take_outside(disk *d, live_item *item, file_place at, bool is_vector, int64_t logged_bytes) {
    uint64_t unused;
    guest *g = add_guest(item, DISK_OUTSIDE, at.path, is_vector, logged_bytes);
    store_presence is = STORE_UNKNOWN;
    if (at.place == PATH_LOCAL) is = store_look_absolute(d->table->files, &item->temporary, at.path, &unused);
    g->file.is_absent = is == STORE_ABSENT || is == STORE_NO_FILE;
    g->is_unseen = is == STORE_UNKNOWN;
}

static void take_place(disk *d, live_item *item, file_place at, bool is_vector, int64_t logged_bytes) {
    if (at.place == PATH_INSIDE)
        take_inside(d, item, at.path, is_vector, logged_bytes);
    else
        take_outside(d, item, at, is_vector, logged_bytes);
}

/* A vector lies inside of a file that may hold many, so nothing is known of the file's size. */
static void take_vector(disk *d, live_item *item, const live_file *f) {
    file_place at;
    str stem = str_slice(f->dv_id, 0, f->dv_stem_len);
    if (stem.len > 0 && stem.ptr[0] == 'i') return; /* inline: there is no file */
    if (vector_place_of(&item->temporary, stem, d->table->root, &at))
        take_place(d, item, at, true, -1);
    else
        item->unknown_vectors++;
}

static lp_status take_live(void *context, void *state, const file_batch *batch, lp_err *err) {
    (void)err;
    disk *d = context;
    live_item *item = state;
    item->files += batch->count;
    for (size_t i = 0; i < batch->count; i++) {
        const live_file *f = &batch->file[i];
        take_place(d, item, file_place_of(&item->temporary, f->path, d->table->root), false, f->size_bytes);
        if (f->has_dv) take_vector(d, item, f);
        arena_reset(&item->temporary);
    }
    return LP_OK;
}

static lp_status merge_live(void *context, void *state, lp_err *err) {
    disk *d = context;
    const live_item *item = state;
    d->out->live_data_files += item->files;
    d->out->live_behind_links += item->behind_links;
    d->out->unknown_vectors += item->unknown_vectors;
    for (const guest *g = item->first; g; g = g->next) {
        if (g->file.is_vector && !key_set_add(d->other_vectors, code_of(d, g->file.path))) continue;
        d->out->outside_missing += g->file.state == DISK_OUTSIDE && g->file.is_absent;
        d->out->outside_unseen += g->is_unseen;
        TRY(tell(d, &g->file, err));
    }
    return LP_OK;
}

static lp_status scan_live(disk *d, pool *workers, lp_err *err) {
    scan_request request = {.want_path = true, .want_size = true, .session_zone = zone_utc()};
    scan_visitor visitor = {d, begin_live, NULL, take_live, merge_live};
    return snapshot_scan(d->table, &request, workers, &visitor, &d->out->counters, err);
}

/* ---- 3: what the log names ---- */

static void name_file(disk *d, file_place at, const logged_file *f) {
    if (at.place != PATH_INSIDE) return;
    key_code code = code_of(d, at.path);
    unsigned marks = key_set_marks(d->files, code);
    if (marks & MARK_LIVE) return;
    int64_t *stamp = key_set_stamp(d->files, code);
    if (!stamp) return;
    if (!(marks & MARK_NAMED)) *stamp = 0; /* it was the size */
    (void)key_set_mark(d->files, code, MARK_NAMED);
    if (f->is_cdc) *stamp = NAMED_BY_CDC;
    if (f->is_remove && f->deleted_at_ms > *stamp) *stamp = f->deleted_at_ms;
}

static void take_logged(void *context, const logged_file *f) {
    disk *d = context;
    file_place at;
    name_file(d, file_place_of(d->scratch, f->path, d->table->root), f);
    if (vector_place_of(d->scratch, f->vector, d->table->root, &at)) name_file(d, at, f);
    arena_reset(d->scratch);
}

static lp_status read_commit(disk *d, logged_files *reader, const log_entry *commit, lp_err *err) {
    str path = str_format(d->memory, "_delta_log/" STR_FMT, STR_ARG(commit->name));
    return logged_files_of_commit(reader, path, err);
}

static void note_unreadable(disk *d, const lp_err *reason) {
    if (d->out->unreadable_log_files++ == 0) d->out->first_unreadable = str_copy(d->memory, str_from(reason->text));
}

/* The next complete checkpoint of the listing at or before a version, from the oldest one on. They stand newest first.
 */
static const log_checkpoint *next_checkpoint(const log_plan *plan, size_t *left, int64_t version) {
    if (*left == 0 || plan->checkpoint[*left - 1].version > version) return NULL;
    return &plan->checkpoint[--*left];
}

/* Where commits are gone that a compaction stands for, it tells their names. */
static void bridge_gaps(disk *d, const log_list *list, logged_files *reader, int64_t *known) {
    lp_err reason;
    for (size_t i = 0; i < list->compaction_count && *known < INT64_MAX; i++) {
        const log_name *is = &list->compaction[i].is;
        if (log_list_commit(list, *known + 1)) return;
        if (list->compaction[i].is_bad || is->version > *known + 1 || is->last_version <= *known) continue;
        if (read_commit(d, reader, &list->compaction[i], &reason) == LP_OK)
            *known = is->last_version;
        else
            note_unreadable(d, &reason);
    }
}

/* Every commit, and of the checkpoints those that hold what no commit before them tells: usually the oldest one of a
 * log that was cleaned up. `known` is the version up to which every name is known. */
static void read_names(disk *d, const log_plan *plan, logged_files *reader) {
    const log_list *list = plan->list;
    lp_err reason;
    int64_t known = -1;
    size_t left = plan->checkpoint_count;
    for (size_t i = 0; i <= list->commit_count; i++) {
        const log_entry *commit = i < list->commit_count ? &list->commit[i] : NULL;
        int64_t before = commit ? commit->is.version - 1 : INT64_MAX;
        bridge_gaps(d, list, reader, &known);
        for (const log_checkpoint *c; (c = next_checkpoint(plan, &left, before));) {
            if (c->version <= known) continue;
            if (logged_files_of_checkpoint(reader, c, &reason) == LP_OK)
                known = c->version;
            else
                note_unreadable(d, &reason);
        }
        if (!commit) break;
        if (read_commit(d, reader, commit, &reason) != LP_OK)
            note_unreadable(d, &reason);
        else if (known == commit->is.version - 1)
            known = commit->is.version;
    }
}

static lp_status read_log(disk *d, lp_err *err) {
    store_entries entries;
    TRY(store_list(d->table->files, STR("_delta_log"), d->memory, &entries, err));
    log_list list = log_list_new(d->memory, &entries);
    log_plan plan = log_plan_new(d->memory, &list);
    read_names(d, &plan, logged_files_new(d->memory, d->table->files, take_logged, d));
    return LP_OK;
}

/* ---- 1 and 4: the folder ---- */

/* `<column>=...`, by either name of a partition column: its folder is data whatever it starts with. */
static bool is_partition_folder(const snapshot *s, str name) {
    for (size_t i = 0; i < s->schema.partition_count; i++) {
        const str known[] = {s->schema.partition[i]->name, s->schema.partition[i]->physical};
        for (size_t n = 0; n < 2; n++)
            if (str_starts_with(name, known[n]) && name.len > known[n].len && name.ptr[known[n].len] == '=')
                return true;
    }
    return false;
}

static bool is_change_data(str path) {
    return str_eq(path, STR("_change_data")) || str_starts_with(path, STR("_change_data/"));
}

/* Also the folder in which UniForm keeps the metadata of Apache Iceberg. */
static bool is_hidden(const snapshot *s, const store_found *found) {
    char first = found->entry->name.ptr[0];
    if (found->entry->is_folder && str_eq(found->path, STR("metadata"))) return true;
    if (first != '_' && first != '.') return false;
    if (found->entry->is_folder && is_partition_folder(s, found->entry->name)) return false;
    return !(str_eq(found->path, STR("_change_data")) && found->entry->is_folder);
}

static bool looks_like_vector(str name) {
    return str_starts_with(name, STR("deletion_vector_")) && str_ends_with(name, STR(".bin"));
}

static int64_t size_of(const store_entry *e) {
    return e->size_bytes > INT64_MAX ? INT64_MAX : (int64_t)e->size_bytes;
}

/* Files are deleted that are older than the retention, and that nothing younger needs or has removed. */
static bool would_vacuum(const disk *d, const disk_file *f) {
    int64_t limit;
    if (!d->out->retention_known || __builtin_sub_overflow(d->out->now_ms, d->out->retention_ms, &limit)) return false;
    return f->mtime_ms < limit && (!f->has_removed_at || f->removed_at_ms <= limit);
}

static lp_status judge_file(disk *d, const store_found *found, lp_err *err) {
    key_code code = code_of(d, found->path);
    unsigned marks = key_set_marks(d->files, code);
    const int64_t *stamp = key_set_stamp(d->files, code);
    bool is_named = (marks & MARK_NAMED) && stamp;
    bool is_cdc = is_change_data(found->path) || (is_named && *stamp == NAMED_BY_CDC);
    disk_file f = {.state = is_cdc     ? DISK_CHANGE_DATA
                            : is_named ? DISK_REMOVED
                                       : DISK_UNCOMMITTED,
                   .is_vector = looks_like_vector(found->entry->name),
                   .path = found->path,
                   .size_bytes = size_of(found->entry),
                   .has_mtime = true,
                   .mtime_ms = found->entry->mtime_ms};
    if (marks & MARK_LIVE) {
        add_to(f.is_vector ? &d->out->live_vectors : &d->out->live, f.size_bytes);
        return LP_OK;
    }
    f.has_removed_at = is_named && *stamp > 0;
    if (f.has_removed_at) f.removed_at_ms = *stamp;
    f.is_vacuumed = would_vacuum(d, &f);
    return tell(d, &f, err);
}

static void count_entry(disk *d, uint64_t *what) {
    if (d->second_walk) (*what)++;
}

static lp_status visit(void *context, const store_found *found, bool *enter, lp_err *err) {
    disk *d = context;
    const store_entry *e = found->entry;
    if (is_hidden(d->table, found)) {
        *enter = false;
        if (!str_eq(found->path, STR("_delta_log"))) count_entry(d, &d->out->hidden_entries);
    } else if (e->is_folder && !found->may_enter) {
        count_entry(d, e->is_link ? &d->out->links_to_folders : &d->out->folders_too_deep);
    } else if (!e->is_folder && !e->is_regular) {
        count_entry(d, &d->out->special_entries);
    } else if (!e->is_folder) {
        if (d->second_walk) return judge_file(d, found, err);
        key_code code = code_of(d, found->path);
        (void)key_set_add(d->files, code);
        *key_set_stamp(d->files, code) = size_of(e);
    }
    return LP_OK;
}

static lp_status walk(disk *d, bool second, lp_err *err) {
    d->second_walk = second;
    return store_walk(d->table->files, d->memory, WALK_DEPTH, visit, d, err);
}

/* ---- the whole ---- */

static void begin_report(disk *d, arena *query) {
    disk_report *r = d->out;
    const disk_options *o = d->options;
    r->table = d->table;
    r->now_ms = o->now_ms;
    r->retention_text = snapshot_property(d->table, STR("delta.deletedFileRetentionDuration"));
    r->retention_ms = RETENTION_DEFAULT_MS;
    r->retention_known = str_is_none(r->retention_text) || retention_parse(r->retention_text, &r->retention_ms);
    r->lists_files = o->list;
    if (o->list) listing_init(&r->listing, query, LISTING_BYTES, o->separator, o->has_limit, o->limit);
}

lp_status disk_run(snapshot *table, pool *workers, const disk_options *options, arena *query, disk_report **out,
                   lp_err *err) {
    *out = NULL;
    arena *memory = arena_child(query);
    disk *d = ARENA_NEW(memory, disk);
    *d = (disk){.table = table,
                .options = options,
                .out = ARENA_NEW(query, disk_report),
                .files = key_set_new(memory, true),
                .other_vectors = key_set_new(memory, false),
                .secret = digest_key_of_run(),
                .memory = memory,
                .scratch = arena_child(memory)};
    buf_init(&d->entry, memory, SIZE_MAX / 2);
    begin_report(d, query);
    TRY(walk(d, false, err));
    TRY(scan_live(d, workers, err));
    TRY(read_log(d, err));
    TRY(walk(d, true, err));
    d->out->first_unreadable = str_copy(query, d->out->first_unreadable);
    disk_report *done = d->out;
    arena_end(memory);
    *out = done;
    return LP_OK;
}
