/* snapshot.c - lp_snapshot: a snapshot counted and its report rendered.
 * Called by: users of the library, the command.  Must not know: command lines.
 */
#include "api/api_int.h"
#include "delta/checksum.h"
#include "report/disk_report.h"
#include "report/snapshot_report.h"

static file_rows_form form_of(lp_format format) {
    switch (format) {
    case LP_FORMAT_JSON: return FILE_ROWS_JSON;
    case LP_FORMAT_NDJSON: return FILE_ROWS_NDJSON;
    case LP_FORMAT_CSV: return FILE_ROWS_CSV;
    case LP_FORMAT_SARIF:
    case LP_FORMAT_GITHUB: /* refused before */
    case LP_FORMAT_TEXT: return FILE_ROWS_TEXT;
    }
    UNREACHABLE();
}

static lp_status count_files(lp_report *report, const lp_snapshot_options *o, file_rows **rows, census **out,
                             lp_err *err) {
    lp_table *t = report->table;
    bool is_listing_alone = o->view == LP_VIEW_FILES && o->format != LP_FORMAT_JSON;
    census_options options = {
        .want_coverage = !is_listing_alone, .want_removed = !is_listing_alone, .session_zone = t->session_zone};
    if (o->view == LP_VIEW_FILES) {
        *rows = file_rows_new(t->snapshot, form_of(o->format), &report->query);
        options.print = file_row_print;
        options.print_context = *rows;
        options.separator = file_rows_separator(form_of(o->format));
    }
    return census_take(t->snapshot, &options, t->workers, &report->query, out, err);
}

static checksum_count known_if(bool known, uint64_t number) {
    return (checksum_count){known && number <= INT64_MAX, (int64_t)number};
}

static void verify_checksum(lp_table *t, const census *c, arena *query, version_checksum *out) {
    checksum_totals counted = {.files = known_if(true, c->files),
                               .bytes = known_if(c->files_with_size == c->files, c->bytes),
                               .files_with_dv = known_if(true, c->files_with_dv),
                               .deleted_rows = known_if(true, c->deleted_rows),
                               .has_sizeless_file = c->files_with_size < c->files};
    note_list found = {0};
    checksum_verify(t->snapshot, &counted, query, &found, out);
    for (const note *n = found.first; n; n = n->next) /* once, however often it is asked */
        if (!note_list_has(&t->snapshot->notes, n->code))
            note_add(&t->snapshot->notes, &t->table, n->code, str_copy(&t->table, n->message));
}

/* `disk` is NULL unless the folder was looked at. */
static lp_status tell_story(lp_report *report, const lp_snapshot_options *o, const disk_report *disk, lp_err *err) {
    lp_table *t = report->table;
    file_rows *rows = NULL;
    census *c;
    TRY(count_files(report, o, &rows, &c, err));
    version_checksum checksum;
    verify_checksum(t, c, &report->query, &checksum);
    commit_info commit;
    bool has_commit = snapshot_commit_info(t->snapshot, &report->query, &commit);
    snapshot_style style = {.color = o->color,
                            .location = o->location ? str_from(o->location) : t->location,
                            .tool_version = STR(LAKEPROOF_VERSION),
                            .commit = has_commit ? &commit : NULL,
                            .checksum = &checksum,
                            .disk = disk};
    if (o->format == LP_FORMAT_JSON)
        snapshot_json(t->snapshot, c, &style, &report->query, &report->document);
    else if (o->view == LP_VIEW_STORY)
        snapshot_text(t->snapshot, c, &style, &report->query, &report->document);
    else
        snapshot_files(t->snapshot, c, rows, &style, &report->query, &report->document);
    report->total_files = report->final_files = c->files;
    report_count_work(report, &c->counters, rows ? c->files : 0);
    return LP_OK;
}

static lp_status snapshot_body(lp_report *report, const void *options, lp_err *err) {
    return tell_story(report, options, NULL, err);
}

/* --- the folder --- */

static lp_status look_at_disk(lp_report *report, const lp_snapshot_options *o, disk_report **out, lp_err *err) {
    lp_table *t = report->table;
    disk_row_style *rows = ARENA_NEW(&report->query, disk_row_style);
    rows->color = o->color;
    TRY(report_find_now(t, o->now, &rows->now_ms, err));
    disk_options how = {.now_ms = rows->now_ms, .list = o->list_files, .print_context = rows};
    how.print = o->format == LP_FORMAT_TEXT   ? disk_row_text
                : o->format == LP_FORMAT_JSON ? disk_row_json
                                              : disk_row_ndjson;
    how.separator = o->format == LP_FORMAT_JSON ? DISK_SEPARATOR_JSON : DISK_SEPARATOR_NDJSON;
    return disk_run(t->snapshot, t->workers, &how, &report->query, out, err);
}

/* Text and listing; JSON is the document of the story with more in it. */
static lp_status disk_body(lp_report *report, const void *options, lp_err *err) {
    const lp_snapshot_options *o = options;
    lp_table *t = report->table;
    disk_report *disk;
    TRY(look_at_disk(report, o, &disk, err));
    disk_style style = {.color = o->color, .location = o->location ? str_from(o->location) : t->location};
    if (o->format == LP_FORMAT_JSON) {
        TRY(tell_story(report, o, disk, err));
    } else {
        if (o->format == LP_FORMAT_TEXT)
            disk_text(disk, &style, &report->query, &report->document);
        else
            disk_ndjson(disk, &report->query, &report->document);
        report->total_files = report->final_files = disk->live_data_files;
        report_count_work(report, &disk->counters, disk->listing.count);
    }
    if (!o->assert_files) return LP_OK;
    report->passed = disk_faulty_files(disk) == 0;
    disk_gates(disk, &report->query, &report->gates);
    return LP_OK;
}

lp_status lp_snapshot(lp_table *table, const lp_snapshot_options *options, lp_report **out, lp_err *err) {
    *out = NULL;
    if (options->view == LP_VIEW_HISTORY) return history_report(table, options, out, err);
    if (options->format > LP_FORMAT_CSV) return err_set(err, LP_ERR_USAGE, "findings alone are shown as SARIF or workflow commands");
    bool is_listing = options->format == LP_FORMAT_NDJSON || options->format == LP_FORMAT_CSV;
    bool lists = options->view == LP_VIEW_FILES || (options->view == LP_VIEW_DISK && options->list_files);
    if (!lists && is_listing) return err_set(err, LP_ERR_USAGE, "ndjson and csv are formats of a listing of files");
    if (options->view == LP_VIEW_DISK && options->format == LP_FORMAT_CSV)
        return err_set(err, LP_ERR_USAGE, "a comparison with the folder is no CSV");
    return report_run(table, options->view == LP_VIEW_DISK ? disk_body : snapshot_body, options, out, err);
}
