/* why.c - lp_why: the evidence for one file, rendered.
 * Called by: users of the library, the command.  Must not know: command lines.
 */
#include <inttypes.h>

#include "api/api_int.h"
#include "delta/file_fate.h"
#include "report/why_report.h"

static prune_options question(const lp_table *t, const lp_why_options *o, lp_report *report) {
    bool json = o->format == LP_FORMAT_JSON;
    prune_options q = {
        .has_where = true,
        .where = str_copy(&report->query, (str){o->where, o->where_size}),
        .dialect = DIALECT_spark,
        .level = o->level == LP_LEVEL_EXTENDED ? LEVEL_EXTENDED : LEVEL_CONTRACT,
        .nan_strict = o->nan_strict,
        .session_zone = t->session_zone,
        .zones = t->zones,
        .listing = LISTING_FILES,
        .explain_files = true,
        .only_file = str_copy(&report->query, str_from(o->file)),
        .print = json ? listing_print_json : why_print_text,
        .listing_separator = STR("\n"),
    };
    q.print_context = json ? (void *)file_listing_new(&t->snapshot->schema, false, false, &report->query) : (void *)&o->color;
    return q;
}

static lp_status unknown_file(lp_report *report, str name, lp_err *err) {
    const snapshot *s = report->table->snapshot;
    file_fate fate;
    TRY(file_fate_find(s, name, &report->query, &fate, err));
    str what = STR("no file of the log has this path (`lakeproof snapshot TABLE --files` lists the live ones)");
    if (fate.removed_in >= 0)
        what = str_format(&report->query, "it was removed in version %" PRId64, fate.removed_in);
    else if (fate.is_still_listed)
        what = STR("it was removed before the newest checkpoint");
    else if (fate.added_in >= 0)
        what = str_format(&report->query, "it is added later, in version %" PRId64, fate.added_in);
    return err_set(err, LP_ERR_NOT_FOUND, "no live file " STR_FMT " in version %" PRId64 ": " STR_FMT, STR_ARG(name), s->version,
                   STR_ARG(what));
}

enum { NAMES_BYTES = 2000 };

/* Two live files of one path differ in their vectors: name them all, in a second run. */
static lp_status several_files(lp_report *report, prune_options q, lp_err *err) {
    prune_report *measured;
    q.print = why_print_name;
    q.listing_separator = STR(", ");
    TRY(prune_run(report->table->snapshot, &q, report->table->workers, &report->query, &measured, err));
    char names[NAMES_BYTES];
    uint64_t size = spool_size(measured->files);
    if (size > sizeof names) size = sizeof names;
    TRY(spool_read(measured->files, 0, names, (size_t)size, err));
    return err_set(err, LP_ERR_NOT_FOUND, "expected the name of one live file, found %" PRIu64 " of that path: " STR_FMT,
                   measured->listed, STR_ARG(((str){names, (size_t)size})));
}

static lp_status why_body(lp_report *report, const void *question_options, lp_err *err) {
    const lp_why_options *o = question_options;
    lp_table *t = report->table;
    prune_options q = question(t, o, report);
    prune_report *measured;
    int64_t now_ms;
    TRY(report_find_now(t, o->now, &now_ms, err));
    q.now_micros = now_ms * 1000;
    TRY(prune_run(t->snapshot, &q, t->workers, &report->query, &measured, err));
    if (measured->listed == 0) return unknown_file(report, q.only_file, err);
    if (measured->listed > 1) return several_files(report, q, err);
    report_style style = {
        .location = o->location ? str_from(o->location) : t->location,
        .tool_version = STR(LAKEPROOF_VERSION),
        .level = q.level,
        .nan_strict = o->nan_strict,
        .dialect = STR("spark"),
        .timezone = t->timezone,
    };
    if (o->format == LP_FORMAT_JSON)
        why_json(measured, &style, &report->query, &report->document);
    else
        why_text(measured, &style, &report->query, &report->document);
    report->total_files = measured->total_files;
    report->final_files = measured->final_files;
    report_count_work(report, &measured->counters, measured->listed);
    return LP_OK;
}

lp_status lp_why(lp_table *table, const lp_why_options *options, lp_report **out, lp_err *err) {
    *out = NULL;
    if (options->format != LP_FORMAT_TEXT && options->format != LP_FORMAT_JSON)
        return err_set(err, LP_ERR_USAGE, "the evidence for a file is text or JSON");
    if (!options->where || !options->file) return err_set(err, LP_ERR_USAGE, "the evidence for a file needs a predicate and a file");
    return report_run(table, why_body, options, out, err);
}
