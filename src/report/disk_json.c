/* disk_json.c - the log against the folder as JSON: the object `disk` of a snapshot's document, and its rows.
 * Called by: report/snapshot_json.c, api.  Must not know: text, how the folder was looked at.
 */
#include "report/disk_json.h"

#include "report/member.h"

static void put_tally(json_writer *w, str key, const disk_tally *t) {
    json_put_key(w, key);
    json_begin_object(w);
    member_count(w, STR("bytes"), t->bytes);
    member_count(w, STR("files"), t->files);
    json_end_object(w);
}

/* Files of the folder in a state: what VACUUM would delete is null where the retention is not known. */
static void put_state(json_writer *w, const disk_report *r, disk_state state) {
    bool in_folder = state == DISK_REMOVED || state == DISK_UNCOMMITTED || state == DISK_CHANGE_DATA;
    json_put_key(w, disk_state_name(state));
    json_begin_object(w);
    member_count(w, STR("bytes"), r->state[state].bytes);
    member_count(w, STR("files"), r->state[state].files);
    if (state == DISK_OUTSIDE) member_count(w, STR("missing"), r->outside_missing);
    if (state == DISK_OUTSIDE) member_count(w, STR("not_looked_for"), r->outside_unseen);
    if (in_folder && r->retention_known) put_tally(w, STR("vacuum"), &r->vacuumed[state]);
    if (in_folder && !r->retention_known) member_text(w, STR("vacuum"), STR_NONE);
    put_tally(w, STR("vectors"), &r->vectors[state]);
    json_end_object(w);
}

/* The array is a spool of printed rows between two pieces of text; the writer takes its opening as a whole value. */
static void put_files(draft *d, json_writer *w, const listing *l) {
    json_put_key(w, STR("files"));
    if (l->count == 0) {
        json_begin_array(w);
        json_end_array(w);
        return;
    }
    json_put_raw(w, STR("[\n"));
    draft_put_spool(d, l->text);
    buf_put(&d->tail, STR("\n    ]"));
}

void disk_put_member(draft *d, json_writer *w, const disk_report *r) {
    json_put_key(w, STR("disk"));
    json_begin_object(w);
    put_state(w, r, DISK_CHANGE_DATA);
    if (r->lists_files) put_files(d, w, &r->listing);
    member_text(w, STR("first_unreadable"), r->first_unreadable);
    member_count(w, STR("folders_too_deep"), r->folders_too_deep);
    member_count(w, STR("hidden_entries"), r->hidden_entries);
    member_count(w, STR("links_to_folders"), r->links_to_folders);
    put_tally(w, STR("live"), &r->live);
    member_count(w, STR("live_behind_links"), r->live_behind_links);
    put_tally(w, STR("live_vectors"), &r->live_vectors);
    put_state(w, r, DISK_MISSING);
    json_put_key(w, STR("now_ms"));
    json_put_int(w, r->now_ms);
    put_state(w, r, DISK_OTHER_SIZE);
    put_state(w, r, DISK_OUTSIDE);
    put_state(w, r, DISK_REMOVED);
    member_text(w, STR("retention"), r->retention_text);
    member_int_or_null(w, STR("retention_ms"), r->retention_known, r->retention_ms);
    member_count(w, STR("special_entries"), r->special_entries);
    put_state(w, r, DISK_UNCOMMITTED);
    member_count(w, STR("unknown_vectors"), r->unknown_vectors);
    member_count(w, STR("unreadable_log_files"), r->unreadable_log_files);
    json_end_object(w);
}

static void put_row(buf *out, const disk_file *f) {
    json_writer w;
    json_writer_init(&w, out, 0);
    json_begin_object(&w);
    member_bool(&w, STR("is_absent"), f->is_absent);
    member_bool(&w, STR("is_vector"), f->is_vector);
    member_int_or_null(&w, STR("logged_bytes"), f->state == DISK_OTHER_SIZE, f->logged_bytes);
    member_int_or_null(&w, STR("modification_time_ms"), f->has_mtime, f->mtime_ms);
    member_text(&w, STR("path"), f->path);
    member_int_or_null(&w, STR("removed_at_ms"), f->has_removed_at, f->removed_at_ms);
    member_int_or_null(&w, STR("size_bytes"), f->size_bytes >= 0, f->size_bytes);
    member_text(&w, STR("state"), disk_state_name(f->state));
    member_bool(&w, STR("vacuum"), f->is_vacuumed);
    json_end_object(&w);
}

void disk_row_json(void *context, buf *out, const disk_file *f) {
    (void)context;
    buf_put(out, STR("      "));
    put_row(out, f);
}

void disk_row_ndjson(void *context, buf *out, const disk_file *f) {
    (void)context;
    put_row(out, f);
}

void disk_ndjson(const disk_report *r, arena *query, report_document *out) {
    draft d;
    draft_init(&d, query, out);
    draft_put_spool(&d, r->listing.text);
    if (r->listing.count > 0) buf_put_char(&d.tail, '\n');
    draft_end(&d);
}
