/* report.c - lp_report: a question answered and rendered.
 * Called by: users of the library, the command.  Must not know: command lines.
 */
#include <stdlib.h>
#include <time.h>

#include "api/api_int.h"
#include "base/door.h"

typedef struct prune_call {
    lp_report *report;
    const lp_prune_options *options;
} prune_call;

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* A listing exists only inside the phases of a text report, so without a predicate there is none. */
static listing_kind listing_for(const lp_prune_options *o) {
    if (!o->verbose) return LISTING_NONE;
    if (o->format == LP_FORMAT_JSON) return LISTING_FILES;
    return o->where ? LISTING_PHASES : LISTING_NONE;
}

static prune_options question(const lp_table *t, const lp_prune_options *o, lp_report *report) {
    bool json = o->format == LP_FORMAT_JSON, drop_in = o->voice == LP_VOICE_DELTA_EXPLAIN;
    prune_options q = {
        .has_where = o->where != NULL,
        .dialect = DIALECT_spark,
        .level = o->level == LP_LEVEL_EXTENDED ? LEVEL_EXTENDED : LEVEL_CONTRACT,
        .nan_strict = o->nan_strict,
        .as_delta_explain = drop_in,
        .session_zone = t->session_zone,
        .zones = t->zones,
        .has_min_pruning = o->has_min_pruning,
        .min_pruning = o->min_pruning,
        .assert_stats = o->assert_stats,
        .explain_why = o->explain_why,
        .need_file_stats = json || (o->explain_why && o->where),
        .listing = listing_for(o),
        .has_limit = o->has_limit,
        .limit = o->limit,
        .print = json ? listing_print_json : listing_print_text,
        .listing_separator = json ? LISTING_SEPARATOR_JSON : LISTING_SEPARATOR_TEXT,
        .debug_ir = o->debug_ir ? &report->debug_ir : NULL,
    };
    if (o->where) q.where = str_copy(&report->query, (str){o->where, o->where_size});
    if (q.listing != LISTING_NONE)
        q.print_context = file_listing_new(&t->snapshot->schema, drop_in, o->color, &report->query);
    return q;
}

static report_style style_for(const lp_table *t, const lp_prune_options *o, int64_t elapsed_ms) {
    return (report_style){
        .drop_in = o->voice == LP_VOICE_DELTA_EXPLAIN,
        .verbose = o->verbose,
        .color = o->color,
        .location = o->location ? str_from(o->location) : t->location,
        .tool_version = STR(LAKEPROOF_VERSION),
        .elapsed_ms = elapsed_ms,
        .level = o->level == LP_LEVEL_EXTENDED ? LEVEL_EXTENDED : LEVEL_CONTRACT,
        .nan_strict = o->nan_strict,
        .dialect = STR("spark"),
        .timezone = t->timezone,
    };
}

static uint64_t listed_files(const prune_report *r) {
    return r->listed + r->phase[0].listed + r->phase[1].listed;
}

static lp_status prune_body(void *context, lp_err *err) {
    prune_call *call = context;
    lp_report *report = call->report;
    lp_table *t = report->table;
    int64_t start = now_ms();
    buf_init(&report->debug_ir, &report->query, SIZE_MAX / 2);
    prune_options q = question(t, call->options, report);
    TRY(prune_run(t->snapshot, &q, t->workers, &report->query, &report->measured, err));
    report_style style = style_for(t, call->options, now_ms() - start);
    if (call->options->format == LP_FORMAT_JSON)
        report_json(report->measured, &style, &report->query, &report->document);
    else
        report_text(report->measured, &style, &report->query, &report->document);
    report_gates(report->measured, &report->query, &report->gates);
    report_counts counts = {
        .bytes_read = store_bytes_read(t->files),
        .files_listed = listed_files(report->measured),
        .arena_peak_bytes = t->table.peak_bytes + report->query.peak_bytes + pool_arena_peak_bytes(t->workers),
        .threads = pool_thread_count(t->workers),
    };
    report_counters(report->measured, &counts, &report->query, &report->counters);
    return LP_OK;
}

lp_status lp_prune(lp_table *table, const lp_prune_options *options, lp_report **out, lp_err *err) {
    *out = NULL;
    if (options->has_min_pruning && !options->where) return err_set(err, LP_ERR_USAGE, "min_pruning needs a predicate");
    lp_report *report = calloc(1, sizeof *report);
    if (!report) return err_set(err, LP_ERR_LIMIT, "out of memory");
    arena_init(&report->query, 0);
    report->table = table;
    prune_call call = {report, options};
    lp_status status = door_run(prune_body, &call, err);
    if (status != LP_OK) {
        lp_report_free(report);
        return status;
    }
    *out = report;
    return LP_OK;
}

void lp_report_free(lp_report *report) {
    if (!report) return;
    arena_end(&report->query);
    free(report);
}

bool lp_report_passed(const lp_report *report) {
    return report_passed(report->measured);
}

uint64_t lp_report_total_files(const lp_report *report) {
    return report->measured->total_files;
}

uint64_t lp_report_final_files(const lp_report *report) {
    return report->measured->final_files;
}

lp_status lp_report_write(const lp_report *report, lp_part part, lp_write write, void *context, lp_err *err) {
    switch (part) {
    case LP_PART_REPORT: return report_document_write(&report->document, write, context, err);
    case LP_PART_GATES: return report_document_write(&report->gates, write, context, err);
    case LP_PART_COUNTERS: return report_document_write(&report->counters, write, context, err);
    case LP_PART_DEBUG_IR: {
        str text = buf_str(&report->debug_ir);
        if (text.len && !write(context, text.ptr, text.len)) return err_set(err, LP_ERR_IO, "the reader stopped");
        return LP_OK;
    }
    }
    return err_set(err, LP_ERR_USAGE, "no such part of a report");
}

const char *lp_code_help(const char *code) {
    note_code found = note_code_find(str_from(code));
    return found == NOTE_CODE_COUNT ? NULL : note_code_page(found).ptr;
}
